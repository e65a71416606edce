"""How teams play, in a competition file: every problem with its place, and captains who stay captains."""

import json

import pytest

from league.exports.competition_file import competition_json
from league.imports.competition_file import read_competition_file
from league.imports.nodes import BrokenFile
from league.models import Competition, LineUp, Role
from league.services.interchange import import_competition
from league.services.teams import log_team_penalty, revoke_team_penalty, set_deadline
from tests.league.imports.files import Json, encoded, small
from tests.teams import name_all, team_club, team_of, team_round

pytestmark = pytest.mark.django_db


def file(**more: object) -> Json:
    """The small file with four teams of one player each, who sit and are named in its round."""
    teams = [{"id": f"t{n}", "name": f"Team {n}", "players": [f"p{n}"]} for n in range(1, 5)]
    round_: Json = {
        "division": "main",
        "stage": "regular",
        "round": 1,
        "until": "2025-04-29T18:00:00+08:00",
        "tables": [{"number": 1, "teams": ["t1", "t2", "t3", "t4"]}],
        "line_ups": [{"team": "t1", "players": ["p1"]}],
    }
    penalty = {"team": "t1", "division": "main", "stage": "regular", "score": -20.0, "reason": "late"}
    play: Json = {
        "mode": "line_ups",
        "least_hanchan": 1,
        "most_hanchan": 9,
        "rounds": [round_],
        "penalties": [penalty],
    }
    for path, value in more.items():
        *keys, last = path.split("__")
        where = play
        for key in keys:
            where = where[int(key) if key.isdigit() else key]
        where[int(last) if last.isdigit() else last] = value
    return small() | {"teams": teams, "team_play": play}


def problems(**more: object) -> list[tuple[str, str]]:
    with pytest.raises(BrokenFile) as caught:
        read_competition_file(encoded(file(**more)))
    return [(problem.place, problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("more", "place", "said"),
    [
        ({"mode": "relay"}, "team_play.mode", "There is no “relay” here."),
        ({"least_hanchan": 0}, "team_play.least_hanchan", "too small"),
        ({"most_hanchan": "9"}, "team_play.most_hanchan", "whole number"),
        ({"least_hanchan": 10}, "team_play.most_hanchan", "at least as many as the least"),
        ({"rounds__0__round": 2}, "team_play.rounds[0].round", "no round 2"),
        ({"rounds__0__stage": "final"}, "team_play.rounds[0].stage", "There is no “final” here."),
        ({"rounds__0__until": "tomorrow"}, "team_play.rounds[0].until", "with its zone"),
        ({"rounds__0__until": "2025-04-29T18:00:00"}, "team_play.rounds[0].until", "with its zone"),
        ({"rounds__0__tables__0__number": 0}, "team_play.rounds[0].tables[0].number", "too small"),
        ({"rounds__0__tables__0__teams": ["t1"]}, "team_play.rounds[0].tables[0].teams", "four different"),
        ({"rounds__0__tables__0__teams__1": "t1"}, "team_play.rounds[0].tables[0].teams", "four different"),
        ({"rounds__0__tables__0__teams__1": "t9"}, "team_play.rounds[0].tables[0].teams[1]", "no team “t9”"),
        ({"rounds__0__line_ups__0__team": "t9"}, "team_play.rounds[0].line_ups[0].team", "no team “t9”"),
        (
            {"rounds__0__line_ups__0__players": ["p9"]},
            "team_play.rounds[0].line_ups[0].players[0]",
            "no player “p9”",
        ),
        (
            {"rounds__0__line_ups__0__players": ["p1", "p1"]},
            "team_play.rounds[0].line_ups[0].players[1]",
            "comes twice",
        ),
        ({"penalties__0__team": "t9"}, "team_play.penalties[0].team", "no team “t9”"),
        ({"penalties__0__score": 20}, "team_play.penalties[0].score", "with a minus"),
        ({"penalties__0__score": None}, "team_play.penalties[0].score", "with a minus"),
        ({"penalties__0__reason": ""}, "team_play.penalties[0].reason", "missing"),
    ],
)
def test_every_problem_is_named_with_its_place(more, place, said):
    found = problems(**more)
    assert [each for each, _message in found] == [place]
    assert said in found[0][1]


def test_a_round_twice_is_named():
    play = file()["team_play"]
    twice = small() | {"teams": file()["teams"], "team_play": play | {"rounds": play["rounds"] * 2}}
    with pytest.raises(BrokenFile, match="comes twice"):
        read_competition_file(encoded(twice))


def test_a_season_of_teams_comes_back_as_it_went_and_captains_stay_captains():
    here = team_club()
    round_ = team_round(here)
    name_all(here, round_, but=("Greys",))
    set_deadline(round_=round_, until=here.competition.created_at, by=here.alice)
    reds = team_of(here, "Reds")
    penalties = [
        log_team_penalty(team=reds, stage=here.stage, score=-125, reason=f"late {n}", by=here.alice)
        for n in range(2)
    ]
    revoke_team_penalty(penalty=penalties[0], reason="on time", by=here.alice)
    written = competition_json(here.competition)

    facts = read_competition_file(written.encode())
    import_competition(facts=facts, league=here.league, by=here.alice, replace=True)

    assert competition_json(Competition.objects.get(slug="spring")) == written
    assert LineUp.objects.count() == 3
    role = Role.objects.get(user=here.dora, kind=Role.Kind.CAPTAIN)
    assert (role.team, role.team.pk != reds.pk) == (team_of(here, "Reds"), True)


def test_an_older_file_says_nothing_of_teams_and_changes_no_setting():
    here = team_club()
    older = json.loads(competition_json(here.competition))
    del older["team_play"]

    facts = read_competition_file(encoded(older))
    import_competition(facts=facts, league=here.league, by=here.alice, replace=True)

    here.competition.refresh_from_db()
    assert here.competition.team_play == Competition.TeamPlay.LINE_UPS
