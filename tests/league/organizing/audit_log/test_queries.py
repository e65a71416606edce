"""Codes of the audit log that are printed, texts behind digests, and triggers that are missing."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.models import AuditEntry, LogText, triggers
from league.organizing.audit_log.queries import (
    check_code,
    filter_entries,
    head_code,
    missing_triggers,
    put_back_texts,
    verify_chain,
)
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club, last_entry
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club()


def rewrite(statement: str, *values: object) -> None:
    """Changes the database behind the application's back."""
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    triggers.install(connection)


def log(here: Club, reason: str = "late"):
    return log_penalty(stage=here.stage, player_id=here.players[0].pk, score=-20, reason=reason, by=here.bob)


def fresh(here: Club):
    here.competition.refresh_from_db()
    return here.competition


# --- entries


def test_entries_are_those_of_an_action_and_of_a_person(here):
    log(here)
    entries = AuditEntry.objects.filter(competition=here.competition)

    def found(action: str = "", person: object = "") -> list[str]:
        return [each.action for each in filter_entries(entries, action=action, person=str(person))]

    assert found("penalty.log") == found(person=here.bob.pk) == ["penalty.log"]
    assert found("penalty.log", here.alice.pk) == []
    assert found("penalty.\0") == found(person="x") == found()


# --- codes


@pytest.mark.parametrize("spelled", [str, str.lower, lambda c: c.replace("-", " "), lambda c: f" {c} "])
def test_a_printed_code_leads_to_its_entry_however_it_is_typed(here, spelled):
    code = head_code(here.competition)
    number = here.competition.audit_entries.count()
    log(here)

    report = check_code(here.competition, spelled(code))

    assert report
    assert report.entry
    assert (report.number, report.entry.sequence, report.later, report.is_whole) == (number, number, 1, True)


def test_letters_that_look_like_digits_are_read_as_these(here):
    log(here)
    while not {"0", "1"} <= set(head_code(fresh(here)).partition("-")[2]):
        log(here)
    number, dash, code = head_code(here.competition).partition("-")
    report = check_code(here.competition, number + dash + code.replace("0", "o").replace("1", "l"))
    assert report
    assert report.entry


@pytest.mark.parametrize("typed", ["", "x", "12", "1-ABCDE", "1-ABCDE-FGHIJK", "💥", "9" * 50])
def test_what_is_not_a_code_is_not_looked_up(here, typed):
    assert check_code(here.competition, typed) is None


def test_a_code_of_an_entry_that_was_cut_off_is_not_in_the_log(here):
    log(here)
    code = head_code(fresh(here))
    rewrite("DELETE FROM league_auditentry WHERE id = %s", AuditEntry.objects.latest("pk").pk)

    report = check_code(here.competition, code)

    assert report
    assert (report.entry, report.later, verify_chain(here.competition).broken_at) == (None, -1, None)


def test_a_code_of_a_log_that_was_written_again_is_not_in_it(here):
    log(here)
    code = head_code(fresh(here))
    rewrite(
        "UPDATE league_auditentry SET hash = %s WHERE id = %s", "f" * 64, AuditEntry.objects.latest("pk").pk
    )

    report = check_code(here.competition, code)

    assert report
    assert report.entry is None


def test_a_code_of_another_competition_is_not_in_the_log(here):
    other = club("autumn")
    report = check_code(other.competition, head_code(here.competition))
    assert report
    assert report.entry is None


def test_codes_depend_on_a_key_that_the_database_does_not_hold(here, settings):
    code = head_code(here.competition)
    settings.AUDIT_KEY = "another"
    report = check_code(here.competition, code)
    assert report
    assert report.entry is None


# --- texts


def test_the_log_keeps_a_digest_of_a_reason_and_the_reason_beside_it(here):
    log(here, "Dora came late")
    stored = AuditEntry.objects.filter(competition=here.competition).latest("sequence")

    assert stored.after["reason"].startswith("sha256:")
    put_back_texts([stored])
    assert stored.after["reason"] == "Dora came late"


def test_a_text_that_was_changed_breaks_the_chain_and_one_that_was_erased_does_not(here):
    log(here, "Dora came late")
    assert verify_chain(here.competition).broken_at is None
    text = LogText.objects.get(text="Dora came late")
    LogText.objects.filter(pk=text.pk).update(text="Dora cheated")
    assert verify_chain(here.competition).broken_at == last_entry(here.competition).sequence
    LogText.objects.filter(pk=text.pk).update(text="#1 came late", salt="")
    assert verify_chain(here.competition).broken_at is None


# --- triggers


def test_a_trigger_that_is_missing_is_named_by_the_query_and_by_the_check(here):
    assert missing_triggers() == []
    call_command("check", "--database", "default", "--tag", "database")
    name = "league_auditentry_only_grows"
    with connection.cursor() as cursor:
        table = " ON league_auditentry" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER {name}_update{table}")
    assert missing_triggers() == [f"{name}_update"]
    with pytest.raises(CommandError, match=f"lacks triggers: {name}_update"):
        call_command("check", "--database", "default", "--tag", "database")
