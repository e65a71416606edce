"""What everybody may read of competitions: the front page, the rules, whether something changed."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.http import require_safe

from league.competitions.queries.front import cards, own_cards, own_competitions
from league.core.access import Access, may_begin, visible_competitions
from league.core.caching import answer, facts_of, is_plain, public_page
from league.core.pages import page, reads
from league.core.replica import reads_replica
from league.rule_sets.queries.rule_sets import division_rules, divisions_of
from league.rule_sets.queries.sheets import rule_sheet

COMPETITIONS_A_PAGE = 20
OWN_COMPETITIONS = 12


@require_safe
@reads_replica
def home(request: HttpRequest) -> HttpResponse:
    pages = Paginator(visible_competitions(request.user), COMPETITIONS_A_PAGE)
    shown = pages.get_page(request.GET.get("page"))
    own = list(own_competitions(request.user)[:OWN_COMPETITIONS])
    every = cards([*shown.object_list, *own])
    return page(
        request,
        None,
        "competitions/home.html",
        page=shown,
        cards=every[: len(shown.object_list)],
        own=own_cards(request.user, every[len(shown.object_list) :]),
        may_begin=may_begin(request.user),
    )


@reads(kept=True)
def rules(request: HttpRequest, access: Access) -> HttpResponseBase:
    """What each division plays. A league renames its rules without a new revision of the competition."""
    played = {division.slug: division_rules(division) for division in divisions_of(access.competition)}

    def make() -> HttpResponse:
        sheets = [(part, rule_sheet(found)) for part, found in played.items()]
        return page(request, access, "competitions/rules.html", sheets=sheets)

    facts = (*facts_of(access), [found.title for found in played.values()])
    return answer(request, facts, make, may_keep=is_plain(request, {}))


@public_page()
def revision(request: HttpRequest, access: Access) -> HttpResponse:
    """The competition's revision, for pages that stand open on a wall."""
    return JsonResponse({"revision": access.competition.revision})
