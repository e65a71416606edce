"""Players make up their own tables: how a stage is played, a new table, the tables of a day."""

from datetime import date

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.pages import (
    AUDIENCES,
    draw_seed,
    for_public,
    page,
    press,
    save,
    sent,
    takes,
    today,
    writes,
)
from league.models import Round, Stage
from league.open_play.forms import DRAWN, NewTableForm, PlayForm
from league.open_play.queries import linked_players, players_of_stage, tables_of_day
from league.open_play.services import drop_table, make_table, set_play
from league.rounds.queries import table_results, without_results


def _stage(access: Access, pk: int) -> Stage:
    return get_object_or_404(access.stages(), pk=pk, play=Stage.Play.OPEN)


@writes(Can.ORGANIZE)
def stage_play(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Whether the organizer seats the rounds of a stage, or its players make up their own tables."""
    stage = get_object_or_404(access.stages(), pk=pk)
    form = PlayForm(sent(request), initial={"play": stage.play})
    return save(
        request,
        form,
        lambda sent: set_play(stage=stage, by=access.by, form=sent, **form.values()),
        about=(pk,),
        done=_("How %(name)s is played is saved.") % {"name": stage.name},
        then=access.address("competitions:manage"),
    ) or page(
        request, access, "open_play/settings.html", form=form, stage=stage, has_rounds=stage.rounds.exists()
    )


@writes(Can.VIEW)
def new_table(request: HttpRequest, access: Access, stage: int) -> HttpResponse:
    """Four players sit down. Players make up tables of their own, scorers and organizers any."""
    found = _stage(access, stage)
    mine = linked_players(access.user.pk, access.competition)
    players = players_of_stage(found)
    if not (access.can_score or mine & {info.player for info in players}):
        raise PermissionDenied
    here = today(access.competition)
    form = NewTableForm(
        sent(request), players=players, mine=mine, only_mine=not access.can_score, initial={"date": here}
    )
    return save(
        request,
        form,
        lambda sent: make_table(
            stage=found,
            four=form.four,
            on=form.cleaned_data["date"],
            today=here,
            seed=draw_seed() if form.cleaned_data["winds"] == DRAWN else None,
            by=access.by,
            form=sent,
        ),
        about=(stage,),
        done=_("The table is made. When you have played, enter its result."),
        then=lambda answer: access.address("results:table", answer["table"]),
    ) or page(request, access, "open_play/new_table.html", form=form, stage=found, enough=len(players) >= 4)


@public_page(view=AUDIENCES)
def day_tables(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    """All tables that were made up on one day."""
    found = _stage(access, stage)
    on = _read_day(day)
    public = for_public(request, access)
    rounds = access.rounds()
    if public:
        rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    results = table_results(tables_of_day(rounds, found, on), access.competition)
    if not results:
        raise Http404
    if public:
        published = Round.Visibility.RESULTS
        results = [
            each if each.table.round.visibility == published else without_results([each])[0]
            for each in results
        ]
    return page(request, access, "open_play/day.html", stage=found, day=on, results=results[::-1])


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


@takes(Can.VIEW)
def table_drop(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Takes away a table that was made up by mistake."""
    table = access.table(pk)
    is_open_play = table.round.stage.play == Stage.Play.OPEN
    if not (is_open_play and (access.can_score or access.sits_at(table))):
        raise PermissionDenied
    return press(
        request,
        lambda sent: drop_table(table=table, by=access.by, form=sent),
        about=("drop", pk),
        done=_("The table is taken away."),
        back=access.address("results:table", pk),
        then=access.address("rounds:index"),
    )
