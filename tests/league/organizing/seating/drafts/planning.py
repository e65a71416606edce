"""How an organizer plans and plays the rounds of a competition."""

from django.utils import timezone

from league.models import Competition, Round, Seat, SeatingDraft, Stage
from league.organizing.seating.queries.checks import checks
from league.organizing.seating.queries.seating import PlanRequest, draft_of, seating_facts
from league.organizing.seating.services.drafts import accept_seating, begin_seating, draft_state
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from tests.factories import Club


def fresh(here: Club) -> Stage:
    return Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)


def begin(here: Club, *, seed: int = 1, **asked) -> SeatingDraft:
    return begin_seating(stage=fresh(here), asked=PlanRequest(**asked), seed=seed, by=here.alice)


def accept(here: Club, draft: SeatingDraft | None = None) -> list[Round]:
    draft = draft or draft_of(here.stage)
    return accept_seating(stage=fresh(here), seen=draft_state(draft), by=here.alice)


def seated(here: Club) -> list[list[list[int]]]:
    """Rounds of tables of four players, as the database has them."""
    found = []
    for round_ in Round.objects.filter(stage=here.stage).order_by("number"):
        seats = Seat.objects.filter(round=round_).order_by("table__number", "wind")
        players = list(seats.values_list("player_id", flat=True))
        found.append([players[at : at + 4] for at in range(0, len(players), 4)])
    return found


def codes(here: Club, **asked) -> list[tuple[str, bool]]:
    return [(check.code, check.blocks) for check in checks(seating_facts(fresh(here)), PlanRequest(**asked))]


def said(here: Club, code: str, **asked) -> list[str]:
    return [
        check.text for check in checks(seating_facts(fresh(here)), PlanRequest(**asked)) if check.code == code
    ]


def play(here: Club, round_: Round) -> None:
    """Enter 40 000, 35 000, 25 000, 20 000 at every table, and close the round.

    At table n, east has n thousand more and north n thousand less.
    """
    open_round(round_=round_, by=here.alice)
    for table in round_.tables.all():
        more = 1000 * table.number
        points = (40_000 + more, 35_000, 25_000, 20_000 - more)
        record_result(table=table, points=points, based_on=0, by=here.charlie)
    close_round(round_=round_, by=here.alice)


def withdraw(here: Club, position: int) -> None:
    here.competition.entrants.filter(player=here.players[position]).update(withdrawn_at=timezone.now())
    Competition.objects.filter(pk=here.competition.pk).update(revision=here.competition.revision + 1)


def ids(here: Club, *positions: int) -> list[int]:
    return [here.players[position].pk for position in positions]
