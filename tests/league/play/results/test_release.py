"""When a round's results are published: by hand, with the last one, or at once."""

import pytest

from league.models import AuditEntry, Competition, Round
from league.organizing.competitions.services import update_competition
from league.play.results.services import confirm_result, record_result, void_result
from league.play.rounds.services import close_round, open_round, set_visibility
from league.play.substitutions.services.substitutions import forfeit_seat
from tests.factories import Club, as_seen, club, last_entry, revision
from tests.races import at_once

POINTS = (28_700, 31_200, 25_000, 35_100)
OTHER = (29_700, 31_200, 25_000, 34_100)
COMPLETE, AT_ONCE, HAND = Competition.Release.COMPLETE, Competition.Release.AT_ONCE, Competition.Release.HAND


def released(made: Club, release: str, **also: object) -> Club:
    values = {"release": release, **also}
    made.competition = update_competition(competition=made.competition, values=values, by=made.alice)
    return made


@pytest.fixture
def spring(db) -> Club:
    made = released(club(), COMPLETE)
    made.add_round(opened=False, visibility="hidden")
    return made


def start(made: Club, **how: object) -> Round:
    return open_round(round_=made.table().round, by=made.alice, **how)


def seen(made: Club) -> str:
    return Round.objects.get(pk=made.rounds[0].pk).visibility


def test_by_hand_a_start_publishes_nothing(spring):
    released(spring, HAND)
    spring.rounds[0].announced = True
    spring.rounds[0].save()
    started = start(spring)
    assert (started.visibility, started.announced) == ("hidden", True)


@pytest.mark.parametrize("chosen", [None, "hidden", "seating"])
def test_at_once_the_start_publishes_results(spring, chosen):
    released(spring, AT_ONCE)
    assert start(spring, visibility=chosen).visibility == "results"


def test_a_round_released_when_complete_starts_with_its_seating_and_ends_with_its_results(spring):
    assert start(spring).visibility == "seating"
    spring.record(POINTS)
    assert seen(spring) == "seating"
    public = revision(spring.competition)
    spring.record(POINTS, number=2)
    assert seen(spring) == "results"
    assert revision(spring.competition) == public + 1
    assert last_entry(spring.competition).action == "round.publish"


def test_the_first_of_two_results_tells_visitors_nothing(spring):
    start(spring)
    public = revision(spring.competition)
    spring.record(POINTS)
    assert revision(spring.competition) == public


def test_a_correction_and_a_second_version_publish_nothing(spring):
    start(spring)
    spring.record(POINTS)
    record_result(**as_seen(spring.table()), points=OTHER, by=spring.charlie)
    assert seen(spring) == "seating"


def test_a_voided_result_is_missing_until_it_is_entered_again(spring):
    start(spring)
    spring.record(POINTS)
    void_result(**as_seen(spring.table()), reason="wrong table", by=spring.charlie)
    spring.record(POINTS, number=2)
    assert seen(spring) == "seating"
    record_result(**as_seen(spring.table()), points=OTHER, reason="played again", by=spring.charlie)
    assert seen(spring) == "results"


def test_a_forfeited_table_is_not_missing(spring):
    start(spring)
    spring.record(POINTS)
    seat = spring.table(1, 2).seats.get(wind=0)
    forfeit_seat(seat=seat, score=0, others=None, reason="left", by=spring.alice)
    assert seen(spring) == "results"


def test_results_that_count_when_confirmed_are_published_with_the_last_confirmation(spring):
    released(spring, COMPLETE, counting="confirmed")
    start(spring)
    for number in (1, 2):
        spring.record(POINTS, number=number)
    confirm_result(**as_seen(spring.table(1, 2)), by=spring.bob)
    assert seen(spring) == "seating"
    confirm_result(**as_seen(spring.table()), by=spring.bob)
    assert seen(spring) == "results"


def test_a_round_that_the_organizer_hid_stays_hidden(spring):
    set_visibility(round_=start(spring), visibility="hidden", by=spring.alice)
    for number in (1, 2):
        spring.record(POINTS, number=number)
    assert seen(spring) == "hidden"


@pytest.mark.parametrize("release", [COMPLETE, AT_ONCE])
def test_a_round_that_is_opened_again_keeps_what_visitors_see(spring, release):
    released(spring, HAND)
    close_round(round_=start(spring), by=spring.alice)
    released(spring, release)
    assert start(spring).visibility == "hidden"


@pytest.mark.parametrize("visibility", ["hidden", "seating", "results"])
@pytest.mark.parametrize("to", [HAND, COMPLETE, AT_ONCE])
def test_a_change_of_the_setting_hides_and_publishes_nothing(spring, visibility, to):
    round_ = start(spring)
    spring.record(POINTS)
    spring.record(POINTS, number=2)
    set_visibility(round_=round_, visibility=visibility, by=spring.alice)
    released(spring, HAND if to != HAND else AT_ONCE)
    released(spring, to)
    assert seen(spring) == visibility


def test_the_setting_is_changed_on_the_settings_page_which_says_what_stays(spring, client):
    released(spring, AT_ONCE)
    start(spring)
    client.force_login(spring.alice)
    address = f"/c/{spring.slug}/manage/settings/results/"
    form = client.get(address).context["form"]
    typed = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)} | {"release": "hand"}
    answer = client.post(address, typed, follow=True)
    assert "Results that are published stay published." in answer.content.decode()
    spring.competition.refresh_from_db()
    assert (spring.competition.release, seen(spring)) == (HAND, "results")


@pytest.mark.django_db(transaction=True)
def test_the_last_two_tables_saved_at_once_publish_the_round():
    made = released(club(), COMPLETE)
    made.add_round(opened=False, visibility="hidden")
    start(made)
    tables = [made.table(1, number) for number in (1, 2)]
    at_once(
        *(
            lambda table=table: record_result(table=table, points=POINTS, based_on=0, by=made.charlie)
            for table in tables
        )
    )
    assert seen(made) == "results"
    published = AuditEntry.objects.filter(competition=made.competition, action="round.publish")
    assert published.count() == 1
