"""Country codes and names to ISO 3166-1 alpha-2.

``countries.tsv`` has alpha-2, alpha-3 and other spellings separated by "/": English, Chinese and Japanese
names and codes of federations that differ from ISO (GER, NED, SUI). Babel has the names in other languages.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from babel import Locale

from players.matching import exact_key

_LANGUAGES = ("cs", "da", "de", "es", "fi", "fr", "hu", "it", "ko", "nb", "nl", "pl", "pt", "ru", "sv", "uk")
_NATIONS = {"ENG": "GB", "SCO": "GB", "WAL": "GB", "NIR": "GB", "TPE": "TW"}  # of federations

_TABLE = Path(__file__).with_name("countries.tsv")


def country_code(text: str) -> str | None:
    """Return "HK" for "hk", "HKG" or "香港", or None."""
    return _codes().get(exact_key(text))


@cache
def three_letters() -> Mapping[str, str]:
    """Map ISO 3166-1 alpha-2 to alpha-3: HK → HKG."""
    lines = _TABLE.read_text(encoding="utf-8").splitlines()
    return {alpha2: alpha3 for alpha2, alpha3, _names in (line.split("\t") for line in lines)}


@cache
def _codes() -> dict[str, str]:
    codes = {exact_key(code): alpha2 for code, alpha2 in _NATIONS.items()}
    known = three_letters()
    for language in _LANGUAGES:
        territories = Locale.parse(language).territories
        codes |= {exact_key(name): code for code, name in territories.items() if code in known}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        alpha2, alpha3, names = line.split("\t")
        for spelling in (alpha2, alpha3, *names.split("/")):
            codes[exact_key(spelling)] = alpha2
    return codes
