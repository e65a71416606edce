"""What must be so after every round: the plan, the people, and one order wherever it is asked for."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from django.urls import reverse

from league.core.tags import score as score_text
from league.models import AuditEntry, Entrant, Round, Seat, Sheet, Stage
from league.organizing.seating.queries.seating import seating_facts
from league.ranking.stages.queries import plan_cut
from league.ranking.standings.queries.standings import standings
from scoring.cuts import Terms
from scoring.seating.checker import check_plan as faults_of
from tests.reckoning import Sit
from tests.simulation.event import Event, agree

Plan = dict[int, list[list[int]]]  # round → tables of players


def check_plan(event: Event) -> None:
    """The independent checker on the plan of the stage, read back from the database."""
    found = event.seats()
    wanted: dict[int, dict[int, list[Sit]]] = {}
    for (number, table), hanchan in sorted(event.played.hanchan.items()):
        wanted.setdefault(number, {})[table] = hanchan.seats
    agree("who sits where", found, wanted)
    plan = {
        number: [[sit.player for sit in four] for four in tables.values()] for number, tables in found.items()
    }
    report = faults_of(list(plan.values()), [player.pk for player in event.cast.players])
    agree("faults of the plan", list(map(str, report.faults)), [])
    agree("repeats", report.repeats, repeats_of(plan.values()))
    check_people(event)
    seated = {
        number: [[sit.seated for sit in four] for four in tables.values()] for number, tables in found.items()
    }
    check_audit(event, plan, seated)


def check_people(event: Event) -> None:
    """Check that nobody who left has a seat in a future round, except at a forfeited table, and that nobody
    has two seats or sits out at a table.
    """
    waiting = Round.objects.filter(stage=event.played.stage, status=Round.Status.PLANNED)
    forfeited = Sheet.objects.filter(is_current=True, status=Sheet.Status.VOID).values("table")
    seats = Seat.objects.filter(round__in=waiting, player__in=event.gone).exclude(table__in=forfeited)
    agree("players who left and have a seat", list(seats.values_list("player", flat=True)), [])
    came = event.played.came
    if came is not None:
        theirs = Seat.objects.filter(round__stage=event.played.stage, stands_for__isnull=True)
        strangers = set(theirs.values_list("player", flat=True)) - set(came)
        agree("players who did not come through the cut", strangers, set())


def check_audit(event: Event, plan: Plan, seated: Plan) -> None:
    """Check the number of repeats in the log, if accepting a seating was the last act."""
    last = AuditEntry.objects.filter(competition=event.cast.competition).order_by("-pk").first()
    if last is None or last.action != "seating.accept":
        return
    others = [r for number, r in plan.items() if number not in last.after["rounds"]]
    accepted = [r for number, r in seated.items() if number in last.after["rounds"]]
    repeats = repeats_of([*others, *accepted]) - repeats_of(others)
    agree("the repeats in the audit log", last.after["repeats"], repeats)


def check_winds(event: Event, rounds: int, number: int) -> None:
    """A whole schedule from nothing has each wind once in every block of four rounds."""
    plan = [[h.players for h in event.played.tables(n).values()] for n in range(number, number + rounds)]
    report = faults_of(plan)
    agree("uneven winds of a schedule", (report.uneven, report.broken_blocks), ((), 0))


def check_ranks(event: Event, playing: list[int], number: int) -> None:
    """Check tables seated by rank: 1 to 4 together, 5 to 8, …"""
    out = event.played.sitting_out[number]
    order = [line.player for line in event.ranked(before=number) if line.player in set(playing) - out]
    fours = {frozenset(order[at : at + 4]) for at in range(0, len(order), 4)}
    tables = event.played.tables(number).values()
    found = {frozenset(sit.seated for sit in hanchan.seats) for hanchan in tables}
    agree("tables by rank", found, fours)


def check_standings(event: Event) -> None:
    """Check that the reckoning, the queries, the page, the cut and the pairing have one order."""
    event.did["rounds"] += 1
    stage = event.fresh()
    by_hand = [(line.player, line.rank, line.total, len(line.games)) for line in event.ranked()]
    rows = [line.row for line in standings(stage, public=False).rows]
    agree("the standings", [(r.player, r.rank, r.total, r.games) for r in rows], by_hand)
    if any(row.played or row.total for row in rows):  # before that the page lists names alone
        agree("the page", on_the_page(event, stage), [(r.player, score_text(r.total)) for r in rows])
    check_public(event, stage)
    able = [player for player, *_ in by_hand if player not in event.gone]
    agree("who is ahead in the pairing", list(seating_facts(stage).order), able)
    plan = plan_cut(stage, Terms(top=len(able)), "none")
    with_lots = [line.player for line in event.ranked(with_lots=True) if line.player not in event.gone]
    agree("the cut", list(plan.cut.players), with_lots)
    if "lots" in event.tie_breaks or not event.played.known.lots:
        agree("the cut and the pairing", with_lots, able)


def check_public(event: Event, stage: Stage) -> None:
    """Check that the public standings count published rounds only. Lots may depend on other rounds."""
    played = event.played
    if played.came is not None or "lots" in event.tie_breaks:
        return
    shown = Round.objects.filter(stage=stage, visibility=Round.Visibility.RESULTS)
    shown = shown.exclude(status=Round.Status.PLANNED)
    published = {None, *shown.values_list("number", flat=True)}
    seen = {key: hanchan for key, hanchan in played.hanchan.items() if key[0] in published}
    lines = event.lines(
        seen,
        event.tie_breaks,
        penalties=[(p, tenths) for p, tenths, number, _ in played.penalties.values() if number in published],
        given=event.given_in(lambda number: number in published, seen),
    )
    rows = [line.row for line in standings(stage, public=True).rows]
    by_hand = [(line.player, line.rank, line.total) for line in lines]
    agree("the public standings", [(r.player, r.rank, r.total) for r in rows], by_hand)


def on_the_page(event: Event, stage: Stage) -> list[tuple[int, str]]:
    """(player, total) of the rows of the standings page, from its HTML."""
    address = reverse("standings:stage", args=[event.cast.slug, stage.division.slug, stage.slug])
    response = event.page.get(address)
    agree("the status of the page", response.status_code, 200)
    players = dict(Entrant.objects.filter(competition=event.cast.competition).values_list("pk", "player_id"))
    body = response.content.decode().split("<tbody", 1)[1].split("</tbody>", 1)[0]
    found = []
    for row in body.split("<tr")[1:]:
        if "border-line" in row:  # a line above those without a game
            continue
        entrant = re.search(rf"/c/{event.cast.slug}/players/(\d+)/", row)
        total = re.search(r'<td[^>]*class="[^"]*\btotal\b[^"]*"[^>]*>\s*([^<\s]+)', row)
        assert entrant, row
        assert total, row
        found.append((players[int(entrant[1])], total[1]))
    return found


def repeats_of(plan: Iterable[Sequence[Sequence[int]]]) -> int:
    """Count how often players meet again."""
    met = Counter(frozenset(pair) for round_ in plan for four in round_ for pair in combinations(four, 2))
    return sum(times - 1 for times in met.values())
