"""The facts: who sat where, what each score sheet said, penalties, and the values of the rule sets.

Nothing here is computed: places, uma, totals and ranks come from ``scoring``.
"""

from league.models.calendar import Appointment, Consent
from league.models.competitions import (
    Competition,
    Division,
    Entrant,
    League,
    Lots,
    OwnCatalogue,
    RuleBook,
    RuleSet,
    Stage,
    StageEntrant,
    Team,
)
from league.models.people import Invitation, Role
from league.models.play import Adjustment, Round, Seat, SeatingDraft, Sheet, Table
from league.models.records import AuditEntry, Submission
from league.models.refereeing import Ban, Call, Dispute, DisputeStep, Evidence, Penalty, Waiver
from league.models.teams import LineUp, TeamLots, TeamPenalty, TeamSeat

__all__ = [
    "Adjustment",
    "Appointment",
    "AuditEntry",
    "Ban",
    "Call",
    "Competition",
    "Consent",
    "Dispute",
    "DisputeStep",
    "Division",
    "Entrant",
    "Evidence",
    "Invitation",
    "League",
    "LineUp",
    "Lots",
    "OwnCatalogue",
    "Penalty",
    "Role",
    "Round",
    "RuleBook",
    "RuleSet",
    "Seat",
    "SeatingDraft",
    "Sheet",
    "Stage",
    "StageEntrant",
    "Submission",
    "Table",
    "Team",
    "TeamLots",
    "TeamPenalty",
    "TeamSeat",
    "Waiver",
]
