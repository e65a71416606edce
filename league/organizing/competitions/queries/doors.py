"""The doors of the organizer's page, with the links behind each.

The room declares its entries in ``words.MENU``, extras in their ``menu``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from league.core.extras import Item, menu_at
from league.models import Competition, Division, Round, Stage, Table
from league.organizing.competitions.words import MENU


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a page. ``note``: what it is for. ``also``: other words by which it is found."""

    label: str | Promise
    address: str
    note: str | Promise = ""
    also: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Door:
    label: str | Promise
    note: str | Promise
    name: str
    places: tuple[str, ...]


DOORS = (
    Door(
        gettext_lazy("Players"), gettext_lazy("registrations, teams"), "roster:index", ("organizer.players",)
    ),
    Door(
        pgettext_lazy("manage", "Print"),
        gettext_lazy("score sheets, cards, seating, QR codes"),
        "competitions:print",
        ("organizer.print",),
    ),
    Door(
        pgettext_lazy("manage", "Screens"),
        gettext_lazy("seating, standings, clock, ceremony"),
        "competitions:screens",
        ("organizer.screens",),
    ),
    Door(
        gettext_lazy("Files"),
        gettext_lazy("workbooks, forms, certificates"),
        "competitions:files",
        ("organizer.files",),
    ),
    Door(
        gettext_lazy("Settings and staff"),
        gettext_lazy("rules, tie-breaks, referees, roles"),
        "competitions:settings",
        ("organizer.settings", "organizer.ties", "organizer.staff"),
    ),
)


def links_at(competition: Competition, *places: str) -> list[Link]:
    """Return the links of these places: the core's, then those of extras."""
    return [_link(item, competition) for place in places for item in _items_at(place)]


def _items_at(place: str) -> Iterator[Item]:
    return chain((item for item in MENU if item.place == place), menu_at(place))


def _link(item: Item, competition: Competition) -> Link:
    arguments = [] if item.is_of_site else [competition.slug]
    return Link(item.label, reverse(item.address, args=arguments) + item.query, item.note, item.also)


def rule_links(competition: Competition, divisions: Iterable[Division]) -> list[Link]:
    """Return a link to the rules of each division, which has its name if there are several."""
    divisions = list(divisions)
    note = _("uma, oka, ties, penalty rules")
    also = pgettext("found by", "rule set preset start points red fives time limit minutes")
    return [
        Link(
            _("Change rules"),
            reverse("rule_sets:division_rules", args=[competition.slug, each.slug]),
            each.name if len(divisions) > 1 else note,
            also,
        )
        for each in divisions
    ]


def more_links(competition: Competition, ranked: Sequence[Division], *, owns_league: bool) -> list[Link]:
    """Return the links that stand behind no door. ``ranked``: the divisions with an overall ranking."""
    places = ["organizer.more"]
    places += ["organizer.season"] if competition.kind == Competition.Kind.SEASON else []
    places += ["organizer.league"] if owns_league else []
    overall = [
        Link(
            _("Overall ranking"),
            reverse("standings:overall", args=[competition.slug, each.slug]),
            each.name if len(ranked) > 1 else _("all stages and the final in one list"),
            pgettext("found by", "final standings result list podium"),
        )
        for each in ranked
    ]
    links = [*overall, *links_at(competition, *places)]
    if owns_league:
        league = competition.league
        also = pgettext("found by", "owner club house rules register")
        links.append(
            Link(
                league.name,
                reverse("competitions:league", args=[league.slug]),
                _("the page of the league"),
                also,
            )
        )
    return [*links, _end_link(competition)]


def _end_link(competition: Competition) -> Link:
    if competition.finished_at:
        label, note = _("Reopen"), _("change something in a finished competition")
    elif competition.kind == Competition.Kind.EVENT:
        label, note = _("Finish the tournament"), _("the podium, then no more changes")
    else:
        label, note = _("Finish the season"), _("the podium, then no more changes")
    also = pgettext("found by", "close end over freeze done")
    return Link(label, reverse("competitions:finish", args=[competition.slug]), note, also)


def rounds_to_print(competition: Competition) -> tuple[list[Round], list[Round]]:
    """Return the rounds to be played in their order, and the closed ones, newest first. Queries: 1.

    ``has_tables`` of a round: its players are seated.
    """
    rounds = Round.objects.of(competition).exclude(stage__play=Stage.Play.OPEN)
    rounds = rounds.select_related("stage__division")
    papers = rounds.annotate(has_tables=Exists(Table.objects.filter(round=OuterRef("pk"))))
    found: list[Round] = list(papers.order_by("stage__division__position", "stage__position", "number", "pk"))
    closed = [each for each in found if each.status == Round.Status.CLOSED]
    return [each for each in found if each.status != Round.Status.CLOSED], closed[::-1]
