"""Forms for seating by hand: typed names and keys become player ids, with every problem at once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.core import messages
from league.core.forms import DespiteFields, TidyCharField
from league.core.text import sentences
from league.models import Round
from league.organizing.seating.imports.rows import read_names
from league.people.members.queries import Candidate, Finder, PlayerInfo
from league.play.rounds.services import random_seating
from players.matching import exact_key

SEAT_NAME = re.compile(r"\At(?P<table>[0-9]{1,4})_[0-3]\Z")
MOST_TABLES = 200  # seated by hand; a larger field is pasted, since a form has a limit of 1,000 inputs


@dataclass(frozen=True, slots=True)
class SeatProblem:
    table: int
    wind: int | None
    message: str


def seat_labels(people: Iterable[PlayerInfo]) -> dict[int, str]:
    """Return player → text to type: the name, with the key behind it if two players share the name."""
    infos = list(people)
    times = Counter(exact_key(info.name) for info in infos)
    return {
        info.player: info.name if times[exact_key(info.name)] == 1 else f"{info.name} ({info.key})"
        for info in infos
    }


def read_seating(
    typed: Mapping[int, Sequence[str]], people: Mapping[int, Candidate], locked: Mapping[int, Sequence[int]]
) -> tuple[dict[int, list[int]], list[SeatProblem]]:
    """Turn names by table number into player ids, with every problem at once. Tables without names are left
    out.

    ``locked``: tables with a score sheet, whose players keep their seats.
    """
    finder = Finder(people)
    seated = {player: number for number, four in locked.items() for player in four}
    tables: dict[int, list[int]] = {}
    problems: list[SeatProblem] = []
    for number, names in typed.items():
        if number in locked:
            if not _are_same(finder, names, locked[number]):
                problems.append(
                    SeatProblem(number, 0, gettext("A table with a score sheet keeps its players."))
                )
            continue
        if not any(name.strip() for name in names):
            continue
        tables[number] = []
        for wind, name in enumerate(names):
            try:
                player = _find_seat(finder, name, seated)
            except ValidationError as error:
                problems.append(SeatProblem(number, wind, sentences(error.messages)))
            else:
                seated[player] = number
                tables[number].append(player)
    return tables, problems


def _are_same(finder: Finder, names: Sequence[str], four: Sequence[int]) -> bool:
    try:
        return [finder.find(name) for name in names] == list(four)
    except ValidationError:
        return False


def _find_seat(finder: Finder, name: str, seated: Mapping[int, int]) -> int:
    if not name.strip():
        raise ValidationError(_("A table needs four players. Fill the empty seat."))
    player = finder.find(name)
    if finder.people[player].withdrawn:
        raise ValidationError(_("%(name)s has withdrawn."), params={"name": name})
    if player in seated:
        raise ValidationError(
            _("%(name)s already sits at table %(table)s."),
            params={"name": finder.people[player].info.name, "table": seated[player]},
        )
    return player


class SeatingForm(DespiteFields):
    """A seating based on the displayed one. Sent again while ``overtaken``, it replaces a newer one."""

    method = Round.Method.HAND
    overtaken = False
    based_on = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(
        self,
        *args: Any,
        people: Mapping[int, Candidate],
        locked: Mapping[int, Sequence[int]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people, self.locked = people, locked
        self.tables: dict[int, list[int]] = {}

    def values(self) -> dict[str, Any]:
        values = {name: value for name, value in super().values().items() if name in ("based_on", "despite")}
        return values | {"tables": {**self.tables, **self.locked}, "method": self.method}

    def read(self, typed: Mapping[int, Sequence[str]]) -> list[SeatProblem]:
        self.tables, problems = read_seating(typed, self.people, self.locked)
        return problems


class DrawForm(SeatingForm):
    method = Round.Method.RANDOM
    seed = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)
    players = forms.RegexField(r"\A[0-9]{1,18}(,[0-9]{1,18})*\Z", widget=forms.HiddenInput, max_length=40_000)

    def clean_players(self) -> list[int]:
        return [int(player) for player in self.cleaned_data["players"].split(",")]

    def values(self) -> dict[str, Any]:
        seed = self.cleaned_data["seed"]
        self.tables = random_seating(self.cleaned_data["players"], seed=seed, taken=self.locked)
        return super().values() | {"seed": seed}


class TablesForm(SeatingForm):
    def __init__(
        self,
        *args: Any,
        numbers: Iterable[int],
        prefilled: Mapping[int, Sequence[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = list(numbers)
        for number in self.numbers:
            names = [*(prefilled or {}).get(number, ()), "", "", "", ""]
            for wind in range(4):
                self.fields[f"t{number}_{wind}"] = TidyCharField(
                    label=messages.WIND_NAMES[wind],
                    required=False,
                    max_length=200,
                    initial=names[wind],
                    widget=forms.TextInput(
                        attrs={"list": "players", "autocomplete": "off", "autocapitalize": "off"}
                    ),
                )

    @property
    def inputs(self) -> list[tuple[int, list[tuple[int, forms.BoundField]]]]:
        return [(n, [(wind, self[f"t{n}_{wind}"]) for wind in range(4)]) for n in self.numbers]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        problems = self.read({n: [data[f"t{n}_{wind}"] for wind in range(4)] for n in self.numbers})
        for problem in problems:
            self.add_error(f"t{problem.table}_{problem.wind}", problem.message)
        if not problems and not self.tables and not self.locked:
            self.add_error(None, gettext("Enter the names of at least four players."))
        return data


class PasteForm(SeatingForm):
    seating = forms.CharField(
        label=_("Seating"),
        max_length=60_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=_(
            "One table per line, East first: four names or keys separated by tabs or commas. The table "
            "number may come first."
        ),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        try:
            problems = self.read(_read_lines(data["seating"], self.locked))
        except ValidationError as error:
            self.add_error("seating", error)
            return data
        for problem in problems:
            said = {"table": problem.table, "problem": problem.message}
            self.add_error("seating", gettext("Table %(table)s: %(problem)s") % said)
        return data


def _read_lines(text: str, taken: Iterable[int]) -> dict[int, list[str]]:
    """Return table number → names. Lines without a number take free numbers. Raises ``ValidationError``."""
    lines = [PastedTable.of(n, line) for n, line in enumerate(text.splitlines(), 1)]
    lines = [line for line in lines if any(line.names)]
    numbers = [line.table for line in lines if line.table]
    problems = [sentence for line in lines for sentence in line.problems(numbers)]
    if problems:
        raise ValidationError(problems)
    free = (number for number in count(1) if number not in {*numbers, *taken})
    return {line.table or next(free): line.names for line in lines}


@dataclass(frozen=True, slots=True)
class PastedTable:
    number: int
    table: int | None
    names: list[str]

    @classmethod
    def of(cls, number: int, text: str) -> "PastedTable":
        cells = read_names(text)
        if len(cells) > 4:
            table, *names = cells
            if table.isascii() and table.isdigit() and len(table) <= 4:
                return cls(number, int(table), names)
        return cls(number, None, cells)

    def problems(self, numbers: Sequence[int]) -> Iterator[str]:
        found = len(self.names)
        if found != 4:
            text = ngettext(
                "A table needs four names, not %(count)s.",
                "A table needs four names, not %(count)s.",
                found,
            )
            yield self._problem(text % {"count": found})
        if self.table and numbers.count(self.table) > 1:
            yield self._problem(gettext("Table %(table)s is listed twice.") % {"table": self.table})

    def _problem(self, text: str) -> str:
        return gettext("Line %(line)s: %(problem)s") % {"line": self.number, "problem": text}


def tables_typed(data: Mapping[str, object]) -> list[int]:
    found = (SEAT_NAME.match(name) for name in data)
    numbers = {int(match["table"]) for match in found if match}
    return sorted(numbers - {0})[:MOST_TABLES]
