"""People in motion, for organizers: substitutes, no-shows, rounds missed; seats and results mended."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.bans.queries import free_players
from league.core.access import Access, Can, enter
from league.core.forms import KeyedForm, attempt
from league.core.messages import WIND_NAMES
from league.models import Adjustment, Entrant, Penalty, Round, Seat, Sheet
from league.rounds.queries.tables import TableResult, table_results
from league.substitutions.forms import (
    AFTER,
    AdjustmentForm,
    ExchangeForm,
    ForfeitForm,
    PoolForm,
    ReturnForm,
    RevokeForm,
    SeatForm,
    SubstituteForm,
    SwapForm,
)
from league.substitutions.queries.substitutes import is_in_dispute, until_back
from league.substitutions.services.substitutions import (
    add_adjustment,
    end_onwards,
    end_substitution,
    forfeit_seat,
    revoke_adjustment,
    set_substitute,
    substitute_player,
    suggested_score,
)
from league.substitutions.services.swaps import exchange_results, round_state, swap_players

UNPROCESSABLE = 422


class SignedIn(HttpRequest):
    """A request of somebody signed in: ``enter`` lets nobody else through to what needs a role."""

    user: User


def _context(access: Access, **more: object) -> dict[str, object]:
    return {"access": access, "competition": access.competition, **more}


# --- a round: who sits where, and what went wrong


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat of a table as the page lists it; ``pk`` is the seat's."""

    pk: int
    wind: int
    result: TableResult

    @property
    def player(self) -> Any:
        return self.result.players[self.wind]

    @property
    def absent(self) -> Any:
        """For whom a substitute sits here; None if nobody does."""
        return self.result.instead.get(self.wind)


@never_cache
@require_safe
def round_people(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    return _round_page(request, access, access.round(pk))


def _round_page(
    request: SignedIn,
    access: Access,
    round_: Round,
    *,
    swap: SwapForm | None = None,
    exchange: ExchangeForm | None = None,
) -> HttpResponse:
    results = table_results(round_.tables.all(), access.competition)
    state = {"based_on": round_state(round_)}
    status = UNPROCESSABLE if swap or exchange else 200
    context = _context(
        access,
        round=round_,
        tables=_seat_lines(round_, results),
        closed=round_.status == Round.Status.CLOSED,
        swap=swap or SwapForm(initial=state, auto_id="swap-%s", **_swap_choices(round_, results)),
        exchange=exchange or ExchangeForm(initial=state, auto_id="exchange-%s", numbers=_numbers(results)),
        has_results=any(result.sheet for result in results),
    )
    return render(request, "substitutions/round.html", context, status=status)


def _seat_lines(round_: Round, results: Iterable[TableResult]) -> list[tuple[TableResult, list[SeatLine]]]:
    seats: dict[int, list[tuple[int, int]]] = {}
    rows = Seat.objects.filter(round=round_).order_by("wind").values_list("table_id", "wind", "pk")
    for table, wind, pk in rows:
        seats.setdefault(table, []).append((wind, pk))
    return [
        (result, [SeatLine(pk, wind, result) for wind, pk in seats.get(result.table.pk, [])])
        for result in results
    ]


def _swap_choices(round_: Round, results: Iterable[TableResult]) -> dict[str, Any]:
    people = [
        (
            _("Table %(number)s") % {"number": result.table.number},
            [
                (str(player.player), f"{WIND_NAMES[wind]} · {player.name}")
                for wind, player in enumerate(result.players)
                if player is not None
            ],
        )
        for result in results
    ]
    punished = Penalty.objects.filter(round=round_, table__isnull=False)
    return {"people": people, "with_penalties": punished.exists()}


def _numbers(results: Iterable[TableResult]) -> list[int]:
    return [result.table.number for result in results]


@never_cache
@require_POST
def round_swap(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    results = table_results(round_.tables.all(), access.competition)
    form = SwapForm(request.POST, auto_id="swap-%s", **_swap_choices(round_, results))
    if form.is_valid() and attempt(form, lambda: _swap(form, round_, request.user)):
        messages.success(request, _("The two players have changed seats."))
        return redirect("substitutions:round", slug, pk)
    return _round_page(request, access, round_, swap=form)


def _swap(form: SwapForm, round_: Round, by: User) -> object:
    typed = form.cleaned_data
    return swap_players(
        round_=round_,
        players=form.players,
        penalties=typed.get("penalties", ""),
        reason=typed["reason"],
        based_on=typed["based_on"],
        by=by,
        form=form.submission("swap", round_.pk),
    )


@never_cache
@require_POST
def round_exchange(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    round_ = access.round(pk)
    results = table_results(round_.tables.all(), access.competition)
    form = ExchangeForm(request.POST, auto_id="exchange-%s", numbers=_numbers(results))
    if form.is_valid() and attempt(form, lambda: _exchange(form, round_, request.user)):
        messages.success(request, _("The two tables have exchanged their results."))
        return redirect("substitutions:round", slug, pk)
    return _round_page(request, access, round_, exchange=form)


def _exchange(form: ExchangeForm, round_: Round, by: User) -> object:
    return exchange_results(
        round_=round_,
        tables=form.tables,
        reason=form.cleaned_data["reason"],
        based_on=form.cleaned_data["based_on"],
        by=by,
        form=form.submission("exchange", round_.pk),
    )


# --- a seat: substitute, no-show, back again


@never_cache
@require_safe
def seat_person(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    return _seat_page(request, access, access.seat(pk))


def _seat_page(request: SignedIn, access: Access, seat: Seat, sent: SeatForm | None = None) -> HttpResponse:
    entrants = _entrants_of(access, seat)
    context = _context(
        access,
        seat=seat,
        round=seat.round,
        entrant=entrants.get(seat.player_id),
        absent=entrants.get(seat.stands_for_id or 0),
        closed=seat.round.status == Round.Status.CLOSED,
        disputed=is_in_dispute([seat.table_id]),
        has_sheet=Sheet.objects.filter(table=seat.table_id, is_current=True).exists(),
        substitute=sent if isinstance(sent, SubstituteForm) else _substitute_form(None, seat),
        forfeit=sent if isinstance(sent, ForfeitForm) else ForfeitForm(**_asked(seat, "forfeit")),
        back=sent if isinstance(sent, ReturnForm) else ReturnForm(**_asked(seat, "back")),
    )
    return render(request, "substitutions/seat.html", context, status=UNPROCESSABLE if sent else 200)


def _entrants_of(access: Access, seat: Seat) -> Mapping[int, Entrant]:
    ids = [seat.player_id, seat.stands_for_id or 0]
    found = Entrant.objects.filter(competition=access.competition, player__in=ids)
    return {entrant.player_id: entrant for entrant in found.select_related("player")}


def _asked(seat: Seat, prefix: str) -> dict[str, Any]:
    """What a form about this seat begins with."""
    seen = f"{seat.player_id}-{seat.stands_for_id or ''}"
    return {"initial": {"seen": seen}, "auto_id": f"{prefix}-%s"}


def _substitute_form(data: Any, seat: Seat) -> SubstituteForm:
    suggested = suggested_score(seat.round.stage.division)
    people = _free(seat)
    if data is not None and seat.stands_for_id:
        # The same form a second time: by now its substitute has a seat, and the first answer stands.
        people.append(("", [(str(seat.player_id), seat.player.name)]))
    made = SubstituteForm(data, people=people, suggested=suggested, auto_id="substitute-%s")
    made.initial["seen"] = f"{seat.player_id}-{seat.stands_for_id or ''}"
    return made


def _free(seat: Seat) -> list[tuple[str, Any]]:
    """Who can sit down: the pool of substitutes in front, then players who are free in this round."""
    free = free_players(seat.round)
    groups = (
        (_("Substitutes"), [each for each in free if each.is_substitute]),
        (_("Players without a seat in this round"), [each for each in free if not each.is_substitute]),
    )
    return [
        (heading, [(str(each.player_id), each.player.name) for each in people])
        for heading, people in groups
        if people
    ]


def _as_seen(seat: Seat, form: SeatForm) -> Seat:
    """The seat as the person saw it, for the service to hold against what is there."""
    seat.player_id, seat.stands_for_id = form.seated
    return seat


@never_cache
@require_POST
def seat_substitute(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    seat = access.seat(pk)
    form = _substitute_form(request.POST, seat)
    changed: list[Sequence[Seat]] = []
    if form.is_valid() and attempt(form, lambda: changed.append(_substitute(form, access, pk, request.user))):
        messages.success(request, _changed_sentence(changed, _("The substitute is seated.")))
        return redirect("substitutions:round", slug, seat.round_id)
    return _seat_page(request, access, seat, form)


def _substitute(form: SubstituteForm, access: Access, pk: int, by: User) -> Sequence[Seat]:
    typed = form.cleaned_data
    return substitute_player(
        seat=_as_seen(access.seat(pk), form),
        substitute=int(typed["substitute"]),
        late=typed["came"] == AFTER,
        score=typed["score"],
        onwards=typed["onwards"],
        reason=typed["reason"],
        by=by,
        form=form.submission("substitute", pk),
    )


def _changed_sentence(changed: Sequence[Sequence[Seat]], sentence: str) -> str:
    """The sentence, and in how many rounds, if they are several."""
    rounds = len(changed[0]) if changed else 1
    if rounds == 1:
        return sentence
    count = ngettext("In %(count)s round.", "In %(count)s rounds.", rounds) % {"count": rounds}
    return f"{sentence} {count}"


@never_cache
@require_POST
def seat_return(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    seat = access.seat(pk)
    form = ReturnForm(request.POST, auto_id="back-%s")
    changed: list[Sequence[Seat]] = []
    if form.is_valid() and attempt(form, lambda: changed.append(_return(form, access, pk, request.user))):
        messages.success(request, _changed_sentence(changed, _("The player is back in the seat.")))
        return redirect("substitutions:round", slug, seat.round_id)
    return _seat_page(request, access, seat, form)


def _return(form: ReturnForm, access: Access, pk: int, by: User) -> Sequence[Seat]:
    return end_substitution(
        seat=_as_seen(access.seat(pk), form),
        onwards=form.cleaned_data["onwards"],
        reason=form.cleaned_data["reason"],
        by=by,
        form=form.submission("return", pk),
    )


@never_cache
@require_POST
def seat_forfeit(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    seat = access.seat(pk)
    form = ForfeitForm(request.POST, auto_id="forfeit-%s")
    if form.is_valid() and attempt(form, lambda: _forfeit(form, access, pk, request.user)):
        number = {"number": seat.table.number}
        messages.success(request, _("Table %(number)s is forfeited: its result is void.") % number)
        return redirect("substitutions:round", slug, seat.round_id)
    return _seat_page(request, access, seat, form)


def _forfeit(form: ForfeitForm, access: Access, pk: int, by: User) -> object:
    typed = form.cleaned_data
    return forfeit_seat(
        seat=_as_seen(access.seat(pk), form),
        score=typed["score"],
        others=typed["others"],
        reason=typed["reason"],
        by=by,
        form=form.submission("forfeit", pk),
    )


# --- a player: what was given for rounds not played


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrant_absence(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entrant = access.entrant(pk)
    form = AdjustmentForm(request.POST if request.method == "POST" else None, rounds=_rounds_of(access))
    if request.method != "POST":
        return _entrant_page(request, access, entrant, form)
    if form.is_valid() and attempt(form, lambda: _adjust(form, access, entrant)):
        messages.success(request, _("The points stand in the standings."))
        return redirect("substitutions:absence", slug, pk)
    return _entrant_page(request, access, entrant, form, status=UNPROCESSABLE)


def _adjust(form: AdjustmentForm, access: Access, entrant: Entrant) -> object:
    typed = form.cleaned_data
    round_ = access.round(int(typed["round"]))
    return add_adjustment(
        stage=round_.stage,
        round_=round_,
        entrant=entrant,
        kind=typed["kind"],
        score=typed["score"],
        reason=typed["reason"],
        by=access.by,
        form=form.submission("adjust", entrant.pk),
    )


def _rounds_of(access: Access) -> list[tuple[str, Any]]:
    """Every round by division and stage, for a select with groups."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for each in access.rounds().order_by("stage__division__position", "stage__position", "number"):
        heading = f"{each.stage.division.name} · {each.stage.name}"
        groups.setdefault(heading, []).append((str(each.pk), _("Round %(number)s") % {"number": each.number}))
    return list(groups.items())


def _entrant_page(
    request: SignedIn,
    access: Access,
    entrant: Entrant,
    form: AdjustmentForm,
    *,
    revoke: tuple[int, RevokeForm] | None = None,
    status: int = 200,
) -> HttpResponse:
    """``revoke``: the adjustment that could not be taken back, and what was typed."""
    refused = dict([revoke] if revoke else [])
    given = Adjustment.objects.filter(
        player=entrant.player_id, stage__division__competition=access.competition
    )
    lines = given.select_related("round", "stage", "created_by").order_by("-pk")
    mine = Q(player=entrant.player_id) | Q(stands_for=entrant.player_id)
    seats = Seat.objects.filter(mine, round__stage__division__competition=access.competition)
    seats = seats.exclude(round__status=Round.Status.CLOSED)
    context = _context(
        access,
        entrant=entrant,
        form=form,
        adjustments=[
            (line, refused.get(line.pk) or RevokeForm(auto_id=f"revoke-{line.pk}-%s")) for line in lines
        ],
        seats=seats.select_related("round__stage", "table", "player", "stands_for").order_by(
            "round__stage__position", "round__number"
        ),
        pool=PoolForm(initial={"substitute": "0" if entrant.is_substitute else "1"}),
        until_back=until_back(entrant.player_id, access.competition),
        back=KeyedForm(),
    )
    return render(request, "substitutions/absence.html", context, status=status)


@never_cache
@require_POST
def adjustment_revoke(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    adjustment = access.adjustment(pk)
    entrant = access.competition.entrants.get(player=adjustment.player_id)
    form = RevokeForm(request.POST, auto_id=f"revoke-{pk}-%s")
    done = form.is_valid() and attempt(
        form,
        lambda: revoke_adjustment(
            adjustment=adjustment,
            reason=form.cleaned_data["reason"],
            by=request.user,
            form=form.submission("revoke", pk),
        ),
    )
    if done:
        messages.success(request, _("The points are taken back."))
        return redirect("substitutions:absence", slug, entrant.pk)
    empty = AdjustmentForm(rounds=_rounds_of(access))
    return _entrant_page(request, access, entrant, empty, revoke=(pk, form), status=UNPROCESSABLE)


@never_cache
@require_POST
def entrant_substitute(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entrant = access.entrant(pk)
    form = PoolForm(request.POST)
    done = form.is_valid() and attempt(
        form,
        lambda: set_substitute(
            entrant=entrant,
            is_substitute=form.cleaned_data["substitute"],
            by=request.user,
            form=form.submission("pool", pk),
        ),
    )
    sentence = (
        _("%(name)s is a substitute now.")
        if form.data.get("substitute") == "1"
        else _("%(name)s is a player now.")
    )
    return _told(request, access, entrant, form, done, sentence % {"name": entrant.player.name})


@never_cache
@require_POST
def entrant_back(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entrant = access.entrant(pk)
    form = KeyedForm(request.POST)
    done = form.is_valid() and attempt(
        form, lambda: end_onwards(entrant=entrant, by=request.user, form=form.submission("back", pk))
    )
    sentence = _("%(name)s is back in the next round that is seated.") % {"name": entrant.player.name}
    return _told(request, access, entrant, form, done, sentence)


def _told(
    request: SignedIn, access: Access, entrant: Entrant, form: KeyedForm, done: bool, sentence: str
) -> HttpResponse:
    """Back to the player's page; a small form has none of its own, so that its refusal is shown there."""
    if done:
        messages.success(request, sentence)
    for errors in form.errors.values():
        for error in errors:
            messages.error(request, str(error))
    return redirect("substitutions:absence", access.competition.slug, entrant.pk)
