"""A hand in words: fu, what is paid for what, and why something cannot be. Tests walk the codes of
``scoring``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.calculator.words.tiles import tile_name
from league.core.text import listed
from league.rule_sets.words.yaku import yaku_name
from scoring.tiles import TILES, HandProblem

FU_PARTS: Final[Mapping[str, Promise]] = {
    "base": pgettext_lazy("fu", "Any hand"),
    "closed_ron": pgettext_lazy("fu", "Closed hand won by ron"),
    "seven_pairs": pgettext_lazy("fu", "Seven pairs"),
    "sequences": pgettext_lazy("fu", "Sequences only (fixed)"),
    "closed_pon": pgettext_lazy("fu", "Concealed triplet"),
    "open_pon": pgettext_lazy("fu", "Open triplet"),
    "closed_terminal_pon": pgettext_lazy("fu", "Concealed triplet of terminals or honours"),
    "open_terminal_pon": pgettext_lazy("fu", "Open triplet of terminals or honours"),
    "closed_kan": pgettext_lazy("fu", "Closed kan"),
    "open_kan": pgettext_lazy("fu", "Open kan"),
    "closed_terminal_kan": pgettext_lazy("fu", "Closed kan of terminals or honours"),
    "open_terminal_kan": pgettext_lazy("fu", "Open kan of terminals or honours"),
    "valued_pair": pgettext_lazy("fu", "Pair of dragons, round wind or seat wind"),
    "double_valued_pair": pgettext_lazy("fu", "Pair of the double wind"),
    "penchan": pgettext_lazy("fu", "Edge wait (penchan)"),
    "kanchan": pgettext_lazy("fu", "Closed wait (kanchan)"),
    "pair_wait": pgettext_lazy("fu", "Pair wait (tanki)"),
    "tsumo": pgettext_lazy("fu", "Self-draw"),
    "hand_without_fu": pgettext_lazy("fu", "Open hand without other fu"),
}

GROUPS: Final[Mapping[str, Promise]] = {
    "chi": gettext_lazy("chi"),
    "pon": gettext_lazy("pon"),
    "open_kan": gettext_lazy("open kan"),
    "closed_kan": gettext_lazy("closed kan"),
    "added_kan": gettext_lazy("added kan"),
    "sequence": gettext_lazy("sequence"),
    "triplet": gettext_lazy("triplet"),
    "pair": gettext_lazy("pair"),
    "whole": gettext_lazy("whole hand"),
}

THREE_WINS: Final = gettext_lazy("triple ron (三家和)")

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
}


def fu_part_name(code: str) -> str:
    """What gives fu."""
    return str(FU_PARTS[code])


def group_name(code: str) -> str:
    """What the tiles of a hand are called that are read together."""
    return str(GROUPS[code])


def transfer_reason(code: str) -> str:
    """What points are paid for."""
    return str(TRANSFERS[code])


# --- why a text is not a hand, and why a hand cannot win

Params = Mapping[str, Any]


def hand_problem(problem: HandProblem) -> str:
    """One reason why a text is not a hand, or why a hand cannot win, as a sentence that says what to do."""
    return _PROBLEMS[problem.code](problem.params)


# How each parameter is written; the others as they are.
_WRITTEN: Final[Mapping[str, Callable[[Any], str]]] = {
    "tile": lambda tile: tile_name(tile) if tile in TILES else tile,
    "tiles": lambda tiles: tiles if isinstance(tiles, str) else listed(map(tile_name, tiles)),
    "kinds": lambda kinds: listed(map(group_name, kinds)),
    "yaku": yaku_name,
}


def _says(sentence: Promise) -> Callable[[Params], str]:
    return lambda params: (
        str(sentence) % {name: _WRITTEN.get(name, str)(value) for name, value in params.items()}
    )


def _indicators(params: Params) -> str:
    values = {"count": params["count"], "most": params["most"]}
    if params["kind"] == "ura":
        return _("A hand can have at most %(most)s ura dora indicators, not %(count)s. Remove some.") % values
    return _("A hand can have at most %(most)s dora indicators, not %(count)s. Remove some.") % values


_PROBLEMS: Final[Mapping[str, Callable[[Params], str]]] = {
    "too_long": _says(gettext_lazy("A hand has at most %(most)s characters, not %(length)s. Remove some.")),
    "character": _says(
        gettext_lazy(
            "“%(character)s” is not a tile. Enter numbers followed by m, p, s or z, as in 123m406p77z."
        )
    ),
    "no_suit": _says(
        gettext_lazy("“%(numbers)s” has no suit. Add m (characters), p (circles), s (bamboo) or z (honours).")
    ),
    "no_number": _says(gettext_lazy("“%(suit)s” has no numbers before it. Enter them, as in 123%(suit)s.")),
    "no_such_tile": _says(
        gettext_lazy(
            "Tile %(tile)s does not exist. Numbers go from 1 to 9, with 0 for a red five; honours are 1z "
            "to 7z."
        )
    ),
    "bracket": _says(
        gettext_lazy(
            "“%(bracket)s” has no matching bracket. Put each meld in brackets: (555z) when called, "
            "[1111z] for a closed kan, {9999p} for an added kan."
        )
    ),
    "meld": _says(gettext_lazy("“%(tiles)s” is not a meld (%(kinds)s). Correct the tiles or the brackets.")),
    "winning_tile": _says(
        gettext_lazy("The winning tile is one tile such as 5p, not “%(text)s”. Correct it.")
    ),
    "winning_tile_missing": _says(
        gettext_lazy(
            "The winning tile %(tile)s is not in the closed tiles. Add it, or choose another winning tile."
        )
    ),
    "no_winning_tile": _says(gettext_lazy("Choose the winning tile.")),
    "melds": _says(gettext_lazy("A hand has at most %(most)s melds, not %(count)s. Remove some.")),
    "tile_count": _says(
        gettext_lazy("%(expected)s tiles are needed besides the melds, not %(count)s. Add or remove tiles.")
    ),
    "five_of_a_tile": _says(
        gettext_lazy("%(tile)s: only four exist, but hand and indicators have %(count)s. Remove some.")
    ),
    "chankan_tile": _says(
        gettext_lazy(
            "%(tile)s: a robbed kan uses all four, so neither the hand nor the indicators can have "
            "another. Remove the others, or the robbed kan."
        )
    ),
    "red_fives": _says(
        gettext_lazy(
            "%(tile)s: only %(most)s under these rules, but hand and indicators have %(count)s. Enter 5 "
            "instead of 0."
        )
    ),
    "plain_fives": _says(
        gettext_lazy(
            "%(tile)s: only %(most)s non-red ones under these rules, not %(count)s. Enter 0 for a red five."
        )
    ),
    "indicators": _indicators,
    "not_complete": _says(
        gettext_lazy(
            "The hand is not complete. It needs four sets and a pair, seven pairs, or thirteen orphans. "
            "Correct the tiles."
        )
    ),
    "concealed_kan": _says(
        gettext_lazy(
            "Under these rules this hand cannot rob a closed kan. Choose an added kan, or remove the "
            "robbed kan."
        )
    ),
    "no_yaku": _says(gettext_lazy("The hand is complete but has no yaku, so it cannot win.")),
    "open_tanyao": _says(gettext_lazy("Under these rules tanyao does not count in an open hand.")),
    "closed_only": _says(gettext_lazy("%(yaku)s counts only in a closed hand.")),
    "yaku_not_played": _says(gettext_lazy("%(yaku)s is not played under these rules.")),
    "only_dora": _says(gettext_lazy("Dora (%(han)s han) are not yaku.")),
    "kataagari": _says(
        gettext_lazy("Under these rules every winning tile must give a yaku. These do not: %(tiles)s.")
    ),
    "first_call": _says(
        gettext_lazy("Under these rules the first call must belong to a yaku. This one does not: %(tiles)s.")
    ),
    "riichi_open": _says(gettext_lazy("Riichi needs a closed hand. Remove the riichi, or the called melds.")),
    "ippatsu_without_riichi": _says(gettext_lazy("Ippatsu needs riichi. Add the riichi, or remove ippatsu.")),
    "ura_without_riichi": _says(
        gettext_lazy("Ura dora need riichi. Add the riichi, or remove the ura dora.")
    ),
    "rinshan_ron": _says(gettext_lazy("Rinshan is a win by self-draw. Choose tsumo, or remove rinshan.")),
    "rinshan_without_kan": _says(
        gettext_lazy("Rinshan needs a kan in the hand. Add the kan, or remove rinshan.")
    ),
    "rinshan_ippatsu": _says(
        gettext_lazy("A kan ends ippatsu, so ippatsu and rinshan exclude each other. Remove one.")
    ),
    "rinshan_last_tile": _says(
        gettext_lazy("A replacement tile is not the last tile of the wall. Remove rinshan or the last tile.")
    ),
    "chankan_tsumo": _says(
        gettext_lazy("Robbing a kan is a win by ron. Choose ron, or remove the robbed kan.")
    ),
    "chankan_last_tile": _says(
        gettext_lazy("A kan cannot be declared after the last tile. Remove the robbed kan or the last tile.")
    ),
    "discard_tsumo": _says(
        gettext_lazy("A discarded tile is won by ron. Choose ron, or remove the discard options.")
    ),
    "discard_chankan": _says(
        gettext_lazy("A tile cannot be both discarded and robbed from a kan. Remove one.")
    ),
    "first_turn_melds": _says(
        gettext_lazy("Melds are not possible in the first turn. Remove the first turn or the melds.")
    ),
    "first_turn_riichi": _says(
        gettext_lazy(
            "Riichi before the win is not possible in the first turn. Remove the first turn or the riichi."
        )
    ),
    "first_turn_last_tile": _says(
        gettext_lazy("The last tile cannot come in the first turn. Remove one of them.")
    ),
    "first_turn_kan": _says(gettext_lazy("A kan ends the first turn. Remove the first turn or the kan.")),
    "first_turn_dealer_ron": _says(
        gettext_lazy(
            "The dealer draws first and cannot win by ron before that. Choose tsumo or another seat, or "
            "remove the first turn."
        )
    ),
}
