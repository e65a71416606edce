"""The organizer's forms: a new competition, its end, divisions, and the league."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.core.forms import (
    KeyedForm,
    TidyCharField,
    check_days,
    choice_of,
    from_model,
    reason_field,
)
from league.models import Competition, Division, League, RuleSet, Stage
from league.organizing.competitions.forms.zones import ZoneField
from league.organizing.competitions.services import WHY_REOPEN
from league.rules.rule_sets.queries.house_rules import edition_choice, newest_editions
from players.text import tidy
from scoring.presets import presets

MOST_DIVISIONS = 12
LONGEST_TOURNAMENT = timedelta(days=14)
EARLIER = 3  # competitions to copy that the page of a new one names
FEWEST_TIES = 6  # selects for tie-breaks
# Kinds on the form, each a season: of free play, of teams whose captains choose the players
CLUB, TEAMS = "club", "teams"
LIST_SEPARATORS = re.compile(r"[,，、;；\n]")
SEEN = "umaoka.settings.seen"


class CompetitionFields(KeyedForm):
    """A new competition, without its rules (``RuleChoiceForm``)."""

    # The form names a league and divisions, too.
    name = from_model(
        Competition,
        "name",
        label=_("Name of the competition"),
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    first_day = from_model(Competition, "first_day", help_text="")
    last_day = from_model(Competition, "last_day")
    kind = choice_of(
        from_model(Competition, "kind"),
        [
            ("", _("by its length: up to two weeks is a tournament")),
            *Competition.Kind.choices,
            (CLUB, _("Club night: tables are drawn from those who come")),
            (TEAMS, _("Team league: captains choose who plays in each round")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    division_names = TidyCharField(
        label=_("Divisions"),
        max_length=400,
        required=False,
        help_text=_("Names separated by commas, for example A, B. Leave empty for a single division."),
    )
    timezone = from_model(Competition, "timezone", form_class=ZoneField)
    visibility = from_model(Competition, "visibility")
    league_name = TidyCharField(
        label=_("League or club"),
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"list": "leagues", "autocomplete": "off"}),
        help_text=_("Leave empty to use the name of the competition."),
        error_messages={"required": _("Choose a league or club, or name a new one.")},
    )

    def __init__(self, *args: Any, user: User, proposed: str = "", league: str = "", **kwargs: Any) -> None:
        leagues = League.objects.filter(owners=user)
        editions = newest_editions(list(leagues))
        owner = {edition_choice(each): each.book and each.book.league_id for each in editions}
        named = [each.pk for each in leagues if each.slug == league]
        own = Competition.objects.filter(league__in=[each.pk for each in leagues]).order_by("-pk")
        newest = [*own.values_list("league", flat=True)[:1], *(each.pk for each in leagues)]
        home = owner.get(proposed) or next(iter([*named, *newest]), None)
        self.home = next((each for each in leagues if each.pk == home), None)
        played = own.filter(league=home)
        self.earlier = list(played.order_by("-pk").prefetch_related("divisions__rule_set")[:EARLIER])
        last = next(iter(self.earlier), None)
        initial: dict[str, Any] = {
            "visibility": Competition.Visibility.PUBLIC,
            "timezone": last.timezone if last else "UTC",
            "league_name": self.home.name if self.home else "",
        }
        known = {each.slug for each in presets()} | {key for key in owner if owner[key] == home}
        chosen = next((key for key in (proposed, *_last_rules(last, editions)) if key in known), "")
        super().__init__(*args, **kwargs | {"proposed": chosen, "editions": editions, "initial": initial})
        self.fields["timezone"].widget.attrs["data-guess"] = "no" if last else "yes"
        self.leagues = list(leagues)
        if self.leagues:
            self.fields["league_name"].required = True
            self.fields["league_name"].help_text = _("Choose one of yours, or enter the name of a new one.")

    def clean_division_names(self) -> list[str]:
        names = [tidy(name) for name in LIST_SEPARATORS.split(self.cleaned_data["division_names"])]
        names = [name for name in names if name]
        if len({name.casefold() for name in names}) < len(names):
            raise ValidationError(_("Two divisions have the same name."))
        if len(names) > MOST_DIVISIONS or any(len(name) > 120 for name in names):
            raise ValidationError(
                _("At most %(most)s divisions, with names of at most 120 characters."),
                params={"most": MOST_DIVISIONS},
            )
        return names

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        check_days(self)
        if not self.leagues and not cleaned.get("league_name"):
            cleaned["league_name"] = cleaned.get("name", "")
        kind = cleaned.get("kind")
        cleaned["play"] = Stage.Play.OPEN if kind == CLUB else Stage.Play.ROUNDS
        cleaned["team_play"] = Competition.TeamPlay.LINE_UPS if kind == TEAMS else Competition.TeamPlay.NONE
        if kind in {CLUB, TEAMS}:
            cleaned["kind"] = Competition.Kind.SEASON
        if not cleaned.get("kind"):
            first, last = cleaned.get("first_day"), cleaned.get("last_day")
            is_short = first is not None and (last or first) - first <= LONGEST_TOURNAMENT
            cleaned["kind"] = Competition.Kind.EVENT if is_short else Competition.Kind.SEASON
        return cleaned

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("division_names", "timezone", "visibility")]

    @property
    def more_open(self) -> bool:
        return any(field.errors for field in self.more_fields)

    def chosen_league(self) -> League | None:
        """Return the league of this name, or None for a new one."""
        name = self.cleaned_data.get("league_name", "").casefold()
        named = [each for each in self.leagues if each.name.casefold() == name]
        return self.home if self.home in named else next(iter(named), None)

    def values(self) -> dict[str, Any]:
        """Return the arguments of ``start_competition``, without the rules."""
        typed = {n: self.cleaned_data[n] for n in CompetitionFields.base_fields if n != "key"}
        typed |= {name: self.cleaned_data[name] for name in ("play", "team_play")}
        return typed | {"league": self.chosen_league()}


def _last_rules(competition: Competition | None, editions: Iterable[RuleSet]) -> Iterator[str]:
    """Return the keys of the competition's rules: of own rules the newest edition, then the preset."""
    for division in competition.divisions.all() if competition else ():
        used = division.rule_set
        yield from (edition_choice(each) for each in editions if each.book_id == used.book_id)
        yield used.preset


class DivisionFields(KeyedForm):
    """A new division, without its rules."""

    # The form chooses rules with names, too.
    name = from_model(Division, "name", label=_("Name of the division"))

    def values(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"]}


class FinishForm(KeyedForm):
    """The button that ends a competition, and can publish hidden results with it."""

    publish = forms.BooleanField(label=_("Publish all results"), required=False, initial=True)


class ReopenForm(KeyedForm):
    """The reason for changing a finished competition."""

    reason = reason_field(_("Kept in the audit log."), needed=WHY_REOPEN)


class LeagueForm(forms.Form):
    name = from_model(League, "name")
    slug = from_model(League, "slug")
