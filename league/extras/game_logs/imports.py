"""Files of game logs, and how a page carries them to the next step."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core import signing

from league.extras.game_logs.rules import GameLog, Unreadable, read_game_log, unpacked

MOST_FILES = 60
MOST_PACKED = 1_600_000  # characters of the form that carries the files
MOST_FILE_NAME = 120
_SALT = "game logs"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file with its game, or with the code of its problem (`rules.log.Unreadable`)."""

    name: str
    content: bytes
    log: GameLog | None = None
    problem: str = ""


def read_file(name: str, content: bytes) -> ReadFile:
    name = name[-MOST_FILE_NAME:]
    try:
        content = unpacked(content)
        return ReadFile(name, content, read_game_log(content, name))
    except Unreadable as unreadable:
        return ReadFile(name, content, problem=unreadable.code)


def pack_files(files: Iterable[ReadFile], **facts: object) -> str:
    """Return the readable files and other facts of the page as text that only this server writes."""
    texts = [(file.name, file.content.decode("latin-1")) for file in files if file.log]
    return signing.dumps({"files": texts, **facts}, salt=_SALT, compress=True)


def unpack_files(text: str) -> dict[str, Any]:
    """Read the text of `pack_files` again. Raises `signing.BadSignature` for another one."""
    found: dict[str, Any] = signing.loads(text, salt=_SALT)
    return found | {"files": [read_file(name, content.encode("latin-1")) for name, content in found["files"]]}
