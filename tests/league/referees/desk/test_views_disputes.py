"""The pages of a dispute, the effects of its ruling, its evidence, and its readers."""

import uuid
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import FileResponse
from django.test import Client
from django.urls import reverse

from league.core.errors import Refused
from league.models import Dispute, Evidence, Penalty, Role, Round, Sheet
from league.play.disputes.photographs import MOST_BYTES
from league.play.disputes.services import open_dispute, take_step
from league.play.rounds.services import close_round, delete_round, seat_players, set_visibility
from league.referees.penalties.services.hands import set_hand
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club, sheet_id, signed_in, user
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture
from tests.pictures import SECRET, noise, picture, taken_at_a_place
from tests.shown import text

pytestmark = pytest.mark.django_db

MEETING = "We doubt that East tells the truth."


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record((45000, 25000, 20000, 30000))
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


@pytest.fixture
def dora(spring) -> Client:
    """Dora plays at the first table."""
    role = Role.objects.get(competition=spring.competition, user=spring.dora)
    role.player = spring.players[1]
    role.save()
    return signed_in(spring.dora)


def sent(**typed: object) -> dict[str, object]:
    return {"key": uuid.uuid4()} | typed


def new_address(made: Club, number: int = 1) -> str:
    return reverse("disputes:new", args=(made.slug, made.table(number=number).pk))


def opened(made: Club, number: int = 1, **options) -> Dispute:
    options = {"subject": "Was it called in time?", "by": made.bob} | options
    return open_dispute(table=made.table(number=number), **options)


def ruled(made: Club, number: int = 1) -> Dispute:
    return take_step(dispute=opened(made, number), kind="preliminary", decided="It was.", by=made.bob)


def at_the_end(made: Club) -> Dispute:
    dispute = ruled(made)
    for kind, texts in (
        ("objection", {"said": "I saw it otherwise."}),
        ("meeting", {"said": MEETING}),
        ("final", {"decided": "It was not."}),
    ):
        dispute = take_step(dispute=dispute, kind=kind, by=made.alice, **texts)
    return dispute


def address(dispute: Dispute, page: str = "") -> str:
    return f"/c/{dispute.competition.slug}/disputes/{dispute.pk}/{page}"


# --- opening


@pytest.mark.parametrize(("language", "words"), [("ja", "続ける"), ("zh-hant", "繼續"), ("zh-hans", "继续")])
def test_an_open_dispute_is_continued_in_every_language(spring, bob, language, words):
    dispute = opened(spring)
    bob.cookies["django_language"] = language

    page = bob.get(new_address(spring))

    assert f'<a href="{address(dispute)}">{words}</a>' in page.content.decode()


def test_a_referee_opens_a_dispute_from_the_tables_page(spring, bob):
    page = bob.get(reverse("results:table", args=(spring.slug, spring.table().pk)))
    assert f'href="{new_address(spring)}"' in page.content.decode()

    form = sent(subject="Was it called in time?", hand="E3", honba="1")
    answer = bob.post(new_address(spring), form, follow=True)

    dispute = Dispute.objects.get()
    assert answer.redirect_chain == [(address(dispute), 302)]
    assert (dispute.hand, dispute.subject, dispute.created_by) == (
        "E3.1",
        "Was it called in time?",
        spring.bob,
    )
    assert "East 3, honba 1" in text(answer)
    assert bob.post(new_address(spring), form).url == address(dispute)  # sent twice, opened once
    assert Dispute.objects.count() == 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"subject": ""}, "Describe what happened."),
        ({"subject": "a\u202eb"}, "invisible control character"),
        ({"hand": "W1"}, "Select a valid choice"),
        ({"honba": "-1"}, "greater than or equal to 0"),
        ({"honba": "100"}, "less than or equal to 99"),
        ({"key": "x"}, "out of date"),
    ],
)
def test_a_bad_form_comes_back_with_what_was_typed(spring, bob, changed, sentence):
    form = sent(subject="Was it called?", hand="E1", honba="0") | changed
    answer = bob.post(new_address(spring), form)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert Dispute.objects.count() == 0


def test_a_table_with_an_open_dispute_leads_to_it(spring, bob):
    dispute = opened(spring)
    for page in (
        bob.get(new_address(spring)),
        bob.post(new_address(spring), sent(subject="Again", hand="E1", honba="0")),
        bob.get(reverse("results:table", args=(spring.slug, spring.table().pk))),
    ):
        assert address(dispute) in page.content.decode()
    assert Dispute.objects.count() == 1


def test_a_final_ruling_about_the_hand_is_shown_and_asked_about(spring, bob, dora):
    set_hand(table=spring.table(), hand="E1.0", by=spring.bob)
    ruled = opened(spring)
    for kind in ("preliminary", "objection", "meeting", "final"):
        take_step(dispute=ruled, kind=kind, said="heard", decided=f"The {kind} call stands.", by=spring.bob)
    form = {"subject": "And the riichi?", "hand": "E1", "honba": "0"}

    for client in (bob, dora):
        page = client.get(new_address(spring))
        assert "Final ruling, East 1, honba 0" in text(page)
        assert "The final call stands." in text(page)
        assert "The meeting call stands." not in text(page)
    answer = bob.post(new_address(spring), sent(**form))

    assert answer.status_code == 422
    assert "is not open to objection" in text(answer)
    assert Dispute.objects.count() == 1
    assert bob.post(new_address(spring), sent(**form, despite="on")).status_code == 302
    assert Dispute.objects.count() == 2


def test_a_table_without_a_ruling_is_not_asked_about_one(spring, bob):
    assert "despite" not in bob.get(new_address(spring)).content.decode()


def test_who_may_open_a_dispute(spring, dora):
    assert dora.get(new_address(spring)).status_code == 200
    assert dora.get(new_address(spring, 2)).status_code == 403
    assert signed_in(spring.charlie).get(new_address(spring, 2)).status_code == 200
    assert signed_in(user("mallory")).get(new_address(spring)).status_code == 403
    visitor = Client().get(new_address(spring))
    assert visitor.status_code == 302
    form = sent(subject="Was it called?", hand="E1", honba="0")
    assert dora.post(new_address(spring, 2), form).status_code == 403
    assert dora.post(new_address(spring), form).url == address(Dispute.objects.get())


# --- the steps


def test_the_matter_is_walked_through_to_its_end(spring, bob):
    dispute = opened(spring)
    alice = signed_in(spring.alice)
    for client, kind, typed in (
        (bob, "preliminary", {"said": "East: yes.\r\nSouth: no.", "decided": "It was."}),
        (bob, "resumed", {}),
        (alice, "objection", {"said": "South objects."}),
        (alice, "meeting", {"said": MEETING}),
        (bob, "final", {"decided": "It was not."}),
    ):
        page = client.get(address(dispute)).content.decode()
        assert f'action="{address(dispute, f"step/{kind}/")}"' in page
        answer = client.post(address(dispute, f"step/{kind}/"), sent(**typed), follow=True)
        assert answer.redirect_chain == [(address(dispute), 302)]
    page = text(answer)
    assert "East: yes." in page
    assert "Dispute closed. Play continues." in page
    assert "Next step" not in page
    dispute.refresh_from_db()
    assert (dispute.step, dispute.steps.count()) == ("final", 6)
    assert dispute.steps.get(kind="preliminary").said == "East: yes.\nSouth: no."


def test_play_resumes_and_the_matter_is_closed_with_one_tick(spring, bob):
    dispute = ruled(spring)
    answer = bob.post(address(dispute, "step/resumed/"), sent(closes="on"), follow=True)
    assert "Dispute closed" in text(answer)
    dispute.refresh_from_db()
    assert dispute.closed_at is not None


def test_a_matter_is_closed_later_when_no_player_objects(spring, bob):
    dispute = take_step(dispute=ruled(spring), kind="resumed", by=spring.bob)
    assert address(dispute, "close/") in bob.get(address(dispute)).content.decode()
    answer = bob.post(address(dispute, "close/"), sent(), follow=True)
    assert "Dispute closed without an objection." in text(answer)
    again = bob.post(address(dispute, "close/"), sent())
    assert again.status_code == 422
    assert "This dispute was closed without an objection" in text(again)


@pytest.mark.parametrize("typed", [{}, {"decided": " \n "}, {"decided": "a\0b"}, {"decided": "x" * 2001}])
def test_a_step_that_is_refused_comes_back_with_what_was_typed(spring, bob, typed):
    dispute = opened(spring)
    answer = bob.post(address(dispute, "step/preliminary/"), sent(said="East says: in time.") | typed)
    assert answer.status_code == 422
    assert "East says: in time." in text(answer)
    assert 'aria-invalid="true"' in answer.content.decode()
    assert dispute.steps.count() == 1


def test_a_step_that_does_not_exist_is_not_found(spring, bob):
    assert bob.post(address(opened(spring), "step/verdict/"), sent()).status_code == 404


@pytest.mark.parametrize("page", ["step/preliminary/", "close/", "evidence/"])
def test_what_changes_something_takes_only_post_and_leads_to_the_dispute(spring, bob, page):
    found = opened(spring)
    answer = bob.get(address(found, page))
    assert (answer.status_code, answer.url) == (303, address(found))


def test_who_may_rule(spring, dora):
    dispute = opened(spring)
    ruling = sent(decided="It was.")
    for person, status in (
        (signed_in(spring.charlie), 403),
        (dora, 403),
        (signed_in(user("mallory")), 403),
        (Client(), 302),
    ):
        assert person.post(address(dispute, "step/preliminary/"), ruling).status_code == status
        assert person.post(address(dispute, "close/"), sent()).status_code == status
        page = person.get(address(dispute))
        assert address(dispute, "step/") not in page.content.decode()
    assert dispute.steps.count() == 1


def test_a_referee_who_plays_at_the_table_only_objects(spring, bob):
    dispute = ruled(spring)
    Role.objects.create(
        competition=spring.competition, user=spring.bob, kind=Role.Kind.PLAYER, player=spring.players[0]
    )
    page = bob.get(address(dispute))
    assert "You are playing at this table. Another referee must decide." in text(page)
    assert address(dispute, "step/objection/") in page.content.decode()
    assert address(dispute, "step/resumed/") not in page.content.decode()
    assert bob.post(address(dispute, "step/resumed/"), sent()).status_code == 403
    assert bob.post(address(dispute, "close/"), sent()).status_code == 422
    assert bob.post(address(dispute, "evidence/"), sent(note="x")).status_code == 403
    bob.post(address(dispute, "step/objection/"), sent(said="No."))
    assert [(s.kind, s.created_by) for s in dispute.steps.all()][2:] == [("objection", spring.bob)]


# --- who reads what


def test_the_players_of_the_table_read_the_rulings_but_not_what_the_referees_keep(spring, bob, dora):
    dispute = at_the_end(spring)
    Evidence.objects.create(
        dispute=dispute, note="a torn tile", created_by=spring.bob, created_at=dispute.created_at
    )
    inside, outside = text(bob.get(address(dispute))), text(dora.get(address(dispute)))
    for shown in ("Was it called in time?", "It was.", "I saw it otherwise.", "It was not."):
        assert shown in inside
        assert shown in outside
    for kept in (MEETING, "a torn tile"):
        assert kept in inside
        assert kept not in outside
    assert "The referees met. The discussion is not published." in outside


def test_a_referee_who_plays_there_reads_what_the_players_read(spring, bob):
    dispute = at_the_end(spring)
    assert MEETING in text(bob.get(address(dispute)))
    Role.objects.create(
        competition=spring.competition, user=spring.bob, kind=Role.Kind.PLAYER, player=spring.players[0]
    )
    assert MEETING not in text(bob.get(address(dispute)))


def test_outsiders_do_not_find_a_dispute(spring, bob):
    autumn = club("autumn")
    autumn.add_round()
    here, there = at_the_end(spring), opened(autumn)
    assert Client().get(address(here)).status_code == 302
    assert signed_in(user("mallory")).get(address(here)).status_code == 403
    assert signed_in(spring.dora).get(address(here)).status_code == 403  # plays nowhere
    assert bob.get(f"/c/{spring.slug}/disputes/{there.pk}/").status_code == 404
    for page in ("step/preliminary/", "close/", "evidence/", "revoke/1/"):
        assert bob.post(f"/c/{spring.slug}/disputes/{there.pk}/{page}", sent()).status_code == 404


def test_what_is_disputed_at_a_table_is_not_on_its_public_page(spring, client, bob):
    dispute = at_the_end(spring)
    page = client.get(reverse("results:table", args=(spring.slug, spring.table().pk))).content.decode()
    assert "Was it called" not in page
    assert "/disputes/" not in page
    assert (
        address(dispute)
        in bob.get(reverse("results:table", args=(spring.slug, spring.table().pk))).content.decode()
    )


def test_a_player_of_a_round_that_was_hidden_again_does_not_find_it(spring, dora):
    dispute = at_the_end(spring)
    assert dora.get(address(dispute)).status_code == 200
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.HIDDEN, by=spring.alice)
    assert dora.get(address(dispute)).status_code == 404


# --- the list


def test_the_list_shows_the_open_ones_first(spring, bob):
    closed, waiting = at_the_end(spring), opened(spring, 2, subject="Whose turn was it?")
    page = bob.get(reverse("disputes:index", args=(spring.slug,))).content.decode()
    assert page.index(address(waiting)) < page.index(address(closed))
    for person in (spring.dora, user("mallory")):
        assert signed_in(person).get(reverse("disputes:index", args=(spring.slug,))).status_code == 403
    assert signed_in(spring.charlie).get(reverse("disputes:index", args=(spring.slug,))).status_code == 200


def test_without_a_dispute_the_list_says_where_one_begins(spring, bob):
    assert "No disputes yet" in text(bob.get(reverse("disputes:index", args=(spring.slug,))))


def test_one_dispute_and_three_take_the_same_number_of_queries(spring, bob):
    spring.add_players(4)
    spring.add_round()
    list_address = reverse("disputes:index", args=(spring.slug,))
    bob.get(list_address)
    counts = []
    for number in (1, 2, 3):
        open_dispute(table=spring.table(2, number), subject="y", by=spring.alice)
        counts.append(queries_of(bob, list_address))
    assert counts == [counts[0]] * 3


def test_a_long_story_takes_the_queries_of_a_short_one(spring, bob):
    dispute = opened(spring)
    bob.get(address(dispute))

    take_step(dispute=dispute, kind="preliminary", decided="It was.", by=spring.bob)
    log_late(spring, dispute=dispute)
    one = queries_of(bob, address(dispute))
    for _ in range(2):
        log_late(spring, dispute=dispute)
        Evidence.objects.create(
            dispute=dispute, note="x", created_by=spring.bob, created_at=dispute.created_at
        )
    take_step(dispute=dispute, kind="resumed", by=spring.bob)
    assert queries_of(bob, address(dispute)) == one


# --- what a ruling changes


def log_late(made: Club, **options) -> Penalty:
    options = {"by": made.bob, "score": -80, "reason": "late"} | options
    return log_penalty(stage=made.stage, table=made.table(), player_id=made.players[1].pk, **options)


def test_a_ruling_revokes_a_penalty_and_both_say_so(spring, bob):
    penalty = log_late(spring)
    dispute = opened(spring)
    assert "revoke/" not in bob.get(address(dispute)).content.decode()
    take_step(dispute=dispute, kind="preliminary", decided="It was.", by=spring.bob)

    page = bob.get(address(dispute)).content.decode()
    assert address(dispute, f"revoke/{penalty.pk}/") in page
    answer = bob.post(address(dispute, f"revoke/{penalty.pk}/"), sent(reason="it was in time"), follow=True)

    assert answer.redirect_chain == [(address(dispute), 302)]
    penalty.refresh_from_db()
    assert (penalty.revoked_by, penalty.revoke_reason, penalty.revoked_in) == (
        spring.bob,
        "it was in time",
        dispute,
    )
    assert "penalty revoked" in text(answer)
    table = bob.get(reverse("results:table", args=(spring.slug, spring.table().pk))).content.decode()
    assert f'href="{address(dispute)}">revoked by a ruling' in table


def test_a_ruling_changes_a_penalty_by_revoking_it_and_logging_another(spring, bob):
    penalty, dispute = log_late(spring), ruled(spring)
    form = sent(reason="too hard", another="1")
    answer = bob.post(address(dispute, f"revoke/{penalty.pk}/"), form)
    entrant = spring.competition.entrants.get(player=spring.players[1]).pk
    assert answer.url == (
        f"/c/spring/penalties/new/?table={spring.table().pk}&player={entrant}&dispute={dispute.pk}"
    )
    penalty.refresh_from_db()
    assert penalty.revoked_in == dispute


def test_a_penalty_is_not_revoked_without_a_reason_or_twice(spring, bob):
    penalty, dispute = log_late(spring), ruled(spring)
    page = address(dispute, f"revoke/{penalty.pk}/")
    empty = bob.post(page, sent(reason=""))
    assert (empty.status_code, "Give a reason for revoking the penalty." in text(empty)) == (422, True)
    bob.post(page, sent(reason="in time"))
    twice = bob.post(page, sent(reason="in time"))
    assert (twice.status_code, "has already been revoked" in text(twice)) == (422, True)


def test_a_penalty_of_another_table_or_competition_is_left_alone(spring, bob):
    autumn = club("autumn")
    autumn.add_round()
    there = log_late(autumn)
    elsewhere = log_penalty(
        stage=spring.stage,
        table=spring.table(number=2),
        player_id=spring.players[4].pk,
        score=-80,
        reason="late",
        by=spring.bob,
    )
    dispute = ruled(spring)
    assert bob.post(address(dispute, f"revoke/{there.pk}/"), sent(reason="x")).status_code == 404
    refused = bob.post(address(dispute, f"revoke/{elsewhere.pk}/"), sent(reason="x"))
    assert (refused.status_code, "about another table" in text(refused)) == (422, True)
    assert not Penalty.objects.filter(revoked_at__isnull=False).exists()


SHEET = {"number": "1", "sticks": "0", "east": "430", "south": "270", "west": "200"}


def corrected(made: Club) -> dict[str, object]:
    seated = "-".join(str(pk) for pk in made.table().seats.values_list("player_id", flat=True))
    seen = sheet_id(made.table())
    return sent(**SHEET, based_on=seen, north="300", seated=seated, reason="the ruling")


def test_a_ruling_corrects_the_sheet_and_both_say_so(spring):
    alice, dispute = signed_in(spring.alice), at_the_end(spring)
    correct = f"{reverse('results:correct', args=(spring.slug, spring.table().pk))}?dispute={dispute.pk}"
    assert correct in alice.get(address(dispute)).content.decode()
    page = alice.get(correct).content.decode()
    assert f'action="{correct}"' in page
    assert "A ruling requires this correction" in page

    answer = alice.post(correct, corrected(spring), follow=True)

    assert answer.redirect_chain == [(address(dispute), 302)]
    assert Sheet.objects.get(version=2).dispute == dispute
    assert "43,000 / 27,000 / 20,000 / 30,000" in text(answer)
    table = alice.get(reverse("results:table", args=(spring.slug, spring.table().pk))).content.decode()
    assert f'href="{address(dispute)}">by the ruling of a dispute' in table


def test_two_who_correct_one_sheet_keep_the_ruling(spring):
    """The page that shows both sheets sends the chosen one on as the ruling's."""
    alice, dispute = signed_in(spring.alice), at_the_end(spring)
    correct = f"{reverse('results:correct', args=(spring.slug, spring.table().pk))}?dispute={dispute.pk}"
    form = corrected(spring)
    alice.post(correct.partition("?")[0], form | {"key": uuid.uuid4(), "east": "440", "south": "260"})
    conflict = alice.post(correct, form)
    assert conflict.status_code == 409
    assert f'action="{correct}"' in conflict.content.decode()


def test_a_ruling_voids_a_result(spring):
    alice, dispute = signed_in(spring.alice), at_the_end(spring)
    void = f"{reverse('results:void', args=(spring.slug, spring.table().pk))}?dispute={dispute.pk}"
    assert void in alice.get(address(dispute)).content.decode()
    answer = alice.post(void, sent(based_on=sheet_id(spring.table()), reason="wrong walls"), follow=True)
    assert answer.redirect_chain == [(address(dispute), 302)]
    sheet = Sheet.objects.get(is_current=True)
    assert (sheet.status, sheet.dispute) == ("void", dispute)
    assert "result voided" in text(answer)


@pytest.mark.parametrize("name", ["results:correct", "results:void"])
@pytest.mark.parametrize("named", ["x", "-1", "99999", "9" * 30, "٣"])
def test_a_sheet_is_not_changed_by_a_dispute_that_is_not_there(spring, name, named):
    page = reverse(name, args=(spring.slug, spring.table().pk))
    assert signed_in(spring.alice).get(f"{page}?dispute={named}").status_code == 404


def test_a_sheet_is_not_changed_by_the_dispute_of_another_table(spring):
    dispute = ruled(spring, 2)
    correct = f"{reverse('results:correct', args=(spring.slug, spring.table().pk))}?dispute={dispute.pk}"
    answer = signed_in(spring.alice).post(correct, corrected(spring))
    assert (answer.status_code, "about another table" in text(answer)) == (422, True)
    assert Sheet.objects.count() == 1


def test_in_a_closed_round_the_page_says_who_can_open_it(spring):
    dispute = at_the_end(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    page = signed_in(spring.alice).get(address(dispute))
    assert "?dispute=" not in page.content.decode()
    assert "The round is closed, so its score sheets cannot be changed" in text(page)


def test_a_disputed_table_is_neither_deleted_nor_seated_away(spring):
    spring.add_round()
    open_dispute(table=spring.table(2, 2), subject="x", by=spring.bob)
    with pytest.raises(Refused, match="A round with a dispute cannot be deleted"):
        delete_round(round_=spring.rounds[1], by=spring.alice)
    four = [player.pk for player in spring.players[:4]]
    with pytest.raises(Refused, match="Table 2 has a dispute"):
        seat_players(round_=spring.rounds[1], tables={1: four}, by=spring.alice)
    assert Dispute.objects.count() == 1


# --- evidence


def photograph(content: bytes = b"", name: str = "table.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content or taken_at_a_place(), content_type="image/jpeg")


def test_a_photograph_is_kept_and_shown_to_the_staff_alone(spring, bob, dora):
    dispute = opened(spring)
    form = sent(photograph=photograph(), note="the wall")
    answer = bob.post(address(dispute, "evidence/"), form, follow=True)
    assert answer.redirect_chain == [(address(dispute), 302)]
    kept = Evidence.objects.get()
    shown = reverse("disputes:evidence", args=(spring.slug, kept.pk))
    assert f'src="{shown}"' in answer.content.decode()

    picture_ = bob.get(shown)

    assert isinstance(picture_, FileResponse)
    content = b"".join(picture_.streaming_content)
    assert content[:3] == b"\xff\xd8\xff"
    assert SECRET not in content
    headers = {
        name: picture_[name] for name in ("Content-Type", "X-Content-Type-Options", "Content-Disposition")
    }
    assert headers == {
        "Content-Type": "image/jpeg",
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": f'inline; filename="evidence-{kept.pk}.jpg"',
    }
    assert {"no-store", "private"} <= set(picture_["Cache-Control"].split(", "))
    assert signed_in(spring.charlie).get(shown).status_code == 200
    for person, status in ((dora, 403), (signed_in(user("mallory")), 403), (Client(), 302)):
        assert person.get(shown).status_code == status
    Path(kept.file.path).unlink()


def test_a_photograph_of_several_megabytes_is_kept(spring, bob):
    """Django hands it on as a file on disk, not from memory."""
    dispute, large = opened(spring), noise(1_200)
    assert len(large) > 4_000_000
    bob.post(address(dispute, "evidence/"), sent(photograph=photograph(large)))
    assert Evidence.objects.get().size > 100_000


def test_a_referee_who_plays_there_does_not_see_the_photographs(spring, bob):
    dispute = opened(spring)
    bob.post(address(dispute, "evidence/"), sent(photograph=photograph()))
    shown = reverse("disputes:evidence", args=(spring.slug, Evidence.objects.get().pk))
    assert bob.get(shown).status_code == 200
    Role.objects.create(
        competition=spring.competition, user=spring.bob, kind=Role.Kind.PLAYER, player=spring.players[0]
    )
    assert bob.get(shown).status_code == 403


def test_nothing_serves_the_folder_of_the_photographs(spring, bob):
    dispute = opened(spring)
    bob.post(address(dispute, "evidence/"), sent(photograph=photograph()))
    name = Evidence.objects.get().file.name
    for place in (f"/{name}", f"/media/{name}", f"/static/{name}", f"/static/../evidence/{name}"):
        assert bob.get(place).status_code == 404


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (
            SimpleUploadedFile("a.heic", b"\0\0\0\x18ftypheic" + b"\0" * 50),
            "Most browsers cannot show HEIC photographs",
        ),
        (SimpleUploadedFile("a.gif", picture("GIF")), "Photographs must be JPEG, PNG or WebP"),
        (SimpleUploadedFile("a.jpg", b"<script>alert(1)</script>"), "Photographs must be JPEG, PNG or WebP"),
        (SimpleUploadedFile("a.jpg", b""), "This file is empty."),
        (SimpleUploadedFile("a.jpg", b"\xff" * (MOST_BYTES + 1)), "This photograph is larger than 10 MB"),
        (None, "Enter a note or choose a photograph."),
    ],
    ids=["heic", "gif", "html", "empty", "large", "nothing"],
)
def test_unusable_evidence_is_refused_with_what_to_do(spring, bob, file, sentence):
    dispute = opened(spring)
    form = sent(note="") | ({"photograph": file} if file else {})
    answer = bob.post(address(dispute, "evidence/"), form)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert Evidence.objects.count() == 0


def test_the_same_form_keeps_one_photograph_and_another_photograph_is_refused(spring, bob):
    dispute, form = opened(spring), sent(note="the wall")
    for _ in range(2):
        bob.post(address(dispute, "evidence/"), form | {"photograph": photograph()})
    assert Evidence.objects.count() == 1
    other = bob.post(address(dispute, "evidence/"), form | {"photograph": photograph(picture("PNG"))})
    assert (
        other.status_code,
        "This form was already submitted with different content, which was saved" in text(other),
    ) == (422, True)
    assert Evidence.objects.count() == 1


def test_who_hands_in_evidence(spring, dora):
    dispute = opened(spring)
    signed_in(spring.charlie).post(address(dispute, "evidence/"), sent(note="I saw it."))
    assert Evidence.objects.get().created_by == spring.charlie
    assert dora.post(address(dispute, "evidence/"), sent(note="I too.")).status_code == 403
    assert Evidence.objects.count() == 1


def test_a_note_has_no_photograph_and_a_lost_one_is_not_found(spring, bob):
    dispute = opened(spring)
    bob.post(address(dispute, "evidence/"), sent(note="a note"))
    bob.post(address(dispute, "evidence/"), sent(photograph=photograph()))
    note, lost = Evidence.objects.order_by("pk")
    Path(lost.file.path).unlink()
    for each in (note, lost):
        assert bob.get(reverse("disputes:evidence", args=(spring.slug, each.pk))).status_code == 404


def test_a_closed_matter_shows_its_evidence_and_takes_no_more(spring, bob):
    dispute = opened(spring)
    bob.post(address(dispute, "evidence/"), sent(note="a torn tile"))
    for kind in ("preliminary", "resumed"):
        take_step(dispute=dispute, kind=kind, decided="x", closes=True, by=spring.bob)
    page = bob.get(address(dispute))
    assert "a torn tile" in text(page)
    assert address(dispute, "evidence/") not in page.content.decode()
    late = bob.post(address(dispute, "evidence/"), sent(note="late"))
    assert (late.status_code, "A closed dispute accepts no further evidence" in text(late)) == (422, True)
