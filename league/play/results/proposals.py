"""Score sheets from the tables: propose, sign, object, approve.

A proposal does not count. It becomes the table's result with the signatures that the competition asks for, or
when staff approve it.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.access import Can
from league.core.changes import Change, Sent, change
from league.core.errors import Refused
from league.core.own_table import leave_to_others
from league.models import Claim, Competition, Dispute, Proposal, Round, Sheet, Signature, Table
from league.play.calls.services import object_in
from league.play.hands.queries import table_game
from league.play.results.queries.proposals import TableSheet, proposals_of, undecided_penalties
from league.play.results.services import (
    CLOSED,
    OWN_TABLE,
    check_possible,
    confirm_in,
    record_in,
    write_proposal,
)
from players.models import Player
from scoring.checks import check_hands
from scoring.settlement import NO_CHIPS, NOBODY_NAMED, NORTH, Ending, Four, named_pairs

MOST_OBJECTIONS = 12  # to one proposal
CONTRADICTS = _(
    "This score sheet does not agree with the recorded hands. Compare both on the table’s score sheet, then "
    "approve it there."
)
REPLACED = _("This score sheet has been replaced. Read the new one, then sign.")


class OtherProposal(Refused):
    """Another phone typed a different sheet. ``current``: that one."""

    def __init__(self, current: Proposal) -> None:
        super().__init__(_("Another phone has typed different scores. Compare, and keep the correct ones."))
        self.current = current


def propose_sheet(
    *,
    table: Table,
    points: Sequence[int],
    sticks: int = 0,
    last_dealer: int = NORTH,
    sashiuma: Mapping[int, int] = NOBODY_NAMED,
    chips: Four = NO_CHIPS,
    based_on: int,
    seated: Sequence[int],
    by: User | None,
    player: Player | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Proposal:
    """Save the score sheet of a phone as the table's current proposal and return it.

    The facts are those of ``record_result``. ``based_on``: id of the proposal on the page (0: none).
    ``player``: whose phone typed it. The same facts as the current proposal's change nothing. It is recorded
    at once if the competition asks for no signature and takes it without approval.

    Raise ``OtherProposal`` if a different one came between. Raise ``Refused`` if the table has a result, the
    round is not open, the competition takes no sheets, or the sheet is impossible.
    """
    ending = Ending(sticks, last_dealer, named_pairs(sashiuma), chips)
    with change(table, by=by, form=form, at=at) as done:
        now = _read(done, table)
        if not done.competition.takes_sheets:
            raise Refused(_("Tables do not enter their score sheets here. Fill in the paper score sheet."))
        if now.has_result:
            raise Refused(_("This table already has a result. If it is wrong, call a referee."))
        if list(table.seats.order_by("wind").values_list("player_id", flat=True)) != list(seated):
            raise Refused(
                _("The seating of this table has changed. Check the names, then send the score sheet again.")
            )
        check_possible(table, points, ending)
        current = now.proposal
        if current is not None and (current.points, current.ending) == (tuple(points), ending):
            done.is_public, done.answer = False, {"proposal": current.pk}
            return current
        if current is not None and current.pk != based_on:
            raise OtherProposal(current)
        if current is not None:
            current.is_current = False
            current.save(update_fields=["is_current"])
        last = table.proposals.order_by("-number").values_list("number", flat=True).first() or 0
        made = write_proposal(done, table, points, ending, number=last + 1, player=player)
        done.log(
            "sheet.propose",
            f"table:{table.pk}",
            before=_describe(current) if current else None,
            after=_describe(made),
        )
        _finish(done, table)
        done.answer = {"proposal": made.pk}
        return made


def sign(
    *,
    table: Table,
    proposal: int,
    wind: int | None,
    how: str,
    by: User | None,
    player: Player | None = None,
    device: str = "",
    reason: str = "",
    form: Sent | None = None,
    at: datetime | None = None,
) -> Signature:
    """Sign the proposal for a seat, or as staff if ``wind`` is None.

    ``player``: who signs, the player of the seat. Staff sign for a seat with a ``reason``. ``device``: number
    of the phone. A phone that has answered as another player of the table signs as shared. With its last
    signature the sheet is recorded or confirmed, unless the competition waits for approval.

    Raise ``Refused`` if the proposal is not current, if the seat has signed, or if this person may not sign.
    """
    with change(table, by=by, form=form, at=at) as done:
        now = _read_current(done, table, proposal)
        asked = done.competition.signatures
        is_staff = how == Signature.How.STAFF
        _check_signer(done, table, wind, player, asked=asked, is_staff=is_staff)
        if is_staff and wind is not None and not reason.strip():
            raise Refused(_("Give the reason why the player does not sign."), field="reason")
        if wind in now.signed:
            raise Refused(_("This seat has already signed."))
        # A seat that objected may have signed before. Another phone or staff replace what does not count.
        Signature.objects.filter(proposal=proposal, wind=wind, agrees=True).delete()
        made = _answer(done, table, proposal, wind, how, player, device=device, reason=reason.strip())
        _finish(done, table)
        done.answer = {"signature": made.pk}
        return made


def object_to(
    *,
    table: Table,
    proposal: int,
    wind: int,
    how: str,
    by: User | None,
    player: Player,
    device: str = "",
    points: Sequence[int] = (),
    form: Sent | None = None,
    at: datetime | None = None,
) -> Signature:
    """Object to the proposal for a seat, and call a referee.

    ``points``: the four scores as they should be, or nothing. Raise ``Refused`` as ``sign`` does.
    """
    with change(table, by=by, form=form, at=at) as done:
        _read_current(done, table, proposal)
        _check_signer(done, table, wind, player, asked=None)
        objections = Signature.objects.filter(proposal=proposal, agrees=False)
        if objections.count() >= MOST_OBJECTIONS:
            raise Refused(_("This score sheet has many objections. Wait for the referee."))
        if points:
            check_possible(table, points, Ending(table.rules.total_points - sum(points)))
        facts = {"agrees": False, "points": list(points)}
        made = _answer(done, table, proposal, wind, how, player, device=device, **facts)
        object_in(done, table, player, by)
        done.is_public, done.answer = False, {"signature": made.pk}
        return made


def approve_sheets(
    *,
    round_: Round,
    proposals: Sequence[int],
    held: Collection[int] = (),
    despite_hands: bool = False,
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> dict[str, list[int]]:
    """Record and confirm the proposals that have their signatures. Return the tables' numbers as "approved"
    and "left".

    Left are the proposals ``held``, tables with another proposal by now, a missing signature or an objection,
    and those that ``by`` typed or plays at. A sheet that contradicts its hands is left, too, unless
    ``despite_hands``. Raise ``Refused`` with the reason if none is approved.
    """
    with change(round_, by=by, form=form, at=at) as done:
        tables = Table.objects.with_rules().filter(round=round_, proposals__in=proposals)
        result: dict[str, list[int]] = {"approved": [], "left": []}
        reasons: dict[int, Refused] = {}
        for table in tables.distinct().order_by("number"):
            try:
                _approve(done, table, {*proposals} - {*held}, by, despite_hands=despite_hands)
                result["approved"].append(table.number)
            except Refused as refusal:
                reasons[table.number] = refusal
                result["left"].append(table.number)
        if not result["approved"]:
            raise next(iter(reasons.values()), Refused(REPLACED))
        why = [(number, str(each)) for number, each in reasons.items() if each.message is not REPLACED]
        done.answer = {**result, "why": why}
        return result


def _approve(
    done: Change, table: Table, proposals: Collection[int], by: User, *, despite_hands: bool
) -> None:
    now = _read(done, table)
    sheet = now.proposal
    if sheet is None or sheet.pk not in proposals:
        raise Refused(REPLACED)
    if now.objections:
        raise Refused(_("A player objects to this score sheet. Settle the objection first."))
    if Dispute.objects.filter(table=table, closed_at=None).exists():
        raise Refused(_("A dispute is open at this table. Settle it first."))
    if undecided_penalties([table]).exists():
        raise Refused(_("A penalty of this table awaits a referee’s decision. Decide it first."))
    if not now.is_complete:
        raise Refused(_("Signatures are missing. Sign for the players who left, with the reason."))
    leave_to_others(done, OWN_TABLE, table=table, need=Can.STAFF, but=[sheet.user_id])
    if sheet.user_id == by.pk:
        raise Refused(_("You typed this score sheet. Ask a second person to approve it."))
    game = table_game(table).game
    if check_hands(sheet.points, sheet.ending, game) and game is not None:
        if not despite_hands:
            raise Refused(CONTRADICTS)
        kept = {"points": list(sheet.points), "hands": list(game.points), "deposits": game.deposits}
        done.log("sheet.despite_hands", f"table:{table.pk}", after=kept)
    if sheet.sheet is None:
        _record(done, table, sheet, by)
    elif sheet.sheet.status == Sheet.Status.ENTERED:
        confirm_in(done, table, sheet.sheet, by)
    else:
        raise Refused(_("This score sheet is already confirmed."))


def count_signed_sheet(done: Change, table: Table) -> None:
    """Count the sheet of a table if a decision about the table was all that held it. Any change may call."""
    status = Round.objects.filter(pk=table.round_id).values_list("status", flat=True).first()
    if status == Round.Status.OPEN:
        answer = done.answer
        _count(done, table)
        done.answer = answer


def _finish(done: Change, table: Table) -> None:
    if not _count(done, table):
        done.is_public = False


def _count(done: Change, table: Table) -> bool:
    """Record a proposal that has all signatures, if the competition counts it without approval.

    Staff approve one that contradicts the recorded hands, and one of a table with an undecided penalty.
    Return whether it was recorded or confirmed.
    """
    now = _read(done, table)
    sheet = now.proposal
    if sheet is None or not now.is_complete or not done.competition.signed_counts:
        return False
    if undecided_penalties([table]).exists():
        return False
    if check_hands(sheet.points, sheet.ending, table_game(table).game):
        return False
    if sheet.sheet is None:
        _record(done, table, sheet, None)
        return True
    if sheet.sheet.status == Sheet.Status.ENTERED:
        confirm_in(done, table, sheet.sheet, None)
        return True
    return False


def _record(done: Change, table: Table, proposal: Proposal, by: User | None) -> None:
    void = Sheet.objects.current().filter(table=table).values_list("pk", flat=True).first()
    record_in(
        done, table, proposal.points, proposal.ending, based_on=void or 0, signed=proposal, confirmed_by=by
    )


def _read(done: Change, table: Table) -> TableSheet:
    """Return the answers as they are under the lock. Raise ``Refused`` unless the round is open."""
    status = Round.objects.filter(pk=table.round_id).values_list("status", flat=True).first()
    if status == Round.Status.PLANNED:
        raise Refused(_("This round has not started yet."))
    if status != Round.Status.OPEN:
        raise Refused(CLOSED)
    table.round.stage.division.competition = done.competition
    return proposals_of([table])[table.pk]


def _read_current(done: Change, table: Table, proposal: int) -> TableSheet:
    now = _read(done, table)
    if now.proposal is None or now.proposal.pk != proposal:
        raise Refused(REPLACED)
    if now.has_result and not now.waits_again:
        raise Refused(_("This score sheet is recorded. If it is wrong, call a referee."))
    return now


def _check_signer(
    done: Change,
    table: Table,
    wind: int | None,
    player: Player | None,
    *,
    asked: str | None,
    is_staff: bool = False,
) -> None:
    if asked == Competition.Signatures.NONE:
        raise Refused(_("This competition asks for no signatures."))
    if is_staff:
        leave_to_others(done, OWN_TABLE, table=table, need=Can.STAFF)
    by_staff = asked == Competition.Signatures.STAFF
    if asked is not None and by_staff != (wind is None):
        raise Refused(
            _("Here a referee or staff member signs the score sheet.")
            if by_staff
            else _("Here the players sign the score sheet. Choose the seat.")
        )
    if wind is not None and not table.seats.filter(wind=wind, player=player).exists():
        raise Refused(_("Only the four players of this table sign, each for their own seat."))
    if wind is None and not is_staff:
        raise Refused(_("Here a referee or staff member signs the score sheet."))


def _answer(
    done: Change,
    table: Table,
    proposal: int,
    wind: int | None,
    how: str,
    player: Player | None,
    *,
    device: str,
    **more: object,
) -> Signature:
    made = Signature(
        proposal_id=proposal, wind=wind, how=how, player=player, user=done.by, at=done.at, **more
    )
    if how != Signature.How.STAFF:
        made.device = device
        _mark_shared(made, table)
    made.save()
    said = {
        **({} if wind is None else {"wind": wind}),
        **({"player": player.pk} if player else {}),
        "how": str(made.how),
        **({"points": made.points} if made.points else {}),
        **({"reason": made.reason} if made.reason else {}),
    }
    done.log("sheet.sign" if made.agrees else "sheet.object", f"table:{table.pk}", after=said)
    return made


def _mark_shared(made: Signature, table: Table) -> None:
    """Mark an answer for a seat if its phone has answered as that of another player of the table.

    An account proves its own player. So the answers that its phone gave as another player's are marked
    instead.
    """
    others = Signature.objects.filter(proposal__table=table, device=made.device).exclude(wind=made.wind)
    others = others.exclude(how=Signature.How.SHARED)
    if not made.device or not others.exists():
        return
    if made.how == Signature.How.PHONE:
        made.how = Signature.How.SHARED
    elif made.how == Signature.How.ACCOUNT:
        others.filter(how=Signature.How.PHONE, proposal__is_current=True).update(how=Signature.How.SHARED)


def _describe(proposal: Proposal) -> dict[str, object]:
    return {
        "points": list(proposal.points),
        "sticks": proposal.sticks,
        **({"player": proposal.player_id} if proposal.player_id else {}),
        **({"chips": list(proposal.chips)} if any(proposal.chips) else {}),
    }


def take_over_signatures(competition: Competition, *, keep: int, gone: int) -> None:
    """Move score sheets and signatures of a merged player. Both never sat at one table."""
    here = Proposal.objects.of(competition)
    here.filter(player=gone).update(player=keep)
    Signature.objects.filter(proposal__in=here.values("pk"), player=gone).update(player=keep)
    claims = Claim.objects.of(competition)
    claims.filter(player=gone).update(player=keep)
