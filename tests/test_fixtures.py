"""The test bench itself: emptying a database whose audit log refuses it, and a PostgreSQL of one's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction

from league.models import AuditEntry
from league.organizing.competitions.services import create_league
from tests.factories import club, user
from tests.postgres import find_binaries

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("time", ["first", "second", "third"])
@pytest.mark.django_db(transaction=True)
def test_the_audit_log_refuses_deletion_in_every_test_that_empties_the_tables(time):
    assert AuditEntry.objects.count() == 0
    club("spring")
    assert AuditEntry.objects.count() > 0

    with (
        pytest.raises(DatabaseError, match="only grows"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM league_auditentry")


@pytest.mark.django_db
def test_a_test_in_a_transaction_leaves_nothing_behind():
    create_league(name="Spring", slug="spring", by=user("alice"))

    assert connection.in_atomic_block


def run_on_postgres(*command):
    return subprocess.run(
        [sys.executable, "-m", "tests.postgres", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.skipif(find_binaries() is None, reason="PostgreSQL's initdb and pg_ctl are not on this machine")
def test_a_cluster_lives_for_one_command_and_hands_on_its_status():
    code = (
        "import os, psycopg, sys;"
        "print(psycopg.connect(os.environ['DATABASE_URL']).execute('SHOW data_directory').fetchone()[0]);"
        "sys.exit(7)"
    )

    done = run_on_postgres(sys.executable, "-c", code)

    assert (done.returncode, done.stderr) == (7, "")
    data = Path(done.stdout.strip())
    assert data.name == "data"
    assert not data.parent.exists()


def test_without_its_programs_postgresql_is_skipped_plainly():
    code = "import tests.postgres as p, sys; p.find_binaries = lambda: None; sys.exit(p.main(['never-run']))"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=os.environ, check=False
    )

    assert done.returncode == 0
    assert done.stderr.startswith("PostgreSQL: skipped")
