"""The forms of federations and the logo of a league, for its owners."""

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.access import own_league
from league.core.files.xlsx import MEDIA_TYPE
from league.core.kept_files import disposition
from league.core.limits import takes_up_to
from league.core.pages import Answer, SignedIn, find_unless_sent, page, press, save, see_page, sent
from league.models import FederationForm, League, Logo
from league.reports.exports.forms import sample_form
from league.reports.forms import LogoForm, UploadForm
from league.reports.services import remove_form, remove_logo, save_form, save_logo
from league.reports.words import GROUPS


def _address(league: League) -> str:
    return reverse("reports:forms", args=[league.slug])


@takes_up_to(2)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forms(request: SignedIn, slug: str) -> HttpResponse:
    """List the forms, the names that they may use, and the logo. A POST keeps a form."""
    league = own_league(request.user, slug)
    form = UploadForm(sent(request), request.FILES or None)
    return save(
        request,
        form,
        lambda sent: save_form(
            league=league, name=form.cleaned_data["name"], content=form.content, by=request.user, form=sent
        ),
        about=("form", league.pk),
        done=_uploaded(form),
        then=_address(league),
    ) or _page(request, league, form=form)


def _uploaded(form: UploadForm) -> Callable[[Answer], str]:
    def said(answer: Answer) -> str:
        words = _("%(name)s replaced.") if answer["replaced"] else _("%(name)s saved.")
        names = ", ".join(dict.fromkeys(mark.name for mark in form.marks))
        return f"{words % {'name': form.cleaned_data['name']}} {_('It uses: %(names)s.') % {'names': names}}"

    return said


def _page(
    request: SignedIn, league: League, *, form: UploadForm | None = None, logo: LogoForm | None = None
) -> HttpResponse:
    return page(
        request,
        None,
        "reports/forms.html",
        league=league,
        forms=FederationForm.objects.filter(league=league).defer("content"),
        form=form or UploadForm(),
        logo_form=logo or LogoForm(),
        logo=Logo.objects.filter(league=league).values_list("changed_at", flat=True).first(),
        groups=GROUPS,
    )


def _form_of(request: SignedIn, slug: str, pk: int) -> FederationForm:
    found = FederationForm.objects.select_related("league")
    return get_object_or_404(found, league=own_league(request.user, slug), pk=pk)


@never_cache
@require_safe
def form_file(request: SignedIn, slug: str, form: int) -> HttpResponse:
    """Send a form as it was uploaded."""
    found = _form_of(request, slug, form)
    headers = {"Content-Disposition": disposition(f"form-{found.pk}.xlsx", f"{found.name}.xlsx")}
    return HttpResponse(bytes(found.content), MEDIA_TYPE, headers=headers)


@never_cache
@require_POST
def form_remove(request: SignedIn, slug: str, form: int) -> HttpResponse:
    league = own_league(request.user, slug)
    found = find_unless_sent(request, lambda: _form_of(request, slug, form), "remove", form)
    if found is None:
        return redirect(_address(league))
    return press(
        request,
        lambda sent: remove_form(found=found, by=request.user, form=sent),
        about=("remove", form),
        done=_("Form deleted."),
        back=_address(league),
    )


@takes_up_to(2)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def logo(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    if request.method != "POST":
        return see_page(request, _address(league))
    form = LogoForm(request.POST, request.FILES)
    return save(
        request,
        form,
        lambda sent: save_logo(league=league, by=request.user, form=sent, **form.values()),
        about=("logo", league.pk),
        done=_("Logo saved."),
        then=_address(league),
    ) or _page(request, league, logo=form)


@never_cache
@require_POST
def logo_remove(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    return press(
        request,
        lambda sent: remove_logo(league=league, by=request.user, form=sent),
        about=("logo", league.pk),
        done=_("Logo deleted."),
        back=_address(league),
    )


@never_cache
@require_safe
def logo_file(request: SignedIn, slug: str) -> HttpResponse:
    found = Logo.objects.filter(league=own_league(request.user, slug)).first()
    if found is None:
        raise Http404
    return HttpResponse(bytes(found.content), "image/png", headers={"X-Content-Type-Options": "nosniff"})


@require_safe
def sample(request: SignedIn) -> HttpResponse:
    """Send a form that shows how marks are written, in the reader's language."""
    headers = {"Content-Disposition": disposition("sample-form.xlsx", f"{_('Sample form')}.xlsx")}
    return HttpResponse(sample_form(), MEDIA_TYPE, headers=headers)
