"""Disputes in the database: each step after each other, what is refused, the clock, what a ruling changes."""

from datetime import UTC, datetime, timedelta

import pytest

from league.core.errors import Refused
from league.models import AuditEntry, Dispute, DisputeStep, Penalty, Role, Sheet, Table
from league.organizing.competitions.services import create_competition
from league.play.calls.services import start_clock
from league.play.disputes.procedure import FOLLOWS, NEEDED, Step
from league.play.disputes.queries import open_disputes, revocable, story_of
from league.play.disputes.services import close_dispute, open_dispute, take_step
from league.play.results.services import record_result, void_result
from league.play.rounds.services import close_round
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.factories import Club, as_seen, club, with_texts
from tests.module_fixtures import module_fixture
from tests.win_bans import active_bans, bans_at

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)
TEXTS = {"said": "East says that he called in time.", "decided": "The call stands."}
WAYS: dict[str, tuple[str, ...]] = {  # how a matter gets to each step
    Step.OPENED: (),
    Step.PRELIMINARY: (Step.PRELIMINARY,),
    Step.RESUMED: (Step.PRELIMINARY, Step.RESUMED),
    Step.OBJECTION: (Step.PRELIMINARY, Step.OBJECTION),
    Step.MEETING: (Step.PRELIMINARY, Step.OBJECTION, Step.MEETING),
    Step.FINAL: (Step.PRELIMINARY, Step.OBJECTION, Step.MEETING, Step.FINAL),
}


@module_fixture
def spring() -> Club:
    made = club("spring", preset="hkma-b-2025-04")  # 60 minutes, then one hand
    made.add_round()
    return made


def opened(made: Club, number: int = 1, *, minute: int = 0, **options) -> Dispute:
    options = {"subject": "Was it called in time?", "by": made.bob} | options
    return open_dispute(table=made.table(number=number), at=NOON + timedelta(minutes=minute), **options)


def step(dispute: Dispute, kind: str, made: Club, *, minute: int = 1, **options) -> Dispute:
    options = TEXTS | {"by": made.bob} | options
    return take_step(dispute=dispute, kind=kind, at=NOON + timedelta(minutes=minute), **options)


def late(made: Club, index: int = 0, **options) -> Penalty:
    options = {"score": -80, "reason": "late", "by": made.bob} | options
    return log_penalty(stage=made.stage, table=made.table(), player_id=made.players[index].pk, **options)


def at_step(made: Club, kind: str) -> Dispute:
    """A dispute that has come to this step, a minute a step."""
    dispute = opened(made)
    for minute, each in enumerate(WAYS[kind], 1):
        dispute = step(dispute, each, made, minute=minute)
    return dispute


def facts() -> dict[str, object]:
    """Everything that a refused change must leave as it was."""
    return {
        "disputes": list(Dispute.objects.order_by("pk").values_list()),
        "steps": list(DisputeStep.objects.order_by("pk").values_list()),
        "tables": list(Table.objects.order_by("pk").values_list()),
        "audit": AuditEntry.objects.count(),
    }


def logged(target: str) -> list[tuple[str, dict | None]]:
    entries = map(with_texts, AuditEntry.objects.filter(target=target).order_by("sequence"))
    return [(entry.action, entry.after) for entry in entries]


# --- opening


def test_a_dispute_begins_with_its_first_step_and_an_entry_in_the_log(spring):
    set_hand(table=spring.table(), hand="S2.1", by=spring.bob)

    dispute = opened(spring, subject="  Was it called in time? ")

    kept = Dispute.objects.get()
    assert (kept.pk, kept.table, kept.hand, kept.subject) == (
        dispute.pk,
        spring.table(),
        "S2.1",
        "Was it called in time?",
    )
    assert (kept.step, kept.created_by, kept.created_at) == ("opened", spring.bob, NOON)
    assert (kept.paused_at, kept.resumed_at, kept.closed_at) == (NOON, None, None)
    assert [(s.kind, s.created_by, s.created_at) for s in kept.steps.all()] == [("opened", spring.bob, NOON)]
    assert logged(f"dispute:{dispute.pk}") == [
        ("dispute.open", {"table": kept.table_id, "hand": "S2.1", "subject": "Was it called in time?"})
    ]


def test_a_dispute_may_be_about_an_earlier_hand(spring):
    set_hand(table=spring.table(), hand="E3.0", by=spring.bob)
    assert opened(spring, hand="E2.1").hand == "E2.1"


@pytest.mark.parametrize(
    ("options", "field", "sentence"),
    [
        ({"subject": "  "}, "subject", "Describe what happened"),
        ({"hand": "W1.0"}, "hand", "This hand is not possible under these rules"),
        ({"hand": "E5.0"}, "hand", "This hand is not possible under these rules"),
        ({"hand": "east 1"}, "hand", "This hand is not possible under these rules"),
    ],
)
def test_what_cannot_be_opened_is_refused(spring, options, field, sentence):
    before = facts()
    with pytest.raises(Refused, match=sentence) as refused:
        opened(spring, **options)
    assert refused.value.field == field
    assert facts() == before


def test_a_table_has_one_open_dispute_and_may_have_another_afterwards(spring):
    first = opened(spring)
    with pytest.raises(Refused, match="already has an open dispute"):
        opened(spring)
    opened(spring, 2)

    step(first, Step.PRELIMINARY, spring)
    step(first, Step.RESUMED, spring, closes=True)

    assert opened(spring, minute=9).pk != first.pk


def test_a_hand_with_a_final_ruling_is_disputed_again_only_about_something_else(spring):
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    at_step(spring, Step.FINAL)
    ruled = Dispute.objects.get()
    assert ruled.closed_at is not None
    decided = ruled.steps.get(kind="final").decided
    before = facts()

    with pytest.raises(Refused, match=f"is not open to objection: “{decided}”") as refused:
        opened(spring, minute=20, despite=False)

    assert refused.value.field == "despite"
    assert facts() == before
    assert opened(spring, minute=20, despite=False, hand="E1.0").hand == "E1.0"  # another hand
    Dispute.objects.exclude(pk=ruled.pk).update(closed_at=NOON + timedelta(minutes=21))
    assert opened(spring, minute=22, despite=True).hand == "E2.0"


def test_a_hand_whose_dispute_closed_without_a_final_ruling_is_disputed_again(spring):
    first = opened(spring)
    step(first, Step.PRELIMINARY, spring)
    step(first, Step.RESUMED, spring, closes=True)

    assert opened(spring, minute=9, despite=False).pk != first.pk


def test_nothing_is_disputed_before_the_round_is_open(spring):
    spring.add_round(opened=False)
    with pytest.raises(Refused, match="has not started yet"):
        open_dispute(table=spring.table(2), subject="Which offence?", by=spring.bob)
    assert Dispute.objects.count() == 0


def test_a_table_that_was_seated_away_cannot_be_disputed(spring):
    table = spring.table(number=2)
    Table.objects.filter(pk=table.pk).delete()
    with pytest.raises(Refused, match="deleted or replaced"):
        open_dispute(table=table, subject="Which offence?", by=spring.bob)


# --- from step to step


@pytest.mark.parametrize("now", Step.values)
@pytest.mark.parametrize("kind", Step.values)
def test_only_what_follows_is_accepted(spring, now, kind):
    dispute = at_step(spring, now)
    before = facts()
    if kind in FOLLOWS[now]:
        after = step(dispute, kind, spring, minute=9)
        assert (after.step, after.steps.last().kind) == (kind, kind)
        assert after.steps.count() == len(before["steps"]) + 1
        return
    with pytest.raises(Refused) as refused:
        step(dispute, kind, spring, minute=9)
    assert facts() == before
    sentence = str(refused.value)
    if now == Step.FINAL:
        assert "This dispute was closed by the final ruling and cannot be reopened" in sentence
    elif now == kind:
        assert "Someone else has already recorded this step" in sentence
    else:
        assert all(str(Step(each).label) in sentence for each in FOLLOWS[now])


def test_the_table_of_steps_is_that_of_the_procedure():
    assert FOLLOWS == {
        "opened": ("preliminary",),
        "preliminary": ("resumed", "objection"),
        "resumed": ("objection",),
        "objection": ("meeting",),
        "meeting": ("final",),
        "final": (),
    }


def test_all_six_steps_are_kept_with_who_when_what_was_said_and_decided(spring):
    people = {Step.OBJECTION: spring.alice, Step.FINAL: spring.alice}
    dispute = opened(spring)
    way = (Step.PRELIMINARY, Step.RESUMED, Step.OBJECTION, Step.MEETING, Step.FINAL)
    for minute, kind in enumerate(way, 1):
        texts = {"said": f"said {kind}", "decided": f"decided {kind}"}
        dispute = step(dispute, kind, spring, minute=minute, by=people.get(kind, spring.bob), **texts)

    assert [
        (s.kind, s.created_by, s.created_at, s.said, s.decided) for s in dispute.steps.order_by("created_at")
    ] == [
        ("opened", spring.bob, NOON, "", ""),
        *[
            (
                str(kind),
                people.get(kind, spring.bob),
                NOON + timedelta(minutes=minute),
                f"said {kind}",
                f"decided {kind}",
            )
            for minute, kind in enumerate(way, 1)
        ],
    ]
    assert dispute.closed_at == NOON + timedelta(minutes=5)
    actions = [action for action, _after in logged(f"dispute:{dispute.pk}")]
    assert actions == ["dispute.open", *["dispute.step"] * 5, "dispute.close"]


def test_what_the_referees_said_among_themselves_is_not_in_the_log(spring):
    dispute = at_step(spring, Step.OBJECTION)
    step(dispute, Step.MEETING, spring, minute=5, said="We doubt that East tells the truth.")
    last = logged(f"dispute:{dispute.pk}")[-1]
    assert last == ("dispute.step", {"step": "meeting"})
    assert dispute.steps.last().said == "We doubt that East tells the truth."


@pytest.mark.parametrize(("kind", "needed"), NEEDED.items())
def test_a_step_without_its_text_is_refused(spring, kind, needed):
    before_it = next(now for now, following in FOLLOWS.items() if kind in following)
    dispute = at_step(spring, before_it)
    before = facts()
    with pytest.raises(Refused) as refused:
        step(dispute, kind, spring, minute=9, **{needed: " \n "})
    assert refused.value.field == needed
    assert facts() == before


def test_when_no_player_objects_the_matter_is_closed_at_once_or_later(spring):
    at_once = step(at_step(spring, Step.PRELIMINARY), Step.RESUMED, spring, minute=2, closes=True)
    assert (at_once.step, at_once.closed_at) == ("resumed", NOON + timedelta(minutes=2))

    later = opened(spring, 2)
    step(later, Step.PRELIMINARY, spring)
    assert step(later, Step.RESUMED, spring, minute=2).closed_at is None
    closed = close_dispute(dispute=later, by=spring.alice, at=NOON + timedelta(minutes=30))
    assert closed.closed_at == NOON + timedelta(minutes=30)
    for each in (at_once, later):
        with pytest.raises(Refused, match="This dispute was closed without an objection"):
            step(each, Step.OBJECTION, spring, minute=40)
        with pytest.raises(Refused, match="This dispute was closed without an objection"):
            close_dispute(dispute=each, by=spring.bob)
    assert open_disputes(spring.competition) == []


@pytest.mark.parametrize("now", [each for each in Step.values if each not in {"resumed", "final"}])
def test_a_matter_is_not_closed_before_its_time(spring, now):
    dispute = at_step(spring, now)
    with pytest.raises(
        Refused, match="A dispute closes with a final ruling, or when play has resumed without an objection"
    ):
        close_dispute(dispute=dispute, by=spring.bob)
    assert Dispute.objects.get().closed_at is None


def test_a_preliminary_ruling_alone_closes_nothing_even_if_asked(spring):
    dispute = step(opened(spring), Step.PRELIMINARY, spring, closes=True)
    assert dispute.closed_at is None


# --- who


def plays(made: Club, person, index: int) -> None:
    """This person is the player of this number."""
    Role.objects.update_or_create(
        competition=made.competition,
        user=person,
        kind=Role.Kind.PLAYER,
        defaults={"player": made.players[index]},
    )


def test_a_referee_who_plays_at_the_table_rules_on_nothing_there(spring):
    dispute = at_step(spring, Step.PRELIMINARY)
    elsewhere = opened(spring, 2)
    plays(spring, spring.bob, 0)
    before = facts()

    for refused in (
        lambda: step(dispute, Step.RESUMED, spring),
        lambda: close_dispute(dispute=dispute, by=spring.bob),
    ):
        with pytest.raises(Refused, match="Referees cannot rule at their own table"):
            refused()

    assert facts() == before
    assert step(elsewhere, Step.PRELIMINARY, spring).step == "preliminary"


def test_a_player_opens_and_objects_at_their_own_table(spring):
    plays(spring, spring.dora, 1)
    dispute = opened(spring, by=spring.dora)
    step(dispute, Step.PRELIMINARY, spring)
    after = step(dispute, Step.OBJECTION, spring, by=spring.dora, said="I saw it otherwise.")
    assert [(s.kind, s.created_by) for s in after.steps.order_by("pk")] == [
        ("opened", spring.dora),
        ("preliminary", spring.bob),
        ("objection", spring.dora),
    ]


# --- the clock


def extra(made: Club, number: int = 1) -> int:
    return Table.objects.get(pk=made.table(number=number).pk).extra_seconds


def start(made: Club, minute: int = 0, **options) -> None:
    start_clock(round_=made.rounds[0], by=made.alice, at=NOON + timedelta(minutes=minute), **options)


def test_the_time_lost_is_added_to_the_table_once(spring):
    start(spring)
    dispute = opened(spring, minute=10)
    step(dispute, Step.PRELIMINARY, spring, minute=12)
    assert extra(spring) == 0
    step(dispute, Step.RESUMED, spring, minute=17)
    assert (extra(spring), extra(spring, 2)) == (7 * 60, 0)

    close_dispute(dispute=dispute, by=spring.bob, at=NOON + timedelta(minutes=30))

    assert extra(spring) == 7 * 60
    assert logged(f"table:{spring.table().pk}")[-2:] == [
        ("clock.pause", {"dispute": dispute.pk}),
        ("clock.resume", {"extra_seconds": 420, "dispute": dispute.pk}),
    ]


P, R, O, M, F = Step.PRELIMINARY, Step.RESUMED, Step.OBJECTION, Step.MEETING, Step.FINAL  # noqa: E741
CLOCKS = {  # what happens at which minute, the minutes that the table gets back, when play resumed
    "paused again by an objection": (
        [(0, "start"), (10, "open"), (11, P), (12, R), (20, O), (25, M), (30, F)], 2 + 10, 30,
    ),
    "paused all the while": ([(0, "start"), (10, "open"), (11, P), (12, O), (15, M), (19, F)], 9, 19),
    "objection after the result": (
        [(0, "start"), (10, "open"), (11, P), (14, R), (40, "result"), (50, O), (55, M), (59, F)], 4, 14,
    ),
    "opened before the clock": ([(0, "open"), (6, "start"), (7, P), (8, R)], 2, 8),
    "no clock": ([(0, "open"), (7, P), (8, R)], 0, 8),
    "opened after the result": ([(0, "start"), (5, "result"), (10, "open"), (11, P), (15, R)], 0, None),
}  # fmt: skip


@pytest.mark.parametrize(("events", "minutes", "resumed"), CLOCKS.values(), ids=CLOCKS)
def test_a_table_gets_back_the_time_that_a_dispute_took_from_it(spring, events, minutes, resumed):
    for minute, event in events:
        if event == "start":
            start(spring, minute)
        elif event == "result":
            spring.record((45000, 25000, 20000, 10000))
        elif event == "open":
            dispute = opened(spring, minute=minute)
        else:
            dispute = step(dispute, event, spring, minute=minute)

    assert extra(spring) == minutes * 60
    assert dispute.resumed_at == (None if resumed is None else NOON + timedelta(minutes=resumed))
    started = (0, "start") in events or (6, "start") in events
    assert AuditEntry.objects.filter(action__startswith="clock.").exists() is started


def test_a_dispute_about_a_closed_round_stops_no_clock(spring):
    start(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert opened(spring).paused_at is None


# --- what a ruling changes


def test_a_ruling_logs_and_revokes_penalties_and_the_link_is_kept_both_ways(spring):
    wrong = late(spring)
    dispute = at_step(spring, Step.FINAL)

    revoke_penalty(penalty=wrong, reason="it was in time", dispute=dispute, by=spring.alice)
    right = late(spring, 1, score=-20, dispute=dispute, by=spring.alice)

    found = story_of(dispute, inside=True)
    assert (found.logged, found.revoked) == ([right], [wrong])
    wrong.refresh_from_db()
    assert (wrong.revoked_in, right.dispute) == (dispute, dispute)
    assert revocable(spring.table()) == [right]


def test_a_ruling_corrects_and_voids_a_sheet(spring):
    spring.record((45000, 25000, 20000, 10000))
    dispute = at_step(spring, Step.FINAL)

    table, points = spring.table(), (43000, 27000, 20000, 10000)
    fixed = record_result(**as_seen(table), points=points, reason="ruling", dispute=dispute, by=spring.alice)
    void = void_result(**as_seen(table), reason="ruling", dispute=dispute, by=spring.alice)

    assert story_of(dispute, inside=False).sheets == [fixed, void]
    assert Sheet.objects.get(version=1).dispute is None
    entry = AuditEntry.objects.filter(action="result.record").order_by("sequence").last()
    assert (entry.before.get("dispute"), entry.after["dispute"]) == (None, dispute.pk)


def changes_by(made: Club, dispute: Dispute, penalty: Penalty):
    """Everything that a ruling can change, each by this dispute."""
    here = {"dispute": dispute, "by": made.alice}
    at = {"stage": made.stage, "table": made.table(), "player_id": made.players[0].pk}
    act = {"infraction": "A-II", "condition": 0}
    return [
        lambda: record_result(
            **as_seen(made.table()), points=(43000, 27000, 20000, 10000), reason="r", **here
        ),
        lambda: void_result(**as_seen(made.table()), reason="r", **here),
        lambda: log_penalty(score=-20, reason="r", **at, **here),
        lambda: log_offence(**act, **at, **here),
        lambda: revoke_penalty(penalty=penalty, reason="r", **here),
    ]


@pytest.mark.parametrize(
    ("number", "kind", "sentence"),
    [(1, Step.OPENED, "This dispute has no ruling yet"), (2, Step.PRELIMINARY, "about another table")],
)
def test_nothing_is_changed_by_a_dispute_without_ruling_or_of_another_table(spring, number, kind, sentence):
    spring.record((45000, 25000, 20000, 10000))
    penalty = late(spring)
    dispute = opened(spring, number)
    for each in WAYS[kind]:
        step(dispute, each, spring)
    audit = AuditEntry.objects.count()
    for change in changes_by(spring, dispute, penalty):
        with pytest.raises(Refused, match=sentence):
            change()
    assert AuditEntry.objects.count() == audit


def test_after_the_final_ruling_it_is_carried_out(spring):
    spring.record((45000, 25000, 20000, 10000))
    penalty = late(spring)
    dispute = at_step(spring, Step.FINAL)
    corrected, _voided, *others = changes_by(spring, dispute, penalty)
    corrected()
    for change in others:
        change()
    found = story_of(dispute, inside=True)
    assert (len(found.sheets), len(found.logged), len(found.revoked)) == (1, 2, 1)


# --- a hand dealt again


def banned(made: Club, number: int = 1) -> Penalty:
    act = {"infraction": "A-II", "condition": 0, "levels": ("3",), "reason": "as the referee saw it"}
    table = made.table(number=number)
    seat = table.seats.first()
    where = {"stage": made.stage, "table": table, "player_id": seat.player_id}
    return log_offence(**where, **act, by=made.bob, at=NOON)[0]


def test_a_redeal_ends_the_bans_of_the_hand_which_is_dealt_again(spring):
    Table.objects.update(hand="E1.0")
    here, there = banned(spring), banned(spring, 2)
    assert active_bans(spring.competition) == [here, there]

    after = step(opened(spring), Step.PRELIMINARY, spring, redeal=True)

    assert after.steps.last().redeal
    assert active_bans(spring.competition) == [there]
    assert ((bans_at(spring.table())), spring.table().hand) == ([], "E1.0.1")
    here.refresh_from_db()
    assert (here.win_ban, here.revoked_at) == (True, None)


def test_a_ban_given_after_the_redeal_holds(spring):
    step(opened(spring), Step.PRELIMINARY, spring, redeal=True, minute=-5)
    later = banned(spring)
    assert active_bans(spring.competition) == [later]


@pytest.mark.parametrize("kind", [Step.RESUMED, Step.OBJECTION, Step.MEETING])
def test_only_a_ruling_orders_a_redeal(spring, kind):
    before_it = next(now for now, following in FOLLOWS.items() if kind in following)
    dispute = at_step(spring, before_it)
    with pytest.raises(Refused, match="only by a ruling"):
        step(dispute, kind, spring, minute=9, redeal=True)


def test_a_hand_that_is_over_is_not_dealt_again(spring):
    dispute = opened(spring)
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    with pytest.raises(Refused, match="The hand of this dispute can no longer be replayed"):
        step(dispute, Step.PRELIMINARY, spring, redeal=True)
    played = opened(spring, 2)
    spring.record((45000, 25000, 20000, 10000), number=2)
    with pytest.raises(Refused, match="A hand cannot be replayed after the game is over"):
        step(played, Step.PRELIMINARY, spring, redeal=True)


# --- who reads what


def test_the_players_read_the_story_without_what_the_referees_keep(spring):
    spring.competition.approval_from = "4"
    spring.competition.save()
    dispute = at_step(spring, Step.FINAL)
    act = {"infraction": "A-II", "condition": 0, "levels": ("4",), "reason": "grave"}
    log_offence(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[0].pk,
        **act,
        dispute=dispute,
        by=spring.bob,
        approves=False,
    )
    inside, outside = story_of(dispute, inside=True), story_of(dispute, inside=False)

    assert [withheld for _step, withheld in inside.steps] == [False] * 5
    assert [(step.kind, withheld) for step, withheld in outside.steps] == [
        ("opened", False),
        ("preliminary", False),
        ("objection", False),
        ("meeting", True),
        ("final", False),
    ]
    assert (len(inside.logged), len(outside.logged)) == (1, 0)


def test_another_competition_is_untouched(spring):
    there = club("autumn")
    there.add_round()
    at_step(spring, Step.FINAL)
    assert Dispute.objects.filter(competition=there.competition).count() == 0
    assert not AuditEntry.objects.filter(competition=there.competition, action__startswith="dispute").exists()


def test_a_strangers_seat_counts_only_where_it_is(spring):
    """A referee who plays in another competition may rule here."""
    there = create_competition(
        league=spring.league, name="Autumn", slug="autumn", preset_slug="wrc-2025", by=spring.alice
    )
    Role.objects.create(competition=there, user=spring.bob, kind=Role.Kind.PLAYER, player=spring.players[0])
    assert step(opened(spring), Step.PRELIMINARY, spring).step == "preliminary"
