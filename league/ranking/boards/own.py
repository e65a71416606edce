"""One player's line of the standings, and its distance to the nearest border."""

from dataclasses import dataclass

from league.core.stages import stages_of
from league.models import Entrant
from league.people.members.queries import PlayerInfo
from league.ranking.seasons.queries import zones_of
from league.ranking.standings.queries.stages import newest_with_results
from league.ranking.standings.queries.standings import standings_of
from league.ranking.standings.tables import find_borders
from scoring.standings import Row
from scoring.units import Score


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A player's newest public line. ``above`` or ``below``: distance to the nearest border, if any."""

    row: Row
    player: PlayerInfo
    above: Score | None = None
    below: Score | None = None


def own_line(entrant: Entrant) -> OwnLine | None:
    choices = stages_of(entrant.competition, public=True)
    stage = newest_with_results([c for c in choices if c.stage.division_id == entrant.division_id])
    if stage is None:
        return None
    lines = standings_of([stage], public=True)[stage.pk].rows
    at = next((at for at, line in enumerate(lines) if line.row.player == entrant.player_id), None)
    if at is None:
        return None
    row, player = lines[at].row, lines[at].player
    borders = find_borders(
        [each for each in lines if not each.row.unplayed], zones_of(stage, public=True), None
    )
    first_below = [index for index, line in enumerate(lines) if line.row.player in borders]
    if not first_below:
        return OwnLine(row, player)
    nearest = min(first_below, key=lambda index: abs(index - at - (index > at)))
    if at < nearest:
        return OwnLine(row, player, above=row.total - lines[nearest].row.total)
    return OwnLine(row, player, below=lines[nearest - 1].row.total - row.total)
