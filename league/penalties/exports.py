"""The penalties of a competition as a workbook that checks itself: the list, its sums, the standings.

Every sum is a formula over the list, and a cell that must read zero holds the list against what the standings
deduct. Texts are compared with EXACT in SUMPRODUCT, because SUMIFS would read names as patterns.
"""

import zoneinfo
from collections.abc import Mapping, Sequence
from functools import partial
from typing import IO, Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.files.columns import LONG, MOMENT, SCORE, WHOLE, Column, local_moment
from league.core.files.xlsx import BAND, PALE, PLAIN, STRUCK, ExcelBook, ExcelSheet, Formula
from league.models import Competition, Penalty
from league.penalties.queries.check import standings_deduct
from league.penalties.queries.list import Fact, penalty_facts, sums_by
from league.penalties.words.penalties import Books, Line, Words, state_words, with_facts
from league.people.queries import PlayerInfo, players_of
from scoring.units import Score

IN_FORCE = str(Penalty.Status.IN_FORCE)
# Columns of the list that formulas name.
KEY, OFFENCE, LEVEL, SCORES, STATE, WHERE, REFEREE = "B", "C", "F", "G", "H", "K", "M"
SUMMED = (
    ("player", KEY),
    ("level", LEVEL),
    ("offence", OFFENCE),
    ("round", WHERE),
    ("referee", REFEREE),
)


def write_penalties(
    competition: Competition, stream: IO[bytes], *, public: bool, language: str | None = None
) -> None:
    """Three sheets: every penalty that this audience reads, sums of them, the check against the standings.

    ``language`` is that of heads and words (None: the active one).
    """
    with translation.override(language or translation.get_language()):
        book = ExcelBook(heading=competition.name)
        people, facts = players_of(competition), penalty_facts(competition, public=public)[::-1]
        words = Words(people, Books.of(competition))
        listed = _add_list(book, competition, facts, words, public=public)
        _add_sums(book, listed, facts, words, public=public)
        _add_check(book, listed, facts, people, standings_deduct(competition, public=public))
        book.save(stream)


def look_of(penalty: Fact | Penalty) -> str:
    """The look of its row: pale while it waits for the chief referee, struck where it does not count."""
    if penalty.counts:
        return PLAIN
    return PALE if penalty.waits else STRUCK


# --- the list


class Listed:
    """Where the list stands: formulas ask it for its columns."""

    def __init__(self, sheet: ExcelSheet) -> None:
        self.title, self.last = sheet.worksheet.title, max(sheet.rows, 2)

    def column(self, letter: str) -> str:
        """The cells of a column, without the head: 'Penalties'!$B$2:$B$40."""
        name = self.title.replace("'", "''")
        return f"'{name}'!${letter}$2:${letter}${self.last}"

    def in_force(self) -> str:
        """1 for each penalty that counts, 0 for each other one."""
        return f'EXACT({self.column(STATE)},"{quoted(state_words(IN_FORCE))}")'


def quoted(text: str) -> str:
    """Text within the quotes of a formula."""
    return text.replace('"', '""')


def _add_list(
    book: ExcelBook, competition: Competition, facts: Sequence[Fact], words: Words, *, public: bool
) -> Listed:
    columns = [
        Column("name", pgettext("of a person", "Name")),
        Column("player", _("Key")),
        Column("offence", _("Offence"), LONG, most=28),
        Column("condition", _("Condition"), LONG, most=24),
        Column("article", _("Article"), LONG, most=24),
        Column("level", _("Level")),
        Column("score", _("Score"), SCORE),
        Column("state", _("State"), LONG, most=14),
        Column("reason", _("Reason"), LONG, most=24),
        Column("hand", _("Hand")),
        Column("where", _("Round"), LONG, most=30),
        Column("table", _("Table"), WHOLE),
        *([] if public else [Column("by", _("Logged by"))]),
        Column("logged_at", _("Logged at (%(zone)s)") % {"zone": competition.timezone}, MOMENT),
        Column("why", _("Revoked or declined because"), LONG, most=24),
    ]
    sheet = book.sheet(_("Penalties"), columns, frozen=1)
    found = with_facts(Penalty.objects.all()).in_bulk([fact.pk for fact in facts])
    zone = zoneinfo.ZoneInfo(competition.timezone)
    for fact in facts:
        line = words.books.line(found[fact.pk], words.people.get(fact.player))
        sheet.add(_row(line, fact, words, zone, public=public), look=look_of(fact))
    return Listed(sheet)


def _row(line: Line, fact: Fact, words: Words, zone: zoneinfo.ZoneInfo, *, public: bool) -> list[Any]:
    penalty, player = line.penalty, line.player
    by = [] if public else [words.of("referee", fact)]
    return [
        player.name if player else None,
        player.key if player else None,
        words.of("offence", fact),
        " ".join((line.condition, f"({line.units})" if line.units else "")).strip() or None,
        line.article or None,
        words.of("level", fact),
        penalty.score,
        state_words(fact.state),
        penalty.reason or None,
        line.hand or None,
        words.of("round", fact),
        penalty.table.number if penalty.table else None,
        *by,
        local_moment(penalty.created_at, zone),
        penalty.revoke_reason or penalty.decide_reason or None,
    ]


# --- sums


def _add_sums(book: ExcelBook, listed: Listed, facts: Sequence[Fact], words: Words, *, public: bool) -> None:
    """How many count and what they come to, by player, level, offence, round and referee. Two players may
    have one name: their line is found by the key, every other one by its words.
    """
    columns = [
        Column("by", _("By")),
        Column("what", _("What"), LONG),
        Column("key", _("Key"), LONG),
        Column("count", _("Penalties that count"), WHOLE),
        Column("sum", _("Sum"), SCORE),
    ]
    sheet = book.sheet(_("Sums"), columns, frozen=0)
    labels = {
        "player": _("Player"),
        "level": _("Level"),
        "offence": _("Offence"),
        "round": _("Round"),
        "referee": _("Referee"),
    }
    for number, (name, column) in enumerate(SUMMED):
        if public and name == "referee":
            continue
        for found in sums_by(facts, partial(_group, name, words)):
            word = words.of(name, found.first)
            key = _key_of(found.first, words) if name == "player" else None
            named = f"{'B' if key is None else 'C'}{sheet.rows + 1}"
            same = f"EXACT({listed.column(column)},{named})*{listed.in_force()}"
            count = Formula(f"SUMPRODUCT({same})", found.counted)
            total = Formula(f"SUMPRODUCT({same},{listed.column(SCORES)})", found.score)
            row = [labels[name], word, key, count, total]
            sheet.add(row, look=BAND if number % 2 else PLAIN)


def _group(name: str, words: Words, fact: Fact) -> str:
    """Two players may have one name; all else is told apart by its words."""
    return fact.key(name) if name == "player" else words.of(name, fact)


def _key_of(fact: Fact, words: Words) -> str:
    info = words.people.get(fact.player)
    return info.key if info else ""


# --- the check


def _add_check(
    book: ExcelBook,
    listed: Listed,
    facts: Sequence[Fact],
    people: Mapping[int, PlayerInfo],
    deducted: Mapping[int, Score],
) -> None:
    """Every player's penalties beside what the standings deduct; the first line sums them, and its last cell
    reads zero only if all of them agree.
    """
    columns = [
        Column("player", _("Key")),
        Column("name", pgettext("of a person", "Name")),
        Column("penalties", _("Penalties"), SCORE),
        Column("standings", _("Standings"), SCORE),
        Column("difference", _("Difference: must be zero"), SCORE),
    ]
    sums: dict[int, int] = {}
    for fact in facts:
        if fact.counts:
            sums[fact.player] = sums.get(fact.player, 0) + fact.score
    players = sorted(
        (people[pk] for pk in {*sums, *(pk for pk, tenths in deducted.items() if tenths)} if pk in people),
        key=lambda info: (info.name, info.key),
    )
    sheet = book.sheet(_("Check"), columns, frozen=2)
    last = max(len(players) + 2, 3)
    listed_sum, taken_sum = sum(sums.values()), sum(deducted.values())
    apart = _apart(listed_sum, taken_sum)
    for info in players:
        apart += _apart(sums.get(info.player, 0), deducted.get(info.player, 0))
    sheet.add(
        [
            None,
            _("Everyone"),
            Formula(f"SUMPRODUCT({listed.in_force()}*1,{listed.column(SCORES)})", listed_sum),
            Formula(f"SUM(D3:D{last})", taken_sum),
            Formula(f"ROUND(ABS(C2-D2)+SUMPRODUCT(ABS(E3:E{last})),1)", apart),
        ],
        look=BAND,
    )
    for info in players:
        row, own, taken = sheet.rows + 1, sums.get(info.player, 0), deducted.get(info.player, 0)
        same = f"EXACT({listed.column(KEY)},A{row})*{listed.in_force()}"
        own_sum = Formula(f"SUMPRODUCT({same},{listed.column(SCORES)})", own)
        sheet.add([info.key, info.name, own_sum, taken, Formula(f"ROUND(C{row}-D{row},1)", own - taken)])


def _apart(one: Score, other: Score) -> Score:
    """How far two scores are from each other."""
    return one - other if one > other else other - one
