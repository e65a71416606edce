"""Threads take turns, and give theirs up while they wait for a process."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

from league.core.turns import let_others, take_turn


def test_one_thread_has_the_turn_at_a_time():
    inside, most = [], []

    def work() -> None:
        with take_turn():
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    with ThreadPoolExecutor(8) as pool:
        for job in [pool.submit(work) for _ in range(200)]:
            job.result()

    assert set(most) == {1}


def test_a_thread_that_waits_lets_others_go_on_and_takes_its_turn_again():
    waits, done, said = Event(), Event(), []

    def wait() -> None:
        with take_turn():
            with let_others():
                waits.set()
                done.wait(20)
            said.append("waited")

    def go_on() -> None:
        waits.wait(20)
        with take_turn():
            said.append("went on")
            done.set()

    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(wait), pool.submit(go_on)]:
            job.result()

    assert said == ["went on", "waited"]


def test_without_a_turn_nothing_is_given_up():
    both = Barrier(2, timeout=20)

    def wait() -> None:
        with let_others():
            both.wait()

    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(wait), pool.submit(wait)]:
            job.result()
