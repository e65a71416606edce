"""Every text stands in every language, and what is compiled is what was written."""

import gettext
import re
import subprocess
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("ja", "zh_Hans", "zh_Hant")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language):
    found = catalogue(language)
    assert len(found) > 1000
    assert [e.msgid for e in found.untranslated_entries()] == []
    assert [e.msgid for e in found.fuzzy_entries()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_survive_translation(language):
    wrong = [
        entry.msgid
        for entry in catalogue(language)
        for text in texts(entry)
        if set(PLACEHOLDER.findall(text)) - set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        or (
            not entry.msgid_plural and set(PLACEHOLDER.findall(text)) != set(PLACEHOLDER.findall(entry.msgid))
        )
    ]
    assert wrong == []


def test_the_languages_hold_the_same_texts():
    keys = [{(e.msgctxt, e.msgid) for e in catalogue(language)} for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_up_to_date(language):
    path = ROOT / "locale" / language / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    stale = [
        entry.msgid
        for entry in catalogue(language)
        if not entry.msgid_plural
        and (
            compiled.pgettext(entry.msgctxt, entry.msgid) if entry.msgctxt else compiled.gettext(entry.msgid)
        )
        != entry.msgstr
    ]
    assert stale == []


def test_every_text_of_the_code_was_collected(tmp_path):
    """Collects again into a copy: a text that is new in the code would be new there."""
    if subprocess.run(["which", "xgettext"], capture_output=True).returncode:
        pytest.skip("gettext's programs are not on this machine")
    copy = tmp_path / "umaoka"
    copy.mkdir()
    for name in ("league", "players", "scoring", "templates", "locale", "manage.py"):
        (copy / name).symlink_to(ROOT / name) if name != "locale" else subprocess.run(
            ["cp", "-r", str(ROOT / name), str(copy / name)], check=True
        )
    command = ["makemessages", "-l", "ja", "--no-wrap", "--add-location", "file", "--symlinks"]
    done = subprocess.run(
        ["python", "manage.py", *command], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    collected = polib.pofile(str(copy / "locale" / "ja" / "LC_MESSAGES" / "django.po"))
    assert [e.msgid for e in collected.untranslated_entries()] == []
    assert [e.msgid for e in collected.fuzzy_entries()] == []
    assert [e.msgid for e in collected.obsolete_entries()] == []
