"""`verify` finds what the database cannot refuse: edits past it, cut logs, lost triggers and photographs."""

from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from league.core.changes import entry_hash
from league.models import AuditEntry, triggers
from league.organizing.audit_log.queries import Head, head, head_code, heads, read_heads
from league.organizing.backups.services import make_backup
from tests.factories import Club, club
from tests.league.organizing.backups.test_backup import photograph

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def verify(capsys):
    """`verify(…)`: the lines on stdout and on stderr."""

    def ran(*options: object) -> tuple[list[str], list[str]]:
        with suppress(SystemExit):
            call_command("verify", *map(str, options))
        said = capsys.readouterr()
        return said.out.splitlines(), said.err.splitlines()

    return ran


def rewrite(here: Club) -> None:
    """Another action in the first entry, and every hash after it made to fit."""
    triggers.remove(connection)
    previous = "0" * 64
    for entry in AuditEntry.objects.filter(competition=here.competition).order_by("sequence"):
        entry.action = "something.else" if entry.sequence == 1 else entry.action
        entry.previous_hash = previous
        entry.hash = previous = entry_hash(entry)
        entry.save()
    triggers.install(connection)


def cut(here: Club) -> None:
    triggers.remove(connection)
    AuditEntry.objects.filter(competition=here.competition).latest("sequence").delete()
    triggers.install(connection)


def test_a_whole_database_prints_the_heads_to_keep(verify):
    here = club()

    out, err = verify()

    newest = AuditEntry.objects.latest("sequence")
    assert out[0] == f"c/spring {newest.sequence} {newest.hash}"
    assert out[1].startswith("leagues/spring 1 ")
    assert out[2].startswith("The database is whole")
    assert err == []
    assert heads()[0] == Head(head(here.competition), newest.sequence, "c/spring")


def test_missing_triggers_are_noticed_and_can_be_made_again(verify):
    gone = "league_auditentry_only_grows_update"
    with connection.cursor() as cursor:
        on = "" if connection.vendor == "sqlite" else "ON league_auditentry"
        cursor.execute(f"DROP TRIGGER {gone} {on}")

    _out, err = verify()

    said = [f"Triggers are missing: {gone}. Run manage.py verify --install-triggers."]
    assert err == said
    lost = "No audit log holds this head: 0123456789abcdef0123. It was cut or rewritten."
    assert verify("--heads", "0123456789abcdef0123")[1] == [*said, lost]  # one fault does not hide another
    assert verify("--install-triggers")[1] == []


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="SQLite cannot switch off a trigger")
def test_a_trigger_that_is_switched_off_is_missing():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE league_auditentry DISABLE TRIGGER league_auditentry_only_grows_update")

    assert triggers.missing(connection) == ["league_auditentry_only_grows_update"]
    triggers.install(connection)


def test_a_missing_photograph_is_noticed(verify):
    kept = photograph(club())
    Path(kept.file.path).unlink()

    assert verify()[1] == [f"{kept.file.name}: this photograph is not in the folder EVIDENCE_DIR."]


@pytest.mark.parametrize("tampered", [rewrite, cut])
def test_a_rewritten_or_cut_log_is_found_by_a_head_kept_elsewhere(verify, tmp_path, tampered):
    here = club()
    hash_, code = head(here.competition)[:20], head_code(here.competition)
    (tmp_path / "lines.txt").write_text("\n".join(verify()[0]))
    make_backup(tmp_path / "kept.zip", at=timezone.now())
    kept = (hash_, code, tmp_path / "lines.txt", tmp_path / "kept.zip")
    assert [verify("--heads", each)[1] for each in kept] == [[]] * 4

    tampered(here)

    assert verify()[1] == []  # by itself the log fits
    for each in kept:
        ((line,)) = verify("--heads", each)[1]
        assert line.startswith("No audit log holds this head:")
        assert (code if each == code else hash_) in line


def test_a_head_is_found_although_the_log_grew(verify):
    here = club()
    kept = head(here.competition)
    here.add_round()

    assert verify("--heads", kept)[1] == []


@pytest.mark.parametrize("typed", ["", "xyz", "abc123", "/nowhere/heads.txt"])
def test_a_text_that_is_neither_a_file_nor_a_head_is_refused(verify, typed):
    assert "is neither a file with heads nor a head" in verify("--heads", typed)[1][0]


def test_heads_are_read_from_lines_of_any_text():
    text = "Umaoka\nc/spring 12 0123456789abcdef0123\nHead: 00112233445566778899\nCode 217-K7QF2-M9XAB\n"

    assert read_heads(text) == [
        Head("0123456789abcdef0123", 12, "c/spring"),
        Head("00112233445566778899"),
        Head("217-K7QF2-M9XAB"),
    ]
