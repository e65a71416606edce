"""All pages of a large league, for a visitor and each role: `python -m benchmarks.pages`.

Every page is asked through the WSGI handler in one process, first after a change (nothing that was made
before holds) and once more. The league has one of everything that an address can name
(``tests.pages.things``), and seasons of rounds behind it; it is made once and kept in a directory. The ten
slowest and the ten largest pages are printed, and what misses the goals.
"""

import argparse
import gc
import gzip
import hashlib
import logging
import os
import pickle
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

from tqdm import tqdm

from benchmarks.database import make_tables
from benchmarks.standings import ROOT, machine, say, table
from benchmarks.steps import Asker, count_queries

if TYPE_CHECKING:
    from tests.pages.things import Things

GOALS = {"seconds": 0.3, "kB": 250}
ROLES = ("visitor", "stranger", "player", "scorer", "referee", "organizer")
SLUG = "large"
SHOWN = 10
PENALTIES = 1_000
TAKES_FORMS_ALONE = (303, 405)
FILES = "interchange:"  # the same for all roles
OF_TEAMS = ("teams:index", "teams:standings", "teams:manage", "interchange:teams")

Answer = tuple[int, dict[str, str], bytes]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=1_000, help="a multiple of four")
    parser.add_argument("--tables", type=int, default=25_000)
    parser.add_argument(
        "--directory", type=Path, default=ROOT / "var" / "benchmarks", help="keeps the league"
    )
    parser.add_argument("--pages", nargs="*", default=[""], help="beginnings of names, such as rounds:")
    parser.add_argument("--without-files", action="store_true")
    parser.add_argument("--roles", nargs="*", default=ROLES, choices=ROLES)
    parser.add_argument("--shown", type=int, default=SHOWN, help="how many of the slowest and largest")
    arguments = parser.parse_args()
    say(machine(), "")
    with tempfile.TemporaryDirectory(prefix="umaoka-pages-") as home:
        start_django(Path(home))
        here = find_league(arguments.directory, Path(home), arguments.players, arguments.tables)
        names = page_names(arguments.pages, files=not arguments.without_files)
        found = list(walk(here, names, arguments.roles))
        print_pages(found, arguments.shown)


def start_django(home: Path) -> None:
    os.environ |= {
        "DATABASE_URL": f"sqlite:///{home}/pages.sqlite3",
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "EVIDENCE_DIR": f"{home}/evidence",
    }
    import django

    django.setup()
    logging.disable(logging.WARNING)


# --- the league


def find_league(directory: Path, home: Path, players: int, tables: int) -> "Things":
    """The league of this size, in a copy of the database that is kept in ``directory``."""
    from django.db import connection

    size = f"league-{players}-{tables}"
    kept = directory / f"{size}-{made_by()}"
    database = connection.settings_dict["NAME"]
    if not kept.exists():
        for older in directory.glob(f"{size}-*"):
            shutil.rmtree(older)
        things = make_league(players, tables)
        connection.close()
        kept.with_suffix(".part").mkdir(parents=True, exist_ok=True)
        shutil.copy(database, kept.with_suffix(".part") / "league.sqlite3")
        (kept.with_suffix(".part") / "things").write_bytes(pickle.dumps(things))
        shutil.copytree(home / "evidence", kept.with_suffix(".part") / "evidence", dirs_exist_ok=True)
        kept.with_suffix(".part").rename(kept)
    else:
        shutil.copy(kept / "league.sqlite3", database)
        shutil.copytree(kept / "evidence", home / "evidence")
    made: Things = pickle.loads((kept / "things").read_bytes())  # noqa: S301 - written by this program
    return made


def made_by() -> str:
    """A fingerprint of the tables and of what makes the league: another one makes another league."""
    digest = hashlib.blake2b(digest_size=6)
    sources = (*ROOT.glob("*/migrations/*.py"), ROOT / "tests" / "pages" / "things.py", Path(__file__))
    for path in sorted(sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def make_league(players: int, tables: int) -> "Things":
    """One of everything, after rounds that are over, each table with an entry in the log, and penalties."""
    from django.db import transaction

    from league.models import Round
    from tests.pages.things import being_seated, ready_things

    make_tables()
    with transaction.atomic():
        here = ready_things(SLUG, players=players)
        Round.objects.filter(pk=here.round).update(number=tables)
        play_rounds(here, players, tables)
        Round.objects.filter(pk=here.round).update(number=here.club.stage.rounds.count())
        being_seated(here.club)
        punish(here, min(PENALTIES, tables))
    return here


def play_rounds(here: "Things", players: int, tables: int) -> None:
    from benchmarks.events import play_round
    from league.core.changes import change
    from league.models import Sheet
    from league.play.results.services import describe

    stage, chance = here.club.stage, random.Random(1)  # noqa: S311 - chance that can be repeated
    people, a_round = [player.pk for player in here.club.players[:players]], players // 4
    start = here.club.division.rules.start_points
    with (
        tqdm(total=tables, desc=f"making {tables:,} tables", disable=None, leave=False) as bar,
        change(here.club.competition, by=here.club.charlie) as done,
    ):
        for number, first in enumerate(range(0, tables, a_round), start=1):
            seated = chance.sample(people, 4 * min(a_round, tables - first))
            made = play_round(stage, number, seated, chance, start=start)
            for sheet in Sheet.objects.filter(table__round=made).select_related("table__round"):
                done.log("result.record", f"table:{sheet.table_id}", after=describe(sheet), about=sheet)
                bar.update()


def punish(here: "Things", count: int) -> None:
    """So many penalties of players drawn by chance, like the one that is there."""
    from league.models import Penalty

    chance = random.Random(2)  # noqa: S311 - chance that can be repeated
    like = Penalty.objects.get(pk=here.penalty)
    facts = {"competition": like.competition, "stage": like.stage, "score": like.score}
    logged = {"reason": like.reason, "created_by": like.created_by, "created_at": like.created_at}
    players = here.club.players[:-8]
    Penalty.objects.bulk_create(
        Penalty(player=chance.choice(players), **facts, **logged) for _ in range(count)
    )


# --- the walk


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer to one role: seconds of the processor after a change and once more, and bytes with and
    without compression.
    """

    name: str
    role: str
    status: int
    first: float
    again: float
    queries: int
    sent: int
    plain: int
    is_file: bool


def page_names(beginnings: Sequence[str], *, files: bool) -> list[str]:
    from tests.pages.rules import RULES

    named = sorted(name for name in RULES if name.startswith(tuple(beginnings)))
    return [name for name in named if files or not name.startswith(FILES)]


def walk(here: "Things", names: Sequence[str], roles: Sequence[str]) -> Iterator[Asked]:
    from tests.pages.rules import RULES

    ask, cookies = Asker(), {role: cookies_of(role, here) for role in roles}
    asked = [
        (label, role, address)
        for name in names
        for role in roles
        if role in RULES[name] and (role == "organizer" or not name.startswith(FILES))
        for label, address in labelled(name, here)
    ]
    known: set[str] = set()
    gc.freeze()
    with tqdm(total=len(asked), desc="pages", disable=None, leave=False) as bar:
        for label, role, address in asked:
            get = partial(ask, address, HTTP_COOKIE=cookies[role])
            if label not in known:  # its template is compiled once
                known.add(label)
                get()
            found = ask_page(get, label, role)
            bar.update()
            if found.status not in TAKES_FORMS_ALONE:
                yield found
    end_team_play(here)
    for name in [name for name in OF_TEAMS if name in names]:
        label, address = labelled(name, here)[0]
        yield ask_page(partial(ask, address, HTTP_COOKIE=cookies[roles[-1]]), f"{label}, no teams", roles[-1])


def labelled(name: str, here: "Things") -> list[tuple[str, str]]:
    """Return the addresses of a page with their labels in the tables. A file has one per format."""
    from django.urls import reverse

    from tests.pages.addresses import addresses

    arguments = here.arguments(name)
    plain = reverse(name, kwargs=arguments)
    found = [(f"{name}{address.removeprefix(plain)}", address) for address in addresses(name, here)]
    if "fmt" in arguments:
        found += [
            (f"{name} {fmt}", reverse(name, kwargs=arguments | {"fmt": fmt})) for fmt in ("json", "xlsx")
        ]
    return found


def end_team_play(here: "Things") -> None:
    from league.models import Competition, TeamPenalty

    here.club.competition.entrants.update(team=None)
    TeamPenalty.objects.all().delete()
    here.club.competition.teams.all().delete()
    Competition.objects.update(team_play=Competition.TeamPlay.NONE)


def ask_page(ask: Callable[[], Answer], name: str, role: str) -> Asked:
    from django.db.models import F

    from league.models import Competition

    Competition.objects.update(revision=F("revision") + 1)
    answered: list[Answer] = []
    seconds: list[float] = []

    def get() -> None:
        begun = processor_seconds()
        answered.append(ask())
        seconds.append(processor_seconds() - begun)

    gc.collect()
    queries = count_queries(get)
    if answered[0][0] not in TAKES_FORMS_ALONE:
        get()
    status, headers, body = answered[0]
    plain = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
    is_file = "attachment" in headers.get("Content-Disposition", "")
    sizes = (len(body), len(plain))
    return Asked(name, role, status, seconds[0], seconds[-1], queries, *sizes, is_file)


def cookies_of(role: str, here: "Things") -> str:
    from tests.pages.things import client_of

    return "; ".join(f"{name}={each.value}" for name, each in client_of(role, here).cookies.items())


def processor_seconds() -> float:
    """Return the seconds of this process so far, and of the processes that it waited for."""
    every = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in every)


# --- what is printed


def print_pages(found: Sequence[Asked], shown: int) -> None:
    pages = [each for each in found if not each.is_file]
    say(f"(a) The {shown} slowest of {len(pages):,} pages", "")
    print_asked(sorted(pages, key=lambda each: -each.first)[:shown])
    slow = sum(each.first > GOALS["seconds"] for each in pages)
    say(f"Goal: at most {GOALS['seconds']} s; {slow} are slower.", "")
    say(f"(b) The {shown} largest pages", "")
    print_asked(sorted(pages, key=lambda each: -each.sent)[:shown])
    large = sum(each.sent > 1000 * GOALS["kB"] for each in pages)
    say(f"Goal: at most {GOALS['kB']} kB on the wire; {large} are larger.", "")
    say("(c) Files", "")
    print_asked(sorted((each for each in found if each.is_file), key=lambda each: -each.first)[:shown])


def print_asked(found: Sequence[Asked]) -> None:
    rows = [
        [
            each.name,
            each.role,
            str(each.status),
            f"{each.first:.3f}",
            f"{each.again:.3f}",
            str(each.queries),
            f"{each.sent / 1000:,.0f}",
            f"{each.plain / 1000:,.0f}",
        ]
        for each in found
    ]
    table(["page", "role", "status", "after a change s", "again s", "queries", "kB sent", "kB plain"], rows)


if __name__ == "__main__":
    sys.exit(main())
