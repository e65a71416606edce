"""An import in progress: invisible, cancelled, or killed, and never in the way of others."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.changes import Change
from league.core.errors import OutOfDate, Refused
from league.models import (
    AuditEntry,
    Competition,
    Division,
    Entrant,
    ImportJob,
    League,
    OwnCatalogue,
    RuleSet,
    Seat,
    Sheet,
    Table,
)
from league.organizing.audit_log.queries import verify_chain
from league.organizing.interchange.schema import CompetitionFacts
from league.organizing.interchange.services import competition_file, drafts
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.interchange.services.drafts import (
    Cancelled,
    begin_draft,
    cancel_import,
    remove_abandoned,
)
from league.organizing.interchange.services.writing import Writer
from league.organizing.roster.queries import club_names, people
from league.organizing.roster.services.merging import merge_players
from league.organizing.roster.services.roster import remove_entrant
from league.people.register.services import PlayerValues
from league.play.bans.services import set_ban
from players.models import Club as PlayersClub
from players.models import Player, Register
from tests.factories import club, signed_in, user
from tests.league.organizing.interchange.files import facts_of, loaded, random_file, small, table_of
from tests.seeds import seeds

pytestmark = pytest.mark.django_db
KINDS = (Competition._base_manager, League, Register, Player, PlayersClub, Entrant, Division, RuleSet, Table)
KINDS = (*KINDS, Seat, Sheet, OwnCatalogue, AuditEntry)


def counts() -> list[int]:
    """Return the numbers of rows, drafts included."""
    return [getattr(kind, "_base_manager", kind).count() for kind in KINDS]


def file_with_a_club() -> dict:
    file = small()
    file["players"][0]["club"] = "雀莊"
    return file


def watched(check: Callable[[], object], **options) -> Competition:
    """An import during which ``check`` is called once its table is written."""
    return import_competition(progress=lambda count: check(), **options)


def test_no_one_sees_a_competition_that_is_being_written():
    here = club()
    alice = signed_in(here.alice)
    before = [person.pk for person in people(here.competition)]

    def check() -> None:
        assert Table.objects.filter(round__stage__division__competition__is_draft=True).count() == 1
        assert list(Competition.objects.all()) == [here.competition]
        assert list(here.league.competitions.all()) == [here.competition]
        assert [person.pk for person in people(here.competition)] == before
        assert "雀莊" not in club_names(here.competition)
        assert alice.get("/c/small/").status_code == 404
        for address in ("/", reverse("competitions:league", args=["spring"])):
            assert "Small" not in alice.get(address).content.decode()
            assert Client().get("/").status_code == 200

    made = watched(check, facts=facts_of(file_with_a_club()), league=here.league, by=here.alice)

    assert (made.is_draft, alice.get("/c/small/").status_code) == (False, 200)
    assert len(people(here.competition)) == len(before) + 4
    assert "雀莊" in club_names(here.competition)
    assert [entry.action for entry in made.audit_entries.all()] == ["competition.import"]


def test_a_competition_stays_as_it_is_until_the_file_that_replaces_it_is_whole():
    first = loaded(file_with_a_club())
    table = Table.objects.get()
    changed = file_with_a_club() | {"name": "Mended"}
    changed["players"][0] |= {"name": "陳小文", "ema_number": "7", "club": ""}

    def check() -> None:
        assert Competition.objects.get().name == "Small"
        assert first.entrants.get(key="p1").player.name == "陳大文"
        assert Table.objects.filter(round__stage__division__competition=first).get() == table

    again = watched(check, facts=facts_of(changed), league=first.league, by=None, replace=True)

    assert (again.pk, again.name) == (first.pk, "Mended")
    player = again.entrants.get(key="p1").player
    assert (player.name, player.club, player.federation_numbers.get().number) == ("陳小文", None, "7")
    assert not Table.objects.filter(pk=table.pk).exists()
    assert not Competition.with_drafts.filter(is_draft=True).exists()
    assert verify_chain(again).broken_at is None


@pytest.mark.parametrize("seed", seeds(3))
def test_a_cancelled_import_leaves_nothing(seed):
    loaded(random_file(seed))
    before, league = counts(), League.objects.get()
    changed = random_file(seed)
    for each, target in ((random_file(seed + 10), None), (random_file(seed + 10), league), (changed, league)):
        job = ImportJob(league=target)

        with pytest.raises(Cancelled):
            import_competition(
                facts=facts_of(each),
                league=target,
                by=None,
                replace=target is not None,
                job=job,
                progress=lambda count, job=job: cancel_import(job=job),
            )

        assert counts() == before


def write_and_die(facts: CompetitionFacts, league: League | None) -> Competition:
    """Leave a draft as a process does that was killed before it published."""
    draft = begin_draft(facts, league, job=None, progress=drafts.nobody_watches)
    Writer(draft, facts, Change(draft.competition, None, timezone.now()), {}).write()
    return draft.competition


@pytest.mark.parametrize("in_a_league", [True, False])
def test_what_a_killed_import_left_is_removed_once_it_is_silent(in_a_league):
    here = club()
    before = counts()
    left = write_and_die(facts_of(random_file(1)), here.league if in_a_league else None)

    assert remove_abandoned() == 0  # its process may still be at work

    then = timezone.now() - drafts.SILENCE - timedelta(seconds=1)
    Competition.with_drafts.filter(pk=left.pk).update(created_at=then)
    ImportJob.objects.update(seen_at=then)
    assert remove_abandoned() == 1
    assert counts() == before


def test_a_process_killed_while_it_removed_a_draft_leaves_no_one_in_the_register(monkeypatch):
    here = club()
    known = len(people(here.competition))
    left = write_and_die(facts_of(random_file(2)), here.league)
    monkeypatch.setattr(drafts, "ROWS", 3)
    calls = []

    def stop(draft: Competition) -> bool:
        calls.append(remove(draft))
        return len(calls) < 2

    remove = drafts._remove_entrants
    monkeypatch.setattr(drafts, "_remove_entrants", stop)
    monkeypatch.setattr(Competition.with_drafts, "filter", lambda **_: Competition._base_manager.none())
    drafts.discard(left)

    assert left.entrants.exists()
    assert len(people(here.competition)) == known


def test_two_people_are_not_merged_while_a_file_that_names_one_is_imported():
    first = loaded(small())
    keep, gone = first.entrants.values_list("player", flat=True)[:2]
    values = PlayerValues(name="One")
    refusals = []

    def check() -> None:
        with pytest.raises(Refused, match="is being imported") as refused:
            merge_players(competition=first, keep=keep, gone=gone, values=values, by=owner)
        refusals.append(refused.value)

    owner = club().alice
    first.league.owners.add(owner)
    file = small()
    file["divisions"][0]["stages"][0]["rounds"][0]["tables"] = [table_of(small())]
    Seat.objects.all().delete()
    watched(check, facts=facts_of(file), league=first.league, by=None, replace=True)

    assert len(refusals) == 1


def unseated_file() -> dict:
    """A fifth player sits out the only round."""
    file = small()
    file["players"].append({"id": "p5", "name": "Newcomer"})
    file["divisions"][0]["stages"][0]["rounds"][0]["sitting_out"] = ["p5"]
    return file


def remove_fifth(competition: Competition) -> Player:
    """Takes the fifth player of the file out of the competition."""
    fifth = competition.entrants.get(key="p5")
    remove_entrant(competition=competition, entrant_id=fifth.pk, by=competition.league.owners.get())
    return fifth.player


@pytest.mark.parametrize("banned", [False, True])
def test_a_player_who_is_removed_while_they_are_replaced_leaves_the_register_with_the_draft(banned):
    first = import_competition(facts=facts_of(unseated_file()), league=None, by=user("alice"))
    removed = []

    def check() -> None:
        if banned:
            since, by = timezone.now().date(), user("alice")
            player = first.entrants.get(key="p5").player_id
            set_ban(competition=first, player_id=player, since=since, until=None, reason="x", by=by)
        removed.append(remove_fifth(first))
        assert Player.objects.filter(pk=removed[0].pk).exists()

    with pytest.raises(OutOfDate, match="Import it again"):
        watched(check, facts=facts_of(unseated_file()), league=first.league, by=None, replace=True)

    assert Player.objects.filter(pk=removed[0].pk).exists() == banned
    assert not Competition.with_drafts.filter(is_draft=True).exists()


def test_a_player_is_removed_while_a_draft_that_was_replaced_still_names_them(monkeypatch):
    first = import_competition(facts=facts_of(unseated_file()), league=None, by=user("alice"))
    with monkeypatch.context() as patch:
        patch.setattr(competition_file, "discard", lambda draft: None)  # killed before it
        loaded(unseated_file(), first.league)

    fifth = remove_fifth(first)

    assert Player.objects.filter(pk=fifth.pk).exists()
    assert not first.entrants.filter(key="p5").exists()


def test_players_that_change_while_they_are_replaced_end_the_import():
    first = loaded(small())
    before = counts()

    def check() -> None:
        first.entrants.filter(key="p1").update(key="other")

    with pytest.raises(OutOfDate, match="Import it again"):
        watched(check, facts=facts_of(small()), league=first.league, by=None, replace=True)

    assert counts() == before
    assert Competition.objects.get().revision == first.revision


def test_an_address_that_is_taken_while_the_file_is_written_is_refused():
    here = club("spring")

    def check() -> None:
        Competition.objects.filter(pk=here.competition.pk).update(slug="small")

    with pytest.raises(Refused, match="Another competition has this address"):
        watched(check, facts=facts_of(small()), league=here.league, by=None)

    assert not Competition.with_drafts.filter(is_draft=True).exists()


@pytest.mark.django_db(transaction=True)
def test_other_people_save_while_a_file_is_written():
    here = club()
    here.add_round()
    saved = []

    def save() -> None:
        saved.append(here.record((40_000, 35_000, 25_000, 20_000)).version)
        connection.close()

    def check() -> None:
        assert not connection.in_atomic_block
        if not saved:
            thread = threading.Thread(target=save)
            thread.start()
            thread.join()

    watched(check, facts=facts_of(small()), league=here.league, by=here.alice)

    assert saved == [1]
