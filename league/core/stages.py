"""Which stage comes before which, and which stages the public must not know yet.

The *line* of a stage are the stages up to it, oldest first: each comes after the stage that its cut was made
from, or else after the one before it in its division.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from django.db.models import BigAutoField, CharField, Exists, OuterRef, QuerySet
from django.http import Http404

from league.core.prepared import Argument, Prepared
from league.models import Competition, Division, Entrant, Round, Sheet, Stage, StageEntrant


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


def follows_results(method: str, stage: Stage) -> bool:
    """Whether a seating made by this method reveals the players' ranks."""
    return bool(stage.cut) or method in {Round.Method.SWISS, Round.Method.RANK, Round.Method.INTERVAL}


def hides_results(division: int) -> bool:
    """Whether the results of a closed round are kept from the public; one query."""
    closed = Round.objects.filter(stage__division=division, status=Round.Status.CLOSED)
    return closed.exclude(visibility=Round.Visibility.RESULTS).exists()


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


def players_by_stage(stages: Iterable[Stage], competition: Competition) -> dict[int, list[int]]:
    """Stage → the players who play in it: entered in its division, or through its cut; without those
    withdrawn and substitutes. One query, and another one where a stage has a cut.
    """
    found = {stage.pk: stage for stage in stages}
    entered: dict[int | None, list[int]] = {}
    there = Entrant.objects.filter(
        competition=competition, withdrawn_at__isnull=True, is_substitute=False
    ).order_by("pk")
    for player, division in there.values_list("player_id", "division_id"):
        entered.setdefault(division, []).append(player)
    came = qualified_by_stage(found.values())
    left = {player for players in entered.values() for player in players}
    return {
        pk: [player for player in came[pk] if player in left]
        if pk in came
        else entered.get(stage.division_id, [])
        for pk, stage in found.items()
    }


def is_secret(stage: Stage) -> bool:
    """Would this one stage tell the public about unpublished results? Two queries."""
    return stage.pk in secret_stages(list(Stage.objects.filter(division=stage.division_id)))


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
