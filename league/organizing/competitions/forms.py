"""The organizer's forms: competitions, their settings, divisions, and the league."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core import messages
from league.core.forms import (
    FieldsOf,
    KeyedForm,
    KeyedModelForm,
    TidyCharField,
    check_days,
    choice_of,
    from_model,
    reason_field,
)
from league.models import Competition, Division, League, RuleSet, Stage
from league.models.competitions import LATEST_BEGIN, time_zones, validate_timezone
from league.organizing.competitions.services import WHY_REOPEN
from league.ranking.standings.words import tie_break_label
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from league.rules.rule_sets.queries.house_rules import edition_choice, newest_editions
from players.text import tidy
from scoring.presets import find_preset, presets
from scoring.standings import TIE_BREAKS

MOST_DIVISIONS = 12
LONGEST_TOURNAMENT = timedelta(days=14)
EARLIER = 3  # competitions to copy that the page of a new one names
FEWEST_TIES = 6  # selects for tie-breaks
# Kinds on the form, each a season: of free play, of teams whose captains choose the players
CLUB, TEAMS = "club", "teams"
LIST_SEPARATORS = re.compile(r"[,，、;；\n]")
SEEN = "umaoka.settings.seen"


# --- time zones


NOT_CITIES = ("Etc", "SystemV", "US", "Canada", "Brazil", "Chile", "Mexico", "posix")


class ZoneField(forms.CharField):
    """A time zone, found by its name or its city, with or without underscores."""

    default_validators = [validate_timezone]

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"list": "zones", "autocomplete": "off"})
        super().__init__(**{"max_length": 60, "widget": widget, **options})

    @property
    def zones(self) -> list[str]:
        """Return the names to search, as people write them."""
        named = (name.replace("_", " ") for name in time_zones())
        return sorted(name for name in named if "/" in name and name.partition("/")[0] not in NOT_CITIES)

    def prepare_value(self, value: object) -> str:
        return str(value or "").replace("_", " ")

    def to_python(self, value: object) -> str:
        typed = tidy(super().to_python(value) or "").replace(" ", "_")
        names = [name for name in time_zones() if name.casefold() == typed.casefold()]
        cities = [name for name in time_zones() if name.casefold().endswith(f"/{typed.casefold()}")]
        matching = names or cities
        return matching[0] if len(matching) == 1 else typed


# --- competitions, divisions, stages


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
    league = forms.ModelChoiceField(
        label=_("League or club"), queryset=League.objects.none(), required=False, empty_label="–"
    )
    league_name = TidyCharField(
        label=_("Name of your league or club"),
        max_length=120,
        required=False,
        help_text=_("Leave empty to use the name of the competition."),
    )

    def __init__(self, *args: Any, user: User, proposed: str = "", league: str = "", **kwargs: Any) -> None:
        leagues = League.objects.filter(owners=user)
        editions = newest_editions(list(leagues))
        owner = {edition_choice(each): each.book and each.book.league_id for each in editions}
        named = [each.pk for each in leagues if each.slug == league or len(leagues) == 1]
        home = owner.get(proposed) or next(iter(named), None)
        played = Competition.objects.filter(league__in=[home] if home else [each.pk for each in leagues])
        self.earlier = list(played.order_by("-pk").prefetch_related("divisions__rule_set")[:EARLIER])
        last = next(iter(self.earlier), None)
        initial: dict[str, Any] = {
            "visibility": Competition.Visibility.PUBLIC,
            "timezone": last.timezone if last else "UTC",
            "league": home,
        }
        known = {each.slug for each in presets()} | {key for key in owner if owner[key] == home}
        chosen = next((key for key in (proposed, *_last_rules(last, editions)) if key in known), "")
        super().__init__(*args, **kwargs | {"proposed": chosen, "editions": editions, "initial": initial})
        self.fields["timezone"].widget.attrs["data-guess"] = "no" if last else "yes"
        cast("forms.ModelChoiceField[League]", self.fields["league"]).queryset = self.leagues = leagues
        if leagues:
            self.fields["league_name"].label = _("Or a new league or club")
            self.fields["league_name"].help_text = ""

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
        if not cleaned.get("league") and not cleaned.get("league_name") and not self.errors.get("league"):
            if self.leagues:
                self.add_error("league", gettext("Choose a league or club, or name a new one."))
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

    @property
    def named_league(self) -> League | None:
        """Return the league on the form, if it names one."""
        return next((each for each in self.leagues if str(each.pk) == str(self["league"].value())), None)

    def chosen_league(self) -> League | None:
        """Return the chosen league, or None if a name for a new one was typed."""
        return None if self.cleaned_data.get("league_name") else self.cleaned_data.get("league")

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


EVENT = (
    *("name", "kind", "place", "first_day", "last_day", "timezone", "day_begins"),
    *("visibility", "counting", "release", "suggest_fourth", "shows_chances"),
)
NOTICE = ("notice", "notice_until")
REFEREEING = (
    *("takes_calls", "objection_minutes", "approval_from"),
    *("penalties_shown", "names_misconduct", "expulsion"),
)
AT_TABLE = ("takes_sheets", "signatures", "one_phone", "signed_counts", "shows_hands")
TEAM_PLAY = ("team_play", "least_hanchan", "most_hanchan")
SETTINGS = (*EVENT, *NOTICE, *AT_TABLE, *REFEREEING, *TEAM_PLAY)


class CompetitionSettingsForm(KeyedModelForm):
    """The settings of a competition, with one select per tie-break and two empty ones.

    ``seen``: the values on the page, so that saving keeps the changes that another organizer made since.
    """

    TIES = tuple(f"tie_{position}" for position in range(1, len(TIE_BREAKS) + 1))
    PAIRS = ({"first_day", "last_day"}, {"least_hanchan", "most_hanchan"})  # checked together

    class Meta(FieldsOf):
        model = Competition
        fields = SETTINGS
        field_classes: ClassVar = {"timezone": ZoneField}
        # The headings above them name the notice and the referees.
        labels: ClassVar = {
            "notice": pgettext_lazy("to visitors", "Text"),
            "approval_from": _("Chief referee’s approval"),
        }

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        self.competition = competition
        shown = {name: str(getattr(competition, name)) for name in (*SETTINGS, "tie_breaks")}
        self.ties = self.TIES[: max(FEWEST_TIES, len(competition.tie_breaks) + 2)]
        initial = dict.fromkeys(self.ties, "") | dict(zip(self.ties, competition.tie_breaks, strict=False))
        initial["seen"] = signing.dumps(shown, salt=SEEN)
        super().__init__(*args, **kwargs | {"instance": competition, "initial": initial})
        self.fields["approval_from"] = choice_of(self.fields["approval_from"], approval_choices(competition))
        hours = [(hour, f"{hour}:00") for hour in range(LATEST_BEGIN + 1)]
        self.fields["day_begins"] = choice_of(self.fields["day_begins"], hours, coerce=int)
        self.fields["signatures"].help_text = signing_rules(competition)
        choices = [("", "–"), *((name, tie_break_label(name)) for name in TIE_BREAKS)]
        for position, name in enumerate(self.ties, 1):
            self.fields[name] = forms.ChoiceField(
                label=_("Tie-break %(position)s") % {"position": position}, choices=choices, required=False
            )

    @property
    def tie_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.ties]

    @property
    def setting_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in EVENT]

    @property
    def notice_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in NOTICE]

    @property
    def at_table_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in AT_TABLE]

    @property
    def referee_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in REFEREEING]

    @property
    def team_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in TEAM_PLAY]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        least, most = cleaned.get("least_hanchan"), cleaned.get("most_hanchan")
        if least and most and least > most:
            self.add_error("most_hanchan", gettext("The maximum must not be lower than the minimum."))
        check_days(self)
        seen: set[str] = set()
        for name in self.ties:
            chosen = cleaned.get(name, "")
            if chosen and chosen in seen:
                self.add_error(name, gettext("This tie-break is already listed above. Choose each one once."))
            seen.add(chosen)
        return cleaned

    def changed_values(self) -> dict[str, object]:
        values: dict[str, object] = {name: self.cleaned_data[name] for name in SETTINGS}
        values["tie_breaks"] = [self.cleaned_data[name] for name in self.ties if self.cleaned_data[name]]
        try:
            seen = signing.loads(self.cleaned_data["seen"], salt=SEEN)
        except signing.BadSignature:
            seen = {}
        typed = {name for name, value in values.items() if str(value) != seen.get(name)}
        typed |= {name for pair in self.PAIRS if pair & typed for name in pair}
        return {n: v for n, v in values.items() if n in typed and v != getattr(self.competition, n)}


def signing_rules(competition: Competition) -> str:
    """Return what the rule books of the divisions say about signatures, with their articles."""
    slugs = competition.divisions.order_by("position", "pk").values_list("rule_set__preset", flat=True)
    signed_presets = [
        each for slug in dict.fromkeys(slugs) if (each := find_preset(slug)) and each.signatures_cite
    ]
    if not signed_presets:
        return gettext("The rules of this competition do not ask for signatures.")
    sentence = gettext("%(rules)s: %(who)s (%(document)s, %(article)s).")
    return " ".join(
        sentence
        % {
            "rules": messages.in_language(each.name),
            "who": Competition.Signatures(each.signatures).label,
            "document": each.signatures_cite.document,
            "article": each.signatures_cite.article,
        }
        for each in signed_presets
        if each.signatures_cite
    )


def approval_choices(competition: Competition) -> list[tuple[str, str]]:
    """Return the levels from which the chief referee approves, mild ones first.

    The chosen level stays a choice, even if no division has it now.
    """
    level_names: dict[str, str] = {}
    divisions = competition.divisions.select_related("rule_set__own_catalogue").order_by("position", "pk")
    for division in divisions:
        for code, level in penalty_rules_of(division.rule_set).levels.items():
            level_names.setdefault(code, messages.in_language(level.names))
    if competition.approval_from:
        level_names.setdefault(competition.approval_from, competition.approval_from)
    from_on = gettext("from this level: %(level)s")
    levels = [(code, from_on % {"level": name}) for code, name in level_names.items()]
    return [("", gettext("not needed: every referee’s penalty counts at once")), *levels]
