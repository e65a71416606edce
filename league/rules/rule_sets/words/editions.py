"""Names of rules and their editions, and differences between them in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.messages import in_language
from league.models import RuleSet
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.readings import same_value
from league.rules.rule_sets.words.settings import setting_label
from scoring.presets import NOT_NOTED, find_preset, in_every_language, translated_notes
from scoring.rules import SETTINGS


def rule_set_name(rule_set: RuleSet) -> str:
    """Return the book with its edition, or the preset's name (its slug if this release lacks it)."""
    if rule_set.book is not None:
        return edition_name(rule_set.book.name, rule_set.number)
    return preset_name(rule_set.preset)


def edition_name(book: str, number: int | None) -> str:
    return _("%(book)s, edition %(number)s") % {"book": book, "number": number}


def preset_name(slug: str) -> str:
    source = find_preset(slug)
    return in_language(source.name) if source else slug


def edition_words(edition: str) -> str:
    """Return an edition in the reader's language if it is translated."""
    return in_language(in_every_language(edition))


def meaning(quotation: str) -> str:
    """Return what a quotation means in the reader's language, or an empty text if it is in that language."""
    return translated_notes().get((get_language() or "en").lower(), {}).get(quotation, "")


def article_words(article: str) -> str:
    """Return the article as its document writes it, or that its number is unknown."""
    return _("number not noted") if article == NOT_NOTED else article


@dataclass(frozen=True, slots=True)
class SettingDifference:
    name: str
    label: str
    before: str
    after: str


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> list[SettingDifference]:
    """Compare two complete sets of JSON-shaped values, in the order of the settings."""
    return [
        SettingDifference(
            name, setting_label(name), setting_value(name, before[name]), setting_value(name, after[name])
        )
        for name in SETTINGS
        if not same_value(name, before[name], after[name])
    ]
