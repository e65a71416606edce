"""Addresses of the pages. Each module of views names its own; no two share one."""

from league.views import (
    bans,
    calculator,
    calls,
    desk,
    disputes,
    downloads,
    four_taps,
    organizer,
    penalties,
    people,
    public,
    referee,
    results,
    roster,
    rule_sets,
    stages,
)

urlpatterns = [
    *public.urlpatterns,
    *results.urlpatterns,
    *desk.urlpatterns,
    *four_taps.urlpatterns,
    *referee.urlpatterns,
    *calls.urlpatterns,
    *disputes.urlpatterns,
    *penalties.urlpatterns,
    *bans.urlpatterns,
    *organizer.urlpatterns,
    *roster.urlpatterns,
    *people.urlpatterns,
    *downloads.urlpatterns,
    *rule_sets.urlpatterns,
    *calculator.urlpatterns,
    *stages.urlpatterns,
]
