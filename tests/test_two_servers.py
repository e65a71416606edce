"""Two machines of Umaoka, here two servers with folders of their own, on one PostgreSQL and one Redis, behind
nginx with the cache of deploy/nginx-two.conf. All are the real programs.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import redis
from django.conf import settings

from league.organizing.competitions.services import update_competition
from league.play.rounds.services import set_visibility
from tests.factories import Club, club, signed_in
from tests.places import SERVER, new_place
from tests.proxies import NO_CHECK, running_nginx, running_redis
from tests.served import served

PROGRAMS = ("nginx", "redis-server")
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.both_databases,
    pytest.mark.slow,
    pytest.mark.skipif(
        not SERVER.startswith("postgres"), reason="two machines need a PostgreSQL: python -m tests.postgres"
    ),
    pytest.mark.skipif(
        not all(map(shutil.which, PROGRAMS)), reason=f"not all of {', '.join(PROGRAMS)} are on this machine"
    ),
]
PAGE, SECRET = "/c/spring/", "77,700"
KEPT_SECONDS = 2.1  # nginx counts whole seconds


@dataclass
class Page:
    status: int
    text: str
    headers: dict[str, str]


@dataclass
class Machines:
    """The club on them, the proxy, the two servers and the Redis, of which each can be stopped."""

    spring: Club
    proxy: str
    servers: tuple[str, str]
    redis: subprocess.Popen[bytes]
    home: Path

    def get(self, address: str, **headers: str) -> Page:
        try:
            answer = urlopen(Request(f"{self.proxy}{address}", headers=headers), timeout=30, context=NO_CHECK)
        except HTTPError as error:
            answer = error
        with answer:
            return Page(answer.status, answer.read().decode(), dict(answer.headers))

    def made(self) -> int:
        """Return the number of visitors' pages in Redis."""
        cache = redis.from_url(f"redis://127.0.0.1:{self.redis.args[2]}/0")
        return sum(b":page:" in key for key in cache.scan_iter())

    def asked(self, page: str) -> int:
        """Return how often Umaoka itself answered for the page of this name."""
        logs = ((self.home / name / "server.log").read_text() for name in ("one", "other"))
        return sum(log.count(f"GET {page} ") for log in logs)


@pytest.fixture
def here(tmp_path, settings) -> Iterator[Machines]:
    settings.SECRET_KEY = "for-benchmarks-only"  # as the servers have it
    with ExitStack() as stack:
        place = stack.enter_context(new_place(tmp_path))
        assert place.run("migrate", "--verbosity", 0).returncode == 0
        stack.enter_context(place.entered())
        spring = club("spring")
        spring.add_round()
        spring.record((45_000, 35_000, 25_000, 15_000))
        cache, server = stack.enter_context(running_redis(tmp_path))
        urls = []
        for name in ("one", "other"):
            home = tmp_path / name
            home.mkdir()
            own = {"TRUSTED_PROXIES": "1", "WEB_CONCURRENCY": "1", "EVIDENCE_DIR": str(place.photographs)}
            own |= {"SHARED_CACHE": cache}
            urls.append(stack.enter_context(served(home, database=place.url, **own)))
        nets = [url.removeprefix("http://") for url in urls]
        places = {"10.0.0.1:8000": nets[0], "10.0.0.2:8000": nets[1]}
        proxy = stack.enter_context(running_nginx(tmp_path, "nginx-two.conf", places))
        yield Machines(spring, proxy, (urls[0], urls[1]), server, tmp_path)


def cookie_of(person: object) -> dict[str, str]:
    name = settings.SESSION_COOKIE_NAME
    return {"Cookie": f"{name}={signed_in(person).cookies[name].value}"}


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_visitors_get_the_kept_page_and_after_a_second_it_is_asked_for_again(here):
    first = here.get(PAGE)
    pages = [here.get(PAGE) for _ in range(10)]

    assert {page.text for page in pages} == {first.text}
    assert "X-Accel-Expires" not in first.headers
    assert first.headers["Cache-Control"] == "private, no-cache"
    time.sleep(KEPT_SECONDS)
    assert here.get(PAGE).text == first.text
    until(lambda: here.asked("standings:competition 304") == 1)  # the log is written after the answer
    assert here.asked("standings:competition 200") == 1

    here.spring.record((20_000, 30_000, 31_000, 39_000), number=2)
    time.sleep(KEPT_SECONDS)
    assert "2 tables counted" in here.get(PAGE).text
    assert "Standings" in first.text
    assert here.get(PAGE, **{"Accept-Language": "ja"}).text != first.text

    update_competition(
        competition=here.spring.competition, values={"visibility": "private"}, by=here.spring.alice
    )
    time.sleep(KEPT_SECONDS)
    with ThreadPoolExecutor(8) as pool:
        assert {page.status for page in pool.map(here.get, [PAGE] * 24)} == {404}


def test_a_page_of_a_person_is_never_kept_and_a_hidden_round_never_shown(here):
    here.spring.add_round(visibility="hidden")
    here.spring.record((77_700, 22_300, 11_100, 8_900), round_number=2)
    alice = cookie_of(here.spring.alice)

    for _ in range(3):
        own = here.get(PAGE, **alice)
        assert here.spring.alice.get_username() in own.text
        assert SECRET in own.text
        visitor = here.get(PAGE)
        assert here.spring.alice.get_username() not in visitor.text
        assert SECRET not in visitor.text
    assert here.get(PAGE, **alice, **{"If-None-Match": own.headers["ETag"]}).status in (200, 304)
    kept = b"".join(path.read_bytes() for path in (here.home / "cache").rglob("*") if path.is_file())
    assert b"GET" in kept or b"KEY: " in kept
    assert b"csrfmiddlewaretoken" not in kept
    assert SECRET.encode() not in kept

    set_visibility(round_=here.spring.rounds[1], visibility="results", by=here.spring.alice)
    until(lambda: SECRET in here.get(PAGE).text)
    set_visibility(round_=here.spring.rounds[1], visibility="hidden", by=here.spring.alice)
    assert SECRET not in here.get(PAGE, Cookie="any=one").text  # asks Umaoka
    time.sleep(KEPT_SECONDS)
    with ThreadPoolExecutor(8) as pool:
        assert not [page for page in pool.map(here.get, [PAGE] * 24) if SECRET in page.text]


def test_each_machine_sends_what_the_other_made_and_goes_on_alone(here):
    sent = [urlopen(Request(f"{url}{PAGE}", headers={"Host": "localhost"})).read() for url in here.servers]
    assert sent[0] == sent[1]
    assert here.made() == 1

    here.redis.send_signal(signal.SIGKILL)
    for _ in range(4):
        assert here.get(PAGE, Cookie="any=one").status == 200

    os.killpg(master_at(here.home / "one"), signal.SIGKILL)
    for _ in range(6):
        assert here.get(PAGE, Cookie="any=one").status == 200


def master_at(home: Path) -> int:
    """The process group of the server with this folder."""
    wanted = f"SERVED_FROM={home}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                return os.getpgid(int(process.name))
        except OSError:
            continue
    raise LookupError(home)
