"""All penalties of a competition: filtered, summed, held against the standings; and one player's record.

What visitors see is the competition's setting (``Competition.PenaltiesShown``): every penalty, how many each
player has, or only what the standings deduct. Staff see all of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.bans.queries import banned_here, bans_of_player
from league.core.access import Access, enter, inside_of, visible_competitions
from league.core.caching import PAGES, public_page
from league.core.counted import lists_penalties
from league.core.pages import AUDIENCES, for_public
from league.models import Competition, Penalty
from league.penalties.queries.check import standings_check
from league.penalties.queries.list import (
    DIMENSIONS,
    NOTHING,
    STATES,
    Fact,
    Sum,
    filtered,
    penalty_facts,
    sum_of,
    sums_by,
)
from league.penalties.queries.penalties import player_sums
from league.penalties.queries.records import CompetitionRecord, record_of_player
from league.penalties.words.penalties import Books, Line, Words, with_facts
from league.people.queries import PlayerInfo, players_of

A_PAGE = 50
SUMS_SHOWN = 6  # lines of the sums; the others are folded
SUMMED = ("player", "level", "offence", "referee", "round")


# --- the list


@dataclass(frozen=True)
class Filter:
    """One select above the list: its name in the address, its label, what stands for all, its choices."""

    name: str
    label: str
    everything: str
    choices: list[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class SumLine:
    """A line of the sums; ``query`` narrows the list to it."""

    sum: Sum
    label: str
    article: str
    query: str


@dataclass(frozen=True)
class Tally:
    """The sums of what is listed, by one dimension, and the ways to sum it otherwise."""

    by: str
    label: str
    lines: list[SumLine]
    others: list[tuple[str, str, str]]  # name, label, query

    @property
    def first(self) -> list[SumLine]:
        return self.lines[:SUMS_SHOWN]

    @property
    def rest(self) -> list[SumLine]:
        return self.lines[SUMS_SHOWN:]


@dataclass(frozen=True)
class Asked:
    """What the address asks for, of the penalties that this person reads."""

    access: Access
    public: bool
    query: QueryDict

    @cached_property
    def facts(self) -> list[Fact]:
        return penalty_facts(self.access.competition, public=self.public)

    @cached_property
    def people(self) -> dict[int, PlayerInfo]:
        return players_of(self.access.competition)

    @cached_property
    def words(self) -> Words:
        return Words(self.people, Books.of(self.access.competition))

    @property
    def names(self) -> list[str]:
        """The dimensions that this person may narrow to: names of referees are for staff."""
        return [name for name in DIMENSIONS if not (self.public and name == "referee")]

    @cached_property
    def typed(self) -> dict[str, str]:
        """What stands in the address, by dimension; what cannot be a number where one is meant is nothing."""
        found = {name: self.query.get(name, "") for name in self.names}
        return {name: text for name, text in found.items() if text and _fits(name, text)}

    @cached_property
    def wanted(self) -> dict[str, str]:
        """The same as the list's keys: addresses name a player by their entry."""
        by_entry = {str(info.entrant): str(player) for player, info in self.people.items()}
        return {n: by_entry.get(text, "") if n == "player" else text for n, text in self.typed.items()}

    @cached_property
    def found(self) -> list[Fact]:
        return filtered(self.facts, self.wanted)

    def address_key(self, name: str, fact: Fact) -> str:
        """What the address says for this fact's key."""
        if name != "player":
            return fact.key(name)
        info = self.people.get(fact.player)
        return str(info.entrant) if info else ""

    def filters(self) -> list[Filter]:
        """The selects that have something to choose between."""
        labels = filter_labels()
        found = [Filter(n, *labels[n], self._choices(n), self.typed.get(n, "")) for n in self.names]
        return [each for each in found if len(each.choices) > 1 or each.chosen]

    def _choices(self, name: str) -> list[tuple[str, str]]:
        named = {self.address_key(name, fact): fact for fact in self.facts}
        words = {key: self.words.of(name, fact) for key, fact in named.items()}
        if name == "state":
            return [(key, words[key]) for key in STATES if key in words]
        if name == "round":
            in_order = sorted(named, key=lambda key: _round_order(named[key]))
            return [(key, words[key]) for key in in_order]
        return sorted(words.items(), key=lambda item: (item[1], item[0]))

    def tally(self) -> Tally:
        """What is listed, summed by what the address asks for; by player otherwise."""
        ways = [name for name in SUMMED if name in self.names]
        by = self.query.get("by", "")
        by = by if by in ways else ways[0]
        sums = sums_by(self.found, lambda fact: (fact.key(by), self.words.of(by, fact)))
        if by == "round":
            sums.sort(key=lambda each: _round_order(each.first))
        labels = filter_labels()
        others = [(name, labels[name][0], urlencode(self.typed | {"by": name})) for name in ways]
        return Tally(by, labels[by][0], [self._sum_line(by, each) for each in sums], others)

    def _sum_line(self, by: str, found: Sum) -> SumLine:
        query = self.typed | {by: self.address_key(by, found.first), "by": by}
        article = self.words.article(found.first) if by == "offence" else ""
        return SumLine(found, self.words.of(by, found.first), article, urlencode(query))


def filter_labels() -> dict[str, tuple[str, str]]:
    """Dimension → its label, and the choice that narrows nothing."""
    return {
        "player": (_("Player"), _("everyone")),
        "level": (_("Level"), _("all levels")),
        "offence": (_("Offence and article"), _("all offences")),
        "referee": (_("Referee"), _("all referees")),
        "round": (_("Round"), _("all rounds")),
        "division": (_("Division"), _("all divisions")),
        "state": (_("State"), _("all states")),
    }


def _round_order(fact: Fact) -> tuple[bool, int, int]:
    return (fact.round is None, fact.stage, fact.round_number or 0)


def _fits(name: str, text: str) -> bool:
    if name not in {"player", "referee", "round"}:
        return True
    return text == NOTHING or (text.isascii() and text.isdigit() and len(text) < 19)


@public_page(page=PAGES, view=AUDIENCES)
def penalties(request: HttpRequest, access: Access) -> HttpResponse:
    public = for_public(request, access)
    check = standings_check(access.competition, public=public)
    people = players_of(access.competition) if check.differences else {}
    context = {
        "access": access,
        "competition": access.competition,
        "public": public,
        "check": check,
        "differences": [(each, people.get(each.player)) for each in check.differences],
    }
    if not lists_penalties(access.competition, public=public):
        return render(request, "penalties/sums.html", context | _sums_only(access.competition))
    asked = Asked(access, public, request.GET)
    pages = Paginator(asked.found, A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    total = sum_of(asked.found) if asked.found else None
    shown = {
        "page": page,
        "lines": lines_of(page.object_list, asked),
        "counted": {"sum": total.score if total else None, "count": total.counted if total else 0},
        "filters": asked.filters(),
        "chosen": asked.typed,
        "tally": asked.tally() if asked.found else None,
        "downloads": "?all=1" if access.is_staff and not public else "",
    }
    return render(request, "penalties/index.html", context | shown)


def lines_of(facts: Iterable[Fact], asked: Asked) -> list[Line]:
    """These penalties in words, in their order. One query."""
    order = [fact.pk for fact in facts]
    found = with_facts(Penalty.objects.all()).in_bulk(order)
    books = asked.words.books
    return [books.line(found[pk], asked.people.get(found[pk].player_id)) for pk in order]


def _sums_only(competition: Competition) -> dict[str, object]:
    """What visitors see where the penalties themselves are not listed."""
    people = players_of(competition)
    sums = [(each, people.get(each.player)) for each in player_sums(competition, public=True)]
    return {
        "sums": sums,
        "counts": competition.penalties_shown == Competition.PenaltiesShown.COUNTS,
        "count": sum(each.count for each, _info in sums),
    }


# --- one player


@dataclass(frozen=True)
class RecordView:
    """What a player was punished for in one competition, in words. ``public``: as visitors see it there."""

    record: CompetitionRecord
    lines: list[Line]
    public: bool


@never_cache
@require_safe
def player_record(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """For staff: a player's penalties in all competitions of the league, and their bans.

    Of a competition of which the reader is no staff they see what the public sees there.
    """
    access = enter(request.user, slug)
    if not access.is_staff:
        raise PermissionDenied
    entrant, league = access.entrant(pk), access.competition.league
    inside = inside_of(request.user, league)
    visible = visible_competitions(request.user).filter(league=league).values_list("pk", flat=True)
    records = record_of_player(entrant.player, inside=inside, outside=set(visible) - inside)
    books = Books(p.stage.division.rule_set for record in records for p in record.penalties)
    context = {
        "access": access,
        "competition": access.competition,
        "entrant": entrant,
        "records": [
            RecordView(
                each,
                [books.line(penalty, None) for penalty in each.penalties],
                public=each.competition.pk not in inside,
            )
            for each in records
        ],
        "sum": sum(each.sum for each in records),
        "count": sum(len(each.counted) for each in records),
        "bans": bans_of_player(entrant.player, league),
        "banned": banned_here(access.competition, [entrant.player_id]).get(entrant.player_id),
    }
    return render(request, "penalties/record.html", context)
