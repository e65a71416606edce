"""A hand asked about: its value, who pays, what it waits for, and the settings that its value hangs on.

Plain functions on frozen values; words are put to them in ``views.calculator``. A setting *decides* when the
winner would gain something else, or could not win, had the rule set another value there: found by valuing the
hand again, not by a list of which yaku belongs to which setting.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from scoring.hands import (
    ADDED,
    CONCEALED,
    Hand,
    Reading,
    Situation,
    Valued,
    evaluate,
    parse_hand,
    waits,
)
from scoring.payments import DEPOSIT, HONBA, HandValue, Win, pay_win
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.tiles import RED_FIVES, closed_tiles, kind_of, plain_text, read_tiles

__all__ = ["ADDED", "CONCEALED", "Deciding", "Otherwise", "Question", "Share", "Waiting"]

DISCARDER, DEALER, OTHERS = "discarder", "dealer", "others"
_IN_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A hand and how it was won. `honba` and `sticks` (riichi deposits that the winner takes) are counts."""

    hand: Hand
    situation: Situation
    honba: int = 0
    sticks: int = 0


def hand_of(text: str, win: str) -> Hand:
    """The hand as typed; where no winning tile is named and the hand is complete, it is the last closed one.

    Raises HandError with every problem.
    """
    if win:
        return parse_hand(text, win)
    hand = parse_hand(text)
    if len(hand.closed) < closed_tiles(len(hand.melds), drawn=True):
        return hand
    typed, _problems = read_tiles(_IN_BRACKETS.sub("", plain_text(text)))
    return parse_hand(text, typed[-1])


def missing_tiles(hand: Hand) -> int:
    """How many tiles the hand lacks, the winning one included; negative for too many."""
    return closed_tiles(len(hand.melds), drawn=True) - len(hand.closed) - (hand.win is not None)


def best_of(question: Question, rules: Rules) -> Reading | None:
    """The reading that counts, or None for no win."""
    found = evaluate(question.hand, question.situation, rules)
    return found.best if isinstance(found, Valued) else None


# --- who pays


@dataclass(frozen=True, slots=True)
class Share:
    """What each of ``players`` players pays for the hand and for honba, in points."""

    who: str
    players: int
    hand: int
    honba: int

    @property
    def total(self) -> int:
        return self.hand + self.honba


def shares(question: Question, value: HandValue, rules: Rules) -> tuple[Share, ...]:
    """Who pays what, in points: the discarder; or the dealer and the others, who pay alike."""
    seat = question.situation.seat_wind
    loser = None if question.situation.tsumo else (seat + 1) % 4
    payment = pay_win(
        [Win(seat, value)], loser=loser, dealer=0, honba=question.honba, deposits=0, rules=rules
    )
    paid: dict[int, list[int]] = {}
    for each in payment.transfers:
        if each.payer is not None:
            paid.setdefault(each.payer, [0, 0])[each.reason == HONBA] += each.points
    found: dict[str, Share] = {}
    for payer, (hand, honba) in sorted(paid.items()):
        who = DISCARDER if loser is not None else DEALER if payer == 0 else OTHERS
        found[who] = Share(who, found[who].players + 1 if who in found else 1, hand, honba)
    return tuple(found.values())


def gain(question: Question, value: HandValue, rules: Rules) -> int:
    """What the winner gets in all, in points, the deposits included."""
    paid = sum(each.players * each.total for each in shares(question, value, rules))
    return paid + DEPOSIT * question.sticks


# --- what it waits for


@dataclass(frozen=True, slots=True)
class Waiting:
    """A tile that completes the hand, and the reading that it gives; None where it would be no win."""

    tile: str
    reading: Reading | None


def waiting(question: Question, rules: Rules) -> tuple[Waiting, ...]:
    """Each tile that the hand waits for. Its number of tiles must be right but for the winning one."""
    hand = question.hand
    return tuple(
        Waiting(tile, best_of(replace(question, hand=replace(hand, win=tile)), rules)) for tile in waits(hand)
    )


# --- the settings that decide


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Another value of a setting (JSON-shaped), and what the hand would be and bring; None: no win."""

    value: object
    reading: Reading | None
    gain: int | None


@dataclass(frozen=True, slots=True)
class Deciding:
    """A setting on which the result hangs, with what the hand would be under its other values."""

    name: str
    otherwise: tuple[Otherwise, ...]


def deciding(question: Question, best: Reading | None, rules: Rules) -> Iterator[Deciding]:
    """The settings that decide, in the order of `SETTINGS`; `best` is what the hand is under `rules`."""
    here = _result(question, best, rules)
    concerned = {name for name, concerns in _CONCERNS.items() if concerns(question, best)}
    for name, variants in _variants(rules):
        if name in concerned:
            tried = (_otherwise(question, name, value, other) for value, other in variants)
            if differing := tuple(each for each in tried if each.gain != here):
                yield Deciding(name, differing)


def _otherwise(question: Question, name: str, value: object, rules: Rules) -> Otherwise:
    reading = best_of(_asked(question, name, rules), rules)
    return Otherwise(value, reading, _result(question, reading, rules))


def _result(question: Question, best: Reading | None, rules: Rules) -> int | None:
    return None if best is None else gain(question, best.value, rules)


def _asked(question: Question, name: str, rules: Rules) -> Question:
    """The question for a rule set that differs in this setting: without red fives they are plain ones."""
    if name != "red_fives" or rules.red_fives:
        return question
    hand, facts = question.hand, question.situation
    melds = tuple(replace(each, tiles=_plain(each.tiles)) for each in hand.melds)
    return replace(
        question,
        hand=Hand(_plain(hand.closed), melds, hand.win and kind_of(hand.win)),
        situation=replace(facts, dora=_plain(facts.dora), ura=_plain(facts.ura)),
    )


def _plain(tiles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind_of(tile) for tile in tiles)


Concerns = Callable[[Question, Reading | None], bool]


def _is_limit(question: Question, best: Reading | None) -> bool:
    """Whether yakuman are about: of the reading that counts, or of one that would count otherwise."""
    return best is not None and best.value.yakuman > 0


def _always(question: Question, best: Reading | None) -> bool:
    return True


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
    "local_yaku": _always,
    "honba_on_yakuman": lambda asked, best: asked.honba > 0 and _is_limit(asked, best),
}
# Values that are tried instead, where they are not simply the other choices.
_INSTEAD: Final[Mapping[str, Callable[[Rules], tuple[object, ...]]]] = {
    "local_yaku": lambda rules: ([],),
    "yakuman_limit": lambda rules: (None, 1, 2),
}
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
    """Of each setting in `_CONCERNS` the rule sets that differ in it alone; those that contradict themselves
    are left out.
    """
    return tuple((name, tuple(_variants_of(name, rules))) for name in SETTINGS if name in _CONCERNS)


def _variants_of(name: str, rules: Rules) -> Iterator[tuple[object, Rules]]:
    values = rules.as_values()
    for value in _other_values(name, rules):
        changes: list[dict[str, object]] = [{name: value}]
        if value is False and name in _ALONG:
            changes.append({name: value, **_ALONG[name]})
        if value != values[name] and (other := _first_possible(values, changes)):
            yield value, other


def _first_possible(values: Mapping[str, object], changes: Sequence[Mapping[str, object]]) -> Rules | None:
    for each in changes:
        try:
            return Rules.from_values({**values, **each})
        except RulesError:
            continue
    return None


def _other_values(name: str, rules: Rules) -> tuple[object, ...]:
    if name in _INSTEAD:
        return _INSTEAD[name](rules)
    setting = SETTINGS[name]
    return (True, False) if setting.kind == "yes_no" else setting.choices
