"""A whole competition from its file: written in one transaction, as a new competition or in place of one.

``CompetitionFacts`` is what a competition file says, already validated
(``league.interchange.imports.competition_file`` makes it); the modules ``…_facts`` hold its parts and write
them. Points in points, scores in tenths, players by the ids of the file. Players of a file are new people in
the league's register: who was there before is joined to them by merging, never by guessing. Replacing keeps
the competition, its roles, its audit log, and the players and entrants whose id comes again.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from league.competitions.services import create_league
from league.core.changes import Change, Form, change
from league.core.errors import Refused
from league.core.slugs import free_slug
from league.interchange.services.calendar import CalendarFacts, write_calendar
from league.interchange.services.divisions import DivisionFacts, write_divisions
from league.interchange.services.keys import StageKey
from league.interchange.services.penalties import (
    AdjustmentFacts,
    PenaltyFacts,
    write_adjustments,
    write_penalties,
)
from league.interchange.services.people import PlayerFacts, TeamFacts, write_people
from league.interchange.services.rounds import Placed, write_rounds, write_tables
from league.interchange.services.stages import write_cuts, write_stages
from league.interchange.services.teams import TeamPlayFacts, give_back, spoken_for, write_team_play
from league.models import Adjustment, Competition, League, Round, RuleSet, Seat, Sheet, Stage, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionFacts:
    slug: str
    name: str
    timezone: str
    kind: str
    visibility: str
    counting: str
    tie_breaks: tuple[str, ...]
    suggest_fourth: bool
    players: tuple[PlayerFacts, ...]
    teams: tuple[TeamFacts, ...]
    divisions: tuple[DivisionFacts, ...]
    penalties: tuple[PenaltyFacts, ...]
    adjustments: tuple[AdjustmentFacts, ...] = ()
    team_play: TeamPlayFacts | None = None
    calendar: CalendarFacts = field(default_factory=CalendarFacts)
    refereeing: Mapping[str, str] = field(default_factory=dict)  # the competition's settings that it names
    previous: str = ""  # the address of the season before

    @property
    def counts(self) -> dict[str, int]:
        """How much of what: for the audit log and for the sentence after the import."""
        tables = [table for _, _, round_ in self.rounds() for table in round_.tables]
        return {
            "players": len(self.players),
            "rounds": sum(1 for _ in self.rounds()),
            "tables": len(tables),
            "sheets": sum(table.points is not None for table in tables),
            "penalties": len(self.penalties),
        }

    def rounds(self) -> Iterator[Placed]:
        """Every round with the stage that it belongs to and the rules there."""
        for division in self.divisions:
            for stage in division.stages:
                for round_ in stage.rounds:
                    yield (division.slug, stage.slug), division.rules, round_


Progress = Callable[[int], object]  # called with the number of tables just written


def import_competition(
    *,
    facts: CompetitionFacts,
    league: League | None,
    by: User | None,
    replace: bool = False,
    form: Form | None = None,
    at: datetime | None = None,
    progress: Progress | None = None,
) -> Competition:
    """Write the competition into ``league``, or into a new league of its name, which ``by`` then owns.

    Raises ``Refused`` when its address is taken and ``replace`` is not said, or when it is taken in another
    league; ``AlreadyDone`` when ``form`` came before. Nothing is kept of an import that fails.
    """
    with transaction.atomic():
        if league is not None:
            # Two imports of one file into a league come one after the other: the second finds the first.
            league = League.objects.select_for_update().get(pk=league.pk)
        existing = Competition.objects.select_related("league").filter(slug=facts.slug).first()
        competition = existing or _empty(facts, league or _league_for(facts, by=by))
        with change(competition, by=by, form=form, at=at) as done:
            if existing is not None:
                check_replaceable(existing, league=league, replace=replace)
            captains = spoken_for(done.competition)
            before = _clear(done.competition) if existing else None
            _write(done, facts, progress or nobody_watches)
            give_back(done.competition, captains)
            done.log(
                "competition.replace" if existing else "competition.import",
                f"competition:{competition.pk}",
                before=before,
                after={"slug": facts.slug, **facts.counts},
            )
            done.answer = {"competition": competition.pk}
        return done.competition


def check_replaceable(existing: Competition, *, league: League | None, replace: bool) -> None:
    """Raise ``Refused`` unless the file may take the place of ``existing``."""
    if league is not None and existing.league_id != league.pk:
        raise Refused(
            _(
                "“%(slug)s” is the address of a competition of another league."
                " Write another slug into the file."
            )
            % {"slug": existing.slug},
            field="file",
        )
    if not replace:
        raise Refused(
            _(
                "“%(slug)s” exists already. Choose to replace it, or write another slug into the file"
                " to keep both."
            )
            % {"slug": existing.slug},
            field="replace",
        )


def nobody_watches(count: int) -> None:
    """The ``Progress`` of work without a progress bar."""


def _league_for(facts: CompetitionFacts, *, by: User | None) -> League:
    taken = set(League.objects.values_list("slug", flat=True))
    return create_league(name=facts.name, slug=free_slug(facts.slug.lower(), taken, fallback="league"), by=by)


def _empty(facts: CompetitionFacts, league: League) -> Competition:
    try:
        with transaction.atomic():
            return Competition.objects.create(league=league, slug=facts.slug, name=facts.name)
    except IntegrityError as error:
        # Somebody made it between our look and our write.
        raise Refused(_("Another competition has this address. Choose another one."), field="file") from error


def _clear(competition: Competition) -> dict[str, object]:
    """Remove what the file will say again; returns how much it was.

    Children go before their parents: otherwise Django fetches every row to cascade.
    """
    rounds = Round.objects.filter(stage__division__competition=competition)
    tables = Table.objects.filter(round__stage__division__competition=competition)
    sheets = Sheet.objects.filter(table__round__stage__division__competition=competition)
    before: dict[str, object] = {
        "revision": competition.revision,
        "players": competition.entrants.count(),
        "rounds": rounds.count(),
        "tables": tables.count(),
        "sheets": sheets.filter(is_current=True).count(),
        "penalties": competition.penalties.count(),
    }
    rule_sets = list(competition.divisions.values_list("rule_set", flat=True))
    competition.penalties.all().delete()
    Adjustment.objects.filter(stage__division__competition=competition).delete()
    sheets.delete()
    Seat.objects.filter(round__stage__division__competition=competition).delete()
    tables.delete()
    competition.divisions.all().delete()
    competition.teams.all().delete()
    RuleSet.objects.filter(pk__in=rule_sets, book=None, divisions=None).delete()
    return before


def _write(done: Change, facts: CompetitionFacts, progress: Progress) -> None:
    competition = done.competition
    competition.name, competition.timezone = facts.name, facts.timezone
    competition.kind, competition.visibility = facts.kind, facts.visibility
    competition.counting, competition.suggest_fourth = facts.counting, facts.suggest_fourth
    competition.tie_breaks = list(facts.tie_breaks)
    for name, value in facts.refereeing.items():  # an older file says nothing: nothing is shown that was not
        setattr(competition, name, value)
    _set_previous(competition, facts.previous)
    competition.save()
    divisions = write_divisions(done, facts.divisions)
    players = write_people(done, facts.players, facts.teams, divisions)
    stages: dict[StageKey, Stage] = {}
    for each in facts.divisions:
        stages |= write_stages(divisions[each.slug], each.stages)
    for each in facts.divisions:  # a play-off names a stage's lower division: all of them are there
        write_cuts(done, each.slug, each.stages, stages, players)
    rounds = write_rounds(facts.rounds(), stages)
    named = {p.at_table for p in facts.penalties if p.at_table is not None}
    tables = write_tables(done, facts.rounds(), named, rounds, players, progress)
    write_penalties(done, facts.penalties, stages, rounds, tables, players)
    write_adjustments(done, facts.adjustments, stages, rounds, players)
    write_team_play(done, facts.team_play, stages, rounds, players)
    write_calendar(done, facts.calendar, stages, rounds, players)


def _set_previous(competition: Competition, slug: str) -> None:
    """The season before, if it is one of the same league that is here."""
    same_league = Competition.objects.filter(league=competition.league_id).exclude(pk=competition.pk)
    competition.previous = same_league.filter(slug=slug).first() if slug else None
