"""oEmbed answers for addresses of this host, and for nothing else."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Round
from league.organizing.competitions.services import update_competition
from tests.factories import Club, club, signed_in

pytestmark = pytest.mark.django_db

OURS = "http://testserver/c/spring/"


@pytest.fixture
def spring() -> Club:
    made = club()
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    return made


def ask(url: str, client: Client | None = None, **query: object):
    return (client or Client()).get(reverse("embeds:oembed"), {"url": url} | query)


def test_public_pages_name_their_answer_and_its_frame_is_one_of_ours(spring):
    entrant = spring.competition.entrants.first()
    stage = f"{spring.division.slug}/{spring.stage.slug}"
    pages = {
        "": "embed/standings/",
        f"standings/{stage}/": f"embed/standings/{stage}/",
        f"players/{entrant.pk}/": f"embed/players/{entrant.pk}/",
        "rounds/": "embed/tables/",
    }
    for page, framed in pages.items():
        text = Client().get(OURS + page).content.decode()
        found = re.search(r'type="application/json\+oembed" href="([^"]+)"', text)
        assert found is not None
        assert parse_qs(urlsplit(found[1]).query) == {"url": [OURS + page]}
        answer = Client().get(found[1].replace("&amp;", "&")).json()
        assert (answer["version"], answer["type"]) == ("1.0", "rich")
        assert f'src="{OURS}{framed}"' in answer["html"]
        assert Client().get(OURS + framed).status_code == 200
    assert "oembed" not in Client().get(OURS + "penalties/").content.decode()


def test_it_keeps_to_the_asked_size_with_as_many_rows_as_fit(spring):
    answer = ask(OURS, maxwidth=320, maxheight=300).json()
    assert (answer["width"], answer["height"]) == (320, 300)
    assert 'width="320" height="300"' in answer["html"]
    assert "rows=4" in answer["html"]
    assert ask(OURS, maxheight=1).json()["height"] == 1
    usual = ask(OURS, maxwidth=5000, maxheight="x").json()
    assert usual["width"] == 600
    assert "rows" not in usual["html"]


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/c/spring/",
        "http://testserver@evil.example/c/spring/",
        "http://testserver.evil.example/c/spring/",
        "//testserver/c/spring/",
        "ftp://testserver/c/spring/",
        "http://[/c/spring/",
        "http://testserver/c/nowhere/",
        "http://testserver/c/spring/manage/",
        "http://testserver/c/spring/players/999999/",
        "http://testserver/c/spring/standings/no/such/",
        "http://testserver/admin/",
        "\x00",
        "",
    ],
)
def test_other_addresses_have_no_answer(url, spring):
    assert ask(url).status_code == 404


def test_a_request_without_an_address_or_for_xml_is_refused(spring):
    assert Client().get(reverse("embeds:oembed")).status_code == 400
    assert ask(OURS, format="xml").status_code == 501
    assert ask(OURS, format="json").status_code == 200
    assert Client().post(reverse("embeds:oembed")).status_code == 405


def test_private_pages_have_no_answer_not_even_for_their_organizer(spring):
    update_competition(competition=spring.competition, values={"visibility": "private"}, by=spring.alice)
    for client in (Client(), signed_in(spring.alice)):
        assert ask(OURS, client).status_code == 404


def test_titles_are_text_whatever_things_are_called(spring):
    spring.competition.name = '"><script>alert(1)</script>'
    spring.competition.save()
    answer = ask(OURS).json()
    assert "<script>" in answer["title"]
    assert "<script>" not in answer["html"]
    assert answer["html"].count("<iframe") == 1


def test_the_answer_is_revalidated_by_the_revision(spring):
    first = ask(OURS)
    again = Client().get(reverse("embeds:oembed"), {"url": OURS}, headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    assert first["Access-Control-Allow-Origin"] == "*"
    spring.add_round(visibility=Round.Visibility.RESULTS)
    assert ask(OURS)["ETag"] != first["ETag"]
