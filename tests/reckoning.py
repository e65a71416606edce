"""Standings reckoned by hand, as an organizer would with pencil and paper: plain sums over what was played.

Nothing of the product is used here, so that an error in it does not agree with itself. Scores are tenths.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Worth:
    """What a rule book pays: start and return points, tenths by place (oka in it), who gets deposits.

    Players with equal points share what their places are worth.
    """

    start: int
    returns: int
    places: tuple[int, int, int, int]
    first_takes_deposits: bool


RULE_BOOKS = {
    "ema-2025": Worth(30_000, 30_000, (150, 50, -50, -150), True),
    "wrc-2022": Worth(30_000, 30_000, (150, 50, -50, -150), False),
    "hkma-a-2025-04": Worth(30_000, 35_000, (500, 100, -100, -300), True),
}


@dataclass(frozen=True)
class Sit:
    """Who sits in a seat; for whom, where that is a substitute; whether the substitute came late, and whether
    they stay until the player is back.
    """

    player: int
    absent: int | None = None
    late: bool = False
    until_back: bool = False

    @property
    def seated(self) -> int:
        """Who was given the seat."""
        return self.player if self.absent is None else self.absent


@dataclass
class Hanchan:
    """A table of a round: four seats from east, and the points; None without a result that counts."""

    seats: list[Sit]
    points: tuple[int, int, int, int] | None = None
    sticks: int = 0
    forfeited: bool = False

    @property
    def players(self) -> list[int]:
        return [sit.player for sit in self.seats]


@dataclass
class Line:
    """One player's line: games as (key of the table, seat, place, score, points), oldest first."""

    player: int
    games: list[tuple[tuple[int, int], int, int, int, int]] = field(default_factory=list)
    penalties: int = 0
    deducted: int = 0
    given: int = 0
    carried: int = 0
    rank: int = 0

    @property
    def score(self) -> int:
        return sum(game[3] for game in self.games)

    @property
    def total(self) -> int:
        return self.score + self.penalties + self.given + self.carried

    def places(self, place: int) -> int:
        return sum(game[2] == place for game in self.games)


@dataclass
class Known:
    """What tie-breaks ask for beside the games: ranks of the stage before, draws of lots."""

    preliminary: Mapping[int, int] = field(default_factory=dict)
    lots: list[list[int]] = field(default_factory=list)


def settled(hanchan: Hanchan, worth: Worth) -> list[tuple[int, int]]:
    """(place, score) of the four seats. Late seats come last, whatever their points."""
    assert hanchan.points is not None
    strength = [(not sit.late, points) for sit, points in zip(hanchan.seats, hanchan.points, strict=True)]
    found = []
    for mine, points in zip(strength, hanchan.points, strict=True):
        ahead = sum(other > mine for other in strength)
        equal = strength.count(mine)
        share = Fraction(sum(worth.places[ahead : ahead + equal]), equal)
        if worth.first_takes_deposits and ahead == 0:
            share += Fraction(hanchan.sticks, 100 * equal)
        assert share.denominator == 1, "no case of this needs a rule for what does not divide"
        found.append((ahead + 1, (points - worth.returns) // 100 + int(share)))
    return found


def rounded(value: Fraction) -> int:
    """To the nearest whole tenth, an exact half away from zero."""
    up = int(abs(value) + Fraction(1, 2))
    return up if value >= 0 else -up


def reckoned(
    hanchan: Mapping[tuple[int, int], Hanchan],
    worth: Worth,
    *,
    listed: Iterable[int],
    penalties: Iterable[tuple[int, int]],
    given: Iterable[tuple[int, int]],
    carried: Mapping[int, int],
    tie_breaks: Sequence[str],
    known: Known,
    nobody: Iterable[int] = (),
    only: Iterable[int] | None = None,
) -> list[Line]:
    """The lines, best first. ``hanchan`` by (round, table); `nobody` are not listed whatever they did; `only`
    these are, where a cut chose them.
    """
    lines = {player: Line(player) for player in listed}
    for key in sorted(hanchan):
        if hanchan[key].points is not None:
            _add_games(lines, key, hanchan[key], worth)
    for player, tenths in penalties:
        line = lines.setdefault(player, Line(player))
        line.penalties += tenths
        line.deducted += max(0, -tenths)
    for player, tenths in given:
        lines.setdefault(player, Line(player)).given += tenths
    kept = set(lines) - set(nobody) if only is None else set(lines) & set(only)
    found = [line for player, line in lines.items() if player in kept]
    for line in found:
        line.carried = carried.get(line.player, 0)
    return _ranked(found, tie_breaks, known)


def _add_games(lines: dict[int, Line], key: tuple[int, int], hanchan: Hanchan, worth: Worth) -> None:
    assert hanchan.points is not None
    for seat, (place, score) in enumerate(settled(hanchan, worth)):
        sit = hanchan.seats[seat]
        if sit.absent is None:
            line = lines.setdefault(sit.player, Line(sit.player))
            line.games.append((key, seat, place, score, hanchan.points[seat]))


# --- the order


def _ranked(lines: list[Line], tie_breaks: Sequence[str], known: Known) -> list[Line]:
    """By total, players with games before those without; equals by the tie-breaks, each within the equals
    that the one before has left; then they share a rank, in the order of their numbers.
    """
    groups = _split(lines, lambda line: (not line.games, -line.total))
    for name in tie_breaks:
        groups = [part for group in groups for part in _broken(group, name, known)]
    found: list[Line] = []
    for group in groups:
        rank = len(found) + 1
        for line in sorted(group, key=lambda line: line.player):
            line.rank = rank
            found.append(line)
    return found


def _split(lines: list[Line], key: Callable[[Line], Any]) -> list[list[Line]]:
    values = sorted({key(line) for line in lines})
    return [[line for line in lines if key(line) == value] for value in values]


def _broken(group: list[Line], name: str, known: Known) -> list[list[Line]]:
    if len(group) == 1:
        return [group]
    if name == "head_to_head":
        sums = _sums_together(group)
        return _split(group, lambda line: -sums[line.player])
    if name == "lots":
        drawn = next((lots for lots in known.lots if {line.player for line in group} <= set(lots)), None)
        return [group] if drawn is None else _split(group, lambda line: drawn.index(line.player))
    return _split(group, lambda line: _value(line, name, known))


def _value(line: Line, name: str, known: Known) -> Fraction | int:
    """Smaller is better."""
    if name == "penalty":
        return line.deducted
    if name == "preliminary_rank":
        return known.preliminary.get(line.player, 10**9)
    if not line.games:
        return 0
    return {
        "average_place": Fraction(sum(game[2] for game in line.games), len(line.games)),
        "firsts": -line.places(1),
        "seconds": -line.places(2),
        "lasts": line.places(4),
        "best_points": -max(game[4] for game in line.games),
        "best_score": -max(game[3] for game in line.games),
        "last_round": -line.games[-1][3],
        "seat_order": line.games[-1][1],
    }[name]


def _sums_together(group: list[Line]) -> dict[int, int]:
    """What each scored in the hanchan in which all of them played for themselves."""
    common = set.intersection(*({game[0] for game in line.games} for line in group))
    return {line.player: sum(game[3] for game in line.games if game[0] in common) for line in group}


TIE_BREAKS = (
    *("penalty", "average_place", "firsts", "seconds", "lasts", "best_points", "best_score"),
    *("head_to_head", "last_round", "preliminary_rank", "seat_order", "lots"),
)


# --- penalties of the HKMA (罰則總則), from the notes in tests/data/hkma_infractions.json

SEVERITY = ("1", "2", "3", "4", "4+", "5", "6")
LEAST = {"1": 0, "2": 20, "3": 0, "4": 80, "4+": 120, "5": 250, "6": 0}
MOST = LEAST | {"4": 120}
AGAIN_IN_THE_GAME = {"2": "4", "4": "5", "4+": "5"}
ALL_FOUR = {("A-XI", 1), ("A-XI", 2), ("D-V", 1), ("D-V", 2)}
EACH_TIME_THE_SAME = {"D-III"}


@dataclass
class Given:
    """A penalty as the referee's notebook has it. ``hand`` is empty or begins with "?" where no one knew."""

    player: int
    table: int
    hand: str
    code: str
    condition: int
    levels: tuple[str, ...]
    tenths: int
    ban: bool
    state: str = "in_force"
    act: object = None

    @property
    def counts(self) -> bool:
        return self.state == "in_force"


def severity(levels: Sequence[str]) -> int:
    return max((SEVERITY.index(level) for level in levels), default=-1)


def owed(
    code: str, noted: Mapping[str, Any], before: Iterable[Given], table: int, hand: str
) -> tuple[tuple[str, ...], list[str]]:
    """The levels for this offence after what counts of this player, and the others that may be chosen."""
    levels, choice = tuple(noted["levels"]), list(noted.get("options", ()))
    if not levels or code in EACH_TIME_THE_SAME:
        return levels, choice
    same = [each for each in before if each.counts and each.code == code and each.table == table]
    sure = [AGAIN_IN_THE_GAME[level] for each in same for level in each.levels if level in AGAIN_IN_THE_GAME]
    warned = [each for each in same if "1" in each.levels]
    known = bool(hand) and not hand.startswith("?")
    sure += ["2" for each in warned if known and each.hand == hand]
    if severity(sure) > severity(levels):
        worst = SEVERITY[severity(sure)]
        return (worst,), [level for level in choice if severity([level]) >= severity([worst])]
    unsure = [each for each in warned if not known or each.hand in ("",) or each.hand.startswith("?")]
    if unsure and len(levels) == 1 and severity(levels) < severity(["2"]):
        return levels, [*(choice or levels), "2"]
    return levels, choice
