"""Players who arrive, leave, or miss a round."""

from league.models import Seat
from league.organizing.roster.services.roster import enter_player, reinstate_entrant, withdraw_entrant
from league.people.register.services import PlayerValues
from league.play.bans.queries import free_substitutes
from league.play.substitutions.services.departures import FORFEIT, decide_seats
from league.play.substitutions.services.substitutions import (
    end_substitution,
    forfeit_seat,
    set_substitute,
    substitute_player,
)
from players.models import Player
from tests.reckoning import Sit
from tests.simulation.event import Event, Key
from tests.simulation.seating import unseat


def enter(event: Event, *, substitute: bool = False) -> None:
    number = len(event.cast.players) + 1
    entrant = enter_player(
        competition=event.cast.competition,
        values=PlayerValues(name=f"Late {number}"),
        division=event.division,
        by=event.alice,
    )
    event.cast.players.append(Player.objects.get(pk=entrant.player_id))
    event.members[entrant.player_id] = event.division.pk
    if substitute:
        set_substitute(entrant=event.entrant(entrant.player_id), is_substitute=True, by=event.alice)
        event.substitutes.add(entrant.player_id)


def come_and_go(event: Event, number: int) -> None:
    """Let players arrive and leave before round ``number``."""
    if event.played.came is None and event.happens(0.15, "late entry"):
        enter(event)
    if event.happens(0.1, "table taken away"):
        event.most_tables = max(1, min(event.most_tables, len(event.pool) // 4) - 1)
    for player in sorted(event.gone):
        if event.happens(0.2, "came back"):
            reinstate_entrant(entrant=event.entrant(player), by=event.alice)
            event.gone.remove(player)
    for player in event.pool:
        if len(event.pool) > 4 and event.happens(0.03, "withdrawal"):
            withdraw(event, player, number)


def withdraw(event: Event, player: int, number: int) -> None:
    withdraw_entrant(entrant=event.entrant(player), by=event.alice)
    event.gone.add(player)
    ahead = {key: hanchan for key, hanchan in event.played.hanchan.items() if key[0] >= number}
    mine = [key for key, each in ahead.items() if player in each.players and not each.forfeited]
    seats = [key for key in mine if event.sit_of(player, key).absent is None]
    for key in mine:
        if key not in seats:
            replace_substitute(event, player, key)
    if not seats:
        return
    stays = any(hanchan.forfeited for hanchan in ahead.values())  # a round with a sheet stays
    if stays or event.chance.random() < 0.5:
        fill_seats(event, player, seats)
    else:
        unseat(event, event.planned(number))


def replace_substitute(event: Event, player: int, key: Key) -> None:
    """Replace a substitute who left: by the player, by another substitute, or by forfeiting the table."""
    sit, wind = event.sit_of(player, key), event.played.hanchan[key].players.index(player)
    assert sit.absent is not None
    free = [each.player_id for each in free_substitutes(event.round(key[0]))]
    if sit.absent not in event.gone:
        end_substitution(seat=seat_of(event, *key, wind), reason="left", by=event.alice)
        event.played.hanchan[key].seats[wind] = Sit(sit.absent)
        del event.played.given[key[0], sit.absent, "substituted"]
    elif free:
        substitute(event, *key, wind=wind)
    else:
        forfeit(event, *key, wind=wind)
    event.did["substitute left"] += 1


def fill_seats(event: Event, player: int, seats: list[Key]) -> None:
    """A substitute for each seat ahead, or the table is forfeited."""
    score, choices = -event.chance.randrange(0, 300, 10), {}
    for number, table in seats:
        free = [each.player_id for each in free_substitutes(event.round(number))]
        chosen = event.chance.choice([FORFEIT, *free])
        choices[event.table(number, table).pk] = chosen
        hanchan = event.played.hanchan[number, table]
        if chosen == FORFEIT:
            hanchan.forfeited = True
        else:
            hanchan.seats[hanchan.players.index(player)] = Sit(chosen, player)
            event.give(number, player, "substituted", score)
        event.did["decided seat"] += 1
    entrant = event.entrant(player)
    decide_seats(entrant=entrant, choices=choices, reason="left", score=score, by=event.alice)


def substitute(event: Event, number: int, table: int, wind: int | None = None) -> None:
    free = [each.player_id for each in free_substitutes(event.round(number))]
    if not free:
        return
    wind = event.chance.randrange(4) if wind is None else wind
    substitute = event.chance.choice(free)
    late, score = event.chance.random() < 0.5, -event.chance.randrange(0, 300, 10)
    absent = event.played.hanchan[number, table].seats[wind].seated
    ahead = seats_ahead(event, absent, substitute, number) if event.chance.random() < 0.4 else None
    substitute_player(
        seat=seat_of(event, number, table, wind),
        substitute=substitute,
        late=late,
        score=score,
        reason="ill",
        onwards=ahead is not None,
        by=event.alice,
    )
    event.did["substitute until back"] += ahead is not None
    for key, at in [((number, table), wind), *(ahead or ())]:
        came_late = late and key == (number, table)
        event.played.hanchan[key].seats[at] = Sit(substitute, absent, came_late, ahead is not None)
        event.give(key[0], absent, "substituted", score)
    if absent not in event.gone and event.happens(0.2, "substitute sent back"):
        end_substitution(seat=seat_of(event, number, table, wind), reason="came", by=event.alice)
        event.played.hanchan[number, table].seats[wind] = Sit(absent)
        del event.played.given[number, absent, "substituted"]


def seats_ahead(event: Event, absent: int, substitute: int, number: int) -> list[tuple[Key, int]] | None:
    """Return the player's seats in later rounds, or None if the substitute is not free in all of them."""
    found = [
        (key, wind)
        for key, hanchan in sorted(event.played.hanchan.items())
        for wind, sit in enumerate(hanchan.seats)
        if key[0] > number and not hanchan.forfeited and sit == Sit(absent)
    ]
    sits = {(key[0], sit) for key, hanchan in event.played.hanchan.items() for sit in hanchan.seats}
    busy = {(round_, each) for round_, sit in sits for each in (sit.player, sit.absent)}
    return None if any((key[0], substitute) in busy for key, _ in found) else found


def forfeit(event: Event, number: int, table: int, wind: int | None = None) -> None:
    wind = event.chance.randrange(4) if wind is None else wind
    score, others = -event.chance.randrange(0, 300, 10), event.chance.choice((None, 0, 50))
    hanchan = event.played.hanchan[number, table]
    forfeit_seat(
        seat=seat_of(event, number, table, wind), score=score, others=others, reason="away", by=event.alice
    )
    hanchan.forfeited = True
    gone = hanchan.seats[wind]
    event.give(number, gone.absent or gone.player, "absent", score)
    for sit in hanchan.seats:
        if others is not None and sit is not gone and sit.absent is None:
            event.give(number, sit.player, "sat_out", others)


def seat_of(event: Event, number: int, table: int, wind: int) -> Seat:
    return Seat.objects.get(table=event.table(number, table), wind=wind)
