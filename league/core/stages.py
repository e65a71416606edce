"""Which stage comes before which, and which stages the public must not know yet.

The *line* of a stage are the stages up to it, oldest first: each comes after the stage that its cut was made
from, or else after the one before it in its division.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import BigAutoField, CharField, Exists, OuterRef, QuerySet

from league.core.prepared import Argument, Prepared
from league.models import Competition, Round, Sheet, Stage


def stage_before(stage: Stage, every: Iterable[Stage]) -> Stage | None:
    """The stage whose players, points and ranks reach this one; None for a division's first. ``every``: at
    least the stages of its division.
    """
    earlier = sorted(
        (
            each
            for each in every
            if each.division_id == stage.division_id and (each.position, each.pk) < (stage.position, stage.pk)
        ),
        key=lambda each: (each.position, each.pk),
    )
    named = stage.cut.get("from")
    return next((each for each in earlier if each.pk == named), earlier[-1] if earlier else None)


def stage_line(stage: Stage, every: Sequence[Stage]) -> list[Stage]:
    """The line of the stage, itself last."""
    line = [stage]
    while (before := stage_before(line[0], every)) is not None:
        line.insert(0, before)
    return line


def with_unpublished_results(stages: Iterable[int]) -> set[int]:
    """Those of these stages that hold results which the public does not see yet; one query."""
    hidden = Round.objects.filter(stage__in=list(stages)).exclude(visibility=Round.Visibility.RESULTS)
    return set(hidden.filter(tables__sheets__is_current=True).values_list("stage", flat=True))


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the public must not learn of unpublished results: the stages whose players came through a cut made
    from them, with all that follow on such a stage; the stages whose lots were drawn while they were known.
    """

    stages: frozenset[int] = frozenset()
    lots: frozenset[int] = frozenset()


def secrets_of(every: Sequence[Stage], *, with_lots: bool) -> Secrets:
    """``every``: all stages of the divisions in question. One query; none where no stage has a cut, unless
    lots count, too (``with_lots``).
    """
    if not with_lots and not any(stage.cut for stage in every):
        return Secrets()
    unpublished = with_unpublished_results(stage.pk for stage in every)
    lines = {stage.pk: stage_line(stage, every) for stage in every}
    return Secrets(
        frozenset(pk for pk, line in lines.items() if _tells(line, unpublished)),
        frozenset(pk for pk, line in lines.items() if any(each.pk in unpublished for each in line)),
    )


def secret_stages(every: Sequence[Stage]) -> frozenset[int]:
    """The stages that would tell the public about unpublished results: see ``Secrets``."""
    return secrets_of(every, with_lots=False).stages


def _tells(line: Sequence[Stage], unpublished: Collection[int]) -> bool:
    hidden = False
    for each in line:
        if each.cut and hidden:
            return True
        hidden = hidden or each.pk in unpublished
    return False


@dataclass(frozen=True, slots=True)
class StageChoice:
    """A stage, and whether it has results that this audience may see."""

    stage: Stage
    has_results: bool


def stages_of(competition: Competition, *, public: bool) -> list[StageChoice]:
    """All stages of the competition in order, with division and rule set, in one query; for the public
    without those that would tell of unpublished results.
    """
    choices = []
    counted = competition.counted_statuses
    for stage in _STAGES[public](competition=competition.pk, first=counted[0], second=counted[-1]):
        stage.division.competition = competition  # the one at hand, whose revision was read first
        choices.append(StageChoice(stage, bool(stage.has_results)))
    return _public_choices(choices) if public else choices


def _stages_with_facts(public: bool) -> "QuerySet[Stage, Any]":
    statuses: Any = [Argument(name, CharField()) for name in ("first", "second")]
    results = Sheet.objects.filter(is_current=True, status__in=statuses)
    if public:
        results = results.filter(table__round__visibility=Round.Visibility.RESULTS)
    return (
        Stage.objects.filter(division__competition=Argument("competition", BigAutoField()))
        .select_related("division__rule_set")
        .order_by("division__position", "division_id", "position", "pk")
        .annotate(has_results=Exists(results.filter(table__round__stage=OuterRef("pk"))))
    )


_STAGES = {public: Prepared(partial(_stages_with_facts, public)) for public in (False, True)}


def _public_choices(choices: Sequence[StageChoice]) -> list[StageChoice]:
    """Without the stages that would tell of unpublished results; one query where there are cuts."""
    secret = secret_stages([choice.stage for choice in choices])
    return [choice for choice in choices if choice.stage.pk not in secret]
