"""The columns of standings, and the columns of each table in order.

Pages, workbooks, CSV and JSON of players, teams and members use them. Put a column with a fact about players
into ``RECORD`` and ``_RECORD``, and into ``FACTS`` for the player's page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE, Column
from league.core.search import sort_key
from league.standings.cells import (
    Write,
    games_cell,
    labelled_cell,
    last_cell,
    member_cell,
    places_cell,
    plain_cell,
    player_cell,
    rank_cell,
    team_cell,
    total_cell,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsColumn(Column):
    """A column of files and pages.

    An ``optional`` column is left out if all its values are empty or zero. A column that ``repeats`` another
    value is left out if it is equal in every line.
    """

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
    further: bool = False  # shown with all columns alone
    repeats: Callable[[Any], Any] | None = None

    def is_shown(self, lines: Sequence[Any]) -> bool:
        if self.repeats and all(self.value(line) == self.repeats(line) for line in lines):
            return False
        return not self.optional or any(self.value(line) for line in lines)


def _of_row(key: str, header: Promise, kind: str = WHOLE, **more: Any) -> StandingsColumn:
    return StandingsColumn(key, header, kind, **{"value": attrgetter(f"row.{key}")} | more)


def _of_place(key: str, place: int, header: Promise, label: Promise) -> StandingsColumn:
    return StandingsColumn(
        key, header, WHOLE, value=lambda line: line.row.places[place - 1], label=label, descending=True
    )


def _casefold(path: str) -> Callable[[Any], str | None]:
    """Sort names without regard to case, empty ones last."""
    read = attrgetter(path)
    return lambda line: sort_key(read(line) or "") or None


RANK = _of_row(
    "rank",
    _("Rank"),
    value=attrgetter("row.shown_rank"),
    sort=attrgetter("row.rank"),
    css="rank",
    cell=rank_cell,
)
GAMES = _of_row(
    "games", _("Games"), sort=attrgetter("row.played"), css="games", descending=True, cell=games_cell
)
BEYOND = _of_row("beyond", _("Games not counted"), optional=True)
MISSING = _of_row("missing", _("Games needed to be ranked"), optional=True)
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
    label=_("Carried over"),
    hint=_("Carried over from the stage before"),
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
PLACES_BAR = StandingsColumn(
    "places",
    _("Places 1 to 4"),
    value=attrgetter("row.places"),
    css="places-bar",
    cell=places_cell,
    descending=True,
)
AVERAGE_PLACE = _of_row(
    "average_place",
    _("Average place"),
    AVERAGE,
    label=_("Avg. place"),
    hint=_("Average place"),
    css="average",
    cell=labelled_cell,
)
BEST_POINTS = _of_row(
    "best_points",
    _("Best points"),
    POINTS,
    label=pgettext_lazy("column", "Best"),
    hint=_("Highest points in one game"),
    descending=True,
)
CHIPS = _of_row(
    "chips",
    _("Chips"),
    POINTS,
    optional=True,
    hint=_("Chips won or lost; their value is in the score"),
    css="chips-won",
    cell=labelled_cell,
    descending=True,
)
LAST = StandingsColumn(
    "last",
    _("Latest games"),
    value=lambda line: "".join(str(place) for place, _score in line.row.last),
    hint=_("Places in the latest five games, newest last"),
    css="places",
    cell=last_cell,
    sortable=False,
    optional=True,
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
    further=True,
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
TEAM_PENALTY = replace(PENALTY, hint=_("Penalties of its players and of the team itself"))
DEDUCTED = StandingsColumn("deducted", _("Of which team penalties"), SCORE, value=attrgetter("deducted"))
MEMBER = replace(PLAYER, cell=member_cell)

# --- which table shows which

RECORD = (*PLACES, AVERAGE_PLACE, BEST_POINTS, CHIPS)

_BEFORE = (RANK, KEY, NAME, GAMES, SCORES, PENALTY, BEYOND, MISSING, ADJUSTED, CARRIED, HEAD_START, TOTAL)
CSV = (*_BEFORE, *RECORD)
JSON = (*_BEFORE, PLACES_LIST, *RECORD[len(PLACES) :])
WORKBOOK = (
    *(RANK, NAME, ROMANIZED, COUNTRY, CLUB, GAMES, BEYOND, MISSING, TOTAL),
    *(SCORES, PENALTY, ADJUSTED, CARRIED, HEAD_START, *RECORD, KEY),
)
_SCORES = replace(SCORES, further=True, repeats=attrgetter("row.total"))
_PENALTY = replace(PENALTY, optional=True)
_RECORD = (
    replace(AVERAGE_PLACE, optional=True),
    PLACES_BAR,
    replace(LAST, optional=True),
    replace(BEST_POINTS, optional=True),
)
PAGE = (RANK, PLAYER, TOTAL, _SCORES, _PENALTY, ADJUSTED, CARRIED, GAMES, CHIPS, *_RECORD, CLUB)
FACTS = (AVERAGE_PLACE, CHIPS)  # on the page of one player or team with a game

TEAM_FILES = (
    *(RANK, TEAM_KEY, TEAM_NAME, GAMES, SCORES, PENALTY, DEDUCTED, ADJUSTED, CARRIED, TOTAL),
    *RECORD,
)
TEAM_JSON = (
    *(RANK, TEAM_KEY, TEAM_NAME, GAMES, SCORES, PENALTY, CARRIED, TOTAL),
    *(PLACES_LIST, AVERAGE_PLACE),
)
TEAM_PAGE = (
    *(RANK, TEAM, TOTAL, _SCORES, replace(TEAM_PENALTY, optional=True), ADJUSTED, CARRIED, GAMES),
    *(AVERAGE_PLACE, PLACES_BAR, BEST_POINTS),
)
MEMBER_FILES = (NAME, GAMES, TOTAL, SCORES, PENALTY, *RECORD, KEY)
MEMBER_JSON = (KEY, GAMES, TOTAL)
MEMBER_PAGE = (MEMBER, TOTAL, _PENALTY, GAMES, AVERAGE_PLACE, PLACES_BAR, BEST_POINTS)

NEEDS_HISTORY = any(column.needs_history for column in RECORD)
