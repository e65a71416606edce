from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, date_field, reason_field
from league.models import Competition, Entrant, Seat
from league.play.bans.queries import free_players
from league.play.substitutions.services.departures import FORFEIT
from players.text import tidy
from scoring.units import decimal_text, parse_score

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
    since = date_field(pgettext_lazy("date", "From"))
    until = date_field(
        _("Until (inclusive)"), required=False, help_text=_("Leave empty for a permanent ban.")
    )
    reason = reason_field(needed=_("Give a reason. It is kept with the ban."))

    def __init__(self, *args: Any, today: date, reason: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"initial": {"since": today, "reason": tidy(reason)}})


class LiftForm(KeyedForm):
    reason = reason_field(
        label=_("Reason for lifting the ban"), needed=_("Give a reason for lifting the ban.")
    )
