"""Records, ratings and a player's seasons over the competitions of a league that a person may see.

Only published rounds count here, for staff too. Everything is cached by the revisions of these competitions.
"""

import hashlib
import marshal
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.core.cache import cache
from django.db.models import Max

from league.core.access import Access, visible_competitions
from league.core.memory import KEPT_SECONDS, newest, release
from league.extras.statistics.queries.games import PlayedGame, Sources, games_alone, played_games, sources_of
from league.extras.statistics.rules.ratings import (
    Mers,
    MersResult,
    Skill,
    mers,
    mers_age,
    mers_base,
    rate_games,
)
from league.extras.statistics.rules.sheets import PlayerStatistics, Record, records_of, statistics_of
from league.models import Competition, Division, Entrant, Round
from league.ranking.standings.queries.overall import overall
from players.models import Player
from scoring.federations import Tournament
from scoring.units import Score

BLOCK = 2_000  # games whose ratings are cached together, as long as no game up to them changes


def league_competitions(access: Access) -> list[Competition]:
    """Return the competitions of the league that this person may see, newest first. One query."""
    return list(visible_competitions(access.user).filter(league=access.competition.league_id).distinct())


def revisions_of(competitions: Iterable[Competition]) -> list[tuple[int, int]]:
    return sorted((competition.pk, competition.revision) for competition in competitions)


def league_key(what: str, competitions: Sequence[Competition]) -> str:
    digest = hashlib.blake2b(
        repr(sorted(competition.pk for competition in competitions)).encode(), digest_size=12
    )
    return f"league:{release()}:{what}:{digest.hexdigest()}"


def entrants_of(
    players: Collection[int], competitions: Sequence[Competition]
) -> dict[tuple[int, str], Entrant]:
    """Return (player, slug of the competition) → entrant, and (player, "") → the newest one. One query."""
    found = Entrant.objects.filter(player__in=players, competition__in=competitions)
    entrants = list(found.select_related("player", "competition").order_by("competition__created_at", "pk"))
    newest_ones = {(entrant.player_id, ""): entrant for entrant in entrants}
    return newest_ones | {(entrant.player_id, entrant.competition.slug): entrant for entrant in entrants}


# --- records


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A record and the games that it comes from: none, its game, or the first and last of a streak."""

    record: Record
    games: tuple[PlayedGame, ...]


def league_records(competitions: Sequence[Competition]) -> list[HeldRecord]:
    return newest(
        league_key("records", competitions),
        revisions_of(competitions),
        lambda: held_records(played_in_order(sources_of(competitions))),
    )


def competition_records(competition: Competition, sources: Sources) -> list[HeldRecord]:
    """Return the records of one competition, as staff see them unless the sources are public."""
    return newest(
        f"records:{release()}:{competition.pk}:{int(sources.public)}",
        competition.seen_version(public=sources.public),
        lambda: held_records(played_in_order(sources)),
    )


def held_records(played: Sequence[PlayedGame]) -> list[HeldRecord]:
    found = records_of(games_alone(played))
    return [HeldRecord(record, tuple(played[index] for index in record.games)) for record in found]


def played_in_order(sources: Sources, player: int | None = None) -> list[PlayedGame]:
    """Return games by day. Games of competitions without a day come first, in the order of the sources."""
    return sorted(played_games(sources, player), key=lambda each: each.day or date.min)


# --- ratings


Days = list[tuple[date | None, dict[int, float]]]  # player → rating after each day with a game


@dataclass(frozen=True)
class Ratings:
    """``skills`` by player, and the ratings after each day."""

    skills: Mapping[int, Skill]
    days: Days

    def history(self, player: int) -> list[tuple[date | None, float]]:
        """Return (day, rating) after each day on which the player had a game."""
        return [(day, ratings[player]) for day, ratings in self.days if player in ratings]


def league_ratings(competitions: Sequence[Competition]) -> Ratings:
    return newest(
        league_key("ratings", competitions),
        revisions_of(competitions),
        lambda: _rate(played_in_order(sources_of(competitions))),
    )


def _rate(played: Sequence[PlayedGame]) -> Ratings:
    """Rate block by block. A block is cached under a digest of all games up to its end.

    The skills after a block are read only if the next one is not cached.
    """
    digest, skills, days = release(), dict[int, Skill](), Days()
    newest_kept = ""
    for first in range(0, len(played), BLOCK):
        block = played[first : first + BLOCK]
        facts = marshal.dumps(
            [(each.game.players, each.game.places, each.day and each.day.toordinal()) for each in block]
        )
        digest = hashlib.blake2b(digest.encode() + facts, digest_size=16).hexdigest()
        steps = cache.get(f"rated:{digest}") if len(block) == BLOCK else None
        if steps is not None:
            newest_kept = digest
        else:
            kept = cache.get(f"skills:{newest_kept}") if newest_kept else skills
            if kept is None:  # the cache dropped it
                kept, _steps = _rate_days(played[:first], {})
            newest_kept = ""
            skills, steps = _rate_days(block, kept)
            if len(block) == BLOCK:
                cache.set_many({f"rated:{digest}": steps, f"skills:{digest}": skills}, KEPT_SECONDS)
        days += steps
    if newest_kept:
        skills = cache.get(f"skills:{newest_kept}")
        if not skills:
            skills, _days = _rate_days(played, {})
    return Ratings(skills, days)


def _rate_days(played: Sequence[PlayedGame], skills: dict[int, Skill]) -> tuple[dict[int, Skill], Days]:
    of_days: dict[date | None, list[PlayedGame]] = {}
    for each in played:
        of_days.setdefault(each.day, []).append(each)
    days: Days = []
    for day, of_day in of_days.items():
        seated = {player for each in of_day for player in each.game.players}
        now = {player: skills[player] for player in seated if player in skills}
        rated = rate_games(games_alone(of_day), now)
        skills = skills | rated
        days.append((day, {player: skill.rating for player, skill in rated.items()}))
    return skills, days


# --- final places


@dataclass(frozen=True, slots=True)
class FinalLine:
    """A player's rank in a division's final order, or None without a rank. ``total`` in tenths."""

    rank: int | None
    tied: bool
    total: Score


def final_lines(division: Division) -> dict[int, FinalLine]:
    """Return player → line, of players with a game, as visitors see them. Cached like standings."""
    return newest(
        f"final:{release()}:{division.pk}",
        division.competition.revision,
        lambda: {
            row.player.player: FinalLine(row.rank, row.tied, row.total)
            for row in overall(division, public=True).rows
            if any(line.row.played for line in row.lines if line)
        },
    )


def league_mers(competitions: Sequence[Competition], today: date) -> dict[int, Mers]:
    """Rate by MERS. Each division of a finished tournament is one of its own, and none is a qualification."""
    events = [
        competition
        for competition in competitions
        if competition.finished_at and competition.kind == Competition.Kind.EVENT
    ]
    results: dict[int, list[MersResult]] = {}
    for division in _divisions_of(events):
        ended = division.competition.last_day or division.competition.only_day or _last_day(division)
        ranks = {player: line.rank for player, line in final_lines(division).items() if line.rank}
        if ended is None or not (age := mers_age(ended, today)):
            continue
        weight = age * _tournament(division, ranks, ended).weight
        for player, rank in ranks.items():
            results.setdefault(player, []).append(MersResult(mers_base(rank, len(ranks)), weight))
    found = {player: mers(own) for player, own in results.items()}
    return {player: each for player, each in found.items() if each}


def _divisions_of(competitions: Sequence[Competition]) -> list[Division]:
    known = {competition.pk: competition for competition in competitions}
    found = list(Division.objects.filter(competition__in=known).select_related("rule_set"))
    for each in found:
        each.competition = known[each.competition_id]
    return found


def _last_day(division: Division) -> date | None:
    public = Round.objects.filter(stage__division=division, visibility=Round.Visibility.RESULTS)
    day: date | None = public.aggregate(last=Max("date"))["last"]
    return day


def _tournament(division: Division, ranks: Iterable[int], ended: date) -> Tournament:
    players = set(ranks)
    countries = Player.objects.filter(pk__in=players).exclude(country="").values("country").distinct().count()
    first = division.competition.first_day or ended
    return Tournament(players=len(players), countries=countries, days=(ended - first).days + 1)


# --- one player


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A competition of a player, with the rank among ``players`` and everything that their sheets say."""

    entrant: Entrant
    own: PlayerStatistics
    line: FinalLine | None
    players: int

    @property
    def is_title(self) -> bool:
        won = self.line is not None and self.line.rank == 1
        return won and self.entrant.competition.finished_at is not None


@dataclass(frozen=True)
class Career:
    """``seasons`` newest first. ``played``: all games, oldest first, with ``own`` in the same order."""

    seasons: tuple[SeasonLine, ...]
    played: Sequence[PlayedGame]
    own: PlayerStatistics
    sources: Sources

    @property
    def titles(self) -> int:
        return sum(season.is_title for season in self.seasons)


def career_of(player: int, competitions: Sequence[Competition]) -> Career:
    """Collect a player's published games. Five queries, and those of ranks that are not cached."""
    known = {competition.pk: competition for competition in competitions}
    entered = Entrant.objects.filter(competition__in=known, player=player).select_related(
        "division__rule_set"
    )
    entrants = {each.competition_id: each for each in entered}
    sources = sources_of([known[pk] for pk in entrants])
    played = [each for each in played_in_order(sources, player) if player in each.game.players]
    seasons = []
    for pk in (competition.pk for competition in competitions if competition.pk in entrants):
        entrant = entrants[pk]
        entrant.competition = known[pk]
        games = [each for each in played if sources.stages[each.stage].division.competition_id == pk]
        lines: Mapping[int, FinalLine] = {}
        if entrant.division and games:
            entrant.division.competition = known[pk]
            lines = final_lines(entrant.division)
        ranked = sum(line.rank is not None for line in lines.values())
        own = statistics_of(games_alone(games), player)
        seasons.append(SeasonLine(entrant, own, lines.get(player), ranked))
    return Career(tuple(seasons), played, statistics_of(games_alone(played), player), sources)
