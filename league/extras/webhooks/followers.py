"""Events that follow the actions of the log, in the transaction of the change."""

from django.db.models import Exists, OuterRef

from league.core.changes import Change, Fact
from league.core.counted import shown_penalties, without_secret_stages
from league.core.outbox import UNDOABLE
from league.extras.webhooks.services import announce
from league.models import Competition, Penalty, Round, Sheet, Webhook
from league.models.webhooks import Event


def announce_final(done: Change, _fact: Fact) -> None:
    announce(done, Event.FINAL, done.competition.pk, mark=done.at.isoformat())


def announce_round(done: Change, fact: Fact) -> None:
    """Announce a round with visible results once it is closed or complete, and its newly visible penalties.
    A round that was closed without a score sheet is not announced.
    """
    round_: Round = fact.about
    if round_.visibility != Round.Visibility.RESULTS or not _has_webhooks(done.competition):
        return
    closed = round_.status == Round.Status.CLOSED and _has_results(round_)
    if closed or _is_published_by_result(done) or _has_all_results(done.competition, round_):
        announce(done, Event.ROUND, round_.pk)
    if fact.before.get("visibility", round_.visibility) != Round.Visibility.RESULTS:
        shown = shown_penalties(Penalty.objects.filter(round=round_, revoked_at=None), public=True)
        announce(done, Event.PENALTY, *shown.values_list("pk", flat=True))


def _has_webhooks(competition: Competition) -> bool:
    return Webhook.objects.filter(competition=competition).exists()


def _is_published_by_result(done: Change) -> bool:
    """Return whether a result published its round. Then none is missing, but tables may be postponed."""
    return any(fact.action.startswith("result.") for fact in done.facts)


def _has_results(round_: Round) -> bool:
    return Sheet.objects.current().filter(table__round=round_).exists()


def _has_all_results(competition: Competition, round_: Round) -> bool:
    counted = Sheet.objects.filter(
        table=OuterRef("pk"), is_current=True, status__in=competition.counted_statuses
    )
    return set(round_.tables.annotate(is_in=Exists(counted)).values_list("is_in", flat=True)) == {True}


def announce_penalty(done: Change, fact: Fact) -> None:
    """Announce a penalty that is in force or was revoked, if visitors may read it.

    If the same change publishes its round, visitors could not read it before, and the round announces it.
    """
    penalty: Penalty = fact.about
    newly_public = {each.about.pk for each in done.facts if each.action == "round.publish"}
    if penalty.round_id in newly_public or not _has_webhooks(done.competition):
        return
    shown = shown_penalties(Penalty.objects.filter(pk=penalty.pk), public=True)
    if not without_secret_stages(shown, done.competition).exists():
        return
    if penalty.revoked_at is None:
        announce(done, Event.PENALTY, penalty.pk, after=UNDOABLE)
    elif done.at - penalty.created_at > UNDOABLE:
        announce(done, Event.REVOKED, penalty.pk)
