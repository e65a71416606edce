"""Phones at a table for tests: they scan, say whose they are, type a sheet, sign it."""

import uuid
from typing import Any

from django.test import Client
from django.urls import reverse

from league.core.door import sheet_code
from league.models import Competition, Proposal, Signature
from league.play.results.proposals import propose_sheet, sign
from scoring.units import WINDS
from tests.factories import Club, club
from tests.written_again import written_again

POINTS = (45_000, 35_000, 25_000, 15_000)
OTHER = (44_000, 36_000, 25_000, 15_000)


@written_again
def signing_club(slug: str = "spring", *, asks: str = "four", counts: bool = True, **options: Any) -> Club:
    """A competition whose tables sign, with one open round of two tables."""
    made = club(slug, **options)
    Competition.objects.filter(pk=made.competition.pk).update(signatures=asks, signed_counts=counts)
    made.competition.refresh_from_db()
    made.add_round()
    return made


def propose(made: Club, points: tuple[int, ...] = POINTS, **options: Any) -> Proposal:
    """The first table's sheet, typed on east's phone unless said otherwise."""
    table = options.pop("table", None) or made.table()
    seated = list(table.seats.order_by("wind").values_list("player_id", flat=True))
    usual = {"based_on": seen(made), "seated": seated, "by": None, "player": made.players[0]}
    return propose_sheet(table=table, points=points, **usual | options)


def seen(made: Club, number: int = 1) -> int:
    found = made.table(number=number).proposals.filter(is_current=True)
    return found.values_list("pk", flat=True).first() or 0


def sign_seat(made: Club, wind: int | None, **options: Any) -> Signature:
    usual = {
        "table": made.table(),
        "proposal": seen(made),
        "wind": wind,
        "how": "phone",
        "by": None,
        "player": None if wind is None else made.players[wind],
    }
    return sign(**usual | options)


# --- phones


def phone_at(made: Club, index: int | None = None, *, number: int = 1) -> Client:
    """A phone that scanned the table's printed sheet, and says that it is this player's."""
    client = Client()
    code = sheet_code(made.table(number=number))
    client.get(reverse("calls:door_code", args=(made.slug, number, code)))
    if index is not None:
        claim(client, made, index, number=number)
    return client


def claim(phone: Client, made: Club, index: int, *, number: int = 1) -> None:
    """Say that the phone is this player's."""
    entrant = made.competition.entrants.get(player=made.players[index]).pk
    phone.post(of_table("calls:claim", made, number), {"player": entrant})


def of_table(name: str, made: Club, number: int = 1) -> str:
    return reverse(name, args=(made.slug, made.table(number=number).pk))


def typed_sheet(made: Club, points: tuple[int, ...] = POINTS, **more: object) -> dict[str, object]:
    """The fields of the page's form."""
    seats = made.table().seats.order_by("wind").values_list("player_id", flat=True)
    usual = {"key": uuid.uuid4(), "number": 1, "based_on": seen(made), "sticks": "0"}
    usual |= {"seated": "-".join(map(str, seats))}
    return usual | {wind: str(each // 100) for wind, each in zip(WINDS, points, strict=True)} | more


def answer(made: Club, wind: int | None = None, **more: object) -> dict[str, object]:
    given = {"key": uuid.uuid4(), "proposal": seen(made)}
    return given | ({} if wind is None else {"wind": wind}) | more
