"""Seasons in files: numbers of hanchan, movements, play-offs and the season before, there and back."""

import io
import json
from typing import Any

import openpyxl
import pytest

from league.models import Competition, Division
from league.organizing.interchange.exports.files import standings_file
from league.organizing.interchange.exports.workbook import write_workbook
from league.ranking.seasons.queries import season_end
from league.ranking.seasons.services import make_play_off
from league.ranking.stages.services import set_numbers
from scoring.standings import AVERAGE, BEST, Numbers
from tests.league.organizing.interchange.files import check_problem, competition_file, each_case, loaded
from tests.module_fixtures import module_fixture
from tests.seasons import Season, played

pytestmark = pytest.mark.django_db

WRONG_MOVEMENTS: list[object] = [{"down": -1}, {"down": 1.5}, {"down_by": ["percent"]}, {"sideways": 1}, []]
NUMBERS = Numbers(valid=2, standard=1, beyond=BEST)


@module_fixture
def spring() -> Season:
    """A has two rounds, and the better one counts. B has one, so that its players have no rank."""
    made = played()
    made.move(made.upper, down=25, down_by="percent", down_play_off=1)
    made.move(made.lower, up=1, up_play_off=1)
    seen = made.end().fingerprint
    make_play_off(upper=made.upper, name="Play-off", hanchan=1, seen=seen, by=made.club.alice)
    made.play(made.upper)
    for division in (made.upper, made.lower):
        set_numbers(stage=made.stage(division), numbers=NUMBERS, by=made.club.alice)
    return made


def test_a_season_travels_with_numbers_movements_and_play_off(spring: Season) -> None:
    file = competition_file(spring.competition)
    upper, lower = file["divisions"]

    assert upper["movement"] == {"down": 25, "down_by": "percent", "down_play_off": 1}
    assert lower["movement"] == {"up": 1, "up_play_off": 1}
    first, play_off = upper["stages"]
    assert [first[name] for name in ("valid_hanchan", "standard_hanchan", "beyond")] == [2, 1, "best"]
    assert (play_off["cut"]["play_off"], play_off["cut"]["picked"]) == ("b", ["a7", "b1"])

    copied = loaded(file | {"slug": "elsewhere"}, spring.club.league)

    assert competition_file(copied) == file | {"slug": "elsewhere"}
    assert [each.stage is not None for each in season_end(copied).play_offs] == [
        each.stage is not None for each in season_end(spring.competition).play_offs
    ]


def test_the_season_before_is_found_again_in_the_same_league_only(spring: Season) -> None:
    Competition.objects.create(league=spring.club.league, slug="winter", name="Winter")
    file = competition_file(spring.competition) | {"previous": "winter"}

    copied = loaded(file | {"slug": "elsewhere"}, spring.club.league)
    strange = loaded(file | {"slug": "strange"})

    assert copied.previous is not None
    assert competition_file(copied)["previous"] == "winter"
    assert strange.previous is None


def test_a_file_without_a_season_says_nothing_of_it() -> None:
    file = competition_file(played("summer", movement=False).competition)

    assert "previous" not in file
    assert "movement" not in file["divisions"][0]
    assert list(file["divisions"][0]["stages"][0]) == ["slug", "name", "carry", "rounds"]


@pytest.mark.parametrize(
    "case",
    each_case(
        ("divisions[0].stages[0].valid_hanchan", (-1, "too small")),
        ("divisions[0].stages[0].standard_hanchan", (0, "too small")),
        ("divisions[0].stages[0].beyond", ("worst", "“worst” is not available")),
        (
            "divisions[0].movement",
            *((wrong, "promotion and relegation settings") for wrong in WRONG_MOVEMENTS),
        ),
        ("divisions[0].stages[1].cut.play_off", ("z", "Unknown division “z”")),
        ("previous", ("no slug!", "letters a to z")),
    ),
    ids=str,
)
def test_each_problem_of_a_season_has_its_place(spring: Season, case: tuple[Any, ...]) -> None:
    check_problem(competition_file(spring.competition), *case, only=True)


# --- standings


def rows(season: Season, division: Division) -> dict[str, dict[str, Any]]:
    file = json.loads(standings_file(season.stage(division), "json", public=True))
    return {row["player"]: row for row in file["rows"]}


def test_standings_in_files_say_what_counts_and_what_is_missing(spring: Season) -> None:
    upper, lower = rows(spring, spring.upper), rows(spring, spring.lower)

    assert [upper["a5"][name] for name in ("rank", "games", "beyond", "total")] == [1, 1, 1, "63.0"]
    assert "missing" not in upper["a5"]
    assert [lower["b5"][name] for name in ("rank", "games", "missing", "total")] == [None, 1, 1, "63.0"]
    heading, first = (
        standings_file(spring.stage(spring.lower), "csv", public=True).decode("utf-8-sig").splitlines()[:2]
    )
    assert heading.startswith("rank,player,name,games,score,penalty,missing,total")
    assert first.startswith(",b5,B5,1,63.0,0.0,1,63.0")


def test_the_files_give_an_average_as_the_score(spring: Season) -> None:
    numbers = Numbers(standard=1, beyond=AVERAGE)
    set_numbers(stage=spring.stage(spring.upper), numbers=numbers, by=spring.club.alice)

    row = rows(spring, spring.upper)["a5"]

    assert [row[name] for name in ("rank", "games", "score", "total")] == [1, 2, "63.0", "63.0"]


@pytest.mark.slow
def test_the_workbook_says_the_same(spring: Season) -> None:
    stream = io.BytesIO()
    write_workbook(spring.competition, stream, public=True, language="en")
    book = openpyxl.load_workbook(io.BytesIO(stream.getvalue()))

    upper, lower = (list(book[title].values) for title in ("A Regular season", "B Regular season"))
    at = {name: index for index, name in enumerate(upper[0])}
    a5 = next(row for row in upper if row[at["Key"]] == "a5")
    assert [a5[at[name]] for name in ("Rank", "Games", "Games not counted", "Total")] == [1, 1, 1, 63]
    assert "Games needed to be ranked" not in at
    at = {name: index for index, name in enumerate(lower[0])}
    b5 = next(row for row in lower if row[at["Key"]] == "b5")
    assert [b5[at[name]] for name in ("Rank", "Games", "Games needed to be ranked")] == [None, 1, 1]
    about = {row[0]: row[1] for row in book["About"].values}
    assert about["A, Regular season"].startswith("Players with fewer than 2 games")
