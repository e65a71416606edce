"""Results read from lists of many makers, without a database."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from league.organizing.brought.queries.facts import Results
from league.organizing.brought.queries.numbers import MONTH_FIRST, read_day, read_number
from league.organizing.brought.queries.reading import read_results
from players.files import text_of
from scoring.presets import resolve

BROUGHT = Path(__file__).parents[3] / "data" / "brought"

RULES = resolve("mleague")  # 25,000 at the start
BY_PLAYER = """Date,Round,Table,Player,Points
2026-03-14,1,1,Anna,"41,000"
,,,Ben,"28,000"
,,,Cara,"21,000"
,,,Dan,"10,000"
2026-03-14,1,2,Emil,25000
2026-03-14,1,2,Fay,25000
2026-03-14,1,2,Gil,26000
2026-03-14,1,2,Hana,24000
"""


def read(text: str, *said: str, **chosen):
    return read_results(text, RULES, said, **chosen)


def problems(text: str) -> list[str]:
    found = read(text)
    return [*map(str, found.problems), *(f"{g.row}: {p}" for g in found.games for p in g.problems)]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("25,000", "25000"),
        ("25.000", "25000"),
        ("25 000", "25000"),
        ("25'000", "25000"),
        ("25,3", "25.3"),
        ("25.3", "25.3"),
        ("1.025,5", "1025.5"),
        ("▲1200", "-1200"),
        ("△12.3", "-12.3"),
        ("−800", "-800"),
        ("(1,200)", "-1200"),
        ("（1200）", "-1200"),
        ("２５０００点", "25000"),
        ("+300", "300"),
        ("0", "0"),
    ],
)
def test_a_number_is_read_as_people_write_it(written, number):
    assert read_number(written) == Decimal(number)


@pytest.mark.parametrize("written", ["", "Anna", "--5", "1e9", "25k", "9" * 40, "=1+1", "NaN"])
def test_other_text_is_not_a_number(written):
    assert read_number(written) is None


@pytest.mark.parametrize(
    "written",
    [
        "2026-03-14",
        "2026/3/14",
        "2026年3月14日",
        "14.3.2026",
        "14/3/26",
        "20260314",
        "46095",
        "2026-03-14 19:30",
        "２０２６-０３-１４",
        "2026/3/14(土)",
    ],
)
def test_a_day_is_read_as_people_write_it(written):
    assert read_day(written) == date(2026, 3, 14)


@pytest.mark.parametrize("written", ["31.2.2026", "soon", "14", "2026-13-40", "1/2", "0-0-0"])
def test_other_text_is_not_a_day(written):
    assert read_day(written) is None


def test_a_row_for_each_player_makes_tables():
    one, two = read(BY_PLAYER).games

    assert one.names == ("Anna", "Ben", "Cara", "Dan")
    assert one.points == (41000, 28000, 21000, 10000)
    assert (one.day, one.round, one.table, one.rows) == (date(2026, 3, 14), "1", "1", (2, 3, 4, 5))
    assert two.points == (25000, 25000, 26000, 24000)
    assert not one.problems
    assert not two.problems


def test_a_row_for_each_table_makes_tables():
    (game,) = read(
        "日付\t卓\t東家\t点数\t南家\t点数\t西家\t点数\t北家\t点数\n2026/3/14\t2\t安\t410\t文\t280\t花\t210\t段\t100\n"
    ).games

    assert (game.names, game.points) == (("安", "文", "花", "段"), (41000, 28000, 21000, 10000))
    assert (game.day, game.table) == (date(2026, 3, 14), "2")


def test_winds_in_the_headings_say_the_seats():
    text = "Day;South;West;North;East;South points;West points;North points;East points\n"
    (game,) = read(text + "14.3.2026;Ben;Cara;Dan;Anna;28,0;21,0;10,0;41,0").games

    assert game.has_seats
    assert (game.names, game.points) == (("Anna", "Ben", "Cara", "Dan"), (41000, 28000, 21000, 10000))


@pytest.mark.parametrize(
    ("heads", "cells"),
    [
        (
            "Player 1,Points 1,Player 2,Points 2,Player 3,Points 3,Player 4,Points 4",
            "A,410,B,280,C,210,D,100",
        ),
        (
            "Spieler 1,Spieler 2,Spieler 3,Spieler 4,Punkte 1,Punkte 2,Punkte 3,Punkte 4",
            "A,B,C,D,410,280,210,100",
        ),
        ("joueur,points,joueur,points,joueur,points,joueur,points", "A,410,B,280,C,210,D,100"),
        ("姓名,點數,姓名,點數,姓名,點數,姓名,點數", "A,410,B,280,C,210,D,100"),
    ],
)
def test_four_players_and_four_points_in_any_order(heads, cells):
    (game,) = read(f"{heads}\n{cells}").games

    assert (game.names, game.points) == (("A", "B", "C", "D"), (41000, 28000, 21000, 10000))


def test_seats_of_rows_order_the_table():
    text = "player,points,seat\nA,410,北\nB,280,東\nC,210,南\nD,100,西"
    (game,) = read(text).games

    assert game.names == ("B", "C", "D", "A")
    assert game.points == (28000, 21000, 10000, 41000)


def test_a_list_without_tables_is_read_in_fours():
    rows = "".join(
        f"{name},{points}\n" for name, points in zip("ABCDABCD", [410, 280, 210, 100] * 2, strict=True)
    )

    assert [game.names for game in read("player,points\n" + rows).games] == [("A", "B", "C", "D")] * 2


def test_rows_sorted_by_player_find_their_tables():
    rows = [(t, name) for name in "ABCD" for t in (1, 2)]
    text = "round,table,player,points\n" + "".join(f"{t},1,{name},250\n" for t, name in rows)

    assert [game.names for game in read(text).games] == [("A", "B", "C", "D")] * 2


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ("41000,28000,21000,9000", "2: 1,000 missing: the four scores sum to 99,000"),
        ("410,280,210,90", "2: 1,000 missing: the four scores sum to 99,000"),
        ("41.0,28.0,21.0,9.0", "2: 1,000 missing: the four scores sum to 99,000"),
        ("41050,27950,21000,10000", "2: A: "),
        ("55.0,5.0,-15.0,-45.0", "2: The four numbers sum to 0"),
        ("41000,,21000,10000", "2: B has no points."),
        ("41000,x,21000,10000", "2: B: “x” is not a number of points."),
    ],
)
def test_wrong_points_are_said_with_their_row(points, sentence):
    text = "player,player,player,player,points,points,points,points\nA,B,C,D,"

    assert problems(text + points)[0].startswith(sentence)


def test_a_part_of_a_point_is_a_problem_and_never_rounded():
    text = "player,points\nA,36000.4\nB,28000\nC,15999.6\nD,20000"

    assert [problem.partition(": ")[2] for problem in problems(text)] == [
        *("A: “36000.4” is not a number of points.", "C: “15999.6” is not a number of points."),
    ]
    assert read(text).games[0].points == ()


def test_deposits_left_count_for_the_sum():
    (game,) = read("player,points,deposits\nA,41000,1\nB,28000\nC,21000\nD,9000").games

    assert game.sticks == 1000
    assert not game.problems


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "day,table,player,points\n1.4.26,1,A,340\n,,B,330\n,,C,330\n",
            "This table has 3 players instead of 4.",
        ),
        (
            "day,player,points\n31.2.2026,A,250\n,B,250\n,C,250\n,D,250",
            "“31.2.2026” is not a day. Enter it as 2026-03-14.",
        ),
        ("player,points\nA,250\nB,250\nＡ,250\nD,250", "A is at this table twice."),
        ("player,points\nA,250\nB,250\n,250\nD,250", "The name is missing."),
        (
            "player,points,seat\nA,250,E\nB,250,E\nC,250,W\nD,250,N",
            "The seats of this table are not the four winds, each once.",
        ),
        (
            "player,points,deposits\nA,250,few\nB,250\nC,250\nD,250",
            "“few” is not a number of riichi deposits.",
        ),
    ],
)
def test_each_problem_is_said_with_its_row(text, sentence):
    assert problems(text) == [f"2: {sentence}"]


@pytest.mark.parametrize("text", ["", "player,points"])
def test_a_list_without_results_is_refused(text):
    assert problems(text) == ["This list has no results."]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Anna,41000\nBen,28000\n", "The columns with players and points were not found."),
    ],
)
def test_a_list_of_another_shape_says_what_to_bring(text, begins):
    (problem,) = problems(text)

    assert problem.startswith(begins)


def test_columns_without_headings_can_be_named():
    found = read("Anna,410\nBen,280\nCara,210\nDan,100\n", "player", "points", has_headings=False)

    assert found.games[0].names == ("Anna", "Ben", "Cara", "Dan")


def test_dates_with_slashes_are_read_in_the_order_that_all_allow():
    text = "day,player,points\n3/14/2026,A,250\n3/4/2026,B,250\n"

    assert {game.day for game in read(text).games} == {date(2026, 3, 14), date(2026, 3, 4)}


def test_dates_that_may_be_read_in_both_orders_are_asked():
    text = "day,player,points\n3/4/2026,A,250\n"

    assert read(text).order == "day"
    assert read(text).games[0].day == date(2026, 4, 3)
    assert read(text, order=MONTH_FIRST).games[0].day == date(2026, 3, 4)


def test_the_sheet_with_results_is_found_among_others():
    text = "§§ Cover\nSpring\n§§ Games\nPlayer\tPoints\nA\t250\nB\t250\nC\t250\nD\t250\n"
    found = read(text)

    assert (found.sheet, found.sheets, len(found.games)) == ("Games", ("Cover", "Games"), 1)


def test_rows_above_the_headings_are_titles():
    assert read("Season 2026\n\nPlayer,Points\nA,250\nB,250\nC,250\nD,250\n").titles == 1


@pytest.mark.parametrize(
    "text",
    [
        "player,points,score\nA,41000,+41\nB,28000,+8\nC,21000,-14\nD,10000,-35\n",
        "player,pts,points\nA,+41,41.0\nB,+8,28.0\nC,-14,21.0\nD,-35,10.0\n",
        "player,player,player,player,points,points,points,points,score,score,score,score\n"
        "A,B,C,D,41000,28000,21000,10000,41,8,-14,-35\n",
        "A,points,score,player,points,score,player,points,score,player,points,score\n".replace(
            "A", "player", 1
        )
        + "A,41000,41,B,28000,8,C,21000,-14,D,10000,-35\n",
    ],
)
def test_scores_beside_the_points_are_kept_for_comparison(text):
    (game,) = read(text).games

    assert game.points == (41000, 28000, 21000, 10000)
    assert game.scores == (41, 8, -14, -35)


# --- lists without tables


@pytest.mark.parametrize(
    ("heads", "notes"),
    [
        ("Player,R1,R2,R3", ["R1", "R2", "R3"]),
        ("選手,1,2,3", ["R1", "R2", "R3"]),
        ("player,14.3.2026,14.3.2026,R1", ["14.3.2026", "14.3.2026 (2)", "R1"]),
        ("Spieler,14.3.2026,21.3.2026,28.3.2026", ["14.3.2026", "21.3.2026", "28.3.2026"]),
    ],
)
def test_scores_of_rounds_are_read_without_tables(heads, notes):
    anna, ben = read(f"{heads}\nAnna,55.0,▲5.1,12\nBen,-,,+3.2\n").balances

    assert [part.note for part in anna.parts] == notes
    assert [part.score for part in anna.parts] == [550, -51, 120]
    assert [(part.note, part.score, part.games) for part in ben.parts] == [(notes[2], 32, 1)]


def test_a_total_is_read_with_its_number_of_games():
    (anna,) = read("Player,Games,Total\nAnna,12,155.3\n").balances

    assert (anna.score, anna.games, anna.problems) == (1553, 12, ())


def test_scores_written_in_points_are_read_by_their_sum():
    text = "Player;R1;R2\nA;51.000;−3.200\nB;8.000;3.200\nC;-24.000;\nD;-35.000;\n"

    assert [balance.score for balance in read(text).balances] == [478, 112, -240, -350]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Player,R1,R2\nAnna,41000,28000\nBen,21000,10000\n", "look like points at the end of games"),
        ("Player,R1,R2\nAnna,soon,1\n", "“soon” is not a score."),
        ("Player,R1,R2\nAnna,1.25,1\n", "“1.25” has more than one decimal."),
        ("Player,R1,R2\nAnna,1,1\nANNA,2,2\n", "ANNA is in this list twice."),
        ("Player,R1,R2,Total\nAnna,1,1,3\n", "the rounds sum to +2.0, but the total is +3.0."),
        ("Player,R1,R2\n,1,1\n", "The name is missing."),
        ("Player,Total,Games\nAnna,1,many\n", "“many” is not a number of games."),
        ("Player,Total,Games\nAnna,1,-2\n", "“-2” is not a number of games."),
    ],
)
def test_a_problem_of_a_list_without_tables_is_said(text, sentence):
    found = read(text)
    said = [*map(str, found.problems), *(p for b in found.balances for p in b.problems)]

    assert len(said) == 1
    assert sentence in said[0]


def test_last_and_first_names_in_one_column_are_put_in_order():
    text = "Datum;Name, Vorname;Punkte\n14.3.2026;Berg, Anna;41000\n"
    text += ";Kim, Ben;33000\n;Lind, Cara;26000\n;Ott, Dan;20000\n"

    assert read(text).games[0].names == ("Anna Berg", "Ben Kim", "Cara Lind", "Dan Ott")


@pytest.mark.parametrize("heading", ["Rank", "Place", "Pl.", "Pos.", "Rk", "Platz", "順位"])
def test_a_column_of_ranks_is_understood_and_not_needed(heading):
    found = read(f"{heading},player,total\n1,Anna,12.3\n2,Ben,-12.3\n")

    assert found.unneeded == (heading,)
    assert len(found.balances) == 2


def test_sums_and_totals_have_one_minus():
    found = read("player,R1,R2,total\nAnna,10.0,-39.0,-12.0\n")

    assert found.balances[0].problems == ("Anna: the rounds sum to \u221229.0, but the total is \u221212.0.",)


def read_file(name: str) -> Results:
    return read(text_of((BROUGHT / name).read_bytes()).text)


def test_a_french_list_below_a_title_is_read():
    found = read_file("results-rows-fr-cp1252.csv")

    assert [(game.round, game.names[0], game.points) for game in found.games] == [
        ("1", "Chloé Dubois", (34_200, 26_800, 21_000, 18_000)),
        ("2", "Anna Berg", (42_500, 25_500, 18_000, 14_000)),
    ]
    assert (found.titles, found.unneeded) == (1, ("Classement",))
    assert not any(game.problems for game in found.games)


def test_a_japanese_list_of_tables_is_read_with_its_seats_and_deposits():
    found = read_file("results-tables-ja.tsv")

    assert [(game.day.isoformat(), game.points, game.sticks) for game in found.games] == [
        ("2026-03-14", (41_200, 28_800, 26_000, -6_000), 10_000),
        ("2026-03-21", (45_000, 25_000, 20_000, 10_000), 0),
    ]
    assert [(game.has_seats, game.problems) for game in found.games] == [(True, ())] * 2


def test_a_german_list_of_days_is_read_with_its_names_in_order():
    found = read_file("results-rounds-de.csv")

    assert [(line.name, [part.score for part in line.parts]) for line in found.balances] == [
        ("Anna Berg", [510, -32]),
        ("Ben Kova", [80, 125]),
        ("Cara Lind", [-590, 32, -125]),
    ]
    assert not any(line.problems for line in found.balances)


def test_totals_of_a_page_in_markdown_are_read():
    found = read_file("results-totals-markdown.md")

    assert [(line.name, line.score, line.games) for line in found.balances] == [
        ("Anna Berg", 1234, 12),
        ("Ben Kova", -234, 12),
        ("陳大文", -1000, 8),
    ]
