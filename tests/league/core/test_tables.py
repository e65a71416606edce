"""Lists of rows: pages, order, headings, and columns that a reader does not get."""

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.paginator import Paginator
from django.template import engines
from django.test import RequestFactory

from league.core.files.columns import MOMENT, SCORE
from league.core.files.list_files import send_list
from league.core.tables import Column, Inside, PersonColumn, Rows, ScoreColumn
from league.models import Team
from players.models import Player


@dataclass
class Line:
    name: str
    score: int


class Lines(Rows):
    caption = "Lines"
    per_page = 2

    name = Column("Name", heads_row=True)
    score = ScoreColumn("Sum")
    more = Inside("core/_empty.html", "More", unseen=True)


class SortedLines(Rows):
    sortable = True

    name = Column("Name")
    score = ScoreColumn("Sum")


LINES = [Line("<b>", 125), Line("b", -20), Line("c", 0)]


def _shown(table_class: type[Rows], address: str, rows: object = LINES, **options: object) -> str:
    request = RequestFactory().get(address)
    table = table_class(rows, request=request, **options)
    template = engines["django"].from_string("{% load django_tables2 %}{% render_table table %}")
    return template.render({"table": table}, request)


def _at(html: str, *texts: str) -> list[bool]:
    return [text in html for text in texts]


def test_a_list_has_its_rows_in_pages():
    shown = _at(_shown(Lines, "/"), "&lt;b&gt;</th>", ">b</th>", ">c</th>", "?page=2")

    assert shown == [True, True, False, True]
    assert _at(_shown(Lines, "/?page=2"), ">b</th>", ">c</th>") == [False, True]
    assert _at(_shown(Lines, "/?page=99"), ">c</th>") == [True]


@pytest.mark.parametrize("address", ["/", "/?page=2"])
def test_a_page_that_the_view_has_read_is_shown_whole(address):
    lines = [Line(f"n{number}", 0) for number in range(90)]
    page = Paginator(lines, 60).get_page("1")

    shown = _shown(Lines, address, list(page.object_list), page=page)

    assert shown.count("</th>") == 60 + 3
    assert "?page=2" in shown


def test_nobody_asks_for_longer_pages():
    assert ">c</th>" not in _shown(Lines, "/?per_page=100")


def test_scores_have_signs_and_unseen_headings_are_read_out():
    html = _shown(Lines, "/")

    assert _at(html, "+12.5", "−2.0", "score-plus", '<span class="visually-hidden">More</span>') == [True] * 4


def test_only_a_sortable_list_is_sorted_by_its_address():
    by_sum, as_given = _shown(SortedLines, "/?sort=score"), _shown(Lines, "/?sort=score")

    assert by_sum.index("−2.0") < by_sum.index("+12.5")
    assert as_given.index("+12.5") < as_given.index("−2.0")
    assert "+12.5" in _shown(SortedLines, "/?sort=nothing")


def test_a_reader_does_not_get_a_column_without_the_right():
    assert "Sum" not in _shown(Lines, "/", without=["score"])


@pytest.mark.django_db
def test_a_heading_is_the_label_of_the_models_field():
    class Teams(Rows):
        name = Column()

    assert ">Name" in "".join(_shown(Teams, "/", Team.objects.all()).split())


def test_a_person_is_named_as_everywhere():
    class People(Rows):
        player = PersonColumn("Player")

    html = _shown(People, "/", [{"player": Player(name="陳大文", romanized="Chan <Tai> Man")}])

    assert '<span class="name">陳大文<span class="name-romanized">Chan &lt;Tai&gt; Man</span></span>' in html


class FiledLines(Rows):
    file = ("key", "score", "since", "note")

    score = ScoreColumn("Sum", kind=SCORE)
    key = Column("Key", accessor="name", key="name", on_page=False)
    since = Column("Since", kind=MOMENT, on_page=False, raw=lambda row: datetime(2026, 5, 3, 12, tzinfo=UTC))
    note = Column("Note", optional=True, on_page=False, raw=lambda row: "")


def test_a_file_has_its_own_columns_in_their_order_with_raw_values():
    columns, rows = FiledLines.in_file([Line("=1", 125)], ZoneInfo("Asia/Tokyo"))

    assert [(column.key, column.header, column.optional) for column in columns] == [
        ("name", "Key", False),
        ("score", "Sum", False),
        ("since", "Since", False),
        ("note", "Note", True),
    ]
    assert rows == [["=1", 125, datetime.fromisoformat("2026-05-03T21:00"), None]]


def test_columns_of_files_are_on_no_page():
    assert _at(_shown(FiledLines, "/"), "Sum", "Key", "Note") == [True, False, False]


def test_a_list_is_sent_as_csv_with_formulas_as_text():
    columns, rows = FiledLines.in_file([Line("=1", 125)], ZoneInfo("UTC"))

    answer = send_list(columns, rows, "csv", name="lines", heading="", title="Lines")

    assert answer.content.decode() == "\ufeffname,score,since,note\r\n'=1,12.5,2026-05-03T12:00:00,\r\n"
    assert answer["Content-Disposition"] == 'attachment; filename="lines.csv"'
