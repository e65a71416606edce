"""541 wins and 96 draws of 60 hanchan of 2018 with the server's own han, fu, yaku, values and payments: all
of them come out the same (data/README.md says where they are from).
"""

import json
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from league.extras.calculator.rules import Reading, Situation, TileHand, Valued, evaluate, parse_hand
from league.extras.calculator.rules.tiles import parse_tiles
from scoring.payments import LIMITS, Payment, Win, pay_draw, pay_win
from scoring.presets import resolve

DATA = json.loads((Path(__file__).parents[4] / "data" / "tenhou-hands.json").read_text(encoding="utf-8"))
AROUND = {"chi": "()", "pon": "()", "minkan": "()", "ankan": "[]", "kakan": "{}"}
RULES = resolve("tenhou")

Record = dict[str, Any]


def named(record: Record) -> str:
    """The place of the record: its log, hand and honba, and the winner if there is one."""
    return f"{record['src']} {record['round']}-{record['honba']} {record.get('winner', '')}"


def hand_of(record: Record) -> TileHand:
    melds = "".join(AROUND[kind][0] + tiles + AROUND[kind][1] for kind, tiles in record["melds"])
    return parse_hand(record["hand"] + melds, record["win_tile"])


def situation_of(record: Record) -> Situation:
    happened = {code for code, _ in record["yaku"]}
    assert happened.isdisjoint({"double_riichi", "haitei", "chankan", "tenhou", "chiihou"})
    return Situation(
        seat_wind=(record["winner"] - record["dealer_seat"]) % 4,
        round_wind=record["round"] // 4,
        tsumo=record["win"] == "tsumo",
        riichi=int("riichi" in happened),
        ippatsu="ippatsu" in happened,
        last_tile="houtei" in happened,
        rinshan="rinshan" in happened,
        dora=tuple(parse_tiles("".join(record["dora"]))),
        ura=tuple(parse_tiles("".join(record["ura"]))),
    )


@cache
def best(position: int) -> Reading:
    record = DATA["wins"][position]
    value = evaluate(hand_of(record), situation_of(record), RULES)
    assert isinstance(value, Valued), value
    return value.best


def best_of(record: Record) -> Reading:
    return best(DATA["wins"].index(record))


def test_the_record_is_whole():
    assert (len(DATA["wins"]), len(DATA["draws"])) == (541, 96)


@pytest.mark.parametrize("record", DATA["wins"], ids=named)
def test_yaku_han_fu_and_value_are_the_servers(record):
    found = best_of(record)
    paid = pay_win(
        [Win(record["winner"], found.value)],
        loser=None if record["win"] == "tsumo" else record["from"],
        dealer=record["dealer_seat"],
        honba=0,
        deposits=0,
        rules=RULES,
    )

    assert {each.code: each.han for each in found.yaku} == {code: han for code, han in record["yaku"] if han}
    assert (found.han, found.fu) == (record["han"], record["fu"])
    assert found.value.limit == (LIMITS[record["limit"] - 1] if record["limit"] else None)
    assert paid.changes[record["winner"]] == record["value"]


def hands() -> list[list[Record]]:
    """The wins of each hand: two where one discard paid two."""
    return [
        list(group)
        for _, group in groupby(DATA["wins"], key=lambda win: (win["src"], win["round"], win["honba"]))
    ]


@pytest.mark.parametrize("records", hands(), ids=lambda records: named(records[0]))
def test_all_four_changes_of_points_are_the_servers(records):
    first = records[0]

    paid = pay_win(
        [Win(record["winner"], best_of(record).value) for record in records],
        loser=None if first["win"] == "tsumo" else first["from"],
        dealer=first["dealer_seat"],
        honba=first["honba"],
        deposits=first["riichi_sticks"] * 1000,
        rules=RULES,
    )

    changes = [record["deltas"] for record in records]
    assert paid.changes == tuple(map(sum, zip(*changes, strict=True)))
    assert paid.deposits == -first["riichi_sticks"] * 1000


@pytest.mark.parametrize("record", DATA["draws"], ids=named)
def test_draws_pay_what_the_server_paid(record):
    ready = record.get("tenpai") or [False] * 4  # not recorded where no one paid
    tenpai = [seat for seat in range(4) if ready[seat]]
    paid = pay_draw(tenpai, RULES) if record["type"] == "exhaustive" else Payment()

    assert list(paid.changes) == record["deltas"]
