from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial, reduce
from operator import or_
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.models import (
    BigAutoField,
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import NullIf
from django.utils.translation import gettext_lazy as _

from league.core.prepared import Argument, Prepared
from league.core.text import listed
from league.models import Competition, Entrant, Invitation, Role, Seat, Team
from league.models.triggers import ENTERED
from players.folding import name_keys, spellings
from players.matching import exact_key
from players.models import Club, Player

SEAT = ("pk", "table_id", "wind", "player_id", "stands_for_id", "came_late")
FEW = (4, 16)  # players whose rows are read by a query of their own


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """An entrant in lists. ``entrant`` is the number in page addresses, ``key`` the id in files.

    ``apart`` is what distinguishes players of one name: country, club or key. It is "" for a name that only
    one player of the competition has.
    """

    entrant: int
    player: int
    key: str
    name: str
    romanized: str
    country: str
    club: str
    withdrawn: bool = False  # or expelled
    apart: str = ""

    @property
    def pk(self) -> int:
        return self.player

    @property
    def label(self) -> str:
        return f"{self.name} ({self.apart})" if self.apart else self.name


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant who may be seated or ranked, with the division they are entered in."""

    info: PlayerInfo
    division: int | None
    substitute: bool = False
    guest: bool = False

    @property
    def withdrawn(self) -> bool:
        return self.info.withdrawn


def candidates(competition: Competition, only: Collection[int] | None = None) -> dict[int, Candidate]:
    """Return player id → entrant of the whole competition, or of ``only`` these players."""
    if only is not None and not only:
        return {}
    return {
        row.player_id: Candidate(
            PlayerInfo(
                row.pk,
                row.player_id,
                row.key,
                row.player__name,
                row.player__romanized,
                row.player__country,
                row.player__club__name or "",
                row.withdrawn_at is not None,
                row.apart,
            ),
            row.division_id,
            row.is_substitute,
            row.is_guest,
        )
        for row in _read_entrants(competition, only)
    }


def _read_entrants(competition: Competition, only: Collection[int] | None) -> Iterable[Any]:
    """Return the rows of these players. The queries are compiled once."""
    size = next((size for size in FEW if only is not None and len(only) <= size), None)
    if size is None:
        rows = _ENTRANTS(competition=competition.pk)
        return rows if only is None else [row for row in rows if row.player_id in only]
    players = list(only or ())
    ids = {f"player_{place}": players[min(place, len(players) - 1)] for place in range(size)}
    return _FEW_ENTRANTS[size](competition=competition.pk, **ids)


def _entrants() -> "QuerySet[Entrant, Any]":
    competition = Argument("competition", BigAutoField())
    fields = ("pk", "player_id", "key", "player__name", "player__romanized", "player__country")
    entered = ("player__club__name", "withdrawn_at", "apart", "division_id", "is_substitute", "is_guest")
    entrants = Entrant.objects.filter(competition=competition).annotate(apart=_apart(competition))
    return entrants.order_by("pk").values_list(*fields, *entered, named=True)


def _few_entrants(size: int) -> "QuerySet[Entrant, Any]":
    players: Any = [Argument(f"player_{place}", BigAutoField()) for place in range(size)]
    return _entrants().filter(player__pk__in=players)


def _apart(competition: Competition | Argument, key: str = "key") -> Case:
    """Return country, club or key of an entrant, whichever differs among all entrants of the name, or ""."""
    names = Entrant.objects.filter(competition=competition).order_by().values("player__name")
    country = NullIf("player__country", Value(""))
    counted = names.annotate(people=Count("pk")).filter(people__gt=1)
    by_country = counted.filter(people=Count(country, distinct=True)).values("player__name")
    by_club = counted.filter(people=Count("player__club", distinct=True)).values("player__name")
    return Case(
        When(~Q(player__name__in=counted.values("player__name")), then=Value("")),
        When(player__name__in=by_country, then=F("player__country")),
        When(player__name__in=by_club, then=F("player__club__name")),
        default=F(key),
    )


_ENTRANTS = Prepared(_entrants)
_FEW_ENTRANTS = {size: Prepared(partial(_few_entrants, size)) for size in FEW}


def withdrawn_players(competition: Competition) -> set[int]:
    gone = Entrant.objects.withdrawn().filter(competition=competition)
    return set(gone.values_list("player_id", flat=True))


def linked_players(user_id: int | None, competition: Competition) -> set[int]:
    roles = Role.objects.filter(user=user_id or 0, competition=competition, player__isnull=False)
    return {player for player in roles.values_list("player", flat=True) if player is not None}


def players_of(competition: Competition, only: Collection[int] | None = None) -> dict[int, PlayerInfo]:
    return {player: entered.info for player, entered in candidates(competition, only).items()}


def labels_of(competition: Competition, players: Iterable[int]) -> dict[int, str]:
    """Return player → name, with what tells two players of the competition of one name apart. Queries: 1."""
    return {player: info.label for player, info in players_of(competition, {*players}).items()}


def seats_with_people(competition: Competition | Argument) -> "QuerySet[Seat, Any]":
    """Select seats as ``SEAT`` with the columns of ``who_sits``, by name."""
    entered = FilteredRelation("player__entrants", condition=Q(player__entrants__competition=competition))
    columns: dict[str, F | Case] = {name: F(f"player__{name}") for name in ("name", "romanized", "country")}
    columns |= {"club": F("player__club__name"), "entrant": F("entered__pk"), "key": F("entered__key")}
    columns |= {"left": F("entered__withdrawn_at"), "apart": _apart(competition, "entered__key")}
    return Seat.objects.annotate(entered=entered, **columns).values_list(*SEAT, *columns, named=True)


def who_sits(seat: Any) -> PlayerInfo | None:
    """Return the player of a row of ``seats_with_people``, or None if they are no longer entered."""
    if seat.entrant is None:
        return None
    name, romanized, country, club = seat.name, seat.romanized, seat.country, seat.club or ""
    return PlayerInfo(
        seat.entrant,
        seat.player_id,
        seat.key,
        name,
        romanized,
        country,
        club,
        seat.left is not None,
        seat.apart,
    )


def listed_entrants(competition: Competition) -> list[Entrant]:
    """Return the players, without substitutes, by division and name. One query."""
    entered = Entrant.objects.filter(competition=competition, is_substitute=False)
    # Sorted here, because databases put names of several scripts in different orders.
    return sorted(entered.select_related("player__club", "division"), key=_list_order)


def _list_order(entrant: Entrant) -> tuple[bool, int, int, str, int]:
    division = entrant.division
    place = (True, 0, 0) if division is None else (False, division.position, division.pk)
    return *place, entrant.player.name, entrant.pk


def info_of(entrant: Entrant) -> PlayerInfo:
    """Costs no query if player and club are selected."""
    player = entrant.player
    club = player.club.name if player.club else ""
    return PlayerInfo(entrant.pk, player.pk, entrant.key, player.name, player.romanized, player.country, club)


class Finder:
    """A lookup of entrants by key, name, romanized name, or a name with the key behind it.

    A name as it was typed comes first, then one that differs only in accents, umlauts or hyphens.
    """

    def __init__(self, people: Mapping[int, Candidate]) -> None:
        self.people = people
        self.keys: dict[str, int] = {}
        self.names: dict[str, set[int]] = {}
        self.near: dict[str, set[int]] = {}
        for player, candidate in people.items():
            info = candidate.info
            self.keys[exact_key(info.key)] = player
            for name in (info.name, info.romanized, f"{info.name} ({info.key})"):
                if name:
                    self.names.setdefault(exact_key(name), set()).add(player)
                for key in name_keys(name):
                    self.near.setdefault(key, set()).add(player)

    def find(self, text: str) -> int:
        players = self._named(text)
        if not players:
            raise ValidationError(
                _("“%(name)s” is not entered in this competition. Check the spelling, or add the player."),
                params={"name": text},
            )
        if len(players) > 1:
            keys = listed(sorted(self.people[player].info.key for player in players))
            raise ValidationError(
                _("Several players have the name “%(name)s”. Enter a key instead: %(keys)s."),
                params={"name": text, "keys": keys},
            )
        (player,) = players
        return player

    def guess(self, text: str, near: Collection[int]) -> int:
        """Find a player also by the beginning of a word of a name, if it is unique in ``near`` or at all."""
        typed = tuple(name_keys(text))
        if typed and not self._named(text):
            begin = {p for p, each in self.people.items() if any(w.startswith(typed) for w in _words(each))}
            for close in (begin & set(near), begin):
                if len(close) == 1:
                    return close.pop()
        return self.find(text)

    def _named(self, text: str) -> set[int]:
        typed = exact_key(text)
        if typed in self.keys:
            return {self.keys[typed]}
        near = (self.near.get(key, set()) for key in name_keys(text))
        return self.names.get(typed) or set().union(*near)


def _words(candidate: Candidate) -> list[str]:
    names = (candidate.info.name, candidate.info.romanized)
    parted = [spelling.split() for name in names for spelling in spellings(name)]
    return ["".join(words[first:]) for words in parted for first in range(len(words))]


# --- without the drafts of imports


def known_players(players: QuerySet[Player]) -> QuerySet[Player]:
    """Exclude players who are in drafts of imports only."""
    entered = Entrant.objects.filter(player=OuterRef("pk"))
    in_drafts = entered.filter(competition__is_draft=True)
    return players.exclude(Exists(in_drafts) & ~Exists(entered.filter(competition__is_draft=False)))


def known_clubs(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Exclude clubs whose players are in drafts of imports only."""
    members = Player.objects.filter(club=OuterRef("pk"))
    return clubs.filter(~Exists(members) | Exists(known_players(members)))


def in_drafts() -> Q:
    """Match players of an import, or of a replacement that still has to remove them."""
    named = [("Entrant", "player", "competition"), *(rule[1:] for rule in ENTERED)]
    return reduce(or_, (Q(Exists(_of_drafts(*each))) for each in named))


def _of_drafts(model: str, player: str, competition: str) -> QuerySet[Model]:
    path = competition.replace(".", "__")
    rows: QuerySet[Model] = apps.get_model("league", model)._default_manager.all()
    return rows.filter(**{player: OuterRef("pk"), f"{path}__is_draft": True})


def is_in_draft(players: Iterable[int]) -> bool:
    return Player.objects.filter(in_drafts(), pk__in=players).exists()


# --- captains


def teams_without_captain(competition: Competition, *, now: datetime) -> list[Team]:
    """Return the teams with neither a captain nor an open invitation for one, if captains name line-ups."""
    if competition.team_play != Competition.TeamPlay.LINE_UPS:
        return []
    links = Invitation.objects.filter(used_at=None, withdrawn_at=None, expires_at__gt=now, team__isnull=False)
    teams = Team.objects.filter(competition=competition, captains=None)
    return list(teams.exclude(pk__in=links.values("team")).order_by("pk"))
