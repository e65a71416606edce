"""Penalties: logged once, counted at once, revoked with a reason, never edited."""

import pytest
from django.db import IntegrityError, transaction
from django.utils.translation import override

from league.core.counted import counted_penalties, shown_penalties
from league.core.errors import Refused
from league.models import AuditEntry, Penalty, Round, Stage
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from league.rules.penalty_rules.words.rulings import PenaltyRules, penalty_rules_of
from scoring.infractions import catalogue
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

ROUND_ONE = ((38_400, 21_600, 40_000, 20_000), (30_000, 30_000, 30_000, 30_000))


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    for number, points in enumerate(ROUND_ONE, start=1):
        made.record(points, number=number)
    return made


def columns(made: Club, *, public: bool = True) -> dict[int, tuple]:
    """Player → (score, penalty, total) as the standings show them."""
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=made.stage.pk)
    rows = standings(stage, public=public).rows
    return {line.row.player: (line.row.score, line.row.penalty, line.row.total) for line in rows}


def log(made: Club, player: int = 0, score: int = -20, **options) -> Penalty:
    options = {"reason": "late", "by": made.bob, "stage": made.stage} | options
    return log_penalty(player_id=made.players[player].pk, score=score, **options)


def test_a_penalty_counts_at_once_in_its_own_column_and_for_no_other_player(spring):
    before = columns(spring)
    offender = spring.players[0].pk

    log(spring, table=spring.table(), infraction="A-II", level="2", reason="")

    after = columns(spring)
    score, _, total = before[offender]
    assert after.pop(offender) == (score, -20, total - 20)
    assert after == {player: row for player, row in before.items() if player != offender}


def test_every_level_of_the_hkma_costs_what_its_catalogue_says(spring):
    before = columns(spring)
    levels = catalogue("hkma-2025").levels
    assert {code: level.deduction for code, level in levels.items()} == {
        "1": 0,
        "2": 20,
        "3": 0,
        "4": 80,
        "4+": 120,
        "5": 250,
        "6": None,
    }

    for number, level in enumerate(levels.values()):
        log(spring, number, score=-(level.deduction or 0), level=level.code, reason=f"level {level.code}")

    after = columns(spring)
    costs = [after[p.pk][1] for p in spring.players[:7]]
    assert costs == [0, -20, 0, -80, -120, -250, 0]
    assert [after[p.pk][2] - before[p.pk][2] for p in spring.players[:7]] == costs


def test_the_audit_log_holds_ids_and_values_and_the_revision_rises_once(spring):
    spring.competition.refresh_from_db()
    revision = spring.competition.revision

    penalty = log(spring, table=spring.table(), infraction="A-II", level="2", reason="")

    spring.competition.refresh_from_db()
    entry = AuditEntry.objects.filter(competition=spring.competition).latest("sequence")
    assert spring.competition.revision == revision + 1
    assert (entry.action, entry.target, entry.actor) == ("penalty.log", f"penalty:{penalty.pk}", spring.bob)
    assert entry.after == {
        "player": spring.players[0].pk,
        "stage": spring.stage.pk,
        "round": spring.table().round_id,
        "table": spring.table().pk,
        "infraction": "A-II",
        "level": "2",
        "score": -20,
        "reason": "",
    }


def test_a_revoked_penalty_counts_no_more_and_keeps_what_it_said(spring):
    before = columns(spring)
    penalty = log(spring, infraction="A-II", level="2", reason="one tile")
    assert columns(spring) != before

    revoke_penalty(penalty=penalty, reason="the tile was a discard", by=spring.alice)

    kept = Penalty.objects.get()
    assert columns(spring) == before
    assert (kept.score, kept.infraction, kept.level, kept.reason) == (-20, "A-II", "2", "one tile")
    assert (kept.created_by, kept.revoked_by) == (spring.bob, spring.alice)
    assert kept.revoke_reason == "the tile was a discard"


def test_neither_offence_nor_reason_is_refused_by_the_service_and_by_the_database(spring):
    with pytest.raises(Refused, match="Choose an offence"):
        log(spring, reason=" ")
    with pytest.raises(IntegrityError), transaction.atomic():
        Penalty.objects.create(
            competition=spring.competition,
            stage=spring.stage,
            player=spring.players[0],
            score=-20,
            created_at=spring.competition.created_at,
        )

    assert Penalty.objects.count() == 0


@pytest.mark.parametrize(
    ("player", "where", "sentence"),
    [
        (7, lambda here: {"table": here.table()}, "does not sit at this table"),
        (
            0,
            lambda here: {"round_": Round.objects.create(stage=here.stage, number=9, status="open")},
            "does not play in this",
        ),
        (0, lambda _here: {"round_": club("autumn").add_round()}, "another stage"),
        (0, lambda _here: {"player_id": club("autumn").players[0].pk}, "not entered"),
    ],
)
def test_a_player_who_is_not_there_is_refused(spring, player, where, sentence):
    options = {"player_id": spring.players[player].pk, "score": -20, "reason": "late"} | where(spring)
    with pytest.raises(Refused, match=sentence):
        log_penalty(stage=spring.stage, by=spring.bob, **options)

    assert Penalty.objects.count() == 0


def test_an_expulsion_alone_is_confirmed(spring):
    with pytest.raises(Refused, match="This level expels the player") as refusal:
        log(spring, level="6", sure=False)
    assert refusal.value.field == "sure"
    found = [log(spring, **given).level for given in ({"level": "5", "sure": False}, {"level": "6"})]
    assert found == ["5", "6"]


def test_a_penalty_of_an_unpublished_round_reaches_the_public_nowhere(spring):
    spring.add_round(visibility="seating")
    spring.record(ROUND_ONE[0], round_number=2)
    open_to_all = columns(spring)

    log(spring, table=spring.table(2), score=-80)

    assert columns(spring, public=False)[spring.players[0].pk][1] == -80
    assert columns(spring) == open_to_all
    assert not shown_penalties(Penalty.objects.all(), public=True).exists()
    assert not counted_penalties(Penalty.objects.all(), public=True).exists()


# --- the book


def test_the_book_gives_each_ruling_its_range_of_deductions(spring):
    book = penalty_rules_of(spring.division.rule_set)

    amounts = {
        value: book.rulings[value].amounts for value in ("A-II.0", "A-II.1", "A-XII.1", "U-1c.0", "A-IV.0")
    }

    assert amounts == {
        "A-II.0": (20, 20),
        "A-II.1": (80, 120),
        "A-XII.1": (410, 490),  # level 5 and two of level 4
        "U-1c.0": None,  # expulsion: no deduction is named
        "A-IV.0": None,  # corrected in time: no level
    }


def test_code_and_level_tell_the_condition_only_where_no_other_shares_them(spring):
    book = penalty_rules_of(spring.division.rule_set)

    with override("en"):
        conditions = [
            book.condition(*key) for key in (("A-II", "4"), ("A-X", "3"), ("A-XII", "5, 4, 4"), ("?", "2"))
        ]

    assert conditions == ["2 tiles", "", "mixed with discards, wall hit, or unidentifiable", ""]


def test_offences_are_named_in_the_reader_s_language(spring):
    book = penalty_rules_of(spring.division.rule_set)

    names = {}
    for language in ("en", "zh-hant", "zh-hans", "ja"):
        with override(language):
            names[language] = book.offence("A-II")

    assert names == {
        "en": "A-II Illegal exposure of own non-discarded tiles",
        "zh-hant": "A-II 違規曝露",
        "zh-hans": "A-II 违规暴露手牌",
        "ja": "A-II 見せ牌（打牌でない牌を見せる）",
    }


def test_a_rule_set_without_a_catalogue_has_an_empty_book(db):
    made = club("jpml", preset="jpml-a")

    book = penalty_rules_of(made.division.rule_set)

    assert book == PenaltyRules(None)
    assert (book.rulings, book.levels, book.by_category(), book.offence("A-II")) == ({}, {}, [], "A-II")
