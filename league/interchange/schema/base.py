"""What the objects of a competition file have in common, and what their fields are made of."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self, TypeGuard, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUseDefault

from league.interchange.schema.kinds import Id, Once
from players.text import tidy


@contextmanager
def pause_collector() -> Iterator[None]:
    """Makes many objects without cycles: to search them for cycles takes longer than to make them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Unreadable(Exception):
    """A field of the file that could not be read: what it says is not known."""


Part = TypeVar("Part", bound="Facts")


class Facts(BaseModel):
    """An object of the file."""

    model_config = ConfigDict(
        strict=True, validate_assignment=True, serialize_by_alias=True, use_attribute_docstrings=True
    )

    @field_validator("*", mode="before")
    @classmethod
    def _pass_over_null(cls, value: object) -> object:
        if value is None:
            raise PydanticUseDefault
        return value

    def __getattr__(self, name: str) -> Any:
        raise Unreadable(name) if name in type(self).model_fields else AttributeError(name)

    columns: ClassVar[tuple[str, ...]] = ()  # the fields that a row of the database has, too

    @classmethod
    def from_row(cls, row: object, **fields: Any) -> Self:
        """The columns of a row, and other fields. Nothing is validated."""
        found = {name: getattr(row, name) for name in cls.columns}
        texts = {name: tidy(value) for name, value in found.items() if isinstance(value, str)}
        return cls.model_construct(**found | texts | fields)

    def as_columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.columns}


def omit(default: Any) -> Any:
    """A field that is written only where it differs from its default."""
    return Field(default=default, exclude_if=lambda value: value == default)


def by_field(parts: Sequence[Part], name: str) -> dict[Any, Part]:
    """The parts by this field: the first one of those that say the same, none whose field is unreadable."""
    found: dict[Any, Part] = {}
    for part in parts:
        if name in part.__dict__:
            found.setdefault(part.__dict__[name], part)
    return found


def kinds_of(field: FieldInfo) -> Iterator[Any]:
    """The classes and the kinds (``league.interchange.schema.kinds``) of which a field is made."""
    types: list[Any] = [*field.metadata, field.annotation]
    while types:
        yield (found := types.pop())
        types += get_args(found)


@dataclass(frozen=True)
class Shape:
    """Of the fields of a class, each with its name in the file: which hold objects, which hold ids and of
    what, and in which lists something comes only once.
    """

    parts: list[tuple[str, str]]
    ids: list[tuple[str, str, str]]
    once: list[tuple[str, str, str]]


@cache
def shape_of(kind: type[Facts]) -> Shape:
    fields = [(name, field.alias or name, list(kinds_of(field))) for name, field in kind.model_fields.items()]
    return Shape(
        [(name, alias) for name, alias, kinds in fields if any(map(is_facts, kinds))],
        [(name, alias, each.of) for name, alias, kinds in fields for each in kinds if isinstance(each, Id)],
        [(name, alias, each.of) for name, alias, kinds in fields for each in kinds if isinstance(each, Once)],
    )


def is_facts(kind: object) -> TypeGuard[type[Facts]]:
    return isinstance(kind, type) and issubclass(kind, Facts)
