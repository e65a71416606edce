"""Rounds seated by every method, and read back from the database."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from league.core.zones import day_of_play
from league.models import Round, Stage
from league.organizing.seating.queries.seating import (
    BOTH,
    CLOSE,
    FEW,
    HALVES,
    INTERVAL,
    LOTS,
    PLAN,
    RANDOM,
    RANK,
    SCHEDULE,
    SWISS,
    PlanRequest,
)
from league.organizing.seating.services.drafts import (
    accept_seating,
    begin_seating,
    draft_state,
    weigh_otherwise,
)
from league.play.open_play.queries import absent_players
from league.play.open_play.services import set_presence
from league.play.rounds.services import create_round, delete_round, seat_players
from scoring.seating.schedule import whole_schedule
from tests.reckoning import Hanchan
from tests.simulation.checks import check_ranks, check_winds
from tests.simulation.event import Event, agree

ONE_ROUND = (SWISS, RANK, INTERVAL, RANDOM, LOTS)


def seat(event: Event, number: int, *, again: bool = False) -> None:
    """Seat this round, and with a whole schedule some after it."""
    last = max(event.played.rounds(), default=0)
    rounds = 1 if again or number <= last else event.chance.choice((1, 1, 1, 2, 3))
    out = frozenset(
        player for player in event.pool if len(event.pool) > 8 and event.happens(0.02, "stays away")
    )
    playing = [player for player in event.pool if player not in out]
    if len(playing) >= 4 and not again and number > last and event.happens(0.08, "seated: hand"):
        return seat_by_hand(event, number, playing)
    asked, check = ask(event, number, playing, out, rounds)
    round_ = event.round(number) if number <= last or again else None
    asked = replace(asked, first=round_.pk if round_ else None)
    stage = event.fresh()
    if event.happens(0.1, "attendance at the door"):
        for player in playing:
            come(event, player)
    draft = begin_seating(stage=stage, asked=asked, seed=event.chance.randrange(10**6), by=event.alice)
    if asked.method == SWISS and event.happens(0.5, "dial"):
        draft = weigh_otherwise(draft=draft, weighs=event.chance.choice((FEW, BOTH, CLOSE)))
    accept_seating(stage=stage, seen=draft_state(draft), by=event.alice)
    event._tables = None, {}
    event.did[f"seated: {asked.method}"] += 1
    absent = absent_players(stage, day_of_play(event.cast.competition), event.pool)
    agree("who is not on the attendance list", absent or set(), set(out))
    targets = range(number, number + len(draft.asked["numbers"]))
    agree("the rounds that were seated", list(draft.asked["numbers"]), list(targets))
    for target in targets:
        read_back(event, target, draft.asked["players"], out=out)
    check(number)


def come(event: Event, player: int) -> None:
    day = day_of_play(event.cast.competition)
    entrant = event.entrant(player)
    set_presence(stage=event.fresh(), on=day, today=day, entrant=entrant, here=True, by=event.alice)


def seat_by_hand(event: Event, number: int, playing: list[int]) -> None:
    """Seat a round by hand without naming who sits out."""
    seated = event.chance.sample(playing, len(playing) // 4 * 4)
    tables = {at // 4 + 1: seated[at : at + 4] for at in range(0, len(seated), 4)}
    planned = Round.objects.filter(stage=event.played.stage, number=number).exists()
    round_ = event.round(number) if planned else create_round(stage=event.fresh(), by=event.alice)
    seat_players(round_=round_, tables=tables, by=event.alice)
    event._tables = None, {}
    read_back(event, number, [], by_hand=True)
    found = {t: [sit.seated for sit in h.seats] for t, h in event.played.tables(number).items()}
    agree("a seating by hand", found, tables)


def ask(
    event: Event, number: int, playing: list[int], out: frozenset[int], rounds: int
) -> tuple[PlanRequest, Callable[[int], None]]:
    """Return the arguments for this method, and the properties that it promises of the round."""
    few = len(playing) // 4
    tables = tuple(range(1, event.most_tables + 1)) if event.most_tables < few else ()
    fits = len(playing) % 4 == 0 and not tables
    if rounds > 1 or (fits and event.happens(0.1, "whole schedule")):
        return ask_schedule(event, playing, out, rounds, fits=fits)
    method = event.chance.choice(ONE_ROUND)
    wished = wishes(event, playing)
    check = partial(check_ranks, event, playing) if method == RANK and not wished else _nothing
    if method == INTERVAL:
        wished["spread"] = event.chance.choice(("", HALVES, "2", "5"))
    return PlanRequest(method=method, out=out, tables=tables, **wished), check


def ask_schedule(
    event: Event, playing: list[int], out: frozenset[int], rounds: int, *, fits: bool
) -> tuple[PlanRequest, Callable[[int], None]]:
    """Return a stored schedule if there is one. Else search one in few steps, because a search limited by the
    clock would not be reproducible, and import it as a plan.
    """
    if fits and not event.played.hanchan:
        check = partial(check_winds, event, rounds)
        return PlanRequest(method=SCHEDULE, rounds=rounds, out=out), check
    seed = event.chance.randrange(10**6)
    count = min(len(playing), 4 * event.most_tables) if not fits else len(playing)
    names = playing[: count if count % 4 == 0 else len(playing)]
    found = whole_schedule(len(names), rounds, seed=seed, steps=200)
    given = tuple(
        {
            number: tuple(names[place] for place in table)
            for number, table in zip(event.chance.sample(range(1, 99), len(round_)), round_, strict=True)
        }
        for round_ in found.rounds
    )
    return PlanRequest(method=PLAN, rounds=rounds, out=out, given=given), _nothing


def wishes(event: Event, playing: list[int]) -> dict[str, object]:
    if len(playing) < 12 or not event.happens(0.2, "wishes"):
        return {}
    one, other, third, fourth = event.chance.sample(playing, 4)
    return {
        "forbidden": frozenset({(min(one, other), max(one, other))}),
        "wished": frozenset({(min(third, fourth), max(third, fourth))}),
        "fixed": {one: 1} if event.chance.random() < 0.5 else {},
    }


def read_back(
    event: Event, number: int, asked: Sequence[int], *, out: Collection[int] = (), by_hand: bool = False
) -> None:
    """Return the round's seats from the database. Players asked for without a seat sit out."""
    before = going_on(event, number, by_hand=by_hand)
    for key in [key for key in event.played.hanchan if key[0] == number]:
        del event.played.hanchan[key]
    for table, four in event.seats()[number].items():
        event.played.hanchan[number, table] = Hanchan(four)
    sits = [sit for _, hanchan in sorted(event.played.tables(number).items()) for sit in hanchan.seats]
    seated = [sit.seated for sit in sits]
    for given in [given for given in event.played.given if given[0] == number]:
        del event.played.given[given]  # a substitution of this round ends when it is seated again
    wanted: dict[int, int] = {}
    for player in seated:
        substitute, score = before.get(player, (0, None))
        if player in before and substitute not in {*seated, *out, *event.gone, *wanted}:
            wanted[substitute] = player
            event.did["substitute stays"] += 1
            if score is not None:
                event.give(number, player, "substituted", score)
    agree("substitutes", {sit.player: sit.absent for sit in sits if sit.absent is not None}, wanted)
    event.played.sitting_out[number] = set(asked) - set(seated)
    compensate(event, number)
    event.did["sat out"] += len(event.played.sitting_out[number])


def going_on(event: Event, number: int, *, by_hand: bool) -> dict[int, tuple[int, int | None]]:
    """Return absent player → the substitute who stays until their return, and the points given for the last
    round.

    Seating a round again by hand replaces both.
    """
    sits = [
        (round_, sit)
        for (round_, _), hanchan in sorted(event.played.hanchan.items())
        for sit in hanchan.seats
        if round_ <= number
    ]
    there = {sit.seated: round_ for round_, sit in sits if sit.absent is None}  # when they were last
    here = {sit.seated for round_, sit in sits if by_hand and round_ == number}
    return {
        sit.seated: (sit.player, event.played.given.get((round_, sit.seated, "substituted")))
        for round_, sit in sits
        if sit.until_back and round_ > there.get(sit.seated, 0) and sit.seated not in here
    }


def unseat(event: Event, rounds: list[int]) -> None:
    """The rounds ahead are deleted, and seated one by one."""
    for number in rounds:
        delete_round(round_=event.round(number), by=event.alice)
        event._tables = None, {}
        for key in [key for key in event.played.hanchan if key[0] == number]:
            del event.played.hanchan[key]
        event.played.sitting_out.pop(number, None)
        for given in [given for given in event.played.given if given[0] == number]:
            del event.played.given[given]
        event.did["round deleted"] += 1


def compensate(event: Event, number: int) -> None:
    """Change the stage's points for sitting out."""
    stage = event.played.stage
    if stage.sit_out == Stage.SitOut.NOTHING:
        return
    for player in event.played.sitting_out.get(number, ()):
        fixed = stage.sit_out == Stage.SitOut.FIXED
        event.give(number, player, "sat_out", stage.sit_out_score if fixed else None)


def _nothing(_number: int) -> None:
    """A method that promises nothing of this kind."""
