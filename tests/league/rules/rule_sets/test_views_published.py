"""Pages of rule sets: their contents and their caching. No address breaks them."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from league.core.messages import in_language
from league.models import RuleBook
from league.organizing.competitions.services import add_division, create_competition, update_competition
from league.organizing.division_rules.services import change_rules
from league.rules.rule_sets.queries.rule_sets import COMPETITIONS
from league.rules.rule_sets.services import (
    copied_rules,
    create_book,
    fingerprint,
    newest_edition,
    save_edition,
)
from league.rules.rule_sets.views.published import MOST_COMPARED
from league.rules.rule_sets.words.settings import setting_label
from scoring.presets import preset, presets, resolve
from scoring.rules import SETTINGS
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SLUGS = [each.slug for each in presets()]
HKMA_SLUG = "hkma-a-2025-04"
HKMA = f"/rules/{HKMA_SLUG}/"
PAGES = ("/rules/", HKMA, f"{HKMA}summary/", f"{HKMA}scores/", "/rules/compare/?set=tnt&set=kanto")


@module_fixture
def spring() -> Club:
    return club("spring", overrides={"open_tanyao": False})


def text(response) -> str:
    """Return the text without markup, with folded white space."""
    body = response.content.decode().split('<main id="content"')[1].split("</main>")[0]
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", body.split(">", 1)[1]).split()))


def compared(*keys: str, **switches: str) -> str:
    return reverse("rule_sets:compare", query=[("set", key) for key in keys] + list(switches.items()))


# --- all of them


def test_every_preset_is_listed_with_its_numbers_and_what_its_sources_leave_open(db, client):
    page = client.get("/rules/")
    shown = text(page)
    assert f"{len(SLUGS)} published rule sets" in shown
    assert re.findall(r'type="checkbox" name="set" value="([^"]+)"', page.content.decode()) == SLUGS
    for each in presets():
        line = shown.split(f"Compare {in_language(each.name)} ")[1].split(" Compare ")[0]
        assert each.document in line
        choices = sum(cite.choice for cite in each.cites.values())
        assert ("Umaoka default" in line) == (choices > 0)
        assert f"{choices} Umaoka default" in line or not choices
        assert ("left to the table" in line) == bool(each.options)
        assert f"{len(each.options)} rule" in line or not each.options
        assert f"{len(each.conflicts)} contradiction" in line or not each.conflicts
    assert "30,000 / 35,000 +50 / +10 / −10 / −30 players share" in shown


@pytest.mark.slow
def test_the_list_leads_to_each_and_is_led_to_from_everywhere(db, client):
    links = re.findall(r'class="book-name" href="([^"]+)"', client.get("/rules/").content.decode())
    assert links == [f"/rules/{slug}/" for slug in SLUGS]
    assert {client.get(link).status_code for link in links} == {200}
    for address in ("/", "/accounts/login/", "/rules/"):
        assert '<a class="site-link" href="/rules/"' in client.get(address).content.decode()
    assert client.get("/").content.decode().count('href="/rules/"') == 3


# --- one


@pytest.mark.parametrize("slug", SLUGS)
def test_a_rule_set_is_read_in_full_with_every_source(db, client, slug):
    page = text(client.get(f"/rules/{slug}/"))
    source = preset(slug)
    assert [name for name in SETTINGS if setting_label(name) not in page] == []
    cites = source.cites.values()
    assert [cite.article for cite in cites if not cite.choice and cite.article not in page] == []
    chosen = sum(cite.choice for cite in cites)
    assert page.count("Umaoka default ") >= chosen
    quoted = [
        reading for each in (*source.conflicts, *source.options) for reading in (each.first, each.second)
    ]
    assert [reading for reading in quoted if f"{reading.text} {reading.place}" not in page] == []
    assert page.count(" followed ") >= len(source.conflicts) + len(source.options)


def test_the_line_of_a_setting_says_what_it_does_and_who_plays_otherwise(db, client):
    page = text(client.get(HKMA))
    line = page.split(" Open tanyao (kuitan) ")[1].split(" Atozuke ")[0]
    assert line.startswith("yes Whether ")
    assert " 簡則 設定 §3 Same in every other rule set yes " in line
    line = page.split(" Multiple ron ")[-1].split(" Honba at multiple ron ")[0]
    assert "The source contradicts itself Same in " in line
    assert re.search(r"two or three may win [^.]*EMA Riichi rules 2025", line)


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        (
            "tnt",
            "The deposit stays on the table. See the conflicts. The source contradicts itself",
        ),
        (
            "guide",
            "A reverse mangan is usual. See the options. The source leaves this rule to the table",
        ),
    ],
)
def test_a_reading_of_a_text_that_leaves_a_rule_open_is_said_beside_the_value(db, client, slug, said):
    page = text(client.get(f"/rules/{slug}/"))

    assert page.count(said) == 1


@pytest.mark.with_extra("calculator")
def test_a_rule_set_leads_to_all_that_can_be_done_with_it(spring, client):
    def links(person: Client) -> set[str]:
        return set(re.findall(r'href="([^"#]*hkma-a-2025-04[^"#]*)"', person.get(HKMA).content.decode()))

    everybody = {f"{HKMA}summary/", f"{HKMA}scores/", "/rules/compare/?set=hkma-a-2025-04"}
    assert everybody | {"/hand/?rules=hkma-a-2025-04", f"/accounts/login/?next={HKMA}"} == links(client)
    own = "/leagues/spring/rules/new/?from=hkma-a-2025-04"
    assert own in links(signed_in(spring.alice))
    assert own not in links(signed_in(spring.bob))


def test_a_rule_set_names_who_plays_by_it_and_no_private_competition(spring, client):
    other = club("secret", visibility="private")
    page = text(client.get(HKMA))
    assert "Used by" in page
    assert "League spring Club spring" in page
    assert "secret" not in page
    assert "secret" not in text(signed_in(other.alice).get(HKMA))
    assert "League spring" not in text(client.get("/rules/tenhou/"))


def test_of_many_competitions_the_newest_are_named(spring, client, django_assert_num_queries):
    for number in range(COMPETITIONS + 1):
        create_competition(
            league=spring.league, name=f"Cup {number}", preset_slug="hkma-a-2025-04", by=spring.alice
        )
    with django_assert_num_queries(1):
        page = text(client.get(HKMA))
    assert page.count("Cup ") == COMPETITIONS
    assert page.endswith("Cup 1 Club spring and others")


def test_a_division_s_rules_are_read_on_its_competition_s_page(spring, client):
    answer = client.get("/rules/c:spring:main/")
    assert (answer.status_code, answer["Location"]) == (302, "/c/spring/rules/#main")


@pytest.mark.parametrize("page", ["", "summary/", "scores/"])
def test_rules_that_a_reader_may_not_see_are_not_found(spring, client, page):
    address = f"/rules/c:spring:main/{page}"
    assert client.get(address).status_code in {200, 302}
    update_competition(competition=spring.competition, values={"visibility": "private"}, by=spring.alice)
    assert signed_in(spring.dora).get(address).status_code in {200, 302}
    assert client.get(address).status_code == 404
    assert signed_in(user("mallory")).get(address).status_code == 404


# --- side by side


def test_two_are_compared_with_what_differs_marked(db, client):
    page = client.get(compared("hkma-a-2025-04", "tenhou"))
    shown = text(page)
    assert "HKMA league, division A (April 2025)" in shown
    assert "≠ Starting points (differs) 30,000 ≠ differs from the first: 25,000" in shown
    assert "Open tanyao (kuitan) yes yes" in shown
    rows = re.findall(r'class="sticky compare-setting">(.*?)</th>', page.content.decode(), re.DOTALL)
    differing = sum("compare-mark" in row for row in rows)
    assert f"{differing} settings differ." in shown
    assert 10 < differing < len(rows) - 7 == len(SETTINGS)


def test_only_the_differences_are_shown_when_asked_for(db, client):
    everything = client.get(compared("hkma-a-2025-04", "tenhou")).content.decode()
    only = client.get(compared("hkma-a-2025-04", "tenhou", differences="1")).content.decode()
    assert everything.count('<tr class="differs">') == only.count('<tr class="differs">') > 10
    assert "Open tanyao (kuitan)" in everything
    assert "Open tanyao (kuitan)" not in only
    assert (
        'aria-checked="false" href="/rules/compare/?set=hkma-a-2025-04&amp;set=tenhou&amp;differences=1"'
        in (everything)
    )
    assert 'aria-checked="true" href="/rules/compare/?set=hkma-a-2025-04&amp;set=tenhou"' in only


def test_sources_are_shown_when_asked_for(db, client):
    assert "簡則 設定 §4a" not in text(client.get(compared("hkma-a-2025-04", "tenhou")))
    assert "簡則 設定 §4a" in text(client.get(compared("hkma-a-2025-04", "tenhou", sources="1")))


def test_all_of_them_can_be_compared_at_once(db, client):
    page = client.get(compared(*SLUGS)).content.decode()
    assert f'data-sets="{len(SLUGS)}"' in page
    assert page.count('<th scope="col">') == len(SLUGS)
    assert page.count('class="compare-value"') == len(SLUGS) * len(SETTINGS)


def test_a_division_is_compared_with_its_preset(spring, client):
    page = text(client.get(compared("hkma-a-2025-04", "c:spring:main", differences="1")))
    assert "1 setting differs." in page
    assert "League spring Main" in page
    assert "≠ Open tanyao (kuitan) (differs) yes ≠ differs from the first: no" in page


def test_rule_sets_that_are_the_same_are_said_to_be(spring, client):
    update = spring.division.rule_set
    update.values["open_tanyao"] = True
    update.save()
    page = text(client.get(compared("hkma-a-2025-04", "c:spring:main", differences="1")))
    assert "0 settings differ." in page
    assert "No differences All settings of these rule sets are the same." in page


@pytest.mark.parametrize("keys", [(), ("tenhou",), ("tenhou", "tenhou"), ("tenhou", "nowhere")])
def test_with_fewer_than_two_the_list_is_shown_to_tick(db, client, keys):
    page = client.get(compared(*keys))
    assert "Select at least two rule sets to see them side by side" in text(page)
    ticked = re.findall(r'name="set" value="([^"]+)" checked', page.content.decode())
    assert ticked == list(dict.fromkeys(key for key in keys if key != "nowhere"))


def test_one_is_put_first_left_out_or_added(db, client):
    page = client.get(compared("tnt", "kanto", "guide", sources="1")).content.decode()
    links = [unescape(link) for link in re.findall(r'href="([^"]+)" aria-label="(?:Move|Remove)', page)]
    assert links == [
        compared("kanto", "guide", sources="1"),
        compared("kanto", "tnt", "guide", sources="1"),
        compared("tnt", "guide", sources="1"),
        compared("guide", "tnt", "kanto", sources="1"),
        compared("tnt", "kanto", sources="1"),
    ]
    options = re.findall(r'<option value="([^"]+)"', page)
    assert options == [slug for slug in SLUGS if slug not in {"tnt", "kanto", "guide"}]
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', page)
    here = unescape(hidden.pop(0)[1])
    assert here == compared("tnt", "kanto", "guide", sources="1")
    assert hidden == [("set", "tnt"), ("set", "kanto"), ("set", "guide"), ("sources", "1")]


@pytest.mark.parametrize("key", ["c:secret:main", "<script>alert(1)</script>", "x" * 5000], ids=ascii)
def test_a_key_that_leads_nowhere_is_answered_with_a_sentence(db, client, key):
    club("secret", visibility="private")
    answer = client.get(compared("tenhou", key, "tnt"))
    assert answer.status_code == 200
    shown = text(answer)
    assert "is not a rule set that you can see" in shown
    assert "settings differ." in shown
    assert "<script>alert" not in answer.content.decode()
    assert "x" * 70 not in shown


def test_an_odd_query_shows_the_comparison_as_it_is(db, client):
    """`test_bad_input` sends such queries to every page, and finds errors alone."""
    odd = (
        *(
            "set=%FF%FE",
            "set[]=tnt",
            "set=tnt&differences=yes&sources=",
            "differences=1&differences=2",
            "set",
        ),
        *("set=tnt&set=tnt,kanto", "%00=1", "sources=%00", "set=" + "%00" * 99),
    )

    assert [query for query in odd if client.get(f"/rules/compare/?{query}").status_code != 200] == []


def test_more_than_the_most_are_left_out_and_counted(spring, client, django_assert_max_num_queries):
    keys = [f"c:spring:main{number}" for number in range(2 * MOST_COMPARED)]
    with django_assert_max_num_queries(2 * MOST_COMPARED):
        page = text(client.get(compared("tnt", "kanto", *keys)))
    assert f"At most {MOST_COMPARED} rule sets can be compared at a time" in page
    assert f"{MOST_COMPARED + 2} are left out." in page


@pytest.mark.parametrize("page", ["", "summary/", "scores/"])
def test_an_address_that_leads_nowhere_is_not_found(spring, client, page):
    keys = ("nowhere", "c:spring", "c:spring:x", "own:a:b:1", "x" * 900, "c:a:" + "b" * 900)

    assert {client.get(f"/rules/{key}/{page}").status_code for key in keys} == {404}


# --- on paper


@pytest.mark.parametrize("slug", SLUGS)
def test_the_summary_says_what_players_ask_about_and_where_it_comes_from(db, client, slug):
    page = text(client.get(f"/rules/{slug}/summary/"))
    asked = ("Place points", "Equal final points", "Length of the game", "Red fives", "Chombo", "Dealer wins")
    assert [word for word in asked if word not in page] == []
    assert preset(slug).document in page
    assert re.search(r"[✓✗] Open tanyao \(kuitan\) : (yes|no)", page)


def test_the_summary_of_a_division_marks_what_the_organizer_changed(spring, client):
    page = text(client.get("/rules/c:spring:main/summary/"))
    assert "League spring · Main" in page
    assert "✗ Open tanyao (kuitan) : no †" in page
    assert "† changed by the organizer" in page


def test_the_score_table_is_in_the_rule_set_s_own_values(db, client):
    rounded_up, as_counted = (text(client.get(f"/rules/{slug}/scores/")) for slug in ("mleague", "tenhou"))
    assert "30 1500 500 2900 1000 5800 2000 12000 4000" in rounded_up
    assert "30 1500 500 2900 1000 5800 2000 11600 3900" in as_counted
    assert "30 1000 300/500 2000 500/1000 3900 1000/2000 7700 2000/3900" in as_counted
    assert "Sanbaiman 11+ han 36000 12000" in rounded_up
    assert "Sanbaiman 11–12 han 36000 12000 Kazoe yakuman 13+ han 48000 16000" in as_counted
    assert "20 – 700 – 1300 – 2600" in as_counted


# --- a league's own rules, played


@pytest.fixture
def own(spring) -> RuleBook:
    """The rules of the house, in an edition that the division plays."""
    rules = copied_rules(HKMA_SLUG, {**resolve(HKMA_SLUG).as_values(), "honba": 600}, by=spring.alice)
    book = create_book(league=spring.league, name="Rules of <the> house", rules=rules, by=spring.alice)
    change_rules(division=spring.division, to=newest_edition(book), by=spring.alice)
    return book


def test_a_division_that_plays_an_own_edition_says_which_and_what_it_was_made_from(own, client):
    title, origin = "Rules of <the> house, edition 1", "Based on HKMA league, division A (April 2025)"
    page = text(client.get("/c/spring/rules/"))
    assert f"{title} {origin} · {preset(HKMA_SLUG).document}" in page
    assert "1 setting changed by the organizer" in page
    wall = text(client.get("/rules/c:spring:main/summary/"))
    assert f"League spring · Main {title} · {origin} · {preset(HKMA_SLUG).document}" in wall
    side = text(client.get(compared(HKMA_SLUG, "c:spring:main")))
    assert f"League spring Main {title} {origin}" in side


def test_every_page_of_an_own_edition_says_what_it_was_made_from(own, client):
    key = f"own:{own.league.slug}:{own.slug}:1"
    for address in (f"/rules/{key}/", f"/rules/{key}/summary/", compared(HKMA_SLUG, key)):
        assert "Based on HKMA league, division A (April 2025)" in text(client.get(address)), address


def test_an_own_edition_follows_the_text_that_was_chosen_even_where_no_value_tells(spring):
    """The two texts on deposits left over differ, and no setting has a value for the difference."""
    alice, index = signed_in(spring.alice), 5
    conflict, values = preset(HKMA_SLUG).conflicts[index], resolve(HKMA_SLUG).as_values()
    assert (dict(conflict.first.values), dict(conflict.second.values)) == ({}, {})
    first = copied_rules(HKMA_SLUG, values, texts={index: 1}, by=spring.alice)
    book = create_book(league=spring.league, name="Texts", rules=first, by=spring.alice)
    address = f"/rules/own:{book.league.slug}:{book.slug}:1/"

    def followed() -> list[str]:
        page = alice.get(address).content.decode()
        texts = re.findall(r'<li class="chosen">\s*<q>(.*?)</q>', page)
        return [unescape(text) for text in texts]

    assert conflict.first.text in followed()
    newest = newest_edition(book)
    second = copied_rules(HKMA_SLUG, values, texts={index: 2}, before=newest.readings, by=spring.alice)
    save_edition(book=book, name="Texts", rules=second, seen=fingerprint(newest), by=spring.alice)
    assert conflict.second.text in followed()
    assert conflict.first.text not in followed()


def test_a_quotation_has_its_meaning_below_in_the_readers_language(client):
    def page(language: str) -> str:
        return text(client.get("/rules/kanto/", headers={"Accept-Language": language}))

    quotation = "日本麻将常常以半庄为单位进行 游戏长度 半庄 followed"
    assert f"{quotation} Players of Japanese mahjong often play a hanchan." in page("en")
    assert "日本麻雀常以半莊為單位進行。" in page("zh-hant")
    assert "日本の麻雀はたいてい半荘単位で打つ。" in page("ja")


def test_a_division_with_a_copy_of_a_preset_is_named_after_the_preset(spring, client):
    page = text(client.get("/c/spring/rules/"))
    assert f"{in_language(preset(HKMA_SLUG).name)} {preset(HKMA_SLUG).document}" in page
    assert "Based on" not in page


def test_the_rules_page_follows_the_name_of_the_book(own, spring, client):
    first = client.get("/c/spring/rules/")
    newest = newest_edition(own)
    save_edition(book=own, name="Other", rules=newest, seen=fingerprint(newest), by=spring.alice)
    again = client.get("/c/spring/rules/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, "Other, edition 1" in text(again)) == (200, True)


def test_the_rules_of_three_divisions_take_as_many_queries_as_those_of_one(
    own, spring, client, django_assert_num_queries
):
    with django_assert_num_queries(3):
        client.get("/c/spring/rules/")
    for name in ("B", "C"):
        add_division(competition=spring.competition, name=name, rules=newest_edition(own), by=spring.alice)
    with django_assert_num_queries(3):
        client.get("/c/spring/rules/")


# --- made once


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_did_not_change_is_answered_304(db, client, page):
    first = client.get(page)
    assert first["Cache-Control"] == "private, no-cache"
    again = client.get(page, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(page, headers={"If-None-Match": first["ETag"], "Accept-Language": "ja"})
    assert other.status_code == 200


def test_the_pages_of_a_preset_take_no_query_but_the_one_for_who_plays_it(
    spring, client, django_assert_num_queries
):
    for page in PAGES:
        with django_assert_num_queries(1 if page == HKMA else 0):
            assert client.get(page).status_code == 200


def test_a_new_competition_gives_a_new_page_of_its_preset_and_of_no_other(spring, client):
    before = {page: client.get(page)["ETag"] for page in (HKMA, "/rules/tenhou/", f"{HKMA}summary/")}
    create_competition(league=spring.league, name="Cup", preset_slug="hkma-a-2025-04", by=spring.alice)
    answers = {page: client.get(page, headers={"If-None-Match": tag}) for page, tag in before.items()}
    assert [answer.status_code for answer in answers.values()] == [200, 304, 304]
    assert "Cup" in text(answers[HKMA])


def test_the_summary_of_a_division_follows_its_rules(spring, client):
    address = "/rules/c:spring:main/summary/"
    first = client.get(address)
    update_competition(competition=spring.competition, values={"name": "Renamed"}, by=spring.alice)
    answer = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert answer.status_code == 200
    assert "Renamed" in text(answer)


@pytest.mark.parametrize("language", ["zh-Hant-HK", "zh-Hans", "ja"])
def test_every_page_is_in_the_reader_s_language(db, client, language):
    for page in PAGES:
        shown = client.get(page, headers={"Accept-Language": language}).content.decode()
        assert f'<html lang="{language}"' in shown
        assert "Points and settlement" not in shown
