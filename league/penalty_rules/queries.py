"""Catalogues of offences: the rule sets, divisions and penalties that use them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from league.models import Competition, Division, League, OwnCatalogue, Penalty, RuleSet
from league.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
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


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """An offence or a level that logged penalties name and other penalty rules lack, or call otherwise.
    ``then``: what those call it; empty if as before.
    """

    name: str
    then: str
    penalties: int


def left_behind(division: Division, to: RuleSet) -> list[LeftBehind]:
    """What the division's penalties name and the penalty rules of ``to`` lack. Each penalty counts once: for
    its offence, or for its levels where those alone are lacking. One query.
    """
    now, then = penalty_rules_of(division.rule_set), penalty_rules_of(to)
    counts: dict[tuple[str, str], int] = {}
    for each in named_by_penalties(division):
        rules = now.wording(each.infraction, each.level), then.wording(each.infraction, each.level)
        if _differ(now, then, each.infraction, ""):
            before, after = (found.offence(each.infraction) for found in rules)
        elif _differ(now, then, "", each.level):
            before, after = (level_name(each.level, found) for found in rules)
        else:
            continue
        counts[before, after] = counts.get((before, after), 0) + each.penalties
    return [LeftBehind(old, "" if old == new else new, count) for (old, new), count in counts.items()]


def _differ(now: PenaltyRules, then: PenaltyRules, infraction: str, level: str) -> bool:
    names = now.names(infraction, level)
    return names is not None and names != then.names(infraction, level)
