"""The tables of a benchmark's own database."""

import os
import sqlite3


def make_tables() -> None:
    """Makes the tables in this process's database, if it has none.

    ``MIGRATED`` in the environment names an SQLite file with the tables of this version and nothing in them:
    they are copied, which takes a moment.
    """
    from django.core.management import call_command
    from django.db import connection

    if connection.introspection.table_names():
        return
    empty = os.environ.get("MIGRATED")
    if not empty or connection.vendor != "sqlite":
        call_command("migrate", verbosity=0)
        return
    connection.ensure_connection()
    source = sqlite3.connect(empty)
    source.backup(connection.connection)
    source.close()
