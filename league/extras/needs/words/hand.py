"""Conditions of a last hand in words: values, the sentence that players say, draws, goals."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from league.core.numbers import number_tenths
from league.core.text import listed
from league.extras.needs.rules import (
    ANY_WIN,
    GOES_ON,
    MISSED,
    PLACE,
    REACHED,
    SHARED,
    TOTAL,
    TSUMO,
    Conditions,
    Goal,
    Part,
    Stretch,
    Worth,
    spoken,
)
from league.play.hands.words.names import hand_label
from league.rules.rule_sets.words.yaku import limit_name
from scoring.hanchan import Game, hand_name
from scoring.hand_codes import LETTERS
from scoring.payments import HandValue, ron_points, tsumo_points
from scoring.rules import Rules

STATES: Final[dict[str, Promise]] = {
    REACHED: pgettext_lazy("a goal", "Reached"),
    SHARED: pgettext_lazy("a goal", "Reached, shared"),
    MISSED: pgettext_lazy("a goal", "Missed"),
    GOES_ON: pgettext_lazy("a game", "Continues"),
}
# Outcomes of every value of a win.
ALWAYS: Final[dict[str, Promise]] = {
    REACHED: pgettext_lazy("a goal, with every hand value", "Always"),
    SHARED: pgettext_lazy("a goal, with every hand value", "Always, shared"),
    MISSED: pgettext_lazy("a goal, with every hand value", "Never"),
    GOES_ON: STATES[GOES_ON],
}


# --- hands


PLACE_GOALS: Final = (
    gettext_lazy("1st place"),
    gettext_lazy("2nd place or better"),
    gettext_lazy("3rd place or better"),
)


def turn_words(turn: int, rules: Rules) -> str:
    """Return "South 4"."""
    name = hand_name(turn, 0, rules)
    return hand_label(f"{LETTERS[name.round_wind]}{name.number}")


def game_words(game: Game) -> str:
    words = turn_words(game.turn, game.rules)
    return _("%(hand)s, honba %(honba)s") % {"hand": words, "honba": game.honba} if game.honba else words


def goal_words(goal: Goal) -> str:
    if goal.kind == PLACE:
        words = str(PLACE_GOALS[goal.number - 1])
    elif goal.kind == TOTAL:
        words = _("A total of %(total)s or more") % {"total": number_tenths(goal.number)}
    elif goal.number == 1:
        words = _("1st in the standings")
    else:
        words = _("Rank %(rank)s in the standings or better") % {"rank": goal.number}
    return _("%(goal)s, not shared") % {"goal": words} if goal.alone else words


# --- values


class Prices:
    """Points of a way to win, as players call them. `deals`: the winner is the dealer."""

    def __init__(self, *, tsumo: bool, deals: bool) -> None:
        self.tsumo = tsumo
        self.deals = deals

    def call(self, worth: Worth) -> str:
        """Return "7,700", "1,300/2,600" or "2,600 all", without honba."""
        if not self.tsumo:
            return _called(ron_points(worth.base, dealer=self.deals))
        most = _called(tsumo_points(worth.base, dealer=True))
        if self.deals:
            return pgettext("points of a tsumo", "%(points)s all") % {"points": most}
        others = _called(tsumo_points(worth.base, dealer=False))
        return pgettext("points of a tsumo", "%(others)s/%(dealer)s") % {"others": others, "dealer": most}

    def stretch(self, stretch: Stretch) -> str:
        """Return "7,700" for 7,700 or more, as players say it."""
        first, last = self.call(stretch.first), self.call(stretch.last)
        if stretch.to_top:
            return first
        if first == last and not stretch.from_bottom:
            return pgettext("points", "exactly %(points)s") % {"points": first}
        return _between(stretch, first, last)

    def span(self, stretch: Stretch) -> str:
        """Return the words of a list, such as "from 7,700"."""
        if stretch.to_top and not stretch.is_all:
            return pgettext("points", "from %(first)s") % {"first": self.call(stretch.first)}
        return self.stretch(stretch)

    def limits(self, stretch: Stretch) -> str:
        """Return "from 7,700 (4 han 30 fu)" or "2,000 (1 han 60 fu) to 3,900 (3 han 40 fu)"."""
        first, last = self._named(stretch.first), self._named(stretch.last)
        if stretch.to_top:
            return pgettext("points", "from %(first)s") % {"first": first}
        return first if first == last else _between(stretch, first, last)

    def _named(self, worth: Worth) -> str:
        names = listed(dict.fromkeys(value_name(value) for value in worth.values))
        return _("%(points)s (%(values)s)") % {"points": self.call(worth), "values": names}


def _between(stretch: Stretch, first: str, last: str) -> str:
    if stretch.from_bottom:
        return pgettext("points", "up to %(last)s") % {"last": last}
    return pgettext("points", "%(first)s to %(last)s") % {"first": first, "last": last}


def value_name(value: HandValue) -> str:
    if value.limit:
        return limit_name(value.limit, value.yakuman)
    return _("%(han)s han %(fu)s fu") % {"han": value.han, "fu": value.fu}


def _called(points: int) -> str:
    """Return points as they are said: 7,700, and 7700 in Chinese and Japanese."""
    return f"{points:,}" if (get_language() or "en").startswith("en") else str(points)


def either(words: Sequence[str]) -> str:
    """Return "a", "a or b" or "a, b, or c"."""
    if len(words) < 2:
        return "".join(words)
    *others, last = words
    if len(others) == 1:
        (other,) = others
        return pgettext("alternatives", "%(before)s or %(after)s") % {"before": other, "after": last}
    comma = pgettext("alternatives", "%(before)s, %(after)s")
    before = reduce(lambda before, after: comma % {"before": before, "after": after}, others)
    return pgettext("alternatives", "%(before)s, or %(after)s") % {"before": before, "after": last}


# --- what players say


def call_words(found: Conditions, names: Sequence[str], *, dealer: int, leader: int | None) -> str:
    """Return "Tsumo 1,300/2,600, ron 7,700, or 3,900 from the leader". `leader`: the seat so called."""
    own = {
        span.outcome.code for way, spans in found.wins.items() if way.winner == found.seat for span in spans
    }
    others = {span.outcome.code for spans in found.wins.values() for span in spans}
    every = others | {outcome.code for outcome in found.draws.values()}
    if every in ({REACHED}, {SHARED}, {MISSED}):
        return str(ALWAYS[every.pop()])
    parts = spoken(found)
    if not parts:
        return _("The game continues after any win") if own == {GOES_ON} else _("No win is enough")
    deals, after_ron, said = found.seat == dealer, False, []
    for part in parts:
        said.append(_part_words(part, names, deals=deals, leader=leader, after_ron=after_ron))
        after_ron = part.kind not in (ANY_WIN, TSUMO)
    return capfirst(either(said))


def _part_words(part: Part, names: Sequence[str], *, deals: bool, leader: int | None, after_ron: bool) -> str:
    if part.kind == ANY_WIN:
        return pgettext("enough", "any win")
    if part.kind == TSUMO:
        every, some = pgettext("enough", "any tsumo"), pgettext("enough", "tsumo %(value)s")
    elif not part.losers:
        every, some = pgettext("enough", "any ron"), pgettext("enough", "ron %(value)s")
    elif part.losers == (leader,):
        every, some = (
            pgettext("enough", "any ron from the leader"),
            pgettext("enough", "%(value)s from the leader")
            if after_ron
            else pgettext("enough", "ron %(value)s from the leader"),
        )
    else:
        every, some = (
            pgettext("enough", "any ron from %(who)s"),
            pgettext("enough", "%(value)s from %(who)s")
            if after_ron
            else pgettext("enough", "ron %(value)s from %(who)s"),
        )
    prices = Prices(tsumo=part.kind == TSUMO, deals=deals)
    said = {
        "value": either([prices.stretch(each) for each in part.values]),
        "who": either([names[seat] for seat in part.losers]),
    }
    words = (some if part.values else every) % said
    if not part.shares:
        return words
    if not part.alone:
        return pgettext("enough", "%(win)s (shared)") % {"win": words}
    alone = either([prices.stretch(each) for each in part.alone])
    return pgettext("enough", "%(win)s (shared, alone with %(value)s)") % {"win": words, "value": alone}


# --- draws


def draw_words(found: Conditions, dealer: int) -> list[str]:
    """Return sentences on what a draw leads to."""
    decided = {tenpai: each.code for tenpai, each in found.draws.items() if each.code != GOES_ON}
    going = found.draws.keys() - decided.keys()
    if not decided:
        return [_("The game continues after a draw.")]
    ended = {tenpai: MISSED if code == MISSED else REACHED for tenpai, code in decided.items()}
    said = [_draw_sentence(found.seat, ended, is_all=not going)]
    codes = {*decided.values()}
    if SHARED in codes:
        every, some = _("The goal is then shared."), _("After some of these draws the goal is shared.")
        said.append(some if REACHED in codes else every)
    if going:
        by_dealer = all((dealer in tenpai) == (tenpai in going) for tenpai in found.draws)
        dealer_stays = _("The game continues if the dealer is tenpai.")
        said.append(dealer_stays if by_dealer else _("The game continues after some draws."))
    return said


def _draw_sentence(seat: int, ended: Mapping[tuple[int, ...], str], *, is_all: bool) -> str:
    tenpai = {code for some, code in ended.items() if seat in some}
    noten = {code for some, code in ended.items() if seat not in some}
    if tenpai | noten == {REACHED}:
        return _("Any draw is enough.") if is_all else _("A draw that ends the game is enough.")
    if tenpai | noten == {MISSED}:
        return _("No draw is enough.")
    if noten <= {MISSED}:
        if tenpai == {REACHED}:
            return _("Tenpai is needed at a draw.")
        return _("Tenpai is needed at a draw, and the others decide, too.")
    if tenpai == {REACHED}:
        return _("Tenpai is enough at a draw. The others decide after noten.")
    return _("At a draw it depends on the tenpai players.")


def tenpai_words(tenpai: Iterable[int], names: Sequence[str]) -> str:
    return listed(names[seat] for seat in tenpai) or _("No one is tenpai")
