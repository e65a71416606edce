from django import forms

from league.core.forms import KeyedForm


class BrowserForm(KeyedForm):
    """The subscription that a browser made, in fields that the script fills."""

    endpoint = forms.CharField(max_length=1000, widget=forms.HiddenInput)
    p256dh = forms.CharField(max_length=100, widget=forms.HiddenInput)
    auth = forms.CharField(max_length=40, widget=forms.HiddenInput)
