"""Names that are markup, templates or formulas are shown as they are, on every page and in every file."""

import csv
import io
from itertools import chain, cycle, product

import openpyxl
import pytest
from django.urls import reverse
from django.utils.html import escape

from tests.hostile_names import LONG, MARKUP, badly_named
from tests.pages.addresses import addresses
from tests.pages.rules import PAGES, RULES
from tests.pages.things import client_of
from tests.test_security_headers import faults_of_markup

FORMULAS = ("=1+1", "+1+1", "-1-1", "@x", "\t=1", '=cmd|"/c calc"!A1')

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_names_are_text_on_every_page():
    here = badly_named(names := [*chain(*zip(MARKUP, cycle(LONG), strict=False))])
    faults, shown = [], [escape(name) for name in names]
    for role in ("visitor", "organizer", "referee"):
        client, seen = client_of(role, here), set()
        visits = [(page, at) for page in PAGES if role in RULES[page] for at in addresses(page, here)]
        for name, address in visits:
            response = client.get(address)
            if response.status_code not in {200, 204, 302, 303, 405}:
                faults.append((role, address, response.status_code))
            if "text/html" not in response["Content-Type"]:
                continue
            text = response.content.decode()
            found = [*faults_of_markup(text), *(mark for mark in ("<b>x</b>", "70000000007") if mark in text)]
            faults += [(role, address, fault) for fault in found]
            if any(each in text for each in shown):
                seen.add(name)
        assert len(seen) > 8, role
    assert faults == []


def test_no_name_is_a_formula_in_a_file():
    here = badly_named(FORMULAS)
    for page, kind in product(("interchange:standings", "interchange:results"), ("csv", "xlsx")):
        address = reverse(page, kwargs=here.arguments(page) | {"fmt": kind}, query={"all": "1"})
        content = client_of("organizer", here).get(address).content
        if kind == "csv":
            rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
            texts = [cell for row in rows for cell in row if not is_number(cell)]
            formulas = [cell for cell in texts if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}]
        else:
            book = openpyxl.load_workbook(io.BytesIO(content))
            cells = [cell for sheet in book for row in sheet for cell in row]
            texts = [str(cell.value) for cell in cells]
            formulas = [cell.value for cell in cells if cell.data_type == "f"]
        assert formulas == [], address
        assert any(name in text for name in FORMULAS for text in texts), address


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
