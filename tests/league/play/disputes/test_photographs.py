"""What is taken for a photograph, and what of it is kept."""

import io
import re
import zipfile
from functools import partial

import pytest
from PIL import Image, ImageFile

from league.core.errors import Refused
from league.play.disputes.photographs import LONGEST_SIDE, MOST_BYTES, safe_picture
from tests.pictures import GREEN, SECRET, bomb, on_its_side, picture, taken_at_a_place


def kept(content: bytes) -> Image.Image:
    made = safe_picture(io.BytesIO(content))
    found = Image.open(io.BytesIO(made))
    found.load()
    return found


def near(colour: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= 4 for a, b in zip(colour, other, strict=True))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photograph_is_kept_as_a_jpeg(kind):
    found = kept(picture(kind))
    assert (found.format, found.mode, found.size) == ("JPEG", "RGB", (40, 30))
    assert near(found.getpixel((20, 15)), GREEN)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_where_it_was_taken_is_not_kept(kind):
    original = taken_at_a_place(kind)
    assert SECRET in original

    made = safe_picture(io.BytesIO(original))

    assert SECRET not in made
    assert dict(Image.open(io.BytesIO(made)).getexif()) == {}


def test_a_photograph_taken_on_its_side_is_turned_upright():
    assert kept(on_its_side()).size == (30, 40)


@pytest.mark.slow
def test_a_large_photograph_is_made_smaller():
    assert kept(picture(size=(4_000, 6_000))).size == (LONGEST_SIDE * 4_000 // 6_000, LONGEST_SIDE)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "I;16"])
def test_pictures_of_every_mode_are_read(mode):
    assert kept(picture("PNG", mode=mode)).mode == "RGB"


def test_what_is_transparent_is_white():
    assert kept(picture("PNG", mode="RGBA")).getpixel((1, 1)) == (255, 255, 255)


def test_a_print_in_four_colours_is_read():
    assert kept(picture("JPEG", mode="CMYK")).mode == "RGB"


def test_of_a_moving_picture_the_first_is_kept():
    frames = [Image.new("RGB", (40, 30), colour) for colour in (GREEN, (200, 0, 0))]
    moving = io.BytesIO()
    frames[0].save(moving, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    assert near(kept(moving.getvalue()).getpixel((5, 5)), GREEN)


@pytest.mark.parametrize("tail", [b"<script>alert(1)</script>", b"PK\x03\x04", b"%PDF-1.7"])
def test_of_a_file_that_is_a_picture_and_something_else_only_the_picture_is_kept(tail):
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("payload.html", tail * 50)
    both = picture() + tail + other.getvalue()

    made = safe_picture(io.BytesIO(both))

    assert tail not in made
    assert b"payload.html" not in made
    assert not zipfile.is_zipfile(io.BytesIO(made))


# The first frame of this JPEG says that it is 8,000 × 8,001.
HUGE = re.sub(
    rb"(?s)(\xff\xc0\x00\x11\x08).{4}", lambda found: found[1] + b"\x1f\x41\x1f\x40", picture("JPEG")
)
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 200


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (HEIC, "HEIC.*Most Compatible"),
        (HEIC.replace(b"ftypheic", b"ftypmif1"), "HEIC"),
        (picture("GIF"), "JPEG, PNG or WebP"),
        (picture("BMP"), "JPEG, PNG or WebP"),
        (picture("TIFF"), "JPEG, PNG or WebP"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "JPEG, PNG or WebP"),
        (b"GIF89a<script>alert(1)</script>", "JPEG, PNG or WebP"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n", "JPEG, PNG or WebP"),
        (b"", "JPEG, PNG or WebP"),
        (b"\xff\xd8\xff<html><script>alert(1)</script>", "JPEG, PNG or WebP|broken"),
        (picture()[:400], "broken"),
        (picture("PNG")[:60], "broken"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "JPEG, PNG or WebP|broken"),
        (partial(bomb, 5_001), "too many pixels"),
        (HUGE, "too many pixels"),
        (partial(bomb, 12_000), "too many pixels"),
        (partial(bomb, 20_000), "too many pixels"),
        (picture() + b"\0" * MOST_BYTES, "This photograph is larger than 10 MB"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_an_unusable_photograph_is_refused_with_what_to_do(content, sentence):
    with pytest.raises(Refused, match=sentence) as refused:
        safe_picture(io.BytesIO(content() if callable(content) else content))
    assert refused.value.field == "photograph"


def test_a_bomb_is_refused_before_it_is_unpacked():
    """A few kilobytes that would fill 430 MB: refused in the memory of a small picture."""
    import tracemalloc

    content = bomb()
    assert len(content) < 50_000
    tracemalloc.start()
    with pytest.raises(Refused):
        safe_picture(io.BytesIO(content))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5_000_000


def test_a_cut_off_photograph_is_refused_after_a_pdf_was_made(monkeypatch):
    """WeasyPrint lets Pillow load truncated images in the whole process."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)

    with pytest.raises(Refused, match="broken"):
        safe_picture(io.BytesIO(picture()[:400]))
