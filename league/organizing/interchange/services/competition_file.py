"""Import a competition: write a draft, then publish it as a new competition or in place of one.

Players of a file are new people, who are merged by hand. Replacing keeps the competition's roles and log, and
players and entrants with the same id.
"""

from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Case, Exists, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.changes import FINISHED, Change, Sent, change, league_change, refuse_repeat
from league.core.errors import OutOfDate, Refused
from league.core.slugs import free_slug
from league.models import (
    Call,
    Ceremony,
    Competition,
    Entrant,
    Evidence,
    ImportJob,
    Invitation,
    League,
    Presence,
    Role,
    Round,
    Sheet,
    Table,
)
from league.organizing.competitions.services import describe_league
from league.organizing.interchange.schema import CompetitionFacts
from league.organizing.interchange.services.drafts import (
    Progress,
    begin_draft,
    discard,
    end_job,
    nobody_watches,
)
from league.organizing.interchange.services.writing import Writer
from league.organizing.interchange.words import removal_question
from league.people.register.services import last_key, register_change
from players.models import Player


def import_competition(
    *,
    facts: CompetitionFacts,
    league: League | None,
    by: User | None,
    replace: bool = False,
    removes: int | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
    progress: Progress = nobody_watches,
    job: ImportJob | None = None,
) -> Competition:
    """Write the competition into ``league``, or into a new league of its name, which ``by`` then owns.

    ``removes``: the number of disputes, photographs and calls that a replacement may remove (None: any).

    Raises ``Refused`` if that number differs, or if the address is taken and ``replace`` is False or the
    league is another. Raises ``AlreadyDone`` if ``form`` came before, ``Cancelled`` if ``job`` was cancelled.
    A failed import leaves nothing. A killed import is invisible, and the next import removes it.
    """
    if form is not None:
        refuse_repeat(form, by=by)
    existing = Competition.objects.select_related("league").filter(slug=facts.slug).first()
    if existing is not None:
        check_replaceable(existing, league=league, replace=replace, removes=removes)
    at = at or timezone.now()
    draft = begin_draft(facts, existing.league if existing else league, job=job, progress=progress)
    known = _find_players(existing, facts) if existing else {}
    try:
        writer = Writer(draft, facts, Change(draft.competition, by, at), known)
        writer.write()
        if existing is None:
            return _show(writer, new_league=league is None, form=form)
        return _put_in_place(writer, existing, league, replace=replace, removes=removes, form=form)
    except BaseException:
        discard(draft.competition)
        draft.job.delete() if job is None else None
        raise


def _show(writer: Writer, *, new_league: bool, form: Sent | None) -> Competition:
    facts, by, competition = writer.facts, writer.done.by, writer.competition
    with transaction.atomic():
        _take_address(competition, facts.slug)
        if new_league:
            _name_league(competition.league, facts, by=by)
        with change(competition, by=by, form=form, at=writer.done.at) as done:
            writer.write_catalogues()
            _end(done, writer, "competition.import")
        return done.competition


def _take_address(competition: Competition, slug: str) -> None:
    try:
        with transaction.atomic():
            competition.slug, competition.is_draft = slug, False
            competition.save(update_fields=["slug", "is_draft"])
    except IntegrityError as error:
        # Someone made it between our look and our write.
        raise Refused(_("Another competition has this address. Choose another one."), field="file") from error


def _name_league(league: League, facts: CompetitionFacts, *, by: User | None) -> None:
    taken = set(League.objects.values_list("slug", flat=True))
    league.slug, league.name = free_slug(facts.slug.lower(), taken, fallback="league"), facts.name
    league.save(update_fields=["slug", "name"])
    league.register.name = facts.name
    league.register.save(update_fields=["name"])
    if by is not None:
        league.owners.add(by)
    with league_change(league, by=by) as done:
        done.log("league.create", f"league:{league.pk}", after=describe_league(league))


def _end(done: Change, writer: Writer, action: str, before: dict[str, object] | None = None) -> None:
    """Log the import and end its job, in the transaction that publishes the competition."""
    facts, competition = writer.facts, done.competition
    after = {"slug": facts.slug, **facts.counts}
    done.log(action, f"competition:{competition.pk}", before=before, after=after)
    done.answer = {"competition": competition.pk}
    writer.draft.job.competition = competition
    writer.draft.job.save(update_fields=["competition"])
    end_job(writer.draft.job, ImportJob.Status.DONE)


# --- in place of another


def _put_in_place(
    writer: Writer,
    existing: Competition,
    league: League | None,
    *,
    replace: bool,
    removes: int | None,
    form: Sent | None,
) -> Competition:
    """Swap the contents of the draft and the competition, then remove the former contents and their
    photographs.
    """
    draft = writer.competition
    with register_change(existing, by=writer.done.by, form=form, at=writer.done.at) as done:
        here = done.competition
        check_replaceable(here, league=league, replace=replace, removes=removes)
        photographs = list(_photographs(here).values_list("file", flat=True))
        _refuse_other_players(here, writer)
        before = _count(here) | last_key(here.entrants.values_list("key", flat=True))
        teams = _find_teams(here)
        rest = _move_parts(here, draft)
        writer.write_settings(here)
        writer.write_catalogues()
        writer.update_players(done)
        _give_back(here, teams)
        _end(done, writer, "competition.replace", before)
        for name in photographs:
            transaction.on_commit(partial(default_storage.delete, name))
    discard(rest)
    return here


def _find_players(existing: Competition, facts: CompetitionFacts) -> dict[str, Player]:
    ids = {player.id for player in facts.players}
    return {e.key: e.player for e in existing.entrants.select_related("player") if e.key in ids}


def _refuse_other_players(here: Competition, writer: Writer) -> None:
    """Refuse if people changed since the draft was begun, since its seats name them as they were."""
    if _find_players(here, writer.facts) != writer.known_players:
        raise OutOfDate(_("The players were changed while this file was imported. Import it again."))


def _count(competition: Competition) -> dict[str, object]:
    rounds = Round.objects.of(competition)
    tables = Table.objects.of(competition)
    sheets = Sheet.objects.of(competition)
    return {
        "revision": competition.revision,
        "players": competition.entrants.count(),
        "rounds": rounds.count(),
        "tables": tables.count(),
        "sheets": sheets.current().count(),
        "penalties": competition.penalties.count(),
        **find_losses(competition),
    }


def find_losses(competition: Competition) -> dict[str, int]:
    """Count the rows that no competition file restores."""
    calls = Call.objects.of(competition)
    return {
        "disputes": competition.disputes.count(),
        "photographs": _photographs(competition).count(),
        "calls": calls.count(),
        "presences": Presence.objects.of(competition).count(),
    }


def _photographs(competition: Competition) -> QuerySet[Evidence]:
    return Evidence.objects.filter(dispute__competition=competition).exclude(file="")


def _move_parts(here: Competition, draft: Competition) -> Competition:
    """Move the contents of ``here`` into a new draft, which is returned, and those of ``draft`` to ``here``.

    Rounds, tables and sheets move with their division. Penalties and disputes are removed at once. The
    constraints demand this order: an entrant and their division belong to one competition.
    """
    rest = Competition(league_id=here.league_id, slug=f"{draft.slug}.", name=here.name, is_draft=True)
    rest.save(force_insert=True)
    here.penalties.all().delete()
    Sheet.objects.filter(dispute__competition=here).update(dispute=None)  # these sheets are discarded too
    here.disputes.all().delete()
    Ceremony.objects.filter(competition=here).delete()  # its standings are replaced
    here.divisions.update(competition=rest)
    here.teams.update(competition=rest)
    in_file = draft.entrants.filter(key=OuterRef("key"))
    here.entrants.filter(~Exists(in_file)).delete()
    draft.divisions.update(competition=here)
    draft.teams.update(competition=here)
    _update_entrants(here.entrants.all(), in_file)
    draft.entrants.filter(~Exists(here.entrants.filter(key=OuterRef("key")))).update(competition=here)
    draft.penalties.update(competition=here)
    draft.entrants.all().delete()
    Competition.with_drafts.filter(pk=draft.pk).delete()  # the object keeps its key, to be discarded by
    return rest


def _update_entrants(entrants: QuerySet[Entrant], in_file: QuerySet[Entrant]) -> None:
    """Update known entrants from the file. A player who had left keeps the day."""
    names = ("division", "team", "previous_rank", "is_substitute", "is_guest", "withdrawn_at")
    said = {name: Subquery(in_file.values(name)[:1]) for name in names}
    left = Case(
        When(Exists(in_file.filter(withdrawn_at=None)), then=Value(None)),
        default=Coalesce(F("withdrawn_at"), said.pop("withdrawn_at")),
    )
    entrants.update(**said, withdrawn_at=left)


def check_replaceable(
    existing: Competition, *, league: League | None, replace: bool, removes: int | None = None
) -> None:
    """Raise ``Refused`` unless the file may replace ``existing``."""
    if league is not None and existing.league_id != league.pk:
        raise Refused(
            _("“%(slug)s” is the address of another league’s competition. Use another slug in the file.")
            % {"slug": existing.slug},
            field="file",
        )
    if not replace:
        raise Refused(
            _(
                "“%(slug)s” already exists. Choose to replace it, or use another slug in the file to keep "
                "both."
            )
            % {"slug": existing.slug},
            field="replace",
        )
    if existing.finished_at is not None:
        raise Refused(FINISHED)
    losses = find_losses(existing)
    if removes is not None and removes != sum(losses.values()):
        raise Refused(removal_question(existing.name, losses), field="removes")


# --- captains of teams that a file replaces

Named = list[tuple[Role | Invitation, str]]


def _find_teams(competition: Competition) -> Named:
    found: list[Role | Invitation] = []
    for model in (Role, Invitation):
        found += model.objects.filter(competition=competition, team__isnull=False).select_related("team")
    return [(each, each.team.key) for each in found if each.team]


def _give_back(competition: Competition, before: Named) -> None:
    """Assign captains to the team with the same id, or to none if the file lacks it."""
    teams = {team.key: team for team in competition.teams.all()}
    for each, key in before:
        each.team = teams.get(key)
        each.save(update_fields=["team"])
