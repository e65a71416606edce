"""A function in a process of its own: its answer, its exceptions, its limits."""

import resource

import pytest

from league.core import apart
from league.core.apart import Busy, TooHeavy, run_apart, within
from players.files import Text, Unreadable, text_of


def take(megabytes: int) -> int:
    return len(bytearray(megabytes * apart.MEGABYTE))


def work_for_ever() -> None:
    while True:
        pass


def test_the_answer_comes_back_and_so_does_an_exception():
    assert run_apart(text_of, "陳".encode(), megabytes=200, seconds=10) == Text("陳", "utf-8")
    with pytest.raises(Unreadable, match="empty"):
        run_apart(text_of, b" ", megabytes=200, seconds=10)


@pytest.mark.slow
def test_memory_and_time_end_at_their_limits():
    assert run_apart(take, 50, megabytes=400, seconds=10) == 50 * apart.MEGABYTE
    with pytest.raises(TooHeavy):
        run_apart(take, 500, megabytes=400, seconds=10)
    with pytest.raises(TooHeavy):
        run_apart(work_for_ever, megabytes=400, seconds=1)


def test_while_one_file_is_read_others_are_refused_at_once():
    with apart._TURN, pytest.raises(Busy):
        run_apart(take, 1, megabytes=400, seconds=10)

    assert run_apart(take, 1, megabytes=400, seconds=10) == apart.MEGABYTE


def test_a_part_of_a_task_has_a_limit_of_time_of_its_own():
    before = resource.getrlimit(resource.RLIMIT_CPU)

    with within(100):
        assert 100 < resource.getrlimit(resource.RLIMIT_CPU)[0] < 10_000

    assert resource.getrlimit(resource.RLIMIT_CPU) == before
