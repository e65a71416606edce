"""The forms of seasons. The next season's form is in the address, so that it can be previewed."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, check_days, from_model, reason_field
from league.models import Competition, Division, Stage
from league.people.members.queries import PlayerInfo
from league.ranking.stages.services import MOST_HANCHAN
from scoring.promotion import FEWER_DOWN, LEAVE_FREE, MORE_UP, NUMBER, PERCENT, Movement

MOST_MOVING = 400
LEAST_ROWS, MOST_ROWS = 2, 24  # of decisions by hand
LEAVES = "leaves"


VACANCY_CHOICES = [
    (FEWER_DOWN, _("relegate fewer, then promote more if needed")),
    (MORE_UP, _("promote more from below")),
    (LEAVE_FREE, _("leave them free")),
]


def _count_field(label: Any, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=0, max_value=MOST_MOVING, initial=0, required=False, help_text=help_text
    )


def _unit_field(label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=[(NUMBER, pgettext_lazy("unit", "players")), (PERCENT, _("percent of the players"))],
        initial=NUMBER,
        required=False,
    )


class CopyForm(KeyedForm):
    name = from_model(
        Competition,
        "name",
        label=_("Name of the competition"),
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    first_day = from_model(Competition, "first_day", help_text="")
    last_day = from_model(Competition, "last_day")
    roster = forms.BooleanField(
        label=_("Enter the same players and teams"),
        required=False,
        help_text=_("Without players who withdrew or are banned."),
    )

    def clean(self) -> dict[str, Any]:
        check_days(self)
        return self.cleaned_data


class MovementForm(KeyedForm):
    """The promotion and relegation of all divisions. Each field is copied per division."""

    UP = ("up", "up_by", "up_play_off")
    DOWN = ("down", "down_by", "down_play_off")

    up = _count_field(_("Promoted"), _("The top players move to the next higher division next season."))
    up_by = _unit_field(_("Unit"))
    up_play_off = _count_field(
        _("Promotion play-off places"),
        _("Number of next-best players who meet players of the higher division in a play-off."),
    )
    down = _count_field(_("Relegated"), _("The bottom players move to the next lower division next season."))
    down_by = _unit_field(_("Unit"))
    down_play_off = _count_field(
        _("Relegation play-off places"),
        _(
            "Number of players just above the relegation places who meet players of the lower division. "
            "This division keeps as many of the places as it sends players."
        ),
    )
    vacancies = forms.ChoiceField(
        label=_("Places of players who left"),
        choices=VACANCY_CHOICES,
        widget=forms.RadioSelect,
        initial=FEWER_DOWN,
        required=False,
    )

    def __init__(self, *args: Any, divisions: Sequence[Division], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.divisions = divisions
        declared = {name: self.fields.pop(name) for name in Movement.__dataclass_fields__}
        for index, division in enumerate(divisions):
            movement = Movement.from_values(division.movement)
            up = self.UP if index else ()
            down = (*self.DOWN, "vacancies") if index + 1 < len(divisions) else ()
            for name in (*up, *down):
                field = self.fields[f"{name}_{division.pk}"] = deepcopy(declared[name])
                field.initial = getattr(movement, name)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Return each division with its neighbours and its fields."""
        every = [None, *self.divisions, None]
        return [
            {
                "division": division,
                "above": above,
                "below": below,
                "up": self._fields_of(division, self.UP),
                "down": self._fields_of(division, self.DOWN),
                "vacancies": self._fields_of(division, ("vacancies",)),
            }
            for above, division, below in zip(every, self.divisions, every[2:], strict=False)
        ]

    def _fields_of(self, division: Division, names: Sequence[str]) -> list[forms.BoundField]:
        return [self[f"{name}_{division.pk}"] for name in names if f"{name}_{division.pk}" in self.fields]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in [name for name in self.fields if name.startswith(("up_by_", "down_by_"))]:
            number = name.replace("_by_", "_")
            if cleaned.get(name) == PERCENT and (cleaned.get(number) or 0) > 100:
                self.add_error(number, gettext("At most 100 percent."))
        return cleaned

    def values(self) -> dict[str, Any]:
        typed: dict[int, dict[str, Any]] = {division.pk: {} for division in self.divisions}
        for key, value in super().values().items():
            name, _underscore, pk = key.rpartition("_")
            typed[int(pk)] |= {} if value in (None, "") else {name: value}
        return {"movements": {pk: Movement(**values) for pk, values in typed.items()}}


class SeasonForm(forms.Form):
    name = from_model(Competition, "name", label=_("Name of the next season"))
    slug = from_model(
        Competition,
        "slug",
        required=False,
        help_text=_("Letters, digits and hyphens. Leave empty to derive it from the name."),
    )
    keep_roles = forms.BooleanField(
        label=_("Organizers, referees and scorers keep their roles"), required=False, initial=True
    )
    reason = reason_field(
        _("Required if a player is placed differently from the rules. Kept in the audit log."),
        label=_("Reason for deciding by hand"),
        required=False,
    )

    def __init__(
        self,
        data: QueryDict,
        *,
        competition: Competition,
        players: Sequence[PlayerInfo],
        divisions: Sequence[Division],
    ) -> None:
        asked = "name" in data
        super().__init__(data if asked else None, initial={"name": next_name(competition.name)})
        self.rows = _count_rows(data) if asked else LEAST_ROWS
        who = [("", "–"), *((str(info.player), info.name) for info in players)]
        where = [
            ("", "–"),
            *((str(division.pk), division.name) for division in divisions),
            (LEAVES, gettext("leaves")),
        ]
        for row in range(1, self.rows + 1):
            self.fields[f"player_{row}"] = forms.ChoiceField(label=_("Player"), choices=who, required=False)
            self.fields[f"to_{row}"] = forms.ChoiceField(label=_("plays in"), choices=where, required=False)

    @property
    def hand_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"player_{row}"], self[f"to_{row}"]) for row in range(1, self.rows + 1)]

    @property
    def has_hand(self) -> bool:
        return any(field.value() or field.errors for row in self.hand_rows for field in row) or bool(
            self["reason"].value()
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for row in range(1, self.rows + 1):
            player, to = cleaned.get(f"player_{row}", ""), cleaned.get(f"to_{row}", "")
            if player and player in seen:
                self.add_error(f"player_{row}", gettext("This player is already listed above."))
            if player and not to:
                self.add_error(f"to_{row}", gettext("Choose where the player goes."))
            if to and not player:
                self.add_error(f"player_{row}", gettext("Choose a player."))
            seen.add(player)
        if any(seen) and not cleaned.get("reason") and not self.errors.get("reason"):
            self.add_error(
                "reason", gettext("Give a reason for placing a player differently from the rules.")
            )
        return cleaned

    def values(self) -> dict[str, Any]:
        names = ("name", "slug", "keep_roles", "reason")
        return {name: self.cleaned_data[name] for name in names} | {"by_hand": self.by_hand()}

    def by_hand(self) -> dict[int, int | None]:
        typed = self.cleaned_data
        rows = ((typed[f"player_{row}"], typed[f"to_{row}"]) for row in range(1, self.rows + 1))
        return {int(player): None if to == LEAVES else int(to) for player, to in rows if player}


def _count_rows(data: Mapping[str, Any]) -> int:
    filled = [row for row in range(1, MOST_ROWS + 1) if data.get(f"player_{row}")]
    return min(MOST_ROWS, max([LEAST_ROWS, *(row + 1 for row in filled)]))


_YEARS = re.compile(r"(?P<first>[0-9]{4})(?P<dash>[-–/])(?P<second>[0-9]{2})(?![0-9])", re.ASCII)
_LAST_NUMBER = re.compile(r"(?P<before>.*?)(?P<number>[0-9]{1,4})(?P<after>[^0-9]*)\Z", re.DOTALL | re.ASCII)


def next_name(name: str) -> str:
    """Raise the last number of the name by one, 2026-27 to 2027-28. Empty without a number."""
    if years := _YEARS.search(name):
        first, second = int(years["first"]) + 1, (int(years["second"]) + 1) % 100
        return f"{name[: years.start()]}{first}{years['dash']}{second:02}{name[years.end() :]}"
    match = _LAST_NUMBER.match(name)
    return f"{match['before']}{int(match['number']) + 1}{match['after']}" if match else ""


class MakeSeasonForm(KeyedForm):
    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)


class PlayOffForm(KeyedForm):
    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    name = from_model(
        Stage, "name", label=_("Name of the play-off"), initial=gettext_lazy("Play-off"), help_text=""
    )
    hanchan = forms.IntegerField(label=_("Games"), min_value=1, max_value=MOST_HANCHAN, initial=2)
