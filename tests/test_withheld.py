"""What a setting of a competition keeps from visitors is on no page and in no file of theirs.

``WITHHELD`` of ``league/models/publicity.py`` says what each value withholds. Here ``READS`` says how a page
tells each of these facts, and ``here`` makes one of each. Every page of the URL configuration is read.
"""

from collections.abc import Callable, Iterable, Mapping

import pytest

from league.models import Competition, Stage, Table
from league.models.publicity import WITHHELD, Secret
from league.organizing.competitions.services import update_competition
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.hands import phone_at
from tests.module_fixtures import module_fixture
from tests.other_values import values_of
from tests.pages.things import Things, ready_things
from tests.test_hidden_rounds import Page, read

pytestmark = pytest.mark.django_db

SETTINGS = WITHHELD[Competition]
OTHERS = ("visibility", "is_draft")  # hide the whole competition: tests/test_access_matrix.py
REASON, BET = "whistled at the wall", "a bet on table 2"


def holds(words: str, below: str = "/") -> Callable[[str, Page], bool]:
    """Look for the words on pages below this part of an address, but not on those of a phone at a table."""
    return lambda address, page: below in address and "/seat/" not in address and page.holds(words)


READS: Mapping[Secret, Callable[[str, Page], bool]] = {
    Secret.UNCONFIRMED: holds("60.0", "/standings/"),
    Secret.PENALTY_WORDS: holds(REASON),
    Secret.MISCONDUCT: holds(BET),
    Secret.POINTS_IN_PLAY: holds("37,700"),
    Secret.CHANCES: lambda address, page: "/chances/" in address and page.status == 200,
}


@module_fixture
def here() -> Things:
    """Make one of each fact that a setting can withhold."""
    here = ready_things("spring")
    spring = here.club
    spring.competition.penalties.all().delete()
    logged = {"stage": spring.stage, "table": spring.table(), "by": spring.bob}
    log_penalty(player_id=spring.players[1].pk, score=-333, reason=REASON, **logged)
    log_offence(player_id=spring.players[2].pk, infraction="U-1c", condition=0, reason=BET, **logged)
    Stage.objects.filter(pk=spring.stage.pk).update(planned_rounds=4)
    phone = phone_at(Table.objects.get(pk=here.loose_table))
    phone.see()
    phone.press("start", {"points": [37_700, 30_300, 27_100, 24_900], "deposits": 0, "hand": "E2.0"})
    return here


def use(here: Things, values: Mapping[str, object]) -> None:
    update_competition(competition=here.club.competition, values=values, by=here.club.alice)


def showing(*, but: Iterable[str] = ()) -> dict[str, object]:
    """Return a value for each setting that withholds nothing."""
    shown = {
        name: next(each for each in values_of(Competition._meta.get_field(name)) if each not in withholds)
        for name, withholds in SETTINGS.items()
        if name not in OTHERS
    }
    return {name: value for name, value in shown.items() if name not in but}


def found(pages: Mapping[str, Page]) -> dict[Secret, str]:
    """Return the secrets that a reader of these pages learns, with a page that tells each."""
    return {secret: a for secret, reads in READS.items() for a, page in pages.items() if reads(a, page)}


def test_each_secret_has_words_that_this_test_looks_for():
    secrets = {
        secret
        for name, values in SETTINGS.items()
        if name not in OTHERS
        for withheld in values.values()
        for secret in withheld
    }
    missing = secrets - READS.keys()

    assert not missing, (
        f"How does a visitor's page tell {missing}? Say it in READS of tests/test_withheld.py, and make a "
        "fact of this kind in the fixture `here`."
    )


def test_visitors_read_what_no_setting_withholds_and_nothing_else(here):
    use(here, showing())
    assert found(read("visitor", here, [""])).keys() == READS.keys()

    use(here, {name: next(iter(SETTINGS[name])) for name in showing()})

    assert found(read("visitor", here, [""])) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in showing() for value in SETTINGS[name]], ids=str
)
def test_one_setting_withholds_what_it_says(here, name, value):
    use(here, {**showing(but=[name]), name: value})

    read("referee", here, [""])  # nothing made for staff may be kept for others
    for role in ("visitor", "player"):
        assert found(read(role, here, [""])).keys() == READS.keys() - set(SETTINGS[name][value]), role
