"""Open play: tables that players make up, what is refused, and what can be taken away again."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from league.core.errors import Refused
from league.models import AuditEntry, Entrant, Round, Seat, Table
from league.play.bans.services import set_ban
from league.play.calendar.queries.open_play import DayCount, day_counts, open_play_days
from league.play.calls.services import call_referee
from league.play.open_play.queries import enters_own_results, players_of_stage, to_be_played
from league.play.open_play.services import draw_winds, drop_table, make_table, set_play
from league.play.results.services import confirm_result, record_result
from league.play.substitutions.services.substitutions import add_adjustment
from league.ranking.stages.queries import unfinished_rounds
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

TODAY = date(2026, 5, 6)
POINTS = (45_000, 35_000, 25_000, 15_000)


@module_fixture
def here() -> Club:
    made = club()
    made.stage.play = "free"
    made.stage.save()
    return made


def table_of(here: Club, *positions: int, on: date = TODAY, seed: int | None = None) -> Table:
    four = [here.players[position].pk for position in positions or (0, 1, 2, 3)]
    return make_table(stage=here.stage, four=four, on=on, today=TODAY, seed=seed, by=here.dora)


def seated(table: Table) -> list[int]:
    return list(Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True))


def test_a_table_is_a_round_of_its_own_open_and_published(here):
    first, second = table_of(here, 3, 1, 0, 2), table_of(here, 4, 5, 6, 7)
    fields = ("number", "date", "status", "visibility", "method", "seed")
    assert list(Round.objects.order_by("pk").values_list(*fields)) == [
        (1, TODAY, "open", "results", "hand", None),
        (2, TODAY, "open", "results", "hand", None),
    ]
    assert [seated(first), seated(second)] == [
        [here.players[i].pk for i in (3, 1, 0, 2)],
        [here.players[i].pk for i in (4, 5, 6, 7)],
    ]


def test_drawn_winds_can_be_drawn_again(here):
    four = [p.pk for p in here.players[:4]]
    table = table_of(here, seed=7)
    assert seated(table) == draw_winds(four[::-1], 7)
    assert {tuple(draw_winds(four, seed)) for seed in range(200)} > {tuple(four)}
    assert AuditEntry.objects.get(action="table.make").after["seed"] == 7


def test_the_same_four_play_several_hanchan_a_day(here):
    assert table_of(here).round_id != table_of(here).round_id


@pytest.mark.parametrize(("positions", "why"), [((0, 1, 2), "needs four"), ((0, 1, 2, 2), "listed twice")])
def test_four_different_players_sit_down(here, positions, why):
    with pytest.raises(Refused, match=why):
        table_of(here, *positions)


def test_only_players_of_the_stage_and_substitutes_sit_down(here):
    entrants = {e.player_id: e for e in Entrant.objects.all()}
    other = entrants[here.players[4].pk]
    other.division = None
    other.save()
    with pytest.raises(Refused, match=r"Not in this division: Dora\. Choose players of Main"):
        table_of(here, 0, 1, 2, 4)
    Entrant.objects.filter(pk=other.pk).update(is_substitute=True)
    table_of(here, 0, 1, 2, 4)
    Entrant.objects.filter(player=here.players[0]).update(withdrawn_at=timezone.now())
    with pytest.raises(Refused, match="Withdrawn: 陳大文"):
        table_of(here)
    names = [info.player for info in players_of_stage(here.stage)]
    assert sorted(names) == sorted(p.pk for p in here.players[1:])


def test_a_player_of_another_competition_does_not_sit_down(here):
    stranger = club("autumn").players[0].pk
    four = [*(p.pk for p in here.players[:3]), stranger]
    with pytest.raises(Refused, match="not entered"):
        make_table(stage=here.stage, four=four, on=TODAY, today=TODAY, by=here.dora)
    assert Round.objects.filter(stage=here.stage).count() == 0


def test_a_banned_player_does_not_sit_down(here):
    set_ban(
        competition=here.competition,
        player_id=here.players[1].pk,
        since=TODAY,
        until=None,
        reason="threw tiles",
        by=here.alice,
    )
    with pytest.raises(Refused) as caught:
        table_of(here)
    assert str(caught.value) == (
        "Banned: 李小明 (permanently). Choose other players, or have the ban lifted."
    )
    assert Round.objects.count() == 0


def test_a_day_far_from_today_is_a_slip(here):
    for days in (-32, 32):
        with pytest.raises(Refused, match="more than a month"):
            table_of(here, on=TODAY + timedelta(days=days))
    table_of(here, on=TODAY - timedelta(days=31))


def test_a_stage_in_rounds_is_seated_by_the_organizer(here):
    here.stage.play = "rounds"
    here.stage.save()
    with pytest.raises(Refused, match="The organizer seats"):
        table_of(here)


def test_a_table_made_by_mistake_is_taken_away(here):
    table = table_of(here)
    drop_table(table=table, by=here.dora)
    assert (Round.objects.count(), Table.objects.count()) == (0, 0)
    with pytest.raises(Refused, match="no longer exists"):
        drop_table(table=table, by=here.dora)


def test_a_table_stays_with_its_sheet_or_what_the_referees_keep(here):
    with_sheet, with_call = table_of(here), table_of(here)
    record_result(table=with_sheet, points=POINTS, based_on=0, by=here.charlie)
    call_referee(table=with_call, by=None)
    with pytest.raises(Refused, match="A table with a score sheet cannot be removed"):
        drop_table(table=with_sheet, by=here.dora)
    with pytest.raises(Refused, match="A table with referee records cannot be removed"):
        drop_table(table=with_call, by=here.dora)


def test_a_table_stays_while_the_organizer_gave_points_for_its_round(here):
    table = table_of(here)
    add_adjustment(
        stage=here.stage,
        round_=table.round,
        entrant=here.competition.entrants.get(key="p8"),
        kind="absent",
        score=-200,
        reason="did not come",
        by=here.alice,
    )
    with pytest.raises(Refused, match="Remove the points first"):
        drop_table(table=table, by=here.dora)


def test_a_table_that_is_seated_by_the_organizer_is_not_dropped(here):
    here.stage.play = "rounds"
    here.stage.save()
    here.add_round()
    with pytest.raises(Refused, match="no longer exists"):
        drop_table(table=here.table(), by=here.dora)


def test_players_enter_their_sheets_where_a_second_person_confirms(here):
    assert enters_own_results(table_of(here)) is False
    here.competition.counting = "confirmed"
    here.competition.save()
    here.stage.refresh_from_db()
    assert enters_own_results(here.table()) is True
    here.stage.play = "rounds"
    here.stage.save()
    assert enters_own_results(here.table()) is False


def test_days_are_counted_in_one_query(here, django_assert_num_queries):
    here.competition.counting = "confirmed"
    here.competition.save()
    tables = [table_of(here, on=TODAY - timedelta(days=day)) for day in (1, 0, 0)]
    for table in tables[:2]:
        record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    confirm_result(**as_seen(tables[0]), by=here.bob)
    with django_assert_num_queries(1):
        found = day_counts([here.stage], Round.objects.all())
    assert found == {
        here.stage.pk: [
            DayCount(here.stage, TODAY, tables=2, entered=1, unconfirmed=1),
            DayCount(here.stage, TODAY - timedelta(days=1), tables=1, entered=1, unconfirmed=0),
        ]
    }


def test_the_calendar_shows_the_days_that_its_reader_may_see(here):
    table_of(here)
    table_of(here)
    Round.objects.filter(number=2).update(visibility="hidden")
    public = open_play_days(here.competition, [here.stage], public=True)
    inside = open_play_days(here.competition, [here.stage], public=False)
    assert [[(day.day, day.tables) for day in days] for days in (public, inside)] == [
        *([(TODAY, 1)], [(TODAY, 2)])
    ]


def test_open_play_is_finished_with_its_sheets(here):
    table = table_of(here)
    assert [each.why for each in unfinished_rounds(here.stage)] == ["open"]
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    assert unfinished_rounds(here.stage) == []


def test_of_many_open_tables_only_those_without_a_sheet_are_to_be_played(here):
    first, second = table_of(here), table_of(here, 4, 5, 6, 7)
    record_result(table=first, points=POINTS, based_on=0, by=here.charlie)
    assert list(to_be_played(Round.objects.all())) == [second.round]
    here.stage.play = "rounds"
    here.stage.save()
    assert to_be_played(Round.objects.all()).count() == 2


def test_how_a_stage_is_played_is_set_before_its_first_round(here):
    set_play(stage=here.stage, play="rounds", by=here.alice)
    here.stage.refresh_from_db()
    assert here.stage.play == "rounds"
    entry = AuditEntry.objects.get(action="stage.play")
    assert (entry.before, entry.after) == ({"play": "free"}, {"play": "rounds"})
    set_play(stage=here.stage, play="free", by=here.alice)
    table_of(here)
    with pytest.raises(Refused, match="already has rounds"):
        set_play(stage=here.stage, play="rounds", by=here.alice)
