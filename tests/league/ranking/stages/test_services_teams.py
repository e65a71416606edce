"""Cut teams to the next stage by rank, by lots, or by hand."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from league.core.errors import OutOfDate, Refused
from league.models import AuditEntry, Entrant, Lot, Lots, Stage, StageEntrant
from league.organizing.competitions.services import update_competition
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.rounds.services import open_round, set_visibility
from league.ranking.stages.queries import (
    CutPlan,
    CutStory,
    Info,
    changed_since,
    equal_rows,
    plan_cut,
    team_story_of,
)
from league.ranking.stages.services import cut_stage, draw, take_over_cuts, undo_stage
from league.ranking.teams.queries import compute_team_standings
from league.ranking.teams.services import add_team, log_team_penalty
from players.models import Player
from scoring.cuts import Terms
from tests.factories import Club, signed_in
from tests.module_fixtures import module_fixture
from tests.teams import equal_pairs, team_of, teams_of

pytestmark = pytest.mark.django_db

FIRST_TWO, LAST_TWO = ("Reds", "Greys"), ("Blues", "Greens")


@module_fixture
def spring() -> Club:
    """Reds 15.0, Greys 14.0, Blues and Greens −15.0."""
    here = equal_pairs()
    deduct(here, "Greys", 10)
    return here


def deduct(here: Club, name: str, tenths: int) -> None:
    log_team_penalty(team=team_of(here, name), stage=here.stage, score=-tenths, reason="late", by=here.alice)


def again(here: Club, stage: Stage | None = None) -> Stage:
    found = Stage.objects.select_related("division__rule_set", "division__competition")
    return found.get(pk=(stage or here.stage).pk)


def lots(here: Club, *names: str, seed: int = 3) -> Lots:
    teams = teams_of(here, *names)
    drawn = draw(stage=here.stage, players=teams, seed=seed, of_teams=True, by=here.alice)
    assert drawn.of_teams
    return drawn


def cut(here: Club, top: int, *picked: str, **more: str) -> Stage:
    carry = more.pop("carry", "half")
    return cut_stage(
        source=here.stage,
        name="Final",
        terms=Terms(top=top, picked=tuple(teams_of(here, *picked))),
        carry=carry,
        of_teams=True,
        by=here.alice,
        **more,  # type: ignore[arg-type]
    )


def plan(here: Club, top: int, *picked: str, carry: str = "half") -> CutPlan:
    terms = Terms(top=top, picked=tuple(teams_of(here, *picked)))
    return plan_cut(here.stage, terms, carry, of_teams=True)


def refusal(write: Callable[[], object]) -> str:
    """Return the sentence of a refused write, of which nothing is saved."""
    before = (Stage.objects.count(), Lots.objects.count(), AuditEntry.objects.count())
    with pytest.raises(Refused) as caught:
        write()
    assert (Stage.objects.count(), Lots.objects.count(), AuditEntry.objects.count()) == before
    return str(caught.value)


def names(teams: tuple[Info, ...]) -> list[str]:
    return [team.name for team in teams]


def story(here: Club, stage: Stage) -> CutStory:
    found = team_story_of(again(here, stage), here.stage)
    assert found is not None
    return found


def came(stage: Stage) -> list[tuple[str, str]]:
    return [(each.player.name, each.how) for each in stage.qualified.select_related("player")]


def ranks(here: Club, *, public: bool = False) -> list[tuple[int, str, str | None]]:
    rows = compute_team_standings(again(here), public=public).rows
    return [(line.row.rank, line.team.name, line.row.decided_by) for line in rows]


def test_the_best_teams_come_by_rank_with_all_their_players_and_none_is_chosen_by_hand(spring):
    final = cut(spring, 2, carry="all")

    first = [spring.players[index].name for index in (0, 4, 3, 7)]
    assert came(final) == [(name, "team") for name in first]
    assert (final.cut["from"], final.cut["picked"], final.cut["decided"]) == (spring.stage.pk, [], [])
    report = story(spring, final)
    assert (report.source, report.by_hand, names(report.teams), report.decided) == (
        spring.stage,
        False,
        ["Reds", "Greys"],
        (),
    )
    entry = AuditEntry.objects.filter(action="stage.cut").get()
    assert entry.after == {
        "stage": spring.stage.pk,
        "carry": "all",
        "teams": teams_of(spring, *FIRST_TWO),
        "players": list(final.qualified.values_list("player_id", flat=True)),
        "rounds": 0,
    }


@pytest.mark.parametrize("seed", range(4))
def test_lots_between_equal_teams_decide_the_cut_and_are_reported(spring, seed):
    assert "Draw lots" in refusal(lambda: cut(spring, 3))

    drawn = lots(spring, *LAST_TWO, seed=seed)
    final = cut(spring, 3)

    names_of = {team_of(spring, name).pk: name for name in LAST_TWO}
    winner, loser = (names_of[team] for team in drawn.drawn_ids)
    report = story(spring, final)
    assert names(report.teams) == ["Reds", "Greys", winner]
    assert [(names(each.inside), names(each.outside), each.by) for each in report.decided] == [
        ([winner], [loser], "lots")
    ]
    assert [(lots.seed, names(players)) for lots, players in report.draws] == [(seed, [winner, loser])]
    entry = AuditEntry.objects.filter(action="lots.draw").get()
    assert (entry.target, entry.after) == (
        f"stage:{spring.stage.pk}",
        {"teams": drawn.drawn_ids, "seed": seed},
    )


def test_the_order_of_lots_depends_on_the_seed_alone(spring):
    orders = set()
    for seed in range(8):
        drawn = lots(spring, *LAST_TWO, seed=seed).drawn_ids
        orders.add(tuple(drawn))
        Lots.objects.all().delete()
        assert lots(spring, *reversed(LAST_TWO), seed=seed).drawn_ids == drawn
        Lots.objects.all().delete()

    assert len(orders) == 2


def test_a_tie_break_before_the_lots_decides_without_a_draw(spring):
    update_competition(
        competition=spring.competition, values={"tie_breaks": ["firsts", "last_round"]}, by=spring.alice
    )

    report = story(spring, cut(spring, 3))

    assert names(report.teams) == ["Reds", "Greys", "Greens"]
    assert [(names(each.inside), names(each.outside), each.by) for each in report.decided] == [
        (["Greens"], ["Blues"], "last_round")
    ]


def test_equal_teams_that_both_go_on_need_lots_for_their_places(spring):
    assert "Draw lots" in refusal(lambda: cut(spring, 4))

    drawn = lots(spring, *LAST_TWO)

    assert [team.pk for team in story(spring, cut(spring, 4)).teams][2:] == drawn.drawn_ids


@pytest.mark.parametrize(
    ("tie_breaks", "equal"), [(["preliminary_rank"], [LAST_TWO]), (["preliminary_rank", "lots"], [])]
)
def test_lots_of_the_stage_before_decide_its_ranks_only_where_they_are_a_tie_break(spring, tie_breaks, equal):
    lots(spring, *LAST_TWO)
    final = cut(spring, 4)
    update_competition(competition=spring.competition, values={"tie_breaks": tie_breaks}, by=spring.alice)

    found = equal_rows(again(spring, final), of_teams=True)
    assert [{row.player for row in rows} for rows in found] == [
        set(teams_of(spring, *each)) for each in equal
    ]


def test_teams_chosen_by_hand_are_marked_so_and_replace_those_by_rank(spring):
    final = cut(spring, 2, "Greens", "Reds")

    report = story(spring, final)
    assert (report.by_hand, names(report.teams), report.decided) == (True, ["Reds", "Greens"], ())
    assert {how for _name, how in came(final)} == {"team"}


def test_a_tick_for_exactly_the_best_teams_is_not_a_choice_by_hand(spring):
    assert story(spring, cut(spring, 2, *FIRST_TWO)).by_hand is False


def test_a_tick_between_equals_is_a_choice_by_hand(spring):
    report = story(spring, cut(spring, 3, "Greens", *FIRST_TWO))

    assert (report.by_hand, names(report.teams)) == (True, ["Reds", "Greys", "Greens"])


def test_lots_are_drawn_once_only_between_equals_and_only_at_the_end(spring):
    assert "no longer tied" in refusal(lambda: lots(spring, "Reds", "Blues"))
    open_round(round_=spring.rounds[0], by=spring.alice)
    assert "Still open" in refusal(lambda: lots(spring, *LAST_TWO))
    spring.rounds[0].status = "closed"
    spring.rounds[0].save(update_fields=["status"])

    lots(spring, *LAST_TWO)
    assert "lots were already drawn" in refusal(lambda: lots(spring, *LAST_TWO))
    assert equal_rows(again(spring), of_teams=True) == []


def test_lots_of_teams_count_in_the_team_standings_only_where_they_are_a_tie_break(spring):
    drawn = lots(spring, *LAST_TWO)

    assert [rank for rank, _name, _by in ranks(spring)] == [1, 2, 3, 3]
    update_competition(competition=spring.competition, values={"tie_breaks": ["lots"]}, by=spring.alice)
    names_of = {team_of(spring, name).pk: name for name in LAST_TWO}
    winner, loser = (names_of[team] for team in drawn.drawn_ids)
    assert ranks(spring)[2:] == [(3, winner, None), (4, loser, "lots")]


def test_lots_drawn_between_players_say_nothing_of_teams_with_the_same_ids(spring):
    update_competition(competition=spring.competition, values={"tie_breaks": ["lots"]}, by=spring.alice)
    teams = teams_of(spring, *LAST_TWO)
    for pk in teams:
        player, made = Player.objects.get_or_create(
            pk=pk, defaults={"register": spring.league.register, "name": f"Player {pk}"}
        )
        if made:
            Entrant.objects.create(competition=spring.competition, player=player, key=f"q{pk}")
    lots = Lots.objects.create(stage=spring.stage, seed=1, created_by=spring.alice, created_at=timezone.now())
    Lot.objects.bulk_create(Lot(lots=lots, player_id=pk, position=n) for n, pk in enumerate(teams, 1))

    assert [rank for rank, _name, _by in ranks(spring)] == [1, 2, 3, 3]


def test_lots_drawn_while_results_were_hidden_tell_the_public_nothing():
    here = equal_pairs("summer", tie_breaks=("lots",), visibility="hidden")
    lots(here, *FIRST_TWO)
    assert [rank for rank, _name, _by in ranks(here)] == [1, 2, 3, 3]

    set_visibility(round_=here.rounds[0], visibility="results", by=here.alice)
    assert "lots" not in [by for _rank, _name, by in ranks(here, public=True)]
    set_visibility(round_=here.rounds[1], visibility="results", by=here.alice)
    assert [rank for rank, _name, _by in ranks(here, public=True)] == [1, 2, 3, 3]


def test_a_team_without_players_who_can_go_on_makes_room_for_the_next(spring):
    for entrant in spring.competition.entrants.filter(team=team_of(spring, "Reds")):
        withdraw_entrant(entrant=entrant, by=spring.alice)

    report = story(spring, cut(spring, 1))

    assert (names(report.teams), names(report.gone), names(report.moved_up)) == (
        ["Greys"],
        ["Reds"],
        ["Greys"],
    )
    assert refusal(lambda: cut(spring, 1, "Reds")) == (
        "No player of these teams can qualify: Reds. Choose others."
    )


def test_who_withdrew_does_not_go_on_with_the_team(spring):
    entrant = spring.competition.entrants.get(key="p1")
    withdraw_entrant(entrant=entrant, by=spring.alice)

    assert [player.key for player in plan(spring, 2).players] == ["p5", "p4", "p8"]


def test_a_team_from_elsewhere_can_be_chosen_with_all_its_members(spring):
    add_team(competition=spring.competition, name="Guests", by=spring.alice)
    guests = team_of(spring, "Guests")
    assert "Guests" in refusal(lambda: cut(spring, 1, "Guests"))

    spring.add_players(1)
    spring.competition.entrants.filter(key="p9").update(division=None, team=guests)

    (line,) = plan(spring, 1, "Guests", carry="all").inside
    assert (line.info.name, line.brought, [player.key for player in line.players]) == ("Guests", 0, ["p9"])


def test_more_teams_than_there_are_cannot_go_on(spring):
    assert refusal(lambda: cut(spring, 5)) == ("Too few teams can qualify: 4. The cut needs 5.")


def test_a_cut_that_changed_meanwhile_is_shown_again(spring):
    seen = plan(spring, 2).fingerprint
    deduct(spring, "Reds", 5)

    with pytest.raises(OutOfDate):
        cut(spring, 2, seen=seen)


def test_a_cut_that_would_differ_today_is_reported(spring):
    final = cut(spring, 2)
    assert changed_since(again(spring, final), spring.stage) is None

    deduct(spring, "Greys", 500)
    deduct(spring, "Greens", 10)

    changed = changed_since(again(spring, final), again(spring))
    assert changed is not None
    assert [player.key for player in changed.no_longer] == ["p4", "p8"]
    assert [player.key for player in changed.instead] == ["p2", "p6"]


def test_a_player_who_becomes_another_leaves_teams_of_the_same_id_as_they_are(spring):
    spring.add_players(1)
    drawn = lots(spring, *LAST_TWO)
    final = cut(spring, 3)
    before = (final.team_cut, drawn.drawn_ids)

    take_over_cuts(spring.competition, keep=spring.players[-1].pk, gone=drawn.drawn_ids[0])

    final.refresh_from_db()
    drawn.refresh_from_db()
    assert (final.team_cut, drawn.drawn_ids) == before


def test_undoing_takes_the_stage_away_and_keeps_the_lots(spring):
    lots(spring, *LAST_TWO)
    final = cut(spring, 3)

    undo_stage(stage=final, by=spring.alice)

    assert (StageEntrant.objects.count(), Lots.objects.count()) == (0, 1)


def test_a_team_that_did_not_come_takes_no_penalty_in_the_final_and_is_offered_another_stage(spring):
    final = cut(spring, 2, carry="all")
    [blues] = teams_of(spring, "Blues")
    client = signed_in(spring.alice)

    page = client.get(f"/c/{spring.slug}/teams/{blues}/penalty/new/")
    said = refusal(
        lambda: log_team_penalty(
            team=team_of(spring, "Blues"), stage=final, score=-100, reason="late", by=spring.alice
        )
    )
    log_team_penalty(team=team_of(spring, "Reds"), stage=final, score=-100, reason="late", by=spring.alice)

    assert [value for value, _name in page.context["form"].fields["stage"].choices] == [spring.stage.pk]
    assert said.startswith("This team did not come into this stage")
    rows = compute_team_standings(again(spring, final), public=False).rows
    assert [(line.team.name, line.deducted) for line in rows] == [("Greys", 0), ("Reds", -100)]
