"""The value of a hand, its payments and waits, and the settings that decide.

A setting *decides* if another value of it would change the winner's gain or whether the hand wins. It is
found by valuing the hand again.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from league.extras.calculator.rules import (
    CONCEALED,
    KANS,
    OPEN_KAN,
    Meld,
    Reading,
    Situation,
    TileHand,
    Valued,
    evaluate,
    parse_hand,
    waits,
)
from league.extras.calculator.rules.tiles import RED_FIVES, closed_tiles, kind_of, plain_text, read_tiles
from scoring.payments import DEPOSIT, HONBA, RINSHAN, HandValue, Liability, Win, pay_win
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.settlement import SEATS

DISCARDER, DEALER, OTHERS = "discarder", "dealer", "others"
OTHER: Final = "other"  # one of them, who is liable
_IN_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """A hand and how it was won. `liable`: (yakuman or `RINSHAN`, role), in order."""

    hand: TileHand
    situation: Situation
    honba: int = 0
    sticks: int = 0
    liable: tuple[tuple[str, str], ...] = ()


def hand_of(text: str, win: str) -> TileHand:
    """Parse a hand, which wins with its last closed tile unless ``win`` is given. Raises HandError."""
    if win:
        return parse_hand(text, win)
    hand = parse_hand(text)
    if len(hand.closed) < closed_tiles(len(hand.melds), drawn=True):
        return hand
    typed, _problems = read_tiles(_IN_BRACKETS.sub("", plain_text(text)))
    return parse_hand(text, typed[-1])


def missing_tiles(hand: TileHand) -> int:
    """Return how many tiles the hand lacks, negative for extra tiles."""
    return closed_tiles(len(hand.melds), drawn=True) - len(hand.closed) - (hand.win is not None)


def best_of(question: HandQuestion, rules: Rules) -> Reading | None:
    found = evaluate(question.hand, question.situation, rules)
    return found.best if isinstance(found, Valued) else None


# --- who pays


@dataclass(frozen=True, slots=True)
class PaymentShare:
    """Points that each of ``players`` players pays. ``liable``: for a yakuman (pao)."""

    who: str
    players: int
    hand: int
    honba: int
    liable: bool = False

    @property
    def total(self) -> int:
        return self.hand + self.honba


def shares(
    question: HandQuestion, value: HandValue, rules: Rules, liable: tuple[Liability, ...] = ()
) -> tuple[PaymentShare, ...]:
    """Return what the discarder, or the dealer and the others pay, and a liable player apart."""
    seat, loser = question.situation.seat_wind, _loser(question)
    payment = pay_win(
        [Win(seat, value, liable)], loser=loser, dealer=0, honba=question.honba, deposits=0, rules=rules
    )
    paid: dict[int, list[int]] = {}
    for transfer in payment.transfers:
        if transfer.payer is not None:
            paid.setdefault(transfer.payer, [0, 0])[transfer.reason == HONBA] += transfer.points
    answering = {each.player for each in liable}
    found: dict[tuple[str, bool], PaymentShare] = {}
    for payer, (hand, honba) in sorted(paid.items()):
        who = DISCARDER if payer == loser else DEALER if payer == 0 and loser is None else OTHERS
        key = who, payer in answering
        players = found[key].players + 1 if key in found else 1
        found[key] = PaymentShare(who, players, hand, honba, payer in answering)
    return tuple(found.values())


def _loser(question: HandQuestion) -> int | None:
    """Return a discarder's seat. Which of the others it is changes nothing."""
    return None if question.situation.tsumo else (question.situation.seat_wind + 1) % 4


def gain(question: HandQuestion, value: HandValue, rules: Rules) -> int:
    """Return the winner's points including deposits. Liability does not change them."""
    paid = sum(each.players * each.total for each in shares(question, value, rules))
    return paid + DEPOSIT * question.sticks


# --- who is liable

_SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "daisangen": ("5z", "6z", "7z"),
    "daisuushii": ("1z", "2z", "3z", "4z"),
}


def roles(question: HandQuestion) -> tuple[str, ...]:
    """Return who can be liable, as far as it changes a payment."""
    if not question.situation.tsumo:
        return DISCARDER, OTHER
    return (OTHER,) if question.situation.dealer else (DEALER, OTHER)


def asks_who_is_liable(question: HandQuestion, value: HandValue, rules: Rules) -> tuple[str, ...]:
    """Return the yakuman codes whose last set may have been called, and `RINSHAN` after an open kan."""
    facts, melds = question.situation, question.hand.melds
    found = [code for code in rules.pao.yaku if value.yakuman and _may_be_called(code, melds)]
    let = facts.rinshan and facts.tsumo and any(meld.kind == OPEN_KAN for meld in melds)
    return (*found, RINSHAN) if let and rules.daiminkan_pao else tuple(found)


def _may_be_called(code: str, melds: Sequence[Meld]) -> bool:
    """Return whether all sets of a yakuman are open or kans, and at least one was called."""
    if code not in _SETS:
        return sum(meld.kind in KANS for meld in melds) == 4 and any(meld.kind == OPEN_KAN for meld in melds)
    sets = [meld for meld in melds if kind_of(meld.tiles[0]) in _SETS[code]]
    return len(sets) == len(_SETS[code]) and any(meld.open for meld in sets)


def liabilities(question: HandQuestion, best: Reading, rules: Rules) -> tuple[Liability, ...]:
    multiples = {each.code: each.yakuman for each in best.yaku}
    asked = asks_who_is_liable(question, best.value, rules)
    return tuple(
        Liability(_seat_of(role, question), code, multiples.get(code) or 1)
        for code, role in question.liable
        if code in asked
    )


def _seat_of(role: str, question: HandQuestion) -> int:
    winner, loser = question.situation.seat_wind, _loser(question)
    if role not in roles(question) or role == OTHER:
        apart = {winner, 0 if loser is None else loser}
        return next(seat for seat in SEATS if seat not in apart)
    return 0 if loser is None else loser


# --- what it waits for


def waiting(question: HandQuestion, rules: Rules) -> list[tuple[str, Reading | None]]:
    """Return each tile that completes the hand, with its reading, or None for no win."""
    hand = question.hand
    return [(tile, best_of(replace(question, hand=replace(hand, win=tile)), rules)) for tile in waits(hand)]


# --- the settings that decide


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Another value of a setting (JSON-shaped), with the reading and gain under it, or None for no win."""

    value: object
    reading: Reading | None
    gain: int | None


@dataclass(frozen=True, slots=True)
class Deciding:
    name: str
    otherwise: tuple[Otherwise, ...]


def deciding(question: HandQuestion, best: Reading | None, rules: Rules) -> Iterator[Deciding]:
    """Yield the settings that decide, in the order of `SETTINGS`. `best`: the reading under `rules`."""
    here = _result(question, best, rules)
    concerned = {name for name, concerns in _CONCERNS.items() if concerns(question, best)}
    for name, variants in _variants(rules):
        if name in concerned:
            tried = (_otherwise(question, name, value, other) for value, other in variants)
            if differing := tuple(each for each in tried if each.gain != here):
                yield Deciding(name, differing)


def _otherwise(question: HandQuestion, name: str, value: object, rules: Rules) -> Otherwise:
    reading = best_of(_question_under(question, name, rules), rules)
    return Otherwise(value, reading, _result(question, reading, rules))


def _result(question: HandQuestion, best: Reading | None, rules: Rules) -> int | None:
    return None if best is None else gain(question, best.value, rules)


def _question_under(question: HandQuestion, name: str, rules: Rules) -> HandQuestion:
    """Return the question under another rule set. Without red fives they become plain ones."""
    if name != "red_fives" or rules.red_fives:
        return question
    hand, facts = question.hand, question.situation
    melds = tuple(replace(meld, tiles=_plain(meld.tiles)) for meld in hand.melds)
    return replace(
        question,
        hand=TileHand(_plain(hand.closed), melds, hand.win and kind_of(hand.win)),
        situation=replace(facts, dora=_plain(facts.dora), ura=_plain(facts.ura)),
    )


def _plain(tiles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind_of(tile) for tile in tiles)


Concerns = Callable[[HandQuestion, Reading | None], bool]


def _is_limit(question: HandQuestion, best: Reading | None) -> bool:
    return best is not None and best.value.yakuman > 0


# What a setting can have to do with a hand at all: whatever cannot matter need not be tried.
_CONCERNS: Final[Mapping[str, Concerns]] = {
    "red_fives": lambda asked, best: any(tile in RED_FIVES for tile in asked.hand.tiles),
    "open_tanyao": lambda asked, best: not asked.hand.is_closed,
    "atozuke": lambda asked, best: not asked.hand.is_closed,
    "ippatsu": lambda asked, best: asked.situation.ippatsu,
    "ura_dora": lambda asked, best: bool(asked.situation.ura),
    "kan_dora": lambda asked, best: len(asked.situation.dora) > 1,
    "kan_ura_dora": lambda asked, best: len(asked.situation.ura) > 1,
    "kiriage_mangan": lambda asked, best: best is not None and best.han in (3, 4),
    "counted_yakuman": lambda asked, best: best is not None and best.han > 12,
    "double_yakuman": _is_limit,
    "composite_yakuman": _is_limit,
    "yakuman_limit": _is_limit,
    "kokushi_ankan_ron": lambda asked, best: asked.situation.chankan == CONCEALED,
    "renhou": lambda asked, best: asked.situation.first_turn and not asked.situation.tsumo,
    "double_wind_pair_fu": lambda asked, best: asked.situation.seat_wind == asked.situation.round_wind,
    "sequences_fu": lambda asked, best: best is not None and best.han in range(1, 5),
    "local_yaku": lambda asked, best: True,
    "honba_on_yakuman": lambda asked, best: asked.honba > 0 and _is_limit(asked, best),
}
# Values that are tried instead, where they are not simply the other choices.
_INSTEAD: Final[Mapping[str, tuple[object, ...]]] = {"local_yaku": ([],), "yakuman_limit": (None, 1, 2)}
# What has to go along with False, where the rule set would contradict itself.
_ALONG: Final[Mapping[str, Mapping[str, object]]] = {
    "kan_dora": {"kan_ura_dora": False},
    "ura_dora": {"kan_ura_dora": False},
    "double_yakuman": {"yakuman_limit": None},
    "composite_yakuman": {"yakuman_limit": None},
}

Variants = tuple[tuple[object, Rules], ...]


@lru_cache(maxsize=64)
def _variants(rules: Rules) -> tuple[tuple[str, Variants], ...]:
    """Return each setting of `_CONCERNS` with the consistent rule sets that differ only in it."""
    return tuple((name, tuple(_variants_of(name, rules))) for name in SETTINGS if name in _CONCERNS)


def _variants_of(name: str, rules: Rules) -> Iterator[tuple[object, Rules]]:
    values, setting = rules.as_values(), SETTINGS[name]
    others = (True, False) if setting.kind == "yes_no" else setting.choices
    for value in _INSTEAD.get(name, others):
        changed = {**values, name: value}
        along = _ALONG.get(name, {}) if value is False else {}
        if value != values[name] and (other := _consistent(changed) or _consistent({**changed, **along})):
            yield value, other


def _consistent(values: dict[str, object]) -> Rules | None:
    try:
        return Rules.from_values(values)
    except RulesError:
        return None
