"""Write a competition file into a draft, in short transactions."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar

from django.db.models import Model

from league.core.changes import Change
from league.core.slugs import free_slug
from league.models import (
    Adjustment,
    Appointment,
    Competition,
    Consent,
    Division,
    Entrant,
    GameLog,
    GameName,
    HandEntry,
    LineUp,
    OwnCatalogue,
    Penalty,
    Proposal,
    Registration,
    Round,
    RuleSet,
    Seat,
    Sheet,
    Signature,
    SittingOut,
    Stage,
    StageEntrant,
    Table,
    Team,
    TeamPenalty,
    TeamSeat,
)
from league.models.play import named_text
from league.organizing.interchange import schema
from league.organizing.interchange.schema.kinds import NAME
from league.organizing.interchange.services.drafts import Draft
from league.people.register.services import PlayerValues, change_everywhere, values_of, write_players
from league.ranking.stages.services import keep_lots
from players.matching import exact_key
from players.models import Club, FederationNumber, Player
from scoring.hand_log import read_kept_log
from scoring.rules import Rules
from scoring.settlement import NO_CHIPS
from scoring.units import WINDS

Row = TypeVar("Row", bound=Model)
CHUNK = 125  # tables written in one transaction: some 50 ms
STEP = 500  # other rows


class Writer:
    """Writes ``facts`` into the draft and finds written rows by their ids in the file.

    ``known_players``: players of the replaced competition by id. ``update_players`` renames them at the end.
    """

    def __init__(
        self, draft: Draft, facts: schema.CompetitionFacts, done: Change, known_players: Mapping[str, Player]
    ) -> None:
        self.draft, self.facts, self.done, self.known_players = draft, facts, done, known_players
        self.competition = draft.competition
        self.made = {"created_by": done.by, "created_at": done.at}
        self.divisions: dict[str, Division] = {}
        self.stages: dict[schema.StageKey, Stage] = {}
        self.rounds: dict[schema.RoundKey, Round] = {}
        self.tables: dict[schema.TableKey, Table] = {}  # those that something else in the file names
        self.players: dict[str, Player] = {}
        self.teams: dict[str, Team] = {}
        self.clubs: dict[str, Club] = {}

    def write(self) -> None:
        with self.draft.turn():
            self.write_settings(self.competition)
        with self.draft.turn():
            self._write_divisions()
        self._write_people()
        with self.draft.turn():
            self._write_cuts()  # a play-off names a lower division: all of them are there
        self._write_tables()
        self._write_penalties()
        with self.draft.turn():
            self._write_team_play()
        with self.draft.turn():
            self._write_calendar()
        self._write_hands()
        self._write_game_logs()

    def _create(self, model: type[Row], rows: Iterable[Row]) -> list[Row]:
        """Build the rows outside the transactions that write them."""
        every, made = iter(rows), []
        while chunk := list(islice(every, STEP)):
            with self.draft.turn():
                made += model._default_manager.bulk_create(chunk)
        return made

    # --- the competition, its divisions and stages

    def write_settings(self, competition: Competition) -> None:
        """Set what the file says. Missing settings stay, except the days, which a file leaves out if there
        are none.

        The address is not written.
        """
        for name, value in self.facts.as_columns().items():
            if name in ("first_day", "last_day", "notice_until") or (value is not None and name != "slug"):
                setattr(competition, name, value)
        if play := self.facts.team_play:
            competition.team_play = play.mode
            competition.least_hanchan, competition.most_hanchan = play.least_hanchan, play.most_hanchan
        # The season before, if it is one of the same league that is here.
        others = Competition.objects.filter(league=competition.league_id).exclude(pk=competition.pk)
        competition.previous = others.filter(slug=self.facts.previous).first()
        competition.save()
        for division in self.facts.divisions:
            if division.registration is not None:
                Registration.objects.update_or_create(
                    competition=competition,
                    division=division.slug,
                    defaults=division.registration.as_values(),
                )

    def _write_divisions(self) -> None:
        """Create the divisions with copies of their rules, dated by the import."""
        for position, facts in enumerate(self.facts.divisions, 1):
            rules = facts.rules
            rule_set = RuleSet.objects.create(
                **rules.as_columns(),
                values=rules.resolved.as_values(),
                readings=[self._make_reading(choice) for choice in rules.readings],
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

    def _make_reading(self, facts: schema.ReadingFacts) -> dict[str, object]:
        """Convert into the form of ``league.rules.rule_sets.readings``."""
        by = self.done.by.pk if self.done.by else None
        return {**facts.model_dump(), "by": by, "at": self.done.at.isoformat()}

    def write_catalogues(self) -> None:
        """Create the league's own penalty rules. Pages list them, so this comes last."""
        for facts in self.facts.divisions:
            if facts.rules.own_catalogue is not None:
                rule_set = self.divisions[facts.slug].rule_set
                rule_set.own_catalogue = self._find_catalogue(facts.rules.own_catalogue)
                rule_set.save(update_fields=["own_catalogue"])

    def _find_catalogue(self, facts: schema.OwnCatalogueFacts) -> OwnCatalogue:
        """Return the league's penalty rules with the same entries, whatever their name, or new ones."""
        league = self.competition.league_id
        there = OwnCatalogue.objects.filter(league=league)
        for own in there.filter(base=facts.base):
            if own.entries == facts.own_entries:
                return own
        names = set(there.values_list("name", flat=True))
        numbers = (f" ({n})" if n > 1 else "" for n in range(1, len(names) + 2))
        numbered = (facts.name[: NAME - len(each)].rstrip() + each for each in numbers)
        return OwnCatalogue.objects.create(
            league_id=league,
            name=next(name for name in numbered if name not in names),
            slug=free_slug(facts.name, set(there.values_list("slug", flat=True)), fallback="offences"),
            base=facts.base,
            entries=facts.own_entries,
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
        """Convert into the form of ``stages.services`` and ``seasons.services`` (play-offs)."""
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
        """Enter the players, in their teams. A known id is the same person."""
        team_of: dict[str, Team] = {}
        teams = [Team(competition=self.competition, key=each.id, name=each.name) for each in self.facts.teams]
        for facts, team in zip(self.facts.teams, self._create(Team, teams), strict=True):
            self.teams[facts.id] = team
            team_of |= dict.fromkeys(facts.players, team)
        with self.draft.turn():
            self._write_clubs()
        known = self.known_players
        self.players = {each.id: known.get(each.id) or self._make_player(each) for each in self.facts.players}
        every = iter(self.facts.players)
        while chunk := list(islice(every, STEP)):
            new = [facts for facts in chunk if facts.id not in known]
            with self.draft.turn():
                # In the order of the file, which decides between equals.
                Player.objects.bulk_create(self.players[facts.id] for facts in new)
                self._write_numbers(new)
                Entrant.objects.bulk_create(self._make_entrant(facts, team_of) for facts in chunk)

    def _make_entrant(self, facts: schema.PlayerFacts, team_of: Mapping[str, Team]) -> Entrant:
        return Entrant(
            competition=self.competition,
            key=facts.id,
            player=self.players[facts.id],
            team=team_of.get(facts.id),
            division=self.divisions[facts.division] if facts.division else None,
            withdrawn_at=self.done.at if facts.withdrawn else None,
            previous_rank=facts.previous_rank,
            is_substitute=facts.substitute,
            is_guest=facts.guest,
        )

    def _write_clubs(self) -> None:
        register = self.competition.league.register
        names = {facts.club for facts in self.facts.players} - {""}
        self.clubs = {club.name: club for club in Club.objects.filter(register=register)}
        new = [Club(register=register, name=name) for name in sorted(names - self.clubs.keys())]
        self.clubs |= {club.name: club for club in Club.objects.bulk_create(new)}

    def _make_player(self, facts: schema.PlayerFacts) -> Player:
        register = self.competition.league.register
        return Player(register=register, club=self.clubs.get(facts.club), **facts.as_columns())

    def _write_numbers(self, players: Iterable[schema.PlayerFacts]) -> None:
        FederationNumber.objects.bulk_create(
            FederationNumber(player=self.players[facts.id], federation=federation, number=number)
            for facts in players
            for federation, number in facts.numbers.items()
        )

    def update_players(self, done: Change) -> None:
        """Update known players and log it in every competition that shows them. Needs the register's lock."""
        people = Player.objects.filter(pk__in=[player.pk for player in self.known_players.values()])
        people = people.select_related("club").prefetch_related("federation_numbers")
        now = {player.pk: player for player in people}
        known = self.known_players
        said = {now[known[each.id].pk]: each for each in self.facts.players if each.id in known}
        wanted = {player: _values_said(player, facts) for player, facts in said.items()}
        changed = {player: values for player, values in wanted.items() if values != values_of(player)}
        names = {values.club for values in changed.values()} - {""}
        with change_everywhere(done, [player.pk for player in changed]) as changes:
            write_players(changes, changed, {exact_key(name): self.clubs[name].pk for name in names})

    # --- rounds and tables

    def _write_tables(self) -> None:
        self._create(Round, self.rounds.values())
        named = {penalty.at_table for penalty in self.facts.penalties}
        named |= {time.at_table for time in self.facts.calendar.tables} if self.facts.calendar else set()
        named |= {each.at_table for each in (*self.facts.hands, *self.facts.game_logs)}
        every = (
            (rules, (*where, round_.number), table)
            for where, rules, round_ in self.facts.rounds()
            for table in round_.tables
        )
        while chunk := list(islice(every, CHUNK)):
            rows = [Table(round_id=self.rounds[where].pk, number=table.number) for _, where, table in chunk]
            placed = [(row, *each) for row, each in zip(rows, chunk, strict=True)]
            seats = [
                (row, self._make_seat(row, wind, seat))
                for row, _, _, table in placed
                for wind, seat in enumerate(table.by_wind)
            ]
            sheets = [
                (row, self._make_sheet(table, rules))
                for row, rules, _, table in placed
                if table.status != schema.SCHEDULED
            ]
            with self.draft.turn(tables=len(chunk)):
                Table.objects.bulk_create(rows)
                Seat.objects.bulk_create(_take_keys(seats))
                Sheet.objects.bulk_create(_take_keys(sheets))
                self._write_proposals(
                    [(row, table.proposal) for row, _, _, table in placed if table.proposal],
                    {sheet.table_id: sheet for _row, sheet in sheets},
                )
            for row, _, where, table in placed:
                if (key := (*where, table.number)) in named:
                    self.tables[key] = row
        self._create(
            SittingOut,
            (
                SittingOut(round=self.rounds[(*where, round_.number)], player=self.players[player])
                for where, _rules, round_ in self.facts.rounds()
                for player in round_.sitting_out
            ),
        )

    def _make_seat(self, table: Table, wind: int, facts: schema.SeatFacts) -> Seat:
        instead: dict[str, Any] = {}
        if facts.stands_for:
            instead = {"stands_for": self.players[facts.stands_for], **facts.as_columns()}
        # Ids, not objects: setting a hundred thousand of these takes longer than writing them.
        return Seat(round_id=table.round_id, wind=wind, player_id=self.players[facts.player].pk, **instead)

    def _make_sheet(self, table: schema.TableFacts, rules: Rules) -> Sheet:
        points = {seat.wind: seat.points for seat in table.seats}
        sashiuma = {wind: WINDS.index(seat.names) for wind, seat in enumerate(table.by_wind) if seat.names}
        was_played = set(points.values()) != {rules.start_points}
        return Sheet(
            version=2 if table.status == Sheet.Status.VOID and was_played else 1,  # see sheet_state
            **points,
            **table.as_columns(),
            last_dealer=WINDS.index(table.last_dealer),
            named=named_text(sashiuma),
            **{f"{seat.wind}_chips": seat.chips for seat in table.seats},
            total=rules.total_points,
            entered_by_id=self.done.by.pk if self.done.by else None,
            entered_at=self.done.at,
            confirmed_at=self.done.at if table.status == Sheet.Status.CONFIRMED else None,
        )

    def _write_proposals(
        self, proposals: list[tuple[Table, schema.ProposalFacts]], sheets: Mapping[int, Sheet]
    ) -> None:
        made = Proposal.objects.bulk_create(
            Proposal(
                table_id=table.pk,
                number=1,
                **dict(zip(WINDS, facts.points, strict=True)),
                **facts.as_columns(),
                last_dealer=WINDS.index(facts.last_dealer),
                named=named_text({w: WINDS.index(each) for w, each in enumerate(facts.names) if each}),
                **{f"{wind}_chips": won for wind, won in zip(WINDS, facts.chips or NO_CHIPS, strict=True)},
                player=self.players[facts.player] if facts.player else None,
                at=facts.at,
                sheet=sheets.get(table.pk) if facts.is_result else None,
            )
            for table, facts in proposals
        )
        Signature.objects.bulk_create(
            Signature(
                proposal=proposal,
                wind=None if each.wind is None else WINDS.index(each.wind),
                player=self.players[each.player] if each.player else None,
                points=each.points,
                at=each.at,
                user=self.done.by if each.how == Signature.How.STAFF else None,
                device="" if each.phone is None else f"file {each.phone}",
                **each.as_columns(),
            )
            for proposal, (_table, facts) in zip(made, proposals, strict=True)
            for each in facts.signatures
            if each.how != Signature.How.STAFF or self.done.by  # staff sign by name
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
        self._create(Penalty, rows)
        adjustments = (
            Adjustment(
                stage=self.stages[facts.in_stage],
                round=self.rounds[facts.in_round] if facts.in_round else None,
                player=self.players[facts.player],
                **facts.as_columns(),
                score=None if facts.average else facts.score,
                revoked_at=self.done.at if facts.revoked else None,
                **self.made,
            )
            for facts in self.facts.adjustments
        )
        self._create(Adjustment, adjustments)

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
        """Convert into the form of ``league.ranking.teams.services.cuts``."""
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
            Consent(
                appointment=appointment, player=self.players[player], declined=declined, created_at=said.at
            )
            for appointment, (_table, said) in zip(appointments, every, strict=True)
            for declined, players in ((False, said.agreed), (True, said.declined))
            for player in players
        )

    # --- the hands

    def _write_hands(self) -> None:
        """Write the logs, and the hand that each table plays."""
        rows = (
            HandEntry(
                table=self.tables[each.at_table],
                **entry.as_columns(),
                player=self.players[entry.player] if entry.player else None,
            )
            for each in self.facts.hands
            for entry in each.log
        )
        self._create(HandEntry, rows)
        rules = {division.slug: division.rules.resolved for division in self.facts.divisions}
        for each in self.facts.hands:
            self.tables[each.at_table].hand = read_kept_log(each.entries, rules[each.division]).hand
        tables = [self.tables[each.at_table] for each in self.facts.hands]
        with self.draft.turn():
            Table.objects.bulk_update(tables, ["hand"], batch_size=500)

    def _write_game_logs(self) -> None:
        here = {"competition": self.competition}
        logs = (
            GameLog(table=self.tables[each.at_table], **here, **each.as_columns())
            for each in self.facts.game_logs
        )
        self._create(GameLog, logs)
        league = self.competition.league
        names = [
            GameName(league=league, player=self.players[each.player], **each.as_columns())
            for each in self.facts.game_names
        ]
        with self.draft.turn():
            GameName.objects.bulk_create(names, batch_size=STEP, ignore_conflicts=True)


def _values_said(player: Player, facts: schema.PlayerFacts) -> PlayerValues:
    """Return the record from the file. Equal numbers keep the register's order."""
    known = values_of(player).numbers
    numbers = known if dict(known) == facts.numbers else tuple(facts.numbers.items())
    return PlayerValues(**facts.as_columns(), club=facts.club, numbers=numbers)


def _take_keys(made: Iterable[tuple[Table, Seat]] | Iterable[tuple[Table, Sheet]]) -> list[Any]:
    """Set the keys of tables that were saved after these rows were built."""
    rows = []
    for table, row in made:
        row.table_id = table.pk
        rows.append(row)
    return rows


def _keys(ids: Iterable[str], rows: Mapping[str, Player] | Mapping[str, Team]) -> list[int]:
    return [rows[each].pk for each in dict.fromkeys(ids)]


def _make_decisions(
    facts: Iterable[schema.DecisionFacts | schema.TeamDecisionFacts],
    rows: Mapping[str, Player] | Mapping[str, Team],
) -> list[dict[str, object]]:
    return [
        {"in": _keys(each.inside, rows), "out": _keys(each.outside, rows), "by": each.by} for each in facts
    ]
