"""What visitors notice while others download the workbook: `python -m benchmarks.visitors`.

The product runs behind gunicorn as on a server. Many visitors ask at once for a workbook that no one has
asked for since the last change, while one visitor after the other asks for the health check and for a
standings page that was made before. Numbers are seconds on the clock, as the visitor waits.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from benchmarks.standings import Steps, event, machine, players_for, say, table
from tests.served import served


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000], help="seat rows of the workbook")
    parser.add_argument("--visitors", type=int, default=16)
    arguments = parser.parse_args()
    say(machine(), "")
    rows = [measure(count, arguments.visitors) for count in arguments.rows]
    heads = ["seat rows", "visitors", "first workbook s", "last workbook s", "kB", "asked"]
    table([*heads, "health median s", "health worst s", "page median s", "page worst s"], rows)


def measure(count: int, visitors: int) -> list[str]:
    players, tables = players_for(count // 4), count // 4
    with (
        event(players=players, tables=tables) as step,
        tempfile.TemporaryDirectory(prefix="umaoka-files-") as files,
        served(Path(files), database=database_of(step)) as url,
    ):
        slug = f"event-{players}-{tables}"
        page = f"{url}/c/{slug}/"
        for _ in range(8):  # each worker makes the page once
            seconds(page)
        seconds(f"{page}download/results.csv")  # the worker of long work is ready
        with ThreadPoolExecutor(visitors) as pool:
            downloads = [pool.submit(seconds, f"{page}download/workbook.xlsx") for _ in range(visitors)]
            health, pages = watch(downloads, lambda: seconds(f"{url}/healthz")[0], lambda: seconds(page)[0])
        found = [download.result() for download in downloads]
    taken = [each for each, _ in found]
    return [
        f"{count:,}",
        str(visitors),
        f"{min(taken):.2f}",
        f"{max(taken):.2f}",
        f"{found[0][1] / 1000:,.0f}",
        str(len(health)),
        *(f"{value:.3f}" for kind in (health, pages) for value in (statistics.median(kind), max(kind))),
    ]


def database_of(step: Steps) -> str:
    return step.environment["DATABASE_URL"]


def watch(
    downloads: Sequence[Future[tuple[float, int]]], *ask: Callable[[], float]
) -> tuple[list[float], ...]:
    """Ask the questions one after the other until the last download is over. Return the seconds of each."""
    taken: tuple[list[float], ...] = tuple([] for _ in ask)
    time.sleep(0.2)  # until all visitors have asked
    while wait(downloads, timeout=0.05).not_done or not taken[0]:
        for question, answers in zip(ask, taken, strict=True):
            answers.append(question())
    return taken


def seconds(address: str) -> tuple[float, int]:
    """Return the seconds and bytes of the answer. A visitor with `Retry-After` asks again after a second."""
    begun = time.monotonic()
    while True:
        try:
            with urlopen(address, timeout=300) as answer:  # noqa: S310 - an address of our own server
                return time.monotonic() - begun, len(answer.read())
        except HTTPError as error:
            error.close()  # an open connection would hold a thread of the server
            if "Retry-After" not in error.headers:
                raise
            time.sleep(1)


if __name__ == "__main__":
    main()
