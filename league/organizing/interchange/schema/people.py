"""Players and teams of the competition file."""

from typing import Annotated

from django.utils.translation import gettext as _

from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, omit
from league.organizing.interchange.schema.checks import File, Found, check
from league.organizing.interchange.schema.kinds import Whole
from league.organizing.interchange.schema.problems import quote
from players.models import FederationNumber


class PlayerFacts(FileFacts):
    """A player: new in the league's register, even if another player has the same name."""

    columns = ("name", "romanized", "country")

    id: kinds.Key
    """Unique among the players of the file, and in the file only."""
    name: kinds.Name
    romanized: kinds.NameOrEmpty = ""
    country: kinds.Country = ""
    ema_number: kinds.CodeOrEmpty = ""
    club: kinds.NameOrEmpty = ""
    division: kinds.Address | None = None
    """Where the player is entered, null for nowhere. Left out: the first division in which they sit."""
    federation_numbers: dict[kinds.Federation, kinds.Code] = omit({})
    """Numbers besides `ema_number`, by federation."""
    withdrawn: bool = omit(False)
    substitute: bool = omit(False)
    """The player only sits for others and is in no standings."""
    guest: bool = omit(False)
    """A guest of the club, whom its rankings can leave out."""
    previous_rank: Annotated[int, Whole(least=1)] | None = omit(None)
    """The rank of last season."""

    @property
    def numbers(self) -> dict[str, str]:
        ema = {FederationNumber.EMA: self.ema_number} if self.ema_number else {}
        return dict(sorted((self.federation_numbers | ema).items()))

    @check
    def _known_division(self, file: File) -> Found:
        if "division" not in self.model_fields_set:
            only = next(iter(file.divisions)) if len(file.divisions) == 1 else None
            self.division = file.plays_in.get(self.id, only)
        if self.division is not None and self.division not in file.divisions:
            yield ("division",), _("This file has no division “%(slug)s”.") % {"slug": quote(self.division)}

    @check
    def _one_ema_number(self, file: File) -> Found:
        ema = FederationNumber.EMA
        if self.ema_number and self.federation_numbers.get(ema, self.ema_number) != self.ema_number:
            yield ("federation_numbers", ema), _("“ema_number” contradicts this.")


class TeamFacts(FileFacts):
    """A team."""

    columns = ("name",)

    id: kinds.Key
    """Unique among the teams of the file, and in the file only."""
    name: kinds.Name
    players: list[kinds.PlayerId]


# --- tables
