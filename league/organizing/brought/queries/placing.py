"""The rounds in which tables of a list are saved: rounds that exist and still lack them, or new ones."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count

from league.core.zones import day_of_play
from league.models import Round, Seat, Stage, Table
from league.organizing.brought.queries.facts import Game
from league.play.results.queries.games import SEATED, with_facts
from players.matching import exact_key

HIGHEST_TABLE = 9999

Identity = tuple[str, int | str]  # a player of the league, or the name of a new person
Mark = tuple[date | None, str, int]  # day, round as written, number of the game of these players


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a table: in the new round of index ``new``, or in the round ``known``."""

    number: int
    new: int = 0
    known: Round | None = None


NOWHERE = Place(0)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A planned or open round. ``tables``: number → players from east to north.

    ``played``: numbers of its tables with a score sheet. ``busy``: its substitutes and those they sit for.
    """

    round: Round
    tables: Mapping[int, tuple[int | None, ...]]
    played: frozenset[int]
    busy: frozenset[int]

    def place(self, games: Iterable[tuple[int, Game, Sequence[Identity]]]) -> dict[int, int] | None:
        """Return the number of each game's table, or None if one of its players sits elsewhere or has played.

        ``games``: (index, game, its four players).
        """
        numbers: dict[int, int] = {}
        free = []
        for at, game, four in games:
            known = {pk for kind, pk in four if kind == "player"}
            sat = [number for number, seated in self.tables.items() if known.intersection(seated)]
            if known & self.busy or not self.played.isdisjoint(sat):
                return None
            if not sat:
                free.append((at, game))
            elif len(sat) == 1 and known == {*self.tables[sat[0]]}:
                numbers[at] = sat[0]
            else:
                return None
        used = {*self.tables}
        for at, game in free:
            numbers[at] = _number(game, used)
        return numbers


def waiting_rounds(stage: Stage) -> list[Waiting]:
    """Return the rounds of a stage of rounds that are not closed and do not lie ahead. Queries: 3."""
    if stage.play == Stage.Play.OPEN:
        return []
    today = day_of_play(stage.competition)
    rounds = [
        round_
        for round_ in Round.objects.filter(stage=stage).exclude(status=Round.Status.CLOSED)
        if round_.date is None or round_.date <= today
    ]
    tables: dict[int, dict[int, tuple[int | None, ...]]] = {}
    played: dict[int, set[int]] = {}
    facts = with_facts(Table.objects.filter(round__in=rounds)).order_by("number")
    for pk, number, sheet, *four in facts.values_list("round_id", "number", "now__pk", *SEATED):
        tables.setdefault(pk, {})[number] = tuple(four)
        if sheet is not None:
            played.setdefault(pk, set()).add(number)
    busy: dict[int, set[int]] = {}
    sitting = Seat.objects.filter(round__in=rounds, stands_for__isnull=False)
    for pk, player, absent in sitting.values_list("round_id", "player_id", "stands_for_id"):
        busy.setdefault(pk, set()).update((player, absent or player))
    return [
        Waiting(
            round_,
            tables.get(round_.pk, {}),
            frozenset(played.get(round_.pk, ())),
            frozenset(busy.get(round_.pk, ())),
        )
        for round_ in rounds
    ]


def place_games(
    games: Mapping[int, Game],
    who: Mapping[str, Identity],
    waiting: Sequence[Waiting],
    *,
    is_open: bool,
) -> tuple[dict[int, Place], tuple[date | None, ...]]:
    """Give each game its place. Also return the days of the new rounds.

    A round has a day, and the name of a round if the list has one. Otherwise the n-th game of a player on a
    day is in the n-th round. In free play each table has a round of its own.
    """
    groups: dict[Mark, list[int]] = {}
    for at, mark in _marks(games, who, is_open=is_open).items():
        groups.setdefault(mark, []).append(at)
    order = sorted(groups, key=_in_order)
    known = _known_rounds(order, waiting)
    places: dict[int, Place] = {}
    days: list[date | None] = []
    for mark in order:
        here = [(at, games[at], [who[exact_key(name)] for name in games[at].names]) for at in groups[mark]]
        found = known.get(mark)
        numbers = found.place(here) if found else None
        if found and numbers is not None:
            places |= {at: Place(number, known=found.round) for at, number in numbers.items()}
            continue
        used: set[int] = set()
        for at, game, _four in here:
            places[at] = Place(_number(game, used), new=len(days))
        day, _round, _number_of_day = mark
        days.append(day)
    return places, tuple(days)


def _marks(games: Mapping[int, Game], who: Mapping[str, Identity], *, is_open: bool) -> dict[int, Mark]:
    played: dict[tuple[date | None, Identity], int] = {}
    marks: dict[int, Mark] = {}
    for at, game in games.items():
        number = 0
        if is_open:
            number = at
        elif not game.round:
            keys = [(game.day, who[exact_key(name)]) for name in game.names]
            number = max(played.get(key, 0) for key in keys) + 1
            played.update(dict.fromkeys(keys, number))
        marks[at] = (game.day, game.round, number)
    return marks


def _known_rounds(order: Iterable[Mark], waiting: Sequence[Waiting]) -> dict[Mark, Waiting]:
    """Return the round that each mark means: of its number, or else the next round of its day."""
    found: dict[Mark, Waiting] = {}
    left = list(waiting)
    for mark in order:
        day, named, _number_of_day = mark
        here = [each for each in left if _is_on(each.round, day)]
        by_number = [each for each in here if each.round.number == _named_number(named)]
        by_day = [each for each in here if day is not None and each.round.date is not None]
        for each in (by_number or by_day)[:1]:
            found[mark] = each
            left.remove(each)
    return found


def _is_on(round_: Round, day: date | None) -> bool:
    if day is None or round_.date is None:
        return True
    return round_.date <= day <= (round_.until or round_.date)


def _named_number(written: str) -> int | None:
    digits = re.findall(r"[0-9]{1,4}", written)
    return int(digits[0]) if len(digits) == 1 else None


def _in_order(mark: Mark) -> tuple[object, ...]:
    day, round_, number = mark
    parts = [
        (int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", round_) if part
    ]
    return day or date.min, parts, number


def _number(game: Game, used: "set[int]") -> int:
    """Return the number of the game's table as written, or the first free one, and mark it as used."""
    wanted = _table_number(game.table)
    number = wanted if wanted and wanted not in used else next(n for n in count(1) if n not in used)
    used.add(number)
    return number


def _table_number(written: str) -> int:
    """Return the number in the name of a table, or 0."""
    found = re.search(r"[0-9]{1,4}", written)
    number = int(found.group()) if found else 0
    return number if number <= HIGHEST_TABLE else 0


def filled_rounds(places: Collection[Place]) -> list[tuple[Round, int]]:
    """Return the existing rounds with the number of their tables that get a result, in their order."""
    rounds = {place.known.pk: place.known for place in places if place.known}
    counts = [(each, sum(place.known == each for place in places)) for each in rounds.values()]
    return sorted(counts, key=lambda pair: pair[0].number)
