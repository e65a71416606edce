"""A correction of seats that changes recorded points is shown before it is saved, with all points."""

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from league.core.errors import OutOfDate, Refused
from league.core.rounds import seating
from league.models import AuditEntry, Competition, Entrant, HandEntry, Outgoing, Seat, Sheet
from league.play.hands.queries import table_game
from league.play.hands.services import add_entry
from league.play.results.services import record_result
from league.play.rounds.services import seat_players
from league.play.substitutions.services.previews import Watch, rehearse
from league.play.substitutions.services.swaps import round_state, swap_players
from tests.factories import Club, as_seen, club, signed_in
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import mangan, ron, tsumo
from tests.shown import key

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)
OTHER = (50_000, 40_000, 20_000, 10_000)


@module_fixture
def here() -> Club:
    """Two tables of HKMA A, and p9, a substitute."""
    made = club()
    made.add_round()
    made.add_players(1)
    Entrant.objects.filter(competition=made.competition, key="p9").update(is_substitute=True)
    return made


@pytest.fixture
def alice(here: Club) -> Client:
    return signed_in(here.alice)


def swap(client: Client, here: Club, one: int, other: int, **typed: object):
    address = reverse("substitutions:swap", args=[here.slug, here.rounds[0].pk])
    given = {"key": key(), "based_on": round_state(here.rounds[0]), "reason": "wrong seats"}
    given |= {"player": here.players[one].pk, "other_player": here.players[other].pk}
    return client.post(address, given | typed)


def lines(option) -> list[tuple[str, int | None, int | None]]:
    """Table and key of each player, with points before and after."""
    return [
        (f"{effect.table} {info.key}", before and before.points, after and after.points)
        for effect in option.effects
        for info, before, after in effect.lines
    ]


def keep_hands(here: Club) -> None:
    """East deals in to south, then south, who deals, wins by tsumo."""
    value = mangan(here.division.rules)
    for hand in (ron(1, 0, value), tsumo(1, value)):
        table = here.table()
        add_entry(
            table=table,
            kind="hand",
            facts=hand.as_values(),
            key=uuid.uuid4(),
            based_on=table_game(table).number,
            by=None,
        )


def points_of(here: Club) -> dict[str, int]:
    keys = dict(Entrant.objects.values_list("player", "key"))
    seats = Seat.objects.filter(table=here.table()).order_by("wind")
    points = table_game(here.table()).points_now
    assert points is not None
    return {keys[player]: points[wind] for wind, player in seats.values_list("wind", "player")}


def facts_now(here: Club) -> tuple[object, ...]:
    competition = Competition.objects.get(pk=here.competition.pk)
    rows = (AuditEntry, Sheet, HandEntry, Outgoing, Seat)
    return competition.version, competition.revision, [list(model.objects.values()) for model in rows]


def test_a_swap_at_one_table_with_hands_shows_both_choices_and_saves_nothing(
    here: Club, alice: Client
) -> None:
    keep_hands(here)
    before, now = points_of(here), facts_now(here)

    page = swap(alice, here, 1, 2)

    follow, stay = page.context["options"]
    assert (page.status_code, facts_now(here)) == (200, now)
    assert [dict(option.chosen)["hands"] for option in (follow, stay)] == ["follow", "stay"]
    assert {name[2:]: was for name, was, _after in lines(follow)} == before
    assert {name[2:]: was for name, was, _after in lines(stay)} == before
    assert {name[2:]: after for name, _was, after in lines(stay)} == before | {
        "p2": before["p3"],
        "p3": before["p2"],
    }
    assert sum(after for _name, _was, after in lines(follow)) == 120_000
    assert "Nothing is saved yet." in page.content.decode()


@pytest.mark.parametrize("index", [0, 1])
def test_what_is_saved_is_what_was_shown(here: Club, alice: Client, index: int) -> None:
    keep_hands(here)
    option = swap(alice, here, 1, 2).context["options"][index]

    saved = swap(alice, here, 1, 2, effect=option.mark, **option.chosen)

    assert saved.status_code == 302
    assert points_of(here) == {name[2:]: after for name, _was, after in lines(option)}


def test_players_who_did_not_move_are_listed_with_their_new_points(here: Club, alice: Client) -> None:
    keep_hands(here)

    (follow, _stay) = swap(alice, here, 0, 1).context["options"]

    assert len(lines(follow)) == 4
    assert [name for name, was, after in lines(follow) if was != after] == ["1 p1", "1 p2", "1 p3", "1 p4"]


def test_a_swap_of_two_tables_shows_all_eight(here: Club, alice: Client) -> None:
    here.record(SHEET)
    here.record(OTHER, number=2)

    page = swap(alice, here, 0, 5)
    (option,) = page.context["options"]
    saved = swap(alice, here, 0, 5, effect=option.mark)

    assert lines(option) == [
        *(("1 p1", 45_000, None), ("1 p2", 35_000, 35_000), ("1 p3", 25_000, 25_000)),
        *(("1 p4", 15_000, 15_000), ("1 p6", None, 45_000)),
        *(("2 p5", 50_000, 50_000), ("2 p6", 40_000, None), ("2 p7", 20_000, 20_000)),
        *(("2 p8", 10_000, 10_000), ("2 p1", None, 40_000)),
    ]
    assert saved.status_code == 302
    assert seating(here.rounds[0])[1][0] == here.players[5].pk


def test_a_swap_without_recorded_points_is_saved_at_once(here: Club, alice: Client) -> None:
    assert swap(alice, here, 0, 5).status_code == 302
    assert seating(here.rounds[0])[1][0] == here.players[5].pk


def test_a_result_corrected_after_the_preview_saves_nothing(here: Club, alice: Client) -> None:
    here.record(SHEET)
    (option,) = swap(alice, here, 0, 1).context["options"]
    other = (40_000, 40_000, 25_000, 15_000)
    record_result(**as_seen(here.table()), points=other, reason="typo", by=here.charlie)
    now = facts_now(here)

    refused = swap(alice, here, 0, 1, effect=option.mark)

    assert refused.status_code == 422
    assert "have changed since the preview" in refused.content.decode()
    assert facts_now(here) == now


def test_a_forged_effect_is_rolled_back(here: Club) -> None:
    here.record(SHEET)
    now = facts_now(here)

    with pytest.raises(OutOfDate):
        swap_players(
            round_=here.rounds[0],
            player=here.players[0].pk,
            other_player=here.players[1].pk,
            reason="wrong",
            based_on=round_state(here.rounds[0]),
            watch=Watch("0123456789abcdef"),
            by=here.alice,
        )

    assert facts_now(here) == now


def test_a_rehearsal_gives_back_the_versions_under_which_pages_are_cached(here: Club) -> None:
    here.record(SHEET)
    competition = here.rounds[0].stage.division.competition
    competition.refresh_from_db()
    versions = (competition.version, competition.revision)

    watch = rehearse(
        competition,
        lambda watch: swap_players(
            round_=here.rounds[0],
            player=here.players[0].pk,
            other_player=here.players[1].pk,
            reason="wrong",
            based_on=round_state(here.rounds[0]),
            watch=watch,
            by=here.alice,
        ),
    )

    assert len(watch.effects) == 1
    assert (competition.version, competition.revision) == versions


def test_results_of_two_tables_are_shown_before_they_are_exchanged(here: Club, alice: Client) -> None:
    here.record(SHEET)
    address = reverse("substitutions:exchange", args=[here.slug, here.rounds[0].pk])
    typed = {"table": 1, "other_table": 2, "reason": "wrong table", "based_on": round_state(here.rounds[0])}

    page = alice.post(address, {"key": key(), **typed})
    (option,) = page.context["options"]
    saved = alice.post(address, {"key": key(), **typed, "effect": option.mark})

    assert lines(option) == [
        *((f"1 p{n + 1}", SHEET[n], None) for n in range(4)),
        *((f"2 p{n + 5}", None, SHEET[n]) for n in range(4)),
    ]
    assert saved.status_code == 302
    assert here.table(number=2).sheets.get(is_current=True).points == SHEET


def substitute(client: Client, here: Club, seat: Seat, **typed: object):
    address = reverse("substitutions:substitute", args=[here.slug, seat.pk])
    given = {"key": key(), "seen": f"{seat.player_id}-", "substitute": here.players[8].pk}
    return client.post(address, {**given, "late": "1", "score": "-30", "reason": "ill", **typed})


def test_a_late_substitute_at_a_table_with_a_result_is_shown_with_the_places_of_all(
    here: Club, alice: Client
) -> None:
    here.record(SHEET)
    seat = Seat.objects.get(round=here.rounds[0], player=here.players[0])

    page = substitute(alice, here, seat)
    (option,) = page.context["options"]
    (effect,) = option.effects
    unsaved = Seat.objects.get(pk=seat.pk).player
    saved = substitute(alice, here, seat, effect=option.mark)

    places = [(info.key, was and was.place, now and now.place) for info, was, now in effect.lines]
    assert places == [("p1", 1, None), ("p2", 2, 1), ("p3", 3, 2), ("p4", 4, 3), ("p9", None, 4)]
    assert [now.counts for _info, _was, now in effect.lines if now] == [True, True, True, False]
    assert "does not count" in page.content.decode()
    assert (unsaved, saved.status_code) == (here.players[0], 302)


def test_a_player_put_back_in_the_seat_sees_the_points_that_count_again(here: Club, alice: Client) -> None:
    here.record(SHEET)
    seat = Seat.objects.get(round=here.rounds[0], player=here.players[0])
    Seat.objects.filter(pk=seat.pk).update(player=here.players[8], stands_for=here.players[0])
    address = reverse("substitutions:return", args=[here.slug, seat.pk])
    typed = {"seen": f"{here.players[8].pk}-{here.players[0].pk}", "reason": "was there"}

    page = alice.post(address, {"key": key(), **typed})
    (option,) = page.context["options"]
    saved = alice.post(address, {"key": key(), **typed, "effect": option.mark})

    assert ("1 p1", None, 45_000) in lines(option)
    assert saved.status_code == 302
    assert Seat.objects.get(pk=seat.pk).player == here.players[0]


def test_the_form_of_the_preview_sends_everything_that_was_typed(here: Club, alice: Client) -> None:
    here.record(SHEET)

    page = swap(alice, here, 0, 1, reason="sat at each other’s place").content.decode()

    sent = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', page))
    assert sent["reason"] == "sat at each other’s place"
    assert sent["player"] == str(here.players[0].pk)
    assert len(sent["effect"]) == 16


def test_the_seating_of_a_table_with_hands_is_not_replaced(here: Club) -> None:
    keep_hands(here)
    tables = seating(here.rounds[0])
    tables[1] = [tables[1][1], tables[1][0], *tables[1][2:]]

    with pytest.raises(Refused, match="Table 1 already keeps its hands"):
        seat_players(round_=here.rounds[0], tables=tables, by=here.alice)
