"""Numbers of games that count, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.standings import ALL, AVERAGE, BEST, FIRST, Numbers, Row


def numbers_words(numbers: Numbers) -> list[str]:
    found = []
    if numbers.valid:
        valid = ngettext(
            "Players with fewer than %(count)s game are listed last, unranked.",
            "Players with fewer than %(count)s games are listed last, unranked.",
            numbers.valid,
        )
        found.append(valid % {"count": numbers.valid})
    if numbers.standard is not None:
        found.append(_beyond(numbers.beyond) % {"count": numbers.standard})
        if numbers.beyond != ALL:
            found.append(_("Penalties, points for rounds not played, and points carried over count in full."))
    return found


def _beyond(rule: str) -> str:
    return {
        ALL: _("Standard number of games: %(count)s. Games beyond it also count."),
        FIRST: _("Of more games than %(count)s, only the first %(count)s count."),
        BEST: _("Of more games than %(count)s, only the best %(count)s count."),
        AVERAGE: _("Of more games than %(count)s, the average times %(count)s counts."),
    }[rule]


def unranked_words(row: Row) -> str:
    if row.gone or (row.unplayed and not row.missing):
        return _("unranked: no game")
    valid = row.played + row.missing
    return _("unranked: %(played)s of %(valid)s games") % {"played": row.played, "valid": valid}


def counted_words(row: Row) -> str:
    return _("%(counted)s of %(played)s games count") % {"counted": row.games, "played": row.played}
