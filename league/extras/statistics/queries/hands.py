"""Statistics of the hands of tables whose result counts, for one audience.

Replaying a hand takes much longer than adding it up. The numbers of each table are cached until its log gets
another entry or its rules change.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict

from django.db.models import Max

from league.core.memory import find_kept, keep, newest, release
from league.extras.statistics.queries.games import PlayedGame, Sources, played_games, sources_of
from league.extras.statistics.queries.league import league_key, revisions_of
from league.extras.statistics.rules.hands import HandStatistics, add_statistics, hand_statistics
from league.models import Competition, HandEntry
from league.play.hands.queries import log_entries
from scoring.hanchan import Game
from scoring.hand_log import read_kept_log
from scoring.standings import SUBSTITUTE

BLOCK = 64  # tables that are cached together
MOST_AT_ONCE = 500  # tables that a request replays, in about a second
BySeat = tuple[HandStatistics, HandStatistics, HandStatistics, HandStatistics]


class NotCounted(Exception):
    """Too many tables have to be replayed for one request."""


def hands_of_player(sources: Sources, played: Sequence[PlayedGame], player: int) -> HandStatistics:
    """Count the hands of a player's games. One query."""
    games = _games(sources, played)
    seats = {each.table: each.game.players.index(player) for each in played if player in each.game.players}
    return hand_statistics((games[table], seat) for table, seat in seats.items() if table in games)


def hands_of_league(
    competitions: Sequence[Competition], *, find: Callable[[], Mapping[int, HandStatistics]]
) -> Mapping[int, HandStatistics]:
    """Return player → published hands of these competitions.

    `find`: return what the worker has counted, or raise ``NotCounted``. It is asked if more than
    ``MOST_AT_ONCE`` tables are not cached.
    """

    def count() -> Mapping[int, HandStatistics]:
        try:
            return hands_of_players(sources_of(competitions), most=MOST_AT_ONCE)
        except NotCounted:
            return find()

    return newest(league_key("hands", competitions), revisions_of(competitions), count)


def write_hands(competitions: Sequence[Competition]) -> bytes:
    """Count the published hands of these competitions. Return them as JSON, which `read_hands` reads."""
    found = hands_of_players(sources_of(competitions))
    return json.dumps([[player, asdict(own)] for player, own in found.items()]).encode()


def read_hands(content: bytes) -> dict[int, HandStatistics]:
    return {player: HandStatistics(**own) for player, own in json.loads(content)}


def hands_of_competition(competition: Competition, sources: Sources) -> Mapping[int, HandStatistics]:
    return newest(
        f"hands:{release()}:{competition.pk}:{int(sources.public)}",
        competition.seen_version(public=sources.public),
        lambda: hands_of_players(sources),
    )


def hands_of_players(sources: Sources, *, most: int | None = None) -> dict[int, HandStatistics]:
    """Return player → hands of all their games. Substitutes play for no one.

    Raise ``NotCounted`` if more than `most` tables are not cached.
    """
    entries = HandEntry.objects.filter(table__round__stage__in=sources.stages).order_by()
    last = dict(entries.values_list("table_id").annotate(Max("pk")))
    if not last:
        return {}
    found: dict[int, list[HandStatistics]] = {}
    played = [game for game in played_games(sources) if game.table in last]
    by_table = _by_table(sources, played, last, most=most)
    for each in played:
        for player, own in zip(each.game.players, by_table.get(each.table, ()), strict=False):
            if player != SUBSTITUTE:
                found.setdefault(player, []).append(own)
    return {player: add_statistics(own) for player, own in found.items()}


def _by_table(
    sources: Sources, played: Iterable[PlayedGame], last: Mapping[int, int], *, most: int | None
) -> dict[int, BySeat]:
    """Return table → statistics by seat. `last`: the newest entry of each log. One query per new block."""
    blocks: dict[str, list[PlayedGame]] = {}
    for each in played:
        blocks.setdefault(f"hand-block:{release()}:{each.table // BLOCK}:{int(sources.public)}", []).append(
            each
        )
    rules = {pk: stage.division.rule_set_id for pk, stage in sources.stages.items()}
    revisions = {
        key: tuple((each.table, last[each.table], rules[each.stage]) for each in block)
        for key, block in blocks.items()
    }
    kept: dict[str, dict[int, BySeat]] = find_kept(revisions)
    if most is not None and sum(len(blocks[key]) for key in blocks.keys() - kept.keys()) > most:
        raise NotCounted
    new: dict[str, dict[int, BySeat]] = {}
    for key in blocks.keys() - kept.keys():
        new[key] = {table: _by_seat(game) for table, game in _games(sources, blocks[key]).items()}
    keep(new, revisions)
    return {table: by_seat for block in (kept | new).values() for table, by_seat in block.items()}


def _by_seat(game: Game) -> BySeat:
    east, south, west, north = (hand_statistics([(game, seat)]) for seat in range(4))
    return east, south, west, north


def _games(sources: Sources, played: Collection[PlayedGame]) -> dict[int, Game]:
    """Return table → game of the tables that keep points. One query."""
    logs: dict[int, list[HandEntry]] = {}
    for entry in HandEntry.objects.filter(table__in=[each.table for each in played]).order_by("number"):
        logs.setdefault(entry.table_id, []).append(entry)
    found = {}
    for each in played:
        if each.table in logs:
            rules = sources.stages[each.stage].division.rules
            game = read_kept_log(log_entries(logs[each.table]), rules).game
            if game is not None:
                found[each.table] = game
    return found
