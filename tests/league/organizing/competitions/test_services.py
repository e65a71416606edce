"""Leagues, competitions, divisions and stages: made, changed, and their rules kept as they were chosen."""

import uuid

import pytest
from django.utils.translation import override

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Competition, League, RuleSet, Stage
from league.organizing.competitions.services import (
    add_division,
    create_competition,
    create_league,
    start_competition,
    update_competition,
    update_league,
)
from league.organizing.interchange.exports.competition_file import competition_json
from league.ranking.stages.services import add_stage
from league.ranking.standings.queries.standings import standings
from players.models import Register
from scoring.presets import UnknownPreset, preset
from scoring.rules import RulesError
from tests.factories import club, user

pytestmark = pytest.mark.django_db


def start(**values):
    given = {"league": None, "league_name": "HKMA", "name": "Season 2026", "preset_slug": "hkma-a-2025-04"}
    return start_competition(**given | {"by": user("alice")} | values)


# --- leagues and competitions


def test_a_league_has_its_own_empty_register_and_its_maker_owns_it():
    alice = user("alice")
    league = create_league(name="Club Nord", by=alice)
    assert (league.slug, list(league.owners.all()), league.register.players.count()) == (
        "club-nord",
        [alice],
        0,
    )
    assert create_league(name="Club Nord", by=alice).slug == "club-nord-2"
    assert Register.objects.count() == 2


def test_an_address_that_is_taken_is_refused_and_nothing_is_left():
    create_league(name="One", slug="one", by=user("alice"))
    with pytest.raises(Refused, match="Another league has this address") as refused:
        create_league(name="Two", slug="one", by=user("alice"))
    assert refused.value.field == "slug"
    assert (League.objects.count(), Register.objects.count()) == (1, 1)


def test_a_name_in_another_script_still_gets_an_address():
    assert start(name="香港聯賽").slug == "competition"
    assert start(name="春季聯賽").slug == "competition-2"


def test_one_form_makes_league_competition_division_and_stage():
    made = start(kind="event", timezone="Asia/Hong_Kong", visibility="private")
    division = made.divisions.get()
    assert (made.league.name, made.kind, made.timezone, made.visibility) == (
        "HKMA",
        "event",
        "Asia/Hong_Kong",
        "private",
    )
    assert (division.name, division.rules, division.stages.get().name) == (
        "Main",
        division.rule_set.rules,
        "Main event",
    )
    assert made.tie_breaks == ["average_place", "firsts", "best_points"]


def test_several_divisions_each_have_their_own_copy_of_the_rules():
    made = start(division_names=["A", "B"])
    assert [(d.name, d.slug, d.position) for d in made.divisions.all()] == [("A", "a", 1), ("B", "b", 2)]
    assert len({d.rule_set_id for d in made.divisions.all()}) == 2


def test_the_same_form_twice_makes_one_competition_and_one_league():
    form = Sent.of(uuid.uuid4(), "typed")
    made = start(form=form)
    with pytest.raises(AlreadyDone) as done:
        start(form=form)
    stage = Stage.objects.get(division__competition=made)
    assert done.value.answer == {"competition": made.pk, "slug": made.slug, "stage": stage.pk}
    assert (Competition.objects.count(), League.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"preset_slug": "no-such-rules"}, UnknownPreset),
        ({"overrides": {"uma": [30, 10, -10, -20]}}, RulesError),
        ({"overrides": {"no_such_setting": 1}}, RulesError),
    ],
)
def test_a_competition_without_valid_rules_leaves_not_even_a_league(values, error):
    with pytest.raises(error):
        start(**values)
    assert (Competition.objects.count(), League.objects.count(), RuleSet.objects.count()) == (0, 0, 0)


def test_a_league_is_renamed_and_keeps_out_of_anothers_address():
    first, second = create_league(name="One", by=user("alice")), create_league(name="Two", by=user("alice"))
    update_league(league=second, name="Second", slug="second", by=user("alice"))
    assert (League.objects.get(pk=second.pk).name, League.objects.get(pk=second.pk).slug) == (
        "Second",
        "second",
    )
    with pytest.raises(Refused):
        update_league(league=second, name="Second", slug=first.slug, by=user("alice"))
    assert League.objects.get(pk=second.pk).slug == "second"


# --- rules


def test_a_division_keeps_the_presets_values_and_its_own_overrides():
    made = start(overrides={"start_points": 25000, "return_points": 30000})
    stored = made.divisions.get().rule_set
    assert (stored.preset, stored.edition) == ("hkma-a-2025-04", preset("hkma-a-2025-04").edition)
    expected = {**preset("hkma-a-2025-04").values, "start_points": 25000, "return_points": 30000}
    assert stored.values == expected


def test_a_later_edition_of_the_preset_changes_no_division_that_was_made_before():
    """The stored copy is what counts: here it says other uma than the preset does today."""
    here = club(overrides={"uma": [15, 5, -5, -15]})
    assert preset("hkma-a-2025-04").values["uma"] == [30, 10, -10, -30]
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    here.competition.refresh_from_db()
    totals = [r.row.total for r in standings(here.stage, public=True).rows if r.row.games]
    assert totals == [100 + 150 + 200, 0 + 50, -100 - 50, -200 - 150]


def test_values_that_were_tampered_with_are_refused_when_they_are_used():
    here = club()
    RuleSet.objects.filter(pk=here.division.rule_set_id).update(values={})
    with pytest.raises(RulesError):
        _ = RuleSet.objects.get(pk=here.division.rule_set_id).rules


def preset_rules(slug):
    made = create_competition(
        league=create_league(name="Compare", by=None), name="Compare", preset_slug=slug, by=None
    )
    return made.divisions.get().rules


# --- settings, divisions, stages


def test_settings_are_logged_old_and_new():
    here = club()
    update_competition(
        competition=here.competition, values={"counting": "confirmed", "tie_breaks": ["lasts"]}, by=here.alice
    )
    entry = AuditEntry.objects.filter(competition=here.competition).last()
    assert (entry.before, entry.after) == (
        {"counting": "entered", "tie_breaks": ["average_place", "firsts", "best_points"]},
        {"counting": "confirmed", "tie_breaks": ["lasts"]},
    )
    here.competition.refresh_from_db()
    assert here.competition.counted_statuses == ("confirmed",)


@pytest.mark.parametrize("names", [["luck"], ["firsts", "firsts"], "firsts"])
def test_tie_breaks_that_do_not_exist_are_not_saved(names):
    here = club()
    with pytest.raises(ValueError, match="tie-break"):
        update_competition(competition=here.competition, values={"tie_breaks": names}, by=here.alice)
    here.competition.refresh_from_db()
    assert here.competition.tie_breaks == ["average_place", "firsts", "best_points"]


def test_divisions_and_stages_are_added_at_the_end_and_only_once_a_form():
    here = club()
    form = Sent.of(uuid.uuid4(), "B")
    added = add_division(
        competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice, form=form
    )
    with pytest.raises(AlreadyDone):
        add_division(
            competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice, form=form
        )
    assert [d.slug for d in here.competition.divisions.all()] == ["main", "b"]
    final = add_stage(division=added, name="Final", carry="half", by=here.alice)
    assert [(s.slug, s.position, s.carry) for s in added.stages.all()] == [
        ("regular-season", 1, "none"),
        ("final", 2, "half"),
    ]
    assert final.division == added


# --- names that the product gave


def test_the_first_division_and_stage_are_named_in_the_reader_s_language():
    with override("ja"):
        made = create_competition(
            league=create_league(name="Club", by=None), name="Cup", preset_slug="mleague", by=None
        )
    stage = Stage.objects.select_related("division").get(division__competition=made)

    def read() -> tuple[str, str]:
        return stage.division.name, stage.name

    with override("en"):
        assert read() == ("Main", "Regular season")
    with override("ja"):
        assert read() == ("メイン", "レギュラーシーズン")


def test_a_name_that_was_stored_in_another_language_is_read_in_the_reader_s():
    stage = club().stage
    Stage.objects.filter(pk=stage.pk).update(name="レギュラーシーズン")
    stage.refresh_from_db()

    with override("zh-hant"):
        assert stage.name == "常規賽"


def test_what_is_saved_and_exported_keeps_the_name_as_it_is_stored():
    here = club()
    stage = here.stage
    Stage.objects.filter(pk=stage.pk).update(name="Regular season")
    stage.refresh_from_db()

    with override("ja"):
        stage.full_clean()
        stage.save()
        exported = competition_json(here.competition)

    assert Stage.objects.values_list("name", flat=True).get(pk=stage.pk) == "Regular season"
    assert '"name": "Regular season"' in exported
    assert "レギュラーシーズン" not in exported


def test_a_name_that_an_organizer_gave_is_the_same_in_every_language():
    stage = club().stage
    stage.name = "Evening table"
    stage.save()
    stage.refresh_from_db()

    with override("ja"):
        assert stage.name == "Evening table"
