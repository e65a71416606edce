"""Lists of rows. A `Rows` class names the columns, and `core/_table.html` writes the list.

A view makes the list from a queryset or a sequence, and its template says `{% render_table players %}`. A
cell that is more than a value is an `Inside`, whose template gets the row as `row`, beside the values of the
page. CSV and workbook of a list come from the same columns (`Rows.in_file`).
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import django_tables2 as tables
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from league.core.files import columns as files
from league.core.pages import LINES_A_PAGE
from league.core.tags import MISSING, person, score, score_class

Words = str | Promise


class Rows(tables.Table):
    """Rows in pages of ``per_page``. In a ``sortable`` list headings link to their order.

    ``caption``: the list's name for screen readers. ``css``: classes of the table, such as ``blocks`` (a row
    is a block on a phone) and ``table-sticky`` (the column ``sticky`` stays in view). ``page``: the page
    that the rows are of, if the view has read no others. ``without``: columns that this reader does not get.
    ``file``: the columns of the list's CSV and workbook, in the order there.
    """

    caption: Words = ""
    css: ClassVar[str] = "align-middle"
    per_page: ClassVar[int] = LINES_A_PAGE
    sortable: ClassVar[bool] = False
    file: ClassVar[Sequence[str]] = ()

    def __init__(
        self,
        rows: Sequence[Any] | QuerySet[Any],
        *,
        request: HttpRequest,
        page: "Page[Any] | None" = None,
        without: Sequence[str] = (),
        **options: Any,
    ) -> None:
        super().__init__(
            rows,
            attrs={"class": f"table {self.css}".rstrip()},
            orderable=self.sortable,
            exclude=[*without, *(name for name, column in self.base_columns.items() if not column.on_page)],
            **options,
        )
        tables.RequestConfig(request, paginate=False).configure(self)  # the order that the address names
        self.pages = page
        if page is None:
            asked = request.GET.get(self.prefixed_page_field)
            self.page = self.pages = Paginator(self.rows, self.per_page).get_page(asked)

    @classmethod
    def in_file(cls, rows: Iterable[Any], zone: ZoneInfo) -> tuple[list[files.Column], list[list[Any]]]:
        """Return the columns and the values of the list's CSV and workbook. ``zone``: that of its moments."""
        columns = [(name, cls.base_columns[name]) for name in cls.file]
        values = [[column.file_value(name, row, zone) for name, column in columns] for row in rows]
        return [column.file_column(name) for name, column in columns], values


class Column(tables.Column):
    """A value of the row, by its name. Without a ``heading`` the label of the model's field is one.

    ``css``: classes of heading and cells. ``unseen``: only screen readers get the heading. ``heads_row``: the
    cells are headings of their rows. ``on_page``: if not, the column is only in the list's files.

    For the files of the list: ``key`` heads it in CSV, if its name does not, ``kind``, ``optional`` and
    ``most`` are those of `league.core.files.columns.Column`, and ``raw`` returns the value of a row.
    """

    def __init__(
        self,
        heading: Words | None = None,
        *,
        css: str = "",
        unseen: bool = False,
        heads_row: bool = False,
        on_page: bool = True,
        key: str = "",
        kind: str = files.TEXT,
        optional: bool = False,
        most: int = 36,
        raw: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> None:
        attrs = {"cell": {"class": css}} if css else {}
        super().__init__(verbose_name=heading, **{"attrs": attrs, "default": MISSING} | options)
        self.unseen, self.heads_row, self.on_page = unseen, heads_row, on_page
        self.key, self.kind, self.optional, self.most, self.raw = key, kind, optional, most, raw

    def file_column(self, name: str) -> files.Column:
        heading = self.verbose_name or name
        return files.Column(self.key or name, heading, self.kind, self.optional, self.most)

    def file_value(self, name: str, row: Any, zone: ZoneInfo) -> Any:
        """Return the value of a row, or None if it has none."""
        value = self.raw(row) if self.raw else (self.accessor or tables.A(name)).resolve(row, quiet=True)
        if isinstance(value, datetime):
            return files.local_moment(value, zone)
        return None if value == "" else value


class Inside(Column, tables.TemplateColumn):
    """A cell that the template ``inside`` writes from the ``row`` and the values of the page."""

    def __init__(self, inside: str, heading: Words | None = None, **options: Any) -> None:
        super().__init__(
            heading,
            **{"template_name": inside, "context_object_name": "row", "empty_values": (), "default": ""}
            | options,
        )


class PersonColumn(Column):
    """The name of a player, with the romanized one below it."""

    def render(self, value: Any) -> SafeString | str:
        return person(value)


class ScoreColumn(Column):
    """Tenths, with their sign."""

    def __init__(self, heading: Words | None = None, **options: Any) -> None:
        attrs = {"th": {"class": "score"}, "td": {"class": _score_class}}
        super().__init__(heading, **{"attrs": attrs} | options)

    def render(self, value: Any) -> str:
        return score(value)


def _score_class(bound_column: Any, record: Any = None) -> str:
    return score_class(bound_column.accessor.resolve(record))


class MomentColumn(Column):
    """A moment in the page's time zone. ``form``: Django's format of the time."""

    def __init__(self, heading: Words | None = None, *, form: str = "H:i", **options: Any) -> None:
        super().__init__(heading, **{"attrs": {"td": {"class": "text-nowrap"}}} | options)
        self.form = form

    def render(self, value: datetime) -> SafeString:
        at = localtime(value)
        words = f"{date_format(at, 'DATE_FORMAT')} {date_format(at, self.form)}"
        return format_html('<time datetime="{}">{}</time>', at.isoformat(), words)
