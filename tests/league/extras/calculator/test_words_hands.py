"""Every code that a hand can speak in has words."""

import ast
from pathlib import Path

import pytest
from django.utils import translation

from league.extras.calculator import rules
from league.extras.calculator.rules import FU_PARTS as FU_PART_CODES
from league.extras.calculator.rules import GROUPS as GROUP_CODES
from league.extras.calculator.rules import NoWin, Situation, evaluate, parse_hand
from league.extras.calculator.rules.situation import CONTRADICTIONS
from league.extras.calculator.rules.tiles import HandError
from league.extras.calculator.words import (
    FU_PARTS,
    GROUPS,
    hand_problem,
)
from league.rules.rule_sets.words.yaku import LIMITS, YAKU, limit_name, yaku_name
from scoring.kinds import PAO_YAKU
from scoring.payments import LIMITS as LIMIT_CODES
from scoring.presets import resolve
from scoring.rules import LOCAL_YAKU
from scoring.yaku import DORA
from scoring.yaku import YAKU as REGISTRY


def test_every_yaku_has_a_name_and_every_name_a_yaku():
    assert set(YAKU) == {*REGISTRY, *DORA}
    assert [code for code in (*LOCAL_YAKU, *PAO_YAKU) if code not in YAKU] == []


def test_yaku_are_called_as_players_of_each_language_call_them():
    said = {}
    for language in ("en", "zh-hant", "zh-hans", "ja"):
        with translation.override(language):
            said[language] = [yaku_name(code) for code in ("menzen_tsumo", "tanyao", "kokushi", "ura_dora")]

    assert said == {
        "en": [
            "Menzen tsumo (closed self-draw)",
            "Tanyao (all simples)",
            "Kokushi (thirteen orphans)",
            "Ura dora",
        ],
        "zh-hant": ["門前清自摸和", "斷么九", "十三么九", "裏懸賞牌"],
        "zh-hans": ["门前清自摸和", "断幺九", "国士无双", "里宝牌"],
        "ja": ["門前清自摸和", "断么九", "国士無双", "裏ドラ"],
    }


@pytest.mark.parametrize("language", ["en", "zh-hant", "zh-hans", "ja"])
def test_no_two_yaku_have_the_same_name(language):
    with translation.override(language):
        names = [yaku_name(code) for code in YAKU]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_every_limit_has_a_name():
    assert tuple(LIMITS) == LIMIT_CODES
    assert [limit_name("yakuman", multiples) for multiples in (1, 2, 3, 4)] == [
        "Yakuman",
        "Double yakuman",
        "Triple yakuman",
        "4-fold yakuman",
    ]
    assert limit_name("counted_yakuman", 0) == "Kazoe yakuman"


def test_every_part_of_the_fu_has_words():
    assert tuple(FU_PARTS) == FU_PART_CODES
    assert len(set(map(str, FU_PARTS.values()))) == len(FU_PARTS)


def test_every_group_of_tiles_has_a_name():
    assert tuple(GROUPS) == GROUP_CODES
    assert len(set(map(str, GROUPS.values()))) == len(GROUPS)


# Typed texts that are not hands: (hand, winning tile, the sentences joined by a bar).
TYPED = [
    ("1" * 201, None, "A hand has at most 200 characters, not 201. Remove some."),
    ("12x3m", None,
     "“12” has no suit. Add m (characters), p (circles), s (bamboo) or z (honours). | “x” is not a "
     "tile. Enter numbers followed by m, p, s or z, as in 123m406p77z."),
    ("123mp", None, "“p” has no numbers before it. Enter them, as in 123p."),
    ("8z", None,
     "Tile 8z does not exist. Numbers go from 1 to 9, with 0 for a red five. Honours are " "1z to 7z."),
    ("123m(555z", None,
     "“(” has no matching bracket. Put each meld in brackets: (555z) when called, [1111z] for a "
     "closed kan, {9999p} for an added kan."),
    ("11m(124m)", None, "“124m” is not a meld (chi, pon, open kan). Correct the tiles or the brackets."),
    ("11m", "12m", "The winning tile is one tile such as 5p, not “12m”. Correct it."),
    ("123m456m789m11122p", "5s",
     "The winning tile 5 of bamboo is not in the closed tiles. Add it, or choose another winning "
     "tile."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "win", "sentences"), TYPED)
def test_the_sentences_for_a_text_that_is_not_a_hand_say_what_to_change(text, win, sentences):
    with pytest.raises(HandError) as refused:
        parse_hand(text, win)

    assert " | ".join(map(hand_problem, refused.value.problems)) == sentences


# A hand that cannot win: (hand, winning tile, facts with changes to the rules, the sentences).
NO_WIN = [
    ("234m456m22p789s[5555p]", "2m", {"tsumo": True},
     "5 of circles: only 3 non-red ones under these rules, not 4. Enter 0 for a red five."),
    ("22p(111z)(222z)(333z)(123p)(456p)", "2p", {}, "A hand has at most 4 melds, not 5. Remove some."),
    ("123m456m789m1112p", None, {}, "Choose the winning tile."),
    ("123m456m11p", "1p", {}, "14 tiles are needed besides the melds, not 9. Add or remove tiles."),
    ("1113m456m789m22p2m", "1m", {"dora": ("1m",)},
     "1 of characters: only four exist, but hand and indicators have 5. Remove some."),
    ("123m456m789m11p22p", "2p", {"chankan": "added"},
     "2 of circles: a robbed kan uses all four, so neither the hand nor the indicators can have "
     "another. Remove the others, or the robbed kan."),
    ("123m400p789m11p22p3s", "3s", {},
     "5 of circles, red: only 1 under these rules, but hand and indicators have 2. Enter 5 instead "
     "of 0."),
    ("123m456m789m11p22p", "2p", {"dora": ("1s", "2s", "3s", "4s", "5s", "6s")},
     "A hand can have at most 5 dora indicators, not 6. Remove some."),
    ("123m456m789m11p22p", "2p", {"riichi": 1, "dora": ("1s",), "ura": ("1s", "2s")},
     "A hand can have at most 1 ura dora indicators, not 2. Remove some."),
    ("123m456m22p789s(555p)", "1m", {"riichi": 1},
     "Riichi needs a closed hand. Remove the riichi, or the called melds."),
    ("234m456m22p789s555p", "2m", {"ippatsu": True},
     "Ippatsu needs riichi. Add the riichi, or remove ippatsu."),
    ("234m456m22p789s555p", "2m", {"ura": ("1m",)},
     "Ura dora need riichi. Add the riichi, or remove the ura dora."),
    ("234m456m22p789s[0555p]", "2m", {"rinshan": True},
     "Rinshan is a win by self-draw. Choose tsumo, or remove rinshan."),
    ("234m456m22p789s555p", "2m", {"rinshan": True, "tsumo": True},
     "Rinshan needs a kan in the hand. Add the kan, or remove rinshan."),
    ("234m456m22p789s[0555p]", "2m", {"rinshan": True, "tsumo": True, "riichi": 1, "ippatsu": True},
     "A kan ends ippatsu, so ippatsu and rinshan exclude each other. Remove one."),
    ("234m456m22p789s[0555p]", "2m", {"rinshan": True, "tsumo": True, "last_tile": True},
     "A replacement tile is not the last tile of the wall. Remove rinshan or the last tile."),
    ("235m456m22p789s555p", "3m", {"chankan": "added", "tsumo": True},
     "Robbing a kan is a win by ron. Choose ron, or remove the robbed kan."),
    ("234m456m22p789s555p", "3m", {"chankan": "added", "last_tile": True},
     "A kan cannot be declared after the last tile. Remove the robbed kan or the last tile."),
    ("234m456m22p789s555p", "3m", {"riichi_discard": True, "tsumo": True},
     "A discarded tile is won by ron. Choose ron, or remove the discard options."),
    ("234m456m22p789s555p", "3m", {"kan_discard": True, "chankan": "added"},
     "A tile cannot be both discarded and robbed from a kan. Remove one."),
    ("234m456m22p789s[0555p]", "3m", {"first_turn": True, "tsumo": True},
     "Melds are not possible in the first turn. Remove the first turn or the melds."),
    ("234m456m22p789s555p", "3m", {"first_turn": True, "riichi": 1, "tsumo": True},
     "Riichi before the win is not possible in the first turn. Remove the first turn or the riichi."),
    ("234m456m22p789s555p", "3m", {"first_turn": True, "last_tile": True, "tsumo": True},
     "The last tile cannot come in the first turn. Remove one of them."),
    ("234m456m22p789s555p", "3m", {"first_turn": True, "kan_discard": True},
     "A kan ends the first turn. Remove the first turn or the kan."),
    ("234m456m22p789s555p", "3m", {"first_turn": True, "seat_wind": 0},
     "The dealer draws first and cannot win by ron before that. Choose tsumo or another seat, or "
     "remove the first turn."),
    ("123m456m22p789s557p", "3m", {},
     "The hand is not complete. It needs four sets and a pair, seven pairs, or thirteen orphans. "
     "Correct the tiles."),
    ("234m456m22p789s555p", "3m", {"chankan": "concealed"},
     "Under these rules this hand cannot rob a closed kan. Choose an added kan, or remove the "
     "robbed kan."),
    ("123m456m22p789s(555p)", "3m", {}, "The hand is complete but has no yaku, so it cannot win."),
    ("234m456m22p678s(555p)", "3m", {"rules": {"open_tanyao": False}},
     "The hand is complete but has no yaku, so it cannot win. | Under these rules tanyao does not "
     "count in an open hand."),
    ("123123m22p789s(678p)", "3m", {},
     "The hand is complete but has no yaku, so it cannot win. | Iipeikou (one twin sequence) counts "
     "only in a closed hand."),
    ("123m456p22p789s(789m)", "3m", {"dora": ("1m",)},
     "The hand is complete but has no yaku, so it cannot win. | Dora (1 han) are not yaku."),
    ("123m22p(222z)(333z)(444z)", "3m", {"seat_wind": 0},
     "The hand is complete but has no yaku, so it cannot win. | Sanpuukou (three wind triplets) is "
     "not played under these rules."),
    ("123m22p789s(567p)(555z)", "3m", {"rules": {"atozuke": False}},
     "Under these rules the first call must belong to a yaku. This one does not: 5 of circles, 6 of "
     "circles, 7 of circles."),
    ("4455z(678p)(123s)(456m)", "5z", {"rules": {"atozuke": False}},
     "Under these rules every winning tile must give a yaku. These do not: North wind. | Under "
     "these rules the first call must belong to a yaku. This one does not: 6 of circles, 7 of "
     "circles, 8 of circles."),
]  # fmt: skip


def problems_of(text, win, facts):
    facts = {"seat_wind": 1, "round_wind": 0, "tsumo": False} | facts
    rules = resolve("hkma-a-2025-04", facts.pop("rules", {}))
    found = evaluate(parse_hand(text, win), Situation(**facts), rules)
    assert isinstance(found, NoWin), found
    return found.reasons


@pytest.mark.parametrize(("text", "win", "facts", "sentences"), NO_WIN)
def test_the_sentences_for_a_hand_that_cannot_win_say_why(text, win, facts, sentences):
    assert " | ".join(map(hand_problem, problems_of(text, win, facts))) == sentences


def test_every_reason_that_a_hand_can_have_has_an_example_here():
    spoken = {code for file in SOURCES for code in codes_in(file)} | set(CONTRADICTIONS)
    assert {"bracket", "tile_count", "only_dora", "kataagari", "riichi_open"} <= spoken  # finds some
    shown = {problem.code for text, win, facts, _ in NO_WIN for problem in problems_of(text, win, facts)}
    for text, win, _ in TYPED:
        with pytest.raises(HandError) as refused:
            parse_hand(text, win)
        shown |= {problem.code for problem in refused.value.problems}

    assert shown == spoken


SOURCES = [*Path(rules.__file__).parent.glob("*.py")]


def codes_in(file: Path) -> set[str]:
    """The literal codes of the problems that one file of `rules` makes."""
    calls = [
        node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    ]
    given = [call.args[0] for call in calls if getattr(call.func, "id", "") == "HandProblem"]
    return {arg.value for arg in given if isinstance(arg, ast.Constant)}
