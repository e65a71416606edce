"""What logged penalties name that another catalogue lacks."""

import pytest

from league.models import RuleSet
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from league.rules.penalty_rules.queries import LeftBehind, left_behind
from league.rules.penalty_rules.services import choose_catalogue, create_catalogue, save_entry
from scoring.infractions import catalogue, entry_of
from tests.factories import Club, club
from tests.league.rules.penalty_rules.entries import SMOKING
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

HKMA, EMA, JPML = (RuleSet(preset=slug) for slug in ("hkma-a-2025-04", "ema-2025", "jpml-a"))


@module_fixture
def here() -> Club:
    made = club()
    made.add_round()
    return made


def log(here: Club, code: str, player: int = 0, condition: int = 0):
    act = {"infraction": code, "condition": condition}
    return log_offence(
        stage=here.stage, table=here.table(), player_id=here.players[player].pk, **act, by=here.bob
    )[0]


def say(here: Club, *, level: str = "", reason: str = "shouting"):
    return log_penalty(
        stage=here.stage, player_id=here.players[1].pk, score=-10, level=level, reason=reason, by=here.bob
    )


def test_every_offence_that_the_other_book_lacks_is_named_with_its_penalties(here):
    log(here, "A-II")
    log(here, "A-II", player=1)
    revoke_penalty(penalty=log(here, "A-II", player=2), reason="nothing happened", by=here.alice)
    log(here, "A-X")
    left = left_behind(here.division, EMA)

    names = [f"{code} {catalogue('hkma-2025').infractions[code].names['en']}" for code in ("A-II", "A-X")]
    assert left == [LeftBehind(names[0], "", 3), LeftBehind(names[1], "", 1)]
    assert left_behind(here.division, JPML) == left


def test_a_level_counts_where_the_offence_is_in_the_referee_s_own_words(here):
    say(here, level="4")
    say(here, level="4, 5")
    say(here)
    assert left_behind(here.division, EMA) == [
        LeftBehind("level 4", "", 1),
        LeftBehind("level 4 + level 5", "", 1),
    ]


def test_nothing_is_left_behind_by_a_book_that_has_it_all(here):
    log(here, "A-II")
    say(here, level="4")
    assert left_behind(here.division, HKMA) == []
    assert left_behind(here.division, RuleSet(preset="hkma-b-2025-04")) == []
    assert left_behind(here.division, RuleSet(preset="ema-2025", catalogue="hkma-2025")) == []


def test_what_a_league_added_or_renamed_says_what_it_is_called_then(here):
    own = create_catalogue(league=here.league, name="House", base="hkma-2025", by=here.alice)
    save_entry(own=own, entry=SMOKING, seen="", by=here.alice)
    choose_catalogue(division=here.division, own=own, by=here.alice)
    here.division.refresh_from_db()
    log(here, "H-1")
    before = entry_of(catalogue("hkma-2025").infractions["A-II"])
    own.refresh_from_db()
    own.entries = [*own.entries, {**before, "names": {"en": "Showing tiles"}}]
    own.save()
    log(here, "A-II", player=1)
    here.division.refresh_from_db()

    of_the_book = f"A-II {before['names']['en']}"
    assert (
        left_behind(here.division, EMA)
        == left_behind(here.division, HKMA)
        == [
            LeftBehind("A-II Showing tiles", of_the_book, 1),
            LeftBehind("H-1 Smoking at the table", "H-1", 1),
        ]
    )


def test_a_code_that_means_something_else_says_what(here):
    choose_catalogue(division=here.division, slug="guide", by=here.alice)
    here.division.refresh_from_db()
    log(here, "1")
    now, then = (catalogue(slug).infractions["1"].names["en"] for slug in ("guide", "tnt"))
    assert left_behind(here.division, RuleSet(preset="tnt")) == [LeftBehind(f"1 {now}", f"1 {then}", 1)]


def test_it_takes_one_query_however_many_penalties(here, django_assert_num_queries):
    log(here, "A-II")
    with django_assert_num_queries(1):
        left_behind(here.division, EMA)
    for player in range(4):
        log(here, "A-X", player=player)
        say(here, level="4")
    with django_assert_num_queries(1):
        assert len(left_behind(here.division, EMA)) == 3
