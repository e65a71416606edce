"""Random games through the pages of a table: two phones, a bad network, corrections, players who swap.

What the players meant is kept beside it, and replayed by the engine alone.
"""

import re
import uuid
from dataclasses import dataclass, field
from random import Random
from typing import Any

from league.models import HandEntry, Table
from league.play.hands.queries import table_game
from scoring.hanchan import (
    Abort,
    Chombo,
    ExhaustiveDraw,
    Foul,
    Game,
    Hand,
    IllegalHand,
    Nagashi,
    Outcome,
    Riichi,
    Ron,
    Tsumo,
    check,
    replay,
)
from scoring.hand_log import reseated
from scoring.payments import Liability, Win
from scoring.rules import Rules
from scoring.score_table import possible_values
from tests.factories import Club, signed_in
from tests.hands import Phone, phone_at

MOST_TRIES = 200
LOST_BEFORE, LOST_AFTER = 0.12, 0.12  # shares of the requests


@dataclass
class Meant:
    """A hand as it was meant, and the key of its entry. `number`: once it is saved."""

    key: uuid.UUID
    hand: Hand
    number: int


@dataclass
class RandomGame:
    """A game at a table. `requests` counts those that reached the server, `resent` those sent again."""

    club: Club
    table: Table
    random: Random
    meant: list[Meant] = field(default_factory=list)
    requests: int = 0
    resent: int = 0
    conflicts: int = 0
    refused: int = 0
    changes: int = 0

    def __post_init__(self) -> None:
        self.rules: Rules = self.table.round.stage.division.rules
        self.phones = [phone_at(self.table), phone_at(self.table)]
        self.organizer = signed_in(self.club.alice)
        for phone in self.phones:
            phone.see()

    def run(self) -> None:
        for _step in range(self.random.randint(4, 40)):
            self._step()
            self.check()
            if self.game.over and self.random.random() < 0.6:
                break

    @property
    def game(self) -> Game:
        return replay(self.rules, [each.hand for each in self.meant])

    def check(self) -> None:
        """Compare the page's state with what was meant: nothing lost, nothing twice."""
        state = phone_at(self.table).see()
        game = self.game
        assert [hand["number"] for hand in state["hands"]] == [each.number for each in self.meant]
        assert [Hand.from_values(hand["facts"]) for hand in state["hands"]] == [
            each.hand for each in self.meant
        ]
        assert (tuple(state["points"]), state["deposits"]) == (game.points, game.deposits)
        assert (state["dealer"], state["honba"], state["over"]) == (game.dealer, game.honba, game.over)
        assert table_game(self.table).number == HandEntry.objects.filter(table=self.table).count()

    # --- what happens

    def _step(self) -> None:
        phone = self.random.choice(self.phones)
        if self.random.random() < 0.6:  # else it may not know what the other phone entered
            phone.see()
        ways: list[tuple[float, Any]] = [
            (10, self._play),
            (1.5, self._queue),
            (1.5, self._riichi),
            (1, self._undo),
            (1, self._correct),
            (0.7, self._insert),
            (0.5, self._remove),
            (0.3, self._swap),
        ]
        if not self.meant:
            ways = ways[:3]
        weights, steps = zip(*ways, strict=True)
        self.random.choices(steps, weights)[0](phone)

    def _play(self, phone: Phone) -> None:
        hand = random_hand(self.random, self.game)
        if hand is not None:
            self._enter(phone, "hand", hand, [*self.hands, hand])

    @property
    def hands(self) -> list[Hand]:
        return [each.hand for each in self.meant]

    def _queue(self, phone: Phone) -> None:
        """Press several hands without network, and send them in their order afterwards."""
        game, queue, before = self.game, [], phone.known
        for _hand in range(self.random.randint(2, 4)):
            hand = random_hand(self.random, game)
            if hand is None:
                break
            queue.append((uuid.uuid4(), hand))
            game = replay(game, [hand])
        if self.random.random() < 0.3:
            self._play(self.phones[0] if phone is self.phones[1] else self.phones[1])
        last: uuid.UUID | None = None
        for key, hand in queue:
            phone.known = before
            if not self._enter(phone, "hand", hand, [*self.hands, hand], key=key, after=last or ""):
                break  # the other phone was first: the player chooses what it entered
            last = key

    def _riichi(self, phone: Phone) -> None:
        game = self.game
        seats = [s for s in range(4) if game.points[s] >= 1000 or self.rules.riichi_below_1000]
        chosen = self.random.sample(seats, min(len(seats), self.random.randint(1, 2)))
        answer = self._send(phone, "riichi", {"seats": chosen})
        assert answer.status_code in ({409, 422} if game.over else {200, 409})

    def _undo(self, phone: Phone) -> None:
        self._enter(phone, "remove", None, self.hands[:-1], index=len(self.meant) - 1)

    def _remove(self, phone: Phone) -> None:
        index = self.random.randrange(len(self.meant))
        hands = self.hands
        del hands[index]
        self._enter(phone, "remove", None, hands, index=index)

    def _correct(self, phone: Phone) -> None:
        index = self.random.randrange(len(self.meant))
        hand = random_hand(self.random, replay(self.rules, self.hands[:index]))
        if hand is not None:
            hands = [*self.hands[:index], hand, *self.hands[index + 1 :]]
            self._enter(phone, "correct", hand, hands, index=index)

    def _insert(self, phone: Phone) -> None:
        index = self.random.randrange(len(self.meant))
        hand = random_hand(self.random, replay(self.rules, self.hands[:index]))
        if hand is not None:
            hands = [*self.hands[:index], hand, *self.hands[index:]]
            self._enter(phone, "insert", hand, hands, index=index)

    def _enter(
        self,
        phone: Phone,
        kind: str,
        hand: Hand | None,
        hands: list[Hand],
        *,
        index: int | None = None,
        key: uuid.UUID | None = None,
        **fields: object,
    ) -> bool:
        """Send an entry after which `hands` were played, and keep what was meant once it is saved."""
        is_possible = _can_be(self.rules, hands)
        key = key or uuid.uuid4()
        about = {} if index is None else {"target": self._target(self.meant[index])}
        facts = {} if hand is None else hand.as_values()
        knew, newest = phone.known, table_game(self.table).number
        answer = self._send(phone, kind, facts, key=key, **about, **fields)
        if answer.status_code == 409:
            self.conflicts += 1
            assert knew < newest
            assert answer.json()["conflict"][0]["number"] > knew
            return False
        assert answer.status_code == (200 if is_possible else 422), answer.content.decode()
        if not is_possible:
            self.refused += 1
            return False
        number = answer.json()["number"]
        if kind == "remove":
            del self.meant[index]  # type: ignore[arg-type]
        elif kind == "correct":
            self.meant[index].hand = hand  # type: ignore[index,assignment]
        else:
            place = len(self.meant) if index is None else index
            self.meant.insert(place, Meant(key, hand, number))  # type: ignore[arg-type]
        self.changes += kind != "hand"
        return True

    def _target(self, meant: Meant) -> object:
        """Name a hand by its number, or by the key of its entry as a phone does without an answer."""
        return self.random.choice([meant.number, meant.key])

    def _send(self, phone: Phone, kind: str, facts: object, **fields: Any) -> Any:
        """Send over a network that loses requests and answers, until an answer comes."""
        fields["key"] = fields.get("key") or uuid.uuid4()
        knew = phone.known
        while True:
            if self.random.random() < LOST_BEFORE:
                self.resent += 1
                continue
            phone.known = knew
            answer = phone.send(kind, facts, **fields)
            self.requests += 1
            if self.random.random() >= LOST_AFTER:
                return answer
            self.resent += 1

    def _swap(self, _phone: Phone) -> None:
        """Two players of the table change seats: their hands move with them, or stay."""
        one, other = self.random.sample(range(4), 2)
        follows = self.random.random() < 0.5
        places = {one: other, other: one}
        seats = [places.get(seat, seat) for seat in range(4)]
        moved = [Hand.from_values(reseated(each.as_values(), seats)) for each in self.hands]
        meant = moved if follows else self.hands
        players = list(self.table.seats.order_by("wind").values_list("player", flat=True))
        there = f"/c/{self.club.slug}/manage/rounds/{self.table.round_id}/people/"
        page = self.organizer.get(there).content.decode()
        state = page.split('name="based_on" value="')[1].split('"')[0]
        swap = {
            "based_on": state,
            "player": players[one],
            "other_player": players[other],
            "hands": "follow" if follows else "stay",
            "reason": "sat the other way round",
        }
        answer = self.organizer.post(self.swap_address, swap | {"key": str(uuid.uuid4())})
        effects = dict(
            re.findall(
                r'value="(follow|stay)">\s*<input type="hidden" name="effect" value="(\w+)"',
                answer.content.decode(),
            )
        )
        if swap["hands"] in effects:  # the page shows what changes, and asks
            answer = self.organizer.post(
                self.swap_address, swap | {"key": str(uuid.uuid4()), "effect": effects[swap["hands"]]}
            )
        assert answer.status_code == (302 if _can_be(self.rules, meant) else 422), answer.content.decode()
        if answer.status_code == 302:
            self.changes += 1
            for each, hand in zip(self.meant, meant, strict=True):
                each.hand = hand

    @property
    def swap_address(self) -> str:
        return f"/c/{self.club.slug}/manage/rounds/{self.table.round_id}/people/swap/"


def _can_be(rules: Rules, hands: list[Hand]) -> bool:
    try:
        replay(rules, hands)
    except IllegalHand:
        return False
    return True


# --- random hands that the rules allow


def random_hand(random: Random, game: Game) -> Hand | None:
    """Return a hand that can follow, or None after the end of the game."""
    for _try in range(MOST_TRIES):
        hand = _any_hand(random, game)
        if not check(game, hand):
            return hand
    assert game.over
    return None


def _any_hand(random: Random, game: Game) -> Hand:
    rules = game.rules
    riichi = [seat for seat in range(4) if random.random() < 0.2]
    outcome = _any_outcome(random, rules, riichi)
    laid = tuple(Riichi(seat, random.choice(("passed", "passed", "passed", "called"))) for seat in riichi)
    if isinstance(outcome, Ron) and outcome.loser in riichi and random.random() < 0.5:
        laid = tuple(Riichi(each.seat, "won") if each.seat == outcome.loser else each for each in laid)
    if isinstance(outcome, Abort) and outcome.reason == "suucha_riichi":
        laid = tuple(Riichi(seat) for seat in range(4))
    extra = (0, 0, random.randint(0, 2), 0) if random.random() < 0.03 else (0, 0, 0, 0)
    bell = rules.minutes is not None and random.random() < 0.05
    bans = tuple(seat for seat in range(4) if random.random() < 0.02)
    dead = tuple(seat for seat in range(4) if seat not in bans and random.random() < 0.02)
    fouls = tuple(Foul(seat, rules.redeal_tiles - 1) for seat in range(4) if random.random() < 0.02)
    return Hand(
        outcome=outcome,
        riichi=laid,
        extra_tiles=extra,
        bell=bell,
        win_bans=bans,
        dead_hands=dead,
        fouls=fouls if rules.redeal_tiles else (),
    )


def _any_outcome(random: Random, rules: Rules, riichi: list[int]) -> Outcome:
    first, *others = random.sample(range(4), 4)
    tenpai = tuple({*riichi, *(seat for seat in range(4) if random.random() < 0.4)})
    kind = random.choices(("ron", "tsumo", "draw", "nagashi", "abort", "chombo"), (8, 5, 5, 1, 1, 1))[0]
    if kind == "ron":
        count = random.choices((1, 2, 3), (8, 2, 1))[0]
        return Ron(tuple(_any_win(random, rules, seat, tsumo=False) for seat in others[:count]), first)
    if kind == "tsumo":
        return Tsumo(_any_win(random, rules, first, tsumo=True))
    if kind == "nagashi" and rules.nagashi_mangan:
        return Nagashi(tuple(others[: random.randint(1, 2)]), tenpai)
    if kind == "abort" and rules.abortive_draws:
        return Abort(random.choice(rules.abortive_draws))
    if kind == "chombo":
        return Chombo((first,), rules.redeal_tiles or None)
    return ExhaustiveDraw(tenpai)


def _any_win(random: Random, rules: Rules, winner: int, *, tsumo: bool) -> Win:
    value = random.choice(possible_values(rules, tsumo=tsumo))
    liable: tuple[Liability, ...] = ()
    if value.yakuman and random.random() < 0.5:
        liable = (Liability((winner + random.randint(1, 3)) % 4, "daisangen"),)
    return Win(winner, value, liable)
