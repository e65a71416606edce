"""The head of a competition's pages: its days, its players and its progress."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any

from django.db.models import BigAutoField, Count, DateField, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.core.prepared import Argument, Prepared
from league.models import Competition, Entrant, Round, Stage

# After so many days without another round the competition is over: a league makes its next round late.
OVER_AFTER = {Competition.Kind.EVENT: timedelta(days=2), Competition.Kind.SEASON: timedelta(days=45)}


@dataclass(frozen=True, slots=True)
class Head:
    """The days, players and rounds of a competition that one audience may know.

    ``now`` and ``up_to``: numbers of the open rounds. ``rounds``: the planned number, or for staff at least
    those that exist, 0 if it is unknown or several stages have rounds. ``next``: the day of the next round.
    ``played``: the number of closed rounds, for visitors of those with results.
    """

    players: int
    first: date | None = None
    last: date | None = None
    now: int | None = None
    up_to: int | None = None
    rounds: int = 0
    next: date | None = None
    played: int = 0
    is_over: bool = False


def head_of(competition: Competition, *, public: bool, today: date) -> Head:
    """Return the head. ``public``: without hidden rounds. Queries: 1."""
    [facts] = _ONE[public](competition=competition.pk, today=today)
    return _head(dict(facts), today, public=public)


def heads_of(competitions: Sequence[Competition], *, public: bool, today: date) -> dict[int, Head]:
    """Return competition → head. Queries: 1."""
    asked = Competition.with_drafts.filter(pk__in=[each.pk for each in competitions])
    found = _facts_of(asked, public, today)
    return {facts["pk"]: _head(dict(facts), today, public=public) for facts in found}


def _facts_of(competitions: "QuerySet[Any]", public: bool, today: Any) -> Any:
    rounds = "divisions__stages__rounds__"
    known = Q(**{f"{rounds}pk__isnull": False})
    if public:
        known &= ~Q(**{f"{rounds}visibility": Round.Visibility.HIDDEN})
    seated = known & ~Q(divisions__stages__play=Stage.Play.OPEN)
    closed, now = (Q(**{f"{rounds}status": status}) for status in (Round.Status.CLOSED, Round.Status.OPEN))
    coming = Q(**{f"{rounds}status": Round.Status.PLANNED, f"{rounds}date__gte": today})
    published = Q(**{f"{rounds}visibility": Round.Visibility.RESULTS})
    playing = Entrant.objects.playing().filter(competition=OuterRef("pk"), is_substitute=False)
    entrant_counts = playing.order_by().values("competition").annotate(count=Count("pk")).values("count")
    return (
        competitions.order_by()
        .values(
            *("pk", "kind", "created_at", "first_day", "last_day", "finished_at"),
            players=Coalesce(Subquery(entrant_counts), 0),
        )
        .annotate(
            first=Min(f"{rounds}date", filter=known),
            last=Max(Coalesce(f"{rounds}until", f"{rounds}date"), filter=known),
            now=Min(f"{rounds}number", filter=seated & now),
            up_to=Max(f"{rounds}number", filter=seated & now),
            next=Min(f"{rounds}date", filter=known & coming),
            played=Count(f"{rounds}pk", filter=seated & closed & (published if public else Q())),
            published=Count(f"{rounds}pk", filter=known & closed & published),
            every=Count(f"{rounds}pk", filter=known),
            planned=Max("divisions__stages__planned_rounds", filter=known),
            stages=Count("divisions__stages", filter=known, distinct=True),
        )
    )


def _facts_of_one(public: bool) -> Any:
    asked = Competition.with_drafts.filter(pk=Argument("competition", BigAutoField()))
    return _facts_of(asked, public, Argument("today", DateField()))


_ONE = {public: Prepared(partial(_facts_of_one, public)) for public in (False, True)}


def _head(facts: dict[str, Any], today: date, *, public: bool) -> Head:
    over, every, stages, kind = (facts.pop(name) for name in ("published", "every", "stages", "kind"))
    # Rounds that visitors may see are not all: their number alone would be read as the event's.
    planned = max(facts.pop("planned") or 0, 0 if public else every)
    created_at, first_day, last_day, finished = (
        facts.pop(name) for name in ("created_at", "first_day", "last_day", "finished_at")
    )
    del facts["pk"]
    if first_day:
        facts |= {"first": first_day, "last": last_day or first_day}
    last = facts["last"] or created_at.date()
    return Head(
        rounds=planned if stages == 1 and planned >= (facts["up_to"] or 0) else 0,
        is_over=bool(finished) or (0 < every == over and last < today - OVER_AFTER[Competition.Kind(kind)]),
        **facts,
    )
