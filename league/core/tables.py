"""Lists of rows. A `Rows` class names the columns, and `core/_table.html` writes the list.

A view makes the list from a queryset or a sequence, and its template says `{% render_table players %}`. A
cell that is more than a value is an `Inside`, whose template gets the row as `row`, beside the values of the
page.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import django_tables2 as tables
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from league.core.pages import LINES_A_PAGE
from league.core.tags import MISSING, person, score, score_class

Words = str | Promise


class Rows(tables.Table):
    """Rows in pages of ``per_page``. In a ``sortable`` list headings link to their order.

    ``caption``: the list's name for screen readers. ``css``: classes of the table, such as ``blocks`` (a row
    is a block on a phone) and ``table-sticky`` (the column ``sticky`` stays in view). ``page``: the page
    that the rows are of, if the view has read no others. ``without``: columns that this reader does not get.
    """

    caption: Words = ""
    css: ClassVar[str] = "align-middle"
    per_page: ClassVar[int] = LINES_A_PAGE
    sortable: ClassVar[bool] = False

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
            exclude=without,
            **options,
        )
        tables.RequestConfig(request, paginate=False).configure(self)  # the order that the address names
        self.pages = page
        if page is None:
            asked = request.GET.get(self.prefixed_page_field)
            self.page = self.pages = Paginator(self.rows, self.per_page).get_page(asked)


class Column(tables.Column):
    """A value of the row, by its name. Without a ``heading`` the label of the model's field is one.

    ``css``: classes of heading and cells. ``unseen``: only screen readers get the heading. ``heads_row``: the
    cells are headings of their rows.
    """

    def __init__(
        self,
        heading: Words | None = None,
        *,
        css: str = "",
        unseen: bool = False,
        heads_row: bool = False,
        **options: Any,
    ) -> None:
        attrs = {"cell": {"class": css}} if css else {}
        super().__init__(verbose_name=heading, **{"attrs": attrs, "default": MISSING} | options)
        self.unseen, self.heads_row = unseen, heads_row


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
