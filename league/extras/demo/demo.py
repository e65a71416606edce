"""The contents of `manage.py demo`: two real competitions, an invented club, and accounts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from league.extras.demo.calendar import Cast, make_calendar
from league.extras.demo.events import open_registration, play_cup
from league.models import Competition, Dispute, Entrant, League, Role, Round, Stage, Table
from league.organizing.competitions.services import (
    add_division,
    create_competition,
    create_league,
    update_competition,
)
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.interchange.services.drafts import Progress
from league.play.bans.services import set_ban
from league.play.calls.services import call_referee
from league.play.disputes.services import open_dispute, take_step
from league.play.results.services import record_result
from league.play.rounds import services as rounds
from league.play.substitutions.services.departures import forfeit_player
from league.ranking.stages.services import add_stage
from league.referees.penalties.services.log import log_offence, log_penalty
from players.models import Player

DATA = Path(__file__).parent / "data"
PASSWORD = "umaoka-demo"  # noqa: S105  known to everyone: the command says so and refuses real databases
ACCOUNTS = {
    "organizer": Role.Kind.ORGANIZER,
    "referee": Role.Kind.REFEREE,
    "scorer": Role.Kind.SCORER,
    "player": Role.Kind.PLAYER,
}


@dataclass(frozen=True)
class Real:
    """A real competition. ``league``: the league's name with the source of the results."""

    file: str
    slug: str
    league: str
    league_slug: str
    kind: str


REAL = (
    Real(
        file="mleague-2018-19.json",
        slug="mleague-2018-19",
        league="M.League (results collected by u-10bei/mleague-stats)",
        league_slug="m-league",
        kind=Competition.Kind.SEASON,
    ),
    Real(
        file="sample-24-players.json",
        slug="sample-24",
        league="Sample tournament (of PauliMarttinen/mahjong-tournament-engine)",
        league_slug="sample-tournament",
        kind=Competition.Kind.EVENT,
    ),
)

DEMO, CUP, OPEN = "demo-league", "demo-cup", "demo-open"
RULES = "hkma-a-2025-04"
# Invented: own script, romanized, country, club.
PLAYERS = (
    ("陳曉東", "Chan Hiu Tung", "HK", "Harbour Riichi"),
    ("黃美儀", "Wong Mei Yee", "HK", "Harbour Riichi"),
    ("林志遠", "Lam Chi Yuen", "HK", "Lion Rock"),
    ("佐藤みどり", "Satō Midori", "JP", "Lion Rock"),
    ("Elin Sjöberg", "", "SE", "Harbour Riichi"),
    ("Trần Minh Khôi", "", "VN", "Lion Rock"),
    ("李嘉欣", "Lee Ka Yan", "HK", "Peak"),
    ("何俊傑", "Ho Chun Kit", "HK", "Peak"),
)
SECOND_DIVISION = (
    ("梁嘉明", "Leung Ka Ming", "HK", "Harbour Riichi"),
    ("鄭雅文", "Cheng Nga Man", "HK", "Peak"),
    ("高橋ゆかり", "Takahashi Yukari", "JP", "Lion Rock"),
    ("Mateusz Wójcik", "", "PL", "Peak"),
    ("Nguyễn Thu Lan", "", "VN", "Lion Rock"),
    ("周子軒", "Chow Tsz Hin", "HK", "Peak"),
    ("吳詠欣", "Ng Wing Yan", "HK", "Harbour Riichi"),
    ("Sanna Mäkelä", "", "FI", "Harbour Riichi"),
)
BANNED = ("Zoë Lindqvist", "", "SE", "Harbour Riichi")  # entered, sent away before the season began
FIRST_ROUND = {1: (48_200, 33_900, 22_400, 15_500), 2: (29_300, 41_700, -3_200, 51_200)}
DEPOSITS = {2: 1_000}

Watch = Callable[[str, int], Progress]  # what is loaded, how many tables it has → called as they are written


def other_people() -> bool:
    """Return True if this database has other accounts than the demo's."""
    return User.objects.exclude(username__in=ACCOUNTS).exists()


def make_demo(*, today: date, watch: Watch) -> Iterator[str]:
    """Create missing parts, and yield a sentence for each."""
    people, made = _accounts()
    if made:
        yield f"Created the accounts {', '.join(made)}."
    for real in REAL:
        if not Competition.objects.filter(slug=real.slug).exists():
            competition = _load(real, people, watch)
            yield f"Loaded {competition.name}."
    if not Competition.objects.filter(slug=DEMO).exists():
        with transaction.atomic():
            _demo_league(people, today)
        yield "Created the demo league: round 1 closed, round 2 open, division B agrees on its evenings."
    if not Competition.objects.filter(slug=CUP).exists():
        with transaction.atomic():
            _demo_cup(people, today)
        yield "Created the demo cup: one table is left before the final."
    if not Competition.objects.filter(slug=OPEN).exists():
        with transaction.atomic():
            _demo_open(people, today)
        yield "Created the demo open: its registration is open, and all places are taken."


def _accounts() -> tuple[dict[str, User], list[str]]:
    people = {user.username: user for user in User.objects.filter(username__in=ACCOUNTS)}
    missing = [name for name in ACCOUNTS if name not in people]
    for name in missing:
        people[name] = User.objects.create_user(username=name, password=PASSWORD)
    return people, missing


def _load(real: Real, people: dict[str, User], watch: Watch) -> Competition:
    facts = read_competition_file((DATA / real.file).read_bytes())
    facts.kind = real.kind
    organizer = people["organizer"]
    with transaction.atomic():
        league = League.objects.filter(slug=real.league_slug).first() or create_league(
            name=real.league, slug=real.league_slug, by=organizer
        )
        progress = watch(facts.name, facts.counts["tables"])
        competition = import_competition(facts=facts, league=league, by=organizer, progress=progress)
        _give_roles(competition, people)
    return competition


def _give_roles(competition: Competition, people: dict[str, User]) -> None:
    Role.objects.bulk_create(
        Role(competition=competition, user=people[name], kind=kind) for name, kind in ACCOUNTS.items()
    )


def _demo_league(people: dict[str, User], today: date) -> None:
    organizer = people["organizer"]
    competition = create_competition(
        league=_demo_club(organizer),
        name="Demo league",
        slug=DEMO,
        preset_slug=RULES,
        timezone="Asia/Hong_Kong",
        division_names=["Division A"],
        stage_name="Regular season",
        by=organizer,
    )
    _give_roles(competition, people)
    stage = Stage.objects.select_related("division__competition__league").get(
        division__competition=competition
    )
    *players, banned = _enter(stage, (*PLAYERS, BANNED))
    first = _seated_round(stage, players, organizer, date=today - timedelta(days=7))
    _play(first, people)
    first = rounds.close_round(round_=first, by=organizer)
    rounds.set_visibility(round_=first, visibility=Round.Visibility.RESULTS, by=organizer)
    second = _seated_round(stage, players[::2] + players[1::2], organizer, date=today)
    rounds.set_visibility(round_=second, visibility=Round.Visibility.SEATING, by=organizer)
    _send_away(stage, banned, people, today)
    _referee(second, people)
    _second_division(competition, people, today)


def _demo_club(by: User) -> League:
    return League.objects.filter(slug="demo-club").first() or create_league(
        name="Demo club (invented)", slug="demo-club", by=by
    )


def _demo_event(slug: str, name: str, people: dict[str, User], day: date) -> Stage:
    competition = create_competition(
        league=_demo_club(people["organizer"]),
        name=name,
        slug=slug,
        preset_slug=RULES,
        kind=Competition.Kind.EVENT,
        timezone="Asia/Hong_Kong",
        first_day=day,
        by=people["organizer"],
    )
    _give_roles(competition, people)
    return Stage.objects.select_related("division__competition__league").get(
        division__competition=competition
    )


def _demo_cup(people: dict[str, User], today: date) -> None:
    stage = _demo_event(CUP, "Demo cup", people, today)
    play_cup(stage, _enter(stage, (*PLAYERS, *SECOND_DIVISION[:4])), people, today)


def _demo_open(people: dict[str, User], today: date) -> None:
    stage = _demo_event(OPEN, "Demo open", people, today + timedelta(days=30))
    rows = (*SECOND_DIVISION, PLAYERS[0])
    open_registration(stage.competition, rows, people["organizer"], today)


def _second_division(competition: Competition, people: dict[str, User], today: date) -> None:
    organizer = people["organizer"]
    division = add_division(
        competition=competition,
        name="Division B",
        preset_slug=RULES,
        stage_name="Evenings as agreed",
        by=organizer,
    )
    evenings = Stage.objects.select_related("division__competition__league").get(division=division)
    open_play = add_stage(division=evenings.division, name="Free play", by=organizer)
    players = _enter(evenings, SECOND_DIVISION)
    make_calendar(evenings, open_play, Cast(players, people, today))


def _enter(stage: Stage, rows: Sequence[tuple[str, str, str, str]]) -> list[int]:
    competition = stage.competition
    register = competition.league.register
    clubs = {}
    for name in sorted({club for _name, _romanized, _country, club in rows}):
        clubs[name], _created = register.clubs.get_or_create(name=name)
    ids = []
    for number, (name, romanized, country, club) in enumerate(rows, start=competition.entrants.count() + 1):
        player, _created = Player.objects.get_or_create(
            register=register,
            name=name,
            defaults={"romanized": romanized, "country": country, "club": clubs[club]},
        )
        Entrant.objects.create(
            competition=competition, player=player, division=stage.division, key=f"p{number}"
        )
        ids.append(player.pk)
    return ids


def _seated_round(stage: Stage, players: list[int], by: User, *, date: date) -> Round:
    round_ = rounds.create_round(stage=stage, date=date, by=by)
    tables = {first // 4 + 1: players[first : first + 4] for first in range(0, len(players), 4)}
    return rounds.open_round(round_=rounds.seat_players(round_=round_, tables=tables, by=by), by=by)


def _play(round_: Round, people: dict[str, User]) -> None:
    tables = Table.objects.filter(round=round_).select_related(
        "round__stage__division__competition", "round__stage__division__rule_set"
    )
    for table in tables:
        record_result(
            table=table,
            points=FIRST_ROUND[table.number],
            sticks=DEPOSITS.get(table.number, 0),
            based_on=0,
            by=people["scorer"],
        )
    _first, table, *_others = tables
    west = table.seats.get(wind=2)
    log_penalty(
        stage=round_.stage,
        table=table,
        player_id=west.player_id,
        infraction="A-II",
        level="2",
        score=-20,
        by=people["referee"],
    )


def _send_away(stage: Stage, player: int, people: dict[str, User], today: date) -> None:
    competition, organizer = stage.competition, people["organizer"]
    entrant = Entrant.objects.select_related("competition").get(competition=competition, player=player)
    reason = "Did not obey the referees (invented)"
    forfeit_player(entrant=entrant, reason=reason, by=organizer)
    set_ban(
        competition=competition,
        player_id=player,
        since=today - timedelta(days=60),
        until=today + timedelta(days=300),
        reason=reason,
        by=organizer,
    )


def _referee(round_: Round, people: dict[str, User]) -> None:
    """Prepare something on each page of the referees."""
    referee, stage = people["referee"], round_.stage
    update_competition(competition=stage.competition, values={"approval_from": "5"}, by=people["organizer"])
    related = ("round__stage__division__competition", "round__stage__division__rule_set")
    one, two = Table.objects.filter(round=round_).select_related(*related).order_by("number")
    stage = one.round.stage
    west, north = (table.seats.get(wind=wind).player_id for table, wind in ((one, 2), (two, 3)))
    log_offence(  # too many tiles
        stage=stage, table=one, player_id=west, infraction="A-X", condition=1, hand="E2.1", by=referee
    )
    log_offence(  # the wall collapsed
        stage=stage,
        table=two,
        player_id=north,
        infraction="A-XII",
        condition=1,
        by=referee,
        approves=False,
    )
    dispute = open_dispute(table=two, subject="Was the call made before the next draw?", by=referee)
    ruling = "The tiles were mixed with the discards: level 5 is asked for."
    take_step(dispute=dispute, kind=Dispute.Step.PRELIMINARY, decided=ruling, by=referee)
    take_step(dispute=dispute, kind=Dispute.Step.RESUMED, by=referee)
    call_referee(table=one, note="Riichi stick on the floor", by=people["player"])
