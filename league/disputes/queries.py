"""Disputes for those who read them: the list of a competition, and one dispute with all that came of it."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from league.core.counted import counted_penalties
from league.disputes.procedure import INTERNAL
from league.models import Competition, Dispute, DisputeStep, Evidence, Penalty, Sheet, Table


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step as its reader may see it; ``withheld``: only that it happened, the text is the referees'."""

    step: DisputeStep
    withheld: bool


@dataclass(frozen=True, slots=True)
class Story:
    """A dispute with its steps, what its ruling did to penalties and sheets, and the evidence."""

    dispute: Dispute
    steps: tuple[StoryStep, ...]
    logged: tuple[Penalty, ...]
    revoked: tuple[Penalty, ...]
    sheets: tuple[Sheet, ...]
    evidence: tuple[Evidence, ...]


def story_of(dispute: Dispute, *, inside: bool) -> Story:
    """The whole story of a dispute in five queries.

    ``inside`` is for staff who do not play at the table. The players read the steps, the rulings and what
    became of penalties and sheets; but neither the referees' meeting, nor the evidence, nor a penalty that
    waits for the chief referee.
    """
    steps = dispute.steps.select_related("created_by").order_by("created_at", "pk")
    sheets = dispute.sheets.select_related("entered_by").order_by("version")
    evidence = dispute.evidence.select_related("created_by").order_by("created_at", "pk") if inside else ()
    return Story(
        dispute=dispute,
        steps=tuple(StoryStep(step, withheld=not inside and step.kind in INTERNAL) for step in steps),
        logged=_penalties(dispute.penalties.all(), inside=inside),
        revoked=_penalties(dispute.revoked_penalties.all(), inside=True),
        sheets=tuple(sheets),
        evidence=tuple(evidence),
    )


def _penalties(found: QuerySet[Penalty], *, inside: bool) -> tuple[Penalty, ...]:
    seen = found if inside else found.filter(status=Penalty.Status.IN_FORCE)
    return tuple(seen.select_related("player", "created_by", "revoked_by").order_by("created_at", "pk"))


def revocable(table: Table) -> list[Penalty]:
    """The penalties of the table that count: those that a ruling may revoke."""
    counted = counted_penalties(Penalty.objects.filter(table=table), public=False)
    return list(counted.select_related("player", "created_by").order_by("created_at", "pk"))


def disputes_of(competition: Competition) -> QuerySet[Dispute]:
    """All disputes, the open ones first, then the newest."""
    found = Dispute.objects.filter(competition=competition)
    related = ("table__round__stage__division", "created_by")
    return found.select_related(*related).order_by(
        F("closed_at").desc(nulls_first=True), "-created_at", "-pk"
    )


def open_disputes(competition: Competition) -> list[Dispute]:
    """The disputes that wait for their next step, the oldest first. One query."""
    waiting = disputes_of(competition).filter(closed_at__isnull=True)
    return list(waiting.order_by("created_at", "pk"))


def disputes_at(table: Table) -> list[Dispute]:
    """The disputes about this table, the oldest first. One query."""
    return list(Dispute.objects.filter(table=table).order_by("created_at", "pk"))
