"""The workbook of a competition. Headers are in the reader's language, values are always the same."""

import zoneinfo
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import IO, Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.core.counted import lists_penalties, shown_penalties, without_secret_stages
from league.core.files.columns import DATE, LONG, MOMENT, POINTS, SCORE, TEXT, WHOLE, Column, local_moment
from league.core.files.looks import BAND, LEFT, PLAIN
from league.core.files.xlsx import PEOPLE, RANKING, REFERENCE, ROUNDS, ExcelBook, ExcelSheet, add_filled
from league.core.stages import part_names, stages_of
from league.core.text import listed, sentences
from league.models import Competition, Entrant, Penalty, Round, Seat, Signature, Stage
from league.models import Sheet as ScoreSheet
from league.organizing.audit_log.queries import head, head_code
from league.organizing.interchange.exports.cover import Checked, add_cover
from league.organizing.interchange.exports.recalculation import (
    MOST_TABLES,
    Area,
    Played,
    Ranked,
    add_recalculation,
)
from league.organizing.interchange.words import FEDERATION_NUMBER, HEADINGS, ONCE
from league.organizing.seating.exports import add_seating
from league.people.members.queries import PlayerInfo, players_of
from league.play.hands.words.penalties import penalty_line, state_words
from league.play.results import exports as results
from league.play.results.exports import TableLine, result_rows, table_lines
from league.ranking.standings.columns import (
    CLUB,
    COUNTRY,
    KEY,
    ROMANIZED,
    TEAM_FILES,
    TEAM_KEY,
    WORKBOOK,
)
from league.ranking.standings.exports import shown_columns, standings_table
from league.ranking.standings.queries.overall import OverallRow, overall
from league.ranking.standings.queries.standings import StandingsRow, standings_of
from league.ranking.standings.words import numbers_words, tie_break_label
from league.ranking.teams.exports import add_team_sheets
from league.ranking.teams.queries import team_finder
from league.referees.penalties.exports import look_of
from league.referees.penalties.queries.penalties import player_sums
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from league.rules.rule_sets.exports import add_rules
from players.models import FederationNumber
from scoring.settlement import NORTH
from scoring.units import Score


def write_workbook(
    competition: Competition,
    stream: IO[bytes],
    *,
    public: bool,
    language: str | None = None,
    at: datetime | None = None,
) -> None:
    """Write the whole competition. ``at``: the time of creation that the workbook states."""
    with translation.override(language or translation.get_language()):
        book, at = ExcelBook(heading=competition.name), at or timezone.now()
        choices = stages_of(competition, public=public)
        stages = [choice.stage for choice in choices]
        if competition.crowns_teams:
            add_team_sheets(book, stages, public=public)
        ranked = _add_standings(book, competition, stages, public=public)
        if competition.team_play == Competition.TeamPlay.SUM:
            add_team_sheets(book, stages, public=public)
        played, check = _add_tables(book, competition, public=public)
        add_seating(book, competition, public=public)
        penalties = _add_penalties(book, competition, public=public)
        players = _add_players(book, competition, public=public)
        add_rules(book, competition)
        if played is not None:
            add_recalculation(book, competition, played, ranked, penalties, players)
        _add_about(book, competition, check, public=public, at=at)
        checked = Checked(check.settled, check.confirmed)
        add_cover(book, competition, choices, checked, public=public, at=at)
        _add_legend(book)
        book.save(stream)


def write_standings(stage: Stage, stream: IO[bytes], *, public: bool) -> None:
    """Write one stage with the columns of the CSV."""
    columns, rows = standings_table(stage, public=public)
    _write_one(stream, _("Standings"), columns, rows, heading=stage.competition.name, frozen=3)


def write_results(
    competition: Competition, lines: Iterable[TableLine], stream: IO[bytes], *, public: bool = True
) -> None:
    """Write every seat of ``lines`` with the columns of the CSV."""
    columns = results.result_columns(competition, public=public)
    rows = (row for line in lines for row in result_rows(line, columns))
    _write_one(stream, _("Results"), columns, rows, heading=competition.name, frozen=4)


def _write_one(
    stream: IO[bytes],
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Any]],
    *,
    heading: str,
    frozen: int,
) -> None:
    book = ExcelBook(heading=heading)
    sheet = book.sheet(title, columns, frozen=frozen)
    for row in rows:
        sheet.add(row)
    book.save(stream)


# --- standings


def _add_standings(
    book: ExcelBook, competition: Competition, stages: Sequence[Stage], *, public: bool
) -> list[Ranked]:
    """Add the ranking over all stages and the ranking of each stage. The first sheet names the winner."""
    if not stages:
        return []
    if len({stage.division_id for stage in stages}) < len(stages):
        _add_overall(book, competition, public=public)
        return _add_stages(book, stages, public=public)
    ranked = _add_stages(book, stages, public=public)
    _add_overall(book, competition, public=public)
    return ranked


def _add_stages(book: ExcelBook, stages: Sequence[Stage], *, public: bool) -> list[Ranked]:
    """Add a sheet per stage, of each division the newest first. Return them in the order of the stages."""
    found = standings_of(stages, public=public, every=stages)
    sheets = {}
    for _division, of_division in groupby(stages, key=lambda stage: stage.division_id):
        for stage in reversed(list(of_division)):
            title = _("Standings") if len(stages) == 1 else " ".join(part_names(stage, stages))
            sheets[stage.pk] = _add_stage(book, title, stage, found[stage.pk].rows)
    return [Ranked(stage, found[stage.pk], Area(sheets[stage.pk])) for stage in stages]


def _add_stage(book: ExcelBook, title: str, stage: Stage, lines: Sequence[StandingsRow]) -> ExcelSheet:
    columns = shown_columns(WORKBOOK, stage, lines)
    rows = [(PLAIN, [_cell_value(column, column.value(line)) for column in columns]) for line in lines]
    return add_filled(book, title, columns, rows, frozen=2, tab=RANKING)


def _cell_value(column: Column, value: Any) -> Any:
    """Return None for an optional text or number that is empty or zero, except for a score of zero."""
    return value or None if column.optional and column.kind != SCORE else value


def _add_overall(book: ExcelBook, competition: Competition, *, public: bool) -> None:
    """Add a sheet per division that plays in rounds: ranks over all stages, and the score of each round."""
    divisions = list(competition.divisions.select_related("competition", "rule_set"))
    ema = {} if public else _ema_numbers(competition)
    for division in divisions:
        found = overall(division, public=public)
        if not any(each.rounds for each in found.stages):
            continue
        several = len(found.stages) > 1
        columns = [
            Column("rank", _("Rank"), WHOLE),
            Column("name", pgettext("of a person", "Name")),
            *(ROMANIZED, COUNTRY, CLUB),
            _number_column(FederationNumber.EMA, optional=True),
        ]
        for each in reversed(found.stages):
            before = [each.stage.name] if several else []
            columns.append(Column("stage_total", " ".join([*before, _("Total")]), SCORE))
            for number in each.rounds:
                named = _("Round %(number)s") % {"number": number}
                columns.append(Column("round_score", " ".join([*before, named]), SCORE))
        columns.append(Column("player", _("Key")))
        lines = [(PLAIN, _overall_row(row, ema)) for row in found.rows]
        title = _("Overall ranking")
        add_filled(
            book,
            f"{title} {division.name}" if len(divisions) > 1 else title,
            columns,
            lines,
            frozen=2,
            tab=RANKING,
        )


def _number_column(federation: str, *, optional: bool = False) -> Column:
    header = _("%(federation)s number") % {"federation": federation}
    return Column("federation_number", header, optional=optional, hint=FEDERATION_NUMBER)


def _overall_row(row: OverallRow, ema: Mapping[int, str]) -> list[Any]:
    player = row.player
    who = [player.name, player.romanized or None, player.country or None, player.club or None]
    scores = [score for cells, total in row.newest_first for score in (total, *cells)]
    return [row.rank, *who, ema.get(player.player), *scores, player.key]


def _ema_numbers(competition: Competition) -> dict[int, str]:
    numbers = FederationNumber.objects.filter(
        federation=FederationNumber.EMA, player__entrants__competition=competition
    )
    return dict(numbers.values_list("player_id", "number"))


# --- tables


class TableSums:
    """The numbers of settled tables, of confirmed ones, and of tables whose scores do not sum to zero."""

    def __init__(self) -> None:
        self.settled = 0
        self.confirmed = 0
        self.not_zero = 0

    def count(self, line: TableLine) -> None:
        total = line.sum_of_scores
        self.settled += total is not None
        self.confirmed += line.status == ScoreSheet.Status.CONFIRMED
        self.not_zero += bool(total)


_Value = Callable[[TableLine, int], Any]  # of the seat of a wind


def _of_seat(name: str) -> _Value:
    return lambda line, wind: getattr(line.seats[wind], name) if line.seats else None


def _raw_score(line: TableLine, wind: int) -> Score | None:
    if line.seats is None:
        return None
    seat = line.seats[wind]
    return seat.score - seat.uma - seat.oka - seat.sticks - seat.sashiuma - (line.chip_score(wind) or 0)


def _table_columns(competition: Competition, *, public: bool) -> list[tuple[Column, _Value]]:
    """Return the columns and their values. Uma, oka and all that follows make the score of the raw score."""
    rules = [each.rules for each in competition.divisions.select_related("rule_set")]
    has_sashiuma = any(each.sashiuma is not None for each in rules)
    has_chips = any(each.chip_value is not None for each in rules)
    is_romanized = competition.entrants.exclude(player__romanized="").exists()
    winds, team_of = [str(label) for label in Seat.Wind.labels], team_finder(competition)
    signed = _signatures(competition, public=public)
    columns: list[tuple[bool, Column, _Value]] = [
        (True, Column("division", _("Division")), lambda line, _wind: line.division.name),
        (True, Column("stage", _("Stage")), lambda line, _wind: line.stage_name),
        (True, Column("round", _("Round"), WHOLE), lambda line, _wind: line.round),
        (True, Column("date", _("Date"), DATE), lambda line, _wind: line.date),
        (True, Column("table", _("Table"), WHOLE), lambda line, _wind: line.number),
        (True, Column("wind", _("Wind")), lambda _line, wind: winds[wind]),
        (True, Column("name", pgettext("of a person", "Name")), lambda line, wind: line.players[wind].name),
        (True, Column("points", _("Points"), POINTS), lambda line, wind: line.points and line.points[wind]),
        (True, Column("place", pgettext("finish", "Place"), WHOLE), _of_seat("place")),
        (True, Column("uma", _("Uma"), SCORE), _of_seat("uma")),
        (True, Column("oka", _("Oka"), SCORE), _of_seat("oka")),
        (True, Column("sticks", _("Deposits"), SCORE), _of_seat("sticks")),
        (has_sashiuma, Column("sashiuma", _("Sashiuma"), SCORE), _of_seat("sashiuma")),
        (has_chips, Column("chips", _("Chips"), WHOLE), _of_seat("chips")),
        (True, Column("score", _("Score"), SCORE), _of_seat("score")),
        (
            True,
            Column("sum", _("Table sum"), SCORE),
            lambda line, wind: line.sum_of_scores if wind == NORTH else None,
        ),
        (True, Column("status", _("Status")), lambda line, _wind: str(ScoreSheet.Status(line.status).label)),
        (True, Column("player", _("Key")), lambda line, wind: line.players[wind].key),
        (
            is_romanized,
            Column("romanized", _("Romanized name")),
            lambda line, wind: line.players[wind].romanized or None,
        ),
        (
            competition.team_play != Competition.TeamPlay.NONE,
            Column("team", _("Team")),
            lambda line, wind: team_of(line.round_id, line.players[wind].player) or None,
        ),
        (True, Column("raw_score", _("Score from points"), SCORE), _raw_score),
        (has_chips, Column("chip_score", _("Value of chips"), SCORE), TableLine.chip_score),
        (
            bool(signed),
            Column("signed", pgettext("how", "Signed")),
            lambda line, wind: _signature_value(signed, line, wind, "how"),
        ),
        (
            bool(signed),
            Column("signed_at", _with_zone(_("Signed at"), competition), MOMENT),
            lambda line, wind: _signature_value(signed, line, wind, "at"),
        ),
    ]
    return [(column, value) for is_there, column, value in columns if is_there]


_Signed = dict[tuple[int, int, int | None], dict[str, Any]]


def _signatures(competition: Competition, *, public: bool) -> _Signed:
    """Return (round, number of the table, wind) → how and when the result was signed. Wind None: staff."""
    zone = zoneinfo.ZoneInfo(competition.timezone)
    here = "proposal__table__round"
    found = Signature.objects.filter(
        agrees=True,
        proposal__is_current=True,
        proposal__sheet__is_current=True,
        **{f"{here}__stage__division__competition": competition},
    )
    if public:
        found = found.filter(**{f"{here}__visibility": Round.Visibility.RESULTS})
    rows = found.values_list(here, "proposal__table__number", "wind", "how", "at")
    return {
        (round_, number, wind): {"how": str(Signature.How(how).label), "at": local_moment(at, zone)}
        for round_, number, wind, how, at in rows
    }


def _signature_value(signed: _Signed, line: TableLine, wind: int, name: str) -> Any:
    at = (line.round_id, line.number)
    return (signed.get((*at, wind)) or signed.get((*at, None)) or {}).get(name)


def _add_tables(
    book: ExcelBook, competition: Competition, *, public: bool
) -> tuple[Played | None, TableSums]:
    """Add a row per seat of the played tables, on as many sheets as Excel needs, every other table shaded.

    The tables to come are on the sheet of the seating. Return also the tables to recalculate, unless they are
    too many.
    """
    columns, values = zip(*_table_columns(competition, public=public), strict=True)
    sheet = book.sheet(_("Tables"), columns, frozen=0, tab=ROUNDS)
    check, played = TableSums(), Played(Area(sheet))
    lines = (line for line in table_lines(competition, public=public) if line.points is not None)
    for number, line in enumerate(lines):
        if sheet.is_full:
            sheet = book.sheet(_("Tables"), columns, frozen=0, tab=ROUNDS)
        for wind in range(4):
            sheet.add([value(line, wind) for value in values], look=BAND if number % 2 else PLAIN)
        check.count(line)
        if number <= MOST_TABLES:
            played.lines.append(line)
    return (played if len(played.lines) <= MOST_TABLES else None), check


# --- penalties


def _add_penalties(book: ExcelBook, competition: Competition, *, public: bool) -> ExcelSheet | None:
    if not lists_penalties(competition, public=public):
        _add_penalty_counts(book, competition)
        return None
    columns = [
        Column("name", pgettext("of a person", "Name")),
        Column("offence", _("Offence"), LONG, optional=True),
        Column("level", _("Level"), optional=True),
        Column("score", _("Score"), SCORE),
        Column("state", _("State"), optional=True),
        Column("reason", _("Reason"), LONG, optional=True),
        Column("division", _("Division")),
        Column("stage", _("Stage")),
        Column("round", _("Round"), WHOLE),
        Column("table", _("Table"), WHOLE),
        Column("logged_at", _with_zone(_("Logged at"), competition), MOMENT),
        Column("revoked_at", _with_zone(_("Revoked at"), competition), MOMENT, optional=True),
        Column("revoke_reason", _("Reason for revoking or declining"), LONG, optional=True),
        Column("player", _("Key")),
        Column("by", _("Logged by"), optional=True),
        Column("revoked_by", _("Revoked by"), optional=True),
    ]
    people = players_of(competition)
    zone = zoneinfo.ZoneInfo(competition.timezone)
    lines = [
        (look_of(penalty), _penalty_row(penalty, people, zone, public=public))
        for penalty in _visible_penalties(competition, public=public)
    ]
    return add_filled(book, _("Penalties"), columns, lines, tab=PEOPLE)


def _add_penalty_counts(book: ExcelBook, competition: Competition) -> None:
    """Add the number and sum of penalties per player, if the competition shows visitors these."""
    if competition.penalties_shown != Competition.PenaltiesShown.COUNTS:
        return
    columns = [
        Column("name", pgettext("of a person", "Name")),
        Column("count", _("Penalties"), WHOLE),
        Column("sum", _("Sum"), SCORE),
        Column("player", _("Key")),
    ]
    people = players_of(competition)
    sums = [(each, people[each.player]) for each in player_sums(competition, public=True)]
    lines = [(PLAIN, [info.name, each.count, each.sum, info.key]) for each, info in sums]
    add_filled(book, _("Penalties"), columns, lines, tab=PEOPLE)


def _penalty_row(
    penalty: Penalty, people: Mapping[int, PlayerInfo], zone: zoneinfo.ZoneInfo, *, public: bool
) -> list[Any]:
    stage, player = penalty.stage, people[penalty.player_id]
    line = penalty_line(penalty, penalty_rules_of(stage.division.rule_set))
    staff = [None, None] if public else [_username(penalty.created_by), _username(penalty.revoked_by)]
    decided = penalty.status != Penalty.Status.IN_FORCE
    return [
        player.name,
        line.offence or None,
        penalty.level or None,
        penalty.score,
        state_words(penalty.status) if decided else None,
        penalty.reason or None,
        stage.division.name,
        stage.name,
        penalty.round.number if penalty.round else None,
        penalty.table.number if penalty.table else None,
        local_moment(penalty.created_at, zone),
        local_moment(penalty.revoked_at, zone),
        penalty.revoke_reason or penalty.decide_reason or None,
        player.key,
        *staff,
    ]


def _visible_penalties(competition: Competition, *, public: bool) -> Iterable[Penalty]:
    found = shown_penalties(Penalty.objects.filter(competition=competition), public=public)
    if public:
        found = without_secret_stages(found, competition)
    return found.select_related(
        "stage__division__rule_set__own_catalogue", "round", "table", "created_by", "revoked_by"
    ).order_by("created_at", "pk")


def _username(user: Any) -> str | None:
    return user.get_username() if user else None


def _with_zone(label: str, competition: Competition) -> str:
    return _("%(label)s (%(zone)s)") % {"label": label, "zone": competition.timezone}


# --- players


def _add_players(book: ExcelBook, competition: Competition, *, public: bool) -> ExcelSheet:
    entrants = list(
        Entrant.objects.filter(competition=competition)
        .select_related("player__club", "division", "team")
        .prefetch_related("player__federation_numbers")
        .order_by("pk")
    )
    federations = [] if public else _federations(entrants)
    columns = [
        Column("player", _("Key")),
        Column("name", pgettext("of a person", "Name")),
        *(ROMANIZED, COUNTRY, CLUB),
        Column("division", _("Division")),
        Column("team", _("Team"), optional=True),
        Column("substitute", _("Substitute"), optional=True),
        Column("guest", _("Guest"), optional=True),
        Column("withdrawn", _("Withdrawn"), optional=True),
        *map(_number_column, federations),
    ]
    lines = [(PLAIN, _player_row(entrant, federations)) for entrant in entrants]
    return add_filled(book, _("Players"), columns, lines, frozen=2, tab=PEOPLE)


def _player_row(entrant: Entrant, federations: Sequence[str]) -> list[Any]:
    player = entrant.player
    numbers = {n.federation: n.number for n in player.federation_numbers.all()}
    return [
        entrant.key,
        player.name,
        player.romanized or None,
        player.country or None,
        player.club.name if player.club else None,
        entrant.division.name if entrant.division else None,
        entrant.team.name if entrant.team else None,
        _("yes") if entrant.is_substitute else None,
        _("yes") if entrant.is_guest else None,
        _("yes") if entrant.withdrawn_at else None,
        *(numbers.get(name) for name in federations),
    ]


def _federations(entrants: Iterable[Entrant]) -> list[str]:
    return sorted({n.federation for entrant in entrants for n in entrant.player.federation_numbers.all()})


# --- about


def _add_about(
    book: ExcelBook, competition: Competition, check: TableSums, *, public: bool, at: datetime
) -> None:
    sheet = book.sheet(
        _("About"),
        [Column("what", _("Item")), Column("value", pgettext("of a fact", "Value"), LONG, most=70)],
        tab=REFERENCE,
    )
    zone = zoneinfo.ZoneInfo(competition.timezone)
    contents = _("published rounds only") if public else _("all rounds, including hidden ones")
    facts: list[tuple[str, Any, str]] = [
        (_("Competition"), competition.name, LONG),
        (_("League"), competition.league.name, LONG),
        (_("Address"), competition.slug, LONG),
        *([(_("Venue"), competition.place, LONG)] if competition.place else []),
        *([(_("First day"), competition.first_day, DATE)] if competition.first_day else []),
        *([(_("Last day"), competition.last_day, DATE)] if competition.last_day else []),
        (_with_zone(_("Created at"), competition), local_moment(at, zone), MOMENT),
        (_("Contents"), contents, LONG),
        (_("Results count"), str(Competition.Counting(competition.counting).label), LONG),
        (_("Tie-breaks"), listed(map(tie_break_label, competition.tie_breaks)), LONG),
        (_("Tables settled"), check.settled, WHOLE),
        (_("Tables whose scores do not sum to zero"), check.not_zero, WHOLE),
        (_("Revision"), competition.revision, WHOLE),
        (_("Newest hash of the audit log"), head(competition), LONG),
        (_("Code of the newest entry"), head_code(competition), LONG),
    ]
    for division in competition.divisions.select_related("rule_set"):
        if division.rules.imbalance:
            facts.append(
                (division.name, _("Uma and oka do not balance: table scores need not sum to zero."), LONG)
            )
    for stage in Stage.objects.of(competition).select_related("division"):
        if words := numbers_words(stage.numbers):
            facts.append((listed((stage.division.name, stage.name)), sentences(words), LONG))
    for label, value, kind in facts:
        sheet.add([label, value], kinds=(TEXT, kind), look=LEFT)


def _add_legend(book: ExcelBook) -> None:
    """Explain every heading once."""
    headings: dict[str, Column] = {}
    for column in (column for sheet in book.sheets for column in sheet.columns):
        headings.setdefault(column.key if column.key in ONCE else str(column.header), column)
    columns = [Column("heading", _("Heading")), Column("meaning", _("Meaning"), LONG, most=90)]
    sheet = book.sheet(_("Legend"), columns, tab=REFERENCE)
    for column in headings.values():
        sheet.add([str(column.header), column_meaning(column)], look=LEFT)


def column_meaning(column: Column) -> str:
    """Return the explanation of a heading, or an empty text if there is none.

    Other sheets repeat columns of the standings without their hints.
    """
    key = KEY.key if column is TEAM_KEY else column.key
    hints = {each.key: each.hint for each in (*WORKBOOK, *TEAM_FILES) if each.hint}
    return str(HEADINGS.get(key) or column.hint or hints.get(key, ""))
