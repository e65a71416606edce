"""Chombo, bans and dead hands in a log of hands reach the referees, and with their decision the standings."""

import html
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from league.core.errors import Refused
from league.models import AuditEntry, Competition, Penalty, Round, Table
from league.play.rounds.services import close_round
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.decisions import decide_request, revoke_penalty
from league.referees.penalties.services.log import log_offence
from scoring.hanchan import Chombo, ExhaustiveDraw, Foul, Hand, Riichi
from tests.factories import Club, club, signed_in
from tests.hands import Phone, phone_at
from tests.league.organizing.interchange.files import competition_file, loaded
from tests.league.play.entry.at_table import answer, of_table, signing_club, typed_sheet
from tests.league.play.entry.at_table import phone_at as signer_at
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db

CHOMBO_BY_WEST = Hand(outcome=Chombo((2,)))


def facts_of(*penalties: Penalty) -> list[tuple[Any, ...]]:
    return [
        (p.player.name, p.hand, p.logged_hand, p.infraction, p.condition, p.level, p.score, str(p.status))
        for p in penalties
    ]


def all_facts() -> list[tuple[Any, ...]]:
    return facts_of(*Penalty.objects.select_related("player").order_by("pk"))


def press(client: Client, made: Club, page: str, **values: object) -> Any:
    return client.post(f"/c/{made.slug}/{page}", {"key": uuid.uuid4(), **values}, follow=True)


def decide(client: Client, made: Club, penalty: Penalty, **values: object) -> Any:
    return press(client, made, f"penalties/{penalty.pk}/decide/", **values)


def plain(response: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode())))


def totals(made: Club) -> dict[str, int]:
    return {each.player.name: each.row.total for each in compute_standings(made.stage, public=False).rows}


# --- what a hand asks of the referees


@pytest.mark.parametrize(
    ("preset", "facts"),
    [
        ("mleague", ("C", 0, "chombo", -200)),
        ("hkma-a-2025-04", ("C-III", 0, "5", -250)),
        ("wrc-2025", ("", None, "chombo", -300)),
        ("ema-2025", ("3.4.6", 0, "chombo", -200)),
        ("saikouisen", ("1", 0, "chombo", -200)),
        ("jpml-a", ("", None, "", -200)),
    ],
)
def test_a_chombo_that_costs_score_is_a_request_with_its_article(preset, facts):
    made = club("spring", preset=preset)
    made.add_round()
    phone = phone_at(made.table())

    phone.play(tsumo(1))
    phone.play(CHOMBO_BY_WEST)

    assert all_facts() == [(made.players[2].name, "E2.0", 2, *facts, "requested")]


@pytest.mark.parametrize("preset", ["tnt", "kanto", "guide"])
def test_a_chombo_that_is_paid_in_the_game_is_not_deducted_again(preset):
    made = club("spring", preset=preset)
    made.add_round()

    state = phone_at(made.table()).play(CHOMBO_BY_WEST)

    assert min(state["points"]) == state["points"][2] < 25_000
    assert all_facts() == []


@pytest.mark.parametrize(
    ("preset", "ban", "dead"),
    [
        ("mleague", ("A", 0, "houki", 0), ("A", 0, "houki", 0)),
        ("hkma-a-2025-04", ("", None, "3", 0), ("", None, "3", 0)),
        ("ema-2025", ("", None, "dead", 0), ("", None, "dead", 0)),
    ],
)
def test_a_win_ban_and_a_dead_hand_that_no_referee_logged_are_requests(preset, ban, dead):
    made = club("spring", preset=preset)
    made.add_round()

    phone_at(made.table()).play(Hand(outcome=ExhaustiveDraw((3,)), win_bans=(0,), dead_hands=(1,)))

    assert all_facts() == [
        (made.players[1].name, "E1.0", 1, *dead, "requested"),
        (made.players[0].name, "E1.0", 1, *ban, "requested"),
    ]
    assert list(Penalty.objects.values_list("win_ban", flat=True)) == [True, True]


def test_riichi_without_tenpai_a_foul_and_too_many_tiles_have_their_own_articles():
    made = club("spring", preset="hkma-a-2025-04")
    made.add_round()
    names = [player.name for player in made.players]

    phone_at(made.table()).play(
        Hand(
            outcome=ExhaustiveDraw((1,), noten_riichi=(0,)),
            riichi=(Riichi(0),),
            fouls=(Foul(2, 10),),
            extra_tiles=(0, 0, 0, 2),
        )
    )

    assert all_facts() == [
        (names[0], "E1.0", 1, "B-I", 0, "5", -250, "requested"),
        (names[2], "E1.0", 1, "C-III", 1, "5", -250, "requested"),
        (names[3], "E1.0", 1, "A-X", 1, "3", 0, "requested"),
    ]


@pytest.fixture
def spring() -> Club:
    made = club("spring", preset="mleague")
    made.add_round()
    return made


def test_each_chombo_of_one_hand_that_is_dealt_again_is_a_request(spring):
    phone = phone_at(spring.table())
    for _deal in range(2):
        phone.play(CHOMBO_BY_WEST)
    assert [each[1:3] for each in all_facts()] == [("E1.0", 1), ("E1.0.1", 2)]


def test_the_preview_says_what_a_referee_decides(spring):
    name = spring.players[2].name
    answered = phone_at(spring.table()).send("hand", CHOMBO_BY_WEST.as_values(), preview=1)
    assert answered.json()["preview"]["requests"] == [
        f"{name}, East 1, honba 0: C Chombo (−20.0). A referee decides."
    ]
    assert not Penalty.objects.exists()


def test_the_preview_names_the_chief_referee_where_only_they_approve_the_level(spring):
    Competition.objects.update(approval_from="red")
    answered = phone_at(spring.table()).send("hand", CHOMBO_BY_WEST.as_values(), preview=1)
    assert answered.json()["preview"]["requests"][0].endswith("The chief referee decides.")


def test_the_page_without_script_says_it_before_and_after_saving(spring):
    phone = phone_at(spring.table())
    fields = {"key": uuid.uuid4(), "kind": "hand", "based_on": 0, "outcome": "chombo", "chombo": "2"}
    asked = phone.client.post(f"{phone.below}write/", fields)
    phone.client.post(f"{phone.below}write/", fields | {"confirm": "1"})
    said = f"{spring.players[2].name}, East 1, honba 0: C Chombo (−20.0). A referee decides."
    assert said in plain(asked)
    assert said in plain(phone.client.get(phone.below))


# --- changes of the log


def test_undoing_the_hand_withdraws_its_request_and_says_so(spring):
    phone = phone_at(spring.table())
    phone.play(CHOMBO_BY_WEST)
    preview = phone.send("remove", {}, target=1, preview=1).json()["preview"]

    state = phone.press("remove", {}, target=1)

    assert preview["requests"] == [
        f"{spring.players[2].name}, East 1, honba 0: C Chombo (−20.0). "
        "The request to the referee is withdrawn."
    ]
    assert state["requests"] == []
    withdrawn = Penalty.objects.get()
    facts = (withdrawn.status, withdrawn.logged_hand, withdrawn.revoked_at is None)
    assert facts == ("requested", None, False)
    actions = AuditEntry.objects.filter(action__startswith="penalty.").order_by("sequence")
    assert list(actions.values_list("action", flat=True)) == ["penalty.request", "penalty.withdraw"]


def test_correcting_the_offender_moves_the_request_to_the_right_player(spring):
    phone = phone_at(spring.table())
    phone.play(CHOMBO_BY_WEST)
    phone.press("correct", Hand(outcome=Chombo((3,))).as_values(), target=1)
    waiting = Penalty.objects.filter(revoked_at=None)
    assert facts_of(*waiting) == [(spring.players[3].name, "E1.0", 1, "C", 0, "chombo", -200, "requested")]


def test_a_forgotten_hand_before_it_renames_the_hand_of_the_request(spring):
    phone = phone_at(spring.table())
    phone.play(CHOMBO_BY_WEST)
    phone.press("insert", tsumo(1).as_values(), target=1)
    assert [(each.hand, each.logged_hand) for each in Penalty.objects.all()] == [("E2.0", 1)]


def test_a_corrected_chombo_may_become_a_win_of_the_same_player(spring):
    made = club("autumn", preset="hkma-a-2025-04")
    made.add_round()
    phone = phone_at(made.table())
    phone.play(CHOMBO_BY_WEST)
    phone.press("correct", tsumo(2).as_values(), target=1)
    assert not Penalty.objects.filter(revoked_at=None).exists()


@pytest.mark.slow
def test_a_confirmed_penalty_stays_when_its_hand_is_undone_and_both_sides_read_it(spring):
    phone, bob = phone_at(spring.table()), signed_in(spring.bob)
    phone.play(CHOMBO_BY_WEST)
    decide(bob, spring, Penalty.objects.get(), verdict="approve")
    preview = phone.send("remove", {}, target=1, preview=1).json()["preview"]

    phone.press("remove", {}, target=1)

    assert preview["requests"] == [
        f"{spring.players[2].name}, East 1, honba 0: C Chombo (−20.0). "
        "A referee has confirmed it, so it stays. Call a referee if it is wrong."
    ]
    assert [each[-1] for each in all_facts()] == ["in_force"]
    assert "No longer in the log of hands" in plain(bob.get("/c/spring/desk/"))


def test_a_declined_request_is_not_made_again_by_later_hands(spring):
    phone = phone_at(spring.table())
    phone.play(CHOMBO_BY_WEST)
    decide(signed_in(spring.bob), spring, Penalty.objects.get(), verdict="decline", reason="no chombo")
    phone.play(tsumo(1))
    assert [each[-1] for each in all_facts()] == ["declined"]


@pytest.mark.slow
def test_a_decided_ban_does_not_stand_for_a_chombo_that_is_entered_later(spring):
    phone = phone_at(spring.table())
    phone.play(Hand(outcome=ExhaustiveDraw((3,)), win_bans=(2,)))
    decide(signed_in(spring.bob), spring, Penalty.objects.get(), verdict="approve")
    phone.press("correct", CHOMBO_BY_WEST.as_values(), target=1)
    assert [(each[3], each[-1]) for each in all_facts()] == [("A", "in_force"), ("C", "requested")]


# --- beside the referees' own record


def log_chombo(made: Club, index: int = 2, **options: Any) -> Penalty:
    act = {"infraction": "C", "condition": 0}
    return log_offence(
        stage=made.stage,
        table=made.table(),
        player_id=made.players[index].pk,
        **act,
        by=options.pop("by", made.bob),
        **options,
    )[0]


def test_a_chombo_that_a_referee_logged_first_is_not_requested_again(spring):
    log_chombo(spring)
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    assert [(each[2], each[-1]) for each in all_facts()] == [(None, "in_force")]


def test_a_chombo_that_a_referee_logs_afterwards_withdraws_the_request(spring):
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    log_chombo(spring)
    assert [(p.logged_hand, bool(p.revoked_at)) for p in Penalty.objects.order_by("pk")] == [
        (None, True),
        (None, False),
    ]


def test_revoking_the_referees_own_penalty_asks_about_the_hand_again(spring):
    logged = log_chombo(spring)
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    revoke_penalty(penalty=logged, reason="wrong player", by=spring.bob)
    assert facts_of(*Penalty.objects.filter(revoked_at=None)) == [
        (spring.players[2].name, "E1.0", 1, "C", 0, "chombo", -200, "requested")
    ]


@pytest.mark.slow
def test_a_second_chombo_in_the_hand_that_is_dealt_again_is_still_requested(spring):
    phone = phone_at(spring.table())
    log_chombo(spring)
    phone.play(CHOMBO_BY_WEST)
    phone.play(CHOMBO_BY_WEST)
    assert [each[-1] for each in all_facts()] == ["in_force", "requested"]


# --- the decision


@pytest.mark.parametrize(("name", "status"), [("alice", 200), ("bob", 200), ("charlie", 403), ("dora", 403)])
def test_any_referee_decides_a_request_of_the_hands(spring, name, status):
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    answered = decide(signed_in(getattr(spring, name)), spring, Penalty.objects.get(), verdict="approve")
    assert answered.status_code == status
    assert Penalty.objects.get().status == ("in_force" if status == 200 else "requested")


def test_only_the_chief_referee_decides_a_level_that_needs_approval(spring):
    Competition.objects.update(approval_from="red")
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    refused = decide(signed_in(spring.bob), spring, Penalty.objects.get(), verdict="approve")
    decided = decide(signed_in(spring.alice), spring, Penalty.objects.get(), verdict="approve")
    assert (refused.status_code, decided.status_code) == (403, 200)


def test_a_decision_is_refused_without_a_reason_and_only_by_post(spring):
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    bob, penalty = signed_in(spring.bob), Penalty.objects.get()
    refused = decide(bob, spring, penalty, verdict="decline")
    read = bob.get(f"/c/spring/penalties/{penalty.pk}/decide/")
    assert (refused.status_code, read.status_code, read.url) == (422, 303, "/c/spring/desk/")
    assert Penalty.objects.get().status == "requested"


def test_the_decision_and_its_reason_are_in_the_audit_log(spring):
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    decide(signed_in(spring.bob), spring, Penalty.objects.get(), verdict="decline", reason="tiles were shown")
    actions = AuditEntry.objects.filter(target=f"penalty:{Penalty.objects.get().pk}").order_by("sequence")
    assert list(actions.values_list("action", "actor__username")) == [
        ("penalty.request", None),
        ("penalty.decline", spring.bob.username),
    ]
    assert Penalty.objects.get().decide_reason == "tiles were shown"


def test_the_desk_shows_table_hand_player_and_article():
    made = club("spring", preset="hkma-a-2025-04")
    made.add_round()
    phone_at(made.table()).play(CHOMBO_BY_WEST)
    shown = plain(signed_in(made.bob).get("/c/spring/desk/"))
    facts = (made.players[2].name, "−25.0", "C-III", "罰則 C Ⅲ", "Table 1", "East 1, honba 0")
    assert [each for each in facts if each not in shown] == []
    assert "From the log of hands of the table." in shown


# --- the table is not clean until then


@pytest.mark.parametrize(
    ("preset", "deducted"),
    [
        ("mleague", -200),
        pytest.param("hkma-a-2025-04", -250, marks=pytest.mark.slow),
        pytest.param("wrc-2025", -300, marks=pytest.mark.slow),
    ],
)
def test_a_chombo_on_a_phone_reaches_the_total(preset, deducted):
    made = signing_club(preset=preset)
    phone = phone_at(made.table())
    phone.play(CHOMBO_BY_WEST)
    points = finish(phone)
    sign_by_four(made, points)

    waiting = (made.table().sheets.count(), totals(made))
    decide(signed_in(made.bob), made, Penalty.objects.get(), verdict="approve")

    after = totals(made)
    scores = {seat.wind: seat.score for seat in made.table().sheets.get().settled(made.stage.division.rules)}
    west = made.players[2].name
    assert waiting == (0, dict.fromkeys(after, 0))
    assert after[west] == scores[2] + deducted
    assert [after[made.players[seat].name] for seat in (0, 1, 3)] == [scores[seat] for seat in (0, 1, 3)]


def test_a_declined_request_lets_the_signed_sheet_count(spring):
    made = signing_club("autumn", preset="mleague")
    phone = phone_at(made.table())
    phone.play(CHOMBO_BY_WEST)
    sign_by_four(made, finish(phone))
    decide(signed_in(made.bob), made, Penalty.objects.get(), verdict="decline", reason="no chombo")
    assert [sheet.status for sheet in made.table().sheets.all()] == ["confirmed"]


@pytest.mark.slow
@pytest.mark.with_extra("hall")
def test_the_hall_marks_the_table_and_leaves_it_out_of_one_press_for_all():
    made = signing_club(preset="mleague", counts=False)
    phone = phone_at(made.table())
    phone.play(CHOMBO_BY_WEST)
    sign_by_four(made, finish(phone))
    alice, proposal = signed_in(made.alice), made.table().proposals.get(is_current=True)
    shown = plain(alice.get("/c/spring/hall/"))

    press(alice, made, f"hall/rounds/{made.rounds[0].pk}/approve/", proposals=proposal.pk)

    assert "Penalty undecided" in shown
    assert "Approve table" not in shown
    assert not made.table().sheets.exists()


def test_a_round_with_an_undecided_request_is_not_closed(spring):
    phone_at(spring.table()).play(CHOMBO_BY_WEST)
    with pytest.raises(Refused, match="A penalty of table 1 awaits a decision"):
        close_round(round_=spring.rounds[0], by=spring.alice)
    decide_request(penalty=Penalty.objects.get(), verdict="approve", by=spring.bob)
    assert close_round(round_=spring.rounds[0], by=spring.alice).status == Round.Status.CLOSED


def finish(phone: Phone) -> tuple[int, ...]:
    """Let the players who do not deal win until the game is over, and return its points."""
    state = phone.see()
    while state["over"] is None:
        state = phone.play(tsumo(1 if state["dealer"] != 1 else 3))
    return tuple(state["points"])


def sign_by_four(made: Club, points: tuple[int, ...]) -> None:
    phones = [signer_at(made, index) for index in range(4)]
    phones[0].post(of_table("results:at_table", made), typed_sheet(made, points))
    for wind, phone in enumerate(phones):
        phone.post(of_table("results:sign", made), answer(made, wind))


# --- files


@pytest.mark.slow
def test_a_request_and_a_decision_travel_in_the_file_with_the_hand_that_implied_them(spring):
    phone = phone_at(spring.table())
    phone.play(CHOMBO_BY_WEST)
    decide(signed_in(spring.bob), spring, Penalty.objects.get(), verdict="decline", reason="no chombo")
    phone.play(CHOMBO_BY_WEST)
    file = competition_file(spring.competition)

    copy = loaded(file | {"slug": "copy"})
    again = phone_at(Table.objects.get(round__stage__division__competition=copy, number=1))
    again.see()
    again.play(tsumo(1))

    found = Penalty.objects.filter(competition=copy).order_by("pk")
    assert list(found.values_list("logged_hand", "status")) == [(1, "declined"), (2, "requested")]
