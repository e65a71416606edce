"""The referee's desk and its buttons."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can, left_tables
from league.core.pages import Asked, page, posted, presses, reads, save, saves, takes
from league.core.rounds import where_words
from league.core.text import sentences
from league.models import Penalty, Round, Table
from league.people.members.queries import withdrawn_players
from league.play.calls.queries import calls_of
from league.play.disputes.queries import open_disputes
from league.play.hands.queries import penalties_of_hand
from league.play.hands.words.names import hand_choices, hand_words, short_hand_words
from league.play.hands.words.penalties import PenaltyLine, Wordings
from league.play.open_play.queries import to_be_played
from league.referees.desk.forms import DecisionForm, NameHandForm, NextHandForm
from league.referees.desk.queries import (
    bans_by_table,
    chief_competitions,
    day_counts,
    just_logged,
    newest_penalties,
    open_tables,
    requests,
    strays_of,
)
from league.referees.penalties.queries.penalties import SAID
from league.referees.penalties.queries.places import unlisted_name
from league.referees.penalties.queries.referee import needs_chief
from league.referees.penalties.services.decisions import decide_request, undo_penalty
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.words import counts_words, script_words
from league.rules.penalty_rules.words.rulings import expels
from players.models import Player
from scoring.hand_codes import dealt_again, following, is_known, next_unknown
from scoring.rules import Rules

NUMBERS_FROM = 8  # tables; more than these have a grid of their numbers on top


# --- the desk


class NextHand(NamedTuple):
    code: str
    how: str  # the hand ends
    words: str


class Undo(NamedTuple):
    """A penalty that can be undone. `again`: the hand after its redeal, or "" if there is none to come."""

    line: PenaltyLine
    seconds: float
    again: str


@dataclass(frozen=True)
class DeskTable:
    """A table on the desk. ``mine``: left to other referees."""

    table: Table
    lines: list[PenaltyLine]
    nexts: list[NextHand]
    mine: bool
    calls: bool = False

    @property
    def hand(self) -> str:
        return short_hand_words(self.table.hand)

    @property
    def banned(self) -> list[tuple[str, Player]]:
        """Return each ban's name with its player."""
        bans = [(line.ban_name, line.penalty.player) for line in self.lines if line.ban_name]
        return list(dict.fromkeys(bans))

    @property
    def redeals(self) -> bool:
        return any(line.redeal for line in self.lines)

    @property
    def is_held(self) -> bool:
        return bool(self.lines or self.calls or self.table.disputed)  # type: ignore[attr-defined]


class RequestLine(NamedTuple):
    """A request on the desk. `mine`: the reader plays at its table. `may_decide`: has the right to decide."""

    line: PenaltyLine
    mine: bool
    expels: bool
    may_decide: bool


@gzip_page
@reads(Can.REFEREE)
def desk(request: HttpRequest, access: Access) -> HttpResponse:
    return _page(request, access)


def _page(
    request: HttpRequest,
    access: Access,
    *,
    refused: int | None = None,
    decision: DecisionForm | None = None,
) -> HttpResponse:
    """Render the desk. ``refused``: id of the penalty whose ``decision`` has errors."""
    competition, wordings = access.competition, Wordings()
    rounds = list(
        to_be_played(access.rounds().filter(status=Round.Status.OPEN)).order_by(
            "stage__division__position", "-pk"
        )
    )
    tables, bans = open_tables(rounds), bans_by_table(competition)
    calls, disputes, asked = calls_of(competition), open_disputes(competition), requests(competition)
    here = {table for every in tables.values() for table in every}
    about = [each.table_id for waiting in (calls, disputes) for each in waiting]
    mine = left_tables(access.by.pk, [*about, *(table.pk for table in (*here, *bans))])
    for_others = left_tables(access.by.pk, [each.table_id for each in asked], Can.APPROVE)
    for_referees = left_tables(access.by.pk, [each.table_id for each in asked if each.is_of_hands])

    def request_line(penalty: Penalty) -> RequestLine:
        chief = needs_chief(penalty, competition.approval_from)
        others = for_others if chief else for_referees
        may = access.can_approve or not chief
        mine = penalty.table_id in others
        return RequestLine(wordings.line(penalty), mine, expels(penalty), may)

    calls.sort(key=lambda call: call.table_id in mine)

    # After an unknown hand only another unknown one can follow, and only if a penalty restricts this one.
    @cache
    def next_hands(hand: str, rules: Rules, restricts: bool, redeals: bool) -> list[NextHand]:
        return list(_find_next_hands(hand, rules, restricts=restricts, redeals=redeals))

    calling = {call.table_id for call in calls}

    def on_desk(table: Table, rules: Rules) -> DeskTable:
        lines = bans.get(table, [])
        nexts = next_hands(table.hand, rules, bool(lines), any(line.redeal for line in lines))
        return DeskTable(table, lines, nexts, table.pk in mine, table.pk in calling)

    # Tables and rounds that are still being played come first.
    rounds.sort(key=lambda each: all(table.done for table in tables.get(each.pk, [])))
    played = []
    for each in rounds:
        on_it = [on_desk(table, each.stage.division.rules) for table in tables.get(each.pk, [])]
        # Tables with something on them come first, the others stand as in the hall.
        first = sorted(on_it, key=lambda desk_table: not desk_table.is_held)
        played.append((each, where_words(each.stage, each), on_it, first))
    playing = {table.pk for table in here if not table.done}
    undo = just_logged(competition, access.by.pk, timezone.now())
    return page(
        request,
        access,
        "penalties/desk.html",
        calls=calls,
        disputes=disputes,
        undo=[_offer_undo(wordings.line(penalty), left.total_seconds(), playing) for penalty, left in undo],
        logged=Penalty.objects.filter(competition=competition).count(),
        requests=[request_line(each) for each in asked],
        strays=wordings.lines(strays_of(competition)),
        refused=refused,
        decision=decision,
        elsewhere=[on_desk(table, table.rules) for table in bans if table not in here],
        rounds=played,
        with_numbers=len(here) > NUMBERS_FROM,
        gone=withdrawn_players(competition),
        own_tables=mine,
        newest=wordings.lines(newest_penalties(competition)),
        day=day_counts(chief_competitions(access.by)) if access.can_approve else None,
        words=script_words(),
    )


def _offer_undo(line: PenaltyLine, seconds: float, playing: Collection[int]) -> Undo:
    """Offer to undo a penalty. ``playing``: the tables whose game is not over."""
    table = line.penalty.table
    redeals = line.redeal and table is not None and table.pk in playing and table.hand == line.penalty.hand
    again = dealt_again(line.penalty.hand) if redeals else ""
    return Undo(line, seconds, again)


def _find_next_hands(hand: str, rules: Rules, *, restricts: bool, redeals: bool) -> Iterator[NextHand]:
    again = NextHand(dealt_again(hand), _("Deal again"), hand_words(dealt_again(hand)))
    if redeals:
        yield again
    if not is_known(hand):
        if restricts and not redeals:
            yield NextHand(next_unknown(hand), _("Hand ended"), hand_words(next_unknown(hand)))
        return
    ways = (
        (_("Deal stays"), True, False),
        (_("Deal passes"), False, False),
        (_("Draw, deal passes"), False, True),
    )
    for how, stays, is_draw in ways:
        code = following(hand, dealer_stays=stays, is_draw=is_draw, rules=rules)
        if code is not None:
            yield NextHand(code, how, hand_words(code))
    if not redeals:
        yield again


# --- its buttons


@presses(Can.REFEREE, done=gettext_lazy("Undone: the penalty no longer counts."))
def penalty_undo(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(
        partial(undo_penalty, penalty=access.penalty(pk)),
        then=access.address("penalties:desk"),
    )


@takes(Can.REFEREE, shown_on=lambda access, pk: access.address("penalties:desk"))
def penalty_decide(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    penalty, form = access.penalty(pk), DecisionForm(request.POST)
    if needs_chief(penalty, access.competition.approval_from) and not access.can_approve:
        raise PermissionDenied
    approved = request.POST.get("verdict") == "approve"
    counts = sentences([_("Penalty approved."), counts_words(penalty, unlisted=unlisted_name(penalty))])
    return save(
        request,
        form,
        lambda sent: decide_request(penalty=penalty, by=access.by, form=sent, **form.values()),
        about=("decide", pk),
        done=counts if approved else _("Request declined. The penalty does not count."),
        then=access.address("penalties:desk"),
    ) or _page(request, access, refused=pk, decision=form)


def _hand_set(table: Table, hand: str) -> str:
    words = {"table": table.number, "hand": hand_words(hand)}
    return _("Current hand of table %(table)s: %(hand)s.") % words


@presses(Can.REFEREE)
def table_hand(request: HttpRequest, access: Access, pk: int) -> Asked:
    table, form = access.table(pk), NextHandForm(request.POST)
    return Asked(
        partial(set_hand, table=table),
        form,
        done=lambda _answer: _hand_set(table, form.cleaned_data["hand"]),
        then=access.address("penalties:desk"),
    )


@saves(Can.REFEREE, "penalties/hand.html")
def table_hand_name(request: HttpRequest, access: Access, pk: int) -> Asked:
    table = access.table(pk)
    form = NameHandForm(posted(request), deals=hand_choices(table.rules), hand=table.hand)
    lines = Wordings().lines(penalties_of_hand(table).select_related(*SAID))
    redeals = any(line.redeal for line in lines)
    return Asked(
        partial(set_hand, table=table),
        form,
        done=lambda _answer: _hand_set(table, form.values()["hand"]),
        then=access.address("penalties:desk"),
        table=table,
        hand=hand_words(table.hand),
        lines=lines,
        known=is_known(table.hand),
        nexts=list(_find_next_hands(table.hand, table.rules, restricts=bool(lines), redeals=redeals)),
        where=where_words(table.round.stage, table.round, table),
    )
