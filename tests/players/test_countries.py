"""Countries as people write them."""

from pathlib import Path

import pytest

from players.countries import country_code


@pytest.mark.parametrize(
    ("written", "code"),
    [("HK", "HK"), ("hkg", "HK"), ("香港", "HK"), ("Ｈｏｎｇ Ｋｏｎｇ", "HK"), ("日本", "JP"),
     ("JPN", "JP"), ("UK", "GB"), ("GER", "DE"), ("DEU", "DE"), ("NED", "NL"), ("臺灣", "TW"),
     ("South Korea", "KR"), ("xx", None), ("", None), ("Atlantis", None)],
)  # fmt: skip
def test_codes_and_names_become_two_letters(written, code):
    assert country_code(written) == code


def test_no_spelling_means_two_countries():
    table = Path(__file__).resolve().parents[2] / "players" / "countries.tsv"
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    spellings = [word.casefold() for a2, a3, names in rows for word in (a2, a3, *names.split("/"))]

    assert len(rows) == 249
    assert len(set(spellings)) == len(spellings)
