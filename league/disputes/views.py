"""Disputes: the list, a matter that begins, its story with the next steps, what its ruling changes, evidence.

Staff read everything. The players of the table read the steps and the rulings (``queries.disputes.matter``
says what is kept from them), and may open a matter and object. Only referees who do not play there rule.
"""

import hashlib
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.access import Access, enter
from league.core.errors import AlreadyDone, Refused
from league.core.forms import KeyedForm, RevokeForm, attempt
from league.core.pages import sent
from league.disputes.forms import DisputeForm, EvidenceForm, StepForm
from league.disputes.procedure import BY_PLAYERS, CLOSABLE, FOLLOWS, RULING, Step
from league.disputes.queries import Matter, disputes_of, matter, revocable
from league.disputes.services.disputes import close_dispute, open_dispute, take_step
from league.disputes.services.evidence import add_evidence
from league.models import Dispute, Entrant, Penalty, Round, RuleSet
from league.penalties.panels import PenaltyLine, penalty_lines
from league.penalties.services import revoke_penalty
from league.penalties.words.hands import hand_words
from league.results.panels import words

A_PAGE = 50
UNPROCESSABLE = 422


@never_cache
@require_safe
def disputes(request: HttpRequest, slug: str) -> HttpResponse:
    """All matters of a competition, for the staff: the open ones first."""
    access = enter(request.user, slug)
    if not access.is_staff:
        raise PermissionDenied
    page = Paginator(disputes_of(access.competition), A_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "competition": access.competition, "page": page}
    return render(request, "disputes/index.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def dispute_new(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A matter begins at a table: for the staff, and for players who sit there."""
    access = enter(request.user, slug)
    table = access.table(pk)
    if not (access.is_staff or access.sits_at(table)):
        raise PermissionDenied
    form = DisputeForm(sent(request), table=table)
    if request.method == "POST" and form.is_valid():
        try:
            opened = open_dispute(
                table=table,
                hand=form.code,
                subject=form.cleaned_data["subject"],
                by=access.by,
                form=form.submission(table.pk),
            ).pk
        except AlreadyDone as first:
            opened = int(str(first.answer["dispute"]))
        except Refused as refusal:
            form.add_error(refusal.field, str(refusal))
        if form.is_valid():
            messages.success(request, _("The dispute is open. Play rests at this table."))
            return redirect("disputes:dispute", slug, opened)
    waiting = table.disputes.filter(closed_at__isnull=True).first()
    context = {
        "access": access,
        "competition": access.competition,
        "table": table,
        "round": table.round,
        "form": form,
        "waiting": waiting,
    }
    return render(request, "disputes/new.html", context, status=UNPROCESSABLE if form.errors else 200)


# --- one matter


@dataclass(frozen=True)
class Progress:
    """One of the six steps as the page's head shows it: done, now, or still to come."""

    label: str
    state: str


@dataclass(frozen=True)
class Revoking:
    """A penalty of the table that counts, with the form that revokes it."""

    line: PenaltyLine
    form: RevokeForm


@dataclass(frozen=True)
class Bound:
    """A form of the page that came back with errors: the name of what it does, and the form."""

    name: str
    form: KeyedForm


@never_cache
@require_safe
def dispute(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug)
    return _page(request, access, access.dispute(pk))


@never_cache
@require_POST
def dispute_step(request: HttpRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    """Go on to the next step; the page again, with what was typed, when it is refused."""
    access = enter(request.user, slug)
    found = access.dispute(pk)
    if kind not in Step.values:
        raise Http404
    if not (_rules_here(access, found) or (kind in BY_PLAYERS and access.sits_at(found.table))):
        raise PermissionDenied
    form = StepForm(request.POST, kind=kind, rules_here=_rules_here(access, found))
    if form.is_valid() and attempt(form, lambda: _take(access, found, form)):
        messages.success(request, _said(Step(kind), closes=bool(form.cleaned_data.get("closes"))))
        return redirect("disputes:dispute", slug, pk)
    return _page(request, access, access.dispute(pk), Bound(kind, form))


def _take(access: Access, found: Dispute, form: StepForm) -> Dispute:
    typed = form.cleaned_data
    return take_step(
        dispute=found,
        kind=form.kind,
        said=typed["said"],
        decided=typed.get("decided", ""),
        redeal=typed.get("redeal", False),
        closes=typed.get("closes", False),
        by=access.by,
        form=form.submission(found.pk, form.kind),
    )


def _said(step: Step, *, closes: bool) -> str:
    if closes or step == Step.FINAL:
        return _("The matter is closed. Play goes on.")
    sentences = {
        Step.PRELIMINARY: _("The preliminary ruling is given. Does anybody object?"),
        Step.RESUMED: _("Play goes on. An objection is still possible."),
        Step.OBJECTION: _("The objection is heard. The referees meet."),
        Step.MEETING: _("The meeting is recorded. Give the final ruling."),
    }
    return sentences[step]


@never_cache
@require_POST
def dispute_close(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Nobody objects."""
    access = enter(request.user, slug)
    found = _ruled_by(access, pk)
    form = KeyedForm(request.POST)
    if form.is_valid() and attempt(
        form, lambda: close_dispute(dispute=found, by=access.by, form=form.submission("close", found.pk))
    ):
        messages.success(request, _("The matter is closed: nobody objected."))
        return redirect("disputes:dispute", slug, pk)
    return _page(request, access, access.dispute(pk), Bound("close", form))


@never_cache
@require_POST
def dispute_revoke(request: HttpRequest, slug: str, pk: int, penalty: int) -> HttpResponse:
    """The ruling revokes a penalty of the table; or changes it: revoked, and another one logged."""
    access = enter(request.user, slug)
    found = _ruled_by(access, pk)
    revoked = get_object_or_404(
        Penalty.objects.select_related("competition"), competition=access.competition, pk=penalty
    )
    form = RevokeForm(request.POST, auto_id=f"revoke{penalty}_%s")
    if form.is_valid() and attempt(form, lambda: _revoke(access, found, revoked, form)):
        messages.success(request, _("The penalty is revoked. It stays on record and counts no more."))
        if "another" in request.POST:
            return redirect(_log_address(access, found, revoked.player_id))
        return redirect("disputes:dispute", slug, pk)
    return _page(request, access, access.dispute(pk), Bound(f"revoke{penalty}", form))


def _revoke(access: Access, found: Dispute, penalty: Penalty, form: RevokeForm) -> Penalty:
    return revoke_penalty(
        penalty=penalty,
        reason=form.cleaned_data["reason"],
        dispute=found,
        by=access.by,
        form=form.submission(penalty.pk, found.pk),
    )


def _page(request: HttpRequest, access: Access, found: Dispute, bound: Bound | None = None) -> HttpResponse:
    """The story, what may follow, and what the ruling changes."""
    inside, rules_here = access.is_inside(found.table), _rules_here(access, found)
    story = matter(found, inside=inside)
    ruled = any(each.step.kind in RULING for each in story.steps)
    rule_set = found.table.round.stage.division.rule_set
    context = {
        "access": access,
        "competition": access.competition,
        "dispute": found,
        "round": found.table.round,
        "hand": hand_words(found.hand),
        "matter": story,
        "logged": penalty_lines(story.logged, rule_set),
        "revoked": penalty_lines(story.revoked, rule_set),
        "inside": inside,
        "plays": access.sits_at(found.table),
        "progress": _progress(story),
        "rules_here": rules_here,
        "steps": _step_forms(access, found, bound),
        "close": _close_form(found, bound) if rules_here else None,
        "refused": bound.form if bound and not _has_place(found, bound) else None,
        "ruled": ruled,
        "log_url": _log_address(access, found),
        "sheet": found.table.sheets.filter(is_current=True).first(),
        "sheet_open": found.table.round.status == Round.Status.OPEN,
        "penalties": _revoking(found, rule_set, bound) if ruled and rules_here else [],
        "evidence_form": _evidence_form(found, bound) if inside else None,
        "words": words(),
        "total_points": found.table.round.stage.division.rules.total_points,
    }
    return render(request, "disputes/dispute.html", context, status=UNPROCESSABLE if bound else 200)


def _rules_here(access: Access, found: Dispute) -> bool:
    """Referees rule, but not where they play themselves."""
    return access.can_referee and not access.sits_at(found.table)


def _ruled_by(access: Access, pk: int) -> Dispute:
    """The dispute, for whoever may rule on it."""
    found = access.dispute(pk)
    if not access.can_referee:
        raise PermissionDenied
    return found


def _progress(story: Matter) -> list[Progress]:
    done = {each.step.kind for each in story.steps}
    now = story.dispute.step
    return [
        Progress(str(label), "now" if kind == now else "done" if kind in done else "ahead")
        for kind, label in Step.choices
    ]


def _step_forms(access: Access, found: Dispute, bound: Bound | None) -> list[StepForm]:
    """A form for each step that may follow and that this person may take."""
    if found.closed_at is not None:
        return []
    rules_here, plays = _rules_here(access, found), access.sits_at(found.table)
    kinds = [kind for kind in FOLLOWS[found.step] if rules_here or (plays and kind in BY_PLAYERS)]
    return [
        bound.form
        if bound and bound.name == kind and isinstance(bound.form, StepForm)
        else StepForm(kind=kind, rules_here=rules_here)
        for kind in kinds
    ]


def _close_form(found: Dispute, bound: Bound | None) -> KeyedForm | None:
    if found.closed_at is not None or found.step not in CLOSABLE:
        return None
    return bound.form if bound and bound.name == "close" else KeyedForm(auto_id="close_%s")


def _evidence_form(found: Dispute, bound: Bound | None) -> EvidenceForm | None:
    if found.closed_at is not None:
        return None
    if bound and isinstance(bound.form, EvidenceForm):
        return bound.form
    return EvidenceForm(auto_id="evidence_%s")


def _revoking(found: Dispute, rule_set: RuleSet, bound: Bound | None) -> list[Revoking]:
    lines = penalty_lines(revocable(found.table), rule_set)
    return [Revoking(line, _revoke_form(line.penalty.pk, bound)) for line in lines]


def _revoke_form(pk: int, bound: Bound | None) -> RevokeForm:
    name = f"revoke{pk}"
    if bound and bound.name == name and isinstance(bound.form, RevokeForm):
        return bound.form
    return RevokeForm(auto_id=f"{name}_%s")


def _has_place(found: Dispute, bound: Bound) -> bool:
    """Is the refused form still shown? Else its refusal stands at the head of the page."""
    if bound.name.startswith("revoke"):
        return any(bound.name == f"revoke{penalty.pk}" for penalty in revocable(found.table))
    if found.closed_at is not None:
        return False
    return bound.name == "evidence" or bound.name in FOLLOWS[found.step]


def _log_address(access: Access, found: Dispute, player: int | None = None) -> str:
    """Where a penalty of this ruling is logged."""
    address = f"{reverse('penalties:new', args=(access.competition.slug,))}?table={found.table_id}"
    entrant = (
        Entrant.objects.filter(competition=access.competition, player=player).first() if player else None
    )
    return f"{address}{f'&player={entrant.pk}' if entrant else ''}&dispute={found.pk}"


# --- evidence


@never_cache
@require_POST
def evidence_new(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug)
    found = access.dispute(pk)
    if not access.is_inside(found.table):
        raise PermissionDenied
    form = EvidenceForm(request.POST, request.FILES, auto_id="evidence_%s")
    if form.is_valid() and attempt(form, lambda: _add(access, found, form)):
        messages.success(request, _("It is kept with the dispute. Only the staff see it."))
        return redirect("disputes:dispute", slug, pk)
    return _page(request, access, access.dispute(pk), Bound("evidence", form))


def _add(access: Access, found: Dispute, form: EvidenceForm) -> object:
    photograph = form.cleaned_data["photograph"]
    digest = ""
    if photograph:
        digest = hashlib.file_digest(photograph.file, "sha256").hexdigest()
        photograph.seek(0)
    return add_evidence(
        dispute=found,
        note=form.cleaned_data["note"],
        photograph=photograph or None,
        by=access.by,
        form=form.submission(found.pk, digest),
    )


@never_cache
@require_safe
def evidence(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """A photograph, for staff who do not play at the table; nobody else keeps a copy on the way."""
    access = enter(request.user, slug)
    if not access.is_staff:
        raise PermissionDenied
    found = access.evidence(pk)
    try:
        file = found.file.open() if found.file else None
    except FileNotFoundError:
        file = None
    if file is None:
        raise Http404
    response = FileResponse(file, content_type=found.content_type, filename=f"evidence-{found.pk}.jpg")
    response["X-Content-Type-Options"] = "nosniff"
    return response
