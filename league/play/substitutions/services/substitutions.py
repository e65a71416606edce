"""Substitutes, absences, sitting out, and points for missed rounds.

A substitute's table counts for no one: the seat names its owner (``Seat.stands_for``), who gets an
``Adjustment``. The other three are settled as usual. A substitute who came late (``Seat.came_late``) takes
last place whatever the points (EMA 2025, 7.3).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import OutOfDate, Refused
from league.core.text import MOST_NAMED, listed
from league.models import Adjustment, Entrant, Round, Seat, Sheet, SittingOut, Stage
from league.people.register.services import register_change
from league.play.bans.queries import banned_here, free_players, free_substitutes
from league.play.entrants.services import enter_by_name
from league.play.results import adjustments
from league.play.results.services import forfeit_table
from league.play.substitutions.queries.substitutes import is_in_dispute, seats_ahead
from league.play.substitutions.services.previews import Watch
from players.folding import is_one_name
from players.matching import exact_key

WHY = _("Give a reason. It is kept with the round and in the audit log.")


# --- substitutes


def substitute_player(
    *,
    seat: Seat,
    substitute: int,
    late: bool,
    score: int,
    reason: str,
    onwards: bool = False,
    watch: Watch | None = None,
    by: User,
    form: Sent | None = None,
) -> list[Seat]:
    """Give ``seat``, as the person saw it, to a substitute and return the changed seats.

    ``late``: play had begun. ``score``: tenths for the absent player per round. ``onwards``: also in later
    rounds of the stage without a sheet, and in rounds seated from now on. ``watch`` compares the points
    recorded at the table.

    Raise ``OutOfDate`` if another player sits there by now. Raise ``Refused`` without a reason, in a closed
    round, during a dispute, and for a substitute who cannot sit there.
    """
    with change(seat.competition, by=by, form=form) as done:
        seats = substitute_in(
            done, seat, substitute, late=late, score=score, reason=reason, onwards=onwards, watch=watch
        )
        done.answer = {"seat": seat.pk, "rounds": len(seats)}
        return seats


def substitute_in(
    done: Change,
    seat: Seat,
    substitute: int,
    *,
    late: bool,
    score: int,
    reason: str,
    onwards: bool = False,
    watch: Watch | None = None,
) -> list[Seat]:
    """Seat a substitute inside a change, as ``substitute_player`` does."""
    seat_now = _open_seat(seat)
    absent = seat_now.owner_id
    _check_reason(reason)
    later = list(seats_ahead(absent, after=seat_now.round)) if onwards else []
    with (watch or Watch()).over(done.competition, [seat_now.table_id]):
        for each in (seat_now, *later):
            came_late = late and each is seat_now
            seat_substitute(
                done, each, substitute, late=came_late, score=score, reason=reason, until_back=onwards
            )
    return [seat_now, *later]


def seat_substitute_by_name(
    *, seat: Seat, name: str, by: User, form: Sent | None = None, **how: Any
) -> list[Seat]:
    """Give a seat to the substitute of this name, with ``how`` as for ``substitute_player``.

    The substitute is a free player of the round. Otherwise the sole person of the league with this name, or a
    new one, is entered. Raises ``Refused`` if several have the name, or if the entrant is not free.
    """
    competition = seat.competition
    with register_change(competition, by=by, form=form) as done:
        entered = _with_name(competition.entrants.select_related("player"), name)
        free = {free_player.player_id for free_player in free_players(seat.round)}
        candidates = [each.player_id for each in entered if each.player_id in free]
        if len(candidates) > 1:
            raise Refused(_("Several free players have this name. Enter a key instead."), field="name")
        if entered and not candidates:
            raise Refused(
                _("%(name)s has a seat in this round, has withdrawn or is banned. Choose another player.")
                % {"name": name},
                field="name",
            )
        if not entered:
            new = enter_by_name(done, name, None)
            set_substitute_in(done, new, is_substitute=True)
            candidates = [new.player_id]
        (player,) = candidates
        seats = substitute_in(done, seat, player, **how)
        done.answer = {"seat": seat.pk, "rounds": len(seats)}
        return seats


def _with_name(entrants: Iterable[Entrant], name: str) -> list[Entrant]:
    """Return those with exactly this key or name, or else with the name in another spelling."""
    typed = exact_key(name)
    of = [(entrant, (entrant.player.name, entrant.player.romanized)) for entrant in entrants]
    exact = [each for each, names in of if typed in map(exact_key, (*names, each.key))]
    return exact or [each for each, names in of if any(is_one_name(name, one) for one in names)]


def seat_substitute(
    done: Change,
    seat: Seat,
    substitute: int,
    *,
    late: bool,
    score: int | None,
    reason: str,
    until_back: bool = False,
) -> None:
    """Seat a free substitute inside a change. ``score``: the absent player's tenths, None to keep them."""
    absent = seat.owner_id
    if substitute not in {free.player_id for free in free_substitutes(seat.round)}:
        raise Refused(
            _("Round %(round)s: this player cannot sit there. Choose a player who is free in that round.")
            % {"round": seat.round.number},
            field="substitute",
        )
    if banned_here(done.competition, [substitute], on=seat.round.date):
        raise Refused(_("This player is banned. Choose another one."), field="substitute")
    before = {"player": seat.player_id}
    seat.player_id, seat.stands_for_id, seat.came_late = substitute, absent, late
    seat.until_back = until_back
    seat.save(update_fields=["player", "stands_for", "came_late", "until_back"])
    done.log(
        "seat.substitute",
        f"table:{seat.table_id}",
        before=before,
        after={"player": substitute, "came_late": late, "reason": reason.strip()},
        about=seat.round,
    )
    if score is not None:
        _replace_adjustment(done, seat.round, absent, Adjustment.Kind.SUBSTITUTED, score, reason)


def end_substitution(
    *,
    seat: Seat,
    reason: str,
    onwards: bool = False,
    watch: Watch | None = None,
    by: User,
    form: Sent | None = None,
) -> list[Seat]:
    """Return the seat to its player and revoke their points. ``onwards``: also in later rounds."""
    with change(seat.competition, by=by, form=form) as done:
        seat_now = _open_seat(seat)
        absent = seat_now.stands_for_id
        if absent is None:
            raise Refused(_("This seat has no substitute."))
        _check_reason(reason)
        later = list(seats_ahead(absent, after=seat_now.round, substituted=True)) if onwards else []
        with (watch or Watch()).over(done.competition, [seat_now.table_id]):
            for each in (seat_now, *later):
                _return_seat(done, each, absent, reason)
        done.answer = {"seat": seat_now.pk, "rounds": 1 + len(later)}
        return [seat_now, *later]


def _return_seat(done: Change, seat: Seat, absent: int, reason: str) -> None:
    if Seat.objects.filter(round=seat.round_id, player=absent).exists():
        raise Refused(
            _("Round %(round)s: this player already has another seat.") % {"round": seat.round.number}
        )
    before = {"player": seat.player_id}
    seat.player_id, seat.stands_for_id, seat.came_late, seat.until_back = absent, None, False, False
    seat.save(update_fields=["player", "stands_for", "came_late", "until_back"])
    after = {"player": absent, "reason": reason.strip()}
    done.log("seat.return", f"table:{seat.table_id}", before=before, after=after, about=seat.round)
    adjustments.revoke_all(
        done, Adjustment.objects.filter(round=seat.round_id, player=absent, kind="substituted")
    )
    void = Sheet.objects.current().filter(status=Sheet.Status.VOID)
    adjustments.revoke_missed(done, Seat.objects.filter(pk=seat.pk).exclude(table__in=void.values("table")))


def end_lasting_substitution(*, entrant: Entrant, by: User, form: Sent | None = None) -> None:
    """Seat the player themselves in rounds seated from now on."""
    with change(entrant.competition, by=by, form=form) as done:
        here = Seat.objects.of(done.competition)
        if not here.filter(stands_for=entrant.player_id, until_back=True).update(until_back=False):
            raise Refused(_("This player no longer has a substitute. Check again."))
        done.log("seat.back", f"entrant:{entrant.pk}")
        done.answer = {"entrant": entrant.pk}


def continue_substitutions(
    done: Change, round_: Round, before: Mapping[int, Seat], *, out: Collection[int]
) -> None:
    """Seat lasting substitutes again inside the change that seats a round. Those ``out`` do not sit."""
    if not before:
        return
    able = {entrant.player_id for entrant in free_substitutes(round_)} - set(out)
    able -= banned_here(done.competition, able, on=round_.date).keys()
    for seat in Seat.objects.filter(round=round_, stands_for__isnull=True, player__in=before).order_by("pk"):
        last = before[seat.player_id]
        if last.player_id in able:
            able.remove(last.player_id)
            seat.round = round_
            given = _adjustment_of(round_.stage, last.round_id, last.owner_id, Adjustment.Kind.SUBSTITUTED)
            score, reason = (given.score, given.reason) if given else (None, "")
            seat_substitute(
                done, seat, last.player_id, late=False, score=score, reason=reason, until_back=True
            )


def revoke_dropped(done: Change, round_: Round) -> None:
    """Revoke the points of substitutions that a new seating ended."""
    seats = Seat.objects.filter(round=round_, stands_for__isnull=False)
    given = Adjustment.objects.filter(round=round_, kind=Adjustment.Kind.SUBSTITUTED)
    adjustments.revoke_all(done, given.exclude(player__in=seats.values("stands_for")))


def revoke_given(done: Change, round_: Round) -> None:
    """Revoke all points of a round inside the change that deletes it, except an organizer's: ``Refused``."""
    given = Adjustment.objects.filter(round=round_, revoked_at__isnull=True)
    by_hand = given.exclude(kind=Adjustment.Kind.SUBSTITUTED).exclude(reason="")
    if names := list(by_hand.order_by("pk").values_list("player__name", flat=True)[:MOST_NAMED]):
        raise Refused(
            _(
                "These players have points given or deducted for this round: %(players)s. Remove the points "
                "first."
            )
            % {"players": listed(names)}
        )
    adjustments.revoke_all(done, given)


# --- no-show


def forfeit_seat(
    *, seat: Seat, score: int, others: int | None, reason: str, by: User, form: Sent | None = None
) -> Seat:
    """Forfeit the table of a player who did not come. Its result is void.

    The absent player gets ``score`` tenths, the other three ``others`` each or nothing. Raise ``Conflict`` if
    the table has a sheet, otherwise as ``substitute_player``.
    """
    with change(seat.competition, by=by, form=form) as done:
        seat_now = _open_seat(seat)
        _check_reason(reason)
        forfeit_table(done, seat_now.table, reason=reason)
        absent = seat_now.owner_id
        _replace_adjustment(done, seat_now.round, absent, Adjustment.Kind.ABSENT, score, reason)
        if others is not None:
            for other in seat_now.table.seats.exclude(pk=seat_now.pk).filter(stands_for__isnull=True):
                _replace_adjustment(
                    done, seat_now.round, other.player_id, Adjustment.Kind.SAT_OUT, others, reason
                )
        done.answer = {"seat": seat_now.pk}
        return seat_now


# --- sitting out


def keep_sitting_out(round_: Round, players: Collection[int]) -> None:
    """Save who was there without a seat, inside the change that seats a round."""
    SittingOut.objects.filter(round=round_).exclude(player__in=players).delete()
    known = set(SittingOut.objects.filter(round=round_).values_list("player_id", flat=True))
    SittingOut.objects.bulk_create(
        SittingOut(round=round_, player_id=p) for p in sorted(set(players) - known)
    )


def sit_out(done: Change, round_: Round, players: Collection[int]) -> None:
    """Give the stage's points for sitting out, inside a seating. An organizer's points stay."""
    stage = round_.stage
    get = [] if stage.sit_out == Stage.SitOut.NOTHING else sorted(players)
    adjustments.revoke_all(done, _given_for_sitting_out(round_).exclude(player__in=get))
    score = stage.sit_out_score if stage.sit_out == Stage.SitOut.FIXED else None
    for player in get:
        given = _adjustment_of(stage, round_, player, Adjustment.Kind.SAT_OUT)
        if given is None or not given.reason:
            _replace_adjustment(done, round_, player, Adjustment.Kind.SAT_OUT, score, "")


def end_sitting_out(done: Change, round_: Round, seated: Collection[int]) -> None:
    adjustments.revoke_all(done, _given_for_sitting_out(round_).filter(player__in=seated))


def _given_for_sitting_out(round_: Round) -> QuerySet[Adjustment]:
    """Only points that a person gave have a reason."""
    given = Adjustment.objects.filter(round=round_, kind=Adjustment.Kind.SAT_OUT, reason="")
    return given.filter(revoked_at__isnull=True)


# --- points that no table gave


def add_adjustment(
    *,
    stage: Stage,
    round_: Round | None,
    entrant: Entrant,
    kind: str,
    score: int,
    reason: str,
    by: User,
    form: Sent | None = None,
) -> Adjustment:
    """Give ``score`` tenths for a round without their seat, or for no round. One kind per round."""
    with change(stage.competition, by=by, form=form) as done:
        for rows, thing in ((Stage.objects, stage), (Round.objects, round_), (Entrant.objects, entrant)):
            if thing is not None:
                reread(rows.all(), pk=thing.pk)
        _check_reason(reason)
        if round_ is not None and Seat.objects.filter(round=round_, player=entrant.player_id).exists():
            raise Refused(_("This player has a seat in this round, so its result counts."), field="round")
        if _adjustment_of(stage, round_, entrant.player_id, kind) is not None:
            raise Refused(_("This player already has such an adjustment in this round."), field="round")
        without_round = Adjustment.objects.filter(stage=stage, round=None, revoked_at=None, kind=kind)
        equal = without_round.filter(player=entrant.player_id, score=score, reason=reason.strip())
        if round_ is None and equal.exists():
            raise Refused(_("This player already has such an adjustment."), field="reason")
        if kind == Adjustment.Kind.ABSENT:
            SittingOut.objects.filter(round=round_, player=entrant.player_id).delete()
        elif round_ is not None:
            SittingOut.objects.get_or_create(round=round_, player_id=entrant.player_id)
        made = _give(done, stage, round_, entrant.player_id, Adjustment.Kind(kind), score, reason)
        done.answer = {"adjustment": made.pk}
        return made


def revoke_adjustment(
    *, adjustment: Adjustment, reason: str, by: User, form: Sent | None = None
) -> Adjustment:
    """Raise ``Refused`` for points of a substitution, which ``end_substitution`` revokes."""
    with change(adjustment.competition, by=by, form=form) as done:
        current = reread(Adjustment.objects.select_related("stage"), pk=adjustment.pk)
        _check_reason(reason)
        if current.revoked_at is not None:
            raise Refused(_("This adjustment has already been removed."))
        seats = Seat.objects.filter(round=current.round_id, stands_for=current.player_id)
        if current.kind == Adjustment.Kind.SUBSTITUTED and seats.exists():
            raise Refused(_("A substitute played this round. Put the player back in the seat instead."))
        adjustments.revoke(done, current, reason)
        done.answer = {"adjustment": current.pk}
        return current


def _replace_adjustment(
    done: Change, round_: Round, player: int, kind: str, score: int | None, reason: str
) -> None:
    """Replace the player's points for the round unless they are equal."""
    given = _adjustment_of(round_.stage, round_, player, kind)
    if given is not None and given.score == score:
        return
    if given is not None:
        adjustments.revoke(done, given, reason)
    _give(done, round_.stage, round_, player, kind, score, reason)


def _adjustment_of(stage: Stage, round_: Round | int | None, player: int, kind: str) -> Adjustment | None:
    given = Adjustment.objects.filter(stage=stage, round=round_, player=player, kind=kind)
    return given.filter(revoked_at__isnull=True).first() if round_ is not None else None


def _give(
    done: Change, stage: Stage, round_: Round | None, player: int, kind: str, score: int | None, reason: str
) -> Adjustment:
    made = Adjustment.objects.create(
        stage=stage,
        round=round_,
        player_id=player,
        kind=kind,
        score=score,
        reason=reason.strip(),
        created_by=done.by,
        created_at=done.at,
    )
    done.log("adjustment.add", f"player:{player}", after=adjustments.describe(made))
    return made


# --- the pool


def set_substitute(*, entrant: Entrant, is_substitute: bool, by: User, form: Sent | None = None) -> Entrant:
    """Enter a player as a substitute, without results of their own, or as a player."""
    with change(entrant.competition, by=by, form=form) as done:
        current_entrant = reread(Entrant.objects.select_related("player"), pk=entrant.pk)
        own = Seat.objects.of(done.competition).filter(
            player=current_entrant.player_id, stands_for__isnull=True, table__sheets__is_current=True
        )
        if is_substitute and own.exclude(table__sheets__status=Sheet.Status.VOID).exists():
            raise Refused(_("A player with results cannot become a substitute. Withdraw the player instead."))
        set_substitute_in(done, current_entrant, is_substitute=is_substitute)
        done.answer = {"entrant": current_entrant.pk}
        return current_entrant


def set_substitute_in(done: Change, entrant: Entrant, *, is_substitute: bool) -> None:
    if entrant.is_substitute != is_substitute:
        entrant.is_substitute = is_substitute
        entrant.save(update_fields=["is_substitute"])
        done.log(
            "entrant.substitute",
            f"entrant:{entrant.pk}",
            before={"substitute": not is_substitute},
            after={"substitute": is_substitute},
        )


# --- checks


def _open_seat(seat: Seat) -> Seat:
    """The seat as it is under the lock. Raises ``OutOfDate`` when another player sits there by now,
    ``Refused`` in a closed round or during a dispute.
    """
    # At the table of the page: a form could name a seat of another competition.
    seat_now = (
        Seat.objects.with_rules().select_related("table").filter(pk=seat.pk, table=seat.table_id).first()
    )
    if seat_now is None or (seat_now.player_id, seat_now.stands_for_id) != (
        seat.player_id,
        seat.stands_for_id,
    ):
        raise OutOfDate(_("The seating of this round has changed since you opened the page. Check it."))
    seat_now.table.round = seat_now.round
    if seat_now.round.status == Round.Status.CLOSED:
        raise Refused(_("This round is closed. Reopen it to change its players."))
    if is_in_dispute([seat_now.table_id]):
        raise Refused(_("This table has an open dispute. Close it first."))
    return seat_now


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(WHY, field="reason")
