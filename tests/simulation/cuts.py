"""From one stage to the next, and from one season to the next."""

from fractions import Fraction

from league.models import Division, Round, Stage
from league.organizing.competitions.services import add_division
from league.play.rounds.services import set_visibility
from league.ranking.seasons.queries import season_end
from league.ranking.seasons.services import make_next_season, set_movements
from league.ranking.stages.queries import plan_cut
from league.ranking.stages.services import cut_stage, draw
from scoring.cuts import Terms, evenly_seated
from scoring.promotion import Movement
from tests.reckoning import Known, rounded
from tests.simulation.event import Event, Played, agree
from tests.simulation.people import enter
from tests.simulation.seating import read_back


def cut(event: Event) -> bool:
    """Make a cut and continue with its players. Return False if there are too few."""
    source, gone = event.fresh(), event.gone
    order = [line.player for line in event.ranked(with_lots=True) if line.player not in gone]
    sizes = [size for size in (4, 5, 8, 12, 16, 20) if size <= len(order)]
    if not sizes or not any(h.points is not None for h in event.played.hanchan.values()):
        return False
    top = event.chance.choice(sizes)
    starts = tuple(event.chance.choice(((), (400, 300, 200, 100, 0), (50,))))
    carry, hanchan = event.chance.choice(("none", "half", "all")), event.chance.choice((0, 2, 5))
    terms = Terms(top=top, head_starts=starts)
    draw_lots(event, terms)
    order = [line.player for line in event.ranked(with_lots=True) if line.player not in gone]
    agree("the order of the cut", list(plan_cut(source, terms, carry).cut.players), order[:top])
    made = cut_stage(
        source=source,
        name="Final",
        terms=terms,
        carry=carry,
        hanchan=hanchan,
        seated=bool(hanchan) and evenly_seated(top, hanchan) and event.chance.random() < 0.5,
        seed=event.chance.randrange(10**6),
        by=event.alice,
    )
    go_on(event, made, order[:top], carry, starts)
    return True


def draw_lots(event: Event, terms: Terms) -> None:
    """Between all who are equal at the line of the cut, as long as there are any."""
    while equal := plan_cut(event.fresh(), terms, "none").cut.open:
        made = draw(stage=event.fresh(), players=equal[0], seed=event.chance.randrange(99), by=event.alice)
        event.played.known.lots.append(made.drawn_ids)
        event.did["lots drawn"] += 1


def go_on(event: Event, made: Stage, players: list[int], carry: str, starts: tuple[int, ...]) -> None:
    before = {line.player: line for line in event.ranked()}
    whole = {p: before[p].total for p in players}
    half = {p: rounded(Fraction(total) / 2) for p, total in whole.items()}
    brought = {"none": dict.fromkeys(players, 0), "half": half, "all": whole}[carry]
    for player, start in zip(players, starts, strict=False):
        brought[player] += start
    ranks = {player: line.rank for player, line in before.items()}
    event.played = Played(event._with_sit_out(made), came=players, brought=brought)
    event.played.known = Known(preliminary=ranks)
    event.stages.append(event.played)
    for number in made.rounds.order_by("number").values_list("number", flat=True):
        if number in event.seats():
            read_back(event, number, [])


def second_division(event: Event) -> None:
    """Everything from here on happens in another division, below the first one."""
    event.division = add_division(
        competition=event.cast.competition, name="Second", rules=event.cast.division.rule_set, by=event.alice
    )
    event.most_tables = 99
    event.played = Played(event._with_sit_out(event.division.stages.get()))
    event.stages.append(event.played)
    for _ in range(event.chance.randint(5, 12)):
        enter(event)


def end_season(event: Event) -> None:
    """The last of the first division change places with the first of the second one."""
    orders = [order_at_the_end(event, division) for division in (event.cast.division, event.division)]
    count = min(event.chance.randint(1, 3), *map(len, orders))
    vacancies = "leave_free"
    movements = {
        event.cast.division.pk: Movement(down=count, vacancies=vacancies),
        event.division.pk: Movement(up=count, vacancies=vacancies),
    }
    set_movements(competition=event.cast.competition, movements=movements, by=event.alice)
    for round_ in Round.objects.filter(stage__division__competition=event.cast.competition):
        set_visibility(round_=round_, visibility="results", by=event.alice)
    draw_between_divisions(event)
    upper, lower = (order_at_the_end(event, division) for division in (event.cast.division, event.division))
    end = season_end(event.cast.competition)
    made = make_next_season(
        competition=event.cast.competition,
        name="Next",
        slug=f"next-{event.cast.slug}",
        seen=end.fingerprint,
        by=event.alice,
    )
    by_hand = {player: "Second" for player in (*upper[len(upper) - count :], *lower[count:])}
    by_hand |= {player: event.cast.division.name for player in (*upper[: len(upper) - count], *lower[:count])}
    entered = made.entrants.filter(is_substitute=False).values_list("player", "division__name")
    agree("the divisions of the next season", dict(entered), by_hand)
    event.did["next season"] += 1


def draw_between_divisions(event: Event) -> None:
    while found := season_end(event.cast.competition).open:
        stage, equal = found[0]
        players = [info.player for info in equal]
        made = draw(stage=stage, players=players, seed=event.chance.randrange(99), by=event.alice)
        played = next(each for each in event.stages if each.stage.pk == stage.pk)
        played.known.lots.append(made.drawn_ids)
        event.did["lots drawn"] += 1


def order_at_the_end(event: Event, division: Division) -> list[int]:
    """Return the players in the final's order, followed by the others in the order of their own stage."""
    order: list[int] = []
    now = event.division, event.played
    event.division = division
    for played in reversed([each for each in event.stages if each.stage.division_id == division.pk]):
        event.played = played
        if played.came is None or any(h.points is not None for h in played.hanchan.values()):
            order += [line.player for line in event.ranked(with_lots=True) if line.player not in order]
    event.division, event.played = now
    return [p for p in order if p not in event.gone and event.members[p] == division.pk]
