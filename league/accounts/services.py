"""Writes the security log, and lets people sign in again."""

from datetime import timedelta
from typing import Any

from axes.utils import reset
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from league.models import SecurityEvent


def note_event(kind: str, **facts: Any) -> SecurityEvent:
    """Write an entry of the security log: its name, address, browser, and by whom."""
    name = facts.pop("name", "")[:150]
    return SecurityEvent.objects.create(kind=kind, at=timezone.now(), name=name, **facts)


def allow_sign_in(*, by: User, name: str = "", address: str | None = None) -> None:
    """End the pause of this name, or of this address, and begin to count again."""
    reset(username=name or None, ip=address)
    note_event(SecurityEvent.Kind.ALLOWED, name=name, address=address, by=by)


def clean_security_log() -> int:
    """Remove the entries that are older than SECURITY_LOG_DAYS; how many there were."""
    until = timezone.now() - timedelta(days=settings.SECURITY_LOG_DAYS)
    return SecurityEvent.objects.filter(at__lt=until).delete()[0]
