"""What a competition file says of divisions and their rules; and written as the file is imported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.core.changes import Change
from league.core.slugs import free_slug
from league.interchange.services.stages import StageFacts
from league.models import Division, OwnCatalogue, RuleSet
from scoring.promotion import NO_MOVEMENT, Movement
from scoring.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingFacts:
    """Which of two texts was chosen, and its place, in what its sources contradict about these settings."""

    settings: tuple[str, ...]
    chosen: int
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueFacts:
    """A league's own book of offences: what it extends, and entries as ``scoring.infractions`` reads them."""

    name: str
    base: str
    entries: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionFacts:
    """``edition`` is that of the preset from which ``rules`` were once made. The book of offences is the
    preset's, or that of the slug ``catalogue``, or ``own_catalogue``.
    """

    slug: str
    name: str
    preset: str
    edition: str
    rules: Rules
    readings: tuple[ReadingFacts, ...] = ()
    movement: Movement = NO_MOVEMENT
    catalogue: str = ""
    own_catalogue: CatalogueFacts | None = None
    stages: tuple[StageFacts, ...]


def write_divisions(done: Change, divisions: Sequence[DivisionFacts]) -> dict[str, Division]:
    """Each division with a copy of its rules: the import is when they were chosen, as far as we know."""
    made = {}
    for position, facts in enumerate(divisions, 1):
        rule_set = RuleSet.objects.create(
            preset=facts.preset,
            edition=facts.edition,
            values=facts.rules.as_values(),
            readings=[_record(reading, done) for reading in facts.readings],
            catalogue=facts.catalogue,
            own_catalogue=_own_catalogue(done, facts.own_catalogue),
            created_by=done.by,
            created_at=done.at,
        )
        made[facts.slug] = Division.objects.create(
            competition=done.competition,
            slug=facts.slug,
            name=facts.name,
            position=position,
            rule_set=rule_set,
            movement=facts.movement.as_values(),
        )
    return made


def _own_catalogue(done: Change, facts: CatalogueFacts | None) -> OwnCatalogue | None:
    """The league's catalogue that says this, whatever it is called; else a new one."""
    if facts is None:
        return None
    entries = [dict(entry) for entry in facts.entries]
    league = done.competition.league_id
    there = OwnCatalogue.objects.filter(league=league)
    for own in there.filter(base=facts.base):
        if own.entries == entries:
            return own
    names = set(there.values_list("name", flat=True))
    numbered = (facts.name if n == 1 else f"{facts.name} ({n})" for n in range(1, len(names) + 2))
    return OwnCatalogue.objects.create(
        league_id=league,
        name=next(name for name in numbered if name not in names),
        slug=free_slug(facts.name, set(there.values_list("slug", flat=True)), fallback="offences"),
        base=facts.base,
        entries=entries,
        created_by=done.by,
    )


def _record(reading: ReadingFacts, done: Change) -> dict[str, object]:
    """As ``league.rule_sets.source_choices`` keeps it."""
    return {
        "settings": list(reading.settings),
        "chosen": reading.chosen,
        "place": reading.place,
        "by": done.by.pk if done.by else None,
        "at": done.at.isoformat(),
    }
