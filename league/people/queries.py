"""Who is entered, as lists show them."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.models import Exists, F, FilteredRelation, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.core.prepared import Argument
from league.core.text import listed
from league.models import Competition, Entrant, Role, Round, Seat
from league.models.triggers import ENTERED
from players.models import Club, Player

SEAT = ("pk", "table_id", "wind", "player_id", "stands_for_id", "came_late")


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
    withdrawn: bool = False  # or expelled

    @property
    def pk(self) -> int:
        """The player's id, under the name that teams have for theirs."""
        return self.player


@dataclass(frozen=True, slots=True)
class EntrantInfo:
    """An entrant with what rankings ask: their division, whether they are in the pool of substitutes, and
    whether they are a guest.
    """

    info: PlayerInfo
    division: int | None
    substitute: bool = False
    guest: bool = False


def entrant_infos(competition: Competition, only: Collection[int] | None = None) -> dict[int, EntrantInfo]:
    """Player id → entrant, all of the competition: a player of one division may play in another. ``only``:
    those with these player ids.
    """
    fields = (
        "pk",
        "player_id",
        "key",
        "player__name",
        "player__romanized",
        "player__country",
        "player__club__name",
    )
    entrants = Entrant.objects.filter(competition=competition)
    if only is not None:
        entrants = entrants.filter(player__in=only)
    entered = ("withdrawn_at", "division_id", "is_substitute", "is_guest")
    found = entrants.order_by("pk").values_list(*fields, *entered)
    return {
        player: EntrantInfo(
            PlayerInfo(pk, player, key, name, romanized, country, club or "", bool(left)), *listed_as
        )
        for pk, player, key, name, romanized, country, club, left, *listed_as in found
    }


def withdrawn_players(competition: Competition) -> set[int]:
    """The players who left, or were expelled."""
    found = Entrant.objects.filter(competition=competition, withdrawn_at__isnull=False)
    return set(found.values_list("player_id", flat=True))


def players_of(competition: Competition, only: Collection[int] | None = None) -> dict[int, PlayerInfo]:
    """Player id → what lists show."""
    return {player: entered.info for player, entered in entrant_infos(competition, only).items()}


def seats_with_people(competition: Competition | Argument) -> "QuerySet[Seat, Any]":
    """Seats as ``SEAT`` and with what ``who_sits`` needs, by name."""
    entered = FilteredRelation("player__entrants", condition=Q(player__entrants__competition=competition))
    shown = {name: F(f"player__{name}") for name in ("name", "romanized", "country")}
    shown |= {"club": F("player__club__name"), "entrant": F("entered__pk"), "key": F("entered__key")}
    shown |= {"left": F("entered__withdrawn_at")}
    return Seat.objects.annotate(entered=entered, **shown).values_list(*SEAT, *shown, named=True)


def who_sits(seat: Any) -> PlayerInfo | None:
    """Who sits there, of one of ``seats_with_people``. None for a player who is no longer entered."""
    if seat.entrant is None:
        return None
    name, romanized, country, club = seat.name, seat.romanized, seat.country, seat.club or ""
    return PlayerInfo(
        seat.entrant, seat.player_id, seat.key, name, romanized, country, club, seat.left is not None
    )


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """One entrant as the public list shows them; ``division`` is its name, or empty."""

    info: PlayerInfo
    division: str
    withdrawn: bool


def entrant_lines(competition: Competition) -> list[EntrantLine]:
    """The players, without substitutes, by division and name, in one query."""
    entered = Entrant.objects.filter(competition=competition, is_substitute=False)
    found = entered.select_related("player__club", "division")
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant who may be seated; ``division`` is the one they are entered in."""

    info: PlayerInfo
    division: int | None
    withdrawn: bool


def fold(text: str) -> str:
    """The spelling under which a typed name is looked up: width, case and spaces do not matter."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


class Finder:
    """Finds an entrant by key, name, romanized name, or a name with the key behind it."""

    def __init__(self, people: Mapping[int, Candidate]) -> None:
        self.people = people
        self.keys: dict[str, int] = {}
        self.names: dict[str, set[int]] = {}
        for player, candidate in people.items():
            info = candidate.info
            self.keys[fold(info.key)] = player
            for name in (info.name, info.romanized, f"{info.name} ({info.key})"):
                if name:
                    self.names.setdefault(fold(name), set()).add(player)

    def find(self, text: str) -> int:
        """The player's id; raises ValidationError with a sentence."""
        typed = fold(text)
        found = {self.keys[typed]} if typed in self.keys else self.names.get(typed, set())
        if not found:
            raise ValidationError(
                _("“%(name)s” is not entered in this competition. Check the spelling, or add the player."),
                params={"name": text},
            )
        if len(found) > 1:
            keys = listed(sorted(self.people[player].info.key for player in found))
            raise ValidationError(
                _("Several players have the name “%(name)s”. Enter a key instead: %(keys)s."),
                params={"name": text, "keys": keys},
            )
        (player,) = found
        return player

    def guess(self, text: str, near: Collection[int]) -> int:
        """As ``find``, but the beginning of a name, or of a word of it, is enough where only one player of
        ``near``, or else only one at all, has it.
        """
        typed = fold(text)
        if typed and typed not in self.keys and typed not in self.names:
            begin = {p for p, each in self.people.items() if any(w.startswith(typed) for w in _words(each))}
            for found in (begin & set(near), begin):
                if len(found) == 1:
                    return found.pop()
        return self.find(text)


def _words(candidate: Candidate) -> list[str]:
    """The names, whole and from each of their words on, as they are looked up."""
    names = [name.split() for name in (candidate.info.name, candidate.info.romanized) if name]
    return [fold("".join(words[first:])) for words in names for first in range(len(words))]


def candidates(competition: Competition) -> dict[int, Candidate]:
    """Player id → everyone entered, withdrawn or not, in the order of entry: two queries."""
    gone = set(
        Entrant.objects.filter(competition=competition, withdrawn_at__isnull=False).values_list(
            "player_id", flat=True
        )
    )
    return {
        player: Candidate(entered.info, entered.division, player in gone)
        for player, entered in entrant_infos(competition).items()
    }


@dataclass(frozen=True, slots=True)
class TeamInfo:
    """What lists show of a team; ``key`` is its id in files."""

    pk: int
    key: str
    name: str


# --- without the drafts of imports


def known_players(players: QuerySet[Player]) -> QuerySet[Player]:
    """Without those who are in drafts only."""
    entered = Entrant.objects.filter(player=OuterRef("pk"))
    in_drafts = entered.filter(competition__is_draft=True)
    return players.exclude(Exists(in_drafts) & ~Exists(entered.filter(competition__is_draft=False)))


def known_clubs(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Without those of players who are in drafts only."""
    members = Player.objects.filter(club=OuterRef("pk"))
    return clubs.filter(~Exists(members) | Exists(known_players(members)))


def in_drafts() -> Q:
    """Of players: an import writes of them, or still removes what it replaced, where they have no entry."""
    named = [("Entrant", "player", "competition"), *(rule[1:] for rule in ENTERED)]
    return reduce(or_, (Q(Exists(_of_drafts(*each))) for each in named))


def _of_drafts(model: str, player: str, competition: str) -> QuerySet[Model]:
    path = competition.replace(".", "__")
    rows: QuerySet[Model] = apps.get_model("league", model)._default_manager.all()
    return rows.filter(**{player: OuterRef("pk"), f"{path}__is_draft": True})


def is_in_draft(players: Iterable[int]) -> bool:
    """Whether one of these players is ``in_drafts``."""
    return Player.objects.filter(in_drafts(), pk__in=players).exists()


def desk_to_open(user: Any) -> str:
    """The slug of the competition whose referee this user is and which has an open round; empty if it is none
    or not the only one.
    """
    referees = [Role.Kind.CHIEF, Role.Kind.REFEREE]
    mine = Competition.objects.filter(roles__user=user.pk, roles__kind__in=referees)
    playing = mine.filter(divisions__stages__rounds__status=Round.Status.OPEN)
    slugs = list(playing.order_by().values_list("slug", flat=True).distinct()[:2])
    return slugs[0] if len(slugs) == 1 else ""
