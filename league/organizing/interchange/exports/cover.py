"""The first sheet of the workbook, for the wall: facts of the event, and its standings as pages show them.

Its rows are those of the pages of standings. A division's newest stage comes first. If teams win, their
standings come before those of the players.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.files.columns import Column, local_moment
from league.core.files.looks import BORDER, FIRST, PLAIN, SECOND, SECTION, THIRD
from league.core.files.wall import WallSheet, WallText
from league.core.files.xlsx import ExcelBook, ExcelRow, Marked, filled_columns
from league.core.search import sort_key
from league.core.stages import StageChoice, part_names
from league.core.tags import romanized, score
from league.core.text import labelled, listed
from league.core.zones import day_of_play, zone_of
from league.models import Competition, Stage
from league.organizing.competitions.queries.head import Head, head_of
from league.organizing.competitions.tags import span
from league.ranking.seasons.queries import zones_of
from league.ranking.standings.columns import (
    GAMES,
    NAME,
    PLACES,
    RANK,
    TOTAL,
    WALL_RECORD,
    WALL_WHO,
    StandingsColumn,
)
from league.ranking.standings.queries.standings import StandingsRow, standings_of
from league.ranking.standings.tables import cut_border, find_borders, tie_notes, tie_signs
from league.ranking.standings.words import (
    SIGNS,
    Zones,
    total_notes,
    unranked_words,
    zone_notes,
    zone_words,
)
from league.ranking.teams.queries import TeamLine, team_standings
from league.rules.rule_sets.words.editions import rule_set_name
from scoring.standings import Row

_LOOKS = {1: FIRST, 2: SECOND, 3: THIRD}  # rank → look of the row
_REMARK = Column(
    "remark",
    gettext_lazy("Remark"),
    optional=True,
    hint=gettext_lazy(
        "Whether the player has withdrawn, the reason for a missing rank, and the move after the season."
    ),
)


@dataclass(frozen=True, slots=True)
class Section:
    """The standings of one stage, of players or of teams."""

    stage: Stage
    lines: Sequence[StandingsRow] | Sequence[TeamLine]
    tables: int
    of_teams: bool = False
    zones: Zones | None = None

    @property
    def is_played(self) -> bool:
        return any(line.row.has_result for line in self.lines)


@dataclass(frozen=True, slots=True)
class Checked:
    """The numbers of results, and of those that a second person has checked."""

    results: int
    checked: int


def add_cover(
    book: ExcelBook,
    competition: Competition,
    choices: Sequence[StageChoice],
    checked: Checked,
    *,
    public: bool,
    at: datetime,
) -> None:
    """Add the first sheet. ``choices``: the stages that the reader of the workbook sees. ``at``: now."""
    every = [choice.stage for choice in choices]
    sections = list(_sections(competition, choices, public=public))
    signs = tie_signs(line for each in sections for line in each.lines)
    rows = [(each, list(_rows(each, every, signs))) for each in sections]
    columns = _columns()
    filled = filled_columns(columns, [row for _section, lines in rows for row in lines if row[0] != BORDER])
    head = head_of(competition, public=public, today=day_of_play(competition, at))
    facts = _facts(competition, sections, head, checked)
    notes = list(dict.fromkeys(_notes(competition, sections, signs)))
    moment = local_moment(at, zone_of(competition))
    zoned = _("%(label)s (%(zone)s)") % {"label": _("Created at"), "zone": competition.timezone}
    text = WallText(competition.name, facts, notes, labelled(zoned, f"{moment:%Y-%m-%d %H:%M}"))
    sheet = WallSheet(book, _("Result"), [columns[index] for index in filled], text)
    for section, lines in rows:
        if len(sections) > 1:
            sheet.add_heading(_title(section, sections, every), look=SECTION)
        for look, values in lines:
            if look == BORDER:
                sheet.add_heading(values[0], look=look)
            else:
                sheet.add([values[index] for index in filled], look=look)


def _columns() -> list[Column]:
    """Return the columns with the headings of pages. An empty one is left out."""
    columns = [replace(each, header=each.label or each.header) for each in (RANK, *WALL_WHO, *WALL_RECORD)]
    return [replace(each, optional=each.key != NAME.key) for each in (*columns, _REMARK)]


# --- which standings


def _sections(competition: Competition, choices: Sequence[StageChoice], *, public: bool) -> Iterator[Section]:
    """Yield the stages with results, of each division the newest first, or its players before any result."""
    every = [choice.stage for choice in choices]
    shown = [
        choice.stage
        for _division, stages in groupby(choices, key=lambda choice: choice.stage.division_id)
        for choice in reversed(_with_results(list(stages)))
    ]
    ranked = standings_of(shown, public=public, every=every) if shown else {}
    of_players = [
        Section(stage, ranked[stage.pk].rows, ranked[stage.pk].tables, zones=zones_of(stage, public=public))
        for stage in shown
    ]
    of_teams = []
    if competition.team_play != Competition.TeamPlay.NONE:
        for stage in [stage for stage in shown if stage.counts_for_teams]:
            found = team_standings(stage, public=public, every=every)
            of_teams.append(Section(stage, found.rows, found.tables, of_teams=True))
    sections = of_teams + of_players if competition.crowns_teams else of_players + of_teams
    yield from (each for each in sections if each.lines)


def _with_results(choices: list[StageChoice]) -> list[StageChoice]:
    return [choice for choice in choices if choice.has_results] or choices[:1]


def _title(section: Section, sections: Sequence[Section], every: Sequence[Stage]) -> str:
    names = part_names(section.stage, every)
    if len({each.of_teams for each in sections}) > 1:
        names = [_("Teams") if section.of_teams else _("Players"), *names]
    return " · ".join(names or [_("Standings")])


# --- lines


def _rows(section: Section, every: Sequence[Stage], signs: Mapping[str, str]) -> Iterator[ExcelRow]:
    """Yield the lines, and above a cut or the end of a zone its words as the only value."""
    if not section.is_played:
        no_record = (None,) * len(WALL_RECORD)
        for line in sorted(section.lines, key=_name_key):
            yield PLAIN, [None, *_who(line, with_club=True), *no_record, _remark(section, line)]
        return
    cut = None if section.of_teams else cut_border(section.stage, every)
    borders = find_borders(section.lines, section.zones, cut)
    for line in section.lines:
        row = line.row
        if words := borders.get(row.player):
            yield BORDER, [words]
        rank = None if row.shown_rank is None else Marked(row.shown_rank, before="=" * row.tied)
        record = (_value(column, line, signs) for column in WALL_RECORD)
        look = _LOOKS.get(row.rank, PLAIN) if rank and row.games else PLAIN
        yield look, [rank, *_who(line), *record, _remark(section, line)]


def _name_key(line: StandingsRow | TeamLine) -> str:
    return sort_key(line.team.name if isinstance(line, TeamLine) else line.player.name)


def _who(line: StandingsRow | TeamLine, *, with_club: bool = False) -> list[str | None]:
    """Return the values of ``WALL_WHO``. As on pages, clubs are shown before the first result only."""
    if isinstance(line, TeamLine):
        return [line.team.name, None, None, None]
    player = line.player
    club = player.club if with_club else ""
    return [player.name, romanized(player) or None, player.country or None, club or None]


def _value(column: StandingsColumn, line: StandingsRow | TeamLine, signs: Mapping[str, str]) -> Any:
    row = line.row
    if column is GAMES:
        return _games(row)
    if column is TOTAL:
        room = max(signs.values(), key=len, default="")
        return Marked(row.total, after=signs.get(row.decided_by or "", ""), room=room)
    value = column.value(line)
    return value if column in PLACES else value or None


def _games(row: Row) -> Marked:
    if row.beyond:
        return Marked(row.games, after=f"/{row.played}")
    return Marked(row.games + row.brought_games, after=" †" * bool(row.brought_games))


def _remark(section: Section, line: StandingsRow | TeamLine) -> str | None:
    words = []
    if isinstance(line, StandingsRow) and line.player.withdrawn:
        words.append(_("withdrawn"))
    if section.is_played and line.row.unranked:
        words.append(unranked_words(line.row))
    zone = section.zones.kinds.get(line.row.player, "") if section.zones else ""
    if zone in SIGNS:
        words.append(f"{SIGNS[zone]} {zone_words(zone)}")
    return listed(words) or None


# --- around the lines


def _facts(competition: Competition, sections: Sequence[Section], head: Head, checked: Checked) -> list[str]:
    rule_sets = [each.rule_set for each in competition.divisions.select_related("rule_set__book")]
    players = ngettext("%(players)s player", "%(players)s players", head.players)
    tables = sum(each.tables for each in sections if not each.of_teams)
    league = competition.league.name if competition.league.name != competition.name else ""
    counted = ngettext("%(tables)s table counted", "%(tables)s tables counted", tables)
    return [
        _joined([span(head.first, head.last), competition.place, league]),
        _joined(
            [
                listed(dict.fromkeys(map(rule_set_name, rule_sets))),
                players % {"players": head.players},
                counted % {"tables": tables} if tables else "",
            ]
        ),
        _joined([_progress(head), _checked_words(checked)]),
    ]


def _joined(words: Iterable[str]) -> str:
    return " · ".join(filter(None, words))


def _progress(head: Head) -> str:
    if head.is_over:
        return _("Final standings")
    if head.now and head.rounds:
        return _("Round %(number)s of %(rounds)s") % {"number": head.now, "rounds": head.rounds}
    if not head.played:
        return ""
    played = ngettext("%(count)s round played", "%(count)s rounds played", head.played)
    return played % {"count": head.played}


def _checked_words(checked: Checked) -> str:
    if not checked.results:
        return _("No results yet")
    if checked.checked == checked.results:
        return _("All results checked by a second person")
    return _("Results checked by a second person: %(checked)s of %(results)s") % {
        "checked": checked.checked,
        "results": checked.results,
    }


def _notes(competition: Competition, sections: Sequence[Section], signs: Mapping[str, str]) -> Iterator[str]:
    """Yield what pages say around their standings."""
    for each in sections:
        if imbalance := each.stage.division.rules.imbalance:
            yield _(
                "Uma and oka of this rule set do not balance starting and return points: table scores sum to "
                "%(sum)s, not 0.0."
            ) % {"sum": score(imbalance)}
    yield from (f"{sign} {words}" for sign, words in tie_notes(signs))
    for each in sections:
        yield from total_notes(each.stage, each.lines, of_teams=each.of_teams)
        if each.zones:
            yield from (f"{sign}: {words}" if sign else words for sign, words in zone_notes(each.zones))
    if competition.counting == Competition.Counting.CONFIRMED:
        yield _("Results count after a second person has confirmed them.")
    if any(each.of_teams for each in sections):
        yield _("The scores of a team’s players are summed. Their penalties count for the team.")
    yield _("1.0 = 1,000 points")
