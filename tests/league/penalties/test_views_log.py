"""A penalty in four taps, as the server gives and takes it: seat, offence, what is left to choose."""

import html
import re
import uuid
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.disputes.services import open_dispute, take_step
from league.models import Dispute, Penalty, Role, Round
from league.penalties.services import Act, log_offence, set_hand
from league.rounds.services import close_round, set_visibility
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture
from tests.win_bans import active_bans

pytestmark = pytest.mark.django_db

JSON = {"accept": "application/json"}


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


def address(made: Club, query: str = "") -> str:
    return f"/c/{made.slug}/penalties/new/{query}"


def at_table(made: Club, number: int = 1, more: str = "") -> str:
    return address(made, f"?table={made.table(number=number).pk}{more}")


def entrant(made: Club, index: int = 0) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def tapped(made: Club, code: str, condition: int = 0, **values: object) -> dict[str, object]:
    """What the last tap sends for the first seat."""
    form = {"key": uuid.uuid4(), "player": made.players[0].pk, "infraction": code, "condition": condition}
    return form | {"level": "", "deal": "E1", "honba": "0", "reason": ""} | values


def free(made: Club, **values: object) -> dict[str, object]:
    """What is sent of something that the book does not know."""
    form = {"key": uuid.uuid4(), "player": made.players[0].pk, "level": "", "deduction": "", "reason": ""}
    return form | values


def kept() -> list[tuple]:
    return list(Penalty.objects.order_by("pk").values_list("infraction", "level", "score", "reason"))


def log(made: Club, code: str, condition: int = 0, *, index: int = 0, **act) -> Penalty:
    return log_offence(
        stage=made.stage,
        table=made.table(),
        player_id=made.players[index].pk,
        act=Act(infraction=code, condition=condition, **act),
        by=made.bob,
    )[0]


def plain(answer) -> str:
    """The page's words, without its stock for the script."""
    page = re.sub(r"<template.*?</template>", "", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


# --- the taps without script


def test_each_tap_is_a_page_and_leads_to_the_next(spring, bob):
    seats = bob.get(at_table(spring))
    assert seats.context["step"] == "seat"
    assert [seat.player for seat in seats.context["seats"]] == spring.players[:4]

    offences = bob.get(seats.context["seats"][1].address)
    assert (offences.context["step"], offences.context["player"]) == ("offence", spring.players[1])
    items = [item for _heading, items in offences.context["groups"] for item in items]
    assert len(items) == 39

    first = next(item for item in items if item.code == "A-I")
    confirm = bob.get(first.address)
    assert (confirm.context["step"], confirm.context["player"]) == ("confirm", spring.players[1])
    assert "A-I Drawing before one’s turn" in plain(confirm)
    assert "Level 2: deduction of 2" in plain(confirm)


def test_a_player_away_from_any_table_has_the_same_taps(spring, bob):
    url = address(spring, f"?player={entrant(spring)}&stage={spring.stage.pk}")

    page = bob.get(url)
    confirm = bob.get(page.context["groups"][0][1][0].address)
    answer = bob.post(url, tapped(spring, "A-I", deal=""))

    assert (page.context["step"], confirm.context["step"]) == ("offence", "confirm")
    assert page.context["confirm"].deals == []
    assert answer.status_code == 302
    penalty = Penalty.objects.get()
    assert (penalty.stage, penalty.round, penalty.table, penalty.hand) == (spring.stage, None, None, "")


@pytest.mark.parametrize(
    ("typed", "language", "codes"),
    [
        ("A-II", "en", ["A-II", "A-III"]),
        ("aii", "zh-hant", ["A-II", "A-III"]),
        ("a2", "ja", ["A-II"]),
        ("u-1c", "zh-hans", ["U-1c"]),
        ("先摸牌", "en", ["A-I"]),
        ("先摸牌", "ja", ["A-I"]),
        ("Ｄｒａｗｉｎｇ before", "zh-hant", ["A-I"]),
        ("kuikae", "zh-hans", ["A-VI"]),
        ("EMPTY win", "ja", ["C-II"]),
        ("no such thing", "en", []),
    ],
)
def test_an_offence_is_found_by_code_or_name_in_any_language(spring, bob, typed, language, codes):
    query = {"table": spring.table().pk, "player": entrant(spring), "q": typed}
    page = bob.get(address(spring), query, headers={"accept-language": language})

    assert [i.code for _heading, items in page.context["groups"] for i in items] == codes


def test_offences_in_use_come_first_and_fold_the_rest_of_the_book(spring, bob):
    def shown() -> tuple[list[str], bool]:
        page = bob.get(at_table(spring, more=f"&player={entrant(spring)}"))
        return [item.code for item in page.context["usual"]], page.context["folded"]

    assert shown() == ([], False)
    for code in ("A-VII", "A-I", "A-VII", "C-II"):
        log(spring, code)
    assert shown() == (["A-VII", "A-I", "C-II"], False)
    log(spring, "D-II")
    assert shown() == (["A-VII", "A-I", "C-II", "D-II"], True)


@pytest.mark.parametrize(
    ("language", "category", "offence", "level"),
    [
        ("zh-hant", "行牌類犯規", "相公", "3級處分：和了禁止"),
        ("zh-hans", "行牌类犯规", "相公（多牌、少牌）", "3级处罚：禁止和牌"),
        ("ja", "打牌中の反則", "多牌・少牌", "3級：アガリ放棄"),
    ],
)
def test_the_book_is_in_the_referee_s_language(spring, bob, language, category, offence, level):
    url = at_table(spring, more=f"&player={entrant(spring)}&offence=A-X")
    page = bob.get(url, headers={"accept-language": language}).content.decode()

    assert [words for words in (category, offence, level) if words not in page] == []
    assert "Wrong number of tiles" not in page


# --- what the last tap shows


def case(answer, index: int = 0):
    return next(each for each in answer.context["confirm"].cases if each.index == index)


def confirm(made: Club, client: Client, code: str, index: int = 0):
    return client.get(at_table(made, more=f"&player={entrant(made, index)}&offence={code}"))


def test_it_says_level_deduction_ban_and_what_happens_to_the_hand(spring, bob):
    found = case(confirm(spring, bob, "C-III"))

    assert (found.level, found.taking.words) == ("Level 5: deduction of 25 and win ban", "−25.0")
    assert found.effects == ("Win ban for this hand.", "Hand: redeal.")
    assert (found.words, found.because, found.waits) == (
        "20 or more tiles left (without the dead wall)",
        "",
        False,
    )


def test_a_repeated_offence_says_why_it_costs_more_and_the_total_so_far(spring, bob):
    first = log(spring, "A-I")
    at = first.created_at.astimezone(zoneinfo.ZoneInfo("Asia/Hong_Kong"))

    page = confirm(spring, bob, "A-I")
    found = case(page)

    assert page.context["total"] == -20
    assert found.level == "Level 4: deduction of 8 to 12 and win ban"
    assert [amount.words for amount in found.taking.buttons] == ["8", "9", "10", "11", "12"]
    assert [amount.chosen for amount in found.taking.buttons] == [True, False, False, False, False]
    assert found.because == f"No. 2 in this game; before: level 2 at {at:%H:%M} by bob-spring."
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


def test_the_record_chooses_among_conditions_that_speak_of_repetition(spring, bob):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)

    def offered() -> list[tuple[int, bool]]:
        return [(each.index, each.chosen) for each in confirm(spring, bob, "D-III").context["confirm"].cases]

    assert offered() == [(0, True), (1, False)]
    log(spring, "D-III", 0)
    assert offered() == [(2, True)]
    assert case(confirm(spring, bob, "D-III"), 2).because.startswith("No. 2 in this game; before: at ")
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

    waits = [each.waits for each in confirm(spring, bob, "A-II").context["confirm"].cases]

    assert waits == [False, True, True, True]
    assert not any(each.waits for each in confirm(spring, alice, "A-II").context["confirm"].cases)


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

    assert [(option.name, option.chosen) for option in found.options] == [
        ("Point penalty", True),
        ("Dead hand", False),
    ]
    assert found.because.startswith("No. 2 in this competition; before: Minor error at ")
    assert answer.status_code == 302
    assert list(Penalty.objects.order_by("pk").values_list("level", flat=True)) == ["minor", "dead"]


def test_coming_late_asks_for_the_minutes(db):
    ema = club("ema", preset="ema-2025")
    ema.add_round()
    bob = signed_in(ema.bob)

    found = case(confirm(ema, bob, "7.2"))
    bob.post(at_table(ema), tapped(ema, "7.2", **{"units-c0": "4"}))

    assert (found.taking.words, found.unit) == (
        "−1.0 per minute",
        "Number of minutes, rounded up",
    )
    assert Penalty.objects.get().score == -40


# --- logging


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
    ],
)
def test_the_last_tap_logs_what_the_book_says(spring, bob, code, condition, values, expected):
    form = tapped(spring, code, condition, **values)
    answer = bob.post(at_table(spring), reviewed(bob, at_table(spring), form) if code == "U-1c" else form)

    assert (answer.status_code, answer.url) == (302, f"/c/{spring.slug}/desk/")
    assert kept() == [expected]
    penalty = Penalty.objects.get()
    assert (penalty.table, penalty.created_by, penalty.condition) == (spring.table(), spring.bob, condition)


def test_units_count_tiles(spring, bob):
    bob.post(at_table(spring), tapped(spring, "A-X", 1, **{"units-c1": "３"}))

    assert Penalty.objects.get().units == 3


def reviewed(client: Client, where: str, form: dict[str, object]) -> dict[str, object]:
    """The form with what its second step showed."""
    answer = client.post(where, form)
    assert (answer.status_code, Penalty.objects.filter(infraction=form["infraction"]).count()) == (422, 0)
    return form | {"reviewed": answer.context["confirm"].review.text}


def test_all_four_are_logged_in_a_second_step_that_says_what_each_gets(spring, bob):
    log(spring, "A-I", index=1)
    form = tapped(spring, "D-V", 1)
    page = bob.post(at_table(spring), form)
    assert "Each player gets:" in plain(page)
    lines = page.context["confirm"].review.lines
    assert [(name, *gets) for name, *gets in lines] == [
        (player.name, "level 4", "−8.0", False) for player in spring.players[:4]
    ]
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
    review = bob.post(at_table(spring), form).context["confirm"].review

    assert {level for _name, level, *_more in review.lines} == {"level 1"}
    assert bob.post(at_table(spring), form | {"reviewed": review.text}).status_code == 302
    assert set(Penalty.objects.values_list("infraction", "level", "hand")) == {
        ("A-XI", "1", "E1.0"),
        ("A-XI", "1", "E1.0.1"),
    }


def test_an_expulsion_is_confirmed_in_a_second_step_that_says_what_happens(spring, bob):
    for form in (tapped(spring, "U-1c"), free(spring, level="6", reason="bets", deduction="0")):
        answer = bob.post(at_table(spring), form)
        page = plain(answer)
        assert (answer.status_code, Penalty.objects.count()) == (422, 0)
        assert "陳大文 is expelled: leaves the competition at once" in page
        assert "data-expels" in answer.content.decode()

    bob.post(at_table(spring), form | {"sure": "on"})

    assert Penalty.objects.get().level == "6"
    for where in (f"/c/{spring.slug}/desk/", f"/c/{spring.slug}/tables/{spring.table().pk}/"):
        assert re.search(r"陳大文 (Chan Tai Man )?withdrawn", plain(bob.get(where))), where


def test_it_counts_at_once_only_where_the_public_sees_it(spring, bob):
    set_visibility(round_=spring.rounds[0], visibility="seating", by=spring.alice)

    page = plain(bob.post(at_table(spring), tapped(spring, "A-I"), follow=True))

    assert "Logged for 陳大文: −2.0. It counts when round 1 is published." in page


def test_several_who_did_the_same_are_logged_with_one_tap(spring, bob):
    log(spring, "D-I", index=1)
    several = [spring.players[index].pk for index in (1, 2)]
    form = tapped(spring, "D-I", others=several)

    form["reviewed"] = bob.post(at_table(spring), form).context["confirm"].review.text
    pages = [bob.post(at_table(spring), form, follow=True) for _ in range(2)]

    assert kept()[1:] == [("D-I", "2", -20, ""), ("D-I", "4", -80, ""), ("D-I", "2", -20, "")]
    names = [player.name for player in spring.players]
    for page in pages:  # the second one was the same form again
        assert f"Logged for {names[0]}, {names[2]}: −2.0 each." in plain(page)
        assert f"Logged for {names[1]}: −8.0. It counts at once." in plain(page)


def test_who_was_ticked_stays_ticked_and_only_those_at_the_table_can_be(spring, bob):
    there, elsewhere = spring.players[2].pk, spring.players[5].pk

    back = bob.post(at_table(spring), tapped(spring, "D-I", others=[there], honba="x"))
    assert [pk for pk, _name, ticked in back.context["confirm"].others if ticked] == [there]
    refused = bob.post(at_table(spring), tapped(spring, "D-I", others=[there, elsewhere]))

    assert list(refused.context["confirm"].form.errors) == ["others"]
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
    assert [each.index for each in found.cases if each.chosen] == [3]
    assert [option.code for option in found.departures if option.chosen] == ["4"]
    amounts = next(option for option in found.departures if option.code == "4").taking.buttons
    assert [amount.words for amount in amounts if amount.chosen] == ["11"]
    assert [amount.words for amount in case(answer, 1).taking.buttons if amount.chosen] == ["9"]
    assert ([value for value, _words, chosen in found.deals if chosen], found.honba) == (["S3"], "2")


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


@pytest.mark.parametrize("key", ["", "no-key", "\x00"])
def test_a_form_without_its_key_saves_nothing(spring, bob, key):
    answers = [
        bob.post(at_table(spring), tapped(spring, "A-I", key=key)),
        bob.post(at_table(spring), free(spring, key=key, reason="late", deduction="2")),
    ]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert Penalty.objects.count() == 0


# --- what the book does not know


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"level": "5", "reason": "insult"}, ("", "5", -250, "insult")),
        ({"reason": "late", "deduction": "2"}, ("", "", -20, "late")),
        ({"reason": "late", "deduction": "▲2.0"}, ("", "", -20, "late")),
        ({"reason": "late", "deduction": "２"}, ("", "", -20, "late")),
        ({"reason": "our error", "deduction": "1.5", "add": "on"}, ("", "", 15, "our error")),
        ({"level": "4", "reason": "on purpose", "deduction": "20"}, ("", "4", -200, "on purpose")),
    ],
)
def test_what_is_typed_becomes_a_score(spring, bob, values, expected):
    answer = bob.post(at_table(spring), free(spring, **values))

    assert answer.status_code == 302, answer.context["free"].errors
    assert kept() == [expected]


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"player": "x", "reason": "late", "deduction": "2"}, "player", "valid choice"),
        ({"deduction": "2"}, "reason", "Enter a reason."),
        ({"level": "7", "reason": "x"}, "level", "valid choice"),
        ({"reason": "late"}, "deduction", "Enter an amount, for example 2"),
        ({"reason": "late", "deduction": "two"}, "deduction", "at most one decimal"),
        ({"reason": "late", "deduction": "8000"}, "deduction", "Enter a score, not points"),
        ({"reason": "late", "deduction": "+2"}, "deduction", "A deduction lowers the total"),
        ({"reason": "x", "deduction": "-2", "add": "on"}, "deduction", "without a minus"),
        ({"reason": "a\u202eb", "deduction": "2"}, "reason", "invisible control character"),
        ({"reason": "x" * 301, "deduction": "2"}, "reason", "at most 300 characters"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field(spring, bob, values, field, words):
    answer = bob.post(at_table(spring), free(spring, **values))

    assert answer.status_code == 422
    assert list(answer.context["free"].errors) == [field]
    assert words in plain(answer)
    assert Penalty.objects.count() == 0


def test_a_rule_set_without_a_book_offers_chombo_and_free_text(db):
    made = club("jpml", preset="jpml-a")
    made.add_round()
    bob = signed_in(made.bob)

    page = bob.get(at_table(made, more=f"&player={entrant(made)}"))
    answers = [
        bob.post(at_table(made), free(made, offence="chombo")),
        bob.post(at_table(made), free(made, offence="chombo", reason="noten riichi")),
        bob.post(at_table(made), free(made, reason="late", deduction="5")),
    ]

    assert page.context["step"] == "free"
    assert "Chombo (−20.0)" in plain(page)
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert kept() == [
        ("", "", -200, "chombo"),
        ("", "", -200, "chombo: noten riichi"),
        ("", "", -50, "late"),
    ]


# --- where


def test_a_player_s_newest_open_table_is_offered_first(spring, bob):
    second = spring.add_round(visibility="hidden")

    page = bob.get(address(spring, f"?player={entrant(spring)}"))

    place = page.context["place"]
    assert (place.table.round, place.chosen) == (second, spring.players[0])
    assert [words for _url, words in place.elsewhere] == [
        "Main, Regular season, round 1, table 1",
        "Main, Regular season, no table",
    ]
    assert all(bob.get(url).status_code == 200 for url, _words in place.elsewhere)


def test_without_table_or_player_both_are_offered(spring, bob):
    second = spring.add_round()
    Round.objects.filter(pk=second.pk).update(status="closed")

    page = bob.get(address(spring))
    other = bob.get(address(spring, f"?round={second.pk}"))

    assert page.context["chosen"] == spring.rounds[0]  # the open one goes before the newer one
    assert other.context["chosen"] == second
    links = re.findall(r"\?table=(\d+)", page.content.decode())
    assert sorted(map(int, links)) == sorted(spring.rounds[0].tables.values_list("pk", flat=True))
    assert len(page.context["players"]) == 8


def test_a_competition_without_players_says_what_to_do(db):
    made = club("empty", players=0)

    page = signed_in(made.bob).get(address(made))

    assert "Penalties are logged for players" in page.content.decode()


def test_a_closed_round_says_what_can_be_done_and_takes_nothing(spring, bob):
    close_round(round_=spring.rounds[0], by=spring.alice)

    page = bob.get(at_table(spring))
    answer = bob.post(at_table(spring), tapped(spring, "A-I"))

    assert "open a dispute about the table" in plain(page)
    assert 'name="infraction"' not in page.content.decode()
    assert (answer.status_code, Penalty.objects.count()) == (422, 0)


def test_the_ruling_of_a_dispute_logs_in_a_closed_round_and_keeps_the_link(spring, bob):
    dispute = open_dispute(table=spring.table(), hand="E1.0", subject="two melds", by=spring.bob)
    take_step(
        dispute=dispute,
        kind=Dispute.Step.PRELIMINARY,
        said="both shown",
        decided="a wrong call",
        by=spring.bob,
    )
    close_round(round_=spring.rounds[0], by=spring.alice)
    url = at_table(spring, more=f"&dispute={dispute.pk}")

    page, answer = bob.get(url), bob.post(url, tapped(spring, "A-I"))

    assert f"/disputes/{dispute.pk}/" in page.content.decode()
    assert page.context["seats"][0].address.endswith(f"&dispute={dispute.pk}&player={entrant(spring)}")
    assert answer.status_code == 302
    assert Penalty.objects.get().dispute == dispute


def test_the_ruling_logs_in_the_hand_of_its_dispute_which_may_be_dealt_again(spring, bob):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)
    dispute = open_dispute(table=spring.table(), subject="wrong win", by=spring.bob)
    take_step(dispute=dispute, kind="preliminary", decided="chombo", redeal=True, by=spring.bob)
    where = at_table(spring, more=f"&dispute={dispute.pk}")

    assert bob.get(where).context["confirm"].hand == "East 1, honba 0"
    bob.post(where, tapped(spring, "C-III"))
    bob.post(where, free(spring, level="3", deduction="0", reason="stalls"))

    assert list(Penalty.objects.values_list("hand", "win_ban")) == [("E1.0", True)] * 2
    assert (spring.table().hand, active_bans(spring.competition)) == ("E1.0.1", [])


def test_referees_do_not_log_at_the_table_where_they_play(spring, bob):
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])

    page = bob.get(at_table(spring))
    answer = bob.post(at_table(spring), tapped(spring, "A-I"))
    other = bob.post(at_table(spring, 2), tapped(spring, "A-I", player=spring.players[4].pk))

    assert "Referees cannot rule at their own table." in plain(page)
    assert 'name="infraction"' not in page.content.decode()
    assert (answer.status_code, other.status_code) == (422, 302)
    assert list(Penalty.objects.values_list("player", flat=True)) == [spring.players[4].pk]


# --- who may


@pytest.mark.parametrize("query", ["", "?table={table}", "?player={player}"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_only_referees_and_organizers_log(spring, query, method):
    url = address(spring, query.format(table=spring.table().pk, player=entrant(spring)))
    autumn = club("autumn")

    def ask(person):
        client = signed_in(person) if person else Client()
        return getattr(client, method)(url, {} if method == "get" else tapped(spring, "A-I")).status_code

    assert {ask(person) for person in (spring.bob, spring.alice)} <= {200, 302, 422}
    logged = Penalty.objects.count()
    people = (spring.charlie, spring.dora, user("mallory"), autumn.alice, autumn.bob)
    assert [ask(person) for person in people] == [403] * 5
    assert (ask(None), Penalty.objects.count()) == (302, logged)


@pytest.mark.parametrize("number", ["{table}", "999999", "9" * 18])
def test_a_table_of_another_competition_does_not_exist_here(spring, bob, number):
    autumn = club("autumn")
    autumn.add_round()
    url = address(spring, f"?table={number.format(table=autumn.table().pk)}")
    assert bob.get(at_table(spring)).status_code == 200

    assert bob.get(url).status_code == 404
    assert bob.post(url, tapped(spring, "A-I")).status_code == 404
    assert Penalty.objects.count() == 0


def test_players_stages_and_disputes_of_another_competition_do_not_exist_here(spring, bob):
    autumn = club("autumn")
    autumn.add_round()
    theirs = open_dispute(table=autumn.table(), hand="E1.0", subject="x", by=autumn.bob)
    other = open_dispute(table=spring.table(number=2), hand="E1.0", subject="x", by=spring.bob)
    table = spring.table().pk
    assert bob.get(address(spring, f"?player={entrant(spring)}")).status_code == 200

    queries = [
        f"?player={entrant(autumn)}",
        f"?player={entrant(spring)}&stage={autumn.stage.pk}",
        f"?table={table}&dispute={theirs.pk}",
        f"?table={table}&dispute={other.pk}",
    ]

    assert [bob.get(address(spring, query)).status_code for query in queries] == [404] * 4


@pytest.mark.parametrize(
    "query", ["table=x", "table=", "player=-1", "round=x", "table=%00", "table=９", "table=1e5"]
)
def test_a_bad_number_in_the_address_is_ignored(spring, bob, query):
    assert bob.get(address(spring, f"?{query}")).status_code == 200


def test_the_page_takes_no_other_method(spring, bob):
    assert bob.put(address(spring)).status_code == 405


@pytest.mark.parametrize("query", ["", "?player={player}", "?table={table}"])
def test_the_page_takes_a_steady_number_of_queries(spring, bob, query):
    url = address(spring, query.format(player=entrant(spring), table=spring.table().pk))

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert bob.get(url).status_code == 200
        return len(caught)

    log(spring, "A-I")
    one = queries()
    log(spring, "A-II", index=1)
    log(spring, "A-I", index=2)
    spring.add_round()
    assert queries() == one
