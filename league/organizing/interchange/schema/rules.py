"""Rule sets and penalty rules of the competition file."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any

from django.utils.translation import gettext as _

from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, omit
from league.organizing.interchange.schema.checks import File, Found, Wrong, check
from league.organizing.interchange.schema.kinds import Choice, Whole
from league.organizing.interchange.schema.problems import Path, clean, quote, sentence_of
from league.rules.penalty_rules.services import LONGEST_CODE, MOST_ENTRIES
from league.rules.rule_sets.readings import FIRST, SECOND
from league.rules.rule_sets.words.problems import not_played, rule_problem
from players.text import has_control_characters
from scoring.infractions import catalogues, entry_of, extended
from scoring.presets import UnknownPreset, preset, presets, resolve
from scoring.rules import SETTINGS, Rules, RulesError

LONGEST = 500  # characters of any text of an entry of penalty rules


class ReadingFacts(FileFacts):
    """The reading that was chosen if the sources of a preset contradict each other."""

    settings: list[kinds.Key]
    chosen: Annotated[int, Whole(least=FIRST)]
    """1 or 2."""
    place: kinds.Reason
    """Where the chosen text is."""

    @check
    def _known(self, file: File) -> Found:
        for index, name in enumerate(self.settings):
            if name not in SETTINGS:
                yield ("settings", index), _("Unknown setting “%(name)s”.") % {"name": quote(name)}
        if self.chosen > SECOND:
            yield ("chosen",), _("Enter 1 for the first text or 2 for the second.")


class OwnCatalogueFacts(FileFacts):
    """Penalty rules of the league's own."""

    columns = ("name", "base", "entries")

    name: kinds.Name
    """A name that the league has already gets a number."""
    base: Annotated[str, Choice(*(each.slug for each in catalogues()))]
    """The published penalty rules that it extends."""
    entries: list[Any]
    """What it adds or changes, as `scoring/infractions` writes offences."""

    @cached_property
    def own_entries(self) -> list[dict[str, Any]]:
        """Return the entries in our own spelling. Raises ``ValueError``."""
        book = extended(self.base, self.entries, slug="own", names={})
        codes = dict.fromkeys(entry["code"] for entry in self.entries)
        return [entry_of(book.infractions[code]) for code in codes]

    @check
    def _entries(self, file: File) -> Found:
        if len(self.entries) > MOST_ENTRIES:
            sentence = _("Penalty rules can have at most %(count)s entries of their own.")
            raise Wrong(("entries",), sentence % {"count": MOST_ENTRIES})
        try:
            entries = self.own_entries
        except ValueError:
            sentence = _("These entries cannot be added: at least one is incomplete or wrong.")
            raise Wrong(("entries",), sentence) from None
        for index, entry in enumerate(entries):
            if sentence := _entry_problem(entry):
                yield ("entries", index), sentence


def _entry_problem(entry: dict[str, Any]) -> str:
    if not 0 < len(entry["code"]) <= LONGEST_CODE:
        return _("A code has 1 to %(most)s characters.") % {"most": LONGEST_CODE}
    if not any(entry["names"].values()):
        return _("Name the offence in at least one language.")
    texts = list(_texts(entry))
    if any(len(text) > LONGEST for text in texts):
        return _("At most %(most)s characters per text.") % {"most": LONGEST}
    return sentence_of("invisible") if any(map(has_control_characters, texts)) else ""


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _texts(part)


class RulesFacts(FileFacts):
    """The rules of a division: preset < `values` < `overrides`."""

    columns = ("preset", "edition", "catalogue")

    preset: kinds.Key
    """The slug of a built-in rule set."""
    overrides: dict[str, Any] = {}
    """What differs from it, by the names of the settings."""
    edition: kinds.CodeOrEmpty = ""
    """The edition of the preset from which the values come. Left out: today's."""
    values: dict[str, Any] = {}
    """The copy of every setting, safe from later editions of the preset."""
    catalogue: kinds.AddressOrEmpty = omit("")
    """The published penalty rules. Left out: those of the preset."""
    own_catalogue: OwnCatalogueFacts | None = omit(None)
    readings: Parts[ReadingFacts] = omit([])
    """Left out: what the preset chose."""

    @cached_property
    def resolved(self) -> Rules:
        """Raises ``UnknownPreset`` or ``RulesError``."""
        return resolve(self.preset, self.overrides, self.values)

    @check
    def _valid(self, file: File) -> Found:
        try:
            self.resolved  # noqa: B018
        except UnknownPreset:
            known = ", ".join(each.slug for each in presets())
            sentence = _("Unknown rule set “%(slug)s”. This server has: %(known)s.")
            yield ("preset",), sentence % {"slug": quote(self.preset), "known": known}
        except RulesError as error:
            for problem in error.problems:
                sentence = clean(rule_problem(problem))
                if problem.code == "unbalanced":
                    sentence += " " + _("In a file, set “unbalanced” to true.")
                yield self._place_of(problem.setting), sentence
        else:
            self.edition = self.edition or preset(self.preset).edition
            if (why := not_played(self.values | self.overrides)) is not None:
                yield self._place_of("chombo_timing"), why

    def _place_of(self, setting: str) -> Path:
        in_values = setting in self.values and setting not in self.overrides
        return "values" if in_values else "overrides", setting
