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
from league.core.text import listed
from league.models import OwnCatalogue, Penalty, RuleSet
from scoring.escalation import Earlier, Moment, Suggestion, condition_by_history, suggest
from scoring.infractions import (
    MISCONDUCT,
    Catalogue,
    Infraction,
    Level,
    Names,
    UnknownCatalogue,
    Variant,
    catalogue,
    catalogues,
    extended,
)
from scoring.presets import find_preset

JOINT = ", "  # between the levels that a penalty keeps: stored, the same in every language
Amounts = tuple[int, int] | None  # least and most of a deduction; None where none is named


@dataclass(frozen=True)
class Ruling:
    value: str  # how a form names it
    infraction: Infraction
    variant: Variant
    amounts: Amounts

    @property
    def level(self) -> str:
        """Return the levels as a penalty stores them, or ""."""
        return JOINT.join(self.variant.levels)

    @property
    def condition(self) -> str:
        return in_language(self.variant.condition)

    @property
    def name(self) -> str:
        offence, condition = offence_name(self.infraction), self.condition
        if not condition:
            return offence
        return _("%(offence)s: %(condition)s") % {"offence": offence, "condition": condition}


@dataclass(frozen=True)
class Sanction:
    """The cost of an offence under one condition for a player with an earlier record."""

    ruling: Ruling
    suggestion: Suggestion
    amounts: Amounts
    win_ban: bool
    expels: bool
    payment: int  # points to each other player, in the game
    units: int

    @property
    def levels(self) -> tuple[str, ...]:
        return self.suggestion.levels

    @property
    def level(self) -> str:
        return JOINT.join(self.levels)

    @property
    def handling(self) -> str:
        """Return what happens to the hand, or "" if the penalty rules do not say."""
        return in_language(self.ruling.variant.hand_handling)


@dataclass(frozen=True)
class PenaltyRules:
    """The penalty rules of a rule set. Without a catalogue the referee types free text."""

    catalogue: Catalogue | None

    @cached_property
    def levels(self) -> Mapping[str, Level]:
        return self.catalogue.levels if self.catalogue else {}

    @cached_property
    def rulings(self) -> dict[str, Ruling]:
        found = self.catalogue.infractions.values() if self.catalogue else ()
        rulings = (
            Ruling(f"{infraction.code}.{index}", infraction, variant, self._amounts_of(variant))
            for infraction in found
            for index, variant in enumerate(infraction.variants)
        )
        return {ruling.value: ruling for ruling in rulings}

    def ruling(self, infraction: str, condition: int) -> Ruling:
        """Return the ruling of an entry and index of condition. Raises KeyError."""
        return self.rulings[f"{infraction}.{condition}"]

    def conditions(self, infraction: str, earlier: Sequence[Earlier], now: Moment) -> list[Ruling]:
        """Return the rulings that fit the player's record. Raises KeyError for an unknown entry."""
        if self.catalogue is None:
            raise KeyError(infraction)
        entry = self.catalogue.infractions[infraction]
        left = condition_by_history(entry, earlier, now)
        every = (self.ruling(infraction, index) for index in range(len(entry.variants)))
        return [ruling for ruling in every if ruling.variant in left]

    def sanction(
        self, ruling: Ruling, earlier: Sequence[Earlier], now: Moment, *, units: int = 1
    ) -> Sanction:
        """Return the cost of a ruling after this record. ``units``: tiles or minutes."""
        assert self.catalogue is not None
        variant = ruling.variant
        suggestion = suggest(self.catalogue, ruling.infraction, variant, earlier, now)
        return self.sanction_for(ruling, suggestion, units=units)

    def sanction_for(self, ruling: Ruling, suggestion: Suggestion, *, units: int = 1) -> Sanction:
        """Return the cost of these levels: the condition's own amount, or that of other levels."""
        variant, levels = ruling.variant, suggestion.levels
        own = levels == variant.levels
        amounts = ruling.amounts if own else self.amounts(levels)
        if own and variant.unit and amounts:
            amounts = amounts[0] * units, amounts[1] * units
        known = [self.levels[code] for code in levels if code in self.levels]
        return Sanction(
            ruling=ruling,
            suggestion=suggestion,
            amounts=amounts,
            win_ban=(own and variant.win_ban) or any(level.win_ban for level in known),
            expels=any(level.expels for level in known),
            payment=variant.pay_each * (units if variant.unit else 1),
            units=units,
        )

    def rank(self, level: str) -> int:
        """Return the index of the most severe of these levels, or -1."""
        order = list(self.levels)
        return max((order.index(code) for code in _codes(level) if code in order), default=-1)

    def reaches(self, level: str, limit: str) -> bool:
        return limit in self.levels and self.rank(level) >= self.rank(limit)

    def expels(self, level: str) -> bool:
        return any(self.levels[code].expels for code in _codes(level) if code in self.levels)

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
        known = [self.levels[code] for code in levels]
        least = [level.deduction for level in known if level.deduction is not None]
        if not known or len(least) < len(known):
            return None
        most = [level.deduction_max or level.deduction or 0 for level in known]
        return sum(least), sum(most)

    def _amounts_of(self, variant: Variant) -> Amounts:
        found = self.amounts(variant.levels)
        if variant.deduction is None:
            return None
        if variant.deduction_max is not None:
            return variant.deduction, variant.deduction_max
        most = variant.deduction if found is None else max(variant.deduction, found[1])
        return variant.deduction, most

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
                same = all(rules.names(*asked) == having[0].names(*asked) for rules in having)
                return having[0] if same else self
        return self

    def names(self, infraction: str, level: str) -> list[Names] | None:
        """Return the names of this offence and these levels (each may be ""), or None if one is unknown."""
        try:
            entries = self.catalogue.infractions if self.catalogue else {}
            offence = [entries[infraction].names] if infraction else []
            return offence + [self.levels[code].names for code in _codes(level)]
        except KeyError:
            return None

    def offence(self, infraction: str) -> str:
        """Return code and name of an entry, or the bare code if unknown."""
        found = self._entry(infraction)
        return offence_name(found) if found else infraction

    def is_misconduct(self, infraction: str) -> bool:
        found = self._entry(infraction)
        return found is not None and found.category in MISCONDUCT

    def article(self, infraction: str) -> str:
        found = self._entry(infraction)
        return found.article if found else ""

    def _entry(self, infraction: str) -> Infraction | None:
        return self.catalogue.infractions.get(infraction) if self.catalogue else None

    def condition(self, infraction: str, level: str) -> str:
        """Return the condition that code and levels identify, or "" if several share them."""
        same = [r for r in self.rulings.values() if r.infraction.code == infraction and r.level == level]
        return same[0].condition if len(same) == 1 else ""


def offence_name(infraction: Infraction) -> str:
    return f"{infraction.code} {in_language(infraction.names)}"


def level_name(level: str, rules: PenaltyRules | None = None) -> str:
    """Return "level 4", "level 5 + 2 × level 4", or names such as "Dead hand" for levels without numbers."""
    codes = Counter(_codes(level))
    if rules is None or any(_is_number(code) or code not in rules.levels for code in codes):
        return " + ".join(_numbered_level(code, times) for code, times in codes.items())
    return listed(in_language(rules.levels[code].names) for code in codes)


def _numbered_level(code: str, times: int) -> str:
    if times == 1:
        return _("level %(level)s") % {"level": code}
    return _("%(times)s × level %(level)s") % {"times": times, "level": code}


def _codes(level: str) -> list[str]:
    return level.split(JOINT) if level else []


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
    found = find_preset(preset_slug)  # one of another edition of Umaoka has no catalogue here
    return PenaltyRules(catalogue(found.catalogue) if found and found.catalogue else None)
