"""One of everything that an address can name, and the people who come to it."""

import io
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.core.door import scanned_sheet, screen_key, table_code
from league.core.qr import SCANNED
from league.extras.api.services import make_token
from league.extras.notices.services import confirm_token, off_token
from league.extras.reports.exports.forms import sample_form
from league.extras.reports.logos import safe_logo
from league.extras.webhooks.services import save_webhook, send_test
from league.models import (
    Adjustment,
    Ban,
    Channel,
    Competition,
    Dispute,
    Division,
    Entrant,
    Evidence,
    FederationForm,
    ImportJob,
    Invitation,
    LineUp,
    Logo,
    Outgoing,
    OwnCatalogue,
    Registrant,
    Role,
    Round,
    RuleBook,
    Screen,
    Seat,
    Stage,
    Table,
    Team,
    TeamSeat,
)
from league.organizing.seating.queries.seating import LOTS, PlanRequest
from league.organizing.seating.services.drafts import begin_seating
from league.play.bans.services import set_ban
from league.play.calendar.services.calendar import renew_feed_key
from league.play.calendar.services.table_times import postpone_tables, propose_time
from league.play.calls.services import call_referee
from league.play.disputes.services import add_evidence, open_dispute, take_step
from league.play.substitutions.services.substitutions import add_adjustment
from league.ranking.teams.services import log_team_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from league.rules.penalty_rules.services import create_catalogue, save_entry
from league.rules.rule_sets.queries.rule_sets import division_key
from league.rules.rule_sets.services import copied_rules, create_book
from scoring.presets import resolve as resolve_rules
from scoring.seating.schedule import MOST_PLAYERS
from tests.factories import Club, club, signed_in, user
from tests.league.extras.registration.kit import enrol, open_registration, sign_up
from tests.pages.rules import EVERYONE, OF_A_LEAGUE, PAGES
from tests.pictures import picture
from tests.written_again import written_again

NO_ONE = "http://127.0.0.1:9/hook"  # named in tests/settings.py


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
    channel: Channel  # of the mails of Dora, who is linked to the first player
    unconfirmed: Registrant  # of the first division
    doubtful: Registrant  # accepted, with the name of a player, so that no one knows who it is
    form: int  # of a federation
    app: int = 0  # the organizer's, for codes
    webhook: int = 0
    delivery: int = 0  # to the webhook: sent
    token: int = 0  # of the API
    sessions: dict[str, str] = field(default_factory=dict)  # of roles that are signed in already

    def arguments(self, name: str) -> dict[str, object]:
        """What the page's address needs."""
        wanted = PAGES[name]
        named = (
            (self.round, "rounds:round"),
            (
                self.table,
                "results:table results:table_versions results:correct results:void results:undo "
                "results:confirm penalties:table_hand penalties:table_hand_name calls:call calls:withdraw "
                "hands:table hands:state hands:write needs:at_table needs:table "
                "hall:commentary hall:commentary_version",
            ),
            (
                self.club.stage.pk,
                "stages:stage open_play:settings stages:undo stages:lots stages:numbers teams:season "
                "teams:unseat needs:stage_end standings:rankings_keep "
                "seating:plan seating:next_round seating:search seating:numbers seating:accept "
                "seating:drop",
            ),
            (
                self.entrant,
                "standings:player standings:player_picture penalties:record bans:departure "
                "calendar:player_feed embeds:player statistics:player statistics:career statistics:profile "
                "needs:player",
            ),
            (self.club.players[0].pk, "personal_data:erase personal_data:player_file"),
            (self.ban, "bans:lift"),
            (self.penalty, "penalties:revoke penalties:undo penalties:decide"),
            (self.invitation.pk, "people:invitation_withdraw"),
            (self.channel.pk, "notices:channel_off notices:channel_test"),
            (self.role, "people:role_revoke people:role_player people:role_allow"),
            (self.app, "accounts:device_remove"),
            (self.token, "api:token_revoke"),
            (self.call, "calls:take calls:done calls:undo"),
            (
                self.free_table,
                "disputes:new substitutions:no_show calendar:table_time calendar:set_time "
                "calendar:agree calendar:disagree calendar:postpone calendar:restore",
            ),
            (
                self.dispute,
                "disputes:dispute disputes:step disputes:close disputes:revoke disputes:evidence_new",
            ),
            (self.evidence, "disputes:evidence"),
            (self.adjustment, "substitutions:adjustment_revoke"),
            (self.absent, "substitutions:absence substitutions:entrant_substitute substitutions:back"),
            (
                self.loose_table,
                "results:own open_play:remove calls:table calls:tell calls:claim calls:round_code "
                "results:at_table results:sign results:object",
            ),
            (
                self.unconfirmed.pk,
                "registration:own registration:own_confirm registration:own_withdraw "
                "registration:own_erase registration:own_data",
            ),
            (
                self.doubtful.pk,
                "registration:entry registration:enter registration:erase",
            ),
            (self.team, "teams:team teams:penalty_new needs:team"),
            (
                self.webhook,
                "webhooks:webhook webhooks:test webhooks:pause webhooks:rotate webhooks:remove "
                "webhooks:again",
            ),
            (self.empty_team, "teams:edit teams:remove"),
            (self.team_penalty, "teams:penalty_revoke"),
            (
                self.seat,
                "substitutions:seat substitutions:substitute substitutions:return substitutions:forfeit",
            ),
        )
        links = {"notices:off": off_token, "notices:confirm": confirm_token}
        pk = {page: value for value, pages in named for page in pages.split()}.get(
            name, self.entrant if name.startswith("roster:") else self.round
        )
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
            "token": links[name](self.channel) if name in links else self.invitation.token,
            "language": "ja",
            "pk": pk,
            "book": self.book.slug,
            "catalogue": "hkma-2025" if name == "penalty_rules:published" else self.catalogue.slug,
            "number": "1" if name == "accounts:session_end" else 1,
            "code": table_code(self.club.division, 1),
            "kind": "app" if name == "accounts:device_remove" else "objection",
            "penalty": self.penalty,
            "job": self.job,
            "secret": self.unconfirmed.code,
            "screen": "left",
            "delivery": self.delivery,
            "form": self.form,
            "key": {
                "rule_sets:published": "hkma-a-2025-04",
                "hall:screen_codes": screen_key(self.club.competition),
                "brought:saving": "00000000-0000-4000-8000-000000000000",  # nothing is being saved
            }.get(name, division_key(self.club.division)),
        }
        return {argument: values[argument] for argument in wanted}


@written_again
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
        # Under way during a long walk, too.
        ImportJob.objects.create(
            league=here.league, user=here.alice, seen_at=timezone.now() + timedelta(hours=2)
        ).pk,
        mailed_notices(here),
        *registered(here),
        papers_of(here),
    )
    being_seated(here)
    Screen.objects.create(competition=here.competition, slug="left", name="Left", shows="seats")
    made.webhook, made.delivery = webhook_of(here)
    make_token(competition=here.competition, name="Club site", role="player", days=7, by=here.alice)
    made.token = here.competition.api_tokens.get().pk
    made.app = TOTPDevice.objects.create(user=here.alice, name="app").pk
    return made


def mailed_notices(here: Club) -> Channel:
    """Dora's notices by mail about the first player."""
    now = timezone.now()
    own = {"entrant": here.competition.entrants.get(player=here.players[0]), "user": here.dora}
    own |= {"address": f"dora@{here.slug}.example", "language": "en", "site": "http://testserver"}
    return Channel.objects.create(kind="mail", created_at=now, confirmed_at=now, **own)


def papers_of(here: Club) -> int:
    """The form of a federation, and the logo of the league."""
    Logo.objects.create(
        league=here.league, content=safe_logo(io.BytesIO(picture())), changed_at=timezone.now()
    )
    form = FederationForm(league=here.league, name="Sample", content=sample_form(), changed_at=timezone.now())
    form.save()
    return form.pk


LOOSE_DAY = date(2026, 5, 3)


def webhook_of(here: Club) -> tuple[int, int]:
    """Add an address at which no one listens, and an event that was sent there."""
    values = {"kind": "events", "address": NO_ONE, "language": "en", "name": f"Signed {here.slug}"}
    made = save_webhook(competition=here.competition, site="http://testserver", by=here.alice, **values)
    send_test(webhook=made, by=here.alice)
    Outgoing.objects.filter(stream=made.stream).update(sent_at=timezone.now())
    return made.pk, Outgoing.objects.get(stream=made.stream).pk


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


def registered(here: Club) -> tuple[Registrant, Registrant]:
    """Registration for the first division: a person who has not confirmed, and one like a player."""
    registration = open_registration(here, number="optional", question="Vegetarian?", places=32)
    unconfirmed = sign_up(registration, f"Nora {here.slug}")
    return unconfirmed, enrol(registration, here.players[0].name)


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
            infraction=code,
            condition=0,
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


@written_again
def ready_things(slug: str, **options: str) -> Things:
    """``things`` whose people are all signed in, for many tests (the fixture ``make_once``)."""
    here = things(slug, **options)
    for role in EVERYONE - {"visitor"}:
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
    visitor = Client()  # sits at the first table, and scanned the sheet there
    visitor.cookies[SCANNED] = scanned_sheet(here.club.table())
    return visitor
