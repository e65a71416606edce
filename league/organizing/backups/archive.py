"""The file of a backup: a ZIP of all rows (JSON, one per line), the photographs and a manifest."""

import hashlib
import json
import zipfile
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

FORMAT = "umaoka-backup"
MANIFEST = "manifest.json"
ERASED = "erased.jsonl"  # beside the backups: whom to erase again after a restore
CHUNK = 1 << 20


class BrokenBackup(Exception):
    """An incomplete backup, with a message."""


@dataclass(frozen=True, slots=True)
class Part:
    """A member of the archive: the number of its rows (1 for a photograph), and the SHA-256 of its content.

    ``last_id``: the highest id that the table assigned. The audit log names ids, so none is used twice.
    """

    count: int
    sha256: str
    columns: tuple[str, ...] = ()
    last_id: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The log's head of a competition or league, and the SHA-256 of its standings.

    Restoring must reproduce both. ``standings`` is empty for leagues and for backups of older tables.
    """

    entries: int
    head: str
    standings: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The contents of a backup: its version, its members by name, competitions and leagues by address."""

    version: str
    made_at: str
    migrations: tuple[str, ...]
    parts: dict[str, Part] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> "Manifest":
        """Raise ``BrokenBackup`` for anything but a manifest."""
        try:
            data: dict[str, Any] = json.loads(text)
            if data.pop("format") != FORMAT:
                raise ValueError
            parts = {
                name: Part(**each | {"columns": tuple(each["columns"])})
                for name, each in data.pop("parts").items()
            }
            states = {address: State(**each) for address, each in data.pop("states").items()}
            data |= {name: tuple(data[name]) for name in ("migrations", "faults")}
            return cls(parts=parts, states=states, **data)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BrokenBackup("Its manifest is not one of Umaoka's.") from error


class BackupWriter:
    """Writes members one by one, and the manifest last. After an error it writes nothing more."""

    def __init__(self, file: IO[bytes]) -> None:
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3)
        self.parts: dict[str, Part] = {}

    def __enter__(self) -> "BackupWriter":
        return self

    def __exit__(self, error: type[BaseException] | None, *about: object) -> None:
        if error is not None:
            self.zip.fp = None  # else it would write its end when it is collected

    def add_rows(
        self, name: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]], *, last_id: int | None
    ) -> None:
        count, digest = 0, hashlib.sha256()
        with self.zip.open(name, "w", force_zip64=True) as member:
            for row in rows:
                line = json.dumps(row, default=_plain, ensure_ascii=False, sort_keys=True).encode() + b"\n"
                digest.update(line)
                member.write(line)
                count += 1
        self.parts[name] = Part(count, digest.hexdigest(), tuple(columns), last_id)

    def add_file(self, name: str, path: Path) -> None:
        digest = hashlib.sha256()
        with path.open("rb") as source, self.zip.open(name, "w", force_zip64=True) as member:
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                member.write(chunk)
        self.parts[name] = Part(1, digest.hexdigest())

    def close(self, manifest: Manifest) -> None:
        manifest.parts.update(self.parts)
        self.zip.writestr(MANIFEST, manifest.to_json())
        self.zip.close()


class BackupReader:
    """An archive whose members were all read once and match the manifest."""

    def __init__(self, path: Path) -> None:
        try:
            self.zip = zipfile.ZipFile(path)
            self.manifest = Manifest.of_json(self.zip.read(MANIFEST).decode())
            self._check_members()
        except KeyError as error:
            raise BrokenBackup("It has no manifest: it is not a backup, or its end is missing.") from error
        except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
            raise BrokenBackup(f"It cannot be read as a whole ({error}).") from error

    def _check_members(self) -> None:
        if missing := self.manifest.parts.keys() - set(self.zip.namelist()):
            raise BrokenBackup(f"{min(missing)} is missing in it.")
        for name, part in self.manifest.parts.items():
            digest = hashlib.sha256()
            with self.zip.open(name) as member:
                while chunk := member.read(CHUNK):
                    digest.update(chunk)
            if digest.hexdigest() != part.sha256:
                raise BrokenBackup(f"{name} is damaged in it.")

    def rows(self, name: str) -> Iterator[list[Any]]:
        with self.zip.open(name) as member:
            for line in member:
                yield json.loads(line)

    def read(self, name: str) -> bytes:
        return self.zip.read(name)


def _plain(value: Any) -> str:
    """Convert dates, times, keys and bytes into the form that Django's fields read. Keeps microseconds."""
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
