from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.forms import KeyedForm, reason_field
from scoring.hand_codes import MOST_HONBA, first_deal


class NextHandForm(KeyedForm):
    hand = forms.CharField(max_length=12, widget=forms.HiddenInput)


class NameHandForm(KeyedForm):
    """The hand that a table plays. ``same``: the penalties of the unknown hand were given in it."""

    deal = forms.ChoiceField(label=pgettext_lazy("one deal", "Hand"))
    honba = forms.IntegerField(label=_("Honba"), min_value=0, max_value=MOST_HONBA, initial=0)
    same = forms.BooleanField(required=False)

    def __init__(self, *args, deals: list[tuple[str, str]], hand: str, **kwargs) -> None:
        deal, _dot, honba = first_deal(hand).partition(".")
        super().__init__(*args, **kwargs)
        self.initial = {"deal": deal, "honba": honba or 0}
        self.offer(deal=deals)

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {"hand": f"{data['deal']}.{data['honba']}", "same": data["same"]}


class DecisionForm(KeyedForm):
    """The chief referee's decision on a request. Declining needs a reason."""

    verdict = forms.ChoiceField(choices=[("approve", ""), ("decline", "")])
    reason = reason_field(label=_("Reason for declining"), required=False)
