"""What becomes of games: whose names they have, which table each one is, and what forbids it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils.translation import gettext as _

from league.core.text import listed
from league.game_logs.words import difference_words
from league.models import Competition, GameLog, GameName, HandEntry, Proposal, Round, Seat, Sheet, Stage
from league.people.queries import PlayerInfo, players_of
from players.matching import Index, Person
from scoring.game_logs import GameLog as Log
from scoring.game_logs import Replayed, best_files, differences, is_hidden, replay_log
from scoring.settlement import SeatResult, settle
from scoring.units import WINDS

Name = tuple[str, str]  # service, name
Mark = tuple[str, int]  # a game and its table, 0 for a new one


@dataclass(frozen=True, slots=True)
class NameLine:
    """A name in the games. `player`: who has it by the league's memory or by a similar name, or None."""

    name: Name
    player: int | None
    is_remembered: bool


@dataclass(slots=True)
class GamePlan:
    """A game as it will be saved. `table`: a seat of the table that it fills, or None for a new table.

    `problem`: why it cannot be saved. `known`: the saved log of this game. `notes`: what differs from
    the rule set. `hands`: how many are kept.
    """

    log: Log
    players: tuple[int | None, ...]
    infos: tuple[PlayerInfo | None, ...]
    seats: tuple[SeatResult, ...] = ()
    table: Seat | None = None
    replayed: Replayed = field(default_factory=Replayed)
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
    def is_ready(self) -> bool:
        return not self.problem

    @property
    def mark(self) -> Mark:
        return self.log.fingerprint, self.table.table_id if self.table else 0


def players_here(competition: Competition) -> dict[int, PlayerInfo]:
    """Return the players who have not withdrawn. One query."""
    return {pk: info for pk, info in players_of(competition).items() if not info.withdrawn}


def name_lines(logs: Sequence[Log], people: Mapping[int, PlayerInfo], league: int) -> list[NameLine]:
    """Suggest a player for each name of the games. One query."""
    names = sorted({(log.service, name) for log in logs for name in log.names})
    found = GameName.objects.filter(league=league, name__in=[name for _service, name in names])
    remembered = {(each.service, each.name): each.player_id for each in found}
    index = Index(Person(pk=pk, name=info.name, romanized=info.romanized) for pk, info in people.items())
    return [_name_line(name, remembered.get(name), people, index) for name in names]


def _name_line(name: Name, remembered: int | None, people: Collection[int], index: Index) -> NameLine:
    if remembered in people:
        return NameLine(name, remembered, is_remembered=True)
    if is_hidden(name[1]):
        return NameLine(name, None, is_remembered=False)
    matches = index.matches(name=name[1], romanized=name[1], country="", numbers=())
    return NameLine(name, matches[0].person.pk if matches else None, is_remembered=False)


def plan_games(
    stage: Stage,
    logs: Sequence[Log],
    chosen: Mapping[Name, int],
    people: Mapping[int, PlayerInfo],
    *,
    files: Sequence[str] = (),
) -> list[GamePlan]:
    """Plan the games in the order of the files. Queries: constant.

    `stage`: with its division, rules and competition. `chosen`: name → player. `files`: their names.
    """
    known = _KnownGames(stage, logs)
    free = _free_tables(stage)
    plans: list[GamePlan] = []
    for index, (log, best) in enumerate(zip(logs, best_files(logs), strict=True)):
        players = tuple(chosen.get((log.service, name)) for name in log.names)
        infos = tuple(people.get(each) if each else None for each in players)
        plan = GamePlan(log, players, infos)
        plans.append(plan)
        plan.known = known.find(log, players)
        if plan.known:
            plan.problem = _known_words(plan.known, log)
        elif best != index:
            plan.problem = _("The same game as %(file)s. It is saved once.") % {
                "file": files[best] if files else best + 1
            }
        else:
            _check_rules(plan, stage)
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
    fatal = [each for each in found if each.is_fatal]
    if fatal:
        plan.problem = difference_words(fatal[0])
        return
    plan.replayed = replay_log(log, rules)
    found += [plan.replayed.difference] if plan.replayed.difference else []
    plan.notes = [difference_words(each) for each in found]
    last = log.hands[-1].turn % 4
    plan.seats = settle(log.points, rules, sticks=log.deposits, last_dealer=last)


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
        current = Prefetch("table__sheets", Sheet.objects.filter(is_current=True))
        self._games = here.select_related("table__round").prefetch_related("table__seats", current)

    def find(self, log: Log, players: Sequence[int | None]) -> GameLog | None:
        """Return the saved log of this game: by its id, by hands and names, or by its players and points."""
        marks = {log.fingerprint, (log.service, log.ref)} if log.ref else {log.fingerprint}
        for each in self._games:
            if each.digest in marks or (each.service, each.ref) in marks:
                return each
        return next((each for each in self._games if _has_result(each, log, players)), None)


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
