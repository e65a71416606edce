"""The logo of a league, decoded and written again, so that no byte of a stranger's file is served."""

import io
from typing import BinaryIO, Final

from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from league.core.errors import Refused
from league.play.disputes.photographs import BROKEN

MOST_BYTES: Final = 2 * 1024 * 1024
MOST_PIXELS: Final = 16_000_000
LONGEST_SIDE: Final = 1_000  # pixels: 85 mm at 300 dpi


def safe_logo(file: BinaryIO) -> bytes:
    """Return a PNG without metadata, at most ``LONGEST_SIDE`` pixels long, or raise ``Refused``."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Refused(_("This logo is larger than 2 MB. Choose a smaller file."), field="logo")
    try:
        picture = Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP"))
        if picture.width * picture.height > MOST_PIXELS:  # before anything is unpacked
            raise Image.DecompressionBombError
        ImageFile.LOAD_TRUNCATED_IMAGES = False  # WeasyPrint turns it on for the whole process
        upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except UnidentifiedImageError:
        raise Refused(_("A logo must be PNG, JPEG or WebP. Choose another file."), field="logo") from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refused(_("This logo has too many pixels. Choose a smaller one."), field="logo") from None
    except BROKEN:
        raise Refused(_("This logo cannot be read. Save it again as PNG."), field="logo") from None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    plain, png = Image.new("RGBA", upright.size), io.BytesIO()
    plain.paste(upright)  # the pixels alone
    plain.save(png, "PNG", optimize=True)
    return png.getvalue()
