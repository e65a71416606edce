"""The referee's catalogue of the HKMA as data, and what every catalogue has to be."""

import json
import re
from collections.abc import Iterator

import pytest

from scoring.infractions import (
    Catalogue,
    Escalation,
    Names,
    UnknownCatalogue,
    catalogue,
    catalogues,
    entry_of,
    extended,
)
from scoring.presets import LANGUAGES

HKMA = catalogue("hkma-2025")


def test_levels_have_their_deductions_in_tenths():
    found = {
        code: (level.deduction, level.deduction_max, level.win_ban) for code, level in HKMA.levels.items()
    }

    assert found == {
        "1": (0, None, False),
        "2": (20, None, False),
        "3": (0, None, True),
        "4": (80, 120, True),
        "4+": (120, None, True),
        "5": (250, None, True),
        "6": (None, None, True),
    }


def test_escalation_is_kept_as_data():
    assert {code: level.escalation for code, level in HKMA.levels.items() if level.escalation} == {
        "1": Escalation("hand", "2"),
        "2": Escalation("hanchan", "4"),
        "4": Escalation("hanchan", "5"),
        "4+": Escalation("hanchan", "5"),
    }


def test_every_entry_of_the_book_is_there():
    categories: dict[str, int] = {}
    for infraction in HKMA.infractions.values():
        categories[infraction.category] = categories.get(infraction.category, 0) + 1

    assert categories == {"A": 12, "B": 1, "C": 3, "D": 5, "U": 8, "T": 10}
    assert sum(len(infraction.variants) for infraction in HKMA.infractions.values()) == 79


def test_an_entry_has_its_conditions_with_levels_and_deductions():
    found = HKMA.infractions["A-II"]

    assert dict(found.names) == {
        "en": "Illegal exposure of own non-discarded tiles",
        "zh-hant": "違規曝露",
        "zh-hans": "违规暴露手牌",
        "ja": "見せ牌（打牌でない牌を見せる）",
    }
    assert [(v.condition["zh-hant"], v.levels, v.deduction, v.win_ban) for v in found.variants] == [
        ("1張", ("2",), 20, False),
        ("2張", ("4",), 80, True),
        ("多於2張", ("4+",), 120, True),
        ("手牌牌數一半或以上", ("5",), 250, True),
    ]
    assert (found.article, found.lines) == ("罰則 A Ⅱ", "538–546")


def test_deductions_are_those_of_the_levels():
    for infraction in HKMA.infractions.values():
        for variant in infraction.variants:
            amounts = [HKMA.levels[code].deduction for code in variant.levels]
            named = [amount for amount in amounts if amount is not None]
            assert variant.deduction == (sum(named) if named else None), infraction.code


def test_several_levels_may_apply_together():
    severe = HKMA.infractions["A-XII"].variants[1]

    assert (severe.levels, severe.deduction) == (("5", "4", "4"), 410)


def test_who_is_punished_may_follow_from_the_condition():
    assert [variant.who for variant in HKMA.infractions["A-XI"].variants] == [
        "nobody",
        "all_four",
        "all_four",
        "nobody",
    ]


def test_every_entry_and_level_is_cited():
    for entry in (*HKMA.infractions.values(), *HKMA.levels.values()):
        assert entry.article
        assert entry.lines


def texts(found: Catalogue) -> Iterator[tuple[str, Names]]:
    """Every text of a catalogue by language, and what it belongs to; without those that the book has not."""
    yield found.slug, found.names
    yield from found.categories.items()
    for level in found.levels.values():
        yield from ((level.code, level.names), (level.code, level.meaning))
    for infraction in found.infractions.values():
        yield infraction.code, infraction.names
        for variant in infraction.variants:
            for text in (variant.condition, variant.hand_handling, variant.payment, variant.restriction):
                if text:
                    yield infraction.code, text


@pytest.mark.parametrize("found", catalogues(), ids=lambda found: found.slug)
def test_every_text_is_in_four_languages(found):
    spoken = [(place, {name for name, words in text.items() if words}) for place, text in texts(found)]
    assert len(spoken) > 6

    assert [each for each in spoken if each[1] != set(LANGUAGES)] == []


@pytest.mark.parametrize("found", catalogues(), ids=lambda found: found.slug)
def test_chinese_and_japanese_texts_have_full_width_punctuation(found):
    narrow = re.compile(r"[,:;()/<>]|\.(?!\d)")
    spoken = [words for _, text in texts(found) for words in text.values()]
    assert [words for words in spoken if narrow.search(words)]  # English has it

    assert [
        words
        for _, text in texts(found)
        for language, words in text.items()
        if language != "en" and narrow.search(words)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_conditions_of_an_offence_differ_in_every_language(language):
    for infraction in HKMA.infractions.values():
        conditions = [variant.condition.get(language, "") for variant in infraction.variants]
        assert len(set(conditions)) == len(conditions), infraction.code


def test_an_offence_says_how_the_hand_goes_on_and_what_is_paid():
    extra, wrong_win = HKMA.infractions["A-X"].variants[1], HKMA.infractions["C-II"].variants[0]

    assert (extra.hand_handling["ja"], extra.payment["zh-hant"]) == (
        "続行",
        "於發現當刻，按每張多牌罰1000點予各家",
    )
    assert (wrong_win.hand_handling["zh-hans"], dict(wrong_win.payment)) == (
        "本局洗牌后重新配牌，庄家不变",
        {},
    )


def test_an_unknown_catalogue_is_named():
    with pytest.raises(UnknownCatalogue) as refused:
        catalogue("mcr")

    assert refused.value.slug == "mcr"


# --- of someone's own

OWN = {
    "code": "H-1",
    "category": "D",
    "names": {"ja": "喫煙"},
    "who": "offender",
    "article": "",
    "lines": "",
    "variants": [{"levels": ["2"], "deduction": 20, "win_ban": False}],
}


def own(*entries: dict[str, object], base: str = "hkma-2025") -> Catalogue:
    return extended(base, entries, slug="house", names={"en": "House"})


@pytest.mark.parametrize("book", catalogues(), ids=lambda book: book.slug)
def test_every_offence_can_be_written_as_an_entry_and_read_again(book):
    entries = [entry_of(infraction) for infraction in book.infractions.values()]

    assert json.loads(json.dumps(entries)) == entries
    assert dict(own(*entries, base=book.slug).infractions) == dict(book.infractions)


def test_an_extended_catalogue_has_the_books_entries_and_its_own():
    found = own(OWN)

    assert list(found.infractions) == [*HKMA.infractions, "H-1"]
    assert (found.slug, dict(found.names), found.levels) == ("house", {"en": "House"}, HKMA.levels)
    assert found.infractions["H-1"].variants[0].deduction == 20
    assert found.infractions["A-I"] == HKMA.infractions["A-I"]


def test_an_entry_of_the_same_code_takes_the_books_place_in_its_order():
    changed = entry_of(HKMA.infractions["A-I"])
    changed["variants"][0] |= {"levels": ["4"], "deduction": 100}

    found = own(changed)

    assert list(found.infractions) == list(HKMA.infractions)
    assert [(v.levels, v.deduction) for v in found.infractions["A-I"].variants] == [(("4",), 100)]
    assert HKMA.infractions["A-I"].variants[0].levels == ("2",)


def test_a_superseded_entry_names_the_one_that_took_its_place():
    found = own({**OWN, "superseded_by": "H-2"}, {**OWN, "code": "H-2"})

    assert found.infractions["H-1"].superseded_by == "H-2"
    assert entry_of(found.infractions["H-1"])["superseded_by"] == "H-2"


@pytest.mark.parametrize(
    "wrong",
    [
        {"category": "Z"},
        {"who": "everybody"},
        {"superseded_by": "H-1"},
        {"superseded_by": "nothing"},
        {"variants": [{"levels": ["7"], "win_ban": False}]},
        {"variants": [{"levels": ["2"]}]},
        {"variants": [{"levels": [], "win_ban": False, "repeat": "often"}]},
        {"variants": [{"levels": [], "win_ban": False, "unit": "hour"}]},
        {"variants": [{"levels": [], "win_ban": False, "payment": "dinner"}]},
        {"variants": None},
        {"names": None},
    ],
    ids=str,
)
def test_an_entry_that_the_book_cannot_hold_is_refused(wrong):
    with pytest.raises(ValueError, match="H-1"):
        own({**OWN, **wrong})


def test_only_a_known_book_can_be_extended():
    with pytest.raises(UnknownCatalogue):
        own(OWN, base="mcr")
