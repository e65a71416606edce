"""Reads. Facts are fetched first, in a number of queries that does not grow; ``scoring`` computes second.

What is computed is kept under the competition's revision: nothing else invalidates it.
"""

from league.queries.board import (
    Board,
    Candidate,
    DivisionState,
    RoundState,
    StageState,
    Step,
    board,
    candidates,
    competitions_of,
    next_step,
)
from league.queries.games import (
    ENDING,
    RAW_POINTS,
    SEATED,
    counted_tables,
    ending_of,
    games,
    with_facts,
)
from league.queries.penalties import counted_penalties, shown_penalties
from league.queries.people import EntrantLine, PlayerInfo, entrant_infos, entrant_lines, info_of, players_of
from league.queries.rounds import (
    RoundCount,
    StageChoice,
    default_stage,
    newest_with_results,
    round_counts,
    stages_of,
    unpublished_rounds,
)
from league.queries.stage_lines import carried_chain, stage_line
from league.queries.standings import (
    CACHE_SECONDS,
    CODE,
    Standings,
    StandingsRow,
    compute_standings,
    standings,
    standings_of,
)
from league.queries.tables import TableResult, table_results, without_results

__all__ = [
    "CACHE_SECONDS",
    "CODE",
    "ENDING",
    "RAW_POINTS",
    "SEATED",
    "Board",
    "Candidate",
    "DivisionState",
    "EntrantLine",
    "PlayerInfo",
    "RoundCount",
    "RoundState",
    "StageChoice",
    "StageState",
    "Standings",
    "StandingsRow",
    "Step",
    "TableResult",
    "board",
    "candidates",
    "carried_chain",
    "competitions_of",
    "compute_standings",
    "counted_penalties",
    "counted_tables",
    "default_stage",
    "ending_of",
    "entrant_infos",
    "entrant_lines",
    "games",
    "info_of",
    "newest_with_results",
    "next_step",
    "players_of",
    "round_counts",
    "shown_penalties",
    "stage_line",
    "stages_of",
    "standings",
    "standings_of",
    "table_results",
    "unpublished_rounds",
    "with_facts",
    "without_results",
]
