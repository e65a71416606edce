"""Update the catalogues of texts in `locale/`: `python -m tools.texts [TRANSLATIONS.jsonl …]`.

`makemessages` collects the texts in a copy of the sources. An existing entry keeps its place and translation,
a new one comes after its neighbour, and an unused one is removed. No translation is guessed, but a text whose
first letter became small or large keeps its own. The files name translations, one JSON object per line:
`msgid`, `msgctxt` if there is one, and a text per language. Print the texts that still lack a translation,
and exit with 1 if there are any.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("ja", "zh_Hans", "zh_Hant")
SOURCES = ("league", "players", "scoring", "templates", "locale", "manage.py")
Key = tuple[str | None, str]


def key(entry: polib.POEntry) -> Key:
    return entry.msgctxt, entry.msgid


def _small(entry: polib.POEntry) -> Key:
    return entry.msgctxt, entry.msgid[:1].lower() + entry.msgid[1:]


def collect() -> polib.POFile:
    """Return the texts of the sources in their order. No file of this checkout changes."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SOURCES:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, f"{folder}/{name}", ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder)
        subprocess.run(  # noqa: S603 - our own program
            [
                *(sys.executable, "manage.py", "makemessages", "-l", "ja"),
                *("--keep-pot", "--no-wrap", "--add-location", "file"),
            ],
            cwd=folder,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "league.settings", "SECRET_KEY": "for-texts-only"},
            check=True,
        )
        return polib.pofile(f"{folder}/locale/django.pot", wrapwidth=0)


def read_translations(paths: list[str]) -> dict[str, dict[Key, str]]:
    """Return the translations of the files, by language."""
    translations: dict[str, dict[Key, str]] = {language: {} for language in LANGUAGES}
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            text = json.loads(line)
            for language in LANGUAGES:
                if text.get(language):
                    translations[language][text.get("msgctxt"), text["msgid"]] = text[language]
    return translations


def translate(entry: polib.POEntry, text: str) -> None:
    if entry.msgid_plural:
        entry.msgstr_plural = {0: text}  # none of the languages has a plural
    else:
        entry.msgstr = text


def update(catalogue: polib.POFile, texts: polib.POFile, translations: dict[Key, str]) -> list[Key]:
    """Bring a catalogue to the collected texts. Return the keys of entries that lack a translation."""
    collected = {key(entry): entry for entry in texts}
    former = {_small(entry): entry.msgstr or entry.msgstr_plural.get(0, "") for entry in catalogue}
    catalogue[:] = [entry for entry in catalogue if key(entry) in collected and not entry.obsolete]
    known = {key(entry): entry for entry in catalogue}
    before = None
    for entry in texts:
        if key(entry) in known:
            kept = known[key(entry)]
            kept.occurrences, kept.flags, kept.comment = entry.occurrences, list(entry.flags), entry.comment
            if bool(kept.msgid_plural) != bool(entry.msgid_plural):
                text = kept.msgstr or kept.msgstr_plural.get(0, "")
                kept.msgid_plural, kept.msgstr, kept.msgstr_plural = entry.msgid_plural, "", {}
                translate(kept, text)
        else:
            kept = polib.POEntry(
                msgctxt=entry.msgctxt,
                msgid=entry.msgid,
                msgid_plural=entry.msgid_plural,
                msgstr_plural={0: ""} if entry.msgid_plural else {},
                occurrences=entry.occurrences,
                flags=list(entry.flags),
                comment=entry.comment,
            )
            catalogue.insert(catalogue.index(before) + 1 if before else 0, kept)
            translate(kept, former.get(_small(entry), ""))
        if key(kept) in translations:
            translate(kept, translations[key(kept)])
        before = kept
    return [key(entry) for entry in catalogue if not (entry.msgstr or entry.msgstr_plural.get(0))]


def main(paths: list[str]) -> None:
    texts, translations = collect(), read_translations(paths)
    missing: set[Key] = set()
    for language in LANGUAGES:
        path = ROOT / "locale" / language / "LC_MESSAGES" / "django.po"
        catalogue = polib.pofile(str(path), wrapwidth=0)
        missing |= set(update(catalogue, texts, translations[language]))
        catalogue.save()
        catalogue.save_as_mofile(str(path.with_suffix(".mo")))
    lines = [f"{context or ''}\t{text!r}" for context, text in sorted(missing, key=str)]
    sys.exit("\n".join(lines) or None)


if __name__ == "__main__":
    main(sys.argv[1:])
