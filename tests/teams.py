"""A club with eight players in four teams of two. Dora is the captain of the Reds."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from league.models import Competition, Role, Round, Team
from league.play.results.services import record_result
from league.play.rounds.services import close_round, create_round, open_round, set_visibility
from league.ranking.teams.services import name_players, seat_from_line_ups, seat_teams
from tests.factories import Club, club
from tests.written_again import written_again

NAMES = ("Reds", "Blues", "Greens", "Greys")
# Under M.League's rules: 60.0, 5.0, −20.0, −45.0.
POINTS = (40_000, 25_000, 20_000, 15_000)


@written_again
def team_club(slug: str = "spring", **options: Any) -> Club:
    """Reds p1 and p5, Blues p2 and p6, Greens p3 and p7, Greys p4 and p8."""
    here = club(slug, preset="mleague", **options)
    here.competition.team_play = Competition.TeamPlay.LINE_UPS
    here.competition.save(update_fields=["team_play"])
    for index, name in enumerate(NAMES):
        team = Team.objects.create(competition=here.competition, key=f"t{index + 1}", name=name)
        members = [here.players[index].pk, here.players[index + 4].pk]
        here.competition.entrants.filter(player__in=members).update(team=team)
    Role.objects.create(
        competition=here.competition, user=here.dora, kind=Role.Kind.CAPTAIN, team=team_of(here, "Reds")
    )
    return here


def team_of(here: Club, name: str) -> Team:
    return Team.objects.select_related("competition").get(competition=here.competition, name=name)


def teams_of(here: Club, *names: str) -> list[int]:
    return [team_of(here, name).pk for name in names]


def fresh(round_: Round) -> Round:
    return Round.objects.select_related("stage__division__competition").get(pk=round_.pk)


def team_round(here: Club, *tables: tuple[str, ...]) -> Round:
    """Plan a hidden round with these teams, east first, by default at one table of four."""
    made = create_round(stage=here.stage, by=here.alice)
    four = {number: teams_of(here, *names) for number, names in enumerate(tables or (NAMES,), 1)}
    here.rounds.append(made)
    return seat_teams(round_=made, tables=four, by=here.alice)


def name_all(here: Club, round_: Round, *, second: bool = False, but: tuple[str, ...] = ()) -> None:
    """Each team names its first player (or its second one)."""
    for index, name in enumerate(NAMES):
        if name not in but:
            player = here.players[index + 4 * second].pk
            name_players(
                team=team_of(here, name), round_=round_, players=[player], organizes=True, by=here.alice
            )


def named(
    here: Club,
    name: str,
    round_: Round,
    *players: int,
    by: User | None = None,
    organizes: bool = False,
    reason: str = "",
    at: datetime | None = None,
) -> None:
    """Let Dora name these players, by their numbers from 1, before the deadline."""
    name_players(
        team=team_of(here, name),
        round_=round_,
        players=[here.players[number - 1].pk for number in players],
        organizes=organizes,
        reason=reason,
        by=by or here.dora,
        at=at,
    )


def play_to_the_end(here: Club, *tables: tuple[str, ...], visibility: str = "results") -> Round:
    """A round in which the first players of these teams sit at one table, scored with ``POINTS``, closed."""
    round_ = team_round(here, *tables)
    name_all(here, round_)
    seat_from_line_ups(round_=round_, by=here.alice)
    open_round(round_=fresh(round_), by=here.alice)
    table = round_.tables.select_related(
        "round__stage__division__competition", "round__stage__division__rule_set"
    ).get()
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    set_visibility(round_=fresh(round_), visibility=visibility, by=here.alice)
    return close_round(round_=fresh(round_), by=here.alice)


@written_again
def equal_pairs(slug: str = "spring", tie_breaks: tuple[str, ...] = (), visibility: str = "results") -> Club:
    """The club after two rounds: Reds and Greys have 15.0 each, Blues and Greens −15.0."""
    here = team_club(slug)
    here.competition.tie_breaks = list(tie_breaks)
    here.competition.save(update_fields=["tie_breaks"])
    play_to_the_end(here, NAMES, visibility=visibility)
    play_to_the_end(here, NAMES[::-1], visibility=visibility)
    return here
