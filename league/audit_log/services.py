"""Is the audit log whole? Every entry is hashed again and held against the chain."""

from dataclasses import dataclass

from league.core.changes import GENESIS, entry_hash
from league.models import AuditEntry, Competition


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


def head(competition: Competition) -> str:
    """The hash of the newest entry: printed in exports, so that a cut tail can be found."""
    newest = (
        AuditEntry.objects.filter(competition=competition)
        .order_by("-sequence")
        .values_list("hash", flat=True)
    )
    return newest.first() or GENESIS
