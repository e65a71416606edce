"""Numbers of hanchan, movements, play-offs and next seasons: made, refused, repeated, undone by a failure."""

from datetime import date

import pytest
from django.urls import reverse

from league.core.errors import OutOfDate, Refused
from league.models import AuditEntry, Competition, Division, Entrant, Role, RuleSet, Stage, Team
from league.organizing.audit_log.queries import verify_chain
from league.organizing.competitions.services import add_division
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.bans.services import set_ban
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from league.ranking.seasons.queries import season_end
from league.ranking.seasons.services import (
    NOT_OF_A_COMPETITION,
    NOT_OF_A_DIVISION,
    NOT_OF_A_STAGE,
    make_next_season,
    make_play_off,
)
from league.ranking.stages.services import draw, set_numbers, undo_stage
from league.ranking.standings.queries.standings import compute_standings
from players.models import Player
from scoring.standings import BEST, Numbers
from tests.factories import signed_in, user, with_texts
from tests.module_fixtures import module_fixture
from tests.seasons import TABLES, Season, play_round, played, two_divisions

pytestmark = pytest.mark.django_db

STAYED_UP = ["a1", "a2", "a3", "a5", "a6", "a7"]


@module_fixture
def spring() -> Season:
    return played()


def log(competition: Competition, action: str) -> list[AuditEntry]:
    found = AuditEntry.objects.filter(competition=competition, action=action).order_by("sequence")
    return list(map(with_texts, found))


# --- settings


def test_numbers_change_the_standings_and_are_logged_old_and_new(spring: Season) -> None:
    stage = set_numbers(
        stage=spring.stage(spring.upper),
        numbers=Numbers(valid=2, standard=16, beyond=BEST),
        reason="as the league decided",
        by=spring.club.alice,
    )

    rows = compute_standings(spring.stage(spring.upper), public=True).rows
    assert {line.row.unranked for line in rows} == {True}
    assert stage.numbers == Numbers(valid=2, standard=16, beyond=BEST)
    entry = log(spring.competition, "stage.numbers")[0]
    assert entry.before == {"valid_hanchan": 0, "standard_hanchan": None, "beyond": "all"}
    assert entry.after == {
        "valid_hanchan": 2,
        "standard_hanchan": 16,
        "beyond": "best",
        "reason": "as the league decided",
    }


def test_a_movement_is_kept_and_logged(spring: Season) -> None:
    spring.move(spring.upper, down=25, down_by="percent")

    assert Division.objects.get(pk=spring.upper.pk).movement == {"down": 25, "down_by": "percent"}
    entry = log(spring.competition, "division.movement")[-1]
    assert (entry.before, entry.after) == ({"down": 2}, {"down": 25, "down_by": "percent"})


def test_no_player_goes_up_from_the_highest_or_down_from_the_lowest_division(spring: Season) -> None:
    with pytest.raises(Refused, match="highest"):
        spring.move(spring.upper, up=1)
    with pytest.raises(Refused, match="lowest"):
        spring.move(spring.lower, down_play_off=1)


# --- the next season


def test_in_the_next_season_everyone_is_in_the_right_division(spring: Season) -> None:
    made = spring.next()

    assert spring.keys(made, "a") == sorted([*STAYED_UP, "b5", "b1"])
    assert spring.keys(made, "b") == sorted(["a8", "a4", "b2", "b3", "b4", "b6", "b7", "b8"])
    assert made.previous == spring.competition


def test_the_ranks_of_this_season_count_through_both_divisions(spring: Season) -> None:
    made = spring.next()

    ranks = dict(made.entrants.values_list("key", "previous_rank"))
    order = sorted(ranks, key=lambda key: ranks[key] or 0)
    assert order == [f"{division}{n}" for division in "ab" for n in (5, 1, 2, 6, 3, 7, 8, 4)]
    assert sorted(rank or 0 for rank in ranks.values()) == list(range(1, 17))


def test_settings_rules_and_first_stages_are_the_same(spring: Season) -> None:
    old = spring.competition
    set_numbers(stage=spring.stage(spring.lower), numbers=Numbers(valid=1, standard=16), by=spring.club.alice)
    Competition.objects.filter(pk=old.pk).update(expulsion="forfeit", penalties_shown="counts")
    old.refresh_from_db()

    made = spring.next("Spring 2")

    same = [f.name for f in Competition._meta.concrete_fields if f.name not in NOT_OF_A_COMPETITION]
    assert {name: getattr(made, name) for name in same} == {name: getattr(old, name) for name in same}
    for division in made.divisions.all():
        before = old.divisions.get(slug=division.slug)
        for name in {f.name for f in Division._meta.concrete_fields} - NOT_OF_A_DIVISION:
            assert getattr(division, name) == getattr(before, name)
        assert division.rule_set.values == before.rule_set.values
        assert division.rule_set_id != before.rule_set_id
        first = before.stages.first()
        for name in {f.name for f in Stage._meta.concrete_fields} - NOT_OF_A_STAGE:
            assert getattr(division.stages.get(), name) == getattr(first, name)
    assert made.divisions.get(slug="b").stages.get().numbers == Numbers(valid=1, standard=16)


def test_an_edition_of_the_leagues_own_rules_is_shared(spring: Season) -> None:
    book = spring.club.league.rule_books.create(slug="house", name="House")
    rules = spring.upper.rule_set
    spring.upper.rule_set = book.editions.create(number=1, preset=rules.preset, values=rules.values)
    spring.upper.save()

    made = spring.next()

    assert made.divisions.get(slug="a").rule_set == spring.upper.rule_set


def test_both_seasons_keep_one_change_each(spring: Season) -> None:
    revision = spring.competition.revision

    made = spring.next()

    assert spring.competition.revision == revision + 1
    assert made.revision == 2
    entry = log(spring.competition, "season.next")[0]
    assert entry.after == {
        "next_season": made.slug,
        "moved_up": [spring.player("b5"), spring.player("b1")],
        "moved_down": [spring.player("a8"), spring.player("a4")],
    }
    assert [e.action for e in AuditEntry.objects.filter(competition=made).order_by("sequence")] == [
        "competition.create",
        *("division.create", "stage.create") * 2,
        "roster.enter",
    ]
    assert [verify_chain(each).broken_at for each in (made, spring.competition)] == [None, None]


def test_a_player_who_withdrew_is_left_out_and_one_fewer_goes_down(spring: Season) -> None:
    withdraw_entrant(entrant=spring.entrant("a5"), by=spring.club.alice)

    made = spring.next()

    assert spring.keys(made, "a") == sorted(["a1", "a2", "a3", "a6", "a7", "a8", "b5", "b1"])
    assert not made.entrants.filter(key="a5").exists()


def test_substitutes_guests_and_who_is_in_no_division_come_along_as_such(spring: Season) -> None:
    Entrant.objects.filter(pk=spring.entrant("b8").pk).update(division=None)
    Entrant.objects.filter(pk=spring.entrant("b7").pk).update(is_substitute=True, is_guest=True)

    made = spring.next()

    assert made.entrants.get(key="b8").division is None
    assert made.entrants.get(key="b7").is_substitute
    assert made.entrants.get(key="b7").is_guest
    assert made.entrants.get(key="b7").division == made.divisions.get(slug="b")


def test_a_decision_by_hand_needs_a_reason_and_is_logged(spring: Season) -> None:
    by_hand = {spring.player("b5"): spring.lower.pk, spring.player("a3"): None}
    with pytest.raises(Refused, match="Give a reason"):
        spring.next(by_hand=by_hand)

    made = spring.next(by_hand=by_hand, reason="declined; moved away")

    assert spring.keys(made, "a") == ["a1", "a2", "a5", "a6", "a7", "b1"]
    assert not made.entrants.filter(key="a3").exists()
    after = log(spring.competition, "season.next")[0].after
    assert (after["by_hand"], after["reason"]) == (
        [spring.player("a3"), spring.player("b5")],
        "declined; moved away",
    )


def test_teams_go_on_with_their_players(spring: Season) -> None:
    team = Team.objects.create(competition=spring.competition, key="t1", name="Reds")
    spring.competition.entrants.filter(key__in=["a1", "b1"]).update(team=team)

    made = spring.next()

    assert [(t.key, t.name) for t in made.teams.all()] == [("t1", "Reds")]
    assert sorted(made.teams.get().members.values_list("key", flat=True)) == ["a1", "b1"]


def test_staff_keep_their_roles_only_where_that_is_wanted(spring: Season) -> None:
    assert not spring.next("Autumn").roles.exists()

    made = spring.next("Winter", keep_roles=True)

    assert set(made.roles.values_list("user", "kind")) == {
        (spring.club.bob.pk, Role.Kind.REFEREE),
        (spring.club.charlie.pk, Role.Kind.SCORER),
    }
    assert len(log(made, "role.grant")) == 2


def test_an_address_that_is_taken_is_refused_and_nothing_is_made(spring: Season) -> None:
    before = (Competition.objects.count(), RuleSet.objects.count(), spring.competition.revision)

    with pytest.raises(Refused) as refused:
        spring.next(slug=spring.club.slug)

    assert refused.value.field == "slug"
    assert (Competition.objects.count(), RuleSet.objects.count(), spring.competition.revision) == before


def test_a_failure_in_the_new_season_undoes_everything(spring: Season) -> None:
    """A rule set whose stored values can no longer be played."""
    before = (Competition.objects.count(), Entrant.objects.count(), spring.competition.revision)
    values = spring.lower.rule_set.values | {"chombo_timing": "before_uma"}
    RuleSet.objects.filter(pk=spring.lower.rule_set_id).update(values=values)

    with pytest.raises(Refused, match="chombo"):
        spring.next()

    assert (Competition.objects.count(), Entrant.objects.count(), spring.competition.revision) == before


# --- what keeps a season from ending


def test_nothing_ends_before_it_was_played() -> None:
    season = two_divisions("summer")

    with pytest.raises(Refused, match="This season has no results that count yet"):
        season.next()


def test_an_open_round_keeps_the_season_from_ending() -> None:
    season = two_divisions("summer")
    season.play(season.upper)
    round_ = season.play(season.lower, close=False)

    with pytest.raises(Refused, match="B, Regular season: Still open: round 1"):
        season.next()

    close_round(round_=round_, by=season.club.alice)
    assert season.next()


def test_results_that_are_not_published_keep_the_season_from_ending() -> None:
    season = two_divisions("summer")
    season.play(season.upper)
    season.play(season.lower, publish=False)

    with pytest.raises(Refused, match="Not published yet: B, Regular season, round 1"):
        season.next()


def test_sheets_that_wait_for_confirmation_keep_the_season_from_ending(spring: Season) -> None:
    Competition.objects.filter(pk=spring.competition.pk).update(counting="confirmed")

    with pytest.raises(Refused, match="This season has no results that count yet"):
        spring.next()


def test_more_than_there_are_cannot_go_down(spring: Season) -> None:
    spring.move(spring.upper, down=9)

    with pytest.raises(Refused, match="A has too few players: 8, but 9 would move"):
        spring.next()


def ban(season: Season, key: str) -> None:
    facts = {"since": date(2020, 1, 1), "until": None, "reason": "threw tiles"}
    set_ban(competition=season.competition, player_id=season.player(key), by=season.club.alice, **facts)


def test_a_banned_player_keeps_the_season_from_being_made_until_an_organizer_decides(spring: Season) -> None:
    ban(spring, "a1")

    with pytest.raises(Refused, match="Banned: A1"):
        spring.next()

    made = spring.next(by_hand={spring.player("a1"): None}, reason="banned")
    assert not made.entrants.filter(key="a1").exists()


def test_a_banned_substitute_stays_behind(spring: Season) -> None:
    Entrant.objects.filter(pk=spring.entrant("b7").pk).update(is_substitute=True)
    ban(spring, "b7")

    made = spring.next()

    assert not made.entrants.filter(key="b7").exists()
    assert made.entrants.count() == 15


def test_only_an_owner_of_the_league_makes_a_season(spring: Season) -> None:
    helper = user("helper")
    Role.objects.create(competition=spring.competition, user=helper, kind=Role.Kind.ORGANIZER)

    with pytest.raises(Refused, match="Only owners of the league can create the next season"):
        make_next_season(
            competition=spring.competition, name="Autumn", seen=spring.end().fingerprint, by=helper
        )


def test_equal_players_at_the_line_need_lots(spring: Season) -> None:
    """One player of A is relegated, but its last two are tied."""
    Competition.objects.filter(pk=spring.competition.pk).update(tie_breaks=[])
    spring.move(spring.upper, down=1)
    spring.move(spring.lower, up=1)
    sheets = spring.stage(spring.upper).rounds.get().tables.get(number=2).sheets
    sheets.update(east=45_000, south=35_000, west=25_000, north=15_000)
    a4, a8 = spring.player("a4"), spring.player("a8")
    assert [sorted(info.player for info in players) for _, players in spring.end().open] == [sorted([a4, a8])]
    with pytest.raises(Refused, match="Draw lots"):
        spring.next()

    draw(stage=spring.stage(spring.upper), players=[a4, a8], seed=1, by=spring.club.alice)

    assert spring.end().open == ()
    assert spring.end().season.decided


# --- play-offs


def with_play_off(spring: Season) -> Stage:
    spring.move(spring.upper, down=1, down_play_off=2)
    spring.move(spring.lower, up=1, up_play_off=2)
    return make_play_off(
        upper=spring.upper,
        name="Play-off",
        hanchan=2,
        seen=spring.end().fingerprint,
        seed=1,
        by=spring.club.alice,
    )


def test_a_play_off_is_a_stage_of_the_next_of_both_divisions(spring: Season) -> None:
    stage = with_play_off(spring)

    players = [spring.player(key) for key in ("a7", "a8", "b1", "b2")]
    assert list(stage.qualified.values_list("player", flat=True)) == players
    assert (stage.division, stage.carry, stage.rounds.count()) == (spring.upper, "none", 2)
    assert {seat.player_id for seat in stage.rounds.get(number=1).seats.all()} == set(players)
    assert log(spring.competition, "stage.play_off")[0].after == {"players": players, "rounds": 2, "seed": 1}
    rows = compute_standings(stage_again(stage), public=False).rows
    assert {line.row.player for line in rows} == set(players)


def stage_again(stage: Stage) -> Stage:
    return Stage.objects.select_related("division__competition", "division__rule_set").get(pk=stage.pk)


def test_the_result_of_the_play_off_decides(spring: Season) -> None:
    stage = with_play_off(spring)
    with pytest.raises(Refused, match="A, Play-off: Not played yet"):
        spring.next()
    stage.rounds.all().delete()
    order = [spring.player(key) for key in ("b2", "a8", "a7", "b1")]
    play_round(stage_again(stage), order, spring.club)

    made = spring.next()

    assert spring.keys(made, "a") == sorted(["a5", "a1", "a2", "a6", "a3", "b5", "b2", "a8"])
    assert made.divisions.get(slug="a").stages.count() == 1  # the play-off is not of the next season


def test_a_play_off_that_is_not_played_can_be_decided_by_hand(spring: Season) -> None:
    spring.move(spring.upper, down=1, down_play_off=1)
    spring.move(spring.lower, up=1, up_play_off=1)
    with pytest.raises(Refused, match="The play-off is not decided yet: A and B"):
        spring.next()

    by_hand = {spring.player("a8"): spring.upper.pk, spring.player("b1"): spring.lower.pk}
    made = spring.next(by_hand=by_hand, reason="b1 cannot come")

    assert "a8" in spring.keys(made, "a")
    assert "b1" in spring.keys(made, "b")


def test_a_second_play_off_is_made_while_the_first_is_played(spring: Season) -> None:
    alice = spring.club.alice
    third = add_division(competition=spring.competition, name="C", preset_slug="hkma-a-2025-04", by=alice)
    for number in range(1, 9):
        player = Player.objects.create(register=spring.club.league.register, name=f"C{number}")
        Entrant.objects.create(
            competition=spring.competition, player=player, key=f"c{number}", division=third
        )
    spring.play(third)
    spring.move(spring.upper, down_play_off=2)
    spring.move(spring.lower, up_play_off=2, down_play_off=2)
    spring.move(third, up_play_off=2)

    def make(upper: Division) -> Stage:
        seen = spring.end().fingerprint
        return make_play_off(upper=upper, name="Play-off", hanchan=2, seen=seen, by=alice)

    first = make(spring.upper)
    round_ = open_round(round_=first.rounds.get(number=1), by=alice)
    record_result(table=round_.tables.get(), points=TABLES[0], based_on=0, by=spring.club.charlie)
    page = signed_in(alice).get(reverse("seasons:end", args=[spring.competition.slug]))
    assert [form is not None for _each, form in page.context["play_offs"]] == [False, True]
    second = make(spring.lower)

    assert (first.division, second.division) == (spring.upper, spring.lower)
    with pytest.raises(Refused, match="A, Play-off: Still open: round 1"):
        spring.next()


def test_a_play_off_is_made_once_and_can_be_undone(spring: Season) -> None:
    stage = with_play_off(spring)
    with pytest.raises(Refused, match="already exists"):
        with_play_off(spring)

    undo_stage(stage=stage, by=spring.club.alice)

    assert with_play_off(spring).pk != stage.pk


def test_no_play_off_is_made_where_none_is_asked_for_or_things_changed(spring: Season) -> None:
    with pytest.raises(Refused, match="The settings have no play-off"):
        make_play_off(
            upper=spring.upper, name="P", hanchan=2, seen=spring.end().fingerprint, by=spring.club.alice
        )
    with pytest.raises(OutOfDate):
        make_play_off(upper=spring.upper, name="P", hanchan=2, seen="other", by=spring.club.alice)
    assert Stage.objects.filter(division=spring.upper).count() == 1


def test_a_play_off_of_other_players_than_today_is_named(spring: Season) -> None:
    with_play_off(spring)
    withdraw_entrant(entrant=spring.entrant("a7"), by=spring.club.alice)

    assert [each.others for each in season_end(spring.competition).play_offs] == [True]


def test_without_movement_the_next_season_has_the_same_divisions() -> None:
    season = played("summer", movement=False)

    made = season.next()

    assert season.keys(made, "a") == [f"a{n}" for n in range(1, 9)]
    assert season.keys(made, "b") == [f"b{n}" for n in range(1, 9)]
