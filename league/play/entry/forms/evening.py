"""Attendance, table fees and guests of an evening."""

import re
import unicodedata
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import FieldsOf, KeyedForm, KeyedModelForm, TidyCharField
from league.models import Evening


class AmountField(forms.DecimalField):
    """An amount of money as a Decimal, or None: "8", "8.50", "8,50", "1,000" and "1.000,50"."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "maxlength": "20"})
    _AMOUNT = re.compile(
        r"(?P<whole>[1-9][0-9]{0,2}(?:[.,’' ][0-9]{3})+|[0-9]+)(?:[.,](?P<cents>[0-9]{1,2}))?", re.ASCII
    )

    def to_python(self, value: object) -> Any:
        text = unicodedata.normalize("NFKC", str(value or "")).strip()
        if not text:
            return None
        typed = self._AMOUNT.fullmatch(text)
        amount = Decimal(-1)
        if typed:
            amount = Decimal(f"{re.sub('[^0-9]', '', typed['whole'])}.{typed['cents'] or 0}")
        if not 0 <= amount < 10**6:
            raise forms.ValidationError(gettext("Enter an amount below one million, for example 8.50."))
        return amount

    def prepare_value(self, value: object) -> Any:
        """Write an amount as typed: 50, 12.50."""
        return str(value).removesuffix(".00") if isinstance(value, Decimal) else value


class PresenceForm(KeyedForm):
    entrant = forms.IntegerField(widget=forms.HiddenInput)
    act = forms.ChoiceField(choices=[(act, act) for act in ("come", "leave", "pay", "owe")])
    pays = forms.BooleanField(required=False, widget=forms.HiddenInput)


class FeeForm(KeyedModelForm):
    class Meta(FieldsOf):
        model = Evening
        fields = ("fee", "guest_fee")
        field_classes: ClassVar = {"fee": AmountField, "guest_fee": AmountField}


class GuestForm(KeyedForm):
    name = TidyCharField(
        label=_("Name of the guest"), max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
