from django.contrib.auth.models import User

from league.core.changes import Form, change, reread
from league.models import Stage


def set_planned_cut(*, stage: Stage, places: int | None, by: User | None, form: Form | None = None) -> Stage:
    """Set how many will go on to the next stage, or that this is unknown."""
    with change(stage.division.competition, by=by, form=form) as done:
        stage = reread(Stage.objects.select_related("division"), pk=stage.pk)
        before, stage.planned_cut = stage.planned_cut, places
        stage.save(update_fields=["planned_cut"])
        done.log(
            "stage.planned_cut",
            f"stage:{stage.pk}",
            before={"planned_cut": before},
            after={"planned_cut": places},
        )
        done.answer = {"stage": stage.pk}
        return stage
