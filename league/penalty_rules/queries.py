"""Catalogues of offences: the rule sets, divisions and penalties that use them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from league.models import Competition, Division, League, OwnCatalogue, Penalty
from scoring.presets import Preset, presets


def presets_with(slug: str) -> list[Preset]:
    """The published rule sets that name this catalogue."""
    return [each for each in presets() if each.catalogue == slug]


@dataclass(frozen=True, slots=True)
class OwnCatalogueLine:
    """A league's own catalogue, and the divisions that play by it."""

    own: OwnCatalogue
    divisions: tuple[Division, ...]


def own_catalogues(league: League) -> list[OwnCatalogueLine]:
    """Every catalogue of the league by name, with who plays by it: two queries at any size."""
    return lines_of(OwnCatalogue.objects.filter(league=league))


def lines_of(found: Iterable[OwnCatalogue]) -> list[OwnCatalogueLine]:
    own = list(found)
    playing = Division.objects.filter(rule_set__own_catalogue__in=own).select_related(
        "competition", "rule_set"
    )
    divisions: dict[int | None, list[Division]] = {}
    for division in playing.order_by("competition__name", "position", "pk"):
        divisions.setdefault(division.rule_set.own_catalogue_id, []).append(division)
    return [OwnCatalogueLine(each, tuple(divisions.get(each.pk, ()))) for each in own]


def competitions_by(own: OwnCatalogue) -> QuerySet[Competition]:
    """The competitions with a division that plays by this catalogue, in the order of their locks."""
    return Competition.objects.filter(divisions__rule_set__own_catalogue=own).distinct().order_by("pk")


def penalties_for(own: OwnCatalogue, code: str) -> QuerySet[Penalty]:
    """Every penalty, revoked ones too, that names this entry of the catalogue."""
    return Penalty.objects.filter(stage__division__rule_set__own_catalogue=own, infraction=code)


def conditions_in_use(own: OwnCatalogue, code: str) -> int:
    """How many of the entry's conditions, from its first one, penalties refer to by their place."""
    last: int | None = penalties_for(own, code).aggregate(last=Max("condition"))["last"]
    return 0 if last is None else last + 1


@dataclass(frozen=True, slots=True)
class NamedOffence:
    """How many penalties of a division name this offence and these levels (each may be empty)."""

    infraction: str
    level: str
    penalties: int


def named_by_penalties(division: Division) -> list[NamedOffence]:
    """What the division's penalties name, revoked ones too. One query."""
    found = Penalty.objects.filter(stage__division=division).values_list("infraction", "level")
    counted = found.annotate(penalties=Count("pk")).order_by("infraction", "level")
    return [NamedOffence(*row) for row in counted]
