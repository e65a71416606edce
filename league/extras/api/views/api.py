"""The API itself: who calls, what an operation answers, and how a refusal looks."""

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from ninja import Header, NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.security import HttpBearer
from ninja.utils import contribute_operation_args
from pydantic import BaseModel, Field

from league import VERSION
from league.core.access import Access, Can, enter, enter_by_token, visible_competitions
from league.core.caching import answer, facts_of
from league.core.changes import Sent, through_token
from league.core.errors import AlreadyDone, Conflict, OutOfDate, Refused
from league.core.network import client_address
from league.core.pages import TOO_MANY, UNPROCESSABLE
from league.core.stages import stages_of
from league.extras.api.schema import ProblemOut, Refusal
from league.extras.api.services import Rejected, find_token
from league.models import ApiToken, Round, Stage, Table
from league.organizing.interchange.schema.problems import sentence_of

MINUTE = 60  # seconds

api = NinjaAPI(
    title="Umaoka",
    version=VERSION,
    urls_namespace="v1",
    openapi_url=None,
    docs_url=None,
    description="Competitions of riichi mahjong. Visitors read what public pages show. A token of a "
    "competition reads and writes what its role may.",
)


# --- who calls


@dataclass(slots=True)
class Caller:
    """A program. ``access``: None for the list of competitions without a token. ``key``: of its request."""

    access: Access | None
    token: ApiToken | None = None
    key: uuid.UUID | None = None


class Token(HttpBearer):
    """The token of a competition, or none for what visitors see."""

    def __init__(self, need: Can) -> None:
        super().__init__()
        self.need = need

    def __call__(self, request: HttpRequest) -> Caller:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme:
            caller = self.authenticate(request, secret.strip() if scheme.lower() == "bearer" else "")
        else:
            _count(f"address:{client_address(request)}")
            slug = _slug_of(request)
            caller = Caller(None if slug is None else enter(AnonymousUser(), slug))
        if caller.access is not None and not caller.access.can(self.need):
            raise PermissionDenied if caller.token else _unauthorized()
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Return the caller of a token in force. Raise ``Http404`` at another competition's address."""
        found = find_token(token, at=timezone.now())
        access = None if found is None else enter_by_token(found)
        if found is None or access is None:
            _count(f"address:{client_address(request)}")
            raise _unauthorized()
        _count(f"token:{found.pk}")
        if _slug_of(request) not in (None, found.competition.slug):
            raise Http404
        return Caller(access, found)


def _unauthorized() -> Rejected:
    said = _("Send a token that is in force: “Authorization: Bearer …”.")
    return Rejected(said, 401, "unauthorized", {"WWW-Authenticate": "Bearer"})


def _slug_of(request: HttpRequest) -> str | None:
    match = request.resolver_match
    return match.kwargs.get("slug") if match else None


def _count(who: str) -> None:
    """Count a request. Refuse it after ``API_REQUESTS`` within a minute of the first one.

    Two requests at the same moment may count once. The limit need not be exact.
    """
    key, now = f"api:{who}".replace(" ", ""), timezone.now().timestamp()
    since, count = cache.get(key) or (now, 0)
    if now - since >= MINUTE:
        since, count = now, 0
    if count >= settings.API_REQUESTS:
        wait = str(max(1, round(since + MINUTE - now)))
        said = _("Too many requests. Wait, then send it again.")
        raise Rejected(said, TOO_MANY, "too_often", {"Retry-After": wait})
    cache.set(key, (since, count + 1), MINUTE)


def caller_of(request: HttpRequest) -> Caller:
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller


def access_of(request: HttpRequest) -> Access:
    access = caller_of(request).access
    assert access is not None
    return access


# --- parts of a request

COMPETITION = "/competitions/{slug:slug}"
STAGE = f"{COMPETITION}/divisions/{{slug:division}}/stages/{{slug:stage}}"
ROUND = f"{STAGE}/rounds/{{int:number}}"
TABLE = f"{ROUND}/tables/{{int:table}}"

KEY: Any = uuid.UUID | None
KEY_HEADER = Header(
    None,
    alias="Idempotency-Key",
    description="A UUID of your choice. A request with the same key and body is saved once.",
)


class AtStage(BaseModel):
    """The address of a stage. Each ``find`` raises ``Http404``."""

    slug: str
    division: str
    stage: str

    def find_stage(self, request: HttpRequest) -> Stage:
        """Return the stage. The public finds none that would tell hidden results."""
        access = access_of(request)
        for stage, _has_results in stages_of(access.competition, public=not access.is_staff):
            if (stage.division.slug, stage.slug) == (self.division, self.stage):
                return stage
        raise Http404


class AtRound(AtStage):
    number: int

    def find_round(self, request: HttpRequest) -> Round:
        self.find_stage(request)
        return access_of(request).round_at(self.division, self.stage, self.number)


class AtTable(AtRound):
    table: int

    def find_table(self, request: HttpRequest) -> Table:
        if found := access_of(request).table_at(self.find_round(request).pk, self.table):
            return found
        raise Http404


class Part(BaseModel):
    """The part of a list that is asked for."""

    limit: int = Field(100, ge=1, le=500, description="How many items the page has at most.")
    offset: int = Field(0, ge=0, le=10**9, description="How many items come before the page.")

    def of(self, request: HttpRequest, rows: "QuerySet[Any] | list[Any]") -> dict[str, Any]:
        """Return the fields of a ``schema.Page`` and its items. Queries: 1 beside the items."""
        total, end = len(rows) if isinstance(rows, list) else rows.count(), self.offset + self.limit
        query = urlencode({"limit": self.limit, "offset": end})
        following = f"{request.path}?{query}" if end < total else None
        return {"total": total, "next": following, "items": list(rows[self.offset : end])}


# --- what an operation answers

View = Callable[..., Any]


def reads(path: str, shape: Any, *, need: Can = Can.VIEW, kept: bool = False) -> Callable[[View], View]:
    """Register an operation that reads. It is computed once per version and answers 304 to an old ETag.

    ``kept``: the view sets its own caching headers.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def read(request: HttpRequest, **values: Any) -> Any:
            if kept:
                return view(request, **values)
            caller = caller_of(request)
            facts = _public_facts() if caller.access is None else facts_of(caller.access)
            may_keep = caller.token is None and not request.META.get("QUERY_STRING")
            return answer(request, facts, lambda: as_json(view(request, **values)), may_keep=may_keep)

        return _register(read, ["GET", "HEAD"], path, {200: shape}, need)

    return decorate


def _public_facts() -> tuple[object, ...]:
    """Return the facts on which the list of public competitions depends."""
    found = visible_competitions(AnonymousUser()).order_by("pk")
    return tuple(found.values_list("pk", "revision", "league__name"))


def writes(method: str, path: str, shape: Any, *, need: Can, status: int = 200) -> Callable[[View], View]:
    """Register an operation that writes, for tokens. Entries of the log name the token."""

    def decorate(view: View) -> View:
        @wraps(view)
        def written(request: HttpRequest, key: uuid.UUID | None, **values: Any) -> Any:
            caller_of(request).key = key
            token = caller_of(request).token
            assert token is not None  # writes need a role
            with through_token(token.pk):
                return _never_kept(as_json(view(request, **values), status))

        contribute_operation_args(written, "key", KEY, KEY_HEADER)
        return _register(written, [method], path, {status: shape, 400: Refusal, 409: Refusal}, need)

    return decorate


def _register(view: View, methods: list[str], path: str, responses: dict[int, Any], need: Can) -> View:
    summary, _blank, more = (view.__doc__ or "").partition("\n\n")
    without_token: dict[str, Any] = {"security": [{}]} if need is Can.VIEW else {}
    registered: View = api.api_operation(
        methods,
        path,
        auth=Token(need),
        response=responses | dict.fromkeys((401, 403, 404, 422, 429), Refusal),
        operation_id=view.__name__,
        summary=" ".join(summary.split()),
        description=" ".join(more.split()),
        openapi_extra={**without_token, "x-role": need.value},
    )(view)
    return registered


def as_json(body: BaseModel, status: int = 200) -> HttpResponse:
    kind = "application/json; charset=utf-8"
    return HttpResponse(body.model_dump_json(by_alias=True), content_type=kind, status=status)


def _never_kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


def save(request: HttpRequest, sent: BaseModel, write: Callable[..., object]) -> dict[str, Any]:
    """Call a service as the maker of the token. Return its answer, or that to the same request before."""
    key = caller_of(request).key or uuid.uuid4()
    form = Sent.of(key, request.method, request.path, sent.model_dump(mode="json"))
    with suppress(AlreadyDone):  # which fills the answer
        write(by=access_of(request).by, form=form)
    return form.answer


# --- refusals


_PLAIN = {
    HttpError: Rejected(_("The body is not JSON."), 400, "unreadable"),
    Http404: Rejected(_("Nothing is at this address."), 404, "not_found"),
    PermissionDenied: Rejected(_("The role of this token does not allow this."), 403, "forbidden"),
}


def refused(request: HttpRequest, error: Any) -> HttpResponse:
    refusal = next((_PLAIN[kind] for kind in _PLAIN if isinstance(error, kind)), error)
    if not isinstance(refusal, Rejected):
        more: dict[str, Any] = {"field": refusal.field}
        if isinstance(refusal, Conflict):
            more["current"] = refusal.current.pk if refusal.current else 0
        status = HTTPStatus.CONFLICT if isinstance(refusal, Conflict | OutOfDate) else UNPROCESSABLE
        refusal = Rejected(refusal.message, status, refusal.code, **more)
    said = Refusal(code=refusal.code, message=str(refusal), **refusal.more)
    response = _never_kept(as_json(said, refusal.status))
    for name, value in refusal.headers.items():
        response[name] = value
    # Django logs a 503 as an error.
    response._has_been_logged = refusal.status == HTTPStatus.SERVICE_UNAVAILABLE  # type: ignore[attr-defined]
    return response


for kind in (Refused, *_PLAIN):
    api.add_exception_handler(kind, refused)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [_problem(each) for each in error.errors]
    first = problems[0]
    rejected = Rejected(first.message, UNPROCESSABLE, "invalid", field=first.field, problems=problems)
    return refused(request, rejected)


def _problem(error: dict[str, Any]) -> ProblemOut:
    """Return an error of pydantic in our words, with its place below the body."""
    place = [str(part) for part in error["loc"]]
    try:
        said = sentence_of(error["type"], error.get("input"), **error.get("ctx", {}))
    except KeyError:
        said = str(_("This value is not possible here. Compare it with the OpenAPI document."))
    return ProblemOut(field=".".join(place[2:] or place[1:]) or None, code=error["type"], message=said)
