"""The OpenAPI document, and the page made from it."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.http import require_safe

from league.core.caching import answer
from league.core.pages import page
from league.extras.api.views import operations


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document, which takes a second to make.

    django-ninja lists HEAD, too, and the models of parameters, to which nothing refers.
    """
    made: dict[str, Any] = operations.api.get_openapi_schema(path_prefix="/api/v1/")
    for item in made["paths"].values():
        item.pop("head", None)
    schemas, text = made["components"]["schemas"], str(made)
    made["components"]["schemas"] = {name: schemas[name] for name in schemas if f"/{name}'" in text}
    return made


@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    return _answer(request, lambda: JsonResponse(document()))


@require_safe
def index(request: HttpRequest) -> HttpResponseBase:
    """Describe every operation, from the OpenAPI document."""
    return _answer(request, lambda: _index_page(request))


def _answer(request: HttpRequest, make: Callable[[], HttpResponse]) -> HttpResponseBase:
    return answer(request, (), make, may_keep=not request.META.get("QUERY_STRING"))


def _index_page(request: HttpRequest) -> HttpResponse:
    operations = [
        operation
        | {"method": method.upper(), "path": path, "role": operation["x-role"], "values": _values(operation)}
        for path, item in document()["paths"].items()
        for method, operation in item.items()
    ]
    return page(request, None, "api/index.html", operations=operations)


def _values(operation: dict[str, Any]) -> list[tuple[str, bool, str]]:
    """Return (name, is required, description) of the fields of the body and of the other parameters."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    _path, _slash, name_of_shape = body.get("$ref", "").rpartition("/")
    shape = document()["components"]["schemas"].get(name_of_shape, {})
    fields = list(shape.get("properties", {}).items())
    fields += [(each["name"], each) for each in operation["parameters"] if each["in"] != "path"]
    return [(name, name in shape.get("required", ()), each.get("description", "")) for name, each in fields]
