"""Cells of a table that need more than the value of their column.

Functions write them, because templates take four times as long for the 13,000 cells of a page of 1,000
players (``benchmarks.standings``, "after a change").
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.text import labelled
from league.templatetags.umaoka import romanized, withdrawn_badge

NOTHING = SafeString("")
MEDALS = 3
LEAST_LENGTH = 0.1  # of a bar, for a number of one figure


@dataclass(slots=True)
class ShownLine:
    """A line of a table of the competition ``slug``.

    ``sign`` refers to ``note``, the tie-break that put the line below the one above. ``zone``: where the
    player would go if the season ended now. ``unranked``: why there is no rank. ``counted``: how many games
    count, if not all do.
    """

    line: Any
    slug: str
    sign: str = ""
    note: str = ""
    zone: str = ""
    zone_words: str = ""
    unranked: str = ""
    counted: str = ""
    label: str = ""  # the heading of the column that is being written

    def address(self, page: str, pk: int) -> str:
        return reverse(page, args=[self.slug, pk])


# Line, value, the text of the value and the CSS classes → the cell.
Write = Callable[[ShownLine, Any, str, str], SafeString]


def plain_cell(_line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    return mark_safe(f'<td class="{css}">{escape(text)}</td>' if css else f"<td>{escape(text)}</td>")  # noqa: S308


def labelled_cell(line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    """Write a cell with its heading, for phones that do not show the head of the table."""
    label = escape(line.label)
    return mark_safe(f'<td class="{css}" data-label="{label}">{escape(text)}</td>')  # noqa: S308


def rank_cell(line: ShownLine, _value: Any, _text: str, css: str) -> SafeString:
    row = line.line.row
    if row.unranked:
        return mark_safe(f'<td class="{css}">–</td>')  # noqa: S308
    rank, title = f"{'=' * row.tied}{row.rank}", ""
    if row.tied:
        title = f' title="{escape(_("tied rank"))}"'
    if row.rank <= MEDALS and row.games:
        rank = f'<span class="medal medal-{row.rank}">{rank}</span>'
    return mark_safe(f'<td class="{css}"{title}>{rank}</td>')  # noqa: S308


def games_cell(line: ShownLine, _value: Any, _text: str, css: str) -> SafeString:
    row, label = line.line.row, escape(line.label)
    if row.beyond:
        return format_html(
            '<td class="{}" title="{}" data-label="{}">{}/{}</td>',
            *(css, line.counted, line.label, row.games, row.played),
        )
    return mark_safe(f'<td class="{css}" data-label="{label}">{row.games}</td>')  # noqa: S308


def places_cell(line: ShownLine, places: tuple[int, ...], _text: str, css: str) -> SafeString:
    return mark_safe(f'<td class="{css}">{places_bar(places, line.label)}</td>')  # noqa: S308


@lru_cache(maxsize=4096)
def places_bar(places: tuple[int, ...], label: str) -> str:
    """Draw counts of places as one bar. Each part has its number and room for it."""
    if not any(places):
        return ""
    lengths = [max(count / sum(places), LEAST_LENGTH) if count else 0 for count in places]
    parts, at = "", 0.0
    for count, length in zip(places, lengths, strict=True):
        width = 100 * length / sum(lengths)
        parts += f'<rect x="{at:.0f}%" width="{width:.0f}%"/>'
        parts += f'<text x="{at + width / 2:.0f}%" y="50%">{count}</text>' if count else "<text/>"
        at += width
    words = escape(labelled(label, " ".join(map(str, places))))
    return f'<svg class="bar" role="img" aria-label="{words}">{parts}</svg>'


def total_cell(line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    mark = (
        format_html('<sup class="tie-mark" title="{}">{}</sup>', line.note, line.sign)
        if line.sign
        else NOTHING
    )
    return format_html('<td class="{} total">{}{}</td>', css, text, mark)


def last_cell(_line: ShownLine, value: str, _text: str, css: str) -> SafeString:
    tiles = "".join(f'<i class="place place-{place}">{place}</i>' for place in value)
    return mark_safe(f'<td class="{css}">{tiles}</td>')  # noqa: S308


def player_cell(line: ShownLine, player: Any, _text: str, _css: str) -> SafeString:
    second, notes = romanized(player), NOTHING
    if second:
        notes += _note(second)
    if getattr(player, "withdrawn", False):
        notes += format_html(" {}", withdrawn_badge())
    if line.unranked:
        notes += _note(line.unranked, "name-note")
    if line.zone:
        notes += _note(line.zone_words, f"name-note zone zone-{line.zone}")
    if player.country:
        notes = format_html(' <span class="country">{}</span>', player.country) + notes
    return _name_cell(line.address("standings:player", player.entrant), player.name, notes)


def member_cell(line: ShownLine, player: Any, _text: str, _css: str) -> SafeString:
    notes, share = NOTHING, line.line.share
    if not line.line.here:
        notes += _note(_("former member"))
    if share.missing:
        words = ngettext("%(missing)s game missing", "%(missing)s games missing", share.missing)
        notes += _note(words % {"missing": share.missing})
    elif share.left == 0:
        notes += _note(_("maximum reached"))
    return _name_cell(line.address("standings:player", player.entrant), player.name, notes)


def team_cell(line: ShownLine, _value: Any, text: str, _css: str) -> SafeString:
    return _name_cell(line.address("teams:team", line.line.team.pk), text, NOTHING)


def state_cell(_line: ShownLine, withdrawn: bool, _text: str, _css: str) -> SafeString:
    badge = format_html('<span class="badge-state">{}</span>', _("withdrawn")) if withdrawn else NOTHING
    return format_html("<td>{}</td>", badge)


def _name_cell(address: str, name: str, notes: SafeString) -> SafeString:
    return format_html('<th scope="row" class="sticky name"><a href="{}">{}</a>{}</th>', address, name, notes)


def _note(words: str, css: str = "name-romanized") -> SafeString:
    return format_html('<span class="{}">{}</span>', css, words)
