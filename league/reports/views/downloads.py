"""The files of a competition for its organizers: reports to federations, certificates, workbooks."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from league.core.access import Access, Can, owns
from league.core.kept_files import CannotMake, send_download
from league.core.pages import page, reads, save, sent, writes
from league.models import Division, FederationForm, Logo
from league.reports.exports.certificates import PAPERS, TEAMS
from league.reports.forms import CertificatesForm, FactsForm
from league.reports.queries import Report
from league.reports.services import set_report_facts
from league.reports.tasks import BROKEN, HEAVY, write_certificates, write_ema, write_form


@writes(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    """List the files. A POST sets the facts that reports need."""
    reports = [Report(each) for each in _divisions(access)]
    played = [each for each in reports if each.lines]
    weight = played[0].weight if len(played) == 1 and played[0].days else None
    form = FactsForm(sent(request), competition=access.competition, weight=weight)
    return save(
        request,
        form,
        lambda sent: set_report_facts(
            competition=access.competition, values=form.values(), by=access.by, form=sent
        ),
        about=("report",),
        done=_("Saved."),
        then=access.address("reports:index"),
    ) or page(
        request,
        access,
        "reports/index.html",
        form=form,
        reports=[(each.division, list(each.problems())) for each in reports],
        forms=FederationForm.objects.filter(league=access.competition.league).defer("content"),
        owns_league=owns(access.by, access.competition.league),
        certificates=CertificatesForm(choices=_choices(access)),
        has_logo=Logo.objects.filter(league=access.competition.league).exists(),
    )


def _divisions(access: Access) -> list[Division]:
    found = list(access.competition.divisions.select_related("rule_set__book", "rule_set__own_catalogue"))
    for each in found:
        each.competition = access.competition
    return found


def _choices(access: Access) -> list[tuple[str, str]]:
    choices = [(each.slug, each.name) for each in access.competition.divisions.all()]
    return [*choices, (TEAMS, _("Teams"))] if access.competition.team_play != "none" else choices


@reads(Can.ORGANIZE, kept=True)
def ema(request: HttpRequest, access: Access, division: str, fmt: str) -> HttpResponseBase:
    """Send EMA's results form, or lead to the page that says what it lacks."""
    if fmt not in ("xlsx", "csv"):
        raise Http404
    found = access.division(division)
    found.competition = access.competition
    if next(Report(found).problems(), ""):
        return redirect(access.address("reports:index"))
    return send_download(
        request,
        access,
        write_ema,
        found.pk,
        fmt,
        fmt=fmt,
        name=["ema", found.slug],
        title=["EMA", found.name],
        public=False,
    )


@reads(Can.ORGANIZE, kept=True)
def form(request: HttpRequest, access: Access, form: int, division: str) -> HttpResponseBase:
    """Send a federation's form, filled in with the facts of a division."""
    kept = get_object_or_404(
        FederationForm.objects.defer("content"), league=access.competition.league_id, pk=form
    )
    found = access.division(division)
    try:
        return send_download(
            request,
            access,
            write_form,
            found.pk,
            kept.pk,
            kept.changed_at.isoformat(),
            fmt="xlsx",
            name=["form", str(kept.pk), found.slug],
            title=[kept.name, found.name],
            public=False,
        )
    except CannotMake as error:
        return _explain(request, access, str(error))


@reads(Can.ORGANIZE, kept=True)
def certificates(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Send certificates or final standings, or lead to the page that offers them."""
    asked = CertificatesForm(request.GET, choices=_choices(access))
    if not asked.is_valid():
        return redirect(access.address("reports:index"))
    chosen = asked.cleaned_data
    logo = (
        Logo.objects.filter(league=access.competition.league_id).values_list("changed_at", flat=True).first()
    )
    try:
        return send_download(
            request,
            access,
            write_certificates,
            chosen["paper"],
            chosen["of"],
            chosen["first"] or 0,
            logo.isoformat() if logo else "",
            fmt="pdf",
            name=[chosen["paper"], chosen["of"]],
            title=[str(PAPERS[chosen["paper"]])],
            public=False,
        )
    except CannotMake as error:
        return _explain(request, access, str(error))


def _explain(request: HttpRequest, access: Access, refusal: str) -> HttpResponse:
    """Lead to the page of the files, with the reason why one cannot be made."""
    sentences = {
        HEAVY: _("This file needs too much memory or time. Choose fewer places, or simplify the form."),
        BROKEN: _("This form can no longer be filled in. Upload it again."),
    }
    missing = _("This server cannot create PDF files because %(package)s is missing.")
    messages.error(request, sentences.get(refusal) or missing % {"package": refusal})
    return redirect(access.address("reports:index"))
