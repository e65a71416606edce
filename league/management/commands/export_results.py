from argparse import ArgumentParser
from typing import Any

from tqdm import tqdm

from league.management.lines import LineCommand, bar_options, check_division, competition_called
from league.organizing.interchange.exports.files import FORMATS, results_file
from league.play.results.exports import table_lines


class Command(LineCommand):
    help = (
        "Write every seat of every table with points, place and score: of the published rounds,"
        " with --all of the hidden ones too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--division", metavar="D", help="slug of a division; all if left out")
        parser.add_argument("--format", default="json", help="json, csv or xlsx")
        parser.add_argument("--output", metavar="FILE", help="write to this file instead of standard output")
        parser.add_argument("--all", action="store_true", help="write rounds that are not published, too")

    def work(self, **options: Any) -> None:
        self.check_format(options["format"], FORMATS, options["output"])
        competition = competition_called(options["slug"])
        check_division(competition, options["division"])
        lines = table_lines(competition, division=options["division"], public=not options["all"])
        with tqdm(lines, unit=" tables", **bar_options()) as seen:
            content = results_file(competition, seen, options["format"], public=not options["all"])
        self.deliver(content, options["output"])
