"""The referees' day in several competitions at once: what waits, who is where, what was logged today."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from league.calls.queries import calls_of
from league.core.access import organized_by
from league.core.zones import day_of, zone_of
from league.disputes.queries import open_disputes
from league.models import Call, Competition, Dispute, DisputeStep, Penalty, Role, Round, Table
from league.penalties.queries.desk import requests

REFEREES = (Role.Kind.CHIEF, Role.Kind.REFEREE)


@dataclass(frozen=True)
class RefereeSeen:
    """Where a referee was seen last today; ``on_the_way``: to a table that called. None: not seen."""

    user: User
    table: Table | None
    at: datetime | None
    on_the_way: bool


@dataclass(frozen=True)
class CompetitionDay:
    """What waits in one competition, its referees, and (level, referee, number) of today's penalties."""

    competition: Competition
    calls: Sequence[Call]
    requests: Sequence[Penalty]
    disputes: Sequence[Dispute]
    referees: Sequence[RefereeSeen]
    penalties: Sequence[tuple[str, str, int]]


def days_of(user: User) -> list[CompetitionDay]:
    """The competitions in play whose organizer or chief referee this user is, by name."""
    playing = Competition.objects.filter(divisions__stages__rounds__status=Round.Status.OPEN)
    chief = Role.objects.filter(user=user, kind=Role.Kind.CHIEF).values("competition")
    mine = {each.pk: each for each in organized_by(user, playing)}
    mine |= {each.pk: each for each in playing.filter(pk__in=chief)}
    return [_day_of(each) for each in sorted(mine.values(), key=lambda each: (each.name, each.pk))]


def _day_of(competition: Competition) -> CompetitionDay:
    calls = calls_of(competition)
    midnight = datetime.combine(day_of(competition), datetime.min.time(), zone_of(competition))
    today = {"created_at__gte": midnight, "created_at__lt": midnight + timedelta(days=1)}
    logged = Penalty.objects.filter(competition=competition, revoked_at__isnull=True, **today)
    logged = logged.exclude(status=Penalty.Status.DECLINED).select_related("table__round", "created_by")
    steps = DisputeStep.objects.filter(dispute__competition=competition, **today)
    acts = [(each.created_by_id, each.created_at, each.table) for each in logged if each.table]
    acts += [
        (each.created_by_id, each.created_at, each.dispute.table)
        for each in steps.select_related("dispute__table__round")
    ]
    newest: dict[int | None, tuple[datetime, Table]] = {}
    for who, at, table in sorted(acts, key=lambda act: act[1]):
        newest[who] = (at, table)
    going = {call.taken_by_id: call for call in calls if call.taken_by_id}
    roles = Role.objects.filter(competition=competition, kind__in=REFEREES).select_related("user")
    people = {role.user_id: role.user for role in roles.order_by("user__username")}
    counted = Counter(
        (each.level, each.created_by.get_username() if each.created_by else "") for each in logged
    )
    return CompetitionDay(
        competition=competition,
        calls=calls,
        requests=list(requests(competition)),
        disputes=open_disputes(competition),
        referees=[_seen(user, going.get(pk), newest.get(pk)) for pk, user in people.items()],
        penalties=[(level, name, number) for (level, name), number in sorted(counted.items())],
    )


def _seen(user: User, call: Call | None, act: tuple[datetime, Table] | None) -> RefereeSeen:
    if call is not None:
        return RefereeSeen(user, call.table, call.taken_at, on_the_way=True)
    at, table = act or (None, None)
    return RefereeSeen(user, table, at, on_the_way=False)
