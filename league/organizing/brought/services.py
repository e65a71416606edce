"""Save results that people bring, and undo it."""

from collections.abc import Collection, Mapping, Sequence

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
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
from league.organizing.brought.queries.plans import ResultsPlan, last_brought, plan_results
from league.organizing.brought.queries.reading import read_results
from league.organizing.roster.services.roster import enter_lines
from league.people.register.services import register_change
from league.play.rounds.services import refuse_outsiders
from players.matching import exact_key
from scoring.settlement import Ending

CHUNK = 500


def bring_results(
    *,
    stage: Stage,
    text: str,
    columns: Sequence[str] = (),
    sheet: str = "",
    has_headings: bool | None = None,
    order: str = "",
    leave_out: bool = False,
    picks: Collection[str] = (),
    despite: str = "",
    by: User,
    form: Sent | None = None,
) -> ResultsPlan:
    """Save the new tables of a list in new, published rounds, and enter its people, or do nothing.

    ``columns``, ``sheet``, ``has_headings``, ``order``: see ``read_results``. ``picks``: ticks as of an
    imported roster. ``despite``: the reason why banned people may be entered. Rounds of a stage of rounds are
    closed. The text and the register are read again under the lock. Raises ``Refused`` for a table with a
    problem (unless ``leave_out``), a name that may mean several people, and people of another division.
    """
    with register_change(stage.competition, by=by, form=form) as done:
        related = ("division__competition", "division__rule_set")
        stage = reread(Stage.objects.select_related(*related), pk=stage.pk)
        if stage.takes_line_ups:
            raise Refused(_("In this stage teams choose who plays. Enter its results table by table."))
        results = read_results(
            text, stage.division.rules, columns, sheet=sheet, has_headings=has_headings, order=order
        )
        plan = plan_results(stage, results, picks=picks, leave_out=leave_out)
        if not plan.can_save:
            raise Refused(
                _("Nothing was saved: the list has no new table, or something needs your attention.")
            )
        by_line = enter_lines(done, plan.people, despite=despite)
        players = {exact_key(line.line.name): by_line[line.line.number] for line in plan.people.lines}
        refuse_outsiders(stage, [*players.values()])
        rounds = _write(done, stage, plan, players)
        new = len(plan.new)
        after = {"tables": new, "rounds": [round_.pk for round_ in rounds]}
        done.log("results.bring", f"stage:{stage.pk}", after=after)
        done.answer = {"tables": new, "people": plan.people.new, "skipped": plan.skipped}
        return plan


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
    new = plan.new
    tables = Table.objects.bulk_create(
        [Table(round_id=rounds[planned.round].pk, number=planned.number) for planned in new], batch_size=CHUNK
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


def undo_brought(*, competition: Competition, entry: int, by: User, form: Sent | None = None) -> None:
    """Remove the rounds that were brought last, of which ``entry`` is the log's. The people stay entered.

    Raises ``Refused`` if others were brought since, or if something happened to a round or table of them.
    """
    with change(competition, by=by, form=form) as done:
        last = last_brought(competition)
        if last is None or last.pk != entry or not last.after:
            raise Refused(_("These results are already undone, or others were brought since."))
        rounds = Round.objects.of(competition).filter(pk__in=last.after["rounds"])
        if _have_changed(competition, last):
            raise Refused(
                _("One of these tables was changed since. Correct or void the wrong score sheets instead.")
            )
        done.log("results.undo_bring", last.target, before=last.after)
        rounds.delete()
        done.answer = {"tables": last.after["tables"]}


def _have_changed(competition: Competition, last: AuditEntry) -> bool:
    """Return whether the log names one of these rounds or tables later, or a referee has to do with them."""
    rounds = last.after["rounds"] if last.after else []
    tables = Table.objects.filter(round__in=rounds).values_list("pk", flat=True)
    targets = {f"round:{pk}" for pk in rounds} | {f"table:{pk}" for pk in tables}
    later = AuditEntry.objects.filter(competition=competition, sequence__gt=last.sequence)
    if targets.intersection(later.values_list("target", flat=True)):
        return True
    at_tables = (Dispute.objects, Call.objects)
    if any(rows.filter(table__round__in=rounds).exists() for rows in at_tables):
        return True
    return any(model.objects.filter(round__in=rounds).exists() for model in (Penalty, Adjustment))
