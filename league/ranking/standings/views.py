"""The overall ranking, rankings of a club, players, and one player. Staff see more, or with ``?view=public``
what the public sees.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import IO, Any, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.caching import ANY, PAGES, fragment, public_page
from league.core.charts import LineChart, Series, line_chart
from league.core.files.xlsx import MEDIA_TYPE
from league.core.forms import number_field
from league.core.pages import LINES_A_PAGE, for_public, page, paged, press, takes
from league.core.stages import stages_of
from league.core.tags import score
from league.people.members.queries import info_of, listed_entrants
from league.play.hands.queries import penalties_in_hands_of
from league.play.hands.words.penalties import Wordings, penalty_line
from league.ranking.standings.exports import write_rankings
from league.ranking.standings.queries.overall import overall
from league.ranking.standings.queries.player import StageRecord, player_records
from league.ranking.standings.queries.rankings import period_of, periods, rankings
from league.ranking.standings.queries.stages import chosen_stage, division_choices
from league.ranking.standings.services import keep_rankings
from league.ranking.standings.tables import PlayersTable, RankingTable
from league.ranking.standings.words import period_words, ranking_words
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.rankings import AVERAGE, BEST, GAMES, POINTS, RUN, TAKES_NUMBER, TOTAL, Ranking
from scoring.units import Score

MOST_RANKINGS = 4  # side by side
USUAL = 10
AWARDS = (Ranking(GAMES), Ranking(AVERAGE, USUAL), Ranking(POINTS))
SHARED = 3  # players who may share an award; more of them say nothing
CELLS_A_PAGE, LEAST_LINES = 5_000, 40  # of the overall ranking, which has a column for each round
COLUMNS_A_SHEET = 20  # scores beside the names on A4


@gzip_page
@public_page(page=PAGES)
def overall_page(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    public = for_public(request, access)
    own_division = access.division(division)
    choices = division_choices(stages_of(access.competition, public=public))
    ranked = overall(own_division, public=public)
    columns = sum(len(stage.rounds) + 1 for stage in ranked.stages)
    return page(
        request,
        access,
        "standings/overall.html",
        division=own_division,
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
            (
                RankingTable(list(ranked), ranking, request=request),
                [each for each in codes if each != code],
            )
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
    stage = access.stage(pk)
    codes = request.POST.getlist("r")
    return press(
        request,
        lambda sent: keep_rankings(
            stage=stage, rankings=_rankings_of(codes)[:MOST_RANKINGS], by=access.by, form=sent
        ),
        about=(pk, *codes),
        done=_("These rankings are now shown first."),
        back=access.address("standings:rankings", stage.division.slug, stage.slug),
    )


def _rankings_of(codes: Iterable[str]) -> list[Ranking]:
    return [ranking for code in codes if (ranking := _ranking_of(code))]


def _ranking_of(code: str) -> Ranking | None:
    kind, _dash, number = code.partition("-")
    if not re.fullmatch("[0-9]{1,5}", number, re.ASCII):
        return None
    try:
        return Ranking(kind, int(number))
    except ValueError:
        return None


# --- players


@public_page(sort=PlayersTable.sorts(), page=PAGES, q=ANY)
def players(request: HttpRequest, access: Access) -> HttpResponse:
    lines = listed_entrants(access.competition)

    def table() -> str:
        return PlayersTable(lines, request=request, slug=access.competition.slug).as_html(request)

    cached_table = fragment(request, access, "players", table)
    return page(request, access, "standings/players.html", lines=lines, table=cached_table)


def _in_hands(access: Access, pk: int) -> list[tuple[int, bool]]:
    penalties = penalties_in_hands_of(pk, access.rounds(), public=True)
    return [(penalty.pk, penalty.waits) for penalty in penalties]


@public_page(_in_hands)
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
        held=[
            line
            for line in Wordings().lines(penalties_in_hands_of(pk, access.rounds(), public=public))
            if line.at_table.until_the_end
        ],
        records=[_record_context(record) for record in records],
        several_divisions=len({choice.stage.division_id for choice in choices}) > 1,
        stages=[choice.stage for choice in choices],
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
