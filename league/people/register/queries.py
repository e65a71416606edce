"""People of a league's register, and where they are shown."""

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from league.core.access import organized_by
from league.models import Competition, Entrant, Penalty, Seat
from players.matching import Person
from players.models import Player


def person(player: Player, *, entered: bool = False) -> Person:
    return Person(
        pk=player.pk,
        name=player.name,
        romanized=player.romanized,
        country=player.country,
        club=player.club.name if player.club else "",
        numbers=tuple((n.federation, n.number) for n in player.federation_numbers.all()),
        entered=entered,
    )


def competitions_of(player_ids: Collection[int]) -> QuerySet[Competition]:
    ids = list(player_ids)
    competitions = Competition.objects.filter(
        Exists(Entrant.objects.filter(competition=OuterRef("pk"), player__in=ids))
        | Exists(Seat.objects.of(OuterRef("pk")).filter(player__in=ids))
        | Exists(Penalty.objects.filter(competition=OuterRef("pk"), player__in=ids))
    )
    return competitions.select_related("league").order_by("pk")


def shown_to_others(competition: Competition, by: User, player_ids: Collection[int]) -> set[int]:
    """Return the players who are in a competition that the acting person does not organize."""
    others = competitions_of(player_ids).exclude(pk=competition.pk)
    foreign = {other.pk for other in others} - {own.pk for own in organized_by(by, others)}
    ids = list(player_ids)
    parts = (
        Entrant.objects.filter(competition__in=foreign),
        Seat.objects.filter(round__stage__division__competition__in=foreign),
        Penalty.objects.filter(competition__in=foreign),
    )
    return {
        player for rows in parts for player in rows.filter(player__in=ids).values_list("player_id", flat=True)
    }
