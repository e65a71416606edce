"""Words put together in code take the marks of the reader's language."""

import pytest
from django.utils.translation import override

from league.joints import clauses, listed, sentences
from league.offences import level_name


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


def test_several_levels_at_once_are_listed_in_the_reader_s_language():
    with override("ja"):
        assert level_name("5, 4, 4") == "5、4、4級"
