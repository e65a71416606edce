"""PDF files: what their maker may read, and what it says where it cannot work."""

import re
from pathlib import Path

import pytest

from league.core.pdf import EMOJI_FONT, FONT, LIBRARY, NoPdf, find_static, make_pdf

LATIN = Path("/usr/share/fonts/truetype/dejavu")
STATIC = "https://umaoka.example/static/"


def made(html: str) -> bytes:
    return make_pdf(html, address="https://umaoka.example/c/spring/", static=STATIC, folders=[])


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://169.254.169.254/",
        "https://umaoka.example/c/spring/",
        "data:text/css,p{}",
        f"{STATIC}../secret.css",
        f"{STATIC}%2e%2e/secret.css",
        f"{STATIC}/etc/passwd",
        f"{STATIC}none.css",
    ],
)
def test_nothing_but_static_files_is_read(address, tmp_path):
    (tmp_path / "secret.css").write_text("")
    static = tmp_path / "static"
    static.mkdir()
    (static / "a.css").write_text("")

    with pytest.raises(ValueError, match=re.escape(address)):
        find_static(address, STATIC, [str(static)])

    assert find_static(f"{STATIC}a.css?v=1", STATIC, [str(static)]) == static / "a.css"


def test_a_missing_library_is_named(tmp_path, monkeypatch):
    (tmp_path / "weasyprint.py").write_text("print('cannot load')\nraise OSError('libpango')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with pytest.raises(NoPdf, match=LIBRARY):
        made("<p>1</p>")


@pytest.mark.skipif(not LATIN.exists(), reason="needs a font without Chinese and Japanese: DejaVu")
@pytest.mark.parametrize(
    ("name", "font"), [("陳大文", FONT), pytest.param("🀄 Dora 🐲", EMOJI_FONT, marks=pytest.mark.slow)]
)
def test_a_missing_font_is_named(tmp_path, monkeypatch, name, font):
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{LATIN}</dir><cachedir>{tmp_path}</cachedir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))

    with pytest.raises(NoPdf, match=font):
        made(f"<p>{name}</p>")
