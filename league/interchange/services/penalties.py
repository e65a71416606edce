"""What a competition file says of penalties, and of points that no table gave; and written as the file is
imported.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.core.changes import Change
from league.interchange.services.keys import CHUNK, RoundKey, StageKey, TableKey
from league.models import Adjustment, Penalty, Round, Stage, Table
from players.models import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyFacts:
    """``score`` in tenths; ``revoked`` is the reason for which it counts no more, empty while it counts;
    ``decided`` the chief referee's for declining it. Penalties of one act share ``together``, a number.
    """

    player: str
    division: str
    stage: str
    round: int | None
    table: int | None
    score: int
    reason: str = ""
    infraction: str = ""
    level: str = ""
    revoked: str = ""
    hand: str = ""
    condition: int | None = None
    units: int = 1
    suggested: str = ""
    win_ban: bool = False
    status: str = Penalty.Status.IN_FORCE
    decided: str = ""
    together: int | None = None

    @property
    def in_round(self) -> RoundKey | None:
        return None if self.round is None else (self.division, self.stage, self.round)

    @property
    def at_table(self) -> TableKey | None:
        return None if self.in_round is None or self.table is None else (*self.in_round, self.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentFacts:
    """``score`` in tenths, for a ``round`` of the stage that the player did not play (None: for none)."""

    player: str
    division: str
    stage: str
    round: int | None
    kind: str
    score: int
    reason: str = ""
    revoked: bool = False


def write_penalties(
    done: Change,
    penalties: Sequence[PenaltyFacts],
    stages: Mapping[StageKey, Stage],
    rounds: Mapping[RoundKey, Round],
    tables: Mapping[TableKey, Table],
    players: Mapping[str, Player],
) -> None:
    rows = []
    acts: dict[int, uuid.UUID] = defaultdict(uuid.uuid4)
    for facts in penalties:
        declined = facts.status == Penalty.Status.DECLINED
        rows.append(
            Penalty(
                competition=done.competition,
                stage=stages[facts.division, facts.stage],
                round=rounds[facts.in_round] if facts.in_round else None,
                table=tables[facts.at_table] if facts.at_table else None,
                player=players[facts.player],
                infraction=facts.infraction,
                level=facts.level,
                score=facts.score,
                reason=facts.reason,
                created_by=done.by,
                created_at=done.at,
                revoked_by=done.by if facts.revoked else None,
                revoked_at=done.at if facts.revoked else None,
                revoke_reason=facts.revoked,
                hand=facts.hand,
                condition=facts.condition,
                units=facts.units,
                suggested=facts.suggested,
                win_ban=facts.win_ban,
                status=facts.status,
                decided_by=done.by if declined else None,
                decided_at=done.at if declined else None,
                decide_reason=facts.decided if declined else "",
                together=None if facts.together is None else acts[facts.together],
            )
        )
    Penalty.objects.bulk_create(rows, batch_size=CHUNK)


def write_adjustments(
    done: Change,
    adjustments: Iterable[AdjustmentFacts],
    stages: Mapping[StageKey, Stage],
    rounds: Mapping[RoundKey, Round],
    players: Mapping[str, Player],
) -> None:
    Adjustment.objects.bulk_create(
        Adjustment(
            stage=stages[facts.division, facts.stage],
            round=None if facts.round is None else rounds[facts.division, facts.stage, facts.round],
            player=players[facts.player],
            kind=facts.kind,
            score=facts.score,
            reason=facts.reason,
            created_by=done.by,
            created_at=done.at,
            revoked_at=done.at if facts.revoked else None,
        )
        for facts in adjustments
    )
