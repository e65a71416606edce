"""The objects of the API, made from the facts that an audience may see.

``public``: without unpublished rounds, as on the pages for visitors.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, QuerySet
from django.http import Http404

from league.core.access import Access
from league.core.rounds import seating
from league.core.stages import stages_of
from league.extras.api import schema
from league.models import Competition, Penalty, Round, Sheet, Table
from league.organizing.interchange.exports.competition_file import penalty_facts, player_facts
from league.organizing.interchange.schema import PenaltyFacts, PlayerFacts
from league.organizing.roster.queries import entrants
from league.people.members.queries import listed_entrants
from league.play.results.queries.tables import TableResult, table_results, without_results
from league.play.rounds.services import fingerprint
from league.referees.penalties.queries.penalties import wordings_of
from scoring.units import WINDS, decimal_text


def competition_facts(competition: Competition, *, public: bool) -> dict[str, Any]:
    columns = ("slug", "name", "kind", "visibility", "counting", "timezone", "place")
    return {
        **{name: str(getattr(competition, name)) for name in (*columns, "league")},
        "first_day": competition.first_day,
        "last_day": competition.last_day,
        "finished": competition.finished_at is not None,
        "version": competition.seen_version(public=public),
    }


def competition_parts(access: Access) -> schema.CompetitionParts:
    """Return the competition with its divisions and stages. Queries: 3 at most."""
    public = not access.is_staff
    counted = access.rounds().select_related(None).order_by().values("stage").annotate(count=Count("pk"))
    rounds = dict(counted.values_list("stage", "count"))
    parts: dict[int, list[schema.StageOut]] = {}
    for stage, _has_results in stages_of(access.competition, public=public):
        facts = {name: getattr(stage, name) for name in ("slug", "name", "carry", "play")}
        out = schema.StageOut(**facts, rounds=rounds.get(stage.pk, 0))
        parts.setdefault(stage.division_id, []).append(out)
    divisions = [
        schema.DivisionOut(slug=division.slug, name=division.name, stages=parts.get(division.pk, []))
        for division in access.competition.divisions.all()
    ]
    return schema.CompetitionParts(
        **competition_facts(access.competition, public=public), divisions=divisions
    )


# --- people


def players(access: Access) -> list[PlayerFacts]:
    """Return the players of the competition file. Queries: 2.

    The public gets no substitutes, and neither federation numbers nor ranks of last season.
    """
    if access.is_staff:
        return [player_facts(entrant) for entrant in entrants(access.competition)]
    return [
        PlayerFacts.from_row(
            entrant.player,
            id=entrant.key,
            club=entrant.player.club.name if entrant.player.club else "",
            division=entrant.division.slug if entrant.division else None,
            withdrawn=entrant.withdrawn_at is not None,
        )
        for entrant in listed_entrants(access.competition)
    ]


def penalties_out(access: Access, penalties: Iterable[Penalty]) -> list[PenaltyFacts]:
    """Return penalties as in the competition file. The public gets no deliberations of the referees."""
    keys = dict(access.competition.entrants.values_list("player_id", "key"))
    lines = wordings_of(access.competition).lines(penalties)
    facts = [penalty_facts(line.penalty, keys, together=None) for line in lines]
    return facts if access.is_staff else [fact.model_copy(update={"suggested": ""}) for fact in facts]


# --- rounds and tables


def round_tables(access: Access, round_: Round) -> schema.RoundTables:
    """Return a round with its tables. Queries: 5 at most."""
    items = tables_out(access, round_, round_.tables.all())
    facts = {name: getattr(round_, name) for name in ("number", "date", "status", "visibility")}
    facts |= {"tables_count": len(items), "seating": fingerprint(seating(round_)), "items": items}
    return schema.RoundTables.model_validate(facts)


def table_at(access: Access, round_: Round, number: int) -> schema.TableOut:
    """Return the table of this number. Raise ``Http404`` if there is none."""
    for found in tables_out(access, round_, round_.tables.filter(number=number)):
        return found
    raise Http404


def tables_out(access: Access, round_: Round, tables: QuerySet[Table]) -> list[schema.TableOut]:
    """Return the settled tables, without results if this audience may see the seating only."""
    found: Sequence[TableResult] = table_results(tables, access.competition, rounds=[round_])
    if not access.is_staff and round_.visibility != Round.Visibility.RESULTS:
        found = without_results(found)
    return [
        schema.TableOut(
            number=each.table.number,
            status=each.status,
            sticks=each.sheet.sticks if each.sheet else 0,
            last_dealer=WINDS[each.sheet.last_dealer] if each.sheet else None,
            revision=each.seen,
            seats=[_seat_out(each, wind) for wind in range(4)],
        )
        for each in found
    ]


def _seat_out(result: TableResult, wind: int) -> schema.SeatOut:
    """Return a seat. The seats of a void sheet have points and no settlement."""
    player, absent, sheet = result.players[wind], result.instead.get(wind), result.sheet
    facts: dict[str, Any] = dict.fromkeys(("place", "uma", "oka", "score"))
    if sheet and sheet.status != Sheet.Status.VOID:
        seat = result.seats[wind]
        facts = {name: decimal_text(getattr(seat, name)) for name in ("uma", "oka", "score")}
        facts |= {"place": seat.place, "chips": seat.chips}
    return schema.SeatOut(
        wind=WINDS[wind],
        player=player.key if player else None,
        name=player.name if player else "",
        points=sheet.points[wind] if sheet else None,
        stands_for=absent.key if absent else None,
        **facts,
    )
