from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.models import Webhook


class WebhookForm(KeyedForm):
    name = TidyCharField(label=_("Name"), max_length=60, help_text=_("For you, for example “Club Discord”."))
    kind = forms.ChoiceField(label=_("Receiver"), choices=Webhook.Kind.choices)
    address = forms.CharField(
        label=_("Webhook address"),
        max_length=1000,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        help_text=_("The receiver gives it to you. Anyone who knows it can post there, so do not share it."),
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    on_rounds = forms.BooleanField(label=_("Published rounds"), required=False)
    on_final = forms.BooleanField(label=_("Final standings"), required=False)
    on_penalties = forms.BooleanField(label=_("Penalties that visitors can read"), required=False)

    def clean(self) -> dict[str, object]:
        found = super().clean() or {}
        if not any(found.get(name) for name in ("on_rounds", "on_final", "on_penalties")):
            raise forms.ValidationError(_("Choose at least one event."))
        return found
