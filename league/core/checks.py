from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from league.models import triggers


@register(Tags.database)
def check_triggers(*, databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    for name in databases or ():
        executor = MigrationExecutor(connections[name])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            continue
        if missing := triggers.missing(connections[name]):
            said = f"The database {name} lacks triggers: {', '.join(missing)}."
            hint = "Find out who removed them, then run manage.py verify --install-triggers."
            messages.append(Error(said, hint=hint, id="umaoka.E001"))
    return messages
