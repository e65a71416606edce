"""The readings that a rule set follows if the sources of its preset contradict each other or leave a rule
open.

A choice has ``settings``, ``chosen`` (1 or 2), the ``place`` of the reading, ``by`` (a user's id) and ``at``.
It answers the question of the preset with the same settings and a reading at that place.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from scoring.presets import Preset, SourceQuestion
from scoring.rules import SETTINGS

FIRST, SECOND = 1, 2

SourceChoice = Mapping[str, Any]


def questions_of(source: Preset | None) -> tuple[SourceQuestion, ...]:
    return source.questions if source else ()


def choice_of(question: SourceQuestion, choices: Sequence[SourceChoice]) -> SourceChoice | None:
    """Return the organizer's choice, or None if the organizer was not asked."""
    places = {number: text.place for number, text in question.texts.items()}
    for choice in choices:
        same = list(choice.get("settings", ())) == list(question.settings)
        if same and places.get(choice.get("chosen", 0)) == choice.get("place"):
            return choice
    return None


def chosen_in(question: SourceQuestion, choices: Sequence[SourceChoice], values: Mapping[str, object]) -> int:
    """Return the number of the reading that is followed: the organizer's choice or the preset's own reading.

    Without a choice, the other reading is followed if all its values are here.
    """
    choice = choice_of(question, choices)
    if choice is not None:
        return int(choice["chosen"])
    other = question.other.values
    follows_other = other and all(same_value(name, value, values.get(name)) for name, value in other.items())
    return FIRST + SECOND - question.chosen if follows_other else question.chosen


def texts_followed(
    source: Preset | None, choices: Sequence[SourceChoice], values: Mapping[str, object]
) -> dict[int, int]:
    """Return question → number of the reading that is followed."""
    asked = enumerate(questions_of(source))
    return {index: chosen_in(question, choices, values) for index, question in asked}


def followed_in(
    question: SourceQuestion,
    choices: Sequence[SourceChoice],
    values: Mapping[str, object],
    published: Mapping[str, object],
) -> int | None:
    """Return the number of the reading that is followed, or None if the values match neither.

    ``values`` and ``published``, the values of the preset, are complete.
    """
    for number, text in question.texts.items():
        theirs = text.values.items()
        if theirs and all(same_value(name, value, values[name]) for name, value in theirs):
            return number
    if any(values[name] != published[name] for name in question.settings):
        return None
    return chosen_in(question, choices, values)


def same_value(name: str, one: object, other: object) -> bool:
    """Return True if two JSON-shaped values mean the same, such as 30 and 30.0."""
    return SETTINGS[name].same(one, other)


def make_choices(
    source: Preset | None,
    chosen: Mapping[int, int],
    *,
    before: Sequence[SourceChoice] = (),
    by: int | None,
    at: datetime,
) -> list[dict[str, object]]:
    """Return the choices of a rule set made from ``source``.

    ``chosen``: question (from 0) → reading. Equal choices from ``before`` stay as they are.
    """
    made = []
    for index, question in enumerate(questions_of(source)):
        old = choice_of(question, before)
        if index not in chosen and old is None:
            continue
        number = chosen.get(index, int(old["chosen"]) if old else question.chosen)
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
    """Return the settings that change with the readings: the values of the new reading.

    Settings that only the old reading had changed get the preset's value.
    """
    values: dict[str, object] = {}
    for index, question in enumerate(source.questions):
        old, new = (chosen.get(index, question.chosen) for chosen in (before, after))
        if old != new:
            texts = question.texts
            values |= {name: source.values[name] for name in texts[old].values} | dict(texts[new].values)
    return values
