"""Teams as everybody reads them: standings, one team with its players, and the penalties of teams."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.caching import public_page
from league.core.counted import lists_penalties
from league.core.forms import RevokeForm, attempt
from league.core.pages import AUDIENCES, SignedIn, context, context_of, for_public, sent
from league.core.stages import chosen_stage, division_choices, stage_before, stages_of
from league.models import Stage, Team
from league.people.queries import PlayerInfo
from league.rounds.queries import unpublished_rounds
from league.stages.panels import team_story_context
from league.stages.queries import draws_of, team_story_of
from league.standings.columns import MEMBER_PAGE, TEAM_PAGE
from league.standings.queries.standings import Standings, standings_of
from league.standings.tables import LinesTable, StandingsTable
from league.teams.forms import TeamPenaltyForm
from league.teams.queries.teams import (
    TeamLine,
    shown_line_ups,
    team_penalties,
    team_standings,
    teams_of,
    visible_stages,
)
from league.teams.services.teams import log_team_penalty, revoke_team_penalty
from scoring.standings import LOTS, Row
from scoring.teams import Share, awards, share_of
from scoring.units import Score

UNPROCESSABLE = 422
AWARDS = {
    "score": gettext_lazy("Individual score"),
    "best_points": gettext_lazy("Highest points"),
    "avoidance": gettext_lazy("Avoiding the last place"),
    "tops": gettext_lazy("Most first places"),
}


# --- standings


@public_page(view=AUDIENCES)
def teams(
    request: HttpRequest, access: Access, division: str | None = None, stage: str | None = None
) -> HttpResponse:
    """The team standings of one stage; of the newest with results when the address names none."""
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    shown = chosen_stage(choices, division, stage)
    page = context_of(request, access, choices=choices, stage=shown)
    if shown is None:
        return render(request, "teams/standings.html", page)
    every = [choice.stage for choice in choices]
    ranked = team_standings(shown, public=public, every=every)
    players = standings_of([shown], public=public, every=every)[shown.pk]
    table = TeamsTable(ranked.rows, slug=access.competition.slug)
    page |= {
        "ranked": ranked,
        "table": table,
        "awards": _awards(access, shown, every, players),
        "divisions": division_choices(choices),
        "stages": [each for each in every if each.division_id == shown.division_id],
        "imbalance": shown.division.rules.imbalance,
        "hidden": unpublished_rounds(shown) if access.is_staff else 0,
        "lots": draws_of(shown, teams_of(access.competition), of_teams=True) if LOTS in table.decided else (),
        **team_story_context(team_story_of(shown, stage_before(shown, every))),
    }
    return render(request, "teams/standings.html", page)


class TeamsTable(StandingsTable):
    """One stage's ranking of teams."""

    class Meta(StandingsTable.Meta):  # tables2 looks at a class's own Meta only
        orderable = False

    all_columns = TEAM_PAGE
    caption = gettext_lazy("Teams")


@dataclass(frozen=True, slots=True)
class AwardLine:
    """An award in words; the value is a score in tenths, points, a share, or a number, by ``name``."""

    name: str
    label: str
    players: Sequence[PlayerInfo]
    value: Score


def _awards(access: Access, stage: Stage, every: Sequence[Stage], ranked: Standings) -> list[AwardLine]:
    """Who would get the awards of M.League; in the regular season only who has the least hanchan."""
    least, _most = _limits(access, stage, every)
    people = {line.player.player: line.player for line in ranked.rows}
    found = awards([line.row for line in ranked.rows], least=least or 0)
    return [
        AwardLine(each.name, str(AWARDS[each.name]), [people[player] for player in each.players], each.value)
        for each in found
    ]


def _limits(access: Access, stage: Stage, every: Sequence[Stage]) -> tuple[int | None, int | None]:
    """The least and most hanchan of a player in this stage: only the regular season has them."""
    if stage_before(stage, every) is not None:
        return None, None
    return access.competition.least_hanchan, access.competition.most_hanchan


# --- one team


@dataclass(frozen=True, slots=True)
class MemberView:
    """A line of the team's players; ``share``: what the limits of hanchan make of it."""

    player: PlayerInfo
    row: Row
    here: bool
    share: Share


class MembersTable(LinesTable):
    """The players of a team in one stage."""

    class Meta:
        attrs = {"class": "table align-middle table-sticky standings"}
        orderable = False
        empty_text = gettext_lazy("No players yet")

    all_columns = MEMBER_PAGE
    caption = gettext_lazy("Players")


@public_page(view=AUDIENCES)
def team(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """One team: its players in each stage, its line-ups as far as they are published, its penalties."""
    public = for_public(request, access)
    found = access.team(pk)
    choices = stages_of(access.competition, public=public)
    every = [choice.stage for choice in choices]
    lists = lists_penalties(access.competition, public=public)
    penalties = team_penalties(access.competition, team=found, stages=visible_stages(choices))
    page = context_of(
        request,
        access,
        team=found,
        own=access.own_team() == found,
        records=[
            record for stage in reversed(every) if (record := _record(access, found, stage, every, public))
        ],
        several_divisions=len({stage.division_id for stage in every}) > 1,
        penalties=penalties if lists else [],
    )
    return render(request, "teams/team.html", page)


@dataclass(frozen=True, slots=True)
class Record:
    """A team in one stage."""

    stage: Stage
    line: TeamLine
    of: int
    members: MembersTable
    least: int | None
    most: int | None
    line_ups: list[object]


def _record(access: Access, found: Team, stage: Stage, every: Sequence[Stage], public: bool) -> Record | None:
    ranked = team_standings(stage, public=public, every=every)
    line = next((line for line in ranked.rows if line.team.pk == found.pk), None)
    if line is None:
        return None
    least, most = _limits(access, stage, every)
    members = [
        MemberView(
            each.player,
            each.row,
            each.here,
            share_of(each.row.games, least=least if each.here else None, most=most),
        )
        for each in line.members
    ]
    table = MembersTable(members, slug=access.competition.slug)
    # A captain sees their own line-ups on their own pages: here everybody sees the same.
    inside = access.can_organize and not public
    shown = shown_line_ups(found, stage, public=not inside)
    return Record(stage, line, len(ranked.rows), table, least, most, list(shown))


# --- penalties of teams


@require_http_methods(["GET", "HEAD", "POST"])
def team_penalty_new(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.APPROVE)
    found = access.team(pk)
    stages = list(access.stages())
    form = TeamPenaltyForm(sent(request), stages=stages, initial=_newest(stages))
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        stage = next(each for each in stages if each.pk == typed["stage"])
        done = attempt(
            form,
            lambda: log_team_penalty(
                team=found,
                stage=stage,
                score=typed["score"],
                reason=typed["reason"],
                by=access.by,
                form=form.submission("team penalty", found.pk),
            ),
        )
        if done:
            messages.success(request, _("The penalty is logged: it counts for the team at once."))
            return redirect("teams:team", slug, found.pk)
    page = context(access) | {"team": found, "form": form}
    return render(request, "teams/penalty_new.html", page, status=UNPROCESSABLE if form.errors else 200)


def _newest(stages: Sequence[Stage]) -> dict[str, object]:
    return {"stage": stages[-1].pk} if stages else {}


@require_http_methods(["GET", "HEAD", "POST"])
def team_penalty_revoke(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.APPROVE)
    penalty = access.team_penalty(pk)
    form = RevokeForm(sent(request))
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: revoke_team_penalty(
                penalty=penalty,
                reason=form.cleaned_data["reason"],
                by=access.by,
                form=form.submission("team penalty", pk),
            ),
        )
        if done:
            messages.success(request, _("The penalty is revoked. It stays on record and counts no more."))
            return redirect("teams:team", slug, penalty.team_id)
    page = context(access) | {"penalty": penalty, "team": penalty.team, "form": form}
    return render(request, "teams/penalty_revoke.html", page, status=UNPROCESSABLE if form.errors else 200)
