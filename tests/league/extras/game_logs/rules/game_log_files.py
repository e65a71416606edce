"""Writers of the two formats of game logs, from the descriptions of the formats, and logs to write.

The project's record of 60 hanchan of Tenhou holds their facts, not the original files.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import quote

from league.extras.game_logs.rules import GameLog, LoggedHand, LoggedWin
from league.extras.game_logs.rules.yaku import CODES
from tests.scoring.test_hanchan_records import ABORTS, TenhouGame, tenpai_in

NAMES = ("東風", "ron&co", "<b>南</b>", "Ōno")
NAME_OF = {
    "menzen_tsumo": "門前清自摸和",
    "riichi": "立直",
    "ippatsu": "一発",
    "chankan": "槍槓",
    "rinshan": "嶺上開花",
    "haitei": "海底摸月",
    "houtei": "河底撈魚",
    "pinfu": "平和",
    "tanyao": "断幺九",
    "iipeiko": "一盃口",
    "seat_east": "自風 東",
    "seat_south": "自風 南",
    "seat_west": "自風 西",
    "seat_north": "自風 北",
    "round_east": "場風 東",
    "round_south": "場風 南",
    "round_west": "場風 西",
    "haku": "役牌 白",
    "hatsu": "役牌 發",
    "chun": "役牌 中",
    "double_riichi": "両立直",
    "chiitoitsu": "七対子",
    "chanta": "混全帯幺九",
    "ittsu": "一気通貫",
    "sanshoku_doujun": "三色同順",
    "sanshoku_doukou": "三色同刻",
    "toitoi": "対々和",
    "sanankou": "三暗刻",
    "shousangen": "小三元",
    "honroutou": "混老頭",
    "ryanpeiko": "二盃口",
    "junchan": "純全帯幺九",
    "honitsu": "混一色",
    "chinitsu": "清一色",
    "dora": "ドラ",
    "aka_dora": "赤ドラ",
    "ura_dora": "裏ドラ",
    "daisangen": "大三元",
    "daisuushii": "大四喜",
    "kokushi": "国士無双",
    "tsuuiisou": "字一色",
}
LIMITS = {2_000: "満貫", 3_000: "跳満", 4_000: "倍満", 6_000: "三倍満", 8_000: "役満"}
JSON_DRAWS = {
    "kyuushu_kyuuhai": "九種九牌",
    "suufon_renda": "四風連打",
    "suucha_riichi": "四家立直",
    "suukaikan": "四槓散了",
    "sanchahou": "三家和了",
    "nagashi": "流し満貫",
}
XML_DRAWS = {
    "kyuushu_kyuuhai": "yao9", "suufon_renda": "kaze4", "suucha_riichi": "reach4", "suukaikan": "kan4",
    "sanchahou": "ron3", "nagashi": "nm",
}  # fmt: skip


def logged(record: TenhouGame) -> tuple[GameLog, list[list[tuple[str, int]]]]:
    """The record of a hanchan as a log, and the han of the yaku of each win, in order."""
    hands, han, points = [], [], (25_000,) * 4
    for rows in record.hands:
        row, after_riichi = rows[0], record.turned(rows[0]["before"])
        riichi = tuple(seat for seat in range(4) if points[seat] != after_riichi[seat])
        changes = tuple(map(sum, zip(*(record.turned(each["deltas"]) for each in rows), strict=True)))
        wins = tuple(_win(each, record) for each in rows if "winner" in each)
        han += [[(name, each) for name, each in row["yaku"]] for row in rows if "winner" in row]
        draw = "" if wins else ABORTS.get(row["type"], "exhaustive")
        called = {
            record.seat(each["winner"])
            for each in rows
            if any(m[0] != "ankan" for m in each.get("melds", ()))
        }
        hand = LoggedHand(
            turn=row["round"],
            honba=row["honba"],
            deposits=1000 * (row["riichi_sticks"] - len(riichi)),
            before=points,
            changes=changes,
            riichi=riichi,
            called=tuple(sorted(called)),
            wins=wins,
            draw=draw,
            tenpai=tenpai_in(row, record) if draw == "exhaustive" else None,
        )
        hands.append(hand)
        points = hand.after
    log = GameLog(
        service="tenhou",
        ref=record.name,
        names=NAMES,
        hands=tuple(hands),
        day=date(int(record.name[:4]), int(record.name[4:6]), int(record.name[6:8])),
        red_fives=3,
        game_length="half",
        open_tanyao=True,
    )
    return log, han


def _win(row: dict[str, Any], record: TenhouGame) -> LoggedWin:
    return LoggedWin(
        winner=record.seat(row["winner"]),
        loser=None if row["win"] == "tsumo" else record.seat(row["from"]),
        liable=None,
        points=row["value"],
        han=row["han"],
        fu=row["fu"],
        is_yakuman=False,
        yaku=tuple(name for name, han in row["yaku"] if han),
    )


# --- tenhou.net/6


def write_json(log: GameLog, han: Sequence[Sequence[tuple[str, int]]], finals: Sequence[int] | None) -> bytes:
    rest = iter(han)
    values = {
        "title": ["", ""],
        "name": list(log.names),
        "rule": {"disp": "般南喰赤", "aka": 1},
        "ref": log.ref,
        "log": [_json_hand(each, rest) for each in log.hands],
    }
    if finals is not None:
        values["sc"] = [each for points in finals for each in (points, 0.5)]
    return json.dumps(values, ensure_ascii=False).encode()


def _json_hand(hand: LoggedHand, han: Any) -> list[Any]:
    tiles: list[Any] = []
    for seat in range(4):
        riichi = ["r60"] if seat in hand.riichi else [11]
        discards = [12, "a11111111", *riichi] + ([] if seat == hand.won_on else [60])
        tiles += [[11] * 13, ["p111111" if seat in hand.called else 12, 13], discards]
    start = [hand.turn, hand.honba, hand.deposits // 1000]
    return [start, list(hand.before), [11], [], *tiles, _json_result(hand, han)]


def _json_result(hand: LoggedHand, han: Any) -> list[Any]:
    if not hand.wins:
        if hand.draw == "exhaustive" and not any(hand.changes):
            return [{None: "流局", (): "全員不聴"}.get(hand.tenpai, "全員聴牌")]
        moved = [list(hand.changes)] if any(hand.changes) else []
        return [JSON_DRAWS.get(hand.draw, "流局"), *moved]
    result: list[Any] = ["和了"]
    for number, win in enumerate(hand.wins):
        moved = list(hand.changes) if number == len(hand.wins) - 1 else [0, 0, 0, 0]
        loser = win.winner if win.loser is None else win.loser
        liable = win.winner if win.liable is None else win.liable
        yaku = [f"{NAME_OF[name]}({'役満' if win.is_yakuman else f'{each}飜'})" for name, each in next(han)]
        result += [moved, [win.winner, loser, liable, _value(win, hand), *yaku]]
    return result


def is_limit(win: LoggedWin, hand: LoggedHand) -> bool:
    return win.points >= (12_000 if win.winner == hand.turn % 4 else 8_000)


def _value(win: LoggedWin, hand: LoggedHand) -> str:
    dealer = win.winner == hand.turn % 4
    base = win.points // (6 if dealer else 4)
    name = LIMITS.get(base, "役満") if is_limit(win, hand) else f"{win.fu}符{win.han}飜"
    if win.loser is not None:
        return f"{name}{win.points}点"
    if dealer:
        return f"{name}{win.points // 3}点∀"
    base = win.points // 4 if is_limit(win, hand) else win.fu * 2 ** (win.han + 2)
    low, high = (-(-base * part // 100) * 100 for part in (1, 2))  # rounded up
    assert 2 * low + high == win.points
    return f"{name}{low}-{high}点"


# --- mjlog


def write_mjlog(
    log: GameLog,
    han: Sequence[Sequence[tuple[str, int]]],
    finals: Sequence[int] | None,
    *,
    first: int = 0,
    rules: int = 0x09,
) -> bytes:
    """`first`: the seat of the file in which the first dealer sits."""
    rest = iter(han)
    names = " ".join(f'n{(seat + first) % 4}="{quote(name)}"' for seat, name in enumerate(log.names))
    parts = ['<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/>', f'<GO type="{rules}" lobby="0"/>']
    parts += [f'<UN {names} dan="0,0,0,0"/>', f'<TAIKYOKU oya="{first}"/>']
    for number, hand in enumerate(log.hands):
        ends = finals if number == len(log.hands) - 1 else None
        parts += _xml_hand(hand, rest, first, ends)
    return ("".join(parts) + "</mjloggm>").encode()


def _xml_hand(hand: LoggedHand, han: Any, first: int, finals: Sequence[int] | None) -> list[str]:
    def seat(number: int) -> int:
        return (number + first) % 4

    def turned(points: Sequence[Any]) -> list[Any]:
        return [points[(each - first) % 4] for each in range(4)]

    ten = ",".join(str(each // 100) for each in turned(hand.before))
    seed = f"{hand.turn},{hand.honba},{hand.deposits // 1000},1,2,3"
    parts = [f'<INIT seed="{seed}" ten="{ten}" oya="{seat(hand.turn % 4)}"/>', "<T53/><D53/>"]
    parts += [
        f'<UN n{seat(1)}="back"/>',
        f'<N who="{seat(0)}" m="{4 << 8}"/>',
    ]  # a reconnection, a closed kan
    parts += [f'<N who="{seat(each)}" m="{0x08 | 1}"/>' for each in hand.called]
    for each in sorted(hand.riichi, key=lambda each: each == hand.won_on):
        parts.append(f'<REACH who="{seat(each)}" step="1"/><{"DEFG"[seat(each)]}60/>')
        if each != hand.won_on:
            parts.append(f'<REACH who="{seat(each)}" ten="{ten}" step="2"/>')
    owari = f' owari="{",".join(f"{each // 100},0.5" for each in turned(finals))}"' if finals else ""
    before = [points - 1000 * (each in hand.standing) for each, points in enumerate(hand.before)]
    for number, win in enumerate(hand.wins):
        is_last = number == len(hand.wins) - 1
        moved = hand.changes if is_last else (0, 0, 0, 0)
        yaku = next(han)
        if win.is_yakuman:
            said = f'yakuman="{",".join(str(CODES.index(name)) for name, _ in yaku)}"'
        else:
            said = f'yaku="{",".join(f"{CODES.index(name)},{each}" for name, each in yaku)}"'
        liable = "" if win.liable is None else f' paoWho="{seat(win.liable)}"'
        loser = win.winner if win.loser is None else win.loser
        parts.append(
            f'<AGARI ba="{hand.honba},0" hai="1,2" machi="2" ten="{win.fu},{win.points},0" {said}'
            f' who="{seat(win.winner)}" fromWho="{seat(loser)}"{liable}'
            f' sc="{_sc(turned(before), turned(moved))}"{owari if is_last else ""}/>'
        )
    if not hand.wins:
        kind = f'type="{XML_DRAWS[hand.draw]}" ' if hand.draw in XML_DRAWS else ""
        shown = " ".join(f'hai{seat(each)}="1,2"' for each in hand.tenpai or ())
        sc = _sc(turned(before), turned(hand.changes))
        parts.append(f'<RYUUKYOKU {kind}ba="{hand.honba},0" sc="{sc}" {shown}{owari}/>')
    return parts


def _sc(before: Sequence[int], moved: Sequence[int]) -> str:
    return ",".join(f"{was // 100},{gained // 100}" for was, gained in zip(before, moved, strict=True))


def as_json_tells(log: GameLog) -> GameLog:
    """The log without what the JSON format leaves out: fu of limit hands."""
    hands = [
        replace(hand, wins=tuple(replace(win, fu=None) if is_limit(win, hand) else win for win in hand.wins))
        for hand in log.hands
    ]
    return replace(log, hands=tuple(hands))
