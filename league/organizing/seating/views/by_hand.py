"""Pages for seating a round by hand: random draw, lists of names, or pasted text."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import count
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.changes import Sent
from league.core.errors import OutOfDate
from league.core.pages import draw_seed, number_in, page, posted, save, writes
from league.core.rounds import seating
from league.core.text import listed
from league.core.zones import day_of_new_round, day_of_play
from league.models import Ban, Round, SittingOut, Stage
from league.organizing.seating.forms.by_hand import (
    MOST_TABLES,
    DrawForm,
    PasteForm,
    SeatingForm,
    TablesForm,
    seat_labels,
    tables_typed,
)
from league.organizing.seating.services.by_hand import seat_by_hand
from league.people.members.queries import Candidate, candidates
from league.play.bans.queries import banned_here
from league.play.open_play.queries import absent_players, gone_players
from league.play.rounds.queries.rounds import players_by_stage
from league.play.rounds.services import (
    fingerprint,
    played_tables,
    random_seating,
)
from scoring.seating.checker import SEATS
from scoring.seating.sitting_out import choose_sitting_out

MOST_ADDRESS = 1_500  # characters; a draw without hundreds of players has no address of its own
MOST_SEED = 2**31 - 1
OK = 200  # of a form that was sent only to show the page again with more
MOST_ROUNDS = 9999
WAYS = ("random", "hand", "paste")


@dataclass(frozen=True)
class Draw:
    """A draw before it is accepted: who plays, the substitutes among them, and who sits out by lot."""

    seed: int
    players: Sequence[int]
    filling: Sequence[int] = ()
    resting: Sequence[int] = ()


@dataclass(frozen=True)
class RoundToSeat:
    access: Access
    round: Round

    @cached_property
    def people(self) -> dict[int, Candidate]:
        return candidates(self.access.competition)

    @cached_property
    def labels(self) -> dict[int, str]:
        return seat_labels(candidate.info for candidate in self.people.values())

    @cached_property
    def now(self) -> dict[int, list[int]]:
        return seating(self.round) if self.round.pk else {}

    @cached_property
    def locked(self) -> dict[int, list[int]]:
        played = played_tables(self.round) if self.now else set()
        return {number: four for number, four in self.now.items() if number in played}

    @cached_property
    def pool(self) -> list[int]:
        """Return the stage's players who can be drawn, without those of tables that have played."""
        stage = self.round.stage
        seated = {player for four in self.locked.values() for player in four}
        free = set(players_by_stage([stage], self.access.competition)[stage.pk]) - seated
        return [player for player in self.people if player in free]

    @property
    def day(self) -> date:
        return self.round.date or day_of_play(self.access.competition)

    @cached_property
    def absent(self) -> set[int]:
        return absent_players(self.round.stage, self.day, self.pool) or set()

    @cached_property
    def banned(self) -> dict[int, Ban]:
        may_sit = [player for player, candidate in self.people.items() if not candidate.withdrawn]
        return banned_here(self.access.competition, may_sit, on=self.round.date)

    def fill(self, players: Collection[int]) -> list[int]:
        """Return the substitutes who fill the last table of a draw, or [] if they are too few."""
        seated = {player for four in self.locked.values() for player in four} | {*players}
        free = [
            player
            for player, candidate in self.people.items()
            if candidate.substitute and not candidate.withdrawn
            if player not in seated and player not in self.banned
        ]
        short = -len(players) % SEATS
        return free[:short] if short <= len(free) else []

    def draw(self, out: Collection[int], seed: int) -> Draw:
        """Draw who plays: all but `out`, with substitutes, or without those who sit out by lot.

        Players who sat out least in this stage do so first.
        """
        playing = [player for player in self.pool if player not in out]
        if filling := self.fill(playing):
            return Draw(seed, sorted([*playing, *filling]), filling)
        random.Random(seed).shuffle(playing)  # noqa: S311 - a draw that can be repeated, no secret
        over = len(playing) % SEATS
        lot = set(choose_sitting_out(playing, over, sat_out=self._times_out)) if over else set()
        resting = [player for player in self.pool if player in lot]
        return Draw(seed, sorted(set(playing) - lot), resting=resting)

    @property
    def _times_out(self) -> Counter[int]:
        rounds = SittingOut.objects.filter(round__stage=self.round.stage).exclude(round=self.round.pk)
        return Counter(rounds.values_list("player_id", flat=True))

    def list_names(self, players: Iterable[int]) -> str:
        return listed(self.people[player].info.name for player in players)

    @property
    def fits_a_form(self) -> bool:
        return max(len(self.now), len(self.pool) // 4) <= MOST_TABLES

    def name(self, four: Iterable[int]) -> list[str]:
        return [self.labels.get(player, "") for player in four]

    def show(self, tables: Mapping[int, list[int]]) -> list[tuple[int, list[object]]]:
        return [
            (number, [self.people[player].info for player in four]) for number, four in sorted(tables.items())
        ]

    @property
    def facts(self) -> dict[str, Any]:
        return {"people": self.people, "locked": self.locked}


@gzip_page
@writes(Can.ORGANIZE)
def seat(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _seat(request, RoundToSeat(access, access.round(pk)))


@gzip_page
@writes(Can.ORGANIZE)
def seat_next(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Seat the next round of a stage. Opening the page creates nothing.

    The form and the address of a draw carry the round number, so that sending it twice seats one round.
    Free play redirects to the evening's tables.
    """
    stage = access.stage(pk)
    if stage.play == Stage.Play.OPEN:
        return redirect(access.address("open_play:tonight", pk))
    last = stage.rounds.last()
    asked = number_in(request.POST, "number") or number_in(request.GET, "number")
    number = asked or (last.number if last else 0) + 1
    made = Round(stage=stage, number=min(number, MOST_ROUNDS), date=day_of_new_round(access.competition))
    return _seat(request, RoundToSeat(access, made))


def _seat(request: HttpRequest, work: RoundToSeat) -> HttpResponse:
    how = request.POST.get("how") or request.GET.get("how", "")
    if how not in WAYS:
        how = "hand" if work.now else "random"
    if how == "hand" and not work.fits_a_form:
        how = "paste"
    return {"random": _seat_at_random, "hand": _seat_by_hand, "paste": _paste}[how](request, work)


def _page(
    request: HttpRequest, work: RoundToSeat, how: str, form: SeatingForm, *, status: int = 0, **more: object
) -> HttpResponse:
    """Render the form. It stays based on the seating that the person first saw."""
    typed = request.POST if request.method == "POST" else request.GET
    seen = "" if form.overtaken else typed.get("based_on", "")[:64]
    return page(
        request,
        work.access,
        "seating/by_hand.html",
        status=status,
        round=work.round,
        stage=work.round.stage,
        how=how,
        form=form,
        locked=work.show(work.locked),
        now=work.show(work.now),
        based_on=seen or fingerprint(work.now),
        by_hand=work.fits_a_form,
        labels=list(work.labels.values()),
        bans=list(work.banned.values()),
        **more,
    )


def _save(request: HttpRequest, work: RoundToSeat, form: SeatingForm) -> HttpResponse | None:
    def sentence(_answer: object) -> str:
        tables = len({*form.tables, *form.locked})
        said = ngettext(
            "Round %(number)s seated: %(count)s table.",
            "Round %(number)s seated: %(count)s tables.",
            tables,
        )
        return said % {"number": work.round.number, "count": tables}

    made = work.round

    def write(sent: Sent) -> None:
        try:
            seat_by_hand(round_=made, day=work.day, by=work.access.by, form=sent, **form.values())
        except OutOfDate:
            form.overtaken = True
            raise

    return save(
        request,
        form,
        write,
        about=(made.pk,) if made.pk else (made.stage_id, made.number),
        done=sentence,
        then=work.access.address("competitions:manage"),
    )


def _seat_at_random(request: HttpRequest, work: RoundToSeat) -> HttpResponse:
    """Show a draw. Save it only if it is accepted and all its players can still be drawn.

    Another draw has an address of its own, so that the browser goes back to the one before.
    """
    typed = request.POST
    saves = typed.get("step") == "save"
    out = _sitting_out(request, work)
    form = DrawForm(typed if saves else None, **work.facts)
    if request.method == "POST" and not saves:
        address = _draw_address(request, work, out)
        if len(address) <= MOST_ADDRESS and "despite" not in typed:
            return redirect(address)
    ticked = sorted([*_ticked(typed, work), *work.fill(_ticked(typed, work))]) if saves else []
    stale = saves and not (form.is_valid() and form.cleaned_data["players"] == ticked)
    if not stale and (answer := _save(request, work, form)):
        return answer
    asked = number_in(request.GET, "seed") if request.method != "POST" else None
    seed = asked if asked is not None and asked <= MOST_SEED else draw_seed()
    shown = _show_draw(work, work.draw(out, seed), out, typed)
    return _page(request, work, "random", form, status=0 if saves else OK, stale=stale, **shown)


def _draw_address(request: HttpRequest, work: RoundToSeat, out: set[int]) -> str:
    """Return the address of a new draw without these players, based on the seating that the person saw."""
    draft = {"how": "random", "seed": draw_seed(), "out": ",".join(map(str, sorted(out)))}
    draft["based_on"] = request.POST.get("based_on", "")[:64]
    number = {} if work.round.pk else {"number": work.round.number}
    return f"{request.path}?{urlencode(draft | number)}"


def _show_draw(work: RoundToSeat, draw: Draw, out: set[int], typed: QueryDict) -> dict[str, object]:
    tables = random_seating(draw.players, seed=draw.seed, taken=work.locked) if draw.players else {}
    players = ",".join(map(str, draw.players))
    initial = {"seed": draw.seed, "players": players, **_despite(typed)}
    return {
        "draw": DrawForm(initial=initial, **work.facts),
        "drawn": work.show(tables),
        "seed": draw.seed,
        "filling": work.list_names(draw.filling),
        "resting": work.list_names(draw.resting),
        "short": -len(draw.resting) % SEATS,
        "pool": [(work.people[player].info, player in draw.players) for player in work.pool],
        "offered": ",".join(map(str, work.pool)),
        "out": sum(player not in draw.players for player in work.pool),
        "chosen_out": ",".join(map(str, sorted(out))),
        "absent": work.absent,
        "absent_out": work.absent and work.absent <= out,
    }


def _despite(typed: QueryDict) -> dict[str, object]:
    return {"despite": "despite" in typed, "despite_reason": typed.get("despite_reason", "")[:300]}


def _ticked(typed: QueryDict, work: RoundToSeat) -> list[int]:
    """Return the players who are ticked, and those whom the page did not offer because they are new."""
    offered, ticked = _ids(typed.get("offered", "")), _ids(",".join(typed.getlist("plays")))
    return [player for player in work.pool if player in ticked or player not in offered]


def _sitting_out(request: HttpRequest, work: RoundToSeat) -> set[int]:
    """Return the players who are not drawn by choice. Before one is made: the banned and absent ones.

    Players whom a draw left out are not chosen, unless the ticks were changed after it. ``?out=``: the choice
    of a draw. ``?as=``: players who were not in that round instead of the absent ones. ``?tick=gone``: those
    who went home.
    """
    if request.method == "POST":
        ticked, drawn = set(_ticked(request.POST, work)), _ids(request.POST.get("players", ""))
        left = set(work.pool) - ticked
        return left if ticked != drawn & set(work.pool) else left & _ids(request.POST.get("out", ""))
    if "out" in request.GET:
        return set(work.pool) & _ids(request.GET["out"])
    banned = {player for player in work.pool if player in work.banned}
    like = request.GET.get("as", "")
    if not _is_id(like):
        if request.GET.get("tick") == "gone":
            return banned | gone_players(work.round.stage, work.day)
        return banned | work.absent
    earlier_round = work.access.rounds().filter(stage=work.round.stage_id, pk=int(like)).first()
    if earlier_round is None:
        return banned
    played = {player for four in seating(earlier_round).values() for player in four}
    return banned | {player for player in work.pool if player not in played}


def _ids(text: str) -> set[int]:
    return {int(each) for each in text.split(",") if _is_id(each)}


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _seat_by_hand(request: HttpRequest, work: RoundToSeat) -> HttpResponse:
    if request.method != "POST":
        free = {number: work.name(four) for number, four in work.now.items() if number not in work.locked}
        numbers = _numbers(work, sorted(free), wanted=len(free) or len(work.pool) // 4)
        form = TablesForm(numbers=numbers, prefilled=free, **work.facts)
        return _page(request, work, "hand", form)
    numbers = tables_typed(request.POST)
    if "more" in request.POST:
        typed = {n: [request.POST.get(f"t{n}_{wind}", "") for wind in range(4)] for n in numbers}
        numbers = _numbers(work, numbers, wanted=len(numbers) + 1)
        form = TablesForm(numbers=numbers, prefilled=typed, initial=_despite(request.POST), **work.facts)
        return _page(request, work, "hand", form, status=OK)
    form = TablesForm(request.POST, numbers=numbers, **work.facts)
    return _save(request, work, form) or _page(request, work, "hand", form)


def _numbers(work: RoundToSeat, there: list[int], *, wanted: int) -> list[int]:
    free = (n for n in count(1) if n not in there and n not in work.locked)
    more = min(max(wanted, 1), MOST_TABLES) - len(there)
    return sorted([*there, *(next(free) for _each in range(more))])


def _paste(request: HttpRequest, work: RoundToSeat) -> HttpResponse:
    lines = [
        "\t".join((str(number), *work.name(four)))
        for number, four in work.now.items()
        if number not in work.locked
    ]
    form = PasteForm(posted(request), initial={"seating": "\n".join(lines)}, **work.facts)
    return _save(request, work, form) or _page(request, work, "paste", form)
