from importlib import import_module
from typing import ClassVar

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _


class SecurityEvent(models.Model):
    """An event of signing in, kept for `SECURITY_LOG_DAYS`, with the typed name and the network address. The
    limits count these events. `browser`: one that signed in under this name before.
    """

    class Kind(models.TextChoices):
        FAILED = "failed", _("failed sign-in")
        PAUSED = "paused", _("sign-in paused")
        ALLOWED = "allowed", _("sign-in allowed again")
        SIGN_UP = "sign_up", _("sign-up")
        HEALTH = "health", _("health check")
        RESET = "reset", _("new password requested")
        GRANTED = "granted", _("administrator’s rights given")
        WITHDRAWN = "withdrawn", _("administrator’s rights removed")
        CODE = "code", _("wrong table code")
        ENTRY = "entry", _("registration for a competition")

    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=150, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    browser = models.CharField(max_length=32, blank=True)
    by = models.ForeignKey("auth.User", models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["at"], name="security_event_at"),
            models.Index(fields=["address", "at"], name="security_event_of_address"),
            models.Index(fields=["name", "at"], name="security_event_of_name"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class BrowserSession(AbstractBaseSession):
    user = models.ForeignKey("auth.User", models.CASCADE, null=True, related_name="browser_sessions")
    browser = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(null=True)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @classmethod
    def get_session_store_class(cls):  # type: ignore[no-untyped-def]
        return import_module(settings.SESSION_ENGINE).SessionStore
