from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import QuerySet

from league.core.access import Access
from league.models import Round, Stage
from league.open_play.queries import DayCount, day_counts, linked_players


class OpenPlayStage(NamedTuple):
    stage: Stage
    days: list[DayCount]  # newest first
    may_make: bool  # a table


def open_play_stages(access: Access, stages: Iterable[Stage], rounds: QuerySet[Round]) -> list[OpenPlayStage]:
    found = [stage for stage in stages if stage.play == Stage.Play.OPEN]
    if not found:
        return []
    days = day_counts(rounds)
    may_make = access.can_score or bool(linked_players(access.user.pk, access.competition))
    return [OpenPlayStage(stage, days.get(stage.pk, []), may_make) for stage in found]
