from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rankings import AVERAGE, BEST, GAMES, POINTS, RUN, TAKES_NUMBER, TOTAL, Ranking

MOST_RANKINGS = 4  # side by side
USUAL = 10


class RankingForm(forms.Form):
    by = forms.ChoiceField(
        label=_("Ranked by"),
        choices=[
            (TOTAL, _("total")),
            (AVERAGE, _("average")),
            (BEST, _("best games")),
            (RUN, _("best games in a row")),
            (GAMES, _("most games")),
            (POINTS, _("highest points in one game")),
        ],
    )
    number = forms.IntegerField(
        label=_("Number of games"),
        help_text=_("Minimum number of games; for best games, the number that counts."),
        required=False,
        min_value=0,
        max_value=10_000,
    )
    period = forms.ChoiceField(label=_("Period"), required=False)
    guests = forms.BooleanField(
        label=_("Rank guests"),
        required=False,
        help_text=_("Otherwise guests are listed below without a rank."),
    )

    def __init__(self, *args: Any, periods: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["period"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("all time")), *periods]

    def ranking(self) -> Ranking:
        kind, number = self.cleaned_data["by"], self.cleaned_data["number"]
        if kind in {BEST, RUN}:
            number = number or USUAL
        return Ranking(kind, (number or 0) if kind in TAKES_NUMBER else 0)
