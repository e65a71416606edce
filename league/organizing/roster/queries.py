"""A league's register as one competition sees it, and the plan of an import.

A *plan* says for every line of a roster whether saving enters a new person, a known person or nobody. *Picks*
are the organizer's ticks: "3:new", "3:same:17", "3:add", "3:change:17" (line, choice, player). Without the
last one a list leaves the record of a known person as it is.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, Final

from django.db.models import Exists, FilteredRelation, OuterRef, Prefetch, Q, QuerySet
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from league.core.search import sole
from league.core.text import labelled, listed
from league.models import Adjustment, Ban, Competition, Division, Entrant, Penalty, Seat, StageEntrant
from league.people.members.queries import known_clubs, known_players
from league.people.register.queries import person
from league.play.bans.queries import banned_here
from league.play.results.queries.games import RAW_POINTS
from players.matching import Facts, Index, Match, Person, exact_key, number_key, with_facts
from players.models import Club, FederationNumber, Player
from players.roster import Roster, RosterLine

PERSON_LABELS: Final[Mapping[str, str | Promise]] = {
    field.name: capfirst(field.verbose_name)
    for field in Player._meta.concrete_fields
    if field.name in ("name", "romanized", "country", "club")
}

# --- the list -----------------------------------------------------------------------------------------------


def entrants(competition: Competition) -> QuerySet[Entrant]:
    """Return all entrants with player, club, division and federation numbers. Queries: 2."""
    entered = Entrant.objects.filter(competition=competition).select_related("player__club", "division")
    return entered.prefetch_related("player__federation_numbers").order_by("division__position", "pk")


def matching_entrants(rows: QuerySet[Entrant], *, text: str, division: str, state: str) -> QuerySet[Entrant]:
    """Filter by words in name, club or number, or by a key.

    ``division``: its slug. ``state``: playing or withdrawn. Empty arguments match all.
    """
    for word in text.split():
        number = FederationNumber.objects.filter(player=OuterRef("player"), number__icontains=word)
        rows = rows.filter(
            Q(player__name__icontains=word)
            | Q(player__romanized__icontains=word)
            | Q(player__club__name__icontains=word)
            | Q(key__iexact=word)
            | Exists(number)
        )
    if division:
        rows = rows.filter(division__slug=division)
    if state in {"playing", "withdrawn"}:
        rows = rows.filter(withdrawn_at__isnull=state == "playing")
    return rows


def is_seated(entrant: Entrant) -> bool:
    """Return True if the entrant's record must stay.

    That is so after a seat (also one taken by a substitute), a penalty, an adjustment or a cut.
    """
    player, competition = entrant.player_id, entrant.competition_id
    mine = Q(player=player) | Q(stands_for=player)
    seats = Seat.objects.of(competition).filter(mine)
    penalties = Penalty.objects.filter(player=player, competition=competition)
    adjustments = Adjustment.objects.of(competition).filter(player=player)
    came = StageEntrant.objects.of(competition).filter(player=player)
    return any(rows.exists() for rows in (seats, penalties, adjustments, came))


def club_names(competition: Competition) -> list[str]:
    clubs = known_clubs(Club.objects.filter(register=competition.league.register_id))
    return list(clubs.order_by("name").values_list("name", flat=True))


# --- the register -------------------------------------------------------------------------------------------


def people(competition: Competition) -> list[Person]:
    """Return everyone in the league's register. ``entered``: in this competition. Queries: 2."""
    entered = Entrant.objects.filter(competition=competition, player=OuterRef("pk"))
    numbers = FederationNumber.objects.order_by("federation")
    players = known_players(Player.objects.filter(register=competition.league.register_id))
    players = (
        players.select_related("club")
        .annotate(entered=Exists(entered))
        .prefetch_related(Prefetch("federation_numbers", queryset=numbers))
    )
    return [person(player, entered=player.entered) for player in players.order_by("pk")]


def describe(person: Person) -> str:
    """Return a line that distinguishes people of the same name."""
    numbers = [" ".join(number) for number in person.numbers]
    facts = [person.romanized, person.country, person.club, *numbers]
    known = listed(fact for fact in facts if fact)
    return f"{person.name} ({known})" if known else person.name


def changes_of(person: Person, said: Facts) -> list[tuple[str, str, str]]:
    """Return (field, old, new) for what these facts would change in the person's record."""
    new = with_facts(person, said)
    old_numbers, new_numbers = dict(person.numbers), dict(new.numbers)
    rows = [(label, getattr(person, name), getattr(new, name)) for name, label in PERSON_LABELS.items()]
    rows += [
        (_("%(federation)s number") % {"federation": each}, old_numbers.get(each, ""), new_numbers[each])
        for each in new_numbers
    ]
    return [(str(label), old, new) for label, old, new in rows if old != new]


def words_of_changes(matches: Iterable[Match], said: Facts) -> list[str]:
    """Return “Anna: Club: Kiel → Bonn” for each person, not entered here, whose record would change."""
    return [
        labelled(
            match.person.name,
            listed(labelled(label, f"{old or '–'} → {new}") for label, old, new in changes),
        )
        for match in matches
        if not match.person.entered and (changes := changes_of(match.person, said))
    ]


# --- the plan of an import ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlannedLine:
    """The effect of saving one line.

    ``action``: new, same (``person``), entered, twin (of line ``twin``) or stuck. ``namesake``: an earlier
    line of another person with this name. ``team``: the team that the person joins. ``ban``: a ban of this
    person or of a similar one.
    """

    line: RosterLine
    action: str
    division: Division | None = None
    team: str = ""
    person: Person | None = None
    twin: int | None = None
    namesake: int | None = None
    matches: tuple[Match, ...] = ()
    problems: tuple[str, ...] = ()
    picked: frozenset[str] = field(default_factory=frozenset)
    ban: Ban | None = None

    @property
    def saves(self) -> bool:
        return self.action in {"new", "same"}

    @property
    def is_banned(self) -> bool:
        return self.ban is not None and self.action == "same"

    @cached_property
    def changes(self) -> list[tuple[str, str, str]]:
        """Return (field, old, new) for what the line would change in the record of a known person."""
        return changes_of(self.person, self.line) if self.person else []

    @property
    def change_tick(self) -> str:
        return f"{self.line.number}:change:{self.person.pk}" if self.person else ""

    @property
    def is_changed(self) -> bool:
        """Return True if the organizer ticked that the record changes."""
        return self.change_tick in self.picked and bool(self.changes)

    @property
    def choices(self) -> list[dict[str, Any]]:
        """Return the ticks: same (as ``person``), new, or add (another one of this name)."""
        taken = self.default
        offered: list[tuple[str, Person | None]] = [("add", None)] if self.twin is not None else []
        offered += [
            ("same", m.person)
            for m in self.matches
            if taken is None or m.person.pk != taken.pk or self.twin is not None
        ]
        if self.twin is None and any(match.exact for match in self.matches):
            offered.append(("new", None))
        return [self._choice(kind, person) for kind, person in offered]

    def _choice(self, kind: str, person: Person | None) -> dict[str, Any]:
        value = f"{self.line.number}:{kind}:{person.pk}" if person else f"{self.line.number}:{kind}"
        return {"value": value, "kind": kind, "person": person, "ticked": value in self.picked}

    @property
    def default(self) -> Person | None:
        """Return the sole exact match, which needs no tick."""
        return _only_exact(self.matches)


@dataclass(frozen=True)
class Plan:
    lines: tuple[PlannedLine, ...]
    problems: tuple[str, ...] = ()  # of the list as a whole

    @property
    def is_clear(self) -> bool:
        return not self.problems and all(not line.problems for line in self.lines)

    @property
    def can_save(self) -> bool:
        """Return True if no line has a problem and one would be saved, changed or put into a team."""
        return self.is_clear and any(line.saves or line.team or line.is_changed for line in self.lines)

    @property
    def teams(self) -> set[str]:
        return {exact_key(line.team) for line in self.lines if line.team}

    def count(self, action: str) -> int:
        return sum(line.action == action for line in self.lines)

    @property
    def new(self) -> int:
        return self.count("new")

    @property
    def same(self) -> int:
        return self.count("same")

    @property
    def skipped(self) -> int:
        return self.count("entered") + self.count("twin")

    @property
    def changed(self) -> list[PlannedLine]:
        return [line for line in self.lines if line.is_changed]

    @property
    def has_changes(self) -> bool:
        return any(line.changes for line in self.lines)

    @property
    def banned(self) -> list[PlannedLine]:
        return [line for line in self.lines if line.is_banned]

    @property
    def troubled(self) -> list[PlannedLine]:
        return [line for line in self.lines if line.problems]


def plan_roster(
    competition: Competition,
    roster: Roster,
    *,
    picks: Iterable[str] = (),
    division: str = "",
    of_games: bool = False,
) -> Plan:
    """Plan an import. ``division``: the slug for lines without a division. Queries: constant.

    ``of_games``: the lines are names in results. People are also offered for mistyped names, and several
    lines may be one person.
    """
    divisions = list(competition.divisions.all())
    index = Index(people(competition))
    said: dict[int, list[str]] = {}
    for problem in roster.problems:
        said.setdefault(problem.line, []).append(str(problem))
    ticked = _group_picks(picks)
    planned = [
        _plan_line(
            line,
            roster,
            index,
            said=said.get(line.number, []),
            ticks=ticked.get(line.number, frozenset()),
            division=_find_division(divisions, line.division or division, fallback=not line.division),
            of_games=of_games,
        )
        for line in roster.lines
    ]
    bans = banned_here(competition)
    lines = [_add_ban(plan, bans) for plan in (planned if of_games else _refuse_same_person(planned))]
    if any(line.team for line in roster.lines):
        teamless = set(competition.entrants.filter(team=None).values_list("player", flat=True))
        lines = [_add_team(plan, teamless) for plan in lines]
    return Plan(tuple(lines), tuple(said.get(0, ())))


def _add_ban(plan: PlannedLine, bans: Mapping[int, Ban]) -> PlannedLine:
    like = [match.person for match in plan.matches] if plan.action in {"new", "stuck"} else []
    people = [plan.person] if plan.person else like
    ban = next((bans[person.pk] for person in people if person.pk in bans), None)
    return plan if ban is None else replace(plan, ban=ban)


def _add_team(plan: PlannedLine, teamless: Collection[int]) -> PlannedLine:
    joins = plan.saves or (plan.action == "entered" and plan.person and plan.person.pk in teamless)
    return replace(plan, team=plan.line.team) if joins else plan


def _plan_line(
    line: RosterLine,
    roster: Roster,
    index: Index,
    *,
    said: Sequence[str],
    ticks: frozenset[str],
    division: Division | None,
    of_games: bool,
) -> PlannedLine:
    matches = tuple(
        index.matches(name=line.name, romanized=line.romanized, country=line.country, numbers=line.numbers)
    )
    if of_games:
        known = {match.person.pk for match in matches}
        mistyped = [person for person in index.mistyped(line.name) if person.pk not in known]
        matches += tuple(Match(person, exact=False) for person in mistyped)
    problems = list(said)
    if line.division and division is None:
        problems.append(_("Unknown division “%(name)s”.") % {"name": line.division})
    plan = PlannedLine(
        line=line,
        action="new",
        division=division,
        twin=roster.twins.get(line.number),
        namesake=roster.namesakes.get(line.number),
        matches=matches,
        picked=frozenset(f"{line.number}:{tick}" for tick in ticks),
    )
    return _decide(plan, index, ticks, problems)


def _decide(plan: PlannedLine, index: Index, ticks: frozenset[str], problems: list[str]) -> PlannedLine:
    ticks = frozenset(tick for tick in ticks if not tick.startswith("change:"))
    same = {tick.removeprefix("same:") for tick in ticks if tick.startswith("same:")}
    by_id = {str(match.person.pk): match.person for match in plan.matches}
    exact = [match.person for match in plan.matches if match.exact]
    chosen: Person | None = None
    if plan.twin is not None and not ticks:
        return replace(plan, action="twin", problems=tuple(problems))
    if len(same) + ("new" in ticks) > 1:
        problems.append(_("Tick only one choice."))
    elif same:
        chosen = by_id.get(same.pop())
        if chosen is None:
            problems.append(_("The list of players has changed. Choose again."))
    elif "new" not in ticks and plan.twin is None:
        chosen = _only_exact(plan.matches)
        if chosen is None and exact:
            problems.append(_("Several players have this name. Choose one, or a new person."))
    if not problems:
        problems += _find_taken_numbers(plan.line, index, but=chosen)
    action = "new" if chosen is None else "entered" if chosen.entered else "same"
    return replace(plan, action="stuck" if problems else action, person=chosen, problems=tuple(problems))


def _find_taken_numbers(line: RosterLine, index: Index, *, but: Person | None) -> Iterator[str]:
    for number in line.numbers:
        if set(index.holders(number)) - ({but.pk} if but else set()):
            yield _(
                "%(number)s is the number of another player. Tick that it is the same person, or correct the "
                "number."
            ) % {"number": " ".join(number)}


def _refuse_same_person(planned: Iterable[PlannedLine]) -> Iterator[PlannedLine]:
    """Refuse the second of two lines with the same person or number."""
    same_person = _("Line %(line)s is the same person. Remove one of the two, or tick a new person.")
    same_number = _("Line %(line)s has the same number. Correct one of the two.")
    first: dict[object, int] = {}
    for plan in planned:
        if not plan.saves:
            yield plan
            continue
        number = plan.line.number
        marks: list[tuple[object, str]] = [(plan.person.pk, same_person)] if plan.person else []
        marks += [(number_key(each), same_number) for each in plan.line.numbers]
        earlier = [(first.setdefault(mark, number), problem) for mark, problem in marks]
        problems = [problem % {"line": line} for line, problem in earlier if line != number]
        yield replace(plan, action="stuck", problems=tuple(problems)) if problems else plan


def _group_picks(picks: Iterable[str]) -> Mapping[int, frozenset[str]]:
    ticks_by_line: dict[int, set[str]] = {}
    for pick in picks:
        line, _colon, tick = pick.partition(":")
        if line.isascii() and line.isdigit() and len(line) < 9:
            ticks_by_line.setdefault(int(line), set()).add(tick)
    return {line: frozenset(ticks) for line, ticks in ticks_by_line.items()}


def _find_division(divisions: Sequence[Division], written: str, *, fallback: bool) -> Division | None:
    """Return the division with this name or address, or the sole division for a line without one."""
    key = exact_key(written)
    for division in divisions:
        if key and key in (exact_key(division.name), exact_key(division.slug)):
            return division
    return sole(divisions) if fallback else None


def _only_exact(matches: Iterable[Match]) -> Person | None:
    return sole([match.person for match in matches if match.exact])


# --- two records of one person ------------------------------------------------------------------------------


def suggested_pairs(competition: Competition, *, most: int = 50) -> list[tuple[Person, Person, bool]]:
    """Return pairs that may be one person (True: exactly alike), unless they sat in the same round."""
    pairs = list(islice(Index(people(competition)).pairs(), 4 * most))
    ids = {person.pk for one, other, _exact in pairs for person in (one, other)}
    rounds: dict[int, set[int]] = {}
    for player, round_ in Seat.objects.filter(player__in=ids).values_list("player_id", "round_id"):
        rounds.setdefault(player, set()).add(round_)
    met = [not rounds.get(a.pk, set()).isdisjoint(rounds.get(b.pk, ())) for a, b, _exact in pairs]
    return [pair for pair, have_met in zip(pairs, met, strict=True) if not have_met][:most]


def games_of(player_ids: Collection[int], competitions: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """Return player → games in these competitions, newest first. Queries: 1."""
    now = FilteredRelation("table__sheets", condition=Q(table__sheets__is_current=True))
    seats = Seat.objects.filter(player__in=player_ids, round__stage__division__competition__in=competitions)
    names = {
        "slug": "round__stage__division__competition__slug",
        "competition": "round__stage__division__competition__name",
        "round": "round__number",
        "table": "table_id",
        "number": "table__number",
    }
    games: dict[int, list[dict[str, Any]]] = {pk: [] for pk in player_ids}
    rows = seats.annotate(now=now).order_by("-round__date", "-round_id", "-pk")
    for player, wind, *facts in rows.values_list("player_id", "wind", *names.values(), *RAW_POINTS):
        points = facts[len(names) + wind]
        games[player].append(dict(zip(names, facts, strict=False)) | {"points": points})
    return games
