"""The submissions that `test_bad_input` breaks are saved as long as nothing in them is broken."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from league.models import Competition, Entrant, Presence, Role, RuleSet, Seat, Sheet, Table
from league.play.results.proposals import propose_sheet
from league.play.results.queries.proposals import undecided_penalties
from league.referees.penalties.services.decisions import decide_request
from league.rules.penalty_rules.services import save_entry
from tests.hostile_input import Hostile, World, make_world
from tests.pages.rules import PAGES
from tests.pages.things import Things, client_of
from tests.submissions import FORM, READ, roles_for, submissions, take_post

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(make_once: Callable[..., Callable[[], World]]) -> World:
    """Made once, and not copied: requests change the database alone."""
    return make_once(make_world)()


# Answered by the next step.
NO_FORM = {
    *("rule_sets:division_rules", "rule_sets:division_rules_edit", "rule_sets:division_rules_move"),
    *("roster:import", "roster:preview", "interchange:import"),
    *("brought:bring", "brought:preview", "brought:undo"),  # want a list, or one that was saved
    # Refused as things are: a dispute is open at one of two tables, and no one sits for someone else.
    *("substitutions:exchange", "substitutions:return", "substitutions:back"),
    *("calls:withdraw", "calls:undo"),  # the table has not called, and its call is open
    "hands:write",  # shows who pays what, then asks to confirm
    # The organizer proposes and agrees, no referee; and takes nothing back for players.
    *("calendar:table_time", "calendar:disagree"),
    "open_play:settings",  # has its rounds
    *("game_logs:upload", "game_logs:preview"),  # want files
    "accounts:first",  # accounts exist
    *("accounts:app_new", "accounts:passkey_new", "accounts:codes", "api:tokens"),  # show what they made
    *("personal_data:own", "personal_data:erase"),  # want the password, a tick
    *("personal_data:own_file", "personal_data:player_file"),  # answer with a file
    "registration:own_data",  # answers with a file
    *("registration:numbers", "reports:forms", "reports:logo"),  # want a file
    # need closed rounds, equals at the line, a stage with a cut
    *("stages:cut", "stages:team_cut", "stages:lots", "stages:undo"),
    "competitions:finish",  # needs closed rounds
    # need a signed sheet, a result of teams, a ceremony
    *("hall:approve", "hall:ceremony", "hall:ceremony_reveal", "hall:ceremony_end"),
    *("teams:season", "teams:unseat"),  # need eight teams and no seated round, or one without line-ups
    *("seasons:movement", "seasons:end", "seasons:play_off"),  # need two divisions, a season that is over
}


def test_unbroken_the_submissions_that_wait_for_something_are_saved(world):
    assert [name for name in PREPARED if not is_saved(name, world)] == []


@pytest.mark.slow
def test_unbroken_the_submissions_are_saved(world, settings):
    """Otherwise bad values would not get past the first check. Each page is tried alone, and undone."""
    settings.OPEN_SIGNUP = True
    takes = take_post(world.here)
    assert takes >= NO_FORM
    assert takes >= NO_FACT
    assert takes - NO_FORM - {name for name in takes - NO_FORM if is_saved(name, world)} == NO_FACT


def faults_after_a_refusal(name: str, here: Things) -> list[str] | None:
    """Return the faults of the page that this address renders for an empty form, or None if it has another
    page.
    """
    address, client = reverse(name, kwargs=here.arguments(name)), client_of(roles_for(name)[-1], here)
    asked, refused = client.get(address), client.post(address)
    if refused.status_code != 422 or asked.status_code == 200:
        return None
    if asked.status_code != 303 or client.get(asked.url).status_code != 200:
        return ["leads to no page"]
    forms = re.findall(r"<form\b[^>]*>", refused.content.decode())
    return [form for form in forms if ' action="/' not in form]


# Pages that have no address of their own.
WITHOUT_PAGE = {"penalties:decide", "teams:deadline", "substitutions:adjustment_revoke"}


def test_three_pages_that_refused_a_form_lead_to_their_address_and_all_their_forms_have_theirs(world):
    assert [faults_after_a_refusal(name, world.here) for name in WITHOUT_PAGE] == [[], [], []]


@pytest.mark.slow
def test_a_page_that_refused_a_form_leads_to_its_address_and_all_its_forms_have_theirs(world):
    faults = {name: faults_after_a_refusal(name, world.here) for name in take_post(world.here) & set(PAGES)}
    shown = {name: found for name, found in faults.items() if found is not None}
    assert {name: found for name, found in shown.items() if found} == {}
    assert shown.keys() >= WITHOUT_PAGE


# Writes of the person or the browser only.
NO_FACT = {
    *("accounts:device_remove", "accounts:email", "accounts:second", "accounts:security_allow"),
    *(
        "accounts:session_end",
        "accounts:sessions_end",
        "audit_log:seen",
        "people:role_allow",
        "people:signup",
        "seating:my_seat",
        "calls:claim",
        "calls:round_code",
        "calls:type_code",
        "calls:type_code_here",
        "results:practice",
    ),
    # Sent as they are shown, they change nothing: no field of theirs is left empty for words.
    *("competitions:settings_referees", "competitions:settings_results"),
    *("competitions:settings_tables", "competitions:settings_teams"),
    # A competition has no fact that says who gets notices. They need a known player, or a link of a mail.
    *("notices:push_on", "notices:mail_on", "notices:channel_off", "notices:channel_test"),
    *("notices:off", "notices:confirm"),
}


def with_hidden_round(here: Things) -> Things:
    return replace(here, round=here.club.add_round(visibility="hidden").pk)


def with_clock(here: Things) -> Things:
    rule_set = here.club.division.rule_set
    RuleSet.objects.filter(pk=rule_set.pk).update(values=rule_set.values | {"minutes": 75, "extra_hands": 1})
    return with_hidden_round(here)


def with_newcomer(here: Things) -> Things:
    """Enter a player without a seat."""
    here.club.add_players(1)
    player = here.club.players.pop()
    return replace(here, entrant=here.club.competition.entrants.get(player=player).pk)


def withdrawn(here: Things) -> Things:
    Entrant.objects.filter(pk=here.entrant).update(withdrawn_at=timezone.now())
    return here


def entered_by_bob(here: Things) -> Things:
    Sheet.objects.filter(table=here.table, is_current=True).update(
        status=Sheet.Status.ENTERED, entered_by=here.club.bob, confirmed_by=None, confirmed_at=None
    )
    return here


def entered_now(here: Things) -> Things:
    """A result can be undone for some seconds."""
    Sheet.objects.filter(table=here.table, is_current=True).update(entered_at=timezone.now())
    return here


def four_who_came(here: Things) -> Things:
    for entrant in Entrant.objects.filter(division__stages=here.loose_stage):
        Presence.objects.create(stage_id=here.loose_stage, day=timezone.localdate(), entrant=entrant)
    return here


def with_second_entry(here: Things) -> Things:
    own, code = here.club.league.catalogues.get(), "H-2"
    save_entry(own=own, entry={**own.entries[0], "code": code}, seen="", by=here.club.alice)
    return here


def with_nothing_open(here: Things) -> Things:
    """A round with a missing table or an undecided penalty is not closed at once."""
    stage = here.club.stage
    for table in Table.objects.filter(round__stage=stage).exclude(sheets__is_current=True):
        points = (45_000, 35_000, 25_000, 15_000)
        here.club.record(points, round_number=table.round.number, number=table.number)
    for penalty in undecided_penalties(Table.objects.filter(round__stage=stage)):
        decide_request(penalty=penalty, verdict="decline", reason="no", by=here.club.alice)
    return here


def with_proposal(here: Things) -> Things:
    """The players of the table that was made up typed its sheet, and four of them have to sign."""
    table = Table.objects.select_related(
        "round__stage__division__competition", "round__stage__division__rule_set"
    ).get(pk=here.loose_table)
    propose_sheet(
        table=table,
        points=(45_000, 35_000, 25_000, 15_000),
        based_on=0,
        seated=list(table.seats.order_by("wind").values_list("player_id", flat=True)),
        by=None,
    )
    return here


def with_proposal_to_approve(here: Things) -> Things:
    Competition.objects.filter(pk=here.club.competition.pk).update(signatures="none")
    return with_proposal(here)


# What a page waits for, where it is not so.
PREPARED: dict[str, Callable[[Things], Things]] = {
    "calls:clock_start": with_clock,
    "open_play:draw": four_who_came,
    "penalty_rules:entry_supersede": with_second_entry,
    "results:approve": with_proposal_to_approve,
    "results:confirm": entered_by_bob,
    "results:object": with_proposal,
    "results:sign": with_proposal,
    "results:undo": entered_now,
    "roster:reinstate": withdrawn,
    "roster:remove": with_newcomer,
    "rounds:delete": with_hidden_round,
    "rounds:publish": with_hidden_round,
    "rounds:status": with_nothing_open,
}
# Others may open the page, and are asked for something first: the code of the table, a seat there.
SAVED_BY = dict.fromkeys(
    ("calls:call", "calls:tell", "results:own", "results:at_table", "results:sign", "results:object"),
    "player",
)


def let_dora_enter_her_own(here: Things) -> None:
    """She plays at the table that was made up, and another player has to confirm what she enters."""
    player = Seat.objects.filter(table=here.loose_table).first().player
    Role.objects.filter(user=here.club.dora).update(player=player)
    Competition.objects.filter(pk=here.club.competition.pk).update(counting=Competition.Counting.CONFIRMED)


# A change locks and versions these before it may be refused.
LOCKED = {f"league.{each}" for each in ("Competition", "Division", "Stage", "Round", "Table")}


def is_saved(name: str, world: World) -> bool:
    # What a page waits for changes the forms of others.
    with transaction.atomic(), patch.dict(READ, clear=name in PREPARED):
        let_dora_enter_her_own(world.here)
        here = PREPARED.get(name, lambda here: here)(world.here)
        hostile = Hostile(SAVED_BY.get(name, roles_for(name)[0]), world)
        saved = any(
            hostile.post(address, urlencode(fields, doseq=True).encode(), FORM) == 302
            and hostile.written - LOCKED
            for address, fields, _files in submissions(name, here, hostile.role)
        )
        transaction.set_rollback(True)
    assert hostile.failed == []
    return saved


TYPED = {
    "place",
    "name",
    "romanized",
    "club",
    "numbers",
    "league_name",
    "division_names",
    "reason",
    "note",
    "username",
} | {*("subject", "said", "place"), *("name_en", "article", "c0-condition_en")}


@pytest.mark.slow
def test_no_form_saves_a_character_that_cannot_be_seen(world, settings):
    settings.OPEN_SIGNUP = True
    saved, tried = [], set()
    for name in sorted(take_post(world.here) - NO_FORM):
        hostile = Hostile(roles_for(name)[-1], world)
        for address, fields, _files in submissions(name, world.here, hostile.role)[:-1]:
            for field, bad in product(TYPED & set(fields), ("a\u202eb", "a\0b")):
                body = urlencode(fields | {field: [bad]}, doseq=True).encode()
                tried.add(field)
                if hostile.post(address, body, FORM) == 302:
                    saved.append((name, field, bad))
    assert saved == []
    assert tried >= TYPED - {"username", "league_name", "divisions"}
