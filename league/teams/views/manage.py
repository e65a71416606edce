"""The organizer's work on teams: made, named, filled with players."""

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.forms import attempt
from league.core.pages import SignedIn, context, press, sent, takes
from league.models import Role, Team
from league.people.queries import PlayerInfo, candidates
from league.teams.forms import EditTeamForm, PasteTeamsForm, TeamForm
from league.teams.queries.teams import teams_of
from league.teams.services.teams import add_team, paste_members, remove_team, update_team

UNPROCESSABLE = 422


# --- all teams


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team in the organizer's list."""

    team: Team
    members: list[PlayerInfo]
    captains: list[str]


@require_http_methods(["GET", "HEAD", "POST"])
def manage_teams(request: SignedIn, slug: str) -> HttpResponse:
    """Every team with members and captains; a new team."""
    access = enter(request.user, slug, Can.ORGANIZE)
    form = TeamForm(sent(request))
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: add_team(
                competition=access.competition,
                name=form.cleaned_data["name"],
                by=access.by,
                form=form.submission("team", access.competition.pk),
            ),
        )
        if done:
            messages.success(request, _("%(name)s is there.") % {"name": form.cleaned_data["name"]})
            return redirect("teams:manage", slug)
    rows, without = _rows(access)
    page = context(access) | {"form": form, "rows": rows, "without": without}
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "teams/manage.html", page, status=status)


def _rows(access: Access) -> tuple[list[TeamRow], list[PlayerInfo]]:
    """The teams, and who is in none and plays; in four queries."""
    people = candidates(access.competition)
    team_of = dict(access.competition.entrants.values_list("player_id", "team_id"))
    captains: dict[int | None, list[str]] = {}
    roles = Role.objects.filter(competition=access.competition, kind=Role.Kind.CAPTAIN)
    for team, name in roles.order_by("pk").values_list("team_id", "user__username"):
        captains.setdefault(team, []).append(name)
    members: dict[int | None, list[PlayerInfo]] = {}
    for player, each in people.items():
        own: int | None = team_of.get(player)
        if own is not None or not each.withdrawn:
            members.setdefault(own, []).append(each.info)
    rows = [
        TeamRow(team, members.get(team.pk, []), captains.get(team.pk, []))
        for team in access.competition.teams.order_by("pk")
    ]
    return rows, members.get(None, [])


@require_http_methods(["GET", "HEAD", "POST"])
def teams_paste(request: SignedIn, slug: str) -> HttpResponse:
    """Members of many teams at once, as text."""
    access = enter(request.user, slug, Can.ORGANIZE)
    form = PasteTeamsForm(sent(request), people=candidates(access.competition))
    if request.method == "POST" and form.is_valid():
        found = form.cleaned_data["text"]
        done = attempt(
            form,
            lambda: paste_members(
                competition=access.competition,
                teams=found,
                by=access.by,
                form=form.submission("teams", access.competition.pk),
            ),
        )
        if done:
            said = ngettext(
                "%(count)s player is in a team.", "%(count)s players are in their teams.", len(found)
            )
            messages.success(request, said % {"count": len(found)})
            return redirect("teams:manage", slug)
    page = context(access) | {"form": form}
    return render(request, "teams/paste.html", page, status=UNPROCESSABLE if form.errors else 200)


# --- one team


@require_http_methods(["GET", "HEAD", "POST"])
def team_edit(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    """The team's name and who is in it."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.team(pk)
    people = candidates(access.competition)
    names = {team: info.name for team, info in teams_of(access.competition).items()}
    team_of = dict(access.competition.entrants.exclude(team=None).values_list("player_id", "team_id"))
    members = [player for player, team in team_of.items() if team == found.pk]
    form = EditTeamForm(
        sent(request),
        initial={"name": found.name},
        people=[each for player, each in people.items() if player in members or not each.withdrawn],
        teams={player: names[team] for player, team in team_of.items() if team is not None},
        members=members,
    )
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        done = attempt(
            form,
            lambda: update_team(
                team=found,
                name=typed["name"],
                players=typed["players"],
                mistake=form.mistake,
                by=access.by,
                form=form.submission("team", pk),
            ),
        )
        if done:
            messages.success(request, _("%(name)s is saved.") % {"name": typed["name"]})
            return redirect("teams:manage", slug)
    page = context(access) | {
        "team": found,
        "form": form,
        "empty": not members,
        "fresh_key": uuid.uuid4,  # called by the template: the button gets its own
    }
    return render(request, "teams/edit.html", page, status=UNPROCESSABLE if form.errors else 200)


@takes(Can.ORGANIZE)
def team_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.team(pk)
    return press(
        request,
        lambda form: remove_team(team=found, by=access.by, form=form),
        about=("remove team", pk),
        done=_("%(name)s is taken out.") % {"name": found.name},
        back=access.address("teams:manage"),
    )
