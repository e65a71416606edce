"""The cut from one stage to the next: planned before it is made, and told afterwards."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from league.bans.queries import banned_here
from league.calendar.queries.table_times import to_make_up
from league.core.stages import qualified_by_stage, stage_before
from league.models import (
    Competition,
    Division,
    Entrant,
    Lots,
    Round,
    Sheet,
    Stage,
    StageEntrant,
    Table,
    TeamLots,
)
from league.people.queries import PlayerInfo, TeamInfo, players_of
from league.results.queries import games
from league.standings.queries.standings import Standings, StandingsRow, compute_standings_of
from league.substitutions.queries.adjustments import stage_adjustments
from scoring.cuts import Cut, Terms, make_cut
from scoring.settlement import needs_ending
from scoring.standings import LOTS, measure
from scoring.units import Score, half


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A round that a cut would come too early for. ``why``: planned, open, make_up (a postponed table is to
    come) or confirm (sheets wait for it).
    """

    round: Round
    why: str


def unfinished_rounds(stage: Stage) -> list[Unfinished]:
    """The rounds of the stage whose results may still come or change; one query."""
    return unfinished_in([stage])[stage.pk]


def unfinished_in(stages: Sequence[Stage]) -> dict[int, list[Unfinished]]:
    """Stage → its unfinished rounds, of stages of one competition; one query, none for no stage."""
    found: dict[int, list[Unfinished]] = {stage.pk: [] for stage in stages}
    for each, why in _unfinished({stage.pk: stage for stage in stages}) if stages else ():
        found[each.stage_id].append(Unfinished(each, why))
    return found


def _unfinished(stages: Mapping[int, Stage]) -> Iterator[tuple[Round, str]]:
    waiting = Q(tables__sheets__is_current=True, tables__sheets__status=Sheet.Status.ENTERED)
    to_come = to_make_up(Table.objects.filter(round=OuterRef("pk")))
    missing = Table.objects.filter(round=OuterRef("pk")).exclude(sheets__is_current=True)
    found = Round.objects.filter(stage__in=stages).annotate(
        waiting=Count("tables__sheets", filter=waiting), to_come=Exists(to_come), missing=Exists(missing)
    )
    for each in found:
        stage = stages[each.stage_id]
        confirming = stage.division.competition.counting == Competition.Counting.CONFIRMED
        # Nobody closes a table of open play: it is finished with its sheet.
        closed = each.status == Round.Status.CLOSED or (stage.play == Stage.Play.OPEN and not each.missing)
        if why := _why(each, closed, each.to_come, each.waiting if confirming else 0):
            yield each, why


def _why(round_: Round, closed: bool, to_come: bool, waiting: int) -> str:
    if not closed:
        return str(round_.status)
    if to_come:
        return "make_up"
    return "confirm" if waiting else ""


@dataclass(frozen=True, slots=True)
class CutLine:
    """A player before a cut: the row of the stage before (None: not in it), what they would bring in (head
    start included, tenths), and their place in the cut (position 0 and no ``how`` for whoever is out).
    """

    info: PlayerInfo
    row: StandingsRow | None
    brought: Score = 0
    position: int = 0
    how: str = ""
    head_start: int = 0


@dataclass(frozen=True)
class CutPlan:
    """A cut before it is made: nothing is written. ``people`` are all who are entered, by player."""

    source: Stage
    terms: Terms
    cut: Cut
    inside: tuple[CutLine, ...]
    out: tuple[CutLine, ...]
    people: Mapping[int, PlayerInfo]
    unfinished: tuple[Unfinished, ...]
    gone: frozenset[int]
    tables: int
    made: tuple[Stage, ...]  # from the same stage before

    @property
    def missing(self) -> int:
        """How many players fewer there are than were asked for."""
        return self.terms.size - len(self.inside)

    @property
    def picked_and_gone(self) -> list[PlayerInfo]:
        return self.named(player for player in self.terms.picked if player in self.gone)

    def named(self, players: Iterable[int]) -> list[PlayerInfo]:
        return [self.people[player] for player in players if player in self.people]

    @property
    def fingerprint(self) -> str:
        """A short text that differs when somebody else would be in, or bring in something else, or another
        cut was made meanwhile.
        """
        inside = [[each.info.player, each.position, each.how, str(each.brought)] for each in self.inside]
        seen = [inside, [stage.pk for stage in self.made]]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def plan_cut(source: Stage, terms: Terms, carry: str) -> CutPlan:
    """The cut from ``source`` as the facts are now, hidden rounds included; lots decide after the tie-breaks
    of the competition. ``carry`` is what the new stage would bring in (``Stage.Carry``).
    """
    ranked = ranked_with_lots(source)
    people = players_of(source.division.competition)
    gone = gone_players(source.division.competition)
    cut = make_cut([line.row for line in ranked.rows], terms, gone=gone, measures=_measures(source, terms))
    rows = {line.player.player: line for line in ranked.rows}
    return CutPlan(
        source=source,
        terms=terms,
        cut=cut,
        inside=tuple(
            CutLine(
                people[each.player],
                row := rows.get(each.player),
                _share(carry, row) + each.head_start,
                each.position,
                each.how,
                each.head_start,
            )
            for each in cut.qualified
        ),
        out=tuple(CutLine(people[player], rows.get(player)) for player in cut.out),
        people=people,
        unfinished=tuple(unfinished_rounds(source)),
        gone=gone,
        tables=ranked.tables,
        made=made_from(source),
    )


def made_from(source: Stage) -> tuple[Stage, ...]:
    """The stages that were cut from this one already."""
    return tuple(each for each in stages_of_division(source.division) if each.cut.get("from") == source.pk)


def ranked_with_lots(stage: Stage) -> Standings:
    """The standings of the stage for the staff, with recorded lots as the last tie-break."""
    return ranked_with_lots_of([stage])[stage.pk]


def ranked_with_lots_of(
    stages: Sequence[Stage], *, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Stage → the same, for stages of one competition; in queries whose number does not grow. ``every``: all
    of its stages, if they are at hand.
    """
    if not stages:
        return {}
    asked = stages[0].division.competition.tie_breaks
    tie_breaks = [*(n for n in asked if n != LOTS), LOTS]
    return compute_standings_of(stages, public=False, every=every, tie_breaks=tie_breaks)


def gone_players(competition: Competition) -> frozenset[int]:
    """Who cannot go on: withdrawn (an expelled player is), or banned and the ban not waived."""
    withdrawn = Entrant.objects.filter(competition=competition, withdrawn_at__isnull=False)
    return frozenset(withdrawn.values_list("player_id", flat=True)) | banned_here(competition).keys()


def _share(carry: str, row: StandingsRow | None) -> Score:
    if row is None or carry == Stage.Carry.NONE:
        return 0
    return half(row.row.total) if carry == Stage.Carry.HALF else row.row.total


def _measures(source: Stage, terms: Terms) -> dict[int, Score | None]:
    if not terms.wild_cards:
        return {}
    rules = source.division.rules
    played = games(
        source.pk,
        statuses=source.division.competition.counted_statuses,
        public=False,
        with_endings=needs_ending(rules),
        substitutes=stage_adjustments([source.pk], public=False).substitutes,
    )
    return measure(played, rules, terms.wild_card_by, source.numbers)


def qualified_players(stage: Stage) -> list[int] | None:
    """Who came through the stage's cut, in the order of their positions; None for a stage without one."""
    return list(qualified_by_stage([stage])[stage.pk]) if stage.cut else None


# --- a cut that was made


@dataclass(frozen=True, slots=True)
class Decision:
    """Players (or teams) who were equal, some of them in and some out, and the code of what decided between
    them.
    """

    inside: tuple[PlayerInfo | TeamInfo, ...]
    outside: tuple[PlayerInfo | TeamInfo, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of lots, its players (or teams) in the order in which they were drawn."""

    lots: Lots | TeamLots
    players: tuple[PlayerInfo | TeamInfo, ...]


@dataclass(frozen=True)
class Story:
    """How the players of a stage came into it. ``source`` is None where that stage is not known any more."""

    stage: Stage
    source: Stage | None
    entrants: tuple[tuple[StageEntrant, PlayerInfo], ...]
    decided: tuple[Decision, ...]
    gone: tuple[PlayerInfo, ...]
    moved_up: tuple[PlayerInfo, ...]
    draws: tuple[Draw, ...]

    @property
    def head_starts(self) -> bool:
        return any(entrant.head_start for entrant, _info in self.entrants)


def story_of(stage: Stage, every: Sequence[Stage]) -> Story | None:
    """How a cut came about, as it was kept when it was made; None for a stage without one. Three queries."""
    if not stage.cut:
        return None
    people = players_of(stage.division.competition)
    source = stage_before(stage, every)

    def named(players: Iterable[object]) -> tuple[PlayerInfo, ...]:
        return tuple(people[player] for player in players if isinstance(player, int) and player in people)

    return Story(
        stage=stage,
        source=source,
        entrants=tuple((entrant, people[entrant.player_id]) for entrant in stage.qualified.all()),
        decided=tuple(
            Decision(named(each["in"]), named(each["out"]), str(each["by"]))
            for each in stage.cut.get("decided", ())
        ),
        gone=named(stage.cut.get("gone", ())),
        moved_up=named(stage.cut.get("moved_up", ())),
        draws=draws_of(source, people) if source else (),
    )


def draws_of(stage: Stage, people: Mapping[int, PlayerInfo]) -> tuple[Draw, ...]:
    """The lots drawn in the stage, oldest first."""
    found = Lots.objects.filter(stage=stage).select_related("created_by").order_by("pk")
    return tuple(Draw(each, tuple(people[p] for p in each.players if p in people)) for each in found)


def equal_players(stage: Stage) -> list[list[StandingsRow]]:
    """The players who share a rank in the stage after every tie-break and every draw of lots, best first."""
    shared: dict[int, list[StandingsRow]] = {}
    for line in ranked_with_lots(stage).rows:
        if line.row.tied:
            shared.setdefault(line.row.rank, []).append(line)
    return list(shared.values())


def results_in(stage: Stage) -> bool:
    """Was a score sheet ever entered in this stage, void ones included?"""
    return Sheet.objects.filter(table__round__stage=stage).exists()


def terms_of(stage: Stage) -> Terms:
    """The terms under which the stage's cut was made."""
    cut = stage.cut
    entrants = stage.qualified.order_by("position")
    return Terms(
        top=cut.get("top", 0),
        first=cut.get("first", 1),
        wild_cards=cut.get("wild_cards", 0),
        wild_card_by=cut.get("wild_card_by", Terms.__dataclass_fields__["wild_card_by"].default),
        picked=tuple(cut.get("picked", ())),
        head_starts=tuple(entrants.values_list("head_start", flat=True)),
    )


@dataclass(frozen=True, slots=True)
class Changed:
    """What the facts would make of a cut today: who is in it and would not be, and the other way round."""

    no_longer: tuple[PlayerInfo, ...]
    instead: tuple[PlayerInfo, ...]


def changed_since(stage: Stage, source: Stage) -> Changed | None:
    """Whether the same cut would give other players today: a result was corrected, somebody has left."""
    plan = plan_cut(source, terms_of(stage), stage.carry)
    before, now = qualified_players(stage) or [], plan.cut.players
    no_longer = tuple(plan.named(player for player in before if player not in now))
    instead = tuple(plan.named(player for player in now if player not in before))
    return Changed(no_longer, instead) if no_longer or instead else None


def stages_of_division(division: Division) -> list[Stage]:
    """The stages of a division in order, with what their standings need."""
    found = Stage.objects.filter(division=division).select_related(
        "division__competition", "division__rule_set"
    )
    return list(found.order_by("position", "pk"))


def seats_in(stage: Stage) -> int:
    """How many tables are seated in the stage."""
    return Table.objects.filter(round__stage=stage).count()
