"""The columns of standings, and the columns of each table in order.

Pages, workbooks, CSV and JSON of players, teams and members use them. Put a column with a fact about players
into ``RECORD`` and ``_RECORD``, and into ``FACTS`` for the player's page. Functions write the cells, because
templates take four times as long for the 13,000 cells of a page of 1,000 players (``benchmarks.standings``,
"after a change").
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from operator import attrgetter
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.files.columns import AVERAGE, EXACT, POINTS, SCORE, WHOLE, Column, unrounded
from league.core.search import sort_key
from league.core.tags import romanized, withdrawn_badge
from league.core.text import labelled

NOTHING = SafeString("")
MEDALS = 3
LEAST_LENGTH = 0.1  # of a bar, for a number of one figure


@dataclass(slots=True)
class ShownLine:
    """A line of a table of the competition ``slug``.

    ``sign`` refers to ``note``, the tie-break that put the line below the one above. ``zone``: where the
    player would go if the season ended now. ``unranked``: why there is no rank. ``counted_words``: how
    many games count, if not all do. ``moved``: ranks gained by the last round. ``mark``: what the last
    rounds have decided.
    """

    line: Any
    slug: str
    sign: str = ""
    note: str = ""
    zone: str = ""
    zone_words: str = ""
    unranked: str = ""
    counted_words: str = ""
    moved: int = 0
    mark: SafeString = NOTHING
    label: str = ""  # the heading of the column that is being written

    def address(self, page: str, pk: int) -> str:
        return reverse(page, args=[self.slug, pk])


# Line, value, the text of the value and the CSS classes → the cell.
Write = Callable[[ShownLine, Any, str, str], SafeString]


def plain_cell(_line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    return mark_safe(f'<td class="{css}">{escape(text)}</td>' if css else f"<td>{escape(text)}</td>")  # noqa: S308


def labelled_cell(line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    """Write a cell with its heading, for phones that do not show the head of the table."""
    label = escape(line.label)
    return mark_safe(f'<td class="{css}" data-label="{label}">{escape(text)}</td>')  # noqa: S308


def rank_cell(line: ShownLine, _value: Any, _text: str, css: str) -> SafeString:
    row = line.line.row
    if row.shown_rank is None:
        return mark_safe(f'<td class="{css}">–</td>')  # noqa: S308
    rank, title = f"{'=' * row.tied}{row.rank}", ""
    if row.tied:
        title = f' title="{escape(gettext("tied rank"))}"'
    if row.rank <= MEDALS and row.games:
        rank = f'<span class="medal medal-{row.rank}">{rank}</span>'
    if line.moved:
        rank += _moved(line.moved)
    return mark_safe(f'<td class="{css}"{title}>{rank}</td>')  # noqa: S308


def _moved(ranks: int) -> str:
    up = ngettext("up %(count)s rank since the last round", "up %(count)s ranks since the last round", ranks)
    down = ngettext(
        "down %(count)s rank since the last round", "down %(count)s ranks since the last round", -ranks
    )
    arrow, css, words = ("↑", "up", up) if ranks > 0 else ("↓", "down", down)
    words = escape(words % {"count": abs(ranks)})
    shown = f'<i aria-hidden="true">{arrow}{abs(ranks)}</i><span class="visually-hidden">{words}</span>'
    return f' <span class="moved moved-{css}" title="{words}">{shown}</span>'


def games_cell(line: ShownLine, _value: Any, _text: str, css: str) -> SafeString:
    row, label = line.line.row, escape(line.label)
    if row.beyond:
        return format_html(
            '<td class="{}" title="{}" data-label="{}">{}/{}</td>',
            *(css, line.counted_words, line.label, row.games, row.played),
        )
    if row.brought_games:
        games = row.games + row.brought_games
        return mark_safe(f'<td class="{css}" data-label="{label}">{games} †</td>')  # noqa: S308
    return mark_safe(f'<td class="{css}" data-label="{label}">{row.games}</td>')  # noqa: S308


def places_cell(line: ShownLine, places: tuple[int, ...], _text: str, css: str) -> SafeString:
    return mark_safe(f'<td class="{css}">{places_bar(places, line.label)}</td>')  # noqa: S308


@lru_cache(maxsize=4096)
def places_bar(places: tuple[int, ...], label: str) -> str:
    """Draw counts of places as one bar. Each part has its number and room for it."""
    if not any(places):
        return ""
    lengths = [max(count / sum(places), LEAST_LENGTH) if count else 0 for count in places]
    parts, at = "", 0.0
    for count, length in zip(places, lengths, strict=True):
        width = 100 * length / sum(lengths)
        parts += f'<rect x="{at:.0f}%" width="{width:.0f}%"/>'
        parts += f'<text x="{at + width / 2:.0f}%" y="50%">{count}</text>' if count else "<text/>"
        at += width
    words = escape(labelled(label, " ".join(map(str, places))))
    return f'<svg class="bar" role="img" aria-label="{words}">{parts}</svg>'


def total_cell(line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    mark = (
        format_html('<sup class="tie-mark" title="{}">{}</sup>', line.note, line.sign)
        if line.sign
        else NOTHING
    )
    return format_html('<td class="{} total">{}{}</td>', css, text, mark)


def last_cell(_line: ShownLine, value: str, _text: str, css: str) -> SafeString:
    tiles = "".join(f'<i class="place place-{place}">{place}</i>' for place in value)
    return mark_safe(f'<td class="{css}">{tiles}</td>')  # noqa: S308


def player_cell(line: ShownLine, player: Any, _text: str, _css: str) -> SafeString:
    second, notes = romanized(player), NOTHING
    if second:
        notes += _note(second)
    if getattr(player, "withdrawn", False):
        notes += format_html(" {}", withdrawn_badge())
    if line.unranked:
        notes += _note(line.unranked, "name-note")
    if line.zone:
        notes += _note(line.zone_words, f"name-note zone zone-{line.zone}")
    notes += line.mark
    if player.country:
        notes = format_html(' <span class="country">{}</span>', player.country) + notes
    return _name_cell(line.address("standings:player", player.entrant), player.name, notes)


def member_cell(line: ShownLine, player: Any, _text: str, _css: str) -> SafeString:
    notes, share = NOTHING, line.line.share
    if not line.line.here:
        notes += _note(gettext("former member"))
    if share.missing:
        words = ngettext("%(missing)s game missing", "%(missing)s games missing", share.missing)
        notes += _note(words % {"missing": share.missing})
    elif share.left == 0:
        notes += _note(gettext("maximum reached"))
    return _name_cell(line.address("standings:player", player.entrant), player.name, notes)


def team_cell(line: ShownLine, _value: Any, text: str, _css: str) -> SafeString:
    return _name_cell(line.address("teams:team", line.line.team.pk), text, line.mark)


def state_cell(_line: ShownLine, withdrawn: bool, _text: str, _css: str) -> SafeString:
    badge = format_html('<span class="badge-state">{}</span>', gettext("withdrawn")) if withdrawn else NOTHING
    return format_html("<td>{}</td>", badge)


def _name_cell(address: str, name: str, notes: SafeString) -> SafeString:
    return format_html('<th scope="row" class="sticky name"><a href="{}">{}</a>{}</th>', address, name, notes)


def _note(words: str, css: str = "name-romanized") -> SafeString:
    return format_html('<span class="{}">{}</span>', css, words)


# --- columns


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsColumn(Column):
    """A column of files and pages.

    An ``optional`` column is left out if all its values are empty or zero. A column that ``repeats`` another
    value is left out if it is equal in every line.
    """

    value: Callable[[Any], Any]  # from a line: of a player, a team or a team member
    # on pages
    label: str | Promise = ""  # the heading, where ``header`` is too long
    css: str = ""
    cell: Write = plain_cell
    blank: bool = False  # zero leaves the cell empty
    sort: Callable[[Any], Any] | None = None  # what to sort by instead of the value
    sortable: bool = True
    descending: bool = False  # the first click puts the largest value on top
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
    value=lambda line: line.row.adjusted - line.row.brought,
)
BROUGHT = _of_row(
    "brought",
    _("Carried in"),
    SCORE,
    optional=True,
    label=_("Carried in †"),
    hint=_("From a list without tables. It counts for the total and the number of games, not for places."),
    blank=True,
)
BROUGHT_GAMES = _of_row("brought_games", _("Games carried in"), optional=True)
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
    hint=_("Chips won or lost (the score includes their value)"),
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

EXACT_TOTAL = StandingsColumn(
    "total_exact",
    _("Exact total"),
    EXACT,
    optional=True,
    value=lambda line: unrounded(line.row.total),
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

_BEFORE = (
    *(RANK, KEY, NAME, GAMES, SCORES, PENALTY, BEYOND, MISSING),
    *(ADJUSTED, CARRIED, HEAD_START, TOTAL),
)
_AFTER = (EXACT_TOTAL, BROUGHT, BROUGHT_GAMES)
CSV = (*_BEFORE, *RECORD, *_AFTER)
JSON = (*_BEFORE, PLACES_LIST, *RECORD[len(PLACES) :], *_AFTER)
WORKBOOK = (
    *(RANK, NAME, ROMANIZED, COUNTRY, CLUB, GAMES, BEYOND, MISSING, TOTAL),
    *(SCORES, PENALTY, ADJUSTED, BROUGHT, BROUGHT_GAMES, CARRIED, HEAD_START, *RECORD, KEY),
)
WALL_WHO = (NAME, ROMANIZED, COUNTRY, CLUB)  # on the first sheet of the workbook
WALL_RECORD = (
    *(TOTAL, PENALTY, ADJUSTED, BROUGHT, CARRIED, GAMES, CHIPS),
    *(AVERAGE_PLACE, *PLACES, BEST_POINTS),
)
_SCORES = replace(SCORES, further=True, repeats=attrgetter("row.total"))
_PENALTY = replace(PENALTY, optional=True)
_RECORD = (
    replace(AVERAGE_PLACE, optional=True),
    PLACES_BAR,
    replace(LAST, optional=True),
    replace(BEST_POINTS, optional=True),
)
PAGE = (RANK, PLAYER, TOTAL, _SCORES, _PENALTY, ADJUSTED, BROUGHT, CARRIED, GAMES, CHIPS, *_RECORD, CLUB)
FACTS = (AVERAGE_PLACE, CHIPS)  # on the page of one player or team with a game

TEAM_FILES = (
    *(RANK, TEAM_KEY, TEAM_NAME, GAMES, SCORES, PENALTY, DEDUCTED, ADJUSTED, CARRIED, TOTAL),
    *RECORD,
)
TEAM_BROUGHT = (BROUGHT, BROUGHT_GAMES)  # at the end of a file that needs them
TEAM_JSON = (
    *(RANK, TEAM_KEY, TEAM_NAME, GAMES, SCORES, PENALTY, CARRIED, TOTAL),
    *(PLACES_LIST, AVERAGE_PLACE),
)
TEAM_PAGE = (
    *(RANK, TEAM, TOTAL, _SCORES, replace(TEAM_PENALTY, optional=True)),
    *(ADJUSTED, BROUGHT, CARRIED, GAMES),
    *(AVERAGE_PLACE, PLACES_BAR, BEST_POINTS),
)
MEMBER_FILES = (NAME, GAMES, TOTAL, SCORES, PENALTY, *RECORD, KEY)
MEMBER_JSON = (KEY, GAMES, TOTAL)
MEMBER_PAGE = (MEMBER, TOTAL, _PENALTY, GAMES, AVERAGE_PLACE, PLACES_BAR, BEST_POINTS)
