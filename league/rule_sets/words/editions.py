"""What rules are called, what two editions differ in, and who chose which text, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from league.core.messages import in_language
from league.models import RuleSet
from league.rule_sets.source_choices import Record, record_of, same_value
from league.rule_sets.words.settings import setting_label, setting_value
from scoring.presets import Conflict, UnknownPreset, preset
from scoring.rules import SETTINGS


def rule_set_name(rule_set: RuleSet) -> str:
    """The book with its edition, or the preset's name; as it is kept where this release lacks the preset."""
    if rule_set.book is not None:
        return edition_name(rule_set.book.name, rule_set.number)
    return preset_name(rule_set.preset)


def edition_name(book: str, number: int | None) -> str:
    return _("%(book)s, edition %(number)s") % {"book": book, "number": number}


def preset_name(slug: str) -> str:
    try:
        return in_language(preset(slug).name)
    except UnknownPreset:
        return slug


@dataclass(frozen=True, slots=True)
class Difference:
    """One setting that two rule sets have otherwise, in words."""

    name: str
    label: str
    before: str
    after: str


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> list[Difference]:
    """What differs between two complete sets of JSON-shaped values, in the order of the registry."""
    return [
        Difference(
            name, setting_label(name), setting_value(name, before[name]), setting_value(name, after[name])
        )
        for name in SETTINGS
        if not same_value(name, before[name], after[name])
    ]


@dataclass(frozen=True, slots=True)
class Chooser:
    """Who chose a text, and when; ``name`` is empty where that is not known."""

    name: str
    day: date | None


def choosers(conflicts: Sequence[Conflict], records: Sequence[Record]) -> list[Chooser | None]:
    """Who chose in each of these questions, None where nobody was asked: one query, or none."""
    found = [record_of(conflict, records) for conflict in conflicts]
    people = {record["by"] for record in found if record and record.get("by")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username")) if people else {}
    return [_chooser(record, names) if record else None for record in found]


def _chooser(record: Record, names: Mapping[int, str]) -> Chooser:
    at = parse_datetime(str(record.get("at") or ""))
    return Chooser(names.get(record.get("by") or 0, ""), at.date() if at else None)
