"""The public pages: what visitors see, what stays hidden, and that no address breaks them."""

import re
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Competition, Entrant, Role, Round
from league.organizing.competitions.services import add_division, update_competition
from league.play.results.services import confirm_result, void_result
from league.play.rounds.services import close_round, set_visibility
from league.ranking.stages.services import add_stage
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from players.models import Player
from tests.factories import Club, as_seen, club, signed_in, user
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A
SECRET = (77_700, 22_300, 11_100, 8_900)  # 92.7, −2.7, −33.9, −56.1: on no other sheet


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record(SHEET)
    return made


def text(response) -> str:
    """Return the words of the main part, white space folded."""
    body = response.content.decode().split("<main")[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def player_address(made: Club, index: int = 0) -> str:
    return f"/c/{made.slug}/players/{made.competition.entrants.get(player=made.players[index]).pk}/"


# --- on the wall


def test_the_wall_shows_the_published_standings_of_each_division_in_turn(spring, client):
    rules, competition = spring.division.rule_set, spring.competition
    spring.division = add_division(competition=competition, name="B", rules=rules, by=spring.alice)
    spring.stage = spring.division.stages.get()
    spring.add_players(4)
    competition.entrants.filter(player__in=spring.players[8:]).update(division=spring.division)
    hidden = spring.add_round(visibility=Round.Visibility.HIDDEN)
    spring.record(SECRET)
    pages = [f"/c/spring/standings/screen/?page={number}" for number in (1, 2)]

    before = [text(signed_in(spring.alice).get(page)) for page in pages]
    set_visibility(round_=hidden, visibility="results", by=spring.alice)
    after = [text(client.get(page)) for page in pages]

    assert "Main" in before[0]
    assert before[1] == before[0]  # of one page
    assert "1 Player 9 +92.7" in after[1]
    assert after[0] != after[1]


# --- rules that do not sum to zero


def test_every_page_with_scores_says_that_the_rules_do_not_sum_to_zero(client, db):
    here = club("odd", overrides={"oka": 0, "unbalanced": True})
    here.add_round()
    here.record(SHEET)
    division, stage = here.division.slug, here.stage.slug
    pages = [
        *("/c/odd/", f"/c/odd/rounds/{here.rounds[0].pk}/", player_address(here), "/c/odd/rules/"),
        reverse("standings:overall", args=["odd", division]),
        reverse("standings:rankings", args=["odd", division, stage]),
        reverse("standings:screen", args=["odd"]),
        f"/rules/c:odd:{division}/summary/",
    ]

    note = "table scores sum to −20.0, not 0.0"
    assert [page for page in pages if note not in text(client.get(page))] == []


# --- who may see what


def test_parts_of_another_competition_are_not_found(spring, client):
    other = club("autumn")
    other.add_round()
    entrant = other.competition.entrants.first()
    round_ = other.rounds[0]
    assert client.get(f"/c/autumn/rounds/{round_.pk}/").status_code == 200

    assert client.get(f"/c/spring/rounds/{round_.pk}/").status_code == 404
    assert client.get(f"/c/spring/players/{entrant.pk}/").status_code == 404
    assert client.get("/c/spring/standings/main/no-such/").status_code == 404
    assert client.get("/c/spring/standings/no-such/regular-season/").status_code == 404


def test_an_odd_query_shows_the_standings_as_they_are(spring, client):
    """`test_bad_input` sends such queries to every page, and finds errors alone."""
    odd = (
        *("sort=%00", "sort=-", "sort=total&sort=games", "sort=-total%27%20OR%201=1", "view=x"),
        *("page=0", "page=-1", "page=1e9", "page=" + "9" * 5000, "%F0%28%8C%28=1", "_=\U0001f004"),
    )

    assert [query for query in odd if client.get(f"/c/spring/?{query}").status_code != 200] == []


def test_pages_only_read(spring):
    alice = signed_in(spring.alice)
    own = ["/", *(f"/c/spring/{page}" for page in ("", "rounds/", "players/", "rules/", "revision/"))]
    own += [f"/c/spring/rounds/{spring.rounds[0].pk}/", player_address(spring)]
    own += [reverse("standings:stage", args=["spring", spring.division.slug, spring.stage.slug])]
    assert {alice.post(address).status_code for address in own} == {405}
    assert alice.head("/c/spring/").status_code == 200


# --- what is not published


def test_staff_can_look_as_the_public_does(spring):
    hidden = spring.add_round(visibility="hidden")
    spring.record(SECRET, round_number=2)
    charlie = signed_in(spring.charlie)
    assert "+152.7" in text(charlie.get("/c/spring/"))

    assert "+60.0" in text(charlie.get("/c/spring/?view=public"))
    assert "+152.7" not in text(charlie.get("/c/spring/?view=public"))
    assert "Round 2" not in text(charlie.get("/c/spring/rounds/?view=public"))
    assert "77,700" not in text(charlie.get(player_address(spring) + "?view=public"))
    assert charlie.get(f"/c/spring/rounds/{hidden.pk}/?view=public").status_code == 404


def test_only_staff_read_how_much_is_not_published(spring, client):
    spring.add_round(visibility="hidden")
    spring.record(SECRET, round_number=2)

    assert "1 round with results is not published yet" in text(signed_in(spring.charlie).get("/c/spring/"))
    assert "not published" not in text(client.get("/c/spring/"))
    assert "not published" not in text(signed_in(spring.dora).get("/c/spring/"))


def test_a_published_seating_shows_seats_and_says_that_results_follow(spring, client):
    round_ = spring.add_round(visibility="seating")
    spring.record(SECRET, round_number=2)

    page = text(client.get(f"/c/spring/rounds/{round_.pk}/"))

    assert "The seating is published. Results follow." in page
    assert [name for name in ("陳大文", "Ngô Bảo") if name not in page] == []
    assert "no result yet" in text(client.get(player_address(spring)))
    assert "2 tables seated" in text(client.get("/c/spring/rounds/"))


# --- the front page


def test_a_visitor_reads_what_this_is_and_sees_public_competitions(spring, client):
    update_competition(
        competition=club("autumn").competition, values={"visibility": "private"}, by=spring.alice
    )

    page = text(client.get("/"))

    assert (
        "Rule sets, rounds, score sheets and penalties, with the score breakdown behind every total" in page
    )
    assert "League spring Club spring · Season · 8 players" in page
    assert "autumn" not in page
    assert "Sign in" in page
    assert "New competition" not in page


def test_a_competition_of_the_front_page_names_who_leads_it(spring, client):
    assert re.search(r"League spring .* 8 players 1 陳大文 \+60\.0", text(client.get("/")))
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-700, reason="late", by=spring.bob)
    assert "1 陳大文" not in text(client.get("/"))


def test_an_empty_front_page_says_what_to_do(db, client, settings):
    settings.NEW_COMPETITIONS = settings.EVERYONE
    Competition.objects.update(visibility="private")
    assert "No public competitions yet" in text(client.get("/"))
    page = text(signed_in(user("eve")).get("/"))
    assert "No competitions yet Create the first one" in page


def test_people_see_their_own_competitions_first_with_role_and_what_waits(spring):
    club("autumn")
    spring.add_round()
    spring.record(SHEET, round_number=2)
    spring.record(SHEET, round_number=2, number=2)

    scorer = text(signed_in(spring.charlie).get("/"))
    own = scorer.split("Your competitions")[1].split("Other competitions")[0]
    assert "League spring" in own
    assert "scorer" in own
    assert "Regular season, round 1: 1 of 2 tables entered" in own
    assert "close" not in own
    assert "autumn" not in own

    owner = text(signed_in(spring.alice).get("/"))
    assert "Regular season, round 1: 1 of 2 tables entered 1 round has all results and can be closed" in owner
    player = text(signed_in(spring.dora).get("/"))
    assert "tables entered" not in player


def test_the_front_page_shows_players_their_next_table(spring):
    spring.add_round()
    assert "Your next table" not in text(signed_in(spring.dora).get("/")).split("Competitions")[0]
    Role.objects.filter(user=spring.dora).update(player=spring.players[1])

    shown = text(signed_in(spring.dora).get("/"))

    assert "Round 2 League spring · Regular season" in shown
    assert "Table 1 南 South 東 陳大文 西 王美麗 北 張志強" in shown


def test_the_front_page_has_pages(db, client):
    league = club("first").league
    Competition.objects.bulk_create(
        Competition(league=league, slug=f"c{n}", name=f"Competition {n:02}") for n in range(30)
    )
    shown = text(client.get("/"))
    assert shown.count("Club first") == 20
    assert text(client.get("/?page=2")).count("Club first") == 11
    assert text(client.get("/?page=999")).count("Club first") == 11
    assert text(client.get("/?page=%00")) == shown


@pytest.mark.parametrize("person", [None, "alice"])
def test_the_front_page_takes_as_many_queries_for_three_competitions_as_for_one(
    db, django_assert_max_num_queries, django_assert_num_queries, person
):
    made = club("one")
    made.add_round()
    client = signed_in(made.alice) if person else Client()
    client.get("/")  # what was played is ranked once
    with django_assert_max_num_queries(16) as first:
        client.get("/")
    for slug in ("two", "three"):
        other = club(slug)
        other.add_round()
        Role.objects.create(competition=other.competition, user=made.alice, kind="scorer")
    with django_assert_num_queries(len(first)):
        assert text(client.get("/")).count("League t") >= 2


# --- standings


def test_the_standings_show_the_newest_stage_with_results(spring, client):
    add_stage(division=spring.division, name="Final", by=spring.alice)
    add_division(competition=spring.competition, name="B", preset_slug="mleague", by=spring.alice)

    page = text(client.get("/c/spring/"))

    assert "Main 1 table counted" in page
    assert "Main B Regular season Final" in page
    assert "1 陳大文 +60.0 1 1.00 1 1 45,000" in page
    assert page.index("No game yet") < page.index("– Dora 0.0 0 – –")
    assert text(client.get("/c/spring/standings/main/regular-season/")) == page


def test_standings_without_players_or_results_say_so(db, client):
    assert "No players yet" in text(client.get(f"/c/{club('empty', players=0).slug}/"))
    made = club("started")
    page = text(client.get("/c/started/"))
    assert "8 players" in page
    assert "No results yet Players: Main · Regular season Player Dora Émile Ngô Bảo 山田太郎" in page
    organizer = signed_in(club("mine", players=0).alice).get("/c/mine/")
    assert reverse("roster:index", args=["mine"]) in organizer.content.decode()
    assert made.competition.pk


def test_the_rank_says_how_it_changed_with_the_last_round(spring, client):
    assert "↑" not in text(client.get("/c/spring/"))  # it began with this round
    spring.add_round()
    spring.record((15_000, 45_000, 25_000, 35_000), round_number=2)

    page = client.get("/c/spring/").content.decode()

    ranks = {
        name: re.sub(r"<[^>]+>", "", moved)
        for moved, name in re.findall(r'<span class="moved[^>]*>(.*?)</td><th[^>]*><a[^>]*>([^<]+)', page)
    }
    assert ranks["李小明"] == "↑1up 1 rank since the last round"
    assert ranks["陳大文"] == "↓1down 1 rank since the last round"
    japanese = client.get("/c/spring/", headers={"Accept-Language": "ja"})
    assert "since the last round" not in japanese.content.decode()


def test_a_first_game_gains_no_ranks(spring, client):
    spring.add_round()
    spring.record(SHEET, round_number=2, number=2)

    page = client.get("/c/spring/").content.decode()

    assert "moved-down" in page
    assert "moved-up" not in page


def test_a_long_table_finds_a_player_by_part_of_the_name(spring, client):
    spring.add_players(30)
    found = text(client.get("/c/spring/?q=émi"))
    assert "Émile" in found
    assert "陳大文" not in found
    assert "No player found for “&lt;b&gt;”." in text(client.get("/c/spring/?q=<b>"))
    assert "Émile" in text(client.get("/c/spring/players/?q=EMILE"))


def test_the_table_of_the_standings_has_a_name(spring, client):
    page = client.get("/c/spring/").content.decode()
    assert '<caption class="visually-hidden">Standings: Main · Regular season</caption>' in page


def test_visitors_are_asked_who_they_are_and_staff_are_not(spring, client):
    assert "Do you play here?" in text(client.get("/c/spring/"))
    assert "Do you play here?" not in text(signed_in(spring.charlie).get("/c/spring/"))
    assert "This is me" in text(client.get(player_address(spring)))
    Role.objects.filter(user=spring.dora).update(player=spring.players[0])
    dora = signed_in(spring.dora)
    assert "My seat" in text(dora.get(player_address(spring)))
    assert "This is me" not in text(dora.get(player_address(spring, 1)))


def test_an_organizer_without_division_is_not_shown_an_error(spring, client):
    spring.competition.divisions.all().delete()
    for page in ("", "rules/", "rounds/", "players/"):
        assert client.get(f"/c/spring/{page}").status_code == 200
    assert client.get(player_address(spring)).status_code == 200


def test_penalties_have_their_own_column(spring, client):
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob)
    assert "1 陳大文 +58.0 +60.0 −2.0 1" in text(client.get("/c/spring/"))


def test_results_that_need_a_second_person_say_so(spring, client):
    update_competition(competition=spring.competition, values={"counting": "confirmed"}, by=spring.alice)
    page = text(client.get("/c/spring/"))
    assert "Results count after a second person has confirmed them." in page
    assert "No results yet" in page
    confirm_result(**as_seen(spring.table()), by=spring.bob)
    assert "1 table counted" in text(client.get("/c/spring/"))


# --- rounds


def test_rounds_are_listed_with_date_and_progress(spring, client):
    Round.objects.filter(pk=spring.rounds[0].pk).update(date=date(2026, 10, 4))
    assert "Round 1 4 Oct 2026 1 of 2 tables entered open" in text(client.get("/c/spring/rounds/"))

    close_round(round_=spring.rounds[0], by=spring.alice)
    set_visibility(round_=spring.rounds[0], visibility="hidden", by=spring.alice)
    assert "No rounds published yet" in text(client.get("/c/spring/rounds/"))
    assert "1 of 2 tables entered closed hidden" in text(signed_in(spring.charlie).get("/c/spring/rounds/"))


def test_a_round_shows_every_table_with_seats_points_place_and_score(spring, client):
    page = text(client.get(f"/c/spring/rounds/{spring.rounds[0].pk}/"))

    assert "東 陳大文 45,000 1 +60.0 南 李小明 35,000 2 +10.0 西 王美麗 25,000 3 −20.0" in page
    assert "Table 2 no result yet" in page
    assert "東 Dora 南 山田太郎 西 Émile 北 Ngô Bảo" in page


def test_a_round_shows_its_penalties_and_strikes_out_what_was_revoked(spring, client):
    options = {
        "stage": spring.stage,
        "player_id": spring.players[0].pk,
        "by": spring.bob,
        "round_": spring.rounds[0],
    }
    log_penalty(score=-20, infraction="A-II", level="2", **options)
    revoke_penalty(
        penalty=log_penalty(score=-250, reason="chombo", **options), reason="valid hand", by=spring.bob
    )

    page = client.get(f"/c/spring/rounds/{spring.rounds[0].pk}/")

    assert re.search(r"−2\.0 陳大文 A-II \S.* level 2", text(page))
    assert "revoked: valid hand" in text(page)
    assert page.content.decode().count("struck") == 1


def test_rounds_of_a_stage_lead_to_each_other_past_hidden_ones(spring, client):
    spring.add_round(visibility="hidden")
    third = spring.add_round()

    page = client.get(f"/c/spring/rounds/{spring.rounds[0].pk}/").content.decode()

    assert f'rel="next" href="/c/spring/rounds/{third.pk}/"' in page
    assert "Round 2" not in page


def test_a_void_result_is_shown_as_such(spring, client):
    void_result(**as_seen(spring.table()), reason="wrong walls", by=spring.alice)
    page = client.get(f"/c/spring/rounds/{spring.rounds[0].pk}/")
    assert "Table 1 void" in text(page)
    assert "0 of 2 tables entered" in text(page)


# --- players


def test_the_list_of_players_leads_to_each(spring, client):
    page = client.get("/c/spring/players/")
    assert "8 players" in text(page)
    leads_to = set(re.findall(r'href="(/c/spring/players/[0-9]+/)"', page.content.decode()))
    assert leads_to == {player_address(spring, index) for index in range(8)}
    assert "No players yet" in text(client.get(f"/c/{club('empty', players=0).slug}/players/"))


def test_a_player_page_explains_the_total(spring, client):
    spring.add_round()
    spring.record(SHEET[::-1], round_number=2)
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob)

    page = client.get(player_address(spring))

    assert "Rank 2 of 8 Total +8.0 Games 2 Average place 2.50" in text(page)
    assert "Best score +60.0 Worst score −50.0" in text(page)
    assert "%" not in text(page).split("Score breakdown")[0]  # too few games for rates
    assert (
        "Penalty: late Without it: rank =1 −2.0 +8.0 Round 2, table 1 4 −50.0 +10.0 15,000 −30.0 東"
        in text(page)
    )
    assert "Round 1, table 1 1 +60.0 +60.0 45,000 +50.0 東 南 李小明 35,000" in text(page)
    svg = re.search(r"<svg class=\"chart-svg\".*?</svg>", page.content.decode(), re.DOTALL)
    assert svg
    assert "<title" in svg[0]
    assert "style=" not in page.content.decode()


def test_a_player_who_has_not_played_has_a_page(spring, client):
    page = text(client.get(player_address(spring, 7)))
    assert "Ngô Bảo" in page
    assert "Rank unranked: no game Total 0.0 Games 0" in page


# --- rules


def test_the_rules_name_their_source_and_mark_what_the_organizer_changed(db, client):
    club("changed", overrides={"open_tanyao": False})

    page = text(client.get("/c/changed/rules/"))

    assert "HKMA league, division A (April 2025)" in page
    assert "1 setting changed by the organizer" in page
    assert re.search(r"Open tanyao \(kuitan\) no [^.]+\. organizer’s own in the source: yes", page)
    assert "Starting points 30,000 Each player’s points at the start of a game. 簡則 設定 §4a" in page
    assert "The source contradicts itself in 7 places" in page


def test_a_contradiction_is_shown_with_both_readings_and_the_one_that_is_followed(db, client):
    club("plain")
    page = text(client.get("/c/plain/rules/"))
    assert "甲乙組順位點同為+50/+10/▲10/▲30 簡則 設定 §5 followed" in page
    assert "甲組順位點數:第一名+45000" in page

    club("other", overrides={"kiriage_mangan": False})
    page = text(client.get("/c/other/rules/"))
    assert "4飜30符及3飜60符的得點按公式計算 點數授受法 §9 followed" in page
    assert "The organizer has chosen differently" not in page

    club("neither", overrides={"uma": [20, 10, -10, -20]})
    page = text(client.get("/c/neither/rules/"))
    assert "The organizer has chosen differently: see below." in page


def test_a_chosen_text_is_followed_and_shows_its_date(db, client):
    made = club("chosen")
    rule_set = made.division.rule_set
    about = ["composite_yakuman"]
    place = "點數授受法 §4"
    rule_set.values["composite_yakuman"] = False
    rule_set.readings = [
        {"settings": about, "chosen": 2, "place": place, "by": None, "at": "2026-04-05T10:00:00+00:00"}
    ]
    rule_set.save()

    page = text(client.get("/c/chosen/rules/"))

    assert f"{place} followed" in page
    assert "Chosen by the organizer on 5 Apr 2026." in page


def test_a_copy_older_than_a_setting_says_that_it_does_not_hold_it(db, client):
    made = club("old")
    rule_set = made.division.rule_set
    del rule_set.values["redeal_tiles"]
    rule_set.save()

    page = text(client.get("/c/old/rules/"))

    assert "unchanged" in page
    assert "not in this copy the copy is older than this setting (in the source: 20)" in page


def test_every_division_leads_to_its_summary_its_score_table_and_a_comparison_with_its_source(db, client):
    club("plain")
    page = client.get("/c/plain/rules/").content.decode()
    links = set(re.findall(r'href="(/rules/[^"#]+)"', page))
    key = "c:plain:main"
    assert links == {
        f"/rules/{key}/summary/",
        f"/rules/{key}/scores/",
        f"/rules/compare/?set=hkma-a-2025-04&amp;set={key}",
    }
    for link in links:
        answer = client.get(link.replace("&amp;", "&"))
        assert answer.status_code == 200
        assert "League plain" in answer.content.decode()


def test_no_two_parts_of_a_page_of_rules_share_an_address(db, client):
    made = club("two")
    add_division(competition=made.competition, name="Uma", preset_slug="mleague", by=made.alice)
    ids = re.findall(r' id="([^"]*)"', client.get("/c/two/rules/").content.decode())
    assert len(ids) > 100
    assert len(ids) == len(set(ids))


NOTES = {  # of a setting, of one that Umaoka chose, of a contradiction
    "en": ("Below zero, not at zero.", "Not applicable: ties are broken by seat.", "5,500 became 6, not 5."),
    "zh-hant": ("點數為負時，零點不算。", "不適用：同點按座位分先後。", "5,500成為6而不是5。"),
    "zh-hans": ("点数为负时，零点不算。", "不适用：同点按座位分先后。", "5,500成为6而不是5。"),
    "ja": ("0点ちょうどは終わらない。", "起こらない。同点は席順で決まる。", "5,500は5ではなく6になった。"),
}


@pytest.mark.parametrize("language", NOTES)
def test_the_notes_of_a_rule_set_are_in_the_reader_s_language(db, client, language):
    club("online", preset="tenhou")

    page = text(client.get("/c/online/rules/", headers={"accept-language": language}))

    found = {each for each, notes in NOTES.items() if any(note in page for note in notes)}
    assert [note for note in NOTES[language] if note not in page] == []
    assert found == {language}


def test_another_document_than_the_rule_set_s_own_is_named_before_the_article(db, client):
    club("pro", preset="mleague")

    page = text(client.get("/c/pro/rules/"))

    said = "Mリーグのルール, https://majannavi.com/archives/55, リーチ. Riichi with fewer than 1000 points"
    assert f"麻雀ナビ, {said}" in page
    assert re.search(
        r"\+10\.0 / −10\.0 / −30\.0 [^.]+\. 順位点\. The place points \+50/\+10/−10/−30 include the oka", page
    )


def test_rules_of_a_preset_that_no_longer_exists_are_still_shown(spring, client):
    rule_set = spring.division.rule_set
    rule_set.preset = "hkma-a-1999"
    rule_set.save()

    page = text(client.get("/c/spring/rules/"))

    assert "These values were copied from" in page
    assert "Starting points 30,000" in page


# --- queries


@pytest.mark.with_extra("registration")
@pytest.mark.parametrize("players", [4, 12])
def test_the_standings_page_takes_eleven_queries_at_any_size(db, client, django_assert_num_queries, players):
    made = club("summer", players=players)
    made.add_round()
    for number in range(1, players // 4 + 1):
        made.record(SHEET, number=number)
    assert len(made.players) == players

    with django_assert_num_queries(11):
        page = client.get("/c/summer/")

    assert text(page).count("45,000") == players // 4


@pytest.mark.parametrize("page", ["rounds/", "players/", "rules/", "round", "player"])
def test_lists_take_as_many_queries_for_three_as_for_one(db, client, page):
    counts = []
    for slug, many in (("one", 1), ("three", 3)):
        made = club(slug, players=4 * many)
        for number in range(1, many + 1):
            made.add_round()
            made.record(SHEET, round_number=number)
            log_penalty(
                stage=made.stage,
                player_id=made.players[0].pk,
                score=-20,
                reason="late",
                by=made.bob,
                round_=made.rounds[-1],
            )
        address = {
            "round": f"rounds/{made.rounds[-1].pk}/",
            "player": player_address(made).removeprefix(f"/c/{slug}/"),
        }.get(page, page)
        counts.append(queries_of(client, f"/c/{slug}/{address}"))
    assert counts[0] == counts[1] <= 14


# --- refused


def test_a_visitor_who_is_refused_may_sign_in_and_come_back(spring, client):
    answer = client.get("/c/spring/manage/?a=1")
    assert (answer.status_code, answer["Location"]) == (
        302,
        "/accounts/login/?next=/c/spring/manage/%3Fa%3D1",
    )


def test_a_person_without_the_role_reads_why(spring):
    answer = signed_in(spring.dora).get("/c/spring/manage/")
    assert answer.status_code == 403
    assert "Your account has no role for this page" in text(answer)


def test_after_a_refused_post_sign_in_leads_to_the_page_that_sent_it(spring, client):
    options = {"headers": {"referer": "http://testserver/c/spring/rounds/?page=2"}}
    sent = client.post(f"/c/spring/rounds/{spring.rounds[0].pk}/enter/", **options)
    assert (sent.status_code, sent["Location"]) == (302, "/accounts/login/?next=/c/spring/rounds/%3Fpage%3D2")

    elsewhere = {"headers": {"referer": "https://evil.example/c/spring/"}}
    sent = client.post(f"/c/spring/rounds/{spring.rounds[0].pk}/enter/", **elsewhere)
    assert sent["Location"] == "/accounts/login/?next=/"


def test_a_refused_part_of_a_page_sends_the_whole_page_to_sign_in(spring, client):
    headers = {"HX-Request": "true", "Referer": "http://testserver/c/spring/"}
    answer = client.get("/c/spring/manage/", headers=headers)
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/accounts/login/?next=/c/spring/")


def test_entrants_keep_their_page_when_they_withdraw(spring, client):
    Entrant.objects.filter(player=spring.players[7]).update(withdrawn_at="2026-10-01T00:00Z")
    assert "withdrawn" in text(client.get(player_address(spring, 7)))
    assert "withdrawn" in text(client.get("/c/spring/players/"))
    assert Player.objects.count() == 8
