"""Referees who also play: they leave decisions on their own table, penalties and bans to others."""

from datetime import date

import pytest
from django.urls import reverse

from league.core.errors import Refused
from league.models import AuditEntry, Proposal, Role, Table
from league.play.bans.services import lift_ban, set_ban
from league.play.calls.services import call_referee, close_call, take_call
from league.play.disputes.services import open_dispute, take_step
from league.play.results.proposals import approve_sheets, sign
from league.play.results.services import confirm_result
from league.referees.penalties.services.decisions import decide_request, revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, as_seen, club, signed_in, user
from tests.league.play.entry.at_table import propose, signing_club
from tests.shown import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring():
    made = club()
    made.add_round()
    return made


def plays(made: Club, person, index: int = 0) -> None:
    """The account of this person is linked to this player, beside the roles that it has."""
    values = {"competition": made.competition, "user": person, "kind": Role.Kind.PLAYER}
    Role.objects.update_or_create(**values, defaults={"player": made.players[index]})


def is_alone(made: Club, person) -> None:
    """This organizer is the sole staff, as in a small club."""
    Role.objects.exclude(kind=Role.Kind.PLAYER).exclude(user=person).delete()
    made.league.owners.set([person])


def marks() -> list[str]:
    """Return the actions that the log marks as decided in one's own case."""
    entries = AuditEntry.objects.filter(after__own_case=True)
    return list(entries.order_by("sequence").values_list("action", flat=True))


# --- calls


def test_a_call_of_their_own_table_is_left_to_others(spring):
    plays(spring, spring.bob)
    call = call_referee(table=spring.table(), by=spring.dora)

    with pytest.raises(Refused, match="Another referee will come"):
        take_call(call=call, by=spring.bob)
    with pytest.raises(Refused, match="Another referee must decide"):
        close_call(call=call, by=spring.bob)
    assert close_call(call=call, by=spring.alice).closed_by == spring.alice
    assert marks() == []


def test_a_sole_referee_answers_the_call_of_their_own_table_and_the_log_says_so(spring):
    plays(spring, spring.alice)
    is_alone(spring, spring.alice)
    call = take_call(call=call_referee(table=spring.table(), by=spring.dora), by=spring.alice)
    close_call(call=call, by=spring.alice)
    away = call_referee(table=spring.table(number=2), by=spring.dora)
    take_call(call=away, by=spring.alice)
    assert marks() == ["call.take", "call.close"]


def test_calls_of_their_own_table_come_last_and_do_not_sound(spring):
    plays(spring, spring.bob)
    bob, strip = signed_in(spring.bob), f"{reverse('calls:waiting')}?at={spring.slug}"
    queue = reverse("calls:index", args=(spring.slug,))
    for number in (1, 2):
        call_referee(table=spring.table(number=number), by=spring.dora)

    assert [call.table.number for call in bob.get(strip).context["calls"]] == [2]
    page = bob.get(queue)
    assert [call.table.number for call in page.context["calls"]] == [2, 1]
    assert "You are playing at this table. Another referee will come." in text(page)
    assert page.content.decode().count("/take/") == 1
    assert [call.table.number for call in signed_in(spring.alice).get(strip).context["calls"]] == [1, 2]


# --- who else there is


def test_an_owner_of_the_league_is_someone_else_and_a_closed_account_is_not(spring):
    plays(spring, spring.bob)
    is_alone(spring, spring.bob)
    owner = user("owner")
    spring.league.owners.set([owner])
    call = call_referee(table=spring.table(), by=spring.dora)
    with pytest.raises(Refused, match="Another referee will come"):
        take_call(call=call, by=spring.bob)

    owner.is_active = False
    owner.save()
    assert take_call(call=call, by=spring.bob).taken_by == spring.bob


def test_referees_at_one_table_do_not_wait_for_each_other(spring):
    plays(spring, spring.alice)
    plays(spring, spring.bob, 1)
    call = call_referee(table=spring.table(), by=spring.dora)
    assert take_call(call=call, by=spring.bob).taken_by == spring.bob
    assert marks() == ["call.take"]


# --- penalties and bans


def penalize(made: Club, index: int, by, table: Table | None = None, **options):
    stage, player = made.stage, made.players[index].pk
    return log_penalty(stage=stage, table=table, player_id=player, score=-20, reason="late", by=by, **options)


def test_a_penalty_of_their_own_is_left_to_others_even_away_from_a_table(spring):
    plays(spring, spring.bob)
    theirs = penalize(spring, 0, spring.alice)
    for refused in (
        lambda: penalize(spring, 0, spring.bob),
        lambda: revoke_penalty(penalty=theirs, reason="no", by=spring.bob),
    ):
        with pytest.raises(Refused, match="Referees cannot decide their own penalties"):
            refused()
    assert penalize(spring, 1, spring.bob).pk
    assert marks() == []


def test_a_sole_referee_logs_and_decides_their_own_penalty_and_the_log_says_so(spring):
    plays(spring, spring.alice)
    is_alone(spring, spring.alice)
    penalty = penalize(spring, 0, spring.alice)
    penalize(spring, 1, spring.alice, spring.table())
    penalize(spring, 5, spring.alice, spring.table(number=2))
    type(penalty).objects.filter(pk=penalty.pk).update(status="requested")
    assert decide_request(penalty=penalty, verdict="approve", by=spring.alice)[0].status == "in_force"
    assert marks() == ["penalty.log", "penalty.log", "penalty.approve"]


def test_a_ban_of_their_own_is_lifted_by_another_organizer(spring):
    plays(spring, spring.alice)
    ban = set_ban(
        competition=spring.competition,
        player_id=spring.players[0].pk,
        since=date(2026, 1, 1),
        until=None,
        reason="fights",
        by=spring.alice,
    )
    other = user("other")
    role = Role.objects.create(competition=spring.competition, user=other, kind=Role.Kind.ORGANIZER)
    lift = {"ban": ban, "competition": spring.competition, "reason": "peace"}
    with pytest.raises(Refused, match="This is your own ban"):
        lift_ban(**lift, by=spring.alice)
    role.delete()
    lift_ban(**lift, by=spring.alice)
    assert marks() == ["ban.lift"]


# --- disputes


def test_a_sole_referee_rules_on_a_dispute_at_their_own_table_and_reads_why(spring):
    plays(spring, spring.alice)
    dispute = open_dispute(table=spring.table(), subject="Was it called?", by=spring.alice)
    page = reverse("disputes:dispute", args=(spring.slug, dispute.pk))
    alice = signed_in(spring.alice)
    assert "Another referee must decide." in text(alice.get(page))

    is_alone(spring, spring.alice)
    take_step(dispute=dispute, kind="preliminary", said="a", decided="b", by=spring.alice)
    assert "no other referee can decide" in text(alice.get(page))
    assert f"{page}step/resumed/" in alice.get(page).content.decode()
    assert marks() == ["dispute.step"]


# --- score sheets


@pytest.fixture
def signed():
    """Two tables whose sheets are signed and wait for approval."""
    made = signing_club(counts=False)
    for number in (1, 2):
        table = made.table(number=number)
        seats = list(table.seats.select_related("player").order_by("wind"))
        sheet = propose(made, table=table, based_on=0, player=seats[0].player)
        for seat in seats:
            sign(table=table, proposal=sheet.pk, wind=seat.wind, how="phone", by=None, player=seat.player)
    return made


@pytest.mark.with_extra("hall")
def test_approving_all_leaves_their_own_table_and_says_why(signed):
    plays(signed, signed.alice)
    sheets = Proposal.objects.order_by("pk").values_list("pk", flat=True)
    address = reverse("hall:approve", args=(signed.slug, signed.rounds[0].pk))
    form = {"key": "4b1d2f6e-52f4-4d7e-8f0c-7a4d7a8f1b11", "proposals": "-".join(map(str, sheets))}
    answer = signed_in(signed.alice).post(address, form, follow=True)

    assert "Score sheet of table 2 approved. Table 1: You are playing at this table." in text(answer)
    assert "has changed" not in text(answer)
    assert [table.sheets.count() for table in Table.objects.order_by("number")] == [0, 1]


def test_a_sole_organizer_approves_all_and_the_log_marks_their_own_table_alone(signed):
    plays(signed, signed.alice)
    is_alone(signed, signed.alice)
    sheets = list(Proposal.objects.values_list("pk", flat=True))
    result = approve_sheets(round_=signed.rounds[0], proposals=sheets, by=signed.alice)
    assert result == {"approved": [1, 2], "left": []}
    marked = AuditEntry.objects.filter(after__own_case=True)
    assert {entry.target for entry in marked} == {f"table:{signed.table().pk}"}


def test_the_second_person_who_confirms_does_not_play_at_the_table(spring):
    plays(spring, spring.bob)
    spring.record((45_000, 35_000, 25_000, 15_000))
    with pytest.raises(Refused, match="Another staff member must decide"):
        confirm_result(**as_seen(spring.table()), by=spring.bob)

    # Charlie entered it, so that without Alice no one but Bob can confirm it
    Role.objects.filter(user=spring.alice).delete()
    spring.league.owners.clear()
    assert confirm_result(**as_seen(spring.table()), by=spring.bob).confirmed_by == spring.bob
    assert marks() == ["result.confirm"]
