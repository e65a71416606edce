"""Lists as people bring them: from forms, chats, spreadsheets and other programs."""

import io
from pathlib import Path

import pytest
from openpyxl import Workbook

from players.cells import join_sheets, read_cells
from players.files import Unreadable, text_of
from players.headings import field_of
from players.roster import read_roster

BROUGHT = Path(__file__).parents[1] / "data" / "brought"


def _people(text: str, **said: object) -> list[str]:
    roster = read_roster(text, **said)
    assert not [problem for problem in roster.problems if problem.line]
    return [
        " ".join(filter(None, (x.name, x.country, x.club, x.team, *(number for _f, number in x.numbers))))
        for x in roster.lines
    ]


@pytest.mark.parametrize(
    ("file", "people"),
    [
        ("roster-chat-list.txt", ["Anna Schmidt", "Ben Kim", "Chloé Dubois", "陳大文"]),
        ("roster-numbered.txt", ["Anna Berg", "Ben Kova", "Cara Lind"]),
        ("roster-number-column.tsv", ["Anna Schmidt DE", "Ben Kim KR", "Cho D FR", "Ela F FR"]),
        ("roster-google-form.csv", ["Anna Schmidt", "Ben Kim"]),
        ("roster-form-en.csv", ["Anna Berg AT Graz MC 04010023"]),
        ("roster-form-ja.csv", ["山田花子 東京会"]),
        ("roster-markdown.md", ["Anna Berg PL", "Ben Kova DE"]),
        ("roster-multiline-cell.csv", ["Anna Schmidt Kiel", "Ben Kim Berlin"]),
        ("roster-unknown-headings.csv", ["Anna Berg", "Ben Kova"]),
        ("roster-cyrillic-headings.csv", ["Сергей Иванов", "Анна Петрова"]),
        ("roster-cp1251.csv", ["Сергей Иванов", "Анна Петрова", "Юрий Щукин", "Ольга Лис"]),
        ("roster-hidden-first.xlsx", ["Anna DE", "Ben FR"]),
        ("roster-cover-sheet.xlsx", ["Anna DE", "Ben FR"]),
        ("roster-on-second-sheet.xlsx", ["Anna Berg AT 04010023", "Ben Kova DE"]),
        ("roster-ema-fr.csv", ["Jean DUPONT FR 08010023"]),
        ("roster-team-id.csv", ["Anna Berg 1", "Ben Kova 1", "Cara Lind 2"]),
        ("roster-other-ids.csv", ["Anna Berg"]),
        ("roster-with-list-numbers.csv", [f"Player {letter}" for letter in "ABCDEFGH"]),
        ("ema-list-other-headings.csv", ["Anna BERG AT 04010023"]),
        ("roster-last-first-pl-cp1250.csv", ["Łukasz Żółć PL Gdańsk", "Anna van der Berg DE"]),
        ("roster-copied-from-a-page.html", ["Anna Berg AT 04010023", "Ben Kova DE"]),
        ("roster-registrations-ko.tsv", ["김철수 KR 서울 마작회", "이영희 KR"]),
    ],
)
def test_a_list_that_people_bring_is_read_as_it_was_meant(file, people):
    assert _people(text_of((BROUGHT / file).read_bytes()).text) == people


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("• Anna\n• Ben\n• Cho", ["Anna", "Ben", "Cho"]),
        ("1) Anna Berg\n2) Ben Kova\n3)\n", ["Anna Berg", "Ben Kova"]),
        ("1、陳大文\n2、黃家駒", ["陳大文", "黃家駒"]),
        ("sep=;\nName;Land\nBerg, Anna;AT", ["Berg, Anna AT"]),
        ("<table><tr><th>Name<th>Country</tr><tr><td>Anna<td>PL</table>", ["Anna PL"]),
        ("이름,소속\n김철수,서울", ["김철수 서울"]),
        ("Imię;Nazwisko;Kraj;Klub\nŁukasz;Żółć;Polska;Gdańsk", ["Łukasz Żółć PL Gdańsk"]),
        ("Naam;Land\nJan;Duitsland\nPiet;België", ["Jan DE", "Piet BE"]),
        ("Name *;Country (where you live):;Núm. EMA\nAna;España;15020007", ["Ana ES 15020007"]),
        ("Vorname;Name;EMA-Nummer\nAnna;Berg;04010023", ["Anna Berg 04010023"]),
        ("Player;Numero EMA;Nation\nJo;07010023;SCO", ["Jo GB 07010023"]),
        ('Name\tTeam\n"van der Berg\nAnna"\tWinds', ["van der Berg Anna Winds"]),
    ],
)
def test_lists_in_other_shapes_and_languages_are_read(text, people):
    assert _people(text) == people


@pytest.mark.parametrize(
    ("file", "sentence"),
    [("roster-is-json.json", "This is JSON"), ("roster-is-vcard.vcf", "These are contacts")],
)
def test_a_file_of_another_kind_is_refused_by_name(file, sentence):
    problems = read_roster(text_of((BROUGHT / file).read_bytes()).text).problems

    assert [str(problem).startswith(sentence) for problem in problems] == [True]


def test_last_and_first_names_without_headings_are_asked():
    assert read_roster((BROUGHT / "roster-last-first.txt").read_text(encoding="utf-8")).asks


def test_a_name_on_tenhou_is_not_read_as_a_federation_number():
    (anna,) = read_roster((BROUGHT / "roster-other-ids.csv").read_text(encoding="utf-8")).lines

    assert (anna.name, anna.tenhou, anna.numbers) == ("Anna Berg", "ANNAB", ())


@pytest.mark.parametrize("name", ["12", "2026-11-01", "1.11.2026 10:05:01", "anna@example.org", "3.", "-"])
def test_what_is_not_a_name_makes_no_player(name):
    assert [(p.line, p.code) for p in read_roster(f"name\nAnna\n{name}").problems] == [(3, "no_name")]


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Student ID", ""),
        ("Discord ID", ""),
        ("Tenhou ID", "tenhou"),
        ("天鳳ID", "tenhou"),
        ("Name on Tenhou (optional)", "tenhou"),
        ("team_id", "team"),
        ("EMA ID", "#EMA"),
        ("JPML ID", "#JPML"),
        ("N° EMA", "#EMA"),
        ("EMA number (if you have one)", "#EMA"),
        ("ARA no.", "#ARA"),
        ("Номер ЕМА", "#EMA"),
        ("Phone number", ""),
        ("Vor- und Nachname", "name"),
        ("Imię i nazwisko:", "name"),
        ("Voor- en achternaam *", "name"),
        ("For- og efternavn", "name"),
        ("Nombre y apellidos?", "name"),
        ("Cercle", "club"),
        ("Player Last Name", "last"),
        ("What is your full name?", "name"),
        ("Shoe size", ""),
    ],
)
def test_a_heading_is_what_people_mean_by_it(title, field):
    assert field_of(title) == field


def test_the_first_row_is_a_heading_or_a_player_as_was_chosen():
    text = "Anna Berg\nBen Kova"

    assert _people(text) == ["Anna Berg", "Ben Kova"]
    assert _people("Wer\nAnna", has_headings=False) == ["Wer", "Anna"]
    assert _people("name\nAnna", has_headings=False) == ["name", "Anna"]
    assert [p.code for p in read_roster("Wer\nAnna", has_headings=True).problems] == ["no_name_column"]


def _workbook(**sheets: list[list[object]]) -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


def test_another_sheet_of_a_workbook_can_be_chosen():
    data = _workbook(Info=[["Welcome"]], A=[["name"], ["Anna"]], Empty=[], B=[["name"], ["Ben"]])
    read = text_of(data)

    assert (read_roster(read.text).sheet, read_roster(read.text).sheets) == ("A", ("Info", "A", "B"))
    assert _people(read.text, sheet="B") == ["Ben"]
    assert read_roster(read.text, sheet="none").sheet == "A"
    assert read.skipped == ("Empty",)


def test_a_sheet_keeps_the_numbers_of_its_lines():
    text = join_sheets([("A", "x\n\ny\n"), ("B", "z\n")])

    assert read_cells(text, sheet="A").rows == [(1, ["x"]), (3, ["y"])]
    assert read_cells(text, sheet="B").rows == [(1, ["z"])]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("euc_jp", "名前,所属\n山田たろう,赤坂ドリブンズ\n"),
        ("cp949", "이름,소속\n김철수,서울\n이영희,부산\n"),
        ("cp1250", "Imię;Klub\nŁukasz Żółć;Gdańsk\n"),
        ("cp1251", "Имя;Город\nСергей Иванов;Москва\n"),
        ("cp1252", "Name;Land\nJosé Núñez;ES\nÅsa Öberg;SE\n"),
    ],
)
def test_more_encodings_are_guessed(encoding, text):
    read = text_of(text.encode(encoding))

    assert (read.text, read.encoding, read.guessed) == (text, encoding, True)


def test_a_workbook_without_a_row_is_refused():
    with pytest.raises(Unreadable, match="This workbook is empty"):
        text_of(_workbook(A=[], B=[[None]]))


def test_a_stray_quote_swallows_no_other_line():
    text = 'name,club\n"Anna,Kiel\nBen,Bonn\n' + "".join(f"P{i},x\n" for i in range(30))

    assert len(read_roster(text).lines) == 32


@pytest.mark.parametrize(
    ("separator", "names", "separators"),
    [
        ("", ["Berg, Anna", "Kova, Ben"], ("semicolon", "comma")),
        ("semicolon", ["Berg, Anna", "Kova, Ben"], ("semicolon", "comma")),
        ("comma", ["Berg", "Kova"], ("comma", "semicolon")),
        ("tab", ["Berg, Anna", "Kova, Ben"], ("semicolon", "comma")),
    ],
)
def test_a_chosen_separator_counts_if_the_text_has_it(separator, names, separators):
    cells = read_cells("Berg, Anna;AT\nKova, Ben;DE\n\n", separator=separator)

    assert [row[0] for _number, row in cells.rows] == names
    assert cells.separators == separators


def test_sheets_of_a_workbook_have_no_separator():
    assert read_cells(join_sheets([("A", "Name\nBen, Max"), ("B", "Name")])).separators == ()


@pytest.mark.parametrize(
    ("written", "code"),
    [
        *(("Deutschland", "DE"), ("Allemagne", "DE"), ("Niemcy", "DE"), ("Duitsland", "DE")),
        *(("Tyskland", "DE"), ("독일", "DE"), ("Alemania", "DE"), ("Тайвань", "TW")),
        *(("TPE", "TW"), ("ENG", "GB"), ("SCO", "GB"), ("NED", "NL")),
    ],
)
def test_a_country_in_another_language_or_by_three_letters_is_known(written, code):
    (line,) = read_roster(f"Name;Country\nAnna Berg;{written}").lines

    assert line.country == code


@pytest.mark.parametrize(
    ("heading", "cell", "name"),
    [
        ("Name, Vorname", "Berg, Anna", "Anna Berg"),
        ("Nom, prénom", "Dubois, Chloé", "Chloé Dubois"),
        ("Nom / Prénom (licence)", "VAN DER BERG, Anna", "Anna VAN DER BERG"),
        ("Nazwisko i imię", "Kowalski Jan", "Kowalski Jan"),  # which of them is which is not said
        ("Cognome e nome", "Rossi, Ugo", "Ugo Rossi"),
        ("Apellidos y nombre", "Gil, Eva", "Eva Gil"),
        ("Nach- und Vorname", "Berg, Anna", "Anna Berg"),
        ("Фамилия, имя", "Иванов, Сергей", "Сергей Иванов"),
        ("Last, First", "Berg, Anna", "Anna Berg"),
        ("First and last name", "Anna Berg", "Anna Berg"),
        ("姓、名", "陳，大文", "陳大文"),
        ("Spieler", "Berg, Anna", "Berg, Anna"),
    ],
)
def test_one_column_of_last_and_first_name(heading, cell, name):
    found = read_roster(f"{heading}\tLand\n{cell}\tDE\n")

    assert [line.name for line in found.lines] == [name]
    assert not found.problems
