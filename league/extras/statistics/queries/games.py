"""Settled games with where and when they were played, of one competition or of a league."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from league.core.stages import secret_stages
from league.extras.statistics.rules.sheets import SettledGame, settle_games
from league.models import Competition, Entrant, Round, Seat, Stage, Table
from league.play.results.queries.games import GAME, as_games, substitutes, with_facts
from scoring.settlement import needs_ending
from scoring.standings import SUBSTITUTE

PLAIN = len(GAME[False])  # columns of a game without all of its ending


class PlayedGame(NamedTuple):
    """A settled game. ``day``: that of its round, or the first day of its competition, or None.

    ``slug``: of its competition.
    """

    table: int
    number: int
    round_number: int
    day: date | None
    stage: int
    slug: str
    game: SettledGame


@dataclass(frozen=True)
class Sources:
    """Stages to read, by id, in the order of their games, with division, rules and competition."""

    stages: Mapping[int, Stage]
    public: bool


def sources_of(competitions: Iterable[Competition]) -> Sources:
    """Return the stages of these competitions whose published rounds everyone may read. Two queries."""
    known = {competition.pk: competition for competition in competitions}
    found = list(
        Stage.objects.filter(division__competition__in=known)
        .select_related("division__rule_set")
        .order_by("division__position", "division_id", "position", "pk")
    )
    for stage in found:
        stage.division.competition = known[stage.division.competition_id]
    secret = secret_stages(found)
    ordered = sorted(found, key=lambda stage: _age(stage.competition))
    return Sources({stage.pk: stage for stage in ordered if stage.pk not in secret}, public=True)


def _age(competition: Competition) -> tuple[date, int]:
    return competition.first_day or competition.created_at.date(), competition.pk


def played_games(sources: Sources, player: int | None = None) -> list[PlayedGame]:
    """Return the games that count, stage by stage in playing order. A substitute's seat counts for nobody.

    ``player``: return the games at this player's tables. Queries: 4.
    """
    seats = Seat.objects.filter(round__stage__in=sources.stages)
    instead = substitutes(seats if player is None else seats.filter(table__seats__player=player))
    with_endings = any(needs_ending(stage.division.rules) for stage in sources.stages.values())
    columns = (*GAME[with_endings], "pk", "number", "round__number", "round_id", "round__stage_id")
    tables = _tables(sources, player)
    # Apart from the tables, because the conversion of so many dates would take longer than a query.
    days = dict(Round.objects.filter(stage__in=sources.stages, date__isnull=False).values_list("pk", "date"))
    rows: dict[int, list[tuple[Any, ...]]] = {stage: [] for stage in sources.stages}
    ordered = tables.order_by("round__number", "number").values_list(*columns)
    with connection.cursor() as cursor:  # numbers alone, which need no conversion
        cursor.execute(*ordered.query.sql_with_params())
        for row in cursor.fetchall():
            rows[row[-1]].append(row)  # the last column is the stage
    outside = _substitutes_by_competition(sources)
    found = []
    for stage, own in rows.items():
        division = sources.stages[stage].division
        slug, first = division.competition.slug, division.competition.first_day
        ends = needs_ending(division.rules)
        # After the game a row has five columns. The first of them is the table.
        facts = own if ends == with_endings else [(*row[:PLAIN], row[-5]) for row in own]
        games = settle_games(as_games(facts, instead, with_endings=ends), division.rules)
        out = outside.get(division.competition_id, ())
        for row, game in zip(own, games, strict=True):
            if out and not out.isdisjoint(game.players):
                a, b, c, d = (SUBSTITUTE if each in out else each for each in game.players)
                game = game._replace(players=(a, b, c, d))
            table, number, round_number, round_, _stage = row[-5:]
            day = days.get(round_, first)
            found.append(PlayedGame(table, number, round_number, day, stage, slug, game))
    return found


def _tables(sources: Sources, player: int | None) -> QuerySet[Table]:
    """Select the tables whose sheet counts in their competition."""
    every = Table.objects.all() if player is None else Table.objects.filter(seats__player=player)
    counts = Q(pk__in=())
    by_statuses: dict[tuple[str, ...], list[int]] = {}
    for stage in sources.stages.values():
        by_statuses.setdefault(stage.competition.counted_statuses, []).append(stage.pk)
    for statuses, stages in by_statuses.items():
        counts |= Q(round__stage__in=stages, now__status__in=statuses)
    found = with_facts(every).filter(counts)
    return found.filter(round__visibility=Round.Visibility.RESULTS) if sources.public else found


def _substitutes_by_competition(sources: Sources) -> dict[int, frozenset[int]]:
    """Return competition → the players entered as substitutes."""
    competitions = {stage.division.competition_id for stage in sources.stages.values()}
    entered = Entrant.objects.filter(competition__in=competitions, is_substitute=True).order_by("competition")
    pairs = entered.values_list("competition", "player_id")
    players = defaultdict(set)
    for competition, player in pairs:
        players[competition].add(player)
    return {competition: frozenset(substitutes) for competition, substitutes in players.items()}


def games_alone(played: Sequence[PlayedGame]) -> list[SettledGame]:
    return [each.game for each in played]
