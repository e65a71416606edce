from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.counted import lists_penalties
from league.core.forms import ReinstateForm, RevokeForm
from league.core.pages import (
    Answer,
    Asked,
    Undo,
    draw_seed,
    for_public,
    number_in,
    page,
    page_before,
    posted,
    presses,
    reads,
    save,
    saves,
    takes,
    writes,
)
from league.core.stages import stages_of
from league.core.text import sentences
from league.models import Role, Round, Stage, Team
from league.people.members.queries import candidates, players_of
from league.play.bans.queries import banned_here
from league.ranking.standings.columns import MEMBER_PAGE
from league.ranking.standings.tables import LinesTable
from league.ranking.teams.forms import (
    DeadlineForm,
    EditTeamForm,
    LineUpForm,
    PasteTeamsForm,
    SeasonForm,
    SeatTeamsForm,
    TeamForm,
    TeamPenaltyForm,
    UnseatForm,
    describe_tables,
    most_tables,
)
from league.ranking.teams.queries import (
    is_late,
    is_seated,
    limits_of,
    line_up_states,
    line_ups_by_round,
    line_ups_of,
    members_by_team,
    round_tables,
    rounds_of_captain,
    rounds_to_unseat,
    rounds_without_teams,
    shares_of,
    stages_with,
    team_history,
    team_penalties,
    team_standings,
    team_tables,
    teams_of,
)
from league.ranking.teams.services import (
    add_team,
    log_team_penalty,
    name_players,
    paste_members,
    remove_team,
    revoke_team_penalty,
    seat_from_line_ups,
    seat_season,
    seat_teams,
    set_deadline,
    unseat_season,
    update_team,
)
from scoring.teams import propose_tables, seats_by_team, share_of

# --- one team


@public_page()
def team(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    public = for_public(request, access)
    team = access.team(pk)
    every = [choice.stage for choice in stages_of(access.competition, public=public)]
    lists = lists_penalties(access.competition, public=public)
    # Everyone sees the same here. Captains have pages of their own.
    inside = access.can_organize and not public
    records = [
        _record(request, team, stage, every, public=public, inside=inside) for stage in reversed(every)
    ]
    return page(
        request,
        access,
        "teams/team.html",
        team=team,
        own=access.own_team() == team,
        records=[record for record in records if record],
        several_divisions=len({stage.division_id for stage in every}) > 1,
        penalties=team_penalties(team, stages=every) if lists else [],
    )


class MembersTable(LinesTable):
    class Meta:
        empty_text = gettext_lazy("No players yet")

    all_columns = MEMBER_PAGE
    css = "align-middle table-sticky standings"
    sortable = False
    caption = gettext_lazy("Players")


def _record(
    request: HttpRequest, team: Team, stage: Stage, every: Sequence[Stage], *, public: bool, inside: bool
) -> dict[str, Any] | None:
    ranked = team_standings(stage, public=public, every=every)
    line = next((line for line in ranked.rows if line.team.pk == team.pk), None)
    if line is None:
        return None
    least, most = limits_of(stage, every)
    members = [
        replace(member, share=share_of(member.row.games, least=least if member.here else None, most=most))
        for member in line.members
    ]
    return {
        "stage": stage,
        "line": line,
        "of": len(ranked.rows),
        "members": MembersTable(members, request=request, slug=team.competition.slug),
        "least": least,
        "most": most,
        "line_ups": line_ups_by_round(team, stage, public=not inside),
    }


@saves(
    Can.APPROVE,
    "teams/penalty_new.html",
    done=gettext_lazy("Penalty logged. It counts for the team at once."),
)
def penalty_new(request: HttpRequest, access: Access, pk: int) -> Asked:
    team = access.team(pk)
    stages = stages_with(team, access.stages().filter(counts_for_teams=True))
    return Asked(
        partial(log_team_penalty, team=team),
        TeamPenaltyForm(posted(request), stages=stages),
        then=access.address("teams:team", pk),
        team=team,
    )


@saves(
    Can.APPROVE,
    "teams/penalty_revoke.html",
    done=gettext_lazy("Penalty revoked. It stays on record but no longer counts."),
)
def penalty_revoke(request: HttpRequest, access: Access, pk: int) -> Asked:
    penalty = access.team_penalty(pk)
    return Asked(
        partial(revoke_team_penalty, penalty=penalty),
        RevokeForm(posted(request)),
        then=access.address("teams:team", penalty.team_id),
        penalty=penalty,
        team=penalty.team,
    )


# --- teams and their members


@saves(Can.ORGANIZE, "teams/manage.html", done=gettext_lazy("%(name)s created."))
def manage(request: HttpRequest, access: Access) -> Asked:
    captains = Role.objects.filter(kind=Role.Kind.CAPTAIN).select_related("user").order_by("pk")
    members = members_by_team(access.competition)
    without = members.pop(None, [])
    teams = access.competition.teams.order_by("pk").prefetch_related(Prefetch("captains", captains))
    return Asked(
        partial(add_team, competition=access.competition),
        TeamForm(posted(request)),
        then=access.address("teams:manage"),
        rows=[(team, members.get(team.pk, ())) for team in teams],
        without=without,
    )


@saves(Can.ORGANIZE, "teams/paste.html")
def paste(request: HttpRequest, access: Access) -> Asked:
    form = PasteTeamsForm(posted(request), people=candidates(access.competition))

    def done(answer: Answer) -> str:
        count = len(form.cleaned_data["teams"])
        return ngettext(
            "%(count)s player assigned to a team.", "%(count)s players assigned to teams.", count
        ) % {"count": count}

    return Asked(
        partial(paste_members, competition=access.competition),
        form,
        done=done,
        then=access.address("teams:manage"),
    )


@saves(Can.ORGANIZE, "teams/edit.html", done=gettext_lazy("%(name)s saved."))
def edit(request: HttpRequest, access: Access, pk: int) -> Asked:
    team = access.team(pk)
    form = EditTeamForm(posted(request), team=team)
    return Asked(partial(update_team, team=team), form, then=access.address("teams:manage"), team=team)


@presses(Can.ORGANIZE, done=gettext_lazy("%(name)s removed."))
def remove(request: HttpRequest, access: Access, pk: int) -> Asked:
    team = access.team(pk)
    return Asked(partial(remove_team, team=team), then=access.address("teams:manage"), name=team.name)


# --- teams at the tables of a round


@writes(Can.ORGANIZE)
def round_teams(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    round_ = access.round(pk)
    form = _seat_form(request, round_, posted(request))
    return save(
        request,
        form,
        lambda sent: seat_teams(round_=round_, **form.values(), by=access.by, form=sent),
        about=("round teams", pk),
        done=lambda _answer: (
            _("Teams seated. Captains can now choose their line-ups.")
            if form.values()["tables"]
            else _("This round no longer has teams at its tables.")
        ),
        then=access.address("teams:round", pk),
    ) or _round_page(request, access, round_, form)


@saves(Can.ORGANIZE, "teams/season.html")
def season(request: HttpRequest, access: Access, pk: int) -> Asked:
    stage, teams = access.stage(pk), access.competition.teams.count()
    seated = rounds_to_unseat(stage)
    return Asked(
        partial(seat_season, stage=stage, seed=draw_seed()),
        SeasonForm(posted(request), teams=teams),
        done=_describe_season,
        then=access.address("calendar:calendar"),
        undo=partial(_undo_season, access.address("teams:unseat", pk)),
        stage=stage,
        rounds=rounds_without_teams(stage),
        teams=teams,
        meaning=describe_tables(most_tables(teams), teams),
        seated=seated,
        seated_ids=",".join(str(each.pk) for each in seated),
    )


def _undo_season(address: str, answer: Answer) -> Undo | None:
    if not answer["seated"]:
        return None
    rounds = ",".join(map(str, answer["seated"]))
    return Undo(address, {"rounds": rounds, "deadlines": "on" if answer["deadlines"] else ""})


def _describe_unseating(answer: Answer) -> str:
    rounds = answer["rounds"]
    said = ngettext("Teams removed from %(rounds)s round.", "Teams removed from %(rounds)s rounds.", rounds)
    return said % {"rounds": rounds}


@presses(Can.ORGANIZE, done=_describe_unseating)
def unseat(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(
        partial(unseat_season, stage=access.stage(pk)),
        UnseatForm(request.POST),
        then=page_before(request, access.address("teams:season", pk)),
    )


def _describe_season(answer: Answer) -> str:
    words = {
        "rounds": _("Teams seated in %(rounds)s rounds. Two teams meet %(least)s to %(most)s times."),
        "deadlines": _("Rounds with a line-up deadline: %(deadlines)s."),
    }
    return sentences(sentence % answer for fact, sentence in words.items() if answer[fact])


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("teams:round", pk))
def deadline(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    round_ = access.round(pk)
    form = DeadlineForm(request.POST, round_=round_)
    return save(
        request,
        form,
        lambda sent: set_deadline(round_=round_, **form.values(), by=access.by, form=sent),
        about=("deadline", pk),
        done=_("Deadline saved."),
        then=access.address("teams:round", pk),
    ) or _round_page(request, access, round_, _seat_form(request, round_), deadline=form)


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("teams:round", pk))
def seat_line_ups(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    round_ = access.round(pk)
    form = ReinstateForm(request.POST)
    if answer := save(
        request,
        form,
        lambda sent: seat_from_line_ups(round_=round_, **form.values(), by=access.by, form=sent),
        about=("seat line-ups", pk),
        done=_("Players seated according to the line-ups."),
        then=access.address("teams:round", pk),
    ):
        return answer
    if form.non_field_errors():
        messages.error(request, sentences(form.non_field_errors()))
    return _round_page(request, access, round_, _seat_form(request, round_), despite=form)


def _seat_form(request: HttpRequest, round_: Round, data: QueryDict | None = None) -> SeatTeamsForm:
    """Return a form of the present tables, or of a proposal with `?draw=`. `?tables=` sets their number."""
    teams = teams_of(round_.competition)
    most = most_tables(len(teams))
    asked, seed = number_in(request.GET, "tables"), number_in(request.GET, "draw")
    count = most if asked is None else min(max(asked, 1), most)
    there = now = team_tables(round_)
    if seed is not None:
        there = propose_tables(list(teams), team_history(round_), tables=count, seed=seed)
    numbers = range(1, count + 1) if seed is not None or not there else sorted(there)
    return SeatTeamsForm(data, teams=teams.values(), numbers=numbers, prefilled=there, seated=bool(now))


def _round_page(
    request: HttpRequest,
    access: Access,
    round_: Round,
    form: SeatTeamsForm,
    *,
    deadline: DeadlineForm | None = None,
    despite: ReinstateForm | None = None,
) -> HttpResponse:
    states, tables = line_up_states(round_), round_tables(round_)
    teams = access.competition.teams.count()
    named = [seat.named.player for table in tables for seat in table.seats if seat.named]
    bans = banned_here(access.competition, named, on=round_.date)
    return page(
        request,
        access,
        "teams/round.html",
        round=round_,
        form=form,
        drawn="draw" in request.GET,
        seed=draw_seed(),
        table_counts=[(count, describe_tables(count, teams)) for count in range(most_tables(teams), 0, -1)],
        deadline=deadline or DeadlineForm(round_=round_),
        states=states,
        missing=[state for state in states if state.missing],
        tables=tables,
        is_seated=bool(named) and is_seated(round_),
        as_named=all(table.as_named for table in tables),
        late=is_late(round_, now=timezone.now()),
        bans=list(bans.values()),
        despite=despite or ReinstateForm(),
    )


# --- captains


@reads()
def line_ups(request: HttpRequest, access: Access) -> HttpResponse:
    team = access.own_team()
    if team is None and not access.can_organize:
        raise PermissionDenied
    rounds = rounds_of_captain(team.pk, now=timezone.now()) if team else []
    return page(request, access, "teams/line_ups.html", team=team, rounds=rounds)


@writes(Can.VIEW)
def line_up(request: HttpRequest, access: Access, pk: int, team: int) -> HttpResponse:
    round_, own_team = access.team_round(pk, team)
    tables = team_tables(round_)
    numbers = [table for table, _wind in seats_by_team(tables)[own_team.pk]]
    late = is_late(round_, now=timezone.now())
    shares = shares_of(own_team, round_.stage, but=round_)
    named = line_ups_of(round_).get(own_team.pk, [])
    reason = late and access.can_organize
    form = LineUpForm(posted(request), tables=numbers, named=named, shares=shares, reason=reason)
    own = access.own_team() == own_team
    if answer := save(
        request,
        form,
        lambda sent: name_players(
            team=own_team,
            round_=round_,
            **form.values(),
            organizes=access.can_organize,
            by=access.by,
            form=sent,
        ),
        about=("line-up", pk, team),
        done=_("Line-up saved."),
        then=access.address("teams:line_ups") if own else access.address("teams:round", pk),
    ):
        return answer
    people, teams = players_of(access.competition), teams_of(access.competition)
    return page(
        request,
        access,
        "teams/line_up.html",
        round=round_,
        team=own_team,
        form=form,
        may=access.can_organize or not late,
        shares=shares,
        named=[(number, people[player]) for number, player in zip(numbers, named, strict=False)],
        opponents=[(n, [teams[each] for each in tables[n] if each != own_team.pk]) for n in numbers],
        own=own,
    )
