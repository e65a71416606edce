"""People and roles: who may do what, invitations by link, accounts, and the audit log for organizers."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.access import Access, Can, enter
from league.core.changes import Form
from league.core.errors import Refused
from league.core.forms import KeyedForm, attempt
from league.core.pages import press, show, takes
from league.models import Invitation, Role
from league.people.forms import AccountForm, InvitationForm, PlaysAsForm, RoleForm
from league.people.queries import players_of
from league.people.services import (
    accept_invitation,
    create_account,
    give_role,
    invitation_by_token,
    invite,
    join,
    revoke_role,
    say_who_plays,
    why_dead,
    withdraw_invitation,
)

UNPROCESSABLE, GONE = 422, 410
INVITE_IDS, ROLE_IDS = "invite_%s", "role_%s"  # two forms on one page
# axes answers first where a password is checked; a session made without one names the plain backend.
BACKEND = "django.contrib.auth.backends.ModelBackend"


# --- roles and invitations


@never_cache
@require_safe
def people(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    return _people_page(request, access)


@never_cache
@require_POST
def invitation_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    form = InvitationForm(request.POST, auto_id=INVITE_IDS, teams=access.competition.teams.all())

    def write() -> object:
        return invite(
            competition=access.competition,
            kind=form.cleaned_data["kind"],
            note=form.cleaned_data["note"],
            team=form.cleaned_data["team"],
            by=access.by,
            form=form.submission("invite", access.competition.pk),
        )

    if form.is_valid() and attempt(form, write):
        messages.success(request, _("The link is ready: copy it from the list of invitations."))
        return redirect("people:index", slug)
    return _people_page(request, access, invitation=form, status=UNPROCESSABLE)


@never_cache
@require_POST
def role_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    form = RoleForm(request.POST, auto_id=ROLE_IDS, teams=access.competition.teams.all())

    def write() -> object:
        return give_role(
            competition=access.competition,
            username=form.cleaned_data["username"],
            kind=form.cleaned_data["kind"],
            team=form.cleaned_data["team"],
            by=access.by,
            form=form.submission("role", access.competition.pk),
        )

    if form.is_valid() and attempt(form, write):
        messages.success(request, _("%(name)s has the role.") % {"name": form.cleaned_data["username"]})
        return redirect("people:index", slug)
    return _people_page(request, access, role=form, status=UNPROCESSABLE)


@takes(Can.ORGANIZE)
def invitation_withdraw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    invitation = access.invitation(pk)
    return press(
        request,
        lambda form: withdraw_invitation(invitation=invitation, by=access.by, form=form),
        about=("withdraw invitation", pk),
        done=_("The invitation is withdrawn."),
        back=access.address("people:index"),
    )


@takes(Can.ORGANIZE)
def role_revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    own = Role.objects.filter(competition=access.competition, pk=pk, user=access.by).exists()
    if not KeyedForm(request.POST).is_valid():
        access.role(pk)  # what was revoked by this very form is gone; without a form it must be there

    def revoke(form: Form) -> None:
        try:
            revoke_role(competition=access.competition, role_id=pk, by=access.by, form=form)
        except Role.DoesNotExist as error:
            raise Http404 from error

    return press(
        request,
        revoke,
        about=("revoke", pk),
        done=_("The role is revoked."),
        back=access.address("people:index"),
        # A person who gives up their own role may not see this page any more.
        then=access.address("standings:competition") if own else "",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def role_player(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """As which player a person plays here."""
    access = enter(request.user, slug, Can.ORGANIZE)
    role = access.role(pk)
    form = PlaysAsForm(
        request.POST if request.method == "POST" else None,
        people=players_of(access.competition).values(),
        initial={"player": role.player_id or ""},
    )

    def write() -> object:
        return say_who_plays(
            competition=access.competition,
            role_id=pk,
            player_id=form.cleaned_data["player"],
            by=access.by,
            form=form.submission("plays as", pk),
        )

    if request.method == "POST" and form.is_valid() and attempt(form, write):
        messages.success(request, _("Saved."))
        return redirect("people:index", slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, access, "people/plays_as.html", {"role": role, "form": form}, status)


def _people_page(
    request: HttpRequest,
    access: Access,
    *,
    invitation: InvitationForm | None = None,
    role: RoleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    competition, now = access.competition, timezone.now()
    teams = competition.teams.all()
    invitations = Invitation.objects.filter(competition=competition).select_related(
        "created_by", "used_by", "team"
    )
    context = {
        "roles": Role.objects.filter(competition=competition).select_related("user", "player", "team"),
        "owners": competition.league.owners.order_by("username"),
        "open": [
            (each, request.build_absolute_uri(reverse("people:invitation", args=(each.token,))))
            for each in invitations
            if why_dead(each, at=now) is None
        ],
        "past": [(each, why_dead(each, at=now)) for each in invitations if why_dead(each, at=now)],
        "invitation_form": invitation or InvitationForm(auto_id=INVITE_IDS, teams=teams),
        "role_form": role or RoleForm(auto_id=ROLE_IDS, teams=teams),
        "fresh_key": uuid.uuid4,  # called by the template: each button gets its own
    }
    return show(request, access, "people/index.html", context, status)


# --- the invited person


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Where the link leads: accept with an account, or make one and accept. One link, one person."""
    found = invitation_by_token(token)
    if found is None:
        return _dead_link(
            request, _("This invitation link is not valid. Ask the organizer for a new one."), 404
        )
    mine = request.user.is_authenticated and found.used_by_id == request.user.pk
    dead = why_dead(found, at=timezone.now())
    if mine:
        return redirect("standings:competition", found.competition.slug)
    if dead is not None:
        return _dead_link(request, dead, GONE)
    if request.method != "POST":
        return _invitation_page(request, found)
    return _accept(request, found) if isinstance(request.user, User) else _join(request, found)


def _accept(request: HttpRequest, found: Invitation) -> HttpResponse:
    assert isinstance(request.user, User)
    person, form = request.user, KeyedForm(request.POST)
    if form.is_valid() and attempt(
        form,
        lambda: accept_invitation(invitation=found, by=person, form=form.submission("accept", found.pk)),
    ):
        return _welcomed(request, found)
    return _invitation_page(request, found, accept=form, status=UNPROCESSABLE)


def _join(request: HttpRequest, found: Invitation) -> HttpResponse:
    form, account = KeyedForm(request.POST), AccountForm(request.POST)
    if form.is_valid() and account.is_valid():
        try:
            person = join(invitation=found, account=account, form=form.submission("join", found.pk))
        except Refused as refusal:
            account.add_error(refusal.field if refusal.field in account.fields else None, str(refusal))
        else:
            login(request, person, backend=BACKEND)
            return _welcomed(request, found)
    return _invitation_page(request, found, account=account, status=UNPROCESSABLE)


def _welcomed(request: HttpRequest, found: Invitation) -> HttpResponse:
    said = _("Welcome: your role here is %(role)s.") % {"role": Role.Kind(found.kind).label}
    messages.success(request, said)
    return redirect("standings:competition", found.competition.slug)


def _invitation_page(
    request: HttpRequest,
    found: Invitation,
    *,
    accept: KeyedForm | None = None,
    account: AccountForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "invitation": found,
        "accept": accept or KeyedForm(),
        "account": account or AccountForm(),
    }
    return render(request, "people/invitation.html", context, status=status)


def _dead_link(request: HttpRequest, why: str, status: int) -> HttpResponse:
    return render(request, "people/dead_link.html", {"why": why}, status=status)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def signup(request: HttpRequest) -> HttpResponse:
    """A new account without an invitation, where the server's owner allows it (OPEN_SIGNUP)."""
    if not settings.OPEN_SIGNUP:
        return render(request, "people/signup_closed.html")
    if request.user.is_authenticated:
        return redirect("competitions:home")
    form = AccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            person = create_account(form)
        except Refused as refusal:
            form.add_error("username", str(refusal))
        else:
            login(request, person, backend=BACKEND)
            messages.success(request, _("Welcome. Make your first competition."))
            return redirect("competitions:home")
    return render(request, "people/signup.html", {"form": form}, status=UNPROCESSABLE if form.errors else 200)


# --- the audit log
