"""Programs write through the services of the pages, with the same refusals."""

import uuid

import pytest

from league.models import AuditEntry, Round, Sheet
from league.organizing.audit_log.queries import audit_lines
from league.people.register.services import PlayerValues, values_of
from players.models import Player
from tests.factories import Club, club, last_entry
from tests.hands import phone_at as keeper_at
from tests.league.extras.api.asking import Program, stage_of, token_of
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db

POINTS = (45000, 35000, 25000, 15000)
WINDS = ("east", "south", "west", "north")


@pytest.fixture
def spring() -> Club:
    here = club("spring")
    here.add_round()
    return here


def sheet(points=POINTS, *, based_on=0, first=1, **more) -> dict:
    seats = [
        {"wind": wind, "player": f"p{first + index}", "points": number}
        for index, (wind, number) in enumerate(zip(WINDS, points, strict=True))
    ]
    return {"seats": seats, "based_on": based_on} | more


def path_of(here: Club, table: int = 1) -> str:
    return f"{stage_of(here)}/rounds/1/tables/{table}/sheet"


def test_a_sheet_is_entered_corrected_and_confirmed(spring):
    scorer = Program(token_of(spring, "scorer"))

    entered = scorer.send("PUT", path_of(spring), sheet())
    revision = entered.json()["revision"]
    corrected = scorer.send(
        "PUT", path_of(spring), sheet((44000, 36000, 25000, 15000), based_on=revision, reason="read again")
    )
    own = scorer.send("POST", f"{path_of(spring)}/confirmation", {"based_on": corrected.json()["revision"]})
    spring.competition.league.owners.add(spring.bob)
    second = Program(token_of(spring, "referee", by=spring.bob))
    confirmed = second.send(
        "POST", f"{path_of(spring)}/confirmation", {"based_on": corrected.json()["revision"]}
    )

    assert [each.status_code for each in (entered, corrected, own, confirmed)] == [200, 200, 422, 200]
    assert own.json()["code"] == "own_sheet"
    assert confirmed.json()["status"] == "confirmed"
    assert [each["points"] for each in confirmed.json()["seats"]] == [44000, 36000, 25000, 15000]
    assert Sheet.objects.count() == 2


def test_a_sheet_that_contradicts_the_recorded_hands_is_refused_unless_the_program_insists(spring):
    scorer = Program(token_of(spring, "scorer"))
    keeper_at(spring.table()).play(tsumo(1))

    refused = scorer.send("PUT", path_of(spring), sheet())
    kept = scorer.send("PUT", path_of(spring), sheet(despite_hands=True))

    assert (refused.status_code, refused.json()["code"]) == (422, "differs_from_hands")
    assert (kept.status_code, Sheet.objects.count()) == (200, 1)


def test_the_log_names_the_token_and_its_maker(spring):
    Program(token_of(spring, "scorer")).send("PUT", path_of(spring), sheet())

    entry = last_entry(spring.competition)

    token = spring.competition.api_tokens.get()
    assert (entry.action, entry.actor, entry.after["token"]) == ("result.record", spring.alice, token.pk)
    [line] = audit_lines([entry])
    named = [change.after for change in line.changes if change.label == "API token"]
    assert named == [f"program scorer ({token.prefix}…)"]
    spring.record(POINTS, number=2)
    assert "token" not in last_entry(spring.competition).after


def test_a_sheet_based_on_another_one_is_a_conflict_and_changes_nothing(spring):
    saved = spring.record(POINTS)

    answer = Program(token_of(spring, "scorer")).send("PUT", path_of(spring), sheet())

    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert answer.json()["current"] == saved.pk
    assert Sheet.objects.get() == saved


REFUSED_SHEETS = {
    "sum_short": sheet((45000, 35000, 25000, 14900)),
    "not_hundreds": sheet((45050, 34950, 25000, 15000)),
    "seating_changed": sheet(first=2),
    "unknown_player": sheet(first=90),
    "winds": sheet() | {"seats": [sheet()["seats"][0]] * 4},
    "invalid": {"seats": [], "based_on": 0},
}


@pytest.mark.parametrize("code", sorted(REFUSED_SHEETS))
def test_an_impossible_sheet_is_refused_with_code_and_sentence(code, spring):
    answer = Program(token_of(spring, "scorer")).send("PUT", path_of(spring), REFUSED_SHEETS[code])

    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["message"].endswith(".") or answer.json()["message"].endswith("?")
    assert not Sheet.objects.exists()


def test_refusals_are_in_the_language_that_the_program_accepts(spring):
    secret, body = token_of(spring, "scorer"), sheet((45000, 35000, 25000, 14900))
    said = {
        language: Program(secret, **{"Accept-Language": language}).send("PUT", path_of(spring), body)
        for language in ("en", "ja")
    }

    assert said["en"].json()["message"].startswith("100 missing")
    assert said["en"].json()["message"] != said["ja"].json()["message"]
    assert {each.json()["code"] for each in said.values()} == {"sum_short"}


def test_the_same_request_twice_is_saved_once(spring):
    scorer, key = Program(token_of(spring, "scorer")), {"Idempotency-Key": str(uuid.uuid4())}

    first = scorer.send("PUT", path_of(spring), sheet(), **key)
    again = scorer.send("PUT", path_of(spring), sheet(), **key)
    other = scorer.send("PUT", path_of(spring), sheet((44000, 36000, 25000, 15000)), **key)
    elsewhere = scorer.send("PUT", path_of(spring, 2), sheet(first=5), **key)

    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert [each.json()["code"] for each in (other, elsewhere)] == ["key_reused", "key_reused"]
    assert Sheet.objects.count() == 1


def test_players_are_entered_and_changed_together(spring):
    organizer = Program(token_of(spring, "organizer"))
    new = [{"name": f"新人{n}", "romanized": f"Newcomer {n}", "country": "jp"} for n in range(3)]
    new[0] |= {"ema_number": "04010023", "club": "Club “A”\tB".replace("\t", " ")}
    changes = [{"id": "p1", "name": "=1+1", "withdrawn": True}, {"id": "p2", "country": "HK"}]

    answer = organizer.send("POST", "/spring/players", {"players": [*new, *changes]})

    assert answer.json() == {"entered": 3, "changed": 2, "skipped": 0}
    found = {each["id"]: each for each in organizer.read("/spring/players")["items"]}
    assert (found["p9"]["name"], found["p9"]["country"], found["p9"]["ema_number"]) == (
        "新人0",
        "JP",
        "04010023",
    )
    assert (found["p1"]["name"], found["p1"]["withdrawn"]) == ("=1+1", True)
    assert (found["p2"]["name"], found["p2"]["country"]) == ("李小明", "HK")
    again = organizer.send("POST", "/spring/players", {"players": new})
    assert again.json() == {"entered": 0, "changed": 0, "skipped": 3}


def test_a_known_player_who_is_entered_keeps_the_record(spring):
    organizer = Program(token_of(spring, "organizer"))
    known = Player.objects.create(register=spring.league.register, name="Ng")
    facts = {"romanized": "Max", "country": "HK", "club": "Kiel", "ema_number": "04010023"}

    answer = organizer.send("POST", "/spring/players", {"players": [{"name": "Ng"} | facts]})

    assert answer.json() == {"entered": 1, "changed": 0, "skipped": 0}
    assert spring.competition.entrants.latest("pk").player == known
    assert values_of(Player.objects.get(pk=known.pk)) == PlayerValues(name="Ng")
    key = spring.competition.entrants.latest("pk").key
    answer = organizer.send("POST", "/spring/players", {"players": [{"id": key} | facts]})
    assert answer.json() == {"entered": 0, "changed": 1, "skipped": 0}
    assert Player.objects.get(pk=known.pk).romanized == "Max"


def test_players_who_differ_in_any_part_are_two_and_identical_ones_are_asked(spring):
    organizer = Program(token_of(spring, "organizer"))
    anna = [{"name": "Anna", "club": "Kiel"}, {"name": "Anna", "club": "Bonn"}]

    double = organizer.send("POST", "/spring/players", {"players": [*anna, anna[0]]})
    both = organizer.send("POST", "/spring/players", {"players": anna})

    assert [(each["field"], each["code"], each["choices"]) for each in double.json()["problems"]] == [
        ("players.2", "twin", ["add"])
    ]
    assert both.json() == {"entered": 2, "changed": 0, "skipped": 0}


def test_players_are_saved_in_one_change_and_once(spring):
    organizer, key = Program(token_of(spring, "organizer")), {"Idempotency-Key": str(uuid.uuid4())}
    players = [{"name": "New"}, {"id": "p1", "club": "A"}, {"id": "p2", "ema_number": "04010023"}]
    spring.competition.refresh_from_db()
    before, version = AuditEntry.objects.count(), spring.competition.version

    answers = [organizer.send("POST", "/spring/players", {"players": players}, **key) for _ in range(2)]

    assert [each.json() for each in answers] == [{"entered": 1, "changed": 2, "skipped": 0}] * 2
    spring.competition.refresh_from_db()
    assert spring.competition.version == version + 1
    entries = AuditEntry.objects.order_by("pk")[before:]
    assert [each.action for each in entries] == ["roster.enter", "player.update", "player.update"]
    assert len({each.at for each in entries}) == 1


def test_numbers_of_federations_have_one_spelling(spring):
    organizer = Program(token_of(spring, "organizer"))
    numbers = {"ara": "7", "ARA": "8", "Phone": "9", "協會": "10"}
    players = [{"name": "New", "federation_numbers": numbers}, {"id": "p1", "federation_numbers": numbers}]

    assert organizer.send("POST", "/spring/players", {"players": players[:1]}).status_code == 200
    held = organizer.send("POST", "/spring/players", {"players": players[1:]})
    players[1]["federation_numbers"] = {"ara": "11"}
    assert organizer.send("POST", "/spring/players", {"players": players[1:]}).status_code == 200

    assert (held.status_code, held.json()["field"]) == (422, "numbers")
    found = {each["id"]: each for each in organizer.read("/spring/players")["items"]}
    assert found["p9"]["federation_numbers"] == {"ARA": "8", "PHONE": "9", "協會": "10"}
    assert found["p1"]["federation_numbers"] == {"ARA": "11"}


def test_a_question_about_a_name_is_answered_with_its_choice(spring):
    organizer, register = Program(token_of(spring, "organizer")), spring.league.register
    one, _other = (Player.objects.create(register=register, name="Same Name") for _ in range(2))
    chosen = f"same:{one.pk}"

    asked = organizer.send("POST", "/spring/players", {"players": [{"id": "p1"}, {"name": "Same Name"}]})
    answered = {"players": [{"id": "p1"}, {"name": "Same Name", "who": chosen}]}
    entered = organizer.send("POST", "/spring/players", answered)

    [problem] = asked.json()["problems"]
    assert (asked.status_code, problem["field"], chosen in problem["choices"]) == (422, "players.1", True)
    assert entered.json() == {"entered": 1, "changed": 1, "skipped": 0}
    assert spring.competition.entrants.filter(player=one).exists()


def test_a_list_with_a_wrong_line_saves_nothing_and_says_which(spring):
    organizer = Program(token_of(spring, "organizer"))
    players = [{"id": "p1", "name": "Changed"}, {"name": "New"}, {"name": "Twin"}, {"name": "Twin"}]

    twins = organizer.send("POST", "/spring/players", {"players": players})
    unknown = organizer.send("POST", "/spring/players", {"players": [players[1], {"id": "p99"}]})

    assert (twins.status_code, twins.json()["code"]) == (422, "lines")
    assert [(each["field"], each["choices"]) for each in twins.json()["problems"]] == [("players.3", ["add"])]
    assert (unknown.json()["code"], unknown.json()["field"]) == ("unknown_player", "players.1.id")
    assert spring.competition.entrants.count() == 8
    players[3]["who"] = "add"
    assert organizer.send("POST", "/spring/players", {"players": players}).status_code == 200
    assert spring.competition.entrants.filter(player__name="Twin").count() == 2


def test_a_round_is_drawn_opened_and_closed(spring):
    organizer = Program(token_of(spring, "organizer"))
    rounds = f"{stage_of(spring)}/rounds"

    made = organizer.send("POST", rounds, {"draw": {"seed": 7}, "date": "2026-05-01"})
    opened = organizer.send("PATCH", f"{rounds}/2", {"status": "open", "visibility": "seating", "sure": True})
    closed = organizer.send("PATCH", f"{rounds}/2", {"status": "closed", "sure": True})

    assert [each.status_code for each in (made, opened, closed)] == [201, 200, 200]
    facts = ("number", "date", "status", "visibility", "tables")
    assert [made.json()[name] for name in facts] == [2, "2026-05-01", "planned", "hidden", 2]
    seated = {seat["player"] for table in made.json()["items"] for seat in table["seats"]}
    assert seated == {f"p{n}" for n in range(1, 9)}
    assert [each.json()["status"] for each in (opened, closed)] == ["open", "closed"]
    assert Round.objects.get(number=2).seed == 7


def test_a_round_is_started_in_its_order_and_closed_complete_unless_the_program_is_sure(spring):
    organizer = Program(token_of(spring, "organizer"))
    rounds = f"{stage_of(spring)}/rounds"
    organizer.send("POST", rounds, {"draw": {"seed": 7}})

    early = organizer.send("PATCH", f"{rounds}/2", {"status": "open"})
    started = organizer.send("PATCH", f"{rounds}/2", {"status": "open", "sure": True})
    missing = organizer.send("PATCH", f"{rounds}/2", {"status": "closed"})
    planned = organizer.send("PATCH", f"{rounds}/2", {"status": "planned", "visibility": "hidden"})
    never = organizer.send("PATCH", f"{rounds}/2", {"status": "closed"})

    refusals = [(each.status_code, each.json()["code"]) for each in (early, missing, never)]
    assert refusals == [(422, "out_of_order"), (422, "tables_missing"), (422, "round_not_open")]
    facts = [(each.json()["status"], each.json()["visibility"]) for each in (started, planned)]
    assert facts == [("open", "hidden"), ("planned", "hidden")]


def test_a_start_is_not_taken_back_after_the_first_sheet(spring):
    organizer = Program(token_of(spring, "organizer"))
    spring.record((45_000, 35_000, 25_000, 15_000))

    refused = organizer.send("PATCH", f"{stage_of(spring)}/rounds/1", {"status": "planned"})

    assert (refused.status_code, refused.json()["code"]) == (422, "round_has_begun")


def test_a_seating_is_replaced_only_if_it_is_the_one_that_was_read(spring):
    organizer = Program(token_of(spring, "organizer"))
    path = f"{stage_of(spring)}/rounds/1"
    seating = organizer.read(path)["seating"]
    tables = [
        {"number": 1, "players": ["p8", "p7", "p6", "p5"]},
        {"number": 2, "players": ["p4", "p3", "p2", "p1"]},
    ]

    saved = organizer.send("PUT", f"{path}/seating", {"tables": tables, "based_on": seating})
    late = organizer.send("PUT", f"{path}/seating", {"tables": tables[:1], "based_on": seating})

    assert [seat["player"] for seat in saved.json()["items"][0]["seats"]] == ["p8", "p7", "p6", "p5"]
    assert (late.status_code, late.json()["code"]) == (409, "out_of_date")
    assert len(organizer.read(path)["items"]) == 2


def test_a_round_whose_seating_is_refused_is_not_made(spring):
    organizer = Program(token_of(spring, "organizer"))
    twice = {"number": 1, "players": ["p1", "p1", "p2", "p3"]}

    answer = organizer.send("POST", f"{stage_of(spring)}/rounds", {"tables": [twice]})

    assert (answer.status_code, answer.json()["code"]) == (422, "seated_twice")
    assert Round.objects.filter(stage=spring.stage).count() == 1
    assert not AuditEntry.objects.filter(action="round.create", after__number=2).exists()


BAD_BODIES = (
    *("", "{", "[]", "null", '"text"', "\x00", "[" * 5000, '{"seats": null}', '{"unknown": 1}'),
    *('{"seats": [1, 2, 3, 4], "based_on": 0}', '{"seats": [], "based_on": 1e400}', '{"based_on": NaN}'),
    *('{"players": [{"name": "\\ud800"}]}', '{"players": [{"name": "\\u0000"}]}', '{"number": true}'),
    *('{"players": [{"id": {"a": []}}]}', '{"number": 99999999999999999999}', '{"draw": {"seed": -1}}'),
    *('{"tables": [{"number": 1, "players": []}]}', '{"status": "shut"}', '{"visibility": 3}'),
    *('{"based_on": 99999999999999999999}', '{"date": "2026-13-40"}', '{"players": []}'),
)
WRITES = (
    ("POST", "/spring/players"),
    ("POST", "{stage}/rounds"),
    ("PATCH", "{stage}/rounds/1"),
    ("PUT", "{stage}/rounds/1/seating"),
    ("PUT", "{stage}/rounds/1/tables/1/sheet"),
    ("POST", "{stage}/rounds/1/tables/1/sheet/confirmation"),
)


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_bad_body_is_refused_in_words(method, path, spring):
    organizer = Program(token_of(spring, "organizer"))
    before = AuditEntry.objects.count()

    answers = {body: organizer.send(method, path.format(stage=stage_of(spring)), body) for body in BAD_BODIES}
    answers["key"] = organizer.send(
        method, path.format(stage=stage_of(spring)), "{}", **{"Idempotency-Key": "not a UUID"}
    )

    odd = {
        body: (answer.status_code, answer.content[:200])
        for body, answer in answers.items()
        if answer.status_code not in {400, 422} or not {"code", "message"} <= set(answer.json())
    }
    assert odd == {}
    assert AuditEntry.objects.count() == before
