"""Pictures for tests, made on the spot: a real photograph's parts, and files that only look like one."""

import io
import random
import struct
import zlib

from PIL import Image
from PIL.PngImagePlugin import PngInfo

SECRET = b"22.302711,114.177216"  # where a photograph was taken
GREEN = (29, 107, 79)


def picture(kind: str = "JPEG", size: tuple[int, int] = (40, 30), *, mode: str = "RGB", **options) -> bytes:
    """A plain picture of one colour."""
    made = io.BytesIO()
    colour = GREEN if mode == "RGB" else 0 if mode in {"1", "L", "P", "I;16"} else (*GREEN, 0)[: len(mode)]
    Image.new(mode, size, colour).save(made, kind, **options)
    return made.getvalue()


def taken_at_a_place(kind: str = "JPEG") -> bytes:
    """A picture that says where it was taken, in each place where such a file can."""
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()  # the description
    options = {"exif": exif.tobytes()}
    if kind == "JPEG":
        options["comment"] = SECRET
    if kind == "PNG":
        info = PngInfo()
        info.add_text("Comment", SECRET.decode())
        options["pnginfo"] = info
    if kind == "WEBP":
        options["xmp"] = b"<x>" + SECRET + b"</x>"
    return picture(kind, **options)


def on_its_side() -> bytes:
    """A wide picture whose metadata says: turn it by a quarter."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return picture(size=(40, 30), exif=exif.tobytes())


def noise(side: int) -> bytes:
    """A PNG that no compression makes smaller: three bytes a pixel."""
    made = io.BytesIO()
    pixels = random.Random(side).randbytes(3 * side * side)
    Image.frombytes("RGB", (side, side), pixels).save(made, "PNG")
    return made.getvalue()


def bomb(side: int = 12_000) -> bytes:
    """A PNG of a few kilobytes that unpacks to `side` squared pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    rows = bytes(side * (1 + (side + 7) // 8))  # each begins with its filter, and has a bit a pixel
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
