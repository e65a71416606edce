"""Lists to print, pages for the wall, "where do I sit?": who sees what, and that nothing hidden is said."""

import html
import io
import re
from ctypes.util import find_library
from datetime import UTC, datetime

import openpyxl
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.core.door import round_code, short_code, shown_code
from league.core.pdf import lay_out
from league.models import Entrant, Role, Round, Seat, SittingOut, Stage
from league.organizing.competitions.services import update_competition
from league.organizing.interchange.exports.workbook import write_workbook
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.rounds.services import close_round, open_round, seat_players, set_visibility
from league.play.substitutions.services.substitutions import add_adjustment, substitute_player
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

HERE = "/c/spring/seat/"
PDF_NEEDS = pytest.mark.skipif(find_library("pangoft2-1.0") is None, reason="needs libpango")
PAPER_CLASSES = ("paper-sheet", "paper paper-cards", "paper-seats", "seating-tables", "seating-names")


@module_fixture
def spring() -> Club:
    """Nine players, so the last one sits out. The seating of round 1, which is open, is published."""
    made = club("spring", players=9, kind="event")
    made.add_round(visibility=Round.Visibility.SEATING)
    return made


def text(response) -> str:
    """Return the visible text, with white space folded."""
    body = response.content.decode().split("<main")[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", body.split(">", 1)[1]).split())


def entrant(made: Club, index: int) -> Entrant:
    return made.competition.entrants.get(player=made.players[index])


def seating_address(made: Club, round_number: int = 1) -> str:
    return f"/c/{made.slug}/rounds/{made.rounds[round_number - 1].pk}/seating/"


# --- a round on paper


def test_a_round_is_listed_by_table(spring, client):
    shown = text(client.get(seating_address(spring)))

    assert "Table 1 東 陳大文 南 李小明 西 王美麗 北 張志強 Table 2 東 Dora 南 山田太郎" in shown
    assert "Sitting out: Player 9" in shown


def test_a_round_is_listed_by_name_and_romanized_names_are_sorted_as_read(spring, client):
    spring.players[0].romanized = "Chan Tai Man"
    spring.players[0].save()

    in_english = text(client.get(f"{seating_address(spring)}?by=name"))
    client.cookies["django_language"] = "zh-hant"
    in_chinese = text(client.get(f"{seating_address(spring)}?by=name"))

    assert "陳大文 Chan Tai Man 1 東 Dora 2 東 Émile 2 西 Ngô Bảo 2 北 山田太郎 2 南" in in_english
    assert "Dora 2 東 Émile 2 西 Ngô Bảo 2 北 山田太郎 2 南" in in_chinese
    assert in_chinese.index("張志強") < in_chinese.index("陳大文")  # by radical and strokes: 弓 before 阜


def test_a_printed_list_has_the_way_to_where_do_i_sit(spring, client):
    page = client.get(seating_address(spring)).content.decode()
    assert '<svg viewBox="0 0 ' in page
    assert 'class="code"' in page
    assert "testserver/c/spring/seat/" in page


@pytest.mark.parametrize("page", ["seating", "screen"])
def test_a_hidden_round_is_listed_for_staff_alone(spring, page):
    hidden = spring.add_round(visibility=Round.Visibility.HIDDEN)
    address = f"/c/spring/rounds/{hidden.pk}/{page}/"

    assert "陳大文" in text(signed_in(spring.charlie).get(address))
    assert {c.get(address).status_code for c in (Client(), signed_in(spring.dora))} == {404}


def test_staff_can_look_at_a_list_as_the_public_does(spring):
    hidden = spring.add_round(visibility=Round.Visibility.HIDDEN)
    assert (
        signed_in(spring.alice).get(f"/c/spring/rounds/{hidden.pk}/seating/?view=public").status_code == 404
    )


def test_a_round_without_tables_says_so(spring, client):
    empty = Round.objects.create(stage=spring.stage, number=7, visibility=Round.Visibility.SEATING)
    assert "No seating yet" in text(client.get(f"/c/spring/rounds/{empty.pk}/seating/"))


def test_the_rounds_and_the_organizers_page_lead_to_the_lists(spring):
    round_ = spring.rounds[0]
    assert seating_address(spring) in Client().get(f"/c/spring/rounds/{round_.pk}/").content.decode()
    assert 'href="/c/spring/screen/"' in Client().get("/c/spring/rounds/").content.decode()
    manage = signed_in(spring.alice).get("/c/spring/manage/").content.decode()
    assert seating_address(spring) in manage
    assert f"/c/spring/rounds/{round_.pk}/screen/" in manage


# --- on the wall


def big(made: Club) -> Round:
    """Ten tables: two screens by table, two by name."""
    made.add_players(40 - len(made.players))
    return made.add_round(visibility=Round.Visibility.SEATING)


def test_the_wall_turns_its_pages_by_itself(spring, client):
    close_round(round_=spring.rounds[0], by=spring.alice)
    big(spring)

    first, second = (client.get(f"/c/spring/screen/?page={n}").content.decode() for n in (1, 2))

    assert 'hx-get="/c/spring/screen/?page=2" ' in " ".join(first.split())
    assert '<a href="/c/spring/screen/?page=2" rel="next">' in first  # without script
    assert 'hx-get="/c/spring/screen/?page=1" ' in " ".join(second.split())
    assert "Table 9" in first
    assert "Table 10" not in first
    assert "Table 10" in second


def test_the_wall_shows_names_too(spring, client):
    close_round(round_=spring.rounds[0], by=spring.alice)
    big(spring)

    page = client.get("/c/spring/screen/?by=name&page=2").content.decode()

    assert 'hx-get="/c/spring/screen/?page=1&amp;by=name" ' in " ".join(page.split())
    assert page.count("seating-who") == 10


def test_the_wall_shows_every_round_that_is_open_and_nothing_hidden(spring, client):
    spring.add_round(visibility=Round.Visibility.HIDDEN)
    shown = text(client.get("/c/spring/screen/?page=2"))
    assert "Round 1" in shown  # there is but one page
    assert text(signed_in(spring.alice).get("/c/spring/screen/?page=2")) == shown

    set_visibility(round_=spring.rounds[1], visibility="seating", by=spring.alice)
    assert "Round 2" in text(client.get("/c/spring/screen/?page=2"))


def test_before_anything_is_published_the_wall_waits(db, client):
    made = club("summer")
    assert "No seating published yet" in text(client.get("/c/summer/screen/"))
    made.add_round(visibility=Round.Visibility.SEATING)
    assert "陳大文" in text(client.get("/c/summer/screen/"))


# --- on a phone


@pytest.mark.parametrize("typed", ["陳大", "大文", "CHAN", "tai man", "taiman", "ｃｈａｎ", "  chan  "])
def test_a_player_is_found_by_part_of_the_name_in_any_script(spring, client, typed):
    spring.players[0].romanized = "Chan Tai Man"
    spring.players[0].save()

    shown = text(client.get(HERE, {"q": typed}))

    assert "陳大文 Chan Tai Man Table 1 東 Round 1" in shown
    assert "李小明" not in shown


def test_accents_need_not_be_typed(spring, client):
    assert "Ngô Bảo Table 2 北 Round 1" in text(client.get(HERE, {"q": "ngo bao"}))


@pytest.mark.parametrize("typed", ["o’neill", "O'NEILL", "oneill", "o‘neill müller", "oneill mueller"])
def test_a_name_is_found_as_a_phone_types_it(spring, client, typed):
    spring.players[0].name = "O'Neill-Müller"
    spring.players[0].save()

    assert "O'Neill-Müller Table 1" in html.unescape(text(client.get(HERE, {"q": typed})))


@pytest.mark.parametrize(
    ("countries", "clubs", "labels"),
    [
        (("DE", "HK"), ("Kiel", "Kiel"), ("DE", "HK")),
        (("DE", "DE"), ("Kiel", "Bonn"), ("Kiel", "Bonn")),
        (("DE", ""), ("Kiel", "Bonn"), ("Kiel", "Bonn")),
        (("DE", ""), ("Kiel", ""), ()),
    ],
)
def test_two_of_one_name_are_distinguished_wherever_they_sit(spring, client, countries, clubs, labels):
    for player, country, name in zip(spring.players[:2], countries, clubs, strict=True):
        player.name, player.country = "陳大文", country
        player.club = (name and player.register.clubs.get_or_create(name=name)[0]) or None
        player.save()
    labels = labels or tuple(spring.competition.entrants.order_by("pk").values_list("key", flat=True)[:2])
    round_ = spring.rounds[0].pk

    pages = [seating_address(spring), f"{seating_address(spring)}?by=name", "/c/spring/screen/"]
    pages += [f"{HERE}?q=陳大文", f"/c/spring/rounds/{round_}/"]
    shown = [text(client.get(page)) for page in pages]

    first, second = spring.competition.entrants.order_by("pk").values_list("pk", flat=True)[:2]
    for entrant, label in ((first, labels[0]), (second, labels[1])):
        assert f"Find my seat 陳大文 ({label})" in text(client.get(f"{HERE}?player={entrant}"))
    for page in shown:
        assert all(f"陳大文 ({label})" in page for label in labels)
    assert not any(re.search(r"Ngô Bảo \(|王美麗 \(", page) for page in shown)


def test_a_search_for_an_unknown_name_says_so(spring, client):
    assert "No player found for “nobody <b>”." in text(client.get(HERE, {"q": "nobody <b>"})).replace(
        "&lt;", "<"
    ).replace("&gt;", ">")


def test_a_player_reads_the_seat_the_others_and_the_rounds_after(spring, client):
    spring.add_round(opened=False, visibility=Round.Visibility.SEATING)

    shown = text(client.get(HERE, {"player": entrant(spring, 1).pk}))

    one = "Table 1 南 South 東 陳大文 西 王美麗 北 張志強"
    assert f"Round 1 {one} Round 2 {one}" in shown


def test_a_round_that_is_over_gives_way_to_the_next_one(spring, client):
    address = f"{HERE}?player={entrant(spring, 1).pk}"
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert "Round 1" in text(client.get(address))  # the newest there is

    spring.add_round(opened=False, visibility=Round.Visibility.SEATING)

    shown = text(client.get(address))
    assert "Round 2" in shown
    assert "Round 1" not in shown


def test_the_page_says_who_sits_out(spring, client):
    shown = text(client.get(HERE, {"player": entrant(spring, 8).pk}))
    assert "You sit out this round." in shown
    assert "Player 9 sits out" in text(client.get(HERE, {"q": "player 9"}))


def test_in_a_season_only_players_recorded_as_sitting_out_are_named(spring, client):
    """Not every player comes to each round of a season."""
    update_competition(competition=spring.competition, values={"kind": "season"}, by=spring.alice)
    SittingOut.objects.all().delete()  # as it was seated by hand in a tournament
    assert "You have no seat in the published rounds" in text(
        client.get(HERE, {"player": entrant(spring, 8).pk})
    )
    assert "Sitting out" not in text(client.get(seating_address(spring)))

    add_adjustment(
        stage=spring.stage,
        round_=spring.rounds[0],
        entrant=entrant(spring, 8),
        kind="sat_out",
        score=0,
        reason="nine players",
        by=spring.alice,
    )

    assert "You sit out this round." in text(client.get(HERE, {"player": entrant(spring, 8).pk}))
    assert "Sitting out: Player 9" in text(client.get(seating_address(spring)))


def test_the_page_says_who_is_absent_and_who_substitutes(spring, client):
    seat = Seat.objects.get(round=spring.rounds[0], player=spring.players[1])
    substitute_player(
        seat=seat, substitute=spring.players[8].pk, late=False, score=0, reason="ill", by=spring.alice
    )

    absent = text(client.get(HERE, {"player": entrant(spring, 1).pk}))
    substitute = text(client.get(HERE, {"player": entrant(spring, 8).pk}))

    assert "You do not play this round. Player 9 sits for you at table 1." in absent
    assert "Table 1 南 South You sit for 李小明." in substitute
    assert "Table 1: Player 9 sits for 李小明." in text(client.get(seating_address(spring)))
    client.post(HERE, {"player": entrant(spring, 8).pk})
    assert "You sit for 李小明." in client.get(f"{HERE}next/").content.decode()


def test_the_page_says_who_has_withdrawn(spring, client):
    withdraw_entrant(entrant=entrant(spring, 8), by=spring.alice)
    assert "You have withdrawn, so you have no seat" in text(
        client.get(HERE, {"player": entrant(spring, 8).pk})
    )


def test_the_time_of_a_table_is_shown_in_the_competitions_time_zone(spring, client):
    table = spring.table()
    table.meets_at = datetime(2026, 11, 21, 11, 30, tzinfo=UTC)
    table.save()
    shown = text(client.get(HERE, {"player": entrant(spring, 0).pk}))
    assert "You meet on 21 Nov 2026, 19:30 (Hong Kong)." in shown


def test_hidden_rounds_are_not_shown_here_even_to_staff(spring):
    hidden = spring.add_round(visibility=Round.Visibility.HIDDEN)
    seat_players(round_=hidden, tables={7: [p.pk for p in spring.players[:4]]}, by=spring.alice)
    address = f"{HERE}?player={entrant(spring, 0).pk}"

    for reader in (Client(), signed_in(spring.dora), signed_in(spring.alice)):
        shown = text(reader.get(address))
        assert "Table 1" in shown
        assert "Table 7" not in shown
        assert "Round 2" not in shown
        assert "Table 7" not in text(reader.get(HERE, {"q": "大文"}))


def test_who_sits_out_of_a_final_is_not_said_while_its_cut_would_tell_results(spring, client):
    spring.record((45000, 35000, 25000, 15000))
    five = [player.pk for player in spring.players[:5]]
    final = Stage.objects.create(
        division=spring.division, slug="final", name="Final", position=2, cut={"from": spring.stage.pk}
    )
    for position, player in enumerate(five, start=1):
        final.qualified.create(player_id=player, position=position)
    round_ = Round.objects.create(stage=final, number=1, visibility=Round.Visibility.SEATING)
    seat_players(round_=round_, tables={1: five[:4]}, by=spring.alice)
    close_round(round_=spring.rounds[0], by=spring.alice)
    address = f"/c/spring/rounds/{round_.pk}/seating/"
    assert "Sitting out: Dora" in text(signed_in(spring.alice).get(address))

    assert "Sitting out" not in text(client.get(address))
    assert "Dora" not in text(client.get(address))

    set_visibility(round_=spring.rounds[0], visibility="results", by=spring.alice)
    assert "Sitting out: Dora" in text(client.get(address))


def test_a_phone_remembers_whom_it_chose_and_forgets(spring):
    phone = Client()
    number = entrant(spring, 3).pk

    chosen = phone.post(HERE, {"player": number})

    assert (chosen.status_code, chosen.url) == (302, f"{HERE}?player={number}")
    again = phone.get(HERE)
    assert (again.status_code, again.url) == (302, f"{HERE}?player={number}")
    assert "This phone remembers you" in text(phone.get(again.url))
    assert phone.get(f"{HERE}?q=").status_code == 200  # someone else can be looked for

    phone.post(HERE, {})
    assert phone.get(HERE).status_code == 200
    assert "This is me" in text(phone.get(f"{HERE}?player={number}"))


def test_the_cookie_goes_to_this_page_alone(spring, client, settings):
    client.post(HERE, {"player": entrant(spring, 3).pk})
    cookie = client.cookies["seat"]
    kept = {name: cookie[name] for name in ("path", "httponly", "samesite")}
    assert kept == {"path": HERE, "httponly": True, "samesite": "Lax"}


def test_the_standings_bring_their_own_line_to_a_phone_that_remembers_a_player(spring, client):
    number = entrant(spring, 3).pk
    client.post(HERE, {"player": number})

    own = client.get(f"{HERE}row/")
    shown = " ".join(re.sub(r"<[^>]+>", " ", own.content.decode()).split())

    assert shown == "– 張志強 · you 0.0 Next: round 1, table 1, North"
    assert f'href="/c/spring/players/{number}/"' in own.content.decode()
    assert "no-store" in own["Cache-Control"]


@pytest.mark.parametrize("page", ["row", "next"])
def test_other_phones_get_nothing_of_their_own(spring, client, page):
    own = client.get(f"{HERE}{page}/")
    assert (own.status_code, own.content) == (204, b"")


def test_the_front_page_gets_the_next_table_of_a_phone_that_remembers_a_player(spring, client):
    client.post(HERE, {"player": entrant(spring, 3).pk})
    shown = " ".join(re.sub(r"<[^>]+>", " ", client.get(f"{HERE}next/").content.decode()).split())
    assert shown.startswith("Round 1 League spring Table 1")
    assert "Table 1 北 North 東 陳大文 南 李小明 西 王美麗" in shown

    spring.record((45000, 35000, 25000, 15000))
    assert client.get(f"{HERE}next/").status_code == 204


def test_the_seat_page_knows_the_player_of_an_account(spring):
    Role.objects.filter(user=spring.dora).update(player=spring.players[2])
    number = entrant(spring, 2).pk
    reader = signed_in(spring.dora)
    reader.post(HERE, {"player": entrant(spring, 3).pk})  # an account is proved, a phone only claims

    assert reader.get(HERE).url == f"{HERE}?player={number}"
    shown = text(reader.get(f"{HERE}?player={number}"))
    assert "Your account is linked to this player." in shown
    assert "Forget me" not in shown
    assert reader.get(f"{HERE}row/").status_code == 200


def test_the_page_of_standings_is_the_same_for_a_phone_that_remembers_a_player(spring, client):
    phone = Client()
    phone.post(HERE, {"player": entrant(spring, 3).pk})

    pages = [each.get("/c/spring/").content for each in (phone, client)]

    assert pages[0] == pages[1]


@pytest.mark.parametrize("kept", ["x", "-1", "9" * 30, "²", "999999"])
def test_a_cookie_that_names_no_player_is_ignored(spring, client, kept):
    client.cookies["seat"] = kept
    assert client.get(HERE).status_code == 200


@pytest.mark.parametrize("visibility", ["seating", "results"])
def test_a_player_reads_that_a_result_was_entered_only_where_results_are_published(
    spring, client, visibility
):
    set_visibility(round_=spring.rounds[0], visibility=visibility, by=spring.alice)
    spring.record((45_000, 35_000, 25_000, 15_000))

    client.post(HERE, {"player": entrant(spring, 0).pk})

    assert ("result entered" in text(client.get(HERE, follow=True))) == (visibility == "results")


def test_a_player_of_another_competition_is_not_found(spring, client):
    there = club("autumn")
    number = entrant(there, 0).pk
    assert client.get(HERE, {"player": number}).status_code == 404
    assert client.post(HERE, {"player": number}).status_code == 404
    client.cookies["seat"] = str(number)
    assert client.get(HERE).status_code == 200


def test_a_remembered_page_is_answered_304_until_something_changes(spring, client):
    address = f"{HERE}?player={entrant(spring, 0).pk}"
    client.get(address)  # sets the cookie that forms need
    tag = client.get(address)["ETag"]

    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    client.post(HERE, {"player": entrant(spring, 0).pk})
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_the_pages_only_read(spring, client):
    pages = [seating_address(spring), "/c/spring/screen/", f"/c/spring/rounds/{spring.rounds[0].pk}/screen/"]
    assert [client.post(page).status_code for page in pages] == [405, 405, 405]
    assert client.put(HERE).status_code == 405


def test_a_form_of_another_site_is_refused(spring):
    assert Client(enforce_csrf_checks=True).post(HERE, {"player": "1"}).status_code == 403


def test_a_private_competition_does_not_exist_for_strangers(db):
    made = club("private", visibility="private")
    round_ = made.add_round(visibility=Round.Visibility.SEATING)
    pages = ["/c/private/seat/", "/c/private/screen/", f"/c/private/rounds/{round_.pk}/seating/"]

    assert [signed_in(made.dora).get(page).status_code for page in pages] == [200, 200, 200]
    for stranger in (Client(), signed_in(user("mallory"))):
        assert [stranger.get(page).status_code for page in pages] == [404, 404, 404]


def test_the_pages_take_the_same_number_of_queries_for_two_tables_and_for_ten(spring, client):
    def queries() -> list[int]:
        round_ = spring.rounds[-1]
        pages = [f"/c/spring/rounds/{round_.pk}/seating/", "/c/spring/screen/", f"{HERE}?q=a", HERE]
        pages.append(f"{HERE}?player={entrant(spring, 0).pk}")
        counts = []
        for page in pages:
            with CaptureQueriesContext(connection) as found:
                assert client.get(page).status_code == 200
            counts.append(len(found))
        return counts

    few = queries()
    big(spring)
    open_round(round_=spring.rounds[-1], by=spring.alice)

    assert queries() == few
    assert max(few) <= 9


# --- in the workbook


def seating_rows(made: Club, *, public: bool) -> list[tuple[object, ...]]:
    stream = io.BytesIO()
    write_workbook(made.competition, stream, public=public, language="en")
    return list(openpyxl.load_workbook(stream)["Seating"].iter_rows(values_only=True))


def test_two_of_one_name_are_distinguished_in_the_workbook(spring):
    for player, country in zip(spring.players[:2], ("DE", "HK"), strict=True):
        player.name, player.country = "陳大文", country
        player.save()
    seat = Seat.objects.get(round=spring.rounds[0], player=spring.players[2])
    substitute_player(
        seat=seat, substitute=spring.players[8].pk, late=False, score=0, reason="ill", by=spring.alice
    )

    (_head, (*_round, east, south, west, north), *_others) = seating_rows(spring, public=True)

    assert (east, south) == ("陳大文 (DE)", "陳大文 (HK)")
    assert (west, north) == ("Player 9 for 王美麗", "張志強")


def test_the_workbook_has_the_published_seating_of_each_round(spring):
    seat = Seat.objects.get(round=spring.rounds[0], player=spring.players[1])
    substitute_player(
        seat=seat, substitute=spring.players[8].pk, late=False, score=0, reason="ill", by=spring.alice
    )
    spring.add_round(visibility=Round.Visibility.HIDDEN)

    head = ("Division", "Stage", "Round", "Date", "Table", "East", "South", "West", "North")
    first = [
        ("Main", "Main event", 1, None, 1, "陳大文", "Player 9 for 李小明", "王美麗", "張志強"),
        ("Main", "Main event", 1, None, 2, "Dora", "山田太郎", "Émile", "Ngô Bảo"),
    ]
    assert seating_rows(spring, public=True) == [head, *first]
    second = [
        ("Main", "Main event", 2, None, 1, "陳大文", "李小明", "王美麗", "張志強"),
        ("Main", "Main event", 2, None, 2, "Dora", "山田太郎", "Émile", "Ngô Bảo"),
    ]
    assert seating_rows(spring, public=False) == [head, *first, *second]


# --- sheets, cards and lists in one file


def papers_address(made: Club, end: str = "/") -> str:
    return f"/c/{made.slug}/rounds/{made.rounds[0].pk}/papers{end}"


def test_the_papers_of_a_round_are_chosen_and_names_are_text(spring):
    spring.players[0].name = "<b>=1+1"
    spring.players[0].save()
    scorer = signed_in(spring.charlie)

    usual = scorer.get(papers_address(spring)).content.decode()
    cards = scorer.get(f"{papers_address(spring)}?paper=cards&paper=nothing").content.decode()

    assert [usual.count(f'class="{name}') for name in PAPER_CLASSES] == [2, 0, 0, 1, 0]
    assert [cards.count(f'class="{name}') for name in PAPER_CLASSES] == [0, 1, 0, 0, 0]
    assert "&lt;b&gt;=1+1" in cards
    assert "<b>=" not in cards


def test_badges_are_printed_before_the_players_are_seated(spring):
    empty = Round.objects.create(stage=spring.stage, number=7)

    shown = text(signed_in(spring.charlie).get(f"/c/spring/rounds/{empty.pk}/papers/"))

    assert shown.count("League spring") == 9
    assert "Table" not in shown


def test_a_card_names_the_next_rounds_only_if_they_are_published(spring):
    spring.add_round(visibility=Round.Visibility.HIDDEN)
    spring.add_round(visibility=Round.Visibility.SEATING)

    shown = text(signed_in(spring.charlie).get(f"{papers_address(spring)}?paper=cards"))

    assert "Round 3:" in shown
    assert "Round 2" not in shown


def test_the_grid_on_paper_has_this_round_and_the_published_ones(spring):
    spring.add_round(visibility=Round.Visibility.HIDDEN)
    spring.add_round(visibility=Round.Visibility.SEATING)

    shown = text(signed_in(spring.charlie).get(f"{papers_address(spring)}?paper=grid"))

    assert "Player 1 Round 1 3 Round 3 Dora 2 東 2 東" in shown


@PDF_NEEDS
@pytest.mark.parametrize(
    ("paper", "first"),
    [
        (
            "sheets",
            "Table 1 {code} · {round} League spring Round 1 Player Points Penalties Signature",
        ),
        ("cards", "Dora Table 2 東 Round 1 · League spring Émile"),
        ("tables", "Table 1 {code} · {round} League spring Round 1 東 陳大文"),
        ("badges", "League spring Dora League spring Émile League spring Ngô Bảo League spring Player 9"),
        (
            "list",
            "{round} Find my seat testserver/c/spring/seat/ League spring Round 1 Table 1 陳大文",
        ),
        (
            "names",
            "{round} Find my seat testserver/c/spring/seat/ League spring Round 1 Dora",
        ),
        ("grid", "League spring Player 1 Dora 2 東"),
    ],
)
def test_a_file_begins_with_its_first_paper(spring, paper, first):
    html = signed_in(spring.charlie).get(f"{papers_address(spring)}?paper={paper}").content.decode()

    pages = lay_out(
        html, "http://testserver/", "http://testserver/static/", [settings.STATICFILES_DIRS[0]]
    ).pages

    code, digits = shown_code(short_code(spring.division, 1)), round_code(spring.table().round)
    texts = [box.text for box in pages[0]._page_box.descendants() if hasattr(box, "text")]
    assert " ".join(" ".join(texts).split()).startswith(
        first.format(code=code, round=f"Code of this round {digits}")
    )
    assert len(pages) == 1


@pytest.mark.slow
@PDF_NEEDS
def test_the_papers_come_as_one_file_made_once(spring):
    address = f"{papers_address(spring, '.pdf')}?paper=tables"

    first, second = (signed_in(spring.alice).get(address) for _ in range(2))

    assert first.content.startswith(b"%PDF-")
    assert "spring-main-event-1.pdf" in first["Content-Disposition"]
    assert second.content == first.content


def test_a_machine_without_the_library_offers_the_print_page(spring, tmp_path, monkeypatch):
    (tmp_path / "weasyprint.py").write_text("raise OSError")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    answer = signed_in(spring.alice).get(f"{papers_address(spring, '.pdf')}?paper=cards", follow=True)

    assert answer.redirect_chain == [(f"{papers_address(spring)}?paper=cards", 302)]
    assert "because libpango is missing. Print with your browser instead." in text(answer)
