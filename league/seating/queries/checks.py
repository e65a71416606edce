"""What speaks against a seating before it is made: each a sentence that says what to do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.text import listed
from league.models import Round
from league.seating.engine.checker import SEATS
from league.seating.engine.schedule import MOST_PLAYERS, MOST_ROUNDS
from league.seating.queries.seating import BY_RANK, PLAN, SCHEDULE, SUBSTITUTES, Asked, Ground, RoundFacts
from league.substitutions.queries.substitutes import Sitting

MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Check:
    """``code`` names what is wrong, ``text`` says it and what to do; nothing is seated while it ``blocks``.
    ``round``: the id of the round that it is about.
    """

    code: str
    text: str
    blocks: bool = True
    round: int | None = None


def checks(ground: Ground, asked: Asked) -> list[Check]:
    """Everything that the organizer should know before these rounds are seated, what blocks first."""
    found = [check for ask in _CHECKS for check in ask(ground, asked)]
    return sorted(found, key=lambda check: not check.blocks)


def _names(ground: Ground, players: Sequence[int]) -> str:
    shown = listed(info.name for info in ground.named(players[:MOST_NAMED]))
    rest = len(players) - MOST_NAMED
    return _("%(names)s and %(count)s more") % {"names": shown, "count": rest} if rest > 0 else shown


def _pairs(ground: Ground, sittings: Sequence[Sitting]) -> str:
    return listed(
        _("%(substitute)s for %(name)s")
        % {"substitute": ground.people[each.sits].name, "name": ground.people[each.player].name}
        for each in sittings
    )


def _players(ground: Ground, asked: Asked) -> Iterator[Check]:
    playing = len(ground.playing(asked))
    if playing < SEATS:
        yield Check(
            "few",
            ngettext(
                "Only %(count)s player can be seated: a table needs four. Enter players first.",
                "Only %(count)s players can be seated: a table needs four. Enter players first.",
                playing,
            )
            % {"count": playing},
        )
    if playing > MOST_PLAYERS:
        yield Check(
            "many",
            _("%(count)s players are more than can be seated at once, which is %(most)s. Divide them.")
            % {"count": playing, "most": MOST_PLAYERS},
        )


def _fit(ground: Ground, asked: Asked) -> Iterator[Check]:
    """The number of players does not fill the tables."""
    if asked.method == PLAN:
        return
    playing = ground.playing(asked)
    filling = [player for player in playing if player not in ground.pool]
    if filling:
        yield Check(
            "filled",
            _("These substitutes fill the last table: %(names)s.") % {"names": _names(ground, filling)},
            blocks=False,
        )
    over = len(playing) % SEATS
    if not over or len(playing) < SEATS:
        return
    numbers = {"count": len(playing), "over": over, "short": SEATS - over}
    if asked.fill == SUBSTITUTES:
        yield Check(
            "substitutes",
            _(
                "%(count)s players do not fill tables of four, and the substitutes are not enough:"
                " %(short)s more are needed. Enter substitutes, or let %(over)s sit out in turn."
            )
            % numbers,
        )
        return
    yield Check(
        "over",
        ngettext(
            "%(count)s players: %(over)s of them sits out each round, in turn."
            " With %(short)s more everybody plays.",
            "%(count)s players: %(over)s of them sit out each round, in turn."
            " With %(short)s more everybody plays.",
            over,
        )
        % numbers,
        blocks=False,
    )


def _tables(ground: Ground, asked: Asked) -> Iterator[Check]:
    if asked.method == PLAN:
        return
    needed = len(ground.playing(asked)) // SEATS
    there = len(asked.tables)
    if asked.tables and there < needed and asked.method == SCHEDULE:
        yield Check(
            "tables",
            _(
                "%(there)s tables are there, and %(needed)s are needed. Name more tables, say who does not"
                " play, or seat round by round: then more players sit out in turn."
            )
            % {"there": there, "needed": needed},
        )
    elif asked.tables and there < needed:
        yield Check(
            "tables",
            ngettext(
                "Only %(there)s table is there: more players sit out in turn.",
                "Only %(there)s tables are there: more players sit out in turn.",
                there,
            )
            % {"there": there},
            blocks=False,
        )


def _fixed(ground: Ground, asked: Asked) -> Iterator[Check]:
    playing = set(ground.playing(asked))
    fixed = {player: table for player, table in asked.fixed.items() if player in playing}
    wanted = set(fixed.values())
    if asked.tables and (missing := sorted(wanted - set(asked.tables))):
        yield Check(
            "fixed",
            _("Somebody always sits at table %(tables)s, which is not there. Name another table for them.")
            % {"tables": listed(missing)},
        )
    full = [table for table in sorted(wanted) if list(fixed.values()).count(table) > SEATS]
    if full:
        yield Check(
            "fixed",
            _("More than four players always sit at table %(tables)s. Name another table for some.")
            % {"tables": listed(full)},
        )
    if len(wanted) > len(playing) // SEATS:
        yield Check("fixed", _("There are more fixed tables than tables in a round. Take some back."))
    if asked.forbidden & asked.wished:
        yield Check("pairs", _("A pair is both kept apart and wished for. Take it out of one of the two."))


def _rounds(ground: Ground, asked: Asked) -> Iterator[Check]:
    if not 1 <= asked.rounds <= MOST_ROUNDS:
        yield Check("rounds", _("Choose 1 to %(most)s rounds.") % {"most": MOST_ROUNDS})
        return
    first = next((each for each in ground.rounds if each.round.pk == asked.first), None)
    if first is None:
        return
    number = {"number": first.round.number}
    if first.round.status == Round.Status.CLOSED:
        yield Check(
            "closed",
            _("Round %(number)s is closed. Open it again, then it can be seated anew.") % number,
            round=first.round.pk,
        )
    elif first.sheets:
        yield Check(
            "sheets",
            _(
                "Round %(number)s has score sheets: those tables stay. Seat the others by hand, or let two"
                " players change seats."
            )
            % number,
            round=first.round.pk,
        )


def _before(ground: Ground, asked: Asked) -> Iterator[Check]:
    """A round before it is not finished: its results are missing from the ranks."""
    targets = ground.targets(asked.first, asked.rounds)
    if not targets:
        return
    before = [each for each in ground.others(targets) if each.round.number < targets[0].number]
    waiting = [each for each in before if each.is_unfinished]
    if waiting and asked.method in BY_RANK:
        rounds = listed(each.round.number for each in waiting)
        yield Check(
            "unfinished",
            _(
                "Results are missing in round %(rounds)s, so that the ranks are not those of the end. Enter"
                " them first, or tick that you seat by the results that are in."
            )
            % {"rounds": rounds},
            blocks=not asked.unfinished,
            round=waiting[0].round.pk,
        )


def _empty_seats(ground: Ground, asked: Asked) -> Iterator[Check]:
    """Rounds that stay and have a seat without a player."""
    for each in ground.others(ground.targets(asked.first, asked.rounds)):
        tables = [number for number, four in each.tables.items() if len(four) < SEATS]
        if tables and not _is_over(each):
            yield Check(
                "empty",
                _("Round %(number)s, table %(tables)s: a seat has no player. Seat that round by hand.")
                % {"number": each.round.number, "tables": listed(tables)},
                blocks=False,
                round=each.round.pk,
            )


def _is_over(facts: RoundFacts) -> bool:
    return facts.round.status == Round.Status.CLOSED


def substitutions(ground: Ground, asked: Asked, playing: Sequence[int]) -> Iterator[Check]:
    """Who sits down for somebody until they are back, and who cannot, where these players take part."""
    sitting, unable = ground.sent_in(asked, playing)
    if sitting:
        yield Check(
            "sent_in",
            _("As before, substitutes sit down: %(pairs)s.") % {"pairs": _pairs(ground, sitting)},
            blocks=False,
        )
    if unable:
        yield Check(
            "unable",
            _(
                "These substitutes cannot go on: %(pairs)s. The absent player gets the seat; send somebody"
                " else in afterwards."
            )
            % {"pairs": _pairs(ground, unable)},
            blocks=False,
        )


def _people(ground: Ground, asked: Asked) -> Iterator[Check]:
    """Who will not be seated although they were once: withdrawn, expelled, banned."""
    if ground.gone:
        yield Check(
            "gone",
            _("Left, and not seated any more: %(names)s.") % {"names": _names(ground, ground.gone)},
            blocks=False,
        )
    targets = {target.round for target in ground.targets(asked.first, asked.rounds)}
    late = [player for player in ground.newcomers() if player not in asked.out]
    prepared = [each.round.number for each in ground.prepared if each.round.pk not in targets]
    if late and prepared:
        yield Check(
            "late",
            _("Not seated yet: %(names)s. To let them play, seat round %(rounds)s again, too.")
            % {"names": _names(ground, late), "rounds": listed(prepared)},
            blocks=False,
        )
    playing = ground.playing(asked)
    yield from substitutions(ground, asked, playing)
    away = {player for each in ground.rounds if each.round.pk in targets for player in each.away}
    away -= {each.player for group in ground.sent_in(asked, playing) for each in group}
    if away:
        yield Check(
            "away",
            _("Substitutes sat for %(names)s in these rounds. That ends: send them in again afterwards.")
            % {"names": _names(ground, sorted(away))},
            blocks=False,
        )
    left = [each.round.number for each in ground.left_behind() if each.round.pk not in targets]
    if left:
        yield Check(
            "left",
            _(
                "Whoever left still has a seat in round %(rounds)s. Seat these rounds again, too, or send"
                " substitutes in."
            )
            % {"rounds": listed(left)},
            blocks=False,
        )
    banned = [player for player in ground.pool if player in ground.banned and player not in asked.out]
    if banned and not asked.despite:
        yield Check(
            "banned",
            _(
                "Under a ban, and not seated: %(names)s. If they are to play all the same, tick it below and"
                " say why."
            )
            % {"names": _names(ground, banned)},
            blocks=False,
        )
    named = {player for pair in asked.forbidden | asked.wished for player in pair}
    unknown = (named | asked.fixed.keys()) - ground.people.keys()
    if unknown:
        yield Check("unknown", _("A wish is about somebody who is not entered any more. Take it out."))


_CHECKS: tuple[Callable[[Ground, Asked], Iterator[Check]], ...] = (
    _players,
    _fit,
    _tables,
    _fixed,
    _rounds,
    _before,
    _empty_seats,
    _people,
)
