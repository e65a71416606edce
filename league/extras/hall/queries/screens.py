"""What a screen in the hall shows, and the steps of the award ceremony."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from league.core.access import Access
from league.extras.hall.queries.tables import live_rounds, live_version
from league.models import Ceremony, Competition, Round, Screen, Stage
from league.ranking.standings.queries.standings import standings_of
from league.ranking.teams.queries import team_standings


def screen_version(access: Access, screen: Screen, ceremony: Ceremony | None) -> str:
    """Return the version of the screen's page: of what visitors see, of the screen, of the ceremony, and of
    the tables if it shows them. Queries: at most 2.
    """
    competition = access.competition
    numbers = [f"r{competition.revision}", screen.version]
    if ceremony is not None:  # its places follow from results that are not published
        numbers += [f"v{competition.version}", ceremony.pk, ceremony.revealed]
    elif screen.shows in (Screen.Shows.TABLES, Screen.Shows.STREAM):
        numbers.append(live_version(screen_rounds(live_rounds(access), screen)))
    return " ".join(map(str, numbers))


def screen_rounds(rounds: Sequence[Round], screen: Screen) -> list[Round]:
    wanted = screen.division_id
    return [round_ for round_ in rounds if wanted is None or round_.stage.division_id == wanted]


def ceremony_of(competition: Competition) -> Ceremony | None:
    """Return the ceremony that is on. One query."""
    related = "stage__division__rule_set"
    found = Ceremony.objects.filter(competition=competition).select_related(related).first()
    if found:
        found.competition = found.stage.division.competition = competition
    return found


def ceremony_steps(stage: Stage, *, places: int) -> list[list[Any]]:
    """Return the lines of the standings that each press reveals, with all results, published or not.

    Tied lines share a place and a step. All below the first `places`, and those without a rank, are revealed
    by the first press, if there are any.
    """
    competition = stage.competition
    if competition.crowns_teams and stage.counts_for_teams:
        lines: Sequence[Any] = team_standings(stage, public=False).rows
    else:
        lines = standings_of([stage], public=False)[stage.pk].rows
    played = [line for line in lines if line.row.games]
    ranked = [line for line in played if _rank(line) is not None]
    by_place = [(rank, list(group)) for rank, group in groupby(ranked, key=_rank)]
    first = [group for rank, group in by_place if (rank or 0) <= places]
    named = sum(map(len, first))
    rest = [*ranked[named:], *(line for line in played if _rank(line) is None)]
    return [*([rest] if rest else []), *reversed(first)]


def _rank(line: Any) -> int | None:
    found: int | None = getattr(line.row, "shown_rank", line.row.rank)
    return found


def hidden_results(stage: Stage) -> list[Round]:
    """Return the rounds of the stage whose results visitors do not see yet. One query."""
    found = Round.objects.filter(stage=stage, tables__sheets__is_current=True)
    return list(found.exclude(visibility=Round.Visibility.RESULTS).distinct().order_by("number"))
