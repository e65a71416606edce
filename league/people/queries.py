"""Who is entered, as lists show them."""

from dataclasses import dataclass

from league.models import Competition, Entrant


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What lists show of an entrant; ``entrant`` is the number in page addresses, ``key`` the id in files."""

    entrant: int
    player: int
    key: str
    name: str
    romanized: str
    country: str
    club: str


@dataclass(frozen=True, slots=True)
class Entered:
    """An entrant with what rankings ask: their division, and whether they are in the pool of substitutes."""

    info: PlayerInfo
    division: int | None
    substitute: bool = False


def entrant_infos(competition: Competition) -> dict[int, Entered]:
    """Player id → entrant, all of the competition: a player of one division may play in another."""
    fields = (
        "pk",
        "player_id",
        "key",
        "player__name",
        "player__romanized",
        "player__country",
        "player__club__name",
    )
    found = (
        Entrant.objects.filter(competition=competition)
        .order_by("pk")
        .values_list(*fields, "division_id", "is_substitute")
    )
    return {
        player: Entered(PlayerInfo(pk, player, key, name, romanized, country, club or ""), *entered)
        for pk, player, key, name, romanized, country, club, *entered in found
    }


def players_of(competition: Competition) -> dict[int, PlayerInfo]:
    """Player id → what lists show."""
    return {player: entered.info for player, entered in entrant_infos(competition).items()}


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """One entrant as the public list shows them; ``division`` is its name, or empty."""

    info: PlayerInfo
    division: str
    withdrawn: bool


def entrant_lines(competition: Competition) -> list[EntrantLine]:
    """Everyone entered, by division and name, in one query."""
    found = Entrant.objects.filter(competition=competition).select_related("player__club", "division")
    # Sorted here, because databases put names of several scripts in different orders.
    return [
        EntrantLine(
            info_of(entrant), entrant.division.name if entrant.division else "", bool(entrant.withdrawn_at)
        )
        for entrant in sorted(found, key=_list_order)
    ]


def _list_order(entrant: Entrant) -> tuple[bool, int, int, str, int]:
    division = entrant.division
    place = (True, 0, 0) if division is None else (False, division.position, division.pk)
    return *place, entrant.player.name, entrant.pk


def info_of(entrant: Entrant) -> PlayerInfo:
    """What lists show of this entrant; costs no query when player and club came with it."""
    player = entrant.player
    club = player.club.name if player.club else ""
    return PlayerInfo(entrant.pk, player.pk, entrant.key, player.name, player.romanized, player.country, club)
