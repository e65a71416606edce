"""The penalties and adjustments of a competition file, each at its place."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from league.interchange.imports.names import CODE, REASON, Names, read_score
from league.interchange.imports.nodes import LARGEST, Node, digits
from league.interchange.services.divisions import DivisionFacts
from league.interchange.services.keys import StageKey
from league.interchange.services.penalties import AdjustmentFacts, PenaltyFacts
from league.models import Adjustment, Penalty
from league.penalties.services import MOST_UNITS

_HAND_FORM = re.compile(r"[ESWN][1-4]\.[0-9]{1,2}", re.ASCII)


def penalties(root: Node, divisions: Collection[DivisionFacts], names: Names) -> tuple[PenaltyFacts, ...]:
    nodes = list(root.children("penalties", needed=False))
    tables = _tables_by_place(divisions) if nodes else {}
    stages = {division.slug: [stage.slug for stage in division.stages] for division in divisions}
    return tuple(_penalty(node, stages, tables, names) for node in nodes)


def days_and_tables(
    divisions: Iterable[DivisionFacts],
) -> dict[StageKey, dict[int, tuple[date | None, list[int]]]]:
    """Division and stage → of each round its day, and the numbers of its tables."""
    return {
        (division.slug, stage.slug): {
            each.number: (each.date, [table.number for table in each.tables]) for each in stage.rounds
        }
        for division in divisions
        for stage in division.stages
    }


def rounds_by_place(divisions: Iterable[DivisionFacts]) -> dict[StageKey, list[int]]:
    """Division and stage → the numbers of its rounds."""
    return {
        (division.slug, stage.slug): [round_.number for round_ in stage.rounds]
        for division in divisions
        for stage in division.stages
    }


def _tables_by_place(divisions: Iterable[DivisionFacts]) -> dict[tuple[Any, ...], Collection[str]]:
    """Who plays where: at each table, and in each round (its key ends with None)."""
    found: dict[tuple[Any, ...], Collection[str]] = {}
    for division in divisions:
        for stage in division.stages:
            for round_ in stage.rounds:
                where = (division.slug, stage.slug, round_.number)
                found[*where, None] = [player for table in round_.tables for player in table.everybody]
                found |= {(*where, table.number): table.everybody for table in round_.tables}
    return found


def _penalty(
    node: Node,
    stages: Mapping[str, list[str]],
    tables: Mapping[tuple[Any, ...], Collection[str]],
    names: Names,
) -> PenaltyFacts:
    player = names.player(node)
    division = _one_of(node, "division", list(stages))
    stage = _one_of(node, "stage", stages.get(division, [])) if node.good else ""
    round_, table = (
        node.whole(key) if node.value.get(key) is not None else None for key in ("round", "table")
    )
    if node.good:
        where = (division, stage, round_, table)
        _check_place(node, where, player, tables, has_left=names.has_left(player))
    status = node.choice("status", Penalty.Status.values, default=Penalty.Status.IN_FORCE.value)
    declined = status == Penalty.Status.DECLINED
    facts = PenaltyFacts(
        player=player,
        division=division,
        stage=stage,
        round=round_,
        table=table,
        score=read_score(node),
        reason=node.text("reason", most=REASON, needed=False),
        infraction=node.text("infraction", most=CODE, needed=False),
        level=_level(node),
        revoked=node.text("revoked", most=REASON, needed=False),
        hand=_hand(node),
        condition=_optional(node, "condition", least=0, most=99),
        units=_optional(node, "units", least=1, most=MOST_UNITS) or 1,
        suggested=node.text("suggested", most=CODE, needed=False),
        win_ban=node.flag("win_ban", default=False),
        status=status,
        decided=node.text("decided", most=REASON, needed=declined),
        together=_optional(node, "together", least=0, most=LARGEST),
    )
    if node.good and not facts.infraction and not facts.reason:
        node.note("reason", _("Name the offence, or write the reason."))
    return facts


def _hand(node: Node) -> str:
    """The code of a hand; which hands the rules play is not asked: they may have changed since."""
    code = node.text("hand", most=12, needed=False)
    if code and not _HAND_FORM.fullmatch(code):
        node.note("hand", _("Write a hand as wind, number and honba, for example E1.0."))
        return ""
    return code


def _optional(node: Node, key: str, *, least: int, most: int) -> int | None:
    """A whole number that may be left out."""
    if node.value.get(key) is None:
        return None
    number = node.whole(key, least=least)
    if number is not None and number > most:
        node.note(key, _("This number is too small or too large: %(value)s.") % {"value": digits(number)})
        return None
    return number


def adjustments(
    root: Node, divisions: Collection[DivisionFacts], names: Names
) -> tuple[AdjustmentFacts, ...]:
    nodes = list(root.children("adjustments", needed=False))
    stages = {division.slug: [stage.slug for stage in division.stages] for division in divisions}
    places = _tables_by_place(divisions) if nodes else {}
    seen: dict[tuple[Any, ...], Node] = {}
    return tuple(_adjustment(node, stages, places, seen, names) for node in nodes)


def _adjustment(
    node: Node,
    stages: Mapping[str, list[str]],
    places: Mapping[tuple[Any, ...], Collection[str]],
    seen: dict[tuple[Any, ...], Node],
    names: Names,
) -> AdjustmentFacts:
    player = names.player(node)
    division = _one_of(node, "division", list(stages))
    stage = _one_of(node, "stage", stages.get(division, [])) if node.good else ""
    round_ = node.whole("round") if node.value.get("round") is not None else None
    kind = node.choice("kind", Adjustment.Kind.values)
    revoked = node.flag("revoked", default=False)
    here = (division, stage, round_)
    if node.good and round_ is not None and (*here, None) not in places:
        node.note("round", _("There is no round %(number)s in this stage.") % {"number": round_})
    if (
        node.good
        and round_ is not None
        and not revoked
        and seen.setdefault((*here, player, kind), node) is not node
    ):
        node.note("round", _("This player has such an adjustment in this round already."))
    return AdjustmentFacts(
        player=player,
        division=division,
        stage=stage,
        round=round_,
        kind=kind,
        score=read_score(node),
        reason=node.text("reason", most=REASON, needed=False),
        revoked=revoked,
    )


def _one_of(node: Node, key: str, slugs: list[str]) -> str:
    """The slug that the penalty names; it may be left out where there is only one."""
    if node.value.get(key) is None:
        if len(slugs) == 1:
            return slugs[0]
        if slugs:
            node.note(
                key,
                _("There are several, so say which one: %(choices)s.") % {"choices": ", ".join(slugs)},
            )
        return ""
    return node.choice(key, slugs) if slugs else ""


def _check_place(
    node: Node,
    where: tuple[str, str, int | None, int | None],
    player: str,
    tables: Mapping[tuple[Any, ...], Collection[str]],
    *,
    has_left: bool,
) -> None:
    """``has_left``: a substitute may sit there for the player."""
    division, stage, round_, table = where
    if round_ is None:
        if table is not None:
            node.note("round", _("Say the round in which the table is."))
    elif (division, stage, round_, None) not in tables:
        node.note("round", _("There is no round %(number)s in this stage.") % {"number": round_})
    elif table is not None and where not in tables:
        node.note("table", _("There is no table %(number)s in this round.") % {"number": table})
    elif table is not None and player not in tables[where] and not has_left:
        node.note("player", _("This player does not sit at this table."))


def _level(node: Node) -> str:
    """A level is a code such as 4+; one that is a number may be written as one."""
    value = node.value.get("level")
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100:
        return str(value)
    return node.text("level", most=CODE, needed=False)
