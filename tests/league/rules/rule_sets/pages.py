"""Rule sets for tests of their pages."""

from dataclasses import replace

from django.contrib.auth.models import AnonymousUser

from league.rules.rule_sets.queries.rule_sets import FoundRules, find_rules
from scoring.presets import resolve


def found(slug: str, **changed: object) -> FoundRules:
    """Return a preset, or a league's own copy with changed settings."""
    made = find_rules(AnonymousUser(), slug)
    assert made is not None
    if not changed:
        return made
    values = {**made.values, **changed}
    resolve(slug, values)  # they make a rule set
    return replace(made, key="own:a:b:1", values=values)
