"""What everybody may read: the front page, standings, rounds, players, rules.

Staff see more than the public on the same pages, and can look at them as the public does (``?view=public``).
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.calendar.queries.table_times import to_make_up
from league.calls.queries.clock import has_clock, round_clock
from league.core.access import Access, enter, visible_competitions
from league.core.views.caching import PAGES, answer, competition_page, facts_of, fragment, is_plain
from league.models import Division, Penalty, Round, RuleSet, Stage
from league.open_play.queries import DayCount, day_counts, linked_players
from league.penalties.queries.penalties import shown_penalties
from league.penalty_rules.offences import Book, book_of, level_name
from league.people.queries import entrant_lines, info_of
from league.rounds.queries.rounds import (
    RoundCount,
    StageChoice,
    newest_with_results,
    round_counts,
    stages_of,
    unpublished_rounds,
)
from league.rounds.queries.tables import TableResult, table_results, without_results
from league.rule_sets.queries.rule_sets import division_rules, divisions_of
from league.rule_sets.views.sheets import rule_sheet
from league.seasons.queries import zones_of
from league.seasons.words import numbers_words
from league.stages.queries import draws_of, story_of
from league.stages.views import story_context
from league.standings.charts import Line, total_line
from league.standings.queries.front import cards, own_cards, own_competitions
from league.standings.queries.player import StageRecord, player_records
from league.standings.queries.player import Step as PlayerStep
from league.standings.queries.standings import Standings, standings_of
from league.standings.tables import PlayersTable, StandingsTable
from league.teams.queries.teams import team_names_in
from scoring.standings import LOTS

COMPETITIONS_A_PAGE = 20
OWN_COMPETITIONS = 12
AUDIENCES = frozenset({"public"})


def for_public(request: HttpRequest, access: Access) -> bool:
    """Whether the page shows only what is published: to visitors, and to staff who ask for it."""
    return not access.is_staff or request.GET.get("view") == "public"


def context_of(request: HttpRequest, access: Access, **more: object) -> dict[str, object]:
    """What every page of a competition needs."""
    return {
        "access": access,
        "competition": access.competition,
        "public": for_public(request, access),
        **more,
    }


# --- the front page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    pages = Paginator(visible_competitions(request.user), COMPETITIONS_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    own = list(own_competitions(request.user)[:OWN_COMPETITIONS])
    every = cards([*page.object_list, *own])
    context = {
        "page": page,
        "cards": every[: len(page.object_list)],
        "own": own_cards(request.user, every[len(page.object_list) :]),
    }
    return render(request, "competitions/home.html", context)


# --- standings


@competition_page(sort=StandingsTable.sorts(), page=PAGES, view=AUDIENCES)
def standings(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    """The ranking of one stage; of the newest with results when the address names none."""
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    shown = chosen_stage(choices, division, stage)
    context = context_of(request, access, choices=choices, stage=shown)
    if shown is None:
        return render(request, "standings/stage.html", context)
    ranked = standings_of([shown], public=public, every=[choice.stage for choice in choices])[shown.pk]

    def table() -> str:
        made = StandingsTable(
            ranked.rows,
            slug=access.competition.slug,
            carries=any(row.row.carried for row in ranked.rows),
            zones=zones_of(shown, public=public),
            sort=request.GET.get("sort", ""),
            page=request.GET.get("page", "1"),
        )
        return made.as_html(request)

    return render(
        request,
        "standings/stage.html",
        context
        | {
            "ranked": ranked,
            "table": fragment(request, access, f"standings:{shown.pk}:{public}", table),
            "divisions": division_choices(choices),
            "stages": [c.stage for c in choices if c.stage.division_id == shown.division_id],
            "imbalance": shown.division.rules.imbalance,
            "season_before": choices[0].season_before,
            "season_after": choices[0].season_after,
            "numbers": numbers_words(shown.numbers),
            "hidden": unpublished_rounds(shown) if access.is_staff else 0,
            **_cut_and_lots(shown, choices, ranked),
        },
    )


def _cut_and_lots(shown: Stage, choices: Sequence[StageChoice], ranked: Standings) -> dict[str, object]:
    """How the players came into this stage, and the lots that decided something in it."""
    story = story_of(shown, [choice.stage for choice in choices])
    decided = any(line.row.decided_by == LOTS for line in ranked.rows)
    drawn = draws_of(shown, {line.player.player: line.player for line in ranked.rows}) if decided else ()
    told = {
        "lots": drawn,
        "head_starts": any(line.head_start for line in ranked.rows),
    }
    return told | (story_context(story) if story else {})


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


# --- rounds


@dataclass(frozen=True, slots=True)
class RoundLine:
    round: Round
    count: RoundCount


@competition_page(view=AUDIENCES)
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


@competition_page(view=AUDIENCES)
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


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """A penalty in words: the offence and its article in the rule book, and the level."""

    penalty: Penalty
    offence: str
    article: str
    level: str


def penalty_line(penalty: Penalty, book: Book) -> PenaltyLine:
    book = book.reading(penalty.infraction, penalty.level)
    return PenaltyLine(
        penalty=penalty,
        offence=book.offence(penalty.infraction),
        article=book.article(penalty.infraction),
        level=level_name(penalty.level, book),
    )


def penalty_lines(penalties: Iterable[Penalty], rule_set: RuleSet) -> list[PenaltyLine]:
    book = book_of(rule_set)
    return [penalty_line(penalty, book) for penalty in penalties]


def has_result(result: TableResult) -> bool:
    return result.status in {"entered", "confirmed"}


# --- players


@competition_page(sort=PlayersTable.sorts(), page=PAGES)
def players(request: HttpRequest, access: Access) -> HttpResponse:
    lines = entrant_lines(access.competition)

    def table() -> str:
        made = PlayersTable(
            lines,
            slug=access.competition.slug,
            sort=request.GET.get("sort", ""),
            page=request.GET.get("page", "1"),
        )
        return made.as_html(request)

    context = context_of(request, access, lines=lines, table=fragment(request, access, "players", table))
    return render(request, "standings/players.html", context)


@competition_page(view=AUDIENCES)
def player(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """One player: rank and total in each stage, and every step that made the total."""
    public = for_public(request, access)
    entrant = access.entrant(pk)
    choices = stages_of(access.competition, public=public)
    records = player_records(entrant, access.competition, choices, public=public)
    context = context_of(
        request,
        access,
        entrant=entrant,
        info=info_of(entrant),
        records=[record_view(record) for record in records],
        several_divisions=len({choice.stage.division_id for choice in choices}) > 1,
    )
    return render(request, "standings/player.html", context)


@dataclass(frozen=True, slots=True)
class RecordView:
    """A player's record in one stage as the page shows it; ``steps`` newest first, penalties in words."""

    record: StageRecord
    chart: Line | None
    steps: tuple[tuple[PlayerStep, PenaltyLine | None], ...]
    off: tuple[PenaltyLine, ...]


def record_view(record: StageRecord) -> RecordView:
    book = book_of(record.stage.division.rule_set)
    totals = [step.total for step in record.steps]
    return RecordView(
        record=record,
        chart=total_line(totals) if len(totals) > 1 else None,  # a single step is no line
        steps=tuple(
            (step, penalty_line(step.penalty, book) if step.penalty else None)
            for step in reversed(record.steps)
        ),
        off=tuple(penalty_line(penalty, book) for penalty in record.off),
    )


# --- rules


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What each division plays. The books of a league get other names without a revision of this."""
    access = enter(request.user, slug)
    played = {division.slug: division_rules(division) for division in divisions_of(access.competition)}

    def make() -> HttpResponse:
        sheets = [(part, rule_sheet(found)) for part, found in played.items()]
        return render(request, "competitions/rules.html", context_of(request, access, sheets=sheets))

    facts = (*facts_of(access), [found.title for found in played.values()])
    return answer(request, facts, make, may_keep=is_plain(request, {}))


# --- has anything changed?


@competition_page()
def revision(request: HttpRequest, access: Access) -> HttpResponse:
    """The competition's revision, for pages that stand open on a wall."""
    return JsonResponse({"revision": access.competition.revision})
