"""The four commands: what they print, one line a problem on stderr, and status 1."""

import io
import json
import os
import pty
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import openpyxl
import pytest
from django.conf import settings
from django.core.management import call_command, load_command_class
from django.utils import timezone
from tqdm import tqdm

from league.management.lines import bar_options
from league.models import AuditEntry, Competition, League, Round, Table
from league.organizing.audit_log.queries import head_code
from league.organizing.competitions.services import create_league
from league.play.calls.services import call_referee
from players.models import Player
from tests.factories import club, user
from tests.league.organizing.interchange.files import DATA, encoded, small, table_of

pytestmark = pytest.mark.django_db

SEASON = str(DATA / "mleague-2018-19.json")


@pytest.fixture
def run(capsys):
    """`run(name, …)`: status, stdout and stderr of a command."""

    def ran(*words: str) -> tuple[int, str, str]:
        status = 0
        try:
            call_command(*words)
        except SystemExit as ended:
            status = int(str(ended.code))
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


@pytest.fixture
def file(tmp_path: Path):
    """`file(content)`: the path of a file that holds it."""

    def written(content: object) -> str:
        path = tmp_path / "competition.json"
        path.write_bytes(content if isinstance(content, bytes) else encoded(content))
        return str(path)

    return written


@pytest.mark.slow
def test_a_file_is_imported_and_exported_and_imported_again(run, file):
    assert run("import_competition", SEASON) == (
        0,
        "mleague-2018-19: imported. 21 players, 106 rounds, 106 tables, 106 sheets, 0 penalties.\n",
        "",
    )
    status, first, errors = run("export_competition", "mleague-2018-19")
    assert (status, errors) == (0, "")

    assert run("import_competition", file(first.encode()), "--replace")[0] == 0

    assert run("export_competition", "mleague-2018-19")[1] == first


def test_every_problem_has_its_line_and_nothing_is_saved(run, file):
    content = small()
    content["name"] = ""
    table_of(content)["seats"][1]["points"] = 1

    status, said, errors = run("import_competition", file(content))

    assert (status, said) == (1, "")
    assert [line.partition(": ")[0] for line in errors.splitlines()] == [
        "name",
        "divisions[0].stages[0].rounds[0].tables[0].seats[1].points",
        "divisions[0].stages[0].rounds[0].tables[0].seats",
    ]
    assert not Competition.objects.exists()
    assert not Player.objects.exists()


def test_a_dry_run_saves_nothing(run, file):
    status, said, errors = run("import_competition", file(small()), "--dry-run")

    assert (status, errors) == (0, "")
    assert "Nothing was saved" in said
    assert not Competition.objects.exists()
    assert not League.objects.exists()


def test_a_slug_that_exists_is_refused_unless_replace(run, file):
    path = file(small())
    run("import_competition", path)

    for words in (("import_competition", path), ("import_competition", path, "--dry-run")):
        status, said, errors = run(*words)
        assert (status, said, len(errors.splitlines())) == (1, "", 1)
        assert errors.startswith("slug: “small” already exists.")
        assert "--replace" in errors

    assert run("import_competition", path, "--replace")[0] == 0
    assert [entry.action for entry in AuditEntry.objects.order_by("sequence")] == [
        "competition.import",
        "competition.replace",
    ]


def test_a_finished_competition_is_not_replaced_and_a_dry_run_says_so(run, file):
    path = file(small())
    run("import_competition", path)
    Competition.objects.update(finished_at=timezone.now())

    for words in (("--replace",), ("--replace", "--dry-run")):
        status, said, errors = run("import_competition", path, *words)
        assert (status, said, len(errors.splitlines())) == (1, "", 1)
        assert errors.startswith("This competition is finished.")


def test_the_command_prints_what_no_file_brings_back(run, file):
    path = file(small())
    run("import_competition", path)
    table = Table.objects.get()
    Round.objects.update(status="open")
    call_referee(table=table, note="", by=user("alice"))

    said = run("import_competition", path, "--replace", "--dry-run")[1]
    assert said.splitlines()[0] == "Not in the file: 1 calls would be removed."
    said = run("import_competition", path, "--replace")[1]
    assert said.splitlines()[0] == "Not in the file: 1 calls were removed."


def test_a_file_goes_into_the_league_and_to_the_owner_that_are_named(run, file):
    create_league(name="Club", slug="club", by=None)
    user("alice")

    assert run("import_competition", file(small()), "--league", "club", "--owner", "alice")[0] == 0

    assert Competition.objects.get().league.slug == "club"
    assert AuditEntry.objects.get().actor == user("alice")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("import_competition", "/no/such/file.json"), "/no/such/file.json: No such file or directory"),
        (("import_competition", "/"), "/: Is a directory"),
        (("import_competition", SEASON, "--league", "none"), "There is no league “none”."),
        (("import_competition", SEASON, "--owner", "none"), "There is no user “none”."),
        (("export_competition", "none"), "There is no competition “none”."),
        (("export_standings", "none", "--format", "json"), "There is no competition “none”."),
        (("export_results", "none", "--format", "json"), "There is no competition “none”."),
        (
            ("export_standings", "spring", "--division", "b"),
            "There is no division “b” in spring. Choose from: main.",
        ),
        (("export_results", "spring", "--division", "b"), "There is no division “b” in spring."),
        (("export_standings", "spring", "--stage", "final"), "There is no stage “final” in spring."),
        (
            ("export_standings", "spring", "--format", "pdf"),
            "There is no format “pdf”. Choose from: json, csv, xlsx.",
        ),
        (("export_results", "spring", "--format", "pdf"), "There is no format “pdf”."),
        (("export_competition", "spring", "--output", "/no/such/place"), "/no/such/place: No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_1(run, words, line):
    club()

    status, said, errors = run(*words)

    assert (status, said, len(errors.splitlines())) == (1, "", 1)
    assert errors.startswith(line)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("import_competition",), "the following arguments are required: FILE"),
        (("import_competition", SEASON, "--merge"), "unrecognized arguments: --merge"),
        (("import_competition", SEASON, "--league"), "argument --league: expected one argument"),
        (("export_standings", "spring", "final"), "unrecognized arguments: final"),
    ],
)
def test_words_that_a_command_does_not_take_are_one_line_and_status_1(capsys, words, line):
    with pytest.raises(SystemExit) as ended:
        load_command_class("league", words[0]).run_from_argv(["manage.py", *words])

    said = capsys.readouterr()
    assert (ended.value.code, said.out, len(said.err.splitlines())) == (1, "", 1)
    assert said.err.startswith(line)


def test_the_help_of_a_command_ends_with_status_0(capsys):
    with pytest.raises(SystemExit) as ended:
        load_command_class("league", "import_competition").run_from_argv(["manage.py", "", "--help"])

    assert ended.value.code == 0
    assert "--dry-run" in capsys.readouterr().out


def test_standings_are_those_of_the_first_division_and_the_stage_of_its_page(run, file):
    content = small()
    final = json.loads(json.dumps(content["divisions"][0]["stages"][0])) | {"slug": "final"}
    content["divisions"][0]["stages"].append(final)
    content["penalties"] = []
    run("import_competition", file(content))

    shown = json.loads(run("export_standings", "small", "--format", "json")[1])
    asked = json.loads(run("export_standings", "small", "--stage", "regular", "--division", "main")[1])

    assert (shown["division"], shown["stage"]) == ("main", "final")
    assert (asked["division"], asked["stage"]) == ("main", "regular")


def test_hidden_rounds_are_exported_only_when_all_is_asked(run):
    cast = club()
    cast.add_round(visibility="hidden")
    cast.record((40000, 35000, 25000, 20000))

    published = [
        json.loads(run(name, "spring")[1])["rows"] for name in ("export_standings", "export_results")
    ]
    everything = [
        json.loads(run(name, "spring", "--all")[1])["rows"] for name in ("export_standings", "export_results")
    ]

    assert [row["games"] for row in published[0]] == [0] * 8
    assert published[1] == []
    assert sum(row["games"] for row in everything[0]) == 4
    assert len(everything[1]) == 8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["export_standings", "export_results"])
def test_each_format_is_written_to_a_file(run, tmp_path, name):
    run("import_competition", SEASON)
    paths = {form: tmp_path / f"out.{form}" for form in ("json", "csv", "xlsx")}

    said = [
        run(name, "mleague-2018-19", "--format", form, "--output", str(path)) for form, path in paths.items()
    ]

    assert said == [(0, "", "")] * 3
    rows = len(json.loads(paths["json"].read_text(encoding="utf-8"))["rows"])
    assert rows == {"export_standings": 21, "export_results": 424}[name]
    assert len(paths["csv"].read_text(encoding="utf-8-sig").splitlines()) == rows + 1
    assert openpyxl.load_workbook(paths["xlsx"]).worksheets[0].max_row == rows + 1


def test_a_workbook_goes_to_standard_output_that_is_not_a_terminal(capfdbinary):
    club()

    call_command("export_standings", "spring", "--format", "xlsx")

    book = openpyxl.load_workbook(io.BytesIO(capfdbinary.readouterr().out))
    assert book.worksheets[0].max_row == 9


def test_a_caller_may_give_a_stream_of_text():
    made = club()
    stream = io.StringIO()

    call_command("export_results", "spring", "--format", "json", stdout=stream)

    about = {"competition": "spring", "audit_log": head_code(made.competition)}
    assert json.loads(stream.getvalue()) == about | {"rows": []}


@pytest.mark.slow
def test_the_file_may_come_from_standard_input_of_a_real_process(tmp_path, migrated):
    """The whole way: a process of its own, bytes in and out, whatever the terminal can show."""
    shutil.copy(migrated, tmp_path / "db.sqlite3")
    env = {
        "PATH": "/usr/bin:/bin",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "SECRET_KEY": "for this test",
        "LC_ALL": "C",
        "PYTHONIOENCODING": "ascii",
    }

    def manage(*words: str, content: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(
            command, input=content, env=env, cwd=settings.BASE_DIR, capture_output=True, check=False
        )

    imported = manage("import_competition", "-", content=encoded(small()))
    exported = manage("export_competition", "small")
    refused = manage("import_competition", "-", content=b"[" * 100_000)

    assert (imported.returncode, imported.stderr) == (0, b"")
    assert (exported.returncode, exported.stderr) == (0, b"")
    assert "陳大文" in exported.stdout.decode()
    assert (refused.returncode, refused.stdout, refused.stderr.count(b"\n")) == (1, b"", 1)


def test_the_bar_is_drawn_in_a_terminal_that_does_not_say_its_size(monkeypatch):
    master, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        with tqdm(total=2, **bar_options()) as bar:
            bar.update(2)
        monkeypatch.undo()
    drawn = b""
    with suppress(OSError):  # all is read, and the terminal is closed
        while more := os.read(master, 10_000):
            drawn += more
    os.close(master)
    assert b"2/2" in drawn
