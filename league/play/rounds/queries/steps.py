"""The rounds of each division with their state, and its next step for the organizer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Exists, OuterRef, Q, Subquery

from league.models import Competition, Division, Round, SeatingDraft, Sheet, Stage, Table, TeamSeat
from league.play.bans.queries import banned_here
from league.play.calendar.queries.open_play import DayCount, day_counts
from league.play.calendar.queries.table_times import to_make_up
from league.play.rounds.queries.rounds import begun_rounds, ends_tournament, players_by_stage


@dataclass(frozen=True, slots=True)
class RoundState:
    """The state of a round: tables seated, tables with a score sheet (also void), and penalties.

    ``unconfirmed``: sheets to be confirmed. ``postponed``: tables to be made up. ``of_teams``: teams are
    seated. ``begun``: its start cannot be taken back.
    """

    round: Round
    tables: int
    entered: int
    penalties: int
    unconfirmed: int
    postponed: int = 0
    of_teams: bool = False
    begun: bool = False

    @property
    def is_unplayed(self) -> bool:
        """Return True if the round was closed without one sheet, although tables were to be played."""
        is_closed = self.round.status == Round.Status.CLOSED
        return is_closed and not self.entered and self.postponed < self.tables

    @property
    def can_be_planned(self) -> bool:
        return self.round.status == Round.Status.OPEN and not self.begun

    @property
    def complete(self) -> bool:
        """Return True if only postponed tables lack a sheet."""
        return 0 < self.tables == self.entered + self.postponed

    @property
    def deletable(self) -> bool:
        return not self.entered and not self.penalties


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step of a division.

    ``code``: players, round, seat, open, enter, close, reopen (a round was closed without a result), publish,
    free (free play), over (all planned rounds are played) or finished. ``players``: how many can be seated in
    the stage. ``played``: it has a round. ``ends``: all planned rounds exist. ``hidden``: closed rounds whose
    results visitors do not see. ``tells``: the seating follows such results. ``withholds``: the results of
    the round probably stay hidden when it is closed. ``line_ups``: the stage seats the line-ups of teams.
    """

    code: str
    stage: Stage | None
    state: RoundState | None = None
    next_number: int = 1  # of the round to be made
    players: int = 0
    played: bool = False
    ends: bool = False
    hidden: tuple[Round, ...] = ()
    unconfirmed: int = 0  # sheets of hidden rounds
    tells: bool = False
    withholds: bool = False
    line_ups: bool = False


LEAST_PLAYERS = 4  # of a table
NEXT_ROUNDS = 2  # planned rounds that are listed with the rounds that are played


def _hidden(states: Iterable[RoundState]) -> tuple[Round, ...]:
    rounds = (state.round for state in states if state.round.status == Round.Status.CLOSED)
    return tuple(each for each in rounds if each.visibility != Round.Visibility.RESULTS)


@dataclass(frozen=True, slots=True)
class StageState:
    """A stage with its rounds in playing order. ``days``: in free play, newest first."""

    stage: Stage
    rounds: tuple[RoundState, ...]
    days: tuple[DayCount, ...] = ()

    @property
    def hidden(self) -> tuple[Round, ...]:
        """Return the closed rounds whose results visitors do not see."""
        return _hidden(self.rounds)

    @property
    def newest_first(self) -> tuple[RoundState, ...]:
        """Return the rounds except those planned for later."""
        later = set(self.later)
        return tuple(state for state in self.rounds[::-1] if state not in later)

    @property
    def later(self) -> tuple[RoundState, ...]:
        """Return the planned rounds except the next ones, in playing order."""
        planned = [state for state in self.rounds if state.round.status == Round.Status.PLANNED]
        return tuple(planned[NEXT_ROUNDS:])


@dataclass(frozen=True, slots=True)
class DivisionState:
    """A division with its stages and the number of its players who have not withdrawn."""

    division: Division
    players: int
    stages: tuple[StageState, ...]
    step: NextStep

    @property
    def has_sheets(self) -> bool:
        return any(state.entered for stage in self.stages for state in stage.rounds)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The divisions, and the number of ``homeless`` players without a division."""

    divisions: tuple[DivisionState, ...]
    homeless: int


def dashboard(competition: Competition) -> Dashboard:
    """Return the state of all divisions. Queries: 6, 1 more each for free play and for cuts.

    ``being_seated`` of a stage: a seating is being made in it.
    """
    divisions = list(Division.objects.filter(competition=competition).select_related("rule_set"))
    drafts = SeatingDraft.objects.filter(stage=OuterRef("pk")).exclude(plan=[])
    found_stages = Stage.objects.of(competition).with_rules()
    stages = list(found_stages.annotate(being_seated=Exists(drafts)))
    rounds: dict[int, list[RoundState]] = {stage.pk: [] for stage in stages}
    for state in _round_states(competition):
        rounds[state.round.stage_id].append(state)
    is_free = any(stage.play == Stage.Play.OPEN for stage in stages)
    days = day_counts(stages, Round.objects.all()) if is_free else {}
    entered = competition.entrants.playing().filter(is_substitute=False)
    is_event = competition.kind == Competition.Kind.EVENT
    counts = dict(entered.order_by().values_list("division_id").annotate(Count("pk")))
    banned = banned_here(competition)
    free = {
        stage: len(set(players) - banned.keys())
        for stage, players in players_by_stage(stages, competition).items()
    }
    states = []
    for division in divisions:
        mine = tuple(
            StageState(s, tuple(rounds[s.pk]), tuple(days.get(s.pk, ())))
            for s in stages
            if s.division_id == division.pk
        )
        players = counts.get(division.pk, 0)
        step = (
            NextStep("finished", None)
            if competition.finished_at
            else next_step(mine, free, division_players=players, is_event=is_event)
        )
        if competition.team_play == Competition.TeamPlay.LINE_UPS and step.stage:
            step = replace(step, line_ups=step.stage.counts_for_teams)
        states.append(DivisionState(division, players, mine, step))
    return Dashboard(tuple(states), homeless=counts.get(None, 0))


def _round_states(competition: Competition) -> Iterator[RoundState]:
    current = Q(tables__sheets__is_current=True)
    entered = current & Q(tables__sheets__status=Sheet.Status.ENTERED)
    rounds = Round.objects.of(competition)
    to_come = to_make_up(Table.objects.filter(round=OuterRef("pk"))).order_by().values("round")
    counted = rounds.exclude(stage__play=Stage.Play.OPEN).annotate(
        postponed=Subquery(to_come.annotate(count=Count("pk")).values("count")),
        tables_seated=Count("tables", distinct=True),
        tables_entered=Count("tables__sheets", filter=current, distinct=True),
        penalties_logged=Count("penalties", distinct=True),
        unconfirmed=Count("tables__sheets", filter=entered, distinct=True),
        of_teams=Exists(TeamSeat.objects.filter(round=OuterRef("pk"))),
        begun=begun_rounds(),
    )
    for each in counted.order_by("number", "pk"):
        yield RoundState(
            each,
            each.tables_seated,
            each.tables_entered,
            each.penalties_logged,
            each.unconfirmed,
            each.postponed or 0,
            each.of_teams,
            each.begun,
        )


def next_step(
    stages: Sequence[StageState], free: Mapping[int, int], *, division_players: int, is_event: bool
) -> NextStep:
    """Return the step of a division: first what is going on, then what is prepared, then what is new.

    ``free``: stage → number of players who can be seated.
    """
    states = [(stage, state) for stage in stages for state in stage.rounds]
    hidden = _hidden(state for _, state in states)
    for codes in _WAITING:
        for stage, state in states:
            if (code := _waits_for(state)) in codes:
                players = free[stage.stage.pk]
                code = "players" if code == "seat" and players < LEAST_PLAYERS else code
                tells = bool(hidden) and follows_results(state.round.method, stage.stage)
                ends = stage == stages[-1] and ends_tournament(stage.stage, state.round.number)
                return NextStep(
                    code,
                    stage.stage,
                    state,
                    players=players,
                    hidden=hidden,
                    tells=tells,
                    withholds=bool(hidden) or ends,
                )
    if not stages:
        return NextStep("players" if division_players < LEAST_PLAYERS else "round", None)
    last = stages[-1]
    players = free[last.stage.pk]
    step = NextStep("round", last.stage, players=players, played=bool(last.rounds))
    if last.stage.play == Stage.Play.OPEN:
        return replace(step, code="free" if players >= LEAST_PLAYERS else "players")
    if last.rounds:
        planned = last.stage.planned_rounds
        ends = is_event and planned is not None and len(last.rounds) >= planned > 0
        step = replace(step, next_number=last.rounds[-1].round.number + 1, ends=ends)
    if hidden:
        unconfirmed = sum(state.unconfirmed for _stage, state in states if state.round in hidden)
        return replace(step, code="publish", hidden=hidden, unconfirmed=unconfirmed)
    if step.ends:
        return replace(step, code="over")
    return step if players >= LEAST_PLAYERS else replace(step, code="players")


# First what is going on, then the first round that is still to be played.
_WAITING = (("enter",), ("close",), ("reopen", "open", "seat"))


def _waits_for(state: RoundState) -> str:
    """Return the code of the step that this round waits for, or an empty text."""
    if state.round.status == Round.Status.OPEN:
        return "close" if state.complete else "enter"
    if state.round.status == Round.Status.PLANNED:
        return "open" if state.tables else "seat"
    return "reopen" if state.is_unplayed else ""


def follows_results(method: str, stage: Stage) -> bool:
    """Whether a seating made by this method reveals the players' ranks."""
    return bool(stage.cut) or method in {Round.Method.SWISS, Round.Method.RANK, Round.Method.INTERVAL}
