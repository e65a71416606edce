"""Words for the calculator: tiles, fu, groups, transfers, problems."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.text import listed
from league.extras.calculator.rules.tiles import TILES, HandProblem, number_of, suit_of
from league.rules.rule_sets.words.yaku import yaku_name

_SUITED: Final[Mapping[str, Promise]] = {
    "m": _("%(number)s of characters"),
    "p": _("%(number)s of circles"),
    "s": _("%(number)s of bamboo"),
}
_HONOURS: Final[tuple[Promise, ...]] = (
    pgettext_lazy("tile", "East wind"),
    pgettext_lazy("tile", "South wind"),
    pgettext_lazy("tile", "West wind"),
    pgettext_lazy("tile", "North wind"),
    pgettext_lazy("tile", "White dragon"),
    pgettext_lazy("tile", "Green dragon"),
    pgettext_lazy("tile", "Red dragon"),
)


def tile_name(tile: str) -> str:
    """Return a name such as “5 of circles, red” for 0p."""
    number, suit = number_of(tile), suit_of(tile)
    if suit == "z":
        return str(_HONOURS[number - 1])
    name = str(_SUITED[suit]) % {"number": number or 5}
    return name if number else gettext("%(tile)s, red") % {"tile": name}


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
    "chi": _("chi"),
    "pon": _("pon"),
    "open_kan": _("open kan"),
    "closed_kan": _("closed kan"),
    "added_kan": _("added kan"),
    "sequence": _("sequence"),
    "triplet": _("triplet"),
    "pair": _("pair"),
    "whole": _("whole hand"),
}

# --- why a text is not a hand, and why a hand cannot win

Params = Mapping[str, Any]


def hand_problem(problem: HandProblem) -> str:
    """Explain why a text is not a hand or cannot win, with the remedy."""
    if problem.code == "indicators":
        return _indicators(problem.params)
    if problem.code == "red_fives" and not problem.params["most"]:
        return gettext("These rules have no red fives. Enter 5 instead of 0.")
    written = {name: _WRITTEN.get(name, str)(value) for name, value in problem.params.items()}
    return str(_PROBLEMS[problem.code]) % written


# How each parameter is written; the others as they are.
_WRITTEN: Final[Mapping[str, Callable[[Any], str]]] = {
    "tile": lambda tile: tile_name(tile) if tile in TILES else tile,
    "tiles": lambda tiles: tiles if isinstance(tiles, str) else listed(map(tile_name, tiles)),
    "kinds": lambda kinds: listed(GROUPS[kind] for kind in kinds),
    "yaku": yaku_name,
}


def _indicators(params: Params) -> str:
    values = {"count": params["count"], "most": params["most"]}
    if params["kind"] == "ura":
        return (
            gettext("A hand can have at most %(most)s ura dora indicators, not %(count)s. Remove some.")
            % values
        )
    return gettext("A hand can have at most %(most)s dora indicators, not %(count)s. Remove some.") % values


_PROBLEMS: Final[Mapping[str, Promise]] = {
    "too_long": _("A hand has at most %(most)s characters, not %(length)s. Remove some."),
    "character": _(
        "“%(character)s” is not a tile. Enter numbers followed by m, p, s or z, as in 123m406p77z."
    ),
    "no_suit": _("“%(numbers)s” has no suit. Add m (characters), p (circles), s (bamboo) or z (honours)."),
    "no_number": _("“%(suit)s” has no numbers before it. Enter them, as in 123%(suit)s."),
    "no_such_tile": _(
        "Tile %(tile)s does not exist. Numbers go from 1 to 9, with 0 for a red five. Honours are 1z to 7z."
    ),
    "bracket": _(
        "“%(bracket)s” has no matching bracket. Put each meld in brackets: (555z) when called, "
        "[1111z] for a closed kan, {9999p} for an added kan."
    ),
    "meld": _("“%(tiles)s” is not a meld (%(kinds)s). Correct the tiles or the brackets."),
    "winning_tile": _("The winning tile is one tile such as 5p, not “%(text)s”. Correct it."),
    "winning_tile_missing": _(
        "The winning tile %(tile)s is not in the closed tiles. Add it, or choose another winning tile."
    ),
    "no_winning_tile": _("Choose the winning tile."),
    "melds": _("A hand has at most %(most)s melds, not %(count)s. Remove some."),
    "tile_count": _("%(expected)s tiles are needed besides the melds, not %(count)s. Add or remove tiles."),
    "five_of_a_tile": _("%(tile)s: only four exist, but hand and indicators have %(count)s. Remove some."),
    "chankan_tile": _(
        "%(tile)s: a robbed kan uses all four, so neither the hand nor the indicators can have "
        "another. Remove the others, or the robbed kan."
    ),
    "red_fives": _(
        "%(tile)s: only %(most)s under these rules, but hand and indicators have %(count)s. Enter 5 "
        "instead of 0."
    ),
    "plain_fives": _(
        "%(tile)s: only %(most)s non-red ones under these rules, not %(count)s. Enter 0 for a red five."
    ),
    "not_complete": _(
        "The hand is not complete. It needs four sets and a pair, seven pairs, or thirteen orphans. "
        "Correct the tiles."
    ),
    "concealed_kan": _(
        "Under these rules this hand cannot rob a closed kan. Choose an added kan, or remove the robbed kan."
    ),
    "no_yaku": _("The hand is complete but has no yaku, so it cannot win."),
    "open_tanyao": _("Under these rules tanyao does not count in an open hand."),
    "closed_only": _("%(yaku)s counts only in a closed hand."),
    "yaku_not_played": _("%(yaku)s is not played under these rules."),
    "only_dora": _("Dora (%(han)s han) are not yaku."),
    "kataagari": _("Under these rules every winning tile must give a yaku. These do not: %(tiles)s."),
    "first_call": _("Under these rules the first call must belong to a yaku. This one does not: %(tiles)s."),
    "riichi_open": _("Riichi needs a closed hand. Remove the riichi, or the called melds."),
    "ippatsu_without_riichi": _("Ippatsu needs riichi. Add the riichi, or remove ippatsu."),
    "ura_without_riichi": _("Ura dora need riichi. Add the riichi, or remove the ura dora."),
    "rinshan_ron": _("Rinshan is a win by self-draw. Choose tsumo, or remove rinshan."),
    "rinshan_without_kan": _("Rinshan needs a kan in the hand. Add the kan, or remove rinshan."),
    "rinshan_ippatsu": _("A kan ends ippatsu, so ippatsu and rinshan exclude each other. Remove one."),
    "rinshan_last_tile": _(
        "A replacement tile is not the last tile of the wall. Remove rinshan or the last tile."
    ),
    "chankan_tsumo": _("Robbing a kan is a win by ron. Choose ron, or remove the robbed kan."),
    "chankan_last_tile": _(
        "A kan cannot be declared after the last tile. Remove the robbed kan or the last tile."
    ),
    "discard_tsumo": _("A discarded tile is won by ron. Choose ron, or remove the discard options."),
    "discard_chankan": _("A tile cannot be both discarded and robbed from a kan. Remove one."),
    "first_turn_melds": _("Melds are not possible in the first turn. Remove the first turn or the melds."),
    "first_turn_riichi": _(
        "Riichi before the win is not possible in the first turn. Remove the first turn or the riichi."
    ),
    "first_turn_last_tile": _("The last tile cannot come in the first turn. Remove one of them."),
    "first_turn_kan": _("A kan ends the first turn. Remove the first turn or the kan."),
    "first_turn_dealer_ron": _(
        "The dealer draws first and cannot win by ron before that. Choose tsumo or another seat, or "
        "remove the first turn."
    ),
}
