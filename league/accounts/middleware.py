"""What holds for every page of a person who is signed in."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase


class PrivatePages:
    """Pages behind a sign-in are kept by no cache, unless their view says how they may be kept."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if "Cache-Control" not in response and request.user.is_authenticated:
            response["Cache-Control"] = "private, no-store"
        return response
