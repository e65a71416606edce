"""The settings of a rule set in words: what each is called, what its value means, and what is wrong with it.

Everything follows ``scoring.rules.SETTINGS``; a test walks all settings, all choices and all problem codes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.numbers import number, number_tenths
from scoring.rules import SETTINGS, RuleProblem, RulesError
from scoring.units import parse_score

GROUPS: Final[Mapping[str, Promise]] = {
    "settlement": _l("Points and settlement"),
    "game": _l("Length and end of the game"),
    "hand": _l("Value of the hand"),
    "payments": _l("Payments"),
    "draws": _l("Draws"),
    "riichi": _l("Riichi"),
    "fouls": _l("Fouls"),
}

LABELS: Final[Mapping[str, Promise]] = {
    "start_points": _l("Starting points"),
    "return_points": _l("Return points"),
    "uma": _l("Uma (place points, without oka)"),
    "oka": _l("Oka (bonus of place 1)"),
    "floating_uma": _l("Floating uma"),
    "tie_rule": _l("Equal points at the end"),
    "split_remainder": _l("Rest of a share that does not divide"),
    "rounding": _l("Rounding of points"),
    "leftover_sticks": _l("Riichi deposits left at the end"),
    "unbalanced": _l("Balance of uma and oka"),
    "game_length": _l("Length of the game"),
    "extension": _l("Extension"),
    "target_points": _l("Points that end the game"),
    "bust": _l("Game ends below zero (tobi)"),
    "agari_yame": _l("Leading dealer may end the last hand (agari-yame)"),
    "minutes": _l("Time limit"),
    "extra_hands": _l("Hands after the time is up"),
    "red_fives": _l("Red fives"),
    "open_tanyao": _l("Open tanyao (kuitan)"),
    "atozuke": _l("Atozuke (yaku fixed late)"),
    "kiriage_mangan": _l("Kiriage mangan (7,700 counts as mangan)"),
    "counted_yakuman": _l("13 han and more without a yakuman"),
    "double_yakuman": _l("Double yakuman"),
    "composite_yakuman": _l("Several yakuman in one hand"),
    "pao": _l("Liability (pao)"),
    "renhou": _l("Renhou"),
    "double_wind_pair_fu": _l("Fu for a pair of double wind"),
    "local_yaku": _l("Local yaku"),
    "multiple_ron": _l("Several players win on one tile"),
    "multi_ron_bonus": _l("Honba when several win"),
    "honba": _l("A honba is worth"),
    "noten_payment": _l("Payments at an exhaustive draw"),
    "abortive_draws": _l("Abortive draws"),
    "nagashi_mangan": _l("Nagashi mangan"),
    "riichi_below_1000": _l("Riichi with less than 1,000 points"),
    "tiles_for_riichi": _l("Live tiles needed for riichi"),
    "chombo": _l("Chombo"),
    "chombo_timing": _l("Chombo is counted"),
}

CHOICES: Final[Mapping[str, Mapping[str | int, str | Promise]]] = {
    "tie_rule": {
        "split": _l("players share the place and its points"),
        "seat": _l("the seat nearer to the first dealer is ahead"),
        "last_dealer": _l("the seat nearer to the last dealer is ahead"),
    },
    "split_remainder": {
        "first_dealer": _l("goes to the tied player nearest the first dealer"),
        "drop": _l("is nobody's"),
        "exact": _l("none: shares are exact fractions"),
    },
    "rounding": {
        "none": _l("none"),
        "half_down": _l("to thousands, 500 down and 600 up (五捨六入)"),
        "half_up": _l("to thousands, 500 up"),
        "down": _l("down to thousands"),
        "up": _l("up to thousands"),
        "half_away": _l("to thousands, 500 away from zero"),
    },
    "leftover_sticks": {"first": _l("go to place 1"), "nobody": _l("are nobody's")},
    "game_length": {
        "east": _l("east round only (tonpuusen)"),
        "half": _l("east and south (hanchan)"),
        "full": _l("all four winds (iichan)"),
        "east_north": _l("east and north"),
        "east_east": _l("east twice"),
        "each_hand": _l("every hand is a game of its own"),
    },
    "extension": {
        "none": _l("none"),
        "sudden_death": _l("one more wind, until somebody reaches the points needed"),
        "full_wind": _l("one more whole wind"),
    },
    "red_fives": {0: _l("none"), 3: _l("three, one in each suit"), 4: _l("four, two of them in circles")},
    "counted_yakuman": {"none": _l("sanbaiman"), "yakuman": _l("counted yakuman")},
    "renhou": {
        "none": _l("not used"),
        "mangan": _l("mangan"),
        "five_han": _l("five han"),
        "yakuman": _l("yakuman"),
    },
    "double_wind_pair_fu": {2: _l("2 fu"), 4: _l("4 fu")},
    "multiple_ron": {
        "head_bump": _l("only the next player in turn wins (atamahane)"),
        "double": _l("two may win, three do not"),
        "triple": _l("two or three may win"),
        "triple_aborts": _l("two may win; three abort the hand"),
    },
    "multi_ron_bonus": {
        "first": _l("for the next winner in turn only"),
        "all": _l("for every winner"),
    },
    "abortive_draws": {
        "kyuushu_kyuuhai": _l("nine kinds of terminals and honours (九種九牌)"),
        "suufon_renda": _l("four equal winds (四風連打)"),
        "suukaikan": _l("four kans by several players (四開槓)"),
        "suucha_riichi": _l("four riichi (四家立直)"),
    },
    "chombo_timing": {
        "after_uma": _l("off the total, after uma"),
        "before_uma": _l("off the points, before places and uma"),
        "in_game": _l("as a payment in the game"),
    },
}

YAKU: Final[Mapping[str, str]] = {
    "daisangen": "大三元 daisangen",
    "daisuushii": "大四喜 daisuushii",
    "suukantsu": "四槓子 suukantsu",
    "daichikurin": "大竹林 daichikurin",
    "daichisei": "大七星 daichisei",
    "daisharin": "大車輪 daisharin",
    "daisuurin": "大数隣 daisuurin",
    "hyakumangoku": "百万石 hyakumangoku",
    "iipinmooyue": "一筒摸月 iipinmooyue",
    "ishinoue_sannen": "石の上にも三年 ishinoue sannen",
    "isshoku_sanjun": "一色三順 isshoku sanjun",
    "isshoku_yonjun": "一色四順 isshoku yonjun",
    "kachoufuugetsu": "花鳥風月 kachoufuugetsu",
    "kanfuri": "槓振り kanfuri",
    "kinkei_dokuritsu": "金鶏独立 kinkei dokuritsu",
    "paarenchan": "八連荘 paarenchan",
    "renpuukou": "連風刻 renpuukou",
    "sanpuukou": "三風刻 sanpuukou",
    "sanrenkou": "三連刻 sanrenkou",
    "shiisanpuutaa": "十三不塔 shiisanpuutaa",
    "shiisuupuutaa": "十四不塔 shiisuupuutaa",
    "suurenkou": "四連刻 suurenkou",
    "tsubame_gaeshi": "燕返し tsubame gaeshi",
    "uumensai": "五門斉 uumensai",
}


def setting_label(name: str) -> str:
    """What a setting is called."""
    return str(LABELS[name])


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


Words = Callable[[str, Any], str]


def _points(name: str, value: int | None) -> str:
    return _("none") if value is None else number(value)


def _count(name: str, value: int) -> str:
    return str(value)


def _yes_no(name: str, value: bool) -> str:
    return _("yes") if value else _("no")


def _several(name: str, value: Sequence[str]) -> str:
    return ", ".join(choice_words(name, each) for each in value) or _("none")


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
    return "; ".join(rows)


def _oka(name: str, value: object) -> str:
    if value == "auto":
        return _("what start and return leave over")
    return _score(value)


_PAO_RON = {
    "half": _l("on a ron they and the discarder pay half each"),
    "liable": _l("on a ron they pay all"),
}
_PAO_HONBA = {
    "liable": _l("honba are paid by the liable player"),
    "discarder": _l("honba are paid by the discarder"),
    "half": _l("honba are paid half each"),
}


def _pao(name: str, value: Mapping[str, Any]) -> str:
    if not value["yaku"]:
        return _("none")
    return _("%(yaku)s: on a tsumo the liable player pays all, %(ron)s; %(honba)s") % {
        "yaku": _several(name, value["yaku"]),
        "ron": _PAO_RON[value["ron"]],
        "honba": _PAO_HONBA[value["honba"]],
    }


def _chombo(name: str, value: object) -> str:
    if value == "reverse_mangan":
        return _("a mangan paid to the others")
    if isinstance(value, Mapping):
        return _("%(points)s to each other player") % {"points": number(value["each"])}
    return _("no deduction") if _score(value) == "0.0" else _score(value)


def _minutes(name: str, value: int | None) -> str:
    if value is None:
        return _("none")
    return ngettext("%(count)s minute", "%(count)s minutes", value) % {"count": value}


def _unbalanced(name: str, value: bool) -> str:
    if value:
        return _("not required: tables of this rule set need not sum to zero")
    return _("required: the four scores of a table sum to zero")


_KINDS: Final[Mapping[str, Words]] = {
    "points": _points,
    "count": _count,
    "yes_no": _yes_no,
    "choice": choice_words,
    "choices": _several,
    "uma": _uma,
    "floating_uma": _floating_uma,
    "oka": _oka,
    "pao": _pao,
    "chombo": _chombo,
}
_SPECIAL: Final[Mapping[str, Words]] = {"minutes": _minutes, "unbalanced": _unbalanced}


# --- problems

_EXPECTED: Final[Mapping[str, Promise]] = {
    "points": _l("a whole number of points, for example 25000"),
    "count": _l("a whole number"),
    "yes_no": _l("yes or no"),
    "choice": _l("one of the choices"),
    "choices": _l("a list of choices"),
    "uma": _l("four numbers, for example 30, 10, -10, -30"),
    "floating_uma": _l("four numbers for each count of players at or above the start"),
    "oka": _l("a number, or “auto”"),
    "pao": _l("the yaku, and who pays on a tsumo, on a ron and for honba"),
    "chombo": _l("a deduction such as -20, or a payment in the game"),
}


def _label(problem: RuleProblem) -> str:
    return setting_label(problem.setting) if problem.setting in LABELS else problem.setting


def _type(problem: RuleProblem) -> str:
    return _("“%(setting)s” must be %(expected)s.") % {
        "setting": _label(problem),
        "expected": _EXPECTED[problem.params["kind"]],
    }


def _range(problem: RuleProblem) -> str:
    return _("“%(setting)s” must lie between %(least)s and %(most)s; %(value)s does not.") % {
        "setting": _label(problem),
        "least": number(problem.params["least"]),
        "most": number(problem.params["most"]),
        "value": number(problem.params["value"]),
    }


def _step(problem: RuleProblem) -> str:
    return _("“%(setting)s” must be a multiple of %(step)s; %(value)s is not.") % {
        "setting": _label(problem),
        "step": number(problem.params["step"]),
        "value": number(problem.params["value"]),
    }


def _choice(problem: RuleProblem) -> str:
    return _("“%(setting)s” cannot be “%(value)s”. Choose one of: %(choices)s.") % {
        "setting": _label(problem),
        "value": problem.params["value"],
        "choices": ", ".join(str(choice) for choice in problem.params["choices"]),
    }


def _unbalanced_problem(problem: RuleProblem) -> str:
    values = {"difference": number_tenths(problem.params["difference"])}
    if "row" in problem.params:
        values["count"] = str(problem.params["row"])
        return (
            _(
                "Uma and oka do not balance start and return when %(count)s of the four are at or above the"
                " start: such a table would sum to %(difference)s instead of 0. Change one of them, or tick"
                " that the club plays so."
            )
            % values
        )
    return (
        _(
            "Uma and oka do not balance start and return: every table would sum to %(difference)s instead of"
            " 0. Change one of them, or tick that the club plays so."
        )
        % values
    )


def _chombo_timing(problem: RuleProblem) -> str:
    if problem.params["timing"] == "in_game":
        return _(
            "A chombo counted in the game must be a payment: choose a reverse mangan or points to each other"
            " player, or count it off the total."
        )
    return _(
        "A chombo paid in the game cannot be counted off the total: choose “as a payment in the game”, or"
        " make it a deduction such as -20."
    )


def _says(sentence: str | Promise) -> Callable[[RuleProblem], str]:
    """A sentence with the setting's name, and the problem's parameters as they are."""
    return lambda problem: str(sentence) % {"setting": _label(problem), **problem.params}


_PROBLEMS: Final[Mapping[str, Callable[[RuleProblem], str]]] = {
    "unknown": _says(_l("“%(setting)s” is no setting of a rule set. Remove it or mend its name.")),
    "missing": _says(_l("“%(setting)s” has no value. Give it one.")),
    "type": _type,
    "range": _range,
    "step": _step,
    "choice": _choice,
    "repeated": _says(_l("“%(setting)s” names the same thing twice. Name each once.")),
    "tenth": _says(
        _l("“%(setting)s” takes numbers with at most one decimal, for example 30 or 7.5; “%(value)s” is not.")
    ),
    "four_numbers": _says(_l("“%(setting)s” needs four numbers, one for each place; there are %(count)s.")),
    "floating_rows": _says(
        _l("“%(setting)s” needs at least one row, and only one row for each number of players.")
    ),
    "floating_count": _says(
        _l("“%(setting)s” has rows for 0 to 4 players at or above the start; “%(value)s” is none of them.")
    ),
    "positive_chombo": _says(
        _l("“%(setting)s” takes points away: write it as a negative number such as -20, not %(value)s.")
    ),
    "unbalanced": _unbalanced_problem,
    "target_missing": _says(
        _l("An extension needs the points that end the game: fill them in, or choose no extension.")
    ),
    "chombo_timing": _chombo_timing,
}


def rule_problem(problem: RuleProblem) -> str:
    """One problem of a rule set as a sentence that says what to do."""
    return _PROBLEMS[problem.code](problem)


def rules_error(error: RulesError) -> list[str]:
    """All problems of a rule set, one sentence each."""
    return [rule_problem(problem) for problem in error.problems]
