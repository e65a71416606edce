"""Names of a list that are nearly those of other people, known or new."""

import pytest

from league.core.errors import Refused
from league.models import Entrant, Seat, Table
from players.models import Player
from tests.factories import Club, club
from tests.league.organizing.brought.lists import SEASON, bring

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    return club(players=0)


def test_a_near_name_must_be_decided(spring):
    bring(spring, SEASON.replace("Emil", "Émile"))
    text = "day,player,points\n2026-04-01,Emile,30000\n,Ben,30000\n,Cara,30000\n,Dan,30000\n"

    with pytest.raises(Refused, match="who these people are: Emile"):
        bring(spring, text)

    assert Table.objects.count() == 3


def test_a_near_name_can_be_a_new_person(spring):
    bring(spring, SEASON.replace("Emil", "Émile"))
    text = "day,player,points\n2026-04-01,Emile,30000\n,Ben,30000\n,Cara,30000\n,Dan,30000\n"

    bring(spring, text, picks=["1:new"])

    assert Player.objects.filter(name__in=["Emile", "Émile"]).count() == 2


def test_two_spellings_of_one_person_share_a_round_only_once(spring):
    bring(spring, SEASON.replace("Emil", "Émile"))
    emile = Player.objects.get(name="Émile")
    text = "day,round,player,points\n2026-04-01,1,Emile,30000\n,,Ben,30000\n,,Cara,30000\n,,Dan,30000\n"
    text += "2026-04-01,1,Émile,30000\n,,Fay,30000\n,,Gil,30000\n,,Hana,30000\n"

    with pytest.raises(Refused, match="attention"):
        bring(spring, text, picks=[f"1:same:{emile.pk}"])


# Two spellings of a new person: the rarer one is asked about.
SPELT = """day,table,player,points
2026-04-01,1,Takahashi Yui,30000
,,Ben,30000
,,Cara,30000
,,Dan,30000
2026-04-08,1,Takahashi Yuki,30000
,,Ben,30000
,,Cara,30000
,,Dan,30000
2026-04-15,1,Takahashi Yuki,30000
,,Ben,30000
,,Cara,30000
,,Dan,30000
"""


def test_near_new_names_must_be_decided(spring):
    with pytest.raises(Refused, match=r"who these people are: Takahashi Yui\."):
        bring(spring, SPELT)

    assert not Player.objects.exists()


def test_near_new_names_can_be_one_person(spring):
    bring(spring, SPELT, picks=["1:like:5"])

    assert Player.objects.filter(name__startswith="Takahashi").values_list("name", "seats").count() == 3
    assert Player.objects.get(name__startswith="Takahashi").name == "Takahashi Yuki"


def test_near_new_names_can_be_two_people(spring):
    bring(spring, SPELT, picks=["1:new"])

    assert Player.objects.filter(name__startswith="Takahashi").count() == 2


def test_names_that_differ_in_case_and_spaces_are_one_person(spring):
    bring(spring, SPELT.replace("Takahashi Yui", "TAKAHASHI  yuki"))

    assert Player.objects.filter(name__istartswith="takahashi").count() == 1


def test_two_names_of_a_known_person_are_entered_once(spring):
    known = Player.objects.create(register=spring.competition.league.register, name="Takahashi Yuki")

    bring(spring, SPELT, picks=[f"1:same:{known.pk}"])

    assert Seat.objects.filter(player=known).count() == 3
    assert Entrant.objects.filter(player=known).count() == 1


def test_two_new_names_of_one_person_cannot_share_a_table(spring):
    text = SPELT.replace(
        "2026-04-01,1,Takahashi Yui,30000\n,,Ben", "2026-04-01,1,Takahashi Yui,30000\n,,Takahashi Yuki"
    )

    with pytest.raises(Refused, match="attention"):
        bring(spring, text, picks=["1:like:2"])


def test_two_names_of_one_person_in_a_list_without_tables_are_refused(spring):
    text = "player,total,games\nTakahashi Yuki,10,2\nTakahashi Yui,-10,2\n"

    with pytest.raises(Refused, match="attention"):
        bring(spring, text, picks=["2:like:1"])
