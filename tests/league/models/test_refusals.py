"""What the database itself refuses: each wrong row is written past the services."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from league.models import (
    Adjustment,
    ApiToken,
    Appointment,
    AuditEntry,
    Ban,
    Call,
    Ceremony,
    Channel,
    Competition,
    Consent,
    Dispute,
    DisputeStep,
    Entrant,
    Evening,
    FederationForm,
    GameLog,
    GameName,
    HandEntry,
    ImportJob,
    Invitation,
    KnownNumber,
    League,
    LeagueEntry,
    LineUp,
    Lot,
    Lots,
    Outgoing,
    OwnCatalogue,
    Penalty,
    Presence,
    Proposal,
    Registrant,
    Registration,
    Role,
    Round,
    RuleBook,
    RuleSet,
    Screen,
    Seat,
    SeatingDraft,
    SecurityEvent,
    Sheet,
    Signature,
    SittingOut,
    Stage,
    StageEntrant,
    Table,
    Team,
    TeamPenalty,
    TeamSeat,
    Waiver,
    Webhook,
    triggers,
)
from league.organizing.competitions.services import create_competition
from players.models import Club as PlayersClub
from players.models import Player
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NOW = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)
DAY, DAY_BEFORE = date(2026, 11, 20), date(2026, 11, 19)
Row = TypeVar("Row", bound=models.Model)
Values = dict[str, Any]
Write = Callable[[], object]


@dataclass
class Places:
    """``here`` is a competition of two rounds, ``beside`` another one of its league with a player of its own,
    ``far`` one of another league. The methods give the values of a right row.
    """

    here: Club
    beside: Competition
    far: Club
    stranger: Player

    @property
    def competition(self) -> Competition:
        return self.here.competition

    @property
    def stage(self) -> Stage:
        return self.here.stage

    @property
    def table(self) -> Table:
        return self.here.table()

    @property
    def seat(self) -> Seat:
        return self.table.seats.get(wind=0)

    @property
    def sheet(self) -> Sheet:
        return self.table.sheets.get()

    @property
    def entrant(self) -> Entrant:
        return self.competition.entrants.get(key="p1")

    @property
    def team(self) -> Team:
        return self.competition.teams.get()

    @property
    def other_team(self) -> Team:
        return self.beside.teams.get()

    @property
    def far_player(self) -> Player:
        return self.far.players[0]

    def player(self, number: int) -> Player:
        return self.here.players[number - 1]

    def round(self, number: int) -> Round:
        return self.here.rounds[number - 1]

    def adjustment(self, **values: object) -> Values:
        given = {"stage": self.stage, "player": self.player(1), "kind": "absent", "score": -100}
        return given | {"created_at": NOW} | values

    def ban(self, **values: object) -> Values:
        given = {"league": self.here.league, "player": self.player(1), "since": DAY, "reason": "cheated"}
        return given | {"created_by": self.here.alice, "created_at": NOW} | values

    def call(self, **values: object) -> Values:
        return {"table": self.table, "created_at": NOW} | values

    def channel(self, **values: object) -> Values:
        given = {"entrant": self.entrant, "kind": "push", "address": "https://push.example/1"}
        return given | {"language": "en", "created_at": NOW, "confirmed_at": NOW} | values

    def game_log(self, **values: object) -> Values:
        given = {"competition": self.competition, "table": self.table, "service": "tenhou"}
        return given | {"ref": "2026112004gm-0009-0000-0123abcd", "digest": "1"} | values

    def game_name(self, **values: object) -> Values:
        return {
            "league": self.here.league,
            "player": self.player(1),
            "service": "tenhou",
            "name": "ron&co",
        } | values

    def dispute(self, **values: object) -> Values:
        given = {"competition": self.competition, "table": self.table, "subject": "A torn tile"}
        return given | {"created_at": NOW} | values

    def far_dispute(self) -> Dispute:
        where = {"competition": self.far.competition, "table": self.far.table()}
        return make(Dispute, **self.dispute(**where))

    def hand_entry(self, **values: object) -> Values:
        given = {"table": self.table, "number": 2, "key": uuid.UUID(int=1), "kind": "riichi", "at": NOW}
        return given | values

    def invitation(self, **values: object) -> Values:
        given = {"competition": self.competition, "created_by": self.here.alice, "expires_at": NOW}
        return given | {"kind": "captain"} | values

    def api_token(self, **values: object) -> Values:
        given = {"competition": self.competition, "created_by": self.here.alice, "name": "Site"}
        given |= {"role": "player", "prefix": "um_12345678", "digest": "0" * 64}
        return given | {"created_at": NOW, "expires_at": NOW} | values

    def lots(self) -> Lots:
        return make(Lots, stage=self.stage, seed=1, created_at=NOW)

    def outgoing(self, **values: object) -> Values:
        given = {"competition": self.competition, "kind": "push", "key": "one"}
        return given | {"created_at": NOW, "due_at": NOW} | values

    def penalty(self, **values: object) -> Values:
        where = {"competition": self.competition, "stage": self.stage, "round": self.round(1)}
        given = {"table": self.table, "player": self.player(1), "score": -20, "reason": "late"}
        return where | given | {"created_at": NOW} | values

    def proposal(self, **values: object) -> Values:
        points = {"east": 30_000, "south": 30_000, "west": 30_000, "north": 30_000}
        return {"table": self.table, "number": 1, "at": NOW} | points | values

    def registration(self, **values: object) -> Values:
        return {"competition": self.competition, "division": "main", "kept_until": DAY} | values

    def registrant(self, **values: object) -> Values:
        form = Registration.objects.first() or make(Registration, **self.registration())
        given = {"registration": form, "name": "Ann", "email": "ann@example.org", "language": "en"}
        return given | {"created_at": NOW} | values

    def signature(self, **values: object) -> Values:
        given = {"proposal": make(Proposal, **self.proposal()), "wind": 0, "player": self.player(1)}
        return given | {"how": "phone", "at": NOW} | values

    def role(self, **values: object) -> Values:
        return {"competition": self.competition, "user": self.here.alice, "kind": "captain"} | values

    def team_penalty(self, **values: object) -> Values:
        given = {"team": self.team, "stage": self.stage, "score": -20, "reason": "late"}
        return given | {"created_at": NOW} | values


def make(model: type[Row], **values: Any) -> Row:
    return model._base_manager.create(**values)


def making(model: type[Row], **values: Any) -> Write:
    return lambda: make(model, **values)


def changing(row: models.Model, **values: object) -> Write:
    return lambda: type(row)._base_manager.filter(pk=row.pk).update(**values)


def edition(league: League, **values: object) -> RuleSet:
    book = make(RuleBook, league=league, slug="house", name="House")
    return make(RuleSet, book=book, number=1, preset="wrc-2025", values={}, **values)


def catalogue(league: League) -> OwnCatalogue:
    return make(OwnCatalogue, league=league, slug="house", name="House")


def empty_table(places: Places) -> Table:
    number = places.stage.rounds.count() + 1
    return make(Table, round=make(Round, stage=places.stage, number=number), number=1)


@module_fixture
def places() -> Places:
    here, far = club("spring"), club("far")
    far.add_round()
    here.add_round()
    here.add_round()
    here.record((45_000, 35_000, 25_000, 15_000))
    beside = create_competition(
        league=here.league, name="Autumn", slug="autumn", preset_slug="wrc-2025", by=here.alice
    )
    stranger = make(Player, register=here.league.register, name="Stranger")
    make(Entrant, competition=beside, player=stranger, key="p1")
    for competition in (here.competition, beside, far.competition):
        make(Team, competition=competition, key="t1", name="Reds")
    return Places(here, beside, far, stranger)


# Rows that contradict other rows, by the name of the trigger that refuses them.
ACROSS: dict[str, Callable[[Places], list[Write]]] = {
    "adjusted_player_is_entered": lambda p: [making(Adjustment, **p.adjustment(player=p.stranger))],
    "adjustment_in_a_round_of_its_stage": lambda p: [
        making(Adjustment, **p.adjustment(round=p.far.rounds[0]))
    ],
    "ban_for_a_penalty_of_its_league": lambda p: [
        making(Ban, **p.ban(league=p.far.league, player=p.far_player, penalty=make(Penalty, **p.penalty())))
    ],
    "ban_for_a_penalty_of_its_player": lambda p: [
        making(Ban, **p.ban(player=p.player(2), penalty=make(Penalty, **p.penalty())))
    ],
    "ban_of_a_player_of_its_league": lambda p: [making(Ban, **p.ban(player=p.far_player))],
    "consenting_player_is_entered": lambda p: [
        making(
            Consent,
            appointment=make(Appointment, table=p.table, kind="proposed", created_at=NOW),
            player=p.stranger,
            created_at=NOW,
        )
    ],
    "dispute_in_its_tables_competition": lambda p: [
        making(Dispute, **p.dispute(competition=p.beside)),
        making(Dispute, **p.dispute(table=p.far.table())),
    ],
    "division_plays_rules_of_its_league": lambda p: [
        changing(p.here.division, rule_set=edition(p.far.league))
    ],
    "division_punishes_by_a_catalogue_of_its_league": lambda p: [
        changing(
            p.here.division,
            rule_set=make(RuleSet, preset="wrc-2025", values={}, own_catalogue=catalogue(p.far.league)),
        )
    ],
    "drawn_player_is_entered": lambda p: [making(Lot, lots=p.lots(), position=1, player=p.stranger)],
    "drawn_team_of_its_competition": lambda p: [making(Lot, lots=p.lots(), position=1, team=p.other_team)],
    "edition_punishes_by_a_catalogue_of_its_league": lambda p: [
        lambda: edition(p.here.league, own_catalogue=catalogue(p.far.league))
    ],
    "entrant_in_a_division_of_its_competition": lambda p: [
        changing(p.entrant, division=p.beside.divisions.get())
    ],
    "entrant_in_a_team_of_its_competition": lambda p: [changing(p.entrant, team=p.other_team)],
    "entrant_of_its_leagues_register": lambda p: [
        making(Entrant, competition=p.competition, player=p.far_player, key="x")
    ],
    "entry_stays": lambda p: [Entrant.objects.filter(pk=p.entrant.pk).delete],
    "invitation_of_a_player_of_its_leagues_register": lambda p: [
        making(Invitation, **p.invitation(kind="player", player=p.far_player))
    ],
    "invitation_for_a_team_of_its_competition": lambda p: [
        making(Invitation, **p.invitation(team=p.other_team))
    ],
    "league_auditentry_only_grows": lambda p: [
        lambda: AuditEntry.objects.update(action="x"),
        AuditEntry.objects.all().delete,
    ],
    "league_leagueentry_only_grows": lambda p: [
        lambda: LeagueEntry.objects.update(action="x"),
        LeagueEntry.objects.all().delete,
    ],
    "ceremony_of_a_stage_of_its_competition": lambda p: [
        making(Ceremony, competition=p.competition, stage=p.far.stage, places=3)
    ],
    "registrant_is_a_player_of_its_competition": lambda p: [
        making(Registrant, **p.registrant(entrant=p.far.competition.entrants.first()))
    ],
    "screen_of_a_division_of_its_competition": lambda p: [
        making(Screen, competition=p.competition, slug="hall", division=p.far.stage.division)
    ],
    "line_up_of_a_team_of_its_competition": lambda p: [
        making(LineUp, team=p.other_team, round=p.round(2), player=p.player(1), created_at=NOW)
    ],
    "named_player_is_entered": lambda p: [
        making(LineUp, team=p.team, round=p.round(2), player=p.stranger, created_at=NOW)
    ],
    "penalty_by_a_dispute_of_its_competition": lambda p: [
        making(Penalty, **p.penalty(dispute=p.far_dispute()))
    ],
    "penalty_in_a_round_of_its_stage": lambda p: [
        making(Penalty, **p.penalty(round=p.far.rounds[0], table=None))
    ],
    "penalty_in_a_stage_of_its_competition": lambda p: [
        making(Penalty, **p.penalty(stage=p.far.stage, round=None, table=None)),
        making(Penalty, **p.penalty(competition=p.far.competition, player=p.far_player)),
    ],
    "penalty_in_its_tables_round": lambda p: [
        making(Penalty, **p.penalty(round=p.round(2))),
        changing(make(Penalty, **p.penalty()), round=p.round(2)),
    ],
    "penalty_revoked_by_a_dispute_of_its_competition": lambda p: [
        making(Penalty, **p.penalty(revoked_in=p.far_dispute(), revoked_at=NOW, revoke_reason="ruled so"))
    ],
    "player_in_a_club_of_their_register": lambda p: [
        changing(p.player(1), club=make(PlayersClub, register=p.far.league.register, name="Far"))
    ],
    "present_in_its_competition": lambda p: [
        making(Presence, stage=p.stage, day=NOW.date(), entrant=p.far.competition.entrants.first())
    ],
    "proposal_of_its_sheets_table": lambda p: [
        making(Proposal, **p.proposal(table=p.here.table(number=2), sheet=p.sheet))
    ],
    "punished_player_is_entered": lambda p: [making(Penalty, **p.penalty(player=p.stranger))],
    "qualified_player_is_entered": lambda p: [
        making(StageEntrant, stage=p.stage, player=p.stranger, position=1)
    ],
    "role_for_a_team_of_its_competition": lambda p: [making(Role, **p.role(team=p.other_team))],
    "role_plays_as_one_of_its_leagues_register": lambda p: [making(Role, **p.role(player=p.far_player))],
    "season_before_of_the_same_league": lambda p: [changing(p.beside, previous=p.far.competition)],
    "game_log_in_its_tables_competition": lambda p: [
        making(GameLog, **p.game_log(competition=p.beside)),
        making(GameLog, **p.game_log(table=p.far.table())),
    ],
    "game_name_in_its_players_register": lambda p: [making(GameName, **p.game_name(player=p.far_player))],
    "seat_in_its_tables_round": lambda p: [
        changing(p.seat, round=empty_table(p).round),
        changing(p.seat, table=empty_table(p)),
    ],
    "player_sitting_out_is_entered": lambda p: [making(SittingOut, round=p.round(2), player=p.stranger)],
    "seated_player_is_entered": lambda p: [changing(p.seat, player=p.stranger)],
    "sheet_corrected_by_a_dispute_of_its_table": lambda p: [
        changing(p.sheet, dispute=make(Dispute, **p.dispute(table=p.here.table(number=2))))
    ],
    "substituted_player_is_entered": lambda p: [changing(p.seat, stands_for=p.stranger)],
    "team_penalty_in_its_teams_competition": lambda p: [
        making(TeamPenalty, **p.team_penalty(team=p.other_team))
    ],
    "team_seat_in_its_teams_competition": lambda p: [
        making(TeamSeat, team=p.other_team, round=p.round(2), table=1, wind=0)
    ],
    "waiver_in_a_competition_of_its_league": lambda p: [
        making(
            Waiver,
            ban=make(Ban, **p.ban()),
            competition=p.far.competition,
            reason="served",
            created_by=p.here.alice,
            created_at=NOW,
        )
    ],
}

# Rows that are wrong in themselves or beside an equal one, by the name of the constraint.
ALONE: dict[str, Callable[[Places], list[Write]]] = {
    "ban_ends_after_it_begins": lambda p: [making(Ban, **p.ban(until=DAY_BEFORE))],
    "ban_lifted_with_a_reason": lambda p: [making(Ban, **p.ban(lifted_by=p.here.alice))],
    "accepted_registrant_is_confirmed": lambda p: [making(Registrant, **p.registrant(accepted_at=NOW))],
    "registration_closes_after_it_opens": lambda p: [
        making(Registration, **p.registration(opens_at=NOW, closes_at=NOW))
    ],
    "registration_has_places": lambda p: [making(Registration, **p.registration(places=0))],
    "call_closed_has_its_time": lambda p: [making(Call, **p.call(closed_by=p.here.bob))],
    "call_taken_has_its_time": lambda p: [making(Call, **p.call(taken_by=p.here.bob))],
    "captains_speak_for_teams": lambda p: [making(Role, **p.role(kind="referee", team=p.team))],
    "channel_of_an_account_or_a_browser": lambda p: [
        making(Channel, **p.channel(confirmed_at=None)),
        making(Channel, **p.channel(kind="mail")),
    ],
    "dispute_resumes_what_it_paused": lambda p: [
        making(Dispute, **p.dispute(resumed_at=NOW)),
        making(Dispute, **p.dispute(paused_at=NOW, resumed_at=NOW.replace(hour=3))),
    ],
    "hand_entry_names_an_earlier_one": lambda p: [
        making(HandEntry, **p.hand_entry(kind="correct")),
        making(HandEntry, **p.hand_entry(kind="remove", target=2)),
        making(HandEntry, **p.hand_entry(target=1)),
    ],
    "invitation_of_a_captain_names_a_team": lambda p: [
        making(Invitation, **p.invitation(kind="referee", team=p.team))
    ],
    "invitation_used_has_its_time": lambda p: [making(Invitation, **p.invitation(used_by=p.here.bob))],
    "least_hanchan_up_to_the_most": lambda p: [changing(p.competition, least_hanchan=3, most_hanchan=2)],
    "token_of_no_captain": lambda p: [making(ApiToken, **p.api_token(role="captain"))],
    "lot_of_a_player_or_a_team": lambda p: [
        making(Lot, lots=p.lots(), position=1),
        making(Lot, lots=p.lots(), position=1, player=p.player(1), team=p.team),
    ],
    "outgoing_is_sent_or_given_up": lambda p: [making(Outgoing, **p.outgoing(sent_at=NOW, given_up_at=NOW))],
    "revoked_with_a_reason": lambda p: [
        making(Penalty, **p.penalty(revoked_at=NOW)),
        making(Penalty, **p.penalty(revoked_by=p.here.bob)),
    ],
    "season_does_not_follow_on_itself": lambda p: [changing(p.beside, previous=p.beside)],
    "staff_sign_by_name": lambda p: [making(Signature, **p.signature(how="staff"))],
    "substitute_stands_for_another": lambda p: [
        changing(p.seat, stands_for=p.player(1)),
        changing(p.seat, came_late=True),
        changing(p.seat, until_back=True),
    ],
    "team_penalty_revoked_with_a_reason": lambda p: [
        making(TeamPenalty, **p.team_penalty(revoked_at=NOW)),
        making(TeamPenalty, **p.team_penalty(revoke_reason="a mistake")),
    ],
    "window_ends_after_it_begins": lambda p: [
        changing(p.round(1), date=DAY, until=DAY_BEFORE),
        changing(p.round(1), date=None, until=DAY),
    ],
}
TWICE: dict[str, Callable[[Places], list[Write]]] = {
    "form_name_once_a_league": lambda p: [
        making(FederationForm, **made_before(FederationForm, federation_form(p)))
    ],
    "lot_position_once_a_draw": lambda p: [making(Lot, lots=drawn_first(p), position=1, player=p.player(2))],
    "player_drawn_once": lambda p: [making(Lot, lots=drawn_first(p), position=2, player=p.player(1))],
    "team_drawn_once": lambda p: [making(Lot, lots=drawn_first(p), position=3, team=p.team)],
    "no_equal_adjustments_without_a_round": lambda p: [
        making(Adjustment, **made_before(Adjustment, p.adjustment()))
    ],
    "games_of_points_carried_in_without_a_round": lambda p: [
        making(Adjustment, **p.adjustment(games=1)),
        making(Adjustment, **p.adjustment(kind="carried_in", round=p.round(1))),
    ],
    "one_adjustment_of_a_kind_a_round": lambda p: [
        making(Adjustment, **made_before(Adjustment, p.adjustment(round=p.round(1))) | {"score": -50})
    ],
    "one_registration_a_division": lambda p: [
        making(Registration, **made_before(Registration, p.registration()) | {"kept_until": DAY_BEFORE})
    ],
    "person_registered_once": lambda p: [
        making(Registrant, **made_before(Registrant, p.registrant()) | {"email": "ANN@example.org"})
    ],
    "known_number_once": lambda p: [
        making(
            KnownNumber,
            **made_before(KnownNumber, {"competition": p.competition, "number": "04010023", "name": "Ann"}),
        )
    ],
    "hand_entry_key_once_a_table": lambda p: [
        making(HandEntry, **made_before(HandEntry, p.hand_entry()) | {"number": 3})
    ],
    "hand_entry_number_once_a_table": lambda p: [
        making(HandEntry, **made_before(HandEntry, p.hand_entry()) | {"key": uuid.UUID(int=2)})
    ],
    "game_once_a_competition": lambda p: [
        making(GameLog, **made_before(GameLog, p.game_log()) | {"table": p.here.table(2), "ref": "b"})
    ],
    "game_id_once_a_competition": lambda p: [
        making(GameLog, **made_before(GameLog, p.game_log()) | {"table": p.here.table(2), "digest": "2"})
    ],
    "game_name_once_a_league": lambda p: [
        making(GameName, **made_before(GameName, p.game_name()) | {"player": p.player(2)})
    ],
    "evening_once_a_day": lambda p: [
        making(Evening, **made_before(Evening, {"stage": p.stage, "day": NOW.date()}))
    ],
    "present_once_an_evening": lambda p: [making(Presence, **made_before(Presence, present(p)))],
    "proposal_number_once_a_table": lambda p: [
        making(Proposal, **made_before(Proposal, p.proposal()) | {"is_current": False})
    ],
    "one_current_proposal_a_table": lambda p: [
        making(Proposal, **made_before(Proposal, p.proposal()) | {"number": 2})
    ],
    "seat_signs_once": lambda p: [making(Signature, **made_before(Signature, p.signature()))],
    "channel_once_a_player": lambda p: [making(Channel, **made_before(Channel, p.channel()))],
    "outgoing_key_once": lambda p: [making(Outgoing, **made_before(Outgoing, p.outgoing()))],
    "one_substitute_a_player_a_round": lambda p: [
        changing(p.table.seats.get(wind=1), stands_for=absent_in_the_east(p))
    ],
}


def present(places: Places) -> dict[str, object]:
    return {"stage": places.stage, "day": NOW.date(), "entrant": places.here.competition.entrants.first()}


def drawn_first(places: Places) -> Lots:
    lots = places.lots()
    make(Lot, lots=lots, position=1, player=places.player(1))
    make(Lot, lots=lots, position=2, team=places.team)
    return lots


def federation_form(places: Places) -> Values:
    return {"league": places.here.league, "name": "Ours", "content": b"", "changed_at": NOW}


def made_before(model: type[models.Model], values: Values) -> Values:
    make(model, **values)
    return values


def absent_in_the_east(places: Places) -> Player:
    absent = make(Player, register=places.here.league.register, name="Absent")
    make(Entrant, competition=places.competition, player=absent, key="absent")
    changing(places.seat, stands_for=absent)()
    return absent


def refused(write: Write, why: str | None = None) -> None:
    with pytest.raises(IntegrityError, match=why), transaction.atomic():
        write()


@pytest.mark.parametrize("name", ACROSS)
def test_a_row_that_contradicts_other_rows_is_refused(places, name):
    sentences = {trigger.name: trigger.sentence for trigger in triggers.all_triggers(apps)}
    for write in ACROSS[name](places):
        refused(write, sentences[name])


@pytest.mark.parametrize("name", ALONE)
def test_a_row_that_is_wrong_in_itself_is_refused(places, name):
    for write in ALONE[name](places):
        refused(write, name)


@pytest.mark.parametrize("name", TWICE)
def test_a_row_beside_an_equal_one_is_refused(places, name):
    for write in TWICE[name](places):
        refused(write)


def one_of_each(places: Places) -> None:
    """A row of every model with choices, or with a value that never changes."""
    make(Adjustment, **places.adjustment())
    make(Appointment, table=places.table, kind="set", created_at=NOW)
    make(Ban, **places.ban())
    make(Call, **places.call())
    make(Channel, **places.channel())
    make(DisputeStep, dispute=make(Dispute, **places.dispute()), kind="opened", created_at=NOW)
    make(GameLog, **places.game_log())
    make(GameName, **places.game_name())
    make(HandEntry, **places.hand_entry())
    make(ImportJob, league=places.here.league, seen_at=NOW)
    make(Invitation, **places.invitation())
    make(ApiToken, **places.api_token())
    places.lots()
    edition(places.here.league)
    catalogue(places.here.league)
    make(Outgoing, **places.outgoing())
    make(Penalty, **places.penalty())
    make(PlayersClub, register=places.here.league.register, name="Near")
    make(Webhook, competition=places.competition, kind="slack", language="en", created_at=NOW)
    make(StageEntrant, stage=places.stage, player=places.player(1), position=1)
    make(Registration, **places.registration())
    make(Screen, competition=places.competition, slug="hall", name="Hall")
    make(TeamSeat, round=places.round(2), table=1, wind=0, team=places.team)
    draft = {"stage": places.stage, "method": "random", "rounds": [], "seed": 1, "based_on": ""}
    make(SeatingDraft, **draft, created_at=NOW)
    make(SecurityEvent, kind="failed", at=NOW)
    make(Signature, **places.signature())


CHOICES = [
    pytest.param(model, field, id=f"{model.__name__}-{field.name}")
    for model in apps.get_app_config("league").get_models()
    for field in model._meta.local_fields
    if field.choices
]


@pytest.mark.parametrize(("model", "field"), CHOICES)
def test_a_value_outside_the_choices_is_refused(places, model, field):
    one_of_each(places)
    nonsense = 9 if isinstance(field, models.IntegerField) else "x"
    refused(lambda: model.objects.update(**{field.name: nonsense}), f"{field.name}_is_one_of_its_choices")


@pytest.mark.parametrize(("label", "name"), triggers.KEPT)
def test_a_value_that_other_rows_were_checked_against_never_changes(places, label, name):
    one_of_each(places)
    model = apps.get_model(label if "." in label else f"league.{label}")
    row = model._base_manager.filter(**{f"{name}__isnull": False}).first()
    refused(changing(row, **{name: 0}), f"{name} never changes")


def test_every_trigger_has_a_wrong_row():
    kept = {trigger.name for trigger in triggers.all_triggers(apps) if "_keeps_its_" in trigger.name}
    assert {trigger.name for trigger in triggers.all_triggers(apps)} - kept == ACROSS.keys()
