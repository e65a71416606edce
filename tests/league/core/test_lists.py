"""Lists in files that mean harm: a workbook is read apart, and text takes little more than its size."""

import base64
import subprocess
import sys

import pytest

from league.core.apart import ROOT
from league.core.files.lists import read_list
from players.roster import read_roster
from tests.players.test_files import with_parts

OF_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def bomb(element: str) -> bytes:
    """Return a small workbook whose styles unpack to 15 MB, of which openpyxl makes an object per element."""
    times = 15_000_000 // len(element)
    styles = f'<styleSheet xmlns="{OF_SHEETS}"><cellXfs>{element * times}</cellXfs></styleSheet>'
    return with_parts({"xl/styles.xml": styles})


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
    bombs = [bomb("<xf/>"), bomb('<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>')]
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


def test_a_workbook_is_read_apart_as_it_is_read_here():
    assert read_list(with_parts({}), encoding="").text == "Zoë\n"


def test_a_list_of_a_million_lines_is_read_up_to_the_first_too_many():
    (problem,) = read_roster("a\n" * 1_000_000).problems
    assert problem.code == "too_many"
