"""Seating as people type it: names and keys become player ids, with every problem at once."""

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
from league.core.forms import DespiteFields, KeyedForm, TidyCharField
from league.people.queries import Candidate, Finder, PlayerInfo, SeatProblem, fold
from players.text import tidy

SEAT_NAME = re.compile(r"\At([0-9]{1,4})_[0-3]\Z")
MOST_TABLES = 200  # seated by hand; a larger field is pasted, since a form has a limit of 1,000 inputs


def seat_labels(people: Iterable[PlayerInfo]) -> dict[int, str]:
    """Player id → what to type for them: the name, with the key behind it when two have the same name."""
    infos = list(people)
    times = Counter(fold(info.name) for info in infos)
    return {
        info.player: info.name if times[fold(info.name)] == 1 else f"{info.name} ({info.key})"
        for info in infos
    }


def read_seating(
    typed: Mapping[int, Sequence[str]], people: Mapping[int, Candidate], locked: Mapping[int, Sequence[int]]
) -> tuple[dict[int, list[int]], list[SeatProblem]]:
    """Typed names by table number become player ids, with every problem at once.

    ``locked`` are the tables that have a score sheet: nobody of theirs can be seated again. A table without
    any name is left out.
    """
    finder = Finder(people)
    seated = {player: number for number, four in locked.items() for player in four}
    tables: dict[int, list[int]] = {}
    problems: list[SeatProblem] = []
    for number, names in typed.items():
        if number in locked:
            if not _same(finder, names, locked[number]):
                problems.append(
                    SeatProblem(number, 0, gettext("This table has a score sheet: its players stay."))
                )
            continue
        if not any(name.strip() for name in names):
            continue
        tables[number] = []
        for wind, name in enumerate(names):
            try:
                player = _find_seat(finder, name, seated)
            except ValidationError as error:
                problems.append(SeatProblem(number, wind, " ".join(error.messages)))
            else:
                seated[player] = number
                tables[number].append(player)
    return tables, problems


def _same(finder: Finder, names: Sequence[str], four: Sequence[int]) -> bool:
    try:
        return [finder.find(name) for name in names] == list(four)
    except ValidationError:
        return False


def _find_seat(finder: Finder, name: str, seated: Mapping[int, int]) -> int:
    if not name.strip():
        raise ValidationError(_("This seat is empty: a table needs four players."))
    player = finder.find(name)
    if finder.people[player].withdrawn:
        raise ValidationError(_("%(name)s has withdrawn."), params={"name": name})
    if player in seated:
        raise ValidationError(
            _("%(name)s sits at table %(table)s already."),
            params={"name": finder.people[player].info.name, "table": seated[player]},
        )
    return player


class SeatingForm(DespiteFields, KeyedForm):
    """A seating that replaces the one that the person saw (``league.rounds.services.fingerprint``)."""

    based_on = forms.CharField(widget=forms.HiddenInput, max_length=64)


class DrawForm(SeatingForm):
    """A random draw that was shown and is accepted: who takes part, and the seed it was made from."""

    seed = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)
    players = forms.RegexField(r"\A[0-9]{1,18}(,[0-9]{1,18})*\Z", widget=forms.HiddenInput, max_length=40_000)

    def clean_players(self) -> list[int]:
        return [int(player) for player in self.cleaned_data["players"].split(",")]


class HandForm(SeatingForm):
    """One input a seat; ``numbers`` are the tables, ``prefilled`` what stands in them at first."""

    def __init__(
        self, *args: Any, numbers: Iterable[int], prefilled: Mapping[int, Sequence[str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = list(numbers)
        for number in self.numbers:
            names = [*prefilled.get(number, ()), "", "", "", ""]
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
    def tables(self) -> list[tuple[int, list[tuple[int, forms.BoundField]]]]:
        """(number, [(wind, field), …]) for the template."""
        return [(n, [(wind, self[f"t{n}_{wind}"]) for wind in range(4)]) for n in self.numbers]

    def typed(self) -> dict[int, list[str]]:
        return {n: [self.cleaned_data.get(f"t{n}_{wind}", "") for wind in range(4)] for n in self.numbers}

    def add_problems(self, problems: Iterable[SeatProblem]) -> None:
        for problem in problems:
            self.add_error(f"t{problem.table}_{problem.wind}", problem.message)


class PasteForm(SeatingForm):
    """A seating as text: one table a line, four names or keys, a table number in front if wanted."""

    seating = forms.CharField(
        label=_("Seating"),
        max_length=60_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=_(
            "One table a line, east first: four names or keys with tabs or commas between them."
            " A table number may stand in front."
        ),
    )

    def typed(self, taken: Iterable[int]) -> dict[int, list[str]]:
        """Table number → four names. Lines without a number get the free ones, in order; raises
        ValidationError with every line that is not four names or repeats a table.
        """
        lines = [_Line.of(n, text) for n, text in enumerate(self.cleaned_data["seating"].splitlines(), 1)]
        lines = [line for line in lines if any(line.names)]
        numbers = [line.table for line in lines if line.table]
        problems = [sentence for line in lines for sentence in line.problems(numbers)]
        if problems:
            raise ValidationError(problems)
        free = (number for number in count(1) if number not in {*numbers, *taken})
        return {line.table or next(free): line.names for line in lines}

    def add_problems(self, problems: Iterable[SeatProblem]) -> None:
        for problem in problems:
            text = gettext("Table %(table)s: %(problem)s") % {
                "table": problem.table,
                "problem": problem.message,
            }
            self.add_error("seating", text)


def _cells(line: str) -> list[str]:
    """The names of one line: at tabs if it has any, else at commas; an empty last one is the line's end."""
    parts = line.split("\t") if "\t" in line else re.split(r"[,，、;；]", line)
    cells = [tidy(part) for part in parts]
    while cells and not cells[-1]:
        cells.pop()
    return cells


@dataclass(frozen=True, slots=True)
class _Line:
    """One pasted line: the table number in front, if there is one, and the names."""

    number: int
    table: int | None
    names: list[str]

    @classmethod
    def of(cls, number: int, text: str) -> "_Line":
        cells = _cells(text)
        if len(cells) > 4 and cells[0].isascii() and cells[0].isdigit() and len(cells[0]) <= 4:
            return cls(number, int(cells[0]), cells[1:])
        return cls(number, None, cells)

    def problems(self, numbers: Sequence[int]) -> Iterator[str]:
        found = len(self.names)
        if found != 4:
            text = ngettext("%(count)s name instead of four.", "%(count)s names instead of four.", found)
            yield self._problem(text % {"count": found})
        if self.table and numbers.count(self.table) > 1:
            yield self._problem(gettext("Table %(table)s comes twice.") % {"table": self.table})

    def _problem(self, text: str) -> str:
        return gettext("Line %(line)s: %(problem)s") % {"line": self.number, "problem": text}


def tables_typed(data: Mapping[str, object]) -> list[int]:
    """The numbers of the tables for which a sent form has inputs, in order."""
    found = (SEAT_NAME.match(name) for name in data)
    numbers = {int(match[1]) for match in found if match}
    return sorted(numbers - {0})[:MOST_TABLES]
