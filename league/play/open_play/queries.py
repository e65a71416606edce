"""Free play and evenings. Each table is a round of its own.

A month can have hundreds, so pages count them by day and read the tables of one day only.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import combinations, groupby
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from league.core.access import plays_at
from league.core.search import sort_key
from league.core.zones import begin_of_day, day_of_play
from league.models import Competition, Entrant, Evening, Presence, Round, Seat, Sheet, Stage, Table
from league.people.members.queries import PlayerInfo, candidates, info_of, linked_players
from league.play.results.queries.games import games_with_rounds, substitutes
from league.play.results.queries.tables import TableResult
from scoring.seating.rounds import History
from scoring.settlement import NO_CHIPS, Ending, needs_ending, settler
from scoring.standings import player_scores
from scoring.units import Score


def tables_of_day(rounds: QuerySet[Round], stage: Stage, day: date) -> QuerySet[Table]:
    return Table.objects.filter(round__in=rounds.filter(stage=stage, date=day).order_by().values("pk"))


def to_be_played(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Exclude free play tables with a sheet: hundreds of open rounds with nothing to enter."""
    done = Sheet.objects.current().filter(table__round=OuterRef("pk"))
    return rounds.exclude(Q(stage__play=Stage.Play.OPEN) & Exists(done))


class OpenEvening(NamedTuple):
    """An evening of free play with the numbers of its tables without a result."""

    stage: Stage
    day: date
    tables: list[int]


def open_evenings(rounds: QuerySet[Round]) -> list[OpenEvening]:
    """Return the evenings of free play among these rounds that lack a result, newest first. Queries: 1."""
    waiting = to_be_played(rounds).filter(stage__play=Stage.Play.OPEN, date__isnull=False)
    found = Table.objects.filter(round__in=waiting.order_by().values("pk"))
    tables = found.select_related("round__stage__division").order_by("-round__date", "round__stage", "number")
    evenings = groupby(tables, key=lambda table: (table.round.stage, table.round.date))
    return [OpenEvening(stage, day, [table.number for table in group]) for (stage, day), group in evenings]


def entrants_of_stage(stage: Stage) -> QuerySet[Entrant]:
    """Return who may play in this stage: qualified players or the division's, and substitutes."""
    entrants = Entrant.objects.playing().filter(competition=stage.division.competition_id)
    if stage.cut:
        came = stage.qualified.values("player")
        return entrants.filter(Q(player__in=came) | Q(is_substitute=True))
    return entrants.filter(Q(division=stage.division_id) | Q(is_substitute=True))


def players_of_stage(stage: Stage) -> list[PlayerInfo]:
    infos = [info_of(entrant) for entrant in entrants_of_stage(stage).select_related("player__club")]
    return sorted(infos, key=lambda info: (sort_key(info.name), info.player))


def enters_own_results(table: Table) -> bool:
    """Return whether the players of this table enter its sheet, which another player has to confirm."""
    stage = table.round.stage
    confirmed = Competition.Counting.CONFIRMED
    return stage.play == Stage.Play.OPEN and stage.competition.counting == confirmed


def may_enter_own(user_id: int | None, table: Table, sheet: Sheet | None) -> bool:
    """Return whether this player may enter the table's sheet, or correct it until it is confirmed."""
    is_open = sheet is None or sheet.status == Sheet.Status.ENTERED
    return is_open and enters_own_results(table) and plays_at(user_id, table)


def may_confirm_own(user_id: int | None, table: Table, sheet: Sheet | None) -> bool:
    """Return whether this player may confirm the sheet, which another of the four entered."""
    if sheet is None or sheet.status != Sheet.Status.ENTERED or sheet.entered_by_id == user_id:
        return False
    return table.round.stage.play == Stage.Play.OPEN and plays_at(user_id, table)


def plays_open_table(user_id: int | None, round_: Round) -> bool:
    if round_.stage.play != Stage.Play.OPEN or user_id is None:
        return False
    linked = linked_players(user_id, round_.competition)
    return Seat.objects.filter(round=round_, player__in=linked).exists()


# --- an evening

GOES_ON = timedelta(hours=12)  # an evening with open tables, into the next day
EVENING_BEFORE_SEASON = 10  # a pair that met this evening counts as one that met that often in the season


def open_stage(stages: QuerySet[Stage], pk: int) -> Stage:
    return get_object_or_404(stages, pk=pk, play=Stage.Play.OPEN)


def draws_on_the_spot(stage: Stage) -> bool:
    """Return whether tables are drawn among those present: in free play and a season's rounds of players."""
    is_season = stage.competition.kind == Competition.Kind.SEASON
    return stage.play == Stage.Play.OPEN or (is_season and not stage.takes_line_ups)


def evening_of(stage: Stage, on: date) -> Evening:
    """Return the evening. A new one is unsaved and has the fees of the evening before, or of the stage."""
    evenings = Evening.objects.filter(stage=stage)
    before = evenings.filter(day__lte=on).order_by("day").last()
    if before is not None and before.day == on:
        return before
    usual = before or (None if evenings.exists() else Stage.objects.get(pk=stage.pk))
    fees = {"fee": usual.fee, "guest_fee": usual.guest_fee} if usual else {}
    return Evening(stage=stage, day=on, **fees)


def this_evening(stage: Stage, at: datetime | None = None) -> date:
    """Return the day of the evening that is going on.

    It is the day of play. An evening with tables without a result goes on into the next day: for `GOES_ON`,
    or until the new day has its first player or table.
    """
    competition = stage.competition
    at = at or timezone.now()
    day = day_of_play(competition, at)
    before = day - timedelta(days=1)
    if not draws_on_the_spot(stage) or at >= begin_of_day(competition, day) + GOES_ON:
        return day
    has_begun = Presence.objects.filter(stage=stage, day=day).exists() or bool(open_tables(stage, day))
    return before if not has_begun and open_tables(stage, before) else day


def unfinished_evenings(stage: Stage, without: date) -> list[tuple[date, int]]:
    """Return the other evenings with tables without a result, newest first, and how many they are."""
    entered = Sheet.objects.current().filter(table=OuterRef("pk"))
    tables = Table.objects.filter(
        ~Exists(entered), round__stage=stage, round__status=Round.Status.OPEN, round__date__isnull=False
    )
    counts = tables.exclude(round__date=without).order_by().values_list("round__date")
    return list(counts.annotate(count=Count("pk")).order_by("-round__date"))


def evening_days(stage: Stage) -> list[date]:
    """Return the days with attendance, a fee or a table, oldest first."""
    days = set(Evening.objects.filter(stage=stage).values_list("day", flat=True))
    played = Round.objects.filter(stage=stage, date__isnull=False).order_by()
    return sorted(days.union(day for day in played.values_list("date", flat=True).distinct() if day))


def stage_of_evenings(stages: QuerySet[Stage], pk: int) -> Stage:
    """Return the stage, or raise `Http404` unless tables are drawn on the spot."""
    stage = get_object_or_404(stages, pk=pk)
    if not draws_on_the_spot(stage):
        raise Http404
    return stage


def presences(stage: Stage, on: date) -> QuerySet[Presence]:
    """Return the players present now, without withdrawals and changes of division since."""
    return Presence.objects.filter(stage=stage, day=on, left=False, entrant__in=entrants_of_stage(stage))


def present_players(stage: Stage, on: date) -> set[int]:
    return set(presences(stage, on).values_list("entrant__player", flat=True))


def absent_players(stage: Stage, on: date, players: Collection[int]) -> set[int] | None:
    """Return the players who are not on the day's list, or None if there is no list."""
    if not Presence.objects.filter(stage=stage, day=on).exists():
        return None
    return set(players) - present_players(stage, on)


def gone_players(stage: Stage, on: date) -> set[int]:
    gone = Presence.objects.filter(stage=stage, day=on, left=True)
    return set(gone.values_list("entrant__player", flat=True))


def open_tables(stage: Stage, on: date) -> dict[int, list[int]]:
    """Map this day's tables without a result to their players, east first, oldest table first. Queries: 1."""
    entered = Sheet.objects.current().filter(table=OuterRef("table"))
    seats = Seat.objects.filter(
        ~Exists(entered), round__stage=stage, round__date=on, round__status=Round.Status.OPEN
    )
    tables: dict[int, list[int]] = {}
    order = ("round__number", "table_id", "wind")
    for table, player in seats.order_by(*order).values_list("table_id", "player_id"):
        tables.setdefault(table, []).append(player)
    return tables


def history_of_evening(stage: Stage, on: date, players: Collection[int]) -> History:
    """Return how often these players met, this evening weighted most, their winds, and their sit-outs."""
    tables: dict[int, list[tuple[int, int, bool]]] = {}
    seats = Seat.objects.filter(round__stage=stage, player__in=players).order_by()
    for table, player, wind, day in seats.values_list("table_id", "player_id", "wind", "round__date"):
        tables.setdefault(table, []).append((player, wind, day == on))
    met: Counter[tuple[int, int]] = Counter()
    winds: dict[int, list[int]] = {}
    for seated in tables.values():
        for (one, _wind, tonight), (other, _other_wind, _day) in combinations(sorted(seated), 2):
            met[one, other] += EVENING_BEFORE_SEASON if tonight else 1
        for player, wind, _tonight in seated:
            winds.setdefault(player, [0, 0, 0, 0])[wind] += 1
    came = Presence.objects.filter(stage=stage, day=on, entrant__player__in=players)
    return History(met=met, winds=winds, sat_out=dict(came.values_list("entrant__player", "sat_out")))


class EveningRow(NamedTuple):
    day: date
    info: PlayerInfo
    guest: bool
    games: int
    score: Score
    chips: int
    presence: Presence | None  # None: not on the day's list

    @property
    def fee(self) -> Decimal | None:
        return self.presence.fee if self.presence else None


def evening_rows(stage: Stage) -> list[EveningRow]:
    competition, rules = stage.competition, stage.rules
    days = dict(Round.objects.filter(stage=stage).values_list("number", "date"))
    played = games_with_rounds(
        stage.pk,
        statuses=competition.counted_statuses,
        public=False,
        with_endings=needs_ending(rules),
        substitutes=substitutes(Seat.objects.filter(round__stage=stage)),
    )
    settle, games_by_player = settler(rules), dict[tuple[date, int], list[tuple[Score, int]]]()
    for number, game in played:
        if day := days[number]:
            *_players, ending = game
            chips = ending.chips if isinstance(ending, Ending) else NO_CHIPS
            for (player, score), won in zip(player_scores(game, settle), chips, strict=True):
                games_by_player.setdefault((day, player), []).append((score, won))
    presences = Presence.objects.filter(stage=stage).select_related("entrant")
    came = {(presence.day, presence.entrant.player_id): presence for presence in presences}
    people = candidates(competition)
    rows = []
    for key in dict.fromkeys((*came, *games_by_player)):
        day, player = key
        if player in people:  # else a substitute's seat
            info, games = people[player].info, games_by_player.get(key, ())
            sums = sum(score for score, _ in games), sum(won for _, won in games)
            rows.append(EveningRow(day, info, people[player].guest, len(games), *sums, came.get(key)))
    return sorted(rows, key=lambda row: (-row.day.toordinal(), row.info.name, row.info.player))


class FeeSum(NamedTuple):
    """The fees of a person, an evening or a month. `open_days`: the evenings with a fee not paid."""

    of: Any
    fees: int
    due: Decimal
    paid: Decimal
    owed: Decimal
    open_days: tuple[date, ...]


def sum_fees(rows: Iterable[tuple[date, Presence | None]], of: Any = None) -> FeeSum | None:
    """Sum the fees of presences with an amount, or return None if none has one."""
    fees = [(day, each.fee, each.paid) for day, each in rows if each is not None and each.fee is not None]
    due = sum((fee for _, fee, _paid in fees), Decimal(0))
    paid = sum((fee for _, fee, is_paid in fees if is_paid), Decimal(0))
    open_days = tuple(sorted({day for day, fee, is_paid in fees if fee and not is_paid}))
    return FeeSum(of, len(fees), due, paid, due - paid, open_days) if fees else None


def fee_sums(rows: Iterable[EveningRow], key: Callable[[EveningRow], Any]) -> list[FeeSum]:
    """Return the sum per key, in the order of `rows`."""
    groups: dict[Any, list[tuple[date, Presence | None]]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append((row.day, row.presence))
    return [fee_sum for of, group in groups.items() if (fee_sum := sum_fees(group, of))]


def fees_by_person(rows: Iterable[EveningRow]) -> list[FeeSum]:
    """Return the sum per player, the largest debt first."""
    sums = fee_sums(rows, lambda row: row.info)
    return sorted(sums, key=lambda each: (-each.owed, sort_key(each.of.name), each.of.player))


def fees_by_month(rows: Iterable[EveningRow]) -> list[FeeSum]:
    """Return the sum per month, as its first day, the newest first."""
    return fee_sums(rows, lambda row: row.day.replace(day=1))


@dataclass(frozen=True, slots=True)
class EveningPlayer:
    info: PlayerInfo
    presence: Presence | None
    seated: bool  # at a table without a result
    games: int  # of the day, as `score`
    score: Score
    times: int  # seats in the stage
    may_play: bool  # False after a withdrawal or a change of division

    @property
    def here(self) -> bool:
        return self.may_play and self.presence is not None and not self.presence.left


def evening_players(stage: Stage, on: date, results: Collection[TableResult]) -> list[EveningPlayer]:
    """Return everyone who may play or came, the most frequent first. `results`: the tables of the day."""
    presences = Presence.objects.filter(stage=stage, day=on).select_related("entrant__player__club")
    came = {presence.entrant_id: presence for presence in presences}
    infos = players_of_stage(stage)
    may_play = {info.entrant for info in infos}
    infos += [info_of(each.entrant) for pk, each in came.items() if pk not in may_play]
    grouped = Seat.objects.filter(round__stage=stage).order_by().values_list("player_id")
    times = dict(grouped.annotate(times=Count("pk")))
    seated: set[int] = set()
    games: Counter[int] = Counter()
    scores: dict[int, Score] = {}
    for result in results:
        for wind, info in enumerate(result.players):
            if info is None:
                continue
            if result.sheet is None:
                seated.add(info.player)
            elif result.seats:
                games[info.player] += 1
                scores[info.player] = scores.get(info.player, 0) + result.seats[wind].score
    everyone = [
        EveningPlayer(
            info=info,
            presence=came.get(info.entrant),
            seated=info.player in seated,
            games=games[info.player],
            score=scores.get(info.player, 0),
            times=times.get(info.player, 0),
            may_play=info.entrant in may_play,
        )
        for info in infos
    ]
    return sorted(everyone, key=lambda each: (-each.times, sort_key(each.info.name), each.info.player))


def next_seated_round(stage: Stage) -> Round | None:
    planned = Round.objects.filter(stage=stage, status=Round.Status.PLANNED, tables__isnull=False)
    return planned.order_by("number", "pk").first()


def missing_players(players: Collection[EveningPlayer], round_: Round | None) -> list[PlayerInfo]:
    """Return the players with a seat in the round who are not present. Empty until the first one came."""
    if round_ is None or not any(player.presence for player in players):
        return []
    seated = set(Seat.objects.filter(round=round_).values_list("player_id", flat=True))
    return [player.info for player in players if player.info.player in seated and not player.here]
