"""What everybody may read of competitions: the front page, the rules, whether something changed."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.core.access import Access, enter, visible_competitions
from league.core.caching import answer, facts_of, is_plain, public_page
from league.core.pages import context_of
from league.rule_sets.queries.rule_sets import division_rules, divisions_of
from league.rule_sets.views.sheets import rule_sheet
from league.standings.queries.front import cards, own_cards, own_competitions

COMPETITIONS_A_PAGE = 20


OWN_COMPETITIONS = 12


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    pages = Paginator(visible_competitions(request.user), COMPETITIONS_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    own = list(own_competitions(request.user)[:OWN_COMPETITIONS])
    every = cards([*page.object_list, *own])
    context = {
        "page": page,
        "cards": every[: len(page.object_list)],
        "own": own_cards(request.user, every[len(page.object_list) :]),
    }
    return render(request, "competitions/home.html", context)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What each division plays. The books of a league get other names without a revision of this."""
    access = enter(request.user, slug)
    played = {division.slug: division_rules(division) for division in divisions_of(access.competition)}

    def make() -> HttpResponse:
        sheets = [(part, rule_sheet(found)) for part, found in played.items()]
        return render(request, "competitions/rules.html", context_of(request, access, sheets=sheets))

    facts = (*facts_of(access), [found.title for found in played.values()])
    return answer(request, facts, make, may_keep=is_plain(request, {}))


@public_page()
def revision(request: HttpRequest, access: Access) -> HttpResponse:
    """The competition's revision, for pages that stand open on a wall."""
    return JsonResponse({"revision": access.competition.revision})
