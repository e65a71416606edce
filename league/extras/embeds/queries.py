"""Published results in the order of their publication, for feeds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db.models import Max, Q

from league.core.stages import StageChoice
from league.models import AuditEntry, Competition, Round, Stage, Table
from league.play.results.queries.tables import TableResult, table_results

NEWEST = 20  # publications of a feed


@dataclass(slots=True)
class Publication:
    """The published results of a round, or of a day of free play. `at`: their last change."""

    round: Round
    day: date | None
    at: datetime
    rounds: list[Round] = field(default_factory=list)
    tables: list[TableResult] = field(default_factory=list)

    @property
    def key(self) -> str:
        return f"day-{self.round.stage_id}-{self.day}" if self.day else f"round-{self.round.pk}"


def publications(competition: Competition, choices: Sequence[StageChoice]) -> list[Publication]:
    """Return the newest publications, the last changed first. ``choices``: the stages that visitors see.

    Queries: 6.
    """
    stages = {choice.stage.pk: choice.stage for choice in choices}
    counted = Q(tables__sheets__is_current=True, tables__sheets__status__in=competition.counted_statuses)
    rounds = Round.objects.filter(stage__in=stages, visibility=Round.Visibility.RESULTS).annotate(
        entered_at=Max("tables__sheets__entered_at", filter=counted),
        confirmed_at=Max("tables__sheets__confirmed_at", filter=counted),
    )
    published_at, groups = _publication_times(competition), dict[object, Publication]()
    for each in rounds.exclude(entered_at=None).order_by("stage", "number"):
        each.stage = stages[each.stage_id]
        at = max(filter(None, (each.entered_at, each.confirmed_at, published_at.get(each.pk))))
        day = each.date if each.stage.play == Stage.Play.OPEN else None
        group = groups.setdefault((each.stage_id, day or each.pk), Publication(each, day, at))
        group.at = max(group.at, at)
        group.rounds.append(each)
    newest = sorted(groups.values(), key=lambda each: (each.at, each.round.pk), reverse=True)[:NEWEST]
    group_of = {round_.pk: group for group in newest for round_ in group.rounds}
    tables = Table.objects.filter(round__in=group_of)
    read = [round_ for group in newest for round_ in group.rounds]
    for result in table_results(tables, competition, rounds=read):
        if result.status in competition.counted_statuses:
            group_of[result.table.round_id].tables.append(result)
    return newest


def _publication_times(competition: Competition) -> dict[int, datetime]:
    """Return round → the last time when its results were published."""
    found = AuditEntry.objects.filter(
        competition=competition,
        action__in=("round.publish", "round.open", "round.close"),
        after__visibility=Round.Visibility.RESULTS,
    ).exclude(before__visibility=Round.Visibility.RESULTS)
    entries = found.order_by("sequence").only("target", "at")
    return {entry.target_pk: entry.at for entry in entries}
