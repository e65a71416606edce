"""The cut of teams to the next stage: looked at as the address asks for it, and made."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from league.core.access import Can, enter
from league.core.errors import Refused
from league.core.pages import SignedIn, context
from league.models import Stage
from league.stages.forms import MakeCutForm, TeamCutForm
from league.stages.panels import team_drawing
from league.stages.queries import stages_of_division
from league.stages.views.stages import made_by, made_sentence, shown_cut, source_of
from league.teams.queries.cuts import TeamCutPlan, plan_team_cut, team_draws_of
from league.teams.queries.teams import teams_of
from league.teams.services.cuts import cut_teams, refuse_team_cut


@require_http_methods(["GET", "HEAD", "POST"])
def team_cut(request: SignedIn, slug: str, division: str) -> HttpResponse:
    """Look at which teams would go on with their players; and make the cut that was looked at."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    stages = stages_of_division(found)
    form = TeamCutForm(
        request.GET if "top" in request.GET else None,
        stages=stages,
        teams=teams_of(access.competition).values(),
    )
    make = MakeCutForm(request.POST if request.method == "POST" else None)
    source = source_of(form, stages)
    if source is not None and make.is_bound and make.is_valid():
        made = _make(request, form, make, source)
        if made is not None:
            messages.success(request, made_sentence(made))
            return redirect("stages:stage", slug, made.pk)
    page = {"form": form, "division": found, "make": make, **_preview(form, source)}
    return render(request, "stages/team_cut.html", context(access) | page)


def _make(request: SignedIn, form: TeamCutForm, make: MakeCutForm, source: Stage) -> Stage | None:
    typed = form.cleaned_data
    return made_by(
        make,
        lambda: cut_teams(
            source=source,
            name=typed["name"],
            top=typed["top"],
            picked=typed["picked"],
            carry=typed["carry"],
            hanchan=typed["hanchan"],
            seen=make.cleaned_data["seen"],
            by=request.user,
            form=make.submission(source.pk, {name: str(value) for name, value in typed.items()}),
        ),
    )


def _preview(form: TeamCutForm, source: Stage | None) -> dict[str, object]:
    """What the page shows of the cut: nothing before it is asked for."""
    if source is None:
        return {}
    typed = form.cleaned_data
    plan = plan_team_cut(source, top=typed["top"], picked=typed["picked"], carry=typed["carry"])
    return shown_cut(plan, _refusal(plan)) | {
        "draws": () if plan.unfinished else [team_drawing(plan.named(each)) for each in plan.cut.open],
        "drawn": team_draws_of(source, plan.teams),
        "out": plan.out,
        "brings": typed["carry"] != Stage.Carry.NONE,
    }


def _refusal(plan: TeamCutPlan) -> str:
    """Why this cut cannot be made, and what to do; empty if it can."""
    try:
        refuse_team_cut(plan)
    except Refused as refusal:
        return str(refusal)
    return ""
