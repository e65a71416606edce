"""Published rule sets as cited data, one TOML file each, as README.md describes.

A slug never changes meaning. A competition copies the values, so that a later edition changes no old result.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from scoring.rules import SETTINGS, Rules

NOBODY_SIGNS: Final = "none"
SIGNERS: Final = (NOBODY_SIGNS, "four", "winner", "staff")
LANGUAGES: Final = ("en", "zh-hant", "zh-hans", "ja")
NOT_NOTED: Final = "number not noted"  # an article that was read, and its number not written down

_FOLDER = Path(__file__).parent
_NUMBERS: Final = r"\bl\.\s?\d+(?:–\d+)?(?:,\s\d+(?:–\d+)?)*"
_LINES: Final = re.compile(rf"\s?[(（]{_NUMBERS}[)）]|[,，]?\s?{_NUMBERS}")

Names = Mapping[str, str]  # by language code


class UnknownPreset(KeyError):
    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug


@dataclass(frozen=True, slots=True)
class Cite:
    """The source of a value. `choice`: no source has it, and Umaoka chose it for the reason in `note`."""

    document: str
    article: str
    note: Names
    choice: bool


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text on a rule in its language. `values`: all settings that it implies, JSON-shaped."""

    text: str
    place: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SourceQuestion:
    """Two texts on one rule. The preset follows text 1 or 2 (`own_reading`) for the reason in `note`.

    In `Preset.conflicts` the texts contradict each other. In `Preset.options` the source leaves the rule open
    ("some rules …").
    """

    settings: tuple[str, ...]
    first: SourceText
    second: SourceText
    own_reading: int
    note: Names

    @property
    def texts(self) -> dict[int, SourceText]:
        return {1: self.first, 2: self.second}

    @property
    def other(self) -> SourceText:
        return self.texts[3 - self.own_reading]

    @property
    def own(self) -> SourceText:
        return self.texts[self.own_reading]


@dataclass(frozen=True, slots=True)
class Preset:
    """A published rule set, with `values` (JSON-shaped) and `cites` for every setting.

    `signatures`: who signs the score sheet, one of `SIGNERS`, by the rule in `signatures_cite`. Without such
    a rule they are "none" and None.
    """

    slug: str
    name: Names
    edition: str
    document: str
    catalogue: str | None  # slug of the referee's catalogue
    values: Mapping[str, object]
    cites: Mapping[str, Cite]
    conflicts: tuple[SourceQuestion, ...]
    options: tuple[SourceQuestion, ...] = ()
    signatures: str = NOBODY_SIGNS
    signatures_cite: Cite | None = None

    @property
    def questions(self) -> tuple[SourceQuestion, ...]:
        return (*self.conflicts, *self.options)


def preset(slug: str) -> Preset:
    try:
        return _all()[slug]
    except KeyError:
        raise UnknownPreset(slug) from None


def find_preset(slug: str) -> Preset | None:
    return _all().get(slug)


def presets() -> tuple[Preset, ...]:
    return tuple(_all().values())


def resolve(
    preset_slug: str,
    overrides: Mapping[str, object] = MappingProxyType({}),
    values: Mapping[str, object] | None = None,
) -> Rules:
    """Build a preset's rules with `values`, then `overrides`. Raises UnknownPreset or RulesError."""
    return Rules.from_values({**preset(preset_slug).values, **(values or {}), **overrides})


@cache
def _all() -> Mapping[str, Preset]:
    files = sorted(_FOLDER.glob("*.toml"))
    return MappingProxyType({path.stem: read_preset(path) for path in files})


def read_preset(path: Path) -> Preset:
    """Read a preset's file. Raises ValueError if it is incomplete or does not follow README.md."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if data["slug"] != path.stem:
        raise ValueError(f"{path.name}: the slug is {data['slug']!r}")
    missing = [name for name in SETTINGS if name not in data["settings"]]
    missing += [f"name.{language}" for language in LANGUAGES if not data["name"].get(language)]
    if missing:
        raise ValueError(f"{path.name}: without {', '.join(missing)}")
    values = {name: _value(entry) for name, entry in data["settings"].items()}
    signatures = data.get("signatures")
    if signatures and signatures["value"] not in SIGNERS:
        raise ValueError(f"{path.name}: signatures are one of {SIGNERS}")
    new_preset = Preset(
        slug=data["slug"],
        name=MappingProxyType(data["name"]),
        edition=data["edition"],
        document=data["documents"][data["document"]],
        catalogue=data.get("catalogue"),
        values=MappingProxyType(Rules.from_values(values).as_values()),
        cites=MappingProxyType({name: _cite(name, entry, data) for name, entry in data["settings"].items()}),
        conflicts=tuple(_question(entry) for entry in data.get("conflicts", ())),
        options=tuple(_question(entry) for entry in data.get("options", ())),
        signatures=signatures["value"] if signatures else NOBODY_SIGNS,
        signatures_cite=_cite("signatures", signatures, data) if signatures else None,
    )
    _check_texts(new_preset)
    return new_preset


def _check_texts(new_preset: Preset) -> None:
    """Raise ValueError unless followed texts match the preset's values and the others make valid rules."""
    for question in new_preset.questions:
        if not question.own.values.items() <= new_preset.values.items():
            raise ValueError(f"{new_preset.slug}: not the preset's values: {question.own.values}")
        Rules.from_values({**new_preset.values, **question.other.values})


def _value(entry: Mapping[str, Any]) -> object:
    return None if entry.get("null") else entry["value"]


def _text(entry: Mapping[str, Any]) -> SourceText:
    """Read one text. In its `values` a table `{ null = true }` means null."""
    means = entry.get("values", {})
    values = {name: None if value == {"null": True} else value for name, value in means.items()}
    place = _without_lines(entry["place"])
    return SourceText(text=entry["text"], place=place, values=MappingProxyType(values))


def _cite(name: str, entry: Mapping[str, Any], data: Mapping[str, Any]) -> Cite:
    note = in_every_language(entry.get("note", ""))
    if entry.get("choice"):
        if not note:
            raise ValueError(f"{data['slug']}: {name} is a choice without a reason")
        return Cite(document="", article="", note=note, choice=True)
    document = data["documents"][entry.get("document", data["document"])]
    if not entry.get("article"):
        raise ValueError(f"{data['slug']}: {name} has no article")
    return Cite(document=document, article=_without_lines(entry["article"]), note=note, choice=False)


def _question(entry: Mapping[str, Any]) -> SourceQuestion:
    unknown = [name for name in entry["settings"] if name not in SETTINGS]
    if unknown or entry["chosen"] not in (1, 2):
        raise ValueError(f"a conflict is about known settings and chooses 1 or 2: {entry!r}")
    return SourceQuestion(
        settings=tuple(entry["settings"]),
        first=_text(entry["first"]),
        second=_text(entry["second"]),
        own_reading=entry["chosen"],
        note=in_every_language(entry["note"]),
    )


@cache
def translated_notes() -> Mapping[str, Names]:
    files = sorted((_FOLDER / "notes").glob("*.toml"))
    return {path.stem: _translations(path) for path in files}


def _translations(path: Path) -> Names:
    notes = tomllib.loads(path.read_text(encoding="utf-8"))
    return {_without_lines(english): _without_lines(words) for english, words in notes.items()}


def in_every_language(english: str) -> Names:
    english = _without_lines(english)
    if not english:
        return MappingProxyType({})
    others = {language: notes[english] for language, notes in translated_notes().items() if english in notes}
    return MappingProxyType({"en": english, **others})


def _without_lines(text: str) -> str:
    """Remove line numbers (l. 12) of the transcription, which readers do not have."""
    return _LINES.sub("", text)
