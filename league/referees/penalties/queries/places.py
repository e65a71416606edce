"""Where a penalty can be logged, and from when it counts there."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet

from league.models import Entrant, Penalty, Round, Seat, Stage, Table
from league.play.calls.queries import finished_sheets
from league.ranking.standings.queries.standings import unlisted_players


def tables_in_play(rounds: QuerySet[Round], player: int) -> list[Table]:
    """Return the tables at which the player is in a game now, newest first. One query.

    Hands of a planned round have not begun. After a finished score sheet no hand follows.
    """
    sheets = finished_sheets().filter(table=OuterRef("pk"))
    open_tables = Table.objects.filter(round__in=rounds.filter(status=Round.Status.OPEN).values("pk"))
    related = ("round__stage__division__rule_set", "round__stage__division__competition")
    playing = open_tables.filter(~Exists(sheets), seats__player=player).select_related(*related)
    return list(playing.order_by("-round_id"))


def stages_of_player(stages: Iterable[Stage], entrant: Entrant) -> list[Stage]:
    """Return the stages for which a penalty away from the tables may be logged, the likeliest first.

    The likeliest stage lists the player, has begun, and is the newest one. Queries: 2, and one per stage.
    """
    every = list(stages)
    begun = Round.objects.filter(stage__in=every).exclude(status=Round.Status.PLANNED)
    started = set(begun.values_list("stage", flat=True))
    seats = Seat.objects.filter(player=entrant.player_id, round__stage__in=every)
    seated = set(seats.values_list("round__stage", flat=True))
    own = [
        stage for stage in every if stage.division_id == entrant.division_id or stage.pk in seated
    ] or every
    listed = {stage.pk for stage in own if not unlisted_players(stage, [entrant.player_id])}
    return sorted(reversed(own), key=lambda stage: (stage.pk not in listed, stage.pk not in started))


def unlisted_name(penalty: Penalty) -> list[str]:
    """Return the name of the player if no standings take the penalty, else an empty list. One query."""
    outside = unlisted_players(penalty.stage, [penalty.player_id])
    return [penalty.player.name] if outside else []


def begun_rounds(stage: Stage, player: int) -> list[Round]:
    """Return the rounds of the stage that the player has begun, by number. One query."""
    begun = Round.objects.filter(stage=stage, seats__player=player).exclude(status=Round.Status.PLANNED)
    return list(begun.distinct().order_by("number"))
