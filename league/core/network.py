"""The address of the other end of a request."""

from ipaddress import IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

HOME_NETWORK = 64  # bits of an IPv6 address that name a household or a hall; each device chooses the rest


def client_address(request: HttpRequest) -> str | None:
    """Return the address that the outermost trusted proxy saw, or else the peer's. None if it is not an
    address.

    Each of `TRUSTED_PROXIES` proxies appends the address of its own peer to X-Forwarded-For. The client wrote
    everything further left, which may be false. An IPv6 address is cut to its network, because a device can
    have as many addresses in it as it likes.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    proxies: int = settings.TRUSTED_PROXIES
    address = hops[-proxies] if proxies and len(hops) >= proxies else request.META.get("REMOTE_ADDR", "")
    return as_network(str(address))


def as_network(typed: str) -> str | None:
    try:
        address = ip_address(typed)
    except ValueError:
        return None
    if address.version == 4:
        return str(address)
    if mapped := address.ipv4_mapped:
        return str(mapped)
    return str(IPv6Network((int(address), HOME_NETWORK), strict=False).network_address)
