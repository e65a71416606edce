from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp_webauthn.models import WebAuthnCredential

from league.models import Role

WAITS = "second_step"  # in the session: the person had a device at sign-in and must use it
CODE, SET_UP = "code", "set_up"


class Device(NamedTuple):
    kind: str
    pk: int
    name: str


def devices_of(person: User) -> list[Device]:
    apps = TOTPDevice.objects.filter(user=person, confirmed=True)
    passkeys = WebAuthnCredential.objects.filter(user=person, confirmed=True)
    return [
        *(Device("app", app.pk, app.name) for app in apps),
        *(Device("passkey", passkey.pk, passkey.name) for passkey in passkeys),
    ]


def must_have_device(person: User) -> bool:
    """Return whether the settings require a second step: of administrators, league owners and organizers."""
    if not settings.REQUIRE_SECOND_STEP:
        return False
    organizes = Q(roles__kind=Role.Kind.ORGANIZER) | Q(leagues__isnull=False)
    return person.is_superuser or User.objects.filter(organizes, pk=person.pk).exists()


def waits_for(request: HttpRequest) -> str:
    """Return the next step: type a code, set up a device, or nothing.

    Asks the database each time, because the setting, a role or a device may be newer than the session.
    """
    if DEVICE_ID_SESSION_KEY in request.session:
        return ""
    if request.session.get(WAITS):
        return CODE
    if isinstance(request.user, User) and must_have_device(request.user):
        return CODE if devices_of(request.user) else SET_UP
    return ""
