"""The penalties of a competition in files. A cell of the workbook must be zero: penalties less deductions."""

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import partial
from typing import IO, Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl.utils import get_column_letter

from league.core.files.columns import LONG, MOMENT, SCORE, WHOLE, Column, local_moment
from league.core.files.csv import csv_text
from league.core.files.looks import BAND, PALE, PLAIN, STRUCK
from league.core.files.xlsx import ExcelBook, ExcelSheet, Formula
from league.core.search import sort_key
from league.core.text import sentences
from league.core.zones import zone_of
from league.models import Competition, Penalty
from league.people.members.queries import players_of
from league.play.hands.words.penalties import PenaltyLine, state_words
from league.referees.penalties.queries.penalties import listed_penalties, standings_deduct, sums_by
from league.referees.penalties.words import DIMENSIONS
from scoring.units import Score

IN_FORCE = str(Penalty.Status.IN_FORCE)
# Formulas compare texts with EXACT in SUMPRODUCT, because SUMIFS would read names as patterns.
# Columns of the list that formulas name.
KEY, OFFENCE, LEVEL, SCORES, STATE, WHERE, REFEREE = "B", "C", "F", "G", "H", "K", "M"


def write_penalties(
    competition: Competition, stream: IO[bytes], *, public: bool, language: str | None = None
) -> None:
    """Write the workbook for one audience. ``language``: None for the active one."""
    with translation.override(language or translation.get_language()):
        PenaltyWorkbook(competition, public=public).book.save(stream)


def penalties_csv(competition: Competition, *, public: bool) -> str:
    """Return the list for one audience."""
    rows = PenaltyRows(competition, public=public)
    return csv_text(rows.columns(), map(rows.row, rows.lines))


def look_of(penalty: Penalty) -> str:
    """Return the look of a row: pale while the penalty waits, struck out if it does not count."""
    if penalty.counts:
        return PLAIN
    return PALE if penalty.waits else STRUCK


class PenaltyRows:
    """The list of penalties for one audience, oldest first."""

    def __init__(self, competition: Competition, *, public: bool) -> None:
        self.competition, self.public = competition, public
        self.people = players_of(competition)
        self.lines = listed_penalties(competition, public=public)[::-1]
        self.deductions = standings_deduct(competition, public=public)

    def columns(self) -> list[Column]:
        return [
            Column("name", pgettext("of a person", "Name")),
            Column("player", _("Key")),
            Column("offence", _("Offence"), LONG, most=28),
            Column("condition", _("Condition"), LONG, most=24),
            Column("article", _("Article"), LONG, most=24),
            Column("level", _("Level")),
            Column("score", _("Score"), SCORE),
            Column("state", _("State"), LONG, most=14),
            Column("reason", _("Reason"), LONG, most=24),
            Column("hand", pgettext("one deal", "Hand")),
            Column("where", _("Round"), LONG, most=30),
            Column("table", _("Table"), WHOLE),
            *([] if self.public else [Column("by", _("Logged by"))]),
            Column("logged_at", _("Logged at (%(zone)s)") % {"zone": self.competition.timezone}, MOMENT),
            Column("why", _("Reason for revoking or declining"), LONG, most=24),
            Column("meaning", _("At the table"), LONG, most=30),
            Column("outside", _("Not in the standings")),
        ]

    def row(self, line: PenaltyLine) -> list[Any]:
        penalty = line.penalty
        player = self.people.get(line.penalty.player_id)
        return [
            player.name if player else None,
            player.key if player else None,
            DIMENSIONS["offence"].words(line),
            " ".join((line.condition, f"({line.units})" if line.units else "")).strip() or None,
            line.article or None,
            DIMENSIONS["level"].words(line),
            penalty.score,
            state_words(line.state),
            penalty.reason or None,
            line.hand or None,
            DIMENSIONS["round"].words(line),
            penalty.table.number if penalty.table else None,
            *([] if self.public else [DIMENSIONS["referee"].words(line)]),
            local_moment(penalty.created_at, zone_of(self.competition)),
            penalty.revoke_reason or penalty.decide_reason or None,
            sentences(line.at_table.sentences) or None,
            _("yes") if self.is_outside(penalty) else _("no"),
        ]

    def is_outside(self, penalty: Penalty) -> bool:
        return (penalty.stage_id, penalty.player_id) not in self.deductions.rows


class PenaltyWorkbook(PenaltyRows):
    def __init__(self, competition: Competition, *, public: bool) -> None:
        super().__init__(competition, public=public)
        self.book = ExcelBook(heading=competition.name)
        self._add_list()
        self._add_sums()
        self._add_check(self.deductions.by_player)

    @property
    def penalty_sheet(self) -> ExcelSheet:
        return self.book.sheets[0]

    def column(self, letter: str) -> str:
        """Return the cells of a column of the list, without the head: 'Penalties'!$B$2:$B$40."""
        sheet = self.penalty_sheet
        name = sheet.worksheet.title.replace("'", "''")
        return f"'{name}'!${letter}$2:${letter}${max(sheet.rows, 2)}"

    def in_force(self) -> str:
        """Return a formula with 1 for each penalty that counts and 0 for others."""
        quoted = state_words(IN_FORCE).replace('"', '""')
        return f'EXACT({self.column(STATE)},"{quoted}")'

    def outside(self, value: str) -> str:
        """Return a formula with 1 for each penalty with this value in the column of those outside."""
        letter = get_column_letter(len(self.penalty_sheet.columns))
        quoted = value.replace('"', '""')
        return f'EXACT({self.column(letter)},"{quoted}")'

    # --- the list

    def _add_list(self) -> None:
        sheet = self.book.sheet(_("Penalties"), self.columns(), frozen=1)
        for line in self.lines:
            sheet.add(self.row(line), look=look_of(line.penalty))

    # --- sums

    def _add_sums(self) -> None:
        """Add counts and sums. A key finds a player's line, because two players may have one name."""
        columns = [
            Column("by", _("Grouped by")),
            Column("what", _("Item"), LONG),
            Column("key", _("Key"), LONG),
            Column("count", _("Active penalties"), WHOLE),
            Column("sum", _("Sum"), SCORE),
        ]
        summed = (
            ("player", _("Player"), KEY),
            ("level", _("Level"), LEVEL),
            ("offence", _("Offence"), OFFENCE),
            ("round", _("Round"), WHERE),
            ("referee", _("Referee"), REFEREE),
        )
        sheet = self.book.sheet(_("Sums"), columns, frozen=0)
        for number, (name, label, letter) in enumerate(summed):
            if self.public and name == "referee":
                continue
            for group in sums_by(self.lines, partial(_group, name)):
                info = self.people.get(group.first.penalty.player_id)
                key = None if name != "player" else info.key if info else ""
                own = f"{'B' if key is None else 'C'}{sheet.rows + 1}"
                same = f"EXACT({self.column(letter)},{own})*{self.in_force()}"
                count = Formula(f"SUMPRODUCT({same})", group.counted)
                total = Formula(f"SUMPRODUCT({same},{self.column(SCORES)})", group.score)
                row = [label, DIMENSIONS[name].words(group.first), key, count, total]
                sheet.add(row, look=BAND if number % 2 else PLAIN)

    # --- the check

    def _add_check(self, deducted: Mapping[int, Score]) -> None:
        """Add every player's penalties and deductions. The first line reads zero only if all lines agree.

        Penalties of players whom the standings leave out have a column of their own.
        """
        columns = [
            Column("player", _("Key")),
            Column("name", pgettext("of a person", "Name")),
            Column("penalties", _("Penalties"), SCORE),
            Column("standings", _("Standings"), SCORE),
            Column("difference", _("Difference (must be zero)"), SCORE),
            Column("outside", _("Not in the standings"), SCORE),
        ]
        sums: Counter[int] = Counter()
        outside: Counter[int] = Counter()
        for penalty in (line.penalty for line in self.lines):
            if penalty.counts:
                (outside if self.is_outside(penalty) else sums)[penalty.player_id] += penalty.score
        having = {*sums, *outside, *(pk for pk, tenths in deducted.items() if tenths)} & self.people.keys()
        players = sorted((self.people[pk] for pk in having), key=lambda info: (sort_key(info.name), info.key))
        sheet = self.book.sheet(pgettext("heading", "Check"), columns, frozen=2)
        last = max(len(players) + 2, 3)
        listed_sum = sum(sums.values())
        taken_sum = sum(deducted.values())
        apart = _apart(listed_sum, taken_sum)
        for info in players:
            apart += _apart(sums[info.player], deducted.get(info.player, 0))
        everyone = [
            None,
            _("Everyone"),
            Formula(
                f"SUMPRODUCT({self.in_force()}*{self.outside(_('no'))},{self.column(SCORES)})", listed_sum
            ),
            Formula(f"SUM(D3:D{last})", taken_sum),
            Formula(f"ROUND(ABS(C2-D2)+SUMPRODUCT(ABS(E3:E{last})),1)", apart),
            Formula(f"SUM(F3:F{last})", sum(outside.values())),
        ]
        sheet.add(everyone, look=BAND)
        for info in players:
            row = sheet.rows + 1
            own = sums[info.player]
            deduction = deducted.get(info.player, 0)
            same = f"EXACT({self.column(KEY)},A{row})*{self.in_force()}"
            own_sum = Formula(f"SUMPRODUCT({same}*{self.outside(_('no'))},{self.column(SCORES)})", own)
            difference = Formula(f"ROUND(C{row}-D{row},1)", own - deduction)
            apart_from = f"SUMPRODUCT({same}*{self.outside(_('yes'))},{self.column(SCORES)})"
            rest = Formula(apart_from, outside[info.player])
            sheet.add([info.key, info.name, own_sum, deduction, difference, rest])


def _group(name: str, line: PenaltyLine) -> Hashable:
    """Words tell penalties apart, but two players may have one name."""
    return line.penalty.player_id if name == "player" else DIMENSIONS[name].words(line)


def _apart(one: Score, other: Score) -> Score:
    return one - other if one > other else other - one
