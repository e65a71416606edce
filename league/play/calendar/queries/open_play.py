"""The days of free play, with their tables counted."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, QuerySet

from league.models import Competition, Round, Sheet, Stage


@dataclass(frozen=True, slots=True)
class DayCount:
    day: date
    tables: int
    entered: int  # with a sheet that is not void
    unconfirmed: int
    hidden: int  # not published

    @property
    def missing(self) -> int:
        return self.tables - self.entered


def day_counts(rounds: QuerySet[Round]) -> dict[int, list[DayCount]]:
    now = Q(tables__sheets__is_current=True)
    dated = rounds.filter(stage__play=Stage.Play.OPEN, date__isnull=False)
    by_day = (
        dated.order_by()
        .values("stage", "date")
        .annotate(
            made=Count("pk", distinct=True),
            entered=Count("tables__sheets", filter=now & ~Q(tables__sheets__status=Sheet.Status.VOID)),
            unconfirmed=Count("tables__sheets", filter=now & Q(tables__sheets__status=Sheet.Status.ENTERED)),
            hidden=Count("pk", distinct=True, filter=~Q(visibility=Round.Visibility.RESULTS)),
        )
    )
    found: dict[int, list[DayCount]] = {}
    fields = ("stage", "date", "made", "entered", "unconfirmed", "hidden")
    for stage, day, *counts in by_day.order_by("stage", "-date").values_list(*fields):
        if day is not None:
            found.setdefault(stage, []).append(DayCount(day, *counts))
    return found


@dataclass(frozen=True, slots=True)
class OpenPlayDay:
    stage: Stage
    day: date
    tables: int


def open_play_days(competition: Competition, stages: Collection[Stage], *, public: bool) -> list[OpenPlayDay]:
    by_pk = {stage.pk: stage for stage in stages if stage.play == Stage.Play.OPEN}
    if not by_pk:
        return []
    rounds = Round.objects.filter(stage__in=by_pk)
    if public:
        rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    return [
        OpenPlayDay(by_pk[stage], line.day, line.tables)
        for stage, lines in day_counts(rounds).items()
        for line in lines
    ]
