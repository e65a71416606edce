"""The end of a stage: everyone's chances, and what a player or team needs in the last hanchan."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.kept_files import PAUSE
from league.core.pages import Asked, for_public, page, posted, saves
from league.core.stages import stages_of
from league.extras.needs.forms import StageEndForm
from league.extras.needs.panels.race import KeptChances, chances_state, kept_chances
from league.extras.needs.queries.outlook import Outlook, goal_of, last_hanchan, outlook
from league.extras.needs.queries.race import Contestant, Race, race_of
from league.extras.needs.rules import REACHED
from league.extras.needs.rules.chances import FEWEST_TABLES, Chances
from league.extras.needs.rules.hanchan import HanchanNeeds, hanchan_needs
from league.extras.needs.services import set_stage_end
from league.extras.needs.tables import ChanceLine, ChancesTable, TeamChancesTable
from league.extras.needs.words.race import (
    KINDS,
    LINES,
    PROVEN,
    RACE_STATES,
    SPANS,
    case_words,
    kind_words,
    line_words,
    place_words,
    span_words,
)
from league.models import Seat
from league.people.members.queries import labels_of
from league.ranking.standings.queries.stages import chosen_stage

TEAMS = "teams"
RELOAD_SECONDS = "2"
FIRST_CASES = 5
FAR = 3  # times the points of a table: spans beyond are not shown


@public_page(chances_state, of={TEAMS}, page=frozenset(map(str, range(1, 20))))
def chances(request: HttpRequest, access: Access, division: str, stage: str) -> HttpResponse:
    """Show the chances of all players of a stage, or with `?of=teams` of its teams."""
    public = for_public(request, access)
    choices = stages_of(access.competition, public=public)
    here = chosen_stage(choices, division, stage)
    if here is None or not access.competition.shows_chances:
        raise Http404
    of_teams = request.GET.get("of") == TEAMS
    race = race_of(here, public=public, of_teams=of_teams)
    kept = kept_chances(request, access, public=public) if race else KeptChances({})
    estimate, waits = kept.of(race), kept.races is None
    kind = TeamChancesTable if of_teams else ChancesTable
    heads = [(LINES[line.kind], line_words(*line)) for line in race.lines] if race else []
    response = page(
        request,
        access,
        "needs/chances.html",
        stage=here,
        race=race,
        of_teams=of_teams,
        has_teams=race_of(here, public=public, of_teams=not of_teams) is not None,
        heads=heads,
        chances=estimate,
        waits=waits,
        failed=kept.has_failed,
        fewest=FEWEST_TABLES,
        table=kind(_chance_lines(race, estimate), heads, request=request) if race and estimate else None,
        status=503 if waits else 200,
    )
    if kept.has_failed:
        response["Retry-After"] = str(int(PAUSE.total_seconds()))
    elif waits:
        response["Refresh"] = RELOAD_SECONDS
    if waits:
        response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs a 503 as an error
    return response


def _chance_lines(race: Race, chances: Chances) -> list[ChanceLine]:
    return [
        ChanceLine(contestant, [_said(outlook(race, contestant.pk, line, chances)) for line in race.lines])
        for contestant in race.contestants
    ]


def _said(said: Outlook) -> dict[str, Any]:
    """Return a statement in words, with the share of simulated ends and its length in per cent."""
    share = 100 * said.inside / said.ends if said.ends else 0
    words = f"{share:.0f}%" if 1 <= share <= 99 else ("<1%" if share < 1 else ">99%")
    if said.kind == PROVEN:
        words = "100%" if said.outcome == REACHED else "0%"
    return {
        "said": said,
        "share": round(share),
        "words": words,
        "state": RACE_STATES[said.outcome],
        "kind": KINDS.get(said.kind, ""),
        "why": kind_words(said.kind, said.otherwise, said.ends),
    }


# --- what is needed


@public_page(chances_state)
def player(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show what a player needs in the hanchan to come."""
    entrant = access.entrant(pk)
    name = labels_of(access.competition, [entrant.player_id])[entrant.player_id]
    return _needs(request, access, [entrant.player_id], name, division=entrant.division_id)


@public_page(chances_state)
def team(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.team(pk)
    return _needs(request, access, [found.pk], found.name, of_teams=True)


@public_page(chances_state)
def table(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Show what all four of a table need, side by side for a commentator."""
    found = access.table(pk)
    words = _("Round %(round)s · Table %(table)s") % {"round": found.round.number, "table": found.number}
    of_teams = access.competition.crowns_teams
    race = race_of(found.round.stage, public=for_public(request, access), of_teams=of_teams)
    seated = Seat.objects.filter(table=found).order_by("wind").values_list("player_id", flat=True)
    four = list(race.tables.get(found.pk, ()) if race else ()) or list(seated)
    return _needs(request, access, four, words, division=found.round.stage.division_id, of_teams=of_teams)


def _needs(
    request: HttpRequest,
    access: Access,
    who: Sequence[int],
    title: str,
    *,
    division: int | None = None,
    of_teams: bool = False,
) -> HttpResponse:
    if not access.competition.shows_chances:
        raise Http404
    public = for_public(request, access)
    choices = [c.stage for c in stages_of(access.competition, public=public)]
    stages = [stage for stage in reversed(choices) if division in (None, stage.division_id)]
    races = (race_of(stage, public=public, of_teams=of_teams) for stage in stages)
    race = next((race for race in races if race and not race.records.keys().isdisjoint(who)), None)
    kept = kept_chances(request, access, public=public) if race else KeptChances({})
    found = kept.of(race)
    by_pk = {contestant.pk: contestant for contestant in race.contestants} if race else {}
    cards = [_card(race, by_pk[each], found) for each in who if race and each in by_pk]
    return page(
        request,
        access,
        "needs/last.html",
        title=title,
        race=race,
        stage=race.stage if race else next(iter(stages), None),
        cards=cards,
        of_teams=of_teams,
        chances=found,
        waits=kept.races is None,
        failed=kept.has_failed,
    )


def _card(race: Race, contestant: Contestant, chances: Chances | None) -> dict[str, Any]:
    found = last_hanchan(race, contestant.pk)
    four = race.table_of(contestant.pk) or ()
    known = {each.pk: each.name for each in race.contestants}
    names = [known.get(each, "–") for each in four]
    lines = []
    for line in race.lines:
        words = _said(outlook(race, contestant.pk, line, chances))
        if found:
            words |= _last_words(race, hanchan_needs(*found, goal_of(line)), names)
        lines.append((line_words(*line), words))
    return {
        "contestant": contestant,
        "wind": four.index(contestant.pk) if four else None,
        "others": [name for each, name in zip(four, names, strict=True) if each != contestant.pk],
        "is_last": found is not None,
        "waits_for_table": found is None and race.plays_again(contestant.pk),
        "lines": lines,
    }


def _last_words(race: Race, needs: HanchanNeeds, names: Sequence[str]) -> dict[str, Any]:
    rules = race.stage.division.rules
    most = FAR * rules.total_points
    found = (
        (place, shared, by_place[place])
        for place in needs.places
        for shared, by_place in ((False, needs.places), (True, needs.shared))
        if by_place[place]
    )
    places = [
        (
            place_words(place, rules, shared=shared),
            [
                (span.outcome, SPANS[span.outcome], span_words(span))
                for span in spans
                if abs(span.first or 0) <= most and not (span.first is None and (span.last or 0) < -most)
            ],
        )
        for place, shared, spans in found
    ]
    cases = [case_words(case, names, rules) for case in needs.cases]
    return {"places": places, "cases": cases[:FIRST_CASES], "more": cases[FIRST_CASES:]}


# --- the cut to come


@saves(Can.ORGANIZE, "needs/stage_end.html", done=gettext_lazy("End of the stage saved."))
def stage_end(request: HttpRequest, access: Access, pk: int) -> Asked:
    stage = access.stage(pk)
    return Asked(
        partial(set_stage_end, stage=stage),
        StageEndForm(posted(request), stage=stage),
        then=access.address("stages:stage", pk),
        stage=stage,
    )
