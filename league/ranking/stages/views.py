from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can
from league.core.errors import find_refusal
from league.core.forms import KeyedForm
from league.core.pages import (
    Answer,
    Asked,
    draw_seed,
    page,
    page_before,
    posted,
    presses,
    reads,
    save,
    saves,
    writes,
)
from league.models import Competition, Division, Stage, Table
from league.people.members.queries import candidates, players_of
from league.ranking.stages.forms import (
    CutFields,
    CutForm,
    LotsForm,
    MakeCutForm,
    NumbersForm,
    StageForm,
    TeamCutForm,
)
from league.ranking.stages.panels import drawing, in_words, story_context
from league.ranking.stages.queries import (
    Decision,
    Info,
    changed_since,
    draws_of,
    equal_rows,
    gone_players,
    infos_of,
    plan_cut,
    results_in,
    stages_of_division,
    story_of,
    unfinished_rounds,
)
from league.ranking.stages.services import (
    add_stage,
    cut_stage,
    draw,
    refuse_cut,
    refuse_seating,
    refuse_undo,
    set_numbers,
    undo_stage,
)
from league.ranking.stages.tables import CutTable, TeamCutTable
from league.ranking.teams.queries import teams_of
from scoring.standings import LOTS

FIRST_OUT = 8  # players who are out, listed by name; the others are counted


# --- the cut


@writes(Can.ORGANIZE)
def cut(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    own_division = access.division(division)
    people = candidates(access.competition)
    has_teams = access.competition.team_play != Competition.TeamPlay.NONE
    stages = stages_of_division(own_division)
    form = partial(CutForm, stages=stages, people=people, has_teams=has_teams)
    return _cut_page(request, access, "stages/cut.html", own_division, form)


@writes(Can.ORGANIZE)
def team_cut(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    own_division = access.division(division)
    teams = teams_of(access.competition).values()
    stages = [stage for stage in stages_of_division(own_division) if stage.counts_for_teams]
    form = partial(TeamCutForm, stages=stages, teams=teams)
    return _cut_page(request, access, "stages/team_cut.html", own_division, form)


def _cut_page(
    request: HttpRequest,
    access: Access,
    template: str,
    division: Division,
    fill: Callable[[QueryDict], CutFields],
) -> HttpResponse:
    """Show the cut of the address, or the one that is proposed first."""
    make, form = MakeCutForm(posted(request)), fill(request.GET)
    if not form.is_bound and (proposal := form.proposal) is not None:
        form = fill(proposal)
    if not form.is_valid():
        return page(request, access, template, form=form, division=division, make=make)
    wanted = form.values()

    def done(answer: Answer) -> str:
        count = answer["players"]
        sentence = ngettext(
            "%(name)s created with %(count)s player.", "%(name)s created with %(count)s players.", count
        )
        return sentence % {"name": wanted["name"], "count": count}

    return save(
        request,
        make,
        lambda sent: cut_stage(**wanted, **make.values(), seed=draw_seed(), by=access.by, form=sent),
        about=(wanted["source"].pk, {name: str(value) for name, value in form.cleaned_data.items()}),
        done=done,
        then=access.address("competitions:manage"),
    ) or page(
        request,
        access,
        template,
        form=form,
        division=division,
        make=make,
        **_preview_cut(request, form, **wanted),
    )


def _preview_cut(
    request: HttpRequest,
    form: CutFields,
    *,
    source: Stage,
    carry: str,
    hanchan: int,
    seated: bool = False,
    of_teams: bool = False,
    **wanted: object,
) -> dict[str, Any]:
    plan = plan_cut(source, form.terms(), carry, of_teams=of_teams)

    def check() -> None:
        refuse_cut(plan)
        if seated:
            refuse_seating(len(plan.inside), hanchan)

    table, open_lines = (TeamCutTable, len(plan.out)) if of_teams else (CutTable, FIRST_OUT)
    brings = carry != Stage.Carry.NONE or plan.terms.head_starts
    without = () if brings else ("brought",)
    return {
        "source": source,
        "plan": plan,
        "why_not": find_refusal(check),
        "fresh": MakeCutForm(initial={"seen": plan.fingerprint}),
        "decided": [
            in_words(Decision(infos_of(each.inside, plan.known), infos_of(each.outside, plan.known), each.by))
            for each in plan.cut.decided
        ],
        "gone": infos_of(plan.cut.gone, plan.known),
        "moved_up": infos_of(plan.cut.moved_up, plan.known),
        "draws": () if plan.unfinished else [drawing(infos_of(each, plan.known)) for each in plan.cut.open],
        "drawn": draws_of(source, plan.known, of_teams=of_teams),
        "table": table([*plan.inside, *plan.out[:open_lines]], request=request, without=without),
        "further_out": plan.out[open_lines:],
        "sits_out": len(plan.inside) == 5 and form.cleaned_data.get("seated") == "now",
    }


# --- a stage


@reads(Can.ORGANIZE)
def stage(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    stage = access.stage(pk)
    story = story_of(stage, stages_of_division(stage.division))
    source = story.source if story else None
    known = _infos(access.competition)
    return page(
        request,
        access,
        "stages/stage.html",
        stage=stage,
        undo=KeyedForm(),
        stays=find_refusal(lambda: refuse_undo(stage)),
        draws=[] if not results_in(stage) or unfinished_rounds(stage) else _equals(stage, known),
        lots_count=LOTS in access.competition.tie_breaks,
        drawn=[
            each for of_teams, infos in known.items() for each in draws_of(stage, infos, of_teams=of_teams)
        ],
        gone_players=gone_players(stage),
        changed=changed_since(stage, source) if source else None,
        **(story_context(request, story) if story else {}),
    )


def _infos(competition: Competition) -> dict[bool, Mapping[int, Info]]:
    infos: dict[bool, Mapping[int, Info]] = {False: players_of(competition)}
    if competition.team_play != Competition.TeamPlay.NONE:
        infos[True] = teams_of(competition)
    return infos


def _equals(stage: Stage, known: Mapping[bool, Mapping[int, Info]]) -> list[tuple[Sequence[Info], LotsForm]]:
    """Return who shares a rank at the end of the stage and has played, with the form that draws lots."""
    return [
        drawing(infos_of((row.player for row in rows), infos))
        for of_teams, infos in known.items()
        for rows in equal_rows(stage, of_teams=of_teams)
        if all(row.games for row in rows)
    ]


@presses(Can.ORGANIZE, done=gettext_lazy("Lots drawn."))
def lots(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(
        partial(draw, stage=access.stage(pk), seed=draw_seed()),
        LotsForm(request.POST),
        then=page_before(request, access.address("stages:stage", pk)),
    )


@presses(Can.ORGANIZE, gone="competitions:manage")
def undo(request: HttpRequest, access: Access, pk: int) -> Asked:
    stage = access.stage(pk)
    return Asked(
        partial(undo_stage, stage=stage),
        then=access.address("competitions:manage"),
        back=page_before(request, access.address("stages:stage", pk)),
        done=_("%(name)s undone.") % {"name": stage.name},
    )


@saves(Can.ORGANIZE, "stages/numbers.html", done=gettext_lazy("Numbers of games saved."))
def numbers(request: HttpRequest, access: Access, pk: int) -> Asked:
    stage = access.stage(pk)
    return Asked(
        partial(set_numbers, stage=stage),
        NumbersForm(posted(request), stage=stage),
        then=access.address("stages:stage", pk),
        stage=stage,
        tables=Table.objects.filter(round__stage=stage).exists(),
    )


@saves(Can.ORGANIZE, "stages/new.html", done=gettext_lazy("%(name)s created."))
def new(request: HttpRequest, access: Access, division: str) -> Asked:
    own_division = access.division(division)
    return Asked(
        partial(add_stage, division=own_division),
        StageForm(posted(request)),
        then=access.address("competitions:manage"),
        division=own_division,
    )
