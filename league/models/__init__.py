"""The facts: seats, score sheets, penalties, and the values of the rule sets.

`scoring` computes places, uma, totals and ranks from them.
"""

from django.apps import apps

from league.models.accounts import BrowserSession, SecurityEvent
from league.models.api import ApiToken
from league.models.at_table import Claim, HandEntry, Proposal, Signature
from league.models.calendar import Appointment, Consent
from league.models.choices import constrain_choices
from league.models.competitions import Competition, League
from league.models.entrants import Entrant, Lot, Lots, StageEntrant, Team
from league.models.game_logs import GameLog, GameName
from league.models.notices import Channel
from league.models.outbox import Outgoing
from league.models.people import Invitation, Role
from league.models.play import (
    Adjustment,
    Evening,
    Presence,
    Round,
    Seat,
    SeatingDraft,
    Sheet,
    SittingOut,
    Table,
)
from league.models.records import (
    AuditEntry,
    ImportJob,
    KeptFile,
    LeagueEntry,
    LogEntry,
    LogText,
    Submission,
)
from league.models.refereeing import Ban, Call, Dispute, DisputeStep, Evidence, Penalty, Waiver
from league.models.registration import KnownNumber, Registrant, Registration
from league.models.reports import FederationForm, Logo
from league.models.rules import OwnCatalogue, RuleBook, RuleSet
from league.models.screens import Ceremony, Screen
from league.models.stages import Division, Stage
from league.models.teams import LineUp, TeamPenalty, TeamSeat
from league.models.webhooks import Webhook

__all__ = [
    "Adjustment",
    "ApiToken",
    "Appointment",
    "AuditEntry",
    "Ban",
    "BrowserSession",
    "Call",
    "Ceremony",
    "Channel",
    "Claim",
    "Competition",
    "Consent",
    "Dispute",
    "DisputeStep",
    "Division",
    "Entrant",
    "Evening",
    "Evidence",
    "FederationForm",
    "GameLog",
    "GameName",
    "HandEntry",
    "ImportJob",
    "Invitation",
    "KeptFile",
    "KnownNumber",
    "League",
    "LeagueEntry",
    "LineUp",
    "LogEntry",
    "LogText",
    "Logo",
    "Lot",
    "Lots",
    "Outgoing",
    "OwnCatalogue",
    "Penalty",
    "Presence",
    "Proposal",
    "Registrant",
    "Registration",
    "Role",
    "Round",
    "RuleBook",
    "RuleSet",
    "Screen",
    "Seat",
    "SeatingDraft",
    "SecurityEvent",
    "Sheet",
    "Signature",
    "SittingOut",
    "Stage",
    "StageEntrant",
    "Submission",
    "Table",
    "Team",
    "TeamPenalty",
    "TeamSeat",
    "Waiver",
    "Webhook",
]

for _model in apps.all_models["league"].values():
    constrain_choices(_model)
