"""The organizer's work on stages: the cut to a final looked at and made, lots drawn, a stage undone."""

import secrets
from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.competitions.services import (
    add_stage,
)
from league.core import pages
from league.core.access import Access, Can, enter
from league.core.changes import sent_before
from league.core.errors import AlreadyDone, Refused
from league.core.forms import KeyedForm, attempt
from league.core.pages import SEEDS, SignedIn, page_before, sent
from league.models import Competition, Stage
from league.people.queries import candidates, players_of
from league.seasons.services import (
    set_numbers,
)
from league.stages.forms import AskedCutForm, CutForm, LotsForm, MakeCutForm, NumbersForm, StageForm
from league.stages.panels import (
    Drawing,
    drawing,
    in_words,
    story_context,
    team_drawing,
)
from league.stages.queries import (
    CutPlan,
    Decision,
    Draw,
    changed_since,
    draws_of,
    equal_players,
    gone_players,
    plan_cut,
    results_in,
    seats_in,
    stages_of_division,
    story_of,
    unfinished_rounds,
)
from league.stages.services import cut_stage, draw, refuse_cut, refuse_seating, refuse_undo, undo_stage
from league.teams.queries.cuts import (
    TeamCutPlan,
    equal_teams,
    team_draws_of,
    teams_changed_since,
)
from league.teams.queries.teams import teams_of
from league.teams.services.cuts import draw_between_teams
from scoring.standings import LOTS

FIRST_OUT = 8  # of those who are out stand open; the others are folded away


# --- the cut


@require_http_methods(["GET", "HEAD", "POST"])
def stage_cut(request: SignedIn, slug: str, division: str) -> HttpResponse:
    """Look at a cut, as it is asked for in the address; and make the one that was looked at."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    stages = stages_of_division(found)
    form = CutForm(
        request.GET if "top" in request.GET else None, stages=stages, people=candidates(access.competition)
    )
    make = MakeCutForm(request.POST if request.method == "POST" else None)
    source = source_of(form, stages)
    if source is not None and make.is_bound and make.is_valid():
        made = _make(request, form, make, source)
        if made is not None:
            messages.success(request, made_sentence(made))
            return redirect("stages:stage", slug, made.pk)
    page = {"form": form, "division": found, "make": make, **_preview(access, form, source)}
    return render(request, "stages/cut.html", pages.context(access) | page)


def source_of(form: AskedCutForm, stages: Sequence[Stage]) -> Stage | None:
    """The stage that is cut; None while the form is not filled in well."""
    if not form.is_valid():
        return None
    return next(stage for stage in stages if stage.pk == form.cleaned_data["source"])


def _make(request: SignedIn, form: CutForm, make: MakeCutForm, source: Stage) -> Stage | None:
    typed = form.cleaned_data
    return made_by(
        make,
        lambda: cut_stage(
            source=source,
            name=typed["name"],
            terms=form.terms(),
            carry=typed["carry"],
            hanchan=typed["hanchan"],
            seated=typed["seated"] == "now" and typed["hanchan"] > 0,
            seed=secrets.randbelow(SEEDS),
            seen=make.cleaned_data["seen"],
            by=request.user,
            form=make.submission(source.pk, {name: str(value) for name, value in typed.items()}),
        ),
    )


def made_by(make: MakeCutForm, write: Callable[[], Stage]) -> Stage | None:
    """The stage that this form makes, or made when it came before; None when it was refused."""
    try:
        return write()
    except AlreadyDone as done:
        return Stage.objects.filter(pk=int(str(done.answer["stage"]))).first()
    except Refused as refusal:
        make.add_error(None, str(refusal))
        return None


def made_sentence(stage: Stage) -> str:
    players = stage.qualified.count()
    sentence = ngettext(
        "%(name)s is there, with %(count)s player.", "%(name)s is there, with %(count)s players.", players
    )
    return sentence % {"name": stage.name, "count": players}


def _preview(access: Access, form: CutForm, source: Stage | None) -> dict[str, object]:
    """What the page shows of the cut: nothing before it is asked for."""
    if source is None:
        return {}
    plan = plan_cut(source, form.terms(), form.cleaned_data["carry"])
    return shown_cut(plan, _refusal(plan, form)) | {
        "draws": () if plan.unfinished else [drawing(plan.named(each)) for each in plan.cut.open],
        "drawn": draws_of(source, plan.people),
        "out": plan.out[:FIRST_OUT],
        "further_out": plan.out[FIRST_OUT:],
        "brings": form.cleaned_data["carry"] != Stage.Carry.NONE or bool(plan.terms.head_starts),
        "sits_out": len(plan.inside) == 5 and form.cleaned_data["seated"] == "now",
    }


def shown_cut(plan: CutPlan | TeamCutPlan, why_not: str) -> dict[str, object]:
    """What the page shows of a cut, whether players or teams are cut."""
    return {
        "source": plan.source,
        "plan": plan,
        "why_not": why_not,
        "fresh": MakeCutForm(initial={"seen": plan.fingerprint}),
        "decided": [
            in_words(Decision(tuple(plan.named(each.inside)), tuple(plan.named(each.outside)), each.by))
            for each in plan.cut.decided
        ],
        "gone": plan.named(plan.cut.gone),
        "moved_up": plan.named(plan.cut.moved_up),
    }


def _refusal(plan: CutPlan, form: CutForm) -> str:
    """Why this cut cannot be made, and what to do; empty if it can."""
    try:
        refuse_cut(plan)
        if form.cleaned_data["seated"] == "now" and form.cleaned_data["hanchan"]:
            refuse_seating(len(plan.inside), form.cleaned_data["hanchan"])
    except Refused as refusal:
        return str(refusal)
    return ""


# --- what decided, in words


# --- a stage


@require_safe
def stage_page(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    """Who plays in a stage and how they came into it; lots for those who are equal; undoing it."""
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = get_object_or_404(access.stages(), pk=pk)
    every = stages_of_division(stage.division)
    story = story_of(stage, every)
    page: dict[str, object] = {
        "stage": stage,
        "undo": KeyedForm(),
        "stays": _stays(stage),
        "draws": _drawings(stage),
        "lots_count": LOTS in access.competition.tie_breaks,
        "drawn": _drawn(stage, access.competition),
        "gone_players": gone_players(access.competition),
    }
    if story is not None and story.source is not None:
        source = next(each for each in every if each.pk == story.source.pk)
        changed = teams_changed_since if stage.team_cut else changed_since
        page |= {"changed": changed(stage, source)}
    return render(
        request,
        "stages/stage.html",
        pages.context(access) | page | (story_context(story) if story else {}),
    )


def _stays(stage: Stage) -> str:
    """Why the stage cannot be undone; empty if it can."""
    try:
        refuse_undo(stage)
    except Refused as refusal:
        return str(refusal)
    return ""


def _drawings(stage: Stage) -> list[Drawing]:
    """Who shares a rank at the end of the stage, teams too; nobody before its end, and nobody without a
    hanchan.
    """
    if not results_in(stage) or unfinished_rounds(stage):
        return []
    found = [
        drawing([line.player for line in equal])
        for equal in equal_players(stage)
        if all(line.row.games for line in equal)
    ]
    if not _with_teams(stage.division.competition):
        return found
    return found + [
        team_drawing([line.team for line in equal])
        for equal in equal_teams(stage)
        if all(line.row.games for line in equal)
    ]


def _drawn(stage: Stage, competition: Competition) -> tuple[Draw, ...]:
    """The lots drawn between players, then those between teams."""
    drawn = draws_of(stage, players_of(competition))
    if not _with_teams(competition):
        return drawn
    return drawn + team_draws_of(stage, teams_of(competition))


def _with_teams(competition: Competition) -> bool:
    return competition.team_play != Competition.TeamPlay.NONE


@require_POST
def stage_lots(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = get_object_or_404(access.stages(), pk=pk)
    form = LotsForm(request.POST)

    def write() -> object:
        named, seed = form.cleaned_data["players"], secrets.randbelow(SEEDS)
        sent = form.submission(stage.pk)
        if form.cleaned_data["teams"]:
            return draw_between_teams(stage=stage, teams=named, seed=seed, by=request.user, form=sent)
        return draw(stage=stage, players=named, seed=seed, by=request.user, form=sent)

    return _pressed(request, form, write, _("The lots are drawn."), reverse("stages:stage", args=[slug, pk]))


@require_POST
def stage_undo(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    form = KeyedForm(request.POST)
    manage = reverse("competitions:manage", args=[slug])
    stage = access.stages().filter(pk=pk).first()
    if stage is None and form.is_valid() and sent_before(form.submission(pk)):
        return HttpResponseRedirect(manage)  # this very form undid it; the first answer says so
    stage = stage or get_object_or_404(access.stages(), pk=pk)
    said = _("%(name)s is undone.") % {"name": stage.name}
    there = reverse("stages:stage", args=[slug, pk])
    return _pressed(
        request,
        form,
        lambda: undo_stage(stage=stage, by=request.user, form=form.submission(pk)),
        said,
        there,
        then=manage,
    )


def _pressed(
    request: SignedIn,
    form: KeyedForm,
    write: Callable[[], object],
    said: str,
    page: str,
    *,
    then: str = "",
) -> HttpResponseRedirect:
    """Do what a button asked for and go back to its page with what was said, or on to ``then``."""
    back = page_before(request, page)
    if not form.is_valid():
        messages.error(request, _("This button was out of date. Try again from this page."))
    elif attempt(form, write):
        messages.success(request, said)
        return HttpResponseRedirect(then or back)
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return HttpResponseRedirect(back)


@require_http_methods(["GET", "HEAD", "POST"])
def stage_numbers(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = get_object_or_404(access.stages(), pk=pk)
    form = NumbersForm(sent(request), stage=stage)
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: set_numbers(
                stage=stage,
                numbers=form.numbers(),
                reason=form.cleaned_data["reason"],
                by=request.user,
                form=form.submission(stage.pk),
            ),
        )
        if done:
            messages.success(request, _("The numbers of hanchan are saved."))
            return redirect("stages:stage", slug, stage.pk)
    page = {"form": form, "stage": stage, "tables": seats_in(stage)}
    return render(request, "stages/numbers.html", pages.context(access) | page)


@require_http_methods(["GET", "HEAD", "POST"])
def stage_new(request: SignedIn, slug: str, division: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    form = StageForm(sent(request), initial={"carry": "none"})
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: add_stage(
                division=found,
                name=form.cleaned_data["name"],
                carry=form.cleaned_data["carry"],
                numbers=form.numbers(),
                by=request.user,
                form=form.submission(found.pk),
            ),
        )
        if done:
            messages.success(request, _("%(name)s is there.") % {"name": form.cleaned_data["name"]})
            return redirect("competitions:manage", slug)
    return render(request, "stages/new.html", pages.context(access) | {"form": form, "division": found})
