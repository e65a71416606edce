"""Every page of the product, made from the URL configuration; one of everything that an address can name.

``RULES`` says who may open each named page: tests that go through all pages begin here, so that a new page
is either in all of them or fails.
"""

import hashlib
import io
from dataclasses import dataclass, field
from datetime import date, timedelta
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from league.models import (
    Adjustment,
    Ban,
    Competition,
    Dispute,
    Division,
    Evidence,
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
from league.queries.rule_sets import division_key
from league.queries.seating import LOTS, Asked
from league.services.bans import set_ban
from league.services.calendar import renew_feed_key
from league.services.calls import call_referee
from league.services.catalogues import create_catalogue, save_entry
from league.services.disputes import open_dispute, take_step
from league.services.evidence import add_evidence
from league.services.penalties import Act, log_offence, log_penalty
from league.services.people_in_motion import add_adjustment
from league.services.rule_sets import copied_rules, create_book
from league.services.seating import begin_seating
from league.services.table_times import postpone, propose_time
from league.services.teams import log_team_penalty
from scoring.presets import resolve as resolve_rules
from tests.cast import Club, club, signed_in, user
from tests.pictures import picture

EVERYBODY = {"visitor", "stranger", "player", "scorer", "referee", "organizer"}
SIGNED_IN = EVERYBODY - {"visitor"}
SCORERS = {"scorer", "organizer"}
REFEREES = {"referee", "organizer"}
STAFF = {"scorer", "referee", "organizer"}
ORGANIZERS = {"organizer"}

RULES: dict[str, set[str]] = {
    # public
    "home": EVERYBODY,
    "hand": EVERYBODY,
    "competition": EVERYBODY,
    "standings": EVERYBODY,
    "rounds": EVERYBODY,
    "round": EVERYBODY,
    "players": EVERYBODY,
    "player": EVERYBODY,
    "rules": EVERYBODY,
    "rule_sets": EVERYBODY,
    "rule_sets_compare": EVERYBODY,
    "rule_set": EVERYBODY,
    "rule_set_summary": EVERYBODY,
    "rule_set_scores": EVERYBODY,
    "catalogues": EVERYBODY,
    "catalogue": EVERYBODY,
    "division_catalogue": EVERYBODY,
    "revision": EVERYBODY,
    "teams": EVERYBODY,
    "team_standings": EVERYBODY,
    "team": EVERYBODY,
    "download_teams": EVERYBODY,
    "table": EVERYBODY,
    "table_door": EVERYBODY,
    "calendar": EVERYBODY,
    "calendar_feeds": EVERYBODY,
    "competition_feed": EVERYBODY,
    "division_feed": EVERYBODY,
    "player_feed": EVERYBODY,
    "own_feed": EVERYBODY,
    "free_day": EVERYBODY,
    "my_seat": EVERYBODY,
    "screen": EVERYBODY,
    "round_screen": EVERYBODY,
    "seating_list": EVERYBODY,
    "penalties": EVERYBODY,
    "download_standings": EVERYBODY,
    "download_results": EVERYBODY,
    "download_workbook": EVERYBODY,
    "download_penalties": EVERYBODY,
    "signup": EVERYBODY,
    "invitation": EVERYBODY,
    # scores
    "enter": SCORERS,
    "enter_round": SCORERS,
    "sheet_preview": SCORERS,
    "correct": SCORERS,
    "void": SCORERS,
    "confirm": STAFF,
    "free_table": SCORERS,
    "free_result": SCORERS,
    "free_drop": SCORERS,
    # when tables meet: these, and the players of the table
    "table_time": REFEREES,
    "table_postpone": REFEREES,
    "table_restore": REFEREES,
    "table_set_time": ORGANIZERS,
    "table_agree": ORGANIZERS,
    "table_disagree": ORGANIZERS,
    "feed_renew": EVERYBODY - {"visitor", "stranger"},
    # refereeing
    "penalty_new": REFEREES,
    "penalty_revoke": REFEREES,
    "player_record": STAFF,
    "desk": REFEREES,
    "table_codes": REFEREES,
    "table_hand": REFEREES,
    "penalty_undo": REFEREES,
    "penalty_decide": ORGANIZERS,
    "call": EVERYBODY,
    "calls": REFEREES,
    "call_take": REFEREES,
    "call_done": REFEREES,
    "clock_start": REFEREES,
    "disputes": STAFF,
    "dispute_new": STAFF,
    "dispute": STAFF,
    "dispute_step": REFEREES,
    "dispute_close": REFEREES,
    "dispute_revoke": REFEREES,
    "evidence_new": STAFF,
    "evidence": STAFF,
    # organizing
    "competition_new": SIGNED_IN,
    "league": ORGANIZERS,
    "league_edit": ORGANIZERS,
    "rule_books": ORGANIZERS,
    "rule_book_new": ORGANIZERS,
    "rule_book": ORGANIZERS,
    "rule_book_edit": ORGANIZERS,
    "rule_edition": ORGANIZERS,
    "import_file": ORGANIZERS,
    "manage": ORGANIZERS,
    "competition_settings": ORGANIZERS,
    "division_new": ORGANIZERS,
    "division_rules": ORGANIZERS,
    "division_rules_edit": ORGANIZERS,
    "division_rules_move": ORGANIZERS,
    "catalogue_choose": ORGANIZERS,
    "own_catalogues": ORGANIZERS,
    "own_catalogue": ORGANIZERS,
    "own_catalogue_rename": ORGANIZERS,
    "own_catalogue_remove": ORGANIZERS,
    "own_entry": ORGANIZERS,
    "own_entry_remove": ORGANIZERS,
    "own_entry_supersede": ORGANIZERS,
    "stage_new": ORGANIZERS,
    "stage_cut": ORGANIZERS,
    "stage_page": ORGANIZERS,
    "stage_undo": ORGANIZERS,
    "stage_lots": ORGANIZERS,
    "stage_numbers": ORGANIZERS,
    "division_movement": ORGANIZERS,
    "season_end": ORGANIZERS,
    "season_play_off": ORGANIZERS,
    "seating": ORGANIZERS,
    "seating_search": ORGANIZERS,
    "seating_accept": ORGANIZERS,
    "seating_drop": ORGANIZERS,
    "round_new": ORGANIZERS,
    "round_dates": ORGANIZERS,
    "matchdays": ORGANIZERS,
    "stage_play": ORGANIZERS,
    "seat": ORGANIZERS,
    "round_status": ORGANIZERS,
    "round_visibility": ORGANIZERS,
    "round_delete": ORGANIZERS,
    "round_people": ORGANIZERS,
    "round_swap": ORGANIZERS,
    "round_exchange": ORGANIZERS,
    "seat_person": ORGANIZERS,
    "seat_substitute": ORGANIZERS,
    "seat_return": ORGANIZERS,
    "seat_forfeit": ORGANIZERS,
    "entrant_absence": ORGANIZERS,
    "entrant_substitute": ORGANIZERS,
    "entrant_back": ORGANIZERS,
    "adjustment_revoke": ORGANIZERS,
    "manage_teams": ORGANIZERS,
    "teams_paste": ORGANIZERS,
    "team_edit": ORGANIZERS,
    "team_remove": ORGANIZERS,
    "team_cut": ORGANIZERS,
    "team_penalty_new": ORGANIZERS,
    "team_penalty_revoke": ORGANIZERS,
    "round_teams": ORGANIZERS,
    "round_deadline": ORGANIZERS,
    "round_line_ups_seat": ORGANIZERS,
    # these, and the team's captain
    "line_ups": ORGANIZERS,
    "line_up": ORGANIZERS,
    "roster": ORGANIZERS,
    "roster_import": ORGANIZERS,
    "entrant_new": ORGANIZERS,
    "entrant_edit": ORGANIZERS,
    "entrant_remove": ORGANIZERS,
    "entrant_withdraw": ORGANIZERS,
    "entrant_reinstate": ORGANIZERS,
    "roster_preview": ORGANIZERS,
    "role_new": ORGANIZERS,
    "bans": ORGANIZERS,
    "ban_lift": ORGANIZERS,
    "departure_of": ORGANIZERS,
    "departure": ORGANIZERS,
    "merge": ORGANIZERS,
    "people": ORGANIZERS,
    "invitation_new": ORGANIZERS,
    "invitation_withdraw": ORGANIZERS,
    "role_revoke": ORGANIZERS,
    "role_player": ORGANIZERS,
    "audit": ORGANIZERS,
    "download_file": ORGANIZERS,
}


# Pages of a league, not of a competition: strangers find nothing there.
OF_A_LEAGUE = {
    *("league", "league_edit", "import_file"),
    *("rule_books", "rule_book_new", "rule_book", "rule_book_edit", "rule_edition"),
    *("own_catalogues", "own_catalogue", "own_catalogue_rename", "own_catalogue_remove"),
    *("own_entry", "own_entry_remove", "own_entry_supersede"),
}


def patterns(resolver: URLResolver | None = None, prefix: str = "") -> dict[str, URLPattern]:
    """Every named page of the application itself (the framework's own are left out)."""
    found: dict[str, URLPattern] = {}
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if each.app_name != "admin":
                found |= patterns(each, prefix + str(each.pattern))
        elif each.callback.__module__.startswith("league.views") and each.name:
            found[each.name] = each
    return found


PAGES = {name: p for name, p in patterns().items() if name not in {"set_language", "healthz"}}


SEATING = ("seating", "seating_search", "seating_accept", "seating_drop")  # of a stage


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
    loose_stage: int  # of free play, in a division of its own
    loose_table: int  # made up there, by players of the first division
    team: int  # sits at the second table
    empty_team: int
    team_penalty: int
    sessions: dict[str, str] = field(default_factory=dict)  # of roles that are signed in already

    def arguments(self, name: str) -> dict[str, object]:
        """What the page's address needs."""
        wanted = PAGES[name].pattern.converters
        pk = {
            "round": self.round,
            "table": self.table,
            "correct": self.table,
            "void": self.table,
            "confirm": self.table,
            **dict.fromkeys(
                ("stage_page", "stage_play", "stage_undo", "stage_lots", "stage_numbers"), self.club.stage.pk
            ),
            **dict.fromkeys(SEATING, self.club.stage.pk),
            "player": self.entrant,
            "player_record": self.entrant,
            "departure": self.entrant,
            "ban_lift": self.ban,
            "penalty_revoke": self.penalty,
            "penalty_undo": self.penalty,
            "penalty_decide": self.penalty,
            "table_hand": self.table,
            "invitation_withdraw": self.invitation.pk,
            "role_revoke": self.role,
            "role_player": self.role,
            "call": self.table,
            "call_take": self.call,
            "call_done": self.call,
            "dispute_new": self.free_table,
            "dispute": self.dispute,
            "dispute_step": self.dispute,
            "dispute_close": self.dispute,
            "dispute_revoke": self.dispute,
            "evidence_new": self.dispute,
            "evidence": self.evidence,
            "adjustment_revoke": self.adjustment,
            **dict.fromkeys(("entrant_absence", "entrant_substitute", "entrant_back"), self.absent),
            **dict.fromkeys(("free_result", "free_drop"), self.loose_table),
            **dict.fromkeys(
                (
                    *("table_time", "table_set_time", "table_agree", "table_disagree"),
                    *("table_postpone", "table_restore"),
                ),
                self.free_table,
            ),
            "player_feed": self.entrant,
            **dict.fromkeys(("team", "team_penalty_new"), self.team),
            **dict.fromkeys(("team_edit", "team_remove"), self.empty_team),
            "team_penalty_revoke": self.team_penalty,
            **dict.fromkeys(("seat_person", "seat_substitute", "seat_return", "seat_forfeit"), self.seat),
        }.get(name, self.entrant if name.startswith("entrant") else self.round)
        values: dict[str, object] = {
            "slug": self.club.league.slug if name in OF_A_LEAGUE else self.club.slug,
            "division": self.club.division.slug,
            "stage": {
                **dict.fromkeys(("round_new", "matchdays"), self.club.stage.pk),
                **dict.fromkeys(("free_table", "free_day"), self.loose_stage),
            }.get(name, self.club.stage.slug),
            "team": self.team,
            "day": LOOSE_DAY.isoformat(),
            "feed": self.feed,
            "fmt": "csv",
            "token": self.invitation.token,
            "pk": pk,
            "book": self.book.slug,
            "catalogue": "hkma-2025" if name == "catalogue" else self.catalogue.slug,
            "number": 1,
            "kind": "objection",
            "penalty": self.penalty,
            "key": "hkma-a-2025-04" if name == "rule_set" else division_key(self.club.division),
        }
        return {argument: values[argument] for argument in wanted}


def things(slug: str, **options: str) -> Things:
    here = club(slug, **options)
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    here.add_players(4)  # after the draw: they sit nowhere
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
        here.competition.entrants.get(player=here.players[8]).pk,
        missed_round(here).pk,
        here.table(number=2).seats.get(wind=0).pk,
        address_of_dora(here),
        *made_up(here),
        *teams(here),
    )
    being_seated(here)
    return made


LOOSE_DAY = date(2026, 5, 3)


def address_of_dora(here: Club) -> str:
    """The secret part of her calendar's address; and the second table is postponed, with a time proposed."""
    postpone(tables=[here.table(number=2)], reason="typhoon", by=here.alice)
    propose_time(table=here.table(number=2), meets_at=timezone.now() + timedelta(days=30), by=here.alice)
    role = Role.objects.get(competition=here.competition, user=here.dora)
    return renew_feed_key(competition=here.competition, role_id=role.pk, by=here.dora).feed_key or ""


def made_up(here: Club) -> tuple[int, int]:
    """A division with a stage of free play and four players, and a table that is open there."""
    rule_set = here.division.rule_set
    division = Division.objects.create(
        competition=here.competition, slug="open", name="Open", position=2, rule_set=rule_set
    )
    stage = Stage.objects.create(division=division, slug="free", name="Free", play=Stage.Play.FREE)
    here.add_players(4)
    here.competition.entrants.filter(player__in=here.players[12:]).update(division=division)
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
    """The next round is drawn by lot, and nobody has accepted it yet."""
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)
    begin_seating(stage=stage, asked=Asked(method=LOTS, first=None), seed=1, by=here.alice)


def teams(here: Club) -> tuple[int, int, int]:
    """Four teams at the second table, with two members each and with line-ups, and one without anybody; the
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
        LineUp.objects.create(round=here.rounds[0], team=team, player_id=members[1], at=timezone.now())
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
    """A ban of the first player that begins in a far future: nobody is kept from playing."""
    return set_ban(
        competition=here.competition,
        player_id=here.players[0].pk,
        since=date(2999, 1, 1),
        until=None,
        reason="threw tiles",
        by=here.alice,
    )


def missed_round(here: Club) -> Adjustment:
    """Points for the first of those who sit nowhere."""
    entrant = here.competition.entrants.get(player=here.players[8])
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
    """``things`` whose people are all signed in, for many tests (the fixture ``made_once``)."""
    here = things(slug, **options)
    for role in EVERYBODY - {"visitor"}:
        here.sessions[role] = client_of(role, here).cookies[settings.SESSION_COOKIE_NAME].value
    return here


def client_of(role: str, here: Things) -> Client:
    if role in here.sessions:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = here.sessions[role]
        return client
    people = {
        "stranger": user("mallory"),
        "player": here.club.dora,
        "scorer": here.club.charlie,
        "referee": here.club.bob,
        "organizer": here.club.alice,
    }
    return signed_in(people[role]) if role in people else Client()


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
        "enter_round": ["?table=2"],
        "merge": [f"?a={first}&b={second}"],
        "penalty_new": [
            f"?table={here.table}",
            f"?table={here.table}&player={here.entrant}",
            f"?table={here.table}&player={here.entrant}&offence=A-II",
            f"?table={here.table}&player={here.entrant}&offence=other",
            f"?player={here.entrant}",
            f"?player={here.entrant}&stage={here.club.stage.pk}",
        ],
        "seat": ["?how=random", "?how=hand", "?how=paste"],
        "my_seat": ["?q=p", f"?player={here.entrant}"],
        "seating_list": ["?by=name"],
        "screen": ["?by=name"],
        "stage_cut": [f"?{urlencode(final_of(here))}"],
        "team_cut": [f"?{urlencode({**final_of(here), 'picked': here.team})}"],
        "season_end": [f"?name=Autumn&player_1={first}&to_1=leaves&reason=moved"],
        "seating": ["?new=1", f"?round={here.round}&new=1"],
        "hand": [
            "?hand=55m234s789p(777z)[1111s]&win=9p",
            "?hand=2345678m456p678s&riichi=1&rules=tenhou",
            f"?hand=234m678p44s(789s)(111p)&rules={division_key(here.club.division)}",
        ],
        "catalogues": ["?q=食替"],
        "catalogue": ["?q=A-II"],
        "own_catalogue": ["?q=smoking"],
        "own_entry": ["?code=H-1", "?code=A-II"],
        "rule_book_new": ["?from=hkma-a-2025-04", f"?from=own:{here.club.league.slug}:{here.book.slug}:1"],
        "rule_sets_compare": [
            f"?set={division_key(here.club.division)}&set=tenhou",
            "?set=nowhere&set=tenhou&set=kanto&differences=1&sources=1",
        ],
    }
    return [address, *(address + query for query in more.get(name, []))]


@dataclass
class PageForm:
    """A form of a rendered page: where it goes, and every named field with the value it stands at.

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
            return resolve(urlsplit(self.action).path).url_name or ""
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
        "league.TeamLots": "stage__division__competition",
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


def facts_of(competition: Competition) -> dict[str, tuple[int, str]]:
    """Kind of fact and whose → how many there are of this competition, and a hash over all their values."""
    found = {}
    for owner, paths in OWNERS.items():
        pk = Competition.objects.values_list(owner, flat=True).get(pk=competition.pk)
        for name, path in paths.items():
            rows = apps.get_model(name)._default_manager.filter(**{path: pk}).values_list()
            found[f"{name} by {path}"] = (
                len(rows),
                hashlib.sha256(repr(sorted(map(repr, rows))).encode()).hexdigest(),
            )
    return found
