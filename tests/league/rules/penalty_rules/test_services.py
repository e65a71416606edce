"""A league's own catalogues: made, extended entry by entry, superseded, chosen for a division."""

import io
import json
import uuid

import openpyxl
import pytest
from django.utils import timezone

from league.core.changes import Sent
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.models import AuditEntry, Competition, Division, OwnCatalogue, Penalty, RuleSet, Stage
from league.organizing.competitions.services import update_competition
from league.organizing.division_rules.services import Seen, change_rules
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.exports.workbook import write_workbook
from league.play.bans.queries import expelled_by
from league.ranking.standings.queries.standings import standings
from league.referees.penalties.queries.penalties import with_facts, wordings_of
from league.referees.penalties.services.decisions import decide_request, revoke_penalty
from league.referees.penalties.services.log import log_offence
from league.rules.penalty_rules.services import (
    MOST_CATALOGUES,
    MOST_ENTRIES,
    choose_catalogue,
    create_catalogue,
    current_entry,
    fingerprint,
    own_catalogue,
    remove_catalogue,
    remove_entry,
    rename_catalogue,
    save_entry,
    supersede_entry,
)
from league.rules.penalty_rules.words.rulings import level_name, penalty_rules_of
from league.rules.rule_sets.services import copied_rules, create_book, newest_edition
from league.rules.rule_sets.services import fingerprint as rules_fingerprint
from scoring.infractions import catalogue
from scoring.presets import resolve
from tests.factories import Club, club, with_texts
from tests.league.rules.penalty_rules.entries import SMOKING as ENTRY
from tests.races import at_once

pytestmark = pytest.mark.django_db

HKMA = catalogue("hkma-2025")
VARIANTS = [
    {"condition": {"en": "first time"}, "levels": ["1"], "deduction": 0, "win_ban": False},
    {"condition": {"en": "again"}, "levels": ["2"], "deduction": 20, "win_ban": False},
]
SMOKING = ENTRY | {"variants": VARIANTS}
SINGING = {**SMOKING, "code": "H-2", "names": {"en": "Singing"}, "variants": [SMOKING["variants"][0]]}


@pytest.fixture
def spring() -> Club:
    return club("spring")


@pytest.fixture
def house(spring) -> OwnCatalogue:
    return create_catalogue(league=spring.league, name="House", base="hkma-2025", by=spring.alice)


def add(own: OwnCatalogue, entry: dict, by, **more) -> OwnCatalogue:
    return save_entry(own=own, entry=entry, seen="", by=by, **more)


def change(own: OwnCatalogue, code: str, by, *, at: int = 0, **variant) -> OwnCatalogue:
    """Change one condition of an entry as someone does who looks at it and saves."""
    entry = current_entry(OwnCatalogue.objects.get(pk=own.pk), code)
    seen = fingerprint(entry)
    entry["variants"][at] = {**entry["variants"][at], **variant}
    return save_entry(own=own, entry=entry, seen=seen, by=by)


def play(spring: Club, own: OwnCatalogue, *codes: tuple[str, int]) -> None:
    """The division plays by the catalogue, and these offences are logged in its first round."""
    choose_catalogue(division=spring.division, own=own, by=spring.alice)
    spring.add_round()
    for code, condition in codes:
        log(spring, code, condition)


def log(spring: Club, code: str, condition: int = 0, *, player: int = 0, approves: bool = True):
    return log_offence(
        stage=Stage.objects.select_related("division__competition", "division__rule_set").get(),
        table=spring.table(),
        player_id=spring.players[player].pk,
        infraction=code,
        condition=condition,
        by=spring.bob,
        approves=approves,
    )[0]


def rules(spring: Club) -> RuleSet:
    return Division.objects.select_related("rule_set").get(pk=spring.division.pk).rule_set


def logged(spring: Club, action: str) -> list[tuple[dict, dict]]:
    found = AuditEntry.objects.filter(competition=spring.competition, action=action).order_by("sequence")
    return [(entry.before, entry.after) for entry in map(with_texts, found)]


# --- catalogues


def test_a_new_catalogue_says_what_its_book_says(spring, house):
    assert (house.slug, house.name, house.base, house.created_by) == (
        "house",
        "House",
        "hkma-2025",
        spring.alice,
    )
    assert dict(own_catalogue(house).infractions) == dict(HKMA.infractions)


def test_two_catalogues_of_a_league_have_names_and_addresses_of_their_own(spring, house):
    with pytest.raises(Refused, match="with this name"):
        create_catalogue(league=spring.league, name="House", base="ema-2025", by=spring.alice)
    second = create_catalogue(league=spring.league, name="House!", base="ema-2025", by=spring.alice)
    other = create_catalogue(league=club("autumn").league, name="House", base="ema-2025", by=spring.alice)

    assert (second.slug, other.slug) == ("house-2", "house")
    with pytest.raises(Refused, match="with this name"):
        rename_catalogue(own=second, name="House", by=spring.alice)
    assert rename_catalogue(own=second, name="European", by=spring.alice).name == "European"
    assert OwnCatalogue.objects.get(pk=second.pk).slug == "house-2"


def test_only_a_published_book_can_be_extended(spring):
    with pytest.raises(Refused, match="Unknown penalty rules"):
        create_catalogue(league=spring.league, name="House", base="mcr", by=spring.alice)


def test_a_league_can_have_so_many_catalogues_and_no_more(spring):
    OwnCatalogue.objects.bulk_create(
        OwnCatalogue(league=spring.league, slug=f"c{n}", name=f"C{n}", base="tnt")
        for n in range(MOST_CATALOGUES)
    )
    with pytest.raises(Refused, match=f"at most {MOST_CATALOGUES} sets of penalty rules"):
        create_catalogue(league=spring.league, name="One more", base="tnt", by=spring.alice)


def test_the_same_form_makes_one_catalogue(spring):
    form = Sent.of(uuid.uuid4(), "House")
    made = create_catalogue(league=spring.league, name="House", base="tnt", by=spring.alice, form=form)
    with pytest.raises(AlreadyDone) as again:
        create_catalogue(league=spring.league, name="House", base="tnt", by=spring.alice, form=form)

    assert again.value.answer == {"catalogue": made.pk}
    assert OwnCatalogue.objects.count() == 1


def test_a_catalogue_is_removed_only_when_no_division_uses_it(spring, house):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    with pytest.raises(Refused, match="A division uses these penalty rules"):
        remove_catalogue(own=house, by=spring.alice)

    choose_catalogue(division=spring.division, by=spring.alice)
    remove_catalogue(own=house, by=spring.alice)

    assert not OwnCatalogue.objects.exists()


# --- entries


def test_an_entry_is_added_and_offered_to_referees(spring, house):
    add(house, SMOKING, spring.alice)
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    book = penalty_rules_of(rules(spring))

    assert house.entries == []  # what was at hand before is as it was
    assert OwnCatalogue.objects.get().entries == [SMOKING]
    assert book.offence("H-1") == "H-1 Smoking at the table"
    assert [entry.code for entry in dict(book.by_category())["Other"]][-1:] == ["H-1"]
    assert book.offence("A-I") == "A-I Drawing before one’s turn"


def test_an_entry_of_the_book_costs_what_the_league_says(spring, house):
    change(house, "A-I", spring.alice, levels=["4"], deduction=100, deduction_max=110, win_ban=True)
    play(spring, house)
    ruling = penalty_rules_of(rules(spring)).ruling("A-I", 0)

    assert (ruling.level, ruling.amounts, ruling.variant.win_ban) == ("4", (100, 110), True)
    penalty = log(spring, "A-I")
    assert (penalty.level, penalty.score, penalty.win_ban) == ("4", -100, True)


def test_what_a_logged_penalty_cost_stays_when_its_entry_costs_more(spring, house):
    add(house, SMOKING, spring.alice)
    play(spring, house, ("H-1", 1))
    change(house, "H-1", spring.alice, at=1, deduction=50, deduction_max=50)

    assert [(p.level, p.score) for p in spring.competition.penalties.all()] == [("2", -20)]
    assert penalty_rules_of(rules(spring)).ruling("H-1", 1).amounts == (50, 50)


def test_a_code_is_given_once(spring, house):
    add(house, SMOKING, spring.alice)
    for code in ("H-1", "A-I"):
        with pytest.raises(Refused, match="already") as refused:
            add(house, {**SMOKING, "code": code}, spring.alice)
        assert refused.value.field == "code"


def test_two_who_change_an_entry_at_once_do_not_overwrite_each_other(spring, house):
    entry = current_entry(house, "A-I")
    seen = fingerprint(entry)
    change(house, "A-I", spring.alice, levels=["3"], deduction=0, win_ban=True)
    with pytest.raises(OutOfDate, match="Someone else has changed this entry since you opened it"):
        save_entry(own=house, entry=entry, seen=seen, by=spring.alice)

    assert own_catalogue(OwnCatalogue.objects.get()).infractions["A-I"].variants[0].levels == ("3",)


@pytest.mark.parametrize(
    "wrong", [{"category": "Z"}, {"who": "everybody"}, {"variants": [{"levels": ["9"]}]}]
)
def test_what_the_book_cannot_hold_is_refused(spring, house, wrong):
    with pytest.raises(Refused, match="This entry cannot be saved"):
        add(house, {**SMOKING, **wrong}, spring.alice)

    assert OwnCatalogue.objects.get().entries == []


def test_nothing_of_the_book_is_hidden(spring, house):
    entry = current_entry(house, "A-II")
    seen = fingerprint(entry)
    with pytest.raises(Refused, match="The published conditions cannot be changed"):
        save_entry(own=house, entry={**entry, "variants": entry["variants"][1:]}, seen=seen, by=spring.alice)
    with pytest.raises(Refused, match="Entries of the published penalty rules can be changed, not removed"):
        supersede_entry(own=house, code="A-II", by_code="A-I", by=spring.alice)
    with pytest.raises(Refused, match="Entries of the published penalty rules cannot be removed"):
        remove_entry(own=house, code="A-II", by=spring.alice)

    more = [*entry["variants"], {"condition": {"en": "all"}, "levels": ["6"], "win_ban": True}]
    save_entry(own=house, entry={**entry, "variants": more}, seen=seen, by=spring.alice)
    assert len(own_catalogue(OwnCatalogue.objects.get()).infractions["A-II"].variants) == 5


def test_an_entry_saved_under_older_words_of_the_book_can_be_changed(spring, house):
    entry = current_entry(house, "A-II")
    entry["variants"][0]["condition"] = {"en": "a tile"}
    house.entries = [entry]
    house.save()
    change(house, "A-II", spring.alice, levels=["4"])

    variant = own_catalogue(OwnCatalogue.objects.get()).infractions["A-II"].variants[0]
    assert (variant.condition, variant.levels) == ({"en": "a tile"}, ("4",))


def test_a_catalogue_has_so_many_entries_and_no_more(spring, house):
    house.entries = [{**SINGING, "code": f"X-{n}"} for n in range(MOST_ENTRIES)]
    house.save()
    with pytest.raises(Refused, match=f"at most {MOST_ENTRIES} entries"):
        add(house, SMOKING, spring.alice)


# --- entries that penalties name


def test_an_entry_that_a_penalty_names_is_not_removed(spring, house):
    add(house, SMOKING, spring.alice)
    play(spring, house, ("H-1", 0))
    with pytest.raises(Refused, match="An entry named in penalties cannot be removed"):
        remove_entry(own=house, code="H-1", by=spring.alice)

    revoke_penalty(penalty=spring.competition.penalties.get(), reason="no", by=spring.bob)
    with pytest.raises(
        Refused, match="An entry named in penalties cannot be removed"
    ):  # it is still on the record
        remove_entry(own=house, code="H-1", by=spring.alice)


def test_an_entry_is_superseded_and_its_penalties_keep_their_words(spring, house):
    add(house, SMOKING, spring.alice)
    add(house, SINGING, spring.alice)
    play(spring, house, ("H-1", 1))
    supersede_entry(own=house, code="H-1", by_code="H-2", by=spring.alice)
    book = penalty_rules_of(rules(spring))

    assert [entry.code for entry in dict(book.by_category())["Other"]][-1:] == ["H-2"]
    assert (book.offence("H-1"), book.condition("H-1", "2")) == ("H-1 Smoking at the table", "again")
    with pytest.raises(Refused, match="An entry that replaced another one cannot be removed"):
        remove_entry(own=house, code="H-2", by=spring.alice)


@pytest.mark.parametrize("by_code", ["H-1", "H-9", ""])
def test_only_another_entry_in_use_takes_a_place(spring, house, by_code):
    add(house, SMOKING, spring.alice)
    with pytest.raises(Refused, match="Choose an active entry as the replacement") as refused:
        supersede_entry(own=house, code="H-1", by_code=by_code, by=spring.alice)
    assert refused.value.field == "by_code"


def test_a_superseded_entry_takes_no_place(spring, house):
    add(house, SMOKING, spring.alice)
    add(house, SINGING, spring.alice)
    supersede_entry(own=house, code="H-1", by_code="H-2", by=spring.alice)
    with pytest.raises(Refused, match="Choose an active entry as the replacement"):
        supersede_entry(own=house, code="H-2", by_code="H-1", by=spring.alice)


def test_conditions_that_penalties_refer_to_keep_words_and_places(spring, house):
    add(house, SMOKING, spring.alice)
    play(spring, house, ("H-1", 0))
    entry = current_entry(OwnCatalogue.objects.get(), "H-1")
    first, second = entry["variants"]
    refused = (
        [second, first],
        [second],
        [{**first, "condition": {"en": "never"}}, second],
        [{**first, "condition": {}}],
    )
    for variants in refused:
        with pytest.raises(Refused, match="Conditions named in penalties keep their text and order"):
            save_entry(
                own=house, entry={**entry, "variants": variants}, seen=fingerprint(entry), by=spring.alice
            )
    save_entry(
        own=house,
        entry={**entry, "variants": [{**first, "levels": ["2"], "deduction": 20}]},
        seen=fingerprint(entry),
        by=spring.alice,
    )

    assert own_catalogue(OwnCatalogue.objects.get()).infractions["H-1"].variants[0].levels == ("2",)


def test_what_was_changed_of_the_book_is_taken_back_unless_penalties_need_it(spring, house):
    entry = current_entry(house, "A-I")
    more = [
        *entry["variants"],
        {"condition": {"en": "twice"}, "levels": ["4"], "deduction": 80, "win_ban": True},
    ]
    save_entry(own=house, entry={**entry, "variants": more}, seen=fingerprint(entry), by=spring.alice)
    play(spring, house, ("A-I", 0))
    remove_entry(own=house, code="A-I", by=spring.alice)
    assert OwnCatalogue.objects.get().entries == []

    save_entry(own=house, entry={**entry, "variants": more}, seen=fingerprint(entry), by=spring.alice)
    log(spring, "A-I", 1)
    with pytest.raises(Refused, match="An entry named in penalties cannot be removed"):
        remove_entry(own=house, code="A-I", by=spring.alice)


# --- the catalogue of a division


def test_a_division_plays_by_the_book_that_was_chosen_for_it(spring, house):
    assert penalty_rules_of(rules(spring)).catalogue == HKMA
    choose_catalogue(division=spring.division, slug="ema-2025", by=spring.alice)
    assert penalty_rules_of(rules(spring)).catalogue == catalogue("ema-2025")
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    assert (rules(spring).catalogue, rules(spring).own_catalogue) == ("", house)
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    choose_catalogue(division=spring.division, by=spring.alice)

    assert penalty_rules_of(rules(spring)).catalogue == HKMA
    assert logged(spring, "catalogue.choose") == [
        ({"catalogue": ""}, {"catalogue": "ema-2025"}),
        ({"catalogue": "ema-2025"}, {"catalogue": house.pk}),
        ({"catalogue": house.pk}, {"catalogue": ""}),
    ]


def test_another_leagues_catalogue_and_one_that_does_not_exist_are_refused(spring):
    theirs = create_catalogue(league=club("autumn").league, name="Theirs", base="tnt", by=spring.alice)
    with pytest.raises(Refused, match="These penalty rules belong to another league"):
        choose_catalogue(division=spring.division, own=theirs, by=spring.alice)
    with pytest.raises(Refused, match="Unknown penalty rules"):
        choose_catalogue(division=spring.division, slug="mcr", by=spring.alice)

    assert (rules(spring).catalogue, rules(spring).own_catalogue) == ("", None)


def test_an_edition_that_others_play_keeps_its_catalogue(spring, house):
    copy = copied_rules("hkma-a-2025-04", resolve("hkma-a-2025-04").as_values(), by=spring.alice)
    edition = newest_edition(create_book(league=spring.league, name="Rules", rules=copy, by=spring.alice))
    change_rules(division=spring.division, to=edition, by=spring.alice)
    choose_catalogue(division=spring.division, own=house, by=spring.alice)

    edition.refresh_from_db()
    assert (edition.own_catalogue, edition.catalogue) == (None, "")
    assert (rules(spring).book, rules(spring).own_catalogue) == (None, house)
    assert rules(spring).values == edition.values


def test_the_choice_stays_when_the_rules_change(spring, house):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    to = copied_rules("ema-2025", resolve("ema-2025").as_values(), by=spring.alice)
    change_rules(division=spring.division, to=to, by=spring.alice)

    assert (rules(spring).preset, rules(spring).own_catalogue) == ("ema-2025", house)


def test_a_changed_catalogue_is_in_the_log_of_every_competition_that_plays_by_it(spring, house):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    spring.competition.refresh_from_db()
    revision = spring.competition.revision
    add(house, SMOKING, spring.alice)
    rename_catalogue(own=house, name="Club rules", by=spring.alice)
    spring.competition.refresh_from_db()

    assert spring.competition.revision == revision + 2
    assert logged(spring, "catalogue.update") == [
        ({"infraction": "H-1", "entry": None}, {"infraction": "H-1", "entry": SMOKING}),
        ({"name": "House"}, {"name": "Club rules"}),
    ]


def test_a_finished_competition_does_not_stop_its_league_from_changing_its_penalty_rules(spring, house):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    Competition.objects.filter(pk=spring.competition.pk).update(finished_at=timezone.now())
    add(house, SMOKING, spring.alice)
    assert logged(spring, "catalogue.update") == [
        ({"infraction": "H-1", "entry": None}, {"infraction": "H-1", "entry": SMOKING})
    ]


def test_the_same_form_changes_an_entry_once(spring, house):
    choose_catalogue(division=spring.division, own=house, by=spring.alice)
    form = Sent.of(uuid.uuid4(), SMOKING)
    add(house, SMOKING, spring.alice, form=form)
    with pytest.raises(AlreadyDone):
        add(house, SMOKING, spring.alice, form=form)

    assert len(logged(spring, "catalogue.update")) == 1


@pytest.mark.django_db(transaction=True)
def test_of_an_entry_logged_and_removed_at_once_one_wins(spring, house):
    """Either the penalty came first and the entry stays, or the entry is gone and the penalty is refused."""
    add(house, SMOKING, spring.alice)
    play(spring, house)

    outcomes = at_once(
        lambda: log(spring, "H-1"), lambda: remove_entry(own=house, code="H-1", by=spring.alice)
    )

    assert [isinstance(outcome, Refused) for outcome in outcomes].count(True) == 1
    there = bool(OwnCatalogue.objects.get().entries)
    assert spring.competition.penalties.exists() == there


# --- penalties under another catalogue


def moved(spring: Club, reason: str = "voted") -> None:
    """The division moves from the HKMA's rules to the EMA's and their catalogue."""
    spring.competition.refresh_from_db()
    to = copied_rules("ema-2025", resolve("ema-2025").as_values(), by=spring.alice)
    seen = Seen(version=spring.competition.version, rules=rules_fingerprint(to))
    change_rules(division=spring.division, to=to, seen=seen, reason=reason, by=spring.alice)
    spring.division.refresh_from_db()


WORDS = ("offence", "condition", "article", "level", "asked", "units", "hand", "state")


def outputs(spring: Club) -> list[object]:
    """Return what pages, files and standings show of the penalties, newest first."""
    competition = Competition.objects.get(pk=spring.competition.pk)
    lines = wordings_of(competition).lines(with_facts(Penalty.objects.all()))
    workbook = io.BytesIO()
    write_workbook(competition, workbook, public=False)
    rows = openpyxl.load_workbook(workbook)["Penalties"].iter_rows(values_only=True)
    stage = Stage.objects.select_related("division__competition", "division__rule_set").get()
    return [
        [(each.penalty.pk, *(getattr(each, name) for name in WORDS)) for each in lines],
        list(Penalty.objects.values()),
        json.loads(competition_json(competition))["penalties"],
        list(rows),
        [row.row.total for row in standings(stage, public=False).rows],
    ]


def test_a_logged_penalty_keeps_its_words_and_score_under_another_catalogue(spring):
    spring.add_round()
    log(spring, "A-II", 1)
    log(spring, "A-X", 1)
    before = outputs(spring)
    moved(spring)

    assert penalty_rules_of(rules(spring)).catalogue == catalogue("ema-2025")
    assert outputs(spring) == before
    assert [
        (offence.split()[0], level, bool(condition))
        for _pk, offence, condition, _article, level, *_ in before[0]
    ] == [("A-X", "level 3", True), ("A-II", "level 4", True)]


def test_who_was_expelled_stays_so_under_another_catalogue_until_it_is_revoked(spring):
    spring.add_round()
    penalty = log(spring, "U-1c")
    moved(spring)
    entrant = spring.competition.entrants.get(player=spring.players[0])
    assert entrant.withdrawn_at is not None
    assert expelled_by(spring.competition, entrant.player_id) == penalty

    revoke_penalty(penalty=Penalty.objects.get(), reason="the wrong player", by=spring.alice)
    entrant.refresh_from_db()
    assert entrant.withdrawn_at is None


def test_a_request_is_decided_under_another_catalogue(spring):
    update_competition(competition=spring.competition, values={"approval_from": "4"}, by=spring.alice)
    spring.add_round()
    asked = log(spring, "A-II", 1, approves=False)
    assert asked.waits
    moved(spring)
    decide_request(penalty=asked, verdict="approve", by=spring.alice)
    assert Penalty.objects.get().counts


def test_what_comes_after_is_judged_by_the_new_catalogue(spring):
    """A player with a record under the book before is judged like a player without one."""
    spring.add_round()
    log(spring, "A-II")
    moved(spring)
    with pytest.raises(Refused, match="This division’s penalty rules have no such offence"):
        log(spring, "A-II")
    found = [[log(spring, "6.4.1", player=player).level for _time in range(2)] for player in (0, 1)]
    assert found == [["minor", "points"]] * 2


def test_even_without_sheets_an_organizer_has_to_see_what_penalties_lose(spring):
    spring.add_round()
    log(spring, "A-II")
    to = copied_rules("ema-2025", resolve("ema-2025").as_values(), by=spring.alice)
    with pytest.raises(OutOfDate):
        change_rules(division=spring.division, to=to, by=spring.alice)
    with pytest.raises(Refused, match="Give a reason"):
        moved(spring, reason=" ")
    assert rules(spring).preset == "hkma-a-2025-04"

    same_book = copied_rules("hkma-b-2025-04", resolve("hkma-b-2025-04").as_values(), by=spring.alice)
    change_rules(division=spring.division, to=same_book, by=spring.alice)
    assert rules(spring).preset == "hkma-b-2025-04"


# --- words


def test_levels_without_a_number_are_called_by_their_names(spring):
    choose_catalogue(division=spring.division, slug="ema-2025", by=spring.alice)
    book = penalty_rules_of(rules(spring))

    assert [level_name(level, book) for level in ("dead", "points, dead", "")] == [
        "Dead hand",
        "Point penalty, Dead hand",
        "",
    ]
    assert level_name("4, 5", penalty_rules_of(RuleSet(preset="hkma-a-2025-04"))) == "level 4 + level 5"
    assert level_name("4+") == "level 4+"
