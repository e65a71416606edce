"""A function in a process of its own: its answer, its exceptions, its limits."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from league.core import apart
from league.core.apart import Busy, TooHeavy, run_apart
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


def test_memory_and_time_end_at_their_limits():
    assert run_apart(take, 50, megabytes=400, seconds=10) == 50 * apart.MEGABYTE
    with pytest.raises(TooHeavy):
        run_apart(take, 500, megabytes=400, seconds=10)
    with pytest.raises(TooHeavy):
        run_apart(work_for_ever, megabytes=400, seconds=1)


def test_threads_take_turns(monkeypatch):
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(run_apart, take, 1, megabytes=400, seconds=10) for _ in range(2)]
    assert {job.result() for job in jobs} == {apart.MEGABYTE}

    monkeypatch.setattr(apart, "WAIT", 0)
    with apart._TURN, pytest.raises(Busy):
        run_apart(take, 1, megabytes=400, seconds=10)
