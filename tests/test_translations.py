"""Every text stands in every language, and what is compiled is what was written."""

import gettext
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import django
import polib
import pytest
from django.utils.translation import to_locale

from tests.forbidden_words import FORBIDDEN

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("ja", "zh_Hans", "zh_Hant")
FILES = sorted((ROOT / "locale").rglob("django.po"))
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.mark.parametrize(
    ("language", "word"), [(lang, word) for lang in FORBIDDEN for word in FORBIDDEN[lang]]
)
def test_no_text_has_a_forbidden_word(language, word):
    found = [
        text for entry in catalogue(to_locale(language)) for text in texts(entry) if re.search(word, text)
    ]
    assert (FORBIDDEN[language][word], found) == (FORBIDDEN[language][word], [])


def names_and_notes(language: str) -> Iterator[str]:
    """What published rules and penalty rules say in a language."""
    for path in sorted((ROOT / "scoring").glob("*/*.toml")):
        yield from re.findall(rf'\b{language} = "([^"]*)"', path.read_text(encoding="utf-8"))
    for notes in (ROOT / "scoring" / "presets" / "notes").glob(f"{language}.toml"):
        yield from tomllib.loads(notes.read_text(encoding="utf-8")).values()


@pytest.mark.parametrize("language", FORBIDDEN)
def test_no_name_or_note_of_published_rules_has_a_forbidden_word(language):
    words = re.compile("|".join(FORBIDDEN[language]))
    found = list(names_and_notes(language))
    assert len(found) > 500

    assert [text for text in found if words.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language):
    found = catalogue(language)
    assert len(found) > 1000
    assert [e.msgid for e in found.untranslated_entries()] == []
    assert [e.msgid for e in found.fuzzy_entries()] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: "-".join(path.parts[-4:-2]))
def test_placeholders_survive_translation(path):
    wrong = [
        entry.msgid
        for entry in polib.pofile(str(path))
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: "-".join(path.parts[-4:-2]))
def test_the_compiled_catalogue_is_up_to_date(path):
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    stale = [
        entry.msgid
        for entry in polib.pofile(str(path))
        if not entry.msgid_plural
        and (
            compiled.pgettext(entry.msgctxt, entry.msgid) if entry.msgctxt else compiled.gettext(entry.msgid)
        )
        != entry.msgstr
    ]
    assert stale == []


@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant"])
def test_what_is_translated_in_place_of_django_is_a_text_of_django(language):
    ours = polib.pofile(str(ROOT / "locale" / "django" / language / "LC_MESSAGES" / "django.po"))
    base = Path(django.__file__).parent
    theirs = {
        entry.msgid
        for part in ("conf", "contrib/auth")
        for entry in polib.pofile(str(base / part / "locale" / "en" / "LC_MESSAGES" / "django.po"))
    }
    assert [entry.msgid for entry in ours if entry.msgid not in theirs] == []


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gettext's programs are not on this machine")
def test_every_text_of_the_code_was_collected(tmp_path):
    """Collects again in a copy: a text that is new in the code would be new there."""
    for name in ("league", "players", "scoring", "templates", "locale"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "manage.py", "makemessages", "-l", "ja", "--no-wrap", "--add-location", "file"],
        cwd=tmp_path,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "league.settings", "SECRET_KEY": "for-this-test"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    collected = polib.pofile(str(tmp_path / "locale" / "ja" / "LC_MESSAGES" / "django.po"))
    assert [e.msgid for e in collected.untranslated_entries()] == []
    assert [e.msgid for e in collected.fuzzy_entries()] == []
    assert [e.msgid for e in collected.obsolete_entries()] == []
