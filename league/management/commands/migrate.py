from django.core.management.commands import migrate

from league.management.autodetector import DatabaseChanges


class Command(migrate.Command):
    autodetector = DatabaseChanges
