"""A round seated by hand: drawn by lot, chosen from lists, or pasted."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.bans.queries import banned_here
from league.core.access import Access, Can, enter
from league.core.forms import attempt
from league.core.pages import SEEDS, SignedIn, context, sent
from league.core.rounds import seating
from league.models import Ban, Round
from league.people.queries import Candidate, candidates
from league.rounds.services import fingerprint, played_tables, random_seating, seat_players
from league.seating.forms.by_hand import (
    MOST_TABLES,
    DrawForm,
    HandForm,
    PasteForm,
    SeatingForm,
    read_seating,
    seat_labels,
    tables_typed,
)
from league.stages.queries import qualified_players

HOW = ("random", "hand", "paste")


@dataclass(frozen=True)
class Seating:
    """A round that is being seated: who is entered, who may be drawn, what cannot change any more."""

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
        return seating(self.round)

    @cached_property
    def locked(self) -> dict[int, list[int]]:
        """The tables that have a score sheet."""
        played = played_tables(self.round)
        return {number: four for number, four in self.now.items() if number in played}

    @cached_property
    def pool(self) -> list[int]:
        """Who can be drawn: came through the cut of this stage, or is entered in this division where it has
        none; not withdrawn, no substitute, at no table that has played.
        """
        seated = {player for four in self.locked.values() for player in four}
        came = qualified_players(self.round.stage)
        substitutes = self.access.competition.entrants.filter(is_substitute=True)
        seated |= set(substitutes.values_list("player_id", flat=True))
        return [
            player
            for player, candidate in self.people.items()
            if (candidate.division == self.round.stage.division_id if came is None else player in came)
            and not candidate.withdrawn
            and player not in seated
        ]

    @cached_property
    def banned(self) -> dict[int, Ban]:
        """The entered players who must not play on the day of the round."""
        may_sit = [player for player, candidate in self.people.items() if not candidate.withdrawn]
        return banned_here(self.access.competition, may_sit, on=self.round.date)

    def names(self, four: Iterable[int]) -> list[str]:
        return [self.labels.get(player, "") for player in four]

    def shown(self, tables: Mapping[int, list[int]]) -> list[tuple[int, list[object]]]:
        """Tables with their players, for templates."""
        return [
            (number, [self.people[player].info for player in four]) for number, four in sorted(tables.items())
        ]

    def save(
        self, tables: Mapping[int, list[int]], form: SeatingForm, *, by: User, seed: int | None = None
    ) -> Callable[[], object]:
        return lambda: seat_players(
            round_=self.round,
            tables={**tables, **self.locked},
            seed=seed,
            method=Round.Method.HAND if seed is None else Round.Method.RANDOM,
            based_on=form.cleaned_data["based_on"],
            despite=form.in_spite,
            by=by,
            form=form.submission(self.round.pk),
        )


@require_http_methods(["GET", "HEAD", "POST"])
def seat(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    work = Seating(access, access.round(pk))
    how = request.POST.get("how") or request.GET.get("how", "")
    if how not in HOW:
        how = "hand" if work.now else "random"
    if how == "hand" and max(len(work.now), len(work.pool) // 4) > MOST_TABLES:
        how = "paste"
    return {"random": _at_random, "hand": _by_hand, "paste": _by_paste}[how](request, work)


def _page(request: SignedIn, work: Seating, how: str, **more: object) -> HttpResponse:
    page = context(work.access) | {
        "round": work.round,
        "stage": work.round.stage,
        "how": how,
        "locked": work.shown(work.locked),
        "now": work.shown(work.now),
        "based_on": fingerprint(work.now),
        "by_hand": max(len(work.now), len(work.pool) // 4) <= MOST_TABLES,
        "labels": list(work.labels.values()),
        "closed": work.round.status == Round.Status.CLOSED,
        "bans": list(work.banned.values()),
    }
    return render(request, "seating/by_hand.html", page | more)


def _seated(request: SignedIn, work: Seating, tables: Mapping[int, list[int]]) -> HttpResponse:
    seated = len({*tables, *work.locked})
    sentence = ngettext(
        "Round %(number)s is seated: %(count)s table.",
        "Round %(number)s is seated: %(count)s tables.",
        seated,
    )
    messages.success(request, sentence % {"number": work.round.number, "count": seated})
    return redirect("competitions:manage", work.access.competition.slug)


def _at_random(request: SignedIn, work: Seating) -> HttpResponse:
    """Shows a draw; saves one only when it is accepted and everybody in it can still be drawn."""
    out = _sitting_out(request, work)
    form = DrawForm(request.POST if request.POST.get("step") == "save" else None)
    stale = False
    if form.is_bound:
        players = [player for player in work.pool if player not in out]
        stale = not form.is_valid() or sorted(players) != form.cleaned_data["players"]
        if not stale:
            seed = form.cleaned_data["seed"]
            tables = random_seating(players, seed=seed, taken=work.locked)
            if attempt(form, work.save(tables, form, by=request.user, seed=seed)):
                return _seated(request, work, tables)
    return _page(request, work, "random", form=form, stale=stale, **_draw(work, out, request.POST))


def _draw(work: Seating, out: set[int], typed: QueryDict) -> dict[str, object]:
    """A new draw of everyone in the pool who does not sit out; none while they are no multiple of four."""
    players = sorted(player for player in work.pool if player not in out)
    seed = secrets.randbelow(SEEDS)
    over = len(players) % 4
    drawn = {} if over or not players else random_seating(players, seed=seed, taken=work.locked)
    initial = {
        "seed": seed,
        "players": ",".join(map(str, players)),
        "despite": "despite" in typed,
        "despite_reason": typed.get("despite_reason", "")[:300],
    }
    return {
        "draw": DrawForm(initial=initial),
        "drawn": work.shown(drawn),
        "seed": seed,
        "over": over,
        "short": 4 - over,
        "playing": len(players),
        "pool": [(work.people[player].info, player in out) for player in work.pool],
        "out": len(work.pool) - len(players),
    }


def _sitting_out(request: SignedIn, work: Seating) -> set[int]:
    """Who was ticked to sit out; at first who is banned, and who did not play in the round that this one
    shall be like.
    """
    if request.method == "POST":
        return {int(text) for text in request.POST.getlist("out") if _is_id(text)}
    banned = {player for player in work.pool if player in work.banned}
    like = request.GET.get("as", "")
    if not _is_id(like):
        return banned
    found = work.access.rounds().filter(stage=work.round.stage_id, pk=int(like)).first()
    if found is None:
        return banned
    played = {player for four in seating(found).values() for player in four}
    return banned | {player for player in work.pool if player not in played}


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _by_hand(request: SignedIn, work: Seating) -> HttpResponse:
    free = {number: work.names(four) for number, four in work.now.items() if number not in work.locked}
    if request.method != "POST":
        numbers = _numbers(work, sorted(free), wanted=len(work.pool) // 4 if not free else len(free))
        return _page(request, work, "hand", form=HandForm(numbers=numbers, prefilled=free))
    numbers = tables_typed(request.POST)
    if "more" in request.POST:
        typed = {n: [request.POST.get(f"t{n}_{wind}", "") for wind in range(4)] for n in numbers}
        numbers = _numbers(work, numbers, wanted=len(numbers) + 1)
        return _page(request, work, "hand", form=HandForm(numbers=numbers, prefilled=typed))
    form = HandForm(request.POST, numbers=numbers, prefilled={})
    if form.is_valid():
        tables, problems = read_seating(form.typed(), work.people, work.locked)
        form.add_problems(problems)
        if not problems and not tables and not work.locked:
            form.add_error(None, _("Type the names of at least four players."))
        if form.is_valid() and attempt(form, work.save(tables, form, by=request.user)):
            return _seated(request, work, tables)
    return _page(request, work, "hand", form=form)


def _numbers(work: Seating, there: list[int], *, wanted: int) -> list[int]:
    """The numbers of the tables that the form shows: those there are, then free ones up to ``wanted``."""
    free = (n for n in count(1) if n not in there and n not in work.locked)
    more = min(max(wanted, 1), MOST_TABLES) - len(there)
    return sorted([*there, *(next(free) for _each in range(more))])


def _by_paste(request: SignedIn, work: Seating) -> HttpResponse:
    lines = [
        "\t".join((str(number), *work.names(four)))
        for number, four in work.now.items()
        if number not in work.locked
    ]
    form = PasteForm(sent(request), initial={"seating": "\n".join(lines)})
    if form.is_bound and form.is_valid():
        tables = _read_paste(form, work)
        if form.is_valid() and attempt(form, work.save(tables, form, by=request.user)):
            return _seated(request, work, tables)
    return _page(request, work, "paste", form=form)


def _read_paste(form: PasteForm, work: Seating) -> dict[int, list[int]]:
    try:
        typed = form.typed(work.locked)
    except ValidationError as error:
        form.add_error("seating", error)
        return {}
    tables, problems = read_seating(typed, work.people, work.locked)
    form.add_problems(problems)
    return tables
