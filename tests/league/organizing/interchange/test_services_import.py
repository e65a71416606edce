"""Writing what a file says: new, in place of another, once, and all of it or nothing."""

import copy
import io
import uuid
from datetime import date
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db.models.signals import post_save
from django.test import Client
from django.urls import reverse

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Competition, Entrant, Penalty, Presence, Round, RuleSet, Sheet, Table
from league.organizing.audit_log.queries import verify_chain
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.roster.services.roster import enter_player, remove_entrant
from league.people.register.services import PlayerValues
from league.play.calls.services import call_referee
from league.play.disputes.services import add_evidence, open_dispute, take_step
from league.play.results.services import record_result
from players.models import Player
from tests.factories import as_seen, club, last_entry, revision, user
from tests.league.organizing.interchange.files import (
    competition_file,
    facts_of,
    loaded,
    small,
    table,
    table_of,
)
from tests.pictures import picture
from tests.seasons import played

pytestmark = pytest.mark.django_db


def test_a_file_gets_a_new_league_that_its_owner_owns():
    competition = import_competition(facts=facts_of(small()), league=None, by=user("alice"))

    assert (competition.slug, competition.league.slug, competition.league.name) == ("small", "small", "Small")
    assert [owner.username for owner in competition.league.owners.all()] == ["alice"]
    assert competition.counting == "confirmed"


def test_its_facts_are_in_the_database():
    competition = loaded(small())

    sheet = Sheet.objects.get(table__round__stage__division__competition=competition)
    assert (sheet.points, sheet.sticks, sheet.total, sheet.status, sheet.version) == (
        (40000, 35000, 25000, 20000),
        0,
        120000,
        "confirmed",
        1,
    )
    assert [seat.player.name for seat in sheet.table.seats.all()] == ["陳大文", "李", "Dora", "É"]
    penalty = Penalty.objects.get(competition=competition)
    assert (penalty.player.name, penalty.score, penalty.table, penalty.revoked_at) == (
        "É",
        -200,
        sheet.table,
        None,
    )


def test_one_entry_in_a_whole_audit_log_tells_of_it_without_names():
    competition = loaded(small())

    entry = AuditEntry.objects.get(competition=competition)
    assert entry.action == "competition.import"
    assert entry.after == {
        "slug": "small",
        "players": 4,
        "rounds": 1,
        "tables": 1,
        "sheets": 1,
        "penalties": 1,
    }
    assert verify_chain(competition).broken_at is None
    assert competition.revision == 2


def test_players_of_a_file_are_new_people_in_the_league():
    cast = club()
    before = Player.objects.filter(register=cast.league.register).count()

    import_competition(facts=facts_of(small()), league=cast.league, by=cast.alice)

    assert Player.objects.filter(register=cast.league.register).count() == before + 4


def test_an_address_that_is_taken_is_refused():
    first = loaded(small())

    with pytest.raises(Refused, match="small” already exists") as refused:
        import_competition(facts=facts_of(small()), league=first.league, by=None)

    assert refused.value.field == "replace"
    assert Competition.objects.get() == first


def test_a_competition_of_another_league_is_not_replaced():
    loaded(small())
    cast = club()

    with pytest.raises(Refused, match="another league"):
        import_competition(facts=facts_of(small()), league=cast.league, by=cast.alice, replace=True)

    assert Competition.objects.get(slug="small").league != cast.league


def changed_file():
    file = small()
    file["name"] = "Small, mended"
    file["players"][0] |= {"name": "陳小文", "club": "雀莊", "ema_number": "007"}
    file["players"][3] = {"id": "p9", "name": "Newcomer"}
    table_of(file)["seats"][3] = {"wind": "north", "player": "p9", "points": 19000}
    table_of(file)["sticks"] = 1000
    file["penalties"] = []
    return file


def test_replacing_keeps_competition_log_roles_and_the_entries_whose_id_comes_again():
    first = loaded(small())
    people = {e.key: (e.pk, e.player_id) for e in first.entrants.all()}
    rule_sets = RuleSet.objects.count()

    again = import_competition(facts=facts_of(changed_file()), league=first.league, by=None, replace=True)

    entrants = {e.key: (e.pk, e.player_id) for e in again.entrants.all()}
    assert again.pk == first.pk
    assert {key: entrants[key] for key in ("p1", "p2", "p3")} == {
        key: people[key] for key in ("p1", "p2", "p3")
    }
    assert set(entrants) == {"p1", "p2", "p3", "p9"}
    assert again.name == "Small, mended"
    assert Player.objects.get(pk=people["p1"][1]).name == "陳小文"
    assert Player.objects.get(pk=people["p1"][1]).club.name == "雀莊"
    assert [(s.north, s.sticks) for s in Sheet.objects.all()] == [(19000, 1000)]
    assert (Table.objects.count(), Round.objects.count(), Penalty.objects.count()) == (1, 1, 0)
    assert RuleSet.objects.count() == rule_sets
    actions = [entry.action for entry in again.audit_entries.all()]
    assert actions == ["competition.import", "player.update", "competition.replace"]
    assert again.audit_entries.last().before["penalties"] == 1
    assert verify_chain(again).broken_at is None


def test_an_older_file_brings_back_its_own_player_and_renames_no_other_one():
    here = club()
    backup = competition_file(here.competition)
    removed = here.competition.entrants.get(key="p8")
    remove_entrant(competition=here.competition, entrant_id=removed.pk, by=here.alice)

    def enter() -> Entrant:
        return enter_player(
            competition=here.competition,
            values=PlayerValues(name="Newcomer"),
            division=here.competition.divisions.get(),
            by=here.alice,
        )

    new = enter()
    again = loaded(backup, here.league)

    assert new.key == "p9"
    assert [each["name"] for each in backup["players"]] == [
        entrant.player.name for entrant in again.entrants.order_by("pk")
    ]
    assert enter().key == "p10"


def test_a_file_with_its_first_day_alone_replaces_both_days():
    loaded(small() | {"first_day": "2026-05-02", "last_day": "2026-05-03"})
    later = facts_of(small() | {"first_day": "2026-06-06"})

    again = import_competition(facts=later, league=None, by=None, replace=True)

    again.refresh_from_db()
    assert (again.first_day, again.last_day) == (date(2026, 6, 6), None)


def test_a_file_without_days_replaces_the_days():
    loaded(small() | {"first_day": "2026-05-02", "last_day": "2026-05-03"})

    again = import_competition(facts=facts_of(small()), league=None, by=None, replace=True)

    again.refresh_from_db()
    assert (again.first_day, again.last_day) == (None, None)


def disputed(competition: Competition, by: User) -> str:
    """Add a dispute with a photograph and a call. Return the photograph's name."""
    table = Table.objects.filter(round__stage__division__competition=competition).first()
    table.round.status = "open"
    table.round.save()
    dispute = open_dispute(table=table, subject="The wall was short", by=by)
    call_referee(table=table, note="", by=by)
    return add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=by).file.name


def rule_by_sheet(competition: Competition, by: User) -> None:
    """A dispute whose ruling corrects the sheet of its table."""
    table = Table.objects.filter(round__stage__division__competition=competition).first()
    Round.objects.filter(pk=table.round_id).update(status="open")
    dispute = open_dispute(table=Table.objects.get(pk=table.pk), subject="The score", by=by)
    dispute = take_step(dispute=dispute, kind="preliminary", said="South had more.", decided="Yes.", by=by)
    points = (40000, 36000, 24000, 20000)
    record_result(**as_seen(table), points=points, reason="ruling", dispute=dispute, by=by)


@pytest.mark.django_db(transaction=True)
def test_replacing_names_what_it_removes_and_removes_photographs_from_the_disk():
    alice = user("alice")
    first = import_competition(facts=facts_of(small()), league=None, by=alice)
    photograph = disputed(first, alice)

    for number in (0, 2, 4):
        with pytest.raises(Refused) as refused:
            import_competition(
                facts=facts_of(small()), league=first.league, by=alice, replace=True, removes=number
            )
        assert "1 dispute, 1 photograph, 1 referee call. Enter 3 to confirm" in str(refused.value)
        assert (refused.value.field, default_storage.exists(photograph)) == ("removes", True)
    again = import_competition(
        facts=facts_of(small()), league=first.league, by=alice, replace=True, removes=3
    )

    assert not default_storage.exists(photograph)
    before = again.audit_entries.last().before
    assert (before["disputes"], before["photographs"], before["calls"]) == (1, 1, 1)


def test_replacing_asks_before_it_removes_attendance_lists_with_their_fees():
    first, alice = loaded(small()), user("alice")
    stage, entrant = first.divisions.get().stages.get(), first.entrants.first()
    Presence.objects.create(stage=stage, day=date(2026, 5, 2), entrant=entrant, paid=True)
    replace = partial(
        import_competition, facts=facts_of(small()), league=first.league, by=alice, replace=True
    )

    with pytest.raises(Refused, match=r"1 entry of an attendance list\. Enter 1 to confirm"):
        replace(removes=0)
    assert Presence.objects.count() == 1

    replace(removes=1)
    assert first.audit_entries.last().before["presences"] == 1


def test_a_competition_with_a_sheet_corrected_by_a_ruling_is_replaced():
    first = loaded(small())
    rule_by_sheet(first, user("alice"))

    again = loaded(changed_file(), first.league)

    assert (again.pk, again.disputes.count()) == (first.pk, 0)
    assert [sheet.north for sheet in Sheet.objects.all()] == [19000]


def test_replacing_touches_no_other_competition():
    cast = club()
    cast.add_round()
    cast.record((40000, 35000, 25000, 20000))
    revision = Competition.objects.get(pk=cast.competition.pk).revision
    import_competition(facts=facts_of(small()), league=cast.league, by=cast.alice)

    import_competition(facts=facts_of(changed_file()), league=cast.league, by=cast.alice, replace=True)

    other = Competition.objects.get(pk=cast.competition.pk)
    assert Sheet.objects.filter(table__round__stage=cast.stage).count() == 1
    assert Entrant.objects.filter(competition=other).count() == 8
    assert other.revision == revision


def test_players_whom_a_file_changes_are_logged_in_every_competition_that_shows_them():
    season = played()
    following = season.next()
    page = reverse("standings:players", args=[following.slug])
    file = competition_file(season.competition)
    file["players"][0] |= {"name": "Renamed", "ema_number": "04990017"}
    before, old = Client().get(page).content.decode(), season.entrant("a1").player.name
    entries = following.audit_entries.count()

    loaded(file, season.club.league)

    after = Client().get(page).content.decode()
    assert [old in before, old in after, "Renamed" in after] == [True, False, True]
    assert following.audit_entries.count() == entries + 1
    entry = last_entry(following)
    assert (entry.action, entry.target) == ("player.update", f"player:{season.player('a1')}")
    assert entry.after["changed"] == ["name", "numbers"]
    assert verify_chain(following).broken_at is None


def test_a_file_that_changes_no_player_touches_no_other_season():
    season = played()
    following = season.next()
    before = revision(following)

    loaded(competition_file(season.competition), season.club.league)

    assert revision(following) == before


def fail(count: int) -> None:
    raise RuntimeError("the power went out")


def test_an_import_that_fails_leaves_nothing():
    with pytest.raises(RuntimeError):
        import_competition(facts=facts_of(small()), league=None, by=None, progress=fail)

    assert (Competition.objects.count(), Player.objects.count(), Table.objects.count()) == (0, 0, 0)
    assert not AuditEntry.objects.exists()


def test_a_replacement_that_fails_at_its_end_leaves_no_draft():
    first = loaded(small())

    def fail(instance, **_facts):
        if instance.pk == first.pk:
            raise RuntimeError("the disk is full")

    post_save.connect(fail, sender=Competition)
    try:
        with pytest.raises(RuntimeError, match="full"):
            import_competition(facts=facts_of(changed_file()), league=None, by=None, replace=True)
    finally:
        post_save.disconnect(fail, sender=Competition)

    assert list(Competition.with_drafts.all()) == [first]


def test_a_replacement_that_fails_leaves_everything_as_it_was():
    first = loaded(small())

    with pytest.raises(RuntimeError):
        import_competition(
            facts=facts_of(changed_file()), league=first.league, by=None, replace=True, progress=fail
        )

    assert Competition.objects.get().name == "Small"
    assert Sheet.objects.get().north == 20000
    assert Penalty.objects.count() == 1


def test_the_same_upload_sent_twice_is_imported_once():
    cast = club()
    form = Sent.of(uuid.uuid4(), "the file")
    import_competition(facts=facts_of(small()), league=cast.league, by=cast.alice, form=form)

    with pytest.raises(AlreadyDone) as done:
        import_competition(facts=facts_of(small()), league=cast.league, by=cast.alice, form=form)

    assert done.value.answer == {"competition": Competition.objects.get(slug="small").pk}
    assert AuditEntry.objects.filter(competition__slug="small").count() == 1


def test_who_imports_a_sheet_has_entered_it_and_cannot_confirm_it():
    file = small()
    table_of(file)["status"] = "entered"

    competition = import_competition(facts=facts_of(file), league=None, by=user("alice"))

    sheet = Sheet.objects.get(table__round__stage__division__competition=competition)
    assert (sheet.status, sheet.entered_by, sheet.confirmed_at) == ("entered", user("alice"), None)


def test_many_tables_come_in_a_number_of_queries_that_grows_with_chunks_only(django_assert_max_num_queries):
    file = small()
    rounds = file["divisions"][0]["stages"][0]["rounds"]
    for number in range(2, 302):
        rounds.append(
            copy.deepcopy(rounds[0])
            | {"number": number, "tables": [table(1, ["p1", "p2", "p3", "p4"], [30000] * 4)]}
        )
    seen = []

    with django_assert_max_num_queries(130):  # with savepoints, and a look at the job each time
        import_competition(facts=facts_of(file), league=None, by=None, progress=seen.append)

    assert sum(seen) == Table.objects.count() == 301
