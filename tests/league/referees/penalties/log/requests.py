"""What a referee's phone asks for and sends while a penalty is logged."""

import html
import io
import re
import uuid

from django.test import Client
from openpyxl import load_workbook

from league.models import Penalty
from league.referees.penalties.services.log import log_offence
from tests.factories import Club

JSON = {"accept": "application/json"}


def address(made: Club, query: str = "") -> str:
    return f"/c/{made.slug}/penalties/new/{query}"


def at_table(made: Club, number: int = 1, more: str = "") -> str:
    return address(made, f"?table={made.table(number=number).pk}{more}")


def entrant(made: Club, index: int = 0) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def tapped(made: Club, code: str, condition: int = 0, **values: object) -> dict[str, object]:
    """Return the form of the last step for the first seat."""
    form = {"key": uuid.uuid4(), "player": made.players[0].pk, "infraction": code, "condition": condition}
    return form | {"level": "", "deal": "E1", "honba": "0", "reason": ""} | values


def no_table(made: Club, code: str = "C-III", **values: object) -> dict[str, object]:
    """Return the form of the last step, as a page without a table sends it."""
    form = tapped(made, code, **values)
    return {name: value for name, value in form.items() if name not in {"deal", "honba"}}


def free(made: Club, **values: object) -> dict[str, object]:
    """Return the form of a penalty in the referee's own words."""
    form = {"key": uuid.uuid4(), "player": made.players[0].pk, "level": "", "deduction": "", "reason": ""}
    return form | values


def kept() -> list[tuple]:
    return list(Penalty.objects.order_by("pk").values_list("infraction", "level", "score", "reason"))


def log(made: Club, code: str, condition: int = 0, *, index: int = 0, **act) -> Penalty:
    return log_offence(
        stage=made.stage,
        table=made.table(),
        player_id=made.players[index].pk,
        infraction=code,
        condition=condition,
        **act,
        by=made.bob,
    )[0]


def plain(answer) -> str:
    """The page's words, without its stock for the script."""
    page = re.sub(r"<template.*?</template>", "", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


def case(answer, index: int = 0):
    return next(each for each in answer.context["confirm"]["cases"] if each.index == index)


def confirm(made: Club, client: Client, code: str, index: int = 0):
    return client.get(at_table(made, more=f"&player={entrant(made, index)}&offence={code}"))


def reviewed(client: Client, where: str, form: dict[str, object]) -> dict[str, object]:
    """The form with what its second step showed."""
    answer = client.post(where, form)
    assert (answer.status_code, Penalty.objects.filter(infraction=form["infraction"]).count()) == (422, 0)
    return form | {"reviewed": answer.context["confirm"]["review"]["text"]}


def check_cells(made: Club, client: Client) -> list[tuple]:
    """The rows of the workbook's check: name, penalties, standings, difference, not in the standings."""
    answer = client.get(f"/c/{made.slug}/download/penalties.xlsx")
    assert answer.status_code == 200
    return [
        row[1:] for row in load_workbook(io.BytesIO(answer.content), data_only=True).worksheets[-1].values
    ]
