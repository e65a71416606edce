"""What a competition file says of stages, the cuts that began them and lots drawn in them; and written as the
file is imported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.core.changes import Change
from league.interchange.services.keys import StageKey
from league.interchange.services.rounds import RoundFacts
from league.models import Division, Lots, Stage, StageEntrant
from players.models import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class CutFacts:
    """A cut: ``source`` is the slug of the stage before, ``numbers`` how many it asked for, ``decided`` the
    equal players who were in and out, and by what; of a play-off the address of the lower division.
    """

    source: str
    play_off: str = ""
    numbers: Mapping[str, int | str]
    picked: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    moved_up: tuple[str, ...] = ()
    decided: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QualifiedFacts:
    """Who came into a stage by its cut, in the order of their positions; the head start in tenths."""

    player: str
    how: str
    head_start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LotsFacts:
    """Players in the order in which they were drawn."""

    players: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFacts:
    slug: str
    name: str
    carry: str
    rounds: tuple[RoundFacts, ...]
    valid_hanchan: int = 0
    standard_hanchan: int | None = None
    beyond: str = Stage.Beyond.ALL.value
    sit_out: str = Stage.SitOut.NOTHING.value
    sit_out_score: int = 0
    cut: CutFacts | None = None
    entrants: tuple[QualifiedFacts, ...] = ()
    lots: tuple[LotsFacts, ...] = ()


def write_stages(division: Division, stages: Sequence[StageFacts]) -> dict[StageKey, Stage]:
    """The stages of a division, in their order; who is in them is written later, by ``write_cuts``."""
    return {
        (division.slug, facts.slug): Stage.objects.create(
            division=division,
            slug=facts.slug,
            name=facts.name,
            position=position,
            carry=facts.carry,
            sit_out=facts.sit_out,
            sit_out_score=facts.sit_out_score,
            valid_hanchan=facts.valid_hanchan,
            standard_hanchan=facts.standard_hanchan,
            beyond=facts.beyond,
        )
        for position, facts in enumerate(stages, 1)
    }


def write_cuts(
    done: Change,
    division: str,
    every: Iterable[StageFacts],
    stages: Mapping[StageKey, Stage],
    players: Mapping[str, Player],
) -> None:
    """Who came into which stage of a division, and the lots."""
    for facts in every:
        stage = stages[division, facts.slug]
        if facts.cut is not None:
            stage.cut = _cut(facts.cut, stages[division, facts.cut.source].pk, players)
            stage.cut |= _play_off(facts.cut, stages)
            stage.save(update_fields=["cut"])
        StageEntrant.objects.bulk_create(
            StageEntrant(
                stage=stage,
                player=players[each.player],
                position=position,
                head_start=each.head_start,
                how=each.how,
            )
            for position, each in enumerate(facts.entrants, 1)
        )
        Lots.objects.bulk_create(
            Lots(
                stage=stage,
                players=_ids(each.players, players),
                seed=each.seed,
                created_by=done.by,
                created_at=done.at,
            )
            for each in facts.lots
        )


def _cut(facts: CutFacts, source: int, players: Mapping[str, Player]) -> dict[str, object]:
    """As ``league.stages.services`` keeps it."""
    decided = [
        {"in": _ids(inside, players), "out": _ids(outside, players), "by": by}
        for inside, outside, by in facts.decided
    ]
    return {
        "from": source,
        **facts.numbers,
        "picked": _ids(facts.picked, players),
        "decided": decided,
        "gone": _ids(facts.gone, players),
        "moved_up": _ids(facts.moved_up, players),
    }


def _play_off(facts: CutFacts, stages: Mapping[StageKey, Stage]) -> dict[str, object]:
    """The lower division of a play-off, as ``league.seasons.services`` keeps it."""
    lower = (stage.division_id for (division, _), stage in stages.items() if division == facts.play_off)
    return {"play_off": next(lower)} if facts.play_off else {}


def _ids(keys: Iterable[str], players: Mapping[str, Player]) -> list[int]:
    return [players[key].pk for key in keys]
