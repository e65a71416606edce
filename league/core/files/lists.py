"""Read a list of players from a file that a stranger may have made."""

from django.utils.translation import gettext_lazy as _

from league.core.apart import Busy, TooHeavy, run_apart
from players.files import TOO_HEAVY, Text, Unreadable, is_workbook, text_of

MEGABYTES, SECONDS = 256, 10  # 10,000 rows of ten columns need 150 MB and 2 s

BUSY = _("The server is busy with other files. Send this one again in a minute.")


def read_list(data: bytes, *, encoding: str) -> Text:
    """Return the text of a CSV file or workbook. Raises ``Unreadable``.

    A workbook is read in its own process, whatever its size, since 56 kB can unpack to gigabytes. Text takes
    a few times its own size, at most 5 MB.
    """
    if not is_workbook(data):
        return text_of(data, encoding=encoding)
    try:
        return run_apart(text_of, data, megabytes=MEGABYTES, seconds=SECONDS)
    except Busy as error:
        raise Unreadable(BUSY) from error
    except TooHeavy as error:
        raise Unreadable(TOO_HEAVY) from error
