"""Payments of one hand: han and fu (or a limit, or multiples of a yakuman) become transfers.

Seats are 0 to 3, east to north at the start. *Basic points* are one non-dealer's payment to another for a
self-draw before rounding. *Deposits* are riichi points on the table. The changes of every `Payment` sum to
zero.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.rules import Rules
from scoring.settlement import SEATS, Four
from scoring.yaku import YAKU, Yaku

MANGAN, HANEMAN, BAIMAN, SANBAIMAN = "mangan", "haneman", "baiman", "sanbaiman"
COUNTED_YAKUMAN, YAKUMAN = "counted_yakuman", "yakuman"
LIMITS: Final = (MANGAN, HANEMAN, BAIMAN, SANBAIMAN, COUNTED_YAKUMAN, YAKUMAN)

HAND, HONBA, DEPOSITS, LIABILITY = "hand", "honba", "deposits", "liability"
NOTEN, NAGASHI, CHOMBO = "noten", "nagashi", "chombo"
NOTEN_RIICHI, EXTRA_TILES = "noten_riichi", "extra_tiles"
SCORES = "scores"  # only the scores after the hand are known
REASONS: Final = (HAND, HONBA, DEPOSITS, LIABILITY, NOTEN, NAGASHI, CHOMBO, NOTEN_RIICHI, EXTRA_TILES, SCORES)

RINSHAN: Final = "rinshan"
DEPOSIT: Final = 1000
FU: Final = (20, 25, *range(30, 180, 10))  # 170: four closed kans of terminals, and a wait for a double wind

_BASE: Final = {
    MANGAN: 2000,
    HANEMAN: 3000,
    BAIMAN: 4000,
    SANBAIMAN: 6000,
    COUNTED_YAKUMAN: 8000,
    YAKUMAN: 8000,
}
_FEWEST_HAN: Final = ((13, COUNTED_YAKUMAN), (11, SANBAIMAN), (8, BAIMAN), (6, HANEMAN), (5, MANGAN))
_KIRIAGE: Final = ((4, 30), (3, 60))  # as the rule books name them; 2 han 120 fu are in none


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue:
    """The value of a hand. `yakuman`: multiples paid, 0 for a counted yakuman."""

    base: int
    han: int | None = None
    fu: int | None = None
    limit: str | None = None
    yakuman: int = 0


@dataclass(frozen=True, slots=True)
class Liability:
    """A liable seat (pao). `yakuman`: multiples, or None by rule set. `yaku`: a code, or `RINSHAN`."""

    player: int
    yaku: str
    yakuman: int | None = None


@dataclass(frozen=True, slots=True)
class Win:
    """A win. `yaku`: codes of its yaku and dora, or None if they are not recorded."""

    winner: int
    value: HandValue
    liable: tuple[Liability, ...] = ()
    yaku: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """A movement of points for one of `REASONS`. None is the deposits on the table."""

    payer: int | None
    payee: int | None
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Payment:
    transfers: tuple[Transfer, ...] = ()

    @property
    def changes(self) -> Four:
        east, south, west, north = (self._gain(seat) for seat in SEATS)
        return east, south, west, north

    @property
    def deposits(self) -> int:
        return self._gain(None)

    def _gain(self, side: int | None) -> int:
        paid = sum(transfer.points for transfer in self.transfers if transfer.payer == side)
        return sum(transfer.points for transfer in self.transfers if transfer.payee == side) - paid


# What a hand is worth


def hand_value(han: int, fu: int | None, rules: Rules) -> HandValue:
    """Return the value of `han` and `fu`. Raises ValueError if no hand has them.

    Basic points are fu × 2^(han + 2) up to mangan (EMA 2016 4.3.1). TNT's formula (chapter 5) lacks the
    factor 4 and the cap, against its own table. From 5 han on fu may be None.
    """
    limit = _limit_of(han, rules)
    if han < 1 or (fu not in FU and not (fu is None and limit)):
        raise ValueError(f"no hand has {han!r} han and {fu!r} fu")
    if fu is None or limit:
        assert limit
        return HandValue(base=_BASE[limit], han=han, fu=fu, limit=limit)
    base = fu * 2 ** (han + 2)
    if base >= _BASE[MANGAN] or (rules.kiriage_mangan and (han, fu) in _KIRIAGE):
        return HandValue(base=_BASE[MANGAN], han=han, fu=fu, limit=MANGAN)
    return HandValue(base=base, han=han, fu=fu)


def limit_value(limit: str, rules: Rules) -> HandValue:
    """Return the value of a limit. Raises ValueError if the rule set lacks it."""
    if limit not in LIMITS or (limit == COUNTED_YAKUMAN and rules.counted_yakuman == "none"):
        raise ValueError(f"no such limit in this rule set: {limit!r}")
    return HandValue(base=_BASE[limit], limit=limit, yakuman=int(limit == YAKUMAN))


def yakuman_value(multiples: int, rules: Rules) -> HandValue:
    """Return the value of these multiples, as far as the rule set pays. Raises ValueError below one."""
    if multiples < 1:
        raise ValueError(f"a yakuman hand has one yakuman or more: {multiples!r}")
    most = rules.yakuman_limit or multiples
    if not rules.composite_yakuman:
        most = min(most, 2 if rules.double_yakuman else 1)
    paid = min(multiples, most)
    return HandValue(base=paid * _BASE[YAKUMAN], limit=YAKUMAN, yakuman=paid)


def multiples_of(yakuman: Yaku, rules: Rules) -> int:
    return 2 if yakuman.double and rules.double_yakuman else 1


def _limit_of(han: int, rules: Rules) -> str | None:
    limit = next((limit for fewest, limit in _FEWEST_HAN if han >= fewest), None)
    if limit == COUNTED_YAKUMAN and rules.counted_yakuman == "none":
        return SANBAIMAN
    return limit


def ron_points(base: int, *, dealer: bool) -> int:
    """Return what the discarder pays. `dealer`: the winner deals."""
    return _hundreds(base * (6 if dealer else 4))


def tsumo_points(base: int, *, dealer: bool) -> int:
    """Return one player's payment for a self-draw. `dealer`: the winner or this player deals."""
    return _hundreds(base * (2 if dealer else 1))


def _hundreds(points: int, among: int = 1) -> int:
    """Divide and round up to 100 points as every payment is (EMA 2016 4.3.1)."""
    return -(-points // (among * 100)) * 100


# Wins


def winners_of(wins: Sequence[Win], loser: int, rules: Rules) -> tuple[Win, ...]:
    """Return the winners nearest in turn to `loser`, or () if three wins abort the hand."""
    nearest = sorted(wins, key=lambda win: (win.winner - loser) % 4)
    if rules.multiple_ron == "triple_aborts":
        return tuple(nearest) if len(nearest) < 3 else ()
    return tuple(nearest[: {"head_bump": 1, "double": 2, "triple": 3}[rules.multiple_ron]])


def pay_win(
    wins: Sequence[Win],
    *,
    loser: int | None,
    dealer: int,
    honba: int,
    deposits: int,
    riichi: Collection[int] = (),
    rules: Rules,
) -> Payment:
    """Pay a ron (`wins`: all who declared it), or one self-draw if `loser` is None.

    `deposits`: points on the table, including this hand's `riichi` of 1000 per seat. Nothing is paid if three
    wins abort the hand. Raises ValueError for impossible seats, several self-draws, and fewer deposits than
    riichi.
    """
    _refuse_impossible_win(wins, loser, dealer, honba, deposits, riichi)
    if loser is None:
        winners = tuple(wins)
        (win,) = winners
        moved = list(_tsumo(win, dealer, honba, rules))
    else:
        winners = winners_of(wins, loser, rules)
        moved = []
        left = honba
        for win in winners:
            moved += _ron(win, loser, dealer, left, rules)
            if rules.multi_ron_bonus == "first" and _honba_points(win, left, rules):
                left = 0  # a yakuman without honba leaves them to the next winner
    return _payment(moved, _deposits(winners, deposits, riichi, rules))


def _refuse_impossible_win(
    wins: Sequence[Win],
    loser: int | None,
    dealer: int,
    honba: int,
    deposits: int,
    riichi: Collection[int],
) -> None:
    seats = [win.winner for win in wins]
    involved = {*seats, dealer, *riichi, *([] if loser is None else [loser])}
    if not seats or not involved <= set(SEATS) or len(set(seats)) != len(seats) or loser in seats:
        raise ValueError(f"no such win: winners {seats!r}, loser {loser!r}, dealer {dealer!r}")
    if loser is None and len(seats) > 1:
        raise ValueError(f"one player wins by self-draw: {seats!r}")
    if honba < 0 or deposits < DEPOSIT * len(set(riichi)):
        raise ValueError(f"no such table: {honba!r} honba, {deposits!r} points of deposits")
    if any(each.player == win.winner or each.player not in SEATS for win in wins for each in win.liable):
        raise ValueError(f"another player is liable than the winner: {wins!r}")


def _payment(*moved: Sequence[Transfer] | Iterator[Transfer]) -> Payment:
    return Payment(tuple(each for some in moved for each in some if each.points))


def _tsumo(win: Win, dealer: int, honba: int, rules: Rules) -> Iterator[Transfer]:
    """Pay a self-draw. A liable player pays all three shares and, if first, all honba."""
    parts = _parts(win, rules, tsumo=True)
    others = [seat for seat in SEATS if seat != win.winner]
    for liable, base in parts:
        shares = [(seat, tsumo_points(base, dealer=dealer in (seat, win.winner))) for seat in others]
        if liable is None:
            yield from (Transfer(seat, win.winner, points, HAND) for seat, points in shares)
        else:
            yield Transfer(liable, win.winner, sum(points for _, points in shares), LIABILITY)
    each = _hundreds(_honba_points(win, honba, rules), among=3)
    (first_liable, _base), *_rest = parts
    if first_liable is None:
        yield from (Transfer(seat, win.winner, each, HONBA) for seat in others)
    else:
        yield Transfer(first_liable, win.winner, 3 * each, HONBA)


def _ron(win: Win, loser: int, dealer: int, honba: int, rules: Rules) -> Iterator[Transfer]:
    """Pay a ron. Liable players pay half of their part (pao.ron `half`) or all of it."""
    parts = _parts(win, rules, tsumo=False)
    discarder = 0
    for liable, base in parts:
        points = ron_points(base, dealer=dealer == win.winner)
        answered = 0 if liable is None else _liable_half(points) if rules.pao.ron == "half" else points
        discarder += points - answered
        if liable is not None:
            yield Transfer(liable, win.winner, answered, LIABILITY)
    yield Transfer(loser, win.winner, discarder, HAND)
    points = _honba_points(win, honba, rules)
    (first_liable, _base), *_rest = parts
    answered = 0 if first_liable is None else _liable_honba(points, rules)
    if first_liable is not None:
        yield Transfer(first_liable, win.winner, answered, HONBA)
    yield Transfer(loser, win.winner, points - answered, HONBA)


def _liable_half(points: int) -> int:
    """Return half in hundreds. The discarder pays the odd hundred (Umaoka's choice)."""
    return points // 200 * 100


def _liable_honba(points: int, rules: Rules) -> int:
    return {"liable": points, "discarder": 0, "half": _liable_half(points)}[rules.pao.honba]


def _honba_points(win: Win, honba: int, rules: Rules) -> int:
    """Return the points of honba, none for a real yakuman without `honba_on_yakuman` (TNT chapter 5)."""
    return 0 if win.value.yakuman and not rules.honba_on_yakuman else honba * rules.honba


def _parts(win: Win, rules: Rules, *, tsumo: bool) -> tuple[tuple[int | None, int], ...]:
    """Divide the basic points by liable player, in order, and None for the usual payers.

    Unknown liabilities are ignored. The first liable player also answers for the rest if `pao.composite` is
    `whole`, and for all after an open kan's self-draw. If two are liable for one whole hand, each answers for
    their own yakuman and the first for the rest (Umaoka's choice, in no source).
    """
    liabilities = [each for each in win.liable if _counts(each, win, rules, tsumo=tsumo)]
    if rules.pao.several == "first":
        liabilities = liabilities[:1]
    whole = [
        liability.player
        for liability in liabilities
        if liability.yaku == RINSHAN or rules.pao.composite == "whole"
    ]
    left = win.value.base
    parts: dict[int | None, int] = {}
    for liability in liabilities:
        multiples = (
            0 if liability.yaku == RINSHAN else liability.yakuman or multiples_of(YAKU[liability.yaku], rules)
        )
        own = min(multiples * _BASE[YAKUMAN], left)
        parts[liability.player] = parts.get(liability.player, 0) + own
        left -= own
    answering = next(iter(whole), None)
    parts[answering] = parts.get(answering, 0) + left
    return tuple((player, base) for player, base in parts.items() if base)


def _counts(liability: Liability, win: Win, rules: Rules, *, tsumo: bool) -> bool:
    if liability.yaku == RINSHAN:
        return tsumo and rules.daiminkan_pao
    return win.value.yakuman > 0 and liability.yaku in rules.pao.yaku


def _deposits(
    winners: Sequence[Win], deposits: int, riichi: Collection[int], rules: Rules
) -> Iterator[Transfer]:
    """Pay deposits to the nearest winner, or first back to winners (EMA 2025 3.3.10, 3.4.4)."""
    left = deposits
    if not winners:
        return
    first, *others = winners
    if rules.multi_ron_sticks == "own_back":
        for win in others:
            if win.winner in riichi:
                left -= DEPOSIT
                yield Transfer(None, win.winner, DEPOSIT, DEPOSITS)
    yield Transfer(None, first.winner, left, DEPOSITS)


# Draws


def pay_draw(tenpai: Collection[int], rules: Rules) -> Payment:
    """Pay `noten_payment` points in all, shared by both sides (HKMA 流局 §4). Raises ValueError for unknown
    seats.

    Of two and two, each noten player pays one tenpai player (the beginners' guide, 流局时的点数计算).
    """
    ready = [seat for seat in SEATS if seat in tenpai]
    if len(ready) != len(set(tenpai)):
        raise ValueError(f"no such seats: {tenpai!r}")
    noten = [seat for seat in SEATS if seat not in tenpai]
    if len(ready) == 2:
        pairs = list(zip(noten, ready, strict=True))
    else:
        pairs = [(payer, payee) for payer in noten for payee in ready]
    return _payment(
        [
            Transfer(payer, payee, _hundreds(rules.noten_payment, among=len(pairs)), NOTEN)
            for payer, payee in pairs
        ]
    )


def pay_nagashi(seats: Collection[int], *, dealer: int, honba: int, deposits: int, rules: Rules) -> Payment:
    """Pay a mangan by self-draw to each of `seats`. Raises ValueError without seats or nagashi mangan.

    Honba and deposits go with it only as a win (`nagashi_as_tsumo`, Kanto 荒牌平局). The nearest seat
    from the dealer gets them, because no source has two at once (Umaoka's choice).
    """
    if not rules.nagashi_mangan or not seats or not set(seats) <= set(SEATS):
        raise ValueError(f"no nagashi mangan for {seats!r}")
    nearest = sorted(set(seats), key=lambda seat: (seat - dealer) % 4)
    moved = [each for seat in nearest for each in _mangan_shares(seat, dealer, NAGASHI)]
    if not rules.nagashi_as_tsumo:
        return _payment(moved)
    first = nearest[0]
    each_honba = _hundreds(honba * rules.honba, among=3)
    extra = [Transfer(payer, first, each_honba, HONBA) for payer in SEATS if payer != first]
    return _payment(moved, extra, [Transfer(None, first, deposits, DEPOSITS)])


def _mangan_shares(winner: int, dealer: int, reason: str) -> list[Transfer]:
    return [
        Transfer(payer, winner, tsumo_points(_BASE[MANGAN], dealer=dealer in (payer, winner)), reason)
        for payer in SEATS
        if payer != winner
    ]


# Fouls


def pay_chombo(seat: int, *, dealer: int, rules: Rules) -> Payment:
    """Pay a reverse mangan, or the same to each, or nothing if the rule set takes score instead."""
    if seat not in SEATS or dealer not in SEATS:
        raise ValueError(f"no such seats: {seat!r}, dealer {dealer!r}")
    if rules.chombo.reverse_mangan:
        shares = _mangan_shares(seat, dealer, CHOMBO)
        return _payment([Transfer(seat, each.payer, each.points, CHOMBO) for each in shares])
    return _to_each(seat, rules.chombo.each or 0, CHOMBO)


def pay_noten_riichi(seat: int, *, dealer: int, rules: Rules) -> Payment:
    """Pay for riichi without tenpai: the rule set's amount (TNT 诈立), or a chombo."""
    if rules.noten_riichi is None:
        return pay_chombo(seat, dealer=dealer, rules=rules)
    return _to_each(seat, rules.noten_riichi, NOTEN_RIICHI)


def pay_extra_tiles(seat: int, tiles: int, rules: Rules) -> Payment:
    """Pay each other player per extra tile (HKMA A-X 大相公: 1000). Raises ValueError below one."""
    if tiles < 1:
        raise ValueError(f"no tile too many: {tiles!r}")
    return _to_each(seat, tiles * rules.extra_tile_payment, EXTRA_TILES)


def _to_each(seat: int, points: int, reason: str) -> Payment:
    if seat not in SEATS:
        raise ValueError(f"no such seat: {seat!r}")
    return _payment([Transfer(seat, payee, points, reason) for payee in SEATS if payee != seat])
