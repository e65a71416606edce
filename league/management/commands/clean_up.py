"""Remove expired rows and files. For a daily timer."""

from collections.abc import Callable
from datetime import timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db.models import Q
from django.utils import timezone

from league.core.kept_files import remove_old_files
from league.core.outbox import remove_old_messages
from league.core.tasks import forget_failed_tasks
from league.models import ApiToken, BrowserSession, Invitation, Submission
from league.models.querysets import remove
from league.organizing.interchange.services.drafts import remove_abandoned
from league.organizing.personal_data.services import remove_expired_registrations
from league.people.accounts.services import clean_security_log

TOKEN_DAYS = 90  # after its end, so that organizers see which one a program still uses
FORM_DAYS = 30  # a form that a phone kept without network is sent long before
INVITATION_DAYS = 30  # after the end of its term


def remove_sessions() -> int:
    return remove(BrowserSession.objects.filter(expire_date__lt=timezone.now()))


def remove_forms() -> int:
    """Remove keys of old forms, by which a form sent twice is saved once."""
    before = timezone.now() - timedelta(days=FORM_DAYS)
    return remove(Submission.objects.filter(created_at__lt=before))


def remove_invitations() -> int:
    before = timezone.now() - timedelta(days=INVITATION_DAYS)
    return remove(Invitation.objects.filter(expires_at__lt=before))


def remove_tokens() -> int:
    """Remove tokens of the API that ended or were revoked. The log keeps who made and used them."""
    before = timezone.now() - timedelta(days=TOKEN_DAYS)
    return remove(ApiToken.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before)))


def remove_failed_sign_ins() -> int:
    """Remove failed sign-ins that no longer count for the pause."""
    before = timezone.now() - settings.AXES_COOLOFF_TIME
    return remove(AccessAttempt.objects.filter(attempt_time__lt=before))


# What is removed, in words, and the function that removes it and says how many.
STEPS: dict[str, Callable[[], int]] = {
    "sessions": remove_sessions,
    "forms": remove_forms,
    "invitations": remove_invitations,
    "API tokens": remove_tokens,
    "failed sign-ins": remove_failed_sign_ins,
    "registrations": remove_expired_registrations,
    "security log": clean_security_log,
    "downloads": remove_old_files,
    "failed tasks": forget_failed_tasks,
    "interrupted imports": remove_abandoned,
    "sent messages": remove_old_messages,
}


class Command(BaseCommand):
    help = (
        "Removes ended sessions, keys of old forms, old invitations, registrations and API tokens, failed"
        " sign-ins and tasks, downloads, interrupted imports and sent messages."
    )

    def handle(self, **options: object) -> None:
        for what, clean in STEPS.items():
            self.stdout.write(f"{what}: {clean()} removed")
