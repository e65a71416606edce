"""A penalty is logged as its rules say, once, and as the referee saw it."""

import re
from collections.abc import Mapping

import pytest

from league.models import Penalty
from league.play.rounds.services import set_visibility
from league.referees.penalties.services.hands import set_hand
from tests.league.referees.penalties.log.requests import (
    JSON,
    at_table,
    case,
    confirm,
    free,
    kept,
    log,
    plain,
    reviewed,
    tapped,
)
from tests.win_bans import active_bans

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("code", "condition", "values", "expected"),
    [
        ("A-I", 0, {}, ("A-I", "2", -20, "")),
        ("A-II", 1, {}, ("A-II", "4", -80, "")),
        ("A-II", 1, {"amount-c1": "12.0"}, ("A-II", "4", -120, "")),
        ("A-II", 1, {"amount-c1": "−10.5"}, ("A-II", "4", -105, "")),
        ("A-II", 1, {"amount-c0": "99", "amount-c1": "９"}, ("A-II", "4", -90, "")),
        ("A-II", 0, {"level": "4", "amount-l3": "10", "reason": "twice"}, ("A-II", "4", -100, "twice")),
        ("A-XII", 1, {}, ("A-XII", "5, 4, 4", -410, "")),
        ("U-1c", 0, {"amount-c0": "30", "reason": "bets"}, ("U-1c", "6", -300, "bets")),
        ("T-1", 0, {"level": "2", "reason": "hid the wall"}, ("T-1", "2", -20, "hid the wall")),
        ("A-IV", 0, {}, ("A-IV", "", 0, "")),
        ("A-X", 1, {"units-c1": "３"}, ("A-X", "3", 0, "")),
    ],
)
def test_the_last_tap_logs_what_the_book_says(spring, bob, code, condition, values, expected):
    form = tapped(spring, code, condition, **values)
    answer = bob.post(at_table(spring), reviewed(bob, at_table(spring), form) if code == "U-1c" else form)

    assert (answer.status_code, answer.url) == (302, f"/c/{spring.slug}/desk/")
    assert kept() == [expected]
    penalty = Penalty.objects.get()
    assert (penalty.table, penalty.created_by, penalty.condition) == (spring.table(), spring.bob, condition)
    assert penalty.units == (3 if "units-c1" in values else 1)


def test_all_four_are_logged_in_a_second_step_that_says_what_each_gets(spring, bob):
    log(spring, "A-I", index=1)
    form = tapped(spring, "D-V", 1)
    page = bob.post(at_table(spring), form)
    assert "Each player gets:" in plain(page)
    lines = page.context["confirm"]["review"]["lines"]
    assert [line.pop("name") for line in lines] == [player.name for player in spring.players[:4]]
    assert lines == [{"level": "level 4", "deduction": "−8.0", "expels": False}] * 4
    bob.post(at_table(spring), reviewed(bob, at_table(spring), form))

    assert Penalty.objects.filter(infraction="D-V").count() == 4
    assert Penalty.objects.filter(infraction="D-V").values("together").distinct().count() == 1


def test_what_was_reviewed_is_what_is_logged(spring, bob):
    form = reviewed(bob, at_table(spring), tapped(spring, "D-V", 1))
    log(spring, "D-V", 1, reason="meanwhile", reviewed=None)

    answer = bob.post(at_table(spring), form | {"asked-c1": "5"})

    assert (answer.status_code, Penalty.objects.count()) == (422, 4)
    assert "level 5" in plain(answer).lower()


def test_the_second_step_knows_the_hand_that_was_dealt_again(spring, bob):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)
    log(spring, "A-XI", 1)
    set_hand(table=spring.table(), hand="E1.0.1", by=spring.bob)

    form = tapped(spring, "A-XI", 1, **{"asked-c1": "1"})
    review = bob.post(at_table(spring), form).context["confirm"]["review"]

    assert {line["level"] for line in review["lines"]} == {"level 1"}
    assert bob.post(at_table(spring), form | {"reviewed": review["text"]}).status_code == 302
    assert set(Penalty.objects.values_list("infraction", "level", "hand")) == {
        ("A-XI", "1", "E1.0"),
        ("A-XI", "1", "E1.0.1"),
    }


def test_an_expulsion_is_confirmed_in_a_second_step_that_says_what_happens(spring, bob):
    for form in (tapped(spring, "U-1c"), free(spring, level="6", reason="bets", deduction="0")):
        answer = bob.post(at_table(spring), form)
        page = plain(answer)
        assert (answer.status_code, Penalty.objects.count()) == (422, 0)
        assert "陳大文 is expelled and leaves the competition at once" in page
        assert "data-expels" in answer.content.decode()

    bob.post(at_table(spring), form | {"sure": "on"})

    assert Penalty.objects.get().level == "6"
    for where in (f"/c/{spring.slug}/desk/", f"/c/{spring.slug}/tables/{spring.table().pk}/"):
        assert re.search(r"陳大文 (Chan Tai Man )?withdrawn", plain(bob.get(where))), where


def test_it_counts_at_once_only_where_the_public_sees_it(spring, bob):
    set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)

    page = plain(bob.post(at_table(spring), tapped(spring, "A-I"), follow=True))

    assert "Logged for 陳大文: −2.0. It counts when round 1 is published." in page


@pytest.mark.slow
def test_the_list_of_the_others_is_open_where_the_rules_penalize_them_too(spring, bob):
    seat = re.search(r"player=(\d+)", bob.get(at_table(spring)).content.decode())[1]
    pages = {
        code: bob.get(f"{at_table(spring)}&player={seat}&offence={code}").content.decode()
        for code in ("D-I", "A-I")
    }

    assert {code: "data-others open>" in page for code, page in pages.items()} == {"D-I": True, "A-I": False}


@pytest.mark.slow
def test_several_who_did_the_same_are_logged_with_one_tap(spring, bob):
    log(spring, "D-I", index=1)
    several = [spring.players[index].pk for index in (1, 2)]
    form = tapped(spring, "D-I", others=several, again="on")

    form["reviewed"] = bob.post(at_table(spring), form).context["confirm"]["review"]["text"]
    pages = [bob.post(at_table(spring), form, follow=True) for _ in range(2)]

    assert kept()[1:] == [("D-I", "2", -20, ""), ("D-I", "4", -80, ""), ("D-I", "2", -20, "")]
    names = [player.name for player in spring.players]
    for page in pages:  # the second one was the same form again
        assert f"Logged for {names[0]}, {names[2]}: −2.0 each." in plain(page)
        assert f"Logged for {names[1]}: −8.0. It counts at once." in plain(page)


def test_who_was_ticked_stays_ticked_and_only_those_at_the_table_can_be(spring, bob):
    there, elsewhere = spring.players[2].pk, spring.players[5].pk

    back = bob.post(at_table(spring), tapped(spring, "D-I", others=[there], honba="x"))
    assert [other.value for other in back.context["confirm"]["others"] if other.is_chosen] == [there]
    refused = bob.post(at_table(spring), tapped(spring, "D-I", others=[there, elsewhere]))

    assert list(refused.context["confirm"]["form"].errors) == ["others"]
    assert Penalty.objects.count() == 0


def test_the_hand_that_is_named_is_kept_and_carries_the_ban(spring, bob):
    bob.post(at_table(spring), tapped(spring, "A-VI", 1, deal="S2", honba="1"))

    penalty = Penalty.objects.get()
    assert (penalty.hand, spring.table().hand, active_bans(spring.competition)) == ("S2.1", "S2.1", [penalty])


def test_the_script_gets_the_next_address_and_the_message_waits_there(spring, bob):
    answer = bob.post(at_table(spring), tapped(spring, "A-I"), headers=JSON)

    assert (answer.status_code, answer.json()) == (200, {"then": f"/c/{spring.slug}/desk/"})
    assert "Logged for 陳大文: −2.0. It counts at once." in plain(bob.get(answer.json()["then"]))


def test_a_request_says_that_the_chief_decides(spring, bob):
    spring.competition.approval_from = "2"
    spring.competition.save()

    page = bob.post(at_table(spring), tapped(spring, "A-I"), follow=True)

    assert "Requested for 陳大文. The chief referee decides." in plain(page)
    assert Penalty.objects.get().status == "requested"


@pytest.mark.parametrize(
    ("code", "condition", "values", "words"),
    [
        ("A-I", 0, {"player": ""}, "Choose the player."),
        ("A-I", 0, {"player": "999999"}, "valid choice"),
        ("A-I", 0, {"player": "9" * 40}, "valid choice"),
        ("Z-9", 0, {}, "valid choice"),
        ("", 0, {}, "Choose the offence."),
        ("A-I", "", {}, "Choose the condition."),
        ("A-I", 7, {}, "no such offence"),
        ("A-I", "9" * 5000, {}, "Enter a whole number."),
        ("A-I", 0, {"level": "9"}, "valid choice"),
        ("A-I", 0, {"level": "4"}, "Enter a remark"),
        ("A-I", 0, {"option-c0": "9"}, "no such level"),
        ("A-I", 0, {"amount-c0": "3"}, "exactly"),
        ("A-II", 1, {"amount-c1": "13"}, "+8.0 to +12.0"),
        ("A-II", 1, {"amount-c1": "two"}, "at most one decimal"),
        ("A-II", 1, {"amount-c1": "8000"}, "at most one decimal"),
        ("U-1c", 0, {"amount-c0": "30"}, "Enter a remark"),
        ("A-X", 1, {"units-c1": "0"}, "from 1 to 60"),
        ("A-X", 1, {"units-c1": "many"}, "Enter the number of tiles or minutes, for example 3"),
        ("A-I", 0, {"deal": "W1"}, "valid choice"),
        ("A-I", 0, {"honba": "100"}, "less than or equal to 99"),
        (
            "A-I",
            0,
            {"asked-c0": "4"},
            "This player’s record has changed, and the rules now say something else",
        ),
        ("A-I", 0, {"reason": "a\u202eb"}, "invisible control character"),
        ("A-I", 0, {"reviewed": "x" * 301, "player": ""}, "Choose the player."),
        ("A-I", 7, {"reviewed": "x" * 301}, "no such offence"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_saved(spring, bob, code, condition, values, words):
    answer = bob.post(at_table(spring), tapped(spring, code, condition, **values))

    assert answer.status_code == 422
    assert words in plain(answer)
    assert Penalty.objects.count() == 0


def test_a_form_that_comes_back_keeps_what_was_chosen(spring, bob):
    values: Mapping[str, object] = {
        "level": "4",
        "amount-l3": "11.0",
        "amount-c1": "9.0",
        "deal": "S3",
        "honba": "2",
        "reason": " ",
    }

    answer = bob.post(at_table(spring), tapped(spring, "A-II", 3, **values))

    found = answer.context["confirm"]
    assert [each.index for each in found["cases"] if each.is_chosen] == [3]
    assert [option.code for option in found["departures"] if option.is_chosen] == ["4"]
    amounts = next(option for option in found["departures"] if option.code == "4").taking.buttons
    assert [words for _value, words, pressed in amounts if pressed] == ["11"]
    assert [words for _value, words, pressed in case(answer, 1).taking.buttons if pressed] == ["9"]
    assert ([deal.value for deal in found["deals"] if deal.is_chosen], found["honba"]) == (["S3"], "2")


def test_a_record_that_changed_meanwhile_is_shown_before_it_is_logged(spring, bob):
    page = confirm(spring, bob, "A-I")
    log(spring, "A-I")

    answer = bob.post(at_table(spring), tapped(spring, "A-I", **{"asked-c0": case(page).asked}))
    assert answer.status_code == 422
    assert case(answer).asked == "4"

    again = bob.post(at_table(spring), tapped(spring, "A-I", **{"asked-c0": "4"}))
    assert again.status_code == 302
    assert kept()[1] == ("A-I", "4", -80, "")


def test_the_same_form_twice_logs_once_and_a_changed_one_is_refused(spring, bob):
    form = tapped(spring, "A-I")
    first, second = (bob.post(at_table(spring), form) for _ in range(2))
    changed = bob.post(at_table(spring), form | {"condition": 0, "reason": "other"})

    assert (first.status_code, second.status_code, changed.status_code) == (302, 302, 422)
    assert "This form was already submitted with different content, which was saved" in plain(changed)
    assert kept() == [("A-I", "2", -20, "")]
