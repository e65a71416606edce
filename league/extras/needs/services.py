from django.contrib.auth.models import User

from league.core.changes import Sent, change, reread
from league.models import Stage

_FIELDS = ("planned_rounds", "planned_cut")


def set_stage_end(
    *, stage: Stage, rounds: int | None, places: int | None, by: User | None, form: Sent | None = None
) -> Stage:
    """Set how many rounds the stage is to have, and how many will go on to the next one. None: unknown."""
    with change(stage.competition, by=by, form=form) as done:
        stage = reread(Stage.objects.select_related("division"), pk=stage.pk)
        before = {name: getattr(stage, name) for name in _FIELDS}
        stage.planned_rounds, stage.planned_cut = rounds, places
        stage.save(update_fields=_FIELDS)
        after = {name: getattr(stage, name) for name in _FIELDS}
        done.log("stage.end", f"stage:{stage.pk}", before=before, after=after)
        done.answer = {"stage": stage.pk}
        return stage
