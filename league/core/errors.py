"""Refusals whose cause the person can correct: each says what to do, in a sentence in their language."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.utils.functional import Promise

if TYPE_CHECKING:
    from league.models import Sheet


class Refused(Exception):
    """Nothing was changed. ``message`` says why and what to do; ``field`` names the input it belongs to."""

    def __init__(self, message: str | Promise, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    def __str__(self) -> str:
        return str(self.message)


class Conflict(Refused):
    """Someone saved the same table first: ``current`` is their sheet, None if it was removed since."""

    def __init__(self, message: str | Promise, *, current: "Sheet | None") -> None:
        super().__init__(message)
        self.current = current


class OutOfDate(Refused):
    """What the person saw has changed: it is shown again, and they decide again."""


class AlreadyDone(Exception):
    """The same form came again: ``answer`` is what the first one got. Nothing was written."""

    def __init__(self, answer: dict[str, object]) -> None:
        super().__init__(answer)
        self.answer = answer


def find_refusal(check: Callable[[], object]) -> str:
    """Why this is refused, and what to do; empty if it is not."""
    try:
        check()
    except Refused as refusal:
        return str(refusal)
    return ""
