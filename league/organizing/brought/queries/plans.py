"""The plan of a list of results: whom it names, which tables are new, and in which rounds they go."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import count, zip_longest

from django.utils.translation import gettext as _

from league.core.zones import day_of_play
from league.models import AuditEntry, Competition, Round, Sheet, Stage, Table
from league.organizing.brought.queries.reading import Game, Results
from league.organizing.roster.queries import Plan, PlannedLine, plan_roster
from league.play.results.queries.games import RAW_POINTS, SEATED, with_facts
from players.matching import exact_key
from players.roster import read_lines

BRING, UNDO = "results.bring", "results.undo_bring"  # of the log
HIGHEST_TABLE = 9999
MOST_SHOWN = 100

Identity = tuple[str, int | str]  # a player of the league, or the name of a new person
Place = tuple[date | None, str, int]  # day, round as written, number of the game of these players


@dataclass(frozen=True, kw_only=True)
class PlannedGame:
    """The effect of saving a table of the list.

    ``action``: new, known (saved before), twin (of row ``twin``) or stuck. ``round``: the position of its new
    round. ``number``: of its table there.
    """

    game: Game
    action: str
    twin: int = 0
    round: int = 0
    number: int = 0
    problems: tuple[str, ...] = ()

    @property
    def four(self) -> list[tuple[str, int | None]]:
        """Return the names with their points, if all four could be read."""
        return list(zip_longest(self.game.names, self.game.points))


@dataclass(frozen=True, kw_only=True)
class ResultsPlan:
    """``games`` in the order of the list. ``rounds``: the days of the new rounds.

    ``people``: the names, as lines numbered from 1. ``times``: line → number of its tables.
    """

    games: tuple[PlannedGame, ...]
    people: Plan
    times: Mapping[int, int]
    rounds: tuple[date | None, ...] = ()
    problems: tuple[str, ...] = ()
    leave_out: bool = False

    @property
    def new(self) -> list[PlannedGame]:
        return [planned for planned in self.games if planned.action == "new"]

    @property
    def stuck(self) -> list[PlannedGame]:
        return [planned for planned in self.games if planned.action == "stuck"]

    @property
    def skipped(self) -> int:
        return sum(planned.action in {"known", "twin"} for planned in self.games)

    @property
    def known_people(self) -> int:
        return self.people.same + self.people.count("entered")

    @property
    def shown(self) -> list[PlannedGame]:
        """Return the tables that a page shows: those with a problem first."""
        return sorted(self.games, key=lambda planned: planned.action != "stuck")[:MOST_SHOWN]

    @property
    def names(self) -> list[tuple[PlannedLine, int]]:
        """Return the names with the number of their tables: first those with a question, then new people."""
        lines = sorted(
            self.people.lines,
            key=lambda line: (not line.problems, not line.choices, line.action == "entered"),
        )
        return [(line, self.times[line.line.number]) for line in lines]

    @property
    def is_clear(self) -> bool:
        return not self.problems and self.people.is_clear and (self.leave_out or not self.stuck)

    @property
    def can_save(self) -> bool:
        return self.is_clear and bool(self.new)


def plan_results(
    stage: Stage, results: Results, *, picks: Iterable[str] = (), leave_out: bool = False
) -> ResultsPlan:
    """Plan to save a list. ``leave_out``: tables with a problem are not saved. Queries: constant."""
    competition, problems = stage.competition, [str(problem) for problem in results.problems]
    is_open = stage.play == Stage.Play.OPEN
    if is_open and any(game.day is None and not game.problems for game in results.games):
        problems.append(_("Free play needs the day of each table. Add a column with it."))
    today = day_of_play(competition)
    games = [_plan_game(game, today) for game in results.games]
    if not is_open:
        games = list(_refuse_two_seats(games))
    kept = [planned.game for planned in games if not (leave_out and planned.problems)]
    line_of = {exact_key(name): line for line, name in enumerate(results.names, 1)}
    times = Counter(line_of[key] for game in kept for name in game.names if (key := exact_key(name)))
    lines = [(line, [name]) for line, name in enumerate(results.names, 1) if line in times]
    people = plan_roster(competition, read_lines(["name"], lines), picks=picks, division=stage.division.slug)
    identities = {line.line.number: _identity(line) for line in people.lines}
    who = {key: identities[line] for key, line in line_of.items() if line in identities}
    games = list(_find_known(games, who, _saved_games(stage)))
    games, rounds = _place(games, is_open=is_open)
    return ResultsPlan(
        games=tuple(games),
        people=people,
        times=times,
        rounds=rounds,
        problems=tuple(problems),
        leave_out=leave_out,
    )


def _plan_game(game: Game, today: date) -> PlannedGame:
    problems = list(game.problems)
    if game.day is not None and game.day > today:
        problems.append(_("This day has not come yet."))
    return PlannedGame(game=game, action="stuck" if problems else "new", problems=tuple(problems))


def _refuse_two_seats(games: Iterable[PlannedGame]) -> Iterator[PlannedGame]:
    """Refuse the second table of a player in a round that the list names."""
    first: dict[tuple[date | None, str, str], int] = {}
    rows: dict[object, int] = {}
    for planned in games:
        game, problems = planned.game, list(planned.problems)
        is_repeated = rows.setdefault(_mark(game), game.row) != game.row
        for name in {exact_key(name): name for name in game.names}.values():
            row = first.setdefault((game.day, exact_key(game.round), exact_key(name)), game.row)
            if game.round and row != game.row and not is_repeated:
                problems.append(
                    _("%(name)s is also at the table of row %(row)s in this round.")
                    % {"name": name, "row": row}
                )
        if len(problems) > len(planned.problems):
            planned = replace(planned, action="stuck", problems=tuple(problems))
        yield planned


def _mark(game: Game) -> tuple[date | None, frozenset[tuple[str, int]]]:
    return game.day, frozenset(zip(map(exact_key, game.names), game.points, strict=False))


# --- people -------------------------------------------------------------------------------------------------


def _identity(line: PlannedLine) -> Identity:
    return ("player", line.person.pk) if line.person else ("name", exact_key(line.line.name))


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


# --- rounds -------------------------------------------------------------------------------------------------


def _place(
    games: Sequence[PlannedGame], *, is_open: bool
) -> tuple[list[PlannedGame], tuple[date | None, ...]]:
    """Give each new table a round and a number. A round has a day, and the name of a round if the list says
    it. Otherwise the n-th game of a player on a day is in the n-th round. In free play each table has a round
    of its own.
    """
    played: dict[tuple[date | None, str], int] = {}
    places: dict[int, Place] = {}
    for at, planned in enumerate(games):
        if planned.action != "new":
            continue
        game, number = planned.game, 0
        if is_open:
            number = at
        elif not game.round:
            keys = [(game.day, exact_key(name)) for name in game.names]
            number = max(played.get(key, 0) for key in keys) + 1
            played.update(dict.fromkeys(keys, number))
        places[at] = (game.day, game.round, number)
    order = sorted(set(places.values()), key=_in_order)
    position = {place: index for index, place in enumerate(order)}
    taken: dict[int, set[int]] = {}
    placed = list(games)
    for at, place in places.items():
        used = taken.setdefault(position[place], set())
        wanted = _table_number(games[at].game.table)
        free = wanted if wanted and wanted not in used else next(n for n in count(1) if n not in used)
        used.add(free)
        placed[at] = replace(games[at], round=position[place], number=free)
    return placed, tuple(day for day, _round, _number in order)


def _in_order(place: Place) -> tuple[object, ...]:
    day, round_, number = place
    parts = [
        (int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", round_) if part
    ]
    return day or date.min, parts, number


def _table_number(written: str) -> int:
    """Return the number in the name of a table, or 0."""
    found = re.search(r"\d{1,4}", written)
    return int(found[0]) if found and found[0].isascii() and int(found[0]) <= HIGHEST_TABLE else 0


# --- undoing ------------------------------------------------------------------------------------------------


def last_brought(competition: Competition) -> AuditEntry | None:
    """Return the log's entry of the results that were brought last, unless they were undone."""
    entries = AuditEntry.objects.filter(competition=competition, action__in=[BRING, UNDO])
    last = entries.order_by("-sequence").first()
    if last is None or last.action == UNDO or not last.after:
        return None
    return last if Round.objects.filter(pk__in=last.after["rounds"]).exists() else None
