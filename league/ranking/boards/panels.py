"""The newest public standings of each division, part by part for a screen, and the line of one player."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from league.core.stages import stages_of
from league.models import Competition, Entrant
from league.people.members.queries import PlayerInfo
from league.ranking.seasons.queries import zones_of
from league.ranking.standings.queries.stages import newest_with_results
from league.ranking.standings.queries.standings import Standings, standings_of
from league.ranking.standings.tables import find_borders
from league.ranking.teams.queries import TeamStandings, team_standings
from scoring.standings import Row
from scoring.units import Score

ROWS_A_SCREEN = 20


def standings_parts(competition: Competition, *, division: int | None = None) -> list[dict[str, Any]]:
    """Return stage and rows of each part. `division`: only this one."""
    choices = stages_of(competition, public=True)
    every = [choice.stage for choice in choices]
    newest_stages = [
        choice.stage
        for number, of_division in groupby(choices, key=lambda each: each.stage.division_id)
        for choice in reversed(list(of_division))
        if choice.has_results and division in {None, number}
    ]
    of_players = standings_of(newest_stages, public=True, every=every) if newest_stages else {}
    ranked: dict[int, Standings | TeamStandings] = {**of_players}
    if competition.crowns_teams:
        of_teams = [stage for stage in newest_stages if stage.counts_for_teams]
        ranked |= {stage.pk: team_standings(stage, public=True, every=every) for stage in of_teams}
    return [
        {"stage": stage, "rows": rows}
        for stage in newest_stages
        for rows in rows_a_screen([line for line in ranked[stage.pk].rows if line.row.played])
    ]


def rows_a_screen(lines: Sequence[Any]) -> list[Sequence[Any]]:
    """Split the lines into as few parts as fit, of about equal length."""
    parts = -(-len(lines) // ROWS_A_SCREEN)
    size = -(-len(lines) // max(parts, 1))
    return [lines[at : at + size] for at in range(0, len(lines), max(size, 1))]


def newest_standings(competition: Competition, *, division: int | None = None) -> list[dict[str, Any]]:
    """Return stage and first rows of the newest stage with results of each division."""
    parts = standings_parts(competition, division=division)
    return [next(same) for _pk, same in groupby(parts, key=lambda part: part["stage"].division_id)]


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
        [line for line in lines if not line.row.unplayed], zones_of(stage, public=True), None
    )
    first_below = [index for index, line in enumerate(lines) if line.row.player in borders]
    if not first_below:
        return OwnLine(row, player)
    nearest = min(first_below, key=lambda index: abs(index - at - (index > at)))
    if at < nearest:
        return OwnLine(row, player, above=row.total - lines[nearest].row.total)
    return OwnLine(row, player, below=lines[nearest - 1].row.total - row.total)
