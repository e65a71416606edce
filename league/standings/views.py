"""What everyone may read of the ranking: standings, the players, one player.

Staff see more than the public on the same pages, and can look at them as the public does (``?view=public``).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.core.access import Access
from league.core.caching import PAGES, fragment, public_page
from league.core.pages import AUDIENCES, LINES_A_PAGE, for_public, page, paged, screen_values
from league.core.stages import StageChoice, stage_before, stages_of
from league.models import Stage
from league.penalties.words import PenaltyLine, penalty_line
from league.penalty_rules.words.rulings import penalty_rules_of
from league.people.queries import entrant_lines, info_of
from league.rounds.queries import qualified_by_stage, unpublished_rounds
from league.seasons.queries import zones_of
from league.seasons.words import numbers_words
from league.stages.panels import story_context
from league.stages.queries import draws_of, story_of
from league.standings.charts import TotalLine, total_line
from league.standings.forms import MOST_RANKINGS, USUAL, RankingForm
from league.standings.pictures import draw_ranking
from league.standings.queries.overall import overall
from league.standings.queries.player import StageRecord, TotalStep, player_records
from league.standings.queries.rankings import period_of, periods, rankings
from league.standings.queries.stages import chosen_stage, division_choices
from league.standings.queries.standings import Standings, StandingsRow, standings_of
from league.standings.tables import CutLine, PlayersTable, StandingsTable
from league.standings.words import period_words, ranking_words
from league.templatetags.umaoka import score
from scoring.rankings import AVERAGE, GAMES, POINTS, TOTAL, Ranking
from scoring.standings import LOTS

AWARDS = (Ranking(GAMES), Ranking(AVERAGE, USUAL), Ranking(POINTS))
ROWS_A_SCREEN = 20
SHARED = 3  # players who may share an award; more of them say nothing
CELLS_A_PAGE, LEAST_LINES = 5_000, 40  # of the overall ranking, which has a column for each round

# --- standings


def _seasons_beside(access: Access, **kwargs: object) -> tuple[str, str]:
    return access.season_before, access.season_after


@public_page(_seasons_beside, sort=StandingsTable.sorts(), page=PAGES, view=AUDIENCES)
def standings(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    """The ranking of one stage; of the newest with results when the address names none."""
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    shown = chosen_stage(choices, division, stage)
    if shown is None:
        return page(request, access, "standings/stage.html", choices=choices, stage=None)
    ranked = standings_of([shown], public=public, every=[choice.stage for choice in choices])[shown.pk]

    def table() -> str:
        made = StandingsTable(
            ranked.rows,
            slug=access.competition.slug,
            zones=zones_of(shown, public=public),
            cut=_cut_line(shown, [choice.stage for choice in choices]),
            sort=request.GET.get("sort", ""),
            page=request.GET.get("page", "1"),
        )
        return made.as_html(request)

    return page(
        request,
        access,
        "standings/stage.html",
        choices=choices,
        stage=shown,
        ranked=ranked,
        table=fragment(request, access, f"standings:{shown.pk}:{public}", table),
        divisions=division_choices(choices),
        stages=[c.stage for c in choices if c.stage.division_id == shown.division_id],
        imbalance=shown.division.rules.imbalance,
        season_before=access.season_before,
        season_after=access.season_after,
        numbers=numbers_words(shown.numbers),
        hidden=unpublished_rounds(shown) if access.is_staff else 0,
        **_cut_and_lots(shown, choices, ranked),
    )


def _cut_line(shown: Stage, every: Sequence[Stage]) -> CutLine | None:
    """The cut that was made from this stage, if this audience may know of it."""
    after = next((each for each in every if each.cut and stage_before(each, every) == shown), None)
    return CutLine(after.name, qualified_by_stage([after])[after.pk]) if after else None


def _cut_and_lots(shown: Stage, choices: Sequence[StageChoice], ranked: Standings) -> dict[str, Any]:
    """How the players came into this stage, and the lots that decided something in it."""
    story = story_of(shown, [choice.stage for choice in choices])
    decided = any(line.row.decided_by == LOTS for line in ranked.rows)
    drawn = draws_of(shown, {line.player.player: line.player for line in ranked.rows}) if decided else ()
    head_starts = any(line.head_start for line in ranked.rows)
    return {"lots": drawn, "head_starts": head_starts} | (story_context(story) if story else {})


@dataclass(frozen=True, slots=True)
class Screen:
    """What the wall shows at once: so many rows of a stage."""

    stage: Stage
    rows: Sequence[StandingsRow]


@public_page(page=PAGES)
def screen(request: HttpRequest, access: Access) -> HttpResponse:
    """The standings in large letters, part by part, of each division the newest stage first; for staff, too,
    only what is published.
    """
    choices = stages_of(access.competition, public=True)
    every = [choice.stage for choice in choices]
    found = [
        choice.stage
        for _, of_division in groupby(choices, key=lambda each: each.stage.division_id)
        for choice in reversed(list(of_division))
        if choice.has_results
    ]
    ranked = standings_of(found, public=True, every=every) if found else {}
    screens = [
        Screen(stage, rows[at : at + ROWS_A_SCREEN])
        for stage in found
        for rows in [[line for line in ranked[stage.pk].rows if line.row.games]]
        for at in range(0, len(rows), ROWS_A_SCREEN)
    ]
    return page(
        request,
        access,
        "standings/screen.html",
        **screen_values(request, access, screens, "standings:competition"),
    )


@public_page()
def picture(request: HttpRequest, access: Access) -> HttpResponse:
    """What messengers show beside the address: the first five of the standings that visitors see."""
    choices = stages_of(access.competition, public=True)
    shown = chosen_stage(choices, None, None)
    every = [choice.stage for choice in choices]
    rows = standings_of([shown], public=True, every=every)[shown.pk].rows if shown else ()
    lines = [
        (line.row.shown_rank, line.player.name, line.player.romanized, line.row.total)
        for line in rows
        if line.row.games
    ]
    note = " · ".join(dict.fromkeys([access.competition.league.name, shown.name if shown else ""]))
    imbalance = shown.division.rules.imbalance if shown else 0
    below = _("Table scores sum to %(sum)s, not 0.0.") % {"sum": score(imbalance)} if imbalance else ""
    drawn = draw_ranking(access.competition.name, note.strip(" ·"), lines, below=below)
    return HttpResponse(drawn, content_type="image/png")


@gzip_page
@public_page(view=AUDIENCES, page=PAGES)
def overall_page(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    """A division from the first to the last player over all its stages, with the score of every round."""
    public = for_public(request, access)
    found = access.division(division)
    choices = division_choices(stages_of(access.competition, public=public))
    ranked = overall(found, public=public)
    columns = sum(len(each.rounds) + 1 for each in ranked.stages)
    return page(
        request,
        access,
        "standings/overall.html",
        division=found,
        divisions=choices,
        overall=ranked,
        shown=paged(request, ranked.rows, max(CELLS_A_PAGE // max(columns, 1), LEAST_LINES)),
    )


@gzip_page
@public_page(view=AUDIENCES, page=PAGES)
def rankings_page(request: HttpRequest, access: Access, division: str, stage: str) -> HttpResponse:
    """The hanchan of a stage ranked as a club likes, several rankings side by side, of any time.

    ``?r=average-20&r=best-10&period=2026-05``: what is shown; ``by`` and ``number`` add one; ``guests`` ranks
    guests.
    """
    public = for_public(request, access)
    shown = chosen_stage(stages_of(access.competition, public=public), division, stage)
    if shown is None or shown.slug != stage:
        raise Http404
    every = periods(shown, public=public)
    named = [(each.code, period_words(each.year, each.quarter, each.month)) for each in every]
    asked = [found for code in request.GET.getlist("r") if (found := _ranking_of(code))]
    form = RankingForm(request.GET if "by" in request.GET else None, periods=named)
    if form.is_bound and form.is_valid():
        asked.append(form.ranking())
    asked = list(dict.fromkeys(asked))[-MOST_RANKINGS:] or [Ranking(TOTAL), Ranking(AVERAGE, USUAL)]
    code = request.GET.get("period", "")
    period = period_of(code) if code in dict(named) else None
    guests = "guests" in request.GET
    every_line = rankings(shown, [*asked, *AWARDS], period, public=public, with_guests=guests)
    lines = [paged(request, ranked, LINES_A_PAGE) for ranked in every_line[: len(asked)]]
    won = [[line for line in ranked if line.ranked.rank == 1] for ranked in every_line[len(asked) :]]
    codes = [f"{each.kind}-{each.number}" for each in asked]
    return page(
        request,
        access,
        "standings/rankings.html",
        stage=shown,
        form=form
        if form.is_bound
        else RankingForm(initial={"period": code, "guests": guests}, periods=named),
        codes=codes,
        guests=guests,
        has_guests=any(line.guest for ranked in every_line for line in ranked),
        period=code if period else "",
        shown=[
            (ranking.kind, ranking_words(ranking), ranked, [each for each in codes if each != code])
            for ranking, code, ranked in zip(asked, codes, lines, strict=True)
        ],
        awards=[
            (each.kind, ranking_words(each), best)
            for each, best in zip(AWARDS, won, strict=True)
            if 0 < len(best) <= SHARED
        ],
        longest=max(lines, key=lambda each: each.paginator.num_pages),
        status=200,
    )


def _ranking_of(code: str) -> Ranking | None:
    kind, _dash, number = code.partition("-")
    try:
        return Ranking(kind, int(number)) if re.fullmatch("[0-9]{1,5}", number, re.ASCII) else None
    except ValueError:
        return None


# --- players


@public_page(sort=PlayersTable.sorts(), page=PAGES)
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

    kept = fragment(request, access, "players", table)
    return page(request, access, "standings/players.html", lines=lines, table=kept)


@public_page(view=AUDIENCES)
def player(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """One player: rank and total in each stage, and every step that made the total."""
    public = for_public(request, access)
    entrant = access.entrant(pk)
    choices = stages_of(access.competition, public=public)
    records = player_records(entrant, access.competition, choices, public=public)
    return page(
        request,
        access,
        "standings/player.html",
        entrant=entrant,
        info=info_of(entrant),
        records=[record_view(record) for record in records],
        several_divisions=len({choice.stage.division_id for choice in choices}) > 1,
    )


@dataclass(frozen=True, slots=True)
class RecordView:
    """A player's record in one stage as the page shows it; ``steps`` newest first, penalties in words.
    ``shares``: place, how often, as a share of the games, and as a length in per cent.
    """

    record: StageRecord
    chart: TotalLine | None
    shares: tuple[tuple[int, int, Fraction, int], ...]
    steps: tuple[tuple[TotalStep, PenaltyLine | None], ...]
    off: tuple[PenaltyLine, ...]


def record_view(record: StageRecord) -> RecordView:
    book = penalty_rules_of(record.stage.division.rule_set)
    totals = [step.total for step in record.steps]
    return RecordView(
        record=record,
        chart=total_line(totals) if len(totals) > 1 else None,  # a single step does not make a line
        shares=_shares(record.row.row.places) if record.row and record.row.row.games else (),
        steps=tuple(
            (step, penalty_line(step.penalty, book) if step.penalty else None)
            for step in reversed(record.steps)
        ),
        off=tuple(penalty_line(penalty, book) for penalty in record.off),
    )


def _shares(places: Sequence[int]) -> tuple[tuple[int, int, Fraction, int], ...]:
    """The longest one takes the whole length."""
    return tuple(
        (place, count, Fraction(count, sum(places)), 100 * count // max(places))
        for place, count in enumerate(places, start=1)
    )
