"""Names that are markup, templates or formulas are shown as they are, on every page and in every file."""

import csv
import io
from itertools import chain, cycle

import openpyxl
import pytest
from django.urls import reverse
from django.utils.html import escape

from tests.hostile_names import LONG, MARKUP, badly_named
from tests.pages import PAGES, RULES, addresses, client_of
from tests.test_security_headers import faults_of_markup

FORMULAS = ("=1+1", "+1+1", "-1-1", "@x", "\t=1", '=cmd|"/c calc"!A1')

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_templates")]


@pytest.mark.parametrize("role", ["visitor", "organizer", "referee"])
def test_names_are_text_on_every_page(role):
    here = badly_named(names := [*chain(*zip(MARKUP, cycle(LONG), strict=False))])
    client = client_of(role, here)
    seen = set()
    for name in PAGES:
        if role not in RULES[name]:
            continue
        for address in addresses(name, here):
            response = client.get(address)
            assert response.status_code in {200, 204, 302, 405}, address
            if "text/html" not in response["Content-Type"]:
                continue
            text = response.content.decode()
            assert faults_of_markup(text) == [], address
            assert "<b>x</b>" not in text, address
            assert "70000000007" not in text, address
            if any(escape(shown) in text for shown in names):
                seen.add(name)
    assert len(seen) > 8


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("page", ["interchange:standings", "interchange:results"])
def test_no_name_is_a_formula_in_a_file(page, kind):
    here = badly_named(FORMULAS)
    content = (
        client_of("organizer", here)
        .get(reverse(page, kwargs=here.arguments(page) | {"fmt": kind}), {"all": "1"})
        .content
    )
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
        texts = [cell for row in rows for cell in row if not is_number(cell)]
        assert any(name in cell for name in FORMULAS for cell in texts)
        assert [cell for cell in texts if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}] == []
    else:
        cells = [
            cell for sheet in openpyxl.load_workbook(io.BytesIO(content)) for row in sheet for cell in row
        ]
        assert any(name in str(cell.value) for name in FORMULAS for cell in cells)
        assert [cell.value for cell in cells if cell.data_type == "f"] == []


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
