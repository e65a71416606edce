from collections.abc import Iterator

import pytest
from django.utils import timezone

from league.extras.notices.services import turn_on_push
from league.models import Channel, Entrant, Role
from tests.factories import Club, club, user
from tests.league.extras.notices.receiver import Browser, PushService, push_service


@pytest.fixture
def spring() -> Club:
    return club("spring")


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    with push_service() as made:
        settings.PUSH_SERVICES = [made.origin]
        yield made


@pytest.fixture
def browser() -> Browser:
    return Browser()


def entrant(here: Club, number: int = 1) -> Entrant:
    return here.competition.entrants.select_related("competition", "player").get(key=f"p{number}")


def linked(here: Club, number: int = 1):
    """An account with a mail address, linked to this player."""
    made = user(f"player-{number}-{here.slug}")
    made.email = f"player{number}@example.org"
    made.save()
    player = here.players[number - 1]
    Role.objects.create(competition=here.competition, user=made, kind=Role.Kind.PLAYER, player=player)
    return made


def phone(here: Club, service: PushService, browser: Browser, number: int = 1, **values: object) -> Channel:
    """A phone that gets the notices of this player."""
    given = {"user": None, "browser": "Firefox", "language": "en", "site": "https://umaoka.example"} | values
    endpoint = service.endpoint(f"of-{number}-{here.slug}")
    return turn_on_push(entrant=entrant(here, number), endpoint=endpoint, **browser.keys, **given)


def mailbox(here: Club, number: int = 1, **values: object) -> Channel:
    """A confirmed mail address of a linked account."""
    person = linked(here, number)
    given = {"language": "en", "site": "https://umaoka.example", "confirmed_at": timezone.now()} | values
    return Channel.objects.create(
        entrant=entrant(here, number),
        user=person,
        kind="mail",
        address=person.email,
        created_at=timezone.now(),
        **given,
    )
