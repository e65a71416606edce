"""The API itself: who calls, what an operation answers, and how a refusal looks."""

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Header, NinjaAPI, Query
from ninja.errors import HttpError, ValidationError
from ninja.security import HttpBearer
from pydantic import BaseModel

from league import VERSION
from league.api.schema import ProblemOut, Refusal
from league.api.services import ManyRefused, find_token
from league.core.access import Access, Can, enter, enter_by_token, visible_competitions
from league.core.caching import answer, facts_of
from league.core.changes import Form, through_token
from league.core.errors import AlreadyDone, Conflict, OutOfDate, Refused
from league.core.network import client_address
from league.core.pages import TOO_MANY, UNPROCESSABLE
from league.interchange.schema.problems import sentence_of
from league.models import ApiToken

MINUTE = 60  # seconds
MOST_ITEMS, USUAL_ITEMS = 500, 100
COMPETITION = "/competitions/{slug:slug}"
STAGE = f"{COMPETITION}/divisions/{{slug:division}}/stages/{{slug:stage}}"
ROUND = f"{STAGE}/rounds/{{int:number}}"

Limit = Annotated[int, Query(ge=1, le=MOST_ITEMS, description="How many items the page has at most.")]
Offset = Annotated[int, Query(ge=0, le=10**9, description="How many items come before the page.")]
Key = Annotated[
    uuid.UUID | None,
    Header(
        alias="Idempotency-Key",
        description="A UUID of your choice. A request with the same key and body is saved once.",
    ),
]

api = NinjaAPI(
    title="Umaoka",
    version=VERSION,
    urls_namespace="api_v1",
    openapi_url=None,
    docs_url=None,
    description="Competitions of riichi mahjong. Visitors read what public pages show. A token of a "
    "competition reads and writes what its role may.",
)


# --- who calls


class TooOften(Exception):
    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class NotReady(Exception):
    """A file is being made."""


class Unauthorized(Exception):
    """The operation needs a token, or the token is not in force."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A program. ``access``: None for the list of competitions without a token."""

    access: Access | None
    token: ApiToken | None = None

    @property
    def entered(self) -> Access:
        assert self.access is not None
        return self.access


class Token(HttpBearer):
    """The token of a competition, or none for what visitors see."""

    def __init__(self, need: Can) -> None:
        super().__init__()
        self.need = need

    def __call__(self, request: HttpRequest) -> Caller:
        caller = self._find_caller(request)
        if caller.access is not None and not caller.access.can(self.need):
            raise PermissionDenied if caller.token else Unauthorized
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Return the caller of a token in force. Raise ``Http404`` at another competition's address."""
        found = find_token(token, at=timezone.now())
        access = None if found is None else enter_by_token(found)
        if found is None or access is None:
            _count(f"address:{client_address(request)}")
            raise Unauthorized
        _count(f"token:{found.pk}")
        if _slug_of(request) not in (None, found.competition.slug):
            raise Http404
        return Caller(access, found)

    def _find_caller(self, request: HttpRequest) -> Caller:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme:
            return self.authenticate(request, secret.strip() if scheme.lower() == "bearer" else "")
        _count(f"address:{client_address(request)}")
        slug = _slug_of(request)
        return Caller(None if slug is None else enter(AnonymousUser(), slug))


def _slug_of(request: HttpRequest) -> str | None:
    match = request.resolver_match
    return match.kwargs.get("slug") if match else None


def _count(who: str) -> None:
    """Count a request. Raise ``TooOften`` after ``API_REQUESTS`` within a minute of the first one.

    Two requests at the same moment may count once. The limit need not be exact.
    """
    key, now = f"api:{who}".replace(" ", ""), timezone.now().timestamp()
    since, count = cache.get(key) or (now, 0)
    if now - since >= MINUTE:
        since, count = now, 0
    if count >= settings.API_REQUESTS:
        raise TooOften(max(1, round(since + MINUTE - now)))
    cache.set(key, (since, count + 1), MINUTE)


# --- what an operation answers

View = Callable[..., Any]
_REFUSALS = dict.fromkeys((401, 403, 404, 422, 429), Refusal)
_WRITE_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409, 422, 429), Refusal)


def reads(path: str, shape: Any, *, need: Can = Can.VIEW, kept: bool = False) -> Callable[[View], View]:
    """Register an operation that reads. It is computed once per version and answers 304 to an old ETag.

    ``kept``: the view sets its own caching headers.
    """
    extra: dict[str, Any] = {"security": [{}]} if need is Can.VIEW else {}  # or without a token

    def decorate(view: View) -> View:
        @wraps(view)
        def read(request: HttpRequest, **values: Any) -> Any:
            if kept:
                return view(request, **values)
            caller = caller_of(request)
            facts = _public_facts() if caller.access is None else facts_of(caller.access)
            may_keep = caller.token is None and not request.META.get("QUERY_STRING")
            return answer(request, facts, lambda: as_json(view(request, **values)), may_keep=may_keep)

        return _register("GET", path, {200: shape} | _REFUSALS, need, extra)(read)

    return decorate


def _public_facts() -> tuple[object, ...]:
    """Return the facts on which the list of public competitions depends."""
    found = visible_competitions(AnonymousUser()).order_by("pk")
    return tuple(found.values_list("pk", "revision", "league__name"))


def writes(method: str, path: str, shape: Any, *, need: Can, status: int = 200) -> Callable[[View], View]:
    """Register an operation that writes, for tokens. Entries of the log name the token."""

    def decorate(view: View) -> View:
        @wraps(view)
        def written(request: HttpRequest, **values: Any) -> Any:
            token = caller_of(request).token
            assert token is not None  # writes need a role
            with through_token(token.pk):
                found = as_json(view(request, **values), status)
            found["Cache-Control"] = "private, no-store"
            return found

        return _register(method, path, {status: shape} | _WRITE_REFUSALS, need, {})(written)

    return decorate


def _register(
    method: str, path: str, responses: dict[int, Any], need: Can, extra: dict[str, Any]
) -> Callable[[View], View]:
    def register(view: View) -> View:
        summary, _blank, more = (view.__doc__ or "").partition("\n\n")
        return api.api_operation(
            [method],
            path,
            auth=Token(need),
            response=responses,
            operation_id=view.__name__,
            summary=" ".join(summary.split()),
            description=" ".join(more.split()),
            openapi_extra={**extra, "x-role": need.value},
        )(view)

    return register


def as_json(found: BaseModel, status: int = 200) -> HttpResponse:
    return HttpResponse(
        found.model_dump_json(by_alias=True), content_type="application/json; charset=utf-8", status=status
    )


def page_of(
    request: HttpRequest, found: "QuerySet[Any] | list[Any]", limit: int, offset: int
) -> tuple[list[Any], dict[str, Any]]:
    """Return the items of the page, and the fields of ``schema.Page``. Queries: 1 beside the items."""
    total = len(found) if isinstance(found, list) else found.count()
    items = list(found[offset : offset + limit])
    more = offset + limit < total
    query = urlencode({"limit": limit, "offset": offset + limit})
    return items, {"total": total, "next": f"{request.path}?{query}" if more else None}


def caller_of(request: HttpRequest) -> Caller:
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller


def access_of(request: HttpRequest) -> Access:
    return caller_of(request).entered


def save(
    request: HttpRequest, key: uuid.UUID | None, sent: BaseModel, write: Callable[[User, Form], object]
) -> dict[str, Any]:
    """Call the service as the maker of the token. Return its answer, or that to the same request before."""
    form = Form.of(key or uuid.uuid4(), request.method, request.path, sent.model_dump(mode="json"))
    with suppress(AlreadyDone):  # which fills the answer
        write(access_of(request).by, form)
    return form.answer


# --- refusals


def _refuse(status: int, code: str, message: str, **more: Any) -> HttpResponse:
    refusal = Refusal(code=code, message=message, **more)
    response = as_json(refusal, status)
    response["Cache-Control"] = "private, no-store"
    return response


@api.exception_handler(Refused)
def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    status, more = UNPROCESSABLE, dict[str, Any]()
    if isinstance(refusal, ManyRefused):
        more = {"problems": list(refusal.problems)}
    if isinstance(refusal, Conflict | OutOfDate):
        status = HTTPStatus.CONFLICT
    if isinstance(refusal, Conflict):
        more = {"current": refusal.current.pk if refusal.current else 0}
    return _refuse(status, refusal.code, str(refusal), field=refusal.field, **more)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [_problem(each) for each in error.errors]
    return _refuse(
        UNPROCESSABLE,
        "invalid",
        problems[0].message,
        field=problems[0].field,
        problems=problems,
    )


def _problem(error: dict[str, Any]) -> ProblemOut:
    """Return an error of pydantic in our words, with its place below the body."""
    place = [str(part) for part in error["loc"]]
    words = error.get("ctx", {})
    try:
        said = sentence_of(error["type"], error.get("input"), **words)
    except KeyError:
        said = _("This value is not possible here. Compare it with the OpenAPI document.")
    return ProblemOut(field=".".join(place[2:] or place[1:]) or None, code=error["type"], message=said)


@api.exception_handler(HttpError)
def unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    return _refuse(error.status_code, "unreadable", _("The body is not JSON."))


@api.exception_handler(Http404)
def not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return _refuse(404, "not_found", _("Nothing is at this address."))


@api.exception_handler(PermissionDenied)
def forbidden(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return _refuse(403, "forbidden", _("The role of this token does not allow this."))


@api.exception_handler(Unauthorized)
def unauthorized(request: HttpRequest, error: Unauthorized) -> HttpResponse:
    said = _("Send a token that is in force: “Authorization: Bearer …”.")
    response = _refuse(401, "unauthorized", said)
    response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(TooOften)
def too_often(request: HttpRequest, error: TooOften) -> HttpResponse:
    response = _refuse(TOO_MANY, "too_often", _("Too many requests. Wait, then send it again."))
    response["Retry-After"] = str(error.seconds)
    return response


@api.exception_handler(NotReady)
def not_ready(request: HttpRequest, error: NotReady) -> HttpResponse:
    response = _refuse(503, "not_ready", _("The file is being made. Ask again in a moment."))
    response["Retry-After"] = "2"
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs a 503 as an error
    return response
