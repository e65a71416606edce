from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import BigAutoField, Count, Exists, FilteredRelation, OuterRef, Q, QuerySet

from league.core.prepared import Argument, Prepared
from league.models import (
    Competition,
    Dispute,
    Entrant,
    HandEntry,
    LineUp,
    Penalty,
    Proposal,
    Round,
    Sheet,
    Stage,
    StageEntrant,
    Table,
)
from league.play.calendar.queries.table_times import POSTPONED, last_decision
from league.play.results.queries.games import hides_results


class RoundCount(NamedTuple):
    tables: int = 0
    entered: int = 0  # with a sheet that is not void
    confirmed: int = 0
    with_sheet: int = 0
    postponed: int = 0  # to be made up

    @property
    def expected(self) -> int:
        return self.tables - self.postponed


def round_counts(rounds: Iterable[int]) -> dict[int, RoundCount]:
    rows = _count(Table.objects.filter(round__in=list(rounds)))
    return {pk: RoundCount(*counts) for pk, *counts in rows}


def round_count(round_: Round) -> RoundCount:
    for _pk, *counts in _COUNT(round=round_.pk):
        return RoundCount(*counts)
    return RoundCount()


def missing_tables(round_: Round) -> list[Table]:
    """Return the tables without a score sheet that are not postponed, by number."""
    return list(_without_sheet(Table.objects.filter(round=round_.pk)).order_by("number"))


def _without_sheet(tables: QuerySet[Table]) -> QuerySet[Table]:
    sheets = Sheet.objects.current().filter(table=OuterRef("pk"))
    postponed = Q(newest=POSTPONED) & Q(newest__isnull=False)
    return tables.alias(newest=last_decision()).filter(~Exists(sheets)).exclude(postponed)


def unplayed_before(round_: Round) -> list[Round]:
    """Return the division's earlier rounds that are still to be played, in playing order.

    A round is still to be played if it is planned, if it is open with tables without a sheet, or if it was
    closed without one sheet. A round with a later day is not an earlier one, whatever its number.
    """
    stage = round_.stage
    before = Q(position__lt=stage.position) | Q(position=stage.position, pk__lt=stage.pk)
    stages = Stage.objects.filter(before, division=stage.division_id).exclude(play=Stage.Play.OPEN)
    earlier = Q(stage__in=stages) | Q(stage=stage, number__lt=round_.number)
    in_round = Table.objects.filter(round=OuterRef("pk"))
    missing = Exists(_without_sheet(in_round))
    empty = ~Exists(Sheet.objects.current().filter(table__round=OuterRef("pk")))
    planned, open_, closed = (Q(status=each) for each in Round.Status.values)
    unplayed = Round.objects.filter(earlier).alias(is_missing=missing, is_empty=empty)
    unplayed = unplayed.filter(planned | (Q(is_missing=True) & (open_ | (closed & Q(is_empty=True)))))
    if round_.date is not None:
        unplayed = unplayed.exclude(date__gt=round_.date)
    return list(unplayed.select_related("stage").order_by("stage__position", "stage_id", "number", "pk"))


def begun_rounds() -> Q:
    """Return whether a round has a score sheet, typed or signed, a hand, a penalty or a dispute."""
    mine = {"table__round": OuterRef("pk")}
    hands = HandEntry.objects.filter(kind=HandEntry.Kind.HAND, **mine)
    begun = Q(Exists(Penalty.objects.filter(round=OuterRef("pk")))) | Q(Exists(hands))
    for records in (Sheet, Proposal, Dispute):
        begun |= Q(Exists(records.objects.filter(**mine)))
    return begun


def _count(tables: QuerySet[Table]) -> "QuerySet[Table, tuple[int, ...]]":
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    is_in = ~Q(now__status=Sheet.Status.VOID) & Q(now__isnull=False)
    grouped = tables.annotate(now=now, newest=last_decision()).values("round").order_by()
    return grouped.annotate(
        tables=Count("pk"),
        entered=Count("now", filter=is_in),
        confirmed=Count("now", filter=Q(now__status=Sheet.Status.CONFIRMED)),
        with_sheet=Count("now"),
        postponed=Count("pk", filter=Q(newest=POSTPONED, now__isnull=True)),
    ).values_list("round", *RoundCount._fields)


_COUNT = Prepared(lambda: _count(Table.objects.filter(round=Argument("round", BigAutoField()))))


def ends_tournament(stage: Stage, number: int) -> bool:
    """Return whether a tournament ends with round `number` of this stage, the last one of its division.

    Results that the organizer publishes round by round are then usually revealed at a ceremony, so a
    tournament that publishes them by itself does not count.
    """
    competition, planned = stage.competition, stage.planned_rounds
    is_event = competition.kind == Competition.Kind.EVENT
    by_hand = competition.release == Competition.Release.HAND
    return is_event and by_hand and planned is not None and number >= planned


def withholds_results(round_: Round) -> bool:
    """Return whether the results of this round probably stay hidden when it is closed.

    The results of an earlier round are hidden, or the tournament ends with this round.
    """
    stage = round_.stage
    if hides_results(stage.division_id):
        return True
    return ends_tournament(stage, round_.number) and not _stages_after(stage).exists()


def stages_cut_after(stage: Stage) -> list[Stage]:
    """Return the later stages of the division whose players qualified by results."""
    return [each for each in _stages_after(stage) if each.cut]


def _stages_after(stage: Stage) -> QuerySet[Stage]:
    after = Q(position__gt=stage.position) | Q(position=stage.position, pk__gt=stage.pk)
    return Stage.objects.filter(after, division=stage.division_id).order_by("position", "pk")


def unpublished_rounds(stage: Stage) -> int:
    hidden = Round.objects.filter(stage=stage).exclude(visibility=Round.Visibility.RESULTS)
    return hidden.filter(tables__sheets__is_current=True).distinct().count()


def qualified_by_stage(stages: Iterable[Stage]) -> Mapping[int, Mapping[int, int]]:
    """Map stages with a cut to player → head start in tenths, by position. Queries: at most 1."""
    cut = {stage.pk: dict[int, int]() for stage in stages if stage.cut}
    if cut:
        qualified = StageEntrant.objects.filter(stage__in=cut).order_by("stage", "position")
        for stage, player, head_start in qualified.values_list("stage_id", "player_id", "head_start"):
            cut[stage][player] = head_start
    return cut


def players_by_stage(stages: Iterable[Stage], competition: Competition) -> dict[int, list[int]]:
    """Map each stage to its active entered or qualified players. Queries: at most 2."""
    by_pk = {stage.pk: stage for stage in stages}
    entered: dict[int | None, list[int]] = {}
    there = competition.entrants.playing().filter(is_substitute=False)
    for player, division in there.order_by("pk").values_list("player_id", "division_id"):
        entered.setdefault(division, []).append(player)
    came = qualified_by_stage(by_pk.values())
    left = {player for players in entered.values() for player in players}
    return {
        pk: [player for player in came[pk] if player in left]
        if pk in came
        else entered.get(stage.division_id, [])
        for pk, stage in by_pk.items()
    }


def team_names_in(round_: Round) -> dict[int, str]:
    """Map the players of the round to their team's name. Empty if the competition has no teams."""
    competition = round_.competition
    if competition.team_play == Competition.TeamPlay.NONE:
        return {}
    entered = Entrant.objects.filter(competition=competition, team__isnull=False)
    named = LineUp.objects.filter(round=round_)
    names = dict(entered.values_list("player_id", "team__name"))
    return {player: name or "" for player, name in names.items()} | dict(
        named.values_list("player_id", "team__name")
    )
