"""The columns of standings: key, name, value and format of each, and which table shows which, in what order.

Pages, workbooks, CSV and JSON of players, teams and team members read them here. To add a column of what a
player has done, put it into ``RECORD``, and into ``FACTS`` for the player's own page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE, Column
from league.standings.cells import (
    Write,
    games_cell,
    last_cell,
    member_cell,
    plain_cell,
    player_cell,
    rank_cell,
    team_cell,
    total_cell,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsColumn(Column):
    """A column of files and pages. An ``optional`` one is left out where every line holds nothing or zero."""

    value: Callable[[Any], Any]  # from a line: of a player, a team or a team member
    # on pages
    label: str | Promise = ""  # the heading, where ``header`` is too long
    hint: str | Promise = ""
    css: str = ""
    cell: Write = plain_cell
    blank: bool = False  # zero leaves the cell empty
    sort: Callable[[Any], Any] | None = None  # what to sort by instead of the value
    sortable: bool = True
    descending: bool = False  # the first click puts the largest value on top
    needs_history: bool = False  # the value reads ``row.history``

    def is_shown(self, lines: Sequence[Any]) -> bool:
        return not self.optional or any(self.value(line) for line in lines)


def _of_row(key: str, header: Promise, kind: str = WHOLE, **more: Any) -> StandingsColumn:
    """A column whose value is what the ranked row calls by the key."""
    return StandingsColumn(key, header, kind, **{"value": attrgetter(f"row.{key}")} | more)


def _of_place(key: str, place: int, header: Promise, label: Promise) -> StandingsColumn:
    """How often a player took this place, 1 to 4."""
    return StandingsColumn(
        key,
        header,
        WHOLE,
        value=lambda line: line.row.places[place - 1],
        label=label,
        css="narrow",
        descending=True,
    )


def _casefold(path: str) -> Callable[[Any], str | None]:
    """Names sort without regard to case, empty ones last."""
    read = attrgetter(path)
    return lambda line: (read(line) or "").casefold() or None


RANK = _of_row(
    "rank",
    _("Rank"),
    value=attrgetter("row.shown_rank"),
    sort=attrgetter("row.rank"),
    cell=rank_cell,
)
GAMES = _of_row("games", _("Games"), sort=attrgetter("row.played"), descending=True, cell=games_cell)
BEYOND = _of_row("beyond", _("Games that do not count"), optional=True)
MISSING = _of_row("missing", _("Games missing for a rank"), optional=True)
TOTAL = _of_row("total", _("Total"), SCORE, descending=True, cell=total_cell)
SCORES = _of_row("score", _("Score"), SCORE, descending=True)
PENALTY = _of_row("penalty", _("Penalties"), SCORE, blank=True)
ADJUSTED = _of_row(
    "adjusted",
    _("Rounds not played"),
    SCORE,
    optional=True,
    label=_("Not played"),
    hint=_("For rounds not played: absence, a substitute, sitting out"),
    blank=True,
)
CARRIED = _of_row(
    "carried",
    _("Carried over"),
    SCORE,
    optional=True,
    label=_("Carried"),
    hint=_("Brought in from the stage before"),
    descending=True,
)
HEAD_START = StandingsColumn(
    "head_start", _("Head start (in carried over)"), SCORE, optional=True, value=attrgetter("head_start")
)
PLACES = (
    _of_place("firsts", 1, _("1st places"), pgettext_lazy("place", "1st")),
    _of_place("seconds", 2, _("2nd places"), pgettext_lazy("place", "2nd")),
    _of_place("thirds", 3, _("3rd places"), pgettext_lazy("place", "3rd")),
    _of_place("fourths", 4, _("4th places"), pgettext_lazy("place", "4th")),
)
PLACES_LIST = StandingsColumn("places", "", value=lambda line: list(line.row.places))
AVERAGE_PLACE = _of_row(
    "average_place", _("Average place"), AVERAGE, label=_("Avg. place"), hint=_("Average place")
)
BEST_POINTS = _of_row(
    "best_points",
    _("Best points"),
    POINTS,
    label=_("Best"),
    hint=_("Highest points of one game"),
    descending=True,
)
LAST = StandingsColumn(
    "last",
    _("Last games"),
    value=lambda line: "".join(str(place) for place, _score in line.row.last),
    hint=_("Places of the last five games, newest last"),
    cell=last_cell,
    sortable=False,
)

# --- who it is

KEY = StandingsColumn("player", _("Key"), value=attrgetter("player.key"))
NAME = StandingsColumn("name", pgettext_lazy("of a person", "Name"), value=attrgetter("player.name"))
ROMANIZED = StandingsColumn(
    "romanized", _("Romanized name"), optional=True, value=attrgetter("player.romanized")
)
COUNTRY = StandingsColumn("country", _("Country"), optional=True, value=attrgetter("player.country"))
CLUB = StandingsColumn(
    "club",
    _("Club"),
    optional=True,
    value=attrgetter("player.club"),
    css="wide-only",
    sort=_casefold("player.club"),
)
PLAYER = StandingsColumn(
    "player",
    _("Player"),
    value=attrgetter("player"),
    css="sticky",
    cell=player_cell,
    sort=_casefold("player.name"),
)
TEAM_KEY = StandingsColumn("team", _("Key"), value=attrgetter("team.key"))
TEAM_NAME = StandingsColumn("name", _("Team"), value=attrgetter("team.name"))
TEAM = replace(TEAM_NAME, css="sticky", cell=team_cell)
TEAM_PENALTY = replace(PENALTY, hint=_("Those of its players, and its own"))
DEDUCTED = StandingsColumn("deducted", _("Of it the team’s own"), SCORE, value=attrgetter("deducted"))
MEMBER = replace(PLAYER, cell=member_cell)

# --- which table shows which

RECORD = (*PLACES, AVERAGE_PLACE, BEST_POINTS)

_BEFORE = (RANK, KEY, NAME, GAMES, SCORES, PENALTY, BEYOND, MISSING, ADJUSTED, CARRIED, HEAD_START, TOTAL)
CSV = (*_BEFORE, *RECORD)
JSON = (*_BEFORE, PLACES_LIST, *RECORD[len(PLACES) :])
WORKBOOK = (
    *(RANK, NAME, ROMANIZED, COUNTRY, CLUB, GAMES, BEYOND, MISSING, TOTAL),
    *(SCORES, PENALTY, ADJUSTED, CARRIED, HEAD_START, *RECORD, KEY),
)
PAGE = (RANK, PLAYER, TOTAL, GAMES, SCORES, PENALTY, ADJUSTED, CARRIED, *RECORD, LAST, CLUB)
FACTS = (AVERAGE_PLACE,)  # on the page of one player or team with a game

TEAM_FILES = (
    *(RANK, TEAM_KEY, TEAM_NAME, GAMES, SCORES, PENALTY, DEDUCTED, ADJUSTED, CARRIED, TOTAL),
    *RECORD,
)
TEAM_JSON = (
    *(RANK, TEAM_KEY, TEAM_NAME, GAMES, SCORES, PENALTY, CARRIED, TOTAL),
    *(PLACES_LIST, AVERAGE_PLACE),
)
TEAM_PAGE = (RANK, TEAM, TOTAL, GAMES, SCORES, TEAM_PENALTY, ADJUSTED, CARRIED, *RECORD)
MEMBER_FILES = (NAME, GAMES, TOTAL, SCORES, PENALTY, *RECORD, KEY)
MEMBER_JSON = (KEY, GAMES, TOTAL)
MEMBER_PAGE = (MEMBER, TOTAL, GAMES, PENALTY, *RECORD)

NEEDS_HISTORY = any(column.needs_history for column in RECORD)
