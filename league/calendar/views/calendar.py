"""The calendar of a season: what everybody reads, and what organizers plan."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.calendar.forms import DatesForm, PlanForm
from league.calendar.queries.calendar import calendar_of, months_of, split_months
from league.calendar.services.calendar import plan_matchdays, set_dates
from league.core.access import Access, Can, enter
from league.core.caching import answer, facts_of, is_plain
from league.core.forms import KeyedForm, attempt
from league.core.pages import context_of, for_public, sent, today
from league.core.stages import stages_of
from league.models import Division, Round
from league.open_play.queries import open_play_days

UNPROCESSABLE = 422
WHEN = frozenset({"past"})
MONTHS_A_PAGE = 24  # of what is past


# --- the page


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What is coming by month, or what is past. It depends on the day on which it is read, too."""
    access = enter(request.user, slug)
    now = today(access.competition)
    may_keep = is_plain(request, {"when": WHEN, "view": frozenset({"public"})})
    return answer(
        request, (*facts_of(access), now), lambda: _calendar_page(request, access, now), may_keep=may_keep
    )


def _calendar_page(request: HttpRequest, access: Access, now: date) -> HttpResponse:
    public = for_public(request, access)
    competition = access.competition
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    divisions = [found for found, _same in groupby(stage.division for stage in stages)]
    division = chosen_division(divisions, request.GET.get("division", ""))
    found = calendar_of(competition, public=public)
    if division is not None:
        found = found.of_division(division.pk)
        stages = [stage for stage in stages if stage.division_id == division.pk]
    months = months_of(found, open_play_days(competition, stages, public=public), competition)
    past, coming = split_months(months, now)
    is_past = request.GET.get("when") == "past"
    context = context_of(
        request,
        access,
        months=past[:MONTHS_A_PAGE] if is_past else coming,
        is_past=is_past,
        has_past=bool(past),
        has_coming=bool(coming),
        divisions=divisions,
        division=division,
        several_divisions=len(divisions) > 1 and division is None,
        today=now,
        plans=[stage for stage in stages if stage.play == "rounds"],
        free=[stage for stage in stages if stage.play == "free"],
    )
    return render(request, "calendar/calendar.html", context)


def chosen_division(divisions: Sequence[Division], slug: str) -> Division | None:
    if not slug:
        return None
    found = next((division for division in divisions if division.slug == slug), None)
    if found is None:
        raise Http404
    return found


# --- planning


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def matchdays(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Many planned rounds at once."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = get_object_or_404(access.stages(), pk=stage)
    form = PlanForm(sent(request), initial={"first": today(access.competition)})
    if request.method == "POST" and form.is_valid():
        days, hanchan = form.days(), form.cleaned_data["hanchan"]
        if attempt(
            form,
            lambda: plan_matchdays(
                stage=found, days=days, hanchan=hanchan, by=access.by, form=form.submission(found.pk)
            ),
        ):
            planned = len(days) * hanchan
            sentence = ngettext(
                "%(count)s round is planned: it stands in the calendar.",
                "%(count)s rounds are planned: they stand in the calendar.",
                planned,
            )
            messages.success(request, sentence % {"count": planned})
            return redirect("calendar:calendar", slug)
    context = context_of(request, access, form=form, stage=found)
    return render(request, "calendar/matchdays.html", context, status=_status(form))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def round_dates(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Another day or window for a round, or for its whole matchday."""
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    same = _matchday_of(access, round_)
    form = DatesForm(sent(request), initial={"date": round_.date, "until": round_.until, "together": True})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        moved = same if typed["together"] else [round_]
        if attempt(
            form,
            lambda: set_dates(
                rounds=moved,
                first=typed["date"],
                until=typed["until"],
                reason=typed["reason"],
                by=access.by,
                form=form.submission(round_.pk),
            ),
        ):
            messages.success(request, _("The day is changed."))
            return redirect("calendar:calendar", slug)
    context = context_of(request, access, form=form, round=round_, same=same)
    return render(request, "calendar/dates.html", context, status=_status(form))


def _matchday_of(access: Access, round_: Round) -> list[Round]:
    """The rounds of the same stage with the same dates, by number; without a day the round alone."""
    if round_.date is None:
        return [round_]
    same = access.rounds().filter(stage=round_.stage_id, date=round_.date, until=round_.until)
    return list(same.order_by("number"))


def _status(form: KeyedForm) -> int:
    return UNPROCESSABLE if form.errors else 200
