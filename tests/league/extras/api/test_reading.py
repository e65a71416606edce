"""Programs read what the pages of their audience show."""

import pytest
from django.db.models import F

from league.models import Competition, Round, Stage
from league.ranking.standings.exports import standings_json
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club
from tests.league.extras.api.asking import Program, stage_of, token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    here = club("spring")
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    return here


def test_a_visitor_reads_competitions_divisions_and_stages(spring):
    program = Program()

    listed = program.read("")
    found = program.read("/spring")

    assert [each["slug"] for each in listed["items"]] == ["spring"]
    assert (listed["total"], listed["next"]) == (1, None)
    assert {name: found[name] for name in ("name", "league", "finished", "first_day")} == {
        "name": "League spring",
        "league": "Club spring",
        "finished": False,
        "first_day": None,
    }
    stage = {"slug": spring.stage.slug, "name": spring.stage.name, "carry": "none", "play": "rounds"}
    assert found["divisions"] == [
        {
            "slug": spring.division.slug,
            "name": spring.division.name,
            "stages": [stage | {"play": str(spring.stage.play), "rounds": 1}],
        }
    ]


def test_a_table_has_points_uma_oka_and_scores_as_the_exports_write_them(spring):
    table = Program().read(f"{stage_of(spring)}/rounds/1/tables/1")

    assert (table["status"], table["sticks"], table["last_dealer"]) == ("entered", 0, "north")
    assert table["revision"] == spring.table().sheets.get().pk
    east = table["seats"][0]
    assert {name: east[name] for name in ("wind", "player", "points", "place", "uma", "oka")} == {
        "wind": "east",
        "player": "p1",
        "points": 45000,
        "place": 1,
        "uma": "30.0",
        "oka": "20.0",
    }
    scores = [float(seat["score"]) for seat in table["seats"]]
    assert sum(scores) == 0
    assert scores == sorted(scores, reverse=True)


def test_standings_are_those_of_the_export(spring):
    spring.competition.counting = Competition.Counting.ENTERED
    spring.competition.save()

    found = Program().read(f"{stage_of(spring)}/standings?limit=3")

    assert found["items"] == standings_json(spring.stage, public=True)["rows"][:3]
    assert found["total"] == 8
    assert found["next"] == f"/api/v1/competitions{stage_of(spring)}/standings?limit=3&offset=3"
    assert len(Program().read(found["next"].removeprefix("/api/v1/competitions"))["items"]) == 3


def test_rules_and_players_have_the_shapes_of_the_competition_file(spring):
    player = spring.players[0]
    player.federation_numbers.create(federation="EMA", number="04010023")

    rules = Program().read(f"/spring/divisions/{spring.division.slug}/rules")
    public = Program().read("/spring/players")["items"]
    staff = Program(token_of(spring, "scorer")).read("/spring/players")["items"]

    assert (rules["preset"], rules["values"]["start_points"]) == ("hkma-a-2025-04", 30000)
    assert len(public) == len(staff) == 8
    assert next(each for each in public if each["id"] == "p1")["ema_number"] == ""
    assert next(each for each in staff if each["id"] == "p1")["ema_number"] == "04010023"


def test_a_hidden_round_exists_for_staff_only(spring):
    spring.add_round(visibility=Round.Visibility.HIDDEN)
    spring.record((45000, 35000, 25000, 15000), round_number=2)
    paths = [f"{stage_of(spring)}/rounds/2", f"{stage_of(spring)}/rounds/2/tables/1"]

    visitor, reader = Program(), Program(token_of(spring, "player"))
    staff = Program(token_of(spring, "scorer"))

    for path in paths:
        assert [each.ask(path).status_code for each in (visitor, reader, staff)] == [404, 404, 200]
    rounds = [len(each.read(f"{stage_of(spring)}/rounds")["items"]) for each in (visitor, reader, staff)]
    assert rounds == [1, 1, 2]


def test_a_published_seating_has_no_results(spring):
    spring.add_round(visibility=Round.Visibility.SEATING)
    spring.record((45000, 35000, 25000, 15000), round_number=2)

    public = Program().read(f"{stage_of(spring)}/rounds/2")["items"][0]
    staff = Program(token_of(spring, "referee")).read(f"{stage_of(spring)}/rounds/2")["items"][0]

    assert (public["status"], public["revision"]) == ("scheduled", 0)
    assert {seat["points"] for seat in public["seats"]} == {None}
    assert [seat["player"] for seat in public["seats"]] == ["p1", "p2", "p3", "p4"]
    assert (staff["status"], staff["seats"][0]["points"]) == ("entered", 45000)


def test_visitors_read_the_penalties_that_pages_list(spring):
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob)
    hidden = spring.add_round(visibility=Round.Visibility.HIDDEN)
    facts = {"stage": spring.stage, "player_id": spring.players[1].pk, "score": -40, "reason": "secret"}
    log_penalty(**facts, table=spring.table(2), by=spring.bob)
    assert hidden.number == 2

    public = Program().read("/spring/penalties")["items"]
    staff = Program(token_of(spring, "referee")).read("/spring/penalties")["items"]

    assert [(each["player"], each["score"], each["reason"]) for each in public] == [("p1", -2.0, "late")]
    assert [each["reason"] for each in staff] == ["secret", "late"]
    shown = Competition.PenaltiesShown.SCORES
    Competition.objects.update(penalties_shown=shown, revision=F("revision") + 1)
    assert Program().ask("/spring/penalties").status_code == 404


def test_a_private_competition_is_open_to_its_own_tokens_only():
    secret, other = club("secret", visibility="private"), club("other")

    assert Program().ask("/secret").status_code == 404
    assert Program(token_of(other, "organizer")).ask("/secret").status_code == 404
    assert Program(token_of(secret, "player")).ask("/secret").status_code == 200
    listed = [
        [each["slug"] for each in program.read("")["items"]]
        for program in (Program(), Program(token_of(secret, "player")))
    ]
    assert listed == [["other"], ["other", "secret"]] or listed == [["other"], ["secret", "other"]]


def test_an_old_etag_gets_304_until_the_public_revision_changes(spring):
    path = f"{stage_of(spring)}/rounds/1"
    tag = Program().ask(path)["ETag"]

    assert Program().ask(path, **{"If-None-Match": tag}).status_code == 304
    staff = Program(token_of(spring, "scorer"))
    staff_tag = staff.ask(path)["ETag"]
    assert staff_tag != tag
    assert staff.ask(path, **{"If-None-Match": staff_tag}).status_code == 304
    spring.record((45000, 35000, 25000, 15000), number=2)
    assert Program().ask(path, **{"If-None-Match": tag}).status_code == 200
    assert staff.ask(path, **{"If-None-Match": staff_tag}).status_code == 200


def test_head_answers_as_get_without_a_body(spring):
    secret = token_of(spring, "organizer")
    for client, path in [
        (Program().client, "/api/v1/competitions/spring"),
        (Program(secret).client, "/api/v1/competitions/spring/players"),
        (Program().client, "/api/v1/competitions/nowhere"),
        (Program().client, "/api/v1/competitions/spring/rounds/"),
    ]:
        got, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        names = ("ETag", "Content-Type", "Cache-Control", "Access-Control-Allow-Origin", "Vary")
        assert [head.get(name) for name in names] == [got.get(name) for name in names]
    tag = Program().ask("/spring")["ETag"]
    address = "/api/v1/competitions/spring"
    assert Program().client.head(address, headers={"If-None-Match": tag}).status_code == 304
    writes = f"/api/v1/competitions{stage_of(spring)}/rounds/1/open"
    assert Program(secret).client.head(writes).status_code == Program(secret).client.get(writes).status_code


def test_other_sites_read_public_parts_and_send_no_token(spring):
    origin = {"Origin": "https://club.example"}

    public = Program().ask("/spring", **origin)
    with_token = Program(token_of(spring, "player")).ask("/spring", **origin)
    preflight = Program().client.options("/api/v1/competitions/spring", headers=origin)

    assert public["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in public
    assert "Access-Control-Allow-Origin" not in with_token
    assert (preflight.status_code, preflight["Access-Control-Allow-Methods"]) == (204, "GET")
    assert "authorization" not in preflight["Access-Control-Allow-Headers"].lower()


@pytest.mark.parametrize(
    "path",
    ["", "/{0}", "/{0}/players", "/{0}/penalties", "/{0}/divisions/{1}/stages/{2}/rounds"],
)
def test_a_longer_list_costs_no_more_queries(path, django_assert_max_num_queries):
    counts = []
    for slug, times in (("one", 1), ("three", 3)):
        here = club(slug, players=4 * times)
        for _ in range(times):
            here.add_round()
        for index in range(times):
            facts = {"score": -20, "reason": "late", "by": here.bob}
            log_penalty(stage=here.stage, player_id=here.players[index].pk, **facts)
        staff = Program(token_of(here, "organizer"))
        staff.read(path.format(here.slug, here.division.slug, here.stage.slug))
        with django_assert_max_num_queries(12) as queries:
            staff.read(path.format(here.slug, here.division.slug, here.stage.slug))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_competition_file_is_for_organizers(spring):
    organizer = Program(token_of(spring, "organizer"))

    answer = organizer.ask("/spring/file")

    assert answer.status_code == 200
    assert answer.json()["format"] == "umaoka-competition"
    assert Program(token_of(spring, "referee")).ask("/spring/file").status_code == 403
    assert Program().ask("/spring/file").status_code == 401


def test_a_file_that_is_being_made_is_asked_for_again(spring, monkeypatch):
    organizer = Program(token_of(spring, "organizer"))
    with monkeypatch.context() as patch:
        patch.setattr("league.core.kept_files.find_file", lambda *_arguments, **_facts: None)
        waits = organizer.ask("/spring/file")
    made = organizer.ask("/spring/file")
    again = organizer.ask("/spring/file", **{"If-None-Match": made["ETag"]})

    assert (waits.status_code, waits.json()["code"]) == (503, "not_ready")
    assert int(waits["Retry-After"]) > 0
    assert [each.status_code for each in (made, again)] == [200, 304]


def test_a_stage_whose_cut_tells_hidden_results_is_for_staff(spring):
    spring.add_round(visibility=Round.Visibility.SEATING)
    spring.record((45000, 35000, 25000, 15000), round_number=2)
    cut = {"from": spring.stage.pk, "top": 4}
    Stage.objects.create(division=spring.division, slug="final", name="Final", position=2, cut=cut)
    path = f"/spring/divisions/{spring.division.slug}/stages/final"

    seen = {}
    for role, program in {"visitor": Program(), "staff": Program(token_of(spring, "scorer"))}.items():
        stages = [each["slug"] for each in program.read("/spring")["divisions"][0]["stages"]]
        seen[role] = ["final" in stages, program.ask(f"{path}/rounds").status_code]

    assert seen == {"visitor": [False, 404], "staff": [True, 200]}
    assert Program().ask(f"{path}/standings").status_code == 404
