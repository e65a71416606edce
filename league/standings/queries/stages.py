"""Which stage a page shows, and the stages whose points reach it."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from django.http import Http404

from league.core.stages import StageChoice, stage_line, stages_of
from league.models import Competition, Division, Stage


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


def default_stage(competition: Competition, *, public: bool, division: str | None = None) -> Stage | None:
    """The stage that a page shows unasked: see ``newest_with_results``. ``division`` is the slug of one."""
    stages = stages_of(competition, public=public)
    return newest_with_results([c for c in stages if division is None or c.stage.division.slug == division])


def newest_with_results(stages: Sequence[StageChoice]) -> Stage | None:
    """The newest stage with visible results of the first division among ``stages``, else its first stage."""
    if not stages:
        return None
    same = [c for c in stages if c.stage.division_id == stages[0].stage.division_id]
    return next((c.stage for c in reversed(same) if c.has_results), same[0].stage)


def chosen_stage(choices: Sequence[StageChoice], division: str | None, stage: str | None) -> Stage | None:
    """The stage at this address; the one to show first where the address names none."""
    if division is None:
        return newest_with_results(choices)
    for choice in choices:
        if (choice.stage.division.slug, choice.stage.slug) == (division, stage):
            return choice.stage
    raise Http404


def division_choices(choices: Iterable[StageChoice]) -> list[tuple[Division, Stage | None]]:
    """Each division with the stage to show first."""
    return [
        (stages[0].stage.division, newest_with_results(stages))
        for stages in (list(g) for _, g in groupby(choices, key=lambda c: c.stage.division_id))
    ]
