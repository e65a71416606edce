"""The offences on the referee's phone, and the sanction of each for a player.

A *case* is one condition of an offence with the sanction that follows from the player's record. The page that
logs holds the cases of all four players, so that it needs no network until it sends a penalty.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.messages import in_language
from league.core.search import holds_words, matches, pieces
from league.core.text import clauses, listed
from league.core.zones import day_of_play, zone_of
from league.models import Competition, Penalty
from league.referees.penalties.queries.referee import earlier
from league.rules.penalty_rules.words.at_table import at_table
from league.rules.penalty_rules.words.catalogues import deduction_words, searched, searched_conditions
from league.rules.penalty_rules.words.rulings import PenaltyRules, Ruling, level_name, offence_name
from scoring.escalation import Act, Sanction, same_before
from scoring.infractions import Level
from scoring.units import decimal_text

Typed = Mapping[str, str]  # the inputs of a form with errors, by name

STEP: Final = 10  # tenths between two buttons of a range
MOST_BUTTONS: Final = 13
MOST_NEAREST: Final = 5
NEAREST_SHARE: Final = 0.4  # of the nearest offence's score

# --- the offences


@dataclass(frozen=True)
class OffenceChoice:
    """An offence to choose. A search finds it by ``search``, and after others by its ``conditions``."""

    code: str
    name: str
    search: str
    conditions: str
    address: str

    @property
    def text(self) -> str:
        return f"{self.search} {self.conditions}"


def offence_choices(
    rules: PenaltyRules, address: Callable[[str], str]
) -> list[tuple[str, list[OffenceChoice]]]:
    return [
        (
            heading,
            [
                OffenceChoice(
                    code=entry.code,
                    name=in_language(entry.names),
                    search=searched(entry),
                    conditions=searched_conditions(entry),
                    address=address(entry.code),
                )
                for entry in entries
            ],
        )
        for heading, entries in rules.by_category()
    ]


def is_match(asked: str, choice: OffenceChoice) -> bool:
    return matches(asked, choice.text)


def find_offences(asked: str, choices: Collection[OffenceChoice]) -> list[OffenceChoice]:
    """Return the offences that hold all words, those named so first, or the nearest if none holds them.

    `static/js/penalty.js` does the same.
    """
    found = [choice for choice in choices if is_match(asked, choice)]
    if not found:
        return _nearest(asked, choices)
    return sorted(found, key=lambda it: (not matches(asked, it.search), not holds_words(asked, it.search)))


def _nearest(asked: str, choices: Collection[OffenceChoice]) -> list[OffenceChoice]:
    """Return the offences that share the most pieces with the words. Rare pieces weigh more."""
    scores: dict[str, float] = {}
    for piece in pieces(asked):
        holding = [choice.code for choice in choices if piece in choice.text]
        for code in holding:
            scores[code] = scores.get(code, 0) + 1 / len(holding)
    least = NEAREST_SHARE * max(scores.values(), default=0)
    near = [choice for choice in choices if scores.get(choice.code, -1) >= least]
    return sorted(near, key=lambda it: -scores[it.code])[:MOST_NEAREST]


def offence_title(rules: PenaltyRules, code: str) -> str:
    entry = rules.catalogue.infractions.get(code) if rules.catalogue else None
    return offence_name(entry) if entry else ""


# --- what is taken off


PER_UNIT: Final[Mapping[str, Promise]] = {
    "tile": gettext_lazy("%(deduction)s per tile"),
    "minute": gettext_lazy("%(deduction)s per minute"),
}


class Choice(NamedTuple):
    value: object
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class Taking:
    """The deduction that the rules name, and the inputs that choose within it.

    ``buttons`` send a score without a sign. ``open``: a number can be typed, because the rules name none
    (``named`` is False) or the range is too wide. ``typed`` is the number so far.
    """

    name: str
    words: str
    buttons: tuple[Choice, ...] = ()
    open: bool = False
    typed: str = ""
    named: bool = True


def taking(key: str, amounts: tuple[int, int] | None, typed: Typed, *, unit: str = "") -> Taking:
    """Offer the deductions between two amounts (tenths): buttons in steps of 1.0, or a number to type."""
    name = f"amount-{key}"
    text = typed.get(name, "")
    if amounts is None:
        return Taking(name, _("The rules give no deduction."), open=True, typed=text, named=False)
    least, most = amounts
    words = deduction_words(amounts) or _("No deduction")
    if unit and most:
        return Taking(name, str(PER_UNIT[unit]) % {"deduction": words}, open=least != most, typed=text)
    values = [decimal_text(tenths) for tenths in ([*range(least, most, STEP), most] if least < most else [])]
    if len(values) > MOST_BUTTONS:
        return Taking(name, words, open=True, typed=text)
    pressed = text if text in values else next(iter(values), "")
    return Taking(name, words, tuple(Choice(v, v.removesuffix(".0"), v == pressed) for v in values))


@dataclass(frozen=True)
class LevelChoice:
    code: str
    name: str
    taking: Taking
    is_chosen: bool
    waits: bool


def level_choices(
    rules: PenaltyRules, key: str, typed: Typed, chosen_code: str, *, waits_from: str
) -> list[LevelChoice]:
    """Return all levels. Their inputs begin with ``key``. ``waits_from``: the chief referee's lowest."""
    return [
        LevelChoice(
            code=code,
            name=in_language(level.names),
            taking=taking(f"{key}{number}", rules.amounts((code,)), typed),
            is_chosen=code == chosen_code,
            waits=rules.reaches(code, waits_from),
        )
        for number, (code, level) in enumerate(rules.levels.items())
    ]


def departures(rules: PenaltyRules, typed: Typed, *, waits_from: str) -> list[LevelChoice]:
    return level_choices(rules, "l", typed, typed.get("level", ""), waits_from=waits_from)


# --- the cases


BEFORE: Final[Mapping[str, Promise]] = {
    "hand": gettext_lazy("No. %(number)s in this hand, after %(before)s."),
    "hanchan": gettext_lazy("No. %(number)s in this game, after %(before)s."),
    "day": gettext_lazy("No. %(number)s today, after %(before)s."),
    "event": gettext_lazy("No. %(number)s in this competition, after %(before)s."),
}
WHO: Final[Mapping[str, Promise]] = {
    "all_four": gettext_lazy("All four players of the table are penalized together."),
    "nobody": gettext_lazy("No penalty under these rules."),
    "discarders": gettext_lazy(
        "The rules also penalize everyone who has discarded since. Tick these players below."
    ),
}
UNITS: Final[Mapping[str, Promise]] = {
    "tile": gettext_lazy("Number of tiles"),
    "minute": gettext_lazy("Number of minutes, rounded up"),
}


@dataclass(frozen=True)
class Case:
    """One condition of an offence, decided for one player.

    ``asked``: the level that the form sends back. ``unit`` labels the number of tiles or minutes. ``waits``:
    the chief referee has to approve the penalty. ``is_of_others``: the rules also penalize other players.
    """

    index: int
    words: str
    is_chosen: bool
    level: str
    asked: str
    taking: Taking
    options: tuple[LevelChoice, ...]
    because: str
    effects: tuple[str, ...]
    unit: str
    units: str
    waits: bool
    is_of_others: bool

    @property
    def option_name(self) -> str:
        return f"option-c{self.index}"


@dataclass(frozen=True, kw_only=True)
class Bench:
    competition: Competition
    rules: PenaltyRules
    now: Act  # of any code
    at_table: bool
    in_hand: bool  # a hand is played, so that effects on it can happen
    approves: bool
    typed: Typed = field(default_factory=dict)

    @property
    def waits_from(self) -> str:
        """Return the lowest level that needs the chief referee's approval, or an empty text."""
        return "" if self.approves else self.competition.approval_from

    def cases(self, code: str, record: Sequence[Penalty]) -> tuple[Case, ...]:
        """Return the conditions of an offence. Raise KeyError if the rules lack the offence."""
        before = earlier(self.competition, record)
        fitting = self.rules.conditions(before, self._act(code))
        rulings = [*fitting, *self.rules.repetitions(before, self._act(code))]
        typed = next((r for r in rulings if str(r.index) == self.typed.get("condition")), None)
        choice = typed or _likely(fitting)
        return tuple(self._case(ruling, record, before, is_chosen=ruling is choice) for ruling in rulings)

    def _act(self, code: str) -> Act:
        return replace(self.now, code=code)

    def _case(
        self, ruling: Ruling, record: Sequence[Penalty], before: Sequence[Act], *, is_chosen: bool
    ) -> Case:
        index = ruling.index
        unit = ruling.variant.unit
        asked = self.rules.sanction(ruling, before, self._act(ruling.infraction.code))
        amounts = taking(f"c{index}", asked.amounts, self.typed, unit=unit)
        waits = self.rules.reaches(asked.level, self.waits_from)
        chosen_level = self.typed.get(f"option-c{index}") or asked.level
        every = level_choices(self.rules, f"o{index}-", self.typed, chosen_level, waits_from=self.waits_from)
        return Case(
            index=index,
            words=ruling.condition,
            is_chosen=is_chosen,
            level=clauses(in_language(level.names) for level in self._levels(asked)),
            asked=asked.level,
            # Without a level nothing is taken off: a referee who wants to departs from the rules.
            taking=amounts if asked.levels else replace(amounts, open=False),
            options=tuple(
                replace(option, waits=option.waits and not waits)
                for option in every
                if option.code in asked.options
            ),
            because=self._because(ruling, asked, record, before),
            effects=tuple(self._effects(ruling, asked, waits=waits)),
            unit=str(UNITS[unit]) if unit else "",
            units=self.typed.get(f"units-c{index}", "1"),
            waits=waits,
            is_of_others=ruling.variant.who == "discarders",
        )

    def _levels(self, asked: Sanction) -> list[Level]:
        return [self.rules.levels[code] for code in asked.levels if code in self.rules.levels]

    def _because(
        self, ruling: Ruling, asked: Sanction, record: Sequence[Penalty], earlier_acts: Sequence[Act]
    ) -> str:
        """Explain a repeated offence by its number in this hanchan and the levels before it."""
        code = ruling.infraction.code
        repeat = ruling.variant.repeat
        scope = asked.scope or {"again": "hanchan", "again_in_hand": "hand"}.get(repeat, "")
        if not scope:
            return ""
        same = same_before(scope, earlier_acts, self._act(code))
        decisive = {each.key for each in asked.because or same[-1:]}
        penalties = [penalty for penalty in reversed(record) if penalty.pk in decisive]
        if not penalties:
            return ""
        before = clauses(self._before(penalty, code) for penalty in penalties)
        if asked.unsure:
            words = _(
                "The hand is unknown. If the earlier offence was in this hand, choose the heavier "
                "level. Earlier offence: %(before)s."
            )
            return words % {"before": before}
        if any(penalty.infraction != code for penalty in penalties):
            return _("Previously: %(before)s.") % {"before": before}
        return str(BEFORE[scope]) % {"number": len(same) + 1, "before": before}

    def _before(self, penalty: Penalty, code: str) -> str:
        at = penalty.created_at.astimezone(zone_of(self.competition))
        is_today = day_of_play(self.competition, penalty.created_at) == self.now.day
        other = penalty.infraction if penalty.infraction != code else ""
        rules = self.rules.wording(penalty.infraction, penalty.level)
        what = listed(each for each in (other, level_name(penalty.level, rules)) if each)
        values = {
            "what": what,
            "time": f"{at:%H:%M}" if is_today else date_format(at, "DATETIME_FORMAT"),
            "name": penalty.created_by.get_username() if penalty.created_by else "–",
        }
        sentence = _("%(what)s at %(time)s by %(name)s") if what else _("at %(time)s by %(name)s")
        return sentence % values

    def _effects(self, ruling: Ruling, asked: Sanction, *, waits: bool) -> Iterable[str]:
        variant = ruling.variant
        if asked.win_ban and not self.in_hand:
            yield _("No win ban: it holds only in the hand of the offence.")
        yield from at_table(
            self.rules, asked.levels, variant, in_hand=self.in_hand, win_ban=asked.win_ban, waits=waits
        ).sentences
        if variant.who in WHO and (self.at_table or variant.who == "nobody"):
            yield str(WHO[variant.who])


def _likely(rulings: Sequence[Ruling]) -> Ruling | None:
    repeated = [ruling for ruling in rulings if ruling.variant.repeat]
    return next(iter([*repeated, *rulings]), None)
