"""The competition file, read: from bytes to ``CompetitionFacts``, or to every problem with its place.

Nothing is saved here and nothing is asked of the database.
"""

import json
from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from django.utils.translation import gettext as _
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from league.interchange.schema import FORMAT, VERSION, CompetitionFacts
from league.interchange.schema.base import FileFacts, pause_collector, shapes_of
from league.interchange.schema.checks import find_problems
from league.interchange.schema.problems import BrokenFile, FileProblem, Path, place_of, quote, sentence_of


@pause_collector()
def read_competition_file(content: bytes) -> CompetitionFacts:
    """What the file says. Raises ``BrokenFile`` with every problem."""
    raw = _parse(content)
    _check_format(raw)
    problems: list[FileProblem] = []
    try:
        facts = CompetitionFacts.model_validate(raw)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        problems += map(_problem, errors)
        facts = _read_rest(CompetitionFacts, raw, _tree(each["loc"] for each in errors))
    problems += find_problems(facts)
    if problems:
        raise BrokenFile(problems)
    return facts


def _parse(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content, parse_constant=_refuse_number)
    except json.JSONDecodeError as error:
        place = _("line %(line)s, column %(column)s") % {"line": error.lineno, "column": error.colno}
        message = _(
            "Here the file is no valid JSON any more. Take the file as Umaoka wrote it, or mend it here."
        )
        raise BrokenFile([FileProblem(place, message)]) from error
    except UnicodeDecodeError as error:
        raise _broken("", _("The text is not in UTF-8. Save the file as UTF-8.")) from error
    except RecursionError as error:
        raise _broken("", _("The brackets are nested too deeply: this is no competition file.")) from error
    except ValueError as error:  # NaN, Infinity, or a number of thousands of digits
        raise _broken("", _("There is a number in it that is none, or far too long.")) from error
    if not isinstance(found, dict):
        raise _broken("", _("This is no competition file: it must be one JSON object."))
    return found


def _refuse_number(name: str) -> NoReturn:
    raise ValueError(name)


def _broken(place: str, message: str) -> BrokenFile:
    return BrokenFile([FileProblem(place, message)])


def _check_format(raw: dict[str, Any]) -> None:
    """Of another format or a newer version nothing else can be said."""
    if raw.get("format") != FORMAT:
        message = _("This is no competition file: it must say “%(format)s” here.") % {"format": FORMAT}
        raise _broken("format", message)
    version = raw.get("version")
    if type(version) is not int or version < 1:
        message = _("Write the version of the format as a number: %(version)s.") % {"version": VERSION}
        raise _broken("version", message)
    if version > VERSION:
        message = _(
            "This file was made by a newer Umaoka (version %(version)s of the format, this one knows"
            " %(known)s). Update this server, then import it again."
        ) % {"version": quote(version), "known": VERSION}
        raise _broken("version", message)


# --- what is wrong with single fields


def _problem(error: ErrorDetails) -> FileProblem:
    path, code, value = error["loc"], error["type"], error["input"]
    if path[-1] == "[key]":  # the name of a field is wrong itself
        path = path[:-1]
    words = error.get("ctx", {})
    if code == "missing" or (value is None and isinstance(path[-1], str)):
        choices = _choices(path)
        code, words = ("missing_choice", {"choices": ", ".join(choices)}) if choices else ("missing", {})
    return FileProblem(place_of(path), sentence_of(code, value, **words))


def _choices(path: Path) -> list[str]:
    """What can be said there, where that is one of some words."""
    kind: type[FileFacts] | None = CompetitionFacts
    choices: list[str] = []
    for part in path:
        if isinstance(part, str) and kind is not None:
            shape = next((shape for shape in shapes_of(kind) if shape.alias == part), None)
            kind, choices = (shape.part, shape.choices) if shape else (None, [])
    return choices


# --- the rest of a file with such problems

Tree = dict[str | int, Any]  # the paths of what is wrong
F = TypeVar("F", bound=FileFacts)


def _tree(paths: Iterable[Path]) -> Tree:
    tree: Tree = {}
    for path in paths:
        below = tree
        for part in path:
            below = below.setdefault(part, {})
    return tree


def _read_rest(kind: type[F], value: object, wrong: Tree) -> F:
    """The object without the fields that are ``wrong``: these raise ``UnknownField``."""
    made = kind.model_construct()
    if not isinstance(value, dict):
        made.__dict__.clear()
        return made
    for shape in shapes_of(kind):
        name, part, below = shape.name, shape.part, value.get(shape.alias)
        errors = wrong.get(shape.alias)
        if errors is None:
            if below is not None:
                setattr(made, name, below)
        elif not errors or part is None:
            made.__dict__.pop(name, None)
        elif isinstance(below, list):
            made.__dict__[name] = [
                _read_rest(part, each, errors[i]) if i in errors else part.model_validate(each)
                for i, each in enumerate(below)
            ]
        else:
            made.__dict__[name] = _read_rest(part, below, errors)
    return made
