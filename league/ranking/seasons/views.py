from functools import partial

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can, visible_competitions
from league.core.errors import find_refusal
from league.core.pages import Asked, draw_seed, page, posted, presses, save, saves, writes
from league.ranking.seasons.forms import CopyForm, MakeSeasonForm, MovementForm, PlayOffForm, SeasonForm
from league.ranking.seasons.queries import PlayOffEnd, SeasonEnd, end_of, end_under, season_facts
from league.ranking.seasons.services import (
    copy_competition,
    make_next_season,
    make_play_off,
    refuse_next_season,
    refuse_play_off,
    set_movements,
)
from league.ranking.seasons.tables import DivisionEndTable, SizesTable
from league.ranking.seasons.words import problem_words
from league.ranking.stages.panels import drawing


@saves(Can.ORGANIZE, "seasons/copy.html", done=gettext_lazy("%(name)s created."))
def copy(request: HttpRequest, access: Access) -> Asked:
    return Asked(
        partial(copy_competition, competition=access.competition),
        CopyForm(posted(request)),
        then=lambda answer: reverse("competitions:manage", args=[answer["slug"]]),
    )


@writes(Can.ORGANIZE)
def movement(request: HttpRequest, access: Access) -> HttpResponse:
    """Set who moves at the end. `preview` shows the next season's numbers of players and saves nothing."""
    facts = season_facts(access.competition)
    form = MovementForm(posted(request), divisions=facts.divisions)
    saves = "preview" not in request.POST
    answer = saves and save(
        request,
        form,
        lambda sent: set_movements(competition=access.competition, **form.values(), by=access.by, form=sent),
        about=(access.competition.pk,),
        done=_("Promotion and relegation saved."),
        then=access.address("seasons:movement"),
    )
    if answer:
        return answer
    end = end_under(facts, form.values()["movements"] if form.is_valid() else {})
    return page(
        request,
        access,
        "seasons/movement.html",
        status=0 if saves or form.errors else 200,
        form=form,
        sizes=SizesTable(end.divisions, request=request),
        problems=[problem_words(problem, facts.divisions) for problem in end.season.problems],
    )


# --- the end of a season


@gzip_page
@writes(Can.ORGANIZE)
def end(request: HttpRequest, access: Access) -> HttpResponse:
    facts = season_facts(access.competition)
    plain = end_of(facts, {})
    form = SeasonForm(
        request.GET,
        competition=access.competition,
        players=[
            line.info
            for division in plain.divisions
            for line in division.lines
            if line.move.why != "withdrawn"
        ],
        divisions=[division.division for division in plain.divisions],
    )
    make = MakeSeasonForm(posted(request))
    asked = form.is_valid()
    by_hand = form.by_hand() if asked else {}
    if asked and (
        answer := save(
            request,
            make,
            lambda sent: make_next_season(
                competition=access.competition, **form.values(), **make.values(), by=access.by, form=sent
            ),
            about=(access.competition.pk, {name: str(value) for name, value in form.cleaned_data.items()}),
            done=lambda _answer: _("%(name)s created.") % {"name": form.cleaned_data["name"]},
            then=lambda answer: reverse("competitions:manage", args=[answer["slug"]]),
        )
    ):
        return answer
    preview = end_of(facts, by_hand) if by_hand else plain
    return page(
        request,
        access,
        "seasons/end.html",
        end=preview,
        divisions=[DivisionEndTable(division, request=request) for division in preview.divisions],
        form=form,
        make=make,
        asked=asked,
        why_not=find_refusal(lambda: refuse_next_season(preview, access.by)),
        fresh=MakeSeasonForm(initial={"seen": preview.fingerprint}),
        draws=[] if preview.unfinished else [(stage, [drawing(players)]) for stage, players in preview.open],
        play_offs=[(each, _play_off_form(each, preview)) for each in preview.play_offs],
        earlier=visible_competitions(access.user).filter(pk=access.competition.previous_id or 0).first(),
        later=visible_competitions(access.user).filter(previous=access.competition),
        ranks_count="previous_rank" in access.competition.tie_breaks,
    )


def _play_off_form(each: PlayOffEnd, end: SeasonEnd) -> PlayOffForm | None:
    if each.stage is not None or find_refusal(lambda: refuse_play_off(end)):
        return None
    hanchan = 4 if len(each.players) % 4 == 0 else 2
    return PlayOffForm(initial={"seen": end.fingerprint, "hanchan": hanchan})


@presses(Can.ORGANIZE)
def play_off(request: HttpRequest, access: Access, division: str) -> Asked:
    form = PlayOffForm(request.POST)
    return Asked(
        partial(make_play_off, upper=access.division(division), seed=draw_seed()),
        form,
        done=lambda _answer: _("%(name)s created.") % {"name": form.cleaned_data["name"]},
        back=access.address("seasons:end"),
        then=access.address("competitions:manage"),
    )
