"""Check a plan of who sits where: `python -m tools.check_seating FILE`.

FILE is JSON: rounds of tables of four names, east first, or a competition file, whose stages are checked one
by one. Prints repeated meetings beside the fewest possible, winds, who sits out, and faults. The status is 1
if a plan cannot be played, with --strict also if a better one may exist.
"""

import argparse
import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import django

from scoring.seating import base_rounds
from scoring.seating.checker import SEATS, Plan, Report, check_plan, most_rounds
from scoring.seating.schedule import MOST_ROUNDS, Schedule, whole_schedule
from scoring.units import WINDS

SLOWEST = 50  # milliseconds that a schedule without a search may take
VOID = "void"
SHOWN = 10  # pairs and players named at most


class Stopped(Exception):
    """Problems to print, one per argument."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.check_seating",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="the plan, or - for standard input")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="more repeats than the bound, or winds that differ by more than one, are wrong too",
    )
    parser.add_argument(
        "--stored",
        action="store_true",
        help="create and check the stored schedules of 16 to 200 players, and time them",
    )
    parser.add_argument("--players", type=int, nargs="*", help="only for these numbers, with --stored")
    arguments = parser.parse_args(words)
    try:
        if arguments.stored == (arguments.file is not None):
            raise Stopped("Name a file, or say --stored.")
        if arguments.stored:
            _check_stored(arguments.players or range(16, 201, SEATS))
        else:
            _check_file(arguments.file, strict=arguments.strict)
    except Stopped as stopped:
        for line in stopped.args:
            sys.stderr.write(f"{' '.join(str(line).split())}\n")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _check_file(path: str, *, strict: bool) -> None:
    wrong = []
    for name, plan in _plans(path):
        report = check_plan(plan)
        for line in report_lines(name, report):
            _say(line)
        if report.faults:
            wrong.append(f"{name}: this plan cannot be played.")
        elif strict and not _is_best(report):
            wrong.append(f"{name}: this plan is not as good as can be.")
    if wrong:
        raise Stopped(*wrong)


def _check_stored(sizes: Iterable[int]) -> None:
    plans, slowest = 0, (0.0, "")
    wrong: list[str] = []
    for players in sizes:
        most = base_rounds.perfect_rounds(players)
        for rounds in range(1, min(MOST_ROUNDS, max(most, players // SEATS)) + 1):
            schedule, took = _timed(players, rounds)
            plans, slowest = plans + 1, max(slowest, (took, f"{players} players, {rounds} rounds"))
            if not schedule.report.is_perfect or schedule.steps:
                wrong.append(f"{players} players, {rounds} rounds: {schedule.repeats} repeats")
        bound = most_rounds(players)
        _say(f"{players} players: {most} rounds without a repeat (bound {bound})")
    _say(f"{plans} plans; the slowest took {slowest[0]:.0f} ms: {slowest[1]}.")
    if slowest[0] > SLOWEST:
        wrong.append(f"More than {SLOWEST} ms: {slowest[1]}.")
    if wrong:
        raise Stopped(*wrong)


def _timed(players: int, rounds: int) -> tuple[Schedule, float]:
    """Return a schedule without a search, and its processor time in milliseconds.

    A busy machine disturbs, so a slow one is timed up to three times.
    """
    took = math.inf
    for _ in range(3):
        start = time.process_time()
        schedule = whole_schedule(players, rounds, steps=0)
        took = min(took, (time.process_time() - start) * 1_000)
        if took <= SLOWEST:
            break
    return schedule, took


def report_lines(name: str, report: Report) -> Iterator[str]:
    yield f"{name}: {report.players} players, {report.rounds} rounds, {report.tables} tables"
    yield f"  repeats: {report.repeats} (no such plan has fewer than {report.least_repeats})"
    for (one, other), times in report.repeated[:SHOWN]:
        yield f"    {one} and {other}: {times} times"
    if len(report.repeated) > SHOWN:
        yield f"    and {len(report.repeated) - SHOWN} more pairs"
    yield f"  winds that differ by more than one: {len(report.uneven)} players"
    for player, counts in report.uneven[:SHOWN]:
        yield f"    {player}: " + ", ".join(f"{w} {n}" for w, n in zip(WINDS, counts, strict=True))
    yield f"  blocks of four games with a wind twice: {report.broken_blocks}"
    yield f"  most often at one table: {report.most_at_a_table} times"
    if report.sitting_out:
        out = [count for _, count in report.sitting_out]
        yield f"  sitting out: {len(out)} players, {min(out)} to {max(out)} times"
    yield f"  faults: {len(report.faults)}"
    for fault in report.faults:
        yield f"    {fault}"


def _is_best(report: Report) -> bool:
    return report.repeats <= report.least_repeats and not report.uneven and not report.broken_blocks


def _plans(path: str) -> list[tuple[str, Plan]]:
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise Stopped(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL character in the path
        raise Stopped(f"{path!r}: {error}") from error
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Stopped(f"{path}: this is not JSON: {error}") from error
    if isinstance(found, dict) and "format" in found:
        return list(_stages(content))
    return [(path, _plan(found, path))]


def _plan(found: object, path: str) -> Plan:
    """Rounds of tables of names. Numbers are names too."""
    rounds = found.get("rounds") if isinstance(found, dict) else found
    if not _is_list_of(rounds, _is_round):
        raise Stopped(f"{path}: a plan is a list of rounds, a round one of tables, a table one of names.")
    assert isinstance(rounds, list)
    return rounds


def _is_round(found: object) -> bool:
    return _is_list_of(found, lambda table: _is_list_of(table, _is_name))


def _is_list_of(found: object, check: Callable[[object], bool]) -> bool:
    return isinstance(found, list) and all(check(each) for each in found)


def _is_name(found: object) -> bool:
    return isinstance(found, str | int) and not isinstance(found, bool)


def _stages(content: bytes) -> Iterator[tuple[str, Plan]]:
    from league.organizing.interchange.imports import read_competition_file
    from league.organizing.interchange.schema.problems import BrokenFile

    try:
        facts = read_competition_file(content)
    except BrokenFile as broken:
        raise Stopped(*broken.problems) from broken
    names = _names(facts.players)
    for division in facts.divisions:
        for stage in division.stages:
            rounds = [
                [[s.player for s in t.by_wind] for t in round_.tables if t.status != VOID]
                for round_ in stage.rounds
            ]
            plan = [[[names[player] for player in table] for table in round_] for round_ in rounds]
            yield f"{division.slug} {stage.slug}", plan


def _names(players: Sequence[Any]) -> dict[str, str]:
    """Id in the file → name, with the id where two have the same name."""
    times = Counter(player.name for player in players)
    return {p.id: p.name if times[p.name] == 1 else f"{p.name} ({p.id})" for p in players}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    sys.exit(main())
