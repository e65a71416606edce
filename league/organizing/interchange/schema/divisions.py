"""Divisions and stages of the competition file."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import Field

from league.models import Stage, StageEntrant
from league.organizing.interchange.schema import kinds
from league.organizing.interchange.schema.base import FileFacts, Parts, by_field, omit
from league.organizing.interchange.schema.checks import (
    File,
    Found,
    UnknownField,
    Wrong,
    check,
    choose,
    within,
)
from league.organizing.interchange.schema.kinds import Choice, Once, Whole
from league.organizing.interchange.schema.play import RoundFacts, TableFacts
from league.organizing.interchange.schema.problems import Path, quote
from league.organizing.interchange.schema.registration import RegistrationFacts
from league.organizing.interchange.schema.rules import RulesFacts
from scoring.cuts import BY_RANK, DEFAULT_WILD_CARDS, WILD_CARD_METRICS
from scoring.presets import UnknownPreset
from scoring.promotion import NO_MOVEMENT
from scoring.rules import RulesError
from scoring.standings import TIE_BREAKS


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
    wild_card_by: Annotated[str, Choice(*WILD_CARD_METRICS)] = DEFAULT_WILD_CARDS
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
        *("slug", "name", "carry", "counts_for_teams", "sit_out", "planned_rounds", "planned_cut"),
        "rankings",
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
    planned_cut: Annotated[int, Whole(least=1, most=999)] | None = omit(None)
    """How many players or teams go on to the next stage, where that was said before the cut."""
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
    registration: RegistrationFacts | None = omit(None)
    """Left out: as it is."""
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
