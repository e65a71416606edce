import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, cast
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.core import messages
from league.core.forms import (
    FieldsOf,
    KeyedForm,
    KeyedModelForm,
    TenthsField,
    TidyCharField,
    from_model,
    number_field,
    reason_field,
)
from league.core.text import sentences
from league.models import Round, Stage, Team, TeamPenalty
from league.people.members.queries import Candidate, Finder, PlayerInfo, candidates
from league.ranking.teams.queries import MemberShare
from players.text import tidy
from scoring.seating.checker import SEATS

MOST_TABLES = 50
MOST_LINES = 1000
_MINUTE = "%Y-%m-%dT%H:%M"
_BETWEEN = re.compile(r"[\t,，、;；]")
STAYS, MISTAKE = "stays", "mistake"


class TeamForm(KeyedModelForm):
    class Meta(FieldsOf):
        model = Team
        fields = ("name",)
        labels: ClassVar = {"name": _("Name of the team")}


class EditTeamForm(TeamForm):
    players = forms.TypedMultipleChoiceField(
        label=_("Members"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    earlier = forms.ChoiceField(
        label=_("Earlier games of a player who changes team"),
        choices=[
            (STAYS, _("stay with the team for which they were played")),
            (MISTAKE, _("count for the new team: the old one was a mistake")),
        ],
        initial=STAYS,
        widget=forms.RadioSelect,
        help_text=_("When a player joins a first team, earlier games count for that team."),
    )

    def __init__(self, *args: Any, team: Team, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"instance": team})
        elsewhere = team.competition.entrants.exclude(team=None).exclude(team=team)
        team_of = dict(elsewhere.values_list("player_id", "team__name"))
        self.members = set(team.members.values_list("player_id", flat=True))
        infos = sorted(
            (
                each.info
                for player, each in candidates(team.competition).items()
                if player in self.members or not each.withdrawn
            ),
            key=lambda info: (info.player not in self.members, info.name),
        )
        field = cast("forms.TypedMultipleChoiceField", self.fields["players"])
        field.choices = [
            (
                info.player,
                _name_with_team(info, "" if info.player in self.members else team_of.get(info.player)),
            )
            for info in infos
        ]
        field.initial = [info.player for info in infos if info.player in self.members]

    def values(self) -> dict[str, Any]:
        typed = super().values()
        return typed | {"mistake": typed.pop("earlier") == MISTAKE}


def _name_with_team(info: PlayerInfo, team: str | None) -> str:
    return gettext("%(name)s (now in %(team)s)") % {"name": info.name, "team": team} if team else info.name


class PasteTeamsForm(KeyedForm):
    teams = forms.CharField(
        label=_("Teams and players"),
        max_length=60_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_(
            "One player per line: team and player, separated by a comma or tab. Names or keys. New teams "
            "are created."
        ),
    )

    def __init__(self, *args: Any, people: Mapping[int, Candidate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = people

    def clean_teams(self) -> dict[int, str]:
        team_of: dict[int, str] = {}
        problems: list[str] = []
        finder = Finder(self.people)
        lines = list(enumerate(self.cleaned_data["teams"].splitlines(), 1))
        for number, line in lines[:MOST_LINES]:
            if not tidy(line):
                continue
            try:
                team, player = self._pair(line, finder)
                if player in team_of:
                    raise ValidationError(gettext("This player is listed twice."))
                team_of[player] = team
            except ValidationError as error:
                problem = sentences(error.messages)
                problems.append(gettext("Line %(line)s: %(problem)s") % {"line": number, "problem": problem})
        if len(lines) > MOST_LINES:
            problems.append(gettext("At most %(most)s lines at a time.") % {"most": MOST_LINES})
        if problems:
            raise ValidationError(problems)
        return team_of

    @staticmethod
    def _pair(line: str, finder: Finder) -> tuple[str, int]:
        cells = [tidy(cell) for cell in _BETWEEN.split(line)]
        if len(cells) != 2 or not all(cells):
            raise ValidationError(gettext("Enter the team, a comma, and one player."))
        team, player = cells
        if len(team) > 120:
            raise ValidationError(gettext("A team’s name has at most 120 characters."))
        TidyCharField().run_validators(team)
        return team, finder.find(player)


# --- teams at tables


class SeatTeamsForm(KeyedForm):
    """Four selects per table. `numbers`: the tables, `prefilled`: their initial teams."""

    def __init__(
        self,
        *args: Any,
        teams: Iterable[Team],
        numbers: Iterable[int],
        prefilled: Mapping[int, Sequence[int]],
        seated: bool = False,
        **kwargs: Any,
    ) -> None:
        """`seated`: teams are seated, and an empty form removes them all."""
        super().__init__(*args, **kwargs)
        self.numbers, self.seated = list(numbers), seated
        choices = [("", "–"), *((team.pk, team.name) for team in teams)]
        for number in self.numbers:
            four = [*prefilled.get(number, ()), *[None] * 4]
            for wind in range(4):
                self.fields[f"t{number}_{wind}"] = forms.TypedChoiceField(
                    label=messages.WIND_NAMES[wind],
                    choices=choices,
                    coerce=int,
                    empty_value=None,
                    required=False,
                    initial=four[wind],
                )

    @property
    def tables(self) -> list[tuple[int, list[tuple[int, forms.BoundField]]]]:
        return [(n, [(wind, self[f"t{n}_{wind}"]) for wind in range(4)]) for n in self.numbers]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for number in self.numbers:
            four = [data.get(f"t{number}_{wind}") for wind in range(4)]
            if any(four) and not all(four):
                empty = four.index(None)
                self.add_error(
                    f"t{number}_{empty}", gettext("A table needs four teams. Fill the empty seat.")
                )
        if not self.errors and not self.seated and not self.values()["tables"]:
            self.add_error(None, gettext("Choose four teams for at least one table."))
        return data

    def values(self) -> dict[str, Any]:
        """Return `tables`: table number → four teams. Empty tables are left out."""
        fours = {n: [self.cleaned_data[f"t{n}_{wind}"] for wind in range(4)] for n in self.numbers}
        return {"tables": {number: four for number, four in fours.items() if all(four)}}


def most_tables(teams: int) -> int:
    """Return the number of tables that so many teams fill, at least 1."""
    return max(1, min(teams // SEATS, MOST_TABLES))


def describe_tables(tables: int, teams: int) -> str:
    """Return what so many tables mean: "2 tables: every team plays"."""
    playing = SEATS * tables
    named = ngettext("%(count)s table", "%(count)s tables", tables) % {"count": tables}
    out = teams - playing
    if out < 0:
        return named
    if out == 0:
        return gettext("%(tables)s: every team plays") % {"tables": named}
    sentence = ngettext(
        "%(tables)s: %(playing)s teams play, %(out)s sits out in turn",
        "%(tables)s: %(playing)s teams play, %(out)s sit out in turn",
        out,
    )
    return sentence % {"tables": named, "playing": playing, "out": out}


class UnseatForm(KeyedForm):
    """Rounds to take the teams out of. `deadlines`: their deadlines go, too."""

    rounds = forms.RegexField(r"\A[0-9]{1,18}(,[0-9]{1,18})*\Z", max_length=4000, widget=forms.HiddenInput)
    deadlines = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean_rounds(self) -> list[int]:
        return [int(number) for number in self.cleaned_data["rounds"].split(",")]


class SeasonForm(KeyedForm):
    tables = forms.TypedChoiceField(label=_("Tables in each round"), coerce=int)
    same_all_day = forms.BooleanField(
        label=_("The same four teams in all games of a day"), required=False, initial=True
    )
    again = forms.BooleanField(
        label=_("Also seat teams again where no line-up is chosen yet"), required=False
    )
    days_before = number_field(
        _("Line-up deadline: days before the round"),
        0,
        60,
        help_text=_("For every planned round. It moves with the date. Leave empty to keep the deadlines."),
    )
    at = forms.TimeField(
        label=_("Time of the deadline"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )

    def __init__(self, *args: Any, teams: int, **kwargs: Any) -> None:
        """`teams`: their number. All tables that they fill are proposed."""
        most = most_tables(teams)
        super().__init__(*args, **kwargs | {"initial": {"tables": most}})
        self.offer(tables=[(number, describe_tables(number, teams)) for number in range(most, 0, -1)])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and (data["days_before"] is None) != (data["at"] is None):
            missing = "at" if data["at"] is None else "days_before"
            self.add_error(missing, gettext("A deadline needs both the days and the time."))
        return data


class DeadlineForm(KeyedForm):
    until = from_model(
        Round,
        "line_ups_until",
        form_class=forms.DateTimeField,
        input_formats=[_MINUTE, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_MINUTE),
    )

    def __init__(self, *args: Any, round_: Round, **kwargs: Any) -> None:
        self.zone = ZoneInfo(round_.competition.timezone)
        until = round_.line_ups_until
        # Naive, because Django would write an aware time in the server's time zone.
        local = until.astimezone(self.zone).replace(tzinfo=None) if until else None
        super().__init__(*args, **kwargs | {"initial": {"until": local}})

    def clean_until(self) -> datetime | None:
        typed: datetime | None = self.cleaned_data["until"]
        if typed is None:
            return None
        if not 2000 <= typed.year <= 2999:
            raise ValidationError(gettext("Enter a date of this century."))
        return typed.replace(tzinfo=self.zone)


# --- line-ups


class LineUpForm(KeyedForm):
    def __init__(
        self,
        *args: Any,
        tables: Sequence[int],
        named: Sequence[int],
        shares: Iterable[MemberShare],
        reason: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        there = [
            ("", "–"),
            *((each.player.player, _with_share(each)) for each in shares if not each.withdrawn),
        ]
        names = [*named, *[None] * len(tables)]
        self.named = [f"player_{number}" for number in tables]
        for index, number in enumerate(tables):
            self.fields[f"player_{number}"] = forms.TypedChoiceField(
                label=gettext("Table %(number)s") % {"number": number},
                choices=there,
                coerce=int,
                initial=names[index],
                error_messages={"required": _("Choose a player.")},
            )
        if reason:
            self.fields["reason"] = reason_field(
                _("After the deadline: the reason is kept in the audit log.")
            )

    def values(self) -> dict[str, Any]:
        typed = self.cleaned_data
        return {"players": [typed[name] for name in self.named], "reason": typed.get("reason", "")}


def _with_share(each: MemberShare) -> str:
    name, share = each.player.label, each.share
    if share.left == 0:
        return gettext("%(name)s (games: %(hanchan)s, the maximum)") % {
            "name": name,
            "hanchan": share.hanchan,
        }
    if share.missing:
        return gettext("%(name)s (games: %(hanchan)s, missing: %(missing)s)") % {
            "name": name,
            "hanchan": share.hanchan,
            "missing": share.missing,
        }
    return gettext("%(name)s (games: %(hanchan)s)") % {"name": name, "hanchan": share.hanchan}


# --- penalties


class TeamPenaltyForm(KeyedForm):
    stage = forms.TypedChoiceField(label=_("Stage"))
    score = from_model(TeamPenalty, "score", form_class=TenthsField)
    reason = reason_field()

    def __init__(self, *args: Any, stages: Sequence[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        several = len({stage.division_id for stage in stages}) > 1
        field = cast("forms.TypedChoiceField", self.fields["stage"])
        field.coerce = {str(stage.pk): stage for stage in stages}.__getitem__
        field.initial = stages[-1].pk if stages else None
        field.choices = [
            (stage.pk, f"{stage.division.name} · {stage.name}" if several else stage.name) for stage in stages
        ]

    def clean_score(self) -> int:
        tenths: int = self.cleaned_data["score"]
        if not tenths:
            raise ValidationError(gettext("Enter an amount, for example 20."))
        return -abs(tenths)
