from dataclasses import dataclass

from django.db.models import F, QuerySet

from league.core.counted import counted_penalties
from league.models import Competition, Dispute, DisputeStep, Evidence, Penalty, Sheet, Table
from league.play.disputes.procedure import INTERNAL


@dataclass(frozen=True, slots=True)
class Story:
    """A dispute's steps (with whether the text is withheld), the effects of its ruling, and the evidence."""

    steps: list[tuple[DisputeStep, bool]]
    logged: list[Penalty]
    revoked: list[Penalty]
    sheets: list[Sheet]
    evidence: list[Evidence]


def story_of(dispute: Dispute, *, inside: bool) -> Story:
    """Read the story of a dispute. Five queries.

    ``inside``: for staff who do not play at the table. Players do not see the text of the referees' meeting,
    the evidence, or a penalty that waits for the chief referee.
    """
    steps = dispute.steps.select_related("created_by").order_by("created_at", "pk")
    sheets = dispute.sheets.select_related("entered_by").order_by("version")
    evidence = dispute.evidence.select_related("created_by").order_by("created_at", "pk") if inside else ()
    return Story(
        steps=[(step, not inside and step.kind in INTERNAL) for step in steps],
        logged=_penalties(dispute.penalties.all(), inside=inside),
        revoked=_penalties(dispute.revoked_penalties.all(), inside=True),
        sheets=list(sheets),
        evidence=list(evidence),
    )


def _penalties(penalties: QuerySet[Penalty], *, inside: bool) -> list[Penalty]:
    seen = penalties if inside else penalties.filter(status=Penalty.Status.IN_FORCE)
    return list(seen.select_related("player", "created_by", "revoked_by").order_by("created_at", "pk"))


def revocable(table: Table) -> list[Penalty]:
    in_force = counted_penalties(Penalty.objects.filter(table=table), public=False)
    return list(in_force.select_related("player", "created_by").order_by("created_at", "pk"))


def disputes_of(competition: Competition) -> QuerySet[Dispute]:
    """Return all disputes, open ones first, then the newest."""
    disputes = Dispute.objects.filter(competition=competition)
    related = ("table__round__stage__division", "created_by")
    return disputes.select_related(*related).order_by(
        F("closed_at").desc(nulls_first=True), "-created_at", "-pk"
    )


def open_disputes(competition: Competition) -> list[Dispute]:
    """Return open disputes, the oldest first. One query."""
    waiting = disputes_of(competition).filter(closed_at__isnull=True)
    return list(waiting.order_by("created_at", "pk"))


def disputes_at(table: Table) -> list[Dispute]:
    """Return the disputes about this table, the oldest first. One query."""
    return list(Dispute.objects.filter(table=table).order_by("created_at", "pk"))


def final_rulings(table: Table) -> list[DisputeStep]:
    """Return the final rulings about hands of this table, the oldest first. One query."""
    steps = DisputeStep.objects.filter(dispute__table=table, kind=Dispute.Step.FINAL)
    return list(steps.select_related("dispute").order_by("created_at", "pk"))
