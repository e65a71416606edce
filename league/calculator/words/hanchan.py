"""A hanchan hand by hand in words: why a hand cannot have happened, and why a game is over. Tests walk the
problems, endings and places of ``scoring.hanchan``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.calculator.words.hands import THREE_WINS
from league.core.numbers import number
from league.models import Seat
from league.rule_sets.words.values import choice_words
from scoring.hanchan import SANCHAHOU, HanchanProblem

Params = Mapping[str, Any]

ENDINGS: Final[Mapping[str, Promise]] = {
    "length": gettext_lazy("the last hand was played"),
    "target": gettext_lazy("a player reached the target points"),
    "bust": gettext_lazy("a player fell below zero"),
    "agari_yame": gettext_lazy("the dealer ended it in the lead"),
    "time": gettext_lazy("the time was up"),
}

# The parts of a hand that can be wrong, as the sentences name them.
PLACES: Final[Mapping[str, Promise]] = {
    "riichi": gettext_lazy("Riichi"),
    "fouls": gettext_lazy("Offences in the hand"),
    "win_bans": gettext_lazy("Players with a win ban"),
    "dead_hands": gettext_lazy("Dead hands"),
    "wins": gettext_lazy("Winners"),
    "loser": gettext_lazy("Discarders"),
    "tenpai": gettext_lazy("Tenpai"),
    "hidden": gettext_lazy("Tenpai kept hidden"),
    "noten_riichi": gettext_lazy("Riichi without tenpai"),
    "nagashi": gettext_lazy("Nagashi mangan"),
    "chombo": gettext_lazy("Chombo"),
    "liable": gettext_lazy("Liable players"),
    "abort": gettext_lazy("Abortive draw"),
}


def ending_reason(code: str) -> str:
    """Why a game is over, as a clause."""
    return str(ENDINGS[code])


def hanchan_problem(problem: HanchanProblem) -> str:
    """One reason why a hand cannot have happened, as a sentence that says what to do."""
    return PROBLEMS[problem.code](problem.params)


def _wind(seat: int) -> str:
    """The seat by its wind at the start; its number when there is no such seat."""
    labels = Seat.Wind.labels
    return str(labels[seat]) if 0 <= seat < len(labels) else str(seat)


def _abort_reason(code: str) -> str:
    return str(THREE_WINS) if code == SANCHAHOU else choice_words("abortive_draws", code)


# How each parameter is written; the others as they are.
_WRITTEN: Final[Mapping[str, Callable[[Any], str]]] = {
    "why": ending_reason,
    "place": lambda place: str(PLACES.get(place, place)),
    "seat": _wind,
    "points": number,
    "base": number,
    "reason": _abort_reason,
}


def _says(sentence: Promise) -> Callable[[Params], str]:
    return lambda params: str(sentence) % _written(params)


def _written(params: Params) -> dict[str, str]:
    return {name: _WRITTEN.get(name, str)(value) for name, value in params.items()}


def _no_such_seat(params: Params) -> str:
    return _("%(place)s: seat %(seat)s does not exist. Seats are numbered 0 (East) to 3 (North).") % {
        "place": _written(params)["place"],
        "seat": params["seat"],
    }


def _hand_is_void(params: Params) -> str:
    if params["least"]:
        return _(
            "With %(tiles)s live tiles left, a chombo by %(seat)s ends the hand. Enter the hand as ended "
            "by it, or note that the referee let it continue."
        ) % _written(params)
    return _(
        "Under these rules a chombo always ends the hand. Enter this hand as ended by the chombo of %(seat)s."
    ) % _written(params)


PROBLEMS: Final[Mapping[str, Callable[[Params], str]]] = {
    "game_over": _says(
        gettext_lazy("The game is over: %(why)s. Undo its last hand before entering another.")
    ),
    "malformed": _says(gettext_lazy("The log cannot be read at “%(place)s”: data is missing or unexpected.")),
    "unknown": _says(gettext_lazy("%(place)s: unknown word “%(value)s”. Correct it.")),
    "no_such_seat": _no_such_seat,
    "seat_twice": _says(gettext_lazy("%(place)s: %(seat)s is listed twice. List each player once.")),
    "nobody": _says(gettext_lazy("%(place)s: no player is named. Name the players.")),
    "live_tiles": _says(gettext_lazy("Enter a number of live tiles from 0 to %(most)s, not %(tiles)s.")),
    "extra_tiles": _says(
        gettext_lazy("%(seat)s cannot have %(tiles)s extra tiles. Enter a number from 0 to %(most)s.")
    ),
    "minutes_back": _says(
        gettext_lazy(
            "The game had lasted %(before)s minutes before this hand, so it cannot have ended after "
            "%(minutes)s. Correct the time."
        )
    ),
    "winner_is_loser": _says(
        gettext_lazy("%(seat)s cannot win on their own discard. Correct the winner or the discarder.")
    ),
    "winner_banned": _says(
        gettext_lazy(
            "%(seat)s may not win this hand because of a ruling, a chombo or extra tiles. Correct the "
            "winner or undo the ban."
        )
    ),
    "value": _says(
        gettext_lazy(
            "Under these rules %(seat)s cannot win such a hand (%(base)s basic points). Correct its han "
            "and fu, or its limit."
        )
    ),
    "liable_winner": _says(
        gettext_lazy("%(seat)s cannot be liable for their own hand. Correct the liable player.")
    ),
    "liable_yakuman": _says(
        gettext_lazy(
            "No player can be liable for %(yakuman)s yakuman of %(seat)s. Enter a number from 1 to %(most)s."
        )
    ),
    "riichi_below_1000": _says(
        gettext_lazy("Riichi requires 1,000 points; %(seat)s has %(points)s. Remove the riichi.")
    ),
    "riichi_tiles": _says(
        gettext_lazy(
            "Riichi requires %(least)s live tiles; %(tiles)s were left for %(seat)s. Remove the riichi, "
            "or correct the tiles."
        )
    ),
    "riichi_tile_won": _says(
        gettext_lazy(
            "The riichi tile of %(seat)s cannot have been won on: %(seat)s did not deal in. Correct the "
            "tile or the discarder."
        )
    ),
    "riichi_hidden": _says(
        gettext_lazy("%(seat)s declared riichi and must show the hand. Enter it as tenpai or noten.")
    ),
    "riichi_unknown": _says(
        gettext_lazy("%(seat)s declared riichi. Enter the hand as tenpai, or as riichi without tenpai.")
    ),
    "noten_riichi": _says(
        gettext_lazy(
            "%(seat)s is entered as riichi without tenpai, but did not declare riichi, is tenpai or has a"
            " dead hand. Correct one of them."
        )
    ),
    "hidden": _says(
        gettext_lazy("These rules do not allow hiding a tenpai hand. Enter %(seat)s as tenpai or noten.")
    ),
    "tenpai_and_hidden": _says(gettext_lazy("%(seat)s cannot both show and hide a tenpai hand. Choose one.")),
    "dead_hand_tenpai": _says(
        gettext_lazy("The hand of %(seat)s is dead and counts as noten. Remove %(seat)s from tenpai.")
    ),
    "nagashi": _says(
        gettext_lazy("These rules have no nagashi mangan. Enter the hand as an exhaustive draw.")
    ),
    "abort": _says(gettext_lazy("Under these rules the hand continues after this: %(reason)s.")),
    "abort_after_call": _says(
        gettext_lazy(
            "%(reason)s: not possible after a call, and the riichi tile of %(seat)s was called. Correct "
            "one of them."
        )
    ),
    "four_riichi_missing": _says(
        gettext_lazy("Four riichi are needed to end the hand; only %(riichi)s are entered. Enter the others.")
    ),
    "four_riichi": _says(
        gettext_lazy("The fourth riichi ends the hand. Enter it as an abortive draw by four riichi.")
    ),
    "nobody_dealt_in": _says(
        gettext_lazy("%(reason)s: only one riichi tile can be won on. Correct the others.")
    ),
    "hand_goes_on": _says(
        gettext_lazy(
            "With %(tiles)s live tiles left, a chombo does not end the hand: %(least)s are needed. Enter "
            "it as an offence within the hand."
        )
    ),
    "hand_is_void": _hand_is_void,
}
