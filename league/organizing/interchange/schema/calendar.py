"""Times at which tables meet, in the competition file."""

from typing import Annotated

from django.utils.translation import gettext as _

from league.models import Appointment
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import Choice
from league.organizing.interchange.schema.places import AtTable, InRound, InStage


class OpenStageFacts(InStage):
    """A stage of free play."""


class WindowFacts(InRound):
    """A round whose tables meet between its date and another day."""

    until: kinds.Day


class AppointmentFacts(FileFacts):
    """A statement about the time of a table. A time that is `set` ends a postponement."""

    columns = ("kind", "meets_at", "place", "reason")

    kind: Annotated[str, Choice(*Appointment.Kind.values)]
    at: kinds.Moment
    """When it was said."""
    meets_at: kinds.Moment | None = omit(None)
    place: kinds.PlaceOrEmpty = omit("")
    reason: kinds.ReasonOrEmpty = omit("")
    agreed: list[kinds.PlayerId] = omit([])
    """The players who agreed."""
    declined: list[kinds.PlayerId] = omit([])
    """The players who cannot come."""

    @check
    def _agreed_once(self, file: File) -> Found:
        players = self.agreed + self.declined
        if len(set(players)) < len(players):
            yield ("agreed",), _("Name each player once, by their id.")


class TableTimeFacts(AtTable):
    """The time at which a table meets."""

    meets_at: kinds.Moment | None = omit(None)
    said: Parts[AppointmentFacts] = omit([])
    """What was said of it, oldest first."""


class CalendarFacts(FileFacts):
    """The times at which tables meet."""

    free: Parts[OpenStageFacts] = omit([])
    windows: Parts[WindowFacts] = omit([])
    tables: Parts[TableTimeFacts] = omit([])

    @check
    def _windows_once(self, file: File) -> Found:
        for index in file.find_repeated(self.windows, "in_round"):
            yield ("windows", index, "round"), _("This round is listed twice.")

    @check
    def _tables_once(self, file: File) -> Found:
        for index in file.find_repeated(self.tables, "at_table"):
            yield ("tables", index, "table"), _("This table is listed twice.")


# --- the competition
