"""Values that a field of a model may have."""

from typing import Any

from django.db import models


def values_of(field: "models.Field[Any, Any]") -> list[object]:
    """Return the values of a field that is yes or no or a choice."""
    if isinstance(field, models.BooleanField):
        return [False, True]
    return [value for value, _label in field.flatchoices]


def other_value(field: "models.Field[Any, Any]", value: object) -> object:
    """Return another value of a field that is yes or no or a choice."""
    return next(each for each in values_of(field) if each != value)
