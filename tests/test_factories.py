"""What the factories write in bulk is what the services write."""

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.models import Round, Stage
from tests.bulk_rounds import write_round
from tests.factories import Club, club, serve_round
from tests.written_again import written_again

pytestmark = pytest.mark.django_db
BY_CHANCE = {"at", "hash", "previous_hash"}  # the time, and what is computed from it


def facts(without: Collection[str] = BY_CHANCE) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all models."""
    return {
        model._meta.label: [
            {name: value for name, value in row.items() if name not in without}
            for row in model._base_manager.order_by("pk").values()
        ]
        for label in ("league", "players")
        for model in apps.get_app_config(label).get_models()
    }


def made_by(make: Callable[..., Round | None], here: Club, **facts_of: Any) -> list[object]:
    """Return what is there after `make`, which is undone, and the versions that its caller knows."""
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)
    ids = [player.pk for player in here.players]
    with transaction.atomic():
        made = make(stage, {1: ids[:4], 2: ids[4:8]}, by=here.alice, **facts_of)
        assert made is not None
        known = stage.division.competition
        fields = {field.name: getattr(made, field.attname) for field in Round._meta.concrete_fields}
        found = [facts(), fields, known.version, known.revision, made.stage.division.competition.version]
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("visibility", Round.Visibility.values)
@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("rounds", [0, 1])
def test_a_round_written_in_bulk_is_the_round_of_the_services(rounds, opened, visibility):
    here = club()
    for _ in range(rounds):
        here.add_round()

    written, served = (made_by(make, here, opened=opened, visibility=visibility) for make in BOTH)

    assert written == served


BOTH = (write_round, serve_round)


@pytest.mark.parametrize("kind", ["event", "season"])
def test_where_services_do_more_nothing_is_written_in_bulk(kind):
    here = club(kind=kind)
    ids = [player.pk for player in here.players]
    if kind == "season":
        here.competition.release = "at_once"
        here.competition.save()

    made = write_round(here.stage, {1: ids[:4]}, opened=True, visibility="results", by=here.alice)

    assert made is None
    assert not Round.objects.exists()


def test_a_factory_in_an_empty_database_writes_again_what_it_wrote_and_runs_no_more():
    ran, found = [], []

    @written_again
    def make(slug: str) -> Club:
        ran.append(slug)
        made = club(slug)
        made.add_round()
        return made

    for _ in range(2):
        with transaction.atomic():
            made = make("again")
            known = [
                (each.pk, each.version, each.revision)
                for each in (made.competition, made.rounds[0].competition)
            ]
            found.append([facts(without=()), list(User.objects.order_by("pk").values()), made, known])
            transaction.set_rollback(True)

    assert ran == ["again"]
    assert found[0] == found[1]
    assert found[0][0]["league.Seat"]


def test_a_factory_runs_for_other_arguments_and_beside_what_is_there():
    ran = []

    @written_again
    def make(slug: str) -> str:
        ran.append(slug)
        return club(slug).slug

    with transaction.atomic():
        make("one")
        make("two")
        transaction.set_rollback(True)
    make("two")

    assert ran == ["one", "two", "two"]


def test_a_factory_runs_under_a_patched_clock(monkeypatch):
    now = timezone.now() - timedelta(days=9)

    @written_again
    def make() -> Club:
        return club()

    with transaction.atomic():
        make()
        transaction.set_rollback(True)
    monkeypatch.setattr(timezone, "now", lambda: now)

    assert make().competition.created_at == now


def test_a_factory_that_undoes_its_own_statements_is_refused():
    @written_again
    def make() -> None:
        User.objects.create(username="alice")
        with suppress(IntegrityError), transaction.atomic():
            User.objects.create(username="alice")

    with pytest.raises(AssertionError, match="undoes its own statements"):
        make()
