"""The catalogues besides the HKMA's, held against the facts that were noted apart from them.

``tests/data/other_infractions.json`` holds 101 entries of eleven books; those of two clubs whose rules no
rule set has, and one on procedure, are not offences of a catalogue.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from scoring.escalation import Act, condition_by_history, suggest
from scoring.infractions import REPEATS, SCOPES, Escalation, Infraction, Variant, catalogue, catalogues
from scoring.presets import LANGUAGES, presets

Fact = dict[str, Any]
Place = tuple[str, int]  # code of the entry, index of the condition

FACTS: list[Fact] = json.loads(
    (Path(__file__).parent.parent / "data" / "other_infractions.json").read_text("utf-8")
)["infractions"]

BOOKS: Final = {
    "EMA-Riichi-2016 (seed 000)": "ema-2016",
    "EMA-Riichi-2025": "ema-2025",
    "TNT公式战 (seed 004)": "tnt",
    "WRC 2014/2015 (7.1)": "wrc-2015",
    "WRC 2022": "wrc-2022",
    "M.League": "mleague-cards",
    "最高位戦 (as used by WEST ONE CUP)": "saikouisen",
    "Kanto (seed 003)": "kanto",
    "Tutorial (seed 001)": "guide",
}
WITHOUT_A_RULE_SET: Final = {"WRC-based club (AZ 2025)": 4, "学生麻雀連盟": 2}
PROCEDURE: Final = ("saikouisen", "トラブル")

# Where a fact is in the catalogue, if not under its own code with its levels one after the other.
WHERE: Mapping[tuple[str, str], tuple[Place, ...]] = {
    ("ema-2016", "5.1.1.3c"): (("5.1.1.3b", 1),),
    ("ema-2016", "5.1.1.4b"): (("5.1.1.4a", 1),),
    ("ema-2016", "5.1.1.4c"): (("5.1.1.4b", 1),),
    ("ema-2016", "5.1.1.4d"): (("5.1.1.4c", 0),),
    ("ema-2016", "5.1.1.4e"): (("5.1.1.4c", 1),),
    ("ema-2016", "5.1.2.1c"): (("5.1.2.1b", 1),),
    ("ema-2016", "5.2-tiles"): (("5.2-4", 0),),
    ("ema-2016", "5.2-kuikae"): (("5.2-6", 0),),
    ("ema-2016", "5.3-noten"): (("5.3-2", 0),),
    ("ema-2016", "5.3-ankan"): (("5.3-3", 0),),
    ("ema-2016", "5.3-deadcall"): (("5.3-4", 0),),
    ("ema-2025", "6.2a"): (("6.2", 0),),
    ("ema-2025", "6.2b"): (("6.2", 1),),
    ("ema-2025", "6.4.1a"): (("6.4.1", 0),),
    ("ema-2025", "6.4.1b"): (("6.4.1", 1),),
    ("ema-2025", "6.4.4a"): (("6.4.4", 0),),
    ("ema-2025", "6.4.4b"): (("6.4.4", 1),),
    ("ema-2025", "6.5.2c"): (("6.5.2b", 1),),
    ("ema-2025", "6.5.2d"): (("6.5.2c", 0),),
    ("ema-2025", "6.7.4a"): (("6.7.4", 0),),
    ("ema-2025", "6.7.4b"): (("6.7.4", 1),),
    ("tnt", "诈和"): (("1", 0),),
    ("tnt", "停和"): (("2", 0),),
    ("tnt", "罚张-生"): (("3", 0),),
    ("tnt", "罚张-死"): (("3", 1),),
    ("tnt", "诈立"): (("4", 0),),
    ("tnt", "诈立-流局"): (("4", 1),),
    ("tnt", "大小相公"): (("5", 0),),
    ("wrc-2015", "not penalised"): (("7.1-1", 0),),
    ("wrc-2015", "point penalty"): (("7.1-2", 0),),
    ("wrc-2015", "calling with a dead hand"): (("7.1-3", 0),),
    ("wrc-2015", "dead hand"): (("7.1-4", 0),),
    ("wrc-2015", "chonbo"): (("7.1-5", 0),),
    ("wrc-2015", "disqualification"): (("7.1-6", 0),),
    ("wrc-2015", "chonbo in the last timed hand"): (("7.1-5", 3),),
    ("wrc-2022", "chombo"): (("S1", 0),),
    ("wrc-2022", "chombo-new"): (("S2", 0),),
    ("wrc-2022", "wrong call"): (("K1", 0),),
    ("mleague-cards", "イエローカード"): (("Y1", 0),),
    ("mleague-cards", "レッドカード"): (("R", 0),),
    ("mleague-cards", "チョンボ"): (("C", 0),),
    ("mleague-cards", "アガリ放棄"): (("A", 0),),
    ("mleague-cards", "出場試合数違反"): (("E", 0),),
    ("saikouisen", "チョンボ"): (("1", 0),),
    ("saikouisen", "ノーテンリーチ"): (("2", 0),),
    ("saikouisen", "食い替え"): (("3", 0),),
    ("saikouisen", "空ポン・空チー"): (("4", 0),),
    ("kanto", "违规"): (("1", 0),),
    ("kanto", "虚假立直"): (("2", 0),),
    ("guide", "违例流局"): (("1", 0),),
}
# The facts' words for a level, and our codes.
LEVELS: Final = {
    **dict.fromkeys(("minor error", "pointed out", "warning/referee"), ("minor",)),
    **dict.fromkeys(("dead hand (陪打)", "dead hand", "dead hand if repeated"), ("dead",)),
    **dict.fromkeys(("dead hand (0 or 2 tiles shown)", "dead hand (not shown)"), ("dead",)),
    **dict.fromkeys(("chombo (罚符)", "chombo", "chombo (all shown)", "chombo (shown)"), ("chombo",)),
    **dict.fromkeys(("point penalty", "point penalty (referee)", "obstruction 6.12"), ("points",)),
    "obstruction if serious/repeated": ("points",),
    "disqualification": ("disqualified",),
    "in-game payment": ("payment",),
    "win ban": ("ban",),
    **dict.fromkeys(("forced discard", "frozen tile"), ("tile",)),
    "loses the riichi stick": ("deposit",),
    **dict.fromkeys(("not stated", "eligibility", "penalised (amount absent)"), ()),
    "abortive draw": ("draw",),
    "yellow card": ("yellow",),
    "red card": ("red",),
    "agari-houki": ("houki",),
}
# What a book calls "no penalty": EMA 2016 an error without one (过失), WRC 2015 an offence that is trivial.
NONE: Final = {"ema-2016": ("minor",), "wrc-2015": ("trivial",)}


def offences() -> list[tuple[str, Fact]]:
    """Every fact that a catalogue of ours holds, with the catalogue's slug."""
    found = [(BOOKS[fact["ruleset"]], fact) for fact in FACTS if fact["ruleset"] in BOOKS]
    return [(slug, fact) for slug, fact in found if (slug, fact["code"]) != PROCEDURE]


OFFENCES = offences()
IDS = [f"{slug}: {fact['code']}" for slug, fact in OFFENCES]


def places(slug: str, fact: Fact) -> tuple[Place, ...]:
    own = tuple((fact["code"], index) for index, _ in enumerate(fact["levels"]))
    return WHERE.get((slug, fact["code"]), own)


def entry(slug: str, code: str) -> Infraction:
    return catalogue(slug).infractions[code]


def found(slug: str, fact: Fact) -> list[Variant]:
    return [entry(slug, code).variants[index] for code, index in places(slug, fact)]


def test_every_noted_fact_is_in_a_catalogue_or_of_a_book_that_no_rule_set_plays():
    assert len(FACTS) == 101
    left = Counter(fact["ruleset"] for fact in FACTS if fact["ruleset"] not in BOOKS)

    assert left == Counter(WITHOUT_A_RULE_SET)
    assert Counter(slug for slug, _ in OFFENCES) == {
        "ema-2016": 24,
        "ema-2025": 41,
        "tnt": 7,
        "wrc-2015": 7,
        "wrc-2022": 3,
        "mleague-cards": 5,
        "saikouisen": 4,
        "kanto": 2,
        "guide": 1,
    }
    assert set(WHERE) <= {(slug, fact["code"]) for slug, fact in OFFENCES}


def test_no_two_facts_of_a_book_have_the_same_place():
    every = Counter((slug, place) for slug, fact in OFFENCES for place in places(slug, fact))

    assert {place: times for place, times in every.items() if times > 1} == {}


@pytest.mark.parametrize(("slug", "fact"), OFFENCES, ids=IDS)
def test_each_noted_offence_has_the_levels_of_the_book(slug, fact):
    expected = [NONE.get(slug, ()) if level == "none" else LEVELS[level] for level in fact["levels"]]

    assert [variant.levels for variant in found(slug, fact)] == expected


@pytest.mark.parametrize(("slug", "fact"), OFFENCES, ids=IDS)
def test_each_noted_offence_costs_what_the_book_says_in_tenths(slug, fact):
    noted, in_game = fact["points_deduction"], fact.get("in_game", False)
    least, most = noted if isinstance(noted, list) else (noted, noted)
    for variant in found(slug, fact):
        if least is None or in_game or not variant.levels:
            # Not stated, or paid in the game: off the total comes only what the level takes.
            amounts = [catalogue(slug).levels[code].deduction for code in variant.levels]
            assert variant.deduction == (
                None if not amounts or None in amounts else sum(filter(None, amounts))
            )
        else:
            assert (variant.deduction, variant.deduction_max or variant.deduction) == (
                least // 100,
                most // 100,
            )


@pytest.mark.parametrize(("slug", "fact"), OFFENCES, ids=IDS)
def test_each_noted_offence_bans_from_winning_where_the_book_does(slug, fact):
    bans = [variant.win_ban for variant in found(slug, fact)]
    if len(bans) == 1 and fact["win_ban"] is not None:
        assert bans == [fact["win_ban"]]
    else:
        levels = catalogue(slug).levels
        assert bans == [any(levels[code].win_ban for code in variant.levels) for variant in found(slug, fact)]


@pytest.mark.parametrize(("slug", "fact"), OFFENCES, ids=IDS)
def test_each_noted_offence_punishes_whom_the_book_does(slug, fact):
    four = fact["who_penalised"] == "each of the four players"

    assert all((variant.who == "all_four") == four for variant in found(slug, fact))


@pytest.mark.parametrize(
    ("slug", "fact"),
    [each for each in OFFENCES if each[0] in {"ema-2016", "ema-2025"}],
    ids=lambda v: str(v)[:40],
)
def test_the_articles_are_those_of_the_book(slug, fact):
    """Some facts name only the lines of the text."""
    infractions = [entry(slug, code) for code, _ in places(slug, fact)]
    cited = {article for each in infractions for article in each.article.split("; ")}
    cited |= {line for each in infractions for line in re.findall(r"\d{3}", each.lines)}

    assert [
        place for place in cited if re.search(rf"(?<!\d)(?<!\d\.){re.escape(place)}(?!\.?\d)", fact["source"])
    ]


def test_a_book_has_so_many_offences_and_conditions():
    assert {
        each.slug: (len(each.infractions), sum(len(entry.variants) for entry in each.infractions.values()))
        for each in catalogues()
    } == {
        "ema-2016": (20, 33),
        "ema-2025": (36, 54),
        "guide": (1, 1),
        "hkma-2025": (39, 79),
        "kanto": (2, 2),
        "mleague-cards": (12, 12),
        "saikouisen": (4, 4),
        "tnt": (5, 8),
        "wrc-2015": (6, 9),
        "wrc-2022": (10, 13),
        "wrc-2025": (37, 60),
    }


def test_the_page_of_the_other_books_has_every_entry_of_each():
    page = (Path(__file__).parents[2] / "docs" / "penalty-books.md").read_text("utf-8")
    sections = dict(part.split("\n", 1) for part in page.split("\n## ")[1:])
    entries = {
        name: {
            code
            for row in text.splitlines()
            if row.startswith("| ")
            for code in re.split(r"[ ,]+", row.split(" | ")[2])
        }
        for name, text in sections.items()
    }

    assert {
        each.slug: sorted(each.infractions.keys() - entries.get(each.slug, set()))
        for each in catalogues()
        if each.slug != "hkma-2025"
    } == {name: [] for name in sections}


# --- what the whole of each catalogue promises


@pytest.mark.parametrize("book", catalogues(), ids=lambda book: book.slug)
def test_what_a_condition_costs_follows_from_its_levels_or_is_its_own(book):
    for code, infraction in book.infractions.items():
        for variant in infraction.variants:
            amounts = [book.levels[level].deduction for level in variant.levels]
            if not amounts:
                assert variant.deduction is None, code
            elif None in amounts:
                own = variant.deduction is not None
                assert (variant.deduction_max is not None) == own, code
            else:
                assert variant.deduction == sum(filter(None, amounts)), code
            banned = any(book.levels[level].win_ban for level in variant.levels)
            assert variant.win_ban == banned, code


@pytest.mark.parametrize("book", catalogues(), ids=lambda book: book.slug)
@pytest.mark.parametrize("language", LANGUAGES)
def test_conditions_names_and_categories_differ_in_every_language(book, language):
    for infraction in book.infractions.values():
        conditions = [variant.condition.get(language, "") for variant in infraction.variants]
        assert len(set(conditions)) == len(conditions), infraction.code
    for texts in (
        [infraction.names[language] for infraction in book.infractions.values()],
        [level.names[language] for level in book.levels.values()],
        [names[language] for names in book.categories.values()],
    ):
        assert [text for text, times in Counter(texts).items() if times > 1] == []


@pytest.mark.parametrize("book", catalogues(), ids=lambda book: book.slug)
def test_every_offence_and_level_is_cited_and_every_category_is_used(book):
    assert [each.code for each in book.infractions.values() if not each.article] == []
    assert [level.code for level in book.levels.values() if not level.article] == []
    assert {infraction.category for infraction in book.infractions.values()} == set(book.categories)
    assert book.document


@pytest.mark.parametrize("book", catalogues(), ids=lambda book: book.slug)
def test_a_dead_hand_ends_no_tournament_and_a_redeal_says_how(book):
    """A level that expels bans no one from a single hand's win only; a redeal has its instructions."""
    for infraction in book.infractions.values():
        for variant in infraction.variants:
            assert not variant.redeal or variant.hand_handling, infraction.code
            assert variant.repeat in REPEATS, infraction.code
            assert not variant.pay_each or variant.payment, infraction.code
    for level in book.levels.values():
        assert level.escalation is None or level.escalation.scope in SCOPES
        assert level.win_ban or not level.noten, level.code


# --- each book's own ways


def test_a_dead_hand_counts_as_noten_in_europe_and_at_the_world_championship():
    assert {
        each.slug: [code for code, level in each.levels.items() if level.noten] for each in catalogues()
    } == {
        **{slug: ["dead"] for slug in ("ema-2016", "ema-2025", "wrc-2015", "wrc-2022", "wrc-2025")},
        "mleague-cards": ["houki"],
        **{slug: [] for slug in ("guide", "hkma-2025", "kanto", "saikouisen", "tnt")},
    }


def test_who_is_disqualified_leaves():
    assert {
        each.slug: code for each in catalogues() for code, level in each.levels.items() if level.expels
    } == {"hkma-2025": "6", **dict.fromkeys(("ema-2025", "wrc-2015", "wrc-2022", "wrc-2025"), "disqualified")}


def test_what_is_paid_in_the_game_is_data():
    paid = {
        (each.slug, infraction.code, index): (variant.pay_each, variant.unit)
        for each in catalogues()
        for infraction in each.infractions.values()
        for index, variant in enumerate(infraction.variants)
        if variant.pay_each
    }

    assert {place: amount for place, amount in paid.items() if place[0] != "hkma-2025"} == {
        ("tnt", "1", 0): (4000, ""),
        ("tnt", "2", 1): (4000, ""),
        ("tnt", "4", 1): (1000, ""),
    }


def test_being_late_costs_a_point_for_each_minute():
    late = {
        slug: entry(slug, code).variants[0] for slug, code in (("ema-2025", "7.2"), ("wrc-2025", "12.3.9a"))
    }

    assert {slug: (v.deduction, v.unit) for slug, v in late.items()} == {
        "ema-2025": (10, "minute"),
        "wrc-2025": (10, "minute"),
    }


def test_deliberate_obstruction_costs_more_each_time():
    conditions = entry("ema-2025", "6.12a").variants

    assert [(v.levels, v.deduction, v.deduction_max) for v in conditions] == [
        (("points",), 80, 120),
        (("points",), 120, 480),
        (("disqualified",), None, None),
    ]


# --- escalation

HERE = {"hanchan": "table 5", "hand": "E2.0", "day": "2026-11-20"}
LATER = {"hanchan": "table 7", "hand": "S1.0", "day": "2026-11-20"}
NEXT_DAY = {"hanchan": "table 1", "hand": "E1.0", "day": "2026-11-21"}
NOT_RAISED: tuple[tuple[Act, ...], str, tuple[str, ...]] = ((), "", ())


def asked(
    slug: str, code: str, index: int, earlier: list[Act], now: Mapping[str, str] = LATER
) -> tuple[tuple[str, ...], tuple[tuple[Act, ...], str, tuple[str, ...]]]:
    """Return the levels, and what raised them, within which scope, with which options."""
    found = suggest(catalogue(slug), entry(slug, code).variants[index], earlier, Act(code, **now))
    assert not found.unsure
    return found.levels, (found.because, found.scope, found.options)


def given(code: str, *levels: str) -> Act:
    return Act(code, levels, **HERE)


def test_escalation_of_each_book_is_kept_as_data():
    assert {
        each.slug: {code: level.escalation for code, level in each.levels.items() if level.escalation}
        for each in catalogues()
        if each.slug != "hkma-2025"
    } == {
        **{slug: {} for slug in ("ema-2016", "guide", "kanto", "saikouisen", "tnt")},
        "ema-2025": {"minor": Escalation("event", "points", options=("points", "dead"))},
        "mleague-cards": {"yellow": Escalation("day", "red", any_reason=True)},
        "wrc-2015": {"trivial": Escalation("event", "points")},
        "wrc-2022": {"trivial": Escalation("event", "points")},
        "wrc-2025": {"warning": Escalation("event", "points")},
    }


def test_a_minor_error_repeated_leaves_the_referee_the_choice():
    first = given("6.5.3", "minor")

    assert asked("ema-2025", "6.5.3", 0, []) == (("minor",), NOT_RAISED)
    assert asked("ema-2025", "6.5.3", 0, [first]) == (
        ("points",),
        ((first,), "event", ("points", "dead")),
    )
    assert asked("ema-2025", "6.8c", 0, [first]) == (("minor",), NOT_RAISED)


def test_two_yellow_cards_in_a_day_are_a_red_one_whatever_for():
    first = given("Y2", "yellow")

    assert asked("mleague-cards", "Y7", 0, [first]) == (("red",), ((first,), "day", ()))
    assert asked("mleague-cards", "Y7", 0, [first], NEXT_DAY) == (("yellow",), NOT_RAISED)


def test_touching_the_riichi_hand_again_is_a_dead_hand_and_no_point_penalty():
    infraction, first = entry("ema-2025", "6.7.2"), given("6.7.2", "minor")
    again = condition_by_history(infraction, [first], Act("6.7.2", hanchan="table 5", hand="E3.0"))

    assert [variant.levels for variant in condition_by_history(infraction, [], Act("6.7.2", **HERE))] == [
        ("minor",)
    ]
    assert [variant.levels for variant in again] == [("dead",)]
    assert asked("ema-2025", "6.7.2", 1, [first]) == (("dead",), NOT_RAISED)


def test_knocking_over_a_tile_again_costs_five_points_at_the_world_championship():
    infraction = entry("wrc-2025", "12.3.1e")
    first, second = given("12.3.1e", "warning"), Act("12.3.1e", **HERE)
    again = condition_by_history(infraction, [first], second)

    assert [(v.levels, v.deduction) for v in again][:2] == [(("points",), 50), (("dead",), 0)]
    found = suggest(catalogue("wrc-2025"), again[0], [first], second)
    assert (found.levels, found.because, found.amounts) == (("points",), (), (50, 50))


def test_the_rule_sets_name_their_catalogues():
    assert {each.slug: each.catalogue for each in presets()} == {
        **dict.fromkeys(("hkma-a-2025-04", "hkma-b-2025-04", "hkma-a-legacy", "hkma-b-legacy"), "hkma-2025"),
        **{slug: slug for slug in ("ema-2016", "ema-2025", "guide", "kanto", "saikouisen", "tnt")},
        "wrc-2022": "wrc-2022",
        "wrc-2025": "wrc-2025",
        "mleague": "mleague-cards",
        **dict.fromkeys(("jpml-a", "mahjong-soul", "tenhou", "tenhou-2022"), None),
    }
