"""First and last operation of a migration that changes tables. `manage.py makemigrations` adds them."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from league.models import triggers


class _Step(Operation):
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
