"""Standings reckoned by hand, as an organizer would with pencil and paper: plain sums over what was played.

Nothing of the product is used here, so that an error in it does not agree with itself. Scores are tenths.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

Score = int | Fraction


@dataclass(frozen=True)
class Worth:
    """What a rule book pays: start and return points, tenths by place (oka in it), who gets deposits.

    ``floating``: the tenths by place for each number of players with the start points or more. ``ties``:
    equals share what their places are worth, or the places go by seat from the first or the last dealer.
    ``rest``: who gets what does not divide. ``nearest``: to which thousand all but the first are rounded.
    """

    start: int
    returns: int
    places: tuple[int, int, int, int]
    first_takes_deposits: bool
    ties: str = "share"  # share, first dealer, last dealer
    rest: str = "first dealer"  # first dealer, nobody, exact
    nearest: str = ""  # down, up, half down, half up, half away
    floating: tuple[tuple[int, int, int, int], ...] = ()
    named: int = 0  # tenths for a player who was named
    chip: int = 0  # tenths
    times: Fraction = Fraction(1)


_EMA, _PRO, _NONE = (150, 50, -50, -150), (500, 100, -100, -300), (0, 0, 0, 0)
_JPML = (_NONE, (120, -10, -30, -80), (80, 40, -40, -80), (80, 30, 10, -120), _NONE)
_BY_SEAT = {"ties": "first dealer"}
RULE_BOOKS = {
    "ema-2016": Worth(30_000, 30_000, _EMA, True, rest="nobody"),
    "ema-2025": Worth(30_000, 30_000, _EMA, True, rest="nobody"),
    "guide": Worth(25_000, 25_000, _NONE, True, **_BY_SEAT),
    "hkma-a-2025-04": Worth(30_000, 35_000, _PRO, True),
    "hkma-a-legacy": Worth(30_000, 30_000, (450, 150, -200, -400), True),
    "hkma-b-2025-04": Worth(25_000, 30_000, _PRO, True),
    "hkma-b-legacy": Worth(25_000, 25_000, (450, 150, -150, -450), True),
    "jpml-a": Worth(30_000, 30_000, _JPML[2], False, floating=_JPML),
    "kanto": Worth(25_000, 25_000, _NONE, True, named=50, **_BY_SEAT),
    "mahjong-soul": Worth(25_000, 25_000, _EMA, True, **_BY_SEAT),
    "mleague": Worth(25_000, 30_000, _PRO, True),
    "saikouisen": Worth(30_000, 30_000, (300, 100, -100, -300), False),
    "tenhou": Worth(25_000, 30_000, (400, 100, -100, -200), True, nearest="half away", **_BY_SEAT),
    "tenhou-2022": Worth(25_000, 30_000, (400, 100, -100, -200), True, **_BY_SEAT),
    "tnt": Worth(25_000, 25_000, _NONE, True, ties="last dealer"),
    "wrc-2022": Worth(30_000, 30_000, _EMA, False, rest="nobody"),
    "wrc-2025": Worth(30_000, 30_000, _EMA, False, rest="nobody"),
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
    dealer: int = 3  # the last one
    named: Mapping[int, int] = field(default_factory=dict)  # seat → the seat that it named
    chips: tuple[int, int, int, int] = (0, 0, 0, 0)
    forfeited: bool = False

    @property
    def players(self) -> list[int]:
        return [sit.player for sit in self.seats]


@dataclass
class Line:
    """One player's line: games as (key of the table, seat, place, score, points), oldest first."""

    player: int
    games: list[tuple[tuple[int, int], int, int, Score, int]] = field(default_factory=list)
    averaged: Score = 0
    penalties: int = 0
    deducted: int = 0
    given: int = 0
    carried: int = 0
    rank: int = 0

    @property
    def score(self) -> Score:
        return sum(game[3] for game in self.games) + self.averaged

    @property
    def total(self) -> Score:
        return self.score + self.penalties + self.given + self.carried

    def places(self, place: int) -> int:
        return sum(game[2] == place for game in self.games)


@dataclass
class Known:
    """What tie-breaks ask for beside the games: ranks of the stage before, draws of lots."""

    preliminary: Mapping[int, int] = field(default_factory=dict)
    lots: list[list[int]] = field(default_factory=list)


def settled(hanchan: Hanchan, worth: Worth) -> list[tuple[int, Score]]:
    """(place, score) of the four seats. Late seats come last, whatever their points."""
    assert hanchan.points is not None
    points = hanchan.points
    late = [sit.late for sit in hanchan.seats]
    ahead, equals = _order(points, hanchan, worth)
    table = worth.places
    if worth.floating:
        table = worth.floating[sum(p >= worth.start and not out for p, out in zip(points, late, strict=True))]
    base = [Fraction(p - worth.returns, 100) for p in points]
    if worth.nearest:
        exact = sum(base)
        base = [10 * _thousands(p, worth.nearest) - Fraction(worth.returns, 100) for p in points]
        firsts = [seat for seat in range(4) if ahead[seat] == 0]
        left = exact - sum(base[seat] for seat in range(4) if seat not in firsts)
        for seat in firsts:
            own = Fraction(points[seat] - worth.returns, 100)
            unrounded = sum(Fraction(points[each] - worth.returns, 100) for each in firsts)
            base[seat] = own + _share(left - unrounded, firsts, seat, worth)
    sums = []
    for seat in range(4):
        group = equals[seat]
        score = base[seat] + _share(sum(table[ahead[seat] : ahead[seat] + len(group)]), group, seat, worth)
        if worth.first_takes_deposits and ahead[seat] == 0:
            score += _share(hanchan.sticks // 100, group, seat, worth)
        sums.append(worth.times * score)
    for namer, named in hanchan.named.items():
        places = range(ahead[named], ahead[named] + len(equals[named]))
        paid = Fraction(sum(worth.named if place > 1 else -worth.named for place in places), len(places))
        sums[namer] += paid
        sums[named] -= paid
    if hanchan.named:
        ahead, _equals = _order(sums, hanchan, worth)
    with_chips = [score + chips * worth.chip for score, chips in zip(sums, hanchan.chips, strict=True)]
    return [(place + 1, score) for place, score in zip(ahead, with_chips, strict=True)]


def _order(values: Sequence[Score], hanchan: Hanchan, worth: Worth) -> tuple[list[int], list[list[int]]]:
    """How many are ahead of each seat, and the seats equal to it."""
    dealer = hanchan.dealer if worth.ties == "last dealer" else 0
    turn = [0 if worth.ties == "share" else -((seat - dealer) % 4) for seat in range(4)]
    strength = [
        (not sit.late, value, turn[seat])
        for seat, (sit, value) in enumerate(zip(hanchan.seats, values, strict=True))
    ]
    ahead = [sum(other > mine for other in strength) for mine in strength]
    return ahead, [[seat for seat in range(4) if strength[seat] == mine] for mine in strength]


def _share(pot: Score, group: Sequence[int], seat: int, worth: Worth) -> Score:
    """A share in whole tenths, rounded down. The seat nearest to the first dealer may get what is left."""
    share = Fraction(pot) / len(group)
    if worth.rest == "exact":
        return share
    whole = floor(share)
    return whole + (pot - whole * len(group) if worth.rest == "first dealer" and seat == min(group) else 0)


def _thousands(points: int, nearest: str) -> int:
    exact = Fraction(points, 1_000)
    return {
        "down": floor(exact),
        "up": ceil(exact),
        "half down": ceil(exact - Fraction(1, 2)),
        "half up": floor(exact + Fraction(1, 2)),
        "half away": rounded(exact),
    }[nearest]


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
    standard: tuple[int, str] | None = None,
) -> list[Line]:
    """The lines, best first. ``hanchan`` by (round, table); `nobody` are not listed whatever they did; `only`
    these are, where a cut chose them. `standard`: so many hanchan count, the first, the best or on average.
    """
    lines = {player: Line(player) for player in listed}
    for key in sorted(hanchan):
        if hanchan[key].points is not None:
            _add_games(lines, key, hanchan[key], worth)
    for line in lines.values() if standard else ():
        _count_games(line, *standard)
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


def _count_games(line: Line, standard: int, beyond: str) -> None:
    if beyond == "average" and len(line.games) > standard:
        line.averaged = rounded(Fraction(line.score) * standard / len(line.games)) - line.score
    elif beyond == "best":
        best = sorted(line.games, key=lambda game: -game[3])[:standard]
        line.games = [game for game in line.games if game in best]
    elif beyond == "first":
        line.games = line.games[:standard]


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
