"""Values that a field of a model may have in place of its own."""

from typing import Any

from django.db import models


def other_value(field: "models.Field[Any, Any]", value: object) -> object:
    """Return another value of a field that is yes or no or a choice."""
    if isinstance(field, models.BooleanField):
        return not value
    return next(each for each, _label in field.flatchoices if each != value)
