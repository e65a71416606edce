"""What becomes of games: whose names they have, which table each one is, and what forbids it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils.translation import gettext as _

from league.core.numbers import number
from league.core.text import listed
from league.extras.game_logs.rules import GameLog as Log
from league.extras.game_logs.rules import (
    Replayed,
    agree_on_hands,
    best_files,
    differences,
    is_hidden,
    join_files,
    replay_log,
    seems_unfinished,
)
from league.extras.game_logs.words import difference_words
from league.models import Competition, GameLog, GameName, HandEntry, Proposal, Round, Seat, Sheet, Stage
from league.people.members.queries import PlayerInfo, players_of
from players.matching import Index, Person
from scoring.rules import Rules
from scoring.settlement import NO_CHIPS, Four, SeatResult, settle
from scoring.units import WINDS

Mark = tuple[str, int]  # a game and its table, 0 for a new one


class Name(NamedTuple):
    """A name on a service. `game` and `seat` are empty unless the name may be several people."""

    service: str
    name: str
    game: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class NameLine:
    """A name in the games. `player`: who has it by the league's memory or by a similar name, or None.

    `game`: the index of the only game in which the choice counts, or None.
    """

    name: Name
    player: int | None = None
    is_remembered: bool = False
    game: int | None = None

    @property
    def seat(self) -> int:
        return int(self.name.seat)


@dataclass(slots=True)
class GamePlan:
    """A game as it will be saved. `names`: those by which its players are chosen.

    `table`: a seat of the table that it fills, or None for a new table. `is_unfinished`: its end is missing.
    `problem`: why it cannot be saved. `known`: the saved log of this game. `notes`: what differs from the
    rule set. `hands`: how many are kept.
    """

    log: Log
    names: tuple[Name, ...]
    players: tuple[int | None, ...]
    infos: tuple[PlayerInfo | None, ...]
    seats: tuple[SeatResult, ...] = ()
    table: Seat | None = None
    replayed: Replayed = field(default_factory=Replayed)
    chips: Four = NO_CHIPS
    is_unfinished: bool = False
    problem: str = ""
    known: GameLog | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[tuple[str, PlayerInfo | None, int, SeatResult | None]]:
        """Return (logged name, player, points, result) from east to north."""
        results = self.seats or (None,) * 4
        return list(zip(self.log.names, self.infos, self.log.points, results, strict=True))

    @property
    def hands(self) -> int:
        return len(self.replayed.game.steps) if self.replayed.game else 0

    @property
    def has_chips(self) -> bool:
        return self.chips != NO_CHIPS

    @property
    def is_ready(self) -> bool:
        return not self.problem

    @property
    def mark(self) -> Mark:
        return self.log.fingerprint, self.table.table_id if self.table else 0


def players_here(competition: Competition) -> dict[int, PlayerInfo]:
    """Return the players who have not withdrawn. One query."""
    return {pk: info for pk, info in players_of(competition).items() if not info.withdrawn}


def seat_names(logs: Sequence[Log]) -> list[tuple[Name, ...]]:
    """Return for each log the names by which the players of its seats are chosen, from east.

    A hidden name, and one that two seats of a game have, belongs to a seat of one game. Files of one game
    have the names of the file that is saved.
    """
    best, logs = best_files(logs), join_files(logs)
    kept = [logs[index] for index in sorted(set(best))]
    several = {(log.service, name) for log in kept for name in log.names if log.names.count(name) > 1}

    def names_of(log: Log) -> tuple[Name, ...]:
        return tuple(
            Name(log.service, name, log.fingerprint, str(seat))
            if is_hidden(name) or (log.service, name) in several
            else Name(log.service, name)
            for seat, name in enumerate(log.names)
        )

    return [names_of(logs[index]) for index in best]


def name_lines(logs: Sequence[Log], people: Mapping[int, PlayerInfo], league: int) -> list[NameLine]:
    """Suggest a player for each name of the games. One query."""
    games = {name: index for index, names in enumerate(seat_names(logs)) for name in names}
    known = GameName.objects.filter(league=league, name__in=[name.name for name in games])
    remembered = {Name(row.service, row.name): row.player_id for row in known}
    index = Index(Person(pk=pk, name=info.name, romanized=info.romanized) for pk, info in people.items())
    return [
        _name_line(name, remembered.get(name), people, index) if not name.game else NameLine(name, game=game)
        for name, game in sorted(games.items())
    ]


def _name_line(name: Name, remembered: int | None, people: Collection[int], index: Index) -> NameLine:
    if remembered in people:
        return NameLine(name, remembered, is_remembered=True)
    matches = index.matches(name=name.name, romanized=name.name, country="", numbers=())
    return NameLine(name, next((match.person.pk for match in matches), None))


def plan_games(
    stage: Stage,
    logs: Sequence[Log],
    chosen: Mapping[Name, int],
    people: Mapping[int, PlayerInfo],
    *,
    unfinished: Collection[str] = (),
    files: Sequence[str] = (),
) -> list[GamePlan]:
    """Plan the games in the order of the files. Queries: constant.

    `stage`: with its division, rules and competition. `chosen`: name → player. `unfinished`: fingerprints of
    games that are saved without their end. `files`: their names.
    """
    best_ones, logs = best_files(logs), join_files(logs)
    known = _KnownGames(stage, logs)
    free = _free_tables(stage)
    plans: list[GamePlan] = []
    found = zip(logs, best_ones, seat_names(logs), strict=True)
    for index, (log, best, names) in enumerate(found):
        players = tuple(chosen.get(name) for name in names)
        infos = tuple(people.get(player) if player else None for player in players)
        plan = GamePlan(log, names, players, infos)
        plans.append(plan)
        plan.known = known.find(log, players)
        if plan.known:
            plan.problem = _known_words(plan.known, log)
        elif best != index:
            words = (
                _("The same game as %(file)s. It is saved once.")
                if agree_on_hands(logs[best], log)
                else _("This file has the game id of %(file)s and other hands. Check which file is right.")
            )
            plan.problem = words % {"file": files[best] if files else best + 1}
        else:
            _check_rules(plan, stage)
            _check_end(plan, unfinished)
        if plan.is_ready:
            _check_players(plan)
        if plan.is_ready:
            plan.table = free.pop(frozenset(players), None)
            if plan.table is None and stage.play != Stage.Play.OPEN:
                plan.problem = _(
                    "These four have no open table without a result in this stage. Seat them, or choose a "
                    "stage of free play."
                )
    return plans


def _check_rules(plan: GamePlan, stage: Stage) -> None:
    rules, log = stage.division.rules, plan.log
    found = differences(log, rules)
    fatal = next((each for each in found if each.is_fatal), None)
    if fatal:
        plan.problem = difference_words(fatal)
        return
    plan.replayed = replay_log(log, rules)
    found += [plan.replayed.difference] if plan.replayed.difference else []
    plan.notes = [difference_words(each) for each in found]
    plan.notes += _chip_notes(log, rules)
    if log.chips is not None and rules.chip_value is not None:
        plan.chips = log.chips
    plan.seats = settle(log.points, rules, sticks=log.deposits, last_dealer=log.last_dealer, chips=plan.chips)


def _chip_notes(log: Log, rules: Rules) -> Iterator[str]:
    if log.chips is not None and rules.chip_value is None:
        yield _("Chips in the game: %(chips)s. The rule set has none, so they do not count.") % {
            "chips": listed(map(number, log.chips))
        }
    elif log.chips is None and rules.chip_value is not None:
        yield _("The rule set counts chips. This game log has none.")


def _check_end(plan: GamePlan, unfinished: Collection[str]) -> None:
    plan.is_unfinished = not plan.problem and seems_unfinished(plan.log, plan.replayed)
    if plan.is_unfinished and plan.log.fingerprint not in unfinished:
        plan.problem = _(
            "The end of this game is missing. Choose the file of the whole game, or tick above that it is "
            "saved unfinished."
        )


def _check_players(plan: GamePlan) -> None:
    unknown = [name for name, player in zip(plan.log.names, plan.infos, strict=True) if player is None]
    if unknown:
        plan.problem = _("Choose the players of these names: %(names)s.") % {"names": listed(unknown)}
    elif len(set(plan.players)) < 4:
        plan.problem = _("A player is chosen for two of these names. Choose four different players.")


class _KnownGames:
    """The saved games of the competition that may be those of the logs. Three queries."""

    def __init__(self, stage: Stage, logs: Sequence[Log]) -> None:
        points = [Q(**dict(zip(WINDS, log.points, strict=True))) for log in logs]
        sheets = Sheet.objects.filter(
            reduce(or_, points, Q(pk=None)), table=OuterRef("table"), is_current=True
        )
        refs = [log.ref for log in logs if log.ref]
        same = Q(digest__in=[log.fingerprint for log in logs]) | Q(ref__in=refs) | Q(Exists(sheets))
        here = GameLog.objects.filter(same, competition=stage.division.competition_id)
        current = Prefetch("table__sheets", Sheet.objects.current())
        self._games = here.select_related("table__round").prefetch_related("table__seats", current)

    def find(self, log: Log, players: Sequence[int | None]) -> GameLog | None:
        """Return the saved log of this game: by its id, by hands and names, or by its players and points."""
        marks = {log.fingerprint, (log.service, log.ref)} if log.ref else {log.fingerprint}
        for game in self._games:
            if game.digest in marks or (game.service, game.ref) in marks:
                return game
        return next((game for game in self._games if _has_result(game, log, players)), None)


def _has_result(known: GameLog, log: Log, players: Sequence[int | None]) -> bool:
    """Return whether a log, without an id or with names hidden, has the players and points of a saved one."""
    seated = sorted((seat.wind, seat.player_id) for seat in known.table.seats.all())
    return not (log.ref and known.ref) and seated == list(enumerate(players)) and _has_points(known, log)


def _has_points(known: GameLog, log: Log) -> bool:
    return any(sheet.points == log.points for sheet in known.table.sheets.all())


def _known_words(known: GameLog, log: Log) -> str:
    if _has_points(known, log):
        return _("This game is already saved.")
    return _("This game is already saved, with other points. Correct its score sheet if the file is right.")


def _free_tables(stage: Stage) -> dict[frozenset[int | None], Seat]:
    """Return players → a seat of their oldest open table that has no result, hand or proposal."""

    def of_table(model: type[Sheet] | type[HandEntry] | type[Proposal]) -> Exists:
        return Exists(model.objects.filter(table=OuterRef("table")))

    seats = Seat.objects.filter(
        ~of_table(Sheet),
        ~of_table(HandEntry),
        ~of_table(Proposal),
        round__stage=stage,
        round__status=Round.Status.OPEN,
    )
    tables: dict[int, list[Seat]] = {}
    for seat in seats.select_related("table", "round").order_by("-round__number", "-table_id", "wind"):
        tables.setdefault(seat.table_id, []).append(seat)
    return {frozenset(seat.player_id for seat in four): four[0] for four in tables.values()}
