"""Read a competition file from bytes into ``CompetitionFacts``, or find every problem with its place.

Nothing is saved here, and no database is queried.
"""

import json
from collections.abc import Container
from typing import Any, NoReturn, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from league.organizing.interchange.schema import FORMAT, VERSION, CompetitionFacts
from league.organizing.interchange.schema.base import TOGETHER, FileFacts, shapes_of
from league.organizing.interchange.schema.checks import File, below, find_problems
from league.organizing.interchange.schema.problems import (
    MOST_PROBLEMS,
    BrokenFile,
    FileProblem,
    Path,
    place_of,
    quote,
    sentence_of,
)

# Most of each that a file may have: more than the largest federation plays in a season.
MOST = {
    "divisions": 200,
    "stages": 1_000,
    "rounds": 50_000,
    "tables": 100_000,
    "players": 20_000,
    "teams": 20_000,
    "penalties": 20_000,
    "adjustments": 100_000,
}
MOST_OBJECTS = 700_000  # with the seats of all tables
MOST_SIGNS = 3_500_000  # commas, braces and brackets, which bound how many values there are
TOO_LARGE = gettext_lazy("This file is too large for one competition. Split it into several.")


def read_competition_file(content: bytes) -> CompetitionFacts:
    """Raise ``BrokenFile`` with at most ``MOST_PROBLEMS`` problems if the file is wrong.

    A file with too many objects is refused before they are created, since 18 MB of empty objects would take
    gigabytes.
    """
    if content.count(b"{") > MOST_OBJECTS or sum(map(content.count, (b",", b"{", b"["))) > MOST_SIGNS:
        raise _broken("", TOO_LARGE)
    raw = _parse(content)
    _check_format(raw)
    _refuse_too_many(raw)
    reading = _Reading(File(raw))
    facts = reading.read(CompetitionFacts, raw, ())
    if reading.problems:
        raise BrokenFile(reading.problems)
    return facts


def _refuse_too_many(raw: dict[str, Any]) -> None:
    stages = [stage for division in below(raw, "divisions") for stage in below(division, "stages")]
    rounds = [round_ for stage in stages for round_ in below(stage, "rounds")]
    found = {name: len(below(raw, name)) for name in MOST}
    found |= {"stages": len(stages), "rounds": len(rounds)}
    found["tables"] = sum(len(below(round_, "tables")) for round_ in rounds)
    for name, count in found.items():
        if count > MOST[name]:
            raise _broken(name, sentence_of("too_many", most=MOST[name], count=count))


def _parse(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content, parse_constant=_refuse_number)
    except json.JSONDecodeError as error:
        place = _("line %(line)s, column %(column)s") % {"line": error.lineno, "column": error.colno}
        message = _("Invalid JSON from here on. Use the file as exported by Umaoka, or correct it here.")
        raise BrokenFile([FileProblem(place, message)]) from error
    except UnicodeDecodeError as error:
        raise _broken("", _("The text is not in UTF-8. Save the file as UTF-8.")) from error
    except RecursionError as error:
        raise _broken("", _("The brackets are nested too deeply: this is not a competition file.")) from error
    except ValueError as error:  # NaN, Infinity, or a number of thousands of digits
        raise _broken("", _("The file contains an invalid or overlong number.")) from error
    if not isinstance(found, dict):
        raise _broken("", _("This is not a competition file: it must be one JSON object."))
    return found


def _refuse_number(name: str) -> NoReturn:
    raise ValueError(name)


def _broken(place: str, message: object) -> BrokenFile:
    return BrokenFile([FileProblem(place, str(message))])


def _check_format(raw: dict[str, Any]) -> None:
    """Refuse another format or a newer version, of which nothing else can be checked."""
    if raw.get("format") != FORMAT:
        message = _("This is not a competition file: it must contain “%(format)s” here.") % {"format": FORMAT}
        raise _broken("format", message)
    version = raw.get("version")
    if type(version) is not int or version < 1:
        message = _("Enter the version of the format as a number: %(version)s.") % {"version": VERSION}
        raise _broken("version", message)
    if version > VERSION:
        message = _(
            "This file comes from a newer Umaoka. It has format version %(version)s, and this "
            "server supports %(known)s. Update the server, then import the file again."
        ) % {"version": quote(version), "known": VERSION}
        raise _broken("version", message)


# --- its objects

F = TypeVar("F", bound=FileFacts)


class _Reading:
    """The problems found so far. The first one above ``MOST_PROBLEMS`` ends the reading."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.problems: list[FileProblem] = []

    def note(self, problem: FileProblem) -> None:
        if len(self.problems) == MOST_PROBLEMS:
            raise BrokenFile(self.problems, stopped=True)
        self.problems.append(problem)

    def read(self, kind: type[F], value: Any, path: Path) -> F:
        """Return the object. If it is wrong, read its parts one by one and leave out the wrong fields."""
        try:
            return kind.model_validate(value, context=self.file)
        except ValidationError as error:
            errors = [each for each in error.errors(include_url=False) if each["type"] != TOGETHER]
        parts = _parts_of(kind, value)
        own = [each for each in errors if _part_of(each) not in parts]
        for each in own:
            self.note(_problem(each, path))
        if not isinstance(value, dict):
            return _blank(kind)
        read = {alias: self._read_part(*part, (*path, alias)) for alias, part in parts.items()}
        made = _put_together(kind, value | read, {_part_of(each) for each in own})
        self.file.path = path
        for where, sentence in find_problems(made, self.file):
            self.note(FileProblem(place_of((*path, *where)), sentence))
        return made

    def _read_part(self, kind: type[F], value: Any, path: Path) -> F | list[F]:
        if isinstance(value, list):
            return [self.read(kind, each, (*path, index)) for index, each in enumerate(value)]
        return self.read(kind, value, path)


def _parts_of(kind: type[FileFacts], value: Any) -> dict[str | int, tuple[type[FileFacts], Any]]:
    if not isinstance(value, dict):
        return {}
    return {
        shape.alias: (shape.part, value[shape.alias])
        for shape in shapes_of(kind)
        if shape.part and isinstance(value.get(shape.alias), list if shape.is_list else dict)
    }


def _blank(kind: type[F]) -> F:
    made = kind.model_construct()
    made.__dict__.clear()
    return made


def _put_together(kind: type[F], value: dict[Any, Any], wrong: Container[str | int]) -> F:
    made = kind.model_construct()
    for shape in shapes_of(kind):
        if shape.alias in wrong:
            made.__dict__.pop(shape.name, None)
        elif value.get(shape.alias) is not None:
            setattr(made, shape.name, value[shape.alias])
    return made


# --- what is wrong with single fields


def _part_of(error: ErrorDetails) -> int | str:
    """Return the part that is wrong, or "" for the whole."""
    return next(iter(error["loc"]), "")


def _problem(error: ErrorDetails, above: Path) -> FileProblem:
    path, code, value = (*above, *error["loc"]), error["type"], error["input"]
    if path[-1] == "[key]":  # the name of a field is wrong itself
        path = path[:-1]
    words = error.get("ctx", {})
    if code == "missing" or (value is None and isinstance(path[-1], str)):
        choices = _choices(path)
        code, words = ("missing_choice", {"choices": ", ".join(choices)}) if choices else ("missing", {})
    return FileProblem(place_of(path), sentence_of(code, value, **words))


def _choices(path: Path) -> list[str]:
    kind: type[FileFacts] | None = CompetitionFacts
    choices: list[str] = []
    for part in path:
        if isinstance(part, str) and kind is not None:
            shape = next((shape for shape in shapes_of(kind) if shape.alias == part), None)
            kind, choices = (shape.part, shape.choices) if shape else (None, [])
    return choices
