"""Which text a rule set follows where the sources of its preset contradict each other, or leave a rule to the
table: both are asked in the same way.

A rule set keeps what its organizer chose: a list of records, each with the ``settings`` that it is about,
``chosen`` (1 or 2), the ``place`` of the chosen text, and who chose it (``by``, a user's id) and when
(``at``). A record belongs to the question of the preset that is about the same settings and has a text at
that place.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from scoring.kinds import BadValue
from scoring.presets import Conflict, Preset, Reading
from scoring.rules import SETTINGS

FIRST, SECOND = 1, 2

Record = Mapping[str, Any]


def readings_of(conflict: Conflict) -> dict[int, Reading]:
    """Both texts by number."""
    return {FIRST: conflict.first, SECOND: conflict.second}


def questions_of(source: Preset | None) -> tuple[Conflict, ...]:
    """All that a preset asks: first its contradictions, then what it leaves to the table."""
    return (*source.conflicts, *source.options) if source else ()


def record_of(conflict: Conflict, records: Sequence[Record]) -> Record | None:
    """What was chosen in this contradiction, or None where nobody was asked."""
    places = {number: reading.place for number, reading in readings_of(conflict).items()}
    for record in records:
        same = list(record.get("settings", ())) == list(conflict.settings)
        if same and places.get(record.get("chosen", 0)) == record.get("place"):
            return record
    return None


def chosen_in(conflict: Conflict, records: Sequence[Record], values: Mapping[str, object]) -> int:
    """The number of the text that is followed: what was chosen; where nobody was asked, the preset's own, or
    the other one when all its values are here.
    """
    record = record_of(conflict, records)
    if record is not None:
        return int(record["chosen"])
    other = conflict.other.values
    follows_other = bool(other) and all(
        same_value(name, value, values.get(name)) for name, value in other.items()
    )
    return SECOND + FIRST - conflict.chosen if follows_other else conflict.chosen


def followed_in(
    conflict: Conflict,
    records: Sequence[Record],
    values: Mapping[str, object],
    published: Mapping[str, object],
) -> int | None:
    """The number of the text that a rule set follows; None when its values are neither text's. ``values`` and
    ``published``, those of the preset, are complete.
    """
    for number, reading in readings_of(conflict).items():
        theirs = reading.values.items()
        if theirs and all(same_value(name, value, values[name]) for name, value in theirs):
            return number
    if any(values[name] != published[name] for name in conflict.settings):
        return None
    return chosen_in(conflict, records, values)


def same_value(name: str, one: object, other: object) -> bool:
    """Do two JSON-shaped values of a setting mean the same? 30 and 30.0 do."""
    setting = SETTINGS[name]
    try:
        return setting.parse(one) == setting.parse(other)
    except BadValue:  # of another release, or typed wrongly
        return one == other


def records_for(
    source: Preset | None,
    chosen: Mapping[int, int],
    *,
    before: Sequence[Record] = (),
    by: int | None,
    at: datetime,
) -> list[dict[str, object]]:
    """The records of a rule set made from ``source``: ``chosen`` says by the number of the question (from 0)
    which text was chosen. What was chosen ``before`` and is chosen again keeps its record.
    """
    made = []
    for index, conflict in enumerate(questions_of(source)):
        old = record_of(conflict, before)
        if index not in chosen and old is None:
            continue
        number = chosen.get(index, int(old["chosen"]) if old else conflict.chosen)
        if old is not None and old["chosen"] == number:
            made.append(dict(old))
            continue
        made.append(
            {
                "settings": list(conflict.settings),
                "chosen": number,
                "place": readings_of(conflict)[number].place,
                "by": by,
                "at": at.isoformat(),
            }
        )
    return made


def switched(source: Preset, before: Mapping[int, int], after: Mapping[int, int]) -> dict[str, object]:
    """What the settings become where another text is followed ``after`` than ``before``, in the order of the
    questions: the values of the new text, and the preset's own for what only the old one had changed.
    """
    values: dict[str, object] = {}
    for index, conflict in enumerate(questions_of(source)):
        old, new = (chosen.get(index, conflict.chosen) for chosen in (before, after))
        if old != new:
            texts = readings_of(conflict)
            values |= {name: source.values[name] for name in texts[old].values} | dict(texts[new].values)
    return values
