from typing import Any, NamedTuple

from django.template.defaultfilters import capfirst
from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Rows
from league.core.text import labelled
from league.models import Competition


class LoggedToday(NamedTuple):
    level: str
    referee: str
    number: int


class DayTable(Rows):
    """The penalties that each referee logged today, by level."""

    css = ""

    level = Column(_("Level"))
    referee = Column(_("Referee"))
    number = Column(_("Penalties"), css="number")

    def __init__(self, logged: list[LoggedToday], *, competition: Competition, **options: Any) -> None:
        super().__init__(logged, **options)
        self.caption = labelled(_("Penalties"), competition.name)

    def render_level(self, value: str) -> str:
        return capfirst(value)
