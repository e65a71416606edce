"""The settings of a rule set in words: what each is called, and what its value means.

Everything follows ``scoring.rules.SETTINGS``; a test walks all settings and all choices.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.calculator.words.yaku import YAKU
from league.core.numbers import number, number_tenths
from league.core.text import clauses, listed
from league.rule_sets.words.explanations import EXPLANATIONS
from scoring.kinds import PAO_DEFAULTS
from scoring.presets import NOT_NOTED
from scoring.rules import SETTINGS
from scoring.units import decimal_text, parse_score

GROUPS: Final[Mapping[str, Promise]] = {
    "settlement": gettext_lazy("Points and settlement"),
    "game": gettext_lazy("Length and end of the game"),
    "hand": gettext_lazy("Value of the hand"),
    "payments": gettext_lazy("Payments"),
    "draws": gettext_lazy("Draws"),
    "riichi": gettext_lazy("Riichi"),
    "fouls": gettext_lazy("Fouls"),
}

LABELS: Final[Mapping[str, Promise]] = {
    "start_points": gettext_lazy("Starting points"),
    "return_points": gettext_lazy("Return points"),
    "uma": gettext_lazy("Uma (place points, without oka)"),
    "oka": gettext_lazy("Oka (bonus of place 1)"),
    "floating_uma": gettext_lazy("Floating uma"),
    "tie_rule": gettext_lazy("Equal points at the end"),
    "split_remainder": gettext_lazy("Rest of a share that does not divide"),
    "rounding": gettext_lazy("Rounding of points"),
    "leftover_sticks": gettext_lazy("Riichi deposits left at the end"),
    "unbalanced": gettext_lazy("Balance of uma and oka"),
    "score_by_length": gettext_lazy("Score follows the length of the game"),
    "sashiuma": gettext_lazy("Sashiuma (side bet of two players)"),
    "game_length": gettext_lazy("Length of the game"),
    "extension": gettext_lazy("Extension"),
    "target_points": gettext_lazy("Points that end the game"),
    "extension_winds": gettext_lazy("Winds that an extension may add"),
    "bust": gettext_lazy("Game ends below zero (tobi)"),
    "agari_yame": gettext_lazy("Leading dealer may end the last hand (agari-yame)"),
    "renchan": gettext_lazy("The dealer stays (renchan)"),
    "all_last_renchan": gettext_lazy("The dealer may repeat the last hand"),
    "minutes": gettext_lazy("Time limit"),
    "extra_hands": gettext_lazy("Hands after the time is up"),
    "red_fives": gettext_lazy("Red fives"),
    "open_tanyao": gettext_lazy("Open tanyao (kuitan)"),
    "atozuke": gettext_lazy("Atozuke (yaku fixed late)"),
    "kuikae": gettext_lazy("Kuikae (discarding a tile that fits the called set)"),
    "ippatsu": gettext_lazy("Ippatsu"),
    "ura_dora": gettext_lazy("Ura dora"),
    "kan_dora": gettext_lazy("Kan dora"),
    "kan_ura_dora": gettext_lazy("Ura dora under kan dora"),
    "kiriage_mangan": gettext_lazy("Kiriage mangan (7,700 counts as mangan)"),
    "counted_yakuman": gettext_lazy("13 han and more without a yakuman"),
    "double_yakuman": gettext_lazy("Double yakuman"),
    "composite_yakuman": gettext_lazy("Several yakuman in one hand"),
    "yakuman_limit": gettext_lazy("Most yakuman counted in one hand"),
    "kokushi_ankan_ron": gettext_lazy("Kokushi may rob a closed kan"),
    "pao": gettext_lazy("Liability (pao)"),
    "daiminkan_pao": gettext_lazy("Liability for rinshan after an open kan"),
    "renhou": gettext_lazy("Renhou"),
    "double_wind_pair_fu": gettext_lazy("Fu for a pair of double wind"),
    "sequences_fu": gettext_lazy("Fu of a hand of sequences only"),
    "local_yaku": gettext_lazy("Local yaku"),
    "multiple_ron": gettext_lazy("Several players win on one tile"),
    "multi_ron_bonus": gettext_lazy("Honba when several win"),
    "multi_ron_sticks": gettext_lazy("Riichi deposits when several win"),
    "honba": gettext_lazy("A honba is worth"),
    "honba_on_yakuman": gettext_lazy("Honba are paid on a yakuman"),
    "noten_payment": gettext_lazy("Payments at an exhaustive draw"),
    "abortive_draws": gettext_lazy("Abortive draws"),
    "nagashi_mangan": gettext_lazy("Nagashi mangan"),
    "nagashi_as_tsumo": gettext_lazy("Nagashi mangan counts as a tsumo win"),
    "hidden_tenpai": gettext_lazy("Tenpai may stay hidden"),
    "keishiki_tenpai": gettext_lazy("Tenpai without a yaku counts (keishiki tenpai)"),
    "junkara_tenpai": gettext_lazy("Tenpai waiting only on tiles of the own hand counts"),
    "riichi_below_1000": gettext_lazy("Riichi with less than 1,000 points"),
    "tiles_for_riichi": gettext_lazy("Live tiles needed for riichi"),
    "deposit_when_called": gettext_lazy("Riichi deposit is paid when the discard is called"),
    "riichi_kan": gettext_lazy("Closed kan after riichi"),
    "noten_riichi": gettext_lazy("Riichi without tenpai"),
    "chombo": gettext_lazy("Chombo"),
    "chombo_timing": gettext_lazy("Chombo is counted"),
    "after_chombo": gettext_lazy("After a chombo"),
    "redeal_tiles": gettext_lazy("Live tiles needed for a new deal after a chombo"),
    "extra_tile_payment": gettext_lazy("Payment for a tile too many"),
}

CHOICES: Final[Mapping[str, Mapping[str | int, str | Promise]]] = {
    "tie_rule": {
        "split": gettext_lazy("players share the place and its points"),
        "seat": gettext_lazy("the seat nearer to the first dealer is ahead"),
        "last_dealer": gettext_lazy("the seat nearer to the last dealer is ahead"),
    },
    "split_remainder": {
        "first_dealer": gettext_lazy("goes to the tied player nearest the first dealer"),
        "drop": gettext_lazy("is nobody's"),
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
    "leftover_sticks": {"first": gettext_lazy("go to place 1"), "nobody": gettext_lazy("are nobody's")},
    "game_length": {
        "east": gettext_lazy("east round only (tonpuusen)"),
        "half": gettext_lazy("east and south (hanchan)"),
        "full": gettext_lazy("all four winds (iichan)"),
        "east_north": gettext_lazy("east and north"),
        "east_east": gettext_lazy("east twice"),
        "each_hand": gettext_lazy("every hand is a game of its own"),
    },
    "extension": {
        "none": gettext_lazy("none"),
        "sudden_death": gettext_lazy("one more wind, until somebody reaches the points needed"),
        "full_wind": gettext_lazy("one more whole wind"),
    },
    "renchan": {
        "tenpai": gettext_lazy("after a win, and when tenpai at an exhaustive draw"),
        "win": gettext_lazy("only after a win"),
    },
    "kuikae": {"forbidden": gettext_lazy("forbidden"), "allowed": gettext_lazy("allowed")},
    "red_fives": {
        0: gettext_lazy("none"),
        3: gettext_lazy("three, one in each suit"),
        4: gettext_lazy("four, two of them in circles"),
    },
    "counted_yakuman": {"none": gettext_lazy("sanbaiman"), "yakuman": gettext_lazy("counted yakuman")},
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
        "head_bump": gettext_lazy("only the next player in turn wins (atamahane)"),
        "double": gettext_lazy("two may win, three do not"),
        "triple": gettext_lazy("two or three may win"),
        "triple_aborts": gettext_lazy("two may win; three abort the hand"),
    },
    "multi_ron_bonus": {
        "first": gettext_lazy("for the next winner in turn only"),
        "all": gettext_lazy("for every winner"),
    },
    "multi_ron_sticks": {
        "first": gettext_lazy("all go to the next winner in turn"),
        "own_back": gettext_lazy("a winner takes back their own; the rest go to the next winner in turn"),
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
        "after_uma": gettext_lazy("off the total, after uma"),
        "before_uma": gettext_lazy("off the points, before places and uma"),
        "in_game": gettext_lazy("as a payment in the game"),
    },
    "after_chombo": {
        "replay": gettext_lazy("the same hand is played again, without one more honba"),
        "draw": gettext_lazy("the dealer stays, with one more honba"),
        "rotate": gettext_lazy("the deal passes, with one more honba"),
    },
}


def setting_label(name: str) -> str:
    """What a setting is called."""
    return str(LABELS[name])


def setting_explanation(name: str) -> str:
    """What a setting does, in one sentence."""
    return str(EXPLANATIONS[name])


def group_label(group: str) -> str:
    """The heading of a group of settings."""
    return str(GROUPS[group])


def setting_value(name: str, value: object) -> str:
    """What the JSON-shaped value of a setting means, in words."""
    words = _SPECIAL.get(name) or _KINDS[SETTINGS[name].kind]
    return words(name, value)


def choice_words(name: str, choice: str | int) -> str:
    """One of the choices of a setting in words."""
    return str(CHOICES[name][choice] if name in CHOICES else YAKU.get(str(choice), choice))


def not_played(values: Mapping[str, object]) -> str | None:
    """Why no competition can play rules with these JSON-shaped values, and what to choose; None if it can."""
    if values.get("chombo_timing") != "before_uma":
        return None
    return _(
        "A competition cannot count a chombo before places and uma: what its referees deduct comes off the"
        " total. Choose “%(after)s” or “%(paid)s”."
    ) % {name: choice_words("chombo_timing", choice) for name, choice in _TIMINGS_PLAYED.items()}


_TIMINGS_PLAYED: Final = {"after": "after_uma", "paid": "in_game"}


def article_words(article: str) -> str:
    """An article as its document writes it, or that its number is not known."""
    return _("number not noted") if article == NOT_NOTED else article


Words = Callable[[str, Any], str]


def _points(name: str, value: int | None) -> str:
    return _("none") if value is None else number(value)


def _count(name: str, value: int) -> str:
    return str(value)


def _yes_no(name: str, value: bool) -> str:
    return _("yes") if value else _("no")


def _several(name: str, value: Sequence[str]) -> str:
    return listed(choice_words(name, each) for each in value) or _("none")


def _score(value: object) -> str:
    return number_tenths(parse_score(str(value)))


def _uma(name: str, value: Sequence[object]) -> str:
    return " / ".join(_score(each) for each in value)


def _floating_uma(name: str, value: Mapping[str, Sequence[object]] | None) -> str:
    if value is None:
        return _("none: the same uma for every table")
    rows = [
        _("%(count)s at or above the start: %(uma)s") % {"count": count, "uma": _uma(name, row)}
        for count, row in value.items()
    ]
    return clauses(rows)


def _oka(name: str, value: object) -> str:
    if value == "auto":
        return _("what start and return leave over")
    return _score(value)


PAO_CHOICES: Final[Mapping[str, Mapping[str, Promise]]] = {
    "tsumo": {"liable": gettext_lazy("on a tsumo the liable player pays all")},
    "ron": {
        "half": gettext_lazy("on a ron they and the discarder pay half each"),
        "liable": gettext_lazy("on a ron they pay all"),
    },
    "honba": {
        "liable": gettext_lazy("honba are paid by the liable player"),
        "discarder": gettext_lazy("honba are paid by the discarder"),
        "half": gettext_lazy("honba are paid half each"),
    },
    "composite": {
        "own": gettext_lazy("of several yakuman they answer only for the one that they made sure"),
        "whole": gettext_lazy("of several yakuman they answer for all"),
    },
    "several": {
        "each": gettext_lazy("of two liable players each answers for their own yakuman"),
        "first": gettext_lazy("of two liable players only the first answers"),
    },
}


def _pao(name: str, value: Mapping[str, Any]) -> str:
    if not value["yaku"]:
        return _("none")
    parts = {**PAO_DEFAULTS, **value}
    said = [str(words[parts[part]]) for part, words in PAO_CHOICES.items()]
    return _("%(yaku)s: %(liability)s") % {"yaku": _several(name, value["yaku"]), "liability": clauses(said)}


def _chombo(name: str, value: object) -> str:
    if value == "reverse_mangan":
        return _("a mangan paid to the others")
    if isinstance(value, Mapping):
        return _each_other(value["each"])
    score = _score(value)
    return _("no deduction") if score == "0.0" else score


def _each_other(points: int) -> str:
    return _("%(points)s to each other player") % {"points": number(points)}


def _minutes(name: str, value: int | None) -> str:
    if value is None:
        return _("none")
    return ngettext("%(count)s minute", "%(count)s minutes", value) % {"count": value}


def _unbalanced(name: str, value: bool) -> str:
    if value:
        return _("not required: tables of this rule set need not sum to zero")
    return _("required: the four scores of a table sum to zero")


def _amount(name: str, value: object) -> str:
    return _("not used") if value is None else decimal_text(parse_score(str(value)))


def _extension_winds(name: str, value: int | None) -> str:
    return _("any number, until the game is decided") if value is None else str(value)


def _yakuman_limit(name: str, value: int | None) -> str:
    return _("no limit") if value is None else str(value)


def _noten_riichi(name: str, value: int | None) -> str:
    return _("as a chombo") if value is None else _each_other(value)


def _redeal_tiles(name: str, value: int) -> str:
    return str(value) if value else _("none: always a new deal")


def _extra_tile_payment(name: str, value: int) -> str:
    return _each_other(value) if value else _("none")


_KINDS: Final[Mapping[str, Words]] = {
    "points": _points,
    "count": _count,
    "yes_no": _yes_no,
    "choice": choice_words,
    "choices": _several,
    "uma": _uma,
    "floating_uma": _floating_uma,
    "oka": _oka,
    "score": _amount,
    "pao": _pao,
    "chombo": _chombo,
}
_SPECIAL: Final[Mapping[str, Words]] = {
    "minutes": _minutes,
    "unbalanced": _unbalanced,
    "extension_winds": _extension_winds,
    "yakuman_limit": _yakuman_limit,
    "noten_riichi": _noten_riichi,
    "redeal_tiles": _redeal_tiles,
    "extra_tile_payment": _extra_tile_payment,
}
