"""What holds for every answer to a program: no cookie, refusals as JSON, public parts for other sites."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _

PREFIX = "/api/v1/"
_LATER = _("The server could not answer this request. Try again later.")
_PROBLEMS = {
    404: ("not_found", _("Nothing is at this address.")),
    405: ("method_not_allowed", _("This address does not take this method.")),
    411: ("length_required", _LATER),
    413: ("too_large", _("This request is too large.")),
}


class Programs:
    """Middleware of the API. It removes cookies before any part of the server reads them.

    A browser sends its session to this address, too, so that a page of another site could use it. Scripts of
    other sites may read what visitors see. They may send no token: a preflight allows GET without one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        request.COOKIES.clear()
        is_preflight = request.method == "OPTIONS" and "Origin" in request.headers
        response = HttpResponse(status=204) if is_preflight else self.get_response(request)
        if response.status_code >= 400 and "json" not in response.get("Content-Type", ""):
            response = _as_problem(response)
        if "Authorization" not in request.headers and request.method in {"GET", "HEAD", "OPTIONS"}:
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Allow-Methods"] = "GET"
            response["Access-Control-Allow-Headers"] = "If-None-Match"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        patch_vary_headers(response, ("Authorization",))
        return response


def _as_problem(response: HttpResponseBase) -> HttpResponseBase:
    """Return the refusal of a part of the server that knows only pages as JSON."""
    code, said = _PROBLEMS.get(response.status_code, ("error", _LATER))
    answer = JsonResponse({"code": code, "message": said}, status=response.status_code)
    for name in {"Allow", "Retry-After"} & set(response.headers):
        answer[name] = response[name]
    return answer
