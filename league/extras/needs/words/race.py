"""Lines of a stage, statements on its end, and the needs in a last hanchan, in words."""

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from league.core.numbers import number
from league.extras.needs.rules import MISSED, REACHED
from league.extras.needs.rules.hanchan import DEPENDS, Case, PointSpan
from scoring.rules import SPLIT, Rules

CUT, TITLE, PROMOTION = "cut", "title", "promotion"
PROMOTION_PLAY_OFF, STAYS, NOT_RELEGATED = "promotion_play_off", "stays", "not_relegated"
PROVEN, PRACTICAL = "proven", "practical"

LINES: Final[dict[str, Promise]] = {
    CUT: pgettext_lazy("a line of the standings", "Next stage"),
    TITLE: pgettext_lazy("a line of the standings", "1st rank"),
    PROMOTION: pgettext_lazy("a line of the standings", "Promotion"),
    PROMOTION_PLAY_OFF: pgettext_lazy("a line of the standings", "Play-off for promotion"),
    STAYS: pgettext_lazy("a line of the standings", "No relegation, no play-off"),
    NOT_RELEGATED: pgettext_lazy("a line of the standings", "No relegation"),
}
RACE_STATES: Final[dict[str, Promise]] = {
    REACHED: pgettext_lazy("a line of the standings", "through"),
    MISSED: pgettext_lazy("a line of the standings", "out"),
    DEPENDS: pgettext_lazy("a line of the standings", "open"),
}
KINDS: Final[dict[str, Promise]] = {
    PROVEN: pgettext_lazy("a statement", "proven"),
    PRACTICAL: pgettext_lazy("a statement", "practically decided"),
}
SIGNS: Final = {REACHED: "✓", MISSED: "✗", DEPENDS: "?"}
SPANS: Final[dict[str, Promise]] = {
    REACHED: pgettext_lazy("a goal", "Reached"),
    MISSED: pgettext_lazy("a goal", "Missed"),
    DEPENDS: pgettext_lazy("a goal", "Depends on the others"),
}
PLACES: Final[tuple[Promise, ...]] = (
    gettext_lazy("1st place"),
    gettext_lazy("2nd place"),
    gettext_lazy("3rd place"),
    gettext_lazy("4th place"),
)


def line_words(kind: str, rank: int) -> str:
    if rank == 1:
        return str(LINES[kind])
    return _("%(line)s (rank %(rank)s or better)") % {"line": LINES[kind], "rank": rank}


def kind_words(kind: str, otherwise: int, ends: int) -> str:
    """Return the kind of a statement, with the number of simulated ends against it."""
    if kind == PROVEN:
        return _("Proven: it holds for every legal result still to come.")
    if kind == PRACTICAL:
        words = _("Practically decided: otherwise in %(count)s of %(ends)s simulated ends.")
        return words % {"count": number(otherwise), "ends": number(ends)}
    return _("Open: see what is needed.")


def span_words(span: PointSpan) -> str:
    first, last = (None if each is None else number(each) for each in (span.first, span.last))
    if first is None and last is None:
        return pgettext("points", "any points")
    if first == last:
        return pgettext("points", "exactly %(points)s") % {"points": first}
    if last is None:
        return pgettext("points", "from %(first)s") % {"first": first}
    if first is None:
        return pgettext("points", "up to %(last)s") % {"last": last}
    return pgettext("points", "%(first)s to %(last)s") % {"first": first, "last": last}


def place_words(place: int, rules: Rules, *, shared: bool = False) -> str:
    """Return the place, and whether it is shared if these rules let tied players share places."""
    words = str(PLACES[place - 1])
    if rules.tie_rule != SPLIT:
        return words
    return (_("%(goal)s, shared") if shared else _("%(goal)s, not shared")) % {"goal": words}


def case_words(case: Case, names: Sequence[str], rules: Rules) -> list[str]:
    """Return the place and the conditions that suffice together."""
    found = [place_words(case.place, rules)]
    if case.points is not None:
        found.append(_("%(points)s points or more") % {"points": number(case.points)})
    for where in case.where:
        words = _("%(name)s not in %(place)s") if where.denied else _("%(name)s in %(place)s")
        found.append(words % {"name": names[where.seat], "place": PLACES[where.place - 1]})
    for gap in case.gaps:
        words = (
            _("at most %(points)s points behind %(name)s")
            if gap.points <= 0
            else _("at least %(points)s points ahead of %(name)s")
        )
        found.append(words % {"name": names[gap.seat], "points": number(abs(gap.points))})
    return found
