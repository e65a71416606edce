"""The registration form of a division in the competition file, without the people who registered."""

from typing import Annotated, Any

from django.conf import settings
from django.utils.translation import gettext as _

from league.models import Registration
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import Choice, VisibleText, Whole

Asked = Annotated[str, Choice(*Registration.Asked.values)]
Line = Annotated[str, VisibleText(5_000, empty=True)]
_TEXTS = ("payment", "terms", "privacy")


class RegistrationFacts(FileFacts):
    """The registration form of a division. People who registered are in no file."""

    columns = (
        *("opens_at", "closes_at", "places", "has_waiting_list", "is_moderated"),
        *("club", "country", "number", "phone", "question", "fee"),
        *("shows_registrants", "kept_until", "languages"),
    )

    opens_at: kinds.Moment | None = omit(None)
    """Left out: the form is closed."""
    closes_at: kinds.Moment | None = omit(None)
    """After `opens_at`."""
    places: Annotated[int, Whole(least=1, most=10_000)] | None = omit(None)
    """Left out: no limit."""
    has_waiting_list: bool = True
    is_moderated: bool = False
    """Whether an organizer accepts each entry."""
    club: Asked = omit(Registration.Asked.OPTIONAL.value)
    """Whether the form asks for the club."""
    country: Asked = omit(Registration.Asked.OPTIONAL.value)
    number: Asked = omit(Registration.Asked.NO.value)
    """Whether the form asks for the EMA number."""
    phone: Asked = omit(Registration.Asked.NO.value)
    question: Annotated[str, VisibleText(200, empty=True)] = omit("")
    """Another question of the form."""
    fee: kinds.NameOrEmpty = omit("")
    payment: list[Line] = omit([])
    """How to pay, line by line."""
    shows_registrants: bool = True
    """Whether visitors see who is accepted."""
    terms: list[Line] = omit([])
    """The terms, line by line."""
    privacy: list[Line] = omit([])
    """What is kept of people, line by line. Left out: the text of Umaoka."""
    kept_until: kinds.Day
    """All entries are deleted after this day."""
    languages: list[Annotated[str, Choice(*(code for code, _name in settings.LANGUAGES))]] = omit([])
    """The languages of the mails. Left out: all."""

    @classmethod
    def of(cls, row: Registration) -> "RegistrationFacts":
        return cls.from_row(row, **{name: getattr(row, name).splitlines() for name in _TEXTS})

    def as_values(self) -> dict[str, Any]:
        return self.as_columns() | {name: "\n".join(getattr(self, name)) for name in _TEXTS}

    @check
    def _closes_after_it_opens(self, file: File) -> Found:
        if self.closes_at and self.opens_at and self.closes_at <= self.opens_at:
            yield ("closes_at",), _("Registration must close after it opens.")
