"""Conditions of a last hand on pages: of one player, and of all four side by side for a commentator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, Protocol

from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.access import Access
from league.core.kept_files import FAILED, content_of, find_file, fingerprint
from league.core.text import listed, sentences
from league.hands.words.problems import ending_reason
from league.models import Competition, KeptFile, Stage
from league.needs.queries.hand import ALL, MOST_RIVALS, is_last_in_time, last_hand, stakes_of
from league.needs.queries.outlook import marks_of
from league.needs.queries.race import Race, kept_facts, name_of, race_of, read_chances
from league.needs.tasks import keep_chances
from league.needs.words.hand import (
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
from league.needs.words.race import KINDS, LINES, RACE_STATES, SIGNS, kind_words
from scoring.chances import Chances
from scoring.conditions import (
    PLACE,
    RANK,
    Conditions,
    DoubleRon,
    Goal,
    LastHand,
    Outcome,
    Span,
    Stakes,
    Stretch,
    Way,
    conditions,
    double_rons,
)
from scoring.hanchan import LENGTH, Game
from scoring.payments import DEPOSIT
from scoring.settlement import SEATS, Four
from scoring.units import Score, decimal_text

FIRST_PLACE = Goal(PLACE, 1)
READY = "ready "
WAITING_SECONDS = 24 * 3600
RENEWED_SECONDS = 60  # how long a page that waits for chances is kept


class Named(Protocol):
    """A player with an id, such as `PlayerInfo`."""

    @property
    def pk(self) -> int: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class SpanWords:
    """An outcome and its values in words. `note`: why the game is over, or the hand that follows."""

    code: str
    state: str
    values: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class WinLine:
    way: str
    spans: tuple[SpanWords, ...]


@dataclass(frozen=True, slots=True)
class PlayerNeeds:
    """Conditions of one player. `call`: a sentence as players say it. `others`: wins of the other players."""

    seat: int
    name: str
    points: int
    total: Score
    deals: bool
    call: str
    draw: str
    own: list[WinLine]
    others: list[tuple[str, list[WinLine]]]
    draws: list[tuple[SpanWords, list[str]]]
    doubles: list[tuple[str, list[WinLine]]]


@dataclass(frozen=True, slots=True)
class NeedsPanel:
    """Conditions of the players who ask. `has_totals`: the goal is in the standings."""

    hand: str
    goal: str
    has_totals: bool
    notes: list[str]
    players: list[PlayerNeeds]
    address: str = ""


def table_needs(
    game: Game,
    players: Sequence[Named],
    totals: Mapping[int, Score],
    *,
    me: int,
    goal: Goal = FIRST_PLACE,
    riichi: tuple[int, ...] = (),
    rules_key: str = "",
) -> NeedsPanel:
    """Return the panel of a table's page. `needs/_panel.html` renders it.

    `players`: the four by seat. `totals`: player id → total before this game, of all players at stake.
    `me`: a seat. `riichi`: seats whose deposits the game does not count yet. `rules_key`: see
    `needs_address`.
    """
    return _panel(game, players, totals, asking=(me,), goal=goal, riichi=riichi, rules_key=rules_key)


def commentary(
    game: Game,
    players: Sequence[Named],
    totals: Mapping[int, Score],
    *,
    goal: Goal = FIRST_PLACE,
    riichi: tuple[int, ...] = (),
    rules_key: str = "",
) -> NeedsPanel:
    """Return the panel of a commentator's page with all four players. Arguments are as in `table_needs`."""
    return _panel(game, players, totals, asking=tuple(SEATS), goal=goal, riichi=riichi, rules_key=rules_key)


def _panel(
    game: Game,
    players: Sequence[Named],
    totals: Mapping[int, Score],
    *,
    asking: tuple[int, ...],
    goal: Goal,
    riichi: tuple[int, ...],
    rules_key: str,
) -> NeedsPanel:
    return make_panel(
        last_hand(game, riichi),
        asking=asking,
        goal=goal,
        stakes=stakes_of(_ids(players), totals),
        names=[player.name for player in players],
        address=needs_address(
            game, players, totals, rules_key=rules_key, asking=asking, goal=goal, riichi=riichi
        )
        if rules_key
        else "",
    )


def _ids(players: Sequence[Named]) -> Four:
    east, south, west, north = (player.pk for player in players)
    return east, south, west, north


def needs_address(
    game: Game,
    players: Sequence[Named],
    totals: Mapping[int, Score],
    *,
    rules_key: str,
    asking: tuple[int, ...],
    goal: Goal = FIRST_PLACE,
    riichi: tuple[int, ...] = (),
) -> str:
    """Return the page `/needs/` filled in. `rules_key`: of a published rule set, or that of a division.

    Too many rivals for an address leave only goals at the table.
    """
    stakes = stakes_of(_ids(players), totals)
    if len(stakes.elsewhere) > MOST_RIVALS:
        stakes, goal = Stakes(), FIRST_PLACE if goal.kind == RANK else goal
    typed = {
        "rules": rules_key,
        "at": str(game.turn),
        "honba": str(game.honba),
        "sticks": str(game.deposits // DEPOSIT),
        "over": "1" if is_last_in_time(game) else "",
        "me": str(asking[0]) if len(asking) == 1 else ALL,
        "goal": f"{PLACE}-{goal.number}" if goal.kind == PLACE else goal.kind,
        "alone": "1" if goal.alone else "",
        "rivals": " ".join(map(decimal_text, stakes.elsewhere)),
    }
    if goal.kind != PLACE:
        typed[goal.kind] = str(goal.number) if goal.kind == RANK else decimal_text(goal.number)
    for seat in SEATS:
        typed |= {f"n{seat}": players[seat].name[:40], f"p{seat}": str(game.points[seat])}
        typed |= {f"r{seat}": "1" if seat in riichi else "", f"t{seat}": decimal_text(stakes.seats[seat])}
    return address_of(typed)


def address_of(typed: Mapping[str, str]) -> str:
    query = {name: value for name, value in typed.items() if value}
    return f"{reverse('needs:hand')}?{urlencode(query)}" if query else reverse("needs:hand")


# --- in words


def make_panel(
    hand: LastHand,
    *,
    asking: Iterable[int],
    goal: Goal,
    stakes: Stakes,
    names: Sequence[str],
    double: int | None = None,
    address: str = "",
) -> NeedsPanel:
    """Return the panel of the players `asking`. `double`: the discarder of double rons, if they are shown."""
    words = _Words(hand, goal, stakes, names, double)
    return NeedsPanel(
        hand=game_words(hand.game),
        goal=goal_words(goal),
        has_totals=goal.kind != PLACE,
        notes=words.notes(),
        players=[words.player(seat) for seat in asking],
        address=address,
    )


class _Words:
    def __init__(
        self, hand: LastHand, goal: Goal, stakes: Stakes, names: Sequence[str], double: int | None
    ) -> None:
        self.hand, self.goal, self.stakes, self.names, self.double = hand, goal, stakes, names, double
        self.dealer = hand.game.dealer

    def notes(self) -> list[str]:
        game, notes = self.hand.game, []
        if self.hand.riichi:
            players = listed(self.names[seat] for seat in self.hand.riichi)
            notes.append(_("In riichi: %(players)s") % {"players": players})
        if game.deposits:
            sticks = game.deposits // DEPOSIT
            notes.append(
                ngettext(
                    "%(count)s riichi deposit on the table", "%(count)s riichi deposits on the table", sticks
                )
                % {"count": sticks}
            )
        if game.honba:
            notes.append(_("The values do not include honba."))
        return notes

    def player(self, seat: int) -> PlayerNeeds:
        found = conditions(self.hand, seat, self.goal, self.stakes)
        points = self.hand.game.points
        leaders = [each for each in SEATS if points[each] == max(points)]
        leader = leaders[0] if self.goal.kind == PLACE and len(leaders) == 1 and leaders[0] != seat else None
        return PlayerNeeds(
            seat=seat,
            name=self.names[seat],
            points=points[seat],
            total=self.stakes.seats[seat],
            deals=seat == self.dealer,
            call=call_words(found, self.names, dealer=self.dealer, leader=leader),
            draw=sentences(draw_words(found, self.dealer)),
            own=self.lines(found, seat),
            others=[(self.names[each], self.lines(found, each)) for each in SEATS if each != seat],
            draws=list(self.draws(found)),
            doubles=list(self.doubles(seat)),
        )

    def lines(self, found: Conditions, winner: int) -> list[WinLine]:
        """Return the ways of a winner to win. Ways with the same outcomes share a line."""
        ways = {way: spans for way, spans in found.wins.items() if way.winner == winner}
        whole = [spans[0] for spans in ways.values() if len(spans) == 1]
        if len(whole) == len(ways) and len({span.outcome for span in whole}) == 1:
            endings = tuple(dict.fromkeys(ending for span in whole for ending in span.endings))
            merged = whole[0]._replace(endings=endings)
            return [WinLine(_("Any win"), self.spans((merged,), winner, tsumo=True))]
        drawn = ways.pop(Way(winner))
        lines = [WinLine(_("Tsumo"), self.spans(drawn, winner, tsumo=True))]
        alike: dict[tuple[Span, ...], list[int]] = {}
        for way, spans in ways.items():
            if way.loser is not None:
                alike.setdefault(spans, []).append(way.loser)
        for spans, losers in alike.items():
            who = _("Ron from %(players)s") % {"players": either([self.names[seat] for seat in losers])}
            line = _("Ron") if len(losers) == len(ways) else who
            lines.append(WinLine(line, self.spans(spans, winner, tsumo=False)))
        return lines

    def spans(self, spans: Iterable[Span], winner: int, *, tsumo: bool) -> tuple[SpanWords, ...]:
        prices = Prices(tsumo=tsumo, deals=winner == self.dealer)
        return tuple(self.span(span, prices) for span in spans)

    def span(self, span: Span, prices: Prices) -> SpanWords:
        return self.state(span.outcome, span.stretch, prices, note=self.note(span))

    def state(self, outcome: Outcome, stretch: Stretch, prices: Prices, *, note: str) -> SpanWords:
        states, values = (ALWAYS, "") if stretch.is_all else (STATES, prices.limits(stretch))
        return SpanWords(outcome.code, str(states[outcome.code]), values, note)

    def note(self, span: Span) -> str:
        if span.outcome.turn is not None:
            return turn_words(span.outcome.turn, self.hand.rules)
        return listed(ending_reason(each) for each in span.endings if each != LENGTH)

    def draws(self, found: Conditions) -> Iterator[tuple[SpanWords, list[str]]]:
        """Yield each outcome of draws with its sets of tenpai players."""
        by_outcome = sorted(
            found.draws.items(), key=lambda item: (item[1].code, item[1].turn or 0, len(item[0]))
        )
        for outcome, same in groupby(by_outcome, key=lambda item: item[1]):
            note = "" if outcome.turn is None else turn_words(outcome.turn, self.hand.rules)
            words = [tenpai_words(tenpai, self.names) for tenpai, _outcome in same]
            yield SpanWords(outcome.code, str(STATES[outcome.code]), "", note), words

    def doubles(self, seat: int) -> Iterator[tuple[str, list[WinLine]]]:
        """Yield every two winners on a tile of `double`, with the values of the first."""
        if self.double is None:
            return
        for each in double_rons(self.hand, self.double, seat, self.goal, self.stakes):
            winners = {"first": self.names[each.first], "second": self.names[each.second]}
            title = _("%(first)s and %(second)s") % winners
            yield title, list(self.double_lines(each))

    def double_lines(self, double: DoubleRon) -> Iterator[WinLine]:
        first, second = (
            Prices(tsumo=False, deals=seat == self.dealer) for seat in (double.first, double.second)
        )
        for block in double.blocks:
            values = _("any value") if block.stretch.is_all else first.limits(block.stretch)
            way = _("%(player)s: %(values)s") % {"player": self.names[double.first], "values": values}
            yield WinLine(way, tuple(self.span(span, second) for span in block.second))


# --- the end of a stage


class KeptChances(NamedTuple):
    """The chances of every race of a competition by its name. `races`: None until they are computed."""

    races: dict[str, Chances] | None = None
    has_failed: bool = False

    def of(self, race: Race | None) -> Chances | None:
        return self.races.get(name_of(race)) if self.races and race else None


def kept_chances(request: HttpRequest, access: Access, *, public: bool) -> KeptChances:
    """Return the chances that the worker has computed, or ask for them. A failed task is retried after a
    minute.
    """
    competition = access.competition
    facts = kept_facts(competition, public=public)
    file = find_file(request, access, keep_chances, public, facts=facts, public=public)
    if file is not None and file.facts == fingerprint(facts) and (content := content_of(file)):
        return KeptChances(read_chances(content))
    cache.set(_waiting(competition, public=public), fingerprint(facts), WAITING_SECONDS)
    return KeptChances(has_failed=file is not None and file.refusal == FAILED)


def chances_state(access: Access, **_kwargs: object) -> tuple[object, ...]:
    """Return a fact for `public_page` that changes once chances are there for which a page waited.

    It also changes each minute while a page waits, so that the page asks again after a failure.

    Queries: 1 per audience while a page waits, otherwise none.
    """
    return tuple(_state(access.competition, public=public) for public in (True, False))


def _state(competition: Competition, *, public: bool) -> str:
    key = _waiting(competition, public=public)
    asked = str(cache.get(key, ""))
    if asked and not asked.startswith(READY) and KeptFile.objects.filter(facts=asked, refusal="").exists():
        asked = f"{READY}{asked}"
        cache.set(key, asked, WAITING_SECONDS)
    if asked and not asked.startswith(READY):
        asked = f"{asked} {int(timezone.now().timestamp()) // RENEWED_SECONDS}"
    return asked


def _waiting(competition: Competition, *, public: bool) -> str:
    return f"chances:{competition.pk}:{int(public)}"


def standings_marks(
    request: HttpRequest, access: Access, stage: Stage, *, public: bool, of_teams: bool = False
) -> dict[int, SafeString]:
    """Return player or team → marks of the last rounds: through, out or open, each with a link."""
    race = race_of(stage, public=public, of_teams=of_teams)
    if race is None or not race.is_near_its_end:
        return {}
    chances = kept_chances(request, access, public=public).of(race)
    pages = {each.pk: each.page for each in race.contestants}
    address = "needs:team" if of_teams else "needs:player"
    found: dict[int, SafeString] = {}
    for pk, line, said in marks_of(race, chances):
        mark = format_html(
            ' <a class="mark mark-{}" href="{}" title="{}">{} {} <span>{}</span></a>',
            said.outcome,
            access.address(address, pages[pk]),
            kind_words(said.kind, said.otherwise, said.ends),
            SIGNS[said.outcome],
            LINES[line.kind],
            KINDS.get(said.kind) or RACE_STATES[said.outcome],
        )
        found[pk] = found.get(pk, SafeString("")) + mark
    return found
