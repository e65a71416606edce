"""Who plays for a team in a round: the organizer seats teams, captains name players, then players sit."""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.bans.queries import banned_here
from league.core.access import Access, Can, enter
from league.core.forms import ReinstateForm, attempt
from league.core.pages import SEEDS, SignedIn, context, sent
from league.core.rounds import seating
from league.models import Round, TeamSeat
from league.people.queries import TeamInfo, players_of
from league.teams.forms import MOST_TABLES, DeadlineForm, LineUpForm, SeatTeamsForm
from league.teams.queries.teams import (
    is_late,
    is_seated,
    line_up_states,
    line_ups_of,
    rounds_of_captain,
    shares_of,
    team_tables,
    teams_of,
)
from league.teams.services.teams import name_players, seat_from_line_ups, seat_teams, set_deadline
from scoring.teams import fill_tables, propose_tables, seats_by_team

UNPROCESSABLE = 422


# --- the organizer


@require_http_methods(["GET", "HEAD", "POST"])
def round_teams(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    """Which teams sit at which tables of a round, what their captains have named, and what is missing."""
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    form = _seat_form(request, access, round_)
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: seat_teams(
                round_=round_, tables=form.seated(), by=access.by, form=form.submission("round teams", pk)
            ),
        )
        if done:
            messages.success(request, _("The teams are seated: their captains can name who plays."))
            return redirect("teams:round", slug, pk)
    return _round_page(request, access, round_, form=form, status=UNPROCESSABLE if form.errors else 200)


def _seat_form(request: HttpRequest, access: Access, round_: Round) -> SeatTeamsForm:
    """The tables as they are; with ``?draw=`` a proposal; as many as are asked for, or fit."""
    teams = teams_of(access.competition)
    there = team_tables(round_)
    most = max(1, min(len(teams) // 4, MOST_TABLES))
    asked = request.GET.get("tables", "")
    count = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else most
    numbers = sorted(there) or list(range(1, min(max(count, 1), most) + 1))
    prefilled = there
    draw = request.GET.get("draw", "")
    if draw.isascii() and draw.isdecimal() and len(draw) < 10:
        numbers = list(range(1, min(max(count, 1), most) + 1))
        prefilled = propose_tables(list(teams), _history(round_), tables=len(numbers), seed=int(draw))
    return SeatTeamsForm(sent(request), teams=teams.values(), numbers=numbers, prefilled=prefilled)


def _history(round_: Round) -> list[list[int]]:
    """The teams' tables of the other rounds of the stage, oldest first; one query."""
    seats = TeamSeat.objects.filter(round__stage=round_.stage_id).exclude(round=round_)
    found: dict[tuple[int, int], list[int]] = {}
    for number, table, team in seats.order_by("round__number", "table", "wind").values_list(
        "round__number", "table", "team_id"
    ):
        found.setdefault((number, table), []).append(team)
    return [four for four in found.values() if len(four) == 4]


@dataclass(frozen=True, slots=True)
class TeamTable:
    """A table of the round: for each wind the team, whom it named, and who sits there now."""

    number: int
    seats: list[tuple[int, TeamInfo, str, str]]


def _round_page(
    request: HttpRequest,
    access: Access,
    round_: Round,
    *,
    form: SeatTeamsForm,
    deadline: DeadlineForm | None = None,
    despite: ReinstateForm | None = None,
    status: int = 200,
) -> HttpResponse:
    states = line_up_states(round_)
    tables = team_tables(round_)
    filled = fill_tables(tables, line_ups_of(round_))
    seated = seating(round_)
    named = [player for four in filled.values() for player in four if player is not None]
    bans = banned_here(access.competition, named, on=round_.date)
    most = max(1, min(access.competition.teams.count() // 4, MOST_TABLES))
    page = context(access) | {
        "round": round_,
        "form": form,
        "drawn": "draw" in request.GET,
        "seed": secrets.randbelow(SEEDS),
        "table_counts": range(1, most + 1),
        "deadline": deadline or DeadlineForm(competition=access.competition, until=round_.line_ups_until),
        "states": states,
        "missing": [state for state in states if state.missing],
        "tables": _tables(access, tables, filled, seated),
        "is_seated": bool(named) and is_seated(round_),
        "as_named": all(seated.get(table) == four for table, four in filled.items()),
        "late": is_late(round_, now=timezone.now()),
        "bans": list(bans.values()),
        "despite": despite or ReinstateForm(),
        "fresh_key": uuid.uuid4,  # called by the template: every button's form has a key of its own
    }
    return render(request, "teams/round.html", page, status=status)


def _tables(
    access: Access,
    tables: dict[int, list[int]],
    filled: dict[int, list[int | None]],
    seated: dict[int, list[int]],
) -> list[TeamTable]:
    people, teams = players_of(access.competition), teams_of(access.competition)

    def name(players: Sequence[int | None], wind: int) -> str:
        player = players[wind] if wind < len(players) else None
        return people[player].name if player in people else ""

    return [
        TeamTable(
            number,
            [
                (wind, teams[team], name(filled[number], wind), name(seated.get(number, ()), wind))
                for wind, team in enumerate(four)
            ],
        )
        for number, four in tables.items()
    ]


@require_POST
def round_deadline(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    form = DeadlineForm(request.POST, competition=access.competition)
    if form.is_valid() and attempt(
        form,
        lambda: set_deadline(
            round_=round_,
            until=form.cleaned_data["until"],
            by=access.by,
            form=form.submission("deadline", pk),
        ),
    ):
        messages.success(request, _("The deadline is saved."))
        return redirect("teams:round", slug, pk)
    seats = SeatTeamsForm(teams=teams_of(access.competition).values(), numbers=[], prefilled={})
    return _round_page(request, access, round_, form=seats, deadline=form, status=UNPROCESSABLE)


@require_POST
def round_line_ups_seat(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    """The players whom the teams named sit down."""
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    form = ReinstateForm(request.POST)
    if form.is_valid() and attempt(
        form,
        lambda: seat_from_line_ups(
            round_=round_, despite=form.in_spite, by=access.by, form=form.submission("seat line-ups", pk)
        ),
    ):
        messages.success(request, _("The players are seated as their teams named them."))
        return redirect("teams:round", slug, pk)
    if form.non_field_errors():
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    seats = _seat_form(_as_get(request), access, round_)
    return _round_page(request, access, round_, form=seats, despite=form, status=UNPROCESSABLE)


def _as_get(request: SignedIn) -> HttpRequest:
    """The same request for forms that were not sent with it."""
    plain = HttpRequest()
    plain.method, plain.GET = "GET", request.GET
    return plain


# --- captains


@never_cache
@require_safe
def line_ups(request: SignedIn, slug: str) -> HttpResponse:
    """The rounds of the captain's team, newest first: what is to be named, until when."""
    access = enter(request.user, slug)
    team = access.own_team()
    if team is None and not access.can_organize:
        raise PermissionDenied
    rounds = rounds_of_captain(team, now=timezone.now()) if team else []
    page = context(access) | {"team": team, "rounds": rounds}
    return render(request, "teams/line_ups.html", page)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def line_up(request: SignedIn, slug: str, pk: int, team: int) -> HttpResponse:
    """Who plays for the team in the round: its captain says, before the deadline; the organizer always."""
    access = enter(request.user, slug)
    round_, found = access.team_round(pk, team)
    tables = team_tables(round_)
    numbers = [table for table, _wind in seats_by_team(tables)[found.pk]]
    late = is_late(round_, now=timezone.now())
    may = access.can_organize or not late
    shares = shares_of(found, round_.stage, but=round_)
    named = line_ups_of(round_).get(found.pk, [])
    form = LineUpForm(
        sent(request), tables=numbers, named=named, shares=shares, late=late and access.can_organize
    )
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: name_players(
                team=found,
                round_=round_,
                players=form.players,
                reason=form.cleaned_data.get("reason", ""),
                organizes=access.can_organize,
                by=access.by,
                form=form.submission("line-up", pk, team),
            ),
        )
        if done:
            messages.success(request, _("The line-up is saved."))
            back = ("teams:line_ups", slug) if access.own_team() == found else ("teams:round", slug, pk)
            return redirect(*back)
    people, teams = players_of(access.competition), teams_of(access.competition)
    page = context(access) | {
        "round": round_,
        "team": found,
        "form": form,
        "late": late,
        "may": may,
        "shares": shares,
        "named": [(number, people[player]) for number, player in zip(numbers, named, strict=False)],
        "opponents": [(n, [teams[each] for each in tables[n] if each != found.pk]) for n in numbers],
        "own": access.own_team() == found,
    }
    return render(request, "teams/line_up.html", page, status=UNPROCESSABLE if form.errors else 200)
