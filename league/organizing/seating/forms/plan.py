"""Forms for a plan: method, rounds, players, tables, preferences, the organizer's own plan."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.files.list_forms import ListFields, ListTextField, ReadingFields
from league.core.forms import DespiteFields, KeyedForm, from_model, number_field
from league.core.text import listed, spans
from league.models import Competition, Round, Stage
from league.models.stages import MOST_PLANNED
from league.organizing.seating.forms.by_hand import seat_labels
from league.organizing.seating.imports.plan import BroughtPlan, numbers_of, place_players, read_plan
from league.organizing.seating.imports.rows import read_names
from league.organizing.seating.imports.words import MOST_TABLE
from league.organizing.seating.queries.seating import (
    BY_RANK,
    CLOSE,
    FEW,
    HALVES,
    INTERVAL,
    LOTS,
    LOWEST,
    PLAN,
    RANDOM,
    RANK,
    SCHEDULE,
    SIT_OUT,
    SUBSTITUTES,
    SWISS,
    PlanRequest,
    SeatingFacts,
)
from league.people.members.queries import Candidate, Finder
from players.files import Text, Unreadable
from scoring.seating.checker import SEATS
from scoring.seating.schedule import MOST_ROUNDS
from scoring.units import decimal_text, parse_score

MOST_SCORE = 10_000  # tenths
FIRST_ROUNDS = 10  # clubs can be kept apart up to this round, or in all

METHOD_WORDS = [
    (SCHEDULE, _("Whole schedule: all rounds at once, with as few repeated meetings as possible")),
    (SWISS, _("Swiss: next round only, few repeated meetings, then neighbours in the standings")),
    (RANK, _("By rank: 1 to 4 at the first table, 5 to 8 at the second, …")),
    (INTERVAL, _("Interval: leaders at different tables")),
    (RANDOM, _("Random, with as few repeated meetings as possible")),
    (LOTS, _("Random draw, repeat meetings allowed")),
    (PLAN, _("Your own plan, from a file or pasted")),
]
WEIGHS_WORDS = [
    (FEW, _("few repeated meetings, then similar ranks")),
    ("fewer", _("few repeated meetings, with closer ranks")),
    ("both", _("some repeated meetings for closer ranks")),
    ("closer", _("more repeated meetings for still closer ranks")),
    (CLOSE, _("similar ranks, then few repeated meetings")),
]
BY_LIST, DRAWN = "list", "drawn"
NUMBERS_WORDS = [
    (BY_LIST, _("Numbers of the list: the first player entered has the first number")),
    (DRAWN, _("Drawn: each player gets a random number")),
]
COLUMN_WORDS = {
    "": _("not used"),
    "round": _("Round"),
    "table": _("Table"),
    "player": _("Player"),
    "wind": _("Wind"),
    "east": pgettext_lazy("wind", "East"),
    "south": pgettext_lazy("wind", "South"),
    "west": pgettext_lazy("wind", "West"),
    "north": pgettext_lazy("wind", "North"),
    "four": _("Four players of a table"),
    "across": _("Players or seats of one round"),
}
MOST_SPREAD = 12  # tables
PLANNED_WORDS = {
    True: _(
        "Required. Include rounds already played. Before the last round, the plan saves some "
        "meetings for later rounds."
    ),
    False: _(
        "Leave empty if not fixed. Before the last round, the plan saves some meetings for later rounds."
    ),
}
ONE_ROUND = frozenset({*BY_RANK, RANDOM, LOTS})


def _apart_choices() -> list[tuple[str, str]]:
    first = [
        (str(n), ngettext("in the first round", "in the first %(count)s rounds", n) % {"count": n})
        for n in range(1, FIRST_ROUNDS + 1)
    ]
    return [("", gettext("allowed")), ("0", gettext("in every round")), *first]


def _spread_choices() -> list[tuple[str, str]]:
    said = gettext("over %(count)s tables: ranks %(ranks)s meet")
    steps = [
        (str(n), said % {"count": n, "ranks": listed(1 + seat * n for seat in range(SEATS))})
        for n in range(2, MOST_SPREAD + 1)
    ]
    halves = gettext("over each half of the players: winners and losers")
    return [("", gettext("over all tables")), (HALVES, halves), *steps]


def _lines(label: Any, help_text: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=20_000,
        strip=False,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "autocapitalize": "off"}),
    )


class NotTicked(forms.CheckboxSelectMultiple):
    """The players whom the page `offered` to tick as playing, without those who are ticked.

    A player who was added since the page was rendered is not one of them.
    """

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        ticked = set(super().value_from_datadict(data, files, "plays") or [])
        return [player for player in data.get("offered", "").split(",") if player not in ticked]


class Ticks(forms.MultipleChoiceField):
    """Players. A player who left since the page was rendered is ignored."""

    def validate(self, value: list[str]) -> None:
        pass


class AskForm(ReadingFields, ListFields, DespiteFields):
    """The request for a plan. ``seen`` names the draft that it replaces.

    ``brought``: the organizer's own plan as it was read. ``read_text``: its text.
    """

    FIRST_ROW = _("belongs to the plan")

    method = forms.ChoiceField(label=_("Method"), choices=METHOD_WORDS, widget=forms.RadioSelect)
    first = forms.ChoiceField(label=_("First round"), required=False)
    rounds = number_field(_("Number of rounds"), 1, MOST_ROUNDS)
    planned = number_field(_("Total rounds of this stage"), 1, MOST_PLANNED)
    spread = forms.ChoiceField(label=_("Spread leaders"), required=False)
    file = forms.FileField(
        label=_("Plan from a file"),
        required=False,
        help_text=_("A workbook (.xlsx, .xls, .ods), CSV, text, HTML or JSON, at most 5 MB."),
    )
    text = ListTextField(
        label=_("Or paste the plan"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "wrap": "off"}),
        help_text=_(
            "One table per line, East first, with an empty line between rounds: names, keys, or numbers from "
            "1, for example 1-2-3-4. With headings also by round and table, by player, or one round per row. "
            "Tables of spreadsheets, web pages and Markdown, JSON and lists of Python are read too."
        ),
    )
    numbers = forms.ChoiceField(
        label=_("Numbers in the plan"),
        choices=NUMBERS_WORDS,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Only for a plan with numbers instead of names."),
    )
    out = Ticks(required=False, widget=NotTicked)
    fill = forms.ChoiceField(
        label=_("If players do not fill the tables"), required=False, widget=forms.RadioSelect
    )
    sit_out = from_model(Stage, "sit_out", required=False)
    sit_out_score = forms.CharField(
        label=_("Fixed score"),
        required=False,
        max_length=12,
        help_text=_("At most one decimal, for example 15 or -2.5."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    tables = forms.CharField(
        label=_("Available tables"),
        required=False,
        max_length=2_000,
        help_text=_("Numbers, for example 1-8, 10. Leave empty to use as many as needed, from 1."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    clubs = forms.ChoiceField(label=_("Keep clubmates apart"), required=False)
    countries = forms.ChoiceField(label=_("Keep players of the same country apart"), required=False)
    forbidden = _lines(
        _("Must not meet"), _("One group per line: two or more names or keys separated by commas.")
    )
    wished = _lines(_("Should meet at least once"), _("Same format as above."))
    fixed = _lines(
        _("Fixed tables"),
        _(
            "One player per line, then the table, for example 陳大文, 3. Useful for streaming or wheelchair "
            "access."
        ),
    )
    unfinished = forms.BooleanField(
        label=_("Seat by the current results, although some are missing"), required=False
    )
    seed = number_field(
        _("Seed of the draw"),
        0,
        2**31 - 1,
        help_text=_("The same seed gives the same seating. Leave empty to draw a seed."),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    said = ""  # about the plan, once it is saved
    brought: BroughtPlan | None = None
    read_text = Text("")

    def __init__(
        self,
        *args: Any,
        facts: SeatingFacts,
        people: Mapping[int, Candidate],
        before: PlanRequest | None,
        absent: Collection[int] | None = None,
        first: int | None,
        rounds: int,
        seed: int,
        **kwargs: Any,
    ) -> None:
        """``absent``: players missing from the attendance list, None without a list."""
        self.absent = absent
        self.facts, self.people, self._seed = facts, people, seed
        self._weighs = before.weighs if before else FEW
        self.labels = seat_labels(each.info for each in people.values())
        initial = self._wishes(before) | self._rest(before, first, rounds)
        super().__init__(*args, **kwargs | {"initial": initial | kwargs.get("initial", {})})
        self.fields["planned"].help_text = PLANNED_WORDS[self._needs_planned]
        self.offer(
            first=self._first_rounds(),
            out=[(str(player), self.labels[player]) for player in facts.pool],
            fill=self._fill_choices(),
            spread=_spread_choices(),
            clubs=_apart_choices(),
            countries=_apart_choices(),
        )

    def _first_rounds(self) -> list[tuple[str, str]]:
        found = [
            (str(each.round.pk), self._round_words(each.round.number, bool(each.tables)))
            for each in self.facts.rounds
            if each.round.status != Round.Status.CLOSED and not each.sheets
        ]
        if any(not each.tables for each in self.facts.rounds if each.round.status == Round.Status.PLANNED):
            return found
        last = max((each.round.number for each in self.facts.rounds), default=0)
        return [*found, ("", gettext("%(number)s (new)") % {"number": last + 1})]

    def _round_words(self, number: int, seated: bool) -> str:
        if seated:
            return gettext("%(number)s (already seated, will be replaced)") % {"number": number}
        return str(number)

    def _fill_choices(self) -> list[tuple[str, str]]:
        count = len(self.facts.reserves)
        there = ngettext("%(count)s available", "%(count)s available", count) % {"count": count}
        return [
            (SUBSTITUTES, gettext("substitutes fill the last table (%(there)s)") % {"there": there}),
            (SIT_OUT, gettext("extra players sit out in turn")),
            (LOWEST, gettext("the lowest-ranked of those whose turn it is sit out (Swiss)")),
        ]

    def _wishes(self, before: PlanRequest | None) -> dict[str, Any]:
        if before is None:
            return {}
        there = self.labels
        fixed = [f"{there[p]}, {table}" for p, table in before.fixed.items() if p in there]
        return {
            "clubs": "" if before.clubs is None else str(before.clubs),
            "countries": "" if before.countries is None else str(before.countries),
            "forbidden": self._pair_lines(before.forbidden),
            "wished": self._pair_lines(before.wished),
            "fixed": "\n".join(fixed),
            "tables": ", ".join(spans(before.tables, dash="-")),
        }

    def _pair_lines(self, pairs: Iterable[tuple[int, int]]) -> str:
        known = [pair for pair in sorted(pairs) if set(pair) <= self.labels.keys()]
        return "\n".join(", ".join(self.labels[player] for player in pair) for pair in known)

    def _rest(self, before: PlanRequest | None, first: int | None, rounds: int) -> dict[str, Any]:
        stage, facts = self.facts.stage, self.facts
        seated = any(each.tables for each in facts.rounds)
        out = self.absent if self.absent is not None else before.out if before else ()
        short = -len([p for p in facts.pool if p not in facts.banned]) % SEATS
        return {
            "method": before.method if before and before.method != PLAN else SWISS if seated else SCHEDULE,
            "first": "" if first is None else str(first),
            "rounds": rounds,
            "planned": facts.planned_rounds,
            "spread": before.spread if before else "",
            "out": [str(p) for p in facts.pool if p in facts.banned or p in out],
            "fill": SUBSTITUTES if short and len(facts.reserves) >= short else SIT_OUT,
            "sit_out": stage.sit_out,
            "sit_out_score": decimal_text(stage.sit_out_score),
        }

    # --- read

    def clean_tables(self) -> tuple[int, ...]:
        found: set[int] = set()
        for part in re.split(r"[,，、;；\s]+", self.cleaned_data["tables"].strip()):
            if not part:
                continue
            match = re.fullmatch(r"([0-9]{1,4})(?:[-–—~]([0-9]{1,4}))?", part, re.ASCII)
            first, last = match.groups() if match else ("0", "0")
            low, high = int(first), int(last or first)
            if not 1 <= low <= high <= MOST_TABLE:
                raise ValidationError(
                    _("“%(text)s” is not a table number. Enter numbers such as 1-8, 10."),
                    params={"text": part[:40]},
                )
            found.update(range(low, high + 1))
        return tuple(sorted(found))

    def clean_sit_out_score(self) -> int:
        text = self.cleaned_data["sit_out_score"].strip()
        try:
            tenths = parse_score(text) if text else 0
        except ValueError:
            tenths = MOST_SCORE + 1
        if abs(tenths) > MOST_SCORE:
            raise ValidationError(_("Enter a score with at most one decimal, for example 15 or -2.5."))
        return tenths

    def clean_out(self) -> frozenset[int]:
        ticked = set(self.cleaned_data["out"])
        return frozenset(player for player in self.facts.pool if str(player) in ticked)

    def clean_forbidden(self) -> frozenset[tuple[int, int]]:
        return self._read_pairs("forbidden")

    def clean_wished(self) -> frozenset[tuple[int, int]]:
        return self._read_pairs("wished")

    def _read_pairs(self, name: str) -> frozenset[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        finder = Finder(self.people)
        for cells in self._read_lines(name):
            if len(cells) < 2:
                raise ValidationError(
                    _("“%(text)s” is alone. Enter at least two names per line."),
                    params={"text": cells[0][:80]},
                )
            players = sorted({finder.find(cell) for cell in cells})
            found.update(combinations(players, 2))
        return frozenset(found)

    def clean_fixed(self) -> dict[int, int]:
        found: dict[int, int] = {}
        finder = Finder(self.people)
        for cells in self._read_lines("fixed"):
            table = cells[-1]
            if len(cells) != 2 or not re.fullmatch(r"[0-9]{1,4}", table, re.ASCII) or not int(table):
                raise ValidationError(
                    _("“%(text)s”: enter a name, a comma and a table number."),
                    params={"text": ", ".join(cells)[:80]},
                )
            player, _table = cells
            found[finder.find(player)] = int(table)
        return found

    def _read_lines(self, name: str) -> Iterator[list[str]]:
        for line in self.cleaned_data[name].splitlines():
            cells = [cell for cell in read_names(line.replace(":", ",").replace("：", ",")) if cell]
            if cells:
                yield cells

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        method = cleaned.get("method")
        if method == SCHEDULE and not cleaned.get("rounds") and "rounds" not in self.errors:
            self.add_error("rounds", gettext("Enter the number of rounds."))
        if method == SWISS and "planned" not in self.errors:
            self._check_planned(cleaned)
        if method and method != SWISS and cleaned.get("fill") == LOWEST:
            self.add_error("fill", gettext("Only a Swiss round lets the lowest-ranked sit out."))
        if not self.errors:
            if cleaned["seed"] is not None:
                self._seed = cleaned["seed"]
            try:
                self.asked = self._read_request()
            except ValidationError as error:
                self.add_error("text", error)
        return cleaned

    @property
    def _needs_planned(self) -> bool:
        return self.facts.stage.competition.kind == Competition.Kind.EVENT

    def _check_planned(self, cleaned: Mapping[str, Any]) -> None:
        planned, first = cleaned.get("planned"), cleaned.get("first")
        (target,) = self.facts.targets(int(first) if first else None, 1)
        if planned is None and self._needs_planned:
            self.add_error("planned", gettext("Enter the total number of rounds of this stage."))
        elif planned is not None and planned < target.number:
            said = gettext("The total must be at least %(number)s, the round being seated.")
            self.add_error("planned", said % {"number": target.number})

    def values(self) -> dict[str, Any]:
        return {
            "asked": self.asked,
            "seed": self._seed,
            "seen": self.cleaned_data["seen"],
            "sitting_out": self._sitting_out(),
        }

    def _read_request(self) -> PlanRequest:
        """Build the request. Raises ``ValidationError`` if the organizer's own plan cannot be read."""
        typed = self.cleaned_data
        method = typed["method"]
        clubs, countries = typed["clubs"], typed["countries"]
        asked = PlanRequest(
            method=method,
            rounds=1 if method in ONE_ROUND else typed["rounds"] or 1,
            first=int(typed["first"]) if typed["first"] else None,
            planned=typed["planned"] if method == SWISS else None,
            weighs=self._weighs,
            spread=typed["spread"],
            out=typed["out"],
            fill=typed["fill"] or SIT_OUT,
            tables=typed["tables"],
            clubs=int(clubs) if clubs else None,
            countries=int(countries) if countries else None,
            forbidden=typed["forbidden"],
            wished=typed["wished"],
            fixed=typed["fixed"],
            unfinished=typed["unfinished"],
            despite=self.in_spite,
        )
        return self._with_plan(asked) if method == PLAN else asked

    @property
    def is_to_check(self) -> bool:
        """Return whether the page shows how a plan was read: at first, and if that is asked for."""
        is_new = "shown" not in self.data or "check" in self.data or self.cleaned_data["file"]
        return self.brought is not None and bool(is_new)

    def _with_plan(self, asked: PlanRequest) -> PlanRequest:
        self.brought = brought = self._read_plan()
        if brought.problems:
            raise ValidationError([*brought.problems])
        plan = brought.rounds
        numbers, choice = numbers_of(plan, self.people), self.cleaned_data["numbers"]
        if numbers and not choice:
            self.add_error("numbers", self._ask_for_numbers(numbers))
            return asked
        if numbers and not numbers.start:
            self.said = gettext("The numbers of this plan begin at 0.")
        seed = None if choice == BY_LIST else self._seed
        playing = self.facts.playing(asked)
        given, order = place_players(plan, self.people, playing, tables=asked.tables, seed=seed)
        return replace(asked, rounds=len(given), given=given, order=order)

    def _read_plan(self) -> BroughtPlan:
        """Read the file, or the text as was chosen, and put what was read into the form."""
        data = cast("QueryDict", self.data).copy()
        chosen: dict[str, Any] = {**self.reading(), "said": data.getlist("columns")}
        try:
            self.read_text = self.read()
        except Unreadable as error:
            raise ValidationError(str(error)) from error
        if self.cleaned_data["file"]:
            chosen = {}
            data["read_as"] = self.read_text.encoding if self.read_text.guessed else ""
        plan = read_plan(self.read_text.text, **chosen)
        self.offer_parts(plan.sheet, plan.sheets, plan.separators)
        data["text"] = self.read_text.text
        data["sheet"], data["separator"] = plan.sheet, next(iter(plan.separators), "")
        data.setdefault("has_headings", "unknown")
        self.data = data
        return plan

    def _ask_for_numbers(self, numbers: range) -> str:
        said = gettext("This plan has numbers from %(first)s to %(last)s. Choose whose numbers they are.")
        return said % {"first": numbers.start, "last": numbers.stop - 1}

    def _sitting_out(self) -> tuple[str, int] | None:
        sit_out = self.cleaned_data["sit_out"]
        if not sit_out:
            return None
        fixed = sit_out == Stage.SitOut.FIXED
        return sit_out, self.cleaned_data["sit_out_score"] if fixed else 0


class SearchForm(forms.Form):
    ON, STOP, LONGER, AGAIN, WEIGH = "on", "stop", "longer", "again", "weigh"

    do = forms.ChoiceField(choices=[(each, each) for each in (ON, STOP, LONGER, AGAIN, WEIGH)])
    weighs = forms.ChoiceField(choices=WEIGHS_WORDS, required=False)
    seed = number_field(_("Seed of the draw"), 0, 2**31 - 1)


class NumbersForm(forms.Form):
    """The numbers drawn in the hall. Players without a number get the remaining ones."""

    def __init__(self, *args: Any, players: Mapping[int, str], numbers: Mapping[int, int]) -> None:
        super().__init__(*args)
        for player, name in players.items():
            self.fields[f"n{player}"] = forms.IntegerField(
                label=name,
                required=False,
                initial=numbers.get(player),
                min_value=1,
                max_value=len(players),
                widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 4}),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        seen: dict[int, str] = {}
        for field, number in list(cleaned.items()):
            if number is None:
                continue
            first = seen.setdefault(number, field)
            if first != field:
                said = gettext("%(name)s has this number. Each number is drawn once.")
                self.add_error(field, said % {"name": self.fields[first].label})
        return cleaned

    @property
    def numbers(self) -> dict[int, int]:
        return {int(field[1:]): n for field, n in self.cleaned_data.items() if n is not None}


class AcceptForm(KeyedForm):
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
