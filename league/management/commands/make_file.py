"""Make a download of a large competition in its own process, started by the server."""

import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils import translation

from league.core.kept_files import pack
from league.interchange.exports.files import whole_file
from league.models import Competition


class Command(BaseCommand):
    help = "Prints a packed download. The server starts this; people use export_competition."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("competition", type=int)
        parser.add_argument("name")
        parser.add_argument("format")
        parser.add_argument("audience", choices=["public", "staff"])
        parser.add_argument("language")

    def handle(self, *, competition: int, name: str, audience: str, language: str, **options: object) -> None:
        found = Competition.objects.select_related("league").get(pk=competition)
        with translation.override(language):
            made = whole_file(found, name, str(options["format"]), public=audience == "public")
        sys.stdout.buffer.write(pack(made))
