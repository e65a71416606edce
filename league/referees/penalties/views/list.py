"""The list of penalties with filters and sums, the record of one player, and revoking."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from league.core.access import Access, Can, inside_of, visible_competitions
from league.core.caching import ANY, PAGES, public_page
from league.core.counted import lists_penalties
from league.core.forms import RevokeForm
from league.core.pages import for_public, page, posted, reads, save, writes
from league.core.rounds import where_words
from league.core.search import sort_key
from league.models import Competition, Penalty, Stage
from league.people.members.queries import PlayerInfo, players_of
from league.play.bans.queries import banned_here, bans_of_player
from league.play.hands.queries import RULES
from league.play.hands.words.penalties import STATES, PenaltyLine, Wordings
from league.referees.penalties.queries.penalties import (
    PenaltySum,
    StandingsCheck,
    check_standings,
    listed_penalties,
    player_sums,
    record_of_player,
    sum_of,
    sums_by,
    with_facts,
)
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.words import DIMENSIONS, NOTHING, key_of

A_PAGE = 50
SUMMED = ("player", "level", "offence", "referee", "round")


# --- the list


class PenaltyList:
    def __init__(
        self, competition: Competition, query: QueryDict, people: Mapping[int, PlayerInfo], *, public: bool
    ) -> None:
        self.lines = listed_penalties(competition, public=public)
        self.people, self.by = people, query.get("by", "")
        # Names of referees are for staff.
        self.names = [name for name in DIMENSIONS if not (public and name == "referee")]
        typed = {name: query.get(name, "") for name in self.names}
        self.filter = {name: text for name, text in typed.items() if text and _fits(name, text)}

    @cached_property
    def found(self) -> list[PenaltyLine]:
        wanted = self.filter.items()
        return [line for line in self.lines if all(self.key(name, line) == key for name, key in wanted)]

    def key(self, name: str, line: PenaltyLine) -> str:
        """Return the filter key. In an address a player is named by their entry."""
        if name != "player":
            return key_of(name, line.penalty)
        info = self.people.get(line.penalty.player_id)
        return str(info.entrant) if info else ""

    def filters(self) -> list[dict[str, Any]]:
        filters_with_choices: list[dict[str, Any]] = [
            {
                "name": name,
                "label": DIMENSIONS[name].label,
                "everything": DIMENSIONS[name].everything,
                "choices": self._choices(name),
                "chosen": self.filter.get(name, ""),
            }
            for name in self.names
        ]
        return [each for each in filters_with_choices if len(each["choices"]) > 1 or each["chosen"]]

    def _choices(self, name: str) -> list[tuple[str, str]]:
        having = {self.key(name, line): line for line in self.lines}
        words = {key: DIMENSIONS[name].words(line) for key, line in having.items()}
        if name == "state":
            return [(key, words[key]) for key in STATES if key in words]
        if name == "round":
            return [(key, words[key]) for key in sorted(having, key=lambda key: _round_order(having[key]))]
        return [(key, words[key]) for key in sorted(words, key=lambda key: (sort_key(words[key]), key))]

    def sums(self) -> dict[str, Any]:
        ways = [name for name in SUMMED if name in self.names]
        by = self.by if self.by in ways else ways[0]
        words = DIMENSIONS[by].words
        sums = sums_by(self.found, lambda line: (key_of(by, line.penalty), words(line)))
        if by == "round":
            sums.sort(key=lambda each: _round_order(each.first))
        return {
            "by": by,
            "label": DIMENSIONS[by].label,
            "lines": [self._sum_line(by, each) for each in sums],
            "ways": [(name, DIMENSIONS[name].label, urlencode(self.filter | {"by": name})) for name in ways],
        }

    def _sum_line(self, by: str, penalty_sum: PenaltySum) -> tuple[PenaltySum, str, str, str]:
        """Return the sum, its label, the article of an offence, and the query that lists its penalties."""
        query = urlencode(self.filter | {by: self.key(by, penalty_sum.first), "by": by})
        article = penalty_sum.first.article if by == "offence" else ""
        return penalty_sum, DIMENSIONS[by].words(penalty_sum.first), article, query


def _round_order(line: PenaltyLine) -> tuple[bool, int, int]:
    round_ = line.penalty.round
    return (round_ is None, line.penalty.stage_id, round_.number if round_ else 0)


def _fits(name: str, text: str) -> bool:
    if name not in {"player", "referee", "round"}:
        return True
    return text == NOTHING or (text.isascii() and text.isdigit() and len(text) < 19)


@public_page(page=PAGES, **dict.fromkeys([*DIMENSIONS, "by"], ANY))
def penalties(request: HttpRequest, access: Access) -> HttpResponse:
    competition, public = access.competition, for_public(request, access)
    check, people = check_standings(competition, public=public), players_of(competition)
    differences = [
        (people.get(difference.player), difference.listed, difference.deducted)
        for difference in check.differences
    ]
    outside = _outside(check, competition, people)
    if not lists_penalties(competition, public=public):
        return page(
            request,
            access,
            "penalties/sums.html",
            check=check,
            differences=differences,
            outside=outside,
            sums=[(line, people.get(line.player)) for line in player_sums(competition, public=True)],
            counts=competition.penalties_shown == Competition.PenaltiesShown.COUNTS,
        )
    listed = PenaltyList(competition, request.GET, people, public=public)
    here = Paginator(listed.found, A_PAGE).get_page(request.GET.get("page"))
    total = sum_of(listed.found) if listed.found else None
    return page(
        request,
        access,
        "penalties/index.html",
        check=check,
        differences=differences,
        outside=outside,
        page=here,
        lines=[(line, people.get(line.penalty.player_id)) for line in here.object_list],
        counted={"sum": total.score if total else None, "count": total.counted if total else 0},
        filters=listed.filters(),
        chosen=listed.filter,
        sums=listed.sums() if listed.found else None,
        downloads="?all=1" if access.is_staff and not public else "",
    )


def _outside(
    check: StandingsCheck, competition: Competition, people: Mapping[int, PlayerInfo]
) -> list[tuple[str, PlayerInfo | None, int]]:
    """Return the stage, the player and the sum of penalties that no total has."""
    stages = Stage.objects.of(competition).select_related("division")
    words = {stage.pk: where_words(stage) for stage in stages} if check.outside else {}
    return [(words[stage], people.get(player), score) for stage, player, score in check.outside]


# --- one player


@reads(Can.STAFF)
def player_record(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show a player's penalties in the league. Readers see competitions without a role as the public does."""
    entrant, league = access.entrant(pk), access.competition.league
    inside = inside_of(access.user, league)
    visible = visible_competitions(access.user).filter(league=league).values_list("pk", flat=True)
    record = record_of_player(entrant.player, inside=inside, outside=set(visible) - inside)
    scores = {each: [p.score for p in penalties if p.counts] for each, penalties in record.items()}
    wordings = Wordings()
    return page(
        request,
        access,
        "penalties/record.html",
        entrant=entrant,
        records=[
            (each, sum(scores[each]), wordings.lines(penalties), each.pk not in inside)
            for each, penalties in record.items()
        ],
        sum=sum(map(sum, scores.values())),
        count=sum(map(len, scores.values())),
        bans=bans_of_player(entrant.player, league),
        banned=banned_here(access.competition, [entrant.player_id]).get(entrant.player_id),
    )


# --- revoking


def _log_again(access: Access, penalty: Penalty) -> str:
    """Return where to log the offence for another player, at the same table or for the same stage."""
    where = ("table", penalty.table_id) if penalty.table_id else ("stage", penalty.stage_id)
    query = dict([where]) | ({"offence": penalty.infraction} if penalty.infraction else {})
    return f"{access.address('penalties:new')}?{urlencode(query)}"


@writes(Can.REFEREE)
def penalty_revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    penalty, form = access.penalty(pk), RevokeForm(posted(request))
    if answer := save(
        request,
        form,
        lambda sent: revoke_penalty(penalty=penalty, by=access.by, form=sent, **form.values()),
        about=(pk,),
        done=_("Penalty revoked. It stays on record but no longer counts."),
        then=_log_again(access, penalty) if "next" in request.POST else access.address("penalties:index"),
    ):
        return answer
    revocable = with_facts(Penalty.objects.filter(pk=pk)).select_related(RULES).get()
    player = players_of(access.competition).get(revocable.player_id)
    return page(
        request, access, "penalties/revoke.html", line=Wordings().line(revocable), player=player, form=form
    )
