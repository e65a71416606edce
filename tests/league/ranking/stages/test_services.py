"""Cut stages, undo them, draw lots, and merge two records of one person in a cut."""

from datetime import date

import pytest

from league.core.errors import OutOfDate, Refused
from league.core.stages import stage_before
from league.models import AuditEntry, Lots, Round, Seat, Stage, StageEntrant
from league.organizing.audit_log.queries import verify_chain
from league.organizing.competitions.services import update_competition
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import remove_entrant, withdraw_entrant
from league.people.members.queries import PlayerInfo, players_of
from league.people.register.services import values_of
from league.play.open_play.services import set_paid, set_presence
from league.play.results.services import confirm_result, record_result
from league.play.rounds.services import close_round, open_round, seat_players, set_visibility
from league.ranking.stages.queries import (
    changed_since,
    equal_rows,
    qualified_players,
    ranked_with_lots,
    story_of,
    unfinished_rounds,
)
from league.ranking.stages.services import add_stage, cut_stage, draw, undo_stage
from league.ranking.standings.queries.standings import compute_standings, standings
from league.ranking.teams.services import add_team, log_team_penalty
from league.referees.penalties.services.log import log_penalty
from players.models import Player
from scoring.cuts import Terms
from tests.factories import Club, as_seen, club, with_texts
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

# Under HKMA A: 60.0, 10.0, −20.0, −50.0; the second table alike but not equal.
FIRST = (45_000, 35_000, 25_000, 15_000)
SECOND = (50_000, 33_000, 22_000, 15_000)  # 65.0, 8.0, −23.0, −50.0


def fresh(stage: Stage) -> Stage:
    return Stage.objects.select_related("division__rule_set", "division__competition").get(pk=stage.pk)


def keys(here: Club, players: list[int] | None) -> list[str]:
    named = dict(here.competition.entrants.values_list("player_id", "key"))
    return [named[player] for player in players or ()]


@module_fixture
def spring() -> Club:
    """One round of two tables, closed. Totals: p5 65, p1 60, p2 10, p6 8, p3 −20, p7 −23, p4 and p8 −50."""
    made = club("spring")
    made.add_round()
    made.record(FIRST)
    made.record(SECOND, number=2)
    close_round(round_=made.rounds[0], by=made.alice)
    return made


def cut(here: Club, top: int = 4, **more: object) -> Stage:
    terms = {name: more.pop(name) for name in list(more) if name in Terms.__dataclass_fields__}
    values = {"carry": "none", "name": "Final", "by": here.alice} | more
    return cut_stage(source=here.stage, terms=Terms(top=top, **terms), **values)  # type: ignore[arg-type]


def change_settings(here: Club, **values: object) -> None:
    update_competition(competition=here.competition, values=values, by=here.alice)


def refusal(here: Club, *arguments: object, **more: object) -> str:
    before = (Stage.objects.count(), Round.objects.count(), AuditEntry.objects.count())
    with pytest.raises(Refused) as caught:
        cut(here, *arguments, **more)  # type: ignore[arg-type]
    assert (Stage.objects.count(), Round.objects.count(), AuditEntry.objects.count()) == before
    return str(caught.value)


# --- made


def test_a_cut_makes_a_stage_with_its_players_and_planned_rounds(spring):
    final = cut(spring, head_starts=(400, 300, 200, 100), hanchan=2, seated=True, seed=7)

    entrants = final.qualified.values_list("position", "head_start", "how")
    assert keys(spring, qualified_players(final)) == ["p5", "p1", "p2", "p6"]
    assert list(entrants) == [(1, 400, "rank"), (2, 300, "rank"), (3, 200, "rank"), (4, 100, "rank")]
    assert [(r.number, r.status, r.visibility, r.method, r.seed) for r in final.rounds.all()] == [
        (1, "planned", "hidden", "rank", 7),
        (2, "planned", "hidden", "rank", 7),
    ]
    first, second = (list(r.seats.values_list("player_id", flat=True)) for r in final.rounds.all())
    assert sorted(first) == sorted(second) == sorted(qualified_players(final))
    assert first != second
    entry = AuditEntry.objects.filter(action="stage.cut").get()
    assert (entry.actor, entry.target, entry.after) == (
        spring.alice,
        f"stage:{final.pk}",
        {
            "stage": spring.stage.pk,
            "carry": "none",
            "players": qualified_players(final),
            "head_starts": [400, 300, 200, 100],
            "rounds": 2,
            "seed": 7,
        },
    )
    assert verify_chain(spring.competition).broken_at is None


def test_the_standings_of_a_cut_stage_list_exactly_its_players_with_head_starts_in_what_they_carry(spring):
    final = cut(spring, head_starts=(400, 300, 200), hanchan=1, seated=True)

    rows = compute_standings(fresh(final), public=True).rows

    assert [(r.player.key, r.row.carried, r.head_start, r.row.total, r.row.games) for r in rows] == [
        ("p5", 400, 400, 400, 0),
        ("p1", 300, 300, 300, 0),
        ("p2", 200, 200, 200, 0),
        ("p6", 0, 0, 0, 0),
    ]


@pytest.mark.parametrize(
    ("carry", "brought"), [("none", [100, 0]), ("half", [425, 300]), ("all", [750, 600])]
)
def test_head_starts_come_on_top_of_the_share_that_is_carried(spring, carry, brought):
    final = cut(spring, 2, carry=carry, head_starts=(100,))

    rows = standings(fresh(final), public=True).rows

    assert [row.row.carried for row in rows] == brought


def test_who_plays_without_having_come_through_the_cut_is_not_listed(spring):
    final = cut(spring, 4, hanchan=1, seated=True)
    round_ = final.rounds.get()
    guest = spring.players[7]
    Seat.objects.filter(round=round_, player=qualified_players(final)[3]).update(player=guest)
    open_round(round_=round_, by=spring.alice)
    set_visibility(round_=round_, visibility="results", by=spring.alice)
    record_result(table=round_.tables.get(), points=FIRST, based_on=0, by=spring.charlie)
    log_penalty(stage=final, player_id=guest.pk, score=-20, reason="late", by=spring.bob)

    rows = compute_standings(fresh(final), public=False).rows

    assert sorted(row.player.key for row in rows) == ["p1", "p2", "p5", "p6"]
    assert sorted(row.row.rank for row in rows) == [1, 2, 3, 4]
    assert {row.player.key: row.row.games for row in rows} == {"p1": 1, "p2": 1, "p5": 1, "p6": 0}


def test_five_finalists_sit_out_in_turn(spring):
    final = cut(spring, 5, hanchan=5, seated=True)

    players = set(qualified_players(final))
    out = [players - set(r.seats.values_list("player_id", flat=True)) for r in final.rounds.all()]
    assert sorted(len(each) for each in out) == [1] * 5
    assert set().union(*out) == players


def test_two_semifinal_tables_are_1_4_5_8_and_2_3_6_7(spring):
    draw(stage=spring.stage, players=[spring.players[i].pk for i in (3, 7)], seed=1, by=spring.alice)
    semi = cut(spring, 8, hanchan=2, seated=True)

    positions = {e.player_id: e.position for e in semi.qualified.all()}
    seated = [
        [
            sorted(positions[player] for player in table.seats.values_list("player_id", flat=True))
            for table in round_.tables.all()
        ]
        for round_ in semi.rounds.all()
    ]
    assert seated == [[[1, 4, 5, 8], [2, 3, 6, 7]]] * 2


def test_without_seats_the_rounds_wait_to_be_seated_with_only_the_qualified(spring):
    final = cut(spring, 4, hanchan=3)
    round_ = final.rounds.first()
    four = qualified_players(final)
    assert Seat.objects.filter(round__stage=final).count() == 0

    with pytest.raises(Refused, match="Not in this stage"):
        seat_players(round_=round_, tables={1: [*four[:3], spring.players[7].pk]}, by=spring.alice)
    seat_players(round_=round_, tables={1: four}, by=spring.alice)

    spring.competition.entrants.filter(player=spring.players[7]).update(is_substitute=True)
    seat_players(round_=round_, tables={1: [*four[:3], spring.players[7].pk]}, by=spring.alice)


def test_a_second_final_follows_on_the_same_stage_and_carries_from_it(spring):
    a = cut(spring, 2, hanchan=1)
    b = cut(spring, 2, first=3, carry="all", name="B final")

    rows = compute_standings(fresh(b), public=False).rows

    assert keys(spring, qualified_players(b)) == ["p2", "p6"]
    assert [row.row.carried for row in rows] == [100, 80]
    assert (a.slug, b.slug, b.position) == ("final", "b-final", 3)


def test_picked_players_need_not_have_played(spring):
    spring.add_players(1)
    final = cut(spring, 3, picked=(spring.players[8].pk,), carry="half", head_starts=(0, 0, 0, 50))

    rows = compute_standings(fresh(final), public=False).rows

    assert keys(spring, qualified_players(final)) == ["p5", "p1", "p2", "p9"]
    assert {row.player.key: row.row.carried for row in rows}["p9"] == 50
    assert list(final.qualified.values_list("how", flat=True)) == ["rank", "rank", "rank", "hand"]


def test_wild_cards_go_by_their_metric(spring):
    final = cut(spring, 2, wild_cards=1, wild_card_by="best_points")

    assert keys(spring, qualified_players(final)) == ["p5", "p1", "p2"]  # 35 000 against 33 000
    assert final.qualified.last().how == "wild_card"


def test_points_that_a_substitute_scored_earn_no_wild_card(spring):
    """p2 has 35,000 points and p6 has 33,000. A substitute, who is entered as p9, scored those of p2."""
    spring.add_players(1)
    seat = Seat.objects.get(player=spring.players[1])
    seat.stands_for, seat.player = spring.players[1], spring.players[8]
    seat.save()

    final = cut(spring, 2, wild_cards=1, wild_card_by="best_points")

    assert keys(spring, qualified_players(final)) == ["p5", "p1", "p6"]


def test_a_substitute_who_was_chosen_is_listed(spring):
    spring.competition.entrants.filter(key="p8").update(is_substitute=True)
    final = cut(spring, 1, picked=(spring.players[7].pk,), head_starts=(0, 50))

    rows = compute_standings(fresh(final), public=False).rows

    assert [(row.player.key, row.row.total) for row in rows] == [("p8", 50), ("p5", 0)]


# --- who is gone


def test_the_next_moves_up_for_a_player_who_withdrew_and_both_are_named(spring):
    withdraw_entrant(entrant=spring.competition.entrants.get(key="p1"), by=spring.alice)

    final = cut(spring, 3)
    story = story_of(fresh(final), [fresh(spring.stage), fresh(final)])

    assert keys(spring, qualified_players(final)) == ["p5", "p2", "p6"]
    assert [info.key for info in story.gone] == ["p1"]
    assert [info.key for info in story.moved_up] == ["p6"]


def test_who_withdrew_cannot_be_picked(spring):
    withdraw_entrant(entrant=spring.competition.entrants.get(key="p8"), by=spring.alice)
    assert "not eligible" in refusal(spring, 3, picked=(spring.players[7].pk,))


def test_a_withdrawal_after_the_cut_is_reported_and_the_cut_can_be_made_again(spring):
    final = cut(spring, 3, hanchan=2)
    assert changed_since(fresh(final), fresh(spring.stage)) is None

    withdraw_entrant(entrant=spring.competition.entrants.get(key="p5"), by=spring.alice)
    changed = changed_since(fresh(final), fresh(spring.stage))
    assert changed is not None
    assert [[info.key for info in side] for side in (changed.no_longer, changed.instead)] == [["p5"], ["p6"]]

    undo_stage(stage=final, by=spring.alice)
    assert keys(spring, qualified_players(cut(spring, 3))) == ["p1", "p2", "p6"]


# --- refused


def test_an_unfinished_round_refuses_the_cut_in_words(spring):
    open_round(round_=spring.rounds[0], by=spring.alice)
    assert refusal(spring) == "Still open: round 1. Enter the missing results and close it first."

    close_round(round_=spring.rounds[0], by=spring.alice)
    spring.add_round(opened=False)
    assert "Not played yet: round 2" in refusal(spring)


def test_sheets_that_wait_for_a_second_person_refuse_the_cut_where_only_confirmed_ones_count(spring):
    change_settings(spring, counting="confirmed")
    spring.stage.division.competition.refresh_from_db()
    open_round(round_=spring.rounds[0], by=spring.alice)
    confirm_result(**as_seen(spring.table()), by=spring.bob)
    close_round(round_=spring.rounds[0], by=spring.alice)

    assert [each.why for each in unfinished_rounds(fresh(spring.stage))] == ["confirm"]
    assert "Round 1 has score sheets awaiting confirmation" in refusal(spring)


def test_a_stage_without_a_result_is_not_cut():
    assert "no results that count yet" in refusal(club("empty"), 4)


def test_more_players_than_there_are_refuse_the_cut(spring):
    assert refusal(spring, 9) == "Too few players can qualify: 8. The cut needs 9."
    assert refusal(spring, 0) == "Too few players can qualify: 0. The cut needs 1."


def test_five_cannot_sit_out_equally_often_in_four_hanchan(spring):
    assert "5, 10, 15" in refusal(spring, 5, hanchan=4, seated=True)
    assert "do not fill tables of four" in refusal(spring, 6, hanchan=4, seated=True)
    assert cut(spring, 6, hanchan=4).qualified.count() == 6


# --- lots


def equal_at_the_line(here: Club) -> list[int]:
    """p4 and p8 share −50.0 and everything else."""
    return [here.players[3].pk, here.players[7].pk]


def test_equals_at_the_line_need_lots_which_are_kept_and_reported(spring):
    assert "Draw lots" in refusal(spring, 7)

    lots = draw(stage=spring.stage, players=equal_at_the_line(spring), seed=3, by=spring.alice)
    final = cut(spring, 7)
    story = story_of(fresh(final), [fresh(spring.stage), fresh(final)])

    winner, loser = lots.drawn_ids
    assert qualified_players(final)[-1] == winner
    assert [(list(each.inside), list(each.outside), each.by) for each in story.decided] == [
        ([info(spring, winner)], [info(spring, loser)], "lots")
    ]
    assert [(lots.seed, [i.player for i in drawn]) for lots, drawn in story.draws] == [(3, [winner, loser])]
    entry = AuditEntry.objects.filter(action="lots.draw").get()
    assert entry.after == {"players": [winner, loser], "seed": 3}


def info(here: Club, player: int) -> PlayerInfo:
    return players_of(here.competition)[player]


def test_lots_are_drawn_once_only_between_equals_and_only_at_the_end(spring):
    with pytest.raises(OutOfDate):
        draw(
            stage=spring.stage, players=[spring.players[0].pk, spring.players[1].pk], seed=1, by=spring.alice
        )
    open_round(round_=spring.rounds[0], by=spring.alice)
    with pytest.raises(Refused, match="Still open"):
        draw(stage=spring.stage, players=equal_at_the_line(spring), seed=1, by=spring.alice)
    close_round(round_=spring.rounds[0], by=spring.alice)

    draw(stage=spring.stage, players=equal_at_the_line(spring), seed=1, by=spring.alice)
    with pytest.raises(OutOfDate, match="These players are no longer tied, or lots were already drawn"):
        draw(stage=spring.stage, players=equal_at_the_line(spring), seed=2, by=spring.alice)
    assert Lots.objects.count() == 1
    assert equal_rows(fresh(spring.stage)) == []


def test_lots_count_in_the_standings_only_where_they_are_a_tie_break(spring):
    lots = draw(stage=spring.stage, players=equal_at_the_line(spring), seed=3, by=spring.alice)

    def last_two() -> list[tuple[int, int, str | None]]:
        rows = compute_standings(fresh(spring.stage), public=True).rows[-2:]
        return [(row.row.rank, row.row.player, row.row.decided_by) for row in rows]

    assert [rank for rank, _player, _by in last_two()] == [7, 7]
    change_settings(spring, tie_breaks=["firsts", "lots"])
    assert last_two() == [(7, lots.drawn_ids[0], None), (8, lots.drawn_ids[1], "lots")]


def test_lots_drawn_while_results_were_hidden_tell_the_public_nothing(spring):
    change_settings(spring, tie_breaks=["lots"])
    made = spring.add_round(visibility="hidden")
    spring.record(FIRST, round_number=2)
    spring.record(SECOND, round_number=2, number=2)
    close_round(round_=made, by=spring.alice)
    draw(stage=spring.stage, players=equal_at_the_line(spring), seed=3, by=spring.alice)

    def shared(*, public: bool) -> list[bool]:
        return [row.row.tied for row in compute_standings(fresh(spring.stage), public=public).rows[-2:]]

    assert shared(public=False) == [False, False]
    assert shared(public=True) == [True, True]
    set_visibility(round_=made, visibility="results", by=spring.alice)
    assert shared(public=True) == [False, False]


# --- tie-breaks that know more than the games


def test_the_rank_of_the_stage_before_breaks_ties_without_anything_carried(spring):
    final = cut(spring, 4, hanchan=1, seated=True)
    change_settings(spring, tie_breaks=["preliminary_rank"])
    round_ = final.rounds.get()
    open_round(round_=round_, by=spring.alice)
    record_result(table=round_.tables.get(), points=(30_000,) * 4, based_on=0, by=spring.charlie)

    rows = compute_standings(fresh(final), public=False).rows

    assert [(r.player.key, r.row.rank, r.row.decided_by) for r in rows] == [
        ("p5", 1, None),
        ("p1", 2, "preliminary_rank"),
        ("p2", 3, "preliminary_rank"),
        ("p6", 4, "preliminary_rank"),
    ]


@pytest.mark.parametrize(
    ("tie_breaks", "ranks"), [(["preliminary_rank"], [7, 7]), (["preliminary_rank", "lots"], [7, 8])]
)
def test_lots_of_the_stage_before_decide_its_ranks_only_where_they_are_a_tie_break(spring, tie_breaks, ranks):
    draw(stage=spring.stage, players=equal_at_the_line(spring), seed=3, by=spring.alice)
    final = cut(spring, 8, hanchan=1, seated=True)
    change_settings(spring, tie_breaks=tie_breaks)
    round_ = final.rounds.get()
    open_round(round_=round_, by=spring.alice)
    for table in round_.tables.all():
        record_result(table=table, points=(30_000,) * 4, based_on=0, by=spring.charlie)

    assert [line.row.rank for line in ranked_with_lots(fresh(final)).rows[-2:]] == ranks


def test_the_rank_of_last_season_breaks_ties(spring):
    spring.competition.entrants.filter(key="p8").update(previous_rank=2)
    change_settings(spring, tie_breaks=["previous_rank"])

    rows = compute_standings(fresh(spring.stage), public=True).rows

    assert [(r.player.key, r.row.rank, r.row.decided_by) for r in rows[-2:]] == [
        ("p8", 7, None),
        ("p4", 8, "previous_rank"),
    ]


# --- undone


def test_a_cut_can_be_undone_until_its_first_result(spring):
    final = cut(spring, 4, hanchan=2, seated=True)

    undo_stage(stage=final, by=spring.alice)

    assert (Stage.objects.count(), StageEntrant.objects.count(), Round.objects.count()) == (1, 0, 1)
    entry = with_texts(AuditEntry.objects.filter(action="stage.undo").get())
    assert (entry.before["name"], entry.before["rounds"], len(entry.before["players"])) == ("Final", 2, 4)
    with pytest.raises(Refused, match="a moment ago"):
        undo_stage(stage=final, by=spring.alice)


def test_a_stage_with_a_result_a_penalty_or_a_stage_after_it_stays(spring):
    final = cut(spring, 4, hanchan=1, seated=True)
    with pytest.raises(Refused, match="The first stage of a division cannot be removed"):
        undo_stage(stage=spring.stage, by=spring.alice)
    after = add_stage(division=spring.division, name="Last", by=spring.alice)
    with pytest.raises(Refused, match="Last"):
        undo_stage(stage=final, by=spring.alice)
    undo_stage(stage=after, by=spring.alice)

    penalty = log_penalty(
        stage=final, player_id=qualified_players(final)[0], score=-20, reason="late", by=spring.bob
    )
    with pytest.raises(Refused, match="penalty"):
        undo_stage(stage=final, by=spring.alice)
    penalty.delete()

    open_round(round_=final.rounds.get(), by=spring.alice)
    record_result(table=final.rounds.get().tables.get(), points=FIRST, based_on=0, by=spring.charlie)
    with pytest.raises(Refused, match="score sheets"):
        undo_stage(stage=final, by=spring.alice)
    assert Stage.objects.filter(pk=final.pk).exists()


def test_a_stage_added_after_earlier_ones_were_undone_comes_last(spring):
    undone = [cut(spring, 4), cut(spring, 3)]
    last = cut(spring, 2)
    for stage in undone:
        undo_stage(stage=stage, by=spring.alice)

    added = add_stage(division=spring.division, name="Super", carry="all", by=spring.alice)

    stages = list(Stage.objects.filter(division=spring.division))
    assert stages == [spring.stage, last, added]
    assert stage_before(added, stages) == last


def test_a_stage_with_a_penalty_of_a_team_or_a_paid_fee_stays(spring):
    last = add_stage(division=spring.division, name="Last", by=spring.alice)
    team = add_team(competition=spring.competition, name="Reds", by=spring.alice)
    penalty = log_team_penalty(team=team, stage=last, score=-500, reason="late", by=spring.alice)
    with pytest.raises(Refused, match="A stage with a penalty cannot be undone"):
        undo_stage(stage=last, by=spring.alice)
    penalty.delete()

    entrant, day = spring.competition.entrants.get(key="p1"), date(2026, 5, 3)
    set_presence(stage=last, on=day, today=day, entrant=entrant, here=True, by=spring.alice)
    set_paid(stage=last, on=day, today=day, entrant=entrant, paid=True, by=spring.alice)
    with pytest.raises(Refused, match="Mark them as unpaid first"):
        undo_stage(stage=last, by=spring.alice)

    set_paid(stage=last, on=day, today=day, entrant=entrant, paid=False, by=spring.alice)
    undo_stage(stage=last, by=spring.alice)
    assert not Stage.objects.filter(pk=last.pk).exists()


# --- records


def test_who_came_through_a_cut_is_not_removed(spring):
    spring.add_players(1)
    cut(spring, 3, picked=(spring.players[8].pk,))
    entrant = spring.competition.entrants.get(key="p9")

    with pytest.raises(Refused):
        remove_entrant(competition=spring.competition, entrant_id=entrant.pk, by=spring.alice)


def merged(here: Club, keep: Player, gone: Player) -> None:
    merge_players(
        competition=here.competition, keep=keep.pk, gone=gone.pk, values=values_of(keep), by=here.alice
    )


def test_a_merged_record_keeps_its_place_in_cut_and_lots(spring):
    draw(stage=spring.stage, players=equal_at_the_line(spring), seed=3, by=spring.alice)
    final = cut(spring, 7, picked=())
    spring.add_players(1)
    gone, keep = spring.players[3], spring.players[8]
    places = [keep.pk if player == gone.pk else player for player in qualified_players(final)]
    drawn = [keep.pk if player == gone.pk else player for player in Lots.objects.get().drawn_ids]

    merged(spring, keep, gone)

    final = fresh(final)
    assert qualified_players(final) == places
    assert Lots.objects.get().drawn_ids == drawn
    assert sorted([*final.cut["decided"][0]["in"], *final.cut["decided"][0]["out"]]) == sorted(drawn)


def test_two_who_came_through_one_cut_are_two_people(spring):
    spring.add_players(2)
    one, other = spring.players[8:10]
    cut(spring, 2, picked=(one.pk, other.pk))

    with pytest.raises(Refused, match="two people"):
        merged(spring, one, other)
