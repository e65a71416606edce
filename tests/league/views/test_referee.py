"""The pages of penalties: a referee logs and revokes, everybody reads."""

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Penalty, Round
from league.queries import standings
from league.services.penalties import log_penalty, revoke_penalty
from tests.cast import Club, club, signed_in, user


@pytest.fixture
def spring(db) -> Club:
    made = club("spring")
    made.add_round()
    made.record((38_400, 21_600, 40_000, 20_000))
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


def address(made: Club, page: str = "") -> str:
    return f"/c/{made.slug}/penalties/{page}"


def at_table(made: Club, number: int = 1) -> str:
    return address(made, f"new/?table={made.table(number=number).pk}")


def typed(made: Club, **values: object) -> dict[str, object]:
    """A filled form: the player of the first seat, one tile shown (A-II, level 2)."""
    form = {"key": uuid.uuid4(), "player": made.players[0].pk, "offence": "A-II.0", "level": ""}
    return form | {"deduction": "", "reason": ""} | values


def kept() -> list[tuple]:
    return list(Penalty.objects.order_by("pk").values_list("infraction", "level", "score", "reason"))


def entrant(made: Club, index: int = 0) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def log(made: Club, index: int = 0, score: int = -20, **options) -> Penalty:
    options = {"reason": "late", "by": made.bob, "stage": made.stage} | options
    return log_penalty(player_id=made.players[index].pk, score=score, **options)


# --- logging


@pytest.mark.parametrize(
    ("language", "category", "offence", "level"),
    [
        ("zh-hant", "行牌類犯規", "A-X 相公", "3級處分：和了禁止"),
        ("zh-hans", "行牌类犯规", "A-X 相公（多牌、少牌）", "3级处罚：和了禁止"),
        ("ja", "打牌中の反則", "A-X 多牌・少牌", "3級：アガリ放棄（和了禁止）"),
    ],
)
def test_the_book_is_in_the_referee_s_language(spring, bob, language, category, offence, level):
    page = bob.get(at_table(spring), headers={"accept-language": language}).content.decode()

    assert [words for words in (category, offence, level) if words not in page] == []
    assert "Wrong number of tiles" not in page


def test_four_taps_log_what_the_book_says(spring, bob):
    page = bob.get(at_table(spring)).content.decode()
    assert page.count('name="player"') == 4
    assert all(player.name in page for player in spring.players[:4])
    assert spring.players[4].name not in page
    assert "A-II Illegal exposure of own non-discarded tiles: 2 tiles (level 4, −8.0 to −12.0)" in page
    assert 'data-hint="Level 4: −8.0 to −12.0. Win ban for the rest of the hand."' in page

    answer = bob.post(at_table(spring), typed(spring), follow=True)

    assert answer.redirect_chain == [(address(spring), 302)]
    assert "Logged for 陳大文: −2.0. It counts at once." in answer.content.decode()
    penalty = Penalty.objects.get()
    assert kept() == [("A-II", "2", -20, "")]
    assert (penalty.table, penalty.round_id) == (spring.table(), spring.table().round_id)
    assert (penalty.player, penalty.logged_by) == (spring.players[0], spring.bob)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"offence": "A-II.1"}, ("A-II", "4", -80, "")),
        ({"offence": "A-II.1", "deduction": "12"}, ("A-II", "4", -120, "")),
        ({"offence": "A-II.1", "deduction": "-10.5"}, ("A-II", "4", -105, "")),
        ({"offence": "A-XII.1"}, ("A-XII", "5, 4, 4", -410, "")),
        ({"offence": "A-II.0", "level": "4"}, ("A-II", "4", -80, "1 tile")),  # level 4 would say 2 tiles
        ({"offence": "A-XI.1"}, ("A-XI", "1", 0, "")),
        ({"offence": "A-X.1"}, ("A-X", "3", 0, "too many tiles")),  # the level alone would not tell which
        ({"offence": "U-1c.0", "deduction": "0"}, ("U-1c", "6", 0, "")),
        ({"offence": "", "level": "5", "reason": "insult"}, ("", "5", -250, "insult")),
        ({"offence": "", "reason": "late", "deduction": "2"}, ("", "", -20, "late")),
        ({"offence": "", "reason": "late", "deduction": "2.0"}, ("", "", -20, "late")),
        ({"offence": "", "reason": "late", "deduction": "−2"}, ("", "", -20, "late")),
        ({"offence": "", "reason": "late", "deduction": "▲2.0"}, ("", "", -20, "late")),
        ({"offence": "", "reason": "late", "deduction": "２"}, ("", "", -20, "late")),
        ({"offence": "", "reason": "our error", "deduction": "1.5", "add": "on"}, ("", "", 15, "our error")),
        ({"offence": "A-II.1", "deduction": "20", "reason": "on purpose"}, ("A-II", "4", -200, "on purpose")),
    ],
)  # fmt: skip
def test_what_is_typed_becomes_a_score(spring, bob, values, expected):
    answer = bob.post(at_table(spring), typed(spring, **values))

    assert answer.status_code == 302, answer.context["form"].errors
    assert kept() == [expected]


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"player": ""}, "player", "Choose the player."),
        ({"player": "999999"}, "player", "valid choice"),
        ({"player": "9" * 40}, "player", "valid choice"),
        ({"player": "x"}, "player", "valid choice"),
        ({"offence": ""}, "reason", "Choose an offence or write the reason."),
        ({"offence": "Z-9.0"}, "offence", "valid choice"),
        ({"offence": "chombo"}, "offence", "valid choice"),
        ({"level": "7"}, "level", "valid choice"),
        ({"offence": "", "reason": "late"}, "deduction", "Type how much"),
        ({"offence": "U-1c.0"}, "deduction", "Type how much"),
        ({"offence": "A-IV.0"}, "deduction", "Type how much"),
        ({"deduction": "two"}, "deduction", "one decimal at most"),
        ({"deduction": "2.05"}, "deduction", "one decimal at most"),
        ({"deduction": "1e3"}, "deduction", "one decimal at most"),
        ({"deduction": "8000"}, "deduction", "not in points"),
        ({"deduction": "9" * 13}, "deduction", "at most 12 characters"),
        ({"deduction": "2\x00"}, "deduction", "Null characters"),
        ({"deduction": "+2"}, "deduction", "A deduction lowers the total"),
        ({"deduction": "-2", "add": "on", "reason": "x"}, "deduction", "without a minus"),
        ({"add": "on", "reason": "x"}, "deduction", "Type how much"),
        ({"deduction": "8"}, "reason", "the book gives −2.0 here"),
        ({"offence": "A-II.1", "deduction": "7.9"}, "reason", "the book gives −8.0 to −12.0 here"),
        ({"deduction": "2", "add": "on"}, "reason", "the book gives −2.0 here"),
        ({"reason": "a\u202eb"}, "reason", "invisible control character"),
        ({"reason": "x" * 301}, "reason", "at most 300 characters"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_nothing_is_saved(spring, bob, values, field, words):
    answer = bob.post(at_table(spring), typed(spring, **values))

    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    assert words in answer.context["form"].errors[field][0]
    assert words in answer.content.decode()
    assert Penalty.objects.count() == 0


def test_a_form_that_comes_back_keeps_what_was_typed(spring, bob):
    values = {
        "player": spring.players[2].pk,
        "offence": "A-II.1",
        "level": "5",
        "deduction": "ninety",
        "add": "on",
    }

    page = bob.post(at_table(spring), typed(spring, **values, reason="<b>")).content.decode()

    assert 'value="ninety"' in page
    assert re.search(rf'value="{spring.players[2].pk}" checked', page)
    assert re.search(r'<option value="A-II.1" selected', page)
    assert re.search(r'<option value="5" selected', page)
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_the_same_form_twice_logs_once_and_a_changed_one_is_refused(spring, bob):
    form = typed(spring)
    first, second = (bob.post(at_table(spring), form) for _ in range(2))
    changed = bob.post(at_table(spring), form | {"offence": "A-II.3"})

    assert (first.status_code, second.status_code, changed.status_code) == (302, 302, 200)
    assert "was sent before with other content" in changed.content.decode()
    assert kept() == [("A-II", "2", -20, "")]


@pytest.mark.parametrize("key", ["", "no-key", "\x00"])
def test_a_form_without_its_key_saves_nothing(spring, bob, key):
    answer = bob.post(at_table(spring), typed(spring, key=key))

    assert answer.status_code == 200
    assert "Open the page again" in answer.content.decode()
    assert Penalty.objects.count() == 0


def test_a_player_s_newest_open_table_is_offered_first(spring, bob):
    second = spring.add_round(visibility="hidden")

    page = bob.get(address(spring, f"new/?player={entrant(spring)}"))

    place = page.context["place"]
    assert (place.table.round, place.chosen) == (second, spring.players[0])
    assert [words for _url, words in place.elsewhere] == [
        "Main, Regular season, round 1, table 1",
        "Main, Regular season, away from any table",
    ]
    assert all(bob.get(url).status_code == 200 for url, _words in place.elsewhere)


def test_away_from_any_table_a_penalty_belongs_to_the_stage(spring, bob):
    url = address(spring, f"new/?player={entrant(spring)}&stage={spring.stage.pk}")

    answer = bob.post(url, typed(spring, offence="", reason="late", deduction="2"))

    assert answer.status_code == 302
    penalty = Penalty.objects.get()
    assert (penalty.stage, penalty.round, penalty.table) == (spring.stage, None, None)


def test_without_table_or_player_both_are_offered(spring, bob):
    second = spring.add_round()
    Round.objects.filter(pk=second.pk).update(status="closed")

    page = bob.get(address(spring, "new/"))
    other = bob.get(address(spring, f"new/?round={second.pk}"))

    assert page.context["chosen"] == spring.rounds[0]  # the open one goes before the newer one
    assert other.context["chosen"] == second
    links = re.findall(r"\?table=(\d+)", page.content.decode())
    assert sorted(map(int, links)) == sorted(spring.rounds[0].tables.values_list("pk", flat=True))
    assert len(page.context["players"]) == 8


def test_a_competition_with_nobody_in_it_says_what_to_do(db):
    made = club("empty", players=0)

    page = signed_in(made.bob).get(address(made, "new/"))

    assert "an organizer adds them first" in page.content.decode()


def test_a_rule_set_without_a_catalogue_offers_chombo_and_free_text(db):
    made = club("jpml", preset="jpml-a")
    made.add_round()
    bob = signed_in(made.bob)

    page = bob.get(at_table(made)).content.decode()
    answers = [
        bob.post(at_table(made), typed(made, offence="chombo")),
        bob.post(at_table(made), typed(made, offence="chombo", reason="noten riichi")),
        bob.post(at_table(made), typed(made, offence="", reason="late", deduction="5")),
    ]

    assert "Chombo (−20.0)" in page
    assert 'name="level"' not in page
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert kept() == [
        ("", "", -200, "chombo"),
        ("", "", -200, "chombo: noten riichi"),
        ("", "", -50, "late"),
    ]


# --- who may


PAGES = ["new/", "new/?table={table}", "{penalty}/revoke/"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_only_referees_and_organizers_log_and_revoke(spring, page, method):
    penalty = log(spring)
    url = address(spring, page.format(table=spring.table().pk, penalty=penalty.pk))
    autumn = club("autumn")

    def ask(person):
        client = signed_in(person) if person else Client()
        return getattr(client, method)(url, {} if method == "get" else typed(spring)).status_code

    allowed = [ask(person) for person in (spring.bob, spring.alice)]
    refused = [
        ask(person) for person in (spring.charlie, spring.dora, user("mallory"), autumn.alice, autumn.bob)
    ]

    assert set(allowed) <= ({200} if method == "get" else {200, 302})
    assert refused == [403] * 5
    assert ask(None) == 302
    logged_by = set(Penalty.objects.values_list("logged_by__username", flat=True))
    assert logged_by <= {"bob-spring", "alice-spring"}


@pytest.mark.parametrize("number", ["{table}", "999999", "9" * 18])
def test_a_table_of_another_competition_does_not_exist_here(spring, bob, number):
    autumn = club("autumn")
    autumn.add_round()
    url = address(spring, f"new/?table={number.format(table=autumn.table().pk)}")
    assert bob.get(at_table(spring)).status_code == 200

    assert bob.get(url).status_code == 404
    assert bob.post(url, typed(spring)).status_code == 404
    assert Penalty.objects.count() == 0


def test_players_stages_and_penalties_of_another_competition_do_not_exist_here(spring, bob):
    autumn = club("autumn")
    penalty = log(autumn)
    assert bob.get(address(spring, f"new/?player={entrant(spring)}")).status_code == 200

    urls = [
        f"new/?player={entrant(autumn)}",
        f"new/?player={entrant(spring)}&stage={autumn.stage.pk}",
        f"{penalty.pk}/revoke/",
    ]

    assert [bob.get(address(spring, url)).status_code for url in urls] == [404, 404, 404]


@pytest.mark.parametrize(
    "query", ["table=x", "table=", "player=-1", "round=x", "table=%00", "table=９", "table=1e5"]
)
def test_what_is_no_number_in_the_address_is_passed_over(spring, bob, query):
    assert bob.get(address(spring, f"new/?{query}")).status_code == 200
    assert bob.get(address(spring, f"?{query}&page=x")).status_code == 200


def test_the_list_is_only_read_and_the_forms_take_no_other_method(spring, bob):
    penalty = log(spring)

    answers = [
        bob.post(address(spring)),
        bob.put(address(spring, "new/")),
        bob.delete(address(spring, f"{penalty.pk}/revoke/")),
    ]

    assert [answer.status_code for answer in answers] == [405, 405, 405]


# --- revoking


def test_revoking_shows_what_is_revoked_and_strikes_it_out(spring, bob):
    penalty = log(spring, infraction="A-II", level="2", reason="one tile", table=spring.table())
    url = address(spring, f"{penalty.pk}/revoke/")

    page = bob.get(url).content.decode()
    answer = bob.post(url, {"key": uuid.uuid4(), "reason": "it was a discard"}, follow=True)

    for words in (
        "陳大文",
        "−2.0",
        "A-II Illegal exposure of own non-discarded tiles: 1 tile",
        "one tile",
        "Table 1",
    ):
        assert words in page
    listed = answer.content.decode()
    assert "<s>−2.0</s>" in listed
    assert "it was a discard" in listed
    assert "0 count" in re.sub(r"\s+", " ", listed)


def test_revoking_without_a_reason_is_refused_at_the_field(spring, bob):
    penalty = log(spring)

    answer = bob.post(address(spring, f"{penalty.pk}/revoke/"), {"key": uuid.uuid4(), "reason": " "})

    assert answer.context["form"].errors == {"reason": ["Say why the penalty is revoked."]}
    assert Penalty.objects.get().revoked_at is None


def test_revoking_twice_is_refused_in_words_and_the_first_reason_stays(spring, bob):
    penalty = log(spring)
    url = address(spring, f"{penalty.pk}/revoke/")
    revoke_penalty(penalty=penalty, reason="wrong player", by=spring.alice)

    answer = bob.post(url, {"key": uuid.uuid4(), "reason": "mine"})

    page = answer.content.decode()
    assert answer.status_code == 200
    assert "This penalty was revoked already." in page
    assert "wrong player" in page
    assert 'value="mine"' in page
    assert Penalty.objects.get().revoke_reason == "wrong player"
    assert "Revoke the penalty" not in bob.get(url).content.decode()


def test_the_same_revocation_twice_is_one(spring, bob):
    penalty = log(spring)
    form = {"key": uuid.uuid4(), "reason": "wrong player"}

    answers = [bob.post(address(spring, f"{penalty.pk}/revoke/"), form).status_code for _ in range(2)]

    assert answers == [302, 302]


# --- the list


def test_the_sum_on_the_page_is_that_of_the_standings(spring):
    log(spring, 0, -20)
    log(spring, 1, -80)
    log(spring, 2, 15)
    revoke_penalty(penalty=log(spring, 3, -250), reason="mistake", by=spring.bob)

    page = Client().get(address(spring))

    rows = standings(spring.stage, public=True).rows
    assert sum(line.row.penalty for line in rows) == -85
    assert page.context["counted"] == {"sum": -85, "count": 3}
    assert "−8.5" in page.content.decode()


def test_names_of_referees_are_for_staff(spring, bob):
    revoke_penalty(penalty=log(spring), reason="mistake", by=spring.alice)

    public, staff = (client.get(address(spring)).content.decode() for client in (Client(), bob))

    assert staff.count("bob-spring") > 1  # once he is signed in himself
    assert "alice-spring" in staff
    assert "bob-spring" not in public
    assert "alice-spring" not in public
    assert "mistake" in public


def test_the_public_sees_no_penalty_of_an_unpublished_round(spring, bob):
    spring.add_round(visibility="seating")
    log(spring, reason="seen by all", table=spring.table(1))
    hidden = log(spring, reason="not yet for the public", table=spring.table(2))
    revoke_penalty(
        penalty=log(spring, reason="nor this one", table=spring.table(2)), reason="mistake", by=spring.bob
    )

    public, staff = Client().get(address(spring)), bob.get(address(spring))

    for words in ("seen by all", "not yet for the public", "nor this one"):
        assert words in staff.content.decode()
    assert "seen by all" in public.content.decode()
    assert "not yet for the public" not in public.content.decode()
    assert "nor this one" not in public.content.decode()
    assert (public.context["counted"]["sum"], staff.context["counted"]["sum"]) == (-20, -40)
    assert f"round={hidden.round_id}" not in public.content.decode()
    assert str(hidden.round_id) not in dict(public.context["filters"]["rounds"])
    assert str(hidden.round_id) in dict(staff.context["filters"]["rounds"])


def test_the_list_narrows_to_a_player_and_a_round(spring):
    spring.add_round()
    log(spring, 0, -20, table=spring.table(1))
    log(spring, 1, -30, table=spring.table(1))
    log(spring, 0, -40, table=spring.table(2))

    def shown(query: str) -> tuple[list[int], int]:
        page = Client().get(address(spring, query))
        return [line.penalty.score for line in page.context["lines"]], page.context["counted"]["sum"]

    player, round_ = entrant(spring, 0), spring.rounds[0].pk
    assert shown("") == ([-40, -30, -20], -90)
    assert shown(f"?player={player}") == ([-40, -20], -60)
    assert shown(f"?round={round_}") == ([-30, -20], -50)
    assert shown(f"?player={player}&round={round_}") == ([-20], -20)
    assert shown("?player=999999") == ([], None)


def test_a_long_list_has_pages_and_keeps_its_filter(spring):
    for _ in range(51):
        log(spring)

    first = Client().get(address(spring, f"?player={entrant(spring)}"))
    second = Client().get(address(spring, f"?player={entrant(spring)}&page=2"))

    assert (len(first.context["lines"]), len(second.context["lines"])) == (50, 1)
    assert first.context["counted"]["sum"] == -1020
    assert f"player={entrant(spring)}&amp;page=2" in first.content.decode()


def test_an_empty_list_says_what_to_do(spring, bob):
    assert "No penalty has been logged" in Client().get(address(spring)).content.decode()
    assert "Log one from a table" in bob.get(address(spring)).content.decode()


def test_what_people_typed_is_shown_as_text(spring):
    spring.players[0].name = "<script>alert(1)</script>"
    spring.players[0].save()
    log(spring, reason="<b>bold</b> & =1+1")

    page = Client().get(address(spring)).content.decode()

    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; =1+1" in page


def test_a_private_competition_shows_its_penalties_to_its_people_only(db):
    made = club("private", visibility="private")
    log(made)

    answers = [client.get(address(made)).status_code for client in (signed_in(made.dora), Client())]
    stranger = signed_in(user("mallory")).get(address(made)).status_code

    assert answers == [200, 404]
    assert stranger == 404


@pytest.mark.parametrize("person", ["public", "bob"])
def test_one_penalty_and_three_take_the_same_number_of_queries(spring, person):
    client = Client() if person == "public" else signed_in(spring.bob)

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address(spring)).status_code == 200
        return len(caught)

    log(spring, table=spring.table())
    one = queries()
    log(spring, 4, table=spring.table(number=2))
    revoke_penalty(penalty=log(spring, 1), reason="mistake", by=spring.alice)
    three = queries()

    assert one == three
    assert three <= 9


def test_the_page_to_log_takes_a_steady_number_of_queries(spring, bob):
    def queries(url: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            assert bob.get(url).status_code == 200
        return len(caught)

    urls = [address(spring, "new/"), address(spring, f"new/?player={entrant(spring)}"), at_table(spring)]
    before = [queries(url) for url in urls]
    spring.add_round()
    spring.add_round()

    assert [queries(url) for url in urls] == before


def test_the_list_is_answered_304_until_something_changes(spring):
    log(spring, 0)
    first = Client().get(address(spring))
    known = {"If-None-Match": first["ETag"]}
    assert Client().get(address(spring), headers=known).status_code == 304

    log(spring, 1)

    changed = Client().get(address(spring), headers=known)
    assert changed.status_code == 200
    assert "李小明" in changed.content.decode()
