"""Pages of the house itself: the front door, the language switch, the health check."""

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST, require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html")


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
    return HttpResponse("ok\n", content_type="text/plain")
