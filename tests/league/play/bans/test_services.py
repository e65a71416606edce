"""Expulsions, the seats of players who left, and bans from a league's competitions."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.core.errors import Refused
from league.core.rounds import seating
from league.core.zones import day_of
from league.models import (
    Adjustment,
    AuditEntry,
    Ban,
    Competition,
    Entrant,
    Penalty,
    Role,
    Round,
    Seat,
    Sheet,
    Waiver,
)
from league.organizing.audit_log.queries import verify_chain
from league.organizing.competitions.services import create_competition, update_competition
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import (
    enter_player,
    import_roster,
    reinstate_entrant,
    remove_entrant,
    withdraw_entrant,
)
from league.people.register.services import PlayerValues
from league.play.bans.queries import banned_here, departures, free_players, open_seats
from league.play.bans.services import lift_ban, set_ban
from league.play.results.services import record_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players
from league.play.substitutions.services.departures import FORFEIT, decide_seats, forfeit_player
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.decisions import decide_request, revoke_penalty, undo_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from players.models import Player
from tests.factories import Club, as_seen, club, with_texts
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

GAMBLING = {"infraction": "U-1c", "condition": 0}  # level 6 of the HKMA, which expels
TODAY = date(2026, 11, 20)
LONG_AGO, FAR = date(2020, 1, 1), date(2999, 12, 31)


@module_fixture
def spring() -> Club:
    """Twelve players. Round 1 is played, round 2 open, round 3 planned. The last four sit nowhere."""
    made = club("spring", players=8)
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    made.record((45_000, 35_000, 25_000, 15_000), number=2)
    close_round(round_=made.rounds[0], by=made.alice)
    made.add_round()
    made.add_round(opened=False)
    made.add_players(4)
    return made


def entrant(made: Club, index: int = 0) -> Entrant:
    return made.competition.entrants.get(player=made.players[index])


def expel(made: Club, index: int = 0, **options: object) -> Penalty:
    options = {**GAMBLING, "by": made.bob, "table": made.table(2), "stage": made.stage} | options
    return log_offence(player_id=made.players[index].pk, **options)[0]


def ban(made: Club, index: int = 0, **options: object) -> Ban:
    options = {"since": LONG_AGO, "until": FAR, "reason": "cheated", "by": made.alice} | options
    return set_ban(competition=made.competition, player_id=made.players[index].pk, **options)


def another(made: Club, slug: str = "summer") -> Club:
    """Create an empty competition of the same league."""
    competition = create_competition(
        league=made.league, name=slug, slug=slug, preset_slug="hkma-a-2025-04", by=made.alice
    )
    division = competition.divisions.get()
    return Club(
        competition, division, division.stages.get(), [], made.alice, made.bob, made.charlie, made.dora
    )


def story(competition: Competition) -> list[str]:
    return list(
        AuditEntry.objects.filter(competition=competition)
        .order_by("sequence")
        .values_list("action", flat=True)
    )


# --- expelled


def test_a_level_that_expels_takes_the_player_out_in_the_same_change(spring):
    revision = Competition.objects.get(pk=spring.competition.pk).revision
    penalty = expel(spring)

    left = entrant(spring)
    assert left.withdrawn_at == penalty.created_at
    assert story(spring.competition)[-2:] == ["penalty.log", "player.expel"]
    entry = AuditEntry.objects.filter(competition=spring.competition).latest("sequence")
    assert (entry.target, entry.after) == (
        f"entrant:{left.pk}",
        {"player": spring.players[0].pk, "penalty": penalty.pk},
    )
    spring.competition.refresh_from_db()
    assert spring.competition.revision == revision + 1
    assert verify_chain(spring.competition).broken_at is None


def test_a_lesser_level_and_one_without_the_book_take_no_player_out(spring):
    log_offence(
        stage=spring.stage,
        player_id=spring.players[0].pk,
        infraction="A-XII",
        condition=1,  # 5, 4, 4
        by=spring.bob,
        table=spring.table(2),
    )
    log_penalty(
        stage=spring.stage, player_id=spring.players[1].pk, score=-900, reason="all of it", by=spring.bob
    )

    assert not spring.competition.entrants.filter(withdrawn_at__isnull=False).exists()


def test_a_level_given_without_an_offence_expels_as_well(spring):
    log_penalty(
        stage=spring.stage, player_id=spring.players[0].pk, score=0, level="6", reason="a fist", by=spring.bob
    )

    assert entrant(spring).withdrawn_at is not None


def test_a_request_expels_when_the_chief_referee_approves_it_and_never_when_declined(spring):
    update_competition(competition=spring.competition, values={"approval_from": "5"}, by=spring.alice)
    stage = type(spring.stage).objects.select_related("division__competition").get(pk=spring.stage.pk)
    asked, other = (expel(spring, index, stage=stage, approves=False) for index in (0, 1))
    assert [entrant(spring, index).withdrawn_at for index in (0, 1)] == [None, None]

    decide_request(penalty=asked, verdict="approve", by=spring.alice)
    decide_request(verdict="decline", penalty=other, reason="no proof", by=spring.alice)

    asked.refresh_from_db()
    assert entrant(spring, 0).withdrawn_at == asked.decided_at
    assert entrant(spring, 1).withdrawn_at is None
    revoke_penalty(penalty=asked, reason="proof was wrong", by=spring.alice)
    assert entrant(spring, 0).withdrawn_at is None


def test_undoing_the_penalty_at_once_lets_the_player_play_again(spring):
    undo_penalty(penalty=expel(spring), by=spring.bob)

    assert entrant(spring).withdrawn_at is None
    assert story(spring.competition)[-2:] == ["penalty.undo", "player.readmit"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_revoking_one_of_two_expulsions_changes_nothing_and_revoking_both_readmits(spring, order):
    expulsions = [expel(spring), expel(spring)]

    revoke_penalty(penalty=expulsions[order[0]], reason="logged twice", by=spring.alice)
    assert entrant(spring).withdrawn_at == expulsions[0].created_at
    revoke_penalty(penalty=expulsions[order[1]], reason="the wrong player", by=spring.alice)
    assert entrant(spring).withdrawn_at is None


def test_who_had_withdrawn_before_stays_withdrawn_whatever_is_revoked(spring):
    withdraw_entrant(entrant=entrant(spring), by=spring.alice)
    before = entrant(spring).withdrawn_at

    revoke_penalty(penalty=expel(spring), reason="the wrong player", by=spring.alice)

    assert entrant(spring).withdrawn_at == before
    assert "player.expel" not in story(spring.competition)


def test_forfeit_for_disobedience_needs_a_reason_and_happens_once(spring):
    with pytest.raises(Refused, match="Give a reason for the player leaving"):
        forfeit_player(entrant=entrant(spring), reason=" ", by=spring.alice)

    forfeit_player(entrant=entrant(spring), reason="did not obey", by=spring.alice)

    assert entrant(spring).withdrawn_at is not None
    with pytest.raises(Refused, match="This player has already left"):
        forfeit_player(entrant=entrant(spring), reason="did not obey", by=spring.alice)
    assert story(spring.competition).count("player.expel") == 1


# --- the seats


def test_the_seats_to_decide_about_are_those_without_a_sheet_the_table_now_first(spring):
    expel(spring)

    seats = open_seats(spring.players[0].pk, spring.competition)

    assert [(seat.table.round.number, seat.table.number, seat.wind) for seat in seats] == [
        (2, 1, 0),
        (3, 1, 0),
    ]
    spring.record((45_000, 35_000, 25_000, 15_000), round_number=2)
    assert [seat.table.round.number for seat in open_seats(spring.players[0].pk, spring.competition)] == [3]


def decide(made: Club, choices: dict[tuple[int, int], int], index: int = 0, **options: object) -> None:
    options = {"reason": "expelled", "by": made.alice} | options
    tables = {made.table(*where).pk: choice for where, choice in choices.items()}
    decide_seats(entrant=entrant(made, index), choices=tables, **options)


def test_a_substitute_sits_for_the_player_and_came_late_where_play_has_begun(spring):
    expel(spring)
    ninth, tenth = spring.players[8].pk, spring.players[9].pk

    decide(spring, {(2, 1): ninth, (3, 1): tenth})

    rows = Seat.objects.filter(wind=0, round__number__gt=1, table__number=1).order_by("round__number")
    assert list(rows.values_list("player", "stands_for", "came_late")) == [
        (ninth, spring.players[0].pk, True),
        (tenth, spring.players[0].pk, False),
    ]
    assert open_seats(spring.players[0].pk, spring.competition) == []
    logged = AuditEntry.objects.filter(competition=spring.competition, action="seat.substitute")
    assert [(e.before, e.after) for e in map(with_texts, logged.order_by("sequence"))] == [
        ({"player": spring.players[0].pk}, {"player": who, "came_late": late, "reason": "expelled"})
        for who, late in ((ninth, True), (tenth, False))
    ]


def test_another_substitute_follows_one_who_leaves_and_the_absent_player_keeps_what_was_given(spring):
    expel(spring)
    absent, ninth, tenth = (spring.players[index].pk for index in (0, 8, 9))
    decide(spring, {(2, 1): ninth}, score=-300)
    forfeit_player(entrant=entrant(spring, 8), reason="went home", by=spring.alice)

    assert [seat.table_id for seat in open_seats(ninth, spring.competition)] == [spring.table(2, 1).pk]
    decide(spring, {(2, 1): tenth}, index=8, score=-999)

    seat = Seat.objects.get(round__number=2, player=tenth)
    assert (seat.stands_for_id, seat.came_late) == (absent, True)
    given = Adjustment.objects.filter(revoked_at__isnull=True)
    assert list(given.values_list("player", "score")) == [(absent, -300)]
    assert open_seats(ninth, spring.competition) == []


def test_a_forfeited_table_has_a_void_sheet_and_counts_for_no_player(spring):
    before = standings(spring.stage, public=False).rows
    expel(spring)

    decide(spring, {(2, 1): FORFEIT, (3, 1): FORFEIT}, reason="no one left to play")

    sheets = Sheet.objects.filter(table__round__number__gt=1).order_by("table__round__number")
    assert [(s.status, s.points, s.total, s.reason, s.version) for s in sheets] == [
        ("void", (30_000,) * 4, 120_000, "no one left to play", 1)
    ] * 2
    after = standings(spring.stage, public=False).rows
    assert {(r.row.player, r.row.score, r.row.games) for r in after} == {
        (r.row.player, r.row.score, r.row.games) for r in before
    } | {(p.pk, 0, 0) for p in spring.players[8:]}
    assert [p.pk for p in spring.players[:4]] == seating(spring.rounds[1])[1]
    record_result(  # the organizer thinks better of it
        **as_seen(spring.table(2)), points=(45_000, 35_000, 25_000, 15_000), reason="they went on",
        by=spring.charlie,
    )  # fmt: skip


def test_who_may_sit_down_is_free_in_that_round_substitutes_first(spring):
    round_ = Round.objects.select_related("stage__division__competition").get(pk=spring.rounds[1].pk)
    withdraw_entrant(entrant=entrant(spring, 8), by=spring.alice)
    ban(spring, 9)
    Entrant.objects.filter(player=spring.players[11]).update(is_substitute=True)

    assert [free.player for free in free_players(round_)] == [spring.players[11], spring.players[10]]


@pytest.mark.parametrize("index", [1, 4, 8, 9])  # at the table, in the round, withdrawn, banned
def test_a_player_who_cannot_sit_there_is_refused_as_a_substitute(spring, index):
    expel(spring)
    withdraw_entrant(entrant=entrant(spring, 8), by=spring.alice)
    ban(spring, 9)
    before = seating(spring.rounds[1])

    with pytest.raises(Refused, match=r"cannot sit there|is banned"):
        decide(spring, {(2, 1): spring.players[index].pk})

    assert seating(spring.rounds[1]) == before


def test_seats_are_decided_with_a_reason_for_who_left_and_while_they_are_open(spring):
    with pytest.raises(Refused, match="has not left"):
        decide(spring, {(2, 1): FORFEIT})
    expel(spring)
    with pytest.raises(Refused, match="Give a reason"):
        decide(spring, {(2, 1): FORFEIT}, reason=" ")
    spring.record((45_000, 35_000, 25_000, 15_000), round_number=2)
    with pytest.raises(Refused, match="One of these tables has just been decided by someone else"):
        decide(spring, {(3, 1): FORFEIT, (2, 1): FORFEIT})
    assert Sheet.objects.filter(status="void").count() == 0  # nothing of what was refused


def test_a_round_with_a_substitute_can_be_seated_again_but_the_table_of_a_penalty_stays(spring):
    expel(spring)
    decide(spring, {(2, 1): spring.players[8].pk})
    now = seating(spring.rounds[1])
    swapped = {1: [*now[1][:3], now[2][3]], 2: [*now[2][:3], now[1][3]]}

    seat_players(round_=spring.rounds[1], tables=swapped, by=spring.alice)

    assert seating(spring.rounds[1]) == swapped
    with pytest.raises(Refused, match="A player at table 1 has a penalty there"):
        seat_players(round_=spring.rounds[1], tables={2: swapped[2]}, by=spring.alice)


def test_who_left_is_listed_while_seats_wait_or_when_expelled(spring):
    expel(spring, 0)
    withdraw_entrant(entrant=entrant(spring, 1), by=spring.alice)
    withdraw_entrant(entrant=entrant(spring, 8), by=spring.alice)  # sits nowhere: nothing to decide

    found = departures(spring.competition)

    assert {(each.entrant.player, each.penalty is not None, each.seats) for each in found} == {
        (spring.players[0], True, 2),
        (spring.players[1], False, 2),
    }
    decide(spring, {(2, 1): FORFEIT, (3, 1): FORFEIT})
    again = departures(spring.competition)
    assert [(each.entrant.player, each.seats) for each in again] == [(spring.players[0], 0)]


# --- bans


@pytest.mark.parametrize(
    ("since", "until", "holds"),
    [
        (TODAY, None, True),
        (TODAY, TODAY, True),
        (LONG_AGO, TODAY - timedelta(days=1), False),
        (TODAY + timedelta(days=1), None, False),
    ],
)
def test_a_ban_holds_from_its_first_day_to_its_last(spring, since, until, holds):
    made = ban(spring, since=since, until=until)

    held = banned_here(spring.competition, on=TODAY)

    assert held == ({spring.players[0].pk: made} if holds else {})


def test_of_several_bans_the_longest_is_given(spring):
    ban(spring, until=TODAY)
    longest = ban(spring, until=None)
    ban(spring, until=FAR)

    assert banned_here(spring.competition, on=TODAY) == {spring.players[0].pk: longest}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"since": FAR, "until": LONG_AGO}, "A ban cannot end before it begins"),
        ({"reason": "  "}, "Give a reason"),
    ],
)
def test_a_ban_that_makes_no_sense_is_refused(spring, options, words):
    with pytest.raises(Refused, match=words):
        ban(spring, **options)
    assert Ban.objects.count() == 0


def test_only_who_is_entered_here_is_banned_from_here(spring):
    stranger = Player.objects.create(register=club("autumn").league.register, name="Mallory")

    with pytest.raises(Refused, match="not entered"):
        set_ban(
            competition=spring.competition, player_id=stranger.pk, since=TODAY, until=None, reason="x",
            by=spring.alice,
        )  # fmt: skip


def test_a_ban_is_lifted_once_with_a_reason_and_stays_on_record(spring):
    made = ban(spring)
    with pytest.raises(Refused, match="Give a reason"):
        lift_ban(ban=made, competition=spring.competition, reason="", by=spring.alice)

    lift_ban(ban=made, competition=spring.competition, reason="served", by=spring.alice)

    assert banned_here(spring.competition) == {}
    assert (Ban.objects.get().lift_reason, Ban.objects.get().lifted_by) == ("served", spring.alice)
    with pytest.raises(Refused, match="This ban has already been lifted"):
        lift_ban(ban=made, competition=spring.competition, reason="again", by=spring.alice)
    assert story(spring.competition)[-2:] == ["ban.set", "ban.lift"]


def test_a_ban_holds_in_the_league_s_other_competitions_and_in_no_other_league(spring):
    ban(spring)
    summer, autumn = another(spring), club("autumn")

    assert list(banned_here(summer.competition)) == [spring.players[0].pk]
    assert banned_here(autumn.competition) == {}


# --- entry and seating


def values(player: Player) -> PlayerValues:
    return PlayerValues(name=player.name)


def enter(made: Club, player: Player, **options: object) -> Entrant:
    return enter_player(
        competition=made.competition, values=values(player), division=made.division, same_as=player.pk,
        by=made.alice, **options,
    )  # fmt: skip


def test_a_banned_player_is_entered_only_with_a_reason_that_is_kept(spring):
    ban(spring, until=date(2999, 3, 31))
    summer = another(spring)
    with pytest.raises(Refused, match=r"Banned: 陳大文 \(until 31 Mar 2999\)\.") as refused:
        enter(summer, spring.players[0])
    assert refused.value.field == "despite"
    assert not summer.competition.entrants.exists()

    enter(summer, spring.players[0], despite="the board agreed")

    waiver = Waiver.objects.get()
    assert (waiver.competition, waiver.reason, waiver.created_by) == (
        summer.competition,
        "the board agreed",
        spring.alice,
    )
    assert banned_here(summer.competition) == {}
    assert list(banned_here(spring.competition)) == [spring.players[0].pk]  # only there
    assert story(summer.competition)[-2:] == ["ban.waive", "roster.enter"]


def test_a_list_with_a_banned_player_enters_no_one_without_a_reason(spring):
    ban(spring)
    summer = another(spring)
    text = f"{spring.players[0].name}\n{spring.players[1].name}\nA new player"

    with pytest.raises(Refused, match="Banned"):
        import_roster(competition=summer.competition, text=text, by=spring.alice)
    assert not summer.competition.entrants.exists()
    assert not Player.objects.filter(name="A new player").exists()

    done = import_roster(competition=summer.competition, text=text, despite="a year is over", by=spring.alice)

    assert (done.new, done.same) == (1, 2)
    assert Waiver.objects.count() == 1


def test_a_banned_player_is_reinstated_only_with_a_reason(spring):
    expel(spring)
    ban(spring)

    with pytest.raises(Refused, match="Banned"):
        reinstate_entrant(entrant=entrant(spring), by=spring.alice)
    reinstate_entrant(entrant=entrant(spring), despite="ruled otherwise", by=spring.alice)

    assert entrant(spring).withdrawn_at is None


def test_a_player_banned_after_entry_is_not_seated_without_a_reason(spring):
    ban(spring, until=date(2026, 11, 30))
    round_ = create_round(stage=spring.stage, date=date(2026, 11, 30), by=spring.alice)
    later = create_round(stage=spring.stage, date=date(2026, 12, 1), by=spring.alice)
    tables = {1: [player.pk for player in spring.players[:4]]}

    with pytest.raises(Refused, match="Banned"):
        seat_players(round_=round_, tables=tables, by=spring.alice)
    seat_players(round_=later, tables=tables, by=spring.alice)  # on that day the ban is over
    assert not Waiver.objects.exists()
    seat_players(round_=round_, tables=tables, despite="her appeal is pending", by=spring.alice)

    assert seating(round_) == tables
    assert Waiver.objects.get().reason == "her appeal is pending"
    seat_players(round_=round_, tables={2: tables[1]}, by=spring.alice)  # asked once in a competition


def test_tables_that_are_played_are_not_asked_about(spring):
    round_ = open_round(
        round_=seat_players(
            round_=create_round(stage=spring.stage, by=spring.alice),
            tables={1: [p.pk for p in spring.players[:4]]},
            by=spring.alice,
        ),
        by=spring.alice,
    )
    spring.record((45_000, 35_000, 25_000, 15_000), round_number=round_.number)
    ban(spring)

    seat_players(
        round_=round_, tables=seating(round_) | {2: [p.pk for p in spring.players[4:8]]}, by=spring.alice
    )

    assert sorted(seating(round_)) == [1, 2]


def test_merging_keeps_the_ban_and_who_a_referee_plays_as(spring):
    twin = Player.objects.create(register=spring.league.register, name="Chan Tai Man")
    Entrant.objects.create(competition=spring.competition, player=twin, division=spring.division, key="p99")
    set_ban(
        competition=spring.competition,
        player_id=twin.pk,
        since=TODAY,
        until=None,
        reason="x",
        by=spring.alice,
    )
    Role.objects.filter(user=spring.bob).update(player=twin)
    stays = spring.players[0]

    merge_players(
        competition=spring.competition, keep=stays.pk, gone=twin.pk, values=values(stays), by=spring.alice
    )

    assert Ban.objects.get().player == stays
    assert Role.objects.get(user=spring.bob).player == stays


def test_a_banned_person_stays_in_the_register_when_taken_out_of_their_last_competition(spring):
    ban(spring, 8)

    remove_entrant(competition=spring.competition, entrant_id=entrant(spring, 8).pk, by=spring.alice)
    remove_entrant(competition=spring.competition, entrant_id=entrant(spring, 9).pk, by=spring.alice)

    assert Player.objects.filter(pk=spring.players[8].pk).exists()
    assert not Player.objects.filter(pk=spring.players[9].pk).exists()


def test_who_left_takes_the_same_number_of_queries_for_one_and_for_three(spring):
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            departures(spring.competition)
        return len(caught)

    expel(spring, 0)
    one = queries()
    expel(spring, 1)
    expel(spring, 4, table=spring.table(2, 2))
    assert queries() == one


def test_bans_are_dated_where_the_competition_is(spring):
    past_midnight_in_hong_kong = datetime(2026, 11, 20, 16, 30, tzinfo=UTC)

    assert day_of(spring.competition, past_midnight_in_hong_kong) == date(2026, 11, 21)
