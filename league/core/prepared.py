"""Rows that every request reads: Django makes the query once, which takes it longer than all the rest."""

from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import connections, router
from django.db.models import Model

M = TypeVar("M", bound=Model)


class PreparedRow(Generic[M]):
    """A row of ``model``, found by the text in one of its columns, with the row that its key ``related``
    leads to.
    """

    def __init__(self, model: type[M], *, by: str, related: str) -> None:
        self.model, self.by, self.related = model, by, related
        self._prepared = lru_cache(self._prepare)

    def find(self, text: str) -> M | None:
        """As ``select_related`` and ``filter`` of the default manager have it; from the database that is read
        now.
        """
        using = router.db_for_read(self.model)
        sql, own, other, convert = self._prepared(using)
        with connections[using].cursor() as cursor:
            cursor.execute(sql, [text])
            row: Any = cursor.fetchone()
        if row is None:
            return None
        (values,) = convert([row])
        found = self.model.from_db(using, own, values[: len(own)])
        setattr(found, self.related, self._other.from_db(using, other, values[len(own) :]))
        return found

    @property
    def _other(self) -> type[Model]:
        return self.model._meta.get_field(self.related).related_model  # type: ignore[return-value]

    def _prepare(self, using: str) -> tuple[str, list[str], list[str], Any]:
        """The SQL, the names of both rows' columns, and what makes Python's values of the database's."""
        own, other = (
            [field.attname for field in model._meta.concrete_fields] for model in (self.model, self._other)
        )
        found = self.model._default_manager.filter(**{self.by: ""}).order_by()
        query = found.values_list(*own, *(f"{self.related}__{name}" for name in other)).query
        compiler = query.get_compiler(using)
        sql, values = compiler.as_sql()
        if tuple(values) != ("",):
            raise ValueError(f"other values than the one that is searched for: {sql} {values}")
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        return sql, own, other, lambda rows: compiler.apply_converters(rows, converters)
