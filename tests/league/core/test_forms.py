"""Form fields that say what the model's fields say."""

from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.utils import timezone

from league.core.forms import FieldsOf, KeyedModelForm, MomentField, TidyCharField, from_model
from league.models import Appointment, Competition, Registration, Stage


class SomeSettings(KeyedModelForm):
    class Meta(FieldsOf):
        model = Competition
        fields = ("place", "objection_minutes", "visibility")


def _refused(name: str, typed: str) -> bool:
    typed_form = SomeSettings({name: typed}, instance=Competition(visibility="public"))
    return name in typed_form.errors


def test_a_field_has_the_label_the_help_and_the_choices_of_the_model():
    shown = SomeSettings(instance=Competition(objection_minutes=45))

    assert shown.fields["place"].label == "Venue"
    assert shown.fields["objection_minutes"].help_text.startswith("Players of a table can object")
    assert list(shown.fields["visibility"].choices) == Competition.Visibility.choices
    assert shown["objection_minutes"].value() == 45


def test_a_field_refuses_what_the_model_refuses():
    assert [_refused("objection_minutes", typed) for typed in ("-1", "0", "10080", "10081")] == [
        *(True, False, False, True)
    ]
    assert _refused("place", "x" * 121)
    assert _refused("place", "a\u0007b")
    assert _refused("visibility", "secret")


def test_the_browser_knows_the_limit_of_a_length():
    terms = from_model(Registration, "terms")

    assert terms.max_length == 5000
    with pytest.raises(forms.ValidationError):
        terms.clean("x" * 5001)


def test_a_form_leaves_the_row_as_it_is_and_saves_nothing():
    row = Competition(place="Old")
    typed = SomeSettings({"place": " New   hall ", "objection_minutes": "1"}, instance=row)

    typed.full_clean()

    assert (typed.cleaned_data["place"], row.place, typed.save) == ("New hall", "Old", None)


def test_other_forms_take_single_fields():
    day = from_model(Competition, "first_day", help_text="")

    assert (day.label, day.help_text, day.required) == ("First day", "", False)
    assert isinstance(day.widget, forms.DateInput)
    assert isinstance(from_model(Stage, "name"), TidyCharField)
    assert isinstance(from_model(Appointment, "meets_at"), MomentField)


@pytest.mark.parametrize(
    ("moment", "sentence"),
    [
        ("2026-03-29T02:30", "This time does not exist: clocks go forward"),
        ("2026-10-25T02:30", "This time comes twice: clocks go back"),
    ],
)
def test_a_time_in_the_hour_of_a_change_of_clocks_is_refused_with_the_reason(moment, sentence):
    with timezone.override(ZoneInfo("Europe/Berlin")), pytest.raises(forms.ValidationError) as refused:
        MomentField().clean(moment)

    assert refused.value.messages[0].startswith(sentence)


def test_other_refusals_of_a_time_stay():
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert MomentField().clean("2026-03-29T03:30").hour == 3
        with pytest.raises(forms.ValidationError, match="valid date/time"):
            MomentField().clean("tomorrow")
