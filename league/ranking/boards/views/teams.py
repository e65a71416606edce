"""Standings of teams."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from league.core.access import Access
from league.core.caching import public_page
from league.core.pages import (
    for_public,
    page,
)
from league.core.stages import stage_before, stages_of
from league.models import Stage
from league.play.rounds.queries.rounds import unpublished_rounds
from league.ranking.boards.marks import facts_of_marks, marks_of
from league.ranking.boards.tables import AwardsTable, TeamsTable
from league.ranking.stages.panels import team_story_context
from league.ranking.stages.queries import draws_of, team_story_of
from league.ranking.standings.queries.stages import chosen_stage, division_choices
from league.ranking.standings.queries.standings import Standings, standings_of
from league.ranking.standings.words import total_notes
from league.ranking.teams.queries import limits_of, team_standings, teams_of
from scoring.standings import LOTS
from scoring.teams import awards

AWARDS = {
    "score": gettext_lazy("Individual score"),
    "best_points": gettext_lazy("Highest points"),
    "avoidance": gettext_lazy("4th-avoidance rate"),
    "tops": gettext_lazy("Most first places"),
}


@public_page(facts_of_marks)
def index(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    public = for_public(request, access)
    stages = stages_of(access.competition, public=public)
    choices = [choice for choice in stages if choice.stage.counts_for_teams]
    current = chosen_stage(choices, division, stage)
    if current is None:
        return page(request, access, "boards/teams.html", choices=choices, stage=None)
    every = [choice.stage for choice in stages]
    ranked = team_standings(current, public=public, every=every)
    marks = marks_of(request, access, current, public=public, of_teams=True)
    table = TeamsTable(ranked.rows, request=request, slug=access.competition.slug, marks=marks)
    players = standings_of([current], public=public, every=every)[current.pk]
    return page(
        request,
        access,
        "boards/teams.html",
        choices=choices,
        stage=current,
        ranked=ranked,
        table=table,
        marks=marks,
        notes=total_notes(current, ranked.rows, of_teams=True),
        awards=AwardsTable(_awards(current, every, players), request=request),
        divisions=division_choices(choices),
        stages=[c.stage for c in choices if c.stage.division_id == current.division_id],
        imbalance=current.division.rules.imbalance,
        hidden=unpublished_rounds(current) if access.is_staff else 0,
        lots=draws_of(current, teams_of(access.competition), of_teams=True) if LOTS in table.signs else (),
        **team_story_context(team_story_of(current, stage_before(current, every))),
    )


def _awards(stage: Stage, every: Sequence[Stage], ranked: Standings) -> list[dict[str, Any]]:
    """Return the winners of M.League's awards. The unit of the value depends on the award's name.

    In the regular season a player needs the least number of hanchan.
    """
    least, _most = limits_of(stage, every)
    people = {line.player.player: line.player for line in ranked.rows}
    return [
        {
            "name": award.name,
            "label": AWARDS[award.name],
            "players": [people[player] for player in award.players],
            "value": award.value,
        }
        for award in awards([line.row for line in ranked.rows], least=least or 0)
    ]
