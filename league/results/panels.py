"""A table's sheet on a page: a form with what was typed, two sheets side by side, its history.

A panel is plain data, not a form: a page holds one for every table of the round, two hundred at a large
event, and a form object with its widgets for each would make the page slow.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.messages import sheet_problem
from league.core.text import listed
from league.models import Competition, Round, Sheet
from league.people.queries import PlayerInfo
from league.results.forms import (
    STICK,
    SheetForm,
    SlipForm,
    chip_fields,
    ending_fields,
    fingerprint,
    in_hundreds,
)
from league.results.services import needs_reason
from league.results.words import ending_words
from league.rounds.queries import TableResult
from league.templatetags.umaoka import PLACE_WORDS, score, score_class
from scoring.rules import Rules
from scoring.settlement import Late, SeatResult
from scoring.units import WINDS


@dataclass(frozen=True)
class SeatInput:
    """One seat of a panel: `name` is the input's, `typed` its value."""

    wind: int
    name: str
    player: PlayerInfo | None
    typed: str
    errors: list[str]


@dataclass(frozen=True)
class EndingInput:
    """A choice about how the hanchan ended: the options as (value, words, chosen)."""

    name: str
    label: str
    options: list[tuple[str, str, bool]]
    errors: list[str]


@dataclass(frozen=True)
class ChipsInput:
    """The chips of a seat."""

    wind: int
    name: str
    typed: str
    errors: list[str]


@dataclass(frozen=True)
class SheetPanel:
    """One table's sheet to type in. `errors` belong to no field; `sure` names warnings that need a tick."""

    result: TableResult
    key: str
    based_on: int
    seated: str
    lines: list[SeatInput]
    sticks: str
    sticks_errors: list[str]
    endings: list[EndingInput]
    chips: list[ChipsInput]
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
        wrong += [line.name for line in self.chips if line.errors]
        wrong += ["reason"] if self.reason_errors else []
        return (wrong or [WINDS[0]])[0]


def panel(
    result: TableResult, form: SheetForm | None = None, *, typed: Mapping[str, Any] | None = None
) -> SheetPanel:
    """The table's panel: empty, with what was `typed`, or that of a form that was sent, with what is wrong.

    After a refusal by the service, which says what changed, the next attempt is based on what is there now.
    A form with a slip keeps what it was based on, so that no change goes unseen.
    """
    form = form if form and form.is_bound else None
    typed = form.data if form else typed or {}
    errors = {name: [str(error) for error in found] for name, found in form.errors.items()} if form else {}
    kept = dict(form.cleaned_data) if form and not form.is_refused else {}
    seated = kept.get("seated") or [seat.player_id for seat in result.sitting]
    rules = result.table.round.stage.division.rules
    warnings = form.warnings if form and not _has_wrong_numbers(form) else []
    return SheetPanel(
        result=result,
        key=str((form and form.cleaned_data.get("key")) or uuid.uuid4()),
        based_on=kept.get("based_on", result.seen),
        seated="-".join(map(str, seated)),
        lines=[
            SeatInput(wind, name, result.players[wind], typed.get(name, ""), errors.get(name, []))
            for wind, name in enumerate(WINDS)
        ],
        sticks=typed.get("sticks", "0"),
        sticks_errors=errors.get("sticks", []),
        endings=_fill_endings(rules, typed, errors),
        chips=_fill_chips(rules, typed, errors),
        reason=typed.get("reason", ""),
        reason_errors=errors.get("reason", []),
        needs_reason=result.sheet is not None and needs_reason(result.sheet, result.table.round.visibility),
        warnings=[sheet_problem(warning) for warning in warnings],
        sure=fingerprint(warnings),
        ticked="sure" not in errors,
        errors=_list_errors(form),
    )


def _fill_endings(
    rules: Rules, typed: Mapping[str, Any], errors: Mapping[str, list[str]]
) -> list[EndingInput]:
    found = []
    for field in ending_fields(rules):
        value = typed.get(field.name) or field.unsaid
        options = [(code, words, code == value) for code, words in field.choices]
        found.append(EndingInput(field.name, field.label, options, errors.get(field.name, [])))
    return found


def _fill_chips(rules: Rules, typed: Mapping[str, Any], errors: Mapping[str, list[str]]) -> list[ChipsInput]:
    return [
        ChipsInput(wind, name, typed.get(name, ""), errors.get(name, []))
        for wind, name in enumerate(chip_fields(rules))
    ]


def prefilled(result: TableResult) -> dict[str, str]:
    """The current sheet as a person would type it."""
    sheet = result.sheet
    if sheet is None:
        return {}
    numbers = {name: in_hundreds(points) for name, points in zip(WINDS, sheet.points, strict=True)}
    _sticks, last_dealer, named, chips = sheet.ending
    ending = {"last_dealer": str(last_dealer)} | {f"{WINDS[seat]}_named": str(n) for seat, n in named.items()}
    ending |= {f"{wind}_chips": str(number) for wind, number in zip(WINDS, chips, strict=True) if number}
    return numbers | ending | {"sticks": str(sheet.sticks // STICK)}


def _has_wrong_numbers(form: SheetForm) -> bool:
    """True while numbers are wrong: only then unusual ones ask for a tick."""
    numbers = (*WINDS, "sticks", *chip_fields(form.rules), NON_FIELD_ERRORS)
    return any(name in form.errors for name in numbers)


def _list_errors(form: SheetForm | None) -> list[str]:
    if form is None:
        return []
    found = [str(error) for error in form.non_field_errors()]
    if any(name in form.errors for name in ("key", "based_on", "number", "seated")):
        found.append(
            _("This page was incomplete or out of date. Your numbers are kept: check them and save again.")
        )
    return found


# --- a slip of paper


@dataclass(frozen=True)
class SlipLine:
    """A seat of a slip: who sat there, as it was typed, and their points."""

    wind: int
    name: str
    who: str
    points: str
    errors: list[str]


@dataclass(frozen=True)
class SlipPanel:
    """A slip to type in; ``table``: the id of the one that waits for it; ``at`` tells several slips apart."""

    at: str
    table: str
    key: str
    lines: list[SlipLine]
    sticks: str
    endings: list[EndingInput]
    chips: list[ChipsInput]
    warnings: list[str]
    sure: str
    errors: list[str]


def slip_panel(
    rules: Rules, form: SlipForm | None = None, *, table: int | None = None, names: Sequence[str] = ("",) * 4
) -> SlipPanel:
    """An empty slip for these ``names``, or that of a form that was sent, with what is wrong."""
    form = form if form and form.is_bound else None
    typed = form.data if form else {f"name_{wind}": who for wind, who in zip(WINDS, names, strict=True)}
    errors = {name: [str(error) for error in found] for name, found in form.errors.items()} if form else {}
    warnings = form.warnings if form and not _has_wrong_numbers(form) else []
    return SlipPanel(
        at=f"t{table}" if table else "slip",
        table=typed.get("table", str(table or "")),
        key=str((form and form.cleaned_data.get("key")) or uuid.uuid4()),
        lines=[
            SlipLine(
                number,
                wind,
                typed.get(f"name_{wind}", ""),
                typed.get(wind, ""),
                errors.get(f"name_{wind}", []) + errors.get(wind, []),
            )
            for number, wind in enumerate(WINDS)
        ],
        sticks=typed.get("sticks", "0"),
        endings=_fill_endings(rules, typed, errors),
        chips=_fill_chips(rules, typed, errors),
        warnings=[sheet_problem(warning) for warning in warnings],
        sure=fingerprint(warnings),
        errors=[*_list_errors(form), *errors.get("sticks", []), *errors.get("sure", [])],
    )


# --- in the list of the round


@dataclass(frozen=True, slots=True)
class TableLine:
    """All that a page shows of a table in the list of its round, and in the place of its form once it has a
    sheet: what is made of it is kept. ``has_form``: a sheet can be typed for it.
    """

    language: str
    slug: str
    counting: str
    table: int
    number: int
    status: str
    has_form: bool
    players: tuple[PlayerInfo | None, ...]
    seats: tuple[SeatResult, ...]

    @property
    def lines(self) -> list[tuple[int, PlayerInfo | None, SeatResult | None]]:
        """(wind, player, settled seat) of the four seats."""
        seats = self.seats or (None,) * 4
        return [(wind, self.players[wind], seats[wind]) for wind in range(4)]

    @property
    def has_sheet(self) -> bool:
        return self.status != "scheduled"

    @property
    def listed(self) -> SafeString:
        return _render("results/_line.html", self)

    @property
    def saved(self) -> SafeString:
        return _render("results/_saved.html", self)


def table_line(result: TableResult, competition: Competition) -> TableLine:
    is_open = result.table.round.status == Round.Status.OPEN
    return TableLine(
        language=get_language() or "",
        slug=competition.slug,
        counting=competition.counting,
        table=result.table.pk,
        number=result.table.number,
        status=result.status,
        has_form=is_open and result.sheet is None,
        players=result.players,
        seats=result.seats,
    )


@lru_cache(maxsize=2048)  # of 3 kB each: both parts of 400 tables in two languages
def _render(template: str, line: TableLine) -> SafeString:
    return render_to_string(template, {"line": line})


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


# --- after saving


def saved_sentence(result: TableResult, sheet: Sheet, rules: Rules) -> str:
    """Table, names, places and scores, best place first."""
    seats = sorted(sheet.settled(rules, late=result.late), key=lambda seat: (seat.place, seat.wind))
    lines = listed(
        _("%(place)s. %(name)s %(score)s")
        % {"place": seat.place, "name": _name(result.players[seat.wind]), "score": score(seat.score)}
        for seat in seats
    )
    sentence = (
        _("Table %(table)s saved: %(lines)s")
        if sheet.version == 1
        else _("Table %(table)s corrected: %(lines)s")
    )
    return sentence % {"table": result.table.number, "lines": lines}


def _name(player: PlayerInfo | None) -> str:
    return player.name if player else "–"


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


def compare_seats(result: TableResult, mine: Sequence[int], saved: Sheet) -> list[ComparedSeat]:
    return [ComparedSeat(w, result.players[w], mine[w], saved.points[w]) for w in range(4)]


@dataclass(frozen=True)
class SheetVersion:
    """One version of a table's sheet; `changed` marks the seats that the version before had otherwise."""

    sheet: Sheet
    seats: tuple[SeatResult, ...]
    changed: list[bool]
    sticks_changed: bool
    endings: list[tuple[str, str]]

    @property
    def cells(self) -> list[tuple[SeatResult, bool]]:
        return list(zip(self.seats, self.changed, strict=True))


def history(sheets: Sequence[Sheet], rules: Rules, *, late: Late = ()) -> list[SheetVersion]:
    """All versions, newest first, each with what it changed; ``late`` are the seats of late substitutes."""
    ordered = sorted(sheets, key=lambda sheet: sheet.version)
    found = []
    for before, sheet in zip([None, *ordered], ordered, strict=False):
        old = before.points if before else sheet.points
        changed = [a != b for a, b in zip(old, sheet.points, strict=True)]
        sticks_changed = before is not None and before.sticks != sheet.sticks
        endings = ending_words(sheet.ending, rules)
        found.append(SheetVersion(sheet, sheet.settled(rules, late=late), changed, sticks_changed, endings))
    return found[::-1]
