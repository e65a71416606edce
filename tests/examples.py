"""Numbers of random examples: `bin/test` tries a fifth of them, the other commands try all."""

from hypothesis import settings

FULL = 100  # examples of a test that names no number, in every profile but "quick"


def examples(number: int) -> settings:
    """Return settings with this number of examples, or with the share of them that the profile tries."""
    return settings(max_examples=scaled(number))


def scaled(number: int) -> int:
    """Return the share of a number that the profile tries, but at least three."""
    return max(min(number, 3), number * settings().max_examples // FULL)
