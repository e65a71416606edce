import pytest
from django.db import models

from league.management.autodetector import DatabaseChanges
from league.management.commands import makemigrations, migrate

AS_IT_WAS = models.CharField("name", max_length=10, help_text="Any.", choices={"a": "A"})


def _seen(field: models.Field) -> object:
    return DatabaseChanges.deep_deconstruct(DatabaseChanges.__new__(DatabaseChanges), field)


@pytest.mark.parametrize(
    ("field", "is_change"),
    [
        (models.CharField("title", max_length=10, help_text="Any.", choices={"a": "A"}), False),
        (models.CharField("name", max_length=10, help_text="None.", choices={"b": "B"}), False),
        (models.CharField("name", max_length=11, help_text="Any.", choices={"a": "A"}), True),
        (models.CharField("name", max_length=10, null=True), True),
        (models.TextField("name", max_length=10), True),
    ],
)
def test_only_what_a_database_knows_is_a_change(field, is_change):
    assert (_seen(field) != _seen(AS_IT_WAS)) is is_change


def test_both_commands_see_the_same_changes():
    assert makemigrations.Command.autodetector is DatabaseChanges
    assert migrate.Command.autodetector is DatabaseChanges
