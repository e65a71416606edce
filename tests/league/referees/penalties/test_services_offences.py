"""Offences logged by the penalty rules: sanctions, escalation, requests, undoing, and refusals."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache

from league.core.errors import Refused
from league.models import AuditEntry, Penalty, Role, Table
from league.play.hands.queries import penalties_shown_in_hand
from league.play.rounds.services import close_round
from league.ranking.stages.services import add_stage
from league.ranking.standings.queries.standings import standings
from league.referees.desk.queries import requests
from league.referees.penalties.queries.referee import sanction_of, usual_offences
from league.referees.penalties.services.decisions import decide_request, revoke_penalty, undo_penalty
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_offence, log_penalty
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.hand_codes import dealt_again
from tests.factories import Club, club
from tests.win_bans import active_bans, bans_at

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)


def suggested(spring, infraction, condition, *, hand, player=0):
    """Return the sanction of the rules at the first table."""
    draft = Penalty(
        stage=spring.stage, table=spring.table(), infraction=infraction, condition=condition, hand=hand
    )
    ruling = penalty_rules_of(spring.division.rule_set).ruling(infraction, condition)
    return sanction_of(draft, ruling, spring.players[player].pk, at=NOON)


def log(
    made: Club,
    code: str,
    condition: int = 0,
    *,
    player: int = 0,
    table=None,
    round_number: int = 1,
    minute: int = 0,
    **options,
) -> Penalty:
    act = {
        name: options.pop(name)
        for name in ("levels", "asked", "amount", "units", "hand", "reason", "again")
        if name in options
    }
    return log_offence(
        stage=made.stage,
        table=table or made.table(round_number),
        player_id=made.players[player].pk,
        infraction=code,
        condition=condition,
        **act,
        by=options.pop("by", made.bob),
        at=NOON + timedelta(minutes=minute),
        **options,
    )[0]


# --- the book


def test_all_four_are_punished_in_one_act_and_taken_back_together(spring):
    penalty = log(spring, "D-V", 1, player=2)

    four = list(Penalty.objects.order_by("pk"))
    assert {each.player_id for each in four} == {player.pk for player in spring.players[:4]}
    assert {(each.together, each.level, each.score) for each in four} == {(penalty.together, "4", -80)}
    undo_penalty(penalty=four[3], by=spring.bob, at=NOON + timedelta(seconds=9))
    assert Penalty.objects.filter(revoked_at__isnull=True).count() == 0


def test_others_who_did_the_same_are_punished_in_the_same_act_each_by_their_own_record(spring):
    log(spring, "D-I", player=1)
    a, b, c, _d = (player.pk for player in spring.players[:4])

    first = log(spring, "D-I", player=2, others=(c, b, a, b), asked=("2",), minute=1)

    act = Penalty.objects.filter(together=first.together).order_by("pk")
    assert [(each.player_id, each.level, each.score) for each in act] == [
        (c, "2", -20),
        (b, "4", -80),
        (a, "2", -20),
    ]
    undo_penalty(penalty=act[1], by=spring.bob, at=NOON + timedelta(seconds=65))
    assert act.filter(revoked_at__isnull=True).count() == 0


def test_an_amount_is_for_those_with_the_level_for_which_it_was_chosen(spring):
    log(spring, "A-I", player=0)
    others = (spring.players[0].pk, spring.players[2].pk)

    log(spring, "A-I", player=1, others=others, levels=("4",), amount=110, reason="agreed on it", minute=1)
    assert list(Penalty.objects.order_by("pk").values_list("score", flat=True)[1:]) == [-110, -110, -110]
    log(spring, "A-I", player=3, others=others[:1], amount=20, minute=2)

    assert list(Penalty.objects.order_by("pk").values_list("level", "score")[4:]) == [("2", -20), ("5", -250)]


def test_one_who_does_not_sit_there_stops_the_whole_act(spring):
    stranger = club("autumn").players[0].pk

    with pytest.raises(Refused, match="does not sit at this table") as refusal:
        log(spring, "D-I", others=(spring.players[1].pk, stranger))

    assert (refusal.value.field, Penalty.objects.count()) == ("player", 0)


def test_one_of_the_four_can_be_revoked_alone(spring):
    log(spring, "D-V", 1)
    first = Penalty.objects.earliest("pk")

    revoke_penalty(penalty=first, reason="was at the toilet", by=spring.bob)

    assert list(Penalty.objects.order_by("pk").values_list("revoked_at", flat=True)[1:]) == [None] * 3


def test_the_amount_stays_within_the_book(spring):
    assert log(spring, "A-II", 1, amount=100).score == -100
    with pytest.raises(Refused, match=r"\+8.0 to \+12.0|8.0 to 12.0") as refusal:
        log(spring, "A-II", 1, amount=130, player=1)
    assert refusal.value.field == "amount"
    with pytest.raises(Refused, match="exactly"):
        log(spring, "A-I", amount=30, player=1)

    assert Penalty.objects.count() == 1


def test_several_levels_together_have_bounds_too(spring):
    assert log(spring, "A-XII", 1, amount=490).score == -490
    with pytest.raises(Refused):
        log(spring, "A-XII", 1, amount=500, player=1)


def test_where_the_book_names_no_amount_only_a_remark_makes_one(spring):
    with pytest.raises(Refused, match="The rules give no amount here"):
        log(spring, "U-1c", amount=300)

    assert log(spring, "U-1c", amount=300, reason="bets on table 3").score == -300


# --- escalation from the record


def test_the_second_time_in_the_hanchan_is_level_4_and_says_why(spring):
    first = log(spring, "A-I")

    found = suggested(spring, "A-I", 0, hand="E1.0")
    assert (found.level, found.amounts, found.win_ban) == ("4", (80, 120), True)
    assert [each.key for each in found.because] == [first.pk]
    assert (log(spring, "A-I", minute=1).level, log(spring, "A-I", minute=2).level) == ("4", "5")


def test_a_revoked_or_requested_penalty_is_not_a_first_time(spring):
    revoke_penalty(penalty=log(spring, "A-I"), reason="wrong player", by=spring.bob)
    assert log(spring, "A-I", minute=1).level == "2"

    spring.competition.approval_from = "2"
    spring.competition.save()
    assert log(spring, "A-VII", approves=False).level == "2"
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    assert log(spring, "A-VII", minute=1, approves=False).level == "2"


def test_the_same_penalty_is_not_asked_twice(spring):
    spring.competition.approval_from = "2"
    spring.competition.save()
    first = log(spring, "A-VII", approves=False)

    with pytest.raises(Refused, match="already awaits the chief referee"):
        log(spring, "A-VII", minute=1, approves=False)

    decide_request(penalty=first, verdict="approve", by=spring.alice)
    assert log(spring, "A-VII", minute=2, approves=False).status == "requested"


def test_the_same_penalty_is_asked_for_in_each_stage(spring):
    spring.competition.approval_from = "2"
    spring.competition.save()
    final = add_stage(division=spring.division, name="Final", carry="none", by=spring.alice)
    act = {"table": None, "player_id": spring.players[0].pk, "infraction": "A-VII", "condition": 0}
    asked = [
        log_offence(stage=stage, **act, by=spring.bob, at=NOON + timedelta(hours=hours), approves=False)[0]
        for hours, stage in enumerate((spring.stage, final))
    ]
    assert [penalty.status for penalty in asked] == ["requested"] * 2


def test_what_another_referee_logged_in_this_hand_or_a_moment_ago_is_asked_once_more(spring):
    log(spring, "A-I", by=spring.alice)

    with pytest.raises(Refused, match=r"^Logged 1 min ago by alice-spring: once more\?$"):
        log(spring, "A-I", minute=1, again=False)
    assert log(spring, "A-I", minute=1, again=False, player=1).level == "2"
    assert log(spring, "A-I", minute=6, again=False).level == "4"  # the hand is unknown: another act
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    log(spring, "A-II", minute=7)
    with pytest.raises(Refused, match=r"^Logged 20 min ago by bob-spring"):
        log(spring, "A-II", minute=27, again=False)
    set_hand(table=spring.table(), hand="E3.0", by=spring.bob)
    log(spring, "A-II", minute=28, again=False)


def test_one_act_that_two_referees_name_differently_is_asked_once_more(spring):
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    log(spring, "C-II", by=spring.alice)

    asked = r"^alice-spring logged C-II .* for 陳大文 2 min ago: once more\?$"
    with pytest.raises(Refused, match=asked):
        log(spring, "C-III", minute=2, again=False)
    assert log(spring, "C-III", minute=2, again=False, player=1).level == "5"  # another player
    assert log(spring, "A-I", minute=2, again=False, by=spring.alice).level == "2"  # knows what alice logged
    assert log(spring, "C-III", minute=8, again=False).level == "5"  # long ago
    with pytest.raises(Refused, match=r"^bob-spring logged C-III"):
        log(spring, "A-VII", minute=9, again=False, by=spring.alice)
    set_hand(table=spring.table(), hand="E3.0", by=spring.bob)
    assert log(spring, "A-VII", minute=9, again=False, by=spring.alice).level == "2"  # another hand


def test_what_was_declined_or_revoked_is_not_asked_once_more(spring):
    spring.competition.approval_from = "2"
    spring.competition.save()
    declined = log(spring, "A-VII", approves=False)
    decide_request(penalty=declined, verdict="decline", reason="seen otherwise", by=spring.alice)
    log(spring, "A-VII", minute=1, again=False)
    revoked = log(spring, "A-I")
    revoke_penalty(penalty=revoked, reason="wrong player", by=spring.bob)
    log(spring, "A-I", minute=1, again=False)
    kept = Penalty.objects.filter(status="in_force", revoked_at=None).values_list("infraction", flat=True)
    assert list(kept.order_by("pk")) == ["A-VII", "A-I"]


def test_a_penalty_in_own_words_is_asked_once_more_too(spring):
    def late(**options) -> Penalty:
        where = {"stage": spring.stage, "player_id": spring.players[0].pk}
        return log_penalty(**where, score=-20, reason="late", by=spring.bob, again=False, **options)

    late(at=NOON)
    with pytest.raises(Refused, match=r"^Logged 20 s ago by bob-spring"):
        late(at=NOON + timedelta(seconds=20))
    assert late(at=NOON + timedelta(minutes=6)).score == -20


def test_level_1_again_in_the_same_hand_is_level_2_and_in_the_next_hand_level_1(spring):
    warning = {"levels": ("1",), "reason": "etiquette"}
    log(spring, "A-I", **warning)
    assert log(spring, "A-I", minute=1).level == "2"
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    found = suggested(spring, "A-I", 0, hand="E2.0", player=1)
    assert (found.level, found.because) == ("2", ())


def test_departing_from_the_book_needs_a_remark_and_is_kept(spring):
    log(spring, "A-I")
    with pytest.raises(Refused, match="remark") as refusal:
        log(spring, "A-I", levels=("2",), minute=1)
    assert refusal.value.field == "reason"

    penalty = log(spring, "A-I", levels=("2",), reason="the wall was out of reach", minute=1)

    assert (penalty.level, penalty.suggested, penalty.score) == ("2", "4", -20)


def test_the_levels_that_the_referee_saw_must_still_be_those_that_the_book_asks(spring):
    log(spring, "A-I", asked=("2",))
    with pytest.raises(
        Refused, match="This player’s record has changed, and the rules now say something else"
    ) as refusal:
        log(spring, "A-I", asked=("2",), reason="a remark does not help", minute=1)
    assert (refusal.value.field, Penalty.objects.count()) == ("asked", 1)

    assert log(spring, "A-I", asked=("4",), minute=1).level == "4"


def test_minutes_late_and_tiles_are_counted(spring):
    ema = club("ema", preset="ema-2016")
    ema.add_round()
    with pytest.raises(Refused, match="no such offence"):
        log(ema, "A-I")

    tiles = log(spring, "A-X", 1, units=3)
    assert (tiles.units, tiles.score, tiles.win_ban) == (3, 0, True)
    with pytest.raises(Refused, match="from 1 to"):
        log(spring, "A-X", 1, units=0, player=1)


def test_each_started_minute_of_coming_late_costs_the_same(db):
    ema = club("ema", preset="ema-2025")
    ema.add_round()

    late = log(ema, "7.2", units=7)

    assert (late.units, late.score) == (7, -70)
    with pytest.raises(Refused, match="exactly"):
        log(ema, "7.2", units=7, amount=60, player=1)


def test_a_level_among_which_the_book_lets_the_referee_choose_needs_no_remark(db):
    ema = club("ema", preset="ema-2025")
    ema.add_round()
    log(ema, "6.5.3")

    dead = log(ema, "6.5.3", levels=("dead",), minute=1)

    assert (dead.level, dead.suggested, dead.win_ban, dead.score) == ("dead", "", True, 0)
    with pytest.raises(Refused, match="remark"):
        log(ema, "6.5.3", levels=("chombo",), minute=2)


# --- the hand and the ban


def test_a_ban_on_winning_ends_with_the_hand(spring):
    penalty = log(spring, "A-VI", 1)
    table = spring.table()
    assert (bans_at(table)) == [penalty] == active_bans(spring.competition)

    set_hand(table=table, hand="E1.1", by=spring.bob)

    assert (bans_at(spring.table())) == [] == active_bans(spring.competition)
    entry = AuditEntry.objects.latest("sequence")
    assert (entry.action, entry.before, entry.after) == ("table.hand", {"hand": ""}, {"hand": "E1.1"})


def test_a_level_bans_from_winning_also_in_the_referee_s_own_words(spring):
    table, player = spring.table(), spring.players[0].pk
    said = {"stage": spring.stage, "player_id": player, "score": 0, "reason": "stalls", "by": spring.bob}
    milder = log_penalty(level="2", table=table, **said)
    ban = log_penalty(level="3", table=table, **said)
    away = log_penalty(level="3", **said)

    assert (milder.win_ban, ban.win_ban, away.win_ban) == (False, True, False)
    assert (bans_at(table)) == [ban]


def test_a_hand_dealt_again_ends_its_bans_and_is_a_hand_of_its_own(spring):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)
    log(spring, "A-VI", 1)
    log(spring, "A-XI", 1)

    set_hand(table=spring.table(), hand=dealt_again("E1.0"), by=spring.bob)

    assert active_bans(spring.competition) == []
    again = log(spring, "A-XI", 1, minute=1)
    assert (again.level, again.hand) == ("1", "E1.0.1")


def test_where_the_hand_is_unknown_escalation_within_it_is_asked(spring):
    log(spring, "A-XI", 1)

    found = suggested(spring, "A-XI", 1, hand="")
    assert (found.levels, found.options, found.unsure) == (("1",), ("1", "2"), True)
    heavier = log(spring, "A-XI", 1, asked=("1",), levels=("2",), minute=1)  # needs no remark

    assert (heavier.level, heavier.suggested, heavier.hand) == ("2", "", "")


def test_who_names_the_hand_that_was_unknown_says_whether_its_penalties_were_in_it(spring):
    warned, banned = log(spring, "A-XI", 1), log(spring, "A-VI", 1, player=1)

    log(spring, "A-I", hand="E3.1", minute=1)  # names the hand by the way: bans stay

    assert [p.pk for p in active_bans(spring.competition)] == [banned.pk]
    warned.refresh_from_db()
    assert (warned.hand, spring.table().hand) == ("", "E3.1")

    spring.table(number=2)
    other = log(spring, "A-VI", 1, player=4, table=spring.table(number=2))
    set_hand(table=spring.table(number=2), hand="E2.0", same=True, by=spring.bob)
    other.refresh_from_db()
    assert (other.hand, active_bans(spring.competition)) == ("E2.0", [banned, other])


def test_a_ban_of_another_hand_is_none_now_and_a_revoked_one_neither(spring):
    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    log(spring, "A-VI", 1, hand="E1.0")
    revoke_penalty(penalty=log(spring, "A-VI", 1, player=1), reason="no", by=spring.bob)

    assert active_bans(spring.competition) == []


def test_naming_a_later_hand_moves_the_table_on_and_an_earlier_one_does_not(spring):
    Table.objects.update(hand="E1.0")
    first = log(spring, "A-VI", 1)
    second = log(spring, "A-VI", 1, player=1, hand="S2.1")
    assert (spring.table().hand, active_bans(spring.competition)) == ("S2.1", [second])
    entries = AuditEntry.objects.filter(action="table.hand")
    assert [(e.before, e.after) for e in entries] == [({"hand": "E1.0"}, {"hand": "S2.1"})]

    log(spring, "A-I", player=2, hand="E4.0")

    assert (first.hand, spring.table().hand) == ("E1.0", "S2.1")


@pytest.mark.parametrize("hand", ["W1.0", "E5.0", "x", "E1", "E1.100"])
def test_a_hand_that_does_not_exist_is_refused(spring, hand):
    with pytest.raises(Refused, match="This hand is not possible under these rules") as refusal:
        log(spring, "A-I", hand=hand)
    assert refusal.value.field == "hand"
    with pytest.raises(Refused, match="This hand is not possible under these rules"):
        set_hand(table=spring.table(), hand=hand, by=spring.bob)


# --- refused


def test_who_does_not_sit_there_is_refused(spring):
    with pytest.raises(Refused, match="does not sit"):
        log(spring, "A-I", player=7)
    assert Penalty.objects.count() == 0


def test_an_offence_that_the_book_does_not_have_is_refused(spring):
    for code, condition in (("Z-I", 0), ("A-I", 9)):
        with pytest.raises(Refused, match="no such offence") as refusal:
            log(spring, code, condition)
        assert refusal.value.field == "offence"
    with pytest.raises(Refused, match="no such level"):
        log(spring, "A-I", levels=("9",), reason="x")


def test_a_closed_round_is_refused_with_what_can_be_done(spring):
    close_round(round_=spring.rounds[0], by=spring.alice)

    with pytest.raises(Refused, match="open a dispute"):
        log(spring, "A-I")
    with pytest.raises(Refused, match="open a dispute"):
        log_penalty(
            stage=spring.stage,
            table=spring.table(),
            player_id=spring.players[0].pk,
            score=-20,
            reason="late",
            by=spring.bob,
        )
    away = log_penalty(
        stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob
    )
    assert away.table is None


def test_referees_do_not_rule_where_they_play(spring):
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])

    with pytest.raises(Refused, match="Referees cannot rule at their own table"):
        log(spring, "A-I")
    with pytest.raises(Refused, match="Referees cannot rule at their own table"):
        set_hand(table=spring.table(), hand="E2.0", by=spring.bob)
    by_alice = log(spring, "A-I", by=spring.alice)
    with pytest.raises(Refused, match="Referees cannot rule at their own table"):
        revoke_penalty(penalty=by_alice, reason="no", by=spring.bob)
    assert log(spring, "A-I", player=4, table=spring.table(number=2)).pk


# --- requests


@pytest.fixture
def careful(spring) -> Club:
    spring.competition.approval_from = "4"
    spring.competition.save()
    return spring


def total_of(made: Club, player: int = 0) -> object:
    cache.clear()
    rows = {line.row.player: line.row for line in standings(made.stage, public=False).rows}
    return rows[made.players[player].pk].penalty


def test_a_level_that_needs_the_chief_is_a_request_that_counts_when_approved(careful):
    careful.record((30000, 30000, 30000, 30000))
    request = log(careful, "A-II", 1, approves=False)
    assert (request.status, total_of(careful), list(requests(careful.competition))) == (
        "requested",
        0,
        [request],
    )

    decide_request(penalty=request, verdict="approve", by=careful.alice)

    assert (total_of(careful), requests(careful.competition).count()) == (-80, 0)
    kept = Penalty.objects.get()
    assert (kept.status, kept.created_by, kept.decided_by) == ("in_force", careful.bob, careful.alice)


@pytest.mark.parametrize(("verdict", "bans"), [("approve", 1), ("decline", 0)])
def test_a_request_bans_from_winning_until_it_is_declined(verdict, bans, careful):
    """HKMA 4級: 和了禁止. A player who might be expelled does not win meanwhile."""
    request = log(careful, "A-II", 1, approves=False)
    assert (bans_at(careful.table())) == [request]
    (shown,) = penalties_shown_in_hand(careful.table(), public=True)
    assert (shown, shown.infraction, shown.waits) == (request, "", True)  # that it holds, not why
    assert penalties_shown_in_hand(careful.table(), public=False) == [request]

    decide_request(penalty=request, verdict=verdict, reason="nobody saw it", by=careful.alice)

    assert len(bans_at(careful.table())) == bans


def test_milder_levels_and_those_of_the_chief_count_at_once(careful):
    assert log(careful, "A-I", approves=False).status == "in_force"
    assert log(careful, "A-II", 1, player=1).status == "in_force"
    assert log(careful, "A-II", 2, player=2, approves=False).status == "requested"


def test_escalation_into_the_chief_s_levels_is_a_request(careful):
    log(careful, "A-I", approves=False)

    assert log(careful, "A-I", approves=False, minute=1).status == "requested"


def test_a_declined_request_stays_on_record_with_its_reason_and_never_counts(careful):
    careful.record((30000, 30000, 30000, 30000))
    request = log(careful, "D-V", 1, approves=False)
    with pytest.raises(Refused, match="Give a reason"):
        decide_request(verdict="decline", penalty=request, reason=" ", by=careful.alice)

    decide_request(verdict="decline", penalty=request, reason="nobody had started", by=careful.alice)

    assert set(Penalty.objects.values_list("status", "decide_reason")) == {("declined", "nobody had started")}
    assert total_of(careful) == 0
    with pytest.raises(Refused, match="This request has already been decided or undone"):
        decide_request(penalty=request, verdict="approve", by=careful.alice)


# --- undoing


def test_the_referee_who_logged_a_penalty_may_undo_it_for_ten_seconds(spring):
    penalty = log(spring, "A-I")
    with pytest.raises(Refused, match="Only the referee who logged a penalty can undo it"):
        undo_penalty(penalty=penalty, by=spring.alice, at=NOON + timedelta(seconds=5))
    with pytest.raises(Refused, match="too late to undo"):
        undo_penalty(penalty=penalty, by=spring.bob, at=NOON + timedelta(seconds=11))

    undo_penalty(penalty=penalty, by=spring.bob, at=NOON + timedelta(seconds=10))

    assert Penalty.objects.get().revoke_reason == "undone at once"
    assert AuditEntry.objects.latest("sequence").action == "penalty.undo"
    with pytest.raises(Refused, match="already been revoked"):
        undo_penalty(penalty=penalty, by=spring.bob, at=NOON + timedelta(seconds=10))


# --- lists


def test_offences_used_most_come_first(spring):
    for number, code in enumerate(("A-VII", "A-I", "A-VII", "C-II")):
        log(spring, code, player=number)

    assert usual_offences(spring.competition) == ["A-VII", "A-I", "C-II"]
