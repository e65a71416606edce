"""The seating of the rounds that are on, part by part for a screen on the wall."""

from collections.abc import Iterator, Sequence
from typing import Any

from league.core.access import Access
from league.core.text import reads_han
from league.models import Round
from league.organizing.seating.queries.lists import SeatingList, from_current, seated_rounds, seating_lists
from league.play.open_play.queries import to_be_played

TABLES_A_SCREEN = 9
NAMES_A_SCREEN = 30


def published_rounds(access: Access) -> list[Round]:
    rounds = access.rounds().exclude(visibility=Round.Visibility.HIDDEN)
    return seated_rounds(to_be_played(rounds))


def current_rounds(access: Access) -> list[Round]:
    """Return each division's open rounds, or its current round."""
    current: list[Round] = []
    for rounds in from_current(published_rounds(access)):
        opened = [each for each in rounds if each.status == Round.Status.OPEN]
        current += opened or rounds[:1]
    return current


def seating_parts(
    access: Access, rounds: Sequence[Round], *, public: bool, by_name: bool
) -> list[dict[str, Any]]:
    lists = seating_lists(rounds, access.competition, public=public)
    return list(_parts(lists, by_name=by_name))


def _parts(lists: Sequence[SeatingList], *, by_name: bool) -> Iterator[dict[str, Any]]:
    for listed in lists:
        if by_name:
            lines = listed.by_name(reads_han=reads_han())
            for at in range(0, len(lines), NAMES_A_SCREEN):
                yield {"list": listed, "lines": lines[at : at + NAMES_A_SCREEN]}
        else:
            for at in range(0, len(listed.tables), TABLES_A_SCREEN):
                yield {"list": listed, "tables": listed.tables[at : at + TABLES_A_SCREEN]}
