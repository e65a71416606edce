import io
from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.files.xlsx import MEDIA_TYPE
from league.core.pages import Asked, draw_seed, for_public, page, posted, presses, read_day, reads, saves
from league.models import Round, Stage
from league.people.members.queries import linked_players
from league.play.open_play.exports import write_evenings
from league.play.open_play.forms import NewTableForm, PlayForm
from league.play.open_play.queries import (
    evening_rows,
    fee_sums,
    fees_by_month,
    fees_by_person,
    open_stage,
    players_of_stage,
    sum_fees,
    tables_of_day,
    this_evening,
)
from league.play.open_play.services import drop_table, make_table, set_play
from league.play.open_play.tables import EveningFees, MonthFees, PersonFees
from league.play.results.queries.tables import table_results, without_results


@saves(Can.ORGANIZE, "open_play/settings.html")
def stage_play(request: HttpRequest, access: Access, pk: int) -> Asked:
    stage = get_object_or_404(access.stages(), pk=pk)
    return Asked(
        partial(set_play, stage=stage),
        PlayForm(posted(request), instance=stage),
        done=lambda _answer: _("Stage format of %(name)s saved.") % {"name": stage.name},
        then=access.address("competitions:manage"),
        stage=stage,
        has_rounds=stage.rounds.exists(),
    )


@saves(
    Can.VIEW,
    "open_play/new_table.html",
    done=gettext_lazy("Table created. Enter its result after the game."),
)
def new_table(request: HttpRequest, access: Access, stage: int) -> Asked:
    """Create a table. Players create tables of their own, scorers and organizers any."""
    stage_ = open_stage(access.stages(), stage)
    mine = linked_players(access.user.pk, access.competition)
    players = players_of_stage(stage_)
    if not (access.can_score or mine & {info.player for info in players}):
        raise PermissionDenied
    here = this_evening(stage_)
    form = NewTableForm(
        posted(request), players=players, mine=mine, only_mine=not access.can_score, initial={"date": here}
    )

    def write(*, draws_winds: bool, **typed: Any) -> None:
        make_table(stage=stage_, today=here, seed=draw_seed() if draws_winds else None, **typed)

    return Asked(
        write,
        form,
        then=lambda answer: access.address("results:table", answer["table"]),
        stage=stage_,
        enough=len(players) >= 4,
    )


@public_page()
def day_tables(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    stage_ = open_stage(access.stages(), stage)
    on = read_day(day)
    public = for_public(request, access)
    rounds = access.rounds()
    if public:
        rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    results = table_results(tables_of_day(rounds, stage_, on), access.competition)
    if not results:
        raise Http404
    hidden = [
        result for result in results if public and result.table.round.visibility != Round.Visibility.RESULTS
    ]
    seats = {each.table.pk: each for each in without_results(hidden)}
    results = [seats.get(result.table.pk, result) for result in results]
    return page(request, access, "open_play/day.html", stage=stage_, day=on, results=results[::-1])


@presses(Can.VIEW, done=gettext_lazy("Table removed."))
def table_drop(request: HttpRequest, access: Access, pk: int) -> Asked:
    table = access.table(pk)
    is_open_play = table.round.stage.play == Stage.Play.OPEN
    if not (is_open_play and (access.can_score or access.sits_at(table))):
        raise PermissionDenied
    return Asked(
        partial(drop_table, table=table),
        then=access.address("rounds:index"),
        back=access.address("results:table", pk),
    )


# --- fees


@reads(Can.SCORE)
def fees(request: HttpRequest, access: Access, stage: int) -> HttpResponse:
    stage_ = access.stage(stage)
    rows = evening_rows(stage_)
    return page(
        request,
        access,
        "open_play/fees.html",
        stage=stage_,
        total=sum_fees((row.day, row.presence) for row in rows),
        people=PersonFees(fees_by_person(rows), request=request, prefix="people-"),
        days=EveningFees(fee_sums(rows, lambda row: row.day), request=request, prefix="days-"),
        months=MonthFees(fees_by_month(rows), request=request, prefix="months-"),
    )


@reads(Can.SCORE)
def evenings_file(request: HttpRequest, access: Access, stage: int) -> HttpResponse:
    played_stage, stream = access.stage(stage), io.BytesIO()
    write_evenings(played_stage, stream)
    name = f'attachment; filename="{access.competition.slug}-evenings.xlsx"'
    return HttpResponse(stream.getvalue(), MEDIA_TYPE, headers={"Content-Disposition": name})
