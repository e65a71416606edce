"""Standings of players: a stage, the screen on the wall, a picture. Staff see more, or with ``?view=public``
what the public sees.
"""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.caching import ANY, PAGES, fragment, public_page
from league.core.pages import for_public, page, screen_values
from league.core.stages import StageChoice, stages_of
from league.core.tags import score
from league.models import Stage
from league.people.members.queries import info_of
from league.play.rounds.queries.rounds import unpublished_rounds
from league.ranking.boards.marks import facts_of_marks, marks_of
from league.ranking.boards.panels import standings_parts
from league.ranking.boards.pictures import SHOWN as LINES_OF_A_PICTURE
from league.ranking.boards.pictures import draw_ranking
from league.ranking.seasons.queries import zones_of
from league.ranking.stages.panels import story_context
from league.ranking.stages.queries import draws_of, story_of
from league.ranking.standings.queries.stages import chosen_stage, division_choices
from league.ranking.standings.queries.standings import Standings, ranks_before, standings_of
from league.ranking.standings.tables import EntrantsTable, StandingsTable, cut_border
from league.ranking.standings.words import total_notes
from league.ranking.teams.queries import team_ranking
from scoring.standings import LOTS


def _beside(access: Access, **kwargs: object) -> tuple[object, ...]:
    return (access.season_before, access.season_after, *facts_of_marks(access))


@public_page(_beside, sort=StandingsTable.sorts(), page=PAGES, q=ANY)
def standings(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    """Show the ranking of one stage, by default of the newest one with results, or of teams if they win."""
    if division is None and access.competition.crowns_teams:
        return redirect(f"{access.address('teams:index')}?{request.GET.urlencode()}".rstrip("?"))
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    shown_stage = chosen_stage(choices, division, stage)
    if shown_stage is None:
        return page(request, access, "boards/stage.html", choices=choices, stage=None)
    every = [choice.stage for choice in choices]
    ranked = standings_of([shown_stage], public=public, every=every)[shown_stage.pk]
    has_results = any(line.row.has_result for line in ranked.rows)

    marks = marks_of(request, access, shown_stage, public=public)

    def table() -> str:
        of = f"{shown_stage.division.name} · {shown_stage.name}"
        slug = access.competition.slug
        if not has_results:
            return EntrantsTable(ranked.rows, request=request, slug=slug, of=of).as_html(request)
        made = StandingsTable(
            ranked.rows,
            zones=zones_of(shown_stage, public=public),
            cut=cut_border(shown_stage, every),
            before=ranks_before(shown_stage, public=public, every=every),
            marks=marks,
            request=request,
            slug=slug,
            of=of,
        )
        return made.as_html(request)

    return page(
        request,
        access,
        "boards/stage.html",
        choices=choices,
        stage=shown_stage,
        ranked=ranked,
        has_results=has_results,
        carries_in=any(line.row.carries_in for line in ranked.rows),
        table=fragment(request, access, f"standings:{shown_stage.pk}:{public}:{marks}", table),
        marks=marks,
        divisions=division_choices(choices),
        stages=[c.stage for c in choices if c.stage.division_id == shown_stage.division_id],
        imbalance=shown_stage.division.rules.imbalance,
        season_before=access.season_before,
        season_after=access.season_after,
        notes=total_notes(shown_stage, ranked.rows),
        hidden=unpublished_rounds(shown_stage) if access.is_staff else 0,
        **_cut_and_lots(request, shown_stage, choices, ranked),
    )


def _cut_and_lots(
    request: HttpRequest, stage: Stage, choices: Sequence[StageChoice], ranked: Standings
) -> dict[str, Any]:
    story = story_of(stage, [choice.stage for choice in choices])
    decided = any(line.row.decided_by == LOTS for line in ranked.rows)
    draws = draws_of(stage, {line.player.player: line.player for line in ranked.rows}) if decided else ()
    context = {"lots": draws}
    return context | story_context(request, story) if story else context


@public_page(page=PAGES)
def screen(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the newest public standings of each division in large letters, part by part."""
    screens = standings_parts(access.competition)
    return page(
        request,
        access,
        "boards/screen.html",
        **screen_values(request, access, screens, "standings:competition"),
    )


@public_page()
def picture(request: HttpRequest, access: Access, pk: int | None = None) -> HttpResponse:
    """Draw the first lines of the newest standings, or those around a player of their division."""
    entrant = access.entrant(pk) if pk is not None else None
    choices = stages_of(access.competition, public=True)
    mine = [choice for choice in choices if entrant and choice.stage.division_id == entrant.division_id]
    stage = chosen_stage(mine or choices, None, None)
    every = [choice.stage for choice in choices]
    rows = standings_of([stage], public=True, every=every)[stage.pk].rows if stage else ()
    played = [line for line in rows if line.row.games]
    own = next((at for at, line in enumerate(played) if entrant and line.player.entrant == entrant.pk), 0)
    first = max(0, min(own - LINES_OF_A_PICTURE // 2, len(played) - LINES_OF_A_PICTURE))
    lines = [
        (line.row.shown_rank, line.player.name, line.player.romanized, line.row.total)
        for line in played[first:]
    ]
    if access.competition.crowns_teams and entrant is None:
        teams = team_ranking(access.competition, public=True)
        lines = [
            (team.row.shown_rank, team.team.name, "", team.row.total) for team in teams if team.row.games
        ]
    names = [access.competition.name, access.competition.league.name, stage.name if stage else ""]
    title, *notes = [info_of(entrant).name, *names[::2]] if entrant else names
    imbalance = stage.division.rules.imbalance if stage else 0
    below = _("Table scores sum to %(sum)s, not 0.0.") % {"sum": score(imbalance)} if imbalance else ""
    image = draw_ranking(title, " · ".join(filter(None, dict.fromkeys(notes))), lines, below=below)
    return HttpResponse(image, content_type="image/png")
