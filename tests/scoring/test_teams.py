"""Teams ranked from their players' hanchan, shares of the hanchan, awards, tables of teams."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scoring.presets import resolve
from scoring.standings import DEFAULT_TIE_BREAKS, SUBSTITUTE, Game, Outside, Row, rank_players
from scoring.teams import (
    Award,
    Membership,
    RoundGame,
    Share,
    awards,
    carried_half,
    fill_tables,
    games_of_teams,
    propose_tables,
    rank_members,
    rank_teams,
    seats_by_team,
    share_of,
)
from scoring.units import WINDS

DATA = Path(__file__).resolve().parents[1] / "data"
MLEAGUE = resolve("mleague")  # 25 000 start, 30 000 return, uma 10-30, oka to the first
REDS, BLUES, GREENS, GREYS = 91, 92, 93, 94
# Two players a team: 1 and 5 are Reds, 2 and 6 Blues, and so on.
MEMBERS = Membership({player: REDS + (player - 1) % 4 for player in range(1, 9)})
# +60.0, +5.0, −20.0, −45.0
ONE: Game = (1, 2, 3, 4, 40_000, 25_000, 20_000, 15_000, 0)


def totals(games: list[RoundGame], members: Membership = MEMBERS, **more: object) -> dict[int, object]:
    options = {"teams": [REDS, BLUES, GREENS, GREYS], "tie_breaks": DEFAULT_TIE_BREAKS} | more
    return {row.player: row.total for row in rank_teams(games, MLEAGUE, members, **options)}  # type: ignore[arg-type]


def test_a_team_has_what_its_players_score():
    two: Game = (6, 5, 8, 7, 40_000, 25_000, 20_000, 15_000, 0)

    assert totals([(1, ONE), (2, two)]) == {
        REDS: 600 + 50,
        BLUES: 50 + 600,
        GREENS: -200 - 450,
        GREYS: -450 - 200,
    }


def test_a_named_player_counts_for_the_team_that_named_them():
    moved = Membership(MEMBERS.now | {1: BLUES}, {(1, 1): REDS})
    after: Game = (1, 5, 3, 4, 40_000, 25_000, 20_000, 15_000, 0)

    assert totals([(1, ONE), (2, after)], moved) == {
        REDS: 600 + 50,
        BLUES: 50 + 600,
        GREENS: -400,
        GREYS: -900,
    }


def test_a_seat_without_a_team_counts_for_no_one():
    without = Membership({player: team for player, team in MEMBERS.now.items() if player != 1})

    assert games_of_teams([(1, ONE)], without) == [(SUBSTITUTE, BLUES, GREENS, GREYS, *ONE[4:])]
    assert totals([(1, ONE)], without) == {REDS: 0, BLUES: 50, GREENS: -200, GREYS: -450}


def test_penalties_of_players_and_of_the_team_are_deducted():
    found = totals(
        [(1, ONE)],
        penalties=[(1, 1, -200), (6, None, -50)],
        adjustments=[(8, 1, -150)],
        deducted=[(GREENS, -100)],
    )

    assert found == {REDS: 400, BLUES: 0, GREENS: -300, GREYS: -600}


def test_a_penalty_without_a_round_stays_with_the_team_of_the_last_hanchan():
    moved = Membership(MEMBERS.now | {1: BLUES}, {(1, 1): REDS})

    assert totals([(1, ONE)], moved, penalties=[(1, None, -200)])[REDS] == 400


def test_what_is_carried_counts_for_listed_teams_only():
    found = totals([(1, ONE)], teams=[REDS, BLUES], carried={REDS: 1409, GREENS: 500})

    assert found == {REDS: 600 + 1409, BLUES: 50}


def two_equal_teams(outside: Outside) -> list[Row]:
    two: Game = (6, 5, 7, 8, 40_000, 25_000, 20_000, 15_000, 0)
    three: Game = (3, 4, 1, 2, 25_000, 25_000, 25_000, 25_000, 0)
    return rank_teams(
        [(1, ONE), (2, two), (3, three)],
        MLEAGUE,
        MEMBERS,
        teams=[REDS, BLUES],
        tie_breaks=["firsts", "previous_rank", "lots", "best_points"],
        outside=outside,
    )


def test_equal_teams_are_distinguished_by_the_same_tie_breaks_except_ranks_of_last_season():
    rows = two_equal_teams(Outside(previous={REDS: 2, BLUES: 1}, lots=[[BLUES, GREENS]]))

    assert [(row.player, row.rank, row.tied) for row in rows] == [(REDS, 1, True), (BLUES, 1, True)]


def test_lots_drawn_between_teams_tell_them_apart():
    rows = two_equal_teams(Outside(lots=[[BLUES, REDS], [REDS, BLUES]]))

    assert [(row.player, row.rank, row.decided_by) for row in rows] == [(BLUES, 1, None), (REDS, 2, "lots")]


def test_members_are_listed_with_what_they_did_for_each_of_their_teams():
    moved = Membership(MEMBERS.now | {1: BLUES}, {(1, 1): REDS})
    after: Game = (5, 1, 3, 4, 40_000, 25_000, 20_000, 15_000, 0)

    rows = rank_members([(1, ONE), (2, after)], MLEAGUE, moved, penalties=[(1, 2, -100)])

    assert {(each.team, each.player): (each.row.games, each.row.total) for each in rows} == {
        (REDS, 1): (1, 600),
        (REDS, 5): (1, 600),
        (BLUES, 1): (1, -50),
        (BLUES, 2): (1, 50),
        (GREENS, 3): (2, -400),
        (GREYS, 4): (2, -900),
        (BLUES, 6): (0, 0),
        (GREENS, 7): (0, 0),
        (GREYS, 8): (0, 0),
    }


@given(st.lists(st.permutations(list(range(1, 9))), max_size=12), st.data())
def test_teams_add_up_to_their_members(line, data):
    games: list[RoundGame] = []
    for number, order in enumerate(line):
        points = data.draw(st.lists(st.integers(-100, 600), min_size=3, max_size=3))
        four = [each * 100 for each in points]
        games.append((number, (*order[:4], *four, 100_000 - sum(four), 0)))  # type: ignore[arg-type]
    now = data.draw(st.dictionaries(st.integers(1, 8), st.sampled_from([REDS, BLUES, GREENS])))
    named = data.draw(
        st.dictionaries(
            st.tuples(st.integers(0, 12), st.integers(1, 8)), st.sampled_from([REDS, BLUES, GREENS])
        )
    )
    members = Membership(now, named)

    sums: Counter[int] = Counter()
    for each in rank_members(games, MLEAGUE, members):
        sums[each.team] += each.row.total  # type: ignore[assignment]

    found = totals(games, members, teams=[REDS, BLUES, GREENS])
    assert found == {team: sums[team] for team in (REDS, BLUES, GREENS)}


# --- a real season


def season() -> tuple[list[RoundGame], Membership, dict[str, int], list[str]]:
    """The games, who is in which team, the numbers of players, the names of teams."""
    file = json.loads((DATA / "mleague-2018-19.json").read_text(encoding="utf-8"))
    teams = json.loads((DATA / "mleague-2018-19.teams.json").read_text(encoding="utf-8"))["teams"]
    number = {player["id"]: index for index, player in enumerate(file["players"], 1)}
    now = {number[player]: index for index, team in enumerate(teams) for player in team["players"]}
    games: list[RoundGame] = []
    for round_ in file["divisions"][0]["stages"][0]["rounds"]:
        for table in round_["tables"]:
            seats = {seat["wind"]: seat for seat in table["seats"]}
            players = [number[seats[wind]["player"]] for wind in WINDS]
            points = [seats[wind]["points"] for wind in WINDS]
            games.append((round_["number"], (*players, *points, table.get("sticks", 0))))
    return games, Membership(now), number, [team["name"] for team in teams]


def test_the_teams_of_m_league_have_the_sum_of_the_published_scores():
    games, members, number, names = season()
    published = json.loads((DATA / "mleague-2018-19.expected.json").read_text(encoding="utf-8"))
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    for round_ in published["rounds"]:
        for player, score in round_["scores"].items():
            sums[members.now[number[player]]] += Fraction(str(score)) * 10

    rows = rank_teams(games, MLEAGUE, members, teams=range(7), tie_breaks=DEFAULT_TIE_BREAKS)

    assert {row.player: row.total for row in rows} == dict(sums)
    assert [(names[row.player], row.total) for row in rows] == [
        ("EX風林火山", 4087),
        ("赤坂ドリブンズ", 2338),
        ("TEAM雷電", -441),
        ("渋谷ABEMAS", -718),
        ("KONAMI麻雀格闘倶楽部", -930),
        ("U-NEXT Pirates", -1832),
        ("セガサミーフェニックス", -2504),
    ]


def test_half_of_a_total_is_what_m_league_published():
    carried = json.loads((DATA / "mleague-2018-19.teams.json").read_text(encoding="utf-8"))["carried"]
    tenths = {name: int(Fraction(str(total)) * 10) for name, total in carried["regular"].items()}

    assert {name: carried_half(total) / 10 for name, total in tenths.items()} == carried["brought"]
    assert sum(carried_half(total) for total in tenths.values()) == 2485
    assert carried_half(Fraction(1, 3)) == 0


# --- least and most, awards


def test_a_share_says_what_is_missing_and_what_is_left():
    assert share_of(8, least=10, most=45) == Share(8, 2, 37)
    assert share_of(46, least=10, most=45) == Share(46, 0, 0)
    assert share_of(3, least=None, most=None) == Share(3, 0, None)


def test_awards_ask_for_the_least_number_where_one_evening_would_win_them():
    games: list[Game] = [ONE, (1, 2, 3, 4, 20_000, 40_000, 15_000, 25_000, 0), (5, 6, 7, 8, *ONE[4:])]
    rows = rank_players(games, MLEAGUE)

    assert awards(rows, least=2) == [
        Award("score", (2,), 650),
        Award("best_points", (2, 5, 1), 40_000),
        Award("avoidance", (2, 1), Fraction(1)),
        Award("tops", (2, 5, 1), 1),
    ]
    assert awards([]) == []
    assert [award.players for award in awards(rows, least=9)] == [(2, 5, 1), (2, 5, 1)]


# --- teams at tables


def test_the_first_named_player_sits_at_the_teams_first_table():
    tables = {1: [REDS, BLUES, GREENS, GREYS], 2: [GREYS, REDS, BLUES, GREENS]}

    assert seats_by_team(tables)[REDS] == [(1, 0), (2, 1)]
    assert fill_tables(tables, {REDS: [1, 5], GREYS: [4]}) == {
        1: [1, None, None, 4],
        2: [None, 5, None, None],
    }


@given(st.integers(4, 14), st.integers(1, 4), st.integers(0, 99))
def test_proposals_keep_hanchan_even_and_seat_no_team_twice(count, tables, seed):
    teams = list(range(1, count + 1))
    history: list[list[int]] = []
    for number in range(4):
        found = propose_tables(teams, history, tables=tables, seed=seed + number)
        line = [team for four in found.values() for team in four]
        assert len(set(line)) == len(line) == min(tables, count // 4) * 4
        history += found.values()
        played = Counter(team for four in history for team in four)
        assert max(played[team] for team in teams) - min(played[team] for team in teams) <= 1


def test_a_proposal_can_be_made_again_and_spreads_meetings_and_winds():
    teams = list(range(1, 9))
    history: list[list[int]] = []
    for seed in range(7):
        found = propose_tables(teams, history, tables=2, seed=seed)
        assert found == propose_tables(teams, history, tables=2, seed=seed)
        history += found.values()

    met = Counter(frozenset(pair) for four in history for pair in combinations(four, 2))
    east = Counter(four[0] for four in history)
    assert max(met.values()) - min(met[frozenset(pair)] for pair in combinations(teams, 2)) <= 2
    assert max(east.values()) <= 3
