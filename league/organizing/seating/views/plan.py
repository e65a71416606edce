"""Pages for a seating: request, search, review, accept."""

from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.errors import Refused
from league.core.files.list_forms import as_chosen, choices_of_columns
from league.core.limits import takes_up_to
from league.core.pages import INCOMPLETE, Asked, draw_seed, page, posted, presses, save, takes, writes
from league.core.tasks import enqueue_once
from league.core.text import reads_han
from league.core.zones import day_of_play
from league.models import Competition, Round, SeatingDraft, Stage
from league.organizing.seating.forms.by_hand import seat_labels
from league.organizing.seating.forms.plan import (
    COLUMN_WORDS,
    WEIGHS_WORDS,
    AcceptForm,
    AskForm,
    NumbersForm,
    SearchForm,
)
from league.organizing.seating.queries.checks import checks, shared_tables, substitutions
from league.organizing.seating.queries.lists import GridRow
from league.organizing.seating.queries.review import Review, ReviewedRound, review
from league.organizing.seating.queries.seating import (
    FEW,
    METHODS,
    PLAN,
    SCHEDULE,
    PlanRequest,
    SeatingFacts,
    draft_of,
    last_request,
    players_by_number,
    seating_facts,
)
from league.organizing.seating.services.drafts import (
    RUNNING,
    accept_seating,
    begin_seating,
    draft_state,
    drop_seating,
    enter_numbers,
    explain_stale,
    plan_of,
    search_in_slices,
    search_longer,
    seen_state,
    stale_part,
    stop_search,
    try_again,
    weigh_otherwise,
)
from league.organizing.seating.tables import DialTable
from league.people.members.queries import candidates
from league.play.open_play.queries import absent_players, gone_players
from league.play.results.queries.games import hides_results
from league.play.rounds.queries.steps import follows_results
from scoring.seating.checker import SEATS

FIRST_SHOWN = 20  # pairs that meet again are listed at once; the others are folded away
MOST_TABLES_SHOWN = 150  # on one page; of a larger plan one round at a time
WISHES = ("tables", "clubs", "countries", "forbidden", "wished", "fixed")  # shown where some are made
USUAL_ROUNDS = 8  # proposed for an event that has no round yet


@takes_up_to(5)
@gzip_page
@writes(Can.ORGANIZE)
def seating(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show the stage's draft, or with ``?new=1`` or without a draft the form that requests one."""
    stage = access.stage(pk)
    draft = draft_of(stage)
    if request.method != "POST" and draft is not None and "new" not in request.GET:
        return _draft_page(request, access, stage, draft)
    facts = seating_facts(stage)
    form = _ask_form(request, access, facts)
    if form.is_valid() and form.is_to_check:
        return _ask_page(request, access, facts, form, draft, status=HTTPStatus.OK)
    return save(
        request,
        form,
        lambda sent: begin_seating(stage=stage, by=access.by, form=sent, **form.values()),
        about=(pk,),
        done=lambda _answer: form.said,
        then=access.address("seating:plan", pk),
    ) or _ask_page(request, access, facts, form, draft)


# --- asked for


def _ask_form(request: HttpRequest, access: Access, facts: SeatingFacts) -> AskForm:
    before = last_request(facts.stage)
    first = _first(request, facts)
    (target,) = facts.targets(first, 1)
    dates = (each.round.date for each in facts.rounds if each.round.pk == target.round)
    day = next(dates, None) or day_of_play(access.competition)
    is_new = draft_of(facts.stage) is None
    initial: dict[str, object] = {"seen": seen_state(facts.stage)}
    if request.GET.get("tick") == "gone":
        out = facts.banned.keys() | gone_players(facts.stage, day)
        initial["out"] = [str(player) for player in facts.pool if player in out]
    if (method := request.GET.get("method", "")) in METHODS:
        initial["method"] = method
    return AskForm(
        as_chosen(request) if request.method == "POST" else None,
        request.FILES if request.method == "POST" else None,
        facts=facts,
        people=candidates(access.competition),
        before=before,
        absent=absent_players(facts.stage, day, facts.pool) if is_new else None,
        first=first,
        rounds=_usual_rounds(facts, before, first),
        seed=draw_seed(),
        initial=initial,
    )


def _first(request: HttpRequest, facts: SeatingFacts) -> int | None:
    """Return the round from the link, the first unseated one, or one with a seat of a player who left."""
    asked = request.GET.get("round", "")
    for each in facts.rounds:
        if asked == str(each.round.pk) and each.round.status != Round.Status.CLOSED and not each.sheets:
            return int(each.round.pk)
    (target,) = facts.targets(None, 1)
    again = facts.left_behind()
    if target.round is None and again:
        return again[0].round.pk
    return target.round


def _usual_rounds(facts: SeatingFacts, before: PlanRequest | None, first: int | None) -> int:
    waiting = sum(target.round is not None for target in facts.targets(first, len(facts.rounds)))
    if waiting > 1 or facts.rounds:
        return max(waiting, 1)
    if before:
        return before.rounds
    return USUAL_ROUNDS if facts.stage.competition.kind == Competition.Kind.EVENT else 1


def _ask_page(
    request: HttpRequest,
    access: Access,
    facts: SeatingFacts,
    form: AskForm,
    draft: SeatingDraft | None,
    status: int = 0,
) -> HttpResponse:
    out, brought = form["out"].value() or [], form.brought
    return page(
        request,
        access,
        "seating/plan.html",
        status=status,
        brought=brought,
        columns=choices_of_columns(brought.columns, COLUMN_WORDS) if brought else (),
        read=form.read_text,
        shown=form.shown if brought else None,
        stage=facts.stage,
        form=form,
        draft=draft,
        checks=checks(facts, _as_typed(form)),
        offered=",".join(map(str, facts.pool)),
        pool=[(facts.people[player], str(player) not in out) for player in facts.pool],
        absent_out=form.absent and set(map(str, form.absent)) <= set(out),
        has_wishes=any(form[name].value() for name in WISHES),
        bans=[facts.banned[player] for player in facts.pool if player in facts.banned],
        labels=list(form.labels.values()),
        asks_unfinished=any(each.is_unfinished for each in facts.rounds),
    )


def _as_typed(form: AskForm) -> PlanRequest:
    first = str(form["first"].value() or "")
    out = [str(player) for player in form["out"].value() or []]
    rounds = str(form["rounds"].value() or "")
    return PlanRequest(
        method=str(form["method"].value() or SCHEDULE),
        rounds=int(rounds) if rounds.isascii() and rounds.isdigit() and len(rounds) < 3 else 1,
        first=int(first) if first.isascii() and first.isdigit() and len(first) <= 18 else None,
        out=frozenset(int(player) for player in out if player.isascii() and player.isdigit()),
        fill=str(form["fill"].value() or ""),
    )


# --- looked at


def _draft_page(request: HttpRequest, access: Access, stage: Stage, draft: SeatingDraft) -> HttpResponse:
    facts = seating_facts(stage)
    progress = _progress(request, draft, facts)
    plan = progress["review"]
    asked = PlanRequest.of_json(draft.asked)
    return page(
        request,
        access,
        "seating/draft.html",
        stage=stage,
        draft=draft,
        shown=_shown_rounds(request, plan),
        grid=_grid(request, plan),
        notes=[
            *substitutions(facts, asked, draft.asked["players"]),
            *shared_tables(facts, asked, plan_of(draft)),
        ],
        seen=draft_state(draft),
        tells=follows_results(draft.method, stage) and hides_results(stage.division_id),
        may_try_again=asked.method != PLAN and "drawn" not in draft.search,
        may_draw=bool(players_by_number(draft, facts)),
        first_shown=f":{FIRST_SHOWN}",
        then_shown=f"{FIRST_SHOWN}:",
        many=FIRST_SHOWN,
        **progress,
    )


def _progress(request: HttpRequest, draft: SeatingDraft, facts: SeatingFacts) -> dict[str, Any]:
    """Return the progress of the search and a review of the best plan, unless the rounds have changed."""
    search = draft.search
    legs = search["state"]["legs"] if "state" in search else 0
    stale = stale_part(draft, facts)
    plan_review = None
    if stale != "rounds" and facts.people.keys() >= set(draft.asked["players"]):
        asked = PlanRequest.of_json(draft.asked)
        plan_review = review(facts, asked, plan_of(draft), draft.asked["players"])
    return {
        "review": plan_review,
        "stale": explain_stale(stale),
        "search": search,
        "running": search.get("status") == RUNNING and not stale,
        "percent": min(100, 100 * legs // search["budget"]) if search.get("budget") else 0,
        "numbers": draft.asked["numbers"],
        "dial": DialTable(list(_dial(draft)), request=request) if "weighed" in draft.search else None,
    }


def _dial(draft: SeatingDraft) -> Iterator[dict[str, Any]]:
    """Yield each weight of a Swiss round with its repeats and mean difference in rank."""
    pairs = sum(map(len, draft.plan)) * SEATS * (SEATS - 1) // 2
    for weighs, label in WEIGHS_WORDS:
        repeats, apart = draft.search["weighed"][weighs]["figures"]
        yield {
            "weighs": weighs,
            "label": label,
            "repeats": repeats,
            "apart": apart / pairs,
            "is_current": weighs == draft.asked["weighs"],
        }


def _grid(request: HttpRequest, plan: Review | None) -> list[GridRow]:
    """Return players and rounds of the plan, if the address asks for them."""
    if plan is None or request.GET.get("show") != "grid":
        return []
    return plan.grid(reads_han=reads_han())


def _shown_rounds(request: HttpRequest, plan: Review | None) -> list[ReviewedRound]:
    if plan is None or plan.tables <= MOST_TABLES_SHOWN:
        return list(plan.rounds) if plan else []
    number = request.GET.get("show", "")
    return [each for each in plan.rounds if str(each.number) == number] or list(plan.rounds[:1])


# --- searched


@takes(Can.ORGANIZE)
def seating_search(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let the search go on or end, or try again. A script receives only the progress."""
    stage = access.stage(pk)
    draft = draft_of(stage)
    form = SearchForm(request.POST)
    if draft is None:
        messages.error(request, _("This seating plan was accepted or discarded a moment ago."))
        return redirect(access.address("seating:plan", pk))
    draft.stage = stage
    if form.is_valid():
        _search(request, form, draft)
    else:
        messages.error(request, INCOMPLETE)
    if request.headers.get("X-Requested-With") != "fetch":
        return redirect(access.address("seating:plan", pk))
    now = draft_of(stage)
    if now is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    progress = _progress(request, now, seating_facts(stage))
    template = "seating/_search.html"
    return page(request, access, template, status=HTTPStatus.OK, stage=stage, draft=now, **progress)


def _search(request: HttpRequest, form: SearchForm, draft: SeatingDraft) -> None:
    steps: dict[str, Callable[[], object]] = {
        SearchForm.ON: lambda: enqueue_once(search_in_slices, draft.pk),
        SearchForm.STOP: lambda: stop_search(draft=draft),
        SearchForm.LONGER: lambda: search_longer(draft=draft),
        SearchForm.AGAIN: lambda: _try_again(request, draft, form.cleaned_data["seed"]),
        SearchForm.WEIGH: lambda: weigh_otherwise(draft=draft, weighs=form.cleaned_data["weighs"] or FEW),
    }
    try:
        steps[form.cleaned_data["do"]]()
    except Refused as refusal:
        messages.error(request, str(refusal))


def _try_again(request: HttpRequest, draft: SeatingDraft, seed: int | None) -> None:
    before = draft.plan
    kept, held = try_again(draft=draft, seed=draw_seed() if seed is None else seed)
    if held and kept.plan != before:
        messages.success(request, _("New plan found, at least as good as the previous one."))
    elif draft.search.get("status") == RUNNING:
        messages.info(request, _("Searching for another plan. The better one is kept."))
    else:
        messages.info(request, _("The new plan was not better, so the previous one is kept."))


# --- numbers drawn in the hall


@writes(Can.ORGANIZE)
def seating_numbers(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Enter who drew which number. Players without a number share the rest until they have drawn."""
    stage = access.stage(pk)
    there = access.address("seating:plan", pk)
    draft, facts = draft_of(stage), seating_facts(stage)
    if draft is None or stale_part(draft, facts):
        return redirect(there)  # which says what has changed
    draft.stage = stage
    players = sorted(players_by_number(draft, facts), key=lambda player: facts.people[player].name)
    labels = seat_labels(facts.infos(players))
    drawn_numbers = {int(player): number for player, number in draft.search.get("drawn", {}).items()}
    form = NumbersForm(posted(request), players=labels, numbers=drawn_numbers)
    if form.is_valid():
        try:
            enter_numbers(draft=draft, numbers=form.numbers)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            said = ngettext("%(count)s number saved.", "%(count)s numbers saved.", len(form.numbers))
            messages.success(request, said % {"count": len(form.numbers)})
            return redirect(there)
    lines = [(facts.people[player], form[f"n{player}"]) for player in players]
    by_seat = draft.method != METHODS[PLAN]
    return page(request, access, "seating/numbers.html", stage=stage, form=form, lines=lines, by_seat=by_seat)


# --- accepted, dropped


@presses(Can.ORGANIZE, done=lambda answer: _accepted_sentence(answer["numbers"]))
def seating_accept(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(
        partial(accept_seating, stage=access.stage(pk)),
        AcceptForm(request.POST),
        then=access.address("competitions:manage"),
        back=access.address("seating:plan", pk),
    )


def _accepted_sentence(numbers: list[int]) -> str:
    if len(numbers) == 1:
        (number,) = numbers
        return _("Round %(number)s seated. Start it when play begins.") % {"number": number}
    return _("Rounds %(first)s to %(last)s seated. Start each round when its play begins.") % {
        "first": min(numbers),
        "last": max(numbers),
    }


@presses(Can.ORGANIZE, done=gettext_lazy("No seating saved. Your settings are kept for next time."))
def seating_drop(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(
        partial(drop_seating, stage=access.stage(pk)),
        then=access.address("competitions:manage"),
        back=access.address("seating:plan", pk),
    )
