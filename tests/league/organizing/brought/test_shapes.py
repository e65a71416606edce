"""Real competitions, written as lists of four shapes, come back with their standings."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.models import Competition, Stage
from league.play.results.queries.games import round_scores
from league.ranking.standings.queries.standings import standings
from scoring.units import WINDS
from tests.factories import Club, club, signed_in
from tests.league.organizing.interchange.files import Json, loaded, real_files

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WRITTEN = {
    "mleague-2018-19": ("cp932", ";"),
    "sample-24-players": ("cp1252", ","),
    "tenhou": ("utf-16", "\t"),
}
Rows = Iterator[list[object]]
Standing = dict[str, tuple[int | None, int, Any]]


def competition(name: str) -> Json:
    return real_files()[name] | {"penalties": []}


def tables_of(file: Json) -> Iterator[tuple[int, Json]]:
    for round_ in file["divisions"][0]["stages"][0]["rounds"]:
        yield from ((round_["number"], table) for table in round_["tables"])


def row_for_each_player(file: Json, _known: Standing) -> Rows:
    names = {player["id"]: player["name"] for player in file["players"]}
    yield ["round", "table", "player", "points", "seat", "deposits"]
    for number, table in tables_of(file):
        for seat in table["seats"]:
            facts = [names[seat["player"]], seat["points"], seat["wind"], table.get("sticks", 0)]
            yield [number, table["number"], *facts]


def row_for_each_table(file: Json, _known: Standing) -> Rows:
    names = {player["id"]: player["name"] for player in file["players"]}
    yield ["round", "table", *WINDS, *(f"{wind} points" for wind in WINDS), "deposits"]
    for number, table in tables_of(file):
        seats = sorted(table["seats"], key=lambda seat: WINDS.index(seat["wind"]))
        players = [names[seat["player"]] for seat in seats]
        yield [number, table["number"], *players, *(s["points"] for s in seats), table.get("sticks", 0)]


def column_for_each_round(file: Json, known: Standing) -> Rows:
    made = loaded(file | {"slug": "rounds"})
    stage = Stage.objects.with_rules().get(division__competition=made)
    rounds = list(dict.fromkeys(number for number, _table in tables_of(file)))
    by_round = {number: dict(scores) for number, scores in _scores(stage)}
    yield ["player", *(f"R{number}" for number in rounds)]
    for name in known:
        scores = [by_round[number].get(name) for number in rounds]
        yield [name, *("" if score is None else f"{score / 10:.1f}" for score in scores)]


def _scores(stage: Stage) -> Iterator[tuple[int, dict[str, int]]]:
    names = {line.player.player: line.player.name for line in standings(stage, public=False).rows}
    by_round: dict[int, dict[str, int]] = {}
    for number, scores in round_scores(stage, public=False):
        by_round.setdefault(number, {}).update({names[player]: score for player, score in scores.items()})
    yield from by_round.items()


def totals(_file: Json, known: Standing) -> Rows:
    yield ["player", "games", "total"]
    for name, (_rank, games, total) in known.items():
        yield [name, games, f"{total / 10:.1f}"]


SHAPES = (row_for_each_player, row_for_each_table, column_for_each_round, totals)


def standing(of: Competition) -> Standing:
    stage = Stage.objects.with_rules().get(division__competition=of)
    rows = standings(stage, public=False).rows
    return {line.player.name: (line.row.shown_rank, line.row.played, line.row.total) for line in rows}


def bring_file(here: Club, name: str, rows: Rows) -> None:
    encoding, mark = WRITTEN[name]
    text = "\n".join(mark.join(map(str, row)) for row in rows)
    alice = signed_in(here.alice)
    file = SimpleUploadedFile("season.csv", text.encode(encoding))
    sent = {"file": file, "encoding": "" if encoding.startswith("utf") else encoding, "stage": here.stage.pk}
    page = alice.post(reverse("brought:bring", args=(here.slug,)), sent)
    assert page.status_code == 200, page.content
    again = {"text": page.context["form"].initial["text"], "stage": here.stage.pk, "save": "1"}
    saved = alice.post(reverse("brought:preview", args=(here.slug,)), again | {"key": uuid.uuid4()})
    assert saved.status_code == 302, saved.content


@pytest.mark.parametrize("name", list(WRITTEN))
@pytest.mark.parametrize("shape", SHAPES)
def test_a_real_competition_comes_back_with_its_standings(name, shape):
    file = competition(name)
    known = standing(loaded(file))
    preset = file["divisions"][0]["rules"]["preset"]
    here = club("brought", players=0, preset=preset)

    bring_file(here, name, shape(file, known))

    assert standing(Competition.objects.get(slug=here.slug)) == known
