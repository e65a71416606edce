from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.models import Team
from league.ranking.stages.forms import LotsForm
from league.ranking.stages.queries import CutStory, Decision, Info, team_story_of
from league.ranking.stages.tables import QualifiersTable
from league.ranking.standings.words import tie_break_explanation, tie_break_label
from scoring.cuts import BY_RANK


def drawing(players: Sequence[Info]) -> tuple[Sequence[Info], LotsForm]:
    ids = ",".join(str(info.pk) for info in players)
    of_teams = any(isinstance(info, Team) for info in players)
    return players, LotsForm(initial={"players": ids, "of_teams": of_teams})


def in_words(decision: Decision) -> tuple[Decision, str, str]:
    if decision.by == BY_RANK:
        return decision, _("Rank in the previous stage"), _("Tied wild cards are ordered by rank.")
    return decision, tie_break_label(decision.by), tie_break_explanation(decision.by)


def story_context(request: HttpRequest, story: CutStory) -> dict[str, Any]:
    cut = story.stage.cut
    without = () if story.head_starts else ("head_start",)
    return {
        "story": story,
        "qualifiers": QualifiersTable(story.entrants, request=request, without=without),
        "decided": [in_words(each) for each in story.decided],
        "top": cut.get("top", 0),
        "first": cut.get("first", 1),
        "last": cut.get("first", 1) + cut.get("top", 0) - 1,
        "wild_cards": cut.get("wild_cards", 0),
        "wild_card_by": tie_break_label(cut.get("wild_card_by", "best_score")),
        "picked": len(cut.get("picked", ())),
        **team_story_context(team_story_of(story.stage, story.source)),
    }


def team_story_context(story: CutStory | None) -> dict[str, Any]:
    if story is None:
        return {}
    return {"team_story": story, "teams_decided": [in_words(each) for each in story.decided]}
