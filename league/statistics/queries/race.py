"""Running totals and ranks of a stage, round by round, of players or teams, for one audience.

The last total is that of the standings. Ranks follow the totals alone. In free play, in which each table is a
round, the steps are days.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from league.core.charts import MOST_STEPS, sampled
from league.core.collector import pause_collector
from league.core.counted import counted_adjustments, counted_penalties, lists_penalties
from league.core.memory import newest, release
from league.models import Adjustment, Penalty, Round, Stage
from league.results.queries import games_with_rounds
from league.standings.queries.standings import standings_of
from league.substitutions.queries.adjustments import add_averages, stage_adjustments
from league.teams.queries import scores_of_teams, team_standings
from scoring.settlement import needs_ending
from scoring.standings import Numbers
from scoring.statistics import running_totals, settle_games
from scoring.units import Score

Step = int | date
Scored = tuple[int, Sequence[int], Sequence[Score]]  # the round, players or teams, tenths of each
Event = tuple[int | None, int, Score]  # the round (None: at the end), the player or team, tenths


@dataclass(frozen=True)
class Race:
    """``steps``: None for the start, then numbers of rounds, or days. ``totals`` and ``ranks``: one per step.

    ``order``: players or teams as in the standings. A rank is None before the first game.
    """

    steps: tuple[Step | None, ...]
    order: tuple[int, ...]
    totals: Mapping[int, Sequence[Score]]
    ranks: Mapping[int, Sequence[int | None]]


NO_RACE = Race((), (), {}, {})


def race_of_players(stage: Stage, *, public: bool, every: Sequence[Stage]) -> Race:
    """Return the race of a stage, cached like its standings. ``every``: see ``standings_of``."""
    return _cached(stage, "players", public, lambda: _players(stage, public=public, every=every))


def race_of_teams(stage: Stage, *, public: bool, every: Sequence[Stage]) -> Race:
    return _cached(stage, "teams", public, lambda: _teams(stage, public=public, every=every))


def _cached(stage: Stage, of: str, public: bool, make: Callable[[], Race]) -> Race:
    key = f"race:{release()}:{of}:{stage.pk}:{int(public)}"
    return newest(key, stage.division.competition.seen_version(public=public), make)


@pause_collector()
def _players(stage: Stage, *, public: bool, every: Sequence[Stage]) -> Race:
    ranked = standings_of([stage], public=public, every=every)[stage.pk]
    if not ranked.tables:
        return NO_RACE
    rules = stage.division.rules
    numbered = games_with_rounds(
        stage.pk,
        statuses=stage.division.competition.counted_statuses,
        public=public,
        with_endings=needs_ending(rules),
        substitutes=stage_adjustments([stage.pk], public=public).substitutes,
    )
    settled = settle_games((game for _number, game in numbered), rules)
    listed = {line.row.player: line.row.carried for line in ranked.rows}
    scores = [
        (number, game.players, game.scores) for (number, _), game in zip(numbered, settled, strict=True)
    ]
    games = _counted(scores, stage.numbers) if stage.numbers.standard else scores
    return _run(_steps_of(stage, "number"), games, _besides(stage, public=public), listed)


def _counted(games: Iterable[Scored], numbers: Numbers) -> Iterator[Scored]:
    """Yield how much each game changes the totals, which is less than the scores if not all games count."""
    own: dict[int, list[tuple[int, Score]]] = {}
    for number, players, scores in games:
        for player, score in zip(players, scores, strict=True):
            own.setdefault(player, []).append((number, score))
    for player, every in own.items():
        before: Score = 0
        for (number, _score), total in zip(
            every, running_totals([score for _number, score in every], numbers), strict=True
        ):
            yield number, (player,), (total - before,)
            before = total


def _besides(stage: Stage, *, public: bool) -> list[Event]:
    """Return penalties and adjustments. Penalties that the public may not list come at the end."""
    penalties = counted_penalties(Penalty.objects.filter(stage=stage), public=public).order_by("pk")
    tells = lists_penalties(stage.division.competition, public=public)
    found: list[Event] = [
        (number if tells else None, player, score)
        for number, player, score in penalties.values_list("round__number", "player_id", "score")
    ]
    adjusted = counted_adjustments(Adjustment.objects.filter(stage=stage), public=public)
    for each in add_averages(adjusted.select_related("round").order_by("pk"), public=public):
        found.append((each.round.number if each.round else None, each.player_id, each.score or 0))
    return found


@pause_collector()
def _teams(stage: Stage, *, public: bool, every: Sequence[Stage]) -> Race:
    ranked = team_standings(stage, public=public, every=every)
    if not ranked.tables:
        return NO_RACE
    scores, besides = scores_of_teams(stage, public=public)
    games = [(round_, (team,), (score,)) for round_, team, score in scores if round_ is not None]
    if not lists_penalties(stage.division.competition, public=public):
        besides = [(None, team, score) for _round, team, score in besides]
    return _run(
        _steps_of(stage, "pk"), games, besides, {line.row.player: line.row.carried for line in ranked.rows}
    )


def _steps_of(stage: Stage, key: str) -> dict[int, Step]:
    """Return the round's number or id → its step."""
    rounds = list(Round.objects.filter(stage=stage).order_by("number").values_list(key, "number", "date"))
    by_day = stage.play == Stage.Play.OPEN and all(day for _key, _number, day in rounds)
    return {found: day if by_day and day else number for found, number, day in rounds}


def _run(
    step_of: Mapping[int, Step],
    games: Iterable[Scored],
    besides: Iterable[Event],
    carried: Mapping[int, Score],
) -> Race:
    """Add everything up for the listed players. Only games begin a ranking."""
    played: dict[Step, dict[int, Score]] = {}
    for round_, players, scores in games:
        sums = played.setdefault(step_of[round_], {})
        for who, score in zip(players, scores, strict=True):
            sums[who] = sums.get(who, 0) + score
    changes: dict[Step | None, list[tuple[int, Score]]] = {step: [] for step in played}
    for at, who, score in besides:
        if who in carried:
            changes.setdefault(None if at is None else step_of[at], []).append((who, score))
    at_end = changes.pop(None, [])
    steps: list[Any] = sorted(step for step in changes if step is not None)
    if not steps:
        return NO_RACE
    changes[steps[-1]] += at_end
    kept = {steps[index] for index in sampled(len(steps), MOST_STEPS - 1)}
    now: dict[int, Score] = dict(carried)
    ranked = {who for who, score in carried.items() if score}
    totals = {who: [total] for who, total in now.items()}
    ranks: dict[int, list[int | None]] = {who: [None] for who in now}
    for step in steps:
        seated = [(who, score) for who, score in played.get(step, {}).items() if who in now]
        ranked.update(who for who, _score in seated)
        for who, score in (*seated, *changes[step]):
            now[who] += score
        if step in kept:
            places = _ranks(now, ranked)
            for who, total in now.items():
                totals[who].append(total)
                ranks[who].append(places.get(who))
    return Race((None, *sorted(kept)), tuple(carried), totals, ranks)


def _ranks(totals: Mapping[int, Score], ranked: Collection[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    before: Score | None = None
    for position, who in enumerate(sorted(ranked, key=totals.__getitem__, reverse=True), 1):
        if totals[who] != before:
            rank, before = position, totals[who]
        found[who] = rank
    return found
