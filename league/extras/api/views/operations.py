"""All operations. Those that write call the services of the pages, for the person who made the token."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Path, Query

from league.core.access import Can, visible_competitions
from league.core.counted import lists_penalties, shown_penalties, without_secret_stages
from league.core.kept_files import send_download
from league.extras.api import exports, schema, services
from league.extras.api.views.api import (
    COMPETITION,
    ROUND,
    STAGE,
    TABLE,
    AtRound,
    AtStage,
    AtTable,
    Part,
    access_of,
    caller_of,
    reads,
    save,
    writes,
)
from league.extras.api.views.api import (
    api as api,
)
from league.models import Competition, Penalty, Round
from league.organizing.interchange.exports.competition_file import rules_facts
from league.organizing.interchange.schema import CompetitionFacts, RulesFacts
from league.organizing.interchange.tasks import write_whole_file
from league.play.results.services import confirm_result, record_result
from league.play.rounds import services as rounds
from league.ranking.standings.exports import stage_json, standings_json
from league.ranking.teams.exports import team_rows
from league.ranking.teams.queries import team_standings
from league.referees.penalties.queries.penalties import with_facts


@reads("/competitions", schema.CompetitionPage)
def list_competitions(request: HttpRequest, part: Query[Part]) -> schema.CompetitionPage:
    """List the public competitions, the newest first.

    With a token also its own competition.
    """
    access, found = caller_of(request).access, visible_competitions(AnonymousUser())
    if access is not None:
        found = found | Competition.objects.select_related("league").filter(pk=access.competition.pk)
    page, inside = part.of(request, found), access.competition.pk if access and access.is_staff else None
    page["items"] = [exports.competition_facts(each, public=each.pk != inside) for each in page["items"]]
    return schema.CompetitionPage(**page)


@reads(COMPETITION, schema.CompetitionParts)
def get_competition(request: HttpRequest, slug: str) -> schema.CompetitionParts:
    """Return a competition with its divisions and stages."""
    return exports.competition_parts(access_of(request))


@reads(f"{COMPETITION}/file", CompetitionFacts, need=Can.ORGANIZE, kept=True)
def get_competition_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the competition file, which holds everything.

    It is made once per version. Until it is there the answer is 503 with Retry-After.
    """
    about = access_of(request), write_whole_file, "competition", "json"
    file = send_download(request, *about, fmt="json", public=False)
    if file.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        said, wait = _("The file is being made. Ask again in a moment."), file["Retry-After"]
        raise services.Rejected(said, file.status_code, "not_ready", {"Retry-After": wait})
    return file


@reads(f"{COMPETITION}/players", schema.PlayerPage)
def list_players(request: HttpRequest, slug: str, part: Query[Part]) -> schema.PlayerPage:
    """List the players in the shape of the competition file.

    Federation numbers, guests, ranks of last season and substitutes are for staff.
    """
    return schema.PlayerPage(**part.of(request, exports.players(access_of(request))))


@reads(f"{COMPETITION}/penalties", schema.PenaltyPage)
def list_penalties(request: HttpRequest, slug: str, part: Query[Part]) -> schema.PenaltyPage:
    """List the penalties in the shape of the competition file, the newest first.

    Visitors get those that public pages list. 404 if the competition does not list single penalties.
    """
    access = access_of(request)
    public, every = not access.is_staff, Penalty.objects.filter(competition=access.competition)
    if not lists_penalties(access.competition, public=public):
        raise Http404
    if public:
        every = without_secret_stages(every, access.competition)
    found = with_facts(shown_penalties(every, public=public))
    page = part.of(request, found.order_by("-created_at", "-pk"))
    return schema.PenaltyPage(**page | {"items": exports.penalties_out(access, page["items"])})


@reads(f"{COMPETITION}/divisions/{{slug:division}}/rules", RulesFacts)
def get_rules(request: HttpRequest, slug: str, division: str) -> RulesFacts:
    """Return the rule set of a division in the shape of the competition file."""
    return rules_facts(access_of(request).division(division).rule_set)


# --- a stage


@reads(f"{STAGE}/standings", schema.PlayerStandings)
def get_standings(request: HttpRequest, at: Path[AtStage], part: Query[Part]) -> schema.PlayerStandings:
    """Return the standings of a stage, as the export of standings writes them."""
    facts = standings_json(at.find_stage(request), public=not access_of(request).is_staff)
    return schema.PlayerStandings(**part.of(request, facts.pop("rows")), **facts)


@reads(f"{STAGE}/team-standings", schema.TeamStandings)
def get_team_standings(request: HttpRequest, at: Path[AtStage], part: Query[Part]) -> schema.TeamStandings:
    """Return the team standings of a stage."""
    stage = at.find_stage(request)
    found = team_standings(stage, public=not access_of(request).is_staff)
    return schema.TeamStandings(**part.of(request, team_rows(found.rows)), **stage_json(stage))


@reads(f"{STAGE}/rounds", schema.RoundPage)
def list_rounds(request: HttpRequest, at: Path[AtStage], part: Query[Part]) -> schema.RoundPage:
    """List the rounds of a stage."""
    found = access_of(request).rounds().filter(stage=at.find_stage(request)).order_by("number", "pk")
    return schema.RoundPage(**part.of(request, found.annotate(tables_count=Count("tables"))))


@reads(ROUND, schema.RoundTables)
def get_round(request: HttpRequest, at: Path[AtRound]) -> schema.RoundTables:
    """Return a round with its tables, seats and settled score sheets."""
    return exports.round_tables(access_of(request), at.find_round(request))


@reads(TABLE, schema.TableOut)
def get_table(request: HttpRequest, at: Path[AtTable]) -> schema.TableOut:
    """Return a table with its settled score sheet."""
    return exports.table_at(access_of(request), at.find_round(request), at.table)


# --- writing


@writes("POST", f"{COMPETITION}/players", schema.PlayersSaved, need=Can.ORGANIZE)
def save_players(request: HttpRequest, slug: str, body: schema.PlayersIn) -> schema.PlayersSaved:
    """Enter players and change players.

    A player without `id` is entered, as by the import of a list. A player with `id` is changed.
    """
    competition = access_of(request).competition
    write = partial(services.save_players, competition=competition, players=body.players)
    return schema.PlayersSaved(**save(request, body, write))


@writes("POST", f"{STAGE}/rounds", schema.RoundTables, need=Can.ORGANIZE, status=201)
def make_round(request: HttpRequest, at: Path[AtStage], body: schema.NewRound) -> schema.RoundTables:
    """Create a round, planned and hidden, and seat it if tables or a draw are sent."""
    saved = save(request, body, partial(services.make_round, stage=at.find_stage(request), sent=body))
    access = access_of(request)
    return exports.round_tables(access, access.round(saved["round"]))


@writes("PATCH", ROUND, schema.RoundTables, need=Can.ORGANIZE)
def change_round(request: HttpRequest, at: Path[AtRound], body: schema.RoundChange) -> schema.RoundTables:
    """Open or close a round, or take its start back, and choose what visitors see of it."""
    writes_of: dict[str, Callable[..., object]] = {
        Round.Status.PLANNED: rounds.plan_again,
        Round.Status.OPEN: partial(rounds.open_round, sure=body.sure),
        Round.Status.CLOSED: partial(rounds.close_round, sure=body.sure),
    }
    round_, write = at.find_round(request), writes_of.get(body.status or "", rounds.set_visibility)
    if body.status or body.visibility:
        save(request, body, partial(write, round_=round_, visibility=body.visibility))
    return exports.round_tables(access_of(request), at.find_round(request))


@writes("PUT", f"{ROUND}/seating", schema.RoundTables, need=Can.ORGANIZE)
def seat_round(request: HttpRequest, at: Path[AtRound], body: schema.SeatingIn) -> schema.RoundTables:
    """Replace the seating of a round."""
    round_, access = at.find_round(request), access_of(request)
    tables = services.find_tables(access.competition, body.tables)
    by_hand = partial(rounds.seat_players, method=Round.Method.HAND)
    save(request, body, partial(by_hand, round_=round_, tables=tables, based_on=body.based_on))
    return exports.round_tables(access, at.find_round(request))


@writes("PUT", f"{TABLE}/sheet", schema.TableOut, need=Can.SCORE)
def save_sheet(request: HttpRequest, at: Path[AtTable], body: schema.SheetIn) -> schema.TableOut:
    """Enter or correct a score sheet.

    409 if another score sheet than `based_on` is saved. Read the table, compare, and send it again. 422
    `differs_from_hands` or `before_the_end` if it does not agree with the hands that the table recorded.
    """
    table, access = at.find_table(request), access_of(request)
    values = services.sheet_values(access.competition, body)
    save(request, body, partial(record_result, table=table, **values))
    return exports.table_at(access, table.round, at.table)


@writes("POST", f"{TABLE}/sheet/confirmation", schema.TableOut, need=Can.STAFF)
def confirm_sheet(request: HttpRequest, at: Path[AtTable], body: schema.ConfirmIn) -> schema.TableOut:
    """Confirm a score sheet as a second person.

    The maker of this token must not have entered it.
    """
    table = at.find_table(request)
    save(request, body, partial(confirm_result, table=table, based_on=body.based_on))
    return exports.table_at(access_of(request), table.round, at.table)
