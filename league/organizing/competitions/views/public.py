"""Public pages of competitions: the front page, the rules, and the revision."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.core.access import Access, may_begin, visible_competitions
from league.core.caching import ANY, AUDIENCES, answer, facts_of, public_page, settle_address
from league.core.extras import answers
from league.core.pages import page, reads
from league.models import Division
from league.organizing.competitions.queries.front import Card, cards, own_cards, own_competitions, own_tables
from league.referees.desk.queries import chief_competitions, day_counts
from league.rules.penalty_rules.words.catalogues import catalogue_sheet
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from league.rules.rule_sets.queries.rule_sets import division_rules, divisions_of
from league.rules.rule_sets.queries.sheets import found_settings, rule_sheet
from players.text import tidy

LONGEST_QUERY: Final = 80  # characters; a longer one is cut
COMPETITIONS_A_PAGE = 20
OWN_COMPETITIONS = 12


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    own = list(own_competitions(request.user)[:OWN_COMPETITIONS])
    others = visible_competitions(request.user).exclude(pk__in=[each.pk for each in own])
    listed = Paginator(others, COMPETITIONS_A_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    every = cards([*listed.object_list, *own], today=timezone.localdate())
    numbers = [card.competition.pk for card in every]
    for lines in answers("home.cards", numbers, at=now):
        every = [replace(card, more=(*card.more, lines.get(card.competition.pk, ""))) for card in every]
    plain = every[: len(listed.object_list)]
    mine = own_cards(request.user, every[len(listed.object_list) :], now=now)
    next_tables, asked = own_tables(mine, now=now)
    return page(
        request,
        None,
        "competitions/home.html",
        page=listed,
        cards=plain,
        next_tables=next_tables,
        asked=asked,
        own=mine,
        picture=max((card for card in plain if card.best), key=_is_live, default=None),
        may_begin=may_begin(request.user),
        day=day_counts(chief_competitions(request.user)) if own else None,
    )


def _is_live(card: Card) -> tuple[bool, bool]:
    """Sort key of the competition with the picture: one being played, then one that goes on."""
    return card.head.now is not None, not card.head.is_over


@reads(kept=True)
def rules(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Render the rules of each division, or the results of a search in them.

    The names of own rules are part of the ETag, since renaming them raises no revision.
    """
    divisions = divisions_of(access.competition)
    played = {division: division_rules(division) for division in divisions}
    may_keep = settle_address(request, {"division": ANY, "q": ANY, "view": AUDIENCES})
    here = request.GET.get("division")
    query = tidy(request.GET.get("q", ""))[:LONGEST_QUERY]

    def make() -> HttpResponse:
        if query:
            asked = [each for each in divisions if each.slug == here] or divisions
            same = same_rules(asked)
            matches = [find_in_rules(each, query) for each in asked if each.pk not in same]
            return page(request, access, "competitions/rules.html", found=matches, query=query, division=here)
        same = same_rules(divisions)
        sheets = [(each.slug, rule_sheet(rules), same.get(each.pk)) for each, rules in played.items()]
        return page(request, access, "competitions/rules.html", sheets=sheets, division=here)

    facts = (*facts_of(access), [found.title for found in played.values()])
    return answer(request, facts, make, may_keep=may_keep)


def same_rules(divisions: Sequence[Division]) -> dict[int, Division]:
    """Return division → an earlier division with the same rules and offences."""
    first: dict[tuple[object, ...], Division] = {}
    same: dict[int, Division] = {}
    for division in divisions:
        own_rules = division_rules(division)
        facts = repr((sorted(own_rules.values.items()), own_rules.readings))
        key = (own_rules.title, facts, division.rule_set.catalogue, division.rule_set.own_catalogue_id)
        first.setdefault(key, division)
        if first[key] is not division:
            same[division.pk] = first[key]
    return same


def find_in_rules(division: Division, query: str) -> dict[str, Any]:
    sheet, penalties = rule_sheet(division_rules(division)), penalty_rules_of(division.rule_set)
    offences = catalogue_sheet(penalties, query=query) if penalties.catalogue else None
    matching_settings = found_settings(sheet, query)
    return {"slug": division.slug, "sheet": sheet, "settings": matching_settings, "offences": offences}


@public_page()
def revision(request: HttpRequest, access: Access) -> HttpResponse:
    """Return the version of what this person sees, for pages that renew themselves."""
    return JsonResponse({"revision": access.seen_version})
