"""What every form that writes has in common: a key for its submission, and text that can be seen."""

import uuid
from collections.abc import Callable

from django import forms

from league.core.changes import Form
from league.core.errors import AlreadyDone, Refused
from players.text import tidy, validate_visible


class KeyedForm(forms.Form):
    """A form that can be sent twice and saves once: its key is made with the page, unique in the database."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def submission(self, *context: object) -> Form:
        """This submission under its key: what was typed, and ``context`` (which object, which action)."""
        typed = {name: str(value) for name, value in self.cleaned_data.items() if name != "key"}
        return Form.of(self.cleaned_data["key"], type(self).__name__, typed, *context)


class TidyCharField(forms.CharField):
    """Text with one space between words; control characters are refused with a sentence."""

    default_validators = [*forms.CharField.default_validators, validate_visible]

    def to_python(self, value: object) -> str:
        return tidy(super().to_python(value) or "")


def attempt(form: forms.Form, write: Callable[[], object]) -> bool:
    """True when the write is done (now, or before by the same form); else the refusal is put on the form."""
    try:
        write()
    except AlreadyDone:
        return True
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return False
    return True
