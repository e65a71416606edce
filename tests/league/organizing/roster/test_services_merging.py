"""Two records of one person become one: what goes over, what is refused, what is logged."""

import uuid
from datetime import date
from functools import partial

import pytest
from django.utils import timezone

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Call, Channel, Competition, Entrant, Penalty, Role, Seat, SittingOut
from league.organizing.audit_log.queries import verify_chain
from league.organizing.competitions.services import create_competition
from league.organizing.roster.queries import suggested_pairs
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import enter_player, withdraw_entrant
from league.people.register.services import PlayerValues, values_of
from league.play.calls.services import tell_staff
from league.play.substitutions.services.substitutions import add_adjustment, substitute_player
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.log import log_penalty
from players.models import FederationNumber, Player
from tests.factories import Club, club, last_entry, revision, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    return club(players=4)


@pytest.fixture
def autumn(spring: Club) -> Competition:
    """A second competition of the same league."""
    return create_competition(
        league=spring.league, name="Autumn", slug="autumn", preset_slug="ema-2016", by=spring.alice
    )


def sent(*content: object) -> Sent:
    return Sent.of(uuid.uuid4(), *content)


def twin_in(competition: Competition, by, *, name: str = "陳大文") -> Entrant:
    """A second record of the same person, entered in the competition."""
    entrant = enter_player(
        competition=competition, values=PlayerValues(name=name), division=competition.divisions.get(), by=by
    )
    return entrant


def enter_into(competition: Competition, player: Player) -> None:
    """Enter the record of a player of another competition of the league."""
    division = competition.divisions.get()
    competition.entrants.create(player=player, key=f"same-{player.pk}", division=division)


def merged(spring: Club, keep: int, gone: int, **changes: object) -> Player:
    options: dict = {"values": PlayerValues(name="陳大文"), "by": spring.alice} | changes
    return merge_players(competition=spring.competition, keep=keep, gone=gone, **options)


def test_games_penalties_and_entries_go_over_to_the_record_that_stays(spring, autumn):
    spring.add_round()
    spring.record((45000, 35000, 25000, 15000))
    keep = twin_in(autumn, spring.alice)
    gone = spring.players[0]
    log_penalty(stage=spring.stage, player_id=gone.pk, score=-20, reason="late", by=spring.bob)
    spring.competition.refresh_from_db()
    before = standings(spring.stage, public=False).rows[0]
    assert before.player.player == gone.pk
    revisions = [revision(spring.competition), revision(autumn)]

    stays = merged(spring, keep.player_id, gone.pk)

    assert stays.pk == keep.player_id
    assert not Player.objects.filter(pk=gone.pk).exists()
    assert Seat.objects.filter(player=stays).count() == 1
    assert Penalty.objects.get().player == stays
    stage = type(spring.stage).objects.select_related("division__competition").get(pk=spring.stage.pk)
    after = standings(stage, public=False).rows[0]
    assert (after.player.player, after.row.total, after.row.games) == (
        stays.pk,
        before.row.total,
        before.row.games,
    )
    assert revision(spring.competition) == revisions[0] + 1
    assert last_entry(spring.competition).action == "player.merge"
    assert verify_chain(spring.competition).broken_at is None


def test_the_log_of_each_competition_names_its_own_penalties(spring, autumn):
    keep, gone = spring.players[:2]
    for player in (keep, gone):
        enter_into(autumn, player)
    penalties = {
        stage.division.competition: log_penalty(
            stage=stage, player_id=gone.pk, score=-20, reason="late", by=spring.alice
        )
        for stage in (spring.stage, autumn.divisions.get().stages.get())
    }

    merged(spring, keep.pk, gone.pk)

    for competition, penalty in penalties.items():
        entry = AuditEntry.objects.get(competition=competition, action="player.merge")
        assert entry.before["penalties"] == [penalty.pk]
        penalty.refresh_from_db()
        assert penalty.player_id == keep.pk


def test_who_was_substituted_in_a_competition_that_the_other_record_has_not_entered(spring, autumn):
    """The database refuses a seat of the record until the record is entered in the competition."""
    spring.add_players(1)
    spring.add_round()
    gone, substitute = spring.players[0], spring.players[4]
    seat = Seat.objects.get(player=gone)
    substitute_player(seat=seat, substitute=substitute.pk, late=False, score=0, reason="ill", by=spring.alice)
    keep = twin_in(autumn, spring.alice)
    enter_into(autumn, gone)

    merge_players(
        competition=autumn,
        keep=keep.player_id,
        gone=gone.pk,
        values=PlayerValues(name="陳大文"),
        by=spring.alice,
    )

    seat.refresh_from_db()
    assert (seat.player_id, seat.stands_for_id) == (substitute.pk, keep.player_id)


def test_two_entries_in_one_competition_become_one(spring):
    twin = twin_in(spring.competition, spring.alice)
    keep = spring.competition.entrants.get(player=spring.players[0])
    withdraw_entrant(entrant=keep, by=spring.alice)
    Entrant.objects.filter(pk=keep.pk).update(division=None, is_substitute=True, is_guest=True)

    merged(spring, keep.player_id, twin.player_id)

    entrant = spring.competition.entrants.get(player=keep.player_id)
    assert (entrant.is_substitute, entrant.is_guest) == (False, False)
    assert (entrant.pk, entrant.key, entrant.division, entrant.withdrawn_at) == (
        keep.pk,
        "p1",
        spring.division,
        None,
    )
    assert spring.competition.entrants.count() == 4
    assert last_entry(spring.competition).before == {
        "player": twin.player_id,
        "seats": [],
        "penalties": [],
        "entrant": twin.pk,
        "key": "p5",
    }


def test_messages_go_over_and_a_double_one_is_left_out(spring):
    spring.add_players(1)
    spring.add_round()
    keep, gone = spring.players[4], spring.players[0]
    send = partial(tell_staff, table=spring.table(), by=None)
    late = send(player=keep, kind="late", note="ten minutes")
    send(player=gone, kind="late")
    absent = send(player=gone, kind="absent")

    merged(spring, keep.pk, gone.pk)

    assert list(Call.objects.order_by("pk").values_list("pk", "player")) == [
        (late.pk, keep.pk),
        (absent.pk, keep.pk),
    ]


def test_two_who_met_in_a_round_are_two_people(spring):
    spring.add_round()
    counts = (Player.objects.count(), AuditEntry.objects.count())

    with pytest.raises(Refused, match="Both played in round 1 of League spring"):
        merged(spring, spring.players[0].pk, spring.players[1].pk)

    assert (Player.objects.count(), AuditEntry.objects.count()) == counts


def test_two_records_of_which_one_sat_out_while_the_other_played_are_merged(spring):
    here, twin = spring.players[0].pk, twin_in(spring.competition, spring.alice).player_id
    rounds = [spring.add_round() for _round in range(3)]
    for round_, out in ((0, twin), (1, here), (2, here), (2, twin)):
        SittingOut.objects.create(round=rounds[round_], player_id=out)
    Seat.objects.filter(round=rounds[1], player=here).update(player=twin)
    Seat.objects.filter(round=rounds[2], player=here).delete()

    merged(spring, here, twin)

    assert list(Seat.objects.filter(player=here).values_list("round__number", flat=True)) == [1, 2]
    assert list(SittingOut.objects.values_list("round__number", "player")) == [(3, here)]


def test_evenings_on_which_either_record_came_and_paid_are_kept(spring):
    keep = spring.competition.entrants.get(player=spring.players[0])
    gone = twin_in(spring.competition, spring.alice)
    for entrant, day, paid in ((keep, 1, False), (gone, 1, True), (gone, 2, True), (keep, 3, True)):
        spring.stage.presences.create(entrant=entrant, day=date(2026, 11, day), paid=paid)

    merged(spring, keep.player_id, gone.player_id)

    kept = spring.stage.presences.order_by("day").values_list("entrant", "day__day", "paid")
    assert list(kept) == [(keep.pk, 1, True), (keep.pk, 2, True), (keep.pk, 3, True)]


def test_only_who_organizes_every_competition_of_both_merges(spring, autumn):
    zoe = user("zoe")
    Role.objects.create(competition=autumn, user=zoe, kind=Role.Kind.ORGANIZER)
    twin = twin_in(autumn, spring.alice)

    with pytest.raises(Refused, match="One of the two is entered in a competition that you do not organize"):
        merge_players(
            competition=autumn,
            keep=twin.player_id,
            gone=spring.players[0].pk,
            values=PlayerValues(name="陳大文"),
            by=zoe,
        )
    assert merged(spring, twin.player_id, spring.players[0].pk).pk == twin.player_id


def test_a_player_of_another_league_is_not_merged(spring):
    other = club("other").players[0]

    with pytest.raises(Refused):
        merged(spring, spring.players[0].pk, other.pk)
    assert Player.objects.filter(pk=other.pk).exists()


def test_a_player_is_not_merged_with_themselves(spring):
    with pytest.raises(Refused):
        merged(spring, spring.players[0].pk, spring.players[0].pk)


def test_the_merged_record_says_what_was_chosen(spring):
    twin = twin_in(spring.competition, spring.alice)
    FederationNumber.objects.create(player=twin.player, federation="EMA", number="007")
    chosen = PlayerValues(name="陳大文", romanized="Chan", country="HK", numbers=(("EMA", "007"),))

    stays = merged(spring, spring.players[0].pk, twin.player_id, values=chosen)

    assert values_of(Player.objects.get(pk=stays.pk)) == chosen


def channel(entrant: Entrant, address: str) -> Channel:
    """A browser that gets the notices of this player."""
    keys = {"p256dh": "p", "auth": "a", "language": "en", "site": "https://umaoka.example"}
    now = timezone.now()
    values = keys | {"kind": Channel.Kind.PUSH, "created_at": now, "confirmed_at": now}
    return Channel.objects.create(entrant=entrant, address=address, **values)


def test_notices_of_both_records_go_to_the_one_that_stays_and_once_to_each_browser(spring):
    keep = twin_in(spring.competition, spring.alice)
    gone = Entrant.objects.get(competition=spring.competition, player=spring.players[0])
    both = channel(keep, "https://push.example/both")
    channel(gone, both.address)
    other = channel(gone, "https://push.example/other")

    merged(spring, keep.player_id, gone.player_id)

    stays = Entrant.objects.get(competition=spring.competition, player=keep.player_id)
    assert list(Channel.objects.values_list("pk", "entrant")) == [(both.pk, stays.pk), (other.pk, stays.pk)]


def test_notices_go_along_to_a_competition_in_which_only_the_other_record_is_entered(spring, autumn):
    keep = twin_in(autumn, spring.alice)
    gone = Entrant.objects.get(competition=spring.competition, player=spring.players[0])
    own = channel(gone, "https://push.example/own")

    merged(spring, keep.player_id, gone.player_id)

    own.refresh_from_db()
    assert (own.entrant.player_id, own.entrant.competition_id) == (keep.player_id, spring.competition.pk)


def test_a_merge_sent_twice_is_done_once(spring):
    twin, form = twin_in(spring.competition, spring.alice), sent("merge")
    merged(spring, spring.players[0].pk, twin.player_id, form=form)

    with pytest.raises(AlreadyDone):
        merged(spring, spring.players[0].pk, twin.player_id, form=form)


def test_suggestions_leave_out_who_met(spring):
    twin = twin_in(spring.competition, spring.alice)
    pairs = [(a.pk, b.pk, exact) for a, b, exact in suggested_pairs(spring.competition)]
    assert pairs == [(spring.players[0].pk, twin.player_id, True)]

    spring.players[1] = twin.player
    spring.add_round()

    assert suggested_pairs(spring.competition) == []


def test_two_who_were_given_the_same_points_for_no_round_are_not_merged(spring):
    twin = twin_in(spring.competition, spring.alice)
    for entrant in (twin, Entrant.objects.get(player=spring.players[0])):
        add_adjustment(
            stage=spring.stage,
            round_=None,
            entrant=entrant,
            kind="absent",
            score=-150,
            reason="first evening",
            by=spring.alice,
        )

    with pytest.raises(Refused, match="Both were given the same points in Regular season of League spring"):
        merged(spring, spring.players[0].pk, twin.player_id)

    assert Player.objects.filter(pk=twin.player_id).exists()
