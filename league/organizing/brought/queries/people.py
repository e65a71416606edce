"""The people whom a list of results names: known people, new ones, and several spellings of one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.models import Stage
from league.organizing.brought.queries.placing import Identity
from league.organizing.roster.queries import Plan, PlannedLine, describe, plan_roster
from players.matching import exact_key, near_key, typing_keys
from players.roster import read_lines

_MOST_LIKE = 5  # similar names of the list that share a key


@dataclass(frozen=True)
class NamedLine:
    """A name of the list. ``times``: the number of its tables.

    ``like``: similar names of the list, each with at least as many tables. Neither they nor this name match
    a known person exactly. ``same_as``: the name in ``like`` that the organizer chose as the same person.
    """

    planned: PlannedLine
    times: int
    like: tuple[PlannedLine, ...] = ()
    same_as: PlannedLine | None = None

    @property
    def is_undecided(self) -> bool:
        """Return whether the name is near to others, and the organizer has not said who it is."""
        is_near = bool(self.planned.matches or self.like)
        return is_near and self.planned.default is None and not self._picks

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the problems besides an open choice."""
        return () if self.is_undecided else self.planned.problems

    @property
    def choices(self) -> list[tuple[str, str, bool]]:
        """Return (tick, words, chosen). The default is first: an exact match, or an open choice."""
        if not self.planned.matches and not self.like:
            return []
        number, default = self.planned.line.number, self.planned.default
        offered = [("", describe(default) if default else _("Choose …"))]
        for match in self.planned.matches:
            if match.person != default:
                words = describe(match.person)
                if match.person.entered:
                    words = _("%(person)s, already entered") % {"person": words}
                offered.append((f"{number}:same:{match.person.pk}", words))
        for other in self.like:
            words = _("The same person as %(name)s in this list") % {"name": other.line.name}
            offered.append((_like_tick(self.planned, other), words))
        offered.append((f"{number}:new", _("A new person")))
        return [(tick, words, tick in self._picks) for tick, words in offered]

    @property
    def _picks(self) -> frozenset[str]:
        return self.planned.picked


@dataclass(frozen=True, kw_only=True)
class People:
    """``plan``: the people to enter, each once. ``lines``: folded name → line of the plan."""

    names: tuple[NamedLine, ...]
    plan: Plan
    lines: Mapping[str, int]
    who: Mapping[str, Identity]


def plan_people(
    stage: Stage, names: Iterable[str], times: Mapping[str, int], *, picks: Iterable[str]
) -> People:
    """Plan to enter the people of a list. ``times``: folded name → number of its tables. Queries: constant.

    Names that are not in ``times`` are left out. ``picks``: ticks as of a roster, and "5:like:3" for two
    names of the list that are one person.
    """
    rows = [(line, [name]) for line, name in enumerate(names, 1) if exact_key(name) in times]
    roster, division = read_lines(["name"], rows), stage.division.slug
    found = plan_roster(stage.competition, roster, picks=picks, division=division, of_games=True)
    named = _compare([NamedLine(line, times[exact_key(line.line.name)]) for line in found.lines])
    heads = _heads(named)
    plan = Plan(tuple(line for line in found.lines if heads[line.line.number] is line), found.problems)
    return People(
        names=tuple(named),
        plan=plan,
        lines={exact_key(line.line.name): heads[line.line.number].line.number for line in found.lines},
        who={exact_key(line.line.name): _identity(heads[line.line.number]) for line in found.lines},
    )


def _compare(named: Sequence[NamedLine]) -> list[NamedLine]:
    """Compare each name with the more frequent ones. Names of known people are not compared."""
    groups: dict[str, list[PlannedLine]] = {}
    compared: dict[int, NamedLine] = {}
    for line in sorted(named, key=lambda line: -line.times):
        number, name = line.planned.line.number, line.planned.line.name
        compared[number] = line
        if any(match.exact for match in line.planned.matches):
            continue
        keys = {near_key(name), *typing_keys(name)} - {""}
        offered = {each.line.number: each for key in keys for each in groups.get(key, ())}
        like = tuple(offered.values())
        chosen = [each for each in like if _like_tick(line.planned, each) in line.planned.picked]
        compared[number] = replace(line, like=like, same_as=next(iter(chosen), None))
        for key in keys:
            group = groups.setdefault(key, [])
            if len(group) < _MOST_LIKE:
                group.append(line.planned)
    return [compared[line.planned.line.number] for line in named]


def _like_tick(line: PlannedLine, other: PlannedLine) -> str:
    return f"{line.line.number}:like:{other.line.number}"


def _heads(named: Sequence[NamedLine]) -> dict[int, PlannedLine]:
    """Return for each line the line that enters its person. Several names of a person enter it once."""
    heads: dict[int, PlannedLine] = {}
    first: dict[int, PlannedLine] = {}
    for line in sorted(named, key=lambda line: -line.times):  # the chosen one is before it
        planned = line.planned
        head = heads[line.same_as.line.number] if line.same_as else planned
        if head.person:
            head = first.setdefault(head.person.pk, head)
        heads[planned.line.number] = head
    return heads


def _identity(line: PlannedLine) -> Identity:
    return ("player", line.person.pk) if line.person else ("name", exact_key(line.line.name))
