"""What everybody may read of competitions: the front page, the rules, whether something changed."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.competitions.queries.front import Card, cards, own_cards, own_competitions
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
    """The competitions: for staff their own with what waits in them, then all others."""
    own = list(own_competitions(request.user)[:OWN_COMPETITIONS])
    others = visible_competitions(request.user).exclude(pk__in=[each.pk for each in own])
    shown = Paginator(others, COMPETITIONS_A_PAGE).get_page(request.GET.get("page"))
    every = cards([*shown.object_list, *own], today=timezone.localdate())
    plain = every[: len(shown.object_list)]
    return page(
        request,
        None,
        "competitions/home.html",
        page=shown,
        cards=plain,
        own=own_cards(request.user, every[len(shown.object_list) :]),
        picture=max((card for card in plain if card.best), key=_is_live, default=None),
        may_begin=may_begin(request.user),
    )


def _is_live(card: Card) -> tuple[bool, bool]:
    """Which competition is the picture of the front page: one that is played, else one that goes on."""
    return card.head.now is not None, not card.head.is_over


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
    """The competition's revision, for pages that are open on a wall."""
    return JsonResponse({"revision": access.competition.revision})
