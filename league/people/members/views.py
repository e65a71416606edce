from functools import partial

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can
from league.core.errors import Refused
from league.core.forms import KeyedForm
from league.core.network import client_address
from league.core.pages import (
    Answer,
    Asked,
    page,
    page_before,
    posted,
    press,
    presses,
    reads,
    refuse_for_now,
    save,
    saves,
    takes,
)
from league.models import Invitation, Role, SecurityEvent
from league.people.accounts.queries import paused_names, seconds_until_sign_up
from league.people.accounts.services import help_sign_in, note_event
from league.people.members.forms import AccountForm, InvitationForm, PlaysAsForm, RoleForm
from league.people.members.queries import players_of, teams_without_captain
from league.people.members.services import (
    accept_invitation,
    create_account,
    explain_dead,
    find_invitation,
    give_role,
    invite,
    invite_captains,
    join,
    revoke_role,
    say_who_plays,
    withdraw_invitation,
)
from league.people.members.tables import RolesTable

GONE = 410
INVITE_IDS, ROLE_IDS = "invite_%s", "role_%s"  # two forms on one page
# axes answers first where a password is checked; a session made without one names the plain backend.
BACKEND = "league.people.accounts.backends.Accounts"


# --- roles and invitations


@reads(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    return _people_page(request, access)


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("people:index"))
def invitation_new(request: HttpRequest, access: Access) -> HttpResponse:
    form = InvitationForm(
        request.POST,
        auto_id=INVITE_IDS,
        teams=access.competition.teams.all(),
        people=players_of(access.competition).values(),
    )
    return save(
        request,
        form,
        lambda sent: invite(competition=access.competition, **form.values(), by=access.by, form=sent),
        about=("invite", access.competition.pk),
        done=_("Link created. Copy it from the list of invitations."),
        then=access.address("people:index"),
    ) or _people_page(request, access, invitation_form=form)


@presses(Can.ORGANIZE)
def captains(request: HttpRequest, access: Access) -> Asked:
    """Invite a captain for each team at once."""

    def done(answer: Answer) -> str:
        count = answer["invitations"]
        return ngettext(
            "%(count)s link created. Copy it from the list of invitations.",
            "%(count)s links created. Copy them from the list of invitations.",
            count,
        ) % {"count": count}

    then = access.address("people:index") + "#invitations"
    return Asked(partial(invite_captains, competition=access.competition), done=done, then=then)


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("people:index"))
def role_new(request: HttpRequest, access: Access) -> HttpResponse:
    form = RoleForm(request.POST, auto_id=ROLE_IDS, teams=access.competition.teams.all())
    return save(
        request,
        form,
        lambda sent: give_role(competition=access.competition, **form.values(), by=access.by, form=sent),
        about=("role", access.competition.pk),
        done=lambda _answer: _("Role given to %(name)s.") % {"name": form.cleaned_data["username"]},
        then=access.address("people:index"),
    ) or _people_page(request, access, role_form=form)


@presses(Can.ORGANIZE, done=gettext_lazy("Invitation withdrawn."))
def invitation_withdraw(request: HttpRequest, access: Access, pk: int) -> Asked:
    write = partial(withdraw_invitation, invitation=access.invitation(pk))
    return Asked(write, then=access.address("people:index"))


@presses(Can.ORGANIZE, done=gettext_lazy("Role revoked."), gone="people:index")
def role_revoke(request: HttpRequest, access: Access, pk: int) -> Asked:
    people = access.address("people:index")
    is_own = access.role(pk).user_id == access.by.pk
    return Asked(
        partial(revoke_role, competition=access.competition, role_id=pk),
        # A person who gives up their own role may no longer see the page of people.
        then=access.address("standings:competition") if is_own else people,
        back=people,
    )


@takes(Can.ORGANIZE)
def role_allow(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let a person sign in again after too many wrong passwords."""
    role = access.role(pk)
    return press(
        request,
        lambda _sent: help_sign_in(by=access.by, name=role.user.get_username()),
        about=("allow", pk),
        done=_("Sign-in allowed again."),
        back=access.address("people:index"),
    )


@saves(Can.ORGANIZE, "members/plays_as.html", done=gettext_lazy("Changes saved."))
def role_player(request: HttpRequest, access: Access, pk: int) -> Asked:
    role = access.role(pk)
    form = PlaysAsForm(
        posted(request),
        people=players_of(access.competition).values(),
        initial={"player": role.player_id or ""},
    )
    return Asked(
        partial(say_who_plays, competition=access.competition, role_id=pk),
        form,
        then=access.address("people:index"),
        role=role,
    )


def _people_page(
    request: HttpRequest,
    access: Access,
    *,
    invitation_form: InvitationForm | None = None,
    role_form: RoleForm | None = None,
) -> HttpResponse:
    competition, now = access.competition, timezone.now()
    teams = competition.teams.all()
    related = ("created_by", "used_by", "team", "player")
    invitations = [
        (invitation, explain_dead(invitation, at=now))
        for invitation in Invitation.objects.filter(competition=competition).select_related(*related)
    ]
    owners = competition.league.owners.order_by("username")
    roles = list(Role.objects.filter(competition=competition).select_related("user", "player", "team"))
    owning = [Role(competition=competition, user=owner, kind=Role.Kind.ORGANIZER) for owner in owners]
    return page(
        request,
        access,
        "members/index.html",
        roles=RolesTable([*owning, *roles], request=request),
        paused=paused_names({role.user.get_username() for role in roles}),
        open=[
            (invitation, request.build_absolute_uri(reverse("people:invitation", args=(invitation.token,))))
            for invitation, why in invitations
            if not why
        ],
        past=[invitation for invitation, why in invitations if why],
        leaderless=len(teams_without_captain(competition, now=now)),
        invitation_form=invitation_form
        or InvitationForm(auto_id=INVITE_IDS, teams=teams, people=players_of(competition).values()),
        role_form=role_form or RoleForm(auto_id=ROLE_IDS, teams=teams),
    )


# --- the invited person


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation, with an account or by creating one. One link, one person."""
    offered = find_invitation(token)
    if offered is None:
        why = _("This invitation link is not valid. Ask the organizer for a new one.")
        return _no_account(request, _("Invitation"), why, status=404)
    if request.user.is_authenticated and offered.used_by_id == request.user.pk:
        return redirect(_first_page(offered))
    if why := explain_dead(offered, at=timezone.now()):
        return _no_account(request, _("Invitation"), why, status=GONE)
    person = request.user if isinstance(request.user, User) else None
    accept = KeyedForm(posted(request))
    account = AccountForm(None if person else posted(request))
    if person:
        answer = save(
            request,
            accept,
            lambda sent: accept_invitation(invitation=offered, by=person, form=sent),
            about=("accept", offered.pk),
            done=_describe_role(offered),
            then=_first_page(offered),
        )
    else:
        answer = _join(request, offered, accept, account)
    return answer or page(
        request,
        None,
        "members/invitation.html",
        invitation=offered,
        accept=accept if person else KeyedForm(),
        account=account,
    )


def _join(
    request: HttpRequest, offered: Invitation, accept: KeyedForm, account: AccountForm
) -> HttpResponse | None:
    if not (accept.is_valid() and account.is_valid()):
        return None
    try:
        person = join(invitation=offered, account=account, form=accept.submission("join", offered.pk))
    except Refused as refusal:
        account.add_error(refusal.field if refusal.field in account.fields else None, str(refusal))
        return None
    login(request, person, backend=BACKEND)
    messages.success(request, _describe_role(offered))
    return redirect(_first_page(offered))


def _first_page(offered: Invitation) -> str:
    pages = {Role.Kind.REFEREE: "penalties:desk"}
    usual = "teams:line_ups" if offered.team else "standings:competition"
    return reverse(pages.get(Role.Kind(offered.kind), usual), args=[offered.competition.slug])


def _no_account(request: HttpRequest, heading: str, why: str, *, status: int) -> HttpResponse:
    return page(request, None, "members/no_account.html", heading=heading, why=why, status=status)


def _describe_role(offered: Invitation) -> str:
    if offered.team:
        return _("Welcome: you are the captain of %(team)s.") % {"team": offered.team.name}
    return _("Welcome: your role here is %(role)s.") % {"role": Role.Kind(offered.kind).label}


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def signup(request: HttpRequest) -> HttpResponse:
    """Create an account without an invitation, if the server allows it (OPEN_SIGNUP)."""
    if not settings.OPEN_SIGNUP:
        why = _(
            "On this server, accounts need an invitation. Ask the organizer of your competition for a link."
        )
        return _no_account(request, _("Create an account"), why, status=200)
    if request.user.is_authenticated:
        return redirect("competitions:home")
    form = AccountForm(posted(request))
    if request.method == "POST":
        address = client_address(request)
        if seconds := seconds_until_sign_up(address):
            return refuse_for_now(request, "members/signup_later.html", seconds)
        note_event(SecurityEvent.Kind.SIGN_UP, address=address)
    if form.is_valid():
        try:
            person = create_account(form)
        except Refused as refusal:
            form.add_error("username", str(refusal))
        else:
            login(request, person, backend=BACKEND)
            messages.success(request, _("Welcome. Create your first competition."))
            return HttpResponseRedirect(page_before(request, reverse("competitions:home")))
    return page(request, None, "members/signup.html", form=form)
