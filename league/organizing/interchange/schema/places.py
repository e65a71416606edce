"""Parents of objects that name their stage, round or table."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts
from league.organizing.interchange.schema.checks import File, Found, UnknownField, Wrong, check, choose
from league.organizing.interchange.schema.problems import Path

StageKey = tuple[str, str]  # slugs of division and stage
RoundKey = tuple[str, str, int]  # and the round's number
TableKey = tuple[str, str, int, int]  # and the table's


class InStage(FileFacts):
    division: kinds.Key = ""
    """Its slug. Left out: the only one."""
    stage: kinds.Key = ""
    """Its slug. Left out: the only one of the division."""

    @property
    def in_stage(self) -> StageKey:
        return self.division, self.stage

    @check
    def _known_place(self, file: File) -> Found:
        """Fill in the sole division and the sole stage. Check the round and the table."""
        self.division = _only(("division",), self.division, file.divisions)
        self.stage = _only(("stage",), self.stage, file.divisions[self.division])
        rounds, number = file.divisions[self.division][self.stage], getattr(self, "round", None)
        if number is None:
            return
        if number not in rounds:
            yield ("round",), _("This stage has no round %(number)s.") % {"number": number}
            return
        table = getattr(self, "table", None)
        if table is not None and table not in rounds[number]:
            yield ("table",), _("This round has no table %(number)s.") % {"number": table}


def _only(where: Path, value: str, choices: Collection[str]) -> str:
    if not choices:
        raise UnknownField
    if not value and len(choices) > 1:
        sentence = _("Ambiguous. Choose one of: %(choices)s.")
        raise Wrong(where, sentence % {"choices": ", ".join(choices)})
    found = value or next(iter(choices))
    choose(where, found, choices)
    return found


class InRound(InStage):
    round: kinds.Number
    """Its number."""

    @property
    def in_round(self) -> RoundKey:
        return *self.in_stage, self.round


class AtTable(InRound):
    table: kinds.Number
    """Its number."""

    @property
    def at_table(self) -> TableKey:
        return *self.in_round, self.table
