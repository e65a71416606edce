"""The stage of a page, and the stages whose points reach it."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from django.http import Http404

from league.core.stages import StageChoice, stage_line, stages_of
from league.models import Competition, Division, Stage


def carried_chain(stage: Stage, every: Sequence[Stage]) -> tuple[list[Stage], bool]:
    """Return the stages whose points reach this one, and whether they begin with the division's first."""
    line = stage_line(stage, every)
    start = max((i for i, each in enumerate(line) if i == 0 or each.carry == Stage.Carry.NONE), default=0)
    return line[start:], start == 0


def ranked_line(
    stage: Stage, every: Sequence[Stage], tie_breaks: Collection[str]
) -> tuple[list[Stage], bool]:
    """Return ``carried_chain``, or all earlier stages if their ranks break ties."""
    if "preliminary_rank" in tie_breaks:
        return stage_line(stage, every), True
    return carried_chain(stage, every)


def default_stage(competition: Competition, *, public: bool, division: str | None = None) -> Stage | None:
    """Return the stage that a page shows unless asked. ``division``: a slug."""
    stages = stages_of(competition, public=public)
    return newest_with_results([c for c in stages if division is None or c.stage.division.slug == division])


def newest_with_results(stages: Sequence[StageChoice]) -> Stage | None:
    """Return the first division's newest stage with visible results, or else its first stage."""
    if not stages:
        return None
    first = stages[0]
    same = [choice for choice in stages if choice.stage.division_id == first.stage.division_id]
    return next((choice.stage for choice in reversed(same) if choice.has_results), first.stage)


def chosen_stage(choices: Sequence[StageChoice], division: str | None, stage: str | None) -> Stage | None:
    """Return the stage at this address, or the one to show first."""
    if division is None:
        return newest_with_results(choices)
    for choice in choices:
        if (choice.stage.division.slug, choice.stage.slug) == (division, stage):
            return choice.stage
    raise Http404


def division_choices(choices: Iterable[StageChoice]) -> list[tuple[Division, Stage | None]]:
    return [
        (division, newest_with_results(list(stages)))
        for division, stages in groupby(choices, key=lambda choice: choice.stage.division)
    ]
