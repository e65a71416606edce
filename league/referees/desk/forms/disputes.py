import hashlib
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.changes import Form
from league.core.forms import KeyedForm, TidyCharField
from league.models import Table
from league.play.disputes.photographs import MOST_BYTES
from league.play.disputes.procedure import CLOSABLE, INTERNAL, NEEDED, RULING
from league.play.disputes.words import ACTIONS, MISSING
from league.play.hands.words.names import hand_choices, hand_words
from players.text import tidy, validate_visible
from scoring.hand_codes import MOST_HONBA, first_deal, is_known

LONG = 2_000  # characters of what was said
TAKEN = "image/jpeg,image/png,image/webp"  # iPhones send a JPEG where only these are asked for


class LinesField(forms.CharField):
    """Text of several lines, each tidied. Control characters are refused."""

    widget = forms.Textarea(attrs={"rows": 3})

    def to_python(self, value: object) -> str:
        lines = [tidy(line) for line in str(super().to_python(value) or "").splitlines()]
        return "\n".join(lines).strip()

    def run_validators(self, value: str) -> None:
        super().run_validators(value)
        validate_visible(value.replace("\n", " "))


class DisputeForm(KeyedForm):
    hand = forms.ChoiceField(label=pgettext_lazy("one deal", "Hand"), required=False)
    honba = forms.IntegerField(label=_("Honba"), min_value=0, max_value=MOST_HONBA, initial=0)
    subject = TidyCharField(
        label=_("What happened"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Describe what happened.")},
    )

    def __init__(self, *args, table: Table, subject: str = "", **options) -> None:
        name, _dot, honba = first_deal(table.hand).partition(".")
        options["initial"] = {"hand": name if honba else "", "honba": honba or 0, "subject": subject}
        super().__init__(*args, **options)
        unknown = [] if is_known(table.hand) else [("", hand_words(""))]
        self.offer(hand=[*unknown, *hand_choices(table.round.stage.division.rules)])

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        hand = f"{data['hand']}.{data['honba']}" if data["hand"] else ""
        return {"hand": hand, "subject": data["subject"]}


class StepForm(KeyedForm):
    said = LinesField(label=_("What was said"), max_length=LONG, required=False)
    decided = LinesField(label=_("What was decided"), max_length=LONG, required=False)
    redeal = forms.BooleanField(
        label=_("Hand replayed"), required=False, help_text=_("Lift the win ban for this hand")
    )
    closes = forms.BooleanField(label=_("No objection: close the dispute"), required=False)

    def __init__(self, *args, kind: str, rules_here: bool = True, **options) -> None:
        options["auto_id"] = f"{kind}_%s"  # a page has several of them
        super().__init__(*args, **options)
        self.kind = kind
        if kind not in RULING:
            del self.fields["decided"], self.fields["redeal"]
        if kind not in CLOSABLE or not rules_here:
            del self.fields["closes"]
        if kind in INTERNAL:
            self.fields["said"].help_text = _("Visible to staff only, not to the players at the table.")
        if needed := NEEDED.get(kind):
            self.fields[needed].required = True
            self.fields[needed].error_messages["required"] = str(MISSING[needed])

    @property
    def action(self) -> str:
        return str(ACTIONS[self.kind])


class EvidenceForm(KeyedForm):
    photograph = forms.FileField(
        label=_("Photograph"),
        required=False,
        help_text=_("JPEG, PNG or WebP, at most 10 MB. Date and place are removed."),
        widget=forms.FileInput(attrs={"accept": TAKEN}),
        error_messages={"empty": _("This file is empty. Choose the photograph again.")},
    )
    note = TidyCharField(label=_("Note"), max_length=500, required=False)

    def submission(self, *context: object) -> Form:
        """Add a digest of the photograph, because two may have one name."""
        photograph, digest = self.cleaned_data["photograph"], ""
        if photograph:
            digest = hashlib.file_digest(photograph.file, "sha256").hexdigest()
            photograph.seek(0)
        return super().submission(*context, digest)

    def clean_photograph(self) -> object:
        """Refuse a large file before reading it."""
        file = self.cleaned_data["photograph"]
        if file and file.size > MOST_BYTES:
            raise forms.ValidationError(
                _("This photograph is larger than 10 MB. Choose a lower resolution or crop it.")
            )
        return file

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if not self.errors and not data.get("note") and not data.get("photograph"):
            self.add_error("note", _("Enter a note or choose a photograph."))
        return data
