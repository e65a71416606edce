"""The forms of stages. The cut's form is in the address, so that the cut can be previewed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from league.core.forms import KeyedForm, TidyCharField, from_model, reason_field
from league.models import Stage, Team
from league.people.members.queries import Candidate, Finder
from league.ranking.stages.services import MOST_HANCHAN
from league.ranking.standings.words import tie_break_label
from league.ranking.teams.services import MOST_TEAMS
from players.text import tidy
from scoring.cuts import DEFAULT_WILD_CARDS, WILD_CARD_METRICS, Terms, evenly_seated
from scoring.standings import ALL, Numbers
from scoring.units import parse_score

MOST_PLAYERS = 400
MOST_HEAD_START = 10_000  # tenths: a typing slip, not a head start
_BETWEEN = re.compile(r"[,，、;；\n]")
_BETWEEN_NUMBERS = re.compile(r"[\s,，、;；/]+")


class CutFields(forms.Form):
    SPECIAL: ClassVar[Sequence[str]]  # what most cuts do not need

    name = from_model(Stage, "name", label=_("Name of the new stage"))
    source = forms.TypedChoiceField(label=_("Previous stage"))
    top = forms.IntegerField(label=_("Qualifiers by rank"), min_value=0, max_value=MOST_PLAYERS, initial=4)
    carry = from_model(Stage, "carry")
    hanchan = forms.IntegerField(label=_("Number of games"), min_value=0, max_value=MOST_HANCHAN, initial=2)

    def __init__(self, data: QueryDict, *, stages: Sequence[Stage], **kwargs: Any) -> None:
        super().__init__(data if "top" in data else None, **kwargs)
        self.stages = stages
        source = cast("forms.TypedChoiceField", self.fields["source"])
        source.choices = [(stage.pk, stage.name) for stage in stages]
        source.initial = self.newest.pk if self.newest else None
        self.fields["name"].initial = _free_name(stages)
        source.coerce = {str(stage.pk): stage for stage in stages}.__getitem__

    @property
    def newest(self) -> Stage | None:
        return self.stages[-1] if self.stages else None

    @property
    def proposal(self) -> QueryDict | None:
        """Return the data of the form as it is first shown, or None if a required field has no default."""
        data = QueryDict(mutable=True)
        for name, field in self.fields.items():
            if (value := self.get_initial_for_field(field, name)) is not None:
                data[name] = str(value)
            elif field.required:
                return None
        return data

    @property
    def special(self) -> list[forms.BoundField]:
        return [self[name] for name in self.SPECIAL]

    @property
    def has_special(self) -> bool:
        return any(
            field.errors or str(field.value() or "") != str(field.initial or "") for field in self.special
        )

    def terms(self) -> Terms:
        names = Terms.__dataclass_fields__.keys() & self.cleaned_data.keys()
        return Terms(**{name: self.cleaned_data[name] for name in names})

    def values(self) -> dict[str, Any]:
        names = ("source", "name", "carry", "hanchan")
        return {"terms": self.terms()} | {name: self.cleaned_data[name] for name in names}


def _free_name(stages: Sequence[Stage]) -> str:
    """Return "Final", with a number if the division has a stage of this name."""
    final, taken = pgettext("stage", "Final"), {stage.name for stage in stages}
    names = (final if number == 1 else f"{final} {number}" for number in count(1))
    return next(name for name in names if name not in taken)


class CutForm(CutFields):
    SPECIAL = ("first", "wild_cards", "wild_card_by", "picked")
    TEAMS, PLAYERS = "teams", "players"

    counts_for = forms.ChoiceField(
        label=_("Games count for"),
        choices=[
            (TEAMS, _("players and their teams")),
            (PLAYERS, _("players only: team standings do not change")),
        ],
        widget=forms.RadioSelect,
    )
    head_starts = TidyCharField(
        label=_("Head starts"),
        max_length=2000,
        required=False,
        help_text=_("By position, for example 40, 30, 20, 10, 0. Leave empty for none."),
    )
    seated = forms.ChoiceField(
        label=_("Seats"),
        choices=[
            ("now", _("All games now: the same tables throughout (1-4-5-8 and 2-3-6-7), winds in turn")),
            ("later", _("Round by round, with any seating method")),
        ],
        initial="now",
        widget=forms.RadioSelect,
    )
    first = forms.IntegerField(
        label=_("First rank"),
        min_value=1,
        max_value=MOST_PLAYERS,
        initial=1,
        help_text=_("Enter 5 for a second final for ranks 5 and below."),
    )
    wild_cards = forms.IntegerField(
        label=_("Wild cards"),
        min_value=0,
        max_value=MOST_PLAYERS,
        initial=0,
        help_text=_("Number of places for the best of the others."),
    )
    wild_card_by = forms.ChoiceField(label=_("Wild cards by"), initial=DEFAULT_WILD_CARDS)
    picked = TidyCharField(
        label=_("Chosen by hand"),
        max_length=2000,
        required=False,
        help_text=_(
            "Names or keys separated by commas, for example last year’s winner. They qualify in addition."
        ),
    )

    def __init__(
        self, *args: Any, people: Mapping[int, Candidate], has_teams: bool = False, **kwargs: Any
    ) -> None:
        """`has_teams`: the effects on teams have no default."""
        super().__init__(*args, **kwargs)
        self.people = people
        if has_teams:
            self.fields["carry"].initial = None
        else:
            del self.fields["counts_for"]
        self._propose(self.newest.planned_cut if self.newest else None)
        by = [(name, tie_break_label(name)) for name in WILD_CARD_METRICS]
        cast("forms.ChoiceField", self.fields["wild_card_by"]).choices = by

    def _propose(self, top: int | None) -> None:
        """Begin with the planned number of qualifiers, and with seats if they fill tables."""
        if top:
            self.fields["top"].initial = top
            if not evenly_seated(top, self.fields["hanchan"].initial):
                self.fields["seated"].initial = "later"

    def clean_head_starts(self) -> tuple[int, ...]:
        texts = [text for text in _BETWEEN_NUMBERS.split(self.cleaned_data["head_starts"]) if text]
        try:
            tenths = tuple(parse_score(text) for text in texts)
        except ValueError as error:
            raise ValidationError(
                _("Enter numbers separated by commas, for example 40, 30, 20, 10, 0.")
            ) from error
        if any(abs(each) > MOST_HEAD_START for each in tenths):
            raise ValidationError(_("The maximum head start is 1,000. 40 means 40,000 points."))
        return tenths

    def clean_picked(self) -> tuple[int, ...]:
        finder = Finder(self.people)
        names = [name for text in _BETWEEN.split(self.cleaned_data["picked"]) if (name := tidy(text))]
        problems: list[ValidationError] = []
        players: list[int] = []
        for name in names:
            try:
                player = finder.find(name)
            except ValidationError as error:
                problems.append(error)
                continue
            if player in players:
                problems.append(ValidationError(_("“%(name)s” is listed twice."), params={"name": name}))
            players.append(player)
        if problems:
            raise ValidationError(problems)
        return tuple(players)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and len(cleaned["head_starts"]) > self.terms().size:
            self.add_error("head_starts", _("The number of head starts exceeds the number of players."))
        return cleaned

    def values(self) -> dict[str, Any]:
        seated = self.cleaned_data["seated"] == "now" and self.cleaned_data["hanchan"] > 0
        for_teams = self.cleaned_data.get("counts_for", self.TEAMS) == self.TEAMS
        return super().values() | {"seated": seated, "for_teams": for_teams}


class TeamCutForm(CutFields):
    SPECIAL = ("picked",)

    top = forms.IntegerField(
        label=_("Number of qualifying teams"), min_value=1, max_value=MOST_TEAMS, initial=4
    )
    picked = forms.TypedMultipleChoiceField(
        label=_("Qualifying teams"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick all of them. If none is ticked, the best-ranked teams qualify."),
    )

    def __init__(self, *args: Any, teams: Iterable[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["carry"].initial = Stage.Carry.HALF
        self.fields["hanchan"].initial = 16
        picked = cast("forms.TypedMultipleChoiceField", self.fields["picked"])
        picked.choices = [(team.pk, team.name) for team in teams]

    def values(self) -> dict[str, Any]:
        return super().values() | {"of_teams": True}


class MakeCutForm(KeyedForm):
    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)


class LotsForm(KeyedForm):
    players = forms.CharField(widget=forms.HiddenInput, max_length=8000)
    of_teams = forms.BooleanField(widget=forms.HiddenInput, required=False)

    def clean_players(self) -> list[int]:
        texts = self.cleaned_data["players"].split(",")
        if not all(text.isascii() and text.isdigit() and len(text) <= 18 for text in texts):
            raise ValidationError("not player ids")
        return sorted({int(text) for text in texts})


class NumbersFields(KeyedForm):
    valid_hanchan = from_model(Stage, "valid_hanchan", required=False)
    standard_hanchan = from_model(Stage, "standard_hanchan")
    beyond = from_model(Stage, "beyond", required=False)

    def values(self) -> dict[str, Any]:
        typed = super().values()
        valid, standard, beyond = (typed.pop(name) for name in NumbersFields.base_fields if name != "key")
        return typed | {"numbers": Numbers(valid=valid or 0, standard=standard, beyond=beyond or ALL)}


class NumbersForm(NumbersFields):
    reason = reason_field(required=False)

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        initial = {name: getattr(stage, name) for name in NumbersFields.base_fields if name != "key"}
        super().__init__(*args, **kwargs | {"initial": initial})


class StageForm(NumbersFields):
    name = from_model(Stage, "name", label=_("Name of the stage"))
    carry = from_model(Stage, "carry")
