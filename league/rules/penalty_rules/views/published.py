"""Public pages of penalty rules: all published ones, one in full, those of a division."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from league.core.access import Access
from league.core.caching import ANY, answer, public_page, settle_address
from league.core.messages import in_language
from league.core.pages import page
from league.rules.penalty_rules.queries import presets_with
from league.rules.penalty_rules.words.catalogues import catalogue_sheet, offences_count
from league.rules.penalty_rules.words.rulings import PenaltyRules, penalty_rules_of
from players.text import tidy
from scoring.infractions import Catalogue, UnknownCatalogue, catalogues
from scoring.infractions import catalogue as published

LONGEST_QUERY: Final = 80  # characters; a longer one is cut


def query_of(request: HttpRequest) -> str:
    return tidy(request.GET.get("q", ""))[:LONGEST_QUERY]


# --- all of them


def catalogue_line(each: Catalogue, query: str) -> dict[str, object]:
    return {
        "catalogue": each,
        "name": in_language(each.names),
        "count": offences_count(len(each.infractions)),
        "levels": [in_language(level.names) for level in each.levels.values()],
        "rule_sets": [(preset.slug, in_language(preset.name)) for preset in presets_with(each.slug)],
        "found": catalogue_sheet(PenaltyRules(each), query=query).headings if query else (),
    }


@require_safe
def browse(request: HttpRequest) -> HttpResponseBase:
    may_keep = settle_address(request, {"q": ANY})
    query = query_of(request)

    def make() -> HttpResponse:
        lines = [catalogue_line(catalogue, query) for catalogue in catalogues()]
        matching = [line for line in lines if line["found"]] if query else lines
        return render(request, "penalty_rules/index.html", {"catalogues": matching, "query": query})

    return answer(request, (), make, may_keep=may_keep)


# --- one


@require_safe
def read(request: HttpRequest, catalogue: str) -> HttpResponseBase:
    try:
        book = published(catalogue)
    except UnknownCatalogue:
        raise Http404 from None
    may_keep = settle_address(request, {"q": ANY})

    def make() -> HttpResponse:
        query = query_of(request)
        return page(
            request,
            None,
            "penalty_rules/published.html",
            sheet=catalogue_sheet(PenaltyRules(book), query=query),
            query=query,
            rule_sets=[(preset.slug, in_language(preset.name)) for preset in presets_with(book.slug)],
        )

    return answer(request, (), make, may_keep=may_keep)


# --- what a division plays by


@public_page(q=ANY)
def division(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    """Show a league's own penalty rules, or that there are none. Published ones have their own page."""
    here = access.division(division)
    own = here.rule_set.own_catalogue
    played = penalty_rules_of(here.rule_set)
    if own is None and played.catalogue is not None:
        return redirect("penalty_rules:published", played.catalogue.slug)
    query = query_of(request)
    base = published(own.base) if own and played.catalogue else None
    return page(
        request,
        access,
        "penalty_rules/division.html",
        division=here,
        sheet=catalogue_sheet(played, query=query, base=base) if played.catalogue else None,
        base=base,
        query=query,
    )
