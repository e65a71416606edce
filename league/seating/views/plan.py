"""Making a seating: asked for, searched, looked at, accepted."""

import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.core.access import Access, Can, enter
from league.core.errors import Refused
from league.core.forms import KeyedForm, attempt
from league.core.pages import SignedIn, context, sent
from league.models import Competition, Round, SeatingDraft, Stage
from league.people.queries import candidates
from league.seating.forms.plan import SEEDS, AcceptForm, AskForm, SearchForm
from league.seating.queries.checks import checks, substitutions
from league.seating.queries.review import Review, RoundShown, review
from league.seating.queries.seating import PLAN, SCHEDULE, Asked, Ground, draft_of, ground_of, last_asked
from league.seating.services.drafts import (
    RUNNING,
    accept_seating,
    begin_seating,
    draft_state,
    drop_seating,
    is_stale,
    plan_of,
    refuse_stale,
    search_longer,
    search_on,
    seen_state,
    stop_search,
    try_again,
)

FIRST_SHOWN = 20  # pairs that meet again stand open; the others are folded away
MOST_TABLES_SHOWN = 150  # on one page; of a larger plan one round at a time
WISHES = (
    "tables",
    "clubs",
    "countries",
    "forbidden",
    "wished",
    "fixed",
)  # not folded away where there are some
USUAL_ROUNDS = 8  # proposed for an event that has no round yet


def _stage(access: Access, pk: int) -> Stage:
    return get_object_or_404(access.stages(), pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seating(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    """What is being made, if anything is; else, and with ``?new=1``, the form that asks for it."""
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = _stage(access, pk)
    draft = draft_of(stage)
    if request.method != "POST" and draft is not None and "new" not in request.GET:
        return _draft_page(request, access, stage, draft)
    ground = ground_of(stage)
    form = _ask_form(request, access, ground)
    if request.method != "POST":
        return _ask_page(request, access, ground, form, draft)
    if form.is_valid() and _begin(form, stage, request):
        return redirect("seating:plan", slug, pk)
    return _ask_page(request, access, ground, form, draft, status=HTTPStatus.UNPROCESSABLE_ENTITY)


# --- asked for


def _ask_form(request: SignedIn, access: Access, ground: Ground) -> AskForm:
    before = last_asked(ground.stage)
    first = _first(request, ground)
    return AskForm(
        sent(request),
        request.FILES if request.method == "POST" else None,
        ground=ground,
        people=candidates(access.competition),
        before=before,
        first=first,
        rounds=_usual_rounds(ground, before, first),
        initial={"seen": seen_state(ground.stage)},
    )


def _first(request: HttpRequest, ground: Ground) -> int | None:
    """The round from whose button the organizer came; else the first that is not seated; or where all are the
    first in which somebody has a seat who left, or somebody who came late has none.
    """
    asked = request.GET.get("round", "")
    for each in ground.rounds:
        if asked == str(each.round.pk) and each.round.status != Round.Status.CLOSED and not each.sheets:
            return int(each.round.pk)
    (target,) = ground.targets(None, 1)
    again = ground.left_behind() or (ground.prepared if ground.newcomers() else [])
    return again[0].round.pk if target.round is None and again else target.round


def _usual_rounds(ground: Ground, before: Asked | None, first: int | None) -> int:
    """As many as wait to be seated; for an event without rounds what was asked before, or a usual number."""
    waiting = sum(target.round is not None for target in ground.targets(first, len(ground.rounds)))
    if waiting > 1 or ground.rounds:
        return max(waiting, 1)
    event = ground.stage.division.competition.kind == Competition.Kind.EVENT
    return before.rounds if before else USUAL_ROUNDS if event else 1


def _begin(form: AskForm, stage: Stage, request: SignedIn) -> bool:
    seed = form.cleaned_data["seed"]
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    try:
        asked = form.asked(seed=seed)
    except ValidationError as error:
        form.add_error("plan_text", error)
        return False
    return attempt(
        form,
        lambda: begin_seating(
            stage=stage,
            asked=asked,
            seed=seed,
            seen=form.cleaned_data["seen"],
            sitting_out=form.sitting_out,
            by=request.user,
            form=form.submission(stage.pk),
        ),
    )


def _ask_page(
    request: SignedIn,
    access: Access,
    ground: Ground,
    form: AskForm,
    draft: SeatingDraft | None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    page = {
        "stage": ground.stage,
        "form": form,
        "draft": draft,
        "checks": checks(ground, _as_it_stands(form)),
        "pool": [
            (ground.people[player], str(player) in (form["out"].value() or [])) for player in ground.pool
        ],
        "has_wishes": any(form[name].value() for name in WISHES),
        "bans": [ground.banned[player] for player in ground.pool if player in ground.banned],
        "labels": list(form.labels.values()),
        "asks_unfinished": any(each.is_unfinished for each in ground.rounds),
    }
    return render(request, "seating/plan.html", context(access) | page, status=status)


def _as_it_stands(form: AskForm) -> Asked:
    """What the form would ask for as it stands, as far as what speaks against it depends on that."""
    first = str(form["first"].value() or "")
    out = [str(player) for player in form["out"].value() or []]
    rounds = str(form["rounds"].value() or "")
    return Asked(
        method=str(form["method"].value() or SCHEDULE),
        rounds=int(rounds) if rounds.isascii() and rounds.isdigit() and len(rounds) < 3 else 1,
        first=int(first) if first.isascii() and first.isdigit() and len(first) <= 18 else None,
        out=frozenset(int(player) for player in out if player.isascii() and player.isdigit()),
        fill=str(form["fill"].value() or ""),
    )


# --- looked at


def _draft_page(request: SignedIn, access: Access, stage: Stage, draft: SeatingDraft) -> HttpResponse:
    ground = ground_of(stage)
    found = _found(draft, ground)
    page = {
        "stage": stage,
        "draft": draft,
        "shown": _shown(request, cast("Review | None", found["review"])),
        "stale": _why_stale(draft, ground),
        "substitutions": list(substitutions(ground, Asked.of_json(draft.asked), draft.asked["players"])),
        "accept": AcceptForm(initial={"seen": draft_state(draft)}),
        "drop": KeyedForm(),
        "may_try_again": draft.asked.get("method") != PLAN,
        "first_shown": f":{FIRST_SHOWN}",
        "then_shown": f"{FIRST_SHOWN}:",
        "many": FIRST_SHOWN,
    }
    return render(request, "seating/draft.html", context(access) | page | found)


def _found(draft: SeatingDraft, ground: Ground) -> dict[str, object]:
    """How far the search is, and what the best plan so far is like; not of a plan whose rounds changed."""
    search = draft.search
    legs = search["state"]["legs"] if "state" in search else 0
    stale = is_stale(draft, ground)
    shown = None
    if stale != "rounds" and ground.people.keys() >= set(draft.asked["players"]):
        shown = review(ground, Asked.of_json(draft.asked), plan_of(draft), draft.asked["players"])
    return {
        "review": shown,
        "search": search,
        "running": search.get("status") == RUNNING and not stale,
        "percent": min(100, 100 * legs // search["budget"]) if search.get("budget") else 0,
        "numbers": draft.asked["numbers"],
    }


def _shown(request: SignedIn, plan: Review | None) -> list[RoundShown]:
    """The rounds whose tables stand on the page: all, or of a large plan the one that was asked for."""
    if plan is None or plan.tables <= MOST_TABLES_SHOWN:
        return list(plan.rounds) if plan else []
    asked = request.GET.get("show", "")
    return [each for each in plan.rounds if str(each.number) == asked] or [plan.rounds[0]]


def _why_stale(draft: SeatingDraft, ground: Ground) -> str:
    try:
        refuse_stale(draft, ground)
    except Refused as refusal:
        return str(refusal)
    return ""


# --- searched


@never_cache
@require_POST
def seating_search(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    """One slice of the search, or its end, or another try; a script is answered with the progress alone."""
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = _stage(access, pk)
    draft = draft_of(stage)
    form = SearchForm(request.POST)
    if draft is None:
        messages.error(request, _("This seating was accepted or dropped a moment ago."))
        return redirect("seating:plan", slug, pk)
    draft.stage = stage
    if form.is_valid():
        _search(request, form, draft)
    elif form.errors:
        messages.error(request, _("This button was out of date. Try again from this page."))
    if request.headers.get("X-Requested-With") != "fetch":
        return redirect("seating:plan", slug, pk)
    fresh = draft_of(stage)
    if fresh is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    page = context(access) | {"stage": stage, "draft": fresh} | _found(fresh, ground_of(stage))
    return render(request, "seating/_search.html", page)


def _search(request: SignedIn, form: SearchForm, draft: SeatingDraft) -> None:
    what = form.cleaned_data["do"]
    steps: dict[str, Callable[[], object]] = {
        SearchForm.ON: lambda: search_on(draft=draft),
        SearchForm.STOP: lambda: stop_search(draft=draft),
        SearchForm.LONGER: lambda: search_longer(draft=draft),
        SearchForm.AGAIN: lambda: _again(request, form, draft),
    }
    try:
        steps[what]()
    except Refused as refusal:
        messages.error(request, str(refusal))


def _again(request: SignedIn, form: SearchForm, draft: SeatingDraft) -> None:
    seed = form.cleaned_data["seed"]
    _kept, held = try_again(draft=draft, seed=secrets.randbelow(SEEDS) if seed is None else seed)
    if held:
        messages.success(request, _("Here is another plan. It is as good as the one before, or better."))
    elif draft.search.get("status") == RUNNING:
        messages.info(request, _("Another plan is being searched for. The better one is kept."))
    else:
        messages.info(request, _("The new plan was not better: the one before is kept."))


# --- accepted, dropped


@never_cache
@require_POST
def seating_accept(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = _stage(access, pk)
    form = AcceptForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This button was out of date. Try again from this page."))
        return redirect("seating:plan", slug, pk)
    made: list[list[Round]] = []
    done = attempt(
        form,
        lambda: made.append(
            accept_seating(
                stage=stage,
                seen=form.cleaned_data["seen"],
                by=request.user,
                form=form.submission(stage.pk),
            )
        ),
    )
    if not done:
        for sentence in form.non_field_errors():
            messages.error(request, str(sentence))
        return redirect("seating:plan", slug, pk)
    messages.success(request, _accepted_sentence(made[0] if made else []))
    return redirect("competitions:manage", slug)


def _accepted_sentence(rounds: list[Round]) -> str:
    numbers = [round_.number for round_ in rounds]
    if not numbers:
        return _("The rounds are seated.")
    if len(numbers) == 1:
        return _("Round %(number)s is seated. Open it when play begins.") % {"number": numbers[0]}
    return _("Rounds %(first)s to %(last)s are seated. Open each when its play begins.") % {
        "first": numbers[0],
        "last": numbers[-1],
    }


@never_cache
@require_POST
def seating_drop(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = _stage(access, pk)
    form = KeyedForm(request.POST)
    if form.is_valid() and attempt(
        form, lambda: drop_seating(stage=stage, by=request.user, form=form.submission("drop", stage.pk))
    ):
        messages.success(request, _("Nothing was seated. What you asked for is kept for the next time."))
        return redirect("competitions:manage", slug)
    messages.error(request, _("This button was out of date. Try again from this page."))
    return redirect("seating:plan", slug, pk)
