from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can
from league.core.caching import ANY, public_page
from league.core.pages import Answer, Asked, for_public, page, posted, saves, today
from league.core.stages import stages_of
from league.models import Division, Round
from league.play.calendar.forms import DatesForm, PlanForm
from league.play.calendar.queries.calendar import calendar_of, months_of, propose_matchdays
from league.play.calendar.queries.open_play import open_play_days
from league.play.calendar.queries.table_times import awaited_answers
from league.play.calendar.services.calendar import plan_matchdays, set_dates

WHEN = frozenset({"past"})
MONTHS_A_PAGE = 24  # of what is past


# --- the page


@public_page(lambda access, **kwargs: today(access.competition), when=WHEN, division=ANY)
def calendar(request: HttpRequest, access: Access) -> HttpResponse:
    public = for_public(request, access)
    competition = access.competition
    now = today(competition)
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    divisions = [each for each, _same in groupby(stage.division for stage in stages)]
    division = division_at(divisions, request.GET.get("division", ""))
    dates = calendar_of(competition, public=public)
    if division is not None:
        dates = dates.of_division(division.pk)
        stages = [stage for stage in stages if stage.division_id == division.pk]
    past, coming = months_of(dates, open_play_days(competition, stages, public=public), competition, now)
    is_past = request.GET.get("when") == "past"
    return page(
        request,
        access,
        "calendar/calendar.html",
        months=past[:MONTHS_A_PAGE] if is_past else coming,
        is_past=is_past,
        has_past=bool(past),
        has_coming=bool(coming),
        divisions=divisions,
        division=division,
        several_divisions=len(divisions) > 1 and division is None,
        today=now,
        plans=[stage for stage in stages if stage.play == "rounds"],
        asked=awaited_answers({competition.pk: access.player}, now=timezone.now()) if access.player else (),
    )


def division_at(divisions: Sequence[Division], slug: str) -> Division | None:
    named_division = next((division for division in divisions if division.slug == slug), None)
    if slug and named_division is None:
        raise Http404
    return named_division


# --- planning


@saves(Can.ORGANIZE, "calendar/matchdays.html")
def matchdays(request: HttpRequest, access: Access, stage: int) -> Asked:
    stage_ = access.stage(stage)
    where = ("teams:season", stage) if stage_.takes_line_ups else ("calendar:calendar",)
    return Asked(
        partial(plan_matchdays, stage=stage_),
        PlanForm(posted(request), proposed=propose_matchdays(stage_, today(access.competition))),
        done=_describe_plan,
        then=access.address(*where),
        stage=stage_,
    )


def _describe_plan(answer: Answer) -> str:
    count = len(answer["rounds"])
    return ngettext(
        "%(count)s round added to the calendar.", "%(count)s rounds added to the calendar.", count
    ) % {"count": count}


@saves(Can.ORGANIZE, "calendar/dates.html", done=gettext_lazy("Date changed."))
def round_dates(request: HttpRequest, access: Access, pk: int) -> Asked:
    round_ = access.round(pk)
    same = _matchday_of(access, round_)
    initial = {
        "first": round_.date,
        "until": round_.until,
        "announced": round_.announced or round_.date is None,
        "together": True,
    }

    def write(*, together: bool, **typed: Any) -> None:
        set_dates(rounds=same if together else [round_], **typed)

    form = DatesForm(posted(request), initial=initial)
    return Asked(write, form, then=access.address("calendar:calendar"), round=round_, same=same)


def _matchday_of(access: Access, round_: Round) -> list[Round]:
    """Return the rounds of the same stage with the same dates, or this round alone if it has no day."""
    if round_.date is None:
        return [round_]
    same = access.rounds().filter(stage=round_.stage_id, date=round_.date, until=round_.until)
    return list(same.order_by("number"))
