"""The rule sets that everyone may look up: all of them, one in full, several side by side, one on a wall.

Pages of published rule sets depend on the release and the language alone; those of competitions on their
revision too.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import register_converter, reverse
from django.views.decorators.http import require_safe

from league.core.caching import answer, settle_address
from league.rule_sets.queries.rule_sets import (
    COMPETITIONS,
    FoundRules,
    competitions_under,
    find_rules,
    find_several,
    own_leagues,
    preset_rules,
)
from league.rule_sets.queries.sheets import place_points, rule_sheet, side_by_side, start_and_return
from league.rule_sets.views.score_tables import score_page
from league.rule_sets.views.wall import on_the_wall, wall_size, wall_source, wall_title
from league.rule_sets.words.values import setting_value
from scoring.presets import presets

MOST_COMPARED: Final = 24
SHOWN_OF_A_KEY: Final = 60  # characters of a key that leads nowhere


class RuleSetKey:
    """Keys in addresses: what slugs are made of, and the colons between them."""

    regex = "[-a-zA-Z0-9_:]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(RuleSetKey, "rule_set")


def rules_of(request: HttpRequest, key: str) -> FoundRules:
    """The rule set of this key; ``Http404`` if there is none that the person may see."""
    found = find_rules(request.user, key)
    if found is None:
        raise Http404
    return found


# --- all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetLine:
    """A published rule set at a glance."""

    found: FoundRules
    document: str
    points: str
    places: str
    ties: str
    choices: int
    options: int
    conflicts: int


def preset_lines() -> list[PresetLine]:
    return [preset_line(preset_rules(each)) for each in presets()]


def preset_line(found: FoundRules) -> PresetLine:
    assert found.source
    return PresetLine(
        found=found,
        document=found.source.document,
        points=start_and_return(found.rules),
        places=place_points(found.rules),
        ties=setting_value("tie_rule", found.values["tie_rule"]),
        choices=sum(cite.choice for cite in found.source.cites.values()),
        options=len(found.source.options),
        conflicts=len(found.source.conflicts),
    )


@require_safe
def browse(request: HttpRequest) -> HttpResponseBase:
    may_keep = settle_address(request, {})

    def make() -> HttpResponse:
        return render(request, "rule_sets/index.html", {"books": preset_lines()})

    return answer(request, (), make, may_keep=may_keep)


# --- one


@require_safe
def read(request: HttpRequest, key: str) -> HttpResponseBase:
    """One rule set in full; that of a division is on its competition's page."""
    found = rules_of(request, key)
    if found.competition:
        return redirect(found.address)
    may_keep = settle_address(request, {})
    playing = competitions_under(found.preset) if found.is_preset else []
    leagues = own_leagues(request.user)
    facts = (
        found.state,
        [(each.slug, each.name, each.league.name) for each in playing],
        [(each.slug, each.name) for each in leagues],
    )

    def make() -> HttpResponse:
        context = {
            "sheet": rule_sheet(found, elsewhere=True),
            "competitions": playing[:COMPETITIONS],
            "more_competitions": len(playing) > COMPETITIONS,
            "leagues": leagues,
        }
        return render(request, "rule_sets/published.html", context)

    return answer(request, facts, make, may_keep=may_keep)


# --- side by side


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedColumn:
    """One of the rule sets compared, and the addresses of the page with it in front, and without it."""

    found: FoundRules
    in_front: str
    without: str


@require_safe
def compare(request: HttpRequest) -> HttpResponseBase:
    """Two rule sets or more; with fewer, the list to choose from."""
    several = find_several(request.user, request.GET.getlist("set"), most=MOST_COMPARED)
    found = several.found
    differences, sources = (request.GET.get(switch) == "1" for switch in ("differences", "sources"))

    def address(keys: Iterable[str], **switches: bool) -> str:
        return compare_address(keys, **({"differences": differences, "sources": sources} | switches))

    def make() -> HttpResponse:
        keys = [each.key for each in found]
        groups = side_by_side(found, only_differences=differences) if len(found) > 1 else ()
        context = {
            "columns": columns(found, address),
            "keys": keys,
            "groups": groups,
            "differing": sum(group.differing for group in groups),
            "differences": differences,
            "sources": sources,
            "other_differences": address(keys, differences=not differences),
            "other_sources": address(keys, sources=not sources),
            "books": preset_lines() if len(found) < 2 else (),
            "others": [each for each in map(preset_rules, presets()) if each.key not in keys],
            "unknown": [shortened(key) for key in several.unknown],
            "left_out": several.left_out,
            "most": MOST_COMPARED,
        }
        return render(request, "rule_sets/compare.html", context)

    return answer(request, tuple(each.state for each in found), make, may_keep=False)


def columns(found: Sequence[FoundRules], address: Callable[..., str]) -> list[ComparedColumn]:
    keys = [each.key for each in found]
    return [
        ComparedColumn(
            found=each,
            in_front=address([each.key, *(key for key in keys if key != each.key)]),
            without=address([key for key in keys if key != each.key]),
        )
        for each in found
    ]


def compare_address(keys: Iterable[str], *, differences: bool = False, sources: bool = False) -> str:
    query = QueryDict(mutable=True)
    query.setlist("set", list(keys))
    query.update({name: "1" for name, on in (("differences", differences), ("sources", sources)) if on})
    return f"{reverse('rule_sets:compare')}?{query.urlencode(safe=':')}"


def shortened(key: str) -> str:
    """A key that leads nowhere, as a sentence can quote it."""
    return key if len(key) <= SHOWN_OF_A_KEY else f"{key[:SHOWN_OF_A_KEY]}…"


# --- on paper


@require_safe
def summary(request: HttpRequest, key: str) -> HttpResponseBase:
    """What players ask about, on one A4 page for the wall."""
    may_keep = settle_address(request, {})
    found = rules_of(request, key)

    def make() -> HttpResponse:
        sheet = rule_sheet(found)
        wall, table = on_the_wall(sheet), score_page(found.rules)
        title, source = wall_title(found), wall_source(found)
        context = {
            "sheet": sheet,
            "wall": wall,
            "title": title,
            "source": source,
            "size": wall_size(
                wall, title, source, len(table.dealer.limits), unbalanced=bool(sheet.rules.imbalance)
            ),
            "has_choice": any(line.choice for group in wall for line in (*group.said, *group.ticked)),
            "table": table,
        }
        return render(request, "rule_sets/summary.html", context)

    return answer(request, found.state, make, may_keep=may_keep)


@require_safe
def scores(request: HttpRequest, key: str) -> HttpResponseBase:
    """What every hand costs under the rule set."""
    may_keep = settle_address(request, {})
    found = rules_of(request, key)

    def make() -> HttpResponse:
        context = {"sheet": rule_sheet(found), "table": score_page(found.rules)}
        return render(request, "rule_sets/scores.html", context)

    return answer(request, found.state, make, may_keep=may_keep)
