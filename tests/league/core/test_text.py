"""Words put together in code take the marks of the reader's language."""

import pytest
from django.utils.translation import override

from league.core.messages import sheet_problem
from league.core.text import clauses, listed, sentences, spans
from league.rules.penalty_rules.words.rulings import level_name
from scoring.checks import SheetProblem


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("a, b, c", "a; b", "One. Two.")),
        ("ja", ("a、b、c", "a、b", "One.Two.")),
        ("zh-hant", ("a、b、c", "a；b", "One.Two.")),
        ("zh-hans", ("a、b、c", "a；b", "One.Two.")),
    ],
)
def test_joints(language, expected):
    with override(language):
        assert (listed(["a", "b", "c"]), clauses(["a", "b"]), sentences(["One.", "Two."])) == expected


def test_several_levels_at_once_are_added_in_the_reader_s_language():
    assert level_name("5, 4, 4") == "level 5 + 2 × level 4"
    with override("ja"):
        assert level_name("5, 4, 4") == "5級 + 4級×2"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "1,000 missing: the four scores sum to 119,000, not 120,000. Is a riichi stick left "
            "on the table?",
        ),
        (
            "zh-hant",
            "欠1,000點：四家合計119,000，應為120,000。桌上是否有一支立直棒？",
        ),
    ],
)
def test_the_hint_at_a_riichi_stick_follows_its_sentence_as_the_language_writes_it(language, expected):
    params = {"missing": 1_000, "sum": 119_000, "sticks": 0, "total": 120_000, "deposits": 1}
    with override(language):
        assert sheet_problem(SheetProblem("sum_short", "error", None, params)) == expected


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [([1], ["1"]), ([3, 1, 2], ["1–3"]), ([1, 2, 5, 7, 8], ["1–2", "5", "7–8"]), ([], [])],
)
def test_neighbours_are_joined(numbers, texts):
    assert spans(numbers) == texts
