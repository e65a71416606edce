"""Writes competition-file.md from the schema: `.venv/bin/python -m docs.competition_file`."""

import ast
import inspect
import json
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, get_origin

import django
from pydantic.fields import FieldInfo

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup()

from django.utils.text import capfirst  # noqa: E402

from league.models import Competition  # noqa: E402
from league.organizing.interchange.schema import CompetitionFacts  # noqa: E402
from league.organizing.interchange.schema.base import FileFacts, is_facts, kinds_of  # noqa: E402
from league.organizing.interchange.schema.kinds import FieldKind  # noqa: E402

PAGE = Path(__file__).parent / "competition-file.md"
INTRODUCTION = """# The competition file

One JSON file in UTF-8 holds one competition: to move it to another server, to keep a copy that outlives this
one, and to load results that were kept elsewhere. It is a contract: other programs write and read it. Fields
may be added; none changes its meaning.

    {
     "format": "umaoka-competition", "version": 1,
     "slug": "mleague-2018-19", "name": "M.League 2018-19", "timezone": "Asia/Tokyo",
     "players": [{"id": "p1", "name": "園田賢"}, …],
     "divisions": [{
      "slug": "main", "name": "Main", "rules": {"preset": "mleague", "overrides": {"tie_rule": "seat"}},
      "stages": [{
       "slug": "regular", "name": "Regular season", "carry": "none",
       "rounds": [{
        "number": 1, "date": "2018-10-01",
        "tables": [{
         "number": 1, "status": "confirmed", "sticks": 0,
         "seats": [{"wind": "east", "player": "p2", "points": 38400}, …]
        }]
       }]
      }]
     }]
    }

A field that is *needed* must be there. Any other one may be left out or be `null`; the third column says what
holds then. Fields that are not listed here are passed over. A file is read as a whole: every problem is named
with its place, such as `divisions[0].stages[0].rounds[3].tables[1].seats[2].player`, and a file with problems
changes nothing.

`manage.py import_competition FILE [--dry-run] [--replace]` loads a file and `manage.py export_competition
SLUG` prints one ([commands](operation.md#commands)); owners of a league can do the same in the browser.
Players of a file are new in the league's register, even when a player has the same name: *Merge* joins them.
With `--replace` the competition keeps its address, people's roles, its audit log, and the players whose id
comes again.
"""


def describe_file() -> str:
    """The page, in Markdown."""
    lines = [line for kind in find_objects(CompetitionFacts, {}) for line in describe_object(kind)]
    return "\n".join([INTRODUCTION, *lines])


def find_objects(kind: type[FileFacts], found: dict[type[FileFacts], None]) -> dict[type[FileFacts], None]:
    """An object of the file and those in it, each once."""
    if kind not in found:
        found[kind] = None
        for field in kind.model_fields.values():
            for below in filter(is_facts, kinds_of(field)):
                find_objects(below, found)
    return found


def describe_object(kind: type[FileFacts]) -> Iterator[str]:
    yield f"## {title_of(kind)}\n\n{one_line(kind.__doc__)}\n"
    yield "| field | value | left out | meaning |"
    yield "|---|---|---|---|"
    meanings = setting_labels(kind) | meanings_in(kind)
    for name, field in kind.model_fields.items():
        cells = (f"`{field.alias or name}`", value_of(field), default_of(field), one_line(meanings.get(name)))
        yield f"| {' | '.join(cells)} |"
    yield ""


def setting_labels(kind: type[FileFacts]) -> dict[str, str]:
    """Name each setting that ``with_settings`` added by the label of the model."""
    labels = {name: Competition._meta.get_field(name).verbose_name for name in kind.settings_of_row}
    return {name: f"The setting “{capfirst(label)}”. Left out: as it is." for name, label in labels.items()}


def meanings_in(kind: type[FileFacts]) -> dict[str, str]:
    """Return the text below each field by the field's name."""
    found: dict[str, str] = {}
    for each in filter(is_facts, reversed(kind.__mro__)):
        (definition,) = ast.parse(inspect.getsource(each)).body
        assert isinstance(definition, ast.ClassDef)
        for field, below in pairwise(definition.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    found[name] = text
    return found


def title_of(kind: type[FileFacts]) -> str:
    return " ".join(re.findall("[A-Z][a-z]*", kind.__name__.removesuffix("Facts"))).capitalize()


def one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def value_of(field: FieldInfo) -> str:
    """Describe a field's value, with a link to the section of an object."""
    found = list(kinds_of(field))
    words = [f"[{title_of(k)}](#{title_of(k).lower().replace(' ', '-')})" for k in filter(is_facts, found)]
    words += ["object"] * (dict in map(get_origin, found))
    words += [str(kind) for kind in found if isinstance(kind, FieldKind)]
    words += [PLAIN[kind] for kind in PLAIN if kind in found]
    return f"list: {words[0]}" if list in map(get_origin, found) else words[0]


PLAIN = {bool: "`true`, `false`", str: "text", int: "whole number", Any: "object"}


def default_of(field: FieldInfo) -> str:
    if field.is_required():
        return "*needed*"
    default = field.get_default(call_default_factory=True)
    has_words = isinstance(default, str | int | list) and default not in ("", [])
    return f"`{json.dumps(default)}`" if has_words else ""


if __name__ == "__main__":
    PAGE.write_text(describe_file(), encoding="utf-8")
