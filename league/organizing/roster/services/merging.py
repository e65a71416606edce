"""Merge two records of one person in every competition that shows them."""

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent
from league.core.errors import Refused
from league.models import (
    Adjustment,
    Ban,
    Channel,
    Competition,
    Entrant,
    GameName,
    Invitation,
    Penalty,
    Role,
    Round,
    Seat,
    SittingOut,
)
from league.organizing.seating.services.drafts import take_over_drafts
from league.people.members.queries import is_in_draft
from league.people.register import services as register
from league.play.calendar.services.table_times import take_over_consents
from league.play.calls.services import take_over_messages
from league.play.hands.services import take_over_hands
from league.play.results.proposals import take_over_signatures
from league.ranking.stages.services import refuse_both_in_a_cut, take_over_cuts
from league.ranking.teams.services import take_over_line_ups
from players.models import Player


def merge_players(
    *,
    competition: Competition,
    keep: int,
    gone: int,
    values: register.PlayerValues,
    by: User,
    form: Sent | None = None,
) -> Player:
    """Merge ``gone`` into ``keep``: seats, penalties, messages, entries and bans.

    ``competition``: the one from whose pages this is done. Raises ``Refused`` if both sit in one round, if
    ``by`` does not organize every affected competition, or if a record no longer exists.
    """
    with register.register_change(competition, by=by, form=form) as done:
        stays, goes = register.find_player(competition, keep), register.find_player(competition, gone)
        if stays.pk == goes.pk:
            raise Refused(_("Choose two different players."))
        if register.find_shown_to_others(done, [stays.pk, goes.pk]):
            raise Refused(
                _(
                    "One of the two is entered in a competition that you do not organize. Ask an owner "
                    "of the "
                    "league to merge them."
                )
            )
        _refuse_clash(stays, goes)
        with register.change_everywhere(done, [stays.pk, goes.pk]) as changes:
            changes = list(changes)
            for each in changes:
                _repoint(each, stays, goes)
            Ban.objects.filter(player=goes).update(player=stays)
            Role.objects.filter(player=goes).update(player=stays)
            Invitation.objects.filter(player=goes).update(player=stays)
            GameName.objects.filter(player=goes).update(player=stays)
            goes.delete()
            register.check_numbers(competition, {stays.pk: values.numbers})
            if values != register.values_of(stays):
                register.write_players(
                    changes, {stays: values}, register.ensure_clubs(stays.register_id, [values.club])
                )
        done.answer = {"player": stays.pk}
        return stays


def shared_round(one: int, other: int) -> Round | None:
    """Return a round in which both took part, also by a substitute. It proves that they are two people."""
    known = Round.objects.filter(stage__division__competition__is_draft=False)
    shared = known.filter(_took_part(one)).filter(_took_part(other))
    return shared.with_competition().order_by("pk").first()


def _took_part(player: int) -> Q:
    """Return a filter for rounds with a seat, a substitute or points of the player.

    Sitting out proves nothing, since one of two records of a person does while the other plays.
    """
    seats = Seat.objects.filter(Q(player=player) | Q(stands_for=player), round=OuterRef("pk"))
    adjustments = Adjustment.objects.filter(player=player, round=OuterRef("pk"), revoked_at__isnull=True)
    return Q(Exists(seats)) | Q(Exists(adjustments))


def _refuse_clash(one: Player, other: Player) -> None:
    if is_in_draft([one.pk, other.pk]):
        raise Refused(
            _("A file that names one of the two is being imported. Merge them when it is finished.")
        )
    both = shared_round(one.pk, other.pk)
    if both is not None:
        raise Refused(
            _(
                "Both played in round %(round)s of %(competition)s, so they are two people and cannot be "
                "merged."
            )
            % {"round": both.number, "competition": both.competition.name}
        )
    refuse_both_in_a_cut(one.pk, other.pk)
    given = Adjustment.objects.filter(round=None, revoked_at=None)
    same = {name: OuterRef(name) for name in ("stage", "kind", "score", "reason")}
    twice = given.filter(Exists(given.filter(**same, player=other)), player=one)
    if (adjustment := twice.with_competition().first()) is not None:
        raise Refused(
            _("Both were given the same points in %(stage)s of %(competition)s. Remove one of them first.")
            % {"stage": adjustment.stage.name, "competition": adjustment.stage.competition.name}
        )


def _repoint(done: Change, keep: Player, gone: Player) -> None:
    here = done.competition
    entries = {e.player_id: e for e in Entrant.objects.filter(competition=here, player__in=(keep, gone))}
    if gone.pk not in entries:
        return
    stays, goes = entries.get(keep.pk), entries[gone.pk]
    if stays is None:  # first, because the database refuses a seat of someone who is not entered
        goes.player = keep
        goes.save(update_fields=["player"])
    seats = Seat.objects.of(here).filter(player=gone)
    penalties = Penalty.objects.filter(player=gone, competition=here)
    moved = {
        "player": gone.pk,
        "seats": list(seats.order_by("pk").values_list("pk", flat=True)),
        "penalties": list(penalties.order_by("pk").values_list("pk", flat=True)),
        "entrant": goes.pk,
    }
    seats.update(player=keep)
    Seat.objects.of(here).filter(stands_for=gone).update(stands_for=keep)
    Adjustment.objects.of(here).filter(player=gone).update(player=keep)
    _join_sitting_out(SittingOut.objects.of(here), keep, gone)
    penalties.update(player=keep)
    take_over_consents(here, keep=keep.pk, gone=gone.pk)
    take_over_messages(here, keep=keep.pk, gone=gone.pk)
    take_over_hands(here, keep=keep.pk, gone=gone.pk)
    take_over_signatures(here, keep=keep.pk, gone=gone.pk)
    take_over_cuts(here, keep=keep.pk, gone=gone.pk)
    take_over_line_ups(here, keep=keep.pk, gone=gone.pk)
    take_over_drafts(here, keep=keep.pk, gone=gone.pk)
    if stays is not None:
        moved |= register.last_key([goes.key])
        _join_entrants(stays, goes)
    after = {"player": keep.pk, "entrant": (stays or goes).pk}
    done.log("player.merge", f"player:{keep.pk}", before=moved, after=after)


def _join_sitting_out(here: QuerySet[SittingOut], keep: Player, gone: Player) -> None:
    """Keep one entry, or none if the player or a substitute has a seat."""
    both = here.filter(player__in=(keep, gone))
    both.filter(Q(round__seats__player=keep) | Q(round__seats__stands_for=keep)).delete()
    both.filter(
        player=gone, round__in=list(both.filter(player=keep).values_list("round", flat=True))
    ).delete()
    both.filter(player=gone).update(player=keep)


def _join_entrants(stays: Entrant, goes: Entrant) -> None:
    """Fill the gaps of the entry that stays from the other one.

    It becomes a player, present or no guest if either entry was.
    """
    for each in goes.presences.all():
        same = stays.presences.filter(stage=each.stage_id, day=each.day)
        if each.paid:
            same.filter(paid=False).update(paid=True, paid_on=each.paid_on, fee=each.fee)
        if not same.exists():
            each.entrant = stays
            each.save(update_fields=["entrant"])
    _take_over_channels(keep=stays, gone=goes)
    goes.registrants.update(entrant=stays)
    goes.delete()
    stays.division_id = stays.division_id or goes.division_id
    stays.team_id = stays.team_id or goes.team_id
    stays.is_substitute &= goes.is_substitute
    stays.is_guest &= goes.is_guest
    if goes.withdrawn_at is None:
        stays.withdrawn_at = None
    stays.save(update_fields=["division", "team", "is_substitute", "is_guest", "withdrawn_at"])


def _take_over_channels(*, keep: Entrant, gone: Entrant) -> None:
    """Move the channels of an entry that is joined with another one."""
    known = Channel.objects.filter(entrant=keep).values("address")
    Channel.objects.filter(entrant=gone, address__in=list(known.values_list("address", flat=True))).delete()
    Channel.objects.filter(entrant=gone).update(entrant=keep)
