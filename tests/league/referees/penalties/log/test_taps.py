"""The taps without script: seat, offence, what is left to choose, each a page."""

import pytest

from league.models import Penalty
from tests.league.referees.penalties.log.requests import address, at_table, entrant, log, plain, tapped

pytestmark = pytest.mark.django_db


def test_each_tap_is_a_page_and_leads_to_the_next(spring, bob):
    seats = bob.get(at_table(spring))
    assert seats.context["step"] == "seat"
    assert [seat.player for seat in seats.context["seats"]] == spring.players[:4]

    offences = bob.get(seats.context["seats"][1].address)
    assert (offences.context["step"], offences.context["player"]) == ("offence", spring.players[1])
    items = [item for _heading, items in offences.context["groups"] for item in items]
    assert len(items) == 39

    first = next(item for item in items if item.code == "A-I")
    confirm = bob.get(first.address)
    assert (confirm.context["step"], confirm.context["player"]) == ("confirm", spring.players[1])
    assert "A-I Drawing before one’s turn" in plain(confirm)
    assert "Level 2: deduction of 2" in plain(confirm)


def test_a_player_away_from_any_table_has_the_same_taps(spring, bob):
    url = address(spring, f"?player={entrant(spring)}&stage={spring.stage.pk}")

    page = bob.get(url)
    confirm = bob.get(page.context["groups"][0][1][0].address)
    answer = bob.post(url, tapped(spring, "A-I", deal=""))

    assert (page.context["step"], confirm.context["step"]) == ("offence", "confirm")
    assert page.context["confirm"]["deals"] == []
    assert answer.status_code == 302
    penalty = Penalty.objects.get()
    assert (penalty.stage, penalty.round, penalty.table, penalty.hand) == (spring.stage, None, None, "")


@pytest.mark.parametrize(
    ("typed", "language", "codes"),
    [
        ("A-II", "en", ["A-II", "A-III"]),
        ("aii", "zh-hant", ["A-II", "A-III"]),
        ("a2", "ja", ["A-II"]),
        ("u-1c", "zh-hans", ["U-1c"]),
        ("先摸牌", "en", ["A-I"]),
        ("先摸牌", "ja", ["A-I"]),
        ("Ｄｒａｗｉｎｇ before", "zh-hant", ["A-I", "A-IV"]),  # "corrected before looking", after the name
        ("kuikae", "zh-hans", ["A-VI"]),
        ("EMPTY win", "ja", ["C-II", "T-8"]),
        ("no such thing", "en", []),
    ],
)
def test_an_offence_is_found_by_code_or_name_in_any_language(spring, bob, typed, language, codes):
    query = {"table": spring.table().pk, "player": entrant(spring), "q": typed}
    page = bob.get(address(spring), query, headers={"accept-language": language})

    assert [i.code for _heading, items in page.context["groups"] for i in items] == codes


@pytest.mark.slow
def test_offences_in_use_come_first_and_fold_the_rest_of_the_book(spring, bob):
    def shown() -> tuple[list[str], bool]:
        page = bob.get(at_table(spring, more=f"&player={entrant(spring)}"))
        return [item.code for item in page.context["usual"]], page.context["folded"]

    assert shown() == ([], False)
    for code in ("A-VII", "A-I", "A-VII", "C-II"):
        log(spring, code)
    assert shown() == (["A-VII", "A-I", "C-II"], False)
    log(spring, "D-II")
    assert shown() == (["A-VII", "A-I", "C-II", "D-II"], True)


@pytest.mark.parametrize(
    ("language", "category", "offence", "level"),
    [
        ("zh-hant", "行牌類犯規", "相公", "3級處分：和了禁止"),
        ("zh-hans", "行牌类犯规", "相公（多牌、少牌）", "3级处罚：禁止和牌"),
        ("ja", "打牌中の反則", "多牌・少牌", "3級：アガリ放棄"),
    ],
)
def test_the_book_is_in_the_referee_s_language(spring, bob, language, category, offence, level):
    url = at_table(spring, more=f"&player={entrant(spring)}&offence=A-X")
    page = bob.get(url, headers={"accept-language": language}).content.decode()

    assert [words for words in (category, offence, level) if words not in page] == []
    assert "Wrong number of tiles" not in page
