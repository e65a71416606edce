"""A backup is complete and readable by its owner only. Otherwise a sentence says why there is none."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from league import VERSION
from league.models import AuditEntry, Evidence, triggers
from league.organizing.audit_log.queries import head
from league.organizing.backups.archive import BackupReader, BrokenBackup
from league.organizing.backups.queries import NotWhole
from league.organizing.backups.services import make_backup
from league.play.disputes.services import add_evidence, open_dispute
from tests.factories import Club, club
from tests.pictures import picture
from tests.places import new_place

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's file")


def photograph(here: Club) -> Evidence:
    here.add_round()
    dispute = open_dispute(table=here.table(), subject="Was it called?", by=here.bob)
    add_evidence(dispute=dispute, note="a note has no file", by=here.bob)
    return add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=here.bob)


def test_a_backup_holds_the_newest_sheet_the_photographs_and_a_manifest(tmp_path):
    here = club()
    kept = photograph(here)
    here.record((45000, 35000, 25000, 15000))

    call_command("backup", tmp_path / "kept.zip")

    reader = BackupReader(tmp_path / "kept.zip")
    manifest = reader.manifest
    sheets = manifest.parts["rows/league.sheet.jsonl"]
    (row,) = [dict(zip(sheets.columns, row, strict=True)) for row in reader.rows("rows/league.sheet.jsonl")]
    assert (row["east"], row["north"], sheets.count, sheets.last_id) == (45000, 15000, 1, row["id"])
    assert reader.read(f"photographs/{kept.file.name}") == Path(kept.file.path).read_bytes()
    assert (manifest.version, list(manifest.states)) == (VERSION, ["c/spring", "leagues/spring"])
    assert manifest.states["c/spring"].head == head(here.competition)


def test_only_its_owner_reads_a_backup(tmp_path):
    make_backup(tmp_path / "kept.zip", at=timezone.now())

    assert [path.name for path in tmp_path.iterdir()] == ["kept.zip"]
    assert (tmp_path / "kept.zip").stat().st_mode & 0o777 == 0o600


def test_a_backup_never_overwrites(tmp_path, capsys):
    (tmp_path / "kept.zip").write_text("older backup")

    with pytest.raises(SystemExit):
        call_command("backup", tmp_path / "kept.zip")

    assert "already exists" in capsys.readouterr().err
    assert (tmp_path / "kept.zip").read_text() == "older backup"


def test_no_backup_is_made_of_a_broken_log(tmp_path, capsys):
    club()
    triggers.remove(connection)
    AuditEntry.objects.filter(sequence=1).update(action="something.else")
    triggers.install(connection)

    with pytest.raises(SystemExit):
        call_command("backup", tmp_path / "kept.zip")

    assert "c/spring: the log is broken at entry 1." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_backup_fails_when_a_photograph_is_missing_and_can_be_made_despite_it(tmp_path, capsys):
    kept = photograph(club())
    Path(kept.file.path).unlink()
    fault = f"{kept.file.name}: this photograph is not in the folder EVIDENCE_DIR."

    with pytest.raises(SystemExit):
        call_command("backup", tmp_path / "kept.zip")

    assert fault in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    call_command("backup", tmp_path / "kept.zip", "--despite-faults")
    assert BackupReader(tmp_path / "kept.zip").manifest.faults == (fault,)


@on_sqlite
def test_a_damaged_database_is_reported_in_a_sentence(tmp_path, capsys):
    with new_place(tmp_path) as place:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(place.file)])
        with place.file.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xa5" * 40_000)
        with place.entered(), pytest.raises(SystemExit):
            call_command("backup", tmp_path / "kept.zip")
        said = capsys.readouterr().err
        assert re.search(r"^The database is damaged .*Restore the newest backup", said)
        assert said.endswith("No backup was made. Keep the older ones.\n")
        assert not (tmp_path / "kept.zip").exists()


def test_a_database_without_tables_is_refused_as_empty(tmp_path):
    with new_place(tmp_path) as place, place.entered(), pytest.raises(NotWhole, match="is empty"):
        make_backup(tmp_path / "kept.zip", at=timezone.now())


def test_a_damaged_backup_is_not_read(tmp_path):
    club()
    path = tmp_path / "kept.zip"
    make_backup(path, at=timezone.now())
    content = path.read_bytes()
    for damage, sentence in (
        (lambda content: b"", "cannot be read as a whole"),
        (lambda content: content[: len(content) // 2], "cannot be read as a whole"),
        (lambda content: content.replace(b"PK\x03\x04", b"PK\x03\x05", 1), "cannot be read as a whole"),
        (lambda content: changed(content, "rows/league.league.jsonl", b"x"), "is damaged in it"),
        (lambda content: changed(content, "rows/league.league.jsonl", None), "is missing in it"),
        (lambda content: changed(content, "manifest.json", None), "has no manifest"),
        (lambda content: changed(content, "manifest.json", b"{}"), "is not one of Umaoka's"),
        (lambda content: changed(content, "manifest.json", b"\xff"), "cannot be read as a whole"),
        (lambda content: changed(content, "manifest.json", b"[1]"), "is not one of Umaoka's"),
    ):
        path.write_bytes(damage(content))
        with pytest.raises(BrokenBackup, match=sentence):
            BackupReader(path)


def changed(content: bytes, name: str, member: bytes | None) -> bytes:
    """The archive with another member of this name, or without it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for each in old.namelist():
            if each != name:
                new.writestr(each, old.read(each))
        if member is not None:
            new.writestr(name, member)
    return made.getvalue()


def with_manifest(path: Path, **differing: object) -> None:
    """Writes the backup with a manifest that says something else."""
    said = json.loads(zipfile.ZipFile(path).read("manifest.json"))
    path.write_bytes(changed(path.read_bytes(), "manifest.json", json.dumps(said | differing).encode()))
