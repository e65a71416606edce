from django.core.management.commands import makemigrations

from league.management.autodetector import DatabaseChanges


class Command(makemigrations.Command):
    autodetector = DatabaseChanges
