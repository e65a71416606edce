"""How rounds were seated, and what sitting out brings, in the competition file and back."""

import json

import pytest

from league.models import Round, Stage
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.seating.queries.seating import SCHEDULE, PlanRequest, draft_of
from league.organizing.seating.services.drafts import accept_seating, begin_seating, draft_state
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    """Nine players in two rounds of a schedule: one sits out each time, and gets +15.0."""
    made = club(players=9)
    begin_seating(
        stage=made.stage,
        asked=PlanRequest(method=SCHEDULE, rounds=2),
        seed=77,
        sitting_out=("fixed", 150),
        by=made.alice,
    )
    stage = Stage.objects.select_related("division__competition").get(pk=made.stage.pk)
    accept_seating(stage=stage, seen=draft_state(draft_of(stage)), by=made.alice)
    return made


def test_method_seed_and_sitting_out_survive_export_and_import(here):
    content = competition_json(here.competition)
    (stage,) = json.loads(content)["divisions"][0]["stages"]
    assert (stage["sit_out"], stage["sit_out_score"]) == ("fixed", 15.0)
    assert [(each["method"], each["seed"]) for each in stage["rounds"]] == [("schedule", 77)] * 2

    file = json.loads(content) | {"slug": "again"}
    facts = read_competition_file(json.dumps(file).encode())
    copy = import_competition(facts=facts, league=None, by=here.alice)

    assert json.loads(competition_json(copy)) == file
    rounds = Round.objects.filter(stage__division__competition=copy)
    assert [(each.method, each.seed) for each in rounds] == [("schedule", 77)] * 2
    kept = Stage.objects.get(division__competition=copy)
    assert (kept.sit_out, kept.sit_out_score, kept.adjustments.count()) == ("fixed", 150, 2)


def test_a_file_without_them_means_nothing(here):
    file = json.loads(competition_json(here.competition))
    for stage in file["divisions"][0]["stages"]:
        del stage["sit_out"], stage["sit_out_score"]
        for round_ in stage["rounds"]:
            del round_["method"], round_["seed"]
    facts = read_competition_file(json.dumps(file).encode())
    (stage,) = facts.divisions[0].stages
    assert (stage.sit_out, stage.sit_out_score) == ("nothing", None)
    assert [(each.method, each.seed) for each in stage.rounds] == [("", None)] * 2
