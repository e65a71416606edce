"""The draft of a stage's seating (``SeatingDraft``), which only organizers see.

A search writes nothing but the draft, without the competition's lock or revision, so that other pages neither
wait nor expire. Accepting writes rounds, tables, seats and points for sitting out in one change, if the
plan's facts still hold.
"""

import hashlib
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django_tasks import task

from league.core.changes import Change, Sent, canonical, change, reread, sent_before
from league.core.errors import OutOfDate, Refused
from league.core.tasks import LONG
from league.core.text import sentences
from league.core.zones import day_of_new_round, day_of_play
from league.models import Competition, Round, SeatingDraft, Stage
from league.organizing.seating.queries.checks import checks
from league.organizing.seating.queries.seating import (
    METHODS,
    PLAN,
    SCHEDULE,
    PlanRequest,
    SeatingFacts,
    Target,
    draft_of,
    players_by_number,
    seating_facts,
)
from league.organizing.seating.services.plans import BUDGET, FoundPlan, Job, job_of, make_plan, search
from league.play.open_play.services import keep_attendance
from league.play.rounds.services import seat_in
from scoring.seating.checker import check_plan

RUNNING, STOPPED, DONE = "running", "stopped", "done"  # what a search of a draft is doing
MOST_SLICES = 100  # of one task, some two minutes


def draft_state(draft: SeatingDraft) -> str:
    """Return a short hash of the plan that a person saw and accepted."""
    return hashlib.sha256(canonical([draft.pk, draft.plan, draft.based_on]).encode()).hexdigest()[:16]


def seen_state(stage: Stage) -> str:
    """Return ``draft_state`` of the stage's draft, or "" without one."""
    draft = draft_of(stage)
    return "" if draft is None else draft_state(draft)


# --- begun


def begin_seating(
    *,
    stage: Stage,
    asked: PlanRequest,
    seed: int,
    seen: str | None = None,
    sitting_out: tuple[str, int] | None = None,
    legs: int | None = None,
    by: User | None,
    form: Sent | None = None,
) -> SeatingDraft:
    """Make a first plan as the stage's draft, in place of the one of state ``seen`` (None: any).

    ``legs``: most legs of a whole schedule's search. ``sitting_out``: ``Stage.SitOut`` and tenths for the
    stage. Raises ``Refused`` with blocking checks, and ``OutOfDate`` if another organizer has begun a draft.
    """
    facts = seating_facts(stage)
    refuse_blocked(facts, asked)
    job = job_of(facts, asked)
    refuse_faults(job)
    # Before the lock is taken: a first plan may take seconds.
    found = None if form is not None and sent_before(form) else make_plan(job, seed=seed, legs=legs)
    with change(stage.competition, by=by, form=form) as done:
        assert found is not None, "a form that was sent before has ended here"
        kept = SeatingDraft.objects.select_related("created_by").filter(stage=stage).first()
        _refuse_other(kept, seen, by)
        if seating_facts(_reread_stage(stage)).fingerprint(asked) != facts.fingerprint(asked):
            raise OutOfDate(_("The players or rounds have just changed. Create the plan again."))
        draft = kept or SeatingDraft(stage=stage)
        _fill_draft(draft, job, facts, found, done)
        draft.save()
        if sitting_out is not None:
            _set_sit_out(done, stage, *sitting_out)
        if asked.planned is not None:
            _set_planned_rounds(done, stage, asked.planned)
        done.log("seating.begin", f"stage:{stage.pk}", after={**_describe(draft)})
        done.answer = {"stage": stage.pk}
        return draft


def refuse_blocked(facts: SeatingFacts, asked: PlanRequest) -> None:
    blocking = [check.text for check in checks(facts, asked) if check.blocks]
    if blocking:
        raise Refused(sentences(blocking))


def refuse_faults(job: Job) -> None:
    """Raise ``Refused`` if the organizer's own plan cannot be played."""
    if not job.asked.given:
        return
    faults = check_plan([list(round_.values()) for round_ in job.asked.given], job.people).faults
    if faults or len(job.asked.given) != len(job.targets):
        raise Refused(
            _("This plan cannot be played: a player sits twice in a round, or a table is not full.")
        )
    if job.asked.tables and not set().union(*job.asked.given) <= set(job.asked.tables):
        raise Refused(_("The plan needs more tables than available. Add tables."))


def _refuse_other(kept: SeatingDraft | None, seen: str | None, by: User | None) -> None:
    if kept is None or not kept.plan or seen in (None, draft_state(kept)):
        return
    if kept.created_by_id == (by.pk if by else None) and seen:
        return  # their own search has found something better since
    raise OutOfDate(
        _("%(name)s has created a seating plan for this stage. Accept or discard it first.")
        % {"name": kept.created_by.username if kept.created_by else "–"}
    )


def _fill_draft(draft: SeatingDraft, job: Job, facts: SeatingFacts, found: FoundPlan, done: Change) -> None:
    asked = job.asked
    draft.method = METHODS[asked.method]
    draft.rounds = [target.round for target in job.targets]
    draft.asked = asked.as_json() | {
        "players": list(job.players),
        "numbers": [target.number for target in job.targets],
    }
    draft.search = {"turn": 1} | ({"order": list(asked.order)} if asked.order else {})
    draft.based_on = facts.fingerprint(asked)
    draft.created_by, draft.created_at = done.by, done.at
    _hold_plan(draft, found)
    _note_search(draft, found, budget=BUDGET)


def _hold_plan(draft: SeatingDraft, found: FoundPlan) -> None:
    draft.plan, draft.seed = _plan_as_json(found), found.seed
    draft.search |= {"cost": list(found.cost), "steps": found.steps, "follows": found.follows}
    if found.otherwise:
        draft.search["weighed"] = {
            weighs: {
                "plan": _plan_as_json(each),
                "cost": list(each.cost),
                "figures": each.figures,
                "follows": each.follows,
            }
            for weighs, each in found.otherwise.items()
        }


def _plan_as_json(found: FoundPlan) -> list[dict[str, list[int]]]:
    return [{str(number): list(four) for number, four in sorted(round_.items())} for round_ in found.plan]


def _note_search(draft: SeatingDraft, found: FoundPlan, *, budget: int) -> None:
    """Store the progress of the search. ``budget``: legs that it may take."""
    if found.state is None:
        return
    over = found.is_best or found.state["legs"] >= budget
    draft.search |= {
        "seed": found.seed,
        "least": found.least,
        "budget": budget,
        "state": dict(found.state),
        "status": DONE if over else RUNNING,
        "proven": found.is_best,
    }


def _set_sit_out(done: Change, stage: Stage, sit_out: str, score: int) -> None:
    before = {"sit_out": stage.sit_out, "score": stage.sit_out_score}
    stage.sit_out, stage.sit_out_score = Stage.SitOut(sit_out), score
    after = {"sit_out": str(stage.sit_out), "score": score}
    if before != after:
        stage.save(update_fields=["sit_out", "sit_out_score"])
        done.log("stage.sit_out", f"stage:{stage.pk}", before=before, after=after)


def _set_planned_rounds(done: Change, stage: Stage, planned: int) -> None:
    before, stage.planned_rounds = stage.planned_rounds, planned
    if before != planned:
        stage.save(update_fields=["planned_rounds"])
        done.log(
            "stage.planned_rounds", f"stage:{stage.pk}", before={"rounds": before}, after={"rounds": planned}
        )


def _describe(draft: SeatingDraft) -> dict[str, object]:
    steps = draft.search.get("steps", 0)  # with them the seed gives the same plan again
    return {
        "method": str(draft.method),
        "seed": draft.seed,
        "rounds": draft.asked["numbers"],
        **({"steps": steps} if steps else {}),
        **({"drawn_in_hall": len(draft.search["drawn"])} if "drawn" in draft.search else {}),
    }


# --- searched


def stale_part(draft: SeatingDraft, facts: SeatingFacts) -> str:
    """Return which facts of the plan have changed: "people", "rounds", "ranks" or ""."""
    now = facts.fingerprint(PlanRequest.of_json(draft.asked)).split("-")
    before = draft.based_on.split("-")
    parts = zip(("people", "rounds", "ranks"), before, now, strict=True)
    return next((name for name, old, new in parts if old != new), "")


def search_on(*, draft: SeatingDraft) -> SeatingDraft:
    """Search for some more legs, and return the draft.

    If two pages search one draft at once, either may win: the same steps give the same plan.
    """
    if draft.search.get("status") != RUNNING:
        return draft
    facts = seating_facts(draft.stage)
    refuse_stale(draft, facts)
    job, kept = job_of(facts, PlanRequest.of_json(draft.asked)), draft.search
    found = search(job, seed=kept["seed"], legs=kept["budget"], state=kept["state"])
    if list(found.cost) < kept["cost"]:
        _hold_plan(draft, found)
    _note_search(draft, found, budget=kept["budget"])
    return _save_draft(draft)


@task(queue_name=LONG)
def search_in_slices(pk: int) -> None:
    """Search until the plan cannot improve, someone stops the search, or the facts change."""
    for _slice in range(MOST_SLICES):
        draft = SeatingDraft.objects.with_rules().filter(pk=pk).first()
        if draft is None or draft.search.get("status") != RUNNING:
            return
        try:
            search_on(draft=draft)
        except OutOfDate:
            return


def explain_stale(part: str) -> str:
    """Return a sentence for ``stale_part``, or ""."""
    return {
        "": "",
        "people": _("Players have joined or left since this plan was created. Create it again."),
        "rounds": _(
            "Rounds of this stage were seated, played or deleted since this plan was created. Create it "
            "again."
        ),
        "ranks": _("Results have changed the ranks since this plan was created. Create it again."),
    }[part]


def refuse_stale(draft: SeatingDraft, facts: SeatingFacts) -> None:
    if part := stale_part(draft, facts):
        raise OutOfDate(explain_stale(part))


def stop_search(*, draft: SeatingDraft) -> None:
    """Stop the search. A slice that is still running saves nothing."""
    with transaction.atomic():
        now = _lock_draft(draft)
        if now.search.get("status") == RUNNING:
            now.search |= {"status": STOPPED, "turn": now.search["turn"] + 1}
            now.save(update_fields=["search"])


def search_longer(*, draft: SeatingDraft) -> None:
    """Continue a stopped search, or give a finished one as many steps again."""
    with transaction.atomic():
        now = _lock_draft(draft)
        kept = now.search
        if kept.get("status") not in (STOPPED, DONE) or kept["proven"]:
            return
        more = BUDGET if kept["status"] == DONE else 0
        now.search |= {"status": RUNNING, "budget": kept["budget"] + more, "turn": kept["turn"] + 1}
        now.save(update_fields=["search"])


def _lock_draft(draft: SeatingDraft) -> SeatingDraft:
    now = SeatingDraft.objects.select_for_update().filter(pk=draft.pk).first()
    if now is None or not now.plan:
        raise OutOfDate(_("This seating plan was accepted or discarded a moment ago."))
    return now


def try_again(*, draft: SeatingDraft, seed: int) -> tuple[SeatingDraft, bool]:
    """Make a plan from another seed and store the better one. Also return whether that is the new one."""
    facts = seating_facts(draft.stage)
    refuse_stale(draft, facts)
    asked = PlanRequest.of_json(draft.asked)
    if asked.method == PLAN:
        raise Refused(_("This is your own plan, so it cannot be drawn again."))
    if draft.search.get("drawn"):
        raise Refused(_("The numbers were drawn in the hall, so they cannot be drawn again."))
    job = job_of(facts, asked)
    found = make_plan(job, seed=seed)
    better = list(found.cost) < draft.search["cost"]
    if better or (list(found.cost) == draft.search["cost"] and asked.method != SCHEDULE):
        _hold_plan(draft, found)
    _note_search(draft, found, budget=BUDGET)
    kept = _save_draft(draft)
    return kept, kept.seed == seed


def weigh_otherwise(*, draft: SeatingDraft, weighs: str) -> SeatingDraft:
    """Hold the Swiss round of another weight of repeated meetings and ranks."""
    refuse_stale(draft, seating_facts(draft.stage))
    kept = draft.search.get("weighed", {}).get(weighs)
    if kept is None:
        return draft
    draft.asked["weighs"] = weighs
    draft.plan, draft.search["cost"] = kept["plan"], kept["cost"]
    draft.search["follows"] = kept.get("follows", False)  # of a draft that was made before
    return _save_draft(draft)


def enter_numbers(*, draft: SeatingDraft, numbers: Mapping[int, int]) -> SeatingDraft:
    """Seat players by the numbers that they drew (player → number). The others share the rest in order.

    Ends a search of the plan. Raises ``Refused`` for impossible or duplicate numbers, ``OutOfDate`` for
    changed facts.
    """
    facts = seating_facts(draft.stage)
    refuse_stale(draft, facts)
    before = players_by_number(draft, facts)
    taken = {number: player for player, number in numbers.items()}
    if not before or not numbers.keys() <= set(before) or not taken.keys() <= set(range(1, len(before) + 1)):
        raise Refused(_("This seating has no numbers to draw for these players."))
    if len(taken) < len(numbers):
        raise Refused(_("Each number is drawn once."))
    rest = iter([player for player in before if player not in numbers])
    order = [taken[n] if n in taken else next(rest) for n in range(1, len(before) + 1)]
    now = dict(zip(before, order, strict=True))
    draft.plan = [
        {number: [now.get(player, player) for player in four] for number, four in round_.items()}
        for round_ in draft.plan
    ]
    draft.search = {name: draft.search[name] for name in ("turn", "cost") if name in draft.search}
    draft.search |= {"order": order, "drawn": {str(player): number for player, number in numbers.items()}}
    kept = _save_draft(draft)
    if kept is not draft:
        raise OutOfDate(_("The plan has changed since you opened the page. Review it, then accept it."))
    return draft


def _save_draft(draft: SeatingDraft) -> SeatingDraft:
    """Save the draft and return it, or return the draft that another request saved first."""
    with transaction.atomic():
        now = _lock_draft(draft)
        if (now.created_at, now.search.get("turn")) != (draft.created_at, draft.search["turn"]):
            now.stage = draft.stage
            return now
        draft.search["turn"] += 1
        draft.save(update_fields=["plan", "seed", "search", "asked"])
    return draft


# --- accepted, dropped


def accept_seating(*, stage: Stage, seen: str, by: User | None, form: Sent | None = None) -> list[Round]:
    """Seat the rounds of the draft, creating missing ones planned and hidden.

    ``seen``: the ``draft_state`` that the person saw. Raises ``OutOfDate`` if the plan or its facts have
    changed, and ``Refused`` as ``seat_players``.
    """
    with change(stage.competition, by=by, form=form) as done:
        draft = _lock_seen_draft(stage, seen)
        facts = seating_facts(draft.stage)
        refuse_stale(draft, facts)
        targets = facts.targets(PlanRequest.of_json(draft.asked).first, len(draft.plan))
        competition = done.competition
        day = competition.only_day
        if day is None and competition.first_day and len(targets) == 1:
            day = day_of_new_round(competition)
        rounds = [
            _seat_target(done, draft, target, plan, day)
            for target, plan in zip(targets, plan_of(draft), strict=True)
        ]
        if competition.kind == Competition.Kind.EVENT and len(rounds) > 1:
            _set_planned_rounds(done, stage, max(stage.planned_rounds or 0, rounds[-1].number))
        described = _describe(draft) | {"repeats": repeats_of(draft, facts)}
        done.log("seating.accept", f"stage:{stage.pk}", after=described)
        days = {round_.date or day_of_play(done.competition) for round_ in rounds}
        if len(days) == 1:
            keep_attendance(stage, *days, here=draft.asked["players"], away=draft.asked["out"])
        draft.asked["out"] = []  # the next day all are there again
        _empty_draft(draft)
        done.answer = {"numbers": [round_.number for round_ in rounds]}
        return rounds


def _lock_seen_draft(stage: Stage, seen: str) -> SeatingDraft:
    draft = SeatingDraft.objects.select_for_update().filter(stage=stage).first()
    if draft is None or not draft.plan:
        raise OutOfDate(_("This seating plan was accepted or discarded a moment ago."))
    if draft_state(draft) != seen:
        raise OutOfDate(_("The plan has changed since you opened the page. Review it, then accept it."))
    draft.stage = _reread_stage(stage)
    return draft


def _reread_stage(stage: Stage) -> Stage:
    """The stage as it is now: its competition's revision says which standings are read."""
    return reread(Stage.objects.with_rules(), pk=stage.pk)


def _seat_target(
    done: Change, draft: SeatingDraft, target: Target, tables: Mapping[int, list[int]], day: date | None
) -> Round:
    if target.round is None:
        round_ = Round.objects.create(stage=draft.stage, number=target.number, date=day)
        done.log(
            "round.create", f"round:{round_.pk}", after={"stage": draft.stage.pk, "number": target.number}
        )
    else:
        round_ = reread(Round.objects.all(), pk=target.round)
    round_.stage = draft.stage
    return seat_in(
        done,
        round_,
        tables,
        seed=draft.seed,
        method=draft.method,
        despite=draft.asked.get("despite", ""),
        fresh=True,
        out=draft.asked["out"],
        playing=draft.asked["players"],
    )


def plan_of(draft: SeatingDraft) -> list[dict[int, list[int]]]:
    """Return table number → player ids, east first, for each round."""
    return [{int(number): four for number, four in round_.items()} for round_ in draft.plan]


def repeats_of(draft: SeatingDraft, facts: SeatingFacts) -> int:
    """Return how many meetings of the plan repeat one of the plan or of the other rounds."""
    targets = facts.targets(PlanRequest.of_json(draft.asked).first, len(draft.plan))
    before = [list(each.tables.values()) for each in facts.others(targets)]
    after = check_plan([*before, *(list(round_.values()) for round_ in plan_of(draft))])
    return after.repeats - (check_plan(before).repeats if before else 0)


def drop_seating(*, stage: Stage, by: User | None, form: Sent | None = None) -> None:
    """Drop the draft. Its request is proposed the next time."""
    with change(stage.competition, by=by, form=form, public=False) as done:
        draft = SeatingDraft.objects.select_for_update().filter(stage=stage).first()
        if draft is not None and draft.plan:
            done.log("seating.drop", f"stage:{stage.pk}", before=_describe(draft))
            _empty_draft(draft)


def _empty_draft(draft: SeatingDraft) -> None:
    """Store only the request, without the reason why banned players play."""
    draft.rounds, draft.plan, draft.search = [], [], {}
    kept: dict[str, Any] = {**draft.asked, "despite": "", "first": None}
    draft.asked = {name: value for name, value in kept.items() if name not in {"players", "numbers"}}
    draft.save(update_fields=["rounds", "plan", "search", "asked"])


def take_over_drafts(competition: Competition, *, keep: int, gone: int) -> None:
    """Move preferences from the player ``gone`` to ``keep`` and drop plans, when two records are merged."""
    for draft in SeatingDraft.objects.of(competition):
        asked = draft.asked
        for name in ("forbidden", "wished"):
            pairs = [[keep if each == gone else each for each in pair] for pair in asked.get(name, ())]
            asked[name] = [[one, other] for one, other in pairs if one != other]
        asked["out"] = sorted({keep if each == gone else each for each in asked.get("out", ())})
        fixed = asked.get("fixed", {})
        if str(gone) in fixed:
            fixed.setdefault(str(keep), fixed[str(gone)])
            del fixed[str(gone)]
        _empty_draft(draft)
