"""The calendar of the demo league: a second division that agrees on its evenings, and free play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.contrib.auth.models import User

from league.core.zones import zone_of
from league.models import Appointment, Role, Round, Stage, Table
from league.people.members.services import say_who_plays
from league.play.calendar.services.calendar import Day, plan_matchdays
from league.play.calendar.services.table_times import agree_to_time, postpone_tables, propose_time
from league.play.open_play.services import make_table, set_play
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round, seat_players, set_visibility

WINDOW = timedelta(days=14)
EVENING = time(19, 30)  # where the league plays
# Who sits where in the rounds that are seated, by position among the players; table after table.
SEATS = ((0, 1, 2, 3, 4, 5, 6, 7), (0, 2, 4, 6, 1, 3, 5, 7), (3, 0, 5, 6, 2, 7, 1, 4))
PLAYED = {1: (41_300, 18_600, 36_900, 23_200), 2: (12_400, 55_100, 30_700, 21_800)}
# Open play: days from today, who sat down, their points by wind.
LOOSE = (
    (-5, (0, 1, 4, 5), (33_500, 27_800, 44_100, 14_600)),
    (-2, (0, 2, 6, 7), (25_900, 38_200, 19_300, 36_600)),
)


@dataclass(frozen=True)
class Cast:
    """The invented players in order, the demo's accounts by name, and today."""

    players: Sequence[int]
    people: Mapping[str, User]
    today: date

    @property
    def player(self) -> int:
        """Return the player of the demo's player account."""
        return self.players[0]

    @property
    def organizer(self) -> User:
        return self.people["organizer"]


def make_calendar(evenings: Stage, open_play: Stage, cast: Cast) -> None:
    """Plan and play the two stages."""
    role = Role.objects.get(competition=evenings.division.competition, user=cast.people["player"])
    say_who_plays(
        competition=evenings.division.competition, role_id=role.pk, player=cast.player, by=cast.organizer
    )
    windows = [cast.today + WINDOW * number for number in range(-1, 3)]
    days = [Day(first, first + WINDOW - timedelta(days=1)) for first in windows]
    rounds = plan_matchdays(stage=evenings, days=days, hanchan=1, by=cast.organizer)
    for round_, seats in zip(rounds, SEATS, strict=False):  # the last one is planned only
        _seat(round_, [cast.players[position] for position in seats], cast.organizer)
    played, postponed, waiting, *_planned = rounds
    _play(played, cast)
    _agree_and_postpone(postponed, cast)
    _wait_for_the_player(waiting, cast)
    _play_freely(open_play, cast)


def _seat(round_: Round, players: Sequence[int], by: User) -> None:
    tables = {first // 4 + 1: players[first : first + 4] for first in range(0, len(players), 4)}
    seat_players(round_=round_, tables=tables, by=by)
    set_visibility(round_=round_, visibility=Round.Visibility.SEATING, by=by)


def _table(round_: Round, number: int) -> Table:
    related = ("round__stage__division__competition", "round__stage__division__rule_set")
    return Table.objects.select_related(*related).get(round=round_, number=number)


def _play(round_: Round, cast: Cast) -> None:
    """Play one table as planned, and the other one after its round was closed."""
    open_round(round_=round_, by=cast.organizer)
    postpone_tables(tables=[_table(round_, 2)], reason="Two of the four were ill", by=cast.people["referee"])
    for number, points in PLAYED.items():
        if number == 2:
            close_round(round_=round_, visibility=Round.Visibility.RESULTS, by=cast.organizer)
        record_result(table=_table(round_, number), points=points, based_on=0, by=cast.people["scorer"])


def _agree_and_postpone(round_: Round, cast: Cast) -> None:
    open_round(round_=round_, by=cast.organizer)
    proposal = _propose(_table(round_, 1), 4, cast.player, cast, by=cast.people["player"])
    agree_to_time(appointment=proposal, players=[cast.players[each] for each in (2, 4, 6)], by=cast.organizer)
    postpone_tables(tables=[_table(round_, 2)], reason="Typhoon signal no. 8", by=cast.people["referee"])


def _wait_for_the_player(round_: Round, cast: Cast) -> None:
    proposal = _propose(_table(round_, 1), 16, cast.players[3], cast, by=cast.organizer)
    agree_to_time(appointment=proposal, players=[cast.players[each] for each in (5, 6)], by=cast.organizer)


def _propose(table: Table, days: int, player: int, cast: Cast, *, by: User) -> Appointment:
    day = cast.today + timedelta(days=days)
    meets_at = datetime.combine(day, EVENING, zone_of(table.competition))
    return propose_time(table=table, meets_at=meets_at, place="Harbour Riichi, 3/F", player=player, by=by)


def _play_freely(stage: Stage, cast: Cast) -> None:
    set_play(stage=stage, play=Stage.Play.OPEN, by=cast.organizer)
    for seed, (days, positions, points) in enumerate(LOOSE, start=1):
        made = make_table(
            stage=stage,
            four=[cast.players[position] for position in positions],
            on=cast.today + timedelta(days=days),
            today=cast.today,
            seed=seed,
            by=cast.people["player"],
        )
        table = _table(made.round, made.number)
        record_result(table=table, points=points, based_on=0, by=cast.people["scorer"])
