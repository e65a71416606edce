"""Made-up events of a chosen size, the same on every machine.

Who plays, where they sit and what they score is drawn from a seed. One hanchan in fifty leaves deposits on
the table; equal points happen as often as chance makes them, so every path of the settlement is walked.
"""

import random
from datetime import UTC, date, datetime, timedelta

from tqdm import tqdm

from league.models import Competition, Division, Entrant, League, Round, RuleSet, Seat, Sheet, Stage, Table
from players.models import Player, Register
from scoring.presets import preset, resolve

PRESET = "mleague"
START = 25_000
AT = datetime(2026, 1, 1, tzinfo=UTC)
CHUNK = 2_000


def make_event(*, players: int, tables: int, seed: int = 1) -> Stage:
    """A stage in which `players` (a multiple of four) play `tables` tables, everyone once a round."""
    if players % 4 or players < 4:
        raise ValueError(f"players sit at tables of four: {players}")
    stage = _competition(f"event-{players}-{tables}")
    people = _players(stage, players)
    a_round = players // 4
    rng = random.Random(seed)  # noqa: S311  chance that can be repeated
    with tqdm(total=tables, desc=f"making {tables:,} tables", disable=None, leave=False) as bar:
        for number, first in enumerate(range(0, tables, a_round), start=1):
            size = min(a_round, tables - first)
            play_round(stage, number, rng.sample(people, 4 * size), rng)
            bar.update(size)
    return stage


def open_rounds(slug: str, *, tables: int, least: int) -> Stage:
    """A stage of open rounds of so many tables, without a sheet, with ``least`` tables together."""
    stage = _competition(slug)
    people = _players(stage, 4 * tables)
    for number in range(1, -(-least // tables) + 1):
        _seat_round(stage, number, people, status=Round.Status.OPEN)
    return stage


def _competition(slug: str) -> Stage:
    league = League.objects.create(name=slug, slug=slug, register=Register.objects.create(name=slug))
    competition = Competition.objects.create(
        league=league, name=slug, slug=slug, tie_breaks=["average_place", "firsts", "best_points"]
    )
    rule_set = RuleSet.objects.create(
        preset=PRESET, edition=preset(PRESET).edition, values=resolve(PRESET).as_values()
    )
    division = Division.objects.create(competition=competition, slug="main", name="Main", rule_set=rule_set)
    return Stage.objects.create(division=division, slug="regular", name="Regular season")


def _players(stage: Stage, count: int) -> list[int]:
    register = stage.division.competition.league.register
    made = Player.objects.bulk_create(
        (
            Player(register=register, name=f"選手 {n}", romanized=f"Player {n}", country="JP")
            for n in range(1, count + 1)
        ),
        batch_size=CHUNK,
    )
    Entrant.objects.bulk_create(
        (
            Entrant(
                competition=stage.division.competition, player=player, division=stage.division, key=f"p{n}"
            )
            for n, player in enumerate(made, start=1)
        ),
        batch_size=CHUNK,
    )
    return [player.pk for player in made]


def play_round(
    stage: Stage, number: int, seated: list[int], rng: random.Random, *, start: int = START
) -> Round:
    """A closed round of these players, published, with a sheet for each table."""
    round_, tables = _seat_round(stage, number, seated, status=Round.Status.CLOSED)
    Sheet.objects.bulk_create(
        (_sheet(table, *drawn_points(rng, start=start), start=start) for table in tables), batch_size=CHUNK
    )
    return round_


def _seat_round(stage: Stage, number: int, seated: list[int], *, status: str) -> tuple[Round, list[Table]]:
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        date=date(2025, 1, 1) + timedelta(days=number % 365),
        status=status,
        visibility=Round.Visibility.RESULTS,
    )
    tables = Table.objects.bulk_create(Table(round=round_, number=n) for n in range(1, len(seated) // 4 + 1))
    Seat.objects.bulk_create(
        (
            Seat(table=table, round=round_, wind=wind, player_id=seated[4 * index + wind])
            for index, table in enumerate(tables)
            for wind in range(4)
        ),
        batch_size=CHUNK,
    )
    return round_, tables


def _sheet(table: Table, points: tuple[int, int, int, int], sticks: int, *, start: int) -> Sheet:
    east, south, west, north = points
    return Sheet(
        table=table,
        version=1,
        east=east,
        south=south,
        west=west,
        north=north,
        sticks=sticks,
        total=4 * start,
        entered_at=AT,
    )


def seat_late_substitute(stage: Stage) -> None:
    """Seats a substitute for the first player of the event, after play had begun."""
    competition = stage.division.competition
    player = Player.objects.create(register=competition.league.register, name="Substitute")
    Entrant.objects.create(
        competition=competition, player=player, division=stage.division, key="substitute", is_substitute=True
    )
    seat = Seat.objects.filter(round__stage=stage).order_by("pk")[0]
    Seat.objects.filter(pk=seat.pk).update(player=player, stands_for=seat.player_id, came_late=True)


def drawn_points(rng: random.Random, *, start: int = START) -> tuple[tuple[int, int, int, int], int]:
    """Points of the four seats and the deposits left: hundreds that add up, spread as hanchan are."""
    sticks = 1000 * rng.randint(1, 3) if rng.random() < 0.02 else 0
    east, south, west = (round(rng.gauss(start, 14_000) / 100) * 100 for _ in range(3))
    return (east, south, west, 4 * start - sticks - east - south - west), sticks
