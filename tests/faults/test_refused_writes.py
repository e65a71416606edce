"""A database that takes no write: a page says so, nothing is lost, and the same form is saved afterwards."""

import io
from contextlib import contextmanager
from dataclasses import dataclass
from resource import RLIMIT_FSIZE, setrlimit

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image

from league.models import AuditEntry, Sheet
from league.organizing.audit_log.queries import verify_chain
from league.organizing.backups.services import make_backup, restore
from league.play.disputes.services import add_evidence, open_dispute
from tests.factories import Club, club, signed_in
from tests.pages.forms import PageForm, forms_of
from tests.places import new_place

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]


@contextmanager
def read_only():
    """As if its files, or the server, were read only."""
    on, off = "PRAGMA query_only = ON", "PRAGMA query_only = OFF"
    if connection.vendor != "sqlite":
        on, off = (f"SET default_transaction_read_only = {value}" for value in ("on", "off"))
    with connection.cursor() as cursor:
        cursor.execute(on)
        yield
        cursor.execute(off)


@contextmanager
def full():
    """As if the disk had no room for one more page of the file."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        yield
        cursor.execute("PRAGMA max_page_count = 1000000")


@pytest.fixture
def hall() -> Club:
    made = club()
    made.add_round()
    return made


@dataclass
class Scorer:
    """Charlie, at the first table: each send is the same filled form until it is saved."""

    hall: Club
    client: Client
    saved: int = 0
    form: PageForm | None = None

    def send(self) -> tuple[int, str]:
        """Status and page."""
        if self.form is None:
            table = self.hall.table()
            address = f"/c/spring/rounds/{table.round_id}/enter/?table=1"
            if self.saved:
                address = f"/c/spring/tables/{table.pk}/correct/"
            forms = forms_of(self.client.get(address).content.decode(), address)
            self.form = next(form for form in forms if "east" in form.fields)
        more = self.saved % 2
        typed = {
            "east": 450 + more,
            "south": 350 - more,
            "west": 250,
            "north": 150,
            "sticks": 0,
            "reason": "x",
        }
        answer = self.client.post(self.form.action, self.form.fields | typed)
        if answer.status_code == 302:
            self.saved, self.form = self.saved + 1, None
        return answer.status_code, answer.content.decode()


@pytest.fixture
def scorer(hall: Club) -> Scorer:
    client = signed_in(hall.charlie)
    client.raise_request_exception = False
    return Scorer(hall, client)


def assert_refused_in_words(answer: tuple[int, str]) -> None:
    assert answer[0] == 503
    assert "The server cannot save right now" in answer[1]
    assert "Its disk is full, or its database does not answer" in answer[1]


def assert_nothing_is_half(scorer: Scorer) -> None:
    assert Sheet.objects.count() == scorer.saved
    assert AuditEntry.objects.filter(action="result.record").count() == scorer.saved
    assert verify_chain(scorer.hall.competition).broken_at is None


def test_a_read_only_database_shows_pages_and_says_that_it_cannot_save(scorer):
    with read_only():
        assert Client().get("/c/spring/").status_code == 200
        assert_refused_in_words(scorer.send())
        assert_nothing_is_half(scorer)

    assert scorer.send()[0] == 302
    assert_nothing_is_half(scorer)


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL's files are its own")
def test_a_full_disk_saves_nothing_by_halves(scorer):
    with full():
        while (answer := scorer.send())[0] == 302:  # until the rows need one more page
            assert scorer.saved < 500
        assert_refused_in_words(answer)
        assert_nothing_is_half(scorer)

    assert scorer.send()[0] == 302
    assert_nothing_is_half(scorer)


@pytest.fixture
def small_files():
    """What a command runs with that may write no file beyond 40 kB; SQLite's index of its log has 32."""
    return {"preexec_fn": lambda: setrlimit(RLIMIT_FSIZE, (40_000, 40_000))}


def add_photograph(hall: Club) -> None:
    """One of some 100 kB, which cannot be compressed."""
    noise = io.BytesIO()
    Image.effect_noise((400, 400), 100).save(noise, "JPEG", quality=95)
    dispute = open_dispute(table=hall.table(), subject="Was it called?", by=hall.bob)
    add_evidence(dispute=dispute, photograph=io.BytesIO(noise.getvalue()), by=hall.bob)


def test_a_backup_on_a_full_disk_leaves_no_file_and_says_why(tmp_path, hall, small_files):
    add_photograph(hall)
    with new_place(tmp_path) as place:
        make_backup(tmp_path / "kept.zip", at=timezone.now())
        with place.entered():
            restore(tmp_path / "kept.zip", replace=False, at=timezone.now())

        done = place.run("backup", tmp_path / "second.zip", **small_files)

    assert done.returncode == 1
    assert done.stderr.startswith("The disk is full")
    assert done.stderr.endswith("No backup was made. Keep the older ones.\n")
    assert [path.name for path in tmp_path.iterdir() if "second" in path.name] == []


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL's files are its own")
def test_a_restore_on_a_full_disk_changes_nothing(tmp_path, hall, small_files):
    add_photograph(hall)
    make_backup(tmp_path / "kept.zip", at=timezone.now())
    with new_place(tmp_path) as place:
        with place.entered():
            restore(tmp_path / "kept.zip", replace=False, at=timezone.now())
        before = place.file.read_bytes()

        done = place.run("restore", "--replace", tmp_path / "kept.zip", **small_files)

        assert done.returncode == 1
        assert done.stderr.endswith("Nothing was changed.\n")
        assert place.file.read_bytes() == before
        assert not list(tmp_path.glob(".*restoring*"))
        assert place.run("verify").returncode == 0
