"""The standings that come out if a list is saved."""

from collections.abc import Iterable
from itertools import count

from league.models import Stage
from league.organizing.brought.queries.plans import ResultsPlan
from league.organizing.roster.queries import PlannedLine
from league.people.members.queries import Candidate, PlayerInfo
from league.ranking.standings.queries.standings import Further, StandingsRow, compute_standings_of
from players.matching import exact_key
from players.models import Player
from scoring.settlement import Ending
from scoring.standings import Game


def outcome(stage: Stage, plan: ResultsPlan) -> list[StandingsRow]:
    """Return the standings of the stage with the new tables of a plan. Queries: those of standings, and 1."""
    lines = [line for line in plan.people.plan.lines if line.action != "stuck"]
    by_line = _by_line(lines)
    newcomers = {
        by_line[line.line.number]: _candidate(stage, line, by_line[line.line.number])
        for line in lines
        if line.action != "entered"
    }
    ids = {key: by_line[line] for key, line in plan.people.lines.items() if line in by_line}
    games: list[Game] = []
    for planned in plan.new:
        names = [exact_key(name) for name in planned.game.names]
        if ids.keys() >= {*names}:
            (a, b, c, d), (east, south, west, north) = (ids[name] for name in names), planned.game.points
            games.append((a, b, c, d, east, south, west, north, Ending(planned.game.sticks)))
    brought = [
        (ids[exact_key(planned.balance.name)], part.score, part.games)
        for planned in plan.new_balances
        if exact_key(planned.balance.name) in ids
        for part in planned.parts
    ]
    further = Further(games=games, brought=brought, people=newcomers)
    rows = compute_standings_of([stage], public=False, further=further)[stage.pk].rows
    return [line for line in rows if line.row.has_result]


def _by_line(lines: Iterable[PlannedLine]) -> dict[int, int]:
    """Return line → player. A new person gets a number that no player has."""
    newest = Player.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    numbers = count(newest + 1)
    return {line.line.number: line.person.pk if line.person else next(numbers) for line in lines}


def _candidate(stage: Stage, line: PlannedLine, pk: int) -> Candidate:
    info = PlayerInfo(
        entrant=0,
        player=pk,
        key="",
        name=line.line.name,
        romanized="",
        country=line.line.country,
        club=line.line.club,
    )
    return Candidate(info, stage.division_id)
