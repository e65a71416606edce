"""Lists in files that mean harm: a workbook is read apart, and text takes little more than its size."""

import base64
import io
import subprocess
import sys
import zipfile

import pytest

from league.core.apart import ROOT
from league.core.files.lists import read_list
from players.roster import read_roster
from tests.players.test_files import with_parts

SHEET = """<office:document-content
xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">\
<office:body><office:spreadsheet><table:table table:name="A">\
<table:table-row table:number-rows-repeated="{rows}">\
<table:table-cell office:value-type="string" table:number-columns-repeated="{columns}">\
<text:p>{text}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>\
</office:document-content>"""

MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'


def bomb(rows: int, columns: int, text: str = "x") -> bytes:
    """Return a small workbook of one cell that is repeated."""
    out, kind = io.BytesIO(), "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", kind, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", SHEET.format(rows=rows, columns=columns, text=text))
    return out.getvalue()


# In a process of its own, one workbook a line: a peak counts what the process that started it had taken.
READ = """
import base64, resource, sys
import django
django.setup()
from league.core.files.lists import read_list
from players.files import Unreadable
def peak(of): return resource.getrusage(of).ru_maxrss
files, before = sys.stdin.buffer.readlines(), peak(resource.RUSAGE_SELF)
for each in files:
    try:
        read_list(base64.b64decode(each), encoding="")
    except Unreadable as refusal:
        print(refusal)
print(peak(resource.RUSAGE_SELF) - before, peak(resource.RUSAGE_CHILDREN))
"""


@pytest.mark.slow
def test_a_workbook_that_unpacks_to_gigabytes_is_refused_and_takes_nothing_from_the_server():
    bombs = [bomb(1_000, 16_000), bomb(400, 16_000, "x" * 9_000)]
    lines = b"\n".join(map(base64.b64encode, bombs))

    done = subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, input=lines, stdout=subprocess.PIPE, check=True
    )

    *refusals, peaks = done.stdout.decode().splitlines()
    taken_here, taken_apart = map(int, peaks.split())  # kB
    assert max(map(len, bombs)) < 56_000
    assert ["This workbook is too large when unpacked" in refusal for refusal in refusals] == [True, True]
    assert taken_here < 50_000
    assert taken_apart < 300_000


def test_a_workbook_of_repeated_cells_is_read():
    assert read_list(bomb(2, 3), encoding="").text == "x\tx\tx\nx\tx\tx\n"


def test_a_workbook_is_read_apart_as_it_is_read_here():
    assert read_list(with_parts({}), encoding="").text == "Zoë\n"


def test_a_list_of_a_million_lines_is_read_up_to_the_first_too_many():
    (problem,) = read_roster("a\n" * 1_000_000).problems
    assert problem.code == "too_many"
