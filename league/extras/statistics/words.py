"""Names of records, streaks, and numbers of hands."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE
from league.core.tags import MISSING, percent, signed_points
from league.extras.statistics.rules import sheets as kinds
from league.extras.statistics.rules.hands import AMOUNTS, HandStatistics
from league.rules.rule_sets.words.yaku import yaku_name
from scoring.yaku import DORA, YAKU

# Record → its name, and the format of its value (``league.core.files.columns``).
RECORDS: Mapping[str, tuple[Promise, str]] = {
    kinds.HIGHEST_POINTS: (_("Highest points in one game"), POINTS),
    kinds.HIGHEST_SCORE: (_("Best score"), SCORE),
    kinds.LARGEST_LEAD: (_("Largest lead over second place"), POINTS),
    kinds.CLOSEST_WIN: (_("Closest first place"), POINTS),
    kinds.LOWEST_POINTS: (_("Lowest points in one game"), POINTS),
    kinds.MOST_GAMES: (_("Most games"), WHOLE),
    kinds.MOST_FIRSTS: (_("Most first places"), WHOLE),
    kinds.BEST_AVERAGE: (_("Best average score"), SCORE),
    kinds.BEST_AVERAGE_PLACE: (_("Best average place"), AVERAGE),
    kinds.FIRSTS: (_("First places in a row"), WHOLE),
    kinds.TOP_TWO: (_("First or second places in a row"), WHOLE),
    kinds.NO_FOURTH: (_("Games in a row without fourth place"), WHOLE),
}

STREAKS: Mapping[str, Promise] = {
    kinds.FIRSTS: pgettext_lazy("streak", "First places"),
    kinds.TOP_TWO: pgettext_lazy("streak", "First or second places"),
    kinds.NO_FOURTH: pgettext_lazy("streak", "Without fourth place"),
    kinds.FOURTHS: pgettext_lazy("streak", "Fourth places"),
}

# Of all hands, of those after riichi, and of those after calls: the name of each number and its question
# (``league.extras.statistics.rules.hands``).
HANDS: Sequence[tuple[Promise, str, Sequence[tuple[Promise, str]]]] = (
    (
        _("All hands"),
        "",
        (
            (_("Win rate"), "won"),
            (_("Deal-in rate"), "dealt_in"),
            (_("Riichi rate"), "riichi"),
            (_("Call rate"), "called"),
            (_("Draw rate"), "drawn"),
            (_("Tsumo rate, of wins"), "tsumo"),
            (_("Dama rate, of wins"), "dama"),
            (_("Tenpai rate, of draws"), "tenpai"),
            (_("Average win"), "win_points"),
            (_("Average deal-in"), "loss_points"),
            (_("Points per hand"), "gain"),
        ),
    ),
    (
        _("After riichi"),
        "riichi",
        (
            (_("Win rate"), "won"),
            (_("Deal-in rate"), "dealt_in"),
            (_("Draw rate"), "drawn"),
            (_("Riichi income"), "gain"),
        ),
    ),
    (
        _("After calls"),
        "called",
        (
            (_("Win rate"), "won"),
            (_("Deal-in rate"), "dealt_in"),
            (_("Draw rate"), "drawn"),
            (_("Points per hand"), "gain"),
        ),
    ),
)
MOST_YAKU = 10


def hand_words(own: HandStatistics) -> list[tuple[Promise, list[tuple[Promise, str, str]]]]:
    """Return (group, (name, value, its hands) of each number that the hands answer)."""
    found = []
    for group, among, numbers in HANDS:
        lines = [(name, *_number_words(own, question, among)) for name, question in numbers]
        if lines := [(name, value, of) for name, value, of in lines if value]:
            found.append((group, lines))
    return found


def _number_words(own: HandStatistics, question: str, among: str) -> tuple[str, str]:
    """Return the number, and of how many hands it is. Both are empty if no hand answers."""
    rate = own.rate(question, among)
    if not rate.of:
        return "", ""
    if question not in AMOUNTS:
        return percent(rate.share), gettext("%(count)s of %(of)s") % {"count": rate.count, "of": rate.of}
    of = ngettext("%(count)s hand", "%(count)s hands", rate.of) % {"count": rate.of}
    return signed_points(rate.share, plain=question != "gain"), of


def number_columns(questions: Sequence[str]) -> list[tuple[str, Promise]]:
    (_group, _among, numbers), *_others = HANDS
    names = {question: name for name, question in numbers}
    return [(question, names[question]) for question in questions]


def number_cell(own: HandStatistics, question: str) -> str:
    value, _of = _number_words(own, question, "")
    return value or MISSING


def yaku_words(own: HandStatistics) -> list[tuple[str, int, str]]:
    """Return (yaku, wins, share of the wins whose yaku are known), the most frequent first. Dora are none."""
    known = {code: wins for code, wins in own.yaku.items() if code in YAKU and code not in DORA}
    order = sorted(known, key=lambda code: (-known[code], code))[:MOST_YAKU]
    return [
        (yaku_name(code), known[code], percent(Fraction(known[code], own.wins_with_yaku))) for code in order
    ]
