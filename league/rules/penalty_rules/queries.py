"""Rule sets, divisions and penalties that use penalty rules."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from league.models import Competition, Division, OwnCatalogue, Penalty, RuleSet
from league.rules.penalty_rules.words.rulings import PenaltyRules, level_name, penalty_rules_of
from scoring.presets import Preset, presets


def presets_with(slug: str) -> list[Preset]:
    return [preset for preset in presets() if preset.catalogue == slug]


def with_divisions(catalogues: Iterable[OwnCatalogue]) -> list[tuple[OwnCatalogue, list[Division]]]:
    """Return each catalogue with the divisions that use it. Queries: 2 at any size."""
    divisions: dict[int | None, list[Division]] = {catalogue.pk: [] for catalogue in catalogues}
    playing = Division.objects.filter(rule_set__own_catalogue__in=catalogues)
    playing = playing.select_related("competition", "rule_set")
    for division in playing.order_by("competition__name", "position", "pk"):
        divisions[division.rule_set.own_catalogue_id].append(division)
    return [(catalogue, divisions[catalogue.pk]) for catalogue in catalogues]


def competitions_by(own: OwnCatalogue) -> QuerySet[Competition]:
    """Return the competitions with a division that uses these penalty rules, in lock order."""
    return Competition.objects.filter(divisions__rule_set__own_catalogue=own).distinct().order_by("pk")


def penalties_for(own: OwnCatalogue, code: str) -> QuerySet[Penalty]:
    """Return every penalty, including revoked ones, that names this entry."""
    return Penalty.objects.filter(stage__division__rule_set__own_catalogue=own, infraction=code)


def conditions_in_use(own: OwnCatalogue, code: str) -> int:
    """Return how many conditions, from the first, penalties refer to by index."""
    last: int | None = penalties_for(own, code).aggregate(last=Max("condition"))["last"]
    return 0 if last is None else last + 1


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """An offence or level that other penalty rules lack or rename. ``then``: its new name."""

    name: str
    then: str
    penalties: int


def left_behind(division: Division, to: RuleSet) -> list[LeftBehind]:
    """Return what penalties name and the penalty rules of ``to`` lack, each penalty once. Queries: 1."""
    now = penalty_rules_of(division.rule_set)
    then = penalty_rules_of(to)
    counts: Counter[tuple[str, str]] = Counter()
    named = Penalty.objects.filter(stage__division=division).values_list("infraction", "level")
    for code, level, penalties in named.annotate(penalties=Count("pk")).order_by("infraction", "level"):
        rules = now.wording(code, level), then.wording(code, level)
        if _differ(now, then, code, ""):
            before, after = (wording.offence(code) for wording in rules)
        elif _differ(now, then, "", level):
            before, after = (level_name(level, wording) for wording in rules)
        else:
            continue
        counts[before, after] += penalties
    return [LeftBehind(old, "" if old == new else new, count) for (old, new), count in counts.items()]


def _differ(now: PenaltyRules, then: PenaltyRules, infraction: str, level: str) -> bool:
    names = now.names(infraction, level)
    return names is not None and names != then.names(infraction, level)
