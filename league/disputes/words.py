"""What is said about the steps of a dispute."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Dispute

Step = Dispute.Step

ACTIONS: Mapping[str, Promise] = {  # what the button of a step does
    Step.OPENED: gettext_lazy("Open the dispute"),
    Step.PRELIMINARY: gettext_lazy("Give the preliminary ruling"),
    Step.RESUMED: gettext_lazy("Let play resume"),
    Step.OBJECTION: gettext_lazy("Hear an objection"),
    Step.MEETING: gettext_lazy("Record the ruling meeting"),
    Step.FINAL: gettext_lazy("Give the final ruling"),
}
MISSING: Mapping[str, Promise] = {  # by the name of the text that was left out
    "said": gettext_lazy("Write down what was said."),
    "decided": gettext_lazy("Write down what was decided."),
}


def step_taken(kind: str, *, closes: bool) -> str:
    """What follows once this step is taken."""
    if closes or kind == Step.FINAL:
        return _("The matter is closed. Play goes on.")
    sentences = {
        Step.PRELIMINARY: _("The preliminary ruling is given. Does anybody object?"),
        Step.RESUMED: _("Play goes on. An objection is still possible."),
        Step.OBJECTION: _("The objection is heard. The referees meet."),
        Step.MEETING: _("The meeting is recorded. Give the final ruling."),
    }
    return sentences[Step(kind)]
