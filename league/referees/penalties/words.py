"""When penalties count, in words, and the properties by which a list of penalties is filtered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.rounds import where_words
from league.core.text import listed
from league.models import Penalty, Round, Stage
from league.play.hands.words.penalties import PenaltyLine, penalty_state, state_words

# --- when it counts


def counts_words(penalty: Penalty, *, unlisted: Sequence[str] = ()) -> str:
    """Say when the penalty counts. ``unlisted``: players whom its standings leave out."""
    if unlisted:
        return unlisted_words(penalty.stage, unlisted)
    round_ = penalty.round
    if round_ is None or round_.visibility == Round.Visibility.RESULTS:
        return _("It counts at once.")
    return _("It counts when round %(round)s is published.") % {"round": round_.number}


def unlisted_words(stage: Stage, names: Iterable[str]) -> str:
    said = _(
        "Not in the standings of %(stage)s: %(names)s. A penalty there stays on record and changes no total."
    )
    return said % {"stage": where_words(stage), "names": listed(names)}


# --- what a list of them is filtered and summed by

NOTHING = "-"  # the key of a penalty without an offence of the rules, or without a round


@dataclass(frozen=True)
class Dimension:
    """A property of penalties. ``everything`` labels the choice without a filter, ``key`` is in addresses."""

    label: Promise
    everything: Promise
    key: Callable[[Penalty], object]
    words: Callable[[PenaltyLine], str]


def _round_words(line: PenaltyLine) -> str:
    penalty = line.penalty
    return where_words(penalty.stage, penalty.round) if penalty.round else _("not tied to a round")


DIMENSIONS: Mapping[str, Dimension] = {
    "player": Dimension(
        gettext_lazy("Player"),
        gettext_lazy("everyone"),
        lambda penalty: penalty.player_id,
        lambda line: line.penalty.player.name,
    ),
    "level": Dimension(
        gettext_lazy("Level"),
        gettext_lazy("all levels"),
        lambda penalty: penalty.level or None,
        lambda line: line.level or _("no level"),
    ),
    "offence": Dimension(
        gettext_lazy("Offence and article"),
        gettext_lazy("all offences"),
        lambda penalty: penalty.infraction or None,
        lambda line: line.offence or _("in the referee’s own words"),
    ),
    "referee": Dimension(
        gettext_lazy("Referee"),
        gettext_lazy("all referees"),
        lambda penalty: penalty.created_by_id,
        lambda line: line.penalty.created_by.get_username() if line.penalty.created_by else "–",
    ),
    "round": Dimension(
        gettext_lazy("Round"), gettext_lazy("all rounds"), lambda penalty: penalty.round_id, _round_words
    ),
    "division": Dimension(
        gettext_lazy("Division"),
        gettext_lazy("all divisions"),
        lambda penalty: penalty.stage.division.slug,
        lambda line: line.penalty.stage.division.name,
    ),
    "state": Dimension(
        gettext_lazy("State"), gettext_lazy("all states"), penalty_state, lambda line: state_words(line.state)
    ),
}


def key_of(name: str, penalty: Penalty) -> str:
    key = DIMENSIONS[name].key(penalty)
    return NOTHING if key is None else str(key)


# --- the script


def script_words() -> dict[str, str]:
    return {
        "unsent": _("Not sent yet: {what}. It will be sent when you are back online."),
        "stopped": _("Not logged: {what}. {why}"),
        "refused": _("Not sent: {what}. You may have been signed out. Reload this page."),
        "sent": _("Logged: {what}."),
        "send": _("Send now"),
        "look": _("Review"),
        "reload": _("Reload page"),
        "discard": _("Discard"),
        "discard-sure": _("Discard this entry?"),
        "desk": _("Go to the desk"),
        "seconds": _("{seconds} s"),
    }
