"""The main job without pages: a competition, a sheet, a correction, a penalty, standings that follow."""

import pytest

from league.organizing.audit_log.queries import verify_chain
from league.play.results.services import record_result, void_result
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import as_seen, club

pytestmark = pytest.mark.django_db


def totals(stage, *, public=True):
    stage.division.competition.refresh_from_db()
    return {
        r.player.key: r.row.total
        for r in standings(stage, public=public).rows
        if r.row.games or r.row.penalty
    }


def test_standings_follow_sheets_corrections_and_penalties():
    here = club()
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    assert totals(here.stage) == {"p1": 600, "p2": 100, "p3": -200, "p4": -500}
    record_result(
        **as_seen(here.table()), points=(35000, 45000, 25000, 15000), by=here.charlie, reason="swapped"
    )
    assert totals(here.stage) == {"p2": 600, "p1": 100, "p3": -200, "p4": -500}
    penalty = log_penalty(
        stage=here.stage, player_id=here.players[2].pk, score=-20, level="2", infraction="A-I", by=here.bob
    )
    assert totals(here.stage)["p3"] == -220
    revoke_penalty(penalty=penalty, reason="wrong player", by=here.bob)
    assert totals(here.stage)["p3"] == -200
    void_result(**as_seen(here.table()), reason="played with a broken wall", by=here.alice)
    assert totals(here.stage) == {}
    assert verify_chain(here.competition).broken_at is None
