"""Results that are brought in two steps: shown, then saved once."""

import io
import uuid
import zipfile

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult
from openpyxl import Workbook

from league.models import Competition, KeptFile, Role, Round, Sheet, Stage, Table
from league.organizing.brought import views
from league.organizing.brought.queries.plans import last_brought
from league.organizing.brought.tasks import save_results
from league.ranking.standings.queries.standings import standings
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.shown import html, said
from tests.shown import text as text_of

pytestmark = pytest.mark.django_db

GAME = "day,player,points\n2026-03-14,Anna,41000\n,Ben,33000\n,Cara,26000\n,Dan,20000\n"


@pytest.fixture
def spring() -> Club:
    return club(players=0)


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def address(here: Club, page: str) -> str:
    return reverse(f"brought:{page}", args=(here.slug,))


def check(client: Client, here: Club, text: str = "", **more: object):
    return client.post(address(here, "bring"), {"text": text, "stage": here.stage.pk} | more)


def save(client: Client, here: Club, text: str = GAME, **more: object):
    data = {"key": uuid.uuid4(), "text": text, "stage": here.stage.pk, "save": "1"} | more
    return client.post(address(here, "preview"), data, follow=True)


def check_again(client: Client, here: Club, text: str, **more: object):
    data = {"key": uuid.uuid4(), "text": text, "stage": here.stage.pk} | more
    return client.post(address(here, "preview"), data)


def test_manage_leads_to_the_page(spring, alice):
    assert address(spring, "bring") in html(alice.get(reverse("competitions:manage", args=(spring.slug,))))


def test_the_first_step_shows_every_table_and_saves_nothing(spring, alice):
    response = check(alice, spring, GAME)

    assert response.status_code == 200
    assert "Anna 41,000 +" in text_of(response)
    assert not Table.objects.exists()
    assert not Player.objects.exists()


def test_the_second_step_saves_and_shows_the_standings(spring, alice):
    response = save(alice, spring)

    assert said(response) == ["1 table saved. 4 players added."]
    assert response.redirect_chain == [
        (reverse("standings:stage", args=(spring.slug, spring.division.slug, spring.stage.slug)), 302)
    ]
    assert Sheet.objects.get().east == 41000


def test_a_form_sent_twice_saves_once(spring, alice):
    key = uuid.uuid4()

    answers = [save(alice, spring, key=key) for _ in range(2)]

    assert [said(answer) for answer in answers] == [["1 table saved. 4 players added."]] * 2
    assert Table.objects.count() == 1


def test_a_list_brought_again_says_what_is_known(spring, alice):
    save(alice, spring)

    response = check(alice, spring, GAME)

    assert "saved before: skipped" in text_of(response)
    assert 'name="save"' not in html(response)


def test_each_problem_is_shown_with_its_row(spring, alice):
    response = check(alice, spring, GAME.replace("20000", "19000"))

    shown = text_of(response)
    assert "1,000 missing: the four scores sum to 119,000, not 120,000." in shown
    assert 'name="save"' not in html(response)


def test_tables_with_a_problem_are_left_out_after_a_tick(spring, alice):
    text = GAME + "2026-03-15,Ida,1\n,Jan,2\n,Kim,3\n,Leo,4\n"

    response = save(alice, spring, text, leave_out="on")

    assert said(response) == ["1 table saved. 4 players added."]


def test_what_has_no_problem_is_saved_with_a_button(spring, alice):
    text = GAME + "2026-03-15,Ida,1\n,Jan,2\n,Kim,3\n,Leo,4\n"

    first = check(alice, spring, text)
    response = save(alice, spring, text, save="rest")

    assert "Save without what has a problem Check again" in text_of(first)
    assert said(response) == ["1 table saved. 4 players added."]


def test_a_refused_save_keeps_the_list(spring, alice):
    response = save(alice, spring, GAME.replace("20000", "19000"))

    assert response.status_code == 422
    assert "Nothing was saved" in text_of(response)
    assert "19000" in html(response)


def test_a_workbook_is_read(spring, alice):
    book = Workbook()
    for row in (["Date", "Spieler", "Punkte"], *(["14.3.2026", name, 30000] for name in "ABCD")):
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)

    response = check(alice, spring, file=SimpleUploadedFile("season.xlsx", data.getvalue()))

    assert "A 30,000 0.0 B 30,000 0.0 C 30,000 0.0 D 30,000 0.0 new table" in text_of(response)


def test_another_meaning_of_a_column_is_read(spring, alice):
    text = "when,who,result\n2026-03-14,A,30000\n,B,30000\n,C,30000\n,D,30000\n"

    response = save(alice, spring, text, columns=["day", "player", "points"], has_headings="true")

    assert said(response) == ["1 table saved. 4 players added."]


def test_dates_that_may_be_read_in_both_orders_can_be_changed(spring, alice):
    text = GAME.replace("2026-03-14", "3/4/2026")

    first = check(alice, spring, text)
    save(alice, spring, text, order="month")

    assert "Dates such as 3/4/2026" in text_of(first)
    assert Table.objects.get().round.date.isoformat() == "2026-03-04"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"text": ""}, "Paste the results, or choose a file."),
        ({"text": GAME, "encoding": "klingon"}, "Select a valid choice."),
    ],
)
def test_a_bad_first_form_is_shown_again(spring, alice, data, sentence):
    response = check(alice, spring, **data)

    assert response.status_code == 422
    assert sentence in text_of(response)


def test_an_unreadable_file_is_refused_with_its_remedy(spring, alice):
    response = check(alice, spring, file=SimpleUploadedFile("x.xlsx", b"PK\x03\x04broken"))

    assert response.status_code == 422
    assert "This workbook cannot be read." in text_of(response)


@pytest.mark.parametrize("bad", [{"text": ""}, {"stage": "no"}, {"key": "no"}, {"read_as": "klingon"}])
def test_a_bad_second_form_saves_nothing(spring, alice, bad):
    assert save(alice, spring, **bad).status_code == 422
    assert not Table.objects.exists()


def test_names_and_cells_are_escaped(spring, alice):
    page = html(check(alice, spring, GAME.replace("Anna", "<b>A</b>").replace("day", "<i>d</i>")))

    assert "<b>A" not in page
    assert "<i>d" not in page


def test_what_was_brought_is_undone_by_a_button(spring, alice):
    save(alice, spring)
    shown = text_of(alice.get(address(spring, "bring")))

    data = {"key": uuid.uuid4(), "entry": last_brought(spring.competition).pk}
    response = alice.post(address(spring, "undo"), data, follow=True)

    assert "1 table brought on" in shown
    assert said(response) == ["Results undone. The players stay in the list of players."]
    assert not Table.objects.exists()


def test_a_button_without_an_entry_undoes_nothing(spring, alice):
    save(alice, spring)

    alice.post(address(spring, "undo"), {"key": uuid.uuid4()})

    assert Table.objects.count() == 1


@pytest.mark.parametrize("page", ["bring", "preview", "undo"])
def test_others_do_not_get_in(spring, page):
    for person, status in ((spring.charlie, 403), (spring.bob, 403)):
        assert signed_in(person).post(address(spring, page), {"text": GAME}).status_code == status
    assert Client().post(address(spring, page), {"text": GAME}).status_code == 302
    assert not Table.objects.exists()


def test_pages_answer_only_their_methods(spring, alice):
    assert alice.put(address(spring, "bring")).status_code == 405
    assert alice.get(address(spring, "preview")).status_code == 303
    assert alice.get(address(spring, "undo")).status_code == 405


def test_a_finished_competition_takes_no_results(spring, alice):
    Competition.objects.update(finished_at="2026-05-01T00:00Z")

    assert save(alice, spring).status_code == 422
    assert not Table.objects.exists()


def near_game(here: Club) -> str:
    """A game of four, of whom one is nearly a known player."""
    here.add_players(1)
    Player.objects.update(name="Émile")
    return GAME.replace("Anna", "Emile")


def test_a_near_name_is_a_choice_without_a_default(spring, alice):
    response = check(alice, spring, near_game(spring))

    page = html(response)
    assert "Emile Choose … Émile, already entered A new person" in text_of(response)
    assert "selected>Émile" not in page
    assert 'name="save"' in page


def test_near_new_names_are_a_choice(spring, alice):
    text = GAME + GAME.removeprefix("day,player,points\n").replace("03-14", "03-15")
    text = text.replace("Anna", "Anna Schmidt", 1).replace("Anna,", "Anna Schmitt,")

    first = check(alice, spring, text)
    chosen = check_again(alice, spring, text, picks=["5:like:1"])

    choices = "Anna Schmitt Choose … The same person as Anna Schmidt in this list A new person"
    assert choices in text_of(first)
    assert "Anna Schmitt 1 as another name of this list" in text_of(chosen)


def test_saving_names_who_is_undecided(spring, alice):
    response = save(alice, spring, near_game(spring))

    assert response.status_code == 422
    assert "Choose below who these people are: Emile." in text_of(response)


def test_a_choice_is_saved(spring, alice):
    text, emile = near_game(spring), Player.objects.get()

    response = save(alice, spring, text, picks=["", f"1:same:{emile.pk}"])

    assert said(response) == ["1 table saved. 3 players added."]


def test_the_preview_says_which_round_takes_the_tables(spring, alice):
    Round.objects.create(stage=spring.stage, number=7, date="2026-03-14")

    response = check(alice, spring, GAME)

    shown = text_of(response)
    assert (
        "Round 7 exists without results of these players: 1 table goes there. It starts with saving." in shown
    )
    assert "in round 7" in shown
    assert "new rounds are saved" not in shown


def test_the_league_leads_to_its_competitions(spring, alice):
    league = html(alice.get(reverse("competitions:league", args=(spring.competition.league.slug,))))
    address_of_choice = reverse("brought:choose", args=(spring.competition.league.slug,))

    choice = html(alice.get(address_of_choice))

    assert address_of_choice in league
    assert address(spring, "bring") in choice
    assert f"{reverse('competitions:new')}?league=" in choice


def test_finished_competitions_are_not_offered(spring, alice):
    Competition.objects.update(finished_at="2026-05-01T00:00Z")

    page = html(alice.get(reverse("brought:choose", args=(spring.competition.league.slug,))))

    assert address(spring, "bring") not in page


def test_a_league_of_others_is_not_shown(spring):
    address_of_choice = reverse("brought:choose", args=(spring.competition.league.slug,))

    assert signed_in(spring.charlie).get(address_of_choice).status_code in {403, 404}
    assert Client().get(address_of_choice).status_code == 302


def test_the_preview_shows_the_standings_that_come_out(spring, alice):
    save(alice, spring)
    text = GAME.replace("03-14", "03-21").replace("Dan", "Eva")

    shown = text_of(check(alice, spring, text))

    assert "Standings with these results" in shown
    known = standings(spring.stage, public=False)
    save(alice, spring, text)
    spring.stage.refresh_from_db()
    after = [
        (line.row.rank, line.player.name, line.row.games)
        for line in standings(Stage.objects.with_rules().get(), public=False).rows
    ]
    assert known.tables == 1
    for rank, name, games in after:
        assert f"{rank} {name} {games} " in shown


def test_another_score_in_the_list_is_marked(spring, alice):
    text = "player,points,score\nAnna,41000,1\nBen,33000,2\nCara,26000,-1\nDan,20000,-2\n"

    shown = text_of(check(alice, spring, text))

    assert "The scores of 1 table differ" in shown
    assert "list: +1.0" in shown


def test_equal_scores_are_not_marked(spring, alice):
    first = check(alice, spring, GAME)
    plan = first.context["plan"]
    scores = [seat.score / 10 for seat in plan.games[0].four]
    lines = ["player,points,score"]
    lines += [
        f"{seat.name},{seat.points},{score}" for seat, score in zip(plan.games[0].four, scores, strict=True)
    ]

    shown = text_of(check(alice, spring, "\n".join(lines)))

    assert "differ" not in shown


ROUNDS = "player,R1,R2\nAnna,51.0,-3.2\nBen,8.0,\nCara,-24.0,3.2\nDan,-35.0,\n"


def test_a_list_without_tables_says_what_it_carries_in(spring, alice):
    shown = text_of(check(alice, spring, ROUNDS))

    assert "Who sat at which table is missing in this list." in shown
    assert "Anna R1 +51.0 R2 −3.2 2 +47.8 carried in" in shown
    assert "1 Anna 2 +47.8" in shown


def test_points_carried_in_are_marked_in_the_standings_and_on_the_page_of_the_player(spring, alice):
    response = save(alice, spring, ROUNDS, note="Season 2025")

    assert said(response) == ["Points of 4 players carried in. 4 players added."]
    assert "† Carried in from a list without tables." in text_of(response)
    assert "2 †" in text_of(response)
    entrant = spring.competition.entrants.get(player__name="Anna")
    page = text_of(alice.get(reverse("standings:player", args=(spring.slug, entrant.pk))))
    assert "carried in · 1 game without a table · Season 2025: R1 +51.0 +51.0" in page


def test_a_screen_shows_points_that_were_carried_in(spring, alice):
    wall = reverse("standings:screen", args=[spring.slug])
    assert "No results yet" in text_of(alice.get(wall))
    save(alice, spring, ROUNDS)
    assert "1 Anna +47.8 2 Ben +8.0" in text_of(alice.get(wall))


def test_a_list_of_totals_has_no_empty_columns_and_no_warning(spring, alice):
    page = text_of(check(alice, spring, "Pl.,player,total\n1,Anna,12.3\n2,Ben,-12.3\n"))

    assert "These columns are not needed: Pl." in page
    assert "These columns are ignored" not in page
    assert "Player Score Saved as Anna +12.3 carried in" in page


def test_a_list_of_rounds_shows_rounds_and_games(spring, alice):
    page = text_of(check(alice, spring, "player,R1,R2\nAnna,12.3,1\nBen,-12.3,-1\n"))

    assert "Player Rounds Games Score Saved as Anna R1 +12.3 R2 +1.0 2 +13.3 carried in" in page


# --- long lists are saved by the worker


def many(tables: int) -> str:
    """A list of tables, each in a round of its own, of the same four."""
    lines = ["round,player,points"]
    for number in range(1, tables + 1):
        lines += [f"{number},{name},{points}" for name, points in zip("ABCD", (41, 33, 26, 20), strict=True)]
    return "\n".join(lines)


@pytest.fixture
def few(monkeypatch) -> None:
    monkeypatch.setattr(views, "MOST_IN_REQUEST", 2)


@pytest.fixture
def tasks(settings) -> None:
    """Tasks wait for the worker."""
    backend = "django_tasks_db.DatabaseBackend"
    settings.TASKS = {"default": {"BACKEND": backend, "QUEUES": ["files", "long", "outbox"]}}


def send(client: Client, here: Club, text: str, key: uuid.UUID, **more: object):
    data = {"key": key, "text": text, "stage": here.stage.pk, "save": "1"} | more
    return client.post(address(here, "preview"), data)


def work(key: uuid.UUID) -> None:
    """Run the task of this form as the worker does."""
    (result,) = DBTaskResult.objects.filter(args_kwargs__args__0=str(key))
    arguments = result.args_kwargs
    DBTaskResult.objects.filter(pk=result.pk).update(status=TaskResultStatus.RUNNING)
    save_results.func(*arguments["args"], **arguments["kwargs"])
    DBTaskResult.objects.filter(pk=result.pk).delete()


def saving_page(here: Club, key: uuid.UUID) -> str:
    return reverse("brought:saving", args=(here.slug, key))


def test_a_long_list_is_saved_by_the_worker_with_a_link_to_the_standings(spring, alice, few, tasks):
    key = uuid.uuid4()

    sent = send(alice, spring, many(3), key)

    assert sent.url == saving_page(spring, key)
    assert not Table.objects.exists()
    assert "The list waits for other work of this server." in text_of(alice.get(sent.url))
    work(key)
    assert Table.objects.count() == 3
    assert "3 tables saved. 4 players added. Standings" in text_of(alice.get(sent.url))
    polled = alice.get(sent.url, headers={"HX-Request": "true"})
    standings_page = reverse("standings:stage", args=(spring.slug, spring.division.slug, spring.stage.slug))
    assert polled.headers["HX-Redirect"] == standings_page
    assert said(alice.get(standings_page)) == ["3 tables saved. 4 players added."]


def test_a_long_list_that_is_sent_twice_is_saved_once(spring, alice, few, tasks):
    key = uuid.uuid4()

    for _again in range(2):
        assert send(alice, spring, many(3), key).url == saving_page(spring, key)
    work(key)
    send(alice, spring, many(3), key)

    assert Table.objects.count() == 3
    assert not DBTaskResult.objects.exists()
    assert "3 tables saved." in text_of(alice.get(saving_page(spring, key)))


def test_a_task_that_runs_twice_saves_once(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    arguments = DBTaskResult.objects.get().args_kwargs
    kept = KeptFile.objects.get().content

    save_results.func(*arguments["args"], **arguments["kwargs"])
    KeptFile.objects.update(content=kept)  # it was killed before it noted its end
    save_results.func(*arguments["args"], **arguments["kwargs"])

    assert Table.objects.count() == 3
    assert "3 tables saved." in text_of(alice.get(saving_page(spring, key)))


def test_a_task_that_runs_again_after_its_end_keeps_its_answer(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    arguments = DBTaskResult.objects.get().args_kwargs

    for _again in range(2):
        save_results.func(*arguments["args"], **arguments["kwargs"])

    assert "3 tables saved." in text_of(alice.get(saving_page(spring, key)))


def test_the_list_of_a_person_who_no_longer_organizes_is_not_saved(spring, alice, few, tasks):
    key, role = uuid.uuid4(), {"user": spring.bob, "kind": Role.Kind.ORGANIZER}
    spring.competition.roles.create(**role)
    send(signed_in(spring.bob), spring, many(3), key)
    spring.competition.roles.filter(**role).delete()

    work(key)

    assert not Table.objects.exists()
    assert "You no longer have this role." in text_of(alice.get(saving_page(spring, key)))


def test_the_list_of_a_closed_account_is_not_saved(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    User.objects.filter(pk=spring.alice.pk).update(is_active=False)

    work(key)

    assert not Table.objects.exists()


def test_the_same_list_from_two_tabs_is_saved_once_and_the_other_says_so(spring, alice, few, tasks):
    first, second = uuid.uuid4(), uuid.uuid4()
    send(alice, spring, many(3), first)
    send(alice, spring, many(3), second)

    work(first)
    work(second)

    refused = alice.get(saving_page(spring, second))
    assert Table.objects.count() == 3
    assert "Nothing was saved: all results of this list were saved before." in text_of(refused)


def test_a_refusal_of_the_worker_is_shown_with_the_list(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    Stage.objects.filter(pk=spring.stage.pk).update(play=Stage.Play.OPEN)

    work(key)

    polled = alice.get(saving_page(spring, key), headers={"HX-Request": "true"})
    refused = alice.get(saving_page(spring, key))
    assert polled.headers["HX-Redirect"] == saving_page(spring, key)
    assert not Table.objects.exists()
    assert "Nothing was saved: something needs your attention." in text_of(refused)
    assert "Free play needs the day of each table." in text_of(refused)
    assert "3,D,20" in html(refused)
    assert f'value="{key}"' not in html(refused)


def test_a_long_list_that_is_interrupted_says_so(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    DBTaskResult.objects.update(status=TaskResultStatus.FAILED)

    assert "Saving was interrupted. Nothing was saved." in text_of(alice.get(saving_page(spring, key)))


def test_another_list_under_the_key_of_a_long_one_is_refused(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)

    assert send(alice, spring, many(4), key).status_code == 422


def test_the_list_of_another_competition_is_not_shown(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    other = club("other", players=0)

    page = signed_in(other.alice).get(saving_page(other, key))

    assert page.url == address(other, "bring")


def test_a_long_list_is_undone_in_one_step(spring, alice, few, tasks):
    key = uuid.uuid4()
    send(alice, spring, many(3), key)
    work(key)

    alice.post(address(spring, "undo"), {"key": uuid.uuid4(), "entry": last_brought(spring.competition).pk})

    assert not Table.objects.exists()


# --- bad files


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def book_of(*rows: list[object]) -> bytes:
    book, data = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("season.xlsx", zipped("xl/worksheets/sheet1.xml", bytes(200_000_000)), "too large when unpacked"),
        ("season.csv", b"a,b\n" * 1_000_000, "This text is too long for one import."),
        ("season.csv", b"day,player,points\n" + b",A,1\n" * 12_000, "A list has at most 10000 rows."),
        ("season.csv", GAME.replace("Anna", "=1+1").encode(), "“=1+1” is not a name."),
        ("season.xlsx", book_of([]), "This workbook is empty."),
        (
            "season.csv",
            b"title,author\nEmma,Jane Austen\n",
            "The columns with players and points were not found.",
        ),
        ("season.csv", b"%PDF-1.7", "This is not a table."),
        ("log.json", b'{"title": ["", ""], "name": []}', "Games of a server belong on the page “Game logs”"),
        ("club.vcf", b"BEGIN:VCARD\nFN:Anna\nEND:VCARD", "These are contacts (vCard)"),
    ],
    ids=[
        "200 MB",
        "a million rows",
        "12,000 rows",
        "formula",
        "empty",
        "another table",
        "PDF",
        "JSON",
        "vCard",
    ],
)
def test_a_bad_file_is_refused_with_what_to_do(spring, alice, name, data, sentence):
    page = text_of(check(alice, spring, file=SimpleUploadedFile(name, data)))

    assert sentence in page
    assert not Player.objects.exists()


def test_a_formula_as_a_name_is_not_saved(spring, alice):
    response = save(alice, spring, GAME.replace("Anna", "=1+1"))

    assert response.status_code == 422
    assert not Player.objects.exists()
