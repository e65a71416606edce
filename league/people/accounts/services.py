import logging
from datetime import timedelta
from typing import Any

from axes.utils import reset
from django.conf import settings
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_otp import login, match_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp_webauthn.models import WebAuthnCredential

from league.core.errors import Refused
from league.core.network import client_address
from league.core.outbox import message, put
from league.models import BrowserSession, Outgoing, SecurityEvent
from league.models.querysets import remove
from league.people.accounts.queries import (
    ALLOWED_AN_HOUR,
    first_code,
    has_accounts,
    may_send_reset,
    seconds_until,
    session_number,
)
from league.people.accounts.second_step import devices_of, must_have_device

RECOVERY_CODES = 10
_RESETS = 0x7E5E75  # the number of a lock of PostgreSQL's
logger = logging.getLogger("umaoka")


def note_event(kind: str, **facts: Any) -> SecurityEvent:
    """Write an entry of the security log."""
    name = facts.pop("name", "")[:150]
    return SecurityEvent.objects.create(kind=kind, at=timezone.now(), name=name, **facts)


def log_rights(before: User | None, after: User, *, by: User) -> None:
    had, has = (
        {
            right
            for right in ("is_staff", "is_superuser")
            if person and person.is_active and getattr(person, right)
        }
        for person in (before, after)
    )
    for kind, changed in ((SecurityEvent.Kind.GRANTED, has - had), (SecurityEvent.Kind.WITHDRAWN, had - has)):
        if changed:
            note_event(kind, name=after.get_username(), by=by)


def allow_sign_in(*, by: User, name: str = "", address: str | None = None) -> None:
    """End the pause of this name or address, and restart the count."""
    reset(username=name or None, ip=address)
    note_event(SecurityEvent.Kind.ALLOWED, name=name, address=address, by=by)


def help_sign_in(*, by: User, name: str) -> None:
    """End the pause of this name for an organizer. Administrators of the server have no limit.

    Raises ``Refused`` after ``ALLOWED_AN_HOUR`` such ends within an hour.
    """
    if seconds_until(SecurityEvent.Kind.ALLOWED, ALLOWED_AN_HOUR, name=name) and not by.is_superuser:
        raise Refused(
            _(
                "Organizers have already allowed sign-in under this name twice within an hour. Wait "
                "an hour, or ask the administrator of the server."
            )
        )
    allow_sign_in(by=by, name=name)


def change_email(*, person: User, email: str) -> None:
    """Change the e-mail address, or remove it, and inform the former address."""
    before = person.email
    if before == email:
        return
    with transaction.atomic():
        person.email = email
        person.save(update_fields=["email"])
        if before:
            stream = mails_of(person)
            key = f"{stream}:{timezone.now().isoformat()}"
            _put_mail("email", key, before, stream=stream, person=person.pk, language=get_language())


def mails_of(person: User) -> str:
    """Return the stream of mails about this account, which its closing removes."""
    return f"account:{person.pk}"


def _put_mail(about: str, key: str, address: str, *, stream: str = "", **payload: object) -> None:
    payload |= {"about": about}
    put([message(kind=Outgoing.Kind.MAIL, key=key, address=address, stream=stream, payload=payload)])


def ask_for_reset(*, email: str, address: str | None, host: str, https: bool, language: str) -> None:
    """Put the mail with a link to a new password, unless too many were asked for.

    The sender finds out whether the address is one of an account, so that the answer does not tell.
    """
    with transaction.atomic():
        _wait_for_other_resets()
        if may_send_reset(email=email, address=address):
            noted = note_event(SecurityEvent.Kind.RESET, name=email.lower(), address=address)
            _put_mail("reset", f"reset:{noted.pk}", email, host=host, https=https, language=language)


def _wait_for_other_resets() -> None:
    """Count mails in one request at a time. On SQLite its transaction does that."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_RESETS])


def end_session(*, person: User, number: str) -> None:
    for session in BrowserSession.objects.filter(user=person):
        if session_number(session.pk) == number:
            session.delete()


def end_other_sessions(*, person: User, this: str | None) -> None:
    BrowserSession.objects.filter(user=person).exclude(pk=this).delete()


def add_app(*, person: User, secret: bytes, code: str) -> TOTPDevice:
    """Add an app. Raises `Refused` if the app with this secret shows another code now."""
    with transaction.atomic():
        device = TOTPDevice.objects.create(user=person, name=str(_("Authenticator app")), key=secret.hex())
        if not device.verify_token(code):
            raise Refused(_("Wrong code. Wait for the next one and enter it."), field="code")
    return device


def renew_recovery_codes(*, person: User) -> list[str]:
    """Return ten codes that work once each in place of the app or passkey. Earlier codes stop working."""
    with transaction.atomic():
        StaticDevice.objects.filter(user=person).delete()
        made = StaticDevice.objects.create(user=person, name="recovery codes")
        codes = [StaticToken.random_token() for _each in range(RECOVERY_CODES)]
        StaticToken.objects.bulk_create(StaticToken(device=made, token=code) for code in codes)
    return codes


def remove_device(*, person: User, kind: str, pk: int) -> None:
    """Remove a device, and with the last one the recovery codes. Raises `Refused` for a required last one."""
    last = len(devices_of(person)) < 2
    if last and must_have_device(person):
        raise Refused(_("A second step is required for organizers on this server. Add another one first."))
    {"app": TOTPDevice, "passkey": WebAuthnCredential}[kind].objects.filter(user=person, pk=pk).delete()
    if last:
        StaticDevice.objects.filter(user=person).delete()


def take_second_step(*, request: HttpRequest, person: User, code: str) -> None:
    """Check the code. Raises `Refused` for a wrong one, which delays the next try."""
    device = match_token(person, code)
    if device is None:
        name, address = person.get_username(), client_address(request)
        note_event(SecurityEvent.Kind.FAILED, name=name, address=address)
        raise Refused(_("Wrong code. Wait a moment, then enter the next one."), field="code")
    login(request, device)


def make_first_account(form: "BaseUserCreationForm[User]") -> User:
    """Create the administrator of a new server. Raises `Refused` if an account exists."""
    with transaction.atomic():
        if has_accounts():
            raise Refused(_("An account already exists. Sign in with it."))
        person = form.save(commit=False)
        person.is_staff = person.is_superuser = True
        person.save()
        log_rights(None, person, by=person)
        return person


def announce_first_account() -> None:
    try:
        if not has_accounts():
            logger.warning("No account exists. Make the first one at /first/ with the code %s", first_code())
    except DatabaseError:  # its tables are not made yet
        logger.warning("The database is not ready. Run: manage.py migrate")


def clean_security_log() -> int:
    """Delete the entries older than SECURITY_LOG_DAYS. Return their number."""
    until = timezone.now() - timedelta(days=settings.SECURITY_LOG_DAYS)
    return remove(SecurityEvent.objects.filter(at__lt=until))
