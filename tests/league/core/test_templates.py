"""Templates are read without their indentation, which no text of them needs."""

import re

import pytest
from django.conf import settings
from django.template.loader import get_template

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
# Where white space counts: what is shown as it is written, and a text that translators got with it.
KEPT = re.compile(
    r"<(pre|textarea)\b.*?</\1>|{% blocktranslate (?:(?!trimmed)[^%])*%}.*?{% endblocktranslate %}", re.DOTALL
)


def test_no_line_of_a_page_is_indented(client, db):
    assert re.search(r"^[ \t]", client.get("/rules/").content.decode(), re.MULTILINE) is None


def test_a_text_file_keeps_its_indentation(tmp_path, settings):
    (tmp_path / "mail.txt").write_text("Yes:\n    1")
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [tmp_path]}]
    assert get_template("mail.txt").render() == "Yes:\n    1"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(settings.BASE_DIR).as_posix())
def test_no_text_is_indented_where_white_space_counts(path):
    assert [found[0] for found in KEPT.finditer(path.read_text()) if re.search(r"\n[ \t]", found[0])] == []
