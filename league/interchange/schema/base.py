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

from league.interchange.schema.kinds import Choice, Id, Once
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


class UnknownField(Exception):
    """A field of the file that could not be read: what it says is not known."""


Part = TypeVar("Part", bound="FileFacts")


class FileFacts(BaseModel):
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
        raise UnknownField(name) if name in type(self).model_fields else AttributeError(name)

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


def is_facts(kind: object) -> TypeGuard[type[FileFacts]]:
    return isinstance(kind, type) and issubclass(kind, FileFacts)


@dataclass(frozen=True)
class Shape:
    """A field: its name in the class and in the file, the class of the objects that it holds, the list of the
    ids that it names, in which of their fields its objects repeat nothing, and what it can say.
    """

    name: str
    alias: str
    part: type[FileFacts] | None
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
        of=next((kind.of for kind in kinds if isinstance(kind, Id)), None),
        once=[kind.of for kind in kinds if isinstance(kind, Once)],
        choices=next((kind.values for kind in kinds if isinstance(kind, Choice)), []),
    )


@cache
def shapes_with(kind: type[FileFacts], what: str) -> list[Shape]:
    """The fields that hold objects (``part``), name ids (``of``) or repeat no value (``once``)."""
    return [shape for shape in shapes_of(kind) if getattr(shape, what)]
