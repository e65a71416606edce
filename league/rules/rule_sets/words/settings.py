"""The words of the settings of ``scoring.rules.Rules`` and of their choices. A test walks all of them."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.rules.rule_sets.words.yaku import YAKU

_GROUPS: Final[Mapping[str, Promise]] = {
    "settlement": _("Points and settlement"),
    "game": _("Length and end of the game"),
    "hand": _("Value of the hand"),
    "payments": _("Payments"),
    "draws": _("Draws"),
    "riichi": _("Riichi"),
    "fouls": _("Offences"),
}

_LABELS: Final[Mapping[str, Promise]] = {
    "start_points": _("Starting points"),
    "return_points": _("Return points"),
    "uma": _("Uma (place points, without oka)"),
    "oka": _("Oka (bonus of 1st place)"),
    "floating_uma": _("Floating uma"),
    "tie_rule": _("Equal final points"),
    "split_remainder": _("Remainder of shared points"),
    "rounding": _("Rounding of points"),
    "leftover_sticks": _("Riichi deposits left at the end"),
    "unbalanced": _("Balance of uma and oka"),
    "score_by_length": _("Score follows the length of the game"),
    "sashiuma": _("Sashiuma (side bet of two players)"),
    "chip_value": _("Value of a chip (shugi)"),
    "substituted_score": _("Score for a game played by a substitute"),
    "game_length": _("Length of the game"),
    "extension": _("Extension"),
    "target_points": _("Target points"),
    "extension_winds": _("Winds that an extension may add"),
    "bust": _("Game ends below zero (tobi)"),
    "agari_yame": _("Leading dealer may end the last hand (agari-yame)"),
    "renchan": _("Dealer repeats (renchan)"),
    "all_last_renchan": _("Dealer may repeat the last hand"),
    "minutes": _("Time limit"),
    "extra_hands": _("Hands after time is up"),
    "red_fives": _("Red fives"),
    "open_tanyao": _("Open tanyao (kuitan)"),
    "atozuke": _("Atozuke (yaku fixed late)"),
    "kuikae": _("Kuikae (swap-calling)"),
    "ippatsu": _("Ippatsu"),
    "ura_dora": _("Ura dora"),
    "kan_dora": _("Kan dora"),
    "kan_ura_dora": _("Ura dora under kan dora"),
    "kiriage_mangan": _("Kiriage mangan (7,700 counts as mangan)"),
    "counted_yakuman": _("13 han or more without a yakuman"),
    "double_yakuman": _("Double yakuman"),
    "composite_yakuman": _("Several yakuman in one hand"),
    "yakuman_limit": _("Maximum yakuman per hand"),
    "kokushi_ankan_ron": _("Kokushi may rob a closed kan"),
    "pao": _("Liability (pao)"),
    "daiminkan_pao": _("Liability for rinshan after an open kan"),
    "renhou": _("Renhou"),
    "double_wind_pair_fu": _("Fu for a pair of the double wind"),
    "sequences_fu": _("Fu for a hand of sequences only"),
    "local_yaku": _("Local yaku"),
    "multiple_ron": _("Multiple ron"),
    "multi_ron_bonus": _("Honba at multiple ron"),
    "multi_ron_sticks": _("Riichi deposits at multiple ron"),
    "honba": _("Points per honba"),
    "honba_on_yakuman": _("Honba paid on yakuman"),
    "noten_payment": _("Payments at an exhaustive draw"),
    "abortive_draws": _("Abortive draws"),
    "nagashi_mangan": _("Nagashi mangan"),
    "nagashi_as_tsumo": _("Nagashi mangan counts as a tsumo win"),
    "hidden_tenpai": _("Tenpai may be hidden"),
    "keishiki_tenpai": _("Tenpai without a yaku counts (keishiki tenpai)"),
    "junkara_tenpai": _("Tenpai counts when the player holds all winning tiles"),
    "riichi_below_1000": _("Riichi with fewer than 1,000 points"),
    "tiles_for_riichi": _("Live tiles needed for riichi"),
    "deposit_when_called": _("Riichi deposit paid when the riichi tile is called"),
    "riichi_kan": _("Closed kan after riichi"),
    "noten_riichi": _("Riichi without tenpai"),
    "chombo": _("Chombo"),
    "chombo_timing": _("Chombo counted"),
    "after_chombo": _("After a chombo"),
    "redeal_tiles": _("Live tiles needed for a chombo to end the hand"),
    "extra_tile_payment": _("Payment per extra tile"),
}

_EXPLANATIONS: Final[Mapping[str, Promise]] = {
    "start_points": _("Each player’s points at the start of a game."),
    "return_points": _(
        "The points subtracted from final points for the score. If they are more than the "
        "starting points, 1st place gets the difference as oka."
    ),
    "uma": _("The bonus or malus for each place, from first to fourth."),
    "oka": _(
        "The bonus of 1st place on top of uma: usually the difference between return points and "
        "starting points of all four."
    ),
    "floating_uma": _(
        "Whether uma depends on how many of the four end with the starting points or more, and its "
        "values then."
    ),
    "tie_rule": _("How equal final points are ranked: the players share the place, or one seat is ahead."),
    "split_remainder": _("The remainder when shared points do not divide into whole hundreds."),
    "rounding": _(
        "Whether and how final points are rounded to whole thousands before the score is calculated."
    ),
    "leftover_sticks": _("Who gets the riichi deposits left on the table at the end of the game."),
    "unbalanced": _("Whether the four scores of a table may sum to something other than zero."),
    "score_by_length": _(
        "Whether the score is halved for east-only games and doubled for games of all four winds."
    ),
    "sashiuma": _(
        "One player may name another before the game. The named player wins the side bet in "
        "1st or 2nd place and loses it in 3rd or 4th. Final places follow the scores with "
        "the side bet."
    ),
    "chip_value": _(
        "The score that each chip (祝儀) adds for its winner and subtracts from its loser. "
        "With 0, chips are only listed."
    ),
    "substituted_score": _(
        "Score for a game in which a substitute played. Without a value, the organizer decides."
    ),
    "game_length": _("The rounds (winds) of a game."),
    "extension": _(
        "Whether play continues into another wind if no player has the target points after the last round."
    ),
    "target_points": _(
        "The target points that let the leader end the game without, or during, an extension."
    ),
    "extension_winds": _("How many winds an extension may add before the game ends regardless of points."),
    "bust": _("Whether the game ends at once when a player falls below zero points."),
    "agari_yame": _(
        "Whether the dealer of the last hand may end the game when in 1st place instead of dealing again."
    ),
    "renchan": _("When the dealer repeats: only after a win, or also when tenpai at an exhaustive draw."),
    "all_last_renchan": _(
        "Whether the dealer of the last hand may repeat, or the game always ends with that hand."
    ),
    "minutes": _("Minutes until time is up. The current hand and any additional hands are then finished."),
    "extra_hands": _("Number of hands played after the one in which time ran out."),
    "red_fives": _("Number of red fives. Each one in a winning hand is worth one han."),
    "open_tanyao": _("Whether tanyao (simples only) counts in an open hand."),
    "atozuke": _(
        "Whether a yaku may be fixed late. If not, the first call must belong to a yaku and "
        "every winning tile must give one."
    ),
    "kuikae": _(
        "Whether a player may call a tile and then discard one that would also complete the called set."
    ),
    "ippatsu": _(
        "Whether a win within one turn of riichi, without a call in between, is worth one more han."
    ),
    "ura_dora": _("Whether a winner in riichi also counts dora from the tile under the indicator."),
    "kan_dora": _("Whether every kan reveals one more dora indicator."),
    "kan_ura_dora": _("Whether a winner in riichi also counts dora from the tiles under kan indicators."),
    "kiriage_mangan": _("Whether 4 han 30 fu and 3 han 60 fu, just short of a mangan, are paid as a mangan."),
    "counted_yakuman": _("Value of a hand of 13 han or more without a yakuman."),
    "double_yakuman": _("Whether the rarest yakuman, such as those with the widest wait, count twice."),
    "composite_yakuman": _("Whether a hand with several yakuman is paid for each of them."),
    "yakuman_limit": _("Maximum number of yakuman paid for one hand."),
    "kokushi_ankan_ron": _("Whether kokushi (thirteen orphans) may rob a closed kan."),
    "pao": _(
        "A player is liable (pao) if a call on their discard secures one of these yakuman. "
        "The setting also decides what that player pays."
    ),
    "daiminkan_pao": _(
        "Whether the player who discarded for an open kan pays the whole hand if the caller wins on "
        "the replacement tile (rinshan)."
    ),
    "renhou": _("Value of a win on a discard before one’s first draw, with no calls made."),
    "double_wind_pair_fu": _("Fu of a pair of a wind that is both round wind and seat wind."),
    "sequences_fu": _(
        "Whether pinfu-shaped hands (four sequences and a pair) count fu as usual or have a "
        "fixed number, regardless of pair, wait and win."
    ),
    "local_yaku": _("Rarely played yaku that count besides the usual ones."),
    "multiple_ron": _("How many players win when several claim the same discard."),
    "multi_ron_bonus": _("Who gets the honba points when several players win on one discard."),
    "multi_ron_sticks": _("Who gets the riichi deposits when several players win on one discard."),
    "honba": _("Points added to a win for each honba (counter of repeated or drawn hands)."),
    "honba_on_yakuman": _("Whether honba points are also paid for a yakuman."),
    "noten_payment": _("Total points that noten players pay to tenpai players at an exhaustive draw."),
    "abortive_draws": _("Events that end a hand early without a winner."),
    "nagashi_mangan": _(
        "Whether a player who discarded only terminals and honours, none of them called, is paid a "
        "mangan at an exhaustive draw."
    ),
    "nagashi_as_tsumo": _(
        "Whether nagashi mangan counts as a win by self-draw, with honba, deposits and dealer repeat."
    ),
    "hidden_tenpai": _(
        "Whether a tenpai player may keep the hand closed at an exhaustive draw and count as noten."
    ),
    "keishiki_tenpai": _("Whether a hand without a yaku counts as tenpai at an exhaustive draw."),
    "junkara_tenpai": _(
        "Whether a hand counts as tenpai at an exhaustive draw if the player holds all four copies "
        "of each winning tile."
    ),
    "riichi_below_1000": _(
        "Whether a player with fewer than 1,000 points may declare riichi and fall below zero."
    ),
    "tiles_for_riichi": _("Minimum number of tiles left in the wall to declare riichi."),
    "deposit_when_called": _(
        "Whether the 1,000 points for riichi are paid even if another player calls the riichi tile."
    ),
    "riichi_kan": _("When a player in riichi who draws the fourth identical tile may declare a closed kan."),
    "noten_riichi": _("What a player in riichi pays who is not tenpai at an exhaustive draw."),
    "chombo": _("What a player loses for a serious offence, such as an invalid win."),
    "chombo_timing": _(
        "Whether a chombo is paid during the game, or deducted from the points or the total afterwards."
    ),
    "after_chombo": _("How play continues after a hand that ended with a chombo."),
    "redeal_tiles": _(
        "Minimum number of live tiles for a chombo to end the hand. With fewer, the hand "
        "continues and the offender may not win it."
    ),
    "extra_tile_payment": _("Payment to each other player for each extra tile in a hand."),
}

# What a form says of a setting instead: how its value is typed.
_HINTS: Final[Mapping[str, Promise]] = {
    "return_points": _("A player with this many points scores 0 before uma."),
    "uma": _("First to fourth place, without oka: 30 10 -10 -30."),
    "oka": _("Goes to first place. “auto”: four times return points minus starting points."),
    "floating_uma": _(
        "If uma depends on how many players are at or above the starting points, one line each: 1: "
        "12 -1 -3 -8"
    ),
    "unbalanced": _("Table scores then do not sum to zero. Every page with scores says so."),
}
# What a form writes beside a tick, where the setting's name does not say it.
_TICKS: Final[Mapping[str, Promise]] = {
    "unbalanced": _("House rule: uma and oka need not balance starting and return points")
}

# The choices of settings, and single values with words of their own.
VALUES: Final[Mapping[str, Mapping[str | float | None, Promise]]] = {
    "tie_rule": {
        "split": _("players share the place and its points"),
        "seat": _("the seat closer to the first dealer is ahead"),
        "last_dealer": _("the seat closer to the last dealer is ahead"),
    },
    "split_remainder": {
        "first_dealer": _("goes to the tied player closest to the first dealer"),
        "drop": _("is lost"),
        "exact": _("none: shares are exact fractions"),
    },
    "rounding": {
        "none": _("none"),
        "half_down": _("to thousands, 500 down and 600 up (五捨六入)"),
        "half_up": _("to thousands, 500 up"),
        "down": _("down to thousands"),
        "up": _("up to thousands"),
        "half_away": _("to thousands, 500 away from zero"),
    },
    "leftover_sticks": {"first": _("go to 1st place"), "nobody": _("are lost")},
    "game_length": {
        "east": _("east round only (tonpuusen)"),
        "half": _("east and south (hanchan)"),
        "full": _("all four winds (iichan)"),
        "east_north": _("east and north"),
        "east_east": _("east twice"),
        "each_hand": _("every hand is its own game"),
    },
    "extension": {
        "none": _("none"),
        "sudden_death": _("one more wind, until a player reaches the target points"),
        "full_wind": _("one more whole wind"),
    },
    "renchan": {
        "tenpai": _("after a win, and when tenpai at an exhaustive draw"),
        "win": _("only after a win"),
        "none": _("never: the deal passes after every hand with a result"),
    },
    "kuikae": {"forbidden": _("forbidden"), "allowed": _("allowed")},
    "red_fives": {
        0: _("none"),
        3: _("three, one in each suit"),
        4: _("four, two of them in circles"),
    },
    "counted_yakuman": {"none": _("sanbaiman"), "yakuman": _("kazoe yakuman")},
    "renhou": {
        "none": _("not used"),
        "mangan": _("mangan"),
        "five_han": _("five han"),
        "yakuman": _("yakuman"),
    },
    "double_wind_pair_fu": {2: _("2 fu"), 4: _("4 fu")},
    "sequences_fu": {
        "counted": _("counted as for any hand"),
        "fixed": _("20 when closed, 30 when open"),
    },
    "multiple_ron": {
        "head_bump": _("only the next player in turn (atamahane)"),
        "double": _("two may win, but not three"),
        "triple": _("two or three may win"),
        "triple_aborts": _("two may win, three abort the hand"),
    },
    "multi_ron_bonus": {
        "first": _("for the next winner in turn only"),
        "all": _("for every winner"),
    },
    "multi_ron_sticks": {
        "first": _("all go to the next winner in turn"),
        "own_back": _("each winner takes back their own, and the rest go to the next winner in turn"),
    },
    "abortive_draws": {
        "kyuushu_kyuuhai": _("nine kinds of terminals and honours (九種九牌)"),
        "suufon_renda": _("four equal winds (四風連打)"),
        "suukaikan": _("four kans by several players (四開槓)"),
        "suucha_riichi": _("four riichi (四家立直)"),
    },
    "riichi_kan": {
        "waits": _("if the waits stay the same"),
        "shape": _("if every reading of the hand stays the same"),
    },
    "chombo_timing": {
        "after_uma": _("from the total, after uma"),
        "before_uma": _("from the points, before places and uma"),
        "in_game": _("as a payment in the game"),
    },
    "after_chombo": {
        "replay": _("the same hand is replayed, without another honba"),
        "draw": _("the dealer repeats, with one more honba"),
        "rotate": _("the deal passes, with one more honba"),
    },
    "unbalanced": {
        False: _("required: the four scores of a table sum to zero"),
        True: _("not required: table scores need not sum to zero under these rules"),
    },
    "oka": {"auto": _("difference between starting and return points")},
    "floating_uma": {None: _("none: the same uma for every table")},
    "sashiuma": {None: _("not used")},
    "chip_value": {None: _("no chips"), 0: _("chips are only listed")},
    "substituted_score": {None: _("the organizer decides")},
    "extension_winds": {None: _("any number, until the game is decided")},
    "yakuman_limit": {None: _("no limit")},
    "noten_riichi": {None: _("as a chombo")},
    "chombo": {
        0: _("no deduction"),
        "reverse_mangan": _("a mangan paid to the others"),
    },
    "redeal_tiles": {0: _("none: a chombo always ends the hand")},
    "extra_tile_payment": {0: _("none")},
}
PAO_CHOICES: Final[Mapping[str, Mapping[str, Promise]]] = {
    "tsumo": {"liable": _("on a tsumo the liable player pays everything")},
    "ron": {
        "half": _("on a ron the liable player and the discarder pay half each"),
        "liable": _("on a ron the liable player pays everything"),
    },
    "honba": {
        "liable": _("honba paid by the liable player"),
        "discarder": _("honba paid by the discarder"),
        "half": _("honba paid half each"),
    },
    "composite": {
        "own": _("of several yakuman, liable only for the one completed by the discard"),
        "whole": _("of several yakuman, liable for all"),
    },
    "several": {
        "each": _("of two liable players, each is liable for their own yakuman"),
        "first": _("of two liable players, only the first is liable"),
    },
}


def setting_label(name: str) -> str:
    return str(_LABELS[name])


def setting_explanation(name: str) -> str:
    return str(_EXPLANATIONS[name])


def setting_hint(name: str) -> str:
    """Return the text below the input: how the setting is typed, or what it does."""
    return str(_HINTS.get(name) or _EXPLANATIONS[name])


def tick_label(name: str) -> str:
    """Return the text beside the tick of a setting."""
    return str(_TICKS.get(name) or _LABELS[name])


def group_label(group: str) -> str:
    return str(_GROUPS[group])


def choice_words(name: str, choice: str | int) -> str:
    return str(VALUES[name][choice] if name in VALUES else YAKU.get(str(choice), choice))
