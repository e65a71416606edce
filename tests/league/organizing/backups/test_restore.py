"""A restored database equals the one that was backed up. A restore that fails changes nothing."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.utils import timezone

from league.models import AuditEntry, Competition, League, Logo, Round, Sheet
from league.organizing.audit_log.queries import verify_chain
from league.organizing.backups.archive import BackupReader
from league.organizing.backups.places import CannotRestore, is_used
from league.organizing.backups.queries import faults, states
from league.organizing.backups.services import REVISIONS_AHEAD, make_backup, restore
from league.organizing.personal_data.services import close_account, erase_player
from league.ranking.standings.queries.standings import standings
from players.models import Player
from tests.factories import Club, club, revision
from tests.league.organizing.backups.test_backup import on_sqlite, photograph, with_manifest
from tests.places import new_place
from tests.seeds import seeds

pytestmark = pytest.mark.django_db(transaction=True)

LOGO = bytes(range(256))


@pytest.fixture
def backup(tmp_path) -> Path:
    """A backup of a competition with a sheet, a dispute, its photograph and the league's logo."""
    here = club()
    Logo.objects.create(league=here.league, content=LOGO, changed_at=timezone.now())
    photograph(here)
    here.record((45000, 35000, 25000, 15000))
    make_backup(tmp_path / "kept.zip", at=timezone.now())
    return tmp_path / "kept.zip"


@pytest.fixture
def place(tmp_path):
    with new_place(tmp_path) as made:
        yield made


def test_an_empty_place_gets_all_rows_photographs_and_triggers(backup, place, tmp_path):
    kept, sheet = states(), Sheet.objects.values().get()
    before = Competition.objects.get().revision

    with place.entered():
        aside = restore(backup, replace=False, at=timezone.now()).aside

        assert aside == ""
        assert states() == kept
        assert Sheet.objects.values().get() == sheet
        assert bytes(Logo.objects.get().content) == LOGO
        assert list(faults()) == []
        assert revision(Competition.objects.get()) == before + REVISIONS_AHEAD
        with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
            AuditEntry.objects.update(action="something.else")
        make_backup(tmp_path / "second.zip", at=timezone.now())
    first, second = (BackupReader(path).manifest for path in (backup, tmp_path / "second.zip"))
    differing = {name for name, part in first.parts.items() if second.parts[name] != part}
    assert differing == {"rows/league.competition.jsonl"}  # the revision
    (name,) = [name for name in first.parts if name.startswith("photographs/")]
    restored = place.photographs / name.removeprefix("photographs/")
    assert restored.read_bytes() == BackupReader(backup).read(name)
    assert restored.stat().st_mode & 0o777 == 0o600


TABLES = {
    "sqlite": "SELECT tbl_name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql > ''",
    "postgresql": """SELECT table_name, concat_ws(' ', column_name, data_type, character_maximum_length,
            is_nullable, is_identity) FROM information_schema.columns WHERE table_schema = 'public'
        UNION SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
        UNION SELECT tablename, substring(indexdef FROM 'UNIQUE|USING.*') FROM pg_indexes
            WHERE schemaname = 'public'""",
}


def tables() -> set[tuple[str, str]]:
    """The columns, constraints and indexes of our tables, whatever made them and in which order."""
    with connection.cursor() as cursor:
        cursor.execute(TABLES[connection.vendor])
        ours = [(table, sql) for table, sql in cursor.fetchall() if table.startswith(("league_", "players_"))]
        return {(table, part.strip("()")) for table, sql in ours for part in sql.split(", ")}


def test_a_restored_database_has_the_tables_of_the_migrations(backup, place):
    migrated = tables()

    with place.entered():
        restore(backup, replace=False, at=timezone.now())

        assert tables() ^ migrated == set()


def test_an_id_that_was_deleted_is_not_given_again(place, tmp_path):
    here = club()
    here.add_round(opened=False)
    gone = Round.objects.get().pk
    Round.objects.all().delete()
    make_backup(tmp_path / "kept.zip", at=timezone.now())

    with place.entered():
        restore(tmp_path / "kept.zip", replace=False, at=timezone.now())
        here.stage.refresh_from_db()

        here.add_round(opened=False)

        assert Round.objects.get().pk == gone + 1


@pytest.mark.slow
def test_a_used_place_is_put_aside_and_not_deleted(backup, place):
    with place.entered():
        restore(backup, replace=False, at=timezone.now())
        League.objects.update(name="newer than the backup")
        with pytest.raises(CannotRestore, match="not empty"):
            restore(backup, replace=False, at=timezone.now())
        assert League.objects.get().name == "newer than the backup"

        aside = restore(backup, replace=True, at=timezone.now()).aside

        assert League.objects.get().name == "Club spring"
        assert name_in(aside) == "newer than the backup"


def name_in(aside: str) -> str:
    """The league's name in a database that was put aside."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(aside)) as former:
            return former.execute("SELECT name FROM league_league").fetchone()[0]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT name FROM {aside}.league_league")  # noqa: S608
        return cursor.fetchone()[0]


@on_sqlite
@pytest.mark.parametrize("database", seeds(["there", "deleted"]))
def test_the_log_of_a_killed_server_is_not_replayed_into_the_restored_database(backup, place, database):
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(place.file)])
    write = "UPDATE league_league SET name = 'in the log'"
    subprocess.run(
        [
            sys.executable,
            "-c",
            f"import os, sqlite3; made = sqlite3.connect({str(place.file)!r}, isolation_level=None);"
            f"made.execute('PRAGMA journal_mode=WAL'); made.execute({write!r}); os._exit(9)",
        ],
        check=False,
    )
    assert Path(f"{place.file}-wal").stat().st_size > 0
    if database == "deleted":
        place.file.unlink()

    with place.entered():
        restore(backup, replace=True, at=timezone.now())

        assert League.objects.get().name == "Club spring"
        assert list(faults()) == []


@on_sqlite
def test_a_damaged_database_can_be_replaced(backup, place):
    place.file.write_bytes(b"no database" * 1000)

    with place.entered():
        aside = restore(backup, replace=True, at=timezone.now()).aside

        assert list(faults()) == []
    assert Path(aside).read_bytes().startswith(b"no database")


@pytest.mark.slow
def test_a_place_whose_server_runs_is_left_alone(backup, place):
    with place.entered():
        restore(backup, replace=False, at=timezone.now())
    command = "from django.db import connection as c; c.ensure_connection(); print(1, flush=True); input()"
    server = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", command],
        env=place.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout.readline() == "1\n"

    with place.entered(), pytest.raises(CannotRestore, match="Stop"):
        restore(backup, replace=True, at=timezone.now())

    server.communicate("\n")
    with place.entered():
        assert League.objects.get().name == "Club spring"


def test_what_differs_from_the_manifest_takes_no_place(backup, place):
    kept = json.loads(zipfile.ZipFile(backup).read("manifest.json"))["states"]
    with_manifest(backup, states=kept | {"c/spring": kept["c/spring"] | {"standings": "0" * 64}})

    with place.entered():
        with pytest.raises(CannotRestore, match="standings of c/spring differ"):
            restore(backup, replace=False, at=timezone.now())

        assert not is_used()
        assert connection.introspection.table_names() == []


def test_a_backup_with_other_tables_needs_its_own_version(backup, place, capsys):
    with_manifest(backup, version="0.1", migrations=["league.0001_initial"])

    with place.entered(), pytest.raises(SystemExit):
        call_command("restore", backup)

    assert "The tables of this backup are those of version 0.1." in capsys.readouterr().err


def test_another_photograph_in_the_place_of_one_is_left_alone(backup, place):
    (name,) = [name for name in BackupReader(backup).manifest.parts if name.startswith("photographs/")]
    other = place.photographs / name.removeprefix("photographs/")
    other.parent.mkdir(parents=True)
    other.write_bytes(b"another one")

    with place.entered(), pytest.raises(CannotRestore, match="is another photograph"):
        restore(backup, replace=False, at=timezone.now())

    assert other.read_bytes() == b"another one"


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="about two databases")
def test_sqlite_and_postgresql_restore_the_same_rows(tmp_path, place, migrated):
    """The demo's data, of SQLite, restored on the database of this run."""
    make = (
        "from django.core.management import call_command as call;"
        f"call('demo', force=True); call('backup', {str(tmp_path / 'kept.zip')!r})"
    )
    with new_place(tmp_path, sqlite=True) as origin:
        shutil.copy(migrated, origin.file)
        assert origin.run("shell", "--no-imports", "-c", make).returncode == 0
    with place.entered():
        restore(tmp_path / "kept.zip", replace=False, at=timezone.now())
        assert all(verify_chain(each).broken_at is None for each in Competition.objects.all())
        assert User.objects.count() > 3
        Competition.objects.update(revision=1)
        make_backup(tmp_path / "again.zip", at=timezone.now())
    parts = [BackupReader(path).manifest.parts for path in (tmp_path / "kept.zip", tmp_path / "again.zip")]
    differing = {name for name, part in parts[0].items() if parts[1][name] != part}
    assert differing == {"rows/league.competition.jsonl"}


# --- people who were erased after the backup


@pytest.fixture
def here() -> Club:
    made = club()
    made.add_round()
    made.record((45000, 35000, 25000, 15000))
    return made


@pytest.fixture
def older(here, place, tmp_path) -> Path:
    """A backup from before a player, a referee and an owner, then the only one, were erased."""
    kept = tmp_path / "backups" / "kept.zip"
    kept.parent.mkdir()
    make_backup(kept, at=timezone.now() - timedelta(days=1))
    with override_settings(ERASED_FILE=place.erased):
        erase_player(league=here.competition.league, player=here.players[0], by=here.alice)
        close_account(user=here.bob)
        here.competition.league.owners.add(here.charlie)
        here.competition.roles.filter(user=here.charlie).update(kind="organizer")
        close_account(user=here.alice)
    return kept


def names() -> set[str]:
    return {*Player.objects.values_list("name", flat=True), *User.objects.values_list("username", flat=True)}


def totals(here: Club) -> dict[int, int]:
    return {line.row.player: line.row.total for line in standings(here.stage, public=False).rows}


def test_people_who_were_erased_after_the_backup_are_erased_again(here, older, place, capsys):
    player, bob, alice = here.players[0].pk, here.bob.pk, here.alice.pk
    before = totals(here)

    with place.entered():
        call_command("restore", older)

        assert {f"#{player}", f"closed-{bob}"} < names()
        assert not {here.players[0].name, "bob-spring"} & names()
        assert list(faults()) == []
        assert totals(here) == before
    said = capsys.readouterr()
    assert f"Erased again: player:{player}, account:{bob}\n" in said.out
    assert f"Not erased again: account:{alice}: You are the only owner of Club spring." in said.err


@pytest.mark.slow
def test_the_list_of_erasures_goes_where_the_backups_go(older, place):
    with override_settings(ERASED_FILE=place.erased):
        make_backup(older.with_name("newer.zip"), at=timezone.now() + timedelta(hours=1))
    Path(place.erased).unlink()

    with place.entered():
        assert len(restore(older, replace=False, at=timezone.now()).erased) == 2
        newer = restore(older.with_name("newer.zip"), replace=True, at=timezone.now())
        assert (newer.erased, newer.not_erased) == ([], [])
    assert older.with_name("erased.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_list_of_another_database_erases_no_one(older, place):
    text = Path(place.erased).read_text()
    Path(place.erased).write_text(re.sub(r'"mark": "[^"]*"', '"mark": "another"', text))

    with place.entered():
        result = restore(older, replace=False, at=timezone.now())

        assert (result.erased, result.not_erased) == ([], [])
        assert "bob-spring" in names()


@pytest.mark.slow
def test_a_restore_without_a_list_says_so_and_one_with_a_broken_list_stops(older, place, capsys):
    Path(place.erased).write_text("{}\n")
    with place.entered():
        with pytest.raises(SystemExit):
            call_command("restore", older)
        assert "is not a list of erasures" in capsys.readouterr().err
        Path(place.erased).unlink()

        call_command("restore", older)

    assert f"No list of erasures at {place.erased}." in capsys.readouterr().out
