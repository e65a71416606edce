"""One folding of names, on the server and in browsers."""

import json
import subprocess
from pathlib import Path

import playwright
import pytest
from django.conf import settings

from players.folding import folded, has_name, is_one_name

NODE = Path(playwright.__file__).parent / "driver" / "node"  # it brings Node.js
SAME = [
    ("o’neill", "O'Neill"), ("O‘Neill", "OʼNeill"), ("Emile", "Émile"), ("Tai Man", "Tai‑Man"),
    ("taiman", "Tai-Man"), ("Mueller", "Müller"), ("Muller", "Müller"), ("Lukasz", "Łukasz"),
    ("Soren", "Søren"), ("Soeren", "Søren"), ("Strasse", "Straße"), ("Dang", "Đặng"),
    ("isik", "ışık"), ("Aesop", "Æsop"), ("ＤＯＲＡ", "dora"), ("-", "-"), ("ﾔﾏﾀﾞ", "ヤマダ"),
    ("김 철수", "김철수"), ("a\u200db", "ab"),
]  # fmt: skip
OTHERS = [
    ("Uno", "Ueno"),
    ("Muller", "Mueller"),
    ("か", "が"),
    ("陳大文", "陳文大"),
    ("-", "'"),
    ("Ng", "Ng Max"),
]
FOUND = [
    ("o’neill", "Anna O'Neill"), ("muell", "Jan Müller"), ("müller", "Jan Mueller"),
    ("tai-man", "Chan Tai Man"), ("chantaiman", "Chan Tai-Man"), ("MAN chan", "Chan Tai-Man"),
    ("", "Anna"),
]  # fmt: skip
TEXTS = ["O’Neill  Émile", "Straße ŁÓDŹ", "ガ 한국", "D-III", "ＡＢＣ\u200d"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_are_the_same(one, other):
    assert is_one_name(one, other)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_other_names_stay_apart(one, other):
    assert not is_one_name(one, other)


@pytest.mark.parametrize(("typed", "name"), FOUND)
def test_a_part_of_a_name_is_found_in_each_spelling(typed, name):
    assert has_name(typed, name)


def test_every_typed_word_has_to_be_there():
    assert not has_name("anna berg", "Anna O'Neill", "Anna Burg")


def test_browsers_fold_as_the_server_does():
    script = Path(settings.BASE_DIR, "static/js/folding.js")
    code = """
        globalThis.window = {};
        require(process.argv[1]);
        const { folded, hasName, isOneName } = window.umaokaFolding;
        const [pairs, found, texts] = JSON.parse(process.argv[2]);
        const is = (test, all) => all.map(([one, other]) => test(one, other));
        console.log(JSON.stringify([is(isOneName, pairs), is(hasName, found), texts.map(folded)]));
    """
    said = json.dumps([SAME + OTHERS, [*FOUND, ("berg", "Anna")], TEXTS])
    answer = subprocess.run(
        [NODE, "-e", code, str(script), said], capture_output=True, check=True, text=True, timeout=60
    )

    assert json.loads(answer.stdout) == [
        [True] * len(SAME) + [False] * len(OTHERS),
        [True] * len(FOUND) + [False],
        list(map(folded, TEXTS)),
    ]
