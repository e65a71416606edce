"""What becomes of games: whose names they have, which table each one is, and what forbids it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from league.core.text import listed
from league.game_logs.words import difference_words
from league.models import Competition, GameLog, GameName, HandEntry, Proposal, Round, Seat, Sheet, Stage
from league.people.queries import PlayerInfo, players_of
from players.matching import Index, Person
from scoring.game_logs import GameLog as Log
from scoring.game_logs import Replayed, differences, replay_log
from scoring.settlement import SeatResult, settle

Name = tuple[str, str]  # service, name
_ANONYMOUS: Final = re.compile(r"[A-DＡ-Ｄ]さん|NoName|")  # what services show instead of names


@dataclass(frozen=True, slots=True)
class NameLine:
    """A name in the games. `player`: who has it by the league's memory or by a similar name, or None."""

    name: Name
    player: int | None
    is_remembered: bool


@dataclass(slots=True)
class GamePlan:
    """A game as it will be saved. `table`: a seat of the table that it fills, or None for a new table.

    `problem`: why it cannot be saved. `notes`: what differs from the rule set. `hands`: how many are kept.
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


def is_anonymous(name: str) -> bool:
    return _ANONYMOUS.fullmatch(name) is not None


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
    if is_anonymous(name[1]):
        return NameLine(name, None, is_remembered=False)
    matches = index.matches(name=name[1], romanized=name[1], country="", numbers=())
    return NameLine(name, matches[0].person.pk if matches else None, is_remembered=False)


def plan_games(
    stage: Stage, logs: Sequence[Log], chosen: Mapping[Name, int], people: Mapping[int, PlayerInfo]
) -> list[GamePlan]:
    """Plan the games in the order of the files. Three queries.

    `stage`: with its division, rules and competition. `chosen`: name → player.
    """
    known = _known_games(stage, logs)
    free = _free_tables(stage)
    plans: list[GamePlan] = []
    seen: set[str] = set()
    for log in logs:
        players = tuple(chosen.get((log.service, name)) for name in log.names)
        infos = tuple(people.get(each) if each else None for each in players)
        plan = GamePlan(log, players, infos)
        plans.append(plan)
        plan.known = known.get(log.fingerprint) or known.get(f"{log.service} {log.ref}" if log.ref else "")
        if plan.known:
            plan.problem = _("This game is already saved.")
        elif log.fingerprint in seen:
            plan.problem = _("This game is also in another of these files.")
        else:
            seen.add(log.fingerprint)
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


def _known_games(stage: Stage, logs: Sequence[Log]) -> dict[str, GameLog]:
    same = Q(digest__in=[log.fingerprint for log in logs]) | Q(ref__in=[log.ref for log in logs if log.ref])
    here = GameLog.objects.filter(same, competition=stage.division.competition_id)
    found: dict[str, GameLog] = {}
    for each in here.select_related("table__round"):
        found |= {each.digest: each, f"{each.service} {each.ref}": each}
    return found


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
