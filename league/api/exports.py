"""The objects of the API, made from the facts that an audience may see.

``public``: without unpublished rounds, as on the pages for visitors.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet
from django.http import Http404

from league.api import schema
from league.core.access import Access
from league.core.counted import shown_penalties
from league.core.rounds import seating
from league.core.stages import stages_of
from league.interchange.exports.competition_file import penalty_facts, player_facts
from league.interchange.schema import PenaltyFacts, PlayerFacts
from league.models import Competition, Entrant, Penalty, Round, Sheet, Stage, Table
from league.penalties.queries.penalties import with_facts, wordings_of
from league.people.queries import listed_entrants
from league.roster.queries import entrants
from league.rounds.queries import TableResult, table_results, without_results
from league.rounds.services import fingerprint
from league.standings.exports import standings_json
from league.teams.exports import team_rows
from league.teams.queries import team_standings
from scoring.units import WINDS, decimal_text


def competition_out(competition: Competition, *, public: bool) -> dict[str, Any]:
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
    stages = [choice.stage for choice in stages_of(access.competition, public=public)]
    rounds = _count_rounds(access.rounds())
    divisions = [
        schema.DivisionOut(
            slug=division.slug,
            name=division.name,
            stages=[stage_out(stage, rounds) for stage in stages if stage.division_id == division.pk],
        )
        for division in access.competition.divisions.all()
    ]
    return schema.CompetitionParts(**competition_out(access.competition, public=public), divisions=divisions)


def _count_rounds(rounds: QuerySet[Round]) -> dict[int, int]:
    counted = rounds.select_related(None).order_by().values("stage").annotate(count=Count("pk"))
    return dict(counted.values_list("stage", "count"))


def stage_out(stage: Stage, rounds: Mapping[int, int]) -> schema.StageOut:
    return schema.StageOut(
        slug=stage.slug, name=stage.name, carry=stage.carry, play=stage.play, rounds=rounds.get(stage.pk, 0)
    )


# --- people


def players(access: Access) -> list[PlayerFacts]:
    """Return the players of the competition file. Queries: 2.

    The public gets no substitutes, and neither federation numbers nor ranks of last season.
    """
    if access.is_staff:
        return [player_facts(entrant) for entrant in entrants(access.competition)]
    return [_public_player(entrant) for entrant in listed_entrants(access.competition)]


def _public_player(entrant: Entrant) -> PlayerFacts:
    player = entrant.player
    return PlayerFacts.from_row(
        player,
        id=entrant.key,
        club=player.club.name if player.club else "",
        division=entrant.division.slug if entrant.division else None,
        withdrawn=entrant.withdrawn_at is not None,
    )


def penalties(access: Access) -> QuerySet[Penalty]:
    """Select the penalties that this audience reads one by one, the newest first."""
    public = not access.is_staff
    found = Penalty.objects.filter(competition=access.competition)
    return with_facts(shown_penalties(found, public=public)).order_by("-created_at", "-pk")


def penalties_out(access: Access, found: Iterable[Penalty]) -> list[PenaltyFacts]:
    """Return penalties as in the competition file. The public gets no deliberations of the referees."""
    keys = dict(access.competition.entrants.values_list("player_id", "key"))
    lines = wordings_of(access.competition).lines(found)
    facts = [penalty_facts(line.penalty, keys, together=None) for line in lines]
    return facts if access.is_staff else [each.model_copy(update={"suggested": ""}) for each in facts]


# --- rounds and tables


def rounds_of(access: Access, stage: Stage) -> QuerySet[Round, Any]:
    found = access.rounds().filter(stage=stage).order_by("number", "pk")
    return found.annotate(tables_count=Count("tables"))


def round_out(round_: Any) -> schema.RoundOut:
    return schema.RoundOut(**_round_facts(round_, round_.tables_count))


def _round_facts(round_: Round, tables: int) -> dict[str, Any]:
    facts = {name: getattr(round_, name) for name in ("number", "date", "status", "visibility")}
    return facts | {"tables": tables}


def round_tables(access: Access, round_: Round) -> schema.RoundTables:
    """Return a round with its tables. Queries: 5 at most."""
    found = _settled(access, round_, round_.tables.all())
    return schema.RoundTables(
        **_round_facts(round_, len(found)),
        seating=fingerprint(seating(round_)),
        items=[table_out(result) for result in found],
    )


def table_at(access: Access, round_: Round, number: int) -> schema.TableOut:
    """Return the table of this number. Raise ``Http404`` if there is none."""
    found = _settled(access, round_, round_.tables.filter(number=number))
    if not found:
        raise Http404
    return table_out(found[0])


def _settled(access: Access, round_: Round, tables: QuerySet[Table]) -> Sequence[TableResult]:
    """Return the settled tables, without results if this audience may see the seating only."""
    found = table_results(tables, access.competition, rounds=[round_])
    hides = not access.is_staff and round_.visibility != Round.Visibility.RESULTS
    return without_results(found) if hides else found


def table_out(result: TableResult) -> schema.TableOut:
    sheet = result.sheet
    return schema.TableOut(
        number=result.table.number,
        status=result.status,
        sticks=sheet.sticks if sheet else 0,
        last_dealer=WINDS[sheet.last_dealer] if sheet else None,
        revision=result.seen,
        seats=[_seat_out(result, wind) for wind in range(4)],
    )


def _seat_out(result: TableResult, wind: int) -> schema.SeatOut:
    """Return a seat. The seats of a void sheet have points and no settlement."""
    player, absent, sheet = result.players[wind], result.instead.get(wind), result.sheet
    seat = result.seats[wind] if sheet and sheet.status != Sheet.Status.VOID else None
    return schema.SeatOut(
        wind=WINDS[wind],
        player=player.key if player else None,
        name=player.name if player else "",
        points=sheet.points[wind] if sheet else None,
        place=seat.place if seat else None,
        uma=decimal_text(seat.uma) if seat else None,
        oka=decimal_text(seat.oka) if seat else None,
        score=decimal_text(seat.score) if seat else None,
        chips=seat.chips if seat else 0,
        stands_for=absent.key if absent else None,
    )


# --- standings


def player_rows(access: Access, stage: Stage) -> list[Any]:
    rows = standings_json(stage, public=not access.is_staff)["rows"]
    return [schema.StandingsRow(**row) for row in rows]


def team_rows_out(access: Access, stage: Stage) -> list[Any]:
    found = team_standings(stage, public=not access.is_staff)
    return [schema.TeamRow(**row) for row in team_rows(found.rows)]
