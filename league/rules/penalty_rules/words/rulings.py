"""The penalty rules of a rule set, as referees choose from them and everyone reads them.

A *ruling* is one entry under one of its conditions, such as "A-II, 2 tiles", with its levels and deduction.
Deductions are in tenths: 20 deducts 2.0. They have a least and a most if the referee may choose (HKMA level
4: 8 to 12).

A penalty stores the entry's code and its levels ("5, 4, 4" if several apply), which usually identify the
condition. `PenaltyRules.wording` finds the rules with its words.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from django.utils.translation import gettext as _

from league.core.messages import in_language
from league.core.search import sole
from league.core.text import listed
from league.models import OwnCatalogue, Penalty, RuleSet
from scoring.escalation import (
    Act,
    Sanction,
    condition_by_history,
    condition_of_repetition,
    sanction_with,
    suggest,
)
from scoring.infractions import (
    JOINT,
    MISCONDUCT,
    Amounts,
    Catalogue,
    Infraction,
    Level,
    Names,
    UnknownCatalogue,
    Variant,
    catalogue,
    catalogues,
    extended,
    levels_in,
)
from scoring.presets import find_preset


@dataclass(frozen=True)
class Ruling:
    infraction: Infraction
    index: int  # of the condition
    variant: Variant
    amounts: Amounts

    @property
    def value(self) -> str:
        """Return the name of the ruling in forms and in the table of hands."""
        return f"{self.infraction.code}.{self.index}"

    @property
    def level(self) -> str:
        """Return the levels as a penalty stores them, or ""."""
        return JOINT.join(self.variant.levels)

    @property
    def condition(self) -> str:
        return in_language(self.variant.condition)

    @property
    def name(self) -> str:
        offence = offence_name(self.infraction)
        condition = self.condition
        if not condition:
            return offence
        return _("%(offence)s: %(condition)s") % {"offence": offence, "condition": condition}


@dataclass(frozen=True)
class PenaltyRules:
    """The penalty rules of a rule set. Without a catalogue the referee types free text."""

    catalogue: Catalogue | None

    @cached_property
    def levels(self) -> Mapping[str, Level]:
        return self.catalogue.levels if self.catalogue else {}

    @cached_property
    def rulings(self) -> dict[str, Ruling]:
        if self.catalogue is None:
            return {}
        rulings = (
            Ruling(infraction, index, variant, self.catalogue.amounts_of(variant))
            for infraction in self.catalogue.infractions.values()
            for index, variant in enumerate(infraction.variants)
        )
        return {ruling.value: ruling for ruling in rulings}

    def ruling(self, infraction: str, condition: int) -> Ruling:
        """Return the ruling of an entry and index of condition. Raises KeyError."""
        return self.rulings[f"{infraction}.{condition}"]

    def ruling_of(self, penalty: Penalty) -> Ruling | None:
        return self.rulings.get(f"{penalty.infraction}.{penalty.condition}")

    def conditions(self, earlier: Sequence[Act], act: Act) -> list[Ruling]:
        """Return the rulings that fit the player's record. Raises KeyError for an unknown entry."""
        return self._rulings(condition_by_history(self._offence(act.code), earlier, act), act.code)

    def repetitions(self, earlier: Sequence[Act], act: Act) -> list[Ruling]:
        """Return the rulings for a repetition whose first time is not on record. Raises KeyError, too."""
        return self._rulings(condition_of_repetition(self._offence(act.code), earlier, act), act.code)

    def _offence(self, code: str) -> Infraction:
        if self.catalogue is None:
            raise KeyError(code)
        return self.catalogue.infractions[code]

    def _rulings(self, variants: Sequence[Variant], code: str) -> list[Ruling]:
        every = (self.ruling(code, index) for index in range(len(self._offence(code).variants)))
        return [ruling for ruling in every if ruling.variant in variants]

    def sanction(self, ruling: Ruling, earlier: Sequence[Act], act: Act, *, units: int = 1) -> Sanction:
        """Return the cost of a ruling after this record. ``units``: tiles or minutes."""
        assert self.catalogue is not None
        return suggest(self.catalogue, ruling.variant, earlier, act, units=units)

    def sanction_with(self, ruling: Ruling, levels: tuple[str, ...], *, units: int = 1) -> Sanction:
        """Return the cost of a ruling with levels that the referee chose."""
        assert self.catalogue is not None
        return sanction_with(self.catalogue, ruling.variant, levels, units=units)

    def rank(self, level: str) -> int:
        """Return the index of the most severe of these levels, or -1."""
        order = list(self.levels)
        return max((order.index(code) for code in levels_in(level) if code in order), default=-1)

    def reaches(self, level: str, limit: str) -> bool:
        return limit in self.levels and self.rank(level) >= self.rank(limit)

    def expels(self, level: str) -> bool:
        return any(self.levels[code].expels for code in levels_in(level) if code in self.levels)

    @property
    def offered(self) -> list[Infraction]:
        entries = self.catalogue.infractions.values() if self.catalogue else ()
        return [entry for entry in entries if not entry.superseded_by]

    def by_category(self) -> list[tuple[str, list[Infraction]]]:
        groups: dict[str, list[Infraction]] = {}
        for entry in self.offered:
            groups.setdefault(entry.category, []).append(entry)
        headings = self.catalogue.categories if self.catalogue else {}
        return [(in_language(headings[category]), entries) for category, entries in groups.items()]

    def amounts(self, levels: Sequence[str]) -> Amounts:
        return self.catalogue.amounts(levels) if self.catalogue else None

    def wording(self, infraction: str, level: str) -> "PenaltyRules":
        """Return the rules with the words of a penalty's offence and levels (each may be "").

        These are this division's rules if they know both, or else published rules that know both, the
        offence, or the levels. If several published rules use the code for different things, return these
        rules, which show the bare code.
        """
        for asked in ((infraction, level), (infraction, ""), ("", level)):
            if self.names(*asked) is not None:
                return self
            having = [rules for rules in _all_published() if rules.names(*asked) is not None]
            if having:
                first, *others = having
                same = all(rules.names(*asked) == first.names(*asked) for rules in others)
                return first if same else self
        return self

    def names(self, infraction: str, level: str) -> list[Names] | None:
        """Return the names of this offence and these levels (each may be ""), or None if one is unknown."""
        try:
            entries = self.catalogue.infractions if self.catalogue else {}
            offence = [entries[infraction].names] if infraction else []
            return offence + [self.levels[code].names for code in levels_in(level)]
        except KeyError:
            return None

    def offence(self, infraction: str) -> str:
        """Return code and name of an entry, or the bare code if unknown."""
        entry = self._entry(infraction)
        return offence_name(entry) if entry else infraction

    def is_misconduct(self, infraction: str) -> bool:
        entry = self._entry(infraction)
        return entry is not None and entry.category in MISCONDUCT

    def article(self, infraction: str) -> str:
        entry = self._entry(infraction)
        return entry.article if entry else ""

    def _entry(self, infraction: str) -> Infraction | None:
        return self.catalogue.infractions.get(infraction) if self.catalogue else None

    def condition(self, infraction: str, level: str) -> str:
        """Return the condition that code and levels identify, or "" if several share them."""
        same = [r for r in self.rulings.values() if r.infraction.code == infraction and r.level == level]
        ruling = sole(same)
        return ruling.condition if ruling else ""


def offence_name(infraction: Infraction) -> str:
    return f"{infraction.code} {in_language(infraction.names)}"


def level_name(level: str, rules: PenaltyRules | None = None) -> str:
    """Return "level 4", "level 5 + 2 × level 4", or names such as "Dead hand" for levels without numbers."""
    codes = Counter(levels_in(level))
    if rules is None or any(_is_number(code) or code not in rules.levels for code in codes):
        return " + ".join(_numbered_level(code, times) for code, times in codes.items())
    return listed(in_language(rules.levels[code].names) for code in codes)


def _numbered_level(code: str, times: int) -> str:
    if times == 1:
        return _("level %(level)s") % {"level": code}
    return _("%(times)s × level %(level)s") % {"times": times, "level": code}


def _is_number(code: str) -> bool:
    return code[:1].isdigit()


def penalty_rules_of(rule_set: RuleSet) -> PenaltyRules:
    """Return the league's own penalty rules, other published ones, or those of the preset."""
    if rule_set.own_catalogue_id is not None:
        assert rule_set.own_catalogue is not None
        return own_penalty_rules(rule_set.own_catalogue)
    return _published_rules(rule_set.catalogue) if rule_set.catalogue else _of_preset(rule_set.preset)


def expels(penalty: Penalty) -> bool:
    """Return whether the penalty expels its player, under the rules that word it."""
    rules = penalty_rules_of(penalty.stage.division.rule_set).wording(penalty.infraction, penalty.level)
    return rules.expels(penalty.level)


def own_penalty_rules(own: OwnCatalogue) -> PenaltyRules:
    """Return a league's own penalty rules, or the published ones if the two no longer fit together."""
    try:
        return PenaltyRules(extended(own.base, own.entries, slug=own.slug, names={"en": own.name}))
    except (UnknownCatalogue, ValueError):  # the base is of another edition of Umaoka
        return _published_rules(own.base)


@cache
def _all_published() -> tuple[PenaltyRules, ...]:
    """Return all published penalty rules, the newest edition of each first."""
    return tuple(_published_rules(each.slug) for each in reversed(catalogues()))


@cache
def _published_rules(slug: str) -> PenaltyRules:
    try:
        return PenaltyRules(catalogue(slug))
    except UnknownCatalogue:  # of another edition of Umaoka
        return PenaltyRules(None)


@cache
def _of_preset(preset_slug: str) -> PenaltyRules:
    preset = find_preset(preset_slug)  # one of another edition of Umaoka has no catalogue here
    if preset is None or not preset.catalogue:
        return PenaltyRules(None)
    return PenaltyRules(catalogue(preset.catalogue))
