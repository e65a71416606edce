"""Evidence of a dispute: notes and photographs, kept where nothing serves them, forgotten when refused."""

import io
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Dispute, Evidence, Role
from league.play.disputes.services import MOST_PHOTOGRAPHS, add_evidence, open_dispute, take_step
from tests.factories import Club, club, with_texts
from tests.module_fixtures import module_fixture
from tests.pictures import SECRET, bomb, picture, taken_at_a_place

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


@pytest.fixture
def dispute(spring) -> Dispute:
    return open_dispute(table=spring.table(), subject="Was it called?", by=spring.bob)


def files() -> list[Path]:
    return [path for path in Path(settings.EVIDENCE_DIR).rglob("*") if path.is_file()]


@pytest.fixture(autouse=True)
def _nothing_left_behind():
    before = set(files())
    yield
    for path in set(files()) - before:
        path.unlink()


def test_a_note_is_kept(spring, dispute):
    kept = add_evidence(dispute=dispute, note=" The wall was short. ", by=spring.bob)
    assert (kept.note, bool(kept.file), kept.created_by) == ("The wall was short.", False, spring.bob)
    entry = with_texts(AuditEntry.objects.get(action="evidence.add"))
    assert (entry.target, entry.after) == (f"dispute:{dispute.pk}", {"note": "The wall was short."})


def test_a_photograph_is_kept_outside_everything_that_is_served(spring, dispute):
    kept = add_evidence(dispute=dispute, photograph=io.BytesIO(taken_at_a_place()), by=spring.bob)

    path = Path(kept.file.path)
    assert path.is_relative_to(settings.EVIDENCE_DIR)
    assert not path.is_relative_to(settings.STATIC_ROOT)
    assert not any(path.is_relative_to(folder) for folder in settings.STATICFILES_DIRS)
    content = path.read_bytes()
    assert (kept.content_type, kept.size) == ("image/jpeg", len(content))
    assert SECRET not in content
    assert path.stat().st_mode & 0o077 == 0  # the server's alone


class AsSent(SimpleUploadedFile):
    """An upload with a name that no browser sends."""

    name = ""  # in the place of a property that cleans it


@pytest.mark.parametrize(
    "name", ["../../x.png", "/etc/passwd", "a\\..\\b.jpg", "x.png/../../y.jpg", "evil.html"]
)
def test_what_the_file_is_called_does_not_matter(spring, dispute, name):
    sent = AsSent(name, picture("PNG"), content_type="text/html")

    kept = add_evidence(dispute=dispute, photograph=sent, by=spring.bob)

    path = Path(kept.file.path)
    assert path.parent == Path(settings.EVIDENCE_DIR) / str(dispute.pk)
    assert path.suffix == ".jpg"
    uuid.UUID(path.stem)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "Enter a note or choose a photograph"),
        ({"note": " "}, "Enter a note or choose a photograph"),
        ({"photograph": bomb}, "too many pixels"),
        ({"photograph": b"<html>"}, "JPEG, PNG or WebP"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(spring, dispute, options, sentence):
    before = files()
    if "photograph" in options:
        content = options["photograph"]
        options = {"photograph": io.BytesIO(content() if callable(content) else content)}
    with pytest.raises(Refused, match=sentence):
        add_evidence(dispute=dispute, by=spring.bob, **options)
    assert files() == before
    assert Evidence.objects.count() == 0


def test_a_dispute_holds_twelve_photographs_and_more_notes(spring, dispute):
    for _ in range(MOST_PHOTOGRAPHS):
        add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=spring.bob)
    before = files()
    with pytest.raises(Refused, match="at most 12 photographs"):
        add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=spring.bob)
    assert files() == before
    add_evidence(dispute=dispute, note="There were more.", by=spring.bob)
    assert Evidence.objects.count() == MOST_PHOTOGRAPHS + 1


def test_when_the_database_refuses_the_file_goes_too(spring, dispute):
    before = files()
    with pytest.raises(ValueError, match="unsaved related object"):
        add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=User(username="nobody"))
    assert files() == before
    assert Evidence.objects.count() == 0


def test_the_same_form_twice_keeps_one_file(spring, dispute):
    form = Sent.of(uuid.uuid4(), "photograph")
    kept = add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=spring.bob, form=form)
    before = files()
    with pytest.raises(AlreadyDone) as again:
        add_evidence(dispute=dispute, photograph=io.BytesIO(picture()), by=spring.bob, form=form)
    assert again.value.answer == {"evidence": kept.pk}
    assert files() == before


def test_a_closed_matter_takes_no_evidence(spring, dispute):
    take_step(dispute=dispute, kind="preliminary", decided="It stands.", by=spring.bob)
    take_step(dispute=dispute, kind="resumed", closes=True, by=spring.bob)
    with pytest.raises(Refused, match="closed"):
        add_evidence(dispute=dispute, note="But!", by=spring.bob)


def test_who_plays_at_the_table_gives_what_they_have_to_a_referee(spring, dispute):
    Role.objects.create(
        competition=spring.competition, user=spring.bob, kind=Role.Kind.PLAYER, player=spring.players[0]
    )
    with pytest.raises(Refused, match="Players of this table cannot add evidence"):
        add_evidence(dispute=dispute, note="I saw it.", by=spring.bob)
