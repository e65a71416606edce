"""Teams made and filled, line-ups before and after the deadline, seats from line-ups, penalties of teams."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations

import pytest

from league.core.errors import Refused
from league.core.rounds import seating
from league.models import AuditEntry, LineUp, Role, Round, Seat, Stage, Team, TeamPenalty, TeamSeat
from league.organizing.audit_log.queries import verify_chain
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import remove_entrant, withdraw_entrant
from league.people.members.services import accept_invitation, give_role, invite, withdraw_invitation
from league.people.register.services import values_of
from league.play.calendar.services.calendar import Day, plan_matchdays, set_dates
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from league.play.substitutions.services.substitutions import substitute_player
from league.ranking.stages.services import cut_stage, undo_stage
from league.ranking.teams.queries import compute_team_standings, team_tables
from league.ranking.teams.services import (
    add_team,
    assign,
    log_team_penalty,
    remove_team,
    revoke_team_penalty,
    seat_from_line_ups,
    seat_season,
    seat_teams,
    set_deadline,
    update_team,
)
from scoring.cuts import Terms
from tests.factories import Club, user, with_texts
from tests.module_fixtures import module_fixture
from tests.teams import (
    NAMES,
    POINTS,
    equal_pairs,
    fresh,
    name_all,
    named,
    team_club,
    team_of,
    team_round,
    teams_of,
)

pytestmark = pytest.mark.django_db

BEFORE, DEADLINE, AFTER = (datetime(2026, 11, 20, hour, tzinfo=UTC) for hour in (9, 10, 11))


@module_fixture
def spring() -> Club:
    return team_club()


def refusal(write: Callable[[], object]) -> str:
    """Return the sentence of a refused write, of which nothing is saved."""
    facts = (LineUp, Team, TeamSeat, TeamPenalty, Seat, AuditEntry)
    before = [model.objects.count() for model in facts]
    with pytest.raises(Refused) as caught:
        write()
    assert [model.objects.count() for model in facts] == before
    return str(caught.value)


def totals(here: Club) -> dict[str, int]:
    stage = Stage.objects.select_related("division__rule_set", "division__competition").get(pk=here.stage.pk)
    rows = compute_team_standings(stage, public=False).rows
    return {line.team.name: int(line.row.total) for line in rows}


def play(here: Club, round_: Round, points: tuple[int, int, int, int] = POINTS) -> None:
    """Seat the round from its line-ups and enter its first table."""
    seat_from_line_ups(round_=round_, by=here.alice)
    open_round(round_=fresh(round_), by=here.alice)
    record_result(table=here.table(round_.number), points=points, based_on=0, by=here.charlie)


def move(here: Club, team: Team | None, *, player: int = 0, mistake: bool = False) -> None:
    teams = {here.players[player].pk: team and team.pk}
    assign(competition=here.competition, teams=teams, mistake=mistake, by=here.alice)


def new_team(here: Club, name: str = "Whites") -> Team:
    return add_team(competition=here.competition, name=name, by=here.alice)


def two_tables(here: Club) -> Round:
    """Return a round of two tables in which every team has named its two players."""
    round_ = team_round(here, NAMES, NAMES[::-1])
    for index, name in enumerate(NAMES, 1):
        named(here, name, round_, index, index + 4)
    return round_


def play_one(here: Club) -> Round:
    round_ = team_round(here)
    name_all(here, round_)
    play(here, round_)
    return round_


def in_teams(here: Club) -> dict[str, str | None]:
    return dict(here.competition.entrants.order_by("pk").values_list("key", "team__name"))


# --- teams and members


def test_a_team_is_made_with_the_next_free_key_and_logged(spring):
    team = add_team(competition=spring.competition, name="Whites", by=spring.alice)

    assert (team.key, team.name) == ("t5", "Whites")
    assert AuditEntry.objects.latest("pk").action == "team.add"
    assert verify_chain(spring.competition).broken_at is None


def test_a_team_gets_a_name_and_its_members_and_no_others(spring):
    reds = team_of(spring, "Reds")
    one, three = spring.players[0].pk, spring.players[2].pk

    update_team(team=reds, name="Scarlets", players=[one, three], by=spring.alice)

    assert in_teams(spring) == {
        **{"p1": "Scarlets", "p2": "Blues", "p3": "Scarlets", "p4": "Greys"},
        **{"p5": None, "p6": "Blues", "p7": "Greens", "p8": "Greys"},
    }


def test_players_and_teams_of_another_competition_do_not_come_together(spring):
    autumn = team_club("autumn")
    for player, team, said in (
        (autumn.players[0], team_of(spring, "Reds"), "not entered"),
        (spring.players[0], team_of(autumn, "Reds"), "A team was removed"),
    ):
        teams = {player.pk: team.pk}
        assert said in refusal(
            lambda: assign(competition=spring.competition, teams=teams, by=spring.alice)  # noqa: B023
        )


def test_only_a_team_without_anything_is_taken_out_and_its_captain_is_none_any_more(spring):
    reds = team_of(spring, "Reds")
    assert "A team with members cannot be removed" in refusal(lambda: remove_team(team=reds, by=spring.alice))
    update_team(team=reds, name="Reds", players=[], by=spring.alice)

    remove_team(team=reds, by=spring.alice)

    assert not spring.competition.teams.filter(name="Reds").exists()
    assert not Role.objects.filter(user=spring.dora, kind="captain").exists()


def test_a_team_with_a_penalty_stays(spring):
    team = new_team(spring)
    log_team_penalty(team=team, stage=spring.stage, score=-100, reason="late", by=spring.alice)

    assert "cannot be removed" in refusal(lambda: remove_team(team=team, by=spring.alice))


def test_a_team_that_qualified_stays_until_the_stage_is_undone():
    here = equal_pairs("summer")
    guests = new_team(here, "Guests")
    here.add_players(1)
    move(here, guests, player=-1)
    final = cut_stage(
        source=here.stage,
        name="Final",
        terms=Terms(top=0, picked=(guests.pk,)),
        carry="none",
        of_teams=True,
        by=here.alice,
    )
    move(here, team_of(here, "Reds"), player=-1, mistake=True)

    sentence = refusal(lambda: remove_team(team=guests, by=here.alice))
    assert sentence == "This team qualified for Final, so it cannot be removed. Undo that stage first."

    undo_stage(stage=final, by=here.alice)
    remove_team(team=guests, by=here.alice)
    assert not Team.objects.filter(pk=guests.pk).exists()


# --- whose a hanchan is


def test_who_changes_team_takes_nothing_along(spring):
    play_one(spring)

    move(spring, team_of(spring, "Blues"))

    assert totals(spring) == {"Reds": 600, "Blues": 50, "Greens": -200, "Greys": -450}


def test_without_line_ups_too_what_was_played_stays_with_the_old_team(spring):
    spring.add_round()
    spring.record(POINTS)
    whites = new_team(spring)

    move(spring, whites)
    spring.add_round()
    spring.record(POINTS, round_number=2)

    assert totals(spring) == {"Reds": 600, "Whites": 600, "Blues": 100, "Greens": -400, "Greys": -900}


def test_a_mistaken_team_loses_all_of_it(spring):
    play_one(spring)

    move(spring, team_of(spring, "Blues"), mistake=True)

    assert totals(spring) == {"Reds": 0, "Blues": 650, "Greens": -200, "Greys": -450}


def test_a_first_team_takes_over_what_was_played_before(spring):
    spring.add_round()
    spring.competition.entrants.update(team=None)
    spring.record(POINTS)

    move(spring, team_of(spring, "Reds"))

    assert totals(spring) == {"Reds": 600}


def test_who_leaves_is_named_for_no_round_to_come(spring):
    round_ = team_round(spring)
    name_all(spring, round_)

    move(spring, None)

    assert sorted(LineUp.objects.values_list("team__name", flat=True)) == ["Blues", "Greens", "Greys"]
    assert totals(spring) == {"Reds": 0, "Blues": 0, "Greens": 0, "Greys": 0}


def test_two_records_of_one_person_share_their_line_ups(spring):
    round_ = team_round(spring)
    name_all(spring, round_)
    keep, gone = spring.players[4], spring.players[0]

    merge_players(
        competition=spring.competition, keep=keep.pk, gone=gone.pk, values=values_of(keep), by=spring.alice
    )

    assert LineUp.objects.get(team__name="Reds").player_id == keep.pk


def test_a_player_who_was_only_named_can_be_taken_out(spring):
    name_all(spring, team_round(spring))
    entrant = spring.competition.entrants.get(key="p1")

    remove_entrant(competition=spring.competition, entrant_id=entrant.pk, by=spring.alice)

    assert LineUp.objects.filter(team__name="Reds").count() == 0


# --- teams at tables


def test_teams_sit_where_they_were_put_and_again_elsewhere(spring):
    round_ = team_round(spring)
    name_all(spring, round_)

    seat_teams(round_=round_, tables={3: teams_of(spring, *NAMES[::-1])}, by=spring.alice)

    seats = TeamSeat.objects.filter(round=round_).values_list("table", "wind", "team__name")
    assert list(seats) == [(3, wind, name) for wind, name in enumerate(NAMES[::-1])]
    assert LineUp.objects.count() == 4


def test_who_was_named_by_a_team_that_sits_no_more_is_forgotten(spring):
    whites = new_team(spring)
    spring.add_players(1)
    move(spring, whites, player=8)
    round_ = team_round(spring)
    name_all(spring, round_)

    seat_teams(round_=round_, tables={1: teams_of(spring, "Whites", *NAMES[1:])}, by=spring.alice)

    assert sorted(LineUp.objects.values_list("team__name", flat=True)) == ["Blues", "Greens", "Greys"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Reds", "Reds", "Greens", "Greys"), "Table 1 needs four different teams."),
        (("Reds", "Blues", "Greens"), "Table 1 needs four different teams."),
    ],
)
def test_a_table_has_four_different_teams(spring, names, said):
    round_ = team_round(spring)
    tables = {1: teams_of(spring, *names)}
    assert refusal(lambda: seat_teams(round_=round_, tables=tables, by=spring.alice)) == said


def test_a_team_needs_a_player_for_each_of_its_tables(spring):
    four = teams_of(spring, *NAMES)
    round_ = team_round(spring, NAMES, NAMES)
    said = refusal(lambda: seat_teams(round_=round_, tables={1: four, 2: four, 3: four}, by=spring.alice))
    assert said == "Reds has 2 players but needs 3 in this round."


def test_where_a_sheet_was_entered_the_teams_stay(spring):
    round_ = play_one(spring)

    tables = {1: teams_of(spring, *NAMES[::-1])}
    said = refusal(lambda: seat_teams(round_=round_, tables=tables, by=spring.alice))
    assert said == "Table 1 already has a score sheet and keeps its teams."


# --- line-ups


def test_a_captain_names_players_in_the_order_of_the_tables(spring):
    round_ = team_round(spring, NAMES, NAMES[::-1])

    named(spring, "Reds", round_, 5, 1)

    assert list(LineUp.objects.values_list("player", "created_by")) == [
        (spring.players[4].pk, spring.dora.pk),
        (spring.players[0].pk, spring.dora.pk),
    ]


def test_a_line_up_is_changed_as_often_as_wanted_before_the_deadline(spring):
    round_ = team_round(spring)
    set_deadline(round_=round_, until=DEADLINE, by=spring.alice)

    named(spring, "Reds", round_, 1, at=BEFORE)
    named(spring, "Reds", round_, 5, at=DEADLINE)

    assert LineUp.objects.get().player_id == spring.players[4].pk


def test_who_changed_team_is_named_by_the_new_team_in_a_later_round(spring):
    play_one(spring)
    move(spring, team_of(spring, "Blues"))
    later = team_round(spring)

    named(spring, "Blues", later, 1)

    assert LineUp.objects.get(round=later).player_id == spring.players[0].pk


def test_after_the_deadline_only_the_organizer_names_and_says_why(spring):
    round_ = team_round(spring)
    set_deadline(round_=round_, until=DEADLINE, by=spring.alice)
    late = {"by": spring.alice, "organizes": True, "at": AFTER}

    assert "It is too late" in refusal(lambda: named(spring, "Reds", round_, 1, at=AFTER))
    assert "Give a reason" in refusal(lambda: named(spring, "Reds", round_, 1, **late))
    named(spring, "Reds", round_, 1, reason="phoned in time", **late)

    entry = with_texts(AuditEntry.objects.latest("pk"))
    assert (entry.action, entry.after["reason"]) == ("team.line_up", "phoned in time")


def test_once_players_are_seated_a_captain_is_too_late(spring):
    round_ = team_round(spring)
    name_all(spring, round_)
    seat_from_line_ups(round_=round_, by=spring.alice)

    assert "It is too late" in refusal(lambda: named(spring, "Reds", round_, 5))


def test_a_closed_round_takes_no_line_up(spring):
    round_ = team_round(spring)
    close_round(round_=round_, by=spring.alice)

    assert "closed" in refusal(lambda: named(spring, "Reds", round_, 1, organizes=True, reason="x"))


def test_who_cannot_be_named_is_refused(spring):
    one, two = team_round(spring), team_round(spring, NAMES, NAMES[::-1])
    withdraw(spring, "p5")
    for round_, players, said in (
        (one, (), "A team needs one player per table"),
        (one, (1, 5), "A team needs one player per table"),
        (one, (2,), "A player is not a member of this team"),
        (one, (5,), "Withdrawn: Dora"),
        (two, (1, 1), "Choose each player once"),
    ):
        assert said in refusal(lambda: named(spring, "Reds", round_, *players))  # noqa: B023


def test_a_team_without_a_seat_names_no_player(spring):
    whites = new_team(spring)
    round_ = team_round(spring)

    assert "This team is not seated in the round yet" in refusal(
        lambda: named(spring, whites.name, round_, 1)
    )


def test_who_has_the_most_hanchan_is_refused_and_counts_what_is_to_come(spring):
    spring.competition.most_hanchan = 2
    spring.competition.save()
    first, second, third = (team_round(spring) for _ in range(3))
    name_all(spring, first)
    play(spring, first)
    named(spring, "Reds", second, 1)

    assert "the maximum of 2 games" in refusal(lambda: named(spring, "Reds", third, 1))
    named(spring, "Reds", third, 5)
    named(spring, "Reds", second, 1)  # the same again is not one more


def test_a_table_with_a_sheet_keeps_its_line_up(spring):
    round_ = play_one(spring)

    said = refusal(lambda: named(spring, "Reds", round_, 5, organizes=True, reason="ill"))
    assert said == "Table 1 already has a score sheet, so its players cannot be changed here."


def test_a_player_is_exchanged_at_the_table_that_has_no_sheet(spring):
    round_ = two_tables(spring)
    play(spring, round_)
    spring.add_players(1)
    spring.competition.entrants.filter(player=spring.players[8]).update(team=team_of(spring, "Reds"))

    named(spring, "Reds", fresh(round_), 1, 9, organizes=True, reason="ill")

    line_up = LineUp.objects.filter(round=round_, team=team_of(spring, "Reds")).order_by("pk")
    assert list(line_up.values_list("player", flat=True)) == [spring.players[0].pk, spring.players[8].pk]


# --- seats from line-ups


def test_players_sit_where_their_teams_do(spring):
    round_ = two_tables(spring)

    seat_from_line_ups(round_=round_, by=spring.alice)

    ids = [player.pk for player in spring.players]
    assert seating(round_) == {1: ids[:4], 2: ids[:3:-1]}


def test_who_withdrew_after_being_named_is_not_seated(spring):
    round_ = team_round(spring)
    name_all(spring, round_)
    withdraw(spring, "p1")

    said = refusal(lambda: seat_from_line_ups(round_=round_, by=spring.alice))

    assert said == "Withdrawn: 陳大文. Choose other players."
    named(spring, "Reds", round_, 5, organizes=True)
    seat_from_line_ups(round_=round_, by=spring.alice)
    assert seating(round_)[1][0] == spring.players[4].pk


def test_who_withdrew_after_playing_keeps_the_seat_when_the_others_are_seated_again(spring):
    round_ = two_tables(spring)
    play(spring, round_)
    withdraw(spring, "p1")

    seat_from_line_ups(round_=fresh(round_), by=spring.alice)

    assert seating(round_)[1][0] == spring.players[0].pk


def test_a_lasting_substitute_sits_for_a_named_player_who_withdrew(spring):
    first, second = team_round(spring), team_round(spring)
    name_all(spring, first)
    name_all(spring, second)
    seat_from_line_ups(round_=first, by=spring.alice)
    spring.add_players(1)
    seat = Seat.objects.select_related("round__stage__division__competition", "table")
    substitute_player(
        seat=seat.get(round=first, player=spring.players[0]),
        substitute=spring.players[8].pk,
        late=False,
        score=0,
        reason="left",
        onwards=True,
        by=spring.alice,
    )
    withdraw(spring, "p1")

    seat_from_line_ups(round_=second, by=spring.alice)

    assert seat.get(round=second, player=spring.players[8]).stands_for == spring.players[0]


def withdraw(here: Club, key: str) -> None:
    withdraw_entrant(entrant=here.competition.entrants.get(key=key), by=here.alice)


def test_a_round_without_teams_seats_no_one(spring):
    spring.add_round(opened=False)
    said = refusal(lambda: seat_from_line_ups(round_=spring.rounds[0], by=spring.alice))
    assert said == "This round has no teams yet. Seat the teams first."


def test_seating_again_keeps_tables_with_a_sheet(spring):
    round_ = two_tables(spring)
    play(spring, round_)
    seat_from_line_ups(round_=fresh(round_), by=spring.alice)

    assert here_points(spring) == POINTS


def here_points(here: Club) -> tuple[int, ...]:
    return tuple(here.table().sheets.get(is_current=True).points)


# --- penalties of teams


def test_a_penalty_of_a_team_changes_its_total_only(spring):
    play_one(spring)

    penalty = log_team_penalty(
        team=team_of(spring, "Reds"), stage=spring.stage, score=-200, reason="no line-up", by=spring.alice
    )
    punished = totals(spring)
    revoke_team_penalty(penalty=penalty, reason="the network was down", by=spring.alice)

    assert punished == {"Reds": 400, "Blues": 50, "Greens": -200, "Greys": -450}
    assert totals(spring)["Reds"] == 600
    kept = TeamPenalty.objects.get()
    assert (kept.revoked_by, kept.revoke_reason) == (spring.alice, "the network was down")
    actions = list(AuditEntry.objects.order_by("-pk").values_list("action", flat=True)[:2])
    assert actions == ["team.penalty_revoke", "team.penalty"]
    assert verify_chain(spring.competition).broken_at is None


def test_a_penalty_takes_points_for_a_reason_in_a_stage_of_its_competition(spring):
    usual = {"team": team_of(spring, "Reds"), "stage": spring.stage, "score": -10, "reason": "late"}
    for wrong, said in (
        ({"score": 0}, "Enter the points to deduct"),
        ({"score": 10}, "Enter the points to deduct"),
        ({"reason": " "}, "Give a reason"),
        ({"stage": team_club("autumn").stage}, "undone"),
    ):
        assert said in refusal(lambda: log_team_penalty(**usual | wrong, by=spring.alice))  # noqa: B023


def test_a_penalty_is_revoked_once_and_with_a_reason(spring):
    penalty = log_team_penalty(
        team=team_of(spring, "Reds"), stage=spring.stage, score=-10, reason="late", by=spring.alice
    )
    assert "Give a reason" in refusal(
        lambda: revoke_team_penalty(penalty=penalty, reason=" ", by=spring.alice)
    )
    revoke_team_penalty(penalty=penalty, reason="on time", by=spring.alice)
    assert "already" in refusal(lambda: revoke_team_penalty(penalty=penalty, reason="x", by=spring.alice))


# --- captains


def test_removing_a_team_withdraws_the_invitation_of_its_captain(spring):
    alice = spring.alice
    whites = add_team(competition=spring.competition, name="Whites", by=alice)
    earlier = invite(competition=spring.competition, kind="captain", team=whites, by=alice)
    withdraw_invitation(invitation=earlier, by=alice)
    invitation = invite(competition=spring.competition, kind="captain", team=whites, by=alice)

    remove_team(team=whites, by=alice)

    said = refusal(lambda: accept_invitation(invitation=invitation, by=user("eve")))
    assert said == "This invitation was withdrawn. Ask the organizer for a new one."
    withdrawn = AuditEntry.objects.filter(action="invitation.withdraw").order_by("pk")
    targets = [f"invitation:{each.pk}" for each in (earlier, invitation)]
    assert list(withdrawn.values_list("target", flat=True)) == targets


def test_a_captain_without_a_team_is_refused(spring):
    competition, alice = spring.competition, spring.alice
    there = team_of(team_club("autumn"), "Reds")
    for team in (None, there):
        said = refusal(lambda team=team: invite(competition=competition, kind="captain", team=team, by=alice))
        assert said == "Choose the captain’s team."
        assert "Choose the captain’s team" in refusal(
            lambda team=team: give_role(
                competition=competition, username="bob-spring", kind="captain", team=team, by=alice
            )
        )


def test_only_a_captain_gets_a_team(spring):
    role = give_role(
        competition=spring.competition,
        username="bob-spring",
        kind="scorer",
        team=team_of(spring, "Reds"),
        by=spring.alice,
    )
    assert role.team is None


# --- a whole season


def test_a_season_of_eight_teams_is_seated_at_once(spring):
    for number in range(5, 9):
        new_team(spring, f"Team {number}")
    teams = list(Team.objects.filter(competition=spring.competition).order_by("pk"))
    for player, team in zip(spring.players, teams, strict=True):
        spring.competition.entrants.filter(player=player).update(team=team)
    first = team_round(spring)
    days = [Day(date(2026, 11, 1) + timedelta(days=7 * n)) for n in range(14)]
    plan_matchdays(stage=spring.stage, days=days, hanchan=2, by=spring.alice)
    asked = {"stage": spring.stage, "tables": 1, "same_all_day": True, "seed": 1, "by": spring.alice}

    rounds = seat_season(again=False, **asked)

    fours = [frozenset(team_tables(each)[1]) for each in rounds]
    assert (len(fours), fours[::2]) == (28, fours[1::2])
    assert first not in rounds
    met = Counter(pair for four in fours for pair in combinations(sorted(four), 2))
    assert max(met.values()) - min(met.values()) <= 4
    assert with_texts(AuditEntry.objects.latest("sequence")).action == "stage.team_season"
    assert "All planned rounds already have teams." in refusal(lambda: seat_season(again=False, **asked))
    assert seat_season(again=False, days_before=2, at=time(20), **asked) == []
    last = rounds[-1]
    assert last.date == date(2027, 1, 31)
    assert fresh(last).line_ups_until == datetime(2027, 1, 29, 12, tzinfo=UTC)  # 20:00 in Hong Kong
    set_dates(rounds=[last], first=date(2027, 2, 3), by=spring.alice)
    assert fresh(last).line_ups_until == datetime(2027, 2, 1, 12, tzinfo=UTC)
    name_all(spring, first)
    assert seat_season(again=True, **asked | {"tables": 2}) == rounds
    assert {len(team_tables(each)) for each in rounds} == {2}
    too_many = asked | {"tables": 3, "again": True}
    assert "8 teams do not fill these tables." in refusal(lambda: seat_season(**too_many))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_season_needs_players_in_every_team_of_every_round(spring, seed):
    new_team(spring, "Empty")
    days = [Day(date(2026, 11, day)) for day in (1, 8)]
    plan_matchdays(stage=spring.stage, days=days, hanchan=1, by=spring.alice)

    said = refusal(
        lambda: seat_season(
            stage=spring.stage, tables=1, same_all_day=True, again=False, seed=seed, by=spring.alice
        )
    )

    assert said == "Empty has 0 players but needs 1 in this round."
