from django import forms
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField


class CallForm(KeyedForm):
    note = TidyCharField(label=_("Subject"), max_length=200, required=False)


class TakeForm(KeyedForm):
    seen = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)


class StartClockForm(KeyedForm):
    again = forms.BooleanField(required=False, widget=forms.HiddenInput)
