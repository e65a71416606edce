"""A rule set's catalogue of offences, as a referee chooses from it and as everybody reads it.

A *ruling* is one entry of the catalogue under one of its conditions: "A-II, 2 tiles", with its levels and the
deduction that the book gives. Deductions here are amounts in tenths, as in the book: 20 is a deduction of
2.0. Where the referee may choose (level 4 of the HKMA: 8 to 12) the amount has a least and a most.

A penalty keeps the entry's code and its levels ("5, 4, 4" when several apply together). The condition is
found again from the two where they tell it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from django.utils.translation import gettext as _

from league.joints import listed
from league.messages import in_language
from league.models import RuleSet
from scoring.infractions import Catalogue, Infraction, Level, Variant, catalogue
from scoring.presets import UnknownPreset, preset

JOINT = ", "  # between the levels that a penalty keeps: stored, the same in every language
Amounts = tuple[int, int] | None  # least and most of a deduction; None where the book names none


@dataclass(frozen=True)
class Ruling:
    """What the book says of one offence under one condition."""

    value: str  # how a form names it
    infraction: Infraction
    variant: Variant
    amounts: Amounts

    @property
    def level(self) -> str:
        """As a penalty keeps it; empty if the book names no level."""
        return JOINT.join(self.variant.levels)

    @property
    def condition(self) -> str:
        """When this ruling applies, in the reader's language; empty if always."""
        return in_language(self.variant.condition)

    @property
    def name(self) -> str:
        """Code, offence and condition in the reader's language."""
        offence, condition = offence_name(self.infraction), self.condition
        if not condition:
            return offence
        return _("%(offence)s: %(condition)s") % {"offence": offence, "condition": condition}


@dataclass(frozen=True)
class Book:
    """What a referee of one rule set may choose from. Without a catalogue it is empty: free text only."""

    catalogue: Catalogue | None

    @cached_property
    def levels(self) -> Mapping[str, Level]:
        return self.catalogue.levels if self.catalogue else {}

    @cached_property
    def rulings(self) -> dict[str, Ruling]:
        """Every ruling by the value that names it in a form, in the order of the book."""
        found = self.catalogue.infractions.values() if self.catalogue else ()
        rulings = (
            Ruling(f"{infraction.code}.{index}", infraction, variant, self._amounts_of(variant))
            for infraction in found
            for index, variant in enumerate(infraction.variants)
        )
        return {ruling.value: ruling for ruling in rulings}

    def by_category(self) -> list[tuple[str, list[Ruling]]]:
        """The rulings under the headings of the book, in the reader's language."""
        groups: dict[str, list[Ruling]] = {}
        for ruling in self.rulings.values():
            groups.setdefault(ruling.infraction.category, []).append(ruling)
        headings = self.catalogue.categories if self.catalogue else {}
        return [(in_language(headings[category]), rulings) for category, rulings in groups.items()]

    def amounts(self, levels: Sequence[str]) -> Amounts:
        """What these levels together deduct."""
        known = [self.levels[code] for code in levels]
        least = [level.deduction for level in known if level.deduction is not None]
        if not known or len(least) < len(known):
            return None
        most = [level.deduction_max or level.deduction or 0 for level in known]
        return sum(least), sum(most)

    def _amounts_of(self, variant: Variant) -> Amounts:
        found = self.amounts(variant.levels)
        if found is None or variant.deduction is None:
            return None
        return variant.deduction, max(variant.deduction, found[1])

    def offence(self, infraction: str) -> str:
        """Code and name of an entry in the reader's language; the bare code if the book has no such entry."""
        found = self.catalogue.infractions.get(infraction) if self.catalogue else None
        return offence_name(found) if found else infraction

    def condition(self, infraction: str, level: str) -> str:
        """The condition that a code and its levels tell; empty where several conditions share them."""
        same = [r for r in self.rulings.values() if r.infraction.code == infraction and r.level == level]
        return same[0].condition if len(same) == 1 else ""

    def tells_condition(self, ruling: Ruling, level: str) -> bool:
        """Can a reader of the code and ``level`` know which condition was meant?"""
        return self.condition(ruling.infraction.code, level) == ruling.condition


def offence_name(infraction: Infraction) -> str:
    """ "A-II Illegal exposure" in the reader's language."""
    return f"{infraction.code} {in_language(infraction.names)}"


def level_name(level: str) -> str:
    """ "level 4" for what a penalty keeps; empty for none."""
    return _("level %(level)s") % {"level": listed(level.split(JOINT))} if level else ""


def book_of(rule_set: RuleSet) -> Book:
    """The book of a division's rule set, by the preset that it came from."""
    return _book(rule_set.preset)


@cache
def _book(preset_slug: str) -> Book:
    try:
        slug = preset(preset_slug).catalogue
    except UnknownPreset:  # a preset of another edition of Umaoka: its values are stored, its book is not
        slug = None
    return Book(catalogue(slug) if slug else None)
