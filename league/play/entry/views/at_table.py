"""A table's score sheet on a phone: type it, sign it, object to it.

Each POST redirects only if it is saved. Otherwise the page comes back with status 409 or 422, as in
``league.play.entry.views.saving``, on which the script of the outbox relies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.counted import shown_penalties
from league.core.errors import AlreadyDone, Refused
from league.core.me import Me, find_me, phone_of, remember_phone
from league.core.messages import sheet_problem
from league.core.pages import page, posted, press, takes, writes
from league.core.rounds import closed_words
from league.models import Competition, Dispute, Penalty, Proposal, Round, Sheet, Signature, Table
from league.play.disputes.panels import versions_at
from league.play.disputes.queries import disputes_at
from league.play.entry.forms.sheets import AnswerForm, SheetForm
from league.play.entry.panels import SheetPanel, as_typed, kept_by, panel, press_approval
from league.play.entry.views.saving import CONFLICT, find_result
from league.play.hands.queries import table_game
from league.play.hands.words.penalties import PenaltyLine, penalty_lines
from league.play.results import proposals
from league.play.results.queries.proposals import TableSheet, proposals_of
from league.play.results.queries.tables import TableResult
from league.play.results.words import asked_words, ending_words, script_words
from scoring.checks import check_hands
from scoring.rules import Rules

PAGE = "entry/at_table.html"


@dataclass(frozen=True)
class Phone:
    """A phone on the page of a table's sheet. ``wind``: the seat of its player, or None.

    ``writes``: it types and answers: a phone at the table that says whose it is, a player's account, staff.
    ``device``: its number.
    """

    access: Access
    result: TableResult
    sheet: TableSheet
    me: Me | None
    wind: int | None
    writes: bool
    device: str

    @property
    def table(self) -> Table:
        return self.result.table

    @property
    def rules(self) -> Rules:
        return self.table.rules

    def how(self, wind: int | None) -> str:
        """Return how this phone signs for the seat."""
        if self.wind is None:
            return Signature.How.STAFF
        if self.me is None or wind != self.wind:
            return Signature.How.SHARED
        return Signature.How.ACCOUNT if self.me.is_proved else Signature.How.PHONE

    @property
    def signs_for(self) -> Sequence[int]:
        """Return the seats that this phone can sign for, once each."""
        if self.wind is None:
            return ()
        seats = range(4) if self.access.competition.one_phone else (self.wind,)
        here = {wind for wind, each in self.sheet.uncounted.items() if each.device == self.device}
        return [wind for wind in seats if wind not in here]

    @property
    def address(self) -> str:
        return self.access.address("results:at_table", self.table.pk)


def _phone(request: HttpRequest, access: Access, pk: int) -> Phone:
    result, me = find_result(access, pk), find_me(request, access)
    table = result.table
    seats = enumerate(result.players)
    wind = next((w for w, who in seats if me and who and who.player == me.entrant.player_id), None)
    writes = access.is_at(table) and (wind is not None or access.is_staff)
    sheet = proposals_of([table])[pk] if writes else TableSheet()
    return Phone(access, result, sheet, me, wind, writes, phone_of(request))


# --- its page


@writes(Can.VIEW)
def at_table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show the table's sheet to read and sign, or to type. `?type` types another one. `?from=hands` fills it
    from the hands that were kept.
    """
    phone, theirs = _phone(request, access, pk), None
    form = SheetForm(posted(request), rules=phone.rules)
    if phone.writes and form.is_valid():
        try:
            _write(phone, form, objects="objects" in request.POST)
            return _saved(phone)
        except AlreadyDone:
            return _saved(phone)
        except proposals.OtherProposal as other:
            theirs = other.current
        except Refused as refusal:
            form.add_error(None, str(refusal))
            form.is_refused = True
        phone = _phone(request, access, pk)
    typed = _typed_before(request, phone)
    objects = (
        bool({"objects", "wrong"} & (request.POST if form.is_bound else request.GET).keys())
        and phone.sheet.proposal is not None
    )
    types = form.is_bound or phone.sheet.proposal is None or "type" in request.GET or objects or bool(typed)
    may_type = phone.writes and access.competition.takes_sheets and not phone.sheet.has_result
    values = _values(phone)
    if types and may_type:
        values |= {"panel": _panel(phone, form, typed), "theirs": theirs, "mine": form if theirs else None}
        values["objects"] = objects and phone.wind is not None
    return page(request, access, PAGE, status=CONFLICT if theirs else 0, **values)


def _saved(phone: Phone) -> HttpResponse:
    answer = HttpResponseRedirect(phone.address)
    remember_phone(answer, phone.access, phone.device)
    return answer


def _write(phone: Phone, form: SheetForm, *, objects: bool) -> None:
    """Propose the sheet, or object to the one on the page with its points as they should be."""
    player = phone.me.entrant.player if phone.me and phone.wind is not None else None
    if objects and player is not None and phone.wind is not None:
        proposals.object_to(
            table=phone.table,
            proposal=form.cleaned_data["based_on"],
            wind=phone.wind,
            how=phone.how(phone.wind),
            by=_by(phone),
            player=player,
            device=phone.device,
            points=form.points,
            form=form.submission("objection", phone.table.pk),
        )
        return
    facts = {name: value for name, value in form.values().items() if name != "reason"}
    sent = form.submission("proposal", phone.table.pk)
    proposals.propose_sheet(table=phone.table, **facts, by=_by(phone), player=player, form=sent)


def _panel(phone: Phone, form: SheetForm, typed: Mapping[str, str]) -> SheetPanel:
    """Return the form's panel.

    A form with errors of its own keeps its base. A refused one is sent again based on the current proposal.
    """
    made = panel(phone.result, form, typed=typed)
    kept = form.is_bound and not form.is_valid() and not form.is_refused
    based_on = form.cleaned_data.get("based_on", phone.sheet.seen) if kept else phone.sheet.seen
    return replace(made, based_on=based_on, needs_reason=False)


def _typed_before(request: HttpRequest, phone: Phone) -> dict[str, str]:
    if phone.sheet.proposal is None or request.GET.get("from") == "hands":
        return kept_by(table_game(phone.table).game)
    found = phone.sheet.proposal if {"type", "wrong"} & request.GET.keys() else None
    return as_typed(found.points, found.ending) if found else {}


def _values(phone: Phone) -> dict[str, Any]:
    access, table, result, sheet = phone.access, phone.table, phone.result, phone.sheet
    division = table.round.stage.division
    facts = result.sheet if sheet.has_result and result.sheet else sheet.proposal
    seats = facts.settled(division.rules, late=result.late) if facts else ()
    asked = access.competition.signatures
    is_open = table.round.status == Round.Status.OPEN
    answers = phone.writes and facts is not None and is_open and (not sheet.has_result or sheet.waits_again)
    by_seats = asked in {Competition.Signatures.FOUR, Competition.Signatures.WINNER}
    return {
        "parent": "core/at_table.html",
        "table": table,
        "round": table.round,
        "closed_words": closed_words(table.round),
        "phone": phone,
        "lines": _lines(result.players, seats, sheet, own=phone.wind),
        "facts": facts,
        "endings": ending_words(facts.ending, division.rules) if facts else [],
        "own": seats[phone.wind] if seats and phone.wind is not None else None,
        "asked": asked_words(asked),
        "claims": _claims(phone),
        "may_sign": phone.signs_for if answers and by_seats else (),
        "goes_round": access.competition.one_phone,
        "may_object": answers and phone.wind is not None,
        "may_sign_for": answers and phone.wind is None,
        "by_staff": asked == Competition.Signatures.STAFF,
        "missing": [wind for wind in range(4) if wind not in sheet.signed] if by_seats else [],
        "may_type": phone.writes and access.competition.takes_sheets and not sheet.has_result and is_open,
        "may_approve": access.is_staff and sheet.is_complete and not access.sits_at(table),
        **_notes(phone),
        "witness": _witness(phone, facts) if facts and phone.writes else None,
        "suggests": access.competition.suggest_fourth,
        "act": {
            "sheet": phone.address,
            "sign": access.address("results:sign", table.pk),
            "object": access.address("results:object", table.pk),
            "approve": access.address("results:approve", table.round_id),
            "preview": access.address("results:preview", table.round_id),
            "back": access.address("calls:table", table.pk),
        },
        "total_points": division.rules.total_points,
        "versions": versions_at(access, table),
        "words": script_words(),
    }


def _witness(phone: Phone, facts: Proposal | Sheet) -> dict[str, Any] | None:
    """Return how a sheet contradicts the recorded hands: sentences, and both columns. One query."""
    game = table_game(phone.table).game
    problems = check_hands(facts.points, facts.ending, game)
    if game is None or not problems:
        return None
    lines = list(zip(range(4), facts.points, game.points, strict=True))
    said = [sheet_problem(each) for each in problems]
    return {"said": said, "lines": lines, "sticks": facts.sticks, "deposits": game.deposits}


def _lines(players: Any, seats: Any, sheet: TableSheet, *, own: int | None) -> list[dict[str, Any]]:
    """Return the four seats, the own one first to the eye, each with its answer to the proposal."""
    objections = {each.wind: each for each in sheet.objections}
    return [
        {
            "wind": wind,
            "player": players[wind],
            "seat": seats[wind] if seats else None,
            "signed": sheet.signed.get(wind),
            "uncounted": sheet.uncounted.get(wind),
            "objection": objections.get(wind),
            "is_own": wind == own,
        }
        for wind in range(4)
    ]


def _claims(phone: Phone) -> list[dict[str, Any]]:
    """Return the objections that say the points as they should be, with the fields to propose them."""
    proposal, claims = phone.sheet.proposal, []
    for each in phone.sheet.objections:
        if proposal is not None and each.points:
            sticks = phone.rules.total_points - sum(each.points)
            fields = as_typed(each.points, proposal.ending._replace(sticks=sticks))
            seated = "-".join(str(seat.player_id) for seat in phone.result.sitting)
            fields |= {"number": str(phone.table.number), "based_on": str(proposal.pk), "seated": seated}
            claims.append({"wind": each.wind, "points": each.points, "fields": fields})
    return claims


def _notes(phone: Phone) -> dict[str, Any]:
    """Return the penalties of the game, and whether a decision about it is pending.

    A phone that only claims a player reads what visitors read, and that something is pending.
    """
    if not phone.writes:
        return {"penalties": [], "pending": False}
    table, inside = phone.table, phone.access.is_staff or bool(phone.me and phone.me.is_proved)
    here = Penalty.objects.filter(table=table, revoked_at=None).exclude(status=Penalty.Status.DECLINED)
    shown = shown_penalties(here, public=not inside).select_related("player").order_by("pk")
    lines: list[PenaltyLine] = penalty_lines(shown, table.round.stage.division.rule_set)
    disputes: list[Dispute] = [each for each in disputes_at(table) if each.closed_at is None]
    asked = here.filter(status=Penalty.Status.REQUESTED).exists()
    return {"penalties": lines, "pending": asked or bool(disputes)}


# --- answers


@takes(Can.VIEW, shown_on=lambda access, pk: access.address("results:at_table", pk))
def sign_sheet(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    phone, form = _phone(request, access, pk), AnswerForm(request.POST)

    def write(sent: Any) -> object:
        wind = form.cleaned_data["wind"]
        return proposals.sign(
            table=phone.table,
            **form.values(),
            how=phone.how(wind),
            by=_by(phone),
            player=None if wind is None else _player_at(phone, wind),
            device=phone.device,
            form=sent,
        )

    return _answer(request, phone, form, write, about="sign")


@takes(Can.VIEW, shown_on=lambda access, pk: access.address("results:at_table", pk))
def object_to_sheet(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    phone, form = _phone(request, access, pk), AnswerForm(request.POST)

    def write(sent: Any) -> object:
        wind = form.cleaned_data["wind"] if form.cleaned_data["wind"] is not None else phone.wind
        if wind is None or phone.wind is None:
            raise Refused(_("Only the four players of this table object here."))
        return proposals.object_to(
            table=phone.table,
            proposal=form.cleaned_data["proposal"],
            wind=wind,
            how=phone.how(wind),
            by=_by(phone),
            player=_player_at(phone, wind),
            device=phone.device,
            form=sent,
        )

    return _answer(request, phone, form, write, about="object")


def _answer(request: HttpRequest, phone: Phone, form: AnswerForm, write: Any, *, about: str) -> HttpResponse:
    """Save the answer. The page itself shows it, so no message takes its place."""
    if not phone.writes:
        form.is_valid()
        again = _("Scan the code on the table again, then tap your name.")
        form.add_error(None, closed_words(phone.table.round) or again)
    answer = press(request, write, form=form, about=(about, phone.table.pk), done="", back=phone.address)
    remember_phone(answer, phone.access, phone.device)
    return answer


def _by(phone: Phone) -> Any:
    return phone.access.by if phone.access.user.is_authenticated else None


def _player_at(phone: Phone, wind: int) -> Any:
    return next((seat.player for seat in phone.table.seats.filter(wind=wind).select_related("player")), None)


@takes(Can.STAFF, shown_on=lambda access, pk: access.address("rounds:round", pk))
def approve(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Approve signed sheets of a round: one from its page, or many at once."""
    return press_approval(request, access, access.round(pk), back=access.address("rounds:round", pk))
