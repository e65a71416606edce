"""The pages of offences: every published book, a league's own, and what a division plays by."""

import re
import uuid
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Division, OwnCatalogue
from league.organizing.competitions.services import create_competition
from league.referees.penalties.services.log import log_offence
from league.rules.penalty_rules.services import (
    choose_catalogue,
    create_catalogue,
    current_entry,
    fingerprint,
    save_entry,
    supersede_entry,
)
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.infractions import catalogue, catalogues, entry_of
from scoring.presets import preset, presets
from tests.factories import Club, club, signed_in, user
from tests.league.rules.penalty_rules.entries import SMOKING as ENTRY
from tests.module_fixtures import module_fixture
from tests.pages.forms import forms_of
from tests.seeds import seeds

pytestmark = pytest.mark.django_db

SLUGS = [each.slug for each in catalogues()]
HKMA = catalogue("hkma-2025")
HOUSE = "/leagues/spring/offences/house/"
CHOICE = "competitions:division_penalty_rules"
CHOOSE = "/c/spring/manage/divisions/main/offences/"
SMOKING = ENTRY | {"names": {"en": "Smoking at the table", "zh-hant": "在桌上吸煙"}}


@module_fixture
def spring() -> Club:
    return club("spring")


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


@pytest.fixture
def house(spring) -> OwnCatalogue:
    own = create_catalogue(league=spring.league, name="House", base="hkma-2025", by=spring.alice)
    return save_entry(own=own, entry=SMOKING, seen="", by=spring.alice)


def text(response) -> str:
    """Return the visible text, with white space folded."""
    body = response.content.decode().split('<main id="content"')[1].split("</main>")[0]
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", body.split(">", 1)[1]).split()))


def offences(response) -> list[str]:
    return re.findall(r'class="offence[^"]*" id="o-([^"]+)"', response.content.decode())


def form_of(client: Client, where: str, page: str = "penalty_rules:entry") -> dict[str, list[str]]:
    """The page's own form, as a browser would send it."""
    return form_in(client.get(where), page)


def form_in(answer, page: str = "penalty_rules:entry") -> dict[str, list[str]]:
    found = forms_of(answer.content.decode(), answer.request["PATH_INFO"])
    return next(form.fields for form in found if form.page == page and form.method == "post")


def entries() -> dict[str, dict]:
    return {entry["code"]: entry for entry in OwnCatalogue.objects.get(slug="house").entries}


def rules(spring: Club):
    return Division.objects.select_related("rule_set").get(pk=spring.division.pk).rule_set


def log(spring: Club, code: str, condition: int = 0) -> None:
    log_offence(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[0].pk,
        infraction=code,
        condition=condition,
        by=spring.bob,
    )


# --- published


def test_every_book_is_listed_with_the_rule_sets_that_name_it(client):
    page = client.get("/offences/")
    shown = text(page)

    assert re.findall(r'<h2><a href="/offences/([^/]+)/', page.content.decode()) == SLUGS
    for each in catalogues():
        assert f"{each.names['en']} {each.document} {len(each.infractions)} offence" in shown
    named = set(re.findall(r'href="/rules/([^/"]+)/"', page.content.decode()))
    assert named == {each.slug for each in presets() if each.catalogue}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_book_is_read_in_full_with_every_article(client, slug, django_assert_num_queries):
    found = catalogue(slug)
    with django_assert_num_queries(0):
        page = client.get(f"/offences/{slug}/")
    shown = text(page)

    assert offences(page) == [
        code
        for category in found.categories
        for code, e in found.infractions.items()
        if e.category == category
    ]
    for each in found.infractions.values():
        assert each.names["en"] in shown
        assert each.article in shown
        for variant in each.variants:
            assert variant.condition.get("en", "") in shown
            assert variant.hand_handling.get("en", "") in shown
            assert variant.payment.get("en", "") in shown
    for level in found.levels.values():
        assert f"{level.names['en']} " in shown
        assert level.meaning["en"] in shown


def test_a_book_in_chinese_and_japanese(client):
    client.cookies["django_language"] = "zh-hant"
    shown = text(client.get("/offences/hkma-2025/"))
    assert "A-II 違規曝露" in shown
    assert "▲8.0" in shown
    client.cookies["django_language"] = "ja"
    assert "A-II 見せ牌（打牌でない牌を見せる）" in text(client.get("/offences/hkma-2025/"))


def test_a_book_that_does_not_exist_is_not_found(client):
    assert client.get("/offences/mcr/").status_code == 404


def test_the_page_is_made_once(client):
    page = client.get("/offences/hkma-2025/")
    again = client.get("/offences/hkma-2025/", headers={"if-none-match": page["ETag"]})

    assert again.status_code == 304


@pytest.mark.parametrize(
    ("query", "found"),
    [("喰い替え", ["A-VI"]), ("a-ii", ["A-II", "A-III"]), ("", list(HKMA.infractions)), ("qqq", [])],
)
def test_an_offence_is_searched_in_a_book(client, query, found):
    page = client.get("/offences/hkma-2025/", {"q": query})

    assert sorted(offences(page)) == sorted(found)
    assert ("Levels" in text(page)) == (query == "")
    if query:
        assert f"{len(found)} offence" in text(page)
        assert f"found for “{query}”" in text(page)


def test_an_offence_is_searched_in_every_book(client):
    page = client.get("/offences/", {"q": "食替"})
    links = re.findall(r'href="(/offences/[^"]+#o-[^"]+)"', page.content.decode())

    assert links == [
        "/offences/ema-2016/#o-5.2-6",
        "/offences/ema-2025/#o-6.5.6",
        "/offences/hkma-2025/#o-A-VI",
        "/offences/saikouisen/#o-3",
        "/offences/wrc-2025/#o-12.3.4b",
    ]
    assert "No matching offence" in text(client.get("/offences/", {"q": "mahjong solitaire"}))


def test_a_very_long_query_is_cut(client):
    page = client.get("/offences/hkma-2025/", {"q": "食" * 5_000})

    assert (page.status_code, offences(page)) == (200, [])
    assert re.findall(r'id="q" name="q" type="search" value="(食+)"', page.content.decode()) == ["食" * 80]


@pytest.mark.slow
def test_a_rule_set_leads_to_its_book(client):
    for each in presets():
        linked = re.findall(
            r'href="/offences/([^/"]+)/"', client.get(f"/rules/{each.slug}/").content.decode()
        )
        assert linked == ([each.catalogue] if each.catalogue else [])
    assert 'href="/offences/"' in client.get("/rules/").content.decode()
    assert preset("tenhou").catalogue is None


# --- what a division plays by


def test_the_rules_of_a_competition_lead_to_what_its_division_plays_by(spring, client):
    assert 'href="/c/spring/offences/main/"' in client.get("/c/spring/rules/").content.decode()
    answer = client.get("/c/spring/offences/main/")
    assert (answer.status_code, answer.url) == (302, "/offences/hkma-2025/")


def test_everyone_who_sees_the_competition_reads_the_leagues_own_catalogue(spring, house, client):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    page = client.get("/c/spring/offences/main/")

    assert "House The league’s own penalty rules · Extends HKMA league, penalties of 2025" in text(page)
    assert "H-1 Smoking at the table added by the league" in text(page)
    assert "Choose others" not in text(page)
    assert "Choose others" in text(signed_in(spring.alice).get("/c/spring/offences/main/"))
    assert offences(client.get("/c/spring/offences/main/", {"q": "吸煙"})) == ["H-1"]
    assert 'href="/leagues/' not in page.content.decode()


def test_a_private_competitions_catalogue_is_hidden_from_others(client):
    secret = club("secret", visibility="private")
    own = create_catalogue(league=secret.league, name="House", base="tnt", by=secret.alice)
    choose_catalogue(division=secret.division, own=own, by=secret.alice)

    assert signed_in(secret.dora).get("/c/secret/offences/main/").status_code == 200
    assert client.get("/c/secret/offences/main/").status_code == 404


def test_a_division_without_a_book_says_so(client):
    club("jpml", preset="jpml-a")

    assert "No penalty rules" in text(client.get("/c/jpml/offences/main/"))


def test_the_page_changes_with_the_catalogue(spring, house, client):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    before = client.get("/c/spring/offences/main/")
    entry = current_entry(OwnCatalogue.objects.get(), "H-1")
    save_entry(
        own=house,
        entry={**entry, "names": {"en": "Smoking indoors"}},
        seen=fingerprint(entry),
        by=spring.alice,
    )
    after = client.get("/c/spring/offences/main/", headers={"if-none-match": before["ETag"]})

    assert after.status_code == 200
    assert "Smoking indoors" in text(after)


# --- chosen by the organizer


def test_the_organizer_chooses_a_published_book(spring, alice):
    answer = alice.post(CHOOSE, form_of(alice, CHOOSE, CHOICE) | {"catalogue": ["ema-2025"]})

    assert (answer.status_code, answer.url) == (302, "/c/spring/offences/main/")
    assert rules(spring).catalogue == "ema-2025"
    assert form_of(alice, CHOOSE, CHOICE)["catalogue"] == ["ema-2025"]


def test_the_organizer_chooses_the_leagues_own_on_the_page_of_the_rules(spring, house, alice):
    where = reverse("rule_sets:division_rules", args=["spring", "main"])
    typed = form_of(alice, where, CHOICE) | {"catalogue": [f"own:{house.pk}"]}
    assert alice.post(CHOOSE, typed).status_code == 302
    assert rules(spring).own_catalogue == house

    back = typed | {"catalogue": ["rules"], "key": [str(uuid.uuid4())]}
    assert alice.post(CHOOSE, back).status_code == 302
    assert penalty_rules_of(rules(spring)).catalogue == HKMA


def test_what_penalties_lose_by_another_catalogue_is_said_before_it_is_chosen(spring, house, alice):
    spring.add_round()
    log(spring, "A-II")
    typed = form_of(alice, CHOOSE, CHOICE)
    page = alice.post(CHOOSE, typed | {"catalogue": ["ema-2025"]})
    assert f"A-II {HKMA.infractions['A-II'].names['en']} · 1 penalty" in text(page)
    assert rules(spring).catalogue == ""

    other = alice.post(CHOOSE, form_in(page, CHOICE) | {"catalogue": ["tnt"]})
    assert ("· 1 penalty" in text(other), rules(spring).catalogue) == (True, "")
    assert alice.post(CHOOSE, form_in(other, CHOICE)).status_code == 302
    assert rules(spring).catalogue == "tnt"

    back = form_of(alice, CHOOSE, CHOICE) | {"catalogue": [f"own:{house.pk}"]}
    assert alice.post(CHOOSE, back).status_code == 302
    assert rules(spring).own_catalogue == house


def test_a_catalogue_outside_the_choices_is_refused(spring, alice):
    theirs = create_catalogue(league=club("autumn").league, name="Theirs", base="tnt", by=spring.alice)
    typed = form_of(alice, CHOOSE, CHOICE)
    for bad in (f"own:{theirs.pk}", "own:", "own:x", "own:99999999999999999999", "mcr", ""):
        answer = alice.post(CHOOSE, typed | {"catalogue": [bad]})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["catalogue"]), bad
    assert (rules(spring).catalogue, rules(spring).own_catalogue) == ("", None)


def test_only_organizers_choose(spring, house):
    for person in (spring.bob, spring.charlie, spring.dora, user("mallory")):
        for answer in (signed_in(person).get(CHOOSE), signed_in(person).post(CHOOSE, {"catalogue": "tnt"})):
            assert answer.status_code == 403
    assert rules(spring).catalogue == ""


# --- made by the league's owner


@pytest.mark.parametrize(
    ("language", "label"), [("ja", "もとの規定"), ("zh-hant", "基礎罰則"), ("zh-hans", "基础罚则")]
)
def test_what_new_rules_extend_is_a_label_without_a_colon(spring, alice, language, label):
    alice.cookies["django_language"] = language

    page = alice.get(reverse("penalty_rules:house_rules", args=[spring.league.slug])).content.decode()

    assert re.search(rf'<label [^>]*for="id_base"[^>]*>\s*{label}\s*</label>', page)


def test_the_owner_makes_a_catalogue(spring, alice):
    where = "/leagues/spring/offences/"
    typed = form_of(alice, where, "penalty_rules:house_rules") | {"name": ["Club rules"], "base": ["tnt"]}
    answer = alice.post(where, typed)
    again = alice.post(where, typed)

    assert answer.url == again.url == "/leagues/spring/offences/club-rules/"
    assert [(own.name, own.base) for own in OwnCatalogue.objects.all()] == [("Club rules", "tnt")]
    assert "Club rules 0 own entries · not used yet" in text(alice.get(where))
    assert "No division uses these penalty rules yet" in text(alice.get(answer.url))


@pytest.mark.parametrize(
    ("typed", "field"),
    [({"name": ""}, "name"), ({"name": "House"}, "name"), ({"base": "mcr"}, "base"), ({"base": ""}, "base")],
)
def test_a_catalogue_that_cannot_be_is_refused_with_a_sentence(house, alice, typed, field):
    where = "/leagues/spring/offences/"
    good = form_of(alice, where, "penalty_rules:house_rules") | {"name": ["Another"], "base": ["tnt"]}
    answer = alice.post(where, good | {name: [value] for name, value in typed.items()})

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert OwnCatalogue.objects.count() == 1


def test_strangers_find_nothing(spring, house, client):
    pages = ("", "house/", "house/entry/", "house/entry/?code=H-1")
    posts = (
        "house/rename/",
        "house/remove/",
        "house/entry/remove/",
        "house/entry/supersede/",
        "house/entry/",
    )
    for person in (spring.bob, user("mallory")):
        for page in pages:
            assert signed_in(person).get(f"/leagues/spring/offences/{page}").status_code == 404
        for page in posts:
            assert (
                signed_in(person).post(f"/leagues/spring/offences/{page}", {"code": "H-1"}).status_code == 404
            )
    assert client.get("/leagues/spring/offences/").status_code in {302, 404}
    assert list(entries()) == ["H-1"]


@pytest.mark.parametrize("page", ["remove/", "entry/remove/", "entry/supersede/"])
def test_reading_changes_nothing(house, alice, page):
    assert alice.get(f"{HOUSE}{page}").status_code == 405


def test_the_address_that_takes_a_name_leads_to_the_catalogue(house, alice):
    answer = alice.get(f"{HOUSE}rename/")
    assert (answer.status_code, answer.url) == (303, HOUSE)


def test_a_catalogue_is_renamed_and_removed(spring, house, alice):
    typed = form_of(alice, HOUSE, "penalty_rules:rename")
    refused = alice.post(f"{HOUSE}rename/", typed | {"name": [""]})
    assert (refused.status_code, list(refused.context["rename"].errors)) == (422, ["name"])
    alice.post(f"{HOUSE}rename/", typed | {"name": ["Club rules"]})
    assert OwnCatalogue.objects.get().name == "Club rules"

    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    assert "Remove these penalty rules" not in text(alice.get(HOUSE))
    assert "Choose others for it first" in text(alice.post(f"{HOUSE}remove/", follow=True))
    choose_catalogue(division=spring.division, by=spring.alice)
    assert alice.post(f"{HOUSE}remove/").url == "/leagues/spring/offences/"
    assert not OwnCatalogue.objects.exists()


# --- entries


def test_an_entry_is_added(house, alice):
    where = f"{HOUSE}entry/"
    typed = form_of(alice, where) | {
        "code": ["H-2"],
        "name_en": ["Singing  at the table"],
        "name_zh-hant": ["在桌上唱歌"],
        "category": ["U"],
        "who": ["all_four"],
        "article": ["House rules 5"],
        "c0-condition_en": ["in tune"],
        "c0-level_1": ["1"],
        "c1-condition_en": ["out of tune"],
        "c1-condition_ja": ["音痴"],
        "c1-level_1": ["3"],
        "c1-level_2": ["2"],
        "c1-least": ["3.5"],
        "c1-most": ["５"],
        "c1-unit": ["minute"],
        "c1-redeal": ["on"],
        "c1-handling": ["redeal"],
        "c1-pay_each": ["1000"],
    }
    answer = alice.post(where, typed)

    assert (answer.status_code, answer.url) == (302, f"{HOUSE}#o-H-2")
    assert entries()["H-2"] == {
        "code": "H-2",
        "category": "U",
        "names": {"en": "Singing at the table", "zh-hant": "在桌上唱歌"},
        "who": "all_four",
        "article": "House rules 5",
        "lines": "",
        "variants": [
            {"condition": {"en": "in tune"}, "levels": ["1"], "deduction": 0, "win_ban": False},
            {
                "condition": {"en": "out of tune", "ja": "音痴"},
                "levels": ["3", "2"],
                "deduction": 35,
                "deduction_max": 50,
                "win_ban": True,  # level 3 is one
                "unit": "minute",
                "redeal": True,
                "pay_each": 1000,
                "hand_handling": dict(HKMA.infractions["C-III"].variants[0].hand_handling),
            },
        ],
    }
    page = text(alice.get(HOUSE))
    assert "H-2 Singing at the table added by the league" in page
    assert "out of tune level 3 + level 2 −3.5 to −5.0 per minute win ban hand replayed Hand: redeal" in page


@pytest.mark.parametrize("slug", seeds(SLUGS))
def test_an_entry_of_the_book_saved_as_it_is_says_the_same(spring, alice, slug):
    own = create_catalogue(league=spring.league, name="House", base=slug, by=spring.alice)
    infractions = list(catalogue(slug).infractions.values())
    for infraction in infractions[:: max(1, len(infractions) // 6)]:
        where = f"{HOUSE}entry/?code={infraction.code}"
        assert alice.post(where, form_of(alice, where)).status_code == 302, infraction.code
        assert entries()[infraction.code] == entry_of(infraction)
    assert own.pk


def test_what_an_entry_of_the_book_costs_is_changed_and_taken_back(house, alice):
    where = f"{HOUSE}entry/?code=A-II"
    assert "The published names and conditions cannot be changed" in text(alice.get(where))
    typed = form_of(alice, where)
    assert not {"code", "name_en", "category", "c0-condition_en", "c0-remove"} & set(typed)
    alice.post(
        where, typed | {"c0-level_1": ["4"], "c0-least": [""], "c4-condition_en": ["all"], "c4-least": ["30"]}
    )

    saved = entries()["A-II"]["variants"]
    assert (saved[0]["levels"], saved[0]["deduction"], saved[0]["win_ban"]) == (["4"], 80, True)
    assert saved[1:4] == entry_of(HKMA.infractions["A-II"])["variants"][1:]
    assert saved[4] == {
        "condition": {"en": "all"},
        "levels": [],
        "deduction": 300,
        "deduction_max": 300,
        "win_ban": False,
    }
    assert "A-II Illegal exposure of own non-discarded tiles changed by the league" in text(alice.get(HOUSE))
    assert "Restore the published entry" in text(alice.get(where))
    alice.post(f"{HOUSE}entry/remove/", form_of(alice, where, "penalty_rules:entry_remove"))
    assert list(entries()) == ["H-1"]


WRONG = [
    ({"code": ""}, "code"),
    ({"code": "H 2"}, "code"),
    ({"code": "-H"}, "code"),
    ({"code": "h" * 21}, "code"),
    ({"code": "Ｈ２"}, "code"),
    ({"code": "H-1"}, "code"),
    ({"code": "A-I"}, "code"),
    ({"name_en": ""}, "name_en"),
    ({"name_en": "a\u202eb"}, "name_en"),
    ({"name_en": "x" * 201}, "name_en"),
    ({"category": "Z"}, "category"),
    ({"who": "everybody"}, "who"),
    ({"c0-level_1": "", "c0-least": ""}, "__all__"),  # no condition at all
    ({"c0-level_1": "9"}, "__all__"),
    ({"c0-least": "a lot"}, "__all__"),
    ({"c0-least": "-2"}, "__all__"),
    ({"c0-least": "1000.1"}, "__all__"),
    ({"c0-least": "5", "c0-most": "2"}, "__all__"),
    ({"c0-most": "2"}, "__all__"),
    ({"c0-pay_each": "-1"}, "__all__"),
    ({"c0-handling": "throw it"}, "__all__"),
    ({"c1-least": "2"}, "__all__"),  # of two conditions neither says when
]


def test_an_entry_that_cannot_be_is_refused_with_a_sentence(house, alice):
    where = f"{HOUSE}entry/"
    good = form_of(alice, where) | {"code": ["H-2"], "name_en": ["Singing"], "c0-level_1": ["1"]}
    for typed, field in WRONG:
        answer = alice.post(where, good | {name: [value] for name, value in typed.items()})

        assert answer.status_code == 422, typed
        assert list(answer.context["form"].errors) == [field], typed
        assert "is-invalid" in answer.content.decode() or "alert-danger" in answer.content.decode()
        assert list(entries()) == ["H-1"]


def test_two_conditions_that_say_the_same_are_refused(house, alice):
    where = f"{HOUSE}entry/"
    same = {
        "c0-condition_en": ["again"],
        "c1-condition_en": ["again"],
        "c0-level_1": ["1"],
        "c1-level_1": ["2"],
    }
    answer = alice.post(where, form_of(alice, where) | {"code": ["H-2"], "name_en": ["Singing"]} | same)

    assert answer.status_code == 422
    assert "Another condition has the same text" in text(answer)


def test_a_condition_is_taken_away_and_another_one_added(house, alice):
    where = f"{HOUSE}entry/?code=H-1"
    more = form_of(alice, where) | {
        "c0-condition_en": ["indoors"],
        "c1-condition_en": ["outdoors"],
        "c1-level_1": ["1"],
    }
    assert alice.post(where, more).status_code == 302
    assert [v["condition"] for v in entries()["H-1"]["variants"]] == [{"en": "indoors"}, {"en": "outdoors"}]
    assert alice.post(where, form_of(alice, where) | {"c0-remove": ["on"]}).status_code == 302
    assert [v["condition"] for v in entries()["H-1"]["variants"]] == [{"en": "outdoors"}]


def test_an_entry_that_another_person_changed_is_not_overwritten_unseen(spring, house, alice):
    where = f"{HOUSE}entry/?code=H-1"
    typed = form_of(alice, where) | {"name_en": ["Smoking indoors"]}
    entry = current_entry(house, "H-1")
    save_entry(own=house, entry={**entry, "article": "7"}, seen=fingerprint(entry), by=spring.alice)
    answer = alice.post(where, typed)

    assert answer.status_code == 409
    assert "Someone else has changed this entry since you opened it" in text(answer)
    assert entries()["H-1"]["article"] == "7"
    shown = forms_of(answer.content.decode(), where)
    again = next(form.fields for form in shown if form.page == "penalty_rules:entry")
    assert again["name_en"] == ["Smoking indoors"]
    assert alice.post(where, again | {"key": [str(uuid.uuid4())]}).status_code == 302
    assert (entries()["H-1"]["names"]["en"], entries()["H-1"]["article"]) == (
        "Smoking indoors",
        "House rules 4",
    )


def test_an_entry_that_is_not_there_is_not_found(house, alice):
    assert alice.get(f"{HOUSE}entry/?code=H-9").status_code == 404
    assert alice.get("/leagues/spring/offences/other/entry/").status_code == 404


def test_an_entry_that_a_penalty_names_can_only_be_superseded(spring, house, alice):
    save_entry(own=house, entry={**SMOKING, "code": "H-2"}, seen="", by=spring.alice)
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    spring.add_round()
    log(spring, "H-1")
    where = f"{HOUSE}entry/?code=H-1"
    page = text(alice.get(where))

    assert "Penalties refer to this entry" in page
    assert "Remove this entry" not in page
    refused = alice.post(f"{HOUSE}entry/remove/", {"key": [str(uuid.uuid4())], "code": ["H-1"]}, follow=True)
    assert "An entry named in penalties cannot be removed" in text(refused)
    alice.post(
        f"{HOUSE}entry/supersede/",
        form_of(alice, where, "penalty_rules:entry_supersede") | {"by_code": ["H-2"]},
    )

    assert entries()["H-1"]["superseded_by"] == "H-2"
    assert "H-1 Smoking at the table added by the league Change H-1 Replaced by H-2." in text(
        alice.get(HOUSE)
    )
    assert "Smoking at the table" in text(signed_in(spring.bob).get("/c/spring/penalties/"))


def test_an_entry_with_a_code_as_long_as_a_file_may_bring_is_removed(house, alice):
    code = "H" * 40
    house.entries = [*house.entries, {**SMOKING, "code": code}]
    house.save()
    typed = form_of(alice, f"{HOUSE}entry/?code={code}", "penalty_rules:entry_remove")
    alice.post(f"{HOUSE}entry/remove/", typed)
    assert list(entries()) == ["H-1"]


def test_a_superseded_entry_is_offered_to_no_referee(spring, house):
    save_entry(own=house, entry={**SMOKING, "code": "H-2"}, seen="", by=spring.alice)
    supersede_entry(own=house, code="H-1", by_code="H-2", by=spring.alice)
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    spring.add_round()
    seat = spring.competition.entrants.get(player=spring.players[0]).pk
    page = signed_in(spring.bob).get(f"/c/spring/penalties/new/?table={spring.table().pk}&player={seat}")

    assert "H-2" in page.content.decode()
    assert "H-1" not in page.content.decode()


def test_the_log_says_what_was_changed(spring, house, alice):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    where = f"{HOUSE}entry/?code=H-1"
    alice.post(where, form_of(alice, where) | {"c0-least": ["3"]})
    shown = text(alice.get(reverse("audit_log:index", args=["spring"])))

    assert "changed penalty rules House" in shown
    assert "penalty: Smoking at the table: level 2, −2.0 → Smoking at the table: level 2, −3.0" in shown
    assert "chose penalty rules Main penalty rules: – → House" in shown


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_own_catalogues_asks_the_same_for_one_and_three(
    spring, alice, count, django_assert_num_queries
):
    for number in range(count):
        own = create_catalogue(league=spring.league, name=f"C{number}", base="tnt", by=spring.alice)
        made = create_competition(
            league=spring.league, name=f"Cup {number}", preset_slug="tnt", by=spring.alice
        )
        choose_catalogue(division=made.divisions.get(), own=own, by=spring.alice)
    with django_assert_num_queries(4):
        page = alice.get("/leagues/spring/offences/")
    assert text(page).count("used by 1 division") == count


@pytest.mark.parametrize("name", ["<b>x</b>", "{{ 7|add:7 }}", "%(name)s %s", "=1+1", "W" * 120, "龍" * 100])
def test_hostile_names_are_text(spring, client, name):
    own = create_catalogue(league=spring.league, name=name, base="hkma-2025", by=spring.alice)
    variants = [{"condition": {"en": name}, "levels": ["2"], "deduction": 20, "win_ban": False}]
    save_entry(
        own=own,
        entry={**SMOKING, "names": {"ja": name}, "article": name, "variants": variants},
        seen="",
        by=spring.alice,
    )
    choose_catalogue(division=spring.division, own=own, by=spring.alice)
    alice = signed_in(spring.alice)
    own.refresh_from_db()
    pages = [
        client.get("/c/spring/offences/main/"),
        *(alice.get(f"/leagues/spring/offences/{own.slug}/{page}") for page in ("", "entry/?code=H-1")),
        alice.get("/leagues/spring/offences/"),
        alice.get(reverse("competitions:division_penalty_rules", args=["spring", "main"])),
        alice.get(reverse("audit_log:index", args=["spring"])),
    ]

    for page in pages:
        assert page.status_code == 200
        assert "<b>x</b>" not in page.content.decode()
        assert name in text(page) or name in unescape(page.content.decode())
