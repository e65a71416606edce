"""Stages and rounds: which there are, and which the public sees."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, FilteredRelation, Q

from league.models import Round, Sheet, Stage, Table


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How far a round is: its tables, those with a sheet that is not void, those confirmed; and those with a
    sheet, void ones too.
    """

    tables: int = 0
    entered: int = 0
    confirmed: int = 0
    with_sheet: int = 0


def round_counts(rounds: Iterable[int]) -> dict[int, RoundCount]:
    """Round id → how many of its tables are in, in one query."""
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    is_in = ~Q(now__status=Sheet.Status.VOID) & Q(now__isnull=False)
    grouped = Table.objects.filter(round__in=list(rounds)).annotate(now=now).values("round").order_by()
    counted = grouped.annotate(
        tables=Count("pk"),
        entered=Count("now", filter=is_in),
        confirmed=Count("now", filter=Q(now__status=Sheet.Status.CONFIRMED)),
        with_sheet=Count("now"),
    )
    fields = ("round", "tables", "entered", "confirmed", "with_sheet")
    return {pk: RoundCount(*counts) for pk, *counts in counted.values_list(*fields)}


def unpublished_rounds(stage: Stage) -> int:
    """How many rounds of the stage hold results that the public does not see yet."""
    hidden = Round.objects.filter(stage=stage).exclude(visibility=Round.Visibility.RESULTS)
    return hidden.filter(tables__sheets__is_current=True).distinct().count()
