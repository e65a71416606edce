"""The organizer's page of tokens, and the page that describes the API."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from league.api.forms import TokenForm
from league.api.services import make_token, revoke_token
from league.api.views.operations import document
from league.core.access import Access, Can
from league.core.caching import answer
from league.core.forms import attempt
from league.core.pages import page, press, sent, takes, writes

METHODS = ("get", "post", "put", "patch", "delete")


@writes(Can.ORGANIZE)
@sensitive_variables("secret", "made")
def tokens(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the tokens, and the secret of a new one this once."""
    form, secret = TokenForm(sent(request)), ""

    def write() -> None:
        nonlocal secret
        secret = make_token(
            competition=access.competition,
            **form.values(),
            by=access.by,
            form=form.submission("token", access.competition.pk),
        )

    saved = form.is_valid() and attempt(form, write)
    return page(
        request,
        access,
        "api/tokens.html",
        status=200 if saved else 0,
        form=TokenForm() if saved else form,
        secret=secret,
        was_made=saved and not secret,
        tokens=access.competition.api_tokens.select_related("created_by"),
        now=timezone.now(),
        address=request.build_absolute_uri("/api/v1/"),
    )


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("api:tokens"))
def token_revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    token = access.api_token(pk)
    return press(
        request,
        lambda form: revoke_token(token=token, by=access.by, form=form),
        about=("token revoke", pk),
        done=_("Token revoked."),
        back=access.address("api:tokens"),
    )


@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    return answer(request, (), lambda: JsonResponse(document()), may_keep=_is_plain(request))


@require_safe
def index(request: HttpRequest) -> HttpResponseBase:
    """Describe every operation, from the OpenAPI document."""
    return answer(request, (), lambda: _index_page(request), may_keep=_is_plain(request))


def _is_plain(request: HttpRequest) -> bool:
    return not request.META.get("QUERY_STRING")


def _index_page(request: HttpRequest) -> HttpResponse:
    operations = [
        _describe(method, path, item[method])
        for path, item in document()["paths"].items()
        for method in METHODS
        if method in item
    ]
    return page(request, None, "api/index.html", operations=operations)


def _describe(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    shape = document()["components"]["schemas"].get(body.get("$ref", "").rpartition("/")[2], {})
    required = shape.get("required", [])
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "more": operation["description"] if operation["description"] != operation["summary"] else "",
        "role": operation["x-role"],
        "parameters": [
            (each["name"], each.get("description", ""))
            for each in operation.get("parameters", [])
            if each["in"] != "path"
        ],
        "fields": [
            (name, name in required, field.get("description", ""))
            for name, field in shape.get("properties", {}).items()
        ],
    }
