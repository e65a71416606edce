"""What holds for every answer to a program: no cookie, refusals as JSON, public parts for other sites."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

PREFIX = "/api/v1/"
_CODES = {404: "not_found", 405: "method_not_allowed", 411: "length_required", 413: "too_large"}


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
        response = HttpResponse(status=204) if is_preflight else self._answer(request)
        if response.status_code >= 400 and "json" not in response.get("Content-Type", ""):
            response = _as_problem(response)
        if "Authorization" not in request.headers and request.method in {"GET", "HEAD", "OPTIONS"}:
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Allow-Methods"] = "GET"
            response["Access-Control-Allow-Headers"] = "If-None-Match"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        patch_vary_headers(response, ("Authorization",))
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        """Answer HEAD as GET, which django-ninja does not. The server leaves the body out."""
        if request.method != "HEAD":
            return self.get_response(request)
        request.method = "GET"
        try:
            return self.get_response(request)
        finally:
            request.method = "HEAD"


def _as_problem(response: HttpResponseBase) -> HttpResponseBase:
    """Return the refusal of a part of the server that knows only pages as JSON."""
    status = response.status_code
    sentences = {
        404: _("Nothing is at this address."),
        405: _("This address does not take this method."),
        413: _("This request is too large."),
    }
    said = sentences.get(status, _("The server could not answer this request. Try again later."))
    answer = JsonResponse({"code": _CODES.get(status, "error"), "message": said}, status=status)
    for name in {"Allow", "Retry-After"} & set(response.headers):
        answer[name] = response[name]
    return answer
