"""What holds for every hand, situation and rule set."""

from dataclasses import replace
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.yaku import Yaku as LibraryYaku
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld as LibraryMeld

from league.extras.calculator.rules import (
    ADDED,
    ADDED_KAN,
    CHI,
    CLOSED_KAN,
    CONCEALED,
    FU_PARTS,
    GROUPS,
    KANS,
    MELDS,
    OPEN_KAN,
    PON,
    HandError,
    HandProblem,
    Meld,
    NoWin,
    Situation,
    TileHand,
    Valued,
    evaluate,
    parse_hand,
)
from league.extras.calculator.rules.tiles import INDEX, KINDS, TILES, in_order
from scoring.rules import LOCAL_YAKU, SETTINGS, Rules
from scoring.yaku import DORA, YAKU
from tests.examples import examples
from tests.league.extras.calculator.rules.winning import tenhou

# Hands, situations and rule sets: enough that every yaku but the rarest comes up.
many = examples(200)

HAND_SETTINGS = [
    name
    for name, setting in SETTINGS.items()
    if setting.group == "hand" and setting.kind in ("yes_no", "choice") and name != "kuikae"
]
# Strategies are made once: making and checking them takes longer than drawing from them.
_CHANGES = st.fixed_dictionaries(
    {
        **{
            name: st.sampled_from(SETTINGS[name].choices) if SETTINGS[name].choices else st.booleans()
            for name in HAND_SETTINGS
        },
        "local_yaku": st.sampled_from([[], list(LOCAL_YAKU)]),
    }
)


def _rules(changes: dict[str, Any]) -> Rules:
    """Any settings of a hand's value; the rest is Tenhou's."""
    ura = changes["kan_ura_dora"] and changes["kan_dora"] and changes["ura_dora"]
    return tenhou(**changes | {"kan_ura_dora": ura})


rule_sets = _CHANGES.map(_rules)


ORPHANS = [*(f"{number}{suit}" for suit in "mps" for number in "19"), *KINDS[27:]]
_SHAPES = st.sampled_from(("sets", "sets", "sets", "sets", "pairs", "orphans"))
_SUITS = st.sampled_from(("m", "mz", "ps", "mps", "mpsz"))
_SETS = st.sampled_from(("sequence", "sequence", "triplet", *MELDS))
_ORPHAN, _KIND = st.sampled_from(ORPHANS), st.sampled_from(KINDS)
_POOLS = {suits: [tile for tile in KINDS if tile[1] in suits] for suits in ("m", "mz", "ps", "mps", "mpsz")}
_TILES = {suits: st.sampled_from(pool) for suits, pool in _POOLS.items()}
_FIRSTS = {
    suits: st.sampled_from([tile for tile in pool if tile[1] != "z" and tile[0] < "8"])
    for suits, pool in _POOLS.items()
}
_SEVEN = {suits: st.lists(tiles, min_size=7, max_size=7, unique=True) for suits, tiles in _TILES.items()}


@st.composite
def complete_hands(draw: st.DrawFn) -> TileHand:
    """Four sets and a pair, seven pairs or thirteen orphans, often of few suits, some tiles melded, some
    fives red.
    """
    shape = draw(_SHAPES)
    suits = draw(_SUITS)
    melds: list[Meld] = []
    if shape == "orphans":
        closed = [*ORPHANS, draw(_ORPHAN)]
    elif shape == "pairs":
        kinds = draw(_SEVEN[suits])
        closed = [kind for kind in kinds for _ in range(2)]
    else:
        closed = [draw(_TILES[suits])] * 2
        for _ in range(4):
            kind, tiles = sets(draw, suits)
            if kind in MELDS:
                melds.append(Meld(kind, tuple(_with_red(draw, tiles))))
            else:
                closed += tiles
    closed = _with_red(draw, closed)
    win = closed.pop(draw(st.integers(0, len(closed) - 1)))
    return TileHand(tuple(closed), tuple(melds), win)


def sets(draw: st.DrawFn, suits: str) -> tuple[str, list[str]]:
    """A set and whether it is closed (a sequence, a triplet) or what meld it is."""
    kind = draw(_SETS)
    if kind in ("sequence", CHI):
        first = INDEX[draw(_FIRSTS[suits])]
        return kind, list(KINDS[first : first + 3])
    return kind, [draw(_TILES[suits])] * (4 if kind in KANS else 3)


def _with_red(draw: st.DrawFn, tiles: list[str]) -> list[str]:
    five = next((place for place, tile in enumerate(tiles) if tile[0] == "5" and tile[1] in "mps"), None)
    if five is None or not draw(st.booleans()):
        return list(tiles)
    return [f"0{tile[1]}" if place == five else tile for place, tile in enumerate(tiles)]


any_hands = st.builds(
    TileHand,
    st.lists(st.sampled_from(TILES), max_size=16).map(tuple),
    st.lists(st.sampled_from([Meld(PON, ("1z",) * 3), Meld(CHI, ("1m", "2m", "3m"))]), max_size=5).map(tuple),
    st.none() | st.sampled_from(TILES),
)

indicators = st.lists(st.sampled_from(TILES), max_size=6).map(tuple)
situations = st.builds(
    Situation,
    seat_wind=st.integers(0, 3),
    round_wind=st.integers(0, 3),
    tsumo=st.booleans(),
    riichi=st.integers(0, 2),
    ippatsu=st.booleans(),
    last_tile=st.booleans(),
    rinshan=st.booleans(),
    chankan=st.sampled_from((None, None, None, ADDED, CONCEALED)),
    first_turn=st.booleans(),
    dora=indicators,
    ura=indicators,
    riichi_discard=st.booleans(),
    kan_discard=st.booleans(),
    dealer_wins=st.integers(0, 9),
)
_SPECIAL = st.sampled_from(("", "", "last_tile", "rinshan", "first_turn", "ippatsu"))
_DORA = st.lists(_KIND, min_size=1, max_size=2).map(tuple)
_URA = st.lists(_KIND, max_size=1).map(tuple)


def possible_situations(draw: st.DrawFn, hand: TileHand) -> Situation:
    """Facts that can be together, so that most hands win."""
    tsumo = draw(st.booleans())
    riichi = draw(st.integers(0, 2)) if hand.is_closed else 0
    kan = any(meld.kind in KANS for meld in hand.melds)
    special = draw(_SPECIAL)
    seat_wind = draw(st.integers(0, 3))
    return Situation(
        seat_wind=seat_wind,
        round_wind=draw(st.integers(0, 3)),
        tsumo=tsumo,
        riichi=riichi,
        ippatsu=special == "ippatsu" and riichi > 0,
        last_tile=special == "last_tile",
        rinshan=special == "rinshan" and tsumo and kan,
        first_turn=special == "first_turn" and not (riichi or hand.melds) and (tsumo or seat_wind > 0),
        dora=draw(_DORA),
        ura=draw(_URA) if riichi else (),
    )


@st.composite
def wins(draw: st.DrawFn) -> tuple[TileHand, Situation]:
    hand = draw(complete_hands())
    return hand, possible_situations(draw, hand)


# Total


def hand_or_problems(text: str, win: str | None) -> tuple[TileHand | HandProblem, ...]:
    try:
        return (parse_hand(text, win),)
    except HandError as error:
        return error.problems


typed = st.text(st.sampled_from("0123456789mpsz()[]{} ")) | st.text()


@many
@given(typed, st.none() | typed)
def test_any_text_is_a_hand_or_says_why_not(text, win):
    found = hand_or_problems(text, win)

    assert found
    assert {type(each) for each in found} in ({TileHand}, {HandProblem})


@many
@given(any_hands | complete_hands(), situations, rule_sets)
def test_any_hand_wins_or_says_why_not(hand, situation, rules):
    value = evaluate(hand, situation, rules)

    if isinstance(value, NoWin):
        assert value.reasons
    else:
        assert value.readings


@many
@given(wins(), rule_sets)
def test_a_reading_adds_up(win, rules):
    hand, situation = win
    value = evaluate(hand, situation, rules)
    assume(isinstance(value, Valued))
    assert isinstance(value, Valued)

    for reading in value.readings:
        assert in_order(tile for group in reading.groups for tile in group.tiles) == in_order(hand.tiles)
        assert [group.won for group in reading.groups].count(True) == 1
        assert {group.kind for group in reading.groups} <= set(GROUPS)
        assert {part.code for part in reading.fu_parts} <= set(FU_PARTS)
        assert {each.code for each in reading.yaku} <= {*YAKU, *DORA}
        assert sum(each.han for each in reading.yaku) == reading.han
        if reading.value.yakuman:
            assert {bool(each.yakuman) for each in reading.yaku} == {True}
        elif reading.fu_parts and reading.fu_parts[0].code != "seven_pairs":
            assert -(-sum(part.fu for part in reading.fu_parts) // 10) * 10 == reading.fu
    assert [reading.value.base for reading in value.readings] == sorted(
        (reading.value.base for reading in value.readings), reverse=True
    )


@many
@given(complete_hands())
def test_what_is_written_is_read_again(hand):
    assert parse_hand(str(hand), hand.win) == hand


# Order


@many
@given(wins(), rule_sets, st.randoms(use_true_random=False))
def test_the_order_of_facts_never_matters(win, rules, chance):
    """Of the indicators the first is the dora and the others are those of kans, whose order does not
    matter; sakizuke asks for the order of the calls.
    """
    hand, situation = win
    free = replace(rules, atozuke=True)
    closed, melds, later = list(hand.closed), list(hand.melds), list(situation.dora[1:])
    for shuffled in (closed, melds, later):
        chance.shuffle(shuffled)
    other = TileHand(tuple(closed), tuple(melds), hand.win)
    facts = replace(situation, dora=(*situation.dora[:1], *later))

    assert value_of(evaluate(other, facts, free)) == value_of(evaluate(hand, situation, free))
    assert value_of(evaluate(TileHand(tuple(closed), hand.melds, hand.win), facts, rules)) == value_of(
        evaluate(hand, situation, rules)
    )


def value_of(found: Valued | NoWin) -> object:
    if isinstance(found, NoWin):
        return {reason.code for reason in found.reasons}
    return [(reading.value, reading.yaku, reading.han, reading.fu) for reading in found.readings]


# Beside the library's own valuation

LIBRARY = {
    **{"menzen_tsumo": "tsumo", "double_riichi": "daburu_riichi", "sanshoku_doujun": "sanshoku"},
    **{"chanta": "chantai", "honroutou": "honroto", "sanshoku_doukou": "sanshoku_douko"},
    **{"shousangen": "shosangen", "renhou": "renhou_yakuman", "kokushi_13": "daburu_kokushi"},
    **{"chuuren": "chuuren_poutou", "junsei_chuuren": "daburu_chuuren_poutou"},
    **{"shousuushii": "shosuushi", "daisuushii": "daisuushi", "ryuuiisou": "ryuisou"},
    **{"tsuuiisou": "tsuisou", "chinroutou": "chinroto"},
}


def library_id(code: str) -> int:
    name = LIBRARY.get(code, code.replace("round_", "round_wind_").replace("seat_", "seat_wind_"))
    yaku: LibraryYaku = getattr(YakuConfig(), name)
    return yaku.yaku_id


IDS = {library_id(code): code for code in (*YAKU, *DORA) if code not in LOCAL_YAKU}
LIBRARY_MELDS = {
    CHI: LibraryMeld.CHI,
    PON: LibraryMeld.PON,
    OPEN_KAN: LibraryMeld.KAN,
    CLOSED_KAN: LibraryMeld.KAN,
    ADDED_KAN: LibraryMeld.SHOUMINKAN,
}


class Numbers:
    """Numbers of single tiles as the library has them: four of a kind, of the fives the first is red."""

    def __init__(self) -> None:
        self.taken: set[int] = set()

    def of(self, tiles: tuple[str, ...]) -> list[int]:
        return [self._one(tile) for tile in tiles]

    def _one(self, tile: str) -> int:
        first = INDEX[tile] * 4
        if tile[0] == "0":
            wanted = [first]
        else:
            plain = tile[0] == "5" and tile[1] in "mps"
            wanted = [number for number in range(first + plain, first + 4)] + [first] * plain
        number = next(number for number in wanted if number not in self.taken)
        self.taken.add(number)
        return number


def library_value(hand: TileHand, facts: Situation, rules: Rules) -> tuple[dict[str, int], int, int] | None:
    """Yaku with their han, han and fu of the library's own best reading; None for no win."""
    numbers = Numbers()
    assert hand.win is not None
    win = numbers.of((hand.win,))[0]
    closed = numbers.of(hand.closed)
    melds = [LibraryMeld(LIBRARY_MELDS[meld.kind], numbers.of(meld.tiles), meld.open) for meld in hand.melds]
    config = HandConfig(
        is_tsumo=facts.tsumo,
        is_riichi=facts.riichi == 1,
        is_daburu_riichi=facts.riichi == 2,
        is_ippatsu=facts.ippatsu,
        is_rinshan=facts.rinshan,
        is_haitei=facts.last_tile and facts.tsumo,
        is_houtei=facts.last_tile and not facts.tsumo,
        is_tenhou=facts.first_turn and facts.tsumo and facts.dealer,
        is_chiihou=facts.first_turn and facts.tsumo and not facts.dealer,
        is_renhou=facts.first_turn and not facts.tsumo,
        player_wind=27 + facts.seat_wind,
        round_wind=27 + facts.round_wind,
        options=OptionalRules(
            has_open_tanyao=rules.open_tanyao,
            has_aka_dora=rules.red_fives > 0,
            has_double_yakuman=rules.double_yakuman,
            renhou_as_yakuman=True,
            limit_to_sextuple_yakuman=False,
        ),
    )
    found = HandCalculator.estimate_hand_value(
        [win, *closed, *(number for meld in melds for number in meld.tiles)],
        win,
        melds=melds,
        dora_indicators=[INDEX[tile] * 4 for tile in facts.dora],
        ura_dora_indicators=[INDEX[tile] * 4 for tile in facts.ura],
        config=config,
    )
    if found.error:
        assert found.error in (HandCalculator.ERR_NO_YAKU, HandCalculator.ERR_HAND_NOT_WINNING)
        return None
    counted: list[LibraryYaku] = found.yaku or []
    opened = not hand.is_closed
    yaku = {IDS[each.yaku_id]: (each.han_open if opened else each.han_closed) or 0 for each in counted}
    return yaku, found.han or 0, found.fu or 0


@examples(500)
@given(wins(), st.booleans(), st.booleans())
def test_the_best_reading_is_the_librarys_under_the_rules_that_it_knows(win, open_tanyao, double_yakuman):
    hand, facts = win
    rules = tenhou(open_tanyao=open_tanyao, double_yakuman=double_yakuman, renhou="yakuman", red_fives=3)
    value = evaluate(hand, facts, rules)
    if isinstance(value, NoWin):
        assume(
            {reason.code for reason in value.reasons}
            <= {"not_complete", "no_yaku", "only_dora", "open_tanyao", "closed_only", "yaku_not_played"}
        )
        assert library_value(hand, facts, rules) is None
        return

    found = {each.code: each.han or 13 * each.yakuman for each in value.best.yaku}
    expected = library_value(hand, facts, rules)
    assert expected is not None
    if value.best.value.yakuman:
        assert found == expected[0]
    else:
        assert (found, value.best.han, value.best.fu) == expected
