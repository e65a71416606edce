"""A league season of two divisions, A above B, for the tests of who goes up and down."""

from dataclasses import dataclass
from typing import Any

from league.models import Competition, Division, Entrant, Round, Stage
from league.organizing.competitions.services import add_division, update_competition
from league.play.results.services import record_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
from league.ranking.seasons.queries import SeasonEnd, season_end
from league.ranking.seasons.services import make_next_season, set_movements
from players.models import Player
from scoring.promotion import Movement
from tests.factories import Club, club
from tests.written_again import written_again

# Under HKMA A: 60.0, 10.0, −20.0, −50.0; the second table alike but not equal.
TABLES = ((45_000, 35_000, 25_000, 15_000), (48_000, 33_500, 22_000, 16_500))
# The order of eight players seated in the order of their keys: by the first table and the second.
ORDER = (5, 1, 2, 6, 3, 7, 8, 4)


@dataclass
class Season:
    """Two divisions of eight players, a1 to a8 and b1 to b8."""

    club: Club
    upper: Division
    lower: Division

    @property
    def competition(self) -> Competition:
        return Competition.objects.select_related("league").get(pk=self.club.competition.pk)

    def stage(self, division: Division) -> Stage:
        found = Stage.objects.select_related("division__competition__league", "division__rule_set")
        return found.filter(division=division).first()  # type: ignore[return-value]

    def entrant(self, key: str) -> Entrant:
        found = Entrant.objects.select_related("player", "competition__league", "division")
        return found.get(competition=self.competition, key=key)

    def player(self, key: str) -> int:
        return self.entrant(key).player_id

    def play(self, division: Division, *, close: bool = True, publish: bool = True, number: int = 1) -> Round:
        """One round of two tables, every player seated in the order of their keys."""
        players = list(division.entrants.order_by("pk").values_list("player", flat=True))
        return play_round(self.stage(division), players, self.club, close=close, publish=publish)

    def end(self, **by_hand: Any) -> SeasonEnd:
        return season_end(self.competition, {self.player(k): d and d.pk for k, d in by_hand.items()})

    def move(self, division: Division, **values: Any) -> None:
        set_movements(
            competition=self.competition, movements={division.pk: Movement(**values)}, by=self.club.alice
        )

    def next(self, name: str = "Autumn", *, seen: str | None = None, **more: Any) -> Competition:
        by_hand = more.get("by_hand", {})
        seen = seen or season_end(self.competition, by_hand).fingerprint
        return make_next_season(
            competition=self.competition, name=name, seen=seen, by=self.club.alice, **more
        )

    def keys(self, competition: Competition, division: str) -> list[str]:
        entered = competition.entrants.filter(division__slug=division)
        return sorted(entered.values_list("key", flat=True))


def play_round(
    stage: Stage, players: list[int], here: Club, *, close: bool = True, publish: bool = True
) -> Round:
    made = create_round(stage=stage, by=here.alice)
    tables = {n + 1: players[4 * n : 4 * n + 4] for n in range(len(players) // 4)}
    made = open_round(round_=seat_players(round_=made, tables=tables, by=here.alice), by=here.alice)
    for table in made.tables.order_by("number"):
        points = TABLES[(table.number - 1) % 2]
        record_result(table=table, points=points, based_on=0, by=here.charlie)
    if publish:
        made = set_visibility(round_=made, visibility="results", by=here.alice)
    return close_round(round_=made, by=here.alice) if close else made


@written_again
def two_divisions(slug: str = "spring", *, movement: bool = True) -> Season:
    """Make two divisions before the first round. Two players go down from A, two come up from B."""
    here = club(slug, players=0)
    lower = add_division(competition=here.competition, name="B", preset_slug="hkma-a-2025-04", by=here.alice)
    Division.objects.filter(pk=here.division.pk).update(name="A", slug="a")
    made = Season(here, Division.objects.get(pk=here.division.pk), Division.objects.get(pk=lower.pk))
    update_competition(
        competition=here.competition, values={"tie_breaks": ["previous_rank", "firsts"]}, by=here.alice
    )
    register = here.league.register
    people = Player.objects.bulk_create(
        Player(register=register, name=f"{division}{n}") for division in "AB" for n in range(1, 9)
    )
    Entrant.objects.bulk_create(
        Entrant(
            competition=here.competition,
            player=person,
            key=person.name.lower(),
            division=made.upper if person.name[0] == "A" else made.lower,
        )
        for person in people
    )
    if movement:
        made.move(made.upper, down=2)
        made.move(made.lower, up=2)
    return made


@written_again
def played(slug: str = "spring", **more: Any) -> Season:
    """Every division has played one round, closed and published."""
    made = two_divisions(slug, **more)
    made.play(made.upper)
    made.play(made.lower)
    return made
