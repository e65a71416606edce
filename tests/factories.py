"""Competitions and their people: Alice organizes, Bob referees, Charlie scores, Dora plays."""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.db.models import BigAutoField, IntegerField, QuerySet
from django.http import Http404
from django.test import Client

from league.core.access import enter
from league.core.prepared import Argument, Prepared
from league.models import AuditEntry, Competition, Division, Entrant, League, Role, Round, Sheet, Stage, Table
from league.organizing.audit_log.queries import put_back_texts
from league.organizing.competitions.services import create_competition, create_league
from league.people.accounts.sessions import SessionStore
from league.play.results.services import record_result
from league.play.rounds.services import create_round, open_round, seat_players, set_visibility
from players.models import Player
from tests.bulk_rounds import write_round
from tests.written_again import written_again

PASSWORD = "umaoka-test-1"
NAMES = ("陳大文", "李小明", "王美麗", "張志強", "Dora", "山田太郎", "Émile", "Ngô Bảo")


def user(name: str) -> User:
    """The user of this name, made on first use, with ``PASSWORD``."""
    found = User.objects.filter(username=name).first()
    return found or User.objects.create_user(username=name, password=PASSWORD)


def signed_in(person: User) -> Client:
    """A client who is this person, without typing a password, and without what the site does on a sign-in."""
    client, session = Client(), SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def roles_of(person: User, competition: Competition) -> frozenset[str]:
    """None for those to whom a private competition does not exist."""
    try:
        return enter(person, competition.slug).roles
    except Http404:
        return frozenset()


def revision(competition: Competition) -> int:
    """As the database has it now."""
    return Competition.objects.values_list("revision", flat=True).get(pk=competition.pk)


def last_entry(competition: Competition) -> AuditEntry:
    return with_texts(AuditEntry.objects.filter(competition=competition).latest("sequence"))


def with_texts(entry: AuditEntry) -> AuditEntry:
    """The entry with its texts in the place of their digests."""
    put_back_texts([entry])
    return entry


@dataclass
class Club:
    """A competition with its people: eight entrants (or as many as asked for), one division, one stage."""

    competition: Competition
    division: Division
    stage: Stage
    players: list[Player]
    alice: User
    bob: User
    charlie: User
    dora: User
    rounds: list[Round] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return self.competition.slug

    @property
    def league(self) -> League:
        return self.competition.league

    def table(self, round_number: int = 1, number: int = 1) -> Table:
        (found,) = _TABLES(stage=self.stage.pk, round=round_number, number=number)
        return found

    def add_players(self, count: int) -> None:
        """So many more entrants, p1, p2, …, with the names of ``NAMES`` as long as there are any."""
        numbers = range(len(self.players), len(self.players) + count)
        names = [NAMES[i] if i < len(NAMES) else f"Player {i + 1}" for i in numbers]
        register, here = self.league.register, {"competition": self.competition, "division": self.division}
        players = Player.objects.bulk_create(Player(register=register, name=name) for name in names)
        Entrant.objects.bulk_create(
            Entrant(player=player, key=f"p{i + 1}", **here)
            for i, player in zip(numbers, players, strict=True)
        )
        self.players.extend(players)

    def add_round(self, *, opened: bool = True, visibility: str = Round.Visibility.RESULTS) -> Round:
        """One more round: everyone of the division seated in order, four a table."""
        here = set(self.competition.entrants.filter(division=self.division).values_list("player", flat=True))
        ids = [player.pk for player in self.players if player.pk in here]
        tables = {i // 4 + 1: ids[i : i + 4] for i in range(0, len(ids) // 4 * 4, 4)}
        facts = {"opened": opened, "visibility": visibility, "by": self.alice}
        made = write_round(self.stage, tables, **facts) or serve_round(self.stage, tables, **facts)
        self.rounds.append(made)
        return made

    def record(
        self,
        points: tuple[int, int, int, int],
        *,
        round_number: int = 1,
        number: int = 1,
        by: User | None = None,
    ) -> Sheet:
        """A first sheet for the table, by Charlie unless said otherwise."""
        table = self.table(round_number, number)
        return record_result(table=table, points=points, based_on=0, by=by or self.charlie)


def _tables() -> QuerySet[Table]:
    wanted: dict[str, Any] = {
        "round__stage": Argument("stage", BigAutoField()),
        "round__number": Argument("round", IntegerField()),
        "number": Argument("number", IntegerField()),
    }
    related = ("round__stage__division__competition__league", "round__stage__division__rule_set")
    return Table.objects.select_related(*related).filter(**wanted)


_TABLES = Prepared(_tables)


def serve_round(
    stage: Stage, tables: dict[int, list[int]], *, opened: bool, visibility: str, by: User
) -> Round:
    """Make a round by the services that `write_round` stands for."""
    made = create_round(stage=stage, by=by)
    made = seat_players(round_=made, tables=tables, by=by)
    if opened:
        made = open_round(round_=made, by=by)
    return set_visibility(round_=made, visibility=visibility, by=by)


def as_seen(table: Table) -> dict[str, Any]:
    """The table with its current sheet, on which the next step is based."""
    return {"table": table, "based_on": sheet_id(table)}


def sheet_id(table: Table) -> int:
    """The id of the table's current sheet, 0 without one: what its forms name."""
    return table.sheets.filter(is_current=True).values_list("pk", flat=True).first() or 0


@written_again
def club(
    slug: str = "spring",
    *,
    preset: str = "hkma-a-2025-04",
    players: int = 8,
    overrides: dict[str, object] | None = None,
    visibility: str = "public",
    kind: str = Competition.Kind.SEASON,
) -> Club:
    """A competition under ``preset`` with people of its own: their names carry its slug."""
    alice, bob, charlie, dora = (user(f"{name}-{slug}") for name in ("alice", "bob", "charlie", "dora"))
    league = create_league(name=f"Club {slug}", slug=slug, by=alice)
    competition = create_competition(
        league=league,
        name=f"League {slug}",
        slug=slug,
        preset_slug=preset,
        overrides=overrides,
        visibility=visibility,
        kind=kind,
        timezone="Asia/Hong_Kong",
        by=alice,
    )
    for person, role in ((bob, Role.Kind.REFEREE), (charlie, Role.Kind.SCORER), (dora, Role.Kind.PLAYER)):
        Role.objects.create(competition=competition, user=person, kind=role)
    division = competition.divisions.get()
    made = Club(competition, division, division.stages.get(), [], alice, bob, charlie, dora)
    made.add_players(players)
    return made
