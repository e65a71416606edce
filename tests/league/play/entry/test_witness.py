"""A score sheet beside the hands that its table recorded: who reads it, and what no longer counts unseen."""

import html
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.core.errors import Refused
from league.models import AuditEntry
from league.play.results.services import record_result
from scoring.checks import check_hands
from scoring.hanchan import new_game, replay
from scoring.presets import resolve
from scoring.settlement import Ending
from tests.factories import Club, signed_in
from tests.hands import keep_hands
from tests.hands import phone_at as keeper_at
from tests.league.play.entry.at_table import (
    answer,
    of_table,
    phone_at,
    propose,
    sign_seat,
    signing_club,
    typed_sheet,
)
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db

OTHER = (40_000, 30_000, 20_000, 10_000)


@pytest.fixture
def spring() -> Club:
    return signing_club(preset="mleague")


def keep(made: Club, *, to_the_end: bool = True) -> tuple[int, ...]:
    """Record hands of the first table, and return their last points."""
    table = made.table()
    game = new_game(table.rules)
    while game.over is None and (to_the_end or len(game.hands) < 2):
        game = replay(game, [tsumo(1 if game.dealer != 1 else 3)])
    keep_hands(table, game.hands)
    return game.points


def play(made: Club) -> tuple[int, ...]:
    """Enter two hands of the first table on its phone, and return their last points."""
    phone = keeper_at(made.table())
    phone.see()
    phone.play(tsumo(1))
    return tuple(phone.play(tsumo(3))["points"])


def sign_all(made: Club, points: tuple[int, ...]) -> None:
    propose(made, points)
    for wind in range(4):
        sign_seat(made, wind)


def sign_on_phones(made: Club, points: tuple[int, ...]) -> None:
    phones = [phone_at(made, index) for index in range(4)]
    phones[0].post(of_table("results:at_table", made), typed_sheet(made, points))
    for wind, phone in enumerate(phones):
        phone.post(of_table("results:sign", made), answer(made, wind))


def plain(response: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode())))


def results(made: Club) -> list[str]:
    return list(made.table().sheets.values_list("status", flat=True))


def proposal(made: Club) -> int:
    return made.table().proposals.get(is_current=True).pk


def approve(client: Client, made: Club, page: str, **more: object) -> Any:
    values = {"key": uuid.uuid4(), "proposals": proposal(made), **more}
    return client.post(f"/c/{made.slug}/{page}", values, follow=True)


# --- the comparison


def test_a_sheet_that_is_the_end_of_its_hands_agrees_with_them():
    rules = resolve("mleague")
    game = new_game(rules)
    while game.over is None:
        game = replay(game, [tsumo(1 if game.dealer != 1 else 3)])
    assert check_hands(game.points, Ending(game.deposits), game) == ()
    assert [each.code for each in check_hands(OTHER, Ending(), game)] == ["differs_from_hands"]


def test_a_sheet_before_the_end_of_its_hands_and_one_without_hands():
    game = replay(new_game(resolve("mleague")), [tsumo(1)])
    assert [each.code for each in check_hands(game.points, Ending(), game)] == ["before_the_end"]
    assert check_hands(OTHER, Ending(), new_game(resolve("mleague"))) == ()
    assert check_hands(OTHER, Ending(), None) == ()


def test_the_dealer_of_the_last_hand_is_compared_where_ties_need_it():
    rules = resolve("tnt")
    game = new_game(rules)
    while game.over is None:
        game = replay(game, [tsumo(1 if game.dealer != 1 else 3)])
    right, wrong = (Ending(game.deposits, seat) for seat in (game.last_dealer, (game.last_dealer + 1) % 4))
    assert check_hands(game.points, right, game) == ()
    assert [each.code for each in check_hands(game.points, wrong, game)] == ["differs_from_hands"]


# --- signatures


def test_a_signed_sheet_that_is_the_end_of_its_hands_counts_at_once(spring):
    sign_on_phones(spring, keep(spring))
    assert results(spring) == ["confirmed"]


def test_those_who_sign_see_both_columns(spring):
    kept = keep(spring)
    phone = phone_at(spring, 1)
    phone.post(of_table("results:at_table", spring), typed_sheet(spring, OTHER))
    shown = plain(phone.get(of_table("results:at_table", spring)))
    assert "The score sheet does not agree with the recorded hands." in shown
    assert [f"{points:,}" in shown for points in (*kept, *OTHER)] == [True] * 8


@pytest.mark.parametrize("to_the_end", [True, False])
def test_signatures_alone_do_not_make_a_contradicting_sheet_count(spring, to_the_end):
    kept = keep(spring) if to_the_end else play(spring)
    sign_on_phones(spring, OTHER if to_the_end else kept)
    assert results(spring) == []


def test_staff_approve_it_on_its_page_with_a_tick(spring):
    keep(spring)
    sign_all(spring, OTHER)
    alice, page = signed_in(spring.alice), of_approval(spring)
    refused = plain(approve(alice, spring, page))
    before = results(spring)
    approve(alice, spring, page, despite_hands="on")
    assert "does not agree with the recorded hands" in refused
    assert (before, results(spring)) == ([], ["confirmed"])
    entry = AuditEntry.objects.get(action="sheet.despite_hands")
    assert entry.after["points"] == list(OTHER)


def of_approval(made: Club) -> str:
    return reverse("results:approve", args=(made.slug, made.rounds[0].pk)).removeprefix(f"/c/{made.slug}/")


@pytest.mark.with_extra("hall")
def test_a_sheet_contradicted_after_its_signatures_is_not_approved_with_the_others():
    made = signing_club(preset="mleague", counts=False)
    sign_all(made, keep(made))
    keeper = keeper_at(made.table())
    keeper.see()
    keeper.press("remove", {}, target=1)
    alice = signed_in(made.alice)
    shown = plain(alice.get(f"/c/{made.slug}/hall/"))

    approve(alice, made, f"hall/rounds/{made.rounds[0].pk}/approve/", despite_hands="on")

    assert "Differs from its hands" in shown
    assert "Approve table" not in shown
    assert results(made) == []


def test_one_press_for_several_sheets_never_covers_a_contradiction():
    made = signing_club(preset="mleague", counts=False)
    keep(made, to_the_end=False)
    sign_all(made, OTHER)
    values = f"{proposal(made)}-{10**9}"
    approve(signed_in(made.alice), made, of_approval(made), proposals=values, despite_hands="on")
    assert results(made) == []


@pytest.mark.with_extra("hall")
def test_the_hall_marks_a_sheet_before_the_end_of_its_hands(spring):
    keep(spring, to_the_end=False)
    sign_all(spring, OTHER)
    shown = plain(signed_in(spring.alice).get(f"/c/{spring.slug}/hall/"))
    assert "Score sheet before the end of its hands" in shown


# --- staff


def enter(client: Client, made: Club, points: tuple[int, ...], **more: object) -> Any:
    return client.post(enter_address(made), typed_sheet(made, points, based_on=0, **more))


def enter_address(made: Club) -> str:
    return reverse("results:enter_round", args=(made.slug, made.rounds[0].pk))


def test_a_paper_sheet_that_contradicts_the_hands_wants_a_tick(spring):
    keep(spring)
    charlie = signed_in(spring.charlie)
    asked = enter(charlie, spring, OTHER)
    sure = re.search(r'name="sure" value="([^"]*)"', asked.content.decode())
    assert asked.status_code == 422
    assert "The recorded hands end at" in plain(asked)
    assert sure is not None
    saved = enter(charlie, spring, OTHER, sure=html.unescape(sure[1]))
    assert (saved.status_code, results(spring)) == (302, ["entered"])


def test_a_paper_sheet_before_the_end_of_the_hands_wants_a_tick(spring):
    kept = keep(spring, to_the_end=False)
    asked = enter(signed_in(spring.charlie), spring, kept)
    assert asked.status_code == 422
    assert "By the recorded hands this game has not ended." in plain(asked)


def test_every_door_to_the_sheet_opens_it_filled_in_from_the_hands(spring):
    kept = keep(spring)
    typed = [f'value="{points // 100}"' for points in kept]
    phone = phone_at(spring, 0).get(of_table("results:at_table", spring)).content.decode()
    paper = signed_in(spring.charlie).get(enter_address(spring)).content.decode()
    assert [each in phone for each in typed] == [True] * 4
    assert [each in paper for each in typed] == [True] * 4


def test_a_program_that_contradicts_the_hands_gets_a_code_and_may_insist(spring):
    keep(spring)
    values = {"table": spring.table(), "points": OTHER, "based_on": 0, "by": spring.charlie}
    with pytest.raises(Refused, match="does not agree with the recorded hands") as refusal:
        record_result(**values, despite_hands=False)
    record_result(**values, despite_hands=True)
    assert refusal.value.code == "differs_from_hands"
    assert results(spring) == ["entered"]


def test_a_correction_that_contradicts_the_hands_wants_a_tick(spring):
    kept = keep(spring)
    sheet = record_result(table=spring.table(), points=kept, based_on=0, by=spring.charlie)
    charlie = signed_in(spring.charlie)
    address = reverse("results:correct", args=(spring.slug, spring.table().pk))
    asked = charlie.post(address, typed_sheet(spring, OTHER, based_on=sheet.pk, reason="read again"))
    sure = re.search(r'name="sure" value="([^"]*)"', asked.content.decode())
    assert sure is not None
    ticked = typed_sheet(spring, OTHER, based_on=sheet.pk, reason="read again", sure=html.unescape(sure[1]))
    saved = charlie.post(address, ticked)
    assert (asked.status_code, saved.status_code, len(results(spring))) == (422, 302, 2)
