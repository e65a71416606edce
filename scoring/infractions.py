"""The referee's catalogues, one cited TOML file each. Deductions are in tenths: 20 deducts 2.0."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

_FOLDER = Path(__file__).parent / "catalogues"

Names = Mapping[str, str]  # by language code
Amounts = tuple[int, int] | None  # least and most of a deduction; None where none is named

JOINT: Final = ", "  # between the levels that a penalty keeps: stored, the same in every language

WHO: Final = ("offender", "all_four", "nobody", "discarders", "depends")
SCOPES: Final = ("hand", "hanchan", "day", "event")
MISCONDUCT: Final = frozenset({"U", "conduct"})  # categories that a competition may keep from visitors
REPEATS: Final = ("", "first", "again", "again_in_hand")
UNITS: Final = ("", "minute", "tile")
IN_HANDS: Final = ("chombo", "foul", "noten_riichi", "dead_hand", "win_ban", "extra_tiles")


def levels_in(stored: str) -> tuple[str, ...]:
    """Return the levels that a penalty keeps in one text."""
    return tuple(stored.split(JOINT)) if stored else ()


class UnknownCatalogue(KeyError):
    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug


@dataclass(frozen=True, slots=True)
class Escalation:
    """The same reason again within `scope` has the level `to`, or one of `options`. `any_reason`: any
    offence.
    """

    scope: str
    to: str
    any_reason: bool = False
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """A level of sanctions. `noten`: a player who may not win is noten at a draw."""

    code: str
    deduction: int | None
    deduction_max: int | None
    win_ban: bool
    noten: bool
    expels: bool
    names: Names
    meaning: Names
    escalation: Escalation | None
    article: str
    lines: str  # of the document's text as it was transcribed


@dataclass(frozen=True, slots=True)
class Variant:
    """The cost of an offence under one condition. What the book does not say is empty.

    `levels` apply together, `options` are alternatives ("level 5 or heavier"). `deduction` to
    `deduction_max`: tenths, per `unit` (one of `UNITS`) if there is one. `repeat` (one of `REPEATS`): the
    condition is about frequency. `pay_each`: points to each other player. `restriction` lasts for the hand.
    `forfeits`: an organizer forfeits the seat. `judged_as`: the entry by which the book judges the offence.
    `note` is English, for maintainers.
    """

    condition: Names
    levels: tuple[str, ...]
    deduction: int | None
    deduction_max: int | None
    unit: str
    repeat: str
    redeal: bool
    forfeits: bool
    pay_each: int
    win_ban: bool
    who: str
    hand_handling: Names
    payment: Names
    restriction: Names
    options: tuple[str, ...]
    judged_as: str
    note: str


@dataclass(frozen=True, slots=True)
class Infraction:
    """An offence. `category` is a key of the catalogue's categories, `who` one of `WHO`. `note` is English.

    `escalates`: False if the book exempts it. A `superseded_by` entry stays for its penalties but is
    not offered.
    """

    code: str
    escalates: bool
    names: Names
    category: str
    who: str
    variants: tuple[Variant, ...]
    note: str
    article: str
    lines: str  # of the document's text as it was transcribed
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The penalty rules of one book.

    `hands`: what a log of hands implies (one of `IN_HANDS`) → a level, or an offence with the index of its
    condition ("C-III.0").
    """

    slug: str
    names: Names
    document: str
    levels: Mapping[str, Level]
    categories: Mapping[str, Names]
    infractions: Mapping[str, Infraction]
    hands: Mapping[str, str]

    def amounts(self, levels: Sequence[str]) -> Amounts:
        """Return what these levels deduct together. Raise KeyError for an unknown level."""
        known = [self.levels[code] for code in levels]
        least = [level.deduction for level in known if level.deduction is not None]
        if not known or len(least) < len(known):
            return None
        most = [level.deduction_max or level.deduction or 0 for level in known]
        return sum(least), sum(most)

    def amounts_of(self, variant: Variant) -> Amounts:
        """Return what the condition itself deducts, per unit if there is one."""
        if variant.deduction is None:
            return None
        if variant.deduction_max is not None:
            return variant.deduction, variant.deduction_max
        of_levels = self.amounts(variant.levels)
        if of_levels is None:
            return variant.deduction, variant.deduction
        _least, most = of_levels
        return variant.deduction, max(variant.deduction, most)


def catalogue(slug: str) -> Catalogue:
    try:
        return _all()[slug]
    except KeyError:
        raise UnknownCatalogue(slug) from None


def extended(base: str, entries: Sequence[Mapping[str, Any]], *, slug: str, names: Names) -> Catalogue:
    """Extend `base` (may be "") by `entries` as in the files. Raises UnknownCatalogue or ValueError."""
    published = catalogue(base) if base else _nothing()
    own = {}
    for entry in entries:
        try:
            _refuse_wrong_types(entry)
            read = _infraction(entry, {"handling": {}, "payments": {}})
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{entry!r} is not an entry: {error}") from error
        own[read.code] = read
    infractions = {**published.infractions, **own}
    categories = {**published.categories, **{each.category: names for each in own.values() if not base}}
    penalty_rules = replace(
        published,
        slug=slug,
        names=MappingProxyType(dict(names)),
        categories=MappingProxyType(categories),
        infractions=MappingProxyType(infractions),
    )
    _refuse_unknown_codes(penalty_rules)
    return penalty_rules


def _refuse_wrong_types(entry: Mapping[str, Any]) -> None:
    """Raise TypeError for values from a form or file that a page could not show."""
    _expect(entry, str, "code", "category", "who", "article", "lines", "note", "superseded_by")
    _expect(entry, bool, "escalates")
    _expect_texts(entry, "names")
    for variant in entry["variants"]:
        _expect(variant, str, "unit", "repeat", "who", "judged_as", "note")
        _expect(variant, bool, "redeal", "forfeits", "win_ban")
        _expect_texts(variant, "condition", "hand_handling", "payment", "restriction")
        for levels in (variant["levels"], variant.get("options", ())):
            if isinstance(levels, str) or not all(isinstance(code, str) for code in levels):
                raise TypeError("levels is not a list of codes")
        amounts = [variant[name] for name in ("deduction", "deduction_max", "pay_each") if name in variant]
        if any(isinstance(amount, bool) or not isinstance(amount, int) or amount < 0 for amount in amounts):
            raise TypeError("amounts are whole numbers, not negative")
        if variant.get("deduction_max", 0) < variant.get("deduction", 0) and "deduction_max" in variant:
            raise TypeError("the most is less than the least")


def _expect(entry: Mapping[str, Any], kind: type, *names: str) -> None:
    for name in names:
        if name in entry and not isinstance(entry[name], kind):
            raise TypeError(f"{name} is {entry[name]!r}")


def _expect_texts(entry: Mapping[str, Any], *names: str) -> None:
    for name in names:
        texts = entry.get(name, {})
        if not isinstance(texts, Mapping) or not all(isinstance(t, str) for kv in texts.items() for t in kv):
            raise TypeError(f"{name} is {texts!r}")


def entry_of(infraction: Infraction) -> dict[str, Any]:
    """Return the offence as `extended` takes it, JSON-shaped."""
    entry: dict[str, Any] = {
        "code": infraction.code,
        "category": infraction.category,
        "names": dict(infraction.names),
        "who": infraction.who,
        "article": infraction.article,
        "lines": infraction.lines,
        "variants": [_variant_entry(variant, infraction.who) for variant in infraction.variants],
    }
    if not infraction.escalates:
        entry["escalates"] = False
    for name in ("note", "superseded_by"):
        if value := getattr(infraction, name):
            entry[name] = value
    return entry


def _variant_entry(variant: Variant, who: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"levels": list(variant.levels), "win_ban": variant.win_ban}
    for name in ("condition", "hand_handling", "payment", "restriction"):
        if texts := getattr(variant, name):
            entry[name] = dict(texts)
    for name in ("deduction", "deduction_max"):
        if (amount := getattr(variant, name)) is not None:
            entry[name] = amount
    for name in ("options", "unit", "repeat", "redeal", "forfeits", "pay_each", "judged_as", "note"):
        if value := getattr(variant, name):
            entry[name] = list(value) if name == "options" else value
    if variant.who != who:
        entry["who"] = variant.who
    return entry


def _nothing() -> Catalogue:
    empty: Mapping[str, Any] = MappingProxyType({})
    more = {"levels": empty, "categories": empty, "infractions": empty, "hands": empty}
    return Catalogue(slug="", names=empty, document="", **more)


def catalogues() -> tuple[Catalogue, ...]:
    return tuple(_all().values())


@cache
def _all() -> Mapping[str, Catalogue]:
    return MappingProxyType({path.stem: _read(path) for path in sorted(_FOLDER.glob("*.toml"))})


def _read(path: Path) -> Catalogue:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    levels = {entry["code"]: _level(entry) for entry in data["levels"]}
    infractions = {entry["code"]: _infraction(entry, data) for entry in data["infractions"]}
    penalty_rules = Catalogue(
        slug=path.stem,
        names=MappingProxyType(data["names"]),
        document=data["document"],
        levels=MappingProxyType(levels),
        categories=MappingProxyType(data["categories"]),
        infractions=MappingProxyType(infractions),
        hands=MappingProxyType(data.get("hands", {})),
    )
    _refuse_unknown_codes(penalty_rules)
    return penalty_rules


def _level(entry: Mapping[str, Any]) -> Level:
    escalation = entry.get("escalation")
    return Level(**_plain(Level, {**_LEVEL, **entry, "escalation": escalation and _escalation(escalation)}))


def _escalation(entry: Mapping[str, Any]) -> Escalation:
    return Escalation(**{**entry, "options": tuple(entry.get("options", ()))})


def _infraction(entry: Mapping[str, Any], data: Mapping[str, Any]) -> Infraction:
    variants = tuple(_variant(variant, entry["who"], data) for variant in entry["variants"])
    return Infraction(**_plain(Infraction, {**_INFRACTION, **entry, "variants": variants}))


def _variant(entry: Mapping[str, Any], who: str, data: Mapping[str, Any]) -> Variant:
    texts = {
        "hand_handling": _names_of(entry.get("hand_handling"), data["handling"]),
        "payment": _names_of(entry.get("payment"), data["payments"]),
        "restriction": _names_of(entry.get("restriction"), data["handling"]),
    }
    return Variant(**_plain(Variant, {**_VARIANT, "who": who, **entry, **texts}))


# What an entry may leave out.
_LEVEL: Final = {"deduction": None, "deduction_max": None, "noten": False, "expels": False}
_INFRACTION: Final = {"escalates": True, "note": "", "superseded_by": ""}
_VARIANT: Final = {
    **{"condition": {}, "deduction": None, "deduction_max": None, "unit": "", "repeat": "", "redeal": False},
    **{"forfeits": False, "pay_each": 0, "options": (), "judged_as": "", "note": ""},
}


def _plain(cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the fields, read-only. Raises KeyError for a missing one."""
    return {field.name: _frozen(values[field.name]) for field in fields(cls)}


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType(dict(value))
    return tuple(value) if isinstance(value, list) else value


def _names_of(key: str | Names | None, texts: Mapping[str, dict[str, str]]) -> Names:
    """Return the text of a key, or the text itself. Raises KeyError."""
    if isinstance(key, Mapping):
        return MappingProxyType(dict(key))
    return MappingProxyType({} if key is None else texts[key])


def _refuse_unknown_codes(penalty_rules: Catalogue) -> None:
    offences = {
        f"{each.code}.{at}" for each in penalty_rules.infractions.values() for at in range(len(each.variants))
    }
    if not (
        penalty_rules.hands.keys() <= set(IN_HANDS)
        and {*penalty_rules.hands.values()} <= offences | penalty_rules.levels.keys()
    ):
        raise ValueError(
            f"{penalty_rules.slug}: the log of hands implies unknown codes {dict(penalty_rules.hands)}"
        )
    for level in penalty_rules.levels.values():
        if (
            level.escalation
            and not {level.escalation.to, *level.escalation.options} <= penalty_rules.levels.keys()
        ):
            raise ValueError(f"{penalty_rules.slug}: level {level.code} escalates to an unknown level")
        if level.escalation and level.escalation.scope not in SCOPES:
            raise ValueError(f"{penalty_rules.slug}: level {level.code} escalates within an unknown scope")
    for infraction in penalty_rules.infractions.values():
        variants = infraction.variants
        named = {level for variant in variants for level in (*variant.levels, *variant.options)}
        unknown = named - penalty_rules.levels.keys()
        if unknown or infraction.category not in penalty_rules.categories:
            raise ValueError(f"{penalty_rules.slug}: {infraction.code} has unknown codes {sorted(unknown)}")
        if infraction.superseded_by and infraction.superseded_by not in penalty_rules.infractions.keys() - {
            infraction.code
        }:
            raise ValueError(f"{penalty_rules.slug}: {infraction.code} is superseded by nothing")
        if any(each.judged_as and each.judged_as not in penalty_rules.infractions for each in variants):
            raise ValueError(f"{penalty_rules.slug}: {infraction.code} is judged as an unknown entry")
        if any(variant.who not in WHO for variant in variants) or infraction.who not in WHO:
            raise ValueError(f"{penalty_rules.slug}: {infraction.code} does not say who is punished")
        if any(variant.repeat not in REPEATS or variant.unit not in UNITS for variant in variants):
            raise ValueError(f"{penalty_rules.slug}: {infraction.code} has an unknown repeat or unit")
