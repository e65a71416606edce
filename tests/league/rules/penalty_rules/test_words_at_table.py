"""What a penalty means at the table, in the words of each book."""

import pytest
from django.utils import translation

from league.core.messages import in_language
from league.rules.penalty_rules.words.at_table import at_table, ban_name
from league.rules.penalty_rules.words.rulings import PenaltyRules
from scoring.infractions import catalogue, catalogues

BOOKS = [each.slug for each in catalogues()]
DEAD = [(book.slug, level.code) for book in catalogues() for level in book.levels.values() if level.noten]
BANS = [
    (book.slug, level.code)
    for book in catalogues()
    for level in book.levels.values()
    if level.win_ban and not level.noten
]


def said(slug: str, levels: tuple[str, ...], place: str = "", **given: object) -> list[str]:
    rules = PenaltyRules(catalogue(slug))
    variant = rules.rulings[place].variant if place else None
    win_ban = any(rules.levels[code].win_ban for code in levels)
    return at_table(rules, levels, variant, **{"in_hand": True, "win_ban": win_ban} | given).sentences


def test_the_books_with_dead_hands_and_with_bans_alone():
    assert {slug for slug, _level in DEAD} == {
        "ema-2016",
        "ema-2025",
        "mleague-cards",
        "wrc-2015",
        "wrc-2022",
        "wrc-2025",
    }
    assert {slug for slug, _level in BANS} == {"hkma-2025", "saikouisen", "tnt"}


@pytest.mark.parametrize(("slug", "level"), DEAD)
@pytest.mark.parametrize("language", ["en", "zh-hant", "zh-hans", "ja"])
def test_a_dead_hand_says_all_that_it_forbids(slug, level, language):
    facts = catalogue(slug).levels[level]
    with translation.override(language):
        (words,) = said(slug, (level,))
        name, meaning = in_language(facts.names), in_language(facts.meaning)

    assert words.startswith(name)
    assert meaning in words


def test_a_dead_hand_of_ema_2016_forbids_calls_and_is_noten():
    assert said("ema-2016", ("dead",)) == [
        "Dead hand: no chi, pon, kan, riichi or win in this hand, and noten at a draw."
    ]
    assert said("ema-2016", ("dead",), waits=True) == [
        "Dead hand until the chief referee decides: no chi, pon, kan, riichi or win in this hand, and noten "
        "at a draw."
    ]
    assert ban_name(PenaltyRules(catalogue("ema-2016")), ["dead"]) == "Dead hand"
    assert ban_name(PenaltyRules(catalogue("hkma-2025")), ["5", "4", "4"]) == "Win ban"


@pytest.mark.parametrize(("slug", "level"), [each for each in BANS if each != ("hkma-2025", "6")])
def test_a_ban_on_winning_alone_says_so(slug, level):
    assert said(slug, (level,)) == ["Win ban for this hand."]
    assert said(slug, (level,), waits=True) == ["Win ban for this hand, until the chief referee decides."]
    assert said(slug, (level,), in_hand=False) == []


def test_a_tile_that_was_shown_binds_until_the_hand_ends():
    rules = PenaltyRules(catalogue("tnt"))
    variant = rules.rulings["3.1"].variant

    words = at_table(rules, ("tile",), variant, in_hand=True, win_ban=False)

    never = "In this hand: neither it nor its other three tiles may be discarded in this hand."
    assert words.until_the_end == [never]
    assert words.sentences == [never, "Hand: continue."]


HKMA = {
    "A-V.0": (("2",), ["Judged as A-II.", "In this hand: exposed tiles", "Hand: continue."]),
    "A-XII.1": (("5", "4", "4"), ["Win ban for this hand.", "Hand: redeal."]),
    "C-I.1": (
        ("5",),
        [
            "Judged as C-III.",
            "Win ban for this hand.",
            "Hand: redeal with 20 or more tiles left (without the dead wall), otherwise played to its end.",
        ],
    ),
    "T-3.0": (
        ("5",),
        [
            "Judged as C-III.",
            "Win ban for this hand.",
            "Hand: redeal with 20 or more tiles left (without the dead wall), otherwise played to its end.",
        ],
    ),
    "T-3.1": (("2",), []),
    "T-8.2": (("4",), ["Judged as C-II.", "Win ban for this hand.", "Hand: win cancelled, hand continues."]),
    "U-6.1": (
        ("6",),
        [
            "Win ban for this hand.",
            "Payment: repair cost of the equipment.",
            "Expelled from the competition. Next: the player’s seats, and a ban.",
        ],
    ),
}


@pytest.mark.parametrize("place", HKMA)
def test_the_hkma_s_conditions_say_what_the_hand_becomes(place):
    levels, sentences = HKMA[place]

    found = said("hkma-2025", levels, place)

    assert len(found) == len(sentences)
    assert all(words.startswith(begin) for words, begin in zip(found, sentences, strict=True))


def test_away_from_a_hand_the_repair_is_still_paid_and_the_player_still_expelled():
    assert said("hkma-2025", ("6",), "U-6.1", in_hand=False) == [
        "Payment: repair cost of the equipment.",
        "Expelled from the competition. Next: the player’s seats, and a ban.",
    ]
    assert said("hkma-2025", ("3",), "A-X.1", in_hand=False) == []


def test_an_expulsion_that_waits_expels_nobody_yet():
    assert said("hkma-2025", ("6",), waits=True, in_hand=False) == [
        "Expels the player if the chief referee approves."
    ]


def test_what_is_paid_is_counted_once_the_number_is_known():
    each = "1000 points per extra tile to each other player, at the moment of discovery"
    assert said("hkma-2025", ("3",), "A-X.1", units=0)[1] == f"Payment: {each}."
    assert said("hkma-2025", ("3",), "A-X.1", units=3)[1] == "Pays 3,000 points to each other player."
    assert said("tnt", ("payment",), "1.0", units=1)[0] == (
        "Payment: 4000 points to each other player, dealer or not."
    )


@pytest.mark.parametrize("slug", BOOKS)
def test_every_condition_of_every_book_has_its_hand_restriction_and_payment_named(slug):
    rules = PenaltyRules(catalogue(slug))

    for ruling in rules.rulings.values():
        variant = ruling.variant
        words = at_table(rules, variant.levels, variant, in_hand=True, win_ban=variant.win_ban)
        text = " ".join(words.sentences)
        for facts in (variant.hand_handling, variant.restriction, variant.payment):
            assert in_language(facts).rstrip(".") in text
        assert bool(words.ban) == variant.win_ban
