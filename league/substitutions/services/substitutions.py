"""Substitutes, absences, sitting out, and what a player gets for a round that they missed.

A substitute's table counts for no one: the seat keeps for whom it was (``Seat.stands_for``), the absent
player gets an ``Adjustment``, and the other three are settled as at any table. A substitute who came after
play had begun (``Seat.came_late``) takes last place whatever the points (EMA 2025, 7.3).
"""

from collections.abc import Collection, Mapping

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.bans.queries import banned_here, free_substitutes
from league.core.changes import Change, Form, change, reread
from league.core.errors import OutOfDate, Refused
from league.core.text import MOST_NAMED, listed
from league.models import Adjustment, Entrant, Round, Seat, Sheet, SittingOut, Stage
from league.results.adjustments import describe, revoke, revoke_all, revoke_missed
from league.results.services import forfeit_table
from league.substitutions.queries.substitutes import Sitting, is_in_dispute, seats_ahead

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
    by: User,
    form: Form | None = None,
) -> list[Seat]:
    """Gives ``seat``, as the person saw it, to a substitute; returns the seats that changed hands.

    ``substitute``: a player's id. ``late``: play had begun. ``score``: the tenths that the absent player gets
    for each round. ``onwards``: until the player is back, that is in the later rounds of the stage whose
    table has no sheet, and in those that are seated after this. Another substitute may follow. Raises
    ``OutOfDate`` when another player sits there by now, ``Refused`` without a reason, in a closed round,
    while a dispute is open at the table, and for a substitute who cannot sit there.
    """
    with change(seat.round.stage.division.competition, by=by, form=form) as done:
        seats = substitute_in(done, seat, substitute, late=late, score=score, reason=reason, onwards=onwards)
        done.answer = {"seat": seat.pk, "rounds": len(seats)}
        return seats


def substitute_in(
    done: Change, seat: Seat, substitute: int, *, late: bool, score: int, reason: str, onwards: bool = False
) -> list[Seat]:
    """Part of a change: gives ``seat`` to a substitute, as ``substitute_player``."""
    found = _open_seat(seat)
    absent = found.stands_for_id or found.player_id
    _check_reason(reason)
    later = list(seats_ahead(absent, after=found.round)) if onwards else []
    for each in (found, *later):
        came_late = late and each is found
        seat_substitute(
            done, each, substitute, late=came_late, score=score, reason=reason, until_back=onwards
        )
    return [found, *later]


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
    """Part of a change: sends a substitute in. Refuses players who are not free, or banned on that day. The
    absent player gets ``score`` tenths (None: what they were given stays).
    """
    absent = seat.stands_for_id or seat.player_id
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
    )
    if score is not None:
        _replace_adjustment(done, seat.round, absent, Adjustment.Kind.SUBSTITUTED, score, reason)


def end_substitution(
    *, seat: Seat, reason: str, onwards: bool = False, by: User, form: Form | None = None
) -> list[Seat]:
    """Gives the seat back to its player and revokes what they got for the round; ``onwards``: in the later
    rounds without a result, too. Raises as ``substitute_player``.
    """
    with change(seat.round.stage.division.competition, by=by, form=form) as done:
        found = _open_seat(seat)
        absent = found.stands_for_id
        if absent is None:
            raise Refused(_("This seat has no substitute."))
        _check_reason(reason)
        later = list(seats_ahead(absent, after=found.round, substituted=True)) if onwards else []
        for each in (found, *later):
            _return_seat(done, each, absent, reason)
        done.answer = {"seat": found.pk, "rounds": 1 + len(later)}
        return [found, *later]


def _return_seat(done: Change, seat: Seat, absent: int, reason: str) -> None:
    if Seat.objects.filter(round=seat.round_id, player=absent).exists():
        raise Refused(
            _("Round %(round)s: this player already has another seat.") % {"round": seat.round.number}
        )
    before = {"player": seat.player_id}
    seat.player_id, seat.stands_for_id, seat.came_late, seat.until_back = absent, None, False, False
    seat.save(update_fields=["player", "stands_for", "came_late", "until_back"])
    after = {"player": absent, "reason": reason.strip()}
    done.log("seat.return", f"table:{seat.table_id}", before=before, after=after)
    revoke_all(done, Adjustment.objects.filter(round=seat.round_id, player=absent, kind="substituted"))
    forfeited = Sheet.objects.filter(is_current=True, status=Sheet.Status.VOID)
    revoke_missed(done, Seat.objects.filter(pk=seat.pk).exclude(table__in=forfeited.values("table")))


def end_lasting_substitution(*, entrant: Entrant, by: User, form: Form | None = None) -> None:
    """Seats the player themselves in rounds that are seated from now on; seated rounds stay as they are.
    Raises ``Refused`` when no substitute sits for them until they are back.
    """
    with change(entrant.competition, by=by, form=form) as done:
        here = Seat.objects.filter(round__stage__division__competition=done.competition)
        if not here.filter(stands_for=entrant.player_id, until_back=True).update(until_back=False):
            raise Refused(_("This player no longer has a substitute. Check again."))
        done.log("seat.back", f"entrant:{entrant.pk}")
        done.answer = {"entrant": entrant.pk}


def continue_substitutions(
    done: Change, round_: Round, before: Mapping[int, Sitting], *, out: Collection[int]
) -> None:
    """Part of the change that seats a round: the substitutes of these players ``before`` sit for them again,
    for the same points. A substitute who is ``out`` or cannot sit there leaves the seat to the player.
    """
    if not before:
        return
    able = {entrant.player_id for entrant in free_substitutes(round_)} - set(out)
    able -= banned_here(done.competition, able, on=round_.date).keys()
    for seat in Seat.objects.filter(round=round_, stands_for__isnull=True, player__in=before).order_by("pk"):
        last = before[seat.player_id]
        if last.sits in able:
            able.remove(last.sits)
            seat.round = round_
            given = _adjustment_of(round_.stage, last.round, last.player, Adjustment.Kind.SUBSTITUTED)
            score, reason = (given.score, given.reason) if given else (None, "")
            seat_substitute(done, seat, last.sits, late=False, score=score, reason=reason, until_back=True)


def revoke_dropped(done: Change, round_: Round) -> None:
    """Part of the change that seats a round: revokes what was given for substitutions that it ended."""
    seats = Seat.objects.filter(round=round_, stands_for__isnull=False)
    given = Adjustment.objects.filter(round=round_, kind=Adjustment.Kind.SUBSTITUTED)
    revoke_all(done, given.exclude(player__in=seats.values("stands_for")))


def revoke_given(done: Change, round_: Round) -> None:
    """Part of the change that deletes a round: revokes what its seating and its substitutions gave. Raises
    ``Refused`` where the organizer gave points for it.
    """
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
    revoke_all(done, given)


# --- no-show


def forfeit_seat(
    *, seat: Seat, score: int, others: int | None, reason: str, by: User, form: Form | None = None
) -> Seat:
    """Forfeits the table of a player who did not come: its result is void.

    The absent player gets ``score`` tenths, the other three ``others`` each (None: nothing). Raises
    ``Conflict`` when the table has a score sheet by now; else as ``substitute_player``.
    """
    with change(seat.round.stage.division.competition, by=by, form=form) as done:
        found = _open_seat(seat)
        _check_reason(reason)
        forfeit_table(done, found.table, reason=reason)
        absent = found.stands_for_id or found.player_id
        _replace_adjustment(done, found.round, absent, Adjustment.Kind.ABSENT, score, reason)
        if others is not None:
            for other in found.table.seats.exclude(pk=found.pk).filter(stands_for__isnull=True):
                _replace_adjustment(
                    done, found.round, other.player_id, Adjustment.Kind.SAT_OUT, others, reason
                )
        done.answer = {"seat": found.pk}
        return found


# --- sitting out


def keep_sitting_out(round_: Round, players: Collection[int]) -> None:
    """Part of the change that seats a round: keeps who was there and has no seat."""
    SittingOut.objects.filter(round=round_).exclude(player__in=players).delete()
    known = set(SittingOut.objects.filter(round=round_).values_list("player_id", flat=True))
    SittingOut.objects.bulk_create(
        SittingOut(round=round_, player_id=p) for p in sorted(set(players) - known)
    )


def sit_out(done: Change, round_: Round, players: Collection[int]) -> None:
    """Part of the change that seats a round: gives what its stage gives for sitting out, in place of what was
    given before. Players to whom the organizer gave points for sitting out keep those.
    """
    stage = round_.stage
    get = [] if stage.sit_out == Stage.SitOut.NOTHING else sorted(players)
    revoke_all(done, _given_for_sitting_out(round_).exclude(player__in=get))
    score = stage.sit_out_score if stage.sit_out == Stage.SitOut.FIXED else None
    for player in get:
        given = _adjustment_of(stage, round_, player, Adjustment.Kind.SAT_OUT)
        if given is None or not given.reason:
            _replace_adjustment(done, round_, player, Adjustment.Kind.SAT_OUT, score, "")


def end_sitting_out(done: Change, round_: Round, seated: Collection[int]) -> None:
    """Part of the change that seats a round: players with a seat get nothing for sitting out."""
    revoke_all(done, _given_for_sitting_out(round_).filter(player__in=seated))


def _given_for_sitting_out(round_: Round) -> QuerySet[Adjustment]:
    """What a seating gave in this round: only what a person gave has a reason."""
    found = Adjustment.objects.filter(round=round_, kind=Adjustment.Kind.SAT_OUT, reason="")
    return found.filter(revoked_at__isnull=True)


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
    form: Form | None = None,
) -> Adjustment:
    """Gives a player ``score`` tenths in ``stage``, for a round without a seat of theirs (None: for none).
    Points for sitting out say that the player was there, those for an absence that they were not.

    Raises ``Refused`` without a reason, where the player has a seat in that round, and for a second one of
    that kind for the round, or an equal one for none.
    """
    with change(stage.division.competition, by=by, form=form) as done:
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
    *, adjustment: Adjustment, reason: str, by: User, form: Form | None = None
) -> Adjustment:
    """Raises ``Refused`` for the adjustment of a substitution, which ends with it (``end_substitution``)."""
    with change(adjustment.stage.division.competition, by=by, form=form) as done:
        found = reread(Adjustment.objects.select_related("stage"), pk=adjustment.pk)
        _check_reason(reason)
        if found.revoked_at is not None:
            raise Refused(_("This adjustment has already been removed."))
        seats = Seat.objects.filter(round=found.round_id, stands_for=found.player_id)
        if found.kind == Adjustment.Kind.SUBSTITUTED and seats.exists():
            raise Refused(_("A substitute played this round. Put the player back in the seat instead."))
        revoke(done, found, reason)
        done.answer = {"adjustment": found.pk}
        return found


def _replace_adjustment(
    done: Change, round_: Round, player: int, kind: str, score: int | None, reason: str
) -> None:
    """Gives the player this for the round, in place of what they had; nothing changes if it is the same."""
    given = _adjustment_of(round_.stage, round_, player, kind)
    if given is not None and given.score == score:
        return
    if given is not None:
        revoke(done, given, reason)
    _give(done, round_.stage, round_, player, kind, score, reason)


def _adjustment_of(stage: Stage, round_: Round | int | None, player: int, kind: str) -> Adjustment | None:
    found = Adjustment.objects.filter(stage=stage, round=round_, player=player, kind=kind)
    return found.filter(revoked_at__isnull=True).first() if round_ is not None else None


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
    done.log("adjustment.add", f"player:{player}", after=describe(made))
    return made


# --- the pool


def set_substitute(*, entrant: Entrant, is_substitute: bool, by: User, form: Form | None = None) -> Entrant:
    """Enters a player as a substitute, who is in no standings, or as a player. Raises ``Refused`` when the
    substitute to be has a result of their own.
    """
    with change(entrant.competition, by=by, form=form) as done:
        found = reread(Entrant.objects.select_related("player"), pk=entrant.pk)
        own = Seat.objects.filter(
            player=found.player_id,
            stands_for__isnull=True,
            round__stage__division__competition=done.competition,
            table__sheets__is_current=True,
        )
        if is_substitute and own.exclude(table__sheets__status=Sheet.Status.VOID).exists():
            raise Refused(_("A player with results cannot become a substitute. Withdraw the player instead."))
        set_substitute_in(done, found, is_substitute=is_substitute)
        done.answer = {"entrant": found.pk}
        return found


def set_substitute_in(done: Change, entrant: Entrant, *, is_substitute: bool) -> None:
    """Part of a change: what ``set_substitute`` writes for a player without a result of their own."""
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
    related = ("table", "round__stage__division__competition", "round__stage__division__rule_set")
    # At the table of the page: a form could name a seat of another competition.
    found = Seat.objects.select_related(*related).filter(pk=seat.pk, table=seat.table_id).first()
    if found is None or (found.player_id, found.stands_for_id) != (seat.player_id, seat.stands_for_id):
        raise OutOfDate(_("The seating of this round has changed since you opened the page. Check it."))
    found.table.round = found.round
    if found.round.status == Round.Status.CLOSED:
        raise Refused(_("This round is closed. Reopen it to change its players."))
    if is_in_dispute([found.table_id]):
        raise Refused(_("This table has an open dispute. Close it first."))
    return found


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(WHY, field="reason")
