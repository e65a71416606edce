"""Words put together: what stands between them."""

import pytest
from django.utils import translation

from league.joints import clauses, listed, sentences
from league.offences import level_name


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def test_words_are_joined_as_english_writes_them():
    assert (listed(["a", "b", 3]), clauses(["a, b", "c"]), sentences(["One.", "Two.", "Three."])) == (
        "a, b, 3",
        "a, b; c",
        "One. Two. Three.",
    )


def test_nothing_stands_beside_a_single_word_and_nothing_for_none():
    assert [(join(["a"]), join([])) for join in (listed, clauses, sentences)] == [("a", "")] * 3


def test_words_may_look_like_placeholders():
    assert listed(["100%", "%(after)s", "%s"]) == "100%, %(after)s, %s"


def test_several_levels_are_one_list():
    assert [level_name(kept) for kept in ("5, 4, 4", "4+", "")] == ["level 5, 4, 4", "level 4+", ""]
