"""The page of a place: all steps to a penalty, and the stock of cases that its script needs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.errors import Refused
from league.core.pages import page
from league.models import Penalty
from league.play.hands.words.names import hand_words
from league.referees.penalties.forms import OTHER, OffenceForm, PenaltyForm
from league.referees.penalties.queries.referee import act_at, has_hand, records_of, usual_offences
from league.referees.penalties.services.plan import plan_penalties, plan_text
from league.referees.penalties.views.offence_choice import (
    Bench,
    Case,
    Choice,
    OffenceChoice,
    departures,
    find_offences,
    is_match,
    offence_choices,
    offence_title,
)
from league.referees.penalties.views.place import PenaltyPlace
from league.referees.penalties.words import script_words
from league.rules.penalty_rules.words.catalogues import deduction_words
from league.rules.penalty_rules.words.rulings import level_name
from players.models import Player
from scoring.hand_codes import dealer_of, first_deal, is_known, named_hand

OFFENCES_SHOWN = 4  # with so many usual offences, the other groups are folded
MOST_ASKED = 100  # characters of a search


class SeatChoice(NamedTuple):
    wind: int | None  # at the start; None away from the tables
    player: Player
    entrant: int | None
    total: int  # tenths
    address: str


def steps_page(
    request: HttpRequest,
    place: PenaltyPlace,
    player: Player | None,
    code: str,
    form: OffenceForm | PenaltyForm | None = None,
) -> HttpResponse:
    """Render all steps and show the next one. ``player`` and ``code`` were tapped. ``form`` has errors."""
    competition = place.access.competition
    confirm_form = form if isinstance(form, OffenceForm) else place.offence_form()
    bench = _bench(place, confirm_form)
    records = records_of(competition, [each.pk for each in place.players])
    totals = {pk: sum(penalty.score for penalty in record) for pk, record in records.items()}
    asked = request.GET.get("q", "")[:MOST_ASKED]
    groups = offence_choices(place.rules, lambda code: place.address(player, code))
    offences = {choice.code: choice for _heading, choices in groups for choice in choices}
    usual = [offences[code] for code in usual_offences(competition) if code in offences]
    if asked:
        groups = _found(asked, offences.values())
    answer = page(
        request,
        place.access,
        "penalties/new.html",
        place=place,
        step=_step(player, code, offences),
        ways_out=place.ways_out(code) if place.closed or place.planned else (),
        player=player,
        total=totals[player.pk] if player else 0,
        dealer=dealer_of(place.hand),
        seats=[
            SeatChoice(
                wind=wind if place.table else None,
                player=each,
                entrant=place.entrants.get(each.pk),
                total=totals[each.pk],
                address=place.address(each),
            )
            for wind, each in enumerate(place.players)
        ],
        usual=[] if asked else usual,
        groups=[(heading, choices) for heading, choices in groups if choices],
        folded=not asked and len(usual) >= OFFENCES_SHOWN,
        asked=asked,
        hidden=place.parameters(player),
        other=place.address(player, OTHER),
        confirm=_confirm(
            place, bench, code if code in offences else "", records[player.pk] if player else [], confirm_form
        ),
        free=form if isinstance(form, PenaltyForm) else place.penalty_form(player=player),
        stock=_stock(replace(bench, typed={}), records) if place.is_open else [],
        words=script_words(),
    )
    answer["X-Hand"] = place.hand  # js/worker.js renews the page that it keeps of another hand
    return answer


def _found(asked: str, choices: Collection[OffenceChoice]) -> list[tuple[str, list[OffenceChoice]]]:
    found = find_offences(asked, choices)
    if not found:
        return []
    return [(_("Found") if is_match(asked, found[0]) else _("No exact match. The nearest offences:"), found)]


def _step(player: Player | None, code: str, offences: Collection[str]) -> str:
    if player is None:
        return "seat"
    if code == OTHER or not offences:
        return "free"
    if code in offences:
        return "confirm"
    return "offence"


def _bench(place: PenaltyPlace, form: OffenceForm) -> Bench:
    """The rules judge the hand in the form, or else the hand that the table plays."""
    competition = place.access.competition
    return Bench(
        competition=competition,
        rules=place.rules,
        now=act_at(competition, place.table, "", hand=named_hand(form.hand, place.hand), at=timezone.now()),
        at_table=place.table is not None,
        in_hand=has_hand(place.table, place.hand),
        approves=place.access.can_approve,
        typed=form.data,
    )


def _confirm(
    place: PenaltyPlace, bench: Bench, code: str, record: Sequence[Penalty], form: OffenceForm
) -> dict[str, Any]:
    """Return the last step for one offence. Without a ``code`` the script fills it from the stock."""
    hand = ""
    honba = "0"
    if is_known(place.hand):
        hand, _dot, honba = first_deal(place.hand).partition(".")
    no_hand = _("after the game") if place.over else hand_words("")
    unknown = [("", no_hand)] if place.deals and not hand else []
    deal = form.data.get("deal", hand)
    ticked_players = form["others"].value() or ()
    return {
        "code": code,
        "title": offence_title(bench.rules, code),
        "cases": bench.cases(code, record) if code else (),
        "departures": departures(bench.rules, bench.typed, waits_from=bench.waits_from),
        "others": [
            Choice(player.pk, player.name, str(player.pk) in ticked_players) for player in place.players
        ],
        "form": form,
        "hand": no_hand if place.over else hand_words(place.hand),
        "known": bool(hand) or place.over,
        "deals": [Choice(value, text, value == deal) for value, text in [*unknown, *place.deals]],
        "honba": form.data.get("honba", honba),
        "review": _review(place, form, bench.waits_from) if set(form.errors) == {"reviewed"} else None,
    }


def _review(place: PenaltyPlace, form: OffenceForm, waits_from: str) -> dict[str, Any] | None:
    """Return each player's name, level, deduction and expulsion, or None if the plan is refused."""
    draft = Penalty(
        stage=place.stage,
        round=place.round_counted(form),
        table=place.table,
        dispute=place.dispute,
        **form.offence(),
    )
    draft.hand = named_hand(draft.hand, place.hand)
    offenders = (form.cleaned_data["player"], *form.cleaned_data["others"])
    try:
        plan = plan_penalties(draft, offenders, **form.decision(), at=timezone.now(), limit=waits_from)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None
    names = {player.pk: player.name for player in place.players}
    lines = [
        {
            "name": names[penalty.player_id],
            "level": level_name(penalty.level, place.rules),
            "deduction": deduction_words((-penalty.score, -penalty.score)) or _("No deduction"),
            "expels": place.rules.expels(penalty.level),
        }
        for penalty in plan
    ]
    return {
        "lines": lines,
        "text": plan_text(plan),
        "expels": any(line["expels"] for line in lines),
        "waits": all(penalty.waits for penalty in plan),
    }


class Stock(NamedTuple):
    """The cases of an offence for the script. ``player``: None for players whose record does not matter."""

    code: str
    title: str
    player: int | None
    cases: tuple[Case, ...]


def _stock(bench: Bench, records: Mapping[int, list[Penalty]]) -> list[Stock]:
    codes = [entry.code for entry in bench.rules.offered]
    titles = {code: offence_title(bench.rules, code) for code in codes}
    plain = {code: bench.cases(code, ()) for code in codes}
    stock = [Stock(code, titles[code], None, cases) for code, cases in plain.items()]
    for player, record in records.items():
        own = {code: bench.cases(code, record) for code in plain} if record else {}
        stock += [
            Stock(code, titles[code], player, cases) for code, cases in own.items() if cases != plain[code]
        ]
    return stock
