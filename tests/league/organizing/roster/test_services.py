"""Players entered, changed, withdrawn and removed: what is saved, what is refused, what is logged."""

import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Competition, Entrant, Role, SittingOut, Submission
from league.organizing.audit_log.queries import verify_chain
from league.organizing.competitions.services import create_competition
from league.organizing.roster.queries import entrants, plan_roster
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import (
    Edit,
    Imported,
    enter_player,
    import_roster,
    reinstate_entrant,
    remove_entrant,
    update_entrant,
    update_in_bulk,
    withdraw_entrant,
)
from league.people.register.services import PlayerValues, register_change, values_of
from league.play.rounds.services import create_round
from league.ranking.teams.services import MOST_TEAMS
from league.referees.penalties.services.log import log_penalty
from players.models import Club as PlayersClub
from players.models import FederationNumber, Player
from players.roster import read_roster
from tests.factories import Club, club, last_entry, revision, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

TEXT = "name,romanized,country,club,EMA number\n新人,Shin Jin,JP,赤坂,007\n@SUM(A1),<b>,,赤坂,\n"


@module_fixture
def spring() -> Club:
    return club(players=4)


@pytest.fixture
def autumn(spring: Club) -> Competition:
    """A second competition of the same league."""
    return create_competition(
        league=spring.league, name="Autumn", slug="autumn", preset_slug="ema-2016", by=spring.alice
    )


def entered(competition: Competition) -> list[tuple[str, str]]:
    found = Entrant.objects.filter(competition=competition).order_by("pk")
    return list(found.values_list("key", "player__name"))


def actions(competition: Competition, text: str, *picks: str) -> list[str]:
    return [line.action for line in plan_roster(competition, read_roster(text), picks=picks).lines]


def sent(*content: object) -> Sent:
    return Sent.of(uuid.uuid4(), *content)


# --- a list


def test_a_list_becomes_players_entrants_clubs_and_numbers(spring):
    before = revision(spring.competition)

    result = import_roster(competition=spring.competition, text=TEXT, by=spring.alice)

    assert result == Imported(new=2, same=0, skipped=0)
    assert entered(spring.competition)[4:] == [("p5", "新人"), ("p6", "@SUM(A1)")]
    assert [values_of(e.player) for e in spring.competition.entrants.order_by("pk")[4:]] == [
        PlayerValues(name="新人", romanized="Shin Jin", country="JP", club="赤坂", numbers=(("EMA", "007"),)),
        PlayerValues(name="@SUM(A1)", romanized="<b>", club="赤坂"),
    ]
    assert PlayersClub.objects.count() == 1
    assert {e.division for e in spring.competition.entrants.all()} == {spring.division}
    assert revision(spring.competition) == before + 1


def test_the_log_of_an_import_holds_ids_and_no_name(spring):
    import_roster(competition=spring.competition, text=TEXT, by=spring.alice)

    entry = last_entry(spring.competition)
    players = {str(e.pk): e.player_id for e in spring.competition.entrants.order_by("pk")[4:]}
    assert (entry.action, entry.after) == ("roster.enter", {"players": players})
    assert verify_chain(spring.competition).broken_at is None


def test_a_list_sent_twice_is_saved_once(spring):
    form = sent("list")
    import_roster(competition=spring.competition, text=TEXT, by=spring.alice, form=form)

    with pytest.raises(AlreadyDone) as again:
        import_roster(competition=spring.competition, text=TEXT, by=spring.alice, form=form)

    assert again.value.answer == {"new": 2, "same": 0, "skipped": 0, "joined": 0, "changed": 0}
    assert spring.competition.entrants.count() == 6


def test_one_bad_line_keeps_the_whole_list_out(spring):
    before = (revision(spring.competition), Player.objects.count(), AuditEntry.objects.count())

    with pytest.raises(Refused):
        import_roster(
            competition=spring.competition, text="name,country\nNew,HK\n,HK\n", by=spring.alice, form=sent()
        )

    assert (revision(spring.competition), Player.objects.count(), AuditEntry.objects.count()) == before
    assert not Submission.objects.exists()


def test_a_list_with_teams_makes_them_and_puts_everyone_into_one(spring):
    text = "name,team\n新人,Ｄragons\nZoë,dragons\n陳大文,Winds\n李小明,"

    result = import_roster(competition=spring.competition, text=text, by=spring.alice)
    moved = import_roster(competition=spring.competition, text="name,team\n陳大文,Dragons", by=spring.alice)

    assert (result, moved) == (
        Imported(new=2, same=0, skipped=2, joined=3),
        Imported(new=0, same=0, skipped=1, joined=0),
    )
    teams = Entrant.objects.filter(competition=spring.competition).exclude(team=None)
    assert list(teams.order_by("pk").values_list("player__name", "team__name")) == [
        ("陳大文", "Winds"),
        ("新人", "Dragons"),
        ("Zoë", "Dragons"),
    ]
    assert Competition.objects.get(pk=spring.competition.pk).team_play == Competition.TeamPlay.SUM


def test_a_list_with_too_many_teams_saves_nobody(spring):
    text = "name,team\n" + "\n".join(f"N{number},T{number}" for number in range(MOST_TEAMS + 1))

    with pytest.raises(Refused):
        import_roster(competition=spring.competition, text=text, by=spring.alice)

    assert (spring.competition.entrants.count(), spring.competition.teams.count()) == (4, 0)


def test_who_is_entered_already_is_left_out(spring):
    result = import_roster(competition=spring.competition, text="陳 大文\n新人", by=spring.alice)

    assert result == Imported(new=1, same=0, skipped=1)
    assert Player.objects.filter(name="陳大文").count() == 1


def test_another_person_of_the_same_name_can_be_entered(spring):
    import_roster(competition=spring.competition, text="陳大文", picks=["1:new"], by=spring.alice)

    assert Player.objects.filter(name="陳大文").count() == 2


def test_an_exact_match_of_the_register_is_the_same_person(spring, autumn):
    assert actions(autumn, "陳大文\n新人") == ["same", "new"]

    result = import_roster(competition=autumn, text="陳大文\n新人", by=spring.alice)

    assert result == Imported(new=1, same=1, skipped=0)
    assert autumn.entrants.order_by("pk")[0].player == spring.players[0]


def test_a_near_match_is_a_new_person_until_the_organizer_says_otherwise(spring, autumn):
    Player.objects.filter(pk=spring.players[0].pk).update(romanized="Chan Tai Man")
    pick = f"1:same:{spring.players[0].pk}"
    assert actions(autumn, "Tai-Man Chan") == ["new"]

    result = import_roster(competition=autumn, text="Tai-Man Chan", picks=[pick], by=spring.alice)

    assert result == Imported(new=0, same=1, skipped=0)
    assert autumn.entrants.get().player == spring.players[0]


def test_a_tick_for_a_person_who_was_never_offered_is_refused(spring, autumn):
    stranger = club("other").players[1]

    plan = plan_roster(autumn, read_roster("陳大文"), picks=[f"1:same:{stranger.pk}"])

    assert [line.action for line in plan.lines] == ["stuck"]
    with pytest.raises(Refused):
        import_roster(competition=autumn, text="陳大文", picks=[f"1:same:{stranger.pk}"], by=spring.alice)


@pytest.mark.parametrize(
    "picks", [["1:new", "1:same:{pk}"], ["1:same:x"], ["1:same:"], ["1:same:{pk}", "1:same:9"]]
)
def test_ticks_that_make_no_sense_are_refused(spring, autumn, picks):
    picks = [pick.format(pk=spring.players[0].pk) for pick in picks]

    assert actions(autumn, "陳大文", *picks) == ["stuck"]


@pytest.mark.parametrize("pick", ["", ":", "1", "x:new", "99999999999999999999:new", "²:new", "\0:new"])
def test_a_malformed_tick_is_ignored(spring, autumn, pick):
    assert actions(autumn, "陳大文", pick) == ["same"]


def test_several_of_one_name_in_the_register_ask_for_a_choice(spring, autumn):
    second = Player.objects.create(register=spring.league.register, name="陳大文")

    assert actions(autumn, "陳大文") == ["stuck"]
    assert actions(autumn, "陳大文", f"1:same:{second.pk}") == ["same"]
    assert actions(autumn, "陳大文", "1:new") == ["new"]


def test_an_identical_line_is_entered_once_unless_ticked(spring):
    assert actions(spring.competition, "新人\n新 人") == ["new", "twin"]
    assert actions(spring.competition, "新人\n新 人", "2:add") == ["new", "new"]


def test_lines_that_differ_in_any_part_are_two_people(spring):
    text = "name,club\n新人,Kiel\n新人,Bonn\n新人,Kiel"

    assert actions(spring.competition, text) == ["new", "new", "twin"]


def test_two_lines_cannot_be_one_person_of_the_register(spring, autumn):
    pk = spring.players[0].pk
    Player.objects.filter(pk=pk).update(romanized="Chan Tai Man")

    assert actions(autumn, "陳大文\nTai-Man Chan", f"2:same:{pk}") == ["same", "stuck"]


def test_of_two_namesakes_one_may_be_known_and_the_other_new(spring, autumn):
    text = "name,club\n陳大文,Kiel\n陳大文,Bonn"
    plan = plan_roster(autumn, read_roster(text))

    assert [line.problems for line in plan.lines] == [
        (),
        ("Line 2 is the same person. Remove one of the two, or tick a new person.",),
    ]
    assert [choice["value"] for choice in plan.lines[1].choices] == ["3:new"]
    assert actions(autumn, text, "3:new") == ["same", "new"]


def test_a_number_of_another_person_asks_for_attention(spring, autumn):
    FederationNumber.objects.create(player=spring.players[0], federation="EMA", number="007")
    text = "name,EMA number\nZoë,007"

    assert actions(autumn, text) == ["stuck"]
    assert actions(autumn, text, f"2:same:{spring.players[0].pk}") == ["same"]
    assert actions(autumn, "name,EMA number\n李小明,007") == ["stuck"]


def test_lines_name_their_division_by_name_or_address(spring):
    from league.organizing.competitions.services import add_division

    add_division(
        competition=spring.competition, name="Division B", preset_slug="hkma-b-2025-04", by=spring.alice
    )
    text = "name,division\nA,\nB,division b\nC,Division-B\nD,C"

    plan = plan_roster(spring.competition, read_roster(text), division=spring.division.slug)

    named = [line.division.name if line.division else None for line in plan.lines]
    assert named == [spring.division.name, "Division B", "Division B", None]
    assert [line.problems for line in plan.lines] == [(), (), (), ("Unknown division “C”.",)]


FACTS = "name,romanized,country,EMA number\n陳大文,Chan T.M.,HK,007"


def test_a_list_leaves_the_record_of_a_known_person_as_it_is(spring, autumn):
    before = revision(spring.competition)

    result = import_roster(competition=autumn, text=FACTS, by=spring.alice)

    assert result == Imported(new=0, same=1, skipped=0)
    assert values_of(Player.objects.get(pk=spring.players[0].pk)) == PlayerValues(name="陳大文")
    assert revision(spring.competition) == before


def test_a_tick_changes_the_record_of_the_person_to_what_the_line_says(spring, autumn):
    Player.objects.filter(pk=spring.players[0].pk).update(romanized="Chan Tai Man")
    before = revision(spring.competition)
    ticks = [f"2:{what}:{spring.players[0].pk}" for what in ("same", "change")]
    plan = plan_roster(autumn, read_roster(FACTS), picks=ticks)

    result = import_roster(competition=autumn, text=FACTS, picks=ticks, by=spring.alice)

    assert [line.changes for line in plan.lines] == [
        [
            ("Romanized name", "Chan Tai Man", "Chan T.M."),
            ("Country", "", "HK"),
            ("EMA number", "", "007"),
        ]
    ]
    assert result == Imported(new=0, same=1, skipped=0, changed=1)
    assert values_of(Player.objects.get(pk=spring.players[0].pk)) == PlayerValues(
        name="陳大文", romanized="Chan T.M.", country="HK", numbers=(("EMA", "007"),)
    )
    assert revision(spring.competition) == before + 1


def test_a_tick_changes_the_record_of_a_player_who_is_entered_already(spring):
    tick = f"2:change:{spring.players[0].pk}"

    result = import_roster(competition=spring.competition, text=FACTS, picks=[tick], by=spring.alice)

    assert result == Imported(new=0, same=0, skipped=1, changed=1)
    assert Player.objects.get(pk=spring.players[0].pk).country == "HK"


@pytest.mark.parametrize("tick", ["2:change:{other}", "2:change:", "2:change", "3:change:{pk}", "2:add"])
def test_a_tick_for_another_person_or_line_changes_nothing(spring, autumn, tick):
    tick = tick.format(pk=spring.players[0].pk, other=spring.players[1].pk)

    import_roster(competition=autumn, text=FACTS, picks=[tick], by=spring.alice)

    assert values_of(Player.objects.get(pk=spring.players[0].pk)) == PlayerValues(name="陳大文")


def test_an_organizer_of_one_competition_does_not_change_who_plays_in_another(spring, autumn):
    zoe = user("zoe")
    Role.objects.create(competition=autumn, user=zoe, kind=Role.Kind.ORGANIZER)
    tick = f"2:change:{spring.players[0].pk}"

    with pytest.raises(Refused, match="陳大文: also entered in a competition"):
        import_roster(competition=autumn, text=FACTS, picks=[tick], by=zoe)
    import_roster(competition=autumn, text=FACTS, by=zoe)

    assert Player.objects.get(pk=spring.players[0].pk).country == ""
    assert autumn.entrants.count() == 1


def test_a_number_in_a_changed_record_belongs_to_nobody_else(spring, autumn):
    FederationNumber.objects.create(player=spring.players[1], federation="EMA", number="007")

    assert actions(autumn, FACTS, f"2:change:{spring.players[0].pk}") == ["stuck"]


def test_the_plan_of_a_thousand_lines_takes_no_more_queries_than_of_one(spring):
    def queries(count: int) -> int:
        roster = read_roster("\n".join(f"Player {i}" for i in range(count)))
        with CaptureQueriesContext(connection) as captured:
            assert len(plan_roster(spring.competition, roster).lines) == count
        return len(captured)

    assert queries(1000) == queries(1) <= 4


# --- one player


def test_one_player_is_entered_with_a_key_that_was_never_used(spring):
    Entrant.objects.filter(competition=spring.competition, key="p2").update(key="p40")

    entrant = enter_player(
        competition=spring.competition,
        values=PlayerValues(name="新人"),
        division=spring.division,
        by=spring.alice,
    )

    assert (entrant.key, entrant.division, entrant.player.register) == (
        "p41",
        spring.division,
        spring.league.register,
    )


def test_the_key_of_a_player_who_was_removed_or_merged_is_not_given_again(spring):
    def enter(name: str) -> Entrant:
        return enter_player(
            competition=spring.competition,
            values=PlayerValues(name=name),
            division=spring.division,
            by=spring.alice,
        )

    last = len(spring.players)
    first = enter("新人")
    remove_entrant(competition=spring.competition, entrant_id=first.pk, by=spring.alice)
    second = enter("Dora")
    merge_players(
        competition=spring.competition,
        keep=spring.players[0].pk,
        gone=second.player_id,
        values=PlayerValues(name="陳大文"),
        by=spring.alice,
    )
    third = enter("Émile")

    assert [each.key for each in (first, second, third)] == [f"p{last + n}" for n in (1, 2, 3)]


def test_a_key_that_another_competition_assigned_and_removed_is_free(spring, autumn):
    gone = enter_player(
        competition=spring.competition,
        values=PlayerValues(name="新人"),
        division=spring.division,
        by=spring.alice,
    )
    remove_entrant(competition=spring.competition, entrant_id=gone.pk, by=spring.alice)
    first = enter_player(
        competition=autumn,
        values=PlayerValues(name="Dora"),
        division=autumn.divisions.get(),
        by=spring.alice,
    )
    assert (gone.key, first.key) == ("p5", "p1")


def test_a_person_is_not_entered_twice(spring):
    with pytest.raises(Refused, match="already entered"):
        enter_player(
            competition=spring.competition,
            values=PlayerValues(name="陳大文"),
            division=None,
            same_as=spring.players[0].pk,
            by=spring.alice,
        )


def test_a_person_of_another_league_cannot_be_entered(spring):
    other = club("other").players[0]

    with pytest.raises(Refused):
        enter_player(
            competition=spring.competition,
            values=PlayerValues(name="陳大文"),
            division=None,
            same_as=other.pk,
            by=spring.alice,
        )


def test_a_changed_record_shows_in_every_competition_of_the_league(spring, autumn):
    import_roster(competition=autumn, text="陳大文", by=spring.alice)
    before = [revision(spring.competition), revision(autumn)]
    entrant = spring.competition.entrants.get(player=spring.players[0])
    values = PlayerValues(name="陳大明", country="HK", club="Kowloon", numbers=(("EMA", "1"),))

    update_entrant(entrant=entrant, values=values, division=spring.division, by=spring.alice)

    assert values_of(Player.objects.get(pk=entrant.player_id)) == values
    assert [revision(spring.competition), revision(autumn)] == [n + 1 for n in before]
    club_id = PlayersClub.objects.get().pk
    for competition in (spring.competition, autumn):
        entry = last_entry(competition)
        assert (entry.action, entry.before, entry.after) == (
            "player.update",
            {"country": "", "club": None},
            {"country": "HK", "club": club_id, "changed": ["name", "numbers"]},
        )


def test_a_record_shared_with_a_competition_of_others_is_not_changed_from_here(spring, autumn):
    zoe = user("zoe")
    Role.objects.create(competition=autumn, user=zoe, kind=Role.Kind.ORGANIZER)
    import_roster(competition=autumn, text="陳大文", by=spring.alice)
    entrant = autumn.entrants.get()

    with pytest.raises(Refused, match="Ask an owner of the league"):
        update_entrant(entrant=entrant, values=PlayerValues(name="X"), division=None, by=zoe)
    update_entrant(entrant=entrant, values=values_of(entrant.player), division=None, by=zoe)

    assert Player.objects.get(pk=entrant.player_id).name == "陳大文"
    assert autumn.entrants.get().division is None
    assert last_entry(autumn).action == "entrant.update"


def test_a_number_of_another_player_is_refused(spring):
    FederationNumber.objects.create(player=spring.players[1], federation="EMA", number="007")
    entrant = spring.competition.entrants.get(player=spring.players[0])
    values = PlayerValues(name="陳大文", numbers=(("ema", "007"),))

    with pytest.raises(Refused) as refusal:
        update_entrant(entrant=entrant, values=values, division=None, by=spring.alice)

    assert refusal.value.field == "numbers"


def test_withdrawing_and_reinstating_are_each_done_once(spring):
    entrant = spring.competition.entrants.get(player=spring.players[0])

    assert withdraw_entrant(entrant=entrant, by=spring.alice).withdrawn_at is not None
    with pytest.raises(Refused):
        withdraw_entrant(entrant=entrant, by=spring.alice)
    assert reinstate_entrant(entrant=entrant, by=spring.alice).withdrawn_at is None
    with pytest.raises(Refused):
        reinstate_entrant(entrant=entrant, by=spring.alice)


def test_a_player_who_was_never_seated_is_taken_out_of_the_register_too(spring):
    entrant = spring.competition.entrants.get(player=spring.players[0])
    round_ = create_round(stage=spring.stage, by=spring.alice)
    SittingOut.objects.create(round=round_, player=entrant.player)

    remove_entrant(competition=spring.competition, entrant_id=entrant.pk, by=spring.alice)

    assert not Player.objects.filter(pk=entrant.player_id).exists()
    assert last_entry(spring.competition).before == {
        "player": entrant.player_id,
        "division": spring.division.pk,
        "key": "p1",
    }


def test_a_player_of_another_competition_stays_in_the_register(spring, autumn):
    import_roster(competition=autumn, text="陳大文", by=spring.alice)

    remove_entrant(competition=autumn, entrant_id=autumn.entrants.get().pk, by=spring.alice)

    assert Player.objects.filter(pk=spring.players[0].pk).exists()


def test_who_was_seated_or_punished_stays(spring):
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob)
    punished = spring.competition.entrants.get(player=spring.players[0])
    with pytest.raises(Refused, match="A player who was seated or penalized cannot be removed"):
        remove_entrant(competition=spring.competition, entrant_id=punished.pk, by=spring.alice)

    spring.add_round()
    seated = spring.competition.entrants.get(player=spring.players[1])
    with pytest.raises(Refused, match="A player who was seated or penalized cannot be removed"):
        remove_entrant(competition=spring.competition, entrant_id=seated.pk, by=spring.alice)


def test_many_players_are_changed_in_as_many_queries_as_few(spring, django_assert_max_num_queries):
    counts = []
    for size in (2, 4):
        found = list(entrants(spring.competition)[:size])
        edits = [
            Edit(
                entrant=each,
                values=replace(values_of(each.player), club=f"Club {size}", numbers=(("EMA", f"{size}{n}"),)),
                division=None,
            )
            for n, each in enumerate(found)
        ]
        with (
            django_assert_max_num_queries(30) as queries,
            register_change(spring.competition, by=spring.alice, form=None) as done,
        ):
            update_in_bulk(done, edits)
        counts.append(len(queries))
        changed = [entry.target for entry in done.entries if entry.action == "player.update"]
        assert changed == [f"player:{each.player_id}" for each in found]
    assert counts[0] == counts[1]
    assert {values_of(each.player).club for each in entrants(spring.competition)} == {"Club 4"}
    assert set(spring.competition.entrants.values_list("division", flat=True)) == {None}


def test_two_players_swap_their_numbers_and_share_none(spring):
    one, other = entrants(spring.competition)[:2]
    FederationNumber.objects.create(player=one.player, federation="EMA", number="1")

    def give(*numbers: str) -> None:
        found = entrants(spring.competition)[:2]
        edits = [
            Edit(
                entrant=each,
                values=replace(values_of(each.player), numbers=(("EMA", number),)),
                division=each.division,
            )
            for each, number in zip(found, numbers, strict=True)
        ]
        with register_change(spring.competition, by=spring.alice, form=None) as done:
            update_in_bulk(done, edits)

    give("2", "1")
    with pytest.raises(Refused):
        give("3", "3")

    held = FederationNumber.objects.values_list("player", "number")
    assert dict(held) == {one.player_id: "2", other.player_id: "1"}
