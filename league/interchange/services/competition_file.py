"""A whole competition from its file: written in one transaction, as a new competition or in place of one.

Players of a file are new people in the league's register: people who were there before are joined to them by
merging, never by guessing. Replacing keeps the competition, its roles, its audit log, and the players and
entrants whose id comes again.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from league.competitions.services import create_league
from league.core.changes import Form, change
from league.core.errors import Refused
from league.core.slugs import free_slug
from league.interchange.schema import CompetitionFacts
from league.interchange.services.writing import Progress, Writer, nobody_watches
from league.models import (
    Adjustment,
    Competition,
    Invitation,
    League,
    Role,
    Round,
    RuleSet,
    Seat,
    Sheet,
    Table,
)


def import_competition(
    *,
    facts: CompetitionFacts,
    league: League | None,
    by: User | None,
    replace: bool = False,
    form: Form | None = None,
    at: datetime | None = None,
    progress: Progress = nobody_watches,
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
            teams = _find_teams(done.competition)
            before = _clear(done.competition) if existing else None
            Writer(done, facts, progress).write()
            _give_back(done.competition, teams)
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


# --- captains of teams that a file replaces

Named = list[tuple[Role | Invitation, str]]


def _find_teams(competition: Competition) -> Named:
    """Roles and invitations with the id of their team, before the teams are replaced."""
    found: list[Role | Invitation] = []
    for model in (Role, Invitation):
        found += model.objects.filter(competition=competition, team__isnull=False).select_related("team")
    return [(each, each.team.key) for each in found if each.team]


def _give_back(competition: Competition, before: Named) -> None:
    """Captains speak for the team of the same id again; for none where the file has none."""
    teams = {team.key: team for team in competition.teams.all()}
    for each, key in before:
        each.team = teams.get(key)
        each.save(update_fields=["team"])
