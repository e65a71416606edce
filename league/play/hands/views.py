"""The hands of a table, for the phones at it.

`state` answers with JSON, and with 304 if its ETag is still true:

    {"number": 7,                 # of the last entry, 0 for none
     "hand": "E2.1",              # code of the hand in play, "" if unknown, "E2.1.1" if dealt again
     "hand_words": "East 2, honba 1",
     "keeps_points": true,
     "points": [4], "deposits": 0,      # after the last hand, as the engine has them
     "points_now": [4], "deposits_now": 1000,   # with the riichi sticks of the hand in play
     "dealer": 1, "honba": 1, "riichi": [2],
     "over": null, "over_words": "",    # "length", "bust" …
     "late": null,                      # hands since the time ran out
     "bell_at": "2026-…+00:00",         # end of the time, null without a running clock
     "bans": [0], "dead": [], "chombo": [],   # seats, in the hand in play, by the referees' record
     "extra_tiles": [4],
     "names": [4], "winds": [4],        # by seat; the wind that each seat has now, in words
     "players": [4],                    # ids
     "hands": [{"number": 3, "code": "E1.0", "name_words": "…", "result_words": "…",
                "pays": ["…"], "changes": [4], "points": [4], "deposits": 0,
                "by": "Bob", "at": "…", "facts": {…}}],
     "problem": "",                     # the hand after `hands` that the rules refuse, in words
     "requests": ["…"],                 # what the hands ask of the referees, in words
     "log": [{"number", "key", "kind", "target", "facts", "by", "at"}],   # all entries
     "is_done": false, "takes": true,   # a sheet is recorded; the round is open
     "version": "…"}

`write` takes the fields `key`, `kind`, `facts` (JSON), `based_on`, `target`, `after`, `ago`. `target` is the
number of a hand, or the key of its entry if the device does not know its number yet. `after` is the key of
the entry that the device pressed before this one, so that it need not renew `based_on` in its queue. With
`preview=1` nothing is saved. The answers to `Accept: application/json`:

    200 {"saved": "<key>", "number": 8, "state": {…}}     # also if the key was saved before
    200 {"preview": {"pays": ["…"], "result_words": "…", "over_words": "", "points": [4], "deposits": 0,
                     "requests": ["…"],     # what the referees decide then, and what they have decided
                     "changed": [{"name_words", "result_words", "before": [4], "after": [4]}]}}
    409 {"conflict": [entries as in `log`], "state": {…}}
    422 {"refused": ["…"], "state": {…}}

The page without script sends the fields of `HandForm` instead of `facts`, sees who pays what, and confirms.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from hashlib import blake2b
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.caching import answer
from league.core.errors import Refused
from league.core.me import find_me
from league.core.numbers import number_tenths
from league.core.pages import number_in, page, posted, reads, takes
from league.core.text import labelled, sentences
from league.models import HandEntry, Round, Seat, Table
from league.play.hands.forms import HandForm, fields_of
from league.play.hands.offences import article_of, settle_log
from league.play.hands.queries import (
    Restrictions,
    bell_at,
    entries_of,
    game_of,
    players_of,
    restrictions_at,
    table_game,
    takes_hands,
    undecided_of_hands,
)
from league.play.hands.services import WITH_FACTS, Behind, Impossible, Plan, add_entry, plan_entry
from league.play.hands.words.names import hand_words
from league.play.hands.words.offences import asked_words, stray_words, withdrawn_words
from league.play.hands.words.problems import ending_reason, hanchan_problem
from league.play.hands.words.results import payment_lines, result_words
from league.rules.penalty_rules.words.rulings import PenaltyRules, penalty_rules_of
from players.models import Player
from scoring.hanchan import Game, GameStep, new_game
from scoring.hand_codes import parse_hand_code
from scoring.hand_log import CORRECT, REMOVE, TableGame
from scoring.implied import CHOMBO, chombo_costs
from scoring.rules import Rules

CONFIRMED = (*WITH_FACTS, REMOVE)  # the page without script asks before it saves these


@reads(Can.VIEW)
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show the hands. `?correct=`, `?insert=`: number of the hand that the form changes."""
    table = _enter(access, pk)
    return _page(request, access, table)


def _page(
    request: HttpRequest, access: Access, table: Table, form: HandForm | None = None, *, status: int = 0
) -> HttpResponse:
    facts = _state(request, access, table)
    return page(
        request,
        access,
        "hands/table.html",
        table=table,
        round=table.round,
        state=facts,
        seats=list(zip(facts["names"], facts["winds"], facts["points_now"], strict=False)),
        rules=table.rules.as_values(),
        chombo=_chombo(table),
        form=form or _form(request, table, facts),
        me=find_me(request, access),
        status=status,
    )


def _form(request: HttpRequest, table: Table, state: Mapping[str, Any]) -> HandForm:
    """Return the form of the next hand, or of the hand that the address names."""
    initial: dict[str, Any] = {"based_on": state["number"], "riichi": state["riichi"]}
    for kind in ("correct", "insert"):
        number = number_in(request.GET, kind)
        hand = next((hand for hand in state["hands"] if hand["number"] == number), None)
        if hand:
            initial |= {"kind": kind, "target": number, "riichi": []}
            initial |= fields_of(hand["facts"]) if kind == CORRECT else {}
    return HandForm(rules=table.rules, names=state["names"], initial=initial)


@reads(Can.VIEW, kept=True)
def state(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    table = _enter(access, pk)
    facts = _version(table)
    return answer(request, facts, lambda: JsonResponse(_state(request, access, table, facts)), may_keep=False)


@takes(Can.VIEW, shown_on=lambda access, pk: access.address("hands:table", pk))
def write(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Save an entry, or show what follows from it."""
    table = _enter(access, pk)
    players = players_of(table)
    kept = _kept(table, request)
    form = HandForm(posted(request), rules=table.rules, names=list(players.values()), kept=kept)
    wants_json = "application/json" in request.headers.get("Accept", "")
    try:
        if not form.is_valid():
            raise Impossible([str(error) for errors in form.errors.values() for error in errors])
        given = form.cleaned_data
        entry: dict[str, Any] = {"table": table, "is_staff": access.is_inside(table)}
        entry |= {name: given[name] for name in ("kind", "facts", "target")}
        at = timezone.now() - timedelta(seconds=given["ago"])
        previews = "preview" in request.POST
        asks = not wants_json and given["kind"] in CONFIRMED and "confirm" not in request.POST
        if previews or asks:
            plan = plan_entry(**entry, at=at)
            preview = _preview(plan) | {"requests": _foreseen(table, plan)}
            if wants_json:
                return JsonResponse({"preview": preview})
            return _confirm(request, access, table, preview)
        saved = add_entry(
            **entry,
            key=given["key"],
            based_on=given["based_on"],
            after=given["after"],
            by=access.user if isinstance(access.user, User) else None,
            player=_player(request, access, players),
            at=at,
        )
    except Refused as refusal:
        return _refuse(request, access, table, form, refusal, wants_json=wants_json)
    if wants_json:
        number = {"saved": str(saved.key), "number": saved.number}
        return JsonResponse(number | {"state": _state(request, access, table)})
    messages.success(request, _said(table, saved))
    return HttpResponseRedirect(access.address("hands:table", pk), status=HTTPStatus.SEE_OTHER)


def _enter(access: Access, pk: int) -> Table:
    table = access.table(pk)
    if not access.is_at(table):
        raise PermissionDenied
    return table


def _kept(table: Table, request: HttpRequest) -> Mapping[str, Any]:
    """Return the facts of the hand to correct, for the page without script."""
    if request.POST.get("facts") or request.POST.get("kind") != CORRECT:
        return {}
    now, number = table_game(table), number_in(request.POST, "target")
    hands = dict(zip(now.numbers, now.game.hands, strict=True)) if now.game else {}
    return hands[number].as_values() if number in hands else {}


def _player(request: HttpRequest, access: Access, players: Collection[int]) -> Player | None:
    """Return the player whose phone it is, if they sit at the table."""
    me = find_me(request, access)
    return me.entrant.player if me and me.entrant.player_id in players else None


def _refuse(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: HandForm,
    refusal: Refused,
    *,
    wants_json: bool,
) -> HttpResponse:
    status = HTTPStatus.CONFLICT if isinstance(refusal, Behind) else HTTPStatus.UNPROCESSABLE_ENTITY
    if wants_json:
        reasons = refusal.reasons if isinstance(refusal, Impossible) else [str(refusal)]
        why: dict[str, Any] = {"refused": reasons}
        if isinstance(refusal, Behind):
            why = {"conflict": [_entry(entry) for entry in refusal.entries]}
        return JsonResponse(why | {"state": _state(request, access, table)}, status=status)
    if form.is_valid():
        form.add_error(None, str(refusal))
    typed = request.POST.copy()
    typed["based_on"] = str(table_game(table).number)  # the page shows what the others entered
    form.data = typed
    return _page(request, access, table, form, status=status)


def _confirm(request: HttpRequest, access: Access, table: Table, preview: Mapping[str, Any]) -> HttpResponse:
    again = [(name, value) for name, values in request.POST.lists() for value in values]
    hidden = [(name, value) for name, value in again if name != "csrfmiddlewaretoken"]
    values = {"table": table, "round": table.round, "preview": preview, "hidden": hidden}
    return page(request, access, "hands/confirm.html", **values, status=HTTPStatus.OK)


def _said(table: Table, saved: HandEntry) -> str:
    """Say what was saved: the hand with its result, or the hand in play."""
    now = table_game(table)
    names = list(players_of(table).values())
    number = saved.target or saved.number
    if now.game and number in now.numbers:
        index = now.numbers.index(number)
        words = {"hand": hand_words(now.codes[index]), "result": result_words(now.game.steps[index], names)}
        return _("Saved. %(hand)s: %(result)s.") % words
    return _("Saved. Current hand: %(hand)s.") % {"hand": hand_words(now.hand)}


# --- the facts in JSON


def _version(table: Table) -> tuple[object, ...]:
    """Return everything that the state depends on. Penalties and seats change without the table's version."""
    players = players_of(table)
    record = restrictions_at(table, list(players))
    ends = bell_at(table)
    round_ = table.round
    rules = round_.stage.division.rule_set_id
    asked = list(undecided_of_hands(table).values_list("pk", "score"))
    return (
        *(table.pk, table.version, round_.version, round_.status, rules, players),
        *(sorted(record.items()), takes_hands(table), ends, asked),
    )


def _state(
    request: HttpRequest, access: Access, table: Table, version: tuple[object, ...] | None = None
) -> dict[str, Any]:
    table.refresh_from_db(fields=["hand", "version"])
    players = players_of(table)
    names = list(players.values())
    entries = entries_of([table], with_people=True)[table.pk]
    now = game_of(table, entries)
    record = restrictions_at(table, list(players)).get(now.hand, Restrictions())
    ends = bell_at(table)
    return {
        "number": now.number,
        "hand": now.hand,
        "hand_words": hand_words(now.hand),
        **_game(now, table.rules),
        "bell_at": ends and ends.isoformat(),
        "bans": sorted(record.bans),
        "dead": sorted(record.dead),
        "chombo": sorted(record.chombo),
        "extra_tiles": record.extra_tiles,
        "names": names,
        "players": list(players),
        "hands": _hands(now, {entry.number: entry for entry in entries}, names),
        "problem": _problem(now, names),
        "requests": _requests(table),
        "log": [_entry(entry) for entry in entries],
        "is_done": not takes_hands(table),
        "takes": table.round.status == Round.Status.OPEN,
        "version": blake2b(repr(version or _version(table)).encode(), digest_size=8).hexdigest(),
    }


def _game(now: TableGame, rules: Rules) -> dict[str, Any]:
    """Return the points and the hand in play. Without points kept they are those of the start."""
    game = now.game or _unplayed(now.hand, rules)
    winds = [str(Seat.Wind.labels[(seat - game.dealer) % 4]) for seat in range(4)]
    return {
        "keeps_points": now.game is not None,
        "points": game.points,
        "deposits": game.deposits,
        "points_now": now.points_now or game.points,
        "deposits_now": now.deposits_now,
        "dealer": game.dealer,
        "honba": game.honba,
        "riichi": now.riichi,
        "over": game.over,
        "over_words": ending_reason(game.over) if game.over else "",
        "late": game.late,
        "winds": winds,
    }


def _unplayed(hand: str, rules: Rules) -> Game:
    try:
        return new_game(rules, at=parse_hand_code(hand, rules))
    except ValueError:  # unknown, or of rules that were exchanged since
        return new_game(rules)


def _hands(now: TableGame, entries: Mapping[int, HandEntry], names: Sequence[str]) -> list[dict[str, Any]]:
    steps = now.game.steps if now.game else ()
    return [
        {
            "number": number,
            "code": code,
            "name_words": hand_words(code),
            **_step(step, names),
            "by": _who(entries[number]),
            "at": entries[number].at.isoformat(),
            "facts": step.hand.as_values(),
        }
        for number, code, step in zip(now.numbers, now.codes, steps, strict=True)
    ]


def _step(step: GameStep, names: Sequence[str]) -> dict[str, Any]:
    return {
        "result_words": result_words(step, names),
        "pays": list(payment_lines(step.transfers, names)),
        "changes": step.changes,
        "points": step.points,
        "deposits": step.deposits,
    }


def _problem(now: TableGame, names: Sequence[str]) -> str:
    """Say why the rules refuse a kept hand, because they have changed since."""
    if now.broken is None:
        return ""
    words = sentences(hanchan_problem(problem, names) for problem in now.broken.problems)
    return labelled(hand_words(now.hand), words)


def _requests(table: Table) -> list[str]:
    """Return the undecided requests of the table's log of hands, in words."""
    waiting = list(undecided_of_hands(table).select_related("player").order_by("pk"))
    if not waiting:
        return []
    rules, limit = _penalty_rules(table)
    return [asked_words(each, rules, limit=limit) for each in waiting]


def _foreseen(table: Table, plan: Plan) -> list[str]:
    """Say what an entry would ask of the referees, and what they have decided about hands that it changes."""
    known = {entry.pk for entry in settle_log(table, plan.before).strays}
    settled = settle_log(table, plan.after)
    rules, limit = _penalty_rules(table)
    return [
        *(asked_words(each, rules, limit=limit) for each in settled.asked),
        *(withdrawn_words(each, rules) for each in settled.withdrawn),
        *(stray_words(entry, rules) for entry in settled.strays if entry.pk not in known),
    ]


def _chombo(table: Table) -> dict[str, str]:
    """Return what the device says before it saves a chombo: the deduction in words and who decides."""
    cost = chombo_costs(table.rules)
    rules, limit = _penalty_rules(table)
    _ruling, level = article_of(CHOMBO, rules)
    is_chief = bool(limit) and rules.reaches(level, limit)
    if not cost:
        return {}
    return {"score": number_tenths(-cost), "decides": "chief" if is_chief else "referee"}


def _penalty_rules(table: Table) -> tuple[PenaltyRules, str]:
    """Return the table's penalty rules, and the lowest level that the chief referee decides or ""."""
    division = table.round.stage.division
    return penalty_rules_of(division.rule_set), division.competition.approval_from


def _entry(entry: HandEntry) -> dict[str, Any]:
    facts = {name: getattr(entry, name) for name in ("number", "kind", "target", "facts")}
    return facts | {"key": str(entry.key), "by": _who(entry), "at": entry.at.isoformat()}


def _who(entry: HandEntry) -> str:
    """Return the name of the player or staff member who entered it, or ""."""
    if entry.player:
        return entry.player.name
    return entry.user.get_username() if entry.user else ""


def _preview(plan: Plan) -> dict[str, Any]:
    """Return what follows from an entry: its payments, and each earlier or later hand that changes."""
    after = plan.after
    before = plan.before
    number = plan.target or after.number
    steps = after.game.steps if after.game else ()
    was = dict(zip(before.numbers, before.game.steps if before.game else (), strict=True))
    preview: dict[str, Any] = {"pays": [], "result_words": "", "changed": []}
    for each, code, step in zip(after.numbers, after.codes, steps, strict=True):
        if each == number:
            preview |= _step(step, plan.names) | {"name_words": hand_words(code)}
        elif each in was and was[each].points != step.points:
            lines = {"name_words": hand_words(code), "result_words": result_words(step, plan.names)}
            preview["changed"].append(lines | {"before": was[each].points, "after": step.points})
    game = after.game
    if game:
        end = ending_reason(game.over) if game.over else ""
        preview |= {"points": game.points, "deposits": game.deposits, "over_words": end}
    return preview | {"hand_words": hand_words(after.hand), "names": plan.names}
