"""Rounds: made, seated, opened, closed, published, hidden."""

import random
from collections.abc import Mapping, Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from league.models import Entrant, Round, Seat, Sheet, Stage, Table
from league.services.changes import Form, change
from league.services.errors import Refused

Four = Sequence[int]  # player ids of east, south, west, north


def create_round(
    *,
    stage: Stage,
    number: int | None = None,
    date: date | None = None,
    by: User | None,
    form: Form | None = None,
) -> Round:
    """Add a round at the end of the stage (or with ``number``); it starts planned and hidden."""
    with change(stage.division.competition, by=by, form=form) as done:
        last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
        number = last + 1 if number is None else number
        if Round.objects.filter(stage=stage, number=number).exists():
            raise Refused(_("This stage has a round of this number already."), field="number")
        round_ = Round.objects.create(stage=stage, number=number, date=date)
        done.log("round.create", f"round:{round_.pk}", after={"stage": stage.pk, "number": number})
        done.answer = {"round": round_.pk}
        return round_


def seat_players(
    *, round_: Round, tables: Mapping[int, Four], by: User | None, form: Form | None = None
) -> Round:
    """Seat the round: table number → the four players, east first. Replaces the seating before.

    Raises ``Refused`` when a player is named twice, is not entered in the competition, or a table that has a
    score sheet would change.
    """
    with change(round_.stage.division.competition, by=by, form=form) as done:
        # Read again under the lock: somebody may have entered a result since the page was opened.
        round_ = Round.objects.select_related("stage__division__competition").get(pk=round_.pk)
        before = seating(round_)
        _check_seating(round_, tables)
        played = dict(
            Sheet.objects.filter(table__round=round_, is_current=True).values_list("table__number", "pk")
        )
        for number in played:
            if list(tables.get(number, ())) != before.get(number):
                raise Refused(
                    _("Table %(table)s has a score sheet already: its players cannot be changed here.")
                    % {"table": number}
                )
        _write_seating(round_, {n: four for n, four in tables.items() if n not in played}, keep=set(played))
        done.log("round.seat", f"round:{round_.pk}", before=_plain(before), after=_plain(seating(round_)))
        done.answer = {"round": round_.pk}
        return round_


def random_seating(player_ids: Sequence[int], *, seed: int, first_table: int = 1) -> dict[int, list[int]]:
    """Players at random, by ``seed``, at tables numbered from ``first_table``.

    Raises ``Refused`` when the number of players is no multiple of four.
    """
    if not player_ids or len(player_ids) % 4:
        raise Refused(
            _(
                "%(count)s players cannot be seated at tables of four: "
                "%(short)s more are needed, or leave %(over)s out."
            )
            % {"count": len(player_ids), "short": (-len(player_ids)) % 4 or 4, "over": len(player_ids) % 4}
        )
    shuffled = sorted(player_ids)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a draw that can be repeated, not a secret
    return {first_table + i // 4: shuffled[i : i + 4] for i in range(0, len(shuffled), 4)}


def open_round(*, round_: Round, by: User, form: Form | None = None) -> Round:
    """Results may be entered from now on."""
    if not Table.objects.filter(round=round_).exists():
        raise Refused(_("Seat the players first: this round has no table."))
    return _set(round_, by=by, form=form, action="round.open", status=Round.Status.OPEN)


def close_round(*, round_: Round, by: User, form: Form | None = None) -> Round:
    """No result may be entered or changed any more, until the round is opened again."""
    return _set(round_, by=by, form=form, action="round.close", status=Round.Status.CLOSED)


def set_visibility(*, round_: Round, visibility: str, by: User, form: Form | None = None) -> Round:
    """What the public sees of the round: nothing, its seating, or its results (``Round.Visibility``)."""
    return _set(round_, by=by, form=form, action="round.publish", visibility=Round.Visibility(visibility))


def delete_round(*, round_: Round, by: User, form: Form | None = None) -> None:
    """Remove a round in which no score sheet was ever entered."""
    with change(round_.stage.division.competition, by=by, form=form) as done:
        if Sheet.objects.filter(table__round=round_).exists():
            raise Refused(_("This round has score sheets: it stays. Void its results instead."))
        done.log("round.delete", f"round:{round_.pk}", before=_plain(seating(round_)))
        round_.delete()


def seating(round_: Round) -> dict[int, list[int]]:
    """Table number → player ids by wind, as seated now."""
    tables: dict[int, list[int]] = {n: [] for n in round_.tables.values_list("number", flat=True)}
    seats = Seat.objects.filter(round=round_).order_by("table__number", "wind")
    for number, player in seats.values_list("table__number", "player_id"):
        tables[number].append(player)
    return tables


def _set(round_: Round, *, by: User, form: Form | None, action: str, **values: str) -> Round:
    with change(round_.stage.division.competition, by=by, form=form) as done:
        round_ = Round.objects.select_related("stage__division__competition").get(pk=round_.pk)
        before = {name: getattr(round_, name) for name in values}
        for name, value in values.items():
            setattr(round_, name, value)
        round_.save(update_fields=list(values))
        done.log(action, f"round:{round_.pk}", before=before, after={n: str(v) for n, v in values.items()})
        done.answer = {"round": round_.pk}
        return round_


def _check_seating(round_: Round, tables: Mapping[int, Four]) -> None:
    seen: dict[int, int] = {}
    for number, four in tables.items():
        if len(four) != 4:
            raise Refused(_("Table %(table)s needs four players.") % {"table": number})
        for player in four:
            if player in seen:
                raise Refused(
                    _("The same player sits at table %(first)s and at table %(second)s. Seat everyone once.")
                    % {"first": seen[player], "second": number}
                )
            seen[player] = number
    entered = Entrant.objects.filter(
        competition=round_.stage.division.competition, player_id__in=seen
    ).count()
    if entered != len(seen):
        raise Refused(
            _("Somebody in this seating is not entered in the competition. Add them to the players first.")
        )


def _write_seating(round_: Round, tables: Mapping[int, Four], *, keep: set[int]) -> None:
    round_.tables.exclude(number__in=keep).delete()
    made = Table.objects.bulk_create([Table(round=round_, number=number) for number in sorted(tables)])
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, wind=wind, player_id=player)
        for table in made
        for wind, player in enumerate(tables[table.number])
    )


def _plain(tables: Mapping[int, Four]) -> dict[str, object]:
    return {str(number): list(four) for number, four in tables.items()}
