"""Find rule sets by their key. No key raises an error.

A key is the slug of a preset, ``c:<competition>:<division>`` for the rules of a division, or
``own:<league>:<book>:<number>`` for an edition. A rule set that the person may not see is not found.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from league.core.access import enter, owns, visible_competitions
from league.core.messages import in_language
from league.core.text import listed
from league.models import Competition, Division, League, RuleSet
from league.rules.rule_sets.readings import followed_texts
from league.rules.rule_sets.words.editions import edition_words, preset_name, rule_set_name
from scoring.presets import Preset, find_preset, preset, presets
from scoring.rules import Rules

Person = User | AnonymousUser

LONGEST_KEY: Final = 300
EDITION_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
COMPETITIONS: Final = 8  # named beside a preset that they play
LEAGUES: Final = 12  # in which a person may make rules of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRules:
    """A rule set that the person may see.

    ``part``: the division or the edition, empty for a preset. ``title``: the name of the rules, with the
    edition of a book (``is_own``). ``address``: the page of the rules. ``values``: every setting in JSON.
    ``stored``: the settings that were saved, the rest has defaults. ``source``: the preset with the articles,
    or None if it is unknown here. ``state``: everything that these depend on besides the release.
    """

    key: str
    name: str
    part: str = ""
    title: str
    is_own: bool = False
    address: str
    values: Mapping[str, object]
    stored: frozenset[str]
    source: Preset | None
    preset: str
    edition: str
    readings: Sequence[Mapping[str, Any]] = ()
    competition: Competition | None = None
    state: tuple[object, ...] = ()

    @property
    def rules(self) -> Rules:
        return Rules.from_values(self.values)

    @property
    def is_preset(self) -> bool:
        return self.key == self.preset

    @property
    def made_from(self) -> str:
        return preset_name(self.preset)

    @property
    def edition_words(self) -> str:
        return edition_words(self.edition)


Finder = Callable[[Person, Sequence[str]], FoundRules | None]


def find_rules(user: Person, key: str) -> FoundRules | None:
    if len(key) > LONGEST_KEY or not key.isprintable():
        return None
    kind, *path = key.split(":") if ":" in key else ("", key)
    finder = FINDERS.get(kind)
    return finder(user, path) if finder else None


def find_several(user: Person, keys: Iterable[str], *, most: int) -> tuple[list[FoundRules], list[str], int]:
    """Return the rule sets of the first ``most`` keys, the unknown keys, and the number of keys left out."""
    once = list(dict.fromkeys(key for key in keys if key))
    tried = {key: find_rules(user, key) for key in once[:most]}
    unknown = [key for key, found in tried.items() if found is None]
    return [found for found in tried.values() if found is not None], unknown, len(once) - len(tried)


# --- presets


def preset_rules(source: Preset) -> FoundRules:
    return FoundRules(
        key=source.slug,
        name=in_language(source.name),
        title=in_language(source.name),
        address=reverse("rule_sets:published", args=[source.slug]),
        values=source.values,
        stored=frozenset(source.values),
        source=source,
        preset=source.slug,
        edition=source.edition,
    )


@lru_cache(maxsize=128)
def _published_rules(slug: str) -> Rules:
    return preset_rules(preset(slug)).rules


def rules_of(found: FoundRules) -> Rules:
    """Return the rules of a rule set. Published ones are built once."""
    return _published_rules(found.key) if found.is_preset else found.rules


def rule_set_choices(found: FoundRules) -> list[tuple[str, str]]:
    """Return the published rule sets, and the current one if it is not published."""
    choices = [(each.slug, in_language(each.name)) for each in presets()]
    if found.is_preset:
        return choices
    return [(found.key, listed(filter(None, (found.name, found.part)))), *choices]


def _find_preset(user: Person, path: Sequence[str]) -> FoundRules | None:
    slug, *_parts = path
    source = find_preset(slug)
    return preset_rules(source) if source else None


# --- what a division plays


def division_key(division: Division) -> str:
    return f"c:{division.competition.slug}:{division.slug}"


def division_rules(division: Division) -> FoundRules:
    """Return the rules of a division. Needs its competition, rule set and book (``select_related``)."""
    stored, competition = division.rule_set, division.competition
    title = rule_set_name(stored)
    return FoundRules(
        key=division_key(division),
        name=competition.name,
        part=division.name,
        title=title,
        is_own=stored.book_id is not None,
        address=f"{reverse('competitions:rules', args=[competition.slug])}#{division.slug}",
        values=stored.rules.as_values(),
        stored=frozenset(stored.values),
        source=source_of(stored),
        preset=stored.preset,
        edition=stored.edition,
        readings=stored.readings,
        competition=competition,
        state=(competition.pk, competition.seen_version(public=False), competition.league.name, title),
    )


def divisions_of(competition: Competition) -> list[Division]:
    """Return the divisions in order, ready for ``division_rules``. Queries: 1."""
    stored_divisions = Division.objects.filter(competition=competition).select_related("rule_set__book")
    divisions = list(stored_divisions.order_by("position", "pk"))
    for division in divisions:
        division.competition = competition
    return divisions


def source_of(stored: RuleSet) -> Preset | None:
    """Return the preset of the values, unless it has another edition now."""
    source = find_preset(stored.preset)
    return source if source and stored.edition in {"", source.edition} else None


def texts_of(stored: RuleSet) -> dict[int, int]:
    """Return question of the source → number of the text that is followed."""
    return followed_texts(source_of(stored), stored.readings, stored.rules.as_values())


def _find_division(user: Person, path: Sequence[str]) -> FoundRules | None:
    if len(path) != 2:
        return None
    competition, division = path
    try:
        access = enter(user, competition)
        stored_division = access.division(division)
    except (Http404, PermissionDenied):
        return None
    stored_division.competition = access.competition  # the one at hand, whose revision was read first
    return division_rules(stored_division)


# --- an edition of a league's own rules


def edition_key(edition: RuleSet) -> str:
    """Return ``own:<league>:<book>:<number>``. Needs the book and its league."""
    book = edition.book
    assert book is not None
    return f"own:{book.league.slug}:{book.slug}:{edition.number}"


def edition_rules(edition: RuleSet) -> FoundRules:
    """Return an edition. Needs the book and its league."""
    book, key = edition.book, edition_key(edition)
    assert book is not None
    return FoundRules(
        key=key,
        name=book.name,
        part=_("edition %(number)s") % {"number": edition.number},
        title=rule_set_name(edition),
        is_own=True,
        address=reverse("rule_sets:published", args=[key]),
        values=edition.rules.as_values(),
        stored=frozenset(edition.values),
        source=source_of(edition),
        preset=edition.preset,
        edition=edition.edition,
        readings=edition.readings,
        state=(edition.pk, book.name, sorted(edition.values.items()), edition.readings),
    )


def _find_edition(user: Person, path: Sequence[str]) -> FoundRules | None:
    """Find an edition for the league's owners, and for people who see a competition with it."""
    if len(path) != 3:
        return None
    league, book, number = path
    if not EDITION_NUMBER.fullmatch(number):
        return None
    editions = RuleSet.objects.select_related("book__league")
    edition = editions.filter(book__league__slug=league, book__slug=book, number=int(number)).first()
    if edition is None or edition.book is None:
        return None
    played = visible_competitions(user).filter(divisions__rule_set=edition)
    return edition_rules(edition) if owns(user, edition.book.league) or played.exists() else None


FINDERS: Final[dict[str, Finder]] = {"": _find_preset, "c": _find_division, "own": _find_edition}


# --- who plays a preset, and who may make it their own


def competitions_under(slug: str) -> list[Competition]:
    """Return the newest public competitions with this preset, one more than are shown."""
    public = visible_competitions(AnonymousUser()).filter(divisions__rule_set__preset=slug)
    return list(public.distinct()[: COMPETITIONS + 1])


def own_leagues(user: Person) -> list[League]:
    return list(League.objects.filter(owners=user)[:LEAGUES]) if isinstance(user, User) else []
