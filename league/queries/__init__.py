"""Reads. Facts are fetched first, in a number of queries that does not grow; ``scoring`` computes second.

What is computed is kept under the competition's revision: nothing else invalidates it.
"""

from league.queries.board import Candidate, board, candidates, competitions_of
from league.queries.games import ENDING, RAW_POINTS, SEATED, counted_tables, ending_of, games, with_facts
from league.queries.penalties import counted_penalties, shown_penalties
from league.queries.people import EntrantLine, PlayerInfo, entrant_lines, info_of, players_of
from league.queries.rounds import (
    RoundCount,
    StageChoice,
    default_stage,
    newest_with_results,
    round_counts,
    stages_of,
    unpublished_rounds,
)
from league.queries.standings import Standings, StandingsRow, compute_standings, standings, standings_of
from league.queries.tables import TableResult, table_results, without_results

__all__ = [
    "ENDING",
    "RAW_POINTS",
    "SEATED",
    "Candidate",
    "EntrantLine",
    "PlayerInfo",
    "RoundCount",
    "StageChoice",
    "Standings",
    "StandingsRow",
    "TableResult",
    "board",
    "candidates",
    "competitions_of",
    "compute_standings",
    "counted_penalties",
    "counted_tables",
    "default_stage",
    "ending_of",
    "entrant_lines",
    "games",
    "info_of",
    "newest_with_results",
    "players_of",
    "round_counts",
    "shown_penalties",
    "stages_of",
    "standings",
    "standings_of",
    "table_results",
    "unpublished_rounds",
    "with_facts",
    "without_results",
]
