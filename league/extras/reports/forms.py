import hashlib
from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.apart import Busy, TooHeavy, run_apart
from league.core.changes import Sent
from league.core.forms import CountryField, FieldsOf, KeyedForm, KeyedModelForm, from_model
from league.extras.reports.exports.certificates import CERTIFICATES, PAPERS
from league.extras.reports.exports.filling import FormProblem, Mark, try_form
from league.extras.reports.queries import KNOWN
from league.models import Competition, FederationForm

MEGABYTES, SECONDS = 512, 15  # of the process that reads a form
LARGEST = 2 * 1024 * 1024
_PROBLEMS = {
    "unknown": _("“%(name)s” in %(cell)s is not a known name. The list below has all names."),
    "formula": _(
        "“%(name)s” in %(cell)s is inside a formula, where nothing is filled in. Put the name in a cell of "
        "its own, and refer to that cell in the formula."
    ),
    "merged": _(
        "“%(name)s” in %(cell)s is in cells that are merged downwards, but each line takes one row. Merge "
        "cells within one row only."
    ),
    "single": _(
        "“%(name)s” in %(cell)s needs a row for each line. Headers, comments, titles and properties take "
        "names of the tournament only."
    ),
    "place": _(
        "“%(name)s” in %(cell)s is at a place where nothing is filled in. Put the name in a cell, a header, "
        "a comment or the title of a chart."
    ),
    "mixed": _("The row %(cell)s asks for players, tables or penalties together. Give each a row."),
    "none": _("No cell of this workbook has a name such as {{ tournament }}. Download the sample form."),
    "tall": _("The worksheet %(cell)s has too many rows. Delete the empty ones below the form."),
    "heavy": _("This workbook is too large when unpacked. Copy the form to a new one."),
    "broken": _("This file cannot be read. Save the form as an Excel workbook (.xlsx)."),
}


class FactsForm(KeyedModelForm):
    """The facts of a competition that reports need. The country is a name or a code of any kind."""

    class Meta(FieldsOf):
        model = Competition
        fields = ("short_name", "city", "country", "mers_weight")

    # A competition may be played abroad, so the label names the venue.
    country = CountryField(
        label=_("Country of the venue"),
        max_length=60,
        required=False,
        help_text=_("A name or a code, for example France or FR."),
    )

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"instance": competition})

    def propose_weight(self, weight: float) -> None:
        words = _("By days, players and countries it is %(weight)s. A qualification adds 1.")
        self.fields["mers_weight"].help_text = words % {"weight": weight}


class FileForm(KeyedForm):
    """A form with a file, which its submission identifies by content, because two may have one name."""

    def submission(self, *context: object) -> Sent:
        [file] = (each for each in self.cleaned_data.values() if isinstance(each, UploadedFile))
        file.seek(0)
        digest = hashlib.sha256(file.read()).hexdigest()
        file.seek(0)
        return super().submission(*context, digest)


class UploadForm(FileForm):
    """A workbook of a federation. After ``is_valid``, ``marks`` are its names and their cells."""

    name = from_model(FederationForm, "name")
    workbook = forms.FileField(
        label=_("Form of the federation"),
        help_text=_("An Excel workbook (.xlsx), at most 2 MB."),
        widget=forms.FileInput(attrs={"accept": ".xlsx"}),
    )

    content = b""
    marks: tuple[Mark, ...] = ()

    def clean_workbook(self) -> Any:
        file = self.cleaned_data["workbook"]
        if file.size > LARGEST:
            raise forms.ValidationError(_("This form is larger than 2 MB. Remove its pictures."))
        self.content = file.read()
        try:
            self.marks = tuple(run_apart(try_form, self.content, KNOWN, megabytes=MEGABYTES, seconds=SECONDS))
        except FormProblem as problem:
            words = _PROBLEMS[problem.code] % {"name": problem.name, "cell": problem.cell}
            raise forms.ValidationError(words) from problem
        except TooHeavy as error:
            raise forms.ValidationError(_PROBLEMS["heavy"]) from error
        except Busy as error:
            raise forms.ValidationError(
                _("The server is busy with other files. Send this one again in a minute.")
            ) from error
        return file


class LogoForm(FileForm):
    logo = forms.FileField(
        label=_("Logo"),
        help_text=_("PNG, JPEG or WebP, at most 2 MB."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )


class CertificatesForm(forms.Form):
    """Choose the papers in an address."""

    use_required_attribute = False

    paper = forms.ChoiceField(
        label=pgettext_lazy("certificates", "Paper"), choices=PAPERS.items(), initial=CERTIFICATES
    )
    of = forms.ChoiceField(label=pgettext_lazy("certificates", "For"))
    first = forms.IntegerField(
        label=pgettext_lazy("certificates", "Places"),
        min_value=1,
        max_value=9_999,
        required=False,
        help_text=_("Only the first places, for example 3. Empty for all."),
    )

    def __init__(self, *args: Any, choices: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["of"]).choices = choices
