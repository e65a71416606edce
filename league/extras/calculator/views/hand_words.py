"""The value of a hand in words: yaku and fu, payments, waits, deciding settings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from league.core.numbers import number
from league.core.text import listed
from league.extras.calculator.forms import LIABLE
from league.extras.calculator.panels import hand_address
from league.extras.calculator.queries import (
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
from league.extras.calculator.rules import (
    CLOSED_KAN,
    FU_PARTS,
    Reading,
    Valued,
    YakuCount,
    evaluate,
    impossible_tiles,
)
from league.extras.calculator.rules.tiles import HandProblem, tiles_text
from league.extras.calculator.words import FU_PARTS as FU_WORDS
from league.extras.calculator.words import hand_problem, tile_name
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.queries.rule_sets import FoundRules, rules_of
from league.rules.rule_sets.queries.sheets import setting_line
from league.rules.rule_sets.words.yaku import limit_name, yaku_name
from scoring.payments import DEPOSIT, RINSHAN, HandValue, ron_points, tsumo_points

ROLES: Final[Mapping[str, Promise]] = {
    "": pgettext_lazy("who is liable", "No one"),
    DISCARDER: gettext_lazy("The discarder"),
    DEALER: gettext_lazy("The dealer"),
    OTHER: gettext_lazy("Another player"),
}


@dataclass(frozen=True)
class HandAnswer:
    """The answer to a hand under a rule set. `typed`: what the address holds, for links to other answers."""

    question: HandQuestion
    found: FoundRules
    typed: Mapping[str, str]

    def page(self) -> dict[str, Any]:
        """Return the answer. Its `state`: going (too few tiles), tenpai, no_win or valued."""
        question, hand, rules = self.question, self.question.hand, rules_of(self.found)
        missing = missing_tiles(hand)
        impossible = list(impossible_tiles(hand, question.situation, rules))
        if missing > 0 and impossible:
            return self._no_win(impossible)
        if missing == 1 and hand.win is None and (waits := waiting(question, rules)):
            tiles = listed(tile_name(tile) for tile, _reading in waits)
            return {
                "state": "tenpai",
                "title": _("Tenpai: %(hand)s") % {"hand": hand},
                "short": _("Waits for %(tiles)s") % {"tiles": tiles},
                "waits": [(tile, self._worth(reading), self._completed(tile)) for tile, reading in waits],
            }
        if missing > 0:
            short = ngettext("%(count)s more tile", "%(count)s more tiles", missing) % {"count": missing}
            return {"state": "going", "title": _("Hand calculator"), "short": short}
        found = evaluate(hand, question.situation, rules)
        best = found.best if isinstance(found, Valued) else None
        page = self._valued(found) if isinstance(found, Valued) else self._no_win(found.reasons)
        return page | {"deciding": [self._decided(each, best) for each in deciding(question, best, rules)]}

    def _no_win(self, reasons: Iterable[HandProblem]) -> dict[str, Any]:
        return {
            "state": "no_win",
            "title": _("No win: %(hand)s") % {"hand": self.question.hand},
            "short": _("No win"),
            "problems": list(dict.fromkeys(hand_problem(reason) for reason in reasons)),
        }

    def _completed(self, tile: str) -> str:
        hand = self.question.hand
        text = tiles_text(hand.closed) + tile + "".join(map(str, hand.melds))
        return hand_address({**self.typed, "hand": text, "win": tile})

    def _valued(self, found: Valued) -> dict[str, Any]:
        question, rules, value = self.question, rules_of(self.found), found.best.value
        best = self._reading(found.best)
        liable = liabilities(question, found.best, rules)
        title = {"value": best["title"], "points": best["call"], "hand": question.hand}
        return {
            "state": "valued",
            "title": _("%(value)s, %(points)s: %(hand)s") % title,
            "description": listed(f"{name} {worth}" for name, worth in best["yaku"]),
            "short": best["title"],
            "points": best["call"],
            "best": best,
            "others": [self._reading(reading) for reading in found.readings[1:]],
            "shares": [(payer(each), each) for each in shares(question, value, rules, liable)],
            "liable": [self._liable(code) for code in asks_who_is_liable(question, value, rules)],
            "deposits": DEPOSIT * question.sticks,
            "gain": gain(question, value, rules),
            "everywhere": [
                (who, price(value, dealer=deals, tsumo=False), price(value, dealer=deals, tsumo=True))
                for who, deals in ((_("Dealer"), True), (_("Other player"), False))
            ],
        }

    def _reading(self, reading: Reading) -> dict[str, Any]:
        """Return a reading in words. `count`: han and fu behind a limit. `call`: points without honba."""
        parts = sorted(reading.fu_parts, key=lambda part: FU_PARTS.index(part.code))
        count = han_and_fu(reading) if reading.han < 5 else _("%(han)s han") % {"han": reading.han}
        return {
            "title": title_of(reading),
            "count": count if reading.value.limit and reading.han else "",
            "call": self._call(reading.value),
            "yaku": [(yaku_name(each.code), yaku_worth(each, reading)) for each in reading.yaku],
            "fu_lines": [(FU_WORDS[part.code], part) for part in parts],
            "fu_sum": sum(part.fu for part in parts),
            "fu": reading.fu,
            "groups": [shown_tiles(group.kind, group.tiles) for group in reading.groups],
        }

    def _call(self, value: HandValue) -> str:
        """Return points such as 8,000, 4,000 from each, or 2,000 / 4,000 (others and dealer)."""
        facts = self.question.situation
        return price(value, dealer=facts.dealer, tsumo=facts.tsumo)

    def _worth(self, reading: Reading | None) -> str:
        if reading is None:
            return _("no win")
        points = self._call(reading.value)
        return _("%(title)s, %(points)s") % {"title": title_of(reading), "points": points}

    def _liable(self, code: str) -> dict[str, Any]:
        """Return the question who is liable, with each answer and its address."""
        if code == RINSHAN:
            asked = _("Who discarded the tile of the open kan before the winning draw?")
        else:
            asked = _("Whose discard was called for the last set of %(yaku)s?") % {"yaku": yaku_name(code)}
        offered = ("", *roles(self.question))
        said = dict(self.question.liable).get(code, "")
        now = said if said in offered else offered[-1]
        choices = [
            (ROLES[role], f"{hand_address({**self.typed, LIABLE + code: role})}#value", role == now)
            for role in offered
        ]
        return {"question": asked, "choices": choices}

    def _decided(self, decided: Deciding, best: Reading | None) -> dict[str, Any]:
        address = self.found.address
        return {
            "line": setting_line(decided.name, self.found),
            "address": address if "#" in address else f"{address}#{decided.name}",
            "otherwise": [
                (setting_value(decided.name, each.value), self._otherwise(each, best))
                for each in decided.otherwise
            ],
        }

    def _otherwise(self, otherwise: Otherwise, best: Reading | None) -> str:
        """Return the value under the other setting, or the winner's total if the value is the same."""
        words = self._worth(otherwise.reading)
        if words != self._worth(best) or otherwise.gain is None:
            return words
        return _("Winner’s total: %(points)s") % {"points": number(otherwise.gain)}


def title_of(reading: Reading) -> str:
    """Return a value such as “3 han 40 fu”, “Mangan” or “Double yakuman”."""
    value = reading.value
    return limit_name(value.limit, value.yakuman) if value.limit else han_and_fu(reading)


def han_and_fu(reading: Reading) -> str:
    return _("%(han)s han %(fu)s fu") % {"han": reading.han, "fu": reading.fu}


def yaku_worth(yaku: YakuCount, reading: Reading) -> str:
    if yaku.yakuman:
        return limit_name("yakuman", yaku.yakuman)
    return _("%(han)s han") % {"han": yaku.han} if yaku.han else title_of(reading)


def price(value: HandValue, *, dealer: bool, tsumo: bool) -> str:
    if not tsumo:
        return number(ron_points(value.base, dealer=dealer))
    most = number(tsumo_points(value.base, dealer=True))
    if dealer:
        return _("%(points)s from each") % {"points": most}
    others = number(tsumo_points(value.base, dealer=False))
    return _("%(others)s / %(dealer)s") % {"others": others, "dealer": most}


def payer(share: PaymentShare) -> str:
    if share.who == OTHERS and not share.liable:
        words = ngettext("The other player", "Each of the %(count)s others", share.players)
        return words % {"count": share.players}
    who = str(ROLES[OTHER if share.who == OTHERS else share.who])
    return _("%(who)s (liable)") % {"who": who} if share.liable else who


def shown_tiles(kind: str, tiles: Sequence[str]) -> tuple[str, ...]:
    """Return the tiles of a set. A closed kan has its outer tiles face down."""
    return ("back", *tiles[1:3], "back") if kind == CLOSED_KAN else tuple(tiles)
