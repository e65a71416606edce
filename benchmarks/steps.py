"""One measurement a process: `python -m benchmarks.steps STEP …` prints a JSON object with what it measured.

A process each, so that one measurement's memory is not another's: `peak_mb` is the largest resident size of
the whole process, Python and Django included (the step `nothing` shows what these alone take). Seconds are
those of the processor (user and system): on an idle machine the same as on the clock, and on a busy one still
comparable. Nothing measured here waits for a network or another process.
"""

import argparse
import gc
import io
import json
import logging
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from statistics import median
from typing import Any
from urllib.parse import quote, unquote

from benchmarks.database import make_tables

Games = list[tuple[int, ...]]
Sums = list[Any]  # score in tenths, firsts, seconds, thirds, fourths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=sorted(STEPS))
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    import django

    django.setup()
    logging.disable(logging.WARNING)
    found = STEPS[arguments.step](arguments)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(json.dumps(found | {"peak_mb": round(peak_mb, 1)}) + "\n")


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the median time of `work` over the runs. Python's collector waits outside."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times)


def a_second(work: Callable[[], object], repeats: int, *, at_least: float = 0.2) -> float:
    """Return how often `work` can be done per second: the median of `repeats` runs of `at_least` seconds
    each.
    """
    work()
    rates = []
    for _ in range(repeats):
        done, start = 0, time.process_time()
        while (spent := time.process_time() - start) < at_least:
            work()
            done += 1
        rates.append(done / spent)
    return median(rates)


# --- the event ---------------------------------------------------------------------------------------------


def nothing(arguments: argparse.Namespace) -> dict[str, object]:
    """Python, Django and our modules, and no work: the memory that every other step starts with."""
    import league.ranking.standings.queries.standings  # noqa: F401

    return {}


def prepare(arguments: argparse.Namespace) -> dict[str, object]:
    """Migrate the (new) database and make the event in it."""
    from django.db import transaction

    from benchmarks.events import make_event

    make_tables()
    with transaction.atomic():
        stage = make_event(players=arguments.players, tables=arguments.tables)
    return {"stage": stage.pk}


# --- (a) settling and summing ------------------------------------------------------------------------------


def _stage() -> Any:
    from league.models import Stage

    return Stage.objects.select_related("division__competition__league", "division__rule_set").get()


def from_database(arguments: argparse.Namespace) -> dict[str, object]:
    """The product's way: one query, settled and ranked."""
    from league.play.results.queries.games import games
    from scoring.standings import rank_players

    stage = _stage()
    rules, statuses = stage.division.rules, stage.division.competition.counted_statuses

    def work() -> list[Any]:
        return rank_players(games(stage.pk, statuses=statuses, public=True), rules)

    taken = seconds(work, arguments.repeats)
    return {"seconds": taken, "sums": sums_hash({row.player: [row.score, *row.places] for row in work()})}


def in_memory(arguments: argparse.Namespace) -> dict[str, object]:
    """The same ranking over tuples in memory: what is left when the database costs nothing."""
    from league.play.results.queries.games import games
    from scoring.standings import rank_players

    stage = _stage()
    ready = games(stage.pk, statuses=stage.division.competition.counted_statuses, public=True)
    return {"seconds": seconds(lambda: rank_players(ready, stage.division.rules), arguments.repeats)}


def bare_loop(arguments: argparse.Namespace) -> dict[str, object]:
    """Do by hand what the product does: order four numbers, add, and sum scores and places by player.

    ``scores_only``: the same without the places.
    """
    from league.play.results.queries.games import games

    stage = _stage()
    ready = games(stage.pk, statuses=stage.division.competition.counted_statuses, public=True)
    rules = stage.division.rules
    return {
        "seconds": seconds(lambda: settle_and_sum(ready, rules), arguments.repeats),
        "scores_only": seconds(lambda: settle_and_sum_scores(ready, rules), arguments.repeats),
        "sums": sums_hash(settle_and_sum(ready, rules)),
    }


def every_rule_set(arguments: argparse.Namespace) -> dict[str, object]:
    """Recomputes the standings of a page under each preset, then with one late substitute: seconds of each,
    and of the bare loop.
    """
    from benchmarks.events import seat_late_substitute
    from league.models import Division, RuleSet
    from league.play.results.queries.games import games
    from league.ranking.standings.queries.standings import compute_standings
    from scoring.presets import presets, resolve

    def standings_seconds() -> float:
        stage = _stage()
        return seconds(lambda: compute_standings(stage, public=True), arguments.repeats)

    stage = _stage()
    ready = games(stage.pk, statuses=stage.division.competition.counted_statuses, public=True)
    bare = seconds(lambda: settle_and_sum(ready, stage.division.rules), arguments.repeats)
    rule_sets = {}
    for preset in presets():
        values = resolve(preset.slug).as_values()
        made = RuleSet.objects.create(preset=preset.slug, edition=preset.edition, values=values)
        Division.objects.update(rule_set=made)
        rule_sets[preset.slug] = standings_seconds()
    Division.objects.update(rule_set=stage.division.rule_set)
    usual = standings_seconds()
    seat_late_substitute(stage)
    return {"bare": bare, "usual": usual, "rule_sets": rule_sets, "substitute": standings_seconds()}


def settle_and_sum(games: Games, rules: Any) -> dict[int, Sums]:
    """Return player → score in tenths and number of firsts to fourths, written out on plain integers.
    `settle` decides on equal points.
    """
    from scoring.settlement import settle

    worth = [rules.uma[0] + rules.oka, *rules.uma[1:]]
    back = rules.return_points
    sums: dict[int, Sums] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for a, b, c, d, east, south, west, north, sticks in games:
        if east in (south, west, north) or south in (west, north) or west == north:
            for player, seat in zip(
                (a, b, c, d), settle((east, south, west, north), rules, sticks=sticks), strict=True
            ):
                sums[player][0] += seat.score
                sums[player][seat.place] += 1
            continue
        above = (south > east) + (west > east) + (north > east)
        own = sums[a]
        own[0] += (east - back + (0 if above else sticks)) // 100 + worth[above]
        own[above + 1] += 1
        above = (east > south) + (west > south) + (north > south)
        own = sums[b]
        own[0] += (south - back + (0 if above else sticks)) // 100 + worth[above]
        own[above + 1] += 1
        above = (east > west) + (south > west) + (north > west)
        own = sums[c]
        own[0] += (west - back + (0 if above else sticks)) // 100 + worth[above]
        own[above + 1] += 1
        above = (east > north) + (south > north) + (west > north)
        own = sums[d]
        own[0] += (north - back + (0 if above else sticks)) // 100 + worth[above]
        own[above + 1] += 1
    return sums


def settle_and_sum_scores(games: Games, rules: Any) -> dict[int, Any]:
    """Player → score in tenths: the same without counting places."""
    from scoring.settlement import settle

    worth = [rules.uma[0] + rules.oka, *rules.uma[1:]]
    back = rules.return_points
    sums: dict[int, Any] = defaultdict(int)
    for a, b, c, d, east, south, west, north, sticks in games:
        if east in (south, west, north) or south in (west, north) or west == north:
            for player, seat in zip(
                (a, b, c, d), settle((east, south, west, north), rules, sticks=sticks), strict=True
            ):
                sums[player] += seat.score
            continue
        above = (south > east) + (west > east) + (north > east)
        sums[a] += (east - back + (0 if above else sticks)) // 100 + worth[above]
        above = (east > south) + (west > south) + (north > south)
        sums[b] += (south - back + (0 if above else sticks)) // 100 + worth[above]
        above = (east > west) + (south > west) + (north > west)
        sums[c] += (west - back + (0 if above else sticks)) // 100 + worth[above]
        above = (east > north) + (south > north) + (west > north)
        sums[d] += (north - back + (0 if above else sticks)) // 100 + worth[above]
    return sums


def sums_hash(sums: dict[int, Sums]) -> str:
    """A fingerprint, to see that both ways came to the same sums."""
    import hashlib

    return hashlib.sha256(repr(sorted(sums.items())).encode()).hexdigest()[:16]


# --- (b) the standings page --------------------------------------------------------------------------------


class Asker:
    """Asks the application as a WSGI server does, in this process: every middleware runs, no network does."""

    def __init__(self) -> None:
        from django.core.handlers.wsgi import WSGIHandler

        self.application = WSGIHandler()

    def __call__(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the answer to a browser's GET."""
        path, _, query = quote(path, safe="/:?&=+,.;()[]~%").partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": unquote(path, "latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "HTTP_ACCEPT_LANGUAGE": "en",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            **headers,
        }
        answered: list[Any] = []
        response = self.application(environ, lambda status, lines: answered.extend((status, lines)))
        body = b"".join(response)
        response.close()
        return int(answered[0].split()[0]), dict(answered[1]), body


def count_queries(work: Callable[[], object]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as caught:
        work()
    return len(caught)


def page(arguments: argparse.Namespace) -> dict[str, object]:
    """The page first after a change, from the cache, and answered 304."""
    from django.db.models import F
    from django.urls import reverse

    from league.models import Competition

    stage = _stage()
    address = reverse(
        "standings:stage", args=[stage.division.competition.slug, stage.division.slug, stage.slug]
    )
    ask = Asker()

    def change() -> None:
        Competition.objects.update(revision=F("revision") + 1)

    def first() -> float:
        change()
        gc.collect()
        start = time.process_time()
        expect(200)
        return time.process_time() - start

    def expect(status: int, **headers: str) -> tuple[dict[str, str], int]:
        found, answered, body = ask(address, **headers)
        if found != status:
            raise RuntimeError(f"{address} answered {found} instead of {status}")
        return answered, len(body)

    expect(200)
    change()
    queries = count_queries(lambda: expect(200))
    changed = median(first() for _ in range(max(3, 2 * arguments.repeats)))
    headers, size = expect(200)
    known = {"HTTP_IF_NONE_MATCH": headers["ETag"]}
    return {
        "queries": queries,
        "queries_304": count_queries(lambda: expect(304, **known)),
        "changed": 1 / changed,
        "cached": a_second(lambda: expect(200), arguments.repeats),
        "not_modified": a_second(lambda: expect(304, **known), arguments.repeats),
        "query": a_second(lambda: Competition.objects.values_list("revision").get(), arguments.repeats),
        "bytes": size,
    }


PLAIN = """<table>{% for row in rows %}<tr>
<td class="number">{{ row.rank }}</td>
<th scope="row" class="name"><a href="{{ address }}{{ row.entrant }}/">{{ row.name }}</a>
{% if row.country %}<span class="country">{{ row.country }}</span>{% endif %}
{% if row.romanized %}<span class="name-romanized">{{ row.romanized }}</span>{% endif %}</th>
<td class="{{ row.total_class }}">{{ row.total }}</td>
<td class="number">{{ row.games }}</td>
<td class="{{ row.score_class }}">{{ row.score }}</td>
<td class="score">{{ row.penalty }}</td>
{% for count in row.places %}<td class="number">{{ count }}</td>{% endfor %}
<td class="number">{{ row.average }}</td>
<td class="number">{{ row.best }}</td>
<td>{% for place in row.last %}<i class="place place-{{ place }}">{{ place }}</i>{% endfor %}</td>
</tr>{% endfor %}</table>"""


def plain_template(arguments: argparse.Namespace) -> dict[str, object]:
    """The same columns by a Django template that loops over rows of ready words: the table alone, without
    page, middleware or query.
    """
    from django.template import engines

    from league.ranking.standings.queries.standings import compute_standings

    template = engines["django"].from_string(PLAIN)
    rows = [_ready(line) for line in compute_standings(_stage(), public=True).rows]
    context = {"rows": rows, "address": "/c/event/players/"}
    return {"rate": a_second(lambda: template.render(context), arguments.repeats)}


def _ready(line: Any) -> dict[str, object]:
    from league.core import tags as umaoka

    row, player = line.row, line.player
    return {
        "rank": f"={row.rank}" if row.tied else str(row.rank),
        "entrant": str(player.entrant),
        "name": player.name,
        "country": player.country,
        "romanized": player.romanized,
        "total": umaoka.score(row.total),
        "total_class": umaoka.score_class(row.total),
        "games": str(row.games),
        "score": umaoka.score(row.score),
        "score_class": umaoka.score_class(row.score),
        "penalty": umaoka.score(row.penalty) if row.penalty else "",
        "places": [str(count) for count in row.places],
        "average": umaoka.average(row.average_place),
        "best": umaoka.points(row.best_points),
        "last": [str(place) for place, _score in row.last],
    }


# --- (c) the workbook --------------------------------------------------------------------------------------


def workbook(arguments: argparse.Namespace) -> dict[str, object]:
    """The season's workbook as it is downloaded: from the database to the bytes of the file."""
    from league.organizing.interchange.exports.workbook import write_workbook

    competition = _stage().division.competition

    def work() -> bytes:
        stream = io.BytesIO()
        write_workbook(competition, stream, public=True, language="en")
        return stream.getvalue()

    taken = seconds(work, arguments.repeats)
    return {"seconds": taken, "bytes": len(work())}


def ordinary_workbook(arguments: argparse.Namespace) -> dict[str, object]:
    """The values of the same workbook, ready in memory, written by openpyxl's ordinary mode: no query, no
    number format, no width, no filter.
    """
    from openpyxl import Workbook, load_workbook

    from league.organizing.interchange.exports.workbook import write_workbook

    stream = io.BytesIO()
    write_workbook(_stage().division.competition, stream, public=True, language="en")
    made = load_workbook(stream, read_only=True)
    sheets = {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in made}

    def work() -> None:
        book = Workbook()
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(io.BytesIO())

    cells = sum(len(row) for rows in sheets.values() for row in rows)
    return {"seconds": seconds(work, arguments.repeats), "cells": cells}


STEPS: dict[str, Callable[[argparse.Namespace], dict[str, object]]] = {
    "nothing": nothing,
    "prepare": prepare,
    "from_database": from_database,
    "in_memory": in_memory,
    "bare_loop": bare_loop,
    "every_rule_set": every_rule_set,
    "page": page,
    "plain_template": plain_template,
    "workbook": workbook,
    "ordinary_workbook": ordinary_workbook,
}

if __name__ == "__main__":
    main()
