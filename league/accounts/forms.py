"""Forms of accounts."""

from typing import Any

from django import forms

from league.core.forms import KeyedForm


class AllowSignInForm(KeyedForm):
    """Which pause ends: that of a name, or that of an address."""

    name = forms.CharField(required=False, max_length=150, widget=forms.HiddenInput)
    address = forms.GenericIPAddressField(required=False, widget=forms.HiddenInput)

    def values(self) -> dict[str, Any]:
        return super().values() | {"address": self.cleaned_data["address"] or None}
