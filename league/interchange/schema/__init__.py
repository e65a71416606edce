"""The competition file: each class is one of its objects.

A field without a default is needed. Null counts as left out. Unknown fields are ignored, since later versions
add some. Fields may be added, but none changes its meaning.

Reading validates (``league.interchange.imports``). Writing does not (``model_construct``), since the database
may hold values that a file may not. Points are in points, scores in tenths.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import Field

from league.core.messages import chips_problem, sheet_problem
from league.interchange.schema import kinds
from league.interchange.schema.base import FileFacts, Parts, by_field, omit
from league.interchange.schema.checks import File, Found, UnknownField, Wrong, check, choose, within
from league.interchange.schema.kinds import LARGEST, Choice, Once, Whole
from league.interchange.schema.problems import Path, clean, quote, sentence_of
from league.models import Adjustment, Appointment, Competition, Penalty, Round, Sheet, Stage, StageEntrant
from league.penalties.services import MOST_UNITS
from league.penalty_rules.services import LONGEST_CODE, MOST_ENTRIES
from league.rule_sets.readings import FIRST, SECOND
from league.rule_sets.words.problems import rule_problem
from league.rule_sets.words.values import not_played
from players.models import FederationNumber
from players.text import has_control_characters
from scoring.checks import ERROR, check_sheet
from scoring.cuts import BY_RANK, WILD_CARD_METRICS
from scoring.infractions import catalogues, entry_of, extended
from scoring.presets import UnknownPreset, preset, presets, resolve
from scoring.promotion import NO_MOVEMENT
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.settlement import NORTH
from scoring.standings import DEFAULT_TIE_BREAKS, TIE_BREAKS
from scoring.units import WINDS

FORMAT = "umaoka-competition"
VERSION = 1

StageKey = tuple[str, str]  # slugs of division and stage
RoundKey = tuple[str, str, int]  # and the round's number
TableKey = tuple[str, str, int, int]  # and the table's
SCHEDULED = "scheduled"
LONGEST = 500  # characters of any text of an entry of penalty rules


# --- people


class PlayerFacts(FileFacts):
    """A player: new in the league's register, even if another player has the same name."""

    columns = ("name", "romanized", "country")

    id: kinds.Key
    """Unique among the players of the file, and in the file only."""
    name: kinds.Name
    romanized: kinds.NameOrEmpty = ""
    country: kinds.Country = ""
    ema_number: kinds.CodeOrEmpty = ""
    club: kinds.NameOrEmpty = ""
    division: kinds.Address | None = None
    """Where the player is entered, null for nowhere. Left out: the first division in which they sit."""
    federation_numbers: dict[kinds.Federation, kinds.Code] = omit({})
    """Numbers besides `ema_number`, by federation."""
    withdrawn: bool = omit(False)
    substitute: bool = omit(False)
    """The player only sits for others and is in no standings."""
    guest: bool = omit(False)
    """A guest of the club, whom its rankings can leave out."""
    previous_rank: Annotated[int, Whole(least=1)] | None = omit(None)
    """The rank of last season."""

    @property
    def numbers(self) -> dict[str, str]:
        ema = {FederationNumber.EMA: self.ema_number} if self.ema_number else {}
        return dict(sorted((self.federation_numbers | ema).items()))

    @check
    def _known_division(self, file: File) -> Found:
        if "division" not in self.model_fields_set:
            only = next(iter(file.divisions)) if len(file.divisions) == 1 else None
            self.division = file.plays_in.get(self.id, only)
        if self.division is not None and self.division not in file.divisions:
            yield ("division",), _("This file has no division “%(slug)s”.") % {"slug": quote(self.division)}

    @check
    def _one_ema_number(self, file: File) -> Found:
        ema = FederationNumber.EMA
        if self.ema_number and self.federation_numbers.get(ema, self.ema_number) != self.ema_number:
            yield ("federation_numbers", ema), _("“ema_number” contradicts this.")


class TeamFacts(FileFacts):
    """A team."""

    columns = ("name",)

    id: kinds.Key
    """Unique among the teams of the file, and in the file only."""
    name: kinds.Name
    players: list[kinds.PlayerId]


# --- tables


class SeatFacts(FileFacts):
    """A seat of a table."""

    columns = ("came_late", "until_back")

    wind: kinds.Wind
    """The seat at the start: `east` is the first dealer."""
    player: kinds.PlayerId
    points: Annotated[int, Whole(least=-LARGEST)] | None = omit(None)
    """Raw points at the end, in points (28700, not 287), negative allowed. A scheduled table has none."""
    names: kinds.Wind | None = omit(None)
    """The wind that this player named for sashiuma. It counts only under rules with sashiuma."""
    chips: Annotated[int, Whole(least=-LARGEST)] = omit(0)
    """Chips won or lost; those of a table sum to zero. They count only under rules with chips."""
    stands_for: kinds.PlayerId | None = omit(None)
    """The absent player for whom a substitute sits."""
    came_late: bool = omit(False)
    """The substitute came when play had begun."""
    until_back: bool = omit(False)
    """The substitute sits in later rounds, too, until the player is back."""


class TableFacts(FileFacts):
    """A table with its current sheet. The sheet counts as entered at the time of the import."""

    columns = ("status", "sticks", "reason")

    number: kinds.Number
    """Unique in the round."""
    status: Annotated[str, Choice(SCHEDULED, *Sheet.Status.values)]
    """Only `confirmed` tables count, unless the competition's `counting` says otherwise. A void table keeps
    its points.
    """
    sticks: Annotated[int, Whole(least=-LARGEST)] = 0
    """Riichi deposits left on the table, in points: points and sticks make four times the starting points."""
    seats: Annotated[Parts[SeatFacts], Once("wind")]
    """Four, one of each wind."""
    last_dealer: kinds.Wind = omit(WINDS[NORTH])
    reason: kinds.ReasonOrEmpty = omit("")
    """Why the sheet was corrected or voided."""

    @property
    def by_wind(self) -> list[SeatFacts]:
        return sorted(self.seats, key=lambda seat: WINDS.index(seat.wind))

    @property
    def everybody(self) -> Iterator[str]:
        for seat in self.seats:
            yield seat.player
            if seat.stands_for:
                yield seat.stands_for

    @check
    def _four_winds(self, file: File) -> Found:
        winds = {seat.wind for seat in self.seats}
        if len(winds) == len(self.seats) < 4:
            missing = ", ".join(wind for wind in WINDS if wind not in winds)
            yield ("seats",), _("A table needs four seats. Missing: %(winds)s.") % {"winds": missing}

    @check
    def _sashiuma(self, file: File) -> Found:
        """Check names even under rules without sashiuma, which leave them unused."""
        for index, seat in enumerate(self.seats):
            if seat.names is not None and seat.names == seat.wind:
                yield ("seats", index, "names"), _("A player must name one of the other three.")

    @check
    def _chips(self, file: File) -> Found:
        """Check chips even under rules without chips, which leave them unused."""
        chips = [seat.__dict__.get("chips", 0) for seat in self.seats]
        if sum(chips):
            yield ("seats",), chips_problem(chips)

    @check
    def _points_if_played(self, file: File) -> Found:
        scheduled = self.status == SCHEDULED
        for index, seat in enumerate(self.seats):
            points, where = seat.__dict__.get("points", ...), ("seats", index, "points")
            if scheduled and points is not None:
                yield where, _("A scheduled table has no points. Use “entered” if it was played.")
            if not scheduled and points is None:
                yield where, sentence_of("missing")
        if scheduled and self.sticks:
            yield ("sticks",), _("A scheduled table has no deposits. Use “entered” if it was played.")

    def check_sum(self, rules: Rules | None) -> Found:
        """Yield every error of the sheet. Without valid `rules` the sum cannot be judged."""
        seats = self.by_wind
        points = [seat.points for seat in seats]
        if self.status == SCHEDULED or None in points or tuple(seat.wind for seat in seats) != WINDS:
            return
        for problem in check_sheet(points, self.sticks, rules or resolve(presets()[0].slug)):
            of_the_sum = problem.seat is None and not problem.code.startswith("sticks_")
            if problem.level != ERROR or (of_the_sum and rules is None):
                continue
            sentence = sheet_problem(problem)
            if problem.code == "typed_in_points":  # that sentence is for forms, where hundreds are typed
                sentence = _("The points are a hundred times too large. Enter 28700 for 28,700 points.")
            if problem.seat is None:
                yield ("seats" if of_the_sum else "sticks",), sentence
            else:
                yield ("seats", self.seats.index(seats[problem.seat]), "points"), sentence


class RoundFacts(FileFacts):
    """A round: one hanchan for everyone seated."""

    columns = ("number", "date", "status", "visibility", "announced", "method", "seed")

    number: kinds.Number
    """Unique in the stage."""
    date: kinds.Day | None = None
    status: Annotated[str, Choice(*Round.Status.values)] | None = None
    """Left out: `closed` when all tables have a result, `planned` without tables, else `open`."""
    visibility: Annotated[str, Choice(*Round.Visibility.values)] = Round.Visibility.RESULTS.value
    """What the public sees of it."""
    announced: bool = omit(False)
    """The public sees the date of a hidden round that is planned."""
    method: Annotated[str, Choice(*Round.Method.values)] = omit("")
    """How it was seated."""
    seed: kinds.Number | None = omit(None)
    """Of the draw by which it was seated."""
    sitting_out: list[kinds.PlayerId] = omit([])
    """Players who were there and had no seat."""
    tables: Annotated[Parts[TableFacts], Once("number")]

    @cached_property
    def numbered(self) -> dict[int, TableFacts]:
        return by_field(self.tables, "number")

    @check
    def _fill_in_status(self, file: File) -> Found:
        if self.status is None:
            to_play = any(table.status == SCHEDULED for table in self.tables)
            played = Round.Status.OPEN if to_play else Round.Status.CLOSED
            self.status = (played if self.tables else Round.Status.PLANNED).value
        yield from ()

    @check
    def _one_place_each(self, file: File) -> Found:
        """A player sits once, and is not also absent or sitting out."""
        seats = [
            (("tables", number, "seats", index), seat.__dict__)
            for number, table in enumerate(self.tables)
            for index, seat in enumerate(table.__dict__.get("seats") or ())
        ]
        names = ("player", "stands_for")
        taken = [(where, name, seat.get(name)) for name in names for where, seat in seats]
        out = [(("sitting_out", index), "", player) for index, player in enumerate(self.sitting_out)]
        yield from file.find_twice([*taken, *out])


# --- stages


class DecisionFacts(FileFacts):
    """Equals on both sides of a cut's line."""

    inside: list[kinds.PlayerId] = Field(default=[], alias="in")
    outside: list[kinds.PlayerId] = Field(default=[], alias="out")
    by: Annotated[str, Choice(*TIE_BREAKS, BY_RANK)]
    """What decided between them."""


class CutFacts(FileFacts):
    """The cut of a stage: the `top` players beginning with rank `first`, wild cards, and `picked` players."""

    columns = ("top", "first", "wild_cards", "wild_card_by", "hanchan")

    source: str = Field(alias="from")
    """The stage before, by its slug."""
    top: kinds.Number
    first: Annotated[int, Whole(least=1)] = 1
    wild_cards: kinds.Number = 0
    wild_card_by: Annotated[str, Choice(*WILD_CARD_METRICS)] = WILD_CARD_METRICS[0]
    hanchan: kinds.Number = 0
    """How many the stage has."""
    picked: list[kinds.PlayerId] = []
    decided: Parts[DecisionFacts] = []
    gone: list[kinds.PlayerId] = []
    """Players who had left."""
    moved_up: list[kinds.PlayerId] = []
    """Players who came in their place."""
    play_off: kinds.Address | None = omit(None)
    """The stage is a play-off against players of this division."""

    @check
    def _known_play_off(self, file: File) -> Found:
        if self.play_off is not None and self.play_off not in file.divisions:
            sentence = _("Unknown division “%(slug)s” for a play-off.")
            yield ("play_off",), sentence % {"slug": quote(self.play_off)}


class EntrantFacts(FileFacts):
    """A player who came into a stage by its cut."""

    columns = ("how", "head_start")

    player: kinds.PlayerId
    how: Annotated[str, Choice(*StageEntrant.How.values)] = StageEntrant.How.RANK.value
    head_start: kinds.Score = 0


class LotsFacts(FileFacts):
    """Lots that were drawn."""

    columns = ("seed",)

    players: list[kinds.PlayerId] = []
    """First drawn first."""
    seed: kinds.Number


class StageFacts(FileFacts):
    """A stage of a division."""

    columns = (
        *("slug", "name", "carry", "counts_for_teams", "sit_out", "planned_rounds", "rankings"),
        *("valid_hanchan", "standard_hanchan", "fee", "guest_fee"),
    )

    slug: kinds.Address
    """Unique in the division."""
    name: kinds.Name
    carry: Annotated[str, Choice(*Stage.Carry.values)]
    """What it brings in from the stage before."""
    counts_for_teams: bool = omit(True)
    """Its games count for the teams, too."""
    planned_rounds: Annotated[int, Whole(least=1, most=999)] | None = omit(None)
    """How many rounds it is to have, where that was said."""
    rankings: kinds.NameOrEmpty = omit("")
    """Codes of the rankings that are shown first, such as `total-0 best-10`."""
    valid_hanchan: kinds.Number = omit(0)
    """How many hanchan a rank needs."""
    standard_hanchan: Annotated[int, Whole(least=1)] | None = omit(None)
    beyond: Annotated[str, Choice(*Stage.Beyond.values)] | None = omit(None)
    """How hanchan beyond the standard number count. Left out: `all`."""
    sit_out: Annotated[str, Choice(*Stage.SitOut.values)] = omit(Stage.SitOut.NOTHING.value)
    """What a player who sits out gets."""
    sit_out_score: kinds.Score | None = omit(None)
    """The score of a player who sits out, where it is `fixed`."""
    fee: kinds.Amount | None = omit(None)
    """What a player pays for an evening of open play, in any currency."""
    guest_fee: kinds.Amount | None = omit(None)
    """What a guest pays. Left out: `fee`."""
    cut: CutFacts | None = omit(None)
    """Left out: every player of the division plays."""
    entrants: Annotated[Parts[EntrantFacts], Once("player")] | None = omit(None)
    """Who came by the cut, in the order of their positions."""
    lots: Parts[LotsFacts] = omit([])
    rounds: Annotated[Parts[RoundFacts], Once("number")]

    @cached_property
    def numbered(self) -> dict[int, RoundFacts]:
        return by_field(self.rounds, "number")

    def check_cut(self, slugs: Sequence[str]) -> Found:
        """Yield what is wrong with the cut. `slugs`: the addresses of all stages of the division."""
        if self.cut is None:
            if self.entrants:
                yield ("entrants",), _("Only a stage with a “cut” lists its qualifiers.")
            return
        earlier = slugs[: slugs.index(self.slug)]
        if not earlier:
            raise Wrong(("cut",), _("A division’s first stage has no earlier stage to qualify from."))
        choose(("cut", "from"), self.cut.source, earlier)


# --- divisions


class ReadingFacts(FileFacts):
    """The reading that was chosen if the sources of a preset contradict each other."""

    settings: list[kinds.Key]
    chosen: Annotated[int, Whole(least=FIRST)]
    """1 or 2."""
    place: kinds.Reason
    """Where the chosen text is."""

    @check
    def _known(self, file: File) -> Found:
        for index, name in enumerate(self.settings):
            if name not in SETTINGS:
                yield ("settings", index), _("Unknown setting “%(name)s”.") % {"name": quote(name)}
        if self.chosen > SECOND:
            yield ("chosen",), _("Enter 1 for the first text or 2 for the second.")


class OwnCatalogueFacts(FileFacts):
    """Penalty rules of the league's own."""

    columns = ("name", "base", "entries")

    name: kinds.Name
    """A name that the league has already gets a number."""
    base: Annotated[str, Choice(*(each.slug for each in catalogues()))]
    """The published penalty rules that it extends."""
    entries: list[Any]
    """What it adds or changes, as `scoring/infractions` writes offences."""

    @cached_property
    def own_entries(self) -> list[dict[str, Any]]:
        """Return the entries in our own spelling. Raises ``ValueError``."""
        book = extended(self.base, self.entries, slug="own", names={})
        codes = dict.fromkeys(entry["code"] for entry in self.entries)
        return [entry_of(book.infractions[code]) for code in codes]

    @check
    def _entries(self, file: File) -> Found:
        if len(self.entries) > MOST_ENTRIES:
            sentence = _("Penalty rules can have at most %(count)s entries of their own.")
            raise Wrong(("entries",), sentence % {"count": MOST_ENTRIES})
        try:
            entries = self.own_entries
        except ValueError:
            sentence = _("These entries cannot be added: at least one is incomplete or wrong.")
            raise Wrong(("entries",), sentence) from None
        for index, entry in enumerate(entries):
            if sentence := _entry_problem(entry):
                yield ("entries", index), sentence


def _entry_problem(entry: dict[str, Any]) -> str:
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


class RulesFacts(FileFacts):
    """The rules of a division: preset < `values` < `overrides`."""

    columns = ("preset", "edition", "catalogue")

    preset: kinds.Key
    """The slug of a built-in rule set."""
    overrides: dict[str, Any] = {}
    """What differs from it, by the names of the settings."""
    edition: kinds.CodeOrEmpty = ""
    """The edition of the preset from which the values come. Left out: today's."""
    values: dict[str, Any] = {}
    """The copy of every setting, safe from later editions of the preset."""
    catalogue: kinds.AddressOrEmpty = omit("")
    """The published penalty rules. Left out: those of the preset."""
    own_catalogue: OwnCatalogueFacts | None = omit(None)
    readings: Parts[ReadingFacts] = omit([])
    """Left out: what the preset chose."""

    @cached_property
    def resolved(self) -> Rules:
        """Raises ``UnknownPreset`` or ``RulesError``."""
        return resolve(self.preset, self.overrides, self.values)

    @check
    def _valid(self, file: File) -> Found:
        try:
            self.resolved  # noqa: B018
        except UnknownPreset:
            known = ", ".join(each.slug for each in presets())
            sentence = _("Unknown rule set “%(slug)s”. This server has: %(known)s.")
            yield ("preset",), sentence % {"slug": quote(self.preset), "known": known}
        except RulesError as error:
            for problem in error.problems:
                sentence = clean(rule_problem(problem))
                if problem.code == "unbalanced":
                    sentence += " " + _("In a file, set “unbalanced” to true.")
                yield self._place_of(problem.setting), sentence
        else:
            self.edition = self.edition or preset(self.preset).edition
            if (why := not_played(self.values | self.overrides)) is not None:
                yield self._place_of("chombo_timing"), why

    def _place_of(self, setting: str) -> Path:
        in_values = setting in self.values and setting not in self.overrides
        return "values" if in_values else "overrides", setting


class DivisionFacts(FileFacts):
    """A division: players with one rule set."""

    columns = ("slug", "name")

    slug: kinds.Address
    """Unique in the file."""
    name: kinds.Name
    movement: kinds.Movements = omit(NO_MOVEMENT)
    """Who goes up and down at the end of the season: `up` and `down` (`up_by`, `down_by`: `number` or
    `percent`), `up_play_off`, `down_play_off`, `vacancies` (`fewer_down`, `more_up`, `leave_free`).
    """
    rules: RulesFacts
    stages: Annotated[Parts[StageFacts], Once("slug")]
    """One at least."""

    @cached_property
    def named(self) -> dict[str, StageFacts]:
        return by_field(self.stages, "slug")

    @check
    def _some_stage(self, file: File) -> Found:
        if not self.stages:
            yield ("stages",), _("A division has at least one stage.")

    @check
    def _cuts(self, file: File) -> Found:
        for index, stage in enumerate(self.stages):
            yield from within(("stages", index), stage.check_cut(list(self.named)))

    @check
    def _sums(self, file: File) -> Found:
        try:
            rules = self.rules.resolved
        except (UnknownField, UnknownPreset, RulesError):
            rules = None
        for path, table in self._tables():
            yield from within(path, table.check_sum(rules))

    def _tables(self) -> Iterator[tuple[Path, TableFacts]]:
        for number, stage in enumerate(self.stages):
            for index, round_ in enumerate(stage.__dict__.get("rounds", ())):
                for each, table in enumerate(round_.__dict__.get("tables", ())):
                    yield ("stages", number, "rounds", index, "tables", each), table


# --- what belongs to a stage, a round or a table


class InStage(FileFacts):
    division: kinds.Key = ""
    """Its slug. Left out: the only one."""
    stage: kinds.Key = ""
    """Its slug. Left out: the only one of the division."""

    @property
    def in_stage(self) -> StageKey:
        return self.division, self.stage

    @check
    def _known_place(self, file: File) -> Found:
        """Fill in the sole division and the sole stage. Check the round and the table."""
        self.division = _only(("division",), self.division, file.divisions)
        self.stage = _only(("stage",), self.stage, file.divisions[self.division])
        rounds, number = file.divisions[self.division][self.stage], getattr(self, "round", None)
        if number is None:
            return
        if number not in rounds:
            yield ("round",), _("This stage has no round %(number)s.") % {"number": number}
            return
        table = getattr(self, "table", None)
        if table is not None and table not in rounds[number]:
            yield ("table",), _("This round has no table %(number)s.") % {"number": table}


def _only(where: Path, value: str, choices: Collection[str]) -> str:
    if not choices:
        raise UnknownField
    if not value and len(choices) > 1:
        sentence = _("Ambiguous. Choose one of: %(choices)s.")
        raise Wrong(where, sentence % {"choices": ", ".join(choices)})
    found = value or next(iter(choices))
    choose(where, found, choices)
    return found


class InRound(InStage):
    round: kinds.Number
    """Its number."""

    @property
    def in_round(self) -> RoundKey:
        return *self.in_stage, self.round


class AtTable(InRound):
    table: kinds.Number
    """Its number."""

    @property
    def at_table(self) -> TableKey:
        return *self.in_round, self.table


class _OfPlayer(FileFacts):
    player: kinds.PlayerId


class _OfTeam(FileFacts):
    team: kinds.TeamId


class _OfPlay(InStage, _OfPlayer):
    """Points of a player beside the games."""

    round: kinds.Number | None = None
    """Its number; null for none."""

    @property
    def in_round(self) -> RoundKey | None:
        return None if self.round is None else (*self.in_stage, self.round)


class PenaltyFacts(_OfPlay):
    """A penalty: with an `infraction` or a `reason`."""

    columns = ("score", "reason", "hand", "condition", "units", "suggested", "win_ban", "status")

    table: kinds.Number | None = None
    """Its number; null for none."""
    score: kinds.Score
    """Is added to the player's total, in score units (1.0 = 1000 points)."""
    reason: kinds.ReasonOrEmpty = ""
    infraction: kinds.CodeOrEmpty | None = None
    """The code of the offence in the penalty rules (`A-II`)."""
    level: kinds.Level | None = None
    """The level of the offence."""
    revoked: kinds.ReasonOrEmpty = omit("")
    """The reason for which it no longer counts."""
    hand: kinds.Hand = omit("")
    """The hand in which it was given."""
    condition: Annotated[int, Whole(most=99)] | None = omit(None)
    """The index of the offence's condition in the penalty rules."""
    units: Annotated[int, Whole(least=1, most=MOST_UNITS)] = omit(1)
    """How many tiles or minutes."""
    suggested: kinds.CodeOrEmpty = omit("")
    """The levels that the penalty rules suggested."""
    win_ban: bool = omit(False)
    """The player could not win the hand."""
    status: Annotated[str, Choice(*Penalty.Status.values)] = omit(Penalty.Status.IN_FORCE.value)
    decided: kinds.ReasonOrEmpty = omit("")
    """Why the chief referee declined it."""
    together: kinds.Number | None = omit(None)
    """One number for all penalties of one act."""

    @property
    def at_table(self) -> TableKey | None:
        return None if self.in_round is None or self.table is None else (*self.in_round, self.table)

    @check
    def _round_of_table(self, file: File) -> Found:
        """Require the round only. The player need not sit there, since seats may change hands after the
        penalty.
        """
        if self.table is not None and self.round is None:
            yield ("round",), _("Enter the round of the table.")

    @check
    def _reasons(self, file: File) -> Found:
        if self.status == Penalty.Status.DECLINED and not self.decided:
            yield ("decided",), sentence_of("missing")
        if not self.infraction and not self.reason:
            yield ("reason",), _("Name the offence or enter a reason.")


class AdjustmentFacts(_OfPlay):
    """Points for a round that a player sat out, missed, or that a substitute played."""

    columns = ("kind", "reason")

    kind: Annotated[str, Choice(*Adjustment.Kind.values)]
    score: kinds.Score
    average: bool = omit(False)
    """The player's average in the rounds of the stage before follows the results; `score` is what it was."""
    reason: kinds.ReasonOrEmpty = ""
    revoked: bool = omit(False)
    """It no longer counts."""

    @check
    def _average_if_sat_out(self, file: File) -> Found:
        if self.average and (self.kind != Adjustment.Kind.SAT_OUT or self.round is None):
            yield ("average",), _("The average is only for players who sit out a round.")

    @property
    def identity(self) -> tuple[object, ...] | None:
        """The values that only one adjustment in force may have, or None if it is revoked."""
        if self.revoked:
            return None
        same = (self.in_stage, self.round, self.player, self.kind)
        return same if self.round is not None else (*same, self.score, self.reason)


# --- teams


class TeamTableFacts(FileFacts):
    """A table of teams."""

    number: Annotated[int, Whole(least=1)]
    teams: list[kinds.TeamId]
    """Four, east first."""

    @check
    def _four_teams(self, file: File) -> Found:
        if len(self.teams) != 4 or len(set(self.teams)) != 4:
            yield ("teams",), _("A table needs four different teams, East first.")


class LineUpFacts(_OfTeam):
    """The players that a team named."""

    players: list[kinds.PlayerId]


class TeamRoundFacts(InRound):
    """A round with teams."""

    until: kinds.Moment | None = omit(None)
    """When teams name their players."""
    tables: Annotated[Parts[TeamTableFacts], Once("number")] = omit([])
    line_ups: Annotated[Parts[LineUpFacts], Once("team"), Once("players")] = omit([])


class TeamPenaltyFacts(InStage, _OfTeam):
    """A penalty of a team."""

    columns = ("score", "reason")

    score: kinds.Deduction
    reason: kinds.Reason
    revoked: kinds.ReasonOrEmpty = omit("")
    """The reason for which it no longer counts."""


class TeamLotsFacts(InStage):
    """Lots drawn between teams."""

    columns = ("seed",)

    teams: list[kinds.TeamId]
    """First drawn first."""
    seed: kinds.Number


class TeamDecisionFacts(FileFacts):
    """Equal teams on both sides of a cut's line."""

    inside: list[kinds.TeamId] = Field(default=[], alias="in")
    outside: list[kinds.TeamId] = Field(default=[], alias="out")
    by: Annotated[str, Choice(*TIE_BREAKS)]
    """What decided between them."""


class TeamCutFacts(InStage):
    """The cut by which the teams of a stage came into it."""

    top: Annotated[int, Whole(least=1)]
    by_hand: bool = False
    """They were chosen, and are not the `top` ones."""
    teams: list[kinds.TeamId]
    decided: Parts[TeamDecisionFacts] = []
    gone: list[kinds.TeamId] = []
    """Teams that had left."""
    moved_up: list[kinds.TeamId] = []
    """Teams that came in their place."""


class TeamPlayFacts(FileFacts):
    """The rules of team play, and its rounds."""

    columns = ("least_hanchan", "most_hanchan")

    mode: Annotated[str, Choice(*Competition.TeamPlay.values)]
    least_hanchan: Annotated[int, Whole(least=1)] | None = omit(None)
    """How many hanchan a player plays for the team at least."""
    most_hanchan: Annotated[int, Whole(least=1)] | None = omit(None)
    rounds: Parts[TeamRoundFacts] = omit([])
    penalties: Parts[TeamPenaltyFacts] = omit([])
    lots: Parts[TeamLotsFacts] = omit([])
    cuts: Parts[TeamCutFacts] = omit([])

    @check
    def _limits(self, file: File) -> Found:
        if self.least_hanchan and self.most_hanchan and self.least_hanchan > self.most_hanchan:
            yield ("most_hanchan",), _("The maximum must not be lower than the minimum.")

    @check
    def _rounds_once(self, file: File) -> Found:
        for index in file.find_repeated(self.rounds, "in_round"):
            yield ("rounds", index, "round"), _("This round is listed twice.")

    @check
    def _one_cut_each(self, file: File) -> Found:
        cuts = enumerate(self.cuts)
        yield from file.find_twice((("cuts", index), "stage", "/".join(cut.in_stage)) for index, cut in cuts)


# --- the calendar


class OpenStageFacts(InStage):
    """A stage of free play."""


class WindowFacts(InRound):
    """A round whose tables meet between its date and another day."""

    until: kinds.Day


class AppointmentFacts(FileFacts):
    """A statement about the time of a table. A time that is `set` ends a postponement."""

    columns = ("kind", "meets_at", "place", "reason")

    kind: Annotated[str, Choice(*Appointment.Kind.values)]
    at: kinds.Moment
    """When it was said."""
    meets_at: kinds.Moment | None = omit(None)
    place: kinds.PlaceOrEmpty = omit("")
    reason: kinds.ReasonOrEmpty = omit("")
    agreed: list[kinds.PlayerId] = omit([])
    """The players who agreed."""
    declined: list[kinds.PlayerId] = omit([])
    """The players who cannot come."""

    @check
    def _agreed_once(self, file: File) -> Found:
        players = self.agreed + self.declined
        if len(set(players)) < len(players):
            yield ("agreed",), _("Name each player once, by their id.")


class TableTimeFacts(AtTable):
    """The time at which a table meets."""

    meets_at: kinds.Moment | None = omit(None)
    said: Parts[AppointmentFacts] = omit([])
    """What was said of it, oldest first."""


class CalendarFacts(FileFacts):
    """The times at which tables meet."""

    free: Parts[OpenStageFacts] = omit([])
    windows: Parts[WindowFacts] = omit([])
    tables: Parts[TableTimeFacts] = omit([])

    @check
    def _windows_once(self, file: File) -> Found:
        for index in file.find_repeated(self.windows, "in_round"):
            yield ("windows", index, "round"), _("This round is listed twice.")

    @check
    def _tables_once(self, file: File) -> Found:
        for index in file.find_repeated(self.tables, "at_table"):
            yield ("tables", index, "table"), _("This table is listed twice.")


# --- the competition


class CompetitionFacts(FileFacts):
    """The file itself."""

    columns = (
        *("slug", "name", "timezone", "kind", "visibility", "counting", "tie_breaks"),
        *("suggest_fourth", "approval_from", "penalties_shown", "names_misconduct"),
        *("takes_calls", "objection_minutes"),
        *("expulsion", "place", "first_day", "last_day", "notice", "notice_until"),
    )

    format: str
    """`umaoka-competition`"""
    version: int
    """1"""
    slug: kinds.Address
    """The competition's address, unique on the server."""
    name: kinds.Name
    timezone: kinds.TimeZone
    kind: Annotated[str, Choice(*Competition.Kind.values)] = Competition.Kind.SEASON.value
    visibility: Annotated[str, Choice(*Competition.Visibility.values)] = Competition.Visibility.PUBLIC.value
    counting: Annotated[str, Choice(*Competition.Counting.values)] = Competition.Counting.CONFIRMED.value
    """Which results count."""
    tie_breaks: list[Annotated[str, Choice(*TIE_BREAKS)]] = list(DEFAULT_TIE_BREAKS)
    suggest_fourth: bool = True
    """Whether the fourth score of a table is suggested."""
    previous: kinds.AddressOrEmpty = omit("")
    """The season before, by its address, in the same league."""
    approval_from: kinds.CodeOrEmpty | None = None
    """The level from which on the chief referee approves penalties. Left out: as it is."""
    penalties_shown: Annotated[str, Choice(*Competition.PenaltiesShown.values)] | None = None
    """What the public sees of penalties. Left out: as it is."""
    names_misconduct: bool | None = None
    """Whether the public reads what misconduct it was, besides level and effect. Left out: as it is."""
    takes_calls: bool | None = None
    """Whether tables can call a referee. Left out: as it is."""
    objection_minutes: Annotated[int, Whole(most=10_080)] | None = None
    """For how long players can object to a score sheet or penalty. Left out: as it is."""
    expulsion: Annotated[str, Choice(*Competition.Expulsion.values)] | None = None
    """What becomes of the seat of a player who is expelled. Left out: as it is."""
    place: kinds.PlaceOrEmpty = omit("")
    """Where it is played."""
    first_day: kinds.Day | None = omit(None)
    """Left out: the competition has no days."""
    last_day: kinds.Day | None = omit(None)
    """Not before `first_day`, which it needs."""
    notice: kinds.ReasonOrEmpty = omit("")
    """What the organizer tells visitors on every page."""
    notice_until: kinds.Day | None = omit(None)
    """The last day of `notice`. Left out: it has no end."""
    players: Annotated[Parts[PlayerFacts], Once("id")]
    teams: Annotated[Parts[TeamFacts], Once("id"), Once("players")] = []
    team_play: TeamPlayFacts | None = None
    """Left out: as it is."""
    divisions: Annotated[Parts[DivisionFacts], Once("slug")]
    """One at least."""
    penalties: Parts[PenaltyFacts] = []
    adjustments: Parts[AdjustmentFacts] = omit([])
    calendar: CalendarFacts | None = omit(None)

    def rounds(self) -> Iterator[tuple[StageKey, Rules, RoundFacts]]:
        for division in self.divisions:
            for stage in division.stages:
                for round_ in stage.rounds:
                    yield (division.slug, stage.slug), division.rules.resolved, round_

    @property
    def counts(self) -> dict[str, int]:
        tables = [table for *_, round_ in self.rounds() for table in round_.tables]
        return {
            "players": len(self.players),
            "rounds": sum(1 for _ in self.rounds()),
            "tables": len(tables),
            "sheets": sum(table.status != SCHEDULED for table in tables),
            "penalties": len(self.penalties),
        }

    @check
    def _some_division(self, file: File) -> Found:
        if not self.divisions:
            yield ("divisions",), _("A competition has at least one division.")

    @check
    def _days(self, file: File) -> Found:
        if self.last_day and (self.first_day is None or self.last_day < self.first_day):
            yield ("last_day",), _("The last day must not be before the first day.")

    @check
    def _tie_breaks_once(self, file: File) -> Found:
        for index, name in enumerate(self.tie_breaks):
            if name in self.tie_breaks[:index]:
                yield ("tie_breaks", index), _("“%(value)s” is listed twice.") % {"value": name}

    @check
    def _adjustments_once(self, file: File) -> Found:
        for index in file.find_repeated(self.adjustments, "identity"):
            sentence = _("This player already has such an adjustment in this round.")
            if self.adjustments[index].round is None:
                sentence = _("This player already has such an adjustment.")
            yield ("adjustments", index, "round"), sentence

    @check
    def _windows_in_order(self, file: File) -> Found:
        for index, window in enumerate(self.calendar.windows if self.calendar else ()):
            yield from within(("calendar", "windows", index), self._check_window(window))

    def _check_window(self, window: WindowFacts) -> Found:
        round_ = self._stage_of(window).numbered.get(window.round)
        if round_ and (round_.date is None or window.until < round_.date):
            yield ("until",), _("The window ends before it begins. Enter the later day second.")

    @check
    def _team_cuts(self, file: File) -> Found:
        for index, cut in enumerate(self.team_play.cuts if self.team_play else ()):
            yield from within(("team_play", "cuts", index), self._check_team_cut(cut))

    def _check_team_cut(self, cut: TeamCutFacts) -> Found:
        if self._stage_of(cut).cut is None:
            yield ("stage",), _("Only a stage with a “cut” lists its qualifiers.")

    def _stage_of(self, part: InStage) -> StageFacts:
        division = by_field(self.divisions, "slug").get(part.division)
        if division is None or part.stage not in division.named:
            raise UnknownField
        return division.named[part.stage]
