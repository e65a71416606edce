"""Queries that are compiled once, for pages that a whole hall asks for at the same time.

Django needs longer to build and compile a query with joins than the database to answer it. ``Prepared`` keeps
the compiled form of a queryset in which ``Argument`` marks the values of each call. Its rows are those of the
queryset. ``PreparedUpdate`` does the same for an update.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connections, router
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.sql import UpdateQuery

Row = TypeVar("Row")
LARGEST = 2**63 - 1  # of a database's integers


class Argument(Expression):
    """Placeholder in a prepared queryset, filled by the keyword argument of the same name."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        return "%s", [self]

    def value_of(self, arguments: Mapping[str, object], connection: Any) -> object:
        """Raises ``EmptyResultSet`` for an id that no row can have."""
        value = arguments[self.name]
        if isinstance(value, int) and abs(value) > LARGEST:
            raise EmptyResultSet
        return self.output_field.get_db_prep_value(value, connection)


def fill(params: Iterable[object], arguments: Mapping[str, object], connection: Any) -> list[Any]:
    """The parameters of a statement, with this call's values in place of its arguments. Raises
    ``EmptyResultSet`` as ``Argument.value_of``.
    """
    return [each.value_of(arguments, connection) if isinstance(each, Argument) else each for each in params]


class Prepared(Generic[Row]):
    """The queryset that ``make`` makes, with the arguments of each call."""

    def __init__(self, make: Callable[[], QuerySet[Any, Row]]) -> None:
        self.make = make
        self.kept: dict[str, tuple[Any, Any, str, tuple[object, ...]]] = {}  # by engine

    def __call__(self, **arguments: object) -> list[Row]:
        using = router.db_for_read(Model)
        connection = connections[using]
        if connection.vendor not in self.kept:
            self.kept[connection.vendor] = self._compile(connection)
        kept, compiler, sql, params = self.kept[connection.vendor]
        try:
            filled = fill(params, arguments, connection)
        except EmptyResultSet:
            return []
        compiler = copy(compiler)
        compiler.connection, compiler.using = connection, using  # this thread's
        compiler.as_sql = lambda *_, **__: (sql, filled)
        query: Any = copy(kept.query)
        query.get_compiler = lambda *_, **__: compiler
        rows: Any = QuerySet(kept.model, query=query, using=using)
        rows._iterable_class, rows._fields = kept._iterable_class, kept._fields
        return list(rows)

    def _compile(self, connection: Any) -> tuple[Any, Any, str, tuple[object, ...]]:
        queryset = self.make()
        compiler: Any = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters([expression for expression, _, _ in compiler.select])
        compiler.get_converters = lambda _: converters
        return queryset, compiler, sql, params


class PreparedUpdate:
    """The update of the rows of ``make`` to ``values``, with the arguments of each call."""

    def __init__(self, make: Callable[[], QuerySet[Any]], **values: object) -> None:
        self.make, self.values = make, values
        self.kept: dict[str, tuple[str, tuple[object, ...]]] = {}  # by engine

    def __call__(self, **arguments: object) -> int:
        """Return how many rows were updated."""
        connection = connections[router.db_for_write(Model)]
        if connection.vendor not in self.kept:
            query: Any = self.make().query.chain(UpdateQuery)
            query.add_update_values(self.values)
            self.kept[connection.vendor] = query.get_compiler(connection=connection).as_sql()
        sql, params = self.kept[connection.vendor]
        with connection.cursor() as cursor:
            try:
                filled = fill(params, arguments, connection)
            except EmptyResultSet:
                return 0
            cursor.execute(sql, filled)
            return int(cursor.rowcount)
