"""Save results that people bring, and undo it."""

from collections.abc import Collection, Mapping, Sequence

from django.contrib.auth.models import User
from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.rounds import reread_round, seating
from league.core.text import MOST_NAMED, listed
from league.models import (
    Adjustment,
    AuditEntry,
    Call,
    Competition,
    Dispute,
    Penalty,
    Round,
    Seat,
    Sheet,
    Stage,
    Table,
)
from league.models.play import sheet_columns
from league.organizing.brought.queries.plans import ResultsPlan, last_brought, plan_results, reason_of
from league.organizing.brought.queries.reading import read_results
from league.organizing.roster.services.roster import enter_lines
from league.people.register.services import register_change
from league.play.calendar.services.table_times import forget_made_up
from league.play.results.adjustments import give_back_missed
from league.play.results.services import RECORD, record_in
from league.play.rounds.services import OPEN, PUBLISH, SEAT, refuse_outsiders, seat_in, start_in
from players.matching import exact_key
from scoring.settlement import Ending

CHUNK = 500


def bring_results(
    *,
    stage: Stage,
    text: str,
    columns: Sequence[str] = (),
    sheet: str = "",
    separator: str = "",
    has_headings: bool | None = None,
    order: str = "",
    leave_out: bool = False,
    note: str = "",
    picks: Collection[str] = (),
    despite: str = "",
    by: User,
    form: Sent | None = None,
) -> ResultsPlan:
    """Save the new tables or balances of a list and enter its people, or do nothing.

    Tables go into planned and open rounds that lack them, or into new, published rounds, which are closed in
    a stage of rounds. A list without tables gives points carried in, with ``note``.

    ``columns``, ``sheet``, ``separator``, ``has_headings``, ``order``: see ``read_results``. ``picks``: ticks
    as of an imported roster. ``despite``: the reason why banned people may be entered. The text and the
    register are read again under the lock. Raises ``Refused`` for a table with a problem (unless
    ``leave_out``), an undecided name, people of another division, and a list that is saved already.
    """
    with register_change(stage.competition, by=by, form=form) as done:
        related = ("division__competition", "division__rule_set")
        stage = reread(Stage.objects.select_related(*related), pk=stage.pk)
        if stage.takes_line_ups:
            raise Refused(_("In this stage teams choose who plays. Enter its results table by table."))
        results = read_results(
            text,
            stage.division.rules,
            columns,
            sheet=sheet,
            separator=separator,
            has_headings=has_headings,
            order=order,
        )
        plan = plan_results(stage, results, picks=picks, leave_out=leave_out, note=note)
        _refuse_plan(plan)
        by_line = enter_lines(done, plan.people.plan, despite=despite)
        players = {key: by_line[line] for key, line in plan.people.lines.items()}
        refuse_outsiders(stage, [*players.values()])
        rounds = _write(done, stage, plan, players)
        _fill(done, plan, players, despite=despite)
        new = len(plan.new)
        after = {"tables": new, "rounds": [round_.pk for round_ in rounds]}
        if plan.filled:
            after["filled"] = [round_.pk for round_, _count in plan.filled]
        if points := _carry_in(done, stage, plan, players, note):
            after["carried_in"] = [each.pk for each in points]
        done.log("results.bring", f"stage:{stage.pk}", after=after)
        done.answer = {
            "stage": [stage.division.slug, stage.slug],
            "tables": new,
            "people": plan.people.plan.new,
            "skipped": plan.skipped,
            "balances": len(plan.new_balances),
        }
        return plan


def _refuse_plan(plan: ResultsPlan) -> None:
    if not plan.is_clear:
        raise Refused(_("Nothing was saved: something needs your attention."))
    if not plan.new and not plan.new_balances:
        raise Refused(_("Nothing was saved: all results of this list were saved before."))
    if plan.undecided:
        raise Refused(
            _("Nothing was saved. Choose below who these people are: %(names)s.")
            % {"names": listed(plan.undecided[:MOST_NAMED])}
        )


def _write(done: Change, stage: Stage, plan: ResultsPlan, players: Mapping[str, int]) -> list[Round]:
    last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
    status = Round.Status.OPEN if stage.play == Stage.Play.OPEN else Round.Status.CLOSED
    rounds = Round.objects.bulk_create(
        [
            Round(
                stage=stage,
                number=number,
                date=day,
                status=status,
                visibility=Round.Visibility.RESULTS,
                method=Round.Method.HAND,
            )
            for number, day in enumerate(plan.rounds, last + 1)
        ],
        batch_size=CHUNK,
    )
    new = [planned for planned in plan.new if planned.place.known is None]
    tables = Table.objects.bulk_create(
        [Table(round_id=rounds[each.place.new].pk, number=each.place.number) for each in new],
        batch_size=CHUNK,
    )
    Seat.objects.bulk_create(
        [
            Seat(table_id=table.pk, round_id=table.round_id, wind=wind, player_id=players[exact_key(name)])
            for table, planned in zip(tables, new, strict=True)
            for wind, name in enumerate(planned.game.names)
        ],
        batch_size=CHUNK,
    )
    Sheet.objects.bulk_create(
        [
            Sheet(
                table_id=table.pk,
                version=1,
                **sheet_columns(planned.game.points, Ending(planned.game.sticks)),
                total=stage.division.rules.total_points,
                entered_by=done.by,
                entered_at=done.at,
            )
            for table, planned in zip(tables, new, strict=True)
        ],
        batch_size=CHUNK,
    )
    return rounds


def _carry_in(
    done: Change, stage: Stage, plan: ResultsPlan, players: Mapping[str, int], note: str
) -> list[Adjustment]:
    rows = [
        Adjustment(
            stage=stage,
            player_id=players[exact_key(planned.balance.name)],
            kind=Adjustment.Kind.CARRIED_IN,
            score=part.score,
            games=part.games,
            reason=reason_of(part, note),
            created_by=done.by,
            created_at=done.at,
        )
        for planned in plan.new_balances
        for part in planned.parts
    ]
    return Adjustment.objects.bulk_create(rows, batch_size=CHUNK)


def _fill(done: Change, plan: ResultsPlan, players: Mapping[str, int], *, despite: str) -> None:
    """Seat and record the tables that go into existing rounds. Planned rounds start."""
    for known, _count in plan.filled:
        round_ = reread_round(known)
        games = {each.place.number: each.game for each in plan.new if each.place.known == known}
        now = seating(round_)
        fours = {number: [players[exact_key(name)] for name in game.names] for number, game in games.items()}
        # A list without seats leaves those that are planned.
        moved = {
            number: four
            for number, four in fours.items()
            if number not in now or (games[number].has_seats and now[number] != four)
        }
        if moved:
            round_ = seat_in(
                done, round_, now | moved, method=round_.method, seed=round_.seed, despite=despite
            )
        if round_.status == Round.Status.PLANNED:
            start_in(done, round_)
        tables = Table.objects.with_rules().filter(round=round_, number__in=games)
        for table in tables.order_by("number"):
            game, four = games[table.number], fours[table.number]
            points = dict(zip(four, game.points, strict=True))
            seats = moved.get(table.number, now.get(table.number, four))
            in_order = [points[player] for player in seats]
            record_in(done, table, in_order, Ending(game.sticks), based_on=0)


def undo_brought(*, competition: Competition, entry: int, by: User, form: Sent | None = None) -> None:
    """Remove the tables that were brought last, of which ``entry`` is the log's. The people stay entered.

    Rounds that existed are again as they were. Raises ``Refused`` if others were brought since, or if
    something happened to a round or table of them.
    """
    with change(competition, by=by, form=form) as done:
        last = last_brought(competition)
        if last is None or last.pk != entry or not last.after:
            raise Refused(_("These results are already undone, or others were brought since."))
        steps = _steps(last)
        if _have_changed(competition, last, steps):
            raise Refused(
                _("One of these tables was changed since. Correct or void the wrong score sheets instead.")
            )
        for step in steps:
            _undo_step(done, step)
        done.log("results.undo_bring", last.target, before=last.after)
        Round.objects.of(competition).filter(pk__in=last.after["rounds"]).delete()
        Adjustment.objects.filter(pk__in=last.after.get("carried_in", ())).delete()
        done.answer = {"tables": last.after["tables"]}


def _steps(last: AuditEntry) -> list[AuditEntry]:
    """Return what bringing did to rounds that existed, newest first."""
    if not (last.after or {}).get("filled"):
        return []
    entries = AuditEntry.objects.filter(competition=last.competition, at=last.at, sequence__lt=last.sequence)
    return list(entries.filter(action__in=[OPEN, SEAT, PUBLISH, RECORD]).order_by("-sequence"))


def _undo_step(done: Change, step: AuditEntry) -> None:
    pk = step.target_pk
    if step.action == RECORD:
        table = Table.objects.with_rules().get(pk=pk)
        Sheet.objects.filter(table=table, entered_at=step.at).delete()
        forget_made_up(table, at=step.at)
        give_back_missed(done, table, at=step.at)
        return
    round_ = Round.objects.with_rules().get(pk=pk)
    if step.action == SEAT:
        before = {
            int(number): four for number, four in (step.before or {}).items() if number.isdecimal() and four
        }
        seat_in(done, round_, before, method=round_.method, seed=round_.seed)
        return
    Round.objects.filter(pk=pk).update(**(step.before or {}))


def _have_changed(competition: Competition, last: AuditEntry, steps: Collection[AuditEntry]) -> bool:
    """Return whether the log names one of these rounds or tables later, or a referee has to do with them."""
    rounds = last.after["rounds"] if last.after else []
    recorded = [step.target_pk for step in steps if step.action == RECORD]
    tables = Table.objects.filter(Q(round__in=rounds) | Q(pk__in=recorded))
    targets = {f"round:{pk}" for pk in rounds} | {step.target for step in steps}
    targets |= {f"table:{pk}" for pk in tables.values_list("pk", flat=True)}
    later = AuditEntry.objects.filter(competition=competition, sequence__gt=last.sequence)
    if targets.intersection(later.values_list("target", flat=True)):
        return True
    points = (last.after or {}).get("carried_in", ())
    if Adjustment.objects.filter(pk__in=points, revoked_at=None).count() != len(points):
        return True
    at_tables = (Dispute.objects, Call.objects, Penalty.objects)
    if any(rows.filter(table__in=tables).exists() for rows in at_tables):
        return True
    return any(model.objects.filter(round__in=rounds).exists() for model in (Penalty, Adjustment))
