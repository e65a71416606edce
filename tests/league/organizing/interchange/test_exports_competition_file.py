"""The competition file out and in again: the same file, and the same standings."""

import json
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.cache import cache
from django.db import models
from django.utils import translation

from league.models import Competition, Entrant, Penalty, RuleSet, Seat, Stage, Table
from league.organizing.division_rules.services import Seen, change_rules
from league.organizing.interchange.exports.competition_file import competition_json
from league.play.open_play.services import set_fee
from league.play.results.exports import table_lines
from league.play.results.queries.tables import table_results
from league.play.substitutions.services.substitutions import end_substitution, substitute_player
from league.ranking.standings.exports import standings_json
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from league.rules.rule_sets.services import copied_rules, create_book, fingerprint, newest_edition
from scoring.presets import preset, resolve
from tests.factories import club, user
from tests.league.organizing.interchange.files import (
    competition_file,
    copy_of,
    loaded,
    problems_of,
    random_file,
    real,
    small,
    table_of,
)
from tests.other_values import other_value
from tests.seeds import seeds

pytestmark = pytest.mark.django_db


def every_standings(competition: Competition) -> list[object]:
    cache.clear()
    stages = Stage.objects.filter(division__competition=competition).select_related("division__competition")
    found = [
        standings_json(stage, public=public)
        for stage in stages.order_by("division__position", "position")
        for public in (True, False)
    ]
    return [one | {"competition": ""} for one in found]


@pytest.mark.parametrize("seed", seeds(10))
def test_a_file_comes_back_as_it_went(seed):
    competition = loaded(random_file(seed))
    written, standings = competition_json(competition), every_standings(competition)

    second = copy_of(competition)

    assert competition_json(second) == written
    assert every_standings(second) == standings


@pytest.mark.slow
def test_the_random_files_have_what_could_get_lost():
    files = [competition_file(loaded(random_file(seed))) for seed in range(8)]
    tables = [
        (round_["visibility"], table)
        for file in files
        for division in file["divisions"]
        for stage in division["stages"]
        for round_ in stage["rounds"]
        for table in round_["tables"]
    ]

    assert {table["status"] for _, table in tables} == {"scheduled", "entered", "confirmed", "void"}
    assert {visibility for visibility, _ in tables} == {"hidden", "seating", "results"}
    assert {bool(table["sticks"]) for _, table in tables} == {True, False}
    assert {"revoked" in penalty for file in files for penalty in file["penalties"]} == {True, False}
    penalties = [penalty for file in files for penalty in file["penalties"]]
    of_the_desk = ("hand", "condition", "units", "suggested", "win_ban", "status", "decided", "together")
    for name in of_the_desk:
        assert {name in each for each in penalties} == {True, False}, name
    assert {file["penalties_shown"] for file in files} == {"all", "counts", "scores"}
    assert any(division["rules"]["overrides"] for file in files for division in file["divisions"])
    assert any(team["players"] for file in files for team in file["teams"])
    plays = [file["team_play"] for file in files]
    assert {play["mode"] for play in plays} == {"none", "sum", "line_ups"}
    for name in ("least_hanchan", "most_hanchan"):
        assert {name in play for play in plays} == {True, False}, name
    team_rounds = [each for play in plays for each in play["rounds"]]
    for name in ("until", "tables", "line_ups"):
        assert {name in each for each in team_rounds} == {True, False}, name
    assert {"revoked" in each for play in plays for each in play["penalties"]} == {True, False}


def test_everything_that_a_file_says_is_in_the_file_that_is_written():
    """Our export adds fields, but loses and changes nothing of the season's own file."""
    season = real("mleague-2018-19.json")

    def covered(said: object, written: object) -> bool:
        if isinstance(said, dict) and isinstance(written, dict):
            return all(key in written and covered(value, written[key]) for key, value in said.items())
        if isinstance(said, list) and isinstance(written, list):
            return len(said) == len(written) and all(map(covered, said, written))
        return said == written

    written = competition_file(loaded(season))

    assert covered(season, written)
    assert not covered(season | {"name": "Other"}, written)


@pytest.mark.slow
def test_what_the_desk_logged_travels_and_standings_follow():
    cast = club()
    cast.add_round()
    acts = (
        {"infraction": "A-XI", "condition": 1, "hand": "S2.1"},
        {"infraction": "A-II", "condition": 1, "levels": ("5",), "reason": "on purpose"},
        {"infraction": "U-1c", "condition": 0},
    )
    for player, act in zip(cast.players, acts, strict=False):
        log_offence(stage=cast.stage, table=cast.table(), player_id=player.pk, **act, by=cast.bob)
    cast.record((45_000, 35_000, 25_000, 15_000))
    written, before = competition_json(cast.competition), every_standings(cast.competition)

    second = copy_of(cast.competition)

    assert competition_json(second) == written
    assert every_standings(second) == before
    penalties = json.loads(written)["penalties"]
    assert [p.get("together") for p in penalties] == [1, 1, 1, 1, None, None]
    assert penalties[4] | {"reason": ""} == {
        **{"player": "p2", "division": "main", "stage": "regular-season", "round": 1, "table": 1},
        **{"score": -25.0, "reason": "", "infraction": "A-II", "level": "5"},
        **{"hand": "S2.1", "condition": 1, "suggested": "4", "win_ban": True},
    }
    assert len(set(Penalty.objects.filter(competition=second).values_list("together", flat=True))) == 2
    assert second.entrants.get(key="p3").withdrawn_at is not None


@pytest.mark.slow
def test_a_penalty_of_a_player_who_no_longer_sits_at_the_table_travels():
    cast = club(players=9)
    cast.add_round()
    table = cast.table()
    seat = Seat.objects.get(table=table, wind=0)
    send_in = substitute_player(
        seat=seat, substitute=cast.players[8].pk, late=False, score=0, reason="ill", by=cast.alice
    )
    log_penalty(
        stage=cast.stage, player_id=cast.players[8].pk, score=-20, reason="late", table=table, by=cast.bob
    )
    end_substitution(seat=send_in[0], reason="back", by=cast.alice)
    written = competition_json(cast.competition)

    assert json.loads(written)["penalties"][0]["player"] == "p9"
    assert competition_json(copy_of(cast.competition)) == written


@pytest.mark.slow
def test_an_older_file_says_nothing_of_what_visitors_see_and_changes_nothing_of_it():
    said = {"penalties_shown": "scores", "expulsion": "forfeit", "takes_calls": False}
    said["names_misconduct"] = True
    competition = loaded(random_file(3) | said)
    file = competition_file(competition)
    assert file == file | said
    for name in ("approval_from", *said):
        del file[name]

    replaced = loaded(file, competition.league)

    assert replaced.names_misconduct
    assert (replaced.penalties_shown, replaced.expulsion, replaced.takes_calls) == (
        "scores",
        "forfeit",
        False,
    )
    new = loaded(file | {"slug": "elsewhere"})
    assert (new.approval_from, new.penalties_shown, new.expulsion) == ("", "all", "substitute")
    assert (new.takes_calls, new.names_misconduct) == (True, False)


def test_every_setting_that_is_yes_or_no_or_a_choice_travels():
    here = club()
    fields = [each for each in Competition._meta.concrete_fields if each.editable]
    settings = [each for each in fields if each.choices or isinstance(each, models.BooleanField)]
    values = {each.name: other_value(each, getattr(here.competition, each.name)) for each in settings}
    Competition.objects.update(**values)

    copied = copy_of(Competition.objects.get())

    assert len(settings) > 15
    assert {name: getattr(copied, name) for name in values} == values


def test_table_fees_travel_and_a_replacement_keeps_them():
    here = club(players=4)
    fees = {"fee": Decimal("80.50"), "guest_fee": Decimal(0)}
    set_fee(stage=here.stage, on=date(2026, 5, 2), **fees, by=here.alice)
    file = competition_file(here.competition)

    replaced = loaded(file, here.league)

    stage = file["divisions"][0]["stages"][0]
    assert (stage["fee"], stage["guest_fee"]) == (80.5, 0)
    assert Stage.objects.filter(division__competition=replaced, **fees).exists()
    assert competition_file(replaced) == file


@pytest.mark.parametrize("name", ["mleague-2018-19.json", "sample-24-players.json"])
def test_the_real_files_come_back_byte_for_byte(name):
    competition = loaded(real(name))
    written = competition_json(competition)

    assert competition_json(copy_of(competition)) == written


def test_replacing_a_competition_by_its_own_file_changes_nothing_in_it():
    competition = loaded(random_file(3))
    written = competition_json(competition)

    replaced = loaded(written.encode(), competition.league)

    assert competition_json(replaced) == written


def test_a_competition_made_in_the_browser_comes_back(django_assert_max_num_queries):
    cast = club(players=12)
    # Entered in another order than registered: equal players keep the order of records, not of entries.
    Entrant.objects.get(competition=cast.competition, key="p1").delete()
    Entrant.objects.create(
        competition=cast.competition, player=cast.players[0], division=cast.division, key="p1"
    )
    cast.add_round()
    cast.record((40000, 35000, 25000, 20000))
    cast.add_round(opened=False, visibility="hidden")
    penalty = log_penalty(
        stage=cast.stage, player_id=cast.players[0].pk, score=-20, by=cast.bob, reason="late"
    )
    log_penalty(
        stage=cast.stage,
        player_id=cast.players[1].pk,
        score=-85,
        by=cast.bob,
        table=cast.table(),
        infraction="A-II",
        level="3",
    )
    revoke_penalty(penalty=penalty, reason="on time after all", by=cast.bob)
    with django_assert_max_num_queries(25):
        written = competition_json(cast.competition)
    standings = every_standings(cast.competition)

    second = copy_of(cast.competition)

    assert competition_json(second) == written
    assert every_standings(second) == standings


def test_a_later_edition_of_the_preset_changes_no_result():
    competition = loaded(small())
    old = resolve("hkma-a-2025-04", {"uma": [40, 10, -20, -30]}).as_values()
    RuleSet.objects.update(values=old, edition="an older one")

    rules = competition_file(competition)["divisions"][0]["rules"]
    second = copy_of(competition)

    assert rules["overrides"] == {"uma": [40, 10, -20, -30]}
    assert (rules["values"], rules["edition"]) == (old, "an older one")
    assert second.divisions.get().rules.as_values() == old
    assert competition_file(second)["divisions"][0]["rules"] == rules


def test_another_language_changes_nothing_in_the_file():
    competition = loaded(random_file(5))
    written = competition_json(competition)

    with translation.override("ja"):
        assert competition_json(competition) == written


def test_a_text_that_no_file_may_hold_is_written_and_refused_when_it_comes_back():
    competition = loaded(small())
    Penalty.objects.update(reason="late\u202e")

    written = competition_json(competition)

    assert [place for place, _ in problems_of(written.encode())] == ["penalties[0].reason"]


# --- the real results


def scores_of(competition: Competition) -> list[tuple[int, int, dict[str, tuple[object, int]]]]:
    return [
        (
            line.round,
            line.number,
            {p.key: (s.score, s.place) for p, s in zip(line.players, line.seats or (), strict=True)},
        )
        for line in table_lines(competition, public=True)
    ]


def test_all_424_scores_and_places_of_the_season_are_the_published_ones():
    expected = [
        (
            round_["number"],
            1,
            {
                player: (round(score * 10), round_["places"][player])
                for player, score in round_["scores"].items()
            },
        )
        for round_ in real("mleague-2018-19.expected.json")["rounds"]
    ]

    found = scores_of(loaded(real("mleague-2018-19.json")))

    assert sum(len(scores) for _, _, scores in found) == 424
    assert found == expected


def test_46_of_the_events_48_tables_are_the_published_ones():
    expected = {
        (each["number"], each["table"]): {
            player: round(score * 10) for player, score in each["scores"].items()
        }
        for each in real("sample-24-players.expected.json")["rounds"]
    }
    found = {
        (round_, table): {player: score for player, (score, _) in scores.items()}
        for round_, table, scores in scores_of(loaded(real("sample-24-players.json")))
    }

    different = sorted(place for place in expected if found[place] != expected[place])

    assert len(found) == len(expected) == 48
    assert all(sum(scores.values()) == 0 for scores in found.values())
    # Round 3, table 4 was published with an uma of 1.5 instead of 5 for places two and three; in round 8,
    # table 5 places two and three were exchanged.
    assert different == [(3, 4), (8, 5)]
    assert expected[3, 4] == {"p15": -203, "p16": -41, "p17": 41, "p18": 203}
    assert found[3, 4] == {"p15": -203, "p16": -76, "p17": 76, "p18": 203}
    assert expected[8, 5] == {"p24": 25, "p1": 476, "p2": -51, "p3": -450}
    assert found[8, 5] == {"p24": -75, "p1": 476, "p2": 49, "p3": -450}


def test_the_lines_of_the_files_are_the_tables_of_the_pages():
    competition = loaded(random_file(11))
    pages = table_results(Table.objects.filter(round__stage__division__competition=competition), competition)

    lines = list(table_lines(competition, public=False))

    assert [(line.round, line.number, line.players) for line in lines] == [
        (page.table.round.number, page.table.number, page.players) for page in pages
    ]
    assert [line.seats for line in lines if line.seats] == [
        page.seats for page in pages if page.status in ("entered", "confirmed")
    ]
    assert {line.status for line in lines} >= {"void", "scheduled"}


def test_an_exact_third_sums_to_zero():
    file = small()
    file["divisions"][0]["rules"]["overrides"] = {"split_remainder": "exact"}
    for seat, points in zip(table_of(file)["seats"], (35000, 35000, 35000, 15000), strict=True):
        seat["points"] = points

    (line,) = table_lines(loaded(file), public=True)

    assert line.sum_of_scores == 0
    assert line.seats is not None
    assert {type(seat.score) for seat in line.seats[:3]} == {Fraction}


def test_chips_and_sashiuma_travel_after_a_change_to_rules_without_them():
    file = small()
    file["divisions"][0]["rules"] = {"preset": "kanto", "overrides": {"chip_value": 20}}
    for seat, points, chips in zip(table_of(file)["seats"], (40, 30, 20, 10), (3, 2, 0, -5), strict=True):
        seat |= {"points": points * 1000, "chips": chips}
    table_of(file)["seats"][0]["names"] = "south"
    competition, by = loaded(file), user("alice")
    to = copied_rules("guide", resolve("guide").as_values(), by=by)
    seen = Seen(version=competition.version, rules=fingerprint(to))
    change_rules(division=competition.divisions.get(), to=to, seen=seen, reason="no bets", by=by)
    written, standings = competition_json(competition), every_standings(competition)

    second = copy_of(competition)

    seats = table_of(json.loads(written))["seats"]
    assert (seats[0]["names"], [seat.get("chips") for seat in seats]) == ("south", [3, 2, None, -5])
    assert competition_json(second) == written
    assert every_standings(second) == standings


def test_which_text_was_chosen_travels_and_who_chose_it_does_not():
    cast = club()
    index = next(i for i, each in enumerate(preset("hkma-a-2025-04").conflicts) if "uma" in each.settings)
    values = {**resolve("hkma-a-2025-04").as_values(), "uma": [45, 15, -20, -40], "oka": 0}
    rules = copied_rules(
        "hkma-a-2025-04", {**values, "return_points": 30000}, texts={index: 2}, by=cast.alice
    )
    change_rules(division=cast.division, to=rules, by=cast.alice)
    written = competition_json(cast.competition)
    rules = json.loads(written)["divisions"][0]["rules"]

    assert rules["readings"] == [{"settings": ["uma", "oka"], "chosen": 2, "place": "半莊結束 §6"}]
    second = copy_of(cast.competition)
    assert competition_json(second) == written
    [record] = second.divisions.get().rule_set.readings
    assert (record["chosen"], record["by"]) == (2, None)


def test_a_leagues_own_rules_travel_as_values_and_stay_with_the_league():
    cast = club()
    values = {**resolve("hkma-a-2025-04").as_values(), "honba": 600}
    book = create_book(
        league=cast.league,
        name="House rules",
        rules=copied_rules("hkma-a-2025-04", values, by=cast.alice),
        by=cast.alice,
    )
    change_rules(division=cast.division, to=newest_edition(book), by=cast.alice)
    written = competition_json(cast.competition)

    assert "House rules" not in written
    assert json.loads(written)["divisions"][0]["rules"]["overrides"] == {"honba": 600}
    replaced = loaded(written.encode(), cast.league)
    assert competition_json(replaced) == written
    assert (replaced.divisions.get().rule_set.book, newest_edition(book).values) == (None, values)
