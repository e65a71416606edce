"""Readings: the organizer's choices if the sources of a preset contradict each other or leave a rule open.

A reading has ``settings``, ``chosen`` (1 or 2), the ``place`` of the text, ``by`` (a user's id) and ``at``.
It answers the question of the preset with the same settings and a text at that place.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from scoring.presets import Preset, SourceQuestion
from scoring.rules import SETTINGS

FIRST, SECOND = 1, 2

Reading = Mapping[str, Any]


def questions_of(source: Preset | None) -> tuple[SourceQuestion, ...]:
    return source.questions if source else ()


def reading_of(question: SourceQuestion, readings: Sequence[Reading]) -> Reading | None:
    """Return the organizer's reading, or None if the organizer was not asked."""
    places = {number: text.place for number, text in question.texts.items()}
    for reading in readings:
        same = list(reading.get("settings", ())) == list(question.settings)
        if same and places.get(reading.get("chosen", 0)) == reading.get("place"):
            return reading
    return None


def followed_text(question: SourceQuestion, readings: Sequence[Reading], values: Mapping[str, object]) -> int:
    """Return the number of the text that is followed: that of the organizer's reading, or the preset's own.

    Without a reading, the other text is followed if all its values are here.
    """
    reading = reading_of(question, readings)
    if reading is not None:
        return int(reading["chosen"])
    other = question.other.values
    follows_other = other and all(same_value(name, value, values.get(name)) for name, value in other.items())
    return FIRST + SECOND - question.own_reading if follows_other else question.own_reading


def followed_texts(
    source: Preset | None, readings: Sequence[Reading], values: Mapping[str, object]
) -> dict[int, int]:
    """Return question → number of the text that is followed."""
    asked = enumerate(questions_of(source))
    return {index: followed_text(question, readings, values) for index, question in asked}


def matching_text(
    question: SourceQuestion,
    readings: Sequence[Reading],
    values: Mapping[str, object],
    published: Mapping[str, object],
) -> int | None:
    """Return the number of the text that is followed, or None if the values match neither.

    ``values`` and ``published``, the values of the preset, are complete.
    """
    for number, text in question.texts.items():
        theirs = text.values.items()
        if theirs and all(same_value(name, value, values[name]) for name, value in theirs):
            return number
    if any(values[name] != published[name] for name in question.settings):
        return None
    return followed_text(question, readings, values)


def same_value(name: str, one: object, other: object) -> bool:
    """Return True if two JSON-shaped values mean the same, such as 30 and 30.0."""
    return SETTINGS[name].same(one, other)


def make_readings(
    source: Preset | None,
    texts: Mapping[int, int],
    *,
    before: Sequence[Reading] = (),
    by: int | None,
    at: datetime,
) -> list[dict[str, object]]:
    """Return the readings of a rule set made from ``source``.

    ``texts``: question (from 0) → number of the text. Equal readings from ``before`` stay as they are.
    """
    made = []
    for index, question in enumerate(questions_of(source)):
        old = reading_of(question, before)
        if index not in texts and old is None:
            continue
        number = texts.get(index, int(old["chosen"]) if old else question.own_reading)
        if old is not None and old["chosen"] == number:
            made.append(dict(old))
            continue
        made.append(
            {
                "settings": list(question.settings),
                "chosen": number,
                "place": question.texts[number].place,
                "by": by,
                "at": at.isoformat(),
            }
        )
    return made


def switch_texts(source: Preset, before: Mapping[int, int], after: Mapping[int, int]) -> dict[str, object]:
    """Return the settings that change with the texts: the values of the new text.

    Settings that only the old text had changed get the preset's value.
    """
    values: dict[str, object] = {}
    for index, question in enumerate(source.questions):
        old, new = (texts.get(index, question.own_reading) for texts in (before, after))
        if old != new:
            left, taken = question.texts[old].values, question.texts[new].values
            values |= {name: source.values[name] for name in left} | dict(taken)
    return values
