"""Django's own command, which empties the tables after a test outside a transaction.

The audit log's triggers refuse that: they leave before, and come back after it.
"""

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connection

from league.models import triggers


class Command(flush.Command):
    def handle(self, **options) -> None:
        if connection.in_atomic_block:
            raise CommandError("A test that empties the tables cannot share a module with `make_once`.")
        triggers.remove(connection)
        super().handle(**options)
        triggers.install(connection)
