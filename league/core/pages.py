"""The parts of a view: access, rendering, saving a form.

A decorator says who may enter. `reads` serves GET, `writes` shows a form and takes it, `takes` only takes a
form of another page. `league.core.caching.public_page` caches a page. Each calls `view(request, access, …)`
with the person's access to the competition.

A page with a form is declared with `saves`, a button with `presses`. Their views return an `Asked`: the
service that saves it, the form, and what the page shows. A refused form is shown with status 422, at the
address that took it, so each form of a page names its address. A button has no page of its own: a refusal
appears on the page before. `save` and `press` do the same inside a view that has more to decide.
"""

import json
import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial, wraps
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.changes import Sent, sent_before
from league.core.forms import KeyedForm, attempt
from league.core.qr import coded_address, scanned
from league.core.zones import day_of_play
from league.models import Competition

_SEEDS = 1_000_000  # a seed stays short enough to be read out
UNPROCESSABLE, TOO_MANY = 422, 429
INCOMPLETE = gettext_lazy("This form was incomplete. Reload the page and try again.")
LINES_A_PAGE, TABLES_A_PAGE = 250, 50

View = Callable[..., HttpResponseBase]
Found = TypeVar("Found")
Answer = Mapping[str, Any]
Sentence = str | Promise | Callable[[Answer], str]


class SignedIn(HttpRequest):
    user: User


# --- who may see it


def reads(need: Can = Can.VIEW, *, kept: bool = False) -> Callable[[View], View]:
    """Serve GET and HEAD to people who `can`. `kept`: the view sets its own caching headers."""
    return _entering(need, ["GET", "HEAD"], kept=kept)


def writes(need: Can) -> Callable[[View], View]:
    return _entering(need, ["GET", "HEAD", "POST"])


def takes(need: Can, *, shown_on: Callable[..., str] | None = None) -> Callable[[View], View]:
    """Take a form. GET answers 405, or redirects to the page `shown_on`, called with the access and the
    view's arguments, which shows a refused form.
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
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{address}?{query}" if query else address, status=HTTPStatus.SEE_OTHER)


def _entering(need: Can, methods: Sequence[str], *, kept: bool = False) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        @require_http_methods(methods)
        @wraps(view)
        def entered(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponseBase:
            return view(request, enter(request.user, slug, need, code=scanned(request)), **kwargs)

        return entered if kept else never_cache(entered)

    return decorate


# --- what it shows


def page(
    request: HttpRequest, access: Access | None, template: str, *, status: int = 0, **values: object
) -> HttpResponse:
    """Render a template with `values` and the values of every page of a competition. 422 after a POST.

    `access` is None for pages outside competitions. `templates/core/_key.html` calls `new_key` once per
    button.
    """
    values = {"new_key": uuid.uuid4} | values
    if access is not None:
        public = for_public(request, access)
        values = {"access": access, "competition": access.competition, "public": public} | values
    usual = UNPROCESSABLE if request.method == "POST" else 200
    return render(request, template, values, status=status or usual)


def refuse_for_now(request: HttpRequest, template: str, seconds: int) -> HttpResponse:
    """Answer 429 with Retry-After. The template gets the seconds as `minutes`."""
    answer = page(request, None, template, minutes=-(-seconds // 60), status=TOO_MANY)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "private, no-store"
    return answer


def for_public(request: HttpRequest, access: Access) -> bool:
    """Return whether the page shows only published facts: to visitors, and to staff who ask for it."""
    return not access.is_staff or request.GET.get("view") == "public"


def paged(
    request: HttpRequest, things: Sequence[Found] | QuerySet[Any], size: int, parameter: str = "page"
) -> "Page[Any]":
    """Return the page of a list named by the address. `core/_pagination.html` links the others."""
    return Paginator(things, size).get_page(request.GET.get(parameter))


def screen_values(
    request: HttpRequest, access: Access, screens: Sequence[object], leads_to: str
) -> dict[str, Any]:
    """Return the values of `core/screen.html`: the screen named by the address, the number of the next one,
    and the page of its QR code.
    """
    screen_page: Page[Any] = paged(request, screens, 1)
    return {
        "page": screen_page,
        "screen": next(iter(screen_page), None),
        "following": screen_page.number % max(len(screens), 1) + 1,
        **coded_address(request, access.address(leads_to)),
    }


def draw_seed() -> int:
    return secrets.randbelow(_SEEDS)


def today(competition: Competition) -> date:
    return day_of_play(competition)


def read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


# --- what it saves


class Undo(NamedTuple):
    """A button beside the sentence of success: the address and the values of its form.

    `is_brief`: the button disappears before a minute is over.
    """

    address: str
    values: Mapping[str, str] = {}
    is_brief: bool = False

    def as_tags(self) -> str:
        """Return the button as the tags of a message, which Django signs. `undo_of` reads them."""
        return json.dumps(self._asdict())


UndoOf = Undo | Callable[[Answer], Undo | None] | None  # may depend on the answer of the service's change


class Asked:
    """A request to save: the service that `write`s, the form (a button's own, if none is given), the address
    to go to `then`, and what the page shows. `back`: where a button's refusal is shown, if not there.
    `undo`: the button beside the sentence of success.

    `write` is called with the form's values, `by` and `form` (the submission). `done` is the sentence of
    success, if the decorator does not say it. It and `then` may depend on the answer of the service's change.
    """

    def __init__(
        self,
        write: Callable[..., object],
        form: KeyedForm | None = None,
        *,
        then: str | Callable[[Answer], str],
        back: str = "",
        done: Sentence = "",
        undo: UndoOf = None,
        **shown: Any,
    ) -> None:
        self.write, self.form, self.then, self.back = write, form, then, back
        self.done, self.undo, self.shown = done, undo, shown

    def written_by(self, access: Access, form: KeyedForm) -> Callable[[Sent], object]:
        return lambda submission: self.write(**form.values(), by=access.by, form=submission)

    def say(self, done: Sentence, answer: Answer, facts: Mapping[str, object]) -> str:
        sentence = self.done or done
        return sentence(answer) if callable(sentence) else str(sentence) % {**facts, **answer}


def saves(need: Can, template: str, *, done: Sentence = "") -> Callable[[Callable[..., Asked]], View]:
    """Show the form of the view's `Asked`, and save it. The template gets it as `form`.

    `done` may name values of the form and of the service's answer: "%(name)s saved."
    """

    def decorate(view: Callable[..., Asked]) -> View:
        @writes(need)
        @wraps(view)
        def saved(request: HttpRequest, access: Access, **kwargs: object) -> HttpResponse:
            asked = view(request, access, **kwargs)
            form = asked.form or KeyedForm(posted(request))
            return save(
                request,
                form,
                asked.written_by(access, form),
                about=_named(view, kwargs),
                done=lambda answer: asked.say(done, answer, form.cleaned_data),
                then=asked.then,
                undo=asked.undo,
            ) or page(request, access, template, form=form, **asked.shown)

        return saved

    return decorate


def presses(need: Can, *, done: Sentence = "", gone: str = "") -> Callable[[Callable[..., Asked]], View]:
    """Do what the button of the view's `Asked` asks. A deleted object answers 404.

    `done` may name what the `Asked` shows, and values of the service's answer. `gone`: the page to which the
    second press of a button leads whose first press deleted the object. `done` names nothing then.
    """

    def decorate(view: Callable[..., Asked]) -> View:
        @takes(need)
        @wraps(view)
        def pressed(request: HttpRequest, access: Access, **kwargs: object) -> HttpResponse:
            about = _named(view, kwargs)
            find = partial(view, request, access, **kwargs)
            asked = find_unless_sent(request, find, *about) if gone else find()
            if asked is None:
                if done:
                    messages.success(request, str(done))
                return HttpResponseRedirect(access.address(gone))
            form = asked.form or KeyedForm(request.POST)
            return press(
                request,
                asked.written_by(access, form),
                about=about,
                done=lambda answer: asked.say(done, answer, asked.shown),
                back=asked.back or str(asked.then),
                then=asked.then,
                form=form,
                undo=asked.undo,
            )

        return pressed

    return decorate


def _named(view: Callable[..., Asked], kwargs: Mapping[str, object]) -> tuple[object, ...]:
    """Return what a form is about: its view and its objects, so that one key never serves two."""
    return (f"{view.__module__}.{view.__qualname__}", *kwargs.values())


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the POST data, or None. An empty form counts as sent."""
    return request.POST if request.method == "POST" else None


def save(
    request: HttpRequest,
    form: KeyedForm,
    write: Callable[[Sent], object],
    *,
    about: Sequence[object] = (),
    done: str | Callable[[Answer], str] = "",
    then: str | Callable[[Answer], str],
    undo: UndoOf = None,
) -> HttpResponse | None:
    """Save a valid form, say `done` (if anything) with the button `undo`, and redirect to `then`.

    `write` calls the service with the form's submission, which includes `about`. `done` and `then` may depend
    on the answer of the service's change. A duplicate of the form gets the first answer.
    """
    if not form.is_valid():
        return None
    sent = form.submission(*about)
    if not attempt(form, lambda: write(sent)):
        return None
    if sentence := done(sent.answer) if callable(done) else done:
        button = undo(sent.answer) if callable(undo) else undo
        messages.success(request, sentence, extra_tags=button.as_tags() if button else "")
    # `redirect` would take an address that a form sent for the name of a page.
    return HttpResponseRedirect(then(sent.answer) if callable(then) else then)


def press(
    request: HttpRequest,
    write: Callable[[Sent], object],
    *,
    about: Sequence[object] = (),
    done: str | Callable[[Answer], str],
    back: str,
    then: str | Callable[[Answer], str] = "",
    form: KeyedForm | None = None,
    undo: UndoOf = None,
) -> HttpResponse:
    """Run a button's action, and say `done` or the refusal on the page `back`.

    `then`: the next page after success, if it is another one. A deleted object answers 404.
    """
    form = form or KeyedForm(request.POST)
    try:
        if answer := save(request, form, write, about=about, done=done, then=then or back, undo=undo):
            return answer
    except ObjectDoesNotExist as error:
        raise Http404 from error
    incomplete = not form.errors or any(field.errors for field in form.hidden_fields())
    refusals = [str(error) for errors in form.errors.values() for error in errors]
    messages.error(request, INCOMPLETE if incomplete else " ".join(refusals))
    return HttpResponseRedirect(back)


def find_unless_sent(request: HttpRequest, find: Callable[[], Found], *about: object) -> Found | None:
    """Return the object, or None if it is gone because this button was pressed before.

    Finds first: of two buttons pressed at once the other may delete it between two queries.
    """
    try:
        return find()
    except Http404:
        form = KeyedForm(request.POST)
        if form.is_valid() and sent_before(form.submission(*about)):
            return None
        raise


def site_of(request: HttpRequest) -> str:
    """Return the scheme and host of this request, for addresses in messages that leave later."""
    return f"{request.scheme}://{request.get_host()}"


def page_before(request: HttpRequest, otherwise: str) -> str:
    """Return the `next` address of the form or the page if it is ours, or else `otherwise`."""
    there = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return there if ours else otherwise


def number_in(values: Mapping[str, str], name: str) -> int | None:
    typed = values.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else None
