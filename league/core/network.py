"""Who is at the other end of a request."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address that the outermost trusted proxy saw, else the peer's.

    Each of `TRUSTED_PROXIES` proxies appends the address of its own peer to X-Forwarded-For; whatever stands
    further left was written by the client and may be a lie.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    proxies: int = settings.TRUSTED_PROXIES
    if proxies and len(hops) >= proxies:
        return hops[-proxies]
    return str(request.META.get("REMOTE_ADDR", ""))
