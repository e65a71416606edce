"""The list of penalties with one of everything: filters, sums, what visitors see, and a player's record."""

import io
import re
from datetime import date
from typing import Any

import openpyxl
import pytest
from django.http import HttpResponse
from django.test import Client

from league.models import Role
from league.organizing.competitions.services import create_competition, update_competition
from league.play.bans.services import lift_ban, set_ban
from league.play.hands.words.penalties import STATES
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.services.decisions import decide_request, revoke_penalty
from league.referees.penalties.services.log import log_offence
from tests.factories import Club, club, signed_in, user
from tests.league.asking import queries_of
from tests.league.referees.penalties.test_views_list import (
    address,
    choices,
    entrant,
    log,
    offence,
    record_url,
    sums,
    text,
)
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    """One of everything: two rounds, two referees, in force, requested, declined and revoked."""
    made = club("spring")
    made.add_round()
    made.record((38_400, 21_600, 40_000, 20_000))
    made.add_round()
    offence(made, 0, "A-II", 1)  # level 4, 8.0
    offence(made, 1, "A-I")  # level 2, 2.0
    log(made, 1, -15, by=made.alice)
    revoke_penalty(penalty=offence(made, 2, "A-II"), reason="a discard", by=made.alice)
    update_competition(competition=made.competition, values={"approval_from": "5"}, by=made.alice)
    made.stage.division.competition.refresh_from_db()
    second = {"table": made.table(2), "approves": False}
    offence(made, 3, "A-XII", 1, **second)
    decide_request(
        verdict="decline",
        penalty=offence(made, 2, "A-XII", 1, **second),
        reason="the wind",
        by=made.alice,
    )
    return made


@pytest.mark.parametrize(
    ("query", "scores"),
    [
        ("?level=4", [-80]),
        ("?level=2", [-20, -20]),
        ("?level=-", [-15]),
        ("?offence=A-II", [-20, -80]),
        ("?offence=-", [-15]),
        ("?state=in_force", [-15, -20, -80]),
        ("?state=revoked", [-20]),
        ("?state=requested", [-410]),
        ("?state=declined", [-410]),
        ("?division=main", [-410, -410, -20, -15, -20, -80]),
        ("?division=other", []),
        ("?state=in_force&offence=A-II", [-80]),
        ("?round=-", [-15]),
        ("?referee=999", []),
    ],
)
def test_the_list_narrows_to_what_is_asked(spring, bob, query, scores):
    page = bob.get(address(spring, query))

    assert [line.penalty.score for line, _player in page.context["lines"]] == scores


def test_the_list_narrows_to_a_referee_for_staff_and_names_none_to_others(spring, bob):
    query = f"?referee={spring.alice.pk}"

    staff, public = bob.get(address(spring, query)), Client().get(address(spring, query))

    assert [line.penalty.score for line, _player in staff.context["lines"]] == [-15]
    assert choices(staff, "referee") == {
        str(spring.alice.pk): "alice-spring",
        str(spring.bob.pk): "bob-spring",
    }
    assert [line.penalty.score for line, _player in public.context["lines"]] == [-20, -15, -20, -80]
    assert choices(public, "referee") == {}
    assert "alice-spring" not in public.content.decode()


def test_the_choices_are_those_that_lead_somewhere(spring, bob):
    page = bob.get(address(spring))

    assert choices(page, "state") == {
        "in_force": "in force",
        "requested": "awaiting the chief referee",
        "declined": "declined",
        "revoked": "revoked",
    }
    assert set(choices(page, "state")) == set(STATES)
    assert choices(page, "offence") == {
        "A-I": "A-I Drawing before one’s turn",
        "A-II": "A-II Illegal exposure of own non-discarded tiles",
        "A-XII": "A-XII Hand collapses during play",
        "-": "in the referee’s own words",
    }
    assert list(choices(page, "round").values()) == [
        "Main, Regular season, round 1",
        "Main, Regular season, round 2",
        "not tied to a round",
    ]
    assert choices(page, "division") == {}  # there is one


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-hant", "常規賽 第1輪"), ("zh-hans", "常规赛 第1轮"), ("ja", "レギュラーシーズン 第1回戦")],
)
def test_the_filter_of_rounds_translates_the_default_name_of_a_stage(spring, bob, language, words):
    page = bob.get(address(spring), headers={"accept-language": language})

    first, *_others = choices(page, "round").values()
    assert first.endswith(words)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("player", [("陳大文", 1, 0, -80), ("李小明", 2, 0, -35), ("王美麗", 0, 2, 0), ("張志強", 0, 1, 0)]),
        (
            "level",
            [
                ("level 4", 1, 0, -80),
                ("level 2", 1, 1, -20),
                ("no level", 1, 0, -15),
                ("level 5 + 2 × level 4", 0, 2, 0),
            ],
        ),
        (
            "offence",
            [
                ("A-II Illegal exposure of own non-discarded tiles", 1, 1, -80),
                ("A-I Drawing before one’s turn", 1, 0, -20),
                ("in the referee’s own words", 1, 0, -15),
                ("A-XII Hand collapses during play", 0, 2, 0),
            ],
        ),
        ("referee", [("bob-spring", 2, 3, -100), ("alice-spring", 1, 0, -15)]),
        (
            "round",
            [
                ("Main, Regular season, round 1", 2, 1, -100),
                ("Main, Regular season, round 2", 0, 2, 0),
                ("not tied to a round", 1, 0, -15),
            ],
        ),
    ],
)
def test_the_sums_of_what_is_listed_by_every_dimension(spring, bob, by, expected):
    page = bob.get(address(spring, f"?by={by}"))

    assert sums(page) == expected
    assert sum(score for *_counts, score in sums(page)) == page.context["counted"]["sum"] == -115


def test_the_sums_follow_the_filter_and_their_lines_lead_to_it(spring, bob):
    page = bob.get(address(spring, "?by=level&state=in_force"))

    assert sums(page) == [("level 4", 1, 0, -80), ("level 2", 1, 0, -20), ("no level", 1, 0, -15)]
    query = page.context["sums"]["lines"][0][3]
    assert query == "state=in_force&level=4&by=level"
    assert [
        line.penalty.score for line, _player in bob.get(address(spring, f"?{query}")).context["lines"]
    ] == [-80]


def test_an_unknown_way_to_sum_is_the_first_one_and_referees_are_for_staff(spring, bob):
    assert bob.get(address(spring, "?by=moon")).context["sums"]["by"] == "player"
    assert Client().get(address(spring, "?by=referee")).context["sums"]["by"] == "player"
    assert bob.get(address(spring, "?by=referee&view=public")).context["sums"]["by"] == "player"


def test_the_page_says_that_everything_adds_up_with_the_standings(spring, bob):
    assert "All penalties match the standings: −11.5" in text(bob.get(address(spring)))
    assert "All penalties match the standings: −11.5" in text(bob.get(address(spring, "?level=4")))


# --- what visitors see


def show(made: Club, what: str) -> None:
    update_competition(competition=made.competition, values={"penalties_shown": what}, by=made.alice)


def test_visitors_see_how_many_each_player_has_and_their_sum(spring, bob):
    show(spring, "counts")

    page = Client().get(address(spring))

    assert [(info.name, each.count, each.sum) for each, info in page.context["sums"]] == [
        ("陳大文", 1, -80),
        ("李小明", 2, -35),
    ]
    assert "A-II" not in page.content.decode()
    assert "This competition publishes the number and sum of each player’s penalties" in text(page)
    assert "A-II" in bob.get(address(spring)).content.decode()
    assert "A-II" not in bob.get(address(spring, "?view=public")).content.decode()


def test_visitors_see_only_what_is_deducted(spring):
    offence(spring, 4, "A-XI", 1, table=spring.table(number=2))  # level 1: a warning, nothing deducted
    show(spring, "scores")

    page = Client().get(address(spring))

    assert [(info.name, each.count, each.sum) for each, info in page.context["sums"]] == [
        ("陳大文", 0, -80),
        ("李小明", 0, -35),
    ]
    assert "This competition publishes only the deductions in the standings" in text(page)
    assert spring.players[4].name not in page.content.decode()


@pytest.mark.parametrize(("what", "words"), [("counts", "2 penalties"), ("scores", "Penalties")])
def test_a_player_s_page_tells_as_much_as_the_setting_and_still_adds_up(spring, what, words):
    show(spring, what)
    spring.record((50_000, 30_000, 20_000, 20_000), round_number=2)

    page = Client().get(f"/c/spring/players/{entrant(spring, 1)}/")

    record = page.context["records"][0]["record"]
    rows = standings(spring.stage, public=True).rows
    row = next(each for each in rows if each.player.player == spring.players[1].pk)
    last = record.steps[-1]
    assert (last.penalty, last.score, last.total) == (None, -35, row.row.total)
    assert last.penalties == (2 if what == "counts" else 0)
    assert re.search(rf'<th scope="row" colspan="2">\s*{words}\s*</th>', page.content.decode())
    assert "A-I " not in page.content.decode()
    assert record.off == ()


def test_of_a_player_with_a_mere_warning_only_the_count_is_shown(spring):
    offence(spring, 4, "A-XI", 1, table=spring.table(number=2))

    def steps() -> list[int | None]:
        record = Client().get(f"/c/spring/players/{entrant(spring, 4)}/").context["records"][0]["record"]
        return [step.penalties for step in record.steps if step.game is None]

    show(spring, "counts")
    assert steps() == [1]
    show(spring, "scores")
    assert steps() == []


def test_staff_see_requested_and_declined_ones_on_a_player_s_page_and_they_do_not_count(spring, bob):
    page = bob.get(f"/c/spring/players/{entrant(spring, 3)}/")

    record = page.context["records"][0]["record"]
    assert [penalty.status for penalty in record.off] == ["requested"]
    assert [step for step in record.steps if step.penalty] == []
    assert "Penalties not counted" in text(page)
    assert "awaiting the chief referee" in text(page)


@pytest.mark.parametrize("page", ["rounds/{round}/", "tables/{table}/", "penalties/", "players/{player}/"])
def test_only_staff_read_of_requests(spring, bob, page):
    offence(spring, 0, "A-XII", 1, approves=False, reason="only for the chief")
    where = page.format(round=spring.rounds[0].pk, table=spring.table().pk, player=entrant(spring))

    assert "only for the chief" in text(bob.get(f"/c/spring/{where}"))
    assert "only for the chief" not in text(Client().get(f"/c/spring/{where}"))


# --- the workbook


def test_the_workbook_is_for_those_who_read_the_list(spring, bob):
    url = "/c/spring/download/penalties.xlsx"

    def names(answer: HttpResponse) -> list[str]:
        return openpyxl.load_workbook(io.BytesIO(answer.content)).sheetnames

    assert names(Client().get(url)) == ["Penalties", "Sums", "Check"]
    assert "penalties.xlsx" in Client().get(url)["Content-Disposition"]
    show(spring, "counts")
    assert Client().get(url).status_code == 404
    assert bob.get(url).status_code == 404  # what the public would get
    assert names(bob.get(f"{url}?all=1")) == ["Penalties", "Sums", "Check"]


# --- the record


def another(made: Club, slug: str, **options: Any) -> Club:
    """Another competition of the same league with the same players."""
    competition = create_competition(
        league=made.league, name=slug, slug=slug, preset_slug="hkma-a-2025-04", by=made.alice, **options
    )
    division = competition.divisions.get()
    people = (made.alice, made.bob, made.charlie, made.dora)
    copy = Club(competition, division, division.stages.get(), made.players, *people)
    for number, player in enumerate(made.players, 1):
        competition.entrants.create(player=player, division=division, key=f"p{number}")
    return copy


def test_a_record_holds_the_penalties_of_all_competitions_of_the_league(spring):
    summer = another(spring, "summer")
    log(summer, 0, -35, reason="in summer", by=spring.alice)

    page = signed_in(spring.alice).get(record_url(spring))

    assert [(shown.slug, total) for shown, total, _lines, _public in page.context["records"]] == [
        ("summer", -35),
        ("spring", -80),
    ]
    assert "in summer" in text(page)
    assert (page.context["sum"], page.context["count"]) == (-115, 2)


def test_a_reader_who_is_not_staff_of_a_competition_sees_what_visitors_see(spring, bob):
    open_, counted, secret = another(spring, "open"), another(spring, "counted"), another(spring, "secret")
    show(counted, "counts")
    update_competition(competition=secret.competition, values={"visibility": "private"}, by=spring.alice)
    for made in (open_, counted, secret):
        log(made, 0, reason=f"of {made.slug}", by=spring.alice)
        hidden = made.add_round(visibility="hidden")
        log(made, 0, reason=f"hidden in {made.slug}", by=spring.alice, round_=hidden)

    def reads(client: Client) -> set[str]:
        page = text(client.get(record_url(spring)))
        return {f"{what} {made.slug}" for what in ("of", "hidden in") for made in (open_, counted, secret)
                if f"{what} {made.slug}" in page}  # fmt: skip

    assert reads(bob) == {"of open"}
    Role.objects.create(competition=counted.competition, user=spring.bob, kind=Role.Kind.SCORER)
    assert reads(bob) == {"of open", "of counted", "hidden in counted"}
    assert len(reads(signed_in(spring.alice))) == 6


def test_of_those_one_reads_no_referee_and_nothing_that_the_book_asked_for(spring, bob):
    summer = another(spring, "summer")
    summer.add_round()
    act = {"infraction": "A-I", "condition": 0, "levels": ("1",), "reason": "mild"}
    [penalty] = log_offence(
        stage=summer.stage, table=summer.table(), player_id=summer.players[0].pk, **act, by=user("ursula")
    )
    summer.rounds[0].visibility = "results"
    summer.rounds[0].save()
    revoke_penalty(penalty=penalty, reason="not at all", by=user("uwe"))
    marks = ["mild", "not at all", "Level according to the rules", "ursula", "uwe"]

    def reads(client: Client) -> list[str]:
        page = text(client.get(record_url(spring)))
        return [words for words in marks if words in page]

    assert reads(signed_in(spring.alice)) == marks
    assert reads(bob) == ["mild", "not at all"]


def test_a_record_tells_of_bans_and_the_player_s_page_leads_to_it(spring, bob):
    ban = set_ban(
        competition=spring.competition, player_id=spring.players[0].pk, since=date(2020, 1, 1), until=None,
        reason="cheated", by=spring.alice,
    )  # fmt: skip

    assert record_url(spring) in bob.get(f"/c/spring/players/{entrant(spring)}/").content.decode()
    assert record_url(spring) not in Client().get(f"/c/spring/players/{entrant(spring)}/").content.decode()
    page = bob.get(record_url(spring))
    assert "Banned permanently from 1 Jan 2020: cheated" in text(page)
    assert page.context["banned"] == ban
    lift_ban(ban=ban, competition=spring.competition, reason="served", by=spring.alice)
    page = bob.get(record_url(spring))
    assert page.context["banned"] is None
    assert "lifted" in text(page)


def test_a_record_takes_the_same_number_of_queries_for_one_and_for_three(spring, bob):
    one = queries_of(bob, record_url(spring))
    for slug in ("summer", "winter"):
        log(another(spring, slug), 0, by=spring.alice)
    assert queries_of(bob, record_url(spring)) == one
