"""The register that the competitions of a league share, under one lock, and the keys of entrants in files."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.models import AuditEntry, Competition, Entrant
from league.people.members.queries import in_drafts, known_players
from league.people.register.queries import competitions_of, person, shown_to_others
from players.matching import Facts, Number, by_federation, exact_key, number_key, with_facts
from players.models import Club, FederationNumber, Player, Register


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerValues:
    """A person's record. ``country``: alpha-2 or empty. ``club``: a name, created if it is new."""

    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    numbers: tuple[Number, ...] = ()


def values_of(player: Player) -> PlayerValues:
    return PlayerValues(
        name=player.name,
        romanized=player.romanized,
        country=player.country,
        club=player.club.name if player.club else "",
        numbers=tuple((n.federation, n.number) for n in player.federation_numbers.all()),
    )


def values_with(player: Player, said: Facts) -> PlayerValues:
    """Return the record as these facts would change it (`with_facts`)."""
    new = with_facts(person(player), said)
    return PlayerValues(**{name: getattr(new, name) for name in PlayerValues.__slots__})


@contextmanager
def register_change(
    competition: Competition, *, by: User | None, form: Sent | None, at: datetime | None = None
) -> Iterator[Change]:
    """Change a competition under the lock of its league's register.

    Of two organizers who enter the same person at once, the second one finds the first one's entry.
    """
    with transaction.atomic():
        reread(Register.objects.select_for_update(), pk=competition.league.register_id)
        with change(competition, by=by, form=form, at=at) as done:
            yield done


@contextmanager
def change_everywhere(done: Change, player_ids: Collection[int]) -> Iterator[list[Change]]:
    """Return ``done`` and a change of every other competition that shows one of these players."""
    others = competitions_of(player_ids).exclude(pk=done.competition.pk)
    with ExitStack() as stack:
        opened = (change(other, by=done.by, at=done.at, even_finished=True) for other in others)
        yield [done, *map(stack.enter_context, opened)]


def find_shown_to_others(done: Change, player_ids: Collection[int]) -> set[int]:
    """Return the players who are in a competition that the acting person does not organize."""
    if not player_ids or done.by is None:
        return set()
    return shown_to_others(done.competition, done.by, player_ids)


def find_player(competition: Competition, pk: int) -> Player:
    """Return a person of the competition's register. Raises ``Refused`` if there is none."""
    players = known_players(Player.objects.filter(register=competition.league.register_id))
    player = players.select_related("club").filter(pk=pk).first()
    if player is None:
        raise Refused(_("This player no longer exists. Reload the page."))
    return player


def forget_players(player_ids: Collection[int]) -> None:
    """Remove players from the register if no competition, ban or draft names them."""
    Player.objects.filter(~in_drafts(), pk__in=player_ids, entrants=None, bans=None).delete()


def check_numbers(competition: Competition, wanted: Mapping[int | None, Sequence[Number]]) -> None:
    """Raise ``Refused`` for two numbers of one federation, or a number of another player.

    ``wanted``: player, or None for a new one → all numbers that the player will have. Queries: 1.
    """
    people = known_players(Player.objects.filter(register=competition.league.register_id))
    taken = FederationNumber.objects.filter(player__in=people).exclude(player__in=set(wanted) - {None})
    held = {number_key(n) for n in taken.values_list("federation", "number")}
    for numbers in wanted.values():
        if len(by_federation(numbers)) != len(numbers):
            raise Refused(_("A player can have only one number per federation."), field="numbers")
        for number in numbers:
            if number_key(number) in held:
                raise Refused(
                    _("%(number)s is the number of another player of this league.")
                    % {"number": " ".join(number)},
                    field="numbers",
                )
        held.update(map(number_key, numbers))


def ensure_clubs(register: int, names: Iterable[str]) -> dict[str, int]:
    """Return folded name → club, and create missing clubs. Case, width and spaces do not matter."""
    known = {exact_key(n): pk for pk, n in Club.objects.filter(register=register).values_list("pk", "name")}
    wanted = {exact_key(name): name for name in reversed(list(names)) if name}
    made = Club.objects.bulk_create(
        Club(register_id=register, name=name) for key, name in wanted.items() if key not in known
    )
    return known | {exact_key(club.name): club.pk for club in made}


def write_everywhere(done: Change, people: Mapping[Player, PlayerValues]) -> None:
    """Save the records, with missing clubs, and log them in every competition that shows one of them."""
    if people:
        clubs = ensure_clubs(done.competition.league.register_id, [each.club for each in people.values()])
        with change_everywhere(done, [player.pk for player in people]) as changes:
            write_players(changes, people, clubs)


def write_players(
    changes: Sequence[Change], people: Mapping[Player, PlayerValues], clubs: Mapping[str, int]
) -> None:
    """Save the records, and log each in these changes: the changed fields, and values except names.

    ``clubs``: folded name → club. Queries: constant, beside those of the log.
    """
    numbered = {player: each for player, each in people.items() if values_of(player).numbers != each.numbers}
    for player, values in people.items():
        before, club_before = values_of(player), player.club_id
        player.name, player.romanized, player.country = values.name, values.romanized, values.country
        player.club_id = clubs.get(exact_key(values.club))
        fields = [f for f in ("name", "romanized", "numbers") if getattr(before, f) != getattr(values, f)]
        for done in changes:
            done.log(
                "player.update",
                f"player:{player.pk}",
                before={"country": before.country, "club": club_before},
                after={"country": values.country, "club": player.club_id, "changed": fields},
            )
    Player.objects.bulk_update(people, ["name", "romanized", "country", "club"])
    FederationNumber.objects.filter(player__in=numbered).delete()
    FederationNumber.objects.bulk_create(
        FederationNumber(player=player, federation=federation, number=number)
        for player, values in numbered.items()
        for federation, number in values.numbers
    )


_MADE = re.compile(r"p(?P<number>[0-9]{1,9})")
GONE = ("entrant.remove", "player.merge", "competition.replace")  # their ``before`` in the log may have a key


def find_free_keys(competition: Competition) -> Iterator[str]:
    """Yield keys for entrants in files (p1, p2, …) above the highest one ever used. Gaps stay.

    No key is assigned twice, even after its player was removed. An older file would then replace the record
    of another player.
    """
    taken = set(Entrant.objects.filter(competition=competition).values_list("key", flat=True))
    removals = AuditEntry.objects.filter(competition=competition, action__in=GONE)
    gone = removals.filter(before__has_key="key").values_list("before__key", flat=True)
    return (f"p{number}" for number in count(_highest([*taken, *gone]) + 1) if f"p{number}" not in taken)


def last_key(keys: Iterable[str]) -> dict[str, object]:
    """Return the highest removed key for the log. A key from a file may name a person and is left out."""
    highest = _highest(keys)
    return {"key": f"p{highest}"} if highest else {}


def _highest(keys: Iterable[str]) -> int:
    made = filter(None, map(_MADE.fullmatch, keys))
    return max((int(match["number"]) for match in made), default=0)
