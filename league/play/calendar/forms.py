import datetime
import re
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import (
    KeyedForm,
    ZonedForm,
    check_year,
    date_field,
    from_model,
    number_field,
    reason_field,
)
from league.models import Appointment, Round
from league.play.calendar.queries.calendar import MOST_ROUNDS, WEEK, Matchdays
from league.play.calendar.services.calendar import MOST_WINDOW, Day

EVERY = {7: _("every week"), 14: _("every two weeks"), 1: _("every day")}
_DAYS = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[\s–—~～,;/.]+(\d{4}-\d{2}-\d{2})|\s+-\s+(\d{4}-\d{2}-\d{2}))?", re.A
)


class AnnouncedForm(KeyedForm):
    # The log says what is, and the form what to do.
    announced = from_model(Round, "announced", label=_("Show dates in the public calendar"), initial=True)


class PlanForm(AnnouncedForm):
    hanchan = forms.IntegerField(label=_("Games per day"), min_value=1, max_value=20, initial=4)
    first = date_field(_("First day"), required=False)
    every = forms.TypedChoiceField(label=_("Interval"), coerce=int, required=False)
    count = number_field(_("Number of days"), 1, MOST_ROUNDS)
    typed = forms.CharField(
        label=_("Or enter the days"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4, "placeholder": "2026-05-03\n2026-05-17"}),
        help_text=_("Enter one per line, for example 2026-05-03, or 2026-05-03 – 2026-05-16 for a window."),
    )
    window = number_field(
        _("Window in days"),
        1,
        MOST_WINDOW,
        help_text=_(
            "Leave empty to play on that day. With 14, each table agrees on a time within the two weeks "
            "from that day."
        ),
    )

    def __init__(self, *args: Any, proposed: Matchdays, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"initial": asdict(proposed)})
        own = {proposed.every: gettext("every %(count)s days") % {"count": proposed.every}}
        self.offer(every=(own | EVERY).items())

    def clean_typed(self) -> list[Day]:
        return [_typed_day(line.strip()) for line in self.cleaned_data["typed"].splitlines() if line.strip()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors or cleaned.get("typed"):
            return cleaned
        if cleaned.get("first") is None:
            self.add_error("first", _("Choose the first day, or enter the days."))
        elif cleaned.get("count") is None:
            self.add_error("count", _("Enter the number of days."))
        return cleaned

    def values(self) -> dict[str, Any]:
        return {"days": self._days()} | {name: self.cleaned_data[name] for name in ("hanchan", "announced")}

    def _days(self) -> list[Day]:
        typed = self.cleaned_data
        days: list[Day] = typed["typed"]
        if not days:
            step = datetime.timedelta(days=typed["every"] or WEEK)
            days = [Day(typed["first"] + step * index) for index in range(typed["count"])]
        if typed["window"] is None:
            return days
        more = datetime.timedelta(days=typed["window"] - 1)
        return [day if day.until else Day(day.first, day.first + more) for day in days]


def _typed_day(line: str) -> Day:
    match = _DAYS.fullmatch(line)
    problem = ValidationError(
        _("“%(line)s” is not a date. Enter 2026-05-03 or 2026-05-03 – 2026-05-16."),
        params={"line": line[:40]},
    )
    if match is None:
        raise problem
    try:
        first, *rest = [datetime.date.fromisoformat(text) for text in match.groups() if text]
    except ValueError:
        raise problem from None
    for day in (first, *rest):
        check_year(day)
    return Day(first, next(iter(rest), None))


class DatesForm(AnnouncedForm):
    first = date_field(_("Day"), required=False, help_text=_("Leave empty if the day is not known yet."))
    until = from_model(Round, "until")
    reason = reason_field(_("Kept in the audit log."), required=False)
    together = forms.BooleanField(label=_("All rounds of this day"), required=False, initial=True)


class TimeForm(ZonedForm):
    meets_at = from_model(Appointment, "meets_at", label=_("Day and time"), required=True)
    place = from_model(Appointment, "place")


class PostponeForm(ZonedForm):
    reason = from_model(Appointment, "reason", required=True)
    meets_at = from_model(
        Appointment, "meets_at", label=_("New day and time"), help_text=_("Leave empty if not known yet.")
    )
    place = from_model(Appointment, "place")
    whole_round = forms.BooleanField(label=_("All tables of this round without a result"), required=False)

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in super().values().items() if name != "whole_round"}


class AppointmentForm(KeyedForm):
    appointment = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**62)


class AnswerForm(AppointmentForm):
    ALL = "all"

    player = forms.RegexField(rf"\A({ALL}|[0-9]{{1,18}})\Z", widget=forms.HiddenInput)


class FeedForm(KeyedForm):
    """The button that creates or renews a calendar address. Organizers may have no role yet."""

    role_id = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**62)

    def __init__(self, *args: Any, organizes: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["role_id"].required = not organizes
