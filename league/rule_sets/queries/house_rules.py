"""A league's own rules: books, their editions, and the people who chose a reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch, QuerySet
from django.utils.dateparse import parse_datetime

from league.models import Division, League, RuleBook, RuleSet
from league.rule_sets.readings import Reading, reading_of
from scoring.presets import SourceQuestion

FIRST_CHOICE: Final = "hkma-a-2025-04"  # proposed to an organizer without a league


def books_of(league: League) -> QuerySet[RuleBook]:
    """Return the league's books by name. ``played``: the number of divisions with one of their editions."""
    books = RuleBook.objects.filter(league=league).annotate(played=Count("editions__divisions"))
    return books.prefetch_related(Prefetch("editions", RuleSet.objects.order_by("-number")))


def editions_of(book: RuleBook) -> list[RuleSet]:
    """Return the editions of a book, newest first, each with its divisions. Queries: 2."""
    divisions = Division.objects.select_related("competition").order_by("competition__name", "position", "pk")
    editions = book.editions.select_related("created_by").order_by("-number")
    return list(editions.prefetch_related(Prefetch("divisions", divisions)))


def edition_choice(edition: RuleSet) -> str:
    return f"own:{edition.pk}"


def newest_editions(leagues: Sequence[League]) -> list[RuleSet]:
    """Return the newest edition of every book of these leagues, by name. Queries: 1."""
    newest: dict[int | None, RuleSet] = {}
    for edition in every_edition(leagues):
        newest.setdefault(edition.book_id, edition)
    return list(newest.values())


def every_edition(leagues: Sequence[League]) -> list[RuleSet]:
    """Return all editions of these leagues by the names of their books, newest first."""
    editions = RuleSet.objects.filter(book__league__in=leagues).select_related("book__league")
    return list(editions.order_by("book__name", "book_id", "-number"))


@dataclass(frozen=True, slots=True)
class Chooser:
    """The person who chose a reading, and the day. ``name`` is empty if unknown."""

    name: str
    day: date | None


def choosers(questions: Sequence[SourceQuestion], choices: Sequence[Reading]) -> list[Chooser | None]:
    """Return the chooser for each question, or None if the organizer was not asked. Queries: 0 or 1."""
    found = [reading_of(question, choices) for question in questions]
    people = {choice["by"] for choice in found if choice and choice.get("by")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username")) if people else {}
    return [_chooser(choice, names) if choice else None for choice in found]


def _chooser(choice: Reading, names: Mapping[int, str]) -> Chooser:
    at = parse_datetime(str(choice.get("at") or ""))
    return Chooser(names.get(choice.get("by") or 0, ""), at.date() if at else None)
