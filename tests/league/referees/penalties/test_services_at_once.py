"""Two referees, or eight, do one thing at the same time: each answer tells what the other did."""

from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import User

from league.models import AuditEntry
from league.play.disputes.procedure import Step
from league.play.disputes.services import open_dispute, take_step
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import Club, club, user
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


def said_at_once(*calls: Callable[[], str]) -> list[str]:
    return sorted(map(str, at_once(*calls)))


def test_two_who_log_one_offence_see_each_other_s_first_time(spring):
    where = {"stage": spring.stage, "table": spring.table(), "player_id": spring.players[0].pk}

    def log(by: User) -> str:
        return log_offence(**where, infraction="A-I", condition=0, by=by)[0].level

    assert said_at_once(partial(log, spring.bob), partial(log, spring.alice)) == ["2", "4"]


def test_of_two_who_rule_at_once_one_learns_that_the_other_did(spring):
    dispute = open_dispute(table=spring.table(), subject="Was it called in time?", by=spring.bob)

    def rule(text: str) -> str:
        take_step(dispute=dispute, kind=Step.PRELIMINARY, decided=text, by=spring.bob)
        return "ruled"

    answers = said_at_once(partial(rule, "stands"), partial(rule, "falls"))

    assert answers == ["Someone else has already recorded this step. Check their entry.", "ruled"]
    assert dispute.steps.count() == 2


def test_eight_who_revoke_one_penalty_revoke_it_once(spring):
    penalty = log_penalty(
        stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob
    )

    def revoke(by: User) -> str:
        revoke_penalty(penalty=penalty, reason=f"by {by}", by=by)
        return "revoked"

    answers = said_at_once(*(partial(revoke, user(f"referee-{n}")) for n in range(8)))

    assert (answers.count("revoked"), len(set(answers)), len(answers)) == (1, 2, 8)
    assert AuditEntry.objects.filter(action="penalty.revoke").count() == 1
