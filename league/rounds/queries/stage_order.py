"""Which stage comes before which, and which stages the public must not know yet.

The *line* of a stage are the stages up to it, oldest first: each comes after the stage that its cut was made
from, or else after the one before it in its division.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.models import Round, Stage, StageEntrant


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


def carried_chain(stage: Stage, every: Sequence[Stage]) -> tuple[list[Stage], bool]:
    """The stages whose points reach this one, oldest first, this one last; and whether they begin with the
    division's first. ``every``: at least the stages of its division.
    """
    line = stage_line(stage, every)
    start = max((i for i, each in enumerate(line) if i == 0 or each.carry == Stage.Carry.NONE), default=0)
    return line[start:], start == 0


def ranked_line(
    stage: Stage, every: Sequence[Stage], tie_breaks: Collection[str]
) -> tuple[list[Stage], bool]:
    """As ``carried_chain``, the stages to be ranked for this one; all before it if their ranks break ties."""
    if "preliminary_rank" in tie_breaks:
        return stage_line(stage, every), True
    return carried_chain(stage, every)


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


def qualified_by_stage(stages: Iterable[Stage]) -> Mapping[int, Mapping[int, int]]:
    """Stage → player → head start in tenths, in the order of their positions, for stages with a cut; no query
    where none has one.
    """
    cut = {stage.pk: dict[int, int]() for stage in stages if stage.cut}
    if cut:
        found = StageEntrant.objects.filter(stage__in=cut).order_by("stage", "position")
        for stage, player, head_start in found.values_list("stage_id", "player_id", "head_start"):
            cut[stage][player] = head_start
    return cut


def is_secret(stage: Stage) -> bool:
    """Would this one stage tell the public about unpublished results? Two queries."""
    return stage.pk in secret_stages(list(Stage.objects.filter(division=stage.division_id)))
