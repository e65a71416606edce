"""The calendar of a season: what everybody reads, what organizers plan, when tables meet, and the feeds."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Access, Can, enter, enter_by_feed_key
from league.exports.ics import CONTENT_TYPE, Reader, calendar_feed
from league.forms.base import KeyedForm, attempt
from league.forms.calendar import (
    AnswerForm,
    AppointmentForm,
    DatesForm,
    FeedForm,
    PlanForm,
    PostponeForm,
    TimeForm,
)
from league.models import Appointment, Division, Role, Round, Table
from league.queries import stages_of
from league.queries.calendar import (
    Calendar,
    Proposal,
    TableTimes,
    calendar_of,
    calendar_of_player,
    hanchan_minutes,
    months_of,
    split_months,
    tables_of_player,
    times_of,
    to_make_up,
    zone_of,
)
from league.queries.free_play import free_days, linked_players
from league.queries.referee import rules_at
from league.services.calendar import (
    agree,
    plan_matchdays,
    postpone,
    propose_time,
    renew_feed_key,
    restore,
    set_dates,
    set_time,
    take_back,
)
from league.views.caching import answer, competition_page, facts_of, is_plain
from league.views.pages import sent, today
from league.views.public import context_of, for_public
from players.models import Player

UNPROCESSABLE = 422
WHEN = frozenset({"past"})
LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)
MONTHS_A_PAGE = 24  # of what is past
SET_IDS, POSTPONE_IDS = "set_%s", "postpone_%s"  # several forms on one page


# --- the page


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What is coming by month, or what is past. It depends on the day on which it is read, too."""
    access = enter(request.user, slug)
    now = today(access.competition)
    may_keep = is_plain(request, {"when": WHEN, "view": frozenset({"public"})})
    return answer(
        request, (*facts_of(access), now), lambda: _calendar_page(request, access, now), may_keep=may_keep
    )


def _calendar_page(request: HttpRequest, access: Access, now: date) -> HttpResponse:
    public = for_public(request, access)
    competition = access.competition
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    divisions = [found for found, _same in groupby(stage.division for stage in stages)]
    division = _chosen(divisions, request.GET.get("division", ""))
    found = calendar_of(competition, public=public)
    if division is not None:
        found = found.of_division(division.pk)
        stages = [stage for stage in stages if stage.division_id == division.pk]
    months = months_of(found, free_days(competition, stages, public=public), competition)
    past, coming = split_months(months, now)
    is_past = request.GET.get("when") == "past"
    context = context_of(
        request,
        access,
        months=past[:MONTHS_A_PAGE] if is_past else coming,
        is_past=is_past,
        has_past=bool(past),
        has_coming=bool(coming),
        divisions=divisions,
        division=division,
        several_divisions=len(divisions) > 1 and division is None,
        today=now,
        plans=[stage for stage in stages if stage.play == "rounds"],
        free=[stage for stage in stages if stage.play == "free"],
    )
    return render(request, "calendar/calendar.html", context)


def _chosen(divisions: Sequence[Division], slug: str) -> Division | None:
    if not slug:
        return None
    found = next((division for division in divisions if division.slug == slug), None)
    if found is None:
        raise Http404
    return found


# --- planning


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def matchdays(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Many planned rounds at once."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = get_object_or_404(access.stages(), pk=stage)
    form = PlanForm(sent(request), initial={"first": today(access.competition)})
    if request.method == "POST" and form.is_valid():
        days, hanchan = form.days(), form.cleaned_data["hanchan"]
        if attempt(
            form,
            lambda: plan_matchdays(
                stage=found, days=days, hanchan=hanchan, by=access.by, form=form.submission(found.pk)
            ),
        ):
            planned = len(days) * hanchan
            sentence = ngettext(
                "%(count)s round is planned: it stands in the calendar.",
                "%(count)s rounds are planned: they stand in the calendar.",
                planned,
            )
            messages.success(request, sentence % {"count": planned})
            return redirect("calendar", slug)
    context = context_of(request, access, form=form, stage=found)
    return render(request, "calendar/matchdays.html", context, status=_status(form))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def round_dates(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Another day or window for a round, or for its whole matchday."""
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    same = _matchday_of(access, round_)
    form = DatesForm(sent(request), initial={"date": round_.date, "until": round_.until, "together": True})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        moved = same if typed["together"] else [round_]
        if attempt(
            form,
            lambda: set_dates(
                rounds=moved,
                first=typed["date"],
                until=typed["until"],
                reason=typed["reason"],
                by=access.by,
                form=form.submission(round_.pk),
            ),
        ):
            messages.success(request, _("The day is changed."))
            return redirect("calendar", slug)
    context = context_of(request, access, form=form, round=round_, same=same)
    return render(request, "calendar/dates.html", context, status=_status(form))


def _matchday_of(access: Access, round_: Round) -> list[Round]:
    """The rounds of the same stage with the same dates, by number; without a day the round alone."""
    if round_.date is None:
        return [round_]
    same = access.rounds().filter(stage=round_.stage_id, date=round_.date, until=round_.until)
    return list(same.order_by("number"))


def _status(form: KeyedForm) -> int:
    return UNPROCESSABLE if form.errors else 200


# --- the time of a table


@dataclass(frozen=True)
class TablePanel:
    """What a table's page shows of its time, and what this person may do about it.

    ``mine`` are the players of the table that this person is; ``answers_for`` all for whom they may answer.
    """

    times: TableTimes
    mine: frozenset[int]
    answers_for: frozenset[int]
    may_set: bool
    may_postpone: bool
    minutes: int

    @property
    def new_key(self) -> uuid.UUID:
        """A key for one more form."""
        return uuid.uuid4()

    @property
    def may_open(self) -> bool:
        """Is there anything that this person may do on the page of the time?"""
        return self.times.may_change and bool(self.answers_for or self.may_postpone)

    @property
    def may_restore(self) -> bool:
        return self.may_postpone and self.times.may_be_restored

    @property
    def may_propose(self) -> bool:
        return self.times.may_change and self.times.is_window and bool(self.answers_for)

    @property
    def lines(self) -> list["ProposalLine"]:
        return [ProposalLine.of(each, self) for each in self.times.proposals]


@dataclass(frozen=True)
class ProposalLine:
    """A proposal with the buttons that this person has: who may agree, and who may take it back."""

    proposal: Proposal
    may_agree: tuple[Player, ...]
    may_take_back: tuple[Player, ...]
    by_hand: bool  # the organizer answers for others

    @classmethod
    def of(cls, proposal: Proposal, panel: TablePanel) -> "ProposalLine":
        return cls(
            proposal,
            tuple(player for player in proposal.missing if player.pk in panel.answers_for),
            tuple(player for player in proposal.agreed if player.pk in panel.mine),
            panel.answers_for != panel.mine,
        )


def table_panel(access: Access, table: Table, *, sees_results: bool) -> TablePanel:
    times = times_of(table, sees_results=sees_results)
    seated = {player.pk for each in times.proposals[:1] for player in (*each.agreed, *each.missing)}
    if not seated:
        seated = set(table.seats.values_list("player_id", flat=True))
    mine = frozenset(linked_players(access.user.pk, access.competition) & seated)
    return TablePanel(
        times=times,
        mine=mine,
        answers_for=frozenset(seated) if access.can_organize else mine,
        may_set=access.can_organize and times.may_change,
        may_postpone=_may_postpone(access, bool(mine)) and not (times.has_sheet or times.is_free),
        minutes=hanchan_minutes(rules_at(table)),
    )


def _may_postpone(access: Access, plays_here: bool) -> bool:
    """Organizers, and referees who do not sit at the table."""
    return access.can_organize or (access.can_referee and not plays_here)


def _open_table(request: HttpRequest, slug: str, pk: int) -> tuple[Access, Table, TablePanel]:
    """The table for those who may say something of its time: its players, organizers and referees."""
    access = enter(request.user, slug)
    table = access.table(pk)
    panel = table_panel(access, table, sees_results=True)
    if not (panel.answers_for or access.can_referee):
        raise PermissionDenied
    return access, table, panel


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_time(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """All about when a table meets; sent, it proposes a time."""
    access, table, panel = _open_table(request, slug, pk)
    form = TimeForm(sent(request), zone=zone_of(access.competition))
    if request.method != "POST":
        return _time_page(request, access, panel, propose=form)
    if not panel.answers_for:
        raise PermissionDenied
    typed = form.cleaned_data if form.is_valid() else {}
    proposer = min(panel.mine, default=None)
    if typed and attempt(
        form,
        lambda: propose_time(
            table=table,
            meets_at=typed["meets_at"],
            place=typed["place"],
            player=proposer,
            by=access.by,
            form=form.submission("propose", table.pk),
        ),
    ):
        messages.success(request, _("The time is proposed. The others agree to it on this table’s page."))
        return redirect("table", slug, pk)
    return _time_page(request, access, panel, propose=form)


@never_cache
@require_POST
def table_set_time(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    table = access.table(pk)
    form = TimeForm(request.POST, zone=zone_of(access.competition), auto_id=SET_IDS)
    if form.is_valid() and attempt(
        form,
        lambda: set_time(
            table=table,
            meets_at=form.cleaned_data["meets_at"],
            place=form.cleaned_data["place"],
            by=access.by,
            form=form.submission("set", table.pk),
        ),
    ):
        messages.success(request, _("The time is set."))
        return redirect("table", slug, pk)
    return _time_page(request, access, table_panel(access, table, sees_results=True), chosen=form)


@never_cache
@require_POST
def table_postpone(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.REFEREE)
    table = access.table(pk)
    if not _may_postpone(access, access.sits_at(table)):
        raise PermissionDenied
    form = PostponeForm(request.POST, zone=zone_of(access.competition), auto_id=POSTPONE_IDS)
    if form.is_valid():
        tables = _to_postpone(table, whole_round=form.cleaned_data["whole_round"])
        if attempt(form, lambda: _postpone(access, table, tables, form)):
            sentence = ngettext(
                "%(count)s table is postponed.", "%(count)s tables are postponed.", len(tables)
            )
            messages.success(request, sentence % {"count": len(tables)})
            return redirect("table", slug, pk)
    panel = table_panel(access, table, sees_results=True)
    return _time_page(request, access, panel, postponing=form)


def _to_postpone(table: Table, *, whole_round: bool) -> list[Table]:
    """The table; with ``whole_round`` all tables of its round without a sheet, but those postponed before."""
    if not whole_round:
        return [table]
    same = Table.objects.filter(round=table.round_id).exclude(sheets__is_current=True)
    waiting = to_make_up(same).exclude(pk=table.pk).values("pk")
    related = "round__stage__division__competition"
    return list(same.exclude(pk__in=waiting).select_related(related).order_by("number")) or [table]


def _postpone(access: Access, table: Table, tables: Sequence[Table], form: PostponeForm) -> object:
    return postpone(
        tables=tables,
        reason=form.cleaned_data["reason"],
        meets_at=form.cleaned_data["meets_at"],
        place=form.cleaned_data["place"],
        by=access.by,
        form=form.submission("postpone", table.pk),
    )


@never_cache
@require_POST
def table_restore(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A postponement is taken back, by whoever may postpone."""
    access = enter(request.user, slug, Can.REFEREE)
    table = access.table(pk)
    if not _may_postpone(access, access.sits_at(table)):
        raise PermissionDenied
    form = AppointmentForm(request.POST)
    if not form.is_valid():
        return _out_of_date(request, slug, pk)
    appointment = _appointment(table, form)
    if attempt(
        form,
        lambda: restore(appointment=appointment, by=access.by, form=form.submission("restore", table.pk)),
    ):
        messages.success(request, _("The postponement is taken back."))
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return redirect("table", slug, pk)


@never_cache
@require_POST
def table_agree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player of the table agrees; the organizer for those who have no account."""

    def write(access: Access, found: Appointment, players: Sequence[int], form: AnswerForm) -> str:
        made = agree(
            appointment=found, players=players, by=access.by, form=form.submission("agree", found.pk)
        )
        if made.kind == Appointment.Kind.AGREED:
            return _("All four have agreed: this is when the table meets.")
        return _("The agreement is kept.")

    return _answered(request, slug, pk, write, everybody=True)


@never_cache
@require_POST
def table_disagree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player who had agreed takes it back."""

    def write(access: Access, found: Appointment, players: Sequence[int], form: AnswerForm) -> str:
        (player,) = players
        take_back(appointment=found, player=player, by=access.by, form=form.submission("take back", found.pk))
        return _("The agreement is taken back.")

    return _answered(request, slug, pk, write, everybody=False)


def _answered(
    request: HttpRequest,
    slug: str,
    pk: int,
    write: Callable[[Access, Appointment, Sequence[int], AnswerForm], str],
    *,
    everybody: bool,
) -> HttpResponse:
    access, table, panel = _open_table(request, slug, pk)
    if not panel.answers_for:
        raise PermissionDenied
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _out_of_date(request, slug, pk)
    appointment = _appointment(table, form)
    players = _answering(panel, appointment, form.cleaned_data["player"], everybody=everybody)
    said: list[str] = []
    if attempt(form, lambda: said.append(write(access, appointment, players, form))):
        messages.success(request, said[0] if said else _("This is kept already."))
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return redirect("table", slug, pk)


def _out_of_date(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    messages.error(request, _("This page was out of date. Look at it again, then press once more."))
    return redirect("table", slug, pk)


def _appointment(table: Table, form: AppointmentForm) -> Appointment:
    """The word on this table's time that the person saw, or ``Http404``."""
    found = Appointment.objects.select_related("table__round__stage__division__competition")
    return get_object_or_404(found, table=table, pk=form.cleaned_data["appointment"])


def _answering(panel: TablePanel, appointment: Appointment, typed: str, *, everybody: bool) -> list[int]:
    """For whom is answered. ``PermissionDenied`` for somebody for whom this person does not answer."""
    if typed == "all" and everybody:
        agreed = {consent.player_id for consent in appointment.consents.all()}
        return sorted(panel.answers_for - agreed)
    if typed == "all" or int(typed) not in panel.answers_for:
        raise PermissionDenied
    return [int(typed)]


def _time_page(
    request: HttpRequest,
    access: Access,
    panel: TablePanel,
    *,
    propose: TimeForm | None = None,
    chosen: TimeForm | None = None,
    postponing: PostponeForm | None = None,
) -> HttpResponse:
    zone = zone_of(access.competition)
    bound = next((form for form in (propose, chosen, postponing) if form and form.is_bound), None)
    table = panel.times.table
    context = context_of(
        request,
        access,
        table=table,
        round=table.round,
        panel=panel,
        propose=propose or TimeForm(zone=zone),
        chosen=chosen or TimeForm(zone=zone, auto_id=SET_IDS),
        postponing=postponing or PostponeForm(zone=zone, auto_id=POSTPONE_IDS),
        others=Table.objects.filter(round=table.round_id).count() > 1,
    )
    return render(request, "calendar/time.html", context, status=UNPROCESSABLE if bound else 200)


# --- feeds


@never_cache
@require_safe
def feeds(request: HttpRequest, slug: str) -> HttpResponse:
    """The addresses to put into one's own calendar."""
    access = enter(request.user, slug)
    competition = access.competition
    stages = [choice.stage for choice in stages_of(competition, public=not access.is_staff)]
    entrants = competition.entrants.filter(player__in=linked_players(access.user.pk, competition))
    own = [(role, _own_address(request, role)) for role in _roles(access)]
    divisions = [found for found, _same in groupby(stage.division for stage in stages)]
    context = context_of(
        request,
        access,
        whole=_feed_address(request, "competition_feed", slug),
        divisions=[(each, _feed_address(request, "division_feed", slug, each.slug)) for each in divisions],
        players=[
            (each, _feed_address(request, "player_feed", slug, each.pk))
            for each in entrants.select_related("player")
        ],
        own=[(role, address, FeedForm(initial={"role": role.pk}, auto_id=False)) for role, address in own],
        is_private=competition.visibility == "private",
    )
    return render(request, "calendar/feeds.html", context)


def _roles(access: Access) -> list[Role]:
    """One's own roles. Owners of the league are organizers without one: theirs is made with its address."""
    if not access.user.is_authenticated:
        return []
    found = Role.objects.filter(competition=access.competition, user=access.by).select_related("player")
    roles = list(found)
    if access.can_organize and Role.Kind.ORGANIZER not in {role.kind for role in roles}:
        roles.append(Role(competition=access.competition, user=access.by, kind=Role.Kind.ORGANIZER))
    return roles


def _own_address(request: HttpRequest, role: Role) -> str:
    return _feed_address(request, "own_feed", role.feed_key) if role.feed_key else ""


def _feed_address(request: HttpRequest, name: str, *arguments: object) -> str:
    """In the language of the page: calendars ask without one."""
    language = urlencode({"lang": translation.get_language()})
    return request.build_absolute_uri(f"{reverse(name, args=arguments)}?{language}")


@never_cache
@require_POST
def feed_renew(request: HttpRequest, slug: str) -> HttpResponse:
    """Make or renew the secret address of one's own role."""
    access = enter(request.user, slug)
    if not access.roles:
        raise PermissionDenied
    form = FeedForm(request.POST)
    is_own = form.is_valid() and (form.cleaned_data["role"] is not None or access.can_organize)
    if is_own and attempt(
        form,
        lambda: renew_feed_key(
            competition=access.competition,
            role_id=form.cleaned_data["role"],
            by=access.by,
            form=form.submission("feed"),
        ),
    ):
        messages.success(request, _("The address is ready: put it into your calendar."))
    else:
        messages.error(request, _("This page was out of date. Look at it again, then press once more."))
    return redirect("calendar_feeds", slug)


@competition_page(lang=LANGUAGES, view=frozenset({"public"}))
def competition_feed(request: HttpRequest, access: Access) -> HttpResponse:
    """Everything that is public of the whole competition."""
    found = calendar_of(access.competition, public=True)
    return _feed(request, access, found, name=access.competition.name)


@competition_page(lang=LANGUAGES, view=frozenset({"public"}))
def division_feed(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    shown = [choice.stage.division for choice in stages_of(access.competition, public=True)]
    chosen = _chosen(shown, division)
    if chosen is None:
        raise Http404
    found = calendar_of(access.competition, public=True).of_division(chosen.pk)
    return _feed(request, access, found, name=f"{access.competition.name}: {chosen.name}")


@competition_page(lang=LANGUAGES, view=frozenset({"public"}))
def player_feed(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What is public of one player's days and tables."""
    return _player_feed(request, access, access.entrant(pk).player_id)


def _player_feed(request: HttpRequest, access: Access, player: int) -> HttpResponse:
    entrant = get_object_or_404(access.competition.entrants.select_related("player"), player=player)
    found = calendar_of_player(calendar_of(access.competition, public=True), entrant)
    name = f"{access.competition.name}: {entrant.player.name}"
    return _feed(request, access, found, name=name, player=player)


@require_safe
def own_feed(request: HttpRequest, feed: str) -> HttpResponseBase:
    """The calendar of a role, for whoever has its secret address: staff see what staff see; a player who is
    known by name has their own days, and another one everybody's.
    """
    access, role = enter_by_feed_key(feed)

    def make() -> HttpResponse:
        plays = role.player_id is not None and access.competition.entrants.filter(player=role.player_id)
        if plays and not access.is_staff and role.player_id is not None:
            return _player_feed(request, access, role.player_id)
        found = calendar_of(access.competition, public=not access.is_staff)
        return _feed(request, access, found, name=access.competition.name)

    facts = (*facts_of(access), role.pk, role.player_id)
    return answer(request, facts, make, may_keep=False)


def _feed(
    request: HttpRequest, access: Access, found: Calendar, *, name: str, player: int | None = None
) -> HttpResponse:
    competition = access.competition
    reader = Reader(
        name=name,
        site=request.get_host(),
        page=request.build_absolute_uri(reverse("calendar", args=[competition.slug])),
        several_divisions=len({day.stage.division_id for day in found.days}) > 1,
        player=player,
        tables={} if player is None else tables_of_player(found, player),
    )
    asked = request.GET.get("lang", "")
    with translation.override(asked if asked in LANGUAGES else translation.get_language()):
        return HttpResponse(calendar_feed(found, competition, reader), content_type=CONTENT_TYPE)


urlpatterns = [
    path("c/<slug:slug>/calendar/", calendar, name="calendar"),
    path("c/<slug:slug>/calendar/feeds/", feeds, name="calendar_feeds"),
    path("c/<slug:slug>/calendar/feeds/renew/", feed_renew, name="feed_renew"),
    path("c/<slug:slug>/calendar.ics", competition_feed, name="competition_feed"),
    path("c/<slug:slug>/divisions/<slug:division>/calendar.ics", division_feed, name="division_feed"),
    path("c/<slug:slug>/players/<int:pk>/calendar.ics", player_feed, name="player_feed"),
    path("calendars/<slug:feed>.ics", own_feed, name="own_feed"),
    path("c/<slug:slug>/manage/stages/<int:stage>/matchdays/", matchdays, name="matchdays"),
    path("c/<slug:slug>/rounds/<int:pk>/dates/", round_dates, name="round_dates"),
    path("c/<slug:slug>/tables/<int:pk>/time/", table_time, name="table_time"),
    path("c/<slug:slug>/tables/<int:pk>/time/set/", table_set_time, name="table_set_time"),
    path("c/<slug:slug>/tables/<int:pk>/time/agree/", table_agree, name="table_agree"),
    path("c/<slug:slug>/tables/<int:pk>/time/disagree/", table_disagree, name="table_disagree"),
    path("c/<slug:slug>/tables/<int:pk>/time/postpone/", table_postpone, name="table_postpone"),
    path("c/<slug:slug>/tables/<int:pk>/time/restore/", table_restore, name="table_restore"),
]
