"""A penalty logged in four taps: table, seat, offence, confirm.

Without script each tap is a page or a choice in a form. The page of a table holds all choices, so that its
script needs no network before it sends. A POST redirects only if the penalty is logged; otherwise its status
is 422. The script relies on this: it keeps the form on the phone until a redirect, and sends it once.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.errors import Refused
from league.core.numbers import number_tenths
from league.core.pages import Answer, number_in, page, save, writes
from league.core.rounds import rules_at, seats_with_players, where_words
from league.core.search import holds_words, matches, sort_key
from league.core.text import listed, sentences
from league.models import Dispute, Entrant, Penalty, Round, Stage, Table
from league.people.members.queries import players_of
from league.play.hands.queries import RULES
from league.play.hands.words.names import hand_choices, hand_words
from league.play.hands.words.penalties import Wordings
from league.play.open_play.queries import to_be_played
from league.ranking.standings.queries.standings import unlisted_players
from league.referees.penalties.forms import OTHER, OffenceForm, PenaltyForm, PlayerForm
from league.referees.penalties.queries.penalties import with_facts
from league.referees.penalties.queries.places import (
    begun_rounds,
    stages_of_player,
    tables_in_play,
    unlisted_name,
)
from league.referees.penalties.queries.referee import (
    act_at,
    hand_of_act,
    has_hand,
    is_over,
    players_at,
    records_of,
    usual_offences,
)
from league.referees.penalties.services.log import log_offence, log_penalty
from league.referees.penalties.services.plan import plan_penalties, plan_text
from league.referees.penalties.views.offence_choice import (
    Bench,
    Case,
    Choice,
    departures,
    offence_choices,
    offence_title,
)
from league.referees.penalties.words import counts_words, script_words, unlisted_words
from league.rules.penalty_rules.words.catalogues import deduction_words
from league.rules.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from players.models import Player
from scoring.hand_codes import dealer_of, first_deal, is_known, named_hand

OFFENCES_SHOWN = 4  # with so many usual offences, the other groups are folded
MOST_ASKED = 100  # characters of a search
MOST_REASON = 300  # characters
KEPT = ("stage", "offence")  # parts of an address that stay while a player is chosen
NEWEST_TABLES = 8  # tables of a player that are offered besides the newest


@dataclass(frozen=True)
class PenaltyPlace:
    """A place and the players who can be named there. ``query`` is the place in an address."""

    access: Access
    stage: Stage
    table: Table | None
    players: tuple[Player, ...]  # the four by wind at a table, else the one asked for
    chosen_player: Player | None
    entrants: dict[int, int]  # player → the number in page addresses
    query: str
    elsewhere: tuple[tuple[str, str], ...] = ()  # address and words of the other places of the player
    dispute: Dispute | None = None
    mine: bool = False
    rounds: tuple[Round, ...] = ()  # away from the tables: those that the player has begun in the stage
    round: Round | None = None  # with whose publication a penalty counts unless the referee says otherwise

    @property
    def words(self) -> str:
        if self.table is None:
            return _("%(stage)s, no table") % {"stage": where_words(self.stage)}
        return where_words(self.stage, self.table.round, self.table)

    @property
    def is_open(self) -> bool:
        return not (self.closed or self.planned or self.mine)

    @property
    def closed(self) -> bool:
        """Only a ruling logs a penalty at a table of a closed round."""
        return self._is(Round.Status.CLOSED)

    @property
    def planned(self) -> bool:
        return self._is(Round.Status.PLANNED)

    def _is(self, status: Round.Status) -> bool:
        return self.table is not None and self.dispute is None and self.table.round.status == status

    @cached_property
    def over(self) -> bool:
        return self.table is not None and self.dispute is None and is_over(self.table)

    @cached_property
    def hand(self) -> str:
        return hand_of_act(self.table, self.dispute)

    @cached_property
    def unlisted(self) -> str:
        """Say which players the standings leave out, or return an empty text."""
        pks = unlisted_players(self.stage, [player.pk for player in self.players])
        names = [player.name for player in self.players if player.pk in pks]
        if not names:
            return ""
        return unlisted_words(self.stage, names)

    @property
    def counts(self) -> list[tuple[str, str]]:
        """Return from when a penalty can count: the value that the form sends, and words."""
        if self.table is not None:
            return []
        hidden = [each for each in self.rounds if each.visibility != Round.Visibility.RESULTS]
        words = _("when round %(round)s is published")
        return [("", _("at once")), *((str(each.pk), words % {"round": each.number}) for each in hidden)]

    def round_counted(self, form: PlayerForm) -> Round | None:
        """Return the round with which the penalty of a valid form counts, or None if it counts at once."""
        if self.table is not None:
            return self.table.round
        return next((r for r in self.rounds if r.pk == form.cleaned_data["counts"]), None)

    def without_table(self, player: Player, offence: str = "") -> QueryDict:
        """Return the query that logs for the player away from this table, for the same stage.

        What belongs to an unpublished round counts with its publication unless the referee says otherwise.
        """
        query = QueryDict(mutable=True)
        query.update({"player": str(self.entrants.get(player.pk, "")), "stage": str(self.stage.pk)})
        if self.table and self.closed and self.table.round.visibility != Round.Visibility.RESULTS:
            query["round"] = str(self.table.round_id)
        if offence:
            query["offence"] = offence
        return query

    def ways_out(self, offence: str) -> list[tuple[str, str]]:
        """Return the address and the name of each player, away from this table."""
        players = [self.chosen_player] if self.chosen_player else self.players
        address = self.access.address("penalties:new")
        return [(f"{address}?{self.without_table(p, offence).urlencode()}", p.name) for p in players]

    @property
    def deals(self) -> list[tuple[str, str]]:
        if self.table is None:
            return []
        return hand_choices(rules_at(self.table))

    @cached_property
    def rules(self) -> PenaltyRules:
        return penalty_rules_of(self.stage.division.rule_set)

    def offence_form(self, typed: QueryDict | None = None) -> OffenceForm:
        players = [(player.pk, player.name) for player in self.players]
        return OffenceForm(typed, players=players, rules=self.rules, deals=self.deals, **self._counting())

    def penalty_form(self, typed: QueryDict | None = None, player: Player | None = None) -> PenaltyForm:
        """The form of what the penalty rules do not know. Where they know no offence at all, of a chombo."""
        return PenaltyForm(
            typed,
            players=[(each.pk, each.name) for each in self.players],
            rules=self.rules,
            chombo=None if self.rules.catalogue else self.stage.division.rules.chombo.score,
            initial={"player": player.pk if player else None},
            **self._counting(),
        )

    def _counting(self) -> dict[str, Any]:
        return {"counts": self.counts, "rounds": self.rounds, "counting": self.round}

    def player_named(self, number: object) -> Player | None:
        return next((each for each in self.players if str(each.pk) == str(number)), None)

    def parameters(self, player: Player | None) -> list[tuple[str, str]]:
        named = QueryDict(self.query, mutable=True)
        if player is not None:
            named["player"] = str(self.entrants.get(player.pk, ""))
        return [(name, str(named[name])) for name in named]

    def address(self, player: Player | None = None, offence: str = "") -> str:
        """Return the address of a step, with the player and the offence that were tapped so far."""
        address = f"{self.access.address('penalties:new')}?{self.query}"
        query = QueryDict(mutable=True)
        if player is not None and self.table is not None:
            query["player"] = str(self.entrants.get(player.pk, ""))
        if offence:
            query["offence"] = offence
        if not query:
            return address
        return f"{address}&{query.urlencode()}"


def place_of(access: Access, query: QueryDict) -> PenaltyPlace | None:
    """Return the place in the address, or None if it names none. Raise ``Http404`` for unknown ids."""
    entrant = access.entrant(number) if (number := number_in(query, "player")) is not None else None
    if (number := number_in(query, "table")) is not None:
        return _at_table(access, access.table(number), entrant, number_in(query, "dispute"))
    if entrant is None:
        return None
    if (number := number_in(query, "stage")) is not None:
        return _away_from_tables(access, access.stage(number), entrant, number_in(query, "round"))
    tables = tables_in_play(access.rounds(), entrant.player_id)
    if tables and "away" not in query:
        return _at_table(access, tables[0], entrant, None)
    stages = stages_of_player(access.stages(), entrant)
    if not stages:
        return None
    return _away_from_tables(access, stages[0], entrant)


def _at_table(access: Access, table: Table, entrant: Entrant | None, number: int | None) -> PenaltyPlace:
    players = tuple(players_at(table))
    entered = Entrant.objects.filter(competition=access.competition, player__in=[p.pk for p in players])
    dispute = access.dispute(number) if number else None
    if dispute is not None and dispute.table_id != table.pk:
        raise Http404
    return PenaltyPlace(
        access=access,
        stage=table.round.stage,
        table=table,
        players=players,
        chosen_player=next((p for p in players if entrant and p.pk == entrant.player_id), None),
        entrants=dict(entered.values_list("player_id", "pk")),
        query=f"table={table.pk}" + (f"&dispute={dispute.pk}" if dispute else ""),
        elsewhere=tuple(_elsewhere(access, entrant, here=table)) if entrant else (),
        dispute=dispute,
        mine=access.leaves(table),
    )


def _away_from_tables(
    access: Access, stage: Stage, entrant: Entrant, number: int | None = None
) -> PenaltyPlace:
    """Return a place without a table. ``number``: the round with whose publication a penalty counts.

    Without a number it counts with an unpublished round that the player is in, or at once.
    """
    rounds = tuple(begun_rounds(stage, entrant.player_id))
    hidden = [each for each in rounds if each.visibility != Round.Visibility.RESULTS]
    running = [each for each in hidden if each.status == Round.Status.OPEN]
    asked = [each for each in rounds if each.pk == number]
    return PenaltyPlace(
        access=access,
        stage=stage,
        table=None,
        players=(entrant.player,),
        chosen_player=entrant.player,
        entrants={entrant.player_id: entrant.pk},
        query=f"player={entrant.pk}&stage={stage.pk}",
        elsewhere=tuple(_elsewhere(access, entrant, here=stage)),
        rounds=rounds,
        round=next(iter(asked or reversed(running)), None),
    )


def _elsewhere(access: Access, entrant: Entrant, *, here: models.Model) -> Iterator[tuple[str, str]]:
    address = f"{access.address('penalties:new')}?player={entrant.pk}"
    for table in tables_in_play(access.rounds(), entrant.player_id)[:NEWEST_TABLES]:
        if table != here:
            yield f"{address}&table={table.pk}", where_words(table.round.stage, table.round, table)
    for stage in stages_of_player(access.stages(), entrant):
        if stage != here:
            words = _("%(stage)s, no table") % {"stage": where_words(stage)}
            yield f"{address}&stage={stage.pk}", words


def choose_place(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask for a player away from the tables, or for a table of an open round, the newest one first.

    The stage and the offence in the address stay with the player.
    """
    opened = access.rounds().filter(status=Round.Status.OPEN)
    rounds = list(to_be_played(opened).order_by("-pk"))
    asked = number_in(request.GET, "round")
    chosen_round = next((r for r in rounds if r.pk == asked), None) or next(iter(rounds), None)
    return page(
        request,
        access,
        "penalties/where.html",
        rounds=[(r, where_words(r.stage, r)) for r in rounds],
        chosen=chosen_round,
        tables=chosen_round.tables.prefetch_related(seats_with_players()) if chosen_round else (),
        named=[("away", ""), *((name, request.GET[name]) for name in KEPT if name in request.GET)],
        players=sorted(players_of(access.competition).values(), key=lambda info: sort_key(info.name)),
    )


# --- the view


@gzip_page  # the cases of all offences for four players: 150 kB, 12 kB when compressed
@writes(Can.REFEREE)
def penalty_new(request: HttpRequest, access: Access) -> HttpResponse:
    place = place_of(access, request.GET)
    if place is None:
        return choose_place(request, access)
    if request.method != "POST":
        return _page(request, place, place.chosen_player, request.GET.get("offence", ""))
    by_rules = "infraction" in request.POST
    form = place.offence_form(request.POST) if by_rules else place.penalty_form(request.POST)
    service: Callable[..., object] = log_offence if by_rules else log_penalty
    answer = save(
        request,
        form,
        lambda sent: service(
            stage=place.stage,
            table=place.table,
            round_=place.round_counted(form),
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
        player = place.player_named(form.data.get("player"))
        finished = access.competition.finished_at is not None
        if place.closed and not place.mine and not finished and player is not None:
            return _offer_without_table(request, place, player)
        return _page(request, place, player, form.code, form)
    if request.accepts("text/html"):
        return answer
    # The script learns where to go on: the message waits there.
    return JsonResponse({"then": answer["Location"]})


def _sentence(answer: Answer) -> str:
    alike: dict[tuple[str, int, str], list[str]] = {}
    penalties = with_facts(Penalty.objects.filter(pk__in=answer["penalties"])).select_related(RULES)
    lines = Wordings().lines(penalties.order_by("pk"))
    for line in lines:
        penalty = line.penalty
        alike.setdefault((penalty.status, penalty.score, line.level), []).append(penalty.player.name)
    said = [
        _log_words(status, tenths, level, names)
        % {"player": listed(names), "score": number_tenths(tenths), "level": level}
        for (status, tenths, level), names in alike.items()
    ]
    in_hand = [line for line in lines if has_hand(line.penalty.table, line.penalty.hand)]
    effects = dict.fromkeys(effect for line in in_hand for effect in line.effects)
    counting = [
        counts_words(line.penalty, unlisted=unlisted_name(line.penalty))
        for line in lines
        if line.penalty.score and not line.penalty.waits
    ]
    return sentences([*said, *counting[:1], *effects])


def _offer_without_table(request: HttpRequest, place: PenaltyPlace, player: Player) -> HttpResponse:
    """Show the penalty of a phone that was late, filled in to be logged without its table.

    The remark names the place, because the round was closed before the phone sent the penalty.
    """
    away = place_of(place.access, place.without_table(player))
    assert away is not None
    typed = request.POST.copy()
    hand = typed.get("deal") and hand_words(f"{typed['deal']}.{typed.get('honba') or 0}")
    where = listed([each for each in (place.words, hand) if each])
    typed["reason"] = f"{typed.get('reason', '').strip()} ({where})".strip()[:MOST_REASON]
    others = [each.name for each in map(place.player_named, typed.getlist("others")) if each]
    for name in ("deal", "honba", "others"):
        typed.pop(name, None)
    if away.round is not None:
        typed["counts"] = str(away.round.pk)
    by_rules = "infraction" in typed
    form = away.offence_form(typed) if by_rules else away.penalty_form(typed)
    form.add_error(None, _("This round has closed. Not logged yet: log it here, without a table."))
    if others:
        form.add_error(None, _("Then log it for the others, too: %(names)s.") % {"names": listed(others)})
    return _page(request, away, player, form.code, form)


def _log_words(status: str, score: int, level: str, names: Sequence[str]) -> str:
    if status == Penalty.Status.REQUESTED:
        return _("Requested for %(player)s. The chief referee decides.")
    if score == 0:
        if level:
            return _("Logged for %(player)s: %(level)s.")
        return _("Logged for %(player)s.")
    if len(names) > 1:
        return _("Logged for %(player)s: %(score)s each.")
    return _("Logged for %(player)s: %(score)s.")


# --- the page


class SeatChoice(NamedTuple):
    wind: int | None  # at the start; None away from the tables
    player: Player
    entrant: int | None
    total: int  # tenths
    address: str


def _page(
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
        matching = [choice for choice in offences.values() if matches(asked, choice.search)]
        matching.sort(key=lambda choice: not holds_words(asked, choice.search))
        groups = [(_("Found"), matching)]
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
        "others": [Choice(each.pk, each.name, str(each.pk) in ticked_players) for each in place.players],
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
