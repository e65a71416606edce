"""A penalty logged in four taps: table, seat, offence, confirm.

Without script each tap is a page of its own, or a choice in a form. The page of a table holds all that can be
chosen, so that its script needs no network before something is sent. As with score sheets a page that takes
a penalty redirects only when it is logged; everything else comes back with a status of 422. The script relies
on that: it keeps what was confirmed on the phone until then, and sends it once.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.errors import AlreadyDone, Refused
from league.core.forms import KeyedForm
from league.core.pages import number_in
from league.core.search import matches
from league.core.text import listed
from league.models import Penalty, Round
from league.open_play.queries import to_be_played
from league.penalties.forms import OffenceForm, PenaltyForm
from league.penalties.queries.referee import moment, records_of, usual_offences
from league.penalties.services import log_offence, log_penalty
from league.penalties.views.desk import words
from league.penalties.views.offence_choice import (
    Bench,
    Case,
    OffenceLine,
    Option,
    by_category,
    departures,
    offence_lines,
    offence_title,
)
from league.penalties.views.where import Place, place_of, where
from league.penalties.words.hands import hand_words
from league.penalty_rules.words.rulings import PenaltyRules
from league.people.queries import players_of
from league.templatetags.umaoka import score
from players.models import Player

UNPROCESSABLE = 422
OFFENCES_SHOWN = 4  # offences in use, from which on the rest of the book is folded
MOST_ASKED = 100  # characters of a search
OTHER = "other"  # in an address: what the book does not know


@gzip_page  # the cases of a whole book for four players: 150 kB, 12 kB when compressed
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def penalty_new(request: HttpRequest, slug: str) -> HttpResponseBase:
    access = enter(request.user, slug, Can.REFEREE)
    place = place_of(access, request.GET)
    if place is None:
        return _choose_place(request, access)
    if request.method != "POST":
        return _page(request, place, Tapped(place.chosen, request.GET.get("offence", "")))
    return _log_offence(request, place) if "infraction" in request.POST else _log_freely(request, place)


# --- logging


def _log_offence(request: HttpRequest, place: Place) -> HttpResponse:
    form = _offence_form(place, request.POST)
    logged = _logged(form, lambda: _save_offence(place, form)) if form.is_valid() else []
    if logged:
        return _to_the_desk(request, place, logged)
    return _page(request, place, Tapped(place.named(form.data.get("player")), form.code), form=form)


def _save_offence(place: Place, form: OffenceForm) -> list[Penalty]:
    return log_offence(
        stage=place.stage,
        table=place.table,
        player_id=form.cleaned_data["player"],
        others=form.cleaned_data["others"],
        act=form.act,
        by=place.access.by,
        dispute=place.dispute,
        approves=place.access.can_approve,
        form=form.submission(place.query),
    )


def _log_freely(request: HttpRequest, place: Place) -> HttpResponse:
    form = _free_form(place, request.POST)
    logged = _logged(form, lambda: _save_freely(place, form)) if form.is_valid() else []
    if logged:
        return _to_the_desk(request, place, logged)
    return _page(request, place, Tapped(place.named(form.data.get("player")), OTHER), free=form)


def _save_freely(place: Place, form: PenaltyForm) -> list[Penalty]:
    data = form.cleaned_data
    penalty = log_penalty(
        stage=place.stage,
        table=place.table,
        player_id=data["player"],
        level=data["level"],
        score=data["score"],
        reason=data["reason"],
        by=place.access.by,
        dispute=place.dispute,
        approves=place.access.can_approve,
        form=form.submission(place.query),
    )
    return [penalty]


def _logged(form: KeyedForm, write: Callable[[], list[Penalty]]) -> list[Penalty]:
    """What was logged now, or before by the same form; nothing when it is refused: the form says why."""
    try:
        return write()
    except AlreadyDone as first:
        before = cast(list[int], first.answer.get("penalties") or [first.answer["penalty"]])
        return list(Penalty.objects.select_related("player").filter(pk__in=before).order_by("pk"))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return []


def _to_the_desk(request: HttpRequest, place: Place, logged: Sequence[Penalty]) -> HttpResponse:
    """There it can be taken back for a moment. The script is told where to go on: the message waits there."""
    alike: dict[tuple[str, int], list[str]] = {}
    for penalty in logged:
        alike.setdefault((penalty.status, penalty.score), []).append(penalty.player.name)
    for (status, tenths), names in alike.items():
        messages.success(request, _said(status, names) % {"player": listed(names), "score": score(tenths)})
    if request.accepts("text/html"):
        return redirect("penalties:desk", place.access.competition.slug)
    return JsonResponse({"then": reverse("penalties:desk", args=[place.access.competition.slug])})


def _said(status: str, names: Sequence[str]) -> str:
    if status == Penalty.Status.REQUESTED:
        return _("Asked for %(player)s: the chief referee decides.")
    if len(names) > 1:
        return _("Logged for %(player)s: %(score)s each. It counts at once.")
    return _("Logged for %(player)s: %(score)s. It counts at once.")


def _offence_form(place: Place, data: QueryDict | None = None) -> OffenceForm:
    players = [(player.pk, player.name) for player in place.players]
    return OffenceForm(data, players=players, book=place.book, deals=place.deals)


def _free_form(place: Place, data: QueryDict | None = None, player: Player | None = None) -> PenaltyForm:
    return PenaltyForm(
        data,
        players=[(each.pk, each.name) for each in place.players],
        book=place.book,
        rules=place.stage.division.rules,
        initial={"player": player.pk if player else None},
    )


# --- the page


@dataclass(frozen=True)
class Tapped:
    """What was tapped so far: a seat, and the code of an offence (``OTHER``: something else)."""

    player: Player | None
    code: str

    def step(self, lines: Collection[str]) -> str:
        """The step that follows. A book without offences has none to tap."""
        if self.player is None:
            return "seat"
        if self.code == OTHER or not lines:
            return "free"
        return "confirm" if self.code in lines else "offence"


@dataclass(frozen=True)
class SeatLine:
    """A seat to tap. ``total``: what the player's penalties add up to so far, in tenths."""

    wind: int | None
    player: Player
    entrant: int | None
    total: int
    address: str
    chosen: bool


@dataclass(frozen=True)
class OffenceItem:
    """An offence to tap."""

    line: OffenceLine
    address: str


@dataclass(frozen=True)
class Confirm:
    """The last tap: one offence of one player, with all that is left to choose. Without an offence it waits
    for the script, which fills it from the stock.
    """

    code: str
    title: str
    cases: tuple[Case, ...]
    departures: list[Option]
    others: list[tuple[int, str, bool]]
    form: OffenceForm
    hand: str
    deals: list[tuple[str, str, bool]]
    honba: str


@dataclass(frozen=True)
class Stock:
    """The cases of an offence for anybody (``player`` None), or for one player whose record changes them."""

    code: str
    title: str
    player: int | None
    cases: tuple[Case, ...]


def _page(
    request: HttpRequest,
    place: Place,
    tapped: Tapped,
    *,
    form: OffenceForm | None = None,
    free: PenaltyForm | None = None,
) -> HttpResponse:
    """The steps of this place, the one that follows what was tapped in view."""
    access, book, bench = place.access, place.book, _bench(place, form)
    lines = offence_lines(book)
    records = records_of(access.competition, [player.pk for player in place.players])
    record = records[tapped.player.pk] if tapped.player else []
    asked = request.GET.get("q", "")[:MOST_ASKED]
    usual = [code for code in usual_offences(access.competition) if code in lines]
    context = {
        "access": access,
        "competition": access.competition,
        "place": place,
        "step": tapped.step(lines),
        "player": tapped.player,
        "total": _total(record),
        "seats": _seats(place, records, tapped.player),
        "usual": _items([lines[code] for code in usual], asked, place, tapped.player),
        "groups": _groups(book, lines, asked, place, tapped.player),
        "folded": not asked and len(usual) >= OFFENCES_SHOWN,
        "asked": asked,
        "hidden": place.parameters(tapped.player),
        "other": place.address(tapped.player, OTHER),
        "confirm": _confirm(place, bench, tapped.code if tapped.code in lines else "", record, form),
        "free": free or _free_form(place, player=tapped.player),
        "stock": _stock(replace(bench, typed={}), records, lines) if place.is_open else [],
        "words": words(),
    }
    wrong = (form and form.errors) or (free and free.errors)
    status = UNPROCESSABLE if wrong else 200
    return render(request, "penalties/new.html", context, status=status)


def _bench(place: Place, form: OffenceForm | None) -> Bench:
    """The book speaks about the hand that the form names, else about the one that the table plays."""
    competition = place.access.competition
    hand = (form.hand if form else "") or place.hand
    return Bench(
        competition=competition,
        book=place.book,
        now=moment(place.table, hand, timezone.now(), competition),
        at_table=place.table is not None,
        approves=place.access.can_approve,
        typed=form.data if form else {},
    )


def _total(record: Iterable[Penalty]) -> int:
    return sum(penalty.score for penalty in record)


def _seats(place: Place, records: Mapping[int, list[Penalty]], chosen: Player | None) -> list[SeatLine]:
    return [
        SeatLine(
            wind=wind if place.table else None,
            player=player,
            entrant=place.entrants.get(player.pk),
            total=_total(records[player.pk]),
            address=place.address(player),
            chosen=player == chosen,
        )
        for wind, player in enumerate(place.players)
    ]


def _items(
    lines: Iterable[OffenceLine], asked: str, place: Place, player: Player | None
) -> list[OffenceItem]:
    """The offences in which what was asked for is found."""
    found = (line for line in lines if matches(asked, line.search))
    return [OffenceItem(line, place.address(player, line.code)) for line in found]


def _groups(
    book: PenaltyRules, lines: Mapping[str, OffenceLine], asked: str, place: Place, player: Player | None
) -> list[tuple[str, list[OffenceItem]]]:
    groups = [(heading, _items(every, asked, place, player)) for heading, every in by_category(book, lines)]
    return [(heading, items) for heading, items in groups if items]


def _confirm(
    place: Place, bench: Bench, code: str, record: Sequence[Penalty], form: OffenceForm | None
) -> Confirm:
    hand, honba = place.hand.partition(".")[::2]
    if form is not None:
        hand, honba = form.data.get("deal", hand), form.data.get("honba", honba)
    ticked = form["others"].value() or () if form else ()
    return Confirm(
        code=code,
        title=offence_title(bench.book, code),
        cases=bench.cases(code, record) if code else (),
        departures=departures(bench.book, bench.typed),
        others=[(each.pk, each.name, str(each.pk) in ticked) for each in place.players],
        form=form or _offence_form(place),
        hand=hand_words(place.hand),
        deals=[(value, text, value == hand) for value, text in place.deals],
        honba=honba,
    )


def _stock(
    bench: Bench, records: Mapping[int, list[Penalty]], lines: Mapping[str, OffenceLine]
) -> list[Stock]:
    """All that the last tap may ask for, whoever and whatever was tapped before it."""
    titles = {code: offence_title(bench.book, code) for code in lines}
    plain = {code: bench.cases(code, ()) for code in lines}
    stock = [Stock(code, titles[code], None, cases) for code, cases in plain.items()]
    for player, record in records.items():
        own = {code: bench.cases(code, record) for code in plain} if record else {}
        changed = {code: cases for code, cases in own.items() if cases != plain[code]}
        stock += [Stock(code, titles[code], player, cases) for code, cases in changed.items()]
    return stock


def _choose_place(request: HttpRequest, access: Access) -> HttpResponse:
    """First the table or the player. The newest open round is offered, else the newest one."""
    rounds = list(to_be_played(access.rounds()).order_by("-pk"))
    asked = number_in(request.GET, "round")
    opened = [r for r in rounds if r.status == Round.Status.OPEN]
    chosen = next((r for r in rounds if r.pk == asked), None) or next(iter(opened or rounds), None)
    context = {
        "access": access,
        "competition": access.competition,
        "rounds": [(r, where(r.stage, r)) for r in rounds],
        "chosen": chosen,
        "tables": chosen.tables.prefetch_related("seats__player") if chosen else (),
        "players": sorted(players_of(access.competition).values(), key=lambda info: info.name),
    }
    return render(request, "penalties/where.html", context)
