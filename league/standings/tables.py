"""Tables of the public pages, by django-tables2.

tables2 declares the columns, their order and their headings. The cells of a long table it would write one by
one through some ten calls each (a quarter of a second for 1,000 players), so a ``Cell`` writes its own
``<td>`` and ``FastTable.body`` joins them. Every text in a cell is escaped where it is written.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Any

import django_tables2 as tables
from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy

from league.core.messages import tie_break_explanation, tie_break_label
from league.core.text import sentences
from league.people.queries import EntrantLine, PlayerInfo
from league.seasons.queries import Zones
from league.seasons.words import SIGNS, counted_words, unranked_words, zone_notes, zone_words
from league.standings.queries.standings import StandingsRow
from league.templatetags.umaoka import average, points, romanized, score, score_class
from scoring.promotion import LEAVES

NUMBER_IN_ADDRESS = 987_654_321
MARKS = ("*", "†", "‡", "§", "¶", "‖", "#")  # of the notes under a table


def mark_of(index: int) -> str:
    """The sign of the note of this index: after the last one they come doubled, then trebled."""
    return MARKS[index % len(MARKS)] * (index // len(MARKS) + 1)


class Cell(tables.Column):
    """A column that writes its own cells. ``write(record, table)`` gives the ``<td>``; ``key(record)`` sorts,
    and None comes last whichever way the column is sorted.
    """

    def __init__(
        self,
        write: Callable[[Any, Any], str],
        *,
        key: Callable[[Any], Any] | None = None,
        css: str = "",
        hint: Any = "",
        **options: Any,
    ) -> None:
        heading = {name: value for name, value in (("class", css), ("title", hint)) if value}
        super().__init__(orderable=key is not None, attrs={"th": heading}, empty_values=(), **options)
        self.write = write
        self.key = key


class SortedList(TableListData):
    """Records in their own order (that of the standings) until a column is asked for; equal ones keep it."""

    data: list[Any]

    def order_by(self, aliases: Iterable[str]) -> None:
        for alias in list(aliases)[:1]:
            key = self.table.columns[OrderBy(alias).bare].column.key
            known = [record for record in self.data if key(record) is not None]
            unknown = [record for record in self.data if key(record) is None]
            self.data = sorted(known, key=key, reverse=OrderBy(alias).is_descending) + unknown


class FastTable(tables.Table):
    """A table of ``Cell`` columns. ``sort`` names one, with - in front for descending, or is ignored."""

    class Meta:
        template_name = "core/_rows.html"
        attrs = {"class": "table table-hover align-middle table-sticky"}

    per_page = 1000

    def __init__(self, records: Sequence[Any], *, sort: str = "", page: str = "1", **options: Any) -> None:
        super().__init__(
            SortedList(list(records)), order_by=[sort] if sort in self.sorts() else [], **options
        )
        self.paginator = Paginator(self.rows, self.per_page)
        self.page = self.paginator.get_page(page)

    @classmethod
    def sorts(cls) -> frozenset[str]:
        """The values that ``sort`` may have."""
        names = {name for name, column in cls.base_columns.items() if column.key is not None}
        return frozenset(names | {f"-{name}" for name in names})

    @property
    def body(self) -> SafeString:
        """All rows of this page."""
        writers = [column.column.write for column in self.columns]
        start = self.page.start_index() - 1 if len(self.rows) else 0
        rows = [
            f"<tr>{''.join([write(record, self) for write in writers])}</tr>"
            for record in self.data.data[start : self.page.end_index()]
        ]
        return mark_safe("\n".join(rows))  # noqa: S308  every writer escapes what it writes


def number_cell(text: object, css: str = "number") -> str:
    return f'<td class="{css}">{text}</td>'


def text_cell(text: str, css: str = "") -> str:
    return f'<td class="{css}">{escape(text)}</td>' if css else f"<td>{escape(text)}</td>"


def name_cell(info: PlayerInfo, player_address: str, note: str = "") -> str:
    """The name, which is the row's heading and leads to the player; romanized, country, a note beside it.
    ``note`` is HTML.
    """
    address = player_address.replace(str(NUMBER_IN_ADDRESS), str(info.entrant))
    country = f' <span class="country">{escape(info.country)}</span>' if info.country else ""
    second = romanized(info)
    below = f'<span class="name-romanized">{escape(second)}</span>' if second else ""
    below += note
    name = f'<a href="{address}">{escape(info.name)}</a>'
    return f'<th scope="row" class="sticky name">{name}{country}{below}</th>'


def player_address(slug: str) -> str:
    """The address of a player's page, with a number to replace: reversing 1,000 addresses takes 10 ms."""
    return reverse("standings:player", args=[slug, NUMBER_IN_ADDRESS])


# --- standings


def _rank(record: StandingsRow, table: "StandingsTable") -> str:
    row = record.row
    if row.unranked:
        return number_cell("–", "number rank")
    if not row.tied:
        return number_cell(row.rank, "number rank")
    return f'<td class="number rank" title="{table.shared}">={row.rank}</td>'


def _player(record: StandingsRow, table: "StandingsTable") -> str:
    """The name; below it why there is no rank, and where the player would go if the season ended now."""
    row, kind = record.row, table.zone_of(record.row.player)
    line = " zone-line" if row.player in table.zone_lines else ""
    note = f'<span class="name-note">{escape(unranked_words(row))}</span>' if row.unranked else ""
    if kind or line:
        words = f"{SIGNS.get(kind, '')} {zone_words(kind)}".strip() if kind else ""
        note += f'<span class="name-note zone zone-{kind or "stays"}{line}">{escape(words)}</span>'
    return name_cell(record.player, table.player_address, note)


def _games(record: StandingsRow, table: "StandingsTable") -> str:
    row = record.row
    if not row.beyond:
        return number_cell(row.games)
    return f'<td class="number" title="{escape(counted_words(row))}">{row.games}/{row.played}</td>'


def _total(record: StandingsRow, table: "StandingsTable") -> str:
    row = record.row
    mark = table.mark(row.decided_by) if row.decided_by else ""
    return f'<td class="{score_class(row.total)} total">{score(row.total)}{mark}</td>'


def _score(record: StandingsRow, table: "StandingsTable") -> str:
    return number_cell(score(record.row.score), score_class(record.row.score))


def _penalty(record: StandingsRow, table: "StandingsTable") -> str:
    penalty = record.row.penalty
    return number_cell(score(penalty), score_class(penalty)) if penalty else "<td></td>"


def _adjusted(record: StandingsRow, table: "StandingsTable") -> str:
    adjusted = record.row.adjusted
    return number_cell(score(adjusted), score_class(adjusted)) if adjusted else "<td></td>"


def _carried(record: StandingsRow, table: "StandingsTable") -> str:
    return number_cell(score(record.row.carried), score_class(record.row.carried))


def _place_column(place: int, heading: Any) -> Cell:
    """How often a player took this place, 1 to 4."""
    return Cell(
        lambda record, table: number_cell(record.row.places[place - 1]),
        key=lambda record: record.row.places[place - 1],
        css="number narrow",
        verbose_name=heading,
        initial_sort_descending=True,
    )


def _last(record: StandingsRow, table: "StandingsTable") -> str:
    marks = "".join(f'<i class="place place-{place}">{place}</i>' for place, _score in record.row.last)
    return f'<td class="places">{marks}</td>'


class StandingsTable(FastTable):
    """One stage's ranking. ``carries``: whether the stage brings points in; ``slug``: the competition's."""

    rank = Cell(_rank, key=lambda r: r.row.rank, css="number", verbose_name=gettext_lazy("Rank"))
    player = Cell(
        _player,
        key=lambda r: r.player.name.casefold(),
        css="sticky",
        verbose_name=gettext_lazy("Player"),
    )
    total = Cell(
        _total,
        key=lambda r: r.row.total,
        css="number",
        verbose_name=gettext_lazy("Total"),
        initial_sort_descending=True,
    )
    games = Cell(
        _games,
        key=lambda r: r.row.played,
        css="number",
        verbose_name=gettext_lazy("Games"),
        initial_sort_descending=True,
    )
    score = Cell(
        _score,
        key=lambda r: r.row.score,
        css="number",
        verbose_name=gettext_lazy("Score"),
        initial_sort_descending=True,
    )
    penalty = Cell(
        _penalty, key=lambda r: r.row.penalty, css="number", verbose_name=gettext_lazy("Penalties")
    )
    adjusted = Cell(
        _adjusted,
        key=lambda r: r.row.adjusted,
        css="number",
        verbose_name=gettext_lazy("Not played"),
        hint=gettext_lazy("For rounds not played: absence, a substitute, sitting out"),
    )
    carried = Cell(
        _carried,
        key=lambda r: r.row.carried,
        css="number",
        verbose_name=gettext_lazy("Carried"),
        hint=gettext_lazy("Brought in from the stage before"),
        initial_sort_descending=True,
    )
    first = _place_column(1, pgettext_lazy("place", "1st"))
    second = _place_column(2, pgettext_lazy("place", "2nd"))
    third = _place_column(3, pgettext_lazy("place", "3rd"))
    fourth = _place_column(4, pgettext_lazy("place", "4th"))
    average = Cell(
        lambda r, t: number_cell(average(r.row.average_place)),
        key=lambda r: r.row.average_place,
        css="number",
        verbose_name=gettext_lazy("Avg. place"),
        hint=gettext_lazy("Average place"),
    )
    best = Cell(
        lambda r, t: number_cell(points(r.row.best_points)),
        key=lambda r: r.row.best_points,
        css="number",
        verbose_name=gettext_lazy("Best"),
        hint=gettext_lazy("Highest points of one game"),
        initial_sort_descending=True,
    )
    last = Cell(
        _last,
        verbose_name=gettext_lazy("Last games"),
        hint=gettext_lazy("Places of the last five games, newest last"),
    )
    club = Cell(
        lambda r, t: text_cell(r.player.club, "wide-only"),
        key=lambda r: r.player.club.casefold() or None,
        css="wide-only",
        verbose_name=gettext_lazy("Club"),
    )

    class Meta(FastTable.Meta):
        template_name = "standings/_table.html"
        attrs = {"class": "table table-hover align-middle table-sticky standings"}

    def __init__(
        self,
        rows: Sequence[StandingsRow],
        *,
        slug: str,
        carries: bool,
        zones: Zones | None = None,
        **options: Any,
    ) -> None:
        hidden = [] if carries else ["carried"]
        self.zones = zones
        if not any(row.row.adjusted for row in rows):
            hidden.append("adjusted")
        if not any(row.player.club for row in rows):
            hidden.append("club")
        super().__init__(rows, exclude=hidden, **options)
        self.player_address = player_address(slug)
        self.shared = escape(_("rank shared with others"))
        self.decided = list(dict.fromkeys(row.row.decided_by for row in rows if row.row.decided_by))
        self.caption = _("Standings")
        self.zone_lines = frozenset() if self.order_by else self._zone_lines(rows)

    def zone_of(self, player: int) -> str:
        return self.zones.kinds.get(player, "") if self.zones else ""

    def _zone_lines(self, rows: Sequence[StandingsRow]) -> frozenset[int]:
        """The players above whom another zone ends; who has left stands in none."""
        players = [row.row.player for row in rows if self.zone_of(row.row.player) != LEAVES]
        return frozenset(
            below for above, below in pairwise(players) if self.zone_of(above) != self.zone_of(below)
        )

    @property
    def zone_notes(self) -> list[tuple[str, str]]:
        """(sign and words, sentence) for each zone."""
        return zone_notes(self.zones) if self.zones else []

    def mark(self, decided_by: str) -> str:
        """The sign that leads to the note which says what put this row below the rank above."""
        sign = mark_of(self.decided.index(decided_by))
        return f'<sup class="tie-mark" title="{escape(self.decided_note(decided_by))}">{sign}</sup>'

    def decided_note(self, decided_by: str) -> str:
        return _("Total equal to the rank above; decided by: %(rule)s.") % {
            "rule": tie_break_label(decided_by)
        }

    @property
    def notes(self) -> list[tuple[str, str]]:
        """(sign, sentences) for each tie-break that decided something in this table."""
        return [
            (mark_of(index), sentences([self.decided_note(name), tie_break_explanation(name)]))
            for index, name in enumerate(self.decided)
        ]


# --- players


class PlayersTable(FastTable):
    """Who is entered. Columns that nobody fills are left out."""

    player = Cell(
        lambda r, t: name_cell(r.info, t.player_address),
        key=lambda r: r.info.name.casefold(),
        css="sticky",
        verbose_name=gettext_lazy("Player"),
    )
    club = Cell(
        lambda r, t: text_cell(r.info.club),
        key=lambda r: r.info.club.casefold() or None,
        verbose_name=gettext_lazy("Club"),
    )
    division = Cell(
        lambda r, t: text_cell(r.division),
        key=lambda r: r.division or None,
        verbose_name=gettext_lazy("Division"),
    )
    state = Cell(
        lambda r, t: (
            f'<td><span class="badge-state">{t.withdrawn}</span></td>' if r.withdrawn else "<td></td>"
        ),
        verbose_name="",
    )

    class Meta(FastTable.Meta):  # tables2 looks at a class's own Meta only
        pass

    def __init__(self, lines: Sequence[EntrantLine], *, slug: str, **options: Any) -> None:
        hidden = [] if any(line.info.club for line in lines) else ["club"]
        if len({line.division for line in lines}) < 2:
            hidden.append("division")
        if not any(line.withdrawn for line in lines):
            hidden.append("state")
        super().__init__(lines, exclude=hidden, **options)
        self.player_address = player_address(slug)
        self.withdrawn = escape(_("withdrawn"))
        self.caption = _("Players")
