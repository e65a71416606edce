"""Roles, invitations by link, and accounts."""

from datetime import datetime, timedelta

from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.core.access import organized_by
from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.models import ApiToken, Competition, Entrant, Invitation, Role, Team
from league.people.members.queries import teams_without_captain

INVITATION_DAYS = 14


def invite(
    *,
    competition: Competition,
    kind: str,
    note: str = "",
    team: Team | None = None,
    player: int | None = None,
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Invitation:
    """Create a link that gives its first user a role, for 14 days.

    ``player``: the player to whom the account is then linked. Raise ``Refused`` if they are not entered or
    linked already.
    """
    with change(competition, by=by, form=form, at=at, even_finished=True) as done:
        if player is not None:
            _check_player(done, player, user=None)
        invitation = _invite(done, kind, _check_team(done, kind, team), note=note, player=player, by=by)
        done.answer = {"invitation": invitation.pk}
        return invitation


def _invite(
    done: Change, kind: str, team: Team | None, *, note: str = "", player: int | None = None, by: User
) -> Invitation:
    invitation = Invitation.objects.create(
        competition=done.competition,
        kind=Role.Kind(kind),
        team=team,
        player_id=player,
        note=note,
        created_by=by,
        expires_at=done.at + timedelta(days=INVITATION_DAYS),
    )
    # Neither the note, which may hold a name, nor the token, which is a key, goes into the log.
    done.log("invitation.create", f"invitation:{invitation.pk}", after={"role": str(invitation.kind)})
    return invitation


def invite_captains(*, competition: Competition, by: User, form: Sent | None = None) -> list[Invitation]:
    """Create a link for each team that has neither a captain nor an open link. Raise ``Refused`` if none."""
    with change(competition, by=by, form=form) as done:
        teams = teams_without_captain(done.competition, now=done.at)
        made = [_invite(done, Role.Kind.CAPTAIN, team, by=by) for team in teams]
        if not made:
            raise Refused(_("Every team has a captain or an open invitation."))
        done.answer = {"invitations": len(made)}
        return made


def withdraw_invitation(*, invitation: Invitation, by: User, form: Sent | None = None) -> Invitation:
    with change(invitation.competition, by=by, form=form, even_finished=True) as done:
        invitation = reread(Invitation.objects.all(), pk=invitation.pk)
        if invitation.used_at is not None:
            raise Refused(_("This invitation has already been accepted. Revoke the role instead."))
        if invitation.withdrawn_at is not None:
            raise Refused(_("This invitation has already been withdrawn."))
        _withdraw(done, invitation)
        done.answer = {"invitation": invitation.pk}
        return invitation


def withdraw_invitations_of(done: Change, team: Team) -> None:
    for invitation in Invitation.objects.filter(team=team, used_at=None, withdrawn_at=None).order_by("pk"):
        _withdraw(done, invitation)


def _withdraw(done: Change, invitation: Invitation) -> None:
    invitation.withdrawn_at = done.at
    invitation.save(update_fields=["withdrawn_at"])
    done.log("invitation.withdraw", f"invitation:{invitation.pk}", before={"role": str(invitation.kind)})


def accept_invitation(
    *, invitation: Invitation, by: User, form: Sent | None = None, at: datetime | None = None
) -> Role:
    """Give ``by`` the invitation's role. If they have it already, the link stays good."""
    with change(invitation.competition, by=by, form=form, at=at, even_finished=True) as done:
        # Read again under the lock: two people may open the same link at once, and it is good for one.
        invitation = reread(Invitation.objects.select_related("competition", "team"), pk=invitation.pk)
        if dead := explain_dead(invitation, at=done.at):
            raise Refused(dead)
        role = _accept(done, invitation, by)
        invitation.used_by, invitation.used_at = by, done.at
        invitation.save(update_fields=["used_by", "used_at"])
        after = {"user": by.pk, "role": str(invitation.kind)}
        done.log("invitation.accept", f"invitation:{invitation.pk}", after=after)
        done.answer = {"role": role.pk}
        return role


def _accept(done: Change, invitation: Invitation, by: User) -> Role:
    """Give the role, and link the account to the invited player, also if it has the role already."""
    player = invitation.player_id
    if player is None:
        return grant(done, by, invitation.kind, invitation.team)
    _check_player(done, player, user=by.pk)
    own = Role.objects.filter(competition=done.competition, user=by)
    if own.exclude(player=None).exclude(player=player).exists():
        raise Refused(_("Your account is already linked to another player here. Ask the organizer."))
    role = own.filter(kind=invitation.kind).first() or grant(done, by, invitation.kind, invitation.team)
    return _link(done, role, player)


def explain_dead(invitation: Invitation, *, at: datetime) -> str:
    """Explain why the link no longer works, or return ""."""
    if invitation.used_at is not None:
        return str(
            _("This invitation has already been used. Each invitation is for one person. Ask for a new one.")
        )
    if invitation.withdrawn_at is not None:
        return str(_("This invitation was withdrawn. Ask the organizer for a new one."))
    if invitation.expires_at <= at:
        return str(_("This invitation has expired. Ask the organizer for a new one."))
    return ""


def give_role(
    *,
    competition: Competition,
    username: str,
    kind: str,
    team: Team | None = None,
    by: User,
    form: Sent | None = None,
) -> Role:
    """Give a role to the person with this user name. ``team``: the team of a captain.

    Raise ``Refused`` for people without a role in this league, and if the person has the role. An account
    outside the league is answered like an unknown name, so that names cannot be probed.
    """
    with change(competition, by=by, form=form, even_finished=True) as done:
        league = done.competition.league_id
        users = User.objects.filter(username=username, is_active=True)
        inside = users.filter(Q(roles__competition__league=league) | Q(leagues=league)).distinct()
        person = users.filter(pk=by.pk).first() or inside.first()
        if person is None:
            raise Refused(
                _("The person must have a role in this league. Send others an invitation link."),
                field="username",
            )
        role = grant(done, person, kind, team)
        done.answer = {"role": role.pk}
        return role


def revoke_role(*, competition: Competition, role_id: int, by: User, form: Sent | None = None) -> None:
    """Raise ``Refused`` for the last organizer, and for an id of another competition."""
    with change(competition, by=by, form=form, even_finished=True) as done:
        role = reread(Role.objects.all(), competition=done.competition, pk=role_id)
        if role.kind == Role.Kind.ORGANIZER and not _has_other_organizer(done.competition, but=role):
            raise Refused(
                _(
                    "This is the only organizer, and the league has no owner. Make another person organizer "
                    "first."
                )
            )
        done.log("role.revoke", f"user:{role.user_id}", before={"role": str(role.kind)})
        role.delete()
        end_tokens(done, role.user)


def end_tokens(done: Change, person: User) -> None:
    """End the API tokens of a person who no longer organizes the competition, inside a change.

    A token stays ended if its maker gets the role back.
    """
    organized = organized_by(person, Competition.objects.filter(pk=done.competition.pk))
    if person.is_active and organized.exists():
        return
    for token in ApiToken.objects.filter(
        competition=done.competition, created_by=person, revoked_at=None, expires_at__gt=done.at
    ):
        token.revoked_at = done.at
        token.save(update_fields=["revoked_at"])
        done.log("token.revoke", f"token:{token.pk}", before={"role": str(token.role)})


def end_tokens_everywhere(person: User, *, by: User) -> None:
    """End a person's API tokens in all competitions that the person no longer organizes."""
    living = ApiToken.objects.filter(created_by=person, revoked_at=None)
    for competition in Competition.objects.filter(pk__in=living.values("competition")).order_by("pk"):
        with change(competition, by=by, even_finished=True, public=False) as done:
            end_tokens(done, person)


def say_who_plays(
    *, competition: Competition, role_id: int, player: int | None, by: User, form: Sent | None = None
) -> Role:
    """Link the person of this role to a player in all their roles, or to None.

    Referees cannot rule at the table of their player. Raise ``Refused`` if the player is not entered or
    linked to someone else, and for an id of another competition.
    """
    with change(competition, by=by, form=form, even_finished=True) as done:
        role = reread(Role.objects.all(), competition=done.competition, pk=role_id)
        if player is not None:
            _check_player(done, player, user=role.user_id)
        return _link(done, role, player)


def _check_player(done: Change, player: int, *, user: int | None) -> None:
    """Raise ``Refused`` unless this account (None: a new one) can be linked to the player."""
    if not Entrant.objects.filter(competition=done.competition, player=player).exists():
        raise Refused(_("This player is not entered in this competition."), field="player")
    linked = Role.objects.filter(competition=done.competition, player=player)
    if linked.exclude(user=user).exists():
        raise Refused(
            _("Another account is already linked to this player. Change that one first."), field="player"
        )


def _link(done: Change, role: Role, player: int | None) -> Role:
    """Link the person of this role to a player in all their roles."""
    before = role.player_id
    Role.objects.filter(competition=done.competition, user=role.user_id).update(player=player)
    done.log(
        "role.player",
        f"user:{role.user_id}",
        before={"player": before} if before else None,
        after={"player": player} if player else None,
    )
    role.refresh_from_db()
    return role


def create_account(form: "BaseUserCreationForm[User]") -> User:
    try:
        with transaction.atomic():
            return form.save()
    except IntegrityError as error:
        raise Refused(_("A user with that username already exists."), field="username") from error


def join(*, invitation: Invitation, account: "BaseUserCreationForm[User]", form: Sent | None = None) -> User:
    """Create an account and accept the invitation: both, or neither."""
    with transaction.atomic():
        person = create_account(account)
        accept_invitation(invitation=invitation, by=person, form=form)
        return person


def find_invitation(token: str) -> Invitation | None:
    """Return the invitation in any state. The token has 192 bits, too many to guess."""
    invitations = Invitation.objects.select_related("competition__league", "used_by", "team", "player")
    return invitations.filter(token=token).first()


def _check_team(done: Change, kind: str, team: Team | None) -> Team | None:
    if kind != Role.Kind.CAPTAIN:
        return None
    known = done.competition.teams.filter(pk=team.pk).first() if team is not None else None
    if known is None:
        raise Refused(_("Choose the captain’s team."), field="team")
    return known


def grant(done: Change, person: User, kind: str, team: Team | None = None) -> Role:
    """Give a role inside a change. Raise ``Refused`` if the person has it already."""
    team = _check_team(done, kind, team)
    plays_as = Role.objects.filter(competition=done.competition, user=person, player__isnull=False).first()
    role, made = Role.objects.get_or_create(
        competition=done.competition,
        user=person,
        kind=Role.Kind(kind),
        defaults={"player": plays_as.player if plays_as else None, "team": team},
    )
    if not made:
        raise Refused(_("This person already has this role."), field="username")
    named = {"team": team.pk} if team else {}
    done.log("role.grant", f"user:{person.pk}", after={"role": str(role.kind), **named})
    return role


def _has_other_organizer(competition: Competition, *, but: Role) -> bool:
    others = Role.objects.filter(competition=competition, kind=Role.Kind.ORGANIZER, user__is_active=True)
    return others.exclude(pk=but.pk).exists() or competition.league.owners.filter(is_active=True).exists()
