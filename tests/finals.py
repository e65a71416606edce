"""A tournament of one round, and the final of its best four."""

from league.models import Round, Stage
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round, set_visibility
from league.ranking.stages.services import cut_stage
from scoring.cuts import Terms
from tests.factories import Club, club


def tournament() -> Club:
    """A round of two tables, closed with its results."""
    made = club(kind="event")
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000), number=1)
    made.record((48_000, 33_500, 22_000, 16_500), number=2)
    close_round(round_=made.rounds[0], by=made.alice)
    return made


def final_of_four(made: Club) -> Stage:
    """Cut to a final of one seated round, into which nobody carries points."""
    return cut_stage(
        source=made.stage,
        name="Final",
        terms=Terms(top=4),
        carry="none",
        hanchan=1,
        seated=True,
        by=made.alice,
    )


def open_final(made: Club) -> Round:
    return open_round(round_=final_of_four(made).rounds.get(), by=made.alice)


def play_final(made: Club, round_: Round, visibility: str) -> None:
    """Record and close this open round. The players seated last win."""
    points = (15_000, 25_000, 35_000, 45_000)
    record_result(table=round_.tables.get(), points=points, based_on=0, by=made.charlie)
    set_visibility(round_=close_round(round_=round_, by=made.alice), visibility=visibility, by=made.alice)
