import uuid
from dataclasses import dataclass

from league.core.access import Access
from league.models import Table
from league.people.members.queries import linked_players
from league.play.calendar.queries.table_times import TableTimes, TimeProposal, hanchan_minutes, times_of
from players.models import Player


@dataclass(frozen=True)
class TimePanel:
    """A table's appointments, and the rights of this person.

    `mine`: the players of the table that this person is. `answers_for`: all players for whom they may answer.
    """

    times: TableTimes
    mine: frozenset[int]
    answers_for: frozenset[int]
    may_set: bool
    may_postpone: bool
    minutes: int

    @property
    def new_key(self) -> uuid.UUID:
        return uuid.uuid4()

    @property
    def may_open(self) -> bool:
        return self.times.may_change and bool(self.answers_for or self.may_postpone)

    @property
    def may_restore(self) -> bool:
        return self.may_postpone and self.times.may_be_restored

    @property
    def may_propose(self) -> bool:
        return self.times.may_change and self.times.is_window and bool(self.answers_for)

    @property
    def lines(self) -> list["ProposalLine"]:
        return [ProposalLine.of(proposal, self) for proposal in self.times.proposals]


@dataclass(frozen=True)
class ProposalLine:
    proposal: TimeProposal
    may_agree: tuple[Player, ...]
    may_decline: tuple[Player, ...]
    by_hand: bool  # the organizer answers for others

    @classmethod
    def of(cls, proposal: TimeProposal, panel: TimePanel) -> "ProposalLine":
        return cls(
            proposal,
            tuple(
                player for player in (*proposal.missing, *proposal.declined) if player.pk in panel.answers_for
            ),
            tuple(player for player in (*proposal.missing, *proposal.agreed) if player.pk in panel.mine),
            panel.answers_for != panel.mine,
        )


def time_panel(access: Access, table: Table, *, sees_results: bool) -> TimePanel:
    times = times_of(table, sees_results=sees_results)
    seated = set(table.seats.values_list("player_id", flat=True))
    mine = frozenset(linked_players(access.user.pk, access.competition) & seated)
    return TimePanel(
        times=times,
        mine=mine,
        answers_for=frozenset(seated) if access.can_organize else mine,
        may_set=access.can_organize and times.may_change,
        may_postpone=may_postpone(access, bool(mine)) and not (times.has_sheet or times.is_open_play),
        minutes=hanchan_minutes(table.rules),
    )


def may_postpone(access: Access, plays_here: bool) -> bool:
    return access.can_organize or (access.can_referee and not plays_here)
