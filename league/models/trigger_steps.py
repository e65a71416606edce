"""First and last operation of a migration that changes tables. `manage.py makemigrations` adds them."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import Migration, RunPython, RunSQL
from django.db.migrations.operations.base import Operation, OperationCategory
from django.db.migrations.state import ProjectState

from league.models import triggers

APPS = ("league", "players")  # whose tables the triggers name


class _Step(Operation):
    category = OperationCategory.PYTHON
    reduces_to_sql = False

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change no model."""


class RemoveTriggers(_Step):
    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        before: ProjectState,
        after: ProjectState,
    ) -> None:
        triggers.remove(schema_editor.connection)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        before: ProjectState,
        after: ProjectState,
    ) -> None:
        triggers.install(schema_editor.connection, after.apps)

    def describe(self) -> str:
        return "Remove the triggers"


class InstallTriggers(_Step):
    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        before: ProjectState,
        after: ProjectState,
    ) -> None:
        triggers.install(schema_editor.connection, after.apps)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        before: ProjectState,
        after: ProjectState,
    ) -> None:
        triggers.remove(schema_editor.connection)

    def describe(self) -> str:
        return "Install the triggers"


def add_steps(migration: Migration) -> None:
    if lacks_steps(migration):
        steps = [RemoveTriggers(), *migration.operations, InstallTriggers()]
        migration.operations = steps  # type: ignore[misc]  # each migration has its own list


def lacks_steps(migration: Migration) -> bool:
    """Return whether the migration changes tables while the database has triggers."""
    operations = migration.operations
    if migration.app_label not in APPS or all(
        isinstance(operation, RunPython | RunSQL) for operation in operations
    ):
        return False
    return not (isinstance(operations[0], RemoveTriggers) and isinstance(operations[-1], InstallTriggers))
