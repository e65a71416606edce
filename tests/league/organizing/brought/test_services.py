"""Results of a list saved in one step, brought again, and undone."""

from datetime import date

import pytest
from django.utils import timezone

from league.core.errors import Refused
from league.models import Adjustment, AuditEntry, Competition, Entrant, Round, Seat, Sheet, Stage, Table
from league.organizing.brought import services
from league.organizing.brought.queries.plans import last_brought
from league.organizing.brought.services import undo_brought
from league.organizing.competitions.services import add_division
from league.organizing.roster.services.roster import import_roster
from league.play.open_play.services import set_play
from league.play.results.services import record_result
from league.play.rounds.services import seat_players, set_visibility
from league.play.substitutions.services.swaps import round_state, swap_players
from league.ranking.standings.queries.standings import standings
from players.models import Player
from tests.factories import Club, club
from tests.league.organizing.brought.lists import SEASON, bring, undo
from tests.races import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    return club(players=0)


def sheets() -> list[tuple[object, ...]]:
    rows = Sheet.objects.order_by("table__round__number", "table__number")
    return list(
        rows.values_list("table__round__number", "table__number", "table__round__date", "east", "status")
    )


def test_a_season_becomes_rounds_tables_and_people(spring):
    bring(spring)

    assert sheets() == [
        (1, 1, date(2026, 3, 14), 41000, "entered"),
        (1, 2, date(2026, 3, 14), 30000, "entered"),
        (2, 1, date(2026, 3, 21), 30000, "entered"),
    ]
    names = spring.competition.entrants.order_by("pk").values_list("player__name", flat=True)
    assert list(names) == ["Anna", "Ben", "Cara", "Dan", "Emil", "Fay", "Gil", "Hana"]
    assert {*Round.objects.values_list("status", "visibility")} == {("closed", "results")}


def test_what_was_brought_is_logged_as_one_act(spring):
    bring(spring)

    entry = AuditEntry.objects.get(action="results.bring")
    assert entry.after == {
        "tables": 3,
        "rounds": list(Round.objects.order_by("number").values_list("pk", flat=True)),
    }


def test_rounds_continue_after_those_of_the_stage(spring):
    Round.objects.create(stage=spring.stage, number=4)

    bring(spring)

    assert {row[0] for row in sheets()} == {5, 6}


def test_rounds_that_the_list_names_are_kept_apart(spring):
    text = "round,table,player,points\n" + "".join(
        f"{round_},{table},{name},30000\n" for round_, table in ((10, 1), (2, 7)) for name in "ABCD"
    )

    bring(spring, text)

    assert [row[:2] for row in sheets()] == [(1, 7), (2, 1)]


def test_two_games_of_a_player_on_a_day_are_two_rounds(spring):
    text = "day,player,points\n" + "".join(f"2026-03-14,{name},30000\n" for name in "ABCDEFGHAEBF")

    bring(spring, text)

    assert [row[:2] for row in sheets()] == [(1, 1), (1, 2), (2, 1)]


def test_deposits_are_saved_with_the_points(spring):
    bring(spring, "player,points,deposits\nA,30000,1000\nB,30000\nC,30000\nD,29000\n")

    assert Sheet.objects.get().sticks == 1000


def test_each_table_of_free_play_has_its_own_round(spring):
    set_play(stage=spring.stage, play=Stage.Play.OPEN, by=spring.alice)
    spring.stage.refresh_from_db()

    bring(spring)

    assert [row[0] for row in sheets()] == [1, 2, 3]
    assert {*Round.objects.values_list("status", flat=True)} == {"open"}


def test_free_play_needs_days(spring):
    set_play(stage=spring.stage, play=Stage.Play.OPEN, by=spring.alice)
    spring.stage.refresh_from_db()

    with pytest.raises(Refused):
        bring(spring, "player,points\nA,30000\nB,30000\nC,30000\nD,30000\n")

    assert not Table.objects.exists()


def test_a_list_brought_again_adds_only_what_is_new(spring):
    bring(spring)

    plan = bring(spring, SEASON + "2026-03-28,1,Gil,30000\n,,Hana,30000\n,,Cara,30000\n,,Dan,30000\n")

    assert (len(plan.new), plan.skipped) == (1, 3)
    assert len(sheets()) == 4
    assert Player.objects.count() == 8


def test_a_list_without_anything_new_is_refused(spring):
    bring(spring)

    with pytest.raises(Refused, match="saved before"):
        bring(spring)


def test_a_void_result_is_brought_again(spring):
    bring(spring)
    Sheet.objects.filter(table__round__number=2).update(status=Sheet.Status.VOID)

    bring(spring)

    assert len(sheets()) == 4


def test_a_row_that_repeats_a_table_is_saved_once(spring):
    row = "2026-03-14,A,B,C,D,30000,30000,30000,30000\n"

    plan = bring(spring, "day,player,player,player,player,points,points,points,points\n" + row + row)

    assert (len(plan.new), plan.skipped) == (1, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        "2026-03-28,1,Gil,30000\n,,Hana,30000\n,,Cara,30000\n,,Dan,29000\n",
        "2026-03-28,1,Gil,40000\n,,Hana,40000\n,,Cara,40000\n",
        "2026-03-28,1,Gil,30000\n,,Gil,30000\n,,Cara,30000\n,,Dan,30000\n",
        "2026-02-30,1,Gil,30000\n,,Hana,30000\n,,Cara,30000\n,,Dan,30000\n",
        "2099-02-20,1,Gil,30000\n,,Hana,30000\n,,Cara,30000\n,,Dan,30000\n",
        "2026-03-28,1,12,30000\n,,Hana,30000\n,,Cara,30000\n,,Dan,30000\n",
    ],
)
def test_a_table_with_a_problem_saves_nothing(spring, wrong):
    with pytest.raises(Refused, match="Nothing was saved"):
        bring(spring, SEASON + wrong)

    assert not Table.objects.exists()
    assert not Player.objects.exists()


def test_tables_with_a_problem_can_be_left_out(spring):
    plan = bring(spring, SEASON + "2026-03-28,1,Ida,40000\n,,Jan,40000\n,,Kim,40000\n", leave_out=True)

    assert len(plan.new) == len(sheets()) == 3
    assert not Player.objects.filter(name="Ida").exists()


def test_a_player_at_two_tables_of_a_named_round_is_refused(spring):
    text = "round,table,player,points\n" + "".join(
        f"1,{table},{name},30000\n" for table, four in ((1, "ABCD"), (2, "AEFG")) for name in four
    )

    with pytest.raises(Refused):
        bring(spring, text)

    assert not Table.objects.exists()


def test_known_people_are_matched_and_not_entered_twice(spring):
    spring.add_players(2)
    names = list(Player.objects.order_by("pk").values_list("name", flat=True))
    text = "player,points\n" + "".join(f"{name},30000\n" for name in [*names, "Cara", "Dan"])

    bring(spring, text)

    assert Player.objects.count() == 4
    assert Seat.objects.filter(player__name=names[0]).exists()


def test_a_name_that_is_nearly_known_can_be_chosen(spring):
    bring(spring, SEASON.replace("Emil", "Émile"))
    emile = Player.objects.get(name="Émile")
    text = "day,player,points\n2026-04-01,Emile,30000\n,Ben,30000\n,Cara,30000\n,Dan,30000\n"

    bring(spring, text, picks=[f"1:same:{emile.pk}"])

    assert Player.objects.count() == 8
    assert Seat.objects.filter(player=emile, round__number=3).exists()


def test_people_of_another_division_are_refused(spring):
    bring(spring)
    other = add_division(
        competition=spring.competition, name="B", preset_slug="hkma-a-2025-04", by=spring.alice
    )
    Entrant.objects.filter(player__name="Anna").update(division=other)

    with pytest.raises(Refused):
        bring(spring, SEASON.replace("2026-03", "2026-04"))

    assert len(sheets()) == 3


def test_a_failure_at_the_end_leaves_nothing(spring, monkeypatch):
    def fail(*_args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(services, "_write", fail)
    with pytest.raises(RuntimeError):
        bring(spring)

    assert not Player.objects.exists()
    assert not AuditEntry.objects.filter(action="roster.enter").exists()


def test_a_finished_competition_takes_nothing(spring):
    Competition.objects.update(finished_at="2026-05-01T00:00Z")

    with pytest.raises(Refused, match="finished"):
        bring(spring)


def test_standings_follow_from_what_was_brought(spring):
    bring(spring)

    first = standings(spring.stage, public=True).rows[0].row
    assert Player.objects.get(pk=first.player).name == "Anna"


@pytest.mark.django_db(transaction=True)
def test_of_two_people_with_the_same_list_one_saves(spring):
    outcomes = at_once(lambda: bring(spring), lambda: bring(spring))

    assert sorted(isinstance(each, Refused) for each in outcomes) == [False, True]
    assert ["saved before" in str(each) for each in outcomes if isinstance(each, Refused)] == [True]
    assert Table.objects.count() == 3


# --- undoing


def test_what_was_brought_is_undone_in_one_step(spring):
    bring(spring)

    undo(spring)

    assert not Round.objects.exists()
    assert not Sheet.objects.exists()
    assert spring.competition.entrants.count() == 8
    assert last_brought(spring.competition) is None
    assert len(bring(spring).new) == 3


def test_other_rounds_stay_when_a_list_is_undone(spring):
    Round.objects.create(stage=spring.stage, number=1)
    bring(spring)

    undo(spring)

    assert Round.objects.count() == 1


def test_it_is_undone_once(spring):
    bring(spring)
    entry = last_brought(spring.competition)
    undo(spring)

    with pytest.raises(Refused, match="already undone"):
        undo_brought(competition=spring.competition, entry=entry.pk, by=spring.alice)


def test_a_table_that_was_corrected_since_is_not_undone(spring):
    bring(spring)
    Round.objects.update(status=Round.Status.OPEN)
    table = Table.objects.select_related("round__stage__division__competition").first()
    sheet = table.sheets.get()
    record_result(
        table=table, points=(40000, 34000, 26000, 20000), based_on=sheet.pk, reason="typo", by=spring.alice
    )

    with pytest.raises(Refused, match="changed since"):
        undo(spring)

    assert Table.objects.count() == 3


def _swap(here: Club, table: Table) -> None:
    one, other = (seat.player_id for seat in table.seats.all()[:2])
    swap_players(
        round_=table.round,
        player=one,
        other_player=other,
        reason="sat wrong",
        based_on=round_state(table.round),
        by=here.alice,
    )


def _give_points(here: Club, table: Table) -> None:
    Adjustment.objects.create(
        stage=here.stage,
        round=table.round,
        player=table.seats.all()[0].player,
        kind=Adjustment.Kind.SAT_OUT,
        score=100,
        reason="sat out",
        created_by=here.alice,
        created_at=timezone.now(),
    )


@pytest.mark.parametrize("happens", [_swap, _give_points])
def test_what_happened_at_a_table_since_is_not_lost(spring, happens):
    bring(spring)
    Round.objects.update(status=Round.Status.OPEN)
    happens(spring, Table.objects.with_rules().first())

    with pytest.raises(Refused, match="changed since"):
        undo(spring)

    assert Table.objects.count() == 3


def test_what_happens_to_another_round_does_not_matter(spring):
    bring(spring)
    other = Round.objects.create(stage=spring.stage, number=99)
    set_visibility(round_=other, visibility=Round.Visibility.SEATING, by=spring.alice)

    undo(spring)

    assert list(Round.objects.all()) == [other]


def test_a_list_of_another_competition_is_not_undone(spring):
    bring(spring)
    other = club("autumn", players=0)

    with pytest.raises(Refused, match="already undone"):
        undo_brought(competition=other.competition, entry=last_brought(spring.competition).pk, by=other.alice)

    assert Table.objects.count() == 3


# --- rounds that exist


def seated(here: Club, names: str = "Anna Ben Cara Dan", **more: object) -> Round:
    """A round with one seated table."""
    round_ = Round.objects.create(**{"stage": here.stage, "number": 5, "date": date(2026, 3, 14)} | more)
    known = dict(Player.objects.values_list("name", "pk"))
    seat_players(round_=round_, tables={3: [known[name] for name in names.split()]}, by=here.alice)
    return round_


@pytest.fixture
def entered(spring) -> Club:
    import_roster(competition=spring.competition, text="Anna\nBen\nCara\nDan\nEmil\nFay", by=spring.alice)
    return spring


GAME = "day,player,points\n2026-03-14,Dan,20000\n,Anna,41000\n,Ben,33000\n,Cara,26000\n"


def test_a_table_goes_to_its_planned_round(entered):
    round_ = seated(entered)

    plan = bring(entered, GAME)

    round_.refresh_from_db()
    sheet = Sheet.objects.get()
    assert plan.rounds == ()
    assert (sheet.table.round, sheet.table.number) == (round_, 3)
    assert sheet.points == (41000, 33000, 26000, 20000), "seats stay as they were planned"
    assert round_.status == Round.Status.OPEN


def test_seats_of_the_list_replace_those_of_the_plan(entered):
    seated(entered)

    bring(
        entered,
        GAME.replace("points", "points,seat")
        .replace("0\n", "0,east\n", 1)
        .replace("1000\n", "1000,south\n")
        .replace("3000\n", "3000,west\n")
        .replace("6000\n", "6000,north\n"),
    )

    assert Sheet.objects.get().points == (20000, 41000, 33000, 26000)
    assert Seat.objects.get(player__name="Dan").wind == Seat.Wind.EAST


def test_a_round_without_a_seating_takes_the_tables_of_its_day(entered):
    round_ = Round.objects.create(stage=entered.stage, number=5, date=date(2026, 3, 14))

    bring(entered, GAME)

    assert Sheet.objects.get().table.round == round_


def test_a_round_is_found_by_its_number(entered):
    rounds = [Round.objects.create(stage=entered.stage, number=number) for number in (4, 5)]

    bring(entered, GAME.replace("day", "round").replace("2026-03-14", "Round 5"))

    assert Sheet.objects.get().table.round == rounds[1]


def _play(here: Club) -> None:
    seated(here)
    bring(here, GAME.replace("41000", "40000").replace("20000", "21000"))


@pytest.mark.parametrize(
    "before",
    [
        _play,
        lambda here: seated(here, "Anna Ben Cara Emil"),
        lambda here: seated(here, date=date(2026, 3, 15)),
        lambda here: Round.objects.filter(pk=seated(here).pk).update(status=Round.Status.CLOSED),
    ],
    ids=["has a result", "seats others", "is on another day", "is closed"],
)
def test_other_rounds_stay_as_they_are(entered, before):
    before(entered)

    plan = bring(entered, GAME)

    assert plan.rounds == (date(2026, 3, 14),)
    assert Sheet.objects.get(east=20000, south=41000).table.round.number == 6


def test_undoing_leaves_the_round_as_it_was(entered):
    round_ = seated(entered)
    more = "2026-03-14,Emil,30000\n,Fay,30000\n,Gil,30000\n,Hana,30000\n"
    bring(entered, GAME + more)
    assert round_.tables.count() == 2

    undo(entered)

    round_.refresh_from_db()
    assert (round_.status, round_.visibility) == ("planned", "hidden")
    assert list(round_.tables.values_list("number", flat=True)) == [3]
    assert not Sheet.objects.exists()
    assert last_brought(entered.competition) is None


def test_a_round_that_went_on_since_is_not_undone(entered):
    round_ = seated(entered)
    bring(entered, GAME)
    set_visibility(round_=round_, visibility=Round.Visibility.RESULTS, by=entered.alice)

    with pytest.raises(Refused, match="changed since"):
        undo(entered)

    assert Sheet.objects.exists()
