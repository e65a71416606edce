"""Requests to the referees about the offences in a table's log of hands.

A chombo that costs score, a win ban and a dead hand are in the log, but in no payment. Each becomes a request
that names table, hand, player and article. A change of the log withdraws an undecided request. A decided one
stays, and the page says so to the person who changes the log.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.core.changes import Change
from league.models import Penalty, Seat, Table
from league.play.hands.queries import table_game
from league.play.hands.words.offences import offence_words
from league.rules.penalty_rules.words.rulings import PenaltyRules, Ruling, penalty_rules_of
from players.models import Player
from scoring.hand_codes import first_deal, is_known
from scoring.hand_log import TableGame
from scoring.implied import COSTLY, NAMED_AS, Offence, chombo_costs, offences_of
from scoring.infractions import levels_in
from scoring.rules import Rules


@dataclass(frozen=True, slots=True)
class Settlement:
    """Requests and penalties of a table, compared with its log.

    `asked`: unsaved requests. `moved`: undecided ones whose hand has another code now. `withdrawn`: undecided
    ones that the log no longer implies. `strays`: penalties in force that it no longer implies.
    """

    asked: list[Penalty] = field(default_factory=list)
    moved: list[Penalty] = field(default_factory=list)
    withdrawn: list[Penalty] = field(default_factory=list)
    strays: list[Penalty] = field(default_factory=list)


def follow_log(done: Change, table: Table, game: TableGame | None = None) -> None:
    """Save and withdraw requests within a change of the table. `game`: the table after its log, if known."""
    settled = settle_log(table, game or table_game(table))
    for penalty in settled.withdrawn:
        before = describe(penalty)
        penalty.logged_hand, penalty.revoked_by, penalty.revoked_at = None, done.by, done.at
        penalty.revoke_reason = str(_("The log of hands no longer has it, or a referee logged it."))
        penalty.save(update_fields=["logged_hand", "revoked_by", "revoked_at", "revoke_reason"])
        after = {"reason": penalty.revoke_reason}
        done.log("penalty.withdraw", f"penalty:{penalty.pk}", before=before, after=after)
    for penalty in settled.moved:
        penalty.save(update_fields=["hand"])
    for penalty in settled.asked:
        penalty.competition, penalty.created_by, penalty.created_at = done.competition, done.by, done.at
        penalty.save()
        done.log("penalty.request", f"penalty:{penalty.pk}", after=describe(penalty))


def settle_log(table: Table, game: TableGame) -> Settlement:
    """Compare what a log implies with the penalties of the table. One query, two if there is either."""
    wanted = offences_of(game)
    rows = list(Penalty.objects.filter(table=table).select_related("player").order_by("pk"))
    if not wanted and not any(row.is_of_hands for row in rows):
        return Settlement()
    rules = penalty_rules_of(table.round.stage.division.rule_set)
    settings = table.rules
    seats = Seat.objects.filter(table=table).order_by("wind").select_related("player")
    players = [seat.player for seat in seats]
    asks = [_request(table, each, players[each.seat], rules, settings) for each in wanted]
    linked = [row for row in rows if row.is_of_hands]
    decided = [r for r in linked if not r.waits]
    waiting = [r for r in linked if r.waits]
    logged = [r for r in rows if not r.is_of_hands and (r.counts or r.waits)]
    gone = [r for r in linked if r.player not in players]  # of players who left the table

    def is_same(ask: Penalty, row: Penalty) -> bool:
        return ask.player_id == row.player_id and _facts(ask) == _facts(row)

    def is_logged(ask: Penalty, row: Penalty) -> bool:
        return _covers(ask, row, rules)

    def costs_the_same(ask: Penalty, row: Penalty) -> bool:
        return (ask.player_id, ask.logged_hand, ask.score) == (row.player_id, row.logged_hand, row.score)

    asks, _pairs = _match(asks, decided, is_same)
    asks, _pairs = _match(asks, decided, costs_the_same)
    for row in logged:  # before its log begins, a table plays an unknown hand: the first one
        row.hand = row.hand if is_known(row.hand) else "".join(game.codes[:1])
    bans = [ask for ask in asks if ask.win_ban and not any(_bans(row, ask) for row in logged)]
    chombo, _pairs = _match([ask for ask in asks if not ask.win_ban], logged, is_logged)
    asks = [*chombo, *bans]
    asks, kept = _match(asks, waiting, is_same)
    asks, _pairs = _match(asks, gone, lambda ask, row: _facts(ask) == _facts(row))
    moved = [row for ask, row in kept if ask.hand != row.hand]
    for ask, row in kept:
        row.hand = ask.hand
    return Settlement(
        asked=asks,
        moved=moved,
        withdrawn=[row for row in waiting if row.player in players],
        strays=[row for row in decided if row.counts and row.player in players],
    )


def _request(table: Table, offence: Offence, player: Player, rules: PenaltyRules, settings: Rules) -> Penalty:
    """Return the unsaved request about an offence, with the article of the penalty rules if they have one.

    A chombo deducts what the rule set says.
    """
    ruling, level = article_of(offence.kind, rules)
    levels = [rules.levels[each] for each in levels_in(level) if each in rules.levels]
    amounts = ruling.amounts if ruling else rules.amounts([each.code for each in levels])
    least, _most = amounts or (0, 0)
    least *= offence.units if ruling and ruling.variant.unit else 1
    costly = offence.kind in COSTLY
    return Penalty(
        stage=table.round.stage,
        round=table.round,
        table=table,
        player=player,
        infraction=ruling.infraction.code if ruling else "",
        condition=ruling.index if ruling else None,
        level=level,
        units=offence.units,
        score=-(chombo_costs(settings) if costly else least),
        hand=offence.hand,
        logged_hand=offence.number,
        win_ban=not costly,
        reason="" if ruling else str(offence_words(offence.kind)),
        status=Penalty.Status.REQUESTED,
    )


def article_of(kind: str, rules: PenaltyRules) -> tuple[Ruling | None, str]:
    """Return the ruling of the penalty rules for an offence in a log, or None, and its levels or ""."""
    named = rules.catalogue.hands if rules.catalogue else {}
    code = next((named[each] for each in NAMED_AS[kind] if each in named), "")
    ruling = rules.rulings.get(code)
    return ruling, ruling.level if ruling else code


def describe(penalty: Penalty) -> dict[str, object]:
    """Describe a request for the audit log."""
    names = ("infraction", "level", "score", "reason", "hand", "logged_hand")
    places = {"stage": penalty.stage_id, "round": penalty.round_id, "table": penalty.table_id}
    return {"player": penalty.player_id} | places | {name: getattr(penalty, name) for name in names}


# --- which penalty answers an offence


def _facts(penalty: Penalty) -> tuple[object, ...]:
    """Return the facts by which a request is the same one, besides its player and the code of its hand."""
    names = ("logged_hand", "infraction", "condition", "level", "score", "win_ban")
    return tuple(getattr(penalty, name) for name in names)


def _covers(ask: Penalty, row: Penalty, rules: PenaltyRules) -> bool:
    """Return whether a penalty that a referee logged in this hand is for the same chombo.

    It has the same level and deducts as much, or has no level and deducts the same. Misconduct never is.
    """
    if not _is_of_hand(ask, row) or rules.is_misconduct(row.infraction):
        return False
    shares = not ask.level or not {*levels_in(ask.level)}.isdisjoint(levels_in(row.level))
    return (shares and row.score <= ask.score) or (not row.level and row.score == ask.score)


def _bans(row: Penalty, ask: Penalty) -> bool:
    return row.win_ban and _is_of_hand(ask, row)


def _is_of_hand(ask: Penalty, row: Penalty) -> bool:
    return ask.player_id == row.player_id and first_deal(ask.hand) == first_deal(row.hand)


def _match(
    asks: Iterable[Penalty], rows: list[Penalty], fits: Callable[[Penalty, Penalty], bool]
) -> tuple[list[Penalty], list[tuple[Penalty, Penalty]]]:
    """Return the requests that no row answers, and the pairs. Remove the rows that answer one."""
    left: list[Penalty] = []
    pairs: list[tuple[Penalty, Penalty]] = []
    for ask in asks:
        answering = next((row for row in rows if fits(ask, row)), None)
        if answering is None:
            left.append(ask)
        else:
            rows.remove(answering)
            pairs.append((ask, answering))
    return left, pairs
