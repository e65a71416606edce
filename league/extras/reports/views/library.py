"""The forms of federations and the logo of a league, for its owners."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.core.access import own_league
from league.core.files.xlsx import MEDIA_TYPE
from league.core.kept_files import disposition
from league.core.limits import takes_up_to
from league.core.pages import Answer, SignedIn, find_unless_sent, page, posted, press, save, see_page
from league.extras.reports.exports.forms import sample_form
from league.extras.reports.forms import LogoForm, UploadForm
from league.extras.reports.queries import GROUPS
from league.extras.reports.services import remove_form, remove_logo, save_form, save_logo
from league.models import FederationForm, League, Logo

View = Callable[..., HttpResponse]


def for_owners(*methods: str) -> Callable[[View], View]:
    """Call the view with the league, if the person owns it. It takes a file of 2 MB."""

    def decorate(view: View) -> View:
        @takes_up_to(2)
        @never_cache
        @require_http_methods(methods)
        @wraps(view)
        def entered(request: SignedIn, slug: str, **kwargs: Any) -> HttpResponse:
            return view(request, own_league(request.user, slug), **kwargs)

        return entered

    return decorate


def _address(league: League) -> str:
    return reverse("reports:forms", args=[league.slug])


@for_owners("GET", "HEAD", "POST")
def forms(request: SignedIn, league: League) -> HttpResponse:
    """List the forms, the names that they may use, and the logo. A POST keeps a form."""
    form = UploadForm(posted(request), request.FILES or None)

    def done(answer: Answer) -> str:
        words = _("%(name)s replaced.") if answer["replaced"] else _("%(name)s saved.")
        names = ", ".join(dict.fromkeys(mark.name for mark in form.marks))
        return f"{words % form.cleaned_data} {_('It uses: %(names)s.') % {'names': names}}"

    return save(
        request,
        form,
        lambda sent: save_form(
            league=league, name=form.cleaned_data["name"], content=form.content, by=request.user, form=sent
        ),
        about=("form", league.pk),
        done=done,
        then=_address(league),
    ) or _page(request, league, form, LogoForm())


def _page(request: SignedIn, league: League, form: UploadForm, logo_form: LogoForm) -> HttpResponse:
    return page(
        request,
        None,
        "reports/forms.html",
        league=league,
        forms=FederationForm.objects.filter(league=league).defer("content"),
        form=form,
        logo_form=logo_form,
        logo=Logo.objects.filter(league=league).values_list("changed_at", flat=True).first(),
        groups=GROUPS,
    )


@for_owners("GET", "HEAD")
def form_file(request: SignedIn, league: League, form: int) -> HttpResponse:
    """Send a form as it was uploaded."""
    federation_form = get_object_or_404(FederationForm, league=league, pk=form)
    headers = {
        "Content-Disposition": disposition(f"form-{federation_form.pk}.xlsx", f"{federation_form.name}.xlsx")
    }
    return HttpResponse(bytes(federation_form.content), MEDIA_TYPE, headers=headers)


@for_owners("POST")
def form_remove(request: SignedIn, league: League, form: int) -> HttpResponse:
    every = FederationForm.objects.filter(league=league).select_related("league")
    federation_form = find_unless_sent(request, lambda: get_object_or_404(every, pk=form), "remove", form)
    if federation_form is None:
        return redirect(_address(league))
    return press(
        request,
        lambda sent: remove_form(federation_form=federation_form, by=request.user, form=sent),
        about=("remove", form),
        done=_("Form deleted."),
        back=_address(league),
    )


@for_owners("GET", "HEAD", "POST")
def logo(request: SignedIn, league: League) -> HttpResponse:
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
    ) or _page(request, league, UploadForm(), form)


@for_owners("POST")
def logo_remove(request: SignedIn, league: League) -> HttpResponse:
    return press(
        request,
        lambda sent: remove_logo(league=league, by=request.user, form=sent),
        about=("logo", league.pk),
        done=_("Logo deleted."),
        back=_address(league),
    )


@for_owners("GET", "HEAD")
def logo_file(request: SignedIn, league: League) -> HttpResponse:
    row = get_object_or_404(Logo, league=league)
    return HttpResponse(bytes(row.content), "image/png", headers={"X-Content-Type-Options": "nosniff"})


@require_safe
def sample(request: SignedIn) -> HttpResponse:
    """Send a form that shows how marks are written, in the reader's language."""
    headers = {"Content-Disposition": disposition("sample-form.xlsx", f"{_('Sample form')}.xlsx")}
    return HttpResponse(sample_form(), MEDIA_TYPE, headers=headers)
