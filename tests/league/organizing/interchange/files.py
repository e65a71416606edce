"""Competition files for tests: a small one to spoil, the real ones, and random ones of any shape."""

import json
import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

from league.models import Competition, League
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.schema import CompetitionFacts
from league.organizing.interchange.schema.problems import BrokenFile
from league.organizing.interchange.services.competition_file import import_competition

DATA = Path(__file__).resolve().parents[3] / "data"
WINDS = ("east", "south", "west", "north")
Json = dict[str, Any]


def encoded(file: object) -> bytes:
    return json.dumps(file).encode()


def facts_of(file: object) -> CompetitionFacts:
    return read_competition_file(file if isinstance(file, bytes) else encoded(file))


def problems_of(file: object) -> list[tuple[str, str]]:
    """Place and sentence of every problem."""
    try:
        facts_of(file)
    except BrokenFile as broken:
        return [(problem.place, problem.message) for problem in broken.problems]
    return []


def places_of(file: object) -> list[str]:
    return [place for place, _ in problems_of(file)]


def put(file: Json, path: str, value: object) -> Json:
    """Set the value at this place of the file, or take it away (``...``)."""
    at: Any = file
    *way, last = [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", path)]
    for part in way:
        at = at[part]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return file


def each_case(*table: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the arguments of ``check_problem``, one list per case."""
    return [(path, *case) for path, *cases in table for case in cases]


def check_problem(file: Json, path: str, value: object, words: str, place: str = "", *, only: bool) -> None:
    """Check the words at the path, or at ``place``, after the value at the path changed (``...``: removed).

    ``place`` may begin with what follows the path. ``only``: there is no other problem.
    """
    assert problems_of(file) == []
    where = path + place if not place or place[0] in ".[" else place

    found = problems_of(put(file, path, value))

    assert words in " ".join(sentence for at, sentence in found if at == where)
    assert all("\n" not in sentence and sentence.isprintable() for _, sentence in found)
    assert not only or [at for at, _ in found] == [where]


def loaded(file: object, league: League | None = None) -> Competition:
    """The file's competition, in a new league or in this one, in place of one of the same address."""
    return import_competition(facts=facts_of(file), league=league, by=None, replace=league is not None)


def copy_of(competition: Competition, league: League | None = None) -> Competition:
    """The competition from its own file, which takes its address."""
    facts = facts_of(competition_json(competition).encode())
    Competition.objects.filter(pk=competition.pk).update(slug=f"before-{competition.pk}")
    return import_competition(facts=facts, league=league, by=None)


def competition_file(competition: Competition) -> Json:
    found: Json = json.loads(competition_json(competition))
    return found


def real(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def table(number: int, players: list[str], points: list[int] | None, **more: object) -> Json:
    seats = [{"wind": wind, "player": player} for wind, player in zip(WINDS, players, strict=True)]
    if points is not None:
        for seat, each in zip(seats, points, strict=True):
            seat["points"] = each  # type: ignore[assignment]
    return {"number": number, "status": "confirmed" if points else "scheduled", "seats": seats, **more}


def small() -> Json:
    """Only what the contract asks for: four players, one division, one round with one table."""
    return {
        "format": "umaoka-competition",
        "version": 1,
        "slug": "small",
        "name": "Small",
        "timezone": "Asia/Hong_Kong",
        "players": [{"id": f"p{n}", "name": name} for n, name in enumerate(("陳大文", "李", "Dora", "É"), 1)],
        "divisions": [
            {
                "slug": "main",
                "name": "Main",
                "rules": {"preset": "hkma-a-2025-04", "overrides": {}},
                "stages": [
                    {
                        "slug": "regular",
                        "name": "Regular season",
                        "carry": "none",
                        "rounds": [
                            {
                                "number": 1,
                                "date": "2025-04-30",
                                "tables": [table(1, ["p1", "p2", "p3", "p4"], [40000, 35000, 25000, 20000])],
                            }
                        ],
                    }
                ],
            }
        ],
        "penalties": [{"player": "p4", "score": -20.0, "reason": "chombo", "round": 1, "table": 1}],
    }


def round_of(file: Json, number: int = 0) -> Json:
    found: Json = file["divisions"][0]["stages"][0]["rounds"][number]
    return found


def table_of(file: Json, number: int = 0) -> Json:
    found: Json = round_of(file)["tables"][number]
    return found


# --- random files

_NAMES = (
    "陳大文",
    "山田 太郎",
    "Ngô Bảo",
    "=1+1",
    "O'Neill & <b>",
    "@home",
    "😀 漢",
    "+852",
    "-20",
    "a\u200db",
)
_PRESETS = (
    ("hkma-a-2025-04", {}, 30000),
    ("hkma-b-2025-04", {"tie_rule": "seat"}, 25000),
    ("ema-2025", {"split_remainder": "exact"}, 30000),
    ("mleague", {"uma": [20, 10, -10, -20.5], "unbalanced": True}, 25000),
    ("tenhou", {}, 25000),
)


def random_file(seed: int) -> Json:
    """Two or three divisions of two stages, with everything that a file can say, in any combination."""
    chance = random.Random(seed)
    ids = [f"id {n}" for n in range(chance.choice((8, 12, 16)))]
    file: Json = {
        "format": "umaoka-competition",
        "version": 1,
        "slug": f"random-{seed}",
        "name": f"季 {seed}",
        "timezone": chance.choice(("Asia/Tokyo", "Europe/Paris", "UTC")),
        "kind": chance.choice(("season", "event")),
        "visibility": chance.choice(("public", "private")),
        "counting": chance.choice(("entered", "confirmed")),
        "tie_breaks": chance.sample(["penalty", "average_place", "firsts", "best_points", "best_score"], 3),
        "suggest_fourth": chance.random() < 0.5,
        "approval_from": chance.choice(("", "5", "4+")),
        "penalties_shown": chance.choice(("all", "counts", "scores")),
        "names_misconduct": chance.choice((True, False)),
        "expulsion": chance.choice(("substitute", "forfeit")),
        "players": [],
        "teams": [],
        "divisions": [_division(chance, n, ids) for n in range(chance.choice((2, 3)))],
        "penalties": [],
    }
    file["players"] = [_player(chance, each, file) for each in ids]
    file["teams"] = [
        {"id": "t1", "name": "甲", "players": ids[:4]},
        {"id": "t2", "name": "乙", "players": ids[5:7]},
        {"id": "t3", "name": "丙", "players": ids[7:]},
        {"id": "t4", "name": "丁", "players": []},
    ]
    file["penalties"] = [_penalty(chance, file) for _ in range(6)]
    file["team_play"] = _team_play(random.Random(seed), file)
    file["calendar"] = _calendar(random.Random(seed), file)
    return file


def _calendar(chance: random.Random, file: Json) -> Json:
    """A stage of open play, a window for each round with a day, and times of the first tables."""
    stages = [(d["slug"], stage) for d in file["divisions"] for stage in d["stages"]]
    rounds = [(d, stage["slug"], each) for d, stage in stages for each in stage["rounds"]]
    division, free = chance.choice(stages)
    moments = [f"2027-0{n}-03T11:30:00+00:00" for n in range(1, 5)]
    kinds = ("proposed", "agreed", "set", "postponed", "made_up")
    tables = []
    for d, stage, each in rounds:
        for row in each["tables"][:1]:
            four = [seat["player"] for seat in row["seats"]]
            said = [
                {"kind": kind, "at": moments[0], "meets_at": chance.choice(moments), "place": "會所 3/F"}
                | ({"reason": "typhoon"} if kind == "postponed" else {})
                | ({"agreed": four[: chance.choice((1, 4))]} if kind == "proposed" else {})
                for kind in chance.sample(kinds, chance.choice((1, 3)))
            ]
            place = {"division": d, "stage": stage, "round": each["number"], "table": row["number"]}
            tables.append({**place, "meets_at": chance.choice(moments), "said": said})
    windows = [
        {"division": d, "stage": stage, "round": each["number"], "until": "2099-12-31"}
        for d, stage, each in rounds
        if each.get("date")
    ]
    found = {"free": [{"division": division, "stage": free["slug"]}], "windows": windows, "tables": tables}
    return {name: part for name, part in found.items() if part}


def _player(chance: random.Random, identity: str, file: Json) -> Json:
    player: Json = {
        "id": identity,
        "name": chance.choice(_NAMES),
        "romanized": chance.choice(("", "Chan Tai Man")),
        "country": chance.choice(("", "HK", "JP")),
        "ema_number": chance.choice(("", "0400123")),
        "club": chance.choice(("", "雀莊", "Club=A")),
        "division": chance.choice([None, *(d["slug"] for d in file["divisions"])]),
    }
    if chance.random() < 0.3:
        player["federation_numbers"] = {"ARA": "7", "HKMA": "008"}
    if chance.random() < 0.2:
        player["withdrawn"] = True
    return player


def _division(chance: random.Random, number: int, ids: list[str]) -> Json:
    preset, overrides, start = chance.choice(_PRESETS)
    return {
        "slug": f"d{number}",
        "name": f"組 {number}",
        "rules": {"preset": preset, "overrides": deepcopy(overrides)},
        "stages": [
            {
                "slug": slug,
                "name": slug.title(),
                "carry": chance.choice(("none", "half", "all")),
                "rounds": [_round(chance, n, ids, start) for n in (1, 2, 5)],
            }
            for slug in ("regular", "final")
        ],
    }


def _round(chance: random.Random, number: int, ids: list[str], start: int) -> Json:
    seated = chance.sample(ids, len(ids) // 4 * 4)
    tables = [
        _table(chance, index + 1, seated[index * 4 : index * 4 + 4], start)
        for index in range(len(seated) // 4)
    ]
    return {
        "number": number,
        "date": chance.choice((None, "2025-01-31")),
        "status": chance.choice(("planned", "open", "closed")),
        "visibility": chance.choice(("hidden", "seating", "results", "results")),
        "tables": tables,
    }


def _table(chance: random.Random, number: int, players: list[str], start: int) -> Json:
    status = chance.choice(("scheduled", "entered", "confirmed", "confirmed", "void"))
    if status == "scheduled":
        return table(number, players, None)
    sticks = chance.choice((0, 0, 1000, 2000))
    points = [chance.choice((start, start, chance.randrange(-200, 700) * 100)) for _ in range(3)]
    points.append(4 * start - sticks - sum(points))
    reason = {"reason": "typed 207 for 270"} if chance.random() < 0.2 else {}
    return table(number, players, points, sticks=sticks, **reason) | {"status": status}


def _penalty(chance: random.Random, file: Json) -> Json:
    division = chance.choice(file["divisions"])
    stage = chance.choice(division["stages"])
    round_ = chance.choice(stage["rounds"])
    at = chance.choice(round_["tables"])
    where = chance.choice(((None, None), (round_["number"], None), (round_["number"], at["number"])))
    penalty: Json = {
        "player": chance.choice(at["seats"])["player"],
        "division": division["slug"],
        "stage": stage["slug"],
        "round": where[0],
        "table": where[1],
        "score": chance.choice((-20.0, -8.5, 0.3, -120.0)),
        **chance.choice(
            (
                {"reason": "chombo"},
                {"reason": "", "infraction": "A-II", "level": "4+"},
                {"reason": "=SUM(A1)", "infraction": None, "level": 2},
            )
        ),
    }
    if chance.random() < 0.3:
        penalty["revoked"] = "wrong player"
    return penalty | _of_the_desk(chance)


def _team_play(chance: random.Random, file: Json) -> Json:
    places = [
        {"division": division["slug"], "stage": stage["slug"], "round": round_["number"]}
        for division in file["divisions"]
        for stage in division["stages"]
        for round_ in stage["rounds"]
    ]
    rounds = []
    for place in chance.sample(places, 3):
        facts: Json = {
            "until": "2025-01-30T10:00:00+00:00",
            "tables": [{"number": 1, "teams": chance.sample(["t1", "t2", "t3", "t4"], 4)}],
            "line_ups": [
                {"team": team["id"], "players": team["players"][:2]}
                for team in file["teams"][: chance.choice((1, 3))]
            ],
        }
        kept = {name: value for name, value in facts.items() if chance.random() < 0.7}
        rounds.append(place | (kept or {"until": facts["until"]}))
    penalty = {"team": "t1", "score": -20.5, "reason": "came late", **places[0]}
    penalty.pop("round")
    play: Json = {
        "mode": chance.choice(("none", "sum", "line_ups")),
        "rounds": sorted(rounds, key=lambda each: _index(places, each)),
        "penalties": [penalty, penalty | {"team": "t2", "revoked": "was there"}][: chance.choice((1, 2))],
    }
    if chance.random() < 0.5:
        drawn = {"teams": chance.sample(["t1", "t2", "t3"], 2), "seed": chance.randrange(2**31)}
        place = {name: places[-1][name] for name in ("division", "stage")}
        play["lots"] = [place | drawn] * chance.choice((1, 2))
    limits = {"least_hanchan": 10, "most_hanchan": 45}
    return play | {name: value for name, value in limits.items() if chance.random() < 0.5}


def _index(places: list[Json], found: Json) -> int:
    """The place of the round in the file."""
    return next(index for index, place in enumerate(places) if place.items() <= found.items())


def _of_the_desk(chance: random.Random) -> Json:
    """Return the desk's facts of a penalty, each at random."""
    facts: Json = {
        "hand": chance.choice(("E1.0", "N4.12")),
        "condition": chance.choice((0, 3)),
        "units": chance.choice((2, 60)),
        "suggested": "5, 4, 4",
        "win_ban": True,
        "together": chance.choice((1, 2)),
    }
    kept = {name: value for name, value in facts.items() if chance.random() < 0.5}
    status = chance.choice(({}, {}, {"status": "requested"}, {"status": "declined", "decided": "no proof"}))
    return kept | status


def tenhou() -> Json:
    """60 hanchan of an online server, whose rounding gives the balance to the first."""
    rounds = []
    for number, game in enumerate(real("tenhou-hanchan.json")["games"], start=1):
        seats = [
            {"wind": wind, "player": each["name"], "points": each["raw"]}
            for wind, each in zip(
                WINDS,
                sorted(game["players"], key=lambda each: "ESWN".index(each["wind_at_start"])),
                strict=True,
            )
        ]
        sticks = 100_000 - sum(seat["points"] for seat in seats)
        table = {"number": 1, "status": "confirmed", "sticks": sticks, "seats": seats}
        rounds.append({"number": number, "tables": [table]})
    stage = {"slug": "main", "name": "Main", "carry": "none", "rounds": rounds}
    rules = {"preset": "tenhou", "overrides": {}}
    return {
        **{
            "format": "umaoka-competition",
            "version": 1,
            "slug": "tenhou",
            "name": "Tenhou",
            "timezone": "UTC",
        },
        "players": [{"id": f"seat{n}", "name": f"seat{n}"} for n in range(4)],
        "divisions": [{"slug": "main", "name": "Main", "rules": rules, "stages": [stage]}],
    }


def real_files() -> dict[str, Json]:
    files = {name: real(f"{name}.json") for name in ("mleague-2018-19", "sample-24-players")}
    return files | {"tenhou": tenhou()}
