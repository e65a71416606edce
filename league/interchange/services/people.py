"""What a competition file says of people and of their teams; and written as the file is imported."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.core.changes import Change
from league.interchange.services.keys import CHUNK
from league.models import Competition, Division, Entrant, Team
from players.models import Club, FederationNumber, Player, Register


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFacts:
    """``numbers`` is federation → number; ``division`` the slug in which the player is entered, or None."""

    id: str
    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    numbers: Mapping[str, str]
    division: str | None = None
    withdrawn: bool = False
    previous_rank: int | None = None
    substitute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFacts:
    id: str
    name: str
    players: tuple[str, ...]


def write_people(
    done: Change,
    players: Sequence[PlayerFacts],
    teams: Iterable[TeamFacts],
    divisions: Mapping[str, Division],
) -> dict[str, Player]:
    """The file's players, by id, entered and in their teams. Ids from before keep person and entry."""
    register = done.competition.league.register
    team_of = _write_teams(done.competition, teams)
    entered = {e.key: e for e in done.competition.entrants.select_related("player")}
    clubs = _clubs(register, {p.club for p in players} - {""})
    kept = {key: entrant.player for key, entrant in entered.items()}
    people = _write_players(register, players, kept, clubs)
    done.competition.entrants.exclude(key__in=people).delete()
    for player in players:
        entrant = entered.get(player.id) or Entrant(competition=done.competition, key=player.id)
        entrant.player, entrant.team = people[player.id], team_of.get(player.id)
        entrant.division = divisions[player.division] if player.division else None
        entrant.withdrawn_at = (entrant.withdrawn_at or done.at) if player.withdrawn else None
        entrant.previous_rank = player.previous_rank
        entrant.is_substitute = player.substitute
        entered[player.id] = entrant
    named = [entered[player.id] for player in players]
    Entrant.objects.bulk_create([e for e in named if e.pk is None], batch_size=CHUNK)
    Entrant.objects.bulk_update(
        [e for e in named if e.pk is not None],
        ["division", "team", "withdrawn_at", "previous_rank", "is_substitute"],
        batch_size=500,
    )
    return people


def _write_teams(competition: Competition, teams: Iterable[TeamFacts]) -> dict[str, Team]:
    """The team of each player that has one."""
    of: dict[str, Team] = {}
    for facts in teams:
        team = Team.objects.create(competition=competition, key=facts.id, name=facts.name)
        of |= dict.fromkeys(facts.players, team)
    return of


def _clubs(register: Register, names: set[str]) -> dict[str, Club]:
    known = {club.name: club for club in Club.objects.filter(register=register, name__in=names)}
    made = [Club(register=register, name=name) for name in sorted(names - known.keys())]
    Club.objects.bulk_create(made)
    return known | {club.name: club for club in made}


def _write_players(
    register: Register,
    players: Sequence[PlayerFacts],
    kept: Mapping[str, Player],
    clubs: Mapping[str, Club],
) -> dict[str, Player]:
    people = {}
    for facts in players:
        player = kept.get(facts.id) or Player(register=register)
        player.name, player.romanized, player.country = facts.name, facts.romanized, facts.country
        player.club = clubs.get(facts.club)
        people[facts.id] = player
    old = [player for player in people.values() if player.pk]
    # New players get their numbers in the order of the file: players who are equal in everything stand in it.
    Player.objects.bulk_create([p for p in people.values() if not p.pk], batch_size=CHUNK)
    Player.objects.bulk_update(old, ["name", "romanized", "country", "club"], batch_size=500)
    FederationNumber.objects.filter(player__in=[player.pk for player in old]).delete()
    FederationNumber.objects.bulk_create(
        [
            FederationNumber(player=people[facts.id], federation=federation, number=number)
            for facts in players
            for federation, number in facts.numbers.items()
        ],
        batch_size=CHUNK,
    )
    return people
