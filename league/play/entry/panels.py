"""Score sheets on pages: forms, previews, messages, versions.

A panel is plain data. A page has one for each of up to 200 tables, and as many form objects with their
widgets would be slow.
"""

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.messages import sheet_problem
from league.core.pages import page_before, press
from league.core.tags import PLACE_WORDS, score, score_class
from league.core.text import listed
from league.models import Competition, Round, Sheet
from league.people.members.queries import PlayerInfo
from league.play.entry.forms.sheets import (
    STICK,
    ApproveForm,
    SheetForm,
    chip_fields,
    ending_fields,
    fingerprint,
    in_hundreds,
)
from league.play.results.proposals import approve_sheets
from league.play.results.queries.tables import TableResult
from league.play.results.services import needs_reason
from league.play.results.words import approved_words, ending_words
from scoring.hanchan import Game
from scoring.rules import Rules
from scoring.settlement import Ending, Late, SeatResult
from scoring.units import WINDS


@dataclass(frozen=True)
class Input:
    """An input with what was typed. A choice has a label and options (value, words, chosen)."""

    name: str
    typed: str
    errors: list[str]
    wind: int = 0
    player: PlayerInfo | None = None
    label: str = ""
    options: Sequence[tuple[str, str, bool]] = ()


@dataclass(frozen=True)
class SheetPanel:
    """One table's sheet as a form. `errors` belong to no field. `sure` names warnings that need a tick.
    `result` is None for a slip of paper, on which each line's `label` is the name that was typed.
    """

    result: TableResult | None
    key: str
    based_on: int
    seated: str
    lines: list[Input]
    sticks: str
    sticks_errors: list[str]
    endings: list[Input]
    chips: list[Input]
    reason: str
    reason_errors: list[str]
    needs_reason: bool
    warnings: list[str]
    sure: str
    is_ticked: bool
    errors: list[str]

    @property
    def number(self) -> int:
        return self.result.table.number if self.result else 0

    @property
    def at(self) -> str:
        """Return the prefix of the slip's ids on its page."""
        return f"t{self.result.table.pk}" if self.result else "slip"

    @property
    def focus(self) -> str:
        """Return the input to focus: the tick, the first one with an error, or the first seat."""
        if self.sure and not self.is_ticked:
            return "sure"
        wrong = [line.name for line in self.lines if line.errors]
        wrong += ["sticks"] if self.sticks_errors else []
        wrong += [line.name for line in self.endings if line.errors]
        wrong += [line.name for line in self.chips if line.errors]
        wrong += ["reason"] if self.reason_errors else []
        return next(iter(wrong), WINDS[0])


def panel(
    result: TableResult, form: SheetForm | None = None, *, typed: Mapping[str, Any] | None = None
) -> SheetPanel:
    """Return the table's panel: empty, with what was `typed`, or with the errors of a form.

    A refused form is sent again based on the current sheet, because the refusal says what changed. A form
    with errors of its own keeps its base, so that no change goes unseen.
    """
    return _fill_panel(result, result.table.rules, form, typed or {})


def slip_panel(rules: Rules, form: SheetForm | None = None) -> SheetPanel:
    """Return the panel of a slip of paper: empty, or with the errors of a form."""
    return _fill_panel(None, rules, form, {})


def _fill_panel(
    result: TableResult | None, rules: Rules, form: SheetForm | None, typed: Mapping[str, Any]
) -> SheetPanel:
    form = form if form and form.is_bound else None
    typed = form.data if form else typed
    errors = {name: [str(error) for error in found] for name, found in form.errors.items()} if form else {}
    cleaned = dict(form.cleaned_data) if form and not form.is_refused else {}
    sitting = [seat.player_id for seat in result.sitting] if result else []
    warnings = form.warnings if form and not _has_wrong_numbers(form) else []
    return SheetPanel(
        result=result,
        key=str((form and form.cleaned_data.get("key")) or uuid.uuid4()),
        based_on=cleaned.get("based_on", result.seen if result else 0),
        seated="-".join(map(str, cleaned.get("seated") or sitting)),
        lines=[
            Input(
                name,
                typed.get(name, ""),
                errors.get(f"name_{name}", []) + errors.get(name, []),
                wind,
                result.players[wind] if result else None,
                typed.get(f"name_{name}", ""),
            )
            for wind, name in enumerate(WINDS)
        ],
        sticks=typed.get("sticks", "0"),
        sticks_errors=errors.get("sticks", []),
        endings=_fill_endings(rules, typed, errors),
        chips=_fill_chips(rules, typed, errors),
        reason=typed.get("reason", ""),
        reason_errors=errors.get("reason", []),
        needs_reason=bool(
            result and result.sheet and needs_reason(result.sheet, result.table.round.visibility)
        ),
        warnings=[sheet_problem(warning) for warning in warnings],
        sure=fingerprint(warnings),
        is_ticked="sure" not in errors,
        errors=_list_errors(form),
    )


def _fill_endings(rules: Rules, typed: Mapping[str, Any], errors: Mapping[str, list[str]]) -> list[Input]:
    inputs = []
    for name, field in ending_fields(rules).items():
        value = typed.get(name) or field.initial
        choices = cast("Sequence[tuple[str, str]]", field.choices)
        options = [(code, words, code == value) for code, words in choices]
        inputs.append(Input(name, value, errors.get(name, []), label=str(field.label), options=options))
    return inputs


def _fill_chips(rules: Rules, typed: Mapping[str, Any], errors: Mapping[str, list[str]]) -> list[Input]:
    return [
        Input(name, typed.get(name, ""), errors.get(name, []), wind)
        for wind, name in enumerate(chip_fields(rules))
    ]


def prefilled(result: TableResult) -> dict[str, str]:
    return as_typed(result.sheet.points, result.sheet.ending) if result.sheet else {}


def kept_by(game: Game | None) -> dict[str, str]:
    """Return the fields of a form with the end of the hands that a table kept, or none."""
    if game is None or not game.steps:
        return {}
    return as_typed(game.points, Ending(game.deposits, game.last_dealer))


def as_typed(points: Sequence[int], ending: Ending) -> dict[str, str]:
    """Return the fields of a form with these facts."""
    numbers = {name: in_hundreds(each) for name, each in zip(WINDS, points, strict=True)}
    named = {f"{WINDS[namer]}_named": str(target) for namer, target in ending.sashiuma}
    chips = {f"{wind}_chips": str(won) for wind, won in zip(WINDS, ending.chips, strict=True) if won}
    rest = {"last_dealer": str(ending.last_dealer), "sticks": str(ending.sticks // STICK)}
    return numbers | named | chips | rest


def _has_wrong_numbers(form: SheetForm) -> bool:
    """Unusual numbers need a tick only if no number is wrong."""
    numbers = (*WINDS, "sticks", *chip_fields(form.rules), NON_FIELD_ERRORS)
    return any(name in form.errors for name in numbers)


def _list_errors(form: SheetForm | None) -> list[str]:
    if form is None:
        return []
    errors = [str(error) for error in form.non_field_errors()]
    if any(name in form.errors for name in ("key", "based_on", "number", "seated")):
        errors.append(
            _("This page was incomplete or out of date. Your numbers are kept: check them and save again.")
        )
    return errors


# --- in the list of the round


@dataclass(frozen=True, slots=True)
class TableLine:
    """The key of two cached parts of a round's page. ``has_form``: the table still waits for its sheet.

    ``seated`` and ``typed`` (fields and values, as JSON) are what its form sends and what is in it.
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
    seated: str = ""
    typed: str = ""

    @property
    def lines(self) -> list[tuple[int, PlayerInfo | None, SeatResult | None]]:
        seats = self.seats or (None,) * 4
        return [(wind, self.players[wind], seats[wind]) for wind in range(4)]

    @property
    def has_sheet(self) -> bool:
        return self.status not in {"scheduled", "postponed"}

    @property
    def listed(self) -> SafeString:
        return _render("entry/_line.html", self)

    @property
    def saved(self) -> SafeString:
        return _render("entry/_saved.html", self)


def table_line(
    result: TableResult, competition: Competition, *, postponed: bool = False, game: Game | None = None
) -> TableLine:
    """Return the line of a table. ``game``: the hands that it kept, with which its form begins."""
    status = result.table.round.status
    is_open = status == Round.Status.OPEN or (postponed and status == Round.Status.CLOSED)
    has_form = is_open and result.sheet is None
    typed = kept_by(game) if has_form else {}
    return TableLine(
        language=get_language() or "",
        slug=competition.slug,
        counting=competition.counting,
        table=result.table.pk,
        number=result.table.number,
        status="postponed" if postponed else result.status,
        has_form=has_form,
        players=result.players,
        seats=result.seats,
        seated="-".join(str(seat.player_id) for seat in result.sitting) if has_form else "",
        typed=json.dumps(typed) if typed else "",
    )


@lru_cache(maxsize=2048)  # of 3 kB each: both parts of 400 tables in two languages
def _render(template: str, line: TableLine) -> SafeString:
    return render_to_string(template, {"line": line})


# --- while typing


def preview(seats: Sequence[SeatResult]) -> list[dict[str, object]]:
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
    return player.label if player else "–"


# --- approving


def press_approval(
    request: HttpRequest, access: Access, round_: Round, *, held: Collection[int] = (), back: str
) -> HttpResponse:
    """Approve the proposals of a form but the `held` ones, and name the tables of both."""
    form = ApproveForm(request.POST)
    return press(
        request,
        lambda sent: approve_sheets(
            round_=round_,
            proposals=form.ids(),
            held=held,
            despite_hands=form.accepts_difference,
            by=access.by,
            form=sent,
        ),
        form=form,
        about=("approve", round_.pk),
        done=approved_words,
        back=page_before(request, back),
    )


# --- its versions


def history(sheets: Sequence[Sheet], rules: Rules, *, late: Late = ()) -> list[dict[str, Any]]:
    """Return all versions, newest first, with marks for changed seats and deposits."""
    ordered = sorted(sheets, key=lambda sheet: sheet.version)
    return [
        {
            "sheet": sheet,
            "cells": [
                (seat, before is not None and points != before.points[seat.wind])
                for seat, points in zip(sheet.settled(rules, late=late), sheet.points, strict=True)
            ],
            "sticks_changed": before is not None and before.sticks != sheet.sticks,
            "endings": ending_words(sheet.ending, rules),
        }
        for before, sheet in zip([None, *ordered], ordered, strict=False)
    ][::-1]
