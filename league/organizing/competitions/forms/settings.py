"""The forms of the settings of a competition, one for each of their pages."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.core import signing
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core import messages
from league.core.forms import FieldsOf, KeyedForm, KeyedModelForm, check_days, choice_of
from league.models import Competition
from league.models.competitions import LATEST_BEGIN
from league.organizing.competitions.forms.zones import ZoneField
from league.ranking.standings.words import tie_break_label
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.presets import find_preset
from scoring.standings import TIE_BREAKS

FEWEST_TIES = 6  # selects for tie-breaks
SEEN = "umaoka.settings.seen"
NOTICE = ("notice", "notice_until")
Values = dict[str, Any]


class SettingsForm(KeyedForm):
    """Some settings of a competition.

    ``names``: the fields. ``seen``: the values on the page, so that saving keeps the changes that another
    organizer made since. ``PAIRS``: settings that are checked together, and saved together.
    """

    names: Sequence[str]
    PAIRS: ClassVar[Sequence[set[str]]] = ()

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition = competition
        shown = {name: str(getattr(competition, name)) for name in self.names}
        self.initial["seen"] = signing.dumps(shown, salt=SEEN)

    def typed_values(self) -> Values:
        return {name: self.cleaned_data[name] for name in self.names}

    def changed_values(self) -> Values:
        values = self.typed_values()
        try:
            seen = signing.loads(self.cleaned_data["seen"], salt=SEEN)
        except signing.BadSignature:
            seen = {}
        typed = {name for name, value in values.items() if str(value) != seen.get(name)}
        typed |= {name for pair in self.PAIRS if pair & typed for name in pair}
        return {n: v for n, v in values.items() if n in typed and v != getattr(self.competition, n)}

    def values(self) -> Values:
        return {"values": self.changed_values()}


class FieldsForm(SettingsForm, KeyedModelForm):
    """Settings that are fields of ``Competition``."""

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        self.names = tuple(self._meta.fields or ())
        super().__init__(*args, competition=competition, **kwargs | {"instance": competition})


class EventForm(FieldsForm):
    PAIRS = ({"first_day", "last_day"},)

    class Meta(FieldsOf):
        model = Competition
        fields = ("name", "kind", "place", "first_day", "last_day", "timezone", "day_begins", *NOTICE)
        field_classes: ClassVar = {"timezone": ZoneField}
        labels: ClassVar = {"notice": pgettext_lazy("to visitors", "Text")}  # a heading names the notice

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        hours = [(hour, f"{hour}:00") for hour in range(LATEST_BEGIN + 1)]
        self.fields["day_begins"] = choice_of(self.fields["day_begins"], hours, coerce=int)

    @property
    def event_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.names if name not in NOTICE]

    @property
    def notice_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in NOTICE]

    def clean(self) -> Values:
        cleaned = super().clean() or self.cleaned_data
        check_days(self)
        return cleaned


class ResultsForm(FieldsForm):
    class Meta(FieldsOf):
        model = Competition
        fields = ("counting", "release", "visibility", "suggest_fourth", "shows_hands", "shows_chances")


class TablesForm(FieldsForm):
    class Meta(FieldsOf):
        model = Competition
        fields = ("takes_sheets", "signatures", "one_phone", "signed_counts")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["signatures"].help_text = signing_rules(self.competition)


class RefereesForm(FieldsForm):
    class Meta(FieldsOf):
        model = Competition
        fields = (
            *("takes_calls", "objection_minutes", "approval_from"),
            *("penalties_shown", "names_misconduct", "expulsion"),
        )
        labels: ClassVar = {"approval_from": _("Chief referee’s approval")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        levels = approval_choices(self.competition)
        self.fields["approval_from"] = choice_of(self.fields["approval_from"], levels)


class TeamsForm(FieldsForm):
    PAIRS = ({"least_hanchan", "most_hanchan"},)

    class Meta(FieldsOf):
        model = Competition
        fields = ("team_play", "least_hanchan", "most_hanchan")

    def clean(self) -> Values:
        cleaned = super().clean() or self.cleaned_data
        least, most = cleaned.get("least_hanchan"), cleaned.get("most_hanchan")
        if least and most and least > most:
            self.add_error("most_hanchan", gettext("The maximum must not be lower than the minimum."))
        return cleaned


class TieBreaksForm(SettingsForm):
    """One select per tie-break, and two empty ones."""

    TIES = tuple(f"tie_{position}" for position in range(1, len(TIE_BREAKS) + 1))
    names = ("tie_breaks",)

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        chosen = competition.tie_breaks
        self.ties = self.TIES[: max(FEWEST_TIES, len(chosen) + 2)]
        initial = dict.fromkeys(self.ties, "") | dict(zip(self.ties, chosen, strict=False))
        super().__init__(*args, competition=competition, **kwargs | {"initial": initial})
        choices = [("", "–"), *((name, tie_break_label(name)) for name in TIE_BREAKS)]
        for position, name in enumerate(self.ties, 1):
            self.fields[name] = forms.ChoiceField(
                label=_("Tie-break %(position)s") % {"position": position}, choices=choices, required=False
            )

    @property
    def tie_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.ties]

    def clean(self) -> Values:
        cleaned = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for name in self.ties:
            chosen = cleaned.get(name, "")
            if chosen and chosen in seen:
                self.add_error(name, gettext("This tie-break is already listed above. Choose each one once."))
            seen.add(chosen)
        return cleaned

    def typed_values(self) -> Values:
        return {"tie_breaks": [self.cleaned_data[name] for name in self.ties if self.cleaned_data[name]]}


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
