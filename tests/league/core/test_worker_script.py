"""The service worker's own list of addresses."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

SCRIPT = Path(__file__).parents[3] / "static" / "js" / "worker.js"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("login", []),
        ("logout", []),
        ("admin:logout", []),
        ("accounts:first", []),
        ("accounts:sessions_end", []),
        ("people:invitation", ["abc"]),
        ("people:signup", []),
    ],
)
def test_it_forgets_the_pages_of_one_person_where_another_may_sign_in(name, arguments):
    signing = re.search(r"const SIGNING = /(.+)/;", SCRIPT.read_text("utf-8"))

    assert signing
    assert re.match(signing[1], reverse(name, args=arguments))
