"""What the page of rounds shows of open play."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from league.core.access import Access
from league.models import Round, Stage
from league.open_play.queries import DayCount, day_counts, linked_players


@dataclass(frozen=True, slots=True)
class OpenPlayStage:
    """The days on which tables were made up, newest first; ``may_make``: may this person make one?"""

    stage: Stage
    days: list[DayCount]
    may_make: bool


def open_play_stages(access: Access, stages: Iterable[Stage], rounds: QuerySet[Round]) -> list[OpenPlayStage]:
    """The stages of open play with the days of these rounds; no query without such a stage."""
    found = [stage for stage in stages if stage.play == Stage.Play.OPEN]
    if not found:
        return []
    days = day_counts(rounds)
    may_make = access.can_score or bool(linked_players(access.user.pk, access.competition))
    return [OpenPlayStage(stage, days.get(stage.pk, []), may_make) for stage in found]
