"""Real hanchan, played again hand by hand.

The record of Tenhou does not say who declared riichi. Its points before a hand are those after the riichi of
that hand, so that a seat with exactly 1000 less than after the hand before has declared riichi; any other
difference fails. What would hide behind this is a seat that is wrong by exactly 1000 points. It cannot: the
record also counts the deposits on the table, gives the winners' yaku, and says who was tenpai, and these have
to agree with the riichi found. A riichi whose declaration tile was won with leaves no trace, and needs none.
Of five draws without payment the record does not say whether all four were tenpai or none. After one of them
the dealer deals again: all were tenpai (`ALL_TENPAI`). In the other four the deal passes or the game is over.
"""

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from scoring.hanchan import Abort, ExhaustiveDraw, Game, Hand, Outcome, Riichi, Ron, Tsumo, new_game, play
from scoring.payments import HandValue, Win, hand_value, ron_points, yakuman_value
from scoring.presets import resolve
from scoring.rules import Rules
from scoring.settlement import settle

DATA = Path(__file__).parent.parent / "data"
ABORTS = {"yao9": "kyuushu_kyuuhai", "kaze4": "suufon_renda"}
ALL_TENPAI = ("2018020905gm-0089-0000-981f6278", 5, 1)
SEATS = range(4)


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


# Tenhou


@dataclass(frozen=True)
class TenhouGame:
    """A hanchan of the record, its seats turned so that 0 is the first dealer."""

    name: str
    hands: list[list[Any]]  # several rows where several won
    first_dealer: int
    final: list[int]
    official: list[float]

    def turned(self, per_seat: list[Any]) -> list[Any]:
        return [per_seat[(seat + self.first_dealer) % 4] for seat in SEATS]

    def seat(self, recorded: int) -> int:
        return (recorded - self.first_dealer) % 4


def tenhou_games() -> Iterator[TenhouGame]:
    record = read("tenhou-hands.json")
    rows = sorted(
        record["wins"] + record["draws"],
        key=lambda row: (
            row["src"],
            row["round"],
            row["honba"],
            row.get("second_winner_of_multi_ron", False),
        ),
    )
    results = {game["table"]: game["players"] for game in read("tenhou-hanchan.json")["games"]}
    for name, group in groupby(rows, key=lambda row: row["src"]):
        hands = [list(hand) for _, hand in groupby(group, key=lambda row: (row["round"], row["honba"]))]
        players = results.pop(name)
        first_dealer = [player["wind_at_start"] for player in players].index("E")
        game = TenhouGame(name, hands, first_dealer, [], [])
        final = game.turned([player["raw"] for player in players])
        official = game.turned([player["official_points"] for player in players])
        yield TenhouGame(name, hands, first_dealer, final, official)
    assert not results


def tenhou_value(row: Any, rules: Rules) -> HandValue:
    return (
        yakuman_value(len(row["yakuman"]), rules)
        if row["yakuman"]
        else hand_value(row["han"], row["fu"], rules)
    )


def tenpai_in(row: Any, game: TenhouGame) -> tuple[int, ...]:
    if row["tenpai"] is None:
        return (0, 1, 2, 3) if (row["src"], row["round"], row["honba"]) == ALL_TENPAI else ()
    return tuple(seat for seat, tenpai in enumerate(game.turned(row["tenpai"])) if tenpai)


def tenhou_outcome(rows: list[Any], game: TenhouGame, rules: Rules) -> Outcome:
    row = rows[0]
    if "winner" in row:
        wins = tuple(Win(game.seat(each["winner"]), tenhou_value(each, rules)) for each in rows)
        return Tsumo(wins[0]) if row["win"] == "tsumo" else Ron(wins, game.seat(row["from"]))
    if row["type"] in ABORTS:
        return Abort(ABORTS[row["type"]])
    return ExhaustiveDraw(tenpai_in(row, game))


def declared(before_riichi: tuple[int, ...], after_riichi: list[int]) -> tuple[int, ...]:
    """Who laid 1000 points between the two; nothing else may have changed."""
    laid = [before - after for before, after in zip(before_riichi, after_riichi, strict=True)]
    assert set(laid) <= {0, 1000}, (before_riichi, after_riichi)
    return tuple(seat for seat, points in enumerate(laid) if points)


def riichi_agrees(rows: list[Any], riichi: tuple[int, ...], game: TenhouGame) -> Counter[str]:
    """How much the rest of the record says of the riichi found from the points; it fails where it says no."""
    row, checked = rows[0], Counter({"riichi found": len(riichi)})
    if row.get("type") == "exhaustive":
        checked["draws without a word on tenpai"] += row["tenpai"] is None
        assert set(riichi) <= set(tenpai_in(row, game))
        checked["riichi of a draw, who were tenpai"] += len(riichi)
    for each in rows if "winner" in row else []:
        has_yaku = any(name in ("riichi", "double_riichi") for name, _ in each["yaku"])
        assert has_yaku == (game.seat(each["winner"]) in riichi)
        checked["winners with the yaku riichi" if has_yaku else "winners without it"] += 1
    return checked


def replayed(record: TenhouGame, rules: Rules, checked: Counter[str]) -> Game:
    """Plays the record hand by hand, and compares all that it says before and after each hand."""
    game = new_game(rules)
    for rows in record.hands:
        row, before = rows[0], record.turned(rows[0]["before"])
        riichi = declared(game.points, before)
        checked += riichi_agrees(rows, riichi, record)
        assert (game.turn, game.honba) == (row["round"], row["honba"])
        assert game.dealer == record.seat(row["dealer_seat"])
        assert game.deposits + 1000 * len(riichi) == 1000 * row["riichi_sticks"]
        outcome = tenhou_outcome(rows, record, rules)
        game = play(game, Hand(outcome=outcome, riichi=tuple(Riichi(seat) for seat in riichi)))
        changes = [
            sum(gained) for gained in zip(*(record.turned(each["deltas"]) for each in rows), strict=True)
        ]
        assert list(game.points) == [was + gained for was, gained in zip(before, changes, strict=True)]
        checked["hands"] += 1
    return game


def test_sixty_hanchan_of_tenhou_end_as_the_server_recorded_them():
    rules, checked = resolve("tenhou"), Counter[str]()
    endings: Counter[str | None] = Counter()

    for record in tenhou_games():
        game = replayed(record, rules, checked)
        endings[game.over] += 1
        table = settle(game.points, rules, sticks=game.deposits, last_dealer=game.last_dealer)
        assert [seat.points + 100 * seat.sticks for seat in table] == record.final, record.name
        assert [seat.score for seat in table] == [round(10 * score) for score in record.official]

    assert endings == {"length": 31, "bust": 19, "agari_yame": 8, "target": 2}
    assert checked == {
        "hands": 631,  # 541 wins, six of them beside another one, and 96 draws
        "riichi found": 457,  # all counted among the deposits, and of these
        "winners with the yaku riichi": 241,
        "riichi of a draw, who were tenpai": 71,
        "winners without it": 300,
        "draws without a word on tenpai": 5,
    }


@pytest.mark.parametrize("amount", [-1000, 1000, 300])
@pytest.mark.parametrize("seat", SEATS)
def test_one_wrong_number_before_any_hand_of_a_hanchan_is_noticed(seat, amount):
    """The search for riichi in the points hides no mistake in them, whichever hand and seat it is in."""
    rules, record = resolve("tenhou"), next(tenhou_games())
    replayed(record, rules, Counter())

    for number in range(len(record.hands)):
        wrong = deepcopy(record)
        for row in wrong.hands[number]:
            row["before"][seat] += amount
        with pytest.raises(AssertionError):
            replayed(wrong, rules, Counter())


# M.League

LIMITS = {"跳満": "haneman"}


@dataclass(frozen=True)
class MleagueGame:
    """The hanchan of the record: the players from the first dealer on, and its hands."""

    names: list[str]
    hands: list[Any]
    final: list[int]
    official: list[float]

    def turned(self, by_name: Any) -> list[int]:
        return [by_name.get(name, 0) for name in self.names]


def mleague_game() -> MleagueGame:
    game = read("mleague-2023-04-28-hand-by-hand.json")["games"][0]
    players = sorted(game["players"], key=lambda player: "東南西北".index(player["seat"]))
    return MleagueGame(
        [player["name"] for player in players],
        game["hands"],
        [player["raw"] for player in players],
        [player["official_points"] for player in players],
    )


def mleague_value(fields: list[str], dealer: bool, rules: Rules) -> HandValue:
    """The value of what the page shows: the points of a ron (also for a self-draw) or a limit, the fu, then
    each yaku and its han.
    """
    shown, fu, *yaku = fields
    value = hand_value(sum(int(han) for han in yaku[1::2]), int(fu), rules)
    assert (
        value.limit == LIMITS[shown]
        if shown in LIMITS
        else ron_points(value.base, dealer=dealer) == int(shown)
    )
    return value


def mleague_outcome(hand: Any, record: MleagueGame, rules: Rules) -> Outcome:
    """The outcome shown. The page names neither who was tenpai nor who dealt in: tenpai is who gained in a
    draw (own deposit apart), and dealt in has who lost most.
    """
    changes = record.turned(hand["deltas"])
    if hand["result"]["type"] == "draw":
        laid = [1000 * (name in hand["riichi"]) for name in record.names]
        gained = [change + own for change, own in zip(changes, laid, strict=True)]
        return ExhaustiveDraw(tuple(seat for seat in SEATS if gained[seat] > 0))
    name, fields = hand["result"]["winner"], hand["result"]["raw_fields"]
    tsumo = hand["result"]["type"] == "tsumo"
    value = mleague_value(fields if tsumo else fields[1:], name == hand["dealer"], rules)
    win = Win(record.names.index(name), value)
    return Tsumo(win) if tsumo else Ron((win,), changes.index(min(changes)))


def test_a_hanchan_of_mleague_replays_with_the_deposits_inside_its_changes():
    rules, record = resolve("mleague"), mleague_game()
    game = new_game(rules)

    for hand in record.hands:
        assert list(game.points) == record.turned(hand["start"])
        assert (record.names[game.dealer], game.honba) == (hand["dealer"], hand["honba"])
        assert game.deposits == hand["riichi_sticks"]
        riichi = tuple(Riichi(record.names.index(name)) for name in hand["riichi"])
        game = play(game, Hand(outcome=mleague_outcome(hand, record, rules), riichi=riichi))
        assert list(game.steps[-1].changes) == record.turned(hand["deltas"])

    assert (len(game.steps), game.over, list(game.points)) == (11, "length", record.final)
    table = settle(game.points, rules, sticks=game.deposits, last_dealer=game.last_dealer)
    assert [seat.score for seat in table] == [round(10 * score) for score in record.official]
