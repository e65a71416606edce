"""The hands of tables, in the competition file."""

import json
from typing import Annotated, Any
from uuid import UUID

from django.utils.translation import gettext as _
from pydantic import PlainSerializer

from league.models import HandEntry
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import Choice, Once, Read, Whole
from league.organizing.interchange.schema.places import AtTable
from league.play.hands.words.problems import log_problem
from scoring.hanchan import IllegalHand
from scoring.hand_log import CHANGES, BadEntry, LogEntry, read_log
from scoring.rules import Rules

HANDS_VERSION = 1
MOST_FACTS = 4000  # characters
Key = Annotated[UUID, Read("UUID", "uuid", UUID), PlainSerializer(str)]


class HandEntryFacts(FileFacts):
    """An entry of the log of a table's hands."""

    columns = ("number", "key", "kind", "target", "facts", "at")

    number: Annotated[int, Whole(least=1)]
    """The log is replayed in the order of the numbers. A `hand` is named by its number."""
    key: Key
    """Unique at the table. A device that sends the entry again learns that it is saved."""
    kind: Annotated[str, Choice(*HandEntry.Kind.values)]
    """`hand` adds a hand. `correct`, `insert` (before it) and `remove` name a hand by `target`."""
    target: Annotated[int, Whole(least=1)] | None = omit(None)
    facts: dict[str, Any] = omit({})
    """The hand as the hand log of Umaoka writes it, or `seats`, `how`, `hand`, `points` of other kinds."""
    at: kinds.Moment
    """When it was pressed."""
    player: kinds.PlayerId | None = omit(None)
    """Whose phone it was."""

    @check
    def _target(self, file: File) -> Found:
        names = self.kind in CHANGES
        if names != (self.target is not None) or (self.target is not None and self.target >= self.number):
            yield ("target",), log_problem("target")
        text = json.dumps(self.facts)
        if len(text) > MOST_FACTS or "\\u0000" in text:
            yield ("facts",), log_problem("malformed")


class TableHandsFacts(AtTable):
    """The log of a table's hands."""

    version: Annotated[int, Whole(least=1, most=HANDS_VERSION)] = HANDS_VERSION
    """Of the facts of its entries."""
    log: Annotated[Parts[HandEntryFacts], Once("number"), Once("key")]

    @property
    def entries(self) -> list[LogEntry]:
        by_number = sorted(self.log, key=lambda each: each.number)
        return [LogEntry(each.number, each.kind, each.facts, each.target) for each in by_number]

    def check_log(self, rules: Rules) -> Found:
        """Yield what no log can hold. A hand that its rules refuse may be of rules that changed since."""
        try:
            read_log(self.entries, rules)
        except BadEntry as bad:
            yield ("log",), log_problem(bad.code)
        except IllegalHand:
            return

    @check
    def _not_empty(self, file: File) -> Found:
        if not self.log:
            yield ("log",), _("This table has no hands. Leave it out.")
