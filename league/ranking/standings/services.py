from collections.abc import Sequence

from django.contrib.auth.models import User

from league.core.changes import Sent, change, reread
from league.models import Stage
from scoring.rankings import Ranking


def keep_rankings(
    *, stage: Stage, rankings: Sequence[Ranking], by: User | None, form: Sent | None = None
) -> None:
    """Show these rankings of the stage first, instead of the usual ones if there are any."""
    with change(stage.competition, by=by, form=form) as done:
        stage = reread(Stage.objects.all(), pk=stage.pk)
        before, stage.rankings = stage.rankings, " ".join(ranking.code for ranking in rankings)
        stage.save(update_fields=["rankings"])
        after = {"rankings": stage.rankings}
        done.log("stage.rankings", f"stage:{stage.pk}", before={"rankings": before}, after=after)
