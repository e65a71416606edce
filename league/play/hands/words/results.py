"""The result of a hand, and who pays what, in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.core.numbers import number
from league.core.text import clauses, labelled, listed
from league.play.hands.words.problems import abort_reason
from league.rules.rule_sets.words.yaku import limit_name
from scoring.hanchan import (
    RON,
    Abort,
    Chombo,
    ExhaustiveDraw,
    GameStep,
    Nagashi,
    Ron,
    Ruling,
    Scores,
    Tsumo,
)
from scoring.payments import HandValue, Transfer

Names = Sequence[str]
TRANSFERS: Final[Mapping[str, Promise]] = {
    "hand": pgettext_lazy("payment", "Hand"),
    "honba": gettext_lazy("Honba"),
    "deposits": gettext_lazy("Riichi deposits"),
    "liability": gettext_lazy("Liability (pao)"),
    "noten": gettext_lazy("Noten payment"),
    "nagashi": gettext_lazy("Nagashi mangan"),
    "chombo": gettext_lazy("Chombo"),
    "noten_riichi": gettext_lazy("Riichi without tenpai"),
    "extra_tiles": gettext_lazy("Extra tiles"),
    "scores": gettext_lazy("Scores after the hand"),
}


def value_words(value: HandValue) -> str:
    """Return "3 han 40 fu", the name of a limit, or basic points if nothing else is known."""
    if value.limit:
        return limit_name(value.limit, value.yakuman)
    if value.han is not None and value.fu is not None:
        return _("%(han)s han %(fu)s fu") % {"han": value.han, "fu": value.fu}
    return _("%(base)s basic points") % {"base": number(value.base)}


def result_words(step: GameStep, names: Names) -> str:
    """Return one line, such as "Alice: ron from Bob, 3 han 40 fu". `names`: the players by seat."""
    match step.hand.outcome:
        case Ron(wins, loser):
            paid = [win for win in wins if win.winner in step.winners]
            if not paid:
                return _("Three wins on one tile: no one is paid")
            return clauses(
                _("%(name)s: ron from %(loser)s, %(value)s")
                % {"name": names[win.winner], "loser": names[loser], "value": value_words(win.value)}
                for win in paid
            )
        case Tsumo(win):
            return _("%(name)s: tsumo, %(value)s") % {
                "name": names[win.winner],
                "value": value_words(win.value),
            }
        case ExhaustiveDraw(tenpai):
            return _tenpai(tenpai, names)
        case Nagashi(seats, tenpai):
            return clauses(
                [_("Nagashi mangan: %(names)s") % {"names": _all(seats, names)}, _tenpai(tenpai, names)]
            )
        case Abort(reason):
            return labelled(_("Abortive draw"), abort_reason(reason))
        case Chombo(seats):
            return _("Chombo: %(names)s") % {"names": _all(seats, names)}
        case Scores(winners=winners, win=way):
            if not winners:
                return _("Only the scores are known")
            way_words = (
                _("%(names)s: ron, discarder unknown") if way == RON else _("%(names)s: win, value unknown")
            )
            return way_words % {"names": _all(winners, names)}
        case Ruling():
            return _("Correction by a referee")


def _tenpai(tenpai: Sequence[int], names: Names) -> str:
    if not tenpai:
        return _("Draw, all noten")
    return _("Draw, tenpai: %(names)s") % {"names": _all(tenpai, names)}


def _all(seats: Iterable[int], names: Names) -> str:
    return listed(names[seat] for seat in seats)


def payment_lines(transfers: Iterable[Transfer], names: Names) -> Iterator[str]:
    """Yield a line per payment, such as "Bob pays Alice 3,900 (Hand)"."""
    for transfer in transfers:
        words = {"points": number(transfer.points), "why": TRANSFERS[transfer.reason]}
        if transfer.payer is None:
            sentence = _("%(payee)s takes %(points)s from the table (%(why)s)")
        elif transfer.payee is None:
            sentence = _("%(payer)s puts %(points)s on the table (%(why)s)")
        else:
            sentence = _("%(payer)s pays %(payee)s %(points)s (%(why)s)")
        seats = {"payer": transfer.payer, "payee": transfer.payee}
        yield sentence % (words | {part: names[seat] for part, seat in seats.items() if seat is not None})
