"""Lists in files that mean harm: a workbook is read apart, and text takes little more than its size."""

import subprocess
import sys

import pytest

from league.core.apart import ROOT
from league.roster.imports import read_list
from players.roster import read_roster
from tests.players.test_files import with_parts

OF_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def bomb(element: str) -> bytes:
    """A small workbook whose styles unpack to 15 MB, below what a workbook may; openpyxl makes an object of
    each of its elements.
    """
    times = 15_000_000 // len(element)
    styles = f'<styleSheet xmlns="{OF_SHEETS}"><cellXfs>{element * times}</cellXfs></styleSheet>'
    return with_parts({"xl/styles.xml": styles})


# In a process of its own: the peak of a process counts what the one that started it had taken.
READ = """
import resource, sys
import django
django.setup()
from league.roster.imports import read_list
from players.files import Unreadable
def peak(of): return resource.getrusage(of).ru_maxrss
data, before = sys.stdin.buffer.read(), peak(resource.RUSAGE_SELF)
try:
    read_list(data, encoding="")
except Unreadable as refusal:
    print(refusal)
print(peak(resource.RUSAGE_SELF) - before, peak(resource.RUSAGE_CHILDREN))
"""


@pytest.mark.parametrize("element", ["<xf/>", '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'])
def test_a_workbook_that_unpacks_to_gigabytes_is_refused_and_takes_nothing_from_the_server(element):
    data = bomb(element)

    done = subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, input=data, stdout=subprocess.PIPE, check=True
    )

    refusal, peaks = done.stdout.decode().splitlines()
    taken_here, taken_apart = map(int, peaks.split())  # kB
    assert len(data) < 56_000
    assert "This workbook is too large when unpacked" in refusal
    assert taken_here < 50_000
    assert taken_apart < 300_000


def test_a_workbook_is_read_apart_as_it_is_read_here():
    assert read_list(with_parts({}), encoding="").text == "Zoë\n"


def test_a_list_of_a_million_lines_is_read_up_to_the_first_too_many():
    (problem,) = read_roster("a\n" * 1_000_000).problems
    assert problem.code == "too_many"
