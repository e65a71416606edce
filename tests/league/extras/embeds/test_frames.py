"""Framed pages: what they show, and that they neither read nor set anything of the person who looks."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.models import Competition, Round, Stage
from league.organizing.competitions.services import update_competition
from tests.factories import Club, club, signed_in

pytestmark = pytest.mark.django_db

FIRST, SECOND = (45_000, 35_000, 25_000, 15_000), (15_000, 25_000, 35_000, 45_000)


@pytest.fixture
def spring() -> Club:
    made = club()
    made.add_round()
    made.record(FIRST)
    made.record(SECOND, number=2)
    return made


def get(name: str, *arguments: object, client: Client | None = None, **options):
    headers = options.pop("headers", None)
    return (client or Client()).get(reverse(f"embeds:{name}", args=arguments), options, headers=headers)


def text_of(*arguments: object, **options) -> str:
    response = get(*arguments, **options)
    assert response.status_code == 200
    return response.content.decode()


def test_standings_show_so_many_rows_and_how_many_follow(spring):
    text = text_of("standings", spring.slug, rows=3)
    assert text.count('scope="row"') == 3
    assert "5 more" in text
    assert text_of("standings", spring.slug).count('scope="row"') == 8
    assert text_of("stage", spring.slug, spring.division.slug, spring.stage.slug, rows="x") == text_of(
        "stage", spring.slug, spring.division.slug, spring.stage.slug
    )


def test_standings_before_a_result_say_so():
    assert "No results yet" in text_of("standings", club().slug)


def test_standings_of_teams_list_teams(spring):
    Competition.objects.filter(pk=spring.competition.pk).update(team_play="line_ups")
    assert "No results yet" in text_of("standings", spring.slug)


def test_a_stage_without_rounds_and_a_competition_without_stages_do_not_fail(spring):
    Stage.objects.create(division=spring.division, slug="final", name="Final", position=2)
    assert "No results yet" in text_of("stage", spring.slug, spring.division.slug, "final")
    assert get("stage", spring.slug, spring.division.slug, "nowhere").status_code == 404
    empty = club("empty")
    Stage.objects.filter(division=empty.division).delete()
    assert "No results yet" in text_of("standings", "empty")


def test_tables_show_the_round_that_is_on_and_no_hidden_one(spring):
    spring.add_round(visibility=Round.Visibility.SEATING)
    spring.add_round(visibility=Round.Visibility.HIDDEN)
    text = text_of("tables", spring.slug, rows=3)
    assert "Round 1" in text
    assert "Round 2" in text
    assert "Round 3" not in text
    assert text.count("<h3>") == 3
    assert "1 more table" in text


def test_a_player_has_rank_total_and_the_last_games(spring):
    entrant = spring.competition.entrants.get(player=spring.players[0])
    spring.add_round()
    spring.record(SECOND, round_number=2)
    text = text_of("player", spring.slug, entrant.pk, rows=1)
    assert text.count('scope="row"') == 1
    assert spring.players[0].name in text
    other = club("autumn")
    there = other.competition.entrants.first()
    assert get("player", spring.slug, there.pk).status_code == 404
    assert "No games yet" in text_of("player", "autumn", there.pk)


def test_every_link_opens_a_new_tab_without_telling_who_opened_it(spring):
    entrant = spring.competition.entrants.first()
    for arguments in (("standings",), ("tables",), ("player", entrant.pk)):
        text = text_of(arguments[0], spring.slug, *arguments[1:], rows=1)
        assert text.count("<a ") == text.count('target="_blank" rel="noopener"') > 0


def test_it_reads_no_cookie_and_sets_none(spring):
    """What staff see, a language that was chosen, and a session that ended would all come from a cookie."""
    spring.add_round(visibility=Round.Visibility.HIDDEN)
    visitor = text_of("tables", spring.slug)
    alice = signed_in(spring.alice)
    alice.cookies[settings.LANGUAGE_COOKIE_NAME] = "ja"
    response = get("tables", spring.slug, client=alice)
    assert response.content.decode() == visitor
    assert not response.cookies
    assert {name.strip() for name in response["Vary"].split(",")} == {
        *("Accept-Language", "Accept-Encoding", "HX-Request"),
    }


def test_only_framed_pages_allow_frames(spring):
    framed, usual = get("standings", spring.slug), get("feed", spring.slug)
    refused = get("standings", "nowhere")
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    for response in (usual, refused):
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"


def test_the_address_chooses_language_and_theme(spring):
    text = text_of("standings", spring.slug, language="zh-hant", theme="dark")
    assert 'lang="zh-HK"' in text or 'lang="zh-Hant' in text
    assert 'data-bs-theme="dark"' in text
    german = get("standings", spring.slug, language="de", theme="pink", headers={"accept-language": "ja"})
    assert german["Content-Language"] == "ja"
    assert 'data-theme="auto"' in german.content.decode()


def test_it_is_made_once_per_revision(spring):
    first = get("standings", spring.slug)
    assert get("standings", spring.slug, headers={"if-none-match": first["ETag"]}).status_code == 304
    spring.add_round()
    spring.record(FIRST, round_number=2)
    after = get("standings", spring.slug, headers={"if-none-match": first["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != first["ETag"]


def test_a_private_competition_is_framed_for_no_one(spring):
    update_competition(competition=spring.competition, values={"visibility": "private"}, by=spring.alice)
    for client in (Client(), signed_in(spring.alice)):
        assert get("standings", spring.slug, client=client).status_code == 404


def test_the_page_for_sites_offers_the_code_as_text(spring):
    entrant = spring.competition.entrants.get(player=spring.players[4])
    alice = signed_in(spring.alice)
    text = text_of("site", spring.slug, client=alice, show=f"players/{entrant.pk}", theme="dark", rows=3)
    path = f"/c/spring/embed/players/{entrant.pk}/?theme=dark&amp;rows=3"
    assert f'src="{path}"' in text
    assert f"&lt;iframe src=&quot;http://testserver{path.replace('&', '&amp;')}&quot;" in text
    assert "/static/js/embed.js&quot; async" in text or '/static/js/embed.js" async' in text
    refused = text_of("site", spring.slug, client=alice, show="players/0", theme="auto", rows=101)
    assert "<iframe" not in refused
    assert refused.count("is-invalid") == 2
    assert "&lt;iframe" in text_of("site", spring.slug, client=alice)
