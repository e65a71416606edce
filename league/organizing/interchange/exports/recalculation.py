"""Sheets that compute the workbook again from its own sheets of tables, penalties and standings.

*Recalculation* has a row per row of the sheet of tables, and formulas from its points to its score.
*Recalculated standings* adds these up and ranks them. *Check* counts the differences from the values, and
names what is taken as a value. Formulas have no stored results, so a program that does not compute shows
nothing and never a wrong zero. They use the functions that Excel 2010, LibreOffice and Google Sheets share.

Formula templates name cells of their own row: ``[points]`` is a cell, ``[points:table]`` that column at the
table, ``[points:above]`` the column at the table down to this row, ``[points:stage]`` that column in the
stage.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext
from openpyxl.utils import get_column_letter

from league.core.files.columns import AVERAGE, LONG, POINTS, SCORE, TEXT, WHOLE, Column
from league.core.files.looks import BAND, LEFT, PLAIN
from league.core.files.xlsx import RECKONING, ExcelBook, ExcelSheet, Formula
from league.core.text import listed
from league.models import Competition, Stage
from league.play.results.exports import TableLine
from league.ranking.standings.queries.stages import carried_chain
from league.ranking.standings.queries.standings import Standings, StandingsRow
from league.ranking.standings.words import tie_break_label
from scoring.rules import DROP, EXACT, FIRST, LAST_DEALER, SPLIT, Rules
from scoring.settlement import SEATS, length_factor
from scoring.standings import AVERAGE as AVERAGED
from scoring.standings import BEST, METRICS, RUN, Numbers, counting
from scoring.units import Score

MOST_TABLES: Final = 4_000  # each has about 80 formulas
LATE: Final = 10_000_000  # points by which a late substitute comes after the others
DIFFERENT: Final = "0.000001"
_NAME: Final = re.compile(r"\[(\w+)(?::(\w+))?\]")

# Formulas of tie-breaks, the smaller value first. Other tie-breaks are taken from the standings.
TIE_FORMULAS: Final[Mapping[str, str]] = {
    name: f"{'-' if metric.more_is_better else ''}[{metric.column}]"
    for name, metric in METRICS.items()
    if metric.column
}
CLASSES: Final = "IF([games]+[brought_games]=0,2,IF([missing]>0,1,0))"


@dataclass
class Area:
    """Columns of a sheet from which formulas read, and the rows of a stage in it."""

    sheet: ExcelSheet

    @cached_property
    def _letters(self) -> dict[str, str]:
        keys = [column.key for column in self.sheet.columns]
        return {key: get_column_letter(keys.index(key) + 1) for key in keys}

    def letter(self, key: str) -> str | None:
        return self._letters.get(key)

    def cell(self, key: str, row: int) -> str:
        """Return the address of a cell, or 0 for a column that the sheet left out because it is empty."""
        letter = self.letter(key)
        return f"{self.title}!${letter}{row}" if letter else "0"

    def rows(self, key: str, first: int, last: int) -> str:
        """Return the address of a part of a column, or of its only cell."""
        letter = self.letter(key)
        return f"{self.title}!${letter}${first}" + (f":${letter}${last}" if last > first else "")

    @property
    def title(self) -> str:
        return "'" + str(self.sheet.worksheet.title).replace("'", "''") + "'"


class Players(Area):
    """The sheet of players, by whose rows sums find a player."""

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {values[0]: row for row, values in enumerate(self.sheet.values, start=2)}

    @cached_property
    def _are_plain(self) -> bool:
        """Return whether MATCH finds every key: no wildcards, and no two that differ by case alone."""
        folded = {key.casefold() for key in self._rows}
        return len(folded) == len(self._rows) and not any(re.search(r"[*?~]", key) for key in self._rows)

    def row_of(self, key: str) -> str | int:
        """Return the template that finds the row of the player in the column `player`, or the row itself."""
        if self._are_plain:
            return f"MATCH([player],{self.rows('player', 1, self.sheet.rows)},0)"
        return self._rows[key]


@dataclass
class Played:
    """The lines of the sheet of tables. Line ``n`` has the rows from ``2 + 4 * n`` on."""

    area: Area
    lines: list[TableLine] = field(default_factory=list)

    def stages(self) -> Iterator[tuple[tuple[int, str], int, int]]:
        """Yield (division, stage), its first and its last row. The lines of a stage follow each other."""
        begin = 0
        for index, line in enumerate(self.lines):
            if index + 1 == len(self.lines) or _stage_of(self.lines[index + 1]) != _stage_of(line):
                yield _stage_of(line), 2 + 4 * begin, 5 + 4 * index
                begin = index + 1


def _stage_of(line: TableLine) -> tuple[int, str]:
    return line.division.pk, line.stage_slug


@dataclass(frozen=True)
class Ranked:
    """The sheet of one stage's standings."""

    stage: Stage
    found: Standings
    area: Area


def add_recalculation(
    book: ExcelBook,
    competition: Competition,
    played: Played,
    ranked: Sequence[Ranked],
    penalties: ExcelSheet | None,
    players: ExcelSheet,
) -> None:
    """Add the three sheets. ``penalties``: the sheet that lists them, or None if the reader sees sums."""
    check, members = Check(book, competition), Players(players)
    tables = _add_tables(book, competition, played, check, members)
    standings = _Standings(book, competition, played, tables, Area(penalties) if penalties else None, members)
    for each in ranked:
        standings.add(each, check)
    check.write(competition, penalties is not None)


# --- the rules in numbers, and the differences


class Check:
    """The sheet that counts the differences, and states the numbers of the rules that formulas read."""

    def __init__(self, book: ExcelBook, competition: Competition) -> None:
        places = [
            Column("uma", _("Uma of place %(place)s") % {"place": place}, SCORE) for place in (1, 2, 3, 4)
        ]
        columns = [
            Column("what", _("Item"), LONG, most=60),
            Column("value", pgettext("of a fact", "Value"), SCORE),
            *places,
        ]
        self.sheet = book.sheet(pgettext("of a workbook", "Check"), columns, tab=RECKONING)
        self.area = Area(self.sheet)
        self.divisions = list(competition.divisions.select_related("rule_set"))
        self.differences: list[tuple[str, str]] = []

    def number(self, division: int, name: str) -> str:
        """Return the address of a number of the rules of a division."""
        return self.area.rows("value", *(self._first(division) + list(_RULES).index(name),) * 2)

    def uma(self, division: int) -> str:
        """Return the addresses of the uma, of the rows for 0 to 4 players at or above the start."""
        first = self._first(division) + len(_RULES)
        return f"{self.area.title}!$C${first}:$F${first + 4}"

    def _first(self, division: int) -> int:
        return 3 + _BLOCK * [each.pk for each in self.divisions].index(division)

    def compare(self, words: str, one: str, other: str) -> None:
        wrong = f"SUMPRODUCT(({one}-{other}>{DIFFERENT})+({other}-{one}>{DIFFERENT}))"
        self.differences.append((words, wrong))

    def write(self, competition: Competition, lists_penalties: bool) -> None:
        first = 3 + len(self.divisions) * _BLOCK
        last = first + max(len(self.differences), 1) - 1
        total = Formula(f"SUM(B{first}:B{last})")
        self.sheet.add([_("Differences from the values"), total, *_NO_UMA], kinds=_WHOLE, look=BAND)
        for division in self.divisions:
            for label, read in _RULES.values():
                self.sheet.add([_named(division.name, _(label)), read(division.rules), *_NO_UMA])
            for count in range(5):
                uma = (division.rules.floating_uma or {}).get(count, division.rules.uma)
                words = _("%(count)s players at or above the starting points") % {"count": count}
                self.sheet.add([_named(division.name, words), None, *uma])
        for words, formula in self.differences:
            self.sheet.add([words, Formula(formula), *_NO_UMA], kinds=_WHOLE)
        for note in _notes(competition, lists_penalties):
            self.sheet.add([note, None, *_NO_UMA], look=LEFT)


_NO_UMA: Final = (None,) * 4
_WHOLE: Final = (LONG, WHOLE, *(SCORE,) * 4)
# The numbers of the rules in tenths, because the column is one of scores.
_RULES: Final[Mapping[str, tuple[str, Callable[[Rules], Any]]]] = {
    "start": (gettext_noop("starting points, in thousands"), lambda rules: rules.start_points // 100),
    "back": (gettext_noop("return points, in thousands"), lambda rules: rules.return_points // 100),
    "oka": (gettext_noop("oka"), lambda rules: rules.oka),
    "sashiuma": (gettext_noop("sashiuma"), lambda rules: rules.sashiuma or 0),
    "chip": (gettext_noop("value of a chip"), lambda rules: rules.chip_value or 0),
    "length": (gettext_noop("factor for the length of the game"), lambda rules: 10 * length_factor(rules)),
}
_BLOCK: Final = len(_RULES) + 5


def _named(division: str, words: str) -> str:
    return _("%(division)s: %(what)s") % {"division": division, "what": words}


def _notes(competition: Competition, lists_penalties: bool) -> Iterator[str]:
    yield _(
        "Taken as values: the seats, who came late, the order among equal points, head starts and points for "
        "rounds not played. Teams and the overall ranking are not recalculated."
    )
    if Stage.objects.of(competition).filter(beyond=RUN, standard_hanchan__isnull=False).exists():
        yield _("Which games in a row count is taken as a value, because a formula cannot compare all rows.")
    others = [name for name in competition.tie_breaks if name not in TIE_FORMULAS]
    if others:
        yield _("Ties that these decide keep the order of the standings: %(tie_breaks)s.") % {
            "tie_breaks": listed(map(tie_break_label, others))
        }
    if not lists_penalties:
        yield _("Penalties are taken as values, because this workbook does not list them.")


# --- tables


def _share(pot: str, rules: Rules) -> str:
    """Return a seat's share of a pot, as `scoring.settlement` shares it out."""
    if rules.split_remainder == EXACT:
        return f"({pot})/[equal]"
    tenths = f"ROUND(({pot})*10,0)"
    share = f"INT({tenths}/[equal])/10"
    if rules.split_remainder == DROP:
        return share
    return f"({share}+[nearest]*MOD({tenths},[equal])/10)"


def _rounding(rounding: str) -> str:
    """Return the rounded points of a seat below first place, in points."""
    up_at_half = "INT(([points]+500)/1000)*1000"
    down_at_half = "-INT(-([points]-500)/1000)*1000"
    return {
        "none": "[points]",
        "down": "INT([points]/1000)*1000",
        "up": "-INT(-[points]/1000)*1000",
        "half_up": up_at_half,
        "half_down": down_at_half,
        "half_away": f"IF([points]>=0,{up_at_half},{down_at_half})",
    }[rounding]


def _table_formulas(division: int, rules: Rules, check: Check, *, named: bool) -> dict[str, str]:
    def number(name: str) -> str:
        return check.number(division, name)

    above = f"SUMPRODUCT(([points:table]>={number('start')}*1000)*([late:table]=0))"
    shared = "({1,2,3,4}>=[by_points])*({1,2,3,4}<[by_points]+[equal])"
    uma = f"SUMPRODUCT({shared}*INDEX({check.uma(division)},{above}+1,0))"
    oka = f"IF([by_points]=1,{number('oka')},0)"
    left = f"({number('start')}*4-SUM([points:table])/1000)" if rules.leftover_sticks == FIRST else "0"
    paid = "*".join(
        [
            f"({number('sashiuma')}/[equal])",
            "(MAX(0,[by_points]+[equal]-MAX(3,[by_points]))-MAX(0,MIN(3,[by_points]+[equal])-[by_points]))",
        ]
    )
    of_score = "RANK([before],[before:table])"
    return {
        "order_key": f"[points]-[late]*{LATE}-[order]/10",
        "by_points": "RANK([order_key],[order_key:table])",
        "equal": "COUNTIF([order_key:table],[order_key])",
        "nearest": "IF(COUNTIF([order_key:above],[order_key])=1,1,0)",
        "rounded": f"IF([by_points]=1,0,({_rounding(rules.rounding)}-[points])/1000)",
        "base": f"([points]/1000-{number('back')}+IF([by_points]=1,"
        f"{_share('-SUM([rounded:table])', rules)},[rounded]))*{number('length')}",
        "place_points": f"({_share(f'{uma}+{oka}', rules)})*{number('length')}",
        "oka": f"({_share(oka, rules)})*{number('length')}",
        "uma": "[place_points]-[oka]",
        "sticks": f"({_share(f'IF([by_points]=1,{left},0)', rules)})*{number('length')}",
        "paid": paid if rules.sashiuma is not None else "0",
        "sashiuma": 'IF([named]="",0,INDEX([paid:table],[named]))-[paid]*COUNTIF([named:table],[seat])',
        "before": "ROUND([base]+[place_points]+[sticks]"
        + ("+[sashiuma]" if named else "")
        + ",9)"
        + f"-[late]*{LATE}-[order]/1000",
        "place": f"IF(COUNT([named:table])=0,[by_points],{of_score})" if named else "[by_points]",
        "score": "ROUND([base]+[place_points]+[sticks]"
        + ("+[sashiuma]" if named else "")
        + f"+[chips]*{number('chip')},9)",
        "sum": "SUM([score:table])",
    }


def _add_tables(
    book: ExcelBook, competition: Competition, played: Played, check: Check, players: Players
) -> "_Sheet":
    named = any(each.rules.sashiuma is not None for each in check.divisions)
    stages = Stage.objects.of(competition)
    numbers = {(stage.division_id, stage.slug): stage.numbers for stage in stages}
    leaves_out = any(each.leaves_out for each in numbers.values())
    columns = [
        Column("player", _("Key")),
        Column("number", _("Row of the player"), WHOLE),
        Column("seat", pgettext("at a table", "Seat"), WHOLE),
        Column("points", _("Points"), POINTS),
        Column("late", _("Came late"), WHOLE),
        Column("order", _("Order among equals"), WHOLE),
        *([Column("named", _("Named seat"), WHOLE)] if named else []),
        Column("chips", _("Chips"), WHOLE),
        Column("order_key", _("Points to rank by"), AVERAGE),
        Column("by_points", _("Place by points"), WHOLE),
        Column("equal", _("Players in this place"), WHOLE),
        Column("nearest", _("First of them from east"), WHOLE),
        Column("rounded", _("Rounding"), SCORE),
        Column("base", _("Score from points"), SCORE),
        Column("place_points", _("Uma and oka"), SCORE),
        Column("oka", _("Oka"), SCORE),
        Column("uma", _("Uma"), SCORE),
        Column("sticks", _("Deposits"), SCORE),
        *([Column("paid", _("Paid for being named"), SCORE)] if named else []),
        *([Column("sashiuma", _("Sashiuma"), SCORE)] if named else []),
        *([Column("before", _("Score to rank by"), SCORE)] if named else []),
        Column("place", pgettext("finish", "Place"), WHOLE),
        Column("score", _("Score"), SCORE),
        Column("sum", _("Table sum"), SCORE),
        *([Column("played", _("Played by the player"), WHOLE)] if leaves_out else []),
        Column("counts", _("Counts"), WHOLE),
    ]
    sheet = _Sheet(book.sheet(_("Recalculation"), columns, tab=RECKONING))
    source = played.area
    spans = {stage: (first, last) for stage, first, last in played.stages()}
    formulas = {each.pk: _table_formulas(each.pk, each.rules, check, named=named) for each in check.divisions}
    in_runs = _seats_in_runs(competition, played, numbers)
    for index, line in enumerate(played.lines):
        first = 2 + 4 * index
        span = {"table": (first, first + 3), "stage": spans[_stage_of(line)]}
        for wind in SEATS:
            row = first + wind
            values: dict[str, Any] = {
                "player": Formula(source.cell("player", row)),
                "points": Formula(source.cell("points", row)),
                "seat": wind + 1,
                "number": players.row_of(line.players[wind].key),
            }
            if line.seats is not None:
                values |= _facts_of(line, wind, source, row)
                values |= formulas[line.division.pk]
                values["played"] = int(_is_played(competition, line, wind))
                in_run = (index, wind) in in_runs
                values["counts"] = _counts(values["played"], numbers[_stage_of(line)], in_run=in_run)
                if wind != SEATS[-1]:
                    del values["sum"]
            sheet.add(values, span, look=BAND if index % 2 else PLAIN)
    last = 1 + 4 * len(played.lines)
    for key in ("place", "uma", "oka", "sticks", *(["sashiuma"] if named else []), "score", "sum"):
        header = next(column.header for column in columns if column.key == key)
        words = _("Tables: %(column)s") % {"column": header}
        if last > 1:
            check.compare(words, source.rows(key, 2, last), sheet.rows(key, 2, last))
    return sheet


def _facts_of(line: TableLine, wind: int, source: Area, row: int) -> dict[str, Any]:
    rules = line.division.rules
    start = line.ending.last_dealer if rules.tie_rule == LAST_DEALER else 0
    sashiuma = dict(line.ending.sashiuma) if rules.sashiuma is not None else {}
    return {
        "late": int(wind in line.ending.late),
        "order": 0 if rules.tie_rule == SPLIT else (wind - start) % 4,
        "named": sashiuma[wind] + 1 if wind in sashiuma else None,
        "chips": Formula(source.cell("chips", row)) if rules.chip_value is not None else 0,
    }


def _is_played(competition: Competition, line: TableLine, wind: int) -> bool:
    """Return whether the result counts for the player in this seat, who played it."""
    return line.status in competition.counted_statuses and wind not in line.instead


def _seats_in_runs(
    competition: Competition, played: Played, numbers: Mapping[tuple[int, str], Numbers]
) -> set[tuple[int, int]]:
    """Return (index of the line, wind) of the games that count in stages where a run of games counts."""
    games: dict[tuple[int, str], dict[str, list[tuple[int, int, Score]]]] = {}
    for index, line in enumerate(played.lines):
        stage = _stage_of(line)
        if line.seats is None or numbers[stage].beyond != RUN:
            continue
        for wind in SEATS:
            if _is_played(competition, line, wind):
                own = games.setdefault(stage, {}).setdefault(line.players[wind].key, [])
                own.append((index, wind, line.seats[wind].score))
    return {
        own[at][:2]
        for stage, players in games.items()
        for own in players.values()
        for at in counting([score for *_seat, score in own], numbers[stage])
    }


def _counts(played: int, numbers: Numbers, *, in_run: bool) -> Any:
    """Return whether a game counts for its player: 1, 0 or a formula if only some games count."""
    if not played or not numbers.leaves_out:
        return played
    if numbers.beyond == RUN:
        return int(in_run)
    before = "([number:before]=[number])*([played:before]=1)"
    if numbers.beyond == BEST:
        better = "([number:stage]=[number])*([played:stage]=1)*([score:stage]>[score])"
        better = f"SUMPRODUCT({better})+SUMPRODUCT({before}*([score:before]=[score]))"
    else:
        better = f"SUMPRODUCT({before})"
    return f"IF({better}<={numbers.standard},1,0)"


class _Sheet:
    """A sheet of formulas, whose templates name cells of the same row and of the spans of rows around it."""

    def __init__(self, sheet: ExcelSheet) -> None:
        self.sheet = sheet
        self.area = Area(sheet)
        self.rows = self.area.rows
        self._letters = {
            column.key: get_column_letter(index) for index, column in enumerate(sheet.columns, start=1)
        }

    def add(
        self, values: Mapping[str, Any], spans: Mapping[str, tuple[int, int]], *, look: str = PLAIN
    ) -> None:
        """Add a row. A text in a column of numbers is a template."""
        row = self.sheet.rows + 1

        def address(found: "re.Match[str]") -> str:
            letter, span = self._letters[found[1]], found[2]
            if span is None:
                return f"{letter}{row}"
            first, last = (spans["table"][0], row) if span == "above" else spans.get(span, (0, 0))
            if span == "before":
                first, last = spans["stage"][0], row
            return f"{letter}${first}:{letter}${last}"

        cells = []
        for column in self.sheet.columns:
            value = values.get(column.key)
            if isinstance(value, str) and column.kind not in (TEXT, LONG):
                value = Formula(_NAME.sub(address, value))
            cells.append(value)
        self.sheet.add(cells, look=look)


# --- standings


class _Standings:
    """The sheet of recalculated standings, a row per player and stage."""

    def __init__(
        self,
        book: ExcelBook,
        competition: Competition,
        played: Played,
        tables: _Sheet,
        penalties: Area | None,
        players: Players,
    ) -> None:
        self.tables, self.penalties, self.players = tables, penalties, players
        self.spans = {stage: (first, last) for stage, first, last in played.stages()}
        self.metrics: list[str] = []
        for name in competition.tie_breaks:
            if name not in TIE_FORMULAS:
                break
            self.metrics.append(name)
        columns = [
            Column("division", _("Division")),
            Column("stage", _("Stage")),
            Column("player", _("Key")),
            Column("number", _("Row of the player"), WHOLE),
            Column("games", _("Games"), WHOLE),
            Column("missing", _("Games needed to be ranked"), WHOLE),
            Column("score", _("Score"), SCORE),
            Column("penalty", _("Penalties"), SCORE),
            Column("deductions", _("Deductions"), SCORE),
            Column("adjusted", _("Rounds not played"), SCORE),
            Column("brought", _("Carried in"), SCORE),
            Column("brought_games", _("Games carried in"), WHOLE),
            Column("head_start", _("Head start (in carried over)"), SCORE),
            Column("carried", _("Carried over"), SCORE),
            Column("total", _("Total"), SCORE),
            *(Column(key, header, WHOLE) for key, header in zip(PLACES, _place_headers(), strict=True)),
            Column("average_place", _("Average place"), AVERAGE),
            Column("best_points", _("Best points"), POINTS),
            *([Column("best_score", _("Best score"), SCORE)] if "best_score" in self.metrics else []),
            Column("class", _("Ranked before the others"), WHOLE),
            *(
                Column(f"tie_{index}", _("Tie-break %(number)s") % {"number": index + 1}, AVERAGE)
                for index in range(len(self.metrics))
            ),
            Column("order", _("Order among equals"), WHOLE),
            Column("rank", _("Rank"), WHOLE),
        ]
        self.sheet = _Sheet(book.sheet(_("Recalculated standings"), columns, frozen=3, tab=RECKONING))
        self.rows_of: dict[int, tuple[int, int]] = {}

    def add(self, ranked: Ranked, check: Check) -> None:
        stage, lines = ranked.stage, ranked.found.rows
        span = self.spans.get((stage.division_id, stage.slug))
        if not lines or span is None:
            return
        first = self.sheet.sheet.rows + 1
        rows = first, first + len(lines) - 1
        before = self._rows_before(stage)
        for index, line in enumerate(lines):
            self.sheet.add(self._row(ranked, line, 2 + index, span, before), {"stage": rows})
        self.rows_of[stage.pk] = rows
        for key in (
            "games",
            "score",
            "penalty",
            "carried",
            "total",
            *PLACES,
            "average_place",
            "best_points",
            "rank",
        ):
            if ranked.area.letter(key):
                column = next(column for column in ranked.area.sheet.columns if column.key == key)
                words = _("%(stage)s: %(column)s") % {"stage": stage.name, "column": column.header}
                value = ranked.area.rows(key, 2, 1 + len(lines))
                check.compare(_named(stage.division.name, words), value, self.sheet.rows(key, *rows))

    def _rows_before(self, stage: Stage) -> tuple[int, int] | None:
        """Return the rows of the stage from which points are carried over."""
        if stage.carry == Stage.Carry.NONE:
            return None
        every = list(Stage.objects.filter(division=stage.division_id))
        chain, _from_start = carried_chain(stage, every)
        return self.rows_of.get(chain[-2].pk) if len(chain) > 1 else None

    def _row(
        self,
        ranked: Ranked,
        line: StandingsRow,
        row: int,
        span: tuple[int, int],
        before: tuple[int, int] | None,
    ) -> dict[str, Any]:
        stage, source = ranked.stage, ranked.area
        number = self.tables.rows("number", *span)
        counts = self.tables.rows("counts", *span)

        def of_tables(key: str) -> str:
            return self.tables.rows(key, *span)

        def games(place: int) -> str:
            return f"COUNTIFS({number},[number],{counts},1,{of_tables('place')},{place})"

        numbers = stage.numbers
        score = f"SUMIFS({of_tables('score')},{number},[number],{counts},1)"
        if numbers.beyond == AVERAGED and numbers.standard is not None:
            averaged = f"ROUND({score}*{numbers.standard}/[games],1)"
            score = f"IF([games]>{numbers.standard},{averaged},{score})"
        played = self.tables.rows("played", *span) if self.tables.area.letter("played") else counts

        def best(key: str) -> str:
            found = f"SUMPRODUCT(MAX(({number}=[number])*({counts}=1)*({of_tables(key)}+{LATE})))"
            return f"IF([games]=0,0,ROUND({found}-{LATE},6))"

        penalty, deductions = self._penalties(source, row)
        return {
            "division": stage.division.name,
            "stage": stage.name,
            "player": Formula(source.cell("player", row)),
            "number": self.players.row_of(line.player.key),
            "games": "SUM(" + ",".join(f"[{place}]" for place in PLACES) + ")",
            "missing": f"MAX(0,{numbers.valid}-COUNTIFS({number},[number],{played},1)-[brought_games])",
            "score": f"ROUND({score},9)",
            "penalty": penalty,
            "deductions": deductions,
            "adjusted": source.cell("adjusted", row),
            "brought": source.cell("brought", row),
            "brought_games": source.cell("brought_games", row),
            "head_start": source.cell("head_start", row),
            "carried": self._carried(stage, line, source, row, before),
            "total": "ROUND([score]+[penalty]+[adjusted]+[brought]+[carried],6)",
            **{key: games(place) for place, key in enumerate(PLACES, start=1)},
            "average_place": "IF([games]=0,0,([firsts]+2*[seconds]+3*[thirds]+4*[fourths])/[games])",
            "best_points": best("points"),
            "best_score": best("score"),
            "class": CLASSES,
            **{f"tie_{index}": f"ROUND({TIE_FORMULAS[name]},6)" for index, name in enumerate(self.metrics)},
            "order": line.row.rank,
            "rank": self._rank(line, ranked.found),
        }

    def _penalties(self, source: Area, row: int) -> tuple[str, str]:
        listed = self.penalties
        if listed is None or listed.sheet.rows == 1:
            taken = source.cell("penalty", row) if listed is None else "0"
            return taken, f"MAX(0,-{taken})"
        last = listed.sheet.rows

        def column(key: str) -> str:
            return listed.rows(key, 2, last)

        counted = [f'({column(key)}="")' for key in ("state", "revoked_at") if listed.letter(key)]
        own = [f"({column(key)}=[{key}])" for key in ("division", "stage", "player")]
        same = "*".join([*own, *counted])
        score = column("score")
        return f"SUMPRODUCT({same}*{score})", f"-SUMPRODUCT({same}*({score}<0)*{score})"

    def _carried(
        self, stage: Stage, line: StandingsRow, source: Area, row: int, before: tuple[int, int] | None
    ) -> str:
        if before is None or line.row.carried == line.head_start:
            return source.cell("carried", row) if stage.carry != Stage.Carry.NONE else "[head_start]"
        total = f"SUMIFS({self.sheet.rows('total', *before)},{self.sheet.rows('number', *before)},[number])"
        if stage.carry == Stage.Carry.HALF:
            total = f"ROUND({total}/2,1)"
        return f"{total}+[head_start]"

    def _rank(self, line: StandingsRow, found: Standings) -> str:
        better = "([order:stage]<[order])"
        for key in reversed([f"tie_{index}" for index in range(len(self.metrics))]):
            better = f"(([{key}:stage]<[{key}])+([{key}:stage]=[{key}])*{better})"
        better = f"(([total:stage]>[total])+([total:stage]=[total])*{better})"
        better = f"(([class:stage]<[class])+([class:stage]=[class])*{better})"
        unranked = "0" if line.row.gone else f"1+SUMPRODUCT({better})"
        idle = "AND([games]+[brought_games]=0,SUM([games:stage])+SUM([brought_games:stage])>0)"
        return f"IF([missing]>0,0,IF({idle},0,{unranked}))"


PLACES: Final = ("firsts", "seconds", "thirds", "fourths")


def _place_headers() -> tuple[str, ...]:
    return _("1st places"), _("2nd places"), _("3rd places"), _("4th places")
