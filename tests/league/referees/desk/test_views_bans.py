"""Pages for serious cases: who leaves, what becomes of the seats, bans and where they warn."""

import re
import uuid
from datetime import date
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Ban, Competition, Entrant, Seat, Sheet, Waiver
from league.organizing.competitions.services import create_competition
from league.play.bans.services import set_ban
from league.play.rounds.services import create_round, seat_players
from league.referees.penalties.services.log import log_offence
from tests.factories import Club, club, signed_in
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

GAMBLING = {"infraction": "U-1c", "condition": 0, "reason": "bet on table 2"}


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.add_round(opened=False)
    made.add_players(4)
    return made


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def entrant(made: Club, index: int = 0) -> Entrant:
    return made.competition.entrants.get(player=made.players[index])


def page(made: Club, index: int = 0) -> str:
    return f"/c/{made.slug}/manage/departures/{entrant(made, index).pk}/"


def expel(made: Club, index: int = 0) -> None:
    player = made.players[index].pk
    log_offence(stage=made.stage, table=made.table(), player_id=player, **GAMBLING, by=made.bob)


def ban(made: Club, index: int = 0, **options: Any) -> Ban:
    options = {"since": date(2020, 1, 1), "until": None, "reason": "cheated", "by": made.alice} | options
    return set_ban(competition=made.competition, player_id=made.players[index].pk, **options)


def text(answer: HttpResponse) -> str:
    body = re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def send(client: Client, url: str, **fields: object) -> HttpResponse:
    return client.post(url, {"key": uuid.uuid4()} | fields)


# --- who leaves


def test_the_organizer_s_page_tells_who_left_and_leads_to_what_has_to_be_decided(spring, alice):
    assert "withdrawn from the competition" not in text(alice.get("/c/spring/manage/"))
    expel(spring)

    manage, cases = alice.get("/c/spring/manage/"), alice.get("/c/spring/manage/bans/")

    assert "陳大文 has left but still has seats at 2 tables." in text(manage)
    assert page(spring) in manage.content.decode()
    assert page(spring) in cases.content.decode()
    assert "Level 6 · U-1c Any gambling on the match" in text(cases)
    assert "2 seats to decide on" in text(cases)


def test_a_player_is_chosen_and_sent_away_with_a_reason(spring, alice):
    chosen = alice.get(f"/c/spring/manage/departures/?player={entrant(spring).pk}")
    assert chosen.url == page(spring)
    assert "Expel from the competition" in text(alice.get(page(spring)))

    refused = send(alice, page(spring), do="leave", reason=" ")
    done = send(alice, page(spring), do="leave", reason="would not obey")

    assert refused.status_code == 422
    assert "Give a reason for the player leaving" in text(refused)
    assert (done.status_code, done.url) == (302, page(spring))
    assert entrant(spring).withdrawn_at is not None
    after = text(alice.get(page(spring)))
    assert "Left the competition" in after
    assert "Round 1, table 1" in after


@pytest.mark.parametrize("typed", ["", "x", "-1", "9" * 30, "٣"])
def test_a_choice_that_is_none_leads_back(spring, alice, typed):
    assert alice.get("/c/spring/manage/departures/", {"player": typed}).url == "/c/spring/manage/bans/"


def test_every_seat_is_decided_by_its_own_choice(spring, alice):
    expel(spring)
    now, later = spring.table(1), spring.table(2)
    form = alice.get(page(spring)).context["forms"]["seats"]
    choices = dict(form.fields[f"seat_{now.pk}"].choices)
    free = {str(spring.players[index].pk) for index in (8, 9, 10, 11)}
    assert set(choices) == {"later", "0"} | free

    done = send(
        alice, page(spring), do="seats", reason="expelled", score="-30.0",
        **{f"seat_{now.pk}": spring.players[8].pk, f"seat_{later.pk}": "later"},
    )  # fmt: skip

    assert done.status_code == 302
    seat = Seat.objects.get(table=now, wind=0)
    assert (seat.player, seat.stands_for, seat.came_late) == (spring.players[8], spring.players[0], True)
    assert spring.players[0].adjustments.get().score == -300
    assert Seat.objects.get(table=later, wind=0).player == spring.players[0]
    send(alice, page(spring), do="seats", reason="no one left", score="0", **{f"seat_{later.pk}": "0"})
    assert Sheet.objects.get(table=later).reason == "no one left"
    assert "No decisions needed" in text(alice.get(page(spring)))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Decide on at least one seat."),
        ({"choice": "0", "reason": ""}, "Give a reason"),
        ({"choice": "0", "score": "a lot"}, "at most one decimal"),
        ({"choice": "0", "score": "-9999999"}, "at most one decimal"),
        ({"choice": "999999"}, "valid choice"),
        ({"choice": "seated"}, "valid choice"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(spring, alice, fields, words):
    expel(spring)
    seats = {f"seat_{spring.table(n).pk}": "later" for n in (1, 2)}
    if choice := fields.pop("choice", None):
        seats[f"seat_{spring.table(1).pk}"] = spring.players[5].pk if choice == "seated" else choice

    answer = send(alice, page(spring), **{"do": "seats", "reason": "x", "score": "0"} | seats | fields)

    assert answer.status_code == 422
    assert words in text(answer)
    assert not Sheet.objects.exists()
    assert not Seat.objects.filter(stands_for__isnull=False).exists()


def test_forfeiting_is_proposed_where_the_competition_says_so(spring, alice):
    Competition.objects.filter(pk=spring.competition.pk).update(expulsion="forfeit")
    expel(spring)

    answer = alice.get(page(spring)).content.decode()

    assert answer.count('<option value="0" selected>') == 2


def test_an_unknown_button_does_nothing(spring, alice):
    before = AuditEntry.objects.count()
    assert send(alice, page(spring), do="dance").status_code == 422
    assert AuditEntry.objects.count() == before


# --- bans


def test_a_ban_is_set_with_its_term_and_lifted_with_a_reason(spring, alice):
    expel(spring)
    proposed = alice.get(page(spring)).context["forms"]["ban"]
    assert proposed["reason"].value() == "U-1c Any gambling on the match"

    refused = send(alice, page(spring), do="ban", since="2026-11-20", until="2026-11-19", reason="gambling")
    done = send(alice, page(spring), do="ban", since="2026-11-20", until="2027-05-20", reason="gambling")

    assert "A ban cannot end before it begins." in text(refused)
    assert done.status_code == 302
    made = Ban.objects.get()
    assert (made.since, made.until, made.reason, made.penalty.infraction) == (
        date(2026, 11, 20),
        date(2027, 5, 20),
        "gambling",
        "U-1c",
    )
    assert "Banned from 20 Nov 2026 until 20 May 2027: gambling" in text(alice.get("/c/spring/manage/bans/"))

    lift = f"/c/spring/manage/bans/{made.pk}/lift/"
    assert "Give a reason for lifting the ban." in text(send(alice, lift, reason=""))
    assert send(alice, lift, reason="the appeal was right").url == "/c/spring/manage/bans/"
    assert "This ban was lifted: the appeal was right" in text(alice.get(lift))
    assert "This ban has already been lifted" in text(send(alice, lift, reason="again"))


def test_a_ban_of_another_league_is_not_lifted_from_here(spring, alice):
    autumn = club("autumn")
    made = ban(autumn)

    assert alice.get(f"/c/spring/manage/bans/{made.pk}/lift/").status_code == 404


def test_the_pages_take_the_same_number_of_queries_for_one_and_for_three(spring, alice):
    expel(spring, 0)
    ban(spring, 0)
    urls = ("/c/spring/manage/bans/", "/c/spring/manage/")
    one = [queries_of(alice, url) for url in urls]
    for index in (1, 2):
        expel(spring, index)
        ban(spring, index)
    assert [queries_of(alice, url) for url in urls] == one


# --- where a ban warns


@pytest.fixture
def summer(spring) -> Club:
    """Another competition of the league. The first player of the register is banned."""
    ban(spring, until=date(2999, 3, 31))
    competition = create_competition(
        league=spring.league, name="summer", slug="summer", preset_slug="hkma-a-2025-04", by=spring.alice
    )
    division = competition.divisions.get()
    people = (spring.alice, spring.bob, spring.charlie, spring.dora)
    return Club(competition, division, division.stages.get(), spring.players, *people)


def test_adding_one_player_asks_whether_they_play_in_spite_of_a_ban(spring, summer, alice):
    url = "/c/summer/manage/players/new/"
    person = {"name": spring.players[0].name, "division": "main", "plays_as": "player"}
    typed = person | {"who": spring.players[0].pk}
    first = send(alice, url, **person)
    assert "Banned from 1 Jan 2020 until 31 Mar 2999: cheated" in text(first)

    refused = send(alice, url, **typed)
    without = send(alice, url, **typed, despite="on")
    done = send(alice, url, **typed, despite="on", despite_reason="the board agreed")

    assert "Banned: 陳大文 (until 31 Mar 2999)." in text(refused)
    assert "Give a reason for allowing players despite the ban." in text(without)
    assert done.status_code == 302
    assert summer.competition.entrants.count() == 1
    assert Waiver.objects.get().reason == "the board agreed"


def test_a_list_shows_who_is_banned_and_who_may_be(spring, summer, alice):
    spring.players[0].romanized = "Chan Tai Man"
    spring.players[0].save()
    url = reverse("roster:preview", args=["summer"])
    rows = f"{spring.players[0].name}\n李小明"

    preview = send(alice, url, text=rows, division="main")
    refused = send(alice, url, text=rows, division="main", save="1")
    done = send(alice, url, text=rows, division="main", save="1", despite="on", despite_reason="agreed")

    assert "banned" in text(preview)
    assert "Banned from 1 Jan 2020 until 31 Mar 2999: cheated" in text(preview)
    assert "Banned: 陳大文" in text(refused)
    assert done.status_code == 302
    assert summer.competition.entrants.count() == 2
    alike = send(alice, url, text="Name\tRomanized\n陳太文\tChan Tai Man", division="main")
    assert "possibly 陳大文, who is banned" not in text(alike)  # waived by now
    Waiver.objects.all().delete()
    alike = send(alice, url, text="Name\tRomanized\n陳太文\tChan Tai Man", division="main")
    assert "possibly 陳大文, who is banned" in text(alike)


def test_a_list_without_a_banned_player_asks_nothing(spring, summer, alice):
    answer = send(alice, reverse("roster:preview", args=["summer"]), text="李小明", division="main")
    assert "despite" not in answer.content.decode()


def test_reinstating_asks_too(spring, alice):
    expel(spring)
    ban(spring)
    url = f"/c/spring/manage/players/{entrant(spring).pk}/reinstate/"
    shown = text(alice.get(f"/c/spring/manage/players/{entrant(spring).pk}/"))
    assert "Banned permanently from 1 Jan 2020: cheated" in shown

    send(alice, url)
    send(alice, url, despite="on")
    assert entrant(spring).withdrawn_at is not None
    send(alice, url, despite="on", despite_reason="ruled otherwise")

    assert entrant(spring).withdrawn_at is None
    assert Waiver.objects.count() == 1


def test_a_banned_player_sits_out_at_first_and_is_drawn_only_with_a_reason(spring, alice):
    ban(spring)
    round_ = create_round(stage=spring.stage, by=spring.alice)
    url = f"/c/spring/manage/rounds/{round_.pk}/seat/"

    shown = alice.get(f"{url}?how=random")
    out = [info.name for info, plays in shown.context["pool"] if not plays]
    assert (spring.players[0].name in out, len(out)) == (True, 4)  # of 11 others 3 sit out by lot
    assert "Banned permanently from 1 Jan 2020: cheated" in text(shown)

    everyone = {"plays": shown.context["offered"].split(","), "offered": shown.context["offered"]}
    again = send(alice, url, how="random", step="draw", based_on=shown.context["based_on"], **everyone)
    drawn = alice.get(again.url)
    fields = everyone | {
        "how": "random",
        "step": "save",
        "based_on": drawn.context["based_on"],
        "seed": drawn.context["seed"],
        "players": drawn.context["draw"]["players"].value(),
    }
    refused = send(alice, url, **fields)
    kept = send(alice, url, **fields, despite="on", despite_reason="")
    done = send(alice, url, **fields, despite="on", despite_reason="the appeal is pending")

    assert "Banned: 陳大文 (permanently)." in text(refused)
    assert "Give a reason for allowing players despite the ban." in text(kept)
    assert kept.context["form"]["despite"].value() is True
    assert done.status_code == 302
    assert Seat.objects.filter(round=round_, player=spring.players[0]).exists()


def test_one_table_more_keeps_the_tick_for_banned_players_and_its_reason(spring, alice):
    ban(spring)
    round_ = create_round(stage=spring.stage, by=spring.alice)
    url = f"/c/spring/manage/rounds/{round_.pk}/seat/"

    more = send(
        alice, url, how="hand", t1_0="p1", more="1", despite="on", despite_reason="the appeal is pending"
    )

    form = more.context["form"]
    assert (form["despite"].value(), form["despite_reason"].value()) == (True, "the appeal is pending")


@pytest.mark.parametrize("how", ["hand", "paste"])
def test_seating_by_hand_or_paste_asks_as_well(spring, alice, how):
    ban(spring)
    round_ = create_round(stage=spring.stage, by=spring.alice)
    url = f"/c/spring/manage/rounds/{round_.pk}/seat/"
    names = ["p1", "p2", "p3", "p4"]
    typed: dict[str, object] = {"how": how, "based_on": alice.get(url).context["based_on"]}
    typed |= {"seating": ",".join(names)} if how == "paste" else {f"t1_{w}": n for w, n in enumerate(names)}

    refused = send(alice, url, **typed)
    done = send(alice, url, **typed, despite="on", despite_reason="the appeal is pending")

    assert "Banned: 陳大文 (permanently)." in text(refused)
    assert done.status_code == 302
    assert Seat.objects.filter(round=round_).count() == 4


def test_seating_without_a_banned_player_asks_nothing(spring, alice):
    round_ = create_round(stage=spring.stage, by=spring.alice)
    seat_players(round_=round_, tables={1: [p.pk for p in spring.players[:4]]}, by=spring.alice)

    for how in ("random", "hand", "paste"):
        answer = alice.get(f"/c/spring/manage/rounds/{round_.pk}/seat/?how={how}")
        assert "despite" not in answer.content.decode()


# --- the settings


def test_the_settings_of_refereeing_are_chosen_in_words_and_logged(spring, alice):
    url = "/c/spring/manage/settings/referees/"
    form = alice.get(url).context["form"]
    levels = dict(form.fields["approval_from"].choices)
    assert list(levels) == ["", "1", "2", "3", "4", "4+", "5", "6"]
    assert levels["5"].startswith("from this level: Level 5")
    typed = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}

    done = alice.post(
        url,
        typed
        | {"key": uuid.uuid4(), "approval_from": "5", "penalties_shown": "counts", "expulsion": "forfeit"},
    )

    assert done.status_code == 302
    spring.competition.refresh_from_db()
    found = spring.competition
    assert (found.approval_from, found.penalties_shown, found.expulsion) == ("5", "counts", "forfeit")
    log = text(alice.get("/c/spring/manage/audit/"))
    assert "number and sum per player" in log
    assert "penalties shown to visitors" in log


def test_a_level_that_no_book_has_any_more_stays_a_choice(spring, alice):
    Competition.objects.filter(pk=spring.competition.pk).update(approval_from="red")

    form = alice.get("/c/spring/manage/settings/referees/").context["form"]

    assert list(dict(form.fields["approval_from"].choices))[-1] == "red"
    assert form["approval_from"].value() == "red"


def test_two_players_of_one_name_are_distinguished_when_one_leaves(spring, alice):
    for player, country in zip(spring.players[:2], ("DE", "HK"), strict=True):
        player.name, player.country = "Anna Berg", country
        player.save()
    expel(spring)

    shown = [alice.get(each).content.decode() for each in (page(spring), f"/c/{spring.slug}/manage/bans/")]
    shown.append(alice.get(reverse("competitions:manage", args=(spring.slug,))).content.decode())

    assert all("Anna Berg (DE)" in each for each in shown)
