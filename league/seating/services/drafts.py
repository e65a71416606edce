"""A seating that is being made: begun, searched, tried again, accepted or dropped.

While it is made it is a draft (``SeatingDraft``), one a stage, that only organizers see: searching on writes
nothing but the draft, takes no lock of the competition and leaves its revision alone, so that nobody else
waits or fetches a page anew. Accepting writes rounds, tables, seats and what who sits out gets in one change,
if the facts are still those that the plan was made from.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.core.changes import Change, Form, canonical, change, sent_before
from league.core.errors import OutOfDate, Refused
from league.models import Competition, Round, SeatingDraft, Stage
from league.rounds.services import seat_in
from league.seating.engine.checker import check_plan
from league.seating.queries.checks import checks
from league.seating.queries.seating import METHODS, PLAN, SCHEDULE, Asked, Ground, Target, draft_of, ground_of
from league.seating.services.plans import BUDGET, SLICE, Found, Job, job_of, make, search
from league.substitutions.services.substitutions import sit_out

RUNNING, STOPPED, DONE = "running", "stopped", "done"  # what a search of a draft is doing


def draft_state(draft: SeatingDraft) -> str:
    """A short text that differs when the plan does: what a person saw when they accepted it."""
    return hashlib.sha256(canonical([draft.pk, draft.plan, draft.based_on]).encode()).hexdigest()[:16]


def seen_state(stage: Stage) -> str:
    """``draft_state`` of the seating that is being made in the stage; empty when there is none."""
    draft = draft_of(stage)
    return "" if draft is None else draft_state(draft)


# --- begun


def begin_seating(
    *,
    stage: Stage,
    asked: Asked,
    seed: int,
    seen: str | None = None,
    sitting_out: tuple[str, int] | None = None,
    seconds: float = SLICE,
    by: User | None,
    form: Form | None = None,
) -> SeatingDraft:
    """Make a first plan and keep it as the stage's draft, in place of one that ``seen`` names. A whole
    schedule is searched for no longer than ``seconds`` here.

    ``sitting_out`` is what the stage gives from now on to who sits out: ``Stage.SitOut`` and tenths. Raises
    ``Refused`` with what speaks against it (``league.seating.queries.checks``), ``OutOfDate`` when somebody
    else has begun a seating of the stage meanwhile (``seen`` None: whatever is there).
    """
    ground = ground_of(stage)
    refuse_blocked(ground, asked)
    job = job_of(ground, asked)
    refuse_faults(job)
    # Before the lock is taken: a first plan may take seconds, and nobody shall wait for it.
    found = None if form is not None and sent_before(form) else make(job, seed=seed, seconds=seconds)
    with change(stage.division.competition, by=by, form=form) as done:
        assert found is not None, "a form that came before has ended here"
        kept = SeatingDraft.objects.select_related("created_by").filter(stage=stage).first()
        _refuse_other(kept, seen, by)
        if ground_of(_again(stage)).fingerprint(asked) != ground.fingerprint(asked):
            raise OutOfDate(_("Somebody changed the players or rounds this moment. Ask for the plan again."))
        draft = kept or SeatingDraft(stage=stage)
        _fill(draft, job, ground, found, done)
        draft.save()
        if sitting_out is not None:
            _set_sit_out(done, stage, *sitting_out)
        done.log("seating.begin", f"stage:{stage.pk}", after={**_described(draft)})
        done.answer = {"stage": stage.pk}
        return draft


def refuse_blocked(ground: Ground, asked: Asked) -> None:
    """Raise ``Refused`` with everything that has to be mended before these rounds can be seated."""
    blocking = [check.text for check in checks(ground, asked) if check.blocks]
    if blocking:
        raise Refused(" ".join(blocking))


def refuse_faults(job: Job) -> None:
    """Raise ``Refused`` when a plan of one's own cannot be played."""
    if not job.asked.given:
        return
    faults = check_plan(job.asked.given, job.people).faults
    if faults or len(job.asked.given) != len(job.targets):
        raise Refused(
            _("This plan cannot be played: somebody sits twice in a round, or a table is not full.")
        )
    if job.asked.tables and max(map(len, job.asked.given)) > len(job.asked.tables):
        raise Refused(_("The plan needs more tables than there are. Name more tables."))


def _refuse_other(kept: SeatingDraft | None, seen: str | None, by: User | None) -> None:
    if kept is None or not kept.plan or seen in (None, draft_state(kept)):
        return
    if kept.created_by_id == (by.pk if by else None) and seen:
        return  # one's own search has found something better since
    raise OutOfDate(
        _("%(name)s has begun a seating of this stage meanwhile. Look at it, accept it or drop it first.")
        % {"name": kept.created_by.username if kept.created_by else "–"}
    )


def _fill(draft: SeatingDraft, job: Job, ground: Ground, found: Found, done: Change) -> None:
    """The draft as it is when it is begun."""
    asked = job.asked
    draft.method = METHODS[asked.method]
    draft.rounds = [target.round for target in job.targets]
    draft.asked = asked.as_json() | {
        "players": list(job.players),
        "numbers": [target.number for target in job.targets],
    }
    draft.search = {"turn": 1}
    draft.based_on = ground.fingerprint(asked)
    draft.created_by, draft.created_at = done.by, done.at
    _hold(draft, found)
    _note_search(draft, found, budget=BUDGET)


def _hold(draft: SeatingDraft, found: Found) -> None:
    """This plan is the best so far."""
    draft.plan = [
        {str(number): list(four) for number, four in sorted(round_.items())} for round_ in found.plan
    ]
    draft.seed = found.seed
    draft.search |= {"cost": list(found.cost), "steps": found.steps}


def _note_search(draft: SeatingDraft, found: Found, *, budget: int) -> None:
    """Where the search stands, and whether it is to go on. ``budget``: legs that it may take."""
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


def _described(draft: SeatingDraft) -> dict[str, object]:
    steps = draft.search.get("steps", 0)  # with them the seed gives the same plan again
    return {
        "method": str(draft.method),
        "seed": draft.seed,
        "rounds": draft.asked["numbers"],
        **({"steps": steps} if steps else {}),
    }


# --- searched


def is_stale(draft: SeatingDraft, ground: Ground) -> str:
    """What has changed since the plan was made: people, rounds or ranks; empty when nothing has."""
    now = ground.fingerprint(Asked.of_json(draft.asked)).split("-")
    before = draft.based_on.split("-")
    parts = zip(("people", "rounds", "ranks"), before, now, strict=True)
    return next((name for name, old, new in parts if old != new), "")


def search_on(*, draft: SeatingDraft, seconds: float = SLICE) -> SeatingDraft:
    """Search so many seconds more; the draft as it is then. The rest waits for the next call.

    Where two pages search one draft at once, one of them wins: the same steps would give the same plan.
    """
    if draft.search.get("status") != RUNNING:
        return draft
    ground = ground_of(draft.stage)
    refuse_stale(draft, ground)
    job, kept = job_of(ground, Asked.of_json(draft.asked)), draft.search
    found = search(job, seed=kept["seed"], legs=kept["budget"], state=kept["state"], seconds=seconds)
    if list(found.cost) < kept["cost"]:
        _hold(draft, found)
    _note_search(draft, found, budget=kept["budget"])
    return _keep(draft)


def refuse_stale(draft: SeatingDraft, ground: Ground) -> None:
    """Raise ``OutOfDate`` when the plan was made from facts that have changed since."""
    sentences = {
        "people": _("Players have come or gone since this plan was made. Make it again."),
        "rounds": _(
            "Rounds of this stage were seated, played or deleted since this plan was made. Make it again."
        ),
        "ranks": _("Results have changed the ranks since this plan was made. Make it again."),
    }
    stale = is_stale(draft, ground)
    if stale:
        raise OutOfDate(sentences[stale])


def stop_search(*, draft: SeatingDraft) -> None:
    """The best plan so far is good enough. A slice that is still running finds nothing to save any more."""
    with transaction.atomic():
        now = _locked(draft)
        if now.search.get("status") == RUNNING:
            now.search |= {"status": STOPPED, "turn": now.search["turn"] + 1}
            now.save(update_fields=["search"])


def search_longer(*, draft: SeatingDraft) -> None:
    """Go on from where the search was stopped; or, where it had used its steps up, with as many more."""
    with transaction.atomic():
        now = _locked(draft)
        kept = now.search
        if kept.get("status") not in (STOPPED, DONE) or kept["proven"]:
            return
        more = BUDGET if kept["status"] == DONE else 0
        now.search |= {"status": RUNNING, "budget": kept["budget"] + more, "turn": kept["turn"] + 1}
        now.save(update_fields=["search"])


def _locked(draft: SeatingDraft) -> SeatingDraft:
    now = SeatingDraft.objects.select_for_update().filter(pk=draft.pk).first()
    if now is None or not now.plan:
        raise OutOfDate(_("This seating was accepted or dropped a moment ago."))
    return now


def try_again(*, draft: SeatingDraft, seed: int, seconds: float = SLICE) -> tuple[SeatingDraft, bool]:
    """Another plan from another seed; the better one is kept. Says whether the new one is held by now; a
    whole schedule is searched on, and may come to be better later.
    """
    ground = ground_of(draft.stage)
    refuse_stale(draft, ground)
    asked = Asked.of_json(draft.asked)
    if asked.method == PLAN:
        raise Refused(_("This plan is one of your own: there is nothing to be drawn anew."))
    job = job_of(ground, asked)
    found = make(job, seed=seed, seconds=seconds)
    better = list(found.cost) < draft.search["cost"]
    if better or (list(found.cost) == draft.search["cost"] and asked.method != SCHEDULE):
        _hold(draft, found)
    _note_search(draft, found, budget=BUDGET)
    kept = _keep(draft)
    return kept, kept.seed == seed


def _keep(draft: SeatingDraft) -> SeatingDraft:
    """Save what was found, unless somebody saved first: then what they saved. No change of the competition:
    nothing that anybody else sees is different.
    """
    with transaction.atomic():
        now = _locked(draft)
        if (now.created_at, now.search.get("turn")) != (draft.created_at, draft.search["turn"]):
            now.stage = draft.stage
            return now
        draft.search["turn"] += 1
        draft.save(update_fields=["plan", "seed", "search"])
    return draft


# --- accepted, dropped


def accept_seating(*, stage: Stage, seen: str, by: User | None, form: Form | None = None) -> list[Round]:
    """Seat the rounds of the draft as its plan says; rounds that are not there are made, planned and hidden.

    ``seen`` is the ``draft_state`` that the person looked at. Raises ``OutOfDate`` when the plan is another
    one by now or was made from facts that have changed, ``Refused`` as ``seat_players``.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        draft = _seen_draft(stage, seen)
        ground = ground_of(draft.stage)
        refuse_stale(draft, ground)
        targets = ground.targets(Asked.of_json(draft.asked).first, len(draft.plan))
        rounds = [
            _seat(done, draft, target, plan) for target, plan in zip(targets, plan_of(draft), strict=True)
        ]
        described = _described(draft) | {"repeats": repeats_of(draft, ground)}
        done.log("seating.accept", f"stage:{stage.pk}", after=described)
        draft.asked["out"] = []  # whoever was away is there again, until somebody says otherwise
        _empty(draft)
        done.answer = {"rounds": [round_.pk for round_ in rounds]}
        return rounds


def _seen_draft(stage: Stage, seen: str) -> SeatingDraft:
    """The draft under the lock, if it is the one that the person saw."""
    draft = SeatingDraft.objects.select_for_update().filter(stage=stage).first()
    if draft is None or not draft.plan:
        raise OutOfDate(_("This seating was accepted or dropped a moment ago."))
    if draft_state(draft) != seen:
        raise OutOfDate(_("The plan has changed since you looked at it. Look at it again, then accept it."))
    draft.stage = _again(stage)
    return draft


def _again(stage: Stage) -> Stage:
    """The stage as it is now: its competition's revision says which standings are read."""
    return Stage.objects.select_related("division__competition", "division__rule_set").get(pk=stage.pk)


def _seat(done: Change, draft: SeatingDraft, target: Target, tables: Mapping[int, list[int]]) -> Round:
    if target.round is None:
        round_ = Round.objects.create(stage=draft.stage, number=target.number)
        done.log(
            "round.create", f"round:{round_.pk}", after={"stage": draft.stage.pk, "number": target.number}
        )
    else:
        round_ = Round.objects.get(pk=target.round)
    round_.stage = draft.stage
    seated = seat_in(
        done,
        round_,
        tables,
        seed=draft.seed,
        method=draft.method,
        despite=draft.asked.get("despite", ""),
        fresh=True,
        out=draft.asked["out"],
    )
    sit_out(done, seated, set(draft.asked["players"]) - {p for four in tables.values() for p in four})
    return seated


def plan_of(draft: SeatingDraft) -> list[dict[int, list[int]]]:
    """Of each round: table number → player ids, east first."""
    return [{int(number): four for number, four in round_.items()} for round_ in draft.plan]


def repeats_of(draft: SeatingDraft, ground: Ground) -> int:
    """How many meetings of the plan are of players who have met before, in it or in rounds that stay."""
    targets = ground.targets(Asked.of_json(draft.asked).first, len(draft.plan))
    before = [list(each.tables.values()) for each in ground.others(targets)]
    after = check_plan([*before, *(list(round_.values()) for round_ in plan_of(draft))])
    return after.repeats - (check_plan(before).repeats if before else 0)


def drop_seating(*, stage: Stage, by: User | None, form: Form | None = None) -> None:
    """Nothing is seated. What was asked for is remembered for the next time."""
    with change(stage.division.competition, by=by, form=form) as done:
        draft = SeatingDraft.objects.select_for_update().filter(stage=stage).first()
        if draft is not None and draft.plan:
            done.log("seating.drop", f"stage:{stage.pk}", before=_described(draft))
            _empty(draft)


def _empty(draft: SeatingDraft) -> None:
    """What was asked for stays, as the proposal for the next time; but no reason to let banned players in."""
    draft.rounds, draft.plan, draft.search = [], [], {}
    kept: dict[str, Any] = {**draft.asked, "despite": "", "first": None}
    draft.asked = {name: value for name, value in kept.items() if name not in {"players", "numbers"}}
    draft.save(update_fields=["rounds", "plan", "search", "asked"])


def take_over_drafts(competition: Competition, *, keep: int, gone: int) -> None:
    """Part of a change by which two records of one person become one: wishes about the player ``gone`` are
    about ``keep`` from now on. A plan that is being made is dropped.
    """
    for draft in SeatingDraft.objects.filter(stage__division__competition=competition):
        asked = draft.asked
        for name in ("forbidden", "wished"):
            pairs = [[keep if each == gone else each for each in pair] for pair in asked.get(name, ())]
            asked[name] = [pair for pair in pairs if pair[0] != pair[1]]
        asked["out"] = sorted({keep if each == gone else each for each in asked.get("out", ())})
        fixed = asked.get("fixed", {})
        if str(gone) in fixed:
            fixed.setdefault(str(keep), fixed[str(gone)])
            del fixed[str(gone)]
        _empty(draft)
