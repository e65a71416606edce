"""Every text exists in every language, and what is compiled is what was written."""

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

from scoring.presets import translated_notes
from tests.forbidden_words import FORBIDDEN, FORBIDDEN_IN_SOURCES, KEPT, TWO_MEANINGS

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("ja", "zh_Hans", "zh_Hant")
FILES = sorted((ROOT / "locale").rglob("django.po"))
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def shown(language: str) -> Iterator[str]:
    """Every text in a language: of the pages, and of published rules and penalty rules."""
    for path in (ROOT / "locale").rglob(
        f"{to_locale('ja' if language == 'en' else language)}/LC_MESSAGES/django.po"
    ):
        for entry in polib.pofile(str(path)):
            yield from (entry.msgid, entry.msgid_plural) if language == "en" else texts(entry)
    for path in sorted((ROOT / "scoring").glob("*/*.toml")):
        yield from re.findall(rf'\b{language} = "([^"]*)"', path.read_text(encoding="utf-8"))
    if language == "en":
        yield from translated_notes()["ja"]
    for notes in (ROOT / "scoring" / "presets" / "notes").glob(f"{language}.toml"):
        yield from tomllib.loads(notes.read_text(encoding="utf-8")).values()


@pytest.mark.parametrize("language", FORBIDDEN)
def test_no_text_has_a_forbidden_word(language):
    kept = re.compile("|".join(KEPT))
    found = [kept.sub("", text) for text in shown(language)]
    assert len(found) > 4000
    assert {
        f"{word} ({instead})": wrong
        for word, instead in FORBIDDEN[language].items()
        if (wrong := [text for text in found if re.search(word, text)])
    } == {}


def test_no_source_has_a_forbidden_word():
    sources = [
        path
        for pattern in ("**/*.py", "templates/**/*.html", "static/**/*.js", "static/**/*.css", "**/*.md")
        for path in ROOT.glob(pattern)
        if not {".venv", "node_modules", "vendor", "migrations", "data"} & set(path.relative_to(ROOT).parts)
        and path.name != "forbidden_words.py"
    ]
    assert len(sources) > 1000
    assert [
        f"{path.relative_to(ROOT)}: {found[0]} ({instead})"
        for path in sources
        for text in [path.read_text(encoding="utf-8").replace("_", " ")]
        for word, instead in FORBIDDEN_IN_SOURCES.items()
        if (found := re.search(word, text))
    ] == []


def test_a_word_with_two_meanings_says_which_one_it_has():
    alone = {entry.msgid for entry in catalogue("ja") if entry.msgctxt is None}
    assert [word for word in alone if re.fullmatch(TWO_MEANINGS, word, re.IGNORECASE)] == []


def test_no_template_puts_words_together_with_english_marks():
    """Chinese and Japanese have marks of their own: {% colon %}, {% comma %}, and the filter ``listed``."""
    said = re.compile(
        r"{% blocktranslate.*?{% endblocktranslate %}|{% comment %}.*?{% endcomment %}|{#.*?#}", re.DOTALL
    )
    english = re.compile(r"""(?:}}|%}|</\w+>)[:,](?=\s|{%|</)|join:["'], """)
    assert [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in (ROOT / "templates").rglob("*.html")
        if (found := english.search(said.sub(" ", path.read_text(encoding="utf-8"))))
    ] == []


def test_what_keeps_a_forbidden_word_is_still_there():
    found = "\n".join(text for language in FORBIDDEN for text in shown(language))
    assert [words for words in KEPT if not re.search(words, found, re.MULTILINE)] == []


@pytest.mark.parametrize(("language", "characters"), [("zh-hant", "big5hkscs"), ("zh-hans", "gb2312")])
def test_chinese_texts_have_the_characters_of_their_readers(language, characters):
    strange = [
        (character, text)
        for text in shown(language)
        for character in re.findall("[\u3400-\u9fff]", text.replace("喰", ""))  # of a room of Tenhou
        if not character.encode(characters, "ignore")
    ]
    assert strange == []


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


@pytest.mark.slow
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
