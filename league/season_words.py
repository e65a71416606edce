"""Words of a season: the numbers of hanchan."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.standings import ALL, AVERAGE, BEST, FIRST, Numbers, Row


def numbers_words(numbers: Numbers) -> list[str]:
    """What the valid and the standard number mean for the standings, in sentences; none without numbers."""
    found = []
    if numbers.valid:
        valid = ngettext(
            "Whoever has played fewer than %(count)s hanchan stands after all others, without a rank.",
            "Whoever has played fewer than %(count)s hanchan stands after all others, without a rank.",
            numbers.valid,
        )
        found.append(valid % {"count": numbers.valid})
    if numbers.standard is not None:
        found.append(_beyond(numbers.beyond) % {"count": numbers.standard})
        if numbers.beyond != ALL:
            found.append(_("Penalties, points for rounds not played and carried points count in full."))
    return found


def _beyond(rule: str) -> str:
    return {
        ALL: _("The standard number is %(count)s hanchan; those beyond it count, too."),
        FIRST: _("Of more than %(count)s hanchan only the first %(count)s count."),
        BEST: _("Of more than %(count)s hanchan only the best %(count)s count."),
        AVERAGE: _("Of more than %(count)s hanchan the average counts, times %(count)s."),
    }[rule]


def unranked_words(row: Row) -> str:
    """Why this row has no rank: unranked: 4 of 6 hanchan."""
    return _("unranked: %(played)s of %(valid)s hanchan") % {
        "played": row.played,
        "valid": row.played + row.missing,
    }


def counted_words(row: Row) -> str:
    """How many of the hanchan count: 16 of 20 hanchan count."""
    return _("%(counted)s of %(played)s hanchan count") % {"counted": row.games, "played": row.played}
