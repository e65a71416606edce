"""Team standings by stage and audience, shares of hanchan, and line-ups."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Competition, LineUp, Penalty, Round, Stage, Team
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round, set_visibility
from league.ranking.stages.services import add_stage, cut_stage
from league.ranking.standings.queries.standings import standings
from league.ranking.teams.queries import (
    compute_team_standings,
    hanchan_of_team,
    line_up_states,
    line_ups_by_round,
    rounds_of_captain,
    shares_of,
    team_finder,
    team_standings,
)
from league.ranking.teams.services import assign, log_team_penalty, seat_from_line_ups
from league.referees.penalties.services.log import log_penalty
from scoring.cuts import Terms
from scoring.teams import Share
from tests.factories import Club
from tests.league.organizing.interchange.files import loaded, real
from tests.module_fixtures import module_fixture
from tests.teams import NAMES, POINTS, fresh, name_all, named, team_club, team_of, team_round

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    """Round 1 is played and published: Reds 60, Blues 5, Greens −20, Greys −45."""
    here = team_club()
    played(here, team_round(here))
    return here


def played(here: Club, round_: Round, *, visibility: str = "results") -> None:
    name_all(here, round_)
    seat_from_line_ups(round_=round_, by=here.alice)
    open_round(round_=fresh(round_), by=here.alice)
    table = round_.tables.select_related(
        "round__stage__division__competition", "round__stage__division__rule_set"
    ).get()
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    set_visibility(round_=fresh(round_), visibility=visibility, by=here.alice)


def stage_of(here: Club, pk: int | None = None) -> Stage:
    found = Stage.objects.select_related("division__rule_set", "division__competition")
    return found.get(pk=here.stage.pk if pk is None else pk)


def totals(here: Club, stage: Stage | None = None, *, public: bool = False) -> list[tuple[str, int]]:
    rows = compute_team_standings(stage or stage_of(here), public=public).rows
    return [(line.team.name, int(line.row.total)) for line in rows]


def test_the_public_does_not_see_hidden_rounds(spring):
    played(spring, team_round(spring), visibility="hidden")

    assert totals(spring, public=True) == [("Reds", 600), ("Blues", 50), ("Greens", -200), ("Greys", -450)]
    assert totals(spring) == [("Reds", 1200), ("Blues", 100), ("Greens", -400), ("Greys", -900)]


def test_the_public_sees_no_totals_of_a_cut_made_from_hidden_results(spring):
    played(spring, team_round(spring), visibility="hidden")
    for round_ in spring.rounds:
        close_round(round_=fresh(round_), by=spring.alice)
    final = final_of(spring)

    assert totals(spring, final)
    assert totals(spring, final, public=True) == []


def final_of(here: Club, carry: str = "half") -> Stage:
    """Reds and Blues go on with all their players."""
    picked = tuple(here.players[index].pk for index in (0, 4, 1, 5))
    made = cut_stage(
        source=here.stage, name="Final", terms=Terms(top=0, picked=picked), carry=carry, by=here.alice
    )
    return stage_of(here, made.pk)


@pytest.mark.parametrize(("carry", "brought"), [("none", 0), ("half", 1), ("all", 2)])
def test_teams_of_qualified_players_go_on_and_bring_their_share(spring, carry, brought):
    log_team_penalty(
        team=team_of(spring, "Blues"), stage=spring.stage, score=-137, reason="late", by=spring.alice
    )
    close_round(round_=fresh(spring.rounds[0]), by=spring.alice)

    rows = compute_team_standings(final_of(spring, carry), public=False).rows

    # −8.7 halved is −4.3, as M.League carried it into its first final.
    share = {0: [0, 0], 1: [300, -43], 2: [600, -87]}[brought]
    assert [(line.team.name, line.row.carried) for line in rows] == list(
        zip(("Reds", "Blues"), share, strict=True)
    )
    assert [member.player.key for line in rows for member in line.members] == ["p1", "p5", "p2", "p6"]


def test_a_later_stage_without_a_cut_lists_who_played_before(spring):
    second = add_stage(division=spring.division, name="Second half", carry="all", by=spring.alice)

    assert totals(spring, stage_of(spring, second.pk)) == totals(spring)


def test_penalties_of_players_count_for_the_team_and_not_before_they_are_published(spring):
    table = spring.table()
    log_penalty(
        stage=spring.stage, player_id=spring.players[0].pk, score=-200, reason="chombo", table=table,
        by=spring.bob,
    )  # fmt: skip

    line = compute_team_standings(stage_of(spring), public=True).rows[0]
    assert (line.team.name, line.row.penalty, line.row.total, line.deducted) == ("Reds", -200, 400, 0)

    set_visibility(round_=fresh(spring.rounds[0]), visibility="hidden", by=spring.alice)
    assert totals(spring, public=True) == [(name, 0) for name in NAMES]


def test_what_was_computed_is_kept_until_something_changes(spring, django_assert_num_queries):
    stage = stage_of(spring)
    cache.clear()
    first = team_standings(stage, public=True)

    with django_assert_num_queries(0):
        assert team_standings(stage, public=True) == first
    log_team_penalty(team=team_of(spring, "Reds"), stage=stage, score=-10, reason="late", by=spring.alice)

    assert team_standings(stage_of(spring), public=True).rows[0].row.total == 590


def test_the_number_of_queries_does_not_grow(spring):
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            compute_team_standings(stage_of(spring), public=True)
        return len(asked)

    with_one = queries()
    for _ in range(2):
        played(spring, team_round(spring))

    assert queries() == with_one <= 12


def test_a_team_without_members_or_hanchan_of_the_division_is_not_listed(spring):
    Team.objects.create(competition=spring.competition, key="t9", name="Whites")

    assert [name for name, _total in totals(spring)] == list(NAMES)


def test_the_standings_of_teams_add_up_to_those_of_their_players():
    season = real("mleague-2018-19.json") | {"teams": real("mleague-2018-19.teams.json")["teams"]}
    competition = loaded(season)
    stage = Stage.objects.select_related("division__rule_set", "division__competition").get(
        division__competition=competition
    )
    sums: dict[str, int] = {}
    team_of_key = {player: team["name"] for team in season["teams"] for player in team["players"]}
    for line in standings(stage, public=True).rows:
        name = team_of_key[line.player.key]
        sums[name] = sums.get(name, 0) + int(line.row.total)

    rows = team_standings(stage, public=True).rows

    assert {line.team.name: line.row.total for line in rows} == sums
    assert [line.row.games for line in rows] == [60, 62, 60, 60, 62, 60, 60]
    assert rows[0].team.name == "EX風林火山"


# --- shares and line-ups


def test_a_share_counts_seats_and_names_in_the_regular_season(spring):
    spring.competition.least_hanchan, spring.competition.most_hanchan = 2, 3
    spring.competition.save()
    round_ = team_round(spring)
    named(spring, "Reds", round_, 5)
    reds = team_of(spring, "Reds")

    shares = {each.player.key: each.share for each in shares_of(reds, spring.stage)}

    assert shares == {"p1": Share(1, 1, 2), "p5": Share(1, 1, 2)}
    assert hanchan_of_team(reds, spring.stage, but=round_) == {spring.players[0].pk: 1}
    second = add_stage(division=spring.division, name="Final", carry="half", by=spring.alice)
    assert {each.share for each in shares_of(reds, second)} == {Share(0, 0, None)}


def test_who_was_named_and_did_not_sit_has_no_hanchan(spring):
    round_ = team_round(spring)
    name_all(spring, round_)
    seat_from_line_ups(round_=round_, by=spring.alice)
    round_.seats.filter(player=spring.players[0]).update(player=spring.players[4])

    assert hanchan_of_team(team_of(spring, "Reds"), spring.stage) == {
        spring.players[0].pk: 1,
        spring.players[4].pk: 1,
    }


def test_states_say_who_is_missing(spring):
    round_ = team_round(spring, NAMES, NAMES[::-1])
    named(spring, "Reds", round_, 5, 1)

    states = line_up_states(round_)

    assert [(s.team.name, s.tables, len(s.named), s.missing) for s in states] == [
        ("Reds", (1, 2), 2, 0),
        ("Blues", (1, 2), 0, 2),
        ("Greens", (1, 2), 0, 2),
        ("Greys", (1, 2), 0, 2),
    ]


def test_a_captain_sees_the_next_line_up_first(spring):
    round_ = team_round(spring)
    team = team_of(spring, "Reds")

    found = rounds_of_captain(team.pk, now=spring.competition.created_at)

    assert [(each.round.number, each.is_missing, each.late) for each in found] == [
        (2, True, False),
        (1, False, True),
    ]
    assert round_.number == 2


def test_line_ups_are_shown_when_the_seating_is_published(spring):
    round_ = team_round(spring)
    name_all(spring, round_)
    reds = team_of(spring, "Reds")

    def rounds(*, public: bool) -> list[int]:
        return [each.number for each in line_ups_by_round(reds, spring.stage, public=public)]

    set_visibility(round_=fresh(round_), visibility="seating", by=spring.alice)
    assert (rounds(public=True), rounds(public=False)) == ([1], [2, 1])
    seat_from_line_ups(round_=fresh(round_), by=spring.alice)
    assert rounds(public=True) == [2, 1]
    set_visibility(round_=fresh(round_), visibility="hidden", by=spring.alice)
    assert rounds(public=True) == [1]


def test_a_round_that_a_former_player_played_without_a_line_up_shows_none(spring):
    """The team keeps the round as a line-up, but had no seat in it."""
    spring.add_round()
    spring.record(POINTS, round_number=2)
    reds, blues = team_of(spring, "Reds"), team_of(spring, "Blues")

    assign(competition=spring.competition, teams={spring.players[0].pk: blues.pk}, by=spring.alice)

    assert list(reds.line_ups.order_by("round").values_list("round__number", flat=True)) == [1, 2]
    for public in (False, True):
        assert [each.number for each in line_ups_by_round(reds, spring.stage, public=public)] == [1]


def test_a_competition_without_teams_ranks_none():
    competition = loaded(real("mleague-2018-19.json") | {"slug": "lonely"})
    assert competition.team_play == Competition.TeamPlay.NONE
    stage = Stage.objects.select_related("division__rule_set", "division__competition").get(
        division__competition=competition
    )
    assert compute_team_standings(stage, public=True).rows == ()
    assert not Penalty.objects.exists()


def test_who_is_in_no_line_up_of_a_round_is_named_with_the_team_of_now(spring):
    round_ = team_round(spring)
    one, two = (player.pk for player in spring.players[:2])
    LineUp.objects.create(
        round=round_, team=team_of(spring, "Blues"), player_id=one, created_at=timezone.now()
    )
    team_in = team_finder(spring.competition)
    assert [team_in(round_.pk, one), team_in(0, one)] == ["Blues", "Reds"]
    assert [team_in(round_.pk, two), team_in(0, 0)] == ["Blues", ""]
