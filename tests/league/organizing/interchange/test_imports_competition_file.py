"""Reading a competition file: what it says, and every problem with its place."""

import copy
import json
import pickle
import random
from datetime import date

import pytest

from league.organizing.interchange.schema import PlayerFacts
from tests.examples import scaled
from tests.league.organizing.interchange.files import (
    check_problem,
    each_case,
    encoded,
    facts_of,
    places_of,
    problems_of,
    put,
    random_file,
    real,
    round_of,
    small,
    table,
    table_of,
)


def test_a_small_file_is_read_with_every_default():
    facts = facts_of(small())

    assert (facts.slug, facts.name, facts.timezone) == ("small", "Small", "Asia/Hong_Kong")
    assert (facts.kind, facts.visibility, facts.counting) == ("season", "public", "confirmed")
    assert facts.tie_breaks == ["average_place", "firsts", "best_points"]
    assert facts.players[0] == PlayerFacts(id="p1", name="陳大文", division="main")
    (round_,) = facts.divisions[0].stages[0].rounds
    assert round_.date == date(2025, 4, 30)
    assert round_.model_dump(mode="json") == {
        **round_of(small()),
        **{"status": "closed", "visibility": "results", "tables": [table_of(small()) | {"sticks": 0}]},
    }
    (penalty,) = facts.penalties
    assert (penalty.division, penalty.stage, penalty.score) == ("main", "regular", -200)
    assert penalty.at_table == ("main", "regular", 1, 1)


def test_the_real_files_are_read():
    season, event = facts_of(real("mleague-2018-19.json")), facts_of(real("sample-24-players.json"))

    assert season.counts == {"players": 21, "rounds": 106, "tables": 106, "sheets": 106, "penalties": 0}
    assert event.counts == {"players": 24, "rounds": 8, "tables": 48, "sheets": 48, "penalties": 0}
    assert pickle.loads(pickle.dumps(event)) == event  # noqa: S301  another process may read it


def test_unknown_fields_are_passed_over():
    file = small()
    file["colour"] = {"of": "the tiles"}
    table_of(file)["seats"][0]["mood"] = "calm"

    assert facts_of(file) == facts_of(small())


def test_seats_may_come_in_any_order():
    file = small()
    table_of(file)["seats"].reverse()

    (table,) = facts_of(file).divisions[0].stages[0].rounds[0].tables

    assert [seat.player for seat in table.by_wind] == ["p1", "p2", "p3", "p4"]


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((), "planned"),
        (("scheduled",), "open"),
        (("confirmed", "scheduled"), "open"),
        (("confirmed", "void"), "closed"),
    ],
)
def test_a_round_that_does_not_say_its_status_is_closed_when_all_is_played(statuses, expected):
    file = small()
    file["players"] += [{"id": f"p{n}", "name": "X"} for n in range(5, 9)]
    round_of(file)["tables"] = [
        table(
            n + 1,
            [f"p{n * 4 + seat}" for seat in range(1, 5)],
            None if status == "scheduled" else [30000] * 4,
        )
        | {"status": status}
        for n, status in enumerate(statuses)
    ]
    file["penalties"] = []

    assert facts_of(file).divisions[0].stages[0].rounds[0].status == expected


def test_a_level_may_be_written_as_a_number():
    file = small()
    file["penalties"][0] |= {"level": 2, "infraction": "A-II"}

    assert (facts_of(file).penalties[0].level, facts_of(file).penalties[0].infraction) == ("2", "A-II")


def test_values_come_between_preset_and_overrides():
    file = small()
    values = facts_of(file).divisions[0].rules.resolved.as_values() | {"tie_rule": "seat", "rounding": "down"}
    file["divisions"][0]["rules"] = {
        "preset": "hkma-a-2025-04",
        "overrides": {"rounding": "up"},
        "values": values,
    }

    rules = facts_of(file).divisions[0].rules.resolved

    assert (rules.tie_rule, rules.rounding) == ("seat", "up")


R = "divisions[0].stages[0].rounds[0]"
T = f"{R}.tables[0]"
RULES = "divisions[0].rules.overrides"


def text_chosen(**wrong: object) -> dict[str, object]:
    """A contradiction of the sources with the text that was chosen, and one thing wrong with it."""
    return {"settings": ["uma", "oka"], "chosen": 2, "place": "半莊結束 §6"} | wrong


WRONG = each_case(
    ("format", ("umaoka", "umaoka-competition"), (..., "not a competition file")),
    ("version", (2, "newer Umaoka"), (10**40, "newer Umaoka"), (True, "as a number"), ("1", "as a number")),
    ("slug", (..., "missing"), ("a b", "letters a to z"), ("ä", "letters a to z"), ("x" * 61, "at most 60")),
    ("name", ("", "missing"), (7, "Enter text, not 7"), ("a\x00b", "invisible"),
     ("a\ud800b", "invisible"), ("x" * 121, "not 121")),
    ("timezone", ("Hong Kong", "is not a time zone"), (..., "missing")),
    ("kind", ("cup", "season, event")),
    ("visibility", (1, "public, private")),
    ("counting", ("all", "entered, confirmed")),
    ("tie_breaks", (["luck"], "average_place", "[0]"),
     (["firsts", "firsts"], "is listed twice", "[1]"), ("firsts", "list")),
    ("suggest_fourth", (1, "true or false")),
    ("players", (..., "missing"), ({}, "list")),
    ("players[1]", ("p2", "object")),
    ("players[1].id", ("p1", "is listed twice: also in players[0]"), (2, "Enter text, not")),
    ("players[1].name", (..., "missing")),
    ("players[1].country", ("Hong Kong", "two letters")),
    ("players[1].division", ("third", "no division “third”")),
    ("players[1].withdrawn", ("yes", "true or false")),
    ("players[1].federation_numbers", ({"EMA": ""}, "missing", ".EMA"),
     ({"x" * 21: "1"}, "1 to 20", "." + "x" * 21)),
    ("teams", ([{"id": "t1", "name": "T", "players": ["p9"]}], "no player “p9”", "[0].players[0]"),
     ([{"id": "t", "name": "T", "players": ["p1", "p1"]}], "is listed twice", "[0].players[1]")),
    ("divisions", ([], "A competition has at least one division"), (..., "missing")),
    ("divisions[0].stages", ([], "A division has at least one stage")),
    ("divisions[0].slug", ("/", "letters a to z")),
    ("divisions[0].rules", (..., "missing")),
    ("divisions[0].rules.preset", ("mahjong", "hkma-a-2025-04")),
    (RULES, ([], "object"), ({"umaa": 1}, "umaa", ".umaa"),
     ({"uma": [50, 10, -10, -30]}, "+20.0", ".uma"),
     ({"chombo_timing": "before_uma"}, "before places and uma", ".chombo_timing")),
    ("divisions[0].rules.values",
     ({"chombo_timing": "before_uma"}, "before places and uma", ".chombo_timing")),
    ("divisions[0].stages[0].carry", ("double", "none, half, all"), (..., "missing")),
    (f"{R}.number", (-1, "too small or too large"), (2**31, "too small or too large"),
     (10**4000, "more than 20 digits"), (True, "whole number"), (1.5, "whole number")),
    (f"{R}.date", ("2025-02-30", "year-month-day"), ("20250430", "year-month-day"),
     ("9999-12-31", "year-month-day")),
    (f"{R}.status", ("done", "planned, open, closed")),
    (f"{R}.visibility", ("secret", "hidden, seating, results")),
    (f"{T}.status", ("played", "scheduled, entered, confirmed, void"), (..., "missing")),
    (f"{T}.sticks", (-1000, "negative"), (500, "multiples of 1,000"), (1000, "1,000 too much", f"{T}.seats"),
     ("1000", "whole number")),
    (f"{T}.seats", (..., "missing")),
    (f"{T}.seats[3]", ({"wind": "north"}, "missing", ".player")),
    (f"{T}.seats[3].wind", ("east", "is listed twice"), ("up", "east, south, west, north"),
     ([], "east, south, west, north")),
    (f"{T}.seats[3].player", ("p9", "no player “p9”"), ("p1", f"is listed twice: also in {T}.seats[0]")),
    (f"{T}.seats[3].points", (19000, "1,000 missing", f"{T}.seats"), (20050, "multiples of 100"),
     ("20000", "whole number"), (2**40, "too small or too large"), (..., "missing")),
    (f"{T}.seats[3]", (..., "Missing: north", f"{T}.seats")),
    ("divisions[0].rules.preset", ("mleague", "20,000 too much", f"{T}.seats")),
    ("divisions[0].rules.readings", ("uma", "list"), ([1], "object", "[0]"),
     ([text_chosen(settings="uma")], "list", "[0].settings"),
     ([text_chosen(settings=["luck"])], "“luck”", "[0].settings[0]"),
     ([text_chosen(settings=[[]])], "[…]", "[0].settings[0]"),
     ([text_chosen(chosen=3)], "1 for the first", "[0].chosen"),
     ([text_chosen(chosen=0)], "too small", "[0].chosen"),
     ([text_chosen(chosen="1")], "whole number", "[0].chosen"),
     ([text_chosen(place="")], "missing", "[0].place"),
     ([text_chosen(place="x" * 301)], "300", "[0].place")),
    ("penalties[0].player", ("p9", "no player “p9”")),
    ("penalties[0].division", ("b", "Choose from: main")),
    ("penalties[0].stage", ("final", "Choose from: regular")),
    ("penalties[0].round", (7, "no round 7"), (None, "Enter the round of the table")),
    ("penalties[0].table", (7, "no table 7")),
    ("penalties[0].score", (..., "missing"), (-20.05, "one decimal"), (True, "one decimal"),
     (1e300, "one decimal"), (10**4000, "more than 20 digits"), ([1], "one decimal")),
    ("penalties[0].reason", ("", "Name the offence"), ("x" * 301, "at most 300")),
    ("penalties[0].hand", ("E9.0", "wind, number and honba"), (7, "Enter text, not")),
    ("penalties[0].condition", (-1, "too small or too large"), (100, "too small or too large")),
    ("penalties[0].units", (0, "too small or too large"), (61, "too small or too large"),
     ("3", "whole number")),
    ("penalties[0].suggested", ("x" * 41, "at most 40")),
    ("penalties[0].win_ban", (1, "true or false")),
    ("penalties[0].status", ("revoked", "Choose from: in_force, requested"),
     ("declined", "missing", "penalties[0].decided")),
    ("penalties[0].together", (1.5, "whole number")),
    ("penalties_shown", ("none", "Choose from: all, counts, scores")),
    ("expulsion", (1, "Choose from: substitute, forfeit")),
    ("takes_calls", ("no", "true or false")),
    ("divisions[0].stages[0].fee", (-1, "from 0"), (10**6, "999,999.99"), (0.125, "two decimals"),
     ("80", "two decimals"), (True, "two decimals"), (1e300, "two decimals")),
    ("divisions[0].stages[0].guest_fee", ([], "two decimals")),
    ("approval_from", ("x" * 41, "at most 40")),
)  # fmt: skip


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_each_problem_has_its_place(case):
    check_problem(small(), *case, only=False)


def test_what_comes_twice_is_named_with_both_places():
    file = small()
    rounds = file["divisions"][0]["stages"][0]["rounds"]
    rounds[0]["tables"].append(table(1, ["p1", "p2", "p3", "p4"], None))
    rounds.append({"number": 1, "tables": []})

    assert problems_of(file) == [
        (f"{R}.tables[1].number", f"“1” is listed twice: also in {T}."),
        *(
            (f"{R}.tables[1].seats[{n}].player", f"“p{n + 1}” is listed twice: also in {T}.seats[{n}].")
            for n in range(4)
        ),
        ("divisions[0].stages[0].rounds[1].number", f"“1” is listed twice: also in {R}."),
    ]


def test_a_scheduled_table_has_no_points():
    sentence = "A scheduled table has no points. Use “entered” if it was played."

    assert problems_of(put(small(), f"{T}.status", "scheduled")) == [
        (f"{T}.seats[{n}].points", sentence) for n in range(4)
    ]


def test_a_penalty_says_its_division_where_there_are_several():
    file = small()
    file["divisions"].append(copy.deepcopy(file["divisions"][0]) | {"slug": "second"})

    assert problems_of(file) == [("penalties[0].division", "Ambiguous. Choose one of: main, second.")]


def test_all_problems_are_found_at_once():
    file = put(put(small(), "name", ...), f"{T}.seats[0].points", 1)
    file = put(put(file, "players[0].country", "??"), "penalties[0].score", None)

    assert places_of(file) == [
        "name",
        "players[0].country",
        f"{T}.seats[0].points",
        f"{T}.seats",
        "penalties[0].score",
    ]


def test_what_can_be_read_is_checked_beside_what_cannot():
    """An object that is broken hides nothing of those beside it, and makes no problems of its own."""
    file = put(put(small(), f"{T}.seats[0]", "east"), f"{T}.seats[1].player", "p9")
    file["players"].append(7)

    assert places_of(file) == ["players[4]", f"{T}.seats[0]", f"{T}.seats[1].player"]


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"", "line 1, column 1", "Invalid JSON from here on"),
        (b'{"format": \n}', "line 2, column 1", "Invalid JSON from here on"),
        (b"[]", "", "one JSON object"),
        (b"null", "", "one JSON object"),
        (b'{"format": "\xff"}', "", "UTF-8"),
        (b'{"a": NaN}', "", "number"),
        (b'{"a": -Infinity}', "", "number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "", "number"),
        (b"[" * 200_000, "", "nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "", "nested too deeply"),
    ],
)
def test_content_that_is_not_json_is_refused(content, place, words):
    ((where, message),) = problems_of(content)
    assert (where, words in message) == (place, True)


def test_a_number_beyond_every_float_is_refused_at_its_place():
    content = encoded(small()).replace(b'"overrides": {}', b'"overrides": {"start_points": 1e400}')

    assert f"{RULES}.start_points" in places_of(content)


def test_the_points_are_checked_even_under_rules_that_are_none():
    file = put(small(), "divisions[0].rules.preset", "mahjong")
    put(put(file, f"{T}.seats[3].points", 20050), f"{T}.sticks", 500)

    assert places_of(file) == ["divisions[0].rules.preset", f"{T}.seats[3].points", f"{T}.sticks"]


def test_points_that_are_a_hundred_times_too_large_are_named():
    file = small()
    for seat in table_of(file)["seats"]:
        seat["points"] *= 100

    ((place, message),) = problems_of(file)
    assert (place, message[:40]) == (f"{T}.seats", "The points are a hundred times too large")


def test_a_byte_order_mark_is_passed_over():
    assert facts_of(b"\xef\xbb\xbf" + encoded(small())) == facts_of(small())


NONSENSE = [None, True, 0, -1, 10**30, 1.5, 1e400, "", "x", "\x00", "\ud800", "=1+1", [], [[]], {}, {"a": {}}]


@pytest.mark.slow
def test_no_value_anywhere_breaks_the_reader():
    chance = random.Random(1)
    refused = 0
    files = [encoded(random_file(seed)) for seed in (72, 111)]  # together they have all that a file can say
    for number in range(scaled(1000)):
        file = json.loads(files[number % 2])
        _replace_somewhere(file, chance)
        problems = problems_of(file)  # which can be printed and sent; anything else is raised
        "".join(place + message for place, message in problems).encode()
        refused += bool(problems)
    assert scaled(300) < refused < scaled(1000)


def _replace_somewhere(value: object, chance: random.Random) -> None:
    """Walk down at random and put nonsense there, or take something away."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))  # type: ignore[arg-type,call-overload]
        if not keys:
            return
        key = chance.choice(keys)
        below = value[key]  # type: ignore[index]
        if isinstance(below, dict | list) and below and chance.random() < 0.85:
            value = below
            continue
        if chance.random() < 0.2:
            del value[key]  # type: ignore[attr-defined]
        else:
            value[key] = chance.choice(NONSENSE)  # type: ignore[index]
        return
