"""Charts, statistics, head to head, records and ratings, and a player's page of all competitions."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import accumulate, groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.caching import ANY, PAGES, public_page
from league.core.charts import MOST_LINES, Bar, LineChart, Series, bars, line_chart, sampled
from league.core.kept_files import FAILED, PAUSE, content_of, find_file, fingerprint
from league.core.pages import LINES_A_PAGE, Asked, for_public, page, paged, presses
from league.core.stages import StageChoice, stages_of
from league.core.tags import MISSING, score, written
from league.core.zones import day_of
from league.extras.statistics.queries.games import PlayedGame, Sources, games_alone, played_games
from league.extras.statistics.queries.hands import (
    NotCounted,
    hands_of_competition,
    hands_of_league,
    hands_of_player,
    read_hands,
)
from league.extras.statistics.queries.league import (
    Career,
    HeldRecord,
    career_of,
    competition_records,
    entrants_of,
    league_competitions,
    league_mers,
    league_ratings,
    league_records,
    revisions_of,
)
from league.extras.statistics.queries.race import Race, race_of_players, race_of_teams
from league.extras.statistics.rules.hands import HandStatistics
from league.extras.statistics.rules.sheets import (
    STREAKS as PLACES_OF_STREAKS,
)
from league.extras.statistics.rules.sheets import (
    HeadToHead,
    PlayerStatistics,
    Streak,
    meetings,
    opponents_of,
    statistics_of,
)
from league.extras.statistics.services import set_profile
from league.extras.statistics.tables import (
    LOW_IS_GOOD,
    HandsTable,
    MersTable,
    OpponentLine,
    OpponentsTable,
    PlayerHands,
    RatedPlayer,
    RatingsTable,
    SeasonsTable,
)
from league.extras.statistics.tasks import keep_hands
from league.extras.statistics.words import (
    RECORDS,
    STREAKS,
    hand_words,
    yaku_words,
)
from league.models import Competition, Entrant, Stage
from league.people.members.queries import PlayerInfo, info_of, players_of
from league.ranking.standings.columns import places_bar
from league.ranking.standings.queries.stages import chosen_stage, newest_with_results
from league.ranking.teams.queries import teams_of
from scoring.units import Score

MOST_IN_MATRIX = 30
RANKS, TEAMS, LEAGUE, MERS = "rank", "teams", "league", "mers"
LATEST = 20  # games of a player's form
MOST_RATED = 5  # lines of the chart of ratings
GAMES_FOR_RATING = 10
RELOAD_SECONDS = "2"
LEAST_HANDS = 50  # of a player in the list of hands
WON = "won"
HANDS = (WON, "dealt_in", "riichi", "called", "win_points", "loss_points", "gain")  # its columns
SHARED = 3  # holders of a record that are named


# --- one player in one competition


def _profile(access: Access, pk: int) -> tuple[object, ...]:
    """Return what pages show of the profile besides the competition: whether visitors may read it."""
    return tuple(Entrant.objects.filter(pk=pk).values_list("player__profile_since"))


def _profile_and_league(access: Access, pk: int) -> tuple[object, ...]:
    return _profile(access, pk), _league(access)


def _league(access: Access) -> tuple[object, ...]:
    return tuple(revisions_of(league_competitions(access)))


def _may_read(access: Access, entrant: Entrant) -> bool:
    own = access.player is not None and access.player == entrant.player_id
    return own or access.is_staff or entrant.player.profile_since is not None


@public_page(_profile, page=PAGES)
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
    against = opponents_of(games_alone(played), entrant.player_id)
    order = sorted(against, key=lambda other: (-against[other].games, -against[other].difference, other))
    met = paged(
        request, [(people[other], against[other]) for other in order if other in people], LINES_A_PAGE
    )
    return page(
        request,
        access,
        "statistics/player.html",
        entrant=entrant,
        info=info_of(entrant),
        own=own,
        **_extremes(own, played),
        winds=_by_wind(own),
        opponents=OpponentsTable(_by_opponent(met), request=request, page=met),
        stage=stage,
        has_career=_may_read(access, entrant),
        ranks=_rank_chart(stage, entrant, [c.stage for c in choices], public=public) if stage else None,
        **_hands(hands_of_player(here, played, entrant.player_id)),
    )


def _hands(own: HandStatistics) -> dict[str, Any]:
    return {"hands": own, "hand_numbers": hand_words(own), "yaku": yaku_words(own)}


class ScoredGame(NamedTuple):
    game: PlayedGame
    score: Score


class PlayedStreak(NamedTuple):
    """A streak by its name, its first and last game, and the length of the one that continues."""

    name: Any
    streak: Streak
    first: PlayedGame
    last: PlayedGame
    current: int


def _extremes(own: PlayerStatistics, played: Sequence[PlayedGame]) -> dict[str, Any]:
    """Return the games with the best and the worst score, and the streaks of two games or more."""

    def scored(index: int | None) -> ScoredGame | None:
        return None if index is None else ScoredGame(played[index], own.seats[index].score)

    longest = [(kind, own.streak(kind)) for kind in PLACES_OF_STREAKS]
    streaks = [
        PlayedStreak(
            STREAKS[kind], streak, played[streak.first], played[streak.last], own.current_streak(kind)
        )
        for kind, streak in longest
        if streak and streak.length > 1
    ]
    return {"best": scored(own.best), "worst": scored(own.worst), "streaks": streaks}


class WindLine(NamedTuple):
    """The games from one starting wind, with the drawings of the places and of the average score."""

    wind: int
    own: PlayerStatistics
    places: str
    bar: Bar | None


def _by_wind(own: PlayerStatistics) -> list[WindLine]:
    of_winds = [own.from_wind(wind) for wind in range(4)]
    lengths = bars([of_wind.average_score for of_wind in of_winds])
    return [
        WindLine(wind, of_wind, places_bar(of_wind.places, _("Places 1 to 4")), bar)
        for wind, (of_wind, bar) in enumerate(zip(of_winds, lengths, strict=True))
        if of_wind.games
    ]


def _by_opponent(lines: Iterable[tuple[PlayerInfo, HeadToHead]]) -> list[OpponentLine]:
    known = list(lines)
    lengths = bars([against.average for _info, against in known])
    return [OpponentLine(info, against, bar) for (info, against), bar in zip(known, lengths, strict=True)]


def _rank_chart(stage: Stage, entrant: Entrant, every: Sequence[Stage], *, public: bool) -> LineChart | None:
    race_here = race_of_players(stage, public=public, every=every)
    if entrant.player_id not in race_here.ranks:
        return None
    series = [Series(entrant.player.name, race_here.ranks[entrant.player_id][1:])]
    return line_chart(series, _labels(race_here)[1:], _rank_words, upside_down=True)


# --- a player in all competitions


@public_page(_profile_and_league)
def career(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show a player's seasons, titles and form in the league, if the player allows it.

    Staff and the player may always read it. Raises PermissionDenied for others.
    """
    entrant = access.entrant(pk)
    if not _may_read(access, entrant):
        raise PermissionDenied(_("This player has no public profile."))
    competitions = league_competitions(access)
    of_player = career_of(entrant.player_id, competitions)
    rated = league_ratings(competitions)
    history = rated.history(entrant.player_id)
    of_all = league_mers(competitions, day_of(access.competition))
    own = of_player.own
    return page(
        request,
        access,
        "statistics/career.html",
        entrant=entrant,
        info=info_of(entrant),
        career=of_player,
        own=own,
        **_extremes(own, of_player.played),
        seasons=SeasonsTable(of_player.seasons, request=request),
        latest=own.seats[-LATEST:],
        chart=_sum_chart(of_player),
        rating_chart=_rating_chart([(entrant.player.name, "", history)]),
        skill=rated.skills.get(entrant.player_id),
        mers=of_all.get(entrant.player_id),
        is_own=access.player == entrant.player_id,
        **_hands(hands_of_player(of_player.sources, of_player.played, entrant.player_id)),
    )


def _sum_chart(of_player: Career) -> LineChart | None:
    """Draw the sum of all scores after games, at most ``MOST_STEPS`` of them."""
    sums = list(accumulate(seat.score for seat in of_player.own.seats))
    steps = sampled(len(sums)) if sums else []
    series = [Series(_("Sum of scores"), [0, *(sums[step] for step in steps)])]
    labels = [_("Start"), *(str(step + 1) for step in steps)]
    return line_chart(series, labels, score, level=lambda value: score(value)[:-2])


@presses(Can.VIEW)
def profile(request: HttpRequest, access: Access, pk: int) -> Asked:
    """Show the player's page of all competitions to everyone, or no longer: pressed by the player, or by an
    organizer whom the player asked.
    """
    entrant = access.entrant(pk)
    if not access.can_organize and access.player != entrant.player_id:
        raise PermissionDenied
    has_profile = "show" in request.POST
    entrant.competition = access.competition
    shown, hidden = _("Everyone can read this page now."), _("Visitors can no longer read this page.")
    return Asked(
        partial(set_profile, entrant=entrant, has_profile=has_profile),
        then=access.address("statistics:career", pk),
        done=shown if has_profile else hidden,
    )


# --- records and ratings


@public_page(_league, of={LEAGUE})
def records(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the records of the competition, or with ``of=league`` of its league, each with its games."""
    public, of_league = for_public(request, access), request.GET.get("of") == LEAGUE
    competitions = league_competitions(access)
    if of_league:
        held_records = league_records(competitions)
    else:
        stages = {choice.stage.pk: choice.stage for choice in stages_of(access.competition, public=public)}
        held_records = competition_records(access.competition, Sources(stages, public))
    return page(
        request,
        access,
        "statistics/records.html",
        records=_shown_records(held_records, access, competitions if of_league else [access.competition]),
        of_league=of_league,
        several=len(competitions) > 1,
        stage=_first_stage(access, public=public),
    )


def _shown_records(
    held_records: Sequence[HeldRecord], access: Access, competitions: Sequence[Competition]
) -> list[tuple[Any, ...]]:
    """Return (name, value in words, lines, further holders). A line: entrant, first game, last games."""
    who = entrants_of({record.record.player for record in held_records}, competitions)
    shown = []
    for kind, of_kind in groupby(held_records, key=lambda each: each.record.kind):
        held = list(of_kind)
        words, format_ = RECORDS[kind]
        lines = []
        for each in held[:SHARED]:
            slug = next((game.slug for game in each.games), "")
            entrant = who.get((each.record.player, slug)) or who[each.record.player, ""]
            lines.append((entrant, each.games[:1], each.games[1:]))
        shown.append((words, written(held[0].record.value, format_), lines, len(held) - len(lines)))
    return shown


@gzip_page
@public_page(_league, of={LEAGUE}, by=frozenset(HANDS), page=PAGES)
def hands(request: HttpRequest, access: Access) -> HttpResponse:
    """List players by a number of their hands, such as ``by=dealt_in``. ``of=league``: of the league."""
    public, of_league = for_public(request, access), request.GET.get("of") == LEAGUE
    competitions = league_competitions(access)
    if of_league:
        try:
            by_player = hands_of_league(competitions, find=lambda: _kept_hands(request, access, competitions))
        except NotCounted as error:
            return _uncounted(request, access, has_failed=FAILED in error.args)
    else:
        stages = {choice.stage.pk: choice.stage for choice in stages_of(access.competition, public=public)}
        by_player = hands_of_competition(access.competition, Sources(stages, public))
    by = request.GET.get("by", WON)
    sign = 1 if by in LOW_IS_GOOD else -1

    def place(player: int) -> tuple[Any, ...]:
        share = by_player[player].rate(by).share
        return share is None, sign * (share or 0), player

    known = [player for player, own in by_player.items() if own.hands >= LEAST_HANDS]
    order = sorted(known, key=place)
    lines = paged(request, order, LINES_A_PAGE)
    who = entrants_of(lines, competitions if of_league else [access.competition])
    rows = [PlayerHands(who[player, ""], by_player[player]) for player in lines]
    query = f"of={LEAGUE}&" if of_league else ""
    return page(
        request,
        access,
        "statistics/hands.html",
        table=HandsTable(rows, HANDS, by=by, query=query, request=request, page=lines),
        by=by,
        of_league=of_league,
        several=len(competitions) > 1,
        least=LEAST_HANDS,
        stage=_first_stage(access, public=public),
    )


def _kept_hands(
    request: HttpRequest, access: Access, competitions: Sequence[Competition]
) -> Mapping[int, HandStatistics]:
    """Return what the worker has counted. Raise ``NotCounted`` until then, with ``FAILED`` if it failed."""
    facts = ("hands", revisions_of(competitions))
    known = sorted(competition.pk for competition in competitions)
    file = find_file(request, access, keep_hands, known, facts=facts, public=True)
    if file is not None and file.facts == fingerprint(facts) and (content := content_of(file)):
        return read_hands(content)
    raise NotCounted(FAILED if file is not None and file.refusal == FAILED else "")


def _uncounted(request: HttpRequest, access: Access, *, has_failed: bool) -> HttpResponse:
    """Render the page that asks again until the worker has counted the hands of the league."""
    response = page(
        request,
        access,
        "statistics/hands.html",
        waits=not has_failed,
        failed=has_failed,
        of_league=True,
        several=True,
        by=request.GET.get("by", WON),
        stage=_first_stage(access, public=for_public(request, access)),
        status=503,
    )
    response["Retry-After"] = str(int(PAUSE.total_seconds())) if has_failed else RELOAD_SECONDS
    if not has_failed:
        response["Refresh"] = RELOAD_SECONDS
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs a 503 as an error
    return response


@gzip_page
@public_page(_league, by={MERS}, page=PAGES)
def ratings(request: HttpRequest, access: Access) -> HttpResponse:
    """Rate the players of the league by openskill, or with ``by=mers`` by MERS."""
    competitions, by_mers = league_competitions(access), request.GET.get("by") == MERS
    rated_players: dict[int, Any]
    if by_mers:
        rated_players = league_mers(competitions, day_of(access.competition))
    else:
        rated = league_ratings(competitions)
        rated_players = {
            player: skill for player, skill in rated.skills.items() if skill.games >= GAMES_FOR_RATING
        }
    order = sorted(rated_players, key=lambda player: (-rated_players[player].rating, player))
    lines = paged(request, order, LINES_A_PAGE)
    who = entrants_of([*lines, *order[:MOST_RATED]], competitions)
    rows = [
        RatedPlayer(rank, who[player, ""], rated_players[player])
        for rank, player in enumerate(lines, lines.start_index())
    ]
    chart = None
    if not by_mers:
        chart = _rating_chart(
            [(who[each, ""].player.name, "", rated.history(each)) for each in order[:MOST_RATED]]
        )
    return page(
        request,
        access,
        "statistics/ratings.html",
        by_mers=by_mers,
        table=(MersTable if by_mers else RatingsTable)(rows, request=request, page=lines),
        chart=chart,
        competitions=len(competitions),
        least=GAMES_FOR_RATING,
        stage=_first_stage(access, public=for_public(request, access)),
    )


def _rating_chart(of: Sequence[tuple[str, str, Sequence[tuple[date | None, float]]]]) -> LineChart | None:
    """Draw ratings after each day on which one of these players had a game. A rating holds until the next."""
    days = sorted({day for _name, _address, history in of for day, _rating in history if day})
    days = [days[at] for at in sampled(len(days))] if days else []
    series = [Series(name, _ratings_on(days, history), address) for name, address, history in of]
    labels = [date_format(day, "SHORT_DATE_FORMAT") for day in days]
    return line_chart(series, labels, _rating_words)


def _ratings_on(days: Sequence[date], history: Sequence[tuple[date | None, float]]) -> list[int | None]:
    """Return tenths of the rating at the end of each day, or None before the first game."""
    on_days: list[int | None] = []
    at, now = 0, None
    for day in days:
        while at < len(history) and (history[at][0] or day) <= day:
            _day, rating = history[at]
            now = round(10 * rating)
            at += 1
        on_days.append(now)
    return on_days


def _rating_words(value: Score | None) -> str:
    return MISSING if value is None else score(value).lstrip("+")


def _first_stage(access: Access, *, public: bool) -> Stage | None:
    return newest_with_results(stages_of(access.competition, public=public))


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
    race_here = (race_of_teams if of_teams else race_of_players)(here, public=public, every=every)
    names = _names_of(access, of_teams=of_teams)
    asked = [int(each) for each in request.GET.getlist("p") if each.isascii() and each.isdigit()]
    by_number = {named.number: who for who, named in names.items()}
    chosen = [
        by_number[number] for number in dict.fromkeys(asked) if by_number.get(number) in race_here.totals
    ]
    in_chart = (chosen or list(race_here.order))[:MOST_LINES]
    of_ranks = request.GET.get("by") == RANKS
    return page(
        request,
        access,
        "statistics/race.html",
        stage=here,
        choices=choices,
        chart=_race_chart(race_here, in_chart, names, of_ranks=of_ranks),
        of_teams=of_teams,
        of_ranks=of_ranks,
        views=[
            (words, f"?{urlencode(query)}", query == _query(of_teams, of_ranks))
            for words, query in _views_of_race(has_teams=has_teams)
        ],
        people=[(names[who].number, names[who].name, who in in_chart) for who in race_here.order],
        by_day=bool(race_here.steps) and isinstance(race_here.steps[-1], date),
        most=MOST_LINES,
    )


def _query(of_teams: bool, of_ranks: bool) -> dict[str, str]:
    return ({"of": TEAMS} if of_teams else {}) | ({"by": RANKS} if of_ranks else {})


def _views_of_race(*, has_teams: bool) -> list[tuple[str, dict[str, str]]]:
    found = [(_("Running totals"), _query(False, False)), (_("Rank by round"), _query(False, True))]
    if not has_teams:
        return found
    return [*found, (_("Teams: running totals"), _query(True, False)), (_("Teams: rank"), _query(True, True))]


class RaceName(NamedTuple):
    """A player or team: the number in addresses, the name and the address of its page."""

    number: int
    name: str
    address: str


def _names_of(access: Access, *, of_teams: bool) -> Mapping[int, RaceName]:
    """Return player or team → its name."""
    if of_teams:
        teams = teams_of(access.competition)
        return {pk: RaceName(pk, team.name, access.address("teams:team", pk)) for pk, team in teams.items()}
    return {
        pk: RaceName(info.entrant, info.name, access.address("standings:player", info.entrant))
        for pk, info in players_of(access.competition).items()
    }


def _race_chart(
    race_here: Race, in_chart: Sequence[int], names: Mapping[int, RaceName], *, of_ranks: bool
) -> LineChart | None:
    if of_ranks:
        series = [Series(names[who].name, race_here.ranks[who][1:], names[who].address) for who in in_chart]
        return line_chart(series, _labels(race_here)[1:], _rank_words, upside_down=True)
    series = [Series(names[who].name, race_here.totals[who], names[who].address) for who in in_chart]
    return line_chart(series, _labels(race_here), score, level=lambda value: score(value)[:-2])


def _rank_words(rank: Score | None) -> str:
    return MISSING if rank is None else str(rank)


def _labels(race_here: Race) -> list[str]:
    return [_step_words(step) for step in race_here.steps]


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
    listed = sorted((count for count in counts if count in people), key=lambda each: (-counts[each], each))
    listed = sorted(listed[:MOST_IN_MATRIX], key=lambda each: people[each].name)
    head_to_head = meetings(played, listed)
    return page(
        request,
        access,
        "statistics/matrix.html",
        stage=here,
        choices=choices,
        columns=[people[each] for each in listed],
        rows=[(people[each], [head_to_head.get((each, other)) for other in listed]) for each in listed],
        left_out=len(counts.keys() & people.keys()) - len(listed),
        most=MOST_IN_MATRIX,
    )


def _stage_at(choices: Sequence[StageChoice], division: str, stage: str) -> Stage:
    found = chosen_stage(choices, division, stage)
    if found is None:
        raise Http404
    return found
