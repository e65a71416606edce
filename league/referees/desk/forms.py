import hashlib
from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.changes import Sent
from league.core.forms import KeyedForm, choice_of, from_model, reason_field
from league.models import Ban, Competition, Dispute, DisputeStep, Entrant, Evidence, Seat, Table
from league.play.bans.queries import free_players
from league.play.disputes import procedure
from league.play.disputes.photographs import MOST_BYTES
from league.play.disputes.words import ACTIONS, MISSING
from league.play.hands.words.names import hand_choices, hand_words
from league.play.substitutions.services.departures import FORFEIT
from players.text import tidy, validate_visible
from scoring.hand_codes import MOST_HONBA, first_deal, is_known
from scoring.units import decimal_text, parse_score


class NextHandForm(KeyedForm):
    hand = forms.CharField(max_length=12, widget=forms.HiddenInput)


class NameHandForm(KeyedForm):
    """The hand that a table plays. ``same``: the penalties of the unknown hand were given in it."""

    deal = choice_of(from_model(Table, "hand", required=True), ())
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
    hand = choice_of(from_model(Dispute, "hand"), ())
    honba = forms.IntegerField(label=_("Honba"), min_value=0, max_value=MOST_HONBA, initial=0)
    subject = from_model(
        Dispute,
        "subject",
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Describe what happened.")},
    )
    despite = forms.BooleanField(label=_("Something else happened in this hand"), required=False)

    def __init__(self, *args, table: Table, subject: str = "", is_ruled: bool = False, **options) -> None:
        name, _dot, honba = first_deal(table.hand).partition(".")
        options["initial"] = {"hand": name if honba else "", "honba": honba or 0, "subject": subject}
        super().__init__(*args, **options)
        if not is_ruled:
            del self.fields["despite"]
        unknown = [] if is_known(table.hand) else [("", hand_words(""))]
        self.offer(hand=[*unknown, *hand_choices(table.round.stage.division.rules)])

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        hand = f"{data['hand']}.{data['honba']}" if data["hand"] else ""
        return {"hand": hand, "subject": data["subject"], "despite": data.get("despite", False)}


class StepForm(KeyedForm):
    said = from_model(DisputeStep, "said", form_class=LinesField, widget=LinesField.widget)
    decided = from_model(DisputeStep, "decided", form_class=LinesField, widget=LinesField.widget)
    redeal = from_model(DisputeStep, "redeal")
    closes = forms.BooleanField(label=_("No objection: close the dispute"), required=False)

    def __init__(self, *args, kind: str, rules_here: bool = True, **options) -> None:
        options["auto_id"] = f"{kind}_%s"  # a page has several of them
        super().__init__(*args, **options)
        self.kind = kind
        if kind not in procedure.RULING:
            del self.fields["decided"], self.fields["redeal"]
        if kind not in procedure.CLOSABLE or not rules_here:
            del self.fields["closes"]
        if kind in procedure.INTERNAL:
            self.fields["said"].help_text = _("Visible to staff only, not to the players at the table.")
        if needed := procedure.NEEDED.get(kind):
            self.fields[needed].required = True
            self.fields[needed].error_messages["required"] = str(MISSING[needed])

    @property
    def action(self) -> str:
        return str(ACTIONS[self.kind])


class EvidenceForm(KeyedForm):
    photograph = from_model(
        Evidence,
        "file",
        max_length=None,  # of its name, which is not kept
        widget=forms.FileInput(attrs={"accept": TAKEN}),
        error_messages={"empty": _("This file is empty. Choose the photograph again.")},
    )
    note = from_model(Evidence, "note")

    def submission(self, *context: object) -> Sent:
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


LATER = "later"
MOST = 10_000  # tenths


class LeaveForm(KeyedForm):
    reason = reason_field(
        label=_("Reason for leaving"),
        needed=_("Give a reason for the player leaving. It is kept in the audit log."),
    )


class OpenSeatsForm(KeyedForm):
    """A decision on each seat of a player who left (``seat_12``): later, forfeit, or a substitute."""

    reason = reason_field(
        _("Shown at the tables and kept in the audit log."),
        needed=_("Give a reason. It is kept with the tables and in the audit log."),
    )
    score = forms.CharField(
        label=_("Points for a player whose substitute plays"),
        max_length=12,
        help_text=_("Score, for example -30.0 (EMA 2025, 7.3)."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )

    def __init__(
        self, *args: Any, seats: Sequence[Seat], competition: Competition, reason: str = "", **kwargs: Any
    ) -> None:
        asked = seats[0].round.stage.division.rules.substituted_score if seats else None
        initial = {"reason": reason, "score": decimal_text(asked or 0)}
        super().__init__(*args, **kwargs | {"initial": initial})
        self.seats = seats
        forfeits = competition.expulsion == Competition.Expulsion.FORFEIT
        free: dict[int, list[Entrant]] = {}
        for seat in seats:
            round_ = seat.round
            if round_.pk not in free:
                free[round_.pk] = free_players(round_)
            self.fields[f"seat_{seat.table_id}"] = forms.ChoiceField(
                label=gettext("Round %(round)s, table %(table)s")
                % {"round": round_.number, "table": seat.table.number},
                choices=_choices(free[round_.pk]),
                initial=str(FORFEIT) if forfeits else LATER,
            )

    @property
    def seat_fields(self) -> list[tuple[Seat, forms.BoundField]]:
        return [(seat, self[f"seat_{seat.table_id}"]) for seat in self.seats]

    @property
    def choices(self) -> dict[int, int]:
        """Return table id → the substitute's player id or ``FORFEIT``, without the seats left for later."""
        typed = {seat.table_id: self.cleaned_data.get(f"seat_{seat.table_id}", LATER) for seat in self.seats}
        return {table: int(choice) for table, choice in typed.items() if choice != LATER}

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {"choices": self.choices, "reason": data["reason"], "score": data["score"]}

    def clean_score(self) -> int:
        try:
            tenths = parse_score(self.cleaned_data["score"])
        except ValueError:
            tenths = MOST + 1
        if abs(tenths) > MOST:
            raise forms.ValidationError(gettext("Enter a score with at most one decimal, for example -30.0."))
        return tenths

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and not self.choices:
            self.add_error(None, gettext("Decide on at least one seat."))
        return data


def _choices(free: Sequence[Entrant]) -> list[tuple[str, str]]:
    words = gettext("Substitute: %(name)s")
    substitutes = [
        (str(each.player_id), words % {"name": f"{each.player.name} ({each.key})"}) for each in free
    ]
    return [
        (LATER, gettext("Decide later, or seat the round by hand")),
        (str(FORFEIT), gettext("Forfeit the table: its result is void")),
        *substitutes,
    ]


class BanForm(KeyedForm):
    since = from_model(Ban, "since")
    until = from_model(Ban, "until", label=_("Until (inclusive)"))
    reason = reason_field(needed=_("Give a reason. It is kept with the ban."))

    def __init__(self, *args: Any, today: date, reason: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"initial": {"since": today, "reason": tidy(reason)}})


class LiftForm(KeyedForm):
    reason = reason_field(
        label=_("Reason for lifting the ban"), needed=_("Give a reason for lifting the ban.")
    )
