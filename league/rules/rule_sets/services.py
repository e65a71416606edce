"""A league's own rules in editions, and copies for one division. An edition that is played never changes."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.changes import Sent, canonical, league_change, reread
from league.core.errors import OutOfDate, Refused
from league.core.slugs import free_slug
from league.models import League, RuleBook, RuleSet
from league.rules.rule_sets.readings import Reading, make_readings
from league.rules.rule_sets.words.problems import not_played
from scoring.presets import find_preset
from scoring.rules import Rules

MOST_BOOKS = 100  # of one league: far more than anyone can tell apart


def copied_rules(
    preset_slug: str,
    values: Mapping[str, object],
    *,
    edition: str | None = None,
    texts: Mapping[int, int] | None = None,
    before: Sequence[Reading] = (),
    by: User | None,
    at: datetime | None = None,
) -> RuleSet:
    """Return an unsaved rule set of these values.

    ``texts``: question of the preset → reading. ``before``: earlier choices. ``values`` include the values
    of the readings.

    Raises ``scoring.rules.RulesError`` if the values make no valid rule set.
    """
    source = find_preset(preset_slug)
    if edition is None:
        edition = source.edition if source else ""
    at = at or timezone.now()
    if source is not None and texts is not None:
        readings = make_readings(source, texts, before=before, by=by.pk if by else None, at=at)
    else:
        readings = [dict(choice) for choice in before]
    return RuleSet(
        preset=preset_slug,
        edition=edition,
        values=Rules.from_values(values).as_values(),
        readings=readings,
        created_by=by,
        created_at=at,
    )


def fingerprint(rule_set: RuleSet | None) -> str:
    """Return a hash of the values and readings of a rule set."""
    if rule_set is None:
        return ""
    seen = [rule_set.book_id, rule_set.number, rule_set.preset, rule_set.values, rule_set.readings]
    return hashlib.sha256(canonical(seen).encode()).hexdigest()


# --- books


def create_book(*, league: League, name: str, rules: RuleSet, by: User, form: Sent | None = None) -> RuleBook:
    """Create a book of the league with ``rules`` as its first edition.

    Raises ``AlreadyDone`` with {"book": …} if the form came before, ``Refused`` if the name is taken.
    """
    # Two books at once: the league's lock lets one wait, so that both find free names and addresses.
    with league_change(league, by=by, form=form, at=_saved_at(rules)) as done:
        league = done.league
        books = dict(RuleBook.objects.filter(league=league).values_list("slug", "name"))
        if len(books) >= MOST_BOOKS:
            raise Refused(
                _("A league can have at most %(count)s rule sets of its own. Remove one first.")
                % {"count": len(books)}
            )
        if name in books.values():
            raise Refused(_name_taken(), field="name")
        book = RuleBook.objects.create(
            league=league, name=name, slug=free_slug(name, set(books), fallback="rules")
        )
        _save_edition(book, rules, number=1)
        done.log("rules.create", f"book:{book.pk}", after=_describe(book, rules))
        done.answer = {"book": book.pk}
        return book


def save_edition(
    *, book: RuleBook, name: str, rules: RuleSet, seen: str, by: User, form: Sent | None = None
) -> RuleSet:
    """Save ``rules`` as the newest edition: in place unless a division plays it, or as the next one.

    Equal rules save only the name. ``seen``: the fingerprint of the edition that was changed. Raises
    ``OutOfDate`` if another one is there now, ``Refused`` if the name is taken, ``AlreadyDone`` with
    {"number": …}.
    """
    # The league's lock is for the names of its books.
    with league_change(book.league, by=by, form=form, at=_saved_at(rules)) as done:
        book = reread(RuleBook.objects.select_for_update(), pk=book.pk)
        newest = newest_edition(book)
        before = _describe(book, newest)
        if fingerprint(newest) != seen:
            raise OutOfDate(
                _("Someone else has saved these rules since you opened them. Your entries are shown below.")
            )
        _rename(book, name)
        saved = newest if _says_the_same(newest, rules) else _next(book, newest, rules)
        after = _describe(book, saved)
        if before != after:
            done.log("rules.update", f"book:{book.pk}", before=before, after=after)
        done.answer = {"number": saved.number}
        return saved


def _describe(book: RuleBook, rules: RuleSet) -> dict[str, object]:
    return {
        "name": book.name,
        "edition": rules.number,
        "preset": rules.preset,
        "values": rules.values,
        "readings": rules.readings,
    }


def newest_edition(book: RuleBook) -> RuleSet:
    return RuleSet.objects.filter(book=book).latest("number")


def _says_the_same(edition: RuleSet, rules: RuleSet) -> bool:
    return (edition.rules, edition.readings) == (rules.rules, rules.readings)


def _next(book: RuleBook, newest: RuleSet, rules: RuleSet) -> RuleSet:
    """Save in place, or as the next number if a division plays the newest."""
    if newest.divisions.exists():
        return _save_edition(book, rules, number=(newest.number or 0) + 1)
    rules.pk = newest.pk
    rules._state.adding = False
    return _save_edition(book, rules, number=newest.number or 1)


def _save_edition(book: RuleBook, rules: RuleSet, *, number: int) -> RuleSet:
    rules.book, rules.number = book, number
    rules.save()
    return rules


def _rename(book: RuleBook, name: str) -> None:
    if name == book.name:
        return
    if RuleBook.objects.filter(league=book.league_id, name=name).exclude(pk=book.pk).exists():
        raise Refused(_name_taken(), field="name")
    book.name = name
    book.save(update_fields=["name"])


def _name_taken() -> str:
    return str(_("This league already has rules with this name. Choose another one."))


def _saved_at(rules: RuleSet) -> datetime:
    return rules.created_at or timezone.now()


# --- taken to play


def copy_of(rules: RuleSet) -> RuleSet:
    """Return an unsaved copy without a book, with the same penalty rules."""
    return RuleSet(
        preset=rules.preset,
        edition=rules.edition,
        values=rules.values,
        readings=rules.readings,
        catalogue=rules.catalogue,
        own_catalogue=rules.own_catalogue,
        created_by=rules.created_by,
        created_at=rules.created_at,
    )


def take_to_play(rules: RuleSet, *, league_id: int, seen: str | None = None) -> RuleSet:
    """Return the rule set for a division of this league: a saved copy, or a shared edition.

    Needs the transaction that assigns it. An edition is read again under its book's lock. Raises ``Refused``
    for an edition of another league and for rules that no competition can play. Raises ``OutOfDate`` if the
    edition differs from ``seen``.
    """
    if why := not_played(rules.values):
        raise Refused(why, field="preset")
    if rules.book_id is None:
        copy = copy_of(rules)
        copy.save()
        return copy
    book = reread(RuleBook.objects.select_for_update(), pk=rules.book_id)
    if book.league_id != league_id:
        raise Refused(_("These rules belong to another league. Choose others."), field="preset")
    rules = reread(RuleSet.objects.select_related("book"), pk=rules.pk)
    if seen is not None and fingerprint(rules) != seen:
        raise OutOfDate(_("Someone else has changed this edition. These are the effects now."))
    return rules


def describe_origin(rules: RuleSet) -> dict[str, object]:
    """Return the origin of rules for the log, with the id of a book but never its name."""
    if rules.book_id is None:
        return {"preset": rules.preset}
    return {"preset": rules.preset, "book": rules.book_id, "edition": rules.number}
