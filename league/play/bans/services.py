"""Bans from a league's competitions. A penalty whose level expels takes its player out in the same change."""

from collections.abc import Collection, Mapping
from datetime import date

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Can
from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.own_table import leave_to_others
from league.core.text import listed
from league.models import Ban, Competition, Entrant, Penalty, Waiver
from league.play.bans.queries import banned_here, expelled_by
from league.play.bans.words import ban_words
from league.rules.penalty_rules.words.rulings import expels

OWN_BAN = gettext_lazy("This is your own ban. Ask another organizer.")
WHY_BAN = gettext_lazy("Give a reason. It is kept with the ban.")


# --- expelled


def expel(done: Change, penalty: Penalty) -> None:
    """Take the player out inside the change that puts an expelling penalty in force."""
    if penalty.status != Penalty.Status.IN_FORCE or not expels(penalty):
        return
    entrant = Entrant.objects.filter(competition=done.competition, player=penalty.player_id).first()
    if entrant is not None and entrant.withdrawn_at is None:
        take_out(done, entrant, {"penalty": penalty.pk})


def readmit(done: Change, penalty: Penalty) -> None:
    """Readmit a player inside the change that revokes the only penalty that expelled them."""
    if not expels(penalty) or expelled_by(done.competition, penalty.player_id) is not None:
        return
    # Of several that expelled, the first took the player out.
    penalties = Penalty.objects.filter(competition=done.competition, player=penalty.player_id).exclude(
        level=""
    )
    every = penalties.select_related("stage__division__rule_set__own_catalogue")
    left = {at for each in every if expels(each) for at in (each.created_at, each.decided_at)}
    entrant = Entrant.objects.filter(competition=done.competition, player=penalty.player_id).first()
    if entrant is None or entrant.withdrawn_at is None or entrant.withdrawn_at not in left:
        return
    entrant.withdrawn_at = None
    entrant.save(update_fields=["withdrawn_at"])
    after = {"player": entrant.player_id, "penalty": penalty.pk}
    done.log("player.readmit", f"entrant:{entrant.pk}", after=after)


def take_out(done: Change, entrant: Entrant, why: Mapping[str, object]) -> None:
    """Withdraw a player inside a change. ``why`` is for the audit log."""
    entrant.withdrawn_at = done.at
    entrant.save(update_fields=["withdrawn_at"])
    done.log("player.expel", f"entrant:{entrant.pk}", after={"player": entrant.player_id, **why})


# --- bans


def set_ban(
    *,
    competition: Competition,
    player_id: int,
    since: date,
    until: date | None,
    reason: str,
    by: User,
    penalty: Penalty | None = None,
    form: Sent | None = None,
) -> Ban:
    """Ban an entered player from all competitions of the league. ``until`` None: permanently."""
    with change(competition, by=by, form=form, even_finished=True) as done:
        if not Entrant.objects.filter(competition=competition, player=player_id).exists():
            raise Refused(_("This player is not entered in this competition."))
        if until is not None and until < since:
            raise Refused(_("A ban cannot end before it begins."), field="until")
        if not reason.strip():
            raise Refused(WHY_BAN, field="reason")
        ban = Ban.objects.create(
            league=done.competition.league,
            player_id=player_id,
            since=since,
            until=until,
            reason=reason.strip(),
            penalty=penalty,
            created_by=by,
            created_at=done.at,
        )
        done.log("ban.set", f"player:{player_id}", after=describe(ban), about=ban)
        done.answer = {"ban": ban.pk}
        return ban


def lift_ban(*, ban: Ban, competition: Competition, reason: str, by: User, form: Sent | None = None) -> Ban:
    with change(competition, by=by, form=form, even_finished=True) as done:
        ban = reread(Ban.objects.all(), pk=ban.pk)
        if ban.lifted_at is not None:
            raise Refused(_("This ban has already been lifted."))
        if not reason.strip():
            raise Refused(_("Give a reason for lifting the ban."), field="reason")
        leave_to_others(done, OWN_BAN, players=[ban.player_id], need=Can.ORGANIZE)
        ban.lifted_by, ban.lifted_at, ban.lift_reason = by, done.at, reason.strip()
        ban.save(update_fields=["lifted_by", "lifted_at", "lift_reason"])
        after = {"reason": ban.lift_reason}
        done.log("ban.lift", f"player:{ban.player_id}", before=describe(ban), after=after, about=ban)
        done.answer = {"ban": ban.pk}
        return ban


def describe(ban: Ban) -> dict[str, object]:
    """Describe a ban for the audit log: ids, never names."""
    return {
        "player": ban.player_id,
        "since": ban.since.isoformat(),
        "until": ban.until.isoformat() if ban.until else "",
        "reason": ban.reason,
        **({"penalty": ban.penalty_id} if ban.penalty_id else {}),
    }


def admit(done: Change, players: Collection[int], *, despite: str, on: date | None = None) -> None:
    """Admit players inside a change: refuse banned ones, or waive their bans here.

    ``despite``: the organizer's reason to waive them, or empty. ``on``: the day of play (None: today).
    """
    bans = banned_here(done.competition, players, on=on)
    if not bans:
        return
    if not despite.strip():
        raise Refused(
            _(
                "Banned: %(players)s. Leave them out, or tick that they may play despite the ban and give a "
                "reason."
            )
            % {"players": listed(map(ban_words, bans.values()))},
            field="despite",
        )
    if done.by is None:
        raise Refused(_("Only a person can waive a ban."))
    leave_to_others(done, OWN_BAN, players=list(bans), need=Can.ORGANIZE)
    for ban in bans.values():
        Waiver.objects.create(
            ban=ban,
            competition=done.competition,
            reason=despite.strip(),
            created_by=done.by,
            created_at=done.at,
        )
        after = {"player": ban.player_id, "reason": despite.strip()}
        done.log("ban.waive", f"player:{ban.player_id}", after=after)
