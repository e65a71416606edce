from fractions import Fraction

from django import template

from league.core.tags import score

register = template.Library()


@register.filter
def decimal(value: float) -> str:
    """Return a rating with one decimal: "24.3", "−0.5"."""
    return score(Fraction(round(10 * value))).lstrip("+")
