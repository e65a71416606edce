"""Play random seasons of teams: all days planned, all teams seated at once, line-ups named, every result
entered.

``python -m tests.simulation --teams --events 1000 --seed 1`` plays 1,000 seasons in a temporary database.
Teams play equally often, within one day. Pairs of teams meet about equally often. The standings of teams and
players equal those reckoned by hand.
"""

import random
from collections import Counter
from datetime import date, timedelta
from itertools import combinations
from types import SimpleNamespace

from django.core.cache import cache

from league.models import Round, Stage
from league.play.calendar.services.calendar import Day, plan_matchdays
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from league.ranking.standings.queries.standings import standings
from league.ranking.teams.queries import team_standings, team_tables
from league.ranking.teams.services import add_team, name_players, seat_from_line_ups, seat_season
from scoring.teams import seats_by_team
from tests.factories import Club, club
from tests.reckoning import Hanchan, Known, Sit, Worth, reckoned
from tests.simulation.event import Key, agree, choose_rules
from tests.simulation.rounds import ending_of, play_hanchan


def play_teams(seed: int, *, most_days: int = 7) -> Counter[str]:
    """Play the season of this seed and return its log. Raise ``Discrepancy``."""
    cache.clear()
    chance = random.Random(seed)
    preset, worth, overrides = choose_rules(chance)
    like = SimpleNamespace(chance=chance, worth=worth, step=chance.choice((100, 5_000)))
    teams, size, hanchan = chance.randint(4, 12), chance.randint(1, 4), chance.randint(1, 3)
    here = club(f"teams-{seed}", preset=preset, overrides=overrides, players=teams * size)
    members = {}
    for at in range(teams):
        team = add_team(competition=here.competition, name=f"Team {at}", by=here.alice)
        members[team] = [player.pk for player in here.players[at * size : (at + 1) * size]]
        here.competition.entrants.filter(player__in=members[team]).update(team=team)
    days = [Day(date(2026, 11, 1) + timedelta(days=7 * n)) for n in range(chance.randint(1, most_days))]
    plan_matchdays(stage=here.stage, days=days, hanchan=hanchan, by=here.alice)
    same, tables = chance.random() < 0.5, chance.randint(1, teams // 4)
    seated = seat_season(
        stage=here.stage, tables=tables, same_all_day=same, again=False, seed=seed, by=here.alice
    )
    fours = [four for each in seated for four in team_tables(each).values()]
    check_even(fours, [team.pk for team in members], by=hanchan if same else 1)

    played: dict[Key, Hanchan] = {}
    for each in seated:
        round_ = fresh(each)
        for team, players in members.items():
            seats = len(seats_by_team(team_tables(round_)).get(team.pk, ()))
            if seats:
                named = chance.sample(players, seats)
                asked = {"team": team, "round_": round_, "players": named, "reason": "by telephone"}
                name_players(**asked, organizes=True, by=here.alice)
        seat_from_line_ups(round_=round_, by=here.alice)
        open_round(round_=fresh(each), by=here.alice)
        for table in fresh(each).tables.order_by("number"):
            table.round = fresh(each)
            sits = [Sit(seat.player_id) for seat in table.seats.order_by("wind")]
            result = played[round_.number, table.number] = Hanchan(sits)
            play_hanchan(like, result)  # type: ignore[arg-type]  # what it asks of an event
            record_result(table=table, points=result.points, **ending_of(result), based_on=0, by=here.alice)
        close_round(round_=fresh(each), visibility="results", by=here.alice)
    check_totals(here, played, {team.pk: players for team, players in members.items()}, worth)
    return Counter(rounds=len(seated), tables=len(fours), seasons=1)


def fresh(round_: Round) -> Round:
    related = ("stage__division__competition", "stage__division__rule_set")
    return Round.objects.select_related(*related).get(pk=round_.pk)


def check_even(fours: list[list[int]], teams: list[int], *, by: int) -> None:
    """``by``: rounds that have the same tables."""
    agree("four teams at each table", {len(set(four)) for four in fours}, {4})
    times = Counter(dict.fromkeys(teams, 0))
    times.update(team for four in fours for team in four)
    agree("teams play equally often", max(times.values()) - min(times.values()) <= by, True)
    met = Counter(dict.fromkeys(combinations(sorted(teams), 2), 0))
    met.update(pair for four in fours for pair in combinations(sorted(four), 2))
    apart = max(met.values()) - min(met.values())
    agree("pairs meet about equally often", (apart <= 3 * by, apart), (True, apart))


def check_totals(here: Club, played: dict[Key, Hanchan], members: dict[int, list[int]], worth: Worth) -> None:
    nothing = {"penalties": (), "given": (), "carried": {}, "tie_breaks": (), "known": Known()}
    lines = reckoned(played, worth, listed=[player.pk for player in here.players], **nothing)
    wanted = {line.player: line.total for line in lines}
    related = ("division__competition", "division__rule_set")
    stage = Stage.objects.select_related(*related).get(pk=here.stage.pk)
    found = standings(stage, public=True).rows
    agree("the players' totals", {line.row.player: line.row.total for line in found}, wanted)
    of_teams = team_standings(stage, public=True).rows
    sums = {team: sum(wanted[player] for player in players) for team, players in members.items()}
    agree("the teams' totals", {line.team.pk: line.row.total for line in of_teams}, sums)
    totals = [line.row.total for line in of_teams if line.row.games]  # teams without a game come last
    agree("the order of the teams", totals, sorted(totals, reverse=True))
