"""Numbers and marks as people read them, in four languages."""

from fractions import Fraction

import pytest
from django import forms
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import resolve
from django.utils.translation import override

from league.core import tags as umaoka
from league.core.extras import pages_below

LANGUAGES = ("en", "zh-hant", "zh-hans", "ja")


def in_every_language(write, value):
    written = []
    for language in LANGUAGES:
        with override(language):
            written.append(write(value))
    return written


@pytest.mark.parametrize(
    ("tenths", "english", "others"),
    [
        (540, "+54.0", "+54.0"),
        (-200, "−20.0", "▲20.0"),
        (0, "0.0", "0.0"),
        (1, "+0.1", "+0.1"),
        (-12345, "−1234.5", "▲1234.5"),
        (Fraction(400, 3), "+13.3", "+13.3"),
        (Fraction(-400, 3), "−13.3", "▲13.3"),
        (Fraction(-1, 3), "0.0", "0.0"),
        (None, "–", "–"),
    ],
)
def test_a_score_always_shows_its_sign_as_score_sheets_do(tenths, english, others):
    assert in_every_language(umaoka.score, tenths) == [english, others, others, others]


@pytest.mark.parametrize(
    ("points", "english", "others"),
    [
        (28700, "28,700", "28,700"),
        (-1200, "−1,200", "▲1,200"),
        (0, "0", "0"),
        (900, "900", "900"),
        (None, "–", "–"),
    ],
)
def test_points_are_grouped_and_show_a_sign_only_when_negative(points, english, others):
    assert in_every_language(umaoka.points, points) == [english, others, others, others]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(37, 16), "2.31"),
        (Fraction(5, 2), "2.50"),
        (Fraction(2001, 1000), "2.00"),
        (Fraction(401, 200), "2.01"),
        (Fraction(1999, 1000), "2.00"),
        (3, "3.00"),
        (Fraction(-1, 2), "−0.50"),
        (None, "–"),
    ],
)
def test_an_average_has_two_decimals_and_its_half_goes_away_from_zero(value, text):
    assert umaoka.average(value) == text


@pytest.mark.parametrize(
    ("tenths", "classes"),
    [
        (-1, "score score-minus"),
        (0, "score"),
        (1, "score score-plus"),
        (Fraction(-1, 3), "score"),
        (None, "score"),
    ],
)
def test_only_what_is_shown_with_a_sign_is_coloured(tenths, classes):
    assert umaoka.score_class(tenths) == classes


def test_a_wind_is_its_character_with_a_word_for_those_who_cannot_read_it():
    with override("en"):
        assert [umaoka.wind(seat) for seat in range(4)] == [
            f'<span class="wind wind-{seat}" role="img" aria-label="{word}" title="{word}">{character}</span>'
            for seat, (character, word) in enumerate(
                [("東", "East"), ("南", "South"), ("西", "West"), ("北", "North")]
            )
        ]


def test_winds_are_in_simplified_characters_for_readers_of_them():
    with override("zh-hans"):
        assert 'aria-label="东家" title="东家">东</span>' in umaoka.wind(0)
    with override("zh-hant"):
        assert 'aria-label="東家" title="東家">東</span>' in umaoka.wind(0)


def test_a_place_is_a_number_in_a_shape_of_its_own():
    with override("en"):
        assert umaoka.place(1) == (
            '<span class="place place-1" role="img" aria-label="1st place" title="1st place">1</span>'
        )
    assert umaoka.place(None) == "–"


@pytest.mark.parametrize("value", [0, 5, -1])
def test_there_is_no_fifth_place(value):
    with pytest.raises(ValueError, match="no such place"):
        umaoka.place(value)


def test_the_filters_work_in_a_template():
    template = Template("{% load umaoka %}{{ a|score }} {{ b|points }} {{ c|average }} {{ d|wind_word }}")
    with override("en"):
        said = template.render(Context({"a": -5, "b": 25000, "c": Fraction(5, 3), "d": 2}))
    assert said == "−0.5 25,000 1.67 West"


class NameForm(forms.Form):
    name = forms.CharField(
        label="Name", help_text="In its own script.", widget=forms.TextInput(attrs={"class": "name"})
    )
    club = forms.ChoiceField(label="Club", choices=[("a", "A")], required=False)
    agreed = forms.BooleanField(label="Agreed")
    wind = forms.ChoiceField(label="Wind", choices=[("e", "East"), ("s", "South")], widget=forms.RadioSelect)


def field_html(form, name):
    with override("en"):
        return render_to_string("core/_field.html", {"field": form[name]})


def test_a_field_ties_label_help_and_errors_to_its_input():
    html = field_html(NameForm({"name": "", "club": "", "wind": "e"}), "name")

    assert '<label class="form-label" for="id_name">' in html
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html
    assert 'class="name form-control is-invalid"' in html
    assert '<div class="form-text" id="id_name_helptext">In its own script.</div>' in html
    assert '<ul class="field-errors" id="id_name_error">' in html
    assert "This field is required." in html


def test_a_field_that_may_stay_empty_says_so():
    html = field_html(NameForm(), "club")

    assert "(optional)" in html
    assert 'class="form-select"' in html
    assert "(optional)" not in field_html(NameForm(), "name")


def test_every_choice_of_a_list_has_its_own_label():
    html = field_html(NameForm(), "wind")

    assert html.count('<label class="choice"') == 2
    assert 'for="id_wind_0"' in html
    assert 'id="id_wind_1"' in html


def test_a_checkbox_comes_before_its_label():
    html = field_html(NameForm(), "agreed")

    assert html.index('class="form-check-input"') < html.index("Agreed</label>")


def test_text_of_a_person_never_becomes_markup():
    html = field_html(NameForm({"name": '"><script>alert(1)</script>'}), "name")

    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_a_link_is_marked_on_its_page_and_below_it_except_on_pages_of_other_links():
    request = RequestFactory().get("/c/spring/manage/settings/")
    request.resolver_match = resolve(request.path)
    context = {"request": request}
    assert umaoka.current_below(context, "/c/spring/manage/") == 'aria-current="page"'
    assert umaoka.current_below(context, "/c/spring/rounds/") == ""
    assert umaoka.current_below(context, "/c/spring/manage/", "competitions:settings") == ""


@pytest.mark.with_extra("statistics")
def test_a_tab_is_marked_on_its_pages_and_on_those_of_extras_below_it():
    request = RequestFactory().get("/c/spring/rounds/")
    request.resolver_match = resolve(request.path)
    here, context = request.resolver_match.view_name, {"request": request}
    assert umaoka.current(context, "standings:players", here) == 'aria-current="page"'
    assert umaoka.current(context, "standings:players", tab="players") == ""
    request.resolver_match.view_name = pages_below("players")[0]
    assert umaoka.current(context, "standings:players", tab="players") == 'aria-current="page"'
