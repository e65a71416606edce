"""Play a random day of refereeing at two tables in two rounds: offences, hands, approvals, revocations.

After each act levels, deductions, bans, expulsions and sums are compared with those of a separate notebook.
"""

import json
import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from league.core.errors import Refused
from league.models import Entrant, Penalty, Stage, Table
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.decisions import decide_request, revoke_penalty
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_offence
from tests.factories import Club, club
from tests.reckoning import ALL_FOUR, LEAST, MOST, SEVERITY, Given, owed, severity
from tests.simulation.event import agree
from tests.win_bans import active_bans

NOTES = json.loads((Path(__file__).parent.parent / "data" / "hkma_infractions.json").read_text("utf-8"))
ENTRIES = [(e["code"], i, noted) for e in NOTES["infractions"] for i, noted in enumerate(e["variants"])]
OFTEN = [each for each in ENTRIES if each[0] in {"A-I", "A-XI", "D-V", "A-VI", "U-1b", "U-1c"}]
MORNING = datetime(2026, 11, 20, 1, 0, tzinfo=UTC)
CHIEF_FROM = "5"


def referees() -> Club:
    """Make two tables under the HKMA's rules. The chief referee decides from level 5."""
    made = club("referees", preset="hkma-a-2025-04", kind="event")
    made.competition.approval_from = CHIEF_FROM
    made.competition.save()
    made.add_round()
    made.add_round()
    return made


def play_day(seed: int, made: Club, *, acts: int = 6) -> Counter[str]:
    day = Day(seed, made)
    for _ in range(acts):
        day.act()
    day.check_sums()
    return day.did


class Day:
    def __init__(self, seed: int, made: Club) -> None:
        self.chance = random.Random(seed)
        self.made, self.did, self.minute = made, Counter[str](), 0
        related = ("round__stage__division__competition", "round__stage__division__rule_set")
        found = Table.objects.filter(round__stage=made.stage).select_related(*related)
        self.tables = {table.pk: table for table in found}
        self.four = {
            pk: list(t.seats.order_by("wind").values_list("player", flat=True))
            for pk, t in self.tables.items()
        }
        self.hand = dict.fromkeys(self.tables, "")
        self.book: dict[int, Given] = {}

    def act(self) -> None:
        self.minute += 1
        acts = [self.log] * 6 + [self.step] * 2 + [self.decide, self.revoke]
        self.chance.choice(acts)()
        self.check()

    @property
    def at(self) -> datetime:
        return MORNING + timedelta(minutes=self.minute)

    # --- what happens

    def log(self) -> None:
        code, condition, noted = self.chance.choice(OFTEN if self.chance.random() < 0.8 else ENTRIES)
        table = self._often_the_first(list(self.tables))
        player = self._often_the_first(self.four[table])
        others = self.chance.sample(self.four[table], 1) if self.chance.random() < 0.2 else []
        approves, named = self.chance.random() < 0.3, self._named_hand(table)
        hand = named or self.hand[table]
        punished = list(
            dict.fromkeys([player, *others, *(self.four[table] if (code, condition) in ALL_FOUR else [])])
        )
        owes = {each: owed(code, noted, self._record(each), table, hand) for each in punished}
        chosen, reason = self._choose(owes, punished)
        given = {each: (chosen or owes[each][0]) for each in punished}
        # Who names the hand that was unknown says so of its bans, too: before anything else is asked.
        went_along = self.hand[table] if named and not is_known(self.hand[table]) else hand
        waits_already = any(
            (each.player in punished, each.table, each.code, each.condition, each.state)
            == (True, table, code, condition, "requested")
            and (each.hand == hand or (each.ban and each.hand == went_along))
            for each in self.book.values()
        )
        amount = None
        if len(punished) == 1 and given[player] == ("4",) and self.chance.random() < 0.5:
            amount = self.chance.randrange(LEAST["4"], MOST["4"] + 1)
        try:
            logged = log_offence(
                stage=self.made.stage,
                table=self.tables[table],
                player_id=player,
                others=others,
                infraction=code,
                condition=condition,
                levels=chosen,
                reason=reason,
                hand=named,
                amount=amount,
                by=self.made.alice if approves else self.made.bob,
                approves=approves,
                at=self.at,
            )
        except Refused as refusal:
            agree(f"a refusal ({refusal})", waits_already, True)
            self.did["refused"] += 1
            return
        agree("no refusal", waits_already, False)
        self._name_hand(table, named)
        together = object()
        for penalty, each in zip(logged, punished, strict=True):
            levels = given[each]
            waits = not approves and severity(levels) >= SEVERITY.index(CHIEF_FROM)
            own = levels == tuple(noted["levels"])
            self.book[penalty.pk] = Given(
                player=each,
                table=table,
                hand=hand,
                code=code,
                condition=condition,
                levels=levels,
                tenths=-(amount or sum(LEAST[level] for level in levels)),
                ban=severity(levels) >= SEVERITY.index("3") or (own and noted["win_ban"]),
                state="requested" if waits else "in_force",
                act=together,
            )
            agree("who", penalty.player_id, each)
            self.did["logged"] += 1
            self.did["raised"] += owes[each][0] != tuple(noted["levels"])
            self.did["asked about the hand"] += len(owes[each][1]) > len(noted.get("options", ()))

    def _often_the_first(self, found: list[int]) -> int:
        """So that offences are repeated: by the same player at the same table."""
        return found[0] if self.chance.random() < 0.7 else self.chance.choice(found)

    def _choose(self, owes: dict[int, Any], punished: list[int]) -> tuple[tuple[str, ...] | None, str]:
        """Choose another level that the rules allow, or any level with a remark."""
        first = owes[punished[0]]
        if first[1] and len(punished) == 1 and self.chance.random() < 0.5:
            self.did["chosen"] += 1
            return (self.chance.choice(first[1]),), ""
        if self.chance.random() < 0.15:
            self.did["departed"] += 1
            return (self.chance.choice(SEVERITY),), "as the referee saw it"
        return None, ""

    def _named_hand(self, table: int) -> str:
        if self.chance.random() > 0.1:
            return ""
        return self._later(self.hand[table])

    def _name_hand(self, table: int, named: str) -> None:
        """Advance the table to the hand named with a penalty. Without a hand only bans move."""
        if not named:
            return
        before = self.hand[table]
        for each in self.book.values():
            here = each.table == table and each.hand == before and each.state in ("in_force", "requested")
            if here and each.ban and not is_known(before):
                each.hand = named
        self.hand[table] = named

    def _later(self, hand: str) -> str:
        """A hand after this one."""
        if not is_known(hand):
            return f"{self.chance.choice('ES')}{self.chance.randint(1, 4)}.{self.chance.randint(0, 2)}"
        wind, number, honba, _again = parts(hand)
        turn = "ES".index(wind) * 4 + number  # of the next one
        return f"{'ES'[turn // 4]}{turn % 4 + 1}.0" if turn < 8 else f"{wind}{number}.{honba + 1}"

    def step(self) -> None:
        table = self.chance.choice(list(self.tables))
        now, same = self.hand[table], False
        if is_known(now):
            wind, number, honba, again = parts(now)
            turn = "ES".index(wind) * 4 + number
            nexts = [f"{wind}{number}.{honba + 1}", f"{wind}{number}.{honba}.{again + 1}"]
            nexts += [f"{'ES'[turn // 4]}{turn % 4 + 1}.{more}" for more in (0, honba + 1) if turn < 8]
            then = self.chance.choice(nexts if again < 9 else nexts[:1])
        elif self.chance.random() < 0.5:
            then = f"?{int(now[1:] or 0) + 1}"
        else:
            then, same = self._later(now), self.chance.random() < 0.5
        set_hand(table=self.tables[table], hand=then, same=same, by=self.made.bob, at=self.at)
        for each in self.book.values() if same else ():
            if each.table == table and each.hand == now and each.state in ("in_force", "requested"):
                each.hand = then
        self.hand[table] = then
        self.did["hands"] += 1

    def decide(self) -> None:
        waiting = [pk for pk, each in self.book.items() if each.state == "requested"]
        if not waiting:
            return
        pk = self.chance.choice(waiting)
        verdict = self.chance.choice(("approve", "decline"))
        decide_request(
            penalty=Penalty.objects.get(pk=pk), verdict=verdict, reason="seen", by=self.made.alice, at=self.at
        )
        for each in self.book.values():
            if each.act is self.book[pk].act and each.state == "requested":
                each.state = "in_force" if verdict == "approve" else "declined"
        self.did[verdict] += 1

    def revoke(self) -> None:
        there = [pk for pk, each in self.book.items() if each.state != "revoked"]
        if there:
            pk = self.chance.choice(there)
            revoke_penalty(
                penalty=Penalty.objects.get(pk=pk), reason="by lot", by=self.made.alice, at=self.at
            )
            self.book[pk].state = "revoked"
            self.did["revoked"] += 1

    def _record(self, player: int) -> list[Given]:
        return [each for each in self.book.values() if each.player == player]

    # --- what must be so

    def check(self) -> None:
        found = {
            p.pk: (p.level, p.score, p.win_ban, p.hand, "revoked" if p.revoked_at else p.status)
            for p in Penalty.objects.filter(competition=self.made.competition)
        }
        wanted = {
            pk: (", ".join(each.levels), each.tenths, each.ban, each.hand, each.state)
            for pk, each in self.book.items()
        }
        agree("the penalties", found, wanted)
        held = {
            pk
            for pk, each in self.book.items()
            if each.ban and each.state in ("in_force", "requested") and each.hand == self.hand[each.table]
        }
        agree("the bans", {penalty.pk for penalty in active_bans(self.made.competition)}, held)
        gone = Entrant.objects.filter(competition=self.made.competition, withdrawn_at__isnull=False)
        expelled = {each.player for each in self.book.values() if each.counts and "6" in each.levels}
        agree("who is expelled", set(gone.values_list("player", flat=True)), expelled)

    def check_sums(self) -> None:
        sums: Counter[int] = Counter()
        for each in self.book.values():
            sums[each.player] += each.tenths if each.counts else 0
        stage = Stage.objects.select_related("division__competition", "division__rule_set").get(
            pk=self.made.stage.pk
        )
        rows = compute_standings(stage, public=True).rows
        agree(
            "the sums",
            {line.row.player: line.row.penalty for line in rows},
            {p.pk: sums[p.pk] for p in self.made.players},
        )


def is_known(hand: str) -> bool:
    return bool(hand) and not hand.startswith("?")


def parts(hand: str) -> tuple[str, int, int, int]:
    name, honba, *again = hand.split(".")
    return name[0], int(name[1:]), int(honba), int(again[0]) if again else 0
