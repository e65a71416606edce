"""Kinds of notices, and the numbers in their messages. No message holds a text."""

from enum import StrEnum
from typing import Final

Target = tuple[int, ...]


class About(StrEnum):
    """A kind of notice, with the numbers of its target."""

    SEATED = "seated"  # round, table number, wind, and how many other seats were announced before
    NEXT = "next"  # the same, before the round starts
    RESULT = "result"  # sheet
    TIME = "time"  # appointment
    PENALTY = "penalty"
    REVOKED = "revoked"  # penalty
    BAN = "ban"
    LIFTED = "lifted"  # ban
    OBJECTION = "objection"  # call
    RULING = "ruling"  # dispute
    TEST = "test"
    CONFIRM = "confirm"  # the mail that asks whether the address is right


# Only the player concerned may read these. They go to accounts that are linked to the player.
PERSONAL: Final = frozenset({About.PENALTY, About.REVOKED, About.BAN, About.LIFTED, About.RULING})
