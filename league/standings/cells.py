"""The cells of a page's table that say more than the value of their column.

A function writes each: a page of 1,000 players has 13,000 cells, and templates take four times as long
(``benchmarks.standings``, "after a change").
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.templatetags.umaoka import romanized

NOTHING = SafeString("")


@dataclass(slots=True)
class ShownLine:
    """A line of a table of the competition ``slug``. ``sign`` leads to ``note``: the tie-break that put it
    below the line above. ``zone`` is where the player would go if the season ended now; ``begins_zone``:
    another one ends above. ``unranked``: why there is no rank. ``counted``: how many
    hanchan count, where not all do.
    """

    line: Any
    slug: str
    sign: str = ""
    note: str = ""
    zone: str = ""
    begins_zone: bool = False
    zone_words: str = ""
    unranked: str = ""
    counted: str = ""

    def address(self, page: str, pk: int) -> str:
        return reverse(page, args=[self.slug, pk])


# Line, value, the text of the value and the CSS classes → the cell.
Write = Callable[[ShownLine, Any, str, str], SafeString]


def plain_cell(_line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    return mark_safe(f'<td class="{css}">{escape(text)}</td>' if css else f"<td>{escape(text)}</td>")  # noqa: S308


def rank_cell(line: ShownLine, _value: Any, _text: str, _css: str) -> SafeString:
    row = line.line.row
    if row.unranked:
        return mark_safe('<td class="number rank">–</td>')
    if row.tied:
        return format_html(
            '<td class="number rank" title="{}">={}</td>', _("rank shared with others"), row.rank
        )
    return format_html('<td class="number rank">{}</td>', row.rank)


def games_cell(line: ShownLine, _value: Any, _text: str, _css: str) -> SafeString:
    """How many count, of how many were played."""
    row = line.line.row
    if row.beyond:
        return format_html('<td class="number" title="{}">{}/{}</td>', line.counted, row.games, row.played)
    return format_html('<td class="number">{}</td>', row.games)


def total_cell(line: ShownLine, _value: Any, text: str, css: str) -> SafeString:
    mark = (
        format_html('<sup class="tie-mark" title="{}">{}</sup>', line.note, line.sign)
        if line.sign
        else NOTHING
    )
    return format_html('<td class="{} total">{}{}</td>', css, text, mark)


def last_cell(_line: ShownLine, value: str, _text: str, _css: str) -> SafeString:
    """The places of the last games as badges."""
    marks = format_html_join("", '<i class="place place-{0}">{0}</i>', ((place,) for place in value))
    return format_html('<td class="places">{}</td>', marks)


def player_cell(line: ShownLine, player: Any, _text: str, _css: str) -> SafeString:
    """The name, which heads the row and leads to the player; below it why there is no rank, and the zone."""
    second, notes = romanized(player), NOTHING
    if second:
        notes += _note(second)
    if line.unranked:
        notes += _note(line.unranked, "name-note")
    if line.zone or line.begins_zone:
        css = f"name-note zone zone-{line.zone or 'stays'}{' zone-line' * line.begins_zone}"
        notes += _note(line.zone_words, css)
    if player.country:
        notes = format_html(' <span class="country">{}</span>', player.country) + notes
    return _name_cell(line.address("standings:player", player.entrant), player.name, notes)


def member_cell(line: ShownLine, player: Any, _text: str, _css: str) -> SafeString:
    """A player of a team; below the name whether they left it, and what the limits mean to them."""
    notes, share = NOTHING, line.line.share
    if not line.line.here:
        notes += _note(_("not in the team any more"))
    if share.missing:
        words = ngettext("%(missing)s hanchan missing", "%(missing)s hanchan missing", share.missing)
        notes += _note(words % {"missing": share.missing})
    elif share.left == 0:
        notes += _note(_("has played the most"))
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
