"""Pages of disputes. Players of the table read steps and rulings, may open a dispute and object."""

from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.forms import KeyedForm, RevokeForm
from league.core.limits import takes_up_to
from league.core.pages import Asked, number_in, page, page_before, paged, posted, reads, save, saves, takes
from league.models import Dispute, Entrant, Round
from league.play.disputes import procedure, services
from league.play.disputes.queries import disputes_of, final_rulings, revocable, story_of
from league.play.disputes.words import step_taken
from league.play.hands.words.names import hand_words
from league.play.hands.words.penalties import penalty_lines
from league.play.results.words import script_words
from league.referees.desk.forms import DisputeForm, EvidenceForm, StepForm
from league.referees.penalties.services.decisions import revoke_penalty

A_PAGE = 50
CLOSE_ID, EVIDENCE_ID = "close_%s", "evidence_%s"  # the ids of a form's inputs, by which the page knows it


@reads(Can.STAFF)
def disputes(request: HttpRequest, access: Access) -> HttpResponse:
    disputes_here = paged(request, disputes_of(access.competition), A_PAGE)
    return page(request, access, "disputes/index.html", page=disputes_here)


@saves(
    Can.VIEW,
    "disputes/new.html",
    done=gettext_lazy("Dispute opened. Play at this table is paused."),
)
def dispute_new(request: HttpRequest, access: Access, pk: int) -> Asked:
    table = access.table(pk)
    if not (access.is_staff or access.sits_at(table)):
        raise PermissionDenied
    number = number_in(request.GET, "call")
    call = access.call(number) if number is not None and access.is_staff else None
    said = f"{call.player or ''}: {call.note}".strip(": ") if call else ""
    rulings = final_rulings(table)
    return Asked(
        partial(services.open_dispute, table=table, call=call),
        DisputeForm(posted(request), table=table, subject=said, is_ruled=bool(rulings)),
        then=lambda answer: access.address("disputes:dispute", answer["dispute"]),
        table=table,
        round=table.round,
        waiting=table.disputes.filter(closed_at__isnull=True).first(),
        rulings=[(step, hand_words(step.dispute.hand)) for step in rulings],
    )


# --- one dispute


@reads()
def dispute(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _page(request, access, pk)


@takes(Can.VIEW, shown_on=lambda access, pk, kind: access.address("disputes:dispute", pk))
def dispute_step(request: HttpRequest, access: Access, pk: int, kind: str) -> HttpResponse:
    dispute = access.dispute(pk)
    if kind not in procedure.Step.values:
        raise Http404
    plays = access.sits_at(dispute.table)
    rules_here = access.can_referee and not access.leaves(dispute.table)
    if not (rules_here or (kind in procedure.BY_PLAYERS and plays)):
        raise PermissionDenied
    form = StepForm(request.POST, kind=kind, rules_here=rules_here)
    return save(
        request,
        form,
        lambda sent: services.take_step(dispute=dispute, kind=kind, by=access.by, form=sent, **form.values()),
        about=(pk, kind),
        done=lambda _answer: step_taken(kind, closes=form.values().get("closes", False)),
        then=page_before(request, access.address("disputes:dispute", pk)),
    ) or _page(request, access, pk, form)


@takes(Can.REFEREE, shown_on=lambda access, pk: access.address("disputes:dispute", pk))
def dispute_close(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    dispute, form = access.dispute(pk), KeyedForm(request.POST, auto_id=CLOSE_ID)
    return save(
        request,
        form,
        lambda sent: services.close_dispute(dispute=dispute, by=access.by, form=sent),
        about=("close", pk),
        done=_("Dispute closed without an objection."),
        then=access.address("disputes:dispute", pk),
    ) or _page(request, access, pk, form)


@takes(Can.REFEREE, shown_on=lambda access, pk, penalty: access.address("disputes:dispute", pk))
def dispute_revoke(request: HttpRequest, access: Access, pk: int, penalty: int) -> HttpResponse:
    dispute, revoked = access.dispute(pk), access.penalty(penalty)
    form = RevokeForm(request.POST, auto_id=_revoke_id(penalty))
    another = _log_address(access, dispute, revoked.player_id) if "another" in request.POST else ""
    return save(
        request,
        form,
        lambda sent: revoke_penalty(
            penalty=revoked, dispute=dispute, by=access.by, form=sent, **form.values()
        ),
        about=(penalty, pk),
        done=_("Penalty revoked. It stays on record but no longer counts."),
        then=another or access.address("disputes:dispute", pk),
    ) or _page(request, access, pk, form)


@takes_up_to(10)
@takes(Can.VIEW, shown_on=lambda access, pk: access.address("disputes:dispute", pk))
def evidence_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    dispute = access.dispute(pk)
    if not access.is_inside(dispute.table):
        raise PermissionDenied
    form = EvidenceForm(request.POST, request.FILES, auto_id=EVIDENCE_ID)
    return save(
        request,
        form,
        lambda sent: services.add_evidence(dispute=dispute, by=access.by, form=sent, **form.values()),
        about=(pk,),
        done=_("Evidence added to the dispute. Only staff can see it."),
        then=access.address("disputes:dispute", pk),
    ) or _page(request, access, pk, form)


@reads(Can.STAFF)
def evidence(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    """Serve a photograph to staff who do not play at the table. Proxies do not store it."""
    evidence = access.evidence(pk)
    try:
        file = evidence.file.open() if evidence.file else None
    except FileNotFoundError:
        file = None
    if file is None:
        raise Http404
    response = FileResponse(file, content_type=evidence.content_type, filename=f"evidence-{evidence.pk}.jpg")
    response["X-Content-Type-Options"] = "nosniff"
    return response


# --- its page


def _page(request: HttpRequest, access: Access, pk: int, refused: KeyedForm | None = None) -> HttpResponse:
    """Render the story. ``refused``: show this form with its errors in its place, or else above the story."""

    def keep(form: KeyedForm) -> KeyedForm:
        if refused is not None and refused.auto_id == form.auto_id:
            return refused
        return form

    dispute = access.dispute(pk)
    table, rule_set = dispute.table, dispute.table.round.stage.division.rule_set
    plays, leaves, is_open = access.sits_at(table), access.leaves(table), dispute.closed_at is None
    inside, rules_here = access.is_staff and not leaves, access.can_referee and not leaves
    story = story_of(dispute, inside=inside)
    past_kinds = {step.kind for step, _withheld in story.steps}
    ruled = not procedure.RULING.isdisjoint(past_kinds)
    kinds = [
        kind
        for kind in procedure.FOLLOWS[dispute.step]
        if rules_here or (plays and kind in procedure.BY_PLAYERS)
    ]
    steps = [keep(StepForm(kind=kind, rules_here=rules_here)) for kind in kinds if is_open]
    lines = penalty_lines(revocable(table), rule_set) if ruled and rules_here else []
    penalties = [(line, keep(RevokeForm(auto_id=_revoke_id(line.penalty.pk)))) for line in lines]
    evidence_form = keep(EvidenceForm(auto_id=EVIDENCE_ID)) if inside and is_open else None
    closes = rules_here and is_open and dispute.step in procedure.CLOSABLE
    placed = [*steps, evidence_form, *(form for _line, form in penalties)]
    return page(
        request,
        access,
        "disputes/dispute.html",
        dispute=dispute,
        round=table.round,
        hand=hand_words(dispute.hand),
        story=story,
        logged=penalty_lines(story.logged, rule_set),
        revoked=penalty_lines(story.revoked, rule_set),
        inside=inside,
        plays=plays,
        progress=[
            (label, "now" if kind == dispute.step else "done" if kind in past_kinds else "ahead")
            for kind, label in procedure.Step.choices
        ],
        rules_here=rules_here,
        steps=steps,
        close=keep(KeyedForm(auto_id=CLOSE_ID)) if closes else None,
        refused=None if refused in placed else refused,
        ruled=ruled,
        log_url=_log_address(access, dispute),
        sheet=table.sheets.current().first(),
        sheet_open=table.round.status == Round.Status.OPEN,
        penalties=penalties,
        evidence_form=evidence_form,
        words=script_words(),
        total_points=table.round.stage.division.rules.total_points,
    )


def _revoke_id(penalty: int) -> str:
    return f"revoke{penalty}_%s"


def _log_address(access: Access, dispute: Dispute, player: int | None = None) -> str:
    entrant = player and Entrant.objects.filter(competition=access.competition, player=player).first()
    named = f"&player={entrant.pk}" if entrant else ""
    return f"{access.address('penalties:new')}?table={dispute.table_id}{named}&dispute={dispute.pk}"
