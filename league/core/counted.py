"""Which penalties and adjustments count, and which of them the public reads."""

from django.db.models import Q, QuerySet

from league.models import Adjustment, Competition, Penalty, Round

SHOWS_ALL = Competition.PenaltiesShown.ALL


def counted_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Those that count: in force and not revoked; for the public none of a round whose results are not
    published. Whether they are listed is another matter.
    """
    found = _published(penalties) if public else penalties
    return found.filter(revoked_at__isnull=True, status=Penalty.Status.IN_FORCE)


def shown_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Those whose offence and reason this audience reads, revoked ones too.

    For the public none where the competition does not list them, none of a round whose results are not
    published (nothing leaks), and none that waits for the chief referee or was declined.
    """
    if not public:
        return penalties
    return _published(penalties).filter(
        status=Penalty.Status.IN_FORCE, competition__penalties_shown=SHOWS_ALL
    )


def lists_penalties(competition: Competition, *, public: bool) -> bool:
    """Does this audience read the penalties one by one?"""
    return not public or competition.penalties_shown == SHOWS_ALL


def _published(penalties: QuerySet[Penalty]) -> QuerySet[Penalty]:
    return penalties.filter(Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS))


def counted_adjustments(adjustments: QuerySet[Adjustment], *, public: bool) -> QuerySet[Adjustment]:
    """Those that count: none of a round that is only planned (its seating may still change), and for the
    public none of a round whose results are not published.
    """
    found = adjustments.filter(revoked_at__isnull=True).exclude(round__status=Round.Status.PLANNED)
    if public:
        found = found.filter(Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS))
    return found
