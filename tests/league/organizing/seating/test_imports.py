"""Plans in the forms that other programs and people write them in."""

import io
import json
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from league.organizing.seating.imports.plan import MOST_LINES, read_plan
from league.organizing.seating.imports.rows import read_names
from players.files import text_of

FIRST, SECOND = ["1 2 3 4", "5 6 7 8"], ["1 5 2 6", "3 7 4 8"]
ROWS = [("1", "1", "1", "2", "3", "4"), ("1", "2", "5", "6", "7", "8")]
ROWS += [("2", "1", "1", "5", "2", "6"), ("2", "2", "3", "7", "4", "8")]
PLACES = [*zip(" ".join(FIRST).split(), " ".join(SECOND).split(), strict=True)]

FORMS = {
    "Pantheon": "1-2-3-4\n5-6-7-8\n\n1-5-2-6\n3-7-4-8\n",
    "spaces": "Round 1\n1 2 3 4\n5 6 7 8\nRound 2\n1 5 2 6\n3 7 4 8",
    "a heading for each round": "Table,East,South,West,North\n1,1,2,3,4\n2,5,6,7,8\n"
    "卓,東,南,西,北\n1,1,5,2,6\n2,3,7,4,8",
    "by round and table": "A club's event\nRound;Table;E;S;W;N\n" + "\n".join(map(";".join, ROWS)),
    "winds in another order": "桌號\t輪次\t北\t西\t南\t東\n"
    + "\n".join("\t".join((t, r, n, w, s, e)) for r, t, e, s, w, n in ROWS),
    "merged cells": "Round,Table,Player 1,Player 2,Player 3,Player 4\n1,1,1,2,3,4\n,2,5,6,7,8\n"
    "2,1,1,5,2,6\n,2,3,7,4,8",
    "without headings": "\n".join(map(",".join, ROWS)),
    "a seat a row": "Name,Round,Table,Wind\n"
    + "\n".join(
        f"{p},{r},Table {t},{w}" for r, t, *four in ROWS for p, w in zip(four, "東南西北", strict=True)
    ),
    "by player": "Player,Round 1,Round 2\n1,1E,1E\n2,1S,1W\n3,1W,2E\n4,1N,2W\n5,2E,1S"
    "\n6,2S,1N\n7,2W,2S\n8,2N,2N",
    "by player without headings": "1,1-1,1-1\n2,1-2,1-3\n3,1-3,2-1\n4,1-4,2-3\n5,2-1,1-2\n6,2-2,1-4\n"
    "7,2-3,2-2\n8,2-4,2-4",
    "a round a row": "Round 1,1,2,3,4,5,6,7,8\nRound 2,1,5,2,6,3,7,4,8",
    "a round a row in fours": "Round,Table 1,Table 2\n1,1-2-3-4,5-6-7-8\n2,1-5-2-6,3-7-4-8",
    "a round a column": "Table,Round 1,Round 2\n1,1-2-3-4,1-5-2-6\n2,5-6-7-8,3-7-4-8",
    "a round a column without headings": "1-2-3-4\t1-5-2-6\n5-6-7-8\t3-7-4-8",
    "without empty lines": "1-2-3-4\n5-6-7-8\n1-5-2-6\n3-7-4-8",
    "a round a line": "1-2-3-4 5-6-7-8\n1-5-2-6 3-7-4-8",
    "a round a line with bars": "1-2-3-4 | 5-6-7-8\n1-5-2-6 | 3-7-4-8",
    "a round a line with labels": "Runde 1: 1-2-3-4, 5-6-7-8\nRunde 2: 1-5-2-6, 3-7-4-8",
    "an empty line after each table": "1-2-3-4\n\n5-6-7-8\n\n1-5-2-6\n\n3-7-4-8",
    "tables with labels": "Spring Open\nRound 1 (Sunday)\nTable A: 1, 2, 3, 4\n\nTable B: 5, 6, 7, 8\n\n"
    "Round 2\nTable A: 1, 5, 2, 6\n\nTable B: 3, 7, 4, 8",
    "headings with a time": "第1回戦 (10:00)\n1-2-3-4\n5-6-7-8\n第2回戦 (13:30–15:00)\n1-5-2-6\n3-7-4-8",
    "labels without a space": "Round 1:1-2-3-4 5-6-7-8\nRound 2:1-5-2-6 3-7-4-8",
    "headings for tables": "Round 1\nTable 1\n1-2-3-4\nTable 2\n5-6-7-8\nRound 2\nTable 1\n1-5-2-6\nTable 2\n"
    "3-7-4-8",
    "labels in each row": "\n".join(",".join((f"Round {r}", f"Table {t}", *four)) for r, t, *four in ROWS),
    "four columns for each table": "Round,Table 1,,,,Table 2\n1,1,2,3,4,5,6,7,8\n2,1,5,2,6,3,7,4,8",
    "four players in a cell": "Table,Round 2,Round 1\nA,1 / 5 / 2 / 6,1 / 2 / 3 / 4\nB,3/7/4/8,5/6/7/8",
    "a seat a row with merged cells": "Round\tTable\tWind\tPlayer\n"
    + "\n".join(
        f"{r if t + w == '1E' else ''}\t{t if w == 'E' else ''}\t{w}\t{p}"
        for r, t, *four in ROWS
        for p, w in zip(four, "ESWN", strict=True)
    ),
    "lists of tuples": "seats = [\n  [(1, 2, 3, 4), (5, 6, 7, 8)],  # first\n"
    "  [(1, 5, 2, 6), ('3', '7', '4', '8'),],\n]",
    "tuples in lines": "(1,2,3,4),(5,6,7,8)\n(1,5,2,6),(3,7,4,8)",
    "lists in lines": "[(1,2,3,4),(5,6,7,8)]\n[(1,5,2,6),(3,7,4,8)]",
    "one list of tuples": "[(1,2,3,4),\n(5,6,7,8),\n(1,5,2,6),\n(3,7,4,8)]",
    "JSON with an object for each row": json.dumps(
        [dict(zip(("round", "table", *"eswn"), row, strict=True)) for row in ROWS]
    ),
    "JSON with an object for each seat": json.dumps(
        [
            {"runde": r, "tisch": f"Tisch {t}", "platz": wind, "spieler": player}
            for r, t, *four in ROWS
            for wind, player in zip(
                ("Süd", "Ost", "Nord", "West"), (four[1], four[0], four[3], four[2]), strict=True
            )
        ]
    ),
    "JSON with objects for rounds, tables and winds": json.dumps(
        {
            "event": "Spring",
            "rounds": [
                {
                    "round": n,
                    "tables": [
                        {
                            "table": t,
                            "players": [{"wind": w, "name": p} for w, p in zip("ESWN", four, strict=True)],
                        }
                        for r, t, *four in ROWS
                        if r == n
                    ],
                }
                for n in "21"
            ],
        }
    ),
    "JSON with keys": json.dumps(
        {
            f"Round {n}": {
                "AB"[int(t) - 1]: {"1": a, "2": b, "3": c, "4": d} for r, t, a, b, c, d in ROWS if r == n
            }
            for n in "12"
        }
    ),
    "Markdown": "# Spring\n\n"
    + "\n".join(
        f"## Round {n}\n\n| **Table** | East | South | West | North |\n|---|:--:|---|---|--:|\n"
        + "".join(f"| {' | '.join(row)} |\n" for r, *row in ROWS if r == n)
        for n in "12"
    ),
    "a place a row": "\n".join(f"{one}\t{other}" for one, other in PLACES),
    "a place a row with headings": "Table;Seat;Round 1;Round 2\n"
    + "\n".join(f"{n // 4 + 1};{'ESWN'[n % 4]};{a};{b}" for n, (a, b) in enumerate(PLACES)),
    "a place a row with merged cells": "Table,Round 1,Round 2\n"
    + "\n".join(f"{'' if n % 4 else n // 4 + 1},{a},{b}" for n, (a, b) in enumerate(PLACES)),
    "a place a row in lists": json.dumps([[int(each) for each in place] for place in PLACES]),
    "keys of another program": json.dumps(
        [
            {
                "roundNumber": int(n),
                "tables": [
                    {
                        "table_id": int(t),
                        "seating": [
                            {"seat_no": at, "playerId": int(p)} for at, p in reversed([*enumerate(four, 1)])
                        ],
                    }
                    for r, t, *four in ROWS
                    if r == n
                ],
            }
            for n in "21"
        ]
    ),
    "the shape of the API": json.dumps(
        [
            {
                **{"number": int(n), "date": "2026-11-29", "status": "closed", "visibility": "results"},
                **{"tables": 2, "seating": "0f3a"},
                "items": [
                    {
                        **{"number": int(t), "status": "confirmed", "sticks": 0, "last_dealer": "west"},
                        "revision": 1,
                        "seats": [
                            {"wind": wind, "player": p, "name": f"Player {p}", "points": 25000, "place": 3}
                            | {"uma": "0.0", "oka": None, "score": "-5.0", "chips": 0}
                            for wind, p in zip(("east", "south", "west", "north"), four, strict=True)
                        ],
                    }
                    for r, t, *four in ROWS
                    if r == n
                ],
            }
            for n in "12"
        ]
    ),
    "rounds, tables and seats from 0": json.dumps(
        [
            {"round": int(r) - 1, "table": int(t) - 1, "seat": at, "player": p}
            for r, t, *four in ROWS
            for at, p in enumerate(four)
        ]
    ),
    "tables from 0": "Round,Table,E,S,W,N\n"
    + "\n".join(f"{int(r) - 1},{int(t) - 1},{','.join(four)}" for r, t, *four in ROWS),
    "numbers and names of players": "Player no;Player name;Round 1;Round 2\n"
    + "\n".join(
        f"{20 - n};{n};{seats}"
        for n, seats in enumerate(["1E;1E", "1S;1W", "1W;2E", "1N;2W", "2E;1S", "2S;1N", "2W;2S", "2N;2N"], 1)
    ),
    "a byte order mark and sep=": "\ufeffsep=;\nRound no;Table no;E;S;W;N\n" + "\n".join(map(";".join, ROWS)),
    "full-width semicolons": "\n".join(map("；".join, ROWS)),
    "HTML": "<style>p {}</style><h1>Spring</h1><table><tr><th>Round<th>Table<th>E<th>S<th>W<th>N</tr>"
    + "".join(
        "<tr>" + f'<td rowspan="2">{r}</td>' * (t == "1") + f"<td>{t}</td><td>{'<td>'.join(four)}</td></tr>"
        for r, t, *four in ROWS
    )
    + "</table>",
    "HTML with a table for each round": "".join(
        f"<p>Ronde {n}</p><table><tr><th>Table A<th>Table B<tr><td>{'<td>'.join(tables)}</table>"
        for n, tables in (
            (1, ("1<br>2<br>3<br>4", "<p>5</p><p>6</p><p>7</p><p>8</p>")),
            (2, ("1-5-2-6", "3-7-4-8")),
        )
    ),
}
LANGUAGES = {
    "French": ("Tour Table Est Sud Ouest Nord", "Nom", "Tour {}"),
    "French letters": ("Ronde Table E S O N", "Joueur", "Ronde n° {}"),
    "French players": ("Manche Table Joueur_1 Joueur_2 Joueur_3 Joueur_4", "Joueuse", "Manche {}"),
    "German": ("Runde Tisch Ost Süd West Nord", "Spieler", "Runde {}"),
    "German letters": ("Runde Tisch O S W N", "Name", "Spiel {}"),
    "Italian": ("Turno Tavolo Est Sud Ovest Nord", "Giocatore", "Turno {}"),
    "Spanish": ("Ronda Mesa Este Sur Oeste Norte", "Jugador", "Ronda {}"),
    "Spanish players": ("Ronda Mesa Jugador_A Jugador_B Jugador_C Jugador_D", "Nombre", "Partida {}"),
    "Polish": ("Runda Stół Wschód Południe Zachód Północ", "Imię_i_nazwisko", "Runda {}"),
    "Russian": ("Тур Стол Восток Юг Запад Север", "Игрок", "Раунд {}"),
    "Russian letters": ("Раунд Стол В Ю З С", "ФИО", "Тур {}"),
    "Dutch": ("Ronde Tafel Oost Zuid West Noord", "Naam", "Ronde {}"),
    "Danish": ("Runde Bord Øst Syd Vest Nord", "Navn", "Runde {}"),
    "Korean": ("라운드 테이블 동 남 서 북", "이름", "라운드 {}"),
    "Japanese": ("回戦 卓 東家 南家 西家 北家", "選手名", "第{}回戦"),
    "traditional Chinese": ("輪次 桌號 東 南 西 北", "姓名", "第{}輪"),
    "simplified Chinese": ("轮次 桌号 东 南 西 北", "选手", "第{}轮"),
}
# As a player's seat at a table, both from 0, may be written.
SEATS = {
    "3E": lambda t, s: f"{t + 1}{'ESWN'[s]}",
    "E3": lambda t, s: f"{'ESWN'[s]}{t + 1}",
    "3O, as in French": lambda t, s: f"{t + 1}{'ESON'[s]}",
    "3-1": lambda t, s: f"{t + 1}-{s + 1}",
    "C1": lambda t, s: f"{'AB'[t]}{s + 1}",
    "C east": lambda t, s: f"{'AB'[t]} – {('East', 'South', 'West', 'North')[s]}",
    "Table 3 Ost": lambda t, s: f"Table {t + 1} {('Ost', 'Süd', 'West', 'Nord')[s]}",
    "T3E": lambda t, s: f"T{t + 1}{'ESWN'[s]}",
    "第3卓東家": lambda t, s: f"第{t + 1}卓{'東南西北'[s]}家",
}

BROUGHT = Path(__file__).parents[3] / "data" / "brought"


@pytest.mark.parametrize(
    ("file", "rounds"),
    [
        ("plan-by-list-numbers.txt", [FIRST]),
        ("plan-zero-based.txt", [["0 1 2 3", "4 5 6 7"], ["0 4 1 5", "2 6 3 7"]]),
        ("plan-tour-number.json", [FIRST]),
        ("plan-round-per-column.json", [["0 1 2 3", "4 5 6 7"], ["0 4 1 5", "2 6 3 7"]]),
        ("plan-semicolons-names-with-commas.csv", [["Anna BERG, VAN DER Ben KOVA Cara LIND Dan MOTT"]]),
    ],
)
def test_a_plan_that_people_bring_is_read_as_it_was_meant(file, rounds):
    assert cells(text_of((BROUGHT / file).read_bytes()).text) == rounds


BERG, KOVA, LIND, MOTT = "Anna Berg", "Ben Kova", "Cara Lind", "Dan Mott"
NOLL, ORT, POHL, QUIST = "Eva Noll", "Finn Ort", "Gea Pohl", "Hal Quist"


@pytest.mark.parametrize(
    ("file", "encoding", "skipped", "rounds"),
    [
        (
            "plan-merged-rounds-de.xlsx",
            "",
            ("Daten",),
            [
                [(1, (BERG, KOVA, LIND, MOTT), 5), (2, (NOLL, ORT, POHL, QUIST), 6)],
                [(1, (QUIST, BERG, NOLL, LIND), 10), (2, (MOTT, POHL, KOVA, ORT), 11)],
            ],
        ),
        (
            "plan-ja-cp932.csv",
            "cp932",
            (),
            [
                [
                    (1, ("鈴木 一郎", "佐藤 健", "山田 花子", "木村 三郎"), 3),
                    (2, ("渡辺 恵", "高橋 実", "小林 愛", "中村 翔"), 4),
                ],
                [
                    (1, ("山田 花子", "中村 翔", "木村 三郎", "渡辺 恵"), 5),
                    (2, ("佐藤 健", "小林 愛", "高橋 実", "鈴木 一郎"), 6),
                ],
            ],
        ),
        (
            "plan-letters-from-a-page.html",
            "utf-8",
            (),
            [[(1, (*"0123",), 7), (2, (*"4567",), 6)], [(1, (*"7052",), 12), (2, (*"3614",), 11)]],
        ),
        (
            "plan-rounds-of-the-api.json",
            "utf-8",
            (),
            [
                [(3, ("p1", "p2", "p3", "p4"), 0), (4, ("p5", "p6", "p7", "p8"), 0)],
                [(3, ("p7", "p3", "p8", "p4"), 0), (4, ("p5", "p1", "p6", "p2"), 0)],
            ],
        ),
    ],
)
def test_every_table_of_a_plan_that_people_bring_is_read(file, encoding, skipped, rounds):
    found = text_of((BROUGHT / file).read_bytes())
    plan = read_plan(found.text)

    assert (found.encoding, found.skipped, plan.problems) == (encoding, skipped, ())
    tables = [[(table.number, tuple(table.cells), table.row) for table in round_] for round_ in plan.rounds]
    assert tables == rounds


def test_each_table_of_a_page_that_cannot_be_played_is_named_with_its_line():
    plan = read_plan((BROUGHT / "plan-markdown-seat-missing.md").read_text(encoding="utf-8"))

    assert plan.problems == (
        "Line 14: Round 2, table 1: a table needs four players.",
        "Line 15: Round 2: “Eva” has 2 seats. A player has one seat in a round.",
    )


def test_a_player_in_four_seats_is_named():
    text = (BROUGHT / "plan-one-player-in-four-seats.csv").read_text()
    with pytest.raises(ValidationError, match="“1” has 4 seats"):
        rounds_of(text)


@pytest.mark.parametrize("form", FORMS)
def test_a_plan_is_read_from_many_forms(form):
    plan = rounds_of(FORMS[form])
    assert cells(FORMS[form]) == [FIRST, SECOND]
    assert {tuple(table.number for table in round_) for round_ in plan} <= {(1, 2), (None, None)}


def rounds_of(text: str):
    plan = read_plan(text)
    if plan.problems:
        raise ValidationError([*plan.problems])
    return plan.rounds


def cells(text: str) -> list[list[str]]:
    return [[" ".join(table.cells) for table in round_] for round_ in rounds_of(text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_are_read_in_many_languages(language):
    head, player, round_ = LANGUAGES[language]
    heads = [word.replace("_", " ") for word in head.split()]
    assert cells("\n".join(map(";".join, [heads, *ROWS]))) == [FIRST, SECOND]
    lettered = [(r, "AB"[int(t) - 1], *four) for r, t, *four in ROWS]
    ((one, other), _second) = rounds_of("\n".join(map("\t".join, [heads, *lettered])))
    assert (one.number, other.number) == (1, 2)
    for name, seat in SEATS.items():
        assert cells(by_player(player.replace("_", " "), round_, seat)) == [FIRST, SECOND], name


def by_player(player: str, round_: str, seat) -> str:
    at = {(p, r): seat(int(t) - 1, s) for r, t, *four in ROWS for s, p in enumerate(four)}
    rows = [[p, at[p, "1"], at[p, "2"]] for p in "87654321"]
    return "\n".join(map("\t".join, [[player, round_.format(1), round_.format(2)], *rows]))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Round,Table,East,South,West,North,Referee\n1,1,a,b,c,d,z", "Column “Referee” was not understood"),
        ("Round,Table,East,South,West,Foo\n1,1,a,b,c,d", "Column “Foo” was not understood"),
        ("Name,Club,Round 1\na,X,1E", "Column “Club” was not understood"),
        ("Table,East,South,West,North\n1,Doe, Jane,b,c,d", "Column “6” was not understood"),
        ("Round,Table,East,South,West\n1,1,a,b,c", "These columns do not make a plan"),
        ("Name,Round 1,Round 2\na,1E,zz", "Line 2, column “Round 2”: “zz” was not understood"),
        ("Round,Table,Wind,Player\n1,1,Q,a", "Line 2, column “Wind”: “Q” was not understood"),
        ("Round,Table,Player\n1,Red,a", "Line 2, column “Table”: “Red” was not understood"),
        ("Round,Table,Player\n1,,a", "Line 2 was not understood: “1, a”"),
        ("Round,Table,Player\n1,1", "Line 2 was not understood: “1, 1”"),
        ("Table,Round 1\n1,1-2-3", "Line 2, column “Round 1”: “1-2-3” was not understood"),
        ("a,b,c,d\nTable,East,South,West,North\n1,e,f,g,h", "Line 1 was not understood"),
        ("Table,East,South,West,North\n1,a,b,c,d\nTable,North,South,West,East\n1,a,b,c,d", "Line 3 was not"),
        ("Table,East,South,West,North\n1,a,b,c,d\nLunch\n1,a,b,c,d", "“Lunch” was not understood"),
        ("Round,Table,East,South,West,North\nLunch\n1,1,a,b,c,d", "Line 2 was not understood: “Lunch”"),
        ("Table,Referee,East,South,West,North\n1,,a,b,c,d\n,Zed", "Column “Referee” was not understood"),
        ("Seat,Round 1\nE,a\nQ,b", "Line 3, column “Seat”: “Q” was not understood"),
        ("Table,Foo,Round 1\n1,x,a", "Column “Foo” was not understood"),
        ('[[{"seat_number": 1, "rating": 3}]]', "“rating” was not understood"),
        ("1-2-3-4\nAnn\n5-6-7-8", "Line 2 was not understood: “Ann”"),
        ("1-2-3\n4-5-6-7", "Line 1 was not understood: “1-2-3”"),
        ("Ann Bob Cat Dan", "Line 1 was not understood: “Ann Bob Cat Dan”"),
        ("1-2-3-4\t1-2-3-4\nAnn\t5-6-7-8", "Line 2, column “1”: “Ann” was not understood"),
        ("a,b,c,d,e,f,g,h,i", "Line 1 was not understood"),
        ("Lunch\n1-2-3-4 | 5-6-7-8\n1-5-2-6 | 3-7-4-8;x", "Line 2: Round 1, table 1: a table needs four"),
        ("1-2-3-4 5-6-7-8\n1-5-2-6 3-7-4-8;x", "Line 2 was not understood"),
        ("Round 1,Table 1,a,b,c,d\nTable 3\nRound 1,Table 2,e,f,g,h", "Line 2 was not understood: “Table 3”"),
        ("p1,p2,p3,p4,p5,p6", "Line 1: Round 1, table 1: a table needs four players"),
        ('{"players": ["Ann"], "rounds": [[[1, 2, 3, 4]]]}', "“players” was not understood"),
        ('[[{"east": 1, "foo": 2}]]', "“foo” was not understood"),
        ('[[{"table": "Red", "players": [1, 2, 3, 4]}]]', "“Red” was not understood"),
        ('[[[{"wind": "Q", "player": 1}]]]', "“Q” was not understood"),
        ('[[[{"wind": "E", "player": 1}, {"wind": "E", "player": 2}]]]', "each wind needs one player: 1, 2"),
        ("[[[1, 2, 3, [4]]]]", "This JSON is not a plan"),
        ("[[[true, 2, 3, 4]]]", "This JSON is not a plan"),
        ('{"player": 1}', "This JSON is not a plan"),
        ("[" * 400 + "1" + "]" * 400, "This JSON is not a plan"),
        ("\n" * (MOST_LINES + 1), "too large for a plan"),
        (f"({'(1, 2, 3, 4), ' * 8_000})", "too large for a plan"),
        ("[" + "not " * 20_000 + "1]", "This JSON is not a plan"),
        ("<td colspan=9999>" * 30, "too large for a plan"),
    ],
)
def test_what_was_not_understood_is_named(text, sentence):
    with pytest.raises(ValidationError) as refused:
        rounds_of(text)
    assert sentence in " ".join(refused.value.messages)


WORDS = [
    "1",
    "4",
    "A",
    "B",
    "E",
    "O",
    "Ann",
    "Round",
    "Table",
    "East",
    "South",
    "West",
    "North",
    "Player",
    "1-2-3-4",
    "東",
    "卓",
    "第",
    "Runde",
    "null",
    "Player 7",
]
WORDS += [*"|,;:/()[]{}#\"'\\= \n\t", "**", "\n\n", "<tr>", "<td>", "<table rowspan=3>", "</table>", "<br>"]


@given(st.lists(st.sampled_from(WORDS), max_size=30).map("".join))
def test_any_text_is_a_plan_of_fours_or_refused(text):
    try:
        plan = rounds_of(text)
    except ValidationError:
        return
    assert {len(table.cells) for round_ in plan for table in round_} == {4}


@given(st.integers(4, 20), st.integers(1, 5), st.randoms(use_true_random=False))
def test_no_player_of_a_plan_is_dropped(players, rounds, chance):
    """Written as rows, as lines, by player and as JSON, the same plan is read."""
    plan = [chance.sample(range(1, players + 1), players // 4 * 4) for _ in range(rounds)]
    fours = [[list(map(str, each[at : at + 4])) for at in range(0, len(each), 4)] for each in plan]
    lines = "\n\n".join("\n".join(map("-".join, round_)) for round_ in fours)
    named = "\n".join(
        f"Round {r}: " + ("; ".join(map("-".join, round_))) for r, round_ in enumerate(fours, 1)
    )
    rows = [(f"{r}", f"{t}", *four) for r, round_ in enumerate(fours, 1) for t, four in enumerate(round_, 1)]
    sheet = "\n".join(map(",".join, [("Round", "Table", "E", "S", "W", "N"), *rows]))
    seats = {(p, r): f"{t}{'ESWN'[s]}" for r, t, *four in rows for s, p in enumerate(four)}
    each = [
        [f"{p}", *(seats.get((f"{p}", f"{r}"), "-") for r in range(1, rounds + 1))]
        for p in range(1, players + 1)
    ]
    own = "\n".join(map("\t".join, [["Player", *(f"Round {r}" for r in range(1, rounds + 1))], *each]))
    want = [list(map(" ".join, round_)) for round_ in fours]
    assert [cells(text) for text in (named, sheet, own, json.dumps(fours))] == [want] * 4
    if players // 4 > 1:
        assert cells(lines) == want


def test_a_workbook_is_read_with_names_that_hold_commas():
    book, data = Workbook(), io.BytesIO()
    for row in ([], ["Table", "East", "South", "West", "North"], [7, "Doe, Jane", "Wu “Ace” Li", "三", "四"]):
        book.active.append(row)
    book.save(data)
    ((table,),) = rounds_of(text_of(data.getvalue()).text)
    assert (table.number, table.cells) == (7, ["Doe, Jane", "Wu “Ace” Li", "三", "四"])


def test_the_sheet_with_the_plan_is_read():
    book, data = Workbook(), io.BytesIO()
    book.active.append(["Spring Open", "at the club"])
    for row in (["Table", "E", "S", "W", "N"], [1, 1, 2, 3, 4], [2, 5, 6, 7, 8]):
        book["Plan" if "Plan" in book.sheetnames else book.create_sheet("Plan").title].append(row)
    book.save(data)
    assert cells(text_of(data.getvalue()).text) == [FIRST]


def test_a_name_with_a_line_break_separates_no_rounds():
    text = 'Table,East,South,West,North\n1,"Ann\nLee",b,c,d\n2,e,f,g,h\n\n1,e,b,g,d\n2,"Ann\nLee",f,c,h'
    assert cells(text) == [["Ann Lee b c d", "e f g h"], ["e b g d", "Ann Lee f c h"]]


def test_latin_squares_of_tables_are_tables():
    assert cells("1,2,3,4\n2,3,4,1\n3,4,1,2\n4,1,2,3") == [["1 2 3 4"], ["2 3 4 1"], ["3 4 1 2"], ["4 1 2 3"]]


def test_problems_name_their_line_but_not_in_json():
    said = "Round 1: “a” has 2 seats. A player has one seat in a round."
    assert read_plan("Round 1\na,b,c,d\na,f,g,h").problems == (f"Line 2: {said}",)
    assert read_plan('[[["a", "b", "c", "d"], ["a", "f", "g", "h"]]]').problems == (said,)


def test_lines_with_other_marks_than_the_rest_are_tables():
    text = "Round 1\nn, o, p, q\n\nRound 2\n1\tn\to\tr\ts\n2\tp\tq\tt\tu"
    assert cells(text) == [["n o p q"], ["n o r s", "p q t u"]]


def test_a_heading_between_rows_that_name_their_round_changes_nothing():
    text = "Round,Table,E,S,W,N\n1,1,a,b,c,d\n2,1,a,c,b,e\nRound 1 (Sunday)\n,2,d,f,g,h"
    assert cells(text) == [["a b c d"], ["a c b e", "d f g h"]]


def test_who_has_no_table_in_a_round_sits_out():
    rows = [f"p{n},{n % 2 + 1}" for n in range(8)]
    ((one, other),) = rounds_of("\n".join(["Name,第1輪", *rows, "p8,-", "p9,", "p10,0"]))
    assert (one.cells, other.cells) == (["p0", "p2", "p4", "p6"], ["p1", "p3", "p5", "p7"])


def test_names_with_hyphens_and_numbers_stay_whole():
    ((table,),) = rounds_of("Jean-Luc 2, Ann-Sophie, 1-2, R2-D2")
    assert table.cells == ["Jean-Luc 2", "Ann-Sophie", "1-2", "R2-D2"]
    ((table,),) = rounds_of('陳大文、李"小"明、王美麗、Wu "Ace" Li')
    assert table.cells == ["陳大文", '李"小"明', "王美麗", 'Wu "Ace" Li']


def test_players_may_have_the_names_of_headings():
    text = "Player 1,Player 2,Player 3,Player 4\nPlayer 5,Player 6,南,西"
    assert cells(text) == [["Player 1 Player 2 Player 3 Player 4", "Player 5 Player 6 南 西"]]


@pytest.mark.parametrize(
    "text", ["Round,Table,East,South,West,North", "Name,Round 1\np1,-", "Name,Table", "| |"]
)
def test_headings_alone_are_not_a_plan(text):
    with pytest.raises(ValidationError, match="No plan yet"):
        rounds_of(text)


def test_typed_names_are_split_at_semicolons_or_else_at_commas_of_every_kind():
    assert read_names("HEIDE, VAN DER; Ann") == ["HEIDE, VAN DER", "Ann"]
    assert read_names("Dora， 山田太郎, p7、p8,") == ["Dora", "山田太郎", "p7", "p8"]
