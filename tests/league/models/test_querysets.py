"""Querysets that find what belongs to one competition, and leave out what does not."""

import pytest

from league.models import Entrant, Round, Seat, Sheet, Stage, Table
from tests.factories import club

pytestmark = pytest.mark.django_db


def test_of_leaves_out_what_belongs_to_another_competition():
    here, there = club(), club(slug="there")
    for place in (here, there):
        place.add_round()

    for model in (Stage, Round, Table, Seat):
        rows = list(model.objects.of(here.competition))
        assert rows
        assert {row.competition for row in rows} == {here.competition}
        assert model.objects.count() > len(rows)


def test_rows_read_with_their_rules_need_no_other_query(django_assert_num_queries):
    here = club()
    here.add_round()

    with django_assert_num_queries(1):
        names = {seat.round.stage.division.rule_set.preset for seat in Seat.objects.with_rules()}

    assert len(names) == 1


def test_only_published_open_and_current_rows_are_called_so():
    here = club()
    round_ = here.add_round()
    Round.objects.filter(pk=round_.pk).update(visibility="seating", status="closed")

    assert not Round.objects.of(here.competition).published()
    assert not Round.objects.of(here.competition).open()
    Round.objects.filter(pk=round_.pk).update(visibility="results", status="open")
    assert round_ in Round.objects.published()
    assert round_ in Round.objects.open()
    assert not Sheet.objects.current()


def test_a_player_who_has_withdrawn_does_not_play():
    here = club()
    gone = Entrant.objects.filter(competition=here.competition).first()
    Entrant.objects.filter(pk=gone.pk).update(withdrawn_at="2026-01-01T00:00Z")

    assert gone not in Entrant.objects.playing()
    assert list(Entrant.objects.withdrawn()) == [gone]
