"""How many hands are valued a second: `python -m benchmarks.hands`.

The 541 wins of the tests' record (`tests/data/tenhou-hands.json`), valued by the product and by the library
`mahjong` alone: the same hands, under the same rules, in one process and in turns, because only ratios can be
compared between machines. Numbers are medians of processor time.

*evaluate*: every reading with its yaku, fu parts, groups and value. *parse and evaluate*: from the notation,
as the page of the hand calculator does. *library*: its best reading alone; a `HandConfig` is made for each
hand, as its documentation does, or (*prepared*) was made before. The last ratios are of times.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from mahjong.constants import AKA_DORAS, EAST
from mahjong.hand_calculating.divider import HandDivider
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.meld import Meld as LibraryMeld
from mahjong.tile import TilesConverter

from benchmarks.standings import machine, say, table
from league.extras.calculator.rules import Situation, Valued, evaluate, parse_hand
from league.extras.calculator.rules.tiles import parse_tiles
from scoring.payments import Win as Paid
from scoring.payments import pay_win
from scoring.presets import resolve
from scoring.rules import Rules

RECORD = Path(__file__).resolve().parent.parent / "tests" / "data" / "tenhou-hands.json"
GOAL = 2.0
AROUND = {"chi": "()", "pon": "()", "minkan": "()", "ankan": "[]", "kakan": "{}"}
LIBRARY_MELDS = {
    "chi": LibraryMeld.CHI,
    "pon": LibraryMeld.PON,
    "minkan": LibraryMeld.KAN,
    "ankan": LibraryMeld.KAN,
    "kakan": LibraryMeld.SHOUMINKAN,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=541, help="how many of the 541")
    parser.add_argument("--repeats", type=int, default=15)
    arguments = parser.parse_args()
    say(machine() + f", mahjong {version('mahjong')}", "")
    valuing(arguments.hands, arguments.repeats)


def valuing(hands: int, repeats: int) -> None:
    wins = [Win(record) for record in json.loads(RECORD.read_text(encoding="utf-8"))["wins"][:hands]]
    rules = resolve("tenhou")
    work = {
        "evaluate": lambda: [evaluate(win.hand, win.situation, rules) for win in wins],
        "parsed": lambda: [evaluate(parse_hand(win.text, win.tile), win.situation, rules) for win in wins],
        "library": lambda: [win.library(win.config()) for win in wins],
        "prepared": lambda: [win.library(win.prepared) for win in wins],
    }
    seconds = in_turns(work, repeats)
    same = all(agree(win, rules) for win in wins)
    heads = ["hands", "evaluate /s", "parse and evaluate /s", "library /s", "library, prepared /s"]
    heads += ["evaluate : library", "evaluate : prepared", "same han, fu and points"]
    speeds = [f"{len(wins) / seconds[name]:,.0f}" for name in work]
    ratios = [f"{seconds['evaluate'] / seconds[name]:.2f}" for name in ("library", "prepared")]
    say("Hands valued a second", "")
    table(heads, [[f"{len(wins):,}", *speeds, *ratios, "yes" if same else "NO"]])
    say(f"Goal: at most {GOAL} of the library's time.", "")


def in_turns(work: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The median processor time of each, one run of each after the other. The library keeps the divisions of
    128 hands: forgotten before each run, so that no one finds what another left.
    """
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeats):
        for name, run in work.items():
            HandDivider._divide_hand_impl.cache_clear()
            gc.collect()
            start = time.process_time()
            run()
            times[name].append(time.process_time() - start)
    return {name: median(taken) for name, taken in times.items()}


class Win:
    """One win of the record, ready for the product and for the library."""

    def __init__(self, record: dict[str, Any]) -> None:
        happened = {code for code, _ in record["yaku"]}
        melds = [AROUND[kind][0] + tiles + AROUND[kind][1] for kind, tiles in record["melds"]]
        self.text, self.tile = record["hand"] + "".join(melds), record["win_tile"]
        self.hand = parse_hand(self.text, self.tile)
        self.situation = Situation(
            seat_wind=(record["winner"] - record["dealer_seat"]) % 4,
            round_wind=record["round"] // 4,
            tsumo=record["win"] == "tsumo",
            riichi=int("riichi" in happened),
            ippatsu="ippatsu" in happened,
            last_tile="houtei" in happened,
            rinshan="rinshan" in happened,
            dora=parse_tiles("".join(record["dora"])),
            ura=parse_tiles("".join(record["ura"])),
        )
        self.numbers = numbers(record["hand"] + "".join(tiles for _, tiles in record["melds"]))
        self.melds = [
            LibraryMeld(LIBRARY_MELDS[kind], numbers(tiles), kind != "ankan")
            for kind, tiles in record["melds"]
        ]
        won = numbers(record["win_tile"])[0]
        plain = [number for number in self.numbers if number // 4 == won // 4 and number not in AKA_DORAS]
        self.won = won if won in AKA_DORAS else (plain or [won])[0]
        self.dora, self.ura = numbers("".join(record["dora"])), numbers("".join(record["ura"]))
        self.prepared = self.config()

    def config(self) -> HandConfig:
        facts = self.situation
        return HandConfig(
            is_tsumo=facts.tsumo,
            is_riichi=facts.riichi == 1,
            is_ippatsu=facts.ippatsu,
            is_rinshan=facts.rinshan,
            is_houtei=facts.last_tile,
            player_wind=EAST + facts.seat_wind,
            round_wind=EAST + facts.round_wind,
            options=OPTIONS,
        )

    def library(self, config: HandConfig) -> HandResponse:
        return HandCalculator.estimate_hand_value(
            self.numbers, self.won, self.melds, self.dora, config, ura_dora_indicators=self.ura
        )


OPTIONS = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)


def numbers(tiles: str) -> list[int]:
    """Return the library's numbers of single tiles. 0 is a red five."""
    return TilesConverter.one_line_string_to_136_array(tiles, has_aka_dora=True)


def agree(win: Win, rules: Rules) -> bool:
    """Whether product and library come to the same han, fu and points of the winner."""
    found, other = evaluate(win.hand, win.situation, rules), win.library(win.prepared)
    if not isinstance(found, Valued) or other.cost is None:
        return False
    best, tsumo = found.best, win.situation.tsumo
    paid = pay_win(
        [Paid(win.situation.seat_wind, best.value)],
        loser=None if tsumo else (win.situation.seat_wind + 1) % 4,
        dealer=0,
        honba=0,
        deposits=0,
        rules=rules,
    )
    points = paid.changes[win.situation.seat_wind]
    return (best.han, best.fu, points) == (other.han, other.fu, other.cost["total"])


if __name__ == "__main__":
    main()
