from collections.abc import Callable
from typing import TYPE_CHECKING

from django.utils.functional import Promise

if TYPE_CHECKING:
    from league.models import Sheet


class Refused(Exception):
    """A refusal that changed nothing, with the reason and the remedy. `field`: the input that it
    belongs to. `code`: its stable name for programs, which no rewording changes.
    """

    def __init__(self, message: str | Promise, *, field: str | None = None, code: str = "refused") -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.code = code

    def __str__(self) -> str:
        return str(self.message)


class Conflict(Refused):
    """Another person saved the same table first. `current`: their sheet, or None if it was removed since."""

    def __init__(self, message: str | Promise, *, current: "Sheet | None") -> None:
        super().__init__(message, code="conflict")
        self.current = current


class OutOfDate(Refused):
    """The facts on the person's page have changed. They see them again and decide again."""


class AlreadyDone(Exception):
    """A duplicate of a form, with the `answer` of the first one. Nothing was written."""

    def __init__(self, answer: dict[str, object]) -> None:
        super().__init__(answer)
        self.answer = answer


def find_refusal(check: Callable[[], object]) -> str:
    try:
        check()
    except Refused as refusal:
        return str(refusal)
    return ""
