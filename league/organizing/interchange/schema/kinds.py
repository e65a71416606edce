"""The kinds of values in a competition file. Texts are stored in one spelling (``players.text.tidy``)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import BeforeValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, PydanticUseDefault
from pydantic_core import core_schema as core

from league.core.zones import LAST_YEAR
from league.models.competitions import time_zones
from players.text import has_control_characters, tidy
from scoring.promotion import Movement
from scoring.units import WINDS, tenths_of

LARGEST = 2**31 - 1  # what an integer column holds
SLUG, NAME, KEY, ZONE, REASON, CODE, PLACE = 60, 120, 64, 60, 300, 40, 120  # characters, as in the database
SHORT_NAME, CITY = 40, 60
MOST_DEDUCTED = 100_000  # tenths
MOST_AMOUNT = 1_000_000  # of money, in any currency; less than that
PLAYERS, TEAMS = "players", "teams"

_SLUG = re.compile(r"[-a-zA-Z0-9_]+", re.ASCII)
_COUNTRY = re.compile(r"[A-Z]{2}", re.ASCII)
_HAND = re.compile(r"[ESWN][1-8]\.[0-9]{1,2}(\.[1-9])?|\?[0-9]{1,4}", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_YEARS = range(1900, LAST_YEAR + 1)
_Day = TypeVar("_Day", bound=date)


def refuse(code: str, **words: object) -> NoReturn:
    raise PydanticCustomError(code, "-", words)


class FieldKind:
    """The kind of a field's values. ``str`` gives its words in the documentation."""


@dataclass(frozen=True)
class VisibleText(FieldKind):
    """Visible text, which may be empty if ``empty`` is set."""

    most: int
    empty: bool = False

    def __str__(self) -> str:
        return f"text of at most {self.most} characters"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core.no_info_after_validator_function(self.read, core.str_schema(strict=True))

    def read(self, value: str) -> str:
        text = tidy(value)
        if not text and not self.empty:
            refuse("missing")
        if len(text) > self.most:
            refuse("too_long", most=self.most, count=len(text))
        if not text.isprintable() and has_control_characters(text):
            refuse("invisible")
        return text


@dataclass(frozen=True)
class Id(VisibleText):
    """The id of a player or a team. ``of``: the list that has it."""

    of: str = ""

    def __str__(self) -> str:
        return f"`id` in `{self.of}`"


@dataclass(frozen=True)
class FormattedText(VisibleText):
    """Text that ``made`` converts. It raises ``ValueError`` for text of another form."""

    words: str = ""
    code: str = ""
    made: Callable[[str], str] = str

    def __str__(self) -> str:
        return self.words

    def read(self, value: str) -> str:
        text = super().read(value)
        try:
            return self.made(text) if text else text
        except ValueError:
            refuse(self.code)


@dataclass(frozen=True)
class Whole(FieldKind):
    """A whole number that the database can hold."""

    least: int = 0
    most: int = LARGEST

    def __str__(self) -> str:
        least = f" from {self.least}" if self.least > -LARGEST else ""
        most = f" to {self.most}" if self.most < LARGEST else ""
        return f"whole number{least}{most}"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core.int_schema(strict=True, ge=self.least, le=self.most)


@dataclass(frozen=True)
class Once:
    """A list whose objects repeat no value of the field ``of``."""

    of: str


class Choice(FieldKind):
    """A word from a list."""

    def __init__(self, *values: str) -> None:
        self.values = [str(value) for value in values]

    def __str__(self) -> str:
        return ", ".join(f"`{value}`" for value in self.values)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core.custom_error_schema(
            core.literal_schema(self.values),
            "choice",
            custom_error_message="-",
            custom_error_context={"choices": ", ".join(self.values)},
        )


@dataclass(frozen=True)
class Read(FieldKind):
    """A value that ``made`` converts, or refuses with an error. ``written`` makes JSON.

    ``json_type`` and ``json_format``: its names in a JSON schema.
    """

    words: str
    code: str
    made: Callable[[Any], Any]
    written: Callable[[Any], Any] = str
    json_type: str = "string"
    json_format: str = ""

    def __str__(self) -> str:
        return self.words

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: object) -> dict[str, Any]:
        found = {"type": self.json_type, "description": self.words}
        return found | {"format": self.json_format} if self.json_format else found

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core.plain_serializer_function_ser_schema(self.written)
        return core.no_info_plain_validator_function(self.read, serialization=written)

    def read(self, value: object) -> object:
        try:
            return self.made(value)
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            refuse(self.code)


def _match(form: re.Pattern[str]) -> Callable[[str], str]:
    def made(text: str) -> str:
        if not form.fullmatch(text):
            raise ValueError(text)
        return text

    return made


def _country(text: str) -> str:
    return _match(_COUNTRY)(text.upper())


def _time_zone(name: str) -> str:
    if name not in time_zones():
        raise ValueError(name)
    return name


def _tenths(value: object, least: int = -LARGEST, most: int = LARGEST) -> int:
    tenths = tenths_of(value)
    if not least <= tenths <= most:
        raise ValueError(value)
    return tenths


def _written_tenths(tenths: int) -> float:
    return tenths / 10


def _amount(value: object) -> Decimal:
    if type(value) not in (int, float):
        raise TypeError(value)
    found = Decimal(str(value or 0))  # not minus zero
    if not 0 <= found < MOST_AMOUNT or found != round(found, 2):
        raise ValueError(value)
    return found


def _mers_weight(value: object) -> Decimal:
    found = _amount(value)
    if found >= 100 or found != round(found, 1):
        raise ValueError(value)
    return found


def _day(value: str) -> date:
    if value == "":
        raise PydanticUseDefault
    if not _DAY.fullmatch(value):
        raise ValueError(value)
    return _in_our_time(date.fromisoformat(value))


def _moment(value: str) -> datetime:
    moment = _in_our_time(datetime.fromisoformat(value))
    if moment.tzinfo is None:
        raise ValueError(value)
    return moment.astimezone(UTC)


def _in_our_time(day: _Day) -> _Day:
    """Raise ``ValueError`` for a typing slip such as the year 9999, the last one that Python knows."""
    if day.year not in _YEARS:
        raise ValueError(day)
    return day


def _federation(value: str) -> str:
    if value != tidy(value) or not 0 < len(value) <= 20 or has_control_characters(value):
        raise ValueError(value)
    return value


def _number_as_text(value: object) -> object:
    return str(value) if type(value) is int and 0 <= value < 100 else value


_ADDRESS = ("letters a to z, digits, `-`, `_`", "slug", _match(_SLUG))
Address = Annotated[str, FormattedText(SLUG, False, *_ADDRESS)]
AddressOrEmpty = Annotated[str, FormattedText(SLUG, True, *_ADDRESS)]
Name = Annotated[str, VisibleText(NAME)]
NameOrEmpty = Annotated[str, VisibleText(NAME, empty=True)]
Key = Annotated[str, VisibleText(KEY)]
PlayerId = Annotated[str, Id(KEY, of=PLAYERS)]
TeamId = Annotated[str, Id(KEY, of=TEAMS)]
Reason = Annotated[str, VisibleText(REASON)]
ReasonOrEmpty = Annotated[str, VisibleText(REASON, empty=True)]
PlaceOrEmpty = Annotated[str, VisibleText(PLACE, empty=True)]
ShortNameOrEmpty = Annotated[str, VisibleText(SHORT_NAME, empty=True)]
CityOrEmpty = Annotated[str, VisibleText(CITY, empty=True)]
Code = Annotated[str, VisibleText(CODE)]
CodeOrEmpty = Annotated[str, VisibleText(CODE, empty=True)]
Level = Annotated[str, VisibleText(CODE, empty=True), BeforeValidator(_number_as_text)]
Number = Annotated[int, Whole()]
Wind = Annotated[str, Choice(*WINDS)]
TimeZone = Annotated[str, FormattedText(ZONE, False, "name of a time zone", "timezone", _time_zone)]
Country = Annotated[str, FormattedText(KEY, True, "two letters (ISO 3166)", "country", _country)]
Hand = Annotated[
    str,
    FormattedText(
        12,
        True,
        "wind, number and honba: `E1.0`; `E1.0.1`: dealt again; `?1`: not known",
        "hand",
        _match(_HAND),
    ),
]
Federation = Annotated[str, Read("name of a federation", "federation", _federation)]
Score = Annotated[int, Read("number with one decimal at most", "score", _tenths, _written_tenths, "number")]
Deduction = Annotated[
    int,
    Read(
        "number with one decimal at most, zero or less",
        "deduction",
        lambda value: _tenths(value, -MOST_DEDUCTED, 0),
        _written_tenths,
        "number",
    ),
]
Amount = Annotated[
    Decimal,
    Read("number with two decimals at most, zero or more", "amount", _amount, float, "number"),
]
MersWeight = Annotated[
    Decimal,
    Read(
        "number below 100 with one decimal at most, zero or more",
        "mers_weight",
        _mers_weight,
        float,
        "number",
    ),
]
Day = Annotated[date, Read("date as `2025-04-30`", "day", _day, date.isoformat, json_format="date")]
Moment = Annotated[
    datetime,
    Read(
        "time with its zone as `2026-11-20T18:00:00+09:00`",
        "moment",
        _moment,
        lambda moment: moment.astimezone(UTC).isoformat(),
        json_format="date-time",
    ),
]
Movements = Annotated[
    Movement, Read("object", "movement", Movement.from_values, Movement.as_values, "object")
]
