"""Forms of pages that take a list in two steps: the list, then how it was read, with each part to change."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.files.lists import read_list
from players.files import ENCODINGS, MAX_BYTES, MAX_TEXT, TOO_MUCH, Text

CHOSEN = ("sheet", "has_headings", "separator", "read_as")  # how a list is read
SEPARATOR_WORDS = {
    "tab": pgettext_lazy("between columns", "Tab"),
    "semicolon": pgettext_lazy("between columns", "Semicolon"),
    "comma": pgettext_lazy("between columns", "Comma"),
    "bar": pgettext_lazy("between columns", "Vertical bar"),
}


class ListTextField(forms.CharField):
    """A typed list. Blank lines stay, so that line numbers are true."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(strip=False, **kwargs)  # type: ignore[arg-type]

    def clean(self, value: object) -> str:
        text: str = super().clean(value)
        if len(text.encode()) > MAX_TEXT:
            raise ValidationError(TOO_MUCH)
        return text


class ListFields(forms.Form):
    """A list as pasted text or a file. ``MISSING``: the refusal of a form with neither, if it needs one."""

    MISSING: str | Promise = ""

    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        help_text=_("A workbook (.xlsx, .xls, .ods) or CSV, at most 5 MB and 10,000 rows."),
    )
    encoding = forms.ChoiceField(
        label=_("Character encoding of a CSV file"),
        required=False,
        choices=[("", _("Detect automatically")), *ENCODINGS.items()],
        help_text=_("Choose one if names look wrong."),
    )

    def clean_file(self) -> object:
        file = self.cleaned_data["file"]
        if file is not None and file.size > MAX_BYTES:
            raise ValidationError(_("This file is larger than 5 MB. Send only the columns that are needed."))
        return file

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        is_given = data.get("file") or str(data.get("text", "")).strip()
        if self.MISSING and not self.errors and not is_given:
            raise ValidationError(str(self.MISSING))
        return data

    def read(self) -> Text:
        """Return the list. Raises ``Unreadable``."""
        file = self.cleaned_data["file"]
        if file:
            return read_list(file.read(), encoding=self.cleaned_data["encoding"])
        return Text(self.cleaned_data["text"])


class ReadingFields(forms.Form):
    """The choices for reading a list. ``FIRST_ROW``: the name of a first row that holds no headings."""

    FIRST_ROW: str | Promise = ""

    picks = forms.TypedMultipleChoiceField(required=False)
    columns = forms.TypedMultipleChoiceField(required=False)
    sheet = forms.CharField(label=_("Worksheet"), required=False, widget=forms.Select)
    separator = forms.CharField(label=_("Columns are separated by"), required=False, widget=forms.Select)
    has_headings = forms.NullBooleanField(label=_("The first row"), required=False, initial="unknown")
    read_as = forms.ChoiceField(
        label=_("Character encoding"), required=False, choices=[("", "–"), *ENCODINGS.items()]
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        # What a tick says is checked against the plan, not against a list of choices.
        for name in ("picks", "columns"):
            self.fields[name].valid_value = lambda value: True  # type: ignore[attr-defined]
        self.fields["has_headings"].widget = forms.Select(
            choices=[
                ("unknown", _("Detect automatically")),
                ("true", _("holds the headings")),
                ("false", self.FIRST_ROW),
            ]
        )

    def offer_parts(self, sheet: str, sheets: Sequence[str], separators: Sequence[str]) -> None:
        """Offer the sheets of the workbook, of which ``sheet`` was read, or the separators of the text.

        The first separator is the one that was used.
        """
        self.fields["sheet"].widget.choices = [(name, name) for name in sheets]
        self.fields["separator"].widget.choices = [(key, SEPARATOR_WORDS[key]) for key in separators]
        self.initial["sheet"] = sheet
        self.initial["separator"] = next(iter(separators), "")

    def reading(self) -> dict[str, Any]:
        """Return the chosen sheet, separator and row of headings."""
        if not self.is_bound:
            return {}
        has_headings = forms.NullBooleanField().to_python(self.data.get("has_headings"))
        chosen = {name: self.data.get(name, "") for name in ("sheet", "separator")}
        return {**chosen, "has_headings": has_headings}

    @property
    def shown(self) -> str:
        """Return the values of ``CHOSEN`` on this page, which the form sends back as ``shown``."""
        return "|".join(str(self[name].value() or "") for name in CHOSEN)


def choices_of_columns(
    columns: Sequence[tuple[str, str]], words: Mapping[str, str | Promise]
) -> list[tuple[str, list[tuple[str, str | Promise, bool]]]]:
    """Return for each column (heading, field) its heading and its choices: value, words, chosen."""
    return [(title, [(key, word, key == field) for key, word in words.items()]) for title, field in columns]


def as_chosen(request: HttpRequest, *, forget: Sequence[str] = ()) -> QueryDict:
    """Return what was sent, read in the chosen encoding, or as it is with a message if that fails.

    Another encoding, sheet, separator or row of headings has other columns. What was said of them is
    forgotten, with the fields ``forget``.
    """
    sent = request.POST
    before = dict(zip(CHOSEN, sent.get("shown", "").rsplit("|", len(CHOSEN) - 1), strict=False))
    if all(sent.get(name, value) == value for name, value in before.items()):
        return sent
    data = sent.copy()
    for name in ("columns", "picks", *forget):
        data.pop(name, None)
    former, chosen = before.get("read_as", ""), sent.get("read_as", "")
    if former != chosen and {former, chosen} <= ENCODINGS.keys():
        try:
            data["text"] = sent.get("text", "").encode(former).decode(chosen)
        except UnicodeError:
            messages.error(request, gettext("The text is not in this encoding. Choose another one."))
            return sent
    return data
