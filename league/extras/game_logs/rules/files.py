"""Files of games as strangers send them: JSON, or XML, plain or packed by gzip."""

import gzip
import io
import json
from codecs import BOM_UTF8
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError
from zlib import error as ZlibError

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]

from league.extras.game_logs.rules.log import GameLog, Unreadable
from league.extras.game_logs.rules.mjlog import read_mjlog
from league.extras.game_logs.rules.tenhou_json import read_json_log

MOST_BYTES: Final = 1024 * 1024  # unpacked; a game has 60 kB
_GZIP: Final = b"\x1f\x8b"
_ADDRESS: Final = "#json="  # of the editor, which holds the whole game


def read_game_log(content: bytes, file_name: str = "") -> GameLog:
    """Read one game. Raises Unreadable. Memory and time have the limits of `MOST_BYTES`."""
    text = unpacked(content)
    if not text:
        raise Unreadable("empty")
    try:
        if text.startswith(b"<"):
            return read_mjlog(text, file_name)
        written = text.decode("utf-8-sig")
        if written.startswith("http") and _ADDRESS in written:
            _site, _mark, coded = written.partition(_ADDRESS)
            written = unquote(coded)
        values = json.loads(written)
        if not isinstance(values, dict) or "log" not in values:
            raise Unreadable("unknown")
        return read_json_log(values, file_name)
    except Unreadable:
        raise
    except (ParseError, DefusedXmlException, UnicodeDecodeError, RecursionError, json.JSONDecodeError):
        is_cut_off = text.startswith((b"<mjloggm", b"{")) and b"<!" not in text
        raise Unreadable("damaged" if is_cut_off else "unknown") from None
    except (AttributeError, LookupError, TypeError, ValueError):
        raise Unreadable("damaged") from None


def unpacked(content: bytes) -> bytes:
    """Return the text of a file. Raises Unreadable."""
    if content.startswith(_GZIP):
        try:
            with gzip.open(io.BytesIO(content)) as packed:
                content = packed.read(MOST_BYTES + 1)
        except EOFError:
            raise Unreadable("damaged") from None
        except (OSError, ZlibError):
            raise Unreadable("unknown") from None
    if len(content) > MOST_BYTES:
        raise Unreadable("large")
    return content.removeprefix(BOM_UTF8).strip()
