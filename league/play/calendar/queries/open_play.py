"""The days of free play, with their tables counted."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, QuerySet

from league.models import Competition, Round, Sheet, Stage


@dataclass(frozen=True, slots=True)
class DayCount:
    stage: Stage
    day: date
    tables: int
    entered: int  # with a sheet that is not void
    unconfirmed: int

    @property
    def missing(self) -> int:
        return self.tables - self.entered


def day_counts(stages: Iterable[Stage], rounds: QuerySet[Round]) -> dict[int, list[DayCount]]:
    """Count the tables of free play by stage, the newest day first. One query."""
    by_pk = {stage.pk: stage for stage in stages if stage.play == Stage.Play.OPEN}
    now = Q(tables__sheets__is_current=True)
    by_day = (
        rounds.filter(stage__in=by_pk, date__isnull=False)
        .order_by()
        .values("stage", "date")
        .annotate(
            made=Count("pk", distinct=True),
            entered=Count("tables__sheets", filter=now & ~Q(tables__sheets__status=Sheet.Status.VOID)),
            unconfirmed=Count("tables__sheets", filter=now & Q(tables__sheets__status=Sheet.Status.ENTERED)),
        )
    )
    counts: dict[int, list[DayCount]] = {}
    fields = ("stage", "date", "made", "entered", "unconfirmed")
    for stage, day, *numbers in by_day.order_by("stage", "-date").values_list(*fields):
        if day is not None:
            counts.setdefault(stage, []).append(DayCount(by_pk[stage], day, *numbers))
    return counts


def open_play_days(competition: Competition, stages: Collection[Stage], *, public: bool) -> list[DayCount]:
    if not any(stage.play == Stage.Play.OPEN for stage in stages):
        return []
    rounds = Round.objects.of(competition)
    if public:
        rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    return [day for days in day_counts(stages, rounds).values() for day in days]
