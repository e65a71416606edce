"""What each setting of a rule set does, in one sentence for an organizer who does not know the word."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

EXPLANATIONS: Final[Mapping[str, Promise]] = {
    "start_points": gettext_lazy("How many points each player has when a game begins."),
    "return_points": gettext_lazy(
        "What is taken off everybody's final points to make the score; it is often more than the starting"
        " points, and the difference then goes to place 1 as oka."
    ),
    "uma": gettext_lazy("What each place adds to the score or takes from it, from first to fourth."),
    "oka": gettext_lazy(
        "What place 1 gets on top of uma: usually what the four paid in by returning more points than they"
        " started with."
    ),
    "floating_uma": gettext_lazy(
        "Whether uma depends on how many of the four end with the starting points or more, and what it is"
        " then."
    ),
    "tie_rule": gettext_lazy(
        "What happens when players end with the same points: they share the place, or one seat is ahead."
    ),
    "split_remainder": gettext_lazy(
        "What becomes of the rest when shared points do not divide into whole hundreds."
    ),
    "rounding": gettext_lazy(
        "Whether final points are rounded to whole thousands before they become a score, and which way."
    ),
    "leftover_sticks": gettext_lazy(
        "Who gets the 1,000-point riichi deposits that still lie on the table when the game ends."
    ),
    "unbalanced": gettext_lazy(
        "Whether uma and oka may be such that the four scores of a table do not sum to zero."
    ),
    "score_by_length": gettext_lazy(
        "Whether the score is halved for a game of the east round only, and doubled for a game of all four"
        " winds."
    ),
    "sashiuma": gettext_lazy(
        "What moves between two players when one named the other before the game: the named player wins it in"
        " place 1 or 2, and loses it in place 3 or 4."
    ),
    "game_length": gettext_lazy("Which rounds (winds) a game consists of."),
    "extension": gettext_lazy(
        "Whether play goes on into another wind when nobody has the points needed after the last round."
    ),
    "target_points": gettext_lazy(
        "The points that the first player needs for the game to end without, or during, an extension."
    ),
    "extension_winds": gettext_lazy(
        "How many winds an extension may add before the game ends whatever the points."
    ),
    "bust": gettext_lazy("Whether the game ends at once when a player has less than zero points."),
    "agari_yame": gettext_lazy(
        "Whether the dealer of the last hand who is in place 1 may end the game instead of dealing again."
    ),
    "renchan": gettext_lazy(
        "What lets the dealer deal again: only a win, or also being one tile from a win (tenpai) when the"
        " tiles run out."
    ),
    "all_last_renchan": gettext_lazy(
        "Whether the dealer of the last hand may deal again, or the game ends with that hand in any case."
    ),
    "minutes": gettext_lazy(
        "After how many minutes the time is up: the hand in play is finished, and then only the hands allowed"
        " after it."
    ),
    "extra_hands": gettext_lazy("How many more hands are played after the one in which the time ran out."),
    "red_fives": gettext_lazy(
        "How many of the fives are red; each red five in a winning hand is worth one han."
    ),
    "open_tanyao": gettext_lazy(
        "Whether a hand of twos to eights only (tanyao) has its yaku also after calling tiles."
    ),
    "atozuke": gettext_lazy(
        "Whether the yaku of a hand may become certain only late; if not, the first called set must belong to"
        " it and every waiting tile must give one."
    ),
    "kuikae": gettext_lazy(
        "Whether a player who calls a tile may then discard a tile that fits the called set just as well."
    ),
    "ippatsu": gettext_lazy(
        "Whether a win within one turn of one's riichi, with no call in between, is worth one more han."
    ),
    "ura_dora": gettext_lazy(
        "Whether a winner in riichi also counts the dora shown by the tile under the indicator."
    ),
    "kan_dora": gettext_lazy("Whether every kan (set of four) turns over one more dora indicator."),
    "kan_ura_dora": gettext_lazy(
        "Whether a winner in riichi also counts the dora under the indicators that kans turned over."
    ),
    "kiriage_mangan": gettext_lazy(
        "Whether 4 han 30 fu and 3 han 60 fu, which fall just short of a mangan, are paid as one."
    ),
    "counted_yakuman": gettext_lazy(
        "What a hand of 13 han or more is worth that is no yakuman by its tiles."
    ),
    "double_yakuman": gettext_lazy(
        "Whether the rarest yakuman, such as those with the widest wait, are worth two."
    ),
    "composite_yakuman": gettext_lazy(
        "Whether a hand that is several yakuman at once is paid for each of them."
    ),
    "yakuman_limit": gettext_lazy("For how many yakuman one hand is paid at most, however many it has."),
    "kokushi_ankan_ron": gettext_lazy(
        "Whether kokushi (thirteen orphans) may win on the tile of which another player declares a closed"
        " kan."
    ),
    "pao": gettext_lazy(
        "For which yakuman a player answers whose discard was called for the set that made it certain, and"
        " what that player then pays."
    ),
    "daiminkan_pao": gettext_lazy(
        "Whether a player whose discard was called for an open kan pays the whole hand if the caller wins on"
        " the replacement tile (rinshan)."
    ),
    "renhou": gettext_lazy(
        "What a win on a discard is worth before one's own first draw, when nobody has called."
    ),
    "double_wind_pair_fu": gettext_lazy(
        "How many fu a pair adds when its wind is both that of the round and the player's own."
    ),
    "sequences_fu": gettext_lazy(
        "Whether the fu of a hand of four sequences and a pair are counted like any other's, or fixed"
        " whatever its pair, its wait and how it was won."
    ),
    "local_yaku": gettext_lazy("Which rarely played yaku count besides the usual ones."),
    "multiple_ron": gettext_lazy("How many players win when several claim the same discard for a win."),
    "multi_ron_bonus": gettext_lazy(
        "Who gets the points for honba (hands repeated or drawn before) when several win on one discard."
    ),
    "multi_ron_sticks": gettext_lazy(
        "Who takes the riichi deposits on the table when several win on one discard."
    ),
    "honba": gettext_lazy(
        "The points that a win gets for each honba, the count of hands repeated or drawn before it."
    ),
    "honba_on_yakuman": gettext_lazy(
        "Whether the points for honba are paid also when the winning hand is a yakuman."
    ),
    "noten_payment": gettext_lazy(
        "The points that players not one tile from a win (noten) together pay to those who are (tenpai) when"
        " the tiles run out."
    ),
    "abortive_draws": gettext_lazy("Which events end a hand early without a winner."),
    "nagashi_mangan": gettext_lazy(
        "Whether a player is paid a mangan when the tiles run out who discarded only terminals and honours,"
        " none of them called."
    ),
    "nagashi_as_tsumo": gettext_lazy(
        "Whether nagashi mangan is a win by self-draw: with honba and deposits, and the dealer stays or"
        " passes as after a win."
    ),
    "hidden_tenpai": gettext_lazy(
        "Whether a player who is one tile from a win may keep the hand closed at an exhaustive draw and count"
        " as noten."
    ),
    "keishiki_tenpai": gettext_lazy(
        "Whether a hand one tile from complete is tenpai at an exhaustive draw even if it could not win for"
        " want of a yaku."
    ),
    "junkara_tenpai": gettext_lazy(
        "Whether a hand is tenpai at an exhaustive draw when the player holds all four of each tile that it"
        " waits for."
    ),
    "riichi_below_1000": gettext_lazy(
        "Whether a player with less than 1,000 points may declare riichi and go below zero."
    ),
    "tiles_for_riichi": gettext_lazy("How many tiles must be left to draw for a player to declare riichi."),
    "deposit_when_called": gettext_lazy(
        "Whether the 1,000 points for riichi are laid down also when another player calls the tile discarded"
        " with it."
    ),
    "riichi_kan": gettext_lazy(
        "When a player in riichi who draws the fourth of three equal tiles may make a closed kan of them."
    ),
    "noten_riichi": gettext_lazy(
        "What a player pays who has declared riichi and proves not to be one tile from a win (tenpai) when"
        " the tiles run out."
    ),
    "chombo": gettext_lazy("What a player loses for a grave foul, such as declaring a win that is none."),
    "chombo_timing": gettext_lazy(
        "Whether a chombo is paid during the game, or taken off the points or the total afterwards."
    ),
    "after_chombo": gettext_lazy("How play goes on after a hand that ended with a chombo."),
    "redeal_tiles": gettext_lazy(
        "How many tiles must be left to draw for a chombo to end the hand; with fewer it goes on, and the"
        " offender may not win it."
    ),
    "extra_tile_payment": gettext_lazy(
        "What a player with too many tiles in hand pays each other player for each tile too many."
    ),
}
