"""Reading a competition file: what it says, and every problem with its place."""

import copy
import json
import random
from datetime import date

import pytest

from league.interchange.imports.competition_file import read_competition_file
from league.interchange.imports.nodes import BrokenFile
from league.interchange.services.penalties import PenaltyFacts
from league.interchange.services.people import PlayerFacts
from league.interchange.services.rounds import RoundFacts, TableFacts
from tests.league.interchange.files import (
    Json,
    encoded,
    facts_of,
    random_file,
    real,
    round_of,
    small,
    table,
    table_of,
)


def problems_of(file: object) -> list[tuple[str, str]]:
    with pytest.raises(BrokenFile) as broken:
        facts_of(file)
    return [(problem.place, problem.message) for problem in broken.value.problems]


def places_of(file: object) -> list[str]:
    return [place for place, _ in problems_of(file)]


def test_a_small_file_is_read_with_every_default():
    facts = facts_of(small())

    assert (facts.slug, facts.name, facts.timezone) == ("small", "Small", "Asia/Hong_Kong")
    assert (facts.kind, facts.visibility, facts.counting) == ("season", "public", "confirmed")
    assert facts.tie_breaks == ("average_place", "firsts", "best_points")
    assert facts.players[0] == PlayerFacts(id="p1", name="陳大文", numbers={}, division="main")
    assert facts.divisions[0].stages[0].rounds == (
        RoundFacts(
            number=1,
            date=date(2025, 4, 30),
            status="closed",
            visibility="results",
            tables=(
                TableFacts(
                    number=1,
                    status="confirmed",
                    players=("p1", "p2", "p3", "p4"),
                    points=(40000, 35000, 25000, 20000),
                ),
            ),
        ),
    )
    assert facts.penalties == (
        PenaltyFacts(
            player="p4", division="main", stage="regular", round=1, table=1, score=-200, reason="chombo"
        ),
    )


def test_the_real_files_are_read():
    season, event = facts_of(real("mleague-2018-19.json")), facts_of(real("sample-24-players.json"))

    assert season.counts == {"players": 21, "rounds": 106, "tables": 106, "sheets": 106, "penalties": 0}
    assert event.counts == {"players": 24, "rounds": 8, "tables": 48, "sheets": 48, "penalties": 0}


def test_unknown_fields_are_passed_over():
    file = small()
    file["colour"] = {"of": "the tiles"}
    table_of(file)["seats"][0]["mood"] = "calm"

    assert facts_of(file) == facts_of(small())


def test_seats_may_come_in_any_order():
    file = small()
    table_of(file)["seats"].reverse()

    assert facts_of(file) == facts_of(small())


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


def test_values_stand_between_preset_and_overrides():
    file = small()
    values = facts_of(file).divisions[0].rules.as_values() | {"tie_rule": "seat", "rounding": "down"}
    file["divisions"][0]["rules"] = {
        "preset": "hkma-a-2025-04",
        "overrides": {"rounding": "up"},
        "values": values,
    }

    rules = facts_of(file).divisions[0].rules

    assert (rules.tie_rule, rules.rounding) == ("seat", "up")


# Each spoils the small file in one way: (how, place of the problem, words in its sentence).
R = "divisions[0].stages[0].rounds[0]"
T = f"{R}.tables[0]"
RULES = "divisions[0].rules.overrides"
CHOSEN = "divisions[0].rules.readings[0]"


def text_chosen(**wrong: object) -> dict[str, object]:
    """A contradiction of the sources with the text that was chosen, and one thing wrong with it."""
    return {"settings": ["uma", "oka"], "chosen": 2, "place": "半莊結束 §6"} | wrong


def put(path: str, value: object):
    """Set what stands at the path, or take it away (``...``)."""

    def spoil(file: Json) -> None:
        at: object = file
        *way, last = [
            int(part) if part.isdigit() else part
            for part in path.replace("[", ".").replace("]", "").split(".")
        ]
        for part in way:
            at = at[part]  # type: ignore[index]
        if value is ...:
            del at[last]  # type: ignore[attr-defined]
        else:
            at[last] = value  # type: ignore[index]

    return spoil


def add_table(file: Json) -> None:
    round_of(file)["tables"].append(table(1, ["p1", "p2", "p3", "p4"], None))


def add_round(file: Json) -> None:
    file["divisions"][0]["stages"][0]["rounds"].append({"number": 1, "tables": []})


def add_division(file: Json) -> None:
    second = copy.deepcopy(file["divisions"][0]) | {"slug": "second"}
    file["divisions"].append(second)


def unplay(file: Json) -> None:
    table_of(file)["status"] = "scheduled"


SPOILED = [
    (put("format", "umaoka"), "format", "umaoka-competition"),
    (put("format", ...), "format", "no competition file"),
    (put("version", 2), "version", "newer Umaoka"),
    (put("version", 10**40), "version", "newer Umaoka"),
    (put("version", True), "version", "as a number"),
    (put("version", "1"), "version", "as a number"),
    (put("slug", ...), "slug", "missing"),
    (put("slug", "a b"), "slug", "letters a to z"),
    (put("slug", "ä"), "slug", "letters a to z"),
    (put("slug", "x" * 61), "slug", "At most 60"),
    (put("name", ""), "name", "missing"),
    (put("name", 7), "name", "Write text here, not 7"),
    (put("name", "a\x00b"), "name", "invisible"),
    (put("name", "a\ud800b"), "name", "invisible"),
    (put("name", "x" * 121), "name", "there are 121"),
    (put("timezone", "Hong Kong"), "timezone", "no time zone"),
    (put("timezone", ...), "timezone", "missing"),
    (put("kind", "cup"), "kind", "season, event"),
    (put("visibility", 1), "visibility", "public, private"),
    (put("counting", "all"), "counting", "entered, confirmed"),
    (put("tie_breaks", ["luck"]), "tie_breaks[0]", "average_place"),
    (put("tie_breaks", ["firsts", "firsts"]), "tie_breaks[1]", "in the list before"),
    (put("tie_breaks", "firsts"), "tie_breaks", "list"),
    (put("suggest_fourth", 1), "suggest_fourth", "true or false"),
    (put("players", ...), "players", "missing"),
    (put("players", {}), "players", "list"),
    (put("players[1]", "p2"), "players[1]", "object"),
    (put("players[1].id", "p1"), "players[1].id", "comes twice: players[0]"),
    (put("players[1].id", 2), "players[1].id", "Write text"),
    (put("players[1].name", ...), "players[1].name", "missing"),
    (put("players[1].country", "Hong Kong"), "players[1].country", "two letters"),
    (put("players[1].division", "third"), "players[1].division", "no division “third”"),
    (put("players[1].withdrawn", "yes"), "players[1].withdrawn", "true or false"),
    (put("players[1].federation_numbers", {"EMA": ""}), "players[1].federation_numbers.EMA", "missing"),
    (put("players[1].federation_numbers", {"x" * 21: "1"}), None, "1 to 20"),
    (put("teams", [{"id": "t1", "name": "T", "players": ["p9"]}]), "teams[0].players[0]", "no player “p9”"),
    (put("teams", [{"id": "t", "name": "T", "players": ["p1", "p1"]}]), "teams[0].players[1]", "comes twice"),
    (put("divisions", []), "divisions", "one division at least"),
    (put("divisions", ...), "divisions", "missing"),
    (put("divisions[0].stages", []), "divisions[0].stages", "one stage at least"),
    (put("divisions[0].slug", "/"), "divisions[0].slug", "letters a to z"),
    (put("divisions[0].rules", ...), "divisions[0].rules", "missing"),
    (put("divisions[0].rules.preset", "mahjong"), "divisions[0].rules.preset", "hkma-a-2025-04"),
    (put(RULES, []), RULES, "object"),
    (put(RULES, {"umaa": 1}), f"{RULES}.umaa", "umaa"),
    (put(RULES, {"uma": [50, 10, -10, -30]}), f"{RULES}.uma", "+20.0"),
    (put(RULES, {"chombo_timing": "before_uma"}), f"{RULES}.chombo_timing", "before places and uma"),
    (
        put("divisions[0].rules.values", {"chombo_timing": "before_uma"}),
        "divisions[0].rules.values.chombo_timing",
        "before places and uma",
    ),
    (put("divisions[0].stages[0].carry", "double"), "divisions[0].stages[0].carry", "none, half, all"),
    (put("divisions[0].stages[0].carry", ...), "divisions[0].stages[0].carry", "missing"),
    (put(f"{R}.number", -1), f"{R}.number", "too small or too large"),
    (put(f"{R}.number", 2**31), f"{R}.number", "too small or too large"),
    (put(f"{R}.number", 10**4000), f"{R}.number", "more than 20 digits"),
    (put(f"{R}.number", True), f"{R}.number", "whole number"),
    (put(f"{R}.number", 1.5), f"{R}.number", "whole number"),
    (put(f"{R}.date", "2025-02-30"), f"{R}.date", "year-month-day"),
    (put(f"{R}.date", "20250430"), f"{R}.date", "year-month-day"),
    (put(f"{R}.status", "done"), f"{R}.status", "planned, open, closed"),
    (put(f"{R}.visibility", "secret"), f"{R}.visibility", "hidden, seating, results"),
    (add_round, "divisions[0].stages[0].rounds[1].number", "comes twice"),
    (add_table, f"{R}.tables[1].number", "comes twice"),
    (add_table, f"{R}.tables[1].seats[2].player", f"comes twice: {T}.seats[2] has it too"),
    (put(f"{T}.status", "played"), f"{T}.status", "scheduled, entered, confirmed, void"),
    (put(f"{T}.status", ...), f"{T}.status", "missing"),
    (put(f"{T}.sticks", -1000), f"{T}.sticks", "negative"),
    (put(f"{T}.sticks", 500), f"{T}.sticks", "multiples of 1,000"),
    (put(f"{T}.sticks", 1000), f"{T}.seats", "1,000 too much"),
    (put(f"{T}.sticks", "1000"), f"{T}.sticks", "whole number"),
    (put(f"{T}.seats", ...), f"{T}.seats", "missing"),
    (put(f"{T}.seats[3]", {"wind": "north"}), f"{T}.seats[3].player", "missing"),
    (put(f"{T}.seats[3].wind", "east"), f"{T}.seats[3].wind", "comes twice"),
    (put(f"{T}.seats[3].wind", "up"), f"{T}.seats[3].wind", "east, south, west, north"),
    (put(f"{T}.seats[3].wind", []), f"{T}.seats[3].wind", "east, south, west, north"),
    (put(f"{T}.seats[3].player", "p9"), f"{T}.seats[3].player", "no player “p9”"),
    (put(f"{T}.seats[3].player", "p1"), f"{T}.seats[3].player", f"comes twice: {T}.seats[0]"),
    (put(f"{T}.seats[3].points", 19000), f"{T}.seats", "1,000 missing"),
    (put(f"{T}.seats[3].points", 20050), f"{T}.seats[3].points", "multiples of 100"),
    (put(f"{T}.seats[3].points", "20000"), f"{T}.seats[3].points", "whole number"),
    (put(f"{T}.seats[3].points", 2**40), f"{T}.seats[3].points", "too small or too large"),
    (put(f"{T}.seats[3].points", ...), f"{T}.seats[3].points", "missing"),
    (put(f"{T}.seats[3]", ...), f"{T}.seats", "missing: north"),
    (unplay, f"{T}.seats[0].points", "scheduled table has no points"),
    (put("divisions[0].rules.preset", "mleague"), f"{T}.seats", "20,000 too much"),
    (put("divisions[0].rules.readings", "uma"), "divisions[0].rules.readings", "list"),
    (put("divisions[0].rules.readings", [1]), "divisions[0].rules.readings[0]", "object"),
    (put("divisions[0].rules.readings", [text_chosen(settings="uma")]), f"{CHOSEN}.settings", "list"),
    (put("divisions[0].rules.readings", [text_chosen(settings=["luck"])]), f"{CHOSEN}.settings[0]", "“luck”"),
    (put("divisions[0].rules.readings", [text_chosen(settings=[[]])]), f"{CHOSEN}.settings[0]", "[…]"),
    (put("divisions[0].rules.readings", [text_chosen(chosen=3)]), f"{CHOSEN}.chosen", "1 for the first"),
    (put("divisions[0].rules.readings", [text_chosen(chosen=0)]), f"{CHOSEN}.chosen", "too small"),
    (put("divisions[0].rules.readings", [text_chosen(chosen="1")]), f"{CHOSEN}.chosen", "whole number"),
    (put("divisions[0].rules.readings", [text_chosen(place="")]), f"{CHOSEN}.place", "missing"),
    (put("divisions[0].rules.readings", [text_chosen(place="x" * 301)]), f"{CHOSEN}.place", "300"),
    (put("penalties[0].player", "p9"), "penalties[0].player", "no player “p9”"),
    (put("penalties[0].division", "b"), "penalties[0].division", "Choose from: main"),
    (put("penalties[0].stage", "final"), "penalties[0].stage", "Choose from: regular"),
    (put("penalties[0].round", 7), "penalties[0].round", "no round 7"),
    (put("penalties[0].round", None), "penalties[0].round", "Say the round"),
    (put("penalties[0].table", 7), "penalties[0].table", "no table 7"),
    (put("penalties[0].score", ...), "penalties[0].score", "missing"),
    (put("penalties[0].score", -20.05), "penalties[0].score", "one decimal"),
    (put("penalties[0].score", True), "penalties[0].score", "one decimal"),
    (put("penalties[0].score", 1e300), "penalties[0].score", "one decimal"),
    (put("penalties[0].score", 10**4000), "penalties[0].score", "more than 20 digits"),
    (put("penalties[0].score", [1]), "penalties[0].score", "one decimal"),
    (put("penalties[0].reason", ""), "penalties[0].reason", "Name the offence"),
    (put("penalties[0].reason", "x" * 301), "penalties[0].reason", "At most 300"),
    (add_division, "penalties[0].division", "main, second"),
    (put("penalties[0].hand", "E5.0"), "penalties[0].hand", "wind, number and honba"),
    (put("penalties[0].hand", 7), "penalties[0].hand", "Write text"),
    (put("penalties[0].condition", -1), "penalties[0].condition", "too small or too large"),
    (put("penalties[0].condition", 100), "penalties[0].condition", "too small or too large"),
    (put("penalties[0].units", 0), "penalties[0].units", "too small or too large"),
    (put("penalties[0].units", 61), "penalties[0].units", "too small or too large"),
    (put("penalties[0].units", "3"), "penalties[0].units", "whole number"),
    (put("penalties[0].suggested", "x" * 41), "penalties[0].suggested", "At most 40"),
    (put("penalties[0].win_ban", 1), "penalties[0].win_ban", "true or false"),
    (put("penalties[0].status", "revoked"), "penalties[0].status", "Choose from: in_force, requested"),
    (put("penalties[0].status", "declined"), "penalties[0].decided", "missing"),
    (put("penalties[0].together", 1.5), "penalties[0].together", "whole number"),
    (put("penalties_shown", "none"), "penalties_shown", "Choose from: all, counts, scores"),
    (put("expulsion", 1), "expulsion", "Choose from: substitute, forfeit"),
    (put("approval_from", "x" * 41), "approval_from", "At most 40"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "place", "words"), SPOILED)
def test_each_problem_is_told_with_its_place(spoil, place, words):
    file = small()
    facts_of(file)  # it was good
    spoil(file)

    found = problems_of(file)

    assert place is None or place in [where for where, _ in found]
    assert words in " ".join(message for where, message in found if place in (None, where))
    assert all("\n" not in message and message.isprintable() for _, message in found)


def test_a_table_that_is_taken_away_leaves_the_penalty_without_its_place():
    file = small()
    file["players"].append({"id": "p5", "name": "Fifth"})
    file["penalties"][0]["player"] = "p5"

    assert problems_of(file) == [("penalties[0].player", "This player does not sit at this table.")]


def test_all_problems_are_told_at_once():
    file = small()
    for spoil in (
        put("name", ...),
        put("players[0].country", "??"),
        put(f"{T}.seats[0].points", 1),
        put("penalties[0].score", None),
    ):
        spoil(file)

    assert places_of(file) == [
        "name",
        f"{T}.seats[0].points",
        f"{T}.seats",
        "players[0].country",
        "penalties[0].score",
    ]


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"", "line 1, column 1", "no valid JSON"),
        (b'{"format": \n}', "line 2, column 1", "no valid JSON"),
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
def test_what_is_no_json_is_told(content, place, words):
    with pytest.raises(BrokenFile) as broken:
        read_competition_file(content)

    (problem,) = broken.value.problems
    assert problem.place == place
    assert words in problem.message


def test_a_number_beyond_every_float_is_refused_where_it_stands():
    content = encoded(small()).replace(b'"overrides": {}', b'"overrides": {"start_points": 1e400}')

    with pytest.raises(BrokenFile) as broken:
        read_competition_file(content)

    assert f"{RULES}.start_points" in [problem.place for problem in broken.value.problems]


def test_the_points_are_checked_even_under_rules_that_are_none():
    file = small()
    put("divisions[0].rules.preset", "mahjong")(file)
    put(f"{T}.seats[3].points", 20050)(file)
    put(f"{T}.sticks", 500)(file)

    assert places_of(file) == ["divisions[0].rules.preset", f"{T}.seats[3].points", f"{T}.sticks"]


def test_points_that_are_a_hundred_times_too_large_are_told_so():
    file = small()
    for seat in table_of(file)["seats"]:
        seat["points"] *= 100

    ((place, message),) = problems_of(file)
    assert (place, message[:40]) == (f"{T}.seats", "The points are a hundred times too large")


def test_a_byte_order_mark_is_passed_over():
    assert read_competition_file(b"\xef\xbb\xbf" + encoded(small())) == facts_of(small())


NONSENSE = [None, True, 0, -1, 10**30, 1.5, 1e400, "", "x", "\x00", "\ud800", "=1+1", [], [[]], {}, {"a": {}}]


def test_no_value_anywhere_breaks_the_reader():
    chance = random.Random(1)
    refused = 0
    for number in range(1500):
        file = random_file(number % 7)
        _replace_somewhere(file, chance)
        refused += _is_refused(json.dumps(file).encode())
    assert 500 < refused < 1500


def _is_refused(content: bytes) -> bool:
    """Whether the reader finds problems, which can be printed and sent; anything else is raised."""
    try:
        read_competition_file(content)
    except BrokenFile as broken:
        for problem in broken.problems:
            str(problem).encode()
        return True
    return False


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
