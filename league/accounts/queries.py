"""How often signing in failed, for whom and from where; who must wait, and how long."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from league.accounts.words import describe_browser
from league.core.network import as_network
from league.models import BrowserSession, Competition, SecurityEvent

HOUR = timedelta(hours=1)
RESETS_AN_HOUR, RESETS_OF_AN_ADDRESS = 3, 30  # mails for one e-mail address, from one network address
ALLOWED_AN_HOUR = 2  # pauses that organizers end for one name: each one is ten more guesses
SIGN_UPS_AN_HOUR = 30  # from one address: a club evening behind one router


def failures(*, at: datetime, **of: str) -> QuerySet[SecurityEvent]:
    """The failed sign-ins ``of`` a name, address or browser that count: within the pause, and after the last
    time that sign-in was allowed again.
    """
    since = at - settings.AXES_COOLOFF_TIME
    where = {name: value for name, value in of.items() if name != "browser"}
    allowed = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.ALLOWED, at__gt=since, **where)
    last = allowed.order_by("-at").values_list("at", flat=True).first()
    return SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FAILED, at__gt=last or since, **of)


def sprays(address: str | None, *, at: datetime) -> bool:
    """Whether so many passwords failed from this address, whatever the names, that it must pause."""
    return address is not None and failures(at=at, address=address).count() >= settings.ADDRESS_FAILURE_LIMIT


def seconds_to_wait(*, name: str, address: str | None, at: datetime) -> int:
    """Seconds until a sign-in under this name from this address is looked at again; 1 at least."""
    events = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FAILED, address=address)
    mine = events if sprays(address, at=at) else events.filter(name=name)
    last = mine.order_by("-at").values_list("at", flat=True).first() or at
    left = last + settings.AXES_COOLOFF_TIME - at
    return max(1, int(left.total_seconds()))


def seconds_until(kind: str, limit: int, **of: Any) -> int:
    """Seconds until fewer than ``limit`` events of this kind lie within an hour; 0 if there are fewer now."""
    now = timezone.now()
    newest = SecurityEvent.objects.filter(kind=kind, at__gt=now - HOUR, **of).order_by("-at")
    at = newest.values_list("at", flat=True)[limit - 1 : limit].first()
    return max(1, int((at + HOUR - now).total_seconds())) if at else 0


def seconds_until_sign_up(address: str | None) -> int:
    """Seconds until another account may be requested from this address; 0 for now."""
    return seconds_until(SecurityEvent.Kind.SIGN_UP, SIGN_UPS_AN_HOUR, address=address)


def paused_names(names: set[str]) -> set[str]:
    """Those of these user names under which sign-in is paused from some address."""
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    attempts = AccessAttempt.objects.filter(
        username__in=names,
        attempt_time__gte=since,
        failures_since_start__gte=settings.AXES_FAILURE_LIMIT,
    )
    return set(attempts.values_list("username", flat=True))


def security_events(of: str) -> QuerySet[SecurityEvent]:
    """The security log, newest first; ``of`` a name or an address, or empty for all."""
    found = SecurityEvent.objects.select_related("by")
    if not of:
        return found
    network = as_network(of)
    return found.filter(Q(address=network) if network else Q(name__iexact=of))


def has_accounts() -> bool:
    return User.objects.exists()


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A browser in which a person is signed in. ``number`` names it without telling its key."""

    number: str
    browser: str
    since: datetime | None
    is_this: bool


def open_sessions(person: User, *, this: str | None) -> list[OpenSession]:
    """Where the person is signed in, the newest first; ``this`` is the key of the session that asks."""
    found = BrowserSession.objects.filter(user=person, expire_date__gt=timezone.now()).order_by("-since")
    return [
        OpenSession(session_number(each.pk), describe_browser(each.browser), each.since, each.pk == this)
        for each in found
    ]


def zone_near(person: User) -> str:
    """The time zone of the newest competition in which the person has a part, else the server's."""
    near = Competition.objects.filter(Q(roles__user=person) | Q(league__owners=person)).order_by("-pk")
    return near.values_list("timezone", flat=True).first() or settings.TIME_ZONE


def session_number(key: str) -> str:
    return salted_hmac("league.session", key).hexdigest()[:20]


def first_code() -> str:
    """The code with which the first account is made; written to the server's log when it starts."""
    return salted_hmac("league.first_account", "").hexdigest()[:20]


def is_first_code(typed: str) -> bool:
    return constant_time_compare(typed, first_code())


def may_send_reset(*, email: str, address: str | None) -> bool:
    """Whether another mail with a link to a new password may go to ``email``, asked for from ``address``."""
    kind = SecurityEvent.Kind.RESET
    return not (
        seconds_until(kind, RESETS_AN_HOUR, name=email.lower())
        or seconds_until(kind, RESETS_OF_AN_ADDRESS, address=address)
    )
