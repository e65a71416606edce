"""Public pages of rule sets: the list, one in full, several side by side, one on a wall."""

from collections.abc import Iterable
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import register_converter, reverse
from django.views.decorators.http import require_safe

from league.core.caching import answer, settle_address
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.queries.rule_sets import (
    COMPETITIONS,
    FoundRules,
    competitions_under,
    find_rules,
    find_several,
    own_leagues,
    preset_rules,
)
from league.rules.rule_sets.queries.sheets import place_points, rule_sheet, side_by_side, start_and_return
from league.rules.rule_sets.views.score_tables import score_page
from league.rules.rule_sets.views.wall import on_the_wall, wall_size, wall_source, wall_title
from scoring.presets import presets

MOST_COMPARED: Final = 24
SHOWN_OF_A_KEY: Final = 60  # characters of a key that leads nowhere


class RuleSetKey:
    """Keys in addresses: slugs with colons between them."""

    regex = "[-a-zA-Z0-9_:]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(RuleSetKey, "rule_set")


def rules_of(request: HttpRequest, key: str) -> FoundRules:
    """Return the rule set of this key. Raises ``Http404`` if there is none that the person may see."""
    found = find_rules(request.user, key)
    if found is None:
        raise Http404
    return found


# --- all of them


def preset_lines() -> list[dict[str, Any]]:
    return [
        {
            "found": (found := preset_rules(source)),
            "points": start_and_return(found.rules),
            "places": place_points(found.rules),
            "ties": setting_value("tie_rule", found.values["tie_rule"]),
            "choices": sum(cite.choice for cite in source.cites.values()),
        }
        for source in presets()
    ]


@require_safe
def browse(request: HttpRequest) -> HttpResponseBase:
    may_keep = settle_address(request, {})

    def make() -> HttpResponse:
        return render(request, "rule_sets/index.html", {"books": preset_lines()})

    return answer(request, (), make, may_keep=may_keep)


# --- one


@require_safe
def read(request: HttpRequest, key: str) -> HttpResponseBase:
    """Render one rule set in full. The rules of a division are on its competition's page."""
    found = rules_of(request, key)
    if found.competition:
        return redirect(found.address)
    may_keep = settle_address(request, {})
    playing = competitions_under(found.preset) if found.is_preset else []
    leagues = own_leagues(request.user)
    facts = (
        found.state,
        [(each.slug, each.name, each.league.name) for each in playing],
        [(league.slug, league.name) for league in leagues],
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


@require_safe
def compare(request: HttpRequest) -> HttpResponseBase:
    """Compare rule sets, or list them if fewer than two are named."""
    keys = request.GET.getlist("set")
    found, unknown, left_out = find_several(request.user, keys, most=MOST_COMPARED)
    differences, sources = (request.GET.get(switch) == "1" for switch in ("differences", "sources"))

    def address(keys: Iterable[str], **switches: bool) -> str:
        return compare_address(keys, **({"differences": differences, "sources": sources} | switches))

    def make() -> HttpResponse:
        keys = [each.key for each in found]
        groups = side_by_side(found, only_differences=differences) if len(found) > 1 else ()
        context = {
            "columns": [
                {
                    "found": each,
                    "in_front": address(dict.fromkeys([each.key, *keys])),
                    "without": address(key for key in keys if key != each.key),
                }
                for each in found
            ],
            "keys": keys,
            "groups": groups,
            "differing": sum(row["differs"] for group in groups for row in group["rows"]),
            "differences": differences,
            "sources": sources,
            "other_differences": address(keys, differences=not differences),
            "other_sources": address(keys, sources=not sources),
            "books": preset_lines() if len(found) < 2 else (),
            "others": [each for each in map(preset_rules, presets()) if each.key not in keys],
            "unknown": [shortened(key) for key in unknown],
            "left_out": left_out,
            "most": MOST_COMPARED,
        }
        return render(request, "rule_sets/compare.html", context)

    return answer(request, tuple(each.state for each in found), make, may_keep=False)


def compare_address(keys: Iterable[str], *, differences: bool = False, sources: bool = False) -> str:
    query = QueryDict(mutable=True)
    query.setlist("set", list(keys))
    query.update({name: "1" for name, on in (("differences", differences), ("sources", sources)) if on})
    return f"{reverse('rule_sets:compare')}?{query.urlencode(safe=':')}"


def shortened(key: str) -> str:
    """Return an unknown key as a sentence can quote it."""
    return key if len(key) <= SHOWN_OF_A_KEY else f"{key[:SHOWN_OF_A_KEY]}…"


# --- on paper


@require_safe
def summary(request: HttpRequest, key: str) -> HttpResponseBase:
    """Render one A4 page for the wall."""
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
                wall, title, source, len(table["dealer"]["limits"]), unbalanced=bool(sheet.rules.imbalance)
            ),
            "has_choice": any(line.choice for group in wall for line in (*group.said, *group.ticked)),
            "table": table,
        }
        return render(request, "rule_sets/summary.html", context)

    return answer(request, found.state, make, may_keep=may_keep)


@require_safe
def scores(request: HttpRequest, key: str) -> HttpResponseBase:
    may_keep = settle_address(request, {})
    found = rules_of(request, key)

    def make() -> HttpResponse:
        context = {"sheet": rule_sheet(found), "table": score_page(found.rules)}
        return render(request, "rule_sets/scores.html", context)

    return answer(request, found.state, make, may_keep=may_keep)
