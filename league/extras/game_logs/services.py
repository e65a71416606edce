"""Save games with their score sheets and hands, and remember whose names they have."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.extras.game_logs.queries import GamePlan, Mark, Name, plan_games, players_here
from league.extras.game_logs.rules import GameLog as Log
from league.models import GameLog, GameName, Seat, Stage, Table, TeamSeat
from league.play.hands.services import keep_game
from league.play.open_play.services import check_four, make_in
from league.play.results.services import record_in
from players.models import Player
from scoring.settlement import Ending


def save_games(
    *,
    stage: Stage,
    logs: Sequence[Log],
    chosen: Mapping[Name, int],
    expected: Collection[Mark],
    unfinished: Collection[str] = (),
    today: date,
    by: User,
    form: Sent | None = None,
) -> list[Table]:
    """Save every game that has no problem, and the names of its players.

    `chosen`: name → player. `unfinished`: as for `plan_games`. `expected`: the games with their tables
    (`GamePlan.mark`) that the preview was ready to save. Raises Refused if they have changed since, or as a
    table, a sheet or hands are refused.
    """
    with change(stage.competition, by=by, form=form) as done:
        related = ("division__competition", "division__rule_set")
        stage = reread(Stage.objects.select_related(*related), pk=stage.pk)
        people = players_here(done.competition)
        plans = plan_games(stage, logs, chosen, people, unfinished=unfinished)
        ready = [plan for plan in plans if plan.is_ready]
        if not ready or {plan.mark for plan in ready} != set(expected):
            raise Refused(_("The tables or players have changed since the preview. Check the games again."))
        tables = [_save(done, stage, plan, today) for plan in ready]
        _remember(done, ready)
        done.answer = {"tables": len(tables), "hands": sum(plan.hands for plan in ready)}
        return tables


def _save(done: Change, stage: Stage, plan: GamePlan, today: date) -> Table:
    log = plan.log
    players = [player for player in plan.players if player is not None]
    check_four(stage, players)
    if plan.table is None:
        table = make_in(done, stage, players, on=log.day or today, seed=None)
    else:
        table = _seated(plan.table, players)
    table.round.stage = stage
    ending = Ending(log.deposits, log.last_dealer, chips=plan.chips)
    if plan.replayed.game is not None:
        keep_game(done, table, plan.replayed.game)
    record_in(done, table, log.points, ending, based_on=0)
    GameLog.objects.create(
        competition=done.competition,
        table=table,
        service=log.service,
        ref=log.ref,
        digest=log.fingerprint,
    )
    after = {"players": players, "hands": plan.hands}
    done.log("game.import", f"table:{table.pk}", after=after)
    return table


def _seated(at: Seat, players: Sequence[int]) -> Table:
    """Give the players of a table without a result the winds of the game."""
    seats = {seat.player_id: seat for seat in Seat.objects.filter(table=at.table_id)}
    if [seats[player].wind for player in players] != [0, 1, 2, 3]:
        if TeamSeat.objects.filter(round=at.round_id, table=at.table.number).exists():
            raise Refused(
                _("Table %(number)s has seats of teams, and its players sat in other winds. Enter it.")
                % {"number": at.table.number}
            )
        Seat.objects.filter(table=at.table_id).delete()
        Seat.objects.bulk_create(
            Seat(
                table_id=at.table_id,
                round_id=at.round_id,
                wind=wind,
                player_id=player,
                **seats[player].substitution,
            )
            for wind, player in enumerate(players)
        )
    return Table.objects.select_related("round").get(pk=at.table_id)


def _remember(done: Change, plans: Sequence[GamePlan]) -> None:
    league = done.competition.league_id
    for plan in plans:
        for name, player in zip(plan.names, plan.players, strict=True):
            if player is not None and not name.game:
                GameName.objects.update_or_create(
                    league_id=league, service=name.service, name=name.name, defaults={"player_id": player}
                )


def take_over_names(*, keep: Player, gone: Player) -> None:
    GameName.objects.filter(player=gone).update(player=keep)
