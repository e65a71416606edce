"""The referees' day in several competitions at once, for their chief."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.pages import SignedIn, page
from league.penalties.queries.day import days_of
from league.penalties.queries.penalties import wordings_of
from league.penalty_rules.words.rulings import level_name


@never_cache
@require_safe
@login_required
def day(request: SignedIn) -> HttpResponse:
    """What waits, who is where, and today's penalties by level and referee."""
    days = []
    for each in days_of(request.user):
        words = wordings_of(each.competition)
        lines = [
            (level_name(level, words.any(level)) or _("no level"), *more) for level, *more in each.penalties
        ]
        days.append((each, lines))
    return page(request, None, "penalties/day.html", days=days)
