"""Running totals and ranks of a stage, round by round, of players or teams, for one audience.

The last total is that of the standings. Ranks follow the totals alone. In free play, in which each table is a
round, the steps are days.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from league.core.charts import MOST_STEPS, sampled
from league.core.counted import counted_adjustments, counted_penalties, lists_penalties
from league.core.memory import newest, release
from league.extras.statistics.rules.sheets import running_totals, settle_games
from league.models import Adjustment, Penalty, Round, Stage
from league.play.results.queries.games import games_read_once, games_with_rounds
from league.play.substitutions.queries.adjustments import add_averages, stage_adjustments
from league.ranking.standings.queries.standings import standings_of
from league.ranking.teams.queries import scores_of_teams, team_standings
from scoring.settlement import needs_ending
from scoring.standings import Numbers
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
    return newest(key, stage.competition.seen_version(public=public), make)


def _players(stage: Stage, *, public: bool, every: Sequence[Stage]) -> Race:
    rules = stage.division.rules
    with games_read_once():
        ranked = standings_of([stage], public=public, every=every)[stage.pk]
        if not ranked.tables:
            return NO_RACE
        numbered = games_with_rounds(
            stage.pk,
            statuses=stage.competition.counted_statuses,
            public=public,
            with_endings=needs_ending(rules),
            substitutes=stage_adjustments([stage.pk], public=public).substitutes,
        )
    settled = settle_games((game for _number, game in numbered), rules)
    listed = {line.row.player: line.row.carried + line.row.brought for line in ranked.rows}
    scores = [
        (number, game.players, game.scores) for (number, _), game in zip(numbered, settled, strict=True)
    ]
    games = _counted(scores, stage.numbers) if stage.numbers.standard else scores
    rounds: defaultdict[int, dict[int, Score]] = defaultdict(dict)
    for number, players, own in games:
        rounds[number].update(zip(players, own, strict=True))  # no player has two games in a round
    return _run(_steps_of(stage, "number"), rounds, _besides(stage, public=public), listed)


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
    """Return penalties and adjustments, without points carried in, with which a player begins.

    Penalties that the public may not list come at the end.
    """
    penalties = counted_penalties(Penalty.objects.filter(stage=stage), public=public).order_by("pk")
    tells = lists_penalties(stage.competition, public=public)
    found: list[Event] = [
        (number if tells else None, player, score)
        for number, player, score in penalties.values_list("round__number", "player_id", "score")
    ]
    adjusted = counted_adjustments(Adjustment.objects.filter(stage=stage), public=public)
    adjusted = adjusted.exclude(kind=Adjustment.Kind.CARRIED_IN)
    for each in add_averages(adjusted.select_related("round").order_by("pk"), public=public):
        found.append((each.round.number if each.round else None, each.player_id, each.score or 0))
    return found


def _teams(stage: Stage, *, public: bool, every: Sequence[Stage]) -> Race:
    ranked = team_standings(stage, public=public, every=every)
    if not ranked.tables:
        return NO_RACE
    scores, besides = scores_of_teams(stage, public=public)
    rounds: defaultdict[int, defaultdict[int, Score]] = defaultdict(lambda: defaultdict(int))
    for round_, team, score in scores:
        if round_ is not None:
            rounds[round_][team] += score
    if not lists_penalties(stage.competition, public=public):
        besides = [(None, team, score) for _round, team, score in besides]
    return _run(
        _steps_of(stage, "pk"), rounds, besides, {line.row.player: line.row.carried for line in ranked.rows}
    )


def _steps_of(stage: Stage, key: str) -> dict[int, Step]:
    """Return the round's number or id → its step."""
    rounds = list(Round.objects.filter(stage=stage).order_by("number").values_list(key, "number", "date"))
    by_day = stage.play == Stage.Play.OPEN and all(day for _key, _number, day in rounds)
    return {found: day if by_day and day else number for found, number, day in rounds}


def _run(
    step_of: Mapping[int, Step],
    rounds: Mapping[int, Mapping[int, Score]],
    besides: Iterable[Event],
    carried: Mapping[int, Score],
) -> Race:
    """Add everything up for the listed players. Only games begin a ranking. `rounds`: the sums of each."""
    played: dict[Step, Mapping[int, Score]] = {}
    for round_, sums in rounds.items():
        before = played.get(step_of[round_], {})
        both = {who: before[who] + sums[who] for who in before.keys() & sums.keys()}
        played[step_of[round_]] = {**before, **sums, **both} if before else sums
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
    totals: list[Iterable[Score]] = [list(now.values())]
    ranks: list[Iterable[int | None]] = [[None] * len(now)]
    for step in steps:
        seated = played.get(step, {})
        ranked |= seated.keys() & now.keys()
        for who, score in (*seated.items(), *changes[step]):
            if who in now:
                now[who] += score
        if step in kept:
            totals.append(list(now.values()))
            ranks.append(map(_ranks(now, ranked).get, now))
    return Race(
        (None, *sorted(kept)),
        tuple(carried),
        dict(zip(carried, map(list, zip(*totals, strict=True)), strict=True)),
        dict(zip(carried, map(list, zip(*ranks, strict=True)), strict=True)),
    )


def _ranks(totals: Mapping[int, Score], ranked: Collection[int]) -> dict[int, int]:
    """Return the rank of each ranked player. Of equal totals the best position is written last."""
    order = sorted(totals[who] for who in ranked)
    first = dict(zip(order, range(len(order), 0, -1), strict=True))
    return {who: first[totals[who]] for who in ranked}
