"""What a competition file says of teams beyond their members: how they play, where they sit, whom they named,
what was deducted from them, how they were cut and drew lots; and written as the file is imported.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from league.core.changes import Change
from league.interchange.services.keys import RoundKey, StageKey
from league.models import (
    Competition,
    Invitation,
    LineUp,
    Role,
    Round,
    Stage,
    Team,
    TeamLots,
    TeamPenalty,
    TeamSeat,
)
from players.models import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRoundFacts:
    """A round with teams: ``tables`` by number with four team ids, ``line_ups`` (team id, player ids)."""

    division: str
    stage: str
    round: int
    until: datetime | None = None
    tables: tuple[tuple[int, tuple[str, ...]], ...] = ()
    line_ups: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPenaltyFacts:
    """``score`` in tenths, zero or less; ``revoked`` is the reason for which it counts no more."""

    team: str
    division: str
    stage: str
    score: int
    reason: str
    revoked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamLotsFacts:
    """Teams of a stage in the order in which they were drawn."""

    division: str
    stage: str
    teams: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCutFacts:
    """How the ``teams`` of a stage came into it: chosen ``by_hand`` or the ``top`` ones, the equal teams that
    were in and out and by what, who was ``gone`` and who ``moved_up``.
    """

    division: str
    stage: str
    top: int
    by_hand: bool
    teams: tuple[str, ...]
    decided: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = ()
    gone: tuple[str, ...] = ()
    moved_up: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPlayFacts:
    mode: str
    least: int | None = None
    most: int | None = None
    rounds: tuple[TeamRoundFacts, ...] = ()
    penalties: tuple[TeamPenaltyFacts, ...] = ()
    lots: tuple[TeamLotsFacts, ...] = ()
    cuts: tuple[TeamCutFacts, ...] = ()


def write_team_play(
    done: Change,
    facts: TeamPlayFacts | None,
    stages: Mapping[StageKey, Stage],
    rounds: Mapping[RoundKey, Round],
    players: Mapping[str, Player],
) -> None:
    """Write it after divisions, rounds and people; an older file says nothing and changes no setting."""
    if facts is None:
        return
    competition = done.competition
    competition.team_play = facts.mode
    competition.least_hanchan, competition.most_hanchan = facts.least, facts.most
    competition.save(update_fields=["team_play", "least_hanchan", "most_hanchan"])
    teams = {team.key: team for team in competition.teams.all()}
    for each in facts.rounds:
        _write_round(done, each, rounds[each.division, each.stage, each.round], teams, players)
    TeamPenalty.objects.bulk_create(
        TeamPenalty(
            team=teams[each.team],
            stage=stages[each.division, each.stage],
            score=each.score,
            reason=each.reason,
            created_by=done.by,
            created_at=done.at,
            revoked_at=done.at if each.revoked else None,
            revoked_by=done.by if each.revoked else None,
            revoke_reason=each.revoked,
        )
        for each in facts.penalties
    )
    TeamLots.objects.bulk_create(
        TeamLots(
            stage=stages[each.division, each.stage],
            teams=_ids(each.teams, teams),
            seed=each.seed,
            created_by=done.by,
            created_at=done.at,
        )
        for each in facts.lots
    )
    for cut in facts.cuts:
        _write_cut(cut, stages[cut.division, cut.stage], teams)


def _write_cut(facts: TeamCutFacts, stage: Stage, teams: Mapping[str, Team]) -> None:
    """As ``league.teams.services.cuts`` keeps it."""
    stage.team_cut = {
        "top": facts.top,
        "by_hand": facts.by_hand,
        "in": _ids(facts.teams, teams),
        "decided": [
            {"in": _ids(inside, teams), "out": _ids(outside, teams), "by": by}
            for inside, outside, by in facts.decided
        ],
        "gone": _ids(facts.gone, teams),
        "moved_up": _ids(facts.moved_up, teams),
    }
    stage.save(update_fields=["team_cut"])


def _ids(keys: Iterable[str], teams: Mapping[str, Team]) -> list[int]:
    return [teams[key].pk for key in keys]


def _write_round(
    done: Change,
    facts: TeamRoundFacts,
    round_: Round,
    teams: Mapping[str, Team],
    players: Mapping[str, Player],
) -> None:
    if facts.until is not None:
        round_.line_ups_until = facts.until
        round_.save(update_fields=["line_ups_until"])
    TeamSeat.objects.bulk_create(
        TeamSeat(round=round_, table=number, wind=wind, team=teams[team])
        for number, four in facts.tables
        for wind, team in enumerate(four)
    )
    LineUp.objects.bulk_create(
        LineUp(round=round_, team=teams[team], player=players[player], created_by=done.by, created_at=done.at)
        for team, named in facts.line_ups
        for player in named
    )


# --- captains of teams that a file replaces


@dataclass(frozen=True, slots=True)
class SpokenFor:
    """Role and invitation ids by the key of the team that they name."""

    roles: Mapping[int, str]
    invitations: Mapping[int, str]


def spoken_for(competition: Competition) -> SpokenFor:
    """Who speaks for which team, before the teams are replaced."""
    roles = Role.objects.filter(competition=competition, team__isnull=False)
    invitations = Invitation.objects.filter(competition=competition, team__isnull=False)
    return SpokenFor(
        dict(roles.values_list("pk", "team__key")), dict(invitations.values_list("pk", "team__key"))
    )


def give_back(competition: Competition, before: SpokenFor) -> None:
    """Captains speak for the team of the same key again; for none where the file has none."""
    teams = {team.key: team for team in competition.teams.all()}
    for role, key in before.roles.items():
        Role.objects.filter(pk=role).update(team=teams.get(key))
    for invitation, key in before.invitations.items():
        Invitation.objects.filter(pk=invitation).update(team=teams.get(key))
