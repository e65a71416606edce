from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.core.numbers import minus_sign, number
from league.core.text import listed, sentences
from league.models import Competition, Seat, Sheet
from scoring.rules import LAST_DEALER, NOBODY, Rules
from scoring.settlement import Ending, SeatResult


def script_words() -> dict[str, str]:
    return {
        "adds-up": _("The sum is correct."),
        "short": _("{points} missing."),
        "short-stick": _("{points} missing. Is a riichi stick left on the table?"),
        "short-sticks": _("{points} missing. Are {count} riichi sticks left on the table?"),
        "over": _("{points} too much."),
        "not-a-number": _("Digits only, in hundreds: 287 for 28,700."),
        "blank": _("Enter this score, too."),
        "no-table": _("This round has no table {number}."),
        "sign": _("{wind}: change the sign"),
        "delete": _("Delete the last digit"),
        "next": pgettext("input", "Next"),
        "accept": _("{wind}: use {value}. Shortcut: ="),
        "restored": _("Entered on this device, not saved yet."),
        "saving": _("Saving…"),
        "unsent": _("Table {number} not sent yet. It will be sent when you are back online."),
        "stopped": _("Table {number} not saved yet. The server asks you to check it."),
        "draft": _("Table {number} was entered on this device but not saved: {value}."),
        "refused": _("Table {number} not saved yet. Reload this page, and sign in if asked."),
        "send": _("Send now"),
        "look": _("Review"),
        "reload": _("Reload"),
        "discard": _("Discard"),
        "discard-sure": _("Discard this entry?"),
        "minus": minus_sign(),
    }


def sum_note(sheet: Sheet, seats: Sequence[SeatResult], rules: Rules) -> str:
    """Say what the four scores sum to, and explain a sum other than zero."""
    total = sum(seat.score for seat in seats)
    if total == 0:
        return _("The four scores sum to zero.")
    if rules.unbalanced:
        return _(
            "Under these rules table scores do not sum to zero: uma and oka do not balance starting and "
            "return points."
        )
    if sheet.sticks and rules.leftover_sticks == NOBODY:
        return _("Riichi deposits left on the table are lost, so the scores sum to that much less than zero.")
    return _("The shared place points did not divide evenly. Under these rules the remainder is lost.")


def ending_words(ending: Ending, rules: Rules) -> list[tuple[str, str]]:
    """Return (what, who) for the parts of the ending that the rules ask for, except deposits."""
    parts = []
    if rules.tie_rule == LAST_DEALER:
        parts.append((_("Dealer of the last hand"), _wind(ending.last_dealer)))
    if rules.sashiuma is not None:
        pairs = [f"{_wind(namer)} → {_wind(target)}" for namer, target in ending.sashiuma]
        parts.append((_("Sashiuma"), listed(pairs) or _("no sashiuma")))
    if rules.chip_value is not None:
        pairs = [
            f"{_wind(wind)} {'+' * (won > 0)}{number(won)}" for wind, won in enumerate(ending.chips) if won
        ]
        parts.append((_("Chips"), listed(pairs) or _("no chips")))
    return parts


def asked_words(asked: str) -> str:
    """Return the sentence that says who signs at the table."""
    return {
        Competition.Signatures.NONE: _("No signatures are needed here. Staff approve the score sheet."),
        Competition.Signatures.FOUR: _("All four players sign."),
        Competition.Signatures.WINNER: _("The winner and one other player sign."),
        Competition.Signatures.STAFF: _("A referee or staff member signs before the table is left."),
    }[Competition.Signatures(asked)]


def approved_words(answer: Mapping[str, Any]) -> str:
    """Return sentences on the answer of ``approve_sheets``."""
    approved = answer["approved"]
    left = sorted({*answer["left"]} - {*dict(answer["why"])})
    said = [
        ngettext(
            "Score sheet of table %(tables)s approved.",
            "Score sheets of tables %(tables)s approved.",
            len(approved),
        )
        % {"tables": listed(map(str, approved))}
    ]
    if left:
        said.append(
            ngettext("Table %(tables)s is not ready.", "Tables %(tables)s are not ready.", len(left))
            % {"tables": listed(map(str, left))}
        )
    return sentences([*said, *reason_words(answer)])


def reason_words(answer: Mapping[str, Any]) -> list[str]:
    """Return the reasons why ``approve_sheets`` left tables, each once."""
    tables: dict[str, list[str]] = {}
    for table, why in answer["why"]:
        tables.setdefault(why, []).append(str(table))
    return [
        ngettext("Table %(tables)s: %(why)s", "Tables %(tables)s: %(why)s", len(numbers))
        % {"tables": listed(numbers), "why": why}
        for why, numbers in tables.items()
    ]


def _wind(wind: int) -> str:
    return str(Seat.Wind(wind).label)


def compare_endings(mine: Ending, saved: Sheet, rules: Rules) -> list[tuple[str, str, str]]:
    pairs = zip(ending_words(saved.ending, rules), ending_words(mine, rules), strict=True)
    return [(what, theirs, ours) for (what, theirs), (_what, ours) in pairs]
