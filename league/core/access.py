"""Who may reach what: every object is got here, through its competition and the person's roles in it.

``enter`` finds the competition or raises; ``Access`` hands out its parts. An id of another competition, a
hidden round asked for by the public, a private competition asked for by a stranger: all answer 404, as if
they did not exist. A visible competition without the needed role answers 403 (a visitor is asked to sign in).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import (
    BigAutoField,
    Count,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    SlugField,
    Subquery,
)
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from league.core.door import opens
from league.core.prepared import Argument, Prepared
from league.models import (
    Adjustment,
    ApiToken,
    AuditEntry,
    Call,
    Competition,
    Dispute,
    Division,
    Entrant,
    Evidence,
    Invitation,
    League,
    Penalty,
    Registrant,
    Registration,
    Role,
    Round,
    RuleBook,
    Seat,
    Stage,
    Table,
    Team,
    TeamPenalty,
    Webhook,
)


class Can(StrEnum):
    """The right that a page requires."""

    VIEW = "view"
    STAFF = "staff"
    SCORE = "score"
    REFEREE = "referee"
    APPROVE = "approve"
    ORGANIZE = "organize"


_STAFF = frozenset({Role.Kind.ORGANIZER, Role.Kind.CHIEF, Role.Kind.REFEREE, Role.Kind.SCORER})
ROLES_THAT_CAN: dict[Can, frozenset[str]] = {
    Can.STAFF: _STAFF,
    Can.SCORE: frozenset({Role.Kind.ORGANIZER, Role.Kind.SCORER}),
    Can.REFEREE: frozenset({Role.Kind.ORGANIZER, Role.Kind.CHIEF, Role.Kind.REFEREE}),
    Can.APPROVE: frozenset({Role.Kind.ORGANIZER, Role.Kind.CHIEF}),
    Can.ORGANIZE: frozenset({Role.Kind.ORGANIZER}),
}


@dataclass(frozen=True)
class Access:
    """One person in one competition.

    ``season_before``, ``season_after``: the addresses of the public competitions before and after it, or
    empty. ``player``: the id of the account's linked player. ``parts``: the numbers of its divisions, its
    stages, and its stages with a round that visitors may see. ``code``: the code of a table that this phone
    scanned or typed last.
    """

    competition: Competition
    roles: frozenset[str]
    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    season_before: str = ""
    season_after: str = ""
    player: int | None = None
    parts: tuple[int, ...] = ()
    code: str = ""

    @property
    def by(self) -> User:
        """Return the signed-in person, for a write's ``by``. Raise PermissionDenied for a visitor."""
        if not isinstance(self.user, User):
            raise PermissionDenied
        return self.user

    def address(self, page: str, *arguments: object) -> str:
        """The address of a page of this competition: ``address("rounds:round", 7)``."""
        return reverse(page, args=(self.competition.slug, *arguments))

    def is_sole(self, part: Division | Stage, *, public: bool) -> bool:
        """Return True if the competition has no other division or stage, as far as the audience knows."""
        divisions, stages, visible_stages = self._parts
        return (divisions if isinstance(part, Division) else visible_stages if public else stages) == 1

    @cached_property
    def _parts(self) -> tuple[int, ...]:
        stages = Stage.objects.of(self.competition)
        counted = self.competition.divisions.all(), stages, stages.filter(Exists(_visible_rounds()))
        return self.parts or tuple(found.count() for found in counted)

    def can(self, what: Can) -> bool:
        return what is Can.VIEW or bool(self.roles & ROLES_THAT_CAN[what])

    @property
    def seen_version(self) -> str:
        """The version of what this person sees of the competition."""
        return self.competition.seen_version(public=not self.roles)

    @property
    def is_staff(self) -> bool:
        """Organizers, referees and scorers also see what is not published."""
        return self.can(Can.STAFF)

    @property
    def can_score(self) -> bool:
        return self.can(Can.SCORE)

    @property
    def can_referee(self) -> bool:
        return self.can(Can.REFEREE)

    @property
    def can_approve(self) -> bool:
        return self.can(Can.APPROVE)

    @property
    def can_organize(self) -> bool:
        return self.can(Can.ORGANIZE)

    @property
    def is_captain(self) -> bool:
        return Role.Kind.CAPTAIN in self.roles

    def division(self, slug: str) -> Division:
        divisions = Division.objects.select_related("rule_set__book", "competition")
        return get_object_or_404(divisions, competition=self.competition, slug=slug)

    def stage(self, pk: int) -> Stage:
        return get_object_or_404(self.stages(), pk=pk)

    def stage_at(self, division: str, slug: str) -> Stage:
        """The stage under these two addresses."""
        return get_object_or_404(self.stages(), division__slug=division, slug=slug)

    def stages(self) -> QuerySet[Stage]:
        stages = Stage.objects.of(self.competition)
        return stages.select_related("division__rule_set", "division__competition").order_by(
            "division__position", "division_id", "position", "pk"
        )

    def rounds(self) -> QuerySet[Round]:
        """The rounds that this person may see, with their stage, division and rule set."""
        rounds = Round.objects.of(self.competition)
        if not self.is_staff:
            rounds = rounds.exclude(visibility=Round.Visibility.HIDDEN)
        return rounds.select_related("stage__division__rule_set", "stage__division__competition")

    def round(self, pk: int) -> Round:
        return get_object_or_404(self.rounds(), pk=pk)

    def round_at(self, division: str, stage: str, number: int) -> Round:
        """Return the round under this address: its division and stage, and its number there."""
        return get_object_or_404(
            self.rounds(), stage__division__slug=division, stage__slug=stage, number=number
        )

    def seat(self, pk: int) -> Seat:
        """A seat of a round that this person may see, with its table, round and rule set."""
        seats = Seat.objects.filter(round__in=self.rounds().values("pk"))
        related = ("table", "round__stage__division__rule_set", "round__stage__division__competition")
        return get_object_or_404(seats.select_related(*related, "player"), pk=pk)

    def adjustment(self, pk: int) -> Adjustment:
        adjustments = Adjustment.objects.select_related("stage__division__competition", "player")
        return get_object_or_404(adjustments, stage__division__competition=self.competition, pk=pk)

    def table(self, pk: int) -> Table:
        tables = Table.objects.filter(round__in=self.rounds().values("pk"))
        return get_object_or_404(
            tables.select_related("round__stage__division__rule_set", "round__stage__division__competition"),
            pk=pk,
        )

    def table_at(self, round_: int, number: int) -> Table | None:
        """The table of this number in the round with this id, if there is one that this person may see."""
        for table in _TABLE(competition=self.competition.pk, round=round_, number=number):
            if self.is_staff or table.round.visibility != Round.Visibility.HIDDEN:
                return table
        return None

    def entrant(self, pk: int) -> Entrant:
        entrants = Entrant.objects.select_related("player__club", "division", "team")
        return get_object_or_404(entrants, competition=self.competition, pk=pk)

    def team(self, pk: int) -> Team:
        return get_object_or_404(
            Team.objects.select_related("competition__league"), competition=self.competition, pk=pk
        )

    def own_team(self) -> Team | None:
        """Return the captain's team, or None for other people."""
        if not self.is_captain:
            return None
        spoken_for = Role.objects.filter(
            competition=self.competition, user_id=self.user.pk or 0, kind=Role.Kind.CAPTAIN
        )
        return Team.objects.select_related("competition__league").filter(captains__in=spoken_for).first()

    def team_round(self, pk: int, team: int) -> tuple[Round, Team]:
        """A round, hidden or not, and a team that sits in it: for organizers and for the team's captain, who
        says who plays. ``PermissionDenied`` for all others, whatever there is.
        """
        if not self.can_organize and (not self.is_captain or self.own_team() != self.team(team)):
            raise PermissionDenied
        sits = self.team(team)
        rounds = Round.objects.of(self.competition)
        related = ("stage__division__rule_set", "stage__division__competition")
        here = rounds.filter(pk__in=sits.seats.values("round"))
        return get_object_or_404(here.select_related(*related), pk=pk), sits

    def team_penalty(self, pk: int) -> TeamPenalty:
        penalties = TeamPenalty.objects.select_related("team__competition", "stage__division")
        return get_object_or_404(penalties, team__competition=self.competition, pk=pk)

    def penalty(self, pk: int) -> Penalty:
        penalties = Penalty.objects.select_related(
            "stage__division", "round", "table", "player", "competition"
        )
        return get_object_or_404(penalties, competition=self.competition, pk=pk)

    def sits_at(self, table: Table) -> bool:
        """Does this person play at the table? Asked of the ``player`` of their roles."""
        return plays_at(self.user.pk, table)

    def leaves(self, table: Table) -> bool:
        """Return whether this person plays at the table while another referee can decide there."""
        return leaves_table(self.user.pk, table)

    def is_at(self, table: Table) -> bool:
        """Return whether this person may write at the table: staff, its players with an account, and a phone
        with its code while it is played.
        """
        return opens(table, self.code) or self.is_staff or self.sits_at(table)

    def is_inside(self, table: Table) -> bool:
        """Staff who do not play at the table: they read what the referees keep among themselves."""
        return self.is_staff and not self.leaves(table)

    def webhook(self, pk: int) -> Webhook:
        webhooks = Webhook.objects.select_related("competition__league")
        return get_object_or_404(webhooks, competition=self.competition, pk=pk)

    def call(self, pk: int) -> Call:
        calls = Call.objects.filter(table__round__in=self.rounds().values("pk"))
        return get_object_or_404(
            calls.select_related("table__round__stage__division__competition", "taken_by"), pk=pk
        )

    def dispute(self, pk: int) -> Dispute:
        """Return a dispute to staff and the players of its table. Raise ``PermissionDenied`` for others."""
        disputes = Dispute.objects.filter(table__round__in=self.rounds().values("pk"))
        related = ("competition", "created_by", "table__round__stage__division__competition")
        rules = "table__round__stage__division__rule_set"
        dispute = get_object_or_404(
            disputes.select_related(*related, rules), competition=self.competition, pk=pk
        )
        if not (self.is_staff or self.sits_at(dispute.table)):
            raise PermissionDenied
        return dispute

    def evidence(self, pk: int) -> Evidence:
        """Return evidence of a dispute to staff who do not play at its table."""
        files = Evidence.objects.filter(dispute__competition=self.competition)
        evidence = get_object_or_404(
            files.select_related("dispute__table__round__stage__division__competition"), pk=pk
        )
        if not self.is_inside(evidence.dispute.table):
            raise PermissionDenied
        return evidence

    def invitation(self, pk: int) -> Invitation:
        return get_object_or_404(Invitation, competition=self.competition, pk=pk)

    def api_token(self, pk: int) -> ApiToken:
        return get_object_or_404(ApiToken, competition=self.competition, pk=pk)

    def role(self, pk: int) -> Role:
        return get_object_or_404(Role.objects.select_related("user"), competition=self.competition, pk=pk)

    def registration(self, division: str) -> Registration:
        registrations = Registration.objects.select_related("competition__league")
        return get_object_or_404(registrations, competition=self.competition, division=division)

    def registrant(self, pk: int) -> Registrant:
        related = ("registration__competition__league", "entrant__player")
        registrants = Registrant.objects.select_related(*related)
        return get_object_or_404(registrants, registration__competition=self.competition, pk=pk)

    def own_registrant(self, pk: int, code: str) -> Registrant:
        """Return the entry to the person who has the secret part of its address."""
        registrant = self.registrant(pk)
        if not constant_time_compare(registrant.code, code):
            raise Http404
        return registrant

    def audit_entries(self) -> QuerySet[AuditEntry]:
        return AuditEntry.objects.filter(competition=self.competition).select_related("actor")


def enter(user: User | AnonymousUser, slug: str, need: Can = Can.VIEW, *, code: str = "") -> Access:
    """Return this person's access to the competition. Raise ``Http404`` or ``PermissionDenied``.

    ``code``: the code of a table that their phone scanned.
    """
    rows: Any = _ENTERED(slug=slug, user=user.pk)
    if not rows:
        raise Http404
    competition, *_other_roles = rows
    roles = _roles_in(rows, user)
    if competition.visibility == Competition.Visibility.PRIVATE and not roles:
        raise Http404
    beside = competition.season_before or "", competition.season_after or ""
    player = next((row.given_player for row in rows if row.given_player), None)
    parts = competition.divisions_count, competition.stages_count, competition.visible_stages or 0
    access = Access(competition, roles, user, *beside, player, parts, code)
    if not access.can(need):
        raise PermissionDenied
    return access


def enter_by_feed_key(key: str) -> tuple[Access, Role]:
    """Return the access of a secret calendar address, and its role. Raise ``Http404`` for a renewed address
    or a revoked role.
    """
    given_roles = Role.objects.select_related("competition__league", "user", "player")
    role = get_object_or_404(given_roles, feed_key=key, user__is_active=True)
    roles = frozenset({role.kind})
    return Access(role.competition, roles, role.user, player=role.player_id), role


def enter_by_token(token: ApiToken) -> Access | None:
    """Return the access of an API token: its role, for the person who made it. None if that person no longer
    organizes the competition.
    """
    maker = token.created_by
    try:
        access = enter(maker, token.competition.slug, Can.ORGANIZE) if maker.is_active else None
    except (Http404, PermissionDenied):
        return None
    return access and replace(access, roles=frozenset({token.role}))


def _roles_in(rows: Sequence[Any], user: User | AnonymousUser) -> frozenset[str]:
    """Return the roles in the rows of ``_ENTERED``. Owners of the league and superusers are organizers."""
    given = {str(row.given_role) for row in rows if row.given_role}
    is_owned = any(row.is_owned for row in rows)
    organizes = is_owned or (isinstance(user, User) and user.is_superuser)
    return frozenset(given | {Role.Kind.ORGANIZER} if organizes else given)


def _competition_with_roles() -> QuerySet[Competition]:
    """The competition of this address with its league and the seasons beside it: once for each role of the
    person, or once.
    """
    user = Argument("user", BigAutoField())
    given = FilteredRelation("roles", condition=Q(roles__user=user))
    owned = League.owners.through.objects.filter(league_id=OuterRef("league_id"), user_id=user)
    competitions = Competition.objects.filter(slug=Argument("slug", SlugField())).select_related("league")
    public = Competition.objects.filter(visibility=Competition.Visibility.PUBLIC)
    stages = Stage.objects.filter(division__competition=OuterRef("pk"))
    before, after = public.filter(pk=OuterRef("previous")), public.filter(previous=OuterRef("pk"))
    return competitions.annotate(
        given=given,
        given_role=F("given__kind"),
        given_player=F("given__player"),
        is_owned=Exists(owned),
        season_before=Subquery(before.values("slug")[:1]),
        season_after=Subquery(after.order_by("-pk").values("slug")[:1]),
        divisions_count=_count(Division.objects.filter(competition=OuterRef("pk")), "competition"),
        stages_count=_count(stages, "division__competition"),
        visible_stages=_count(stages.filter(Exists(_visible_rounds())), "division__competition"),
    ).order_by()


def _visible_rounds() -> QuerySet[Round]:
    return Round.objects.filter(stage=OuterRef("pk")).exclude(visibility=Round.Visibility.HIDDEN)


def _count(rows: "QuerySet[Any]", whole: str) -> Subquery:
    return Subquery(rows.order_by().values(whole).annotate(count=Count("pk")).values("count"))


def _numbered_table() -> QuerySet[Table]:
    place = {"round": Argument("round", BigAutoField()), "number": Argument("number", BigAutoField())}
    competition = Argument("competition", BigAutoField())
    tables = Table.objects.of(competition).filter(**place)
    return tables.select_related("round__stage__division__rule_set", "round__stage__division__competition")


_TABLE = Prepared(_numbered_table)
_ENTERED = Prepared(_competition_with_roles)


def organized_by(
    user: User | AnonymousUser, competitions: QuerySet[Competition], *roles: Role.Kind
) -> QuerySet[Competition]:
    """Return the competitions that this person organizes, by a role or as an owner of the league.

    ``roles``: other roles that count as well.
    """
    if not isinstance(user, User):
        return competitions.none()
    if user.is_superuser:
        return competitions
    given = Role.objects.filter(user=user, kind__in=[Role.Kind.ORGANIZER, *roles])
    owned = League.objects.filter(owners=user)
    return competitions.filter(Q(pk__in=given.values("competition")) | Q(league__in=owned.values("pk")))


def may_begin(user: User | AnonymousUser) -> bool:
    """Return whether this person may begin competitions and leagues.

    The setting ``NEW_COMPETITIONS`` allows everyone who signs in, or organizers, owners of leagues, and
    people with the permission in the administration.
    """
    if not isinstance(user, User):
        return False
    if settings.NEW_COMPETITIONS == settings.EVERYONE or user.leagues.exists():
        return True
    return user.roles.filter(kind=Role.Kind.ORGANIZER).exists() or user.has_perm("league.add_competition")


def owns(user: User | AnonymousUser, league: League) -> bool:
    """May this person see the inside of the league: its competitions, its players, its address?"""
    return isinstance(user, User) and (user.is_superuser or league.owners.filter(pk=user.pk).exists())


def inside_of(user: User | AnonymousUser, league: League) -> set[int]:
    """The competitions of the league that this person sees from the inside: as staff, or as its owner."""
    competitions = Competition.objects.filter(league=league)
    if not owns(user, league):
        staff = Role.objects.filter(user=user.pk or 0, kind__in=_STAFF)
        competitions = competitions.filter(pk__in=staff.values("competition"))
    return set(competitions.values_list("pk", flat=True))


def own_league(user: User | AnonymousUser, slug: str) -> League:
    """The league if this person owns it, ``Http404`` otherwise: only owners see a league's inside."""
    leagues = League.objects.select_related("register")
    if isinstance(user, User) and user.is_superuser:
        return get_object_or_404(leagues, slug=slug)
    return get_object_or_404(leagues, slug=slug, owners__pk=user.pk or 0)


def own_rule_book(user: User | AnonymousUser, league: str, slug: str) -> RuleBook:
    """The rules of this address if this person owns the league, ``Http404`` otherwise."""
    return get_object_or_404(
        RuleBook.objects.select_related("league"), league=own_league(user, league), slug=slug
    )


def visible_competitions(user: User | AnonymousUser) -> QuerySet[Competition]:
    """The competitions that this person may see, newest first."""
    competitions = Competition.objects.select_related("league")
    public = competitions.filter(visibility=Competition.Visibility.PUBLIC)
    if not isinstance(user, User):
        return public
    if user.is_superuser:
        return competitions.all()
    mine = Role.objects.filter(user=user).values("competition_id")
    owned = League.objects.filter(owners=user).values("pk")
    return public | competitions.filter(pk__in=mine) | competitions.filter(league_id__in=owned)


def plays_at(user_id: int | None, table: Table) -> bool:
    """Return whether this person sits at this table. Referees leave decisions there to others."""
    if user_id is None:
        return False
    competition = table.round.stage.division.competition_id
    people = Role.objects.filter(user=user_id, competition=competition, player__isnull=False)
    return Seat.objects.filter(table=table, player__in=people.values("player")).exists()


def leaves_table(user_id: int | None, table: Table, need: Can = Can.REFEREE) -> bool:
    """Return whether this person plays at the table while another one with the right can decide there."""
    competition = table.competition
    return plays_at(user_id, table) and others_can(need, competition, table=table, but=[user_id])


def left_tables(user_id: int, tables: Iterable[int | None], need: Can = Can.REFEREE) -> set[int]:
    """Return the ids of those tables that this person leaves to others. Queries: 1, and 2 per own table."""
    linked = Role.objects.filter(user=user_id, player__isnull=False)
    seated = Seat.objects.filter(table__in={*tables} - {None}, player__in=linked.values("player"))
    own = Table.objects.filter(pk__in=seated.values("table"))
    related = "round__stage__division__competition"
    return {table.pk for table in own.select_related(related) if leaves_table(user_id, table, need)}


def others_can(
    need: Can, competition: Competition, *, table: Table | None, but: Collection[int | None]
) -> bool:
    """Return whether an active account outside ``but`` has this right and no player at the table."""
    roles = Role.objects.filter(competition=competition)
    named = roles.filter(kind__in=ROLES_THAT_CAN[need])
    people = User.objects.filter(Q(pk__in=named.values("user")) | Q(leagues=competition.league_id))
    if table is not None:
        sitting = roles.filter(player__in=Seat.objects.filter(table=table).values("player"))
        people = people.exclude(pk__in=sitting.values("user"))
    return people.filter(is_active=True).exclude(pk__in=[pk for pk in but if pk is not None]).exists()
