"""Write the rows of a seated round as the services do, in a quarter of the time."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import BigAutoField, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from league.core.changes import Change, _append_entries
from league.core.prepared import Argument, Prepared
from league.models import Ban, Channel, Competition, Round, Seat, Stage, Table, Webhook


def write_round(
    stage: Stage, tables: Mapping[int, Sequence[int]], *, opened: bool, visibility: str, by: User
) -> Round | None:
    """Return the written round, or None where the services do more: tell people, admit banned players, seat
    substitutes, let players sit out.
    """
    competition = stage.division.competition
    version = _version_if_plain(stage)
    if not tables or version is None:
        return None
    last = Round.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
    status = Round.Status.OPEN if opened else Round.Status.PLANNED
    with transaction.atomic():
        made = Round.objects.create(stage=stage, number=last + 1, status=status, visibility=visibility)
        there = Table.objects.bulk_create(Table(round=made, number=number) for number in sorted(tables))
        Seat.objects.bulk_create(
            Seat(table=table, round=made, wind=wind, player_id=player)
            for table in there
            for wind, player in enumerate(tables[table.number])
        )
        done, target = Change(competition, by, timezone.now()), f"round:{made.pk}"
        done.log("round.create", target, after={"stage": stage.pk, "number": made.number})
        done.log("round.seat", target, before={}, after={str(n): list(four) for n, four in tables.items()})
        if opened:
            done.log("round.open", target, before={"status": "planned"}, after={"status": "open"})
        if visibility != Round.Visibility.HIDDEN:
            after = {"visibility": str(visibility)}
            done.log("round.publish", target, before={"visibility": "hidden"}, after=after)
        _append_entries(done)
        Competition.objects.filter(pk=competition.pk).update(
            version=F("version") + len(done.entries), revision=F("revision") + len(done.entries)
        )
    # The services know the competition as it is after the second change.
    competition.version, competition.revision = (number + 2 for number in version)
    (made,) = _ROUNDS(round=made.pk)
    return made


def _version_if_plain(stage: Stage) -> tuple[int, int] | None:
    """Return version and revision of a season without channels for notices, bans and absences."""
    if stage.cut:
        return None
    return next(iter(_PLAIN(competition=stage.division.competition_id, stage=stage.pk)), None)


def _plain_seasons() -> QuerySet[Competition, tuple[int, int]]:
    stage = Argument("stage", BigAutoField())
    others = {
        "notified": Exists(Channel.objects.filter(entrant__competition=OuterRef("pk"))),
        "announced": Exists(Webhook.objects.filter(competition=OuterRef("pk"))),
        "banned": Exists(Ban.objects.filter(league=OuterRef("league"))),
        "absent": Exists(Seat.objects.filter(round__stage=stage, stands_for__isnull=False)),
    }
    here = Competition.objects.filter(pk=Argument("competition", BigAutoField())).annotate(**others)
    plain = here.filter(
        *(Q(**{name: False}) for name in others),
        kind=Competition.Kind.SEASON,
        release=Competition.Release.HAND,
        finished_at=None,
    )
    return plain.values_list("version", "revision")


_PLAIN = Prepared(_plain_seasons)
_ROUNDS = Prepared(
    lambda: Round.objects.select_related("stage__division__competition", "stage__division__rule_set").filter(
        pk=Argument("round", BigAutoField())
    )
)
