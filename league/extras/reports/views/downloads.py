"""The files of a competition for its organizers: reports to federations, certificates, workbooks."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.kept_files import CannotMake, send_download
from league.core.pages import reads, save, takes
from league.extras.reports.exports.certificates import PAPERS
from league.extras.reports.exports.forms import ema_problems
from league.extras.reports.forms import CertificatesForm, FactsForm
from league.extras.reports.panels import certificate_choices
from league.extras.reports.queries import report_of
from league.extras.reports.services import set_report_facts
from league.extras.reports.tasks import BROKEN, HEAVY, write_certificates, write_ema, write_form
from league.models import FederationForm, Logo
from league.organizing.competitions.panels import files_page


def _files(access: Access) -> str:
    return access.address("competitions:files")


@takes(Can.ORGANIZE, shown_on=lambda access: f"{_files(access)}#certificates")
def index(request: HttpRequest, access: Access) -> HttpResponse:
    """Save the facts that reports need. A refused form is shown on the page of the files."""
    competition = access.competition
    form = FactsForm(request.POST, competition=competition)
    return save(
        request,
        form,
        lambda sent: set_report_facts(competition=competition, **form.values(), by=access.by, form=sent),
        about=("report facts", competition.pk),
        done=_("Saved."),
        then=_files(access),
    ) or files_page(request, access, form=form)


@reads(Can.ORGANIZE, kept=True)
def ema(request: HttpRequest, access: Access, division: str, fmt: str) -> HttpResponseBase:
    """Send EMA's results form, or lead to the page that says what it lacks."""
    report = report_of(access.competition, pk=access.division(division).pk)
    if fmt not in ("xlsx", "csv"):
        raise Http404
    if next(ema_problems(report), ""):
        return redirect(f"{_files(access)}#ema")
    about, title = (write_ema, report.division.pk, fmt), ["EMA", report.division.name]
    return _send(request, access, *about, fmt=fmt, name=["ema", division], title=title)


@reads(Can.ORGANIZE, kept=True)
def form(request: HttpRequest, access: Access, form: int, division: str) -> HttpResponseBase:
    """Send a federation's form, filled in with the facts of a division."""
    every = FederationForm.objects.defer("content")
    kept = get_object_or_404(every, league=access.competition.league_id, pk=form)
    part = access.division(division)
    about = write_form, part.pk, kept.pk, kept.changed_at.isoformat()
    name, title = ["form", str(kept.pk), part.slug], [kept.name, part.name]
    return _send(request, access, *about, fmt="xlsx", name=name, title=title)


@reads(Can.ORGANIZE, kept=True)
def certificates(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Send certificates or final standings, or lead to the page that offers them."""
    asked = CertificatesForm(request.GET, choices=certificate_choices(access.competition))
    if not asked.is_valid():
        return redirect(f"{_files(access)}#certificates")
    paper, of, first = (asked.cleaned_data[name] for name in ("paper", "of", "first"))
    logo = Logo.objects.filter(league=access.competition.league_id).values_list("changed_at", flat=True)
    about = write_certificates, paper, of, first or 0, "".join(at.isoformat() for at in logo)
    return _send(request, access, *about, fmt="pdf", name=[paper, of], title=[str(PAPERS[paper])])


def _send(request: HttpRequest, access: Access, *about: Any, **file: Any) -> HttpResponseBase:
    """Send a file, or lead to the page of the files with the reason why it cannot be made."""
    try:
        return send_download(request, access, *about, **file, public=False)
    except CannotMake as error:
        sentences = {
            HEAVY: _("This file needs too much memory or time. Choose fewer places, or simplify the form."),
            BROKEN: _("This form can no longer be filled in. Upload it again."),
        }
        missing = _("This server cannot create PDF files because %(package)s is missing.")
        messages.error(request, sentences.get(str(error)) or missing % {"package": error})
        return redirect(_files(access))
