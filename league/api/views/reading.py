"""Operations that read."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotModified
from django.utils.translation import get_language

from league.api import exports, schema
from league.api.views.api import (
    COMPETITION,
    ROUND,
    STAGE,
    USUAL_ITEMS,
    Limit,
    NotReady,
    Offset,
    access_of,
    caller_of,
    page_of,
    reads,
)
from league.core.access import Access, Can, visible_competitions
from league.core.caching import etag, facts_of
from league.core.counted import lists_penalties
from league.core.kept_files import find_file, sent_file
from league.core.stages import stages_of
from league.interchange.exports.competition_file import rules_facts
from league.interchange.schema import CompetitionFacts, RulesFacts
from league.interchange.tasks import write_whole_file
from league.models import Competition, Stage
from league.standings.exports import stage_json


@reads("/competitions", schema.CompetitionPage)
def list_competitions(
    request: HttpRequest, limit: Limit = USUAL_ITEMS, offset: Offset = 0
) -> schema.CompetitionPage:
    """List the public competitions, the newest first.

    With a token also its own competition.
    """
    access = caller_of(request).access
    found = visible_competitions(AnonymousUser())
    if access is not None:
        found = found | Competition.objects.select_related("league").filter(pk=access.competition.pk)
    items, page = page_of(request, found, limit, offset)
    inside = access.competition.pk if access is not None and access.is_staff else None
    outs = [
        schema.CompetitionOut(**exports.competition_out(each, public=each.pk != inside)) for each in items
    ]
    return schema.CompetitionPage(items=outs, **page)


@reads(COMPETITION, schema.CompetitionParts)
def get_competition(request: HttpRequest, slug: str) -> schema.CompetitionParts:
    """Return a competition with its divisions and stages."""
    return exports.competition_parts(access_of(request))


@reads(f"{COMPETITION}/file", CompetitionFacts, need=Can.ORGANIZE, kept=True)
def get_competition_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the competition file, which holds everything.

    It is made once per version. Until it is there the answer is 503 with Retry-After.
    """
    access = access_of(request)
    facts = facts_of(access)
    tag = etag(request, facts)
    if tag[2:] in request.headers.get("If-None-Match", ""):
        return HttpResponseNotModified(headers={"ETag": tag})
    about = ("competition", "json", False, get_language() or "en")
    file = find_file(request, access, write_whole_file, *about, facts=facts, public=False)
    if file is None or file.content is None:
        raise NotReady
    response = sent_file(request, bytes(file.content), "application/json")
    response["ETag"], response["Cache-Control"] = tag, "private, no-cache"
    return response


@reads(f"{COMPETITION}/players", schema.PlayerPage)
def list_players(
    request: HttpRequest, slug: str, limit: Limit = USUAL_ITEMS, offset: Offset = 0
) -> schema.PlayerPage:
    """List the players in the shape of the competition file.

    Federation numbers, guests, ranks of last season and substitutes are for staff.
    """
    items, page = page_of(request, exports.players(access_of(request)), limit, offset)
    return schema.PlayerPage(items=items, **page)


@reads(f"{COMPETITION}/penalties", schema.PenaltyPage)
def list_penalties(
    request: HttpRequest, slug: str, limit: Limit = USUAL_ITEMS, offset: Offset = 0
) -> schema.PenaltyPage:
    """List the penalties in the shape of the competition file, the newest first.

    Visitors get those that public pages list. 404 if the competition does not list single penalties.
    """
    access = access_of(request)
    if not lists_penalties(access.competition, public=not access.is_staff):
        raise Http404
    items, page = page_of(request, exports.penalties(access), limit, offset)
    return schema.PenaltyPage(items=exports.penalties_out(access, items), **page)


@reads(f"{COMPETITION}/divisions/{{slug:division}}/rules", RulesFacts)
def get_rules(request: HttpRequest, slug: str, division: str) -> RulesFacts:
    """Return the rule set of a division in the shape of the competition file."""
    return rules_facts(access_of(request).division(division).rule_set)


# --- a stage


@reads(f"{STAGE}/standings", schema.PlayerStandings)
def get_standings(
    request: HttpRequest, slug: str, division: str, stage: str, limit: Limit = USUAL_ITEMS, offset: Offset = 0
) -> schema.PlayerStandings:
    """Return the standings of a stage, as the export of standings writes them."""
    access = access_of(request)
    found = find_stage(access, division, stage)
    items, page = page_of(request, exports.player_rows(access, found), limit, offset)
    return schema.PlayerStandings(items=items, **stage_json(found), **page)


@reads(f"{STAGE}/team-standings", schema.TeamStandings)
def get_team_standings(
    request: HttpRequest, slug: str, division: str, stage: str, limit: Limit = USUAL_ITEMS, offset: Offset = 0
) -> schema.TeamStandings:
    """Return the team standings of a stage."""
    access = access_of(request)
    found = find_stage(access, division, stage)
    items, page = page_of(request, exports.team_rows_out(access, found), limit, offset)
    return schema.TeamStandings(items=items, **stage_json(found), **page)


@reads(f"{STAGE}/rounds", schema.RoundPage)
def list_rounds(
    request: HttpRequest, slug: str, division: str, stage: str, limit: Limit = USUAL_ITEMS, offset: Offset = 0
) -> schema.RoundPage:
    """List the rounds of a stage."""
    access = access_of(request)
    found = exports.rounds_of(access, find_stage(access, division, stage))
    items, page = page_of(request, found, limit, offset)
    return schema.RoundPage(items=[exports.round_out(each) for each in items], **page)


@reads(ROUND, schema.RoundTables)
def get_round(request: HttpRequest, slug: str, division: str, stage: str, number: int) -> schema.RoundTables:
    """Return a round with its tables, seats and settled score sheets."""
    access = access_of(request)
    find_stage(access, division, stage)
    return exports.round_tables(access, access.round_at(division, stage, number))


@reads(f"{ROUND}/tables/{{int:table}}", schema.TableOut)
def get_table(
    request: HttpRequest, slug: str, division: str, stage: str, number: int, table: int
) -> schema.TableOut:
    """Return a table with its settled score sheet."""
    access = access_of(request)
    find_stage(access, division, stage)
    return exports.table_at(access, access.round_at(division, stage, number), table)


def find_stage(access: Access, division: str, stage: str) -> Stage:
    """Return the stage of this address. Raise ``Http404`` if it would tell the public hidden results."""
    for each in stages_of(access.competition, public=not access.is_staff):
        if (each.stage.division.slug, each.stage.slug) == (division, stage):
            return each.stage
    raise Http404
