"""In which book a penalty is read: the division's, or the published one that has what it names."""

import pytest

from league.rules.penalty_rules.words.rulings import PenaltyRules, level_name
from scoring.infractions import catalogue, extended
from tests.league.rules.penalty_rules.entries import SMOKING

HKMA, EMA, WRC, SAIKOUISEN, TNT, GUIDE = (
    PenaltyRules(catalogue(slug))
    for slug in ("hkma-2025", "ema-2025", "wrc-2025", "saikouisen", "tnt", "guide")
)
NONE = PenaltyRules(None)
HOUSE = PenaltyRules(extended("hkma-2025", [SMOKING], slug="house", names={"en": "House"}))


def read(book: PenaltyRules, infraction: str, level: str) -> tuple[str, str, str, bool]:
    found = book.wording(infraction, level)
    return (
        found.offence(infraction),
        found.article(infraction),
        level_name(level, found),
        found.expels(level),
    )


@pytest.mark.parametrize("book", [HKMA, EMA, WRC, SAIKOUISEN, TNT, GUIDE, HOUSE])
def test_a_book_reads_its_own_entries(book):
    for code, entry in book.catalogue.infractions.items():
        for variant in entry.variants:
            assert book.wording(code, ", ".join(variant.levels)) is book


@pytest.mark.parametrize("book", [EMA, SAIKOUISEN, NONE])
def test_what_the_book_lacks_is_read_in_the_book_that_has_it(book):
    assert read(book, "A-II", "4") == read(HKMA, "A-II", "4")
    assert read(book, "U-1c", "6") == read(HKMA, "U-1c", "6")
    assert read(book, "U-1c", "6")[3] is True
    assert read(book, "", "6")[3] is True
    assert read(HKMA, "6.4.1", "dead")[2] == "Dead hand"


def test_other_books_read_an_entry_of_a_leagues_own_by_its_level():
    """Without the league's own rules, show the bare code and the book's meaning of the level."""
    assert read(HOUSE, "H-1", "2")[0] == "H-1 Smoking at the table"
    assert read(EMA, "H-1", "2") == ("H-1", "", "level 2", False)
    assert read(EMA, "H-1", "6")[3] is True


def test_the_level_decides_between_two_books_that_use_one_code():
    """Code 3 is swap-calling in one book, and showing a tile in another."""
    win_ban = read(SAIKOUISEN, "3", "houki")
    assert win_ban[0] != read(TNT, "3", "payment")[0]
    assert read(TNT, "3", "houki") == read(NONE, "3", "houki") == win_ban


def test_no_book_is_guessed_for_a_code_that_means_several_things():
    assert NONE.wording("1", "") is NONE
    assert NONE.wording("1", "payment") is NONE
    assert read(NONE, "1", "") == ("1", "", "", False)


@pytest.mark.parametrize("names", [("", ""), ("no-such", ""), ("", "no-such"), ("no-such", "no, such")])
def test_what_no_book_has_is_read_in_the_division_s_own(names):
    assert EMA.wording(*names) is EMA
