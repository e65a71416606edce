"""Every article of the HKMA's chapter of penalties (通用罰則), walked as a referee logs it.

``docs/hkma-penalties.md`` names for each article the test that shows it; a row here has the article's name.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from league.core.errors import Refused
from league.models import Entrant, Penalty
from league.play.hands.words.penalties import penalty_line
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_offence
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.infractions import catalogue
from tests.factories import Club, club
from tests.module_fixtures import module_fixture
from tests.win_bans import bans_at

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "hkma-penalties.md"
pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)
NEXT_HAND, NEXT_GAME = "next hand", "next game"
WARNED = {"levels": ("1",), "reason": "etiquette"}

# article → what is logged for one player, in order: entry, condition, what it comes to (level, tenths, ban),
# and what the referee chose
ARTICLES: dict[str, list] = {
    "level 1": [
        ("A-I", 0, "1", 0, False, WARNED),
        ("A-I", 0, "2", -20, False),
        NEXT_HAND,
        ("A-VII", 0, "1", 0, False, WARNED),
        NEXT_HAND,
        ("A-VII", 0, "2", -20, False),  # what the article costs by itself: the warning was in another hand
    ],
    "level 2": [
        ("A-I", 0, "2", -20, False),
        NEXT_HAND,
        ("A-I", 0, "4", -80, True),
        NEXT_GAME,
        ("A-I", 0, "2", -20, False),
    ],
    "level 3": [("A-VI", 1, "3", 0, True), ("A-VI", 1, "3", 0, True)],
    "level 4": [("A-II", 1, "4", -120, True, {"amount": 120}), NEXT_HAND, ("A-II", 1, "5", -250, True)],
    "level 4⁺": [("A-II", 2, "4+", -120, True), ("A-II", 0, "5", -250, True)],
    "level 5": [("A-II", 3, "5", -250, True), NEXT_HAND, ("A-II", 3, "5", -250, True)],
    "level 6": [("U-1c", 0, "6", 0, True)],
    "footnote 3": [("A-I", 0, "3", 0, True, {"levels": ("3",), "reason": "held up the table twice"})],
    "A-I": [("A-I", 0, "2", -20, False)],
    "A-II": [
        ("A-II", 0, "2", -20, False),
        NEXT_GAME,
        ("A-II", 1, "4", -80, True),
        NEXT_GAME,
        ("A-II", 2, "4+", -120, True),
        NEXT_GAME,
        ("A-II", 3, "5", -250, True),
    ],
    "A-III": [("A-III", 0, "2", -20, False), NEXT_GAME, ("A-III", 1, "3", 0, True)],
    "A-IV": [("A-IV", 0, "", 0, False), ("A-IV", 1, "2", -20, False), ("A-IV", 2, "4", -80, True)],
    "A-V": [
        ("A-V", 0, "2", -20, False),
        NEXT_GAME,
        ("A-V", 1, "4", -80, True),
        NEXT_GAME,
        ("A-V", 2, "4+", -120, True),
        NEXT_GAME,
        ("A-V", 3, "5", -250, True),
        NEXT_GAME,
        ("A-V", 4, "5", -250, True),
        ("A-V", 4, "6", 0, True, {"levels": ("6",)}),
        NEXT_GAME,
        ("A-V", 5, "4", -80, True),
    ],
    "A-VI": [("A-VI", 0, "2", -20, False), ("A-VI", 1, "4", -80, True), NEXT_GAME, ("A-VI", 1, "3", 0, True)],
    "A-VII": [("A-VII", 0, "2", -20, False), ("A-VII", 1, "", 0, False)],
    "A-VIII": [("A-VIII", 0, "2", -20, False)],
    "A-IX": [("A-IX", 0, "", 0, False), ("A-IX", 1, "2", -20, False), ("A-IX", 2, "", 0, False)],
    "A-X": [
        ("A-X", 0, "3", 0, True),
        ("A-X", 1, "3", 0, True, {"units": 2}),
        ("A-X", 2, "", 0, False),
        ("A-X", 3, "", 0, False),
        ("A-X", 4, "3", 0, True),
        ("A-X", 5, "3", 0, True, {"units": 1}),
        ("A-X", 1, "5", -250, True, {"levels": ("5",), "reason": "drew twice on purpose"}),
    ],
    "A-XI": [
        ("A-XI", 0, "", 0, False),
        ("A-XI", 1, "1", 0, False),
        ("A-XI", 1, "2", -20, False),  # the warning of all four again in one hand
        ("A-XI", 2, "4", -80, True),
        ("A-XI", 3, "", 0, False),
    ],
    "A-XII": [("A-XII", 0, "2", -20, False), ("A-XII", 1, "5, 4, 4", -410, True)],
    "B-I": [
        ("B-I", 0, "5", -250, True),
        NEXT_GAME,
        ("B-I", 1, "4", -80, True),
        NEXT_GAME,
        ("B-I", 1, "5", -250, True, {"levels": ("5",)}),
        ("B-I", 2, "", 0, False),
    ],
    "C-I": [("C-I", 0, "", 0, False), ("C-I", 1, "5", -250, True)],
    "C-II": [("C-II", 0, "5", -250, True), NEXT_GAME, ("C-II", 1, "4", -80, True)],
    "C-III": [("C-III", 0, "5", -250, True), ("C-III", 1, "5", -250, True)],
    "D-I": [("D-I", 0, "2", -20, False)],
    "D-II": [("D-II", 0, "2", -20, False)],
    "D-III": [
        ("D-III", 0, "", 0, False),
        ("D-III", 2, "2", -20, False),
        ("D-III", 3, "2", -20, False),
        ("D-III", 3, "2", -20, False),
        NEXT_GAME,
        ("D-III", 1, "1", 0, False, {"levels": ("1",)}),
    ],
    "D-IV": [("D-IV", 0, "", 0, False), ("D-IV", 1, "2", -20, False), ("D-IV", 1, "4", -80, True)],
    "D-V": [("D-V", 0, "", 0, False), ("D-V", 1, "4", -80, True), ("D-V", 2, "5", -250, True)],
    "U-1a": [("U-1a", 0, "4", -80, True), NEXT_GAME, ("U-1a", 0, "4+", -120, True, {"levels": ("4+",)})],
    "U-1b": [("U-1b", 0, "5", -250, True), ("U-1b", 0, "6", 0, True, {"levels": ("6",)})],
    "U-1c": [("U-1c", 0, "6", 0, True)],
    "U-2": [("U-2", 0, "5", -250, True), ("U-2", 0, "6", 0, True, {"levels": ("6",)})],
    "U-3": [("U-3", 0, "5", -250, True), ("U-3", 0, "6", 0, True, {"levels": ("6",)})],
    "U-4": [("U-4", 0, "5", -250, True), ("U-4", 0, "6", 0, True, {"levels": ("6",)})],
    "U-5": [
        ("U-5", 1, "1", 0, False, {"levels": ("1",)}),
        ("U-5", 0, "5", -250, True),
        ("U-5", 0, "6", 0, True, {"levels": ("6",)}),
    ],
    "T-3": [("T-3", 1, "2", -20, False), NEXT_GAME, ("T-3", 0, "5", -250, True)],
    "T-8": [
        ("T-8", 0, "2", -20, False),
        NEXT_GAME,
        ("T-8", 2, "4", -80, True),
        NEXT_GAME,
        ("T-8", 1, "5", -250, True),
    ],
    "T-1": [("T-1", 0, "2", -20, False), NEXT_GAME, ("T-1", 0, "1", 0, False, {"levels": ("1",)})],
    "T-2": [("T-2", 0, "1", 0, False, {"levels": ("1",)})],
    "T-6": [("T-6", 0, "2", -20, False), NEXT_GAME, ("T-6", 0, "4", -80, True, {"levels": ("4",)})],
    "T-7": [("T-7", 0, "3", 0, True, {"levels": ("3",)})],
    "T-9": [("T-9", 0, "2", -20, False)],
    "T-10": [("T-10", 0, "", 0, False)],
    "U-6": [("U-6", 0, "", 0, False), ("U-6", 1, "6", 0, True)],
}


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    set_hand(table=made.table(), hand="E1.0", by=made.bob)
    return made


def log(made: Club, code: str, condition: int, *, minute: int = 0, round_number: int = 1, **choice):
    act = {"infraction": code, "condition": condition, **choice}
    return log_offence(
        stage=made.stage,
        table=made.table(round_number),
        player_id=made.players[0].pk,
        **act,
        by=made.bob,
        at=NOON + timedelta(minutes=minute),
    )


@pytest.mark.parametrize("article", ARTICLES)
def test_article(spring, article):
    game, hands = 1, 0
    for minute, step in enumerate(ARTICLES[article]):
        if step == NEXT_GAME:
            game += 1
            spring.add_round()
        elif step == NEXT_HAND:
            hands += 1
            set_hand(table=spring.table(game), hand=f"E{hands + 1}.0", by=spring.bob)
        else:
            code, condition, level, score, ban, *choice = step
            logged = log(
                spring, code, condition, minute=minute, round_number=game, **(choice[0] if choice else {})
            )
            assert {(each.level, each.score, each.win_ban) for each in logged} == {(level, score, ban)}
            who = penalty_rules_of(spring.division.rule_set).ruling(code, condition).variant.who
            assert len(logged) == (4 if who == "all_four" else 1)


def test_what_an_article_restricts_is_kept_for_the_hand_and_said(spring):
    rules = penalty_rules_of(spring.division.rule_set)

    said = [
        penalty_line(log(spring, code, condition, units=units)[0], rules).at_table.until_the_end
        for code, condition, units in (("A-II", 0, 1), ("D-IV", 0, 1), ("A-X", 1, 2))
    ]

    assert [len(each) for each in said] == [1, 1, 2]
    assert said[0][0].startswith("In this hand: exposed tiles that stay in hand")
    assert said[1][0].startswith("In this hand: the indicator turned by mistake stays")
    assert said[2] == ["Win ban for this hand.", "Pays 2,000 points to each other player."]


def test_level_6_expels_at_once(spring):
    log(spring, "U-1c", 0)

    entrant = Entrant.objects.get(competition=spring.competition, player=spring.players[0])
    assert entrant.withdrawn_at is not None


def test_a_ban_of_level_3_ends_with_the_hand(spring):
    log(spring, "A-VI", 1)
    assert len(bans_at(spring.table())) == 1

    set_hand(table=spring.table(), hand="E2.0", by=spring.bob)

    assert len(bans_at(spring.table())) == 0


def test_level_4_is_8_to_12_and_no_more(spring):
    with pytest.raises(Refused):
        log(spring, "A-II", 1, amount=130)

    assert Penalty.objects.count() == 0


# --- the page


def test_the_page_has_every_article_of_the_chapter_and_names_tests_that_exist():
    rows = re.findall(r"^\| ([^|]+?) \|.*\| `([^`|]+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    chapter = {code for code, entry in catalogue("hkma-2025").infractions.items() if entry.category != "T"}

    assert {article for article, _test in rows} >= set(ARTICLES) | chapter
    assert len(chapter) == 29
    logged = {step[:2] for steps in ARTICLES.values() for step in steps if isinstance(step, tuple)}
    rules = catalogue("hkma-2025").infractions
    assert logged >= {(code, index) for code in chapter for index in range(len(rules[code].variants))}
    for article, test in rows:
        path, _colons, name = test.rpartition("::")
        name, _bracket, row = name.partition("[")
        text = (ROOT / path if path else Path(__file__)).read_text("utf-8")
        assert f"def {name}(" in text, test
        assert not row or row == f"{article}]", test
