from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from league.people.accounts.second_step import WAITS, devices_of
from league.people.accounts.sessions import BROWSER, SINCE


@receiver(user_logged_in)
def describe_session(sender: object, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Describe the browser for the person's list of sessions, and require the second step."""
    request.session[BROWSER] = request.headers.get("User-Agent", "").replace("\0", "")[:200]
    request.session[SINCE] = timezone.now().isoformat()
    if devices_of(user):
        request.session[WAITS] = True
