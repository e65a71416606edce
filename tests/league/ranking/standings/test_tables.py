"""Tables of the public pages: columns, order, marks, and escaped text."""

import re
from fractions import Fraction

import pytest
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone, translation

from league.models import Division, Entrant
from league.people.members.queries import PlayerInfo
from league.ranking.standings.columns import places_bar
from league.ranking.standings.queries.standings import StandingsRow
from league.ranking.standings.tables import CutBorder, PlayersTable, StandingsTable
from players.models import Club, Player
from scoring.standings import Row


def info(number: int, name: str = "", **more: str) -> PlayerInfo:
    facts = {"romanized": "", "country": "", "club": ""} | more
    return PlayerInfo(
        entrant=number, player=number + 100, key=f"p{number}", name=name or f"Name {number}", **facts
    )


def entrant(number: int, division: str, *, club: str = "", **more: object) -> Entrant:
    names = {"name": more.pop("name", f"Name {number}"), "romanized": more.pop("romanized", "")}
    player = Player(pk=number + 100, club=Club(name=club) if club else None, **names)
    division = Division(pk=ord(division[0]), name=division)
    return Entrant(pk=number, key=f"p{number}", player=player, division=division, **more)


def row(number: int, total: int = 0, *, of: PlayerInfo | None = None, **more: object) -> StandingsRow:
    facts = {
        "rank": number,
        "tied": False,
        "games": 2,
        "score": total,
        "penalty": 0,
        "carried": 0,
        "total": total,
        "places": (1, 0, 0, 1),
        "place_sum": 5,
        "best_points": 40_000,
        "last": ((1, 600), (4, -500)),
        "decided_by": None,
    }
    return StandingsRow(Row(player=number + 100, **(facts | more)), of or info(number))


def asked(**query: str) -> HttpRequest:
    return RequestFactory().get("/c/spring/", query)


def table(rows: list[StandingsRow], sort: str = "", page: str = "", **options: object) -> StandingsTable:
    return StandingsTable(rows, request=asked(sort=sort, page=page), slug="spring", **options)


def players(entrants: list[Entrant]) -> PlayersTable:
    return PlayersTable(entrants, request=asked(), slug="spring")


def html(made, query: str = "") -> str:
    return made.as_html(RequestFactory().get(f"/c/spring/?{query}"))


def names(made) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*><a [^>]*>([^<]*)</a>', html(made))


def cells(markup: str) -> list[str]:
    """The text of every cell of the body, without markup."""
    body = markup.split("<tbody>")[1].split("</tbody>")[0]
    found = re.findall(r"<(?:td|th)\b[^>]*>(.*?)</(?:td|th)>", body, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in found]


def headings(markup: str) -> list[str]:
    head = markup.split("<thead")[1].split("</thead>")[0]
    return [
        " ".join(re.sub(r"<[^>]+>", " ", th).split())
        for th in re.findall(r"<th\b(.*?)</th>", head, re.DOTALL)
    ]


def test_a_row_shows_rank_name_total_games_places_average_best_and_last():
    made = table([row(1, 100, penalty=-20, score=120)])

    assert cells(html(made)) == [
        "1", "Name 1", "+10.0", "+12.0", "−2.0", "2", "2.50", "11", "14", "40,000",
    ]  # fmt: skip


def test_headings_are_in_the_order_in_which_a_phone_shows_them():
    found = html(table([row(1, of=info(1, club="HKMA"), carried=10, score=-10)]))

    labels = [heading.split(">")[-1].strip() for heading in headings(found)]

    assert labels == [
        "Rank", "Player", "Total", "Score", "Carried over", "Games", "Avg. place", "Places 1 to 4",
        "Latest games", "Best", "Club",
    ]  # fmt: skip


def test_empty_columns_are_left_out():
    found = html(table([row(1)]))
    assert "Carried over" not in found
    assert "Club" not in found


def test_a_player_without_a_game_shows_dashes_instead_of_zeros():
    empty = row(1, places=(0, 0, 0, 0), place_sum=0, games=0, best_points=None, last=())

    played = row(2, penalty=-20, score=20)

    assert cells(html(table([empty, played])))[:10] == [
        "1", "Name 1", "0.0", "0.0", "", "0", "–", "", "", "–",
    ]  # fmt: skip


def test_a_shared_rank_says_so():
    found = html(table([row(1, rank=4, tied=True), row(2, rank=4, tied=True)]))
    assert found.count('title="tied rank">=4</td>') == 2


def test_the_first_three_who_have_played_have_a_medal():
    rows = [row(number) for number in range(1, 5)]

    assert re.findall(r"medal medal-(\d)", html(table(rows))) == ["1", "2", "3"]
    assert "medal" not in html(table([row(1, games=0)]))


def test_each_place_is_a_length_of_the_bar_with_its_number():
    bar = places_bar((6, 3, 0, 1), "Places")

    assert re.findall(r'width="(\d+)%"', bar) == ["60", "30", "0", "10"]
    assert re.findall(r"<text[^>]*>(\d+)<", bar) == ["6", "3", "1"]
    assert 'aria-label="Places: 6 3 0 1"' in bar


def test_a_line_marks_where_a_cut_ends_and_how_far_it_is():
    rows = [row(1, 300), row(2, 200), row(3, 175)]

    made = table(rows, cut=CutBorder("Final", {101, 102}))

    assert made.borders == {103: "Cut to Final · 2.5 apart"}
    assert cells(html(made)).count("Cut to Final · 2.5 apart") == 1


def test_a_cut_that_did_not_follow_the_ranks_has_no_line():
    rows = [row(1, 300), row(2, 200), row(3, 175)]
    assert table(rows, cut=CutBorder("Final", {101, 103})).borders == {}


def test_the_row_and_a_note_below_the_table_name_the_tie_break_that_decided():
    rows = [row(1, 100), row(2, 100, decided_by="average_place"), row(3, 90), row(4, 90, decided_by="firsts")]

    made = table(rows)
    found = html(made)

    assert [sign for sign, _ in made.notes] == ["*", "†"]
    assert found.count('<sup class="tie-mark"') == 2
    assert found.count("Total equal to the rank above") == 4  # two titles, two notes
    assert "Total equal to the rank above" in made.notes[0][1]


def test_names_are_text_and_never_markup():
    mean = info(1, "<script>alert(1)</script>", romanized='"><b>', country="<i", club="<u>")
    gone = {"withdrawn_at": timezone.now(), "name": mean.name, "romanized": mean.romanized}
    listed = entrant(1, "<em>", club=mean.club, **gone)
    for made in (table([row(1, of=mean)]), players([listed, entrant(2, "B")])):
        found = html(made)
        assert "alert(1)" in found
        assert re.search(r"<(script|b|i|u|em)\b(?! class=\"place)", found) is None


def test_a_name_leads_to_its_player():
    assert '<a href="/c/spring/players/7/">Name 7</a>' in html(table([row(7)]))


@pytest.mark.parametrize(("language", "shown"), [("en", True), ("zh-hant", False), ("ja", False)])
def test_a_romanized_name_is_for_readers_of_other_scripts(language, shown):
    with translation.override(language):
        assert (
            "Chan Tai Man" in html(table([row(1, of=info(1, "陳大文", romanized="Chan Tai Man"))]))
        ) is shown


# --- order

ROWS = [
    row(1, 100, of=info(1, "b"), games=1, best_points=30_000),
    row(2, 50, of=info(2, "C"), games=3, best_points=None, places=(0, 0, 0, 0), place_sum=0),
    row(3, -10, of=info(3, "a"), games=3, best_points=50_000),
]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("", ["b", "C", "a"]),
        ("rank", ["b", "C", "a"]),
        ("-rank", ["a", "C", "b"]),
        ("player", ["a", "b", "C"]),
        ("total", ["a", "C", "b"]),
        ("-games", ["C", "a", "b"]),  # equal ones keep the order of the ranking
        ("best_points", ["b", "a", "C"]),  # a player without a best comes last …
        ("-best_points", ["a", "b", "C"]),  # … both ways
        ("last", ["b", "C", "a"]),  # cannot be sorted
        ("password", ["b", "C", "a"]),
        ("-", ["b", "C", "a"]),
        ("rank,player", ["b", "C", "a"]),
        ("\x00", ["b", "C", "a"]),
    ],
)
def test_only_columns_sort(sort, order):
    assert names(table(ROWS, sort=sort)) == order


def test_every_sort_of_the_whitelist_works():
    assert {"total", "-total", "player", "-club"} < StandingsTable.sorts()
    for sort in StandingsTable.sorts():
        assert sorted(names(table(ROWS, sort=sort))) == ["C", "a", "b"]


def test_the_first_click_on_a_total_puts_the_best_on_top():
    found = html(table(ROWS))
    assert 'href="?sort=-total"' in found
    assert 'href="?sort=player"' in found
    assert 'aria-sort="descending"' in html(table(ROWS, sort="-total"), "sort=-total")


def test_sort_links_keep_the_rest_of_the_address_and_begin_with_the_first_page():
    found = html(table(ROWS, sort="games"), "sort=games&view=public&page=2")

    assert found.count("aria-sort") == 1
    assert 'aria-sort="ascending"' in found
    assert 'href="?sort=-games&amp;view=public"' in found


def test_a_column_without_an_order_has_no_link():
    found = html(table(ROWS))

    assert "Latest games" in found
    assert "sort=last" not in found
    assert "aria-sort" not in found


# --- pages


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "first"), [("1", "Name 1"), ("2", "Name 251"), ("99", "Name 1001"), ("x", "Name 1")]
)
def test_very_long_tables_have_pages(page, first):
    made = table([row(number) for number in range(1, 1005)], page=page)
    assert names(made)[0] == first


def test_an_empty_table_has_no_rows():
    assert names(table([])) == []


def test_fractions_are_shown_with_one_decimal():
    assert "+17.0" in html(table([row(1, Fraction(510, 3))]))
    assert "+3.3" in html(table([row(1, Fraction(100, 3))]))


def test_the_list_of_players_leaves_out_empty_columns():
    plain = [entrant(1, "A"), entrant(2, "A")]
    assert cells(html(players(plain))) == ["Name 1", "Name 2"]

    full = [entrant(1, "A", club="HKMA"), entrant(2, "B", withdrawn_at=timezone.now())]
    assert cells(html(players(full))) == [
        "Name 1",
        "HKMA",
        "A",
        "",
        "Name 2",
        "",
        "B",
        "withdrawn",
    ]
