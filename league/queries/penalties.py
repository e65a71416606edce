"""Penalties: which of them an audience sees, and which count."""

from django.db.models import Q, QuerySet

from league.models import Penalty, Round


def counted_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Those that count: shown to this audience, in force, and not revoked."""
    shown = shown_penalties(penalties, public=public)
    return shown.filter(revoked_at__isnull=True, status=Penalty.Status.IN_FORCE)


def shown_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Revoked ones too; for the public none of a round whose results are not published (nothing leaks), and
    none that waits for the chief referee or was declined.
    """
    if not public:
        return penalties
    published = Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS)
    return penalties.filter(published, status=Penalty.Status.IN_FORCE)
