"""How a page of a competition is made: who may see it, what every page shows, what its form saves.

A view says what people do on its page. ``league.core.caching.public_page`` reads and is made once a revision;
``reads`` reads for a role; ``writes`` shows a form and takes it; ``takes`` only takes a form, from another
page. Each calls ``view(request, access, …)`` with the person's access to the competition.

A form is saved by ``save``, which goes on to another page, or answers None when nothing was sent or it was
refused: then the page shows the form. So a page that is shown after a POST says what to correct, with
status 422, and is at the address that took the form: each of its forms names an address. A button whose
form is only a key has no such page: ``press`` says the refusal on the page before.
"""

import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.changes import Form, sent_before
from league.core.forms import KeyedForm, attempt
from league.core.qr import coded_address
from league.core.zones import day_of
from league.models import Competition

_SEEDS = 1_000_000  # a seed stays short enough to be read out
UNPROCESSABLE, TOO_MANY = 422, 429
INCOMPLETE = gettext_lazy("This form was incomplete. Reload the page and try again.")
LINES_A_PAGE, TABLES_A_PAGE = 250, 50

View = Callable[..., HttpResponseBase]
Found = TypeVar("Found")
Answer = Mapping[str, Any]


class SignedIn(HttpRequest):
    """A request of a person who is signed in."""

    user: User


# --- who may see it


def reads(need: Can = Can.VIEW, *, kept: bool = False) -> Callable[[View], View]:
    """A page of GET and HEAD for those who ``can``. ``kept``: the answer says how long it may be kept."""
    return _entering(need, ["GET", "HEAD"], kept=kept)


def writes(need: Can) -> Callable[[View], View]:
    """A page that shows a form and takes it."""
    return _entering(need, ["GET", "HEAD", "POST"])


def takes(need: Can, *, shown_on: Callable[..., str] | None = None) -> Callable[[View], View]:
    """An address that only takes a form; GET answers 405.

    A view that shows a page when it refuses the form has ``shown_on``, which is called with the access and
    the arguments of the view and gives the address of that page: GET leads there.
    """
    if shown_on is None:
        return _entering(need, ["POST"])

    def decorate(view: View) -> View:
        @wraps(view)
        def taken(request: HttpRequest, access: Access, **kwargs: object) -> HttpResponseBase:
            if request.method == "POST":
                return view(request, access, **kwargs)
            return see_page(request, shown_on(access, **kwargs))

        return _entering(need, ["GET", "HEAD", "POST"])(taken)

    return decorate


def see_page(request: HttpRequest, address: str) -> HttpResponse:
    """303: what was asked for at this address is on another page; the query goes along."""
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{address}?{query}" if query else address, status=HTTPStatus.SEE_OTHER)


def _entering(need: Can, methods: Sequence[str], *, kept: bool = False) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        @require_http_methods(methods)
        @wraps(view)
        def entered(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponseBase:
            return view(request, enter(request.user, slug, need), **kwargs)

        return entered if kept else never_cache(entered)

    return decorate


# --- what it shows


def page(
    request: HttpRequest, access: Access | None, template: str, *, status: int = 0, **values: object
) -> HttpResponse:
    """The template with ``values`` and what every page of a competition shows; 422 after a POST.

    ``access`` is None for pages outside competitions. ``templates/core/_key.html`` calls ``new_key`` for each
    button again.
    """
    values = {"new_key": uuid.uuid4} | values
    if access is not None:
        public = for_public(request, access)
        values = {"access": access, "competition": access.competition, "public": public} | values
    usual = UNPROCESSABLE if request.method == "POST" else 200
    return render(request, template, values, status=status or usual)


def refuse_for_now(request: HttpRequest, template: str, seconds: int) -> HttpResponse:
    """429: ``seconds`` after which it is worth trying again; the template takes them as ``minutes``."""
    answer = page(request, None, template, minutes=-(-seconds // 60), status=TOO_MANY)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "private, no-store"
    return answer


def for_public(request: HttpRequest, access: Access) -> bool:
    """Whether the page shows only what is published: to visitors, and to staff who ask for it."""
    return not access.is_staff or request.GET.get("view") == "public"


def paged(
    request: HttpRequest, things: Sequence[Found] | QuerySet[Any], size: int, parameter: str = "page"
) -> "Page[Any]":
    """The page of a list that the address asks for; ``core/_pagination.html`` leads to the others."""
    return Paginator(things, size).get_page(request.GET.get(parameter))


def screen_values(
    request: HttpRequest, access: Access, screens: Sequence[object], leads_to: str
) -> dict[str, Any]:
    """What ``core/screen.html`` takes: the one of ``screens`` that the address asks for, the number of the
    next one, and the page that its code leads to.
    """
    shown: Page[Any] = paged(request, screens, 1)
    return {
        "page": shown,
        "screen": shown.object_list[0] if screens else None,
        "following": shown.number % max(len(screens), 1) + 1,
        **coded_address(request, access.address(leads_to)),
    }


def draw_seed() -> int:
    """A random number from which a draw is made, and can be repeated."""
    return secrets.randbelow(_SEEDS)


def today(competition: Competition) -> date:
    """Today where the competition is."""
    return day_of(competition)


def playing_day(competition: Competition) -> date:
    """Today, or the first day of a competition that is still to come: the day of a round that is made now."""
    return max(filter(None, (today(competition), competition.first_day)))


def read_day(text: str) -> date:
    """The day in an address; raises ``Http404`` for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


# --- what it saves


def sent(request: HttpRequest) -> QueryDict | None:
    """What was sent; an empty form too is a form that was sent."""
    return request.POST if request.method == "POST" else None


def save(
    request: HttpRequest,
    form: KeyedForm,
    write: Callable[[Form], object],
    *,
    about: Sequence[object] = (),
    done: str | Callable[[Answer], str] = "",
    then: str | Callable[[Answer], str],
) -> HttpResponse | None:
    """Saves a form that was sent and is valid, says ``done`` (if anything) and goes on to ``then``.

    ``write`` calls the service with the form's submission, which names ``about`` what it is. ``done`` and
    ``then`` may depend on the answer of the service's change, which a form sent twice gets twice.
    """
    if not form.is_valid():
        return None
    sent = form.submission(*about)
    if not attempt(form, lambda: write(sent)):
        return None
    if said := done(sent.answer) if callable(done) else done:
        messages.success(request, said)
    # `redirect` would take an address that a form sent for the name of a page.
    return HttpResponseRedirect(then(sent.answer) if callable(then) else then)


def press(
    request: HttpRequest,
    write: Callable[[Form], object],
    *,
    about: Sequence[object] = (),
    done: str | Callable[[Answer], str],
    back: str,
    then: str = "",
    form: KeyedForm | None = None,
) -> HttpResponse:
    """Does what a button asked for and says ``done`` or the refusal on the page ``back``.

    ``then``: the page to go on to once it is done, if that is another one. What was deleted a moment ago
    answers 404.
    """
    form = form or KeyedForm(request.POST)
    try:
        if answer := save(request, form, write, about=about, done=done, then=then or back):
            return answer
    except ObjectDoesNotExist as error:
        raise Http404 from error
    incomplete = not form.errors or any(field.errors for field in form.hidden_fields())
    said = [str(error) for errors in form.errors.values() for error in errors]
    messages.error(request, INCOMPLETE if incomplete else " ".join(said))
    return HttpResponseRedirect(back)


def find_unless_sent(request: HttpRequest, find: Callable[[], Found], *about: object) -> Found | None:
    """What ``find`` finds; None if it is gone because this very button was pressed before. Else ``Http404``.

    Finds first: of two buttons pressed at once the other may delete it between two questions.
    """
    try:
        return find()
    except Http404:
        form = KeyedForm(request.POST)
        if form.is_valid() and sent_before(form.submission(*about)):
            return None
        raise


def page_before(request: HttpRequest, otherwise: str) -> str:
    """The address of ours that a button's form came from (``next``), else ``otherwise``."""
    there = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return there if ours else otherwise


def number_in(values: Mapping[str, str], name: str) -> int | None:
    """The number under this name in the address, a form or the cookies; None for anything else."""
    typed = values.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else None
