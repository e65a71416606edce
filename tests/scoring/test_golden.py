"""Real results: what was published, to the tenth."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring.presets import resolve
from scoring.rules import Rules
from scoring.settlement import settle, settler
from scoring.units import WINDS

DATA = Path(__file__).parent.parent / "data"

Settled = dict[str, tuple[int, object]]  # player or seat → (place, score in tenths)


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def tenths(number: float) -> int:
    return round(number * 10)


def tables_of(event: Any) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Round number, table number, and points by player from east to north."""
    for round_ in event["divisions"][0]["stages"][0]["rounds"]:
        for table in round_["tables"]:
            seats = sorted(table["seats"], key=lambda seat: WINDS.index(seat["wind"]))
            yield round_["number"], table["number"], {seat["player"]: seat["points"] for seat in seats}


def settled(points: dict[str, int], rules: Rules) -> Settled:
    table = settle(tuple(points.values()), rules)
    return {name: (seat.place, seat.score) for name, seat in zip(points, table, strict=True)}


def test_every_score_and_place_of_mleague_2018_19():
    event, published = read("mleague-2018-19.json"), read("mleague-2018-19.expected.json")
    expected = [
        {player: (round_["places"][player], tenths(score)) for player, score in round_["scores"].items()}
        for round_ in published["rounds"]
    ]

    found = [settled(points, resolve("mleague")) for _, _, points in tables_of(event)]

    assert sum(len(table) for table in expected) == 424
    assert found == expected


def test_sample_event_disagrees_with_exactly_the_two_tables_whose_published_uma_is_wrong():
    event, published = read("sample-24-players.json"), read("sample-24-players.expected.json")
    rules = resolve("ema-2025")
    expected = {
        (table["number"], table["table"]): {
            player: tenths(score) for player, score in table["scores"].items()
        }
        for table in published["rounds"]
    }

    found = {
        (round_, table): {player: score for player, (_, score) in settled(points, rules).items()}
        for round_, table, points in tables_of(event)
    }

    assert len(expected) == 48
    assert found.keys() == expected.keys()
    assert {place for place in expected if found[place] != expected[place]} == set(WRONG_TABLES)


# Published with another uma than 15/5/−5/−15: (round, table) → the uma that was used, by place.
WRONG_TABLES = {
    (3, 4): [150, 15, -15, -150],  # 1.5 instead of 5
    (8, 5): [150, -50, 50, -150],  # second and third exchanged
}


def test_the_published_uma_of_the_wrong_tables_is_none_of_the_rule_book():
    event, published = read("sample-24-players.json"), read("sample-24-players.expected.json")
    scores = {(table["number"], table["table"]): table["scores"] for table in published["rounds"]}

    used = {
        (round_, table): [
            tenths(scores[round_, table][player]) - (points[player] - 30000) // 100
            for player in sorted(points, key=lambda player: -points[player])
        ]
        for round_, table, points in tables_of(event)
        if (round_, table) in WRONG_TABLES
    }

    assert used == WRONG_TABLES


def test_all_60_hanchan_of_tenhou():
    games = read("tenhou-hanchan.json")["games"]
    rules = resolve("tenhou")
    found, expected = [], []
    for game in games:
        seats = sorted(game["players"], key=lambda player: "ESWN".index(player["wind_at_start"]))
        table = settle([seat["raw"] for seat in seats], rules)
        found.append([(seat.place, seat.score) for seat in table])
        expected.append([(seat["rank"], tenths(seat["official_points"])) for seat in seats])

    assert len(expected) == 60
    assert found == expected


def test_the_hanchan_of_tenhou_tell_its_rounding_from_the_others():
    games = read("tenhou-hanchan.json")["games"]

    def agreeing(rounding: str) -> int:
        quick = settler(resolve("tenhou", {"rounding": rounding}))
        count = 0
        for game in games:
            seats = sorted(game["players"], key=lambda player: "ESWN".index(player["wind_at_start"]))
            scores = quick(*(seat["raw"] for seat in seats), 0)[1]
            count += scores == tuple(tenths(seat["official_points"]) for seat in seats)
        return count

    assert agreeing("half_away") == 60
    assert max(agreeing(other) for other in ("none", "half_down", "half_up", "down", "up")) < 60
