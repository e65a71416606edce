"""Checks of a request before its seating. Each is a sentence with its remedy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.text import listed, spans
from league.models import Round, Seat
from league.organizing.seating.queries.seating import (
    BY_RANK,
    LOWEST,
    PLAN,
    SCHEDULE,
    SUBSTITUTES,
    PlanRequest,
    SeatingFacts,
    StageRound,
    Tables,
)
from scoring.seating.checker import SEATS
from scoring.seating.schedule import MOST_PLAYERS, MOST_ROUNDS

MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """A check. Nothing is seated while it ``blocks``. ``round``: the id of the round that it concerns."""

    code: str
    text: str
    blocks: bool = True
    round: int | None = None


def checks(facts: SeatingFacts, asked: PlanRequest) -> list[PlanCheck]:
    found = [check for ask in _CHECKS for check in ask(facts, asked)]
    return sorted(found, key=lambda check: not check.blocks)


def _names(facts: SeatingFacts, players: Sequence[int]) -> str:
    first_names = listed(info.name for info in facts.infos(players[:MOST_NAMED]))
    rest = len(players) - MOST_NAMED
    return (
        _("%(names)s and %(count)s more") % {"names": first_names, "count": rest} if rest > 0 else first_names
    )


def _pairs(facts: SeatingFacts, seats: Sequence[Seat]) -> str:
    return listed(
        _("%(substitute)s for %(name)s")
        % {"substitute": facts.people[seat.player_id].name, "name": facts.people[seat.owner_id].name}
        for seat in seats
    )


def _players(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    playing = len(facts.playing(asked))
    if playing < SEATS:
        yield PlanCheck(
            "few",
            ngettext(
                "A table needs four players, but only %(count)s player can be seated. Add players first.",
                "A table needs four players, but only %(count)s players can be seated. Add players first.",
                playing,
            )
            % {"count": playing},
        )
    if playing > MOST_PLAYERS:
        yield PlanCheck(
            "many",
            _("At most %(most)s players can be seated at once, not %(count)s. Split them into divisions.")
            % {"count": playing, "most": MOST_PLAYERS},
        )


def _fit(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    if asked.method == PLAN:
        return
    playing = facts.playing(asked)
    filling = [player for player in playing if player not in facts.pool]
    if filling:
        yield PlanCheck(
            "filled",
            _("These substitutes fill the last table: %(names)s.") % {"names": _names(facts, filling)},
            blocks=False,
        )
    over = len(playing) % SEATS
    if not over or len(playing) < SEATS:
        return
    numbers = {"count": len(playing), "over": over, "short": SEATS - over}
    if asked.fill == SUBSTITUTES:
        yield PlanCheck(
            "substitutes",
            _(
                "%(count)s players do not fill tables of four, even with substitutes. Missing: "
                "%(short)s. Add substitutes, or let %(over)s sit out in turn."
            )
            % numbers,
        )
        return
    if asked.fill == LOWEST:
        yield PlanCheck(
            "over",
            ngettext(
                "%(count)s players: %(over)s sits out, the lowest-ranked of those who sat out least.",
                "%(count)s players: %(over)s sit out, the lowest-ranked of those who sat out least.",
                over,
            )
            % numbers,
            blocks=False,
        )
        return
    yield PlanCheck(
        "over",
        ngettext(
            "%(count)s players: %(over)s sits out each round, in turn. With %(short)s more, everyone plays.",
            "%(count)s players: %(over)s sit out each round, in turn. With %(short)s more, everyone plays.",
            over,
        )
        % numbers,
        blocks=False,
    )


def _tables(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    if asked.method == PLAN:
        return
    needed = len(facts.playing(asked)) // SEATS
    there = len(asked.tables)
    if asked.tables and there < needed and asked.method == SCHEDULE:
        yield PlanCheck(
            "tables",
            _(
                "%(needed)s tables are needed, but only %(there)s are available. Add tables, mark "
                "who does not play, or seat round by round so more players sit out in turn."
            )
            % {"there": there, "needed": needed},
        )
    elif asked.tables and there < needed:
        yield PlanCheck(
            "tables",
            ngettext(
                "Only %(there)s table is available: more players sit out in turn.",
                "Only %(there)s tables are available: more players sit out in turn.",
                there,
            )
            % {"there": there},
            blocks=False,
        )


def _fixed(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    playing = set(facts.playing(asked))
    fixed = {player: table for player, table in asked.fixed.items() if player in playing}
    wanted = set(fixed.values())
    if asked.tables and (missing := sorted(wanted - set(asked.tables))):
        yield PlanCheck(
            "fixed",
            _("Table %(tables)s is a fixed table but not available. Choose another table for the player.")
            % {"tables": listed(missing)},
        )
    full = [table for table in sorted(wanted) if list(fixed.values()).count(table) > SEATS]
    if full:
        yield PlanCheck(
            "fixed",
            _("Table %(tables)s is the fixed table of more than four players. Choose another table for some.")
            % {"tables": listed(full)},
        )
    if len(wanted) > len(playing) // SEATS:
        yield PlanCheck("fixed", _("There are more fixed tables than tables in a round. Remove some."))
    if asked.forbidden & asked.wished:
        yield PlanCheck(
            "pairs", _("Two players are both under “must not meet” and “should meet”. Remove them from one.")
        )


def _rounds(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    if not 1 <= asked.rounds <= MOST_ROUNDS:
        yield PlanCheck("rounds", _("Choose 1 to %(most)s rounds.") % {"most": MOST_ROUNDS})
        return
    first = next((each for each in facts.rounds if each.round.pk == asked.first), None)
    if first is None:
        return
    number = {"number": first.round.number}
    if first.round.status == Round.Status.CLOSED:
        yield PlanCheck(
            "closed",
            _("Round %(number)s is closed. Reopen it to change its seating.") % number,
            round=first.round.pk,
        )
    elif first.sheets:
        yield PlanCheck(
            "sheets",
            _(
                "Round %(number)s has score sheets, and those tables cannot be seated again. Seat the others "
                "by hand, or swap two players."
            )
            % number,
            round=first.round.pk,
        )


def _before(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    targets = facts.targets(asked.first, asked.rounds)
    if not targets:
        return
    first = targets[0]
    before = [each for each in facts.others(targets) if each.round.number < first.number]
    waiting = [each for each in before if each.is_unfinished]
    if waiting and asked.method in BY_RANK:
        rounds = listed(each.round.number for each in waiting)
        yield PlanCheck(
            "unfinished",
            _(
                "Results are missing in round %(rounds)s, so ranks are not final. Enter them first, or tick "
                "that you seat by the current results."
            )
            % {"rounds": rounds},
            blocks=not asked.unfinished,
            round=waiting[0].round.pk,
        )


def _empty_seats(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    for each in facts.others(facts.targets(asked.first, asked.rounds)):
        tables = [number for number, four in each.tables.items() if len(four) < SEATS]
        if tables and not _is_over(each):
            yield PlanCheck(
                "empty",
                _("Round %(number)s, table %(tables)s: a seat has no player. Seat that round by hand.")
                % {"number": each.round.number, "tables": listed(tables)},
                blocks=False,
                round=each.round.pk,
            )


def _is_over(facts: StageRound) -> bool:
    return facts.round.status == Round.Status.CLOSED


def shared_tables(facts: SeatingFacts, asked: PlanRequest, plan: Sequence[Tables]) -> Iterator[PlanCheck]:
    """Name tables of the plan that another division uses, too."""
    elsewhere = facts.tables_elsewhere(facts.targets(asked.first, len(plan)))
    if shared := elsewhere & {number for round_ in plan for number in round_}:
        yield PlanCheck(
            "hall",
            _(
                "Another division also sits at table %(tables)s. If both play in one hall, change the table "
                "numbers in the settings."
            )
            % {"tables": listed(spans(shared))},
            blocks=False,
        )


def substitutions(facts: SeatingFacts, asked: PlanRequest, playing: Sequence[int]) -> Iterator[PlanCheck]:
    sitting, unable = facts.sent_in(asked, playing)
    if sitting:
        yield PlanCheck(
            "sent_in",
            _("Substitutes again, as before: %(pairs)s.") % {"pairs": _pairs(facts, sitting)},
            blocks=False,
        )
    if unable:
        yield PlanCheck(
            "unable",
            _(
                "These substitutes cannot continue: %(pairs)s. The absent player gets the seat. "
                "Choose another substitute afterwards."
            )
            % {"pairs": _pairs(facts, unable)},
            blocks=False,
        )


def _people(facts: SeatingFacts, asked: PlanRequest) -> Iterator[PlanCheck]:
    if facts.gone:
        yield PlanCheck(
            "gone",
            _("Withdrawn and no longer seated: %(names)s.") % {"names": _names(facts, facts.gone)},
            blocks=False,
        )
    targets = {target.round for target in facts.targets(asked.first, asked.rounds)}
    late = [player for player in facts.newcomers() if player not in asked.out]
    prepared = [each.round for each in facts.prepared if each.round.pk not in targets]
    if late and prepared:
        yield PlanCheck(
            "late",
            _("Not seated yet: %(names)s. To let them play, seat round %(rounds)s again, too.")
            % {"names": _names(facts, late), "rounds": listed(round_.number for round_ in prepared)},
            blocks=False,
            round=prepared[0].pk,
        )
    playing = facts.playing(asked)
    yield from substitutions(facts, asked, playing)
    away = {player for each in facts.rounds if each.round.pk in targets for player in each.away}
    away -= {seat.owner_id for group in facts.sent_in(asked, playing) for seat in group}
    if away:
        yield PlanCheck(
            "away",
            _(
                "Substitutes sat for %(names)s in these rounds. The new seating removes them. Assign "
                "them again afterwards."
            )
            % {"names": _names(facts, sorted(away))},
            blocks=False,
        )
    left = [each.round for each in facts.left_behind() if each.round.pk not in targets]
    if left:
        yield PlanCheck(
            "left",
            _(
                "A player who left still has a seat in round %(rounds)s. Seat these rounds again, too, or "
                "assign substitutes."
            )
            % {"rounds": listed(round_.number for round_ in left)},
            blocks=False,
            round=left[0].pk,
        )
    banned = [player for player in facts.pool if player in facts.banned and player not in asked.out]
    if banned and not asked.despite:
        yield PlanCheck(
            "banned",
            _("Banned and not seated: %(names)s. To let them play, tick the box below and give a reason.")
            % {"names": _names(facts, banned)},
            blocks=False,
        )
    named = {player for pair in asked.forbidden | asked.wished for player in pair}
    unknown = (named | asked.fixed.keys()) - facts.people.keys()
    if unknown:
        yield PlanCheck("unknown", _("A preference names a player who is no longer entered. Remove it."))


_CHECKS: tuple[Callable[[SeatingFacts, PlanRequest], Iterator[PlanCheck]], ...] = (
    _players,
    _fit,
    _tables,
    _fixed,
    _rounds,
    _before,
    _empty_seats,
    _people,
)
