"""Random tables with chombo, bans and dead hands: nothing that was pressed is missing in the total."""

import uuid
from collections import Counter
from itertools import cycle, islice
from random import Random

import pytest

from league.models import Competition, Penalty, Sheet
from league.ranking.standings.queries.standings import compute_standings
from scoring.hanchan import Game, play
from scoring.presets import presets
from tests.factories import Club, signed_in
from tests.hands import phone_at
from tests.league.play.entry.at_table import answer, of_table, signing_club, typed_sheet
from tests.league.play.entry.at_table import phone_at as signer_at
from tests.league.play.hands.random_games import RandomGame
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db

SLUGS = [preset.slug for preset in presets() if preset.slug not in ("tenhou", "tenhou-2022", "mahjong-soul")]
TOO_MANY_TILES = {"wrc-2022": -300, "wrc-2025": -300}  # a chombo in these penalty rules


def costs(game: Game, slug: str) -> list[Counter[int]]:
    """Return what each seat did, as the numbers of its requests by their scores. Bans cost nothing."""
    seats: list[Counter[int]] = [Counter() for _seat in range(4)]
    for step in game.steps:
        for seat in step.chombo if game.rules.chombo.score else ():
            seats[seat][game.rules.chombo.score or 0] += 1
        for seat in (*step.hand.win_bans, *step.hand.dead_hands):
            seats[seat][0] += 1
        for seat, tiles in enumerate(step.hand.extra_tiles):
            if tiles and seat not in (*step.hand.win_bans, *step.hand.dead_hands):
                seats[seat][TOO_MANY_TILES.get(slug, 0)] += 1
    return seats


def requested(made: Club) -> list[Counter[int]]:
    """Return the same from the database, by seat."""
    waiting = Penalty.objects.filter(competition=made.competition, status="requested", revoked_at=None)
    players = made.table().seats.order_by("wind").values_list("player", flat=True)
    return [Counter(waiting.filter(player=player).values_list("score", flat=True)) for player in players]


def play_table(slug: str, number: int, seed: int) -> int:
    """Play a table to its standings, and return how many requests were decided."""
    random = Random(f"{seed} {number} {slug}")
    made = signing_club(f"t{number}", preset=slug, players=4)
    game = RandomGame(made, made.table(), random)
    game.run()
    played = finish(game)
    assert requested(made) == costs(played, slug)
    if max(map(abs, played.points)) > 2 * played.rules.total_points:
        return 0  # a sheet reads such numbers as points typed in full, which only chance reaches
    waiting = list(Penalty.objects.filter(competition=made.competition, status="requested", revoked_at=None))
    early = random.sample(waiting, random.randint(0, len(waiting)))  # before the score sheet
    kept = [penalty for penalty in early if decide(made, penalty, random)]
    sign(made, played)
    assert Sheet.objects.filter(table=made.table()).exists() == (len(early) == len(waiting))
    late = [penalty for penalty in waiting if penalty not in early]
    kept += [penalty for penalty in late if decide(made, penalty, random)]
    check_totals(made, kept)
    return len(waiting)


def finish(game: RandomGame) -> Game:
    """Play the table to its end, and return its game."""
    phone, played = phone_at(game.table), game.game
    state = phone.see()
    while state["over"] is None:
        hand = tsumo(1 if state["dealer"] != 1 else 3)
        state, played = phone.play(hand), play(played, hand)
    return played


def decide(made: Club, penalty: Penalty, random: Random) -> bool:
    """Let a referee confirm or decline a request. Return whether it counts."""
    confirms = random.random() < 0.7
    values = {"verdict": "approve"} if confirms else {"verdict": "decline", "reason": "no offence"}
    client = signed_in(made.bob)
    decided = client.post(f"/c/{made.slug}/penalties/{penalty.pk}/decide/", {"key": uuid.uuid4(), **values})
    assert decided.status_code == 302
    return confirms


def sign(made: Club, game: Game) -> None:
    players = [seat.player for seat in made.table().seats.order_by("wind").select_related("player")]
    phones = [signer_at(made, made.players.index(player)) for player in players]
    ending = {"sticks": str(game.deposits // 1000), "last_dealer": str(game.last_dealer)}
    sheet = typed_sheet(made, game.points, **ending)
    typed = phones[0].post(of_table("results:at_table", made), sheet)
    if typed.status_code == 422:  # an unusual number wants a tick
        said = typed.content.decode().split('name="sure" value="')[1].split('"')[0]
        sheet |= {"key": uuid.uuid4(), "sure": said}
        typed = phones[0].post(of_table("results:at_table", made), sheet)
    assert typed.status_code == 302, typed.content.decode()
    for wind, phone in enumerate(phones):
        phone.post(of_table("results:sign", made), answer(made, wind))


def check_totals(made: Club, kept: list[Penalty]) -> None:
    sheet = Sheet.objects.get(table=made.table(), is_current=True)
    scores = {seat.wind: seat.score for seat in sheet.settled(made.stage.division.rules)}
    deducted = Counter[int]()
    for penalty in kept:
        deducted[penalty.player_id] += penalty.score
    players = made.table().seats.order_by("wind").values_list("player", flat=True)
    expected = {player: scores[wind] + deducted[player] for wind, player in enumerate(players)}
    made.stage.division.competition = Competition.objects.get(pk=made.competition.pk)
    rows = compute_standings(made.stage, public=False).rows
    assert {each.row.player: each.row.total for each in rows} == expected


def play_tables(count: int, seed: int) -> int:
    decided = 0
    for number, slug in islice(enumerate(cycle(SLUGS)), count):
        try:
            decided += play_table(slug, number, seed)
        except AssertionError as failure:
            raise AssertionError(f"table {number} of seed {seed} under {slug}") from failure
    return decided


@pytest.mark.slow
def test_nothing_that_was_pressed_at_random_tables_is_missing_in_the_total():
    assert play_tables(3, seed=1) > 0


@pytest.mark.slow
def test_nothing_that_was_pressed_at_more_random_tables_is_missing_in_the_total():
    assert play_tables(10, seed=1) > 10


@pytest.mark.long
def test_nothing_that_was_pressed_at_200_random_tables_is_missing_in_the_total():
    assert play_tables(200, seed=2) > 200
