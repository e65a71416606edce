"""A whole competition from its file: written in one transaction, as a new competition or in place of one.

The dataclasses are what a competition file says, already validated (``league.imports.competition_file`` makes
them); points in points, scores in tenths, players by the ids of the file. Players of a file are new people in
the league's register: who was there before is joined to them by merging, never by guessing. Replacing keeps
the competition, its roles, its audit log, and the players and entrants whose id comes again.
"""

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from league.models import (
    Adjustment,
    Competition,
    Division,
    Entrant,
    League,
    Lots,
    OwnCatalogue,
    Penalty,
    Round,
    RuleSet,
    Seat,
    Sheet,
    Stage,
    StageEntrant,
    Table,
    Team,
)
from league.models.play import named_text
from league.services.calendar_facts import CalendarFacts, write_calendar
from league.services.changes import Change, Form, change
from league.services.competitions import create_league, free_slug
from league.services.errors import Refused
from league.services.team_facts import TeamPlayFacts, give_back, spoken_for, write_team_play
from players.models import Club, FederationNumber, Player, Register
from scoring.promotion import NO_MOVEMENT, Movement
from scoring.rules import Rules
from scoring.settlement import NORTH

CHUNK = 2000  # tables written at a time: memory stays flat, and progress is seen


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFacts:
    """``numbers`` is federation → number; ``division`` the slug in which the player is entered, or None."""

    id: str
    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    numbers: Mapping[str, str]
    division: str | None = None
    withdrawn: bool = False
    previous_rank: int | None = None
    substitute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFacts:
    id: str
    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """``players`` and ``points`` from east to north; ``points`` is None for a scheduled table."""

    number: int
    status: str
    players: tuple[str, ...]
    points: tuple[int, ...] | None = None
    sticks: int = 0
    last_dealer: int = NORTH
    sashiuma: Mapping[int, int] = field(default_factory=dict)
    reason: str = ""
    instead: Mapping[int, tuple[str, bool]] = field(default_factory=dict)

    @property
    def everybody(self) -> tuple[str, ...]:
        """Who sits there, and for whom substitutes do."""
        return (*self.players, *(absent for absent, _late in self.instead.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    number: int
    date: date | None
    status: str
    visibility: str
    tables: tuple[TableFacts, ...]
    method: str = ""
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CutFacts:
    """A cut: ``source`` is the slug of the stage before, ``numbers`` how many it asked for, ``decided`` the
    equal players who were in and out, and by what; of a play-off the address of the lower division.
    """

    source: str
    play_off: str = ""
    numbers: Mapping[str, int | str]
    picked: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    moved_up: tuple[str, ...] = ()
    decided: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QualifiedFacts:
    """Who came into a stage by its cut, in the order of their positions; the head start in tenths."""

    player: str
    how: str
    head_start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LotsFacts:
    """Players in the order in which they were drawn."""

    players: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFacts:
    slug: str
    name: str
    carry: str
    rounds: tuple[RoundFacts, ...]
    valid_hanchan: int = 0
    standard_hanchan: int | None = None
    beyond: str = Stage.Beyond.ALL.value
    sit_out: str = Stage.SitOut.NOTHING.value
    sit_out_score: int = 0
    cut: CutFacts | None = None
    entrants: tuple[QualifiedFacts, ...] = ()
    lots: tuple[LotsFacts, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingFacts:
    """Which of two texts was chosen, and its place, in what its sources contradict about these settings."""

    settings: tuple[str, ...]
    chosen: int
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueFacts:
    """A league's own book of offences: what it extends, and entries as ``scoring.infractions`` reads them."""

    name: str
    base: str
    entries: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionFacts:
    """``edition`` is that of the preset from which ``rules`` were once made. The book of offences is the
    preset's, or that of the slug ``catalogue``, or ``own_catalogue``.
    """

    slug: str
    name: str
    preset: str
    edition: str
    rules: Rules
    readings: tuple[ReadingFacts, ...] = ()
    movement: Movement = NO_MOVEMENT
    catalogue: str = ""
    own_catalogue: CatalogueFacts | None = None
    stages: tuple[StageFacts, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyFacts:
    """``score`` in tenths; ``revoked`` is the reason for which it counts no more, empty while it counts;
    ``decided`` the chief referee's for declining it. Penalties of one act share ``together``, a number.
    """

    player: str
    division: str
    stage: str
    round: int | None
    table: int | None
    score: int
    reason: str = ""
    infraction: str = ""
    level: str = ""
    revoked: str = ""
    hand: str = ""
    condition: int | None = None
    units: int = 1
    suggested: str = ""
    win_ban: bool = False
    status: str = Penalty.Status.IN_FORCE
    decided: str = ""
    together: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentFacts:
    """``score`` in tenths, for a ``round`` of the stage that the player did not play (None: for none)."""

    player: str
    division: str
    stage: str
    round: int | None
    kind: str
    score: int
    reason: str = ""
    revoked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionFacts:
    slug: str
    name: str
    timezone: str
    kind: str
    visibility: str
    counting: str
    tie_breaks: tuple[str, ...]
    suggest_fourth: bool
    players: tuple[PlayerFacts, ...]
    teams: tuple[TeamFacts, ...]
    divisions: tuple[DivisionFacts, ...]
    penalties: tuple[PenaltyFacts, ...]
    adjustments: tuple[AdjustmentFacts, ...] = ()
    team_play: TeamPlayFacts | None = None
    calendar: CalendarFacts = field(default_factory=CalendarFacts)
    refereeing: Mapping[str, str] = field(default_factory=dict)  # the competition's settings that it names
    previous: str = ""  # the address of the season before

    @property
    def counts(self) -> dict[str, int]:
        """How much of what: for the audit log and for the sentence after the import."""
        tables = [table for _, _, round_ in self.rounds() for table in round_.tables]
        return {
            "players": len(self.players),
            "rounds": sum(1 for _ in self.rounds()),
            "tables": len(tables),
            "sheets": sum(table.points is not None for table in tables),
            "penalties": len(self.penalties),
        }

    def rounds(self) -> Iterator[tuple[DivisionFacts, StageFacts, RoundFacts]]:
        """Every round with the division and stage that it belongs to."""
        for division in self.divisions:
            for stage in division.stages:
                for round_ in stage.rounds:
                    yield division, stage, round_


Progress = Callable[[int], object]  # called with the number of tables just written


def import_competition(
    *,
    facts: CompetitionFacts,
    league: League | None,
    by: User | None,
    replace: bool = False,
    form: Form | None = None,
    at: datetime | None = None,
    progress: Progress | None = None,
) -> Competition:
    """Write the competition into ``league``, or into a new league of its name, which ``by`` then owns.

    Raises ``Refused`` when its address is taken and ``replace`` is not said, or when it is taken in another
    league; ``AlreadyDone`` when ``form`` came before. Nothing is kept of an import that fails.
    """
    with transaction.atomic():
        if league is not None:
            # Two imports of one file into a league come one after the other: the second finds the first.
            league = League.objects.select_for_update().get(pk=league.pk)
        existing = Competition.objects.select_related("league").filter(slug=facts.slug).first()
        competition = existing or _empty(facts, league or _league_for(facts, by=by))
        with change(competition, by=by, form=form, at=at) as done:
            if existing is not None:
                check_replaceable(existing, league=league, replace=replace)
            captains = spoken_for(done.competition)
            before = _clear(done.competition) if existing else None
            _write(done, facts, progress or nobody_watches)
            give_back(done.competition, captains)
            done.log(
                "competition.replace" if existing else "competition.import",
                f"competition:{competition.pk}",
                before=before,
                after={"slug": facts.slug, **facts.counts},
            )
            done.answer = {"competition": competition.pk}
        return done.competition


def check_replaceable(existing: Competition, *, league: League | None, replace: bool) -> None:
    """Raise ``Refused`` unless the file may take the place of ``existing``."""
    if league is not None and existing.league_id != league.pk:
        raise Refused(
            _(
                "“%(slug)s” is the address of a competition of another league."
                " Write another slug into the file."
            )
            % {"slug": existing.slug},
            field="file",
        )
    if not replace:
        raise Refused(
            _(
                "“%(slug)s” exists already. Choose to replace it, or write another slug into the file"
                " to keep both."
            )
            % {"slug": existing.slug},
            field="replace",
        )


def nobody_watches(count: int) -> None:
    """The ``Progress`` of work without a progress bar."""


def _league_for(facts: CompetitionFacts, *, by: User | None) -> League:
    taken = set(League.objects.values_list("slug", flat=True))
    return create_league(name=facts.name, slug=free_slug(facts.slug.lower(), taken, fallback="league"), by=by)


def _empty(facts: CompetitionFacts, league: League) -> Competition:
    try:
        with transaction.atomic():
            return Competition.objects.create(league=league, slug=facts.slug, name=facts.name)
    except IntegrityError as error:
        # Somebody made it between our look and our write.
        raise Refused(_("Another competition has this address. Choose another one."), field="file") from error


def _clear(competition: Competition) -> dict[str, object]:
    """Remove what the file will say again; returns how much it was.

    Children go before their parents: otherwise Django fetches every row to cascade.
    """
    rounds = Round.objects.filter(stage__division__competition=competition)
    tables = Table.objects.filter(round__stage__division__competition=competition)
    sheets = Sheet.objects.filter(table__round__stage__division__competition=competition)
    before: dict[str, object] = {
        "revision": competition.revision,
        "players": competition.entrants.count(),
        "rounds": rounds.count(),
        "tables": tables.count(),
        "sheets": sheets.filter(is_current=True).count(),
        "penalties": competition.penalties.count(),
    }
    rule_sets = list(competition.divisions.values_list("rule_set", flat=True))
    competition.penalties.all().delete()
    Adjustment.objects.filter(stage__division__competition=competition).delete()
    sheets.delete()
    Seat.objects.filter(round__stage__division__competition=competition).delete()
    tables.delete()
    competition.divisions.all().delete()
    competition.teams.all().delete()
    RuleSet.objects.filter(pk__in=rule_sets, book=None, divisions=None).delete()
    return before


def _write(done: Change, facts: CompetitionFacts, progress: Progress) -> None:
    competition = done.competition
    competition.name, competition.timezone = facts.name, facts.timezone
    competition.kind, competition.visibility = facts.kind, facts.visibility
    competition.counting, competition.suggest_fourth = facts.counting, facts.suggest_fourth
    competition.tie_breaks = list(facts.tie_breaks)
    for name, value in facts.refereeing.items():  # an older file says nothing: nothing is shown that was not
        setattr(competition, name, value)
    _set_previous(competition, facts.previous)
    competition.save()
    divisions = _write_divisions(done, facts.divisions)
    players = _write_people(done, facts, divisions)
    stages = _write_stages(divisions, facts.divisions)
    _write_cuts(done, facts.divisions, stages, players)
    rounds = _write_rounds(stages, facts)
    tables = _write_tables(done, facts, rounds, players, progress)
    _write_penalties(done, facts.penalties, stages, rounds, tables, players)
    _write_adjustments(done, facts.adjustments, stages, rounds, players)
    write_team_play(done, facts.team_play, stages, rounds, players)
    write_calendar(done, facts.calendar, stages, rounds, players)


# --- divisions, stages, rounds ------------------------------------------------------------------------------

StageKey = tuple[str, str]  # slugs of division and stage
RoundKey = tuple[str, str, int]
TableKey = tuple[str, str, int, int]


def _write_divisions(done: Change, divisions: Sequence[DivisionFacts]) -> dict[str, Division]:
    """Each division with a copy of its rules: the import is when they were chosen, as far as we know."""
    made = {}
    for position, facts in enumerate(divisions, 1):
        rule_set = RuleSet.objects.create(
            preset=facts.preset,
            edition=facts.edition,
            values=facts.rules.as_values(),
            readings=[_record(reading, done) for reading in facts.readings],
            catalogue=facts.catalogue,
            own_catalogue=_own_catalogue(done, facts.own_catalogue),
            created_by=done.by,
            created_at=done.at,
        )
        made[facts.slug] = Division.objects.create(
            competition=done.competition,
            slug=facts.slug,
            name=facts.name,
            position=position,
            rule_set=rule_set,
            movement=facts.movement.as_values(),
        )
    return made


def _own_catalogue(done: Change, facts: CatalogueFacts | None) -> OwnCatalogue | None:
    """The league's catalogue that says this, whatever it is called; else a new one."""
    if facts is None:
        return None
    entries = [dict(entry) for entry in facts.entries]
    league = done.competition.league_id
    there = OwnCatalogue.objects.filter(league=league)
    for own in there.filter(base=facts.base):
        if own.entries == entries:
            return own
    names = set(there.values_list("name", flat=True))
    numbered = (facts.name if n == 1 else f"{facts.name} ({n})" for n in range(1, len(names) + 2))
    return OwnCatalogue.objects.create(
        league_id=league,
        name=next(name for name in numbered if name not in names),
        slug=free_slug(facts.name, set(there.values_list("slug", flat=True)), fallback="offences"),
        base=facts.base,
        entries=entries,
        created_by=done.by,
    )


def _record(reading: ReadingFacts, done: Change) -> dict[str, object]:
    """As ``league.readings`` keeps it."""
    return {
        "settings": list(reading.settings),
        "chosen": reading.chosen,
        "place": reading.place,
        "by": done.by.pk if done.by else None,
        "at": done.at.isoformat(),
    }


def _write_stages(made: Mapping[str, Division], divisions: Sequence[DivisionFacts]) -> dict[StageKey, Stage]:
    return {
        (division.slug, stage.slug): Stage.objects.create(
            division=made[division.slug],
            slug=stage.slug,
            name=stage.name,
            position=position,
            carry=stage.carry,
            sit_out=stage.sit_out,
            sit_out_score=stage.sit_out_score,
            valid_hanchan=stage.valid_hanchan,
            standard_hanchan=stage.standard_hanchan,
            beyond=stage.beyond,
        )
        for division in divisions
        for position, stage in enumerate(division.stages, 1)
    }


def _write_cuts(
    done: Change,
    divisions: Sequence[DivisionFacts],
    stages: Mapping[StageKey, Stage],
    players: Mapping[str, Player],
) -> None:
    """Who came into which stage, and the lots."""
    for division in divisions:
        for facts in division.stages:
            stage = stages[division.slug, facts.slug]
            if facts.cut is not None:
                stage.cut = _cut(facts.cut, stages[division.slug, facts.cut.source].pk, players)
                stage.cut |= _play_off(facts.cut, stages)
                stage.save(update_fields=["cut"])
            StageEntrant.objects.bulk_create(
                StageEntrant(
                    stage=stage,
                    player=players[each.player],
                    position=position,
                    head_start=each.head_start,
                    how=each.how,
                )
                for position, each in enumerate(facts.entrants, 1)
            )
            Lots.objects.bulk_create(
                Lots(stage=stage, players=_ids(each.players, players), seed=each.seed, by=done.by, at=done.at)
                for each in facts.lots
            )


def _cut(facts: CutFacts, source: int, players: Mapping[str, Player]) -> dict[str, object]:
    """As ``league.services.stages`` keeps it."""
    decided = [
        {"in": _ids(inside, players), "out": _ids(outside, players), "by": by}
        for inside, outside, by in facts.decided
    ]
    return {
        "from": source,
        **facts.numbers,
        "picked": _ids(facts.picked, players),
        "decided": decided,
        "gone": _ids(facts.gone, players),
        "moved_up": _ids(facts.moved_up, players),
    }


def _set_previous(competition: Competition, slug: str) -> None:
    """The season before, if it is one of the same league that is here."""
    same_league = Competition.objects.filter(league=competition.league_id).exclude(pk=competition.pk)
    competition.previous = same_league.filter(slug=slug).first() if slug else None


def _play_off(facts: CutFacts, stages: Mapping[StageKey, Stage]) -> dict[str, object]:
    """The lower division of a play-off, as ``league.services.seasons`` keeps it."""
    lower = (stage.division_id for (division, _), stage in stages.items() if division == facts.play_off)
    return {"play_off": next(lower)} if facts.play_off else {}


def _ids(keys: Iterable[str], players: Mapping[str, Player]) -> list[int]:
    return [players[key].pk for key in keys]


def _write_rounds(stages: Mapping[StageKey, Stage], facts: CompetitionFacts) -> dict[RoundKey, Round]:
    made = {
        (division.slug, stage.slug, round_.number): Round(
            stage=stages[division.slug, stage.slug],
            number=round_.number,
            date=round_.date,
            status=round_.status,
            visibility=round_.visibility,
            method=round_.method,
            seed=round_.seed,
        )
        for division, stage, round_ in facts.rounds()
    }
    Round.objects.bulk_create(made.values(), batch_size=CHUNK)
    return made


# --- people -------------------------------------------------------------------------------------------------


def _write_people(
    done: Change, facts: CompetitionFacts, divisions: Mapping[str, Division]
) -> dict[str, Player]:
    """The file's players, by id, entered and in their teams. Ids from before keep person and entry."""
    register = done.competition.league.register
    teams = _write_teams(done.competition, facts.teams)
    entered = {e.key: e for e in done.competition.entrants.select_related("player")}
    clubs = _clubs(register, {p.club for p in facts.players} - {""})
    kept = {key: entrant.player for key, entrant in entered.items()}
    people = _write_players(register, facts.players, kept, clubs)
    done.competition.entrants.exclude(key__in=people).delete()
    for player in facts.players:
        entrant = entered.get(player.id) or Entrant(competition=done.competition, key=player.id)
        entrant.player, entrant.team = people[player.id], teams.get(player.id)
        entrant.division = divisions[player.division] if player.division else None
        entrant.withdrawn_at = (entrant.withdrawn_at or done.at) if player.withdrawn else None
        entrant.previous_rank = player.previous_rank
        entrant.is_substitute = player.substitute
        entered[player.id] = entrant
    named = [entered[player.id] for player in facts.players]
    Entrant.objects.bulk_create([e for e in named if e.pk is None], batch_size=CHUNK)
    Entrant.objects.bulk_update(
        [e for e in named if e.pk is not None],
        ["division", "team", "withdrawn_at", "previous_rank", "is_substitute"],
        batch_size=500,
    )
    return people


def _write_teams(competition: Competition, teams: Iterable[TeamFacts]) -> dict[str, Team]:
    """The team of each player that has one."""
    of: dict[str, Team] = {}
    for facts in teams:
        team = Team.objects.create(competition=competition, key=facts.id, name=facts.name)
        of |= dict.fromkeys(facts.players, team)
    return of


def _clubs(register: Register, names: set[str]) -> dict[str, Club]:
    known = {club.name: club for club in Club.objects.filter(register=register, name__in=names)}
    made = [Club(register=register, name=name) for name in sorted(names - known.keys())]
    Club.objects.bulk_create(made)
    return known | {club.name: club for club in made}


def _write_players(
    register: Register,
    players: Sequence[PlayerFacts],
    kept: Mapping[str, Player],
    clubs: Mapping[str, Club],
) -> dict[str, Player]:
    people = {}
    for facts in players:
        player = kept.get(facts.id) or Player(register=register)
        player.name, player.romanized, player.country = facts.name, facts.romanized, facts.country
        player.club = clubs.get(facts.club)
        people[facts.id] = player
    old = [player for player in people.values() if player.pk]
    # New players get their numbers in the order of the file: players who are equal in everything stand in it.
    Player.objects.bulk_create([p for p in people.values() if not p.pk], batch_size=CHUNK)
    Player.objects.bulk_update(old, ["name", "romanized", "country", "club"], batch_size=500)
    FederationNumber.objects.filter(player__in=[player.pk for player in old]).delete()
    FederationNumber.objects.bulk_create(
        [
            FederationNumber(player=people[facts.id], federation=federation, number=number)
            for facts in players
            for federation, number in facts.numbers.items()
        ],
        batch_size=CHUNK,
    )
    return people


# --- tables and penalties -----------------------------------------------------------------------------------


def _write_tables(
    done: Change,
    facts: CompetitionFacts,
    rounds: Mapping[RoundKey, Round],
    players: Mapping[str, Player],
    progress: Progress,
) -> dict[TableKey, Table]:
    """All tables with seats and sheets; returns those that penalties name."""
    named = {(p.division, p.stage, p.round, p.table) for p in facts.penalties if p.table is not None}
    wanted: dict[TableKey, Table] = {}
    every = (
        (division, (division.slug, stage.slug, round_.number), table)
        for division, stage, round_ in facts.rounds()
        for table in round_.tables
    )
    while chunk := list(islice(every, CHUNK)):
        made = Table.objects.bulk_create(
            Table(round=rounds[where], number=table.number) for _, where, table in chunk
        )
        placed = [(row, *each) for row, each in zip(made, chunk, strict=True)]
        Seat.objects.bulk_create(
            Seat(
                table=row,
                round_id=row.round_id,
                wind=wind,
                player=players[player],
                **_instead(table, wind, players),
            )
            for row, _, _, table in placed
            for wind, player in enumerate(table.players)
        )
        Sheet.objects.bulk_create(
            _sheet(done, row, table, division.rules)
            for row, division, _, table in placed
            if table.points is not None
        )
        wanted |= {(*where, t.number): row for row, _, where, t in placed if (*where, t.number) in named}
        progress(len(chunk))
    return wanted


def _instead(table: TableFacts, wind: int, players: Mapping[str, Player]) -> dict[str, Any]:
    absent, late = table.instead.get(wind, ("", False))
    return {"stands_for": players[absent], "came_late": late} if absent else {}


def _sheet(done: Change, row: Table, table: TableFacts, rules: Rules) -> Sheet:
    east, south, west, north = table.points or ()
    return Sheet(
        table=row,
        version=1,
        status=table.status,
        east=east,
        south=south,
        west=west,
        north=north,
        sticks=table.sticks,
        last_dealer=table.last_dealer,
        named=named_text(table.sashiuma),
        total=rules.total_points,
        reason=table.reason,
        entered_by=done.by,
        entered_at=done.at,
        confirmed_at=done.at if table.status == Sheet.Status.CONFIRMED else None,
    )


def _write_penalties(
    done: Change,
    penalties: Sequence[PenaltyFacts],
    stages: Mapping[StageKey, Stage],
    rounds: Mapping[RoundKey, Round],
    tables: Mapping[TableKey, Table],
    players: Mapping[str, Player],
) -> None:
    rows = []
    acts: dict[int, uuid.UUID] = defaultdict(uuid.uuid4)
    for facts in penalties:
        declined = facts.status == Penalty.Status.DECLINED
        stage = (facts.division, facts.stage)
        round_ = None if facts.round is None else (*stage, facts.round)
        table = None if round_ is None or facts.table is None else (*round_, facts.table)
        rows.append(
            Penalty(
                competition=done.competition,
                stage=stages[stage],
                round=rounds[round_] if round_ else None,
                table=tables[table] if table else None,
                player=players[facts.player],
                infraction=facts.infraction,
                level=facts.level,
                score=facts.score,
                reason=facts.reason,
                logged_by=done.by,
                logged_at=done.at,
                revoked_by=done.by if facts.revoked else None,
                revoked_at=done.at if facts.revoked else None,
                revoke_reason=facts.revoked,
                hand=facts.hand,
                condition=facts.condition,
                units=facts.units,
                suggested=facts.suggested,
                win_ban=facts.win_ban,
                status=facts.status,
                decided_by=done.by if declined else None,
                decided_at=done.at if declined else None,
                decide_reason=facts.decided if declined else "",
                together=None if facts.together is None else acts[facts.together],
            )
        )
    Penalty.objects.bulk_create(rows, batch_size=CHUNK)


def _write_adjustments(
    done: Change,
    adjustments: Iterable[AdjustmentFacts],
    stages: Mapping[StageKey, Stage],
    rounds: Mapping[RoundKey, Round],
    players: Mapping[str, Player],
) -> None:
    Adjustment.objects.bulk_create(
        Adjustment(
            stage=stages[facts.division, facts.stage],
            round=None if facts.round is None else rounds[facts.division, facts.stage, facts.round],
            player=players[facts.player],
            kind=facts.kind,
            score=facts.score,
            reason=facts.reason,
            by=done.by,
            at=done.at,
            revoked_at=done.at if facts.revoked else None,
        )
        for facts in adjustments
    )
