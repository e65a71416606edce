"""Pages of an evening: attendance, fees, tables drawn on the spot, slips of paper."""

from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.access import Access, Can
from league.core.door import round_code
from league.core.forms import KeyedForm
from league.core.pages import Asked, draw_seed, number_in, page, presses, read_day, reads, save, takes, today
from league.models import Round, Stage
from league.people.members.queries import Finder, candidates
from league.play.entry.forms.evening import FeeForm, GuestForm, PresenceForm
from league.play.entry.forms.sheets import SheetForm, SlipForm
from league.play.entry.panels import kept_by, panel, slip_panel
from league.play.entry.tables import RankingTable
from league.play.entry.views.saving import SavedSheet, try_to_save
from league.play.hands.queries import games_of, table_game
from league.play.open_play import queries, services
from league.play.results.queries.tables import table_results

EVENING = "entry/evening.html"
NEAR_DAYS = 6  # other evenings to choose from
FEW_ABSENT = 12  # players who are named beside their number


def _address(access: Access, stage: int, day: str) -> str:
    return access.address("open_play:evening", stage, day)


@reads(Can.SCORE)
def tonight(request: HttpRequest, access: Access, stage: int) -> HttpResponse:
    """Open the evening that is going on, or the one of the day in the address."""
    with suppress(ValueError):
        day = date.fromisoformat(request.GET.get("day", ""))
        return HttpResponseRedirect(access.address("open_play:evening", stage, day.isoformat()))
    evening = queries.this_evening(access.stage(stage))
    return HttpResponseRedirect(access.address("open_play:evening", stage, evening.isoformat()))


@reads(Can.SCORE)
def evening(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    return _evening(request, access, access.stage(stage), read_day(day))


def _evening(
    request: HttpRequest, access: Access, found: Stage, on: date, **refused: KeyedForm
) -> HttpResponse:
    values = _values(
        request, access, found, on, pays="pay" in request.GET, for_guest="guest" in request.GET, **refused
    )
    return page(request, access, EVENING, day_code=round_code(Round(stage=found, date=on)), **values)


@presses(Can.SCORE)
def presence(request: HttpRequest, access: Access, stage: int, day: str) -> Asked:
    about: dict[str, Any] = {
        "stage": access.stage(stage),
        "on": read_day(day),
        "today": today(access.competition),
    }

    def write(*, entrant: int, act: str, pays: bool, **how: Any) -> None:
        entered = access.competition.entrants.select_related("player").get(pk=entrant)
        if act in {"pay", "owe"}:
            services.set_paid(**about, entrant=entered, paid=act == "pay", **how)
        else:
            services.set_presence(**about, entrant=entered, here=act == "come", **how)

    page_of_day = _address(access, stage, day)
    return Asked(
        write,
        PresenceForm(request.POST),
        then=f"{page_of_day}?pay=1" if "pays" in request.POST else page_of_day,
    )


@takes(Can.ORGANIZE, shown_on=_address)
def guest(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    stage_ = queries.stage_of_evenings(access.stages(), stage)
    on = read_day(day)
    form = GuestForm(request.POST)
    here = today(access.competition)
    return save(
        request,
        form,
        lambda sent: services.enter_guest(
            stage=stage_, on=on, today=here, by=access.by, form=sent, **form.values()
        ),
        about=(stage, day),
        done=lambda answer: _("%(name)s is present.") % {"name": answer["name"]},
        then=access.address("open_play:evening", stage, day) + "?guest=1",
    ) or _evening(request, access, stage_, on, guest=form)


@takes(Can.ORGANIZE, shown_on=_address)
def fee(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    stage_ = queries.stage_of_evenings(access.stages(), stage)
    on = read_day(day)
    form = FeeForm(request.POST)
    return save(
        request,
        form,
        lambda sent: services.set_fee(stage=stage_, on=on, by=access.by, form=sent, **form.values()),
        about=(stage, day),
        done=_("Table fee saved."),
        then=access.address("open_play:evening", stage, day) + "?pay=1",
    ) or _evening(request, access, stage_, on, fee=form)


@presses(Can.SCORE)
def draw(request: HttpRequest, access: Access, stage: int, day: str) -> Asked:
    here = today(access.competition)
    return Asked(
        partial(
            services.draw_tables, stage=access.stage(stage), on=read_day(day), today=here, seed=draw_seed()
        ),
        done=lambda answer: (
            ngettext("%(tables)s table drawn.", "%(tables)s tables drawn.", answer["tables"]) % answer
        ),
        then=_address(access, stage, day),
    )


@takes(Can.SCORE, shown_on=_address)
def slip(request: HttpRequest, access: Access, stage: int, day: str) -> HttpResponse:
    """Save a score sheet on the page of an evening: of a drawn table, or of four names and a new table."""
    stage_ = queries.stage_of_evenings(access.stages(), stage)
    on = read_day(day)
    then = _address(access, stage, day)
    form: SheetForm
    if (pk := number_in(request.POST, "table")) is None:
        finder, near = Finder(candidates(access.competition)), queries.present_players(stage_, on)
        form = slip = SlipForm(request.POST, rules=stage_.rules, finder=finder, near=near)
        about: dict[str, Any] = {"stage": stage_, "on": on, "today": today(access.competition)}
        answer = save(
            request,
            form,
            lambda sent: services.enter_slip(**about, by=access.by, form=sent, **slip.values()),
            about=(stage, day),
            done=_("Result saved."),
            then=then,
        )
    else:
        table = get_object_or_404(queries.tables_of_day(access.rounds(), stage_, on), pk=pk)
        form = SheetForm(request.POST, rules=stage_.rules, game=table_game(access.table(pk)).game)
        correction = access.address("results:correct", table.pk)
        saved = try_to_save(request, access, access.table(table.pk), form, then=then, action=correction)
        if isinstance(saved, SavedSheet):
            messages.add_message(request, saved.level, saved.said or _("Result saved."))
            return redirect(then)
        answer = saved
    return answer or page(request, access, EVENING, **_values(request, access, stage_, on, sheet=form))


def _values(
    request: HttpRequest,
    access: Access,
    stage: Stage,
    on: date,
    *,
    pays: bool = False,
    for_guest: bool = False,
    sheet: Any = None,
    guest: Any = None,
    fee: Any = None,
) -> dict[str, Any]:
    """Return the values of the page `EVENING`. `sheet`, `guest` and `fee`: a form with its errors.

    `pays`: the players are listed for payment. `for_guest`: the name of the next guest is typed first.
    """
    guest = guest or GuestForm()
    if for_guest:
        guest.fields["name"].widget.attrs["autofocus"] = True
    draws = queries.draws_on_the_spot(stage)
    results = []
    if draws:
        results = table_results(queries.tables_of_day(access.rounds(), stage, on), access.competition)
    players = queries.evening_players(stage, on, results)
    round_ = queries.next_seated_round(stage)
    refused = sheet.data.get("table") if sheet else None
    kept = games_of([each.table for each in results])
    panels = [
        panel(
            each,
            sheet if refused == str(each.table.pk) else None,
            typed=kept_by(kept[each.table.pk].game),
        )
        for each in results
        if refused == str(each.table.pk)
        or (each.sheet is None and each.table.round.status == Round.Status.OPEN)
    ]
    days = [day for day in queries.evening_days(stage) if day != on] if draws else []
    by_arrival = sorted(players, key=lambda each: each.presence.pk if each.presence else 0)
    came = [each for each in by_arrival if each.presence]
    ranking = sorted((each for each in players if each.games), key=lambda each: -each.score)
    return {
        "heading": _("Evening") if draws else _("Attendance"),
        "stage": stage,
        "day": on,
        "draws": draws,
        "days": sorted(days, key=lambda day: abs(day - on))[:NEAR_DAYS],
        "here": [each for each in came if each.here],
        "few": FEW_ABSENT,
        "absent": [each for each in players if each.may_play and not each.here],
        "came": came,
        "pays": pays,
        "seated": sum(each.here and each.seated for each in players),
        "free": sum(each.here and not each.seated for each in players),
        "ranking": RankingTable(ranking, request=request),
        "panels": panels,
        "unfinished": queries.unfinished_evenings(stage, on) if draws else [],
        "blank": slip_panel(stage.rules, None if refused else sheet),
        "focus": "" if for_guest or pays else refused or (sheet and "blank") or "first",
        "fees": queries.sum_fees((on, each.presence) for each in came),
        "guest": guest,
        "fee": fee or FeeForm(instance=queries.evening_of(stage, on)),
        "round": round_,
        "missing": queries.missing_players(players, round_),
    }
