"""What a competition file says, written into a competition that has none of it yet, part after part."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from league.core.changes import Change
from league.core.slugs import free_slug
from league.interchange import schema
from league.models import (
    Adjustment,
    Appointment,
    Competition,
    Consent,
    Division,
    Entrant,
    LineUp,
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
    TeamPenalty,
    TeamSeat,
)
from league.models.play import named_text
from league.stages.services import keep_lots
from players.models import Club, FederationNumber, Player
from scoring.rules import Rules
from scoring.units import WINDS

CHUNK = 2000  # rows written at a time: memory stays flat, and progress is seen

Progress = Callable[[int], object]  # called with the number of tables just written


def nobody_watches(count: int) -> None:
    """The ``Progress`` of work without a progress bar."""


class Writer:
    """Writes ``facts`` in the open change; what is written already is found by what the file calls it."""

    def __init__(self, done: Change, facts: schema.CompetitionFacts, progress: Progress) -> None:
        self.done, self.facts, self.progress = done, facts, progress
        self.competition = done.competition
        self.made = {"created_by": done.by, "created_at": done.at}
        self.divisions: dict[str, Division] = {}
        self.stages: dict[schema.StageKey, Stage] = {}
        self.rounds: dict[schema.RoundKey, Round] = {}
        self.tables: dict[schema.TableKey, Table] = {}  # those that something else in the file names
        self.players: dict[str, Player] = {}
        self.teams: dict[str, Team] = {}

    def write(self) -> None:
        self._write_settings()
        self._write_divisions()
        self._write_people()
        self._write_cuts()  # a play-off names a lower division: all of them are there
        self._write_tables()
        self._write_penalties()
        self._write_team_play()
        self._write_calendar()

    # --- the competition, its divisions and stages

    def _write_settings(self) -> None:
        """An older file does not name every setting: those stay as they are."""
        for name, value in self.facts.as_columns().items():
            if value is not None:
                setattr(self.competition, name, value)
        if play := self.facts.team_play:
            self.competition.team_play = play.mode
            self.competition.least_hanchan, self.competition.most_hanchan = (
                play.least_hanchan,
                play.most_hanchan,
            )
        # The season before, if it is one of the same league that is here.
        others = Competition.objects.filter(league=self.competition.league_id).exclude(pk=self.competition.pk)
        self.competition.previous = others.filter(slug=self.facts.previous).first()
        self.competition.save()

    def _write_divisions(self) -> None:
        """Each division with a copy of its rules: the import is when they were chosen, as far as we know."""
        for position, facts in enumerate(self.facts.divisions, 1):
            rules = facts.rules
            rule_set = RuleSet.objects.create(
                **rules.as_columns(),
                values=rules.resolved.as_values(),
                readings=[self._make_source_choice(choice) for choice in rules.readings],
                own_catalogue=self._find_catalogue(rules.own_catalogue),
                **self.made,
            )
            division = Division.objects.create(
                competition=self.competition,
                **facts.as_columns(),
                position=position,
                rule_set=rule_set,
                movement=facts.movement.as_values(),
            )
            self.divisions[facts.slug] = division
            for number, stage in enumerate(facts.stages, 1):
                self._write_stage(division, number, stage)

    def _make_source_choice(self, facts: schema.SourceChoiceFacts) -> dict[str, object]:
        """As ``league.rule_sets.source_choices`` keeps it."""
        by = self.done.by.pk if self.done.by else None
        return {**facts.model_dump(), "by": by, "at": self.done.at.isoformat()}

    def _find_catalogue(self, facts: schema.OwnCatalogueFacts | None) -> OwnCatalogue | None:
        """The league's catalogue that says this, whatever it is called; else a new one."""
        if facts is None:
            return None
        league = self.competition.league_id
        there = OwnCatalogue.objects.filter(league=league)
        for own in there.filter(base=facts.base):
            if own.entries == facts.kept:
                return own
        names = set(there.values_list("name", flat=True))
        numbered = (facts.name if n == 1 else f"{facts.name} ({n})" for n in range(1, len(names) + 2))
        return OwnCatalogue.objects.create(
            league_id=league,
            name=next(name for name in numbered if name not in names),
            slug=free_slug(facts.name, set(there.values_list("slug", flat=True)), fallback="offences"),
            base=facts.base,
            entries=facts.kept,
            created_by=self.done.by,
        )

    def _write_stage(self, division: Division, position: int, facts: schema.StageFacts) -> None:
        key = division.slug, facts.slug
        self.stages[key] = Stage.objects.create(
            division=division,
            **facts.as_columns(),
            position=position,
            beyond=facts.beyond or Stage.Beyond.ALL,
            sit_out_score=facts.sit_out_score or 0,
        )
        self.rounds |= {
            (*key, round_.number): Round(stage=self.stages[key], **round_.as_columns())
            for round_ in facts.rounds
        }

    def _write_cuts(self) -> None:
        """Who came into which stage, and the lots."""
        for division in self.facts.divisions:
            for facts in division.stages:
                stage = self.stages[division.slug, facts.slug]
                if facts.cut is not None:
                    stage.cut = self._make_cut(facts.cut, division.slug)
                    stage.save(update_fields=["cut"])
                StageEntrant.objects.bulk_create(
                    StageEntrant(
                        stage=stage, player=self.players[each.player], position=position, **each.as_columns()
                    )
                    for position, each in enumerate(facts.entrants or [], 1)
                )
                for lots in facts.lots:
                    keep_lots(self.done, stage, _keys(lots.players, self.players), lots.seed)

    def _make_cut(self, facts: schema.CutFacts, division: str) -> dict[str, object]:
        """As ``league.stages.services`` and, of a play-off, ``league.seasons.services`` keep it."""
        play_off = {"play_off": self.divisions[facts.play_off].pk} if facts.play_off else {}
        return {
            "from": self.stages[division, facts.source].pk,
            **facts.as_columns(),
            "picked": _keys(facts.picked, self.players),
            "decided": _make_decisions(facts.decided, self.players),
            "gone": _keys(facts.gone, self.players),
            "moved_up": _keys(facts.moved_up, self.players),
            **play_off,
        }

    # --- people

    def _write_people(self) -> None:
        """The file's players, entered and in their teams. Ids from before keep person and entry."""
        team_of: dict[str, Team] = {}
        for facts in self.facts.teams:
            team = Team.objects.create(competition=self.competition, key=facts.id, name=facts.name)
            self.teams[facts.id] = team
            team_of |= dict.fromkeys(facts.players, team)
        entered = {e.key: e for e in self.competition.entrants.select_related("player")}
        self._write_players({key: entrant.player for key, entrant in entered.items()})
        self.competition.entrants.exclude(key__in=self.players).delete()
        entrants = []
        for player in self.facts.players:
            entrant = entered.get(player.id) or Entrant(competition=self.competition, key=player.id)
            entrant.player, entrant.team = self.players[player.id], team_of.get(player.id)
            entrant.division = self.divisions[player.division] if player.division else None
            entrant.withdrawn_at = (entrant.withdrawn_at or self.done.at) if player.withdrawn else None
            entrant.previous_rank, entrant.is_substitute = player.previous_rank, player.substitute
            entrants.append(entrant)
        _save(Entrant, entrants, ["division", "team", "withdrawn_at", "previous_rank", "is_substitute"])

    def _write_players(self, kept: Mapping[str, Player]) -> None:
        register = self.competition.league.register
        names = {facts.club for facts in self.facts.players} - {""}
        clubs = {club.name: club for club in Club.objects.filter(register=register, name__in=names)}
        new = [Club(register=register, name=name) for name in sorted(names - clubs.keys())]
        clubs |= {club.name: club for club in Club.objects.bulk_create(new)}
        for facts in self.facts.players:
            player = self.players[facts.id] = kept.get(facts.id) or Player(register=register)
            for name, value in facts.as_columns().items():
                setattr(player, name, value)
            player.club = clubs.get(facts.club)
        there = [player.pk for player in self.players.values() if player.pk]
        FederationNumber.objects.filter(player__in=there).delete()
        # New players get their keys in the order of the file, which decides between equals.
        _save(Player, self.players.values(), ["name", "romanized", "country", "club"])
        FederationNumber.objects.bulk_create(
            [
                FederationNumber(player=self.players[facts.id], federation=federation, number=number)
                for facts in self.facts.players
                for federation, number in facts.numbers.items()
            ],
            batch_size=CHUNK,
        )

    # --- rounds and tables

    def _write_tables(self) -> None:
        """All tables with seats and sheets, in chunks."""
        Round.objects.bulk_create(self.rounds.values(), batch_size=CHUNK)
        named = {penalty.at_table for penalty in self.facts.penalties}
        named |= {time.at_table for time in self.facts.calendar.tables} if self.facts.calendar else set()
        every = (
            (rules, (*where, round_.number), table)
            for where, rules, round_ in self.facts.rounds()
            for table in round_.tables
        )
        while chunk := list(islice(every, CHUNK)):
            rows = Table.objects.bulk_create(
                Table(round=self.rounds[where], number=table.number) for _, where, table in chunk
            )
            placed = [(row, *each) for row, each in zip(rows, chunk, strict=True)]
            Seat.objects.bulk_create(
                self._make_seat(row, wind, seat)
                for row, _, _, table in placed
                for wind, seat in enumerate(table.by_wind)
            )
            Sheet.objects.bulk_create(
                self._make_sheet(row, table, rules)
                for row, rules, _, table in placed
                if table.status != schema.SCHEDULED
            )
            for row, _, where, table in placed:
                if (key := (*where, table.number)) in named:
                    self.tables[key] = row
            self.progress(len(chunk))

    def _make_seat(self, table: Table, wind: int, facts: schema.SeatFacts) -> Seat:
        instead: dict[str, Any] = {}
        if facts.stands_for:
            instead = {"stands_for": self.players[facts.stands_for], **facts.as_columns()}
        player = self.players[facts.player]
        return Seat(table=table, round_id=table.round_id, wind=wind, player=player, **instead)

    def _make_sheet(self, row: Table, table: schema.TableFacts, rules: Rules) -> Sheet:
        points = {seat.wind: seat.points for seat in table.seats}
        sashiuma = {wind: WINDS.index(seat.names) for wind, seat in enumerate(table.by_wind) if seat.names}
        return Sheet(
            table=row,
            version=1,
            **points,
            **table.as_columns(),
            last_dealer=WINDS.index(table.last_dealer),
            named=named_text(sashiuma),
            total=rules.total_points,
            entered_by=self.done.by,
            entered_at=self.done.at,
            confirmed_at=self.done.at if table.status == Sheet.Status.CONFIRMED else None,
        )

    # --- penalties and adjustments

    def _write_penalties(self) -> None:
        acts: dict[int, uuid.UUID] = defaultdict(uuid.uuid4)
        rows = []
        for facts in self.facts.penalties:
            declined = facts.status == Penalty.Status.DECLINED
            rows.append(
                Penalty(
                    competition=self.competition,
                    stage=self.stages[facts.in_stage],
                    round=self.rounds[facts.in_round] if facts.in_round else None,
                    table=self.tables[facts.at_table] if facts.at_table else None,
                    player=self.players[facts.player],
                    **facts.as_columns(),
                    infraction=facts.infraction or "",
                    level=facts.level or "",
                    **self._revoke(facts.revoked),
                    decided_by=self.done.by if declined else None,
                    decided_at=self.done.at if declined else None,
                    decide_reason=facts.decided if declined else "",
                    together=None if facts.together is None else acts[facts.together],
                    **self.made,
                )
            )
        Penalty.objects.bulk_create(rows, batch_size=CHUNK)
        Adjustment.objects.bulk_create(
            Adjustment(
                stage=self.stages[facts.in_stage],
                round=self.rounds[facts.in_round] if facts.in_round else None,
                player=self.players[facts.player],
                **facts.as_columns(),
                revoked_at=self.done.at if facts.revoked else None,
                **self.made,
            )
            for facts in self.facts.adjustments
        )

    def _revoke(self, reason: str) -> dict[str, Any]:
        by, at = (self.done.by, self.done.at) if reason else (None, None)
        return {"revoked_by": by, "revoked_at": at, "revoke_reason": reason}

    # --- teams

    def _write_team_play(self) -> None:
        play = self.facts.team_play
        if play is None:
            return
        for each in play.rounds:
            self._write_team_round(each, self.rounds[each.in_round])
        TeamPenalty.objects.bulk_create(
            TeamPenalty(
                team=self.teams[each.team],
                stage=self.stages[each.in_stage],
                **each.as_columns(),
                **self._revoke(each.revoked),
                **self.made,
            )
            for each in play.penalties
        )
        for lots in play.lots:
            stage, order = self.stages[lots.in_stage], _keys(lots.teams, self.teams)
            keep_lots(self.done, stage, order, lots.seed, of_teams=True)
        for cut in play.cuts:
            stage = self.stages[cut.in_stage]
            stage.team_cut = self._make_team_cut(cut)
            stage.save(update_fields=["team_cut"])

    def _write_team_round(self, facts: schema.TeamRoundFacts, round_: Round) -> None:
        if facts.until is not None:
            round_.line_ups_until = facts.until
            round_.save(update_fields=["line_ups_until"])
        TeamSeat.objects.bulk_create(
            TeamSeat(round=round_, table=table.number, wind=wind, team=self.teams[team])
            for table in facts.tables
            for wind, team in enumerate(table.teams)
        )
        LineUp.objects.bulk_create(
            LineUp(round=round_, team=self.teams[each.team], player=self.players[player], **self.made)
            for each in facts.line_ups
            for player in each.players
        )

    def _make_team_cut(self, facts: schema.TeamCutFacts) -> dict[str, object]:
        """As ``league.teams.services.cuts`` keeps it."""
        return {
            "top": facts.top,
            "by_hand": facts.by_hand,
            "in": _keys(facts.teams, self.teams),
            "decided": _make_decisions(facts.decided, self.teams),
            "gone": _keys(facts.gone, self.teams),
            "moved_up": _keys(facts.moved_up, self.teams),
        }

    # --- the calendar

    def _write_calendar(self) -> None:
        calendar = self.facts.calendar
        if calendar is None:
            return
        free = [self.stages[each.in_stage].pk for each in calendar.free]
        Stage.objects.filter(pk__in=free).update(play=Stage.Play.OPEN)
        for window in calendar.windows:
            self.rounds[window.in_round].until = window.until
        rounds = [self.rounds[window.in_round] for window in calendar.windows]
        Round.objects.bulk_update(rounds, ["until"], batch_size=500)
        for time in calendar.tables:
            self.tables[time.at_table].meets_at = time.meets_at
        tables = [self.tables[time.at_table] for time in calendar.tables]
        Table.objects.bulk_update(tables, ["meets_at"], batch_size=500)
        every = [(self.tables[time.at_table], said) for time in calendar.tables for said in time.said]
        appointments = Appointment.objects.bulk_create(
            Appointment(table=table, **said.as_columns(), created_by=self.done.by, created_at=said.at)
            for table, said in every
        )
        Consent.objects.bulk_create(
            Consent(appointment=appointment, player=self.players[player], created_at=said.at)
            for appointment, (_table, said) in zip(appointments, every, strict=True)
            for player in said.agreed
        )


def _save(model: type[Player] | type[Entrant], rows: Iterable[Any], fields: list[str]) -> None:
    """Make the rows that are new; change these fields of the others."""
    rows = list(rows)
    model.objects.bulk_create([row for row in rows if row.pk is None], batch_size=CHUNK)
    model.objects.bulk_update([row for row in rows if row.pk is not None], fields, batch_size=500)


def _keys(ids: Iterable[str], rows: Mapping[str, Player] | Mapping[str, Team]) -> list[int]:
    return [rows[each].pk for each in dict.fromkeys(ids)]


def _make_decisions(
    facts: Iterable[schema.DecisionFacts | schema.TeamDecisionFacts],
    rows: Mapping[str, Player] | Mapping[str, Team],
) -> list[dict[str, object]]:
    return [
        {"in": _keys(each.inside, rows), "out": _keys(each.outside, rows), "by": each.by} for each in facts
    ]
