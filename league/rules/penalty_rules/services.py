"""A league's own penalty rules, which extend published ones entry by entry.

Penalties name an entry by code and a condition by index. So an entry that a penalty names is superseded,
never removed, and the conditions that penalties refer to keep words and places. A penalty keeps the cost at
which it was logged. Entries and conditions of the extended rules stay.

A write that a competition can see is logged there and raises its revision. Locks are taken in one order:
first the competitions that use the penalty rules, then the penalty rules.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, LeagueChange, Sent, canonical, change, league_change, reread
from league.core.errors import OutOfDate, Refused
from league.core.slugs import free_slug
from league.models import Division, League, OwnCatalogue
from league.rules.penalty_rules.queries import competitions_by, conditions_in_use, penalties_for
from league.rules.rule_sets.services import copy_of
from scoring.infractions import Catalogue, UnknownCatalogue, catalogue, entry_of, extended

LONGEST_CODE = 40  # of an entry, as a penalty keeps it
MOST_CATALOGUES = 50  # of one league
MOST_ENTRIES = 300  # of one catalogue, besides those of the one that it extends

Entry = Mapping[str, Any]


# --- catalogues


def create_catalogue(
    *, league: League, name: str, base: str, by: User, form: Sent | None = None
) -> OwnCatalogue:
    """Create penalty rules of the league's own that extend the published ones of slug ``base``.

    Raises ``AlreadyDone`` with {"catalogue": …} for a repeated form, and ``Refused`` for a duplicate name,
    too many penalty rules, or an unknown base.
    """
    # Two at once: the league's lock lets one wait, so that both find free names and addresses.
    with league_change(league, by=by, form=form) as done:
        league = done.league
        _published_catalogue(base)
        own = dict(OwnCatalogue.objects.filter(league=league).values_list("slug", "name"))
        if len(own) >= MOST_CATALOGUES:
            raise Refused(
                _("A league can have at most %(count)s sets of penalty rules. Remove one first.")
                % {"count": len(own)}
            )
        if name in own.values():
            raise Refused(_NAME_TAKEN, field="name")
        made = OwnCatalogue.objects.create(
            league=league,
            name=name,
            slug=free_slug(name, set(own), fallback="offences"),
            base=base,
            created_by=by,
        )
        done.log("catalogue.create", f"catalogue:{made.pk}", after={"name": name, "catalogue": base})
        done.answer = {"catalogue": made.pk}
        return made


def rename_catalogue(*, own: OwnCatalogue, name: str, by: User, form: Sent | None = None) -> OwnCatalogue:
    """Rename the penalty rules. Their address stays. Raises ``Refused`` for a duplicate name."""
    with _open(own, by=by, form=form) as opened:
        before = opened.own.name
        others = OwnCatalogue.objects.filter(league=own.league_id, name=name).exclude(pk=own.pk)
        if others.exists():
            raise Refused(_NAME_TAKEN, field="name")
        opened.own.name = name
        opened.own.save(update_fields=["name"])
        opened.log({"name": before}, {"name": name})
        return opened.own


def remove_catalogue(*, own: OwnCatalogue, by: User) -> None:
    """Remove the penalty rules. Raises ``Refused`` if a division's or an edition's rules name them."""
    with league_change(own.league, by=by) as done:
        locked = reread(OwnCatalogue.objects.select_for_update(), pk=own.pk)
        if locked.rule_sets.exists():
            raise Refused(
                _("A division uses these penalty rules. Choose others for it first, then remove these.")
            )
        done.log("catalogue.remove", f"catalogue:{own.pk}", before={"name": locked.name})
        locked.delete()


_NAME_TAKEN = _("This league already has penalty rules with this name. Choose another name.")


# --- entries


def save_entry(
    *, own: OwnCatalogue, entry: Entry, seen: str, by: User, form: Sent | None = None
) -> OwnCatalogue:
    """Add an entry, or replace the one with its code. ``seen``: the ``fingerprint`` of the old entry, or "".

    Raises ``OutOfDate`` if the old entry has changed. Raises ``Refused`` for an invalid entry, and for one
    that removes a condition of the extended rules or changes one that penalties refer to.
    """
    with _open(own, by=by, form=form) as opened:
        code = str(entry["code"])
        before = current_entry(opened.own, code)
        if fingerprint(before) != seen:
            raise _code_taken(code) if not seen else OutOfDate(_OVERTAKEN)
        if before is not None:
            _check_conditions(opened.own, before, entry)
        _write(opened, _with(opened.own, entry))
        opened.log({"infraction": code, "entry": before}, {"infraction": code, "entry": dict(entry)})
        return opened.own


def supersede_entry(
    *, own: OwnCatalogue, code: str, by_code: str, by: User, form: Sent | None = None
) -> OwnCatalogue:
    """Replace an own entry by another. The old one stays for its penalties but is no longer offered."""
    with _open(own, by=by, form=form) as opened:
        entry = _added_entry(opened.own, code)
        new = own_catalogue(opened.own).infractions.get(by_code)
        if new is None or new.superseded_by or by_code == code:
            raise Refused(_("Choose an active entry as the replacement."), field="by_code")
        _write(opened, _with(opened.own, {**entry, "superseded_by": by_code}))
        opened.log({"infraction": code, "superseded_by": ""}, {"infraction": code, "superseded_by": by_code})
        return opened.own


def remove_entry(*, own: OwnCatalogue, code: str, by: User, form: Sent | None = None) -> OwnCatalogue:
    """Remove an own entry, or the league's changes of a published one.

    Raises ``Refused`` if penalties name the entry, refer to a condition that the published rules lack, or if
    it has superseded another entry.
    """
    with _open(own, by=by, form=form) as opened:
        entry = _own_entry(opened.own, code)
        if entry is None:
            raise Refused(_("Entries of the published penalty rules cannot be removed."))
        base = _published_catalogue(opened.own.base).infractions.get(code)
        if conditions_in_use(opened.own, code) > (len(base.variants) if base else 0) or (
            base is None and penalties_for(opened.own, code).exists()
        ):
            raise Refused(_("An entry named in penalties cannot be removed. Replace it with another entry."))
        if base is None and any(each.get("superseded_by") == code for each in opened.own.entries):
            raise Refused(_("An entry that replaced another one cannot be removed."))
        _write(opened, [each for each in opened.own.entries if each["code"] != code])
        after = entry_of(base) if base else None
        opened.log({"infraction": code, "entry": entry}, {"infraction": code, "entry": after})
        return opened.own


def current_entry(own: OwnCatalogue, code: str) -> dict[str, Any] | None:
    """Return the league's own entry of this code, or the published one."""
    if changed := _own_entry(own, code):
        return changed
    published = _published_catalogue(own.base).infractions.get(code)
    if published is None:
        return None
    return entry_of(published)


def fingerprint(entry: Entry | None) -> str:
    return "" if entry is None else hashlib.sha256(canonical(dict(entry)).encode()).hexdigest()


def own_catalogue(own: OwnCatalogue) -> Catalogue:
    """Return the league's catalogue. Raises ValueError for invalid entries."""
    return extended(own.base, own.entries, slug=own.slug, names={"en": own.name})


# --- the catalogue of a division


def choose_catalogue(
    *,
    division: Division,
    slug: str = "",
    own: OwnCatalogue | None = None,
    by: User,
    form: Sent | None = None,
) -> Division:
    """Set a division's penalty rules: published (``slug``), ``own``, or with neither those of its rule set.

    A division with an edition of the league's rules gets its own copy. Raises ``Refused`` for another
    league's or unknown penalty rules.
    """
    with change(division.competition, by=by, form=form) as done:
        division = reread(Division.objects.select_related("competition", "rule_set"), pk=division.pk)
        if own is not None:
            own = OwnCatalogue.objects.select_for_update().filter(pk=own.pk).first()
            if own is None or own.league_id != done.competition.league_id:
                raise Refused(_("These penalty rules belong to another league. Choose others."))
        elif slug:
            _published_catalogue(slug)
        before = _log_value(division.rule_set.catalogue, division.rule_set.own_catalogue_id)
        after = _log_value(slug, own.pk if own else None)
        if before != after:
            _give(division, slug=slug, own=own)
            done.log("catalogue.choose", f"division:{division.pk}", before=before, after=after)
        done.answer = {"division": division.pk}
        return division


def _log_value(slug: str, own: int | None) -> dict[str, object]:
    """Return the log's value: the slug of published penalty rules, or the id of own ones."""
    return {"catalogue": own if own is not None else slug}


def _give(division: Division, *, slug: str, own: OwnCatalogue | None) -> None:
    rules = division.rule_set
    shared = rules.book_id is not None or rules.divisions.exclude(pk=division.pk).exists()
    if shared:
        rules = copy_of(rules)
    rules.catalogue, rules.own_catalogue = ("" if own else slug), own
    rules.save()
    if shared:
        division.rule_set = rules
        division.save(update_fields=["rule_set"])


# --- opened to be changed


@dataclass
class Opened:
    """Locked penalty rules, with an open change of their league and of each competition that uses them."""

    own: OwnCatalogue
    changes: list[Change | LeagueChange]

    def log(self, before: Mapping[str, object], after: Mapping[str, object]) -> None:
        """Log in the league and in every competition that uses the penalty rules."""
        for done in self.changes:
            done.log("catalogue.update", f"catalogue:{self.own.pk}", before=before, after=after)


@contextmanager
def _open(own: OwnCatalogue, *, by: User, form: Sent | None) -> Iterator[Opened]:
    """Open one transaction. A repeated form raises ``AlreadyDone``."""
    # The league's lock is for the names of its catalogues, too.
    with league_change(own.league, by=by, form=form) as done, ExitStack() as stack:
        at = done.at
        playing = list(competitions_by(own))
        opened = (change(each, by=by, at=at, even_finished=True) for each in playing)
        changes = [stack.enter_context(each) for each in opened]
        locked = reread(OwnCatalogue.objects.select_for_update().select_related("league"), pk=own.pk)
        if list(competitions_by(own)) != playing:
            raise OutOfDate(_("These penalty rules have just been chosen for a division. Submit again."))
        yield Opened(own=locked, changes=[*changes, done])
        done.answer = {"catalogue": locked.pk}


def _write(opened: Opened, entries: list[dict[str, Any]]) -> None:
    if len(entries) > MOST_ENTRIES:
        raise Refused(
            _("Penalty rules can have at most %(count)s entries of their own.") % {"count": MOST_ENTRIES}
        )
    opened.own.entries = entries
    try:
        own_catalogue(opened.own)
    except ValueError as error:
        raise Refused(_("This entry cannot be saved. Choose its category and levels again.")) from error
    opened.own.save(update_fields=["entries"])


def _with(own: OwnCatalogue, entry: Entry) -> list[dict[str, Any]]:
    entries = {each["code"]: each for each in own.entries} | {entry["code"]: dict(entry)}
    return list(entries.values())


def _added_entry(own: OwnCatalogue, code: str) -> dict[str, Any]:
    if code in _published_catalogue(own.base).infractions:
        raise Refused(_("Entries of the published penalty rules can be changed, not removed."))
    entry = _own_entry(own, code)
    if entry is None:
        raise Refused(_("This entry no longer exists."))
    return entry


def _own_entry(own: OwnCatalogue, code: str) -> dict[str, Any] | None:
    return next((dict(entry) for entry in own.entries if entry["code"] == code), None)


def _check_conditions(own: OwnCatalogue, before: Entry, after: Entry) -> None:
    """Refuse to change published conditions or those that penalties refer to."""
    base = _published_catalogue(own.base).infractions.get(str(after["code"]))
    used = conditions_in_use(own, str(after["code"]))
    if base is not None:
        needed = [dict(variant.condition) for variant in base.variants]
        # An edition of Umaoka may word published conditions otherwise than an entry that was saved before.
        if _conditions(after)[: len(needed)] not in (needed, _conditions(before)[: len(needed)]):
            raise Refused(_("The published conditions cannot be changed. Add your own below them."))
    if _conditions(after)[:used] != _conditions(before)[:used]:
        raise Refused(
            _(
                "Conditions named in penalties keep their text and order. Add a condition below them, or "
                "replace this entry with another."
            )
        )


def _conditions(entry: Entry) -> list[dict[str, str]]:
    return [dict(variant.get("condition", {})) for variant in entry["variants"]]


def _code_taken(code: str) -> Refused:
    return Refused(
        _("Entry %(code)s already exists. Choose another code, or change that entry.") % {"code": code},
        field="code",
    )


_OVERTAKEN = _("Someone else has changed this entry since you opened it. Review it, then save again.")


def _published_catalogue(slug: str) -> Catalogue:
    try:
        return catalogue(slug)
    except UnknownCatalogue:
        raise Refused(_("Unknown penalty rules. Choose from the list."), field="base") from None
