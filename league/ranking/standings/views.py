"""Standings, players, and one player. Staff see more, or with ``?view=public`` what the public sees."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import IO, Any, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.caching import ANY, PAGES, fragment, public_page
from league.core.charts import LineChart, Series, line_chart
from league.core.files.xlsx import MEDIA_TYPE
from league.core.forms import number_field
from league.core.pages import LINES_A_PAGE, for_public, page, paged, press, screen_values, takes
from league.core.stages import StageChoice, stage_before, stages_of
from league.extras.needs.panels.race import chances_state, has_needs, standings_marks
from league.models import Stage
from league.people.members.queries import info_of, listed_entrants
from league.play.hands.queries import win_bans_of
from league.play.hands.words.penalties import penalty_line, win_ban_words
from league.play.rounds.queries import qualified_by_stage, unpublished_rounds
from league.ranking.seasons.queries import zones_of
from league.ranking.seasons.words import numbers_words
from league.ranking.stages.panels import story_context
from league.ranking.stages.queries import draws_of, story_of
from league.ranking.standings.exports import write_rankings
from league.ranking.standings.panels import standings_parts
from league.ranking.standings.pictures import SHOWN as LINES_OF_A_PICTURE
from league.ranking.standings.pictures import draw_ranking
from league.ranking.standings.queries.overall import overall
from league.ranking.standings.queries.player import StageRecord, player_records
from league.ranking.standings.queries.rankings import period_of, periods, rankings
from league.ranking.standings.queries.stages import chosen_stage, division_choices
from league.ranking.standings.queries.standings import Standings, ranks_before, standings_of
from league.ranking.standings.services import keep_rankings
from league.ranking.standings.tables import CutLine, EntrantsTable, PlayersTable, StandingsTable
from league.ranking.standings.words import period_words, ranking_words
from league.ranking.teams.queries import team_ranking
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from league.templatetags.umaoka import score
from scoring.rankings import AVERAGE, BEST, GAMES, POINTS, RUN, TAKES_NUMBER, TOTAL, Ranking
from scoring.standings import LOTS
from scoring.units import Score

MOST_RANKINGS = 4  # side by side
USUAL = 10
AWARDS = (Ranking(GAMES), Ranking(AVERAGE, USUAL), Ranking(POINTS))
SHARED = 3  # players who may share an award; more of them say nothing
CELLS_A_PAGE, LEAST_LINES = 5_000, 40  # of the overall ranking, which has a column for each round
COLUMNS_A_SHEET = 20  # scores beside the names on A4

# --- standings


def _beside(access: Access, **kwargs: object) -> tuple[object, ...]:
    return access.season_before, access.season_after, chances_state(access)


@public_page(_beside, sort=StandingsTable.sorts(), page=PAGES, q=ANY)
def standings(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    """Show the ranking of one stage, by default of the newest one with results, or of teams if they win."""
    if division is None and access.competition.crowns_teams:
        return redirect(f"{access.address('teams:index')}?{request.GET.urlencode()}".rstrip("?"))
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    shown_stage = chosen_stage(choices, division, stage)
    if shown_stage is None:
        return page(request, access, "standings/stage.html", choices=choices, stage=None)
    every = [choice.stage for choice in choices]
    ranked = standings_of([shown_stage], public=public, every=every)[shown_stage.pk]
    has_results = any(line.row.played or line.row.total for line in ranked.rows)

    marks = standings_marks(request, access, shown_stage, public=public)

    def table() -> str:
        options = _table_options(request, access)
        options["of"] = f"{shown_stage.division.name} · {shown_stage.name}"
        if not has_results:
            return EntrantsTable(ranked.rows, **{"sort": "player"} | options).as_html(request)
        made = StandingsTable(
            ranked.rows,
            zones=zones_of(shown_stage, public=public),
            cut=_cut_line(shown_stage, every),
            before=ranks_before(shown_stage, public=public, every=every),
            marks=marks,
            **options,
        )
        return made.as_html(request)

    return page(
        request,
        access,
        "standings/stage.html",
        choices=choices,
        stage=shown_stage,
        ranked=ranked,
        has_results=has_results,
        table=fragment(request, access, f"standings:{shown_stage.pk}:{public}:{marks}", table),
        marks=marks,
        divisions=division_choices(choices),
        stages=[c.stage for c in choices if c.stage.division_id == shown_stage.division_id],
        imbalance=shown_stage.division.rules.imbalance,
        season_before=access.season_before,
        season_after=access.season_after,
        numbers=numbers_words(shown_stage.numbers),
        hidden=unpublished_rounds(shown_stage) if access.is_staff else 0,
        **_cut_and_lots(shown_stage, choices, ranked),
    )


def _table_options(request: HttpRequest, access: Access) -> dict[str, str]:
    """Return the options of a table from the address. A name to find may be 100 characters long."""
    asked = {name: request.GET[name] for name in ("sort", "page") if name in request.GET}
    return asked | {"slug": access.competition.slug, "find": request.GET.get("q", "")[:100].strip()}


def _cut_line(stage: Stage, every: Sequence[Stage]) -> CutLine | None:
    """Return the cut after this stage if this audience may know of it."""
    after = next((each for each in every if each.cut and stage_before(each, every) == stage), None)
    return CutLine(after.name, qualified_by_stage([after])[after.pk]) if after else None


def _cut_and_lots(stage: Stage, choices: Sequence[StageChoice], ranked: Standings) -> dict[str, Any]:
    story = story_of(stage, [choice.stage for choice in choices])
    decided = any(line.row.decided_by == LOTS for line in ranked.rows)
    draws = draws_of(stage, {line.player.player: line.player for line in ranked.rows}) if decided else ()
    head_starts = any(line.head_start for line in ranked.rows)
    return {"lots": draws, "head_starts": head_starts} | (story_context(story) if story else {})


@public_page(page=PAGES)
def screen(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the newest public standings of each division in large letters, part by part."""
    screens = standings_parts(access.competition)
    return page(
        request,
        access,
        "standings/screen.html",
        **screen_values(request, access, screens, "standings:competition"),
    )


@public_page()
def picture(request: HttpRequest, access: Access, pk: int | None = None) -> HttpResponse:
    """Draw the first lines of the newest standings, or those around a player of their division."""
    entrant = access.entrant(pk) if pk is not None else None
    choices = stages_of(access.competition, public=True)
    mine = [each for each in choices if entrant and each.stage.division_id == entrant.division_id]
    stage = chosen_stage(mine or choices, None, None)
    every = [choice.stage for choice in choices]
    rows = standings_of([stage], public=True, every=every)[stage.pk].rows if stage else ()
    played = [line for line in rows if line.row.games]
    own = next((at for at, line in enumerate(played) if entrant and line.player.entrant == entrant.pk), 0)
    first = max(0, min(own - LINES_OF_A_PICTURE // 2, len(played) - LINES_OF_A_PICTURE))
    lines = [
        (line.row.shown_rank, line.player.name, line.player.romanized, line.row.total)
        for line in played[first:]
    ]
    if access.competition.crowns_teams and entrant is None:
        teams = team_ranking(access.competition, public=True)
        lines = [
            (each.row.shown_rank, each.team.name, "", each.row.total) for each in teams if each.row.games
        ]
    names = [access.competition.name, access.competition.league.name, stage.name if stage else ""]
    title, *notes = [info_of(entrant).name, *names[::2]] if entrant else names
    imbalance = stage.division.rules.imbalance if stage else 0
    below = _("Table scores sum to %(sum)s, not 0.0.") % {"sum": score(imbalance)} if imbalance else ""
    image = draw_ranking(title, " · ".join(filter(None, dict.fromkeys(notes))), lines, below=below)
    return HttpResponse(image, content_type="image/png")


@gzip_page
@public_page(page=PAGES)
def overall_page(request: HttpRequest, access: Access, division: str) -> HttpResponse:
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
        wide=columns > COLUMNS_A_SHEET,
        shown=paged(request, ranked.rows, max(CELLS_A_PAGE // max(columns, 1), LEAST_LINES)),
    )


class RankingForm(forms.Form):
    by = forms.ChoiceField(
        label=gettext_lazy("Ranked by"),
        choices=[
            (TOTAL, gettext_lazy("total")),
            (AVERAGE, gettext_lazy("average")),
            (BEST, gettext_lazy("best games")),
            (RUN, gettext_lazy("best games in a row")),
            (GAMES, gettext_lazy("most games")),
            (POINTS, gettext_lazy("highest points in one game")),
        ],
    )
    number = number_field(
        gettext_lazy("Number of games"),
        0,
        10_000,
        help_text=gettext_lazy("Minimum number of games. For best games, the number that counts."),
    )
    period = forms.ChoiceField(label=gettext_lazy("Period"), required=False)
    guests = forms.BooleanField(
        label=gettext_lazy("Rank guests"),
        required=False,
        help_text=gettext_lazy("Otherwise guests are listed below without a rank."),
    )

    def __init__(self, *args: Any, periods: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["period"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", gettext_lazy("all time")), *periods]

    def ranking(self) -> Ranking:
        kind, number = self.cleaned_data["by"], self.cleaned_data["number"]
        if kind in {BEST, RUN}:
            number = number or USUAL
        return Ranking(kind, (number or 0) if kind in TAKES_NUMBER else 0)


@gzip_page
@public_page(page=PAGES, r=ANY, by=ANY, number=ANY, period=ANY, guests=ANY, file=ANY)
def rankings_page(request: HttpRequest, access: Access, division: str, stage: str) -> HttpResponse:
    """Show rankings: ``?r=average-20&r=best-10&period=2026-05``. ``by`` and ``number`` add one. With
    ``file=xlsx`` send them as a workbook.
    """
    public = for_public(request, access)
    shown_stage = chosen_stage(stages_of(access.competition, public=public), division, stage)
    if shown_stage is None or shown_stage.slug != stage:
        raise Http404
    every = periods(shown_stage, public=public)
    named = [(each.code, period_words(each.year, each.quarter, each.month)) for each in every]
    asked = _rankings_of(request.GET.getlist("r") or shown_stage.rankings.split())
    form = RankingForm(request.GET if "by" in request.GET else None, periods=named)
    if form.is_bound and form.is_valid():
        asked.append(form.ranking())
    asked = list(dict.fromkeys(asked))[-MOST_RANKINGS:] or [Ranking(TOTAL), Ranking(AVERAGE, USUAL)]
    code = request.GET.get("period", "")
    period = period_of(code) if code in dict(named) else None
    guests = "guests" in request.GET
    every_line = rankings(shown_stage, [*asked, *AWARDS], period, public=public, with_guests=guests)
    if request.GET.get("file") == "xlsx":
        file = HttpResponse(content_type=MEDIA_TYPE)
        write_rankings(shown_stage, list(zip(asked, every_line, strict=False)), cast("IO[bytes]", file))
        name = f"{access.competition.slug}-{shown_stage.slug}-rankings.xlsx"
        file["Content-Disposition"] = f'attachment; filename="{name}"'
        return file
    lines = [paged(request, ranked, LINES_A_PAGE) for ranked in every_line[: len(asked)]]
    won = [[line for line in ranked if line.ranked.rank == 1] for ranked in every_line[len(asked) :]]
    codes = [each.code for each in asked]
    return page(
        request,
        access,
        "standings/rankings.html",
        stage=shown_stage,
        form=form
        if form.is_bound
        else RankingForm(initial={"period": code, "guests": guests}, periods=named),
        codes=codes,
        may_keep=access.can_organize and not public and codes != shown_stage.rankings.split(),
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


@takes(Can.ORGANIZE)
def rankings_keep(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.stage(pk)
    codes = request.POST.getlist("r")
    return press(
        request,
        lambda sent: keep_rankings(
            stage=found, rankings=_rankings_of(codes)[:MOST_RANKINGS], by=access.by, form=sent
        ),
        about=(pk, *codes),
        done=_("These rankings are now shown first."),
        back=access.address("standings:rankings", found.division.slug, found.slug),
    )


def _rankings_of(codes: Iterable[str]) -> list[Ranking]:
    return [found for code in codes if (found := _ranking_of(code))]


def _ranking_of(code: str) -> Ranking | None:
    kind, _dash, number = code.partition("-")
    try:
        return Ranking(kind, int(number)) if re.fullmatch("[0-9]{1,5}", number, re.ASCII) else None
    except ValueError:
        return None


# --- players


@public_page(sort=PlayersTable.sorts(), page=PAGES, q=ANY)
def players(request: HttpRequest, access: Access) -> HttpResponse:
    lines = listed_entrants(access.competition)

    def table() -> str:
        return PlayersTable(lines, **_table_options(request, access)).as_html(request)

    cached_table = fragment(request, access, "players", table)
    return page(request, access, "standings/players.html", lines=lines, table=cached_table)


def _win_bans(access: Access, pk: int) -> list[tuple[int, bool]]:
    return [(penalty.pk, penalty.waits) for penalty in win_bans_of(pk, access.rounds())]


@public_page(_win_bans)
def player(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show a player's rank and total in each stage, and the steps to the total."""
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
        bans=[(ban, win_ban_words(waits=ban.waits)) for ban in win_bans_of(pk, access.rounds())],
        records=[_record_context(record) for record in records],
        several_divisions=len({choice.stage.division_id for choice in choices}) > 1,
        has_needs=has_needs(entrant, [choice.stage for choice in choices]),
    )


def _record_context(record: StageRecord) -> dict[str, Any]:
    """Add penalties in words, a chart, and shares: place, count, share of the games, length in per cent."""
    rules = penalty_rules_of(record.stage.division.rule_set)
    totals = [step.total for step in record.steps]
    places = record.row.row.places if record.row and record.row.row.games else ()
    return {
        "record": record,
        "chart_id": f"chart-{record.stage.pk}",
        "chart": _total_chart(totals) if len(totals) > 1 else None,  # a single step does not make a line
        "shares": [
            (place, count, Fraction(count, sum(places)), 100 * count // max(places))
            for place, count in enumerate(places, start=1)
        ],
        "steps": [
            (step, penalty_line(step.penalty, rules) if step.penalty else None)
            for step in reversed(record.steps)
        ],
        "off": [penalty_line(penalty, rules) for penalty in record.off],
    }


def _total_chart(totals: Sequence[Score]) -> LineChart | None:
    series = [Series(_("Running total"), [0, *totals])]
    labels = list(map(str, range(len(totals) + 1)))
    return line_chart(series, labels, score, level=lambda value: score(value)[:-2])
