"""Pages of the house itself: the language switch, the health check, and what a refused visitor sees."""

from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import defaults, i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from league import VERSION

LONGEST_ADDRESS = 2000  # characters to come back to: Django refuses a redirect that is much longer


# Without a CSRF token, so that a page for everybody holds nothing personal and can be cached. A forged
# request could only change the language in which somebody reads, and Django follows `next` on this host only.
@csrf_exempt
@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    return i18n.set_language(request)


@require_GET
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers, 503 when not; for a load balancer or a monitor."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return HttpResponse("database unavailable\n", status=503, content_type="text/plain")
    return HttpResponse(f"ok {VERSION}\n", content_type="text/plain")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Visitors may sign in and come back; people who are signed in get the page that says why not."""
    if request.user.is_authenticated:
        return defaults.permission_denied(request, exception)
    answer = redirect_to_login(_page_to_return_to(request))
    # htmx would follow the redirect and put the sign-in page into the middle of this one.
    return HttpResponseClientRedirect(answer.url) if "HX-Request" in request.headers else answer


def _page_to_return_to(request: HttpRequest) -> str:
    """The page itself; after a POST, or for a part of a page, the page that the person was looking at."""
    if request.method in {"GET", "HEAD"} and "HX-Request" not in request.headers:
        address = request.get_full_path()
        return address if len(address) <= LONGEST_ADDRESS else request.path
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}, request.is_secure()):
        return "/"
    return urlsplit(came_from)._replace(scheme="", netloc="").geturl()
