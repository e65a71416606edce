from typing import Any

from django import forms

from league.core.forms import KeyedForm, from_model
from league.models import Channel


def _from_script(name: str) -> Any:
    return from_model(Channel, name, form_class=forms.CharField, required=True, widget=forms.HiddenInput)


class BrowserForm(KeyedForm):
    """The subscription that a browser made, in fields that the script fills."""

    endpoint = _from_script("address")
    p256dh = _from_script("p256dh")
    auth = _from_script("auth")
