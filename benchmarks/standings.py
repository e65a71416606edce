"""How fast standings are, and how much memory they take: `python -m benchmarks.standings`.

Four parts, each beside something simpler that was run in the same minutes on the same machine, because only
ratios can be compared between machines:

(a) tables settled and summed a second, from the database and by a bare loop over the same tuples in memory;
(b) the standings of one season under every rule set, and with one substitute, beside that loop;
(c) the standings page: queries, and requests a second first after a change, cached and answered 304, beside a
    plain template; all in one process through the WSGI handler, so that every middleware counts and the
    network does not;
(d) the season's workbook, beside openpyxl's ordinary mode on the same rows.

Every measurement is a process of its own (`benchmarks.steps`) on a temporary SQLite file. Numbers are medians
of processor time.
"""

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GOALS = {"settle": 4, "cached": 50}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="*", default=[250, 10_000, 100_000], help="sizes of (a)")
    parser.add_argument("--rule-sets", type=int, default=25_000, help="the tables of (b); 0 leaves it out")
    parser.add_argument("--players", type=int, nargs="*", default=[32, 1_000], help="sizes of (c)")
    parser.add_argument(
        "--rows", type=int, nargs="*", default=[10_000], help="seat rows of the workbook of (d)"
    )
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    say(machine(), "")
    settling(arguments.tables, arguments.repeats)
    rule_sets(arguments.rule_sets, arguments.repeats)
    pages(arguments.players, arguments.repeats)
    workbooks(arguments.rows, arguments.repeats)


def settling(sizes: Sequence[int], repeats: int) -> None:
    if not sizes:
        return
    say("(a) Tables settled and summed", "")
    rows = []
    for tables in sizes:
        with event(players=players_for(tables), tables=tables) as step:
            bare, memory, database = (
                step(name, repeats=repeats) for name in ("bare_loop", "in_memory", "from_database")
            )
            empty = step("nothing")
        speeds = (bare["seconds"], bare["scores_only"], memory["seconds"], database["seconds"])
        rows.append([
            f"{tables:,}",
            *(f"{tables / taken:,.0f}" for taken in speeds),
            f"{memory['seconds'] / bare['seconds']:.2f}",
            f"{database['seconds'] / bare['seconds']:.2f}",
            f"{database['seconds'] / bare['scores_only']:.2f}",
            *(f"{found['peak_mb']:.0f}" for found in (empty, bare, database)),
            "yes" if bare["sums"] == database["sums"] else "NO",
        ])  # fmt: skip
    heads = ["tables", "bare loop /s", "scores only /s", "in memory /s", "database /s"]
    heads += ["memory : bare", "database : bare", "database : scores only"]
    table([*heads, "MB imports", "MB bare", "MB database", "same sums"], rows)
    say(f"Goal: database : bare at most {GOALS['settle']}.", "")


def rule_sets(tables: int, repeats: int) -> None:
    if not tables:
        return
    say(f"(b) The standings of {tables:,} tables, recomputed under each rule set", "")
    with event(players=players_for(tables), tables=tables) as step:
        found = step("every_rule_set", repeats=repeats)
    rows = [[slug, f"{taken / found['bare']:.2f}"] for slug, taken in found["rule_sets"].items()]
    table(["rule set", "standings : bare"], rows)
    say(f"With one late substitute: {found['substitute'] / found['usual']:.2f} times as long as without.", "")
    say("Goals: each at most 4, floating uma (jpml-a) at most 6; a substitute at most 1.2.", "")


def pages(sizes: Sequence[int], repeats: int) -> None:
    if not sizes:
        return
    say("(c) The standings page, requests a second in one process through the WSGI handler", "")
    rows = []
    for players in sizes:
        with event(players=players, tables=players // 4 * 8) as step:
            page, plain = step("page", repeats=repeats), step("plain_template", repeats=repeats)
        rows.append([
            f"{players:,}",
            str(page["queries"]),
            str(page["queries_304"]),
            *(f"{page[name]:,.0f}" for name in ("changed", "cached", "not_modified", "query")),
            f"{plain['rate']:,.0f}",
            f"{page['cached'] / plain['rate']:.1f}",
            f"{page['bytes'] / 1000:,.0f}",
            f"{page['peak_mb']:.0f}",
        ])  # fmt: skip
    heads = [
        "players",
        "queries",
        "queries 304",
        "after a change /s",
        "cached /s",
        "304 /s",
        "query /s",
        "plain template /s",
    ]
    table([*heads, "cached : plain", "kB sent", "MB"], rows)
    say(f"Goal: at most 6 queries; cached : plain at least {GOALS['cached']} at 1,000 players.", "")


def workbooks(sizes: Sequence[int], repeats: int) -> None:
    if not sizes:
        return
    say("(d) The season's workbook", "")
    rows = []
    for count in sizes:
        with event(players=players_for(count // 4), tables=count // 4) as step:
            ours, ordinary = step("workbook", repeats=repeats), step("ordinary_workbook", repeats=repeats)
        rows.append([
            f"{count:,}",
            f"{ordinary['cells']:,}",
            f"{ours['seconds']:.2f}",
            f"{ordinary['seconds']:.2f}",
            f"{ours['seconds'] / ordinary['seconds']:.2f}",
            f"{ours['peak_mb']:.0f}",
            f"{ordinary['peak_mb']:.0f}",
            f"{ours['bytes'] / 1000:,.0f}",
        ])  # fmt: skip
    heads = ["seat rows", "cells", "workbook s", "ordinary mode s", "ratio", "MB workbook", "MB ordinary"]
    table([*heads, "kB file"], rows)


# --- the bench ---------------------------------------------------------------------------------------------


def players_for(tables: int) -> int:
    """Players of an event of so many tables: 32 in a club, 1,000 in a large season."""
    return 1_000 if tables >= 2_500 else 32 if tables >= 64 else 8


class Steps:
    """Runs the steps of one event, each in its own process. A call returns the measurement of the step."""

    def __init__(self, database: Path) -> None:
        self.environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{database}",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        }

    def __call__(self, name: str, **options: int) -> dict[str, Any]:
        flags = [part for option, value in options.items() for part in (f"--{option}", str(value))]
        done = subprocess.run(  # noqa: S603  our own interpreter and words of our own
            [sys.executable, "-m", "benchmarks.steps", name, *flags],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found


@contextmanager
def event(*, players: int, tables: int) -> Iterator[Steps]:
    """The steps of an event of this size, made in a temporary SQLite file that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="umaoka-benchmark-") as directory:
        step = Steps(Path(directory) / "event.sqlite3")
        step("prepare", players=players, tables=tables)
        yield step


def machine() -> str:
    """Describe the machine for the reader of the numbers."""
    cores = f"{os.cpu_count()} cores"
    processor = next(
        (
            line.split(":", 1)[1].strip()
            for line in _lines(Path("/proc/cpuinfo"))
            if line.startswith("model name")
        ),
        platform.processor() or platform.machine(),
    )
    python = f"Python {platform.python_version()}"
    parts = [processor, cores, python, f"Django {version('Django')}", f"openpyxl {version('openpyxl')}"]
    return ", ".join([*parts, f"SQLite {sqlite3.sqlite_version}"])


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def table(heads: list[str], rows: list[list[str]]) -> None:
    """A Markdown table, so that it can be kept in a README as printed."""
    widths = [max(len(line[i]) for line in [heads, *rows]) for i in range(len(heads))]
    say("| " + " | ".join(head.rjust(width) for head, width in zip(heads, widths, strict=True)) + " |")
    say("| " + " | ".join("-" * (width - 1) + ":" for width in widths) + " |")
    for row in rows:
        say("| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " |")
    say("")


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
