"""Choices and single values of settings in words. A test walks all of them."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.rules.rule_sets.words.yaku import YAKU

VALUES: Final[Mapping[str, Mapping[str | float | None, Promise]]] = {
    "tie_rule": {
        "split": gettext_lazy("players share the place and its points"),
        "seat": gettext_lazy("the seat closer to the first dealer is ahead"),
        "last_dealer": gettext_lazy("the seat closer to the last dealer is ahead"),
    },
    "split_remainder": {
        "first_dealer": gettext_lazy("goes to the tied player closest to the first dealer"),
        "drop": gettext_lazy("is lost"),
        "exact": gettext_lazy("none: shares are exact fractions"),
    },
    "rounding": {
        "none": gettext_lazy("none"),
        "half_down": gettext_lazy("to thousands, 500 down and 600 up (五捨六入)"),
        "half_up": gettext_lazy("to thousands, 500 up"),
        "down": gettext_lazy("down to thousands"),
        "up": gettext_lazy("up to thousands"),
        "half_away": gettext_lazy("to thousands, 500 away from zero"),
    },
    "leftover_sticks": {"first": gettext_lazy("go to 1st place"), "nobody": gettext_lazy("are lost")},
    "game_length": {
        "east": gettext_lazy("east round only (tonpuusen)"),
        "half": gettext_lazy("east and south (hanchan)"),
        "full": gettext_lazy("all four winds (iichan)"),
        "east_north": gettext_lazy("east and north"),
        "east_east": gettext_lazy("east twice"),
        "each_hand": gettext_lazy("every hand is its own game"),
    },
    "extension": {
        "none": gettext_lazy("none"),
        "sudden_death": gettext_lazy("one more wind, until a player reaches the target points"),
        "full_wind": gettext_lazy("one more whole wind"),
    },
    "renchan": {
        "tenpai": gettext_lazy("after a win, and when tenpai at an exhaustive draw"),
        "win": gettext_lazy("only after a win"),
        "none": gettext_lazy("never: the deal passes after every hand with a result"),
    },
    "kuikae": {"forbidden": gettext_lazy("forbidden"), "allowed": gettext_lazy("allowed")},
    "red_fives": {
        0: gettext_lazy("none"),
        3: gettext_lazy("three, one in each suit"),
        4: gettext_lazy("four, two of them in circles"),
    },
    "counted_yakuman": {"none": gettext_lazy("sanbaiman"), "yakuman": gettext_lazy("kazoe yakuman")},
    "renhou": {
        "none": gettext_lazy("not used"),
        "mangan": gettext_lazy("mangan"),
        "five_han": gettext_lazy("five han"),
        "yakuman": gettext_lazy("yakuman"),
    },
    "double_wind_pair_fu": {2: gettext_lazy("2 fu"), 4: gettext_lazy("4 fu")},
    "sequences_fu": {
        "counted": gettext_lazy("counted as for any hand"),
        "fixed": gettext_lazy("20 when closed, 30 when open"),
    },
    "multiple_ron": {
        "head_bump": gettext_lazy("only the next player in turn (atamahane)"),
        "double": gettext_lazy("two may win, but not three"),
        "triple": gettext_lazy("two or three may win"),
        "triple_aborts": gettext_lazy("two may win, three abort the hand"),
    },
    "multi_ron_bonus": {
        "first": gettext_lazy("for the next winner in turn only"),
        "all": gettext_lazy("for every winner"),
    },
    "multi_ron_sticks": {
        "first": gettext_lazy("all go to the next winner in turn"),
        "own_back": gettext_lazy(
            "each winner takes back their own, and the rest go to the next winner in turn"
        ),
    },
    "abortive_draws": {
        "kyuushu_kyuuhai": gettext_lazy("nine kinds of terminals and honours (九種九牌)"),
        "suufon_renda": gettext_lazy("four equal winds (四風連打)"),
        "suukaikan": gettext_lazy("four kans by several players (四開槓)"),
        "suucha_riichi": gettext_lazy("four riichi (四家立直)"),
    },
    "riichi_kan": {
        "waits": gettext_lazy("if the waits stay the same"),
        "shape": gettext_lazy("if every reading of the hand stays the same"),
    },
    "chombo_timing": {
        "after_uma": gettext_lazy("from the total, after uma"),
        "before_uma": gettext_lazy("from the points, before places and uma"),
        "in_game": gettext_lazy("as a payment in the game"),
    },
    "after_chombo": {
        "replay": gettext_lazy("the same hand is replayed, without another honba"),
        "draw": gettext_lazy("the dealer repeats, with one more honba"),
        "rotate": gettext_lazy("the deal passes, with one more honba"),
    },
    "unbalanced": {
        False: gettext_lazy("required: the four scores of a table sum to zero"),
        True: gettext_lazy("not required: table scores need not sum to zero under these rules"),
    },
    "oka": {"auto": gettext_lazy("difference between starting and return points")},
    "floating_uma": {None: gettext_lazy("none: the same uma for every table")},
    "sashiuma": {None: gettext_lazy("not used")},
    "chip_value": {None: gettext_lazy("no chips"), 0: gettext_lazy("chips are only listed")},
    "substituted_score": {None: gettext_lazy("the organizer decides")},
    "extension_winds": {None: gettext_lazy("any number, until the game is decided")},
    "yakuman_limit": {None: gettext_lazy("no limit")},
    "noten_riichi": {None: gettext_lazy("as a chombo")},
    "chombo": {
        0: gettext_lazy("no deduction"),
        "reverse_mangan": gettext_lazy("a mangan paid to the others"),
    },
    "redeal_tiles": {0: gettext_lazy("none: a chombo always ends the hand")},
    "extra_tile_payment": {0: gettext_lazy("none")},
}
PAO_CHOICES: Final[Mapping[str, Mapping[str, Promise]]] = {
    "tsumo": {"liable": gettext_lazy("on a tsumo the liable player pays everything")},
    "ron": {
        "half": gettext_lazy("on a ron the liable player and the discarder pay half each"),
        "liable": gettext_lazy("on a ron the liable player pays everything"),
    },
    "honba": {
        "liable": gettext_lazy("honba paid by the liable player"),
        "discarder": gettext_lazy("honba paid by the discarder"),
        "half": gettext_lazy("honba paid half each"),
    },
    "composite": {
        "own": gettext_lazy("of several yakuman, liable only for the one completed by the discard"),
        "whole": gettext_lazy("of several yakuman, liable for all"),
    },
    "several": {
        "each": gettext_lazy("of two liable players, each is liable for their own yakuman"),
        "first": gettext_lazy("of two liable players, only the first is liable"),
    },
}


def choice_words(name: str, choice: str | int) -> str:
    return str(VALUES[name][choice] if name in VALUES else YAKU.get(str(choice), choice))


def not_played(values: Mapping[str, object]) -> str | None:
    """Return why no competition can play these JSON-shaped values, with the remedy, or None if it can."""
    if values.get("chombo_timing") != "before_uma":
        return None
    return _(
        "A competition cannot deduct a chombo before places and uma. Deductions by referees "
        "come off the total. Choose “%(after)s” or “%(paid)s”."
    ) % {name: choice_words("chombo_timing", choice) for name, choice in _TIMINGS_PLAYED.items()}


_TIMINGS_PLAYED: Final = {"after": "after_uma", "paid": "in_game"}
