"""The referee's desk: what waits, the tables being played, bans and the end of their hand, taking back."""

import html
import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Penalty, Role, Table
from league.play.calls.services import call_referee, take_call, tell_staff
from league.play.disputes.services import open_dispute, take_step
from league.play.rounds.services import close_round, set_visibility
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import PASSWORD, Club, club, signed_in, user
from tests.league.asking import queries_of
from tests.win_bans import active_bans

pytestmark = pytest.mark.django_db


def address(made: Club, page: str = "desk/") -> str:
    return f"/c/{made.slug}/{page}"


def log(made: Club, code: str = "A-VI", condition: int = 1, *, index: int = 0, **options) -> Penalty:
    table = made.table(options.pop("round_number", 1), index // 4 + 1)
    return log_offence(
        stage=made.stage,
        table=table,
        player_id=made.players[index].pk,
        infraction=code,
        condition=condition,
        hand=options.pop("hand", ""),
        by=options.pop("by", made.bob),
        **options,
    )[0]


def plain(answer) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode())))


def press(client: Client, url: str, **values: object):
    return client.post(url, {"key": uuid.uuid4(), **values}, follow=True)


# --- the tables


def test_the_tables_of_the_newest_open_round_come_first(spring, bob):
    second = spring.add_round()
    third = spring.add_round()
    close_round(round_=second, by=spring.alice)

    shown = bob.get(address(spring)).context["rounds"]

    assert [(r, [each.table.number for each in tables]) for r, _words, tables, _first in shown] == [
        (third, [1, 2]),
        (spring.rounds[0], [1, 2]),
    ]
    seats = [[seat.player for seat in each.table.seats.all()] for each in shown[1][2]]
    assert seats == [spring.players[:4], spring.players[4:]]


def test_a_table_tells_its_dispute_its_bans_and_its_result(spring, bob):
    open_dispute(table=spring.table(), subject="two melds", by=spring.bob)
    log(spring, index=5)
    log(spring, index=5, code="A-X", condition=0)
    spring.record((30_000,) * 4)

    _round, _words, tables, _first = bob.get(address(spring)).context["rounds"][0]

    first, second = tables
    assert (first.lines, first.nexts, second.hand) == ([], [], "hand unknown")
    assert [code for code, *_words in second.nexts] == ["?1"]
    assert (first.table.disputed, first.banned, first.table.done) == (True, [], True)
    assert (second.table.disputed, second.banned, second.table.done) == (
        False,
        [("Win ban", spring.players[5])],
        False,
    )
    assert not second.mine


@pytest.mark.slow
def test_an_organizer_comes_from_a_refusal_to_the_seat_to_forfeit(spring, bob):
    Role.objects.create(competition=spring.competition, user=spring.alice, kind=Role.Kind.CHIEF)
    people = f'href="{address(spring, f"manage/rounds/{spring.rounds[0].pk}/people/")}"'
    alice = signed_in(spring.alice)
    log(spring, "T-9", 0)
    assert people not in alice.get(address(spring)).content.decode()
    log(spring, "T-10", 0)
    assert people in alice.get(address(spring)).content.decode()
    assert people not in bob.get(address(spring)).content.decode()


def test_a_table_where_the_referee_plays_is_greyed_with_the_reason(spring, bob):
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])

    page = bob.get(address(spring))

    first, second = page.context["rounds"][0][2]
    assert (first.mine, second.mine) == (True, False)
    assert f"?table={first.table.pk}" not in page.content.decode()
    assert f"?table={second.table.pk}" in page.content.decode()
    assert "You are playing at this table. Another referee must decide." in plain(page)


def test_without_an_open_round_it_says_what_to_wait_for(db):
    made = club("empty")

    assert "Tables appear here when an organizer starts a round." in plain(
        signed_in(made.bob).get(address(made))
    )


def test_calls_and_disputes_wait_on_top(spring, bob):
    call_referee(table=spring.table(), by=None, note="wall")
    open_dispute(table=spring.table(number=2), subject="two melds", by=spring.bob)

    page = plain(bob.get(address(spring)))

    assert page.index("Tables calling a referee") < page.index("Open disputes") < page.index("Tables in play")
    assert "two melds" in page


def test_tables_with_something_on_them_come_first_and_many_have_their_numbers_on_top(db):
    made = club("hall", players=40)
    made.add_round()
    call_referee(table=made.table(number=7), by=None)
    log(made, index=15)

    page = signed_in(made.bob).get(address(made))

    _round, _words, tables, first = page.context["rounds"][0]
    assert [each.table.number for each in tables] == list(range(1, 11))
    assert [each.table.number for each in first] == [4, 7, 1, 2, 3, 5, 6, 8, 9, 10]
    assert len(re.findall(r'href="[^"]*new/\?table=\d+" aria-label="Table', page.content.decode())) == 10


def test_a_hand_that_the_rules_deal_again_is_stepped_with_one_button(spring, bob):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)
    form = {"player": spring.players[0].pk, "infraction": "C-III", "condition": "0", "asked-c0": "5"}

    page = press(bob, address(spring, f"penalties/new/?table={spring.table().pk}"), **form)

    said = "Logged for 陳大文: −25.0. It counts at once. Win ban for this hand. Hand: redeal."
    assert said in plain(page)
    assert [again for _line, _seconds, again in page.context["undo"]] == ["E1.0.1"]
    assert page.context["rounds"][0][3][0].nexts[0][:2] == ("E1.0.1", "Deal again")
    press(bob, address(spring, f"tables/{spring.table().pk}/hand/"), hand="E1.0.1")
    assert (spring.table().hand, active_bans(spring.competition)) == ("E1.0.1", [])


# --- bans and the end of the hand


def test_bans_are_shown_by_table_and_end_with_the_hand(spring, bob):
    Table.objects.update(hand="E1.0")
    first, second = log(spring), log(spring, index=2)
    other = log(spring, index=6)
    page = bob.get(address(spring))
    (ours, theirs) = page.context["rounds"][0][2]
    assert [line.penalty for line in ours.lines] == [second, first]  # by name
    assert [line.penalty for line in theirs.lines] == [other]
    assert ours.nexts == [
        ("E1.1", "Deal stays", "East 1, honba 1"),
        ("E2.0", "Deal passes", "East 2, honba 0"),
        ("E2.1", "Draw, deal passes", "East 2, honba 1"),
        ("E1.0.1", "Deal again", "East 1, honba 0, dealt again"),
    ]

    answer = press(bob, address(spring, f"tables/{spring.table().pk}/hand/"), hand="E2.1")

    assert "Current hand of table 1: East 2, honba 1." in plain(answer)
    assert (spring.table().hand, active_bans(spring.competition)) == ("E2.1", [other])


def test_two_referees_who_end_the_same_hand_end_it_once(spring, bob):
    log(spring)
    url = address(spring, f"tables/{spring.table().pk}/hand/")

    for client in (bob, signed_in(spring.alice)):
        press(client, url, hand="E2.0")

    assert spring.table().hand == "E2.0"


def test_after_the_last_hand_the_ban_ends_with_the_result(spring, bob):
    log(spring)
    set_hand(table=spring.table(), hand="S4.0", by=spring.bob)
    log(spring, index=1)

    first, _second = bob.get(address(spring)).context["rounds"][0][2]

    assert [code for code, _how, _words in first.nexts] == ["S4.1", "S4.0.1"]
    spring.record((30_000,) * 4)
    assert not any(each.lines for each in bob.get(address(spring)).context["rounds"][0][2])


def test_a_hand_that_other_rules_no_longer_play_can_be_set(spring, bob):
    set_hand(table=spring.table(), hand="S2.0", by=spring.bob)
    rules = spring.division.rule_set
    rules.values |= {"game_length": "east"}
    rules.save()

    assert "South 2" in plain(bob.get(address(spring)))
    log(spring, hand="E2.0")

    assert spring.table().hand == "E2.0"


def test_an_unknown_hand_can_be_over_or_named_with_its_penalties(spring, bob):
    log(spring)
    where = f"tables/{spring.table().pk}/hand/"
    press(bob, address(spring, where), hand="?1")
    assert (spring.table().hand, active_bans(spring.competition)) == ("?1", [])
    again = log(spring)

    page = bob.get(address(spring, f"{where}name/"))
    assert [line.penalty for line in page.context["lines"]] == [again]
    assert "They were in this hand" in plain(page)
    press(bob, address(spring, f"{where}name/"), deal="S1", honba="2", same="yes")

    assert (spring.table().hand, active_bans(spring.competition)) == ("S1.2", [again])
    assert press(bob, address(spring, f"{where}name/"), deal="W1", honba="x").status_code == 422


@pytest.mark.parametrize("hand", ["W1.0", "x", "E1", "", "E1.100", "九" * 12, "\x00", "?2", "?x"])
def test_a_hand_that_is_not_played_is_refused_in_words(spring, bob, hand):
    answer = press(bob, address(spring, f"tables/{spring.table().pk}/hand/"), hand=hand)

    assert "This hand is not possible under these rules" in plain(
        answer
    ) or "This form was incomplete." in plain(answer)
    assert spring.table().hand == ""


def test_who_plays_at_the_table_does_not_end_its_hand(spring, bob):
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])
    log(spring, by=spring.alice)

    page = bob.get(address(spring))
    answer = press(bob, address(spring, f"tables/{spring.table().pk}/hand/"), hand="E2.0")

    assert [each.mine for each in page.context["rounds"][0][2]] == [True, False]
    assert "Referees cannot rule at their own table" in plain(answer)
    assert spring.table().hand == ""


@pytest.mark.slow
def test_everyone_reads_on_the_page_of_table_and_player_who_may_not_win(spring, bob):
    log(spring)
    Role.objects.filter(user=spring.dora).update(player=spring.players[2])
    player = spring.competition.entrants.get(player=spring.players[0]).pk
    pages = [address(spring, each) for each in (f"tables/{spring.table().pk}/", f"players/{player}/")]
    clients = (bob, signed_in(spring.charlie), signed_in(spring.dora), Client())
    ban = "Win ban for this hand."

    def shown(said: str, page: str = pages[0]) -> list[bool]:
        return [said in plain(client.get(page)) for client in clients]

    assert shown(f"陳大文 (A-VI): {ban}") == [True] * 4  # the round's results are published
    set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)
    assert shown(f"陳大文 (A-VI): {ban}") == [True, True, True, False]
    assert shown(f"陳大文 : {ban}") == [False, False, False, True]  # that it holds, not why
    assert shown(f"{ban} Round 1 · Table 1", pages[1]) == [True] * 4
    Penalty.objects.update(status="requested")
    assert "Win ban for this hand, until the chief referee decides." in plain(Client().get(pages[1]))
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    assert [shown("Win ban", page) for page in pages] == [[False] * 4] * 2


def test_a_ban_is_over_when_the_result_is_in(spring, bob):
    log(spring)
    url = address(spring, f"tables/{spring.table().pk}/")
    assert "Win ban" in plain(bob.get(url))

    spring.record((30_000,) * 4)

    assert "Win ban" not in plain(bob.get(url))


# --- taking back


def test_what_was_logged_a_moment_ago_can_be_taken_back(spring, bob):
    penalty = log(spring)
    page = bob.get(address(spring))
    ((line, seconds, again),) = page.context["undo"]
    assert (line.penalty, again) == (penalty, "")
    assert 0 < seconds <= 10

    answer = press(bob, address(spring, f"penalties/{penalty.pk}/undo/"))

    assert "Undone: the penalty no longer counts." in plain(answer)
    assert answer.context["undo"] == []
    penalty.refresh_from_db()
    assert penalty.revoked_by == spring.bob


def test_an_act_of_four_is_taken_back_as_one(spring, bob):
    log(spring, "D-V", 1)
    ((line, _seconds, _again),) = bob.get(address(spring)).context["undo"]

    press(bob, address(spring, f"penalties/{line.penalty.pk}/undo/"))

    assert Penalty.objects.filter(revoked_at__isnull=True).count() == 0


def test_no_other_referee_is_offered_the_undo_and_no_one_later(spring, bob):
    log(spring, at=timezone.now() - timedelta(seconds=11))
    by_alice = log(spring, index=1, by=spring.alice)
    assert bob.get(address(spring)).context["undo"] == []

    answers = [
        press(bob, address(spring, f"penalties/{pk}/undo/"))
        for pk in (by_alice.pk, Penalty.objects.earliest("pk").pk)
    ]

    assert "Only the referee who logged a penalty can undo it" in plain(answers[0])
    assert "It is too late to undo this penalty" in plain(answers[1])
    assert Penalty.objects.filter(revoked_at__isnull=True).count() == 2


def test_the_newest_penalties_are_listed_below_with_the_revoked_ones(spring, bob):
    old = log(spring, at=timezone.now() - timedelta(minutes=5))
    revoke_penalty(penalty=old, reason="wrong player", by=spring.alice)
    new = log(spring, index=1)

    page = bob.get(address(spring))

    assert [line.penalty for line in page.context["newest"]] == [new, old]
    assert "revoked: wrong player" in plain(page)


# --- requests


@pytest.fixture
def careful(spring) -> Club:
    spring.competition.approval_from = "3"
    spring.competition.save()
    return spring


def test_the_chief_approves_and_declines_on_the_desk(careful):
    first, second = log(careful, approves=False), log(careful, index=1, approves=False)
    Role.objects.create(competition=careful.competition, user=user("eve"), kind=Role.Kind.CHIEF)
    eve = signed_in(user("eve"))
    assert [line.penalty for line, *_more in eve.get(address(careful)).context["requests"]] == [first, second]

    press(eve, address(careful, f"penalties/{first.pk}/decide/"), verdict="approve", reason="")
    unsaid = press(eve, address(careful, f"penalties/{second.pk}/decide/"), verdict="decline", reason=" ")
    press(eve, address(careful, f"penalties/{second.pk}/decide/"), verdict="decline", reason="no proof")
    again = press(eve, address(careful, f"penalties/{second.pk}/decide/"), verdict="approve", reason="")

    assert "Give a reason for declining the request." in plain(unsaid)
    assert "This request has already been decided or undone" in plain(again)
    assert list(Penalty.objects.order_by("pk").values_list("status", "decide_reason")) == [
        ("in_force", ""),
        ("declined", "no proof"),
    ]


def test_a_referee_sees_requests_and_does_not_decide_them(careful, bob):
    penalty = log(careful, approves=False)

    page = bob.get(address(careful))
    url = address(careful, f"penalties/{penalty.pk}/decide/")

    assert [line.penalty for line, *_more in page.context["requests"]] == [penalty]
    assert url not in page.content.decode()
    assert bob.post(url, {"key": uuid.uuid4(), "verdict": "approve"}).status_code == 403
    assert Penalty.objects.get().status == "requested"


def test_staff_who_play_at_the_table_do_not_decide(careful):
    penalty = log(careful, approves=False)
    Role.objects.create(
        competition=careful.competition, user=careful.alice, kind="player", player=careful.players[2]
    )
    chief = Role.objects.create(competition=careful.competition, user=user("chief"), kind="chief")
    alice = signed_in(careful.alice)

    page = alice.get(address(careful))
    answer = press(alice, address(careful, f"penalties/{penalty.pk}/decide/"), verdict="approve")

    assert [each.mine for each in page.context["requests"]] == [True]
    assert "Referees cannot rule at their own table" in plain(answer)
    assert Penalty.objects.get().status == "requested"

    chief.delete()  # no one else can approve it: not even the referee who asked
    assert [each.mine for each in alice.get(address(careful)).context["requests"]] == [False]
    press(alice, address(careful, f"penalties/{penalty.pk}/decide/"), verdict="approve")
    assert Penalty.objects.get().status == "in_force"


@pytest.mark.parametrize("values", [{}, {"verdict": "maybe"}, {"verdict": "approve", "key": "x"}])
def test_a_broken_decision_changes_nothing(careful, values):
    penalty = log(careful, approves=False)

    answer = press(signed_in(careful.alice), address(careful, f"penalties/{penalty.pk}/decide/"), **values)

    assert "This form was incomplete." in plain(answer)
    assert Penalty.objects.get().status == "requested"


def test_a_referee_of_the_one_competition_in_play_signs_in_at_the_desk(spring):
    club("autumn")
    sign_in = {"username": spring.bob.username, "password": PASSWORD}

    assert Client().post("/accounts/login/", sign_in).url == address(spring)
    assert Client().post("/accounts/login/", sign_in | {"next": "/c/spring/"}).url == "/c/spring/"
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert Client().post("/accounts/login/", sign_in).url == "/"


def test_play_is_resumed_with_one_tap_at_the_desk(spring, bob):
    dispute = open_dispute(table=spring.table(), subject="two melds", by=spring.bob)
    take_step(dispute=dispute, kind="preliminary", decided="play on", by=spring.bob)
    assert "Resume play" in plain(bob.get(address(spring)))

    answer = press(bob, address(spring, f"disputes/{dispute.pk}/step/resumed/"), next=address(spring))

    assert answer.redirect_chain[0][0] == address(spring)
    dispute.refresh_from_db()
    assert dispute.step == "resumed"


# --- who may, and how many queries


def test_the_desk_takes_a_steady_number_of_queries(spring, bob):
    spring.competition.approval_from = "5"
    spring.competition.save()

    def more(index: int) -> None:
        log(spring, index=index)
        log(spring, "C-II", 0, index=index, approves=False)
        log_penalty(
            stage=spring.stage,
            player_id=spring.players[index].pk,
            score=-20,
            reason="late",
            by=spring.alice,
            at=timezone.now() - timedelta(minutes=1),
        )
        call_referee(table=spring.table(number=index // 4 + 1), by=None)
        open_dispute(table=spring.table(number=index // 4 + 1), subject="x", by=spring.bob)

    more(0)
    one = queries_of(bob, address(spring))
    more(4)
    spring.add_round()
    assert queries_of(bob, address(spring)) == one
    assert one <= 24


def test_a_chief_sees_the_day_of_all_competitions_in_play(spring, bob):
    autumn = club("autumn")
    autumn.add_round()
    Role.objects.create(competition=autumn.competition, user=spring.alice, kind=Role.Kind.CHIEF)
    log(spring)
    log(spring, "A-I", 0, index=1)
    call = call_referee(table=autumn.table(), by=None)
    take_call(call=call, by=autumn.bob)
    tell_staff(table=autumn.table(), player=autumn.players[0], kind="late", by=None)
    open_dispute(table=spring.table(number=2), subject="two melds", by=spring.bob)

    page = signed_in(spring.alice).get("/referees/")
    days = {day["competition"].slug: day for day in page.context["days"]}

    assert set(days) == {"spring", "autumn"}
    assert [row.record for row in days["spring"]["penalties"].rows] == [
        ("level 2", spring.bob.username, 1),
        ("level 3", spring.bob.username, 1),
    ]
    assert [seen[:2] for seen in days["spring"]["referees"]] == [(spring.bob, spring.table(number=2))]
    theirs = {user: (table, going) for user, table, _at, going in days["autumn"]["referees"]}
    assert theirs[autumn.bob] == (autumn.table(), True)
    assert bob.get("/referees/").context["days"] == []
    for link_page in ("/", address(spring)):
        answer = signed_in(spring.alice).get(link_page)
        assert answer.context["day"] == {"calls": 1, "requests": 0, "disputes": 1}
        assert "Referees today 1 call 1 dispute" in plain(answer)
    assert Client().get("/referees/").status_code == 302
