"""The front page: visible competitions, and waiting tasks in one's own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q, QuerySet

from league.core.memory import find_kept, keep, release
from league.core.stages import stages_of
from league.models import Appointment, Competition, League, Role, Round, Sheet
from league.organizing.competitions.queries.head import Head, heads_of
from league.organizing.seating.queries.lists import OwnRound, coming_rounds
from league.play.calendar.queries.table_times import awaited_answers
from league.play.open_play.queries import to_be_played
from league.play.rounds.queries.rounds import RoundCount, round_counts
from league.ranking.standings.queries.stages import newest_with_results
from league.ranking.standings.queries.standings import StandingsRow, standings_of
from league.ranking.teams.queries import TeamLine, rounds_of_captain, team_ranking

BEST = 5  # rows of standings on the front page
NEXT_TABLES = 3
MADE_AT_ONCE = 6


@dataclass(frozen=True, slots=True)
class Card:
    """A competition on the front page with the first rows of its public standings.

    ``waiting``: open rounds with tables to enter. ``complete``: the number of rounds that an organizer can
    close. ``to_confirm``: the number of sheets that this person can confirm. ``line_ups``: each (round, team)
    that waits for this captain's line-up, the next one first. ``player``: the linked player of the account.
    ``more``: what extras show on it.
    """

    competition: Competition
    head: Head
    best: Sequence[StandingsRow | TeamLine] = ()
    roles: tuple[Role.Kind, ...] = ()
    waiting: tuple[tuple[Round, RoundCount], ...] = ()
    complete: int = 0
    to_confirm: int = 0
    line_ups: tuple[tuple[Round, int], ...] = ()
    player: int | None = None
    more: tuple[str, ...] = ()


def cards(competitions: Iterable[Competition], *, today: date) -> list[Card]:
    """Return the cards of a list. Queries: 2, and the standings of a few competitions that changed."""
    competitions = list(competitions)
    heads = heads_of(competitions, public=True, today=today)
    best = _find_best(competitions)
    return [Card(each, heads[each.pk], best.get(each.pk, ())) for each in competitions]


def _find_best(competitions: Sequence[Competition]) -> dict[int, Sequence[StandingsRow | TeamLine]]:
    """Return competition → first rows of its newest standings, cached by revision.

    At most ``MADE_AT_ONCE`` standings are computed per request, so that a page does not wait for all.
    """
    keys = {f"best:{release()}:{each.pk}": each for each in competitions}
    revisions = {key: each.seen_version(public=True) for key, each in keys.items()}
    cached: dict[str, Sequence[StandingsRow | TeamLine]] = find_kept(revisions)
    results = Sheet.objects.current().filter(table__round__visibility=Round.Visibility.RESULTS)
    where = "table__round__stage__division__competition"
    missing = [each.pk for key, each in keys.items() if key not in cached]
    played = set(results.filter(**{f"{where}__in": missing}).values_list(where, flat=True).distinct())
    uncached = [(key, each) for key, each in keys.items() if key not in cached and each.pk in played]
    fresh = {key: _best_of(each) for key, each in uncached[:MADE_AT_ONCE]}
    keep(fresh, revisions)
    return {keys[key].pk: rows for key, rows in (cached | fresh).items()}


def _best_of(competition: Competition) -> Sequence[StandingsRow | TeamLine]:
    if competition.crowns_teams:
        return [replace(line, members=()) for line in team_ranking(competition, public=True)[:BEST]]
    choices = stages_of(competition, public=True)
    newest = newest_with_results(choices)
    if newest is None:
        return ()
    ranked = standings_of([newest], public=True, every=[choice.stage for choice in choices])[newest.pk]
    return ranked.rows[:BEST] if ranked.tables else ()


def own_competitions(user: User | AnonymousUser) -> QuerySet[Competition]:
    """Return the competitions in which this person has a role or owns the league, newest first."""
    if not isinstance(user, User):
        return Competition.objects.none()
    given = Role.objects.filter(user=user).values("competition")
    owned = League.objects.filter(owners=user).values("pk")
    return Competition.objects.select_related("league").filter(Q(pk__in=given) | Q(league__in=owned))


def own_tables(own: Iterable[Card], *, now: datetime) -> tuple[list[OwnRound], list[tuple[Appointment, int]]]:
    """Return the next tables of the players of this account, and the proposed times that they have to answer,
    each with the player. Queries: 0 without a player, or up to 6.
    """
    players = {card.competition: card.player for card in own if card.player}
    if not players:
        return [], []
    asked = awaited_answers({each.pk: player for each, player in players.items()}, now=now)
    return coming_rounds(players, most=NEXT_TABLES), asked


def own_cards(user: User | AnonymousUser, plain: Sequence[Card], *, now: datetime) -> list[Card]:
    """Return the cards with this person's roles and waiting tasks. Queries: 5, 4 more per captain's team."""
    if not plain or not isinstance(user, User):
        return []
    competitions = [card.competition for card in plain]
    roles: dict[int, set[Role.Kind]] = {each.pk: set() for each in competitions}
    given = Role.objects.filter(user=user, competition__in=competitions)
    line_ups: dict[int, tuple[tuple[Round, int], ...]] = {}
    players: dict[int, int] = {}
    for pk, kind, team, player in given.values_list("competition", "kind", "team", "player"):
        roles[pk].add(Role.Kind(kind))
        if player is not None:
            players[pk] = player
        if team is not None:
            mine = rounds_of_captain(team, now=now)
            line_ups[pk] = tuple((each.round, team) for each in mine if each.is_missing)
    owned = set(League.objects.filter(owners=user).values_list("pk", flat=True))
    for each in competitions:
        if each.league_id in owned:
            roles[each.pk].add(Role.Kind.ORGANIZER)
    staffed = [pk for pk, kinds in roles.items() if kinds & {Role.Kind.ORGANIZER, Role.Kind.SCORER}]
    waiting = _find_waiting(staffed)
    to_confirm = _count_to_confirm(user, [each for each in competitions if roles[each.pk] & _STAFF])
    return [
        replace(
            _add_own(card, roles[each.pk], waiting.get(each.pk, ()), to_confirm.get(each.pk, 0)),
            line_ups=line_ups.get(each.pk, ()),
            player=players.get(each.pk),
        )
        for card, each in zip(plain, competitions, strict=True)
    ]


_STAFF = frozenset({Role.Kind.ORGANIZER, Role.Kind.REFEREE, Role.Kind.SCORER})


def _add_own(
    card: Card, roles: set[Role.Kind], rounds: Sequence[tuple[Round, RoundCount]], to_confirm: int
) -> Card:
    complete = sum(count.entered >= count.expected for _round, count in rounds)
    return replace(
        card,
        roles=tuple(sorted(roles)),
        waiting=tuple((each, count) for each, count in rounds if count.entered < count.expected),
        complete=complete if Role.Kind.ORGANIZER in roles else 0,
        to_confirm=to_confirm,
    )


def _find_waiting(competitions: Sequence[int]) -> dict[int, list[tuple[Round, RoundCount]]]:
    every = Round.objects.filter(stage__division__competition__in=competitions, status=Round.Status.OPEN)
    rounds_to_play = to_be_played(every).select_related("stage__division")
    rounds = list(rounds_to_play.order_by("stage__division__position", "stage__position", "number"))
    counts = round_counts([round_.pk for round_ in rounds]) if rounds else {}
    waiting: dict[int, list[tuple[Round, RoundCount]]] = {}
    for round_ in rounds:
        mine = waiting.setdefault(round_.stage.division.competition_id, [])
        mine.append((round_, counts.get(round_.pk, RoundCount())))
    return waiting


def _count_to_confirm(user: User, competitions: Sequence[Competition]) -> dict[int, int]:
    """Count sheets to be confirmed that someone other than ``user`` entered."""
    confirming = [each.pk for each in competitions if each.counting == Competition.Counting.CONFIRMED]
    where = "table__round__stage__division__competition"
    sheets = Sheet.objects.current().filter(status=Sheet.Status.ENTERED, **{f"{where}__in": confirming})
    counts = sheets.exclude(entered_by=user).order_by().values_list(where).annotate(Count("pk"))
    return dict(counts)


def competitions_of(league: League) -> QuerySet[Competition]:
    """Return the league's competitions, newest first, with the numbers of ``players`` and ``rounds``."""
    return Competition.objects.filter(league=league).annotate(
        players=Count("entrants", filter=Q(entrants__is_substitute=False), distinct=True),
        rounds=Count("divisions__stages__rounds", distinct=True),
    )
