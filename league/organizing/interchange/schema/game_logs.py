"""Game logs and names on services, in the competition file."""

from typing import Annotated

from league.models.game_logs import Service
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, omit
from league.organizing.interchange.schema.kinds import Choice, VisibleText
from league.organizing.interchange.schema.places import AtTable


class GameLogFacts(AtTable):
    """The log of a game on a service, from which the result of a table was read."""

    columns = ("service", "ref", "digest")

    service: Annotated[str, Choice(*Service.values)]
    digest: Annotated[str, VisibleText(64)]
    """Of players and points. A game with the same digest is not read again."""
    ref: Annotated[str, VisibleText(60, empty=True)] = omit("")
    """The id of the game on the service."""

    @property
    def named(self) -> tuple[str, str]:
        """Return what no other log has: service and id, or the digest of a game without an id."""
        return self.service, self.ref or self.digest


class GameNameFacts(FileFacts):
    """A name of a player on a service."""

    columns = ("service", "name")

    player: kinds.PlayerId
    service: Annotated[str, Choice(*Service.values)]
    name: Annotated[str, VisibleText(60)]
