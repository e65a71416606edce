"""People are erased, and results and logs stay: no table, file, cache or export still has the name."""

import io
import uuid
from collections.abc import Iterator

import openpyxl
import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import (
    AuditEntry,
    Competition,
    Entrant,
    ImportJob,
    KeptFile,
    League,
    LogText,
    Outgoing,
    Role,
)
from league.organizing.audit_log.queries import check_code, head_code, verify_chain
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.exports.workbook import write_workbook
from league.organizing.personal_data.queries import Names, path_to_league, text_columns
from league.organizing.personal_data.services import close_account, erase_player
from league.people.accounts.services import change_email, note_event
from league.people.members.services import invite
from league.play.bans.services import set_ban
from league.play.disputes.services import add_evidence, open_dispute
from league.play.results.services import record_result
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.log import log_penalty
from players.models import Club as PlayersClub
from players.models import FederationNumber, Player
from tests.factories import Club, as_seen, club, signed_in
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True)]
NAME, ROMANIZED, NUMBER = "鳳凰院凶真", "Hououin Kyouma", "04990017"


@pytest.fixture
def here() -> Club:
    """The first player is named wherever people write."""
    made = club()
    made.add_round()
    player = made.players[0]
    player.name, player.romanized, player.country = NAME, ROMANIZED, "JP"
    player.club = PlayersClub.objects.create(register=player.register, name="Akihabara")
    player.save()
    FederationNumber.objects.create(player=player, federation="EMA", number=NUMBER)
    Entrant.objects.filter(player=player).update(key=f"ema-{NUMBER}")
    made.record((45000, 35000, 25000, 15000))
    record_result(
        **as_seen(made.table()), points=(44000, 36000, 25000, 15000), reason=f"{NAME}の点", by=made.bob
    )
    log_penalty(
        stage=made.stage, player_id=player.pk, score=-20, reason=f"{ROMANIZED} was late.", by=made.bob
    )
    dispute = open_dispute(table=made.table(), subject=f"{ROMANIZED} touched the wall", by=made.bob)
    add_evidence(dispute=dispute, note=f"Seen by {ROMANIZED.upper()}", by=made.bob)
    invite(competition=made.competition, kind="player", note=NAME, by=made.alice)
    set_ban(
        competition=made.competition,
        player_id=player.pk,
        since=made.competition.created_at.date(),
        until=None,
        reason=f"{NAME} again",
        by=made.alice,
    )
    ImportJob.objects.create(
        league=made.competition.league,
        status="refused",
        seen_at=timezone.now(),
        problems=[["players[0]", f"{ROMANIZED} has two clubs."]],
    )
    return made


def cells_with(*names: str) -> list[str]:
    """Every column of every table of the database in which one of the names is found."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.values():
            for column, value in row.items():
                if any(name.casefold() in str(value).casefold() for name in names):
                    found.append(f"{model._meta.label}.{column}")
    return found


def exports(here: Club) -> Iterator[str]:
    """Files and pages as the organizer gets them."""
    competition = Competition.objects.get(pk=here.competition.pk)
    yield competition_json(competition)
    stream = io.BytesIO()
    write_workbook(competition, stream, public=False)
    book = openpyxl.load_workbook(stream, read_only=True)
    yield repr([row for sheet in book for row in sheet.iter_rows(values_only=True)])
    for reader in (signed_in(here.alice), Client()):
        for name, arguments in (
            ("standings:competition", []),
            ("rounds:round", [here.rounds[0].pk]),
            ("results:table", [here.table().pk]),
            ("standings:players", []),
            ("penalties:index", []),
            ("audit_log:index", []),
            ("disputes:index", []),
            ("bans:index", []),
            ("people:index", []),
            ("interchange:results", ["csv"]),
            ("interchange:workbook", []),
        ):
            answer = reader.get(reverse(name, args=[here.slug, *arguments]), follow=True)
            yield repr(b"".join(answer) if answer.streaming else answer.content.decode(errors="replace"))


def test_after_erasure_the_name_is_in_no_table_file_cache_or_export(here):
    player, names = here.players[0], (NAME, ROMANIZED, NUMBER)
    before = [(line.row.player, line.row.total) for line in standings(here.stage, public=False).rows]
    code, entries = head_code(here.competition), AuditEntry.objects.count()
    assert len(cells_with(*names)) >= 12  # there is something to erase
    assert sum(NAME in text for text in exports(here)) > 8

    erase_player(league=here.competition.league, player=player, by=here.alice)

    assert cells_with(*names) == []
    assert not any(name in repr(cache._cache) for name in names)
    assert not KeptFile.objects.exists()
    assert not any(name.casefold() in text.casefold() for text in exports(here) for name in names)
    after = [(line.row.player, line.row.total) for line in standings(here.stage, public=False).rows]
    assert after == before
    assert verify_chain(here.competition).broken_at is None
    report = check_code(here.competition, code)
    assert report
    assert (report.entry is not None, AuditEntry.objects.count()) == (True, entries + 1)
    assert Player.objects.get(pk=player.pk).name == f"#{player.pk}"
    assert f"#{player.pk} was late." in LogText.objects.values_list("text", flat=True)


def test_other_people_and_words_that_hold_the_name_stay(here):
    namesake = Player.objects.create(register=here.players[0].register, name=NAME)
    names = Names.of(["Al", "李", "李小"], "#7")
    assert names.erase("Al said: also 李 and 李小明, AL.") == "#7 said: also 李 and #7明, #7."

    erase_player(league=here.competition.league, player=here.players[0], by=here.alice)

    assert Player.objects.get(pk=namesake.pk).name == NAME


def test_a_player_of_another_league_is_not_erased(here):
    other = club("autumn")
    with pytest.raises(Refused, match="deleted or replaced"):
        erase_player(league=here.competition.league, player=other.players[0], by=here.alice)
    assert Player.objects.get(pk=other.players[0].pk).name == other.players[0].name


def test_the_same_form_erases_once(here):
    form = Sent.of(uuid.uuid4(), "erase")
    erase_player(league=here.competition.league, player=here.players[0], by=here.alice, form=form)
    with pytest.raises(AlreadyDone):
        erase_player(league=here.competition.league, player=here.players[0], by=here.alice, form=form)


def test_every_column_of_text_is_searched_or_is_known_to_hold_no_person():
    known = {
        *("players.Register.name", "players.Club.name", "players.Player.name", "players.Player.romanized"),
        *("players.Player.country", "players.FederationNumber.federation", "players.FederationNumber.number"),
        *("league.League.name", "league.RuleBook.name", "league.OwnCatalogue.name"),
        "league.OwnCatalogue.base",
        *("league.Competition.name", "league.Competition.timezone", "league.Competition.approval_from"),
        *("league.Competition.place", "league.Competition.city", "league.Competition.country"),  # a building
        "league.Competition.short_name",
        "league.Stage.rankings",  # codes
        *("league.Competition.table_key", "league.Division.name", "league.Stage.name", "league.Team.key"),
        *("league.RuleSet.preset", "league.RuleSet.edition", "league.RuleSet.catalogue"),
        *("league.Entrant.key", "league.Table.hand", "league.Sheet.named", "league.SeatingDraft.based_on"),
        "league.Proposal.named",
        *("league.GameLog.digest", "league.GameLog.ref"),
        "league.GameName.name",  # removed with its player
        *("league.Role.feed_key", "league.Invitation.token", "league.Submission.fingerprint"),
        *("league.ApiToken.prefix", "league.ApiToken.digest"),
        *("league.Dispute.hand", "league.Evidence.content_type", "league.Evidence.file"),
        *("league.Penalty.infraction", "league.Penalty.level", "league.Penalty.hand"),
        "league.Penalty.suggested",
        *("league.LogText.digest", "league.LogText.salt", "league.ImportJob.fingerprint"),
        *(f"league.{log}.{column}" for log in ("AuditEntry", "LeagueEntry")
          for column in ("action", "target", "previous_hash", "hash")),
        # Digests, and files that every erasure removes.
        *(f"league.KeptFile.{column}" for column in ("key", "asked", "facts", "refusal")),
        # Of devices and accounts, and codes. Clean-up removes them after two weeks.
        *("league.Claim.device", "league.Signature.device"),  # random numbers of browsers
        # Of a club's channel.
        *(f"league.Webhook.{column}" for column in ("address", "site", "salt")),
        *(f"league.Outgoing.{column}" for column in ("key", "stream", "address", "problem")),
        *(f"league.Channel.{column}" for column in ("address", "p256dh", "auth", "browser")),
        *("league.Channel.language", "league.Channel.site"),
        *("league.SecurityEvent.name", "league.SecurityEvent.browser"),  # of accounts
        # Records of people, erased with their player.
        *(f"league.KnownNumber.{column}" for column in ("number", "name", "country")),
        *(f"league.Registrant.{column}" for column in ("name", "romanized", "email", "language", "country")),
        *(f"league.Registrant.{column}" for column in ("club", "number", "phone", "answer", "note")),
        *("league.BrowserSession.session_data", "league.BrowserSession.browser"),
    }  # fmt: skip
    searched = {f"{m._meta.label}.{column}" for m, columns in text_columns().items() for column in columns}
    every = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model._meta.app_label in {"league", "players"}
        for field in model._meta.local_concrete_fields
        if isinstance(field, models.CharField | models.TextField | models.FileField)
        and not isinstance(field, models.SlugField)
        and not field.choices
        and not field.primary_key
    }
    assert every - searched - known == set()
    assert [model for model in text_columns() if path_to_league(model) is None] == []


# --- accounts


def test_after_an_account_is_closed_its_name_is_in_no_table(here, client):
    person = User.objects.create_user("okabe.rintarou", "okabe@example.org", first_name="Rintarou")
    for kind in ("referee", "scorer"):
        Role.objects.create(competition=here.competition, user=person, kind=kind)
    here.competition.league.owners.add(person)
    log_penalty(
        stage=here.stage, player_id=here.players[1].pk, score=-10, reason="okabe.rintarou saw it", by=person
    )
    note_event("failed", name="Okabe.Rintarou", address="192.0.2.1")
    AccessAttempt.objects.create(username="okabe.rintarou", failures_since_start=1)
    LogEntry.objects.create(user=here.alice, action_flag=2, object_repr="okabe.rintarou")
    browser = signed_in(person)
    entry = AuditEntry.objects.latest("pk")
    change_email(person=person, email="rintarou@example.org")
    assert cells_with("okabe@") == []  # the mail has left
    Outgoing.objects.update(sent_at=None, address="okabe@example.org")  # as if the mail server were away
    assert len(cells_with("okabe.rintarou", "Rintarou")) >= 7

    close_account(user=person)

    assert cells_with("okabe.rintarou", "Rintarou", "okabe@") == []
    person.refresh_from_db()
    assert (person.username, person.is_active, person.has_usable_password()) == (
        f"closed-{person.pk}",
        False,
        False,
    )
    assert not Role.objects.filter(user=person).exists()
    assert not League.objects.filter(owners=person).exists()
    assert AuditEntry.objects.get(pk=entry.pk).actor == person
    assert verify_chain(here.competition).broken_at is None
    assert verify_chain(here.competition.league).broken_at is None
    assert browser.get(reverse("personal_data:own")).status_code == 302


def test_the_only_owner_of_a_league_and_the_only_superuser_stay(here):
    with pytest.raises(Refused, match="the only owner of Club spring"):
        close_account(user=here.alice)
    User.objects.create_superuser("closed", is_active=False)
    with pytest.raises(Refused, match="the only account"):
        close_account(user=User.objects.create_superuser("root"))
    assert User.objects.filter(username__in=[here.alice.username, "root"]).count() == 2


def test_one_of_two_owners_who_close_their_accounts_at_once_stays(here):
    owners = [here.alice, here.bob]
    here.league.owners.set(owners)

    answers = at_once(*(lambda person=person: close_account(user=person) for person in owners))

    assert sorted(map(type, answers), key=str) == [type(None), Refused]
    assert here.league.owners.filter(is_active=True).count() == 1


def test_one_of_two_superusers_who_close_their_accounts_at_once_stays(db):
    people = [User.objects.create_superuser(name) for name in ("root", "second")]

    answers = at_once(*(lambda person=person: close_account(user=person) for person in people))

    assert sorted(map(type, answers), key=str) == [type(None), Refused]
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1
