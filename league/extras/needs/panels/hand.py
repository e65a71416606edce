"""Conditions of a last hand on pages: of one player, and of all four side by side for a commentator."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.text import clauses, labelled, listed, sentences
from league.extras.needs.forms import DEFAULTS
from league.extras.needs.queries.hand import ALL, MOST_RIVALS, last_hand, stakes_of
from league.extras.needs.rules import (
    PLACE,
    DoubleRon,
    Goal,
    LastHand,
    Outcome,
    Span,
    Stakes,
    Way,
    conditions,
    double_rons,
)
from league.extras.needs.words.hand import (
    ALWAYS,
    STATES,
    Prices,
    call_words,
    draw_words,
    either,
    game_words,
    goal_words,
    tenpai_words,
    turn_words,
)
from league.play.hands.words.problems import ending_reason
from league.rules.rule_sets.typed import short_address
from scoring.hanchan import LENGTH, Game
from scoring.payments import DEPOSIT
from scoring.settlement import SEATS
from scoring.units import Score, decimal_text

FIRST_PLACE: Final = Goal(PLACE, 1)


class Named(Protocol):
    """A player with an id, such as `PlayerInfo`."""

    @property
    def pk(self) -> int: ...
    @property
    def label(self) -> str: ...


class SpanWords(NamedTuple):
    """An outcome and its values in words. `note`: why the game is over, or the hand that follows."""

    code: str
    state: str
    values: str
    note: str = ""


class WinLine(NamedTuple):
    way: str
    spans: list[SpanWords]


@dataclass(frozen=True, kw_only=True)
class NeedsPanel:
    """Conditions of the players `asking`, which `needs/_panel.html` renders.

    `double`: the discarder of double rons, if they are shown. `address`: the page `/needs/` filled in.
    """

    hand: LastHand
    asking: Sequence[int]
    names: Sequence[str]
    goal: Goal = FIRST_PLACE
    stakes: Stakes
    double: int | None = None
    address: str = ""
    players: list["PlayerNeeds"] = field(init=False)

    def __post_init__(self) -> None:
        asked = self.hand, self.names, self.goal, self.stakes, self.double
        object.__setattr__(self, "players", [PlayerNeeds(seat, *asked) for seat in self.asking])

    @property
    def title(self) -> str:
        return f"{game_words(self.hand.game)} · {goal_words(self.goal)}"

    @property
    def has_totals(self) -> bool:
        return self.goal.kind != PLACE

    @property
    def notes(self) -> list[str]:
        game, notes = self.hand.game, []
        if self.hand.riichi:
            players = listed(self.names[seat] for seat in self.hand.riichi)
            notes.append(_("In riichi: %(players)s") % {"players": players})
        if sticks := game.deposits // DEPOSIT:
            words = ngettext(
                "%(count)s riichi deposit on the table", "%(count)s riichi deposits on the table", sticks
            )
            notes.append(words % {"count": sticks})
        if game.honba:
            notes.append(_("The values do not include honba."))
        return notes


class PlayerNeeds:
    """Conditions of one player, in words."""

    def __init__(
        self,
        seat: int,
        hand: LastHand,
        names: Sequence[str],
        goal: Goal,
        stakes: Stakes,
        double: int | None,
    ) -> None:
        self.seat, self.hand, self.names = seat, hand, names
        self.goal, self.found = goal, conditions(hand, seat, goal, stakes)
        self.name, self.total, self.points = names[seat], stakes.seats[seat], hand.game.points[seat]
        self.dealer = hand.game.dealer
        self.deals = seat == self.dealer
        pairs = () if double is None else double_rons(hand, double, seat, goal, stakes)
        self.call, self.draw = self._call(), sentences(draw_words(self.found, self.dealer))
        self.wins, self.draws, self.doubles = self._wins(), self._draws(), list(map(self._double, pairs))

    def _call(self) -> str:
        """Return a sentence as players say it."""
        points = self.hand.game.points
        leaders = [seat for seat in SEATS if points[seat] == max(points)]
        leads = self.goal.kind == PLACE and len(leaders) == 1 and leaders != [self.seat]
        return call_words(self.found, self.names, dealer=self.dealer, leader=leaders[0] if leads else None)

    def _wins(self) -> list[tuple[str, list[WinLine]]]:
        """Return the players with their wins, this player first."""
        seats = [self.seat, *(seat for seat in SEATS if seat != self.seat)]
        return [(self.names[seat], list(self._lines(seat))) for seat in seats]

    def _lines(self, winner: int) -> Iterator[WinLine]:
        """Yield the ways of a winner to win. Ways with the same outcomes share a line."""
        ways = {way: spans for way, spans in self.found.wins.items() if way.winner == winner}
        every = [span for spans in ways.values() for span in spans]
        drawn = ways.pop(Way(winner))
        prices = Prices(tsumo=True, deals=winner == self.dealer)
        if len({span.outcome for span in every}) == 1:
            is_alike = len({reason.ending for span in every for reason in span.reasons}) == 1
            first = drawn[0]
            any_win = first if is_alike else first._replace(reasons=())
            yield WinLine(_("Any win"), [self._span(any_win, prices)])
            return
        yield WinLine(_("Tsumo"), [self._span(span, prices) for span in drawn])
        prices = Prices(tsumo=False, deals=winner == self.dealer)
        alike: dict[tuple[Span, ...], list[str]] = {}
        for (_winner, loser), spans in ways.items():
            alike.setdefault(spans, []).append(self.names[loser or 0])
        for spans, losers in alike.items():
            way = _("Ron") if len(alike) == 1 else _("Ron from %(players)s") % {"players": either(losers)}
            yield WinLine(way, [self._span(span, prices) for span in spans])

    def _span(self, span: Span, prices: Prices) -> SpanWords:
        outcome, is_all = span.outcome, span.stretch.is_all
        note = self._next(outcome) or self._why(span, prices)
        state = (ALWAYS if is_all else STATES)[outcome.code]
        return SpanWords(outcome.code, str(state), "" if is_all else prices.limits(span.stretch), note)

    def _why(self, span: Span, prices: Prices) -> str:
        """Return why the game is over, each reason with its values if there are several."""
        reasons = [
            ending_reason(reason.ending)
            if len(span.reasons) == 1
            else labelled(prices.span(reason.stretch), ending_reason(reason.ending))
            for reason in span.reasons
            if reason.ending != LENGTH
        ]
        return clauses(reasons)

    def _next(self, outcome: Outcome) -> str:
        return "" if outcome.turn is None else turn_words(outcome.turn, self.hand.rules)

    def _draws(self) -> list[tuple[SpanWords, list[str]]]:
        """Return each outcome of draws with its sets of tenpai players."""
        found: dict[Outcome, list[str]] = {}
        for tenpai in sorted(self.found.draws, key=len):
            found.setdefault(self.found.draws[tenpai], []).append(tenpai_words(tenpai, self.names))
        return [
            (SpanWords(outcome.code, str(STATES[outcome.code]), "", self._next(outcome)), found[outcome])
            for outcome in sorted(found, key=lambda outcome: (outcome.code, outcome.turn or 0))
        ]

    def _double(self, double: DoubleRon) -> tuple[str, list[WinLine]]:
        """Return two winners on a tile, with the values of the first."""
        first, second = self.names[double.first], self.names[double.second]
        prices, others = (
            Prices(tsumo=False, deals=seat == self.dealer) for seat in (double.first, double.second)
        )
        lines = []
        for stretch, spans in double.blocks:
            values = _("any value") if stretch.is_all else prices.limits(stretch)
            way = _("%(player)s: %(values)s") % {"player": first, "values": values}
            lines.append(WinLine(way, [self._span(span, others) for span in spans]))
        return _("%(first)s and %(second)s") % {"first": first, "second": second}, lines


def commentary(
    game: Game,
    players: Sequence[Named],
    totals: Mapping[int, Score],
    *,
    rules_key: str,
    riichi: tuple[int, ...] = (),
) -> NeedsPanel:
    """Return the panel of a commentator's page with all four players and first place as their goal.

    `players`: the four by seat. `totals`: player id → total before this game, of all players at stake.
    `riichi`: seats whose deposits the game does not count yet. `rules_key`: see `needs_address`.
    """
    return NeedsPanel(
        hand=last_hand(game, riichi),
        asking=SEATS,
        names=[player.label for player in players],
        stakes=stakes_of([player.pk for player in players], totals),
        address=needs_address(game, players, totals, rules_key=rules_key, riichi=riichi),
    )


def needs_address(
    game: Game,
    players: Sequence[Named],
    totals: Mapping[int, Score],
    *,
    rules_key: str,
    me: int | None = None,
    riichi: tuple[int, ...] = (),
) -> str:
    """Return the page `/needs/` filled in. `rules_key`: of a published rule set, or that of a division.

    `me`: a seat, or None for all four. Too many rivals for an address leave only goals at the table.
    """
    stakes = stakes_of([player.pk for player in players], totals)
    if len(stakes.elsewhere) > MOST_RIVALS:
        stakes = Stakes()
    typed = {
        "rules": rules_key,
        "at": str(game.turn),
        "honba": str(game.honba),
        "sticks": str(game.deposits // DEPOSIT),
        "over": "1" if game.is_last_in_time else "",
        "me": ALL if me is None else str(me),
        "rivals": " ".join(map(decimal_text, stakes.elsewhere)),
    }
    for seat in SEATS:
        typed |= {f"n{seat}": players[seat].label[:40], f"p{seat}": str(game.points[seat])}
        typed |= {f"r{seat}": "1" if seat in riichi else "", f"t{seat}": decimal_text(stakes.seats[seat])}
    return address_of(typed)


def address_of(typed: Mapping[str, str]) -> str:
    return short_address("needs:hand", typed, DEFAULTS)
