"""What holds for every rule set and every table."""

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from scoring.rules import Rules
from scoring.settlement import Ending, settle, settler
from tests.examples import examples
from tests.scoring.rule_sets import deposits, four_points, hkma, rule_sets

Four = tuple[int, int, int, int]

# Rules × points × deposits: enough tables that every rule meets ties of every kind.
many = examples(400)


lateness = st.sets(st.integers(0, 3)).map(tuple)


def expected_sum(points: Four, sticks: int, rules: Rules, late: tuple[int, ...] = ()) -> Fraction:
    """What the four scores sum to when nothing is dropped."""
    at_start = sum(number >= rules.start_points for seat, number in enumerate(points) if seat not in late)
    uma = (rules.floating_uma or {}).get(at_start, rules.uma)
    given_out = sticks if rules.leftover_sticks == "first" else 0
    return Fraction(sum(points) + given_out - 4 * rules.return_points, 100) + sum(uma) + rules.oka


@many
@given(rule_sets(), four_points, deposits)
def test_the_scores_sum_as_the_rule_set_says(rules, points, sticks):
    found = sum(seat.score for seat in settle(points, rules, sticks=sticks))

    if rules.split_remainder == "drop":
        # Place points of up to two tied groups, deposits and rounding: each drops at most 0.3 (four seats).
        assert 0 <= expected_sum(points, sticks, rules) - found <= 4 * 3
    else:
        assert found == expected_sum(points, sticks, rules)


@many
@given(rule_sets(), four_points, deposits, st.integers(0, 3), lateness, st.permutations(range(4)))
@example(hkma(), (35000, 35000, 35000, 14000), 1000, 3, (), (0, 1, 2, 3))
def test_the_fast_form_agrees_with_settle(rules, points, sticks, dealer, late, names):
    named = {} if rules.sashiuma is None else {seat: name for seat, name in enumerate(names) if seat != name}
    chips = (0, 0, 0, 0) if rules.chip_value is None else (dealer, -sticks, sticks, -dealer)
    ending = Ending(sticks, dealer, tuple(named.items()), chips, late)
    # What it has learnt of one table serves tables of the same order.
    for each in (points, [2 * number for number in points], [number + 300 for number in points]):
        table = settle(each, rules, sticks=sticks, last_dealer=dealer, sashiuma=named, chips=chips, late=late)
        assert settler(rules)(*each, ending) == (
            tuple(seat.place for seat in table),
            tuple(seat.score for seat in table),
        )


@many
@given(rule_sets(), four_points, deposits)
def test_more_points_never_rank_lower_and_equal_points_share_only_when_split(rules, points, sticks):
    table = sorted(settle(points, rules, sticks=sticks), key=lambda seat: seat.place)

    assert [seat.points for seat in table] == sorted(points, reverse=True)
    distinct = len(set(points)) if rules.tie_rule == "split" else 4
    assert len({seat.place for seat in table}) == distinct


@given(four_points, deposits, st.sampled_from(("first_dealer", "drop", "exact")))
def test_without_rounding_a_score_is_its_parts(points, sticks, remainder):
    for seat in settle(points, hkma(split_remainder=remainder), sticks=sticks):
        assert seat.score == (seat.points - 35000) // 100 + seat.uma + seat.oka + seat.sticks


@many
@given(rule_sets(), four_points, deposits, lateness)
def test_with_late_substitutes_a_table_sums_as_any_other(rules, points, sticks, late):
    found = sum(seat.score for seat in settle(points, rules, sticks=sticks, late=late))

    if rules.split_remainder == "drop":
        assert 0 <= expected_sum(points, sticks, rules, late) - found <= 4 * 3
    else:
        assert found == expected_sum(points, sticks, rules, late)


@many
@given(rule_sets(), four_points, deposits, st.integers(0, 3), st.integers(-300, 900))
def test_what_a_late_substitute_has_moves_no_place_point_of_the_others(rules, points, sticks, seat, hundreds):
    other = [100 * hundreds if wind == seat else number for wind, number in enumerate(points)]

    one, two = (settle(each, rules, sticks=sticks, late=(seat,)) for each in (points, other))

    assert one[seat].place == two[seat].place == 4
    assert [(s.place, s.uma, s.oka, s.sticks) for s in one] == [
        (s.place, s.uma, s.oka, s.sticks) for s in two
    ]
