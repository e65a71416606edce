"""The API with all its operations: importing the two modules registers them."""

from functools import cache
from typing import Any

from league.api.views import reading, writing
from league.api.views.api import api

__all__ = ["api", "document", "reading", "writing"]


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document, which takes a second to make."""
    made: dict[str, Any] = api.get_openapi_schema()
    return made
