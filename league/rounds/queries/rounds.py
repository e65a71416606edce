"""Stages and rounds: which there are, and which the public sees."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Exists, FilteredRelation, OuterRef, Q, Subquery
from django.http import Http404

from league.models import Competition, Division, Round, Sheet, Stage, Table
from league.rounds.queries.stage_order import secret_stages


@dataclass(frozen=True, slots=True)
class StageChoice:
    """A stage, whether it has results that this audience may see, and the addresses of the seasons before and
    after its competition; empty without one that everybody may see.
    """

    stage: Stage
    has_results: bool
    season_before: str = ""
    season_after: str = ""


def stages_of(competition: Competition, *, public: bool) -> list[StageChoice]:
    """All stages of the competition in order, with division and rule set, in one query; for the public
    without those that would tell of unpublished results.
    """
    results = Sheet.objects.filter(is_current=True, status__in=competition.counted_statuses)
    if public:
        results = results.filter(table__round__visibility=Round.Visibility.RESULTS)
    found = Stage.objects.filter(division__competition=competition).select_related("division__rule_set")
    found = found.order_by("division__position", "division_id", "position", "pk")
    choices = []
    found = found.annotate(has_results=Exists(results.filter(table__round__stage=OuterRef("pk"))))
    # Where everybody may see them: they come in a query that every page of standings asks anyway.
    seasons = Competition.objects.filter(visibility=Competition.Visibility.PUBLIC)
    before = seasons.filter(pk=OuterRef("division__competition__previous"))
    after = seasons.filter(previous=OuterRef("division__competition")).order_by("-pk")
    with_seasons = found.annotate(
        season_before=Subquery(before.values("slug")[:1]), season_after=Subquery(after.values("slug")[:1])
    )
    for stage in with_seasons:
        stage.division.competition = competition  # the one at hand, whose revision was read first
        beside = stage.season_before or "", stage.season_after or ""
        choices.append(StageChoice(stage, bool(stage.has_results), *beside))
    return _public_choices(choices) if public else choices


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


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How far a round is: its tables, those with a sheet that is not void, those confirmed; and those with a
    sheet, void ones too.
    """

    tables: int = 0
    entered: int = 0
    confirmed: int = 0
    with_sheet: int = 0


def round_counts(rounds: Iterable[int]) -> dict[int, RoundCount]:
    """Round id → how many of its tables are in, in one query."""
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    is_in = ~Q(now__status=Sheet.Status.VOID) & Q(now__isnull=False)
    grouped = Table.objects.filter(round__in=list(rounds)).annotate(now=now).values("round").order_by()
    counted = grouped.annotate(
        tables=Count("pk"),
        entered=Count("now", filter=is_in),
        confirmed=Count("now", filter=Q(now__status=Sheet.Status.CONFIRMED)),
        with_sheet=Count("now"),
    )
    fields = ("round", "tables", "entered", "confirmed", "with_sheet")
    return {pk: RoundCount(*counts) for pk, *counts in counted.values_list(*fields)}


def unpublished_rounds(stage: Stage) -> int:
    """How many rounds of the stage hold results that the public does not see yet."""
    hidden = Round.objects.filter(stage=stage).exclude(visibility=Round.Visibility.RESULTS)
    return hidden.filter(tables__sheets__is_current=True).distinct().count()


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
