"""Addresses of the pages. Each module of views names its own; no two share one."""

from league.views import (
    calculator,
    calls,
    disputes,
    downloads,
    organizer,
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
    *referee.urlpatterns,
    *calls.urlpatterns,
    *disputes.urlpatterns,
    *organizer.urlpatterns,
    *roster.urlpatterns,
    *people.urlpatterns,
    *downloads.urlpatterns,
    *rule_sets.urlpatterns,
    *calculator.urlpatterns,
    *stages.urlpatterns,
]
