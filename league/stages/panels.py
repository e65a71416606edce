"""How players and teams came into a stage, and lots, as several pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.core.messages import tie_break_explanation, tie_break_label
from league.people.queries import PlayerInfo, TeamInfo
from league.stages.forms import LotsForm
from league.stages.queries import (
    Decision,
    Story,
)
from league.teams.queries.cuts import (
    TeamStory,
    team_story_of,
)
from scoring.cuts import BY_RANK


@dataclass(frozen=True, slots=True)
class Drawing:
    """Players (or teams) between whom lots can be drawn, and the button's form."""

    players: Sequence[PlayerInfo | TeamInfo]
    form: LotsForm


def drawing(players: Sequence[PlayerInfo]) -> Drawing:
    named = ",".join(str(info.player) for info in players)
    return Drawing(players, LotsForm(initial={"players": named}))


def team_drawing(teams: Sequence[TeamInfo]) -> Drawing:
    named = ",".join(str(info.pk) for info in teams)
    return Drawing(teams, LotsForm(initial={"players": named, "teams": True}))


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision with the tie-break in words."""

    decision: Decision
    label: str
    explanation: str


def in_words(decision: Decision) -> Decided:
    if decision.by == BY_RANK:
        return Decided(
            decision, _("Rank in the stage before"), _("Of equal wild cards the better rank goes first.")
        )
    return Decided(decision, tie_break_label(decision.by), tie_break_explanation(decision.by))


def story_context(story: Story) -> dict[str, object]:
    """A cut that was made, for the partial that tells it."""
    cut = story.stage.cut
    return {
        "story": story,
        "decided": [in_words(each) for each in story.decided],
        "top": cut.get("top", 0),
        "first": cut.get("first", 1),
        "last": cut.get("first", 1) + cut.get("top", 0) - 1,
        "wild_cards": cut.get("wild_cards", 0),
        "wild_card_by": tie_break_label(cut.get("wild_card_by", "best_score")),
        "picked": len(cut.get("picked", ())),
        **team_story_context(team_story_of(story.stage, story.source)),
    }


def team_story_context(story: TeamStory | None) -> dict[str, object]:
    """A cut of teams that was made, for the partial that tells it; nothing where there was none."""
    if story is None:
        return {}
    return {"team_story": story, "teams_decided": [in_words(each) for each in story.decided]}
