"""The change mechanism: logged once, one revision more, and nothing left when it fails."""

import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest
from django.db import Error, connection, transaction

from league.core import changes
from league.core.changes import GENESIS, Sent, change, entry_hash
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Competition, Round, Seat, Submission, triggers
from league.organizing.audit_log.queries import head, verify_chain
from league.organizing.competitions.services import add_division, update_competition
from league.organizing.seating.services.by_hand import seat_by_hand
from league.play.open_play.services import enter_guest, enter_slip, set_play
from league.play.results.services import confirm_result, void_result
from league.play.rounds.services import create_in, create_round, set_visibility
from league.play.substitutions.services.substitutions import seat_substitute_by_name
from league.ranking.stages.services import add_stage
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, as_seen, club, revision, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

DAY = date(2026, 5, 6)


@module_fixture
def here() -> Club:
    return club()


def entries(competition: Competition) -> list[tuple[int, str]]:
    found = AuditEntry.objects.filter(competition=competition).order_by("sequence")
    return list(found.values_list("sequence", "action"))


def tamper(statement: str, *params: object) -> None:
    """Write into the log behind the application's back: with the triggers out of the way."""
    triggers.remove(connection)
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement, params)
    finally:
        triggers.install(connection)


def forge(entry: AuditEntry, **values: object) -> None:
    """Edit an entry behind the application's back, and hash it again as the application would."""
    for name, value in values.items():
        setattr(entry, name, value)
    entry.hash = entry_hash(entry)
    triggers.remove(connection)
    try:
        entry.save()
    finally:
        triggers.install(connection)


def last_three(competition: Competition) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(competition=competition).order_by("sequence"))[-3:]


# --- revision and log


def test_one_change_raises_the_revision_by_one_however_much_is_logged(here):
    before = revision(here.competition)
    with change(here.competition, by=here.alice) as done:
        done.log("test.first", "competition:1")
        done.log("test.second", "competition:1")
    assert revision(here.competition) == before + 1
    assert here.competition.revision == before + 1
    assert [action for _, action in entries(here.competition)][-2:] == ["test.first", "test.second"]


def test_a_deed_of_several_steps_is_one_change(here):
    here.add_round()
    four, day = [player.pk for player in here.players[:4]], {"on": DAY, "today": DAY}
    seat = Seat.objects.select_related("round__stage__division__competition").first()
    ending = {"sticks": 0, "last_dealer": 3, "sashiuma": {}}
    open_play = add_stage(division=here.division, name="Open", by=here.alice)
    set_play(stage=open_play, play="free", by=here.alice)
    second = Round(stage=here.stage, number=2)
    for deed in (
        lambda: enter_guest(stage=here.stage, **day, name="Gast", by=here.alice),
        lambda: seat_substitute_by_name(
            seat=seat, name="Neu", late=False, score=0, reason="ill", by=here.alice
        ),
        lambda: seat_by_hand(round_=second, day=DAY, tables={1: four}, by=here.alice),
        lambda: enter_slip(stage=open_play, **day, four=four, points=(30_000,) * 4, **ending, by=here.alice),
    ):
        before = revision(here.competition)
        deed()
        assert revision(here.competition) == before + 1


def test_an_entry_says_who_when_what_before_and_after(here):
    at = datetime(2026, 4, 5, 12, 30, tzinfo=UTC)
    with change(here.competition, by=here.alice, at=at) as done:
        done.log("test.it", "round:7", before={"status": "open"}, after={"status": "closed"})
    entry = AuditEntry.objects.filter(competition=here.competition).last()
    assert (entry.actor, entry.at, entry.action, entry.target, entry.before, entry.after) == (
        here.alice,
        at,
        "test.it",
        "round:7",
        {"status": "open"},
        {"status": "closed"},
    )


def test_a_change_that_fails_leaves_no_entry_no_revision_and_no_submission(here):
    before, logged = revision(here.competition), entries(here.competition)
    form = Sent.of(uuid.uuid4(), "typed")
    with pytest.raises(ZeroDivisionError):
        _log_and_fail(here, form)
    assert revision(here.competition) == before
    assert entries(here.competition) == logged
    assert not Submission.objects.filter(key=form.key).exists()


def _log_and_fail(here: Club, form: Sent) -> None:
    with change(here.competition, by=here.alice, form=form) as done:
        done.log("test.it", "competition:1")
        assert revision(here.competition) > here.competition.revision  # it was raised
        _ = 1 / 0


def test_a_refused_service_leaves_no_entry_and_no_revision(here):
    before, logged = revision(here.competition), entries(here.competition)
    create_round(stage=here.stage, number=1, by=here.alice)
    assert (revision(here.competition), len(entries(here.competition))) == (before + 1, len(logged) + 1)
    with pytest.raises(Refused):
        create_round(stage=here.stage, number=1, by=here.alice)
    assert (revision(here.competition), len(entries(here.competition))) == (before + 1, len(logged) + 1)


def test_each_competition_has_a_chain_of_its_own(here):
    other = club("autumn")
    create_round(stage=here.stage, by=here.alice)
    create_round(stage=other.stage, by=other.alice)
    for competition in (here.competition, other.competition):
        numbers = [sequence for sequence, _ in entries(competition)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert AuditEntry.objects.get(competition=competition, sequence=1).previous_hash == GENESIS


# --- what follows


def follow(monkeypatch, **followers: list[Callable[..., None]]) -> None:
    """Let these functions follow actions of the log (`_` for the dot), and no others."""
    named = {action.replace("_", "."): found for action, found in followers.items()}
    monkeypatch.setattr(changes, "following", lambda action: named.get(action, ()))


def test_what_follows_an_action_is_called_in_the_order_of_the_log_at_the_end(here, monkeypatch):
    called = []

    def first(done, fact):
        called.append(("first", fact.target, Round.objects.get(pk=fact.about.pk).number))

    def second(done, fact):
        called.append(("second", fact.target, dict(fact.before), dict(fact.after)))

    follow(monkeypatch, a_b=[first, second], c_d=[second])
    round_ = create_round(stage=here.stage, by=here.alice)
    with change(here.competition, by=here.alice) as done:
        done.log("c.d", "one", before={"a": 1})
        done.log("a.b", "two", after={"note": "said"}, about=round_)
        done.log("e.f", "three")
        Round.objects.filter(pk=round_.pk).update(number=7)
        assert called == []

    assert called == [
        ("second", "one", {"a": 1}, {}),
        ("first", "two", 7),
        ("second", "two", {}, {"note": "said"}),
    ]


def test_what_a_follower_logs_is_followed_and_comes_last(here, monkeypatch):
    follow(monkeypatch, a_b=[lambda done, fact: done.log("c.d", "later")], c_d=[lambda done, fact: None])
    with change(here.competition, by=here.alice) as done:
        done.log("a.b", "one")
        done.log("e.f", "two")

    assert [action for _sequence, action in entries(here.competition)][-3:] == ["a.b", "e.f", "c.d"]
    assert verify_chain(here.competition).broken_at is None


def test_a_follower_that_fails_undoes_the_change(here, monkeypatch):
    def fail(done, fact):
        raise Refused("Not now.")

    follow(monkeypatch, round_create=[fail])
    before = revision(here.competition), entries(here.competition)
    with pytest.raises(Refused):
        create_round(stage=here.stage, by=here.alice)

    assert not here.stage.rounds.exists()
    assert (revision(here.competition), entries(here.competition)) == before


def test_a_change_that_fails_is_not_followed(here, monkeypatch):
    called = []
    follow(monkeypatch, round_create=[lambda done, fact: called.append(fact)])
    with suppress(Refused), change(here.competition, by=here.alice) as done:
        create_in(done, here.stage, 1, None)
        raise Refused("Not now.")

    assert called == []
    assert not here.stage.rounds.exists()


def test_without_followers_the_same_is_logged(here, monkeypatch):
    follow(monkeypatch)
    create_round(stage=here.stage, by=here.alice)

    assert entries(here.competition)[-1][1] == "round.create"


# --- the chain


def test_an_untouched_chain_is_whole(here):
    here.add_round()
    report = verify_chain(here.competition)
    assert (report.broken_at, report.entries) == (None, len(entries(here.competition)))
    assert report.head == head(here.competition) != GENESIS


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("action", "round.close"),
        ("target", "round:999"),
        ("after", '{"number": 9}'),
        ("before", '{"number": 9}'),
        ("at", "2020-01-01 00:00:00+00:00"),
        ("actor_id", None),
        ("hash", "f" * 64),
        ("previous_hash", "f" * 64),
    ],
)
def test_an_edited_entry_breaks_the_chain_there(here, column, value):
    create_round(stage=here.stage, by=here.alice)
    create_round(stage=here.stage, by=here.alice)
    edited = len(entries(here.competition)) - 1
    assert verify_chain(here.competition).broken_at is None
    tamper(
        f"UPDATE league_auditentry SET {column} = %s WHERE competition_id = %s AND sequence = %s",  # noqa: S608
        value,
        here.competition.pk,
        edited,
    )
    assert verify_chain(here.competition).broken_at == edited


def test_a_deleted_entry_breaks_the_chain_at_the_next_one(here):
    here.add_round()
    assert len(entries(here.competition)) > 4
    tamper("DELETE FROM league_auditentry WHERE competition_id = %s AND sequence = 3", here.competition.pk)
    assert verify_chain(here.competition).broken_at == 4


def test_two_swapped_entries_break_the_chain_at_the_first(here):
    here.add_round()
    assert len(entries(here.competition)) > 4
    for old, new in ((3, 9003), (4, 3), (9003, 4)):
        tamper(
            "UPDATE league_auditentry SET sequence = %s WHERE competition_id = %s AND sequence = %s",
            new,
            here.competition.pk,
            old,
        )
    assert verify_chain(here.competition).broken_at == 3


def test_an_edited_entry_that_was_hashed_again_breaks_the_chain_at_the_next_one(here):
    here.add_round()
    kept = head(here.competition)
    _, edited, newest = last_three(here.competition)
    forge(edited, target="round:999")
    assert verify_chain(here.competition).broken_at == newest.sequence
    tamper("UPDATE league_auditentry SET previous_hash = %s WHERE id = %s", edited.hash, newest.pk)
    assert verify_chain(here.competition).broken_at == newest.sequence
    forge(newest, previous_hash=edited.hash)
    assert verify_chain(here.competition).broken_at is None  # all hashed again: the kept head tells
    assert head(here.competition) != kept


def test_a_gap_in_the_numbers_breaks_a_chain_that_was_hashed_again(here):
    here.add_round()
    before, cut, newest = last_three(here.competition)
    tamper("DELETE FROM league_auditentry WHERE id = %s", cut.pk)
    forge(newest, previous_hash=before.hash)
    assert verify_chain(here.competition).broken_at == newest.sequence


def test_the_log_of_another_competition_in_its_place_breaks_the_chain_at_the_first(here):
    other = club("autumn").competition
    assert verify_chain(other).broken_at is None
    tamper("DELETE FROM league_auditentry WHERE competition_id = %s", here.competition.pk)
    tamper(
        "UPDATE league_auditentry SET competition_id = %s WHERE competition_id = %s",
        here.competition.pk,
        other.pk,
    )
    assert verify_chain(here.competition).broken_at == 1


def test_a_cut_tail_shows_against_a_head_that_was_kept(here):
    here.add_round()
    kept = head(here.competition)
    newest = len(entries(here.competition))
    tamper(
        "DELETE FROM league_auditentry WHERE competition_id = %s AND sequence = %s",
        here.competition.pk,
        newest,
    )
    assert verify_chain(here.competition).broken_at is None  # a chain cannot know its own end
    assert head(here.competition) != kept


def test_the_chain_holds_for_every_kind_of_change(here):
    here.add_round()
    sheet = here.record((45000, 35000, 25000, 15000))
    confirm_result(**as_seen(here.table()), by=here.alice)
    void_result(**as_seen(here.table()), reason="played twice", by=here.alice)
    penalty = log_penalty(
        stage=here.stage, player_id=here.players[0].pk, score=-20, reason="late", by=here.bob
    )
    revoke_penalty(penalty=penalty, reason="was there", by=here.bob)
    add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    assert sheet.version == 1
    assert verify_chain(here.competition).broken_at is None


# --- the log only grows


@pytest.mark.parametrize(
    "statement",
    ["UPDATE league_auditentry SET action = 'x'", "DELETE FROM league_auditentry"],
    ids=["update", "delete"],
)
def test_the_database_itself_refuses_to_change_the_log(here, statement):
    logged = entries(here.competition)
    assert logged
    with pytest.raises(Error, match=triggers.REFUSAL), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert entries(here.competition) == logged


def test_the_log_of_a_competition_outlives_an_attempt_to_delete_it(here):
    with pytest.raises(Error), transaction.atomic():
        here.competition.delete()
    assert verify_chain(here.competition).broken_at is None


# --- submissions


def test_the_same_form_again_gets_the_first_answer_and_changes_nothing(here):
    form = Sent.of(uuid.uuid4(), 1)
    made = create_round(stage=here.stage, by=here.alice, form=form)
    before, logged = revision(here.competition), entries(here.competition)
    with pytest.raises(AlreadyDone) as done:
        create_round(stage=here.stage, by=here.alice, form=form)
    assert done.value.answer == {"round": made.pk}
    assert here.stage.rounds.count() == 1
    assert (revision(here.competition), entries(here.competition)) == (before, logged)


def test_the_same_key_with_other_content_is_refused_in_words(here):
    key = uuid.uuid4()
    create_round(stage=here.stage, by=here.alice, form=Sent.of(key, 1))
    with pytest.raises(
        Refused, match="This form was already submitted with different content, which was saved"
    ):
        create_round(stage=here.stage, by=here.alice, form=Sent.of(key, 2))
    assert here.stage.rounds.count() == 1


def test_another_person_with_the_same_form_learns_nothing_of_the_first_answer(here):
    form = Sent.of(uuid.uuid4(), 1)
    create_round(stage=here.stage, by=here.alice, form=form)
    with pytest.raises(Refused):
        create_round(stage=here.stage, by=user("mallory"), form=form)
    assert here.stage.rounds.count() == 1


def test_a_refused_form_may_be_mended_and_sent_again_under_its_key(here):
    key = uuid.uuid4()
    create_round(stage=here.stage, number=1, by=here.alice)
    with pytest.raises(Refused):
        create_round(stage=here.stage, number=1, by=here.alice, form=Sent.of(key, 1))
    assert create_round(stage=here.stage, number=2, by=here.alice, form=Sent.of(key, 2)).number == 2


def test_the_fingerprint_tells_contents_apart():
    key = uuid.uuid4()
    contents = [(1, 2), (12,), ("1", "2"), ([1, 2],), ({"a": 1},), ()]
    assert len({Sent.of(key, *content).fingerprint for content in contents}) == len(contents)
    assert Sent.of(key, {"a": 1, "b": 2}) == Sent.of(key, {"b": 2, "a": 1})


# --- names stay out of the log


def test_no_entry_holds_the_name_of_a_person(here):
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    log_penalty(stage=here.stage, player_id=here.players[0].pk, score=-20, reason="late", by=here.bob)
    set_visibility(round_=here.rounds[0], visibility="hidden", by=here.alice)
    update_competition(competition=here.competition, values={"suggest_fourth": False}, by=here.alice)
    logged = [
        json.dumps([e.action, e.target, e.before, e.after], ensure_ascii=False)
        for e in AuditEntry.objects.filter(competition=here.competition)
    ]
    text = "\n".join(logged)
    assert str(here.players[0].pk) in text  # the people are in it, by number
    names = [p.name for p in here.players] + [u.username for u in (here.alice, here.bob, here.charlie)]
    assert [name for name in names if name in text] == []
