"""Web Push: the server's key, the push services that it may call, and one request (RFC 8030, 8291, 8292)."""

import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from email.utils import parseaddr
from fnmatch import fnmatchcase
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from django.conf import settings
from pydantic import AnyHttpUrl
from webpush import WebPush, WebPushSubscription
from webpush.types import WebPushKeys
from webpush.vapid import VAPID

from league.core.outbox import NotSent
from league.models import Channel

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256 (FIPS 186-4)
_TIMEOUT: Final = 10  # seconds for each step of a request
_TOPIC_LENGTH: Final = 32  # RFC 8030, 5.4
_POINT, _SECRET = 65, 16  # bytes of a browser's public key and of its secret
# The subscription has ended, or belongs to another key of this server.
_GONE: Final = frozenset({403, 404, 410})


class Ended(NotSent):
    """The browser no longer takes messages."""


@cache
def _private_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Derive the key (VAPID) that names this server to push services, the same for the same secret."""
    derived = HKDF(algorithm=hashes.SHA256(), length=48, salt=None, info=b"umaoka web push").derive(
        secret.encode()
    )
    return ec.derive_private_key(int.from_bytes(derived) % (_ORDER - 1) + 1, ec.SECP256R1())


def public_key() -> str:
    """Return the public key that a browser subscribes with, in base64 for addresses."""
    key: str = VAPID.get_application_server_key(_private_key(settings.PUSH_KEY).public_key())
    return key


def is_push_service(endpoint: str) -> bool:
    """Return whether the address belongs to a known push service, so that the server calls no other host."""
    try:
        parts = urlsplit(endpoint)
        origin = f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        return False
    return any(fnmatchcase(origin, pattern) for pattern in settings.PUSH_SERVICES)


def are_keys(p256dh: str, auth: str) -> bool:
    """Return whether a browser can have sent these keys: a point of P-256 and 16 bytes."""
    try:
        point, secret = (base64.urlsafe_b64decode(each + "=" * (-len(each) % 4)) for each in (p256dh, auth))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return (len(point), len(secret)) == (_POINT, _SECRET)


def send_push(
    channel: Channel, values: dict[str, Any], *, topic: str, lasts: timedelta, urgent: bool
) -> None:
    """Send these values to the browser. Raises `NotSent`, or `Ended` if the subscription is gone.

    `topic`: if two messages with one topic wait for a device, only the later one arrives. `lasts`: how long
    the service keeps the message for a device that is off.
    """
    if not is_push_service(channel.address):
        raise Ended("The address is not one of a known push service.", again=False)
    keys = WebPushKeys(auth=channel.auth, p256dh=channel.p256dh)
    there = WebPushSubscription(endpoint=AnyHttpUrl(channel.address), keys=keys)
    made = _library(settings.PUSH_KEY).get(json.dumps(values), there, ttl=int(lasts.total_seconds()))
    headers = {
        **made.headers,
        "Content-Type": "application/octet-stream",
        "Urgency": "high" if urgent else "normal",
        "Topic": hashlib.sha256(topic.encode()).hexdigest()[:_TOPIC_LENGTH],
    }
    status, pause = _post(channel.address, made.encrypted, headers)
    problem = f"The push service answered {status}."
    if status in _GONE:
        raise Ended(problem, again=False)
    if not 200 <= status < 300:
        raise NotSent(problem, again=status == 429 or status >= 500, after=pause)


@cache
def _library(secret: str) -> WebPush:
    key = _private_key(secret)
    _name, contact = parseaddr(settings.OPERATOR_CONTACT)
    _name, own_address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return WebPush(
        private_key=key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        public_key=key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        subscriber=contact if "@" in contact else own_address,
    )


def _post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, timedelta]:
    """Return the status of the answer and the pause that it asks for. Redirects are not followed."""
    parts = urlsplit(address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc, timeout=_TIMEOUT)
    try:
        connection.request("POST", urlunsplit(("", "", parts.path, parts.query, "")), body, dict(headers))
        answer = connection.getresponse()
        after = answer.headers.get("Retry-After", "")
        return answer.status, timedelta(seconds=int(after) if after.isdigit() and len(after) < 7 else 0)
    except (OSError, HTTPException) as error:
        raise NotSent(f"The push service did not answer: {type(error).__name__}.") from error
    finally:
        connection.close()
