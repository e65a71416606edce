"""What the fields of a competition file must say together: ids that are there, sums, what comes only once.

A check ends where it needs a field that could not be read: what is wrong there is known already. What the
file leaves out because it follows from the rest is filled in.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, cached_property
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from league.core.messages import chips_problem, sheet_problem
from league.interchange import schema
from league.interchange.schema.base import FileFacts, UnknownField, by_field, shapes_with
from league.interchange.schema.kinds import PLAYERS
from league.interchange.schema.problems import FileProblem, Path, clean, place_of, quote, sentence_of
from league.models import Adjustment, Penalty, Round
from league.penalty_rules.services import LONGEST_CODE, MOST_ENTRIES
from league.rule_sets.source_choices import SECOND
from league.rule_sets.words.problems import rule_problem
from league.rule_sets.words.values import not_played
from players.models import FederationNumber
from players.text import has_control_characters
from scoring.checks import ERROR, check_sheet
from scoring.presets import UnknownPreset, preset, presets, resolve
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.units import WINDS

LONGEST = 500  # characters of any text of an entry of penalty rules

Found = Iterator[tuple[Path, str]]  # where in the object that is checked, and a sentence
Check = Callable[["Walk", Any], Found | None]


class Wrong(Exception):
    """A problem that ends its check."""

    def __init__(self, where: Path, sentence: str) -> None:
        self.where, self.sentence = where, sentence


class Walk:
    """A way through a file, from each object to those in it."""

    def __init__(self, file: schema.CompetitionFacts) -> None:
        self.file = file
        self.path: Path = ()
        self.above: dict[type[FileFacts], Any] = {}  # the objects around it, by class
        self.rules: Rules | None = None  # of this division, if they are valid
        self.seen: set[object] = set()  # what may come only once

    def problems(self, path: Path, part: FileFacts) -> Iterator[FileProblem]:
        """Every problem, in the order of the file."""
        kind = type(part)
        self.path, self.above[kind] = path, part
        for check in _checks_of(kind):
            for where, sentence in self._run(check, part):
                yield FileProblem(place_of((*path, *where)), sentence)
        for shape in shapes_with(kind, "part"):
            below = part.__dict__.get(shape.name)
            if isinstance(below, list):
                for index, each in enumerate(below):
                    yield from self.problems((*path, shape.alias, index), each)
            elif below is not None:
                yield from self.problems((*path, shape.alias), below)

    def _run(self, check: Check, part: FileFacts) -> Found:
        try:
            yield from check(self, part) or ()
        except UnknownField:
            pass
        except Wrong as wrong:
            yield wrong.where, wrong.sentence

    @cached_property
    def players(self) -> dict[str, schema.PlayerFacts]:
        return by_field(self.file.players, "id")

    @cached_property
    def teams(self) -> dict[str, schema.TeamFacts]:
        return by_field(self.file.teams, "id")

    @cached_property
    def divisions(self) -> dict[str, schema.DivisionFacts]:
        return by_field(self.file.divisions, "slug")

    @cached_property
    def plays_in(self) -> dict[str | None, str | None]:
        """The first division in which a player sits."""
        return {
            seat.__dict__.get(name): division.__dict__.get("slug")
            for division in reversed(self.file.divisions)
            for stage in division.__dict__.get("stages", ())
            for round_ in stage.__dict__.get("rounds", ())
            for table in round_.__dict__.get("tables", ())
            for seat in table.__dict__.get("seats", ())
            for name in ("player", "stands_for")
        }

    def stage_of(self, part: schema.InStage) -> schema.StageFacts:
        """Raises ``UnknownField`` where the file has no such stage: that is a problem of its own."""
        division = self.divisions.get(part.division)
        if division is None or part.stage not in division.named:
            raise UnknownField
        return division.named[part.stage]

    def twice(self, values: Iterable[tuple[Path, str, object]]) -> Found:
        """Values that come twice: given are the object that has one, its field, and the value."""
        first: dict[object, Path] = {}
        for owner, name, value in values:
            if value is not None and first.setdefault(value, owner) is not owner:
                where = (*owner, name) if name else owner
                place = place_of((*self.path, *first[value]))
                sentence = _("“%(value)s” is listed twice: also in %(place)s.")
                yield where, sentence % {"value": quote(value), "place": place}

    def first_time(self, value: object, where: Path, sentence: str) -> Found:
        if value in self.seen:
            yield where, sentence
        self.seen.add(value)


def find_problems(file: schema.CompetitionFacts) -> Iterator[FileProblem]:
    return Walk(file).problems((), file)


_CHECKS: list[tuple[type[FileFacts], Check]] = []
C = TypeVar("C", bound=Check)


def _of(kind: type[FileFacts]) -> Callable[[C], C]:
    """A check of every object of this class and of those below it."""

    def added(check: C) -> C:
        _CHECKS.append((kind, check))
        return check

    return added


@cache
def _checks_of(kind: type[FileFacts]) -> list[Check]:
    checks = [_check_ids] * bool(shapes_with(kind, "of")) + [_check_repeats] * bool(shapes_with(kind, "once"))
    return checks + [check for of, check in _CHECKS if issubclass(kind, of)]


# --- what the schema says: ids, and what comes once


def _check_ids(walk: Walk, part: FileFacts) -> Found:
    for shape in shapes_with(type(part), "of"):
        value = part.__dict__.get(shape.name)
        if isinstance(value, list):
            for index, each in enumerate(value):
                yield from _stranger(walk, shape.of, each, (shape.alias, index))
        elif value is not None:
            yield from _stranger(walk, shape.of, value, (shape.alias,))


def _stranger(walk: Walk, of: str | None, key: str, where: Path) -> Found:
    if of == PLAYERS:
        if key not in walk.players:
            yield where, _("“players” has no player “%(id)s”.") % {"id": quote(key)}
    elif key not in walk.teams:
        yield where, _("“teams” has no team “%(id)s”.") % {"id": quote(key)}


def _check_repeats(walk: Walk, part: FileFacts) -> Found:
    for shape in shapes_with(type(part), "once"):
        for by in shape.once:
            yield from walk.twice(_values(part.__dict__.get(shape.name) or [], shape.alias, by))


def _values(parts: Iterable[FileFacts], alias: str, by: str) -> Iterator[tuple[Path, str, object]]:
    for index, each in enumerate(parts):
        value = each.__dict__.get(by)
        if isinstance(value, list):
            yield from (((alias, index, by, number), "", key) for number, key in enumerate(value))
        else:
            yield (alias, index), by, value


# --- the competition and its people


@_of(schema.CompetitionFacts)
def _check_tie_breaks(walk: Walk, file: schema.CompetitionFacts) -> Found:
    for index, name in enumerate(file.tie_breaks):
        sentence = _("“%(value)s” is listed twice.") % {"value": name}
        yield from walk.first_time(("tie_breaks", name), ("tie_breaks", index), sentence)


@_of(schema.PlayerFacts)
def _check_division_of_player(walk: Walk, player: schema.PlayerFacts) -> Found:
    if "division" not in player.model_fields_set:
        only = next(iter(walk.divisions)) if len(walk.divisions) == 1 else None
        player.division = walk.plays_in.get(player.id, only)
    slug = player.division
    if slug is not None and slug not in walk.divisions:
        yield ("division",), _("This file has no division “%(slug)s”.") % {"slug": quote(slug)}


@_of(schema.PlayerFacts)
def _check_ema_number(walk: Walk, player: schema.PlayerFacts) -> Found:
    ema = FederationNumber.EMA
    if player.ema_number and player.federation_numbers.get(ema, player.ema_number) != player.ema_number:
        yield ("federation_numbers", ema), _("“ema_number” contradicts this.")


# --- divisions and their rules


@_of(schema.CompetitionFacts)
def _check_some_division(walk: Walk, file: schema.CompetitionFacts) -> Found:
    if not file.divisions:
        yield ("divisions",), _("A competition has at least one division.")


@_of(schema.CompetitionFacts)
def _check_days(walk: Walk, file: schema.CompetitionFacts) -> Found:
    if file.last_day and (file.first_day is None or file.last_day < file.first_day):
        yield ("last_day",), _("The last day must not be before the first day.")


@_of(schema.DivisionFacts)
def _check_some_stage(walk: Walk, division: schema.DivisionFacts) -> Found:
    if not division.stages:
        yield ("stages",), _("A division has at least one stage.")


@_of(schema.DivisionFacts)
def _check_rules(walk: Walk, division: schema.DivisionFacts) -> Found:
    walk.rules = None
    rules = division.rules
    try:
        walk.rules = rules.resolved
    except UnknownPreset:
        known = ", ".join(each.slug for each in presets())
        sentence = _("Unknown rule set “%(slug)s”. This server has: %(known)s.")
        yield ("rules", "preset"), sentence % {"slug": quote(rules.preset), "known": known}
    except RulesError as error:
        for problem in error.problems:
            sentence = clean(rule_problem(problem))
            if problem.code == "unbalanced":
                sentence += " " + _("In a file, set “unbalanced” to true.")
            yield ("rules", _part_with(rules, problem.setting), problem.setting), sentence
    else:
        rules.edition = rules.edition or preset(rules.preset).edition
        if (why := not_played(rules.values | rules.overrides)) is not None:
            yield ("rules", _part_with(rules, "chombo_timing"), "chombo_timing"), why


def _part_with(rules: schema.RulesFacts, setting: str) -> str:
    in_values = setting in rules.values and setting not in rules.overrides
    return "values" if in_values else "overrides"


@_of(schema.SourceChoiceFacts)
def _check_source_choice(walk: Walk, choice: schema.SourceChoiceFacts) -> Found:
    for index, name in enumerate(choice.settings):
        if name not in SETTINGS:
            yield ("settings", index), _("Unknown setting “%(name)s”.") % {"name": quote(name)}
    if choice.chosen > SECOND:
        yield ("chosen",), _("Enter 1 for the first text or 2 for the second.")


@_of(schema.OwnCatalogueFacts)
def _check_catalogue(walk: Walk, own: schema.OwnCatalogueFacts) -> Found:
    if len(own.entries) > MOST_ENTRIES:
        sentence = _("Penalty rules can have at most %(count)s entries of their own.") % {
            "count": MOST_ENTRIES
        }
        raise Wrong(("entries",), sentence)
    try:
        entries = own.kept
    except ValueError:
        sentence = _("These entries cannot be added: at least one is incomplete or wrong.")
        raise Wrong(("entries",), sentence) from None
    for index, entry in enumerate(entries):
        if sentence := _entry_problem(entry):
            yield ("entries", index), sentence


def _entry_problem(entry: dict[str, Any]) -> str:
    """What is wrong with the texts of an entry; empty if nothing is."""
    if not 0 < len(entry["code"]) <= LONGEST_CODE:
        return _("A code has 1 to %(most)s characters.") % {"most": LONGEST_CODE}
    if not any(entry["names"].values()):
        return _("Name the offence in at least one language.")
    texts = list(_texts(entry))
    if any(len(text) > LONGEST for text in texts):
        return _("At most %(most)s characters per text.") % {"most": LONGEST}
    return sentence_of("invisible") if any(map(has_control_characters, texts)) else ""


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _texts(part)


# --- stages and rounds


@_of(schema.StageFacts)
def _check_cut(walk: Walk, stage: schema.StageFacts) -> Found:
    if stage.cut is None:
        if stage.entrants:
            yield ("entrants",), _("Only a stage with a “cut” lists its qualifiers.")
        return
    slugs = list(walk.above[schema.DivisionFacts].named)
    earlier = slugs[: slugs.index(stage.slug)]
    if not earlier:
        raise Wrong(("cut",), _("A division’s first stage has no earlier stage to qualify from."))
    _choose(("cut", "from"), stage.cut.source, earlier)


@_of(schema.CutFacts)
def _check_play_off(walk: Walk, cut: schema.CutFacts) -> Found:
    if cut.play_off is not None and cut.play_off not in walk.divisions:
        sentence = _("Unknown division “%(slug)s” for a play-off.")
        yield ("play_off",), sentence % {"slug": quote(cut.play_off)}


def _choose(where: Path, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise Wrong(where, sentence_of("choice", value, choices=", ".join(choices)))


@_of(schema.RoundFacts)
def _fill_in_status(walk: Walk, round_: schema.RoundFacts) -> None:
    if round_.status is None:
        to_play = any(table.status == schema.SCHEDULED for table in round_.tables)
        played = Round.Status.OPEN if to_play else Round.Status.CLOSED
        round_.status = (played if round_.tables else Round.Status.PLANNED).value


@_of(schema.RoundFacts)
def _check_seats(walk: Walk, round_: schema.RoundFacts) -> Found:
    """No one sits twice, or is here and absent or sits out."""
    seats = [
        (("tables", number, "seats", index), seat.__dict__)
        for number, table in enumerate(round_.tables)
        for index, seat in enumerate(table.__dict__.get("seats") or ())
    ]
    names = ("player", "stands_for")
    taken = [(where, name, seat.get(name)) for name in names for where, seat in seats]
    out = [(("sitting_out", index), "", player) for index, player in enumerate(round_.sitting_out)]
    yield from walk.twice([*taken, *out])


# --- tables


@_of(schema.TableFacts)
def _check_winds(walk: Walk, table: schema.TableFacts) -> Found:
    winds = {seat.wind for seat in table.seats}
    if len(winds) == len(table.seats) < 4:
        missing = ", ".join(wind for wind in WINDS if wind not in winds)
        yield ("seats",), _("A table needs four seats; missing: %(winds)s.") % {"winds": missing}


@_of(schema.TableFacts)
def _check_sashiuma(walk: Walk, table: schema.TableFacts) -> Found:
    """Under rules without sashiuma the names stay unused, as after a change of rules."""
    for index, seat in enumerate(table.seats):
        if seat.names is not None and seat.names == seat.wind:
            yield ("seats", index, "names"), _("A player must name one of the other three.")


@_of(schema.TableFacts)
def _check_chips(walk: Walk, table: schema.TableFacts) -> Found:
    """Under rules without chips they stay unused, as after a change of rules."""
    chips = [seat.__dict__.get("chips", 0) for seat in table.seats]
    if sum(chips):
        yield ("seats",), chips_problem(chips)


@_of(schema.TableFacts)
def _check_points(walk: Walk, table: schema.TableFacts) -> Found:
    """Four points of a played table, none of another one."""
    scheduled = table.status == schema.SCHEDULED
    for index, seat in enumerate(table.seats):
        points = seat.__dict__.get("points", ...)
        if scheduled and points is not None:
            yield (
                ("seats", index, "points"),
                _("A scheduled table has no points. Use “entered” if it was played."),
            )
        if not scheduled and points is None:
            yield ("seats", index, "points"), sentence_of("missing")
    if scheduled and table.sticks:
        yield ("sticks",), _("A scheduled table has no deposits. Use “entered” if it was played.")


@_of(schema.TableFacts)
def _check_sum(walk: Walk, table: schema.TableFacts) -> Found:
    """Every error of the sheet. Under rules that are not valid the sum cannot be judged."""
    seats = table.by_wind
    points = [seat.points for seat in seats]
    if table.status == schema.SCHEDULED or None in points or tuple(seat.wind for seat in seats) != WINDS:
        return
    for problem in check_sheet(points, table.sticks, walk.rules or resolve(presets()[0].slug)):
        of_the_sum = problem.seat is None and not problem.code.startswith("sticks_")
        if problem.level != ERROR or (of_the_sum and walk.rules is None):
            continue
        sentence = sheet_problem(problem)
        if problem.code == "typed_in_points":  # that sentence is for forms, where hundreds are typed
            sentence = _("The points are a hundred times too large. Enter 28700 for 28,700 points.")
        if problem.seat is None:
            yield ("seats" if of_the_sum else "sticks",), sentence
        else:
            yield ("seats", table.seats.index(seats[problem.seat]), "points"), sentence


# --- what belongs to a stage, a round, a table


@_of(schema.InStage)
def _check_place(walk: Walk, part: schema.InStage) -> Found:
    part.division = _only(("division",), part.division, walk.divisions)
    part.stage = _only(("stage",), part.stage, walk.divisions[part.division].named)
    rounds, number = walk.stage_of(part).numbered, getattr(part, "round", None)
    if number is None:
        return
    if number not in rounds:
        raise Wrong(("round",), _("This stage has no round %(number)s.") % {"number": number})
    tables, number = rounds[number].numbered, getattr(part, "table", None)
    if number is not None and number not in tables:
        raise Wrong(("table",), _("This round has no table %(number)s.") % {"number": number})
    if isinstance(part, schema.AtTable):
        yield from walk.first_time(part.at_table, ("table",), _("This table is listed twice."))
    elif isinstance(part, schema.InRound):
        yield from walk.first_time((type(part), part.in_round), ("round",), _("This round is listed twice."))


def _only(where: Path, value: str, choices: Collection[str]) -> str:
    """What is named; where there is only one it need not be."""
    if not choices:
        raise UnknownField
    if not value and len(choices) > 1:
        sentence = _("Ambiguous. Choose one of: %(choices)s.")
        raise Wrong(where, sentence % {"choices": ", ".join(choices)})
    found = value or next(iter(choices))
    _choose(where, found, choices)
    return found


@_of(schema.PenaltyFacts)
def _check_table_of_penalty(walk: Walk, penalty: schema.PenaltyFacts) -> Found:
    """The player need not sit there: seats may change hands after the penalty."""
    if penalty.table is not None and penalty.round is None:
        yield ("round",), _("Enter the round of the table.")


@_of(schema.PenaltyFacts)
def _check_words(walk: Walk, penalty: schema.PenaltyFacts) -> Found:
    if penalty.status == Penalty.Status.DECLINED and not penalty.decided:
        yield ("decided",), sentence_of("missing")
    if not penalty.infraction and not penalty.reason:
        yield ("reason",), _("Name the offence or enter a reason.")


@_of(schema.AdjustmentFacts)
def _check_average(walk: Walk, adjustment: schema.AdjustmentFacts) -> Found:
    if adjustment.average and (adjustment.kind != Adjustment.Kind.SAT_OUT or adjustment.round is None):
        yield ("average",), _("The average is only for players who sit out a round.")


@_of(schema.AdjustmentFacts)
def _check_adjustment(walk: Walk, adjustment: schema.AdjustmentFacts) -> Found:
    if adjustment.revoked:
        return
    same: tuple[object, ...] = (adjustment.in_stage, adjustment.round, adjustment.player, adjustment.kind)
    sentence = _("This player already has such an adjustment in this round.")
    if adjustment.round is None:
        same = (*same, adjustment.score, adjustment.reason)
        sentence = _("This player already has such an adjustment.")
    yield from walk.first_time(same, ("round",), sentence)


# --- teams


@_of(schema.TeamPlayFacts)
def _check_limits(walk: Walk, play: schema.TeamPlayFacts) -> Found:
    if play.least_hanchan and play.most_hanchan and play.least_hanchan > play.most_hanchan:
        yield ("most_hanchan",), _("The maximum must not be lower than the minimum.")


@_of(schema.TeamTableFacts)
def _check_four_teams(walk: Walk, table: schema.TeamTableFacts) -> Found:
    if len(table.teams) != 4 or len(set(table.teams)) != 4:
        yield ("teams",), _("A table needs four different teams, East first.")


@_of(schema.TeamCutFacts)
def _check_team_cut(walk: Walk, cut: schema.TeamCutFacts) -> Found:
    if walk.stage_of(cut).cut is None:
        yield ("stage",), _("Only a stage with a “cut” lists its qualifiers.")


@_of(schema.TeamPlayFacts)
def _check_one_team_cut_each(walk: Walk, play: schema.TeamPlayFacts) -> Found:
    cuts = enumerate(play.cuts)
    yield from walk.twice((("cuts", index), "stage", "/".join(cut.in_stage)) for index, cut in cuts)


# --- the calendar


@_of(schema.WindowFacts)
def _check_window(walk: Walk, window: schema.WindowFacts) -> Found:
    round_ = walk.stage_of(window).numbered.get(window.round)
    if round_ and (round_.date is None or window.until < round_.date):
        yield ("until",), _("The window ends before it begins. Enter the later day second.")


@_of(schema.AppointmentFacts)
def _check_agreed(walk: Walk, said: schema.AppointmentFacts) -> Found:
    if len(set(said.agreed)) < len(said.agreed):
        yield ("agreed",), _("Name each player once, by their id.")
