from django.db.models import Q, QuerySet

from league.core.stages import secret_stages
from league.models import Adjustment, Competition, Penalty, Round, Stage

SHOWS_ALL = Competition.PenaltiesShown.ALL
_PUBLISHED = Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS)


def counted_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Keep the penalties that count, listed or not. The public sees none of unpublished rounds."""
    visible_penalties = penalties.filter(_PUBLISHED) if public else penalties
    return visible_penalties.filter(revoked_at__isnull=True, status=Penalty.Status.IN_FORCE)


def shown_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Keep the penalties that this audience may read, with revoked ones.

    The public reads none of unpublished rounds, none that waits or was declined, and only listed ones. It
    reads the words of misconduct only where the competition names it (``veil``).
    """
    listed = Q(status=Penalty.Status.IN_FORCE, competition__penalties_shown=SHOWS_ALL)
    return veil(penalties.filter(_PUBLISHED, listed), Q()) if public else penalties


def without_secret_stages(penalties: QuerySet[Penalty], competition: Competition) -> QuerySet[Penalty]:
    """Leave out what the public must not read: a penalty in a final tells who came through its cut.

    Queries: 1, and 1 more if there are cuts.
    """
    secret = secret_stages(list(Stage.objects.of(competition)))
    return penalties.exclude(stage__in=secret) if secret else penalties


def veil(penalties: QuerySet[Penalty], whose: Q) -> QuerySet[Penalty]:
    """Mark the penalties of ``whose`` whose words of misconduct ``hands.words.penalties`` leaves out."""
    return penalties.annotate(is_veiled=Q(whose, competition__names_misconduct=False))


def without_words(penalty: Penalty) -> Penalty:
    """Remove from the object in memory what the penalty is for. Level, score and ban stay."""
    penalty.infraction = penalty.reason = penalty.revoke_reason = penalty.decide_reason = ""
    penalty.condition, penalty.units, penalty.suggested = None, 1, ""
    return penalty


def lists_penalties(competition: Competition, *, public: bool) -> bool:
    return not public or competition.penalties_shown == SHOWS_ALL


def counted_adjustments(adjustments: QuerySet[Adjustment], *, public: bool) -> QuerySet[Adjustment]:
    """Keep the adjustments that count. A planned round has none, because its seating may still change."""
    valid_adjustments = adjustments.filter(revoked_at__isnull=True).exclude(
        round__status=Round.Status.PLANNED
    )
    return valid_adjustments.filter(_PUBLISHED) if public else valid_adjustments
