"""What the last tap shows before a penalty is logged."""

import zoneinfo
from datetime import UTC, datetime

import pytest

from league.models import Penalty
from league.referees.penalties.services.hands import set_hand
from tests.factories import club, signed_in
from tests.league.referees.penalties.log.requests import at_table, case, confirm, log, tapped

pytestmark = pytest.mark.django_db


def test_it_says_level_deduction_ban_and_what_happens_to_the_hand(spring, bob):
    found = case(confirm(spring, bob, "C-III"))

    assert (found.level, found.taking.words) == ("Level 5: deduction of 25 and win ban", "−25.0")
    assert found.effects == ("Win ban for this hand.", "Hand: redeal.")
    assert (found.words, found.because, found.waits) == (
        "20 or more tiles left (without the dead wall)",
        "",
        False,
    )


@pytest.mark.slow
def test_a_repeated_offence_says_why_it_costs_more_and_the_total_so_far(spring, bob):
    first = log(spring, "A-I")
    at = first.created_at.astimezone(zoneinfo.ZoneInfo("Asia/Hong_Kong"))

    page = confirm(spring, bob, "A-I")
    found = case(page)

    assert page.context["total"] == -20
    assert found.level == "Level 4: deduction of 8 to 12 and win ban"
    assert [words for _value, words, _pressed in found.taking.buttons] == ["8", "9", "10", "11", "12"]
    assert [pressed for _value, _words, pressed in found.taking.buttons] == [True, False, False, False, False]
    assert found.because == f"No. 2 in this game, after level 2 at {at:%H:%M} by bob-spring."
    assert case(confirm(spring, bob, "A-I", index=1)).because == ""


@pytest.mark.parametrize(
    ("language", "day"),
    [("en", "2 May 2026, 19:30"), ("ja", "2026年5月2日 19:30"), ("zh-hans", "2026年5月2日 19:30")],
)
def test_a_penalty_of_an_earlier_day_is_dated_as_pages_are(language, day):
    ema = club("ema", preset="ema-2025")
    ema.add_round()
    log(ema, "6.5.3")
    Penalty.objects.update(created_at=datetime(2026, 5, 2, 11, 30, tzinfo=UTC))
    bob = signed_in(ema.bob)
    bob.cookies["django_language"] = language

    assert day in case(confirm(ema, bob, "6.5.3")).because


@pytest.mark.slow
def test_the_record_chooses_among_conditions_that_speak_of_repetition(spring, bob):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)

    def offered() -> list[tuple[int, bool]]:
        return [
            (each.index, each.is_chosen) for each in confirm(spring, bob, "D-III").context["confirm"]["cases"]
        ]

    assert offered() == [(0, True), (1, False), (2, False)]
    log(spring, "D-III", 0)
    assert offered() == [(2, True)]
    assert case(confirm(spring, bob, "D-III"), 2).because.startswith("No. 2 in this game, after at ")
    log(spring, "D-III", 2)
    assert offered() == [(3, True)]


def test_the_page_says_that_all_four_are_penalized_together(spring, bob):
    effects = case(confirm(spring, bob, "D-V"), 1).effects

    assert effects[0] == "Win ban for this hand."
    assert effects[-1] == "All four players of the table are penalized together."


def test_a_referee_sees_when_the_chief_has_to_approve(spring, bob):
    spring.competition.approval_from = "4"
    spring.competition.save()
    alice = signed_in(spring.alice)

    waits = [each.waits for each in confirm(spring, bob, "A-II").context["confirm"]["cases"]]

    assert waits == [False, True, True, True]
    assert not any(each.waits for each in confirm(spring, alice, "A-II").context["confirm"]["cases"])


def test_the_stock_holds_every_offence_and_each_player_s_own_where_the_record_changes_it(spring, bob):
    log(spring, "A-I", index=2)

    stock = bob.get(at_table(spring)).context["stock"]

    assert len([each for each in stock if each.player is None]) == 39
    own = [(each.code, each.player) for each in stock if each.player is not None]
    assert own == [("A-I", spring.players[2].pk)]


def test_levels_that_the_book_leaves_to_the_referee_are_a_choice(db):
    ema = club("ema", preset="ema-2025")
    ema.add_round()
    bob = signed_in(ema.bob)
    assert case(confirm(ema, bob, "6.5.3")).options == ()
    log(ema, "6.5.3")

    found = case(confirm(ema, bob, "6.5.3"))
    answer = bob.post(at_table(ema), tapped(ema, "6.5.3", **{"asked-c0": found.asked, "option-c0": "dead"}))

    assert [(option.name, option.is_chosen) for option in found.options] == [
        ("Point penalty", True),
        ("Dead hand", False),
    ]
    assert found.because.startswith("No. 2 in this competition, after Minor error at ")
    assert answer.status_code == 302
    assert list(Penalty.objects.order_by("pk").values_list("level", flat=True)) == ["minor", "dead"]


def test_coming_late_asks_for_the_minutes(db):
    ema = club("ema", preset="ema-2025")
    ema.add_round()
    bob = signed_in(ema.bob)

    found = case(confirm(ema, bob, "7.2"))
    bob.post(at_table(ema), tapped(ema, "7.2", **{"units-c0": "4"}))

    assert (found.taking.words, found.unit) == ("−1.0 per minute", "Number of minutes, rounded up")
    assert Penalty.objects.get().score == -40
