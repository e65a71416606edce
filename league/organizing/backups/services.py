"""Make a backup, and restore it in place of this server's database and photographs."""

import dataclasses
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F

from league.models import Competition, triggers
from league.organizing.backups.archive import ERASED, BackupReader, BrokenBackup, Manifest
from league.organizing.backups.places import (
    CannotRestore,
    is_used,
    own_like_folder,
    place,
    set_last_id,
    sync_folder,
)
from league.organizing.backups.queries import (
    PHOTOGRAPHS,
    NotWhole,
    errors_in_words,
    faults,
    kept_models,
    member_of,
    names_of,
    states,
    write_backup,
)
from league.organizing.personal_data.queries import Erased, erased_since, read_erased
from league.organizing.personal_data.services import erase_again, keep_erased

BATCH = 5000
# Pages are kept under the revision, in browsers too: after a restore no revision comes a second time.
REVISIONS_AHEAD = 1_000_000
# A person is on the list a moment before the erasure is in the database, and a backup may come between.
MOMENT = timedelta(seconds=60)


def make_backup(path: Path, *, at: datetime, despite_faults: bool = False) -> Manifest:
    """Write a backup to ``path``, readable by its owner only, and check it before it gets that name.

    The list of erasures is copied beside it. Raises ``NotWhole`` and then leaves no file.
    """
    draft = path.with_name(f".{path.name}.part")
    draft.unlink(missing_ok=True)
    try:
        with errors_in_words():
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                manifest = write_backup(stream, at=at, despite_faults=despite_faults)
                stream.flush()
                os.fsync(stream.fileno())
            BackupReader(draft)
            draft.rename(path)
            _copy_erased(path.parent)
            sync_folder(path.parent)
    except BrokenBackup as broken:
        raise NotWhole(f"What was written cannot be read again. {broken} Look at the disk.") from broken
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _copy_erased(folder: Path) -> None:
    """Append new lines to the list of erasures beside the backups."""
    there = folder / ERASED
    known = set(_read_erased(there))
    if new := [line for line in _read_erased(Path(settings.ERASED_FILE)) if line not in known]:
        keep_erased(there, new)


def _read_erased(*paths: Path) -> list[Erased]:
    try:
        return read_erased(*paths)
    except ValueError as error:
        names = " or ".join(map(str, paths))
        raise NotWhole(f"{names} is not a list of erasures. Put a copy in its place.") from error


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore: the place of the former database, and the people erased again.

    ``not_erased``: others with the reasons.
    """

    manifest: Manifest
    aside: str
    erased: list[str]
    not_erased: list[str]


def restore(path: Path, *, replace: bool, at: datetime) -> Restored:
    """Restore a backup and erase again the people erased since it was made. The server must be stopped.

    ``replace``: put aside a database that is in use. The restored database is compared with the manifest
    before it is swapped in. Raises ``CannotRestore``, ``BrokenBackup`` or ``NotWhole``, after which only
    photographs without a row may be new.
    """
    reader = BackupReader(path)
    if names_of(MigrationLoader(None).disk_migrations) != reader.manifest.migrations:
        raise CannotRestore(
            f"The tables of this backup are those of version {reader.manifest.version}."
            " Restore it with that version, then upgrade."
        )
    _refuse_other_photographs(reader)
    erased = _read_erased(Path(settings.ERASED_FILE), path.with_name(ERASED))
    there = place(at)
    with errors_in_words():
        there.refuse_in_use()
        if not replace and _may_be_used():
            raise CannotRestore(
                "This database is not empty. Add --replace to put it aside; it is not deleted."
            )
        with there.beside():
            _make_tables()
            _load(reader)
            triggers.install(connection)  # the rows passed them once, in another order
            _unpack_photographs(reader)
            _compare(reader.manifest)
            Competition.objects.update(
                revision=F("revision") + REVISIONS_AHEAD, version=F("version") + REVISIONS_AHEAD
            )
            since = datetime.fromisoformat(reader.manifest.made_at) - MOMENT
            again = list(erase_again(erased_since(since, erased)))
            cache.clear()
            return Restored(
                reader.manifest,
                there.swap(),
                [line.target for line, why in again if not why],
                [f"{line.target}: {why}" for line, why in again if why],
            )


def _may_be_used() -> bool:
    try:
        return is_used()
    except DatabaseError:  # damaged
        return True


def _make_tables() -> None:
    """Create the tables without running migrations, whose names are among the rows."""
    with connection.schema_editor() as editor:
        editor.create_model(MigrationRecorder.Migration)
        for model in apps.get_models():
            if model._meta.managed and not model._meta.proxy:
                editor.create_model(model)


def _load(reader: BackupReader) -> None:
    with transaction.atomic():
        for model in kept_models():
            part = reader.manifest.parts.get(member_of(model))
            columns = {each.attname: each for each in model._meta.concrete_fields}
            if part is None or set(part.columns) != set(columns):
                raise BrokenBackup(f"{model._meta.label_lower} is missing in it or has other columns.")
            fields = [columns[name] for name in part.columns]
            size = min(BATCH, connection.ops.bulk_batch_size(fields, [None] * BATCH))
            rows = _rows(model, fields, reader.rows(member_of(model)))
            while batch := list(islice(rows, size)):
                # raw: Django would set the times of `auto_now_add` to now
                model._base_manager._insert(batch, fields=fields, using=DEFAULT_DB_ALIAS, raw=True)  # type: ignore[attr-defined]
            set_last_id(model, part.last_id)
        connection.check_constraints()


def _rows(
    model: type[models.Model], fields: list["models.Field[object, object]"], rows: Iterator[list[object]]
) -> Iterator[models.Model]:
    for row in rows:
        made = model()
        for field, value in zip(fields, row, strict=True):
            read = value is not None and not isinstance(field, models.JSONField)
            setattr(made, field.attname, field.to_python(value) if read else value)
        yield made


def _photographs(reader: BackupReader) -> Iterator[tuple[str, Path]]:
    folder = Path(settings.EVIDENCE_DIR).resolve()
    for name in reader.manifest.parts:
        if name.startswith(PHOTOGRAPHS):
            path = (folder / name.removeprefix(PHOTOGRAPHS)).resolve()
            if not path.is_relative_to(folder):
                raise BrokenBackup(f"{name} points out of the folder of photographs.")
            yield name, path


def _refuse_other_photographs(reader: BackupReader) -> None:
    for name, path in _photographs(reader):
        kept = reader.manifest.parts[name].sha256
        if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() != kept:
            raise CannotRestore(f"{path} is another photograph. Empty {settings.EVIDENCE_DIR} first.")


def _unpack_photographs(reader: BackupReader) -> None:
    for name, path in _photographs(reader):
        if path.exists():
            continue
        for folder in reversed([each for each in path.parents if not each.exists()]):
            folder.mkdir(mode=0o700)
            own_like_folder(folder)
        draft = path.with_name(f".{path.name}.part")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(reader.read(name))
            os.fsync(stream.fileno())
        own_like_folder(draft)
        draft.rename(path)
        sync_folder(path.parent)


def _compare(manifest: Manifest) -> None:
    if wrong := [fault for fault in faults() if fault not in manifest.faults]:
        raise NotWhole(*wrong)
    restored = states()
    differing = restored.keys() ^ manifest.states.keys()
    for address in restored.keys() & manifest.states.keys():
        kept, found = manifest.states[address], restored[address]
        if found != (kept if kept.standings else dataclasses.replace(kept, standings=found.standings)):
            differing.add(address)
    if differing:
        raise CannotRestore(
            f"The log or the standings of {', '.join(sorted(differing))} differ from the manifest."
            " Use another backup."
        )
