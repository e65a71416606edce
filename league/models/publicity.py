"""The fields that decide what visitors see."""

from functools import cache

from league.models.competitions import Competition
from league.models.play import Round


@cache
def public_fields(model: type[Competition | Round]) -> tuple[str, ...]:
    """Return the names of the attributes whose change may hide something from visitors."""
    fields = model._meta.concrete_fields
    return tuple(field.attname for field in fields if field.name not in model.HIDES_NOTHING)


def public_settings(competition: Competition) -> dict[str, object]:
    """Return the value of each field of the competition that decides what visitors see."""
    return {name: getattr(competition, name) for name in public_fields(Competition)}
