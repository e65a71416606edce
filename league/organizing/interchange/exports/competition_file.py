"""Write the competition file. Importing it again gives the same standings and the same file."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q

from league.models import (
    Adjustment,
    Appointment,
    Competition,
    Entrant,
    GameLog,
    GameName,
    HandEntry,
    LineUp,
    Lots,
    Penalty,
    Proposal,
    Round,
    RuleSet,
    Seat,
    Stage,
    Table,
    TeamPenalty,
    TeamSeat,
)
from league.organizing.interchange import schema
from league.organizing.interchange.services.drafts import Progress, nobody_watches
from league.play.results.queries.games import (
    NO_SUBSTITUTE,
    SHEET,
    read_sheet,
    substitutes,
    with_facts,
)
from league.play.substitutions.queries.adjustments import add_averages
from players.models import FederationNumber
from players.text import tidy
from scoring.presets import UnknownPreset, resolve
from scoring.promotion import Movement
from scoring.units import WINDS

Ids = Mapping[int, str]  # the key of a row → the id or slug in the file


def competition_json(competition: Competition, *, progress: Progress = nobody_watches) -> str:
    return from_database(competition, progress=progress).model_dump_json(indent=1) + "\n"


def from_database(
    competition: Competition, *, progress: Progress = nobody_watches
) -> schema.CompetitionFacts:
    """Return everything in the competition, hidden rounds included. ``progress`` is called per table."""
    entrants = list(
        competition.entrants.select_related("player__club", "division")
        .prefetch_related("player__federation_numbers")
        .order_by("player_id")
    )
    ids = {entrant.player_id: entrant.key for entrant in entrants}
    divisions = competition.divisions.select_related("rule_set__own_catalogue").prefetch_related(
        "stages__rounds__sitting_out", "stages__qualified", "stages__lots__drawn"
    )
    slugs = {division.pk: division.slug for division in divisions}
    forms = {each.division: schema.RegistrationFacts.of(each) for each in competition.registrations.all()}
    stages = [stage for division in divisions for stage in division.stages.all()]
    rounds = [round_ for stage in stages for round_ in stage.rounds.all()]
    tables = _tables(competition, ids, progress)
    return schema.CompetitionFacts.from_row(
        competition,
        format=schema.FORMAT,
        version=schema.VERSION,
        previous=competition.previous.slug if competition.previous else "",
        players=[player_facts(entrant) for entrant in entrants],
        teams=[
            schema.TeamFacts.from_row(
                team, id=team.key, players=[each.key for each in entrants if each.team_id == team.pk]
            )
            for team in competition.teams.all()
        ],
        team_play=_team_play(competition, stages, rounds, ids),
        divisions=[
            schema.DivisionFacts.from_row(
                division,
                movement=Movement.from_values(division.movement),
                rules=rules_facts(division.rule_set),
                registration=forms.get(division.slug),
                stages=[_stage(stage, slugs, tables, ids) for stage in division.stages.all()],
            )
            for division in divisions
        ],
        penalties=_penalties(competition, ids),
        adjustments=_adjustments(competition, ids),
        calendar=_calendar(competition, stages, rounds, ids),
        hands=_hands(competition, ids),
        game_logs=[
            schema.GameLogFacts.from_row(
                log,
                **_place(log.table.round.stage),
                round=log.table.round.number,
                table=log.table.number,
            )
            for log in GameLog.objects.filter(competition=competition).select_related(
                "table__round__stage__division"
            )
        ],
        game_names=[
            schema.GameNameFacts.from_row(name, player=ids[name.player_id])
            for name in GameName.objects.filter(player__entrants__competition=competition)
        ],
    )


def player_facts(entrant: Entrant) -> schema.PlayerFacts:
    player = entrant.player
    numbers = {n.federation: n.number for n in player.federation_numbers.all()}
    return schema.PlayerFacts.from_row(
        player,
        id=entrant.key,
        ema_number=numbers.pop(FederationNumber.EMA, ""),
        club=tidy(player.club.name) if player.club else "",
        division=entrant.division.slug if entrant.division else None,
        federation_numbers=dict(sorted(numbers.items())),
        withdrawn=entrant.withdrawn_at is not None,
        substitute=entrant.is_substitute,
        guest=entrant.is_guest,
        previous_rank=entrant.previous_rank,
    )


def rules_facts(rule_set: RuleSet) -> schema.RulesFacts:
    """Return the values of own rules without their book, and chosen readings without their authors."""
    values = rule_set.rules.as_values()
    try:
        today = resolve(rule_set.preset).as_values()
    except UnknownPreset:  # of a later version of Umaoka: its values are all here
        today = {}
    own = rule_set.own_catalogue
    choice = schema.ReadingFacts
    return schema.RulesFacts.from_row(
        rule_set,
        overrides={name: value for name, value in values.items() if today.get(name, ...) != value},
        values=values,
        own_catalogue=own and schema.OwnCatalogueFacts.from_row(own),
        readings=[
            choice.model_construct(**{name: record[name] for name in choice.model_fields})
            for record in rule_set.readings
        ],
    )


# --- stages and tables

Tables = Mapping[int, list[schema.TableFacts]]  # by round


def _stage(stage: Stage, divisions: Ids, tables: Tables, ids: Ids) -> schema.StageFacts:
    fixed = stage.sit_out == Stage.SitOut.FIXED
    entrants = [
        schema.EntrantFacts.from_row(each, player=ids[each.player_id]) for each in stage.qualified.all()
    ]
    return schema.StageFacts.from_row(
        stage,
        beyond=None if stage.standard_hanchan is None else stage.beyond,
        sit_out_score=stage.sit_out_score if fixed else None,
        cut=_cut(stage, divisions, ids) if stage.cut else None,
        entrants=entrants if stage.cut else None,
        lots=[
            schema.LotsFacts.from_row(lots, players=_those(ids, lots.drawn_ids))
            for lots in stage.lots.all()
            if not lots.of_teams
        ],
        rounds=[
            schema.RoundFacts.from_row(
                round_,
                tables=tables.get(round_.pk, []),
                sitting_out=_sitting_out(round_, tables.get(round_.pk, []), ids),
            )
            for round_ in stage.rounds.all()
        ],
    )


def _sitting_out(round_: Round, tables: Iterable[schema.TableFacts], ids: Ids) -> list[str]:
    """Leave out players who sit for another one, or whose seat a substitute has."""
    seated = {player for table in tables for player in table.everybody}
    out = [ids[each.player_id] for each in round_.sitting_out.all()]
    return [player for player in out if player not in seated]


def _cut(stage: Stage, divisions: Ids, ids: Ids) -> schema.CutFacts:
    """Convert the JSON that ``league.ranking.stages.services`` stores."""
    cut = stage.cut
    before = {each.pk: each.slug for each in stage.division.stages.all()}
    return schema.CutFacts.model_construct(
        source=before.get(cut["from"]),
        play_off=divisions.get(cut.get("play_off")),
        decided=_decisions(schema.DecisionFacts, cut["decided"], ids),
        **{name: cut[name] for name in schema.CutFacts.columns},
        picked=_those(ids, cut["picked"]),
        gone=_those(ids, cut["gone"]),
        moved_up=_those(ids, cut["moved_up"]),
    )


def _decisions(
    kind: type[schema.DecisionFacts | schema.TeamDecisionFacts], rows: Iterable[Mapping[str, Any]], ids: Ids
) -> list[Any]:
    return [
        kind.model_construct(inside=_those(ids, d["in"]), outside=_those(ids, d["out"]), by=d["by"])
        for d in rows
    ]


def _those(ids: Ids, keys: Iterable[int]) -> list[str]:
    return [ids[key] for key in keys if key in ids]


def _tables(competition: Competition, ids: Ids, progress: Progress) -> Tables:
    """Return the tables of each round. Queries: 4."""
    rows = (
        with_facts(Table.objects.of(competition))
        .order_by("round_id", "number", "pk")
        .values_list("pk", "round_id", "number", "now__status", "now__reason", *SHEET)
    )
    instead = substitutes(Seat.objects.of(competition))
    proposals = _proposals(competition, ids)
    found: dict[int, list[schema.TableFacts]] = defaultdict(list)
    for pk, round_, number, status, reason, *facts in rows.iterator(chunk_size=5000):
        players, points, ending = read_sheet(facts)
        seats = [
            schema.SeatFacts.model_construct(wind=wind, player=ids[player], points=number, chips=won)
            for wind, player, number, won in zip(WINDS, players, points, ending.chips, strict=True)
        ]
        for namer, target in ending.sashiuma:
            seats[namer].names = WINDS[target]
        for wind, each in instead.get(pk, NO_SUBSTITUTE).items():
            seats[wind].stands_for = ids[each.stands_for]
            seats[wind].came_late, seats[wind].until_back = each.late, each.until_back
        table = schema.TableFacts.model_construct(
            number=number,
            status=status or schema.SCHEDULED,
            sticks=ending.sticks,
            seats=seats,
            last_dealer=WINDS[ending.last_dealer],
            reason=tidy(reason or ""),
            proposal=proposals.get(pk),
        )
        found[round_].append(table)
        progress(1)
    return found


def _proposals(competition: Competition, ids: Ids) -> dict[int, schema.ProposalFacts]:
    """Return table → its current proposal. Queries: 2, or 1 without any."""
    current = Proposal.objects.of(competition).current()
    return {each.table_id: _proposal(each, ids) for each in current.prefetch_related("signatures")}


def _proposal(proposal: Proposal, ids: Ids) -> schema.ProposalFacts:
    named, chips = dict(proposal.ending.sashiuma), proposal.chips
    signatures = proposal.signatures.all()
    phones = list(dict.fromkeys(each.device for each in signatures if each.device))
    return schema.ProposalFacts.from_row(
        proposal,
        points=list(proposal.points),
        last_dealer=WINDS[proposal.last_dealer],
        names=[WINDS[named[wind]] if wind in named else None for wind in range(4)] if named else [],
        chips=list(chips) if any(chips) else [],
        player=ids.get(proposal.player_id or 0),
        at=proposal.at,
        is_result=proposal.sheet_id is not None,
        signatures=[
            schema.SignatureFacts.from_row(
                each,
                wind=None if each.wind is None else WINDS[each.wind],
                player=ids.get(each.player_id or 0),
                phone=phones.index(each.device) + 1 if each.device else None,
                points=each.points,
                at=each.at,
            )
            for each in signatures
        ],
    )


# --- penalties and adjustments


def _penalties(competition: Competition, ids: Ids) -> list[schema.PenaltyFacts]:
    penalties = competition.penalties.select_related("stage__division", "round", "table")
    acts: dict[uuid.UUID, int] = {}  # by which several players were punished
    return [
        penalty_facts(
            each, ids, together=acts.setdefault(each.together, len(acts) + 1) if each.together else None
        )
        for each in penalties.order_by("pk")
    ]


def penalty_facts(penalty: Penalty, ids: Ids, *, together: int | None) -> schema.PenaltyFacts:
    """Return the facts of a penalty with its stage, round and table. ``together``: the number of its act."""
    is_declined = penalty.status == penalty.Status.DECLINED
    return schema.PenaltyFacts.from_row(
        penalty,
        player=ids[penalty.player_id],
        **_place(penalty.stage),
        round=penalty.round.number if penalty.round else None,
        table=penalty.table.number if penalty.table else None,
        infraction=penalty.infraction or None,
        level=penalty.level or None,
        revoked=tidy(penalty.revoke_reason) if penalty.revoked_at else "",
        decided=tidy(penalty.decide_reason) if is_declined else "",
        together=together,
    )


def _place(stage: Stage) -> dict[str, Any]:
    return {"division": stage.division.slug, "stage": stage.slug}


def _adjustments(competition: Competition, ids: Ids) -> list[schema.AdjustmentFacts]:
    found = Adjustment.objects.of(competition).order_by("pk")
    found = found.select_related("stage__division", "round")
    given = set(found.filter(score=None).values_list("pk", flat=True))
    return [
        schema.AdjustmentFacts.from_row(
            each,
            player=ids[each.player_id],
            score=each.score,
            average=each.pk in given,
            **_place(each.stage),
            round=each.round.number if each.round else None,
            revoked=each.revoked_at is not None,
        )
        for each in add_averages(found, public=False)
    ]


# --- teams


def _team_play(
    competition: Competition, stages: Iterable[Stage], rounds: Iterable[Round], ids: Ids
) -> schema.TeamPlayFacts:
    teams = dict(competition.teams.values_list("pk", "key"))
    penalties = TeamPenalty.objects.filter(team__competition=competition).select_related("stage__division")
    lots = Lots.objects.of(competition).select_related("stage__division")
    return schema.TeamPlayFacts.from_row(
        competition,
        mode=competition.team_play,
        rounds=_team_rounds(competition, rounds, teams, ids),
        penalties=[
            schema.TeamPenaltyFacts.from_row(
                each,
                team=teams[each.team_id],
                **_place(each.stage),
                revoked=tidy(each.revoke_reason) if each.revoked_at else "",
            )
            for each in penalties
        ],
        lots=[
            schema.TeamLotsFacts.from_row(each, **_place(each.stage), teams=_those(teams, each.drawn_ids))
            for each in lots.prefetch_related("drawn")
            if each.of_teams
        ],
        cuts=[_team_cut(stage, teams) for stage in stages if stage.team_cut],
    )


def _team_cut(stage: Stage, teams: Ids) -> schema.TeamCutFacts:
    """Convert the JSON that ``league.ranking.teams.services.cuts`` stores."""
    cut = stage.team_cut
    return schema.TeamCutFacts.model_construct(
        **_place(stage),
        top=cut["top"],
        by_hand=cut["by_hand"],
        teams=_those(teams, cut["in"]),
        decided=_decisions(schema.TeamDecisionFacts, cut["decided"], teams),
        gone=_those(teams, cut["gone"]),
        moved_up=_those(teams, cut["moved_up"]),
    )


def _team_rounds(
    competition: Competition, rounds: Iterable[Round], teams: Ids, ids: Ids
) -> list[schema.TeamRoundFacts]:
    tables: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    seats = TeamSeat.objects.filter(team__competition=competition)
    for round_, table, team in seats.values_list("round_id", "table", "team_id"):
        tables[round_][table].append(teams[team])
    named: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    line_ups = LineUp.objects.filter(team__competition=competition)
    for round_, team, player in line_ups.values_list("round_id", "team_id", "player_id"):
        named[round_][teams[team]].append(ids[player])
    return [
        schema.TeamRoundFacts.model_construct(
            **_place(each.stage),
            round=each.number,
            until=each.line_ups_until,
            tables=[
                schema.TeamTableFacts.model_construct(number=number, teams=four)
                for number, four in tables[each.pk].items()
            ],
            line_ups=[
                schema.LineUpFacts.model_construct(team=team, players=players)
                for team, players in named[each.pk].items()
            ],
        )
        for each in rounds
        if each.line_ups_until is not None or each.pk in tables or each.pk in named
    ]


# --- the calendar


def _calendar(
    competition: Competition, stages: Iterable[Stage], rounds: Iterable[Round], ids: Ids
) -> schema.CalendarFacts | None:
    calendar = schema.CalendarFacts.model_construct(
        free=[schema.OpenStageFacts.model_construct(**_place(s)) for s in stages if s.play == s.Play.OPEN],
        windows=[
            schema.WindowFacts.model_construct(**_place(each.stage), round=each.number, until=each.until)
            for each in rounds
            if each.until is not None
        ],
        tables=_times(competition, rounds, ids),
    )
    return calendar if calendar.free or calendar.windows or calendar.tables else None


def _times(competition: Competition, rounds: Iterable[Round], ids: Ids) -> list[schema.TableTimeFacts]:
    said = Appointment.objects.filter(table=OuterRef("pk"))
    tables = Table.objects.of(competition)
    tables = tables.filter(Q(meets_at__isnull=False) | Exists(said)).order_by("number", "pk")
    every = Prefetch("appointments", Appointment.objects.order_by("pk").prefetch_related("consents"))
    by_round: dict[int, list[Table]] = defaultdict(list)
    for table in tables.prefetch_related(every):
        by_round[table.round_id].append(table)
    return [
        schema.TableTimeFacts.model_construct(
            **_place(round_.stage),
            round=round_.number,
            table=table.number,
            meets_at=table.meets_at,
            said=[_said(each, ids) for each in table.appointments.all()],
        )
        for round_ in rounds
        for table in by_round[round_.pk]
    ]


def _said(appointment: Appointment, ids: Ids) -> schema.AppointmentFacts:
    consents = sorted(appointment.consents.all(), key=lambda consent: consent.pk)
    agreed, declined = (
        _those(ids, (each.player_id for each in consents if each.declined is answer))
        for answer in (False, True)
    )
    return schema.AppointmentFacts.from_row(
        appointment, at=appointment.created_at, agreed=agreed, declined=declined
    )


# --- the hands


def _hands(competition: Competition, ids: Ids) -> list[schema.TableHandsFacts]:
    entries = HandEntry.objects.of(competition)
    related = entries.select_related("table__round__stage__division")
    found: dict[int, schema.TableHandsFacts] = {}
    for each in related.order_by("table__round_id", "table__number", "table_id", "number"):
        here = found.setdefault(
            each.table_id,
            schema.TableHandsFacts.model_construct(
                **_place(each.table.round.stage),
                round=each.table.round.number,
                table=each.table.number,
                version=schema.HANDS_VERSION,
                log=[],
            ),
        )
        player = each.player_id and ids.get(each.player_id)
        here.log.append(schema.HandEntryFacts.from_row(each, player=player or None))
    return list(found.values())
