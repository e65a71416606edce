"""Pages kept under the revision: fast when nothing changed, never stale, never someone else's."""

import gzip
from datetime import date

import pytest
from django.contrib.messages import constants
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.template.response import SimpleTemplateResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from league.core import caching
from league.core.access import enter
from league.core.memory import release
from league.models import League, Role
from league.organizing.competitions.queries.front import cards
from league.organizing.competitions.services import update_competition
from league.play.results.services import confirm_result, record_result, void_result
from league.play.rounds.services import close_round, set_visibility
from league.ranking.standings.queries.standings import standings
from league.ranking.teams.queries import team_standings
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, as_seen, club, signed_in, user
from tests.races import at_once

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A
PAGE = "/c/spring/"


@pytest.fixture
def spring(db) -> Club:
    made = club("spring")
    made.add_round()
    made.record(SHEET)
    return made


def again(client: Client, first, address: str = PAGE, **headers: str):
    """The same page asked for as a browser does that has kept the first answer."""
    return client.get(address, headers={"If-None-Match": first["ETag"]} | headers)


# --- nothing changed


def test_a_page_that_did_not_change_is_answered_304_by_one_query(spring, client, django_assert_num_queries):
    first = client.get(PAGE)
    assert (first.status_code, first["Cache-Control"]) == (200, "private, no-cache")

    with django_assert_num_queries(1):
        second = again(client, first)

    assert (second.status_code, second.content, second["ETag"]) == (304, b"", first["ETag"])
    assert {"Cookie", "Accept-Language", "Accept-Encoding"} <= set(second["Vary"].split(", "))


def test_a_kept_page_takes_one_query_and_is_the_same(spring, client, django_assert_num_queries):
    first = client.get(PAGE)
    with django_assert_num_queries(1):
        second = Client().get(PAGE)
    assert (second.status_code, second.content) == (200, first.content)
    assert second["Content-Type"] == "text/html; charset=utf-8"


def test_a_signed_in_person_gets_304_by_one_query_for_the_page_and_roles(spring, django_assert_num_queries):
    alice = signed_in(spring.alice)
    alice.get(PAGE)  # hands out the CSRF cookie that later pages depend on
    first = alice.get(PAGE)
    with django_assert_num_queries(2):  # session with person, competition with roles
        assert again(alice, first).status_code == 304


def test_every_page_of_a_competition_has_its_etag(spring, client):
    entrant = spring.competition.entrants.first()
    pages = [
        "rounds/",
        f"rounds/{spring.rounds[0].pk}/",
        "players/",
        f"players/{entrant.pk}/",
        "rules/",
        "revision/",
        "standings/main/regular-season/",
    ]
    tags = set()
    for page in pages:
        first = client.get(PAGE + page)
        assert again(client, first, PAGE + page).status_code == 304
        tags.add(first["ETag"])
    assert len(tags) == len(pages)


def test_a_strong_or_listed_tag_is_understood_and_another_one_is_not(spring, client):
    tag = client.get(PAGE)["ETag"]
    for header in (tag, tag[2:], f'"other", {tag}'):
        assert client.get(PAGE, headers={"If-None-Match": header}).status_code == 304
    for header in ('W/"other"', "garbage", '"' * 99):
        assert client.get(PAGE, headers={"If-None-Match": header}).status_code == 200


# --- something changed


def test_a_result_gives_a_new_page_at_once(spring, client):
    first = client.get(PAGE)
    spring.record((20_000, 30_000, 31_000, 39_000), number=2)

    second = again(client, first)

    assert second.status_code == 200
    assert second["ETag"] != first["ETag"]
    assert "2 tables counted" in second.content.decode()
    assert "1 table counted" in first.content.decode()


def test_every_kind_of_write_gives_a_new_page(spring, client):
    def penalize():
        return log_penalty(
            stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob
        )

    spring.add_round()
    penalty = penalize()
    writes = [
        lambda: record_result(
            **as_seen(spring.table()), points=SHEET[::-1], by=spring.charlie, reason="typed wrong"
        ),
        lambda: confirm_result(**as_seen(spring.table()), by=spring.bob),
        lambda: void_result(**as_seen(spring.table()), reason="wrong walls", by=spring.alice),
        penalize,
        lambda: revoke_penalty(penalty=penalty, reason="not theirs", by=spring.bob),
        lambda: set_visibility(round_=spring.rounds[0], visibility="hidden", by=spring.alice),
        lambda: close_round(round_=spring.rounds[1], by=spring.alice),
        lambda: update_competition(competition=spring.competition, values={"name": "New"}, by=spring.alice),
    ]
    seen = [client.get(PAGE)["ETag"]]
    for write in writes:
        write()
        answer = again(client, {"ETag": seen[-1]})
        assert answer.status_code == 200
        seen.append(answer["ETag"])
    assert len(set(seen)) == len(writes) + 1


def test_a_new_name_of_the_league_gives_a_new_page(spring, client):
    first = client.get(PAGE)
    League.objects.filter(pk=spring.league.pk).update(name="Renamed")
    assert "Renamed" in again(client, first).content.decode()


def test_a_write_that_is_refused_changes_nothing(spring, client):
    first = client.get(PAGE)
    with pytest.raises(Exception, match="Another score sheet"):
        spring.record(SHEET)
    assert again(client, first).status_code == 304


# --- whose page is it


def test_a_page_that_turns_private_is_never_served_to_a_stranger_again(spring, client):
    first = client.get(PAGE)
    assert Client().get(PAGE).status_code == 200  # it is in the cache
    update_competition(competition=spring.competition, values={"visibility": "private"}, by=spring.alice)

    assert again(client, first).status_code == 404
    assert client.get(PAGE).status_code == 404
    mallory = signed_in(user("mallory"))
    dora = signed_in(spring.dora)
    own = dora.get(PAGE)
    assert own.status_code == 200
    assert mallory.get(PAGE, headers={"If-None-Match": own["ETag"]}).status_code == 404
    assert client.get(PAGE, headers={"If-None-Match": own["ETag"]}).status_code == 404


def test_no_one_gets_the_page_of_another_person(spring, client):
    spring.add_round(visibility="hidden")
    spring.record((77_700, 22_300, 11_100, 8_900), round_number=2)
    tags = {}
    for person in (spring.alice, spring.bob, spring.dora):
        browser = signed_in(person)
        browser.get(PAGE)
        page = browser.get(PAGE)
        assert person.username in page.content.decode()
        tags[person.username] = page["ETag"]

    visitor = client.get(PAGE)

    assert [name for name in (*tags, "77,700", "csrf") if name in visitor.content.decode()] == []
    assert len({*tags.values(), visitor["ETag"]}) == 4
    assert "77,700" not in signed_in(spring.dora).get(PAGE).content.decode()
    assert again(client, {"ETag": tags["alice-spring"]}).status_code == 200


def test_a_role_that_is_taken_away_takes_its_page_with_it(spring):
    spring.add_round(visibility="hidden")
    spring.record((77_700, 22_300, 11_100, 8_900), round_number=2)
    charlie = signed_in(spring.charlie)
    charlie.get(PAGE)
    first = charlie.get(PAGE)
    assert "77,700" in first.content.decode()

    Role.objects.filter(user=spring.charlie).delete()

    answer = again(charlie, first)
    assert answer.status_code == 200
    assert "77,700" not in answer.content.decode()


def test_each_language_has_its_own_page(spring, client):
    english = client.get(PAGE, headers={"Accept-Language": "en"})
    japanese = client.get(PAGE, headers={"Accept-Language": "ja"})
    assert 'lang="en"' in english.content.decode()
    assert 'lang="ja"' in japanese.content.decode()
    assert "▲50.0" in japanese.content.decode()
    answer = again(client, english, **{"Accept-Language": "ja"})
    assert (answer.status_code, answer.content) == (200, japanese.content)


def test_a_page_with_whole_addresses_is_not_sent_under_another_host(spring, client, settings):
    settings.ALLOWED_HOSTS = ["club.example", "192.168.1.7"]
    settings.CSRF_TRUSTED_ORIGINS = ["http://club.example:8001"]
    asked = ("club.example", "192.168.1.7", "club.example:8001", "club.example")
    for host in asked:
        kept = client.get(PAGE, headers={"Host": host})
        assert f"http://{host}/c/spring/standings.png" in kept.content.decode()
    assert again(client, kept, Host="club.example:8001").status_code == 200
    assert again(client, kept, Host="club.example").status_code == 304


def test_a_message_is_shown_once_and_never_kept(spring):
    alice = signed_in(spring.alice)
    alice.get(PAGE)
    before = alice.get(PAGE)
    assert again(alice, before).status_code == 304

    pending = with_message(alice, **{"If-None-Match": before["ETag"]})

    assert "Changes saved." in pending.content.decode()
    assert pending["Cache-Control"] == "private, no-store"
    assert "ETag" not in pending
    assert again(alice, before).status_code == 304
    assert "Changes saved." not in alice.get(PAGE).content.decode()


def with_message(browser: Client, **headers: str):
    """The next page after one that left a message."""
    storage, answer = CookieStorage(RequestFactory().get(PAGE)), HttpResponse()
    storage.add(constants.SUCCESS, "Changes saved.")
    storage.update(answer)
    browser.cookies["messages"] = answer.cookies["messages"].value
    return browser.get(PAGE, headers=headers)


def test_a_visitor_with_a_message_does_not_leave_it_to_others(spring):
    visitor = Client()
    page = with_message(visitor)
    assert "Changes saved." in page.content.decode()
    assert "Changes saved." not in Client().get(PAGE).content.decode()
    assert "Changes saved." not in visitor.get(PAGE).content.decode()


def test_after_signing_in_again_the_browser_does_not_reuse_a_page_with_the_old_token(spring):
    alice = Client()
    tags = set()
    for _ in range(2):
        alice.post("/accounts/login/", {"username": spring.alice.username, "password": "umaoka-test-1"})
        alice.get(PAGE)
        tags.add(alice.get(PAGE)["ETag"])
        alice.post("/accounts/logout/")
    assert len(tags) == 2


@pytest.mark.parametrize("spoil", ["cookie", "token", "status", "stream"])
def test_a_page_with_something_personal_or_unusual_is_not_kept(spring, spoil):
    def make() -> HttpResponse:
        response = HttpResponse("hello", status=404 if spoil == "status" else 200)
        if spoil == "cookie":
            response.set_cookie("a", "b")
        if spoil == "token":
            request.META["CSRF_COOKIE_NEEDS_UPDATE"] = True
        return response

    request = RequestFactory().get(PAGE)
    assert caching._may_be_kept(request, HttpResponse("hello"))  # what is spoilt below would be kept
    response = make()
    if spoil == "stream":
        response = SimpleTemplateResponse("403.html")
        response.streaming = True
    assert not caching._may_be_kept(request, response)


# --- addresses


@pytest.fixture
def kept(monkeypatch) -> set[str]:
    """The keys under which something is kept from now on."""
    keys, keep = set(), cache.set
    monkeypatch.setattr(cache, "set", lambda key, *rest, **more: (keys.add(key), keep(key, *rest, **more)))
    return keys


def test_invented_queries_and_hosts_make_no_other_page(spring, client, kept, django_assert_num_queries):
    first = client.get(PAGE)
    before = set(kept)
    with django_assert_num_queries(31):  # each reads the competition alone
        for number in range(20):
            answer = client.get(f"{PAGE}?sort=x{number}&utm={number}&utm=2")
            assert (answer.content, answer["ETag"]) == (first.content, first["ETag"])
        for query in ("&", "&&", "view=nobody", "x=1#", "?"):
            assert client.get(f"{PAGE}?{query}").content == first.content
        for host in ("TESTserver", "testserver.", "testserver:1", "testserver:8443", "TestServer:80000"):
            assert client.get(PAGE, headers={"Host": host}).content == first.content
        assert again(client, first, f"{PAGE}?utm=3", Host="testserver:7").status_code == 304
    assert kept == before

    assert client.get(f"{PAGE}?sort=-games").content != first.content
    assert kept > before
    more = set(kept)
    client.get(f"{PAGE}?view=public&sort=player")
    turned = client.get(f"{PAGE}?sort=%70layer&utm=1&sort=x&view=public&sort=player")
    assert turned["ETag"] == client.get(f"{PAGE}?view=public&sort=player")["ETag"]
    assert len(kept - more) == 2  # the page and its table


@pytest.mark.with_extra("calculator")
def test_pages_that_are_not_of_a_competition_forget_invented_queries_too(client, db, kept):
    for page in ("/rules/", "/rules/hkma-a-2025-04/", "/offences/", "/hand/"):
        first = client.get(page)
        assert first.status_code == 200
        before = set(kept)
        assert client.get(f"{page}?utm=1", headers={"Host": "testserver:7"})["ETag"] == first["ETag"]
        assert kept == before


def test_a_query_of_one_visitor_is_not_in_the_page_of_the_next(spring, client):
    client.get(f"{PAGE}?note=%3Cevil")
    assert "evil" not in client.get(PAGE).content.decode()


def test_sorted_pages_are_kept_apart(spring, client):
    pages = {
        client.get(PAGE + query).content for query in ("", "?sort=-games", "?sort=player", "?view=public")
    }
    assert len(pages) == 4


# --- compressed


def test_a_browser_that_can_gets_the_page_compressed(spring, client):
    plain = client.get(PAGE, headers={"Accept-Encoding": "identity"})
    for _ in range(2):  # made, then kept
        packed = client.get(PAGE, headers={"Accept-Encoding": "gzip, br"})
        assert packed["Content-Encoding"] == "gzip"
        assert packed["ETag"] == plain["ETag"]
        assert len(packed.content) < len(plain.content) / 3
        assert gzip.decompress(packed.content) == plain.content
    assert "Content-Encoding" not in plain.headers


def test_a_page_that_is_not_kept_is_compressed_all_the_same(spring, client):
    address = f"{PAGE}?page=100"
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert packed["Content-Length"] == str(len(packed.content))
    assert gzip.decompress(packed.content) == plain.content
    assert "Content-Encoding" not in plain.headers


def test_a_page_with_a_token_is_never_compressed(spring):
    alice = signed_in(spring.alice)
    page = alice.get(PAGE, headers={"Accept-Encoding": "gzip"})
    assert "csrfmiddlewaretoken" in page.content.decode()
    assert "Content-Encoding" not in page.headers


# --- the parts that signed-in people share


def test_the_table_of_a_page_is_made_once_for_all_who_see_the_same(spring, kept):
    def parts() -> int:
        return sum(key.startswith("part:") for key in kept)

    for person in (spring.alice, spring.bob, spring.charlie):
        assert "+60.0" in signed_in(person).get(PAGE).content.decode()
    assert parts() == 1
    assert "+60.0" in signed_in(spring.dora).get(PAGE).content.decode()
    assert parts() == 2  # she sees what the public sees


def test_a_part_is_made_again_after_a_change(spring):
    alice = signed_in(spring.alice)
    assert "+60.0" in alice.get(PAGE).content.decode()
    record_result(**as_seen(spring.table()), points=SHEET[::-1], by=spring.charlie, reason="swapped")
    page = alice.get(PAGE).content.decode()
    assert page.index("張志強") < page.index("陳大文")


# --- release and debugging


@pytest.fixture
def sources(settings, tmp_path):
    """A folder of sources of its own, whose fingerprint is taken again."""
    settings.BASE_DIR = tmp_path
    (tmp_path / "templates").mkdir()
    release.cache_clear()
    yield tmp_path
    release.cache_clear()


def test_a_new_release_has_new_tags(spring, client, sources):
    tags = []
    for content in ("one", "one", "two"):
        (sources / "templates" / "a.html").write_text(content)
        release.cache_clear()
        tags.append(client.get(PAGE)["ETag"])
    assert tags[0] == tags[1] != tags[2]


def test_a_new_release_reads_no_standings_of_another_one(spring, sources):
    asked = []
    for content in ("one", "one", "two"):
        (sources / "templates" / "a.html").write_text(content)
        release.cache_clear()
        with CaptureQueriesContext(connection) as found:
            standings(spring.stage, public=True)
            team_standings(spring.stage, public=True)
            cards([spring.competition], today=date(2025, 4, 5))
        asked.append(sum("sheet" in query["sql"] for query in found))
    assert asked[0] == asked[2] > 0
    assert asked[1] == 0


def test_nothing_is_kept_while_debugging(spring, client, settings):
    settings.DEBUG = True
    page = client.get(PAGE)
    assert page["Cache-Control"] == "private, no-store"
    assert "ETag" not in page


# --- many at once


@pytest.mark.django_db(transaction=True)
def test_many_visitors_at_once_have_the_page_made_once():
    made = club("spring")
    made.add_round()
    made.record(SHEET)
    lists_of_entrants = []

    def count(execute, sql, params, many, context):
        if 'INNER JOIN "players_player"' in sql and 'FROM "league_entrant"' in sql:
            lists_of_entrants.append(sql)
        return execute(sql, params, many, context)

    def visit() -> bytes:
        with connection.execute_wrapper(count):
            return Client().get(PAGE).content

    pages = at_once(*[visit] * 8)

    assert (len(pages), len(set(pages)), len(lists_of_entrants)) == (8, 1, 2)  # ranks now and before


def test_the_language_of_a_request_decides_and_not_that_of_the_thread(spring):
    request = RequestFactory().get(PAGE)
    access = enter(spring.alice, "spring")
    request.user = spring.alice
    with translation.override("ja"):
        japanese = caching.etag(request, caching.facts_of(access))
    with translation.override("en"):
        assert caching.etag(request, caching.facts_of(access)) != japanese
