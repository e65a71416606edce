from datetime import datetime, timedelta
from typing import Any, NamedTuple

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from league.core.network import as_network
from league.core.search import sole
from league.models import BrowserSession, Competition, Role, Round, SecurityEvent
from league.people.accounts.words import describe_browser

HOUR = timedelta(hours=1)
RESETS_AN_HOUR, RESETS_OF_AN_ADDRESS = 3, 30  # mails for one e-mail address, from one network address
ALLOWED_AN_HOUR = 2  # pauses that organizers end for one name: each one is ten more guesses
SIGN_UPS_AN_HOUR = 30  # from one address: a club evening behind one router
# Wrong codes of tables: a hall of 160 phones shares one address. Of 25⁸ codes 40 are right, so that a year of
# these guesses finds one with a chance of 1 in 40.
CODES_OF_AN_ADDRESS, CODES_OF_A_COMPETITION = 300, 10_000
# Wrong codes of rounds at one table: four phones. Of 10⁵ codes one is right, so that an hour of these guesses
# from many addresses opens a table with a chance of 1 in 1000.
ROUND_CODES_OF_AN_ADDRESS, ROUND_CODES_OF_A_TABLE = 20, 100


def failures(*, at: datetime, **of: str) -> QuerySet[SecurityEvent]:
    """Return the failed sign-ins within the pause, since sign-in was last allowed again."""
    since = at - settings.AXES_COOLOFF_TIME
    where = {name: value for name, value in of.items() if name != "browser"}
    allowed = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.ALLOWED, at__gt=since, **where)
    last = allowed.order_by("-at").values_list("at", flat=True).first()
    return SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FAILED, at__gt=last or since, **of)


def sprays(address: str | None, *, at: datetime) -> bool:
    return address is not None and failures(at=at, address=address).count() >= settings.ADDRESS_FAILURE_LIMIT


def seconds_to_wait(*, name: str, address: str | None, at: datetime) -> int:
    """Return the seconds until a sign-in under this name from this address is checked again, at least 1."""
    events = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FAILED, address=address)
    mine = events if sprays(address, at=at) else events.filter(name=name)
    last = mine.order_by("-at").values_list("at", flat=True).first() or at
    left = last + settings.AXES_COOLOFF_TIME - at
    return max(1, int(left.total_seconds()))


def seconds_until(kind: str, limit: int, **of: Any) -> int:
    """Return the seconds until fewer than `limit` events of this kind lie within an hour."""
    now = timezone.now()
    newest = SecurityEvent.objects.filter(kind=kind, at__gt=now - HOUR, **of).order_by("-at")
    at = newest.values_list("at", flat=True)[limit - 1 : limit].first()
    return max(1, int((at + HOUR - now).total_seconds())) if at else 0


def seconds_until_sign_up(address: str | None) -> int:
    return seconds_until(SecurityEvent.Kind.SIGN_UP, SIGN_UPS_AN_HOUR, address=address)


def seconds_until_code(address: str | None, competition: str) -> int:
    """Return the seconds until a table's code may be typed again. `competition`: its address, "" for all."""
    kind = SecurityEvent.Kind.CODE
    return max(
        seconds_until(kind, CODES_OF_AN_ADDRESS, address=address),
        seconds_until(kind, CODES_OF_A_COMPETITION, name=competition),
    )


def round_code_name(competition: Competition, table: int) -> str:
    """Return the name under which wrong codes of a round are counted for a table."""
    return f"{competition.slug}/{table}"


def seconds_until_round_code(address: str | None, name: str) -> int:
    """Return the seconds until the code of a round may be given again at this table."""
    kind = SecurityEvent.Kind.CODE
    return max(
        seconds_until(kind, ROUND_CODES_OF_AN_ADDRESS, name=name, address=address),
        seconds_until(kind, ROUND_CODES_OF_A_TABLE, name=name),
    )


def paused_names(names: set[str]) -> set[str]:
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    attempts = AccessAttempt.objects.filter(
        username__in=names, attempt_time__gte=since, failures_since_start__gte=settings.AXES_FAILURE_LIMIT
    )
    return set(attempts.values_list("username", flat=True))


def security_events(of: str) -> QuerySet[SecurityEvent]:
    events = SecurityEvent.objects.select_related("by")
    if not of:
        return events
    network = as_network(of)
    return events.filter(Q(address=network) if network else Q(name__iexact=of))


def has_accounts() -> bool:
    return User.objects.exists()


class OpenSession(NamedTuple):
    number: str  # names the session without its key
    browser: str
    since: datetime | None
    is_this: bool


def open_sessions(person: User, *, this: str | None) -> list[OpenSession]:
    sessions = BrowserSession.objects.filter(user=person, expire_date__gt=timezone.now()).order_by("-since")
    return [
        OpenSession(
            session_number(session.pk), describe_browser(session.browser), session.since, session.pk == this
        )
        for session in sessions
    ]


def zone_near(person: User) -> str:
    near = Competition.objects.filter(Q(roles__user=person) | Q(league__owners=person)).order_by("-pk")
    return near.values_list("timezone", flat=True).first() or settings.TIME_ZONE


def session_number(key: str) -> str:
    return salted_hmac("league.session", key).hexdigest()[:20]


def first_code() -> str:
    """Return the code of the first account, which the server logs at startup."""
    return salted_hmac("league.first_account", "").hexdigest()[:20]


def is_first_code(typed: str) -> bool:
    return constant_time_compare(typed, first_code())


def may_send_reset(*, email: str, address: str | None) -> bool:
    kind = SecurityEvent.Kind.RESET
    return not (
        seconds_until(kind, RESETS_AN_HOUR, name=email.lower())
        or seconds_until(kind, RESETS_OF_AN_ADDRESS, address=address)
    )


def desk_to_open(user: Any) -> str:
    """Return the slug of the only competition with an open round where this user is a referee, or ""."""
    referees = [Role.Kind.CHIEF, Role.Kind.REFEREE]
    mine = Competition.objects.filter(roles__user=user.pk, roles__kind__in=referees)
    playing = mine.filter(divisions__stages__rounds__status=Round.Status.OPEN)
    slugs = list(playing.order_by().values_list("slug", flat=True).distinct()[:2])
    return sole(slugs) or ""
