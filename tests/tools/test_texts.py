"""The catalogues follow the collected texts, in place and without a guess."""

import polib

from tools.texts import update


def catalogue(*entries: polib.POEntry) -> polib.POFile:
    made = polib.POFile(wrapwidth=0)
    made.extend(entries)
    return made


def lines(found: polib.POFile) -> list[tuple[str | None, str, str]]:
    return [(entry.msgctxt, entry.msgid, entry.msgstr or entry.msgstr_plural.get(0, "")) for entry in found]


def test_a_new_text_comes_after_its_neighbour_and_an_unused_one_goes():
    kept = catalogue(
        polib.POEntry(msgid="Table", msgstr="卓"),
        polib.POEntry(msgid="Old", msgstr="旧"),
        polib.POEntry(msgid="Round", msgstr="回戦"),
    )
    collected = catalogue(
        polib.POEntry(msgid="Table"), polib.POEntry(msgid="Seat"), polib.POEntry(msgid="Round")
    )
    assert update(kept, collected, {}) == [(None, "Seat")]
    assert lines(kept) == [(None, "Table", "卓"), (None, "Seat", ""), (None, "Round", "回戦")]


def test_a_translation_is_for_its_context_alone():
    kept = catalogue(polib.POEntry(msgid="Table", msgstr="卓"))
    collected = catalogue(polib.POEntry(msgid="Table"), polib.POEntry(msgctxt="list", msgid="Table"))
    assert update(kept, collected, {("list", "Table"): "表"}) == []
    assert lines(kept) == [(None, "Table", "卓"), ("list", "Table", "表")]


def test_a_text_that_gets_a_plural_keeps_its_translation():
    kept = catalogue(polib.POEntry(msgid="%(n)s hand", msgstr="%(n)s局"))
    collected = catalogue(polib.POEntry(msgid="%(n)s hand", msgid_plural="%(n)s hands"))
    assert update(kept, collected, {}) == []
    assert kept[0].msgstr_plural == {0: "%(n)s局"}


def test_the_files_that_a_text_is_in_are_updated():
    kept = catalogue(polib.POEntry(msgid="Table", msgstr="卓", occurrences=[("old.py", "")]))
    collected = catalogue(polib.POEntry(msgid="Table", occurrences=[("new.py", "")]))
    update(kept, collected, {})
    assert kept[0].occurrences == [("new.py", "")]


def test_a_plural_without_a_translation_is_one_that_gettext_reads():
    kept = catalogue()
    update(kept, catalogue(polib.POEntry(msgid="%(n)s hand", msgid_plural="%(n)s hands")), {})
    assert 'msgstr[0] ""' in str(kept[0])
