"""The sentences that the page of a table's hands puts together on the device. Values are in {braces}."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.numbers import minus_sign
from league.core.text import labelled, listed
from league.models import Seat
from league.play.hands.words.names import ROUND_WINDS
from league.play.hands.words.problems import ENDINGS, PROBLEMS, abort_reason
from league.play.hands.words.results import TRANSFERS
from league.rules.rule_sets.words.yaku import limit_name, yaku_name
from scoring.hanchan import ABORTS
from scoring.kinds import PAO_YAKU
from scoring.payments import LIMITS, RINSHAN

WORDS: Final[dict[str, Promise]] = {
    # above the seats
    "hand": _("%(wind)s %(number)s"),
    "honba": _("Honba %(honba)s"),
    "deposits": _("On the table: %(points)s"),
    "riichi": _("Riichi"),
    "riichi-of": _("Riichi: %(name)s"),
    "dead": pgettext_lazy("seat", "dead hand"),
    "ban": pgettext_lazy("seat", "may not win"),
    "bell-on": _("Time is up"),
    # what happened
    "ron": _("Ron"),
    "tsumo": _("Tsumo"),
    "draw": pgettext_lazy("hand", "Draw"),
    "more": pgettext_lazy("hand", "More"),
    "chombo": _("Chombo"),
    "nagashi": _("Nagashi mangan"),
    "scores": _("Only the scores are known"),
    "ruling": _("Correction by a referee"),
    "bell": _("The time ran out during this hand"),
    "bell-off": _("The time has not run out"),
    "undo": _("Undo"),
    "list": _("Hands (%(count)s)"),
    "to-sheet": _("To the score sheet"),
    "small": _("Without points, only say which hand is played:"),
    "step-stays": _("Dealer stays"),
    "step-passes": _("Deal passes"),
    "step-draw": _("Draw, deal passes"),
    "start": _("Keep points from here"),
    # questions
    "who-won": _("Who won?"),
    "who-dealt-in": _("Who discarded?"),
    "who-tenpai": _("Who is tenpai?"),
    "who-nagashi": _("Who has nagashi mangan?"),
    "who-chombo": _("Whose chombo?"),
    "asks-referee": _("%(name)s: %(score)s to the total for the chombo. A referee decides."),
    "asks-chief": _("%(name)s: %(score)s to the total for the chombo. The chief referee decides."),
    "asks-less": _(
        "%(name)s: one chombo less. An undecided request is withdrawn, a confirmed penalty stays."
    ),
    "what-value": _("%(name)s (%(wind)s): which value?"),
    "undo-what": _("Remove %(hand)s, honba %(honba)s?"),
    "correct-what": _("What was %(hand)s, honba %(honba)s?"),
    "insert-what": _("Which hand came before %(hand)s, honba %(honba)s?"),
    "back": pgettext_lazy("to the step before", "Back"),
    "continue": _("Continue"),
    "save": _("Save"),
    "undo-it": _("Remove this hand"),
    "correct": pgettext_lazy("button", "Correct"),
    "insert": _("Insert before"),
    "remove": pgettext_lazy("button", "Remove"),
    "another": _("Another winner"),
    "won-tile": _("Ron on the riichi tile"),
    "pao": _("Liability (pao)"),
    "repeats": _("The dealer repeats"),
    # values
    "han": _("%(han)s han"),
    "fu": _("Fu"),
    "han-fu": _("%(han)s han %(fu)s fu"),
    "base": _("%(base)s basic points"),
    "each": _("%(points)s each"),
    "by-points": _("Points paid"),
    "no-such-points": _("No hand pays so. Enter the points without honba, such as 5200 or 1300/2600."),
    "calculator": _("Hand calculator"),
    "rest": _("On the table: %(points)s"),
    "rest-wrong": _("The scores and the riichi sticks do not add up. Correct a score."),
    "sign": _("Plus or minus: %(name)s"),
    # results and payments
    "said-ron": _("Ron: %(won)s, from %(loser)s"),
    "said-tsumo": _("Tsumo: %(won)s"),
    "said-draw": _("Draw, tenpai: %(names)s"),
    "nobody": pgettext_lazy("tenpai", "no one"),
    "pays": _("%(payer)s → %(payee)s: %(points)s (%(reason)s)"),
    "table": pgettext_lazy("side of a payment", "table"),
    "next": _("Next: %(hand)s, honba %(honba)s"),
    "over": _("The game is over: %(why)s."),
    "changes": _("What changes:"),
    "changes-nothing": _("No points change."),
    "was-now": _("%(name)s: %(was)s → %(now)s"),
    "was-now-hand": _("%(was)s becomes %(now)s"),
    "cannot": _("This hand is not possible under these rules. Correct it."),
    "cannot-later": _("A later hand would no longer be possible: %(hand)s. Correct that hand first."),
    # what waits
    "all-sent": _("Everything is sent."),
    "sending": _("Sending…"),
    "waiting": _("Waiting for the network: %(count)s. Kept on this phone and sent later."),
    "not-taken": _(
        "The server does not know this phone. Scan the code of the table again or sign in. "
        "Kept on this phone: %(count)s."
    ),
    "theirs": _("Someone else at the table entered: %(what)s"),
    "yours": _("You entered: %(what)s"),
    "keep-theirs": _("Keep theirs"),
    "mine-too": _("Mine is another hand"),
    "mine-instead": _("Mine replaces it"),
    "with-riichi": _("Save mine with this riichi"),
    "without-riichi": _("Save mine without it"),
    "mine-all-the-same": _("Save mine as well"),
    "discard": _("Discard"),
    "kind-riichi": _("Riichi"),
    "kind-remove": _("a hand removed"),
    "kind-step": _("the next hand"),
    "kind-name": _("the next hand"),
    "kind-start": _("Keep points from here"),
}
REFUSED: Final = ("riichi_tile_won", "riichi_unknown", "winner_banned", "four_riichi", "dead_hand_tenpai")


class _Braces(dict[str, str]):
    """Values that leave each place in a sentence in braces."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def device_words() -> dict[str, str]:
    """Return name → sentence with {places}, in the language of the page."""
    seat = _Braces(seat="{name}")
    texts = {name: str(words) % _Braces() for name, words in WORDS.items()}
    texts |= {f"wind-{wind}": str(word) for wind, word in enumerate(ROUND_WINDS)}
    texts |= {f"seat-{wind}": str(word) for wind, word in enumerate(Seat.Wind.labels)}
    texts |= {f"limit-{limit}": limit_name(limit) for limit in LIMITS}
    texts |= {f"limit-yakuman-{count}": limit_name("yakuman", count) for count in range(2, 7)}
    texts |= {f"abort-{reason}": abort_reason(reason) for reason in ABORTS}
    texts |= {f"pao-{yaku}": yaku_name(yaku) for yaku in (*PAO_YAKU, RINSHAN)}
    texts |= {f"for-{reason}": str(words) for reason, words in TRANSFERS.items()}
    texts |= {f"over-{code}": str(words) for code, words in ENDINGS.items()}
    texts |= {f"cannot-{code}": str(PROBLEMS[code]) % seat for code in REFUSED}
    below = gettext("%(seat)s has less than 1,000 points and cannot declare riichi under these rules.")
    return texts | {
        "cannot-riichi_below_1000": below % seat,
        "minus": minus_sign(),
        "and": listed(("", "")),
        "labelled": labelled("{label}", "{words}"),
    }
