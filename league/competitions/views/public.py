"""What everyone may read of competitions: the front page, the rules, whether something changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.competitions.queries.front import Card, cards, own_cards, own_competitions
from league.core.access import Access, may_begin, visible_competitions
from league.core.caching import answer, facts_of, is_plain, public_page
from league.core.pages import page, reads
from league.core.replica import reads_replica
from league.models import Division
from league.penalty_rules.words.catalogues import CatalogueSheet, catalogue_sheet
from league.penalty_rules.words.rulings import penalty_rules_of
from league.rule_sets.queries.rule_sets import division_rules, divisions_of
from league.rule_sets.queries.sheets import RuleSheet, SettingLine, found_settings, rule_sheet
from players.text import tidy

LONGEST_QUERY: Final = 80  # characters; a longer one is cut
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


@dataclass(frozen=True, slots=True)
class FoundInRules:
    """What a search found in the rules and the offences of a division."""

    slug: str
    sheet: RuleSheet
    settings: list[SettingLine]
    offences: CatalogueSheet | None


@reads(kept=True)
def rules(request: HttpRequest, access: Access) -> HttpResponseBase:
    """What each division plays, or with a query what it finds there. A league renames its rules without a new
    revision of the competition.
    """
    divisions = divisions_of(access.competition)
    played = {division: division_rules(division) for division in divisions}
    here = request.GET.get("division")
    query = tidy(request.GET.get("q", ""))[:LONGEST_QUERY]

    def make() -> HttpResponse:
        if query:
            asked = [each for each in divisions if each.slug == here] or divisions
            same = same_rules(asked)
            found = [find_in_rules(each, query) for each in asked if each.pk not in same]
            return page(request, access, "competitions/rules.html", found=found, query=query, division=here)
        same = same_rules(divisions)
        sheets = [(each.slug, rule_sheet(rules), same.get(each.pk)) for each, rules in played.items()]
        return page(request, access, "competitions/rules.html", sheets=sheets, division=here)

    facts = (*facts_of(access), [found.title for found in played.values()])
    return answer(request, facts, make, may_keep=is_plain(request, {}))


def same_rules(divisions: Sequence[Division]) -> dict[int, Division]:
    """Divisions that play the same rules and offences as one before them → that one."""
    first: dict[tuple[object, ...], Division] = {}
    same: dict[int, Division] = {}
    for each in divisions:
        found = division_rules(each)
        facts = repr((sorted(found.values.items()), found.readings))
        key = (found.title, facts, each.rule_set.catalogue, each.rule_set.own_catalogue_id)
        first.setdefault(key, each)
        if first[key] is not each:
            same[each.pk] = first[key]
    return same


def find_in_rules(division: Division, query: str) -> FoundInRules:
    sheet, penalties = rule_sheet(division_rules(division)), penalty_rules_of(division.rule_set)
    offences = catalogue_sheet(penalties, query=query) if penalties.catalogue else None
    return FoundInRules(division.slug, sheet, found_settings(sheet, query), offences)


@public_page()
def revision(request: HttpRequest, access: Access) -> HttpResponse:
    """Answer with the version of what this person sees, for pages that renew themselves."""
    return JsonResponse({"revision": access.seen_version})
