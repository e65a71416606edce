"""The backup holds what was acknowledged, and refuses to overwrite or to bless a broken log."""

import io
import sqlite3
import tarfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.disputes.services import add_evidence, open_dispute
from league.models import AuditEntry, triggers
from tests.factories import club
from tests.pictures import picture

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL is backed up by pg_dump")


@on_sqlite
def test_backup_holds_the_newest_sheet(tmp_path):
    here = club()
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    call_command("backup", tmp_path / "copy.sqlite3")
    with sqlite3.connect(tmp_path / "copy.sqlite3") as copy:
        assert copy.execute("SELECT east, north FROM league_sheet").fetchall() == [(45000, 15000)]


@on_sqlite
def test_backup_never_overwrites(tmp_path):
    (tmp_path / "copy.sqlite3").write_text("older backup")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", tmp_path / "copy.sqlite3")
    assert (tmp_path / "copy.sqlite3").read_text() == "older backup"


@on_sqlite
def test_backup_refuses_a_broken_log(tmp_path):
    club()
    triggers.remove(connection)
    AuditEntry.objects.filter(sequence=1).update(action="something.else")
    with pytest.raises(CommandError, match="broken at entry 1"):
        call_command("backup", tmp_path / "copy.sqlite3")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="about PostgreSQL; this run is on SQLite")
def test_on_postgresql_the_backup_names_the_program_that_makes_it(tmp_path):
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", tmp_path / "copy.sqlite3")
    assert list(tmp_path.iterdir()) == []


@on_sqlite
def test_photographs_of_disputes_are_packed_beside_the_copy(tmp_path, capsys):
    here = club()
    here.add_round()
    dispute = open_dispute(table=here.table(), subject="Was it called?", by=here.bob)
    kept = [
        add_evidence(dispute=dispute, photograph=io.BytesIO(picture(kind)), by=here.bob)
        for kind in ("JPEG", "PNG")
    ]
    add_evidence(dispute=dispute, note="a note has no file", by=here.bob)

    call_command("backup", tmp_path / "copy.sqlite3")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "copy.sqlite3.evidence.tar"]
    with tarfile.open(tmp_path / "copy.sqlite3.evidence.tar") as packed:
        assert packed.getnames() == [each.file.name for each in kept]
        assert packed.extractfile(kept[0].file.name).read() == Path(kept[0].file.path).read_bytes()
    assert "2 photographs" in capsys.readouterr().out
    Path(kept[0].file.path).unlink()
    call_command("backup", tmp_path / "later.sqlite3")
    with tarfile.open(tmp_path / "later.sqlite3.evidence.tar") as packed:
        assert packed.getnames() == [kept[1].file.name]
    assert f"{kept[0].file.name}: this photograph is not in" in capsys.readouterr().err


@on_sqlite
def test_an_archive_is_not_overwritten_either(tmp_path):
    (tmp_path / "copy.sqlite3.evidence.tar").write_text("older backup")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", tmp_path / "copy.sqlite3")
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite3.evidence.tar"]
