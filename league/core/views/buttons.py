"""Buttons whose form is only a key: they have no page of their own and lead back to the one they stand on."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from league.core.forms import KeyedForm, attempt


def page_before(request: HttpRequest, otherwise: str) -> str:
    """The address of ours from which a button's form says that it came (``next``), else ``otherwise``."""
    there = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return there if ours else otherwise


def press(
    request: HttpRequest,
    write: Callable[[KeyedForm], object],
    *,
    said: str,
    back: tuple[str, str],
    then: tuple[str, str] | None = None,
) -> HttpResponse:
    """Do what a button asked for and go ``back`` with the sentence ``said`` or the refusal; once it is done
    go on to ``then``, if that is another page. Both are an address's name and the competition's slug.
    """
    form = KeyedForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This form was incomplete. Open the page again and repeat it."))
    elif attempt(form, lambda: write(form)):
        messages.success(request, said)
        return redirect(*(then or back))
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return redirect(*back)
