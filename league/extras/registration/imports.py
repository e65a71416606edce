"""Read a federation's list of members."""

from django.utils.translation import gettext as _

from league.core.files.lists import read_list
from league.models import KnownNumber
from players.files import Unreadable
from players.models import FederationNumber
from players.roster import read_roster


def read_numbers(data: bytes) -> list[KnownNumber]:
    """Return the list's lines with a number. Raises ``Unreadable`` if there are none.

    Of a number that is listed twice the last line counts.
    """
    numbers: dict[str, KnownNumber] = {}
    for line in read_roster(read_list(data, encoding="").text).lines:
        number = dict(line.numbers).get(FederationNumber.EMA)
        if number and line.name:
            numbers[number] = KnownNumber(number=number[:40], name=line.name[:250], country=line.country)
    if not numbers:
        raise Unreadable(_("No EMA numbers found. Use the headings “EMA number”, “Last name”, “First name”."))
    return list(numbers.values())
