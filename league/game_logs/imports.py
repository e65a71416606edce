"""Files of game logs, and how a page carries them to the next step."""

import base64
import binascii
import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.game_logs import GameLog, Unreadable, read_game_log

MOST_FILES = 60
MOST_PACKED = 1_600_000  # characters of the form that carries the files
MOST_FILE_NAME = 120


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file with its game, or with the code of its problem (`scoring.game_logs.log.UNREADABLE`)."""

    name: str
    content: bytes
    log: GameLog | None
    problem: str = ""


def read_file(name: str, content: bytes) -> ReadFile:
    name = name[-MOST_FILE_NAME:]
    try:
        return ReadFile(name, content, read_game_log(content, name))
    except Unreadable as unreadable:
        return ReadFile(name, content, None, unreadable.code)


def pack_files(files: Iterable[ReadFile]) -> str:
    """Return the readable files as text for a form."""
    parts = []
    for each in files:
        if each.log is not None:
            packed = (
                each.content if each.content.startswith(b"\x1f\x8b") else gzip.compress(each.content, mtime=0)
            )
            parts.append([each.name, base64.b64encode(packed).decode()])
    return json.dumps(parts)


def unpack_files(text: str) -> list[ReadFile]:
    """Read the files of `pack_files` again. Raises ValueError for another text."""
    try:
        parts = json.loads(text)
        found = [
            (str(name).encode().decode(), base64.b64decode(content, validate=True))  # no half characters
            for name, content in parts[:MOST_FILES]
        ]
    except (TypeError, KeyError, RecursionError, binascii.Error) as error:
        raise ValueError("no files") from error
    return [read_file(name, content) for name, content in found]
