import datetime
import uuid
from collections.abc import Callable, Iterable
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.core.text import clauses
from league.core.zones import LAST_YEAR
from league.models.names import GivenName
from players.countries import country_code
from players.text import tidy, validate_visible
from scoring.units import parse_score


class KeyedForm(forms.Form):
    """A form that saves once even if it is sent twice: its key is unique in the database."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def offer(self, **choices: Iterable[tuple[Any, Any]]) -> None:
        """Set the choices of these fields: (value, words), or (heading, group)."""
        for name, options in choices.items():
            cast(forms.ChoiceField, self.fields[name]).choices = list(options)

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "key"}

    def submission(self, *context: object) -> Sent:
        """Return the submission under its key, with the typed values and `context` (object, action)."""
        typed = {name: str(value) for name, value in self.cleaned_data.items() if name != "key"}
        return Sent.of(self.cleaned_data["key"], type(self).__name__, typed, *context)


class DateWidget(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class TidyCharField(forms.CharField):
    """Text with one space between words. Control characters are refused."""

    default_validators = [*forms.CharField.default_validators, validate_visible]

    def to_python(self, value: object) -> str:
        return tidy(super().to_python(value) or "")


class CountryField(TidyCharField):
    """A country in any common spelling, converted to the alpha-2 code."""

    def __init__(self, **options: Any) -> None:
        words = {
            "label": _("Country"),
            "help_text": _("Two-letter code or name, for example HK or Japan."),
        }
        super().__init__(**{"max_length": 80, **words, **options})

    def clean(self, value: object) -> str:
        text = super().clean(value)
        code = country_code(text) if text else ""
        if code is None:
            raise ValidationError(
                _("Unknown country. Enter the two-letter code, for example HK or JP."), code="country"
            )
        return code


def field_of(field: models.Field[Any, Any], **options: Any) -> forms.Field | None:
    """Return the form field for a model's field, with its label, help, choices, limits and validators."""
    if field.choices:
        options = {"widget": forms.RadioSelect} | options
    elif isinstance(field, models.DateTimeField):
        options = {"form_class": MomentField} | options
    elif isinstance(field, models.DateField):
        options = {"widget": DateWidget, "validators": [check_year]} | options
    elif type(field) in {models.CharField, models.TextField, GivenName}:
        options = {"form_class": TidyCharField} | options
    _name, _path, _args, arguments = field.deconstruct()
    own = arguments.get("validators", [])
    for limit in own:
        if isinstance(limit, MinValueValidator):
            options.setdefault("min_value", limit.limit_value)
        elif isinstance(limit, MaxValueValidator):
            options.setdefault("max_value", limit.limit_value)
        elif isinstance(limit, MaxLengthValidator):
            options.setdefault("max_length", limit.limit_value)
    shown = field.formfield(**options)
    if shown is not None:
        shown.validators += [validator for validator in own if validator not in shown.validators]
    return shown


def from_model(model: type[models.Model], name: str, **options: Any) -> Any:
    """Return the form field for this field of a model, for a form that is not of one model alone."""
    return field_of(model._meta.get_field(name), **options)  # type: ignore[arg-type]


def choice_of(
    field: forms.Field,
    choices: Iterable[tuple[Any, Any]] = (),
    *,
    coerce: Callable[[str], Any] = str,
    **options: Any,
) -> forms.TypedChoiceField:
    """Return the field as a choice between values that the model does not list."""
    said = {"label": field.label, "help_text": field.help_text, "required": field.required}
    return forms.TypedChoiceField(choices=list(choices), coerce=coerce, **said | options)


class FieldsOf:
    """The base of ``Meta``: ``model`` and the names of its ``fields`` on the form."""

    formfield_callback = staticmethod(field_of)


class KeyedModelForm(KeyedForm, forms.ModelForm[Any]):
    """A form with fields of a model, whose values ``instance`` gives. Services write: it has no ``save``."""

    save = None  # type: ignore[assignment]

    def _post_clean(self) -> None:
        """Leave the row at hand as it is."""


def reason_field(
    help_text: Any = "", *, label: Any = None, needed: Any = None, required: bool = True
) -> TidyCharField:
    """Return the field for a reason. `needed`: the sentence if it is missing."""
    return TidyCharField(
        label=label or _("Reason"),
        max_length=300,
        required=required,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=help_text,
        error_messages={"required": needed} if needed else None,
    )


def number_field(
    label: Any, least: int, most: int, *, help_text: Any = "", initial: int | None = None
) -> forms.IntegerField:
    """Return an optional field for a whole number."""
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=most,
        help_text=help_text,
        initial=initial,
    )


def tick_field(label: Any) -> forms.BooleanField:
    """Return a checkbox that an address holds as 1."""
    return forms.BooleanField(label=label, required=False, widget=forms.CheckboxInput(attrs={"value": "1"}))


def buttons_field(label: Any, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    """Return an optional choice by a row of buttons, which `calculator/_buttons.html` renders."""
    widget = forms.RadioSelect(attrs={"class": "btn-check"})
    return forms.ChoiceField(choices=list(choices), label=label, widget=widget, required=False)


def attempt(form: forms.Form, write: Callable[[], object]) -> bool:
    """Return whether the write is done, now or by the same form before, or add its refusal to the form."""
    try:
        write()
    except AlreadyDone:
        return True
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return False
    return True


class DespiteFields(KeyedForm):
    despite = forms.BooleanField(label=_("Allow to play despite the ban"), required=False)
    despite_reason = reason_field(label=_("Reason"), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        ticked = data.get("despite")
        if ticked and not data.get("despite_reason") and "despite_reason" not in self.errors:
            self.add_error("despite_reason", gettext("Give a reason for allowing players despite the ban."))
        return data

    def values(self) -> dict[str, Any]:
        typed = super().values() | {"despite": self.in_spite}
        return {name: value for name, value in typed.items() if name != "despite_reason"}

    @property
    def in_spite(self) -> str:
        return self.cleaned_data["despite_reason"] if self.cleaned_data.get("despite") else ""


class ReinstateForm(DespiteFields, KeyedForm):
    pass


def changes_field(changes: Iterable[str]) -> forms.BooleanField:
    """Return the tick to change a known person's record, with what would change for each person."""
    return forms.BooleanField(
        label=_("Change the record of the chosen player"), required=False, help_text=clauses(changes)
    )


MOST = 10_000  # tenths: 1,000.0; beyond that someone typed points instead of score


class TenthsField(forms.CharField):
    """A score with one decimal at most, as tenths. None if it is optional and empty."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"})
        super().__init__(max_length=12, widget=widget, **options)

    def clean(self, value: object) -> Any:
        text = super().clean(value).strip()
        if not text:
            return None
        try:
            tenths = parse_score(text)
        except ValueError:
            raise ValidationError(
                _("Enter a score with at most one decimal, for example -30 or 0.")
            ) from None
        if abs(tenths) > MOST:
            raise ValidationError(
                _("Enter a score, not points: -30 for −30,000 points. The maximum is 1,000.")
            )
        return tenths


def check_year(day: datetime.date) -> None:
    if not 2000 <= day.year <= LAST_YEAR:
        raise ValidationError(_("Check the year."))


def date_field(label: Any, *, required: bool = True, help_text: Any = "") -> forms.DateField:
    return forms.DateField(
        label=label, required=required, widget=DateWidget, help_text=help_text, validators=[check_year]
    )


MOMENT = "%Y-%m-%dT%H:%M"


class ZonedForm(KeyedForm):
    """A form whose times are in this time zone."""

    def __init__(self, *args: Any, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone

    def full_clean(self) -> None:
        with timezone.override(self.zone):
            super().full_clean()


class MomentField(forms.DateTimeField):
    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "300"}, format=MOMENT)
        super().__init__(widget=widget, input_formats=[MOMENT, "%Y-%m-%d %H:%M"], **options)

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except ValidationError as refused:
            if getattr(refused, "code", "") != "ambiguous_timezone" or not refused.params:
                raise
            raise _hour_of_change(refused.params["datetime"], refused.params["current_timezone"]) from None

    def clean(self, value: object) -> Any:
        moment = super().clean(value)
        if moment is not None:
            check_year(moment.date())
        return moment


def _hour_of_change(moment: datetime.datetime, zone: datetime.tzinfo) -> ValidationError:
    """Return the refusal of a time in the hour that clocks skip or repeat."""
    there = moment.replace(tzinfo=zone).astimezone(datetime.UTC).astimezone(zone)
    if there.replace(tzinfo=None) != moment:
        return ValidationError(
            _("This time does not exist: clocks go forward in that night. Choose an earlier or a later one.")
        )
    return ValidationError(
        _("This time comes twice: clocks go back in that night. Choose an earlier or a later one.")
    )


def check_days(form: forms.Form) -> None:
    """Add an error if the last day comes before the first day, or without one."""
    first, last = (form.cleaned_data.get(name) for name in ("first_day", "last_day"))
    if last and not first and "first_day" not in form.errors:
        form.add_error("first_day", gettext("Enter the first day, too."))
    if first and last and last < first:
        form.add_error("last_day", gettext("The last day must not be before the first day."))


class RevokeForm(KeyedForm):
    reason = reason_field(label=_("Reason for revoking"), needed=_("Give a reason for revoking the penalty."))
