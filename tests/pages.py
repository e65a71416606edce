"""Every page of the product, made from the URL configuration; one of everything that an address can name.

``RULES`` says who may open each named page: tests that go through all pages begin here, so that a new page
is either in all of them or fails.
"""

import hashlib
import io
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.bans.services import set_ban
from league.calendar.services.calendar import renew_feed_key
from league.calendar.services.table_times import postpone_tables, propose_time
from league.calls.queries import table_code
from league.calls.services import call_referee
from league.core.qr import SCANNED
from league.disputes.services import add_evidence, open_dispute, take_step
from league.models import (
    Adjustment,
    Ban,
    Competition,
    Dispute,
    Division,
    Entrant,
    Evidence,
    ImportJob,
    Invitation,
    LineUp,
    OwnCatalogue,
    Role,
    Round,
    RuleBook,
    Seat,
    Stage,
    Table,
    Team,
    TeamSeat,
)
from league.penalties.services import Act, log_offence, log_penalty
from league.penalty_rules.services import create_catalogue, save_entry
from league.rule_sets.queries.rule_sets import division_key
from league.rule_sets.services import copied_rules, create_book
from league.seating.engine.schedule import MOST_PLAYERS
from league.seating.queries.seating import LOTS, PlanRequest
from league.seating.services.drafts import begin_seating
from league.substitutions.services.substitutions import add_adjustment
from league.teams.services import log_team_penalty
from scoring.presets import resolve as resolve_rules
from tests.factories import Club, club, signed_in, user
from tests.pictures import picture

EVERYBODY = {"visitor", "stranger", "player", "scorer", "referee", "organizer"}
SIGNED_IN = EVERYBODY - {"visitor"}
SCORERS = {"scorer", "organizer"}
REFEREES = {"referee", "organizer"}
STAFF = {"scorer", "referee", "organizer"}
ORGANIZERS = {"organizer"}
ADMINISTRATORS = {"administrator"}  # superusers, who may open everything: tried where no one else may

RULES: dict[str, set[str]] = {
    # public
    "competitions:home": EVERYBODY,
    "calculator:hand": EVERYBODY,
    "standings:competition": EVERYBODY,
    "standings:stage": EVERYBODY,
    "rounds:index": EVERYBODY,
    "rounds:round": EVERYBODY,
    "standings:players": EVERYBODY,
    "standings:player": EVERYBODY,
    "standings:picture": EVERYBODY,
    "standings:screen": EVERYBODY,
    "standings:rankings": EVERYBODY,
    "standings:overall": EVERYBODY,
    "competitions:rules": EVERYBODY,
    "rule_sets:index": EVERYBODY,
    "rule_sets:compare": EVERYBODY,
    "rule_sets:published": EVERYBODY,
    "rule_sets:summary": EVERYBODY,
    "rule_sets:scores": EVERYBODY,
    "penalty_rules:index": EVERYBODY,
    "penalty_rules:published": EVERYBODY,
    "penalty_rules:division": EVERYBODY,
    "competitions:revision": EVERYBODY,
    "teams:index": EVERYBODY,
    "teams:standings": EVERYBODY,
    "teams:team": EVERYBODY,
    "interchange:teams": EVERYBODY,
    "results:table": EVERYBODY,
    "penalties:table_door": EVERYBODY,
    "penalties:table_code": EVERYBODY,
    "calendar:calendar": EVERYBODY,
    "calendar:feeds": EVERYBODY,
    "calendar:competition_feed": EVERYBODY,
    "calendar:division_feed": EVERYBODY,
    "calendar:player_feed": EVERYBODY,
    "calendar:own_feed": EVERYBODY,
    "open_play:day": EVERYBODY,
    "seating:my_seat": EVERYBODY,
    "seating:own_row": EVERYBODY,
    "seating:screen": EVERYBODY,
    "seating:round_screen": EVERYBODY,
    "seating:list": EVERYBODY,
    "seating:papers": STAFF,
    "seating:papers_pdf": STAFF,
    "penalties:index": EVERYBODY,
    "audit_log:check": EVERYBODY,
    "personal_data:privacy": EVERYBODY,
    "personal_data:own": SIGNED_IN,
    "personal_data:own_file": SIGNED_IN,
    "personal_data:erase": ORGANIZERS,
    "personal_data:player_file": ORGANIZERS,
    "audit_log:league": ORGANIZERS,
    "interchange:standings": EVERYBODY,
    "interchange:results": EVERYBODY,
    "interchange:workbook": EVERYBODY,
    "interchange:penalties": EVERYBODY,
    "people:signup": EVERYBODY,
    "people:invitation": EVERYBODY,
    # scores
    "results:enter": SCORERS,
    "results:enter_round": SCORERS,
    "results:preview": SCORERS,
    "results:correct": SCORERS,
    "results:void": SCORERS,
    "results:undo": SCORERS,
    "results:confirm": STAFF,
    "open_play:new_table": SCORERS,
    "open_play:evening": SCORERS,
    "open_play:file": SCORERS,
    "open_play:tonight": SCORERS,
    "results:slip": SCORERS,
    "results:own": SCORERS,
    "open_play:remove": SCORERS,
    "open_play:presence": SCORERS,
    "open_play:guest": ORGANIZERS,
    "open_play:fee": ORGANIZERS,
    "open_play:draw": SCORERS,
    # when tables meet: these, and the players of the table
    "calendar:table_time": REFEREES,
    "calendar:postpone": REFEREES,
    "calendar:restore": REFEREES,
    "calendar:set_time": ORGANIZERS,
    "calendar:agree": ORGANIZERS,
    "calendar:disagree": ORGANIZERS,
    "calendar:feed_renew": EVERYBODY - {"visitor", "stranger"},
    # refereeing
    "penalties:new": REFEREES,
    "penalties:revoke": REFEREES,
    "penalties:record": STAFF,
    "penalties:desk": REFEREES,
    "penalties:day": SIGNED_IN,
    "penalties:table_codes": REFEREES,
    "penalties:table_hand": REFEREES,
    "penalties:table_hand_name": REFEREES,
    "penalties:undo": REFEREES,
    "penalties:decide": ORGANIZERS,
    "calls:call": EVERYBODY,
    "calls:withdraw": EVERYBODY,
    "calls:index": REFEREES,
    "calls:codes_renew": ORGANIZERS,
    "calls:take": REFEREES,
    "calls:done": REFEREES,
    "calls:clock_start": REFEREES,
    "disputes:index": STAFF,
    "disputes:new": STAFF,
    "disputes:dispute": STAFF,
    "disputes:step": REFEREES,
    "disputes:close": REFEREES,
    "disputes:revoke": REFEREES,
    "disputes:evidence_new": STAFF,
    "disputes:evidence": STAFF,
    # organizing
    "competitions:new": ORGANIZERS,
    "competitions:league": ORGANIZERS,
    "competitions:league_edit": ORGANIZERS,
    "rule_sets:house_rules": ORGANIZERS,
    "rule_sets:house_rule_new": ORGANIZERS,
    "rule_sets:house_rule": ORGANIZERS,
    "rule_sets:house_rule_edit": ORGANIZERS,
    "rule_sets:edition": ORGANIZERS,
    "interchange:import": ORGANIZERS,
    "interchange:job": ORGANIZERS,
    "interchange:cancel": ORGANIZERS,
    "competitions:manage": ORGANIZERS,
    "competitions:settings": ORGANIZERS,
    "competitions:finish": ORGANIZERS,
    "competitions:division_new": ORGANIZERS,
    "competitions:division_rules": ORGANIZERS,
    "competitions:division_rules_edit": ORGANIZERS,
    "competitions:division_rules_move": ORGANIZERS,
    "competitions:division_penalty_rules": ORGANIZERS,
    "penalty_rules:house_rules": ORGANIZERS,
    "penalty_rules:house_rule": ORGANIZERS,
    "penalty_rules:rename": ORGANIZERS,
    "penalty_rules:remove": ORGANIZERS,
    "penalty_rules:entry": ORGANIZERS,
    "penalty_rules:entry_remove": ORGANIZERS,
    "penalty_rules:entry_supersede": ORGANIZERS,
    "stages:new": ORGANIZERS,
    "stages:cut": ORGANIZERS,
    "stages:stage": ORGANIZERS,
    "stages:undo": ORGANIZERS,
    "stages:lots": ORGANIZERS,
    "stages:numbers": ORGANIZERS,
    "seasons:movement": ORGANIZERS,
    "seasons:end": ORGANIZERS,
    "seasons:play_off": ORGANIZERS,
    "seating:plan": ORGANIZERS,
    "seating:next_round": ORGANIZERS,
    "seating:search": ORGANIZERS,
    "seating:numbers": ORGANIZERS,
    "seating:accept": ORGANIZERS,
    "seating:drop": ORGANIZERS,
    "rounds:new": ORGANIZERS,
    "calendar:round_dates": ORGANIZERS,
    "calendar:matchdays": ORGANIZERS,
    "teams:season": ORGANIZERS,
    "open_play:settings": ORGANIZERS,
    "seating:by_hand": ORGANIZERS,
    "rounds:status": ORGANIZERS,
    "rounds:publish": ORGANIZERS,
    "rounds:visibility": ORGANIZERS,
    "rounds:delete": ORGANIZERS,
    "substitutions:round": ORGANIZERS,
    "substitutions:swap": ORGANIZERS,
    "substitutions:exchange": ORGANIZERS,
    "substitutions:no_show": ORGANIZERS,
    "substitutions:seat": ORGANIZERS,
    "substitutions:substitute": ORGANIZERS,
    "substitutions:return": ORGANIZERS,
    "substitutions:forfeit": ORGANIZERS,
    "substitutions:absence": ORGANIZERS,
    "substitutions:entrant_substitute": ORGANIZERS,
    "substitutions:back": ORGANIZERS,
    "substitutions:adjustment_revoke": ORGANIZERS,
    "teams:manage": ORGANIZERS,
    "teams:paste": ORGANIZERS,
    "teams:edit": ORGANIZERS,
    "teams:remove": ORGANIZERS,
    "stages:team_cut": ORGANIZERS,
    "teams:penalty_new": ORGANIZERS,
    "teams:penalty_revoke": ORGANIZERS,
    "teams:round": ORGANIZERS,
    "teams:deadline": ORGANIZERS,
    "teams:seat_line_ups": ORGANIZERS,
    # these, and the team's captain
    "teams:line_ups": ORGANIZERS,
    "teams:line_up": ORGANIZERS,
    "roster:index": ORGANIZERS,
    "roster:import": ORGANIZERS,
    "roster:new": ORGANIZERS,
    "roster:edit": ORGANIZERS,
    "roster:remove": ORGANIZERS,
    "roster:withdraw": ORGANIZERS,
    "roster:reinstate": ORGANIZERS,
    "roster:preview": ORGANIZERS,
    "people:role_new": ORGANIZERS,
    "bans:index": ORGANIZERS,
    "bans:lift": ORGANIZERS,
    "bans:departure_of": ORGANIZERS,
    "bans:departure": ORGANIZERS,
    "roster:merge": ORGANIZERS,
    "people:index": ORGANIZERS,
    "people:invitation_new": ORGANIZERS,
    "people:invitation_withdraw": ORGANIZERS,
    "people:role_revoke": ORGANIZERS,
    "people:role_player": ORGANIZERS,
    "people:role_allow": ORGANIZERS,
    # one's own account
    "accounts:index": SIGNED_IN,
    "accounts:email": SIGNED_IN,
    "accounts:session_end": SIGNED_IN,
    "accounts:sessions_end": SIGNED_IN,
    **dict.fromkeys(("accounts:second", "accounts:set_up", "accounts:codes"), SIGNED_IN),
    **dict.fromkeys(("accounts:app_new", "accounts:passkey_new"), SIGNED_IN),
    "accounts:device_remove": {"organizer"},  # whose app it is
    "accounts:first": ADMINISTRATORS,  # no one at all, once an account exists
    # the server
    "accounts:security": ADMINISTRATORS,
    "accounts:security_allow": ADMINISTRATORS,
    "audit_log:index": ORGANIZERS,
    "interchange:competition_file": ORGANIZERS,
}


# Pages of a league, not of a competition: strangers find nothing there. Nor at an app that is another's, nor
# where the first account is made.
OF_A_LEAGUE = {
    *("personal_data:erase", "personal_data:player_file"),
    *("audit_log:league", "competitions:league", "competitions:league_edit", "interchange:import"),
    *("interchange:job", "interchange:cancel"),
    *("accounts:first", "accounts:device_remove"),
    *(
        "rule_sets:house_rules",
        "rule_sets:house_rule_new",
        "rule_sets:house_rule",
        "rule_sets:house_rule_edit",
        "rule_sets:edition",
    ),
    *(
        "penalty_rules:house_rules",
        "penalty_rules:house_rule",
        "penalty_rules:rename",
        "penalty_rules:remove",
    ),
    *("penalty_rules:entry", "penalty_rules:entry_remove", "penalty_rules:entry_supersede"),
}


def pages_below(
    resolver: URLResolver, rooms: tuple[str, ...] = (), arguments: frozenset[str] = frozenset()
) -> dict[str, frozenset[str]]:
    """Every page of a room ("rounds:index") and the names of what its address needs."""
    found: dict[str, frozenset[str]] = {}
    for each in resolver.url_patterns:
        needs = arguments | each.pattern.converters.keys()
        if isinstance(each, URLPattern):
            if rooms:
                found[":".join([*rooms, each.name or ""])] = needs
        elif each.app_name not in {"admin", "otp_webauthn"}:
            found |= pages_below(each, (*rooms, each.namespace) if each.namespace else rooms, needs)
    return found


PAGES = pages_below(get_resolver())


SEATING = (
    "seating:plan",
    "seating:next_round",
    "seating:search",
    "seating:numbers",
    "seating:accept",
    "seating:drop",
)  # of a stage


@dataclass
class Things:
    """One of everything that an address can name, all of one competition."""

    club: Club
    round: int
    table: int
    entrant: int
    penalty: int
    invitation: Invitation
    role: int
    book: RuleBook
    free_table: int  # the second one: without sheet, penalty or dispute
    call: int  # of the second table
    dispute: int  # of the table: ruled on, play resumed
    evidence: int
    ban: int  # of the first player, not in force yet
    catalogue: OwnCatalogue  # of the league; no division plays by it
    absent: int  # an entrant who sits nowhere
    adjustment: int  # of the absent one
    seat: int  # of the second table
    feed: str  # the secret part of the player's calendar address
    loose_stage: int  # of open play, in a division of its own
    loose_table: int  # made up there, by players of the first division
    team: int  # sits at the second table
    empty_team: int
    team_penalty: int
    job: int  # the import of a file, under way
    app: int = 0  # the organizer's, for codes
    sessions: dict[str, str] = field(default_factory=dict)  # of roles that are signed in already

    def arguments(self, name: str) -> dict[str, object]:
        """What the page's address needs."""
        wanted = PAGES[name]
        pk = {
            "rounds:round": self.round,
            "results:table": self.table,
            "results:correct": self.table,
            "results:void": self.table,
            "results:undo": self.table,
            "results:confirm": self.table,
            **dict.fromkeys(
                (
                    *("stages:stage", "open_play:settings", "stages:undo", "stages:lots", "stages:numbers"),
                    "teams:season",
                ),
                self.club.stage.pk,
            ),
            **dict.fromkeys(SEATING, self.club.stage.pk),
            "standings:player": self.entrant,
            **dict.fromkeys(("personal_data:erase", "personal_data:player_file"), self.club.players[0].pk),
            "penalties:record": self.entrant,
            "bans:departure": self.entrant,
            "bans:lift": self.ban,
            "penalties:revoke": self.penalty,
            "penalties:undo": self.penalty,
            "penalties:decide": self.penalty,
            "penalties:table_hand": self.table,
            "penalties:table_hand_name": self.table,
            "people:invitation_withdraw": self.invitation.pk,
            "people:role_revoke": self.role,
            "people:role_player": self.role,
            "people:role_allow": self.role,
            "accounts:device_remove": self.app,
            "calls:call": self.table,
            "calls:withdraw": self.table,
            "calls:take": self.call,
            "calls:done": self.call,
            "disputes:new": self.free_table,
            "disputes:dispute": self.dispute,
            "disputes:step": self.dispute,
            "disputes:close": self.dispute,
            "disputes:revoke": self.dispute,
            "disputes:evidence_new": self.dispute,
            "disputes:evidence": self.evidence,
            "substitutions:no_show": self.free_table,
            "substitutions:adjustment_revoke": self.adjustment,
            **dict.fromkeys(
                ("substitutions:absence", "substitutions:entrant_substitute", "substitutions:back"),
                self.absent,
            ),
            **dict.fromkeys(("results:own", "open_play:remove"), self.loose_table),
            **dict.fromkeys(
                (
                    *("calendar:table_time", "calendar:set_time", "calendar:agree", "calendar:disagree"),
                    *("calendar:postpone", "calendar:restore"),
                ),
                self.free_table,
            ),
            "calendar:player_feed": self.entrant,
            **dict.fromkeys(("teams:team", "teams:penalty_new"), self.team),
            **dict.fromkeys(("teams:edit", "teams:remove"), self.empty_team),
            "teams:penalty_revoke": self.team_penalty,
            **dict.fromkeys(
                (
                    "substitutions:seat",
                    "substitutions:substitute",
                    "substitutions:return",
                    "substitutions:forfeit",
                ),
                self.seat,
            ),
        }.get(name, self.entrant if name.startswith("roster:") else self.round)
        values: dict[str, object] = {
            "slug": self.club.league.slug if name in OF_A_LEAGUE else self.club.slug,
            "division": self.club.division.slug,
            "stage": {
                **dict.fromkeys(("rounds:new", "calendar:matchdays"), self.club.stage.pk),
                **dict.fromkeys(
                    [name for name in PAGES if name.startswith("open_play:")] + ["results:slip"],
                    self.loose_stage,
                ),
            }.get(name, self.club.stage.slug),
            "team": self.team,
            "day": (LOOSE_DAY if name == "open_play:day" else timezone.localdate()).isoformat(),
            "feed": self.feed,
            "fmt": "csv",
            "token": self.invitation.token,
            "pk": pk,
            "book": self.book.slug,
            "catalogue": "hkma-2025" if name == "penalty_rules:published" else self.catalogue.slug,
            "number": "1" if name == "accounts:session_end" else 1,
            "code": table_code(self.club.competition, 1),
            "kind": "app" if name == "accounts:device_remove" else "objection",
            "penalty": self.penalty,
            "job": self.job,
            "key": "hkma-a-2025-04" if name == "rule_sets:published" else division_key(self.club.division),
        }
        return {argument: values[argument] for argument in wanted}


def things(slug: str, **options: Any) -> Things:
    here = club(slug, **options)
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    here.add_players(4)  # after the draw: they sit nowhere
    absent = here.competition.entrants.get(player=here.players[-4])
    table = here.table()
    penalty = log_penalty(
        stage=here.stage, player_id=here.players[0].pk, score=-20, reason="late", table=table, by=here.bob
    )
    invitation = Invitation.objects.create(
        competition=here.competition, created_by=here.alice, expires_at=timezone.now() + timedelta(days=14)
    )
    role = Role.objects.get(competition=here.competition, user=here.charlie)
    entrant = here.competition.entrants.get(player=here.players[0])
    rules = copied_rules("tenhou", resolve_rules("tenhou").as_values(), by=here.alice)
    book = create_book(league=here.league, name=f"Rules {slug}", rules=rules, by=here.alice)
    call = call_referee(table=here.table(number=2), by=None)
    dispute, evidence = disputed(here)
    ruled(here)
    made = Things(
        here,
        table.round_id,
        table.pk,
        entrant.pk,
        penalty.pk,
        invitation,
        role.pk,
        book,
        call.table_id,
        call.pk,
        dispute.pk,
        evidence.pk,
        banned(here).pk,
        extended_catalogue(here),
        absent.pk,
        missed_round(here, absent).pk,
        here.table(number=2).seats.get(wind=0).pk,
        address_of_dora(here),
        *made_up(here),
        *teams(here),
        ImportJob.objects.create(league=here.league, user=here.alice, seen_at=timezone.now()).pk,
    )
    being_seated(here)
    made.app = TOTPDevice.objects.create(user=here.alice, name="app").pk
    return made


LOOSE_DAY = date(2026, 5, 3)


def address_of_dora(here: Club) -> str:
    """The secret part of her calendar's address; and the second table is postponed, with a time proposed."""
    postpone_tables(tables=[here.table(number=2)], reason="typhoon", by=here.alice)
    propose_time(table=here.table(number=2), meets_at=timezone.now() + timedelta(days=30), by=here.alice)
    role = Role.objects.get(competition=here.competition, user=here.dora)
    return renew_feed_key(competition=here.competition, role_id=role.pk, by=here.dora).feed_key or ""


def made_up(here: Club) -> tuple[int, int]:
    """A division with a stage of open play and four players, and a table that is open there."""
    rule_set = here.division.rule_set
    division = Division.objects.create(
        competition=here.competition, slug="open", name="Open", position=2, rule_set=rule_set
    )
    stage = Stage.objects.create(division=division, slug="free", name="Free", play=Stage.Play.OPEN)
    here.add_players(4)
    here.competition.entrants.filter(player__in=here.players[-4:]).update(division=division)
    round_ = Round.objects.create(
        stage=stage, number=1, date=LOOSE_DAY, status=Round.Status.OPEN, visibility=Round.Visibility.RESULTS
    )
    table = Table.objects.create(round=round_, number=1)
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, wind=wind, player=player)
        for wind, player in enumerate(here.players[:4])
    )
    return stage.pk, table.pk


def being_seated(here: Club) -> None:
    """The next round is drawn by lot, and no one has accepted it yet."""
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)
    out = frozenset(player.pk for player in here.players[MOST_PLAYERS:])
    asked = PlanRequest(method=LOTS, first=None, out=out)
    begin_seating(stage=stage, asked=asked, seed=1, by=here.alice)


def teams(here: Club) -> tuple[int, int, int]:
    """Four teams at the second table, with two members each and with line-ups, and one without members; the
    numbers of the first and the last, and of a penalty of the first.
    """
    here.competition.team_play = Competition.TeamPlay.LINE_UPS
    here.competition.save(update_fields=["team_play"])
    made = [
        Team.objects.create(competition=here.competition, key=f"t{n}", name=f"Team {n}") for n in range(5)
    ]
    for wind, team in enumerate(made[:4]):
        members = [here.players[wind].pk, here.players[4 + wind].pk]
        here.competition.entrants.filter(player__in=members).update(team=team)
        TeamSeat.objects.create(round=here.rounds[0], table=2, wind=wind, team=team)
        LineUp.objects.create(
            round=here.rounds[0], team=team, player_id=members[1], created_at=timezone.now()
        )
    penalty = log_team_penalty(team=made[0], stage=here.stage, score=-200, reason="late", by=here.alice)
    return made[0].pk, made[4].pk, penalty.pk


def ruled(here: Club) -> None:
    """At the second table: a ban on winning that can be taken back as long as a test runs, and a request."""
    later = timezone.now() + timedelta(hours=1)
    for index, code in enumerate(("A-X", "C-II")):
        log_offence(
            stage=here.stage,
            table=here.table(number=2),
            player_id=here.players[4 + index].pk,
            act=Act(infraction=code, condition=0),
            by=here.bob,
            at=later,
        )
    here.competition.penalties.filter(infraction="C-II").update(status="requested")


def extended_catalogue(here: Club) -> OwnCatalogue:
    """A catalogue of the league's own with one entry."""
    own = create_catalogue(league=here.league, name=f"Offences {here.slug}", base="hkma-2025", by=here.alice)
    entry = {
        "code": "H-1",
        "category": "D",
        "names": {"en": "Smoking at the table"},
        "who": "offender",
        "article": "House rules 4",
        "lines": "",
        "variants": [{"levels": ["2"], "deduction": 20, "win_ban": False}],
    }
    return save_entry(own=own, entry=entry, seen="", by=here.alice)


def banned(here: Club) -> Ban:
    """A ban of the first player that begins in a far future: no one is kept from playing."""
    return set_ban(
        competition=here.competition,
        player_id=here.players[0].pk,
        since=date(2999, 1, 1),
        until=None,
        reason="threw tiles",
        by=here.alice,
    )


def missed_round(here: Club, entrant: Entrant) -> Adjustment:
    """Points for a player who sits nowhere."""
    return add_adjustment(
        stage=here.stage,
        round_=here.rounds[0],
        entrant=entrant,
        kind=Adjustment.Kind.ABSENT,
        score=-300,
        reason="came for round 2",
        by=here.alice,
    )


def disputed(here: Club) -> tuple[Dispute, Evidence]:
    """A dispute at the first table on which a referee has ruled, and a photograph of it."""
    dispute = open_dispute(table=here.table(), subject="Was it called in time?", by=here.bob)
    take_step(dispute=dispute, kind="preliminary", decided="It was.", by=here.bob)
    take_step(dispute=dispute, kind="resumed", by=here.bob)
    photograph = io.BytesIO(picture())
    return dispute, add_evidence(dispute=dispute, photograph=photograph, by=here.bob)


def ready_things(slug: str, **options: str) -> Things:
    """``things`` whose people are all signed in, for many tests (the fixture ``make_once``)."""
    here = things(slug, **options)
    for role in EVERYBODY - {"visitor"}:
        here.sessions[role] = client_of(role, here).cookies[settings.SESSION_COOKIE_NAME].value
    return here


def client_of(role: str, here: Things) -> Client:
    if role in here.sessions:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = here.sessions[role]
        return client
    if role == "administrator":
        found = User.objects.filter(username="root").first()
        return signed_in(found or User.objects.create_superuser("root"))
    people = {
        "stranger": user("mallory"),
        "player": here.club.dora,
        "scorer": here.club.charlie,
        "referee": here.club.bob,
        "organizer": here.club.alice,
    }
    if role in people:
        return signed_in(people[role])
    visitor = Client()  # sits at the first table, and scanned the code there
    visitor.cookies[SCANNED] = table_code(here.club.competition, 1)
    return visitor


# --- addresses and forms


def final_of(here: Things) -> dict[str, object]:
    """What is asked for in the address of a cut."""
    more = {"first": 1, "wild_cards": 1, "wild_card_by": "best_score", "picked": "", "head_starts": "40, 30"}
    asked = {"name": "Final", "source": here.club.stage.pk, "top": 3, "carry": "half", "hanchan": 2}
    return asked | {"seated": "now"} | more


def addresses(name: str, here: Things) -> list[str]:
    """The page's address, and its variants where parameters lead to another form."""
    address = reverse(name, kwargs=here.arguments(name))
    first, second = (player.pk for player in here.club.players[-2:])
    more = {
        "results:enter_round": ["?table=2"],
        "roster:merge": [f"?a={first}&b={second}"],
        "penalties:new": [
            f"?table={here.table}",
            f"?table={here.table}&player={here.entrant}",
            f"?table={here.table}&player={here.entrant}&offence=A-II",
            f"?table={here.table}&player={here.entrant}&offence=other",
            f"?player={here.entrant}",
            f"?player={here.entrant}&stage={here.club.stage.pk}",
        ],
        "seating:by_hand": ["?how=random", "?how=hand", "?how=paste"],
        "seating:my_seat": ["?q=p", f"?player={here.entrant}"],
        "seating:list": ["?by=name"],
        "seating:screen": ["?by=name"],
        "stages:cut": [f"?{urlencode(final_of(here))}"],
        "stages:team_cut": [f"?{urlencode({**final_of(here), 'picked': here.team})}"],
        "seasons:end": [f"?name=Autumn&player_1={first}&to_1=leaves&reason=moved"],
        "seating:plan": ["?new=1", f"?round={here.round}&new=1"],
        "calculator:hand": [
            "?hand=55m234s789p(777z)[1111s]&win=9p",
            "?hand=2345678m456p678s&riichi=1&rules=tenhou",
            f"?hand=234m678p44s(789s)(111p)&rules={division_key(here.club.division)}",
        ],
        "penalty_rules:index": ["?q=食替"],
        "penalty_rules:published": ["?q=A-II"],
        "penalty_rules:house_rule": ["?q=smoking"],
        "penalty_rules:entry": ["?code=H-1", "?code=A-II"],
        "rule_sets:house_rule_new": [
            "?from=hkma-a-2025-04",
            f"?from=own:{here.club.league.slug}:{here.book.slug}:1",
        ],
        "rule_sets:compare": [
            f"?set={division_key(here.club.division)}&set=tenhou",
            "?set=nowhere&set=tenhou&set=kanto&differences=1&sources=1",
        ],
    }
    return [address, *(address + query for query in more.get(name, []))]


@dataclass
class PageForm:
    """A form of a rendered page: where it goes, and every named field with its value.

    Of radio buttons the first is chosen when none is. ``buttons`` are those that say something when pressed.
    """

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def presses(self) -> list[dict[str, list[str]]]:
        """What is sent, for each button that could be pressed."""
        return [self.fields | {name: [value]} for name, value in self.buttons] or [self.fields]

    @property
    def page(self) -> str:
        """The name of the page that takes it; "" where that is none of ours."""
        try:
            return resolve(urlsplit(self.action).path).view_name
        except Resolver404:
            return ""


class FormReader(HTMLParser):
    """``forms_of`` at work: browsers' rules, as far as our pages need them."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.found: list[PageForm] = []
        self.form: PageForm | None = None
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.form = PageForm(urljoin(self.address, at.get("action", "")), at.get("method", "get").lower())
            self.found.append(self.form)
        elif self.form is None:
            return
        elif tag == "option" and self.select:
            self._option(at)
        elif tag == "select":
            self.select = at.get("name", "")
        elif at.get("name") and tag in {"input", "textarea", "button"}:
            self._field(tag, at)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _option(self, at: dict[str, str]) -> None:
        assert self.form is not None
        values = self.form.fields.setdefault(self.select, [at.get("value", "")])
        if "selected" in at:
            values[:] = [at.get("value", "")]

    def _field(self, tag: str, at: dict[str, str]) -> None:
        assert self.form is not None
        name, kind = at["name"], at.get("type")
        value = at.get("value", "on" if kind == "checkbox" else "")
        if kind == "file":
            self.form.files.append(name)
        elif tag == "button":
            self.form.buttons.append((name, value))
        elif kind == "radio":
            if "checked" in at or name not in self.form.fields:
                self.form.fields[name] = [value]
        elif kind != "checkbox" or "checked" in at:
            self.form.fields.setdefault(name, []).append(value)


def forms_of(html: str, address: str) -> list[PageForm]:
    """The forms of a page, in order. A textarea's text is left out: what is typed replaces it."""
    reader = FormReader(address)
    reader.feed(html)
    return reader.found


# --- facts

# Where the facts of each kind name their competition, its league or the league's register.
OWNERS: dict[str, dict[str, str]] = {
    "league_id": {
        "league.League": "pk",
        "league.OwnCatalogue": "league",
        "league.RuleBook": "league",
        "league.RuleSet": "book__league",
        "league.Ban": "league",
        "league.LeagueEntry": "league",
        "league.LogText": "league",
        "league.ImportJob": "league",
    },
    "league__register_id": {
        "players.Register": "pk",
        "players.Club": "register",
        "players.Player": "register",
        "players.FederationNumber": "player__register",
    },
    "pk": {
        "league.RuleSet": "divisions__competition",
        "league.Competition": "pk",
        "league.Division": "competition",
        "league.Stage": "division__competition",
        "league.StageEntrant": "stage__division__competition",
        "league.Lots": "stage__division__competition",
        "league.Team": "competition",
        "league.TeamSeat": "team__competition",
        "league.Lot": "lots__stage__division__competition",
        "league.TeamPenalty": "team__competition",
        "league.LineUp": "team__competition",
        "league.Waiver": "competition",
        "league.Entrant": "competition",
        "league.Role": "competition",
        "league.Invitation": "competition",
        "league.Round": "stage__division__competition",
        "league.Table": "round__stage__division__competition",
        "league.Seat": "round__stage__division__competition",
        "league.Adjustment": "stage__division__competition",
        "league.Presence": "stage__division__competition",
        "league.SittingOut": "round__stage__division__competition",
        "league.SeatingDraft": "stage__division__competition",
        "league.Appointment": "table__round__stage__division__competition",
        "league.Consent": "appointment__table__round__stage__division__competition",
        "league.Sheet": "table__round__stage__division__competition",
        "league.Submission": "competition",
        "league.AuditEntry": "competition",
        "league.Penalty": "competition",
        "league.Dispute": "competition",
        "league.DisputeStep": "dispute__competition",
        "league.Evidence": "dispute__competition",
        "league.Call": "table__round__stage__division__competition",
    },
}


# The table of each kind of fact.
TABLES = {apps.get_model(name)._meta.db_table: name for paths in OWNERS.values() for name in paths}


def facts_of(
    competition: Competition, kinds: Collection[str] = frozenset(TABLES.values())
) -> dict[str, tuple[int, str]]:
    """Kind of fact and whose → how many there are of this competition, and a hash over all their values."""
    found = {}
    for owner, paths in OWNERS.items():
        wanted = {name: path for name, path in paths.items() if name in kinds}
        if not wanted:
            continue
        pk = Competition.objects.values_list(owner, flat=True).get(pk=competition.pk)
        for name, path in wanted.items():
            rows = apps.get_model(name)._default_manager.filter(**{path: pk}).values_list()
            found[f"{name} by {path}"] = (
                len(rows),
                hashlib.sha256(repr(sorted(map(repr, rows))).encode()).hexdigest(),
            )
    return found
