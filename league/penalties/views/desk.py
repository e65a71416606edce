"""The referee's desk: what waits for a referee, the tables that are being played, what was logged last."""

import uuid
from dataclasses import dataclass, field

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from league.calls.queries import calls_of
from league.core.access import Access, Can, enter, plays_at
from league.core.forms import attempt
from league.core.pages import number_in, press, takes
from league.core.qr import qr_code
from league.core.rounds import rules_at
from league.disputes.queries import open_disputes
from league.models import Penalty, Round, Stage, Table
from league.open_play.queries import to_be_played
from league.penalties.forms import DecisionForm, HandForm
from league.penalties.queries.desk import (
    Banned,
    bans_by_table,
    just_logged,
    most_tables,
    newest_penalties,
    open_tables,
    own_players,
    tables_numbered,
)
from league.penalties.queries.referee import requests
from league.penalties.services import approve_request, decline_request, set_hand, undo_penalty
from league.penalties.views.where import where
from league.penalties.words.hands import hand_words
from league.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from scoring.hand_codes import following

MOST_CODES = 500
MOST_TYPED = 20  # characters of what was typed that are said again
UNPROCESSABLE = 422
SEARCH_FROM = 8  # tables, from which on a number can be typed


# --- the desk


@dataclass(frozen=True)
class Line:
    """A penalty as the desk shows it. ``key`` is for the form of its buttons."""

    penalty: Penalty
    offence: str
    level: str
    hand: str
    seconds: float = 0  # within which it can be taken back
    key: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True)
class HandLine:
    """A table's hand with its bans, and the hands that may follow: code, how it ended, what it is called."""

    banned: Banned
    hand: str
    lines: list[Line]
    nexts: list[tuple[str, str, str]]
    mine: bool
    key: uuid.UUID = field(default_factory=uuid.uuid4)


@gzip_page
@never_cache
@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What waits for a referee, the tables that are being played, and what was logged last."""
    access = enter(request.user, slug, Can.REFEREE)
    number, typed = number_in(request.GET, "table"), request.GET.get("table", "")
    if number is not None and tables_numbered(number, access.rounds()):
        return redirect("penalties:table_door", slug, number)
    return _page(request, access, unknown=typed[:MOST_TYPED])


def _page(
    request: HttpRequest,
    access: Access,
    *,
    refused: tuple[int, DecisionForm] | None = None,
    unknown: str = "",
) -> HttpResponse:
    """The desk. ``refused``: on which penalty a decision was refused, and its form; ``unknown``: what was
    typed as a table's number, and no table has it.
    """
    competition, books = access.competition, Books()
    own = own_players(access.by.pk, competition)
    rounds = list(to_be_played(access.rounds().filter(status=Round.Status.OPEN)).order_by("-pk"))
    banned = bans_by_table(competition)
    tables = open_tables(rounds, [p for each in banned for p in each.penalties], own)
    mine = {line.table.pk for lines in tables.values() for line in lines if line.mine}
    undo = just_logged(competition, access.by.pk, timezone.now())
    context = {
        "access": access,
        "competition": competition,
        "calls": calls_of(competition),
        "disputes": open_disputes(competition),
        "undo": [books.line(penalty, seconds=left.total_seconds()) for penalty, left in undo],
        "requests": [(books.line(penalty), penalty.table_id in mine) for penalty in requests(competition)],
        "refused": refused[0] if refused else None,
        "decision": refused[1] if refused else None,
        "hands": [_hand_line(each, books, each.table.pk in mine) for each in banned],
        "rounds": [(each, where(each.stage, each), tables.get(each.pk, [])) for each in rounds],
        "with_search": sum(len(lines) for lines in tables.values()) > SEARCH_FROM,
        "unknown": unknown,
        "newest": [books.line(penalty) for penalty in newest_penalties(competition)],
        "words": words(),
    }
    return render(request, "penalties/desk.html", context, status=UNPROCESSABLE if refused else 200)


class Books:
    """The books of a page's penalties, each read once."""

    def __init__(self) -> None:
        self._found: dict[int, PenaltyRules] = {}

    def line(self, penalty: Penalty, *, stage: Stage | None = None, seconds: float = 0) -> Line:
        """``stage`` where the penalty's own was not fetched."""
        rule_set = (stage or penalty.stage).division.rule_set
        if rule_set.pk not in self._found:
            self._found[rule_set.pk] = penalty_rules_of(rule_set)
        book = self._found[rule_set.pk].wording(penalty.infraction, penalty.level)
        return Line(
            penalty=penalty,
            offence=book.offence(penalty.infraction),
            level=level_name(penalty.level, book),
            hand=hand_words(penalty.hand),
            seconds=seconds,
        )


def _hand_line(banned: Banned, books: Books, mine: bool) -> HandLine:
    return HandLine(
        banned=banned,
        hand=hand_words(banned.hand),
        lines=[books.line(penalty, stage=banned.table.round.stage) for penalty in banned.penalties],
        nexts=_next_hands(banned.table, banned.hand),
        mine=mine,
    )


def _next_hands(table: Table, hand: str) -> list[tuple[str, str, str]]:
    """The hands that may follow this one; none after the last hand that the rules may play."""
    rules = rules_at(table)
    ways = (
        (_("Dealer stays"), True, False),
        (_("Deal passes"), False, False),
        (_("Draw, deal passes"), False, True),
    )
    found = [(following(hand, dealer_stays=s, drawn=d, rules=rules), how) for how, s, d in ways]
    return [(code, how, hand_words(code)) for code, how in found if code is not None]


@require_safe
def table_door(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Where the code on a table leads: a referee to a penalty at its game, everybody else to its page."""
    access = enter(request.user, slug)
    found = tables_numbered(number, access.rounds())
    if not found:
        raise Http404
    doors = [(where(table.round.stage, table.round, table), _behind(access, table)) for table in found]
    if len(doors) == 1:
        return redirect(doors[0][1])
    context = {"access": access, "competition": access.competition, "number": number, "doors": doors}
    return render(request, "penalties/table_door.html", context)


def _behind(access: Access, table: Table) -> str:
    slug = access.competition.slug
    if access.can_referee and not plays_at(access.by.pk, table):
        return f"{reverse('penalties:new', args=[slug])}?table={table.pk}"
    return reverse("results:table", args=[slug, table.pk])


# --- buttons


@takes(Can.REFEREE)
def penalty_undo(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    penalty = access.penalty(pk)
    return press(
        request,
        lambda form: undo_penalty(penalty=penalty, by=access.by, form=form),
        about=("undo", pk),
        done=_("Taken back: the penalty counts no more."),
        back=access.address("penalties:desk"),
    )


@require_POST
def penalty_decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The chief referee approves a request or declines it."""
    access = enter(request.user, slug, Can.APPROVE)
    penalty, form = access.penalty(pk), DecisionForm(request.POST)
    if not (form.is_valid() and attempt(form, lambda: _decide(access, penalty, form))):
        return _page(request, access, refused=(pk, form))
    approved = form.cleaned_data["verdict"] == "approve"
    messages.success(request, _("Approved: it counts now.") if approved else _("Declined: it never counts."))
    return redirect("penalties:desk", slug)


def _decide(access: Access, penalty: Penalty, form: DecisionForm) -> list[Penalty]:
    sent_form = form.submission("decide", penalty.pk)
    if form.cleaned_data["verdict"] == "approve":
        return approve_request(penalty=penalty, by=access.by, form=sent_form)
    return decline_request(penalty=penalty, reason=form.cleaned_data["reason"], by=access.by, form=sent_form)


@takes(Can.REFEREE)
def table_hand(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The hand is over: the table plays the one that the button names; bans of the one before have ended."""
    table, form = access.table(pk), HandForm(request.POST)
    hand = request.POST.get("hand", "")
    return press(
        request,
        lambda sent: set_hand(table=table, hand=hand, by=access.by, form=sent),
        form=form,
        about=("hand", pk, hand),
        done=_("Table %(table)s plays %(hand)s.") % {"table": table.number, "hand": hand_words(hand)},
        back=access.address("penalties:desk"),
    )


def words() -> dict[str, str]:
    """The sentences of the script, by name."""
    return {
        "unsent": _("Not sent yet: {what}. It will be sent when the network is back."),
        "stopped": _("Not logged: {what}. {why}"),
        "refused": _("Not sent: {what}. Open this page again: you may have been signed out."),
        "sent": _("Logged: {what}."),
        "send": _("Send now"),
        "look": _("Look at it"),
        "reload": _("Open the page again"),
        "discard": _("Throw away"),
        "discard-sure": _("Really throw away?"),
        "desk": _("To the desk"),
        "seconds": _("{seconds} s"),
    }


@require_safe
def table_codes(request: HttpRequest, slug: str) -> HttpResponse:
    """A sheet to print: for each table number a code that leads to the table's game, round after round."""
    access = enter(request.user, slug, Can.REFEREE)
    numbers = range(1, min(most_tables(access.competition), MOST_CODES) + 1)
    doors = [(number, reverse("penalties:table_door", args=[slug, number])) for number in numbers]
    codes = [(number, qr_code(request.build_absolute_uri(address)), address) for number, address in doors]
    context = {"access": access, "competition": access.competition, "codes": codes}
    return render(request, "penalties/table_codes.html", context)
