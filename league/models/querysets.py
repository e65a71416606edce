"""Querysets with the words of the trade. `of` finds what belongs to a competition, at any depth."""

from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q

Row = TypeVar("Row", bound=models.Model)


def remove(rows: models.QuerySet[Any]) -> int:
    """Delete these rows. Return how many were deleted, with the rows that depend on them."""
    count, _by_model = rows.delete()
    return count


class OfCompetition(models.QuerySet[Row]):
    """Rows of models that lead to a division by the foreign keys of ``way``."""

    way: ClassVar[str] = ""

    def of(self, competition: Any) -> Self:
        """Return the rows of this competition (the row, its number or an ``OuterRef``)."""
        return self.filter(**{f"{self.way}__competition": competition})

    def with_competition(self) -> Self:
        """Read the competition of each row with it."""
        return self.select_related(f"{self.way}__competition")

    def with_rules(self) -> Self:
        """Read the competition and the rule set of each row with it."""
        return self.select_related(f"{self.way}__competition", f"{self.way}__rule_set")


class StageRows(OfCompetition[Row]):
    way = "stage__division"


class RoundRows(OfCompetition[Row]):
    way = "round__stage__division"


class TableRows(OfCompetition[Row]):
    way = "table__round__stage__division"


class Stages(OfCompetition[Row]):
    way = "division"


class Rounds(StageRows[Row]):
    def published(self) -> Self:
        """Return the rounds whose results everyone sees."""
        return self.filter(visibility="results")

    def open(self) -> Self:
        return self.filter(status="open")


class Versions(TableRows[Row]):
    """Versions of what a table wrote, of which one is current."""

    def current(self) -> Self:
        return self.filter(is_current=True)


class Entrants(models.QuerySet[Row]):
    def playing(self) -> Self:
        """Return those who have not withdrawn."""
        return self.filter(withdrawn_at=None)

    def withdrawn(self) -> Self:
        return self.filter(~Q(withdrawn_at=None))
