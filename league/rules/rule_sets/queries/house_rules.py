"""A league's own rules: books, their editions, and the people who chose a reading."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch, QuerySet
from django.utils.dateparse import parse_datetime

from league.models import Division, League, RuleBook, RuleSet
from league.rules.rule_sets.readings import Reading, reading_of
from scoring.presets import SourceQuestion

FIRST_CHOICE: Final = "hkma-a-2025-04"  # whose values fill a form before rules are chosen


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


def choosers(questions: Sequence[SourceQuestion], readings: Sequence[Reading]) -> list[dict[str, Any] | None]:
    """Return the ``name`` and the ``day`` of each choice, or None without a choice. Queries: 0 or 1."""
    read_records = [reading_of(question, readings) for question in questions]
    people = {reading["by"] for reading in read_records if reading and reading.get("by")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username")) if people else {}
    return [_chooser(reading, names) if reading else None for reading in read_records]


def _chooser(reading: Reading, names: Mapping[int, str]) -> dict[str, Any]:
    at = parse_datetime(str(reading.get("at") or ""))
    return {"name": names.get(reading.get("by") or 0, ""), "day": at.date() if at else None}
