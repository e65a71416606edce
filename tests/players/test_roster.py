"""A roster's text: columns, headings, and every problem with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.files import text_of
from players.roster import REST, RosterLine, read_roster

ROSTERS = Path(__file__).parents[1] / "data" / "rosters"


def problems(text):
    return [(p.line, p.code) for p in read_roster(text).problems]


def test_names_alone_are_enough():
    roster = read_roster("陳大文\n\n 山田  太郎 \nÉmile")

    assert roster.lines == (
        RosterLine(number=1, name="陳大文"),
        RosterLine(number=3, name="山田 太郎"),
        RosterLine(number=4, name="Émile"),
    )
    assert roster.problems == ()


@pytest.mark.parametrize(
    "headings", ["rank,player,name,total", "rank,選手,名前,total", "rank,玩家,姓名,total"]
)
def test_beside_a_column_of_names_that_of_players_is_not_read(headings):
    roster = read_roster(f"{headings}\n1,p7,陳大文,35.0\n2,p3,Émile,-2.5")

    assert [line.name for line in roster.lines] == ["陳大文", "Émile"]
    assert roster.unused == tuple(headings.split(",")[i] for i in (0, 1, 3))


def test_a_column_of_players_alone_has_the_names():
    assert [line.name for line in read_roster("rank,player\n1,陳大文").lines] == ["陳大文"]


@pytest.mark.parametrize("separator", ["\t", ",", ";", "，"])
def test_columns_without_headings_have_a_fixed_order(separator):
    text = separator.join(["陳大文", "Chan Tai Man", "HKG", "Kowloon", "007", "A"])

    numbers, said = (("EMA", "007"),), {"romanized": "Chan Tai Man", "country": "HK", "club": "Kowloon"}
    assert read_roster(text).lines == (
        RosterLine(number=1, name="陳大文", numbers=numbers, division="A", **said),
    )


@pytest.mark.parametrize(
    "headings",
    [
        "country,name,romanized,EMA number,club,division",
        "Country,PLAYER,Romanised Name,ema_number,Affiliation,Group",
        "國家,姓名,羅馬拼音,EMA 編號,所屬,組別",
        "国,名前,ローマ字,EMA番号,所属,リーグ",
        "国家,姓名,拼音,EMA号码,俱乐部,组别",
    ],
)
def test_headings_are_known_in_three_languages_and_any_order(headings):
    roster = read_roster(f"{headings}\nJP,山田太郎,Yamada Taro,04010023,赤坂,B")

    numbers, said = (("EMA", "04010023"),), {"romanized": "Yamada Taro", "country": "JP", "club": "赤坂"}
    assert roster.problems == ()
    assert roster.lines == (RosterLine(number=2, name="山田太郎", numbers=numbers, division="B", **said),)


def test_numbers_of_any_federation_are_kept_and_other_columns_are_named():
    roster = read_roster("name,ARA no.,Phone number,No.,remark\nZoë,1,5555,1,x")

    assert roster.lines[0].numbers == (("ARA", "1"),)
    assert roster.unused == ("Phone number", "No.", "remark")


def test_tags_are_plain_text_and_a_formula_is_not_a_name():
    roster = read_roster("=1+1\n<b>Zoë</b>\n@SUM(A1)")

    assert [line.name for line in roster.lines] == ["=1+1", "<b>Zoë</b>", "@SUM(A1)"]
    assert [str(problem) for problem in roster.problems] == ["“=1+1” is not a name."]


def test_quotes_keep_a_comma_in_a_name_and_a_stray_one_spoils_no_other_line():
    roster = read_roster('name,country\n"Yamada, Taro",JP\n"Zoë,FR\nÉmile,FR')

    assert roster.lines[0].name == "Yamada, Taro"
    assert [line.number for line in roster.lines] == [2, 3, 4]
    assert roster.lines[2].name == "Émile"


def test_every_problem_has_its_line():
    text = "name,country,EMA number\n,HK,1\nZoë,Atlantis,2\nA\u202eB,FR,3\n" + "x" * 121 + ",,2\nDora,,,more"

    assert problems(text) == [
        (2, "missing_name"),
        (3, "unknown_country"),
        (4, "invisible"),
        (5, "too_long"),
        (5, "number_twice"),
        (6, "too_many_columns"),
    ]


def test_a_problem_is_a_sentence():
    roster = read_roster("name,country\nZoë,Atlantis")

    assert [str(p) for p in roster.problems] == [
        "“Atlantis” is not a country. Enter the two-letter code, for example HK or JP."
    ]


@pytest.mark.parametrize(
    ("character", "problem"),
    [
        *(("\U00031350", []), ("\U0002ebf0", []), ("\U0003347b", [])),  # of extensions H, I and J
        *(("\U0002ffff", [(1, "invisible")]), ("\U0003fffe", [(1, "invisible")])),
        *(("\U00040000", [(1, "invisible")]), ("\u0378", [(1, "invisible")])),
    ],
    ids=ascii,
)
def test_a_name_may_have_the_newest_kanji_and_no_noncharacter(character, problem):
    assert problems(f"陳{character}文") == problem


def test_a_name_of_nothing_but_invisible_joiners_is_missing():
    assert problems("\u200b\u200d") == [(1, "missing_name")]


@pytest.mark.parametrize("text", ["", " \n\n", "name,country\n", ",,,\n"])
def test_a_list_without_players_says_so(text):
    assert problems(text) == [(0, "empty")]


def test_headings_without_a_name_are_refused():
    assert problems("country,club\nHK,Kowloon") == [(0, "no_name_column")]


def test_identical_lines_are_one_person_and_lines_that_differ_in_any_part_are_two():
    text = "name,club,EMA number\n陳大文,Kiel,1\n陳 大文,KIEL,１\n陳大文,Kiel,\n陳大文,Bonn,1\n陳大文,Kiel,2"

    roster = read_roster(text)

    assert roster.twins == {3: 2}
    assert roster.namesakes == {4: 2, 5: 2, 6: 2}
    assert [(problem.line, problem.code) for problem in roster.problems] == [(5, "number_twice")]


LATIN = "Anna\tHolm\nAnna\tRask"


def test_two_latin_columns_without_headings_are_asked():
    roster = read_roster(LATIN)

    assert (roster.asks, roster.twins) == (True, {})
    assert problems(LATIN) == [(0, "which_columns")]


@pytest.mark.parametrize(
    ("order", "lines"),
    [
        (("first", "last"), [("Anna Holm", "", ""), ("Anna Rask", "", "")]),
        (("last", "first"), [("Holm Anna", "", ""), ("Rask Anna", "", "")]),
        (("name", "club"), [("Anna", "", "Holm"), ("Anna", "", "Rask")]),
        (("name", "romanized"), [("Anna", "Holm", ""), ("Anna", "Rask", "")]),
        (("name", ""), [("Anna", "", ""), ("Anna", "", "")]),
    ],
)
def test_an_answer_says_what_the_two_columns_are(order, lines):
    roster = read_roster(LATIN, [*order, REST])

    assert [(line.name, line.romanized, line.club) for line in roster.lines] == lines
    assert (roster.asks, roster.problems) == (False, ())
    assert roster.twins == ({2: 1} if order == ("name", "") else {})


def test_an_answer_leaves_the_other_columns_in_order():
    roster = read_roster("Anna\tHolm\tDE\tKiel\nBen\tRask\tFR", ["last", "first", REST])

    assert roster.lines == (
        RosterLine(number=1, name="Holm Anna", country="DE", club="Kiel"),
        RosterLine(number=2, name="Rask Ben", country="FR"),
    )
    assert [field for _title, field in roster.columns] == ["last", "first", "country", "club"]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("陳大文\tChan Tai Man\n山田太郎\tYamada Taro", False),
        ("陳大文\tChan Tai Man\nZoë Kravitz\tZoe Kravitz\nÉmile\t", False),
        ("陳大文\tChan Tai Man\nAnna\tHolm", True),
        ("Schmidt, Anna\nKim, Ben", True),
        ("Anna Berg,PL\nBen Kova,DE", False),
        ("陳\t大文\n王\t美麗", True),
        ("Сергей\tИванов", True),
        ("Anna Berg,,PL", False),
        ("first name\tlast name\nAnna\tHolm", False),
        ("Anna Berg\nBen Kova", False),
    ],
)
def test_columns_are_asked_unless_the_second_one_reads_as_the_romanized_name(text, asks):
    assert read_roster(text).asks is asks


@pytest.mark.parametrize("said", [[REST], ["", "", REST], ["nothing", "last", REST], ["first"] * 2 + [REST]])
def test_an_answer_that_makes_no_sense_is_asked_again(said):
    assert read_roster(LATIN, said).asks


@pytest.mark.slow
def test_ten_thousand_players_fit_and_one_more_does_not():
    lines = [f"Player {i}" for i in range(10_001)]

    assert len(read_roster("\n".join(lines[:-1])).lines) == 10_000
    assert problems("\n".join(lines)) == [(0, "too_many")]


@given(st.text())
def test_no_text_breaks_the_reader(text):
    roster = read_roster(text)

    assert all(str(problem) for problem in roster.problems)
    assert len({line.number for line in roster.lines}) == len(roster.lines)


@given(st.lists(st.lists(st.text(alphabet='名a,;\t"=\u202e\x00 ', max_size=8), max_size=9), max_size=6))
def test_no_columns_break_the_reader(rows):
    roster = read_roster("\n".join(",".join(cells) for cells in rows))

    assert all(str(problem) for problem in roster.problems)
    assert len({line.number for line in roster.lines}) == len(roster.lines)


# --- lists as organizers have them


@pytest.mark.parametrize(
    ("file", "expected", "warned"),
    [
        (
            "title-row.csv",
            ["5 Zoë Müller DE Mahjong Berlin 04010023", "6 Marco D'Angelo IT 15020007", "7 Ōno Tarō JP 赤坂"],
            [],
        ),
        (
            "first-last.csv",
            ["2 Marco D'Angelo IT Tre Venti", "3 Anna van der Berg NL", "4 山田太郎 JP 赤坂"],
            [],
        ),
        ("numeric-ema.xlsx", ["3 Zoë Müller DE 04010023", "4 Marco D'Angelo IT 15020007"], []),
        ("full-width.txt", ["2 山田太郎 JP 04010023", "3 佐藤花子 JP 04010024"], []),
        ("cp932.csv", ["2 髙橋一郎 赤坂クラブ", "3 鈴木花子 新宿クラブ"], []),
        (
            "duplicates.csv",
            [
                *("2 Anna Chen North 04010023", "3 anna chen South", "4 Anna Chen East 04010099"),
                "5 Ben Ng West 123",
            ],
            [5],
        ),
    ],
)
def test_a_messy_list_is_read_as_it_was_meant(file, expected, warned):
    roster = read_roster(text_of((ROSTERS / file).read_bytes()).text)

    read = [
        " ".join(filter(None, (str(x.number), x.name, x.country, x.club, *(n for _f, n in x.numbers))))
        for x in roster.lines
    ]
    assert (read, roster.problems) == (expected, ())
    assert [warning.line for warning in roster.warnings] == warned
    assert (roster.twins, roster.namesakes) == ({}, {3: 2, 4: 2} if file == "duplicates.csv" else {})


def test_columns_that_no_heading_names_are_assigned_by_hand():
    text = "Wer;Wo;Was\nAnna;Bonn;04010023"
    said = read_roster(text, ["name", "club", "#EMA"]).lines[1]
    assert (said.name, said.club, said.numbers) == ("Anna", "Bonn", (("EMA", "04010023"),))
    assert read_roster(text, ["name", "club"]) == read_roster(text)
    assert read_roster(text, ["name", "#" + "X" * 99, ""]) == read_roster(text)


def test_names_and_numbers_are_measured_as_they_would_be_saved():
    assert problems(f"First name;Last name\n{'A' * 60};{'B' * 60}") == [(2, "too_long")]
    assert problems(f"Name;EMA number\nAnna;{'㋿' * 21}") == [(2, "too_long")]


def test_letters_in_full_width_become_plain_and_marks_stay_beside_chinese():
    names = "Ｈａｎａ　Ｓａｔｏ\n佐藤Ａ（東京）\nＯ’Ｂｒｉｅｎ－Ｌ．"
    assert [line.name for line in read_roster(names).lines] == ["Hana Sato", "佐藤A（東京）", "O’Brien-L."]


def test_first_and_last_name_of_two_scripts_keep_their_space_and_order():
    roster = read_roster("first name,last name\nHana,佐藤\n花,佐藤\nHana,Sato\n,佐藤")
    assert [line.name for line in roster.lines] == ["Hana 佐藤", "佐藤花", "Hana Sato", "佐藤"]


def test_a_wrong_ema_number_is_left_out_unless_it_is_taken_as_it_is():
    text = "name,EMA number,ARA number\nZoë,007,5"
    left_out, as_is = read_roster(text, as_is=False), read_roster(text)
    assert (left_out.lines[0].numbers, as_is.lines[0].numbers) == (
        (("ARA", "5"),),
        (("EMA", "007"), ("ARA", "5")),
    )
    assert left_out.warnings == as_is.warnings
    assert [warning.code for warning in as_is.warnings] == ["ema_number"]
