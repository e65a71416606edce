"""The hand calculator: every input reaches the value, errors are explained, the address holds all of it."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from scoring.presets import presets
from tests.examples import examples
from tests.factories import club, signed_in
from tests.hostile_names import MARKUP
from tests.seeds import seeds

pytestmark = pytest.mark.django_db

CLOSED = {"hand": "234406m77p345678s", "win": "8s"}
OPEN = {"hand": "55m234s789p (777z) [1111s]", "win": "9p"}


def get(**typed: str) -> str:
    response = Client().get("/hand/", typed)
    assert response.status_code == 200
    return response.content.decode()


def seen(html: str) -> str:
    """Return the visible text of the answer, with white space folded."""
    body = html.split('id="value"')[1].split("</section>")[0].split(">", 1)[1]
    body = re.sub(r"<svg.*?</svg>", "", body)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))


def said(**typed: str) -> str:
    return seen(get(**typed))


def addresses(html: str, part: str) -> list[str]:
    return [unescape(each) for each in re.findall(r'href="(/hand/[^"#]*)"', html.split(part)[1])]


# --- the value and its reasons


def test_an_empty_page_says_what_to_do_and_offers_hands_to_try():
    html = get()
    assert "No hand yet Tap or enter fourteen tiles" in seen(html)
    offered = addresses(html, "Example hands")
    assert len(offered) == 6
    titles = [re.search(r"<title>(.*?)</title>", Client().get(each).content.decode())[1] for each in offered]
    assert [title.split(":")[0].split(",")[0] for title in titles] == [
        *("Mangan", "1 han 60 fu", "Haneman", "Yakuman", "No win", "Tenpai")
    ]


def test_yaku_fu_and_payments_of_an_open_hand_with_a_closed_kan():
    answer = said(**OPEN, seat="2", honba="1", sticks="2")
    assert answer.startswith("1 han 60 fu 2,000 Who pays Hand Honba Sum")
    assert "The discarder 2,000 300 2,300 Riichi deposits 2,000 Winner’s total 4,300" in answer
    assert "Yaku 1 han 60 fu Red dragon 1 han Fu 56, rounded up to 60 Any hand 20" in answer
    assert "Dealer 2,900 1,000 from each Other player 2,000 500 / 1,000" in answer


def test_a_self_draw_is_paid_by_all_three():
    answer = said(**CLOSED, how="tsumo", seat="1", rules="tenhou")
    assert "1,300 / 2,600" in answer
    assert "The dealer 2,600 0 2,600 Each of the 2 others 1,300 0 1,300 Winner’s total 5,200" in answer
    assert "4,000 from each" not in answer


def test_the_other_readings_are_shown_with_their_values():
    answer = said(hand="111222333m99p789s", win="9s", riichi="1")
    assert answer.startswith("Haneman · 6 han 18,000")
    assert "Other readings 3 han 50 fu 9,600 Yaku 3 han 50 fu Riichi 1 han" in answer


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"how": "tsumo"}, "Menzen tsumo"),
        ({"riichi": "1"}, "Riichi 1 han"),
        ({"riichi": "2"}, "Double riichi 2 han"),
        ({"riichi": "1", "ippatsu": "1"}, "Ippatsu 1 han"),
        ({"last": "1", "how": "tsumo"}, "Haitei"),
        ({"last": "1"}, "Houtei"),
        ({"chankan": "added"}, "Chankan"),
        ({"first": "1", "how": "tsumo"}, "Tenhou (dealer’s win on the deal)"),
        ({"first": "1", "how": "tsumo", "seat": "3"}, "Chiihou (win on the first draw)"),
        ({"dora": "2m"}, "Dora 1 han"),
        ({"dora": "6p"}, "Dora 2 han"),
        ({"riichi": "1", "ura": "6p"}, "Ura dora 2 han"),
        ({"rules": "tenhou"}, "Red fives 1 han"),
    ],
)
def test_what_happened_reaches_the_value(facts, found):
    assert found not in said(**CLOSED, rules="tenhou") or found.startswith("Red")
    assert found in said(**({"rules": "tenhou"} | CLOSED | facts))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ({"hand": "234m55z678s (777p) (333m)", "win": "8s", "seat": "0"}, "No win"),
        ({"hand": "234m11z678s (222z) (333m)", "win": "8s", "seat": "1"}, "Seat wind south"),
        ({"hand": "234m11z678s (222z) (333m)", "win": "8s", "round": "1"}, "Round wind south"),
        ({"hand": "55m234s789p (777z) [1111s]", "win": "5m", "rinshan": "1", "how": "tsumo"}, "Rinshan"),
        ({"hand": "123m456m789m11s (777z)", "win": "1s", "kan_discard": "1", "rules": "guide"}, "Kanfuri"),
        (
            {"hand": "123m456m789m11s (777z)", "win": "1s", "riichi_discard": "1", "rules": "guide"},
            "Tsubame gaeshi",
        ),
    ],
)
def test_winds_kans_and_what_local_yaku_ask_about_reach_the_value(typed, found):
    answer = said(**typed)
    assert found in answer


def test_the_rule_set_decides_and_its_article_is_linked():
    html = get(hand="234m678p44s (678s) (333p)", win="8p", rules="ema-2025")
    assert "Rules applied" in seen(html)
    assert re.search(r"Open tanyao \(kuitan\) ?: yes \S", seen(html))
    assert "With “no”: no win" in seen(html)
    assert 'href="/rules/ema-2025/#open_tanyao"' in html
    assert Client().get("/rules/ema-2025/").content.decode().count('id="open_tanyao"') == 1


def test_thirteen_tiles_say_what_they_wait_for_and_each_tile_is_a_link():
    html = get(hand="2345678m456p678s", riichi="1")
    assert "Tenpai Waits for 2 of characters, 5 of characters, 8 of characters" in seen(html)
    completed = addresses(html, "calc-waits")[0]
    assert dict(parse_qsl(urlsplit(completed).query)) == {
        **{"hand": "2345678m456p678s2m", "win": "2m", "riichi": "1"}
    }
    assert "2 han 40 fu" in seen(Client().get(completed).content.decode())


# --- who is liable

DRAGONS = {"hand": "234m88s (555z) (666z) (777z)", "win": "8s", "seat": "1", "honba": "1"}
ASKED = "Whose discard was called for the last set of Daisangen"


def liable_links(html: str) -> list[tuple[str, str, bool]]:
    """Return label, address and whether it is current, for each who may be liable."""
    links = re.findall(r'<a class="btn[^"]*?( active)?" href="([^"]*)"[^>]*>([^<]*)</a>', html)
    return [
        (label, unescape(address), bool(active)) for active, address, label in links if "#value" in address
    ]


def test_who_is_liable_for_a_yakuman_is_chosen_by_a_link_and_pays():
    html = get(**DRAGONS)
    assert ASKED in seen(html)
    links = liable_links(html)
    assert [(label, active) for label, _address, active in links] == [
        ("No one", True),
        ("The discarder", False),
        ("Another player", False),
    ]
    chosen = Client().get(links[2][1]).content.decode()
    answer = seen(chosen)
    assert "Another player (liable) 16,000 0 16,000 The discarder 16,000 300 16,300" in answer
    assert "Winner’s total 32,300" in answer
    assert '<input type="hidden" name="liable_daisangen" value="other"' in chosen
    assert [label for label, _address, active in liable_links(chosen) if active] == ["Another player"]
    assert seen(Client().get(liable_links(chosen)[0][1]).content.decode()) == seen(html)


def test_of_a_self_draw_the_dealer_or_another_is_liable():
    html = get(**DRAGONS, how="tsumo", liable_daisangen="dealer", rules="hkma-a-2025-04")
    assert "Hand Honba Sum The dealer (liable) 32,000 300 32,300 Winner’s total" in seen(html)
    assert [label for label, _address, _active in liable_links(html)] == [
        *("No one", "The dealer", "Another player")
    ]
    dealers = get(**DRAGONS | {"seat": "0"}, how="tsumo", liable_daisangen="discarder")
    assert [label for label, _address, _active in liable_links(dealers)] == ["No one", "Another player"]
    assert "Another player (liable) 48,000 300 48,300" in seen(dealers)


@pytest.mark.parametrize(
    "typed",
    [
        {**OPEN, "liable_daisangen": "other"},
        {**DRAGONS, "rules": "saikouisen", "liable_daisangen": "other"},
        {**DRAGONS, "hand": "234m88s555666777z", "liable_daisangen": "other"},
        {**OPEN, "how": "tsumo", "rinshan": "1", "liable_rinshan": "other"},
    ],
)
def test_the_liable_player_is_not_asked_where_there_cannot_be_one(typed):
    html = get(**typed)
    assert liable_links(html) == []
    assert "liable)" not in seen(html)


def test_of_two_yakuman_the_first_asked_is_the_first_made_sure():
    four = {"hand": "88s (1111z) (2222z) (3333z) (4444z)", "win": "8s", "seat": "1"}
    both = {"liable_daisuushii": "other", "liable_suukantsu": "discarder"}
    answer = said(**four, **both, rules="hkma-b-legacy")
    assert answer.index("last set of Daisuushii") < answer.index("last set of Suukantsu")
    assert "Assuming the yakuman were completed in this order." in answer
    assert "in this order" not in said(**DRAGONS)


def test_a_player_who_is_none_is_not_liable():
    assert "Liable player: Select a valid choice" in said(**DRAGONS, liable_daisangen="me<b>")


def test_tiles_that_are_missing_are_counted():
    assert said(hand="234m").startswith("11 more tiles")
    assert said(hand="123456789m1234s").startswith("Tenpai")
    assert said(hand="1359m1359p1359s1z").startswith("1 more tile ")


# --- what is wrong


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"hand": "123"}, "“123” has no suit"),
        ({"hand": "123m", "win": "77z"}, "The winning tile is one tile such as 5p, not “77z”."),
        ({"hand": "123m", "dora": "9z"}, "Dora indicators: "),
        ({"hand": "123m", "honba": "x"}, "Honba: "),
        ({"hand": "123m", "honba": "-1"}, "Honba: "),
        ({"hand": "123m", "sticks": "100"}, "Riichi deposits on the table: "),
        ({"hand": "123m", "seat": "7"}, "Seat wind: "),
        ({"hand": "123m", "rules": "nowhere"}, "Unknown rule set. Choose one from the list."),
        ({"hand": "123m", "rules": "c:nowhere:main"}, "Unknown rule set"),
        ({"hand": "1" * 500 + "m"}, "Hand: "),
    ],
)
def test_unreadable_input_is_answered_with_a_sentence(typed, sentence):
    answer = said(**typed)
    assert answer.startswith("This hand cannot be read yet")
    assert sentence in answer


@pytest.mark.parametrize(
    "typed",
    [
        {**CLOSED, "ippatsu": "1"},
        {**CLOSED, "ura": "1m"},
        {**OPEN, "riichi": "1"},
        {**CLOSED, "rules": "ema-2016", "dora": "0m"},
        {"hand": "11111m234p567p789s", "win": "9s"},
        {"hand": "234m678p44s (789s) (111p)", "win": "8p", "seat": "2"},
    ],
)
def test_a_hand_that_cannot_win_says_why(typed):
    answer = said(**typed)
    assert answer.startswith("No win ")
    assert "Who pays" not in answer


@pytest.mark.parametrize("hand", ["00m", "345m345p34005s77z", "345m345p34005s777z"])
def test_a_red_five_is_refused_with_its_reason_before_the_hand_is_complete(hand):
    answer = said(hand=hand, rules="ema-2025")
    assert answer.startswith("No win These rules have no red fives. Enter 5 instead of 0.")
    assert "only 1 under these rules, but hand and indicators have 2" in said(hand=hand, rules="mleague")


def test_what_was_typed_stays_in_the_form():
    html = get(hand="12x", win="<b>", honba="many", how="tsumo", ippatsu="1")
    for field in ('name="hand" value="12x"', 'name="win" value="&lt;b&gt;"', 'name="honba" value="many"'):
        assert field in html
    assert re.search(r'name="how" value="tsumo"[^>]* checked', html)
    assert re.search(r'name="ippatsu"[^>]* checked', html)


@pytest.mark.parametrize(
    "field", seeds(["hand", "win", "dora", "ura", "rules", "honba", "seat", "how", "riichi"])
)
def test_markup_is_shown_as_it_was_typed_and_does_nothing(field):
    for markup in (*MARKUP, "\0", "1m\0", "😀" * 99, "9" * 5000):
        html = get(**({"hand": "123m"} | {field: markup}))
        assert "alert(1)</script>" not in html
        assert "<b>x" not in html
        assert "7007" not in html


def test_digits_and_brackets_of_other_keyboards_are_read():
    assert said(hand="５５ｍ２３４ｓ７８９ｐ（７７７ｚ）【１１１１ｓ】", win="９ｐ") == said(**OPEN)


# --- the address


def test_the_address_to_share_holds_only_what_differs():
    html = get(**OPEN, how="ron", seat="0", honba="0", rules="ema-2025", junk="1")
    shared = unescape(re.search(r'id="share"[^>]*value="([^"]*)"', html)[1])
    assert dict(parse_qsl(urlsplit(shared).query)) == OPEN
    assert seen(Client().get(shared.removeprefix("http://testserver")).content.decode()) == seen(html)


def test_title_and_description_tell_the_hand():
    html = get(**OPEN)
    assert "<title>1 han 60 fu, 2,900: 55m78p234s9p(777z)[1111s] · Umaoka</title>" in html
    assert '<meta name="description" content="Red dragon 1 han">' in html


def test_script_gets_the_answer_alone():
    whole = get(**OPEN)
    part = Client().get("/hand/", OPEN, headers={"HX-Request": "true"})
    assert part["Vary"].count("HX-Request") == 1
    assert "<html" not in part.content.decode()
    assert "<title>1 han 60 fu" in part.content.decode()
    assert (
        '<a class="calc-bar d-print-none" href="#value" id="calc-bar" hx-swap-oob="true">'
        in part.content.decode()
    )
    for line in ("The discarder", "Red dragon", "56, rounded up to 60"):
        assert line in part.content.decode()
        assert line in whole


# --- what it costs


def test_a_hand_under_a_published_rule_set_needs_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert said(**CLOSED, rules="tenhou", riichi="1", dora="2m").startswith("Haneman") is False


def test_the_same_hand_again_is_answered_by_its_etag():
    first = Client().get("/hand/", OPEN)
    again = Client().get("/hand/", OPEN, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    part = Client().get("/hand/", OPEN, headers={"If-None-Match": first["ETag"], "HX-Request": "true"})
    assert part.status_code == 200
    other = Client().get("/hand/", {**OPEN, "seat": "1"}, headers={"If-None-Match": first["ETag"]})
    assert other.status_code == 200
    chinese = Client().get(
        "/hand/", OPEN, headers={"If-None-Match": first["ETag"], "Accept-Language": "zh-hant"}
    )
    assert chinese.status_code == 200


# --- the rules of a competition


def test_the_rules_of_a_division_that_the_person_may_see():
    made = club("secret", visibility="private")
    key = f"c:secret:{made.division.slug}"
    typed = {**OPEN, "rules": key}

    inside = signed_in(made.alice).get("/hand/", typed).content.decode()
    assert "1 han 60 fu" in seen(inside)
    assert f'<option value="{key}" selected>' in inside
    assert made.competition.name in inside

    outside = get(**typed)
    assert "Unknown rule set" in seen(outside)
    assert made.competition.name not in outside


def test_a_rule_set_of_their_own_with_local_yaku():
    made = club("spring")
    stored = made.division.rule_set
    stored.values["local_yaku"] = ["paarenchan"]
    stored.save()
    answer = said(**OPEN, dealer_wins="7", rules=f"c:spring:{made.division.slug}")
    assert re.search(r"Yaku Yakuman Paarenchan \([^)]*\) Yakuman", answer)
    assert re.search(r"Local yaku ?: Paarenchan \([^)]*\) organizer.s own With", answer)
    assert "With “none”: 1 han 60 fu, 2,900" in answer


def test_a_changed_competition_changes_the_etag():
    made = club("spring")
    typed = {**OPEN, "rules": f"c:spring:{made.division.slug}"}
    first = Client().get("/hand/", typed)
    made.competition.version += 1
    made.competition.save()
    again = Client().get("/hand/", typed, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200


# --- anything at all

TEXTS = st.text(alphabet="0123456789mpsz()[]{} ", max_size=30)
HANDS = st.sampled_from(
    [
        *("234406m77p345678s", "55m234s789p (777z) [1111s]", "111222333m99p789s", "19m19p19s12345677z"),
        *(
            "234m88s (555z) (666z) (777z)",
            "1112345678999s",
            "1122334455667z7z",
            "[1111m] [2222z] {3333s} (4444p) 0s",
            "5m",
            "",
        ),
    ]
)


@given(
    hand=HANDS | TEXTS,
    win=st.sampled_from(["", "8s", "5m", "7z", "0s", "9"]),
    dora=st.sampled_from(["", "1m", "123456m", "5s", "9z"]),
    ura=st.sampled_from(["", "1m", "0p"]),
    facts=st.fixed_dictionaries(
        {
            "how": st.sampled_from(["ron", "tsumo"]),
            "seat": st.sampled_from("0123"),
            "round": st.sampled_from("0123"),
            "riichi": st.sampled_from(["", "1", "2"]),
            "chankan": st.sampled_from(["", "added", "concealed"]),
            "honba": st.sampled_from(["0", "3"]),
        },
        optional={
            **{name: st.just("1") for name in ("ippatsu", "last", "rinshan", "first", "kan_discard")},
            "liable_daisangen": st.sampled_from(["discarder", "dealer", "other"]),
        },
    ),
    rules=st.sampled_from([each.slug for each in presets()]),
)
@examples(150)
def test_any_question_has_an_answer(hand, win, dora, ura, facts, rules):
    typed = {**facts, "hand": hand, "win": win, "dora": dora, "ura": ura, "rules": rules}
    assert len(said(**typed)) > 40
