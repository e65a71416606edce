"""Two invented events of the demo club: a cup before its last table, and a tournament that takes entries."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils.timezone import get_current_timezone

from league.extras.needs.services import set_stage_end
from league.extras.registration.services import confirm, register, set_registration
from league.models import Competition, Registrant, Role, Round, Stage, Table
from league.people.members.services import say_who_plays
from league.play.results.services import record_result
from league.play.rounds import services as rounds

# Who sits where in each round, by position among the players, table after table.
SEATS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    (4, 8, 0, 9, 1, 5, 10, 2, 6, 3, 11, 7),
    (10, 0, 5, 3, 7, 9, 4, 1, 2, 11, 8, 6),
    (0, 5, 11, 3, 10, 8, 2, 6, 4, 9, 1, 7),
)
# Points by wind, table after table. The last table of the last round is still to be played.
POINTS = (
    ((52_400, 31_300, 24_100, 12_200), (38_600, 18_900, 33_700, 28_800), (21_500, 44_700, 35_900, 17_900)),
    ((29_400, 41_800, 15_300, 33_500), (47_200, 26_100, 9_800, 36_900), (34_600, 30_200, 23_700, 31_500)),
    ((12_900, 58_300, 27_400, 21_400), (33_100, 24_600, 45_500, 16_800), (30_700, 19_200, 28_300, 41_800)),
    ((43_900, 22_800, 34_100, 19_200), (27_700, 38_400, 20_500, 33_400)),
)
FINALISTS = 4
OWN = 1  # the position of the demo's player, who needs a win at the last table
PLACES = 8


def play_cup(stage: Stage, players: Sequence[int], people: dict[str, User], today: date) -> None:
    """Play a cup up to its last table. Four go on to the final."""
    competition, organizer = stage.competition, people["organizer"]
    role = Role.objects.get(competition=competition, user=people["player"])
    say_who_plays(competition=competition, role_id=role.pk, player=players[OWN], by=organizer)
    set_stage_end(stage=stage, rounds=len(SEATS), places=FINALISTS, by=organizer)
    for positions, points in zip(SEATS, POINTS, strict=True):
        seated = [players[position] for position in positions]
        tables = {at // 4 + 1: seated[at : at + 4] for at in range(0, len(seated), 4)}
        round_ = rounds.seat_players(
            round_=rounds.create_round(stage=stage, date=today, by=organizer), tables=tables, by=organizer
        )
        rounds.open_round(round_=round_, by=organizer)
        related = ("round__stage__division__competition", "round__stage__division__rule_set")
        every = Table.objects.filter(round=round_).select_related(*related).order_by("number")
        for table, four in zip(every, points, strict=False):
            record_result(table=table, points=four, based_on=0, by=people["scorer"])
        if len(points) == len(tables):
            rounds.close_round(round_=round_, by=organizer)
        rounds.set_visibility(round_=round_, visibility=Round.Visibility.RESULTS, by=organizer)


def open_registration(
    competition: Competition, rows: Sequence[tuple[str, str, str, str]], by: User, today: date
) -> None:
    """Take entries of these people: (name, romanized name, country, club). More than the places wait.

    They have no mail address, so that the demo sends nothing.
    """
    noon = datetime.combine(today, time(12), get_current_timezone())
    values: dict[str, Any] = {
        "opens_at": noon - timedelta(days=7),
        "closes_at": noon + timedelta(days=21),
        "places": PLACES,
        "kept_until": today + timedelta(days=60),
    }
    division = competition.divisions.get()
    registration = set_registration(competition=competition, division=division.slug, site="", by=by, **values)
    for name, romanized, country, club in rows:
        person = {"name": name, "romanized": romanized, "country": country, "club": club, "email": ""}
        register(registration=registration, values=person, site="", address=None)
    registrants = Registrant.objects.filter(registration=registration).order_by("pk")
    for registrant in registrants.select_related("registration__competition"):
        confirm(registrant=registrant, site="")
