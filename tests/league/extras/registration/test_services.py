"""Places, the waiting list, the roster and the mails."""

import random
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from league.core.errors import Refused
from league.extras.registration.queries import announced, entries_of, position_of
from league.extras.registration.services import (
    confirm,
    decide,
    enter_registrant,
    erase_registrant,
    note_payment,
    register,
    set_known_numbers,
    update_own,
    withdraw,
)
from league.models import Ban, Competition, Entrant, KnownNumber, Outgoing, Registrant, Registration, Role
from league.organizing.competitions.services import create_competition
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.personal_data.exports import player_facts
from league.organizing.personal_data.services import erase_player, remove_expired_registrations
from league.organizing.roster.services.roster import remove_entrant, withdraw_entrant
from league.people.register.services import PlayerValues, values_of
from players.models import Player
from tests.factories import Club, club, last_entry
from tests.league.extras.registration.kit import (
    SITE,
    State,
    differences,
    enrol,
    mails,
    names,
    open_registration,
    roster,
    sign_up,
)


@pytest.fixture
def empty(db) -> Club:
    return club(players=0)


def act(empty: Club, action: str, *registrants: Registrant) -> int:
    pks = [each.pk for each in registrants]
    return decide(competition=empty.competition, registrants=pks, action=action, site=SITE, by=empty.alice)


# --- the list is always right


@pytest.mark.parametrize(
    ("people_in_all", "places", "seed"),
    [(20, 10, 0), *(pytest.param(60, 32, seed, marks=pytest.mark.slow) for seed in range(3))],
)
def test_more_people_than_places_in_random_order(empty, people_in_all, places, seed):
    """Compare the lists after every step with a model of two plain lists."""
    chance = random.Random(seed)
    registration = open_registration(empty, places=places)
    people = [sign_up(registration, f"Person {number:02}") for number in range(people_in_all)]
    accepted: list[str] = []
    queue: list[str] = []
    unconfirmed, gone = list(people), set()

    def fill() -> None:
        while queue and len(accepted) < places:
            accepted.append(queue.pop(0))

    while unconfirmed or chance.random() < 0.9:
        inside = [each for each in people if each.name in [*accepted, *queue]]
        move = chance.choices(["confirm", "withdraw", "decline", "wait"], [8, 3, 1, 1])[0]
        if move == "confirm" and unconfirmed:
            person = unconfirmed.pop(chance.randrange(len(unconfirmed)))
            confirm(registrant=person, site=SITE)
            queue.append(person.name)
        elif move == "wait" and accepted and queue:
            person = next(each for each in people if each.name == chance.choice(accepted))
            act(empty, "wait", person)
            accepted.remove(person.name)
            queue.append(person.name)
        elif move in ("withdraw", "decline") and inside:
            person = chance.choice(inside)
            if move == "withdraw":
                withdraw(registrant=person, site=SITE)
            else:
                act(empty, "decline", person)
            (accepted if person.name in accepted else queue).remove(person.name)
            gone.add(person.name)
        fill()
        assert sorted(names(registration, State.ACCEPTED)) == sorted(accepted)
        assert names(registration, State.WAITING) == queue
        assert roster(empty) == set(accepted)
    assert len(accepted) + len(queue) + len(gone) == people_in_all
    assert gone


def test_the_waiting_list_moves_up_with_a_mail(empty):
    registration = open_registration(empty, places=1)
    first, second = enrol(registration, "Ann"), enrol(registration, "Ben")
    third = enrol(registration, "Cho")
    assert [position_of(each) for each in (second, third)] == [1, 2]
    before = len(mails())
    withdraw(registrant=first, site=SITE)
    assert names(registration, State.ACCEPTED) == ["Ben"]
    assert names(registration, State.WAITING) == ["Cho"]
    sent = [(to, subject) for to, subject, _text in mails()[before:]]
    assert sent == [
        ("ann@example.org", "Registration withdrawn: League spring"),
        ("ben@example.org", "Registration accepted: League spring"),
    ]


def test_more_places_go_to_the_waiting_list_at_once(empty):
    registration = open_registration(empty, places=1)
    for name in ("Ann", "Ben", "Cho"):
        enrol(registration, name)
    open_registration(empty, places=2)
    assert names(registration, State.ACCEPTED) == ["Ann", "Ben"]
    open_registration(empty, places=1)  # no one loses a place that they have
    assert names(registration, State.ACCEPTED) == ["Ann", "Ben"]
    open_registration(empty, places=None)
    assert names(registration, State.WAITING) == []


def test_without_a_waiting_list_the_last_place_ends_it(empty):
    registration = open_registration(empty, places=1, has_waiting_list=False)
    late = sign_up(registration, "Ben")
    enrol(registration, "Ann")
    with pytest.raises(Refused, match="All places are taken"):
        confirm(registrant=late, site=SITE)
    assert names(registration, State.UNCONFIRMED) == ["Ben"]


def test_an_unconfirmed_entry_holds_nothing(empty):
    registration = open_registration(empty, places=1)
    sign_up(registration, "Ann")
    enrol(registration, "Ben")
    assert names(registration, State.ACCEPTED) == ["Ben"]
    assert roster(empty) == {"Ben"}


def test_an_entry_confirms_once_and_in_time(empty):
    registration = open_registration(empty)
    found = sign_up(registration, "Ann")
    Registrant.objects.filter(pk=found.pk).update(created_at=timezone.now() - timedelta(hours=49))
    with pytest.raises(Refused, match="expired"):
        confirm(registrant=found, site=SITE)
    again = sign_up(registration, "Ann")  # who registers again has the time again
    assert again.pk == found.pk
    confirm(registrant=again, site=SITE)
    with pytest.raises(Refused, match="already confirmed"):
        confirm(registrant=again, site=SITE)


# --- moderation


def test_an_organizer_accepts_declines_and_uses_the_waiting_list(empty):
    registration = open_registration(empty, places=2, is_moderated=True)
    ann, ben, cho, dan = (enrol(registration, name) for name in ("Ann", "Ben", "Cho", "Dan"))
    assert names(registration, State.PENDING) == ["Ann", "Ben", "Cho", "Dan"]
    assert roster(empty) == set()
    assert act(empty, "accept", ann, ben) == 2
    with pytest.raises(Refused, match="All places are taken"):
        act(empty, "accept", cho)
    act(empty, "wait", cho)
    act(empty, "decline", dan)
    withdraw(registrant=ann, site=SITE)
    assert names(registration, State.WAITING) == ["Cho"]  # with moderation no one moves up alone
    assert act(empty, "accept", cho, ben) == 1
    assert roster(empty) == {"Ben", "Cho"}
    assert names(registration, State.DECLINED) == ["Dan"]


def test_a_bulk_action_is_done_as_a_whole_or_not_at_all(empty):
    registration = open_registration(empty, places=1, is_moderated=True)
    ann, ben = enrol(registration, "Ann"), enrol(registration, "Ben")
    with pytest.raises(Refused):
        act(empty, "accept", ann, ben)
    assert names(registration, State.PENDING) == ["Ann", "Ben"]
    assert roster(empty) == set()


def test_two_people_of_one_name_in_one_bulk_action_are_a_doubt(empty):
    registration = open_registration(empty, is_moderated=True)
    known = Player.objects.create(register=empty.league.register, name="Known One")
    pairs = [
        enrol(registration, name, email=f"{number}@example.org")
        for name in ("New One", "Known One")
        for number in (1, 2)
    ]
    assert act(empty, "accept", *pairs) == 4
    lines = [each for each in entries_of(registration) if each.is_missing]
    assert [(each.name, each.email) for each in lines] == [
        ("New One", "2@example.org"),
        ("Known One", "2@example.org"),
    ]
    assert empty.competition.entrants.filter(player=known).count() == 1
    assert empty.competition.entrants.count() == 2


def test_a_place_does_not_go_in_a_circle(empty):
    registration = open_registration(empty, places=1)
    ann = enrol(registration, "Ann")
    with pytest.raises(Refused, match="No one else waits"):
        act(empty, "wait", ann)
    assert roster(empty) == {"Ann"}


def test_decisions_reach_no_other_competition(empty):
    other = club("autumn", players=0)
    ann = enrol(open_registration(other, is_moderated=True), "Ann")
    assert act(empty, "accept", ann) == 0
    assert names(ann.registration, State.PENDING) == ["Ann"]


# --- the roster


def test_a_known_player_is_entered_again_and_the_record_stays(empty):
    known = Player.objects.create(register=empty.league.register, name="Ann Lee", country="HK")
    registration = open_registration(empty)
    ann = enrol(registration, "Ann Lee", country="HK", club="Dragons", number="04010023")
    assert ann.entrant.player == known
    known.refresh_from_db()
    assert known.club is None
    assert not known.federation_numbers.exists()


def test_an_organizer_who_accepts_a_known_player_leaves_the_record(empty):
    known = Player.objects.create(register=empty.league.register, name="Ng")
    registration = open_registration(empty, is_moderated=True)
    ng = enrol(registration, "Ng", romanized="Max", country="HK", club="Dragons", number="04010023")
    assert act(empty, "accept", ng) == 1
    assert empty.competition.entrants.get().player == known
    assert values_of(Player.objects.get()) == PlayerValues(name="Ng")


def test_another_romanized_name_is_a_doubt(empty):
    Player.objects.create(register=empty.league.register, name="陳大文", romanized="Chan Tai Man")
    registration = open_registration(empty)
    assert enrol(registration, "陳大文", romanized="Chen Dawen", email="a@example.org").is_missing
    assert not enrol(registration, "陳大文", romanized="Tai-man CHAN", email="b@example.org").is_missing


@pytest.mark.parametrize(("changes", "country"), [(True, "HK"), (False, "")])
def test_the_record_of_the_chosen_player_changes_if_the_organizer_says_so(empty, changes, country):
    twins = [Player.objects.create(register=empty.league.register, name="Ann Lee") for _ in range(2)]
    ann = enrol(open_registration(empty), "Ann Lee", country="HK")
    enter_registrant(registrant=ann, same_as=twins[0].pk, changes=changes, by=empty.alice)
    assert [each.country for each in Player.objects.order_by("pk")] == [country, ""]


def test_a_doubtful_person_holds_the_place_until_the_organizer_says_who_it_is(empty):
    twins = [Player.objects.create(register=empty.league.register, name="Ann Lee") for _ in range(2)]
    registration = open_registration(empty, places=1)
    ann = enrol(registration, "Ann Lee")
    assert ann.entrant is None
    assert ann.is_missing
    assert enrol(registration, "Ben").state == State.WAITING
    entrant = enter_registrant(registrant=ann, same_as=twins[1].pk, by=empty.alice)
    assert entrant.player == twins[1]
    with pytest.raises(Refused, match="Only accepted"):
        enter_registrant(registrant=ann, same_as=None, by=empty.alice)


def test_a_player_with_an_entry_in_another_competition_is_entered_here_too(empty):
    twins = [Player.objects.create(register=empty.league.register, name="Ann Lee") for _ in range(2)]
    autumn = create_competition(
        league=empty.league, name="Autumn", slug="autumn", preset_slug="ema-2016", by=empty.alice
    )
    there = Club(**{**vars(empty), "competition": autumn, "division": autumn.divisions.get()})
    for here in (there, empty):
        ann = enrol(open_registration(here), "Ann Lee")
        enter_registrant(registrant=ann, same_as=twins[0].pk, by=empty.alice)
    assert Entrant.objects.filter(player=twins[0]).count() == 2


def test_a_player_who_is_entered_already_is_a_doubt(empty):
    """A stranger registers under the name of a player, and withdraws: the player stays."""
    empty.add_players(1)
    entered = empty.competition.entrants.get()
    registration = open_registration(empty)
    stranger = enrol(registration, entered.player.name)
    assert stranger.entrant is None
    withdraw(registrant=stranger, site=SITE)
    assert list(empty.competition.entrants.all()) == [entered]
    friend = enrol(registration, entered.player.name, email="real@example.org")
    assert enter_registrant(registrant=friend, same_as=entered.player_id, by=empty.alice) == entered


def test_a_banned_player_is_entered_by_the_organizer_alone(empty):
    known = Player.objects.create(register=empty.league.register, name="Ann Lee")
    Ban.objects.create(
        league=empty.league,
        player=known,
        since=date(2020, 1, 1),
        reason="x",
        created_by=empty.alice,
        created_at=timezone.now(),
    )
    ann = enrol(open_registration(empty), "Ann Lee")
    assert ann.entrant is None
    with pytest.raises(Refused, match="Banned"):
        enter_registrant(registrant=ann, same_as=known.pk, by=empty.alice)
    enter_registrant(registrant=ann, same_as=known.pk, despite="served it", by=empty.alice)
    assert roster(empty) == {"Ann Lee"}


def test_the_roster_changed_by_hand_breaks_nothing(empty):
    registration = open_registration(empty, places=2)
    ann, ben = enrol(registration, "Ann"), enrol(registration, "Ben")
    remove_entrant(competition=empty.competition, entrant_id=ann.entrant.pk, by=empty.alice)
    withdraw_entrant(entrant=ben.entrant, by=empty.alice)
    cho = enrol(registration, "Cho")
    by_name = {each.name: each for each in entries_of(cho.registration)}
    assert by_name["Ann"].is_missing
    assert by_name["Ben"].has_left
    assert by_name["Cho"].state == State.WAITING
    withdraw(registrant=ann, site=SITE)
    act(empty, "decline", ben)
    assert names(registration, State.ACCEPTED) == ["Cho"]
    assert roster(empty) == {"Cho"}


def test_after_the_start_a_withdrawal_leaves_the_record_and_no_one_moves_up(db):
    cup = club("cup", players=0, kind=Competition.Kind.EVENT)
    registration = open_registration(cup, places=4)
    four = [enrol(registration, name) for name in ("Ann", "Ben", "Cho", "Dan")]
    waiting, late = enrol(registration, "Eve"), sign_up(registration, "Fay")
    cup.players = [each.entrant.player for each in four]
    cup.add_round()
    withdraw(registrant=four[0], site=SITE)
    gone = Entrant.objects.get(pk=four[0].entrant.pk)
    assert gone.withdrawn_at is not None
    assert position_of(waiting) == 1
    with pytest.raises(Refused, match="has ended"):
        confirm(registrant=late, site=SITE)
    with pytest.raises(Refused, match="closed"):
        sign_up(registration, "Gus")


# --- the same person twice, changes, closed forms


def test_players_join_a_season_that_has_begun(empty):
    registration = open_registration(empty, places=4)
    four = [enrol(registration, name) for name in ("Ann", "Ben", "Cho", "Dan")]
    enrol(registration, "Eve")
    empty.players = [each.entrant.player for each in four]
    empty.add_round()
    withdraw(registrant=four[0], site=SITE)
    assert roster(empty) == {"Ben", "Cho", "Dan", "Eve"}


def test_the_same_person_twice_has_one_entry_and_two_mails(empty):
    registration = open_registration(empty)
    ann = enrol(registration, "Ann Lee")
    before = len(mails())
    again = {"name": "ＡＮＮ  lee", "email": "ANN.LEE@example.org", "language": "ja", "club": "Other"}
    register(registration=registration, values=again, site=SITE, address="10.0.0.1")
    assert list(registration.registrants.all()) == [ann]
    assert ann.club == ""
    [(to, subject, text)] = mails()[before:]
    assert (to, subject) == ("ann.lee@example.org", "Registration accepted: League spring")
    assert f"/registration/entries/{ann.pk}/{ann.code}/" in text


@pytest.mark.parametrize("typed", ["Zoë O’Neill", "Zoe ONeill", "ZOË o'neill"])
def test_another_apostrophe_or_accent_takes_no_second_place(empty, typed):
    registration = open_registration(empty)
    zoe = enrol(registration, "Zoë O'Neill", email="zoe@example.org")

    again = {"name": typed, "email": "zoe@example.org", "language": "en"}
    register(registration=registration, values=again, site=SITE, address="10.0.0.1")

    assert list(registration.registrants.all()) == [zoe]


def test_who_withdrew_registers_again_at_the_end(empty):
    registration = open_registration(empty, places=1)
    ann = enrol(registration, "Ann")
    enrol(registration, "Ben")
    withdraw(registrant=ann, site=SITE)
    assert enrol(registration, "Ann").pk != ann.pk
    assert names(registration, State.WAITING) == ["Ann"]


def test_no_mail_address_is_flooded(empty):
    registration = open_registration(empty)
    for _number in range(9):
        sign_up(registration, "Ann")
    assert len(mails()) == 5


def test_two_people_share_a_mail_address(empty):
    registration = open_registration(empty)
    enrol(registration, "Ann", email="family@example.org")
    enrol(registration, "Ben", email="family@example.org")
    assert roster(empty) == {"Ann", "Ben"}
    with pytest.raises(Refused, match="registered this person before"):
        update_own(registrant=registration.registrants.get(name="Ann"), values={"name": "Ben"})


def test_an_entry_that_changed_after_it_was_accepted_is_marked_with_its_player(empty):
    registration = open_registration(empty)
    ann, _ben = (enrol(registration, name, country="HK") for name in ("Ann", "Ben"))
    sign_up(registration, "Carl", country="HK")
    assert set(differences(registration).values()) == {()}

    update_own(registrant=ann, values={"name": "Anna", "country": "JP"})

    assert differences(registration) == {
        "Anna": ("In the roster, the player is Ann.", "In the roster, the country is HK."),
        "Ben": (),
        "Carl": (),
    }
    update_own(registrant=ann, values={"name": "安", "romanized": "Ann", "country": "HK"})
    assert set(differences(registration).values()) == {()}


def test_a_form_takes_entries_from_its_opening_to_its_end(empty):
    now = timezone.now()
    early = open_registration(empty, opens_at=now + timedelta(hours=1))
    with pytest.raises(Refused, match="closed"):
        sign_up(early, "Ann")
    over = open_registration(empty, opens_at=now - timedelta(hours=2), closes_at=now - timedelta(hours=1))
    with pytest.raises(Refused, match="closed"):
        sign_up(over, "Ann")
    assert not Registrant.objects.exists()


@pytest.mark.parametrize(("days", "shown"), [(0, True), (-2, False)])
def test_a_form_is_announced_until_the_end_of_its_last_day(empty, days, shown):
    now = timezone.now()
    open_registration(empty, opens_at=now - timedelta(days=9), closes_at=now + timedelta(days=days))
    assert bool(announced(empty.competition)) == shown


def test_a_refused_confirmation_sends_and_enters_nothing(empty):
    registration = open_registration(empty, places=1, has_waiting_list=False)
    enrol(registration, "Ann")
    Registration.objects.update(has_waiting_list=True)
    late = sign_up(registration, "Ben")
    Registration.objects.update(has_waiting_list=False)
    before = (len(mails()), roster(empty), last_entry(empty.competition).sequence)
    with pytest.raises(Refused):
        confirm(registrant=late, site=SITE)
    assert (len(mails()), roster(empty), last_entry(empty.competition).sequence) == before


# --- mails


def test_a_mail_is_in_the_language_of_its_person(empty):
    registration = open_registration(empty, fee="HK$300", payment="Cash\nat the door")
    enrol(registration, "山田太郎", email="taro@example.org", language="ja")
    (_to, first, _text), (_to, second, text) = mails()
    assert first != "Confirm your registration: League spring"
    assert second != "Registration accepted: League spring"
    assert "HK$300\nCash\nat the door" in text


def test_a_mail_that_waits_holds_no_text_and_does_not_leave_without_its_entry(empty):
    registration = open_registration(empty)
    for name in ("Ann Lee", "Ben Wong"):
        values = {"name": name, "email": f"{name[:3]}@example.org", "language": "en"}
        register(registration=registration, values=values, site=SITE, address=None)
    ann = registration.registrants.get(name="Ann Lee")
    assert not any("Ann" in str(value) for row in Outgoing.objects.values() for value in row.values())
    erase_registrant(competition=empty.competition, pk=ann.pk, site=SITE)
    assert [to for to, _subject, _text in mails()] == ["Ben@example.org"]


def test_a_mail_does_not_tell_a_state_that_is_over(empty):
    registration = open_registration(empty, is_moderated=True)
    ann = enrol(registration, "Ann")
    act(empty, "accept", ann)
    act(empty, "decline", ann)
    subjects = [subject for _to, subject, _text in mails()]
    assert subjects[1:] == ["Registration declined: League spring"]


def test_a_mail_is_tried_again_while_the_mail_server_is_away(empty, monkeypatch):
    registration = open_registration(empty)

    def fail(*_mail: object) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as away:
        away.setattr("django.core.mail.EmailMessage.send", fail)
        ann = sign_up(registration, "Ann")
    Outgoing.objects.update(due_at=timezone.now())
    assert [to for to, _subject, _text in mails()] == [ann.email]
    assert Outgoing.objects.get().attempts == 2


def test_texts_of_people_are_not_formats(empty):
    registration = open_registration(empty, places=1, payment="100 % in advance %(name)s")
    enrol(registration, "%s %(x)s", email="percent@example.org")
    assert "100 % in advance %(name)s" in mails()[-1][2]
    assert "Dear %s %(x)s," in mails()[-1][2]


# --- known numbers, payments


def test_a_number_is_compared_and_never_refused(empty):
    numbers = [
        KnownNumber(number="04010023", name="Ann Lee", country="HK"),
        KnownNumber(number="04010024", name="Ben Wong", country="HK"),
    ]
    set_known_numbers(competition=empty.competition, numbers=numbers, by=empty.alice)
    registration = open_registration(empty)
    enrol(registration, "LEE Ann", number="04010023", country="HK")
    enrol(registration, "Bob Wong", number="04010024", country="JP")
    enrol(registration, "Cho", number="99")
    enrol(registration, "Dan")
    assert differences(registration) == {
        "LEE Ann": (),
        "Bob Wong": ("In the list, 04010024 is Ben Wong.", "In the list, the country is HK."),
        "Cho": ("The number 99 is not in the list.",),
        "Dan": (),
    }
    assert len(names(registration, State.ACCEPTED)) == 4


def test_a_payment_is_noted(empty):
    ann = enrol(open_registration(empty), "Ann")
    note_payment(registrant=ann, by=empty.alice, paid_on=date(2026, 5, 1), paid="30.50", note="cash")
    ann.refresh_from_db()
    assert (ann.paid_on, str(ann.paid), ann.note) == (date(2026, 5, 1), "30.50", "cash")


# --- personal data


def test_a_deleted_entry_frees_its_place(empty):
    registration = open_registration(empty, places=1)
    ann = enrol(registration, "Ann")
    enrol(registration, "Ben")
    erase_registrant(competition=empty.competition, pk=ann.pk, site=SITE)
    assert [each.name for each in registration.registrants.all()] == ["Ben"]
    assert roster(empty) == {"Ben"}


def test_an_entry_of_a_finished_competition_is_deleted_and_the_player_stays(empty):
    ann = enrol(open_registration(empty), "Ann")
    Competition.objects.filter(pk=empty.competition.pk).update(finished_at=timezone.now())
    empty.competition.refresh_from_db()
    with pytest.raises(Refused, match="finished"):
        withdraw(registrant=Registrant.objects.get(), site=SITE)
    erase_registrant(competition=empty.competition, pk=ann.pk, site=SITE)
    assert not Registrant.objects.exists()
    assert roster(empty) == {"Ann"}


def test_erasing_a_player_erases_the_entry_and_keeps_the_place(empty):
    registration = open_registration(empty, places=1)
    withdraw(registrant=sign_up(registration, "Ann", phone="87654321"), site=SITE)
    namesake = sign_up(registration, "Ann", email="other@example.org")
    KnownNumber.objects.create(competition=empty.competition, number="04010023", name="Ann")
    ann = enrol(registration, "Ann", phone="12345678", club="Dragons", number="04010023")
    assert player_facts(ann.entrant.player)["registrations"][0]["phone"] == "12345678"
    erase_player(league=empty.league, player=ann.entrant.player, by=empty.alice)
    ann.refresh_from_db()
    left = [ann.email, ann.phone, ann.club, ann.number, ann.country, ann.answer, ann.note]
    assert left == [""] * 7
    assert ann.name == f"#{ann.entrant.player_id}"
    assert ann.state == State.ACCEPTED
    assert not Registrant.objects.exclude(phone="").exists()
    assert not KnownNumber.objects.exists()
    namesake.refresh_from_db()
    assert (namesake.name, namesake.email) == ("Ann", "other@example.org")


@pytest.mark.parametrize("typed", ["", "04010099"])
def test_erasing_a_player_removes_the_line_of_the_list_by_the_number_that_was_typed_or_by_the_name(
    empty, typed
):
    """The register had the player before, so that the typed number is that of the entry alone."""
    known = Player.objects.create(register=empty.league.register, name="Ann Lee", country="HK")
    for number, name, country in [
        ("04010099", "LEE Ann", "HK"),
        ("81000001", "Ann Lee", "JP"),
        ("04010024", "Ben Wong", "HK"),
    ]:
        KnownNumber.objects.create(competition=empty.competition, number=number, name=name, country=country)
    assert enrol(open_registration(empty), "Ann Lee", number=typed).entrant.player == known
    erase_player(league=empty.league, player=known, by=empty.alice)
    assert set(KnownNumber.objects.values_list("number", flat=True)) == {"81000001", "04010024"}


def test_erasing_a_player_finds_entries_by_name_and_mail_address(empty):
    """An entry without a player, in other letters, with the address of the player's account."""
    player = Player.objects.create(register=empty.league.register, name="Ann Lee")
    Role.objects.filter(user=empty.dora).update(player=player)
    User.objects.filter(pk=empty.dora.pk).update(email="Family@example.org")
    registration = open_registration(empty, is_moderated=True)
    own = sign_up(registration, "ＡＮＮ  lee", email="family@example.org", number="04010023")
    other = sign_up(registration, "Ben Lee", email="family@example.org", number="04010024")
    for number in ("04010023", "04010024"):
        KnownNumber.objects.create(competition=empty.competition, number=number, name="x")
    erase_player(league=empty.league, player=player, by=empty.alice)
    own.refresh_from_db()
    other.refresh_from_db()
    assert (own.name, own.email, own.number) == (f"#{player.pk}", "", "")
    assert (other.name, other.email) == ("Ben Lee", "family@example.org")
    assert KnownNumber.objects.get().number == "04010024"


def test_what_has_expired_is_removed(empty):
    registration = open_registration(empty)
    enrol(registration, "Ann")
    sign_up(registration, "Ben")
    old = sign_up(registration, "Cho")
    Registrant.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=49))
    KnownNumber.objects.create(competition=empty.competition, number="1", name="x")
    assert remove_expired_registrations() == 1
    assert [each.name for each in registration.registrants.all()] == ["Ann", "Ben"]
    Registration.objects.update(kept_until=timezone.now().date() - timedelta(days=3))
    assert remove_expired_registrations() == 3
    assert not Registrant.objects.exists()
    assert not KnownNumber.objects.exists()
    assert roster(empty) == {"Ann"}


# --- the competition file


def test_the_form_travels_in_the_competition_file_and_its_people_do_not(empty):
    registration = open_registration(
        empty,
        closes_at=timezone.now().replace(microsecond=0) + timedelta(days=9),
        places=32,
        question="Vegetarian?",
        terms="Be kind.\n\nBe early.",
        languages=["en", "zh-hant"],
    )
    enrol(registration, "Ann Secret", email="secret@example.org")
    text = competition_json(empty.competition)
    assert "secret@example.org" not in text
    before = Registration.objects.values().get()
    Registration.objects.update(places=1, terms="")
    facts = read_competition_file(text.encode())
    import_competition(facts=facts, league=empty.league, by=empty.alice, replace=True)
    assert Registration.objects.values().get() == before
    assert names(registration, State.ACCEPTED) == ["Ann Secret"]
    assert Registrant.objects.get().entrant.player.name == "Ann Secret"
    copy = facts.model_copy(update={"slug": "copy", "name": "Copy"})
    made = import_competition(facts=copy, league=empty.league, by=empty.alice)
    assert made.registrations.get().terms == "Be kind.\n\nBe early."
    assert Registrant.objects.count() == 1
