"""How teams play, in a competition file: every problem with its place, and captains who stay captains."""

import copy

import pytest

from league.models import Competition, LineUp, Lots, Role, Stage, Team
from league.organizing.interchange.exports.competition_file import competition_json
from league.ranking.stages.queries import team_story_of
from league.ranking.stages.services import cut_stage, draw
from league.ranking.teams.services import log_team_penalty, revoke_team_penalty, set_deadline
from scoring.cuts import Terms
from tests.factories import Club, club
from tests.league.organizing.interchange.files import (
    Json,
    check_problem,
    competition_file,
    each_case,
    loaded,
    small,
)
from tests.teams import equal_pairs, name_all, team_club, team_of, team_round, teams_of

pytestmark = pytest.mark.django_db


TEAM_CUT: Json = {
    **{"division": "main", "stage": "regular", "top": 2, "by_hand": False, "teams": ["t1", "t2"]},
    **{"decided": [{"in": ["t2"], "out": ["t3"], "by": "lots"}], "gone": [], "moved_up": []},
}


ROUND: Json = {
    **{"division": "main", "stage": "regular", "round": 1, "until": "2025-04-29T18:00:00+08:00"},
    "tables": [{"number": 1, "teams": ["t1", "t2", "t3", "t4"]}],
    "line_ups": [{"team": "t1", "players": ["p1"]}],
}


def file() -> Json:
    """The small file with four teams of one player each, who sit and are named in its round."""
    teams = [{"id": f"t{n}", "name": f"Team {n}", "players": [f"p{n}"]} for n in range(1, 5)]
    stage = {"division": "main", "stage": "regular"}
    play: Json = {
        **{"mode": "line_ups", "least_hanchan": 1, "most_hanchan": 9, "rounds": [copy.deepcopy(ROUND)]},
        "penalties": [{"team": "t1", **stage, "score": -20.0, "reason": "late"}],
        "lots": [{**stage, "teams": ["t2", "t1"], "seed": 7}],
    }
    return small() | {"teams": teams, "team_play": play}


WRONG = each_case(
    ("mode", ("relay", "“relay” is not available here.")),
    (
        "least_hanchan",
        (0, "too small"),
        (10, "The maximum must not be lower than the minimum", "team_play.most_hanchan"),
    ),
    ("most_hanchan", ("9", "whole number")),
    ("rounds[0].round", (2, "no round 2")),
    ("rounds[0].stage", ("final", "“final” is not available here.")),
    ("rounds[0].until", ("tomorrow", "with its zone"), ("2025-04-29T18:00:00", "with its zone")),
    ("rounds[0].tables[0].number", (0, "too small")),
    ("rounds[0].tables[0].teams", (["t1"], "four different"), (["t1", "t1", "t3", "t4"], "four different")),
    ("rounds[0].tables[0].teams[1]", ("t9", "no team “t9”")),
    ("rounds[0].line_ups[0].team", ("t9", "no team “t9”")),
    (
        "rounds[0].line_ups[0].players",
        (["p9"], "no player “p9”", "[0]"),
        (["p1", "p1"], "is listed twice", "[1]"),
    ),
    ("rounds", ([ROUND, ROUND], "is listed twice", "[1].round")),
    ("penalties[0].team", ("t9", "no team “t9”")),
    ("penalties[0].score", (20, "with a minus"), (None, "missing")),
    ("penalties[0].reason", ("", "missing")),
    ("lots[0].stage", ("final", "“final” is not available here.")),
    ("lots[0].teams", ("t1", "Enter a list [ ]")),
    ("lots[0].teams[1]", ("t9", "no team “t9”")),
    ("lots[0].seed", (None, "missing")),
    ("cuts", ([TEAM_CUT], "Only a stage with a “cut”", "[0].stage")),
)


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_each_problem_of_teams_has_its_place(case):
    check_problem(file(), f"team_play.{case[0]}", *case[1:], only=True)


@pytest.mark.slow
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

    made = loaded(written.encode(), here.league)

    assert competition_json(made) == written
    assert LineUp.objects.count() == 3
    role = Role.objects.get(user=here.dora, kind=Role.Kind.CAPTAIN)
    assert (role.team, role.team.pk != reds.pk) == (team_of(here, "Reds"), True)


def a_season_with_a_cut() -> Club:
    """Return a season whose first final was decided by lots. The teams of its second final were picked."""
    here = equal_pairs()
    for names in (("Reds", "Greys"), ("Blues", "Greens")):
        draw(stage=here.stage, players=teams_of(here, *names), seed=5, of_teams=True, by=here.alice)
    cut = {"source": here.stage, "of_teams": True, "by": here.alice}
    cut_stage(name="Final", terms=Terms(top=3), carry="half", hanchan=2, **cut)
    picked = tuple(teams_of(here, "Greens", "Reds"))
    cut_stage(name="Second", terms=Terms(top=4, picked=picked), carry="none", **cut)
    return here


@pytest.mark.slow
def test_a_cut_of_teams_comes_back_with_its_decisions_and_lots():
    here = a_season_with_a_cut()
    written = competition_json(here.competition)
    drawn = [[here.competition.teams.get(pk=pk).key for pk in lots.drawn_ids] for lots in Lots.objects.all()]
    # Other keys from now on.
    Team.objects.create(competition=club("autumn").competition, key="t1", name="Others")

    made = loaded(written.encode(), here.league)

    assert competition_json(made) == written
    play = competition_file(made)["team_play"]
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
    story = team_story_of(final, source)
    assert story is not None
    assert [team.key for team in story.teams] == [*drawn[0], second_pair[0]]
    assert {each.how for each in final.qualified.all()} == {"team"}


CASES = [
    *each_case(
        ("stage", ("nowhere", "“nowhere” is not available here."), ("second", "is listed twice")),
        ("top", (0, "too small")),
        ("by_hand", ("yes", "true or false")),
        ("teams", (["t9"], "no team “t9”", "[0]"), (None, "missing")),
        ("gone", (["t9"], "no team “t9”", "[0]")),
        ("moved_up", ("t1", "Enter a list [ ]")),
        (
            "decided",
            ([{"in": ["t1"], "out": ["t2"], "by": "coin"}], "“coin” is not available here", "[0].by"),
        ),
        ("decided", ([{"in": ["t9"], "out": ["t2"], "by": "lots"}], "no team “t9”", "[0].in[0]")),
    )
]


def test_each_problem_of_a_cut_of_teams_has_its_place():
    written = competition_file(a_season_with_a_cut().competition)
    written["team_play"]["cuts"].reverse()

    for path, *case in CASES:
        check_problem(copy.deepcopy(written), f"team_play.cuts[1].{path}", *case, only=True)


def test_an_older_file_says_nothing_of_teams_and_changes_no_setting():
    here = team_club()
    older = competition_file(here.competition)
    del older["team_play"]

    loaded(older, here.league)

    here.competition.refresh_from_db()
    assert here.competition.team_play == Competition.TeamPlay.LINE_UPS
