"""What the fields of a competition and of its rounds keep from visitors, in one table.

Every field of the two models is in ``WITHHELD`` or in ``HIDES_NOTHING``. After a change of a field in
``WITHHELD`` visitors get no page and no file that was made before. ``tests/test_withheld.py`` reads all pages
and files for what its values withhold.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cache

from league.models.competitions import Competition
from league.models.play import Round


class Secret(Enum):
    """A kind of fact that visitors read only if the settings say so."""

    COMPETITION = "anything of the competition"
    UNCONFIRMED = "results that count without a second person"
    PENALTY_WORDS = "offences and reasons of penalties"
    MISCONDUCT = "which misconduct it was"
    POINTS_IN_PLAY = "points during play"
    CHANCES = "marks and chances"
    SEATS = "seats of a round"
    RESULTS = "results of a round"
    DATES = "days of a planned round"


# Field → value → what visitors must not read while the field has it.
WITHHELD: Mapping[type, Mapping[str, Mapping[object, tuple[Secret, ...]]]] = {
    Competition: {
        "visibility": {"private": (Secret.COMPETITION,)},
        "is_draft": {True: (Secret.COMPETITION,)},
        "counting": {"confirmed": (Secret.UNCONFIRMED,)},
        "penalties_shown": {
            "counts": (Secret.PENALTY_WORDS, Secret.MISCONDUCT),
            "scores": (Secret.PENALTY_WORDS, Secret.MISCONDUCT),
        },
        "names_misconduct": {False: (Secret.MISCONDUCT,)},
        "shows_hands": {False: (Secret.POINTS_IN_PLAY,)},
        "shows_chances": {False: (Secret.CHANCES,)},
    },
    Round: {
        "visibility": {"hidden": (Secret.SEATS, Secret.RESULTS), "seating": (Secret.RESULTS,)},
        "announced": {False: (Secret.DATES,)},
    },
}
HIDES_NOTHING: Mapping[type, frozenset[str]] = {
    Competition: frozenset(
        {
            *("id", "league", "slug", "name", "kind", "timezone", "day_begins", "place"),
            *("first_day", "last_day", "tie_breaks", "suggest_fourth", "release", "team_play", "expulsion"),
            *("takes_calls", "approval_from", "objection_minutes", "table_key", "previous"),
            *("takes_sheets", "signatures", "signed_counts", "one_phone"),
            *("least_hanchan", "most_hanchan", "short_name", "city", "country", "mers_weight"),
            *("notice", "notice_until", "finished_at", "revision", "version", "created_at"),
        }
    ),
    Round: frozenset(
        {
            *("id", "stage", "number", "date", "until", "line_ups_until", "clock_started_at", "version"),
            *("clock_minutes", "status", "method", "seed"),
        }
    ),
}


@cache
def public_fields(model: type[Competition | Round]) -> tuple[str, ...]:
    """Return the names of the attributes whose change may hide something from visitors."""
    fields = model._meta.concrete_fields
    return tuple(field.attname for field in fields if field.name not in HIDES_NOTHING[model])


def public_settings(competition: Competition) -> dict[str, object]:
    """Return the value of each field of the competition that decides what visitors see."""
    return {name: getattr(competition, name) for name in public_fields(Competition)}
