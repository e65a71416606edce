from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.changes import Sent
from league.core.errors import Refused
from league.core.forms import KeyedForm
from league.core.messages import WIND_NAMES
from league.core.pages import (
    TABLES_A_PAGE,
    Asked,
    number_in,
    page,
    paged,
    posted,
    presses,
    reads,
    save,
    takes,
    writes,
)
from league.core.text import sentences
from league.models import Adjustment, Entrant, Penalty, Round, Seat, Sheet
from league.people.members.queries import labels_of, players_of
from league.play.bans.queries import free_players
from league.play.results.queries.tables import TableResult, table_results
from league.play.substitutions.forms import (
    AdjustmentForm,
    ExchangeForm,
    ForfeitForm,
    NoShowForm,
    PoolForm,
    ReturnForm,
    RevokeAdjustmentForm,
    RoundStateForm,
    SeatForm,
    SubstituteForm,
    SwapForm,
)
from league.play.substitutions.queries.adjustments import add_averages
from league.play.substitutions.queries.substitutes import is_in_dispute, until_back
from league.play.substitutions.services.previews import Effect, Watch, rehearse
from league.play.substitutions.services.substitutions import (
    add_adjustment,
    end_lasting_substitution,
    end_substitution,
    forfeit_seat,
    revoke_adjustment,
    seat_substitute_by_name,
    set_substitute,
    substitute_player,
)
from league.play.substitutions.services.swaps import (
    FOLLOW,
    STAY,
    exchange_results,
    keeps_hands,
    round_state,
    swap_players,
)

# --- a round: who sits where, and what went wrong


@gzip_page
@reads(Can.ORGANIZE)
def round_people(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _round_page(request, access, access.round(pk))


def _round_page(
    request: HttpRequest, access: Access, round_: Round, form: KeyedForm | None = None
) -> HttpResponse:
    results = _results(access, round_)
    here = paged(request, results, TABLES_A_PAGE)
    return page(
        request,
        access,
        "substitutions/round.html",
        round=round_,
        shown=here,
        tables=[(result, _sitting(result)) for result in here],
        swap=form if isinstance(form, SwapForm) else _swap_form(round_, results),
        exchange=form if isinstance(form, ExchangeForm) else _exchange_form(round_, results),
        has_results=any(result.sheet for result in results),
    )


def _results(access: Access, round_: Round) -> list[TableResult]:
    return table_results(round_.tables.all(), access.competition, rounds=[round_])


def _sitting(result: TableResult) -> list[tuple[Any, Any, Any]]:
    return [(seat, result.players[seat.wind], result.instead.get(seat.wind)) for seat in result.sitting]


def _swap_form(round_: Round, results: Iterable[TableResult], data: Any = None) -> SwapForm:
    people = [
        (
            _("Table %(number)s") % {"number": result.table.number},
            [
                (player.player, f"{WIND_NAMES[wind]} · {player.label}")
                for wind, player in enumerate(result.players)
                if player is not None
            ],
        )
        for result in results
    ]
    return SwapForm(
        data,
        initial={"based_on": round_state(round_)},
        auto_id="swap-%s",
        people=people,
        with_penalties=Penalty.objects.filter(round=round_, table__isnull=False).exists(),
    )


def _exchange_form(round_: Round, results: Iterable[TableResult], data: Any = None) -> ExchangeForm:
    numbers = [result.table.number for result in results]
    state = {"based_on": round_state(round_)}
    return ExchangeForm(data, initial=state, auto_id="exchange-%s", numbers=numbers)


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("substitutions:round", pk))
def round_swap(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    round_ = access.round(pk)
    form = _swap_form(round_, _results(access, round_), request.POST)
    both = form.is_valid() and keeps_hands(
        round_, form.cleaned_data["player"], form.cleaned_data["other_player"]
    )
    choices = [{"hands": FOLLOW}, {"hands": STAY}] if both else [{}]
    return _save_round(request, access, round_, form, swap_players, _("Players swapped."), choices)


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("substitutions:round", pk))
def round_exchange(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    round_ = access.round(pk)
    form = _exchange_form(round_, _results(access, round_), request.POST)
    done = _("Results of the two tables swapped.")
    return _save_round(request, access, round_, form, exchange_results, done, [{}])


def _save_round(
    request: HttpRequest,
    access: Access,
    round_: Round,
    form: RoundStateForm,
    service: Callable[..., object],
    done: str,
    choices: Sequence[Mapping[str, str]],
) -> HttpResponse:
    then = access.address("substitutions:round", round_.pk)

    def write(watch: Watch, sent: Sent | None, **chosen: str) -> object:
        values = form.values() | chosen
        return service(round_=round_, watch=watch, by=access.by, form=sent, **values)

    watch = Watch(request.POST.get("effect", ""))
    return (
        _preview(request, access, form, write, watch, choices=choices, back=then)
        or save(
            request,
            form,
            lambda sent: write(watch, sent),
            about=(service.__name__, round_.pk),
            done=done,
            then=then,
        )
        or _round_page(request, access, round_, form)
    )


class Option(NamedTuple):
    """One way to save a correction: with its effects, or with the reason why it cannot be."""

    chosen: Mapping[str, str]
    effects: Sequence[Effect] = ()
    mark: str = ""
    refusal: str = ""


def _preview(
    request: HttpRequest,
    access: Access,
    form: KeyedForm,
    write: Callable[..., object],
    watch: Watch,
    *,
    choices: Sequence[Mapping[str, str]] = ({},),
    back: str,
) -> HttpResponse | None:
    """Show what the correction does to recorded points, for each of the choices.

    Return None if the person has seen it, if no points are recorded, or if the correction is refused.
    """
    if watch.seen or not form.is_valid():
        return None
    options = [_rehearse(access, write, chosen) for chosen in choices]
    if not any(option.effects for option in options):
        return None
    sent = {name: value for name, value in request.POST.items() if name not in _NOT_SENT_ON}
    return page(
        request,
        access,
        "substitutions/preview.html",
        status=200,
        options=options,
        sent=[(name, value) for name, value in sent.items()],
        back=back,
    )


_NOT_SENT_ON = {"csrfmiddlewaretoken", "key", "effect", "hands"}


def _rehearse(access: Access, write: Callable[..., object], chosen: Mapping[str, str]) -> Option:
    try:
        outcome = rehearse(access.competition, lambda watch: write(watch, None, **chosen))
    except Refused as refused:
        return Option(chosen, refusal=str(refused.message))
    return Option(chosen, outcome.effects, outcome.mark)


# --- a seat: substitute, no-show, back again


@reads(Can.ORGANIZE)
def seat_person(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _seat_page(request, access, access.seat(pk))


def _seat_page(
    request: HttpRequest, access: Access, seat: Seat, form: SeatForm | None = None
) -> HttpResponse:
    people = players_of(access.competition, {seat.player_id, seat.stands_for_id or seat.player_id})
    return page(
        request,
        access,
        "substitutions/seat.html",
        seat=seat,
        round=seat.round,
        info=people.get(seat.player_id),
        absent=people.get(seat.stands_for_id or 0),
        disputed=is_in_dispute([seat.table_id]),
        has_sheet=Sheet.objects.current().filter(table=seat.table_id).exists(),
        substitute=form if isinstance(form, SubstituteForm) else _substitute_form(seat),
        forfeit=form if isinstance(form, ForfeitForm) else ForfeitForm(seat=seat, auto_id="forfeit-%s"),
        back=form if isinstance(form, ReturnForm) else ReturnForm(seat=seat, auto_id="back-%s"),
    )


def _substitute_form(seat: Seat, data: Any = None) -> SubstituteForm:
    free = free_players(seat.round)
    names = labels_of(seat.round.competition, [seat.player_id, *(each.player_id for each in free)])
    groups = {
        _("Substitutes"): [each for each in free if each.is_substitute],
        _("Players without a seat in this round"): [each for each in free if not each.is_substitute],
    }
    people = [
        (heading, [(each.player_id, names[each.player_id]) for each in group])
        for heading, group in groups.items()
        if group
    ]
    if data is not None and seat.stands_for_id:
        # The same form sent twice: by now its substitute has the seat, and the first answer is repeated.
        people.append(("", [(seat.player_id, names.get(seat.player_id, seat.player.name))]))
    suggested = seat.round.rules.substituted_score
    return SubstituteForm(data, seat=seat, people=people, suggested=suggested, auto_id="substitute-%s")


def _name_rounds(rounds: int, sentence: str) -> str:
    if rounds == 1:
        return sentence
    count = ngettext("In %(count)s round.", "In %(count)s rounds.", rounds) % {"count": rounds}
    return sentences([sentence, count])


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("substitutions:seat", pk))
def seat_substitute(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    seat = access.seat(pk)
    form = _substitute_form(seat, request.POST)
    return _save_seat(request, access, seat, form, substitute_player, _("Substitute seated."))


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("substitutions:seat", pk))
def seat_return(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    seat = access.seat(pk)
    form = ReturnForm(request.POST, seat=seat, auto_id="back-%s")
    return _save_seat(request, access, seat, form, end_substitution, _("Player back in the seat."))


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("substitutions:seat", pk))
def seat_forfeit(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    seat = access.seat(pk)
    form = ForfeitForm(request.POST, seat=seat, auto_id="forfeit-%s")
    done = _("Table %(number)s forfeited. Its result is void.") % {"number": seat.table.number}
    return _save_seat(request, access, seat, form, forfeit_seat, done)


def _save_seat(
    request: HttpRequest,
    access: Access,
    seat: Seat,
    form: SeatForm,
    service: Callable[..., object],
    done: str,
) -> HttpResponse:
    then = access.address("substitutions:round", seat.round_id)
    watch = Watch(request.POST.get("effect", ""))

    def write(watch: Watch, sent: Sent | None) -> object:
        watched = {} if service is forfeit_seat else {"watch": watch}
        return service(by=access.by, form=sent, **watched, **form.values())

    return (
        _preview(request, access, form, write, watch, back=access.address("substitutions:seat", seat.pk))
        or save(
            request,
            form,
            lambda sent: write(watch, sent),
            about=(service.__name__, seat.pk),
            done=lambda answer: _name_rounds(answer.get("rounds", 1), done),
            then=then,
        )
        or _seat_page(request, access, seat, form)
    )


@writes(Can.ORGANIZE)
def no_show(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Report a missing player of a table, with substitute, rounds and score on one page."""
    table = access.table(pk)
    tables = table.round.tables.filter(pk=pk)
    (result,) = table_results(tables, access.competition, rounds=[table.round])
    people = [(seat, player) for seat, player, _absent in _sitting(result) if player]
    form = NoShowForm(
        posted(request),
        seats=[(seat, f"{WIND_NAMES[seat.wind]} · {player.label}") for seat, player in people],
        missing=number_in(request.GET, "seat"),
        suggested=table.rules.substituted_score,
    )

    watch = Watch(request.POST.get("effect", ""))

    def write(watch: Watch, sent: Sent | None) -> object:
        how = form.values()
        seat, name, onwards = how.pop("seat"), how.pop("name"), how.pop("onwards")
        seat.table, seat.round = table, table.round
        if not name:
            return forfeit_seat(seat=seat, others=None, by=access.by, form=sent, **how)
        return seat_substitute_by_name(
            seat=seat, name=name, late=False, onwards=onwards, watch=watch, by=access.by, form=sent, **how
        )

    asked = _preview(request, access, form, write, watch, back=access.address("substitutions:no_show", pk))
    return (
        asked
        or save(
            request,
            form,
            lambda sent: write(watch, sent),
            about=("no_show", pk),
            done=lambda answer: (
                _name_rounds(answer["rounds"], _("Substitute seated."))
                if "rounds" in answer
                else _("Table %(number)s forfeited. Its result is void.") % {"number": table.number}
            ),
            then=access.address("results:table", pk),
        )
        or page(
            request,
            access,
            "substitutions/no_show.html",
            form=form,
            table=table,
            round=table.round,
            free=[free_player.player.name for free_player in free_players(table.round)],
        )
    )


# --- a player: what was given for rounds not played


@writes(Can.ORGANIZE)
def entrant_absence(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    entrant = access.entrant(pk)
    form = _adjustment_form(access, posted(request))
    return save(
        request,
        form,
        lambda sent: add_adjustment(entrant=entrant, by=access.by, form=sent, **form.values()),
        about=("adjust", pk),
        done=_("Points added to the standings."),
        then=access.address("substitutions:absence", pk),
    ) or _entrant_page(request, access, entrant, form=form)


def _adjustment_form(access: Access, data: Any = None) -> AdjustmentForm:
    rounds = access.rounds().order_by("stage__division__position", "stage__position", "number")
    return AdjustmentForm(data, rounds=rounds)


def _entrant_page(
    request: HttpRequest,
    access: Access,
    entrant: Entrant,
    *,
    form: AdjustmentForm | None = None,
    revoke: dict[int, RevokeAdjustmentForm] | None = None,
) -> HttpResponse:
    refused = revoke or {}
    given = Adjustment.objects.of(access.competition).filter(player=entrant.player_id)
    mine = Q(player=entrant.player_id) | Q(stands_for=entrant.player_id)
    seats = (
        Seat.objects.of(access.competition)
        .filter(mine)
        .exclude(round__status=Round.Status.CLOSED)
        .select_related("round__stage", "table", "player", "stands_for")
        .order_by("round__stage__position", "round__number")
    )
    lasting = until_back(entrant.player_id, access.competition)
    seated = {player for seat in (*seats, *lasting) for player in (seat.player_id, seat.stands_for_id)}
    people = players_of(access.competition, {entrant.player_id, *(player for player in seated if player)})
    return page(
        request,
        access,
        "substitutions/absence.html",
        entrant=entrant,
        form=form or _adjustment_form(access),
        adjustments=[
            (each, refused.get(each.pk) or RevokeAdjustmentForm(auto_id=f"revoke-{each.pk}-%s"))
            for each in add_averages(
                given.select_related("round", "stage", "created_by").order_by("-pk"), public=False
            )
        ],
        seats=seats,
        until_back=lasting,
        info=people[entrant.player_id],
        names={player: info.label for player, info in people.items()},
    )


def _absence_of(access: Access, pk: int) -> str:
    player = access.adjustment(pk).player_id
    return access.address("substitutions:absence", access.competition.entrants.get(player=player).pk)


@takes(Can.ORGANIZE, shown_on=_absence_of)
def adjustment_revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    adjustment = access.adjustment(pk)
    entrant = access.competition.entrants.get(player=adjustment.player_id)
    form = RevokeAdjustmentForm(request.POST, auto_id=f"revoke-{pk}-%s")
    return save(
        request,
        form,
        lambda sent: revoke_adjustment(adjustment=adjustment, by=access.by, form=sent, **form.values()),
        about=("revoke", pk),
        done=_("Points removed."),
        then=access.address("substitutions:absence", entrant.pk),
    ) or _entrant_page(request, access, entrant, revoke={pk: form})


@presses(Can.ORGANIZE)
def entrant_substitute(request: HttpRequest, access: Access, pk: int) -> Asked:
    entrant = access.entrant(pk)
    form = PoolForm(request.POST)
    sentence = (
        _("%(name)s is now a substitute.")
        if form.data.get("is_substitute") == "1"
        else _("%(name)s is now a player.")
    )
    return Asked(
        partial(set_substitute, entrant=entrant),
        form,
        done=sentence,
        then=access.address("substitutions:absence", pk),
        name=entrant.player.name,
    )


@presses(Can.ORGANIZE, done=gettext_lazy("%(name)s will be seated again from the next round."))
def entrant_back(request: HttpRequest, access: Access, pk: int) -> Asked:
    entrant = access.entrant(pk)
    return Asked(
        partial(end_lasting_substitution, entrant=entrant),
        then=access.address("substitutions:absence", pk),
        name=entrant.player.name,
    )
