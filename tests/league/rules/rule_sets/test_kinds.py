"""Every setting as form fields: what is filled in is read back, and what people type is understood."""

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

import scoring.kinds
from league.rules.rule_sets.forms.rule_set import Filled, RulesForm
from league.rules.rule_sets.kinds import (
    KINDS,
    WholeField,
    fields_of,
    initial_of,
    names_of,
    read_setting,
)
from league.rules.rule_sets.readings import same_value
from scoring.presets import preset, presets, resolve
from scoring.rules import SETTINGS, Rules

SLUGS = [each.slug for each in presets()]


def browser(form: RulesForm) -> QueryDict:
    """Return the data that a browser would send of this form, untouched."""
    data = QueryDict(mutable=True)
    for name, field in form.fields.items():
        value = form.initial.get(name, field.initial)
        value = value() if callable(value) else value
        if value is True:
            data[name] = "on"
        elif value is not None and value is not False:
            data.setlist(name, [str(each) for each in value] if isinstance(value, list) else [str(value)])
    return data


def filled(slug: str) -> Filled:
    return Filled(resolve(slug).as_values(), preset(slug))


def test_every_kind_of_setting_has_fields():
    assert set(KINDS) == set(scoring.kinds.KINDS)
    names = [name for setting in SETTINGS for name in names_of(setting)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_form_sent_as_it_was_made_says_what_the_preset_says(slug):
    form = RulesForm(browser(RulesForm(filled=filled(slug))), filled=filled(slug))
    assert form.is_valid(), form.errors
    assert Rules.from_values(form.settings()) == resolve(slug)
    assert [group["code"] for group in form.groups if group["changed"]] == []
    assert form.followed == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chombo", "reverse_mangan"),
        ("chombo", {"each": 3000}),
        ("chombo", {"each": 3000, "score": -20}),
        ("chombo", {"reverse_mangan": True, "score": -20}),
        ("chombo", -20.5),
        ("floating_uma", {"1": [12, -1, -3, -8], "2": [8, 4, -4, -8]}),
        ("floating_uma", None),
        ("oka", "auto"),
        ("sashiuma", None),
        ("sashiuma", 5.5),
        ("minutes", None),
        ("red_fives", 4),
        ("local_yaku", ["kanfuri", "uumensai"]),
        ("local_yaku", []),
        ("uma", [7.5, 2.5, -2.5, -7.5]),
        (
            "pao",
            {
                "yaku": ["daisangen"],
                "tsumo": "liable",
                "ron": "liable",
                "honba": "liable",
                "composite": "whole",
                "several": "first",
            },
        ),
    ],
)
def test_every_value_comes_back_as_it_was_filled_in(name, value):
    parts = initial_of(name, value)
    cleaned = {full: field.clean(parts[full]) for full, field in fields_of(name).items()}
    assert SETTINGS[name].parse(read_setting(name, cleaned)) == SETTINGS[name].parse(value)


@pytest.mark.parametrize(
    ("typed", "number"),
    [("30000", 30000), ("30,000", 30000), ("３００００", 30000), (" 30 000 ", 30000), ("−5", -5), ("", None)],
)
def test_whole_numbers_are_read_as_people_write_them(typed, number):
    assert WholeField(required=False).clean(typed) == number


@pytest.mark.parametrize("typed", ["lots", "1e5", "3.5", "9" * 400, "٣", "--1", "0x10", "1\x002"])
def test_text_that_is_not_a_whole_number_is_refused(typed):
    with pytest.raises(ValidationError, match="whole number"):
        WholeField(required=False).clean(typed)


def test_settings_left_empty_are_counted_once_and_marked_unless_they_may_be():
    data = browser(RulesForm(filled=filled("tenhou")))
    for name in ("honba", "minutes", "chombo", "chombo_each", "uma"):
        data[name] = "each" if name == "chombo" else ""
    form = RulesForm(data, filled=filled("tenhou"))
    assert not form.is_valid()
    assert form.errors == {
        "honba": ["Enter a value."],
        "chombo": ["Enter a value."],
        "uma": ["Enter a value."],
        "__all__": ["3 settings have no value. They are marked below."],
    }


def test_settings_that_contradict_each_other_say_so_at_the_one_to_change():
    data = browser(RulesForm(filled=filled("hkma-a-2025-04")))
    data["oka"] = "0"
    form = RulesForm(data, filled=filled("hkma-a-2025-04"))
    assert not form.is_valid()
    assert list(form.errors) == ["uma"]
    assert "-20.0" in form.errors["uma"][0].replace("−", "-")
    assert form.line("oka")["changed"]
    assert form.line("oka")["preset_value"] == "+20.0"
    marked = {group["code"]: (group["problems"], group["changed"]) for group in form.groups}
    assert {code: counts for code, counts in marked.items() if any(counts)} == {"settlement": (1, 1)}


def test_a_broken_setting_does_not_hide_what_is_wrong_with_others():
    data = browser(RulesForm(filled=filled("hkma-a-2025-04")))
    data["start_points"], data["extension"] = "many", "full_wind"
    form = RulesForm(data, filled=filled("hkma-a-2025-04"))
    assert not form.is_valid()
    assert set(form.errors) == {"start_points", "target_points"}


# --- texts that contradict each other


def asking(about: str) -> int:
    """The number of HKMA's contradiction about this setting."""
    conflicts = preset("hkma-a-2025-04").conflicts
    return next(index for index, each in enumerate(conflicts) if about in each.settings)


def hkma(**typed: str) -> RulesForm:
    data = browser(RulesForm(filled=filled("hkma-a-2025-04")))
    for name, value in typed.items():
        data[name] = value
    return RulesForm(data, filled=filled("hkma-a-2025-04"))


def test_another_text_brings_its_values_along():
    index = asking("kiriage_mangan")
    form = hkma(**{f"reading_{index}": "2"})
    assert form.is_valid(), form.errors
    assert form.settings() == {**resolve("hkma-a-2025-04").as_values(), "kiriage_mangan": False}
    assert form.chosen_texts() == {**filled("hkma-a-2025-04").followed_texts, index: 2}
    assert (form.followed, form.data[f"shown_{index}"]) == (("kiriage_mangan",), "2")


def test_place_points_come_with_the_oka_and_the_return_that_they_need():
    index = asking("uma")
    form = hkma(**{f"reading_{index}": "2"})
    assert form.is_valid(), form.errors
    changed = {
        n: v for n, v in form.settings().items() if not same_value(n, v, filled("hkma-a-2025-04").values[n])
    }
    assert changed == {"uma": [45, 15, -20, -40], "oka": 0, "return_points": 30000}


def test_what_the_organizer_typed_otherwise_stays_under_another_text():
    index = asking("uma")
    form = hkma(**{f"reading_{index}": "2", "uma": "40 20 -20 -40"})
    assert form.is_valid(), form.errors
    assert form.settings()["uma"] == [40, 20, -20, -40]
    assert (form.settings()["oka"], form.settings()["return_points"]) == (0, 30000)


def test_going_back_to_the_first_text_brings_its_values_back():
    index = asking("uma")
    there = hkma(**{f"reading_{index}": "2"})
    data = there.data.copy()
    data[f"reading_{index}"] = "1"
    form = RulesForm(data, filled=filled("hkma-a-2025-04"))
    assert form.is_valid(), form.errors
    assert Rules.from_values(form.settings()) == resolve("hkma-a-2025-04")
    assert form.chosen_texts() == filled("hkma-a-2025-04").followed_texts


@given(
    st.dictionaries(
        st.sampled_from([name for setting in SETTINGS for name in names_of(setting)]),
        st.lists(st.text(max_size=30), max_size=3),
        max_size=6,
    ),
    st.dictionaries(st.integers(0, 7), st.sampled_from(["1", "2", "", "x"]), max_size=4),
)
def test_no_text_breaks_the_form_and_what_is_valid_is_a_rule_set(typed, texts):
    data = browser(RulesForm(filled=filled("hkma-b-2025-04")))
    for name, values in typed.items():
        data.setlist(name, values)
    for index, value in texts.items():
        data[f"reading_{index}"] = value
    form = RulesForm(data, filled=filled("hkma-b-2025-04"))
    if form.is_valid():
        assert Rules.from_values(form.settings()).as_values()
    assert len(form.groups) == 7
    assert len(form.questions) == len(preset("hkma-b-2025-04").conflicts)
