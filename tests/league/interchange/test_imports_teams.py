"""How teams play, in a competition file: every problem with its place, and captains who stay captains."""

import json

import pytest

from league.interchange.exports.competition_file import competition_json
from league.interchange.imports.competition_file import read_competition_file
from league.interchange.imports.nodes import BrokenFile
from league.interchange.services.competition_file import import_competition
from league.models import Competition, LineUp, Role, Stage, Team, TeamLots
from league.stages.queries import team_story_of
from league.stages.services import cut_stage, draw
from league.teams.services import log_team_penalty, revoke_team_penalty, set_deadline
from scoring.cuts import Terms
from tests.factories import Club, club
from tests.league.interchange.files import Json, encoded, small
from tests.teams import equal_pairs, name_all, team_club, team_of, team_round, teams_of

pytestmark = pytest.mark.django_db


TEAM_CUT: Json = {
    **{"division": "main", "stage": "regular", "top": 2, "by_hand": False, "teams": ["t1", "t2"]},
    **{"decided": [{"in": ["t2"], "out": ["t3"], "by": "lots"}], "gone": [], "moved_up": []},
}


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
        "lots": [{"division": "main", "stage": "regular", "teams": ["t2", "t1"], "seed": 7}],
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
        ({"lots__0__stage": "final"}, "team_play.lots[0].stage", "There is no “final” here."),
        ({"lots__0__teams__1": "t9"}, "team_play.lots[0].teams[1]", "no team “t9”"),
        ({"lots__0__teams": "t1"}, "team_play.lots[0].teams", "Write a list"),
        ({"lots__0__seed": None}, "team_play.lots[0].seed", "missing"),
        ({"cuts": [TEAM_CUT]}, "team_play.cuts[0].stage", "Only a stage with a “cut”"),
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


def a_season_with_a_cut() -> Club:
    """Lots decided which two teams came into the first final; those of the second were chosen."""
    here = equal_pairs()
    for names in (("Reds", "Greys"), ("Blues", "Greens")):
        draw(stage=here.stage, players=teams_of(here, *names), seed=5, of_teams=True, by=here.alice)
    cut = {"source": here.stage, "of_teams": True, "by": here.alice}
    cut_stage(name="Final", terms=Terms(top=3), carry="half", hanchan=2, **cut)
    picked = tuple(teams_of(here, "Greens", "Reds"))
    cut_stage(name="Second", terms=Terms(top=4, picked=picked), carry="none", **cut)
    return here


def test_a_cut_of_teams_comes_back_with_its_decisions_and_lots():
    here = a_season_with_a_cut()
    written = competition_json(here.competition)
    drawn = [[here.competition.teams.get(pk=pk).key for pk in lots.teams] for lots in TeamLots.objects.all()]
    Team.objects.create(
        competition=club("autumn").competition, key="t1", name="Others"
    )  # other ids from now on

    facts = read_competition_file(written.encode())
    import_competition(facts=facts, league=here.league, by=here.alice, replace=True)

    made = Competition.objects.get(slug="spring")
    assert competition_json(made) == written
    play = json.loads(written)["team_play"]
    assert [(each["stage"], each["teams"], each["seed"]) for each in play["lots"]] == [
        ("regular-season", each, 5) for each in drawn
    ]
    second_pair = drawn[1]
    assert play["cuts"] == [
        {
            **{"division": "main", "stage": "final", "top": 3, "by_hand": False},
            **{"teams": [*drawn[0], second_pair[0]], "gone": [], "moved_up": []},
            "decided": [{"in": second_pair[:1], "out": second_pair[1:], "by": "lots"}],
        },
        {
            **{"division": "main", "stage": "second", "top": 4, "by_hand": True, "teams": ["t1", "t3"]},
            **{"decided": [], "gone": [], "moved_up": []},
        },
    ]
    source, final, _second = Stage.objects.filter(division__competition=made).order_by("position")
    told = team_story_of(final, source)
    assert told is not None
    assert [team.key for team in told.teams] == [*drawn[0], second_pair[0]]
    assert {each.how for each in final.qualified.all()} == {"team"}


@pytest.mark.parametrize(
    ("more", "place", "said"),
    [
        ({"stage": "nowhere"}, "stage", "There is no “nowhere” here."),
        ({"top": 0}, "top", "too small"),
        ({"by_hand": "yes"}, "by_hand", "true or false"),
        ({"teams": ["t9"]}, "teams[0]", "no team “t9”"),
        ({"teams": None}, "teams", "missing"),
        ({"gone": ["t9"]}, "gone[0]", "no team “t9”"),
        ({"moved_up": "t1"}, "moved_up", "Write a list"),
        ({"decided": [{"in": ["t1"], "out": ["t2"], "by": "coin"}]}, "decided[0].by", "no “coin” here"),
        ({"decided": [{"in": ["t9"], "out": ["t2"], "by": "lots"}]}, "decided[0].in[0]", "no team “t9”"),
        ({"stage": "second"}, "stage", "comes twice"),
    ],
)
def test_what_is_wrong_with_a_cut_of_teams_is_told_with_its_place(more, place, said):
    written = json.loads(competition_json(a_season_with_a_cut().competition))
    written["team_play"]["cuts"].reverse()
    written["team_play"]["cuts"][1] |= more

    with pytest.raises(BrokenFile) as caught:
        read_competition_file(encoded(written))

    (problem,) = caught.value.problems
    assert problem.place == f"team_play.cuts[1].{place}"
    assert said in problem.message


def test_an_older_file_says_nothing_of_teams_and_changes_no_setting():
    here = team_club()
    older = json.loads(competition_json(here.competition))
    del older["team_play"]

    facts = read_competition_file(encoded(older))
    import_competition(facts=facts, league=here.league, by=here.alice, replace=True)

    here.competition.refresh_from_db()
    assert here.competition.team_play == Competition.TeamPlay.LINE_UPS
