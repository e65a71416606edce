"""Every migration that changes tables removes the triggers first, which would refuse the change."""

import pytest
from django.apps import apps
from django.db import OperationalError, connection, models
from django.db.migrations import AddField, CreateModel, Migration, RunPython
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ProjectState

from league.management.autodetector import DatabaseChanges
from league.models import triggers
from league.models.trigger_steps import APPS, InstallTriggers, RemoveTriggers, lacks_steps
from tests.places import new_place

NEW_FIELD = AddField("round", "weather", models.TextField(default="fair"))  # SQLite remakes the table
# The first two precede all triggers. The third adds a column that may be empty: no table is remade.
WITHOUT_STEPS = {
    "league.0001_squashed_0030_moved_functions",
    "players.0001_initial",
    "players.0002_profiles",
}


def migration_of(*operations) -> Migration:
    migration = Migration("9999_test", "league")
    migration.operations = list(operations)
    return migration


def test_each_migration_that_changes_tables_removes_the_triggers_first():
    loader = MigrationLoader(None)
    replaced = {name for migration in loader.replacements.values() for name in migration.replaces}
    for (app, name), migration in loader.disk_migrations.items():
        if app in APPS and (app, name) not in replaced and f"{app}.{name}" not in WITHOUT_STEPS:
            assert not lacks_steps(migration), (
                f"The migration {app}.{name} changes tables. Its first operation must be RemoveTriggers(),"
                " its last one InstallTriggers(), both from league.models.trigger_steps."
                " manage.py makemigrations adds them."
            )


@pytest.mark.parametrize(
    ("operations", "lacks"),
    [
        ([NEW_FIELD], True),
        ([RemoveTriggers(), NEW_FIELD], True),
        ([NEW_FIELD, InstallTriggers()], True),
        ([RemoveTriggers(), NEW_FIELD, InstallTriggers()], False),
        ([RunPython(RunPython.noop)], False),
        ([RunPython(RunPython.noop), CreateModel("Weather", [])], True),
    ],
)
def test_a_migration_that_lacks_a_step_is_found(operations, lacks):
    assert lacks_steps(migration_of(*operations)) is lacks


@pytest.mark.parametrize("label", ["league.round", "players.player"])
def test_makemigrations_adds_the_steps(label):
    now = ProjectState.from_apps(apps)
    app, model = label.split(".")
    before = now.clone()
    before.remove_field(app, model, {"round": "clock_started_at", "player": "profile_since"}[model])
    loader = MigrationLoader(None)
    detector = DatabaseChanges(before, now, MigrationQuestioner({"ask_not_null_addition": None}))
    changes = detector.changes(loader.graph, trim_to_apps={app}, convert_apps={app})
    (made,) = changes[app]
    assert [type(each) for each in made.operations] == [RemoveTriggers, AddField, InstallTriggers]


def test_tables_of_players_that_are_made_first_have_no_triggers():
    assert list(triggers.all_triggers(ProjectState().apps)) == []


@pytest.fixture
def place(transactional_db, empty_tables, tmp_path):
    with new_place(tmp_path, migrated=empty_tables) as made, made.entered():
        yield made


def test_a_table_with_triggers_gets_a_field_and_loses_it(place):
    migration = migration_of(RemoveTriggers(), NEW_FIELD, InstallTriggers())
    state = ProjectState.from_apps(apps)
    with connection.schema_editor(atomic=True) as editor:
        after = migration.apply(state.clone(), editor)
    assert triggers.missing(connection) == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT weather FROM league_round")
    with connection.schema_editor(atomic=True) as editor:
        migration.unapply(state.clone(), editor)
    assert triggers.missing(connection) == []
    assert "weather" in after.models["league", "round"].fields


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL alters tables in place")
def test_sqlite_cannot_change_a_table_that_a_trigger_reads(place):
    with (
        pytest.raises(OperationalError, match="error in trigger"),
        connection.schema_editor(atomic=True) as editor,
    ):
        migration_of(NEW_FIELD).apply(ProjectState.from_apps(apps), editor)
