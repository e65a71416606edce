from argparse import ArgumentParser
from typing import Any

from tqdm import tqdm

from league.management.lines import LineCommand, bar_options, competition_called
from league.models import Table
from league.organizing.interchange.exports.competition_file import competition_json


class Command(LineCommand):
    help = "Print the competition file, hidden rounds included. Importing it gives the same standings again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--output", metavar="FILE", help="write to this file instead of standard output")

    def work(self, **options: Any) -> None:
        competition = competition_called(options["slug"])
        tables = Table.objects.of(competition).count()
        with tqdm(total=tables, unit=" tables", **bar_options()) as bar:
            text = competition_json(competition, progress=bar.update)
        self.deliver(text.encode(), options["output"])
