"""A competition whose tables agree on their evenings, and what is said of when they meet."""

from datetime import UTC, date, datetime

from league.models import Appointment, Stage
from league.play.calendar.services.calendar import set_dates
from league.play.calendar.services.table_times import propose_time
from league.ranking.standings.queries.standings import standings_of
from tests.factories import Club, club

NOW = datetime(2026, 5, 1, 4, 0, tzinfo=UTC)  # noon in Hong Kong
EVENING = datetime(2026, 5, 6, 11, 30, tzinfo=UTC)  # half past seven there
POINTS = (45_000, 35_000, 25_000, 15_000)


def evenings() -> Club:
    """A round whose two tables meet from 1 to 14 May 2026."""
    made = club()
    round_ = made.add_round()
    set_dates(rounds=[round_], first=date(2026, 5, 1), until=date(2026, 5, 14), by=made.alice)
    return made


def proposed(here: Club, at: datetime = EVENING, *, player: int | None = 0, number: int = 1) -> Appointment:
    return propose_time(
        table=here.table(number=number),
        meets_at=at,
        place="club room",
        player=None if player is None else here.players[player].pk,
        by=here.dora,
        at=NOW,
    )


def counted(here: Club) -> int:
    """Tables that count, for the public, as they are now."""
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)
    return standings_of([stage], public=True)[stage.pk].tables


def said(here: Club, number: int = 1) -> list[tuple[str, datetime | None]]:
    found = Appointment.objects.filter(table=here.table(number=number)).order_by("pk")
    return list(found.values_list("kind", "meets_at"))
