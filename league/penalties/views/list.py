"""All penalties of a competition: filtered, summed, compared with the standings; a player's record; revoking.

What visitors see is the competition's setting (``Competition.PenaltiesShown``): every penalty, how many each
player has, or only what the standings deduct. Staff see all of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from league.bans.queries import banned_here, bans_of_player
from league.core.access import Access, Can, inside_of, visible_competitions
from league.core.caching import ANY, PAGES, public_page
from league.core.counted import lists_penalties
from league.core.forms import RevokeForm
from league.core.pages import for_public, page, reads, save, sent, writes
from league.core.search import sort_key
from league.models import Competition, Penalty
from league.penalties.queries.list import PenaltySum, check_standings, listed_penalties, sum_of, sums_by
from league.penalties.queries.penalties import RULES, player_sums, record_of_player, with_facts, wordings_of
from league.penalties.services import revoke_penalty
from league.penalties.words import (
    DIMENSIONS,
    NOTHING,
    STATES,
    ListedPenalty,
    ListWords,
    PenaltyLine,
    Wordings,
    key_of,
)
from league.people.queries import PlayerInfo, players_of

A_PAGE = 50
SUMS_SHOWN = 6  # lines of the sums; the others are folded
SUMMED = ("player", "level", "offence", "referee", "round")


# --- the list


@dataclass(frozen=True)
class Filter:
    """One select above the list: its name in the address, its label, the words for all, its choices."""

    name: str
    label: str
    everything: str
    choices: list[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class SumLine:
    """A line of the sums; ``query`` narrows the list to it."""

    sum: PenaltySum
    label: str
    article: str
    query: str


@dataclass(frozen=True)
class PenaltySums:
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
class PenaltyList:
    """What the address asks for, of the penalties that this person reads."""

    competition: Competition
    public: bool
    query: QueryDict
    people: Mapping[int, PlayerInfo]

    @cached_property
    def penalties(self) -> list[ListedPenalty]:
        return listed_penalties(self.competition, public=self.public)

    @cached_property
    def words(self) -> ListWords:
        return ListWords({pk: info.name for pk, info in self.people.items()}, wordings_of(self.competition))

    @property
    def names(self) -> list[str]:
        """The dimensions to which this person may narrow: names of referees are for staff."""
        return [name for name in DIMENSIONS if not (self.public and name == "referee")]

    @cached_property
    def chosen(self) -> dict[str, str]:
        """The keys in the address, by dimension; where a number is meant, any other text is left out."""
        typed = {name: self.query.get(name, "") for name in self.names}
        return {name: text for name, text in typed.items() if text and _fits(name, text)}

    @cached_property
    def found(self) -> list[ListedPenalty]:
        wanted = self.chosen.items()
        return [each for each in self.penalties if all(self.key(name, each) == key for name, key in wanted)]

    def key(self, name: str, penalty: ListedPenalty) -> str:
        """The key of this penalty in an address, which names a player by their entry."""
        if name != "player":
            return key_of(name, penalty)
        info = self.people.get(penalty.player)
        return str(info.entrant) if info else ""

    def filters(self) -> list[Filter]:
        """The selects that have something to choose between."""
        found = [
            Filter(
                name,
                str(DIMENSIONS[name].label),
                str(DIMENSIONS[name].everything),
                self._choices(name),
                self.chosen.get(name, ""),
            )
            for name in self.names
        ]
        return [each for each in found if len(each.choices) > 1 or each.chosen]

    def _choices(self, name: str) -> list[tuple[str, str]]:
        having = {self.key(name, penalty): penalty for penalty in self.penalties}
        words = {key: self.words.of(name, penalty) for key, penalty in having.items()}
        if name == "state":
            return [(key, words[key]) for key in STATES if key in words]
        if name == "round":
            return [(key, words[key]) for key in sorted(having, key=lambda key: _round_order(having[key]))]
        return sorted(words.items(), key=lambda item: (sort_key(item[1]), item[0]))

    def sums(self) -> PenaltySums:
        """What is listed, summed by what the address asks for; by player otherwise."""
        ways = [name for name in SUMMED if name in self.names]
        by = self.query.get("by", "")
        by = by if by in ways else ways[0]
        sums = sums_by(self.found, lambda penalty: (key_of(by, penalty), self.words.of(by, penalty)))
        if by == "round":
            sums.sort(key=lambda each: _round_order(each.first))
        others = [(name, str(DIMENSIONS[name].label), urlencode(self.chosen | {"by": name})) for name in ways]
        return PenaltySums(by, str(DIMENSIONS[by].label), [self._sum_line(by, each) for each in sums], others)

    def _sum_line(self, by: str, found: PenaltySum) -> SumLine:
        first = found.first
        article = self.words.rules(first).article(first.infraction) if by == "offence" else ""
        query = self.chosen | {by: self.key(by, first), "by": by}
        return SumLine(found, self.words.of(by, first), article, urlencode(query))

    def lines(self, penalties: Iterable[ListedPenalty]) -> list[tuple[PenaltyLine, PlayerInfo | None]]:
        """These penalties in words, with their players, in their order. One query."""
        order = [each.pk for each in penalties]
        found = with_facts(Penalty.objects.all()).in_bulk(order)
        lines = self.words.wordings.lines(found[pk] for pk in order)
        return [(line, self.people.get(line.penalty.player_id)) for line in lines]


def _round_order(penalty: ListedPenalty) -> tuple[bool, int, int]:
    return (penalty.round is None, penalty.stage, penalty.round_number or 0)


def _fits(name: str, text: str) -> bool:
    if name not in {"player", "referee", "round"}:
        return True
    return text == NOTHING or (text.isascii() and text.isdigit() and len(text) < 19)


@public_page(page=PAGES, **dict.fromkeys([*DIMENSIONS, "by"], ANY))
def penalties(request: HttpRequest, access: Access) -> HttpResponse:
    competition, public = access.competition, for_public(request, access)
    check, people = check_standings(competition, public=public), players_of(competition)
    differences = [(each, people.get(each.player)) for each in check.differences]
    if not lists_penalties(competition, public=public):
        return page(
            request,
            access,
            "penalties/sums.html",
            check=check,
            differences=differences,
            sums=[(each, people.get(each.player)) for each in player_sums(competition, public=True)],
            counts=competition.penalties_shown == Competition.PenaltiesShown.COUNTS,
        )
    listed = PenaltyList(competition, public, request.GET, people)
    shown = Paginator(listed.found, A_PAGE).get_page(request.GET.get("page"))
    total = sum_of(listed.found) if listed.found else None
    return page(
        request,
        access,
        "penalties/index.html",
        check=check,
        differences=differences,
        page=shown,
        lines=listed.lines(shown.object_list),
        counted={"sum": total.score if total else None, "count": total.counted if total else 0},
        filters=listed.filters(),
        chosen=listed.chosen,
        sums=listed.sums() if listed.found else None,
        downloads="?all=1" if access.is_staff and not public else "",
    )


# --- one player


@reads(Can.STAFF)
def player_record(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A player's penalties in all competitions of the league, and their bans.

    Where readers are not staff of a competition, they see what the public sees of it.
    """
    entrant, league = access.entrant(pk), access.competition.league
    inside = inside_of(access.user, league)
    visible = visible_competitions(access.user).filter(league=league).values_list("pk", flat=True)
    records = record_of_player(entrant.player, inside=inside, outside=set(visible) - inside)
    wordings = Wordings()
    return page(
        request,
        access,
        "penalties/record.html",
        entrant=entrant,
        records=[
            (each, wordings.lines(each.penalties), each.competition.pk not in inside) for each in records
        ],
        sum=sum(each.sum for each in records),
        count=sum(len(each.counted) for each in records),
        bans=bans_of_player(entrant.player, league),
        banned=banned_here(access.competition, [entrant.player_id]).get(entrant.player_id),
    )


# --- revoking


@writes(Can.REFEREE)
def penalty_revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    penalty, form = access.penalty(pk), RevokeForm(sent(request))
    if answer := save(
        request,
        form,
        lambda sent: revoke_penalty(penalty=penalty, by=access.by, form=sent, **form.values()),
        about=(pk,),
        done=_("Penalty revoked. It stays on record but no longer counts."),
        then=access.address("penalties:index"),
    ):
        return answer
    found = with_facts(Penalty.objects.filter(pk=pk)).select_related(RULES).get()
    line, people = Wordings().line(found), players_of(access.competition)
    player = people.get(found.player_id)
    return page(request, access, "penalties/revoke.html", line=line, player=player, form=form)
