"""Sentences for ``scoring.hanchan`` and ``scoring.hand_log``: impossible hands, and the end of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.numbers import number
from league.models import Seat
from league.rules.rule_sets.words.settings import choice_words
from league.rules.rule_sets.words.yaku import limit_name
from scoring.hanchan import SANCHAHOU, HanchanProblem

Params = Mapping[str, Any]

THREE_WINS: Final = _("triple ron (三家和)")

ENDINGS: Final[Mapping[str, Promise]] = {
    "length": _("the last hand was played"),
    "target": _("a player reached the target points"),
    "bust": _("a player fell below zero"),
    "agari_yame": _("the dealer ended it in the lead"),
    "time": _("the time was up"),
}

# The parts of a hand that can be wrong, as the sentences name them.
PLACES: Final[Mapping[str, Promise]] = {
    "riichi": _("Riichi"),
    "fouls": _("Offences in the hand"),
    "win_bans": _("Players with a win ban"),
    "dead_hands": _("Dead hands"),
    "called": _("Players with a called tile"),
    "wins": _("Winners"),
    "loser": _("Discarders"),
    "tenpai": _("Tenpai"),
    "hidden": _("Tenpai kept hidden"),
    "noten_riichi": _("Riichi without tenpai"),
    "nagashi": _("Nagashi mangan"),
    "chombo": _("Chombo"),
    "liable": _("Liable players"),
    "abort": _("Abortive draw"),
}


def ending_reason(code: str) -> str:
    return str(ENDINGS[code])


def hanchan_problem(problem: HanchanProblem, names: Sequence[str] = ()) -> str:
    """Return the sentence. `names`: the players by seat, or else their starting winds are named."""
    code, params = problem.code, dict(problem.params)
    seat = params.get("seat")
    if isinstance(seat, int) and code != "no_such_seat":
        params["seat"] = _who(seat, names)
    always = code == "hand_is_void" and not params["least"]
    return str(_ALWAYS_VOID if always else PROBLEMS[code]) % _format(params)


def _who(seat: int, names: Sequence[str]) -> str:
    """Return the player or the starting wind, or the number of a seat that does not exist."""
    named = names or Seat.Wind.labels
    return str(named[seat]) if 0 <= seat < len(named) else str(seat)


def abort_reason(code: str) -> str:
    return str(THREE_WINS) if code == SANCHAHOU else choice_words("abortive_draws", code)


def _near(code: str) -> str:
    han, mark, fu = code.partition("/")
    return gettext("%(han)s han %(fu)s fu") % {"han": han, "fu": fu} if mark else limit_name(code)


def log_problem(code: str) -> str:
    """Return the sentence for an entry that does not fit its log (`scoring.hand_log.BAD`)."""
    return str(BAD_ENTRIES[code])


BAD_ENTRIES: Final[Mapping[str, Promise]] = {
    "target": _("This hand was removed a moment ago, or never played. Check the hands."),
    "keeps_points": _(
        "This table keeps its points, which say the hand that is played. Enter the hand’s result, or "
        "correct an earlier hand."
    ),
    "unknown_hand": _("The current hand is unknown. Choose it first."),
    "no_next_hand": _("Under these rules no hand follows this one. Enter the score sheet."),
    "no_points": _(
        "The points at the start of this hand are unknown. Enter the four scores and the deposits first."
    ),
    "start": _(
        "The four scores and the deposits must sum to four times the starting points. Scores are multiples "
        "of 100, deposits of 1,000."
    ),
    "malformed": _("This entry cannot be read. Reload the page and enter it again."),
}


# How each parameter is written; the others as they are.
_WRITTEN: Final[Mapping[str, Callable[[Any], str]]] = {
    "why": ending_reason,
    "place": lambda place: str(PLACES.get(place, place)),
    "points": number,
    "base": number,
    "sum": number,
    "most": number,
    "near": _near,
    "reason": abort_reason,
}


def _format(params: Params) -> dict[str, str]:
    return {name: _WRITTEN.get(name, str)(value) for name, value in params.items()}


_ALWAYS_VOID: Final = _(
    "Under these rules a chombo always ends the hand. Enter this hand as ended by the chombo of %(seat)s."
)
PROBLEMS: Final[Mapping[str, Promise]] = {
    "game_over": _("The game is over: %(why)s. Undo its last hand before entering another."),
    "malformed": _("The log cannot be read at “%(place)s”: data is missing or unexpected."),
    "unknown": _("%(place)s: unknown word “%(value)s”. Correct it."),
    "no_such_seat": _("%(place)s: seat %(seat)s does not exist. Seats are numbered 0 (East) to 3 (North)."),
    "seat_twice": _("%(place)s: %(seat)s is listed twice. List each player once."),
    "nobody": _("%(place)s: no player is named. Name the players."),
    "live_tiles": _("Enter a number of live tiles from 0 to %(most)s, not %(tiles)s."),
    "extra_tiles": _("%(seat)s cannot have %(tiles)s extra tiles. Enter a number from 0 to %(most)s."),
    "minutes_back": _(
        "The game had lasted %(before)s minutes before this hand, so it cannot have ended after "
        "%(minutes)s. Correct the time."
    ),
    "winner_is_loser": _("%(seat)s cannot win on their own discard. Correct the winner or the discarder."),
    "winner_banned": _(
        "%(seat)s may not win this hand because of a ruling, a chombo or extra tiles. Correct the "
        "winner or undo the ban."
    ),
    "value": _(
        "Under these rules %(seat)s cannot win such a hand (%(base)s basic points). The nearest value is "
        "%(near)s. Correct its han and fu, or its limit."
    ),
    "scores_sum": _("The four scores are %(sum)s, more than the %(most)s of the game. Correct them."),
    "hundreds": _("%(seat)s cannot have %(points)s points. Scores are multiples of 100."),
    "sticks": _(
        "The scores leave %(points)s points on the table, but each riichi stick is 1,000. Correct them."
    ),
    "bell": _("These rules have no time limit. Remove the note that the time ran out."),
    "honba": _("The next hand cannot have %(honba)s honba. Enter 0 or more."),
    "ruling": _("A correction of the scores is not a hand. Enter riichi and offences with their hand."),
    "liable_winner": _("%(seat)s cannot be liable for their own hand. Correct the liable player."),
    "liable_yakuman": _(
        "No player can be liable for %(yakuman)s yakuman of %(seat)s. Enter a number from 1 to %(most)s."
    ),
    "riichi_below_1000": _("Riichi requires 1,000 points, but %(seat)s has %(points)s. Remove the riichi."),
    "riichi_tiles": _(
        "Riichi requires %(least)s live tiles, but only %(tiles)s were left for %(seat)s. "
        "Remove the riichi, or correct the tiles."
    ),
    "riichi_tile_won": _(
        "The riichi tile of %(seat)s cannot have been won on: %(seat)s did not deal in. Correct the "
        "tile or the discarder."
    ),
    "riichi_hidden": _("%(seat)s declared riichi and must show the hand. Enter it as tenpai or noten."),
    "riichi_unknown": _("%(seat)s declared riichi. Enter the hand as tenpai, or as riichi without tenpai."),
    "noten_riichi": _(
        "%(seat)s is entered as riichi without tenpai, but did not declare riichi, is tenpai or has a"
        " dead hand. Correct one of them."
    ),
    "hidden": _("These rules do not allow hiding a tenpai hand. Enter %(seat)s as tenpai or noten."),
    "tenpai_and_hidden": _("%(seat)s cannot both show and hide a tenpai hand. Choose one."),
    "dead_hand_tenpai": _("The hand of %(seat)s is dead and counts as noten. Remove %(seat)s from tenpai."),
    "nagashi": _("These rules have no nagashi mangan. Enter the hand as an exhaustive draw."),
    "abort": _("Under these rules the hand continues after this: %(reason)s."),
    "abort_after_call": _(
        "%(reason)s: not possible after a call, and the riichi tile of %(seat)s was called. Correct "
        "one of them."
    ),
    "four_riichi_missing": _(
        "Four riichi are needed to end the hand, but only %(riichi)s are entered. Enter the others."
    ),
    "four_riichi": _("The fourth riichi ends the hand. Enter it as an abortive draw by four riichi."),
    "nobody_dealt_in": _("%(reason)s: only one riichi tile can be won on. Correct the others."),
    "hand_goes_on": _(
        "With %(tiles)s live tiles left, a chombo does not end the hand: %(least)s are needed. Enter "
        "it as an offence within the hand."
    ),
    "hand_is_void": _(
        "With %(tiles)s live tiles left, a chombo by %(seat)s ends the hand. Enter the hand as ended "
        "by it, or note that the referee let it continue."
    ),
}
