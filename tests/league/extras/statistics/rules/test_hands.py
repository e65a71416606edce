"""Statistics of hands against the records of a game server, counted from their rows alone."""

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.extras.statistics.rules.hands import HandStatistics, Rate, add_statistics, hand_statistics
from scoring.hanchan import (
    RON,
    TSUMO,
    Chombo,
    ExhaustiveDraw,
    Hand,
    Nagashi,
    Riichi,
    Ron,
    Ruling,
    Scores,
    Tsumo,
    check,
    new_game,
    play,
    replay,
)
from scoring.presets import resolve
from tests.scoring.hanchan_logs import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after,
    draw,
    hands,
    mangan,
    playable_rules,
    riichi,
    ron,
    rules_with,
    tsumo,
    win,
)
from tests.scoring.test_hanchan_records import (
    ALL_TENPAI,
    mleague_game,
    mleague_outcome,
    replayed,
    tenhou_games,
)

RULES = rules_with()


def of(*played, seat=EAST, rules=RULES) -> HandStatistics:
    return hand_statistics([(after(rules, *played), seat)])


# --- single hands


def test_no_hand_answers_no_question():
    found = hand_statistics([])
    assert (found.rate("won"), found.rate("won").share, found.mean("gain")) == (Rate(0, 0), None, None)
    assert (found.yaku, found.longest_dealership) == ({}, 0)


def test_a_win_and_a_deal_in_have_the_points_of_the_hand_without_honba_and_deposits():
    played = (draw(EAST), ron(SOUTH, EAST, mangan(RULES), riichi=riichi(SOUTH)))
    winner, loser = of(*played, seat=SOUTH), of(*played, seat=EAST)
    assert (winner.rate("won"), winner.rate("won", "riichi"), winner.mean("win_points")) == (
        Rate(1, 2),
        Rate(1, 1),
        8_000,
    )
    assert (loser.rate("dealt_in"), loser.mean("loss_points")) == (Rate(1, 2), 8_000)
    assert winner.mean("gain") == Fraction(8_300 - 1_000, 2)
    assert winner.mean("gain", "riichi") == 8_300
    assert (winner.rate("tsumo"), winner.rate("dama")) == (Rate(0, 1), Rate(0, 1))
    assert loser.mean("win_points") is None


def test_calls_and_yaku_are_unknown_unless_they_are_recorded():
    played = (tsumo(EAST, mangan(RULES)), ron(EAST, SOUTH))
    found = of(*played)
    assert (found.rate("called"), found.rate("dama"), found.yaku) == (Rate(0, 0), Rate(0, 0), {})
    first = replace(win(EAST, mangan(RULES)), yaku=("pinfu", "dora", "dora"))
    played = (Hand(outcome=Tsumo(first), called=(SOUTH,)), replace(played[1], called=(EAST,)))
    found = of(*played)
    assert (found.rate("called"), found.rate("dama")) == (Rate(1, 2), Rate(1, 2))
    assert (found.rate("won", "called"), found.yaku) == (Rate(1, 1), {"pinfu": 1, "dora": 1})
    assert (found.rate("won"), found.wins_with_yaku) == (Rate(2, 2), 1)


def test_a_riichi_is_a_closed_hand_also_without_a_record_of_calls():
    assert of(tsumo(EAST, riichi=riichi(EAST))).rate("called") == Rate(0, 1)


def test_a_riichi_whose_tile_was_won_did_not_stand():
    hand = Hand(outcome=Ron((win(SOUTH),), EAST), riichi=(Riichi(EAST, "won"),))
    found = of(hand)
    assert (found.rate("riichi"), found.rate("dealt_in")) == (Rate(0, 1), Rate(1, 1))


def test_nobody_dealt_into_three_wins_that_abort_the_hand():
    hand = Hand(outcome=Ron((win(SOUTH), win(WEST), win(NORTH)), EAST))
    assert of(hand, rules=rules_with(multiple_ron="triple_aborts")).rate("dealt_in") == Rate(0, 1)
    assert of(hand, rules=rules_with(multiple_ron="triple")).rate("dealt_in") == Rate(1, 1)


def test_tenpai_counts_at_draws_alone_and_a_hidden_one_too():
    found = of(draw(EAST, WEST), Hand(outcome=ExhaustiveDraw((), hidden=(EAST,))), draw(), tsumo(WEST))
    assert found.rate("drawn") == Rate(3, 4)
    assert found.rate("tenpai") == Rate(2, 3)


def test_hands_that_are_dealt_again_and_rulings_do_not_count():
    game = play(new_game(rules_with(after_chombo="replay")), Hand(outcome=Chombo((SOUTH,))))
    game = play(game, Hand(outcome=Ruling(game.points)))
    game = play(game, draw())
    assert (len(game.steps), hand_statistics([(game, EAST)]).rate("won")) == (3, Rate(0, 1))
    kept = play(new_game(rules_with(after_chombo="draw")), Hand(outcome=Chombo((SOUTH,))))
    assert hand_statistics([(kept, SOUTH)]).rate("won") == Rate(0, 1)


def test_a_hand_of_scores_alone_says_only_what_it_says():
    def scored(**facts):
        return of(Hand(outcome=Scores((33_000, 17_000, 25_000, 25_000), True, **facts)))

    silent, known = scored(), scored(winners=(EAST,), win=RON)
    assert [silent.rate(each).of for each in ("won", "dealt_in", "riichi", "drawn", "tenpai")] == [0] * 5
    assert silent.mean("gain") == 8_000
    assert (known.rate("won"), known.rate("tsumo"), known.rate("dealt_in")) == (
        Rate(1, 1),
        Rate(0, 1),
        Rate(0, 1),
    )
    assert known.mean("win_points") is None
    other = of(Hand(outcome=Scores((33_000, 17_000, 25_000, 25_000), True, (EAST,), RON)), seat=SOUTH)
    assert (other.rate("won"), other.rate("dealt_in")) == (Rate(0, 1), Rate(0, 0))
    drawn = of(Hand(outcome=Scores((33_000, 17_000, 25_000, 25_000), True, (EAST,), TSUMO)), seat=SOUTH)
    assert drawn.rate("dealt_in") == Rate(0, 1)


def test_nagashi_is_a_draw_or_a_win_as_the_rules_say():
    as_draw, as_win = (rules_with(nagashi_mangan=True, nagashi_as_tsumo=each) for each in (False, True))
    hand = Hand(outcome=Nagashi((SOUTH,), tenpai=(EAST,)))
    found = of(hand, seat=SOUTH, rules=as_draw)
    assert (found.rate("won"), found.rate("drawn"), found.mean("win_points")) == (
        Rate(0, 1),
        Rate(1, 1),
        None,
    )
    found = of(hand, seat=SOUTH, rules=as_win)
    assert (found.rate("won"), found.rate("drawn"), found.mean("win_points")) == (
        Rate(1, 1),
        Rate(0, 1),
        8_000,
    )


def test_the_longest_dealership_counts_hands_dealt_in_a_row():
    played = (tsumo(EAST), tsumo(EAST), draw(EAST), tsumo(NORTH), tsumo(SOUTH), ron(WEST, NORTH))
    assert of(*played, seat=EAST).longest_dealership == 4
    assert of(*played, seat=SOUTH).longest_dealership == 2
    assert of(*played, seat=NORTH).longest_dealership == 0


@given(st.data())
def test_whatever_was_played_the_numbers_agree_with_each_other(data):
    rules = data.draw(playable_rules())
    game = new_game(rules)
    for _time in range(8):
        hand = data.draw(hands(rules))
        if game.over is None and not check(game, hand):
            game = play(game, hand)
    seats = [hand_statistics([(game, seat)]) for seat in range(4)]
    for seat, found in enumerate(seats):
        won, dealt_in, drawn = (found.rate(each) for each in ("won", "dealt_in", "drawn"))
        assert won.count + dealt_in.count + drawn.count <= found.hands
        assert found.rate("tsumo").of <= won.count
        if found.hands and found.hands == len(game.steps):
            assert found.mean("gain") * found.hands == game.points[seat] - rules.start_points
    assert len({found.hands for found in seats}) == 1
    together = add_statistics(seats)
    assert together.rate("won").count == sum(found.rate("won").count for found in seats)
    assert hand_statistics((game, seat) for seat in range(4)) == together


# --- real hands


def test_the_hands_of_a_game_server_agree_with_an_independent_count():
    """Count 631 hands from the rows of the record: of every seat of every game, and of all together."""
    rules = resolve("tenhou")
    totals: Counter[str] = Counter()
    for record in tenhou_games():
        game = with_records(replayed(record, rules, Counter()), record)
        for seat in range(4):
            found = hand_statistics([(game, seat)])
            own, points = counted(record, game, seat)
            for name, number in own.items():
                assert found.rate(name).count == number, (record.name, seat, name)
            assert found.rate("won").of == len(record.hands)
            for name, amounts in points.items():
                assert found.mean(name) == (Fraction(sum(amounts), len(amounts)) if amounts else None)
            totals += Counter(own)
        for name, wins in Counter(
            name
            for rows in record.hands
            for row in rows
            for name in {each for each, _ in row.get("yaku", ())}
        ).items():
            assert hand_statistics((game, seat) for seat in range(4)).yaku[name] == wins, (record.name, name)
    assert (totals["won"], totals["drawn"], totals["riichi"]) == (541, 4 * 86, 457)


def with_records(game, record):
    """Replay the game with the yaku of wins, and the calls of winners. The record tells no other calls."""
    hands = []
    for step, rows in zip(game.steps, record.hands, strict=True):
        if "winner" in rows[0]:
            of = {record.seat(row["winner"]): row for row in rows}
            open_ = [seat for seat, row in of.items() if any(kind != "ankan" for kind, _ in row["melds"])]
            outcome = step.hand.outcome
            wins = outcome.wins if isinstance(outcome, Ron) else (outcome.win,)
            wins = tuple(
                replace(each, yaku=tuple(name for name, _han in of[each.winner]["yaku"])) for each in wins
            )
            outcome = Ron(wins, outcome.loser) if isinstance(outcome, Ron) else Tsumo(wins[0])
            hands.append(replace(step.hand, outcome=outcome, called=tuple(open_)))
        else:
            hands.append(step.hand)
    return replay(game.beginning, hands)


def counted(record, game, seat):
    """Count by the rows: who won, from whom, how much. Riichi is what was laid before the hand ended."""
    own = Counter(dict.fromkeys(("won", "dealt_in", "tsumo", "dama", "drawn", "riichi", "tenpai"), 0))
    points = defaultdict(list)
    before = [25_000] * 4
    for rows in record.hands:
        laid = before[seat] - record.turned(rows[0]["before"])[seat]
        own["riichi"] += laid == 1_000
        for row in rows:
            if "winner" not in row:
                continue
            if record.seat(row["winner"]) == seat:
                own["won"] += 1
                own["tsumo"] += row["win"] == "tsumo"
                own["dama"] += laid == 0 and all(kind == "ankan" for kind, _tiles in row["melds"])
                points["win_points"].append(row["value"])
        if rows[0].get("win") == "ron" and record.seat(rows[0]["from"]) == seat:
            own["dealt_in"] += 1
            points["loss_points"].append(sum(row["value"] for row in rows))
        if rows[0].get("type") == "exhaustive":
            own["drawn"] += 1
            own["tenpai"] += all_gains(rows, record)[seat] > 0 or is_all_tenpai(rows[0], seat, record)
        points["gain"].append(all_gains(rows, record)[seat] - laid)
        before = [
            b + gained
            for b, gained in zip(record.turned(rows[0]["before"]), all_gains(rows, record), strict=True)
        ]
    for name in ("win_points", "loss_points", "gain"):
        points.setdefault(name, [])
    return own, points


def all_gains(rows, record):
    return [sum(gained) for gained in zip(*(record.turned(row["deltas"]) for row in rows), strict=True)]


def is_all_tenpai(row, seat, record) -> bool:
    """Return the record's own word where no points moved."""
    if any(row["deltas"]):
        return False
    if row["tenpai"] is None:
        return (row["src"], row["round"], row["honba"]) == ALL_TENPAI
    return record.turned(row["tenpai"])[seat]


def test_the_values_of_a_real_hanchan_by_hand():
    """Count a hanchan of M.League by its page: 11 hands."""
    record = mleague_game()
    game = new_game(RULES)
    for hand in record.hands:
        laid = tuple(Riichi(record.names.index(name)) for name in hand["riichi"])
        game = play(game, Hand(outcome=mleague_outcome(hand, record, RULES), riichi=laid))
    for seat, name in enumerate(record.names):
        found = hand_statistics([(game, seat)])
        mine = [hand for hand in record.hands if hand["result"].get("winner") == name]
        assert found.rate("won") == Rate(len(mine), 11)
        assert found.rate("tsumo").count == sum(hand["result"]["type"] == "tsumo" for hand in mine)
        assert found.rate("riichi").count == sum(name in hand["riichi"] for hand in record.hands)
        assert float(found.mean("gain")) == pytest.approx(
            mean(hand["deltas"].get(name, 0) for hand in record.hands)
        )
        with_riichi = [hand["deltas"].get(name, 0) for hand in record.hands if name in hand["riichi"]]
        assert found.mean("gain", "riichi") == (
            Fraction(sum(with_riichi), len(with_riichi)) if with_riichi else None
        )
