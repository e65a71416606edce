"""Hands in the competition file, in personal data and in the audit log, and of two records of one person."""

import uuid

import pytest

from league.core.errors import Refused
from league.models import AuditEntry, HandEntry, Table
from league.organizing.audit_log.words.actions import audit_action
from league.organizing.personal_data.exports import account_facts, player_facts
from league.organizing.roster.services.merging import merge_players
from league.people.register.services import values_of
from league.play.hands.queries import table_game
from league.play.hands.services import add_entry
from league.play.rounds.services import delete_round
from tests.factories import club
from tests.hands import phone_at
from tests.league.organizing.interchange.files import competition_file, loaded
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import draw, riichi, ron

pytestmark = pytest.mark.django_db


@module_fixture
def spring():
    made = club("spring", preset="mleague")
    made.add_round()
    phone = phone_at(made.table())
    phone.play(ron(1, 2, riichi=riichi(1)))
    phone.play(draw(0))
    phone.press("correct", draw(0, 1).as_values(), target=2)
    phone.press("riichi", {"seats": [3]})
    return made


def test_the_hands_of_a_table_travel_in_the_file_and_come_back_as_they_were(spring):
    file = competition_file(spring.competition)
    (hands,) = file["hands"]
    assert (hands["version"], hands["round"], hands["table"]) == (1, 1, 1)
    assert [each["kind"] for each in hands["log"]] == ["hand", "hand", "correct", "riichi"]
    assert (hands["log"][2]["target"], hands["log"][3]["facts"]) == (2, {"seats": [3]})
    before = table_game(spring.table())
    file["slug"] = "copy"
    copy = loaded(file)
    table = Table.objects.get(round__stage__division__competition=copy, number=1)
    after = table_game(Table.objects.select_related("round__stage__division__rule_set").get(pk=table.pk))
    assert (after.game, after.hand, after.riichi) == (before.game, before.hand, (3,))
    assert table.hand == before.hand
    again = competition_file(copy)
    assert again["hands"] == file["hands"]


def test_a_device_that_sends_an_entry_again_finds_it_in_the_competition_that_was_loaded(spring):
    file = competition_file(spring.competition)
    file["slug"] = "copy"
    copy = loaded(file)
    key = HandEntry.objects.get(table__round__stage__division__competition=copy, number=1).key
    assert key == HandEntry.objects.get(table=spring.table(), number=1).key


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"kind": "remove", "facts": None}, "hands[0].log[3].target"),
        ({"target": 9}, "hands[0].log[3].target"),
        ({"facts": {"seats": ["\0"]}}, "hands[0].log[3].facts"),
        ({"facts": {"seats": [7]}}, "hands[0].log"),
        ({"key": "x"}, "hands[0].log[3].key"),
        ({"number": 1}, "hands[0].log[3].number"),
        ({"player": "nobody"}, "hands[0].log[3].player"),
    ],
)
def test_a_log_that_no_table_can_have_is_refused_with_its_place(spring, change, place):
    file = competition_file(spring.competition) | {"slug": "copy"}
    file["hands"][0]["log"][3] |= change
    with pytest.raises(Exception, match=r".") as refused:
        loaded(file)
    assert place in str([*getattr(refused.value, "problems", []), refused.value])


def test_a_person_reads_the_hands_that_they_entered(spring):
    player = spring.players[0]
    add_entry(
        table=spring.table(),
        key=uuid.uuid4(),
        kind="riichi",
        facts={"seats": [0]},
        based_on=4,
        by=spring.dora,
        player=player,
    )
    assert [each["kind"] for each in account_facts(spring.dora)["written"]["hands"]] == ["riichi"]
    (hand,) = player_facts(player)["hands entered"]
    assert (hand["kind"], hand["facts"], hand["table__number"]) == ("riichi", {"seats": [0]}, 1)


def test_the_hands_of_two_records_of_one_person_are_those_of_one(spring):
    spring.add_players(1)
    gone, keep = spring.players[-1], spring.players[0]
    HandEntry.objects.filter(table=spring.table()).update(player=gone)
    merge_players(
        competition=spring.competition,
        keep=keep.pk,
        gone=gone.pk,
        values=values_of(keep),
        by=spring.alice,
    )
    assert set(HandEntry.objects.values_list("player", flat=True)) == {keep.pk}


def test_the_log_says_who_corrected_a_hand(spring):
    entry = AuditEntry.objects.filter(competition=spring.competition, action="hands.correct").get()
    assert entry.after == {"hand": "E2.0"}
    kinds = ("start", "correct", "insert", "remove")
    assert all(audit_action(f"hands.{kind}") != f"hands.{kind}" for kind in kinds)


def test_a_round_whose_tables_keep_their_hands_is_not_deleted(spring):
    with pytest.raises(Refused, match="keep their hands"):
        delete_round(round_=spring.rounds[0], by=spring.alice)
