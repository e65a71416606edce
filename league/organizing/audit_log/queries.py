"""The audit log of a competition or a league: entries in words, its chain of hashes, and printed codes."""

import hmac
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.db.models import Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.core.changes import DIGEST, GENESIS, entry_hash, same_log, text_digest
from league.models import AuditEntry, Competition, League, LeagueEntry, LogEntry, LogText, Role, triggers
from league.organizing.audit_log.words.actions import audit_action
from league.organizing.audit_log.words.entries import KINDS, AuditLine, ids_in, in_words, name_of
from players.text import has_control_characters

Entry = TypeVar("Entry", bound=LogEntry)
CHAIN_SECONDS = 300  # a log that is tampered with keeps its revision, so that the answer must not live long

_RELATED: Mapping[str, tuple[str, ...]] = {
    "table": ("round",),
    "entrant": ("player",),
    "penalty": ("player",),
    "dispute": ("table__round",),
    "call": ("table__round",),
}


# --- entries


def filter_entries(entries: QuerySet[Entry], *, action: str, person: str) -> QuerySet[Entry]:
    """Filter by action and person (a user's id), newest first. Empty arguments match all."""
    chosen = entries.order_by("-sequence")
    if action and not has_control_characters(action):
        chosen = chosen.filter(action=action)
    if person.isascii() and person.isdecimal():
        chosen = chosen.filter(actor=int(person[:18]))
    return chosen


def seen_key(competition: Competition) -> str:
    """Return the session's key for the number of the last entry that the person has read."""
    return f"seen-{competition.pk}"


def changes_by_others(competition: Competition, *, by: User, after: int) -> QuerySet[AuditEntry]:
    """Return what other organizers changed since the person's own last change, newest first.

    ``after``: the number of the last entry that the person has read.
    """
    entries = AuditEntry.objects.filter(competition=competition)
    own = entries.filter(actor=by).order_by("-sequence").values("sequence")[:1]
    roles = Q(roles__competition=competition, roles__kind=Role.Kind.ORGANIZER)
    others = User.objects.filter(roles | Q(leagues=competition.league_id)).exclude(pk=by.pk)
    changes = entries.filter(sequence__gt=Coalesce(Subquery(own), 0), actor__in=others.values("pk"))
    return changes.filter(sequence__gt=after).select_related("actor").order_by("-sequence")


def actions_in(entries: QuerySet[Entry]) -> list[tuple[str, str]]:
    """Return code and words of the actions, ordered by words."""
    codes = entries.order_by("action").values_list("action", flat=True).distinct()
    words = {code: audit_action(code) for code in codes}
    return [(code, words[code]) for code in sorted(words, key=words.__getitem__)]


def actors_in(entries: QuerySet[Entry]) -> list[tuple[int, str]]:
    """Return id and user name of the people who made these entries."""
    by_people = entries.filter(actor__isnull=False).order_by("actor__username")
    return [
        (pk or 0, name or "") for pk, name in by_people.values_list("actor_id", "actor__username").distinct()
    ]


def audit_lines(entries: Sequence[LogEntry]) -> list[AuditLine]:
    """Return entries in words. Queries: 1 per kind of thing that they name, and 1 for texts."""
    put_back_texts(entries)
    wanted: dict[str, set[int]] = defaultdict(set)
    for entry in entries:
        for kind, ids in ids_in(entry):
            wanted[kind].update(ids)
    names = {kind: _find_names(kind, ids) for kind, ids in wanted.items()}
    return [in_words(entry, names) for entry in entries]


def put_back_texts(entries: Sequence[LogEntry]) -> None:
    """Replace digests by their texts, in these objects only."""
    digests = [digest for entry in entries for digest in _digests_in(entry)]
    texts = dict(LogText.objects.filter(digest__in=digests).values_list("digest", "text"))
    for entry in entries:
        for side in (entry.before or {}, entry.after or {}):
            side_digests = {
                name: value.removeprefix(DIGEST) for name, value in side.items() if _is_digest(value)
            }
            side.update({name: texts.get(digest, digest) for name, digest in side_digests.items()})


def _digests_in(entry: LogEntry) -> list[str]:
    values = [value for side in (entry.before, entry.after) for value in (side or {}).values()]
    return [value.removeprefix(DIGEST) for value in values if _is_digest(value)]


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and value.startswith(DIGEST)


def _find_names(kind: str, ids: set[int]) -> dict[int, str]:
    rows = KINDS[kind]._default_manager.filter(pk__in=ids).select_related(*_RELATED.get(kind, ()))
    return {thing.pk: name_of(kind, thing) for thing in rows}


# --- the chain


@dataclass(frozen=True)
class ChainReport:
    """The result of a check. ``broken_at``: the sequence number of the first entry that does not fit."""

    entries: int
    head: str
    broken_at: int | None


def verify_chain(owner: Competition | League) -> ChainReport:
    """Check the log from its first entry.

    A changed text does not fit, an erased text does. A cut tail shows only against a head that was stored
    elsewhere.
    """
    previous, count, broken = GENESIS, 0, None
    changed = _changed_texts(owner)
    for entry in log_of(owner).order_by("sequence").iterator():
        count += 1
        fits = entry.sequence == count and entry.previous_hash == previous and entry.hash == entry_hash(entry)
        fits = fits and changed.isdisjoint(_digests_in(entry))
        if not fits and broken is None:
            broken = entry.sequence
        previous = entry.hash
    return ChainReport(entries=count, head=previous, broken_at=broken)


def log_of(owner: Competition | League) -> QuerySet[AuditEntry] | QuerySet[LeagueEntry]:
    if isinstance(owner, Competition):
        return same_log(AuditEntry(competition=owner))
    return same_log(LeagueEntry(league=owner))


def _changed_texts(owner: Competition | League) -> set[str]:
    league = owner.league_id if isinstance(owner, Competition) else owner.pk
    rows = LogText.objects.filter(league=league).exclude(salt="").values_list("digest", "salt", "text")
    return {digest for digest, salt, text in rows.iterator() if text_digest(salt, text) != digest}


def missing_triggers() -> list[str]:
    """Return the triggers that this database lacks. Without them, logs can be edited."""
    return triggers.missing(connection)


def chain_state(owner: Competition | League) -> ChainReport:
    """Return ``verify_chain``, cached until the next entry, for at most five minutes."""
    key = f"chain:{type(owner).__name__}:{owner.pk}:{_newest(owner)}".replace(" ", "")
    report: ChainReport | None = cache.get(key)
    if report is None:
        report = verify_chain(owner)
        cache.set(key, report, CHAIN_SECONDS)
    return report


def head(competition: Competition) -> str:
    """Return the hash of the newest entry. Exports print it, so that a cut tail can be found."""
    _number, newest_hash = _newest(competition) or (0, GENESIS)
    return newest_hash


def _newest(owner: Competition | League) -> tuple[int, str] | None:
    """Return the number and the hash of the newest entry."""
    return log_of(owner).order_by("-sequence").values_list("sequence", "hash").first()


# --- codes of entries, as they are printed

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O, U
_READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0"})
_CODE = re.compile(
    r"(?P<number>[0-9]{1,15})[^0-9A-Z]+(?P<first>[0-9A-Z]{5})[^0-9A-Z]*(?P<second>[0-9A-Z]{5})"
)


@dataclass(frozen=True, slots=True)
class CodeReport:
    """The result for a printed code. ``entry``: its entry, or None if the log lacks it.

    ``later``: the number of later entries. ``newest``: the number of the newest entry.
    """

    number: int
    newest: int
    entry: AuditEntry | None
    chain: ChainReport

    @property
    def later(self) -> int:
        return self.newest - self.number

    @property
    def is_whole(self) -> bool:
        """Return True if the log is whole up to that entry."""
        return self.chain.broken_at is None or self.chain.broken_at > self.number


def head_code(competition: Competition) -> str:
    """Return the code of the newest entry, "217-K7QF2-M9XAB", or an empty text for an empty log.

    It has the entry's number, and 50 bits of an HMAC with ``AUDIT_KEY`` over competition, number and hash.
    """
    newest = _newest(competition)
    return _code(competition, *newest) if newest else ""


def _code(competition: Competition, sequence: int, entry: str) -> str:
    said = f"umaoka audit log {competition.pk}:{sequence}:{entry}"
    mac = hmac.digest(settings.AUDIT_KEY.encode(), said.encode(), "sha256")
    bits = int.from_bytes(mac[:8]) >> 14
    code = "".join(_DIGITS[bits >> shift & 31] for shift in range(45, -1, -5))
    return f"{sequence}-{code[:5]}-{code[5:]}"


def check_code(competition: Competition, typed: str) -> CodeReport | None:
    """Find the entry of a typed code. Returns None for an invalid code."""
    plain = unicodedata.normalize("NFKC", typed).upper().strip()
    match = _CODE.fullmatch(plain)
    if match is None:
        return None
    number = int(match["number"])
    code = f"{number}-{match['first']}-{match['second']}".translate(_READ_AS)
    entries = AuditEntry.objects.filter(competition=competition)
    newest, _hash = _newest(competition) or (0, "")
    entry = entries.filter(sequence=number).first()
    if entry is not None and not hmac.compare_digest(_code(competition, number, entry.hash), code):
        entry = None
    return CodeReport(number=number, newest=newest, entry=entry, chain=chain_state(competition))


# --- heads that are kept elsewhere


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry of a log at some time. ``code``: its hash, the start of it, or its printed code.

    A log that was cut or rewritten since lacks that entry.
    """

    code: str
    entries: int | None = None
    address: str = ""

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.address, self.entries, self.code) if part)


_HASH = r"(?:(?P<address>\S+)\s+(?P<entries>[0-9]{1,15})\s+)?(?<![0-9a-f])(?P<hash>[0-9a-f]{16,64})\b"
_HEAD = re.compile(rf"{_HASH}|(?P<code>{_CODE.pattern})")


def owners_of_logs() -> Iterator[tuple[str, Competition | League]]:
    for competition in Competition.objects.order_by("slug"):
        yield f"c/{competition.slug}", competition
    for league in League.objects.order_by("slug"):
        yield f"leagues/{league.slug}", league


def heads() -> list[Head]:
    heads = []
    for address, owner in owners_of_logs():
        if newest := _newest(owner):
            number, newest_hash = newest
            heads.append(Head(code=newest_hash, entries=number, address=address))
    return heads


def read_heads(text: str) -> list[Head]:
    """Return the heads in a text, one per line: “address number hash”, a hash, or a printed code."""
    return [
        Head(match["hash"] or match["code"], int(match["entries"] or 0) or None, match["address"] or "")
        for match in map(_HEAD.search, text.splitlines())
        if match
    ]


def missing_heads(stored: Iterable[Head]) -> Iterator[Head]:
    """Yield the heads that no log has at their place."""
    for each in stored:
        if not (_holds_code(each.code) if _CODE.fullmatch(each.code) else _holds_hash(each)):
            yield each


def _holds_code(code: str) -> bool:
    reports = (check_code(competition, code) for competition in Competition.objects.all())
    return any(report is not None and report.entry is not None for report in reports)


def _holds_hash(head: Head) -> bool:
    place = {} if head.entries is None else {"sequence": head.entries}
    return any(
        model._default_manager.filter(hash__startswith=head.code, **place).exists()
        for model in (AuditEntry, LeagueEntry)
    )
