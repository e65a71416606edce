"""A penalty logged in four taps: table, seat, offence, confirm.

Without script each tap is a page of its own, or a choice in a form. The page of a table holds all that can be
chosen, so that its script needs no network before something is sent. As with score sheets a page that takes
a penalty redirects only when it is logged; everything else comes back with a status of 422. The script relies
on that: it keeps what was confirmed on the phone until then, and sends it once.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.errors import Refused
from league.core.numbers import number_tenths
from league.core.pages import Answer, page, save, writes
from league.core.search import holds_words, matches
from league.core.text import listed, sentences
from league.models import Penalty
from league.penalties.forms import OTHER, OffenceForm, PenaltyForm
from league.penalties.queries.referee import moment, records_of, usual_offences
from league.penalties.services import log_offence, log_penalty, plan_offence, plan_text
from league.penalties.views.offence_choice import (
    Bench,
    Case,
    LevelChoice,
    OffenceChoice,
    departures,
    offence_choices,
    offence_title,
)
from league.penalties.views.where import PenaltyPlace, choose_place, place_of
from league.penalties.words import counts_words, hand_words, script_words
from league.penalty_rules.words.catalogues import deduction_words
from league.penalty_rules.words.rulings import level_name
from players.models import Player
from scoring.hand_codes import first_deal, is_known, named_hand

OFFENCES_SHOWN = 4  # offences in use, from which on the rest of the rules is folded
MOST_ASKED = 100  # characters of a search


@gzip_page  # the cases of all offences for four players: 150 kB, 12 kB when compressed
@writes(Can.REFEREE)
def penalty_new(request: HttpRequest, access: Access) -> HttpResponse:
    place = place_of(access, request.GET)
    if place is None:
        return choose_place(request, access)
    if request.method != "POST":
        return _page(request, place, Tapped(place.chosen, request.GET.get("offence", "")))
    by_rules = "infraction" in request.POST
    form = place.offence_form(request.POST) if by_rules else place.penalty_form(request.POST)
    service: Callable[..., object] = log_offence if by_rules else log_penalty
    answer = save(
        request,
        form,
        lambda sent: service(
            stage=place.stage,
            table=place.table,
            dispute=place.dispute,
            by=access.by,
            approves=access.can_approve,
            form=sent,
            **form.values(),
        ),
        about=(place.query,),
        done=_sentence,
        then=access.address("penalties:desk"),
    )
    if answer is None:
        return _page(request, place, Tapped(place.player_named(form.data.get("player")), form.code), form)
    # The script learns where to go on: the message waits there.
    return answer if request.accepts("text/html") else JsonResponse({"then": answer["Location"]})


def _sentence(answer: Answer) -> str:
    """What was logged, and for whom."""
    alike: dict[tuple[str, int], list[str]] = {}
    found = Penalty.objects.filter(pk__in=answer["penalties"]).select_related("player", "round")
    logged = list(found.order_by("pk"))
    for penalty in logged:
        alike.setdefault((penalty.status, penalty.score), []).append(penalty.player.name)
    said = [
        _log_words(status, names) % {"player": listed(names), "score": number_tenths(tenths)}
        for (status, tenths), names in alike.items()
    ]
    counting = [counts_words(penalty) for penalty in logged if not penalty.waits]
    return sentences([*said, *counting[:1]])


def _log_words(status: str, names: Sequence[str]) -> str:
    if status == Penalty.Status.REQUESTED:
        return _("Requested for %(player)s. The chief referee decides.")
    if len(names) > 1:
        return _("Logged for %(player)s: %(score)s each.")
    return _("Logged for %(player)s: %(score)s.")


# --- the page


@dataclass(frozen=True)
class Tapped:
    """What was tapped so far: a seat, and the code of an offence (``OTHER``: something else)."""

    player: Player | None
    code: str

    def step(self, offences: Collection[str]) -> str:
        """The step that follows. Rules without offences have none to tap."""
        if self.player is None:
            return "seat"
        if self.code == OTHER or not offences:
            return "free"
        return "confirm" if self.code in offences else "offence"


@dataclass(frozen=True)
class SeatChoice:
    """A seat to tap. ``total``: what the player's penalties add up to so far, in tenths."""

    wind: int | None
    player: Player
    entrant: int | None
    total: int
    address: str
    chosen: bool


@dataclass(frozen=True)
class Review:
    """What each player gets, where that is confirmed in a second step: name, levels, deduction, what else
    happens. ``text`` is what the form sends back; ``expelled`` and ``waits``: some of them.
    """

    lines: list[tuple[str, str, str, bool]]
    text: str
    expels: bool
    waits: bool


@dataclass(frozen=True)
class Confirm:
    """The last tap: one offence of one player, with all that is left to choose. Without an offence it waits
    for the script, which fills it from the stock.
    """

    code: str
    title: str
    cases: tuple[Case, ...]
    departures: list[LevelChoice]
    others: list[tuple[int, str, bool]]
    form: OffenceForm
    hand: str
    known: bool
    deals: list[tuple[str, str, bool]]
    honba: str
    review: Review | None


@dataclass(frozen=True)
class Stock:
    """The cases of an offence for all players (``player`` None), or for one whose record changes them."""

    code: str
    title: str
    player: int | None
    cases: tuple[Case, ...]


def _page(
    request: HttpRequest,
    place: PenaltyPlace,
    tapped: Tapped,
    form: OffenceForm | PenaltyForm | None = None,
) -> HttpResponse:
    """The steps of this place, the one that follows what was tapped in view. ``form``: the one that was
    refused.
    """
    competition = place.access.competition
    confirm_form = form if isinstance(form, OffenceForm) else place.offence_form()
    bench = _bench(place, confirm_form)
    records = records_of(competition, [player.pk for player in place.players])
    record = records[tapped.player.pk] if tapped.player else []
    asked = request.GET.get("q", "")[:MOST_ASKED]
    groups = offence_choices(place.rules, lambda code: place.address(tapped.player, code))
    offences = {choice.code: choice for _heading, choices in groups for choice in choices}
    usual = [offences[code] for code in usual_offences(competition) if code in offences]
    if asked:
        found = _matching(offences.values(), asked)
        groups = [(_("Found"), sorted(found, key=lambda each: not holds_words(asked, each.search)))]
    return page(
        request,
        place.access,
        "penalties/new.html",
        place=place,
        step=tapped.step(offences),
        player=tapped.player,
        total=_total(record),
        seats=_seats(place, records, tapped.player),
        usual=[] if asked else usual,
        groups=[(heading, choices) for heading, choices in groups if choices],
        folded=not asked and len(usual) >= OFFENCES_SHOWN,
        asked=asked,
        hidden=place.parameters(tapped.player),
        other=place.address(tapped.player, OTHER),
        confirm=_confirm(place, bench, tapped.code if tapped.code in offences else "", record, confirm_form),
        free=form if isinstance(form, PenaltyForm) else place.penalty_form(player=tapped.player),
        stock=_stock(replace(bench, typed={}), records) if place.is_open else [],
        words=script_words(),
    )


def _bench(place: PenaltyPlace, form: OffenceForm) -> Bench:
    """The rules speak about the hand that the form names, else about the one that the table plays."""
    competition = place.access.competition
    return Bench(
        competition=competition,
        rules=place.rules,
        now=moment(place.table, named_hand(form.hand, place.hand), timezone.now(), competition),
        at_table=place.table is not None,
        approves=place.access.can_approve,
        typed=form.data,
    )


def _total(record: Iterable[Penalty]) -> int:
    return sum(penalty.score for penalty in record)


def _seats(
    place: PenaltyPlace, records: Mapping[int, list[Penalty]], chosen: Player | None
) -> list[SeatChoice]:
    return [
        SeatChoice(
            wind=wind if place.table else None,
            player=player,
            entrant=place.entrants.get(player.pk),
            total=_total(records[player.pk]),
            address=place.address(player),
            chosen=player == chosen,
        )
        for wind, player in enumerate(place.players)
    ]


def _matching(choices: Iterable[OffenceChoice], asked: str) -> list[OffenceChoice]:
    return [choice for choice in choices if matches(asked, choice.search)]


def _confirm(
    place: PenaltyPlace, bench: Bench, code: str, record: Sequence[Penalty], form: OffenceForm
) -> Confirm:
    hand, honba = first_deal(place.hand).partition(".")[::2] if is_known(place.hand) else ("", "0")
    unknown = [("", hand_words(""))] if place.deals and not hand else []
    deal, ticked = form.data.get("deal", hand), form["others"].value() or ()
    return Confirm(
        code=code,
        title=offence_title(bench.rules, code),
        cases=bench.cases(code, record) if code else (),
        departures=departures(bench.rules, bench.typed, waits_from=bench.waits_from),
        others=[(each.pk, each.name, str(each.pk) in ticked) for each in place.players],
        form=form,
        hand=hand_words(place.hand),
        known=bool(hand),
        deals=[(value, text, value == deal) for value, text in [*unknown, *place.deals]],
        honba=form.data.get("honba", honba),
        review=_review(place, form) if set(form.errors) == {"reviewed"} else None,
    )


def _review(place: PenaltyPlace, form: OffenceForm) -> Review | None:
    """None where the plan is refused, which the form then says."""
    try:
        plan = plan_offence(
            stage=place.stage,
            table=place.table,
            dispute=place.dispute,
            approves=place.access.can_approve,
            at=timezone.now(),
            **form.values(),
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None
    names = {player.pk: player.name for player in place.players}
    lines = [
        (
            names[each.player],
            level_name(each.given.level, place.rules),
            deduction_words((each.amount, each.amount)) or _("No deduction"),
            each.given.expels,
        )
        for each in plan
    ]
    return Review(
        lines=lines,
        text=plan_text(plan),
        expels=any(each.given.expels for each in plan),
        waits=all(each.waits for each in plan),
    )


def _stock(bench: Bench, records: Mapping[int, list[Penalty]]) -> list[Stock]:
    """All that the last tap may ask for, after any taps before it."""
    codes = [entry.code for entry in bench.rules.offered]
    titles = {code: offence_title(bench.rules, code) for code in codes}
    plain = {code: bench.cases(code, ()) for code in codes}
    stock = [Stock(code, titles[code], None, cases) for code, cases in plain.items()]
    for player, record in records.items():
        own = {code: bench.cases(code, record) for code in plain} if record else {}
        changed = {code: cases for code, cases in own.items() if cases != plain[code]}
        stock += [Stock(code, titles[code], player, cases) for code, cases in changed.items()]
    return stock
