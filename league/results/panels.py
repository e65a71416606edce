"""What the pages of score sheets show: a table's form with what was typed, two sheets side by side, history.

A panel is plain data, not a form: a page holds one for every table of the round, two hundred at a large
event, and a form object with its widgets for each would make the page slow.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _

from league.core.messages import sheet_problem
from league.core.numbers import minus_sign
from league.core.text import listed
from league.models import Seat, Sheet
from league.people.queries import PlayerInfo
from league.results.forms import STICK, SheetForm, ending_fields, fingerprint, in_hundreds
from league.rounds.queries import TableResult
from league.templatetags.umaoka import PLACE_WORDS, score, score_class
from scoring.rules import LAST_DEALER, NOBODY, Rules
from scoring.settlement import Ending, Late, SeatResult
from scoring.units import WINDS


@dataclass(frozen=True)
class SeatLine:
    """One seat of a panel: `name` is the input's, `typed` what stands in it."""

    wind: int
    name: str
    player: PlayerInfo | None
    typed: str
    errors: list[str]


@dataclass(frozen=True)
class EndingLine:
    """A choice about how the hanchan ended: the options as (value, words, chosen)."""

    name: str
    label: str
    options: list[tuple[str, str, bool]]
    errors: list[str]


@dataclass(frozen=True)
class Panel:
    """One table's sheet to type in. `errors` belong to no field; `sure` names warnings that need a tick."""

    result: TableResult
    key: str
    based_on: int
    seated: str
    lines: list[SeatLine]
    sticks: str
    sticks_errors: list[str]
    endings: list[EndingLine]
    reason: str
    reason_errors: list[str]
    needs_reason: bool
    warnings: list[str]
    sure: str
    ticked: bool
    errors: list[str]

    @property
    def number(self) -> int:
        return self.result.table.number

    @property
    def focus(self) -> str:
        """The input in which to go on: the tick, else the first with an error, else the first seat."""
        if self.sure and not self.ticked:
            return "sure"
        wrong = [line.name for line in self.lines if line.errors]
        wrong += ["sticks"] if self.sticks_errors else []
        wrong += [line.name for line in self.endings if line.errors]
        wrong += ["reason"] if self.reason_errors else []
        return (wrong or [WINDS[0]])[0]


def panel(
    result: TableResult,
    form: SheetForm | None = None,
    *,
    typed: Mapping[str, Any] | None = None,
    refused: bool = False,
) -> Panel:
    """The table's panel: empty, or with what was `typed`, or a form's with what is wrong with it.

    A form that the service refused is `refused`: its sentence told what changed, so that the next attempt is
    based on what is there now. One with a slip keeps what it was based on, so that no change goes unseen.
    """
    typed = form.data if form else typed or {}
    errors = {name: [str(error) for error in found] for name, found in form.errors.items()} if form else {}
    version = result.sheet.version if result.sheet else 0
    kept = dict(form.cleaned_data) if form and not refused else {}
    seated = kept.get("seated") or [seat.player_id for seat in result.table.seats.all()]
    warnings = form.warnings if form and not _blocked(form) else []
    return Panel(
        result=result,
        key=str((form and form.cleaned_data.get("key")) or uuid.uuid4()),
        based_on=kept.get("based_on", version),
        seated="-".join(map(str, seated)),
        lines=[
            SeatLine(wind, name, result.players[wind], typed.get(name, ""), errors.get(name, []))
            for wind, name in enumerate(WINDS)
        ],
        sticks=typed.get("sticks", "0"),
        sticks_errors=errors.get("sticks", []),
        endings=_endings(result.table.round.stage.division.rules, typed, errors),
        reason=typed.get("reason", ""),
        reason_errors=errors.get("reason", []),
        needs_reason=result.sheet is not None,
        warnings=[sheet_problem(warning) for warning in warnings],
        sure=fingerprint(warnings),
        ticked="sure" not in errors,
        errors=_general_errors(form),
    )


def _endings(rules: Rules, typed: Mapping[str, Any], errors: Mapping[str, list[str]]) -> list[EndingLine]:
    found = []
    for field in ending_fields(rules):
        value = typed.get(field.name) or field.unsaid
        options = [(code, words, code == value) for code, words in field.choices]
        found.append(EndingLine(field.name, field.label, options, errors.get(field.name, [])))
    return found


def prefilled(result: TableResult) -> dict[str, str]:
    """The current sheet as a person would type it."""
    sheet = result.sheet
    if sheet is None:
        return {}
    numbers = {name: in_hundreds(points) for name, points in zip(WINDS, sheet.points, strict=True)}
    _sticks, last_dealer, named = sheet.ending
    ending = {"last_dealer": str(last_dealer)} | {f"{WINDS[seat]}_named": str(n) for seat, n in named.items()}
    return numbers | ending | {"sticks": str(sheet.sticks // STICK)}


def _blocked(form: SheetForm) -> bool:
    """True while numbers are wrong: they are mended first, then unusual ones want their tick."""
    return any(name in form.errors for name in (*WINDS, "sticks", NON_FIELD_ERRORS))


def _general_errors(form: SheetForm | None) -> list[str]:
    if form is None:
        return []
    found = [str(error) for error in form.non_field_errors()]
    if any(name in form.errors for name in ("key", "based_on", "number", "seated")):
        found.append(
            _("This page was incomplete or too old. Your numbers are kept: check them and save again.")
        )
    return found


# --- while typing


def preview(seats: Sequence[SeatResult]) -> list[dict[str, object]]:
    """Places and scores by seat, as the page's script shows them."""
    return [
        {
            "place": seat.place,
            "label": str(PLACE_WORDS[seat.place - 1]),
            "score": score(seat.score),
            "classes": score_class(seat.score),
        }
        for seat in seats
    ]


def words() -> dict[str, str]:
    """Sentences for the page's script, which fills in {points}, {count}, {number}, {wind} and {value}."""
    return {
        "adds-up": _("Adds up."),
        "short": _("{points} missing."),
        "short-stick": _("{points} missing: a riichi stick on the table?"),
        "short-sticks": _("{points} missing: {count} riichi sticks on the table?"),
        "over": _("{points} too much."),
        "in-points": _("Type scores in hundreds: 287 for 28,700."),
        "not-a-number": _("Digits only, in hundreds: 287 for 28,700."),
        "blank": _("Type this score too."),
        "no-table": _("There is no table {number} in this round."),
        "sign": _("{wind}: change the sign"),
        "accept": _("{wind}: take {value}. The key = does the same."),
        "restored": _("Typed before on this device and not saved."),
        "saving": _("Saving…"),
        "unsent": _("Table {number} is not sent yet: will be sent when the network is back."),
        "stopped": _("Table {number} is not saved yet: the server asks you to look at it."),
        "draft": _("Table {number} was typed on this device and not saved: {value}."),
        "refused": _("Table {number} is not saved yet: open this page again, and sign in if asked."),
        "send": _("Send now"),
        "look": _("Look at it"),
        "reload": _("Open again"),
        "discard": _("Throw away"),
        "discard-sure": _("Really throw away?"),
        "minus": minus_sign(),
    }


# --- after saving


def saved_sentence(result: TableResult, sheet: Sheet, rules: Rules) -> str:
    """Table, names, places and scores, best place first."""
    seats = sorted(sheet.settled(rules, late=result.late), key=lambda seat: (seat.place, seat.wind))
    lines = ", ".join(
        _("%(place)s. %(name)s %(score)s")
        % {"place": seat.place, "name": _name(result.players[seat.wind]), "score": score(seat.score)}
        for seat in seats
    )
    sentence = (
        _("Table %(table)s is saved: %(lines)s")
        if sheet.version == 1
        else _("Table %(table)s is corrected: %(lines)s")
    )
    return sentence % {"table": result.table.number, "lines": lines}


def _name(player: PlayerInfo | None) -> str:
    return player.name if player else "–"


def sum_note(sheet: Sheet, seats: Sequence[SeatResult], rules: Rules) -> str:
    """What the four scores sum to, and why it is not zero where it is not."""
    total = sum(seat.score for seat in seats)
    if total == 0:
        return _("The four scores sum to zero.")
    if rules.unbalanced:
        return _(
            "Under these rules a table does not sum to zero: uma and oka do not balance start and return."
        )
    if sheet.sticks and rules.leftover_sticks == NOBODY:
        return _(
            "Riichi deposits left on the table are nobody's: the scores sum to that much less than zero."
        )
    return _("The place points of tied players did not divide evenly; these rules drop what is left over.")


# --- side by side


@dataclass(frozen=True, slots=True)
class ComparedSeat:
    """One seat in two sheets."""

    wind: int
    player: PlayerInfo | None
    mine: int
    saved: int

    @property
    def differs(self) -> bool:
        return self.mine != self.saved


def compared(result: TableResult, mine: Sequence[int], saved: Sheet) -> list[ComparedSeat]:
    return [ComparedSeat(w, result.players[w], mine[w], saved.points[w]) for w in range(4)]


def ending_words(ending: Ending, rules: Rules) -> list[tuple[str, str]]:
    """What a sheet says of the ending beside deposits, as far as the rules know it: (what, who)."""
    _sticks, last_dealer, named = ending
    found = []
    if rules.tie_rule == LAST_DEALER:
        found.append((_("Dealer of the last hand"), _seat(last_dealer)))
    if rules.sashiuma is not None:
        pairs = [f"{_seat(namer)} → {_seat(target)}" for namer, target in sorted(named.items())]
        found.append((_("Sashiuma"), listed(pairs) or _("nobody named anybody")))
    return found


def _seat(wind: int) -> str:
    return str(Seat.Wind(wind).label)


def compared_endings(mine: Ending, saved: Sheet, rules: Rules) -> list[tuple[str, str, str]]:
    """(what, in the saved sheet, in mine) for each thing that the rules know of the ending."""
    pairs = zip(ending_words(saved.ending, rules), ending_words(mine, rules), strict=True)
    return [(what, theirs, ours) for (what, theirs), (_what, ours) in pairs]


@dataclass(frozen=True)
class Version:
    """One version of a table's sheet; `changed` marks the seats that the version before had otherwise."""

    sheet: Sheet
    seats: tuple[SeatResult, ...]
    changed: list[bool]
    sticks_changed: bool
    endings: list[tuple[str, str]]

    @property
    def cells(self) -> list[tuple[SeatResult, bool]]:
        return list(zip(self.seats, self.changed, strict=True))


def history(sheets: Sequence[Sheet], rules: Rules, *, late: Late = ()) -> list[Version]:
    """All versions, newest first, each with what it changed; ``late`` are the seats of late substitutes."""
    ordered = sorted(sheets, key=lambda sheet: sheet.version)
    found = []
    for before, sheet in zip([None, *ordered], ordered, strict=False):
        old = before.points if before else sheet.points
        changed = [a != b for a, b in zip(old, sheet.points, strict=True)]
        sticks_changed = before is not None and before.sticks != sheet.sticks
        endings = ending_words(sheet.ending, rules)
        found.append(Version(sheet, sheet.settled(rules, late=late), changed, sticks_changed, endings))
    return found[::-1]
