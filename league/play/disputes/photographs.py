"""Photographs that people hand in, decoded and written again.

The name and type of a file do not matter. Only three decoders run, and nothing larger than ``MOST_PIXELS`` is
unpacked. The result is a new JPEG without place, time, or hidden data.
"""

import io
import struct
import zlib
from typing import BinaryIO, Final

from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from league.core.errors import Refused

MOST_BYTES: Final = 10 * 1024 * 1024
# A phone's camera has 12 to 50 million, and a JPEG is unpacked at a fraction of its size; the others are not.
MOST_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 25_000_000, "WEBP": 25_000_000}
LONGEST_SIDE: Final = 3_000  # pixels: enough to read every tile of a table
QUALITY: Final = 85
CONTENT_TYPE: Final = "image/jpeg"

_HEIC: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
BROKEN: Final = (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error, OverflowError)


def safe_picture(file: BinaryIO) -> bytes:
    """Return an upright JPEG without metadata, at most ``LONGEST_SIDE`` pixels long, or raise ``Refused``."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Refused(
            _("This photograph is larger than 10 MB. Choose a lower resolution or crop it."),
            field="photograph",
        )
    _refuse_heic(content)
    try:
        return _encode(_open(content))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except BROKEN:
        raise Refused(
            _("This file is broken or not a photograph. Open it on your device, then send it again."),
            field="photograph",
        ) from None


def _refuse_heic(content: bytes) -> None:
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC:
        raise Refused(
            _(
                "Most browsers cannot show HEIC photographs. Send it as JPEG (on an iPhone: Settings, "
                "Camera, Formats, Most Compatible) or send a screenshot."
            ),
            field="photograph",
        )


def _open(content: bytes) -> Image.Image:
    try:
        picture = Image.open(io.BytesIO(content), formats=tuple(MOST_PIXELS))
    except UnidentifiedImageError:
        raise Refused(
            _("Photographs must be JPEG, PNG or WebP. Choose another file."), field="photograph"
        ) from None
    if picture.width * picture.height > MOST_PIXELS[picture.format or "PNG"]:  # before anything is unpacked
        raise _too_many_pixels()
    return picture


def _too_many_pixels() -> Refused:
    return Refused(
        _("This picture has too many pixels. Send one with a lower resolution."),
        field="photograph",
    )


def _encode(picture: Image.Image) -> bytes:
    ImageFile.LOAD_TRUNCATED_IMAGES = False  # WeasyPrint turns it on for the whole process
    # Smaller first: a large JPEG is unpacked at a fraction of its size, and only the small picture is copied.
    picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    upright = ImageOps.exif_transpose(picture)
    jpeg = io.BytesIO()
    _on_white(upright).save(jpeg, "JPEG", quality=QUALITY, optimize=True)
    return jpeg.getvalue()


def _on_white(picture: Image.Image) -> Image.Image:
    """Copy only the pixels. Transparent ones become white."""
    plain = Image.new("RGB", picture.size, "white")
    if picture.has_transparency_data:
        seen = picture.convert("RGBA")
        plain.paste(seen, mask=seen)
    else:
        plain.paste(picture.convert("RGB"))
    return plain
