"""Countries as people write them → ISO 3166-1 alpha-2.

``countries.tsv`` is data: alpha-2, alpha-3, and other spellings separated by "/": the English name, the
Chinese and Japanese ones where riichi is played most, and the codes that federations use instead of ISO's
(GER, NED, SUI).
"""

from functools import cache
from pathlib import Path

from players.matching import exact_key

_TABLE = Path(__file__).with_name("countries.tsv")


def country_code(text: str) -> str | None:
    """The alpha-2 code of a code or name in any case or width: "hk", "HKG", "香港" → "HK". Or None."""
    return _codes().get(exact_key(text))


@cache
def _codes() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        alpha2, alpha3, names = line.split("\t")
        for spelling in (alpha2, alpha3, *names.split("/")):
            found[exact_key(spelling)] = alpha2
    return found
