"""Database triggers: the audit log only grows. The database itself refuses to change or delete an entry."""

from django.db.backends.base.base import BaseDatabaseWrapper

REFUSAL = "the audit log only grows"

_INSTALL = {
    "sqlite": [
        f"""CREATE TRIGGER IF NOT EXISTS audit_no_{verb.lower()} BEFORE {verb} ON league_auditentry
            BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
        for verb in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        f"""CREATE OR REPLACE FUNCTION league_audit_refuse() RETURNS trigger AS $$
            BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$
            LANGUAGE plpgsql""",
        """CREATE OR REPLACE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE ON league_auditentry
            FOR EACH ROW EXECUTE FUNCTION league_audit_refuse()""",
    ],
}
_REMOVE = {
    "sqlite": ["DROP TRIGGER IF EXISTS audit_no_update", "DROP TRIGGER IF EXISTS audit_no_delete"],
    "postgresql": ["DROP TRIGGER IF EXISTS audit_only_grows ON league_auditentry"],
}


def install(connection: BaseDatabaseWrapper) -> None:
    _run(connection, _INSTALL)


def remove(connection: BaseDatabaseWrapper) -> None:
    """For the migration backwards, and for test databases that are emptied between tests."""
    _run(connection, _REMOVE)


def _run(connection: BaseDatabaseWrapper, statements: dict[str, list[str]]) -> None:
    with connection.cursor() as cursor:
        for statement in statements.get(connection.vendor, []):
            cursor.execute(statement)
