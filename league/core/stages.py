"""The order of stages, and the stages that are secret while results are unpublished.

The *line* of a stage are the stages up to it, oldest first. Each follows the stage of its cut, or else the
previous stage of its division.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.db.models import BigAutoField, CharField, Exists, OuterRef, QuerySet

from league.core.prepared import Argument, Prepared
from league.models import Adjustment, Competition, Round, Sheet, Stage
from league.models.names import is_given


def stage_before(stage: Stage, every: Iterable[Stage]) -> Stage | None:
    """Return the stage that this one follows, or None. `every`: at least the division's stages."""
    same = sorted(
        (each for each in every if each.division_id == stage.division_id),
        key=lambda each: (each.position, each.pk),
    )
    earlier = [each for each in same if (each.position, each.pk) < (stage.position, stage.pk)]
    named = stage.cut.get("from")
    return next((each for each in earlier if each.pk == named), earlier[-1] if earlier else None)


def stage_line(stage: Stage, every: Sequence[Stage]) -> list[Stage]:
    line: list[Stage] = []
    before: Stage | None = stage
    while before is not None:
        line.append(before)
        before = stage_before(before, every)
    return line[::-1]


def part_names(stage: Stage, every: Iterable[Stage]) -> list[str]:
    """Return the names of division and stage, without one that the product gave to the only one. `every`: all
    stages that this audience sees.
    """
    stages = list(every)
    has_division = not is_given(stage.division) or len({each.division_id for each in stages}) > 1
    has_stage = not is_given(stage) or len(stages) > 1
    return [stage.division.name] * has_division + [stage.name] * has_stage


def with_unpublished_results(stages: Iterable[int]) -> set[int]:
    """Return the ids of these stages that have unpublished results. Queries: 1."""
    hidden = Round.objects.filter(stage__in=list(stages)).exclude(visibility=Round.Visibility.RESULTS)
    return set(hidden.filter(tables__sheets__is_current=True).values_list("stage", flat=True))


@dataclass(frozen=True, slots=True)
class Secrets:
    """The stages that would reveal unpublished results, by a cut or by `lots` drawn with knowledge
    of them.
    """

    stages: frozenset[int] = frozenset()
    lots: frozenset[int] = frozenset()


def secrets_of(every: Sequence[Stage], *, with_lots: bool) -> Secrets:
    """Find the secrets. `every`: all stages of the divisions concerned. Queries: 1, or none if no stage has a
    cut and lots do not count.
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
    return secrets_of(every, with_lots=False).stages


def _tells(line: Sequence[Stage], unpublished: Collection[int]) -> bool:
    hidden = False
    for each in line:
        if each.cut and hidden:
            return True
        hidden = hidden or each.pk in unpublished
    return False


class StageChoice(NamedTuple):
    stage: Stage
    has_results: bool  # visible to this audience


def stages_of(competition: Competition, *, public: bool) -> list[StageChoice]:
    """Return all stages in order, with division and rule set, for the public without secret ones.

    Queries: 1, and 1 more for the public if there are cuts.
    """
    choices = []
    statuses = competition.counted_statuses
    for stage in _STAGES[public](competition=competition.pk, first=statuses[0], second=statuses[-1]):
        stage.division.competition = competition  # the one at hand, whose revision was read first
        choices.append(StageChoice(stage, bool(stage.has_results)))
    secret = secret_stages([choice.stage for choice in choices]) if public else frozenset()
    return [choice for choice in choices if choice.stage.pk not in secret]


def _stages_with_facts(public: bool) -> "QuerySet[Stage, Any]":
    statuses: Any = [Argument(name, CharField()) for name in ("first", "second")]
    results = Sheet.objects.filter(is_current=True, status__in=statuses)
    if public:
        results = results.filter(table__round__visibility=Round.Visibility.RESULTS)
    carried_in = Adjustment.objects.filter(kind=Adjustment.Kind.CARRIED_IN, revoked_at=None)
    return (
        Stage.objects.filter(division__competition=Argument("competition", BigAutoField()))
        .select_related("division__rule_set")
        .order_by("division__position", "division_id", "position", "pk")
        .annotate(
            has_results=Exists(results.filter(table__round__stage=OuterRef("pk")))
            | Exists(carried_in.filter(stage=OuterRef("pk")))
        )
    )


_STAGES = {public: Prepared(partial(_stages_with_facts, public)) for public in (False, True)}
