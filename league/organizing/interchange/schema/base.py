"""The base class of the objects of a competition file, and the description of its fields."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Self, TypeGuard, TypeVar, cast, get_args, get_origin

from django.db import models
from django.utils.translation import gettext as _
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticUseDefault

from league.models.names import as_stored
from league.organizing.interchange.schema.checks import File, Found, UnknownField, check, find_problems
from league.organizing.interchange.schema.kinds import PLAYERS, Choice, Id, Once, refuse
from league.organizing.interchange.schema.problems import Path, quote
from players.text import tidy

Part = TypeVar("Part", bound="FileFacts")


@dataclass(frozen=True)
class EndsAtFirstProblem:
    """A list whose validation stops at its first wrong object. The reader then reads one after the other."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        read: dict[str, Any] = {**handler(source), "fail_fast": True}
        return cast("CoreSchema", read)


Parts = Annotated[list[Part], EndsAtFirstProblem()]
TOGETHER = "together"  # the code of what only fields together say wrong
MOST_VALUES = 20_000  # of a list of ids or words, or of an object without a schema


class FileFacts(BaseModel):
    """An object of the file."""

    model_config = ConfigDict(
        strict=True,
        validate_assignment=True,
        serialize_by_alias=True,
        defer_build=True,  # most processes read and write no file
    )

    @field_validator("*", mode="before")
    @classmethod
    def _pass_over_null(cls, value: object) -> object:
        if value is None:
            raise PydanticUseDefault
        if isinstance(value, list | dict) and len(value) > MOST_VALUES and not _holds_objects(value):
            refuse("too_many", most=MOST_VALUES, count=len(value))
        return value

    @model_validator(mode="after")
    def _refuse_contradictions(self, info: ValidationInfo) -> Self:
        """Run the checks if the context is a ``File``. The reader collects their sentences later."""
        if info.context is not None and any(find_problems(self, info.context)):
            refuse(TOGETHER)
        return self

    @check
    def _known_ids(self, file: File) -> Found:
        for shape in shapes_with(type(self), "of"):
            value = self.__dict__.get(shape.name)
            if isinstance(value, list):
                for index, each in enumerate(value):
                    yield from _find_stranger(file, shape.of, each, (shape.alias, index))
            elif value is not None:
                yield from _find_stranger(file, shape.of, value, (shape.alias,))

    @check
    def _nothing_twice(self, file: File) -> Found:
        for shape in shapes_with(type(self), "once"):
            for by in shape.once:
                yield from file.find_twice(_values(self.__dict__.get(shape.name) or [], shape.alias, by))

    def __getattr__(self, name: str) -> Any:
        raise UnknownField(name) if name in type(self).model_fields else AttributeError(name)

    columns: ClassVar[tuple[str, ...]] = ()  # the fields that a row of the database has, too
    settings_of_row: ClassVar[tuple[str, ...]] = ()  # the fields that `with_settings` added

    @classmethod
    def from_row(cls, row: object, **fields: Any) -> Self:
        """Return the object of a row, with other fields, unvalidated."""
        found = {name: as_stored(row, name) for name in cls.columns}
        texts = {name: tidy(value) for name, value in found.items() if isinstance(value, str)}
        return cls.model_construct(**found | texts | fields)

    def as_columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.columns}


def with_settings(
    model: type[models.Model], *, but: Sequence[str] = ()
) -> Callable[[type[Part]], type[Part]]:
    """Add to an object of the file each setting of the model that is yes or no or a choice of words.

    A setting that the file leaves out stays as it is. `but`: settings that the file has elsewhere.
    """

    def decorate(kind: type[Part]) -> type[Part]:
        known = {*kind.model_fields, *but}
        found: dict[str, Any] = {
            field.name: (value | None, None)
            for field in model._meta.concrete_fields
            if field.name not in known and field.editable and (value := _value_of(field))
        }
        made = create_model(
            kind.__name__, __base__=kind, __doc__=kind.__doc__, __module__=kind.__module__, **found
        )
        made.settings_of_row = tuple(found)
        made.columns = (*kind.columns, *found)
        return made

    return decorate


def _value_of(field: "models.Field[Any, Any]") -> Any:
    if isinstance(field, models.BooleanField):
        return bool
    if isinstance(field, models.CharField) and field.choices:
        return Annotated[str, Choice(*(value for value, _label in field.flatchoices))]
    return None


def _holds_objects(value: list[Any] | dict[str, Any]) -> bool:
    return isinstance(value, list) and isinstance(value[0], dict | FileFacts)


def _find_stranger(file: File, of: str | None, key: str, where: Path) -> Found:
    if of == PLAYERS and key not in file.players:
        yield where, _("“players” has no player “%(id)s”.") % {"id": quote(key)}
    if of != PLAYERS and key not in file.teams:
        yield where, _("“teams” has no team “%(id)s”.") % {"id": quote(key)}


def _values(parts: list[FileFacts], alias: str, by: str) -> Iterator[tuple[Path, str, object]]:
    for index, each in enumerate(parts):
        value = each.__dict__.get(by)
        if isinstance(value, list):
            yield from (((alias, index, by, number), "", key) for number, key in enumerate(value))
        else:
            yield (alias, index), by, value


def omit(default: Any) -> Any:
    """Return a field that is written only if it differs from its default."""
    return Field(
        default=default, exclude_if=lambda value: value == default, json_schema_extra=_without_odd_default
    )


def _without_odd_default(schema: dict[str, Any]) -> None:
    """Remove a default that is outside the choices of the field, because generators refuse it."""
    if schema.get("default") not in schema.get("enum", [schema.get("default")]):
        del schema["default"]


def by_field(parts: Sequence[Part], name: str) -> dict[Any, Part]:
    """Return the first part for each value of this field. Parts without a readable value are left out."""
    found: dict[Any, Part] = {}
    for part in parts:
        if name in part.__dict__:
            found.setdefault(part.__dict__[name], part)
    return found


def kinds_of(field: FieldInfo) -> Iterator[Any]:
    types: list[Any] = [*field.metadata, field.annotation]
    while types:
        yield (found := types.pop())
        types += get_args(found)


def is_facts(kind: object) -> TypeGuard[type[FileFacts]]:
    return isinstance(kind, type) and issubclass(kind, FileFacts)


@dataclass(frozen=True)
class Shape:
    """A field. ``alias``: its name in the file. ``part``: the class of its objects. ``of``: the list of its
    ids.

    ``once``: the fields in which its objects repeat nothing. ``choices``: the allowed words.
    """

    name: str
    alias: str
    part: type[FileFacts] | None
    is_list: bool
    of: str | None
    once: list[str]
    choices: list[str]


@cache
def shapes_of(kind: type[FileFacts]) -> list[Shape]:
    return [
        _shape(name, field.alias or name, list(kinds_of(field))) for name, field in kind.model_fields.items()
    ]


def _shape(name: str, alias: str, kinds: list[Any]) -> Shape:
    return Shape(
        name,
        alias,
        part=next(filter(is_facts, kinds), None),
        is_list=any(get_origin(kind) is list for kind in kinds),
        of=next((kind.of for kind in kinds if isinstance(kind, Id)), None),
        once=[kind.of for kind in kinds if isinstance(kind, Once)],
        choices=next((kind.values for kind in kinds if isinstance(kind, Choice)), []),
    )


@cache
def shapes_with(kind: type[FileFacts], what: str) -> list[Shape]:
    return [shape for shape in shapes_of(kind) if getattr(shape, what)]
