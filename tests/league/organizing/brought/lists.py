"""A list of results, and how it is brought and undone."""

from league.organizing.brought.queries.plans import last_brought
from league.organizing.brought.services import bring_results, undo_brought
from tests.factories import Club

SEASON = """Day,Table,Player,Points
2026-03-14,1,Anna,41000
,,Ben,33000
,,Cara,26000
,,Dan,20000
2026-03-14,2,Emil,30000
,,Fay,30000
,,Gil,31000
,,Hana,29000
2026-03-21,1,Anna,30000
,,Ben,30000
,,Emil,30000
,,Fay,30000
"""


def bring(here: Club, text: str = SEASON, **more):
    return bring_results(stage=here.stage, text=text, by=here.alice, **more)


def undo(here: Club) -> None:
    last = last_brought(here.competition)
    assert last is not None
    undo_brought(competition=here.competition, entry=last.pk, by=here.alice)
