"""A round played: absences, results and their corrections, mended seats, penalties."""

from typing import Any

from league.models import Table
from league.play.results.services import record_result, void_result
from league.play.rounds.services import close_round, open_round
from league.play.substitutions.services.swaps import exchange_results, round_state, swap_players
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import as_seen
from tests.reckoning import Hanchan
from tests.simulation.event import Event
from tests.simulation.people import forfeit, substitute


def play_round(event: Event, number: int) -> None:
    open_round(round_=event.round(number), by=event.alice)
    motion(event, number, started=False)
    for table, hanchan in sorted(event.played.tables(number).items()):
        if not hanchan.forfeited:
            enter_result(event, number, table)
    mend(event, number)
    penalize(event, number)
    visibility = event.chance.choice(("results", "results", "results", "seating", None))
    close_round(round_=event.round(number), visibility=visibility, by=event.alice)


def motion(event: Event, number: int, *, started: bool) -> None:
    """Make substitutions, late arrivals, returns, no-shows and wrong seats before the results."""
    for table, hanchan in sorted(event.played.tables(number).items()):
        if hanchan.forfeited:
            continue
        if event.happens(0.06, "substitute"):
            substitute(event, number, table)
        elif event.happens(0.02, "no-show"):
            forfeit(event, number, table)
    if event.happens(0.15, "swap before results"):
        swap(event, number)


def play_hanchan(event: Event, hanchan: Hanchan) -> None:
    """Give the hanchan an ending unlike the one that it has."""
    before = hanchan.points
    while hanchan.points == before:
        hanchan.points, hanchan.sticks = points(event)
    chance, worth = event.chance, event.worth
    hanchan.dealer = chance.randrange(4) if worth.ties == "last dealer" or worth.named or worth.chip else 3
    hanchan.named = {}
    if worth.named:
        named = {seat: chance.choice([each for each in range(4) if each != seat]) for seat in range(4)}
        hanchan.named = {seat: other for seat, other in named.items() if chance.random() < 0.6}
    first = [chance.randint(-5, 5) for _ in range(3)] if worth.chip else [0, 0, 0]
    hanchan.chips = (*first, -sum(first))  # type: ignore[assignment]  # four


def points(event: Event) -> tuple[tuple[int, int, int, int], int]:
    """Return four totals that add up, often with two, three or four equal ones, and the deposits left."""
    while True:
        sticks = event.chance.choice((0, 0, 0, 1_000, 2_000))
        equal = event.chance.choices((1, 2, 3, 4), (80, 10, 6, 4))[0]
        cuts = [event.chance.randrange(-10_000, 70_001, event.step) for _ in range(4)]
        cuts[:equal] = [cuts[0]] * equal
        rest = 4 * event.worth.start - sticks
        if equal == 4:
            cuts = [rest // 4] * 4
        cuts[3] = rest - sum(cuts[:3])
        event.chance.shuffle(cuts)
        east, south, west, north = cuts
        if all(-30_000 <= each <= 90_000 and each % 100 == 0 for each in cuts):
            return (east, south, west, north), sticks


def enter_result(event: Event, number: int, table: int) -> None:
    hanchan, found = event.played.hanchan[number, table], event.table(number, table)
    play_hanchan(event, hanchan)
    record(event, found, hanchan)
    if event.happens(0.05, "correction"):
        play_hanchan(event, hanchan)
        record(event, found, hanchan, reason="typed wrongly")
    elif event.happens(0.03, "void"):
        void_result(**as_seen(found), reason="wrong tiles", by=event.alice)
        hanchan.points = None
        if event.chance.random() < 0.5:
            play_hanchan(event, hanchan)
            record(event, found, hanchan, reason="played again")


def record(event: Event, table: Table, hanchan: Hanchan, *, reason: str = "") -> None:
    assert hanchan.points is not None
    record_result(
        **as_seen(table),
        points=hanchan.points,
        **ending_of(hanchan),
        seated=hanchan.players,
        reason=reason,
        by=event.alice,
    )


def ending_of(hanchan: Hanchan) -> dict[str, Any]:
    return {
        "sticks": hanchan.sticks,
        "last_dealer": hanchan.dealer,
        "sashiuma": hanchan.named,
        "chips": hanchan.chips,
    }


def mend(event: Event, number: int) -> None:
    """After the results: two people sat elsewhere, or two sheets were typed at the wrong table."""
    if event.happens(0.2, "swap after results"):
        swap(event, number)
    with_points = [t for t, h in sorted(event.played.tables(number).items()) if h.points is not None]
    if len(with_points) > 1 and event.happens(0.1, "results exchanged"):
        one, other = event.chance.sample(with_points, 2)
        round_ = event.round(number)
        exchange_results(
            round_=round_,
            table=one,
            other_table=other,
            reason="mixed up",
            based_on=round_state(round_),
            by=event.alice,
        )
        a, b = (event.played.hanchan[number, table] for table in (one, other))
        for name in ("points", "sticks", "dealer", "named", "chips"):
            mine, theirs = getattr(a, name), getattr(b, name)
            setattr(a, name, theirs)
            setattr(b, name, mine)


def swap(event: Event, number: int) -> None:
    tables = [h for h in event.played.tables(number).values() if not h.forfeited]
    sits = [(hanchan, wind) for hanchan in tables for wind in range(4)]
    if len(sits) < 2:
        return
    (one, a), (other, b) = event.chance.sample(sits, 2)
    players = one.seats[a].player, other.seats[b].player
    penalties = event.chance.choice(("follow", "stay"))
    round_ = event.round(number)
    swap_players(
        round_=round_,
        player=players[0],
        other_player=players[1],
        penalties=penalties,
        reason="sat wrongly",
        based_on=round_state(round_),
        by=event.alice,
    )
    one.seats[a], other.seats[b] = other.seats[b], one.seats[a]
    if penalties == "stay":
        hand_over(event, number, players, (one, other))


def hand_over(event: Event, number: int, players: tuple[int, int], tables: tuple[Hanchan, Hanchan]) -> None:
    """Move the penalties of these tables to the players who really sat there."""
    keys = [key[1] for hanchan in tables for key, each in event.played.hanchan.items() if each is hanchan]
    for pk, (player, tenths, round_, table) in list(event.played.penalties.items()):
        here = {t: event.table(number, t).pk for t in keys}
        for mine, key, theirs in zip(players, keys, reversed(players), strict=True):
            if (player, table) == (mine, here[key]):
                event.played.penalties[pk] = theirs, tenths, round_, table


def penalize(event: Event, number: int) -> None:
    tables = sorted(event.played.tables(number))
    for player in event.chance.sample(event.pool, len(event.pool)):
        if not event.happens(0.03, "penalty"):
            continue
        at = next((t for t in tables if player in event.played.hanchan[number, t].players), None)
        table = None if at is None else event.table(number, at)
        tenths = -10 * event.chance.randint(1, 40)
        made = log_penalty(
            stage=event.fresh(), player_id=player, score=tenths, table=table, reason="late", by=event.alice
        )
        where = (number, table.pk) if table else (None, None)
        event.played.penalties[made.pk] = player, tenths, *where
        if event.happens(0.2, "penalty revoked"):
            revoke_penalty(penalty=made, reason="was there", by=event.alice)
            del event.played.penalties[made.pk]
    if event.happens(0.1, "swap after penalties"):
        swap(event, number)
