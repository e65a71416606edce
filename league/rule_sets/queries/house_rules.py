"""A league's own rules: its books, their editions, who plays them, and who chose which text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.contrib.auth.models import User
from django.utils.dateparse import parse_datetime

from league.models import Division, League, RuleBook, RuleSet
from league.rule_sets.source_choices import SourceChoice, choice_of
from scoring.presets import SourceQuestion

FIRST_CHOICE: Final = "hkma-a-2025-04"  # proposed to an organizer without a league


@dataclass(frozen=True, slots=True)
class EditionLine:
    """An edition, and the divisions that play it; it is frozen as soon as there is one."""

    edition: RuleSet
    divisions: tuple[Division, ...]

    @property
    def frozen(self) -> bool:
        return bool(self.divisions)


@dataclass(frozen=True, slots=True)
class RuleBookLine:
    """A book and its editions, newest first."""

    book: RuleBook
    editions: tuple[EditionLine, ...]

    @property
    def newest(self) -> EditionLine:
        return self.editions[0]

    @property
    def divisions(self) -> list[Division]:
        return [division for line in self.editions for division in line.divisions]


def books_of(league: League) -> list[RuleBookLine]:
    """Every book of the league by name, with its editions and who plays them: three queries at any size."""
    return _lines(list(RuleBook.objects.filter(league=league).order_by("name", "pk")))


def book_line(book: RuleBook) -> RuleBookLine:
    """One book as ``books_of`` gives it."""
    return _lines([book])[0]


def _lines(books: Sequence[RuleBook]) -> list[RuleBookLine]:
    editions = RuleSet.objects.filter(book__in=books).select_related("created_by").order_by("-number")
    playing = Division.objects.filter(rule_set__book__in=books).select_related("competition")
    divisions: dict[int, list[Division]] = {}
    for division in playing.order_by("competition__name", "position", "pk"):
        divisions.setdefault(division.rule_set_id, []).append(division)
    found: dict[int | None, list[EditionLine]] = {}
    for edition in editions:
        line = EditionLine(edition, tuple(divisions.get(edition.pk, ())))
        found.setdefault(edition.book_id, []).append(line)
    return [RuleBookLine(book, tuple(found[book.pk])) for book in books]


def edition_choice(edition: RuleSet) -> str:
    """The key of an edition where rules are chosen."""
    return f"own:{edition.pk}"


def newest_editions(leagues: Sequence[League]) -> list[RuleSet]:
    """The newest edition of every book of these leagues, by the books' names: one query."""
    newest: dict[int | None, RuleSet] = {}
    for edition in every_edition(leagues):
        newest.setdefault(edition.book_id, edition)
    return list(newest.values())


def every_edition(leagues: Sequence[League]) -> list[RuleSet]:
    """Every edition of every book of these leagues: by the books' names, newest first."""
    editions = RuleSet.objects.filter(book__league__in=leagues).select_related("book__league")
    return list(editions.order_by("book__name", "book_id", "-number"))


@dataclass(frozen=True, slots=True)
class Chooser:
    """Who chose a text, and when; ``name`` is empty where that is not known."""

    name: str
    day: date | None


def choosers(questions: Sequence[SourceQuestion], choices: Sequence[SourceChoice]) -> list[Chooser | None]:
    """Who chose in each of these questions, None where the organizer was not asked: one query, or none."""
    found = [choice_of(question, choices) for question in questions]
    people = {choice["by"] for choice in found if choice and choice.get("by")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username")) if people else {}
    return [_chooser(choice, names) if choice else None for choice in found]


def _chooser(choice: SourceChoice, names: Mapping[int, str]) -> Chooser:
    at = parse_datetime(str(choice.get("at") or ""))
    return Chooser(names.get(choice.get("by") or 0, ""), at.date() if at else None)
