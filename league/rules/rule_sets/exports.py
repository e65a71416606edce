"""The sheet of rules in a workbook: every setting with its source, and open questions."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.core.files.columns import LONG, Column
from league.core.files.looks import BAND, PLAIN
from league.core.files.xlsx import REFERENCE, ExcelBook, ExcelRow, add_filled
from league.core.messages import in_language
from league.core.text import listed, sentences
from league.models import Competition, Division
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.readings import followed_text, questions_of
from league.rules.rule_sets.words.editions import (
    article_words,
    edition_words,
    meaning,
    preset_name,
    rule_set_name,
)
from league.rules.rule_sets.words.settings import group_label, setting_label
from scoring.presets import Preset, SourceQuestion, SourceText, find_preset
from scoring.rules import SETTINGS


class RuleRow(NamedTuple):
    setting: str
    value: str
    changed: str | None = None
    document: str | None = None
    article: str | None = None
    note: str | None = None


def add_rules(book: ExcelBook, competition: Competition) -> None:
    columns = [
        Column("division", _("Division")),
        Column("group", _("Part")),
        Column("setting", _("Setting"), LONG),
        Column("value", _("Value"), LONG),
        Column("changed", _("Changed by the organizer"), LONG, optional=True, most=24),
        Column("document", _("Document"), LONG, most=46),
        Column("article", _("Article"), LONG, most=24),
        Column("note", _("Note"), LONG, optional=True),
    ]
    divisions = competition.divisions.select_related("rule_set__book").order_by("position", "pk")
    lines = [line for division in divisions for line in _rule_lines(division)]
    add_filled(book, _("Rules"), columns, lines, frozen=0, tab=REFERENCE)


def _rule_lines(division: Division) -> Iterator[ExcelRow]:
    """Yield the rule set's name, every setting (shaded if changed), and the open questions of its source."""
    rule_set = division.rule_set
    source = find_preset(rule_set.preset)
    name = preset_name(rule_set.preset)
    if rule_set.book is not None:
        yield PLAIN, [division.name, None, _("Own rules"), rule_set_name(rule_set), None, None, None, None]
    document, edition = source.document if source else None, edition_words(rule_set.edition) or None
    yield PLAIN, [division.name, None, _("Rule set"), name, None, document, edition, None]
    values = rule_set.rules.as_values()
    for setting in SETTINGS.values():
        row = _rule_row(setting.name, values[setting.name], source)
        yield BAND if row.changed else PLAIN, [division.name, group_label(setting.group), *row]
    for question in questions_of(source):
        contradicts = source is not None and question in source.conflicts
        part = _("Contradiction in the source") if contradicts else _("Not settled by the source")
        chosen = followed_text(question, rule_set.readings, values)
        yield PLAIN, [division.name, part, *_question_row(question, chosen, document)]


def _question_row(question: SourceQuestion, chosen: int, document: str | None) -> RuleRow:
    followed, other = question.texts[chosen], question.texts[3 - chosen]
    settings = listed(map(setting_label, question.settings))
    reading = _("Alternative reading: %(text)s (%(place)s).") % {
        "text": _quoted(other),
        "place": other.place,
    }
    note = sentences([reading, in_language(question.note)])
    return RuleRow(settings, _quoted(followed), document=document, article=followed.place, note=note)


def _quoted(text: SourceText) -> str:
    return " · ".join(filter(None, [text.text, meaning(text.text)]))


def _rule_row(name: str, value: object, source: Preset | None) -> RuleRow:
    label, words = setting_label(name), setting_value(name, value)
    if source is None:
        return RuleRow(label, words)
    book_says = setting_value(name, source.values[name])
    if words != book_says:
        return RuleRow(label, words, changed=_("yes (rule set: %(value)s)") % {"value": book_says})
    cite = source.cites[name]
    return RuleRow(
        label,
        words,
        document=_("Umaoka default: not covered by the source") if cite.choice else cite.document,
        article=article_words(cite.article) or None,
        note=in_language(cite.note) or None,
    )
