"""The newest public standings of each division, part by part for a screen on the wall."""

from itertools import groupby
from typing import Any

from league.core.stages import stages_of
from league.models import Competition
from league.ranking.standings.queries.standings import Standings, standings_of
from league.ranking.teams.queries import TeamStandings, team_standings

ROWS_A_SCREEN = 20


def standings_parts(competition: Competition, *, division: int | None = None) -> list[dict[str, Any]]:
    """Return stage and rows of each part. `division`: only this one."""
    choices = stages_of(competition, public=True)
    every = [choice.stage for choice in choices]
    found = [
        choice.stage
        for number, of_division in groupby(choices, key=lambda each: each.stage.division_id)
        for choice in reversed(list(of_division))
        if choice.has_results and division in {None, number}
    ]
    of_players = standings_of(found, public=True, every=every) if found else {}
    ranked: dict[int, Standings | TeamStandings] = {**of_players}
    if competition.crowns_teams:
        of_teams = [stage for stage in found if stage.counts_for_teams]
        ranked |= {stage.pk: team_standings(stage, public=True, every=every) for stage in of_teams}
    return [
        {"stage": stage, "rows": rows[at : at + ROWS_A_SCREEN]}
        for stage in found
        for rows in [[line for line in ranked[stage.pk].rows if line.row.games]]
        for at in range(0, len(rows), ROWS_A_SCREEN)
    ]


def newest_standings(competition: Competition, *, division: int | None = None) -> list[dict[str, Any]]:
    """Return stage and first rows of the newest stage with results of each division."""
    parts = standings_parts(competition, division=division)
    return [next(same) for _pk, same in groupby(parts, key=lambda part: part["stage"].division_id)]
