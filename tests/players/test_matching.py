"""Matching of names across case, width, spaces, accents, long vowels and order."""

from dataclasses import replace

import pytest

from players.matching import Index, Person, exact_key, near_key, typing_keys, with_facts


@pytest.mark.parametrize(
    ("one", "other"),
    [("陳大文", "陳 大文"), ("Dora", "ＤＯＲＡ"), ("Chan Tai Man", "chan taiman"), ("ﾔﾏﾀﾞ", "ヤマダ"),
     ("ab", "a\u200db"), ("O'Neill", "O’Neill"), ("Tai-Man", "Tai‑Man")],
)  # fmt: skip
def test_case_width_and_spaces_do_not_matter(one, other):
    assert exact_key(one) == exact_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ōno Tarō", "Ohno Tarou"), ("Yamada Taro", "TARO, Yamada"), ("Chan Tai-Man", "Tai Man Chan"),
     ("Ngô Bảo", "Ngo Bao"), ("Émile", "emile"), ("Øystein", "Oystein"), ("Đặng Văn An", "Dang Van An"),
     ("Müller", "Mueller"), ("O'Neill", "ONeill")],
)  # fmt: skip
def test_accents_long_vowels_and_order_do_not_keep_names_apart(one, other):
    assert exact_key(one) != exact_key(other)
    assert near_key(one) == near_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("陳大文", "陳文大"), ("か", "が"), ("Ian", "Ina"), ("Player 12", "Player 21"), ("山田", "山本")],
)
def test_other_names_stay_apart(one, other):
    assert near_key(one) != near_key(other)


ALICE = Person(pk=1, name="陳大文", romanized="Chan Tai Man", country="HK", numbers=(("EMA", "007"),))
BOB = Person(pk=2, name="Émile", country="FR")


def found(name, *, romanized="", country="", numbers=()):
    matches = Index([ALICE, BOB]).matches(name=name, romanized=romanized, country=country, numbers=numbers)
    return [(match.person.pk, match.exact) for match in matches]


def test_the_same_name_is_an_exact_match():
    assert found("陳　大文") == [(1, True)]


def test_another_country_or_another_number_makes_it_a_near_match():
    assert found("陳大文", country="TW") == [(1, False)]
    assert found("陳大文", numbers=[("ema", "008")]) == [(1, False)]


def test_another_romanized_name_makes_it_a_near_match():
    assert found("陳大文", romanized="Chen Dawen") == [(1, False)]
    assert found("陳大文", romanized="CHAN Tai-man") == [(1, True)]


def test_a_romanized_name_is_a_near_match():
    assert found("Tai-man CHAN") == [(1, False)]
    assert found("Emile") == [(2, False)]


def test_a_federation_number_makes_a_nearly_equal_name_exact():
    assert found("Chan Tai Man", numbers=[("EMA", "007")]) == [(1, True)]


def test_the_number_of_a_person_of_another_name_is_only_near():
    assert found("Zoë", numbers=[("EMA", "007")]) == [(1, False)]


def test_leading_zeros_belong_to_a_number():
    assert found("Zoë", numbers=[("EMA", "7")]) == []


def test_pairs_of_a_register_begin_with_those_exactly_alike():
    twin, near, other = Person(pk=3, name="Émile"), Person(pk=4, name="Emile"), Person(pk=5, name="Zoë")

    pairs = [(a.pk, b.pk, exact) for a, b, exact in Index([BOB, twin, near, other]).pairs()]

    assert pairs == [(2, 3, True), (2, 4, False), (3, 4, False)]


# --- what a list would change


CHAN = Person(
    pk=1, name="陳大文", romanized="Chan Tai Man", club="Kowloon", numbers=(("EMA", "1"), ("ARA", "5"))
)


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        (
            {
                "name": "陳 大文",
                "romanized": "ＣＨＡＮ tai man",
                "club": "kowloon",
                "numbers": (("ema", "１"),),
            },
            {},
        ),
        ({"name": "Chan Tai-Man"}, {}),
        ({"name": "陳大民"}, {"name": "陳大民"}),
        ({"name": "陳大文", "romanized": "Max"}, {"romanized": "Max"}),
        ({"name": "陳大文", "country": "HK", "club": "Kiel"}, {"country": "HK", "club": "Kiel"}),
        ({"name": "陳大文", "numbers": (("EMA", "2"),)}, {"numbers": (("EMA", "2"), ("ARA", "5"))}),
        (
            {"name": "陳大文", "numbers": (("WRC", "9"),)},
            {"numbers": (("EMA", "1"), ("ARA", "5"), ("WRC", "9"))},
        ),
    ],
)
def test_facts_change_what_they_say_and_nothing_else(said, changed):
    assert with_facts(CHAN, Person(pk=0, **said)) == replace(CHAN, **changed)


@pytest.mark.parametrize(
    ("one", "other", "mistyped"),
    [
        ("Takahashi Yui", "Takahashi Yuki", True),  # a letter less
        ("Anna Schmidt", "Anna Schmitt", True),  # another letter
        ("Schmidt Anna", "Anna Schmitt", True),
        ("Émile Durant", "Emile Durand", True),
        ("Anna Berg", "Anne Borg", False),  # two
        ("Jan Kim", "Jan Kin", False),  # short
        ("Spieler A", "Spieler B", False),
        ("Player 123", "Player 124", False),
        ("高橋優衣", "高橋優希", False),
    ],
)
def test_long_names_may_be_mistyped(one, other, mistyped):
    index = Index([Person(pk=3, name=one)])

    assert bool(typing_keys(one) & typing_keys(other)) == mistyped
    assert [person.pk for person in index.mistyped(other)] == [3] * mistyped
    assert index.matches(name=other, romanized="", country="", numbers=()) == []
