"""Standings of a stage for one audience, cached by the competition's revision."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from league.core.memory import find_kept, keep, newest, release
from league.core.stages import Secrets, secrets_of
from league.models import Entrant, Lot, Stage
from league.people.members.queries import Candidate, PlayerInfo, candidates
from league.play.results.queries.games import count_newest_games, games_by_stage
from league.play.rounds.queries.rounds import qualified_by_stage
from league.play.substitutions.queries.adjustments import StageAdjustments, stage_adjustments
from league.ranking.standings.queries.stages import ranked_line
from scoring.settlement import needs_ending
from scoring.standings import LOTS, Game, Outside, Row, rank_players
from scoring.units import Score, half


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the standings and its player. ``row.carried`` includes ``head_start`` (tenths)."""

    row: Row
    player: PlayerInfo
    head_start: Score = 0


@dataclass(frozen=True)
class Standings:
    stage: int
    rows: tuple[StandingsRow, ...]
    games: int
    tables: int


@dataclass(frozen=True, slots=True)
class Further:
    """Facts of a stage that are not saved yet, for a preview. ``people``: those who are not entered."""

    games: Sequence[Game] = ()
    brought: Sequence[tuple[int, int, int]] = ()  # player, tenths, games
    people: Mapping[int, Candidate] = field(default_factory=dict)


NOTHING_FURTHER: Final = Further()


def standings(stage: Stage, *, public: bool) -> Standings:
    """Return the standings of a stage. ``public``: only published rounds and their penalties."""
    return standings_of([stage], public=public)[stage.pk]


def totals_before(stage: Stage, *, public: bool) -> dict[int, Score] | None:
    """Return player → total of the ranked players, or None unless every game of the stage counts."""
    if stage.numbers.leaves_out or stage.numbers.beyond == "average":
        return None
    rows = [line.row for line in standings(stage, public=public).rows]
    return {row.player: row.total for row in rows if row.shown_rank is not None}


def standings_of(
    stages: Sequence[Stage], *, public: bool, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Return stage id → standings, from the cache or by four queries.

    Three queries are enough if ``every`` has all stages.
    """
    keys = {f"standings:{release()}:{stage.pk}:{int(public)}": stage for stage in stages}
    revisions = {key: stage.competition.seen_version(public=public) for key, stage in keys.items()}
    cached: dict[str, Standings] = find_kept(revisions)
    missing = {key: stage for key, stage in keys.items() if key not in cached}
    if missing:
        made = compute_standings_of(list(missing.values()), public=public, every=every)
        fresh = {key: made[stage.pk] for key, stage in missing.items()}
        keep(fresh, revisions)
        cached |= fresh
    return {keys[key].pk: standings for key, standings in cached.items()}


def ranks_before(stage: Stage, *, public: bool, every: Sequence[Stage]) -> dict[int, int]:
    """Return player → rank without the games of the newest round, for ranked players. Cached like standings.

    Penalties and adjustments of that round count. Empty if the stage began with that round, and in free play,
    in which each table is a round.
    """
    if stage.play == Stage.Play.OPEN:
        return {}
    revisions = {
        f"standings:{release()}:{stage.pk}:{int(public)}:before": stage.competition.seen_version(
            public=public
        )
    }
    ranks_by_key: dict[str, dict[int, int]] = find_kept(revisions)
    if not ranks_by_key:
        ranked = compute_standings_of([stage], public=public, every=every, without_newest=True)[stage.pk]
        listed = [line.row for line in ranked.rows if ranked.tables or line.row.carried]
        ranks = {row.player: row.rank for row in listed if row.shown_rank is not None}
        ranks_by_key = dict.fromkeys(revisions, ranks)
        keep(ranks_by_key, revisions)
    return next(iter(ranks_by_key.values()))


@dataclass(frozen=True, slots=True)
class RankWithout:
    """The rank that a player would have without a penalty. ``tied``: others would share it."""

    rank: int
    tied: bool = False


def rank_without(stage: Stage, row: StandingsRow, score: int | None, *, public: bool) -> RankWithout | None:
    """Return the rank in the stage without one of the player's penalties of ``score``, or without all (None).

    It is None for a player without a rank. Penalties of earlier stages stay. Only an equal total needs a new
    ranking, which is cached like standings.
    """
    if row.row.shown_rank is None:
        return None
    total = row.row.total - (row.row.penalty if score is None else score)
    ranked = standings(stage, public=public)
    others = [line.row.total for line in ranked.rows if line.row.shown_rank and line is not row]
    if total not in others:
        return RankWithout(1 + sum(other > total for other in others))
    player = row.row.player
    return newest(
        f"standings:{release()}:{stage.pk}:{int(public)}:without:{player}:{score}",
        stage.competition.seen_version(public=public),
        lambda: next(
            RankWithout(line.row.rank, line.row.tied)
            for line in compute_standings_of([stage], public=public, pardoned=(player, score))[stage.pk].rows
            if line.row.player == player
        ),
    )


def compute_standings(stage: Stage, *, public: bool, tie_breaks: Sequence[str] | None = None) -> Standings:
    """Compute without the cache: four queries, one more for a cut, one for tie-breaks beyond games."""
    return compute_standings_of([stage], public=public, tie_breaks=tie_breaks)[stage.pk]


def compute_standings_of(
    stages: Sequence[Stage],
    *,
    public: bool,
    every: Sequence[Stage] | None = None,
    tie_breaks: Sequence[str] | None = None,
    without_newest: bool = False,
    pardoned: tuple[int, int | None] | None = None,
    further: Further = NOTHING_FURTHER,
) -> dict[int, Standings]:
    """Compute several stages of one competition together. ``every``: see ``standings_of``. ``further``: facts
    to add to these stages.

    ``without_newest``: leave out the newest round of each stage, with one query more for each. ``pardoned``:
    leave out a player's penalty of so many tenths in these stages, or all of them.

    A division's first stage lists everyone entered in it. A later one lists the players who came through its
    cut, or without a cut those who play in it. Substitutes are not listed.
    """
    competition = stages[0].competition
    if every is None:
        every = list(Stage.objects.filter(division__in={stage.division_id for stage in stages}))
    asked = competition.tie_breaks if tie_breaks is None else tie_breaks
    secret = secrets_of(every, with_lots=LOTS in asked) if public else Secrets()
    chains = {stage.pk: ranked_line(stage, every, asked) for stage in stages if stage.pk not in secret.stages}
    if not chains:
        return {stage.pk: Standings(stage.pk, (), 0, 0) for stage in stages}
    needed = list({each.pk: None for chain, _ in chains.values() for each in chain})
    adjusted = stage_adjustments(needed, public=public)
    if pardoned:
        for stage in stages:
            _pardon(adjusted.penalties[stage.pk], *pardoned)
    played = games_by_stage(
        needed,
        statuses=competition.counted_statuses,
        public=public,
        with_endings=any(needs_ending(stage.division.rules) for stage in stages),
        substitutes=adjusted.substitutes,
    )
    if without_newest:
        statuses = competition.counted_statuses
        newest = {each.pk: count_newest_games(each.pk, statuses=statuses, public=public) for each in stages}
        played = {pk: games[: len(games) - newest.get(pk, 0)] for pk, games in played.items()}
    for pk in chains if further.brought else ():
        adjusted.brought[pk].extend(further.brought)
        adjusted.adjustments[pk].extend((player, score) for player, score, _games in further.brought)
    if further.games:
        played = {pk: [*games, *further.games] if pk in chains else games for pk, games in played.items()}
    people = {**candidates(competition), **further.people}
    known = _Known(
        asked,
        qualified_by_stage({each.pk: each for chain, _ in chains.values() for each in chain}.values()),
        _previous_ranks(asked, competition.pk),
        lots_by_stage(set(needed) - secret.lots) if LOTS in asked else {},
        LOTS in competition.tie_breaks,
    )
    ranked = {
        stage.pk: _rank(
            stage, *chains[stage.pk], played=played, adjusted=adjusted, people=people, known=known
        )
        for stage in stages
        if stage.pk in chains
    }
    return {stage.pk: ranked.get(stage.pk) or Standings(stage.pk, (), 0, 0) for stage in stages}


def _pardon(penalties: list[tuple[int, int]], player: int, score: int | None) -> None:
    left_out = [(who, tenths) for who, tenths in penalties if who == player and score in (None, tenths)]
    for each in left_out[: None if score is None else 1]:
        penalties.remove(each)


@dataclass(frozen=True, slots=True)
class _Known:
    tie_breaks: Sequence[str]
    qualified: Mapping[int, Mapping[int, int]]  # stage → player → head start, for stages with a cut
    previous: Mapping[int, int]
    lots: Mapping[int, Sequence[Sequence[int]]]
    lots_stay: bool  # whether a stage's lots decide its ranks for the next stage, too

    def outside(self, stage: int, before: Iterable[Row], *, is_last: bool) -> Outside:
        ranks = {row.player: row.rank for row in before}
        lots = self.lots.get(stage, ()) if is_last or self.lots_stay else ()
        return Outside(preliminary=ranks, previous=self.previous, lots=lots)


def _previous_ranks(asked: Sequence[str], competition: int) -> dict[int, int]:
    if "previous_rank" not in asked:
        return {}
    rows = Entrant.objects.filter(competition=competition).values_list("player_id", "previous_rank")
    return {player: rank for player, rank in rows if rank is not None}


def lots_by_stage(stages: Collection[int], *, of_teams: bool = False) -> dict[int, list[list[int]]]:
    """Return stage → the lots of its players or teams, oldest first. A lot lists ids, first drawn first."""
    who = "team_id" if of_teams else "player_id"
    lots = Lot.objects.filter(lots__stage__in=stages, **{f"{who}__isnull": False})
    draws_by_stage: dict[int, dict[int, list[int]]] = {}
    for stage, draw, drawn_id in lots.values_list("lots__stage_id", "lots_id", who):
        draws_by_stage.setdefault(stage, {}).setdefault(draw, []).append(drawn_id)
    return {stage: list(draws.values()) for stage, draws in draws_by_stage.items()}


def _rank(
    stage: Stage,
    chain: Sequence[Stage],
    from_the_start: bool,
    *,
    played: Mapping[int, Sequence[Game]],
    adjusted: StageAdjustments,
    people: Mapping[int, Candidate],
    known: _Known,
) -> Standings:
    division = stage.division
    substitutes = {player for player, info in people.items() if info.substitute}
    rows: list[Row] = []
    for index, each in enumerate(chain):
        lists_all = index == 0 and from_the_start
        came = known.qualified.get(each.pk)
        penalties, adjustments = adjusted.penalties[each.pk], adjusted.adjustments[each.pk]
        entrants = [p for p, info in people.items() if info.division == division.pk] if lists_all else []
        is_open = came is None and each.carry == Stage.Carry.NONE
        seated = set() if is_open else _players_of(played[each.pk], adjustments)
        rows = rank_players(
            played[each.pk],
            division.rules,
            entrants=entrants if came is None else came,
            penalties=penalties,
            adjustments=adjustments,
            brought=adjusted.brought[each.pk],
            without=substitutes if came is None else _others(came, seated, penalties),
            carried=_carry(each.carry, rows, only=seated if came is None else came, head_starts=came or {}),
            tie_breaks=known.tie_breaks,
            outside=known.outside(each.pk, rows, is_last=each.pk == stage.pk),
            numbers=each.numbers,
        )
    rows = [replace(row, gone=not row.played and people[row.player].info.withdrawn) for row in rows]
    starts = known.qualified.get(stage.pk, {})
    listed_rows = tuple(StandingsRow(row, people[row.player].info, starts.get(row.player, 0)) for row in rows)
    return Standings(
        stage=stage.pk,
        rows=listed_rows,
        games=sum(r.row.played for r in listed_rows),
        tables=len(played[stage.pk]),
    )


def _others(
    came: Mapping[int, int], seated: Collection[int], penalties: Iterable[tuple[int, int]]
) -> set[int]:
    return {*seated, *(player for player, _score in penalties)} - came.keys()


def unlisted_players(stage: Stage, players: Collection[int]) -> set[int]:
    """Return those of the players whose penalties no row of the stage's standings takes. One query."""
    if stage.cut:
        return set(players) - qualified_by_stage([stage])[stage.pk].keys()
    entered = Entrant.objects.filter(competition=stage.division.competition_id, player__in=players)
    return set(entered.filter(is_substitute=True).values_list("player_id", flat=True))


def _players_of(played: Iterable[Game], adjusted: Iterable[tuple[int, int]]) -> set[int]:
    return {player for game in played for player in game[:4]} | {player for player, _ in adjusted}


def _carry(
    carry: str, rows: Iterable[Row], *, only: Collection[int], head_starts: Mapping[int, int]
) -> dict[int, Score]:
    if carry == Stage.Carry.NONE:
        return dict(head_starts)
    share = half if carry == Stage.Carry.HALF else _all
    brought = {row.player: share(row.total) for row in rows if row.player in only}
    return brought | {player: brought.get(player, 0) + start for player, start in head_starts.items()}


def _all(score: Score) -> Score:
    return score
