"""`upgrade` makes a backup of the older tables before it changes them."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from league import VERSION
from league.organizing.backups.archive import BackupReader
from league.organizing.backups.queries import faults
from league.organizing.backups.services import make_backup, restore
from tests.league.organizing.backups.test_restore import tables
from tests.places import new_place

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def new_tables(transactional_db) -> set[tuple[str, str]]:
    """The tables of a new database, which one migration makes instead of those that it replaces."""
    return tables()


@pytest.fixture
def place(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path / "static"  # `upgrade` collects the static files
    with new_place(tmp_path) as made, made.entered():
        yield made


def migrate_to_the_first_tables() -> None:
    executor = MigrationExecutor(connection)
    executor.loader.replace_migrations = False
    executor.loader.build_graph()
    executor.migrate([("league", "0001_initial")])


@pytest.mark.slow
def test_older_tables_are_kept_in_a_backup_before_they_change(new_tables, place, tmp_path, capsys):
    migrate_to_the_first_tables()
    for app in ("auth", "admin", "sessions", "axes"):
        call_command("migrate", app, verbosity=0)
    User.objects.create(username="alice")

    call_command("upgrade", backups=tmp_path / "backups")

    (kept,) = (tmp_path / "backups").iterdir()
    manifest = BackupReader(kept).manifest
    assert manifest.version == f"before {VERSION}"
    assert "league.0001_initial" in manifest.migrations
    assert not any(name.startswith("league.0002") for name in manifest.migrations)
    assert manifest.parts["rows/auth.user.jsonl"].count == 1
    assert f"with the tables of version {VERSION}" in capsys.readouterr().out
    call_command("verify")
    assert tables() ^ new_tables == set()


@pytest.mark.slow
def test_an_empty_database_gets_its_tables_without_a_backup(place, tmp_path, capsys):
    for command in (["verify"], ["export_standings", "spring"]):
        with pytest.raises(SystemExit):
            call_command(*command)
        assert capsys.readouterr().err.startswith("This database is empty. Run manage.py upgrade")

    call_command("upgrade", backups=tmp_path / "backups")

    assert not (tmp_path / "backups").exists()
    call_command("verify")


def test_a_backup_is_restored_whether_the_migration_of_new_databases_is_recorded_or_not(tmp_path):
    MigrationRecorder(connection).record_unapplied("league", "0001_squashed_0030_moved_functions")
    make_backup(tmp_path / "kept.zip", at=timezone.now())
    MigrationRecorder(connection).record_applied("league", "0001_squashed_0030_moved_functions")

    with new_place(tmp_path) as made, made.entered():
        restore(tmp_path / "kept.zip", replace=False, at=timezone.now())

        assert list(faults()) == []


def test_tables_of_a_newer_version_are_left_alone(tmp_path, capsys):
    User.objects.create(username="alice")
    recorder = MigrationRecorder(connection)
    recorder.record_applied("league", "9999_from_the_future")

    with pytest.raises(SystemExit):
        call_command("upgrade", backups=tmp_path / "backups")

    recorder.record_unapplied("league", "9999_from_the_future")

    said = capsys.readouterr().err
    assert f"A newer version than {VERSION} made these tables (league.9999_from_the_future)." in said
    assert "nothing was upgraded" in said
