"""The pages of a season: numbers of hanchan, who goes up and down, its end, play-offs, the next one."""

import re
import uuid
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Competition, Division, Entrant, Registrant, Registration, Role, Stage
from league.organizing.competitions.services import add_division, update_competition
from league.organizing.roster.services.roster import withdraw_entrant
from league.ranking.seasons.forms import next_name
from league.ranking.stages.services import set_numbers
from players.models import Player
from scoring.promotion import DOWN, PLAY_OFF, UP
from scoring.standings import BEST, Numbers
from tests.factories import signed_in, user
from tests.module_fixtures import module_fixture
from tests.seasons import Season, played, two_divisions
from tests.shown import text

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Season:
    return played()


@pytest.fixture
def alice(spring: Season) -> Client:
    return signed_in(spring.club.alice)


def hidden(response, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]+)"', response.content.decode()).group(1)


def standings(season: Season, division: Division) -> str:
    return reverse("standings:stage", args=[season.club.slug, division.slug, season.stage(division).slug])


# --- numbers of hanchan


def numbers_page(season: Season) -> str:
    return reverse("stages:numbers", args=[season.club.slug, season.stage(season.upper).pk])


def test_the_numbers_are_saved_and_the_standings_say_what_counts(spring: Season, alice: Client) -> None:
    typed = {"valid_hanchan": 2, "standard_hanchan": 16, "beyond": "average", "reason": ""}

    response = alice.post(numbers_page(spring), typed | {"key": uuid.uuid4()}, follow=True)

    assert "Numbers of games saved." in text(response)
    page = text(Client().get(standings(spring, spring.upper)))
    assert "unranked: 1 of 2 games" in page
    assert "Players with fewer than 2 games are listed last, unranked." in page
    assert "Of more games than 16, the average times 16 counts." in page


@pytest.mark.parametrize(
    ("name", "value"), [("valid_hanchan", -1), ("standard_hanchan", 0), ("beyond", "worst")]
)
def test_numbers_that_are_none_are_explained_and_not_saved(
    spring: Season, alice: Client, name: str, value: object
) -> None:
    typed = {"valid_hanchan": 2, "standard_hanchan": 16, "beyond": "all", "key": uuid.uuid4()} | {name: value}

    response = alice.post(numbers_page(spring), typed)

    assert response.status_code == 422
    assert 'class="field-errors"' in response.content.decode()
    assert spring.stage(spring.upper).numbers == Numbers()


def test_a_new_stage_can_have_numbers(spring: Season, alice: Client) -> None:
    typed = {"name": "Second half", "carry": "all", "valid_hanchan": 6, "standard_hanchan": 16}
    typed |= {"beyond": "best", "key": uuid.uuid4()}

    alice.post(reverse("stages:new", args=[spring.club.slug, "b"]), typed)

    made = Stage.objects.get(division=spring.lower, name="Second half")
    assert made.numbers == Numbers(valid=6, standard=16, beyond=BEST)


def test_the_players_page_says_which_hanchan_does_not_count(spring: Season) -> None:
    spring.play(spring.upper)
    spring.play(spring.upper)
    set_numbers(
        stage=spring.stage(spring.upper), numbers=Numbers(standard=2, beyond=BEST), by=spring.club.alice
    )
    entrant = spring.entrant("a1")

    page = text(Client().get(reverse("standings:player", args=[spring.club.slug, entrant.pk])))

    assert "2 of 3 games count" in page
    assert page.count("beyond the standard number") == 1


def test_the_players_page_says_what_the_average_changed(spring: Season) -> None:
    spring.play(spring.upper)
    set_numbers(
        stage=spring.stage(spring.upper),
        numbers=Numbers(valid=3, standard=1, beyond="average"),
        by=spring.club.alice,
    )
    entrant = spring.entrant("a1")

    page = text(Client().get(reverse("standings:player", args=[spring.club.slug, entrant.pk])))

    assert "Average of 2 games, times 1 −60.0 +60.0" in page
    assert "unranked: 2 of 3 games" in page


# --- who goes up and down


def movement_page(season: Season) -> str:
    return reverse("seasons:movement", args=[season.club.slug])


def movement(season: Season, **upper: object) -> dict[str, object]:
    """A form whose fields of the upper division are typed, and whose lower division promotes one."""
    typed = {f"{name}_{season.upper.pk}": value for name, value in upper.items()}
    return typed | {"key": str(uuid.uuid4()), f"up_{season.lower.pk}": 1}


def test_who_goes_up_and_down_is_saved_for_all_divisions_at_once(spring: Season, alice: Client) -> None:
    typed = {"down": 25, "down_by": "percent", "down_play_off": 2, "vacancies": "more_up"}

    response = alice.post(movement_page(spring), movement(spring, **typed), follow=True)

    assert "Promotion and relegation saved." in text(response)
    assert Division.objects.get(pk=spring.upper.pk).movement == typed
    assert Division.objects.get(pk=spring.lower.pk).movement == {"up": 1}


def test_the_players_of_the_next_season_are_counted_before_anything_is_saved(alice: Client) -> None:
    season = two_divisions("summer")
    before = [each.movement for each in Division.objects.order_by("pk")]

    typed = movement(season, down=3, vacancies="leave_free") | {"preview": "1"}
    page = signed_in(season.club.alice).post(movement_page(season), typed)

    assert page.status_code == 200
    ends = [row.record for row in page.context["sizes"].rows]
    counts = [[end.counts[kind] for kind in (UP, DOWN, PLAY_OFF)] for end in ends]
    assert [(count, end.players, end.next_players) for count, end in zip(counts, ends, strict=True)] == [
        ([0, 3, 0], 8, 6),
        ([1, 0, 0], 8, 10),
    ]
    assert [each.movement for each in Division.objects.order_by("pk")] == before


@pytest.mark.parametrize("language", ["ja", "zh-hant", "zh-hans"])
def test_the_number_that_goes_down_is_counted_in_people(spring: Season, alice: Client, language: str) -> None:
    alice.cookies["django_language"] = language

    assert '<option value="number" selected>人</option>' in alice.get(movement_page(spring)).content.decode()


@pytest.mark.parametrize("wrong", [{"down": -1}, {"down": 101, "down_by": "percent"}, {"vacancies": "?"}])
def test_a_movement_that_cannot_be_is_explained(
    spring: Season, alice: Client, wrong: dict[str, object]
) -> None:
    response = alice.post(movement_page(spring), movement(spring, **{"down": 1} | wrong))

    assert 'class="field-errors"' in response.content.decode()
    assert Division.objects.get(pk=spring.upper.pk).movement == {"down": 2}


def test_the_highest_division_has_no_way_up_and_the_lowest_none_down(spring: Season, alice: Client) -> None:
    page = alice.get(movement_page(spring)).content.decode()

    for name, division, there in (
        ("up", spring.upper, False),
        ("down", spring.upper, True),
        ("up", spring.lower, True),
        ("down", spring.lower, False),
    ):
        assert (f'name="{name}_{division.pk}"' in page) == there


@pytest.mark.slow
def test_the_next_season_offers_to_finish_the_one_before(alice: Client) -> None:
    season = two_divisions("summer")
    season.play(season.upper)
    season.play(season.lower)
    made = season.next()
    manage = reverse("competitions:manage", args=[made.slug])
    client = signed_in(season.club.alice)

    assert f"{season.competition.name} is not finished yet." in text(client.get(manage))
    Competition.objects.filter(pk=season.competition.pk).update(finished_at=made.created_at)
    assert "is not finished yet" not in text(client.get(manage))


def zones(response) -> list[tuple[str, str]]:
    """(name, what would become of them) for every player who would not stay."""
    rows = re.findall(r"<tr>.*?</tr>", response.content.decode(), re.DOTALL)
    found = [re.search(r'>([AB]\d)</a>.*class="name-note zone[^>]*>([^<]+)<', row) for row in rows]
    return [match.groups() for match in found if match]


def test_the_standings_show_who_would_go_up_and_down(spring: Season) -> None:
    upper = Client().get(standings(spring, spring.upper))
    lower = Client().get(standings(spring, spring.lower))

    assert zones(upper) == [("A8", "▼ relegated"), ("A4", "▼ relegated")]
    assert zones(lower) == [("B5", "▲ promoted"), ("B1", "▲ promoted")]
    assert "relegated to B if the season ended now" in text(upper)
    assert upper.content.decode().count("border-line") == 1


def test_a_sorted_table_has_no_lines(spring: Season) -> None:
    page = Client().get(standings(spring, spring.upper) + "?sort=player").content.decode()

    assert "▼ relegated" in page
    assert "border-line" not in page


def test_without_movement_or_results_there_are_no_zones() -> None:
    season = two_divisions("summer")
    assert zones(Client().get(standings(season, season.upper))) == []

    season.play(season.upper)
    assert zones(Client().get(standings(season, season.upper))) != []
    season.move(season.upper)
    assert zones(Client().get(standings(season, season.upper))) == []


def test_the_public_zones_know_only_what_is_published() -> None:
    season = two_divisions("summer")
    season.play(season.upper)
    before = zones(Client().get(standings(season, season.upper)))
    season.play(season.upper, publish=False)
    stage = season.stage(season.upper)
    sheets = stage.rounds.get(number=2).tables.get(number=1).sheets
    sheets.update(east=15_000, south=25_000, west=35_000, north=45_000)
    Competition.objects.filter(pk=season.competition.pk).update(revision=99)
    staff = zones(signed_in(season.club.alice).get(standings(season, season.upper)))

    assert zones(Client().get(standings(season, season.upper))) == before
    assert staff != before  # there was something to leak


# --- the end of the season


def end_page(season: Season) -> str:
    return reverse("seasons:end", args=[season.club.slug])


def asked(season: Season, **more: object) -> str:
    return f"{end_page(season)}?{urlencode({'name': 'Autumn', 'slug': '', 'keep_roles': 'on'} | more)}"


def test_the_end_of_the_season_says_who_goes_where(spring: Season, alice: Client) -> None:
    page = text(alice.get(end_page(spring)))

    assert "8 players now · 8 next season" in page
    assert "8 A4 ▼ relegated · B −50.0" in page
    assert "1 B5 ▲ promoted · A +63.0" in page
    assert "Create next season" not in page  # it is shown first


def test_the_next_season_is_shown_then_made_once(spring: Season, alice: Client) -> None:
    shown = alice.get(asked(spring))
    sent = {"key": hidden(shown, "key"), "seen": hidden(shown, "seen")}

    first = alice.post(asked(spring), sent, follow=True)
    again = alice.post(asked(spring), sent)

    made = Competition.objects.get(previous=spring.competition)
    assert "Autumn created." in text(first)
    assert again.url == reverse("competitions:manage", args=[made.slug])
    assert spring.keys(made, "a") == ["a1", "a2", "a3", "a5", "a6", "a7", "b1", "b5"]
    assert made.roles.count() == 2


def test_a_decision_by_hand_is_kept_in_the_address_and_shown(spring: Season, alice: Client) -> None:
    by_hand = {"player_1": spring.player("b5"), "to_1": spring.lower.pk, "reason": "declined"}
    by_hand |= {"player_2": spring.player("a1"), "to_2": "leaves"}

    page = text(alice.get(asked(spring, **by_hand)))

    assert "1 B5 stays · by hand" in page
    assert "2 A1 leaves · by hand" in page
    assert "A: 6 players" in page


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"player_1": "b5"}, "Choose where the player goes."),
        ({"to_1": "leaves"}, "Choose a player."),
        (
            {"player_1": "b5", "to_1": "leaves"},
            "Give a reason for placing a player differently from the rules.",
        ),
        ({"player_1": "b5", "to_1": "leaves", "player_2": "b5", "to_2": "leaves"}, "is already listed above"),
        ({"player_1": "999999", "to_1": "leaves"}, "999999 is not one of the available choices"),
    ],
)
def test_what_is_missing_is_said_and_nothing_can_be_made(
    spring: Season, alice: Client, wrong: dict[str, object], said: str
) -> None:
    typed = {n: spring.player(v) if v == "b5" else v for n, v in wrong.items()}

    page = alice.get(asked(spring, **typed))

    assert said in text(page)
    assert "Create next season" not in text(page)
    sent = {"key": uuid.uuid4(), "seen": "whatever"}
    assert alice.post(asked(spring, **typed), sent).status_code == 422
    assert not spring.competition.next_seasons.exists()


def test_what_changed_since_the_page_was_made_is_shown_again(spring: Season, alice: Client) -> None:
    shown = alice.get(asked(spring))
    sent = {"key": hidden(shown, "key"), "seen": hidden(shown, "seen")}
    withdraw_entrant(entrant=spring.entrant("a5"), by=spring.club.alice)

    assert "The competition has changed" in text(alice.post(asked(spring), sent))
    assert not spring.competition.next_seasons.exists()


def test_an_unfinished_season_says_what_is_missing(alice: Client, spring: Season) -> None:
    spring.play(spring.lower, close=False)

    page = text(alice.get(asked(spring)))

    assert "B, Regular season: Still open: round 2. Enter the missing results and close it first." in page
    assert "Create next season" not in page


@pytest.mark.slow
def test_a_play_off_is_made_from_the_page_and_shown_there(spring: Season, alice: Client) -> None:
    spring.move(spring.upper, down=1, down_play_off=2)
    spring.move(spring.lower, up=1, up_play_off=2)
    page = alice.get(end_page(spring))
    assert "A7, A8, B1, B2 play for 2 places in A." in text(page)
    sent = {name: hidden(page, name) for name in ("key", "seen")} | {"name": "Play-off", "hanchan": 4}
    address = reverse("seasons:play_off", args=[spring.club.slug, "a"])

    assert "Play-off created." in text(alice.post(address, sent, follow=True))

    assert "The play-off is created but not finished." in text(alice.get(end_page(spring)))
    stage = Stage.objects.get(name="Play-off")
    assert "A7" in text(alice.get(reverse("stages:stage", args=[spring.club.slug, stage.pk])))
    shown = text(Client().get(reverse("standings:stage", args=[spring.club.slug, "a", stage.slug])))
    assert all(name in shown for name in ("A7", "A8", "B1", "B2", "Qualification for Play-off"))
    assert alice.get(address).status_code == 405
    assert "Ensure this value" in text(alice.post(address, sent | {"hanchan": 0}, follow=True))
    again = sent | {"key": uuid.uuid4()}
    assert "This play-off already exists" in text(alice.post(address, again, follow=True))


def test_lots_are_drawn_on_the_page_between_equal_players_at_a_line(spring: Season, alice: Client) -> None:
    """Two more players of A never played, so that they are last and tied. One of them would be relegated."""
    people = [Player.objects.create(register=spring.club.league.register, name=name) for name in ("Xu", "Yi")]
    for person in people:
        Entrant.objects.create(
            competition=spring.competition, player=person, division=spring.upper, key=person.name
        )
    spring.move(spring.upper, down=1)
    page = alice.get(asked(spring))
    assert "Some players are tied in every respect. Draw lots between them first." in text(page)
    assert "Tied after every tie-break: Xu, Yi." in text(page)
    assert page.content.decode().count('title="tied rank"') == 2
    sent = {"key": hidden(page, "key"), "players": hidden(page, "players"), "next": asked(spring)}

    address = reverse("stages:lots", args=[spring.club.slug, spring.stage(spring.upper).pk])
    drawn = alice.post(address, sent, follow=True)

    assert "Lots drawn." in text(drawn)
    assert "Create next season" in text(drawn)


def test_an_organizer_who_does_not_own_the_league_reads_who_makes_seasons(spring: Season) -> None:
    helper = user("helper")
    Role.objects.create(competition=spring.competition, user=helper, kind=Role.Kind.ORGANIZER)

    assert "Only owners of the league can create the next season" in text(
        signed_in(helper).get(asked(spring))
    )


def test_only_organizers_reach_these_pages(spring: Season) -> None:
    for address in (numbers_page(spring), movement_page(spring), end_page(spring)):
        assert Client().get(address).status_code == 302
        assert signed_in(spring.club.charlie).get(address).status_code == 403
        assert signed_in(spring.club.alice).delete(address).status_code == 405


def test_both_seasons_lead_to_each_other_where_everyone_may_see_them(spring: Season) -> None:
    made = spring.next()
    old, new = (
        reverse("standings:competition", args=[spring.club.slug]),
        reverse("standings:competition", args=[made.slug]),
    )
    assert f'href="{new}"' in Client().get(old).content.decode()
    assert f'href="{old}"' in Client().get(new).content.decode()

    update_competition(competition=made, values={"visibility": "private"}, by=spring.club.alice)
    assert f'href="{new}"' not in Client().get(old).content.decode()


def test_the_end_takes_as_many_queries_for_many_players_as_for_few(alice: Client, spring: Season) -> None:
    for division in (spring.upper, spring.lower):  # else those without a hanchan are equal at the line
        spring.move(division)
    counts = []
    for more in (0, 8):
        for division in (spring.upper, spring.lower):
            people = Player.objects.bulk_create(
                Player(register=spring.club.league.register, name=f"{division} new {n}") for n in range(more)
            )
            Entrant.objects.bulk_create(
                Entrant(competition=spring.competition, player=person, division=division, key=person.name)
                for person in people
            )
        with CaptureQueriesContext(connection) as queries:
            assert f"{8 + more} players now" in text(alice.get(end_page(spring)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_end_takes_as_many_queries_for_six_divisions_as_for_three(alice: Client, spring: Season) -> None:
    counts = []
    for names in (("Third",), ("Fourth", "Fifth", "Sixth")):
        for name in names:
            add_division(
                competition=spring.competition, name=name, rules=spring.upper.rule_set, by=spring.club.alice
            )
        with CaptureQueriesContext(connection) as queries:
            assert names[-1] in text(alice.get(end_page(spring)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Hong Kong League 2026", "Hong Kong League 2027"),
        ("M.League 2018-19", "M.League 2019-20"),
        ("2099–00 年度", "2100–01 年度"),
        ("第9期 聯賽", "第10期 聯賽"),
        ("Winter", ""),
    ],
)
def test_the_next_season_is_named_after_this_one(name: str, following: str) -> None:
    assert next_name(name) == following


# --- a copy


def copied(season: Season, client: Client, **typed: object) -> Competition:
    address = reverse("seasons:copy", args=[season.competition.slug])
    sent = {"key": uuid.uuid4(), "name": "Autumn", **typed}
    answers = [client.post(address, sent) for _ in range(2)]  # sent twice, made once
    made = Competition.objects.get(name="Autumn")
    assert [answer.url for answer in answers] == [reverse("competitions:manage", args=[made.slug])] * 2
    return made


@pytest.mark.parametrize("roster", [False, True])
def test_a_copy_has_the_settings_divisions_and_rules_and_players_if_asked(spring, alice, roster):
    old = spring.competition
    Competition.objects.filter(pk=old.pk).update(place="Wan Chai", suggest_fourth=False)
    gone = Entrant.objects.filter(competition=old).first()
    withdraw_entrant(entrant=gone, by=spring.club.alice)
    made = copied(spring, alice, first_day="2027-05-01", **({"roster": "on"} if roster else {}))

    assert (made.place, made.suggest_fourth, made.previous, str(made.first_day)) == (
        "Wan Chai",
        False,
        None,
        "2027-05-01",
    )
    assert made.table_key != old.table_key
    rules = [(each.name, each.rule_set.values) for each in made.divisions.all()]
    assert rules == [(each.name, each.rule_set.values) for each in old.divisions.all()]
    players = Entrant.objects.filter(competition=old, withdrawn_at=None).values_list(
        "player", "division__name"
    )
    entered = Entrant.objects.filter(competition=made).values_list("player", "division__name")
    assert sorted(entered) == (sorted(players) if roster else [])


def test_a_copy_has_the_registration_form_closed_and_without_its_dates_and_entries(spring, alice):
    opened = datetime(2026, 3, 1, 12, tzinfo=UTC)
    old = Registration.objects.create(
        competition=spring.competition,
        division=spring.upper.slug,
        opens_at=opened,
        closes_at=opened + timedelta(days=30),
        kept_until=date(2026, 9, 1),
        places=32,
        is_moderated=True,
        phone="required",
        fee="200 HKD",
        terms="Be on time.",
        languages=["en", "ja"],
    )
    entry = {"name": "Erin", "email": "erin@example.org", "language": "en"}
    Registrant.objects.create(registration=old, created_at=opened, **entry)

    made = Registration.objects.get(competition=copied(spring, alice, first_day="2027-05-01"))

    same = ("division", "places", "is_moderated", "phone", "fee", "terms", "languages", "shows_registrants")
    assert [getattr(made, name) for name in same] == [getattr(old, name) for name in same]
    assert (made.opens_at, made.closes_at, made.kept_until) == (None, None, date(2027, 7, 30))
    assert not made.is_open(opened)
    assert not made.registrants.exists()


def test_a_copy_whose_address_was_taken_meanwhile_is_refused(spring, alice, monkeypatch):
    slug = spring.competition.slug
    monkeypatch.setattr("league.ranking.seasons.services.free_slug", lambda *_args, **_options: slug)
    typed = {"key": uuid.uuid4(), "name": "Autumn"}
    answer = alice.post(reverse("seasons:copy", args=[slug]), typed)
    assert "Another competition has this address." in text(answer)


def test_only_an_owner_of_the_league_copies(spring):
    Role.objects.create(competition=spring.competition, user=user("other"), kind=Role.Kind.ORGANIZER)
    address = reverse("seasons:copy", args=[spring.competition.slug])
    answer = signed_in(user("other")).post(address, {"key": uuid.uuid4(), "name": "Autumn"})
    assert "Only owners of the league" in text(answer)
    assert not Competition.objects.filter(name="Autumn").exists()
