from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Dispute

Step = Dispute.Step

ACTIONS: Mapping[str, Promise] = {  # what the button of a step does
    Step.OPENED: gettext_lazy("Open the dispute"),
    Step.PRELIMINARY: gettext_lazy("Give the preliminary ruling"),
    Step.RESUMED: gettext_lazy("Resume play"),
    Step.OBJECTION: gettext_lazy("Hear an objection"),
    Step.MEETING: gettext_lazy("Record the ruling meeting"),
    Step.FINAL: gettext_lazy("Give the final ruling"),
}
MISSING: Mapping[str, Promise] = {  # by the name of the text that was left out
    "said": gettext_lazy("Enter what was said."),
    "decided": gettext_lazy("Enter what was decided."),
}


def step_taken(kind: str, *, closes: bool) -> str:
    if closes or kind == Step.FINAL:
        return _("Dispute closed. Play continues.")
    sentences = {
        Step.PRELIMINARY: _("Preliminary ruling saved. Are there objections?"),
        Step.RESUMED: _("Play resumed. An objection is still possible."),
        Step.OBJECTION: _("Objection recorded. The referees now meet."),
        Step.MEETING: _("Meeting recorded. Give the final ruling."),
    }
    return sentences[Step(kind)]
