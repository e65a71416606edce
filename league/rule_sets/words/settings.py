"""The settings of a rule set in words: what each is called, and what it does.

``scoring.rules.Rules`` declares the settings; a test walks all of them. What a value means is said in
``league.rule_sets.words.values``.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_GROUPS: Final[Mapping[str, Promise]] = {
    "settlement": _("Points and settlement"),
    "game": _("Length and end of the game"),
    "hand": _("Value of the hand"),
    "payments": _("Payments"),
    "draws": _("Draws"),
    "riichi": _("Riichi"),
    "fouls": _("Fouls"),
}

_LABELS: Final[Mapping[str, Promise]] = {
    "start_points": _("Starting points"),
    "return_points": _("Return points"),
    "uma": _("Uma (place points, without oka)"),
    "oka": _("Oka (bonus of place 1)"),
    "floating_uma": _("Floating uma"),
    "tie_rule": _("Equal points at the end"),
    "split_remainder": _("Rest of a share that does not divide"),
    "rounding": _("Rounding of points"),
    "leftover_sticks": _("Riichi deposits left at the end"),
    "unbalanced": _("Balance of uma and oka"),
    "score_by_length": _("Score follows the length of the game"),
    "sashiuma": _("Sashiuma (side bet of two players)"),
    "substituted_score": _("Score for a hanchan that a substitute played"),
    "game_length": _("Length of the game"),
    "extension": _("Extension"),
    "target_points": _("Points that end the game"),
    "extension_winds": _("Winds that an extension may add"),
    "bust": _("Game ends below zero (tobi)"),
    "agari_yame": _("Leading dealer may end the last hand (agari-yame)"),
    "renchan": _("The dealer stays (renchan)"),
    "all_last_renchan": _("The dealer may repeat the last hand"),
    "minutes": _("Time limit"),
    "extra_hands": _("Hands after the time is up"),
    "red_fives": _("Red fives"),
    "open_tanyao": _("Open tanyao (kuitan)"),
    "atozuke": _("Atozuke (yaku fixed late)"),
    "kuikae": _("Kuikae (discarding a tile that fits the called set)"),
    "ippatsu": _("Ippatsu"),
    "ura_dora": _("Ura dora"),
    "kan_dora": _("Kan dora"),
    "kan_ura_dora": _("Ura dora under kan dora"),
    "kiriage_mangan": _("Kiriage mangan (7,700 counts as mangan)"),
    "counted_yakuman": _("13 han and more without a yakuman"),
    "double_yakuman": _("Double yakuman"),
    "composite_yakuman": _("Several yakuman in one hand"),
    "yakuman_limit": _("Most yakuman counted in one hand"),
    "kokushi_ankan_ron": _("Kokushi may rob a closed kan"),
    "pao": _("Liability (pao)"),
    "daiminkan_pao": _("Liability for rinshan after an open kan"),
    "renhou": _("Renhou"),
    "double_wind_pair_fu": _("Fu for a pair of double wind"),
    "sequences_fu": _("Fu of a hand of sequences only"),
    "local_yaku": _("Local yaku"),
    "multiple_ron": _("Several players win on one tile"),
    "multi_ron_bonus": _("Honba when several win"),
    "multi_ron_sticks": _("Riichi deposits when several win"),
    "honba": _("A honba is worth"),
    "honba_on_yakuman": _("Honba are paid on a yakuman"),
    "noten_payment": _("Payments at an exhaustive draw"),
    "abortive_draws": _("Abortive draws"),
    "nagashi_mangan": _("Nagashi mangan"),
    "nagashi_as_tsumo": _("Nagashi mangan counts as a tsumo win"),
    "hidden_tenpai": _("Tenpai may stay hidden"),
    "keishiki_tenpai": _("Tenpai without a yaku counts (keishiki tenpai)"),
    "junkara_tenpai": _("Tenpai waiting only on tiles of the own hand counts"),
    "riichi_below_1000": _("Riichi with less than 1,000 points"),
    "tiles_for_riichi": _("Live tiles needed for riichi"),
    "deposit_when_called": _("Riichi deposit is paid when the discard is called"),
    "riichi_kan": _("Closed kan after riichi"),
    "noten_riichi": _("Riichi without tenpai"),
    "chombo": _("Chombo"),
    "chombo_timing": _("Chombo is counted"),
    "after_chombo": _("After a chombo"),
    "redeal_tiles": _("Live tiles needed for a new deal after a chombo"),
    "extra_tile_payment": _("Payment for a tile too many"),
}

_EXPLANATIONS: Final[Mapping[str, Promise]] = {
    "start_points": _("How many points each player has when a game begins."),
    "return_points": _(
        "What is taken off everybody's final points to make the score; it is often more than the starting"
        " points, and the difference then goes to place 1 as oka."
    ),
    "uma": _("What each place adds to the score or takes from it, from first to fourth."),
    "oka": _(
        "What place 1 gets on top of uma: usually what the four paid in by returning more points than they"
        " started with."
    ),
    "floating_uma": _(
        "Whether uma depends on how many of the four end with the starting points or more, and what it is"
        " then."
    ),
    "tie_rule": _(
        "What happens when players end with the same points: they share the place, or one seat is ahead."
    ),
    "split_remainder": _("What becomes of the rest when shared points do not divide into whole hundreds."),
    "rounding": _(
        "Whether final points are rounded to whole thousands before they become a score, and which way."
    ),
    "leftover_sticks": _(
        "Who gets the 1,000-point riichi deposits that still lie on the table when the game ends."
    ),
    "unbalanced": _("Whether uma and oka may be such that the four scores of a table do not sum to zero."),
    "score_by_length": _(
        "Whether the score is halved for a game of the east round only, and doubled for a game of all four"
        " winds."
    ),
    "sashiuma": _(
        "What moves between two players when one named the other before the game: the named player wins it in"
        " place 1 or 2, and loses it in place 3 or 4."
    ),
    "substituted_score": _(
        "What a player gets for a hanchan in which a substitute sat for them; where nothing is set, the"
        " organizer decides."
    ),
    "game_length": _("Which rounds (winds) a game consists of."),
    "extension": _(
        "Whether play goes on into another wind when nobody has the points needed after the last round."
    ),
    "target_points": _(
        "The points that the first player needs for the game to end without, or during, an extension."
    ),
    "extension_winds": _("How many winds an extension may add before the game ends whatever the points."),
    "bust": _("Whether the game ends at once when a player has less than zero points."),
    "agari_yame": _(
        "Whether the dealer of the last hand who is in place 1 may end the game instead of dealing again."
    ),
    "renchan": _(
        "What lets the dealer deal again: only a win, or also being one tile from a win (tenpai) when the"
        " tiles run out."
    ),
    "all_last_renchan": _(
        "Whether the dealer of the last hand may deal again, or the game ends with that hand in any case."
    ),
    "minutes": _(
        "After how many minutes the time is up: the hand in play is finished, and then only the hands allowed"
        " after it."
    ),
    "extra_hands": _("How many more hands are played after the one in which the time ran out."),
    "red_fives": _("How many of the fives are red; each red five in a winning hand is worth one han."),
    "open_tanyao": _("Whether a hand of twos to eights only (tanyao) has its yaku also after calling tiles."),
    "atozuke": _(
        "Whether the yaku of a hand may become certain only late; if not, the first called set must belong to"
        " it and every waiting tile must give one."
    ),
    "kuikae": _(
        "Whether a player who calls a tile may then discard a tile that fits the called set just as well."
    ),
    "ippatsu": _(
        "Whether a win within one turn of one's riichi, with no call in between, is worth one more han."
    ),
    "ura_dora": _("Whether a winner in riichi also counts the dora shown by the tile under the indicator."),
    "kan_dora": _("Whether every kan (set of four) turns over one more dora indicator."),
    "kan_ura_dora": _(
        "Whether a winner in riichi also counts the dora under the indicators that kans turned over."
    ),
    "kiriage_mangan": _(
        "Whether 4 han 30 fu and 3 han 60 fu, which fall just short of a mangan, are paid as one."
    ),
    "counted_yakuman": _("What a hand of 13 han or more is worth that is no yakuman by its tiles."),
    "double_yakuman": _("Whether the rarest yakuman, such as those with the widest wait, are worth two."),
    "composite_yakuman": _("Whether a hand that is several yakuman at once is paid for each of them."),
    "yakuman_limit": _("For how many yakuman one hand is paid at most, however many it has."),
    "kokushi_ankan_ron": _(
        "Whether kokushi (thirteen orphans) may win on the tile of which another player declares a closed"
        " kan."
    ),
    "pao": _(
        "For which yakuman a player answers whose discard was called for the set that made it certain, and"
        " what that player then pays."
    ),
    "daiminkan_pao": _(
        "Whether a player whose discard was called for an open kan pays the whole hand if the caller wins on"
        " the replacement tile (rinshan)."
    ),
    "renhou": _("What a win on a discard is worth before one's own first draw, when nobody has called."),
    "double_wind_pair_fu": _(
        "How many fu a pair adds when its wind is both that of the round and the player's own."
    ),
    "sequences_fu": _(
        "Whether the fu of a hand of four sequences and a pair are counted like any other's, or fixed"
        " whatever its pair, its wait and how it was won."
    ),
    "local_yaku": _("Which rarely played yaku count besides the usual ones."),
    "multiple_ron": _("How many players win when several claim the same discard for a win."),
    "multi_ron_bonus": _(
        "Who gets the points for honba (hands repeated or drawn before) when several win on one discard."
    ),
    "multi_ron_sticks": _("Who takes the riichi deposits on the table when several win on one discard."),
    "honba": _("The points that a win gets for each honba, the count of hands repeated or drawn before it."),
    "honba_on_yakuman": _("Whether the points for honba are paid also when the winning hand is a yakuman."),
    "noten_payment": _(
        "The points that players not one tile from a win (noten) together pay to those who are (tenpai) when"
        " the tiles run out."
    ),
    "abortive_draws": _("Which events end a hand early without a winner."),
    "nagashi_mangan": _(
        "Whether a player is paid a mangan when the tiles run out who discarded only terminals and honours,"
        " none of them called."
    ),
    "nagashi_as_tsumo": _(
        "Whether nagashi mangan is a win by self-draw: with honba and deposits, and the dealer stays or"
        " passes as after a win."
    ),
    "hidden_tenpai": _(
        "Whether a player who is one tile from a win may keep the hand closed at an exhaustive draw and count"
        " as noten."
    ),
    "keishiki_tenpai": _(
        "Whether a hand one tile from complete is tenpai at an exhaustive draw even if it could not win for"
        " want of a yaku."
    ),
    "junkara_tenpai": _(
        "Whether a hand is tenpai at an exhaustive draw when the player holds all four of each tile that it"
        " waits for."
    ),
    "riichi_below_1000": _(
        "Whether a player with less than 1,000 points may declare riichi and go below zero."
    ),
    "tiles_for_riichi": _("How many tiles must be left to draw for a player to declare riichi."),
    "deposit_when_called": _(
        "Whether the 1,000 points for riichi are laid down also when another player calls the tile discarded"
        " with it."
    ),
    "riichi_kan": _(
        "When a player in riichi who draws the fourth of three equal tiles may make a closed kan of them."
    ),
    "noten_riichi": _(
        "What a player pays who has declared riichi and proves not to be one tile from a win (tenpai) when"
        " the tiles run out."
    ),
    "chombo": _("What a player loses for a grave foul, such as declaring a win that is none."),
    "chombo_timing": _(
        "Whether a chombo is paid during the game, or taken off the points or the total afterwards."
    ),
    "after_chombo": _("How play goes on after a hand that ended with a chombo."),
    "redeal_tiles": _(
        "How many tiles must be left to draw for a chombo to end the hand; with fewer it goes on, and the"
        " offender may not win it."
    ),
    "extra_tile_payment": _(
        "What a player with too many tiles in hand pays each other player for each tile too many."
    ),
}

# What a form says of a setting instead: how its value is typed.
_HINTS: Final[Mapping[str, Promise]] = {
    "return_points": _("A player with this many points scores 0 before uma."),
    "uma": _("First to fourth place, without oka: 30 10 -10 -30."),
    "oka": _("Goes to the first place. “auto”: four times return minus start."),
    "floating_uma": _(
        "If uma depends on how many players are at or above the start, one line each: 1: 12 -1 -3 -8"
    ),
    "unbalanced": _("Tables then do not sum to zero; every page that shows it says so."),
}
# What a form writes beside a tick, where the setting's name does not say it.
_TICKS: Final[Mapping[str, Promise]] = {
    "unbalanced": _("Our club plays so: uma and oka need not balance start and return"),
}


def setting_label(name: str) -> str:
    """What a setting is called."""
    return str(_LABELS[name])


def setting_explanation(name: str) -> str:
    """What a setting does, in one sentence."""
    return str(_EXPLANATIONS[name])


def setting_hint(name: str) -> str:
    """What a form says of a setting: how it is typed, or what it does."""
    return str(_HINTS.get(name) or _EXPLANATIONS[name])


def tick_label(name: str) -> str:
    """What a form writes beside the tick of a setting."""
    return str(_TICKS.get(name) or _LABELS[name])


def group_label(group: str) -> str:
    """The heading of a group of settings."""
    return str(_GROUPS[group])
