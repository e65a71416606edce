"""The end of a season: who goes up, down, stays or plays for it; what cannot be; no one lost or doubled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.promotion import (
    BY_HAND,
    BY_RANK,
    DOWN,
    FEWER_DOWN,
    LEAVE_FREE,
    LEAVES,
    MORE_UP,
    PERCENT,
    PLAY_OFF,
    PLAYED,
    SPARED,
    STAYS,
    UP,
    VACANCIES,
    VACANCY,
    WITHDRAWN,
    FinalPlace,
    Move,
    Movement,
    MovementProblem,
    PlayOff,
    Season,
    Standing,
    end_season,
    final_order,
    ranks_through,
)

NONE = Movement()
DOWN_TWO, UP_TWO = Movement(down=2), Movement(up=2)


def division(
    first: int, count: int, movement: Movement = NONE, *, gone: int = 0, unranked: int = 0
) -> Standing:
    """Players first, first + 1, … in the order of their numbers, and after them those who are gone."""
    places = tuple(
        FinalPlace(first + number, number + 1, unranked=number >= count - unranked) for number in range(count)
    )
    return Standing(places, tuple(range(first + count, first + count + gone)), movement)


def moves(season: Season, *kinds: str) -> dict[int, tuple[str, int | None, str]]:
    """Player → kind, division of next season, why; of these kinds."""
    return {m.player: (m.kind, m.to, m.why) for m in season.moves if m.kind in kinds}


def test_the_last_of_the_upper_go_down_and_the_first_of_the_lower_come_up():
    season = end_season([division(1, 4, DOWN_TWO), division(11, 4, UP_TWO)])

    assert season == Season(
        (
            Move(1, 0, STAYS, 0, BY_RANK),
            Move(2, 0, STAYS, 0, BY_RANK),
            Move(3, 0, DOWN, 1, BY_RANK),
            Move(4, 0, DOWN, 1, BY_RANK),
            Move(11, 1, UP, 0, BY_RANK),
            Move(12, 1, UP, 0, BY_RANK),
            Move(13, 1, STAYS, 1, BY_RANK),
            Move(14, 1, STAYS, 1, BY_RANK),
        )
    )
    assert season.decided
    assert season.sizes(2) == (4, 4)


@pytest.mark.parametrize(
    ("players", "share", "go"), [(10, 25, 3), (9, 25, 2), (8, 25, 2), (1, 25, 0), (4, 100, 4)]
)
def test_a_share_is_the_nearest_whole_number_and_half_a_player_counts_as_one(players, share, go):
    assert Movement(down=share, down_by=PERCENT).goes_down(players) == go


def test_any_number_of_places_moves_somebody():
    for movement in (UP_TWO, DOWN_TWO, Movement(up_play_off=1), Movement(down_play_off=1)):
        assert movement.moves_anybody
    assert not NONE.moves_anybody


def test_without_movement_every_player_stays():
    assert {move.kind for move in end_season([division(1, 4), division(11, 4)]).moves} == {STAYS}


def test_where_a_player_left_fewer_go_down():
    season = end_season([division(1, 7, DOWN_TWO, gone=1), division(11, 8, UP_TWO)])

    assert moves(season, DOWN, LEAVES) == {7: (DOWN, 1, BY_RANK), 8: (LEAVES, None, WITHDRAWN)}
    assert moves(season, STAYS)[6] == (STAYS, 0, SPARED)
    assert season.sizes(2) == (8, 7)


def test_where_more_left_than_would_go_down_more_come_up():
    season = end_season([division(1, 5, DOWN_TWO, gone=3), division(11, 8, UP_TWO)])

    assert moves(season, DOWN) == {}
    assert moves(season, UP) == {11: (UP, 0, BY_RANK), 12: (UP, 0, BY_RANK), 13: (UP, 0, VACANCY)}
    assert season.sizes(2) == (8, 5)


def test_a_free_place_can_go_to_one_more_from_below_and_moves_down_division_by_division():
    middle = Movement(up=1, down=1, vacancies=MORE_UP)
    season = end_season(
        [
            division(1, 3, Movement(down=1, vacancies=MORE_UP), gone=1),
            division(11, 4, middle),
            division(21, 4, Movement(up=1)),
        ]
    )

    assert moves(season, UP) == {
        11: (UP, 0, BY_RANK),
        12: (UP, 0, VACANCY),
        21: (UP, 1, BY_RANK),
        22: (UP, 1, VACANCY),
    }
    assert season.sizes(3) == (4, 4, 3)


def test_a_free_place_can_stay_free():
    upper = Movement(down=1, vacancies=LEAVE_FREE)

    assert end_season([division(1, 3, upper, gone=1), division(11, 4, Movement(up=1))]).sizes(2) == (3, 4)


def test_no_player_comes_up_for_a_free_place_where_none_comes_up_at_all():
    assert moves(end_season([division(1, 3, gone=1), division(11, 4)]), UP) == {}


def test_no_unranked_player_goes_up_for_a_free_place():
    season = end_season(
        [division(1, 3, Movement(down=1), gone=3), division(11, 4, Movement(up=1), unranked=3)]
    )

    assert moves(season, UP) == {11: (UP, 0, BY_RANK)}


UPPER, LOWER = Movement(down=1, down_play_off=1), Movement(up=1, up_play_off=2)


def test_in_a_play_off_the_next_of_both_divisions_meet():
    season = end_season([division(1, 4, UPPER), division(11, 4, LOWER)])

    assert season.play_offs == (PlayOff(0, (3, 12, 13), 1, decided=False),)
    assert set(moves(season, PLAY_OFF)) == {3, 12, 13}
    assert not season.decided
    assert season.sizes(2) == (3, 2)


def result(*players: int) -> dict[int, list[FinalPlace]]:
    return {0: [FinalPlace(player, rank) for rank, player in enumerate(players, 1)]}


@pytest.mark.parametrize(
    ("order", "where"),
    [
        ((12, 3, 13), {3: (DOWN, 1), 12: (UP, 0), 13: (STAYS, 1)}),
        ((3, 13, 12), {3: (STAYS, 0), 12: (STAYS, 1), 13: (STAYS, 1)}),
    ],
)
def test_the_result_of_a_play_off_decides(order, where):
    season = end_season([division(1, 4, UPPER), division(11, 4, LOWER)], played=result(*order))

    assert {m.player: (m.kind, m.to) for m in season.moves if m.why == PLAYED} == where
    assert season.decided
    assert season.sizes(2) == (4, 4)


def test_a_play_off_of_other_players_decides_nothing():
    assert not end_season([division(1, 4, UPPER), division(11, 4, LOWER)], played=result(2, 12, 13)).decided


def test_a_decision_by_hand_goes_before_everything():
    by_hand = {2: 1, 3: 0, 12: 0, 13: 1, 14: None}

    season = end_season([division(1, 4, UPPER), division(11, 4, LOWER)], by_hand=by_hand)

    assert {m.player: (m.kind, m.to) for m in season.moves if m.why == BY_HAND} == {
        2: (DOWN, 1),
        3: (STAYS, 0),
        12: (UP, 0),
        13: (STAYS, 1),
        14: (LEAVES, None),
    }
    assert season.decided


def test_no_player_who_is_gone_comes_back_by_hand():
    season = end_season([division(1, 2, gone=1)], by_hand={3: 0})

    assert moves(season, LEAVES) == {3: (LEAVES, None, WITHDRAWN)}


TIED = Standing(
    (FinalPlace(1, 1), FinalPlace(2, 2, tied=True), FinalPlace(3, 2, tied=True)), movement=Movement(down=1)
)


def test_equal_players_on_both_sides_of_a_line_are_open_until_lots_or_a_hand_decide():
    lower = division(11, 2, Movement(up=1))

    assert end_season([TIED, lower]).open == ((0, (2, 3)),)
    assert not end_season([TIED, lower]).decided
    assert end_season([TIED, lower], by_hand={2: 0, 3: 1}).open == ()


def test_equal_players_on_one_side_of_the_lines_are_not_open():
    assert end_season([Standing(TIED.places, movement=Movement(down=2)), division(11, 3, UP_TWO)]).open == ()


def test_equal_players_of_a_play_off_are_open():
    played = {0: [FinalPlace(3, 1, tied=True), FinalPlace(12, 1, tied=True), FinalPlace(13, 3)]}

    assert end_season([division(1, 4, UPPER), division(11, 4, LOWER)], played=played).open == ((0, (3, 12)),)


@pytest.mark.parametrize(
    ("divisions", "problem"),
    [
        ([division(1, 4, Movement(up=1))], MovementProblem("nothing_above", 0)),
        ([division(1, 4, Movement(down=1))], MovementProblem("nothing_below", 0)),
        (
            [division(1, 4, Movement(down=5)), division(11, 4)],
            MovementProblem("more_than_there_are", 0, 5, 4),
        ),
        (
            [division(1, 4, Movement(down=2, down_play_off=3)), division(11, 4, Movement(up_play_off=1))],
            MovementProblem("more_than_there_are", 0, 5, 4),
        ),
        (
            [division(1, 4, Movement(down=1)), division(11, 4, UP_TWO, unranked=3)],
            MovementProblem("nobody_to_come_up", 1, 2, 1),
        ),
        ([division(1, 4, UPPER), division(11, 4, Movement(up=1))], MovementProblem("play_off_alone", 0)),
    ],
)
def test_what_cannot_be_is_named(divisions, problem):
    season = end_season(divisions)

    assert (season.moves, season.problems, season.decided) == ((), (problem,), False)


@pytest.mark.parametrize(
    "wrong", [{"up": -1}, {"down": 101, "down_by": PERCENT}, {"up_by": "luck"}, {"vacancies": "?"}]
)
def test_movements_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match="no movement"):
        Movement.from_values(wrong)


def test_a_movement_is_kept_without_what_is_usual():
    movement = Movement(up=25, up_by=PERCENT, down=1, down_play_off=2)

    assert movement.as_values() == {"up": 25, "up_by": "percent", "down": 1, "down_play_off": 2}
    assert Movement.from_values(movement.as_values()) == movement
    assert Movement().as_values() == {}
    with pytest.raises(ValueError, match="sideways"):
        Movement.from_values({"sideways": 1})


# --- the order at the end, and the ranks that the next season begins with


def ranked(*players: int, unranked: int = 0) -> list[FinalPlace]:
    return [
        FinalPlace(player, rank, unranked=rank > len(players) - unranked)
        for rank, player in enumerate(players, 1)
    ]


def order(*stages: list[FinalPlace]) -> list[int]:
    return [place.player for place in final_order(stages)]


def test_players_of_a_later_stage_are_in_its_order():
    assert order(ranked(1, 2, 3, 4, 5), ranked(3, 1, 2)) == [3, 1, 2, 4, 5]


def test_a_second_final_begins_at_its_own_place():
    assert order(ranked(1, 2, 3, 4, 5, 6), ranked(2, 1), ranked(5, 3, 4)) == [2, 1, 5, 3, 4, 6]


def test_players_absent_from_a_final_come_after_its_players():
    stages = [ranked(1, 2, 3, 4, 5, 6), ranked(3, 2), ranked(6, 5)]

    assert [place.player for place in final_order(stages, {1: 1})] == [3, 2, 1, 4, 6, 5]
    assert [place.player for place in final_order(stages, {1: 1, 2: 3})] == [3, 2, 6, 5, 1, 4]
    assert [place.player for place in final_order(stages)] == [1, 3, 2, 4, 6, 5]


def test_a_wild_card_is_ranked_with_the_finalists():
    assert order(ranked(1, 2, 3, 4, 5), ranked(5, 1, 2)) == [5, 1, 2, 3, 4]


def test_equal_players_share_their_place_at_the_end_too():
    stage = [FinalPlace(1, 1), FinalPlace(2, 2, tied=True), FinalPlace(3, 2, tied=True), FinalPlace(4, 4)]

    assert final_order([stage]) == tuple(stage)
    assert final_order([stage, ranked(3)]) == (
        FinalPlace(1, 1),
        FinalPlace(3, 2),
        FinalPlace(2, 3),
        FinalPlace(4, 4),
    )


def test_the_unranked_come_last_unless_a_later_stage_ranked_them():
    first = ranked(1, 2, 3, 4, unranked=2)

    assert order(first, ranked(4, 1)) == [4, 1, 2, 3]
    assert [place.unranked for place in final_order([first, ranked(4, 1)])] == [False] * 3 + [True]
    assert order(ranked(1, 2, 3), ranked(1, 2, unranked=1)) == [1, 3, 2]


def test_without_stages_there_is_no_order():
    assert final_order([]) == ()


def test_ranks_count_through_all_divisions():
    assert ranks_through([division(1, 3, gone=1, unranked=1), division(11, 2)]) == {1: 1, 2: 2, 11: 5, 12: 6}


# --- any season


@st.composite
def seasons(draw: st.DrawFn) -> list[Standing]:
    count = draw(st.integers(1, 4))
    numbers = st.integers(0, 3)
    play_offs = [draw(st.integers(0, 1)) for _ in range(count + 1)]
    found = []
    for index in range(count):
        inner_top, inner_bottom = index > 0, index + 1 < count
        movement = Movement(
            up=draw(numbers) if inner_top else 0,
            down=draw(numbers) if inner_bottom else 0,
            up_play_off=play_offs[index] * 2 if inner_top else 0,
            down_play_off=play_offs[index + 1] if inner_bottom else 0,
            vacancies=draw(st.sampled_from(VACANCIES)),
        )
        size = draw(st.integers(0, 14))
        found.append(
            division(
                100 * index,
                size,
                movement,
                gone=draw(st.integers(0, 3)),
                unranked=min(size, draw(st.integers(0, 2))),
            )
        )
    return found


@given(seasons())
def test_no_player_is_lost_or_doubled_and_none_jumps(divisions):
    season = end_season(divisions)

    if season.problems:
        assert season.moves == ()
        return
    everyone = [place.player for each in divisions for place in each.places]
    gone = [player for each in divisions for player in each.gone]
    assert sorted(move.player for move in season.moves) == sorted(everyone + gone)
    assert [move.player for move in season.moves if move.kind == LEAVES] == gone
    for move in season.moves:
        assert move.to is None or abs(move.to - move.division) <= 1
        assert (move.to is None) == (move.kind in (LEAVES, PLAY_OFF))
    unranked = {place.player for each in divisions for place in each.places if place.unranked}
    assert not unranked & moves(season, UP).keys()
    for each in divisions:
        kinds = [next(m.kind for m in season.moves if m.player == place.player) for place in each.places]
        settled = [kind for kind in kinds if kind != PLAY_OFF]
        assert settled == sorted(settled, key=[UP, STAYS, DOWN].index)


@given(seasons())
def test_divisions_have_the_sizes_that_were_asked_for(divisions):
    """Where as many come up as go down, and places are filled, only the lowest division has other sizes."""
    last = len(divisions) - 1
    fair = [
        Standing(
            each.places,
            each.gone,
            Movement(
                up=divisions[index - 1].movement.down if index else 0,
                down=each.movement.down if index < last else 0,
                vacancies=each.movement.vacancies,
            ),
        )
        for index, each in enumerate(divisions)
    ]
    season = end_season(fair)

    if season.problems:
        return
    sizes = season.sizes(len(fair))
    assert sum(sizes) == sum(each.players for each in fair)
    for index, each in enumerate(fair[:-1]):
        before = each.players + len(each.gone)
        below = fair[index + 1]
        filled = each.movement.vacancies in (FEWER_DOWN, MORE_UP) and each.movement.down
        if filled and below.ranked == below.players and below.players >= 10:
            assert sizes[index] == before
        else:
            assert sizes[index] <= before
