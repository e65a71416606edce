import hashlib
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import count

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.core.changes import Change, Sent, canonical, change
from league.core.errors import OutOfDate, Refused
from league.core.rounds import reread_round, seating
from league.core.text import MOST_NAMED, listed
from league.core.zones import day_of_play
from league.models import Competition, Dispute, HandEntry, Penalty, Round, Seat, Sheet, Stage, Table
from league.play.bans.services import admit
from league.play.calendar.services.table_times import forget_times
from league.play.results.adjustments import revoke_missed
from league.play.results.queries.proposals import undecided_penalties
from league.play.results.services import record_in
from league.play.rounds.queries.rounds import begun_rounds, missing_tables, players_by_stage, unplayed_before
from league.play.substitutions.queries.substitutes import lasting_sittings, sittings
from league.play.substitutions.services import substitutions
from scoring.settlement import Ending

Four = Sequence[int]  # player ids of east, south, west, north
OPEN, SEAT, CLOSE, PUBLISH = "round.open", "round.seat", "round.close", "round.publish"  # of the log
# What visitors see at least of a round that starts.
_RELEASED = {
    Competition.Release.COMPLETE: Round.Visibility.SEATING,
    Competition.Release.AT_ONCE: Round.Visibility.RESULTS,
}


def create_round(
    *,
    stage: Stage,
    number: int | None = None,
    date: date | None = None,
    by: User | None,
    form: Sent | None = None,
) -> Round:
    """Add a planned and hidden round to the end of the stage, or with `number`."""
    with change(stage.competition, by=by, form=form) as done:
        round_ = create_in(done, stage, number, date)
        done.answer = {"round": round_.pk}
        return round_


def create_in(done: Change, stage: Stage, number: int | None, date: date | None) -> Round:
    last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
    number = last + 1 if number is None else number
    if Round.objects.filter(stage=stage, number=number).exists():
        why = _("This stage already has a round with this number.")
        raise Refused(why, field="number", code="number_taken")
    round_ = Round.objects.create(stage=stage, number=number, date=date)
    done.log("round.create", f"round:{round_.pk}", after={"stage": stage.pk, "number": number})
    return round_


def seat_players(
    *,
    round_: Round,
    tables: Mapping[int, Four],
    by: User | None,
    seed: int | None = None,
    method: str = "",
    based_on: str | None = None,
    despite: str = "",
    form: Sent | None = None,
) -> Round:
    """Replace the seating of the round: table number → the four players, east first.

    A substitute who is seated again still sits for the absent player. A substitution ends without its
    substitute, or if the player is seated. Players who are absent until they are back get a seat for their
    substitute. A player's own seat ends points for missing the round.

    `based_on`: the person's `fingerprint` of the seating, or None for any. `seed`: of a random draw, recorded
    so that it can be repeated. `method`: one of `Round.Method`, if known. `despite`: the reason for seating
    banned players. Raises `OutOfDate` if the seating has changed since.
    """
    with change(round_.competition, by=by, form=form) as done:
        round_ = seat_in(done, round_, tables, seed=seed, method=method, based_on=based_on, despite=despite)
        done.answer = {"round": round_.pk}
        return round_


def seat_in(
    done: Change,
    round_: Round,
    tables: Mapping[int, Four],
    *,
    seed: int | None = None,
    method: str = "",
    based_on: str | None = None,
    despite: str = "",
    fresh: bool = False,
    out: Collection[int] = (),
    playing: Collection[int] | None = None,
) -> Round:
    """Seat a round within a change, as `seat_players`. `fresh`: end the substitutions of this round alone.
    `out`: players who are not available as substitutes. `playing`: the participants, of whom those without a
    seat sit out and get the stage's points for it (None: see `_find_sitting_out`).
    """
    # A result may be newer than the page.
    round_ = reread_round(round_)
    if round_.status == Round.Status.CLOSED:
        raise Refused(_("This round is closed. Reopen it to change its seating."), code="round_closed")
    before = seating(round_)
    sat = sittings(round_.stage)
    onwards = lasting_sittings(sat, round_.number)
    if based_on not in (None, fingerprint(before)):
        sentence = _(
            "Someone else has seated this round. Check that seating, and save yours again if it is the "
            "right one."
        )
        raise OutOfDate(sentence, code="out_of_date")
    _check_seating(round_, tables)
    played = played_tables(round_)
    for number in played:
        if list(tables.get(number, ())) != before.get(number):
            sentence = _("Table %(table)s already has a score sheet, so its players cannot be changed here.")
            raise Refused(sentence % {"table": number})
    for number in tables_with_hands(round_):
        if list(tables.get(number, ())) != before.get(number):
            sentence = _(
                "Table %(table)s already keeps its hands. Swap its players on the page “Players and seats”, "
                "which shows whose points change."
            )
            raise Refused(sentence % {"table": number})
    _check_penalties(round_, tables, before)
    seated = {player for number, four in tables.items() if number not in played for player in four}
    admit(done, seated, despite=despite, on=round_.date)
    free = {n: four for n, four in tables.items() if n not in played}
    _write_seating(round_, free, keep=played, fresh=fresh)
    if (round_.method, round_.seed) != (method, seed):
        round_.method, round_.seed = method, seed
        round_.save(update_fields=["method", "seed"])
    if not fresh:  # players who had a seat in this round keep what is said of it now
        seated_now = {seat.owner_id for seat in sat if seat.round_id == round_.pk}
        onwards = {player: onwards[player] for player in onwards.keys() - seated_now}
    substitutions.continue_substitutions(done, round_, onwards, out=out)
    substitutions.revoke_dropped(done, round_)
    revoke_missed(done, Seat.objects.filter(round=round_, player__in=seated))
    forget_times(done, round_, before)
    _keep_sitting_out(done, round_, seated, playing)
    resting = list(round_.sitting_out.values_list("player_id", flat=True))
    after = _plain(seating(round_)) | ({} if seed is None else {"seed": seed})
    after |= {"sitting_out": resting} if resting else {}
    done.log(SEAT, f"round:{round_.pk}", before=_plain(before), after=after, about=round_)
    return round_


def _keep_sitting_out(
    done: Change, round_: Round, seated: Collection[int], playing: Collection[int] | None
) -> None:
    if playing is None:
        substitutions.end_sitting_out(done, round_, seated)
        substitutions.keep_sitting_out(round_, _find_sitting_out(round_))
    else:
        substitutions.keep_sitting_out(round_, set(playing) - set(seated))
        substitutions.sit_out(done, round_, set(playing) - set(seated))


def _find_sitting_out(round_: Round) -> set[int]:
    """Return who sits out in a round seated by hand.

    In a tournament these are all players without a seat. In a season not all come, and with line-ups the
    teams choose, so the players named before stay.
    """
    seats = Seat.objects.filter(round=round_)
    there = {player for seat in seats for player in (seat.player_id, seat.stands_for_id)}
    competition = round_.competition
    is_event = competition.kind == Competition.Kind.EVENT
    if is_event and not round_.stage.takes_line_ups:
        return set(players_by_stage([round_.stage], competition)[round_.stage_id]) - there
    return set(round_.sitting_out.values_list("player_id", flat=True)) - there


def fingerprint(tables: Mapping[int, Four]) -> str:
    return hashlib.sha256(canonical(_plain(tables)).encode()).hexdigest()[:16]


def played_tables(round_: Round) -> set[int]:
    """Return the numbers of the tables with a score sheet, whose players stay."""
    sheets = Sheet.objects.current().filter(table__round=round_)
    return set(sheets.values_list("table__number", flat=True))


def tables_with_hands(round_: Round) -> set[int]:
    hands = HandEntry.objects.filter(table__round=round_, kind=HandEntry.Kind.HAND)
    return set(hands.values_list("table__number", flat=True))


def random_seating(
    player_ids: Sequence[int], *, seed: int, taken: Collection[int] = ()
) -> dict[int, list[int]]:
    """Seat players at random at tables numbered from 1, without the numbers in `taken`. The same players and
    the same seed give the same tables.
    """
    if not player_ids or len(player_ids) % 4:
        raise Refused(
            _("%(count)s players do not fill tables of four. Add %(short)s more, or leave %(over)s out.")
            % {"count": len(player_ids), "short": (-len(player_ids)) % 4 or 4, "over": len(player_ids) % 4},
            code="not_tables_of_four",
        )
    shuffled = sorted(player_ids)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a draw that can be repeated, no secret
    numbers = (number for number in count(1) if number not in taken)
    return {next(numbers): shuffled[i : i + 4] for i in range(0, len(shuffled), 4)}


def open_round(
    *,
    round_: Round,
    by: User | None,
    visibility: str | None = None,
    sure: bool = True,
    form: Sent | None = None,
) -> Round:
    """Start a planned round, or reopen a closed one. Unless `sure`, a round is not started out of order."""
    if not Table.objects.filter(round=round_).exists():
        raise Refused(_("This round has no tables. Seat the players first."), code="no_tables")
    check = None if sure else refuse_start
    values = _start_values(round_, visibility)
    return _set_values(round_, by=by, form=form, action=OPEN, values=values, check=check)


def start_in(done: Change, round_: Round) -> None:
    """Start a planned round inside a change."""
    _write_values(done, round_, OPEN, _start_values(round_, None))


def _start_values(round_: Round, visibility: str | None) -> dict[str, str | bool]:
    least = _RELEASED.get(Competition.Release(round_.competition.release))
    if least and round_.status == Round.Status.PLANNED:
        visibility = max(visibility or round_.visibility, least, key=Round.Visibility.values.index)
    return {"status": Round.Status.OPEN} | _visibility_values(visibility)


def refuse_start(round_: Round) -> None:
    """Raise `Refused` if an earlier round of the division is still to be played.

    Rounds with a window of days overlap, so such a round starts with its window.
    """
    day = day_of_play(round_.competition)
    in_window = round_.until is not None and round_.date is not None and round_.date <= day
    is_seated = Table.objects.filter(round=round_).exists()
    if round_.status != Round.Status.PLANNED or in_window or not is_seated:
        return
    if waiting := unplayed_before(round_):
        raise Refused(
            _("These rounds come earlier and are still to be played: %(rounds)s.")
            % {"rounds": listed(_name_round(each, round_.stage) for each in waiting[:MOST_NAMED])},
            code="out_of_order",
        )


def _name_round(round_: Round, stage: Stage) -> str:
    return str(round_.number) if round_.stage_id == stage.pk else f"{round_.stage.name} {round_.number}"


def close_round(
    *,
    round_: Round,
    by: User | None,
    visibility: str | None = None,
    sure: bool = True,
    form: Sent | None = None,
) -> Round:
    """Close a round. Unless `sure`, every table needs a score sheet, or has to be postponed."""
    values = {"status": Round.Status.CLOSED} | _visibility_values(visibility)
    check = None if sure else refuse_close
    return _set_values(round_, by=by, form=form, action=CLOSE, values=values, check=check)


def refuse_close(round_: Round) -> None:
    """Raise `Refused` for an open round with tables without a result."""
    if round_.status == Round.Status.PLANNED:
        raise Refused(_("This round has not started. Start it, or delete it."), code="round_not_open")
    missing = missing_tables(round_) if round_.status == Round.Status.OPEN else []
    if missing:
        raise Refused(
            ngettext(
                "%(count)s of %(tables)s tables has no result: table %(numbers)s.",
                "%(count)s of %(tables)s tables have no result: tables %(numbers)s.",
                len(missing),
            )
            % {
                "count": len(missing),
                "tables": round_.tables.count(),
                "numbers": listed(str(table.number) for table in missing),
            },
            code="tables_missing",
        )


def correct_result(
    *,
    table: Table,
    points: Sequence[int],
    ending: Ending,
    based_on: int,
    seated: Sequence[int],
    reason: str,
    dispute: Dispute | None = None,
    by: User,
    form: Sent | None = None,
) -> Sheet:
    """Save a score sheet. A closed round is reopened for it and closed again, with the same visibility.

    Raises what `record_result` raises.
    """
    with change(table.competition, by=by, form=form) as done:
        round_ = reread_round(table.round)
        was_closed = round_.status == Round.Status.CLOSED
        if was_closed:
            _write_values(done, round_, OPEN, {"status": Round.Status.OPEN})
        sheet = record_in(
            done, table, points, ending, based_on=based_on, seated=seated, reason=reason, dispute=dispute
        )
        if was_closed:
            _write_values(done, round_, CLOSE, {"status": Round.Status.CLOSED})
        return sheet


def plan_again(
    *, round_: Round, by: User | None, visibility: str | None = None, form: Sent | None = None
) -> Round:
    """Take back the start of a round in which nothing has happened yet. Its clock stops."""
    values = {"status": Round.Status.PLANNED} | _visibility_values(visibility)
    return _set_values(round_, by=by, form=form, action="round.take_back", values=values, check=_refuse_plan)


def _refuse_plan(round_: Round) -> None:
    if round_.status != Round.Status.OPEN or round_.stage.play == Stage.Play.OPEN:
        raise Refused(_("Only a started round goes back to planned. Reload the page."), code="round_not_open")
    if Round.objects.filter(begun_rounds(), pk=round_.pk).exists():
        raise Refused(
            _("This round has a score sheet, hand, penalty or dispute. Its start cannot be taken back."),
            code="round_has_begun",
        )
    round_.clock_started_at = round_.clock_minutes = None
    round_.save(update_fields=["clock_started_at", "clock_minutes"])


def set_visibility(*, round_: Round, visibility: str, by: User | None, form: Sent | None = None) -> Round:
    values = _visibility_values(visibility)
    return _set_values(round_, by=by, form=form, action=PUBLISH, values=values)


def publish_rounds(
    *, competition: Competition, rounds: Collection[Round], by: User | None, form: Sent | None = None
) -> None:
    with change(competition, by=by, form=form) as done:
        publish_in(done, Round.objects.filter(pk__in=[each.pk for each in rounds]))


def publish_in(done: Change, rounds: Iterable[Round]) -> None:
    results = Round.Visibility.RESULTS
    hidden = [each for each in rounds if each.visibility != results]
    after = {"visibility": str(results)}
    for each in hidden:
        before = {"visibility": str(each.visibility)}
        done.log(PUBLISH, f"round:{each.pk}", before=before, after=after, about=each)
        each.visibility = results
    Round.objects.filter(pk__in=[each.pk for each in hidden]).update(visibility=results)


def delete_round(*, round_: Round, by: User | None, form: Sent | None = None) -> None:
    with change(round_.competition, by=by, form=form) as done:
        round_ = reread_round(round_)
        if Sheet.objects.filter(table__round=round_).exists():
            raise Refused(_("A round with score sheets cannot be deleted. Void its results instead."))
        if Penalty.objects.filter(round=round_).exists():
            raise Refused(_("A round with a penalty cannot be deleted. Hide it instead."))
        if Dispute.objects.filter(table__round=round_).exists():
            raise Refused(_("A round with a dispute cannot be deleted. Hide it instead."))
        if HandEntry.objects.filter(table__round=round_, kind=HandEntry.Kind.HAND).exists():
            raise Refused(_("A round whose tables keep their hands cannot be deleted. Hide it instead."))
        substitutions.revoke_given(done, round_)
        done.log("round.delete", f"round:{round_.pk}", before=_plain(seating(round_)))
        round_.delete()


def _visibility_values(visibility: str | None) -> dict[str, str | bool]:
    """Return the new values. A hidden round hides its days, too."""
    if visibility is None:
        return {}
    hides = {"announced": False} if visibility == Round.Visibility.HIDDEN else {}
    return {"visibility": Round.Visibility(visibility), **hides}


def _set_values(
    round_: Round,
    *,
    by: User | None,
    form: Sent | None,
    action: str,
    values: Mapping[str, str | bool],
    check: Callable[[Round], None] | None = None,
) -> Round:
    """Save these values. `check` refuses the round as it is under the lock."""
    current = Round.objects.filter(pk=round_.pk).values(*values).first()
    if current == values:
        # A button pressed twice logs nothing and changes no page.
        return reread_round(round_)
    with change(round_.competition, by=by, form=form) as done:
        round_ = reread_round(round_)
        if values.get("status") == Round.Status.CLOSED:
            _check_decided(round_)
        if check is not None:
            check(round_)
        _write_values(done, round_, action, values)
        done.answer = {"round": round_.pk}
        return round_


def _write_values(done: Change, round_: Round, action: str, values: Mapping[str, str | bool]) -> None:
    logged = [name for name in values if name != "announced"]
    before = {name: str(getattr(round_, name)) for name in logged}
    for name, value in values.items():
        setattr(round_, name, value)
    round_.save(update_fields=list(values))
    after = {name: str(values[name]) for name in logged}
    done.log(action, f"round:{round_.pk}", before=before, after=after, about=round_)


def _check_decided(round_: Round) -> None:
    """Refuse to close a round with an undecided request, whose deduction the standings would lack."""
    waiting = undecided_penalties(Table.objects.filter(round=round_)).order_by("table__number")
    numbers = list(dict.fromkeys(waiting.values_list("table__number", flat=True)))
    if numbers:
        sentence = ngettext(
            "A penalty of table %(tables)s awaits a decision. Decide it on the referee’s desk, then close "
            "the round.",
            "Penalties of tables %(tables)s await a decision. Decide them on the referee’s desk, then close "
            "the round.",
            len(numbers),
        )
        raise Refused(sentence % {"tables": listed(numbers)}, code="penalty_undecided")


def _check_seating(round_: Round, tables: Mapping[int, Four]) -> None:
    seen: dict[int, int] = {}
    for number, four in tables.items():
        if len(four) != 4:
            why = _("Table %(table)s needs four players.") % {"table": number}
            raise Refused(why, field="tables", code="not_four")
        for player in four:
            if player in seen:
                raise Refused(
                    _("The same player sits at tables %(first)s and %(second)s. Seat each player once.")
                    % {"first": seen[player], "second": number},
                    field="tables",
                    code="seated_twice",
                )
            seen[player] = number
    if round_.competition.entrants.filter(player__in=seen).count() != len(seen):
        raise Refused(_("A player in this seating is not entered in the competition. Add the player first."))
    refuse_strangers(round_, seen)


def _check_penalties(round_: Round, tables: Mapping[int, Four], before: Mapping[int, Four]) -> None:
    # The referees' records stay at their table, with their player.
    for number in Dispute.objects.filter(table__round=round_).values_list("table__number", flat=True):
        if number not in tables:
            sentence = _("Table %(table)s has a dispute and must be kept. Seat four players there.")
            raise Refused(sentence % {"table": number})
    penalties = Penalty.objects.filter(table__round=round_).values_list("table__number", "player_id")
    for number, player in penalties:
        replaced = number in tables and player not in before.get(number, ())  # by a substitute
        if player not in tables.get(number, ()) and not replaced:
            sentence = _(
                "A player at table %(table)s has a penalty there and must be kept. Seat the player there "
                "again."
            )
            raise Refused(sentence % {"table": number})


def _write_seating(round_: Round, tables: Mapping[int, Four], *, keep: set[int], fresh: bool) -> None:
    # Tables keep their rows, because penalties and printed cards point to them. Only their seats are new.
    seated = {player for four in tables.values() for player in four}
    instead = {
        seat.player_id: seat.substitution
        for seat in Seat.objects.filter(round=round_, stands_for__isnull=False).exclude(stands_for__in=seated)
        if not fresh
    }
    Seat.objects.filter(round=round_).exclude(table__number__in=keep).delete()
    round_.tables.exclude(number__in=keep | set(tables)).delete()
    there = {table.number: table for table in round_.tables.all()}
    made = [Table(round=round_, number=number) for number in sorted(tables) if number not in there]
    there |= {table.number: table for table in Table.objects.bulk_create(made)}
    Seat.objects.bulk_create(
        Seat(table=there[number], round=round_, wind=wind, player_id=player, **instead.get(player, {}))
        for number, four in tables.items()
        for wind, player in enumerate(four)
    )


def _plain(tables: Mapping[int, Four]) -> dict[str, object]:
    return {str(number): list(four) for number, four in tables.items()}


def refuse_strangers(round_: Round, players: Collection[int]) -> None:
    refuse_outsiders(round_.stage, set(players) - set(round_.seats.values_list("player_id", flat=True)))


def refuse_outsiders(stage: Stage, players: Collection[int]) -> None:
    """Raise `Refused` for players of another division or who did not qualify. Substitutes may play."""
    entrants = stage.competition.entrants.filter(player__in=players, is_substitute=False)
    if stage.cut:
        entrants = entrants.exclude(player__in=stage.qualified.values("player"))
    else:
        entrants = entrants.exclude(division=stage.division_id)
    names = list(entrants.order_by("pk").values_list("player__name", flat=True))
    if names:
        sentence = (
            _("Not in this stage: %(names)s. Seat its qualifiers or substitutes.")
            if stage.cut
            else _("Not in this division: %(names)s. Choose players of %(division)s.")
        )
        raise Refused(sentence % {"names": listed(names[:MOST_NAMED]), "division": stage.division.name})
