"""The pages of cuts and stages, and what the public reads of them."""

import re
import uuid
from datetime import date
from html import unescape
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Competition, Lots, Round, Stage
from league.organizing.competitions.services import update_competition
from league.organizing.roster.services.roster import withdraw_entrant
from league.play.rounds.services import close_round, open_round
from league.ranking.stages.queries import qualified_players
from league.ranking.stages.services import add_stage, cut_stage
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from scoring.cuts import Terms
from scoring.standings import TIE_BREAKS
from tests.factories import Club, club
from tests.module_fixtures import module_fixture
from tests.shown import said, text

pytestmark = pytest.mark.django_db

FIRST = (45_000, 35_000, 25_000, 15_000)
SECOND = (50_000, 33_000, 22_000, 15_000)


@module_fixture
def here() -> Club:
    """Return a club with two played tables. p4 and p8 are tied in everything, at the end of the list."""
    made = club("spring")
    made.add_round()
    made.record(FIRST)
    made.record(SECOND, number=2)
    close_round(round_=made.rounds[0], by=made.alice)
    return made


@pytest.fixture
def alice(here) -> Client:
    client = Client()
    client.force_login(here.alice)
    return client


def asked(here: Club, **more: object) -> str:
    """The address of a cut that is asked for."""
    values = {
        "name": "Final",
        "source": here.stage.pk,
        "top": 4,
        "carry": "none",
        "head_starts": "40, 30, 20, 10",
        "hanchan": 2,
        "seated": "now",
        "first": 1,
        "wild_cards": 0,
        "wild_card_by": "best_score",
        "picked": "",
    }
    return f"{reverse('stages:cut', args=[here.slug, here.division.slug])}?{urlencode(values | more)}"


def pressed(response, **more: object) -> dict[str, object]:
    """Return the fields of the button that creates the stage."""
    form = response.context["fresh"]
    return {"key": form["key"].value(), "seen": form["seen"].value()} | more


def final_of(here: Club) -> Stage:
    return Stage.objects.select_related("division__competition").get(slug="final")


# --- the cut


def test_the_page_proposes_a_final_of_four(here, alice):
    response = alice.get(reverse("stages:cut", args=[here.slug, "main"]))

    assert [field.name for field in response.context["form"]] == [
        *("name", "source", "top", "carry", "hanchan", "head_starts", "seated"),
        *("first", "wild_cards", "wild_card_by", "picked"),
    ]
    assert response.context["form"]["name"].value() == "Final"
    assert [line.info.key for line in response.context["plan"].inside] == ["p5", "p1", "p2", "p6"]
    assert "Create stage" in text(response)
    assert "Qualifiers for a final" in text(alice.get(reverse("competitions:manage", args=[here.slug])))
    assert Stage.objects.count() == 1


def proposal(here: Club, alice: Client) -> tuple[str, dict[str, object]]:
    """Return where the button of the proposed cut leads, and what it sends."""
    address = reverse("stages:cut", args=[here.slug, "main"])
    look = alice.get(address)
    there = re.search(r'<form method="post" action="(\?[^"]+)"', look.content.decode())[1]
    return address + unescape(there), pressed(look)


def test_the_proposal_is_made_by_its_button_once(here, alice):
    address, sent = proposal(here, alice)

    answers = [alice.post(address, sent) for _twice in range(2)]

    assert [each.url for each in answers] == [reverse("competitions:manage", args=[here.slug])] * 2
    assert list(Stage.objects.values_list("name", flat=True)) == ["Regular season", "Final"]


def test_two_organizers_who_press_at_once_make_one_final(here, alice):
    mine, theirs = (proposal(here, alice) for _organizer in range(2))

    alice.post(*theirs)
    answer = alice.post(*mine)

    assert answer.status_code == 422
    assert "The competition has changed. Review the cut as it would be now." in text(answer)
    assert Stage.objects.count() == 2


@pytest.mark.parametrize(
    ("taken", "proposed"), [([], "Final"), (["Final"], "Final 2"), (["Final", "Final 2"], "Final 3")]
)
def test_the_proposed_name_is_free(here, alice, taken, proposed):
    for name in taken:
        add_stage(division=here.division, name=name, by=here.alice)

    form = alice.get(reverse("stages:cut", args=[here.slug, "main"])).context["form"]

    assert form["name"].value() == proposed


@pytest.mark.parametrize(("planned", "seated"), [(8, "now"), (6, "later")])
def test_the_planned_number_of_qualifiers_is_proposed(here, alice, planned, seated):
    Stage.objects.filter(pk=here.stage.pk).update(planned_cut=planned)

    form = alice.get(reverse("stages:cut", args=[here.slug, "main"])).context["form"]

    assert (form["top"].value(), form["seated"].value()) == (str(planned), seated)


def test_a_competition_with_teams_is_asked_first(here, alice):
    Competition.objects.filter(pk=here.competition.pk).update(team_play="sum")

    response = alice.get(reverse("stages:cut", args=[here.slug, "main"]))

    assert "plan" not in response.context
    assert "Preview the cut" in text(response)


def test_looking_at_a_cut_shows_who_is_in_and_out_and_changes_nothing(here, alice):
    response = alice.get(asked(here))

    plan = response.context["plan"]
    assert [(line.info.key, line.position, line.brought) for line in plan.inside] == [
        ("p5", 1, 400),
        ("p1", 2, 300),
        ("p2", 3, 200),
        ("p6", 4, 100),
    ]
    assert [line.info.key for line in plan.out] == ["p3", "p7", "p4", "p8"]
    assert response.context["why_not"] == ""
    assert "Create stage" in text(response)
    assert (Stage.objects.count(), Round.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "Carried over and head start"),
        ("ja", "持ち越しとスタートポイント"),
        ("zh-hant", "帶入分及起始分"),
        ("zh-hans", "带入分与起始分"),
    ],
)
def test_the_column_of_what_players_bring_names_both_parts(here, alice, language, heading):
    alice.cookies["django_language"] = language

    page = alice.get(asked(here, carry="half"))

    assert re.search(rf'<th class="number"[^>]*>\s*{heading}\s*</th>', page.content.decode())


def test_the_cut_that_was_looked_at_is_made_once(here, alice):
    look = alice.get(asked(here))
    sent = pressed(look)

    first = alice.post(asked(here), sent, follow=True)
    again = alice.post(asked(here), sent)

    final = final_of(here)
    assert first.redirect_chain == [(reverse("competitions:manage", args=[here.slug]), 302)]
    assert said(first) == ["Final created with 4 players."]
    assert again.status_code == 302
    assert Stage.objects.count() == 2
    assert [entrant.head_start for entrant in final.qualified.all()] == [400, 300, 200, 100]
    assert final.rounds.filter(tables__isnull=False).count() == 2


def test_a_cut_that_would_be_another_one_by_now_is_shown_again(here, alice):
    sent = pressed(alice.get(asked(here)))
    withdraw_entrant(entrant=here.competition.entrants.get(key="p5"), by=here.alice)

    response = alice.post(asked(here), sent)

    assert response.status_code == 422
    assert "The competition has changed" in text(response)
    assert [line.info.key for line in response.context["plan"].inside] == ["p1", "p2", "p6", "p3"]
    gone, instead = here.players[4].name, here.players[2].name
    assert f"Not eligible: {gone}. Moved up instead: {instead}." in text(response)
    assert Stage.objects.count() == 1
    assert alice.post(asked(here), pressed(response)).status_code == 302


def test_two_people_who_make_the_same_cut_make_one_stage(here, alice):
    mine, theirs = (pressed(alice.get(asked(here))) for _ in range(2))
    assert alice.post(asked(here), mine).status_code == 302

    response = alice.post(asked(here), theirs)

    assert response.status_code == 422
    assert "The competition has changed" in text(response)
    assert "Already created from Regular season: Final" in text(response)
    assert Stage.objects.count() == 2


def test_the_cut_of_an_open_stage_is_refused_in_words(here, alice):
    open_round(round_=here.rounds[0], by=here.alice)

    response = alice.get(asked(here))

    assert response.context["why_not"].startswith("Still open: round 1.")
    assert "Create stage" not in text(response)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("top", "x", "Enter a whole number."),
        ("top", "-1", "Ensure this value is greater than or equal to 0."),
        ("hanchan", "61", "Ensure this value is less than or equal to 60."),
        ("source", "0", "Select a valid choice. 0 is not one of the available choices."),
        ("head_starts", "40, many", "Enter numbers separated by commas, for example 40, 30, 20, 10, 0."),
        ("head_starts", "2000", "The maximum head start is 1,000. 40 means 40,000 points."),
        ("head_starts", "5, 4, 3, 2, 1", "The number of head starts exceeds the number of players."),
        (
            "picked",
            "Stranger",
            "“Stranger” is not entered in this competition. Check the spelling, or add the player.",
        ),
        ("picked", "p8, p8", "“p8” is listed twice."),
        ("name", "", "This field is required."),
    ],
)
def test_an_error_is_shown_beside_its_field(here, alice, field, value, sentence):
    response = alice.get(asked(here, **{field: value}))

    assert response.context["form"].errors == {field: [sentence]}
    assert "plan" not in response.context


def test_signs_of_score_sheets_are_read_as_head_starts(here, alice):
    response = alice.get(asked(here, head_starts="+10.5、▲5 0/−1"))
    assert response.context["form"].cleaned_data["head_starts"] == (105, -50, 0, -10)


def test_players_chosen_by_hand_and_a_wild_card_are_shown_as_such(here, alice):
    response = alice.get(asked(here, top=2, wild_cards=1, wild_card_by="best_points", picked="p8"))

    assert [(line.info.key, line.how) for line in response.context["plan"].inside] == [
        ("p5", "rank"),
        ("p1", "rank"),
        ("p2", "wild_card"),
        ("p8", "hand"),
    ]
    assert "by wild card" in text(response)
    assert "chosen by hand" in text(response)


def test_a_stage_of_another_division_is_refused_as_source(here, alice):
    other = club("autumn")
    assert list(alice.get(asked(here, source=other.stage.pk)).context["form"].errors) == ["source"]


def test_the_page_takes_as_many_queries_for_a_cut_of_one_as_of_three(here, alice, django_assert_num_queries):
    alice.get(asked(here, top=1, head_starts=""))
    with CaptureQueriesContext(connection) as one:
        alice.get(asked(here, top=1, head_starts="", seated="later"))
    with django_assert_num_queries(len(one)):
        alice.get(asked(here, top=3, head_starts="", seated="later"))


# --- lots


def test_equals_at_the_line_are_drawn_from_the_page_which_comes_back(here, alice):
    address = asked(here, top=7, head_starts="", seated="later")
    look = alice.get(address)
    assert "Draw lots between them first" in look.context["why_not"]
    ((_tied, button),) = look.context["draws"]
    sent = {"key": str(uuid.uuid4()), "players": button["players"].value(), "next": address}

    answer = alice.post(reverse("stages:lots", args=[here.slug, here.stage.pk]), sent, follow=True)
    again = alice.post(reverse("stages:lots", args=[here.slug, here.stage.pk]), sent)

    assert answer.redirect_chain == [(address, 302)]
    assert said(answer) == ["Lots drawn."]
    assert again.status_code == 302
    lots = Lots.objects.get()
    assert answer.context["why_not"] == ""
    assert [line.info.player for line in answer.context["plan"].inside][-1] == lots.drawn_ids[0]
    assert "Tie-break: Drawing lots." in text(answer)
    assert f"seed {lots.seed}" in text(answer)


def test_lots_lead_to_no_other_host(here, alice):
    sent = {"key": str(uuid.uuid4()), "players": "1,2", "next": "https://example.com/"}
    answer = alice.post(reverse("stages:lots", args=[here.slug, here.stage.pk]), sent)
    assert answer.url == reverse("stages:stage", args=[here.slug, here.stage.pk])
    assert Lots.objects.count() == 0


@pytest.mark.parametrize("players", ["", "x", "1,,2", "9" * 30, "1;2"])
def test_lots_between_no_players_are_refused(here, alice, players):
    address = reverse("stages:lots", args=[here.slug, here.stage.pk])
    answer = alice.post(address, {"key": str(uuid.uuid4()), "players": players}, follow=True)
    assert said(answer) == ["This form was incomplete. Reload the page and try again."]
    assert Lots.objects.count() == 0


def test_the_page_of_a_stage_offers_lots_to_who_is_equal_at_its_end(here, alice):
    address = reverse("stages:stage", args=[here.slug, here.stage.pk])
    assert [len(tied) for tied, _form in alice.get(address).context["draws"]] == [2]

    open_round(round_=here.rounds[0], by=here.alice)
    assert alice.get(address).context["draws"] == []


# --- a stage


@pytest.fixture
def final(here) -> Stage:
    return cut_stage(
        source=here.stage,
        name="Final",
        terms=Terms(top=4, head_starts=(400, 300)),
        carry="half",
        hanchan=1,
        seated=True,
        by=here.alice,
    )


def test_a_stage_says_who_came_into_it_and_how(here, alice, final):
    page = text(alice.get(reverse("stages:stage", args=[here.slug, final.pk])))

    assert "Ranks 1 to 4 of Regular season." in page
    assert "+40.0 by rank" in page
    assert "Undo this stage" in page


def test_the_page_tells_what_has_changed_since_the_cut(here, alice, final):
    withdraw_entrant(entrant=here.competition.entrants.get(key="p1"), by=here.alice)

    page = text(alice.get(reverse("stages:stage", args=[here.slug, final.pk])))

    gone, instead = here.players[0].name, here.players[2].name
    assert f"A cut made now would differ. Out: {gone}. In: {instead}." in page
    assert "left since" in page


def test_a_penalty_after_the_cut_is_said_on_the_organizer_s_page_too(here, alice, final):
    manage = reverse("competitions:manage", args=[here.slug])
    changed = "Results have changed since the cut. A cut made now would differ."
    first = here.players[4]  # 50,000 points
    assert changed not in text(alice.get(manage))

    penalty = log_penalty(
        stage=here.stage,
        round_=here.rounds[0],
        player_id=first.pk,
        score=-2000,
        reason="late",
        by=here.bob,
    )

    assert changed in text(alice.get(manage))
    assert f"Out: {first.name}." in text(alice.get(manage))
    assert changed in text(alice.get(reverse("stages:stage", args=[here.slug, final.pk])))
    revoke_penalty(penalty=penalty, reason="on time", by=here.bob)
    assert changed not in text(alice.get(manage))


def test_a_stage_is_undone_once_and_a_second_press_says_nothing_wrong(here, alice, final):
    address = reverse("stages:undo", args=[here.slug, final.pk])
    sent = {"key": str(uuid.uuid4())}

    answer = alice.post(address, sent, follow=True)
    again = alice.post(address, sent)

    assert answer.redirect_chain == [(reverse("competitions:manage", args=[here.slug]), 302)]
    assert said(answer) == ["Final undone."]
    assert (again.status_code, again.url) == (302, reverse("competitions:manage", args=[here.slug]))
    assert Stage.objects.count() == 1
    assert alice.post(address, {"key": str(uuid.uuid4())}).status_code == 404


def test_the_first_stage_is_not_undone(here, alice):
    page = reverse("stages:stage", args=[here.slug, here.stage.pk])
    answer = alice.post(
        reverse("stages:undo", args=[here.slug, here.stage.pk]), {"key": str(uuid.uuid4())}, follow=True
    )
    assert answer.redirect_chain == [(page, 302)]
    assert said(answer) == ["The first stage of a division cannot be removed."]
    assert "Undo this stage" not in text(alice.get(page))


@pytest.mark.parametrize("name", ["stages:undo", "stages:lots"])
def test_buttons_take_no_get(here, alice, name):
    assert alice.get(reverse(name, args=[here.slug, here.stage.pk])).status_code == 405


# --- seating


def test_only_who_came_through_the_cut_is_drawn(here, alice):
    final = cut_stage(
        source=here.stage, name="Final", terms=Terms(top=4), carry="none", hanchan=1, by=here.alice
    )
    response = alice.get(reverse("seating:by_hand", args=[here.slug, final.rounds.get().pk]) + "?how=random")
    assert {info.player for info, _out in response.context["pool"]} == set(qualified_players(final))


# --- what everyone reads


def test_the_standings_tell_how_the_players_came_and_what_they_carry(here, final):
    page = text(Client().get(reverse("standings:stage", args=[here.slug, "main", final.slug])))

    assert "Qualification for Final" in page
    assert "Ranks 1 to 4 of Regular season." in page
    assert (
        "“Carried over” is half of the total of the previous stage. It includes the head start from the cut."
        in page
    )
    assert "+72.5" in page  # half of 65.0, and 40.0


def test_a_players_page_says_what_they_brought_in(here, final):
    for number, sentence in (
        (1, "Carried over, including the head start from the cut"),
        (6, "Carried over from the stage before"),
    ):
        entrant = here.competition.entrants.get(key=f"p{number}")
        page = text(Client().get(reverse("standings:player", args=[here.slug, entrant.pk])))
        assert sentence in page


def test_lots_that_decided_are_shown_with_the_standings(here, alice):
    address = reverse("stages:stage", args=[here.slug, here.stage.pk])
    ((_tied, button),) = alice.get(address).context["draws"]
    sent = {"key": str(uuid.uuid4()), "players": button["players"].value()}
    alice.post(reverse("stages:lots", args=[here.slug, here.stage.pk]), sent)
    standings = reverse("standings:stage", args=[here.slug, "main", here.stage.slug])
    assert "Lots drawn on" not in text(Client().get(standings))

    update_competition(competition=here.competition, values={"tie_breaks": ["lots"]}, by=here.alice)

    page = text(Client().get(standings))
    assert "Total equal to the rank above. Tie-break: Drawing lots. Lots are drawn once" in page
    assert f"seed {Lots.objects.get().seed}" in page


def test_every_tie_break_is_explained_on_the_settings_page_and_can_be_chosen(here, alice):
    address = reverse("competitions:settings_ties", args=[here.slug])
    response = alice.get(address)

    chosen = dict(response.context["form"]["tie_1"].field.choices)
    assert [name for name in chosen if name] == list(TIE_BREAKS)
    assert [field.name for field in response.context["form"].tie_fields] == [f"tie_{n}" for n in range(1, 7)]
    update_competition(
        competition=here.competition, values={"tie_breaks": list(TIE_BREAKS)[:7]}, by=here.alice
    )
    assert len(alice.get(address).context["form"].tie_fields) == 9
    page = text(response)
    for _label, explanation in response.context["tie_breaks"]:
        assert explanation in page


def test_the_rank_of_last_season_is_noted_with_the_player(here, alice):
    entrant = here.competition.entrants.get(key="p8")
    address = reverse("roster:edit", args=[here.slug, entrant.pk])

    def save(rank: object) -> object:
        form = alice.get(address).context["form"]
        sent = {field.name: field.value() or "" for field in form} | {"previous_rank": rank}
        return alice.post(address, sent)

    assert save("x").context["form"].errors == {"previous_rank": ["Enter a whole number."]}
    for rank in (3, 3, ""):
        assert save(rank).status_code == 302
        entrant.refresh_from_db()
        assert entrant.previous_rank == (rank or None)
    log = here.competition.audit_entries.filter(action="entrant.previous_rank").order_by("sequence")
    assert [(entry.before["previous_rank"], entry.after["previous_rank"]) for entry in log] == [
        (None, 3),
        (3, None),
    ]
    audit_log = text(alice.get(reverse("audit_log:index", args=[here.slug])))
    assert "recorded a player’s rank of last season" in audit_log


def test_hidden_preliminaries_are_published_with_one_press_after_the_cut(here, alice):
    update_competition(
        competition=here.competition,
        values={"first_day": date(2026, 11, 21), "last_day": date(2026, 11, 22)},
        by=here.alice,
    )
    Round.objects.filter(stage=here.stage).update(visibility="hidden")
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get(pk=here.stage.pk)
    made = cut_stage(source=stage, name="Final", terms=Terms(top=4), carry="none", hanchan=1, by=here.alice)
    manage = reverse("competitions:manage", args=[here.slug])
    assert "Publish 1 hidden round" in text(alice.get(manage))

    sent = {"key": str(uuid.uuid4()), "round": here.rounds[0].pk}
    alice.post(reverse("rounds:publish", args=[here.slug]), sent)

    assert "hidden round" not in text(alice.get(manage))
    rounds = Round.objects.filter(stage__division=here.division).order_by("stage__position")
    assert list(rounds.values_list("stage", "visibility", "date")) == [
        (here.stage.pk, "results", None),
        (made.pk, "hidden", date(2026, 11, 22)),
    ]
