"""A reader of EMA's results form, written from the list of its columns alone, and a tournament for it."""

import csv
import io
from datetime import date, datetime
from typing import Any

import openpyxl

from league.models import Competition
from players.models import FederationNumber
from tests.league.organizing.interchange.files import loaded, real

COLUMNS = (
    *("Tournament name", "Number of participants", "Place", "First name", "LAST NAME", "EMA number"),
    *(
        "Table points",
        "Score",
        "EMA member",
        "Country",
        "Date",
        "Court country",
        "City",
        "MERS",
        "Short name",
    ),
    *("Rules", "Period", "Days", "Extra"),
)
Row = dict[str, Any]


def read_xlsx(content: bytes) -> list[Row]:
    book = openpyxl.load_workbook(io.BytesIO(content))
    head, *rows = book.worksheets[0].iter_rows(values_only=True)
    assert head == COLUMNS
    return [check(dict(zip(COLUMNS, row, strict=True))) for row in rows]


def read_csv(content: bytes) -> list[Row]:
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert tuple(head) == COLUMNS
    whole = ("Number of participants", "Place", "Table points", "Score", "EMA member", "Days", "Extra")
    read = []
    for row in rows:
        found: Row = dict(zip(COLUMNS, row, strict=True))
        found |= {name: int(found[name]) for name in whole} | {"MERS": float(found["MERS"])}
        read.append(check(found))
    return read


def check(row: Row) -> Row:
    """Check the form of each cell, none of which is empty."""
    assert None not in row.values()
    assert "" not in row.values()
    assert row["LAST NAME"] == row["LAST NAME"].upper()
    assert row["EMA number"] == "-1" or (len(row["EMA number"]) == 8 and row["EMA number"].isdigit())
    assert row["EMA member"] == int(row["EMA number"] != "-1")
    assert all(len(row[name]) == 3 and row[name].isupper() for name in ("Country", "Court country"))
    assert datetime.strptime(row["Date"], "%d.%m.%Y")  # noqa: DTZ007 - a day
    assert isinstance(row["Score"], int)
    return row


def tournament() -> Competition:
    """The 24-player tournament with what the form needs. Its players have numbers for names."""
    made = loaded(real("sample-24-players.json"))
    for number, entrant in enumerate(made.entrants.select_related("player").order_by("pk"), 1):
        player = entrant.player
        player.name, player.country = f"Given{number:02} Family{number:02}", ("FI", "DE", "FR")[number % 3]
        player.save()
        if number % 4:  # three of four are members
            FederationNumber.objects.create(player=player, federation="EMA", number=f"{number:08}")
    facts = {"short_name": "Sample", "city": "Helsinki", "country": "FI", "mers_weight": 2}
    days = {"first_day": date(2026, 9, 12), "last_day": date(2026, 9, 13)}
    Competition.objects.filter(pk=made.pk).update(**facts, **days)
    return Competition.objects.select_related("league").get(pk=made.pk)
