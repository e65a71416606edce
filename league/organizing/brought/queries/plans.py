"""The plan of a list of results: whom it names, which tables are new, and in which rounds they go."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest

from django.utils.translation import gettext as _

from league.core.numbers import number_tenths
from league.core.zones import day_of_play
from league.models import Adjustment, AuditEntry, Competition, Round, Sheet, Stage, Table
from league.organizing.brought.queries.facts import Balance, Game, Part, Problem, Results
from league.organizing.brought.queries.people import NamedLine, People, plan_people
from league.organizing.brought.queries.placing import (
    NOWHERE,
    Identity,
    Place,
    filled_rounds,
    place_games,
    waiting_rounds,
)
from league.play.results.queries.games import RAW_POINTS, SEATED, with_facts
from players.matching import exact_key
from scoring.settlement import Ending, Settler, settler
from scoring.units import Score, rounded

BRING, UNDO = "results.bring", "results.undo_bring"  # of the log
MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class PlannedSeat:
    """``score``: of the rule set, in tenths. ``said``: the score in the list, if it has one."""

    name: str
    points: int | None
    score: Score | None
    said: Decimal | None

    @property
    def said_tenths(self) -> Fraction | None:
        return None if self.said is None else Fraction(self.said) * 10

    @property
    def differs(self) -> bool:
        return self.score is not None and self.said_tenths not in (None, rounded(self.score))


@dataclass(frozen=True, kw_only=True)
class PlannedGame:
    """The effect of saving a table of the list.

    ``action``: new, known (saved before), twin (of row ``twin``) or stuck. ``place``: of a new table.
    """

    game: Game
    action: str
    twin: int = 0
    place: Place = NOWHERE
    problems: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()

    @property
    def four(self) -> list["PlannedSeat"]:
        """Return the players. Without four points that can be read, they have none."""
        seats = zip_longest(self.game.names, self.game.points, self.scores, self.game.scores)
        return [PlannedSeat(*seat) for seat in seats]

    @property
    def differs(self) -> bool:
        return any(seat.differs for seat in self.four)


@dataclass(frozen=True)
class PlannedBalance:
    """The effect of saving what a list without tables says of a player. ``parts``: those that are new."""

    balance: Balance
    action: str
    parts: tuple[Part, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ResultsPlan:
    """``games`` in the order of the list. ``rounds``: the days of the new rounds."""

    games: tuple[PlannedGame, ...]
    people: People
    rounds: tuple[date | None, ...] = ()
    balances: tuple[PlannedBalance, ...] = ()
    problems: tuple[str, ...] = ()
    leave_out: bool = False

    @property
    def new(self) -> list[PlannedGame]:
        return [planned for planned in self.games if planned.action == "new"]

    @property
    def new_balances(self) -> list[PlannedBalance]:
        return [planned for planned in self.balances if planned.action == "new"]

    @property
    def stuck(self) -> list[PlannedGame | PlannedBalance]:
        return [planned for planned in self._all if planned.action == "stuck"]

    @property
    def skipped(self) -> int:
        return sum(planned.action in {"known", "twin"} for planned in self._all)

    @property
    def _all(self) -> "list[PlannedGame | PlannedBalance]":
        return [*self.games, *self.balances]

    @property
    def shown_balances(self) -> list[PlannedBalance]:
        return sorted(self.balances, key=lambda planned: planned.action != "stuck")[:MOST_SHOWN]

    @property
    def known_people(self) -> int:
        return self.people.plan.same + self.people.plan.count("entered")

    @property
    def shown(self) -> list[PlannedGame]:
        """Return the tables that a page shows: those with a problem or another score first."""
        order = sorted(self.games, key=lambda planned: (planned.action != "stuck", not planned.differs))
        return order[:MOST_SHOWN]

    @property
    def differing(self) -> int:
        """Return the number of tables whose scores in the list are not those of the rule set."""
        return sum(planned.differs for planned in self.games)

    @property
    def filled(self) -> list[tuple[Round, int]]:
        """Return the existing rounds that get results, with the number of their tables."""
        return filled_rounds([planned.place for planned in self.new])

    @cached_property
    def names(self) -> list[NamedLine]:
        """Return the names: first those with a question, then new people."""
        return sorted(
            self.people.names,
            key=lambda line: (
                not line.problems and not line.is_undecided,
                not line.choices,
                line.planned.action == "entered",
            ),
        )

    @property
    def undecided(self) -> list[str]:
        return [line.planned.line.name for line in self.names if line.is_undecided]

    @property
    def is_clear(self) -> bool:
        """Return whether nothing is wrong. Names may be undecided."""
        return self._is_readable and (self.leave_out or not self.stuck)

    @property
    def _is_readable(self) -> bool:
        """Return whether nothing is wrong but single tables or balances."""
        problems = self.problems or self.people.plan.problems or any(line.problems for line in self.names)
        return not problems

    @property
    def can_save_rest(self) -> bool:
        """Return whether the list can be saved without what has a problem."""
        return self._is_readable and not self.can_save and bool(self.new or self.new_balances)

    @property
    def can_save(self) -> bool:
        """Return whether the list can be saved, after a choice for each undecided name."""
        return self.is_clear and bool(self.new or self.new_balances)


def plan_results(
    stage: Stage,
    results: Results,
    *,
    picks: Iterable[str] = (),
    leave_out: bool = False,
    note: str = "",
) -> ResultsPlan:
    """Plan to save a list. ``leave_out``: tables and players with a problem are not saved. ``note``: what
    points without tables are. Queries: constant.
    """
    competition, problems = stage.competition, [str(problem) for problem in results.problems]
    is_open = stage.play == Stage.Play.OPEN
    if is_open and any(game.day is None and not game.problems for game in results.games):
        problems.append(_("Free play needs the day of each table. Add a column with it."))
    today = day_of_play(competition)
    settle = settler(stage.division.rules)
    games = [_plan_game(game, today, settle) for game in results.games]
    if not is_open:
        games = list(_refuse_two_seats(games, {}))
    kept = [planned.game for planned in games if not (leave_out and planned.problems)]
    times = Counter(key for game in kept for name in game.names if (key := exact_key(name)))
    for balance in results.balances:
        if exact_key(balance.name) and not (leave_out and balance.problems):
            times[exact_key(balance.name)] += len(balance.parts)
    people = plan_people(stage, results.names, times, picks=picks)
    who = people.who
    if not is_open:
        games = list(_refuse_two_seats(games, who))
    games = list(_find_known(games, who, _saved_games(stage)))
    new = {at: planned.game for at, planned in enumerate(games) if planned.action == "new"}
    places, rounds = place_games(new, who, waiting_rounds(stage), is_open=is_open)
    return ResultsPlan(
        games=tuple(replace(each, place=places.get(at, each.place)) for at, each in enumerate(games)),
        people=people,
        rounds=rounds,
        balances=tuple(_plan_balances(stage, results.balances, who, note)),
        problems=tuple(problems),
        leave_out=leave_out,
    )


def _plan_game(game: Game, today: date, settle: Settler) -> PlannedGame:
    problems = list(game.problems)
    if game.day is not None and game.day > today:
        problems.append(_("This day has not come yet."))
    scores: tuple[Score, ...] = ()
    if game.points and not problems:
        east, south, west, north = game.points
        scores = tuple(settle(east, south, west, north, Ending(game.sticks))[1])
    action = "stuck" if problems else "new"
    return PlannedGame(game=game, action=action, problems=tuple(problems), scores=scores)


def _refuse_two_seats(games: Iterable[PlannedGame], who: Mapping[str, Identity]) -> Iterator[PlannedGame]:
    """Refuse the second table of a player in a round that the list names. ``who``: the people behind names,
    as far as they are known.
    """
    first: dict[tuple[date | None, str, Identity], int] = {}
    rows: dict[object, int] = {}
    for planned in games:
        game, problems = planned.game, list(planned.problems)
        is_repeated = rows.setdefault(_mark(game), game.row) != game.row
        for key, name in {exact_key(name): name for name in game.names}.items():
            mark = (game.day, exact_key(game.round), who.get(key, ("name", key)))
            row = first.setdefault(mark, game.row)
            if game.round and row != game.row and not is_repeated:
                problems.append(
                    _("%(name)s is also at the table of row %(row)s in this round.")
                    % {"name": name, "row": row}
                )
        if len(problems) > len(planned.problems):
            planned = replace(planned, action="stuck", problems=tuple(dict.fromkeys(problems)))
        yield planned


def _mark(game: Game) -> tuple[date | None, frozenset[tuple[str, int]]]:
    return game.day, frozenset(zip(map(exact_key, game.names), game.points, strict=False))


# --- tables that are saved already --------------------------------------------------------------------------


def _saved_games(stage: Stage) -> set[tuple[date | None, frozenset[tuple[Identity, int]]]]:
    """Return the day and the points of each player of all tables with a result. Queries: 1."""
    tables = with_facts(Table.objects.filter(round__stage=stage))
    rows = tables.values_list("round__date", "now__status", *SEATED, *RAW_POINTS)
    return {
        (day, frozenset(zip((("player", pk) for pk in facts[:4]), facts[4:], strict=True)))
        for day, status, *facts in rows
        if status not in (None, Sheet.Status.VOID)
    }


def _find_known(
    games: Iterable[PlannedGame],
    who: Mapping[str, Identity],
    saved: set[tuple[date | None, frozenset[tuple[Identity, int]]]],
) -> Iterator[PlannedGame]:
    first: dict[object, int] = {}
    for planned in games:
        game = planned.game
        if planned.action == "stuck":
            yield planned
            continue
        four = [who[exact_key(name)] for name in game.names]
        mark = game.day, frozenset(zip(four, game.points, strict=True))
        earlier = first.setdefault((exact_key(game.round), mark), game.row)
        if len(set(four)) < 4:
            same = _("Two names at this table are the same person.")
            yield replace(planned, action="stuck", problems=(same,))
        elif mark in saved:
            yield replace(planned, action="known")
        elif earlier != game.row:
            yield replace(planned, action="twin", twin=earlier)
        else:
            yield planned


# --- points without tables ----------------------------------------------------------------------------------


def _plan_balances(
    stage: Stage, balances: Iterable[Balance], who: Mapping[str, Identity], note: str
) -> Iterator[PlannedBalance]:
    given = Adjustment.objects.filter(stage=stage, kind=Adjustment.Kind.CARRIED_IN, revoked_at=None)
    saved: dict[tuple[Identity, str], int] = {
        (("player", player), reason): score or 0
        for player, reason, score in given.values_list("player_id", "reason", "score")
    }
    seen: set[Identity] = set()
    for balance in balances:
        person = who.get(exact_key(balance.name), ("name", ""))
        problems, parts = list(balance.problems), []
        if person in seen and not problems:
            problems.append(str(Problem(balance.row, "listed_twice", (("name", balance.name),))))
        seen.add(person)
        for part in balance.parts:
            reason = reason_of(part, note)
            known = saved.get((person, reason))
            if known is None:
                parts.append(part)
            elif known != part.score:
                sentence = _("Another score is saved for “%(note)s”: %(score)s. Remove those points first.")
                problems.append(sentence % {"note": reason or "–", "score": number_tenths(known)})
        action = "stuck" if problems else "new" if parts else "known"
        yield PlannedBalance(balance, action, tuple(parts), tuple(problems))


def reason_of(part: Part, note: str) -> str:
    """Return what is kept with a score, in all languages: the note, and the round."""
    return f"{note}: {part.note}" if note and part.note else note or part.note


# --- undoing ------------------------------------------------------------------------------------------------


def last_brought(competition: Competition) -> AuditEntry | None:
    """Return the log's entry of the results that were brought last, unless they were undone."""
    entries = AuditEntry.objects.filter(competition=competition, action__in=[BRING, UNDO])
    last = entries.order_by("-sequence").first()
    if last is None or last.action == UNDO or not last.after:
        return None
    rounds = [*last.after["rounds"], *last.after.get("filled", ())]
    points = Adjustment.objects.filter(pk__in=last.after.get("carried_in", ()))
    return last if points.exists() or Round.objects.filter(pk__in=rounds).exists() else None
