"""Sentences about the rules of a division."""

import pytest
from django.utils.translation import override

from league.core.messages import in_language, rules_summary
from scoring.presets import resolve


@pytest.mark.parametrize(
    ("uma", "places"),
    [
        ([15, 5, -5, -15], "+15/+5/−5/−15"),
        ([7.5, 0, 0, -7.5], "+7.5/0/0/−7.5"),
    ],
)
def test_place_points_have_a_sign_and_a_tenth_only_if_there_is_one(uma, places):
    rules = resolve("ema-2016", {"uma": uma})
    assert rules_summary(rules) == f"30,000 / 30,000 · {places}"


@pytest.mark.parametrize(
    ("names", "language", "shown"),
    [
        ({"en": "Spring", "ja": "春", "zh-hant": "春季"}, "ja", "春"),
        ({"en": "Spring", "zh-hant": "春季"}, "zh-hans", "春季"),
        ({"en": "Spring", "zh-hant": "春季"}, "ja", "Spring"),
        ({"ja": "春"}, "en", "春"),
    ],
)
def test_a_name_is_in_the_language_of_its_reader_or_the_nearest_one(names, language, shown):
    with override(language):
        assert in_language(names) == shown
