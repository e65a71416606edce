"""Forms of a registration: its settings, the public form, a person's own entry, the organizer's notes."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, SignatureExpired, TimestampSigner
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.forms import (
    CountryField,
    DespiteFields,
    FieldsOf,
    KeyedForm,
    KeyedModelForm,
    ZonedForm,
    changes_field,
    choice_of,
    from_model,
)
from league.core.zones import last_day_of_registrations, zone_of
from league.extras.registration.imports import read_numbers
from league.models import KnownNumber, Registrant, Registration
from league.organizing.roster.queries import describe, words_of_changes
from players.files import Unreadable
from players.matching import Facts, Match, exact_key
from players.text import validate_visible

NEW_PERSON = 0
SECONDS = 3  # a person takes longer to fill in the form
LASTS = 24 * 3600
STAMP = TimestampSigner(salt="league.registration.form")
ACTIONS = [
    ("accept", pgettext_lazy("registration", "Accept")),
    ("decline", pgettext_lazy("registration", "Decline")),
    ("wait", _("Move to the waiting list")),
    ("withdraw", pgettext_lazy("registration", "Withdraw")),
]
Asked = Registration.Asked


class LinesField(forms.CharField):
    """Text of several lines. Control characters are refused."""

    def clean(self, value: object) -> str:
        text = "\n".join(line.rstrip() for line in super().clean(value).splitlines())
        for line in text.splitlines():
            validate_visible(line)
        return text


class SettingsForm(ZonedForm, KeyedModelForm):
    class Meta(FieldsOf):
        model = Registration
        fields = (
            *("opens_at", "closes_at", "places", "has_waiting_list", "is_moderated"),
            *("club", "country", "number", "phone", "question"),
            *("fee", "payment", "shows_registrants", "terms", "privacy", "kept_until", "languages"),
        )
        field_classes: ClassVar = dict.fromkeys(("payment", "terms", "privacy"), LinesField)
        widgets: ClassVar = {
            **dict.fromkeys(("club", "country", "number", "phone"), forms.Select),
            **dict.fromkeys(("payment", "privacy"), forms.Textarea(attrs={"rows": 4})),
            "terms": forms.Textarea(attrs={"rows": 6}),
        }

    is_moderated = choice_of(
        from_model(Registration, "is_moderated"),
        [("0", _("first come, first served")), ("1", _("the organizer accepts each registration"))],
        coerce=lambda typed: typed == "1",
        required=True,
        widget=forms.RadioSelect,
    )
    languages = forms.MultipleChoiceField(
        label=_("Languages of emails"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, *args: Any, registration: Registration, **kwargs: Any) -> None:
        zone = zone_of(registration.competition)
        initial: dict[str, Any] = {}
        for name in ("opens_at", "closes_at"):
            # Naive, because Django would write an aware time in the server's time zone.
            if moment := getattr(registration, name):
                initial[name] = moment.astimezone(zone).replace(tzinfo=None)
        initial["is_moderated"] = int(registration.is_moderated)
        initial["kept_until"] = registration.kept_until or last_day_of_registrations(registration.competition)
        initial["languages"] = registration.languages or [code for code, _name in settings.LANGUAGES]
        super().__init__(*args, **kwargs | {"instance": registration, "initial": initial, "zone": zone})
        self.offer(languages=settings.LANGUAGES)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        opens, closes, until = (data.get(name) for name in ("opens_at", "closes_at", "kept_until"))
        if opens and closes and closes <= opens:
            self.add_error("closes_at", _("Registration must close after it opens."))
        if closes and until and until < closes.astimezone(self.zone).date():
            self.add_error("kept_until", _("Keep the registrations until registration has closed."))
        return data


class NumbersForm(KeyedForm):
    file = forms.FileField(
        label=_("List of EMA numbers"),
        help_text=_(
            "CSV or Excel with the headings “EMA number”, “Last name”, “First name”, “Country”. It replaces "
            "the list before."
        ),
    )

    def clean_file(self) -> list[KnownNumber]:
        try:
            return read_numbers(self.cleaned_data["file"].read())
        except Unreadable as error:
            raise ValidationError(str(error)) from error

    def values(self) -> dict[str, Any]:
        return {"numbers": self.cleaned_data["file"]}


class EntryFields(KeyedModelForm):
    """The fields of an entry, without the mail address."""

    class Meta(FieldsOf):
        model = Registrant
        fields: Sequence[str] = (
            *("name", "romanized", "country", "club", "number", "phone", "answer", "language"),
        )
        widgets: ClassVar = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "phone": forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
            "email": forms.EmailInput(attrs={"autocomplete": "email"}),
        }

    country = CountryField()
    language = choice_of(from_model(Registrant, "language"))

    def __init__(self, *args: Any, registration: Registration, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("country", "club", "number", "phone"):
            asked = getattr(registration, name)
            self.fields[name].required = asked == Asked.REQUIRED
            if asked == Asked.NO:
                del self.fields[name]
        self.fields["answer"].label = registration.question
        if not registration.question:
            del self.fields["answer"]
        names = dict(settings.LANGUAGES)
        codes = [code for code in names if code in registration.languages] or list(names)
        self.offer(language=[(code, names[code]) for code in codes])
        self.fields["language"].initial = here if (here := get_language()) in codes else codes[0]
        if len(codes) == 1:
            self.fields["language"].widget = forms.HiddenInput()

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not exact_key(name):
            raise ValidationError(_("The name is missing."))
        return name


class EntryForm(EntryFields):
    """The public form. A program fills in the hidden field, or sends the form at once."""

    class Meta(EntryFields.Meta):
        fields = (*EntryFields.Meta.fields, "email")

    agrees = forms.BooleanField(
        label=_("I agree to the terms and to the use of my data"),
        error_messages={"required": _("Tick this box, then register.")},
    )
    website = forms.CharField(
        label=_("Leave this field empty"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )
    shown = forms.CharField(widget=forms.HiddenInput, initial=lambda: STAMP.sign(""))

    field_order = ("name", "romanized", "email")

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise ValidationError(_("A program seems to have filled in this form. Leave this field empty."))
        return ""

    def clean_shown(self) -> str:
        typed = self.cleaned_data["shown"]
        try:
            STAMP.unsign(typed, max_age=LASTS)
        except BadSignature:
            raise ValidationError(_("This page was out of date. Reload it and submit again.")) from None
        with suppress(SignatureExpired):
            STAMP.unsign(typed, max_age=SECONDS)
            self.add_error(None, _("That was very quick. Check your details and send the form again."))
        return ""

    def values(self) -> dict[str, Any]:
        extra = ("agrees", "website", "shown")
        return {name: value for name, value in super().values().items() if name not in extra}


class DecideForm(KeyedForm):
    action = forms.ChoiceField(choices=ACTIONS)
    registrants = forms.TypedMultipleChoiceField(
        coerce=int, error_messages={"required": _("Choose at least one registration.")}
    )

    def __init__(self, *args: Any, registrants: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(registrants=[(pk, pk) for pk in registrants])


class PaymentForm(KeyedModelForm):
    class Meta(FieldsOf):
        model = Registrant
        fields = ("paid_on", "paid", "note")


class WhoForm(DespiteFields, KeyedForm):
    """The choice of the player whom an entry means."""

    same_as = forms.TypedChoiceField(
        label=_("Player"), coerce=lambda typed: int(typed) or None, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, matches: Sequence[Match], said: Facts, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.matches = matches
        if words := words_of_changes(matches, said):
            self.fields["changes"] = changes_field(words)
        known = [(match.person.pk, describe(match.person)) for match in matches]
        self.offer(same_as=[*known, (NEW_PERSON, _("New person"))])
