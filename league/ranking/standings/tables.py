"""Tables of standings. ``Rows`` writes headings and pages, ``columns`` the cells."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy

from league.core.files.columns import SCORE, TEXT
from league.core.search import sort_key
from league.core.stages import stage_before
from league.core.tables import Column, Inside, Rows, ScoreColumn
from league.core.tags import points, score_class, written
from league.core.text import labelled, sentences
from league.models import Entrant, Stage
from league.people.members.queries import info_of
from league.play.rounds.queries.rounds import qualified_by_stage
from league.ranking.standings.columns import (
    CLUB,
    PAGE,
    PLAYER,
    ShownLine,
    StandingsColumn,
    labelled_cell,
    plain_cell,
    state_cell,
)
from league.ranking.standings.queries.rankings import RankingLine
from league.ranking.standings.words import (
    SIGNS,
    Zones,
    counted_words,
    ranking_words,
    tie_break_explanation,
    tie_break_label,
    unranked_words,
    zone_notes,
    zone_words,
)
from players.folding import has_name
from scoring.promotion import LEAVES, PLAY_OFF, STAYS, UP
from scoring.rankings import GAMES, POINTS, Ranking
from scoring.units import decimal_text

MARKS = ("*", "†", "‡", "§", "¶", "‖", "#")  # of the notes under a table


def _sign_of(index: int) -> str:
    """Return the sign of a note. After the last sign they are doubled, then tripled."""
    return MARKS[index % len(MARKS)] * (index // len(MARKS) + 1)


def tie_signs(lines: Iterable[Any]) -> dict[str, str]:
    """Return the sign of each tie-break that put one of the lines below the line above it."""
    decided = dict.fromkeys(line.row.decided_by for line in lines if line.row.decided_by)
    return {name: _sign_of(index) for index, name in enumerate(decided)}


def tie_notes(signs: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the sign and the sentence of each tie-break."""
    return [
        (sign, sentences([_decided_note(name), tie_break_explanation(name)])) for name, sign in signs.items()
    ]


def _heading(column: StandingsColumn) -> Column:
    css = " ".join(
        filter(None, ("" if column.kind == TEXT else "number", column.css, "further" * column.further))
    )
    return Column(
        column.label or column.header,
        orderable=None if column.sortable else False,  # None: as the table says
        initial_sort_descending=column.descending,
        attrs={"th": {key: value for key, value in (("class", css), ("title", column.hint)) if value}},
    )


class SortedLines(TableListData):
    """Lines that a column can sort. Equal ones keep their order, None comes last in both directions."""

    data: list[Any]

    def __init__(self, lines: Iterable[Any], columns: Iterable[StandingsColumn]) -> None:
        super().__init__(list(lines))
        self.keys = {column.key: column.sort or column.value for column in columns}

    def order_by(self, aliases: Iterable[str]) -> None:
        for alias in list(aliases)[:1]:
            key = self.keys[OrderBy(alias).bare]
            known = [line for line in self.data if key(line) is not None]
            unknown = [line for line in self.data if key(line) is None]
            self.data = sorted(known, key=key, reverse=OrderBy(alias).is_descending) + unknown


class LinesTable(Rows):
    """Lines of the competition ``slug``, with the columns that are not empty. Functions write the cells.

    A ``sortable`` table has only the lines whose player's name contains each word of the address's ``q``,
    of which it reads 100 characters. ``of``: added to the caption.
    """

    all_columns: ClassVar[Sequence[StandingsColumn]] = ()
    css = "table-hover align-middle table-sticky"
    sortable = True
    template = "standings/_lines.html"

    def __init__(
        self, lines: Sequence[Any], *, request: HttpRequest, slug: str, of: str = "", **options: Any
    ) -> None:
        self.slug = slug
        self.caption = labelled(self.caption, of) if of else self.caption
        self.visible_columns = self.shown_columns(lines)
        self.find = request.GET.get("q", "")[:100].strip() if self.sortable else ""
        if self.find:
            who = [(line, line.player) for line in lines]
            lines = [line for line, each in who if has_name(self.find, each.name, each.romanized)]
            words = _("No player found for “%(q)s”. Try fewer letters or another spelling.")
            options["empty_text"] = words % {"q": self.find}
        super().__init__(
            SortedLines(lines, self.visible_columns),
            request=request,
            extra_columns=[(column.key, _heading(column)) for column in self.visible_columns],
            template_name=self.template,
            **options,
        )

    @classmethod
    def shown_columns(cls, lines: Sequence[Any]) -> list[StandingsColumn]:
        return [column for column in cls.all_columns if column.is_shown(lines)]

    @classmethod
    def sorts(cls) -> frozenset[str]:
        names = {column.key for column in cls.all_columns if column.sortable}
        return frozenset(names | {f"-{name}" for name in names})

    @property
    def written_rows(self) -> list[SafeString]:
        sorted_by = next((OrderBy(name).bare for name in self.order_by or ()), "")
        self.written = [
            (column, str(column.label or column.header), _css_of(column, is_sorted=column.key == sorted_by))
            for column in self.visible_columns
        ]
        return [
            SafeString(f"{self.drawn_above(row.record)}<tr>{self._write(self.show(row.record))}</tr>")
            for row in self.paginated_rows
        ]

    def drawn_above(self, _line: Any) -> str:
        """Return a row that marks a border above this line."""
        return ""

    def show(self, line: Any) -> ShownLine:
        row = getattr(line, "row", None)  # people who are only listed have none
        return ShownLine(line, self.slug, counted_words=counted_words(row) if row and row.beyond else "")

    def _write(self, shown_line: ShownLine) -> str:
        return "".join(_write_cell(column, shown_line, label, css) for column, label, css in self.written)


def _css_of(column: StandingsColumn, *, is_sorted: bool) -> str:
    kind = "" if column.kind in {TEXT, SCORE} else "number"
    return " ".join(filter(None, (kind, column.css, "further" * column.further, "sorted" * is_sorted)))


def _write_cell(column: StandingsColumn, shown_line: ShownLine, label: str, css: str) -> SafeString:
    value = column.value(shown_line.line)
    shown_line.label = label
    if column.kind == SCORE:
        css = f"{score_class(value)} {css}".rstrip()
    text = "" if column.blank and not value else written(value, column.kind)
    # On a phone the column that the table is sorted by is shown without its heading.
    cell = labelled_cell if css.endswith("sorted") and column.cell is plain_cell else column.cell
    return cell(shown_line, value, text, css)


@dataclass(frozen=True, slots=True)
class CutBorder:
    """The border of a cut: the next stage, and the players or teams in it."""

    stage: str
    inside: Collection[int]


def cut_border(stage: Stage, every: Sequence[Stage]) -> CutBorder | None:
    """Return the cut after this stage, if it is before one of these stages."""
    after = next((each for each in every if each.cut and stage_before(each, every) == stage), None)
    if after is None:
        return None
    return CutBorder(after.name, qualified_by_stage([after])[after.pk])


def find_borders(lines: Sequence[Any], zones: Zones | None, cut: CutBorder | None) -> dict[int, str]:
    """Return player → the border above their line in words. A cut that did not follow the ranks has none."""
    kinds = zones.kinds if zones else {}
    rows = [line.row for line in lines if kinds.get(line.row.player) != LEAVES]
    if not zones and cut:
        inside = [row.player in cut.inside for row in rows]
        kinds = dict.fromkeys(cut.inside, UP) if all(inside[: sum(inside)]) else {}
    borders = {}
    for above, row in pairwise(rows):
        upper, lower = (kinds.get(each.player, STAYS) for each in (above, row))
        if row.unplayed and not above.unplayed:
            borders[row.player] = _("No game yet")
        elif upper != lower:
            kind = upper if lower == STAYS or upper in {UP, PLAY_OFF} else lower
            words = f"{SIGNS[kind]} {zone_words(kind)}"
            if cut and not zones:
                words = _("Cut to %(stage)s") % {"stage": cut.stage}
            apart = _("%(score)s apart") % {"score": decimal_text(above.total - row.total)}
            borders[row.player] = f"{words} · {apart}"
    return borders


class StandingsTable(LinesTable):
    all_columns: ClassVar[Sequence[StandingsColumn]] = PAGE
    css = "table-hover align-middle table-sticky standings"
    template = "standings/_table.html"
    caption = gettext_lazy("Standings")

    def __init__(
        self,
        lines: Sequence[Any],
        *,
        zones: Zones | None = None,
        cut: CutBorder | None = None,
        before: Mapping[int, int] = MappingProxyType({}),
        marks: Mapping[int, SafeString] = MappingProxyType({}),
        **options: Any,
    ) -> None:
        super().__init__(lines, **options)
        self.zones, self.before, self.marks = zones, before, marks
        self.signs = tie_signs(lines)
        self.borders = {} if self.order_by or self.find else find_borders(lines, zones, cut)

    def show(self, line: Any) -> ShownLine:
        shown_line, row = super().show(line), line.row
        if row.decided_by:
            shown_line.sign, shown_line.note = self.signs[row.decided_by], _decided_note(row.decided_by)
        if row.unranked:
            shown_line.unranked = unranked_words(row)
        elif row.player in self.before:
            shown_line.moved = self.before[row.player] - row.rank
        shown_line.mark = self.marks.get(row.player, SafeString(""))
        shown_line.zone, shown_line.zone_words = self._zone_of(row.player), self._zone_words(row.player)
        return shown_line

    def drawn_above(self, line: Any) -> str:
        words = self.borders.get(line.row.player)
        cell = '<tr class="border-line"><td colspan="{}"><span>{}</span></td></tr>'
        return format_html(cell, len(self.visible_columns), words) if words else ""

    def _zone_of(self, player: int) -> str:
        return self.zones.kinds.get(player, "") if self.zones else ""

    def _zone_words(self, player: int) -> str:
        zone = self._zone_of(player)
        return f"{SIGNS.get(zone, '')} {zone_words(zone)}".strip() if zone else ""

    @property
    def zone_notes(self) -> list[tuple[str, str]]:
        return zone_notes(self.zones) if self.zones else []

    @property
    def notes(self) -> list[tuple[str, str]]:
        return tie_notes(self.signs)


def _decided_note(name: str) -> str:
    return _("Total equal to the rank above. Tie-break: %(rule)s.") % {"rule": tie_break_label(name)}


def _division_name(entrant: Entrant) -> str:
    return entrant.division.name if entrant.division else ""


class EntrantsTable(LinesTable):
    """The players of a stage without a result, by name instead of by equal ranks."""

    class Meta:
        order_by = ("player",)

    all_columns = (PLAYER, replace(CLUB, further=False))
    caption = gettext_lazy("Players")


class PlayersTable(LinesTable):
    all_columns = (
        replace(PLAYER, value=info_of, sort=lambda entrant: sort_key(entrant.player.name)),
        replace(
            CLUB,
            value=lambda entrant: info_of(entrant).club,
            sort=lambda entrant: sort_key(info_of(entrant).club) or None,
            further=False,
        ),
        StandingsColumn("division", gettext_lazy("Division"), value=_division_name),
        StandingsColumn(
            "state",
            "",
            optional=True,
            value=lambda entrant: entrant.withdrawn_at is not None,
            cell=state_cell,
            sortable=False,
        ),
    )
    caption = gettext_lazy("Players")

    @classmethod
    def shown_columns(cls, lines: Sequence[Entrant]) -> list[StandingsColumn]:
        one_division = len({line.division_id for line in lines}) < 2
        return [
            column
            for column in super().shown_columns(lines)
            if not (one_division and column.key == "division")
        ]


def _value_classes(record: RankingLine) -> str:
    return f"text-end tabular {score_class(record.ranked.value)}"


class RankingTable(Rows):
    """The lines of one ranking on its page."""

    css = ""

    rank = Inside("standings/_ranking_rank.html", gettext_lazy("Rank"), css="tabular")
    player = Inside("standings/_ranking_player.html", gettext_lazy("Player"), heads_row=True)
    games = Column(gettext_lazy("Games"), accessor="ranked__games", css="text-end tabular")
    points = Column(gettext_lazy("Points"), accessor="ranked__value", css="text-end tabular")
    score = ScoreColumn(
        gettext_lazy("Score"),
        accessor="ranked__value",
        default="",
        attrs={"th": {"class": "text-end"}, "td": {"class": _value_classes}},
    )

    def __init__(self, lines: Sequence[RankingLine], ranking: Ranking, **options: Any) -> None:
        value = {GAMES: "games", POINTS: "points"}.get(ranking.kind, "score")
        without = [name for name in ("points", "score") if name != value]
        super().__init__(lines, without=without, **options)
        self.caption = ranking_words(ranking)

    def render_points(self, value: int) -> str:
        return points(value)
