"""What everybody may read of rounds: the list, and a round with its tables."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.calendar.queries.table_times import to_make_up
from league.calls.queries import has_clock, round_clock
from league.core.access import Access
from league.core.caching import public_page
from league.core.counted import shown_penalties
from league.core.pages import AUDIENCES, context_of, for_public
from league.core.stages import stages_of
from league.models import Round, Stage
from league.open_play.queries import DayCount, day_counts, linked_players
from league.penalties.panels import penalty_lines
from league.rounds.queries.rounds import RoundCount, round_counts
from league.rounds.queries.tables import TableResult, table_results, without_results
from league.teams.queries.teams import team_names_in


@dataclass(frozen=True, slots=True)
class RoundLine:
    round: Round
    count: RoundCount


@public_page(view=AUDIENCES)
def rounds(request: HttpRequest, access: Access) -> HttpResponse:
    """All rounds that this person may see, by division and stage, newest first."""
    shown = access.rounds().order_by(
        "stage__division__position", "stage__division_id", "-stage__position", "-stage_id", "-number"
    )
    if for_public(request, access):
        shown = shown.exclude(visibility=Round.Visibility.HIDDEN)
    found = list(shown.exclude(stage__play=Stage.Play.FREE))
    counts = round_counts([each.pk for each in found])
    lines = [RoundLine(each, counts.get(each.pk, RoundCount())) for each in found]
    stages = [(lines_[0].round.stage, lines_) for lines_ in by_stage(lines)]
    choices = [c.stage for c in stages_of(access.competition, public=for_public(request, access))]
    free = free_stages(access, choices, shown)
    several = len({stage.division_id for stage in [*(s for s, _ in stages), *(f.stage for f in free)]}) > 1
    context = context_of(request, access, stages=stages, free=free, several_divisions=several)
    return render(request, "rounds/index.html", context)


@dataclass(frozen=True, slots=True)
class FreeStage:
    """A stage of free play: the days on which tables were made up, newest first; may this person make one?"""

    stage: Stage
    days: tuple[DayCount, ...]
    may_make: bool


def free_stages(access: Access, stages: Iterable[Stage], rounds: QuerySet[Round]) -> list[FreeStage]:
    """The stages of free play with the days of these rounds; no query where there is none."""
    free = [stage for stage in stages if stage.play == Stage.Play.FREE]
    if not free:
        return []
    days = day_counts(rounds)
    may_make = access.can_score or bool(linked_players(access.user.pk, access.competition))
    return [FreeStage(stage, tuple(days.get(stage.pk, ())), may_make) for stage in free]


def by_stage(lines: Iterable[RoundLine]) -> list[list[RoundLine]]:
    return [list(group) for _, group in groupby(lines, key=lambda line: line.round.stage_id)]


@public_page(view=AUDIENCES)
def round_(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Every table of a round: the seats, and the results where they are published."""
    public = for_public(request, access)
    round_ = access.round(pk)
    if public and round_.visibility == Round.Visibility.HIDDEN:
        raise Http404
    seating_only = public and round_.visibility == Round.Visibility.SEATING
    results = table_results(round_.tables.all(), access.competition)
    penalties = shown_penalties(round_.penalties.select_related("table", "player"), public=public)
    neighbours = list(
        access.rounds().filter(stage=round_.stage_id).order_by("number", "pk").values_list("pk", "number")
    )
    here = [number for number, _ in neighbours].index(round_.pk)
    context = context_of(
        request,
        access,
        round=round_,
        results=without_results(results) if seating_only else results,
        penalties=penalty_lines(penalties.order_by("created_at", "pk"), round_.stage.division.rule_set),
        seating_only=seating_only,
        postponed=set()
        if seating_only
        else set(to_make_up(round_.tables.all()).values_list("pk", flat=True)),
        entered=sum(1 for result in results if has_result(result)),
        imbalance=round_.stage.division.rules.imbalance,
        clock=round_clock(round_, sees_results=not seating_only),
        whose=team_names_in(round_),
        may_start_clock=not public and access.can_referee and has_clock(round_),
        clock_key=uuid.uuid4(),
        before=neighbours[here - 1] if here else None,
        after=neighbours[here + 1] if here + 1 < len(neighbours) else None,
    )
    return render(request, "rounds/round.html", context)


def has_result(result: TableResult) -> bool:
    return result.status in {"entered", "confirmed"}
