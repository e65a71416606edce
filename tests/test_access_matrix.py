"""Every page × every role × another competition, made from the addresses: a new page without a rule fails.

``RULES`` says who may open each named page; the rest comes from the URL configuration. A page that only takes
POST is tried with an empty POST: whoever may use it gets any answer but a refusal.
"""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from league.models import Invitation, Role
from league.services.penalties import log_penalty
from tests.cast import Club, club, user

pytestmark = pytest.mark.django_db

EVERYBODY = {"visitor", "stranger", "player", "scorer", "referee", "organizer"}
SIGNED_IN = EVERYBODY - {"visitor"}
SCORERS = {"scorer", "organizer"}
REFEREES = {"referee", "organizer"}
STAFF = {"scorer", "referee", "organizer"}
ORGANIZERS = {"organizer"}

RULES: dict[str, set[str]] = {
    # public
    "home": EVERYBODY,
    "competition": EVERYBODY,
    "standings": EVERYBODY,
    "rounds": EVERYBODY,
    "round": EVERYBODY,
    "players": EVERYBODY,
    "player": EVERYBODY,
    "rules": EVERYBODY,
    "revision": EVERYBODY,
    "table": EVERYBODY,
    "penalties": EVERYBODY,
    "download_standings": EVERYBODY,
    "download_results": EVERYBODY,
    "download_workbook": EVERYBODY,
    "signup": EVERYBODY,
    "invitation": EVERYBODY,
    # scores
    "enter": SCORERS,
    "enter_round": SCORERS,
    "sheet_preview": SCORERS,
    "correct": SCORERS,
    "void": SCORERS,
    "confirm": STAFF,
    # refereeing
    "penalty_new": REFEREES,
    "penalty_revoke": REFEREES,
    # organizing
    "competition_new": SIGNED_IN,
    "league": ORGANIZERS,
    "league_edit": ORGANIZERS,
    "import_file": ORGANIZERS,
    "manage": ORGANIZERS,
    "competition_settings": ORGANIZERS,
    "division_new": ORGANIZERS,
    "division_rules": ORGANIZERS,
    "stage_new": ORGANIZERS,
    "round_new": ORGANIZERS,
    "seat": ORGANIZERS,
    "round_status": ORGANIZERS,
    "round_visibility": ORGANIZERS,
    "round_delete": ORGANIZERS,
    "roster": ORGANIZERS,
    "roster_import": ORGANIZERS,
    "entrant_new": ORGANIZERS,
    "entrant_edit": ORGANIZERS,
    "entrant_remove": ORGANIZERS,
    "entrant_withdraw": ORGANIZERS,
    "entrant_reinstate": ORGANIZERS,
    "roster_preview": ORGANIZERS,
    "role_new": ORGANIZERS,
    "merge": ORGANIZERS,
    "people": ORGANIZERS,
    "invitation_new": ORGANIZERS,
    "invitation_withdraw": ORGANIZERS,
    "role_revoke": ORGANIZERS,
    "audit": ORGANIZERS,
    "download_file": ORGANIZERS,
}


def patterns(resolver: URLResolver | None = None, prefix: str = "") -> dict[str, URLPattern]:
    """Every named page of the application itself (the framework's own are left out)."""
    found: dict[str, URLPattern] = {}
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if each.app_name != "admin":
                found |= patterns(each, prefix + str(each.pattern))
        elif each.callback.__module__.startswith("league.views") and each.name:
            found[each.name] = each
    return found


PAGES = {name: p for name, p in patterns().items() if name not in {"set_language", "healthz"}}


@dataclass
class Things:
    """One of everything that an address can name, all of one competition."""

    club: Club
    round: int
    table: int
    entrant: int
    penalty: int
    invitation: Invitation
    role: int

    def arguments(self, name: str) -> dict[str, object]:
        """What the page's address needs."""
        wanted = PAGES[name].pattern.converters
        owner = {"league", "league_edit", "import_file"}
        pk = {
            "round": self.round,
            "table": self.table,
            "correct": self.table,
            "void": self.table,
            "confirm": self.table,
            "player": self.entrant,
            "penalty_revoke": self.penalty,
            "invitation_withdraw": self.invitation.pk,
            "role_revoke": self.role,
        }.get(name, self.entrant if name.startswith("entrant") else self.round)
        values: dict[str, object] = {
            "slug": self.club.league.slug if name in owner else self.club.slug,
            "division": self.club.division.slug,
            "stage": self.club.stage.pk if name == "round_new" else self.club.stage.slug,
            "fmt": "csv",
            "token": self.invitation.token,
            "pk": pk,
        }
        return {argument: values[argument] for argument in wanted}


def things(slug: str, **options: str) -> Things:
    here = club(slug, **options)
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    table = here.table()
    penalty = log_penalty(
        stage=here.stage, player_id=here.players[0].pk, score=-20, reason="late", table=table, by=here.bob
    )
    invitation = Invitation.objects.create(
        competition=here.competition, created_by=here.alice, expires_at=timezone.now() + timedelta(days=14)
    )
    role = Role.objects.get(competition=here.competition, user=here.charlie)
    entrant = here.competition.entrants.get(player=here.players[0])
    return Things(here, table.round_id, table.pk, entrant.pk, penalty.pk, invitation, role.pk)


def client_of(role: str, here: Things) -> Client:
    client = Client()
    people = {
        "stranger": user("mallory"),
        "player": here.club.dora,
        "scorer": here.club.charlie,
        "referee": here.club.bob,
        "organizer": here.club.alice,
    }
    if role in people:
        client.force_login(people[role])
    return client


def answer(client: Client, name: str, arguments: dict[str, object]) -> int | str:
    """The status of the page, or "sign in" where it sends a visitor there."""
    address = reverse(name, kwargs=arguments)
    response = client.get(address)
    if response.status_code == 405:
        response = client.post(address)
    if response.status_code == 302 and response.url.startswith(reverse("login")):
        return "sign in"
    return response.status_code


def test_every_page_has_a_rule():
    assert set(PAGES) == set(RULES)


@pytest.mark.parametrize("name", sorted(RULES))
def test_public_competition(name):
    here = things("spring")
    stranger_owns = {"league", "league_edit", "import_file"}
    for role in sorted(EVERYBODY):
        got = answer(client_of(role, here), name, here.arguments(name))
        if role in RULES[name]:
            assert got not in {401, 403, 404, 405, 500, "sign in"}, f"{role} may open {name}, and got {got}"
        elif name in stranger_owns:
            assert got in {404, "sign in"}, f"{role} got {got} from {name}"
        else:
            assert got == ("sign in" if role == "visitor" else 403), f"{role} got {got} from {name}"


@pytest.mark.parametrize("name", sorted(n for n in RULES if "slug" in PAGES[n].pattern.converters))
def test_private_competition_does_not_exist_for_strangers(name):
    here = things("secret", visibility="private")
    assert answer(client_of("organizer", here), name, here.arguments(name)) not in {403, 404, "sign in"}
    for role in ("visitor", "stranger"):
        got = answer(client_of(role, here), name, here.arguments(name))
        assert got in {404, "sign in"}, f"{role} got {got} from {name}"
        if name not in {"league", "league_edit", "import_file"}:
            assert got == 404, f"{role} got {got} from {name}"


@pytest.mark.parametrize(
    "name", sorted(n for n in RULES if {"slug", "pk"} <= set(PAGES[n].pattern.converters) or n == "round_new")
)
def test_an_id_of_another_competition_opens_nothing(name):
    here, there = things("spring"), things("autumn")
    assert answer(client_of("organizer", there), name, there.arguments(name)) not in {403, 404, "sign in"}
    crossed = there.arguments(name) | {"slug": here.club.slug}
    assert answer(client_of("organizer", here), name, crossed) == 404
