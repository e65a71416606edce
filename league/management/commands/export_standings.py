from argparse import ArgumentParser
from typing import Any

from league.management.lines import LineCommand, competition_called, stage_called
from league.organizing.interchange.exports.files import FORMATS, standings_file


class Command(LineCommand):
    help = (
        "Write the standings as the page shows them to the public: published rounds only."
        " --all counts the hidden rounds too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--division", metavar="D", help="slug of the division; the first if left out")
        parser.add_argument(
            "--stage", metavar="S", help="slug of the stage; the newest with visible results if left out"
        )
        parser.add_argument("--format", default="json", help="json, csv or xlsx")
        parser.add_argument("--output", metavar="FILE", help="write to this file instead of standard output")
        parser.add_argument("--all", action="store_true", help="count rounds that are not published, too")

    def work(self, **options: Any) -> None:
        self.check_format(options["format"], FORMATS, options["output"])
        public = not options["all"]
        competition = competition_called(options["slug"])
        stage = stage_called(competition, options["division"], options["stage"], public=public)
        self.deliver(standings_file(stage, options["format"], public=public), options["output"])
