from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scoring.hanchan.facts import (
    ABORTS,
    CALLED,
    DECLARED,
    KYUUSHU_KYUUHAI,
    SANCHAHOU,
    SUUCHA_RIICHI,
    SUUFON_RENDA,
    WINS,
    WON,
    Abort,
    Chombo,
    ExhaustiveDraw,
    Hand,
    Nagashi,
    Ron,
    Ruling,
    Scores,
    Tsumo,
)
from scoring.kinds import PAO_YAKU
from scoring.payments import DEPOSIT, RINSHAN, HandValue, Win
from scoring.rules import Rules
from scoring.score_table import MOST_YAKUMAN, is_possible, nearest_value
from scoring.settlement import SEATS, Four

MOST_LIVE_TILES: Final = 70  # 136 less the dead wall of 14 and the four hands of 13
MOST_EXTRA_TILES: Final = 14

PROBLEMS: Final[Mapping[str, tuple[str, ...]]] = {
    # code: its params. Seats are 0 to 3, `place` names the facts that it is about.
    "game_over": ("why",),  # one of course.ENDINGS
    "malformed": ("place",),  # not of the JSON shape
    "unknown": ("place", "value"),  # a word that no fact has
    "no_such_seat": ("place", "seat"),
    "seat_twice": ("place", "seat"),
    "nobody": ("place",),  # no one wins, has nagashi or commits the chombo
    "live_tiles": ("tiles", "most"),
    "extra_tiles": ("seat", "tiles", "most"),
    "minutes_back": ("minutes", "before"),  # less than at the end of the hand before
    "winner_is_loser": ("seat",),
    "winner_banned": ("seat",),  # see Hand.banned
    "value": ("seat", "base", "near"),  # basic points of no such hand, and the nearest value
    "liable_winner": ("seat",),
    "liable_yakuman": ("seat", "yakuman", "most"),  # of the winner in `seat`
    "riichi_below_1000": ("seat", "points"),
    "riichi_tiles": ("seat", "tiles", "least"),
    "riichi_tile_won": ("seat",),  # the declaration tile was won with, but the seat did not deal in
    "riichi_hidden": ("seat",),  # a riichi hand has to be shown
    "riichi_unknown": ("seat",),  # after riichi, neither tenpai nor noten is written down
    "noten_riichi": ("seat",),  # written down for a seat without riichi, or of a tenpai or dead hand
    "hidden": ("seat",),  # the rule set lets no one keep a tenpai hand closed
    "tenpai_and_hidden": ("seat",),
    "dead_hand_tenpai": ("seat",),
    "nagashi": (),  # the rule set has no nagashi mangan
    "abort": ("reason",),  # the rule set has no such abortive draw
    "abort_after_call": ("reason", "seat"),  # a tile was called, and it is no longer the first turn
    "four_riichi_missing": ("riichi",),  # how many there were
    "four_riichi": (),  # the fourth riichi had aborted the hand
    "nobody_dealt_in": ("reason",),  # of several declaration tiles only one can have been won with
    "hand_goes_on": ("tiles", "least"),  # a chombo with fewer live tiles than void the hand
    "scores_sum": ("sum", "most"),  # the four scores are more than all points of the game
    "hundreds": ("seat", "points"),
    "sticks": ("points",),  # the rest cannot be deposits
    "bell": (),  # the rule set has no time limit
    "honba": ("honba",),  # less than none
    "ruling": (),  # with facts of a hand, which belong to the hand before or after it
    "hand_is_void": ("seat", "tiles", "least"),  # and one with enough of them
}


@dataclass(frozen=True, slots=True)
class HanchanProblem:
    code: str
    params: Mapping[str, int | str | None]


def problem(code: str, **params: int | str | None) -> HanchanProblem:
    if tuple(params) != PROBLEMS[code]:
        raise ValueError(f"{code} has the params {PROBLEMS[code]!r}, not {tuple(params)!r}")
    return HanchanProblem(code, params)


def problems_of(hand: Hand, points: Four, minutes: int, rules: Rules) -> Iterator[HanchanProblem]:
    yield from _seats(hand)
    yield from _numbers(hand, minutes, rules)
    yield from _riichi(hand, points, rules)
    yield from _outcome(hand, rules)
    yield from _fouls(hand, rules)


# Seats and numbers


def _seats(hand: Hand) -> Iterator[HanchanProblem]:
    for place, seats in _named_seats(hand):
        yield from (problem("no_such_seat", place=place, seat=seat) for seat in seats if seat not in SEATS)
        yield from (
            problem("seat_twice", place=place, seat=seat)
            for seat, count in Counter(seats).items()
            if count > 1
        )


def _named_seats(hand: Hand) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield "riichi", tuple(each.seat for each in hand.riichi)
    yield "fouls", tuple(foul.seat for foul in hand.fouls)
    yield "win_bans", hand.win_bans
    yield "dead_hands", hand.dead_hands
    yield "called", hand.called or ()
    match hand.outcome:
        case Ron(wins, loser):
            yield "wins", tuple(win.winner for win in wins)
            yield "loser", (loser,)
        case Tsumo(win):
            yield "wins", (win.winner,)
        case ExhaustiveDraw(tenpai, hidden, noten):
            yield from (("tenpai", tenpai), ("hidden", hidden), ("noten_riichi", noten))
        case Nagashi(seats, tenpai, hidden, noten):
            yield "nagashi", seats
            yield from (("tenpai", tenpai), ("hidden", hidden), ("noten_riichi", noten))
        case Chombo(seats):
            yield "chombo", seats
        case Scores(winners=winners):
            yield "wins", winners
        case Abort() | Ruling():
            return


def _numbers(hand: Hand, minutes: int, rules: Rules) -> Iterator[HanchanProblem]:
    numbers = [*(each.live_tiles for each in hand.riichi), *(foul.live_tiles for foul in hand.fouls)]
    numbers += [hand.outcome.live_tiles] if isinstance(hand.outcome, Chombo) else []
    for tiles in numbers:
        if tiles is not None and not 0 <= tiles <= MOST_LIVE_TILES:
            yield problem("live_tiles", tiles=tiles, most=MOST_LIVE_TILES)
    for seat, tiles in enumerate(hand.extra_tiles):
        if not 0 <= tiles <= MOST_EXTRA_TILES:
            yield problem("extra_tiles", seat=seat, tiles=tiles, most=MOST_EXTRA_TILES)
    if hand.minutes is not None and hand.minutes < minutes:
        yield problem("minutes_back", minutes=hand.minutes, before=minutes)
    if hand.bell and rules.minutes is None:
        yield problem("bell")


# Riichi


def _riichi(hand: Hand, points: Four, rules: Rules) -> Iterator[HanchanProblem]:
    for each in hand.riichi:
        if each.tile not in DECLARED:
            yield problem("unknown", place="riichi", value=each.tile)
        if each.seat in SEATS and points[each.seat] < DEPOSIT and not rules.riichi_below_1000:
            yield problem("riichi_below_1000", seat=each.seat, points=points[each.seat])
        if each.live_tiles is not None and 0 <= each.live_tiles < rules.tiles_for_riichi:
            yield problem("riichi_tiles", seat=each.seat, tiles=each.live_tiles, least=rules.tiles_for_riichi)
    yield from _declaration_tiles(hand)
    if not isinstance(hand.outcome, Abort | Chombo | Scores | Ruling) and _four_riichi(hand, rules):
        yield problem("four_riichi")


def _declaration_tiles(hand: Hand) -> Iterator[HanchanProblem]:
    won = [each.seat for each in hand.riichi if each.tile == WON]
    match hand.outcome:
        case Ron(_, loser):
            yield from (problem("riichi_tile_won", seat=seat) for seat in won if seat != loser)
        case Abort(reason) if reason == SANCHAHOU:
            if len(won) > 1:
                yield problem("nobody_dealt_in", reason=reason)
        case _:
            yield from (problem("riichi_tile_won", seat=seat) for seat in won)


def _four_riichi(hand: Hand, rules: Rules) -> bool:
    """Return whether four riichi end the hand, unless the last tile is won (beginners' guide, 牌规流局)."""
    return SUUCHA_RIICHI in rules.abortive_draws and len(hand.standing_riichi) == len(SEATS)


# Outcomes


def _outcome(hand: Hand, rules: Rules) -> Iterator[HanchanProblem]:
    match hand.outcome:
        case Ron(wins, loser):
            yield from _wins(wins, hand, rules, tsumo=False)
            yield from (problem("winner_is_loser", seat=loser) for win in wins if win.winner == loser)
        case Tsumo(win):
            yield from _wins((win,), hand, rules, tsumo=True)
        case ExhaustiveDraw() as draw:
            yield from _hands_shown(draw, hand, rules)
        case Nagashi(seats) as draw:
            yield from _nagashi(seats, hand, rules)
            yield from _hands_shown(draw, hand, rules)
        case Abort(reason):
            yield from _abort(reason, hand, rules)
        case Chombo(seats, tiles):
            if not seats:
                yield problem("nobody", place="chombo")
            if tiles is not None and 0 <= tiles < rules.redeal_tiles:
                yield problem("hand_goes_on", tiles=tiles, least=rules.redeal_tiles)
        case Scores(points, winners=winners, win=way, honba=honba):
            yield from _scores(points, rules)
            if honba is not None and honba < 0:
                yield problem("honba", honba=honba)
            yield from (problem("winner_banned", seat=seat) for seat in winners if seat in hand.banned)
            if way is not None and way not in WINS:
                yield problem("unknown", place="wins", value=way)
            if way is not None and not winners:
                yield problem("nobody", place="wins")
        case Ruling(points) as ruling:
            yield from _scores(points, rules)
            if hand != Hand(outcome=ruling, minutes=hand.minutes):
                yield problem("ruling")


def _scores(points: Four, rules: Rules) -> Iterator[HanchanProblem]:
    left = rules.total_points - sum(points)
    broken = [seat for seat in SEATS if points[seat] % 100]
    yield from (problem("hundreds", seat=seat, points=points[seat]) for seat in broken)
    if left < 0:
        yield problem("scores_sum", sum=sum(points), most=rules.total_points)
    elif left % DEPOSIT and not broken:
        yield problem("sticks", points=left)


def _wins(wins: Iterable[Win], hand: Hand, rules: Rules, *, tsumo: bool) -> Iterator[HanchanProblem]:
    if not wins:
        yield problem("nobody", place="wins")
    for win in wins:
        if win.winner in hand.banned:
            yield problem("winner_banned", seat=win.winner)
        if not is_possible(win.value, rules, tsumo=tsumo):
            near = nearest_value(win.value, rules, tsumo=tsumo)
            yield problem("value", seat=win.winner, base=win.value.base, near=_short(near))
        yield from _liable(win)


def _short(value: HandValue) -> str:
    """Write a value as a code: "1/30" for 1 han 30 fu, or its limit."""
    return value.limit or f"{value.han}/{value.fu}"


def _liable(win: Win) -> Iterator[HanchanProblem]:
    for each in win.liable:
        if each.player not in SEATS:
            yield problem("no_such_seat", place="liable", seat=each.player)
        elif each.player == win.winner:
            yield problem("liable_winner", seat=win.winner)
        if each.yaku not in (*PAO_YAKU, RINSHAN):
            yield problem("unknown", place="liable", value=each.yaku)
        if each.yakuman is not None and not 1 <= each.yakuman <= MOST_YAKUMAN:
            yield problem("liable_yakuman", seat=win.winner, yakuman=each.yakuman, most=MOST_YAKUMAN)


def _hands_shown(draw: ExhaustiveDraw | Nagashi, hand: Hand, rules: Rules) -> Iterator[HanchanProblem]:
    """Check tenpai after the last tile.

    Under `hidden_tenpai` a hand may stay closed (HKMA 流局 §2), but not after riichi (EMA 2016 3.14, Kanto
    与立直相关的规则). A dead hand is noten (EMA 2016 5.2). A win ban does not affect tenpai (HKMA 3級).
    Riichi without tenpai has to be written down, since a seat may be left out by mistake.
    """
    riichi = {each.seat for each in hand.standing_riichi}
    for seat in draw.hidden:
        if seat in riichi:
            yield problem("riichi_hidden", seat=seat)
        elif not rules.hidden_tenpai:
            yield problem("hidden", seat=seat)
        if seat in draw.tenpai:
            yield problem("tenpai_and_hidden", seat=seat)
    yield from (problem("dead_hand_tenpai", seat=seat) for seat in draw.tenpai if seat in hand.dead_hands)
    known = {*draw.tenpai, *draw.hidden, *draw.noten_riichi, *hand.dead_hands}
    if isinstance(draw, ExhaustiveDraw) or not rules.nagashi_as_tsumo:  # after a win no hand is shown
        yield from (problem("riichi_unknown", seat=seat) for seat in sorted(riichi - known))
    for seat in draw.noten_riichi:
        if seat not in riichi or seat in draw.tenpai or seat in hand.dead_hands:
            yield problem("noten_riichi", seat=seat)


def _nagashi(seats: tuple[int, ...], hand: Hand, rules: Rules) -> Iterator[HanchanProblem]:
    if not seats:
        yield problem("nobody", place="nagashi")
    if not rules.nagashi_mangan:
        yield problem("nagashi")
    if rules.nagashi_as_tsumo:
        yield from (problem("winner_banned", seat=seat) for seat in seats if seat in hand.banned)


def _abort(reason: str, hand: Hand, rules: Rules) -> Iterator[HanchanProblem]:
    if reason not in ABORTS:
        yield problem("unknown", place="abort", value=reason)
    elif reason not in _aborts(rules):
        yield problem("abort", reason=reason)
    if reason in (KYUUSHU_KYUUHAI, SUUFON_RENDA):
        called = [each.seat for each in hand.riichi if each.tile == CALLED]
        yield from (problem("abort_after_call", reason=reason, seat=seat) for seat in called)
    standing = len(hand.standing_riichi)
    if reason == SUUCHA_RIICHI and standing < len(SEATS):
        yield problem("four_riichi_missing", riichi=standing)


def _aborts(rules: Rules) -> tuple[str, ...]:
    three_wins = (SANCHAHOU,) if rules.multiple_ron == "triple_aborts" else ()
    return (*rules.abortive_draws, *three_wins)


# Fouls


def _fouls(hand: Hand, rules: Rules) -> Iterator[HanchanProblem]:
    """Refuse a chombo within the hand that voids it, unless the referee decides (HKMA 罰則 C-III)."""
    for foul in hand.fouls:
        enough = foul.live_tiles is not None and foul.live_tiles >= rules.redeal_tiles
        if not rules.redeal_tiles or (enough and not foul.referee):
            yield problem("hand_is_void", seat=foul.seat, tiles=foul.live_tiles, least=rules.redeal_tiles)
