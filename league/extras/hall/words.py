from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy


class State(TextChoices):
    """State of a table, or a reason that holds it from approval. The hall filters by them, in this order."""

    WAITING = "waiting", pgettext_lazy("table", "waiting")
    POSTPONED = "postponed", pgettext_lazy("table", "postponed")
    PLAYING = "playing", pgettext_lazy("table", "playing")
    TYPED = "typed", pgettext_lazy("table", "to be signed")
    SIGNED = "signed", pgettext_lazy("table", "to be approved")
    ENTERED = "entered", pgettext_lazy("table", "entered")
    CONFIRMED = "confirmed", pgettext_lazy("table", "confirmed")
    VOID = "void", pgettext_lazy("table", "void")
    CALLING = "calling", pgettext_lazy("table", "calls a referee")
    DISPUTED = "disputed", pgettext_lazy("table", "disputed")
    OBJECTED = "objected", pgettext_lazy("table", "signature refused")
    UNDECIDED = "undecided", pgettext_lazy("table", "penalty undecided")
    DIFFERS = "differs", pgettext_lazy("table", "differs from its hands")
    EARLY = "early", pgettext_lazy("table", "score sheet before the end of its hands")
