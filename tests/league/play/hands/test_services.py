"""The log of a table: entries, refusals, conflicts, the hand in play, the referees' record."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.core.errors import Refused
from league.models import AuditEntry, HandEntry, Penalty, Round, Table
from league.play.calls.services import start_clock
from league.play.disputes.services import open_dispute, take_step
from league.play.hands.queries import games_of, table_game
from league.play.hands.services import Behind, Impossible, add_entry, plan_entry
from league.play.results.services import record_result
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_offence, log_penalty
from scoring.hanchan import Chombo, Hand, Ruling
from tests.factories import Club, club
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import draw, riichi, ron, tsumo

pytestmark = pytest.mark.django_db


@module_fixture
def spring():
    made = club("spring", preset="mleague")
    made.add_round()
    return made


@module_fixture
def hkma():
    made = club("hkma")
    made.add_round()
    return made


def add(here: Club, kind: str, facts: object, **given: object) -> HandEntry:
    """Add an entry as a phone that knows all entries."""
    table = here.table()
    given = {"key": uuid.uuid4(), "based_on": table_game(table).number, "by": None} | given
    return add_entry(table=table, kind=kind, facts=facts, **given)  # type: ignore[arg-type]


def keep(here: Club, hand: Hand, **given: object) -> HandEntry:
    return add(here, "hand", hand.as_values(), **given)


def hand_of(here: Club) -> str:
    """The hand noted at the table, which is always that of its log."""
    table = here.table()
    assert table.hand == table_game(table).hand
    return table.hand


# --- the small step


@pytest.mark.parametrize(
    ("steps", "hand"),
    [(["stays"], "E1.1"), (["passes"], "E2.0"), (["draw"], "E2.1"), (["stays", "draw", "passes"], "E3.0")],
)
def test_a_step_moves_the_hand_of_a_table_without_points(spring, steps, hand):
    for how in steps:
        add(spring, "step", {"how": how})
    assert hand_of(spring) == hand
    assert table_game(spring.table()).game is None


def test_a_step_pressed_by_two_is_one_step(spring):
    add(spring, "step", {"how": "passes"}, based_on=0)
    with pytest.raises(Behind) as behind:
        add(spring, "step", {"how": "passes"}, based_on=0)
    assert [each.number for each in behind.value.entries] == [1]
    assert hand_of(spring) == "E2.0"


def test_a_table_that_keeps_points_takes_no_step(spring):
    keep(spring, tsumo(1))
    with pytest.raises(Impossible, match="keeps its points"):
        add(spring, "step", {"how": "stays"})
    assert hand_of(spring) == "E2.0"


def test_after_the_last_hand_no_step_follows(spring):
    for _hand in range(7):
        add(spring, "step", {"how": "passes"})
    with pytest.raises(Impossible, match="no hand follows"):
        add(spring, "step", {"how": "passes"})
    assert hand_of(spring) == "S4.0"


# --- points from the middle of a game


def test_a_table_keeps_points_from_the_hand_that_it_plays(spring):
    add(spring, "step", {"how": "passes"})
    with pytest.raises(Impossible, match="points at the start of this hand are unknown"):
        keep(spring, tsumo(1))
    add(spring, "start", {"points": [20000, 30000, 26000, 23000], "deposits": 1000})
    keep(spring, tsumo(1))
    game = table_game(spring.table()).game
    assert game is not None
    assert (game.points, game.deposits) == ((19500, 32500, 25500, 22500), 0)
    assert hand_of(spring) == "E2.1"


def test_the_points_at_the_start_may_name_their_hand(spring):
    add(spring, "start", {"points": [25000] * 4, "hand": "S3.2"})
    keep(spring, draw())
    assert hand_of(spring) == "S4.3"


@pytest.mark.parametrize(
    "facts",
    [
        {"points": [25000] * 4, "deposits": 1000},
        {"points": [25050, 24950, 25000, 25000]},
        {"points": [25000] * 3},
        {"points": [24500, 25000, 25000, 25000], "deposits": 500},
        {"points": "25000"},
        {"points": [25000] * 4, "hand": "E9.0"},
        {"points": [25000] * 4, "hand": "?2"},
        {"points": [25000] * 4, "more": 1},
        {},
    ],
)
def test_points_that_no_game_has_are_refused(spring, facts):
    with pytest.raises(Impossible):
        add(spring, "start", facts)
    assert not HandEntry.objects.exists()


# --- the referees' record


def ban(here: Club, seat: int, **given: object) -> Penalty:
    facts = {"score": -20, "reason": "late", "by": here.bob, "table": here.table(), **given}
    return log_penalty(stage=here.stage, player_id=here.players[seat].pk, **facts)  # type: ignore[arg-type]


def punish(here: Club, seat: int, condition: int, **given: object) -> Penalty:
    """Log a wrong number of tiles (HKMA A-X): too few (0) or too many (1), which ban from winning."""
    act = {"infraction": "A-X", "condition": condition, "reason": "seen", **given}
    where = {"stage": here.stage, "table": here.table(), "by": here.bob}
    (penalty,) = log_offence(player_id=here.players[seat].pk, **act, **where)  # type: ignore[arg-type]
    return penalty


def test_a_ban_of_a_referee_is_in_the_hand_and_ends_with_it(hkma):
    keep(hkma, draw())
    assert punish(hkma, 1, 0).hand == "E2.1"
    with pytest.raises(Impossible, match="may not win this hand"):
        keep(hkma, tsumo(1))
    entry = keep(hkma, tsumo(2))
    assert entry.facts["win_bans"] == [1]
    assert keep(hkma, tsumo(1)).facts["win_bans"] == []


def test_a_dead_hand_is_noten_without_being_typed():
    made = club("ema", preset="ema-2025")
    made.add_round()
    penalty = ban(made, 2, level="dead")
    assert penalty.win_ban
    with pytest.raises(Impossible, match="dead and counts as noten"):
        keep(made, draw(2))
    entry = keep(made, draw(1))
    assert (entry.facts["dead_hands"], entry.facts["win_bans"]) == ([2], [])


def test_extra_tiles_on_record_are_paid_without_being_typed(hkma):
    keep(hkma, draw())
    punish(hkma, 0, 1, units=2)
    entry = keep(hkma, tsumo(2))
    assert (entry.facts["extra_tiles"], entry.facts["win_bans"]) == ([2, 0, 0, 0], [0])
    game = table_game(hkma.table()).game
    assert game is not None
    paid = [each.points for each in game.steps[-1].transfers if each.reason == "extra_tiles"]
    assert paid == [2000, 2000, 2000]


def test_a_requested_penalty_bans_but_pays_nothing(hkma):
    keep(hkma, draw())
    punish(hkma, 0, 1, units=2)
    Penalty.objects.update(status=Penalty.Status.REQUESTED)
    entry = keep(hkma, tsumo(2))
    assert (entry.facts["extra_tiles"], entry.facts["win_bans"]) == ([0, 0, 0, 0], [0])


def test_a_revoked_penalty_restricts_nothing(hkma):
    keep(hkma, draw())
    revoke_penalty(penalty=punish(hkma, 1, 0), reason="wrong", by=hkma.bob)
    assert keep(hkma, tsumo(1)).facts["win_bans"] == []


def test_a_correction_takes_the_bans_of_its_own_hand(hkma):
    keep(hkma, draw())
    keep(hkma, draw())
    punish(hkma, 1, 0, hand="E1.0")
    with pytest.raises(Impossible, match="may not win this hand"):
        add(hkma, "correct", tsumo(1).as_values(), target=1)
    assert add(hkma, "correct", tsumo(2).as_values(), target=1).facts["win_bans"] == [1]
    assert add(hkma, "correct", tsumo(1).as_values(), target=2).facts["win_bans"] == []


def test_a_chombo_of_the_log_and_the_penalty_for_it_count_once(hkma):
    """The log returns the sticks and deals again. Only the penalty costs score."""
    penalty = ban(hkma, 0, score=-250)
    keep(hkma, Hand(outcome=Chombo((0,))))
    game = table_game(hkma.table()).game
    assert game is not None
    assert (game.points, game.chombo) == ((hkma.division.rules.start_points,) * 4, (1, 0, 0, 0))
    assert list(Penalty.objects.values_list("pk", "score")) == [(penalty.pk, -250)]


def test_a_hand_dealt_again_by_a_referee_and_its_chombo_are_one_redeal(hkma):
    keep(hkma, draw())
    set_hand(table=hkma.table(), hand="E2.1.1", by=hkma.bob)
    keep(hkma, Hand(outcome=Chombo((0,))))
    assert hand_of(hkma) == "E2.1.1"
    set_hand(table=hkma.table(), hand="E2.1.1", by=hkma.bob)
    assert hand_of(hkma) == "E2.1.1"


def test_a_ban_of_an_unknown_hand_is_one_of_the_first_hand_that_is_kept(hkma):
    penalty = punish(hkma, 1, 0)
    assert penalty.hand == ""
    entry = keep(hkma, tsumo(2))
    penalty.refresh_from_db()
    assert (entry.facts["win_bans"], penalty.hand) == ([1], "E1.0")


@pytest.mark.parametrize(
    ("kind", "facts", "hand"),
    [
        ("step", {"how": "passes"}, "E1.0"),
        ("start", {"points": [30000] * 4, "hand": "S2.1"}, "S2.1"),
    ],
)
def test_a_ban_of_an_unknown_hand_is_one_of_the_hand_that_is_known_next(hkma, kind, facts, hand):
    penalty = punish(hkma, 1, 0)
    add(hkma, kind, facts)
    penalty.refresh_from_db()
    assert penalty.hand == hand


# --- the hand that referees name


def test_a_referee_names_the_hand_of_a_table_without_points(spring):
    set_hand(table=spring.table(), hand="S2.1", by=spring.bob)
    assert hand_of(spring) == "S2.1"
    add(spring, "step", {"how": "stays"})
    assert hand_of(spring) == "S2.2"


def test_a_referee_does_not_name_another_hand_than_the_one_that_is_kept(spring):
    keep(spring, tsumo(1))
    with pytest.raises(Refused, match="keeps its points"):
        set_hand(table=spring.table(), hand="S2.1", by=spring.bob)
    assert hand_of(spring) == "E2.0"


def test_a_penalty_in_a_later_hand_waits_for_the_hands_of_the_table(hkma):
    keep(hkma, tsumo(1))
    punish(hkma, 1, 0, hand="E3.0")
    assert hand_of(hkma) == "E2.0"
    keep(hkma, tsumo(1))
    assert hand_of(hkma) == "E2.1"
    keep(hkma, tsumo(0))
    assert hand_of(hkma) == "E3.0"
    with pytest.raises(Impossible, match="may not win this hand"):
        keep(hkma, tsumo(1))


def test_a_ruling_deals_the_hand_of_a_kept_game_again(spring):
    keep(spring, tsumo(1))
    add(spring, "riichi", {"seats": [2]})
    dispute = open_dispute(table=spring.table(), subject="a torn tile", by=spring.bob)
    take_step(dispute=dispute, kind="preliminary", decided="again", redeal=True, by=spring.bob)
    assert hand_of(spring) == "E2.0.1"
    assert table_game(spring.table()).riichi == ()
    keep(spring, tsumo(1))
    assert hand_of(spring) == "E2.1"


def test_a_hand_noted_before_the_log_began_is_its_first_entry(spring):
    Table.objects.filter(pk=spring.table().pk).update(hand="E3.1")
    add(spring, "step", {"how": "passes"}, based_on=0)
    assert list(HandEntry.objects.values_list("number", "kind")) == [(1, "name"), (2, "step")]
    assert hand_of(spring) == "E4.0"


# --- conflicts


def test_a_phone_that_does_not_know_a_riichi_asks_before_it_takes_the_stick_away(spring):
    add(spring, "riichi", {"seats": [1]})
    with pytest.raises(Behind):
        keep(spring, tsumo(2), based_on=0)
    keep(spring, tsumo(2, riichi=riichi(1)), based_on=0)


def test_hands_in_a_queue_follow_the_hand_before_them(spring):
    first, second = uuid.uuid4(), uuid.uuid4()
    keep(spring, tsumo(1), key=first, based_on=0)
    keep(spring, tsumo(1), key=second, based_on=0, after=first)
    with pytest.raises(Behind):
        keep(spring, tsumo(1), based_on=0, after=first)


def test_a_queue_does_not_pass_over_a_hand_of_another_phone(spring):
    first = uuid.uuid4()
    keep(spring, tsumo(1), key=first, based_on=0)
    keep(spring, draw())
    with pytest.raises(Behind) as behind:
        keep(spring, tsumo(1), based_on=0, after=first)
    assert [each.number for each in behind.value.entries] == [2]


def test_the_same_key_with_another_hand_is_refused(spring):
    key = uuid.uuid4()
    keep(spring, tsumo(1), key=key)
    with pytest.raises(Refused, match="different content"):
        keep(spring, tsumo(2), key=key)


def test_a_key_that_is_saved_is_answered_after_the_round_is_closed(spring):
    key = uuid.uuid4()
    saved = keep(spring, tsumo(1), key=key)
    Round.objects.update(status=Round.Status.CLOSED)
    assert keep(spring, tsumo(1), key=key) == saved


# --- corrections


def test_a_correction_changes_what_follows_and_says_so_before(spring):
    keep(spring, tsumo(1))
    keep(spring, draw(0))
    before = table_game(spring.table())
    plan = plan_entry(
        table=spring.table(), kind="correct", facts=draw(0).as_values(), target=1, at=timezone.now()
    )
    assert plan.before == before
    assert plan.after.codes == ("E1.0", "E1.1")
    assert table_game(spring.table()) == before
    add(spring, "correct", draw(0).as_values(), target=1)
    assert table_game(spring.table()).game == plan.after.game
    assert hand_of(spring) == "E1.2"


def test_a_correction_after_which_a_later_hand_cannot_be_names_that_hand():
    made = club("strict", preset="mleague", overrides={"riichi_below_1000": False})
    made.add_round()
    keep(made, draw())
    keep(made, ron(1, 0, riichi=riichi(0)))
    poor = Hand(outcome=Ruling((0, 50000, 25000, 25000)))
    with pytest.raises(Impossible, match=r"^East 2, honba 1: Riichi requires 1,000 points"):
        add(made, "insert", poor.as_values(), target=2, is_staff=True)


def test_only_a_referee_corrects_points(spring):
    ruling = Hand(outcome=Ruling((24000, 26000, 25000, 25000)))
    with pytest.raises(Refused, match="Only a referee"):
        keep(spring, ruling)
    keep(spring, ruling, is_staff=True)
    assert hand_of(spring) == "E1.0"


@pytest.mark.parametrize("target", [None, 2, 99, uuid.UUID(int=1)])
def test_a_hand_that_is_not_there_cannot_be_removed(spring, target):
    keep(spring, tsumo(1))
    add(spring, "riichi", {"seats": [1]})
    with pytest.raises(Impossible, match="removed a moment ago"):
        add(spring, "remove", {}, target=target)


def test_a_removed_hand_cannot_be_removed_again(spring):
    keep(spring, tsumo(1))
    add(spring, "remove", {}, target=1)
    with pytest.raises(Impossible, match="removed a moment ago"):
        add(spring, "remove", {}, target=1)


def test_corrections_are_in_the_audit_log(spring):
    keep(spring, tsumo(1))
    add(spring, "correct", tsumo(2).as_values(), target=1, by=spring.dora)
    entry = AuditEntry.objects.filter(action__startswith="hands.").get()
    assert (entry.action, entry.actor, entry.after) == ("hands.correct", spring.dora, {"hand": "E1.0"})


# --- when a table takes hands


def test_a_table_with_a_score_sheet_takes_no_hands_but_corrections_of_staff(spring):
    keep(spring, tsumo(1))
    record_result(table=spring.table(), points=(40000, 30000, 20000, 10000), based_on=0, by=spring.charlie)
    with pytest.raises(Refused, match="score sheet of this table is entered"):
        keep(spring, tsumo(1))
    with pytest.raises(Refused, match="score sheet of this table is entered"):
        add(spring, "correct", tsumo(2).as_values(), target=1)
    add(spring, "correct", tsumo(2).as_values(), target=1, is_staff=True)


def test_a_closed_round_takes_no_hands(spring):
    Round.objects.update(status=Round.Status.CLOSED)
    with pytest.raises(Refused, match="This round is closed"):
        keep(spring, tsumo(1), is_staff=True)


def test_rules_that_changed_since_stop_the_game_at_the_hand_that_they_refuse(spring):
    keep(spring, tsumo(1))
    keep(spring, tsumo(1))
    entry = HandEntry.objects.get(number=2)
    HandEntry.objects.filter(pk=entry.pk).update(
        facts=entry.facts | {"outcome": {"kind": "abort", "reason": "tea"}}
    )
    found = table_game(spring.table())
    assert found.game is not None
    assert (len(found.game.steps), found.numbers) == (1, (1,))
    assert found.broken is not None
    with pytest.raises(Impossible, match=r"^East 2, honba 0: "):
        keep(spring, tsumo(1))
    add(spring, "remove", {}, target=2)
    assert table_game(spring.table()).broken is None


# --- the clock


def test_a_hand_that_ends_after_the_bell_is_the_one_in_which_it_rang():
    made = club("timed", preset="hkma-b-2025-04")
    made.add_round()
    minutes = made.division.rules.minutes or 0
    now = timezone.now()
    start_clock(round_=made.rounds[0], by=made.bob, at=now - timedelta(minutes=minutes, seconds=5))
    early = keep(made, draw(), at=now - timedelta(seconds=30))
    late = keep(made, draw(), at=now)
    last = keep(made, draw(), at=now)  # one hand more (HKMA B)
    assert [each.facts["bell"] for each in (early, late, last)] == [False, True, False]
    game = table_game(made.table()).game
    assert game is not None
    assert game.over == "time"


# --- reading


def test_the_games_of_all_tables_take_one_query(spring):
    keep(spring, tsumo(1))
    tables = [spring.table(number=number) for number in (1, 2)]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = games_of(tables)
    assert len(queries) == 1
    assert [found[table.pk].game is None for table in tables] == [False, True]
