"""Free play: players make up a table, enter its sheet, and a second of the four confirms it."""

import secrets
from datetime import date

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.core.access import Access, Can, enter
from league.core.caching import public_page
from league.core.errors import AlreadyDone, Refused
from league.core.forms import KeyedForm, attempt
from league.core.pages import AUDIENCES, context_of, for_public, sent, today
from league.models import Round, Stage
from league.open_play.forms import DRAWN, FreeTableForm, PlayForm
from league.open_play.queries import linked_players, players_of_stage, tables_of_day
from league.open_play.services import drop_table, make_table, set_play
from league.rounds.queries.tables import table_results, without_results

UNPROCESSABLE = 422
SEEDS = 1_000_000  # a draw's number stays short enough to be read out


def _free_stage(access: Access, pk: int) -> Stage:
    return get_object_or_404(access.stages(), pk=pk, play=Stage.Play.FREE)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stage_play(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Whether the organizer seats the rounds of a stage, or its players make up their own tables."""
    access = enter(request.user, slug, Can.ORGANIZE)
    stage = get_object_or_404(access.stages(), pk=pk)
    form = PlayForm(sent(request), initial={"play": stage.play})
    if (
        request.method == "POST"
        and form.is_valid()
        and attempt(
            form,
            lambda: set_play(
                stage=stage, play=form.cleaned_data["play"], by=access.by, form=form.submission(stage.pk)
            ),
        )
    ):
        messages.success(request, _("How %(name)s is played is saved.") % {"name": stage.name})
        return redirect("competitions:manage", slug)
    context = context_of(request, access, form=form, stage=stage, has_rounds=stage.rounds.exists())
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "open_play/settings.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def free_table(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Four players sit down. A player makes up tables of their own; scorers and organizers any."""
    access = enter(request.user, slug)
    found = _free_stage(access, stage)
    mine = linked_players(access.user.pk, access.competition)
    players = players_of_stage(found)
    if not (access.can_score or mine & {info.player for info in players}):
        raise PermissionDenied
    form = FreeTableForm(
        sent(request), players=players, mine=sorted(mine), initial={"date": today(access.competition)}
    )
    if request.method == "POST" and form.is_valid() and _is_there(access, form, mine):
        try:
            made = make_table(
                stage=found,
                four=form.four,
                on=form.cleaned_data["date"],
                today=today(access.competition),
                seed=secrets.randbelow(SEEDS) if form.cleaned_data["winds"] == DRAWN else None,
                by=access.by,
                form=form.submission(found.pk),
            ).pk
        except AlreadyDone as done:
            made = int(str(done.answer["table"]))
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("The table is made. When you have played, enter its result."))
        if not form.errors:
            return redirect("results:table", slug, made)
    context = context_of(request, access, form=form, stage=found, enough=len(players) >= 4)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "open_play/new_table.html", context, status=status)


def _is_there(access: Access, form: FreeTableForm, mine: set[int]) -> bool:
    if access.can_score or mine & set(form.four):
        return True
    form.add_error(None, _("Make up a table at which you sit yourself."))
    return False


@public_page(view=AUDIENCES)
def free_day(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    """All tables that were made up on one day."""
    found = _free_stage(access, stage)
    on = _day(day)
    rounds = access.rounds()
    if for_public(request, access):
        rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
    tables = table_results(tables_of_day(rounds, found, on), access.competition)
    if not tables:
        raise Http404
    if for_public(request, access):
        tables = [each if _is_published(each.table.round) else without_results([each])[0] for each in tables]
    context = context_of(request, access, stage=found, day=on, results=tables[::-1])
    return render(request, "open_play/day.html", context)


def _is_published(round_: Round) -> bool:
    return round_.visibility == Round.Visibility.RESULTS


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


# --- the sheet


@never_cache
@require_POST
def free_drop(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take away a table that was made up by mistake."""
    access = enter(request.user, slug)
    table = access.table(pk)
    is_free = table.round.stage.play == Stage.Play.FREE
    if not (is_free and (access.can_score or access.sits_at(table))):
        raise PermissionDenied
    form = KeyedForm(request.POST)
    if form.is_valid() and attempt(
        form, lambda: drop_table(table=table, by=access.by, form=form.submission("drop", pk))
    ):
        messages.success(request, _("The table is taken away."))
        return redirect("rounds:index", slug)
    errors = form.non_field_errors() or [_("This page was out of date. Open it again.")]
    messages.error(request, " ".join(map(str, errors)))
    return redirect("results:table", slug, pk)
