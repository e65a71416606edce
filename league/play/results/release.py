"""Publish a round's results with the last one (`Competition.Release.COMPLETE`)."""

from django.db.models import F, FilteredRelation, Q

from league.core.changes import Change
from league.models import Competition, Round, Table
from league.models.play import FORFEITED, sheet_state
from league.play.calendar.queries.table_times import POSTPONED, last_decision


def release_if_complete(done: Change, table: Table) -> None:
    """Publish the table's round if no result is missing and its seating is published, within a change.

    Missing are results that do not count yet, and those voided after they were entered. A table to make up
    and a forfeited one are not missing. Queries: 0 unless results are published that way.
    """
    if done.competition.release != Competition.Release.COMPLETE:
        return
    waiting = Round.objects.filter(pk=table.round_id, visibility=Round.Visibility.SEATING)
    # Of two tables saved at once the second waits here and then sees the result of the first.
    if not waiting.select_for_update().exists() or not _is_complete(done.competition, table.round_id):
        return
    waiting.update(visibility=Round.Visibility.RESULTS, version=F("version") + 1)
    done.is_public = True
    before = {"visibility": "seating"}
    after = {"visibility": "results"}
    published = Round.objects.get(pk=table.round_id)
    done.log("round.publish", f"round:{table.round_id}", before=before, after=after, about=published)


def _is_complete(competition: Competition, round_: int) -> bool:
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    tables = Table.objects.filter(round=round_).annotate(now=now, newest=last_decision())
    rows = tables.values_list("now__status", "now__version", "newest")
    done = {*competition.counted_statuses, FORFEITED}
    return all(
        newest == POSTPONED if status is None else sheet_state(status, version) in done
        for status, version, newest in rows
    )
