"""The door of a table: its codes, the code of its round, and its page on a phone."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.forms import CharField, ChoiceField, Form, HiddenInput, TextInput
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core import changes
from league.core.access import Access, Can, visible_competitions
from league.core.door import (
    find_card,
    find_sheet,
    find_typed,
    has_card,
    is_round_code,
    opens,
    scanned_card,
    scanned_sheet,
    short_code,
    shown_code,
    table_code,
)
from league.core.errors import Refused
from league.core.forms import KeyedForm, from_model
from league.core.me import Me, find_me, phone_of, remember_me, remember_phone
from league.core.network import client_address
from league.core.pages import (
    TABLES_A_PAGE,
    number_in,
    page,
    paged,
    posted,
    reads,
    refuse_for_now,
    save,
    takes,
    writes,
)
from league.core.qr import qr_code, remember_scan
from league.core.rounds import closed_words, where_words
from league.core.text import without_scheme
from league.models import Call, Competition, Round, SecurityEvent, Table
from league.people.accounts.queries import round_code_name, seconds_until_code, seconds_until_round_code
from league.people.accounts.services import note_event
from league.people.members.queries import seats_with_people, who_sits
from league.play.calls import queries
from league.play.calls.services import claim_seat, tell_staff
from league.play.disputes.panels import table_desk
from league.play.disputes.services import open_dispute
from league.play.open_play.queries import to_be_played
from league.play.results.queries.proposals import proposals_of

MOST_CODES = 500
_SCAN_AGAIN = gettext_lazy("Scan the code on the table again, then tap your name.")


class CodeForm(Form):
    code = CharField(
        label=gettext_lazy("Code of your table"),
        max_length=40,
        widget=TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
        help_text=gettext_lazy("Eight letters and digits, printed below the QR code."),
    )


class RoundCodeForm(Form):
    digits = CharField(
        label=gettext_lazy("Code of this round"),
        max_length=20,
        widget=TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
        help_text=gettext_lazy("Five digits, on the screens and papers in the hall. Staff have it, too."),
    )


class TellForm(KeyedForm):
    kind = ChoiceField(choices=Call.Kind.choices[1:], widget=HiddenInput)
    note = from_model(Call, "note", label=gettext_lazy("Message in one sentence"))


# --- in


@reads()
def door(request: HttpRequest, access: Access, number: int, code: str = "") -> HttpResponse:
    """Lead a phone with a code to its table, and referees to a new penalty.

    The card of a table leads to the round that is on in its division. A sheet leads to the table of its own
    round, and lets the phone in while that is open. ``?division=a`` narrows an address without a code.
    """
    rounds = access.rounds()
    if sheet := find_sheet(code, queries.numbered_tables(number, rounds)) if code else None:
        answer: HttpResponse = redirect(_behind(access, sheet, has_code=True))
        _remember(answer, access, scanned_sheet(sheet))
        return answer
    card = find_card(code, number, access.competition.divisions.select_related("competition"))
    division = request.GET.get("division", "").replace("\0", "")
    if card or division:
        rounds = rounds.filter(stage__division__slug=card.slug if card else division)
    tables = queries.tables_numbered(number, to_be_played(rounds))
    if not tables:
        raise Http404
    doors = [
        (where_words(table.round.stage, table.round, table), _behind(access, table, has_code=bool(card)))
        for table in tables
    ]
    if len(doors) == 1:
        ((_words, address),) = doors
        answer = redirect(address)
    else:
        answer = page(request, access, "calls/door.html", number=number, doors=doors)
    if card:
        _remember(answer, access, scanned_card(tables[0], before=access.code))
    elif code:
        messages.warning(request, _("This code is no longer valid. Use the code on the table."))
    return answer


def _behind(access: Access, table: Table, *, has_code: bool) -> str:
    if access.can_referee and not access.leaves(table):
        return f"{access.address('penalties:new')}?table={table.pk}"
    return access.address("calls:table" if has_code else "results:table", table.pk)


def _remember(answer: HttpResponse, access: Access, kept: str) -> None:
    remember_scan(answer, kept, below=access.address("standings:competition"))


@writes(Can.VIEW)
def type_code_here(request: HttpRequest, access: Access) -> HttpResponse:
    return _type_code(request, access)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def type_code(request: HttpRequest) -> HttpResponse:
    """Take a table's short code, of any competition that is being played."""
    return _type_code(request, None)


def _type_code(request: HttpRequest, access: Access | None) -> HttpResponse:
    form, address = CodeForm(posted(request)), client_address(request)
    here = access.competition.slug if access else ""
    if form.is_bound and (seconds := seconds_until_code(address, here)):
        return refuse_for_now(request, "calls/code_later.html", seconds)
    if form.is_valid():
        if place := find_typed(
            form.cleaned_data["code"], queries.tables_to_type(_competitions(request, access))
        ):
            division, number = place
            there = Access(division.competition, frozenset(), request.user)
            return redirect(there.address("calls:door_code", number, table_code(division, number)))
        note_event(SecurityEvent.Kind.CODE, name=here, address=address)
        form.add_error(
            "code",
            _("No table has this code. Compare it letter by letter, or ask staff for the code."),
        )
    return page(request, access, "calls/type_code.html", form=form, parent=_parent(access))


def _parent(access: Access | None) -> str:
    return "core/competition.html" if access else "base.html"


def _competitions(request: HttpRequest, access: Access | None) -> Any:
    if access:
        return Competition.objects.filter(pk=access.competition.pk)
    return queries.in_play().filter(pk__in=visible_competitions(request.user).values("pk"))


@reads(Can.REFEREE)
def codes(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the codes of all tables, to print and cut."""
    most = queries.most_tables(access.competition)
    tables = [
        (number, division) for division, count in most for number in range(1, min(count, MOST_CODES) + 1)
    ]
    here = paged(request, tables, TABLES_A_PAGE)
    rows = []
    for number, division in here:
        division.competition = access.competition
        address = access.address("calls:door_code", number, table_code(division, number))
        name = division.name if len(most) > 1 else ""
        short = shown_code(short_code(division, number))
        rows.append((number, name, qr_code(request.build_absolute_uri(address)), address, short))
    typed_at = without_scheme(request.build_absolute_uri(reverse("calls:type_code")))
    return page(
        request,
        access,
        "calls/codes.html",
        shown=here,
        codes=rows,
        typed_at=typed_at,
        round_codes=queries.round_codes(to_be_played(access.rounds())),
    )


# --- at the table


@reads()
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show the table on a phone: who sits where, clock, sheet, call, messages."""
    return _table_page(request, access, access.table(pk), TellForm())


@takes(Can.VIEW)
def claim(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Make a phone at the table remember who of the four it belongs to."""
    table, number = access.table(pk), number_in(request.POST, "player")
    entrant = access.entrant(number) if number is not None else None
    answer = HttpResponseRedirect(access.address("calls:table", pk))
    if entrant and opens(table, access.code) and table.seats.filter(player=entrant.player_id).exists():
        phone = phone_of(request)
        by = access.user if isinstance(access.user, User) else None
        try:
            claim_seat(table=table, player=entrant.player, device=phone, by=by)
        except Refused as refusal:
            messages.error(request, str(refusal))
            return answer
        remember_me(answer, access, entrant)
        remember_phone(answer, access, phone)
    else:
        messages.error(request, closed_words(table.round) or _SCAN_AGAIN)
    return answer


@takes(Can.VIEW, shown_on=lambda access, pk: access.address("calls:table", pk))
def give_round_code(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let a phone that scanned the card of the table in, if it gives the code of the round.

    Wrong codes are counted for the table, so that they keep no other table out. The QR code on a printed
    score sheet of the round is not limited.
    """
    table, form, address = access.table(pk), RoundCodeForm(request.POST), client_address(request)
    if not has_card(table, access.code) or table.round.status != Round.Status.OPEN:
        messages.error(request, closed_words(table.round) or _SCAN_AGAIN)
        return redirect("calls:table", access.competition.slug, pk)
    name = round_code_name(access.competition, pk)
    if seconds := seconds_until_round_code(address, name):
        return refuse_for_now(request, "calls/round_code_later.html", seconds)
    if form.is_valid():
        if is_round_code(table.round, form.cleaned_data["digits"]):
            answer = redirect("calls:table", access.competition.slug, pk)
            _remember(answer, access, scanned_sheet(table))
            return answer
        note_event(SecurityEvent.Kind.CODE, name=name, address=address)
        form.add_error(
            "digits", _("This is not the code of this round. Read it on a screen in the hall, or ask staff.")
        )
    return _table_page(request, access, table, TellForm(), round_code=form)


@takes(Can.VIEW, shown_on=lambda access, pk: access.address("calls:table", pk))
def tell(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Take a message of a player of the table. An objection of a proved player opens a dispute at once."""
    table, me = access.table(pk), find_me(request, access)
    player = me.entrant.player if me and table.seats.filter(player=me.entrant.player_id).exists() else None
    form, by = TellForm(request.POST), access.by if me and me.is_proved else None

    def write(sent: changes.Sent) -> object:
        assert player is not None
        values = form.values()
        if by and values["kind"] == Call.Kind.OBJECTION:
            return open_dispute(table=table, subject=values["note"], by=by, form=sent)
        return tell_staff(table=table, player=player, by=by, form=sent, **values)

    if player and (
        answer := save(
            request,
            form,
            write,
            about=(pk, player.pk),
            done=_("Sent to the staff of this competition."),
            then=lambda answer: (
                access.address("disputes:dispute", answer["dispute"])
                if "dispute" in answer
                else access.address("calls:table", pk)
            ),
        )
    ):
        return answer
    return _table_page(request, access, table, form)


def _table_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: TellForm,
    *,
    round_code: RoundCodeForm | None = None,
) -> HttpResponse:
    me = find_me(request, access)
    seated = seats_with_people(access.competition).filter(table=table).order_by("wind")
    seats = [(seat.wind, who_sits(seat)) for seat in seated]
    mine = _own_wind(me, seats)
    player = me.entrant.player if me and mine is not None else None
    by = access.by if me and me.is_proved else None
    said = queries.own_messages(table, player) if player else []
    kinds, until = (
        queries.message_kinds(table, public=by is None, now=timezone.now()) if player else ([], None)
    )
    is_published = table.round.visibility == Round.Visibility.RESULTS
    is_at = access.is_at(table)
    is_outside = not is_at and table.round.status == Round.Status.OPEN and has_card(table, access.code)
    return page(
        request,
        access,
        "calls/table.html",
        table=table,
        round=table.round,
        seats=seats,
        me=me,
        mine=mine,
        claimed_again=queries.claimed_twice([table]).get(table.pk, {}).get(player.pk)
        if player and is_at
        else None,
        is_at=is_at,
        round_code=(round_code or RoundCodeForm()) if is_outside else None,
        closed_words="" if access.is_staff else closed_words(table.round),
        asks=opens(table, access.code) and mine is None and not (me and me.is_proved),
        sheet=proposals_of([table])[table.pk] if is_at and (mine is not None or access.is_staff) else None,
        takes_sheet=access.competition.takes_sheets and table.round.status == Round.Status.OPEN,
        form=form,
        player=player,
        kinds=[kind for kind in kinds if kind not in {each.kind for each in said if not each.closed_at}],
        said=said,
        until=until,
        desk=table_desk(access, table, sees_results=access.is_staff or is_published) | {"kinds": []},
    )


def _own_wind(me: Me | None, seats: Any) -> int | None:
    return next((wind for wind, who in seats if me and who and who.player == me.entrant.player_id), None)
