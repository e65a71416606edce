"""The referees' day in several competitions at once, for their chief."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.pages import SignedIn, page
from league.core.zones import begin_of_day, day_of_play
from league.models import Competition, DisputeStep, Penalty, Role, Table
from league.play.calls.queries import calls_of
from league.play.disputes.queries import open_disputes
from league.referees.desk.queries import REFEREES, chief_competitions, requests
from league.referees.desk.tables import DayTable, LoggedToday
from league.referees.penalties.queries.penalties import wordings_of
from league.rules.penalty_rules.words.rulings import level_name


class _Act(NamedTuple):
    """A referee's act at a table."""

    who: int | None
    at: datetime
    table: Table


@never_cache
@require_safe
@login_required
def day(request: SignedIn) -> HttpResponse:
    days = [_day_of(request, competition) for competition in chief_competitions(request.user)]
    return page(request, None, "penalties/day.html", days=days)


def _day_of(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    calls = calls_of(competition)
    day = day_of_play(competition)
    begins, ends = begin_of_day(competition, day), begin_of_day(competition, day + timedelta(days=1))
    today = {"created_at__gte": begins, "created_at__lt": ends}
    standing = Penalty.objects.filter(competition=competition, revoked_at__isnull=True, **today)
    logged = standing.exclude(status=Penalty.Status.DECLINED).select_related("table__round", "created_by")
    steps_today = DisputeStep.objects.filter(dispute__competition=competition, **today)
    steps = steps_today.select_related("dispute__table__round")
    acts = [_Act(each.created_by_id, each.created_at, each.table) for each in logged if each.table]
    acts += [_Act(step.created_by_id, step.created_at, step.dispute.table) for step in steps]
    newest = {act.who: (act.table, act.at) for act in sorted(acts, key=lambda act: act.at)}
    going = {call.taken_by_id: (call.table, call.taken_at) for call in calls if call.taken_by_id}
    numbers = Counter(
        (each.level, each.created_by.get_username() if each.created_by else "") for each in logged
    )
    roles = Role.objects.filter(competition=competition, kind__in=REFEREES).select_related("user")
    referees = {role.user_id: role.user for role in roles.order_by("user__username")}
    wordings = wordings_of(competition)
    penalties = [
        LoggedToday(level_name(level, wordings.any(level)) or _("no level"), name, number)
        for (level, name), number in sorted(numbers.items())
    ]
    return {
        "competition": competition,
        "calls": calls,
        "requests": requests(competition),
        "disputes": open_disputes(competition),
        "referees": [
            (user, *(going.get(user.pk) or newest.get(user.pk) or (None, None)), user.pk in going)
            for user in referees.values()
        ],
        "penalties": DayTable(penalties, competition=competition, request=request),
    }
