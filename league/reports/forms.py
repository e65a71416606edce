import hashlib
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.core.apart import Busy, TooHeavy, run_apart
from league.core.changes import Form
from league.core.forms import KeyedForm, TidyCharField
from league.models import Competition
from league.reports.exports.certificates import CERTIFICATES, PAPERS
from league.reports.exports.filling import FormProblem, Mark, try_form
from league.reports.words import KNOWN, form_problem
from players.countries import country_code

MEGABYTES, SECONDS = 512, 15  # of the process that reads a form
LARGEST = 2 * 1024 * 1024
FACTS = ("short_name", "city", "country", "mers_weight")


class FactsForm(KeyedForm):
    """The facts of a competition that reports need. The country is a name or a code of any kind."""

    short_name = TidyCharField(label=gettext_lazy("Short name"), max_length=40, required=False)
    city = TidyCharField(label=gettext_lazy("City"), max_length=60, required=False)
    country = TidyCharField(
        label=gettext_lazy("Country of the venue"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("A name or a code, for example France or FR."),
    )
    mers_weight = forms.DecimalField(
        label=gettext_lazy("MERS weight"), min_value=0, max_digits=3, decimal_places=1, required=False
    )

    def __init__(self, *args: Any, competition: Competition, weight: float | None, **kwargs: Any) -> None:
        initial = {name: getattr(competition, name) for name in FACTS}
        super().__init__(*args, **kwargs | {"initial": initial})
        if weight is not None:
            words = _("By days, players and countries it is %(weight)s. A qualification adds 1.")
            self.fields["mers_weight"].help_text = words % {"weight": weight}

    def clean_country(self) -> str:
        typed = self.cleaned_data["country"]
        found = country_code(typed) if typed else ""
        if found is None:
            raise forms.ValidationError(_("This country is not known. Enter a name or code, such as France."))
        return found


class UploadForm(KeyedForm):
    """A workbook of a federation. After ``is_valid``, ``marks`` are its names and their cells."""

    name = TidyCharField(
        label=gettext_lazy("Name"),
        max_length=60,
        help_text=gettext_lazy("A form with the same name is replaced."),
    )
    workbook = forms.FileField(
        label=gettext_lazy("Form of the federation"),
        help_text=gettext_lazy("An Excel workbook (.xlsx), at most 2 MB."),
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
            words = form_problem(problem.code, problem.name, problem.cell)
            raise forms.ValidationError(words) from problem
        except TooHeavy as error:
            raise forms.ValidationError(form_problem("heavy", "", "")) from error
        except Busy as error:
            raise forms.ValidationError(
                _("The server is busy with other files. Send this one again in a minute.")
            ) from error
        return file

    def submission(self, *context: object) -> Form:
        """Identify an upload by its content, not by its file name."""
        digest = hashlib.sha256(self.content).hexdigest()
        name = self.cleaned_data["name"]
        return Form.of(self.cleaned_data["key"], type(self).__name__, name, digest, *context)


class LogoForm(KeyedForm):
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        help_text=gettext_lazy("PNG, JPEG or WebP, at most 2 MB."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )

    def submission(self, *context: object) -> Form:
        """Identify an upload by its content, not by its file name."""
        file = self.cleaned_data["logo"]
        digest = hashlib.file_digest(file.file, "sha256").hexdigest()
        file.seek(0)
        return Form.of(self.cleaned_data["key"], type(self).__name__, digest, *context)


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
        help_text=gettext_lazy("Only the first places, for example 3. Empty for all."),
    )

    def __init__(self, *args: Any, choices: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["of"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
