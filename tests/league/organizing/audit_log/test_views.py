"""Pages of a league's log and of a printed code, and prints of the code."""

import io
import json
import re

import openpyxl
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, LeagueEntry, Role
from league.organizing.audit_log.queries import head_code, verify_chain
from league.rules.penalty_rules.services import create_catalogue, rename_catalogue
from league.rules.rule_sets.services import copied_rules, create_book
from scoring.presets import resolve
from tests.factories import Club, club, last_entry, signed_in, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    made = club()
    made.add_round()
    made.record((45000, 35000, 25000, 15000))
    made.competition.refresh_from_db()
    return made


def text(answer) -> str:
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def asked(here: Club, code: str) -> str:
    return text(Client().get(reverse("audit_log:check", args=[here.slug]), {"code": code}))


def league_log(here: Club) -> list[tuple[str, object]]:
    found = LeagueEntry.objects.filter(league=here.league).order_by("sequence")
    return [(entry.action, entry.actor) for entry in found]


# --- a printed code


def test_every_reader_checks_a_code(here):
    number = here.competition.audit_entries.count()
    said = asked(here, head_code(here.competition))
    assert f"This code is in the log of League spring: entry {number}, " in said
    assert "0 entries followed" in said


def test_a_code_that_the_log_lacks_says_what_that_means(here):
    said = asked(here, "999-ABCDE-FGHJK")
    assert "This code is not in the log of League spring." in said
    assert f"The log ends at entry {here.competition.audit_entries.count()}." in said
    assert "Compare the code with the print, and check that it belongs to this competition" in said
    assert "This is not a code." in asked(here, "hello\x00")


@pytest.mark.parametrize(
    ("language", "everyone"), [("ja", "すべてのユーザー"), ("zh-hant", "所有人員"), ("zh-hans", "所有人员")]
)
def test_the_log_of_every_user_is_not_called_that_of_every_player(here, language, everyone):
    alice = signed_in(here.alice)
    alice.cookies["django_language"] = language

    page = alice.get(reverse("audit_log:index", args=[here.slug]))

    assert f'<option value="">{everyone}</option>' in page.content.decode()


def test_the_pages_say_when_a_trigger_is_missing(here):
    with connection.cursor() as cursor:
        table = " ON league_auditentry" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER league_auditentry_only_grows_delete{table}")
    assert "1 database trigger is missing." in asked(here, head_code(here.competition))
    alice = signed_in(here.alice)
    assert "1 database trigger is missing" in text(alice.get(reverse("audit_log:index", args=[here.slug])))
    assert "1 database trigger is missing" in text(
        alice.get(reverse("audit_log:league", args=[here.league.slug]))
    )


@pytest.mark.slow
def test_lists_and_score_sheets_on_paper_workbooks_and_json_hold_the_code(here):
    code = head_code(here.competition)
    staff = signed_in(here.charlie)
    pages = [
        reverse("standings:competition", args=[here.slug]),
        reverse("rounds:round", args=[here.slug, here.rounds[0].pk]),
        reverse("results:table", args=[here.slug, here.table().pk]),
    ]
    for page in pages:
        assert f"Audit log: {code}." in text(staff.get(page, follow=True)), page
        assert code not in text(Client().get(page, follow=True)), page
    found = json.loads(Client().get(reverse("interchange:results", args=[here.slug, "json"])).content)
    assert found["audit_log"] == code
    workbook = Client().get(reverse("interchange:workbook", args=[here.slug])).content
    book = openpyxl.load_workbook(io.BytesIO(workbook), read_only=True)
    assert ("Code of the newest entry", code) in list(book["About"].iter_rows(values_only=True))


# --- the log of a league


def test_settings_and_own_rules_of_a_league_are_logged(here):
    alice = signed_in(here.alice)
    address = reverse("competitions:league_edit", args=[here.league.slug])
    alice.post(address, {"name": "Club Nord", "slug": here.league.slug})
    rules = copied_rules("tenhou", resolve("tenhou").as_values(), by=here.alice)
    create_book(league=here.league, name="House rules", rules=rules, by=here.alice)
    own = create_catalogue(league=here.league, name="Ours", base="hkma-2025", by=here.alice)
    rename_catalogue(own=own, name="Still ours", by=here.alice)

    actions = ["league.create", "league.update", "rules.create", "catalogue.create", "catalogue.update"]
    assert league_log(here) == [(action, here.alice) for action in actions]
    assert verify_chain(here.league).broken_at is None
    page = text(alice.get(reverse("audit_log:league", args=[here.league.slug])))
    assert "changed the league Club Nord name: Club spring → Club Nord" in page
    assert "created the league’s own rules House rules" in page


def test_owners_and_roles_that_are_given_in_the_administration_are_logged(here, admin_client, admin_user):
    dora = user("dora")
    change = reverse("admin:league_league_change", args=[here.league.pk])
    owners = [here.alice.pk, dora.pk]
    answer = admin_client.post(change, {"name": here.league.name, "slug": here.league.slug, "owners": owners})
    assert answer.status_code == 302
    entry = LeagueEntry.objects.latest("pk")
    assert (entry.action, entry.actor, entry.before, entry.after) == (
        "league.update",
        admin_user,
        {"owners": [here.alice.pk]},
        {"owners": owners},
    )

    add = reverse("admin:league_role_add")
    admin_client.post(add, {"competition": here.competition.pk, "user": dora.pk, "kind": "referee"})
    role = Role.objects.get(user=dora, kind="referee")
    assert (last_entry(here.competition).action, last_entry(here.competition).actor) == (
        "role.grant",
        admin_user,
    )
    admin_client.post(reverse("admin:league_role_change", args=[role.pk]), {"kind": "scorer"})
    assert last_entry(here.competition).before["role"] == "referee"
    admin_client.post(reverse("admin:league_role_delete", args=[role.pk]), {"post": "yes"})
    assert (last_entry(here.competition).action, last_entry(here.competition).target) == (
        "role.revoke",
        f"user:{dora.pk}",
    )
    assert AuditEntry.objects.filter(actor=admin_user).count() == 3
