"""The value of a hand in words: yaku and fu, payments, waits, deciding settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from league.calculator.forms import LIABLE
from league.calculator.queries import (
    DEALER,
    DISCARDER,
    OTHER,
    OTHERS,
    Deciding,
    HandQuestion,
    Otherwise,
    PaymentShare,
    asks_who_is_liable,
    deciding,
    gain,
    liabilities,
    missing_tiles,
    roles,
    shares,
    waiting,
)
from league.calculator.words.hands import fu_part_name, hand_problem
from league.calculator.words.tiles import tile_name
from league.core.numbers import number
from league.core.text import listed
from league.rule_sets.queries.rule_sets import FoundRules
from league.rule_sets.queries.sheets import setting_line
from league.rule_sets.words.values import setting_value
from league.rule_sets.words.yaku import limit_name, yaku_name
from scoring.hands import CLOSED_KAN, FU_PARTS, NoWin, Reading, Valued, evaluate, impossible_tiles
from scoring.payments import DEPOSIT, RINSHAN, HandValue, ron_points, tsumo_points
from scoring.rules import Rules
from scoring.tiles import HandProblem, tiles_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The answer. ``state``: empty, refused, going (too few tiles), tenpai, no_win or valued."""

    state: str
    title: str
    short: str = ""
    points: str = ""
    problems: tuple[str, ...] = ()
    best: dict[str, Any] | None = None
    others: Sequence[dict[str, Any]] = ()
    shares: Sequence[tuple[str, PaymentShare]] = ()
    liable: Sequence[dict[str, Any]] = ()
    deposits: int = 0
    gain: int = 0
    everywhere: tuple[tuple[str, str, str], ...] = ()
    deciding: Sequence[dict[str, Any]] = ()
    waits: Sequence[dict[str, str]] = ()

    @property
    def description(self) -> str:
        """Return a sentence for link previews."""
        if self.best is None:
            return _("Yaku, fu and payments of a riichi mahjong hand under your rule set.")
        return listed(f"{name} {worth}" for name, worth in self.best["yaku"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Under:
    found: FoundRules
    rules: Rules
    address_of: Callable[..., str]  # with other values in fields of the form


def empty_page() -> Page:
    return Page(state="empty", title=_("Hand calculator"), short=_("Tap tiles or enter them as text"))


def refused_page(problems: Sequence[str]) -> Page:
    short = _("This hand cannot be read yet")
    return Page(state="refused", title=_("Hand calculator"), short=short, problems=tuple(problems))


def page_of(question: HandQuestion, under: Under) -> Page:
    missing = missing_tiles(question.hand)
    impossible = tuple(impossible_tiles(question.hand, question.situation, under.rules))
    if missing > 0 and impossible:
        return _no_win_page(question, impossible)
    if missing == 1 and question.hand.win is None:
        return _waiting_page(question, under)
    if missing > 0:
        return _going_page(missing)
    found = evaluate(question.hand, question.situation, under.rules)
    best = found.best if isinstance(found, Valued) else None
    decided = [deciding_line(each, question, best, under) for each in deciding(question, best, under.rules)]
    if isinstance(found, NoWin):
        return _no_win_page(question, found.reasons, decided)
    return _valued_page(question, found, under, decided)


def _no_win_page(
    question: HandQuestion, reasons: Sequence[HandProblem], decided: Sequence[dict[str, Any]] = ()
) -> Page:
    return Page(
        state="no_win",
        title=_("No win: %(hand)s") % {"hand": question.hand},
        short=_("No win"),
        problems=tuple(dict.fromkeys(hand_problem(each) for each in reasons)),
        deciding=decided,
    )


def _going_page(missing: int) -> Page:
    short = ngettext("%(count)s more tile", "%(count)s more tiles", missing) % {"count": missing}
    return Page(state="going", title=_("Hand calculator"), short=short)


def _waiting_page(question: HandQuestion, under: Under) -> Page:
    lines = [wait_line(tile, reading, question, under) for tile, reading in waiting(question, under.rules)]
    if not lines:
        return _going_page(1)
    title = _("Tenpai: %(hand)s") % {"hand": question.hand}
    tiles = listed(tile_name(each["tile"]) for each in lines)
    return Page(state="tenpai", title=title, short=_("Waits for %(tiles)s") % {"tiles": tiles}, waits=lines)


def wait_line(tile: str, reading: Reading | None, question: HandQuestion, under: Under) -> dict[str, str]:
    hand = question.hand
    completed = tiles_text(hand.closed) + tile + "".join(map(str, hand.melds))
    address = under.address_of(hand=completed, win=tile)
    return {"tile": tile, "worth": worth_of(reading, question), "address": address}


def _valued_page(
    question: HandQuestion, found: Valued, under: Under, decided: Sequence[dict[str, Any]]
) -> Page:
    best, value, rules = reading_words(question, found.best), found.best.value, under.rules
    liable = liabilities(question, found.best, rules)
    return Page(
        state="valued",
        title=_("%(value)s, %(points)s: %(hand)s")
        % {"value": best["title"], "points": best["call"], "hand": question.hand},
        short=best["title"],
        points=best["call"],
        best=best,
        others=[reading_words(question, each) for each in found.readings[1:]],
        shares=[(payer(each), each) for each in shares(question, value, rules, liable)],
        liable=[liable_line(code, question, under) for code in asks_who_is_liable(question, value, rules)],
        deposits=DEPOSIT * question.sticks,
        gain=gain(question, value, rules),
        everywhere=everywhere(value),
        deciding=decided,
    )


def title_of(reading: Reading) -> str:
    """Return a value such as “3 han 40 fu”, “Mangan” or “Double yakuman”."""
    value = reading.value
    return limit_name(value.limit, value.yakuman) if value.limit else han_and_fu(reading)


def han_and_fu(reading: Reading) -> str:
    return _("%(han)s han %(fu)s fu") % {"han": reading.han, "fu": reading.fu}


def count_of(reading: Reading) -> str:
    """Return han and fu to show behind a limit, or "" for a yakuman and for titles that contain them."""
    if not reading.value.limit or not reading.han:
        return ""
    return han_and_fu(reading) if reading.han < 5 else _("%(han)s han") % {"han": reading.han}


def call_of(question: HandQuestion, value: HandValue) -> str:
    """Return points such as 8,000, 4,000 from each, or 2,000 / 4,000 (others and dealer)."""
    return price(value, dealer=question.situation.dealer, tsumo=question.situation.tsumo)


def price(value: HandValue, *, dealer: bool, tsumo: bool) -> str:
    if not tsumo:
        return number(ron_points(value.base, dealer=dealer))
    most = number(tsumo_points(value.base, dealer=True))
    if dealer:
        return _("%(points)s from each") % {"points": most}
    return _("%(others)s / %(dealer)s") % {
        "others": number(tsumo_points(value.base, dealer=False)),
        "dealer": most,
    }


def everywhere(value: HandValue) -> tuple[tuple[str, str, str], ...]:
    """Return (winner, points by ron, points by self-draw) for the dealer and for another player."""
    return tuple(
        (str(who), price(value, dealer=dealer, tsumo=False), price(value, dealer=dealer, tsumo=True))
        for who, dealer in ((_("Dealer"), True), (_("Other player"), False))
    )


def reading_words(question: HandQuestion, reading: Reading) -> dict[str, Any]:
    """Return a reading in words. ``call`` is its points without honba."""
    parts = sorted(reading.fu_parts, key=lambda part: FU_PARTS.index(part.code))
    return {
        "title": title_of(reading),
        "count": count_of(reading),
        "call": call_of(question, reading.value),
        "yaku": list(yaku_lines(reading)),
        "fu_lines": [(fu_part_name(part.code), part) for part in parts],
        "fu_sum": sum(part.fu for part in parts),
        "fu": reading.fu,
        "groups": [shown_tiles(group.kind, group.tiles) for group in reading.groups],
    }


def yaku_lines(reading: Reading) -> Iterator[tuple[str, str]]:
    for each in reading.yaku:
        if each.yakuman:
            worth = limit_name("yakuman", each.yakuman)
        else:
            worth = _("%(han)s han") % {"han": each.han} if each.han else title_of(reading)
        yield yaku_name(each.code), worth


ROLES: Final[Mapping[str, Promise]] = {
    "": pgettext_lazy("who is liable", "No one"),
    DISCARDER: gettext_lazy("The discarder"),
    DEALER: gettext_lazy("The dealer"),
    OTHER: gettext_lazy("Another player"),
}


def liable_line(code: str, question: HandQuestion, under: Under) -> dict[str, Any]:
    """Return the question who is liable, with each answer and its address."""
    if code == RINSHAN:
        asked = _("Who discarded the tile of the open kan before the winning draw?")
    else:
        asked = _("Whose discard was called for the last set of %(yaku)s?") % {"yaku": yaku_name(code)}
    offered = ("", *roles(question))
    said = dict(question.liable).get(code, "")
    now = said if said in offered else offered[-1]
    choices = [
        {
            "label": ROLES[role],
            "address": f"{under.address_of(**{LIABLE + code: role})}#value",
            "is_chosen": role == now,
        }
        for role in offered
    ]
    return {"question": asked, "choices": choices}


def payer(share: PaymentShare) -> str:
    if share.who == OTHERS and not share.liable:
        words = ngettext("The other player", "Each of the %(count)s others", share.players)
        return words % {"count": share.players}
    who = str(ROLES[OTHER if share.who == OTHERS else share.who])
    return _("%(who)s (liable)") % {"who": who} if share.liable else who


def deciding_line(
    decided: Deciding, question: HandQuestion, best: Reading | None, under: Under
) -> dict[str, Any]:
    address = under.found.address
    return {
        "line": setting_line(decided.name, under.found),
        "address": address if "#" in address else f"{address}#{decided.name}",
        "otherwise": [
            (setting_value(decided.name, each.value), otherwise_words(each, question, best))
            for each in decided.otherwise
        ],
    }


def otherwise_words(otherwise: Otherwise, question: HandQuestion, best: Reading | None) -> str:
    """Return the value under the other setting, or the winner's total if the value is the same."""
    words = worth_of(otherwise.reading, question)
    if words != worth_of(best, question) or otherwise.gain is None:
        return words
    return _("Winner’s total: %(points)s") % {"points": number(otherwise.gain)}


def worth_of(reading: Reading | None, question: HandQuestion) -> str:
    if reading is None:
        return _("no win")
    points = call_of(question, reading.value)
    return _("%(title)s, %(points)s") % {"title": title_of(reading), "points": points}


def shown_tiles(kind: str, tiles: Sequence[str]) -> tuple[str, ...]:
    """Return the tiles of a set. A closed kan has its outer tiles face down."""
    return ("back", *tiles[1:3], "back") if kind == CLOSED_KAN else tuple(tiles)
