"""How teams play, in a competition file: ``team_play`` holds the ``mode``, ``least_hanchan`` and
``most_hanchan`` of a player, of each round with teams ``until`` when they name players, the ``tables`` where
they sit and their ``line_ups``, the ``penalties`` of teams, the ``lots`` drawn between teams (``teams`` first
drawn first, and the ``seed``), and of each stage to which teams were cut, how they came, in ``cuts``: the
``top`` teams, or others chosen ``by_hand``; the ``teams`` that are in, what ``decided`` between equals, who
was ``gone`` and who ``moved_up``.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from league.interchange.imports.nodes import Node, shown
from league.interchange.services.keys import StageKey
from league.interchange.services.teams import (
    TeamCutFacts,
    TeamLotsFacts,
    TeamPenaltyFacts,
    TeamPlayFacts,
    TeamRoundFacts,
)
from league.models import Competition
from players.text import tidy
from scoring.standings import TIE_BREAKS
from scoring.units import parse_score

REASON = 300  # characters, as in the database
MOST_DEDUCTED = 100_000  # tenths
Places = Mapping[StageKey, Collection[int]]  # of each stage the numbers of its rounds


def team_play(
    root: Node,
    places: Places,
    with_cut: Collection[StageKey],
    teams: Collection[str],
    players: Collection[str],
) -> TeamPlayFacts | None:
    """What the file says of it; None where it says nothing. What is wrong is noted. ``with_cut`` are the
    stages that begin with a cut.
    """
    node = root.object("team_play", needed=False)
    if node is None:
        return None
    mode = node.choice("mode", Competition.TeamPlay.values)
    least, most = (
        node.whole(key, least=1) if node.value.get(key) is not None else None
        for key in ("least_hanchan", "most_hanchan")
    )
    if least and most and least > most:
        node.note("most_hanchan", _("The most is at least as many as the least."))
    seen: dict[object, Node] = {}
    cuts: dict[str, Node] = {}
    return TeamPlayFacts(
        mode=mode,
        least=least,
        most=most,
        rounds=tuple(
            _round(child, places, teams, players, seen) for child in node.children("rounds", needed=False)
        ),
        penalties=tuple(_penalty(child, places, teams) for child in node.children("penalties", needed=False)),
        lots=tuple(_lots(child, places, teams) for child in node.children("lots", needed=False)),
        cuts=tuple(
            _cut(child, places, with_cut, teams, cuts) for child in node.children("cuts", needed=False)
        ),
    )


def _stage(node: Node, places: Places) -> StageKey:
    divisions = list(dict.fromkeys(division for division, _stage in places))
    division = node.choice("division", divisions) if divisions else ""
    stages = [stage for of, stage in places if of == division]
    return division, node.choice("stage", stages) if stages else ""


def _round(
    node: Node,
    places: Places,
    teams: Collection[str],
    players: Collection[str],
    seen: dict[object, Node],
) -> TeamRoundFacts:
    division, stage = _stage(node, places)
    number = node.whole("round")
    if node.good and number not in places.get((division, stage), ()):
        node.note("round", _("There is no round %(number)s in this stage.") % {"number": number})
    elif node.good and seen.setdefault((division, stage, number), node) is not node:
        node.note("round", _("This round comes twice."))
    tables: dict[int, Node] = {}
    named: dict[str, Node] = {}
    once: dict[str, Node] = {}
    return TeamRoundFacts(
        division=division,
        stage=stage,
        round=number or 0,
        until=_until(node),
        tables=tuple(_table(child, teams, tables) for child in node.children("tables", needed=False)),
        line_ups=tuple(
            _line_up(child, teams, players, once, named) for child in node.children("line_ups", needed=False)
        ),
    )


def _until(node: Node) -> datetime | None:
    value = node.value.get("until")
    if value is None:
        return None
    try:
        if isinstance(value, str) and (found := datetime.fromisoformat(value)).tzinfo is not None:
            return found.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    node.note("until", _("Write a time with its zone, for example 2026-11-20T18:00:00+09:00."))
    return None


def _table(node: Node, teams: Collection[str], seen: dict[int, Node]) -> tuple[int, tuple[str, ...]]:
    number = node.whole("number", least=1)
    node.once("number", number, seen)
    four = _teams(node, "teams", teams)
    if node.good and (len(four) != 4 or len(set(four)) != 4):
        node.note("teams", _("A table has four different teams, east first."))
    return number or 0, four


def _line_up(
    node: Node,
    teams: Collection[str],
    players: Collection[str],
    once: dict[str, Node],
    named: dict[str, Node],
) -> tuple[str, tuple[str, ...]]:
    team = _team(node, teams)
    node.once("team", team, once)
    found = _known(node, "players", players, _("There is no player “%(id)s” in “players”."))
    for index, player in enumerate(found):
        spot = Node({}, node, f"players[{index}]", node.problems)
        spot.once("", player, named)
    return team, found


def _teams(node: Node, key: str, teams: Collection[str], *, needed: bool = True) -> tuple[str, ...]:
    return _known(node, key, teams, _("There is no team “%(id)s” in “teams”."), needed=needed)


def _known(
    node: Node, key: str, known: Collection[str], sentence: str, *, needed: bool = True
) -> tuple[str, ...]:
    """The ids of the list that the file knows; each other one is noted."""
    found = []
    for index, each in enumerate(node.items(key, needed=needed)):
        if isinstance(each, str) and tidy(each) in known:
            found.append(tidy(each))
        else:
            node.note(f"{key}[{index}]", sentence % {"id": shown(each)})
    return tuple(found)


def _team(node: Node, teams: Collection[str]) -> str:
    team = node.text("team", most=64)
    if team and team not in teams:
        node.note("team", _("There is no team “%(id)s” in “teams”.") % {"id": shown(team)})
    return team


def _penalty(node: Node, places: Places, teams: Collection[str]) -> TeamPenaltyFacts:
    division, stage = _stage(node, places)
    return TeamPenaltyFacts(
        team=_team(node, teams),
        division=division,
        stage=stage,
        score=_score(node),
        reason=node.text("reason", most=REASON),
        revoked=node.text("revoked", most=REASON, needed=False),
    )


def _lots(node: Node, places: Places, teams: Collection[str]) -> TeamLotsFacts:
    division, stage = _stage(node, places)
    return TeamLotsFacts(
        division=division,
        stage=stage,
        teams=_each_once(node, "teams", teams),
        seed=node.whole("seed") or 0,
    )


def _cut(
    node: Node,
    places: Places,
    with_cut: Collection[StageKey],
    teams: Collection[str],
    seen: dict[str, Node],
) -> TeamCutFacts:
    division, stage = _stage(node, places)
    if node.good and (division, stage) not in with_cut:
        node.note("stage", _("Only a stage with a “cut” lists who came into it."))
    node.once("stage", f"{division}/{stage}", seen)
    return TeamCutFacts(
        division=division,
        stage=stage,
        top=node.whole("top", least=1) or 1,
        by_hand=node.flag("by_hand", default=False),
        teams=_each_once(node, "teams", teams),
        decided=tuple(
            (
                _each_once(child, "in", teams),
                _each_once(child, "out", teams),
                child.choice("by", TIE_BREAKS),
            )
            for child in node.children("decided", needed=False)
        ),
        gone=_each_once(node, "gone", teams, needed=False),
        moved_up=_each_once(node, "moved_up", teams, needed=False),
    )


def _each_once(node: Node, key: str, teams: Collection[str], *, needed: bool = True) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_teams(node, key, teams, needed=needed)))


def _score(node: Node) -> int:
    """Tenths of a number of score units, zero or less."""
    value = node.value.get("score")
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        tenths = parse_score(value if isinstance(value, str) else repr(value))
        if -MOST_DEDUCTED <= tenths <= 0:
            return tenths
    except ValueError:
        pass
    node.note("score", _("Write what is deducted with a minus and one decimal at most, for example -20.0."))
    return 0
