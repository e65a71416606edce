"""Published results in the order of their publication, for feeds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Max, Q

from league.core.stages import StageChoice
from league.models import AuditEntry, Competition, Round, Stage, Table
from league.rounds.queries import TableResult, table_results

NEWEST = 20  # publications of a feed


@dataclass(frozen=True, slots=True)
class Publication:
    """The published results of a round, or of a day of free play, and the moment of their last change."""

    round: Round
    day: date | None  # of free play
    at: datetime
    tables: tuple[TableResult, ...]

    @property
    def key(self) -> str:
        return f"day-{self.round.stage_id}-{self.day}" if self.day else f"round-{self.round.pk}"


def publications(competition: Competition, choices: Sequence[StageChoice]) -> list[Publication]:
    """Return the newest publications, the last changed first. ``choices``: the stages that visitors see.

    Queries: 6.
    """
    stages = {choice.stage.pk: choice.stage for choice in choices}
    published_at = _publication_times(competition)
    groups: dict[tuple[int, date | int], list[Round]] = {}
    changed_at = {}
    for found in _rounds_with_results(stages, competition.counted_statuses):
        found.stage = stages[found.stage_id]
        times = (found.entered_at, found.confirmed_at, published_at.get(found.pk))  # type: ignore[attr-defined]
        changed_at[found.pk] = max(at for at in times if at)
        is_evening = found.stage.play == Stage.Play.OPEN and found.date
        groups.setdefault((found.stage_id, found.date if is_evening and found.date else found.pk), []).append(
            found
        )
    times_of = {key: max(changed_at[each.pk] for each in group) for key, group in groups.items()}
    newest = sorted(groups, key=lambda key: (times_of[key], groups[key][0].pk), reverse=True)[:NEWEST]
    results = _results_by_round(competition, [each for key in newest for each in groups[key]])
    return [
        Publication(
            groups[key][0],
            key[1] if isinstance(key[1], date) else None,
            times_of[key],
            tuple(result for each in groups[key] for result in results.get(each.pk, ())),
        )
        for key in newest
    ]


def _rounds_with_results(stages: Collection[int], statuses: Collection[str]) -> list[Round]:
    counted = Q(tables__sheets__is_current=True, tables__sheets__status__in=statuses)
    entered = Max("tables__sheets__entered_at", filter=counted)
    confirmed = Max("tables__sheets__confirmed_at", filter=counted)
    found = Round.objects.filter(stage__in=stages, visibility=Round.Visibility.RESULTS)
    found = found.annotate(entered_at=entered, confirmed_at=confirmed).filter(entered_at__isnull=False)
    return list(found.order_by("stage", "number"))


def _publication_times(competition: Competition) -> dict[int, datetime]:
    """Return round → the last time when its results were published."""
    found = AuditEntry.objects.filter(
        competition=competition,
        action__in=("round.publish", "round.open", "round.close"),
        after__visibility=Round.Visibility.RESULTS,
    ).exclude(before__visibility=Round.Visibility.RESULTS)
    entries = found.order_by("sequence").values_list("target", "at")
    return {int(target.partition(":")[2]): at for target, at in entries}


def _results_by_round(competition: Competition, rounds: Sequence[Round]) -> dict[int, list[TableResult]]:
    tables = Table.objects.filter(round__in=[each.pk for each in rounds])
    found: dict[int, list[TableResult]] = {}
    for result in table_results(tables, competition, rounds=rounds):
        if result.status in competition.counted_statuses:
            found.setdefault(result.table.round_id, []).append(result)
    return found
