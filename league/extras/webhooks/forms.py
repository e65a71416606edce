from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from league.core.forms import FieldsOf, KeyedModelForm
from league.models import Webhook


class WebhookForm(KeyedModelForm):
    class Meta(FieldsOf):
        model = Webhook
        fields = ("name", "kind", "address", "language", "on_rounds", "on_final", "on_penalties")
        field_classes: ClassVar = {"address": forms.CharField}
        widgets: ClassVar = {
            "kind": forms.Select,
            "address": forms.URLInput(attrs={"autocomplete": "off"}),
            "language": forms.Select,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(kind=Webhook.Kind.choices, language=settings.LANGUAGES)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not any(data.get(name) for name in ("on_rounds", "on_final", "on_penalties")):
            raise forms.ValidationError(_("Choose at least one event."))
        return data
