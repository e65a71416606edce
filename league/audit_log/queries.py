"""The audit log of a competition: its entries in words, and whether its chain of hashes is whole."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import QuerySet

from league.audit_log.words.actions import audit_action
from league.audit_log.words.entries import KINDS, AuditLine, ids_in, in_words, name_of
from league.core.changes import GENESIS, entry_hash
from league.models import AuditEntry, Competition
from players.text import has_control_characters

CHAIN_SECONDS = 300  # a log that is tampered with keeps its revision, so that the answer must not live long

_RELATED: Mapping[str, tuple[str, ...]] = {
    "table": ("round",),
    "entrant": ("player",),
    "penalty": ("player",),
    "dispute": ("table__round",),
    "call": ("table__round",),
}


# --- entries


def filter_entries(entries: QuerySet[AuditEntry], *, action: str, person: str) -> QuerySet[AuditEntry]:
    """Of these entries those of this action and this person (a user's id), newest first; empty for all."""
    found = entries.order_by("-sequence")
    if action and not has_control_characters(action):
        found = found.filter(action=action)
    if person.isascii() and person.isdecimal():
        found = found.filter(actor=int(person[:18]))
    return found


def actions_in(entries: QuerySet[AuditEntry]) -> list[tuple[str, str]]:
    """The actions of these entries, code and words, in the order of their words."""
    codes = entries.order_by("action").values_list("action", flat=True).distinct()
    return sorted(((code, audit_action(code)) for code in codes), key=lambda pair: pair[1])


def actors_in(entries: QuerySet[AuditEntry]) -> list[tuple[int, str]]:
    """The people who made these entries, id and user name."""
    found = entries.filter(actor__isnull=False).order_by("actor__username")
    return [(pk or 0, name or "") for pk, name in found.values_list("actor_id", "actor__username").distinct()]


def audit_lines(entries: Sequence[AuditEntry]) -> list[AuditLine]:
    """These entries in words; one query for each kind of thing that they speak of."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for entry in entries:
        for kind, ids in ids_in(entry):
            wanted[kind].update(ids)
    names = {kind: _find_names(kind, ids) for kind, ids in wanted.items()}
    return [in_words(entry, names) for entry in entries]


def _find_names(kind: str, ids: set[int]) -> dict[int, str]:
    found = KINDS[kind]._default_manager.filter(pk__in=ids).select_related(*_RELATED.get(kind, ()))
    return {thing.pk: name_of(kind, thing) for thing in found}


# --- the chain


@dataclass(frozen=True)
class ChainReport:
    """``broken_at`` is the sequence number of the first entry that does not fit, None if all do."""

    entries: int
    head: str
    broken_at: int | None


def verify_chain(competition: Competition) -> ChainReport:
    """Walk the log from its first entry. A cut tail shows only against a head that was kept elsewhere."""
    previous, count, broken = GENESIS, 0, None
    for entry in AuditEntry.objects.filter(competition=competition).order_by("sequence").iterator():
        count += 1
        fits = entry.sequence == count and entry.previous_hash == previous and entry.hash == entry_hash(entry)
        if not fits and broken is None:
            broken = entry.sequence
        previous = entry.hash
    return ChainReport(entries=count, head=previous, broken_at=broken)


def chain_state(competition: Competition) -> ChainReport:
    """``verify_chain``, kept until the next change, and for five minutes without one."""
    key = f"chain:{competition.pk}:{competition.revision}"
    found: ChainReport | None = cache.get(key)
    if found is None:
        found = verify_chain(competition)
        cache.set(key, found, CHAIN_SECONDS)
    return found


def head(competition: Competition) -> str:
    """The hash of the newest entry: printed in exports, so that a cut tail can be found."""
    newest = (
        AuditEntry.objects.filter(competition=competition)
        .order_by("-sequence")
        .values_list("hash", flat=True)
    )
    return newest.first() or GENESIS


# --- heads that are kept elsewhere


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry that a log had at one time: its hash, or the beginning of it, and its number if known.

    A log that was cut or rewritten since does not hold that entry.
    """

    hash: str
    entries: int | None = None
    slug: str = ""

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.slug, self.entries, self.hash) if part)


_HEAD = re.compile(
    r"(?:(?P<slug>\S+)\s+(?P<entries>[0-9]{1,15})\s+)?(?<![0-9a-f])(?P<hash>[0-9a-f]{16,64})\b"
)


def heads() -> list[Head]:
    """The heads of all logs, by the addresses of their competitions."""
    newest = AuditEntry.objects.order_by("competition__slug", "-sequence")
    found: dict[str, Head] = {}
    for slug, sequence, code in newest.values_list("competition__slug", "sequence", "hash").iterator():
        found.setdefault(slug, Head(code, sequence, slug))
    return list(found.values())


def read_heads(text: str) -> list[Head]:
    """The heads in a text: a line each, “address number hash” as ``str(head)``, or a printed hash alone."""
    return [
        Head(found["hash"], int(found["entries"]) if found["entries"] else None, found["slug"] or "")
        for found in map(_HEAD.search, text.splitlines())
        if found
    ]


def missing_heads(kept: Sequence[Head]) -> Iterator[Head]:
    """Of these heads those that no log holds in their place."""
    for each in kept:
        entries = AuditEntry.objects.filter(hash__startswith=each.hash)
        if each.entries is not None:
            entries = entries.filter(sequence=each.entries)
        if not entries.exists():
            yield each
