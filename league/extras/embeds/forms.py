from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.forms import number_field
from league.extras.embeds.frames import AUTO, DARK, LIGHT, MOST_ROWS


class EmbedForm(forms.Form):
    """The choices for a framed page. ``show`` is the part of its address after ``embed/``."""

    show = forms.ChoiceField(label=pgettext_lazy("embed", "Show"))
    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[
            (AUTO, pgettext_lazy("theme", "as the reader’s device")),
            (LIGHT, pgettext_lazy("theme", "light")),
            (DARK, pgettext_lazy("theme", "dark")),
        ],
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=[("", _("the reader’s")), *settings.LANGUAGES], required=False
    )
    rows = number_field(_("Number of rows"), 1, MOST_ROWS)

    def __init__(self, *args: Any, parts: Iterable[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["show"].choices = parts  # type: ignore[attr-defined]

    @property
    def query(self) -> dict[str, str]:
        """Return the parameters of the framed page, without those that say nothing."""
        found = {name: str(self.cleaned_data.get(name) or "") for name in ("theme", "language", "rows")}
        return {name: value for name, value in found.items() if value and value != AUTO}
