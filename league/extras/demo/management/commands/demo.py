import os
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from league.extras.demo.demo import ACCOUNTS, CUP, DEMO, OPEN, PASSWORD, REAL, make_demo, other_people
from league.management.lines import bar_options
from league.organizing.interchange.services.drafts import Progress

_SEASON, _TOURNAMENT = REAL[:2]
TO_TRY = (
    ("", "everything there is"),
    (f"c/{DEMO}/", "the demo league: standings after its first round"),
    (f"c/{DEMO}/enter/", "scorer: type the score sheets of its second round"),
    (f"c/{DEMO}/desk/", "referee: the desk, a penalty in four taps"),
    (f"c/{DEMO}/manage/", "organizer: rounds, players, people, downloads"),
    (f"c/{DEMO}/calendar/", "its calendar: tables that agree on a time, postponed, made up; free play"),
    (f"c/{CUP}/", "a cup before its last table: marks, chances, what each player needs"),
    (f"c/{OPEN}/", "a tournament to register for, with a waiting list"),
    (f"c/{_SEASON.slug}/", "a real season: M.League 2018-19"),
    (f"c/{_TOURNAMENT.slug}/", "a real tournament of 24 players"),
)


class Command(BaseCommand):
    help = (
        "Loads two real competitions and creates a small league and two events to try, with four accounts"
        " whose password is public. Existing data is not changed. For a database of its own:"
        " bin/demo does it all."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--force", action="store_true", help="even if real people have accounts in this database"
        )

    def handle(self, *, force: bool, **options: object) -> None:
        if not force and not settings.DEBUG and other_people():
            raise CommandError(
                "This database has accounts of real people, and the demo's password is public."
                " Run bin/demo, which has a database of its own, or use --force."
            )
        made = False
        for sentence in make_demo(today=timezone.localdate(), watch=self.watch):
            made = True
            self.stdout.write(sentence)
        if not made:
            self.stdout.write("The demo data exists already. Nothing changed.")
        self.stdout.write(f"\nAccounts (password {PASSWORD}): {', '.join(ACCOUNTS)}\nTo try:")
        address = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"
        for page, words in TO_TRY:
            self.stdout.write(f"  {address}/{page:<28} {words}")

    def watch(self, name: str, tables: int) -> Progress:
        bar = tqdm(total=tables, desc=name, unit="table", leave=False, **bar_options())

        def seen(count: int) -> None:
            bar.update(count)
            if bar.n >= tables:
                bar.close()

        return seen
