"""Game logs of Tenhou and Mahjong Soul: 60 hanchan written in both formats, and what strangers may send."""

import gzip
import json
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from league.extras.game_logs.rules import (
    GameLog,
    LoggedHand,
    LoggedWin,
    Unreadable,
    best_files,
    differences,
    is_same_game,
    join_files,
    mjlog,
    read_game_log,
    replay_log,
    seems_unfinished,
)
from league.extras.game_logs.rules.files import MOST_BYTES
from scoring.hanchan import Abort
from scoring.presets import resolve
from scoring.settlement import settle
from tests.league.extras.game_logs.rules.game_log_files import (
    NAMES,
    as_json_tells,
    logged,
    write_json,
    write_mjlog,
)
from tests.scoring.test_hanchan_records import tenhou_games

TENHOU, SOUL = resolve("tenhou"), resolve("mahjong-soul")
START = (25_000, 25_000, 25_000, 25_000)


def test_sixty_hanchan_read_from_both_formats_end_as_published():
    counted: Counter[str] = Counter()
    for record in tenhou_games():
        log, han = logged(record)
        first = record.first_dealer
        as_json = read_game_log(write_json(log, han, record.final))
        as_xml = read_game_log(
            gzip.compress(write_mjlog(log, han, record.final, first=first)), f"{record.name}.mjlog"
        )
        assert as_json == as_json_tells(replace(log, ended=True))
        assert as_xml == replace(log, ended=True)
        assert as_json.fingerprint == as_xml.fingerprint
        for read in (as_json, as_xml):
            assert not differences(read, TENHOU)
            replayed = replay_log(read, TENHOU)
            assert replayed.difference is None, (record.name, replayed.difference)
            table = settle(read.points, TENHOU, sticks=read.deposits, last_dealer=replayed.game.last_dealer)
            assert [seat.points + 100 * seat.sticks for seat in table] == record.final
            assert [seat.score for seat in table] == [round(10 * score) for score in record.official]
            counted["hands"] += len(replayed.game.steps)
            counted["games"] += 1
    assert counted == {"games": 120, "hands": 1_262}


# --- single hands


def hand(changes, turn=0, before=START, **facts) -> LoggedHand:
    return LoggedHand(
        **{"turn": turn, "honba": 0, "deposits": 0, "riichi": (), "called": ()}
        | facts
        | {"before": before, "changes": tuple(changes)}
    )


def a_win(winner, loser, points, *, han=0, fu=30, liable=None, yaku=()) -> LoggedWin:
    return LoggedWin(
        winner=winner,
        loser=loser,
        liable=liable,
        points=points,
        han=han,
        fu=fu,
        is_yakuman=han == 0,
        yaku=yaku,
    )


def a_log(*hands: LoggedHand, **facts) -> GameLog:
    return GameLog(service="tenhou", ref="", names=NAMES, hands=hands, **facts)


def read_both(log: GameLog, han=()) -> list[GameLog]:
    return [read_game_log(write_json(log, han, None)), read_game_log(write_mjlog(log, han, None))]


def following(first: LoggedHand, turn: int, honba: int, deposits: int) -> LoggedHand:
    return hand(
        (0, 0, 0, 0),
        turn=turn,
        before=first.after,
        honba=honba,
        deposits=deposits,
        draw="kyuushu_kyuuhai",
    )


@pytest.mark.parametrize(
    ("draw", "riichi", "unpaid"),
    [
        ("kyuushu_kyuuhai", (), None),
        ("suufon_renda", (), None),
        ("suukaikan", (2,), None),
        ("suucha_riichi", (0, 1, 2, 3), None),
        ("sanchahou", (0, 1), None),
        ("sanchahou", (0, 1), 1),
    ],
)
def test_an_abortive_draw_keeps_its_deposits_and_the_dealer(draw, riichi, unpaid):
    first = hand((0, 0, 0, 0), draw=draw, riichi=riichi, won_on=unpaid)
    log = a_log(first, following(first, 0, 1, 1000 * len(first.standing)))
    for read in read_both(log):
        assert read.hands == log.hands
        found = replay_log(read, TENHOU)
        assert found.difference.code == "later", found.difference  # the game is not over


def test_a_riichi_on_whose_tile_was_won_pays_no_deposit():
    first = hand(
        (-1_000, 1_000, 0, 0),
        riichi=(0, 3),
        won_on=0,
        wins=(a_win(1, 0, 1_000, han=1),),
    )
    first = replace(first, changes=(-1_000, 2_000, 0, 0))
    log = a_log(first, following(first, 1, 0, 0))
    for read in read_both(log, [[("tanyao", 1)]]):
        assert read.points == (24_000, 27_000, 25_000, 24_000)
        assert [each.riichi for each in read.hands] == [(0, 3), ()]
        assert replay_log(read, TENHOU).difference.code == "later"


def test_a_double_ron_pays_the_first_winner_honba_and_deposits():
    first = hand((0, 0, 0, 0), draw="suufon_renda", riichi=())
    second = hand(
        (1_500 + 300, 0, 1_000, -2_800),
        honba=1,
        wins=(a_win(0, 3, 1_500, han=1), a_win(2, 3, 1_000, han=1)),
    )
    log = a_log(first, second, following(second, 0, 2, 0))
    for read in read_both(log, [[("tanyao", 1)], [("tanyao", 1)]]):
        assert [each.winner for each in read.hands[1].wins] == [0, 2]
        assert replay_log(read, TENHOU).difference.code == "later"


@pytest.mark.parametrize("loser", [None, 2])
def test_liability_is_paid_as_the_rules_say(loser):
    changes = (0, 32_000, 0, -32_000) if loser is None else (0, 32_000, -16_000, -16_000)
    first = hand(changes, wins=(a_win(1, loser, 32_000, liable=3, yaku=("daisangen",)),), called=(1,))
    for read in read_both(a_log(first), [[("daisangen", 0)]]):
        found = replay_log(read, TENHOU)
        if loser is None:
            assert (found.game.points, found.game.over) == (first.after, "bust")
        else:
            assert found.difference.code == "later"
        own = resolve("tenhou", {"pao": {**TENHOU.as_values()["pao"], "yaku": []}})
        assert replay_log(read, own).difference.code == "payment"


def test_a_double_yakuman_counts_as_the_rules_say():
    first = hand((-32_000, 64_000, -16_000, -16_000), wins=(a_win(1, None, 64_000, yaku=("daisuushii",)),))
    read = read_both(a_log(first), [[("daisuushii", 0)]])[0]
    assert replay_log(read, SOUL).game.over == "bust"
    assert replay_log(read, TENHOU).game.over == "bust"  # two yakuman, as their points say


def test_nagashi_mangan_moves_its_points_and_leaves_tenpai_to_what_follows():
    first = hand((-4_000, -2_000, 8_000, -2_000), draw="nagashi", tenpai=(0,))
    log = a_log(first, following(first, 0, 1, 0))
    for read in read_both(log):
        assert replay_log(read, TENHOU).difference.code == "later"


def test_a_draw_without_payments_was_of_four_tenpai_if_the_dealer_stays():
    first = hand((0, 0, 0, 0), draw="exhaustive", tenpai=None)
    for turn, tenpai in ((0, (0, 1, 2, 3)), (1, ())):
        log = a_log(first, following(first, turn, 1, 0), following(first, turn, 2, 0))
        read = read_game_log(write_json(log, [], None))
        rules = resolve("tenhou", {"game_length": "east"})
        found = replay_log(read, rules)
        assert found.difference.code == "later"
        assert found.difference.hand.number == turn + 1
        assert tenpai in ((), (0, 1, 2, 3))


# --- rule sets


def test_settings_that_differ_are_named():
    log = replace(logged(next(tenhou_games()))[0], red_fives=3, game_length="half", open_tanyao=True)
    rules = resolve("tenhou", {"red_fives": 0, "game_length": "east", "open_tanyao": False})
    found = {each.code: (each.logged, each.ruled) for each in differences(log, rules)}
    assert found == {"red_fives": (3, 0), "game_length": ("half", "east"), "open_tanyao": (True, False)}
    assert [each.code for each in differences(log, resolve("ema-2025")) if each.is_fatal] == ["start_points"]
    assert replay_log(log, resolve("ema-2025")).game is None


def test_payments_and_ends_that_differ_name_the_hand():
    seen = Counter()
    for record in tenhou_games():
        log, _han = logged(record)
        for code, values in {
            "honba": {"honba": 1500},
            "renchan": {"renchan": "win"},
            "kiriage": {"kiriage_mangan": True},
            "agari": {"agari_yame": False},
        }.items():
            found = replay_log(log, resolve("tenhou", values)).difference
            seen[code, found.code if found else ""] += 1
    assert seen["renchan", "next"] > 20
    assert seen["honba", "payment"] > 30
    assert seen["kiriage", "payment"] > 0
    assert seen["agari", "later"] > 0


# --- what strangers may send


BOMB = b"""<!DOCTYPE mjloggm [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><mjloggm>&b;</mjloggm>"""
GOOD, HAN = logged(next(tenhou_games()))
PLAIN = json.loads(write_json(GOOD, HAN, None))
WON = next(hand for hand in PLAIN["log"] if hand[-1][0] == "和了")


BROUGHT = Path(__file__).parents[4] / "data" / "brought"
CHIPS = (BROUGHT / "log-chips.xml").read_bytes()
UNFINISHED = (BROUGHT / "log-without-its-last-hand.xml").read_bytes()


def brought(name: str) -> GameLog:
    return read_game_log((BROUGHT / name).read_bytes(), name)


def finals_of(log: GameLog) -> list[int]:
    return [each for points in log.points for each in (points, 0)]


def changed(**values: object) -> bytes:
    return json.dumps(PLAIN | values).encode()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (gzip.compress(b" "), "empty"),
        (b"hello", "unknown"),
        (b"[]", "unknown"),
        (b"{}", "unknown"),
        (b"\xff\xfe{}", "unknown"),
        (b"<html></html>", "unknown"),
        (BOMB, "unknown"),
        (b"<mjloggm>", "damaged"),
        (b"\xef\xbb\xbf<mjloggm><GO", "damaged"),
        (json.dumps(PLAIN).encode()[:-1], "damaged"),
        (gzip.compress(b"<mjloggm>" * 1000)[:-9], "damaged"),
        (b"<mjloggm/>", "damaged"),
        (b"[" * 100_000, "unknown"),
        (b"\x1f\x8b broken", "damaged"),
        (b"\x1f\x8b\x00 broken", "unknown"),
        (gzip.compress(b"0" * 100_000_000, 1), "large"),
        (b" " * MOST_BYTES + b"{}", "large"),
        (changed(log=[]), "damaged"),
        (changed(log=None), "damaged"),
        (changed(log=[[]]), "damaged"),
        (changed(log=[[*WON[:-1], [*WON[-1], [0, 0, 0, 0]]]]), "damaged"),
        (changed(name=["a", "b"]), "damaged"),
        (changed(name=["a", "b", "c", ""]), "three_players"),
        (changed(rule={"disp": "三般南"}), "three_players"),
        (changed(rule={"aka": "x"}), "damaged"),
        (changed(log=PLAIN["log"][1:]), "not_whole"),
        (changed(log=PLAIN["log"][:1] + PLAIN["log"][2:]), "points"),
        (changed(sc=[1, 0, 2, 0, 3, 0, 4, 0]), "points"),
        (changed(sc=[*finals_of(GOOD), 1, 0, 0, 0, 0, 0, 0, 0]), "chips"),
        (changed(sc=[*finals_of(GOOD), 10**12, 0, -(10**12), 0, 0, 0, 0, 0]), "chips"),
        (CHIPS.replace(b"0,5,0", b"0,4,0"), "chips"),
        (CHIPS.replace(b"0,5,0", b"0,4,0").replace(b'0,5"', b'0,4"'), "chips"),
        (UNFINISHED.replace(b"<BYE", b'<INIT seed="1,1,0" ten="250,260,240,250" oya="1"/><BYE'), "damaged"),
        (b'{"log": ' + b"9" * 5_000 + b"}", "damaged"),
    ],
)
def test_another_file_is_refused(content, code):
    with pytest.raises(Unreadable) as refused:
        read_game_log(content)
    assert refused.value.code == code


def test_a_byte_order_mark_changes_nothing():
    assert brought("log-bom.xml") == brought("log-plain-control.xml")


def test_encoded_names_of_a_player_who_came_back_are_read_from_the_first_dealer():
    log = brought("log-reconnected.xml")

    assert log.names == ("★Mia★", "100%", "山猫", "Anna B.")
    assert (log.service, log.ref, log.day, log.ended, log.chips) == ("tenhou", "", None, True, None)
    assert (log.red_fives, log.game_length, log.open_tanyao) == (3, "half", True)
    assert log.course == [
        (0, 0, START, (26_500, 23_500, 25_500, 23_500)),
        (0, 1, (26_500, 23_500, 25_500, 23_500), (26_500, 20_600, 25_500, 27_400)),
        (1, 0, (26_500, 20_600, 25_500, 27_400), (26_500, -11_400, 57_500, 27_400)),
    ]
    drawn, called, last = log.hands
    assert (drawn.draw, drawn.tenpai, drawn.riichi) == ("exhaustive", (0, 2), (2,))
    assert [(each.winner, each.loser, each.yaku) for each in called.wins] == [(3, 1, ("tanyao", "dora"))]
    assert [(each.winner, each.loser, each.yaku) for each in last.wins] == [(2, 1, ("kokushi",))]
    assert (called.deposits, called.called) == (1_000, (3,))
    rules = resolve("tenhou-2022")
    assert (differences(log, rules), replay_log(log, rules).difference) == ([], None)
    table = settle(log.points, rules, sticks=0, last_dealer=log.last_dealer)
    assert [seat.score for seat in table] == [-135, -614, 675, 74]


def test_a_game_of_mahjong_soul_after_a_byte_order_mark_is_read_with_both_winners_of_a_hand():
    log = brought("log-mahjong-soul-bom.json")

    assert (log.service, log.day) == ("mahjong_soul", date(2026, 3, 1))
    assert log.ref == "260301-0f0e0d0c-1111-4222-8333-444455556666"
    assert log.names == ("ねこ好き", "Ben", "Kara", "段位戦の人")
    assert (log.red_fives, log.game_length, log.open_tanyao, log.ended) == (3, "half", True, True)
    assert log.course == [
        (0, 0, START, (25_000, 28_900, 27_000, 19_100)),
        (1, 0, (25_000, 28_900, 27_000, 19_100), (21_000, 40_900, 23_000, 15_100)),
        (1, 1, (21_000, 40_900, 23_000, 15_100), (19_500, 42_400, 24_500, 13_600)),
        (1, 2, (19_500, 42_400, 24_500, 13_600), (52_100, 42_400, 24_500, -19_000)),
    ]
    assert [[(win.winner, win.loser, win.points) for win in hand.wins] for hand in log.hands] == [
        [(1, 3, 3_900), (2, 3, 2_000)],
        [(1, None, 12_000)],
        [],
        [(0, 3, 32_000)],
    ]
    assert (log.hands[0].riichi, log.hands[2].tenpai) == ((1,), (1, 2))
    assert (differences(log, SOUL), replay_log(log, SOUL).difference) == ([], None)
    table = settle(log.points, SOUL, sticks=0, last_dealer=log.last_dealer)
    assert [seat.score for seat in table] == [421, 224, -55, -590]


@pytest.mark.parametrize("file", ["log-cut-off.xml", "log-cut-off-in-a-name.json"])
def test_a_file_cut_off_is_damaged(file):
    with pytest.raises(Unreadable) as refused:
        brought(file)
    assert refused.value.code == "damaged"


def test_final_scores_with_decimals_are_read():
    log = brought("log-2023-decimals.json")

    assert (log.points, log.ended) == ((23_700, 27_700, -7_700, 56_300), True)


def test_chips_are_read_from_the_first_dealer_in_both_formats():
    log = brought("log-chips.xml")
    as_json = read_game_log(changed(sc=[*finals_of(GOOD), 0, 0, -1, 0, -4, 0, 5, 0]))
    turned = CHIPS.replace(b'oya="0"', b'oya="1"')

    assert (log.chips, as_json.chips) == ((0, -1, -4, 5), (0, -1, -4, 5))
    assert read_game_log(turned).chips == (-1, -4, 5, 0)
    assert brought("log-plain-control.xml").chips is None


@pytest.mark.parametrize(
    ("file", "ended"), [("log-without-its-last-hand.xml", False), ("log-plain-control.xml", True)]
)
def test_a_log_whose_last_hand_has_no_result_is_unfinished(file, ended):
    log = brought(file)

    assert log.ended is ended
    assert seems_unfinished(log, replay_log(log, TENHOU)) is not ended


@pytest.mark.parametrize(
    ("hands", "changes", "unfinished"),
    [(99, {}, False), (3, {}, True), (99, {"honba": 1500}, False), (3, {"honba": 1500}, True)],
)
def test_a_log_that_does_not_tell_its_end_is_unfinished_if_the_rules_go_on(hands, changes, unfinished):
    log = replace(GOOD, hands=GOOD.hands[:hands])

    assert seems_unfinished(log, replay_log(log, resolve("tenhou", changes))) is unfinished


CONTROL = brought("log-plain-control.xml")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({}, {}, True),
        ({"ref": "a"}, {}, True),
        ({"ref": "a"}, {"ref": "b", "names": ("Anna", "Ben", "Cara", "NoName")}, False),
        ({"ref": "a"}, {"ref": "a", "names": ("E", "F", "G", "H")}, True),
        ({}, {"names": ("Anna", "Ben", "Cara", "NoName")}, True),
        ({"names": ("NoName", "Ben", "Cara", "Dan")}, {"names": ("Anna", "Bさん", "Cara", "Dan")}, True),
        ({}, {"names": ("Anna", "Ben", "Cara", "Eva")}, False),
        ({}, {"names": ("Ben", "Anna", "Cara", "Dan")}, False),
        ({}, {"hands": brought("log-2023-decimals.json").hands}, False),
    ],
)
def test_files_of_one_game_are_found_by_id_or_by_hands_and_names(one, other, same):
    pair = replace(CONTROL, **one), replace(CONTROL, **other)

    assert is_same_game(*pair) is is_same_game(*pair[::-1]) is same


def test_the_file_that_tells_most_is_kept():
    hidden = replace(CONTROL, ref="a", names=("Anna", "Ben", "NoName", "NoName"))
    more, whole = replace(hidden, names=("Anna", "Ben", "NoName", "Dan")), replace(hidden, hands=GOOD.hands)

    assert best_files([hidden, more, GOOD, hidden]) == [1, 1, 2, 1]
    assert best_files([hidden, more, whole]) == [2, 2, 2]
    assert best_files([]) == []


def test_the_kept_file_tells_what_the_other_files_of_the_game_tell():
    hidden = replace(CONTROL, ref="a", names=("Anna", "Ben", "Cara", "NoName"), day=date(2023, 5, 30))
    chips = replace(CONTROL, names=("NoName", "Ben", "Cara", "Dan"), chips=(0, -1, -4, 5), ended=None)

    other = replace(GOOD, ref="a", names=hidden.names, hands=GOOD.hands[:1])

    joined = join_files([hidden, GOOD, chips, other])

    whole = replace(CONTROL, ref="a", day=date(2023, 5, 30), chips=(0, -1, -4, 5))
    assert joined == [whole, GOOD, chips, other]


def test_every_value_of_a_log_may_be_wrong():
    for path in range(5):
        for value in (None, -1, 10**12, "x", [], {}, 1.5, True, [[[]]]):
            broken = json.loads(json.dumps(PLAIN))
            broken["log"][1][[0, 1, 5, 6, -1][path]] = value
            try:
                read_game_log(json.dumps(broken).encode())
            except Unreadable:
                continue
            assert path in (2, 3), (path, value)  # tiles, which nobody reads


def test_an_address_of_the_editor_and_a_name_of_a_file_hold_a_game():
    from urllib.parse import quote

    address = "https://tenhou.net/6/#json=" + quote(json.dumps(PLAIN))
    assert read_game_log(address.encode()) == as_json_tells(GOOD)
    without = replace(GOOD, ref="", day=None)
    soul = "250304-0a1b2c3d-1111-2222-3333-0123456789ab"
    read = read_game_log(write_json(without, HAN, None), f"paipu_{soul}.json")
    assert (read.service, read.ref, str(read.day)) == ("mahjong_soul", soul, "2025-03-04")
    assert read.fingerprint == GOOD.fingerprint


def test_names_and_rules_of_mahjong_soul_are_understood():
    values = PLAIN | {"rule": {"disp": "玉の間南喰赤", "aka51": 1, "aka52": 2, "aka53": 1}, "ref": ""}
    values["name"] = ["a\u202eb", " c ", "d\x00", "x" * 100]
    read = read_game_log(json.dumps(values).encode())
    assert (read.service, read.red_fives, read.game_length) == ("mahjong_soul", 4, "half")
    assert read.names == ("ab", "c", "d", "x" * 60)


def test_a_yaku_without_a_code_leaves_the_yaku_of_its_win_unknown():
    first = hand((-1_000, 1_000, 0, 0), wins=(a_win(1, 0, 1_000, han=1),))
    text = write_json(a_log(first, following(first, 1, 0, 0)), [[("tanyao", 1)]], None).decode()
    read = read_game_log(text.replace("断幺九", "古い役").encode())
    assert read.hands[0].wins[0].yaku is None
    assert Abort("kyuushu_kyuuhai").reason == read.hands[1].draw


@pytest.mark.parametrize(
    ("meld", "called"),
    [(0x2C01, True), (0x2C00, False), (0x0420, False), (0x0421, False), (0x0004, True), (0x0010, True)],
)
def test_an_open_kan_is_a_call_and_a_closed_one_and_north_are_none(meld, called):
    assert mjlog._is_call(meld) == called
