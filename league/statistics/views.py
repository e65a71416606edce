"""Charts, statistics, head to head, records and ratings. All of them only read."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.core.access import Access
from league.core.caching import ANY, PAGES, public_page
from league.core.charts import MOST_LINES, LineChart, Series, bars, line_chart
from league.core.pages import LINES_A_PAGE, for_public, page, paged
from league.core.stages import StageChoice, stages_of
from league.models import Entrant, Stage
from league.people.queries import info_of, players_of
from league.standings.columns import places_bar
from league.standings.queries.stages import chosen_stage, newest_with_results
from league.statistics.queries.games import PlayedGame, Sources, games_alone, played_games
from league.statistics.queries.race import Race, race_of_players, race_of_teams
from league.statistics.words import STREAKS
from league.teams.queries import teams_of
from league.templatetags.umaoka import MISSING, score
from scoring.statistics import (
    STREAKS as PLACES_OF_STREAKS,
)
from scoring.statistics import PlayerStatistics, meetings, opponents_of, statistics_of
from scoring.units import Score

MOST_IN_MATRIX = 30
RANKS, TEAMS = "rank", "teams"


# --- one player in one competition


@public_page(page=PAGES)
def player(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show what a player's score sheets say: places, streaks, winds, opponents, and the rank by round."""
    public = for_public(request, access)
    entrant = access.entrant(pk)
    choices = stages_of(access.competition, public=public)
    here = Sources({choice.stage.pk: choice.stage for choice in choices}, public)
    played = [
        game for game in played_games(here, entrant.player_id) if entrant.player_id in game.game.players
    ]
    own = statistics_of(games_alone(played), entrant.player_id)
    people = players_of(access.competition)
    stage = newest_with_results([c for c in choices if c.stage.division_id == entrant.division_id] or choices)
    found = opponents_of(games_alone(played), entrant.player_id)
    against = sorted(found.items(), key=lambda each: (-each[1].games, -each[1].difference, each[0]))
    shown = paged(
        request, [(people[other], each) for other, each in against if other in people], LINES_A_PAGE
    )
    return page(
        request,
        access,
        "statistics/player.html",
        entrant=entrant,
        info=info_of(entrant),
        own=own,
        best=None if own.best is None else (played[own.best], own.seats[own.best][3]),
        worst=None if own.worst is None else (played[own.worst], own.seats[own.worst][3]),
        streaks=_streaks(own, played),
        winds=_by_wind(own),
        shown=shown,
        opponents=list(zip(shown, bars([each.average for _info, each in shown]), strict=True)),
        stage=stage,
        ranks=_rank_chart(stage, entrant, [c.stage for c in choices], public=public) if stage else None,
    )


def _streaks(own: PlayerStatistics, played: Sequence[PlayedGame]) -> list[tuple[Any, ...]]:
    """Return (name, streak, its first and last game, current length) for streaks of two games or more."""
    found = [(kind, own.streak(kind)) for kind in PLACES_OF_STREAKS]
    return [
        (STREAKS[kind], longest, played[longest.first], played[longest.last], own.current_streak(kind))
        for kind, longest in found
        if longest and longest.length > 1
    ]


def _by_wind(own: PlayerStatistics) -> list[tuple[Any, ...]]:
    of_winds = [own.from_wind(wind) for wind in range(4)]
    lengths = bars([each.average_score for each in of_winds])
    return [
        (wind, each, places_bar(each.places, _("Places 1 to 4")), length)
        for wind, (each, length) in enumerate(zip(of_winds, lengths, strict=True))
        if each.games
    ]


def _rank_chart(stage: Stage, entrant: Entrant, every: Sequence[Stage], *, public: bool) -> LineChart | None:
    found = race_of_players(stage, public=public, every=every)
    if entrant.player_id not in found.ranks:
        return None
    series = [Series(entrant.player.name, found.ranks[entrant.player_id][1:])]
    return line_chart(series, _labels(found)[1:], _rank_words, upside_down=True)


# --- a stage


@gzip_page
@public_page(p=ANY, by={RANKS}, of={TEAMS})
def race(request: HttpRequest, access: Access, division: str, stage: str) -> HttpResponse:
    """Show running totals or ranks of the first players, or of those in the address: ``?p=7&p=12&by=rank``.

    ``of=teams``: of teams.
    """
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    here = _stage_at(choices, division, stage)
    every = [choice.stage for choice in choices]
    has_teams = access.competition.team_play != access.competition.TeamPlay.NONE and here.counts_for_teams
    of_teams = has_teams and request.GET.get("of") == TEAMS
    found = (race_of_teams if of_teams else race_of_players)(here, public=public, every=every)
    names = _names_of(access, of_teams=of_teams)
    asked = [int(each) for each in request.GET.getlist("p") if each.isascii() and each.isdigit()]
    by_number = {number: who for who, (number, _name, _address) in names.items()}
    chosen = [by_number[each] for each in dict.fromkeys(asked) if by_number.get(each) in found.totals]
    shown = (chosen or list(found.order))[:MOST_LINES]
    of_ranks = request.GET.get("by") == RANKS
    return page(
        request,
        access,
        "statistics/race.html",
        stage=here,
        choices=choices,
        chart=_race_chart(found, shown, names, of_ranks=of_ranks),
        of_teams=of_teams,
        of_ranks=of_ranks,
        views=[
            (words, f"?{urlencode(query)}", query == _query(of_teams, of_ranks))
            for words, query in _views_of_race(has_teams=has_teams)
        ],
        people=[(names[who][0], names[who][1], who in shown) for who in found.order],
        by_day=bool(found.steps) and isinstance(found.steps[-1], date),
        most=MOST_LINES,
    )


def _query(of_teams: bool, of_ranks: bool) -> dict[str, str]:
    return ({"of": TEAMS} if of_teams else {}) | ({"by": RANKS} if of_ranks else {})


def _views_of_race(*, has_teams: bool) -> list[tuple[str, dict[str, str]]]:
    found = [(_("Running totals"), _query(False, False)), (_("Rank by round"), _query(False, True))]
    if not has_teams:
        return found
    return [*found, (_("Teams: running totals"), _query(True, False)), (_("Teams: rank"), _query(True, True))]


def _names_of(access: Access, *, of_teams: bool) -> Mapping[int, tuple[int, str, str]]:
    """Return player or team → the number in addresses, the name and the address of its page."""
    if of_teams:
        teams = teams_of(access.competition)
        return {pk: (pk, team.name, access.address("teams:team", pk)) for pk, team in teams.items()}
    return {
        pk: (info.entrant, info.name, access.address("standings:player", info.entrant))
        for pk, info in players_of(access.competition).items()
    }


def _race_chart(
    found: Race, shown: Sequence[int], names: Mapping[int, tuple[int, str, str]], *, of_ranks: bool
) -> LineChart | None:
    if of_ranks:
        series = [Series(names[who][1], found.ranks[who][1:], names[who][2]) for who in shown]
        return line_chart(series, _labels(found)[1:], _rank_words, upside_down=True)
    series = [Series(names[who][1], found.totals[who], names[who][2]) for who in shown]
    return line_chart(series, _labels(found), score, level=lambda value: score(value)[:-2])


def _rank_words(rank: Score | None) -> str:
    return MISSING if rank is None else str(rank)


def _labels(found: Race) -> list[str]:
    return [_step_words(step) for step in found.steps]


def _step_words(step: int | date | None) -> str:
    if step is None:
        return _("Start")
    return str(step) if isinstance(step, int) else date_format(step, "SHORT_DATE_FORMAT")


@gzip_page
@public_page()
def matrix(request: HttpRequest, access: Access, division: str, stage: str) -> HttpResponse:
    """Show how often each player came out ahead of each other one."""
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    here = _stage_at(choices, division, stage)
    played = games_alone(played_games(Sources({here.pk: here}, public)))
    people = players_of(access.competition)
    counts: dict[int, int] = {}
    for game in played:
        for each in game.players:
            counts[each] = counts.get(each, 0) + 1
    listed = sorted((each for each in counts if each in people), key=lambda each: (-counts[each], each))
    listed = sorted(listed[:MOST_IN_MATRIX], key=lambda each: people[each].name)
    found = meetings(played, listed)
    return page(
        request,
        access,
        "statistics/matrix.html",
        stage=here,
        choices=choices,
        columns=[people[each] for each in listed],
        rows=[(people[each], [found.get((each, other)) for other in listed]) for each in listed],
        left_out=len(counts.keys() & people.keys()) - len(listed),
        most=MOST_IN_MATRIX,
    )


def _stage_at(choices: Sequence[StageChoice], division: str, stage: str) -> Stage:
    found = chosen_stage(choices, division, stage)
    if found is None:
        raise Http404
    return found
