"""The end of a season: promotion, relegation and play-offs between divisions ordered from the highest.

Players who left are *gone* and leave a *vacancy*. In a *play-off* players just above relegation meet those
just below promotion for the same number of places. Everyone else goes to one division, at most to a neighbour
except by hand. Unranked players never go up. Equal players across a line are in `Season.open` until lots
decide. Leagues differ (最高位戦: about a quarter up and down, numbers float; 101競技連盟: two or three), so
all of it is set for each division.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby, pairwise
from typing import Any, Final

NUMBER, PERCENT = "number", "percent"
BY: Final = (NUMBER, PERCENT)

FEWER_DOWN, MORE_UP, LEAVE_FREE = "fewer_down", "more_up", "leave_free"
VACANCIES: Final = (FEWER_DOWN, MORE_UP, LEAVE_FREE)

UP, DOWN, STAYS, PLAY_OFF, LEAVES = "up", "down", "stays", "play_off", "leaves"

# Why: by the rank; because someone else left (free place above, or one fewer goes down); by the result of a
# play-off; by hand; withdrawn.
BY_RANK, VACANCY, SPARED = "by_rank", "vacancy", "spared"
PLAYED, BY_HAND, WITHDRAWN = "played", "by_hand", "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """The numbers of players promoted and relegated, or percent of those present, rounded half up.

    `up_play_off` play for a place above, `down_play_off` for their own. `vacancies`: fewer go down and then
    more come up, more come up, or places stay free. Raises ValueError for negative numbers, more than 100
    percent, and unknown words.
    """

    up: int = 0
    up_by: str = NUMBER
    down: int = 0
    down_by: str = NUMBER
    up_play_off: int = 0
    down_play_off: int = 0
    vacancies: str = FEWER_DOWN

    def __post_init__(self) -> None:
        numbers = (self.up, self.down, self.up_play_off, self.down_play_off)
        shares = [n for n, by in ((self.up, self.up_by), (self.down, self.down_by)) if by == PERCENT]
        known = {self.up_by, self.down_by} <= set(BY) and self.vacancies in VACANCIES
        if {type(number) for number in numbers} != {int}:
            raise ValueError(f"no numbers: {self}")
        if min(numbers) < 0 or max(shares, default=0) > 100 or not known:
            raise ValueError(f"no movement: {self}")

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> "Movement":
        names = {field.name for field in fields(cls)}
        if unknown := set(values) - names:
            raise ValueError(f"no movement: {sorted(unknown)}")
        return cls(**values)

    def as_values(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, for JSON."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in values.items() if value != plain[name]}

    def goes_up(self, players: int) -> int:
        return _share(self.up, self.up_by, players)

    def goes_down(self, players: int) -> int:
        return _share(self.down, self.down_by, players)

    @property
    def moves_anybody(self) -> bool:
        return bool(self.up or self.down or self.up_play_off or self.down_play_off)


NO_MOVEMENT: Final = Movement()


def _share(number: int, by: str, players: int) -> int:
    return (2 * players * number + 100) // 200 if by == PERCENT else number


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A player at the end of the season. `rank` of the `unranked` is their place in the order."""

    player: int
    rank: int
    tied: bool = False
    unranked: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    places: tuple[FinalPlace, ...]
    gone: tuple[int, ...] = ()
    movement: Movement = NO_MOVEMENT

    @property
    def players(self) -> int:
        return len(self.places)

    @property
    def ranked(self) -> int:
        return sum(not place.unranked for place in self.places)


@dataclass(frozen=True, slots=True)
class Move:
    """A player's move and its reason. Divisions are indices. `to`: None for no division, or undecided."""

    player: int
    division: int
    kind: str
    to: int | None
    why: str


@dataclass(frozen=True, slots=True)
class MovementProblem:
    code: str
    division: int
    asked: int = 0
    there: int = 0


@dataclass(frozen=True, slots=True)
class PlayOff:
    """A play-off for `places` in the `upper` division, whose players come first."""

    upper: int
    players: tuple[int, ...]
    places: int
    decided: bool


@dataclass(frozen=True, slots=True)
class Season:
    """The end of a season. `open`: (division, players who have to draw lots). Problems leave no moves."""

    moves: tuple[Move, ...]
    play_offs: tuple[PlayOff, ...] = ()
    open: tuple[tuple[int, tuple[int, ...]], ...] = ()
    problems: tuple[MovementProblem, ...] = ()

    @property
    def decided(self) -> bool:
        return not self.problems and not self.open and not any(m.kind == PLAY_OFF for m in self.moves)

    def sizes(self, divisions: int) -> tuple[int, ...]:
        return tuple(sum(move.to == index for move in self.moves) for index in range(divisions))


@dataclass(frozen=True, slots=True)
class _Lines:
    """The numbers of one division. `up_asked`, `down_asked`: without any vacancy."""

    up: int
    up_play_off: int
    down: int
    down_play_off: int
    up_asked: int
    down_asked: int


def end_season(
    divisions: Sequence[Standing],
    *,
    played: Mapping[int, Sequence[FinalPlace]] | None = None,
    by_hand: Mapping[int, int | None] | None = None,
) -> Season:
    """Move everyone. `played`: play-off results by upper division. `by_hand`: player → division or None."""
    asked = [_requested_moves(index, divisions) for index in range(len(divisions))]
    problems = tuple(_problems(divisions, asked))
    if problems:
        return Season((), problems=problems)
    lines = _lines(divisions, asked)
    if problems := tuple(_too_many(divisions, lines)):
        return Season((), problems=problems)
    play_offs = tuple(_play_offs(divisions, lines, played or {}))
    moves = [
        move
        for index, standing in enumerate(divisions)
        for move in _moves(index, standing, lines[index], last=index + 1 == len(divisions))
    ]
    decided = {
        player: to for play_off in play_offs for player, to in _results(play_off, played or {}).items()
    }
    moves = [_after_play_off(move, decided) for move in moves]
    corrected = [_corrected(move, by_hand or {}) for move in moves]
    return Season(
        tuple(corrected), play_offs, tuple(_open(divisions, lines, play_offs, played or {}, by_hand or {}))
    )


def _requested_moves(index: int, divisions: Sequence[Standing]) -> tuple[int, int]:
    standing = divisions[index]
    return standing.movement.goes_up(standing.players), standing.movement.goes_down(standing.players)


def _problems(divisions: Sequence[Standing], asked: Sequence[tuple[int, int]]) -> Iterator[MovementProblem]:
    last = len(divisions) - 1
    for index, standing in enumerate(divisions):
        movement = standing.movement
        if index == 0 and (movement.up or movement.up_play_off):
            yield MovementProblem("nothing_above", index)
        if index == last and (movement.down or movement.down_play_off):
            yield MovementProblem("nothing_below", index)
        up, _down = asked[index]
        wanted = up + movement.up_play_off
        if index and wanted > standing.ranked:
            yield MovementProblem("nobody_to_come_up", index, wanted, standing.ranked)
    for index, (upper, lower) in enumerate(pairwise(divisions)):
        if bool(upper.movement.down_play_off) != bool(lower.movement.up_play_off):
            yield MovementProblem("play_off_alone", index)


def _lines(divisions: Sequence[Standing], asked: Sequence[tuple[int, int]]) -> list[_Lines]:
    """Compute the numbers after vacancies from the top, because a vacancy moves down."""
    lines: list[_Lines] = []
    up, fewer_from_above = 0, 0
    for index, standing in enumerate(divisions):
        up_asked, down = asked[index]
        free = len(standing.gone) + (up - up_asked if index else 0) + fewer_from_above
        movement = standing.movement
        down_now, more_up = _fill_vacancies(movement, down, free)
        lines.append(_Lines(up, movement.up_play_off, down_now, movement.down_play_off, up_asked, down))
        fewer_from_above = down - down_now
        if index + 1 < len(divisions):
            below = divisions[index + 1]
            up, _down = asked[index + 1]
            can = below.ranked - below.movement.up_play_off - up
            up += min(more_up, max(0, can)) if up else 0
    return lines


def _fill_vacancies(movement: Movement, down: int, free: int) -> tuple[int, int]:
    if movement.vacancies == LEAVE_FREE:
        return down, 0
    spared = min(down, free) if movement.vacancies == FEWER_DOWN else 0
    return down - spared, free - spared


def _too_many(divisions: Sequence[Standing], lines: Sequence[_Lines]) -> Iterator[MovementProblem]:
    for index, (standing, line) in enumerate(zip(divisions, lines, strict=True)):
        moving = line.up + line.up_play_off + line.down + line.down_play_off
        if moving > standing.players:
            yield MovementProblem("more_than_there_are", index, moving, standing.players)


def _moves(index: int, standing: Standing, line: _Lines, *, last: bool) -> Iterator[Move]:
    count = standing.players
    for number, place in enumerate(standing.places):
        from_below = count - 1 - number
        if number < line.up:
            why = BY_RANK if number < line.up_asked else VACANCY
            yield Move(place.player, index, UP, index - 1, why)
        elif number < line.up + line.up_play_off:
            yield Move(place.player, index, PLAY_OFF, None, BY_RANK)
        elif from_below < line.down:
            yield Move(place.player, index, DOWN, index + 1, BY_RANK)
        elif from_below < line.down + line.down_play_off:
            yield Move(place.player, index, PLAY_OFF, None, BY_RANK)
        else:
            spared = not last and from_below < line.down_asked
            yield Move(place.player, index, STAYS, index, SPARED if spared else BY_RANK)
    for player in standing.gone:
        yield Move(player, index, LEAVES, None, WITHDRAWN)


# --- play-offs


def _play_offs(
    divisions: Sequence[Standing], lines: Sequence[_Lines], played: Mapping[int, Sequence[FinalPlace]]
) -> Iterator[PlayOff]:
    for index, (upper, lower) in enumerate(pairwise(divisions)):
        places = lines[index].down_play_off
        if not places:
            continue
        end = upper.players - lines[index].down
        start = lines[index + 1].up
        above = upper.places[end - places : end]
        below = lower.places[start : start + lines[index + 1].up_play_off]
        players = tuple(place.player for place in (*above, *below))
        result = played.get(index, ())
        decided = sorted(place.player for place in result) == sorted(players)
        yield PlayOff(index, players, places, decided)


def _results(play_off: PlayOff, played: Mapping[int, Sequence[FinalPlace]]) -> dict[int, int]:
    if not play_off.decided:
        return {}
    order = [place.player for place in played[play_off.upper]]
    return {
        player: play_off.upper if number < play_off.places else play_off.upper + 1
        for number, player in enumerate(order)
    }


def _after_play_off(move: Move, decided: Mapping[int, int]) -> Move:
    to = decided.get(move.player)
    if move.kind != PLAY_OFF or to is None:
        return move
    return Move(move.player, move.division, _kind(move.division, to), to, PLAYED)


def _kind(division: int, to: int | None) -> str:
    if to is None:
        return LEAVES
    return STAYS if to == division else UP if to < division else DOWN


def _corrected(move: Move, by_hand: Mapping[int, int | None]) -> Move:
    if move.player not in by_hand or move.why == WITHDRAWN:
        return move
    to = by_hand[move.player]
    return Move(move.player, move.division, _kind(move.division, to), to, BY_HAND)


# --- equal players at a line


def _open(
    divisions: Sequence[Standing],
    lines: Sequence[_Lines],
    play_offs: Sequence[PlayOff],
    played: Mapping[int, Sequence[FinalPlace]],
    by_hand: Mapping[int, int | None],
) -> Iterator[tuple[int, tuple[int, ...]]]:
    for index, (standing, line) in enumerate(zip(divisions, lines, strict=True)):
        count = standing.players
        at = {line.up, line.up + line.up_play_off, count - line.down}
        at.add(count - line.down - line.down_play_off)
        for players in _equal_across(standing.places, at):
            if not set(players) <= by_hand.keys():
                yield index, players
    for play_off in play_offs:
        if play_off.decided:
            for players in _equal_across(played[play_off.upper], {play_off.places}):
                if not set(players) <= by_hand.keys():
                    yield play_off.upper, players


def _equal_across(places: Sequence[FinalPlace], lines: set[int]) -> list[tuple[int, ...]]:
    ranks = {
        places[line].rank
        for line in lines
        if 0 < line < len(places) and places[line - 1].rank == places[line].rank
    }
    return [tuple(sorted(place.player for place in places if place.rank == rank)) for rank in sorted(ranks)]


# --- what the next season begins with


def ranks_through(divisions: Sequence[Standing]) -> dict[int, int]:
    """Return player → rank through all divisions, counting gone players. The unranked have none."""
    ranks: dict[int, int] = {}
    above = 0
    for standing in divisions:
        ranks |= {place.player: above + place.rank for place in standing.places if not place.unranked}
        above += len(standing.places) + len(standing.gone)
    return ranks


def final_order(
    stages: Sequence[Sequence[FinalPlace]], firsts: Mapping[int, int] | None = None
) -> tuple[FinalPlace, ...]:
    """Order a division by its stages, each best first, in playing order.

    Players of a later stage come in its order, from the best place that one of them had or from `firsts`
    (stage index → place of the cut). A player who missed a final comes after it. Unranked players of each
    last stage come last.
    """
    order: list[list[FinalPlace]] = []
    for index, stage in enumerate(stages):
        inside = {place.player for place in stage}
        start = next((i for i, group in enumerate(order) if inside & _players(group)), len(order))
        start = min(start, _group_from((firsts or {}).get(index), order))
        left = ([place for place in group if place.player not in inside] for group in order)
        groups = [group for group in left if group]
        # Groups before that have lost no one: the first with someone of this stage comes later.
        order = [*groups[:start], *_by_rank(stage), *groups[start:]]
    ranked = [group for group in order if not any(place.unranked for place in group)]
    unranked = [group for group in order if any(place.unranked for place in group)]
    return tuple(_numbered([*ranked, *unranked]))


def _group_from(place: int | None, order: Sequence[Sequence[FinalPlace]]) -> int:
    above = 0
    for index, group in enumerate(order):
        if place is not None and above + 1 >= place:
            return index
        above += len(group)
    return len(order)


def _players(group: Sequence[FinalPlace]) -> set[int]:
    return {place.player for place in group}


def _by_rank(stage: Sequence[FinalPlace]) -> list[list[FinalPlace]]:
    return [list(group) for _, group in groupby(stage, key=lambda place: place.rank)]


def _numbered(groups: Sequence[Sequence[FinalPlace]]) -> Iterator[FinalPlace]:
    above = 0
    for group in groups:
        for place in group:
            yield FinalPlace(place.player, above + 1, len(group) > 1, place.unranked)
        above += len(group)
